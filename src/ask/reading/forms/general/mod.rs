//! Recognizes general questions by what they lack: `how do I chmod a file`, `why is the sky blue`.
//!
//! A question is about the repository if a word of it is: a name of the program, the title of a section, or a word
//! that points at the project. One without any such word is of the world if some word of it speaks for that: a
//! command, a system, a thing of every day, or a word that stands nowhere in the repository.

use std::{collections::BTreeSet, sync::OnceLock};

use crate::ask::reading::{
    forms::{
        concepts::is_concept,
        patterns::Phrase,
        world::{is_topic, singulars},
    },
    words::{ParsedQuestion, Shape, is_in, is_stop_word},
};

/// The words, a kind and some words a line.
const TABLE: &str = include_str!("words.txt");

/// Forms of general questions.
const FORMS: &str = "^ what is/are/was/were/does/do/means | ^ what's/whats | ^ explain/describe/define/compare/convert/translate/recommend/suggest | \
     ^ tell me | difference/differences between | vs/versus | ^ why | ^ is/are/was/were/do/did/does/can/could | \
     ^ who/when is/was/were/did/invented/discovered/wrote/won/founded/created/painted/built | \
     ^ how do/does/did/can/could/would/should | ^ how to | ^ how is/are .. different | ^ how is/are .. made/calculated/measured/computed | \
     ^ how long/many/much/tall/far/old/big/fast/deep/high/heavy/wide/hot/cold/expensive | ^ what/which .. do/does .. use/mean/have/send/take | ^ write/give/show me/a/an";
/// Forms of questions about code, whatever is named in them.
const OF_CODE: &str = "^ who/what/which/where/is/are/do/does .. call*/import*/inherit*/rais*/catch*/caught/handle*/depend*/overrid*/implement*/defin*/document*/support*/supported/require*/needed/allowed | \
     ^ who/what/which/is/are .. use/uses/used/using & !port | ^ does/do .. use/uses | ^ how is/are .. used/handled/implemented/tested/called/defined/loaded/stored/configured | \
     ^ how many functions/classes/methods/tests/modules/files/lines/places/callers/parameters/packages | \
     ^ what/which functions/function/classes/class/methods/method/tests/modules/module/files/file/parameters/packages/package/exceptions/exception/line/lines/code/part/version/versions | \
     minimum/required/supported/compatible version/versions/python | work/works/compatible with/on/under | breaks/break/broke/broken | ^ how do/does ... work/works | installed | install from/using/via/with | ^ is/are there | \
     changed/changelog/release/released/commit/committed/unstaged/staged & !git & !how";
/// Questions that every repository answers, whatever their other words are.
const OF_REPOSITORY: &str = "^ does/do/is/are/which/what any/all/some/every docstring/docstrings/comment/comments/function/functions/class/classes/method/methods/test/tests/module/modules \
     | the license/licence | public api/interface | the .. components/component | new in .. version/release | ^ how many # are there $ | ^ how many .. are there $";
/// Words that point at the repository, and those behind an article that mean a part of it.
const OURS: &str = "here we our us this these those repo repository codebase project they them";
const OF_PROJECT: &str = "api app application changelog class client code config configuration docs documentation examples function library \
     method module object package parser project release server suite test tests";
/// Words that a definite article does not make a part of the repository.
const DEFINITE: &str = "best biggest deepest default difference differences end fastest first highest largest last latest least length longest \
     main maximum meaning minimum most newest next number oldest only output point previous purpose result rule rules same second size \
     smallest speed square sum syntax tallest time top type use value way world year";
/// Things that a user has, whatever program this is.
const OWN_THINGS: &str = "bike boss car cat child computer dad daughter dog friend hair house job kid kids laptop life linkedin mac mom \
     mother father parents passport pc phone resume room shell son taxes wife husband";
/// Nouns of questions about code.
const CODE_NOUNS: &str = "annotation argument attribute caller class constant coverage cycle decorator definition dependency docstring \
     exception export fixture function global import member metaclass method module package parameter property signature subclass \
     superclass test variable";
