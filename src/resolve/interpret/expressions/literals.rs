//! Expressions whose points-to set follows from the text and from single cells: names, literals, parts of strings.

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, Literal, NONE, Operator, VarId},
    },
    model::{Basis, EntityId, EntityKind, Position, RelationshipKind, UnresolvedReason},
    resolve::{
        interpret::calls::arguments::MethodCall,
        library::{known, stdlib_names},
        names::{Referents, Target},
        solver::Solver,
        values::{Kinds, PartOfName, SetId, Sets, Value, questions},
    },
};

pub(crate) fn special_names(operator: Operator) -> Option<(&'static str, &'static str)> {
    Some(match operator {
        Operator::Add => ("__add__", "__radd__"),
        Operator::Sub => ("__sub__", "__rsub__"),
        Operator::Mul => ("__mul__", "__rmul__"),
        Operator::MatMul => ("__matmul__", "__rmatmul__"),
        Operator::Div => ("__truediv__", "__rtruediv__"),
        Operator::FloorDiv => ("__floordiv__", "__rfloordiv__"),
        Operator::Mod => ("__mod__", "__rmod__"),
        Operator::Pow => ("__pow__", "__rpow__"),
        Operator::LeftShift => ("__lshift__", "__rlshift__"),
        Operator::RightShift => ("__rshift__", "__rrshift__"),
        Operator::And => ("__and__", "__rand__"),
        Operator::Or => ("__or__", "__ror__"),
        Operator::Xor => ("__xor__", "__rxor__"),
        _ => return None,
    })
}

/// The result of a text's method whose beginning is known: `"visit_{}".format(x)`, `name.lower()`.
pub(crate) fn text_call(solver: &mut Solver<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { receivers, callee, method: name, .. } = call;
    match (solver.bodies.names.text(name), &solver.bodies.expressions[callee as usize].kind) {
        ("format", &ExprKind::Attribute { base, .. }) => solver.name_prefix(base),
        ("lower" | "strip" | "rstrip", _) => solver.sets.texts(receivers),
        _ => SetId::EMPTY,
    }
}

