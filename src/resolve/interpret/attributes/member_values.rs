//! Members of classes and of unknown objects, as far as they follow without evaluating an expression.

use crate::{
    model::{Basis, EntityFlags, EntityId, Position},
    resolve::{
        names::{Referents, Target, Targets},
        solver::Solver,
        values::{self, Kinds, SetId, Sets, Value, questions},
    },
};

/// The member that one receiver has under a name.
pub(crate) struct FoundMember {
    pub(crate) set: SetId,
    pub(crate) referents: Referents,
    /// The receiver lacks the member, and no code outside the repository can have added it.
    pub(crate) is_missing: bool,
}

/// The members under one name that subtypes of the receivers' classes have: classes that derive from these, or that fit
/// the protocols which they are.
pub(crate) struct SubtypeMembers {
    pub(crate) set: SetId,
    pub(crate) referents: Referents,
    /// There may be others.
    pub(crate) is_open: bool,
}

impl FoundMember {
    /// A member with these values, of which no definition is known.
    pub(crate) fn of(set: SetId) -> Self {
        FoundMember { set, referents: Referents::new(), is_missing: false }
    }

    /// The same where there are values.
    pub(crate) fn if_any(set: SetId) -> Option<Self> {
        (set != SetId::EMPTY).then(|| FoundMember::of(set))
    }

    /// No member; `is_missing` where nothing outside the repository could have it.
    pub(crate) fn nothing(is_missing: bool) -> Self {
        FoundMember { set: SetId::EMPTY, referents: Referents::new(), is_missing }
    }
}

/// Adds the definitions that are not among the referents yet.
pub(crate) fn add_referents(referents: &mut Referents, others: Referents) {
    for head in others {
        if !referents.contains(&head) {
            referents.push(head);
        }
    }
}

/// The definitions that a load refers to: getters rather than setters.
pub(crate) fn member_referents(solver: &mut Solver<'_>, targets: &Targets, basis: Basis) -> Referents {
    let mut referents = Referents::new();
    for &target in targets {
        if let Target::Entity(entity) = target {
            let flags = solver.look.flags(entity);
            if flags.has(EntityFlags::SETTER) || flags.has(EntityFlags::DELETER) {
                continue;
            }
        }
        referents.push((target, basis));
    }
    referents
}

impl Solver<'_> {
    pub(crate) fn outside_member(&mut self, object: u64, member: Value, basis: Basis, name: u64) -> FoundMember {
        let mut found = self.sets.outside(member, basis);
        let kept = self.kept_outside(object, name);
        found.set = self.sets.union(found.set, kept);
        found
    }

    /// The same, as it was stored.
    pub(crate) fn held_over_mro(&mut self, class: EntityId, name: u64) -> SetId {
        let mro = self.look.mro(class);
        let mut set = SetId::EMPTY;
        for &owner in &mro.classes {
            let values = self.read(questions::attribute(owner, name));
            set = self.sets.union(set, values);
        }
        set
    }

    /// Whether the occurrence at `place` is the one that defines the entity.
    pub(crate) fn is_definition(&self, entity: EntityId, place: Position) -> bool {
        let Some((file, index)) = self.look.place(entity) else { return false };
        let record = (file == self.look.own.file).then(|| &self.bodies.records[index as usize]);
        record.is_some_and(|record| (record.line, record.column) == place)
    }
}

impl Sets {
    pub(crate) fn outside(&mut self, value: Value, basis: Basis) -> FoundMember {
        FoundMember { set: self.single(value, basis), referents: Referents::new(), is_missing: false }
    }

    /// Functions become methods bound to the class.
    pub(crate) fn bind_all(&mut self, set: SetId, class: EntityId) -> SetId {
        if !self.holds(set, Kinds::FUNCTIONS) {
            return set;
        }
        let entries = self.entries(set).iter().map(|&entry| match values::parts(entry) {
            (Value::Function(function, 0), basis) => values::entry(Value::Bound(function, Some(class)), basis),
            _ => entry,
        });
        let entries: values::Entries = entries.collect();
        self.of(entries)
    }
}