/// Things that every system has, whatever is called so here.
const OF_SYSTEMS: &str = "command directory file folder path port process program script version";
/// Forms of questions that ask how something is done, which may be done with the repository.
const DEEDS: &str = "^ how do/can/could/would/should i/you/one | ^ how to | ^ can/could/may i/you/one";
/// Types of the language, which every repository has in names.
const TYPES: &str = "bool boolean dict dictionary dictionaries float int integer list number set string tuple";

/// The words that the repository has.
pub struct HereOf<'h> {
    /// A class, module or function of the program is called so, or a section is titled so.
    pub is_called: &'h dyn Fn(&str) -> bool,
    /// So many names of the program have it as a part, and titles of sections.
    pub times: &'h dyn Fn(&str) -> usize,
    /// It is a word that is known, and no slip of a name.
    pub is_known: &'h dyn Fn(&str) -> bool,
    /// It stands nowhere in the repository, and is a word that is known.
    pub is_absent: &'h dyn Fn(&str) -> bool,
    /// The title of a section, or its first lines, have all of these words.
    pub is_told: &'h dyn Fn(&[String]) -> bool,
}

/// The side that a word of a question speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WorldClue {
    /// The world, whatever stands beside it.
    Foreign,
    /// The world, unless the repository has it in a name.
    Topic,
    /// Neither.
    Ordinary,
    /// Neither, although names of the repository have it.
    OrdinaryHere,
    /// The same of a word of the world.
    TopicHere,
    /// The repository.
    Here,
    /// It stands nowhere here.
    Absent,
    /// It stands in a text or a name here and there.
    Faint,
}

fn of_kind(kind: &str) -> BTreeSet<&'static str> {
    let lines = TABLE.lines().filter(|line| line.split_whitespace().next() == Some(kind));
    lines.flat_map(|line| line.split_whitespace().skip(1)).collect()
}

fn is_of(kind: &'static str, word: &str) -> bool {
    static FOREIGN: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    static COMMAND: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    static ORDINARY: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    let list = match kind {
        "foreign" => &FOREIGN,
        "command" => &COMMAND,
        _ => &ORDINARY,
    };
    let words = list.get_or_init(|| of_kind(kind));
    // A command has no plural.
    let forms = if kind == "command" { vec![word.to_owned()] } else { singulars(word) };
    forms.iter().any(|word| words.contains(word.as_str()))
}

/// Whether a word speaks for the world, whatever stands beside it.
pub fn is_foreign(word: &str) -> bool {
    is_of("foreign", word)
}

/// Whether a question is for a command of the shell: `what does the tar command do`.
fn asks_for_command(lower: &[String], here: &HereOf) -> bool {
    let words: Vec<&str> = lower.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    let is_one = |word: &str| is_of("command", word) && !(here.is_called)(word);
    match words.as_slice() {
        ["what", "does" | "is", "the", name, "command" | "utility" | "tool", ..]
        | ["how", "do", "i", "use", "the", name, "command" | "utility" | "tool", ..]
        | ["how", "does", "the", name, "command" | "utility", "work"]
        | ["explain" | "describe", "the", name, "command" | "utility", ..]
        | ["what", "does" | "is", "the", _, "flag" | "option" | "switch", "of" | "in" | "for" | "to", name, ..]
        | ["what", "does" | "is", "the", "flag" | "option" | "switch", "of" | "in" | "for" | "to", name, ..] => {
            is_of("command", name)
        }
        ["what", "does", name, "do" | "mean", ..]
        | ["how", "does", name, "work"]
        | ["how", "do", "i", "use", name]
        | ["how", "to", "use", name] => is_one(name),
        _ => false,
    }
}

/// Whether a question how something is done speaks of a topic of the world that the repository speaks of too: `how do I
/// return json` where a class is called `JSONResponse`.
pub fn is_doubtful(question: &ParsedQuestion, phrase: &Phrase, here: &HereOf) -> bool {
    let lower = question.lower_words();
    let is_elsewhere = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| lower[before].as_str());
        is_foreign(&lower[at]) || is_in("in using with on", before) && is_topic(&lower[at])
    };
    if !phrase.has(DEEDS) || (0..lower.len()).any(is_elsewhere) || lower.iter().any(|word| word == "python") {
        return false;
    }
    let is_alone = |at: &usize| {
        let word = &lower[*at];
        is_topic(word) && !is_in(TYPES, word) && ((here.times)(word) > 0 || (here.is_told)(std::slice::from_ref(word)))
    };
    let is_pair = |pair: &[String]| is_concept(&pair[0], &pair[1]) && (here.is_told)(pair);
    (3..lower.len()).any(|at| is_alone(&at)) || lower.windows(2).any(is_pair)
}

