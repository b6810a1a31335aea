//! Answers to questions as text and as Markdown.

use std::io::{self, Write};

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerTable, List, ListRow, Snippet,
            facts::{groups, place},
            survey::MODULES,
        },
        citations::{Citation, CitationVerdict},
        context::Context,
        reading::{forms::QuestionIntent, plan::QuestionPlan},
    },
    query::{impact::completeness::Completeness, words::count},
    render::{
        escape::{fence, visible, visible_path, visible_source},
        impact,
        screen::{Ink, Screen},
        sheet::{
            Budget, Limit, Row, SOURCE_WIDTH, Section, Sheet, USUAL_LINES, WHOLE_SOURCE, WIDTH,
            line::{Line, cut, wrapped},
        },
        words::{argument, signature},
    },
};

/// Lines of an answer that is a list.
const LONGEST: usize = 56;
/// Lines of the headline, and notes below it.
const MAX_HEAD: usize = 4;
const MAX_NOTES: usize = 3;
/// Rows of the first list and lines of source that stand above all other sections.
const LEAST_FIRST: usize = 10;
const LEAST_WRONG: usize = 24;
const LEAST_SOURCE: usize = 6;
/// Lists of an answer that is cut.
const MAX_SECTIONS: usize = 9;
/// Characters of a note or a signature that are shown in any case.
const LEAST_NOTE: usize = 12;
/// Longest question, in characters, that is repeated with the option for all of its answer.
const MAX_QUESTION: usize = 200;
/// Widest cell of a table, in characters.
const MAX_CELL: usize = 60;
/// Files of one mention that a plan lists.
const MAX_PATHS: usize = 5;

/// Writes as much of the answer as the screen holds: the answer, how the question was read, the places, other readings.
pub fn text(out: &mut dyn Write, answer: &Answer, screen: &Screen) -> io::Result<()> {
    let budget = match screen.budget {
        // A list is the answer itself, and so is a source; other sources and reports may be cut.
        Budget::Lines(USUAL_LINES) if is_list(answer.plan.intent) => Budget::Lines(LONGEST),
        budget if answer.plan.intent == QuestionIntent::Show => budget.with_source(source_lines(answer)),
        budget => budget,
    };
    sheet(answer, screen).write(out, &Screen { budget, ..screen.clone() })
}

/// The lines of all sources that an answer shows.
fn source_lines(answer: &Answer) -> usize {
    let lines = answer.blocks.iter().map(|block| match block {
        AnswerBlock::Source(snippet) => snippet.text.as_deref().map_or(1, |text| text.lines().count()),
        _ => 0,
    });
    lines.sum()
}

