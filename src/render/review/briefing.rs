//! The values of `templates/review.j2`, the prompt about a review, within a budget.
//!
//! Lines that do not fit are counted.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    query::{
        impact::{excerpts::Excerpt, verdict::Verdict},
        source::Sources,
    },
    render::{
        escape::{fence, visible, visible_path, visible_source},
        impact::briefing::{EXCERPT_OVERHEAD, LINE_OVERHEAD, fill},
        review::{edits, headline, sentence, summary},
        words::likelihood,
    },
    review::ReviewReport,
};

/// Lines shown before and after a finding.
const AROUND: u32 = 4;

/// Untested definitions that are named.
const MAX_UNTESTED: usize = 20;

/// The values of the template.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewBriefing {
    pub range: String,
    pub summary: String,
    pub completeness: &'static str,
    pub boundaries: Vec<String>,
    pub changed: Vec<String>,
    pub changed_left_out: usize,
    pub findings: Vec<String>,
    pub findings_left_out: usize,
    pub tests: Vec<String>,
    pub tests_left_out: usize,
    pub untested: Vec<String>,
    /// Longer than any run of backticks in the text of the repository.
    pub fence: String,
    pub excerpts: Vec<Excerpt>,
    pub excerpts_left_out: usize,
}

/// Fills `bytes`: a third for findings, a sixth each for changes and tests, the rest for source.
pub fn briefing(report: &ReviewReport, sources: &Sources, bytes: usize) -> ReviewBriefing {
    let changed = report.changed.iter().map(|entity| {
        let place = format!("{}:{}", visible_path(&entity.path), entity.line);
        format!("{} ({}, {place}): {}", visible(&entity.name), entity.kind, edits(entity))
    });
    let (changed, changed_left_out) = fill(changed, bytes / 6);
    let shown = report.findings.iter().filter(|finding| finding.verdict != Verdict::NotAffected);
    let lines = shown.clone().map(|finding| {
        let place = format!("{}:{}", visible_path(&finding.path), finding.line);
        format!("{}: {place}: {} ({})", finding.verdict.as_str(), sentence(finding), likelihood(finding.probability))
    });
    let (findings, findings_left_out) = fill(lines, bytes / 3);
    let (tests, tests_left_out) = fill(report.tests.iter().map(|test| visible(&test.id).into_owned()), bytes / 6);
    let used: usize =
        [&changed, &findings, &tests].iter().flat_map(|list| list.iter()).map(|line| line.len() + LINE_OVERHEAD).sum();
    let mut left = bytes.saturating_sub(used);
    let (mut excerpts, mut excerpts_left_out) = (Vec::new(), 0);
    let mut seen: BTreeSet<(&str, u32)> = BTreeSet::new();
    let definitions = report.changed.iter().map(|entity| (entity.name.as_str(), entity.path.as_str(), entity.line));
    let places = definitions.chain(shown.map(|finding| (finding.name.as_str(), finding.path.as_str(), finding.line)));
    for (name, path, line) in places {
        if seen.contains(&(path, line)) {
            continue;
        }
        let (start, end) = (line.saturating_sub(AROUND).max(1), line + AROUND);
        let Some(text) = sources.shown_lines(path, start, end).filter(|text| !text.is_empty()) else { continue };
        let text = visible_source(text.trim_end()).into_owned();
        let cost = text.len() + path.len() + name.len() + EXCERPT_OVERHEAD;
        if cost > left {
            excerpts_left_out += 1;
            continue;
        }
        left -= cost;
        seen.extend((start..=end).map(|line| (path, line)));
        let rows = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        excerpts.push(Excerpt {
            name: visible(name).into_owned(),
            path: visible_path(path).into_owned(),
            start_line: start,
            end_line: start + rows.saturating_sub(1),
            text,
        });
    }
    let (range, summary) = (headline(report), summary(report));
    let boundaries: Vec<String> =
        report.boundaries.iter().map(|boundary| visible(&boundary.message).into_owned()).collect();
    let lines = [&boundaries, &changed, &findings, &tests].into_iter().flatten().chain([&range, &summary]);
    let quoted = lines.chain(excerpts.iter().map(|excerpt| &excerpt.text)).map(String::as_str);
    ReviewBriefing {
        fence: fence(quoted),
        range,
        summary,
        completeness: report.completeness.as_str(),
        boundaries,
        changed,
        changed_left_out,
        findings,
        findings_left_out,
        tests,
        tests_left_out,
        untested: report.untested.iter().take(MAX_UNTESTED).map(|name| visible(name).into_owned()).collect(),
        excerpts,
        excerpts_left_out,
    }
}
