//! Annotations: from declared types to points-to sets.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, Literal, NONE, Operator},
        hash_name,
    },
    model::{Basis, RelationshipKind},
    resolve::{
        frameworks::tables::behavior_of,
        interpret::{Interpreter, calls::arguments::Arguments},
        library::known::{self, Known},
        values::{self, SetId, Value},
    },
};

impl Interpreter<'_> {
    /// Instances of the types that an annotation names; emits its references.
    pub(crate) fn annotation(&mut self, annotation: ExprId) -> SetId {
        // Aliases may refer to themselves.
        if annotation == NONE || self.depth > 12 {
            return SetId::EMPTY;
        }
        self.depth += 1;
        let is_around = std::mem::replace(&mut self.solver.is_annotation, true);
        let set = self.annotation_of_kind(annotation);
        self.solver.is_annotation = is_around;
        self.depth -= 1;
        set
    }

    fn annotation_of_kind(&mut self, annotation: ExprId) -> SetId {
        let bodies = self.solver.bodies;
        match &bodies.expressions[annotation as usize].kind {
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                let set = self.annotated_head(annotation);
                self.solver.declared_instances(set)
            }
            ExprKind::Subscript { base, index } => {
                let base = self.annotated_head(*base);
                self.generic(base, *index)
            }
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                let (left, right) = (self.annotation(*left), self.annotation(*right));
                self.solver.sets.union(left, right)
            }
            ExprKind::Sequence { items, .. } => {
                let mut set = SetId::EMPTY;
                for &item in bodies.list(*items) {
                    let member = self.annotation(item);
                    set = self.solver.sets.union(set, member);
                }
                set
            }
            ExprKind::Starred(inner) => self.annotation(*inner),
            // Overloads are told apart by `None`; elsewhere it leads nowhere.
            ExprKind::Literal(Literal::None) if self.solver.is_in_overload() => {
                self.solver.sets.single(Value::ExternalInstance(known::NONE_TYPE), Basis::Annotated)
            }
            // In a call: `cast("Item", value)`.
            ExprKind::Text(name) => {
                let classes = self.solver.class_quoted(*name, annotation);
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
        let (set, referents) = self.head(expression);
        self.solver.emit_references(
            &referents,
            self.solver.bodies.place_of(expression),
            Some(RelationshipKind::Annotates),
        );
        self.emit_metadata(&referents, expression);
        set
    }

    /// The bound of a type variable, or one of its constraints.
    pub(crate) fn type_variable(&mut self, hash: u64, arguments: &Arguments) -> SetId {
        let bodies = self.solver.bodies;
        let bound = const { hash_name("bound") };
        let mut named = bodies.keywords(arguments.named()).iter();
        let bound = named.find(|&&(name, _)| name != NONE && bodies.names.hash(NameId(name)) == bound);
        let constraints = bodies.list(arguments.written()).iter().skip(1).copied();
        let mut set = self.solver.sets.single(Value::ExternalInstance(hash), Basis::Returned);
        for written in constraints.chain(bound.map(|&(_, value)| value)) {
            let declared = match bodies.text(written) {
                Some(name) => {
                    let targets = self.solver.look.member(self.solver.look.own.file, name);
                    let classes = self.solver.target_values(&targets, Basis::Annotated);
                    self.instances(classes, Basis::Annotated)
                }
                // The call has emitted the references of its arguments already.
                None => self.quiet(|this| this.annotation(written)),
            };
            set = self.solver.sets.union(set, declared);
        }
        set
    }

    pub(crate) fn is_type_variable(&mut self, annotation: ExprId) -> bool {
        if !matches!(self.solver.bodies.kind(annotation), Some(ExprKind::Name { .. })) {
            return false;
        }
        let set = self.quiet(|this| this.head(annotation).0);
        self.solver.sets.entries(set).iter().any(|&entry| match values::parts(entry).0 {
            Value::ExternalInstance(hash) => behavior_of(hash) == Some(Known::TypeVar),
            _ => false,
        })
    }

    fn generic(&mut self, base: SetId, index: ExprId) -> SetId {
        let mut result = SetId::EMPTY;
        let mut is_read = false;
        for at in self.solver.sets.range(base) {
            let entry = self.solver.sets.at(at);
            let (value, _) = values::parts(entry);
            let set = match value {
                Value::Class(class) => {
                    is_read = true;
                    let items: Vec<SetId> =
                        self.solver.items(index).into_iter().map(|item| self.annotation(item)).collect();
                    let applied = self.solver.sets.applied_to(class, &items);
                    let object = self.solver.sets.single(Value::Instance(class), Basis::Annotated);
                    self.solver.sets.union(object, applied)
                }
                Value::External(hash) => {
                    is_read = true;
                    self.generic_external(hash, index)
                }
                _ => SetId::EMPTY,
            };
            result = self.solver.sets.union(result, set);
        }
        if !is_read {
            self.annotation(index);
        }
        result
    }

    fn generic_external(&mut self, hash: u64, index: ExprId) -> SetId {
        let builtin = |name: &str| known::builtin(hash_name(name)) == hash;
        let last = self.solver.last_item(index);
        match behavior_of(hash) {
            Some(Known::Optional | Known::Union) => self.annotation(index),
            Some(Known::Annotated | Known::Coroutine) => {
                let items = self.solver.items(index);
                let chosen = if behavior_of(hash) == Some(Known::Coroutine) { items.last() } else { items.first() };
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
                self.solver.sets.builtin_instance("bool")
            }
            Some(Known::TypeOf | Known::Type) => {
                let instances = self.annotation(index);
                let entries: values::Entries = self
                    .solver
                    .sets
                    .entries(instances)
                    .iter()
                    .filter_map(|&entry| match values::parts(entry) {
                        (Value::Instance(class), basis) => Some(values::entry(Value::Class(class), basis)),
                        _ => None,
                    })
                    .collect();
                self.solver.sets.of(entries)
            }
            Some(Known::MappingOf) => self.mapping_of(index, last),
            Some(known @ (Known::Callable | Known::Manager)) => {
                let items = self.solver.items(index);
                let given = self.declared_giver(known, &items, self.solver.bodies.place_of(index));
                let marker = self.solver.sets.single(Value::ExternalInstance(hash), Basis::Annotated);
                self.solver.sets.union(given, marker)
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
                let task = self.solver.declared_list(awaited, self.solver.bodies.place_of(index));
                self.solver.sets.union(awaited, task)
            }
            // `weakref.ref[Item]`
            Some(Known::Reference) => {
                let items = self.solver.items(index);
                self.declared_giver(Known::Callable, &items, self.solver.bodies.place_of(index))
            }
            _ => {
                self.annotation(index);
                self.solver.sets.single(Value::ExternalInstance(hash), Basis::Annotated)
            }
        }
    }

    /// The narrowing that a function annotated `-> TypeGuard[C]` makes of its argument.
    pub(crate) fn guarded(&mut self, returns: ExprId) -> SetId {
        match self.solver.bodies.kind(returns) {
            Some(&ExprKind::Subscript { index, .. }) => self.quiet(|this| this.annotation(index)),
            _ => SetId::EMPTY,
        }
    }

    fn sequence_of(&mut self, index: ExprId) -> SetId {
        let elements = self.annotation(index);
        let set = self.solver.declared_list(elements, self.solver.bodies.place_of(index));
        let marker = self.solver.sets.builtin_instance("list");
        self.solver.sets.union(set, marker)
    }

    /// `Generator[Yielded, Sent, Returned]`: iteration yields the first alone.
    fn generator_of(&mut self, index: ExprId) -> SetId {
        let items = self.solver.items(index);
        let sets: Vec<SetId> = items.iter().map(|&item| self.annotation(item)).collect();
        let yielded = sets.first().copied().unwrap_or_default();
        let set = self.solver.declared_list(yielded, self.solver.bodies.place_of(index));
        let marker = self.solver.sets.builtin_instance("list");
        self.solver.sets.union(set, marker)
    }

    fn tuple_of(&mut self, index: ExprId) -> SetId {
        let items = self.solver.items(index);
        match self.declared_tuple(&items, self.solver.bodies.place_of(index)) {
            Some(tuple) => tuple,
            None => self.sequence_of(index),
        }
    }

    fn mapping_of(&mut self, index: ExprId, last: ExprId) -> SetId {
        let mut keys = SetId::EMPTY;
        for item in self.solver.items(index) {
            if item != last {
                keys = self.annotation(item);
            }
        }
        let values = self.annotation(last);
        let set = self.solver.declared_dict(keys, values, self.solver.bodies.place_of(index));
        let marker = self.solver.sets.builtin_instance("dict");
        self.solver.sets.union(set, marker)
    }

    /// `Dict[str, A]` as a value: an alias of such containers.
    fn container_types(&mut self, base: SetId, index: ExprId) -> SetId {
        let is_container = |hash: u64| {
            let known = behavior_of(hash);
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
        let base = self.solver.sets.only(base, |value| matches!(value, Value::External(hash) if is_container(hash)));
        if base == SetId::EMPTY {
            return SetId::EMPTY;
        }
        let declared = self.quiet(|this| this.generic(base, index));
        self.solver.sets.only(declared, |value| matches!(value, Value::Container(..)))
    }

    /// `Optional[A]`, `Union[A, B]` as values: the classes.
    pub(crate) fn joined_types(&mut self, base: SetId, index: ExprId) -> SetId {
        let is_join = self.solver.sets.entries(base).iter().any(|&entry| match values::parts(entry).0 {
            Value::External(hash) => {
                matches!(behavior_of(hash), Some(Known::Optional | Known::Union | Known::Annotated | Known::TypeOf))
            }
            _ => false,
        });
        if !is_join {
            return self.container_types(base, index);
        }
        let mut set = self.quiet(|this| {
            let mut set = SetId::EMPTY;
            for item in this.solver.items(index) {
                let values = this.eval(item);
                set = this.solver.sets.union(set, values);
            }
            this.solver.sets.only(set, |value| matches!(value, Value::Class(_)))
        });
        for item in self.solver.items(index) {
            if let Some(&ExprKind::Text(name)) = self.solver.bodies.kind(item) {
                let classes = self.solver.class_quoted(name, item);
                set = self.solver.sets.union(set, classes);
            }
        }
        set
    }
}
