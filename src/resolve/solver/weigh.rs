//! Lowers the evidence of relationships that are less likely than the step that found them. This happens at the end,
//! because the rounds bring further alternatives.
//!
//! - Several definitions of one name at one place: [`Basis::Choice`]. A test double is one of several; the definition
//!   that it replaces is not.
//! - More than [`CROWD`] values at one place: [`Basis::Crowd`].
//! - A special method of a value from elsewhere: [`Basis::Implicit`].
//! - Overrides of an abstract or empty base method: [`Basis::Implemented`]; the base method itself becomes a choice.
//! - Values of a test that runs with several parameters, one after the other: [`Basis::Parametrized`].
//! - Calls under `if __name__ == "__main__":`: [`Basis::Script`].
//! - Members of a parameter whose class a test tells: [`Basis::Tested`].
//! - Calls that a method of a library makes: [`Basis::Inherited`], [`Basis::Conditional`], [`Basis::Failure`].

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, NONE, Operator, Stmt, VarId},
    },
    model::{
        Basis, EntityId, EntityKind, Position, Relationship, RelationshipKind,
        conventions::{is_special, pytest::is_test_path},
    },
    resolve::{names::Lookup, solver::Solver},
};

/// Special methods that only few values support, so that a use of one narrows the value.
const OF_FEW: [&str; 11] = [
    "__init__",
    "__new__",
    "__post_init__",
    "__call__",
    "__enter__",
    "__exit__",
    "__aenter__",
    "__aexit__",
    "__get__",
    "__set__",
    "__delete__",
];

/// Of more values at one place than these, few get there at run time.
const CROWD: usize = 16;

/// One of the definitions at one place.
#[derive(Clone, Copy, Default)]
struct Alternative {
    /// The name's hash.
    name: u64,
    /// The parent of the definition.
    parent: Option<EntityId>,
    /// It is defined in a test but named outside of tests.
    is_stand_in: bool,
}

impl Alternative {
    /// A test double takes nothing from the definition that it replaces.
    fn is_alternative_to(self, other: Alternative) -> bool {
        self.name == other.name && self.parent != other.parent && (!self.is_stand_in || other.is_stand_in)
    }
}

impl Lookup<'_> {
    /// Weakens alternatives: methods of one name on the classes that a receiver can have.
    pub(crate) fn weigh_choices(&mut self, relationships: &mut [Relationship]) {
        let is_followed = |basis: Basis| matches!(basis, Basis::Annotated | Basis::Returned | Basis::Stored);
        let mut at: Vec<(EntityId, u32, u32, RelationshipKind, u32)> = (0..)
            .zip(&*relationships)
            .filter(|(_, edge)| edge.basis <= Basis::Dispatched || edge.basis == Basis::Choice)
            .map(|(index, edge)| (edge.source, edge.line, edge.column, edge.kind, index))
            .collect();
        at.sort_unstable();
        for occurrence in at.chunk_by(|a, b| (a.0, a.1, a.2, a.3) == (b.0, b.1, b.2, b.3)) {
            if occurrence.len() < 2 {
                continue;
            }
            let is_of = |index: u32, basis: Basis| relationships[index as usize].basis == basis;
            let (overrides, others): (Vec<_>, Vec<_>) =
                occurrence.iter().partition(|&&(.., index)| is_of(index, Basis::Dispatched));
            let left_open = self.left_open(relationships, occurrence.iter().map(|&(.., index)| index as usize));
            let occurrence: Vec<_> = others.into_iter().filter(|&&(.., index)| !is_of(index, Basis::Choice)).collect();
            let indices = || occurrence.iter().map(|&&(.., index)| index as usize);
            // The base method does nothing or raises, so an override runs.
            if !overrides.is_empty() && indices().any(|index| self.is_hook(relationships[index].target)) {
                for &&(.., index) in &overrides {
                    relationships[index as usize].basis = Basis::Implemented;
                }
            }
            for index in left_open {
                relationships[index].basis = Basis::Choice;
            }
            if occurrence.len() > CROWD {
                for index in indices() {
                    let basis = &mut relationships[index].basis;
                    // Only values that came from elsewhere: a definition named here is certain however many others
                    // there are.
                    if matches!(*basis, Basis::Passed | Basis::Element) {
                        *basis = Basis::Crowd;
                    }
                }
            }
            if occurrence.len() < 2 || !indices().any(|index| is_followed(relationships[index].basis)) {
                continue;
            }
            // Two definitions of one name in one scope are one: overloads, `if` and `else`.
            let targets: SmallVec<[_; 8]> =
                indices().map(|index| self.alternative(relationships[index].target)).collect();
            for (place, index) in indices().enumerate() {
                let own = targets[place];
                let has_others = targets.iter().any(|other| other.is_alternative_to(own));
                if has_others && is_followed(relationships[index].basis) {
                    relationships[index].basis = Basis::Choice;
                }
            }
        }
        let is_in_tests = is_test_path(&self.own.path);
        let mut parametrized = FxHashMap::default();
        for edge in relationships {
            if !edge.basis.is_from_elsewhere() {
                continue;
            }
            if edge.kind == RelationshipKind::Calls && self.is_implicit(edge.target) {
                edge.basis = Basis::Implicit;
            } else if is_in_tests && self.is_parametrized(edge.source, &mut parametrized) {
                edge.basis = Basis::Parametrized;
            }
        }
    }

    /// The abstract or empty methods among the definitions at one place, if an override is there too: the override
    /// runs.
    fn left_open(
        &mut self,
        relationships: &[Relationship],
        occurrence: impl Iterator<Item = usize>,
    ) -> SmallVec<[usize; 2]> {
        let (open, others): (SmallVec<[usize; 2]>, SmallVec<[usize; 2]>) =
            occurrence.partition(|&index| self.flags(relationships[index].target).is_left_open());
        if others.is_empty() || open.is_empty() {
            return SmallVec::new();
        }
        let names: SmallVec<[u64; 8]> =
            others.iter().map(|&index| self.alternative(relationships[index].target).name).collect();
        open.into_iter().filter(|&index| names.contains(&self.alternative(relationships[index].target).name)).collect()
    }

    pub(crate) fn is_hook(&mut self, entity: EntityId) -> bool {
        self.flags(entity).is_hook()
    }

    /// Whether Python itself runs the method of a value, as it does for its own values. Calls, `with` and descriptors
    /// are excluded: few values support them.
    fn is_implicit(&mut self, entity: EntityId) -> bool {
        let found = self.with_head(entity, |info, head| {
            let name = info.interface.names.text(head.name);
            head.kind == EntityKind::Method && is_special(name) && !OF_FEW.contains(&name)
        });
        found == Some(true)
    }

    fn alternative(&mut self, entity: EntityId) -> Alternative {
        let is_in_tests = is_test_path(&self.own.path);
        let found = self.with_head(entity, |info, head| Alternative {
            name: info.interface.names.hash(head.name),
            parent: Some(info.id(head.parent)),
            is_stand_in: !is_in_tests && is_test_path(&info.path),
        });
        found.unwrap_or_default()
    }
}

