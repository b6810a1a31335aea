//! Trees of subclasses, bases and members.
//!
//! A class that is reached twice is expanded once.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    model::{EntityId, EntityKind, RelationshipKind},
    query::target::{Target, bases, described::Described},
    store::{Store, error::StoreError, read::Entity},
};

/// Deeper trees are cut: no person writes them.
const MAX_DEPTH: u32 = 100;

/// The kind of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TreeKind {
    Subclasses,
    Bases,
    Members,
}

/// The answer, as JSON too.
#[derive(Clone, Debug, Serialize)]
pub struct TreeReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub target: Described,
    pub direction: TreeKind,
    /// Number of nodes directly below the root.
    pub direct: usize,
    /// Number of different entities in the tree, the root not counted.
    pub all: usize,
    pub branches: Vec<TreeNode>,
}

/// An entity with the nodes below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TreeNode {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub line: u32,
    pub end_line: u32,
    /// Whether it is expanded elsewhere in the tree.
    pub is_repeated: bool,
    pub branches: Vec<TreeNode>,
}

/// Draws the tree of `target`.
pub fn tree(store: &Store, target: &Target, direction: TreeKind) -> Result<TreeReport, StoreError> {
    let mut roots = Vec::new();
    for entity in &target.entities {
        roots.extend(below(store, entity.id, direction)?);
    }
    let mut seen: BTreeSet<EntityId> = target.entities.iter().map(|entity| entity.id).collect();
    let before = seen.len();
    let branches = branches(store, roots, direction, &mut seen, 1)?;
    Ok(TreeReport {
        schema: "repoidx.tree",
        schema_version: 1,
        target: Described::of(target),
        direction,
        direct: branches.len(),
        all: seen.len() - before,
        branches,
    })
}

fn branches(
    store: &Store,
    entities: Vec<Entity>,
    direction: TreeKind,
    seen: &mut BTreeSet<EntityId>,
    depth: u32,
) -> Result<Vec<TreeNode>, StoreError> {
    let mut branches_here = Vec::with_capacity(entities.len());
    for entity in entities {
        let is_new = seen.insert(entity.id);
        let inner = if is_new && depth < MAX_DEPTH {
            branches(store, below(store, entity.id, direction)?, direction, seen, depth + 1)?
        } else {
            Vec::new()
        };
        branches_here.push(TreeNode {
            name: entity.full_name(),
            kind: entity.record.kind,
            path: entity.path,
            line: entity.record.line,
            end_line: entity.record.end_line,
            is_repeated: !is_new,
            branches: inner,
        });
    }
    Ok(branches_here)
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
