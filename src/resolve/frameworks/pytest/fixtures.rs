//! Fixtures and parameters as a test receives them.

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, FunctionBody, NONE, Run},
        hash_name,
        interface::ParameterKind,
    },
    model::{Basis, EntityFlags, EntityId, RelationshipKind},
    resolve::{
        frameworks::pytest::parametrize::MAX_VALUES,
        interpret::{Interpreter, arguments::MethodCall},
        questions,
        values::{SetId, Value, site::Site, slot::Slot},
    },
};

/// `request.getfixturevalue("name")`, or a name that is computed or a parameter.
pub(crate) fn fixture_by_name(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { method: name, .. } = call;
    let arguments = call.arguments.written;
    let bodies = interpreter.solver.bodies;
    if bodies.names.text(name) != "getfixturevalue" {
        return SetId::EMPTY;
    }
    let Some(&written) = bodies.list(arguments).first() else { return SetId::EMPTY };
    let mut values = SetId::EMPTY;
    for name in interpreter.solver.names_computed(written) {
        let Some(fixture) = interpreter.solver.look.fixture(interpreter.solver.entity, bodies.names.text(name)) else {
            continue;
        };
        interpreter.by_rule("`getfixturevalue` takes the fixture of this name", None, |this| {
            this.solver.edge(
                fixture,
                RelationshipKind::UsesFixture,
                Basis::Fixture,
                this.solver.bodies.place_of(written),
            );
        });
        let given = interpreter.solver.fixture_values(fixture);
        values = interpreter.solver.sets.union(values, given);
    }
    values
}

impl Interpreter<'_> {
    /// Gives the parameters of a test or fixture the values of the fixtures they name.
    pub(crate) fn bind_fixtures(&mut self, function: &FunctionBody) {
        let entity = self.solver.look.own.id(function.entity);
        let flags = self.solver.look.flags(entity);
        let is_test = function.lambda == 0 && self.solver.is_test(function);
        if function.lambda != 0 || !(is_test || flags.has(EntityFlags::FIXTURE)) {
            return;
        }
        if is_test {
            self.used_by_every_test(entity);
        }
        let given = self.parametrized(function);
        self.requested(function);
        let skip = usize::from(function.class != NONE && !flags.has(EntityFlags::STATIC_METHOD));
        for (index, parameter) in (0..).zip(&function.parameters).skip(skip) {
            let is_plain = matches!(parameter.kind, ParameterKind::Ordinary | ParameterKind::KeywordOnly);
            if parameter.default != NONE || !is_plain {
                continue;
            }
            let name = self.solver.bodies.names.text(self.solver.bodies.variables[parameter.variable as usize].name);
            if let Some((_, values)) = given.iter().find(|(given, _)| *given == name) {
                self.solver.add(questions::parameter(entity, 0, index), *values);
                continue;
            }
            let Some(fixture) = self.solver.look.fixture(entity, name) else {
                let values = self.solver.outside_fixture(name);
                self.solver.add(questions::parameter(entity, 0, index), values);
                continue;
            };
            self.by_rule("a parameter of a test or fixture takes the fixture of its name", None, |this| {
                this.solver.edge(
                    fixture,
                    RelationshipKind::UsesFixture,
                    Basis::Fixture,
                    (parameter.line, parameter.column),
                );
            });
            let values = self.solver.fixture_values(fixture);
            self.solver.add(questions::parameter(entity, 0, index), values);
        }
    }

    /// `usefixtures` among the project's settings.
    fn used_by_every_test(&mut self, test: EntityId) {
        let Some(project) = self.solver.project_of_tests() else { return };
        for name in project.interface.collecting.iter().flat_map(|collecting| &collecting.fixtures) {
            let Some(fixture) = self.solver.look.fixture(test, name) else { continue };
            let Some(index) = self.solver.look.own_place(test) else { continue };
            let record = &self.solver.bodies.records[index as usize];
            let place = (record.line, record.column);
            self.by_rule("every test uses the fixtures that the project's settings name", None, |this| {
                this.solver.edge(fixture, RelationshipKind::UsesFixture, Basis::Fixture, place);
            });
        }
    }

    /// `@pytest.mark.usefixtures("a", "b")` on the present entity.
    pub(crate) fn named_fixtures(&mut self, arguments: Run) {
        let bodies = self.solver.bodies;
        for &argument in bodies.list(arguments) {
            let Some(name) = bodies.text(argument) else { continue };
            if let Some(fixture) = self.solver.look.fixture(self.solver.entity, name) {
                let place = self.solver.bodies.place_of(argument);
                self.by_rule("`usefixtures` names the fixture", None, |this| {
                    this.solver.edge(fixture, RelationshipKind::UsesFixture, Basis::Fixture, place);
                });
            }
        }
    }
}

