//! A review as text, for a terminal, a pipe, or a person who waits for a push.
//!
//! The other forms of a review are in the modules below.

mod agents;
pub mod briefing;
pub mod github;
pub mod markdown;
#[cfg(feature = "formats")]
pub mod sarif;

#[cfg(all(test, feature = "formats"))]
mod tests;

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

pub use self::agents::for_agents;

use crate::{
    query::{impact::verdict::Verdict, words::count},
    render::{
        escape::visible,
        impact::text::{id_section, test_file_lines, test_lines, tests_title},
        screen::{Ink, Screen},
        sheet::{
            Budget, Closing, Row, SOURCE_WIDTH, Section, Sheet,
            completeness::{completeness_word, limits},
            line::{Line, cut},
        },
        words::{percent, short},
    },
    review::{ChangedEntity, Edit, Finding, RankedTest, ReviewReport, expected::Expected},
};

/// Changed annotations of one definition that are named; more are counted.
const MAX_ANNOTATIONS: usize = 2;
/// Places that break or may break which are shown before anything else gets more room.
const LEAST_FINDINGS: usize = 4;
/// The same for changed definitions, and for places that may behave differently.
const LEAST_OTHERS: usize = 2;
/// Places of one file and one reason in a row, so that a row stays narrower than the screen.
const PLACES_OF_ROW: usize = 12;

/// Writes as much of the report as the budget of the screen holds.
pub(crate) fn text(out: &mut dyn Write, report: &ReviewReport, closing: Closing, screen: &Screen) -> io::Result<()> {
    sheet(report, closing, screen).write(out, screen)
}

/// The verdict, and the id of each test.
pub(crate) fn tests_alone(report: &ReviewReport, closing: Closing, screen: &Screen) -> Sheet {
    let ids: Vec<&str> = report.tests.iter().map(|test| test.id.as_str()).collect();
    Sheet { sections: vec![id_section(&ids)], ..sheet(report, closing, screen) }
}

/// The whole answer.
pub(crate) fn sheet(report: &ReviewReport, closing: Closing, screen: &Screen) -> Sheet {
    let (ink, word) = completeness_word(report.completeness, &report.boundaries);
    let mut head = vec![Line::default().ink(Ink::Heading, verdict(report)).text("; ").ink(ink, word)];
    head.push(Line::of(format!("  {}: {}", headline(report), extent(report))));
    let tests = tests_to_run(report, &closing.command);
    let is_whole = screen.budget == Budget::All;
    let (limits, is_short) = limits(&report.boundaries, is_whole, None);
    let sections = vec![
        findings(report, Verdict::Breaks, is_whole),
        findings(report, Verdict::MayBreak, is_whole),
        expected(report),
        list("expectations without effect", &unmet(report)),
        changed(report),
        findings(report, Verdict::MayBehaveDifferently, is_whole),
        tests,
        untraced(report),
        list("no test is known to reach", &report.untested),
    ];
    Sheet { head, sections, limits, is_short, closing, ..Sheet::default() }
}

/// Writes only the ids of tests.
pub fn tests(out: &mut dyn Write, report: &ReviewReport) -> io::Result<()> {
    for test in &report.tests {
        writeln!(out, "{}", visible(&test.id))?;
    }
    Ok(())
}

/// Writes at most `rows` lines for a person who waits for a push; nothing if nothing may break. The command shows all.
pub fn screenful(out: &mut dyn Write, report: &ReviewReport, command: &str, rows: usize) -> io::Result<()> {
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
    writeln!(out, "  `{}` shows everything", visible(command))
}

/// The two compared states, in one line.
pub(super) fn headline(report: &ReviewReport) -> String {
    format!("{} → {}", visible(&report.base), visible(&report.head))
}

/// The number of changes and of findings, in one sentence.
pub(crate) fn summary(report: &ReviewReport) -> String {
    if report.files == 0 || report.changed.is_empty() {
        return verdict(report);
    }
    format!("{}: {}", extent(report), verdict(report))
}

