//! Follow-ups about all definitions of the list before, as questions with a noun: `how many are private?` becomes `how
//! many of these methods are private?`, which the grammar of lists understands.

use super::tokens::{Token, joined, tokens};
use crate::{
    ask::reading::{
        plan::Hints,
        relations::{list_noun, noun_of},
        words::is_in,
    },
    query::words::plural,
};

/// Words before such a question that say nothing.
const POLITE: &str = "and but ok okay now so then also please hm well";
const THEM: &str = "them those these";
const QUANTITIES: &str = "which many any some none one each most what";
/// Words with which a condition on a list begins.
const VERBS: &str = "is are was were has have do does don't doesn't aren't isn't take takes accept accepts return returns raise \
     raises call calls use uses define defines override overrides implement implements derive derives inherit inherits \
     extend extends import imports start starts begin begins end ends contain contains catch catches need needs lack \
     lacks read reads write writes yield yields never";
/// Words beside `how many` that state no condition.
const NUMBER: &str = "of them those these are there do they you have in total all so that is it altogether exactly";
/// Words of questions about everything there is.
const ELSEWHERE: &str = "repository repo project codebase";
/// Adjectives that restrict a list by themselves: `only public`.
const ADJECTIVES: &str = "abstract async cached classmethod decorated deprecated documented generator nested overloaded private \
     public static tested undocumented unannotated untested unused untyped";
/// Plural nouns that are conditions on a list: `which of them are properties?`.
const KINDS: &str = "classes exceptions fixtures functions methods properties tests";

/// A question about a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OfList {
    pub(super) text: String,
    /// It asks whether all of them are so: `are they documented?`.
    pub(super) is_of_every: bool,
}

/// The full question; `None` where the text does not speak of a list, or no list is there.
pub(super) fn completed(hints: &Hints, text: &str) -> Option<OfList> {
    let noun = plural(list_noun(&hints.listed)?.worded());
    asked(&noun, hints.earlier.lists, &hints.earlier.last, text)
}

/// The same for a list of `noun`; `is_last` says whether the last answer lists it.
fn asked(noun: &str, is_last: bool, last: &str, text: &str) -> Option<OfList> {
    let mut parts = tokens(text);
    let polite = parts.iter().take_while(|token| is_in(POLITE, &token.lower())).count();
    parts.drain(..polite);
    let lower: Vec<String> = parts.iter().map(Token::lower).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let from = |at: usize| joined(&parts[at.min(parts.len())..]);
    let which = |rest: String| Some(OfList { text: with_kind("which", noun, &rest), is_of_every: false });
    let many = |rest: String| Some(OfList { text: with_kind("how many", noun, &rest), is_of_every: false });
    // Behind `who calls f` the places are counted.
    let counts_places = || tokens(last).iter().any(|token| is_in("who where", &token.lower()));
    match words.as_slice() {
        ["how", "many", rest @ ..] if rest.iter().all(|word| is_in(NUMBER, word)) => {
            let speaks_of_them = rest.iter().any(|word| is_in("there them those these", word));
            let is_meant = speaks_of_them || is_last && !counts_places();
            // A property is a condition to the grammar.
            let noun = if noun == "properties" { "definitions" } else { noun };
            return is_meant.then(|| format!("how many of these {noun} are there?")).map(OfList::of);
        }
        [.., "how", "many"] => return None,
        _ => {}
    }
    if let ["are" | "do" | "have", "all", "of", them, _, ..] = words.as_slice()
        && is_in(THEM, them)
    {
        let verb = if words[0] == "do" { "" } else { words[0] };
        return Some(every(noun, verb, &from(4)));
    }
    let of = (1..words.len().min(4)).find(|at| {
        words[*at] == "of"
            && is_in(QUANTITIES, words[*at - 1])
            && words.get(at + 1).is_some_and(|word| is_in(THEM, word))
            && words.get(at + 2).is_none_or(|next| noun_of(next).is_none() && !is_in(KINDS, next))
    });
    if let Some(of) = of {
        let rest = from(of + 2);
        return match words[of - 1] {
            "which" | "what" => which(rest),
            "many" => many(rest),
            _ => Some(OfList::of(format!("{} of these {noun} {rest}", joined(&parts[..of])))),
        };
    }
    if !is_last {
        return None;
    }
    let begins = |at: usize| words.get(at).is_some_and(|word| is_in(VERBS, word));
    let is_kind = |word: &str| word != "exception" && (noun_of(word).is_some() || is_in(ELSEWHERE, word));
    // A question with a noun of its own is about others: `which is the biggest class?`
    let is_open = |at: usize| {
        let rest = &words[at.min(words.len())..];
        !rest.iter().any(|word| is_kind(word)) || matches!(rest, [_, kind] if is_in(KINDS, kind))
    };
    match words.as_slice() {
        ["which" | "what", "ones" | "one", _, ..] => which(from(2)),
        ["which", ..] if begins(1) && is_open(1) => which(from(1)),
        ["how", "many", _, ..] if begins(2) && is_open(2) => many(from(2)),
        ["are" | "is", "they" | "those" | "these", rest @ ..] if !rest.is_empty() && is_open(1) => {
            Some(every(noun, "are", &from(2)))
        }
        ["do" | "does", "they" | "those" | "these", rest @ ..] if !rest.is_empty() && is_open(1) => {
            Some(every(noun, "", &from(2)))
        }
        ["have", "they" | "those" | "these", rest @ ..] if !rest.is_empty() && is_open(1) => {
            Some(every(noun, "have", &from(2)))
        }
        _ => restriction(&parts, &words).and_then(which),
    }
}

