//! Trees of subclasses, bases and members.
//!
//! A class that is reached twice is expanded once.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    model::{EntityId, EntityKind, RelationshipKind},
    query::{
        navigate::outside::{Heirs, outside_bases},
        target::{Target, bases, described::Described},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Deeper trees are cut: no person writes them.
const MAX_DEPTH: u32 = 100;

/// The kind of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TreeKind {
    Subclasses,
    Bases,
    Members,
}

/// The answer, as JSON too.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TreeReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub target: Described,
    pub direction: TreeKind,
    /// Number of nodes directly below the root.
    pub direct: usize,
    /// Number of different entities in the tree, the root not counted.
    pub all: usize,
    /// Number of different entities that fit the filters, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fitting: Option<usize>,
    /// The filters in words; empty if there are none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub conditions: String,
    pub branches: Vec<TreeNode>,
}

/// An entity with the nodes below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TreeNode {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub line: u32,
    pub end_line: u32,
    /// Whether it is expanded elsewhere in the tree.
    pub is_repeated: bool,
    /// Whether it is a class of a library, which has a name alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_outside: bool,
    /// Whether it does not fit the filters itself, but stands above one that does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_passed: bool,
    pub branches: Vec<TreeNode>,
    #[serde(skip)]
    id: Option<EntityId>,
}

impl TreeReport {
    /// The entities of the tree, without those of libraries.
    pub fn entities(&self) -> BTreeSet<EntityId> {
        fn add(branches: &[TreeNode], ids: &mut BTreeSet<EntityId>) {
            for branch in branches {
                ids.extend(branch.id);
                add(&branch.branches, ids);
            }
        }
        let mut ids = BTreeSet::new();
        add(&self.branches, &mut ids);
        ids
    }

    /// Keeps the nodes that fit and those above them.
    pub fn keep(&mut self, fitting: &BTreeSet<EntityId>, conditions: String) {
        fn kept(branches: Vec<TreeNode>, fitting: &BTreeSet<EntityId>) -> Vec<TreeNode> {
            let keep = |branch: TreeNode| {
                let inner = kept(branch.branches, fitting);
                let fits = branch.id.is_some_and(|id| fitting.contains(&id));
                (fits || !inner.is_empty()).then_some(TreeNode { is_passed: !fits, branches: inner, ..branch })
            };
            branches.into_iter().filter_map(keep).collect()
        }
        self.branches = kept(std::mem::take(&mut self.branches), fitting);
        self.fitting = Some(fitting.len());
        self.conditions = conditions;
    }
}

/// Draws the tree of `target`.
pub fn tree(store: &Store, target: &Target, direction: TreeKind) -> Result<TreeReport, StoreError> {
    let mut roots = Vec::new();
    for entity in &target.entities {
        roots.extend(below(store, entity.id, direction)?);
    }
    let mut seen =
        DrawnNodes { entities: target.entities.iter().map(|entity| entity.id).collect(), ..DrawnNodes::default() };
    let before = seen.entities.len();
    let mut branches = branches(store, roots, direction, &mut seen, 1)?;
    if direction == TreeKind::Bases {
        for entity in &target.entities {
            branches.extend(bases_outside(store, entity, &mut seen)?);
        }
    }
    Ok(TreeReport {
        schema: "repoidx.tree",
        schema_version: 1,
        target: Described::of(target),
        direction,
        direct: branches.len(),
        all: seen.entities.len() - before + seen.outside.len(),
        fitting: None,
        conditions: String::new(),
        branches,
    })
}

fn branches(
    store: &Store,
    entities: Vec<Entity>,
    direction: TreeKind,
    seen: &mut DrawnNodes,
    depth: u32,
) -> Result<Vec<TreeNode>, StoreError> {
    let mut branches_here = Vec::with_capacity(entities.len());
    for entity in entities {
        let is_new = seen.entities.insert(entity.id);
        let mut inner = Vec::new();
        if is_new && depth < MAX_DEPTH {
            inner = branches(store, below(store, entity.id, direction)?, direction, seen, depth + 1)?;
            if direction == TreeKind::Bases {
                inner.extend(bases_outside(store, &entity, seen)?);
            }
        }
        branches_here.push(TreeNode { is_repeated: !is_new, branches: inner, ..TreeNode::of(&entity) });
    }
    Ok(branches_here)
}

/// The nodes that a tree has already.
#[derive(Default)]
struct DrawnNodes {
    entities: BTreeSet<EntityId>,
    /// Classes of libraries by name.
    outside: BTreeSet<String>,
}

