//! How far an answer can be trusted to be complete.
//!
//! One word and the boundaries behind it: unresolved occurrences, files that were not read, limits that were reached,
//! libraries that may call definitions without callers here. "Could not tell" never looks like "nothing breaks".
//!
//! A list without a known limit is no complete one: of those that traced projects could check, two in five lacked a
//! test that ran the function. Only the fitted [`Likelihood`] may call a list exact.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::{
    model::{EntityKind, Evidence, FileId, UnresolvedReason, conventions::is_private},
    query::{
        graph::Graph,
        impact::{
            likelihood::Likelihood,
            outside::library_callers::users_outside,
            selection::{Collected, look_like_tests},
            walk::{Reached, Role, Walk},
        },
        source::Sources,
        words::identifiers,
    },
    store::{error::StoreError, read::Entity},
};

/// Whether the list is all there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Completeness {
    /// No limit is known, and the fitted likelihood is at least [`EXACT`]; or nothing was walked at all.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
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

/// The name under which attribute accesses with a computed name are kept.
pub(crate) const COMPUTED: &str = "getattr";
/// Most paths listed with a boundary.
pub(crate) const MAX_PATHS: usize = 10;

/// The likelihood from which a list without known limits is called exact.
const EXACT: f64 = 0.995;
/// The boundary of a list without known limits that is not likely enough to be exact.
const NO_LIMIT_KNOWN: &str = "likelihood";

/// Whether nothing is known that limits a list: there is no boundary, or only the one that says so.
pub fn no_limit_known(boundaries: &[Boundary]) -> bool {
    boundaries.iter().all(|limit| limit.kind == NO_LIMIT_KNOWN)
}

/// The word for a list with these boundaries and this likelihood, where one was fitted. A list that would be exact but
/// for its likelihood, or since other projects may use the definition, gets a boundary that says so.
pub(crate) fn settled(
    word: Completeness,
    boundaries: &mut Vec<Boundary>,
    judgement: Option<&Likelihood>,
    is_public: bool,
) -> Completeness {
    let is_likely = judgement.is_some_and(|judgement| judgement.probability >= EXACT);
    if word != Completeness::Exact || (is_likely && !is_public) {
        return word;
    }
    let others =
        "no limit is known here, but other projects may use a public name (`library = false` says that none does)";
    let message = match (is_public, is_likely) {
        (true, true) => others.to_owned(),
        (true, false) => format!("{others}, and code may reach it in ways that the source does not show"),
        (false, _) => "no limit is known, but code may reach it in ways that the source does not show".to_owned(),
    };
    boundaries.push(Boundary::new(NO_LIMIT_KNOWN, 1, message));
    Completeness::LowerBound
}

/// Whether projects that install this one can use a definition by its name: no part of it is private.
pub(crate) fn is_public(graph: &Graph, seeds: &[Entity]) -> Result<bool, StoreError> {
    let mut is_installed = false;
    for name in ["pyproject.toml", "setup.py", "setup.cfg"] {
        is_installed |= graph.store.file_id(name)?.is_some();
    }
    let is_open = |seed: &Entity| {
        let Some(file) = graph.file(seed.file) else { return false };
        !file.is_test && !seed.record.qualified.split('.').chain(file.path.split(['/', '.'])).any(is_private)
    };
    Ok(is_installed && seeds.iter().any(is_open))
}

/// The boundaries of a walk, in a fixed order, and the word that follows from them.
pub fn boundaries(
    collected: &Collected,
    sources: &Sources,
    seeds: &[Entity],
    walk: &Walk,
    listed: &[&Reached],
) -> Result<(Completeness, Vec<Boundary>), StoreError> {
    let graph = collected.graph;
    let mut found = Vec::new();
    let unresolved = unresolved(walk, listed, seeds, &mut found);
    dynamic(graph, seeds, &mut found)?;
    let is_partial = files(graph, sources, seeds, listed, &mut found);
    cuts(walk, &mut found);
    found.extend(users_outside(graph, sources, seeds, listed)?);
    found.extend(look_like_tests(collected, listed)?);
    let completeness = match () {
        () if is_partial || (listed.is_empty() && unresolved > 0) => Completeness::Unknown,
        () if found.is_empty() => Completeness::Exact,
        () => Completeness::LowerBound,
    };
    Ok((completeness, found))
}