impl OfList {
    fn of(text: String) -> Self {
        Self { text, is_of_every: false }
    }
}

/// `are they all documented` as a question for those that are.
fn every(noun: &str, verb: &str, rest: &str) -> OfList {
    let rest = rest.strip_prefix("all ").unwrap_or(rest);
    let condition = format!("{verb} {rest}");
    OfList { text: with_kind("which", noun, condition.trim()), is_of_every: true }
}

/// The question with its condition; a noun alone takes the place of that of the list.
fn with_kind(head: &str, noun: &str, rest: &str) -> String {
    let bare = rest.trim_end_matches(['?', '.', '!', ' ']).to_lowercase();
    let kind = bare.strip_prefix("are ").filter(|kind| is_in(KINDS, kind));
    // `decorators` alone are functions of a kind.
    let is_decorated = matches!(bare.as_str(), "have decorators" | "have a decorator" | "have any decorators");
    match kind {
        // Properties count as methods there: which of them are none is not told.
        Some(kind) if kind == noun => format!("{head} of these {noun} are of this kind?"),
        Some(kind) => format!("{head} of these {kind} are there?"),
        None if is_decorated => format!("{head} of these {noun} are decorated?"),
        None => format!("{head} of these {noun} {rest}"),
    }
}

/// The condition that `only the private ones`, `those with a docstring` and `just the async methods` state.
fn restriction(parts: &[Token], words: &[&str]) -> Option<String> {
    let only = words.iter().take_while(|word| is_in("only just show list me give", word)).count();
    let is_only = words[..only].iter().any(|word| is_in("only just", word));
    let article = only + usize::from(words.get(only).is_some_and(|word| is_in("the those these", word)));
    let has_article = article > only;
    let rest = &words[article..];
    let from = |at: usize| joined(&parts[(article + at).min(parts.len())..]);
    let at = usize::from(rest.first() == Some(&"ones"));
    let condition = match rest.get(at) {
        Some(&"with") => format!("have {}", from(at + 1)),
        Some(&"without") => format!("have no {}", without_article(&from(at + 1))),
        Some(&("that" | "which")) => from(at + 1),
        _ => {
            let is_plain = parts.iter().all(|token| !token.looks_like_name());
            let end = rest.iter().position(|word| is_in("ones", word));
            let kind =
                rest.last().is_some_and(|word| rest.len() > 1 && noun_of(word).is_some()).then(|| rest.len() - 1);
            let length = end.or(kind).unwrap_or(rest.len());
            let is_meant = end.is_some_and(|end| end + 1 == rest.len()) && (is_only || has_article)
                || (is_only || has_article && kind.is_some())
                    && rest[..length].iter().all(|word| is_in(ADJECTIVES, word) || *word == "not");
            let is_kind = length == 1 && is_only && is_in(KINDS, rest[0]);
            return ((is_meant || is_kind) && is_plain && (1..4).contains(&length))
                .then(|| format!("are {}?", rest[..length].join(" ")));
        }
    };
    (has_article || is_only).then_some(condition).filter(|condition| condition.contains(' '))
}

fn without_article(text: &str) -> &str {
    ["a ", "an ", "any "].iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_follow_up_about_a_list_is_a_question_with_its_noun() {
        let ask = |text: &str| asked("methods", true, "methods of Cart", text).map(|asked| asked.text);
        for (text, wanted) in [
            ("how many of them are properties?", "how many of these properties are there?"),
            ("how many are private?", "how many of these methods are private?"),
            ("only the private ones", "which of these methods are private?"),
            ("and the async ones?", "which of these methods are async?"),
            ("only public", "which of these methods are public?"),
            ("which one is the longest?", "which of these methods is the longest?"),
            ("which have default values?", "which of these methods have default values?"),
            ("those without a docstring", "which of these methods have no docstring"),
            ("how many are there?", "how many of these methods are there?"),
            ("which of them have decorators?", "which of these methods are decorated?"),
            ("how many?", "how many of these methods are there?"),
            ("which of them call Cart.add?", "which of these methods call Cart.add?"),
        ] {
            assert_eq!(ask(text).as_deref(), Some(wanted), "{text}");
        }
        for text in [
            "which methods are private?",
            "who calls it?",
            "only in tests",
            "and why?",
            "which of these classes sing?",
            "which is the biggest class?",
            "how many are in the repository?",
        ] {
            assert_eq!(ask(text), None, "{text}");
        }
        let every = asked("classes", true, "", "are they all documented?").expect("it is about the list");
        assert_eq!((every.text.as_str(), every.is_of_every), ("which of these classes are documented?", true));
    }

    #[test]
    fn a_list_further_back_is_meant_only_by_a_pronoun() {
        let ask = |text: &str| asked("methods", false, "explain f", text).map(|asked| asked.text);
        assert_eq!(ask("how many are private?"), None);
        assert_eq!(ask("which of them are private?").as_deref(), Some("which of these methods are private?"));
        let places = asked("functions", true, "who calls Cart.add?", "how many?");
        assert_eq!(places, None, "the places are counted");
    }
}
