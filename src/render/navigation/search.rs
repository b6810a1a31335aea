//! Hits of a search as text.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
    model::EntityKind,
    query::{
        search::{Explanation, FileHit, FilesReport, Hit, LineRange, MergedHits, SearchReport},
        target::filter::{FilterReport, FittingDefinition},
        words::count,
    },
    render::{
        escape::{visible, visible_path},
        screen::{Ink, Screen},
        sheet::{Closing, Row, Section, Sheet, WIDTH, line::Line},
    },
};

/// An answer of a batch.
#[derive(Debug, Serialize)]
pub struct BatchLine<'a> {
    pub id: &'a serde_json::Value,
    pub hits: &'a [Hit],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub missing: &'a [String],
}

/// An answer of a batch about files.
#[derive(Debug, Serialize)]
pub struct FilesLine<'a> {
    pub id: &'a serde_json::Value,
    pub files: &'a [FileHit],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub missing: &'a [String],
}

/// Characters of a docstring that are shown.
const MAX_DOC: usize = 116;
/// Features of an explained hit that are shown, the largest first.
const SHOWN: usize = 5;

/// Writes as much of the report as the budget of the screen holds.
pub(crate) fn text(out: &mut dyn Write, report: &SearchReport, closing: Closing, screen: &Screen) -> io::Result<()> {
    let mut section = Section::new("", report.hits.iter().map(row).collect());
    section.noun = "more hit";
    let mut sheet = Sheet { closing, ..Sheet::default() };
    if report.hits.is_empty() {
        sheet.head.push(Line::of("nothing here fits the question"));
    }
    // The hits are the answer: they begin in the first line.
    sheet.sections.push(section);
    let mut last = Vec::new();
    if report.more > 0 {
        last.push(Line::of(format!("and {} more; --limit shows them", report.more)));
    }
    last.extend(report.missing.iter().map(|missing| Line::of(format!("note: {}", visible(missing)))));
    sheet.tail = last;
    sheet.write(out, screen)
}

/// Writes as many files as the budget of the screen holds: each with its reasons and its best definitions.
pub(crate) fn files_text(
    out: &mut dyn Write,
    report: &FilesReport,
    closing: Closing,
    screen: &Screen,
) -> io::Result<()> {
    let mut section = Section::new("", report.files.iter().map(file_row).collect());
    section.noun = "more file";
    let mut sheet = Sheet { closing, ..Sheet::default() };
    if report.files.is_empty() {
        sheet.head.push(Line::of("no file here fits the text"));
    }
    sheet.sections.push(section);
    sheet.tail = report.missing.iter().map(|missing| Line::of(format!("note: {}", visible(missing)))).collect();
    sheet.write(out, screen)
}

fn file_row(file: &FileHit) -> Row {
    let path = visible(&file.path).into_owned();
    let path = match &file.repository {
        Some(repository) => Line::of(format!("{}: ", visible(repository))).ink(Ink::Heading, path),
        None => Line::default().ink(Ink::Heading, path),
    };
    let mut lines = vec![path];
    if !file.evidence.is_empty() {
        lines.push(Line::of("    ").text(file.evidence.join("; ")).cut(WIDTH));
    }
    for definition in &file.definitions {
        let line = Line::of("    ").ink(Ink::Name, visible(&definition.name)).text(format!("  {}  ", definition.kind));
        let range = format!("lines {}-{}", definition.start_line, definition.end_line);
        lines.push(line.text(range).cut(WIDTH));
    }
    if let Some(features) = &file.features {
        let mut shown: Vec<(&&str, &f64)> = features.iter().filter(|(_, value)| **value != 0.0).collect();
        shown.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        let shown: Vec<String> = shown.iter().map(|(name, value)| format!("{name} {value:.2}")).collect();
        lines.push(Line::of(format!("    score {:.2}: {}", file.score, shown.join(", "))));
    }
    Row::new(lines).in_group(&file.path)
}

/// A definition of several kinds that can be called.
const EITHER: &str = "function or method";

/// Definitions that filters alone choose: their number, then a row each.
pub(crate) fn definitions(
    out: &mut dyn Write,
    report: &FilterReport,
    closing: Closing,
    screen: &Screen,
) -> io::Result<()> {
    let noun = match report.kinds.as_slice() {
        [EntityKind::Document] => "section",
        [kind] => kind.as_str(),
        kinds if !kinds.is_empty() && kinds.iter().all(|kind| kind.is_callable()) => EITHER,
        _ => "definition",
    };
    let conditions = if report.conditions.is_empty() { String::new() } else { format!(": {}", report.conditions) };
    let number = match report.definitions.len() {
        0 => format!("no {noun} fits"),
        number if noun == EITHER && number > 1 => format!("{number} functions and methods"),
        number => count(number, noun),
    };
    let head =
        vec![Line::default().ink(Ink::Heading, visible(&format!("{number}{conditions}")).into_owned()).cut(WIDTH)];
    let rows = report.definitions.iter().map(fitting).collect();
    Sheet { head, sections: vec![Section::new("", rows)], closing, ..Sheet::default() }.write(out, screen)
}

