//! Answers to questions as text and as Markdown.

use std::io::{self, Write};

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerTable, List, ListRow, Snippet,
            facts::{groups, place},
        },
        citations::{Citation, CitationVerdict},
        context::Context,
        reading::plan::QuestionPlan,
    },
    query::{impact::completeness::Completeness, words::count},
    render::{
        escape::{fence, visible, visible_path, visible_source},
        impact,
        screen::{Ink, Screen},
        words::signature,
    },
};

/// Widest column that is padded, in characters; a longer cell moves its row out of line.
const MAX_CELL: usize = 44;
/// Files of one mention that a plan lists.
const MAX_PATHS: usize = 5;

/// Writes the whole answer.
pub fn text(out: &mut dyn Write, answer: &Answer, screen: &Screen) -> io::Result<()> {
    writeln!(out, "{}", screen.paint(Ink::Heading, &visible(&answer.headline)))?;
    if !answer.command.is_empty() {
        writeln!(out, "= {}", screen.paint(Ink::Faint, &visible(&answer.command)))?;
    }
    let has_impact = answer.blocks.iter().any(|block| matches!(block, AnswerBlock::Impact(_)));
    if answer.completeness != Completeness::Exact && !has_impact {
        let word = match answer.completeness {
            Completeness::LowerBound => "at least this much (lower bound)",
            _ => "unknown",
        };
        writeln!(out, "  {}", screen.paint(Ink::Warning, word))?;
        for boundary in &answer.boundaries {
            writeln!(out, "    {}", screen.paint(Ink::Faint, &visible(&boundary.message)))?;
        }
    }
    for note in &answer.plan.notes {
        writeln!(out, "  note: {}", visible(note))?;
    }
    for block in &answer.blocks {
        writeln!(out)?;
        match block {
            AnswerBlock::Source(snippet) => source(out, snippet, screen)?,
            AnswerBlock::List(list) => rows(out, list, screen)?,
            AnswerBlock::Table(list) => table(out, list, screen)?,
            AnswerBlock::Impact(report) => {
                let view = impact::text::View::within(report, &|_, _| None);
                impact::text(out, report, &view, screen)?;
            }
        }
    }
    Ok(())
}

