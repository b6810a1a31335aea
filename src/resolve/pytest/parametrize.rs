//! What pytest passes beside fixtures: the values of `@pytest.mark.parametrize`, `request.param`, and fixtures that are
//! asked for by name.
//!
//! Goes in: a test or fixture with its decorators. Comes out: values of its parameters.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, FunctionBody, NONE, Run, Stmt},
        hash_name,
    },
    model::{Basis, EntityFlags, RelationshipKind},
    resolve::{
        engine::Solver,
        questions,
        values::{SetId, Value, site::Site, slot::Slot},
    },
};

/// How many values of one decorator are gone through.
const MAX_VALUES: usize = 64;

impl<'a> Solver<'a> {
    /// Parameters that `@pytest.mark.parametrize` on a test or its class gives directly, and what they are given.
    pub(crate) fn parametrized(&mut self, function: &FunctionBody) -> Vec<(&'a str, SetId)> {
        let bodies = self.bodies;
        let of_class = bodies.classes.get(function.class as usize).map_or(&[][..], |class| &class.decorators);
        let mut given = Vec::new();
        for &decorator in function.decorators.iter().chain(of_class) {
            let Some((names, values, has_parts)) = self.parameters_given(decorator) else { continue };
            let sets = self.outside_of(function, |this| this.values_of(values, names.len(), has_parts));
            given.extend(names.into_iter().zip(sets));
        }
        given
    }

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
        let bodies = self.bodies;
        let &ExprKind::Name { variable, .. } = bodies.kind(decorator)? else { return Some(decorator) };
        if variable == NONE {
            return None;
        }
        bodies.statements.iter().find_map(|statement| match *statement {
            Stmt::Assign { target, value } if bodies.is_variable(target, variable) => Some(value),
            _ => None,
        })
    }

    /// What `request.param` of the present fixture is one of.
    pub(crate) fn params_written(&self) -> Option<ExprId> {
        let function = self.bodies.functions.get(self.function as usize)?;
        self.params_of(function)
    }

    fn params_of(&self, function: &FunctionBody) -> Option<ExprId> {
        function.decorators.iter().find_map(|&decorator| {
            let &ExprKind::Call { keywords, .. } = self.bodies.kind(decorator)? else {
                return None;
            };
            self.keyword(keywords, "params")
        })
    }

    /// Gives `request` of a fixture the values of `params=` as `request.param`, and the tests as `request.instance`.
    pub(crate) fn requested(&mut self, function: &FunctionBody) {
        let bodies = self.bodies;
        let entity = self.look.own.id(function.entity);
        if !self.look.flags(entity).has(EntityFlags::FIXTURE) {
            return;
        }
        let params = self.params_of(function);
        let is_request = |variable: u32| bodies.names.text(bodies.variables[variable as usize].name) == "request";
        let at = (0..).zip(&function.parameters).find(|(_, parameter)| is_request(parameter.variable));
        let Some((index, parameter)) = at else { return };
        let request = Value::Container(entity, Site::Request);
        let asks_for_tests = self.asks_for_tests(parameter.variable);
        if params.is_none() && !asks_for_tests {
            return;
        }
        if let Some(params) = params {
            let values = self.outside_of(function, |this| this.values_of(params, 1, false)[0]);
            self.add_element(request, Slot::Known(const { hash_name("param") }), values);
        }
        if asks_for_tests {
            let tests = self.tests_of(entity);
            self.add_element(request, Slot::Known(const { hash_name("instance") }), tests);
            self.add_element(request, Slot::Known(const { hash_name("cls") }), tests);
        }
        let request = self.sets.single(request, Basis::Fixture);
        self.add(questions::parameter(entity, 0, index), request);
    }

    /// `request.getfixturevalue("name")`, or a name that is computed or a parameter.
    pub(crate) fn fixture_by_name(&mut self, name: NameId, arguments: Run) -> SetId {
        let bodies = self.bodies;
        if bodies.names.text(name) != "getfixturevalue" {
            return SetId::EMPTY;
        }
        let Some(&written) = bodies.list(arguments).first() else { return SetId::EMPTY };
        let mut values = SetId::EMPTY;
        for name in self.names_computed(written) {
            let Some(fixture) = self.fixture(self.entity, bodies.names.text(name)) else { continue };
            self.by_rule("`getfixturevalue` takes the fixture of this name", None, |this| {
                this.edge(fixture, RelationshipKind::UsesFixture, Basis::Fixture, this.place_of(written));
            });
            let given = self.fixture_values(fixture);
            values = self.sets.union(values, given);
        }
        values
    }

    /// Evaluates what stands around a function, as its decorators do.
    fn outside_of<T>(&mut self, function: &FunctionBody, work: impl FnOnce(&mut Self) -> T) -> T {
        let parent = self.look.own.interface.entities[function.entity as usize].parent;
        let inner = std::mem::replace(&mut self.entity, self.look.own.id(parent));
        let result = self.quiet(work);
        self.entity = inner;
        result
    }

    /// The values that a list gives to each of `count` parameters: its elements, or the parts of those.
    fn values_of(&mut self, list: ExprId, count: usize, has_parts: bool) -> Vec<SetId> {
        let bodies = self.bodies;
        let mut sets = vec![SetId::EMPTY; count];
        let Some(items) = self.written_items(list) else {
            let values = self.eval(list);
            let values = self.iterate(values, (0, 0), 0);
            for (index, set) in sets.iter_mut().enumerate() {
                *set = if has_parts { self.unpacked(values, NONE, index, count, (0, 0)) } else { values };
            }
            return self.of_fixture(sets);
        };
        for &item in items.iter().take(MAX_VALUES) {
            // `pytest.param(a, b, id="c")`
            let (parts, is_param) = match bodies.kind(item) {
                Some(&ExprKind::Call { callee, arguments, .. }) if self.attribute_name(callee) == "param" => {
                    (Some(bodies.list(arguments)), true)
                }
                _ => (self.written_items(item), false),
            };
            for (index, set) in sets.iter_mut().enumerate() {
                let value = match parts {
                    Some(parts) if has_parts || is_param => self.eval(parts.get(index).copied().unwrap_or(NONE)),
                    _ if !has_parts => self.eval(item),
                    _ => {
                        let whole = self.eval(item);
                        self.unpacked(whole, NONE, index, count, (0, 0))
                    }
                };
                *set = self.sets.union(*set, value);
            }
        }
        self.of_fixture(sets)
    }

    fn of_fixture(&mut self, sets: Vec<SetId>) -> Vec<SetId> {
        let followed = sets.into_iter().map(|set| {
            let set = self.only(set, |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_)));
            self.sets.weaken(set, Basis::Fixture)
        });
        followed.collect()
    }

    /// The last name of `a.b`, else an empty text.
    fn attribute_name(&self, expression: ExprId) -> &'a str {
        match self.bodies.kind(expression) {
            Some(&ExprKind::Attribute { name, .. }) => self.bodies.names.text(name),
            _ => "",
        }
    }

    fn keyword(&self, keywords: Run, wanted: &str) -> Option<ExprId> {
        let bodies = self.bodies;
        let mut written = bodies.keywords(keywords).iter();
        let found = written.find(|&&(name, _)| name != NONE && bodies.names.text(NameId(name)) == wanted);
        found.map(|&(_, value)| value)
    }
}