impl Solver<'_> {
    /// Says of members of a parameter that a test tells its class: nothing constructed it here.
    pub(crate) fn weigh_tested(&self, relationships: &mut [Relationship]) {
        let mut made = relationships.iter_mut().filter(|edge| edge.basis == Basis::Constructed).peekable();
        if made.peek().is_none() {
            return;
        }
        let members = self.bodies.members_of_tested();
        for edge in made.filter(|edge| members.contains(&(edge.line, edge.column))) {
            edge.basis = Basis::Tested;
        }
    }

    /// Says of the calls since then that a method of a library makes them, and when. Where it always does, a receiver
    /// that is less certain stays so.
    pub(crate) fn calls_are_of_library(&mut self, first: usize, when: Basis) {
        for edge in &mut self.output.relationships[first..] {
            let is_surer = when != Basis::Inherited || edge.basis.probability() > when.probability();
            if edge.kind == RelationshipKind::Calls && is_surer {
                edge.basis = when;
            }
        }
    }

    /// `if __name__ == "__main__":` marks the calls since then: they run in a script, not on import.
    pub(crate) fn calls_are_of_script(&mut self, test: ExprId, first: usize) {
        if self.scope != 0 || !self.bodies.is_test_for_script(test) {
            return;
        }
        for edge in &mut self.output.relationships[first..] {
            if edge.kind == RelationshipKind::Calls {
                edge.basis = Basis::Script;
            }
        }
    }
}

impl Bodies {
    /// The places of members of parameters that `isinstance` or a `case` tests, and that nothing else gives a value.
    fn members_of_tested(&self) -> FxHashSet<Position> {
        let variable = |expression: ExprId| match self.kind(expression) {
            Some(&ExprKind::Name { variable, .. }) if variable != NONE => Some(variable),
            _ => None,
        };
        let mut tested: FxHashSet<VarId> = FxHashSet::default();
        for expression in &self.expressions {
            if let ExprKind::Call { callee, arguments, .. } = expression.kind
                && self.last_name(callee) == Some("isinstance")
            {
                tested.extend(self.list(arguments).first().and_then(|&subject| variable(subject)));
            }
        }
        for statement in &self.statements {
            if let Stmt::Match { subject, .. } = statement {
                tested.extend(variable(*subject));
            }
        }
        // Most files test nothing.
        if tested.is_empty() {
            return FxHashSet::default();
        }
        let parameters = self.functions.iter().flat_map(|function| &function.parameters);
        let passed: FxHashSet<VarId> =
            parameters.filter(|one| !self.is_call(one.default)).map(|one| one.variable).collect();
        tested.retain(|variable| passed.contains(variable));
        for statement in &self.statements {
            if let Stmt::Assign { target, .. } | Stmt::Annotated { target, .. } = *statement
                && let Some(assigned) = variable(target)
            {
                tested.remove(&assigned);
            }
        }
        let is_member = |kind: &ExprKind| match *kind {
            ExprKind::Attribute { base, .. } => variable(base).is_some_and(|base| tested.contains(&base)),
            _ => false,
        };
        let members = self.expressions.iter().filter(|expression| is_member(&expression.kind));
        members.map(|member| (member.line, member.column)).collect()
    }

    fn is_test_for_script(&self, test: ExprId) -> bool {
        let bodies = self;
        match bodies.kind(test) {
            Some(&ExprKind::Compare { operator: Operator::Eq, left, right }) => {
                let is_name = |side| bodies.last_name(side) == Some("__name__");
                let is_main = |side| bodies.text(side) == Some("__main__");
                is_name(left) && is_main(right) || is_main(left) && is_name(right)
            }
            Some(&ExprKind::Bool { left, right, is_and: true }) => {
                self.is_test_for_script(left) || self.is_test_for_script(right)
            }
            _ => false,
        }
    }
}
