//! Type parameters of classes: what is declared by one, as a mark.
//!
//! Goes in: methods and attributes that are declared as `T`, `Optional[T]`, `list[T]` or `Box[T]`, and an `__init__` that takes the
//! parameter. Comes out: marks among what they give, which `type_arguments` replaces where it is known of what object they are
//! asked. Also binds type parameters to their bounds.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{
            ClassBody, ExprId, ExprKind, FunctionBody, Literal, NONE, Operator, ScopeId, ScopeKind, TypeParameter,
        },
        hash_name,
    },
    model::{Basis, EntityId},
    resolve::{
        engine::Solver,
        interpret::calls::Arguments,
        library::known::{self, Known},
        questions,
        values::{
            self, Kinds, SetId, Value,
            mark::{Argument, Given, Mark, PassedIn},
        },
    },
};

/// Number of type parameters of a class that are told apart.
pub(crate) const POSITIONS: usize = 4;

impl Solver<'_> {
    /// `[T: Item]`: binds each parameter to a type variable with its bound, or its constraints.
    pub(crate) fn bind_type_parameters(&mut self, parameters: &[TypeParameter]) {
        for &TypeParameter { variable, bound } in parameters {
            let made = Value::ExternalInstance(const { known::dotted("typing.TypeVar") });
            let made = self.sets.single(made, Basis::Returned);
            let bound = self.annotation(bound);
            let set = self.sets.union(made, bound);
            self.assign_variable(variable, set);
        }
    }

    /// The type variable in a type, and how it stands there.
    pub(crate) fn variable_given(&mut self, annotation: ExprId) -> Option<(NameId, Given)> {
        let bodies = self.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Name { name, .. } => self.is_type_variable(annotation).then_some((name, Given::One)),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.variable_given(left).or_else(|| self.variable_given(right))
            }
            ExprKind::Subscript { base, index } => {
                let items = self.items(index);
                let (&first, &last) = (items.first()?, items.last()?);
                let base = self.quiet(|this| this.head(base).0);
                let mut heads = self.sets.entries(base).iter().filter_map(|&entry| match values::parts(entry).0 {
                    Value::External(hash) => Some(hash),
                    _ => None,
                });
                let head = heads.next()?;
                let builtin = |name: &str| known::builtin(hash_name(name)) == head;
                let (items, outer) = match known::known(head) {
                    Some(Known::Optional | Known::Union) => (items.as_slice(), Given::One),
                    Some(Known::Annotated) => (&[first][..], Given::One),
                    Some(Known::Coroutine) => (&[last][..], Given::One),
                    Some(Known::TypeOf | Known::Type) => (&[first][..], Given::Class),
                    Some(Known::MappingOf) => (&[last][..], Given::Dict),
                    Some(Known::Callable | Known::Manager) => return None,
                    _ if builtin("dict") => (&[last][..], Given::Dict),
                    _ if items.len() == 2 && !self.is_ellipsis(last) && !self.is_generator_type(head) => return None,
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

    fn is_ellipsis(&self, expression: ExprId) -> bool {
        matches!(self.bodies.kind(expression), Some(ExprKind::Literal(Literal::Ellipsis)))
    }

    fn is_generator_type(&self, hash: u64) -> bool {
        known::known(hash) == Some(Known::GeneratorOf)
    }

    /// The names of a class's type parameters: its own (PEP 695), those of `Generic[…]` or `Protocol[…]`, else in the order in
    /// which the bases name them.
    fn type_parameters_of(&mut self, class: &ClassBody) -> SmallVec<[NameId; 4]> {
        let bodies = self.bodies;
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
        for item in self.items(written) {
            match self.bodies.kind(item) {
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
        if annotation == NONE || !self.bodies.is_generic(class) {
            return SetId::EMPTY;
        }
        let Some((variable, given)) = self.variable_given(annotation) else { return SetId::EMPTY };
        let owner = self.look.own.id(class.entity);
        match self.type_parameters_of(class).iter().position(|&name| name == variable) {
            Some(position) if position < POSITIONS => {
                let is_whole = self.is_whole(annotation);
                let mark = Argument { position: u8::try_from(position).unwrap_or(0), given, is_whole };
                self.sets.single(Value::DependsOnCall(owner, Mark::Argument(mark)), Basis::Annotated)
            }
            _ => SetId::EMPTY,
        }
    }

    /// Whether a type with a variable in it names nothing else that is followed: `T`, `Optional[T]`, `T | None`.
    pub(crate) fn is_whole(&self, annotation: ExprId) -> bool {
        let is_none = |written| matches!(self.bodies.kind(written), Some(ExprKind::Literal(Literal::None)));
        match self.bodies.kind(annotation) {
            Some(&ExprKind::Binary { left, right, .. }) => {
                is_none(left) && self.is_whole(right) || is_none(right) && self.is_whole(left)
            }
            Some(&ExprKind::Subscript { base, .. }) => self.bodies.last_name(base) == Some("Optional"),
            Some(_) => true,
            None => false,
        }
    }

    /// Marks what a method returns by the parameters of its class, and what `__init__` says of them.
    pub(crate) fn returns_argument_of_class(&mut self, function: &FunctionBody) {
        let bodies = self.bodies;
        let Some(class) = bodies.classes.get(function.class as usize).filter(|class| bodies.is_generic(class)) else {
            return;
        };
        let owner = self.look.own.id(function.entity);
        let mut given = self.argument_mark(class, function.returns);
        if self.is_own_class(class, function.returns) {
            let mark = Value::DependsOnCall(self.look.own.id(class.entity), Mark::OwnArguments);
            given = self.sets.single(mark, Basis::Annotated);
        }
        self.add(questions::returns(owner, function.lambda), given);
    }

    /// `Box[T]` in `class Box[T]`, where it is not said whether that is another one.
    fn is_own_class(&mut self, class: &ClassBody, annotation: ExprId) -> bool {
        let Some(&ExprKind::Subscript { base, index }) = self.bodies.kind(annotation) else { return false };
        let itself = Value::Class(self.look.own.id(class.entity));
        let is_around = std::mem::replace(&mut self.is_annotation, true);
        let base = self.quiet(|this| this.head(base).0);
        self.is_annotation = is_around;
        if !self.sets.entries(base).iter().any(|&entry| values::parts(entry).0 == itself) {
            return false;
        }
        let mut names = SmallVec::new();
        self.gather_variables(index, &mut names);
        names == self.type_parameters_of(class)
    }

    /// In `__init__` of a generic class: notes which parameters of the class follow from what is passed.
    pub(crate) fn made_by_arguments(&mut self, function: &FunctionBody) {
        let bodies = self.bodies;
        let Some(class) = bodies.classes.get(function.class as usize).filter(|class| bodies.is_generic(class)) else {
            return;
        };
        if bodies.records[function.entity as usize].name != "__init__" {
            return;
        }
        let owner = self.look.own.id(function.entity);
        for (position, variable) in (0..).zip(self.type_parameters_of(class)).take(POSITIONS) {
            for (index, parameter) in (0..PassedIn::PARAMETERS).zip(&function.parameters) {
                if let Some(way) = self.way_in(parameter.annotation, variable) {
                    let made = Mark::Made { from: PassedIn { way, parameter: index }, position };
                    let mark = self.sets.single(Value::DependsOnCall(owner, made), Basis::Annotated);
                    self.add(questions::returns(owner, 0), mark);
                }
            }
        }
    }

    /// `-> Box[T]`: notes how what the object is applied to follows from what is passed.
    pub(crate) fn returns_applied(&mut self, function: &FunctionBody) {
        let Some(&ExprKind::Subscript { base, index }) = self.bodies.kind(function.returns) else { return };
        let base = self.quiet(|this| this.head(base).0);
        if !self.sets.holds(base, Kinds::CLASSES) {
            return;
        }
        let owner = self.look.own.id(function.entity);
        for (position, item) in (0..).zip(self.items(index)).take(POSITIONS) {
            let Some(variable) = self.variable_in(item) else { continue };
            for (index, parameter) in (0..PassedIn::PARAMETERS).zip(&function.parameters) {
                if let Some(way) = self.way_in(parameter.annotation, variable) {
                    let wrapped = Mark::Wrapped { from: PassedIn { way, parameter: index }, position };
                    let mark = self.sets.single(Value::DependsOnCall(owner, wrapped), Basis::Annotated);
                    self.add(questions::returns(owner, 0), mark);
                }
            }
        }
    }

    /// `Node(value)` of a class that only declares its fields: what it is applied to follows from those that it is passed.
    pub(crate) fn applied_by_fields(&mut self, class: EntityId, arguments: &Arguments) -> SetId {
        let is_generic = self.look.class_head(class).is_some_and(|place| place.head().is_generic);
        if !is_generic {
            return SetId::EMPTY;
        }
        let mut passed: SmallVec<[(u64, SetId); 4]> = arguments.keywords.iter().copied().collect();
        for (index, &set) in arguments.positional.iter().enumerate() {
            let Some(name) = self.field_named(class, index) else { break };
            passed.push((name, set));
        }
        let mut applied = SetId::EMPTY;
        for (name, set) in passed {
            let held = self.read(questions::attribute(class, name));
            if !self.sets.holds(held, Kinds::CHOICES) {
                continue;
            }
            for at in self.sets.range(held) {
                let Value::DependsOnCall(owner, Mark::Argument(argument)) = values::parts(self.sets.at(at)).0 else {
                    continue;
                };
                if owner == class {
                    let set = match argument.given {
                        Given::One => self.concrete(set),
                        Given::Class => self.instances(set, Basis::Passed),
                        Given::List | Given::Dict => self.elements(set),
                    };
                    let mut items: SmallVec<[SetId; 4]> = smallvec::smallvec![SetId::EMPTY; POSITIONS];
                    items[usize::from(argument.position)] = set;
                    let to = self.applied_to(class, &items);
                    applied = self.sets.union(applied, to);
                }
            }
        }
        applied
    }

    /// What an attribute holds that is declared by a parameter of the class: `item: T`, `self.item: T = …`, and `self.item = item`
    /// where the parameter is so declared.
    pub(crate) fn declared_by_parameter(&mut self, target: ExprId, annotation: ExprId, value: ExprId) -> SetId {
        let bodies = self.bodies;
        let class = match bodies.kind(target) {
            Some(&ExprKind::Name { variable, .. }) => {
                let scope = bodies.variables.get(variable as usize).map(|info| info.scope);
                let in_class = |scope: &ScopeId| bodies.scopes[*scope as usize].kind == ScopeKind::Class;
                let Some(scope) = scope.filter(in_class) else { return SetId::EMPTY };
                bodies.classes.iter().find(|class| class.scope == scope)
            }
            Some(&ExprKind::Attribute { .. }) => {
                let function = bodies.functions.get(self.function as usize);
                function.and_then(|function| bodies.classes.get(function.class as usize))
            }
            _ => None,
        };
        let Some(class) = class.filter(|class| bodies.is_generic(class)) else { return SetId::EMPTY };
        let annotation = match bodies.kind(value) {
            Some(&ExprKind::Name { variable, .. }) if annotation == NONE && variable != NONE => {
                let parameters = bodies.functions.get(self.function as usize).map(|function| &function.parameters);
                let mut parameters = parameters.into_iter().flatten();
                parameters.find(|parameter| parameter.variable == variable).map_or(NONE, |found| found.annotation)
            }
            _ => annotation,
        };
        self.argument_mark(class, annotation)
    }
}

/// Whether a value only says what others are applied to.
pub(crate) fn is_mark(value: Value) -> bool {
    match value {
        Value::Applied(..) => true,
        Value::DependsOnCall(_, mark) => match mark {
            Mark::Argument(_)
            | Mark::Made { .. }
            | Mark::OwnArguments
            | Mark::Wrapped { .. }
            | Mark::OnlyPassed { .. }
            | Mark::ByReceiver => true,
            Mark::Condition { .. }
            | Mark::Passed { .. }
            | Mark::Property { .. }
            | Mark::Generic
            | Mark::HandsOn { .. } => false,
        },
        _ => false,
    }
}
