//! Recognizes questions about the world: `how do I reverse a list`, `what is a monad`, `write me a poem`.
//!
//! A question that is taken for one of the world by mistake has no answer, and the other error costs a search. So each
//! of its telling words has to be known from such questions, and its form has to be one in which people ask them.

use std::{collections::BTreeMap, sync::OnceLock};

use crate::ask::reading::{
    forms::{concepts::is_concept, patterns::Phrase},
    words::{ParsedQuestion, QuestionWord, Shape, is_in, is_stop_word},
};

/// The words, a kind and some words a line.
const TABLE: &str = include_str!("world.txt");

/// Languages besides that of the repository: code in them is not asked of it.
const OTHER_LANGUAGES: &str = "bash c c# c++ css excel golang haskell html java javascript kotlin matlab perl php powershell ruby \
     rust scala sql swift typescript";
/// Forms in which the world is asked about.
const FORMS: &str = "^ what is/are/was/were/does | ^ what's/whats | what/which year | ^ explain/describe/define | ^ compare | \
     difference* between | which/what .. better/best | vs/versus | ^ why | ^ is/are/can/does | ^ who is/was/won/invented/wrote/created/founded | ^ when was/did/is | \
     ^ how do/does/can/could/would/should i/you/one | ^ how to | how .. work/works | \
     ^ write/tell/give/compose/sing/recommend/suggest/translate/create/implement | \
     ^ can/could you/u write/tell/give/compose/sing/recommend/suggest/translate/explain | how much/tall/old/far | \
     ^ how many days/weeks/months/hours/minutes/seconds/planets/continents/countries/oceans/languages | ^ convert";
/// Whole questions that are about the world whatever their words are.
const WHOLE: &str = "^ what time/day is it | ^ what's/whats the time/date/weather | ^ how are you | ^ who/what are you $ | \
     ^ are you .. $ | ^ who made/built/created/trained/wrote/programmed/develops/developed you $ | \
     ^ which/what .. model/llm/ai are/do you | what .. your name | ^ do you have feelings/emotions/consciousness | \
     ^ what/which ... pep # say/says/recommend/recommends/propose/proposes | ^ what does/do/did/is/are pep # | \
     ^ what's/whats pep # | ^ explain/describe/summarize/summarise pep # | ^ hello/hi/hey/thanks/bye/goodbye/cheers/thx $ | \
     ^ hello/hi/hey there/friend/everyone $ | ^ good morning/evening/afternoon/night $ | ^ thank you ... $ | \
     ^ thanks a/so/for .. $ | ^ how many seconds/minutes/hours/days/weeks/months/years/inches/feet/centimeters/grams/ounces .. in/are/make/does a/an/one/the ... | what should i eat/cook/wear/watch/drink | how many people live | ^ how tall/old/far/heavy is/are | \
     ^ how many tests should i/you/one/developers write ... | ^ why should/must i/you/one/developers write .. tests/documentation/comments $ | ^ why do we need .. tests/documentation/comments $ | ^ who painted/composed/discovered/directed/sang";
/// Texts and small programs that are ordered, as they are for anybody.
const ORDERED: &str = "^ write/compose/generate/give/create .. poem/haiku/limerick/song/essay/regex/regexp/tweet/dockerfile ... | ^ generate/create .. password $ | ^ write .. email/letter/resume/cv ... | \
     ^ how do/can/should i/you/one write a/an/my .. letter/resume/cv/essay/novel/diary ... | ^ how to write a/an/my .. letter/resume/cv/essay/novel/diary ... | \
     ^ how do/can/should i/you/one find/get/quit/lose/change a/my/another/new .. job ... | ^ how do/can/should i/you/one skip school/class/work ... | \
     ^ write/create/generate .. bash/shell/powershell/perl/python/sql script/program/query ...";
/// Heads of a sum: `what is 17 * 23`.
const SUMS: &str =
    "^ what is/are | ^ what's/whats | ^ how much is/are | ^ calculate/compute/evaluate/add/multiply/divide/subtract";
const OPERATORS: &str = "and by cubed divided from minus modulo multiplied of over percent plus power raised root square squared the times to x";
/// Programs of the profession: what is done with them is not asked of the repository.
const TOOLS: &str = "conda emacs excel git github gitlab npm pip pipenv pipx poetry pycharm vim vscode";
/// Systems and services: what is done on them by anybody is not asked of the repository.
const SYSTEMS: &str = "android aws azure heroku ios linux mac macos osx ubuntu windows";
/// Deeds of `git`, which questions seldom name.
const DEEDS_OF_GIT: &str = "amend/checkout/cherry-pick/delete/discard/drop/fork/merge/pull/push/rebase/rename/resolve/revert/reword/rewrite/split/squash/stash/undo .. \
     commit/commits/branch/branches/conflict/conflicts/fork/merge/merges/rebase/stash";
