//! Attributes that fixtures put on the tests that use them: `request.instance.app = app`, `request.cls.db = db`.
//!
//! A container of the fixture stands for its tests, and the assignments fill it. Classes that use the fixture read it
//! for attributes that they have nowhere else; with `autouse=True`, all classes in its reach do.

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprKind, Literal, NONE, VarId},
    },
    model::{
        Basis, EntityId,
        conventions::pytest::{CONFTEST, is_test_path},
    },
    resolve::{
        names::imports::parent,
        questions,
        solver::Solver,
        values::{self, SetId, Sets, Value, site::Site, slot::Slot},
    },
};

impl Solver<'_> {
    /// Publishes an attribute to the tests in reach of a fixture with `autouse=True`.
    pub(crate) fn put_on_tests(&mut self, tests: Value, name: u64, set: SetId) {
        let Value::Container(fixture, Site::Tests) = tests else { return };
        if !self.look.is_own(fixture) || !self.is_automatic(fixture) {
            return;
        }
        if let Some(class) = self.look.enclosing_class(fixture) {
            self.add(questions::attribute(class, name), set);
            return;
        }
        let path = self.look.own.path.clone();
        // An automatic fixture of a `conftest.py` reaches its folder, any other one its own module.
        let reach = match path.strip_suffix(CONFTEST) {
            Some(_) => parent(&path),
            None => &path,
        };
        self.add(questions::put_on_tests(reach, name), set);
    }

    fn is_automatic(&self, fixture: EntityId) -> bool {
        let bodies = self.bodies;
        let mut functions = bodies.functions.iter();
        let body = functions.find(|body| body.lambda == 0 && self.look.own.id(body.entity) == fixture);
        body.is_some_and(|body| {
            body.decorators.iter().any(|&decorator| match bodies.kind(decorator) {
                Some(&ExprKind::Call { keywords, .. }) => bodies.keywords(keywords).iter().any(|&(name, value)| {
                    name != NONE
                        && bodies.names.text(NameId(name)) == "autouse"
                        && matches!(bodies.kind(value), Some(ExprKind::Literal(Literal::True)))
                }),
                _ => false,
            })
        })
    }

    /// Records that the class of a test, or a test without one, uses a fixture.
    pub(crate) fn note_use_of_test(&mut self, test: EntityId, fixture: EntityId) {
        let user = self.look.enclosing_class(test).unwrap_or(test);
        self.note_use(user, fixture);
    }

    /// Records that a test, a class of tests, a module or a fixture uses a fixture, with the fixtures that this one
    /// uses.
    pub(crate) fn note_use(&mut self, user: EntityId, fixture: EntityId) {
        let mut used = self.read(questions::used_fixtures(fixture));
        let takes_request = self.look.signature(fixture, 0).is_some_and(|place| {
            let names = &place.info.interface.names;
            place.signature().parameters.iter().any(|parameter| names.text(parameter.name) == "request")
        });
        if takes_request {
            let own = self.sets.single(Value::Function(fixture, 0), Basis::Fixture);
            used = self.sets.union(used, own);
        }
        self.add(questions::used_fixtures(user), used);
    }

    /// The values that fixtures put on objects of a class of tests under this name.
    pub(crate) fn set_by_fixtures(&mut self, class: EntityId, name: u64) -> SetId {
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
        let bodies = self;
        bodies.expressions.iter().any(|expression| match expression.kind {
            ExprKind::Attribute { base, name } => {
                bodies.is_variable(base, request) && matches!(bodies.names.text(name), "instance" | "cls")
            }
            _ => false,
        })
    }
}

impl Sets {
    /// The tests of a fixture, as it has them.
    pub(crate) fn tests_of(&mut self, fixture: EntityId) -> SetId {
        self.single(Value::Container(fixture, Site::Tests), Basis::Fixture)
    }
}
