//! Impact as text, for a terminal or a pipe, and the words that its forms share.
//!
//! The forms are in the modules below.

pub mod briefing;
pub mod compact;
pub mod dot;
pub mod drawing;
pub mod markdown;
pub mod mermaid;
pub(crate) mod steps;
pub mod text;
mod tree;

use std::io::{self, Write};

use crate::{
    model::EntityKind,
    query::{
        impact::{ImpactReport, completeness::no_limit_known},
        target::described::Described,
        words::count,
    },
    render::{
        escape::visible,
        impact::text::{View, sheet},
        screen::{Ink, Screen},
        sheet::line::Line,
    },
};

/// Writes as much of the report as the budget of the screen holds; a small one as trees.
pub(crate) fn text(out: &mut dyn Write, report: &ImpactReport, view: &View, screen: &Screen) -> io::Result<()> {
    let sheet = tree::drawn(report, view, screen).unwrap_or_else(|| sheet(report, view, screen));
    sheet.write(out, screen)
}

/// Writes only the ids of tests.
pub fn tests(out: &mut dyn Write, report: &ImpactReport) -> io::Result<()> {
    for id in &report.tests {
        writeln!(out, "{}", visible(id))?;
    }
    Ok(())
}

/// Name, kind and place of a definition, in one line, and the class that inherits it.
pub(crate) fn described(target: &Described) -> Vec<Line> {
    let name = visible(&target.name).into_owned();
    let line =
        Line::of("  ").ink(Ink::Name, name).text(format!("  {}  ", target.kind)).place(&target.path, target.line);
    let line = match target.definitions {
        0 | 1 => line,
        number if target.kind == EntityKind::Module => line.text(format!("  the package with its {number} modules")),
        number => line.text(format!("  {number} definitions")),
    };
    let inherited = target.inherited_by.as_ref().map(|class| Line::of(format!("  inherited by {}", visible(class))));
    std::iter::once(line).chain(inherited).collect()
}

/// The number of affected entities, in one sentence.
pub(crate) fn summary(report: &ImpactReport) -> String {
    let all = report.impacted.len();
    if all == 0 {
        return nothing(report);
    }
    let direct = report.impacted.iter().filter(|impacted| impacted.distance == 1).count();
    let deepest = report.impacted.iter().map(|impacted| impacted.distance).max().unwrap_or(1);
    let depth = if deepest > 1 { format!(", the rest over up to {deepest} steps") } else { String::new() };
    format!("{} affected: {direct} directly{depth}; {}", count(all, "entity"), report.tests_to_run())
}

/// The reason why nothing is listed, since a bare "nothing" would hide the unresolved.
fn nothing(report: &ImpactReport) -> String {
    let unresolved = report.boundaries.iter().find(|boundary| boundary.kind == "unresolved");
    let sites = report.call_sites.len();
    match unresolved {
        None if sites > 0 => format!("{} below, and the change concerns none", count(sites, "call")),
        Some(boundary) => {
            let name = visible(&report.target.name);
            format!("no reference found, but {} (repoidx refs --possible {name})", boundary.message)
        }
        None if no_limit_known(&report.boundaries) => {
            "no reference found, and no unresolved occurrence of the name either".to_owned()
        }
        None => "no reference found".to_owned(),
    }
}