/// Whether a question has a thing defined that no name and no document has: `what is a hash collision`.
fn defines_another(lower: &[String], here: &HereOf) -> bool {
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let (["what", "is", "a" | "an", thing @ ..]
    | ["what's" | "whats" | "explain" | "define" | "describe", "a" | "an", thing @ ..]
    | ["what", "does", "a" | "an", thing @ .., "do"]) = words.as_slice()
    else {
        return false;
    };
    let is_plain = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !is_stop_word(word);
    let parts: Vec<String> = thing.iter().flat_map(|word| word.split('-')).map(str::to_owned).collect();
    let is_other = |word: &String| (here.times)(word) == 0 && (here.is_known)(word);
    (2..4).contains(&thing.len())
        && thing.iter().all(is_plain)
        && parts.iter().any(is_other)
        && !(here.is_called)(&thing.join("_"))
        && !(here.is_told)(&parts)
}

/// Whether one of two things that are compared is in no name here: `difference between websockets and SSE`.
fn compares_another(question: &ParsedQuestion, lower: &[String], here: &HereOf) -> bool {
    let Some(start) = lower.iter().position(|word| word == "between") else { return false };
    let Some(middle) = lower.iter().skip(start).position(|word| word == "and").map(|at| start + at) else {
        return false;
    };
    let is_code = |at: usize| {
        let text = &question.words[at].text;
        let is_abbreviation = text.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '.' || c == '/');
        question.words[at].shape == Shape::Code && !is_abbreviation
    };
    if middle == start + 1 || middle + 1 == lower.len() || (start..lower.len()).any(is_code) {
        return false;
    }
    let is_other = |at: usize| {
        let text = &question.words[at].text;
        let is_name = text.starts_with(char::is_uppercase);
        (here.times)(&lower[at]) == 0 && !(here.is_called)(&lower[at]) && (is_name || (here.is_known)(&lower[at]))
    };
    let is_side_other = |mut side: std::ops::Range<usize>| {
        let telling: Vec<usize> = side.by_ref().filter(|at| !is_in("a an", &lower[*at])).collect();
        // `the` thing is one of the repository.
        let is_plain = telling.iter().all(|at| lower[*at] != "the" && !is_stop_word(&lower[*at]));
        (1..3).contains(&telling.len()) && is_plain && telling.iter().all(|at| is_other(*at))
    };
    is_side_other(start + 1..middle) || is_side_other(middle + 1..lower.len())
}

/// Whether nothing of a question is about the repository, and something of it is about the world.
pub fn is_general(question: &ParsedQuestion, phrase: &Phrase, here: &HereOf) -> bool {
    let lower = question.lower_words();
    let is_marked = question.words.iter().any(|word| word.is_quoted || word.value.is_some());
    if !question.quotes.is_empty() || is_marked || phrase.has(OF_REPOSITORY) {
        return false;
    }
    if asks_for_command(&lower, here) {
        return true;
    }
    if (0..lower.len()).any(|at| points_here(&lower, at)) {
        return false;
    }
    if defines_another(&lower, here) || compares_another(question, &lower, here) {
        return true;
    }
    phrase.has(FORMS) && !phrase.has(OF_CODE) && Weighed::of(question, phrase, here, &lower).is_of_world()
}

/// The word before the one at `at`.
fn before(lower: &[String], at: usize) -> &str {
    at.checked_sub(1).map_or("", |before| lower[before].as_str())
}

/// Whether a word points at the repository: `here`, `our`, `the docs`.
fn points_here(lower: &[String], at: usize) -> bool {
    // `is it possible to reverse a list`
    let is_idle = || {
        let behind = lower.get(at + 1).map_or("", String::as_str);
        is_in("is was does", before(lower, at))
            && is_in("possible safe better bad good okay ok true worth take mean cost", behind)
    };
    is_in(OURS, &lower[at])
        || lower[at] == "it" && !is_idle()
        || is_in(OF_PROJECT, &lower[at]) && is_in("the my your our", before(lower, at))
}

