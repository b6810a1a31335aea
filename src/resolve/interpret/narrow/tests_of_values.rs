//! Which values pass a test: classes, names of builtins, literals.

use std::sync::Arc;

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, NONE},
        interface::EntityHead,
    },
    model::{Basis, EntityFlags, EntityId, EntityKind},
    resolve::{
        library::known,
        names::{Lookup, Target},
        solver::{Solver, access_paths::LearnedFrom},
        values::{self, SetId, Value},
    },
};

impl<'a> Solver<'a> {
    /// The values of `set` that can be false, and so are values of `set and …`: not objects that are always true.
    pub(crate) fn false_ones(&mut self, set: SetId) -> SetId {
        let mut kept = values::Entries::new();
        for at in self.sets.range(set) {
            let entry = self.sets.at(at);
            let is_true = match values::parts(entry).0 {
                Value::Instance(class) => {
                    let mro = self.look.mro(class);
                    let is_known = mro.externals.is_empty() && !mro.is_open;
                    is_known
                        && !["__bool__", "__len__"].iter().any(|name| self.look.inherited(class, name, None).is_some())
                }
                _ => false,
            };
            if !is_true {
                kept.push(entry);
            }
        }
        self.sets.of(kept)
    }

    /// `x` in `type(x)` and `x.__class__`.
    pub(crate) fn class_test_subject(&self, expression: ExprId) -> Option<ExprId> {
        let bodies = self.bodies;
        match *bodies.kind(expression)? {
            ExprKind::Call { callee, arguments, .. } if self.builtin_named(callee) == "type" => {
                let &[subject] = bodies.list(arguments) else { return None };
                Some(subject)
            }
            ExprKind::Attribute { base, name } if bodies.names.text(name) == "__class__" => Some(base),
            _ => None,
        }
    }

    /// The builtin that an expression names, else an empty text.
    pub(crate) fn builtin_named(&self, expression: ExprId) -> &'a str {
        match self.bodies.kind(expression) {
            Some(&ExprKind::Name { name, variable: NONE }) => self.bodies.names.text(name),
            _ => "",
        }
    }

    /// The present values without those of `instances`; none where nothing is taken away, or all.
    pub(crate) fn others(&mut self, present: SetId, instances: SetId) -> Option<SetId> {
        if [present, instances].iter().any(|&set| set == SetId::EMPTY || set == SetId::TOP) {
            return None;
        }
        let (mut kept, mut is_less) = (Vec::new(), false);
        for at in self.sets.range(present) {
            let entry = self.sets.at(at);
            if self.is_one_of(values::parts(entry).0, instances) { is_less = true } else { kept.push(entry) }
        }
        // Where no value is left, the test knows of values that the analysis does not.
        (is_less && !kept.is_empty()).then(|| self.sets.of(kept))
    }

    pub(crate) fn holds_text(&self, set: SetId) -> bool {
        let text = const { known::dotted("builtins.str") };
        self.sets.entries(set).iter().any(|&entry| values::parts(entry).0 == Value::ExternalInstance(text))
    }

    /// Whether a value is one of these, or of a class that derives from one of theirs.
    pub(crate) fn is_one_of(&mut self, value: Value, wanted: SetId) -> bool {
        let (Value::Instance(class) | Value::Class(class)) = value else { return false };
        let mro = Arc::clone(&self.look.mro(class));
        let is_instance = matches!(value, Value::Instance(_));
        self.sets.entries(wanted).iter().any(|&entry| match values::parts(entry).0 {
            Value::Instance(base) => is_instance && mro.classes.contains(&base),
            Value::Class(base) => !is_instance && mro.classes.contains(&base),
            _ => false,
        })
    }

    pub(crate) fn know_tested(&mut self, subject: ExprId, set: SetId) {
        if let ExprKind::Name { variable, .. } = self.bodies.expressions[subject as usize].kind {
            let Some(info) = self.bodies.variables.get(variable as usize) else { return };
            if info.scope == self.scope {
                self.engine.touch(info.slot, &self.state);
                self.state.environment[info.slot as usize] = set;
                if self.function != NONE {
                    // Functions that are defined behind the test may rely on it.
                    let set = self.sets.weaken(set, Basis::Stored);
                    self.grow_variable(variable, set);
                }
                return;
            }
        }
        self.learn(subject, set, LearnedFrom::Test);
    }
}

impl Lookup<'_> {
    /// The attribute for a position of a class pattern: the fields that a class and its bases declare, in order, else
    /// the parameters of `__init__`.
    pub(crate) fn attribute_at(&mut self, class: EntityId, position: usize) -> Option<String> {
        let mro = Arc::clone(&self.mro(class));
        let mut names: Vec<String> = Vec::new();
        for &owner in mro.classes.iter().rev() {
            self.with_entity(owner, |info, entity| {
                let is_field = |head: &&EntityHead| {
                    let is_own = head.parent == entity && head.duplicate == 0;
                    is_own && head.kind == EntityKind::Variable && !head.flags.has(EntityFlags::INSTANCE_ATTRIBUTE)
                };
                for head in info.interface.entities.iter().filter(is_field) {
                    let name = info.interface.names.text(head.name);
                    if !name.starts_with("__") && !names.iter().any(|other| other == name) {
                        names.push(name.to_owned());
                    }
                }
                Some(())
            });
        }
        if names.is_empty()
            && let Some((_, targets)) = self.inherited(class, "__init__", None)
            && let Some(&Target::Entity(init)) = targets.first()
        {
            let found = self.signature(init, 0)?;
            let parameter = found.signature().parameters.get(position + 1)?;
            return Some(found.info.interface.names.text(parameter.name).to_owned());
        }
        names.into_iter().nth(position)
    }
}