impl Solver<'_> {
    pub(crate) fn emit_references(&mut self, referents: &Referents, place: Position, role: Option<RelationshipKind>) {
        for &(target, basis) in referents {
            self.emit_reference(target, basis, place, role);
        }
    }

    pub(crate) fn name_head(&mut self, name: NameId, variable: VarId, place: Position) -> (SetId, Referents) {
        if variable != NONE {
            let referents: Referents = self.bindings.symbols[variable as usize]
                .iter()
                .copied()
                .filter(|(target, _)| matches!(target, Target::Entity(_)))
                .collect();
            return (self.load_variable(variable), referents);
        }
        let text = self.bodies.names.text(name);
        let own = std::rc::Rc::clone(&self.look.own);
        let targets = self.look.star_member(&own, text, 0);
        if !targets.is_empty() {
            let set = self.target_values(&targets, Basis::Import);
            return (set, targets.into_iter().map(|target| (target, Basis::Import)).collect());
        }
        if let Some(hash) = self.look.star_external(&own, text) {
            return (self.sets.single(Value::External(hash), Basis::Import), Referents::new());
        }
        if stdlib_names::is_builtin(text) {
            let hash = known::builtin(self.bodies.names.hash(name));
            return (self.sets.single(Value::External(hash), Basis::Scope), Referents::new());
        }
        if self.look.stars_are_known(&own) {
            self.emit_unresolved(text, place, UnresolvedReason::UnboundName, "", None);
        }
        (SetId::EMPTY, Referents::new())
    }

    /// The values that a target stands for.
    pub(crate) fn target_value(&mut self, target: Target, basis: Basis) -> SetId {
        match target {
            Target::Module(file) => self.sets.single(Value::Module(file), basis),
            Target::Namespace(number) => self.sets.single(Value::Namespace(number), basis),
            Target::External(hash) => self.sets.single(Value::External(hash), basis),
            Target::Entity(entity) => match self.look.kind(entity) {
                Some(EntityKind::Class) => self.sets.single(Value::Class(entity), basis),
                Some(EntityKind::Variable) => {
                    if let Some(variable) = self.variable_of(entity) {
                        self.read_variable(variable)
                    } else {
                        let set = self.read(questions::variable(entity));
                        self.sets.weaken(set, Basis::Stored)
                    }
                }
                Some(EntityKind::Module) | None => SetId::EMPTY,
                Some(_) => self.function_value(entity, basis),
            },
        }
    }

    /// A function as its callers get it: the results of its decorators, and itself.
    pub(crate) fn function_value(&mut self, entity: EntityId, basis: Basis) -> SetId {
        let plain = self.sets.single(Value::Function(entity, 0), basis);
        let is_decorated = self.look.signature(entity, 0).is_some_and(|found| found.signature().is_decorated);
        if !is_decorated {
            return plain;
        }
        let decorated = self.read(questions::decorated(entity));
        let decorated = self.sets.weaken(decorated, basis);
        if decorated == SetId::EMPTY { plain } else { decorated }
    }

    /// A text with a known beginning.
    pub(crate) fn beginning(&mut self, text: NameId) -> SetId {
        match PartOfName::of(self.bodies.names.text(text)) {
            Some(beginning) => self.sets.single(Value::Text(beginning), Basis::Text),
            None => SetId::EMPTY,
        }
    }

    /// A text with a known end.
    pub(crate) fn ending(&mut self, text: NameId) -> SetId {
        match PartOfName::ending(self.bodies.names.text(text)) {
            Some(end) => self.sets.single(Value::Text(end), Basis::Text),
            None => SetId::EMPTY,
        }
    }

    /// The beginning of the text that an expression makes by adding to a literal or filling it in.
    pub(crate) fn name_prefix(&mut self, expression: ExprId) -> SetId {
        match self.bodies.kind(expression) {
            Some(&ExprKind::Text(text)) => self.beginning(text),
            _ => SetId::EMPTY,
        }
    }

    pub(crate) fn yielded(&mut self, set: SetId) {
        if self.function != NONE {
            let function = &self.bodies.functions[self.function as usize];
            let owner = self.look.own.id(function.entity);
            self.add(questions::yields(owner, function.lambda), set);
        }
    }
}

impl Bodies {
    pub(crate) fn place_of(&self, expression: ExprId) -> Position {
        match self.expressions.get(expression as usize) {
            Some(expression) => (expression.line, expression.column),
            None => (1, 0),
        }
    }
}

impl Sets {
    /// The texts in a set that have a known beginning.
    pub(crate) fn texts(&mut self, set: SetId) -> SetId {
        if self.holds(set, Kinds::TEXTS) {
            self.only(set, |value| matches!(value, Value::Text(_)))
        } else {
            SetId::EMPTY
        }
    }

    pub(crate) fn literal(&mut self, literal: Literal) -> SetId {
        match literal {
            Literal::None => self.single(Value::ExternalInstance(known::NONE_TYPE), Basis::Constructed),
            Literal::False | Literal::True => self.builtin_instance("bool"),
            Literal::Number => self.builtin_instance("float"),
            Literal::Text => self.builtin_instance("str"),
            Literal::Bytes => self.builtin_instance("bytes"),
            Literal::Ellipsis => self.builtin_instance("ellipsis"),
        }
    }

    pub(crate) fn builtin_instance(&mut self, class: &str) -> SetId {
        let hash = known::builtin(crate::facts::hash_name(class));
        self.single(Value::ExternalInstance(hash), Basis::Constructed)
    }

    /// The entries of a set whose values pass.
    pub(crate) fn only(&mut self, set: SetId, pass: impl Fn(Value) -> bool) -> SetId {
        self.filtered(set, pass)
    }
}
