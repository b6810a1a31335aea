//! Recognizes questions for a concept: `what is dependency injection`, `why are unit tests important`.
//!
//! Each word of a concept may be a part of names here; the whole phrase seldom is. So such a question is of the world
//! unless something here is called by the whole phrase.

use std::{collections::BTreeMap, sync::OnceLock};

use crate::{
    ask::reading::{
        forms::{
            patterns::{Captured, captured},
            world::{is_topic, singulars},
        },
        words::is_in,
    },
    model::conventions::standard_library,
};

/// Lines of a kind and its words.
const TABLE: &str = include_str!("concepts.txt");
/// Whole questions for a concept, or for two that are compared.
const DEFINING: &str = "what is/are/was/were (exactly/actually/really) A.. | what's/whats (exactly/actually) A.. | define A.. | \
     what is/are meant by A.. | what does/do A.. mean/means/do | what does/do (the) term/acronym/abbreviation/word A.. mean/means | \
     what does/do (the) (term/acronym/abbreviation) A.. stand for | what is/are A.. (used) for | what is/are A.. good for | \
     what is/are/what's (the) (main/biggest/key) meaning/definition/purpose/point/benefit/benefits/advantage/advantages/disadvantage/disadvantages/drawbacks/downsides/pros/cons/concept/idea/role/importance of (using) A.. | \
     what are (the) pros and cons of (using) A.. | pros and cons of A.. | \
     explain/describe (to) (me) what A.. is/are/means | explain/describe (to) (me) how A.. works/work/is/are | \
     explain/describe/summarize (to) (me) (the) concept/idea/notion/basics/meaning/principle/purpose/importance of A.. | \
     tell me what A.. is/are | do you know what A.. is/are | what do you know about A.. | what do people mean by A.. | \
     why is/are A.. important/useful/good/bad/needed/necessary/popular/dangerous/hard/slow/fast/better/considered/called/so | \
     why (should/would/do/does) (i/we/you/one/people/anyone/developers/programmers) use/need/have/write/do A.. | \
     when/why should/would/do/does/must i/we/you/one/people/anyone/developers use/prefer/need/write/avoid A.. | \
     when to use A.. | how do/does A.. relate to B.. | who invented/created/coined/discovered/wrote A.. | \
     what are (some/the) (common/good) examples/types/kinds/principles/rules of A.. | \
     what are (some/the) best practices for/of/in/with/when/around (writing/doing/using) A.. | best practices for/of/in A.. | \
     what is/are/what's/whats (the) difference/differences between A.. and/vs/versus B.. | \
     (explain/describe) (to) (me) (the) difference/differences between A.. and/vs/versus B.. | \
     (the) difference/differences between A.. and/vs/versus B.. | how is/are A.. different from/to/than B.. | how do/does A.. differ from B.. | how do A.. and B.. differ | \
     A.. vs/versus/or B.. | should i/we/you/one use/prefer/choose/learn A.. or/over B.. | explain/compare/describe A.. and/vs/versus/with/to B.. | when/should i/we/you use A.. or B.. | \
     when should i/we/you use A.. over/instead/vs/versus (of) B.. | is/are A.. better/worse/faster/slower than B..";
/// Whole questions that also ask how something is done here.
const OPEN: &str =
    "how do/does/did A.. work/works | explain/describe (to) (me) A.. | tell me about A.. | tell me more about A..";
/// Words before a question and behind it that say nothing about its subject.
const BEFORE: &[&str] =
    &["please", "can you", "could you", "can u", "would you", "can someone", "so", "ok", "hey", "hi"];
const BEHIND: &[&str] = &[
    "please",
    "exactly",
    "to me",
    "to a beginner",
    "to a child",
    "for beginners",
    "for dummies",
    "for a beginner",
    "like i'm five",
    "like i'm 5",
    "like im 5",
    "like i am five",
    "in general",
    "in detail",
    "in short",
    "in one sentence",
    "in simple terms",
    "in simple words",
    "in plain english",
    "and how does it work",
    "and why does it matter",
    "and why is it important",
    "and why should i use it",
    "and when should i use it",
    "and why do we need it",
    "with an example",
    "with examples",
];
/// Fields behind which any word is one of that field.
const FIELDS: &[&str] = &[
    "in programming",
    "in computing",
    "in computer science",
    "in software",
    "in software development",
    "in software engineering",
    "in software testing",
    "in web development",
    "in networking",
    "in cryptography",
    "in databases",
    "in a database",
    "in machine learning",
    "in object oriented programming",
    "in oop",
    "in functional programming",
    "in operating systems",
    "in linux",
    "in unix",
    "in math",
    "in maths",
    "in mathematics",
    "in physics",
    "in agile",
    "in git",
    "in devops",
    "in the cloud",
];
/// Words that show that a question is about the repository.
const OURS: &str = "here we our us this these repo repository codebase project";

/// The kinds of lines of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConceptKind {
    Plain,
    /// It takes a definite article: `the observer pattern`.
    Named,
    /// It ends the name of a method or a field of study.
    Field,
    /// It is one beside another that it is compared with: `a class and an object`.
    Compared,
}

