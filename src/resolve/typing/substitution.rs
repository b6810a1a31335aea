//! Substitution of type variables: by the arguments of the call, and by the type arguments of the object.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ClassBody, ExprId, ExprKind, FunctionBody, NONE, Operator, ScopeId, ScopeKind, TypeParameter},
        hash_name,
    },
    model::{Basis, EntityId, Position},
    resolve::{
        frameworks::tables::behavior_of,
        interpret::{
            Interpreter,
            calls::arguments::{Arguments, BoundArguments},
        },
        library::known::{self, Known},
        typing::{type_arguments::items_at, type_parameters::POSITIONS},
        values::{
            self, Kinds, SetId, Value,
            mark::{ClassParameter, Given, Mark, PassedIn, Way},
            questions,
            site::SitePart,
            slot::Slot,
        },
    },
};

/// Whether a base class of the library is a mapping.
fn is_mapping(base: u64) -> bool {
    const DERIVED: [u64; 4] = [
        known::dotted("builtins.dict"),
        known::dotted("collections.OrderedDict"),
        known::dotted("collections.UserDict"),
        known::dotted("collections.Counter"),
    ];
    DERIVED.contains(&base) || behavior_of(base) == Some(Known::MappingOf)
}

/// Whether a base class of the library is a collection of elements.
fn is_sequence(base: u64) -> bool {
    const BUILTIN: [u64; 6] = [
        known::dotted("builtins.list"),
        known::dotted("builtins.tuple"),
        known::dotted("builtins.set"),
        known::dotted("builtins.frozenset"),
        known::dotted("collections.UserList"),
        known::dotted("collections.deque"),
    ];
    BUILTIN.contains(&base) || behavior_of(base) == Some(Known::SequenceOf)
}

