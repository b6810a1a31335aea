//! Narrowing: a test leaves fewer values of the variable, attribute or element that it looks at.

pub(crate) mod tests_of_values;

use crate::{
    facts::bodies::{Capture, Case, ExprId, ExprKind, NONE, Operator},
    model::{Basis, Position},
    resolve::{
        interpret::Interpreter,
        values::{self, Kinds, SetId, Value, questions},
    },
};

impl Interpreter<'_> {
    pub(crate) fn match_cases(&mut self, subject: ExprId, cases: &[Case]) {
        let mut set = self.eval(subject);
        let mut before = self.solver.state.environment.clone();
        let alive = self.solver.state.is_alive;
        let mut ends = Vec::new();
        for case in cases {
            self.solver.state.environment.clone_from(&before);
            self.solver.state.is_alive = alive;
            let mut matched = SetId::EMPTY;
            for &class in &case.classes {
                let class = self.eval(class);
                let instances = self.instances(class, Basis::Constructed);
                matched = self.solver.sets.union(matched, instances);
            }
            for &value in &case.values {
                self.eval(value);
            }
            let whole = if case.classes.is_empty() { set } else { matched };
            for Capture { variable, path } in &case.captures {
                let found =
                    if *variable == case.whole && *variable != NONE { whole } else { self.captured_at(set, path) };
                if *variable != NONE {
                    self.solver.assign_variable(*variable, found);
                }
            }
            if case.whole != NONE {
                self.solver.assign_variable(case.whole, whole);
            }
            self.narrow_to(subject, matched);
            self.eval_test(case.guard);
            self.block(&case.body);
            if self.solver.state.is_alive {
                ends.push(self.solver.state.environment.clone());
            }
            // The next cases see the values that this one leaves.
            if case.guard == NONE && !case.has_parts && matched != SetId::EMPTY {
                self.solver.state.environment.clone_from(&before);
                self.narrow_out(subject, matched);
                before.clone_from(&self.solver.state.environment);
                set = self.solver.others(set, matched).unwrap_or(set);
            }
        }
        self.solver.state.is_alive = alive;
        self.solver.state.environment = before;
        for end in &ends {
            self.solver.join(end);
        }
    }

    /// The values at the end of a path through the subject; mentions the attributes at its end.
    fn captured_at(&mut self, subject: SetId, path: &[ExprId]) -> SetId {
        let bodies = self.solver.bodies;
        let mut set = subject;
        for (index, &step) in path.iter().enumerate() {
            let place = self.solver.bodies.place_of(step);
            set = match bodies.kind(step) {
                Some(&ExprKind::Attribute { base: NONE, name }) => {
                    let (found, referents) = self.attribute(set, name, place, NONE, None);
                    if index + 1 == path.len() {
                        self.solver.emit_references(&referents, place, None);
                    }
                    found
                }
                Some(&ExprKind::Subscript { base: NONE, index }) => match bodies.kind(index) {
                    Some(&ExprKind::Int(position)) => {
                        let position = usize::try_from(position).unwrap_or(0);
                        self.unpacked(set, NONE, position, position + 1, place)
                    }
                    None => self.elements(set),
                    Some(_) => self.item_of(set, index, place),
                },
                Some(&ExprKind::Int(position)) => {
                    let position = usize::try_from(position).unwrap_or(usize::MAX);
                    self.positional(set, position, place)
                }
                Some(&ExprKind::Starred(NONE)) => self.view(set),
                None | Some(ExprKind::Unknown(_)) => SetId::EMPTY,
                Some(_) => {
                    let class = self.quiet(|this| this.eval(step));
                    let instances = self.instances(class, Basis::Constructed);
                    let fitting = self.fitting(set, instances);
                    self.solver.sets.only(fitting, |value| !matches!(value, Value::Unknown))
                }
            };
        }
        set
    }

    /// `x` in `case Point(x, y)`: the value that an object has at this position.
    pub(crate) fn positional(&mut self, objects: SetId, position: usize, place: Position) -> SetId {
        let objects = self.expand_parameters(objects);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(objects) {
            let (Value::Instance(class), basis) = values::parts(self.solver.sets.at(at)) else { continue };
            let Some(name) = self.solver.look.attribute_at(class, position) else { continue };
            let found = self.attribute_of(Value::Instance(class), basis, &name, place);
            self.solver.emit_references(&found.referents, place, None);
            result = self.solver.sets.union(result, found.set);
        }
        result
    }
}

