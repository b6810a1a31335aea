//! Everything an index knows, as lines: what must be equal for equal trees, whatever happened before.
//!
//! Goes in: a repository with an index. Comes out: sorted lines that name files and entities by path and name. Row ids
//! and stat data, which depend on history, are left out.

use std::collections::BTreeSet;

use repoidx::git::Repository;
use repoidx::index;
use repoidx::model::{EntityId, FileStat};

/// Reads the index as it is, without bringing it up to date.
pub(crate) fn snapshot(repo: &Repository) -> BTreeSet<String> {
    let store = index::open(repo).expect("the index is there");
    let mut lines = BTreeSet::new();
    for (id, mut file) in store.files().expect("the index is readable") {
        file.stat = FileStat::default();
        lines.insert(format!("{file:?}"));
        for entity in store.entities_of(id).expect("the index is readable") {
            lines.insert(format!("{} in {}: {:?}", entity.full_name(), entity.path, entity.record));
        }
        for mut unresolved in store.unresolved_of(id).expect("the index is readable") {
            let source = store.entity(unresolved.source).expect("the index is readable").expect("sources are entities");
            unresolved.source = EntityId(0);
            lines.insert(format!("{} in {}: {unresolved:?}", source.full_name(), file.path));
        }
    }
    let mut add = |line: String| assert!(lines.insert(line.clone()), "twice in the index: {line}");
    store.export_edges(&mut |edge| add(format!("{edge:?}"))).expect("the index is readable");
    store.each_text_line(&mut add).expect("the index is readable");
    lines
}

/// What one of the two has more than the other.
pub(crate) fn differences(updated: &BTreeSet<String>, fresh: &BTreeSet<String>) -> Vec<String> {
    let stale = updated.difference(fresh).map(|line| format!("only in the updated index: {line}"));
    let missing = fresh.difference(updated).map(|line| format!("only in a full build: {line}"));
    stale.chain(missing).collect()
}
