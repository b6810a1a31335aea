//! `--explain`: the steps by which the rows of an answer were resolved.

use std::collections::BTreeMap;

use crate::{
    cli::notes::Notes,
    error::Failure,
    index::Explainer,
    model::{EntityId, Step},
    query::{
        impact::{ImpactReport, Via},
        navigate::refs::{ReferenceSite, RefsReport},
    },
    resolve::Occurrence,
    store::Store,
};

/// Most files whose rows are explained, since each is resolved again.
const MOST_FILES: usize = 50;

/// Steps by path and occurrence.
type Explained = BTreeMap<(String, Occurrence), Vec<Step>>;

/// Explains the references to `targets`, and why possible ones are not resolved.
pub(crate) fn explain_refs(
    store: &Store,
    targets: &[EntityId],
    report: &mut RefsReport,
    notes: Notes,
) -> Result<(), Failure> {
    let resolved = |row: &ReferenceSite| {
        let (kind, targets) = (Some(row.kind), targets.to_vec());
        (row.path.clone(), Occurrence { line: row.line, column: row.column, kind, targets })
    };
    let open = |row: &ReferenceSite| {
        let (kind, targets) = (None, Vec::new());
        (row.path.clone(), Occurrence { line: row.line, column: row.column, kind, targets })
    };
    let rows = report.references.iter().map(resolved).chain(report.possible.iter().map(open));
    let steps = steps(store, rows.collect(), notes)?;
    for row in &mut report.references {
        row.steps = steps.get(&resolved(row)).cloned().unwrap_or_default();
    }
    for row in &mut report.possible {
        row.steps = steps.get(&open(row)).cloned().unwrap_or_default();
    }
    Ok(())
}

/// Explains the first relationship of every chain; other rows explain the rest.
pub(crate) fn explain_impact(store: &Store, report: &mut ImpactReport, notes: Notes) -> Result<(), Failure> {
    let place = |via: &Via| {
        let (kind, targets) = (Some(via.kind), vec![via.target]);
        (via.path.to_string(), Occurrence { line: via.line, column: via.column, kind, targets })
    };
    let rows = report.impacted.iter().filter_map(|row| row.via.first()).map(place);
    let steps = steps(store, rows.collect(), notes)?;
    for row in &mut report.impacted {
        row.steps = row.via.first().and_then(|via| steps.get(&place(via))).cloned().unwrap_or_default();
    }
    Ok(())
}

fn steps(store: &Store, rows: Vec<(String, Occurrence)>, notes: Notes) -> Result<Explained, Failure> {
    let mut by_path: BTreeMap<String, Vec<Occurrence>> = BTreeMap::new();
    let mut unexplained = 0;
    for (path, occurrence) in rows {
        if by_path.len() == MOST_FILES && !by_path.contains_key(&path) {
            unexplained += 1;
            continue;
        }
        let occurrences = by_path.entry(path).or_default();
        if !occurrences.contains(&occurrence) {
            occurrences.push(occurrence);
        }
    }
    if unexplained > 0 {
        let rows = if unexplained == 1 { "row is" } else { "rows are" };
        notes.note(&format!("{unexplained} {rows} not explained, standing in other files than the first {MOST_FILES}"));
    }
    // One explainer for all files: it keeps the files that it has read.
    let mut explainer = Explainer::new(store);
    let mut steps = Explained::new();
    for (path, occurrences) in by_path {
        let explained = explainer.explain(&path, &occurrences)?;
        steps.extend(occurrences.into_iter().map(|occurrence| (path.clone(), occurrence)).zip(explained));
    }
    let left_out = explainer.left_out();
    if left_out > 0 {
        let files = if left_out == 1 { "file was" } else { "files were" };
        notes.note(&format!("{left_out} further {files} not searched: values from there are missing among the places"));
    }
    Ok(steps)
}
