//! What a change breaks: what changed by definition, what that does at each place that refers to it, and which tests to
//! run.
//!
//! Goes in: two states of a repository, and the index of the newer one. Comes out: a [`ReviewReport`] as plain data.
//! Knows no command line and no output.
//!
//! `range` names the two states, `versions` reads both sides of the changed files, `changes` compares them definition by
//! definition, `judge` asks the index who refers to what changed and whether that still fits, `tests` orders the tests.

mod co_change;
mod fit;
mod handed;
mod hypothesis;
mod judge;
mod owners;
mod removed_references;
pub mod states;
mod tests;
mod uses;

use std::collections::BTreeSet;

use serde::Serialize;

pub use co_change::{Habit, habits};
pub use hypothesis::judged_sites;
pub use judge::Finding;
pub use owners::{Owners, Ownership, PLACES as OWNERS_PLACES};
pub use states::baseline::{Baseline, BaselineError};
pub use states::edits::Edit;
pub use states::range::{Range, RangeError};
pub use tests::{Mode, RankedTest};

use crate::{
    facts::FileFacts,
    git::{FileChange, Repository},
    index,
    model::{EntityFlags, EntityId, EntityKind, EntityRecord},
    query::{
        graph::Graph,
        impact::{
            ImpactOptions, ImpactReport, ReachSummary,
            completeness::{Boundary, Completeness},
            impact, impact_and_reach, reach,
            verdict::Verdict,
            walk::Limits,
        },
        source::Sources,
        target::Target,
        words::count,
    },
    review::states::{
        changes::{Changed, changes, new_of, old_of},
        versions::{Indexed, Pair},
    },
    store::{Store, error::StoreError},
};

/// What is asked besides the two states.
#[derive(Clone, Debug, Default)]
pub struct ReviewOptions {
    pub limits: Limits,
    pub mode: Mode,
    /// Threads that read and compare; `None` for one per core.
    pub threads: Option<usize>,
    /// Keep the chains to everything that is reached: for pictures.
    pub with_chains: bool,
}

/// The answer. Its JSON form is a contract: fields are added, never changed.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewReport {
    pub schema: &'static str,
    pub schema_version: u32,
    /// The older state, for people and as a commit.
    pub base: String,
    pub base_commit: String,
    /// The newer state; no commit where it is the working tree or git's index.
    pub head: String,
    pub head_commit: Option<String>,
    /// Files of indexed languages that differ.
    pub files: usize,
    /// Among them those that only look different.
    pub files_only_formatted: usize,
    pub counts: Counts,
    pub completeness: Completeness,
    pub boundaries: Vec<Boundary>,
    /// In the order of paths and lines.
    pub changed: Vec<ChangedEntity>,
    /// Worst first, then by path and line.
    pub findings: Vec<Finding>,
    /// Findings that the baseline knows already.
    pub known: usize,
    /// Entities that the change reaches over any number of steps.
    pub impacted: usize,
    /// What pytest takes: changed and broken ones first, then the most probable.
    pub tests: Vec<RankedTest>,
    /// Tests that only a name connects with the change, or whose file could not be read in full.
    pub untraced_tests: Vec<String>,
    /// Changed definitions that no test is known to reach.
    pub untested: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Ownership>,
    /// Files that usually change with these, and did not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub habits: Vec<Habit>,
    /// What is reached, with the chains; only where they were asked for.
    #[serde(skip)]
    pub chains: Option<ImpactReport>,
}

/// How many findings there are of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub breaks: usize,
    pub may_break: usize,
    pub may_behave_differently: usize,
    pub not_affected: usize,
}

/// A definition that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedEntity {
    /// The name that it had; for what was added, the name that it has.
    pub name: String,
    pub kind: EntityKind,
    /// Where it is now; for what is gone, where it was.
    pub path: String,
    pub line: u32,
    pub edits: Vec<Edit>,
    pub is_test: bool,
}

impl Counts {
    fn of(findings: &[Finding]) -> Self {
        let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
        Self {
            breaks: count(Verdict::Breaks),
            may_break: count(Verdict::MayBreak),
            may_behave_differently: count(Verdict::MayBehaveDifferently),
            not_affected: count(Verdict::NotAffected),
        }
    }
}

impl ReviewReport {
    /// Leaves out the findings that `baseline` knows.
    pub fn forget(&mut self, baseline: &Baseline) {
        let before = self.findings.len();
        self.findings.retain(|finding| finding.verdict == Verdict::NotAffected || !baseline.knows(finding));
        self.known = before - self.findings.len();
        self.counts = Counts::of(&self.findings);
    }

