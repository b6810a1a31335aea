//! The source lines that show an impact, within a budget of bytes.
//!
//! The most important lines come first: the target, then the places of the evidence in the order of the report. An
//! excerpt that does not fit is skipped and named; smaller ones behind it still get in.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::query::{impact::ImpactReport, source::Sources};

/// Lines shown before and after the place of a reference.
const AROUND: u32 = 3;
/// Lines shown of the target.
const TARGET_LINES: u32 = 60;

/// Some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    pub name: String,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub text: String,
}

/// The excerpts that fit, and the names of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenExcerpts {
    pub excerpts: Vec<Excerpt>,
    /// Places that did not fit, as `path:line`.
    pub left_out: Vec<String>,
}

/// Chooses excerpts of at most `budget` bytes, `overhead` bytes counted for each.
pub fn choose(report: &ImpactReport, sources: &Sources, budget: usize, overhead: usize) -> ChosenExcerpts {
    let target = &report.target;
    let end = target.end_line.min(target.start_line + TARGET_LINES - 1);
    let mut wanted = vec![(target.name.as_str(), target.path.as_str(), target.start_line, end)];
    for impacted in &report.impacted {
        if let Some(via) = impacted.via.first() {
            wanted.push((&impacted.name, &*via.path, via.line.saturating_sub(AROUND).max(1), via.line + AROUND));
        }
    }
    let mut chosen = ChosenExcerpts::default();
    let mut used = 0;
    let mut shown: BTreeSet<(&str, u32)> = BTreeSet::new();
    for (name, path, start_line, end_line) in wanted {
        let middle = u32::midpoint(start_line, end_line);
        if shown.contains(&(path, middle)) {
            continue;
        }
        let Some(text) = sources.shown_lines(path, start_line, end_line).filter(|text| !text.is_empty()) else {
            continue;
        };
        let text = text.trim_end().to_owned();
        let cost = text.len() + path.len() + name.len() + overhead;
        if used + cost > budget {
            chosen.left_out.push(format!("{path}:{start_line}-{end_line}"));
            continue;
        }
        used += cost;
        shown.extend((start_line..=end_line).map(|line| (path, line)));
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let end_line = start_line + lines.saturating_sub(1);
        chosen.excerpts.push(Excerpt { name: name.to_owned(), path: path.to_owned(), start_line, end_line, text });
    }
    chosen
}
