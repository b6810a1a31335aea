//! A definition as text: its place, its source, its members and its neighbors.

use std::io::{self, Write};

use crate::{
    model::EntityKind,
    query::{
        navigate::{
            leaves::FreeCode,
            sections::{SectionReport, ShownSection},
            show::{BaseLine, DefinitionLine, Referred, ShowReport, ShownDefinition, ShownLeaf},
        },
        words::count,
    },
    render::{
        escape::{visible, visible_path, visible_source},
        screen::{Ink, Screen},
        sheet::{
            Budget, Closing, Row, Section, Sheet, WHOLE_SOURCE, WIDTH,
            line::{Line, cut},
        },
        words::{short, signature},
    },
};

/// Lines of source of a class that does not fit: its members follow.
const MOST_OF_CLASS: usize = 8;
/// Lines of source of a longer definition that are shown before anything else gets more room.
const LEAST_SOURCE: usize = 20;
/// Definitions referred to that are listed if not all fit.
const MOST_REFERRED: usize = 6;

/// Writes as much of the report as the budget of the screen holds.
pub(crate) fn text(out: &mut dyn Write, report: &ShowReport, closing: Closing, screen: &Screen) -> io::Result<()> {
    let target = &report.target;
    let mut sections: Vec<Section> =
        report.definitions.iter().map(|definition| source(report, definition, screen)).collect();
    let shown: Vec<&ShownLeaf> = report.free.iter().filter(|shown| shown.source.is_some()).collect();
    if let Some(lines) = &report.lines {
        sections = vec![source_lines(lines.source.as_deref().unwrap_or_default(), screen)];
    } else if !shown.is_empty() {
        sections = shown.iter().map(|shown| free_code(report, shown, screen)).collect();
    } else {
        sections.extend(members(report));
    }
    sections.push(surroundings(report));
    sections.push(refers(report));
    let first = report.lines.as_ref().or(report.definitions.first());
    let (mut start, mut end) =
        first.map_or((target.start_line, target.end_line), |first| (first.start_line, first.end_line));
    let (mut name, mut kind) = (target.name.as_str(), target.kind.as_str());
    if let [first, .., last] | [first @ last] = shown.as_slice() {
        (start, end, kind) = (first.leaf.start_line, last.leaf.end_line, first.leaf.kind);
        name = if shown.len() == 1 { &first.leaf.name } else { first.leaf.name.split('@').next().unwrap_or_default() };
    }
    let line = Line::default().ink(Ink::Heading, visible(name).into_owned()).text(format!("  {kind}  "));
    let mut head = vec![line.place(&target.path, start).text(format!("-{end}"))];
    if let Some(class) = &target.inherited_by {
        head.push(Line::of(format!("  inherited by {}", visible(class))));
    }
    let is_module = target.kind == EntityKind::Module;
    if is_module && report.lines.is_none() && shown.is_empty() && !report.doc.is_empty() {
        head.push(Line::of("  ").text(visible(&report.doc)).cut(WIDTH));
    }
    if first.is_some_and(|first| first.source.is_none()) {
        let path = visible_path(&target.path);
        head.push(Line::of(if report.has_changed {
            format!("  {path} has changed since the index was made, so its lines are not shown")
        } else {
            format!("  the file cannot be read: {path}")
        }));
    }
    let lines = match target.kind {
        EntityKind::Class => 0,
        EntityKind::Module => shown.iter().zip(&sections).map(|(_, source)| source.rows.len()).sum(),
        _ => sections.first().map_or(0, |source| source.rows.len()),
    };
    let screen = Screen { budget: screen.budget.with_source(lines), ..screen.clone() };
    Sheet { head, sections, closing, ..Sheet::default() }.write(out, &screen)
}

