//! Fixtures and parameters as a test receives them.

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, FunctionBody, NONE, Run},
        hash_name,
        interface::ParameterKind,
    },
    model::{Basis, EntityFlags, EntityId, RelationshipKind, conventions::pytest::is_test_path},
    resolve::{
        interpret::calls::arguments::MethodCall,
        solver::Solver,
        values::{self, SetId, Value, questions, site::Site, slot::Slot},
    },
};

/// The kind of objects under which the fixtures of plugins are known by name.
const OF_PLUGINS: u64 = hash_name("(fixtures of plugins)");

/// `request.getfixturevalue("name")`, or a name that is computed or a parameter.
pub(crate) fn fixture_by_name(solver: &mut Solver<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { method: name, .. } = call;
    let arguments = call.arguments.written;
    let bodies = solver.bodies;
    if bodies.names.text(name) != "getfixturevalue" {
        return SetId::EMPTY;
    }
    let Some(&written) = bodies.list(arguments).first() else { return SetId::EMPTY };
    let mut values = SetId::EMPTY;
    for name in solver.names_computed(written) {
        for fixture in solver.fixtures_called(solver.entity, bodies.names.text(name)) {
            solver.by_rule("`getfixturevalue` takes the fixture of this name", None, |this| {
                this.emit(fixture, RelationshipKind::UsesFixture, Basis::Fixture, this.bodies.place_of(written));
            });
            let given = solver.fixture_values(fixture);
            values = solver.sets.union(values, given);
        }
    }
    values
}

/// The parameter `request` of a fixture.
pub(crate) struct RequestParameter {
    /// Its position.
    index: u32,
    /// The list of `params=`.
    pub(crate) params: Option<ExprId>,
    /// The fixture asks for the tests that use it.
    asks_for_tests: bool,
}

