//! Trees of subclasses, bases or members as text.
//!
//! A tree that exceeds the budget keeps its upper levels; a node then says how many stand below it.

use std::io::{self, Write};

use crate::{
    query::{
        navigate::tree::{TreeKind, TreeNode, TreeReport},
        words::count,
    },
    render::{
        escape::visible,
        impact::described,
        screen::{Ink, Screen},
        sheet::{Closing, Row, Section, Sheet, WIDTH, line::Line},
        words::short,
    },
};

/// Writes as much of the report as the budget of the screen holds.
pub(crate) fn text(out: &mut dyn Write, report: &TreeReport, closing: Closing, screen: &Screen) -> io::Result<()> {
    let mut head = vec![Line::default().ink(Ink::Heading, answer(report))];
    if report.target.path.is_empty() {
        head.push(
            Line::of("  ").ink(Ink::Name, visible(&report.target.name).into_owned()).text("  class  of a library"),
        );
    } else {
        head.extend(described(&report.target));
    }
    let mut rows = Vec::new();
    branches(&report.branches, "", u32::MAX, &mut rows);
    // The deepest tree that the budget holds besides head, blank lines and the command for the rest.
    let room = screen.budget.most_rows().saturating_sub(head.len() + 3);
    let depth = (1..deepest(&report.branches)).rev().find(|depth| nodes(&report.branches, *depth) <= room).unwrap_or(1);
    let mut folded = Vec::new();
    branches(&report.branches, "", depth, &mut folded);
    let folded = (folded.len() < rows.len()).then_some(folded);
    let section = Section { folded, ..Section::new("", rows) };
    Sheet { head, sections: vec![section], closing, ..Sheet::default() }.write(out, screen)
}

fn answer(report: &TreeReport) -> String {
    let name = visible(short(&report.target.name)).into_owned();
    let (one, direct) = match report.direction {
        TreeKind::Subclasses => ("subclass", "direct"),
        TreeKind::Bases => ("base", "direct"),
        TreeKind::Members => ("definition", "top-level"),
    };
    let fitting = match report.fitting {
        None => String::new(),
        Some(fitting) if report.conditions.is_empty() => format!("; of the kind: {fitting}"),
        Some(fitting) => format!("; {}: {fitting}", visible(&report.conditions)),
    };
    let counts = match (report.all, report.direct) {
        (0, _) if report.direction == TreeKind::Members => format!("`{name}`: nothing is defined in it"),
        (0, _) => format!("`{name}`: no {one} here"),
        (all, number) if all == number => format!("`{name}`: {}", count(all, &format!("{direct} {one}"))),
        (all, number) => format!("`{name}`: {}, {all} in all", count(number, &format!("{direct} {one}"))),
    };
    counts + &fitting
}

/// Rows for the nodes down to `depth`.
fn branches(list: &[TreeNode], indent: &str, depth: u32, rows: &mut Vec<Row>) {
    for (at, branch) in list.iter().enumerate() {
        let is_last = at + 1 == list.len();
        let (knee, below) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let name = if branch.is_outside { &branch.name } else { short(&branch.name) };
        let line = Line::of(format!("{indent}{knee}")).ink(Ink::Name, visible(name));
        let line = line.text(format!("  {}  ", branch.kind));
        let line = if branch.is_outside { line.text("of a library") } else { line.place(&branch.path, branch.line) };
        let again = if branch.is_repeated && !branch.name.is_empty() { "  (see above)" } else { "" };
        let hidden = if depth > 1 { 0 } else { nodes(&branch.branches, u32::MAX) };
        let hidden = if hidden > 0 { format!("  (+{hidden} below)") } else { String::new() };
        let passed = if branch.is_passed { "  (on the way)" } else { "" };
        let line = line.text(format!("{again}{passed}{hidden}"));
        rows.push(Row {
            count: 1 + if depth > 1 { 0 } else { nodes(&branch.branches, u32::MAX) },
            ..Row::new(vec![line.cut(WIDTH)])
        });
        if depth > 1 {
            branches(&branch.branches, &format!("{indent}{below}"), depth - 1, rows);
        }
    }
}

/// Number of nodes down to `depth`.
fn nodes(list: &[TreeNode], depth: u32) -> usize {
    let below = |branch: &TreeNode| if depth > 1 { nodes(&branch.branches, depth - 1) } else { 0 };
    list.iter().map(|branch| 1 + below(branch)).sum()
}

/// Number of levels.
fn deepest(list: &[TreeNode]) -> u32 {
    list.iter().map(|branch| 1 + deepest(&branch.branches)).max().unwrap_or(0)
}