/// Tells of the names of the repository.
pub struct NamesHere<'n> {
    /// Some name has this word as a part.
    pub is_part: &'n dyn Fn(&str) -> bool,
    /// A class, module or function outside of tests is called so.
    pub is_called: &'n dyn Fn(&str) -> bool,
    /// A section of a document is called so.
    pub is_titled: &'n dyn Fn(&str) -> bool,
}

fn concepts() -> &'static BTreeMap<&'static str, ConceptKind> {
    static CONCEPTS: OnceLock<BTreeMap<&'static str, ConceptKind>> = OnceLock::new();
    CONCEPTS.get_or_init(|| {
        let mut concepts = BTreeMap::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let mut line = line.split_whitespace();
            let kind = match line.next() {
                Some("named") => ConceptKind::Named,
                Some("field") => ConceptKind::Field,
                Some("compared") => ConceptKind::Compared,
                _ => ConceptKind::Plain,
            };
            concepts.extend(line.map(|word| (word, kind)));
        }
        concepts
    })
}

/// The kind of the concept that these words are, in the singular or plural.
fn kind(words: &[&str]) -> Option<ConceptKind> {
    let (last, before) = words.split_last()?;
    let joined = |last: &str| before.iter().copied().chain([last]).collect::<Vec<_>>().join("_");
    singulars(last).iter().find_map(|last| concepts().get(joined(last).as_str())).copied()
}

/// Whether two words are a concept together.
pub fn is_concept(first: &str, second: &str) -> bool {
    matches!(kind(&[first, second]), Some(ConceptKind::Plain | ConceptKind::Named))
}

/// Whether a question, its words in lower case, is for concepts that nothing here is called by.
pub fn asks_for_concept(words: &[String], here: &NamesHere) -> bool {
    let parts = words.iter().flat_map(|word| word.split(['-', '/'])).filter(|word| !word.is_empty());
    let all: Vec<&str> = parts.collect();
    if all.iter().any(|word| is_in(OURS, word)) {
        return false;
    }
    let (words, is_of_field) = without_frame(&all);
    let words = &with_shared_noun(words);
    let fit = |forms: &'static str| {
        forms.split('|').find_map(|pattern| {
            let all_known = |captured: &Captured| {
                let stance = Stance { is_of_field, is_compared: captured.len() > 1 };
                captured.values().all(|words| Concept::of(words, stance, here).is_some())
            };
            captured(pattern, words).filter(all_known)
        })
    };
    let (captured, is_open) = match (fit(DEFINING), fit(OPEN)) {
        (Some(captured), _) => (captured, false),
        (None, Some(captured)) => (captured, true),
        (None, None) => return false,
    };
    // `how does caching work` asks for what is done here, and `how does DNS work` does not.
    let is_asked_how = is_open && words.first() == Some(&"how");
    if is_asked_how && captured.values().any(|words| matches!(words.as_slice(), [word] if !is_topic(word))) {
        return false;
    }
    let is_compared = captured.len() > 1;
    let stance = Stance { is_of_field, is_compared };
    let mut concepts = captured.values().filter_map(|words| Concept::of(words, stance, here));
    // Of two that are compared, one that is not here makes the question one of the world.
    if is_compared {
        concepts.any(|concept| !concept.is_of_repository(is_open, here))
    } else {
        concepts.all(|concept| !concept.is_of_repository(is_open, here))
    }
}

/// Whether a word is a concept by itself.
pub fn is_concept_alone(word: &str) -> bool {
    kind(&[word]) == Some(ConceptKind::Plain)
}

/// `unit tests and integration tests` for `unit and integration tests`, where both are concepts.
fn with_shared_noun<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let mut words = words.to_vec();
    if let [.., first, "and" | "vs" | "versus" | "or", second, noun] = words.as_slice()
        && kind(&[*first, *noun]).is_some()
        && kind(&[*second, *noun]).is_some()
    {
        words.insert(words.len() - 3, noun);
    }
    words
}

/// The words without those before and behind them that say nothing, and whether they name a field.
fn without_frame<'w>(mut words: &'w [&'w str]) -> (&'w [&'w str], bool) {
    let mut is_of_field = false;
    let fits = |words: &[&str], phrase: &str| words.iter().copied().eq(phrase.split(' '));
    loop {
        let length = |phrase: &&&str| phrase.split(' ').count();
        let starts = |phrase: &&&str| words.len() > length(phrase) && fits(&words[..length(phrase)], phrase);
        let ends =
            |phrase: &&&str| words.len() > length(phrase) && fits(&words[words.len() - length(phrase)..], phrase);
        if let Some(phrase) = BEFORE.iter().find(starts) {
            words = &words[length(&phrase)..];
        } else if let Some(phrase) = BEHIND.iter().find(ends) {
            words = &words[..words.len() - length(&phrase)];
        } else if let Some(phrase) = FIELDS.iter().find(ends) {
            is_of_field = true;
            words = &words[..words.len() - length(&phrase)];
        } else {
            return (words, is_of_field);
        }
    }
}

/// How a question speaks of its concepts.
#[derive(Clone, Copy)]
struct Stance {
    /// It names their field: `in a database`.
    is_of_field: bool,
    is_compared: bool,
}

/// A concept in a question.
struct Concept<'w> {
    words: &'w [&'w str],
    has_article: bool,
}

