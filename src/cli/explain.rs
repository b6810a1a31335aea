//! `--explain`: the steps by which the rows of an answer were resolved.

use std::collections::BTreeMap;

use crate::{
    error::Failure,
    index,
    model::Step,
    query::{impact::ImpactReport, refs::RefsReport},
    store::Store,
};

/// Most rows that are explained: each file of theirs is resolved again.
const MOST: usize = 200;

/// Path, line and column of an occurrence.
type Place = (String, u32, u32);

/// Explains the references, and why the possible ones are not resolved.
pub(crate) fn explain_refs(store: &Store, report: &mut RefsReport) -> Result<(), Failure> {
    let rows = || report.references.iter().chain(&report.possible);
    let steps = steps(store, rows().map(|row| (row.path.clone(), row.line, row.column)))?;
    for row in report.references.iter_mut().chain(&mut report.possible) {
        row.steps = steps.get(&(row.path.clone(), row.line, row.column)).cloned().unwrap_or_default();
    }
    Ok(())
}

/// Explains the first relationship of every chain; the further ones are those of other rows.
pub(crate) fn explain_impact(store: &Store, report: &mut ImpactReport) -> Result<(), Failure> {
    let place = |via: &crate::query::impact::Via| (via.path.to_string(), via.line, via.column);
    let steps = steps(store, report.impacted.iter().filter_map(|row| row.via.first()).map(place))?;
    for row in &mut report.impacted {
        row.steps = row.via.first().and_then(|via| steps.get(&place(via))).cloned().unwrap_or_default();
    }
    Ok(())
}

fn steps(store: &Store, places: impl Iterator<Item = Place>) -> Result<BTreeMap<Place, Vec<Step>>, Failure> {
    let mut by_path: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
    for (path, line, column) in places.take(MOST) {
        let places = by_path.entry(path).or_default();
        if !places.contains(&(line, column)) {
            places.push((line, column));
        }
    }
    let mut steps = BTreeMap::new();
    for (path, places) in by_path {
        let explained = index::explain(store, &path, &places)?;
        steps.extend(places.iter().zip(explained).map(|(&(line, column), step)| ((path.clone(), line, column), step)));
    }
    Ok(steps)
}