impl Interpreter<'_> {
    /// The elements of instances of `class Items(list[Item])`. For dicts, `of_dicts` says that the values are wanted,
    /// not the keys.
    pub(crate) fn items_derived_with(&mut self, objects: SetId, of_dicts: bool) -> SetId {
        let mut result = SetId::EMPTY;
        let objects = self.expand_parameters(objects);
        if !self.solver.sets.holds(objects, Kinds::INSTANCES) {
            return result;
        }
        for at in self.solver.sets.range(objects) {
            let Value::Instance(class) = values::parts(self.solver.sets.at(at)).0 else { continue };
            let held = self.solver.held_by_instances(class, of_dicts);
            result = self.solver.sets.union(result, held);
            let mro = Arc::clone(&self.solver.look.mro(class));
            let is_dict = mro.externals.iter().any(|&base| is_mapping(base));
            if is_dict && !of_dicts || !is_dict && !mro.externals.iter().any(|&base| is_sequence(base)) {
                continue;
            }
            for &owner in &mro.classes {
                let items = self.solver.read(questions::type_arguments(owner));
                let items = self.solver.sets.weaken(items, Basis::Annotated);
                result = self.solver.sets.union(result, items);
            }
        }
        result
    }

    /// `orders.values()`, `orders.pop()` of instances of `class Orders(dict[str, Order])`.
    pub(crate) fn derived_container_call(&mut self, objects: SetId, method: &str, place: Position) -> SetId {
        let has_own = self.solver.special_methods(objects, method).is_some_and(|methods| !methods.is_empty());
        let items = if has_own { SetId::EMPTY } else { self.items_derived_with(objects, true) };
        match method {
            _ if items == SetId::EMPTY => items,
            "values" => self.solver.container_made(items, place, false),
            "items" | "popitem" => {
                let pair = self.solver.made(place, SitePart::Pair, false);
                self.solver.add_element(pair, Slot::index(1), items);
                let pair = self.solver.sets.single(pair, Basis::Constructed);
                if method == "items" { self.solver.container_made(pair, place, false) } else { pair }
            }
            _ => items,
        }
    }

    /// Marks a function that returns a type variable of its argument, or a method that returns a type argument of its
    /// class, by its annotation.
    pub(crate) fn returns_argument(&mut self, function: &FunctionBody) {
        if function.returns == NONE {
            return;
        }
        self.returns_passed(function);
        self.returns_applied(function);
        self.returns_argument_of_class(function);
    }

    /// Marks the result of a function by the type variables of its parameters.
    fn returns_passed(&mut self, function: &FunctionBody) {
        let Some((variable, form)) = self.variable_given(function.returns) else { return };
        let owner = self.solver.look.own.id(function.entity);
        if form == Given::One && self.solver.bodies.is_whole(function.returns) {
            let mark = Mark::OnlyPassed { lambda: function.lambda };
            let mark = self.solver.sets.single(Value::DependsOnCall(owner, mark), Basis::Annotated);
            self.solver.add(questions::returns(owner, function.lambda), mark);
        }
        for (index, parameter) in (0..PassedIn::PARAMETERS).zip(&function.parameters) {
            if let Some(way) = self.way_in(parameter.annotation, variable) {
                let from = PassedIn { way, parameter: index };
                let mark = Mark::Passed { lambda: function.lambda, from, is_listed: form == Given::List };
                let given = self.solver.sets.single(Value::DependsOnCall(owner, mark), Basis::Annotated);
                self.solver.add(questions::returns(owner, function.lambda), given);
            }
        }
    }

    /// The type variable that stands in an annotation.
    pub(crate) fn variable_in(&mut self, annotation: ExprId) -> Option<NameId> {
        let bodies = self.solver.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Name { name, .. } => self.is_type_variable(annotation).then_some(name),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.variable_in(left).or_else(|| self.variable_in(right))
            }
            ExprKind::Subscript { index, .. } => self.variable_in(index),
            ExprKind::Sequence { items, .. } => {
                // The last item is the value of a mapping and the result of a callable.
                bodies.list(items).iter().rev().find_map(|&item| self.variable_in(item))
            }
            _ => None,
        }
    }

    /// The way from the argument of a parameter to a type variable.
    pub(crate) fn way_in(&mut self, annotation: ExprId, variable: NameId) -> Option<Way> {
        let bodies = self.solver.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Name { name, .. } => (name == variable).then_some(Way::Itself),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.way_in(left, variable).or_else(|| self.way_in(right, variable))
            }
            ExprKind::Subscript { base, index } => {
                let base = self.quiet(|this| this.head(base).0);
                let &entry = self.solver.sets.entries(base).first()?;
                let hash = match values::parts(entry).0 {
                    Value::External(hash) => hash,
                    Value::Class(_) => {
                        let items = self.solver.items(index);
                        return match items.iter().position(|&item| self.variable_in(item) == Some(variable))? {
                            0 => Some(Way::Applied),
                            1 => Some(Way::AppliedSecond),
                            _ => None,
                        };
                    }
                    _ => return None,
                };
                let callable = [known::dotted("typing.Callable"), known::dotted("collections.abc.Callable")];
                if self.variable_in(index) != Some(variable) {
                    return None;
                }
                Some(match behavior_of(hash) {
                    Some(Known::Optional | Known::Union | Known::Annotated) => Way::Itself,
                    // `type[T]`: the argument is the class, and `T` stands for its instances.
                    Some(Known::TypeOf | Known::Type) => Way::Made,
                    Some(Known::MappingOf) => Way::Held,
                    _ if hash == known::builtin(const { hash_name("dict") }) => Way::Held,
                    _ if callable.contains(&hash) => Way::Returned,
                    _ => Way::Element,
                })
            }
            _ => None,
        }
    }

    /// The result of a call by the type variables of its parameters; in a list, where `is_listed` says so.
    pub(crate) fn passed_by_type(&mut self, from: PassedIn, is_listed: bool, bound: &BoundArguments) -> SetId {
        let set = self.passed_in(from, bound);
        let set = self.solver.sets.weaken(set, Basis::Returned);
        if is_listed { self.solver.container_of(set, false) } else { set }
    }

    /// The type that a type variable stands for, inferred from an argument.
    pub(crate) fn passed_in(&mut self, from: PassedIn, bound: &BoundArguments) -> SetId {
        let passed = bound.passed(u32::from(from.parameter));
        let set = self.quiet(|this| match from.way {
            Way::Itself => this.expand_parameters(passed),
            Way::Element => this.iterate(passed, (0, 0), 0),
            Way::Held => this.elements(passed),
            Way::Made => this.instances(passed, Basis::Returned),
            Way::Returned => this.call_sets(passed, &[], (0, 0)),
            Way::Applied => this.arguments_in(passed, 0),
            Way::AppliedSecond => this.arguments_in(passed, 1),
        });
        if set == SetId::TOP {
            return SetId::EMPTY;
        }
        // Functions are left to the rules for decorators.
        let is_followed =
            |value| matches!(value, Value::Instance(_) | Value::Class(_) | Value::Container(..) | Value::Applied(..));
        self.solver.sets.only(set, is_followed)
    }

    /// Notes the type arguments of a class's bases: `User` in `class Users(Repository[User])`.
    pub(crate) fn derive_with(&mut self, class: &ClassBody, base: ExprId, derived: SetId) {
        let Some(&ExprKind::Subscript { index, .. }) = self.solver.bodies.kind(base) else {
            return;
        };
        let entity = self.solver.look.own.id(class.entity);
        let types = self.quiet(|this| this.annotation(index));
        let types = self.solver.sets.only(types, |value| matches!(value, Value::Instance(_)));
        self.solver.add(questions::type_arguments(entity), types);
        let bases = self.solver.sets.only(derived, |value| matches!(value, Value::Class(_)));
        if bases == SetId::EMPTY {
            return;
        }
        for (position, item) in (0..).zip(self.solver.items(index)).take(POSITIONS) {
            let types = self.quiet(|this| this.annotation(item));
            let is_followed = |value| matches!(value, Value::Instance(_) | Value::Class(_) | Value::Container(..));
            let types = self.solver.sets.only(types, is_followed);
            let mark = self.argument_mark(class, item);
            let types = self.solver.sets.union(types, mark);
            for at in self.solver.sets.range(bases) {
                if let Value::Class(base) = values::parts(self.solver.sets.at(at)).0 {
                    self.solver.add(questions::type_argument(entity, base, position), types);
                }
            }
        }
    }

    /// `Box[Item]` as a value.
    pub(crate) fn classes_applied(&mut self, classes: SetId, index: ExprId) -> SetId {
        if !self.solver.sets.holds(classes, Kinds::CLASSES) {
            return SetId::EMPTY;
        }
        let items: SmallVec<[SetId; 4]> = self.quiet(|this| {
            let items = this.solver.items(index);
            items.into_iter().take(POSITIONS).map(|item| this.annotation(item)).collect()
        });
        let mut applied = SetId::EMPTY;
        for at in self.solver.sets.range(classes) {
            if let Value::Class(class) = values::parts(self.solver.sets.at(at)).0 {
                let to = self.solver.sets.applied_to(class, &items);
                applied = self.solver.sets.union(applied, to);
            }
        }
        applied
    }

    /// The type arguments of the objects in a set at a position.
    pub(crate) fn arguments_in(&mut self, set: SetId, position: u32) -> SetId {
        let set = self.expand_parameters(set);
        let mut types = SetId::EMPTY;
        for at in self.solver.sets.range(set) {
            match values::parts(self.solver.sets.at(at)).0 {
                Value::Applied(_, argument) if argument.position() == position => {
                    let given = self.solver.argument_given(argument);
                    types = self.solver.sets.union(types, given);
                }
                _ => {}
            }
        }
        types
    }

    /// The values that such a mark, or [`Mark::OwnArguments`], yields for these objects; nothing where it is unknown.
    pub(crate) fn instances_of_type_argument(
        &mut self,
        owner: EntityId,
        mark: Option<ClassParameter>,
        objects: SetId,
    ) -> SetId {
        let objects = self.expand_parameters(objects);
        let applied = self.solver.sets.applied_in(objects);
        let Some(mark) = mark else {
            let known =
                self.solver.sets.only(applied, |value| matches!(value, Value::Applied(class, _) if class == owner));
            let derived = self.solver.derived_as(objects, owner);
            return self.solver.sets.union(known, derived);
        };
        let mut types = SetId::EMPTY;
        for at in self.solver.sets.range(objects) {
            let (Value::Instance(class) | Value::Class(class)) = values::parts(self.solver.sets.at(at)).0 else {
                continue;
            };
            if class == owner || self.solver.look.mro(class).classes.contains(&owner) {
                let given = self.solver.argument_of(class, owner, u32::from(mark.position), applied, 0);
                types = self.solver.sets.union(types, given);
            }
        }
        let types = self.solver.instances_of_argument(types, mark.given);
        self.solver.sets.weaken(types, Basis::Annotated)
    }

    /// Replaces the marks in a set by the type arguments of the objects. A mark without a known argument stays where
    /// the object is `self`, for the callers.
    pub(crate) fn apply_type_arguments(&mut self, set: SetId, objects: SetId) -> SetId {
        if set == SetId::TOP || !self.solver.sets.holds(set, Kinds::CHOICES) {
            return set;
        }
        let is_own = |&entry: &u64| {
            let (value, basis) = values::parts(entry);
            basis == Basis::SelfMember || matches!(value, Value::Parameter(..) | Value::Super(..))
        };
        let is_own = self.solver.sets.entries(objects).iter().any(is_own);
        let (mut result, mut others, mut whole) = (SetId::EMPTY, values::Entries::new(), SetId::EMPTY);
        for at in self.solver.sets.range(set) {
            let entry = self.solver.sets.at(at);
            match values::parts(entry).0 {
                Value::DependsOnCall(owner, mark @ (Mark::ClassParameter(_) | Mark::OwnArguments)) => {
                    let argument = if let Mark::ClassParameter(argument) = mark { Some(argument) } else { None };
                    let given = self.instances_of_type_argument(owner, argument, objects);
                    // Inside the class `T` is open; callers of the method know the object.
                    if given == SetId::EMPTY && is_own {
                        others.push(entry);
                    }
                    if argument.is_some_and(|argument| argument.is_whole) {
                        whole = self.solver.sets.union(whole, given);
                    }
                    result = self.solver.sets.union(result, given);
                }
                _ => others.push(entry),
            }
        }
        let others = self.solver.sets.of(others);
        let others = self.of_these_types(others, whole);
        self.solver.sets.union(result, others)
    }

    /// Narrows a result or attribute to the values that this object can have. Objects of other classes have the others,
    /// as far as the classes are known.
    pub(crate) fn of_these_types(&mut self, set: SetId, types: SetId) -> SetId {
        let types = self.solver.sets.only(types, |value| matches!(value, Value::Instance(_)));
        if types == SetId::EMPTY || set == SetId::EMPTY {
            return set;
        }
        let set = self.expand_parameters(set);
        let mut entries = values::Entries::new();
        for at in self.solver.sets.range(set) {
            let entry = self.solver.sets.at(at);
            let is_fitting = match values::parts(entry).0 {
                Value::Instance(class) => {
                    let mro = Arc::clone(&self.solver.look.mro(class));
                    let is_base = |&entry: &u64| matches!(values::parts(entry).0, Value::Instance(wanted) if mro.classes.contains(&wanted));
                    self.solver.sets.entries(types).iter().any(is_base)
                }
                _ => true,
            };
            if is_fitting {
                entries.push(entry);
            }
        }
        self.solver.sets.of(entries)
    }

    /// The result of a call by such a mark of its function or of a class; nothing for another mark.
    pub(crate) fn result_of_mark(
        &mut self,
        owner: EntityId,
        mark: Mark,
        function: EntityId,
        bound: &BoundArguments,
    ) -> SetId {
        let argument = match mark {
            // Positions of parameters count for the function of the mark alone.
            Mark::Made { .. } | Mark::Wrapped { .. } if owner != function => return SetId::EMPTY,
            Mark::Made { from, position } => {
                let items = items_at(position, self.passed_in(from, bound));
                let class = self.solver.look.enclosing_class(function);
                return class.map_or(SetId::EMPTY, |class| self.solver.sets.applied_to(class, &items));
            }
            Mark::Wrapped { from, position } => {
                let items = items_at(position, self.passed_in(from, bound));
                let declared = self.solver.read(questions::returns(function, 0));
                let mut applied = SetId::EMPTY;
                for at in self.solver.sets.range(declared) {
                    if let Value::Instance(class) = values::parts(self.solver.sets.at(at)).0 {
                        let to = self.solver.sets.applied_to(class, &items);
                        applied = self.solver.sets.union(applied, to);
                    }
                }
                return applied;
            }
            Mark::ClassParameter(argument) => Some(argument),
            Mark::OwnArguments => None,
            Mark::Condition { .. }
            | Mark::Passed { .. }
            | Mark::OnlyPassed { .. }
            | Mark::ByReceiver
            | Mark::Property { .. }
            | Mark::Generic
            | Mark::HandsOn { .. } => return SetId::EMPTY,
        };
        let given = self.instances_of_type_argument(owner, argument, bound.passed(0));
        // Whoever calls the method on an object knows more of it.
        let mark = self.solver.sets.single(Value::DependsOnCall(owner, mark), Basis::Annotated);
        if given == SetId::EMPTY { mark } else { given }
    }

    /// `[T: Item]`: binds each parameter to a type variable with its bound, or its constraints.
    pub(crate) fn bind_type_parameters(&mut self, parameters: &[TypeParameter]) {
        for &TypeParameter { variable, bound } in parameters {
            let made = Value::ExternalInstance(const { known::dotted("typing.TypeVar") });
            let made = self.solver.sets.single(made, Basis::Returned);
            let bound = self.annotation(bound);
            let set = self.solver.sets.union(made, bound);
            self.solver.assign_variable(variable, set);
        }
    }

    /// The type variable in a type, and how it stands there.
    pub(crate) fn variable_given(&mut self, annotation: ExprId) -> Option<(NameId, Given)> {
        let bodies = self.solver.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Name { name, .. } => self.is_type_variable(annotation).then_some((name, Given::One)),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.variable_given(left).or_else(|| self.variable_given(right))
            }
            ExprKind::Subscript { base, index } => {
                let items = self.solver.items(index);
                let (&first, &last) = (items.first()?, items.last()?);
                let base = self.quiet(|this| this.head(base).0);
                let mut heads =
                    self.solver.sets.entries(base).iter().filter_map(|&entry| match values::parts(entry).0 {
                        Value::External(hash) => Some(hash),
                        _ => None,
                    });
                let head = heads.next()?;
                let builtin = |name: &str| known::builtin(hash_name(name)) == head;
                let (items, outer) = match behavior_of(head) {
                    Some(Known::Optional | Known::Union) => (items.as_slice(), Given::One),
                    Some(Known::Annotated) => (&[first][..], Given::One),
                    Some(Known::Coroutine) => (&[last][..], Given::One),
                    Some(Known::TypeOf | Known::Type) => (&[first][..], Given::Class),
                    Some(Known::MappingOf) => (&[last][..], Given::Dict),
                    Some(Known::Callable | Known::Manager) => return None,
                    _ if builtin("dict") => (&[last][..], Given::Dict),
                    _ if items.len() == 2
                        && !self.solver.bodies.is_ellipsis(last)
                        && !self.solver.is_generator_type(head) =>
                    {
                        return None;
                    }
                    _ => (&[first][..], Given::List),
                };
                let (variable, inner) = items.iter().find_map(|&item| self.variable_given(item))?;
                match (outer, inner) {
                    (Given::One, _) => Some((variable, inner)),
                    (_, Given::One) => Some((variable, outer)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The names of a class's type parameters: its own (PEP 695), those of `Generic[…]` or `Protocol[…]`, else those in
    /// the bases, in their order.
    fn type_parameters_of(&mut self, class: &ClassBody) -> SmallVec<[NameId; 4]> {
        let bodies = self.solver.bodies;
        let mut names: SmallVec<[NameId; 4]> = SmallVec::new();
        names.extend(
            class
                .type_parameters
                .iter()
                .map(|&TypeParameter { variable, .. }| bodies.variables[variable as usize].name),
        );
        if !names.is_empty() {
            return names;
        }
        for &written in &class.bases {
            let Some(&ExprKind::Subscript { base, index }) = bodies.kind(written) else { continue };
            if matches!(bodies.last_name(base), Some("Generic" | "Protocol")) {
                names.clear();
                self.gather_variables(index, &mut names);
                return names;
            }
            self.gather_variables(index, &mut names);
        }
        names
    }

    fn gather_variables(&mut self, written: ExprId, names: &mut SmallVec<[NameId; 4]>) {
        for item in self.solver.items(written) {
            match self.solver.bodies.kind(item) {
                Some(&ExprKind::Name { name, .. }) if self.is_type_variable(item) && !names.contains(&name) => {
                    names.push(name);
                }
                Some(&ExprKind::Subscript { index, .. }) => self.gather_variables(index, names),
                Some(&ExprKind::Binary { left, right, .. }) => {
                    self.gather_variables(left, names);
                    self.gather_variables(right, names);
                }
                _ => {}
            }
        }
    }

    /// The mark for a type that names a parameter of the class; nothing for any other.
    pub(crate) fn argument_mark(&mut self, class: &ClassBody, annotation: ExprId) -> SetId {
        if annotation == NONE || !self.solver.bodies.is_generic(class) {
            return SetId::EMPTY;
        }
        let Some((variable, given)) = self.variable_given(annotation) else { return SetId::EMPTY };
        let owner = self.solver.look.own.id(class.entity);
        match self.type_parameters_of(class).iter().position(|&name| name == variable) {
            Some(position) if position < POSITIONS => {
                let is_whole = self.solver.bodies.is_whole(annotation);
                let mark = ClassParameter { position: u8::try_from(position).unwrap_or(0), given, is_whole };
                self.solver.sets.single(Value::DependsOnCall(owner, Mark::ClassParameter(mark)), Basis::Annotated)
            }
            _ => SetId::EMPTY,
        }
    }

    /// Marks the result of a method by the parameters of its class, and notes the arguments of `__init__` that
    /// determine them.
    pub(crate) fn returns_argument_of_class(&mut self, function: &FunctionBody) {
        let bodies = self.solver.bodies;
        let Some(class) = bodies.classes.get(function.class as usize).filter(|class| bodies.is_generic(class)) else {
            return;
        };
        let owner = self.solver.look.own.id(function.entity);
        let mut given = self.argument_mark(class, function.returns);
        if self.is_own_class(class, function.returns) {
            let mark = Value::DependsOnCall(self.solver.look.own.id(class.entity), Mark::OwnArguments);
            given = self.solver.sets.single(mark, Basis::Annotated);
        }
        self.solver.add(questions::returns(owner, function.lambda), given);
    }

    /// `Box[T]` in `class Box[T]`; whether it is another object stays open.
    fn is_own_class(&mut self, class: &ClassBody, annotation: ExprId) -> bool {
        let Some(&ExprKind::Subscript { base, index }) = self.solver.bodies.kind(annotation) else { return false };
        let itself = Value::Class(self.solver.look.own.id(class.entity));
        let is_around = std::mem::replace(&mut self.solver.is_annotation, true);
        let base = self.quiet(|this| this.head(base).0);
        self.solver.is_annotation = is_around;
        if !self.solver.sets.entries(base).iter().any(|&entry| values::parts(entry).0 == itself) {
            return false;
        }
        let mut names = SmallVec::new();
        self.gather_variables(index, &mut names);
        names == self.type_parameters_of(class)
    }

    /// In `__init__` of a generic class: notes the type parameters that its arguments determine.
    pub(crate) fn made_by_arguments(&mut self, function: &FunctionBody) {
        let bodies = self.solver.bodies;
        let Some(class) = bodies.classes.get(function.class as usize).filter(|class| bodies.is_generic(class)) else {
            return;
        };
        if bodies.records[function.entity as usize].name != "__init__" {
            return;
        }
        let owner = self.solver.look.own.id(function.entity);
        for (position, variable) in (0..).zip(self.type_parameters_of(class)).take(POSITIONS) {
            for (index, parameter) in (0..PassedIn::PARAMETERS).zip(&function.parameters) {
                if let Some(way) = self.way_in(parameter.annotation, variable) {
                    let made = Mark::Made { from: PassedIn { way, parameter: index }, position };
                    let mark = self.solver.sets.single(Value::DependsOnCall(owner, made), Basis::Annotated);
                    self.solver.add(questions::returns(owner, 0), mark);
                }
            }
        }
    }

    /// `-> Box[T]`: notes the arguments that determine the type arguments of the object.
    pub(crate) fn returns_applied(&mut self, function: &FunctionBody) {
        let Some(&ExprKind::Subscript { base, index }) = self.solver.bodies.kind(function.returns) else { return };
        let base = self.quiet(|this| this.head(base).0);
        if !self.solver.sets.holds(base, Kinds::CLASSES) {
            return;
        }
        let owner = self.solver.look.own.id(function.entity);
        for (position, item) in (0..).zip(self.solver.items(index)).take(POSITIONS) {
            let Some(variable) = self.variable_in(item) else { continue };
            for (index, parameter) in (0..PassedIn::PARAMETERS).zip(&function.parameters) {
                if let Some(way) = self.way_in(parameter.annotation, variable) {
                    let wrapped = Mark::Wrapped { from: PassedIn { way, parameter: index }, position };
                    let mark = self.solver.sets.single(Value::DependsOnCall(owner, wrapped), Basis::Annotated);
                    self.solver.add(questions::returns(owner, 0), mark);
                }
            }
        }
    }

    /// `Node(value)` of a class that only declares its fields: the fields' arguments determine its type arguments.
    pub(crate) fn applied_by_fields(&mut self, class: EntityId, arguments: &Arguments) -> SetId {
        let is_generic = self.solver.look.class_head(class).is_some_and(|place| place.head().is_generic);
        if !is_generic {
            return SetId::EMPTY;
        }
        let mut passed: SmallVec<[(u64, SetId); 4]> = arguments.keywords.iter().copied().collect();
        let fields = self.solver.look.fields_in_order(class);
        passed.extend(fields.into_iter().map(|field| field.name).zip(arguments.positional.iter().copied()));
        let mut applied = SetId::EMPTY;
        for (name, set) in passed {
            let held = self.solver.read(questions::attribute(class, name));
            if !self.solver.sets.holds(held, Kinds::CHOICES) {
                continue;
            }
            for at in self.solver.sets.range(held) {
                let Value::DependsOnCall(owner, Mark::ClassParameter(argument)) =
                    values::parts(self.solver.sets.at(at)).0
                else {
                    continue;
                };
                if owner == class {
                    let set = match argument.given {
                        Given::One => self.expand_parameters(set),
                        Given::Class => self.instances(set, Basis::Passed),
                        Given::List | Given::Dict => self.elements(set),
                    };
                    let mut items: SmallVec<[SetId; 4]> = smallvec::smallvec![SetId::EMPTY; POSITIONS];
                    items[usize::from(argument.position)] = set;
                    let to = self.solver.sets.applied_to(class, &items);
                    applied = self.solver.sets.union(applied, to);
                }
            }
        }
        applied
    }

    /// The mark of an attribute that is declared by a parameter of the class: `item: T`, `self.item: T = …`, and
    /// `self.item = item` where the parameter `item` is so declared.
    pub(crate) fn declared_by_parameter(&mut self, target: ExprId, annotation: ExprId, value: ExprId) -> SetId {
        let bodies = self.solver.bodies;
        let class = match bodies.kind(target) {
            Some(&ExprKind::Name { variable, .. }) => {
                let scope = bodies.variables.get(variable as usize).map(|info| info.scope);
                let in_class = |scope: &ScopeId| bodies.scopes[*scope as usize].kind == ScopeKind::Class;
                let Some(scope) = scope.filter(in_class) else { return SetId::EMPTY };
                bodies.classes.iter().find(|class| class.scope == scope)
            }
            Some(&ExprKind::Attribute { .. }) => {
                let function = bodies.functions.get(self.solver.function as usize);
                function.and_then(|function| bodies.classes.get(function.class as usize))
            }
            _ => None,
        };
        let Some(class) = class.filter(|class| bodies.is_generic(class)) else { return SetId::EMPTY };
        let annotation = match bodies.kind(value) {
            Some(&ExprKind::Name { variable, .. }) if annotation == NONE && variable != NONE => {
                let parameters =
                    bodies.functions.get(self.solver.function as usize).map(|function| &function.parameters);
                let mut parameters = parameters.into_iter().flatten();
                parameters.find(|parameter| parameter.variable == variable).map_or(NONE, |found| found.annotation)
            }
            _ => annotation,
        };
        self.argument_mark(class, annotation)
    }
}
