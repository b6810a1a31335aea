//! A definition as text: its place, its source, its members and its neighbors.

use std::io::{self, Write};

use crate::{
    model::EntityKind,
    query::{
        navigate::show::{DefinitionLine, ShowReport},
        words::count,
    },
    render::{
        escape::{visible, visible_path, visible_source},
        screen::{Ink, Screen},
    },
};

/// Writes the whole report.
pub fn text(out: &mut dyn Write, report: &ShowReport, screen: &Screen) -> io::Result<()> {
    let target = &report.target;
    let range = |start: u32, end: u32| format!("{}-{end}", screen.place(&target.path, start));
    for definition in &report.definitions {
        let name = screen.paint(Ink::Heading, &visible(&target.name));
        writeln!(out, "{name}  {}  {}", target.kind, range(definition.start_line, definition.end_line))?;
        let is_module = target.kind == EntityKind::Module;
        match &definition.source {
            Some(source) if !is_module => {
                writeln!(out)?;
                write!(out, "{}", visible_source(source))?;
                if !source.ends_with('\n') {
                    writeln!(out)?;
                }
                writeln!(out)?;
            }
            Some(_) => {}
            None => writeln!(out, "  the file cannot be read: {}", visible_path(&target.path))?,
        }
    }
    if let Some(class) = &target.inherited_by {
        writeln!(out, "inherited by  {}", visible(class))?;
    }
    if target.kind == EntityKind::Module && !report.doc.is_empty() {
        writeln!(out, "  {}", visible(&report.doc))?;
    }
    members(out, report, screen)?;
    let neighbors = [("parent", &report.parent), ("previous", &report.previous), ("next", &report.next)];
    for (title, neighbor) in neighbors {
        if let Some(neighbor) = neighbor {
            writeln!(out, "{title:<12}  {}", line(neighbor, screen))?;
        }
    }
    let references = count(report.references, "reference");
    writeln!(out, "{:<12}  {} (in all {references})", "called", count(report.callers, "time"))
}

type IsInGroup = fn(EntityKind) -> bool;

/// Lists own members by kind, then inherited ones.
fn members(out: &mut dyn Write, report: &ShowReport, screen: &Screen) -> io::Result<()> {
    let is_class = report.target.kind == EntityKind::Class;
    let groups: [(&str, IsInGroup); 4] = [
        (if is_class { "methods" } else { "functions" }, |kind| {
            matches!(kind, EntityKind::Method | EntityKind::Function)
        }),
        ("properties", |kind| kind == EntityKind::Property),
        (if is_class { "nested classes" } else { "classes" }, |kind| kind == EntityKind::Class),
        (if is_class { "attributes" } else { "variables" }, |kind| kind == EntityKind::Variable),
    ];
    for (title, is_in_group) in groups {
        let group: Vec<&DefinitionLine> = report.members.iter().filter(|member| is_in_group(member.kind)).collect();
        list(out, title, &group, screen)?;
    }
    for inherited in &report.inherited {
        let title = format!("inherited from {}", visible(&inherited.from));
        let callable: Vec<&DefinitionLine> =
            inherited.members.iter().filter(|member| member.kind.is_callable()).collect();
        list(out, &title, &callable, screen)?;
    }
    Ok(())
}

fn list(out: &mut dyn Write, title: &str, members: &[&DefinitionLine], screen: &Screen) -> io::Result<()> {
    if members.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", screen.paint(Ink::Heading, &format!("{title} ({})", members.len())))?;
    let shown = screen.shown(members.len());
    for member in &members[..shown] {
        writeln!(out, "  {}", line(member, screen))?;
    }
    if shown < members.len() {
        writeln!(out, "  … {} more: --all shows them", members.len() - shown)?;
    }
    writeln!(out)
}

/// `async name(self, x)  path:1-9`
fn line(member: &DefinitionLine, screen: &Screen) -> String {
    let prefix = if member.is_async { "async " } else { "" };
    let name = screen.paint(Ink::Name, &visible(&member.name));
    let place = screen.place(&member.path, member.start_line);
    format!("{prefix}{name}{}  {place}-{}", visible(&member.signature), member.end_line)
}
