//! Expressions over abstract values.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, Literal, NONE, Operator, Run, SequenceKind, VarId},
    },
    model::{Basis, EntityId, EntityKind, RelationshipKind, UnresolvedReason},
    resolve::{
        engine::{Solver, output::Place},
        library::{known, stdlib_names},
        names::Target,
        questions,
        values::{self, Kinds, PartOfName, SetId, Value, site::Site, slot::Slot},
    },
};

/// What an expression names, beside its values.
pub(crate) type Heads = SmallVec<[(Target, Basis); 2]>;

impl Solver<'_> {
    pub(crate) fn place_of(&self, expression: ExprId) -> Place {
        match self.bodies.expressions.get(expression as usize) {
            Some(expression) => (expression.line, expression.column),
            None => (1, 0),
        }
    }

    /// Evaluates without saying anything.
    pub(crate) fn quiet<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (edges, unresolved) = (self.output.relationships.len(), self.output.unresolved.len());
        let result = work(self);
        self.output.relationships.truncate(edges);
        self.output.unresolved.truncate(unresolved);
        result
    }

    /// Evaluates an expression whose head has a role of its own: a base, a decorator, a raised exception.
    pub(crate) fn eval_as(&mut self, expression: ExprId, role: RelationshipKind) -> SetId {
        if expression == NONE {
            return SetId::EMPTY;
        }
        match self.bodies.expressions[expression as usize].kind {
            ExprKind::Call { callee, .. } => {
                let set = self.eval(expression);
                let (_, heads) = self.quiet(|this| this.head(callee));
                self.mention_all(&heads, self.place_of(callee), Some(role));
                set
            }
            ExprKind::Subscript { base, index } => {
                let set = self.eval_as(base, role);
                self.annotation(index);
                set
            }
            _ => {
                let (set, heads) = self.head(expression);
                self.mention_all(&heads, self.place_of(expression), Some(role));
                set
            }
        }
    }

    pub(crate) fn mention_all(&mut self, heads: &Heads, place: Place, role: Option<RelationshipKind>) {
        for &(target, basis) in heads {
            self.mention(target, basis, place, role);
        }
    }

    /// The values of a name or attribute and what it names; says nothing about the name itself.
    pub(crate) fn head(&mut self, expression: ExprId) -> (SetId, Heads) {
        if expression == NONE {
            return (SetId::EMPTY, Heads::new());
        }
        let place = self.place_of(expression);
        let (set, heads) = match self.bodies.expressions[expression as usize].kind {
            ExprKind::Name { name, variable } => self.name_head(name, variable, place),
            ExprKind::Attribute { base, name } => {
                let receivers = self.eval(base);
                let found = self.attribute(receivers, name, place, base, None);
                (self.known_or(expression, found.0, &found.1), found.1)
            }
            _ => (self.eval(expression), Heads::new()),
        };
        self.note(expression, set);
        self.note_names(expression, &heads);
        (set, heads)
    }

    fn name_head(&mut self, name: NameId, variable: VarId, place: Place) -> (SetId, Heads) {
        if variable != NONE {
            let heads: Heads = self.kept.symbols[variable as usize]
                .iter()
                .copied()
                .filter(|(target, _)| matches!(target, Target::Entity(_)))
                .collect();
            return (self.load_variable(variable), heads);
        }
        let text = self.bodies.names.text(name);
        let own = std::rc::Rc::clone(&self.look.own);
        let targets = self.look.star_member(&own, text, 0);
        if !targets.is_empty() {
            let set = self.target_values(&targets, Basis::Import);
            return (set, targets.into_iter().map(|target| (target, Basis::Import)).collect());
        }
        if let Some(hash) = self.look.star_external(&own, text) {
            return (self.sets.single(Value::External(hash), Basis::Import), Heads::new());
        }
        if stdlib_names::is_builtin(text) {
            let hash = known::builtin(self.bodies.names.hash(name));
            return (self.sets.single(Value::External(hash), Basis::Scope), Heads::new());
        }
        if self.look.stars_are_known(&own) {
            self.unresolved(text, place, UnresolvedReason::UnboundName, "", None);
        }
        (SetId::EMPTY, Heads::new())
    }

    /// The values that a target stands for.
    pub(crate) fn target_value(&mut self, target: Target, basis: Basis) -> SetId {
        match target {
            Target::Module(file) => self.sets.single(Value::Module(file), basis),
            Target::Namespace(number) => self.sets.single(Value::Namespace(number), basis),
            Target::External(hash) => self.sets.single(Value::External(hash), basis),
            Target::Entity(entity) => match self.kind(entity) {
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

    /// A function as its callers get it: what its decorators made of it, and itself.
    pub(crate) fn function_value(&mut self, entity: EntityId, basis: Basis) -> SetId {
        let plain = self.sets.single(Value::Function(entity, 0), basis);
        let is_decorated = self.look.signature(entity, 0).is_some_and(|place| place.signature().is_decorated);
        if !is_decorated {
            return plain;
        }
        let decorated = self.read(questions::decorated(entity));
        let decorated = self.sets.weaken(decorated, basis);
        if decorated == SetId::EMPTY { plain } else { decorated }
    }

    /// Evaluates an expression and says what it mentions.
    pub(crate) fn eval(&mut self, expression: ExprId) -> SetId {
        if expression == NONE {
            return SetId::EMPTY;
        }
        let set = self.value_of(expression);
        self.note(expression, set);
        set
    }

    fn value_of(&mut self, expression: ExprId) -> SetId {
        let bodies = self.bodies;
        let place = self.place_of(expression);
        match &bodies.expressions[expression as usize].kind {
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                let (set, heads) = self.head(expression);
                self.mention_all(&heads, place, None);
                set
            }
            ExprKind::Call { .. } => self.call(expression),
            ExprKind::Subscript { base, index } => {
                let set = self.subscript(*base, *index, place);
                self.known_or(expression, set, &Heads::new())
            }
            ExprKind::Literal(literal) => self.literal(*literal),
            ExprKind::Text(text) => {
                let named = self.text_named(*text);
                let text = self.builtin_instance("str");
                self.sets.union(text, named)
            }
            ExprKind::Int(_) => self.builtin_instance("int"),
            ExprKind::Sequence { kind, items, site } => {
                let made = self.sequence(*items, *site, place);
                if *kind == SequenceKind::Set {
                    let elements = self.elements(made);
                    self.hashed(elements, place);
                }
                made
            }
            ExprKind::Dict { items, site } => self.dictionary(*items, *site),
            ExprKind::Lambda { function } => self.lambda(*function),
            ExprKind::Comprehension { kind, element, key, clauses, site } => {
                self.comprehension(*kind, *element, *key, *clauses, *site)
            }
            ExprKind::Clause { .. } => SetId::EMPTY,
            ExprKind::Binary { operator, left, right } => {
                let begun =
                    if matches!(operator, Operator::Add | Operator::Mod) { self.begun(*left) } else { SetId::EMPTY };
                let begun = match self.bodies.kind(*right) {
                    Some(&ExprKind::Text(end)) if begun == SetId::EMPTY && *operator == Operator::Add => {
                        self.ending(end)
                    }
                    _ => begun,
                };
                let written = (*left, *right);
                let (left, right) = (self.eval(*left), self.eval(*right));
                if *operator == Operator::Mod {
                    self.filled_in((written.0, left), (written.1, right), place);
                }
                let begun_before = self.texts(left);
                let result = self.binary(*operator, left, right, place, false);
                let begun = self.sets.union(begun, begun_before);
                self.sets.union(result, begun)
            }
            ExprKind::Unary { operator, operand } => {
                let operand = self.eval(*operand);
                let name = match operator {
                    Operator::Negative => "__neg__",
                    Operator::Positive => "__pos__",
                    _ => "__invert__",
                };
                self.special(operand, name, &[], place)
            }
            ExprKind::Not(operand) => {
                self.eval_test(*operand);
                self.builtin_instance("bool")
            }
            ExprKind::Compare { operator, left, right } => self.compare(*operator, *left, *right, place),
            ExprKind::Bool { .. } => self.either(expression, Self::eval),
            ExprKind::Conditional { test, then, otherwise } => {
                self.eval_test(*test);
                let before = self.environment.clone();
                self.narrow(*test, true);
                let then = self.eval(*then);
                self.environment.clone_from(&before);
                self.narrow(*test, false);
                let otherwise = self.eval(*otherwise);
                self.environment = before;
                self.sets.union(then, otherwise)
            }
            ExprKind::Await(value) => {
                let before = self.output.unresolved.len();
                let set = self.eval(*value);
                self.say_awaited(*value, before);
                let awaited = self.special(set, "__await__", &[], place);
                let returned = self.returned_by(set);
                let awaited = self.sets.union(awaited, returned);
                if awaited == SetId::EMPTY { set } else { self.sets.union(set, awaited) }
            }
            ExprKind::Yield(value) => {
                let set = self.eval(*value);
                self.yielded(set);
                self.sent_back(set)
            }
            ExprKind::YieldFrom(value) => {
                let set = self.eval(*value);
                let elements = self.iterate(set, place, 0);
                self.yielded(elements);
                self.returned_by(set)
            }
            ExprKind::Starred(value) => self.eval(*value),
            ExprKind::Named { target, value } => {
                let set = self.eval(*value);
                self.assign(*target, set, *value);
                set
            }
            ExprKind::Format { values, prefix, suffix } => {
                for &value in bodies.list(*values) {
                    let set = self.eval(value);
                    self.formatted(set, place);
                }
                let (text, begun) = (self.builtin_instance("str"), self.beginning(*prefix));
                let begun = if begun == SetId::EMPTY { self.ending(*suffix) } else { begun };
                self.sets.union(text, begun)
            }
            ExprKind::Slice(parts) => {
                self.eval_parts(*parts);
                self.builtin_instance("slice")
            }
            ExprKind::Unknown(parts) => {
                self.eval_parts(*parts);
                SetId::EMPTY
            }
        }
    }

    fn eval_parts(&mut self, parts: Run) {
        for &part in self.bodies.list(parts) {
            self.eval(part);
        }
    }

    /// A text of which the beginning is known.
    fn beginning(&mut self, text: NameId) -> SetId {
        match PartOfName::of(self.bodies.names.text(text)) {
            Some(beginning) => self.sets.single(Value::Text(beginning), Basis::Text),
            None => SetId::EMPTY,
        }
    }

    /// A text of which the end is known.
    fn ending(&mut self, text: NameId) -> SetId {
        match PartOfName::ending(self.bodies.names.text(text)) {
            Some(end) => self.sets.single(Value::Text(end), Basis::Text),
            None => SetId::EMPTY,
        }
    }

    /// What a literal is the beginning of, once something is added to it or filled in.
    pub(crate) fn begun(&mut self, expression: ExprId) -> SetId {
        match self.bodies.kind(expression) {
            Some(&ExprKind::Text(text)) => self.beginning(text),
            _ => SetId::EMPTY,
        }
    }

    /// What a method of a text gives, of which the beginning is known: `"visit_{}".format(x)`, `name.lower()`.
    pub(crate) fn text_call(&mut self, receivers: SetId, callee: ExprId, name: NameId) -> SetId {
        match (self.bodies.names.text(name), &self.bodies.expressions[callee as usize].kind) {
            ("format", &ExprKind::Attribute { base, .. }) => self.begun(base),
            ("lower" | "strip" | "rstrip", _) => self.texts(receivers),
            _ => SetId::EMPTY,
        }
    }

    /// The texts in a set of which the beginning is known.
    pub(crate) fn texts(&mut self, set: SetId) -> SetId {
        if self.sets.holds(set, Kinds::TEXTS) {
            self.only(set, |value| matches!(value, Value::Text(_)))
        } else {
            SetId::EMPTY
        }
    }

    fn yielded(&mut self, set: SetId) {
        if self.function != NONE {
            let function = &self.bodies.functions[self.function as usize];
            let owner = self.look.own.id(function.entity);
            self.add(questions::yields(owner, function.lambda), set);
        }
    }

    /// `left and right`, `left or right`; what stands right is evaluated as the whole is: for its value, or for its truth.
    fn either(&mut self, expression: ExprId, evaluate: fn(&mut Self, ExprId) -> SetId) -> SetId {
        let ExprKind::Bool { left, right, is_and } = self.bodies.expressions[expression as usize].kind else {
            return SetId::EMPTY;
        };
        let first = self.eval_test(left);
        let before = self.environment.clone();
        self.narrow(left, is_and);
        let second = evaluate(self, right);
        self.environment = before;
        if is_and {
            let first = self.false_ones(first);
            return self.sets.union(first, second);
        }
        let second = self.instead_of(first, second);
        self.sets.union(first, second)
    }

    /// Evaluates a condition: `if x` asks for the truth of `x`.
    pub(crate) fn eval_test(&mut self, test: ExprId) -> SetId {
        if let Some(ExprKind::Bool { .. }) = self.bodies.kind(test) {
            return self.either(test, Self::eval_test);
        }
        let set = self.eval(test);
        if test != NONE
            && matches!(
                self.bodies.expressions[test as usize].kind,
                ExprKind::Name { .. }
                    | ExprKind::Attribute { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::Subscript { .. }
                    | ExprKind::Named { .. }
            )
        {
            self.special_first(set, &["__bool__", "__len__"], self.place_of(test));
        }
        set
    }

    fn literal(&mut self, literal: Literal) -> SetId {
        match literal {
            Literal::None => self.sets.single(Value::ExternalInstance(known::NONE_TYPE), Basis::Constructed),
            Literal::False | Literal::True => self.builtin_instance("bool"),
            Literal::Number => self.builtin_instance("float"),
            Literal::Text => self.builtin_instance("str"),
            Literal::Bytes => self.builtin_instance("bytes"),
            Literal::Ellipsis => self.builtin_instance("ellipsis"),
        }
    }

    pub(crate) fn builtin_instance(&mut self, class: &str) -> SetId {
        let hash = known::builtin(crate::facts::hash_name(class));
        self.sets.single(Value::ExternalInstance(hash), Basis::Constructed)
    }

    fn lambda(&mut self, function: u32) -> SetId {
        let function = &self.bodies.functions[function as usize];
        let owner = self.look.own.id(function.entity);
        for (index, parameter) in (0..).zip(&function.parameters) {
            if parameter.default != NONE {
                let default = self.eval(parameter.default);
                self.add(questions::parameter(owner, function.lambda, index), default);
            }
        }
        self.sets.single(Value::Function(owner, function.lambda), Basis::Scope)
    }

    fn comprehension(&mut self, kind: SequenceKind, element: ExprId, key: ExprId, clauses: Run, site: u32) -> SetId {
        let bodies = self.bodies;
        let has_conditions = |&clause: &ExprId| {
            matches!(bodies.expressions[clause as usize].kind, ExprKind::Clause { conditions: (_, 1..), .. })
        };
        // What a condition says holds in the comprehension alone.
        let before = bodies.list(clauses).iter().any(has_conditions).then(|| self.environment.clone());
        for &clause in bodies.list(clauses) {
            let ExprKind::Clause { target, iterable, conditions, .. } = bodies.expressions[clause as usize].kind else {
                continue;
            };
            let iterated = self.eval(iterable);
            let place = self.place_of(iterable);
            let item = self.iterate(iterated, place, 0);
            let outer = self.taken_from(iterable);
            self.assign_element(target, iterable, item);
            self.comes_from(outer);
            for &condition in bodies.list(conditions) {
                self.eval_test(condition);
                self.narrow(condition, true);
            }
        }
        let keys = self.eval(key);
        let item = self.eval(element);
        if let Some(before) = before {
            self.environment = before;
        }
        let is_dict = kind == SequenceKind::Dict;
        if matches!(kind, SequenceKind::Set | SequenceKind::Dict) {
            let at = if is_dict { key } else { element };
            self.hashed(if is_dict { keys } else { item }, self.place_of(at));
        }
        let container = Value::Container(self.entity, Site::Written { number: site, is_dict });
        let outer = self.comes_from(element);
        self.add_element(container, Slot::Any, item);
        self.comes_from(outer);
        self.add_keys(container, keys);
        self.sets.single(container, Basis::Constructed)
    }

    // --- operators ---------------------------------------------------------------------------------------------

    /// `left operator right` by the special methods of both; `is_augmented` tries the in-place one first.
    pub(crate) fn binary(
        &mut self,
        operator: Operator,
        left: SetId,
        right: SetId,
        place: Place,
        is_augmented: bool,
    ) -> SetId {
        let Some((name, reflected)) = special_names(operator) else { return SetId::EMPTY };
        let mut result = SetId::EMPTY;
        if is_augmented {
            let in_place = format!("__i{}", &name[2..]);
            result = self.special(left, &in_place, &[right], place);
        }
        if result == SetId::EMPTY {
            result = self.special(left, name, &[right], place);
        }
        if result == SetId::EMPTY {
            result = self.special(right, reflected, &[left], place);
        }
        if result == SetId::EMPTY {
            let own = self.own_by_operator(left, name);
            let reflected = self.own_by_operator(right, reflected);
            result = self.sets.union(own, reflected);
        }
        let is_kept = matches!(operator, Operator::Add | Operator::Or | Operator::Mul | Operator::Sub | Operator::And);
        if is_kept && result == SetId::EMPTY || matches!(operator, Operator::Add | Operator::Or) {
            // Lists are concatenated and repeated, sets and dicts joined, types too.
            for set in [left, right] {
                let kept = self.only(set, |value| matches!(value, Value::Container(..) | Value::Class(_)));
                let kept = self.without_operator(kept, name);
                result = self.sets.union(result, kept);
            }
        }
        if result == SetId::EMPTY && operator == Operator::Mod {
            return self.only(left, |value| matches!(value, Value::ExternalInstance(_)));
        }
        result
    }

    fn compare(&mut self, operator: Operator, left: ExprId, right: ExprId, place: Place) -> SetId {
        let written = (left, right);
        let (left, right) = (self.eval(left), self.eval(right));
        match operator {
            Operator::In | Operator::NotIn => {
                self.hashed_by(right, left, place);
                let asked = self.sought_by_mixin(right, left, place);
                self.special_first(asked, &["__contains__", "__iter__", "__getitem__"], place);
                if !matches!(self.bodies.kind(written.1), Some(ExprKind::Sequence { kind: SequenceKind::Set, .. })) {
                    self.sought(right, left, place);
                }
            }
            Operator::Eq => self.equated((written.0, left), (written.1, right), &["__eq__"], place),
            Operator::NotEq => self.equated((written.0, left), (written.1, right), &["__ne__", "__eq__"], place),
            Operator::Less => self.ordering(left, right, "__lt__", "__gt__", place),
            Operator::LessEq => self.ordering(left, right, "__le__", "__ge__", place),
            Operator::Greater => self.ordering(left, right, "__gt__", "__lt__", place),
            Operator::GreaterEq => self.ordering(left, right, "__ge__", "__le__", place),
            _ => {}
        }
        self.builtin_instance("bool")
    }

    fn ordering(&mut self, left: SetId, right: SetId, name: &str, reflected: &str, place: Place) {
        if self.special(left, name, &[right], place) == SetId::EMPTY
            && self.special(right, reflected, &[left], place) == SetId::EMPTY
            && self.has_other_ordering(left, name)
        {
            // What `total_ordering` adds asks the one that is there.
            self.special_first(left, &["__lt__", "__le__", "__gt__", "__ge__"], place);
        }
    }

    // --- sets --------------------------------------------------------------------------------------------------

    /// The entries of a set whose values pass.
    pub(crate) fn only(&mut self, set: SetId, pass: impl Fn(Value) -> bool) -> SetId {
        self.sets.filtered(set, pass)
    }

    /// Instances of the classes in a set.
    pub(crate) fn instances(&mut self, set: SetId, basis: Basis) -> SetId {
        let set = self.concrete(set);
        let mut entries = values::Entries::new();
        for &entry in self.sets.entries(set) {
            let (value, own) = values::parts(entry);
            match value {
                Value::Class(class) => entries.push(values::entry(Value::Instance(class), own.max(basis))),
                Value::External(hash) => entries.push(values::entry(Value::ExternalInstance(hash), own.max(basis))),
                Value::Applied(..) => entries.push(entry),
                _ => {}
            }
        }
        self.sets.of(entries)
    }
}

fn special_names(operator: Operator) -> Option<(&'static str, &'static str)> {
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