/// Writes the answer as Markdown.
pub fn markdown(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    writeln!(out, "**{}**", plain(&answer.headline))?;
    if answer.completeness != Completeness::Exact {
        writeln!(out, "\nCompleteness: {}", answer.completeness.as_str())?;
        for boundary in &answer.boundaries {
            writeln!(out, "- {}", plain(&boundary.message))?;
        }
    }
    for block in &answer.blocks {
        match block {
            AnswerBlock::Source(snippet) => {
                let text = visible_source(snippet.text.as_deref().unwrap_or_default()).into_owned();
                let fence = fence([text.as_str()]);
                let place = place(&visible_path(&snippet.path), snippet.start_line, snippet.end_line);
                let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
                write!(out, "\n`{}` at {place}\n\n{fence}python\n{text}{end}{fence}\n", visible(&snippet.name))?;
            }
            AnswerBlock::Table(list) => {
                writeln!(out, "\n| {} |", list.columns.iter().map(|cell| bars(cell)).collect::<Vec<_>>().join(" | "))?;
                writeln!(out, "|{}", " --- |".repeat(list.columns.len()))?;
                for row in &list.rows {
                    writeln!(out, "| {} |", row.iter().map(|cell| bars(cell)).collect::<Vec<_>>().join(" | "))?;
                }
            }
            AnswerBlock::List(_) | AnswerBlock::Impact(_) => {
                let one = Answer { blocks: vec![block.clone()], ..answer.clone() };
                for group in groups(&one, &|_| false) {
                    writeln!(out, "\n### {}\n", plain(&group.title))?;
                    for line in &group.lines {
                        writeln!(out, "- {}", plain(line))?;
                    }
                    if group.left_out > 0 {
                        writeln!(out, "- … {} more", group.left_out)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Writes the plan of a question.
pub fn plan(out: &mut dyn Write, plan: &QuestionPlan, screen: &Screen) -> io::Result<()> {
    let change = plan.change.map_or_else(String::new, |change| format!(" ({})", change.as_str()));
    let task = plan.task.as_str();
    writeln!(out, "intent      {}{change}, task {task}", screen.paint(Ink::Heading, plan.intent.as_str()))?;
    writeln!(out, "question    {}, {}", plan.complexity, plan.scope)?;
    for subject in &plan.subjects {
        let within = subject.within.as_ref().map_or_else(String::new, |within| format!("  within {}", visible(within)));
        let name = screen.paint(Ink::Name, &visible(&subject.name));
        let place = screen.place(&subject.path, subject.start_line);
        writeln!(out, "subject     {name}  {}  {place}-{}{within}", subject.kind, subject.end_line)?;
    }
    for name in &plan.unknown {
        writeln!(out, "unknown     {}", visible(&name.mention))?;
    }
    for name in &plan.parameters {
        writeln!(out, "parameter   {}", visible(name))?;
    }
    for file in &plan.files {
        let paths: Vec<_> = file.paths.iter().take(MAX_PATHS).map(|path| visible_path(path)).collect();
        let more = match file.paths.len().saturating_sub(MAX_PATHS) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        writeln!(out, "file        {}  {}{more}", visible(&file.mention), paths.join(", "))?;
    }
    for line in &plan.lines {
        let places: Vec<String> = line.places.iter().map(|place| screen.place(&place.path, place.line)).collect();
        writeln!(out, "line        {}  {}", visible(&line.text), places.join(", "))?;
    }
    for note in &plan.notes {
        writeln!(out, "note        {}", visible(note))?;
    }
    Ok(())
}

/// Writes the places that a model sees, before it answers.
pub fn sources(out: &mut dyn Write, context: &Context, screen: &Screen) -> io::Result<()> {
    if context.snippets.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", screen.paint(Ink::Heading, &format!("sources ({})", context.snippets.len())))?;
    let shown = screen.shown(context.snippets.len());
    for snippet in &context.snippets[..shown] {
        let place = screen.place(&snippet.path, snippet.start_line);
        writeln!(out, "  {place}-{}  {}  {}", snippet.end_line, visible(&snippet.name), snippet.form.as_str())?;
    }
    if shown < context.snippets.len() {
        writeln!(out, "  … {} more", context.snippets.len() - shown)?;
    }
    writeln!(out)
}

/// Writes the verdicts on the places and names that a model cited.
pub fn citations(out: &mut dyn Write, citations: &[Citation], screen: &Screen) -> io::Result<()> {
    if citations.is_empty() {
        return Ok(());
    }
    let of = |verdict: CitationVerdict| -> Vec<_> {
        citations
            .iter()
            .filter(|citation| citation.verdict == verdict)
            .map(|citation| visible(&citation.text))
            .collect()
    };
    let (shown, known, missing) =
        (of(CitationVerdict::Shown), of(CitationVerdict::Known), of(CitationVerdict::Missing));
    writeln!(out)?;
    let all = count(citations.len(), "citation");
    let were = if shown.len() == 1 { "was" } else { "were" };
    let heading = format!("checked {all}: {} {were} shown", shown.len());
    writeln!(out, "{}", screen.paint(Ink::Heading, &heading))?;
    if !known.is_empty() {
        writeln!(out, "  exist, but were not shown to the model: {}", known.join(", "))?;
    }
    if !missing.is_empty() {
        writeln!(out, "  {}", screen.paint(Ink::Bad, &format!("do not exist here: {}", missing.join(", "))))?;
    }
    Ok(())
}

fn source(out: &mut dyn Write, snippet: &Snippet, screen: &Screen) -> io::Result<()> {
    let name = screen.paint(Ink::Heading, &visible(&snippet.name));
    writeln!(
        out,
        "{name}  {}  {}-{}",
        snippet.kind,
        screen.place(&snippet.path, snippet.start_line),
        snippet.end_line
    )?;
    match &snippet.text {
        None => writeln!(out, "  the file cannot be read: {}", visible_path(&snippet.path)),
        Some(text) => {
            let end = if text.ends_with('\n') { "" } else { "\n" };
            write!(out, "\n{}{end}", visible_source(text))
        }
    }
}

fn rows(out: &mut dyn Write, list: &List, screen: &Screen) -> io::Result<()> {
    writeln!(out, "{}", screen.paint(Ink::Heading, &visible(&list.title)))?;
    let shown = screen.shown(list.rows.len());
    for row in &list.rows[..shown] {
        writeln!(out, "  {}", line(row, screen))?;
        if !row.text.is_empty() {
            writeln!(out, "      {}", screen.paint(Ink::Faint, &visible(&row.text)))?;
        }
    }
    if shown < list.rows.len() {
        writeln!(out, "  … {} more: --all shows them", list.rows.len() - shown)?;
    }
    Ok(())
}

fn line(row: &ListRow, screen: &Screen) -> String {
    let name = screen.paint(Ink::Name, &visible(&row.name));
    // A class of a library has no place here.
    let place = if row.path.is_empty() { "of a library".to_owned() } else { screen.place(&row.path, row.line) };
    let range = if row.end_line > row.line { format!("-{}", row.end_line) } else { String::new() };
    let note = if row.note.is_empty() { String::new() } else { format!("  {}", visible(&row.note)) };
    format!("{name}{}  {place}{range}{note}", signature(&row.signature))
}

fn table(out: &mut dyn Write, table: &AnswerTable, screen: &Screen) -> io::Result<()> {
    let cells: Vec<Vec<String>> = std::iter::once(&table.columns)
        .chain(&table.rows)
        .map(|row| row.iter().map(|cell| visible(cell).into_owned()).collect())
        .collect();
    let width = |column: usize| {
        let widths = cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        widths.max().unwrap_or(0).min(MAX_CELL)
    };
    for (index, row) in cells.iter().enumerate() {
        let mut written = String::new();
        for (column, cell) in row.iter().enumerate() {
            let is_last = column + 1 == row.len();
            let padding = if is_last { 0 } else { width(column).saturating_sub(cell.chars().count()) + 2 };
            let cell = if index == 0 { screen.paint(Ink::Heading, cell) } else { cell.clone() };
            written.extend([cell, " ".repeat(padding)]);
        }
        writeln!(out, "{}", written.trim_end())?;
    }
    Ok(())
}

/// Text in one line of Markdown that cannot start a tag or a link.
fn plain(text: &str) -> String {
    visible(text).replace('<', "&lt;").replace("](", "]\\(")
}

fn bars(cell: &str) -> String {
    plain(cell).replace('|', "\\|")
}
