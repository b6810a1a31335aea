//! The output of resolution: emits relationships and unresolved occurrences, and the relationships that follow from
//! structure alone.

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, NONE, Stmt, VarId},
    },
    model::{
        Basis, CallShape, EntityFlags, EntityId, EntityKind, Position, Relationship, RelationshipKind, Unresolved,
        UnresolvedReason,
    },
    resolve::{
        library::known,
        names::{Lookup, Target, Targets, imports::Found},
        solver::Solver,
        values::{self, Value},
    },
};

/// `None`, the one value that is no object.
const NONE_VALUE: Value = Value::ExternalInstance(known::NONE_TYPE);

impl Solver<'_> {
    /// Says that the present entity depends on `target`.
    pub(crate) fn emit(&mut self, target: EntityId, kind: RelationshipKind, basis: Basis, place: Position) {
        let source = self.entity;
        self.emit_from(source, target, kind, basis, place);
    }

    pub(crate) fn emit_from(
        &mut self,
        source: EntityId,
        target: EntityId,
        kind: RelationshipKind,
        basis: Basis,
        place: Position,
    ) {
        let (line, column) = place;
        self.note_edge(target, kind, place);
        self.output.relationships.push(Relationship { target, kind, source, line, column, basis });
    }

    /// The module's variable or function that a statement creates or changes: `x = …`, `x.add(…)`, `x.option("a")(…)`.
    pub(crate) fn variable_made(&self, statement: &Stmt) -> Option<EntityId> {
        let bodies = self.bodies;
        let (mut at, is_call) = match *statement {
            Stmt::Assign { target, .. } | Stmt::Augmented { target, .. } | Stmt::Annotated { target, .. } => {
                (target, false)
            }
            Stmt::Expr(value) => match *bodies.kind(value)? {
                ExprKind::Call { callee, .. } => (self.bodies.object_called(callee)?, true),
                _ => return None,
            },
            _ => return None,
        };
        loop {
            match *bodies.kind(at)? {
                ExprKind::Name { variable, .. } => {
                    let entity = bodies.variables.get(variable as usize)?.entity;
                    return match entity {
                        NONE if is_call => self.function_bound(variable),
                        NONE => None,
                        entity => Some(self.look.own.id(entity)),
                    };
                }
                ExprKind::Attribute { base, .. } | ExprKind::Subscript { base, .. } => at = base,
                _ => return None,
            }
        }
    }

    /// The function of the module that a name is bound to, and to nothing else.
    fn function_bound(&self, variable: VarId) -> Option<EntityId> {
        let &[(Target::Entity(entity), _)] = self.bindings.symbols.get(variable as usize)?.as_slice() else {
            return None;
        };
        let index = self.look.own_place(entity)?;
        let head = self.look.own.interface.entities.get(index as usize)?;
        (head.kind == EntityKind::Function).then_some(entity)
    }

    /// Whether code outside the repository made the object of a module variable, or the object that replaces a
    /// decorated function.
    pub(crate) fn is_made_outside(&mut self, object: EntityId) -> bool {
        let held = match self.variable_of(object) {
            Some(variable) => self.load_variable(variable),
            None => return self.is_object_outside(object),
        };
        self.sets.is_nothing_followed(held)
            && self.sets.entries(held).iter().any(|&entry| values::parts(entry).0 != NONE_VALUE)
    }

    /// Whether a decorator makes an object of a function that is known by nothing else.
    pub(crate) fn is_object_outside(&mut self, function: EntityId) -> bool {
        let given = self.function_value(function, Basis::Scope);
        self.sets.entries(given).iter().any(|&entry| matches!(values::parts(entry).0, Value::ExternalInstance(_)))
    }

    /// Emits a reference to `target` that is no call, with the given role or else the one that fits the target's kind.
    pub(crate) fn emit_reference(
        &mut self,
        target: Target,
        basis: Basis,
        place: Position,
        role: Option<RelationshipKind>,
    ) {
        use RelationshipKind as K;
        let Target::Entity(entity) = target else { return };
        let kind = match (role, self.look.kind(entity)) {
            // A property runs, whatever becomes of its value.
            (Some(K::Raises | K::Decorates | K::Inherits), Some(EntityKind::Property)) => K::Reads,
            // Only a class is a base. A variable may hold one, and a function may give one.
            (Some(K::Inherits), Some(EntityKind::Variable)) => K::Reads,
            (Some(K::Inherits), kind) if kind != Some(EntityKind::Class) => K::References,
            (Some(role), _) => role,
            (None, Some(EntityKind::Variable | EntityKind::Property)) => K::Reads,
            (None, _) => K::References,
        };
        self.emit(entity, kind, basis, place);
    }

    /// Says that an occurrence could not be resolved.
    pub(crate) fn emit_unresolved(
        &mut self,
        name: &str,
        place: Position,
        reason: UnresolvedReason,
        receiver: &str,
        call: Option<CallShape>,
    ) {
        let unresolved = Unresolved {
            name: name.to_owned(),
            source: self.entity,
            line: place.0,
            column: place.1,
            call,
            receiver: receiver.to_owned(),
            reason,
            is_awaited: false,
        };
        self.output.unresolved.push(unresolved);
    }

    /// Marks the unresolved occurrences since then whose call is awaited.
    pub(crate) fn mark_awaited(&mut self, awaited: ExprId, since: usize) {
        let Some(&ExprKind::Call { callee, .. }) = self.bodies.kind(awaited) else { return };
        let (line, column) = self.bodies.place_of(callee);
        for occurrence in &mut self.output.unresolved[since..] {
            occurrence.is_awaited |= (occurrence.line, occurrence.column) == (line, column);
        }
    }

    /// Methods and properties that hide one of a base.
    pub(crate) fn overrides(&mut self) {
        let own = std::rc::Rc::clone(&self.look.own);
        for class in &own.interface.classes {
            let class_entity = own.id(class.entity);
            for (index, head) in own.interface.entities.iter().enumerate() {
                let is_method = matches!(head.kind, EntityKind::Method | EntityKind::Property);
                if head.parent != class.entity || !is_method || index == 0 {
                    continue;
                }
                let name = own.interface.names.text(head.name);
                let Some((_, targets)) = self.look.inherited(class_entity, name, Some(class_entity)) else { continue };
                let record = &self.bodies.records[index];
                let place = (record.line, record.column);
                let source = own.entities[index];
                for target in targets {
                    let Target::Entity(entity) = target else { continue };
                    // A setter overrides the setter of a base, not its getter.
                    let accessor = EntityFlags::SETTER | EntityFlags::DELETER;
                    let same_accessor = (self.look.flags(entity).0 ^ head.flags.0) & accessor == 0;
                    if self.look.kind(entity).is_some_and(EntityKind::is_callable) && same_accessor {
                        let basis = if self.look.is_own(entity) { Basis::Scope } else { Basis::Import };
                        self.emit_from(source, entity, RelationshipKind::Overrides, basis, place);
                    }
                }
            }
        }
    }

    /// Repeats a relationship of a test class's decorator for each of its tests.
    pub(crate) fn edges_of_tests(&mut self, class: EntityId, edge: Relationship) {
        let own = std::rc::Rc::clone(&self.look.own);
        let Some(index) = self.look.own_place(class) else { return };
        for (at, head) in own.interface.entities.iter().enumerate() {
            let is_test = head.kind == EntityKind::Method && own.interface.names.text(head.name).starts_with("test");
            if head.parent == index && is_test {
                let place = (edge.line, edge.column);
                self.emit_from(own.entities[at], edge.target, edge.kind, edge.basis, place);
            }
        }
    }
}

