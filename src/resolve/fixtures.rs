//! pytest fixtures: parameters of tests and of other fixtures are bound by name.
//!
//! A fixture is looked for as pytest does: in the test's class, its module, the `conftest.py` files of its folder and
//! of those above, and the plugins that those name. A fixture that takes a parameter of its own name gets the next one
//! out.

use super::{
    imports::{Found, parent},
    keys,
    lookup::Target,
    solver::Solver,
    value::SetId,
};
use crate::{
    facts::{
        NameId,
        bodies::{ExprKind, FunctionBody, NONE, Run},
        interface::ParameterKind,
    },
    model::{Basis, EntityFlags, EntityId, FileId, RelationshipKind},
};

impl<'a> Solver<'a> {
    /// Gives the parameters of a test or fixture the values of the fixtures they name.
    pub(super) fn bind_fixtures(&mut self, function: &FunctionBody) {
        let entity = self.look.own.id(function.entity);
        let flags = self.look.flags(entity);
        let is_test = flags.has(EntityFlags::TEST) && is_test_path(&self.look.own.path);
        if function.lambda != 0 || !(is_test || flags.has(EntityFlags::FIXTURE)) {
            return;
        }
        let given = self.parametrized(function);
        let skip = usize::from(function.class != NONE && !flags.has(EntityFlags::STATIC_METHOD));
        for (index, parameter) in (0..).zip(&function.parameters).skip(skip) {
            let is_plain = matches!(parameter.kind, ParameterKind::Ordinary | ParameterKind::KeywordOnly);
            if parameter.default != NONE || !is_plain {
                continue;
            }
            let name = self.bodies.names.text(self.bodies.variables[parameter.variable as usize].name);
            if given.contains(&name) {
                continue;
            }
            let Some(fixture) = self.fixture(entity, name) else { continue };
            self.edge(fixture, RelationshipKind::UsesFixture, Basis::Fixture, (parameter.line, parameter.column));
            let values = self.fixture_values(fixture);
            self.add(keys::parameter(entity, 0, index), values);
        }
    }

    /// Parameters that `@pytest.mark.parametrize` gives directly.
    fn parametrized(&self, function: &FunctionBody) -> Vec<&'a str> {
        let bodies = self.bodies;
        let mut names = Vec::new();
        for &decorator in &function.decorators {
            let Some(ExprKind::Call { callee, arguments, keywords }) =
                bodies.expressions.get(decorator as usize).map(|expression| &expression.kind)
            else {
                continue;
            };
            let is_parametrize = matches!(
                bodies.expressions.get(*callee as usize).map(|expression| &expression.kind),
                Some(ExprKind::Attribute { name, .. }) if bodies.names.text(*name) == "parametrize"
            );
            let is_indirect = bodies
                .keywords(*keywords)
                .iter()
                .any(|&(name, _)| name != NONE && bodies.names.text(NameId(name)) == "indirect");
            let Some(&first) = bodies.list(*arguments).first() else { continue };
            if !is_parametrize || is_indirect {
                continue;
            }
            match bodies.expressions.get(first as usize).map(|expression| &expression.kind) {
                Some(ExprKind::Text(text)) => names.extend(bodies.names.text(*text).split(',').map(str::trim)),
                Some(ExprKind::Sequence { items, .. }) => {
                    names.extend(bodies.list(*items).iter().filter_map(|&item| bodies.text(item)));
                }
                _ => {}
            }
        }
        names
    }

    /// `@pytest.mark.usefixtures("a", "b")` on the present entity.
    pub(super) fn named_fixtures(&mut self, arguments: Run) {
        let bodies = self.bodies;
        for &argument in bodies.list(arguments) {
            let Some(name) = bodies.text(argument) else { continue };
            if let Some(fixture) = self.fixture(self.entity, name) {
                let place = self.place_of(argument);
                self.edge(fixture, RelationshipKind::UsesFixture, Basis::Fixture, place);
            }
        }
    }

    fn fixture_values(&mut self, fixture: EntityId) -> SetId {
        let is_generator = self.look.signature(fixture, 0).is_some_and(|place| place.signature().is_generator);
        let key = if is_generator { keys::yields(fixture, 0) } else { keys::returns(fixture, 0) };
        let values = self.read(key);
        self.sets.weaken(values, Basis::Fixture)
    }

    /// The fixture that `name` means for a test or fixture.
    fn fixture(&mut self, user: EntityId, name: &str) -> Option<EntityId> {
        if let Some(class) = self.look.enclosing_class(user) {
            let targets = self.look.inherited(class, name, None).map(|(_, targets)| targets).unwrap_or_default();
            if let Some(fixture) = self.fixture_among(&targets, user) {
                return Some(fixture);
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
                if let Some(fixture) = self.plugin_fixture(conftest, name, user) {
                    return Some(fixture);
                }
            }
            if folder.is_empty() {
                return None;
            }
            folder = parent(folder);
        }
    }

    fn plugin_fixture(&mut self, conftest: FileId, name: &str, user: EntityId) -> Option<EntityId> {
        let info = self.look.module(conftest)?;
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
            self.look.known.questions.insert(keys::stars(&info.path));
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
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("test_")
        || name.ends_with("_test.py")
        || matches!(name, "conftest.py" | "tests.py" | "test.py")
        || path.split('/').rev().skip(1).any(|folder| matches!(folder, "tests" | "test" | "testing"))
}