/// The size of the difference.
fn extent(report: &ReviewReport) -> String {
    let files = count(report.files, "file");
    if report.changed.is_empty() {
        files
    } else {
        format!("{} in {files}", count(report.changed.len(), "changed definition"))
    }
}

/// The number of findings and tests.
fn verdict(report: &ReviewReport) -> String {
    if report.files == 0 {
        return "no Python file differs: nothing breaks".to_owned();
    }
    if report.changed.is_empty() {
        let files = count(report.files, "file");
        return format!(
            "{files} {}: nothing breaks",
            if report.files == 1 { "looks different" } else { "look different" }
        );
    }
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
    let tests = report.number_of_tests();
    let known = if report.known > 0 { format!("; {} known from the baseline", report.known) } else { String::new() };
    let expected =
        if report.expected.is_empty() { String::new() } else { format!("; {} expected", report.expected.len()) };
    format!("{found}; {tests} to run{expected}{known}")
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

fn changed(report: &ReviewReport) -> Section {
    let rows = report.changed.iter().map(|entity| {
        let line = Line::of("  ").ink(Ink::Name, visible(&entity.name)).text(format!("  {}  ", entity.kind));
        let line = line.place(&entity.path, entity.line).text(format!("  {}", edits(entity)));
        Row::new(vec![line]).in_group(&entity.path)
    });
    Section { least: LEAST_OTHERS, ..Section::new(format!("changed ({})", report.changed.len()), rows.collect()) }
}

/// The expected findings with their reasons.
fn expected(report: &ReviewReport) -> Section {
    let rows = report.expected.iter().map(|expected| {
        let finding = &expected.finding;
        let line = Line::of("  ").place(&finding.path, finding.line).text("  ");
        let line = line.ink(Ink::Name, visible(short(&finding.name)));
        Row::new(vec![line.ink(Ink::Faint, format!("  {}", because(expected)))]).in_group(&finding.path)
    });
    Section::new(format!("expected ({})", report.expected.len()), rows.collect())
}

/// Why a finding is no surprise: its sentence, and the reason that somebody gave.
fn because(expected: &Expected) -> String {
    format!("{} (expected: {})", visible(&expected.finding.reason), visible(&expected.expected_because))
}

/// A line for each expectation without effect.
fn unmet(report: &ReviewReport) -> Vec<String> {
    report.unmet.iter().map(|unmet| format!("{}: {}", unmet.place, unmet.problem)).collect()
}

fn findings(report: &ReviewReport, verdict: Verdict, is_whole: bool) -> Section {
    let ink = match verdict {
        Verdict::Breaks => Ink::Bad,
        Verdict::MayBreak => Ink::Warning,
        _ => Ink::Faint,
    };
    let found: Vec<&Finding> = report.of(verdict).collect();
    let is_same_place = |a: &&Finding, b: &&Finding| (a.line, &a.path, &a.name) == (b.line, &b.path, &b.name);
    let row = |here: &[&Finding]| {
        let first = here[0];
        let line = Line::of("  ").place(&first.path, first.line).text("  ");
        let line = line.ink(Ink::Name, visible(short(&first.name)));
        let reason = |finding: &Finding| {
            let reason = visible(&finding.reason);
            if is_whole { reason.into_owned() } else { cut(&reason, SOURCE_WIDTH) }
        };
        let line = line.text(format!("  {}  ", reason(first))).ink(ink, percent(first.probability));
        let others = &here[1..];
        let lines = if is_whole || others.len() == 1 {
            let other = |finding: &&Finding| {
                Line::of(format!("      {}  ", reason(finding))).ink(ink, percent(finding.probability))
            };
            std::iter::once(line).chain(others.iter().map(other)).collect()
        } else if others.is_empty() {
            vec![line]
        } else {
            vec![line.text(format!("  (and {} more reasons)", others.len()))]
        };
        Row { count: here.len(), ..Row::new(lines) }.in_group(&first.path)
    };
    let mut places: Vec<&[&Finding]> = found.chunk_by(is_same_place).collect();
    places.sort_by(|a, b| b[0].probability.total_cmp(&a[0].probability));
    let rows: Vec<Row> = places.iter().copied().map(row).collect();
    let folded = Some(by_reason(&places, &rows, ink));
    let least = if verdict == Verdict::MayBehaveDifferently { LEAST_OTHERS } else { LEAST_FINDINGS };
    Section { folded, least, ..Section::new(format!("{} ({})", verdict.as_str(), found.len()), rows) }
}

/// The places of each reason by file, with the reason below them. A place with several reasons keeps its row.
fn by_reason(places: &[&[&Finding]], rows: &[Row], ink: Ink) -> Vec<Row> {
    // By the first place of a reason, then by that of a file: the best stay first.
    let (mut reasons, mut files) = (BTreeMap::new(), BTreeMap::new());
    let mut ordered: Vec<(usize, usize, usize)> = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let Finding { reason, path, .. } = place[0];
        let (by_reason, by_file) = match place.len() {
            1 => (*reasons.entry(reason).or_insert(at), *files.entry((reason, path)).or_insert(at)),
            _ => (at, at),
        };
        ordered.push((by_reason, by_file, at));
    }
    ordered.sort_unstable();
    let mut folded = Vec::new();
    for group in ordered.chunk_by(|a, b| a.0 == b.0) {
        let [first, last] = [group[0], group[group.len() - 1]].map(|(_, _, at)| places[at][0]);
        if group.len() == 1 {
            folded.push(rows[group[0].2].clone());
            continue;
        }
        let same = if first.probability <= last.probability { "" } else { "at most " };
        let reason = Line::of(format!("      {}  ", cut(&visible(&first.reason), SOURCE_WIDTH)));
        let shared = vec![reason.ink(ink, format!("{same}{}", percent(first.probability)))];
        for file in group.chunk_by(|a, b| a.1 == b.1) {
            for few in file.chunks(PLACES_OF_ROW) {
                let found: Vec<&Finding> = few.iter().map(|&(_, _, at)| places[at][0]).collect();
                let row = Row { shared: shared.clone(), count: few.len(), ..Row::new(vec![in_one_line(&found)]) };
                folded.push(row.in_group(&found[0].path));
            }
        }
    }
    folded
}

