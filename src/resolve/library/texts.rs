//! Texts as arguments of library calls: names, classes around a call, strings.

use smallvec::SmallVec;

use crate::{
    facts::{Bodies, NameId, bodies::ExprKind, hash_name},
    model::{Basis, EntityId},
    resolve::{
        interpret::calls::arguments::Arguments,
        library::known,
        solver::Solver,
        values::{self, SetId, Sets, Value},
    },
};

impl Solver<'_> {
    /// `super()`, and `super(Class, self)`, which begins after `Class` in the linearization of the class around it.
    pub(crate) fn make_super(&mut self, arguments: &Arguments) -> SetId {
        let around = self.class_around();
        if let [class, ..] = arguments.positional.as_slice() {
            let mut entries = values::Entries::new();
            for &entry in self.sets.entries(*class) {
                if let (Value::Class(class), _) = values::parts(entry) {
                    let receiver =
                        around.filter(|&around| around != class && self.look.mro(around).classes.contains(&class));
                    entries.push(values::entry(Value::Super(class, receiver), Basis::SelfMember));
                }
            }
            return self.sets.of(entries);
        }
        around.map_or(SetId::EMPTY, |class| self.sets.single(Value::Super(class, None), Basis::SelfMember))
    }

    /// The class that the running code stands in.
    fn class_around(&mut self) -> Option<EntityId> {
        let mut entity = self.entity;
        for _ in 0..8 {
            if let Some(class) = self.look.enclosing_class(entity) {
                return Some(class);
            }
            let parent = self.look.with_head(entity, |info, head| info.id(head.parent))?;
            if parent == entity {
                return None;
            }
            entity = parent;
        }
        None
    }

    /// The texts that an argument can be.
    pub(crate) fn names_at(&self, arguments: &Arguments, index: usize) -> SmallVec<[NameId; 4]> {
        let written = self.bodies.list(arguments.written).get(index);
        written.map_or_else(SmallVec::new, |&written| self.names_computed(written))
    }
}

impl Bodies {
    pub(crate) fn written_name(&self, arguments: &Arguments, index: usize) -> Option<NameId> {
        let expression = *self.list(arguments.written).get(index)?;
        match *self.kind(expression)? {
            ExprKind::Text(name) => Some(name),
            _ => None,
        }
    }
}

impl Sets {
    /// Whether a set holds a text of Python's own.
    pub(crate) fn is_text(&self, set: SetId) -> bool {
        let text = known::builtin(const { hash_name("str") });
        self.entries(set).iter().any(|&entry| values::parts(entry).0 == Value::ExternalInstance(text))
    }
}
