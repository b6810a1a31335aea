//! Attributes that fixtures put on the tests that use them: `request.instance.app = app`, `request.cls.db = db`.
//!
//! A fixture has its tests as a container of its own. The classes of tests that name the fixture read from there. With
//! `autouse=True` all classes in its reach do.

use crate::{
    facts::{
        Bodies,
        bodies::{ExprKind, VarId},
    },
    model::{Basis, EntityFlags, EntityId},
    resolve::{
        frameworks::pytest::is_test_path,
        names::imports::parent,
        solver::Solver,
        values::{self, SetId, Value, questions, site::Site, slot::Slot},
    },
};

impl Solver<'_> {
    /// Gives the tests in reach of a fixture with `autouse=True` an attribute that it puts on them.
    pub(crate) fn put_on_tests(&mut self, tests: Value, name: u64, set: SetId) {
        let Value::Container(fixture, Site::Tests) = tests else { return };
        if !self.look.is_own(fixture) || !self.look.flags(fixture).has(EntityFlags::AUTOUSE) {
            return;
        }
        if let Some(class) = self.look.enclosing_class(fixture) {
            self.add(questions::attribute(class, name), set);
            return;
        }
        let path = self.look.own.path.clone();
        let reach = match path.strip_suffix("conftest.py") {
            Some(_) => parent(&path),
            None => &path,
        };
        self.add(questions::put_on_tests(reach, name), set);
    }

    /// Records that a test uses a fixture: of its class, or of the test itself without one.
    pub(crate) fn record_use_of_test(&mut self, test: EntityId, fixture: EntityId) {
        let user = self.look.enclosing_class(test).unwrap_or(test);
        self.record_use(user, fixture);
    }

    /// Records that a class of tests, a test, their module or another fixture uses a fixture. Its user uses the
    /// fixtures that it uses in turn.
    pub(crate) fn record_use(&mut self, user: EntityId, fixture: EntityId) {
        let mut used = self.read(questions::used_fixtures(fixture));
        let takes_request = self.look.signature(fixture, 0).is_some_and(|found| {
            let names = &found.info.interface.names;
            found.signature().parameters.iter().any(|parameter| names.text(parameter.name) == "request")
        });
        if takes_request {
            let own = self.sets.single(Value::Function(fixture, 0), Basis::Fixture);
            used = self.sets.union(used, own);
        }
        self.add(questions::used_fixtures(user), used);
    }

    /// The values that fixtures put on objects of a class of tests under this name.
    pub(crate) fn put_by_fixtures(&mut self, class: EntityId, name: u64) -> SetId {
        let Some((file, _)) = self.look.place(class) else { return SetId::EMPTY };
        let Some(info) = self.look.module(file).filter(|info| is_test_path(&info.path)) else { return SetId::EMPTY };
        let mut result = self.read(questions::put_on_tests(&info.path, name));
        let mut folder = parent(&info.path);
        loop {
            let put = self.read(questions::put_on_tests(folder, name));
            result = self.sets.union(result, put);
            if folder.is_empty() {
                break;
            }
            folder = parent(folder);
        }
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        let module = info.id(0);
        for &user in mro.classes.iter().chain([&module]) {
            let used = self.read(questions::used_fixtures(user));
            for at in self.sets.range(used) {
                let Value::Function(fixture, 0) = values::parts(self.sets.at(at)).0 else { continue };
                let put = self.read(questions::element(fixture, Site::Tests, Slot::Known(name)));
                result = self.sets.union(result, put);
            }
        }
        self.sets.weaken(result, Basis::Stored)
    }
}

impl Bodies {
    /// Whether `request.instance` or `request.cls` stands somewhere, with this variable as `request`.
    pub(crate) fn asks_for_tests(&self, request: VarId) -> bool {
        self.expressions.iter().any(|expression| match expression.kind {
            ExprKind::Attribute { base, name } => {
                self.is_variable(base, request) && matches!(self.names.text(name), "instance" | "cls")
            }
            _ => false,
        })
    }
}
