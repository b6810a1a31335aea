//! The whole index as entities and edges by name, the same for the same tree whatever happened before.
//!
//! Goes in: nothing but the index. Comes out: every entity and every edge, `contains` included, in an order that depends
//! on names and places alone. Row ids are followed here and never shown.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::model::{Basis, EntityId, EntityKind, Evidence, FileId, Relationship, RelationshipKind};
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::read::full_name;

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
    pub probability: f64,
    /// Where the relationship stands: in the file of `from`.
    pub path: &'a str,
    pub line: u32,
    pub column: u32,
}

impl Store {
    /// Calls `visit` with every entity, sorted by name, path and line.
    pub fn export_entities(&self, visit: &mut dyn FnMut(ExportedEntity<'_>)) -> Result<(), StoreError> {
        let names = Names::read(self)?;
        let mut entities: Vec<ExportedEntity<'_>> = names.entities.iter().map(|node| names.exported(node)).collect();
        entities.par_sort_unstable();
        entities.into_iter().for_each(visit);
        Ok(())
    }

    /// Calls `visit` with every stored relationship and every parent → child, sorted by names, kind and place.
    pub fn export_edges(&self, visit: &mut dyn FnMut(ExportedEdge<'_>)) -> Result<(), StoreError> {
        let names = Names::read(self)?;
        let mut edges = self.edges(&names)?;
        edges.par_sort_unstable();
        for edge in edges {
            visit(names.edge(&edge));
        }
        Ok(())
    }

    /// Every edge, with ranks in place of names.
    fn edges(&self, names: &Names) -> Result<Vec<Edge>, StoreError> {
        let mut edges = Vec::new();
        for node in &names.entities {
            if let Some(parent) = node.parent {
                edges.push(names.ranked(&Relationship {
                    target: node.id,
                    kind: RelationshipKind::Contains,
                    source: parent,
                    line: node.line,
                    column: node.column,
                    basis: Basis::Scope,
                })?);
            }
        }
        let mut statement =
            self.connection.prepare("SELECT target_id, kind, source_id, line, column, basis FROM relationships")?;
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            edges.push(names.ranked(&Relationship {
                target: row.get(0)?,
                kind: row.get(1)?,
                source: row.get(2)?,
                line: row.get(3)?,
                column: row.get(4)?,
                basis: row.get(5)?,
            })?);
        }
        Ok(edges)
    }
}

/// An edge in the order of the export: names and paths are compared by their rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    from: u32,
    to: u32,
    kind: RelationshipKind,
    path: u32,
    line: u32,
    column: u32,
    basis: Basis,
}

/// An entity without its texts.
struct Node {
    id: EntityId,
    parent: Option<EntityId>,
    kind: EntityKind,
    start_line: u32,
    end_line: u32,
    line: u32,
    column: u32,
    /// Position of its name in `Names::words`.
    name: u32,
    /// Position of its path in `Names::paths`.
    path: u32,
}

/// Every entity, with names and paths sorted so that their positions compare as they do.
struct Names {
    entities: Vec<Node>,
    words: Vec<String>,
    paths: Vec<String>,
    /// Position in `entities` by id.
    by_id: FxHashMap<EntityId, u32>,
}

impl Names {
    fn read(store: &Store) -> Result<Names, StoreError> {
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
            entities.push(Node {
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
        Ok(Names { entities, words, paths: files.into_iter().map(|(_, file)| file.path).collect(), by_id })
    }

    fn node(&self, id: EntityId) -> Result<&Node, StoreError> {
        match self.by_id.get(&id) {
            Some(&position) => Ok(&self.entities[position as usize]),
            None => Err(StoreError::damaged("a relationship leads to an entity that is not there")),
        }
    }

    fn ranked(&self, relationship: &Relationship) -> Result<Edge, StoreError> {
        let (from, to) = (self.node(relationship.source)?, self.node(relationship.target)?);
        let Relationship { kind, line, column, basis, .. } = *relationship;
        Ok(Edge { from: from.name, to: to.name, kind, path: from.path, line, column, basis })
    }

    fn exported(&self, node: &Node) -> ExportedEntity<'_> {
        ExportedEntity {
            name: &self.words[node.name as usize],
            path: &self.paths[node.path as usize],
            start_line: node.start_line,
            end_line: node.end_line,
            kind: node.kind,
        }
    }

    fn edge(&self, edge: &Edge) -> ExportedEdge<'_> {
        let is_contained = edge.kind == RelationshipKind::Contains;
        ExportedEdge {
            from: &self.words[edge.from as usize],
            to: &self.words[edge.to as usize],
            kind: edge.kind,
            evidence: edge.basis.evidence(),
            probability: if is_contained { 1.0 } else { edge.basis.probability() },
            path: &self.paths[edge.path as usize],
            line: edge.line,
            column: edge.column,
        }
    }
}
