//! Flow-sensitive points-to sets of access paths: `x.a`, `x["k"]`, and variables of other scopes.
//!
//! An *access path* is a variable with the attributes and constant keys behind it. A test (`isinstance(x.a, C)`)
//! narrows it, and an assignment sets it, until a part of it is assigned. A call of the object, or with it, forgets the
//! assignment too: the callee may change its attributes.
//!
//! Access paths have slots in the environment behind the variables of the scope, so branches and loops join them like
//! variables. One difference: where one of two branches knows nothing, nothing is known after the join.

use smallvec::SmallVec;

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, NONE, Run, VarId},
        names::mix,
    },
    model::EntityKind,
    resolve::{
        names::{Lookup, Referents, Target},
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

/// The reason why an access path's set is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LearnedFrom {
    Assignment,
    Test,
}

impl Solver<'_> {
    /// The known set of the access path that an expression names.
    fn known_place(&mut self, expression: ExprId) -> SetId {
        if self.access_paths.is_empty() {
            return SetId::EMPTY;
        }
        let Some((root, path)) = self.place_written(expression) else { return SetId::EMPTY };
        // A test is the later and narrower knowledge: an assignment would have forgotten it.
        for source in [LearnedFrom::Test, LearnedFrom::Assignment] {
            if let Some(slot) = self.slot_of(root, &path, source)
                && self.state.environment.get(slot).is_some_and(|&set| set != SetId::EMPTY)
            {
                return self.state.environment[slot];
            }
        }
        SetId::EMPTY
    }

    /// The known set of a variable of another scope.
    pub(crate) fn known_variable(&mut self, variable: VarId) -> SetId {
        if self.access_paths.is_empty() {
            return SetId::EMPTY;
        }
        let slot = self.slot_of(variable, &[], LearnedFrom::Test);
        slot.and_then(|slot| self.state.environment.get(slot).copied()).unwrap_or_default()
    }

    /// From here on the access path has these values.
    pub(crate) fn learn(&mut self, expression: ExprId, set: SetId, source: LearnedFrom) {
        let Some((root, path)) = self.place_written(expression) else { return };
        let size = self.state.variables;
        let slot = match self.slot_of(root, &path, source) {
            Some(slot) => slot,
            // Each path takes a slot in every copy of the environment.
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

    /// `x.a = …`: replaces the known set of the access path and forgets the paths behind it.
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
        // Other values say less than the attribute's points-to set over all assignments.
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

    /// Others may assign the attributes of an object that is called or passed.
    fn forget_assigned(&mut self, object: ExprId) {
        if let Some((root, path)) = self.place_written(object) {
            self.forget(root, &path, &[LearnedFrom::Assignment]);
        }
    }

    /// A call forgets the assigned parts of its object and of its arguments: the callee may assign them.
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

    /// The known set of the access path, else the set that was found.
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
    /// Whether a property computes the attribute on each read, so that an assigned value is not the one that is read.
    fn is_computed(&mut self, referents: &Referents) -> bool {
        referents.iter().any(|&(target, _)| match target {
            Target::Entity(entity) => self.kind(entity) == Some(EntityKind::Property),
            _ => false,
        })
    }
}
