//! Annotations: what a declared type says about values.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, Literal, NONE, Operator},
        hash_name,
    },
    model::{Basis, RelationshipKind},
    resolve::{
        engine::Solver,
        interpret::calls::Arguments,
        library::known::{self, Known},
        typing::overloads::is_concrete,
        values::{self, SetId, Value},
    },
};

impl Solver<'_> {
    /// Instances of the types that an annotation names; says what it mentions.
    pub(crate) fn annotation(&mut self, annotation: ExprId) -> SetId {
        if annotation == NONE || self.depth > 12 {
            return SetId::EMPTY;
        }
        self.depth += 1;
        let is_around = std::mem::replace(&mut self.is_annotation, true);
        let set = self.annotation_of_kind(annotation);
        self.is_annotation = is_around;
        self.depth -= 1;
        set
    }

    fn annotation_of_kind(&mut self, annotation: ExprId) -> SetId {
        let bodies = self.bodies;
        match &bodies.expressions[annotation as usize].kind {
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                let set = self.annotated_head(annotation);
                self.declared_instances(set)
            }
            ExprKind::Subscript { base, index } => {
                let base = self.annotated_head(*base);
                self.generic(base, *index)
            }
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                let (left, right) = (self.annotation(*left), self.annotation(*right));
                self.sets.union(left, right)
            }
            ExprKind::Sequence { items, .. } => {
                let mut set = SetId::EMPTY;
                for &item in bodies.list(*items) {
                    let member = self.annotation(item);
                    set = self.sets.union(set, member);
                }
                set
            }
            ExprKind::Starred(inner) => self.annotation(*inner),
            ExprKind::Literal(Literal::None) if self.is_in_overload() => {
                self.sets.single(Value::ExternalInstance(known::NONE_TYPE), Basis::Annotated)
            }
            // In a call: `cast("Item", value)`.
            ExprKind::Text(name) => {
                let classes = self.class_quoted(*name, annotation);
                self.instances(classes, Basis::Annotated)
            }
            ExprKind::Call { .. } => {
                self.eval(annotation);
                SetId::EMPTY
            }
            _ => SetId::EMPTY,
        }
    }

    fn annotated_head(&mut self, expression: ExprId) -> SetId {
        let (set, heads) = self.head(expression);
        self.mention_all(&heads, self.place_of(expression), Some(RelationshipKind::Annotates));
        self.say_metadata(&heads, expression);
        set
    }

    /// What a type variable stands for: its bound, or one of its constraints.
    pub(crate) fn type_variable(&mut self, hash: u64, arguments: &Arguments) -> SetId {
        let bodies = self.bodies;
        let bound = const { hash_name("bound") };
        let mut named = bodies.keywords(arguments.named()).iter();
        let bound = named.find(|&&(name, _)| name != NONE && bodies.names.hash(NameId(name)) == bound);
        let constraints = bodies.list(arguments.written()).iter().skip(1).copied();
        let mut set = self.sets.single(Value::ExternalInstance(hash), Basis::Returned);
        for written in constraints.chain(bound.map(|&(_, value)| value)) {
            let declared = match bodies.text(written) {
                Some(name) => {
                    let targets = self.look.member(self.look.own.file, name);
                    let classes = self.target_values(&targets, Basis::Annotated);
                    self.instances(classes, Basis::Annotated)
                }
                None => self.quiet(|this| this.annotation(written)),
            };
            set = self.sets.union(set, declared);
        }
        set
    }

    /// Whether what `NewType` makes is in a set.
    pub(crate) fn has_new_type(&self, set: SetId) -> bool {
        const MADE: Value = Value::External(known::dotted("typing.NewType.__call__"));
        self.sets.entries(set).iter().any(|&entry| values::parts(entry).0 == MADE)
    }

    pub(crate) fn is_type_variable(&mut self, annotation: ExprId) -> bool {
        if !matches!(self.bodies.kind(annotation), Some(ExprKind::Name { .. })) {
            return false;
        }
        let set = self.quiet(|this| this.head(annotation).0);
        self.sets.entries(set).iter().any(|&entry| match values::parts(entry).0 {
            Value::ExternalInstance(hash) => known::known(hash) == Some(Known::TypeVar),
            _ => false,
        })
    }

    /// Values of a declared type.
    fn declared_instances(&mut self, types: SetId) -> SetId {
        let mut result = SetId::EMPTY;
        for at in self.sets.range(types) {
            let entry = self.sets.at(at);
            let (value, _) = values::parts(entry);
            let set = match value {
                Value::Class(class) => self.sets.single(Value::Instance(class), Basis::Annotated),
                Value::External(hash) => match known::known(hash) {
                    Some(Known::SelfType) => self.self_type(),
                    Some(_) if is_concrete(hash) => self.sets.single(Value::ExternalInstance(hash), Basis::Annotated),
                    Some(_) => SetId::EMPTY,
                    None if hash == known::builtin(const { hash_name("object") }) => SetId::EMPTY,
                    None if is_vague(hash) => SetId::EMPTY,
                    None => self.sets.single(Value::ExternalInstance(hash), Basis::Annotated),
                },
                // An alias that was declared as a container or an instance.
                Value::Container(..) | Value::Instance(_) | Value::Applied(..) => {
                    self.sets.single(value, Basis::Annotated)
                }
                _ => SetId::EMPTY,
            };
            result = self.sets.union(result, set);
        }
        result
    }

    /// `Self`: whatever the method is called on; of `__new__`, which is given a class as class methods are, an object of that.
    fn self_type(&mut self) -> SetId {
        if self.function == NONE {
            return SetId::EMPTY;
        }
        let function = &self.bodies.functions[self.function as usize];
        let owner = self.look.own.id(function.entity);
        let is_new = self.bodies.records[function.entity as usize].name == "__new__";
        if is_new || self.look.flags(owner).has(crate::model::EntityFlags::CLASS_METHOD) {
            return self.sets.single(Value::InstanceOfParameter(owner, function.lambda, 0), Basis::Annotated);
        }
        self.sets.single(Value::Parameter(owner, function.lambda, 0), Basis::Annotated)
    }

    fn generic(&mut self, base: SetId, index: ExprId) -> SetId {
        let mut result = SetId::EMPTY;
        let mut is_read = false;
        for at in self.sets.range(base) {
            let entry = self.sets.at(at);
            let (value, _) = values::parts(entry);
            let set = match value {
                Value::Class(class) => {
                    is_read = true;
                    let items: Vec<SetId> = self.items(index).into_iter().map(|item| self.annotation(item)).collect();
                    let applied = self.applied_to(class, &items);
                    let object = self.sets.single(Value::Instance(class), Basis::Annotated);
                    self.sets.union(object, applied)
                }
                Value::External(hash) => {
                    is_read = true;
                    self.generic_external(hash, index)
                }
                _ => SetId::EMPTY,
            };
            result = self.sets.union(result, set);
        }
        if !is_read {
            self.annotation(index);
        }
        result
    }

    fn generic_external(&mut self, hash: u64, index: ExprId) -> SetId {
        let builtin = |name: &str| known::builtin(hash_name(name)) == hash;
        let last = self.last_item(index);
        match known::known(hash) {
            Some(Known::Optional | Known::Union) => self.annotation(index),
            Some(Known::Annotated | Known::Coroutine) => {
                let items = self.items(index);
                let chosen = if known::known(hash) == Some(Known::Coroutine) { items.last() } else { items.first() };
                let set = chosen.map_or(SetId::EMPTY, |&item| self.annotation(item));
                for &item in items.iter().filter(|&item| Some(item) != chosen) {
                    self.eval(item);
                    self.call_declared(item, set);
                }
                set
            }
            Some(Known::LiteralOf) => self.literals_of(index),
            Some(Known::Guard) => {
                self.annotation(index);
                self.builtin_instance("bool")
            }
            Some(Known::TypeOf | Known::Type) => {
                let instances = self.annotation(index);
                let entries: values::Entries = self
                    .sets
                    .entries(instances)
                    .iter()
                    .filter_map(|&entry| match values::parts(entry) {
                        (Value::Instance(class), basis) => Some(values::entry(Value::Class(class), basis)),
                        _ => None,
                    })
                    .collect();
                self.sets.of(entries)
            }
            Some(Known::MappingOf) => self.mapping_of(index, last),
            Some(known @ (Known::Callable | Known::Manager)) => {
                let items = self.items(index);
                let given = self.declared_giver(known, &items, self.place_of(index));
                let marker = self.sets.single(Value::ExternalInstance(hash), Basis::Annotated);
                self.sets.union(given, marker)
            }
            Some(Known::GeneratorOf) => self.generator_of(index),
            Some(Known::SequenceOf) if hash == const { known::dotted("typing.Tuple") } => self.tuple_of(index),
            Some(Known::SequenceOf) => self.sequence_of(index),
            _ if builtin("dict") => self.mapping_of(index, last),
            _ if builtin("tuple") => self.tuple_of(index),
            _ if ["list", "set", "frozenset"].into_iter().any(builtin) => self.sequence_of(index),
            Some(Known::Collect | Known::Holder) => self.sequence_of(index),
            Some(Known::TaskOf) => {
                let awaited = self.annotation(index);
                let task = self.declared_list(awaited, self.place_of(index));
                self.sets.union(awaited, task)
            }
            // `weakref.ref[Item]`
            Some(Known::Reference) => {
                let items = self.items(index);
                self.declared_giver(Known::Callable, &items, self.place_of(index))
            }
            _ => {
                self.annotation(index);
                self.sets.single(Value::ExternalInstance(hash), Basis::Annotated)
            }
        }
    }

    /// What a function that is annotated `-> TypeGuard[C]` says of its argument.
    pub(crate) fn guarded(&mut self, returns: ExprId) -> SetId {
        match self.bodies.kind(returns) {
            Some(&ExprKind::Subscript { index, .. }) => self.quiet(|this| this.annotation(index)),
            _ => SetId::EMPTY,
        }
    }

    fn sequence_of(&mut self, index: ExprId) -> SetId {
        let elements = self.annotation(index);
        let set = self.declared_list(elements, self.place_of(index));
        let marker = self.builtin_instance("list");
        self.sets.union(set, marker)
    }

    /// `Generator[Yielded, Sent, Returned]`: only the first is gone through; the last is what `yield from` gives.
    fn generator_of(&mut self, index: ExprId) -> SetId {
        let items = self.items(index);
        let sets: Vec<SetId> = items.iter().map(|&item| self.annotation(item)).collect();
        let yielded = sets.first().copied().unwrap_or_default();
        let set = self.declared_list(yielded, self.place_of(index));
        let returned = self.declared_to_return(sets.get(2).copied().unwrap_or_default(), self.place_of(index));
        let set = self.sets.union(set, returned);
        let marker = self.builtin_instance("list");
        self.sets.union(set, marker)
    }

    fn tuple_of(&mut self, index: ExprId) -> SetId {
        let items = self.items(index);
        match self.declared_tuple(&items, self.place_of(index)) {
            Some(tuple) => tuple,
            None => self.sequence_of(index),
        }
    }

    fn mapping_of(&mut self, index: ExprId, last: ExprId) -> SetId {
        let mut keys = SetId::EMPTY;
        for item in self.items(index) {
            if item != last {
                keys = self.annotation(item);
            }
        }
        let values = self.annotation(last);
        let set = self.declared_dict(keys, values, self.place_of(index));
        let marker = self.builtin_instance("dict");
        self.sets.union(set, marker)
    }

    /// `Dict[str, A]` as a value: an alias of such containers.
    fn container_types(&mut self, base: SetId, index: ExprId) -> SetId {
        let is_container = |hash: u64| {
            let known = known::known(hash);
            matches!(
                known,
                Some(
                    Known::MappingOf
                        | Known::SequenceOf
                        | Known::Collect
                        | Known::Callable
                        | Known::Manager
                        | Known::GeneratorOf
                )
            )
        };
        let base = self.only(base, |value| matches!(value, Value::External(hash) if is_container(hash)));
        if base == SetId::EMPTY {
            return SetId::EMPTY;
        }
        let declared = self.quiet(|this| this.generic(base, index));
        self.only(declared, |value| matches!(value, Value::Container(..)))
    }

    /// `Optional[A]`, `Union[A, B]` as values: the classes.
    pub(crate) fn joined_types(&mut self, base: SetId, index: ExprId) -> SetId {
        let is_join = self.sets.entries(base).iter().any(|&entry| match values::parts(entry).0 {
            Value::External(hash) => {
                matches!(known::known(hash), Some(Known::Optional | Known::Union | Known::Annotated | Known::TypeOf))
            }
            _ => false,
        });
        if !is_join {
            return self.container_types(base, index);
        }
        let mut set = self.quiet(|this| {
            let mut set = SetId::EMPTY;
            for item in this.items(index) {
                let values = this.eval(item);
                set = this.sets.union(set, values);
            }
            this.only(set, |value| matches!(value, Value::Class(_)))
        });
        for item in self.items(index) {
            if let Some(&ExprKind::Text(name)) = self.bodies.kind(item) {
                let classes = self.class_quoted(name, item);
                set = self.sets.union(set, classes);
            }
        }
        set
    }

    /// The class that a text names in a type which is no annotation: `Union["Item", str]`, `cast("Item", value)`.
    fn class_quoted(&mut self, name: NameId, written: ExprId) -> SetId {
        let text = self.bodies.names.text(name);
        let targets = match text.split_once('.') {
            Some(_) => self.named_from_here(text),
            None => self.look.member(self.look.own.file, text),
        };
        let (line, column) = self.place_of(written);
        for &target in &targets {
            self.mention(target, Basis::Scope, (line, column + 1), Some(RelationshipKind::Annotates));
        }
        self.target_values(&targets, Basis::Annotated)
    }
}

/// Types that say nothing about the value.
fn is_vague(hash: u64) -> bool {
    const VAGUE: [u64; 6] = [
        known::dotted("typing.Any"),
        known::dotted("typing.Callable"),
        known::dotted("collections.abc.Callable"),
        known::dotted("typing.Hashable"),
        known::dotted("typing_extensions.Any"),
        known::dotted("types.FunctionType"),
    ];
    VAGUE.contains(&hash)
}
