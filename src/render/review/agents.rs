//! A review in a few lines, for an agent that has just edited.

use crate::{
    query::{impact::verdict::Verdict, words::count},
    render::{
        escape::{visible, visible_path},
        impact::text::test_lines,
        review::sentence,
        sheet::line::Line,
    },
    review::{Finding, ReviewReport},
};

/// At most `lines` lines about the places that break; `None` if nothing breaks.
pub fn for_agents(report: &ReviewReport, lines: usize) -> Option<String> {
    let mut found: Vec<&Finding> = report.of(Verdict::Breaks).collect();
    if found.is_empty() {
        return None;
    }
    found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    found.dedup_by(|a, b| (&a.path, a.line) == (&b.path, b.line));
    let verb = if found.len() == 1 { "no longer fits" } else { "no longer fit" };
    let mut told = vec![format!("repoidx: after your edits, {} {verb}:", count(found.len(), "place"))];
    // The first line, the count of the rest and the tests need one each.
    let room = lines.saturating_sub(3);
    for finding in found.iter().take(room) {
        told.push(format!("  {}:{}  {}", visible_path(&finding.path), finding.line, sentence(finding)));
    }
    if found.len() > room {
        told.push(format!("  … {} more: repoidx review --worktree", found.len() - room));
    }
    let ids: Vec<&str> = report.tests.iter().map(|test| test.id.as_str()).collect();
    if !ids.is_empty() {
        let commands = test_lines(&ids, "repoidx review --worktree");
        let command = commands.last().map(Line::plain).unwrap_or_default();
        told.push(format!("run: {}", visible(command.trim())));
    }
    Some(told.join("\n"))
}
