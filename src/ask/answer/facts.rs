//! An answer as lines for a language model: titled groups, each line with the place that it rests on.
//!
//! Source is not among them, since `context` chooses it; only documents are. Nothing is escaped or cut here.

use serde::{Serialize, Serializer};

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, AnswerTable, List, ListRow, survey::FILE},
        reading::plan::Subject,
    },
    model::{EntityId, EntityKind},
    query::{
        impact::{CallSite, ImpactReport, Impacted},
        navigate::sections::section_text,
    },
};

/// Lines of one distance that are listed; no budget holds more.
const MAX_LINES: usize = 2_000;

/// Lines under a title.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FactGroup {
    pub title: String,
    pub lines: Vec<FactLine>,
    /// Lines that did not fit.
    pub left_out: usize,
    /// The lines are the answer itself, such as the calls that a change breaks: they go before those of other groups.
    #[serde(skip)]
    pub comes_first: bool,
    /// The lines are the members of this definition.
    #[serde(skip)]
    pub members_of: Option<EntityId>,
}

/// A line of facts, which templates read as its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactLine {
    pub text: String,
    /// The files that it names.
    pub files: Vec<String>,
}

impl FactLine {
    fn of(text: String, files: &[&str]) -> Self {
        let files = files.iter().filter(|file| !file.is_empty()).map(|file| (*file).to_owned());
        Self { text, files: files.collect() }
    }
}

impl Serialize for FactLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl FactGroup {
    /// A group with all its lines.
    pub fn new(title: &str, lines: Vec<FactLine>) -> Self {
        Self { title: title.to_owned(), lines, ..Self::default() }
    }
}

/// Everything that an answer says, in its order, except about files that `is_withheld` names.
pub fn groups(answer: &Answer, is_withheld: &dyn Fn(&str) -> bool) -> Vec<FactGroup> {
    let mut groups = Vec::new();
    let impact = answer.blocks.iter().position(|block| matches!(block, AnswerBlock::Impact(_)));
    for (at, block) in answer.blocks.iter().enumerate() {
        match block {
            AnswerBlock::Source(_) => {}
            // Before an impact stand the places that the change makes wrong.
            AnswerBlock::List(list) => {
                let comes_first = impact.is_some_and(|impact| at < impact);
                groups.push(FactGroup { comes_first, ..of_list(list, is_withheld) });
            }
            // The columns of a table are the subjects, so one withheld subject withholds the table.
            AnswerBlock::Table(_) if answer.plan.subjects.iter().any(|subject| is_withheld(&subject.path)) => {}
            AnswerBlock::Table(table) => groups.push(of_table(table, &answer.plan.subjects)),
            AnswerBlock::Impact(report) => groups.extend(of_impact(report, is_withheld)),
        }
    }
    groups.retain(|group| !group.lines.is_empty());
    groups
}

/// Sections of documents whose text a prompt has.
const MAX_TEXTS: usize = 4;
/// Characters of a line of such a text.
const LONGEST_LINE: usize = 400;

/// The text of the first sections of documents in an answer: their titles alone answer nothing.
pub fn section_texts(reading: AnswerInputs, answer: &Answer, is_withheld: &dyn Fn(&str) -> bool) -> Vec<FactGroup> {
    let mut found: Vec<(&str, &str, u32, u32)> = Vec::new();
    for block in &answer.blocks {
        match block {
            AnswerBlock::Source(shown) if shown.kind == EntityKind::Document => {
                found.push((&shown.name, &shown.path, shown.start_line, shown.end_line));
            }
            AnswerBlock::List(list) => {
                // A row of one line has that line.
                let sections = list.rows.iter().filter(|row| row.kind == "section" && row.end_line > 0);
                found.extend(sections.map(|row| (row.name.as_str(), row.path.as_str(), row.line, row.end_line)));
            }
            _ => {}
        }
    }
    found.retain(|(_, path, ..)| !is_withheld(path));
    let group = |(name, path, start, end): (&str, &str, u32, u32)| {
        let text = section_text(reading.sources, path, name, (start, end))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines = lines.map(|line| FactLine::of(line.chars().take(LONGEST_LINE).collect(), &[path])).collect();
        let title = format!("text of the section `{name}` at {}", place(path, start, end));
        Some(FactGroup { comes_first: true, ..FactGroup::new(&title, lines) })
    };
    found.into_iter().take(MAX_TEXTS).filter_map(group).collect()
}

/// `path:1-9`, or `path:1` for one line.
pub fn place(path: &str, line: u32, end_line: u32) -> String {
    if path.is_empty() {
        return "a library".to_owned();
    }
    format!("{path}:{}", lines(line, end_line))
}

fn lines(first: u32, last: u32) -> String {
    if last > first { format!("{first}-{last}") } else { first.to_string() }
}

