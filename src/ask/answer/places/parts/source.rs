//! The source of a definition in logical lines, in which its parts are looked up.

use std::rc::Rc;

use crate::{
    ask::{
        answer::{AnswerInputs, first_in_words, short_name},
        reading::words::{
            numbered::nth,
            parts::{AskedPart, CodePart, PartChoice},
        },
    },
    model::{EntityKind, brackets::outside_strings, conventions::is_name_part},
    query::source::logical_lines::{LogicalLine, logical_lines},
    store::{error::StoreError, read::Entity},
};

/// Places that a headline lists.
const MAX_NAMED: usize = 4;
/// Characters of a statement in a headline.
const MAX_TEXT: usize = 70;

/// A part as the source has it.
pub(super) struct PartPlace {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) text: String,
}

/// A part that was looked up, with all that is known of it: its places and the effect of its change.
pub(super) struct FoundPart {
    pub(super) places: Vec<PartPlace>,
    /// The sentence on the definition and its part.
    pub(super) has: String,
    /// The effect of the change.
    pub(super) effect: Option<String>,
    /// Nothing that runs changes.
    pub(super) is_idle: bool,
}

/// The noun of a part, in one number.
pub(super) fn label(asked: &AskedPart, number: usize) -> String {
    let noun = match asked.part {
        CodePart::Statement(keywords) => {
            let keywords: Vec<String> = keywords.iter().map(|keyword| format!("`{keyword}`")).collect();
            let kind = match keywords[0].as_str() {
                "`elif`" | "`else`" | "`except`" | "`finally`" => "clause",
                "`await`" | "`lambda`" => "expression",
                _ => "statement",
            };
            format!("{} {kind}", keywords.join(" or "))
        }
        CodePart::Check => "condition".to_owned(),
        CodePart::Assignment => "assignment".to_owned(),
        CodePart::ReturnValue => {
            let statement = if number == 1 { "statement" } else { "statements" };
            return format!("`return` {statement} with a value");
        }
        CodePart::Body => "body".to_owned(),
        CodePart::Other => asked.noun.clone(),
        CodePart::Call => "call".to_owned(),
        CodePart::Comment => "comment".to_owned(),
        CodePart::Docstring => "docstring".to_owned(),
        CodePart::ResultAnnotation => "return annotation".to_owned(),
        CodePart::Annotations => "annotation".to_owned(),
        CodePart::Decorator => "decorator".to_owned(),
        CodePart::Base => return if number == 1 { "base".to_owned() } else { "bases".to_owned() },
        CodePart::Import => "import".to_owned(),
        CodePart::Inner => match asked.noun.strip_suffix("classes") {
            Some(head) => format!("{head}class"),
            None if asked.noun.ends_with("class") => asked.noun.clone(),
            None => asked.noun.trim_end_matches('s').to_owned(),
        },
    };
    match asked.which {
        PartChoice::Numbered(at @ 2..) => format!("{} {noun}", nth(at)),
        _ if number == 1 => noun,
        _ if noun.ends_with("class") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// The source of an owner, in logical lines.
pub(super) struct OwnerSource<'e> {
    pub(super) owner: &'e Entity,
    pub(super) name: String,
    pub(super) text: Rc<str>,
    pub(super) all: Vec<LogicalLine>,
    /// The lines of the functions and classes inside a function.
    pub(super) nested: Vec<(u32, u32)>,
}

impl<'e> OwnerSource<'e> {
    pub(super) fn of(reading: AnswerInputs, owner: &'e Entity) -> Result<Option<Self>, StoreError> {
        let Some(text) = reading.sources.text(&owner.path) else { return Ok(None) };
        let record = &owner.record;
        let is_nested = |one: &&Entity| {
            let is_definition = one.record.kind.is_callable() || one.record.kind == EntityKind::Class;
            is_definition && one.record.start_line > record.line && one.record.end_line <= record.end_line
        };
        let entities = if record.kind.is_callable() { reading.store.entities_of(owner.file)? } else { Vec::new() };
        let nested = entities.iter().filter(is_nested).map(|one| (one.record.start_line, one.record.end_line));
        let (nested, all) = (nested.collect(), logical_lines(&text));
        Ok(Some(Self { owner, name: format!("`{}`", short_name(owner)), text, all, nested }))
    }

    /// The logical lines from the head on: its own ones, or else those of the functions inside it too.
    pub(super) fn own(&self, is_it: impl Fn(&LogicalLine) -> bool) -> Vec<&LogicalLine> {
        let record = &self.owner.record;
        let is_inside = |line: &&LogicalLine| {
            record.kind == EntityKind::Module || line.end >= record.line && line.end <= record.end_line
        };
        let found: Vec<&LogicalLine> = self.all.iter().filter(is_inside).filter(|line| is_it(line)).collect();
        let is_nested = |line: &LogicalLine| self.nested.iter().any(|(from, to)| (*from..=*to).contains(&line.start));
        let (nested, own): (Vec<_>, Vec<_>) = found.into_iter().partition(|line| is_nested(line));
        if own.is_empty() { nested } else { own }
    }

    pub(super) fn head(&self) -> Option<&LogicalLine> {
        let line = self.owner.record.line;
        self.all.iter().find(|one| (one.start..=one.end).contains(&line))
    }

    pub(super) fn written(&self, line: &LogicalLine) -> String {
        line.written(&self.text)
    }

    /// The simple statements and heads of a logical line, without strings and comments.
    pub(super) fn statements(&self, line: &LogicalLine) -> Vec<String> {
        let mut parts = vec![String::new()];
        for (_, byte, depth) in outside_strings(&self.written(line)) {
            match byte {
                b':' | b';' if depth == 0 => parts.push(String::new()),
                byte => parts.iter_mut().last().into_iter().for_each(|part| part.push(char::from(byte))),
            }
        }
        parts.into_iter().map(|part| part.trim().to_owned()).collect()
    }

    pub(super) fn place(&self, line: &LogicalLine, end: u32) -> PartPlace {
        let text = self.written(line).split_whitespace().collect::<Vec<_>>().join(" ");
        PartPlace { start: line.start, end, text }
    }

    /// The last line of the block that a line opens; the clauses of a `try` belong to it.
    pub(super) fn block_end(&self, head: &LogicalLine, with_clauses: bool) -> u32 {
        let mut end = head.end;
        for line in self.all.iter().filter(|line| line.start > head.end) {
            let is_clause = with_clauses && line.indent == head.indent && self.is_clause(line);
            if line.indent <= head.indent && !is_clause || !head.opens_block {
                break;
            }
            end = line.end;
        }
        end
    }

    pub(super) fn is_clause(&self, line: &LogicalLine) -> bool {
        let first = self.statements(line).into_iter().next().unwrap_or_default();
        ["except", "else", "finally"].iter().any(|keyword| begins_with(&first, keyword))
    }

    /// The first places in words: `return x` (a.py:3).
    pub(super) fn said(&self, places: &[PartPlace]) -> String {
        let place = |place: &PartPlace| {
            let lines = if place.end > place.start {
                format!("{}-{}", place.start, place.end)
            } else {
                place.start.to_string()
            };
            format!("{} ({}:{lines})", quoted(&place.text), self.owner.path)
        };
        first_in_words(places.iter().map(place), MAX_NAMED)
    }

    /// The answer where the owner has no such part.
    pub(super) fn without(&self, has: String) -> FoundPart {
        FoundPart { places: Vec::new(), has, effect: None, is_idle: true }
    }

    /// The same for a part that is looked for by its noun and perhaps a name.
    pub(super) fn lacks(&self, asked: &AskedPart) -> FoundPart {
        let of_it = asked.named.as_ref().map_or(String::new(), |name| format!(" with `{name}`"));
        self.without(format!("{} has no {}{of_it}", self.name, label(asked, 1)))
    }

    /// The answer for places of a part that may be none; the effect is that of its removal.
    pub(super) fn found(&self, asked: &AskedPart, places: Vec<PartPlace>, effect: String) -> FoundPart {
        if places.is_empty() {
            return self.lacks(asked);
        }
        let has = self.has(asked, &places);
        FoundPart { places, has, effect: asked.is_removal.then_some(effect), is_idle: false }
    }

    pub(super) fn has(&self, asked: &AskedPart, places: &[PartPlace]) -> String {
        let noun = label(asked, places.len());
        let number = if places.len() == 1 { "a".to_owned() } else { places.len().to_string() };
        let number =
            if number == "a" && noun.trim_start_matches('`').starts_with(['a', 'e', 'i']) { "an" } else { &number };
        format!("{} has {number} {noun}: {}", self.name, self.said(places))
    }
}

/// A statement in quotes, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let text = text.replace('`', "'");
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("`{}…`", text[..at].trim_end()),
        None => format!("`{text}`"),
    }
}

pub(super) fn begins_with(statement: &str, keyword: &str) -> bool {
    let rest = |text: &str| text.strip_prefix(keyword).is_some_and(|rest| !rest.starts_with(is_name_part));
    rest(statement) || statement.strip_prefix("async ").is_some_and(|behind| rest(behind.trim_start()))
}
