//! Replaces `it`, `its`, `that class` and the like by the name that they stand for.

use super::{
    EarlierSubject,
    tokens::{Token, joined, tokens},
    written,
};
use crate::{
    ask::reading::words::is_in,
    model::EntityKind,
    query::target::{TargetMatch, look_up},
    store::{Store, error::StoreError},
};

/// Words of the longest follow-up: a longer text tells a story of its own.
const LONGEST: usize = 40;
/// Words at which a clause begins: a name before it can be the one that `it` behind it means.
const JOINTS: &str = "and but or if when while because so that which who then after before since as than";
/// Words behind which `that` and `this` stand for a definition.
const AUXILIARIES: &str = "does is was did has can could would will should are do were had of about for by to from on if \
     calls call uses use using change remove rename delete replace move drop refactor explain show describe test tests";
/// Words before which `this` and `that` stand for a definition.
const BEHIND: &str = "in by from for with without and if when to used called tested raise raises return returns call calls \
     use uses do does have has take takes depend depends on at so yet already ever still into over get gets";
/// Adjectives of `is it safe to`.
const OF_DOING: &str =
    "safe ok okay possible fine necessary worth risky dangerous bad good wise allowed true sensible easy hard enough";
/// Words that belong to the noun behind them.
const ADJECTIVES: &str = "direct indirect own public private base parent test return default static class abstract async all \
     other last first main required optional keyword positional unit type immediate inherited special magic known most \
     important subclass module instance total full only";
const CALLABLES: &str = "function method callable fixture coroutine generator routine";
const CLASSES: &str = "class exception error type dataclass";
const MODULES: &str = "module file";
const THINGS: &str = "property attribute variable constant thing one definition symbol name decorator member";
const QUANTITIES: &str = "which many any all some none each most";
/// Words with which a question goes on behind `the function`.
const GOES_ON: &str = "return returns take takes raise raises do does call calls use uses used called tested documented \
     defined have has is come comes need needs accept accepts live lives";

/// The question with names for its pronouns; `None` where it has none.
pub(super) fn replaced(store: &Store, topic: &EarlierSubject, text: &str) -> Result<Option<String>, StoreError> {
    let words = tokens(text);
    if words.len() > LONGEST {
        return Ok(None);
    }
    let mut full: Vec<Token> = Vec::new();
    let mut is_replaced = false;
    let mut at = 0;
    while at < words.len() {
        if !is_replaced && is_of_question_itself(&words[..at]) {
            return Ok(None);
        }
        let Some(Spoken { length, name, drops_of }) = spoken(store, topic, &words, at)? else {
            full.push(words[at].clone());
            at += 1;
            continue;
        };
        if drops_of {
            full.pop();
        }
        full.push(Token { word: name, behind: words[at + length - 1].behind.clone(), ..words[at].clone() });
        is_replaced = true;
        at += length;
    }
    // `and its callers?`
    if let [head @ .., noun] = full.as_slice()
        && noun.word.starts_with("the ")
        && head.iter().all(|token| is_in("and what how about also", &token.lower()))
    {
        let of = noun.word.find(" of ").unwrap_or(noun.word.len());
        let be = if noun.word[..of].ends_with('s') { "are" } else { "is" };
        return Ok(Some(format!("what {be} {}?", noun.word)));
    }
    Ok(is_replaced.then(|| joined(&full)))
}

/// Words that speak of the topic, and the words that name it.
struct Spoken {
    length: usize,
    name: String,
    /// `which of its methods` loses its `of`.
    drops_of: bool,
}

/// Whether the words before a pronoun name something in an earlier clause: `explain f and who calls it`.
fn is_of_question_itself(before: &[Token]) -> bool {
    // The second of two questions is about the first: `explain f and who calls it`, whatever `f` looks like.
    let divides = |token: &Token| is_in("and plus", &token.lower()) || token.behind.contains(['?', ';']);
    if before.iter().skip(1).any(divides) {
        return true;
    }
    let Some(name) = before.iter().position(Token::looks_like_name) else { return false };
    before[name].ends_clause()
        || before[name + 1..].iter().any(|token| is_in(JOINTS, &token.lower()) || token.ends_clause())
}