/// Whether a question speaks of a thing that its user has, as anybody may: `change my shell`.
pub fn is_of_own_thing(lower: &[String]) -> bool {
    lower.windows(2).any(|pair| pair[0] == "my" && is_in(OWN_THINGS, &pair[1]))
}

/// The words of a question that tell something, each with the side that it speaks for.
struct Weighed<'q> {
    lower: &'q [String],
    question: &'q ParsedQuestion,
    here: &'q HereOf<'q>,
    /// It asks how something is done.
    is_deed: bool,
    /// It asks for a definition.
    is_defining: bool,
    /// It is defined, or asked what it uses or means: `what port does HTTPS use`.
    asks_of_topic: bool,
    clues: Vec<(usize, WorldClue)>,
}

impl<'q> Weighed<'q> {
    fn of(question: &'q ParsedQuestion, phrase: &Phrase, here: &'q HereOf<'q>, lower: &'q [String]) -> Self {
        let is_defining = phrase.has(
            "^ what is/are | ^ what's/whats | ^ explain/describe/define | difference/differences between | vs/versus",
        );
        let mut weighed = Self {
            lower,
            question,
            here,
            is_deed: phrase.has(DEEDS),
            is_defining,
            asks_of_topic: is_defining || phrase.has("^ what/which .. do/does .. use/mean/have"),
            clues: Vec::new(),
        };
        let telling = (1..lower.len()).filter(|at| lower[*at] == "python" || !is_stop_word(&lower[*at]));
        weighed.clues = telling.map(|at| (at, weighed.clue(at))).collect();
        weighed
    }

    fn has(&self, asked: WorldClue) -> bool {
        self.clues.iter().any(|(_, clue)| *clue == asked)
    }

    /// The side that the word at `at` speaks for.
    fn clue(&self, at: usize) -> WorldClue {
        let (word, text) = (&self.lower[at], &self.question.words[at].text);
        let (here, before) = (self.here, before(self.lower, at));
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let is_python = word == "python" && is_in("in of with using are is does why", before);
        // A word is a name of a person or a place for its capital letter, unless it begins the question.
        let is_title = at > 0 && self.question.words[at].shape == Shape::Capitalized;
        match () {
            () if is_python || before == "my" && is_in(OWN_THINGS, word) => WorldClue::Foreign,
            () if is_of("foreign", word) && !(here.is_called)(word) && !self.is_done_with(at) => WorldClue::Foreign,
            () if self.is_in_pair(at, &|pair| is_of("foreign", &pair.join("_"))) => WorldClue::Foreign,
            () if self.is_in_pair(at, &is_topic_pair) => WorldClue::Topic,
            // `HTTP/2`
            () if is_version(text) && !(here.is_called)(word) => WorldClue::Topic,
            () if is_number || word.chars().count() < 2 => WorldClue::Ordinary,
            () if is_topic(word) && !(here.is_called)(word) => self.topic(at),
            // `how do I store a session in redis`
            () if is_of("ordinary", word) && self.is_named(word) => WorldClue::Here,
            () if is_of("ordinary", word) => match (here.times)(word) {
                0 if (here.is_absent)(word) => WorldClue::Absent,
                0..3 => WorldClue::Ordinary,
                _ => WorldClue::OrdinaryHere,
            },
            () if (here.times)(word) > 0 => WorldClue::Here,
            () if (here.is_absent)(word) || is_title && (here.is_absent)(text) => WorldClue::Absent,
            () => WorldClue::Faint,
        }
    }

    /// The side of a topic of the world.
    fn topic(&self, at: usize) -> WorldClue {
        let (word, text) = (&self.lower[at], &self.question.words[at].text);
        // Names have it in small letters, and a question that means them too.
        let is_abbreviation = text.len() > 2 && text.chars().all(char::is_uppercase);
        let is_type = is_in(TYPES, word);
        let is_of_world = match (self.here.times)(word) {
            0 => true,
            _ if self.is_deed => is_type,
            1..3 => true,
            _ => self.is_defining || is_abbreviation || is_type,
        };
        if is_of_world { WorldClue::Topic } else { WorldClue::TopicHere }
    }

