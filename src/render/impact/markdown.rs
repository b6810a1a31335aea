//! Impact as Markdown, for comments on pull requests.
//!
//! Direct dependents stand in a table, and the rest is folded.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use crate::{
    model::Evidence,
    query::impact::{ImpactReport, Impacted},
    render::{
        escape::{visible, visible_path},
        impact::summary,
        words::{likelihood, short},
    },
};

/// Longest comment in bytes: code hosts refuse more than 65,536 characters.
const MAX_BYTES: usize = 60_000;
/// Steps of a chain in a row of the table.
const MAX_STEPS: usize = 3;
/// Tests listed in a comment.
const MAX_TESTS: usize = 100;

/// Writes the comment.
pub fn comment(out: &mut dyn Write, report: &ImpactReport) -> io::Result<()> {
    let target = &report.target;
    let mut text = String::from("<!-- repoidx:impact -->\n");
    let place = code(&format!("{}:{}", visible_path(&target.path), target.line));
    line(&mut text, &format!("### What breaks if {} changes\n", code(&visible(&target.name))));
    line(
        &mut text,
        &format!("{} at {place}. {}. Completeness: {}.\n", target.kind, summary(report), report.completeness.as_str()),
    );
    for boundary in &report.boundaries {
        line(&mut text, &format!("- {}", plain(&boundary.message)));
    }
    let is_direct = |impacted: &&Impacted| impacted.distance == 1 && impacted.evidence != Evidence::Possible;
    let direct: Vec<&Impacted> = report.impacted.iter().filter(is_direct).collect();
    let further: Vec<&Impacted> = report.impacted.iter().filter(|impacted| !is_direct(impacted)).collect();
    let mut left_out = 0;
    if !direct.is_empty() {
        left_out += table(&mut text, &direct, MAX_BYTES / 2);
    }
    if !further.is_empty() {
        line(&mut text, &format!("\n<details><summary>{} further away or only possible</summary>\n", further.len()));
        left_out += table(&mut text, &further, MAX_BYTES * 3 / 4);
        line(&mut text, "\n</details>");
    }
    if left_out > 0 {
        line(
            &mut text,
            &format!("\n{left_out} more are left out here; `repoidx impact --format json` lists them all."),
        );
    }
    tests(&mut text, report);
    write!(out, "{text}")
}

/// Writes a table of as many rows as fit, and returns the number of the others.
fn table(text: &mut String, rows: &[&Impacted], budget: usize) -> usize {
    line(text, "\n| affected | where | how | probability | via |\n|---|---|---|---|---|");
    for (at, row) in rows.iter().enumerate() {
        // Each table stops at its own share, so that the later parts have room.
        if text.len() > budget {
            return rows.len() - at;
        }
        let (path, number) = row.place();
        let kind = row.via.first().map_or("", |via| via.kind.as_str());
        let steps = row.via.len().saturating_sub(1);
        let via: Vec<String> =
            row.via.iter().take(steps.min(MAX_STEPS)).map(|via| code(&visible(short(&via.name)))).collect();
        let cells = [
            code(&visible(&row.name)),
            code(&format!("{}:{number}", visible_path(path))),
            kind.to_owned(),
            likelihood(row.probability),
            via.join(" → "),
        ];
        line(text, &format!("| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")));
    }
    0
}

fn tests(text: &mut String, report: &ImpactReport) {
    if report.tests.is_empty() {
        return;
    }
    let count = report.tests.len();
    let tests = if count == 1 { "test" } else { "tests" };
    line(text, &format!("\n<details><summary>{count} {tests} to run</summary>\n\n```"));
    for id in report.tests.iter().take(MAX_TESTS).filter(|id| !id.contains('`')) {
        if text.len() > MAX_BYTES {
            break;
        }
        line(text, &visible(id));
    }
    if report.tests.len() > MAX_TESTS {
        line(text, "…");
    }
    line(text, "```\n\n</details>");
}

pub(crate) fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("writing to a String cannot fail");
}

/// A code span that its content cannot end.
pub(crate) fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Text in which no character acts as markup.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in visible(text).chars() {
        if matches!(c, '<' | '>' | '[' | ']' | '*' | '_' | '|' | '\\' | '#' | '@') {
            plain.push('\\');
        }
        plain.push(c);
    }
    plain
}
