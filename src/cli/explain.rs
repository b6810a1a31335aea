//! `--explain`: the steps by which the rows of an answer were resolved.

use std::collections::BTreeMap;

use crate::{
    cli::notes::Notes,
    error::Failure,
    index,
    model::Step,
    query::{impact::ImpactReport, refs::RefsReport},
    store::Store,
};

/// Most files of which rows are explained: each is resolved again.
const MOST_FILES: usize = 50;

/// Path, line and column of an occurrence.
type Place = (String, u32, u32);

/// Explains the references, and why the possible ones are not resolved.
pub(crate) fn explain_refs(store: &Store, report: &mut RefsReport, notes: Notes) -> Result<(), Failure> {
    let rows = || report.references.iter().chain(&report.possible);
    let steps = steps(store, rows().map(|row| (row.path.clone(), row.line, row.column)), notes)?;
    for row in report.references.iter_mut().chain(&mut report.possible) {
        row.steps = steps.get(&(row.path.clone(), row.line, row.column)).cloned().unwrap_or_default();
    }
    Ok(())
}

/// Explains the first relationship of every chain; the further ones are those of other rows.
pub(crate) fn explain_impact(store: &Store, report: &mut ImpactReport, notes: Notes) -> Result<(), Failure> {
    let place = |via: &crate::query::impact::Via| (via.path.to_string(), via.line, via.column);
    let steps = steps(store, report.impacted.iter().filter_map(|row| row.via.first()).map(place), notes)?;
    for row in &mut report.impacted {
        row.steps = row.via.first().and_then(|via| steps.get(&place(via))).cloned().unwrap_or_default();
    }
    Ok(())
}

fn steps(
    store: &Store,
    places: impl Iterator<Item = Place>,
    notes: Notes,
) -> Result<BTreeMap<Place, Vec<Step>>, Failure> {
    let mut by_path: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
    let mut unexplained = 0;
    for (path, line, column) in places {
        if by_path.len() == MOST_FILES && !by_path.contains_key(&path) {
            unexplained += 1;
            continue;
        }
        let places = by_path.entry(path).or_default();
        if !places.contains(&(line, column)) {
            places.push((line, column));
        }
    }
    if unexplained > 0 {
        notes.note(&format!(
            "{unexplained} rows are not explained: they stand in other files than the first {MOST_FILES}"
        ));
    }
    let mut steps = BTreeMap::new();
    for (path, places) in by_path {
        let explained = index::explain(store, &path, &places)?;
        steps.extend(places.iter().zip(explained).map(|(&(line, column), step)| ((path.clone(), line, column), step)));
    }
    Ok(steps)
}
