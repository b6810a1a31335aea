//! Impact as text, for a terminal or a pipe.
//!
//! Affected entities are grouped by distance and module. Each has place, kind and probability, and an indirect one its
//! chain.

pub mod briefing;
pub mod dot;
pub mod drawing;
pub mod markdown;
pub mod mermaid;
pub(crate) mod steps;

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use crate::{
    model::Evidence,
    query::{
        impact::{ImpactReport, Impacted, completeness::Completeness},
        target::described::Described,
        words::count,
    },
    render::{
        completeness::completeness,
        escape::visible,
        impact::steps::steps,
        screen::{Ink, Screen},
        words::{MAYBE, VERY_LIKELY, below_module, kind_note, likelihood, short},
    },
};

/// Widest column of names, in characters; a longer name moves its row out of line.
const MAX_WIDTH: usize = 48;
/// Targets that the head of an answer names.
const MAX_TARGETS: usize = 20;
/// Steps of a chain that are written; further ones are counted.
const MAX_STEPS: usize = 4;

/// Writes the whole report.
pub fn text(out: &mut dyn Write, report: &ImpactReport, screen: &Screen) -> io::Result<()> {
    if report.targets.is_empty() {
        headline(out, &report.target, screen)?;
    }
    let shown = screen.shown(report.targets.len()).min(MAX_TARGETS);
    for target in &report.targets[..shown] {
        headline(out, target, screen)?;
    }
    if shown < report.targets.len() {
        writeln!(out, "… and {} more", report.targets.len() - shown)?;
    }
    writeln!(out, "  {}", summary(report))?;
    completeness(out, report.completeness, &report.boundaries, screen)?;
    call_sites(out, report, screen)?;
    let mut by_distance: BTreeMap<u32, Vec<&Impacted>> = BTreeMap::new();
    for impacted in report.impacted.iter().filter(|impacted| impacted.evidence != Evidence::Possible) {
        by_distance.entry(impacted.distance).or_default().push(impacted);
    }
    for (distance, rows) in &by_distance {
        let title = if *distance == 1 { "direct".to_owned() } else { format!("distance {distance}") };
        group(out, &title, rows, screen)?;
    }
    let possible: Vec<&Impacted> = report.impacted.iter().filter(|i| i.evidence == Evidence::Possible).collect();
    if !possible.is_empty() {
        group(out, "possible (only a name fits on the way)", &possible, screen)?;
    }
    Ok(())
}

/// Writes only the ids of tests.
pub fn tests(out: &mut dyn Write, report: &ImpactReport) -> io::Result<()> {
    for id in &report.tests {
        writeln!(out, "{}", visible(id))?;
    }
    Ok(())
}

/// Name, kind and place of a definition, in one line.
pub(crate) fn headline(out: &mut dyn Write, target: &Described, screen: &Screen) -> io::Result<()> {
    let name = screen.paint(Ink::Heading, &visible(&target.name));
    let place = screen.place(&target.path, target.line);
    let definitions =
        if target.definitions > 1 { format!("  {} definitions", target.definitions) } else { String::new() };
    writeln!(out, "{name}  {}  {place}{definitions}", target.kind)?;
    match &target.inherited_by {
        Some(class) => writeln!(out, "  inherited by {}", visible(class)),
        None => Ok(()),
    }
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
    let tests = if report.tests.is_empty() { "no test".to_owned() } else { count(report.tests.len(), "test") };
    format!("{} affected: {direct} directly{depth}; {tests} to run", count(all, "entity"))
}

/// The reason why nothing is listed, since a bare "nothing" would hide the unresolved.
fn nothing(report: &ImpactReport) -> String {
    let unresolved = report.boundaries.iter().find(|boundary| boundary.kind == "unresolved");
    let sites = report.call_sites.len();
    match (unresolved, report.completeness) {
        (None, Completeness::Exact) if sites > 0 => {
            format!("{} below, and the change concerns none: nothing breaks", count(sites, "call"))
        }
        (None, _) if sites > 0 => format!("{} below, and the change concerns none", count(sites, "call")),
        (Some(boundary), _) => {
            let name = visible(&report.target.name);
            format!("no reference found, but {} (repoidx refs --possible {name})", boundary.message)
        }
        (None, Completeness::Exact) => {
            "no reference found, and no unresolved occurrence of the name either: nothing breaks".to_owned()
        }
        (None, _) => "no reference found".to_owned(),
    }
}

