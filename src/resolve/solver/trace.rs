//! The record of one run over a file, for explanations: the points-to set of each expression, and the expressions that
//! gave the answers and variables of the file their values.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, NONE, Stmt, VarId},
    },
    model::{EntityId, EntityKind, Position, RelationshipKind},
    resolve::{
        names::{Referents, Target},
        solver::Solver,
        values::{SetId, questions::Key},
    },
};

/// The record of one run over a file.
pub(crate) struct Trace {
    /// By expression.
    pub(crate) values: Vec<SetId>,
    /// The properties, variables and methods that attributes and names stand for.
    pub(crate) names: FxHashMap<ExprId, Vec<EntityId>>,
    /// The entities that are called, imported or used at each place, by rules too.
    pub(crate) edges: FxHashMap<Position, Vec<(RelationshipKind, EntityId)>>,
    /// The rule that emits a relationship at a place, where the expression there does not.
    pub(crate) rules: FxHashMap<(Position, EntityId), Rule>,
    /// Expressions that are iterated.
    pub(crate) iterated: FxHashSet<ExprId>,
    given: BTreeMap<(Key, ExprId), SetId>,
    assigned: BTreeMap<(VarId, ExprId), SetId>,
    /// The expression whose values are being added; [`NONE`] where none does.
    at: ExprId,
    rule: Option<Rule>,
}

/// A rule that joins a place with a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// In one sentence.
    pub sentence: &'static str,
    /// The answer with the joined values, and its owner.
    pub joined: Option<(Key, EntityId)>,
}

/// The expressions that gave an answer or a variable some values, with these; in their order.
pub(crate) type Givers = Vec<(ExprId, SetId)>;

impl Trace {
    pub(crate) fn of(bodies: &Bodies) -> Self {
        Trace {
            values: vec![SetId::EMPTY; bodies.expressions.len()],
            names: FxHashMap::default(),
            edges: FxHashMap::default(),
            rules: FxHashMap::default(),
            iterated: FxHashSet::default(),
            given: BTreeMap::default(),
            assigned: BTreeMap::default(),
            at: NONE,
            rule: None,
        }
    }

    pub(crate) fn givers_of(&self, key: Key) -> Givers {
        givers(&self.given, key)
    }

    pub(crate) fn assigned_to(&self, variable: VarId) -> Givers {
        givers(&self.assigned, variable)
    }
}

fn givers<T: Copy + Ord>(known: &BTreeMap<(T, ExprId), SetId>, of: T) -> Givers {
    known.range((of, 0)..=(of, NONE)).map(|(&(_, expression), &set)| (expression, set)).collect()
}

impl Solver<'_> {
    /// Attributes the output of `work` to a rule, not to the expression at the place.
    pub(crate) fn by_rule<T>(
        &mut self,
        sentence: &'static str,
        joined: Option<(Key, EntityId)>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.begin_rule(sentence, joined);
        let result = work(self);
        self.end_rule(before);
        result
    }

    /// From here on a rule joins places with definitions; returns the rule before.
    pub(crate) fn begin_rule(&mut self, sentence: &'static str, joined: Option<(Key, EntityId)>) -> Option<Rule> {
        self.trace.as_mut().and_then(|trace| trace.rule.replace(Rule { sentence, joined }))
    }

    pub(crate) fn end_rule(&mut self, before: Option<Rule>) {
        if let Some(trace) = &mut self.trace {
            trace.rule = before;
        }
    }

    /// Records the points-to set of an expression, if a trace is wanted.
    pub(crate) fn note(&mut self, expression: ExprId, set: SetId) {
        if let Some(trace) = &mut self.trace {
            let known = &mut trace.values[expression as usize];
            *known = self.sets.union(*known, set);
        }
    }

    /// Records the entities that an attribute names.
    pub(crate) fn note_names(&mut self, expression: ExprId, referents: &Referents) {
        if self.trace.is_none() {
            return;
        }
        for &(target, _) in referents {
            let Target::Entity(entity) = target else { continue };
            let is_value = matches!(self.look.kind(entity), Some(EntityKind::Property | EntityKind::Variable));
            let Some(trace) = self.trace.as_mut().filter(|_| is_value) else { continue };
            let names = trace.names.entry(expression).or_default();
            if !names.contains(&entity) {
                names.push(entity);
            }
        }
    }

    /// Writes down that something is added to an answer.
    pub(crate) fn note_given(&mut self, key: Key, set: SetId) {
        if let Some(trace) = self.trace.as_mut().filter(|trace| trace.at != NONE) {
            let known = trace.given.entry((key, trace.at)).or_insert(SetId::EMPTY);
            *known = self.sets.union(*known, set);
        }
    }

    /// Writes down that a variable is assigned.
    pub(crate) fn note_assigned(&mut self, variable: VarId, set: SetId) {
        if let Some(trace) = self.trace.as_mut().filter(|trace| trace.at != NONE) {
            let known = trace.assigned.entry((variable, trace.at)).or_insert(SetId::EMPTY);
            *known = self.sets.union(*known, set);
        }
    }

    pub(crate) fn note_edge(&mut self, target: EntityId, kind: RelationshipKind, place: Position) {
        let Some(trace) = &mut self.trace else { return };
        let edges = trace.edges.entry(place).or_default();
        if !edges.contains(&(kind, target)) {
            edges.push((kind, target));
        }
        if let Some(rule) = trace.rule {
            trace.rules.insert((place, target), rule);
        }
    }

    /// From here on, additions come from `expression`; returns the one before.
    pub(crate) fn comes_from(&mut self, expression: ExprId) -> ExprId {
        self.trace.as_mut().map_or(NONE, |trace| std::mem::replace(&mut trace.at, expression))
    }

    /// The expression whose values a statement adds.
    pub(crate) fn comes_from_statement(&mut self, statement: &Stmt) {
        if self.trace.is_none() {
            return;
        }
        self.comes_from(match *statement {
            Stmt::Annotated { annotation, value: NONE, .. } => annotation,
            Stmt::Assign { value, .. }
            | Stmt::Annotated { value, .. }
            | Stmt::Augmented { value, .. }
            | Stmt::Return(value)
            | Stmt::Expr(value) => value,
            Stmt::For { iterable, .. } => iterable,
            _ => NONE,
        });
    }
}