    /// Whether many names here have a thing of the world that something is done with: `how do I take a screenshot`.
    fn is_done_with(&self, at: usize) -> bool {
        /// So many names are no accident.
        const MANY: usize = 3;
        let is_elsewhere = is_in("in on using with from to", before(self.lower, at));
        self.is_deed && !is_elsewhere && (self.here.times)(&self.lower[at]) >= MANY
    }

    /// Whether the word at `at` makes such a pair with the one before or behind it, which nothing here is called.
    fn is_in_pair(&self, at: usize, is_one: &dyn Fn(&[String]) -> bool) -> bool {
        let pair = |first: usize| self.lower.get(first..first + 2);
        let pairs = [at.checked_sub(1).and_then(pair), pair(at)];
        let is_told = pairs.iter().flatten().any(|pair| (self.here.is_told)(pair));
        let is_free = |pair: &&[String]| is_one(pair) && !(self.here.is_called)(&pair.join("_"));
        pairs.into_iter().flatten().any(|pair| is_free(&pair)) && !(self.is_deed && is_told)
    }

    /// Whether something here is called so, and no system and no language has such a thing.
    fn is_named(&self, word: &str) -> bool {
        let is_of_any = |one: &String| is_in(OF_SYSTEMS, one) || is_in(TYPES, one);
        (self.here.is_called)(word) && !singulars(word).iter().any(is_of_any)
    }

    /// `the session` is one of the repository.
    fn is_definite(&self, at: usize, clue: WorldClue) -> bool {
        before(self.lower, at) == "the"
            && !is_in(DEFINITE, &self.lower[at])
            && matches!(clue, WorldClue::OrdinaryHere | WorldClue::Faint)
    }

    /// Whether a word is what is done: `how do I paginate`.
    fn is_verb(&self, at: usize) -> bool {
        is_in("i you one to", before(self.lower, at)) || is_in("does do did", &self.lower[0]) && at > 2
    }

    /// Whether the words speak for the world, all together.
    fn is_of_world(&self) -> bool {
        let lower = self.lower;
        let is_foreign = self.has(WorldClue::Foreign);
        // `what is the color of the sun`, where a class is called `Color`
        let is_of_thing = lower.len() > 3 && before(lower, lower.len() - 1) == "the" && lower[lower.len() - 3] == "of";
        if self.is_defining && is_of_thing && self.clues.last() == Some(&(lower.len() - 1, WorldClue::Foreign)) {
            return true;
        }
        // Who speaks of code asks for some, unless a language or a tool is named.
        let speaks_of_code = lower.iter().any(|word| singulars(word).iter().any(|one| is_in(CODE_NOUNS, one)));
        // `close my bank account`, whatever else can be closed here
        let is_here = |at: usize| !(is_foreign && self.is_deed && self.is_verb(at));
        let is_of_repository = |(at, clue): &(usize, WorldClue)| {
            *clue == WorldClue::Here && is_here(*at) || !is_foreign && self.is_definite(*at, *clue)
        };
        if speaks_of_code && !is_foreign || self.clues.iter().any(is_of_repository) {
            return false;
        }
        // The verb of `how do I paginate` may be missing here, and yet be asked of the repository.
        let is_missing = |(at, clue): &&(usize, WorldClue)| *clue == WorldClue::Absent && !self.is_verb(*at);
        let absent: Vec<usize> = self.clues.iter().filter(is_missing).map(|(at, _)| *at).collect();
        let is_of_type = self.clues.iter().any(|(at, _)| is_in(TYPES, &lower[*at]));
        let is_of_topic = self.has(WorldClue::Topic) && (self.asks_of_topic || !absent.is_empty());
        // `file my taxes`
        let is_own = absent.iter().any(|at| before(lower, *at) == "my");
        let is_outweighed = is_foreign || is_of_type || is_of_topic || is_own || absent.len() > 1;
        let speaks_for_world = is_foreign || self.has(WorldClue::Topic) || !absent.is_empty();
        let has_little_here =
            !self.has(WorldClue::OrdinaryHere) && (!absent.is_empty() || !self.has(WorldClue::TopicHere));
        speaks_for_world && (is_outweighed || has_little_here)
    }
}