impl Solver<'_> {
    /// The fixture that a plugin's `lf("name")` or `lazy_fixture("name")` stands for among the values of parameters.
    pub(crate) fn lazy_fixture(&mut self, value: ExprId) -> Option<EntityId> {
        let bodies = self.bodies;
        let &ExprKind::Call { callee, arguments, .. } = bodies.kind(value)? else { return None };
        if !matches!(bodies.last_name(callee), Some("lf" | "lazy_fixture")) {
            return None;
        }
        let name = bodies.text(*bodies.list(arguments).first()?)?;
        self.look.fixture(self.entity, name)
    }

    /// The present test uses the lazy fixtures in a list of values, at most two levels deep.
    pub(crate) fn use_lazy_fixtures(&mut self, list: ExprId) {
        let parts = |this: &Self, item| this.parts_of_param(item).or_else(|| this.written_items(item));
        for &item in self.written_items(list).unwrap_or_default() {
            for &value in parts(self, item).unwrap_or(&[item]) {
                let Some(fixture) = self.lazy_fixture(value) else { continue };
                self.by_rule("`lf` takes the fixture of this name", None, |this| {
                    this.emit(fixture, RelationshipKind::UsesFixture, Basis::Fixture, this.bodies.place_of(value));
                });
            }
        }
    }

    /// Whether a function is a test, if pytest passes it fixtures at all.
    pub(crate) fn takes_fixtures(&mut self, function: &FunctionBody) -> Option<bool> {
        let entity = self.look.own.id(function.entity);
        let flags = self.look.flags(entity);
        let is_test = function.lambda == 0 && self.is_test(function);
        (function.lambda == 0 && (is_test || flags.has(EntityFlags::FIXTURE))).then_some(is_test)
    }

    /// Gives the parameters of a test or fixture the values of the fixtures they name; those of `given` are
    /// parametrized.
    pub(crate) fn bind_fixtures(&mut self, function: &FunctionBody, given: &[(&str, SetId)]) {
        let entity = self.look.own.id(function.entity);
        let flags = self.look.flags(entity);
        let skip = usize::from(function.class != NONE && !flags.has(EntityFlags::STATIC_METHOD));
        for (index, parameter) in (0..).zip(&function.parameters).skip(skip) {
            let is_plain = matches!(parameter.kind, ParameterKind::Ordinary | ParameterKind::KeywordOnly);
            if parameter.default != NONE || !is_plain {
                continue;
            }
            let name = self.bodies.names.text(self.bodies.variables[parameter.variable as usize].name);
            if let Some((_, values)) = given.iter().find(|(given, _)| *given == name) {
                self.add(questions::parameter(entity, 0, index), *values);
                continue;
            }
            let fixtures = self.fixtures_called(entity, name);
            if fixtures.is_empty() {
                let values = self.outside_fixture(name);
                self.add(questions::parameter(entity, 0, index), values);
            }
            for fixture in fixtures {
                let place = (parameter.line, parameter.column);
                self.by_rule("a parameter of a test or fixture takes the fixture of its name", None, |this| {
                    this.emit(fixture, RelationshipKind::UsesFixture, Basis::Fixture, place);
                });
                if self.look.flags(entity).has(EntityFlags::FIXTURE) {
                    self.record_use(entity, fixture);
                } else {
                    self.record_use_of_test(entity, fixture);
                }
                let values = self.fixture_values(fixture);
                self.add(questions::parameter(entity, 0, index), values);
            }
        }
    }

    /// Offers a fixture of a module that pytest does not search to all tests, as a plugin does. No code may show who
    /// loads the plugin: an option of the command line does, or the metadata of a package.
    pub(crate) fn offer_fixture(&mut self, function: &FunctionBody) {
        let entity = self.look.own.id(function.entity);
        let record = &self.bodies.records[function.entity as usize];
        let is_of_module = function.lambda == 0 && !record.qualified.contains('.');
        let is_fixture = self.look.flags(entity).has(EntityFlags::FIXTURE);
        if !is_fixture || !is_of_module || is_test_path(&self.look.own.path) {
            return;
        }
        let interface = &self.look.own.interface;
        let renamed = interface.fixtures.iter().find(|(_, fixture)| *fixture == function.entity);
        let name = renamed.map_or(record.name.as_str(), |(name, _)| interface.names.text(*name));
        let key = questions::named(OF_PLUGINS, hash_name(name));
        let itself = self.sets.single(Value::Function(entity, 0), Basis::Fixture);
        self.add(key, itself);
    }

    /// The fixtures that `name` means for a test or fixture: the one that pytest finds, else those of plugins.
    fn fixtures_called(&mut self, user: EntityId, name: &str) -> Vec<EntityId> {
        if let Some(fixture) = self.look.fixture(user, name) {
            return vec![fixture];
        }
        let offered = self.read(questions::named(OF_PLUGINS, hash_name(name)));
        let offered = self.sets.entries(offered).iter().map(|&entry| values::parts(entry).0);
        offered
            .filter_map(|value| match value {
                Value::Function(fixture, 0) if fixture != user => Some(fixture),
                _ => None,
            })
            .collect()
    }

    /// `usefixtures` among the project's settings.
    pub(crate) fn used_by_every_test(&mut self, test: EntityId) {
        let Some(project) = self.project_of_tests() else { return };
        for name in project.interface.collecting.iter().flat_map(|collecting| &collecting.fixtures) {
            let Some(fixture) = self.look.fixture(test, name) else { continue };
            let Some(index) = self.look.own_place(test) else { continue };
            let record = &self.bodies.records[index as usize];
            let place = (record.line, record.column);
            self.by_rule("every test uses the fixtures that the project's settings name", None, |this| {
                this.emit(fixture, RelationshipKind::UsesFixture, Basis::Fixture, place);
            });
            self.record_use_of_test(test, fixture);
        }
    }

    /// `@pytest.mark.usefixtures("a", "b")` on the present entity.
    pub(crate) fn named_fixtures(&mut self, arguments: Run) {
        let bodies = self.bodies;
        for &argument in bodies.list(arguments) {
            let Some(name) = bodies.text(argument) else { continue };
            for fixture in self.fixtures_called(self.entity, name) {
                let place = self.bodies.place_of(argument);
                self.by_rule("`usefixtures` names the fixture", None, |this| {
                    this.emit(fixture, RelationshipKind::UsesFixture, Basis::Fixture, place);
                });
                self.record_use_of_test(self.entity, fixture);
            }
        }
    }

    /// The parameter `request` of a fixture that has `params=`, or that asks for its tests.
    pub(crate) fn request_of(&mut self, function: &FunctionBody) -> Option<RequestParameter> {
        let bodies = self.bodies;
        let entity = self.look.own.id(function.entity);
        if !self.look.flags(entity).has(EntityFlags::FIXTURE) {
            return None;
        }
        let params = self.params_of(function);
        let is_request = |variable: u32| bodies.names.text(bodies.variables[variable as usize].name) == "request";
        let (index, parameter) = (0..).zip(&function.parameters).find(|(_, given)| is_request(given.variable))?;
        let asks_for_tests = bodies.asks_for_tests(parameter.variable);
        (params.is_some() || asks_for_tests).then_some(RequestParameter { index, params, asks_for_tests })
    }

    /// Gives `request` of a fixture the values of `params=` as `request.param`, and the tests as `request.instance`.
    pub(crate) fn bind_request(&mut self, function: &FunctionBody, request: &RequestParameter, values: SetId) {
        let entity = self.look.own.id(function.entity);
        let container = Value::Container(entity, Site::Request);
        self.add_element(container, Slot::Known(const { hash_name("param") }), values);
        if request.asks_for_tests {
            let tests = self.sets.single(Value::Container(entity, Site::Tests), Basis::Fixture);
            self.add_element(container, Slot::Known(const { hash_name("instance") }), tests);
            self.add_element(container, Slot::Known(const { hash_name("cls") }), tests);
        }
        let container = self.sets.single(container, Basis::Fixture);
        self.add(questions::parameter(entity, 0, request.index), container);
    }
}
