//! The repository in outline, the most important definitions first.
//!
//! A walk starts at the focus (a text, files, or nothing) and spreads attention along relationships: forward to the
//! definitions that are used, backward to their users. The rank of a definition is its share of the attention. The
//! writer of the map decides how many definitions fit on a page.

pub mod most_used;
mod rank;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::{
    model::{EntityFlags, EntityId, EntityKind, EntityRecord, RelationshipKind},
    query::{search::Hit, source::Sources},
    store::{
        Store,
        error::StoreError,
        read::{full_name, outline::OutlineRow},
    },
};

use self::rank::{Edges, diffusion, page_rank};

/// How attention spreads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ranking {
    /// Personalised `PageRank`.
    #[default]
    PageRank,
    /// One step of diffusion from the focus.
    Diffuse,
}

/// The focus of a map and its limits.
#[derive(Clone, Debug, Default)]
pub struct MapOptions {
    /// Words, names or code.
    pub text: Option<String>,
    /// Hits of a search for the text, best first.
    pub hits: Vec<Hit>,
    /// Paths of files (uncommitted ones, for instance).
    pub files: Vec<String>,
    pub ranking: Ranking,
    pub weights: MapWeights,
    /// Most entities; a page cannot hold more.
    pub limit: usize,
}

/// Weights of definitions; others weigh 1. All but the last two are those of a map without a focus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapWeights {
    /// Of definitions in tests.
    pub tests: f64,
    /// Of names that begin with an underscore.
    pub private: f64,
    /// Of names of several words with at least [`LONG_NAME`] characters.
    pub long: f64,
    /// Of names that more than [`FEW_DEFINERS`] definitions have.
    pub common: f64,
    /// Of definitions whose name stands in the text of the focus.
    pub mentioned: f64,
    /// Attention that starts at each definition of a focused file; the best hit of a text has 1.
    pub file: f64,
}

impl Default for MapWeights {
    fn default() -> Self {
        Self { tests: 0.02, private: 0.3, long: 1.0, common: 1.0, mentioned: 1.0, file: 0.5 }
    }
}

/// Fewest characters of a name of several words that is long, and most definitions that share a name which is not
/// common.
pub const LONG_NAME: usize = 8;
pub const FEW_DEFINERS: usize = 5;

/// The answer.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct MapReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub focus: Option<String>,
    /// By rank.
    pub entities: Vec<Mapped>,
    /// Number of definitions in the repository.
    pub total: usize,
}

/// A definition on the map.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Mapped {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    /// Its share of all attention.
    pub rank: f64,
    /// `class Name(Base)` or `def name(…)`.
    pub headline: String,
    /// Headlines of the definitions around it, outermost first.
    pub parents: Vec<String>,
}

/// Attention that a relationship carries to its target. Around a focus, calls matter most. Without one, every use makes
/// a definition important.
fn weight(kind: RelationshipKind, is_focused: bool) -> f32 {
    match kind {
        RelationshipKind::Calls | RelationshipKind::Inherits => 1.0,
        RelationshipKind::Overrides => 0.6,
        RelationshipKind::References if is_focused => 0.2,
        RelationshipKind::References => 0.6,
        RelationshipKind::Decorates if is_focused => 0.1,
        RelationshipKind::Decorates => 0.6,
        RelationshipKind::Raises | RelationshipKind::Annotates | RelationshipKind::UsesFixture if is_focused => 0.1,
        RelationshipKind::Raises | RelationshipKind::Annotates | RelationshipKind::UsesFixture => 0.4,
        RelationshipKind::Reads | RelationshipKind::Writes | RelationshipKind::Imports => 0.3,
        // The others are hardly written in code, or follow from kinds above.
        _ => 0.1,
    }
}

/// Factor for the attention that flows back to the users of a definition. Without a focus it is small, since uses make
/// the used definition important. Around a focus, readers ask most often for callers; hundreds of callers share the
/// attention.
fn back(kind: RelationshipKind, is_focused: bool) -> f32 {
    match kind {
        _ if !is_focused => 0.1,
        RelationshipKind::Calls | RelationshipKind::Overrides | RelationshipKind::Inherits => 4.0,
        _ => 0.2,
    }
}

/// Attention from a definition to its parent, and, around a focus, from a class to its members.
const CONTAINED: f32 = 0.2;
const CONTAINED_FOCUSED: f32 = 0.05;
const CONTAINS_FOCUSED: f32 = 0.02;
/// Number of hits at which attention starts.
pub const HITS: usize = 12;
/// Share of a hit's attention that the next hit has: the first one has three times as much as all others together.
const NEXT_HIT: f64 = 0.25;

