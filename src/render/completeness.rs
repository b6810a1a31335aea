//! The completeness of an answer as text: its word, and a line for each boundary with its files.

use std::io::{self, Write};

use crate::{
    query::impact::completeness::{Boundary, Completeness},
    render::{
        escape::visible,
        screen::{Ink, Screen},
    },
};

/// Writes the lines, indented below a headline.
pub(super) fn completeness(
    out: &mut dyn Write,
    completeness: Completeness,
    boundaries: &[Boundary],
    screen: &Screen,
) -> io::Result<()> {
    let (ink, word) = match completeness {
        Completeness::Exact => (Ink::Good, "complete"),
        Completeness::LowerBound => (Ink::Warning, "at least this much (lower bound)"),
        Completeness::Unknown => (Ink::Bad, "unknown"),
    };
    writeln!(out, "  {}", screen.paint(ink, word))?;
    for boundary in boundaries {
        writeln!(out, "    {}", screen.paint(Ink::Faint, &visible(&boundary.message)))?;
        for path in &boundary.paths {
            writeln!(out, "      {}", screen.file(path))?;
        }
    }
    Ok(())
}