    /// The findings of one verdict, in their order.
    pub fn of(&self, verdict: Verdict) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.verdict == verdict)
    }

    /// Nothing of an indexed language does anything else.
    pub fn is_without_effect(&self) -> bool {
        self.changed.iter().all(|changed| changed.edits.iter().all(|edit| *edit == Edit::DocsChanged))
    }
}

/// Compares the two states of `range`. `store` must describe the newer one, which `sources` reads.
pub fn review(
    repo: &Repository,
    store: &Store,
    sources: &Sources,
    range: &Range,
    options: &ReviewOptions,
) -> Result<ReviewReport, StoreError> {
    let graph = Graph::new(store)?;
    let read = Read::of(repo, &graph, &range.changes, options.threads)?;
    let (pairs, changed) = (&read.pairs, &read.changed);
    let (judgment, unseen) = judged(repo, &graph, sources, &read, options)?;
    // The tests of a module that fails are known without a walk.
    let targets = reaching(store, &graph, &read, &judgment, false)?;
    let judge::Judgment { mut findings, lost_imports, unimportable } = judgment;
    findings.sort_by(|a, b| {
        let place = |finding: &Finding| (finding.verdict, finding.path.clone(), finding.line, finding.column);
        place(a).cmp(&place(b)).then_with(|| a.entity.cmp(&b.entity))
    });
    let reached = match targets.as_slice() {
        [] => None,
        targets => Some(reach(store, sources, targets, &options.mode.limits(&options.limits))?),
    };
    let chains = match targets.as_slice() {
        targets if options.with_chains && !targets.is_empty() => {
            let limits = options.mode.limits(&options.limits);
            Some(impact(store, sources, targets, &ImpactOptions { limits, ..ImpactOptions::default() })?)
        }
        _ => None,
    };
    let selection = tests::select(&graph, &read, &findings, &unimportable, reached.as_ref(), options.mode)?;
    let (completeness, boundaries) = completeness(pairs, &range.unstaged, reached.as_ref(), unseen);
    Ok(ReviewReport {
        schema: "repoidx.review",
        schema_version: 1,
        base: range.base.clone(),
        base_commit: range.base_commit.clone(),
        head: range.head.clone(),
        head_commit: range.head_commit.clone(),
        files: pairs.len(),
        files_only_formatted: pairs.iter().filter(|pair| is_only_formatted(pair)).count(),
        counts: Counts::of(&findings),
        completeness,
        boundaries,
        changed: described(pairs, changed, &lost_imports),
        findings,
        known: 0,
        impacted: reached.as_ref().map_or(0, |reach| reach.entities),
        tests: selection.tests,
        untraced_tests: selection.untraced,
        untested: selection.untested,
        owners: Vec::new(),
        habits: Vec::new(),
        chains,
    })
}

/// What the change between the two states of `range` reaches, as an impact of everything that it touched and of everything
/// that asks for what is gone, and at how many places somebody does; `None` when it touched nothing that others can use.
pub fn impact_of_change(
    repo: &Repository,
    store: &Store,
    sources: &Sources,
    range: &Range,
    options: &ReviewOptions,
) -> Result<Option<(ImpactReport, usize)>, StoreError> {
    let graph = Graph::new(store)?;
    let read = Read::of(repo, &graph, &range.changes, options.threads)?;
    let (judgment, unseen) = judged(repo, &graph, sources, &read, options)?;
    let targets = reaching(store, &graph, &read, &judgment, true)?;
    let limits = options.limits.clone();
    let (mut report, reached) = match targets.as_slice() {
        [] if unseen.is_none() => return Ok(None),
        [] => (ImpactReport::of_nothing(), None),
        targets => {
            let options = ImpactOptions { limits, ..ImpactOptions::default() };
            let (report, reach) = impact_and_reach(store, sources, targets, &options)?;
            (report, Some(reach))
        }
    };
    let judge::Judgment { findings, unimportable, .. } = &judgment;
    let tests = tests::select(&graph, &read, findings, unimportable, reached.as_ref(), options.mode)?.tests;
    report.tests = tests.into_iter().map(|test| test.id).collect();
    (report.completeness, report.boundaries) = completeness(&read.pairs, &range.unstaged, reached.as_ref(), unseen);
    let asking = findings.iter().filter(|finding| finding.is_missing).count();
    Ok(Some((report, asking)))
}

