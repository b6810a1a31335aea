//! The values of `templates/impact.j2`, the prompt about an impact, within a budget.
//!
//! Lines that do not fit are counted, and omitted places are named.

use serde::Serialize;

use crate::{
    query::{
        impact::{
            CallSite, ImpactReport, Impacted,
            excerpts::{Excerpt, choose},
        },
        source::Sources,
        target::described::Described,
    },
    render::{
        escape::{elided, fence, visible, visible_path},
        impact::summary,
        words::{likelihood, short},
    },
};

/// Bytes of a token of source code, averaged over the usual tokenizers.
pub const BYTES_PER_TOKEN: f64 = 3.6;
/// Omitted places that are named; further ones are only counted.
const MAX_LEFT_OUT: usize = 10;
/// Bytes that the template writes around an excerpt.
pub(crate) const EXCERPT_OVERHEAD: usize = 40;
/// Bytes that the template writes around a line of a list: `- ` and the line end.
pub(crate) const LINE_OVERHEAD: usize = 3;

/// The values of the template.
#[derive(Clone, Debug, Serialize)]
pub struct Briefing {
    pub target: BriefingTarget,
    /// The changed definitions, if there are several.
    pub targets: Vec<String>,
    pub targets_left_out: usize,
    /// Definitions that break or may break with the change of files.
    pub breaking: Vec<String>,
    pub breaking_left_out: usize,
    pub change: &'static str,
    pub param: Option<String>,
    pub summary: String,
    pub completeness: &'static str,
    pub boundaries: Vec<String>,
    pub impacted: Vec<String>,
    pub impacted_left_out: usize,
    pub call_sites: Vec<String>,
    pub tests: Vec<String>,
    pub tests_left_out: usize,
    /// Longer than any run of backticks in the text of the repository.
    pub fence: String,
    pub excerpts: Vec<Excerpt>,
    pub left_out: Vec<String>,
    pub left_out_more: usize,
}

/// The changed definition.
#[derive(Clone, Debug, Serialize)]
pub struct BriefingTarget {
    pub name: String,
    pub kind: &'static str,
    pub path: String,
    pub line: u32,
    pub signature: String,
}

/// Fills `bytes`: a third for the affected entities, a sixth each for tests and call sites, the rest for source.
pub fn briefing(report: &ImpactReport, sources: &Sources, bytes: usize, longest: usize) -> Briefing {
    let target = &report.target;
    let (impacted, impacted_left_out) = fill(report.impacted.iter().map(entity_line), bytes / 3);
    let (tests, tests_left_out) = fill(report.tests.iter().map(|id| visible(id).into_owned()), bytes / 6);
    let (call_sites, _) = fill(report.call_sites.iter().map(site_line), bytes / 6);
    // Only a change of files has several, and it has no calls of one parameter.
    let several = if report.is_of_one() { &[] } else { report.targets.as_slice() };
    let (targets, targets_left_out) = fill(several.iter().map(definition_line), bytes / 12);
    let (breaking, breaking_left_out) = fill(report.breaking.iter().map(definition_line), bytes / 12);
    let used: usize = [&impacted, &tests, &call_sites, &targets, &breaking]
        .iter()
        .flat_map(|list| list.iter())
        .map(|line| line.len() + LINE_OVERHEAD)
        .sum();
    let mut chosen = choose(report, sources, bytes.saturating_sub(used), EXCERPT_OVERHEAD);
    for excerpt in &mut chosen.excerpts {
        excerpt.name = visible(&excerpt.name).into_owned();
        excerpt.path = visible_path(&excerpt.path).into_owned();
        excerpt.text = elided(&excerpt.text, longest);
    }
    let left_out_more = chosen.left_out.len().saturating_sub(MAX_LEFT_OUT);
    chosen.left_out.truncate(MAX_LEFT_OUT);
    let signature = visible(&target.signature).into_owned();
    let boundaries: Vec<String> =
        report.boundaries.iter().map(|boundary| visible(&boundary.message).into_owned()).collect();
    let lines =
        [&boundaries, &impacted, &tests, &call_sites, &targets, &breaking].into_iter().flatten().chain([&signature]);
    let quoted = lines.chain(chosen.excerpts.iter().map(|excerpt| &excerpt.text)).map(String::as_str);
    Briefing {
        fence: fence(quoted),
        target: BriefingTarget {
            name: visible(&target.name).into_owned(),
            kind: target.kind.as_str(),
            path: visible_path(&target.path).into_owned(),
            line: target.line,
            signature,
        },
        targets,
        targets_left_out,
        breaking,
        breaking_left_out,
        change: report.change.as_str(),
        param: report.param.as_ref().map(|param| visible(param).into_owned()),
        summary: summary(report),
        completeness: report.completeness.as_str(),
        boundaries,
        impacted,
        impacted_left_out,
        call_sites,
        tests,
        tests_left_out,
        excerpts: chosen.excerpts,
        left_out: chosen.left_out.iter().map(|place| visible_path(place).into_owned()).collect(),
        left_out_more,
    }
}

/// Estimated number of tokens of a text.
pub fn tokens(text: &str) -> usize {
    let bytes = u32::try_from(text.len()).unwrap_or(u32::MAX);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate of a positive number")]
    let tokens = (f64::from(bytes) / BYTES_PER_TOKEN).ceil() as usize;
    tokens
}

/// As many lines as fit, and the number of the others.
pub(crate) fn fill(lines: impl Iterator<Item = String>, bytes: usize) -> (Vec<String>, usize) {
    let mut kept = Vec::new();
    let mut used = 0;
    let mut left_out = 0;
    for line in lines {
        used += line.len() + LINE_OVERHEAD;
        if used > bytes || left_out > 0 {
            left_out += 1;
        } else {
            kept.push(line);
        }
    }
    (kept, left_out)
}

fn definition_line(definition: &Described) -> String {
    let Described { name, kind, path, line, .. } = definition;
    format!("{} ({}) at {}:{line}", visible(name), kind.as_str(), visible_path(path))
}

fn entity_line(impacted: &Impacted) -> String {
    let test = if impacted.is_test { ", test" } else { "" };
    let (kind, likelihood, effect) = (impacted.kind, likelihood(impacted.probability), impacted.effect);
    let mut parts = vec![format!("{} ({kind}{test}): {likelihood}, {effect}", visible(&impacted.name))];
    for via in &impacted.via {
        let place = format!("{}:{}", visible_path(&via.path), via.line);
        parts.push(format!("{} {} at {place}", via.kind, visible(short(&via.name))));
    }
    parts.join("; ")
}

fn site_line(site: &CallSite) -> String {
    let passes = match &site.passes {
        Some(value) => format!("`{}`", visible(value)),
        None => site.passing(),
    };
    format!("{} at {}:{}: {passes}", visible(&site.name), visible_path(&site.path), site.line)
}
