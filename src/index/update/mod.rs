//! An update: reads the files that differ, stores their facts, and resolves the affected files alone.
//!
//! `differences` finds the paths that may differ, `facts` stores the facts of changed files, `affected` resolves. The
//! result equals a full build of the same files.

mod affected;
mod differences;
mod facts;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    index::{
        IndexError, Progress, UpdateReport, UpdateScope,
        scan::FileSource,
        search::documents,
        totals::Totals,
        update::{
            affected::{AffectedFiles, ResolvedFiles},
            differences::{Differences, differing, is_as_committed, was_settled},
            facts::FactsUpdate,
        },
    },
    model::{FileId, Resolution},
    resolve::rounds,
    store::{Store, Update},
};

/// One file in so many must change before a full build is quicker: it writes sorted pages, an update writes row by row.
const FULL_SHARE: usize = 3;
/// So few files an update handles in a moment, whatever their share.
const FULL_MINIMUM: usize = 200;
/// The number of contents without a file that stay in the index: a switch back to another branch finds its facts here.
pub(super) const KEPT_CONTENTS: usize = 2000;

/// Brings the index up to date; `None` when a full build is the better way.
pub(super) fn update(
    store: &mut Store,
    source: &FileSource<'_>,
    scope: UpdateScope,
    progress: &dyn Progress,
) -> Result<Option<UpdateReport>, IndexError> {
    let commit = source.commit()?;
    let Differences { files: changes, documents, committed } =
        Differences::of(store, source, scope, commit.as_deref())?;
    let is_same_commit = store.meta("indexed")? == commit;
    if changes.is_empty() && documents.is_empty() && is_same_commit {
        return Ok(Some(Totals::read(store)?.report(UpdateReport::default())));
    }
    let mut totals = Totals::read(store)?;
    let total = totals.files;
    let is_much = |count: usize| count > FULL_MINIMUM && count * FULL_SHARE > total;
    // The second test reads the files, so the cheap one comes first.
    if is_much(changes.len()) && is_much(differing(store, source, &changes)?) {
        return Ok(None);
    }
    let update = store.write()?;
    let rows_before = update.rows_written();
    let mut facts = FactsUpdate::new(&update);
    let to_resolve = facts.apply(source, changes, progress)?;
    let is_settled = if is_same_commit && documents.is_empty() && to_resolve.changed.is_empty() {
        // Only stat data changed, so the answer of the last update still holds.
        was_settled(&update)?
    } else {
        documents.is_empty() && is_as_committed(&update, source, committed.as_deref(), &to_resolve.changed)?
    };
    documents::apply(&update, source, documents)?;
    progress.stage("resolving", to_resolve.files.len() as u64);
    let resolved = rounds(AffectedFiles::new(&update, to_resolve, usize::MAX, progress))?;
    progress.done();
    let FactsUpdate { before, after, report, .. } = facts;
    totals.replace(before, after);
    let report = put_resolutions(&update, &resolved.resolutions, &mut totals, report)?;
    if report.parsed + report.removed > 0 {
        update.collect_garbage_at_times(KEPT_CONTENTS)?;
    }
    update.set_meta("indexed", commit.as_deref().unwrap_or(""))?;
    update.set_meta("settled", if is_settled { "yes" } else { "" })?;
    let (key, value) = totals.entry();
    update.set_meta(key, &value)?;
    let report = UpdateReport { rows: update.rows_written() - rows_before, ..report };
    update.commit()?;
    Ok(Some(totals.report(report)))
}

/// Stores resolutions and counts the relationships that they replace.
fn put_resolutions(
    update: &Update<'_>,
    resolutions: &BTreeMap<FileId, Resolution>,
    totals: &mut Totals,
    report: UpdateReport,
) -> Result<UpdateReport, IndexError> {
    let (mut before, mut after) = (Totals::default(), Totals::default());
    let mut paths = BTreeSet::new();
    for (file, resolution) in resolutions {
        let old = update.resolution(*file)?.unwrap_or_default();
        before.relationships += old.relationships.len();
        before.unresolved += old.unresolved.len();
        after.relationships += resolution.relationships.len();
        after.unresolved += resolution.unresolved.len();
        update.put_resolution(*file, resolution)?;
        paths.extend(update.file(*file)?.map(|record| record.path));
    }
    totals.replace(before, after);
    Ok(UpdateReport { resolved: resolutions.len(), reresolved: paths.into_iter().collect(), ..report })
}

/// Brings the index within `update` to the files of `source`; writes neither totals nor a commit. Resolves at most
/// `most` files, those nearest to the change first. Returns whether that was all of them.
pub(super) fn apply(update: &Update<'_>, source: &FileSource<'_>, most: usize) -> Result<bool, IndexError> {
    let changes = source.list()?.files.into_iter().map(|(path, stat)| (path, Some(stat))).collect();
    let to_resolve = FactsUpdate::new(update).apply(source, changes, &())?;
    let ResolvedFiles { resolutions, is_cut } = rounds(AffectedFiles::new(update, to_resolve, most, &()))?;
    for (file, resolution) in resolutions {
        update.put_resolution(file, &resolution)?;
    }
    Ok(!is_cut)
}
