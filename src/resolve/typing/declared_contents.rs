//! What annotations say of the inside: what a declared container holds, what a declared callable or manager gives.
//!
//! Goes in: the parts of `list[tuple[str, Item]]`, `Callable[..., Item]`, `AbstractContextManager[Item]`. Comes out: a container
//! known by the class of its elements, or, where they are no instances, by the place of the annotation. What is called or
//! entered is such a container with a mark: it hands out what it holds.

use rustc_hash::FxHashMap;

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, Literal, NONE, Operator, ScopeKind, Stmt, VarId, Variable},
    },
    model::{Basis, EntityId},
    resolve::{
        containers::{constructors, is_plain},
        engine::{Solver, output::Place},
        library::{
            known::{self, Known},
            stdlib_names::builtin_named,
        },
        questions,
        values::{
            self, Kinds, SetId, Value,
            site::{Part, Site},
            slot::Slot,
        },
    },
};

impl<'a> Solver<'a> {
    /// A generator at a place that returns this at its end.
    pub(crate) fn declared_to_return(&mut self, returned: SetId, place: Place) -> SetId {
        let returned = self.only(returned, |value| !is_plain(value));
        let Value::Container(owner, site) = self.made(place, Part::Returned, false) else { return SetId::EMPTY };
        if returned == SetId::EMPTY {
            return returned;
        }
        self.add(questions::element(owner, site, Slot::Returned), returned);
        self.sets.single(Value::Container(owner, site), Basis::Annotated)
    }

    /// What `yield` gives in a function that is declared as a `Generator[Yielded, Sent, Returned]`.
    pub(crate) fn declared_to_be_sent(&mut self, returns: ExprId) -> SetId {
        let Some(&ExprKind::Subscript { base, index }) = self.bodies.kind(returns) else { return SetId::EMPTY };
        let items = self.items(index);
        let Some(&sent) = items.get(1) else { return SetId::EMPTY };
        if !matches!(self.bodies.last_name(base), Some("Generator" | "AsyncGenerator")) {
            return SetId::EMPTY;
        }
        self.quiet(|this| this.annotation(sent))
    }

    /// `list[…]` at a place, of whatever elements.
    pub(crate) fn declared_list(&mut self, elements: SetId, place: Place) -> SetId {
        self.declared_container(elements, SetId::EMPTY, place, false)
    }

    /// `dict[…, …]` at a place, of whatever keys and values.
    pub(crate) fn declared_dict(&mut self, keys: SetId, values: SetId, place: Place) -> SetId {
        let declared = self.declared_container(values, keys, place, true);
        let keyed = self.keyed_by(keys);
        self.sets.union(declared, keyed)
    }

    fn declared_container(&mut self, elements: SetId, keys: SetId, place: Place, is_dict: bool) -> SetId {
        let by_class = self.container_of(elements, is_dict);
        let others = self.only(elements, |value| !is_told_by_class(value));
        let other_keys = self.only(keys, |value| !is_told_by_class(value));
        if others == SetId::EMPTY && other_keys == SetId::EMPTY {
            return by_class;
        }
        let made = self.made(place, Part::Declared, is_dict);
        self.add_element(made, Slot::Any, others);
        self.add_keys(made, other_keys);
        let made = self.sets.single(made, Basis::Annotated);
        self.sets.union(by_class, made)
    }

    /// `Callable[…, Item]`, `ContextManager[Item]`: what gives an `Item` when it is called or entered. Empty where nothing is
    /// known of what it gives.
    pub(crate) fn declared_giver(&mut self, known: Known, items: &[ExprId], place: Place) -> SetId {
        let sets: Vec<SetId> = items.iter().map(|&item| self.annotation(item)).collect();
        let given = if known == Known::Callable { sets.last() } else { sets.first() };
        let given = self.only(given.copied().unwrap_or_default(), |value| !is_plain(value));
        if given == SetId::EMPTY {
            return given;
        }
        let giver = constructors::giver(self.made(place, Part::Declared, false), known == Known::Manager);
        self.add_element(giver, Slot::Any, given);
        self.sets.single(giver, Basis::Annotated)
    }

