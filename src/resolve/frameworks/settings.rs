//! Outside objects with attributes in the repository.
//!
//! The attributes of settings are the variables of a module, which an environment variable names. Other objects keep
//! the values that the program assigns to them, as `flask.g` does.

use crate::{
    facts::{
        bodies::{ExprId, ExprKind},
        hash_name,
    },
    model::{Basis, Position},
    resolve::{
        containers::is_plain,
        frameworks::tables::rules,
        interpret::attributes::member_values::FoundMember,
        names::{Referents, imports},
        solver::Solver,
        values::{self, Kinds, SetId, Sets, Value, questions},
    },
};

/// Stands for all unknown objects.
pub(crate) const SOME_OBJECT: u64 = hash_name("an object that is passed");

impl Solver<'_> {
    /// `settings.NAME`: the variables of the modules for which the object stands; `None` for any other object.
    pub(crate) fn setting(&mut self, object: u64, name: &str) -> Option<FoundMember> {
        let environment = *rules().settings.get(&object)?;
        let modules = self.read(questions::named(environment, 0));
        let (mut set, mut referents) = (SetId::EMPTY, Referents::new());
        for at in self.sets.range(modules) {
            let Value::Module(file) = values::parts(self.sets.at(at)).0 else { continue };
            let targets = self.look.member(file, name);
            let values = self.target_values(&targets, Basis::Text);
            set = self.sets.union(set, values);
            for target in targets {
                if !referents.iter().any(|&(other, _)| other == target) {
                    referents.push((target, Basis::Text));
                }
            }
        }
        (!referents.is_empty()).then_some(FoundMember { set, referents, is_missing: false })
    }

    /// `g.db`: the values that the program assigned to an attribute of this object, or of an unknown one.
    pub(crate) fn kept_outside(&mut self, object: u64, name: u64) -> SetId {
        let Some(&place) = rules().keeps.get(&object) else { return SetId::EMPTY };
        let kept = self.kept_at(place, name);
        // An extension's `init_app(app)` keeps objects on a parameter whose class is unknown.
        let kept_by_some = self.kept_at(SOME_OBJECT, name);
        self.sets.union(kept, kept_by_some)
    }

    /// `ctx.obj["db"]`: the same under a key.
    pub(crate) fn kept_under(&mut self, objects: SetId, slot: u64) -> SetId {
        let mut kept = SetId::EMPTY;
        for at in self.sets.range(objects) {
            if let Value::ExternalInstance(object) | Value::External(object) = values::parts(self.sets.at(at)).0 {
                let held = self.kept_outside(object, slot);
                kept = self.sets.union(kept, held);
            }
        }
        kept
    }

    pub(crate) fn kept_at(&mut self, place: u64, name: u64) -> SetId {
        let kept = self.read(questions::named(place, name));
        self.sets.weaken(kept, Basis::Stored)
    }

    /// `g.db = …`.
    pub(crate) fn keep_outside(&mut self, object: u64, name: u64, set: SetId) {
        if let Some(&place) = rules().keeps.get(&object) {
            let followed = self.sets.only(set, |value| !is_plain(value));
            self.add(questions::named(place, name), followed);
        }
    }

    /// The value of a setting, for a call that gives it.
    pub(crate) fn setting_read(&mut self, object: u64, name: &str, place: Position) -> SetId {
        let Some(found) = self.setting(object, name) else { return SetId::EMPTY };
        for (target, basis) in found.referents {
            self.emit_reference(target, basis, place, None);
        }
        let set = self.sets.only(found.set, |value| matches!(value, Value::Class(_)));
        self.sets.weaken(set, Basis::Annotated)
    }

    /// `os.environ["NAME"] = "site.settings"`.
    pub(crate) fn environment_assigned(&mut self, target: ExprId, value: ExprId) {
        if let Some(&ExprKind::Subscript { index, .. }) = self.bodies.kind(target) {
            self.set_environment(index, value);
        }
    }

    /// An environment variable names a module of settings.
    pub(crate) fn set_environment(&mut self, variable: ExprId, value: ExprId) {
        let bodies = self.bodies;
        let Some(variable) = bodies.text(variable).map(hash_name) else { return };
        if !rules().is_environment(variable) {
            return;
        }
        for text in self.texts_computed(value) {
            let parts: Vec<&str> = text.split('.').collect();
            let path = self.look.own.path.clone();
            if let imports::Found::Module(file) = self.look.import(&path, 0, &parts) {
                let module = self.sets.single(Value::Module(file), Basis::Text);
                self.add(questions::named(variable, 0), module);
            }
        }
    }
}

impl Sets {
    /// Whether a set may hold an object of the repository.
    pub(crate) fn can_be_kept(&self, set: SetId) -> bool {
        self.holds(set, Kinds::INSTANCES.or(Kinds::PARAMETERS))
    }
}