impl<'a> Interpreter<'a> {
    /// Parameters that `@pytest.mark.parametrize` on a test or its class gives directly, and what they are given.
    pub(crate) fn parametrized(&mut self, function: &FunctionBody) -> Vec<(&'a str, SetId)> {
        let bodies = self.solver.bodies;
        let of_class = bodies.classes.get(function.class as usize).map_or(&[][..], |class| &class.decorators);
        let mut given = Vec::new();
        for &decorator in function.decorators.iter().chain(of_class) {
            let Some((names, values, has_parts)) = self.solver.parameters_given(decorator) else { continue };
            let sets = self.outside_of(function, |this| this.values_of(values, names.len(), has_parts));
            given.extend(names.into_iter().zip(sets));
        }
        given
    }

    /// Gives `request` of a fixture the values of `params=` as `request.param`.
    pub(crate) fn requested(&mut self, function: &FunctionBody) {
        let bodies = self.solver.bodies;
        let entity = self.solver.look.own.id(function.entity);
        if !self.solver.look.flags(entity).has(EntityFlags::FIXTURE) {
            return;
        }
        let Some(params) = self.solver.params_of(function) else { return };
        let is_request = |variable: u32| bodies.names.text(bodies.variables[variable as usize].name) == "request";
        let at = (0..).zip(&function.parameters).find(|(_, parameter)| is_request(parameter.variable));
        let Some((index, _)) = at else { return };
        let request = Value::Container(entity, Site::Request);
        let values = self.outside_of(function, |this| this.values_of(params, 1, false)[0]);
        self.solver.add_element(request, Slot::Known(const { hash_name("param") }), values);
        let request = self.solver.sets.single(request, Basis::Fixture);
        self.solver.add(questions::parameter(entity, 0, index), request);
    }

    /// Evaluates what stands around a function, as its decorators do.
    fn outside_of<T>(&mut self, function: &FunctionBody, work: impl FnOnce(&mut Self) -> T) -> T {
        let parent = self.solver.look.own.interface.entities[function.entity as usize].parent;
        let inner = std::mem::replace(&mut self.solver.entity, self.solver.look.own.id(parent));
        let result = self.quiet(work);
        self.solver.entity = inner;
        result
    }

    /// The values that a list gives to each of `count` parameters: its elements, or the parts of those.
    fn values_of(&mut self, list: ExprId, count: usize, has_parts: bool) -> Vec<SetId> {
        let bodies = self.solver.bodies;
        let mut sets = vec![SetId::EMPTY; count];
        let Some(items) = self.solver.written_items(list) else {
            let values = self.eval(list);
            let values = self.iterate(values, (0, 0), 0);
            for (index, set) in sets.iter_mut().enumerate() {
                *set = if has_parts { self.unpacked(values, NONE, index, count, (0, 0)) } else { values };
            }
            return self.solver.of_fixture(sets);
        };
        for &item in items.iter().take(MAX_VALUES) {
            // `pytest.param(a, b, id="c")`
            let (parts, is_param) = match bodies.kind(item) {
                Some(&ExprKind::Call { callee, arguments, .. }) if self.solver.attribute_name(callee) == "param" => {
                    (Some(bodies.list(arguments)), true)
                }
                _ => (self.solver.written_items(item), false),
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
                *set = self.solver.sets.union(*set, value);
            }
        }
        self.solver.of_fixture(sets)
    }
}
