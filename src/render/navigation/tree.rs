//! Trees of subclasses, bases or members as text.

use std::io::{self, Write};

use crate::{
    query::{
        navigate::tree::{TreeKind, TreeNode, TreeReport},
        words::count,
    },
    render::{
        escape::visible,
        impact::headline,
        screen::{Ink, Screen},
        words::short,
    },
};

/// Writes the whole report.
pub fn text(out: &mut dyn Write, report: &TreeReport, screen: &Screen) -> io::Result<()> {
    headline(out, &report.target, screen)?;
    let (one, direct) = match report.direction {
        TreeKind::Subclasses => ("subclass", "direct"),
        TreeKind::Bases => ("base", "direct"),
        TreeKind::Members => ("entity", "top-level"),
    };
    match report.all {
        0 if report.direction == TreeKind::Members => writeln!(out, "  nothing is defined in it")?,
        0 => writeln!(out, "  no {one} here")?,
        all => writeln!(out, "  {}, {all} in all", count(report.direct, &format!("{direct} {one}")))?,
    }
    let shown = screen.shown(report.branches.len());
    branches(out, &report.branches[..shown], "", screen)?;
    if shown < report.branches.len() {
        writeln!(out, "… {} more: --all shows them", report.branches.len() - shown)?;
    }
    Ok(())
}

fn branches(out: &mut dyn Write, list: &[TreeNode], indent: &str, screen: &Screen) -> io::Result<()> {
    for (at, branch) in list.iter().enumerate() {
        let is_last = at + 1 == list.len();
        let (knee, below) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let name = screen.paint(Ink::Name, &visible(short(&branch.name)));
        let place = screen.place(&branch.path, branch.line);
        let again = if branch.is_repeated && !branch.name.is_empty() { "  (see above)" } else { "" };
        writeln!(out, "{indent}{knee}{name}  {}  {place}{again}", branch.kind)?;
        branches(out, &branch.branches, &format!("{indent}{below}"), screen)?;
    }
    Ok(())
}
