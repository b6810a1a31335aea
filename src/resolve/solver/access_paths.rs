//! What is known of `x.a` and `x["k"]`, and of variables of other scopes, between two statements.
//!
//! A *place* is a variable and the attributes and constant keys written behind it. A test (`isinstance(x.a, C)`) says
//! what it is, and so does an assignment, until a part of it is assigned; what an assignment said is forgotten too when the
//! object is called or handed on. Places have slots in the environment behind the variables of the scope, so that
//! branches and loops treat them as they treat those; but where one of two branches knows nothing, nothing is known.

use smallvec::SmallVec;

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, NONE, Run, VarId},
        names::mix,
    },
    model::EntityKind,
    resolve::{
        interpret::literals::Referents,
        names::{Lookup, Target},
        solver::Solver,
        values::{self, SetId, Value, slot::Slot},
    },
};

/// How many places a unit tells apart.
const MAX_ACCESS_PATHS: usize = 64;

/// Names of attributes and keys, hashed.
type Path = SmallVec<[u64; 2]>;

/// A place that has a slot.
pub(crate) struct AccessPath {
    root: VarId,
    path: Path,
    source: LearnedFrom,
}

/// What says what a place holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LearnedFrom {
    Assignment,
    Test,
}

impl Solver<'_> {
    /// What is known of the place that an expression names, beyond what its parts say.
    fn known_place(&mut self, expression: ExprId) -> SetId {
        if self.access_paths.is_empty() {
            return SetId::EMPTY;
        }
        let Some((root, path)) = self.place_written(expression) else { return SetId::EMPTY };
        for source in [LearnedFrom::Test, LearnedFrom::Assignment] {
            if let Some(slot) = self.slot_of(root, &path, source)
                && self.state.environment.get(slot).is_some_and(|&set| set != SetId::EMPTY)
            {
                return self.state.environment[slot];
            }
        }
        SetId::EMPTY
    }

    /// What is known of a variable of another scope.
    pub(crate) fn known_variable(&mut self, variable: VarId) -> SetId {
        if self.access_paths.is_empty() {
            return SetId::EMPTY;
        }
        let slot = self.slot_of(variable, &[], LearnedFrom::Test);
        slot.and_then(|slot| self.state.environment.get(slot).copied()).unwrap_or_default()
    }

    /// From here on the place holds these values.
    pub(crate) fn learn(&mut self, expression: ExprId, set: SetId, source: LearnedFrom) {
        let Some((root, path)) = self.place_written(expression) else { return };
        let size = self.state.variables;
        let slot = match self.slot_of(root, &path, source) {
            Some(slot) => slot,
            None if self.access_paths.len() == MAX_ACCESS_PATHS => return,
            None => {
                self.access_paths.push(AccessPath { root, path, source });
                size + self.access_paths.len() - 1
            }
        };
        if self.state.environment.len() <= slot {
            self.state.environment.resize(slot + 1, SetId::EMPTY);
        }
        self.state.environment[slot] = set;
    }

    /// `x.a = …`: what was known of it and of what lies behind it holds no longer; what is assigned does.
    pub(crate) fn assign_place(&mut self, target: ExprId, set: SetId) {
        if let Some((root, path)) = self.place_written(target) {
            self.forget(root, &path, &[LearnedFrom::Test, LearnedFrom::Assignment]);
        }
        let is_followed = |&entry: &u64| {
            matches!(
                values::parts(entry).0,
                Value::Instance(_) | Value::Class(_) | Value::Function(..) | Value::Bound(..) | Value::Container(..)
            )
        };
        if set != SetId::TOP && self.sets.entries(set).iter().any(is_followed) {
            self.learn(target, set, LearnedFrom::Assignment);
        }
    }

    /// The variable is assigned.
    pub(crate) fn forget_variable(&mut self, variable: VarId) {
        if !self.access_paths.is_empty() {
            self.forget(variable, &[], &[LearnedFrom::Test, LearnedFrom::Assignment]);
        }
    }

    /// The object is called or handed on: others may assign its attributes.
    fn forget_assigned(&mut self, object: ExprId) {
        if let Some((root, path)) = self.place_written(object) {
            self.forget(root, &path, &[LearnedFrom::Assignment]);
        }
    }

    /// A call forgets what was assigned to parts of what it is given.
    pub(crate) fn forget_passed(&mut self, callee: ExprId, arguments: Run, keywords: Run) {
        if self.access_paths.is_empty() {
            return;
        }
        let bodies = self.bodies;
        if let ExprKind::Attribute { base, .. } = bodies.expressions[callee as usize].kind {
            self.forget_assigned(base);
        }
        for &argument in bodies.list(arguments) {
            self.forget_assigned(argument);
        }
        for &(_, value) in bodies.keywords(keywords) {
            self.forget_assigned(value);
        }
    }

    /// What is known of the place, else what was found there.
    pub(crate) fn known_or(&mut self, expression: ExprId, found: SetId, referents: &Referents) -> SetId {
        match self.known_place(expression) {
            SetId::EMPTY => found,
            known if self.look.is_computed(referents) => self.sets.union(known, found),
            known => known,
        }
    }

    fn forget(&mut self, root: VarId, path: &[u64], sources: &[LearnedFrom]) {
        let size = self.state.variables;
        for (index, known) in self.access_paths.iter().enumerate() {
            if known.root == root
                && known.path.starts_with(path)
                && sources.contains(&known.source)
                && let Some(set) = self.state.environment.get_mut(size + index)
            {
                *set = SetId::EMPTY;
            }
        }
    }

    fn slot_of(&self, root: VarId, path: &[u64], source: LearnedFrom) -> Option<usize> {
        let is_it = |known: &AccessPath| known.root == root && known.path.as_slice() == path && known.source == source;
        let size = self.state.variables;
        self.access_paths.iter().position(is_it).map(|index| size + index)
    }

    fn place_written(&self, expression: ExprId) -> Option<(VarId, Path)> {
        let bodies = self.bodies;
        let mut path = Path::new();
        let mut at = expression;
        loop {
            match *bodies.kind(at)? {
                ExprKind::Name { variable, .. } if variable != NONE => {
                    path.reverse();
                    return Some((variable, path));
                }
                ExprKind::Attribute { base, name } => {
                    path.push(bodies.names.hash(name));
                    at = base;
                }
                ExprKind::Subscript { base, index } => {
                    let slot = self.slot(index);
                    if slot == Slot::Any {
                        return None;
                    }
                    path.push(mix(slot.encode()));
                    at = base;
                }
                _ => return None,
            }
        }
    }
}

impl Lookup<'_> {
    /// Whether an attribute is asked for each time, so that what was assigned is not what is read.
    fn is_computed(&mut self, referents: &Referents) -> bool {
        referents.iter().any(|&(target, _)| match target {
            Target::Entity(entity) => self.kind(entity) == Some(EntityKind::Property),
            _ => false,
        })
    }
}
