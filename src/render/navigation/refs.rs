//! References as text: place, kinds, holder, basis and source line.
//!
//! References through another name or a value are listed apart. References at one place stand together.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use crate::{
    query::{
        navigate::refs::{ReferenceSite, RefsReport},
        words::count,
    },
    render::{
        escape::visible,
        impact::{described, steps::step_lines},
        screen::{Ink, Screen},
        sheet::{
            Closing, Row, SOURCE_WIDTH, Section, Sheet,
            line::{Line, cut},
        },
        words::{likelihood, short},
    },
};

/// References by name that stand above the others, however many there are.
const LEAST_NAMED: usize = 5;

/// Writes as much of the report as the budget of the screen holds, tests last.
pub(crate) fn text(
    out: &mut dyn Write,
    report: &RefsReport,
    is_test: fn(&str) -> bool,
    closing: Closing,
    screen: &Screen,
) -> io::Result<()> {
    let (named, unnamed): (Vec<&ReferenceSite>, Vec<&ReferenceSite>) =
        report.references.iter().partition(|reference| reference.is_named);
    let basis = |reference: &ReferenceSite| reference.basis.to_owned();
    let possible: Vec<&ReferenceSite> = report.possible.iter().collect();
    let (named_rows, unnamed_rows) = (rows(&named, is_test, basis), rows(&unnamed, is_test, basis));
    let mut head = vec![Line::default().ink(Ink::Heading, answer(report, &named, &unnamed))];
    head.extend(described(&report.target));
    let number = possible.len();
    Sheet {
        head,
        sections: vec![
            Section { least: LEAST_NAMED, ..Section::new("", named_rows) },
            Section::new(format!("by another name or value ({})", unnamed.len()), unnamed_rows),
            Section::new(
                format!("possible ({number})"),
                rows(&possible, is_test, |reference| likelihood(reference.probability)),
            ),
        ],
        closing,
        ..Sheet::default()
    }
    .write(out, screen)
}

/// `Cart.add: 4 references in 3 files; 1 unresolved occurrence could be one`.
fn answer(report: &RefsReport, named: &[&ReferenceSite], unnamed: &[&ReferenceSite]) -> String {
    let mut files: Vec<&str> = report.references.iter().map(|reference| reference.path.as_str()).collect();
    files.dedup();
    let within = if files.len() > 1 { format!(" in {} files", files.len()) } else { String::new() };
    // A decorator is called where it decorates.
    let places = |sites: &[&ReferenceSite]| {
        sites.iter().map(|site| (&site.path, site.line, site.column)).collect::<BTreeSet<_>>().len()
    };
    let direct = match (places(named), places(unnamed)) {
        (0, 0) => "no reference found".to_owned(),
        (number, 0) => format!("{}{within}", count(number, "reference")),
        (0, number) => format!("{number} by another name or value{within}"),
        (number, others) => {
            format!("{}{within}, {others} by another name or value", count(number + others, "reference"))
        }
    };
    let hint = if report.possible.is_empty() { " (--possible lists them)" } else { "" };
    let possible = match report.possible_count {
        0 => String::new(),
        1 => format!("; 1 unresolved occurrence could be one{hint}"),
        number => format!("; {number} unresolved occurrences could be one{hint}"),
    };
    let dissimilar = match report.dissimilar.unwrap_or(0) {
        0 => String::new(),
        number => format!("; {number} in code that is less about it left out"),
    };
    let left_out = match report.left_out.unwrap_or(0) {
        0 => String::new(),
        number => format!("; {number} elsewhere left out"),
    };
    format!("`{}`: {direct}{possible}{dissimilar}{left_out}", visible(short(&report.target.name)))
}

/// A row for each place; code before tests.
fn rows(references: &[&ReferenceSite], is_test: fn(&str) -> bool, note: impl Fn(&ReferenceSite) -> String) -> Vec<Row> {
    let mut ordered = references.to_vec();
    ordered.sort_by_cached_key(|reference| is_test(&reference.path));
    let is_same_place = |a: &&ReferenceSite, b: &&ReferenceSite| (a.line, &a.path) == (b.line, &b.path);
    ordered.chunk_by(is_same_place).map(|here| row(here, &note)).collect()
}

fn row(here: &[&ReferenceSite], note: &impl Fn(&ReferenceSite) -> String) -> Row {
    let first = here[0];
    let mut lines = Vec::new();
    for (at, alike) in here.chunk_by(|a, b| note(a) == note(b)).enumerate() {
        let mut line = if at == 0 { Line::of("  ").place(&first.path, first.line) } else { Line::of("    and") };
        for (at, group) in alike.chunk_by(|a, b| a.name == b.name).enumerate() {
            let mut kinds: Vec<&str> = group.iter().map(|reference| reference.kind.as_str()).collect();
            kinds.dedup();
            let separator = if at == 0 { "  " } else { ", " };
            line = line.text(format!("{separator}{}  ", kinds.join(", ")));
            line = line.ink(Ink::Name, visible(short(&group[0].name)));
        }
        lines.push(line.text("  ").ink(Ink::Faint, format!("[{}]", note(alike[0]))));
    }
    if !first.text.is_empty() {
        lines.push(Line::of("      ").text(cut(&visible(&first.text), SOURCE_WIDTH)));
    }
    let mut steps: Vec<Line> = Vec::new();
    for reference in here {
        let of_one = step_lines(&reference.steps);
        if !of_one.iter().all(|step| steps.contains(step)) {
            steps.extend(of_one);
        }
    }
    lines.extend(steps);
    Row { count: here.len(), ..Row::new(lines) }.in_group(&first.path)
}