/// The whole answer before it is cut.
fn sheet(answer: &Answer, screen: &Screen) -> Sheet {
    let mut head = headline(&answer.headline);
    if !answer.command.is_empty() {
        // A command is there to be pasted: half of one is of no use.
        head.push(Line::of("= ").ink(Ink::Faint, visible(&answer.command)));
    }
    let notes = &answer.plan.notes;
    let shown = if screen.budget == Budget::All { notes.len() } else { MAX_NOTES };
    head.extend(notes.iter().take(shown).map(|note| Line::of(format!("  note: {}", visible(note))).cut(WIDTH)));
    let mut sheet = Sheet { head, ..Sheet::default() };
    let has_impact = answer.blocks.iter().any(|block| matches!(block, AnswerBlock::Impact(_)));
    for (at, block) in answer.blocks.iter().enumerate() {
        match block {
            AnswerBlock::Source(snippet) => {
                let section = source(snippet, screen);
                let is_whole = answer.plan.intent == QuestionIntent::Show && section.rows.len() <= WHOLE_SOURCE;
                let least = if is_whole { section.rows.len() } else { LEAST_SOURCE };
                sheet.sections.push(Section { least, ..section });
            }
            // The second half of a question stands under the first, however long that is.
            AnswerBlock::List(list) => {
                let is_second = answer.parts > 0 && at == answer.parts;
                let least = match at {
                    // The places that a change makes wrong are the answer; what they reach comes after.
                    0 if has_impact => LEAST_WRONG,
                    _ if at == 0 || is_second => LEAST_FIRST,
                    _ => 2,
                };
                sheet.sections.push(Section { least, ..rows(list) });
            }
            AnswerBlock::Table(list) => sheet.sections.push(table(list)),
            AnswerBlock::Impact(report) => {
                let view = impact::text::View::within(report, &|_, _| None);
                let shown = impact::text::sheet(report, &view, screen);
                // The calls that pass a parameter are its direct dependents.
                let is_said = |section: &Section| {
                    report.param.is_some() && !report.call_sites.is_empty() && section.title.starts_with("direct ")
                };
                sheet.sections.extend(shown.sections.into_iter().filter(|section| !is_said(section)));
                sheet.limits.extend(shown.limits);
                sheet.is_short |= shown.is_short;
            }
        }
    }
    // The modules of a repository say more than the beginning of its outline.
    let has_modules = sheet.sections.first().is_some_and(|section| section.title.starts_with(MODULES));
    let most = if has_modules { 1 } else { MAX_SECTIONS };
    if screen.budget != Budget::All && sheet.sections.len() > most {
        let more = sheet.sections.len() - most;
        sheet.sections.truncate(most);
        sheet.is_short = true;
        sheet.tail.push(Line::default());
        sheet.tail.push(Line::default().ink(Ink::Faint, format!("… {} more", count(more, "list"))));
    }
    if answer.completeness != Completeness::Exact && !has_impact {
        let limits = answer.boundaries.iter().map(|boundary| visible(&boundary.message).into_owned());
        sheet
            .limits
            .extend(limits.map(|text| Limit { line: Line::default().ink(Ink::Faint, text), details: Vec::new() }));
    }
    for other in &answer.others {
        if sheet.tail.is_empty() {
            sheet.tail.push(Line::default());
        }
        let line = Line::of("or: ").text(visible(&other.command)).ink(Ink::Faint, format!("  {}", other.gloss));
        sheet.tail.push(line);
    }
    let command = visible(&answer.command);
    // One command that takes `--all`, whole enough to be copied.
    let is_usable = command.starts_with("repoidx")
        && !command.starts_with("repoidx map")
        && !command.contains("; ")
        && command.chars().count() <= WIDTH;
    let question = &answer.plan.question;
    sheet.closing.command = if is_usable {
        command.into_owned()
    } else if question.chars().count() <= MAX_QUESTION && !question.contains(char::is_control) {
        format!("repoidx ask {}", argument(question))
    } else {
        "this question with".to_owned()
    };
    sheet
}

/// Whether the rows of an answer are the answer: none of them should be hidden without need.
fn is_list(intent: QuestionIntent) -> bool {
    use QuestionIntent as I;
    matches!(
        intent,
        I::Members
            | I::Hierarchy
            | I::Usage
            | I::Coverage
            | I::Select
            | I::Todos
            | I::Handled
            | I::Raised
            | I::Packages
            | I::Cycles
    )
}

/// The headline, in as few lines as hold it.
fn headline(text: &str) -> Vec<Line> {
    let words = text.split(' ').map(|word| Line::default().ink(Ink::Heading, visible(word)).cut(WIDTH));
    let mut lines = wrapped(words.collect(), " ", "", WIDTH);
    if lines.len() > MAX_HEAD {
        lines.truncate(MAX_HEAD);
        let last = lines.pop().unwrap_or_default();
        lines.push(last.text(" …"));
    }
    lines
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
                        writeln!(out, "- {}", plain(&line.text))?;
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
    writeln!(out, "question    {}, {}", plan.coherence(), plan.scope)?;
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
        let more = more(file.paths.len());
        writeln!(out, "file        {}  {}{more}", visible(&file.mention), paths.join(", "))?;
    }
    for line in &plan.lines {
        let places = line.places.iter().take(MAX_PATHS).map(|place| screen.place(&place.path, place.line));
        let places: Vec<String> = places.collect();
        let more = more(line.places.len());
        writeln!(out, "line        {}  {}{more}", visible(&line.text), places.join(", "))?;
    }
    for note in &plan.notes {
        writeln!(out, "note        {}", visible(note))?;
    }
    Ok(())
}

