//! pytest fixtures: parameters of tests and of other fixtures are bound by name.
//!
//! A fixture is looked for as pytest does: in the test's class, its module, the `conftest.py` files of its folder and
//! of those above, the plugins that those name, and those that the project registers. A fixture that takes a parameter of
//! its own name gets the next one out.

pub(crate) mod parametrize;
pub(crate) mod request_instance;

use crate::{
    facts::{
        bodies::{FunctionBody, NONE, Run},
        hash_name,
        interface::ParameterKind,
    },
    model::{Basis, EntityFlags, EntityId, FileId, RelationshipKind, fits_name},
    resolve::{
        engine::Solver,
        frameworks::rules,
        names::{
            Module, Target,
            imports::{Found, parent},
        },
        questions,
        values::{SetId, Value},
    },
};

impl Solver<'_> {
    /// Gives the parameters of a test or fixture the values of the fixtures they name.
    pub(crate) fn bind_fixtures(&mut self, function: &FunctionBody) {
        let entity = self.look.own.id(function.entity);
        let flags = self.look.flags(entity);
        let is_test = function.lambda == 0 && self.is_test(function);
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
            let name = self.bodies.names.text(self.bodies.variables[parameter.variable as usize].name);
            if let Some((_, values)) = given.iter().find(|(given, _)| *given == name) {
                self.add(questions::parameter(entity, 0, index), *values);
                continue;
            }
            let Some(fixture) = self.fixture(entity, name) else {
                let values = self.outside_fixture(name);
                self.add(questions::parameter(entity, 0, index), values);
                continue;
            };
            self.by_rule("a parameter of a test or fixture takes the fixture of its name", None, |this| {
                this.edge(fixture, RelationshipKind::UsesFixture, Basis::Fixture, (parameter.line, parameter.column));
            });
            if is_test {
                self.note_use_of_test(entity, fixture);
            } else {
                self.note_use(entity, fixture);
            }
            let values = self.fixture_values(fixture);
            self.add(questions::parameter(entity, 0, index), values);
        }
    }

    /// Whether pytest takes a function for a test, by its own rules or the project's.
    fn is_test(&mut self, function: &FunctionBody) -> bool {
        let entity = self.look.own.id(function.entity);
        let flags = self.look.flags(entity);
        if !is_test_path(&self.look.own.path) || flags.has(EntityFlags::FIXTURE) {
            return false;
        }
        let record = &self.bodies.records[function.entity as usize];
        let is_collected = |project: &Module| {
            let collecting = project.interface.collecting.as_ref();
            let is_inner = function.class == NONE && record.qualified.contains('.');
            !is_inner && collecting.is_some_and(|collecting| fits_name(&collecting.functions, &record.name))
        };
        flags.has(EntityFlags::TEST) || self.project_of_tests().is_some_and(|project| is_collected(&project))
    }

    /// `usefixtures` among the project's settings.
    fn used_by_every_test(&mut self, test: EntityId) {
        let Some(project) = self.project_of_tests() else { return };
        for name in project.interface.collecting.iter().flat_map(|collecting| &collecting.fixtures) {
            let Some(fixture) = self.fixture(test, name) else { continue };
            let Some(index) = self.look.own_place(test) else { continue };
            let record = &self.bodies.records[index as usize];
            let place = (record.line, record.column);
            self.by_rule("every test uses the fixtures that the project's settings name", None, |this| {
                this.edge(fixture, RelationshipKind::UsesFixture, Basis::Fixture, place);
            });
            self.note_use_of_test(test, fixture);
        }
    }

    /// The project's file that sets up pytest for this one.
    fn project_of_tests(&mut self) -> Option<Module> {
        if let Some(known) = self.memo.project_of_tests.get() {
            return known.clone();
        }
        let path = self.look.own.path.clone();
        let projects = self.look.projects(parent(&path));
        let project = projects.into_iter().find(|project| project.interface.collecting.is_some());
        self.memo.project_of_tests.get_or_init(|| project).clone()
    }

    /// `@pytest.mark.usefixtures("a", "b")` on the present entity.
    pub(crate) fn named_fixtures(&mut self, arguments: Run) {
        let bodies = self.bodies;
        for &argument in bodies.list(arguments) {
            let Some(name) = bodies.text(argument) else { continue };
            if let Some(fixture) = self.fixture(self.entity, name) {
                let place = self.place_of(argument);
                self.by_rule("`usefixtures` names the fixture", None, |this| {
                    this.edge(fixture, RelationshipKind::UsesFixture, Basis::Fixture, place);
                });
                self.note_use_of_test(self.entity, fixture);
            }
        }
    }

    /// What a fixture is that a plugin outside the repository has.
    fn outside_fixture(&mut self, name: &str) -> SetId {
        let Some((environment, path)) = rules().fixture(hash_name(name)) else { return SetId::EMPTY };
        if self.read(questions::named(environment, 0)) == SetId::EMPTY {
            return SetId::EMPTY;
        }
        let is_object = rules().settings(path).is_some();
        let value = if is_object { Value::External(path) } else { Value::ExternalInstance(path) };
        self.sets.single(value, Basis::Fixture)
    }

    pub(crate) fn fixture_values(&mut self, fixture: EntityId) -> SetId {
        let is_generator = self.look.signature(fixture, 0).is_some_and(|place| place.signature().is_generator);
        let key = if is_generator { questions::yields(fixture, 0) } else { questions::returns(fixture, 0) };
        let values = self.read(key);
        self.sets.weaken(values, Basis::Fixture)
    }

    /// The fixture that `name` means for a test or fixture.
    pub(crate) fn fixture(&mut self, user: EntityId, name: &str) -> Option<EntityId> {
        if let Some(class) = self.look.enclosing_class(user) {
            let targets = self.look.inherited(class, name, None).map(|(_, targets)| targets).unwrap_or_default();
            if let Some(fixture) = self.fixture_among(&targets, user) {
                return Some(fixture);
            }
            if targets.contains(&Target::Entity(user)) {
                let inherited = self.look.inherited(class, name, Some(class)).map(|(_, targets)| targets);
                if let Some(fixture) = self.fixture_among(&inherited.unwrap_or_default(), user) {
                    return Some(fixture);
                }
            }
        }
        let own = self.look.own.file;
        if let Some(fixture) = self.module_fixture(own, name, user) {
            return Some(fixture);
        }
        let path = self.look.own.path.clone();
        let mut folder = parent(&path);
        loop {
            if let Some(conftest) = self.look.conftest(folder) {
                if let Some(fixture) = self.module_fixture(conftest, name, user) {
                    return Some(fixture);
                }
                let info = self.look.module(conftest);
                if let Some(fixture) = info.and_then(|info| self.plugin_fixture(&info, name, user)) {
                    return Some(fixture);
                }
            }
            if folder.is_empty() {
                break;
            }
            folder = parent(folder);
        }
        let projects = self.look.projects(parent(&path));
        projects.iter().find_map(|project| self.plugin_fixture(project, name, user))
    }

    /// The fixture of a plugin that a `conftest.py` or a project names.
    fn plugin_fixture(&mut self, info: &Module, name: &str, user: EntityId) -> Option<EntityId> {
        for &plugin in &info.interface.plugins {
            let text = info.interface.names.text(plugin).to_owned();
            let parts: Vec<&str> = text.split('.').collect();
            let Found::Module(file) = self.look.import(&info.path, 0, &parts) else { continue };
            if let Some(fixture) = self.module_fixture(file, name, user) {
                return Some(fixture);
            }
        }
        None
    }

    /// The fixture that a module knows by `name`.
    fn module_fixture(&mut self, file: FileId, name: &str, user: EntityId) -> Option<EntityId> {
        let info = self.look.module(file)?;
        if file != self.look.own.file {
            self.look.known.questions.insert(questions::stars(&info.path));
        }
        let renamed = info.interface.fixtures.iter().find(|(alias, _)| info.interface.names.text(*alias) == name);
        if let Some(&(_, entity)) = renamed.filter(|(_, entity)| info.id(*entity) != user) {
            return Some(info.id(entity));
        }
        let targets = self.look.member(file, name);
        self.fixture_among(&targets, user)
    }

    fn fixture_among(&mut self, targets: &[Target], user: EntityId) -> Option<EntityId> {
        targets.iter().find_map(|target| match *target {
            Target::Entity(entity) if entity != user => {
                self.look.flags(entity).has(EntityFlags::FIXTURE).then_some(entity)
            }
            _ => None,
        })
    }
}

/// Files that pytest collects, and those beside them that hold fixtures.
pub fn is_test_path(path: &str) -> bool {
    is_collected(path)
        || name_of(path) == "conftest.py"
        || path.split('/').rev().skip(1).any(|folder| matches!(folder, "tests" | "test" | "testing"))
}

/// Files that hold tests rather than what tests use, by their names.
pub(crate) fn is_collected(path: &str) -> bool {
    let name = name_of(path);
    name.starts_with("test_") || name.ends_with("_test.py") || matches!(name, "tests.py" | "test.py")
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
