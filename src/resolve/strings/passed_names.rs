//! Texts that the calls in the file pass to a function, and the names that it makes of them.
//!
//! `def handler(self, domain, rule): return getattr(self, f"_{domain}_{rule}")` reads `_check_…` where the file calls
//! `self.handler("check", rule)`. Other files may call the function too, unless its name is private.

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, FunctionBody, NONE, Run, VarId},
    },
    model::EntityFlags,
    resolve::{
        interpret::calls::arguments::Arguments,
        solver::Solver,
        strings::computed_names::PossibleNames,
        values::{self, Kinds, PartOfName, SetId, Value},
    },
};

impl Solver<'_> {
    /// Adds the texts that the calls in this file pass for a parameter; false where some call passes something else, or
    /// none is known.
    pub(crate) fn gather_passed(
        &self,
        function: &FunctionBody,
        variable: VarId,
        names: &mut PossibleNames,
        steps: u32,
    ) -> bool {
        let bodies = self.bodies;
        let Some(index) = function.parameters.iter().position(|parameter| parameter.variable == variable) else {
            return false;
        };
        let name = bodies.variables[variable as usize].name;
        let is_bound =
            function.class != NONE && !bodies.records[function.entity as usize].flags.has(EntityFlags::STATIC_METHOD);
        let mut is_called = false;
        for expression in &bodies.expressions {
            let ExprKind::Call { callee, arguments, keywords } = expression.kind else { continue };
            if !bodies.calls_function(callee, function) {
                continue;
            }
            let by_keyword = bodies.keywords(keywords).iter().find(|&&(keyword, _)| keyword == name.0);
            let place = index.checked_sub(usize::from(is_bound));
            let by_place = place.and_then(|place| bodies.list(arguments).get(place));
            let default = function.parameters[index].default;
            let passed = by_keyword.map(|&(_, value)| value).or(by_place.copied()).unwrap_or(default);
            if !self.gather_names(passed, names, steps) {
                return false;
            }
            is_called = true;
        }
        is_called
    }

    /// Whether an expression is a parameter for which other files may pass other texts than this one does.
    pub(crate) fn is_passed_by_others(&self, expression: ExprId) -> bool {
        let name = self.bodies.function_of_parameter(expression).and_then(|function| {
            let record = self.bodies.records.get(function.entity as usize)?;
            Some(record.name.as_str())
        });
        name.is_some_and(|name| !name.starts_with('_'))
    }

    /// The beginnings of the texts that a format makes whose first part is computed: `"_{}_{}".format(domain, rule)`.
    pub(crate) fn beginnings_filled(&mut self, format: ExprId, parts: &[ExprId]) -> SetId {
        let (bodies, mut beginnings) = (self.bodies, SetId::EMPTY);
        let (Some(format), Some(&first)) = (bodies.text(format), parts.first()) else { return beginnings };
        let Some((before, rest)) = split_at_part(format) else { return beginnings };
        let after = split_at_part(rest).map_or(rest, |(after, _)| after);
        for name in self.names_computed(first) {
            let one = self.beginning_text(&format!("{before}{}{after}", bodies.names.text(name)));
            beginnings = self.sets.union(beginnings, one);
        }
        beginnings
    }

    /// The same of an f-string: `f"_{domain}_{rule}"`.
    pub(crate) fn beginnings_of_first(&mut self, prefix: NameId, values: Run) -> SetId {
        let (bodies, mut beginnings) = (self.bodies, SetId::EMPTY);
        let before = bodies.names.text(prefix);
        // A sentence makes no name.
        let is_name = before.chars().all(|c| c.is_alphanumeric() || c == '_');
        let Some(&first) = bodies.list(values).first().filter(|_| is_name) else { return beginnings };
        for name in self.names_computed(first) {
            let one = self.beginning_text(&format!("{before}{}", bodies.names.text(name)));
            beginnings = self.sets.union(beginnings, one);
        }
        beginnings
    }

    /// Of methods known by several beginnings, those that a call names: `self.handler("check", rule)` gives
    /// `_check_…`, and no `_coerce_…`.
    pub(crate) fn methods_of_passed(&mut self, arguments: &Arguments, given: SetId) -> SetId {
        if !self.sets.holds(given, Kinds::METHODS_BY_PREFIX) {
            return given;
        }
        let bodies = self.bodies;
        let mut written = bodies.list(arguments.written()).iter().filter_map(|&argument| bodies.text(argument));
        let parts: Option<Vec<PartOfName>> = written.find_map(|text| {
            let forms = ["", "_", "__"].iter().flat_map(|before| ["", "_"].map(|after| format!("{before}{text}{after}")));
            let parts = forms.filter_map(|form| PartOfName::of(&form)).collect::<Vec<_>>();
            let is_one = |&entry: &u64| matches!(values::parts(entry).0, Value::MethodsByPrefix(_, part) if parts.contains(&part));
            self.sets.entries(given).iter().any(is_one).then_some(parts)
        });
        let Some(parts) = parts else { return given };
        self.sets.only(given, |value| match value {
            Value::MethodsByPrefix(_, part) => parts.contains(&part),
            _ => true,
        })
    }
}

/// `_`, `_{}` of `_{0}_{}`: the text before the first part that is filled in, and the text after it. Only where all of
/// the rest can stand in a name.
fn split_at_part(format: &str) -> Option<(&str, &str)> {
    let at = format.find(['{', '%'])?;
    let (before, part) = format.split_at(at);
    let rest = match part.strip_prefix("%s") {
        Some(rest) => rest,
        None => part.strip_prefix("{}").or_else(|| part.strip_prefix("{0}"))?,
    };
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '{' | '}' | '%');
    (before.chars().all(is_of_name) && rest.chars().all(is_of_name)).then_some((before, rest))
}

impl Bodies {
    /// The function whose parameter an expression is.
    pub(crate) fn function_of_parameter(&self, expression: ExprId) -> Option<&FunctionBody> {
        let Some(&ExprKind::Name { variable, .. }) = self.kind(expression) else { return None };
        let has_it = |function: &&FunctionBody| function.parameters.iter().any(|given| given.variable == variable);
        if variable == NONE { None } else { self.functions.iter().find(has_it) }
    }

    /// Whether a callee is a function of this file by its name: a method on any object.
    fn calls_function(&self, callee: ExprId, function: &FunctionBody) -> bool {
        match self.kind(callee) {
            Some(&ExprKind::Name { variable, .. }) => {
                function.class == NONE && variable == function.variable && variable != NONE
            }
            Some(&ExprKind::Attribute { name, .. }) => {
                function.class != NONE
                    && self.variables.get(function.variable as usize).is_some_and(|method| method.name == name)
            }
            _ => false,
        }
    }

    /// Whether a callee is the member of an object under a name that callers pass: `getattr(x, name)(…)`.
    pub(crate) fn is_member_of_passed_name(&self, callee: ExprId) -> bool {
        let Some(&ExprKind::Call { callee: getter, arguments, .. }) = self.kind(callee) else { return false };
        let is_getattr = self.last_name(getter) == Some("getattr");
        is_getattr && self.list(arguments).get(1).is_some_and(|&name| self.function_of_parameter(name).is_some())
    }

    /// The parts of the right side of `format % parts`.
    pub(crate) fn parts_of_percent(&self, right: ExprId) -> Vec<ExprId> {
        match self.kind(right) {
            Some(&ExprKind::Sequence { items, .. }) => self.list(items).to_vec(),
            _ => vec![right],
        }
    }
}
