//! Declared contents: the elements of a declared container, the result of a declared callable or manager.
//!
//! `list[tuple[str, Item]]`, `Callable[..., Item]` and `AbstractContextManager[Item]` become containers. Such a
//! container is known by the class of its elements or, if they are no instances, by the place of the annotation. A
//! callable or manager is a container with [`Site::Giver`] that gives its contents.

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, Literal, NONE, Operator, ScopeKind},
        hash_name,
    },
    model::{Basis, EntityId, Position, RelationshipKind},
    resolve::{
        containers::{self, is_plain},
        frameworks::tables::behavior_of,
        library::known::{self, Known},
        solver::Solver,
        typing::literal_arguments::is_concrete,
        values::{
            self, SetId, Sets, Value, questions,
            site::{Site, SitePart},
            slot::Slot,
        },
    },
};

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

/// Whether a container of such values is known by their class alone.
fn is_known_by_class(value: Value) -> bool {
    match value {
        Value::Instance(_) => true,
        Value::Container(_, site) => matches!(site, Site::Declared { .. }),
        _ => is_plain(value),
    }
}

impl Solver<'_> {
    /// Where callers pass too many containers for a parameter to tell them apart, one stands for all. The annotation
    /// of the parameter promises that they hold elements of one kind: without, the elements tell little.
    pub(crate) fn merge_containers_passed(&mut self, function: EntityId, index: u32, annotation: ExprId) {
        if annotation == NONE || self.bodies.is_plain_type(annotation) {
            return;
        }
        let key = questions::parameter(function, 0, index);
        let passed = self.read(key);
        if self.sets.has_too_many_containers(passed) {
            let together = self.sets.single(Value::Container(function, Site::Passed { index }), Basis::Passed);
            self.add(key, together);
        }
    }

    /// Values of a declared type.
    pub(crate) fn declared_instances(&mut self, types: SetId) -> SetId {
        let mut result = SetId::EMPTY;
        for at in self.sets.range(types) {
            let entry = self.sets.at(at);
            let (value, _) = values::parts(entry);
            let set = match value {
                Value::Class(class) => self.sets.single(Value::Instance(class), Basis::Annotated),
                Value::External(hash) => match behavior_of(hash) {
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

    /// `Self`: the receiver of the method. In `__new__` and class methods, which receive a class, it is an instance of
    /// it.
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

    /// The class that a text names in a type which is no annotation: `Union["Item", str]`, `cast("Item", value)`.
    pub(crate) fn class_quoted(&mut self, name: NameId, written: ExprId) -> SetId {
        let text = self.bodies.names.text(name);
        let targets = match text.split_once('.') {
            Some(_) => self.look.named_from_here(text),
            None => self.look.member(self.look.own.file, text),
        };
        let (line, column) = self.bodies.place_of(written);
        for &target in &targets {
            self.emit_reference(target, Basis::Scope, (line, column + 1), Some(RelationshipKind::Annotates));
        }
        self.target_values(&targets, Basis::Annotated)
    }
}

impl<'a> Solver<'a> {
    /// `list[…]` at a place, of whatever elements.
    pub(crate) fn declared_list(&mut self, elements: SetId, place: Position) -> SetId {
        self.declared_container(elements, SetId::EMPTY, place, false)
    }

    /// `dict[…, …]` at a place, of whatever keys and values.
    pub(crate) fn declared_dict(&mut self, keys: SetId, values: SetId, place: Position) -> SetId {
        let declared = self.declared_container(values, keys, place, true);
        let keyed = self.sets.keyed_by(keys);
        self.sets.union(declared, keyed)
    }

    fn declared_container(&mut self, elements: SetId, keys: SetId, place: Position, is_dict: bool) -> SetId {
        let by_class = self.container_of(elements, is_dict);
        let others = self.sets.only(elements, |value| !is_known_by_class(value));
        let other_keys = self.sets.only(keys, |value| !is_known_by_class(value));
        if others == SetId::EMPTY && other_keys == SetId::EMPTY {
            return by_class;
        }
        let made = self.made(place, SitePart::Declared, is_dict);
        self.add_element(made, Slot::Any, others);
        self.add_keys(made, other_keys);
        let made = self.sets.single(made, Basis::Annotated);
        self.sets.union(by_class, made)
    }

    /// Whether an instance of a class can be the declared one at a place of the sets: one class derives from the other,
    /// or the bases of the class are not all known.
    pub(crate) fn can_be(&mut self, class: EntityId, at: usize) -> bool {
        let Value::Instance(wanted) = values::parts(self.sets.at(at)).0 else { return true };
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        mro.is_open || mro.classes.contains(&wanted) || self.look.mro(wanted).classes.contains(&class)
    }

    /// How many classes an annotation names that is a class, or one of several, or none: `Item`, `Item | None`.
    pub(crate) fn classes_written(&self, annotation: ExprId) -> Option<usize> {
        match *self.bodies.kind(annotation)? {
            ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Text(_) => Some(1),
            ExprKind::Literal(Literal::None) => Some(0),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                Some(self.classes_written(left)? + self.classes_written(right)?)
            }
            ExprKind::Subscript { base, index } if self.bodies.last_name(base) == Some("Optional") => {
                self.classes_written(index)
            }
            _ => None,
        }
    }

    /// Whether a set holds a declared callable. Its class is unknown, so an instance beside it is one of several.
    pub(crate) fn has_declared_callable(&self, set: SetId) -> bool {
        let is_callable = |&entry: &u64| matches!(values::parts(entry).0, Value::Container(_, site) if containers::is_reference(site));
        self.sets.entries(set).iter().any(is_callable)
    }

    /// The types of the parameters in the first `Callable[[…], …]` of an annotation.
    pub(crate) fn callable_parameters(&mut self, annotation: ExprId) -> Option<&'a [ExprId]> {
        let bodies = self.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Subscript { base, index } if bodies.last_name(base) == Some("Callable") => {
                let &first = self.items(index).first()?;
                match *bodies.kind(first)? {
                    ExprKind::Sequence { items, .. } => Some(bodies.list(items)),
                    _ => None,
                }
            }
            ExprKind::Subscript { index, .. } => {
                let items = self.items(index);
                items.iter().find_map(|&item| self.callable_parameters(item))
            }
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.callable_parameters(left).or_else(|| self.callable_parameters(right))
            }
            _ => None,
        }
    }

    /// `area = lambda self: …` in the body of a class is a method: it is passed an object of the class.
    pub(crate) fn pass_own_class(&mut self, target: ExprId, value: ExprId) {
        let bodies = self.bodies;
        let (Some(&ExprKind::Lambda { function }), Some(&ExprKind::Name { variable, .. })) =
            (bodies.kind(value), bodies.kind(target))
        else {
            return;
        };
        let Some(info) = bodies.variables.get(variable as usize) else { return };
        let scope = &bodies.scopes[info.scope as usize];
        let function = &bodies.functions[function as usize];
        if scope.kind == ScopeKind::Class && !function.parameters.is_empty() {
            let class = self.look.own.id(scope.entity);
            let owner = self.look.own.id(function.entity);
            let receiver = self.sets.single(Value::Instance(class), Basis::SelfMember);
            self.add(questions::parameter(owner, function.lambda, 0), receiver);
        }
    }

    /// `Items: TypeAlias = …`: the assigned value is a type, and may name a later definition.
    pub(crate) fn is_alias(&self, annotation: ExprId) -> bool {
        self.bodies.last_name(annotation) == Some("TypeAlias")
    }

    /// Containers whose elements are the instances in a set.
    pub(crate) fn container_of(&mut self, elements: SetId, is_dict: bool) -> SetId {
        let mut entries = values::Entries::new();
        for &entry in self.sets.entries(elements) {
            let (value, basis) = values::parts(entry);
            let container = match value {
                Value::Instance(class) => Value::Container(class, Site::Declared { nesting: 1, is_dict }),
                Value::Container(class, Site::Declared { nesting, .. }) => {
                    Value::Container(class, Site::Declared { nesting: (nesting + 1) & Site::NESTING, is_dict })
                }
                _ => continue,
            };
            entries.push(values::entry(container, basis));
        }
        self.sets.of(entries)
    }

    /// The contents of a container that is known by the class of its elements.
    pub(crate) fn declared_element(&mut self, class: EntityId, nesting: u8) -> SetId {
        if nesting > 1 {
            let inner = Site::Declared { nesting: nesting - 1, is_dict: false };
            return self.sets.single(Value::Container(class, inner), Basis::Annotated);
        }
        self.sets.single(Value::Instance(class), Basis::Annotated)
    }

    /// The items of an index: `A, B` in `Pair[A, B]`.
    pub(crate) fn items(&self, index: ExprId) -> Vec<ExprId> {
        match self.bodies.kind(index) {
            Some(ExprKind::Sequence { items, .. }) => self.bodies.list(*items).to_vec(),
            Some(_) => vec![index],
            None => Vec::new(),
        }
    }

    pub(crate) fn last_item(&self, index: ExprId) -> ExprId {
        self.items(index).last().copied().unwrap_or(NONE)
    }
}

impl Sets {
    /// Whether a set holds the result of `NewType`.
    pub(crate) fn has_new_type(&self, set: SetId) -> bool {
        const MADE: Value = Value::External(known::dotted("typing.NewType.__call__"));
        self.entries(set).iter().any(|&entry| values::parts(entry).0 == MADE)
    }
}

impl Bodies {
    /// Whether an annotation names texts, numbers and containers of these alone: `Sequence[str | int]`.
    fn is_plain_type(&self, annotation: ExprId) -> bool {
        match self.kind(annotation) {
            Some(&ExprKind::Name { name, variable: NONE }) => is_concrete(known::builtin(self.names.hash(name))),
            Some(&ExprKind::Subscript { index, .. }) => self.is_plain_type(index),
            Some(&ExprKind::Binary { left, right, .. }) => self.is_plain_type(left) && self.is_plain_type(right),
            Some(&ExprKind::Sequence { items, .. }) => self.list(items).iter().all(|&item| self.is_plain_type(item)),
            Some(ExprKind::Literal(_)) => true,
            _ => false,
        }
    }
}