/// Judges what changed. Comes with a boundary where the state before could not be asked who referred to what is gone.
fn judged(
    repo: &Repository,
    graph: &Graph,
    sources: &Sources,
    read: &Read,
    options: &ReviewOptions,
) -> Result<(judge::Judgment, Option<Boundary>), StoreError> {
    let by_name = "what referred to removed definitions was found by name alone";
    let (references, unseen) = match removed_references::references(repo, graph, sources, read, options.threads) {
        Ok((references, true)) => (references, None),
        Ok((references, false)) => (references, Some(format!("in some of very many files, {by_name}"))),
        Err(error) => (Vec::new(), Some(format!("{by_name}: {error}"))),
    };
    let unseen = unseen.map(|message| Boundary::new("removed_definitions", 1, message));
    Ok((judge::judge(graph, read, &references)?, unseen))
}

/// Both sides of the changed files, compared.
struct Read {
    pairs: Vec<Pair>,
    changed: Vec<Changed>,
    /// What the index has of the newer sides.
    indexed: Indexed,
}

impl Read {
    fn of(
        repo: &Repository,
        graph: &Graph,
        changes_of_files: &[FileChange],
        threads: Option<usize>,
    ) -> Result<Self, StoreError> {
        let known = states::versions::Known::of(graph, changes_of_files)?;
        let (pairs, changed) = index::pool(threads).install(|| {
            let pairs = states::versions::read(repo, changes_of_files, &known);
            let changed = topmost(&pairs, changes(&pairs));
            (pairs, changed)
        });
        Ok(Self { pairs, changed, indexed: Indexed::default() })
    }
}

/// Leaves out the parts of what went, came or moved as a whole.
fn topmost(pairs: &[Pair], changed: Vec<Changed>) -> Vec<Changed> {
    let is_fate = |edit: &Edit| edit.takes_the_name() || *edit == Edit::Added;
    let fates: BTreeSet<(bool, usize, usize)> = changed
        .iter()
        .filter(|change| change.edits.iter().any(is_fate))
        .flat_map(|change| {
            let old = change.old.map(|(pair, index)| (true, pair, index));
            let new = change.new.map(|(pair, index)| (false, pair, index));
            [old, new].into_iter().flatten()
        })
        .collect();
    let is_part = |is_old: bool, spot: Option<states::changes::Spot>| {
        spot.is_none_or(|(pair, index)| {
            let version = if is_old { old_of(pairs, (pair, index)) } else { new_of(pairs, (pair, index)) };
            let parent = version.records()[index].parent as usize;
            index != 0 && fates.contains(&(is_old, pair, parent))
        })
    };
    let keep = |change: &Changed| {
        let mut others = change.edits.iter().filter(|edit| !is_fate(edit));
        let is_whole = !(is_part(true, change.old) && is_part(false, change.new));
        is_whole || others.next().is_some() || !change.edits.iter().any(is_fate)
    };
    let mut changed = changed;
    changed.retain(keep);
    for change in &mut changed {
        if is_part(true, change.old) && is_part(false, change.new) && change.old.is_some() && change.new.is_some() {
            change.edits.retain(|edit| !is_fate(edit));
        }
    }
    changed
}

fn described(pairs: &[Pair], changed: &[Changed], lost_imports: &[(usize, String)]) -> Vec<ChangedEntity> {
    let entity = |change: &Changed| {
        let (now, was) = (change.new, change.old);
        let of_name = match (was, now) {
            (Some(spot), _) => old_of(pairs, spot).full_name(spot.1),
            (None, Some(spot)) => new_of(pairs, spot).full_name(spot.1),
            (None, None) => String::new(),
        };
        let (version, index) = match (now, was) {
            (Some(spot), _) => (new_of(pairs, spot), spot.1),
            (None, Some(spot)) => (old_of(pairs, spot), spot.1),
            (None, None) => return None,
        };
        let record = &version.records()[index];
        Some(ChangedEntity {
            name: of_name,
            kind: record.kind,
            path: version.path.clone(),
            line: record.line,
            edits: change.edits.clone(),
            is_test: crate::resolve::is_test_path(&version.path),
        })
    };
    let mut described: Vec<ChangedEntity> = changed.iter().filter_map(entity).collect();
    for (number, name) in lost_imports {
        let Some(version) = &pairs[*number].new else { continue };
        described.push(ChangedEntity {
            name: format!("{}.{name}", version.module),
            kind: EntityKind::Variable,
            path: version.path.clone(),
            line: 1,
            edits: vec![Edit::ImportRemoved],
            is_test: crate::resolve::is_test_path(&version.path),
        });
    }
    described.sort_by(|a, b| (&a.path, a.line, &a.name).cmp(&(&b.path, b.line, &b.name)));
    described
}

