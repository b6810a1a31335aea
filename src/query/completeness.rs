//! How far an answer can be trusted to be complete.
//!
//! Goes in: a finished walk. Comes out: one word and the boundaries behind it: occurrences nobody could resolve,
//! files that were not read, limits that were reached. "Could not tell" never looks like "nothing breaks".

use std::rc::Rc;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::{
    model::{EntityKind, Evidence, UnresolvedReason},
    query::{
        graph::Graph,
        source::Sources,
        walk::{Reached, Role, Walk},
    },
    store::{error::StoreError, read::Entity},
};

/// Whether the list is all there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Completeness {
    /// Nothing that is known to be unknown could add to it.
    Exact,
    /// There may be more; the boundaries say where.
    LowerBound,
    /// Nothing can be said.
    Unknown,
}

impl Completeness {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::LowerBound => "lower bound",
            Self::Unknown => "unknown",
        }
    }
}

/// One thing that limits an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Boundary {
    pub kind: &'static str,
    pub count: usize,
    /// For people; a whole sentence without a period.
    pub message: String,
    /// The files concerned, if it is about files; at most ten.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
}

impl Boundary {
    /// A boundary that is not about files.
    pub fn new(kind: &'static str, count: usize, message: String) -> Self {
        Self { kind, count, message, paths: Vec::new() }
    }
}

/// Most paths listed with a boundary.
const MAX_PATHS: usize = 10;

/// The boundaries of a walk, in a fixed order, and the word that follows from them.
pub fn boundaries(
    graph: &Graph,
    sources: &Sources,
    seeds: &[Rc<Entity>],
    walk: &Walk,
    listed: &[&Reached],
) -> Result<(Completeness, Vec<Boundary>), StoreError> {
    let mut found = Vec::new();
    let unresolved = unresolved(walk, listed, seeds, &mut found);
    dynamic(graph, seeds, &mut found)?;
    let is_partial = files(graph, sources, seeds, listed, &mut found);
    cuts(walk, &mut found);
    let completeness = match () {
        () if is_partial || (listed.is_empty() && unresolved > 0) => Completeness::Unknown,
        () if found.is_empty() => Completeness::Exact,
        () => Completeness::LowerBound,
    };
    Ok((completeness, found))
}

/// Occurrences of the names that could not be resolved. Returns how many could be the target itself.
fn unresolved(walk: &Walk, listed: &[&Reached], seeds: &[Rc<Entity>], found: &mut Vec<Boundary>) -> usize {
    let possible = |is_direct: bool| {
        let is_possible =
            |reached: &&&Reached| reached.evidence == Evidence::Possible && (reached.distance == 1) == is_direct;
        listed.iter().filter(is_possible).count()
    };
    let direct = possible(true) + walk.unlikely;
    if direct > 0 {
        let names: Vec<&str> = seeds.iter().map(|seed| seed.record.name.as_str()).collect();
        let what = if let [name] = names.as_slice() { format!("`{name}`") } else { "these names".to_owned() };
        let verb = if direct == 1 { "occurrence of" } else { "occurrences of" };
        found.push(Boundary::new("unresolved", direct, format!("{direct} unresolved {verb} {what} could be it")));
    }
    let beyond = possible(false) + walk.unlikely_beyond;
    if beyond > 0 {
        let verb = if beyond == 1 { "dependent hangs" } else { "dependents hang" };
        let message = format!("{beyond} further {verb} on unresolved occurrences of names along the way");
        found.push(Boundary::new("unresolved_beyond", beyond, message));
    }
    direct
}

/// `getattr` and the like with a computed name, in files that know the target's module.
fn dynamic(graph: &Graph, seeds: &[Rc<Entity>], found: &mut Vec<Boundary>) -> Result<(), StoreError> {
    if seeds.iter().all(|seed| seed.record.kind == EntityKind::Module) {
        return Ok(());
    }
    let accesses = graph.unresolved_named("")?;
    let mut count = 0;
    let files: FxHashSet<_> = seeds.iter().map(|seed| seed.file).collect();
    for access in accesses.iter().filter(|access| access.reason == UnresolvedReason::DynamicName) {
        if graph.entity(access.source)?.is_some_and(|source| files.contains(&source.file)) {
            count += 1;
        }
    }
    if count > 0 {
        let noun = if count == 1 { "access" } else { "accesses" };
        let message = format!("{count} attribute {noun} with a computed name in the same file");
        found.push(Boundary::new("dynamic", count, message));
    }
    Ok(())
}

/// Files that were not or not wholly understood and that hold one of the names. Returns whether the target lies in
/// such a file.
fn files(
    graph: &Graph,
    sources: &Sources,
    seeds: &[Rc<Entity>],
    listed: &[&Reached],
    found: &mut Vec<Boundary>,
) -> bool {
    let entities = listed.iter().map(|reached| &reached.entity).chain(seeds);
    let names: FxHashSet<&str> = entities.map(|entity| entity.record.name.as_str()).collect();
    let mentions =
        |path: &str| sources.text(path).is_none_or(|text| identifiers(&text).any(|word| names.contains(word)));
    let mut partial: Vec<&str> = Vec::new();
    let mut skipped: Vec<&str> = Vec::new();
    for file in graph.files() {
        if file.is_partial && mentions(&file.path) {
            partial.push(&file.path);
        } else if !file.skipped.is_empty() && mentions(&file.path) {
            skipped.push(&file.path);
        }
    }
    let own = |path: &&str| seeds.iter().any(|seed| seed.path == *path);
    let is_own_partial = partial.iter().any(own);
    for (kind, mut paths, what) in [
        ("partial_files", partial, "with syntax errors name what is concerned here"),
        ("skipped_files", skipped, "that were not indexed may name what is concerned here"),
    ] {
        if paths.is_empty() {
            continue;
        }
        paths.sort_unstable();
        let noun = if paths.len() == 1 { "file" } else { "files" };
        found.push(Boundary {
            kind,
            count: paths.len(),
            message: format!("{} {noun} {what}", paths.len()),
            paths: paths.into_iter().take(MAX_PATHS).map(str::to_owned).collect(),
        });
    }
    is_own_partial
}

/// Limits that ended the walk early.
fn cuts(walk: &Walk, found: &mut Vec<Boundary>) {
    if walk.is_cut_by_count {
        let count = walk.reached.keys().filter(|(_, role)| *role == Role::Affected).count();
        found.push(Boundary::new("limit", count, format!("stopped after {count} entities")));
    }
    if walk.is_cut_by_time {
        let count = walk.reached.len();
        found.push(Boundary::new("time", count, format!("stopped after {count} entities: out of time")));
    }
    if walk.beyond_depth > 0 {
        let count = walk.beyond_depth;
        let verb = if count == 1 { "relationship leads" } else { "relationships lead" };
        found.push(Boundary::new("depth", count, format!("{count} {verb} beyond the depth asked for")));
    }
    if !walk.improbable.is_empty() {
        let count = walk.improbable.len();
        let verb = if count == 1 { "entity is" } else { "entities are" };
        let message = format!("{count} further {verb} too improbable to list (--min-probability)");
        found.push(Boundary::new("improbable", count, message));
    }
}

/// The words of a text that could be names.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
