//! The completeness of an answer as text: its word, and a line for each boundary.

use crate::{
    query::{
        impact::completeness::{Boundary, Completeness, no_limit_known},
        words::count,
    },
    render::{
        escape::{visible, visible_path},
        screen::Ink,
        sheet::{Limit, line::Line},
        words::argument,
    },
};

/// The word for people.
pub(crate) fn completeness_word(completeness: Completeness, boundaries: &[Boundary]) -> (Ink, &'static str) {
    match completeness {
        Completeness::LowerBound if no_limit_known(boundaries) => (Ink::Good, "no limit known"),
        Completeness::Exact => (Ink::Good, "complete"),
        Completeness::LowerBound => (Ink::Warning, "at least this much"),
        Completeness::Unknown => (Ink::Bad, "unknown if that is all"),
    }
}

/// The boundaries, each in one line, and whether files were left out. `name` is a target whose possible references can
/// be listed.
pub(crate) fn limits(boundaries: &[Boundary], has_details: bool, name: Option<&str>) -> (Vec<Limit>, bool) {
    let mut is_short = false;
    let mut limit = |boundary: &Boundary| {
        let line = Line::of(visible(&boundary.message).into_owned());
        match (boundary.paths.as_slice(), name) {
            ([], Some(name)) if boundary.kind == "unresolved" => {
                Limit { line: line.text(format!(": repoidx refs {} --possible", argument(name))), ..Limit::default() }
            }
            ([], _) => Limit { line, ..Limit::default() },
            ([path], _) => Limit { line: line.text(": ").place_as(path, 1, visible_path(path)), ..Limit::default() },
            (paths, _) if has_details => {
                let details = paths.iter().map(|path| Line::of("    ").place_as(path, 1, visible_path(path)));
                Limit { line, details: details.collect() }
            }
            (paths, _) => {
                is_short = true;
                Limit { line: line.text(format!(" ({})", count(paths.len(), "file"))), ..Limit::default() }
            }
        }
    };
    // The word of an answer without known limits says it already.
    let boundaries = if no_limit_known(boundaries) { &[] } else { boundaries };
    let limits = boundaries.iter().map(&mut limit).collect();
    (limits, is_short)
}