/// From where the change spreads: what changed, who still asks for what is gone, and who imports what cannot be imported
/// when it runs; with `modules`, also modules that fail as a whole, and with them all that they hold.
fn reaching(
    store: &Store,
    graph: &Graph,
    read: &Read,
    judgment: &judge::Judgment,
    modules: bool,
) -> Result<Vec<Target>, StoreError> {
    let mut targets = targets_of(store, read)?;
    let is_felt = |finding: &&Finding| {
        (finding.verdict <= Verdict::MayBreak || finding.is_missing) && (modules || finding.kind != EntityKind::Module)
    };
    let asking = judgment.findings.iter().filter(is_felt).map(|finding| finding.source);
    let asking: BTreeSet<EntityId> = asking.chain(judgment.unimportable.functions.iter().copied()).collect();
    for source in asking {
        targets.extend(graph.entity(source)?.map(|entity| Target::of(vec![entity.as_ref().clone()])));
    }
    targets.sort_by_key(|target| target.main().full_name());
    targets.dedup_by(|a, b| a.main().id == b.main().id);
    Ok(targets)
}

fn targets_of(store: &Store, read: &Read) -> Result<Vec<Target>, StoreError> {
    let mut targets = Vec::new();
    for change in &read.changed {
        let Some((number, index)) = change.new else { continue };
        let is_felt = change.edits.iter().any(|edit| edit.is_behavior() || edit.is_use());
        if !is_felt || index == 0 {
            continue;
        }
        let entities = read.indexed.of(store, &read.pairs, number)?;
        let entity = new_of(&read.pairs, (number, index)).among(index, &entities);
        targets.extend(entity.map(|entity| Target::of(vec![entity.clone()])));
    }
    Ok(targets)
}

fn is_only_formatted(pair: &Pair) -> bool {
    match (&pair.old, &pair.new) {
        (Some(old), Some(new)) => old.shape.whole == new.shape.whole,
        _ => false,
    }
}

/// What limits the answer.
fn completeness(
    pairs: &[Pair],
    unstaged: &[String],
    reached: Option<&ReachSummary>,
    unseen: Option<Boundary>,
) -> (Completeness, Vec<Boundary>) {
    let (mut completeness, mut boundaries) = match reached {
        Some(report) => (report.completeness, report.boundaries.clone()),
        None => (Completeness::Exact, Vec::new()),
    };
    if let Some(boundary) = unseen {
        completeness = completeness.max(Completeness::LowerBound);
        boundaries.push(boundary);
    }
    let is_partial = |facts: Option<&FileFacts>| facts.is_some_and(|facts| facts.bodies.is_partial);
    let partial: Vec<String> = pairs
        .iter()
        .filter(|pair| {
            let facts = |version: &Option<states::versions::Version>| {
                is_partial(version.as_ref().map(|version| &version.facts))
            };
            facts(&pair.old) || facts(&pair.new)
        })
        .map(|pair| pair.path.clone())
        .collect();
    let unread: Vec<String> = pairs.iter().filter(|pair| pair.is_unread).map(|pair| pair.path.clone()).collect();
    let unstaged: Vec<String> = unstaged.iter().filter(|path| index::is_indexed(path)).cloned().collect();
    for (kind, paths, noun, what) in [
        ("unstaged_changes", unstaged, "file", "with changes that are not staged, which were seen all the same"),
        ("partial_changes", partial, "changed file", "with syntax errors could be compared only in part"),
        ("unread_changes", unread, "changed file", "could not be read on one side and was not compared"),
    ] {
        if paths.is_empty() {
            continue;
        }
        completeness = completeness.max(Completeness::LowerBound);
        let message = format!("{} {what}", count(paths.len(), noun));
        let boundary = Boundary::new(kind, paths.len(), message);
        boundaries.push(Boundary { paths: paths.into_iter().take(10).collect(), ..boundary });
    }
    (completeness, boundaries)
}

/// Whether an entity is a test that pytest would run.
fn is_test(record: &EntityRecord) -> bool {
    record.kind.is_callable() && record.flags.has(EntityFlags::TEST)
}