/// Words of questions about a language that are too ordinary to tell anything elsewhere.
const OF_PROGRAMS: &str = "app application argument attribute benchmark builtin call catch change check class close config connect \
     copy create custom debug debugger define directory documentation environment error exception file find folder function \
     global handle import inherit input library line load local log logger logging loop make measure member method mock mocking \
     mode module monkeypatch monkeypatching name object open output override package parameter patch path pin profile program \
     property publish raise read remove replace run running save script set settings standard stub subclass test type \
     uninstall use user variable virtual write";
/// Nouns behind which `Python` is the language, whatever class is called so.
const OF_LANGUAGE: &str = "application applications code community created developer developers file files invented \
     interpreter interpreters language libraries library package packages program programs released script scripts syntax \
     version versions";
/// Types of the language: behind an article they are meant, whatever class has such a name.
const TYPES: &str = "bool boolean dict dictionary float int integer list set string tuple";
/// Words by which a question speaks of the repository.
const OURS: &str = "here we our us this these repo repository codebase project app application package library module modules test \
     tests docs documentation changelog release config settings argument arguments parameter parameters";
/// A definite article before other words means a part of the repository.
const DEFINITE: &str = "biggest deepest highest largest oldest tallest advantage advantages average benefit benefits best capital ceo concept difference differences \
     disadvantages factorial fastest fibonacci first gil greatest king last length main maximum meaning minimum \
     point population president pros purpose queen rest same solid space speed square sum syntax time walrus weather \
     winner world";

/// Whether each word of the table is a topic; two words that make one topic are joined by `_`.
fn words() -> &'static BTreeMap<&'static str, bool> {
    static WORDS: OnceLock<BTreeMap<&'static str, bool>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut words = BTreeMap::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let mut line = line.split_whitespace();
            let is_topic = line.next() == Some("topic");
            for word in line {
                *words.entry(word).or_default() |= is_topic;
            }
        }
        words
    })
}

/// Whether a word is a topic of questions about the world.
pub fn is_topic(word: &str) -> bool {
    words().get(word) == Some(&true)
}

/// The word without common endings, in every way in which it may have got them.
pub fn singulars(word: &str) -> Vec<String> {
    let mut found = vec![word.to_owned()];
    for (ending, instead) in [("s", ""), ("es", ""), ("ies", "y"), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e")] {
        found.extend(word.strip_suffix(ending).map(|stem| format!("{stem}{instead}")));
    }
    found
}

/// Whether the word at `at` is the language of the program: `in Python`, `a Python class`, `when was Python released`.
pub fn is_language(words: &[QuestionWord], at: usize) -> bool {
    let word = &words[at];
    if word.is_quoted || word.shape == Shape::Code || word.lower() != "python" {
        return false;
    }
    let lower = |at: usize| words.get(at).map(QuestionWord::lower).unwrap_or_default();
    let before = at.checked_sub(1).map(lower).unwrap_or_default();
    let behind = lower(at + 1);
    let is_version = behind.starts_with(|c: char| c.is_ascii_digit());
    // `why is Python slow`, `who created Python`
    let is_judged =
        at == 2 && matches!((lower(0).as_str(), before.as_str()), ("why" | "what" | "how" | "when", "is" | "was"));
    let is_compared = (at == 1 && before == "is") && words.iter().any(|word| word.lower() == "than");
    is_in("in with using a an any some plain pure created invented", &before)
        || is_in(OF_LANGUAGE, &behind)
        || word.is_possessive
        || is_version
        || is_judged
        || is_compared
        || is_topic(&behind)
}

/// Whether a question is about programs in the language: `in Python`, `a Python script`.
pub fn asks_of_language(words: &[QuestionWord]) -> bool {
    (1..words.len()).any(|at| is_language(words, at) && is_in("in with using a an any some", &words[at - 1].lower()))
}

/// Whether a question is about programs in a language of other programs: `in JavaScript`.
pub fn asks_of_other_language(words: &[QuestionWord]) -> bool {
    words.windows(2).any(|pair| is_in("in using with", &pair[0].lower()) && is_in(OTHER_LANGUAGES, &pair[1].lower()))
}

