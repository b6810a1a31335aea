//! Review: the effects of a change on the rest of the repository.
//!
//! A review compares two states and gives a [`ReviewReport`]: changed definitions, findings at the places that refer to
//! them, and tests to run.
//!
//! `states::range` names the two states, and `states::versions` reads both sides of the changed files.
//! `states::changes` compares them definition by definition. `judge` asks the index for references and whether they
//! still fit. `tests` orders the tests.

mod broken;
mod deferred_calls;
pub mod expected;
mod fit;
mod hypothesis;
mod judge;
mod removed_references;
pub mod states;
mod tests;
mod uses;

use std::{collections::BTreeSet, mem::take};

use serde::Serialize;

pub use hypothesis::judged_sites;
pub use judge::Finding;
pub use states::baseline::{Baseline, BaselineError};
pub use states::edits::Edit;
pub use states::newer::{is_worktree, patched_sources, sources_of};
pub use states::range::{Range, RangeError, ReviewedChange};
pub use tests::{Mode, RankedTest};

use crate::{
    facts::FileFacts,
    git::{FileChange, Repository},
    index,
    model::{EntityFlags, EntityId, EntityKind, EntityRecord, conventions::pytest::is_test_path},
    query::{
        graph::Graph,
        impact::{
            ImpactOptions, ImpactReport, ReachSummary,
            completeness::{Boundary, Completeness, no_limit_known},
            impact, impact_and_reach, number_of_tests, reach,
            verdict::Verdict,
            walk::Limits,
        },
        source::Sources,
        target::{Target, described::Described},
        words::count,
    },
    review::expected::{Expected, Unmet},
    review::removed_references::RemovedUses,
    review::states::{
        changes::{Changed, changes, new_of, old_of},
        versions::{FilePair, IndexedEntities},
    },
    store::{Store, error::StoreError},
};

/// The options of a review.
#[derive(Clone, Debug, Default)]
pub struct ReviewOptions {
    pub limits: Limits,
    pub mode: Mode,
    /// Threads that read and compare; `None` for one per core.
    pub threads: Option<usize>,
    /// Keep the chains to all that is reached, for pictures.
    pub with_chains: bool,
}

/// The answer. Its JSON form is a contract: fields are added, never changed.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
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
    /// Among them, files whose code is equal but for layout.
    pub files_only_formatted: usize,
    pub counts: VerdictCounts,
    pub completeness: Completeness,
    pub boundaries: Vec<Boundary>,
    /// In the order of paths and lines.
    pub changed: Vec<ChangedEntity>,
    /// Worst first, then by path and line.
    pub findings: Vec<Finding>,
    /// Findings that a comment or the configuration expects; `findings` and `counts` leave them out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<Expected>,
    /// Expectations without effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmet: Vec<Unmet>,
    /// Number of findings that the baseline contains.
    pub known: usize,
    /// Entities that the change reaches over any number of steps.
    pub impacted: usize,
    /// Ids for pytest: changed and broken tests first, then the most probable ones.
    pub tests: Vec<RankedTest>,
    /// Tests that only a name connects with the change, or whose file could not be read completely.
    pub untraced_tests: Vec<String>,
    /// Changed definitions that no test is known to reach.
    pub untested: Vec<String>,
    /// The reached entities with their chains; only on request.
    #[serde(skip)]
    pub chains: Option<ImpactReport>,
}

/// Number of findings by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct VerdictCounts {
    pub breaks: usize,
    pub may_break: usize,
    pub may_behave_differently: usize,
    pub not_affected: usize,
}

/// A definition that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ChangedEntity {
    /// The old name; for an added definition the new one.
    pub name: String,
    pub kind: EntityKind,
    /// The path now; for a removed definition the old one.
    pub path: String,
    pub line: u32,
    pub edits: Vec<Edit>,
    pub is_test: bool,
}

