//! Import statements as text.

use std::io::{self, Write};

use crate::{
    query::navigate::imports::{ImportHit, ImportsReport},
    render::{
        escape::visible,
        screen::{Ink, Screen},
        sheet::{Closing, Row, Section, Sheet, WIDTH, line::Line},
    },
};

/// Writes as much of the report as the budget of the screen holds.
pub(crate) fn text(out: &mut dyn Write, report: &ImportsReport, closing: Closing, screen: &Screen) -> io::Result<()> {
    let mut section = Section::new("", report.hits.iter().map(row).collect());
    section.noun = "more import";
    let mut sheet = Sheet { closing, ..Sheet::default() };
    if report.hits.is_empty() {
        sheet.head.push(Line::of("no import here fits the question"));
    }
    sheet.sections.push(section);
    if report.more > 0 {
        sheet.tail.push(Line::of(format!("and {} more; --limit shows them", report.more)));
    }
    sheet.tail.extend(report.missing.iter().map(|missing| Line::of(format!("note: {}", visible(missing)))));
    sheet.write(out, screen)
}

fn row(hit: &ImportHit) -> Row {
    let line = Line::default().ink(Ink::Heading, visible(&hit.name)).text(format!("  {}  ", hit.kind));
    let line = match &hit.repository {
        // Links are built for one root, which another repository does not have.
        Some(repository) => line.text(format!("{}: {}:{}", visible(repository), visible(&hit.path), hit.start_line)),
        None => line.place(&hit.path, hit.start_line),
    };
    let statement = if hit.text.is_empty() { hit.imports.join(", ") } else { hit.text.clone() };
    let lines = vec![line.text(format!("-{}", hit.end_line)), Line::of("    ").text(visible(&statement)).cut(WIDTH)];
    Row::new(lines).in_group(&hit.path)
}