/// Whether a question without names of the repository is about the world. `is_here` says whether the repository has a
/// name with such a part, and `is_called` whether a class, module or function of it is called so; an abbreviation in
/// capitals is compared as it is written.
pub fn is_of_world(
    question: &ParsedQuestion,
    phrase: &Phrase,
    is_here: &dyn Fn(&str) -> bool,
    is_called: &dyn Fn(&str) -> bool,
) -> bool {
    let lower = question.lower_words();
    if phrase.has(WHOLE) || is_sum(phrase, &lower) {
        return true;
    }
    if is_of_language(phrase, &lower, is_called) {
        return true;
    }
    // Of other questions a text in quotes is one that the repository has.
    let has_text = !question.quotes.is_empty() && !phrase.has("^ translate");
    let is_python = asks_of_language(&question.words);
    let has_pair = |before: &str, list: &str| {
        lower.windows(2).any(|pair| is_in(before, &pair[0]) && is_in(list, &pair[1]) && !is_called(&pair[1]))
    };
    let is_on_system = has_pair("on to", SYSTEMS);
    let is_of_tool = has_pair("in using with", TOOLS) || is_on_system;
    let is_ours = |at: usize| {
        // `a package`, `unit tests in Python`: anybody's.
        let is_own = is_in("here we our us this these repo repository codebase", &lower[at]);
        let is_pointed_at = at > 0 && is_in("the our this these your", &lower[at - 1]);
        is_in(OURS, &lower[at]) && (!(is_python || is_of_tool) || is_own || is_pointed_at)
    };
    // Who installs without an object installs the project, and what is there is asked of it.
    let is_of_project = phrase.has(
        "install from/using/via/with | ^ is/are there | it ... licensed | \
         ^ is/are .. used/supported/needed/required/imported/available/installed",
    );
    // `how do I run it`; `is it possible` speaks of nothing.
    let is_it = |at: usize| {
        let is_idle = at == 1
            && lower[0] == "is"
            && lower.get(2).is_some_and(|word| is_in("bad better good ok okay possible safe true worth", word));
        lower[at] == "it" && at > 0 && !is_idle
    };
    if !phrase.has(FORMS) || is_of_project || has_text || (0..lower.len()).any(|at| is_ours(at) || is_it(at)) {
        return false;
    }
    let is_of_git = || {
        let asks_how = phrase.has("^ how do/can/could/would/should i/you/one & !between | ^ how to & !between");
        let noun = phrase.place(DEEDS_OF_GIT).map(|(_, end)| lower[end - 1].as_str());
        asks_how && noun.is_some_and(|noun| !is_called(noun))
    };
    if is_of_git() {
        return true;
    }
    if phrase.has(ORDERED) && !(1..lower.len()).any(|at| lower[at - 1] == "the" && is_here(&lower[at])) {
        return true;
    }
    let is_language =
        |pair: &[String]| matches!(pair[0].as_str(), "in" | "using" | "with") && is_in(OTHER_LANGUAGES, &pair[1]);
    let is_plain = |word: &QuestionWord| matches!(word.shape, Shape::Plain | Shape::Capitalized);
    let is_go = question.words.windows(2).any(|pair| pair[0].text == "in" && pair[1].text == "Go");
    if (is_go || lower.windows(2).any(is_language)) && question.words.iter().all(is_plain) {
        return true;
    }
    // `HTTPS` is a part of many names, and means none of them.
    let is_abbreviation = |at: usize| {
        let text = &question.words[at].text;
        text.len() > 1 && text.chars().all(char::is_uppercase)
    };
    let is_title = |at: usize| question.words[at].shape == Shape::Capitalized;
    let topics = Topic::all(&question.words);
    let begins_topic = |at: usize| topics.iter().any(|topic| topic.at == at);
    let is_definite = |at: usize| {
        lower[at - 1] == "the"
            && !is_in(DEFINITE, &lower[at])
            && !((is_abbreviation(at) || is_title(at)) && begins_topic(at))
    };
    if !is_python && !is_of_tool && (1..lower.len()).any(is_definite) {
        return false;
    }
    let is_known = |at: &usize| {
        let is_of_pair = topics.iter().any(|topic| (topic.at..topic.at + topic.words).contains(at));
        let is_number = lower[*at].chars().all(|character| character.is_ascii_digit());
        // Of what is asked of a language, only the words of names here speak of the repository.
        let is_ordinary = is_python || is_of_tool;
        let is_anybodys =
            || singulars(&lower[*at]).iter().any(|word| is_in(OF_PROGRAMS, word)) || !is_here(&lower[*at]);
        is_of_pair || is_number || kind_of(&question.words[*at]).is_some() || is_ordinary && is_anybodys()
    };
    let is_told = |at: &usize| {
        let word = &question.words[*at];
        // The first word is no name for its capital letter; a later one is of a place, a person or a product.
        let is_name = word.shape == Shape::Capitalized && *at > 0 && !is_here(&lower[*at]);
        !is_stop_word(&lower[*at]) && !is_name
    };
    if topics.is_empty() || !(0..lower.len()).filter(is_told).all(|at| is_known(&at)) {
        return false;
    }
    // `what is a job queue`: whatever the words mean alone, something here is called so.
    let thing =
        phrase.place("^ what is/are a/an | ^ how does/do a/an | ^ explain/describe a/an").map(|(_, end)| &lower[end..]);
    let thing = thing.map(|words| words.strip_suffix(&["work".to_owned()]).unwrap_or(words));
    if thing.is_some_and(|words| words.len() > 1 && (is_called(&words.concat()) || is_called(&words.join("_")))) {
        return false;
    }
    // `a list`, `a linked list`
    let is_type = |at: usize| {
        let has_article = (at.saturating_sub(2)..at).any(|before| is_in("a an", &lower[before]));
        question.words[at].shape == Shape::Plain && is_in(TYPES, &lower[at]) && has_article
    };
    // `how do threads work` may ask how they do here.
    let is_open = phrase.has("how .. work/works | ^ is/are/can/does/why") && !is_python;
    // `how does HTTP parsing work`, where names have both words
    let telling: Vec<usize> = (0..lower.len()).filter(is_told).filter(|at| *at > 0).collect();
    let is_part = |at: &usize| singulars(&lower[*at]).iter().any(|word| is_here(word));
    if is_open && telling.len() > 1 && telling.iter().all(is_part) {
        return false;
    }
    let is_defined = !is_python && (!is_of_tool || is_on_system) && !phrase.has("^ write/tell/give/compose");
    let is_of_repository = |topic: &Topic| {
        let at = topic.at;
        if topic.words == 2 {
            let pair = &lower[at..at + 2];
            return is_defined && (is_called(&pair.concat()) || is_called(&pair.join("_")))
                || is_open && pair.iter().all(|word| is_here(word));
        }
        let written = if is_abbreviation(at) { &question.words[at].text } else { &lower[at] };
        // The language of the repository says nothing about it.
        lower[at] != "python"
            && !is_type(at)
            && (is_defined && is_called(written) || is_open && !is_abbreviation(at) && is_here(&lower[at]))
    };
    !topics.iter().any(is_of_repository)
}

