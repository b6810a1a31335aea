//! Arguments of a call, and how they are bound to parameters.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, Run},
    },
    model::{Basis, EntityId, Position},
    resolve::{
        interpret::calls::conditional_returns::{Keywords, Truths},
        solver::Solver,
        values::{self, SetId, Sets, Value},
    },
};

/// How deep calls of called values are followed within one expression.
pub(crate) const MAX_DEPTH: u32 = 6;

/// Evaluated arguments.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) positional: SmallVec<[SetId; 6]>,
    /// The sets of keyword arguments, by the hash of the keyword.
    pub(crate) keywords: SmallVec<[(u64, SetId); 4]>,
    /// Elements of `*args`, which may stand for any further positional argument.
    pub(crate) spread: SetId,
    /// Containers passed as `**kwargs`.
    pub(crate) mapping: SetId,
    /// Truths of the positional arguments, where these are literals.
    pub(crate) truths: Truths,
    pub(crate) keyword_truths: Truths,
    /// There is a `*` or `**`, even one that holds nothing.
    pub(crate) has_stars: bool,
    /// There is a `**`.
    pub(crate) has_mapping: bool,
    /// The expressions themselves.
    pub(crate) written: Run,
    /// The keyword arguments as they are written.
    pub(crate) named: Run,
}

/// The arguments of a call, bound: a set for each parameter.
#[derive(Clone, Default)]
pub(crate) struct BoundArguments {
    pub(crate) sets: SmallVec<[SetId; 8]>,
    /// Parameters that are left out, as bits.
    pub(crate) left_out: u64,
    /// Literals that are written out, for functions with overloads.
    pub(crate) literals: SmallVec<[(u32, u64); 2]>,
    pub(crate) truths: Truths,
    pub(crate) keywords: Keywords,
}

/// A call as the rules for results see it.
pub(crate) struct AnyCall<'a> {
    /// The expression before the parentheses.
    pub(crate) callee: ExprId,
    /// The points-to set of the callee.
    pub(crate) callees: SetId,
    /// The points-to set of the expression before the dot; empty where there is none.
    pub(crate) receivers: SetId,
    pub(crate) arguments: &'a Arguments,
    /// Some definition is known that the callee's name refers to.
    pub(crate) is_defined: bool,
    pub(crate) place: Position,
}

/// A call of a method, `receivers.method(arguments)`, as the rules for method calls see it.
pub(crate) struct MethodCall<'a> {
    /// The expression before the parentheses.
    pub(crate) callee: ExprId,
    /// The points-to set of the callee.
    pub(crate) callees: SetId,
    /// The points-to set of the expression before the dot.
    pub(crate) receivers: SetId,
    pub(crate) method: NameId,
    pub(crate) arguments: &'a Arguments,
    /// Some definition is known that the method's name refers to.
    pub(crate) is_defined: bool,
    pub(crate) place: Position,
}

impl BoundArguments {
    /// The first parameters and nothing else.
    pub(crate) fn of(sets: &[SetId]) -> Self {
        BoundArguments { sets: sets.iter().copied().collect(), ..BoundArguments::default() }
    }

    pub(crate) fn passed(&self, index: u32) -> SetId {
        self.sets.get(index as usize).copied().unwrap_or(SetId::EMPTY)
    }

    pub(crate) fn is_left_out(&self, index: u32) -> bool {
        index < 64 && self.left_out >> index & 1 == 1
    }
}

impl Arguments {
    pub(crate) fn of(sets: &[SetId]) -> Self {
        Arguments { positional: sets.iter().copied().collect(), ..Arguments::default() }
    }

    /// Any number of positional arguments, each with these values.
    pub(crate) fn of_elements(spread: SetId) -> Self {
        Arguments { spread, has_stars: true, ..Arguments::default() }
    }

    /// The arguments from a position on.
    pub(crate) fn after(&self, position: usize) -> Self {
        Arguments {
            positional: self.positional.iter().skip(position).copied().collect(),
            keywords: self.keywords.clone(),
            keyword_truths: self.keyword_truths,
            spread: self.spread,
            mapping: self.mapping,
            has_stars: self.has_stars,
            has_mapping: self.has_mapping,
            ..Arguments::default()
        }
    }

    pub(crate) fn named(&self) -> Run {
        self.named
    }

    pub(crate) fn written(&self) -> Run {
        self.written
    }

    /// The positional argument at a position; empty where it is left out.
    pub(crate) fn at(&self, position: usize) -> SetId {
        self.positional.get(position).copied().unwrap_or_default()
    }

    /// The first positional argument, else the elements of `*args`.
    pub(crate) fn first(&self) -> SetId {
        self.positional.first().copied().unwrap_or(self.spread)
    }
}

/// Methods to call, each with its strongest basis and its receivers.
pub(crate) type Methods = SmallVec<[(EntityId, Basis, Vec<values::Entry>); 4]>;

pub(crate) fn gather(methods: &mut Methods, method: EntityId, basis: Basis, receiver: Option<values::Entry>) {
    match methods.iter_mut().find(|(other, ..)| *other == method) {
        Some((_, strongest, receivers)) => {
            *strongest = basis.min(*strongest);
            receivers.extend(receiver);
        }
        None => methods.push((method, basis, receiver.into_iter().collect())),
    }
}

/// Whether a result of `__new__` is followed: an object, or `partial` of a class or function.
pub(crate) fn is_followed_object(value: Value) -> bool {
    matches!(value, Value::Instance(_) | Value::Class(_) | Value::Function(..) | Value::Bound(..))
}

impl Solver<'_> {
    /// The result of a call that runs wrappers and the functions they wrap. A wrapper that returns the result of its
    /// function gives, at this call, that of the function called here. It gives nothing of its other calls.
    pub(crate) fn wrapper_result(&mut self, callees: &[EntityId], of_wrappers: SetId, of_wrapped: SetId) -> SetId {
        let followed =
            self.sets.only(of_wrapped, |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_)));
        if followed == SetId::EMPTY || of_wrappers == SetId::EMPTY {
            return self.sets.union(of_wrappers, of_wrapped);
        }
        let given = |sets: &Sets, value: u64| sets.entries(of_wrappers).iter().any(|&entry| entry >> 4 == value);
        let is_handed_on = self.sets.entries(followed).iter().all(|&entry| given(&self.sets, entry >> 4))
            || callees.iter().any(|&callee| self.hands_on(callee));
        if is_handed_on { of_wrapped } else { self.sets.union(of_wrappers, of_wrapped) }
    }
}