/// How many paths or places of `all` a line of the plan leaves out.
fn more(all: usize) -> String {
    match all.saturating_sub(MAX_PATHS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
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
    let heading = format!("{all} checked: {} stood in the text that the model got", shown.len());
    writeln!(out, "{}", screen.paint(Ink::Heading, &heading))?;
    if !known.is_empty() {
        writeln!(out, "  exist, but did not stand in it: {}", known.join(", "))?;
    }
    if !missing.is_empty() {
        writeln!(out, "  {}", screen.paint(Ink::Bad, &format!("do not exist here: {}", missing.join(", "))))?;
    }
    Ok(())
}

fn source(snippet: &Snippet, screen: &Screen) -> Section {
    let place = screen.place(&snippet.path, snippet.start_line);
    let title = format!("{}  {}  {place}-{}", visible(&snippet.name), snippet.kind, snippet.end_line);
    let rows = match &snippet.text {
        None => vec![Row::new(vec![Line::of(format!("  the file cannot be read: {}", visible_path(&snippet.path)))])],
        Some(text) => {
            // The first line follows an empty one, so that code stands apart from words.
            let line = |text: &str| Row::new(vec![Line::of(visible_source(text).into_owned())]);
            text.lines().map(line).collect()
        }
    };
    Section { noun: "more line", ..Section::new(title, rows) }
}

fn rows(list: &List) -> Section {
    let title = cut(&visible(&list.title), WIDTH);
    let full = list.rows.iter().map(|row| {
        let mut lines = vec![line(row)];
        if !row.note.is_empty() && room_for_note(row) == 0 {
            lines.push(Line::of("      ").text(cut(&visible(&row.note), SOURCE_WIDTH)));
        }
        if !row.text.is_empty() {
            lines.push(Line::of("      ").ink(Ink::Faint, cut(&visible(&row.text), SOURCE_WIDTH)));
        }
        Row::new(lines).in_group(&row.path)
    });
    let has_text = list.rows.iter().any(|row| !row.text.is_empty());
    let folded = has_text.then(|| list.rows.iter().map(|row| Row::new(vec![line(row)]).in_group(&row.path)).collect());
    Section { folded, ..Section::new(title, full.collect()) }
}

/// A row in one line; what is too wide is cut, but its place never is.
fn line(row: &ListRow) -> Line {
    let (head, room) = head(row);
    let has_note = !row.note.is_empty() && room_for_note(row) > 0;
    head.text(if has_note { cut(&format!("  {}", visible(&row.note)), room) } else { String::new() })
}

/// The name, the parameters and the place of a row, and the columns that they leave.
fn head(row: &ListRow) -> (Line, usize) {
    let name = visible(&row.name);
    let range = if row.end_line > row.line { format!("-{}", row.end_line) } else { String::new() };
    // A class of a library has no place here.
    let place = match row.path.as_str() {
        "" => Line::of("of a library"),
        path => Line::default().place(path, row.line).text(range),
    };
    let room = WIDTH.saturating_sub(name.chars().count() + place.width() + 4);
    // Parameters say more than a remark does.
    let signature = cut(&signature(&row.signature), room.max(LEAST_NOTE));
    let room = room.saturating_sub(signature.chars().count());
    (Line::of("  ").ink(Ink::Name, name).text(format!("{signature}  ")).then(place), room)
}

/// The columns for the remark behind a row; 0 where not even half of it fits.
fn room_for_note(row: &ListRow) -> usize {
    let (_, room) = head(row);
    let has_half = row.note.chars().count() <= 2 * room;
    if room < LEAST_NOTE || !has_half { 0 } else { room }
}

fn table(table: &AnswerTable) -> Section {
    let cells: Vec<Vec<String>> = std::iter::once(&table.columns)
        .chain(&table.rows)
        .map(|row| row.iter().map(|cell| cut(&visible(cell), MAX_CELL)).collect())
        .collect();
    let width = |column: usize| {
        let widths = cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        widths.max().unwrap_or(0)
    };
    let rows = cells.iter().enumerate().map(|(index, row)| {
        let mut written = Line::default();
        for (column, cell) in row.iter().enumerate() {
            let is_last = column + 1 == row.len();
            let padding = if is_last { 0 } else { width(column).saturating_sub(cell.chars().count()) + 2 };
            let cell = format!("{cell}{}", " ".repeat(padding));
            written = if index == 0 { written.ink(Ink::Heading, cell) } else { written.text(cell) };
        }
        Row::new(vec![written])
    });
    Section { least: LEAST_FIRST, ..Section::new("", rows.collect()) }
}

/// Text in one line of Markdown that cannot start a tag or a link.
fn plain(text: &str) -> String {
    visible(text).replace('<', "&lt;").replace("](", "]\\(")
}

fn bars(cell: &str) -> String {
    plain(cell).replace('|', "\\|")
}
