//! The contents and the answers of an index as sorted lines, which must be equal for equal trees after any history.
//!
//! The lines name files and entities by path and name. Row ids and stat data, which depend on history, are left out.

use std::collections::BTreeSet;

use repoidx::git::Repository;
use repoidx::index;
use repoidx::model::{EntityId, FileStat};
use repoidx::query::map::{MapOptions, map};
use repoidx::query::search::{SearchOptions, Searcher};
use repoidx::query::source::Sources;
use repoidx::store::Store;

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
    lines.extend(answers(&store));
    lines
}

/// Most names that are searched for; the tests' repositories are small.
const ASKED: usize = 8;

/// Answers that depend on ranks, to the last bit of a score: ids and numbers of rows tell the history of an index, and
/// a tie that they decide shows here.
fn answers(store: &Store) -> Vec<String> {
    let sources = Sources::new(|_| None);
    let searcher = Searcher::new(store).expect("the index is readable");
    let mut questions = store.names().expect("the index is readable");
    questions.truncate(ASKED);
    questions.push("add a function that returns the value of a class".to_owned());
    let options = SearchOptions { limit: 50, explain: true, ..SearchOptions::default() };
    let mut answers = Vec::new();
    for question in questions {
        let mut found = searcher.search(&question, &options).expect("the index is readable");
        let focused = MapOptions { text: Some(question), hits: found.hits.clone(), limit: 50, ..MapOptions::default() };
        let drawn = map(store, &sources, &focused).expect("the index is readable");
        // Ids are no part of an answer: they serve the program alone.
        found.hits.iter_mut().for_each(|hit| hit.id = None);
        answers.push(format!("{found:?}"));
        answers.push(format!("{drawn:?}"));
    }
    let whole = MapOptions { limit: 50, ..MapOptions::default() };
    answers.push(format!("{:?}", map(store, &sources, &whole).expect("the index is readable")));
    answers
}

/// The rows that one of the two has more than the other.
pub(crate) fn differences(updated: &BTreeSet<String>, fresh: &BTreeSet<String>) -> Vec<String> {
    let stale = updated.difference(fresh).map(|line| format!("only in the updated index: {line}"));
    let missing = fresh.difference(updated).map(|line| format!("only in a full build: {line}"));
    stale.chain(missing).collect()
}