/// Whether two words name a topic of the world.
fn is_topic_pair(pair: &[String]) -> bool {
    is_concept(&pair[0], &pair[1]) || is_topic(&pair.join("_"))
}

/// Whether this is a protocol in one of its versions: `HTTP/2`.
pub fn is_version(text: &str) -> bool {
    text.split_once('/').is_some_and(|(name, number)| {
        name.chars().all(|c| c.is_ascii_uppercase()) && number.starts_with(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_doubtful(text: &str) -> bool {
        asked(text, &|question, phrase, here| super::is_doubtful(question, phrase, here))
    }

    fn is_general(text: &str) -> bool {
        asked(text, &|question, phrase, here| super::is_general(question, phrase, here))
    }

    fn asked(text: &str, whether: &dyn Fn(&ParsedQuestion, &Phrase, &HereOf) -> bool) -> bool {
        let question = ParsedQuestion::parse(text);
        let phrase = Phrase::of_words(question.lower_words());
        let here = HereOf {
            is_called: &|word| ["session", "json", "sort"].contains(&word),
            times: &|word| {
                let stem = word.trim_end_matches('s');
                if ["session", "request", "response", "port", "file", "process", "stream", "http", "screenshot"]
                    .contains(&stem)
                {
                    5
                } else {
                    0
                }
            },
            is_known: &|word| !["blueprnt", "SSE"].contains(&word),
            is_told: &|words| words.contains(&"slotted".to_owned()),
            is_absent: &|word| ["sky", "blue", "ocean", "salty", "paginate", "stateless", "Hamlet"].contains(&word),
        };
        whether(&question, &phrase, &here)
    }

    #[test]
    fn a_question_without_a_word_of_the_repository_is_general() {
        for text in [
            "why is the sky blue?",
            "how do I chmod a file?",
            "what does the tar command do?",
            "what does grep -r do?",
            "how do I open a port in the firewall?",
            "who wrote Hamlet?",
            "is UDP reliable?",
            "is it possible to reverse a list in python?",
            "why is the ocean salty?",
            "how do I kill a process on ubuntu?",
            "what is the latest version of Python?",
            "what is a hash collision?",
            "what is the difference between a session and SSE?",
            "what does the -f flag of rm do?",
            "how do I pass my driving test?",
            "how do I close my bank account?",
            "how do I change my shell to zsh?",
            "what is the json of the sun?",
        ] {
            assert!(is_general(text), "{text}");
        }
    }

    #[test]
    fn a_question_with_a_word_of_the_repository_is_not() {
        for text in [
            "how do I stream a response?",
            "how do I paginate?",
            "how do I take a screenshot?",
            "how do I store a session in redis?",
            "does it work on ubuntu?",
            "how do I run it with ssl?",
            "how do I run the tests on ubuntu?",
            "is redis used?",
            "which functions use redis?",
            "what is the default port?",
            "what does sort do?",
            "what is the minimum version of python?",
            "how do I use redis here?",
            "is http supported?",
            "what is a slotted class?",
            "what is a session request?",
            "what is the most complex function?",
            "is Session a metaclass?",
            "which third party packages are imported?",
            "which globals are written by functions?",
            "which docstrings are longer than 5 lines?",
            "what is the difference between a session and a request?",
        ] {
            assert!(!is_general(text), "{text}");
        }
    }

    #[test]
    fn a_topic_that_the_repository_speaks_of_makes_a_deed_doubtful() {
        assert!(is_doubtful("how do I send http?") && is_doubtful("can I use http?"));
        assert!(!is_doubtful("how do I sort a list?") && !is_doubtful("how do I send http in python?"));
        assert!(!is_doubtful("what is http?"));
    }

    #[test]
    fn every_line_of_the_table_has_a_kind_and_words_in_order() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            assert!(["foreign ", "command ", "ordinary"].iter().any(|kind| line.starts_with(kind)), "{line}");
            assert!(words.is_sorted(), "{line}");
        }
    }
}