/// Draws the map.
pub fn map(store: &Store, sources: &Sources, options: &MapOptions) -> Result<MapReport, StoreError> {
    let rows = store.outline()?;
    let files: BTreeMap<_, _> = store.files()?.into_iter().collect();
    let place_of = places(&rows);
    // A map shows callables and classes. A variable counts for the definition around it.
    let nodes: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].kind != EntityKind::Variable).collect();
    let mut node_of = vec![u32::MAX; rows.len()];
    for (node, &at) in (0..).zip(&nodes) {
        node_of[at] = node;
    }
    let shown = |id: EntityId| -> Option<u32> {
        let mut at = *place_of.get(id.0 as usize)? as usize;
        for _ in 0..rows.len() {
            match *node_of.get(at)? {
                u32::MAX => at = *place_of.get(rows[at].parent.0 as usize)? as usize,
                node => return Some(node),
            }
        }
        None
    };
    let is_focused = options.text.is_some() || !options.files.is_empty();
    let is_test: Vec<bool> =
        nodes.iter().map(|at| files.get(&rows[*at].file).is_none_or(|file| file.is_test)).collect();
    let start = start(store, options, &rows, &nodes, &is_test, &shown)?;
    // Uses by tests make nothing important, unless the focus itself is a test.
    let with_tests = is_focused && (0..nodes.len()).any(|node| is_test[node] && start[node] > 0.0);
    let mut edges = Vec::new();
    store.each_relationship(with_tests, &mut |relationship| {
        let (Some(source), Some(target)) = (shown(relationship.source), shown(relationship.target)) else { return };
        #[expect(clippy::cast_possible_truncation, reason = "a weight needs few digits")]
        let weight = weight(relationship.kind, is_focused) * relationship.basis.probability() as f32;
        edges.push((source, target, weight));
        edges.push((target, source, weight * back(relationship.kind, is_focused)));
    })?;
    for (node, &at) in (0..).zip(&nodes) {
        if let Some(parent) = shown(rows[at].parent).filter(|parent| *parent != node) {
            edges.push((node, parent, if is_focused { CONTAINED_FOCUSED } else { CONTAINED }));
            if is_focused {
                edges.push((parent, node, CONTAINS_FOCUSED));
            }
        }
    }
    let edges = Edges::new(nodes.len(), &edges);
    let mut rank = match options.ranking {
        Ranking::PageRank => page_rank(&edges, &start),
        Ranking::Diffuse => diffusion(&edges, &start),
    };
    let mentioned: BTreeSet<&str> = options.text.as_deref().map(names_in).unwrap_or_default();
    let definers = if is_focused { FxHashMap::default() } else { definers(&rows) };
    for (node, rank) in rank.iter_mut().enumerate() {
        let row = &rows[nodes[node]];
        *rank *= if is_focused {
            if mentioned.contains(row.name.as_str()) { options.weights.mentioned } else { 1.0 }
        } else {
            importance(row, is_test[node], &definers, options.weights)
        };
    }
    let is_inner = |at: usize| {
        let parent = place_of.get(rows[at].parent.0 as usize).and_then(|parent| rows.get(*parent as usize));
        parent.is_some_and(|parent| parent.kind.is_callable())
    };
    let is_shown = |at: usize| rows[at].kind != EntityKind::Module && !is_inner(at);
    let mut order: Vec<usize> = (0..nodes.len()).filter(|node| is_shown(nodes[*node])).collect();
    let total = order.len();
    // The definition that fits the text best stays first, even where its only caller collects all its attention.
    let subject = options.text.as_ref().and_then(|_| largest(&start));
    let key = |node: usize| (subject != Some(node), -rank[node]);
    order.sort_by(|a, b| {
        let ((a_later, a_rank), (b_later, b_rank)) = (key(*a), key(*b));
        a_later.cmp(&b_later).then(a_rank.total_cmp(&b_rank)).then(a.cmp(b))
    });
    order.truncate(options.limit);
    let mut entities = Vec::with_capacity(order.len());
    for node in order {
        entities.extend(mapped(store, sources, rows[nodes[node]].id, rank[node])?);
    }
    let focus = options.text.clone();
    Ok(MapReport { schema: "repoidx.map", schema_version: 1, focus, entities, total })
}

