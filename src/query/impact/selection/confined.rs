//! Changes of test code that nothing outside of its files can notice.
//!
//! A method that a test overrides runs for objects that only this file makes, although a walk leads from it over the
//! code under test to every test. A file that others import, or whose fixtures they use, is not confined.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::{
    model::{Basis, FileId, RelationshipKind, conventions::pytest::is_conftest},
    query::graph::Graph,
    store::{error::StoreError, read::Entity},
};

/// The files of the changed definitions, if these are tests that no other file refers to by name.
pub(crate) fn confined(graph: &Graph, seeds: &[Entity]) -> Result<Option<BTreeSet<FileId>>, StoreError> {
    let files: BTreeSet<FileId> = seeds.iter().map(|seed| seed.file).collect();
    for &file in &files {
        let is_of_tests = graph.file(file).is_some_and(|record| record.is_test && !is_conftest(&record.path));
        if !is_of_tests {
            return Ok(None);
        }
        let own: FxHashSet<_> = graph.store.entity_ids(file)?.into_iter().collect();
        for other in graph.store.files_referring_to(file)?.into_iter().filter(|other| !files.contains(other)) {
            let mut relationships = graph.store.relationships_of(other)?.into_iter();
            // An override that a call reaches is no name, and neither is an attribute that the program looks up.
            let is_test = graph.file(other).is_some_and(|record| record.is_test);
            let is_by_name = relationships.any(|one| {
                let is_named = matches!(one.kind, RelationshipKind::Imports | RelationshipKind::UsesFixture)
                    || matches!(one.basis, Basis::Import | Basis::Fixture)
                    || is_test && one.basis == Basis::Text;
                is_named && own.contains(&one.target)
            });
            if is_by_name {
                return Ok(None);
            }
        }
    }
    Ok((!files.is_empty()).then_some(files))
}