/// `path:line, line`; a single place with the name of the definition there.
fn in_one_line(found: &[&Finding]) -> Line {
    let first = found[0];
    let line = Line::of("  ").place(&first.path, first.line);
    match found {
        [_] => line.text("  ").ink(Ink::Name, visible(short(&first.name))),
        _ => found[1..]
            .iter()
            .fold(line, |line, other| line.text(", ").place_as(&other.path, other.line, other.line.to_string())),
    }
}

/// The tests, most endangered first; if they are many, their files and the command that runs them.
fn tests_to_run(report: &ReviewReport, command: &str) -> Section {
    let row = |test: &RankedTest| {
        Row::new(vec![Line::of("  ").text(visible(&test.id)).text("  ").ink(Ink::Faint, percent(test.probability))])
    };
    let rows: Vec<Row> = report.tests.iter().map(row).collect();
    let ids: Vec<&str> = report.tests.iter().map(|test| test.id.as_str()).collect();
    let folded = Row { count: ids.len(), ..Row::new(test_lines(&ids, command)) };
    let folded = (ids.len() > folded.lines.len()).then(|| vec![folded]);
    Section { folded, least: 1, ..Section::new(tests_title(&ids), rows) }
}

/// The tests that only a name connects with the change; if they are many, their files.
fn untraced(report: &ReviewReport) -> Section {
    let section = list("tests that could not be followed: their calls are not known", &report.untraced_tests);
    let ids: Vec<&str> = report.untraced_tests.iter().map(String::as_str).collect();
    let folded = Row { count: ids.len(), ..Row::new(test_file_lines(&ids)) };
    let folded = (ids.len() > folded.lines.len()).then(|| vec![folded]);
    Section { folded, ..section }
}

fn list(name: &str, lines: &[String]) -> Section {
    let row = |line: &String| Row::new(vec![Line::of("  ").text(visible(line))]);
    Section { least: 1, ..Section::new(format!("{name} ({})", lines.len()), lines.iter().map(row).collect()) }
}
