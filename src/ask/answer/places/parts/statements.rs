//! Statements, conditions and words in the body of a definition, as the parts that a question changes.

use crate::{
    ask::{
        answer::{
            AnswerInputs, in_words,
            places::parts::source::{FoundPart, OwnerSource, PartPlace, begins_with},
        },
        reading::words::{
            is_in,
            parts::{AskedPart, PartChoice},
        },
    },
    model::{
        EntityFlags,
        conventions::{has_whole_name, last_part},
    },
    query::{navigate::lines::assigned_in, source::logical_lines::LogicalLine, words::count},
    store::error::StoreError,
};

/// Words for a part that say nothing of what it does.
const GENERAL: &str = "bit branch case code early edge error guard handling input logic path piece safety sanity section special step \
     stuff thing validation";

/// The statements that begin with one of the keywords.
pub(super) fn statements(source: &OwnerSource, asked: &AskedPart, keywords: &[&str]) -> FoundPart {
    let is_it = |line: &LogicalLine| {
        let named = asked.named.as_ref().is_none_or(|name| has_whole_name(&source.written(line), last_part(name)));
        let parts = source.statements(line);
        let has = |keyword: &str| match keyword {
            "await" | "lambda" | "yield" => parts.iter().any(|part| has_whole_name(part, keyword)),
            _ => parts.iter().any(|part| begins_with(part, keyword)),
        };
        named && keywords.iter().any(|keyword| has(keyword))
    };
    let found = chosen(source.own(is_it), asked.which);
    let is_try = keywords.contains(&"try");
    let places: Vec<PartPlace> = found.iter().map(|line| source.place(line, source.block_end(line, is_try))).collect();
    if places.is_empty() {
        return source.lacks(asked);
    }
    let (it, them) = if places.len() == 1 { ("it", "it") } else { ("them", "they") };
    let effect = match keywords[0] {
        "return" if source.owner.record.flags.has(EntityFlags::GENERATOR) => {
            format!("without {it} the generator runs on to its end")
        }
        "return" => format!("without {it} the function runs on, and returns `None` where nothing else returns"),
        "raise" => format!("without {it} the function runs on where it raised"),
        "yield" => format!("without {it} it gives no value there; with no `yield` left it is no generator any more"),
        "try" => {
            let caught = caught(source, &found);
            match caught.as_slice() {
                [] => format!("without {it} the clean-up of `finally` is not run on an exception"),
                caught => format!("without {it} {} leaves the function", in_words(caught)),
            }
        }
        "except" => format!("without {it} the exceptions leave the function"),
        "finally" => format!("without {it} nothing is run on the way out of the block"),
        "else" => format!("without {it} nothing runs in the other case"),
        "with" => format!("without {it} nothing is entered and left around the block"),
        "for" | "while" => {
            format!("without {it} the block does not run for each item, and names that {them} bind may be missing")
        }
        "if" | "elif" | "case" => format!("without {it} the block always runs, or never if it goes too"),
        "await" => format!("without {it} the coroutine is made, but does not run"),
        "lambda" => format!("without {it} its place needs another function"),
        "global" | "nonlocal" => format!("without {it} an assignment binds a local name"),
        "del" => format!("without {it} the name or item stays"),
        "pass" => format!("without {it} the block needs another statement"),
        "match" => format!("without {it} none of its cases runs"),
        "assert" => format!("without {it} nothing is checked there"),
        _ => format!("without {it} the loop goes on in another way"),
    };
    source.found(asked, places, effect)
}

/// The ones that are meant.
fn chosen(mut found: Vec<&LogicalLine>, which: PartChoice) -> Vec<&LogicalLine> {
    match which {
        PartChoice::All => {}
        PartChoice::Numbered(number) => found = found.into_iter().skip(number - 1).take(1).collect(),
        PartChoice::Last => drop(found.drain(..found.len().saturating_sub(1))),
    }
    found
}

/// The conditions, or those with a name: `the isinstance check`.
pub(super) fn checks(source: &OwnerSource, asked: &AskedPart) -> FoundPart {
    let named = asked.named.as_deref().unwrap_or_default();
    let lower = named.to_lowercase();
    let names: &[&str] = match lower.as_str() {
        "" => &[],
        word if is_in(GENERAL, word) => &[],
        "nil" | "none" | "null" => &["None"],
        "instance" | "type" => &["isinstance", "issubclass", "type"],
        _ => &[last_part(named)],
    };
    let is_it = |line: &LogicalLine| {
        source.statements(line).iter().any(|part| {
            let is_head = ["if", "elif", "while", "assert"].iter().any(|keyword| begins_with(part, keyword));
            let is_inside = has_whole_name(part, "if");
            (is_head || is_inside) && (names.is_empty() || names.iter().any(|name| has_whole_name(part, name)))
        })
    };
    let found = chosen(source.own(is_it), asked.which);
    let places: Vec<PartPlace> = found.iter().map(|line| source.place(line, source.block_end(line, false))).collect();
    let it = if places.len() == 1 { "it" } else { "them" };
    source.found(asked, places, format!("without {it} the same runs in every case"))
}