    /// What of a set can be what is declared: not the instances of classes that have nothing to do with the declared ones.
    pub(crate) fn as_declared(&mut self, set: SetId, annotation: ExprId) -> SetId {
        if annotation == NONE || !self.sets.holds(set, Kinds::INSTANCES) {
            return set;
        }
        let declared = self.quiet(|this| this.annotation(annotation));
        let is_instance = |&entry: &u64| matches!(values::parts(entry).0, Value::Instance(_));
        let entries = self.sets.entries(declared);
        // All that is declared is known.
        if Some(entries.len()) != self.classes_written(annotation) || !entries.iter().all(is_instance) {
            return set;
        }
        let mut kept = values::Entries::new();
        for at in self.sets.range(set) {
            let entry = self.sets.at(at);
            let fits = match values::parts(entry).0 {
                Value::Instance(class) => self.sets.range(declared).any(|wanted| self.can_be(class, wanted)),
                _ => true,
            };
            if fits {
                kept.push(entry);
            }
        }
        self.sets.of(kept)
    }

    /// Whether an instance of a class can be the one at a place of the sets: its class derives from that one's, or the other way
    /// round, or nobody knows all that it derives from.
    fn can_be(&mut self, class: EntityId, at: usize) -> bool {
        let Value::Instance(wanted) = values::parts(self.sets.at(at)).0 else { return true };
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        mro.is_open || mro.classes.contains(&wanted) || self.look.mro(wanted).classes.contains(&class)
    }

