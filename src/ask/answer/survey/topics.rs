//! Answers with the definitions nearest to a topic among those of a kind, or in a file: `functions about cookies in
//! a.py`.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, survey::hit_row},
        reading::{
            forms::{
                QuestionIntent,
                patterns::{Captured, captured},
            },
            names::{NameMatch, at_path},
            plan::{PlannedFile, Understood},
            relations::is_of_relation,
            words::{is_in, is_stop_word, stem},
        },
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        search::{SearchOptions, absent},
        target::filter::{DefinitionMark, Filter, FilterReader},
        words::shell_word,
    },
    store::error::StoreError,
    texts::documents::is_document,
};

/// Wordings of such questions: `A` is the kind of definition, `B..` the topic.
const BY_TOPIC: [&str; 5] = [
    "A about/concerning/regarding/around/on B..",
    "A (that/which) (are/is) about/concerned/concerning/related/dealing/deal/deals/responsible/used (with/to/for) B..",
    "A (that/which) (do/does/is/are) handle/handles/handling/concern/concerns/involve/involves B..",
    "A for B..",
    "A related to B..",
];
/// Further ones, which need a file: `code that signs cookies`, `where are cookies handled`.
const BY_DEED: [&str; 3] = ["A that/which B..", "where is/are/do/does/did/get/gets (the/a/an) B..", "A for/to B.."];
/// Words before the kind.
const HEAD: &str = "all any are can find give i is list me of please point search show the there to what which you";
/// Words between a preposition and a file.
const BEFORE_FILE: &str = "directory file folder module package the";
const PREPOSITIONS: &str = "below from in inside of under within";
/// Words by which a clause states a relationship or a property that the index knows.
const STATED: &str = "accept accepts are call calls catch catches define defines derive derives don't doesn't extend extends had has have import \
     imports inherit inherits is lack lacks need needs never no not override overrides raise raises return returns take takes use uses yield \
     yields";
/// Words up to the verb of `that do not raise`.
const LONGEST_AUXILIARY: usize = 3;
/// Deeds for which the index has relationships or places.
const KNOWN_DEEDS: &str = "assigned called caught created defined imported instantiated invoked overridden raised read returned set tested \
     thrown used written";
/// Words of which a question about coverage has one.
const OF_COVERAGE: &str = "coverage covered covers exercised lack lacking lacks missing never no none not reached tested uncovered untested without";
/// Words of those who want a whole file described.
const OF_OUTLINE: &str =
    "brief briefly describe explain gist guide nutshell outline overview summarize summary tour walk";
/// Words for the whole program, of which entry points are asked.
const OF_PROGRAM: &str = "app application cli entry it main package program project script server service tool";
/// Definitions that a search returns, and those that a model sees in full.
const MAX_FOUND: usize = 12;
const SHOWN_IN_FULL: usize = 5;

/// A topic that is looked for, and the kinds of definitions that can be about it.
#[derive(Debug, PartialEq, Eq)]
struct SearchedTopic {
    kinds: Vec<EntityKind>,
    is_of_tests: bool,
    text: String,
}

/// Answers with the nearest definitions of a kind or in a file; `None` for other questions.
pub(in crate::ask::answer) fn by_topic(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let plan = &understood.plan;
    let is_other = understood.own.is_some()
        || understood.reverse.is_some()
        || understood.lost_list.is_some()
        || understood.revision.is_some()
        || !understood.question.quotes.is_empty()
        || plan.files.iter().any(|file| file.paths.is_empty());
    if is_other {
        return Ok(None);
    }
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.as_str()).collect();
    let Some((rest, has_file)) = without_files(&words, &plan.files) else { return Ok(None) };
    let Some(topic) = topic(&rest, has_file) else { return Ok(None) };
    // `tests for Session` and `code about a.b` name what they are about.
    let is_named = plan.subjects.iter().any(|subject| {
        let is_said = topic.text.split(' ').any(|word| word.trim_matches('`') == subject.mention);
        let is_code = subject.mention.contains(['.', '_']) || subject.mention.contains(char::is_uppercase);
        let is_callable = subject.kind.is_callable() || subject.kind == EntityKind::Class;
        is_said && subject.matched == NameMatch::Exact && (is_code || topic.is_of_tests && is_callable)
    });
    if is_named { Ok(None) } else { near(reading, understood, &topic).map(Some) }
}

