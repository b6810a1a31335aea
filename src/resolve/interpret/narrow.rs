//! What a test says about what it looks at.
//!
//! Goes in: an expression and whether it is true. Comes out: fewer values of the variable, attribute or element that it
//! tests.

use crate::{
    facts::bodies::{ExprId, ExprKind, NONE, Operator},
    model::Basis,
    resolve::{
        engine::{Solver, access_paths::Source},
        library::known,
        questions,
        values::{self, Kinds, SetId, Value},
    },
};

impl<'a> Solver<'a> {
    /// Applies what a true (or false) test says.
    pub(crate) fn narrow(&mut self, test: ExprId, is_true: bool) {
        if test == NONE {
            return;
        }
        let bodies = self.bodies;
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
                match self.builtin_named(callee) {
                    // What is not known is not narrowed by what it is not.
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
                        let classes = self.only(set, |value| matches!(value, Value::Class(_)));
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
                if let Some(subject) = self.asked_for_class(left).filter(|_| holds) {
                    let set = self.quiet(|this| this.eval(right));
                    let instances = self.instances(set, Basis::Constructed);
                    self.narrow_to(subject, instances);
                }
            }
            _ => {}
        }
    }

    /// What a call of a `TypeGuard` that gives true says of its argument.
    fn guarded_by(&mut self, callee: ExprId) -> SetId {
        let functions = self.quiet(|this| this.eval(callee));
        let mut set = SetId::EMPTY;
        for at in self.sets.range(functions) {
            let (Value::Function(function, 0) | Value::Bound(function, _)) = values::parts(self.sets.at(at)).0 else {
                continue;
            };
            if self.look.signature(function, 0).is_some_and(|place| place.signature().is_guard) {
                let guarded = self.read(questions::guarded(function));
                set = self.sets.union(set, guarded);
            }
        }
        set
    }

    /// What of `set` can be false, and so what `set and …` gives of it: not the objects that are always true.
    pub(crate) fn false_ones(&mut self, set: SetId) -> SetId {
        let mut kept = values::Entries::new();
        for at in self.sets.range(set) {
            let entry = self.sets.at(at);
            let is_true = match values::parts(entry).0 {
                Value::Instance(class) => {
                    let mro = self.look.mro(class);
                    let is_known = mro.externals.is_empty() && !mro.is_open;
                    is_known
                        && !["__bool__", "__len__"].iter().any(|name| self.look.inherited(class, name, None).is_some())
                }
                _ => false,
            };
            if !is_true {
                kept.push(entry);
            }
        }
        self.sets.of(kept)
    }

    /// What `first or second` gives of the second: nothing where the first is made here and always true; where it can be an
    /// object, the second is one of several.
    pub(crate) fn instead_of(&mut self, first: SetId, second: SetId) -> SetId {
        let first = self.concrete(first);
        if second == SetId::EMPTY || !self.sets.holds(first, Kinds::INSTANCES) {
            return second;
        }
        let is_made = |&entry: &u64| values::parts(entry).1 <= Basis::Constructed;
        if self.sets.entries(first).iter().all(is_made) && self.false_ones(first) == SetId::EMPTY {
            return SetId::EMPTY;
        }
        self.sets.weaken(second, Basis::Choice)
    }

    /// The classes of `isinstance`'s second argument: one, a tuple that is written out, or a variable that holds one.
    fn classes_tested(&mut self, classes: ExprId) -> SetId {
        let set = self.eval(classes);
        let members = self.iterate_literal(classes);
        let set = self.sets.union(set, members);
        if self.only(set, |value| matches!(value, Value::Container(..))) == SetId::EMPTY {
            return set;
        }
        let kept = self.elements(set);
        self.sets.union(set, kept)
    }

    /// The classes of `isinstance`'s second argument that it has all of at once: what is one of several, the subject can be.
    fn classes_tested_all(&mut self, classes: ExprId) -> SetId {
        let bodies = self.bodies;
        match bodies.kind(classes) {
            Some(&ExprKind::Sequence { items, .. }) => {
                let items = bodies.list(items);
                items.iter().fold(SetId::EMPTY, |all, &item| {
                    let of_item = self.classes_tested_all(item);
                    self.sets.union(all, of_item)
                })
            }
            Some(&ExprKind::Binary { left, right, .. }) => {
                let (left, right) = (self.classes_tested_all(left), self.classes_tested_all(right));
                self.sets.union(left, right)
            }
            _ => {
                let set = self.eval(classes);
                let set = self.concrete(set);
                match *self.sets.entries(set) {
                    [entry] if matches!(values::parts(entry).0, Value::Container(..)) => self.elements(set),
                    [_] => set,
                    _ => SetId::EMPTY,
                }
            }
        }
    }

    /// `x` in `type(x)` and `x.__class__`.
    pub(crate) fn asked_for_class(&self, expression: ExprId) -> Option<ExprId> {
        let bodies = self.bodies;
        match *bodies.kind(expression)? {
            ExprKind::Call { callee, arguments, .. } if self.builtin_named(callee) == "type" => {
                let &[subject] = bodies.list(arguments) else { return None };
                Some(subject)
            }
            ExprKind::Attribute { base, name } if bodies.names.text(name) == "__class__" => Some(base),
            _ => None,
        }
    }

    /// The builtin that an expression names, else an empty text.
    fn builtin_named(&self, expression: ExprId) -> &'a str {
        match self.bodies.kind(expression) {
            Some(&ExprKind::Name { name, variable: NONE }) => self.bodies.names.text(name),
            _ => "",
        }
    }

    /// The subject is one of `wanted` (instances or classes): its own values that fit, and the wanted ones themselves.
    pub(crate) fn narrow_to(&mut self, subject: ExprId, wanted: SetId) {
        if wanted == SetId::EMPTY || wanted == SetId::TOP {
            return;
        }
        let Some(present) = self.tested_values(subject) else { return };
        let set = self.fitting(present, wanted);
        let set = if self.holds_text(wanted) {
            let asked = self.quiet(|this| this.eval(subject));
            let texts = self.texts_given(asked);
            self.sets.union(set, texts)
        } else {
            set
        };
        self.know_tested(subject, set);
    }

    /// The present values that are one of `wanted`, and the wanted ones themselves.
    pub(crate) fn fitting(&mut self, present: SetId, wanted: SetId) -> SetId {
        let present = self.concrete(present);
        let mut kept: Vec<u64> = self.sets.entries(wanted).to_vec();
        for at in self.sets.range(present) {
            let entry = self.sets.at(at);
            if self.is_one_of(values::parts(entry).0, wanted) {
                kept.push(entry);
            }
        }
        self.sets.of(kept)
    }

    /// The subject is none of `instances`.
    pub(crate) fn narrow_out(&mut self, subject: ExprId, instances: SetId) {
        let Some(present) = self.tested_values(subject) else { return };
        if let Some(set) = self.others(present, instances) {
            self.know_tested(subject, set);
        }
    }

    /// The present values without those of `instances`; none where nothing is taken away, or all.
    pub(crate) fn others(&mut self, present: SetId, instances: SetId) -> Option<SetId> {
        if [present, instances].iter().any(|&set| set == SetId::EMPTY || set == SetId::TOP) {
            return None;
        }
        let (mut kept, mut is_less) = (Vec::new(), false);
        for at in self.sets.range(present) {
            let entry = self.sets.at(at);
            if self.is_one_of(values::parts(entry).0, instances) { is_less = true } else { kept.push(entry) }
        }
        // Where nothing is left, the test knows of values that nobody else knows of.
        (is_less && !kept.is_empty()).then(|| self.sets.of(kept))
    }

    fn holds_text(&self, set: SetId) -> bool {
        let text = const { known::dotted("builtins.str") };
        self.sets.entries(set).iter().any(|&entry| values::parts(entry).0 == Value::ExternalInstance(text))
    }

    fn has_instances(&mut self, subject: ExprId) -> bool {
        let Some(present) = self.tested_values(subject) else { return false };
        self.sets.entries(present).iter().any(|&entry| matches!(values::parts(entry).0, Value::Instance(_)))
    }

    /// Whether a value is one of these, or of a class that derives from one of theirs.
    fn is_one_of(&mut self, value: Value, wanted: SetId) -> bool {
        let (Value::Instance(class) | Value::Class(class)) = value else { return false };
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        let is_instance = matches!(value, Value::Instance(_));
        self.sets.entries(wanted).iter().any(|&entry| match values::parts(entry).0 {
            Value::Instance(base) => is_instance && mro.classes.contains(&base),
            Value::Class(base) => !is_instance && mro.classes.contains(&base),
            _ => false,
        })
    }

    /// What the subject of a test can be before it; none where nothing can be said of it.
    fn tested_values(&mut self, subject: ExprId) -> Option<SetId> {
        let is_place = matches!(
            *self.bodies.kind(subject)?,
            ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. }
        );
        if !is_place {
            return None;
        }
        let present = self.quiet(|this| this.eval(subject));
        Some(self.concrete(present))
    }

    fn know_tested(&mut self, subject: ExprId, set: SetId) {
        if let ExprKind::Name { variable, .. } = self.bodies.expressions[subject as usize].kind {
            let Some(info) = self.bodies.variables.get(variable as usize) else { return };
            if info.scope == self.scope {
                self.touch(info.slot);
                self.environment[info.slot as usize] = set;
                if self.function != NONE {
                    // What is defined behind the test may rely on it.
                    let set = self.sets.weaken(set, Basis::Stored);
                    self.grow_variable(variable, set);
                }
                return;
            }
        }
        self.learn(subject, set, Source::Test);
    }
}