fn of_list(list: &List, is_withheld: &dyn Fn(&str) -> bool) -> FactGroup {
    let shown = list.rows.iter().filter(|row| !is_withheld(&row.path) && !is_withheld(&row.text_path));
    let lines = match &list.outline_of {
        Some(module) => shown.map(|row| of_outline(row, module)).collect(),
        None => shown.map(of_row).collect(),
    };
    FactGroup { members_of: list.members_of, ..FactGroup::new(&list.title, lines) }
}

/// A row under the path of its file, named below the module.
fn of_outline(row: &ListRow, module: &str) -> FactLine {
    let ListRow { name, signature, kind, line, end_line, note, .. } = row;
    let (name, line) = (below_module(name, module), lines(*line, *end_line));
    let end = if note.is_empty() { String::new() } else { format!(": {note}") };
    let text = if *kind == FILE { note.clone() } else { format!("{name}{signature} ({kind}) {line}{end}") };
    FactLine::of(text, &[&row.path])
}

/// The name of a definition without its module, as it is or behind `async`.
fn below_module(name: &str, module: &str) -> String {
    let (head, name) = name.strip_prefix("async ").map_or(("", name), |rest| ("async ", rest));
    let below = name.strip_prefix(module).and_then(|rest| rest.strip_prefix('.')).unwrap_or(name);
    format!("{head}{below}")
}

fn of_row(row: &ListRow) -> FactLine {
    let mut line =
        format!("{}{} ({}) at {}", row.name, row.signature, row.kind, place(&row.path, row.line, row.end_line));
    for part in [&row.note, &row.text] {
        if !part.is_empty() {
            line.push_str(": ");
            line.push_str(part);
        }
    }
    FactLine::of(line, &[&row.path, &row.text_path])
}

fn of_table(table: &AnswerTable, subjects: &[Subject]) -> FactGroup {
    let row = |cells: &Vec<String>| {
        let pairs = cells.iter().zip(&table.columns).skip(1).map(|(cell, column)| format!("{column}: {cell}"));
        format!("{}: {}", cells.first().map_or("", String::as_str), pairs.collect::<Vec<_>>().join("; "))
    };
    // The columns are the subjects.
    let files: Vec<&str> = subjects.iter().map(|subject| subject.path.as_str()).collect();
    FactGroup::new(&table.title, table.rows.iter().map(|cells| FactLine::of(row(cells), &files)).collect())
}

fn of_impact(report: &ImpactReport, is_withheld: &dyn Fn(&str) -> bool) -> Vec<FactGroup> {
    let mut groups = Vec::new();
    if let Some(param) = &report.param {
        let sites = report.call_sites.iter().filter(|site| !is_withheld(&site.path));
        let lines = sites.map(of_site).collect();
        let title = format!("calls and what they pass for `{param}`");
        groups.push(FactGroup { comes_first: true, ..FactGroup::new(&title, lines) });
    }
    let depths = report.impacted.iter().map(|impacted| impacted.distance).max().unwrap_or(0);
    for depth in 1..=depths {
        let is_shown = |impacted: &&Impacted| {
            !is_withheld(&impacted.path) && !impacted.via.iter().any(|via| is_withheld(&via.path))
        };
        let at_depth = report.impacted.iter().filter(|impacted| impacted.distance == depth).filter(is_shown);
        let title = if depth == 1 { "directly affected".to_owned() } else { format!("affected over {depth} steps") };
        let mut group = FactGroup::new(&title, at_depth.clone().take(MAX_LINES).map(of_impacted).collect());
        group.left_out = at_depth.count().saturating_sub(MAX_LINES);
        group.comes_first = depth == 1;
        groups.push(group);
    }
    // They come before the entities that are further away, since they are what to do next.
    let title = format!("tests to run ({})", report.tests.len());
    let tests = report.tests.iter().filter(|id| !is_withheld(id.split("::").next().unwrap_or(id)));
    let further = usize::from(report.param.is_some()) + 1;
    groups.insert(further.min(groups.len()), FactGroup::new(&title, tests.map(|id| of_test(id)).collect()));
    groups
}

/// A test by its id, which begins with its file.
fn of_test(id: &str) -> FactLine {
    FactLine::of(id.to_owned(), &[id.split("::").next().unwrap_or(id)])
}

fn of_impacted(impacted: &Impacted) -> FactLine {
    let test = if impacted.is_test { ", test" } else { "" };
    let percent = impacted.probability * 100.0;
    let mut line = format!("{} ({}{test}), {percent:.0}%, {}", impacted.name, impacted.kind, impacted.effect);
    let mut files = vec![impacted.path.as_str()];
    for via in &impacted.via {
        line.push_str(&format!("; {} {} at {}:{}", via.kind, via.name, via.path, via.line));
        files.push(&via.path);
    }
    FactLine::of(line, &files)
}

fn of_site(site: &CallSite) -> FactLine {
    FactLine::of(format!("{} at {}:{}: {}", site.name, site.path, site.line, site.passing()), &[&site.path])
}
