//! Evaluates expressions to points-to sets.

pub(crate) mod literals;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE, Operator, Run, SequenceKind},
    },
    model::{Basis, Position, RelationshipKind},
    resolve::{
        interpret::{Interpreter, expressions::literals::special_names},
        library::{known, string_conversion::FORMAT},
        names::Referents,
        values::{self, Kinds, SetId, Sets, Value, questions, site::Site, slot::Slot},
    },
};

impl Interpreter<'_> {
    /// Evaluates without emitting relationships or unresolved occurrences.
    pub(crate) fn quiet<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (edges, unresolved) = (self.solver.output.relationships.len(), self.solver.output.unresolved.len());
        let result = work(self);
        self.solver.output.relationships.truncate(edges);
        self.solver.output.unresolved.truncate(unresolved);
        result
    }

    /// Evaluates an expression whose head has a role of its own: a base, a decorator, a raised exception.
    pub(crate) fn eval_as(&mut self, expression: ExprId, role: RelationshipKind) -> SetId {
        if expression == NONE {
            return SetId::EMPTY;
        }
        match self.solver.bodies.expressions[expression as usize].kind {
            ExprKind::Call { callee, .. } => {
                let set = self.eval(expression);
                let (_, referents) = self.quiet(|this| this.head(callee));
                self.solver.emit_references(&referents, self.solver.bodies.place_of(callee), Some(role));
                set
            }
            ExprKind::Subscript { base, index } => {
                let set = self.eval_as(base, role);
                self.annotation(index);
                set
            }
            _ => {
                let (set, referents) = self.head(expression);
                self.solver.emit_references(&referents, self.solver.bodies.place_of(expression), Some(role));
                set
            }
        }
    }

    /// The values of a name or attribute and the definitions that it refers to; the mention of the name itself is not
    /// emitted.
    pub(crate) fn head(&mut self, expression: ExprId) -> (SetId, Referents) {
        if expression == NONE {
            return (SetId::EMPTY, Referents::new());
        }
        let place = self.solver.bodies.place_of(expression);
        let (set, referents) = match self.solver.bodies.expressions[expression as usize].kind {
            ExprKind::Name { name, variable } => self.solver.name_head(name, variable, place),
            ExprKind::Attribute { base, name } => {
                let receivers = self.eval(base);
                let found = self.attribute(receivers, name, place, base, None);
                (self.solver.known_or(expression, found.0, &found.1), found.1)
            }
            _ => (self.eval(expression), Referents::new()),
        };
        self.solver.note(expression, set);
        self.solver.note_names(expression, &referents);
        (set, referents)
    }

    /// Evaluates an expression and emits its mentions.
    pub(crate) fn eval(&mut self, expression: ExprId) -> SetId {
        if expression == NONE {
            return SetId::EMPTY;
        }
        let set = self.value_of(expression);
        self.solver.note(expression, set);
        set
    }

    fn value_of(&mut self, expression: ExprId) -> SetId {
        let bodies = self.solver.bodies;
        let place = self.solver.bodies.place_of(expression);
        match &bodies.expressions[expression as usize].kind {
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                let (set, referents) = self.head(expression);
                self.solver.emit_references(&referents, place, None);
                set
            }
            ExprKind::Call { .. } => self.call(expression),
            ExprKind::Subscript { base, index } => {
                let set = self.subscript(*base, *index, place);
                self.solver.known_or(expression, set, &Referents::new())
            }
            ExprKind::Literal(literal) => self.solver.sets.literal(*literal),
            ExprKind::Text(text) => {
                let named = self.solver.text_named(*text);
                let text = self.solver.sets.builtin_instance("str");
                self.solver.sets.union(text, named)
            }
            ExprKind::Int(_) => self.solver.sets.builtin_instance("int"),
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
            ExprKind::Binary { operator, left, right } => self.binary_expression(*operator, (*left, *right), place),
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
                self.solver.sets.builtin_instance("bool")
            }
            ExprKind::Compare { operator, left, right } => self.compare(*operator, *left, *right, place),
            ExprKind::Bool { .. } => self.either(expression, Self::eval),
            ExprKind::Conditional { test, then, otherwise } => self.conditional(*test, *then, *otherwise),
            ExprKind::Await(value) => self.awaited(*value, place),
            ExprKind::Yield(value) => {
                let set = self.eval(*value);
                self.solver.yielded(set);
                self.sent_result(set)
            }
            ExprKind::YieldFrom(value) => {
                let set = self.eval(*value);
                let elements = self.iterate(set, place, 0);
                self.solver.yielded(elements);
                self.returned_by(set)
            }
            ExprKind::Starred(value) => self.eval(*value),
            ExprKind::Named { target, value } => {
                let set = self.eval(*value);
                self.assign(*target, set, *value);
                set
            }
            ExprKind::Format { values, prefix, suffix } => {
                let text = self.format_string(*values, (*prefix, *suffix), place);
                let path = self.files_computed(expression, *suffix);
                self.solver.sets.union(text, path)
            }
            ExprKind::Slice(parts) => {
                self.eval_parts(*parts);
                self.solver.sets.builtin_instance("slice")
            }
            ExprKind::Unknown(parts) => {
                self.eval_parts(*parts);
                SetId::EMPTY
            }
        }
    }

    /// `left operator right`: the result of the special methods, and the beginning of the text that it makes.
    fn binary_expression(&mut self, operator: Operator, written: (ExprId, ExprId), place: Position) -> SetId {
        let (left, right) = written;
        let mut beginning = SetId::EMPTY;
        if matches!(operator, Operator::Add | Operator::Mod) {
            beginning = self.solver.name_prefix(left);
        }
        if operator == Operator::Add
            && beginning == SetId::EMPTY
            && let Some(&ExprKind::Text(end)) = self.solver.bodies.kind(right)
        {
            beginning = self.solver.ending(end);
        }
        let (left, right) = (self.eval(left), self.eval(right));
        if operator == Operator::Mod {
            self.percent_format((written.0, left), (written.1, right), place);
        }
        let of_left = self.solver.sets.texts(left);
        let mut result = self.binary(operator, left, right, place, false);
        if operator == Operator::Div && self.solver.sets.may_hold_paths(left) {
            // `folder / "quote.py"`
            let path = self.paths_given(right);
            result = self.solver.sets.union(result, path);
        }
        let beginning = self.solver.sets.union(beginning, of_left);
        self.solver.sets.union(result, beginning)
    }

    /// `then if test else otherwise`: each value under its outcome of the test.
    fn conditional(&mut self, test: ExprId, then: ExprId, otherwise: ExprId) -> SetId {
        self.eval_test(test);
        let before = self.solver.state.environment.clone();
        self.narrow(test, true);
        let then = self.eval(then);
        self.solver.state.environment.clone_from(&before);
        self.narrow(test, false);
        let otherwise = self.eval(otherwise);
        self.solver.state.environment = before;
        self.solver.sets.union(then, otherwise)
    }

    /// `await value`
    fn awaited(&mut self, value: ExprId, place: Position) -> SetId {
        let before = self.solver.output.unresolved.len();
        let set = self.eval(value);
        self.solver.mark_awaited(value, before);
        let awaited = self.special(set, "__await__", &[], place);
        let returned = self.returned_by(set);
        let awaited = self.solver.sets.union(awaited, returned);
        // A coroutine's set is that of its results already.
        if awaited == SetId::EMPTY { set } else { self.solver.sets.union(set, awaited) }
    }

    /// `f"{value}"`: a text, and its beginning or else its end where these are written.
    fn format_string(&mut self, values: Run, (prefix, suffix): (NameId, NameId), place: Position) -> SetId {
        for &value in self.solver.bodies.list(values) {
            let set = self.eval(value);
            self.run_conversion(set, FORMAT, place);
        }
        let (text, beginning) = (self.solver.sets.builtin_instance("str"), self.solver.beginning(prefix));
        let part = if beginning == SetId::EMPTY { self.solver.ending(suffix) } else { beginning };
        self.solver.sets.union(text, part)
    }

    /// `f"examples/{name}.py"`: the modules at paths that are put together.
    fn files_computed(&mut self, expression: ExprId, suffix: NameId) -> SetId {
        let mut files = SetId::EMPTY;
        if self.solver.bodies.names.text(suffix).ends_with(".py") {
            for path in self.solver.texts_computed(expression) {
                let file = self.solver.file_named(&path);
                files = self.solver.sets.union(files, file);
            }
        }
        files
    }

    fn eval_parts(&mut self, parts: Run) {
        for &part in self.solver.bodies.list(parts) {
            self.eval(part);
        }
    }

    /// `left and right`, `left or right`. The right side is evaluated in the same way as the whole: for its value, or
    /// for its truth.
    fn either(&mut self, expression: ExprId, evaluate: fn(&mut Self, ExprId) -> SetId) -> SetId {
        let ExprKind::Bool { left, right, is_and } = self.solver.bodies.expressions[expression as usize].kind else {
            return SetId::EMPTY;
        };
        let first = self.eval_test(left);
        let before = self.solver.state.environment.clone();
        self.narrow(left, is_and);
        let second = evaluate(self, right);
        self.solver.state.environment = before;
        if is_and {
            let first = self.solver.false_ones(first);
            return self.solver.sets.union(first, second);
        }
        let second = self.instead_of(first, second);
        self.solver.sets.union(first, second)
    }

    /// Evaluates a condition: `if x` asks for the truth of `x`.
    pub(crate) fn eval_test(&mut self, test: ExprId) -> SetId {
        if let Some(ExprKind::Bool { .. }) = self.solver.bodies.kind(test) {
            return self.either(test, Self::eval_test);
        }
        let set = self.eval(test);
        if test != NONE
            && matches!(
                self.solver.bodies.expressions[test as usize].kind,
                ExprKind::Name { .. }
                    | ExprKind::Attribute { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::Subscript { .. }
                    | ExprKind::Named { .. }
                    | ExprKind::Compare { .. }
            )
        {
            self.special_first(set, &["__bool__", "__len__"], self.solver.bodies.place_of(test));
        }
        set
    }

    pub(crate) fn lambda(&mut self, function: u32) -> SetId {
        let function = &self.solver.bodies.functions[function as usize];
        let owner = self.solver.look.own.id(function.entity);
        for (index, parameter) in (0..).zip(&function.parameters) {
            if parameter.default != NONE {
                let default = self.eval(parameter.default);
                self.solver.add(questions::parameter(owner, function.lambda, index), default);
            }
        }
        self.solver.sets.single(Value::Function(owner, function.lambda), Basis::Scope)
    }

    fn comprehension(&mut self, kind: SequenceKind, element: ExprId, key: ExprId, clauses: Run, site: u32) -> SetId {
        let bodies = self.solver.bodies;
        let has_conditions = |&clause: &ExprId| {
            matches!(bodies.expressions[clause as usize].kind, ExprKind::Clause { conditions: (_, 1..), .. })
        };
        // A condition narrows in the comprehension alone.
        let before = bodies.list(clauses).iter().any(has_conditions).then(|| self.solver.state.environment.clone());
        for &clause in bodies.list(clauses) {
            let ExprKind::Clause { target, iterable, conditions, is_async } = bodies.expressions[clause as usize].kind
            else {
                continue;
            };
            let iterated = self.eval(iterable);
            let place = self.solver.bodies.place_of(iterable);
            let item = self.iterate_by(is_async, iterated, place, 0);
            let outer = self.taken_from(iterable);
            self.assign_element(target, iterable, item);
            self.solver.comes_from(outer);
            for &condition in bodies.list(conditions) {
                self.eval_test(condition);
                self.narrow(condition, true);
            }
        }
        let keys = self.eval(key);
        let item = self.eval(element);
        if let Some(before) = before {
            self.solver.state.environment = before;
        }
        let is_dict = kind == SequenceKind::Dict;
        if matches!(kind, SequenceKind::Set | SequenceKind::Dict) {
            let at = if is_dict { key } else { element };
            self.hashed(if is_dict { keys } else { item }, self.solver.bodies.place_of(at));
        }
        let container = Value::Container(self.solver.entity, Site::Written { number: site, is_dict });
        let outer = self.solver.comes_from(element);
        self.solver.add_element(container, Slot::Any, item);
        self.solver.comes_from(outer);
        self.solver.add_keys(container, keys);
        self.solver.sets.single(container, Basis::Constructed)
    }

    /// `left operator right` by the special methods of both; `is_augmented` tries the in-place one first.
    pub(crate) fn binary(
        &mut self,
        operator: Operator,
        left: SetId,
        right: SetId,
        place: Position,
        is_augmented: bool,
    ) -> SetId {
        let Some((name, reflected)) = special_names(operator) else { return SetId::EMPTY };
        let mut result = SetId::EMPTY;
        if is_augmented {
            let in_place = format!("__i{}", &name[2..]);
            result = self.special(left, &in_place, &[right], place);
        }
        if is_augmented && operator == Operator::Add && self.solver.sets.holds(left, Kinds::CONTAINERS) {
            // `items += more` takes what iteration over the right side gives.
            let right = self.expand_parameters(right);
            let objects =
                self.solver.sets.only(right, |value| matches!(value, Value::Instance(_) | Value::Generator(..)));
            let added = self.iterate(objects, place, 0);
            self.solver.put(left, Slot::Any, added);
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
            result = self.solver.sets.union(own, reflected);
        }
        let is_kept = matches!(operator, Operator::Add | Operator::Or | Operator::Mul | Operator::Sub | Operator::And);
        if is_kept && result == SetId::EMPTY || matches!(operator, Operator::Add | Operator::Or) {
            // Lists are concatenated and repeated, sets and dicts joined, types too.
            for set in [left, right] {
                let kept = self.solver.sets.only(set, |value| matches!(value, Value::Container(..) | Value::Class(_)));
                let kept = self.solver.without_operator(kept, name);
                result = self.solver.sets.union(result, kept);
            }
        }
        if result == SetId::EMPTY && operator == Operator::Mod {
            return self.solver.sets.only(left, |value| matches!(value, Value::ExternalInstance(_)));
        }
        result
    }

    /// `left operator right`: the result of the special method, mostly a truth. Classes that describe conditions, such
    /// as columns of tables, give an object.
    fn compare(&mut self, operator: Operator, left: ExprId, right: ExprId, place: Position) -> SetId {
        let written = (left, right);
        let (left, right) = (self.eval(left), self.eval(right));
        let given = match operator {
            Operator::In | Operator::NotIn => {
                self.hashed_by(right, left, place);
                let asked = self.run_mixed_in_contains(right, left, place);
                self.special_first(asked, &["__contains__", "__iter__", "__getitem__"], place);
                if !matches!(
                    self.solver.bodies.kind(written.1),
                    Some(ExprKind::Sequence { kind: SequenceKind::Set, .. })
                ) {
                    self.compare_elements(right, left, place);
                }
                SetId::EMPTY
            }
            Operator::Eq => self.compare_equal((written.0, left), (written.1, right), &["__eq__"], place),
            Operator::NotEq => self.compare_equal((written.0, left), (written.1, right), &["__ne__", "__eq__"], place),
            Operator::Less => self.ordering(left, right, "__lt__", "__gt__", place),
            Operator::LessEq => self.ordering(left, right, "__le__", "__ge__", place),
            Operator::Greater => self.ordering(left, right, "__gt__", "__lt__", place),
            Operator::GreaterEq => self.ordering(left, right, "__ge__", "__le__", place),
            _ => SetId::EMPTY,
        };
        let objects = self.solver.sets.only(given, |value| matches!(value, Value::Instance(_)));
        if objects == SetId::EMPTY { self.solver.sets.builtin_instance("bool") } else { objects }
    }

    fn ordering(&mut self, left: SetId, right: SetId, name: &str, reflected: &str, place: Position) -> SetId {
        self.order_parts(left, place);
        let mut given = self.special(left, name, &[right], place);
        if given == SetId::EMPTY {
            given = self.special(right, reflected, &[left], place);
        }
        if given == SetId::EMPTY && self.has_other_ordering(left, name) {
            // Methods that `total_ordering` adds ask the one that the class defines.
            self.special_first(left, &["__lt__", "__le__", "__gt__", "__ge__"], place);
        }
        given
    }

    /// Instances of the classes in a set.
    pub(crate) fn instances(&mut self, set: SetId, basis: Basis) -> SetId {
        let set = self.expand_parameters(set);
        let mut entries = values::Entries::new();
        for &entry in self.solver.sets.entries(set) {
            let (value, own) = values::parts(entry);
            match value {
                Value::Class(class) => entries.push(values::entry(Value::Instance(class), own.max(basis))),
                Value::External(hash) => entries.push(values::entry(Value::ExternalInstance(hash), own.max(basis))),
                Value::Applied(..) => entries.push(entry),
                _ => {}
            }
        }
        self.solver.sets.of(entries)
    }
}

impl Sets {
    /// Whether a set may hold a path: the folder in `folder / "quote.py"`. That is an object from outside, no number.
    fn may_hold_paths(&self, set: SetId) -> bool {
        const NUMBERS: [u64; 2] = [known::dotted("builtins.int"), known::dotted("builtins.float")];
        self.entries(set).iter().any(|&entry| match values::parts(entry).0 {
            Value::ExternalInstance(class) => !NUMBERS.contains(&class),
            _ => false,
        })
    }
}