fn call_sites(out: &mut dyn Write, report: &ImpactReport, screen: &Screen) -> io::Result<()> {
    let Some(param) = &report.param else { return Ok(()) };
    let param = visible(param);
    writeln!(out)?;
    writeln!(out, "{}", screen.paint(Ink::Heading, &format!("calls and what they pass for `{param}`")))?;
    for site in &report.call_sites {
        let passes = visible(&site.passing()).into_owned();
        let place = screen.place(&site.path, site.line);
        let verdict = site.verdict.map(|verdict| format!("  {}: {}", verdict.as_str(), visible(&site.reason)));
        let (name, verdict) = (screen.paint(Ink::Name, &visible(&site.name)), verdict.unwrap_or_default());
        writeln!(out, "  {name}  {place}  {passes}{verdict}")?;
    }
    Ok(())
}

fn group(out: &mut dyn Write, title: &str, rows: &[&Impacted], screen: &Screen) -> io::Result<()> {
    writeln!(out)?;
    writeln!(out, "{}", screen.paint(Ink::Heading, &format!("{title} ({})", rows.len())))?;
    let shown = screen.shown(rows.len());
    let mut by_module: BTreeMap<&str, Vec<&Impacted>> = BTreeMap::new();
    for row in &rows[..shown] {
        by_module.entry(&row.module).or_default().push(row);
    }
    for (module, rows) in by_module {
        writeln!(out, "  {}", screen.paint(Ink::Faint, &visible(module)))?;
        table(out, module, &rows, screen)?;
    }
    if shown < rows.len() {
        let rest = format!("  … {} more: --all shows them, --format json has them all", rows.len() - shown);
        writeln!(out, "{}", screen.paint(Ink::Faint, &rest))?;
    }
    Ok(())
}

fn table(out: &mut dyn Write, module: &str, rows: &[&Impacted], screen: &Screen) -> io::Result<()> {
    let name_of = |row: &Impacted| {
        let note = kind_note(row.kind);
        if note.is_empty() { visible(below_module(&row.name, module)).into_owned() } else { format!("({note})") }
    };
    let width = rows.iter().map(|row| name_of(row).chars().count()).max().unwrap_or(0).min(MAX_WIDTH);
    let chains: Vec<String> = rows.iter().map(|row| chain(row, screen)).collect();
    for (at, row) in rows.iter().enumerate() {
        let name = name_of(row);
        let padding = " ".repeat(width.saturating_sub(name.chars().count()));
        let name = screen.paint(Ink::Name, &name);
        let (place, kind) = match row.via.first() {
            Some(via) => (screen.place(&via.path, via.line), via.kind.as_str()),
            None => (screen.place(&row.path, row.line), "changes"),
        };
        let likelihood = screen.paint(certainty(row.probability), &likelihood(row.probability));
        writeln!(out, "    {name}{padding}  {place}  {kind}  {likelihood}")?;
        // Consecutive rows of one chain share one line with it.
        let chain = &chains[at];
        let is_last = chains.get(at + 1) != Some(chain);
        if !chain.is_empty() && (is_last || !row.steps.is_empty()) {
            writeln!(out, "      {chain}")?;
        }
        steps(out, &row.steps, screen)?;
        if let Some(also) = row.also.as_ref().filter(|_| !row.steps.is_empty()) {
            let place = screen.place(&also.path, also.line);
            writeln!(
                out,
                "        more probable: it also reaches the target over {}, {place}",
                visible(short(&also.name))
            )?;
        }
        if let Some(lacks) = row.lacks.as_ref().filter(|_| !row.steps.is_empty()) {
            writeln!(out, "        less probable: it is not known to make, name or run {}", visible(lacks))?;
        }
    }
    Ok(())
}

/// The steps between an entity and the target, nearest first; empty for a direct user.
fn chain(row: &Impacted, screen: &Screen) -> String {
    let mut steps = Vec::new();
    for pair in row.via.windows(2).take(MAX_STEPS) {
        let place = screen.place(&pair[1].path, pair[1].line);
        steps.push(format!("← via {} {place}", visible(short(&pair[0].name))));
    }
    if row.via.len() > MAX_STEPS + 1 {
        steps.push(format!("← … {} more", row.via.len() - 1 - MAX_STEPS));
    }
    steps.join(" ")
}

fn certainty(probability: f64) -> Ink {
    match probability {
        p if p >= VERY_LIKELY => Ink::Good,
        p if p >= MAYBE => Ink::Warning,
        _ => Ink::Faint,
    }
}
