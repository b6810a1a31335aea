//! Returns under a test of an argument: `if x is None`, `if as_list`, `if kwargs.pop("many", False)`.
//!
//! Returns under such a test carry a mark for its condition. A call gets those whose condition its arguments may meet.

use smallvec::SmallVec;

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, Literal, NONE, Operator, Stmt, VarId},
        interface::ParameterKind,
    },
    model::EntityId,
    resolve::{
        interpret::calls::arguments::BoundArguments,
        library::known,
        names::Lookup,
        solver::Solver,
        typing::literal_arguments::is_concrete,
        values::{
            self, SetId, Value,
            condition::{Condition, Test},
        },
    },
};

/// Keywords of a call that no parameter takes: the hash of each, with its truth where it is a literal. `None` where
/// there may be others.
pub(crate) type Keywords = Option<SmallVec<[(u64, Option<bool>); 2]>>;

/// Truths of literals, by position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Truths {
    pub(crate) truly: u64,
    pub(crate) falsely: u64,
}

impl Truths {
    pub(crate) fn set(&mut self, position: usize, truth: Option<bool>) {
        let bit = u32::try_from(position).ok().and_then(|position| 1u64.checked_shl(position)).unwrap_or(0);
        match truth {
            Some(true) => self.truly |= bit,
            Some(false) => self.falsely |= bit,
            None => {}
        }
    }

    pub(crate) fn get(self, position: usize) -> Option<bool> {
        let has = |bits: u64| position < 64 && bits >> position & 1 == 1;
        if has(self.truly) { Some(true) } else { has(self.falsely).then_some(false) }
    }
}

/// Whether a keyword that no parameter takes can be false or not there, and can be there and true.
fn keyword_passed(bits: u16, bound: &BoundArguments, outcomes: fn(Option<bool>) -> (bool, bool)) -> (bool, bool) {
    let Some(keywords) = &bound.keywords else { return (true, true) };
    match keywords.iter().find(|&&(keyword, _)| Condition::bits_of(keyword) == bits) {
        None => (true, false),
        Some(&(_, truth)) => outcomes(truth),
    }
}

/// Whether a value can be false, and whether it can be true.
fn outcomes_of(truth: Option<bool>) -> (bool, bool) {
    (truth != Some(true), truth != Some(false))
}

