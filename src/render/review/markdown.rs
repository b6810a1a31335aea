//! A review as Markdown, for one sticky comment on a pull request.
//!
//! A hidden mark identifies the comment on the next run. The comment is never longer than code hosts accept: rows that
//! do not fit are counted.

use std::io::{self, Write};

use crate::{
    query::{impact::verdict::Verdict, words::count},
    render::{
        escape::{visible, visible_path},
        impact::markdown::{code, line, plain},
        review::{because, edits, summary},
        words::{percent, short},
    },
    review::{Finding, ReviewReport},
};

/// Longest comment in bytes: code hosts refuse more than 65,536 characters, and no character is less than a byte.
const MAX_BYTES: usize = 60_000;
/// Tests listed in a comment.
const MAX_TESTS: usize = 100;

/// Writes the comment.
pub fn comment(out: &mut dyn Write, report: &ReviewReport) -> io::Result<()> {
    let mut text = String::from("<!-- repoidx:review -->\n");
    line(&mut text, &format!("### {}\n", title(report)));
    let range = format!("{} → {}", code(&visible(&report.base)), code(&visible(&report.head)));
    line(&mut text, &format!("{range}. {}. Completeness: {}.", plain(&summary(report)), report.completeness.as_str()));
    let mut left_out = 0;
    for (verdict, share) in [(Verdict::Breaks, 4), (Verdict::MayBreak, 5)] {
        let found: Vec<&Finding> = report.of(verdict).collect();
        if !found.is_empty() {
            line(&mut text, &format!("\n#### {} ({})", capitalized(verdict.as_str()), found.len()));
            left_out += table(&mut text, &found, MAX_BYTES * share / 10);
        }
    }
    let differing: Vec<&Finding> = report.of(Verdict::MayBehaveDifferently).collect();
    if !differing.is_empty() {
        line(&mut text, &format!("\n<details><summary>{} may behave differently</summary>\n", differing.len()));
        left_out += table(&mut text, &differing, MAX_BYTES * 6 / 10);
        line(&mut text, "\n</details>");
    }
    left_out += expected(&mut text, report, MAX_BYTES * 65 / 100);
    left_out += changed(&mut text, report, MAX_BYTES * 7 / 10);
    let tests: Vec<&str> = report.tests.iter().map(|test| test.id.as_str()).collect();
    left_out += fenced(&mut text, &format!("{} to run", count(tests.len(), "test")), &tests, MAX_BYTES * 8 / 10);
    let untested: Vec<&str> = report.untested.iter().map(String::as_str).collect();
    left_out +=
        fenced(&mut text, &format!("{} reached by no known test", untested.len()), &untested, MAX_BYTES * 9 / 10);
    if left_out > 0 {
        line(
            &mut text,
            &format!("\n{left_out} more are left out here; `repoidx review --format json` lists them all."),
        );
    }
    write!(out, "{text}")
}

fn title(report: &ReviewReport) -> String {
    match (report.counts.breaks, report.counts.may_break) {
        (0, 0) => "Nothing is known to break".to_owned(),
        (0, 1) => "1 place may break".to_owned(),
        (0, number) => format!("{number} places may break"),
        (1, _) => "1 place breaks".to_owned(),
        (number, _) => format!("{number} places break"),
    }
}

/// Writes a table of as many rows as fit, and returns the number of the others.
fn table(text: &mut String, rows: &[&Finding], budget: usize) -> usize {
    line(text, "\n| where | who | why | sure |\n|---|---|---|---|");
    for (at, row) in rows.iter().enumerate() {
        if text.len() > budget {
            return rows.len() - at;
        }
        let place = code(&format!("{}:{}", visible_path(&row.path), row.line));
        let cells = [place, code(&visible(short(&row.name))), worded(&row.reason), percent(row.probability)];
        line(text, &format!("| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")));
    }
    0
}

fn expected(text: &mut String, report: &ReviewReport, budget: usize) -> usize {
    let number = report.expected.len() + report.unmet.len();
    if number == 0 {
        return 0;
    }
    let summary =
        format!("{} expected, {} without effect", report.expected.len(), count(report.unmet.len(), "expectation"));
    line(text, &format!("\n<details><summary>{summary}</summary>\n"));
    let found = report.expected.iter().map(|expected| {
        let finding = &expected.finding;
        let place = code(&format!("{}:{}", visible_path(&finding.path), finding.line));
        format!("- {place} {}: {}", worded(&because(expected)), code(&visible(short(&finding.name))))
    });
    let idle = report
        .unmet
        .iter()
        .map(|unmet| format!("- {}: {}", code(&visible_path(&unmet.place)), plain(&visible(&unmet.problem))));
    let mut left_out = 0;
    for row in found.chain(idle) {
        if text.len() > budget {
            left_out += 1;
        } else {
            line(text, &row);
        }
    }
    line(text, "\n</details>");
    left_out
}

fn changed(text: &mut String, report: &ReviewReport, budget: usize) -> usize {
    if report.changed.is_empty() {
        return 0;
    }
    line(text, &format!("\n<details><summary>{}</summary>\n", count(report.changed.len(), "changed definition")));
    let mut left_out = 0;
    for (at, entity) in report.changed.iter().enumerate() {
        if text.len() > budget {
            left_out = report.changed.len() - at;
            break;
        }
        let place = code(&format!("{}:{}", visible_path(&entity.path), entity.line));
        line(
            text,
            &format!("- {} ({}, {place}): {}", code(&visible(&entity.name)), entity.kind, worded(&edits(entity))),
        );
    }
    line(text, "\n</details>");
    left_out
}

fn fenced(text: &mut String, summary: &str, lines: &[&str], budget: usize) -> usize {
    if lines.is_empty() {
        return 0;
    }
    line(text, &format!("\n<details><summary>{summary}</summary>\n\n```"));
    let mut written = 0;
    for content in lines.iter().take(MAX_TESTS).filter(|content| !content.contains('`')) {
        if text.len() > budget {
            break;
        }
        line(text, &visible(content));
        written += 1;
    }
    line(text, "```\n\n</details>");
    lines.len() - written
}

/// Text that keeps its code spans; no other character acts as markup.
fn worded(text: &str) -> String {
    let parts = visible(text);
    let worded = parts.split('`').enumerate().map(|(at, part)| if at % 2 == 1 { code(part) } else { plain(part) });
    worded.collect()
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