impl<'w> Concept<'w> {
    /// The concept that these words are; a definite article may mean a part of the repository.
    fn of(words: &'w [&'w str], stance: Stance, here: &NamesHere) -> Option<Self> {
        /// More words describe something.
        const LONGEST_OF_FIELD: usize = 3;
        let (first, rest) = words.split_first()?;
        let (article, rest) = if is_in("a an the", first) { (*first, rest) } else { ("", words) };
        let (last, before) = rest.split_last()?;
        let is_known = match kind(rest) {
            Some(ConceptKind::Named) => true,
            Some(ConceptKind::Plain) => article != "the",
            Some(ConceptKind::Compared) => article != "the" && stance.is_compared,
            Some(ConceptKind::Field) => false,
            None if article == "the" => false,
            None if rest.len() == 1 && is_topic(last) => true,
            None if stance.is_of_field => {
                rest.len() <= LONGEST_OF_FIELD && rest.iter().all(|word| !is_in("of in for", word))
            }
            None => {
                let is_field = kind(&[last]) == Some(ConceptKind::Field);
                let is_foreign = before.iter().any(|word| !(here.is_part)(word));
                is_field && is_foreign && (1..LONGEST_OF_FIELD).contains(&before.len())
            }
        };
        is_known.then_some(Self { words: rest, has_article: !article.is_empty() })
    }

    /// Whether something here is called so. Who asks how it works or has it explained, without an article, may mean
    /// what is done here.
    fn is_of_repository(&self, is_open: bool, here: &NamesHere) -> bool {
        let (joined, spaced) = (self.words.concat(), self.words.join(" "));
        let is_one = self.words.len() == 1;
        // `unittest` is a module of Python, whatever module here has its name.
        let is_of_python = !is_one && standard_library::is_module(&joined);
        let is_called = !is_of_python && (here.is_called)(&joined) || (here.is_called)(&self.words.join("_"));
        let may_be_done_here = is_open && !self.has_article;
        let is_titled = (is_one || may_be_done_here) && (here.is_titled)(&spaced);
        // `reactive programming`, where names have `reactive`
        let is_field = !is_one && kind(&self.words[self.words.len() - 1..]) == Some(ConceptKind::Field);
        let telling = &self.words[..self.words.len() - usize::from(is_field)];
        is_called || is_titled || may_be_done_here && telling.iter().all(|word| (here.is_part)(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::reading::words::ParsedQuestion;

    fn asks_for_concept(text: &str) -> bool {
        let is_one = |known: &[&str], word: &str| singulars(word).iter().any(|word| known.contains(&word.as_str()));
        let here = NamesHere {
            is_part: &|word| is_one(&["cache", "load", "proxy", "snapshot", "process"], word),
            is_called: &|word| is_one(&["container", "process", "eventloop"], word),
            is_titled: &|title| ["caching", "garbage collection"].contains(&title),
        };
        super::asks_for_concept(&ParsedQuestion::parse(text).lower_words(), &here)
    }

    #[test]
    fn a_concept_is_of_the_world_unless_something_here_is_called_so() {
        for text in [
            "what is test-driven development?",
            "what is a reverse proxy?",
            "what are design patterns?",
            "explain the observer pattern",
            "explain to me what a load balancer is, please",
            "how does a load balancer work?",
            "why are unit tests important?",
            "when should I use a singleton?",
            "what is the difference between a mock and a stub?",
            "what is the difference between a container and a virtual machine?",
            "what are the benefits of continuous integration?",
            "what is an index in a database?",
            "what is chaos engineering?",
            "could you explain dependency injection in simple terms?",
            "what is a cookie?",
            "what is the difference between a class and an object?",
            "should I use tabs or spaces?",
            "difference between unit and integration tests",
        ] {
            assert!(asks_for_concept(text), "{text}");
        }
        for text in [
            "what is a container?",
            "what is an event loop?",
            "what is caching?",
            "what is snapshot testing?",
            "how does the reverse proxy work?",
            "explain the load balancer",
            "how does garbage collection work?",
            "how do processes work?",
            "how does throttling work?",
            "how does proxy programming work?",
            "what is an object?",
            "how does load testing a cache work?",
            "what is a reverse proxy in this project?",
            "what is the difference between a container and a process?",
            "what is a request context?",
            "what does the linter do?",
            "which functions use a load balancer?",
            "what is",
            "",
        ] {
            assert!(!asks_for_concept(text), "{text}");
        }
    }

    #[test]
    fn every_line_of_the_table_has_a_kind_and_words() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let is_one = ["concept  ", "named    ", "field    ", "compared "].iter().any(|kind| line.starts_with(kind));
            assert!(
                is_one && line.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || " _".contains(c)),
                "{line}"
            );
        }
    }
}