/// Whether a question judges a language: `is Python interpreted or compiled`, `is JavaScript single threaded`.
fn is_of_language(phrase: &Phrase, lower: &[String], is_called: &dyn Fn(&str) -> bool) -> bool {
    const QUALITIES: &str = "compiled dead dynamic dynamically fast functional interpreted object-oriented pass-by-value popular \
         single-threaded slow statically strongly typed weakly";
    let [verb, language, rest @ ..] = lower else { return false };
    let is_one = language == "python" || is_in(OTHER_LANGUAGES, language) && !is_called(language);
    let is_judged = rest.iter().any(|word| is_in(QUALITIES, word)) || phrase.has("single/multi threaded");
    is_in("is are", verb) && is_one && is_judged
}

/// Whether the question is a sum of numbers: `what is 15% of 80`.
fn is_sum(phrase: &Phrase, lower: &[String]) -> bool {
    let Some((_, end)) = phrase.place(SUMS) else { return false };
    let is_number = |word: &&String| word.trim_end_matches('%').parse::<f64>().is_ok();
    let is_operator = |word: &String| is_in(OPERATORS, word) || !word.contains(char::is_alphanumeric);
    let rest = &lower[end..];
    rest.iter().filter(is_number).count() > 1 && rest.iter().all(|word| is_number(&word) || is_operator(word))
}

/// A topic of a question, as one word or two.
struct Topic {
    at: usize,
    words: usize,
}