/// The words at `at` that speak of the topic.
fn spoken(store: &Store, topic: &EarlierSubject, words: &[Token], at: usize) -> Result<Option<Spoken>, StoreError> {
    let word = |at: usize| words.get(at).map(Token::lower).unwrap_or_default();
    let ends = |at: usize| at + 1 >= words.len() || words[at].ends_clause();
    let before = at.checked_sub(1).map(word).unwrap_or_default();
    let one = |name: String| Some(Spoken { length: 1, name, drops_of: false });
    let this = word(at);
    Ok(match this.as_str() {
        "it" if is_of_doing(words, at) => {
            // `is it safe to remove?`
            let is_open = ends(at + 3) && !word(at + 3).is_empty();
            let doing: Vec<&str> = words[at..].iter().take(4).map(|token| token.word.as_str()).collect();
            is_open.then(|| Spoken { length: 4, name: format!("{} {}", doing.join(" "), topic.name), drops_of: false })
        }
        "it" => one(topic.name.clone()),
        "it's" => one(format!("{} is", topic.name)),
        "its" => own_noun(store, topic, words, at)?,
        "this" | "that" | "the" | "same" => {
            let noun = word(at + 1);
            let is_article = this == "the" && !ends(at + 1) && !is_in(GOES_ON, &word(at + 2));
            let meant = if is_article || ends(at) { None } else { by_noun(store, topic, &noun)? };
            let alone = match this.as_str() {
                "that" => ends(at) && at > 0 || is_in(AUXILIARIES, &before) && is_in(BEHIND, &word(at + 1)),
                "this" => ends(at) || is_in(BEHIND, &word(at + 1)),
                _ => false,
            };
            match meant {
                Some(name) => Some(Spoken { length: 2, name, drops_of: false }),
                None if alone => one(topic.name.clone()),
                None => None,
            }
        }
        _ => None,
    })
}

/// Whether `it` at `at` stands for a deed that follows: `is it safe to remove f`.
fn is_of_doing(words: &[Token], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(Token::lower).unwrap_or_default();
    is_in(OF_DOING, &word(at + 1)) && is_in("to that if", &word(at + 2))
}

/// The definition that `this class` or `that function` means.
fn by_noun(store: &Store, topic: &EarlierSubject, noun: &str) -> Result<Option<String>, StoreError> {
    let main = topic.target.main();
    let kind = main.record.kind;
    let is_own = is_in(CALLABLES, noun) && kind.is_callable()
        || is_in(CLASSES, noun) && kind == EntityKind::Class
        || is_in(MODULES, noun) && kind == EntityKind::Module
        || is_in(THINGS, noun);
    if is_own {
        return Ok(Some(topic.name.clone()));
    }
    if is_in(MODULES, noun) {
        return Ok(Some(if noun == "file" { main.path.clone() } else { main.module.clone() }));
    }
    if noun == "class" {
        return topic.class(store)?.map(|class| written(store, &class)).transpose();
    }
    Ok(None)
}

/// `its methods` as `the methods of C`, and `its add method` as `C.add`.
fn own_noun(store: &Store, topic: &EarlierSubject, words: &[Token], at: usize) -> Result<Option<Spoken>, StoreError> {
    let word = |at: usize| words.get(at).map(Token::lower).unwrap_or_default();
    let Some(next) = words.get(at + 1) else { return Ok(None) };
    let is_kind = |at: usize| is_in("method property attribute function field", &word(at));
    let is_parameter = is_in("parameter argument arg param kwarg keyword option", &word(at + 2));
    let main = topic.target.main();
    let named = by_noun(store, topic, &next.lower())?.filter(|_| !is_in(THINGS, &next.lower()));
    if let Some(name) = named.filter(|name| *name != topic.name) {
        return Ok(Some(Spoken { length: 2, name, drops_of: false }));
    }
    let is_outer = matches!(main.record.kind, EntityKind::Class | EntityKind::Module);
    if is_outer && !is_parameter {
        let member = format!("{}.{}", main.full_name(), next.word);
        if let TargetMatch::Found(member) = look_up(store, &member, "")? {
            let name = written(store, member.main())?;
            return Ok(Some(Spoken { length: if is_kind(at + 2) { 3 } else { 2 }, name, drops_of: false }));
        }
    }
    let mut last = at + 1;
    let has_more = |last: usize| !words[last].ends_clause() && last + 1 < words.len();
    while is_in(ADJECTIVES, &word(last)) && has_more(last) && !is_in(GOES_ON, &word(last + 1)) {
        last += 1;
    }
    if is_parameter && last == at + 1 {
        last = at + 2;
    }
    if matches!(
        (word(last).as_str(), word(last + 1).as_str()),
        ("type", _) | (_, "annotation" | "annotations" | "hints" | "coverage" | "code" | "type" | "value" | "values")
    ) && has_more(last)
        && is_in("annotation annotations hints hint coverage code type value values", &word(last + 1))
    {
        last += 1;
    }
    let mut noun: Vec<String> = words[at + 1..=last].iter().map(|token| token.word.clone()).collect();
    if noun[0].eq_ignore_ascii_case("own") && noun.len() > 1 {
        noun.remove(0);
    }
    let noun = noun.join(" ");
    let drops_of = at > 1 && word(at - 1) == "of" && is_in(QUANTITIES, &word(at - 2));
    let article = if drops_of { "" } else { "the " };
    Ok(Some(Spoken { length: last - at + 1, name: format!("{article}{noun} of {}", topic.name), drops_of }))
}