/// The initial attention of each node. `shown` gives the node that an entity counts for.
fn start(
    store: &Store,
    options: &MapOptions,
    rows: &[OutlineRow],
    nodes: &[usize],
    is_test: &[bool],
    shown: &dyn Fn(EntityId) -> Option<u32>,
) -> Result<Vec<f64>, StoreError> {
    let mut start = vec![0.0; nodes.len()];
    let files: FxHashMap<_, String> = store.files()?.into_iter().map(|(id, file)| (id, file.path)).collect();
    if !options.hits.is_empty() {
        let by_place: FxHashMap<(&str, u32, &str), u32> = rows
            .iter()
            .filter_map(|row| Some(((files[&row.file].as_str(), row.start_line, row.name.as_str()), shown(row.id)?)))
            .collect();
        for (rank, hit) in (0_i32..).zip(options.hits.iter().take(HITS)) {
            // A module has no name of its own.
            let is_module = hit.kind == EntityKind::Module;
            let name = if is_module { "" } else { hit.name.rsplit('.').next().unwrap_or_default() };
            let name = name.split('@').next().unwrap_or_default();
            if let Some(&node) = by_place.get(&(hit.path.as_str(), hit.start_line, name)) {
                start[node as usize] += NEXT_HIT.powi(rank);
            }
        }
    }
    for (node, at) in nodes.iter().enumerate() {
        let is_in = options.files.iter().any(|file| *file == files[&rows[*at].file]);
        start[node] += if is_in { options.weights.file } else { 0.0 };
    }
    if start.iter().all(|weight| *weight == 0.0) {
        let definers = definers(rows);
        for (node, at) in nodes.iter().enumerate() {
            start[node] = importance(&rows[*at], is_test[node], &definers, options.weights);
        }
    }
    Ok(start)
}

/// The node at which most attention starts, of equal ones the first.
fn largest(start: &[f64]) -> Option<usize> {
    (0..start.len()).filter(|node| start[*node] > 0.0).max_by(|a, b| start[*a].total_cmp(&start[*b]).then(b.cmp(a)))
}

/// The weight of a definition without a focus.
fn importance(row: &OutlineRow, is_test: bool, definers: &FxHashMap<&str, usize>, weights: MapWeights) -> f64 {
    let name = row.name.as_str();
    let factors = [
        (is_test || row.flags.has(EntityFlags::TEST), weights.tests),
        (name.starts_with('_'), weights.private),
        (is_long(name), weights.long),
        (definers.get(name).is_some_and(|number| *number > FEW_DEFINERS), weights.common),
    ];
    factors.into_iter().filter(|(applies, _)| *applies).map(|(_, factor)| factor).product()
}

/// Whether a name has several words and many characters, so that it hardly means two things.
fn is_long(name: &str) -> bool {
    let name = name.trim_matches('_');
    let is_camel = || name.chars().zip(name.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    name.chars().count() >= LONG_NAME && (name.contains('_') || is_camel())
}

/// The number of definitions of each name.
fn definers(rows: &[OutlineRow]) -> FxHashMap<&str, usize> {
    let mut definers: FxHashMap<&str, usize> = FxHashMap::default();
    for row in rows {
        *definers.entry(&row.name).or_default() += 1;
    }
    definers
}

/// The names in a text.
fn names_in(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty()).collect()
}

/// The row of each entity, by the number of its id.
fn places(rows: &[OutlineRow]) -> Vec<u32> {
    let most = rows.iter().map(|row| row.id.0).max().unwrap_or(0) as usize;
    let mut places = vec![u32::MAX; most + 1];
    for (at, row) in (0..).zip(rows) {
        places[row.id.0 as usize] = at;
    }
    places
}

fn mapped(store: &Store, sources: &Sources, id: EntityId, rank: f64) -> Result<Option<Mapped>, StoreError> {
    let Some(entity) = store.entity(id)? else { return Ok(None) };
    let mut parents = Vec::new();
    let (mut parent, mut child) = (entity.parent, entity.id);
    while parent != child {
        let Some(outer) = store.entity(parent)? else { break };
        if outer.record.kind != EntityKind::Module {
            parents.insert(0, headline(&outer.record, &outer.path, sources));
        }
        (child, parent) = (outer.id, outer.parent);
    }
    Ok(Some(Mapped {
        name: full_name(&entity.module, &entity.record.qualified, entity.record.duplicate),
        kind: entity.record.kind,
        path: entity.path.clone(),
        start_line: entity.record.start_line,
        end_line: entity.record.end_line,
        rank,
        headline: headline(&entity.record, &entity.path, sources),
        parents,
    }))
}

/// The first line of a definition, in one line and without the colon.
pub(crate) fn headline(record: &EntityRecord, path: &str, sources: &Sources) -> String {
    let word = match record.kind {
        EntityKind::Class => {
            let line = sources.shown_line(path, record.line).unwrap_or_default();
            let head = line.split('#').next().unwrap_or_default().trim_end();
            // The bases stand in this line. For a header of several lines the name is enough.
            let has_bases = head.starts_with(&format!("class {}", record.name)) && head.ends_with(':');
            return if has_bases { head.trim_end_matches(':').to_owned() } else { format!("class {}", record.name) };
        }
        _ if record.flags.has(EntityFlags::ASYNC) => "async def",
        _ => "def",
    };
    format!("{word} {}{}", record.name, record.signature)
}
