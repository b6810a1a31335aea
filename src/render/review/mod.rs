//! A review as text, for a terminal, a pipe, or a person who waits for a push.
//!
//! The other forms of a review are in the modules below.

pub mod briefing;
pub mod github;
pub mod markdown;
pub mod sarif;

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use crate::{
    query::{impact::verdict::Verdict, words::count},
    render::{
        completeness::completeness,
        escape::visible,
        screen::{Ink, Screen},
        words::{percent, short},
    },
    review::{ChangedEntity, Edit, Finding, ReviewReport},
};

/// Changed annotations of one definition that are named; more are counted.
const MAX_ANNOTATIONS: usize = 2;
/// Tests that are listed; more are counted.
const MAX_TESTS: usize = 10;

/// Writes the whole report.
pub fn text(out: &mut dyn Write, report: &ReviewReport, screen: &Screen) -> io::Result<()> {
    writeln!(out, "{}", screen.paint(Ink::Heading, &headline(report)))?;
    writeln!(out, "  {}", summary(report))?;
    completeness(out, report.completeness, &report.boundaries, screen)?;
    changed(out, report, screen)?;
    for verdict in [Verdict::Breaks, Verdict::MayBreak, Verdict::MayBehaveDifferently] {
        findings(out, report, verdict, screen)?;
    }
    tests_to_run(out, report, screen)?;
    list(out, "no test is known to reach", &report.untested, screen)
}

/// Writes only the ids of tests.
pub fn tests(out: &mut dyn Write, report: &ReviewReport) -> io::Result<()> {
    for test in &report.tests {
        writeln!(out, "{}", visible(&test.id))?;
    }
    Ok(())
}

/// Writes at most `rows` lines for a person who waits for a push; nothing if nothing may break.
pub fn screenful(out: &mut dyn Write, report: &ReviewReport, rows: usize) -> io::Result<()> {
    let found: Vec<&Finding> = report.of(Verdict::Breaks).chain(report.of(Verdict::MayBreak)).collect();
    if found.is_empty() {
        return Ok(());
    }
    writeln!(out, "repoidx: {}", headline(report))?;
    writeln!(out, "  {}", summary(report))?;
    // Four rows go to the headline, the summary, the count of the rest and the hint.
    let room = rows.saturating_sub(4).max(1);
    for finding in found.iter().take(room) {
        let place = format!("{}:{}", visible(&finding.path), finding.line);
        writeln!(out, "  {}: {place}  {}", finding.verdict.as_str(), sentence(finding))?;
    }
    if found.len() > room {
        writeln!(out, "  … {} more", found.len() - room)?;
    }
    writeln!(out, "  `repoidx review` shows everything")
}

/// The two compared states, in one line.
pub(super) fn headline(report: &ReviewReport) -> String {
    format!("{} → {}", visible(&report.base), visible(&report.head))
}

/// The number of changes and of findings, in one sentence.
pub(crate) fn summary(report: &ReviewReport) -> String {
    if report.files == 0 {
        return "no Python file differs: nothing breaks".to_owned();
    }
    let files = count(report.files, "file");
    if report.changed.is_empty() {
        return format!(
            "{files} {}: nothing breaks",
            if report.files == 1 { "looks different" } else { "look different" }
        );
    }
    let definitions = count(report.changed.len(), "changed definition");
    let counts = &report.counts;
    let mut parts: Vec<String> = Vec::new();
    for (number, one, many) in [
        (counts.breaks, "1 place breaks", "places break"),
        (counts.may_break, "1 may break", "may break"),
        (counts.may_behave_differently, "1 may behave differently", "may behave differently"),
        (counts.not_affected, "1 is not affected", "are not affected"),
    ] {
        match number {
            0 => {}
            1 => parts.push(one.to_owned()),
            number => parts.push(format!("{number} {many}")),
        }
    }
    let found = if parts.is_empty() { "nothing is known to break".to_owned() } else { parts.join(", ") };
    let tests = if report.tests.is_empty() { "no test".to_owned() } else { count(report.tests.len(), "test") };
    let known = if report.known > 0 { format!("; {} known from the baseline", report.known) } else { String::new() };
    format!("{definitions} in {files}: {found}; {tests} to run{known}")
}