/// The statements that assign to something, or to the named target.
pub(super) fn assignments(
    reading: AnswerInputs,
    source: &OwnerSource,
    asked: &AskedPart,
) -> Result<FoundPart, StoreError> {
    let set = assigned_in(reading.store, source.owner.file)?;
    let head = source.head().map_or(0, |head| head.end);
    let no_assignment = ["for", "with", "import", "from", "def", "class", "except"];
    let of = |is_it: &dyn Fn(&str) -> bool| {
        let found = source.own(|line| {
            let first = source.statements(line).into_iter().next().unwrap_or_default();
            let is_other = line.start <= head || no_assignment.iter().any(|keyword| begins_with(&first, keyword));
            !is_other && set.iter().any(|(number, name)| (line.start..=line.end).contains(number) && is_it(name))
        });
        chosen(found, asked.which)
    };
    let found = match &asked.named {
        None => of(&|_| true),
        Some(asked) => {
            let exact = of(&|name| name == asked);
            // `self.x` may be an attribute of another object: `copy.x`.
            if exact.is_empty() { of(&|name| last_part(name) == last_part(asked)) } else { exact }
        }
    };
    let places: Vec<PartPlace> = found.iter().map(|line| source.place(line, line.end)).collect();
    let it = if places.len() == 1 { "it" } else { "them" };
    Ok(source.found(asked, places, format!("without {it} the name keeps the value that it had, or has none")))
}

/// The `return` statements with a value.
pub(super) fn returned_values(source: &OwnerSource, asked: &AskedPart) -> FoundPart {
    let has_value = |part: &String| begins_with(part, "return") && part.trim() != "return";
    let found = chosen(source.own(|line| source.statements(line).iter().any(has_value)), asked.which);
    let places: Vec<PartPlace> = found.iter().map(|line| source.place(line, line.end)).collect();
    source.found(asked, places, "without a value callers get `None`".to_owned())
}

/// All behind the head.
pub(super) fn body(source: &OwnerSource) -> FoundPart {
    let behind = source.head().map_or(0, |head| head.end);
    let inside = source.all.iter().filter(|line| line.start > behind && line.end <= source.owner.record.end_line);
    let lines: Vec<&LogicalLine> = inside.collect();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return source.without(format!("the body of {} stands in the line of its head", source.name));
    };
    let place = source.place(first, last.end);
    let lines = count((place.end - place.start + 1) as usize, "line");
    let end = if place.end > place.start { format!("-{}", place.end) } else { String::new() };
    let has = format!("the body of {} has {lines} ({}:{}{end})", source.name, source.owner.path, place.start);
    let effect = "with `pass` in its place it does nothing and returns `None`".to_owned();
    FoundPart { places: vec![place], has, effect: Some(effect), is_idle: false }
}

/// The statements whose names have the words that the question uses for an unknown part.
pub(super) fn other_words(source: &OwnerSource, asked: &AskedPart) -> FoundPart {
    let words = asked.noun.split(' ').filter(|word| !is_in(GENERAL, word));
    let words: Vec<&str> = words.map(|word| word.strip_suffix('s').unwrap_or(word)).collect();
    let is_it = |line: &LogicalLine| {
        let code = source.statements(line).join(" ").to_lowercase();
        let mut parts = code.split(|c: char| !c.is_alphanumeric());
        parts.any(|part| words.contains(&part.strip_suffix('s').unwrap_or(part)))
    };
    let head = source.head().map_or(0, |head| head.end);
    let found = source.own(|line| line.start > head && is_it(line));
    let places: Vec<PartPlace> =
        chosen(found, asked.which).iter().map(|line| source.place(line, source.block_end(line, true))).collect();
    if places.is_empty() {
        let has = format!(
            "no part of {} that could be `{}` was found, so this answer is about any change of it",
            source.name, asked.noun
        );
        return source.without(has);
    }
    let statements = count(places.len(), "statement");
    let has = format!("{} has a word of `{}` in {statements}: {}", source.name, asked.noun, source.said(&places));
    FoundPart { places, has, effect: None, is_idle: false }
}

/// The exceptions that the handlers of `try` statements name.
fn caught(source: &OwnerSource, heads: &[&LogicalLine]) -> Vec<String> {
    let mut caught = Vec::new();
    for head in heads {
        let end = source.block_end(head, true);
        let clauses = source.all.iter().filter(|line| line.start > head.end && line.end <= end);
        for clause in clauses.filter(|line| line.indent == head.indent) {
            let first = source.statements(clause).into_iter().next().unwrap_or_default();
            let Some(rest) = first.strip_prefix("except").filter(|_| begins_with(&first, "except")) else { continue };
            let names = rest.split(" as ").next().unwrap_or(rest).trim_matches(|c: char| "*() \n".contains(c));
            let names = if names.is_empty() { "Exception" } else { names };
            for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                let name = format!("`{name}`");
                if !caught.contains(&name) {
                    caught.push(name);
                }
            }
        }
    }
    caught
}
