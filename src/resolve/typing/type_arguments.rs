//! Type arguments of generic classes and their application.
//!
//! `Box[Item]` gives them as an annotation, as a base and as a call. Applying them replaces the marks of
//! `type_parameters` in results and attributes by objects of `Item`. The type arguments of a set of objects stand in
//! the set beside them ([`Value::Applied`]).

use std::sync::Arc;

use smallvec::SmallVec;

use crate::{
    model::{Basis, EntityId},
    resolve::{
        names::Target,
        solver::Solver,
        typing::type_parameters::POSITIONS,
        values::{
            self, ArgumentForm, Kinds, SetId, Sets, TypeArgument, Value,
            mark::{ClassParameter, Given, Mark},
            questions,
        },
    },
};

/// Most types that a type argument may have; of more, it is unknown.
const MAX_TYPES: usize = 4;

/// Longest way from a class to the base that declares a parameter.
const MAX_DEPTH: u32 = 6;

/// The type arguments of a class where one position alone is known.
pub(crate) fn items_at(position: u8, set: SetId) -> [SetId; POSITIONS] {
    let mut items = [SetId::EMPTY; POSITIONS];
    items[usize::from(position)] = set;
    items
}

/// A type as the argument at a position.
fn argument_at(position: u32, value: Value) -> Option<TypeArgument> {
    match value {
        Value::Instance(class) => TypeArgument::new(position, ArgumentForm::One, class),
        Value::Class(class) => TypeArgument::new(position, ArgumentForm::Class, class),
        Value::Container(..) => crate::resolve::containers::declared_of(value)
            .and_then(|class| TypeArgument::new(position, ArgumentForm::List, class)),
        _ => None,
    }
}

impl Solver<'_> {
    pub(crate) fn argument_given(&mut self, argument: TypeArgument) -> SetId {
        let one = match argument.form() {
            ArgumentForm::Class => Value::Class(argument.class()),
            _ => Value::Instance(argument.class()),
        };
        let one = self.sets.single(one, Basis::Annotated);
        if argument.form() == ArgumentForm::List { self.container_of(one, false) } else { one }
    }

    /// The type argument for the parameter of `owner` at this position in an object of the class.
    pub(crate) fn argument_of(
        &mut self,
        class: EntityId,
        owner: EntityId,
        position: u32,
        applied: SetId,
        depth: u32,
    ) -> SetId {
        let mut found = SetId::EMPTY;
        for at in self.sets.range(applied) {
            let Value::Applied(other, argument) = values::parts(self.sets.at(at)).0 else { continue };
            if other == owner && argument.position() == position {
                let given = self.argument_given(argument);
                found = self.sets.union(found, given);
            }
        }
        if class == owner || depth > MAX_DEPTH {
            return found;
        }
        let mro = Arc::clone(&self.look.mro(class));
        for &between in &mro.classes {
            if between == owner {
                break;
            }
            // Only a direct base has its type arguments written in brackets.
            if !self.look.bases(between).contains(&Some(Target::Entity(owner))) {
                continue;
            }
            let types = self.read(questions::type_argument(between, owner, position));
            for at in self.sets.range(types) {
                let entry = self.sets.at(at);
                let given = match values::parts(entry).0 {
                    Value::DependsOnCall(further, Mark::ClassParameter(argument)) => {
                        let position = u32::from(argument.position);
                        let inner = self.argument_of(class, further, position, applied, depth + 1);
                        self.instances_of_argument(inner, argument.given)
                    }
                    _ => self.sets.of([entry]),
                };
                found = self.sets.union(found, given);
            }
        }
        found
    }

    /// The instances that a mark yields for a type argument.
    pub(crate) fn instances_of_argument(&mut self, types: SetId, given: Given) -> SetId {
        match given {
            Given::One => types,
            Given::List => self.container_of(types, false),
            Given::Dict => self.container_of(types, true),
            Given::Class => {
                let entries = self.sets.entries(types).iter().filter_map(|&entry| match values::parts(entry) {
                    (Value::Instance(class), basis) => Some(values::entry(Value::Class(class), basis)),
                    _ => None,
                });
                let entries: values::Entries = entries.collect();
                self.sets.of(entries)
            }
        }
    }

    /// The type arguments that objects of classes derived from `owner` give to its parameters.
    pub(crate) fn derived_as(&mut self, objects: SetId, owner: EntityId) -> SetId {
        let mut result = SetId::EMPTY;
        for at in self.sets.range(objects) {
            let (Value::Instance(class) | Value::Class(class)) = values::parts(self.sets.at(at)).0 else { continue };
            if class == owner || !self.look.mro(class).classes.contains(&owner) {
                continue;
            }
            let mut items: SmallVec<[SetId; 4]> = SmallVec::new();
            for position in 0..POSITIONS {
                let position = u32::try_from(position).unwrap_or(0);
                items.push(self.argument_of(class, owner, position, SetId::EMPTY, 0));
            }
            let applied = self.sets.applied_to(owner, &items);
            result = self.sets.union(result, applied);
        }
        result
    }

    /// The elements that a generator declares by a parameter of its class, as a list.
    pub(crate) fn yielded_by_argument(&mut self, function: EntityId) -> SetId {
        let returned = self.read(questions::returns(function, 0));
        if !self.sets.holds(returned, Kinds::CHOICES) {
            return SetId::EMPTY;
        }
        self.sets.only(returned, |value| matches!(value, Value::DependsOnCall(_, Mark::ClassParameter(_))))
    }
}

impl Sets {
    /// The type arguments of an object that stand in brackets here.
    pub(crate) fn applied_to(&mut self, class: EntityId, items: &[SetId]) -> SetId {
        let mut entries = values::Entries::new();
        for (position, &types) in (0..).zip(items).take(POSITIONS) {
            // Of many nothing is known.
            if types == SetId::TOP || self.entries(types).len() > MAX_TYPES {
                continue;
            }
            for &entry in self.entries(types) {
                if let Some(argument) = argument_at(position, values::parts(entry).0) {
                    entries.push(values::entry(Value::Applied(class, argument), Basis::Annotated));
                }
            }
        }
        self.of(entries)
    }

    /// The type arguments of the objects in a set.
    pub(crate) fn applied_in(&mut self, set: SetId) -> SetId {
        if !self.holds(set, Kinds::APPLIED) {
            return SetId::EMPTY;
        }
        self.only(set, |value| matches!(value, Value::Applied(..)))
    }

    /// One object of a set with the type arguments of that set.
    pub(crate) fn with_arguments(&mut self, object: SetId, among: SetId) -> SetId {
        let applied = self.applied_in(among);
        self.union(object, applied)
    }

    /// The elements of the type argument that a mark stands for.
    pub(crate) fn iterate_mark(&mut self, value: Value, basis: Basis) -> SetId {
        match value {
            Value::DependsOnCall(owner, Mark::ClassParameter(argument)) if argument.given == Given::List => {
                let one = Mark::ClassParameter(ClassParameter { given: Given::One, ..argument });
                self.single(Value::DependsOnCall(owner, one), basis)
            }
            _ => SetId::EMPTY,
        }
    }
}
