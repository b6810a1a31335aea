//! Whether a definition is deprecated: by its decorators, its docstring, the warnings that it gives, and comments.

use crate::{
    ask::{
        answer::{AnswerInputs, definitions::named},
        reading::plan::Understood,
    },
    model::EntityKind,
    query::{
        source::texts::{TextLine, lines_of_texts},
        target::{Target, filter::is_decorated},
    },
    store::read::Entity,
};

/// Blanks by which Python code is indented, as a rule.
const INDENT: usize = 4;
/// Lines behind a variable among which its docstring ends.
const LONGEST_DOCSTRING: u32 = 80;

/// Yes or no to `is X deprecated`; `None` for other questions.
pub(super) fn deprecated(reading: AnswerInputs, understood: &Understood, target: &Target) -> Option<String> {
    let is_asked = matches!(understood.words.first().map(String::as_str), Some("is" | "are"))
        && understood.words.iter().any(|word| word == "deprecated");
    if !is_asked {
        return None;
    }
    let name = named(target.main());
    let place = format!("{} at {}:{}", target.main().record.kind, target.main().path, target.main().record.start_line);
    Some(match deprecation(reading, &name, &target.entities) {
        Deprecation::Said(how) => format!("yes: {how}"),
        Deprecation::InPart(how) => format!("perhaps, {how}"),
        Deprecation::Silent => {
            format!("no: {name} has no decorator, docstring, comment or warning that says it is deprecated ({place})")
        }
    })
}

/// Whether the source of a definition says that it is deprecated, and how.
pub(in crate::ask::answer) enum Deprecation {
    Said(String),
    /// Only a part of it, or under a condition.
    InPart(String),
    Silent,
}

/// Reads the entities of one definition, which a sentence calls `name`.
pub(in crate::ask::answer) fn deprecation(reading: AnswerInputs, name: &str, entities: &[Entity]) -> Deprecation {
    let mut perhaps = None;
    for entity in entities {
        let record = &entity.record;
        if is_decorated(&record.decorators, "deprecated") {
            return Deprecation::Said(format!(
                "{name} is decorated as deprecated ({}:{})",
                entity.path, record.start_line
            ));
        }
        let text = source(reading, entity);
        let texts = lines_of_texts(&text);
        let indent = |line: &str| line.len() - line.trim_start().len();
        let body = text.lines().next().map_or(0, indent) + INDENT;
        // The members of a class have docstrings and warnings of their own, but for those of its constructor.
        let mut is_of_member = false;
        for (at, line) in (1_u32..).zip(text.lines()) {
            let code = line.trim_start();
            let begins = ["def ", "async def ", "class "].iter().any(|head| code.starts_with(head));
            if at > 1 && record.kind == EntityKind::Class && begins && indent(line) == body {
                is_of_member = !code.starts_with("def __init__(");
            }
            if is_of_member {
                continue;
            }
            let said = code.trim_end();
            let place = format!("{}:{}", entity.path, record.line + at - 1);
            let is_document = texts.get(&at) == Some(&TextLine::Document);
            let is_directive = code.starts_with(".. deprecated::");
            let is_quoted = ["\"DeprecationWarning", "`DeprecationWarning"].iter().any(|quoted| line.contains(quoted));
            let is_text = is_quoted || texts.contains_key(&at);
            let is_warning = line.contains("DeprecationWarning") && !is_text && !code.starts_with("except");
            // Deeper down it may hold for one parameter, or under a condition.
            let begin = if is_warning { call_indent(&text, at as usize - 1) } else { indent(line) };
            if begin <= body && (is_directive || is_warning && record.kind != EntityKind::Class) {
                return Deprecation::Said(format!("{name} is deprecated: `{said}` ({place})"));
            }
            if is_document && begin <= body && is_said(code) {
                return Deprecation::Said(format!("the docstring of {name} says `{said}` ({place})"));
            }
            let speaks = is_directive || is_warning || is_document && speaks_of_it(code) || is_remark(code);
            if speaks && perhaps.is_none() {
                let part = if is_warning { "under a condition" } else { "or a part of it" };
                perhaps = Some(format!("{part}: {name} speaks of it at {place}: `{said}`"));
            }
        }
    }
    perhaps.map_or(Deprecation::Silent, Deprecation::InPart)
}

/// The source of a definition; of a variable with the docstring behind it.
fn source(reading: AnswerInputs, entity: &Entity) -> String {
    let record = &entity.record;
    let lines = |end: u32| reading.sources.lines(&entity.path, record.line, end).unwrap_or_default();
    if record.kind != EntityKind::Variable {
        return lines(record.end_line);
    }
    let text = lines(record.end_line + LONGEST_DOCSTRING);
    let own = record.end_line - record.line + 1;
    let texts = lines_of_texts(&text);
    let behind =
        (own + 1..=own + LONGEST_DOCSTRING).take_while(|line| texts.get(line) == Some(&TextLine::Document)).count();
    lines(record.end_line + u32::try_from(behind).unwrap_or_default())
}

/// Whether a line of a docstring says that its subject is deprecated: `Deprecated: use X`, `This method is deprecated`.
fn is_said(line: &str) -> bool {
    const SUBJECTS: &str = "this it";
    let lower = line.trim_start_matches(['"', '\'', 'r', '*', '[', '(']).to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or_default();
    lower.starts_with("deprecated")
        || SUBJECTS.split(' ').any(|subject| subject == first) && lower.contains("deprecated")
}

fn speaks_of_it(line: &str) -> bool {
    line.to_lowercase().contains("deprecated")
}

/// Whether a line has a comment that speaks of it.
fn is_remark(line: &str) -> bool {
    line.split_once('#').is_some_and(|(_, remark)| speaks_of_it(remark))
}

/// The blanks before the call that gives the warning at this line, whose arguments stand deeper.
fn call_indent(text: &str, at: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().take(at + 1).collect();
    let own = lines.last().map_or(0, |line| indent(line));
    if lines.last().is_some_and(|line| line.contains("warn(")) {
        return own;
    }
    lines.iter().rev().map(|line| indent(line)).find(|around| *around < own).unwrap_or(own)
}