/// Writes a section of a document, or the list of several.
pub(crate) fn section_text(
    out: &mut dyn Write,
    report: &SectionReport,
    closing: Closing,
    screen: &Screen,
) -> io::Result<()> {
    let line = |section: &ShownSection| {
        let above = if section.above.is_empty() { String::new() } else { format!("{} / ", section.above) };
        let name = visible(&format!("{above}{}", section.title)).into_owned();
        let line = Line::default().ink(Ink::Heading, name).text("  section  ");
        line.place(&section.path, section.start_line).text(format!("-{}", section.end_line))
    };
    if let [section] = report.sections.as_slice() {
        let text = source_lines(section.text.as_deref().unwrap_or_default(), screen);
        let lines = text.rows.len();
        let mut sections = vec![text];
        if !section.names.is_empty() {
            let names = Line::of("names     ").text(visible(&section.names.join(", "))).cut(WIDTH);
            sections.push(Section { least: 1, ..Section::new("", vec![Row::new(vec![names])]) });
        }
        let screen = Screen { budget: screen.budget.with_source(lines), ..screen.clone() };
        return Sheet { head: vec![line(section)], sections, closing, ..Sheet::default() }.write(out, &screen);
    }
    let rows: Vec<Row> =
        report.sections.iter().map(|section| Row::new(vec![Line::of("  ").then(line(section))])).collect();
    let head = vec![Line::of(count(rows.len(), "section"))];
    Sheet { head, sections: vec![Section::new("", rows)], closing, ..Sheet::default() }.write(out, screen)
}

/// The lines of imports or of other code at module level, with their place where there are several such parts.
fn free_code(report: &ShowReport, shown: &ShownLeaf, screen: &Screen) -> Section {
    let Section { mut rows, .. } = source_lines(shown.source.as_deref().unwrap_or_default(), screen);
    if report.free.len() > 1 {
        let place = Line::default().place(&report.target.path, shown.leaf.start_line);
        rows.insert(0, Row::new(vec![place.text(format!("-{}", shown.leaf.end_line))]));
    }
    let least = if rows.len() > WHOLE_SOURCE { LEAST_SOURCE } else { rows.len() };
    Section { least, noun: "more line", ..Section::new("", rows) }
}

/// The source lines of one definition. Further definitions of the name begin with their place.
fn source(report: &ShowReport, definition: &ShownDefinition, screen: &Screen) -> Section {
    let target = &report.target;
    let Some(text) = definition.source.as_ref().filter(|_| target.kind != EntityKind::Module) else {
        return Section::default();
    };
    let Section { mut rows, .. } = source_lines(text, screen);
    let is_first = report.definitions.first() == Some(definition);
    if let Some(row) = rows.first_mut().filter(|_| !is_first) {
        let place =
            Line::default().place(&target.path, definition.start_line).text(format!("-{}", definition.end_line));
        row.lines.insert(0, place);
    }
    let (least, most) = match rows.len() {
        _ if target.kind == EntityKind::Class => (MOST_OF_CLASS, MOST_OF_CLASS),
        lines @ ..=WHOLE_SOURCE => (lines, 0),
        _ => (LEAST_SOURCE, 0),
    };
    Section { least, most, noun: "more line", ..Section::new("", rows) }
}

fn source_lines(text: &str, screen: &Screen) -> Section {
    let is_whole = screen.budget == Budget::All;
    let row = |line: &str| {
        let line = if is_whole { line.to_owned() } else { cut(line, WIDTH) };
        Row::new(vec![Line::of(line)])
    };
    let rows = visible_source(text).lines().map(row).collect();
    Section { least: LEAST_SOURCE, noun: "more line", ..Section::new("", rows) }
}

/// The definitions that its code refers to.
fn refers(report: &ShowReport) -> Section {
    let row = |referred: &Referred| {
        let by: Vec<&str> = referred.by.iter().map(|kind| kind.as_str()).collect();
        let line = Line::of("  ").ink(Ink::Name, visible(short(&referred.name))).text("  ");
        let line = line.place(&referred.path, referred.line).text(format!("  {}", by.join(", ")));
        Row::new(vec![line.cut(WIDTH)])
    };
    let rows: Vec<Row> = report.refers_to.iter().map(row).collect();
    let names: Vec<&str> = report.refers_to.iter().map(|referred| short(&referred.name)).collect();
    let line = Line::of("  ").ink(Ink::Name, visible(&names.join(", "))).cut(WIDTH);
    let folded = (!rows.is_empty()).then(|| vec![Row { count: rows.len(), ..Row::new(vec![line]) }]);
    let title = format!("refers to ({})", rows.len());
    Section { least: 1, most: MOST_REFERRED, folded, ..Section::new(title, rows) }
}

type IsInGroup = fn(EntityKind) -> bool;

