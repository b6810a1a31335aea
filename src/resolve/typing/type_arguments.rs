//! What generic classes are applied to, and what that gives.
//!
//! Goes in: `Box[Item]` as an annotation, as a base and where it is called; marks of `type_parameters` among what a method gives or
//! an attribute holds. Comes out: objects of `Item`. What a set of objects was applied to stands in the set beside them
//! ([`Value::Applied`]).

use std::sync::Arc;

use smallvec::SmallVec;

use crate::{
    facts::bodies::{ClassBody, ExprId, ExprKind},
    model::{Basis, EntityId},
    resolve::{
        engine::Solver,
        interpret::calls::Bound,
        names::Target,
        questions,
        typing::type_parameters::POSITIONS,
        values::{
            self, Form, Kinds, SetId, TypeArgument, Value,
            mark::{Argument, Given, Mark},
        },
    },
};

/// Of more types than these it is not told what a parameter stands for.
const MAX_TYPES: usize = 4;
/// Longest way from a class to the base that declares a parameter.
const MAX_DEPTH: u32 = 6;

impl Solver<'_> {
    // --- what a class is applied to ----------------------------------------------------------------------------

    /// Notes what a class is derived with: `User` in `class Users(Repository[User])`.
    pub(crate) fn derive_with(&mut self, class: &ClassBody, base: ExprId, derived: SetId) {
        let Some(&ExprKind::Subscript { index, .. }) = self.bodies.kind(base) else {
            return;
        };
        let entity = self.look.own.id(class.entity);
        let types = self.quiet(|this| this.annotation(index));
        let types = self.only(types, |value| matches!(value, Value::Instance(_)));
        self.add(questions::type_arguments(entity), types);
        let bases = self.only(derived, |value| matches!(value, Value::Class(_)));
        if bases == SetId::EMPTY {
            return;
        }
        for (position, item) in (0..).zip(self.items(index)).take(POSITIONS) {
            let types = self.quiet(|this| this.annotation(item));
            let is_told = |value| matches!(value, Value::Instance(_) | Value::Class(_) | Value::Container(..));
            let types = self.only(types, is_told);
            let mark = self.argument_mark(class, item);
            let types = self.sets.union(types, mark);
            for at in self.sets.range(bases) {
                if let Value::Class(base) = values::parts(self.sets.at(at)).0 {
                    self.add(questions::type_argument(entity, base, position), types);
                }
            }
        }
    }

    /// What an object of the class is applied to where this is written in brackets.
    pub(crate) fn applied_to(&mut self, class: EntityId, items: &[SetId]) -> SetId {
        let mut entries = values::Entries::new();
        for (position, &types) in (0..).zip(items).take(POSITIONS) {
            // Of many nothing is known.
            if types == SetId::TOP || self.sets.entries(types).len() > MAX_TYPES {
                continue;
            }
            for &entry in self.sets.entries(types) {
                if let Some(argument) = argument_at(position, values::parts(entry).0) {
                    entries.push(values::entry(Value::Applied(class, argument), Basis::Annotated));
                }
            }
        }
        self.sets.of(entries)
    }

    /// `Box[Item]` as a value.
    pub(crate) fn classes_applied(&mut self, classes: SetId, index: ExprId) -> SetId {
        if !self.sets.holds(classes, Kinds::CLASSES) {
            return SetId::EMPTY;
        }
        let items: SmallVec<[SetId; 4]> = self.quiet(|this| {
            let items = this.items(index);
            items.into_iter().take(POSITIONS).map(|item| this.annotation(item)).collect()
        });
        let mut applied = SetId::EMPTY;
        for at in self.sets.range(classes) {
            if let Value::Class(class) = values::parts(self.sets.at(at)).0 {
                let to = self.applied_to(class, &items);
                applied = self.sets.union(applied, to);
            }
        }
        applied
    }

    /// What the objects in a set are applied to.
    pub(crate) fn applied_in(&mut self, set: SetId) -> SetId {
        if !self.sets.holds(set, Kinds::APPLIED) {
            return SetId::EMPTY;
        }
        self.only(set, |value| matches!(value, Value::Applied(..)))
    }

    /// What the objects in a set are applied to at a position.
    pub(crate) fn arguments_in(&mut self, set: SetId, position: u32) -> SetId {
        let set = self.concrete(set);
        let mut types = SetId::EMPTY;
        for at in self.sets.range(set) {
            match values::parts(self.sets.at(at)).0 {
                Value::Applied(_, argument) if argument.position() == position => {
                    let given = self.argument_given(argument);
                    types = self.sets.union(types, given);
                }
                _ => {}
            }
        }
        types
    }

    fn argument_given(&mut self, argument: TypeArgument) -> SetId {
        let one = match argument.form() {
            Form::Class => Value::Class(argument.class()),
            _ => Value::Instance(argument.class()),
        };
        let one = self.sets.single(one, Basis::Annotated);
        if argument.form() == Form::List { self.container_of(one, false) } else { one }
    }

    /// One object with what those of the set it comes from are applied to.
    pub(crate) fn with_arguments(&mut self, object: SetId, among: SetId) -> SetId {
        let applied = self.applied_in(among);
        self.sets.union(object, applied)
    }

    // --- what that gives ---------------------------------------------------------------------------------------

    /// What stands for the parameter of `owner` at this position in an object of the class.
    fn argument_of(&mut self, class: EntityId, owner: EntityId, position: u32, applied: SetId, depth: u32) -> SetId {
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
            if !self.look.bases(between).contains(&Some(Target::Entity(owner))) {
                continue;
            }
            let types = self.read(questions::type_argument(between, owner, position));
            for at in self.sets.range(types) {
                let entry = self.sets.at(at);
                let given = match values::parts(entry).0 {
                    Value::DependsOnCall(further, Mark::Argument(argument)) => {
                        let position = u32::from(argument.position);
                        let inner = self.argument_of(class, further, position, applied, depth + 1);
                        self.given(inner, argument.given)
                    }
                    _ => self.sets.of([entry]),
                };
                found = self.sets.union(found, given);
            }
        }
        found
    }

    /// What a mark gives of what the parameter stands for.
    fn given(&mut self, types: SetId, given: Given) -> SetId {
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

    /// What such a mark, or [`Mark::OwnArguments`], gives of these objects; nothing where it is not known.
    pub(crate) fn given_by_argument(&mut self, owner: EntityId, mark: Option<Argument>, objects: SetId) -> SetId {
        let objects = self.concrete(objects);
        let applied = self.applied_in(objects);
        let Some(mark) = mark else {
            let told = self.only(applied, |value| matches!(value, Value::Applied(class, _) if class == owner));
            let derived = self.derived_as(objects, owner);
            return self.sets.union(told, derived);
        };
        let mut types = SetId::EMPTY;
        for at in self.sets.range(objects) {
            let (Value::Instance(class) | Value::Class(class)) = values::parts(self.sets.at(at)).0 else { continue };
            if class == owner || self.look.mro(class).classes.contains(&owner) {
                let given = self.argument_of(class, owner, u32::from(mark.position), applied, 0);
                types = self.sets.union(types, given);
            }
        }
        let types = self.given(types, mark.given);
        self.sets.weaken(types, Basis::Annotated)
    }

    /// What objects of classes that derive from `owner` put for its parameters.
    fn derived_as(&mut self, objects: SetId, owner: EntityId) -> SetId {
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
            let applied = self.applied_to(owner, &items);
            result = self.sets.union(result, applied);
        }
        result
    }

    /// The set with its marks replaced by what they give of the objects; one that nothing is known of stays where the object is
    /// `self`, for those who call.
    pub(crate) fn settled(&mut self, set: SetId, objects: SetId) -> SetId {
        if set == SetId::TOP || !self.sets.holds(set, Kinds::CHOICES) {
            return set;
        }
        let is_own = |&entry: &u64| {
            let (value, basis) = values::parts(entry);
            basis == Basis::SelfMember || matches!(value, Value::Parameter(..) | Value::Super(..))
        };
        let is_own = self.sets.entries(objects).iter().any(is_own);
        let (mut result, mut others, mut whole) = (SetId::EMPTY, values::Entries::new(), SetId::EMPTY);
        for at in self.sets.range(set) {
            let entry = self.sets.at(at);
            match values::parts(entry).0 {
                Value::DependsOnCall(owner, mark @ (Mark::Argument(_) | Mark::OwnArguments)) => {
                    let argument = if let Mark::Argument(argument) = mark { Some(argument) } else { None };
                    let given = self.given_by_argument(owner, argument, objects);
                    if given == SetId::EMPTY && is_own {
                        others.push(entry);
                    }
                    if argument.is_some_and(|argument| argument.is_whole) {
                        whole = self.sets.union(whole, given);
                    }
                    result = self.sets.union(result, given);
                }
                _ => others.push(entry),
            }
        }
        let others = self.sets.of(others);
        let others = self.of_these_types(others, whole);
        self.sets.union(result, others)
    }

    /// Of what a method gives, or an attribute holds, what this object can: where it is said and known that it is of some classes,
    /// other objects are those of others.
    pub(crate) fn of_these_types(&mut self, set: SetId, types: SetId) -> SetId {
        let types = self.only(types, |value| matches!(value, Value::Instance(_)));
        if types == SetId::EMPTY || set == SetId::EMPTY {
            return set;
        }
        let set = self.concrete(set);
        let mut entries = values::Entries::new();
        for at in self.sets.range(set) {
            let entry = self.sets.at(at);
            let is_fitting = match values::parts(entry).0 {
                Value::Instance(class) => {
                    let mro = Arc::clone(&self.look.mro(class));
                    let is_base = |&entry: &u64| matches!(values::parts(entry).0, Value::Instance(wanted) if mro.classes.contains(&wanted));
                    self.sets.entries(types).iter().any(is_base)
                }
                _ => true,
            };
            if is_fitting {
                entries.push(entry);
            }
        }
        self.sets.of(entries)
    }

    /// What a call gives by such a mark of its function or of a class; nothing where the mark is another.
    pub(crate) fn given_by_mark(&mut self, owner: EntityId, mark: Mark, function: EntityId, bound: &Bound) -> SetId {
        let argument = match mark {
            Mark::Made { .. } | Mark::Wrapped { .. } if owner != function => return SetId::EMPTY,
            Mark::Made { from, position } => {
                let items = items_at(position, self.passed_in(from, bound));
                let class = self.look.enclosing_class(function);
                return class.map_or(SetId::EMPTY, |class| self.applied_to(class, &items));
            }
            Mark::Wrapped { from, position } => {
                let items = items_at(position, self.passed_in(from, bound));
                let declared = self.read(questions::returns(function, 0));
                let mut applied = SetId::EMPTY;
                for at in self.sets.range(declared) {
                    if let Value::Instance(class) = values::parts(self.sets.at(at)).0 {
                        let to = self.applied_to(class, &items);
                        applied = self.sets.union(applied, to);
                    }
                }
                return applied;
            }
            Mark::Argument(argument) => Some(argument),
            Mark::OwnArguments => None,
            Mark::Condition { .. }
            | Mark::Passed { .. }
            | Mark::OnlyPassed { .. }
            | Mark::ByReceiver
            | Mark::Property { .. }
            | Mark::Generic
            | Mark::HandsOn { .. } => return SetId::EMPTY,
        };
        let given = self.given_by_argument(owner, argument, bound.passed(0));
        // Whoever calls the method on an object knows more of it.
        let mark = self.sets.single(Value::DependsOnCall(owner, mark), Basis::Annotated);
        if given == SetId::EMPTY { mark } else { given }
    }

    /// What going through what a mark stands for gives.
    pub(crate) fn iterate_mark(&mut self, value: Value, basis: Basis) -> SetId {
        match value {
            Value::DependsOnCall(owner, Mark::Argument(argument)) if argument.given == Given::List => {
                let one = Mark::Argument(Argument { given: Given::One, ..argument });
                self.sets.single(Value::DependsOnCall(owner, one), basis)
            }
            _ => SetId::EMPTY,
        }
    }

    /// What a generator declares to yield by a parameter of its class, as a list.
    pub(crate) fn yielded_by_argument(&mut self, function: EntityId) -> SetId {
        let returned = self.read(questions::returns(function, 0));
        if !self.sets.holds(returned, Kinds::CHOICES) {
            return SetId::EMPTY;
        }
        self.only(returned, |value| matches!(value, Value::DependsOnCall(_, Mark::Argument(_))))
    }
}

/// What a class is applied to where one position alone is known.
fn items_at(position: u8, set: SetId) -> [SetId; POSITIONS] {
    let mut items = [SetId::EMPTY; POSITIONS];
    items[usize::from(position)] = set;
    items
}

/// A type as the argument at a position.
fn argument_at(position: u32, value: Value) -> Option<TypeArgument> {
    match value {
        Value::Instance(class) => TypeArgument::new(position, Form::One, class),
        Value::Class(class) => TypeArgument::new(position, Form::Class, class),
        Value::Container(..) => crate::resolve::containers::declared_of(value)
            .and_then(|class| TypeArgument::new(position, Form::List, class)),
        _ => None,
    }
}