impl Topic {
    /// The topics among these words.
    fn all(words: &[QuestionWord]) -> Vec<Topic> {
        let is_pair = |at: &usize| {
            let (first, second) = (words[at - 1].lower(), words[*at].lower());
            kind(&format!("{first}_{second}")) == Some(true) || is_concept(&first, &second)
        };
        let pairs = (1..words.len()).filter(is_pair);
        let mut found: Vec<Topic> = pairs.map(|at| Topic { at: at - 1, words: 2 }).collect();
        for at in (0..words.len()).filter(|at| kind_of(&words[*at]) == Some(true)) {
            if !found.iter().any(|topic| (topic.at..topic.at + topic.words).contains(&at)) {
                found.push(Topic { at, words: 1 });
            }
        }
        found
    }
}

/// Whether a word of a question is a topic, as it is written or in any form; `None` if the table has no such word.
fn kind_of(word: &QuestionWord) -> Option<bool> {
    words().get(word.text.as_str()).copied().or_else(|| kind(&word.lower()))
}

/// Whether a word or one without its endings is a topic; `None` for words that are not in the table.
fn kind(word: &str) -> Option<bool> {
    singulars(word).iter().find_map(|word| words().get(word.as_str()).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_of_world(text: &str) -> bool {
        let question = ParsedQuestion::parse(text);
        let phrase = Phrase::of_words(question.lower_words());
        let is_here =
            |word: &str| ["http", "json", "thread", "context", "test", "route"].contains(&word.trim_end_matches('s'));
        super::is_of_world(&question, &phrase, &is_here, &|word| {
            ["queue", "list", "flask", "jobqueue", "get"].contains(&word)
        })
    }

    #[test]
    fn questions_of_the_world_have_only_words_of_the_world() {
        for text in [
            "how do I reverse a list in python",
            "explain what a decorator is",
            "write me a poem",
            "difference between git merge and rebase",
            "what is a monad",
            "who is the president of France",
            "how do I sort a dictionary by value",
            "what is the difference between a list and a tuple",
            "which is better, vim or emacs",
            "how to parse a query in javascript",
            "what are python generators",
            "write a function that reverses a string",
            "explain recursion to a beginner",
            "tell me a joke",
            "what is a linked list",
            "what is Unix?",
            "how does HTTPS work?",
            "who wrote Linux?",
            "what is the difference between Django and FastAPI?",
            "what is a context manager?",
            "what does the yield keyword do in Python?",
            "how do I merge two branches in git",
            "what does HTTP 502 mean",
            "what time is it?",
            "convert 10 miles to km",
            "explain the CAP theorem",
            "what is the difference between GET and POST?",
            "translate \"good morning\" into French",
            "how do I upgrade pip?",
            "how do I delete a remote branch?",
            "when was Java released?",
            "how many days are in a leap year?",
            "how can I stub a class in Python?",
            "how do I time a Python function?",
            "how do you write a test in Python?",
            "how do I remove a package with pip?",
            "how do I amend a commit?",
            "how can I undo a rebase?",
            "what does PEP 20 say?",
            "what is 12 + 30?",
            "what's 5% of 40?",
            "are you a robot?",
            "how do I install python on mac?",
            "hello",
            "good morning!",
            "who is the president of the United States?",
            "write a bash script that deletes old files",
            "write a regex that matches a date",
            "how do I read a file in Go?",
            "is Python interpreted or compiled?",
            "is JavaScript single threaded?",
            "what is 2 to the power of 10?",
            "is it possible to reverse a list in python?",
        ] {
            assert!(is_of_world(text), "{text}");
        }
        for text in [
            "how does routing work",
            "what is a blueprint",
            "explain the session interface",
            "how do threads work",
            "how do I sort a list of routes in python",
            "explain the decorator",
            "how do I run the tests in docker",
            "how do I run tests in docker",
            "is python 3.8 supported",
            "what is a queue",
            "what is List",
            "how does https work",
            "what is the difference between Django and Flask?",
            "what does a generator do in this repository",
            "which functions reverse a list",
            "where is a list reversed",
            "what is the context of a request",
            "what is a context",
            "what is a job queue",
            "what does get do",
            "convert a context to json",
            "what is 404?",
            "how do I install with pip?",
            "how do I write the test in Python?",
            "how do I drop a queue?",
            "which documents mention PEP 20?",
            "how does the queue resolve conflicts?",
            "how do I sort a queue?",
            "write a regex for the route",
            "how does json parsing of a context work",
            "is javascript supported?",
            "is Docker used?",
            "hello in a context",
            "how do I run it with ssl?",
            "does it work on linux?",
        ] {
            assert!(!is_of_world(text), "{text}");
        }
    }

    #[test]
    fn every_line_of_the_table_has_a_kind_and_words() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            assert!(line.starts_with("topic   ") || line.starts_with("helper  "), "{line}");
        }
    }
}