fn fitting(definition: &FittingDefinition) -> Row {
    let mut figures = vec![count(definition.lines as usize, "line")];
    figures.extend(definition.references.map(|number| count(number, "reference")));
    figures.extend(definition.branches.map(|number| count(number, "branch")));
    figures.extend(definition.members.map(|number| count(number, "member")));
    figures.extend(definition.parameters.map(|number| count(number, "parameter")));
    figures.extend(definition.subclasses.map(|number| count(number, "direct subclass")));
    let line = Line::of("  ").ink(Ink::Name, visible(&definition.name)).text(format!("  {}  ", definition.kind));
    let line = line.place(&definition.path, definition.start_line).text(format!("  {}", figures.join(", ")));
    Row::new(vec![line.cut(WIDTH)]).in_group(&definition.path)
}

fn row(hit: &Hit) -> Row {
    let above = if hit.above.is_empty() { String::new() } else { format!("{} / ", visible(&hit.above)) };
    let line = Line::of(above).ink(Ink::Heading, visible(&hit.name)).text(format!("  {}  ", hit.kind));
    let line = match &hit.repository {
        // Links are built for one root, which another repository does not have.
        Some(repository) => line.text(format!("{}: {}:{}", visible(repository), visible(&hit.path), hit.start_line)),
        None => line.place(&hit.path, hit.start_line),
    };
    let mut lines = vec![line.text(format!("-{}", hit.end_line))];
    if !hit.doc.is_empty() {
        lines.push(Line::of("    ").text(shortened(&visible(&hit.doc))));
    }
    if let Some(LineRange { start_line, end_line }) = hit.nearest {
        lines.push(Line::of(format!("    nearest: lines {start_line}-{end_line}")));
    }
    if !hit.copies.is_empty() {
        let places = hit.copies.iter().map(|copy| format!("{}:{}", visible_path(&copy.path), copy.start_line));
        let places = places.collect::<Vec<_>>().join(", ");
        lines
            .push(Line::of(format!("    the same text {}: {places}", count(hit.copies.len(), "more time"))).cut(WIDTH));
    }
    if let Some(MergedHits { hits, of }) = hit.merged {
        let merged = match of {
            Some(all) => format!("    merged {hits} of {}", count(all, "member")),
            None => format!("    merged {}", count(hits, "hit")),
        };
        lines.push(Line::of(merged));
    }
    if !hit.links.is_empty() {
        lines.push(Line::of("    names ").text(visible(&hit.links.join(", "))).cut(WIDTH));
    }
    if let Some(explanation) = &hit.explain {
        lines.push(Line::of(format!("    score {:.2}: {}", hit.score, explained(explanation))));
    }
    Row::new(lines).in_group(&hit.path)
}

/// As many first sentences as are short together; of a long first sentence its beginning.
fn shortened(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_DOC) else { return text.to_owned() };
    match (text[..end].rfind(". "), text[..end].rfind(' ')) {
        (Some(sentence), _) if sentence > MAX_DOC / 4 => text[..=sentence].to_owned(),
        (_, Some(word)) => format!("{}…", &text[..word]),
        _ => format!("{}…", &text[..end]),
    }
}

fn explained(explanation: &Explanation) -> String {
    let rank = |list: &str, rank: Option<usize>| match rank {
        Some(rank) => format!("{list} {rank}"),
        None => format!("{list} -"),
    };
    let meaning = match explanation.docstring_rank {
        Some(_) => rank("docstrings", explanation.docstring_rank),
        None => rank("meaning", explanation.vector_rank),
    };
    let mut parts = vec![rank("words", explanation.lexical_rank), meaning];
    if explanation.named {
        parts.insert(0, "named".to_owned());
    }
    let mut added: Vec<(&&str, &f64)> = explanation.parts.iter().filter(|(_, part)| **part != 0.0).collect();
    added.sort_by(|(a, x), (b, y)| y.abs().total_cmp(&x.abs()).then(a.cmp(b)));
    parts.extend(added.iter().take(SHOWN).map(|(name, part)| format!("{name} {part:+.2}")));
    parts.join(", ")
}