impl Interpreter<'_> {
    /// Narrows by a test that is true, or false.
    pub(crate) fn narrow(&mut self, test: ExprId, is_true: bool) {
        if test == NONE {
            return;
        }
        let bodies = self.solver.bodies;
        match bodies.expressions[test as usize].kind {
            ExprKind::Not(inner) => self.narrow(inner, !is_true),
            ExprKind::Bool { left, right, is_and } if is_and == is_true => {
                self.narrow(left, is_true);
                self.narrow(right, is_true);
            }
            ExprKind::Call { callee, arguments, .. } => {
                let (subject, classes) = match *bodies.list(arguments) {
                    [subject, classes] => (subject, classes),
                    [subject, ..] => (subject, NONE),
                    [] => return,
                };
                match self.solver.builtin_named(callee) {
                    // A test that fails says nothing of values that are not known.
                    "isinstance" if !is_true && !self.has_instances(subject) => {}
                    "isinstance" if is_true => {
                        let set = self.quiet(|this| this.classes_tested(classes));
                        let instances = self.instances(set, Basis::Constructed);
                        self.narrow_to(subject, instances);
                    }
                    "isinstance" => {
                        let set = self.quiet(|this| this.classes_tested_all(classes));
                        let instances = self.instances(set, Basis::Constructed);
                        self.narrow_out(subject, instances);
                    }
                    "issubclass" if is_true => {
                        let set = self.quiet(|this| this.classes_tested(classes));
                        let classes = self.solver.sets.only(set, |value| matches!(value, Value::Class(_)));
                        self.narrow_to(subject, classes);
                    }
                    "" if is_true => {
                        let guarded = self.guarded_by(callee);
                        self.narrow_to(subject, guarded);
                    }
                    _ => {}
                }
            }
            ExprKind::Compare { operator, left, right } => {
                let holds = match operator {
                    Operator::Is | Operator::Eq => is_true,
                    Operator::IsNot | Operator::NotEq => !is_true,
                    _ => return,
                };
                if let Some(subject) = self.solver.class_test_subject(left).filter(|_| holds) {
                    let set = self.quiet(|this| this.eval(right));
                    let instances = self.instances(set, Basis::Constructed);
                    self.narrow_to(subject, instances);
                }
            }
            _ => {}
        }
    }

    /// The classes that a `TypeGuard` declares for its argument, where the call is true.
    fn guarded_by(&mut self, callee: ExprId) -> SetId {
        let functions = self.quiet(|this| this.eval(callee));
        let mut set = SetId::EMPTY;
        for at in self.solver.sets.range(functions) {
            let (Value::Function(function, 0) | Value::Bound(function, _)) = values::parts(self.solver.sets.at(at)).0
            else {
                continue;
            };
            if self.solver.look.signature(function, 0).is_some_and(|found| found.signature().is_guard) {
                let guarded = self.solver.read(questions::guarded(function));
                set = self.solver.sets.union(set, guarded);
            }
        }
        set
    }

    /// The values that `first or second` has of the second. None where the first is always true; one of several where
    /// the first can be an object.
    pub(crate) fn instead_of(&mut self, first: SetId, second: SetId) -> SetId {
        let first = self.expand_parameters(first);
        if second == SetId::EMPTY || !self.solver.sets.holds(first, Kinds::INSTANCES) {
            return second;
        }
        let is_made = |&entry: &u64| values::parts(entry).1 <= Basis::Constructed;
        if self.solver.sets.entries(first).iter().all(is_made) && self.solver.false_ones(first) == SetId::EMPTY {
            return SetId::EMPTY;
        }
        self.solver.sets.weaken(second, Basis::Choice)
    }

    /// The classes of `isinstance`'s second argument: one, a tuple that is written out, or a variable that holds one.
    fn classes_tested(&mut self, classes: ExprId) -> SetId {
        let set = self.eval(classes);
        let members = self.iterate_literal(classes);
        let set = self.solver.sets.union(set, members);
        if self.solver.sets.only(set, |value| matches!(value, Value::Container(..))) == SetId::EMPTY {
            return set;
        }
        let kept = self.elements(set);
        self.solver.sets.union(set, kept)
    }

    /// The classes of `isinstance`'s second argument that are surely among it: a variable with several classes may hold
    /// any one of them, and excludes none.
    fn classes_tested_all(&mut self, classes: ExprId) -> SetId {
        let bodies = self.solver.bodies;
        match bodies.kind(classes) {
            Some(&ExprKind::Sequence { items, .. }) => {
                let items = bodies.list(items);
                items.iter().fold(SetId::EMPTY, |all, &item| {
                    let of_item = self.classes_tested_all(item);
                    self.solver.sets.union(all, of_item)
                })
            }
            Some(&ExprKind::Binary { left, right, .. }) => {
                let (left, right) = (self.classes_tested_all(left), self.classes_tested_all(right));
                self.solver.sets.union(left, right)
            }
            _ => {
                let set = self.eval(classes);
                let set = self.expand_parameters(set);
                match *self.solver.sets.entries(set) {
                    [entry] if matches!(values::parts(entry).0, Value::Container(..)) => self.elements(set),
                    [_] => set,
                    _ => SetId::EMPTY,
                }
            }
        }
    }

    /// The subject is one of `wanted` (instances or classes): its own values that fit, and the wanted ones themselves.
    pub(crate) fn narrow_to(&mut self, subject: ExprId, wanted: SetId) {
        if wanted == SetId::EMPTY || wanted == SetId::TOP {
            return;
        }
        let Some(present) = self.tested_values(subject) else { return };
        let set = self.fitting(present, wanted);
        let set = if self.solver.holds_text(wanted) {
            let asked = self.quiet(|this| this.eval(subject));
            let texts = self.texts_given(asked);
            self.solver.sets.union(set, texts)
        } else {
            set
        };
        self.solver.know_tested(subject, set);
    }

    /// The present values that are one of `wanted`, and the wanted ones themselves.
    pub(crate) fn fitting(&mut self, present: SetId, wanted: SetId) -> SetId {
        let present = self.expand_parameters(present);
        let mut kept: Vec<u64> = self.solver.sets.entries(wanted).to_vec();
        for at in self.solver.sets.range(present) {
            let entry = self.solver.sets.at(at);
            if self.solver.is_one_of(values::parts(entry).0, wanted) {
                kept.push(entry);
            }
        }
        self.solver.sets.of(kept)
    }

    /// The subject is none of `instances`.
    pub(crate) fn narrow_out(&mut self, subject: ExprId, instances: SetId) {
        let Some(present) = self.tested_values(subject) else { return };
        if let Some(set) = self.solver.others(present, instances) {
            self.solver.know_tested(subject, set);
        }
    }

    fn has_instances(&mut self, subject: ExprId) -> bool {
        let Some(present) = self.tested_values(subject) else { return false };
        self.solver.sets.entries(present).iter().any(|&entry| matches!(values::parts(entry).0, Value::Instance(_)))
    }

    /// The values of a test's subject before the test; `None` where the subject is no place that can be narrowed.
    fn tested_values(&mut self, subject: ExprId) -> Option<SetId> {
        let is_place = matches!(
            *self.solver.bodies.kind(subject)?,
            ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. }
        );
        if !is_place {
            return None;
        }
        let present = self.quiet(|this| this.eval(subject));
        Some(self.expand_parameters(present))
    }
}
