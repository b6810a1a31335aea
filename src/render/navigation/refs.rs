//! References as text: place, kind, holder, source line and basis.
//!
//! References through another name or a value are listed apart.

use std::io::{self, Write};

use crate::{
    query::{
        navigate::refs::{ReferenceSite, RefsReport},
        words::count,
    },
    render::{
        escape::visible,
        impact::{headline, steps::steps},
        screen::{Ink, Screen},
        words::{likelihood, short},
    },
};

/// Writes the whole report.
pub fn text(out: &mut dyn Write, report: &RefsReport, screen: &Screen) -> io::Result<()> {
    headline(out, &report.target, screen)?;
    let (named, unnamed): (Vec<&ReferenceSite>, Vec<&ReferenceSite>) =
        report.references.iter().partition(|reference| reference.is_named);
    let direct = match named.len() {
        0 => "no reference found".to_owned(),
        number => count(number, "reference"),
    };
    let runs = match unnamed.len() {
        0 => String::new(),
        number => format!("; {number} by another name or value"),
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
    writeln!(out, "  {direct}{runs}{possible}{dissimilar}")?;
    rows(out, &named, screen, |reference| reference.basis.to_owned())?;
    if !unnamed.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", screen.paint(Ink::Heading, &format!("by another name or value ({})", unnamed.len())))?;
        rows(out, &unnamed, screen, |reference| reference.basis.to_owned())?;
    }
    if !report.possible.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", screen.paint(Ink::Heading, &format!("possible ({})", report.possible.len())))?;
        rows(out, &report.possible.iter().collect::<Vec<_>>(), screen, |reference| likelihood(reference.probability))?;
    }
    Ok(())
}

fn rows(
    out: &mut dyn Write,
    references: &[&ReferenceSite],
    screen: &Screen,
    note: impl Fn(&ReferenceSite) -> String,
) -> io::Result<()> {
    let shown = screen.shown(references.len());
    for reference in &references[..shown] {
        let place = screen.place(&reference.path, reference.line);
        let name = screen.paint(Ink::Name, &visible(short(&reference.name)));
        let note = screen.paint(Ink::Faint, &format!("[{}]", note(reference)));
        let text = visible(&reference.text);
        writeln!(out, "  {place}  {}  {name}  {note}", reference.kind)?;
        if !text.is_empty() {
            writeln!(out, "      {text}")?;
        }
        steps(out, &reference.steps, screen)?;
    }
    if shown < references.len() {
        let rest = format!("  … {} more: --all shows them", references.len() - shown);
        writeln!(out, "{}", screen.paint(Ink::Faint, &rest))?;
    }
    Ok(())
}