impl VerdictCounts {
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
    /// Removes the lines about the files that `is_withheld` names, and tells in a boundary how many they are.
    pub fn withhold(&mut self, is_withheld: &dyn Fn(&str) -> bool) {
        let before = self.changed.len() + self.findings.len();
        let (hidden, changed) = take(&mut self.changed).into_iter().partition(|changed| is_withheld(&changed.path));
        self.changed = changed;
        self.findings.retain(|finding| !is_withheld(&finding.path));
        // The reason may repeat a default of the changed definition.
        let hidden: Vec<ChangedEntity> = hidden;
        for finding in &mut self.findings {
            if hidden.iter().any(|changed| changed.name == finding.entity) {
                finding.reason = String::from("an ignore file withholds the changed definition");
            }
        }
        let withheld = before - self.changed.len() - self.findings.len();
        if withheld > 0 {
            let message = format!("{} withheld by an ignore file", count(withheld, "line"));
            self.boundaries.push(Boundary::new("withheld", withheld, message));
        }
    }

    /// Removes the findings that `baseline` contains.
    pub fn forget(&mut self, baseline: &Baseline) {
        let before = self.findings.len();
        self.findings.retain(|finding| finding.verdict == Verdict::NotAffected || !baseline.knows(finding));
        self.known = before - self.findings.len();
        self.counts = VerdictCounts::of(&self.findings);
    }

    /// The number of tests to run, in words: `3 tests`, `no test`, `1 test and 2 files`.
    pub fn number_of_tests(&self) -> String {
        number_of_tests(self.tests.iter().map(|test| test.id.as_str()))
    }

    /// The findings of one verdict, in their order.
    pub fn of(&self, verdict: Verdict) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.verdict == verdict)
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
    let read = ComparedFiles::of(repo, &graph, &range.changes, options.threads)?;
    let (pairs, changed) = (&read.pairs, &read.changed);
    let limits = options.mode.limits(&options.limits);
    let (judgment, unseen, removed) = judged(repo, &graph, sources, &read, options)?;
    // The tests of a failing module are known without a walk.
    let targets = reaching(&graph, targets_of(store, &read)?, &judgment, false)?;
    let judge::Judgment { mut findings, lost_imports, unimportable } = judgment;
    findings.sort_by(|a, b| {
        let place = |finding: &Finding| (finding.verdict, finding.path.clone(), finding.line, finding.column);
        place(a).cmp(&place(b)).then_with(|| a.entity.cmp(&b.entity))
    });
    let reached = match targets.as_slice() {
        [] => None,
        targets => Some(reach(store, sources, targets, &limits)?),
    };
    let reached = joined(reached, removed);
    let chains = match targets.as_slice() {
        targets if options.with_chains && !targets.is_empty() => {
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
        counts: VerdictCounts::of(&findings),
        completeness,
        boundaries,
        changed: described(pairs, changed, &lost_imports),
        findings,
        expected: Vec::new(),
        unmet: Vec::new(),
        known: 0,
        impacted: reached.as_ref().map_or(0, |reach| reach.entities),
        tests: selection.tests,
        untraced_tests: selection.untraced,
        untested: selection.untested,
        chains,
    })
}

/// The definitions that differ between the two states of `range`, without a judgment of what uses them. `store` must
/// describe the newer one.
fn changed_definitions(
    repo: &Repository,
    store: &Store,
    range: &Range,
    threads: Option<usize>,
) -> Result<Vec<ChangedEntity>, StoreError> {
    let graph = Graph::new(store)?;
    let read = ComparedFiles::of(repo, &graph, &range.changes, threads)?;
    Ok(described(&read.pairs, &read.changed, &[]))
}

/// The definitions that differ between a commit and the files as they are; `None` where git does not know the commit.
pub fn definitions_since(repo: &Repository, store: &Store, base: &str) -> Option<Vec<ChangedEntity>> {
    let range = Range::worktree(repo, Some(base)).ok()?;
    changed_definitions(repo, store, &range, None).ok()
}