/// A finding in one sentence: its place and its reason.
pub(super) fn sentence(finding: &Finding) -> String {
    format!("{} {}", visible(short(&finding.name)), visible(&finding.reason))
}

/// The edits of a definition, in a few words. Many annotations are only counted.
pub(super) fn edits(changed: &ChangedEntity) -> String {
    let is_annotation = |edit: &&Edit| matches!(edit, Edit::AnnotationChanged { .. });
    let annotations = changed.edits.iter().filter(is_annotation).count();
    let is_told = |edit: &&Edit| annotations <= MAX_ANNOTATIONS || !is_annotation(edit);
    let mut words: Vec<String> =
        changed.edits.iter().filter(is_told).map(|edit| visible(&edit.words()).into_owned()).collect();
    if annotations > MAX_ANNOTATIONS {
        words.push(format!("annotations of {annotations} parameters"));
    }
    words.join("; ")
}

fn changed(out: &mut dyn Write, report: &ReviewReport, screen: &Screen) -> io::Result<()> {
    if report.changed.is_empty() {
        return Ok(());
    }
    title(out, "changed", report.changed.len(), screen)?;
    let shown = screen.shown(report.changed.len());
    for entity in &report.changed[..shown] {
        let name = screen.paint(Ink::Name, &visible(&entity.name));
        let place = screen.place(&entity.path, entity.line);
        writeln!(out, "  {name}  {}  {place}  {}", entity.kind, edits(entity))?;
    }
    rest(out, report.changed.len() - shown, screen)
}

fn findings(out: &mut dyn Write, report: &ReviewReport, verdict: Verdict, screen: &Screen) -> io::Result<()> {
    let found: Vec<&Finding> = report.of(verdict).collect();
    if found.is_empty() {
        return Ok(());
    }
    title(out, verdict.as_str(), found.len(), screen)?;
    let ink = match verdict {
        Verdict::Breaks => Ink::Bad,
        Verdict::MayBreak => Ink::Warning,
        _ => Ink::Faint,
    };
    let shown = screen.shown(found.len());
    for finding in &found[..shown] {
        let place = screen.place(&finding.path, finding.line);
        let name = screen.paint(Ink::Name, &visible(short(&finding.name)));
        let likelihood = screen.paint(ink, &percent(finding.probability));
        writeln!(out, "  {place}  {name}  {}  {likelihood}", visible(&finding.reason))?;
    }
    rest(out, found.len() - shown, screen)
}

fn tests_to_run(out: &mut dyn Write, report: &ReviewReport, screen: &Screen) -> io::Result<()> {
    let tests = &report.tests;
    if !tests.is_empty() {
        title(out, "tests to run", tests.len(), screen)?;
        for test in tests.iter().take(MAX_TESTS) {
            writeln!(out, "  {}  {}", visible(&test.id), screen.paint(Ink::Faint, &percent(test.probability)))?;
        }
        if tests.len() > MAX_TESTS {
            let more = format!("  … {} more: --tests prints them all", tests.len() - MAX_TESTS);
            writeln!(out, "{}", screen.paint(Ink::Faint, &more))?;
        }
    }
    list(out, "tests that could not be traced", &report.untraced_tests, screen)
}

fn list(out: &mut dyn Write, name: &str, lines: &[String], screen: &Screen) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    title(out, name, lines.len(), screen)?;
    let shown = screen.shown(lines.len()).min(MAX_TESTS);
    for line in &lines[..shown] {
        writeln!(out, "  {}", visible(line))?;
    }
    rest(out, lines.len() - shown, screen)
}

fn title(out: &mut dyn Write, name: &str, number: usize, screen: &Screen) -> io::Result<()> {
    writeln!(out)?;
    writeln!(out, "{}", screen.paint(Ink::Heading, &format!("{name} ({number})")))
}

fn rest(out: &mut dyn Write, number: usize, screen: &Screen) -> io::Result<()> {
    if number == 0 {
        return Ok(());
    }
    let text = format!("  … {number} more: --all shows them, --format json has them all");
    writeln!(out, "{}", screen.paint(Ink::Faint, &text))
}