/// The bases of a class that come from libraries; nothing is known above them.
fn bases_outside(store: &Store, class: &Entity, seen: &mut DrawnNodes) -> Result<Vec<TreeNode>, StoreError> {
    let node = |name: String| {
        let is_repeated = !seen.outside.insert(name.clone());
        TreeNode {
            name,
            kind: EntityKind::Class,
            path: String::new(),
            line: 0,
            end_line: 0,
            is_repeated,
            is_outside: true,
            is_passed: false,
            id: None,
            branches: Vec::new(),
        }
    };
    Ok(outside_bases(store, class)?.into_iter().map(node).collect())
}

impl TreeNode {
    fn of(entity: &Entity) -> Self {
        Self {
            name: entity.full_name(),
            kind: entity.record.kind,
            path: entity.path.clone(),
            line: entity.record.line,
            end_line: entity.record.end_line,
            is_repeated: false,
            is_outside: false,
            is_passed: false,
            id: Some(entity.id),
            branches: Vec::new(),
        }
    }
}

/// Draws the classes that derive from a class of a library, directly or through each other.
pub fn tree_below_outside(store: &Store, heirs: &Heirs) -> Result<TreeReport, StoreError> {
    let mut seen = DrawnNodes::default();
    let mut roots = heirs.classes.clone();
    roots.sort_by_cached_key(|entity| (entity.full_name(), entity.path.clone()));
    roots.dedup_by_key(|entity| entity.id);
    let branches = branches(store, roots, TreeKind::Subclasses, &mut seen, 1)?;
    let target = Described::without_place(heirs.base.clone(), EntityKind::Class);
    Ok(TreeReport {
        schema: "repoidx.tree",
        schema_version: 1,
        target,
        direction: TreeKind::Subclasses,
        direct: branches.len(),
        all: seen.entities.len(),
        fitting: None,
        conditions: String::new(),
        branches,
    })
}

/// The nodes directly below an entity, in a fixed order.
fn below(store: &Store, id: EntityId, direction: TreeKind) -> Result<Vec<Entity>, StoreError> {
    let ids: Vec<EntityId> = match direction {
        TreeKind::Members => {
            let mut members = store.children(id)?;
            members.sort_by_key(|entity| (entity.record.start_line, entity.record.line, entity.record.column));
            return Ok(members);
        }
        TreeKind::Bases => bases(store, id)?,
        TreeKind::Subclasses => {
            let inherits = store.incoming_of(id, RelationshipKind::Inherits)?;
            inherits.into_iter().map(|relationship| relationship.source).collect()
        }
    };
    let mut entities = Vec::with_capacity(ids.len());
    for id in ids {
        entities.extend(store.entity(id)?);
    }
    if direction == TreeKind::Subclasses {
        entities.sort_by_cached_key(|entity| (entity.full_name(), entity.path.clone()));
        entities.dedup_by_key(|entity| entity.id);
    }
    Ok(entities)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Basis, EntityKind::*},
        query::{
            fixture::Fixture,
            target::{TargetMatch, look_up},
        },
    };

    fn check(name: &str, direction: TreeKind) -> (usize, usize, Vec<String>) {
        let mut fixture = Fixture::default();
        fixture.file("m.py", "m");
        for class in ["A", "B", "C", "D"] {
            fixture.entity(Class, class, 1, 9);
        }
        fixture.entity(Method, "A.run", 2, 3);
        for (class, base) in [("B", "A"), ("C", "A"), ("D", "B"), ("D", "C"), ("A", "D")] {
            let (from, to) = (format!("m.{class}"), format!("m.{base}"));
            fixture.edge(&from, RelationshipKind::Inherits, &to, 1, Basis::Scope);
        }
        let store = fixture.store();
        let Ok(TargetMatch::Found(target)) = look_up(&store, name, "") else { panic!("no target") };
        let report = tree(&store, &target, direction).expect("a store in memory");
        let mut lines = Vec::new();
        flatten(&report.branches, 0, &mut lines);
        (report.direct, report.all, lines)
    }

    fn flatten(branches: &[TreeNode], depth: usize, lines: &mut Vec<String>) {
        for branch in branches {
            lines.push(format!(
                "{}{}{}",
                "-".repeat(depth),
                branch.name,
                if branch.is_repeated { " again" } else { "" }
            ));
            flatten(&branch.branches, depth + 1, lines);
        }
    }

    #[test]
    fn a_diamond_is_counted_once_and_a_cycle_ends() {
        let (direct, all, lines) = check("A", TreeKind::Subclasses);
        assert_eq!((direct, all), (2, 3));
        assert_eq!(lines, ["m.B", "-m.D", "--m.A again", "m.C", "-m.D again"]);
    }

    #[test]
    fn members_of_a_class() {
        assert_eq!(check("A", TreeKind::Members).2, ["m.A.run"]);
    }
}