/// Whether the differences alone show that all references still fit: nothing changed but layout, and bodies,
/// documentation, defaults and annotations of functions. Needs no index; `false` says nothing.
pub fn fits_at_sight(repo: &Repository, range: &Range, threads: Option<usize>) -> bool {
    index::pool(threads).install(|| {
        let pairs = states::versions::read(repo, &range.changes, &states::versions::IndexedContents::unknown());
        let is_compared = |pair: &FilePair| {
            let (Some(old), Some(new)) = (&pair.old, &pair.new) else { return false };
            let (was, is) = (&old.facts.interface, &new.facts.interface);
            // A name that is imported no more is no change of a definition.
            let has_all = was.members.iter().all(|member| !is.member(was.names.hash(member.name)).is_empty());
            has_all && (new.shape.broken == 0 || is_only_formatted(pair))
        };
        let keeps = |change: &Changed| {
            change.old.is_some()
                && change.new.is_some_and(|(_, index)| index != 0)
                && change.edits.iter().all(Edit::keeps_references)
        };
        pairs.iter().all(is_compared) && changes(&pairs).iter().all(keeps)
    })
}

/// The impact of all definitions that the change touched and of all places that ask for removed ones; also the number
/// of these places. `None` if the change touched nothing that others can use.
pub fn impact_of_change(
    repo: &Repository,
    store: &Store,
    sources: &Sources,
    range: &Range,
    options: &ReviewOptions,
) -> Result<Option<(ImpactReport, usize)>, StoreError> {
    let graph = Graph::new(store)?;
    let read = ComparedFiles::of(repo, &graph, &range.changes, options.threads)?;
    let (judgment, unseen, removed) = judged(repo, &graph, sources, &read, options)?;
    let changed = targets_of(store, &read)?;
    let is_changed: BTreeSet<EntityId> = changed.iter().map(|target| target.main().id).collect();
    let targets = reaching(&graph, changed, &judgment, true)?;
    let limits = options.limits.clone();
    let (mut report, reached) = match targets.as_slice() {
        [] if unseen.is_none() && removed.is_none() => return Ok(None),
        [] => (ImpactReport::of_nothing(), None),
        targets => {
            let options = ImpactOptions { limits, ..ImpactOptions::default() };
            let (report, reach) = impact_and_reach(store, sources, targets, &options)?;
            (report, Some(reach))
        }
    };
    let reached = joined(reached, removed);
    let judge::Judgment { findings, unimportable, .. } = &judgment;
    let tests = tests::select(&graph, &read, findings, unimportable, reached.as_ref(), options.mode)?.tests;
    report.tests = tests.into_iter().map(|test| test.id).collect();
    let (changed, breaking): (Vec<&Target>, Vec<&Target>) =
        targets.iter().partition(|target| is_changed.contains(&target.main().id));
    if !breaking.is_empty() {
        report.targets = changed.into_iter().map(Described::of).collect();
        report.breaking = breaking.into_iter().map(Described::of).collect();
        report.target = report.targets.first().unwrap_or(&report.target).clone();
        broken::enter_broken(&mut report, &graph, findings)?;
    }
    (report.completeness, report.boundaries) = completeness(&read.pairs, &range.unstaged, reached.as_ref(), unseen);
    let asking = findings.iter().filter(|finding| finding.is_missing).count();
    Ok(Some((report, asking)))
}

/// Judges the changed definitions. A boundary says where references to removed definitions could not be resolved; the
/// summary is of all that the removed ones would reach.
fn judged(
    repo: &Repository,
    graph: &Graph,
    sources: &Sources,
    read: &ComparedFiles,
    options: &ReviewOptions,
) -> Result<(judge::Judgment, Option<Boundary>, Option<ReachSummary>), StoreError> {
    let by_name = "references to removed definitions were found by name alone";
    let limits = options.mode.limits(&options.limits);
    let (uses, unseen) = match removed_references::removed_uses(repo, graph, sources, read, options.threads, &limits) {
        Ok(uses) => {
            let unseen = uses.is_cut.then(|| format!("in some of very many files, {by_name}"));
            (uses, unseen)
        }
        Err(error) => (RemovedUses::default(), Some(format!("{by_name}: {error}"))),
    };
    let unseen = unseen.map(|message| Boundary::new("removed_definitions", 1, message));
    Ok((judge::judge(graph, read, &uses.references)?, unseen, uses.reached))
}

