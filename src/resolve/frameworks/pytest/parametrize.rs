//! The values that pytest passes beside fixtures: those of `@pytest.mark.parametrize` and `request.param`.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, FunctionBody, NONE, Run, Stmt},
    },
    model::Basis,
    resolve::{
        solver::Solver,
        values::{SetId, Value},
    },
};

/// How many values of one decorator count.
pub(crate) const MAX_VALUES: usize = 64;

impl<'a> Solver<'a> {
    /// The parameters that a decorator gives values, the list of those, and whether each is a tuple of them.
    pub(crate) fn parameters_given(&self, decorator: ExprId) -> Option<(Vec<&'a str>, ExprId, bool)> {
        let bodies = self.bodies;
        let &ExprKind::Call { callee, arguments, keywords } = bodies.kind(self.mark_written(decorator)?)? else {
            return None;
        };
        if self.attribute_name(callee) != "parametrize" || self.keyword(keywords, "indirect").is_some() {
            return None;
        }
        let arguments = bodies.list(arguments);
        let &first = arguments.first()?;
        let names: Vec<&str> = match bodies.kind(first) {
            Some(ExprKind::Text(text)) => bodies.names.text(*text).split(',').map(str::trim).collect(),
            Some(ExprKind::Sequence { items, .. }) => {
                bodies.list(*items).iter().filter_map(|&item| bodies.text(item)).collect()
            }
            _ => return None,
        };
        // A tuple of names has tuples of values, be it of one.
        let has_parts = names.len() > 1 || bodies.text(first).is_none();
        let values = arguments.get(1).copied().or_else(|| self.keyword(keywords, "argvalues")).unwrap_or(NONE);
        Some((names, values, has_parts))
    }

    /// A mark, or the one that the variable holds which a decorator names.
    fn mark_written(&self, decorator: ExprId) -> Option<ExprId> {
        match self.bodies.kind(decorator)? {
            ExprKind::Name { .. } => self.assigned_to(decorator),
            _ => Some(decorator),
        }
    }

    /// The first value that the file assigns to the variable which an expression names.
    pub(crate) fn assigned_to(&self, name: ExprId) -> Option<ExprId> {
        let bodies = self.bodies;
        let &ExprKind::Name { variable, .. } = bodies.kind(name)? else { return None };
        if variable == NONE {
            return None;
        }
        bodies.statements.iter().find_map(|statement| match *statement {
            Stmt::Assign { target, value } if bodies.is_variable(target, variable) => Some(value),
            _ => None,
        })
    }

    /// The values in `pytest.param(a, b, id="c")`.
    pub(crate) fn parts_of_param(&self, item: ExprId) -> Option<&'a [ExprId]> {
        match *self.bodies.kind(item)? {
            ExprKind::Call { callee, arguments, .. } if self.attribute_name(callee) == "param" => {
                Some(self.bodies.list(arguments))
            }
            _ => None,
        }
    }

    /// The list of values for `request.param` of the present fixture.
    pub(crate) fn params_written(&self) -> Option<ExprId> {
        let function = self.bodies.functions.get(self.function as usize)?;
        self.params_of(function)
    }

    pub(crate) fn params_of(&self, function: &FunctionBody) -> Option<ExprId> {
        function.decorators.iter().find_map(|&decorator| {
            let &ExprKind::Call { keywords, .. } = self.bodies.kind(decorator)? else {
                return None;
            };
            self.keyword(keywords, "params")
        })
    }

    pub(crate) fn of_fixture(&mut self, sets: Vec<SetId>) -> Vec<SetId> {
        let followed = sets.into_iter().map(|set| {
            let set = self.sets.only(set, |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_)));
            self.sets.weaken(set, Basis::Fixture)
        });
        followed.collect()
    }

    /// The last name of `a.b`, else an empty text.
    pub(crate) fn attribute_name(&self, expression: ExprId) -> &'a str {
        match self.bodies.kind(expression) {
            Some(&ExprKind::Attribute { name, .. }) => self.bodies.names.text(name),
            _ => "",
        }
    }

    pub(crate) fn keyword(&self, keywords: Run, wanted: &str) -> Option<ExprId> {
        let bodies = self.bodies;
        let mut written = bodies.keywords(keywords).iter();
        let found = written.find(|&&(name, _)| name != NONE && bodies.names.text(NameId(name)) == wanted);
        found.map(|&(_, value)| value)
    }
}