/// Whether an answer is far from its question: words were not understood, and the rest is about the whole repository.
pub(in crate::ask::answer) fn is_far(understood: &Understood, answer: &Answer) -> bool {
    use QuestionIntent as I;
    let words = &understood.words;
    let has = |known: &str| words.iter().any(|word| is_in(known, word));
    let is_unread = answer.headline.contains("not understood; without");
    let is_of_nothing = understood.targets.is_empty() && understood.own.is_none();
    is_of_nothing
        && match understood.plan.intent {
            I::Coverage => is_unread && !has(OF_COVERAGE),
            I::EntryPoints => words.first().is_some_and(|word| is_in("explain how describe", word)) && !has(OF_PROGRAM),
            I::Files | I::Members | I::Explain | I::Show => {
                is_unread && !understood.plan.files.is_empty() && !has(OF_OUTLINE)
            }
            I::Packages => {
                is_unread
                    && !has(
                        "depend dependencies dependency import imported imports install library package packages requirements",
                    )
            }
            // `classes that draw tables`: a search alone would find methods.
            I::Search => words.iter().take(3).any(|word| is_in("class classes", word)) && has("that which"),
            _ => false,
        }
}

/// Answers by the words of a question what another reading of it does not answer.
/// `None` where nothing is left to search for.
pub(in crate::ask::answer) fn by_words(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.as_str()).collect();
    let rest = without_files(&words, &understood.plan.files).map_or(words, |(rest, _)| rest);
    let is_of_tests = rest.iter().any(|word| is_in("test tests", &word.to_lowercase()));
    let kind = rest.iter().find_map(|word| kinds_of(&word.to_lowercase()));
    let is_run = understood.plan.intent == QuestionIntent::EntryPoints;
    let told = |word: &str| {
        let is_deed = is_run && is_in("called describe executed explain invoked launched run runs started", word);
        !is_stop_word(word) && !is_in("test tests", word) && !is_deed && !is_document(word)
    };
    let tells = |word: &&&str| told(&word.to_lowercase());
    let text = rest.iter().filter(tells).copied().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return Ok(None);
    }
    let text = if is_run { format!("which code invokes a {text}") } else { text };
    near(reading, understood, &SearchedTopic { kinds: kind.unwrap_or_else(code), is_of_tests, text }).map(Some)
}

/// The words without the files that they name, and whether there were some; `None` where a file is no place.
fn without_files<'q>(words: &[&'q str], files: &[PlannedFile]) -> Option<(Vec<&'q str>, bool)> {
    let bare = |text: &str| text.trim_matches(['`', '/']).to_owned();
    let is_file = |word: &str| files.iter().any(|file| bare(&file.mention) == bare(word));
    let mut rest: Vec<&str> = Vec::new();
    let mut has_file = false;
    for word in words {
        if !is_file(word) {
            // `the cookies.py file`
            let is_noun = has_file && rest.is_empty();
            if !is_noun || !is_in(BEFORE_FILE, word) {
                rest.push(word);
            }
            continue;
        }
        while rest.last().is_some_and(|last| is_in(BEFORE_FILE, last)) {
            rest.pop();
        }
        if !rest.last().is_some_and(|last| is_in(PREPOSITIONS, &last.to_lowercase())) {
            return None;
        }
        rest.pop();
        has_file = true;
    }
    (has_file || files.is_empty()).then_some((rest, has_file))
}

/// Functions, methods and classes.
fn code() -> Vec<EntityKind> {
    vec![EntityKind::Class, EntityKind::Function, EntityKind::Method, EntityKind::Property]
}

/// The kinds of definitions that a noun means; `None` for other words.
fn kinds_of(noun: &str) -> Option<Vec<EntityKind>> {
    Some(match noun {
        "class" | "classes" => vec![EntityKind::Class],
        "method" | "methods" => vec![EntityKind::Method, EntityKind::Property],
        "function" | "functions" | "helper" | "helpers" | "test" | "tests" => {
            vec![EntityKind::Function, EntityKind::Method, EntityKind::Property]
        }
        "anything" | "code" | "definition" | "definitions" | "everything" | "logic" | "part" | "parts" | "place"
        | "places" | "something" => code(),
        _ => return None,
    })
}

/// The topic of a question without its files.
fn topic(words: &[&str], has_file: bool) -> Option<SearchedTopic> {
    let start = words.iter().take_while(|word| is_in(HEAD, &word.to_lowercase())).count();
    let words = &words[start..];
    let is_deed = |captured: &Captured| {
        let told: Vec<String> = captured["B"].iter().map(|word| word.to_lowercase()).collect();
        let is_stated = told.iter().take(LONGEST_AUXILIARY).any(|word| is_in(STATED, word));
        let is_relation = captured.contains_key("A") && told.first().is_some_and(|word| is_of_relation(word));
        !is_stated && !is_relation && !told.iter().any(|word| is_in(KNOWN_DEEDS, word))
    };
    let by_topic = BY_TOPIC.iter().find_map(|form| captured(form, words));
    let by_deed = || BY_DEED.iter().filter(|_| has_file).find_map(|form| captured(form, words).filter(is_deed));
    let captured = by_topic.or_else(by_deed)?;
    let noun = captured.get("A").map(|words| words[0].to_lowercase());
    let kinds = match &noun {
        Some(noun) => kinds_of(noun)?,
        None => code(),
    };
    let about = &captured["B"];
    // `code for it` is about something else, and `tests for this change` too.
    let tells = about.iter().any(|word| !is_stop_word(&word.to_lowercase()));
    let refers = about.iter().any(|word| {
        is_in("change changes commit diff it me my our that their them these this those", &word.to_lowercase())
    });
    let is_of_tests = noun.is_some_and(|noun| noun.starts_with("test"));
    (tells && !refers).then(|| SearchedTopic { kinds, is_of_tests, text: about.join(" ") })
}

