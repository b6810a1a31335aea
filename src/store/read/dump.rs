//! The whole index as entities and edges by name.
//!
//! The same tree gives the same export, whatever happened before: the order depends on names and places alone, and row
//! ids are never shown. Edges include `contains`.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::model::{Basis, EntityId, EntityKind, Evidence, FileId, Relationship, RelationshipKind};
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::read::full_name;
use crate::store::write::lists;

/// An entity as it is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExportedEntity<'a> {
    pub name: &'a str,
    pub path: &'a str,
    pub start_line: u32,
    pub end_line: u32,
    pub kind: EntityKind,
}

/// A relationship as it is exported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExportedEdge<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub kind: RelationshipKind,
    pub evidence: Evidence,
    pub basis: Basis,
    pub probability: f64,
    /// Where the relationship stands: in the file of `from`.
    pub path: &'a str,
    pub line: u32,
    pub column: u32,
}

impl Store {
    /// Calls `visit` with every entity, sorted by name, path and line.
    pub fn export_entities(&self, visit: &mut dyn FnMut(ExportedEntity<'_>)) -> Result<(), StoreError> {
        let names = EntityNames::read(self)?;
        let mut entities: Vec<ExportedEntity<'_>> = names.entities.iter().map(|node| names.exported(node)).collect();
        entities.par_sort_unstable();
        entities.into_iter().for_each(visit);
        Ok(())
    }

    /// Calls `visit` with every stored relationship and every parent → child, sorted by names, kind and place.
    pub fn export_edges(&self, visit: &mut dyn FnMut(ExportedEdge<'_>)) -> Result<(), StoreError> {
        let names = EntityNames::read(self)?;
        let mut edges = self.edges(&names)?;
        edges.par_sort_unstable();
        for edge in edges {
            visit(names.edge(&edge));
        }
        Ok(())
    }

    /// Every edge, with ranks in place of names.
    fn edges(&self, names: &EntityNames) -> Result<Vec<RankedEdge>, StoreError> {
        let mut statement = self.connection.prepare("SELECT relationships FROM resolutions")?;
        let lists = statement.query_map((), |row| row.get(0))?.collect::<Result<Vec<Vec<u8>>, _>>()?;
        let ranked = lists.par_iter().map(|list| {
            let relationships: Vec<Relationship> = lists::unpack(list)?;
            relationships.iter().map(|relationship| names.ranked(relationship)).collect()
        });
        let ranked = ranked.collect::<Result<Vec<Vec<RankedEdge>>, StoreError>>()?;
        let contained =
            names.entities.iter().filter_map(EntityNode::contained).map(|contained| names.ranked(&contained));
        let mut edges = contained.collect::<Result<Vec<RankedEdge>, _>>()?;
        edges.reserve_exact(ranked.iter().map(Vec::len).sum());
        edges.extend(ranked.into_iter().flatten());
        Ok(edges)
    }
}

/// An edge in the order of the export: names and paths are compared by their rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RankedEdge {
    from: u32,
    to: u32,
    kind: RelationshipKind,
    path: u32,
    line: u32,
    column: u32,
    basis: Basis,
}

/// An entity without its texts.
struct EntityNode {
    id: EntityId,
    parent: Option<EntityId>,
    kind: EntityKind,
    start_line: u32,
    end_line: u32,
    line: u32,
    column: u32,
    /// Position of its name in `EntityNames::words`.
    name: u32,
    /// Position of its path in `EntityNames::paths`.
    path: u32,
}

impl EntityNode {
    /// Whether an edge of this entity counts as one of its scope: `x = f()` at module level is the module's call.
    fn speaks_for_its_scope(&self, kind: RelationshipKind) -> bool {
        let is_of_structure =
            matches!(kind, RelationshipKind::Contains | RelationshipKind::Overrides | RelationshipKind::Declares);
        self.kind == EntityKind::Variable && !is_of_structure
    }

    /// The relationship to the parent; `None` for a module.
    fn contained(&self) -> Option<Relationship> {
        self.parent.map(|parent| Relationship {
            target: self.id,
            kind: RelationshipKind::Contains,
            source: parent,
            line: self.line,
            column: self.column,
            basis: Basis::Scope,
        })
    }
}

/// Every entity, with names and paths sorted so that their positions compare as they do.
struct EntityNames {
    entities: Vec<EntityNode>,
    words: Vec<String>,
    paths: Vec<String>,
    /// Position in `entities` by id.
    by_id: FxHashMap<EntityId, u32>,
}

impl EntityNames {
    fn read(store: &Store) -> Result<EntityNames, StoreError> {
        let files = store.files()?;
        let mut by_file: Vec<(FileId, u32)> = (0..).zip(&files).map(|(rank, (file, _))| (*file, rank)).collect();
        by_file.sort_unstable();
        let mut statement = store.connection.prepare(
            "SELECT id, parent_id, kind, start_line, end_line, line, column, file_id, qualified, duplicate FROM entities
             ORDER BY id",
        )?;
        let mut rows = statement.query(())?;
        let mut entities = Vec::new();
        let mut unsorted: Vec<(String, u32)> = Vec::new();
        let mut by_id: FxHashMap<EntityId, u32> = FxHashMap::default();
        while let Some(row) = rows.next()? {
            let file: FileId = row.get(7)?;
            let Ok(at) = by_file.binary_search_by_key(&file, |(file, _)| *file) else {
                return Err(StoreError::damaged("an entity's file is not there"));
            };
            let path = by_file[at].1;
            let id: EntityId = row.get(0)?;
            let position =
                u32::try_from(entities.len()).map_err(|_| StoreError::damaged("it has too many entities"))?;
            let qualified = row.get_ref(8)?.as_str().map_err(rusqlite::Error::from)?;
            unsorted.push((full_name(&files[path as usize].1.module, qualified, row.get(9)?), position));
            entities.push(EntityNode {
                id,
                parent: row.get(1)?,
                kind: row.get(2)?,
                start_line: row.get(3)?,
                end_line: row.get(4)?,
                line: row.get(5)?,
                column: row.get(6)?,
                name: 0,
                path,
            });
            by_id.insert(id, position);
        }
        unsorted.par_sort_unstable();
        let mut words: Vec<String> = Vec::with_capacity(unsorted.len());
        let mut rank = 0;
        for (name, position) in unsorted {
            if words.last().is_some_and(|last| *last != name) {
                rank += 1;
            }
            if words.last() != Some(&name) {
                words.push(name);
            }
            entities[position as usize].name = rank;
        }
        Ok(EntityNames { entities, words, paths: files.into_iter().map(|(_, file)| file.path).collect(), by_id })
    }

