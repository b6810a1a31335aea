//! Texts that the calls in the file pass to a function, and the names that it makes of them.
//!
//! `def handler(self, domain, rule): return getattr(self, f"_{domain}_{rule}")` reads `_check_…` where the file calls
//! `self.handler("check", rule)`. Other files may call the function too, unless its name is private.

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, FunctionBody, NONE, Operator, VarId},
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

    /// The beginnings of the names that a format makes whose first part is computed: `"_{}_{}".format(domain, rule)`,
    /// `f"{domain}_{rule}"`, and a variable that holds one.
    pub(crate) fn beginnings_computed(&self, name: ExprId) -> Vec<PartOfName> {
        let bodies = self.bodies;
        let written = match bodies.kind(name) {
            Some(&ExprKind::Name { variable, .. }) if variable != NONE => {
                bodies.only_value(|target| bodies.is_variable(target, variable))
            }
            _ => Some(name),
        };
        let Some((before, first, after)) = written.and_then(|written| bodies.first_part(written)) else {
            return Vec::new();
        };
        let names = self.names_computed(first);
        let texts = names.iter().map(|&name| format!("{before}{}{after}", bodies.names.text(name)));
        texts.filter_map(|text| PartOfName::of(&text)).collect()
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

/// `_` and `_` of `_{0}_{1}`: the texts before and after the first part that is filled in, up to the second.
fn split_at_part(format: &str) -> Option<(&str, &str)> {
    let (before, part) = format.split_at(format.find(['{', '%'])?);
    let rest = ["%s", "{}", "{0}"].iter().find_map(|written| part.strip_prefix(written))?;
    Some((before, &rest[..rest.find(['{', '%']).unwrap_or(rest.len())]))
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

    /// The first part that a format fills in, with the text before it and the text up to the second part.
    fn first_part(&self, format: ExprId) -> Option<(&str, ExprId, &str)> {
        match *self.kind(format)? {
            ExprKind::Format { values, prefix, .. } => Some((self.names.text(prefix), *self.list(values).first()?, "")),
            ExprKind::Call { callee, arguments, .. } => {
                let &ExprKind::Attribute { base, name } = self.kind(callee)? else { return None };
                let (before, after) = split_at_part(self.text(base)?)?;
                (self.names.text(name) == "format").then_some((before, *self.list(arguments).first()?, after))
            }
            ExprKind::Binary { operator: Operator::Mod, left, right } => {
                let (before, after) = split_at_part(self.text(left)?)?;
                let first = match self.kind(right) {
                    Some(&ExprKind::Sequence { items, .. }) => *self.list(items).first()?,
                    _ => right,
                };
                Some((before, first, after))
            }
            _ => None,
        }
    }
}
