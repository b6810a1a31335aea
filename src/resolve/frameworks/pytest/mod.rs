//! pytest fixtures: parameters of tests and of other fixtures are bound by name.
//!
//! The search follows pytest: the test's class, its module, the `conftest.py` files of its folder and of those above
//! with their plugins, then the plugins of the project. A fixture with a parameter of its own name gets the next one
//! further out.

pub(crate) mod fixtures;
pub(crate) mod parametrize;
pub(crate) mod put_on_tests;

pub(crate) use crate::model::conventions::pytest::is_test_path;

use rustc_hash::FxHashMap;

use crate::{
    facts::{
        bodies::{FunctionBody, NONE},
        hash_name,
    },
    model::{Basis, EntityFlags, EntityId, FileId, fits_name},
    resolve::{
        frameworks::tables::rules,
        names::{
            Lookup, Module, Target,
            imports::{Found, parent},
        },
        solver::Solver,
        values::{SetId, Value, questions},
    },
};

impl Solver<'_> {
    /// Whether pytest takes a function for a test, by its own rules or the project's.
    pub(crate) fn is_test(&mut self, function: &FunctionBody) -> bool {
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

    /// The project's file that sets up pytest for this one.
    pub(crate) fn project_of_tests(&mut self) -> Option<Module> {
        if let Some(known) = self.memo.project_of_tests.get() {
            return known.clone();
        }
        let path = self.look.own.path.clone();
        let projects = self.look.projects(parent(&path));
        let project = projects.into_iter().find(|project| project.interface.collecting.is_some());
        self.memo.project_of_tests.get_or_init(|| project).clone()
    }

    /// The value of a fixture of a plugin outside the repository.
    pub(crate) fn outside_fixture(&mut self, name: &str) -> SetId {
        let Some((environment, path)) = rules().fixture(hash_name(name)) else { return SetId::EMPTY };
        if self.read(questions::named(environment, 0)) == SetId::EMPTY {
            return SetId::EMPTY;
        }
        let is_object = rules().settings.contains_key(&path);
        let value = if is_object { Value::External(path) } else { Value::ExternalInstance(path) };
        self.sets.single(value, Basis::Fixture)
    }

    pub(crate) fn fixture_values(&mut self, fixture: EntityId) -> SetId {
        let is_generator = self.look.signature(fixture, 0).is_some_and(|found| found.signature().is_generator);
        let key = if is_generator { questions::yields(fixture, 0) } else { questions::returns(fixture, 0) };
        let values = self.read(key);
        self.sets.weaken(values, Basis::Fixture)
    }
}

impl Lookup<'_> {
    /// Whether a test or fixture runs once for each of several parameters: its own, or those of a fixture that it uses.
    pub(crate) fn is_parametrized(&mut self, user: EntityId, known: &mut FxHashMap<EntityId, bool>) -> bool {
        if let Some(&known) = known.get(&user) {
            return known;
        }
        // Fixtures that ask for each other do not run.
        known.insert(user, false);
        let flags = self.flags(user);
        let class = self.enclosing_class(user);
        let is_it = flags.has(EntityFlags::PARAMETRIZED)
            || class.is_some_and(|class| self.flags(class).has(EntityFlags::PARAMETRIZED))
            || (flags.has(EntityFlags::TEST) || flags.has(EntityFlags::FIXTURE)) && {
                let names = self.signature(user, 0).map_or_else(Vec::new, |found| found.names_to_fill());
                names.iter().any(|name| {
                    let fixture = self.fixture(user, name);
                    fixture.is_some_and(|fixture| self.is_parametrized(fixture, known))
                })
            };
        known.insert(user, is_it);
        is_it
    }

    /// The fixture that `name` means for a test or fixture.
    pub(crate) fn fixture(&mut self, user: EntityId, name: &str) -> Option<EntityId> {
        if let Some(class) = self.enclosing_class(user) {
            let targets = self.inherited(class, name, None).map(|(_, targets)| targets).unwrap_or_default();
            if let Some(fixture) = self.fixture_among(&targets, user) {
                return Some(fixture);
            }
            // A fixture that overrides one of a base class and asks for it by its own name.
            if targets.contains(&Target::Entity(user)) {
                let inherited = self.inherited(class, name, Some(class)).map(|(_, targets)| targets);
                if let Some(fixture) = self.fixture_among(&inherited.unwrap_or_default(), user) {
                    return Some(fixture);
                }
            }
        }
        let own = self.own.file;
        if let Some(fixture) = self.module_fixture(own, name, user) {
            return Some(fixture);
        }
        let path = self.own.path.clone();
        let mut folder = parent(&path);
        loop {
            if let Some(conftest) = self.conftest(folder) {
                if let Some(fixture) = self.module_fixture(conftest, name, user) {
                    return Some(fixture);
                }
                let info = self.module(conftest);
                if let Some(fixture) = info.and_then(|info| self.plugin_fixture(&info, name, user)) {
                    return Some(fixture);
                }
            }
            if folder.is_empty() {
                break;
            }
            folder = parent(folder);
        }
        let projects = self.projects(parent(&path));
        projects.iter().find_map(|project| self.plugin_fixture(project, name, user))
    }

    /// The fixture of a plugin that a `conftest.py` or a project names.
    fn plugin_fixture(&mut self, info: &Module, name: &str, user: EntityId) -> Option<EntityId> {
        for &plugin in &info.interface.plugins {
            let text = info.interface.names.text(plugin).to_owned();
            let parts: Vec<&str> = text.split('.').collect();
            let Found::Module(file) = self.import(&info.path, 0, &parts) else { continue };
            if let Some(fixture) = self.module_fixture(file, name, user) {
                return Some(fixture);
            }
        }
        None
    }

    /// The fixture that a module knows by `name`.
    fn module_fixture(&mut self, file: FileId, name: &str, user: EntityId) -> Option<EntityId> {
        let info = self.module(file)?;
        if file != self.own.file {
            self.known.questions.insert(questions::stars(&info.path));
        }
        let renamed = info.interface.fixtures.iter().find(|(alias, _)| info.interface.names.text(*alias) == name);
        if let Some(&(_, entity)) = renamed.filter(|(_, entity)| info.id(*entity) != user) {
            return Some(info.id(entity));
        }
        let targets = self.member(file, name);
        self.fixture_among(&targets, user)
    }

    fn fixture_among(&mut self, targets: &[Target], user: EntityId) -> Option<EntityId> {
        targets.iter().find_map(|target| match *target {
            Target::Entity(entity) if entity != user => self.flags(entity).has(EntityFlags::FIXTURE).then_some(entity),
            _ => None,
        })
    }
}