    /// How many classes an annotation names that is a class, or one of several, or none: `Item`, `Item | None`.
    fn classes_written(&self, annotation: ExprId) -> Option<usize> {
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

    /// `owner: Ref["User"]` in the body of a class, of a generic class from outside that nothing is known of: it may be a
    /// descriptor that gives what stands in the brackets.
    pub(crate) fn given_by_field(&mut self, target: ExprId, annotation: ExprId) -> SetId {
        let bodies = self.bodies;
        let (Some(&ExprKind::Name { variable, .. }), Some(&ExprKind::Subscript { base, index })) =
            (bodies.kind(target), bodies.kind(annotation))
        else {
            return SetId::EMPTY;
        };
        let is_field = |info: &Variable| bodies.scopes[info.scope as usize].kind == ScopeKind::Class;
        if !bodies.variables.get(variable as usize).is_some_and(is_field) || self.items(index).len() != 1 {
            return SetId::EMPTY;
        }
        let base = self.quiet(|this| this.head(base).0);
        let is_unknown = |&entry: &u64| match values::parts(entry).0 {
            Value::External(hash) => known::known(hash).is_none() && builtin_named(hash).is_none(),
            _ => false,
        };
        if base == SetId::EMPTY || !self.sets.entries(base).iter().all(is_unknown) {
            return SetId::EMPTY;
        }
        let given = self.quiet(|this| this.annotation(index));
        let given = self.only(given, |value| matches!(value, Value::Instance(_)));
        self.sets.weaken(given, Basis::Choice)
    }

    /// What a set has of what is declared to be called, is of no class: an instance beside it is one of several.
    pub(crate) fn has_declared_callable(&self, set: SetId) -> bool {
        let is_callable = |&entry: &u64| matches!(values::parts(entry).0, Value::Container(_, site) if constructors::is_reference(site));
        self.sets.entries(set).iter().any(is_callable)
    }

    /// `tests: dict[str, Callable[[Item], bool]] = {…}`: the functions that are assigned are passed what is declared.
    pub(crate) fn pass_declared(&mut self, annotation: ExprId, set: SetId) {
        let is_function = |value: Value| matches!(value, Value::Function(..));
        if !self.sets.holds(set, Kinds::FUNCTIONS.or(Kinds::CONTAINERS)) {
            return;
        }
        let Some(parameters) = self.callable_parameters(annotation) else { return };
        let inside = self.elements(set);
        let functions = self.sets.union(set, inside);
        let functions = self.only(functions, is_function);
        if functions == SetId::EMPTY {
            return;
        }
        for (index, &parameter) in (0..).zip(parameters) {
            let declared = self.quiet(|this| this.annotation(parameter));
            let passed = self.as_passed(declared);
            for at in self.sets.range(functions) {
                if let Value::Function(function, lambda) = values::parts(self.sets.at(at)).0 {
                    self.add(questions::parameter(function, lambda, index), passed);
                }
            }
        }
    }

    /// The types of the parameters in the first `Callable[[…], …]` of an annotation.
    fn callable_parameters(&mut self, annotation: ExprId) -> Option<&'a [ExprId]> {
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

    /// `limit: InitVar[Limit]` in the body of a class: `__post_init__` is passed it under that name.
    pub(crate) fn pass_to_post_init(&mut self, target: ExprId, annotation: ExprId, declared: SetId) {
        let bodies = self.bodies;
        let (Some(&ExprKind::Name { name, variable }), Some(&ExprKind::Subscript { base, .. })) =
            (bodies.kind(target), bodies.kind(annotation))
        else {
            return;
        };
        let Some(info) = bodies.variables.get(variable as usize) else { return };
        let scope = &bodies.scopes[info.scope as usize];
        if scope.kind != ScopeKind::Class {
            return;
        }
        let base = self.quiet(|this| this.head(base).0);
        let variable = const { known::dotted("dataclasses.InitVar") };
        if !self.sets.entries(base).iter().any(|&entry| values::parts(entry).0 == Value::External(variable)) {
            return;
        }
        let class = self.look.own.id(scope.entity);
        for target in self.look.own_member(class, "__post_init__") {
            let crate::resolve::names::Target::Entity(method) = target else { continue };
            let Some(signature) = self.look.signature(method, 0) else { continue };
            let names = &signature.info.interface.names;
            let parameters = &signature.signature().parameters;
            let hash = bodies.names.hash(name);
            if let Some(index) = parameters.iter().position(|parameter| names.hash(parameter.name) == hash) {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                self.add(questions::parameter(method, 0, index), declared);
            }
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

    /// `Items: TypeAlias = …`: what is assigned is a type, and may name what is defined further down.
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

    /// What lies in a container that is known by the class of its elements.
    pub(crate) fn declared_element(&mut self, class: EntityId, nesting: u8) -> SetId {
        if nesting > 1 {
            let inner = Site::Declared { nesting: nesting - 1, is_dict: false };
            return self.sets.single(Value::Container(class, inner), Basis::Annotated);
        }
        self.sets.single(Value::Instance(class), Basis::Annotated)
    }

    /// Elements of a declared iterator (`-> Iterator[Item]`).
    pub(crate) fn iterate_declared(&mut self, declared: SetId) -> SetId {
        self.elements(declared)
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

/// Whether a container of such values is known by their class alone.
fn is_told_by_class(value: Value) -> bool {
    match value {
        Value::Instance(_) => true,
        Value::Container(_, site) => matches!(site, Site::Declared { .. }),
        _ => is_plain(value),
    }
}

/// What the variables and parameters of a file are first declared as.
pub(crate) fn annotations(bodies: &Bodies) -> FxHashMap<VarId, ExprId> {
    let parameters = bodies.functions.iter().flat_map(|function| &function.parameters);
    let of_parameters = parameters.filter(|parameter| parameter.annotation != NONE);
    let of_parameters = of_parameters.map(|parameter| (parameter.variable, parameter.annotation));
    let of_statements = bodies.statements.iter().rev().filter_map(|statement| match *statement {
        Stmt::Annotated { target, annotation, .. } => match *bodies.kind(target)? {
            ExprKind::Name { variable, .. } if variable != NONE => Some((variable, annotation)),
            _ => None,
        },
        _ => None,
    });
    of_parameters.chain(of_statements).collect()
}