    fn node(&self, id: EntityId) -> Result<&EntityNode, StoreError> {
        match self.by_id.get(&id) {
            Some(&position) => Ok(&self.entities[position as usize]),
            None => Err(StoreError::damaged("a relationship leads to an entity that is not there")),
        }
    }

    fn ranked(&self, relationship: &Relationship) -> Result<RankedEdge, StoreError> {
        let (source, to) = (self.node(relationship.source)?, self.node(relationship.target)?);
        let Relationship { kind, line, column, basis, .. } = *relationship;
        let from = match source.parent {
            Some(parent) if source.speaks_for_its_scope(kind) => self.node(parent)?,
            _ => source,
        };
        Ok(RankedEdge { from: from.name, to: to.name, kind, path: from.path, line, column, basis })
    }

    fn exported(&self, node: &EntityNode) -> ExportedEntity<'_> {
        ExportedEntity {
            name: &self.words[node.name as usize],
            path: &self.paths[node.path as usize],
            start_line: node.start_line,
            end_line: node.end_line,
            kind: node.kind,
        }
    }

    fn edge(&self, edge: &RankedEdge) -> ExportedEdge<'_> {
        let is_contained = edge.kind == RelationshipKind::Contains;
        ExportedEdge {
            from: &self.words[edge.from as usize],
            to: &self.words[edge.to as usize],
            kind: edge.kind,
            evidence: edge.basis.evidence(),
            basis: edge.basis,
            probability: if is_contained { 1.0 } else { edge.basis.probability() },
            path: &self.paths[edge.path as usize],
            line: edge.line,
            column: edge.column,
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::store::sample;

    #[test]
    fn entities_and_edges_are_sorted_by_name_and_place() {
        let mut store = Store::open_in_memory().unwrap();
        sample::fill(&mut store);
        let mut lines = Vec::new();
        store
            .export_entities(&mut |e| {
                lines.push(format!("{} {} {}:{}-{}", e.name, e.kind, e.path, e.start_line, e.end_line));
            })
            .unwrap();
        store
            .export_edges(&mut |e| {
                let (evidence, place) = (e.evidence.as_str(), format!("{}:{}:{}", e.path, e.line, e.column));
                lines.push(format!("{} {} {} {evidence} {} {place}", e.from, e.kind, e.to, e.probability));
            })
            .unwrap();
        expect![[r#"
            a module a.py:1-2
            a.C function a.py:2-3
            a.C.m function a.py:3-4
            a.f function a.py:4-5
            a.f@2 function a.py:5-6
            b module b.py:1-2
            b.C function b.py:2-3
            b.C.m function b.py:3-4
            b.f function b.py:4-5
            b.f@2 function b.py:5-6
            a contains a.C exact 1 a.py:2:4
            a contains a.f exact 1 a.py:4:4
            a contains a.f@2 exact 1 a.py:5:4
            a.C contains a.C.m exact 1 a.py:3:4
            a.f calls a exact 0.98 a.py:3:8
            a.f calls b.C.m exact 0.98 a.py:1:8
            a.f calls b.f@2 exact 0.98 a.py:2:8
            b contains b.C exact 1 b.py:2:4
            b contains b.f exact 1 b.py:4:4
            b contains b.f@2 exact 1 b.py:5:4
            b.C contains b.C.m exact 1 b.py:3:4
            b.f calls a.C.m exact 0.98 b.py:1:8
            b.f calls a.f@2 exact 0.98 b.py:2:8
            b.f calls b exact 0.98 b.py:3:8"#]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn the_export_does_not_depend_on_what_happened_before() {
        let mut straight = Store::open_in_memory().unwrap();
        sample::fill(&mut straight);
        let mut winding = Store::open_in_memory().unwrap();
        let update = winding.write().unwrap();
        let gone = update.put_file(&sample::file("gone.py", 1)).unwrap();
        update.put_entities(gone, &sample::entities("gone", &["x", "y"], 2)).unwrap();
        let a = update.put_file(&sample::file("a.py", 1)).unwrap();
        update.put_entities(a, &sample::entities("m", &["f", "old"], 9)).unwrap();
        update.remove_file(gone).unwrap();
        update.commit().unwrap();
        sample::fill(&mut winding);
        assert_eq!(sample::exported(&winding), sample::exported(&straight));
        assert_ne!(winding.entities_named("m", false).unwrap(), straight.entities_named("m", false).unwrap());
        winding.verify().unwrap();
    }

    #[test]
    fn a_relationship_that_leads_nowhere_is_damage() {
        let mut store = Store::open_in_memory().unwrap();
        sample::fill(&mut store);
        store.connection.execute("DELETE FROM entities WHERE id = 3", ()).unwrap();
        assert!(matches!(store.export_edges(&mut |_| ()), Err(StoreError::Damaged(_))));
        assert!(matches!(store.verify(), Err(StoreError::Damaged(_))));
    }
}