impl Lookup<'_> {
    /// The entity of a target; none for a target outside.
    pub(crate) fn entity_of(&mut self, target: Target) -> Option<EntityId> {
        match target {
            Target::Entity(entity) => Some(entity),
            Target::Module(file) => self.module(file).and_then(|info| info.entities.first().copied()),
            Target::Namespace(_) | Target::External(_) => None,
        }
    }

    pub(crate) fn named_in_text(&mut self, parts: &[&str]) -> Targets {
        let path = self.own.path.clone();
        if !matches!(self.import(&path, 0, &parts[..1]), Found::Module(_)) && parts.len() < 3 {
            return Targets::new();
        }
        for length in (1..=parts.len()).rev() {
            let Found::Module(file) = self.import(&path, 0, &parts[..length]) else { continue };
            let mut targets: Targets = smallvec::smallvec![Target::Module(file)];
            for part in &parts[length..] {
                targets = targets.into_iter().flat_map(|target| self.text_part(target, part)).collect();
            }
            if !targets.is_empty() {
                return targets;
            }
        }
        Targets::new()
    }

    /// The targets of a dotted name in a text: looked up in the file itself, then in the modules of the repository.
    pub(crate) fn named_from_here(&mut self, text: &str) -> Targets {
        let parts: Vec<&str> = text.split('.').collect();
        let mut targets = self.member(self.own.file, parts[0]);
        for part in &parts[1..] {
            targets = targets.into_iter().flat_map(|target| self.text_part(target, part)).collect();
        }
        if targets.is_empty() { self.named_in_text(&parts) } else { targets }
    }

    fn text_part(&mut self, target: Target, name: &str) -> Targets {
        match target {
            Target::Module(file) => self.member(file, name),
            Target::Entity(entity) if self.kind(entity) == Some(EntityKind::Class) => {
                self.inherited(entity, name, None).map(|(_, targets)| targets).unwrap_or_default()
            }
            _ => Targets::new(),
        }
    }
}

impl Bodies {
    /// The object whose method is called, directly or through the result of another call: `x` in `x.add(…)` and
    /// `x.option("a")(…)`.
    pub(crate) fn object_called(&self, mut callee: ExprId) -> Option<ExprId> {
        loop {
            match *self.kind(callee)? {
                ExprKind::Attribute { base, .. } => return Some(base),
                ExprKind::Call { callee: inner, .. } => callee = inner,
                _ => return None,
            }
        }
    }
}