/// Lists the nearest definitions.
fn near(reading: AnswerInputs, understood: &Understood, topic: &SearchedTopic) -> Result<Answer, StoreError> {
    let asked = understood.clone().read_as(QuestionIntent::Search);
    let mut answer = Answer::new(asked.plan.clone(), String::new());
    answer.plan.unknown.clear();
    let paths: Vec<String> = asked.plan.files.iter().flat_map(PlannedFile::patterns).collect();
    let marks = if topic.is_of_tests { vec![DefinitionMark::Test] } else { Vec::new() };
    let is_in_tests = if topic.is_of_tests || !paths.is_empty() { None } else { Some(false) };
    let filter = Filter { kinds: topic.kinds.clone(), marks, is_in_tests, ..Filter::default() };
    let fitting = Some(FilterReader::new(reading.store)?.set(&filter)?);
    let kinds = topic.kinds.clone();
    let options = SearchOptions { limit: MAX_FOUND, kinds, paths, fitting, ..SearchOptions::default() };
    let mut hits = (reading.search)(&topic.text, &options)?.hits;
    let tells = |word: &&str| word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase()) && !is_stop_word(word);
    let told: BTreeSet<&str> = topic.text.split(' ').filter(tells).collect();
    // A name that has the very words, written as one word too: `GZipDecoder` for `gzip`.
    hits.sort_by_key(|hit| {
        let name = hit.name.rsplit('.').next().unwrap_or_default().to_lowercase().replace('_', "");
        told.is_empty() || !told.iter().all(|word| name.contains(&stem(word)))
    });
    let place = asked.limited_to();
    answer.headline = match hits.first() {
        None => format!("nothing{place} is like `{}`", topic.text),
        Some(first) => format!("nearest in meaning{place}: `{}` at {}:{}", first.name, first.path, first.start_line),
    };
    let absent: Vec<String> =
        absent(reading.store, told.into_iter())?.into_iter().map(|word| format!("`{word}`")).collect();
    if !absent.is_empty() && !hits.is_empty() {
        answer.headline += &format!("; nothing here has the word {}", absent.join(", "));
    }
    answer.is_guess = true;
    answer.command = format!("repoidx search {}", shell_word(&topic.text));
    for pattern in &options.paths {
        answer.command += &format!(" --in {}", shell_word(pattern));
    }
    for (index, hit) in hits.iter().enumerate() {
        if let Some(entity) = at_path(reading.store, &hit.name, &hit.path)? {
            answer.want(&entity, "near in meaning", index >= SHOWN_IN_FULL);
        }
    }
    let rows: Vec<ListRow> = hits.iter().map(hit_row).collect();
    let message = "found by similarity: others may fit too, and none of these is certain".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("search", rows.len(), message)]);
    answer.list(format!("nearest definitions{place}, the likeliest first ({})", rows.len()), rows);
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_has_a_kind_and_a_text() {
        let read = |text: &str, has_file: bool| {
            let words: Vec<&str> = text.split(' ').collect();
            topic(&words, has_file).map(|topic| (topic.kinds[0], topic.is_of_tests, topic.text))
        };
        let class = |text: &str| Some((EntityKind::Class, false, text.to_owned()));
        assert_eq!(read("classes for websockets", false), class("websockets"));
        assert_eq!(read("which classes are about range requests", false), class("range requests"));
        assert_eq!(read("code that signs cookies", true), class("signs cookies"));
        assert_eq!(read("code that signs cookies", false), None, "the words describe it well enough");
        assert_eq!(read("where are cookies handled", true), class("cookies handled"));
        assert_eq!(read("tests about redirects", false), Some((EntityKind::Function, true, "redirects".to_owned())));
        assert_eq!(read("functions that return None", true), None, "the index knows it");
        assert_eq!(read("functions that call echo", true), None);
        assert_eq!(read("tests for my changes", false), None);
    }
}