/// Two summaries as one. The entities of both are mostly the same, so the larger number stands for them.
fn joined(reached: Option<ReachSummary>, removed: Option<ReachSummary>) -> Option<ReachSummary> {
    let (mut reached, removed) = match (reached, removed) {
        (Some(reached), Some(removed)) => (reached, removed),
        (reached, removed) => return reached.or(removed),
    };
    reached.entities = reached.entities.max(removed.entities);
    reached.tests.extend(removed.tests);
    reached.completeness = reached.completeness.max(removed.completeness);
    for boundary in removed.boundaries {
        if !reached.boundaries.contains(&boundary) {
            reached.boundaries.push(boundary);
        }
    }
    // Beside a known limit, the sentence that none is known would be wrong.
    let is_known = |boundary: &Boundary| !no_limit_known(std::slice::from_ref(boundary));
    if reached.boundaries.iter().any(is_known) {
        reached.boundaries.retain(is_known);
    }
    Some(reached)
}

/// Both sides of the changed files, compared.
struct ComparedFiles {
    pairs: Vec<FilePair>,
    changed: Vec<Changed>,
    /// The entities of the newer sides.
    indexed: IndexedEntities,
}

impl ComparedFiles {
    fn of(
        repo: &Repository,
        graph: &Graph,
        changes_of_files: &[FileChange],
        threads: Option<usize>,
    ) -> Result<Self, StoreError> {
        let known = states::versions::IndexedContents::of(graph, changes_of_files)?;
        let (pairs, changed) = index::pool(threads).install(|| {
            let pairs = states::versions::read(repo, changes_of_files, &known);
            let changed = topmost(&pairs, changes(&pairs));
            (pairs, changed)
        });
        Ok(Self { pairs, changed, indexed: IndexedEntities::default() })
    }
}

/// Removes the parts of definitions that were removed, added or moved as a whole.
fn topmost(pairs: &[FilePair], changed: Vec<Changed>) -> Vec<Changed> {
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

fn described(pairs: &[FilePair], changed: &[Changed], lost_imports: &[(usize, String)]) -> Vec<ChangedEntity> {
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
            is_test: is_test_path(&version.path),
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
            is_test: is_test_path(&version.path),
        });
    }
    described.sort_by(|a, b| (&a.path, a.line, &a.name).cmp(&(&b.path, b.line, &b.name)));
    described
}

/// The targets of the walk: the changed definitions, places that ask for removed ones, and functions that fail at an
/// import. With `modules`, failing modules and all their definitions as well.
fn reaching(
    graph: &Graph,
    changed: Vec<Target>,
    judgment: &judge::Judgment,
    modules: bool,
) -> Result<Vec<Target>, StoreError> {
    let mut targets = changed;
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

fn targets_of(store: &Store, read: &ComparedFiles) -> Result<Vec<Target>, StoreError> {
    let mut targets = Vec::new();
    for change in &read.changed {
        let Some((number, index)) = change.new else { continue };
        let is_felt = change.edits.iter().any(|edit| edit.is_behavior() || edit.is_use());
        // A module is no target: its changed definitions are.
        if !is_felt || index == 0 {
            continue;
        }
        let entities = read.indexed.of(store, &read.pairs, number)?;
        let entity = new_of(&read.pairs, (number, index)).among(index, &entities);
        targets.extend(entity.map(|entity| Target::of(vec![entity.clone()])));
    }
    Ok(targets)
}

fn is_only_formatted(pair: &FilePair) -> bool {
    match (&pair.old, &pair.new) {
        (Some(old), Some(new)) => old.shape.whole == new.shape.whole,
        _ => false,
    }
}

/// The completeness of the answer and its boundaries.
fn completeness(
    pairs: &[FilePair],
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