/// Own members by kind, then inherited ones.
fn members(report: &ShowReport) -> Vec<Section> {
    let is_class = report.target.kind == EntityKind::Class;
    let groups: [(&str, IsInGroup); 4] = [
        (if is_class { "methods" } else { "functions" }, |kind| {
            matches!(kind, EntityKind::Method | EntityKind::Function)
        }),
        ("properties", |kind| kind == EntityKind::Property),
        (if is_class { "nested classes" } else { "classes" }, |kind| kind == EntityKind::Class),
        (if is_class { "attributes" } else { "variables" }, |kind| kind == EntityKind::Variable),
    ];
    let own = groups.into_iter().map(|(title, is_in_group)| {
        let group: Vec<_> = report.members.iter().filter(|member| is_in_group(member.kind)).collect();
        list(title, &group, report)
    });
    let inherited = report.inherited.iter().map(|inherited| {
        let callable: Vec<_> = inherited.members.iter().filter(|member| member.kind.is_callable()).collect();
        list(&format!("inherited from {}", visible(&inherited.from)), &callable, report)
    });
    own.chain(inherited).collect()
}

fn list(title: &str, members: &[&DefinitionLine], report: &ShowReport) -> Section {
    let rows: Vec<Row> =
        members.iter().map(|member| Row::new(vec![Line::of("  ").then(line(member, report))])).collect();
    Section::new(format!("{title} ({})", rows.len()), rows)
}

/// Parent and neighbors, and how often the definition is used.
fn surroundings(report: &ShowReport) -> Section {
    let neighbors = [("parent", &report.parent), ("previous", &report.previous), ("next", &report.next)];
    let named = neighbors.into_iter().filter_map(|(title, neighbor)| Some((title, neighbor.as_ref()?)));
    let mut lines: Vec<Line> =
        named.map(|(title, neighbor)| Line::of(format!("{title:<10}")).then(line(neighbor, report))).collect();
    let row = |title: &str, text: String| Line::of(format!("{title:<10}")).text(text).cut(WIDTH);
    if let Some(metaclass) = &report.metaclass {
        lines.insert(0, row("metaclass", base(metaclass)));
    }
    if !report.bases.is_empty() {
        let bases: Vec<String> = report.bases.iter().map(base).collect();
        lines.insert(0, row("bases", bases.join(", ")));
    }
    for kind in FreeCode::ALL {
        let places = report.free.iter().filter(|shown| shown.leaf.kind == kind.kind() && shown.source.is_none());
        let places: Vec<String> = places.map(|shown| span(shown.leaf.start_line, shown.leaf.end_line)).collect();
        if !places.is_empty() {
            lines.push(Line::of(format!("{:<10}", kind.suffix())).text(places.join(", ")).cut(WIDTH));
        }
    }
    if !report.folder.is_empty() {
        let names = report.folder.iter().map(|path| visible_path(path.rsplit('/').next().unwrap_or(path)));
        let names = names.collect::<Vec<_>>().join(", ");
        lines
            .push(Line::of(format!("{:<10}{}: {names}", "folder", count(report.folder.len(), "more file"))).cut(WIDTH));
    }
    let references = count(report.references, "reference");
    lines.push(Line::of(format!("{:<10}{} (in all {references})", "called", count(report.callers, "time"))));
    Section { least: 1, ..Section::new("", vec![Row::new(lines)]) }
}

/// The short name of a class of the repository, the full one of another. The result of a call says so.
fn base(base: &BaseLine) -> String {
    let name = visible(if base.path.is_some() { short(&base.name) } else { &base.name });
    match &base.call {
        Some(_) if base.is_unresolved => format!("{name} (not resolved)"),
        Some(call) => format!("{name} (a guess: given by {})", visible(call)),
        None => name.into_owned(),
    }
}

/// `async name(self, x)  :1-9`; a place in another file has its path.
fn line(member: &DefinitionLine, report: &ShowReport) -> Line {
    let prefix = if member.is_async { "async " } else { "" };
    let line = Line::of(prefix).ink(Ink::Name, visible(&member.name)).text(signature(&member.signature)).text("  ");
    let path = if member.path == report.target.path { "".into() } else { visible_path(&member.path) };
    let place = format!("{path}{}", span(member.start_line, member.end_line));
    line.place_as(&member.path, member.start_line, place)
}

/// `:3-12`, `:3` for one line.
fn span(start: u32, end: u32) -> String {
    if end > start { format!(":{start}-{end}") } else { format!(":{start}") }
}