/// Occurrences of the names that could not be resolved. Returns how many could be the target itself.
fn unresolved(walk: &Walk, listed: &[&Reached], seeds: &[Entity], found: &mut Vec<Boundary>) -> usize {
    let possible = listed.iter().filter(|reached| reached.evidence == Evidence::Possible);
    let (implicit, by_name): (Vec<&&Reached>, Vec<&&Reached>) = possible.partition(|reached| walk.is_implicit(reached));
    let is_direct = |reached: &&&&Reached| reached.distance == 1;
    let direct = by_name.iter().filter(is_direct).count() + walk.unlikely();
    if direct > 0 {
        let mut names: Vec<&str> = seeds.iter().map(|seed| seed.record.name.as_str()).collect();
        // A name with several definitions is one name.
        names.dedup();
        let what = if let [name] = names.as_slice() { format!("`{name}`") } else { "these names".to_owned() };
        let verb = if direct == 1 { "occurrence of" } else { "occurrences of" };
        found.push(Boundary::new("unresolved", direct, format!("{direct} unresolved {verb} {what} could be it")));
    }
    let beyond = by_name.len() + walk.unlikely() + walk.unlikely_beyond - direct;
    if beyond > 0 {
        let verb = if beyond == 1 { "dependent hangs" } else { "dependents hang" };
        let message = format!("{beyond} further {verb} on unresolved occurrences of names along the way");
        found.push(Boundary::new("unresolved_beyond", beyond, message));
    }
    if !implicit.is_empty() {
        let count = implicit.len();
        let verb = if count == 1 { "dependent hangs" } else { "dependents hang" };
        let message = format!("{count} {verb} on what other code may call");
        found.push(Boundary::new("implicit", count, message));
    }
    direct
}

/// `getattr` and the like with a computed name, in files that know the target's module or hold a base of its class.
fn dynamic(graph: &Graph, seeds: &[Entity], found: &mut Vec<Boundary>) -> Result<(), StoreError> {
    if seeds.iter().all(|seed| seed.record.kind == EntityKind::Module) {
        return Ok(());
    }
    let own: BTreeSet<FileId> = seeds.iter().map(|seed| seed.file).collect();
    let mut of_bases = Vec::new();
    for seed in seeds {
        let Some(head) = graph.head(seed.id)? else { continue };
        of_bases.extend(graph.lineage(head.parent)?.iter().map(|class| class.file));
    }
    let near: FxHashSet<FileId> = own.iter().copied().chain(of_bases).collect();
    let mut paths = BTreeSet::new();
    let mut count = 0;
    for file in graph.files_with_unresolved(COMPUTED)? {
        let mut is_near = near.contains(&file);
        for known in &own {
            is_near = is_near || graph.refers(file, *known)?;
        }
        // Most files are far, and their occurrences need not be unpacked.
        if !is_near {
            continue;
        }
        for access in graph.unresolved_in(file, COMPUTED)? {
            let is_computed = access.reason == UnresolvedReason::DynamicName;
            let Some(source) = graph.head(access.source)?.filter(|_| is_computed) else { continue };
            paths.insert(graph.path(&source).to_owned());
            count += 1;
        }
    }
    if count > 0 {
        let noun = if count == 1 { "access" } else { "accesses" };
        let message = format!("{count} attribute {noun} with a computed name in files that know this one");
        let paths = paths.into_iter().take(MAX_PATHS).collect();
        found.push(Boundary { paths, ..Boundary::new("dynamic", count, message) });
    }
    Ok(())
}

/// Files that were not or not wholly understood and that hold one of the names. Returns whether the target lies in
/// such a file.
fn files(graph: &Graph, sources: &Sources, seeds: &[Entity], listed: &[&Reached], found: &mut Vec<Boundary>) -> bool {
    let reached = listed.iter().map(|reached| reached.entity.name());
    let names: FxHashSet<&str> = seeds.iter().map(|seed| seed.record.name.as_str()).chain(reached).collect();
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
    for (kind, mut paths, one, several) in [
        (
            "partial_files",
            partial,
            "file with syntax errors names what is concerned here",
            "files with syntax errors name what is concerned here",
        ),
        (
            "skipped_files",
            skipped,
            "file that was not indexed may name what is concerned here",
            "files that were not indexed may name what is concerned here",
        ),
    ] {
        if paths.is_empty() {
            continue;
        }
        paths.sort_unstable();
        let what = if paths.len() == 1 { one } else { several };
        found.push(Boundary {
            kind,
            count: paths.len(),
            message: format!("{} {what}", paths.len()),
            paths: paths.into_iter().take(MAX_PATHS).map(str::to_owned).collect(),
        });
    }
    is_own_partial
}

/// Limits that ended the walk early.
fn cuts(walk: &Walk, found: &mut Vec<Boundary>) {
    if walk.is_cut {
        let count = walk.reached.keys().filter(|(_, role)| *role == Role::Affected).count();
        found.push(Boundary::new("limit", count, format!("stopped after {count} definitions")));
    }
    if walk.beyond_depth > 0 {
        let count = walk.beyond_depth;
        let verb = if count == 1 { "relationship leads" } else { "relationships lead" };
        found.push(Boundary::new("depth", count, format!("{count} {verb} beyond the depth asked for")));
    }
    let count = walk.improbable();
    if count > 0 {
        let verb = if count == 1 { "definition is" } else { "definitions are" };
        let message = format!("{count} further {verb} too improbable to list (--min-probability)");
        found.push(Boundary::new("improbable", count, message));
    }
}