impl Solver<'_> {
    /// The condition that a test asks for, and whether it is met by `None`, false or a missing keyword at this outcome:
    /// `x is None`, `if x`, `"key" in kwargs`. It holds as long as the parameter keeps its argument.
    pub(crate) fn test_of_passed(&self, test: ExprId, outcome: bool) -> Option<(Test, bool)> {
        let bodies = self.bodies;
        let passed = |condition, fails| Some((Test::Passed(condition), fails));
        if self.is_test_for_private_name(test) {
            return Some((Test::PrivateName, outcome));
        }
        let is_none = |id: ExprId| matches!(bodies.kind(id), Some(ExprKind::Literal(Literal::None)));
        match *bodies.kind(test)? {
            ExprKind::Not(inner) => self.test_of_passed(inner, !outcome),
            ExprKind::Bool { left, right, is_and } if is_and == outcome => {
                self.test_of_passed(left, outcome).or_else(|| self.test_of_passed(right, outcome))
            }
            ExprKind::Compare { operator: Operator::Is, left, right } if is_none(right) => {
                passed(Condition::IsNone(self.parameter_held(left)?), outcome)
            }
            ExprKind::Compare { operator: Operator::IsNot, left, right } if is_none(right) => {
                passed(Condition::IsNone(self.parameter_held(left)?), !outcome)
            }
            ExprKind::Compare { operator: operator @ (Operator::In | Operator::NotIn), left, right } => {
                let bits = self.mark_of_keyword(right, left)?;
                passed(Condition::KeywordIsGiven(bits), (operator == Operator::NotIn) == outcome)
            }
            ExprKind::Name { variable, .. } => {
                let parameter = self.parameter_held(test).map(Condition::IsTrue);
                let condition = parameter.or_else(|| self.keyword_taken(self.value_assigned(variable)?))?;
                passed(condition, !outcome)
            }
            ExprKind::Call { .. } => passed(self.keyword_taken(test)?, !outcome),
            _ => None,
        }
    }

    /// The index of the parameter whose value a variable still has; none where it is too large for a [`Condition`].
    pub(crate) fn parameter_held(&self, expression: ExprId) -> Option<u8> {
        let ExprKind::Name { variable, .. } = *self.bodies.kind(expression)? else {
            return None;
        };
        let info = self.bodies.variables.get(variable as usize)?;
        let function = self.bodies.functions.get(self.function as usize)?;
        if info.scope != self.scope {
            return None;
        }
        match *self.sets.entries(self.state.environment[info.slot as usize]) {
            [entry] => match values::parts(entry).0 {
                Value::Parameter(owner, lambda, index)
                    if owner == self.look.own.id(function.entity) && lambda == function.lambda =>
                {
                    u8::try_from(index).ok()
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `kwargs.pop("key", False)`, `kwargs.get("key")`: a keyword is asked for its truth.
    fn keyword_taken(&self, call: ExprId) -> Option<Condition> {
        let bodies = self.bodies;
        let ExprKind::Call { callee, arguments, .. } = *bodies.kind(call)? else { return None };
        let ExprKind::Attribute { base, name } = *bodies.kind(callee)? else { return None };
        let (&key, default) = match bodies.list(arguments) {
            [key] => (key, None),
            [key, default] => (key, Some(*default)),
            _ => return None,
        };
        let is_false = default.is_none_or(|default| bodies.truth(default) == Some(false));
        (is_false && matches!(bodies.names.text(name), "pop" | "get")).then_some(())?;
        self.mark_of_keyword(base, key).map(Condition::KeywordIsTrue)
    }

    /// The bits for a keyword that the present function's `**kwargs` gathers.
    fn mark_of_keyword(&self, mapping: ExprId, key: ExprId) -> Option<u16> {
        let bodies = self.bodies;
        let ExprKind::Text(key) = *bodies.kind(key)? else { return None };
        let ExprKind::Name { variable, .. } = *bodies.kind(mapping)? else { return None };
        let function = bodies.functions.get(self.function as usize).filter(|function| function.lambda == 0)?;
        let last = function.parameters.last()?;
        (last.kind == ParameterKind::Keywords && last.variable == variable).then_some(())?;
        Some(Condition::bits_of(bodies.names.hash(key)))
    }

    /// The value that a variable of a function with `**kwargs` is assigned in its body, outside all blocks.
    fn value_assigned(&self, variable: VarId) -> Option<ExprId> {
        let bodies = self.bodies;
        let function = bodies.functions.get(self.function as usize)?;
        function.parameters.last().filter(|last| last.kind == ParameterKind::Keywords && variable != NONE)?;
        function.body.iter().find_map(|&statement| match bodies.statements[statement as usize] {
            Stmt::Assign { target, value } if bodies.is_variable(target, variable) => Some(value),
            _ => None,
        })
    }

    /// Whether the argument for a parameter can be `None`, and whether it can be another value.
    pub(crate) fn noneness(
        &mut self,
        function: EntityId,
        lambda: u32,
        condition: Condition,
        bound: &BoundArguments,
    ) -> (bool, bool) {
        let (index, is_truth) = match condition {
            Condition::KeywordIsTrue(bits) => return keyword_passed(bits, bound, outcomes_of),
            Condition::KeywordIsGiven(bits) => return keyword_passed(bits, bound, |_| (false, true)),
            Condition::IsNone(index) => (u32::from(index), false),
            Condition::IsTrue(index) => (u32::from(index), true),
        };
        let passed = bound.passed(index);
        if passed == SetId::EMPTY && bound.is_left_out(index) {
            let (is_none, truth) = self.look.default_of(function, lambda, index);
            return if is_truth { outcomes_of(truth) } else { (is_none, !is_none) };
        }
        if let Some(truth) = bound.truths.get(index as usize).filter(|_| is_truth) {
            return (!truth, truth);
        }
        if passed == SetId::EMPTY || passed == SetId::TOP {
            return (true, true);
        }
        let (mut can_be_none, mut can_be_given) = (false, false);
        for at in self.sets.range(passed) {
            match values::parts(self.sets.at(at)).0 {
                Value::ExternalInstance(known::NONE_TYPE) => can_be_none = true,
                Value::Function(..) | Value::Bound(..) | Value::Class(_) | Value::Instance(_) => can_be_given = true,
                // Any other may be empty or zero.
                _ if is_truth => (can_be_none, can_be_given) = (true, true),
                Value::Parameter(owner, lambda, position) => {
                    can_be_given = true;
                    can_be_none |= self.look.default_of(owner, lambda, position).0;
                }
                Value::ExternalInstance(hash) => {
                    can_be_given = true;
                    can_be_none |= !is_concrete(hash);
                }
                _ => can_be_given = true,
            }
        }
        (can_be_none, can_be_given)
    }
}

impl Lookup<'_> {
    /// Whether the default of a parameter is `None`, and its truth, where it is written out.
    fn default_of(&mut self, function: EntityId, lambda: u32, index: u32) -> (bool, Option<bool>) {
        let Some(callee) = self.signature(function, lambda) else { return (false, None) };
        let parameter = callee.signature().parameters.get(index as usize);
        parameter.map_or((false, None), |parameter| (parameter.is_none_default, parameter.default_truth))
    }
}
