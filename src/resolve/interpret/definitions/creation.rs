//! Code that runs when Python defines a function or class, and references of tests.

use crate::{
    facts::bodies::{ExprId, ExprKind, FunctionBody},
    model::{Basis, EntityId, EntityKind, Position, RelationshipKind},
    resolve::{
        names::{Lookup, Target},
        solver::Solver,
        values::{self, SetId, Value, questions},
    },
};

impl Solver<'_> {
    /// The code around a definition makes the calls in its defaults and annotations, if Python runs them. The
    /// definition refers to the functions called.
    pub(crate) fn attribute_definition_calls(&mut self, outer: Option<EntityId>, first: usize) {
        for at in first..self.output.relationships.len() {
            let edge = self.output.relationships[at];
            if edge.kind != RelationshipKind::Calls {
                continue;
            }
            self.output.relationships[at].kind = RelationshipKind::References;
            if let Some(outer) = outer {
                self.emit_from(outer, edge.target, edge.kind, edge.basis, (edge.line, edge.column));
            }
        }
    }

    /// A definition refers to its decorators, and to the classes and calls in their arguments: `@option(type=Kind(),
    /// default=size())`. The code around it makes the calls.
    pub(crate) fn attribute_decorator_calls(&mut self, outer: EntityId, decorators: &[ExprId], first: usize) {
        let mut parts: Vec<(Position, bool)> = Vec::new();
        for &decorator in decorators {
            parts.push((self.bodies.place_of(decorator), false));
            if let Some(&ExprKind::Call { callee, .. }) = self.bodies.kind(decorator) {
                parts.push((self.bodies.place_of(callee), true));
            }
        }
        parts.sort_unstable();
        for at in first..self.output.relationships.len() {
            let edge = self.output.relationships[at];
            if edge.kind != RelationshipKind::Calls {
                continue;
            }
            let place = (edge.line, edge.column);
            let before = parts.partition_point(|(begin, _)| *begin <= place);
            // An expression after the name of a called decorator, and before the next decorator, is an argument.
            let is_argument = before > 0 && parts[before - 1].1 && parts[before - 1].0 < place;
            if is_argument || self.look.kind(edge.target) == Some(EntityKind::Class) {
                self.emit_from(edge.source, edge.target, RelationshipKind::References, edge.basis, place);
            }
            self.output.relationships[at].source = outer;
        }
    }

    /// `Base = Other`, `class Item(Base)`: derives from the class that the variable holds, besides naming the variable.
    pub(crate) fn derive_through_variable(&mut self, class: EntityId, first: usize, base: ExprId) {
        let is_emitted = self.output.relationships[first..].iter().any(|edge| edge.target == class);
        if !is_emitted && self.look.kind(class) == Some(EntityKind::Class) {
            self.emit(class, RelationshipKind::Inherits, Basis::Stored, self.bodies.place_of(base));
        }
    }

    /// `class Item(make(Base))`: derives from the classes that the call may give.
    pub(crate) fn derive_from_result(&mut self, derived: SetId, callee: ExprId) {
        for at in self.sets.range(derived) {
            let (Value::Class(class), basis) = values::parts(self.sets.at(at)) else { continue };
            let place = self.bodies.place_of(callee);
            self.emit(class, RelationshipKind::Inherits, basis.max(Basis::Returned), place);
        }
    }

    /// `@patch.object(Cart, "total")` of a class looks the name up for each of its tests.
    pub(crate) fn emit_for_tests(&mut self, class: EntityId, first: usize) {
        for at in first..self.output.relationships.len() {
            let edge = self.output.relationships[at];
            if edge.source == class && edge.basis == Basis::Text {
                self.edges_of_tests(class, edge);
            }
        }
    }

    /// Making a class calls the metaclass's `__new__` and `__init__`, and `__init_subclass__` of its bases.
    pub(crate) fn creation_hooks(&mut self, class: EntityId, place: (u32, u32)) {
        let bases = self.look.mro(class).classes[1..].to_vec();
        let itself = self.sets.single(Value::Class(class), Basis::Scope);
        for &base in &bases {
            self.add(questions::subclasses(base), itself);
        }
        // The metaclass finds them by the classes that they derive from.
        if let Some(Target::Entity(metaclass)) = self.look.metaclass(class)
            && !bases.iter().any(|&base| self.look.metaclass(base) == Some(Target::Entity(metaclass)))
        {
            self.add(questions::made_by(metaclass), itself);
        }
        self.run_creation_hooks(class, Some(class), Basis::SelfMember, place);
    }

    pub(crate) fn run_creation_hooks(
        &mut self,
        class: EntityId,
        after: Option<EntityId>,
        basis: Basis,
        place: (u32, u32),
    ) {
        let mut hooks: Vec<Target> = Vec::new();
        if let Some((_, targets)) = self.look.inherited(class, "__init_subclass__", after) {
            // The hook gets the class that is made; `type(…)` makes no class of the repository.
            let itself = after.map(|class| self.sets.single(Value::Class(class), Basis::SelfMember));
            for target in &targets {
                if let (Target::Entity(hook), Some(itself)) = (*target, itself) {
                    self.add(questions::parameter(hook, 0, 0), itself);
                }
            }
            hooks.extend(targets);
        }
        if let Some(Target::Entity(metaclass)) = self.look.metaclass(class) {
            for name in ["__new__", "__init__"] {
                if let Some((_, targets)) = self.look.inherited(metaclass, name, None) {
                    hooks.extend(targets);
                }
            }
        }
        for hook in hooks {
            if let Target::Entity(entity) = hook {
                self.emit(entity, RelationshipKind::Calls, basis, place);
            }
        }
    }
}

impl Lookup<'_> {
    /// The definition whose code runs the annotations of a function: the one around it. `None` where Python keeps them
    /// as text, and in stubs.
    pub(crate) fn runs_annotations(&self, function: &FunctionBody) -> Option<EntityId> {
        let own = &self.own;
        let head = own.interface.entities.get(function.entity as usize)?;
        (!own.interface.keeps_annotations && !own.path.ends_with(".pyi")).then(|| own.id(head.parent))
    }
}
