//! Answers with the definitions nearest to a topic among those of a kind, or in a file: `functions about cookies in
//! a.py`.

use std::{cmp::Reverse, collections::BTreeSet};

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
            words::{is_in, is_stop_word, name_parts, stem},
        },
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        search::{SearchOptions, absent},
        target::{
            Target, TargetMatch,
            filter::{DefinitionMark, Filter, FilterReader},
            known,
            likeliest::is_aside,
        },
        words::{plural, shell_word},
    },
    store::{error::StoreError, read::Entity},
    texts::documents::is_document,
};

/// Wordings of such questions: `A` is the kind of definition, `B..` the topic.
const BY_TOPIC: [&str; 8] = [
    "for B..",
    "where is/are (there) (the/any) A about/concerning/for/regarding B..",
    "A about/concerning/regarding/around/on B..",
    "A (that/which) (are/is) about/concerned/concerning/related/dealing/deal/deals/responsible/used (with/to/for) B..",
    "A (that/which) (do/does/is/are) handle/handles/handling/concern/concerns/involve/involves B..",
    "A for B..",
    "A related to B..",
    "A (that/which) (has/have/having) to do with B..",
];
/// Further ones, which need a file: `code that signs cookies`, `where are cookies handled`.
const BY_DEED: [&str; 4] = [
    "A that/which B..",
    "where is/are/do/does/did/get/gets (the/a/an) B..",
    "A for/to B..",
    "(explain/describe/understand) how (is/are/do/does) (the/a/an) B.. work/works/handled/implemented/done/computed",
];
/// Words before the kind, and those of them that look for something.
const HEAD: &str =
    "all any are can find give i is list look looking me of please point search show the there to what which you";
const SEARCHING: &str = "find look looking search";
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
/// Verbs that say no more than that code is about something.
const DEALING: &str =
    "concern concerns deal dealing deals handle handles handling involve involves relate related relates";
/// Words that link a noun with what it is about.
const LINKING: &str = "a about an and any are at be been by can could do does for from has have how i in is it its of on or our should some      that the their there these they this those to us was we were what when where which who whose will with within would you";
/// Words of which a question about coverage has one.
const OF_COVERAGE: &str = "coverage covered covers exercised lack lacking lacks missing never no none not reached tested uncovered untested without";
/// Words of those who want a whole file described.
const OF_OUTLINE: &str =
    "brief briefly describe explain gist guide nutshell outline overview summarize summary tour walk";
/// Words for the whole program, of which entry points are asked.
const OF_PROGRAM: &str = "app application cli entry it main package program project script server service tool";
/// Definitions that a search returns, and those that a model sees in full.
const MAX_FOUND: usize = 12;
/// The shortest of two common words that are a topic: `environment variables`.
const LEAST_TELLING: usize = 6;
/// Those of a file, among which the members of a class are chosen.
const MAX_OF_FILE: usize = 400;
const SHOWN_IN_FULL: usize = 5;

/// A topic that is looked for, and the kinds of definitions that can be about it.
#[derive(Debug, PartialEq, Eq)]
struct SearchedTopic {
    kinds: Vec<EntityKind>,
    /// The mark that the noun states beside its kinds: tests, constants.
    mark: Option<DefinitionMark>,
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
    let (rest, owner) = without_owner(reading, &words, understood)?;
    let Some((rest, has_file)) = without_files(&rest, &plan.files) else { return Ok(None) };
    let Some(topic) = topic(&rest, has_file || owner.is_some()) else { return Ok(None) };
    // `tests for Session` and `code about a.b` name what they are about.
    let is_named = plan.subjects.iter().any(|subject| {
        let is_said = topic.text.split(' ').any(|word| word.trim_matches('`') == subject.mention);
        let is_code = subject.mention.contains(['.', '_']) || subject.mention.contains(char::is_uppercase);
        // `tests about cookies`: a property is rarely meant by a common word.
        let is_callable = matches!(subject.kind, EntityKind::Class | EntityKind::Function | EntityKind::Method);
        let is_of_tests = topic.mark == Some(DefinitionMark::Test);
        is_said && subject.matched == NameMatch::Exact && (is_code || is_of_tests && is_callable)
    });
    if is_named { Ok(None) } else { near(reading, understood, &topic, owner.as_ref()).map(Some) }
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
            I::Search => {
                let asked = words.iter().find(|word| !is_in(HEAD, word));
                let is_clause = asked.is_some_and(|word| is_in("class classes", word)) && has("that which");
                is_clause || asked.is_some_and(|word| word != "class" && word.ends_with('s') && is_kind(word))
            }
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
    let (rest, owner) = without_owner(reading, &words, understood)?;
    let rest = without_files(&rest, &understood.plan.files).map_or(rest, |(rest, _)| rest);
    let noun = rest.iter().position(|word| kinds_of(&word.to_lowercase()).is_some());
    let (kinds, mark) = noun.and_then(|at| kinds_of(&rest[at].to_lowercase())).unwrap_or_else(|| (code(), None));
    let is_run = understood.plan.intent == QuestionIntent::EntryPoints;
    let told = |word: &str| {
        let is_deed = is_run && is_in("called describe executed explain invoked launched run runs started", word);
        !is_in(DEALING, word) && !is_deed && !is_document(word)
    };
    // Behind the noun, a common word says something too: `functions that format help`.
    let tells = |(at, word): &(usize, &&str)| {
        let word = word.to_lowercase();
        let is_behind = noun.is_some_and(|noun| noun < *at) && !is_in(LINKING, &word);
        Some(*at) != noun && told(&word) && (is_behind || !is_stop_word(&word))
    };
    let text = rest.iter().enumerate().filter(tells).map(|(_, word)| *word).collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return Ok(None);
    }
    let text = if is_run { format!("which code invokes a {text}") } else { text };
    near(reading, understood, &SearchedTopic { kinds, mark, text }, owner.as_ref()).map(Some)
}

/// The words without the class whose members are asked for, and that class: `methods of Cart about prices`.
fn without_owner<'q>(
    reading: AnswerInputs,
    words: &[&'q str],
    understood: &Understood,
) -> Result<(Vec<&'q str>, Option<Target>), StoreError> {
    let plan = &understood.plan;
    for at in 2..words.len() {
        let is_member =
            is_in("attributes fields functions members methods properties variables", &words[at - 2].to_lowercase());
        if !is_member || !is_in("from in inside of on within", &words[at - 1].to_lowercase()) {
            continue;
        }
        let name = words[at].trim_matches('`');
        let mut named = plan.subjects.iter().zip(&understood.targets);
        let named =
            named.find(|(subject, _)| subject.kind == EntityKind::Class && subject.mention.trim_matches('`') == name);
        // A word of the topic may name a member of the class.
        let mut around = plan.subjects.iter().filter_map(|subject| subject.within.as_deref());
        let around = around.find(|within| within.rsplit('.').next() == Some(name));
        let owner = match (named, around) {
            (Some((_, target)), _) => Some(target.clone()),
            (None, Some(within)) => match known(reading.store, within, "")? {
                Some(TargetMatch::Found(target)) if target.main().record.kind == EntityKind::Class => Some(target),
                _ => None,
            },
            (None, None) => None,
        };
        if owner.is_some() {
            return Ok(([&words[..at - 1], &words[at + 1..]].concat(), owner));
        }
    }
    Ok((words.to_vec(), None))
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

/// The kinds of definitions that a noun means, and what else it says of them; `None` for other words.
fn kinds_of(noun: &str) -> Option<(Vec<EntityKind>, Option<DefinitionMark>)> {
    let callable = || vec![EntityKind::Function, EntityKind::Method, EntityKind::Property];
    let (kinds, mark) = match noun {
        "class" | "classes" => (vec![EntityKind::Class], None),
        "exception" | "exceptions" => (vec![EntityKind::Class], Some(DefinitionMark::Exception)),
        "method" | "methods" => (vec![EntityKind::Method, EntityKind::Property], None),
        "property" | "properties" => (vec![EntityKind::Property], None),
        "attribute" | "attributes" | "field" | "fields" => (vec![EntityKind::Property, EntityKind::Variable], None),
        "variable" | "variables" => (vec![EntityKind::Variable], None),
        "constant" | "constants" => (vec![EntityKind::Variable], Some(DefinitionMark::Constant)),
        "function" | "functions" | "helper" | "helpers" => (callable(), None),
        "fixture" | "fixtures" => (callable(), Some(DefinitionMark::Fixture)),
        "test" | "tests" => (callable(), Some(DefinitionMark::Test)),
        "anything" | "code" | "definition" | "definitions" | "everything" | "logic" | "members" | "part" | "parts"
        | "place" | "places" | "something" => (code(), None),
        _ => return None,
    };
    Some((kinds, mark))
}

/// Whether a word asks for definitions of one kind: `classes`, but not `code`.
fn is_kind(noun: &str) -> bool {
    kinds_of(noun).is_some_and(|(kinds, mark)| mark.is_some() || kinds != code())
}

/// The topic of a question without its files.
fn topic(words: &[&str], has_file: bool) -> Option<SearchedTopic> {
    let start = words.iter().take_while(|word| is_in(HEAD, &word.to_lowercase())).count();
    let (head, words) = words.split_at(start);
    let is_searching = head.iter().any(|word| is_in(SEARCHING, &word.to_lowercase()));
    let is_deed = |captured: &Captured| {
        let told: Vec<String> = captured["B"].iter().map(|word| word.to_lowercase()).collect();
        let is_stated = told.iter().take(LONGEST_AUXILIARY).any(|word| is_in(STATED, word));
        let is_relation = captured.contains_key("A") && told.first().is_some_and(|word| is_of_relation(word));
        !is_stated && !is_relation && !told.iter().any(|word| is_in(KNOWN_DEEDS, word))
    };
    let by_topic = BY_TOPIC.iter().skip(usize::from(!is_searching)).find_map(|form| captured(form, words));
    let by_deed = || BY_DEED.iter().filter(|_| has_file).find_map(|form| captured(form, words).filter(is_deed));
    let captured = by_topic.or_else(by_deed)?;
    let noun = captured.get("A").map(|words| words[0].to_lowercase());
    let (kinds, mark) = match &noun {
        Some(noun) => kinds_of(noun)?,
        None => (code(), None),
    };
    let about = &captured["B"];
    // `code for it` is about something else, and `tests for this change` too.
    let tells = about.iter().any(|word| !is_stop_word(&word.to_lowercase()))
        || (has_file || about.len() > 1) && about.iter().any(|word| word.len() >= LEAST_TELLING);
    let refers = about.iter().any(|word| {
        is_in("change changes commit diff it me my our that their them these this those", &word.to_lowercase())
    });
    (tells && !refers).then(|| SearchedTopic { kinds, mark, text: about.join(" ") })
}

/// Lists the nearest definitions.
fn near(
    reading: AnswerInputs,
    understood: &Understood,
    topic: &SearchedTopic,
    owner: Option<&Target>,
) -> Result<Answer, StoreError> {
    let asked = understood.clone().read_as(QuestionIntent::Search);
    let mut answer = Answer::new(asked.plan.clone(), String::new());
    answer.plan.unknown.clear();
    let mut paths: Vec<String> = asked.plan.files.iter().flat_map(PlannedFile::patterns).collect();
    if let Some(owner) = owner.filter(|_| paths.is_empty()) {
        paths.push(owner.main().path.clone());
    }
    let is_of_tests = topic.mark == Some(DefinitionMark::Test);
    let is_in_tests = if is_of_tests || !paths.is_empty() { None } else { Some(false) };
    let filter = Filter {
        kinds: topic.kinds.clone(),
        marks: topic.mark.into_iter().collect(),
        is_in_tests,
        paths: paths.clone(),
        ..Filter::default()
    };
    let reader = FilterReader::new(reading.store)?;
    let kinds = topic.kinds.clone();
    let limit = if owner.is_some() { MAX_OF_FILE } else { MAX_FOUND };
    let fitting = Some(reader.set(&filter)?);
    let options = SearchOptions { limit, kinds, paths, fitting, ..SearchOptions::default() };
    let inside = owner.map(|owner| format!("{}.", owner.main().full_name()));
    let is_inside = |name: &str| inside.as_ref().is_none_or(|inside| name.starts_with(inside));
    // Variables have no text that a search could compare.
    let mut variables = if topic.kinds.contains(&EntityKind::Variable) {
        named_by(&reader, &Filter { kinds: vec![EntityKind::Variable], ..filter.clone() }, &topic.text)?
    } else {
        Vec::new()
    };
    variables.retain(|variable| is_inside(&variable.full_name()));
    let mut hits = (reading.search)(&topic.text, &options)?.hits;
    hits.retain(|hit| is_inside(&hit.name) && hit.kind != EntityKind::Variable);
    hits.truncate(MAX_FOUND);
    let tells = |word: &&str| word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase()) && !is_stop_word(word);
    let told: BTreeSet<&str> = topic.text.split(' ').filter(tells).collect();
    // A name that has the very words, written as one word too: `GZipDecoder` for `gzip`.
    hits.sort_by_key(|hit| {
        let name = hit.name.rsplit('.').next().unwrap_or_default().to_lowercase().replace('_', "");
        told.is_empty() || !told.iter().all(|word| name.contains(&stem(word)))
    });
    let of_owner = owner.map(|owner| format!(" in `{}`", owner.main().record.qualified)).unwrap_or_default();
    let place = asked.limited_to() + &of_owner;
    let noun = topic.noun();
    let first = hits.first().map(|first| (first.name.clone(), &first.path, first.start_line));
    let variable = variables.first().map(|first| (first.full_name(), &first.path, first.record.start_line));
    answer.headline = match variable.or(first) {
        None => format!("no {noun}{place} is like `{}`", topic.text),
        Some((name, path, line)) => {
            let how = if variables.is_empty() { "in meaning" } else { "by name" };
            format!("nearest {how}{place}: `{name}` at {path}:{line}")
        }
    };
    let absent: Vec<String> =
        absent(reading.store, told.into_iter())?.into_iter().map(|word| format!("`{word}`")).collect();
    if !absent.is_empty() && !hits.is_empty() {
        answer.headline += &format!("; nothing here has the word {}", absent.join(", "));
    }
    answer.is_guess = true;
    answer.command = format!("repoidx search {}", shell_word(&topic.text));
    for (name, value) in filter.options().into_iter().flatten() {
        answer.command += &format!(" --{name} {}", shell_word(&value));
    }
    if owner.is_some() {
        // No option chooses the members of a class.
        answer.command = asked.plan.ask_command();
    }
    for (index, hit) in hits.iter().enumerate() {
        if let Some(entity) = at_path(reading.store, &hit.name, &hit.path)? {
            answer.want(&entity, "near in meaning", index >= SHOWN_IN_FULL);
        }
    }
    for variable in &variables {
        answer.want(variable, "has a word of the topic", true);
    }
    let rows: Vec<ListRow> = variables.iter().map(ListRow::of).chain(hits.iter().map(hit_row)).collect();
    let message = "found by similarity: others may fit too, and none of these is certain".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("search", rows.len(), message)]);
    answer.list(format!("nearest {}{place}, the likeliest first ({})", plural(noun), rows.len()), rows);
    Ok(answer)
}

/// The definitions whose names have words of a topic, those with most of them first.
fn named_by(reader: &FilterReader, filter: &Filter, text: &str) -> Result<Vec<Entity>, StoreError> {
    let told: BTreeSet<String> = text
        .split_whitespace()
        .map(str::to_lowercase)
        .filter(|word| !is_in(LINKING, word))
        .map(|word| stem(&word))
        .collect();
    let mut found = Vec::new();
    for entity in reader.fitting(filter)? {
        let parts: BTreeSet<String> = name_parts(&entity.record.name).map(|part| stem(&part)).collect();
        let fitting = told.intersection(&parts).count();
        if fitting > 0 {
            found.push((fitting, entity));
        }
    }
    found.sort_by_key(|(fitting, entity)| (Reverse(*fitting), is_aside(&entity.path)));
    Ok(found.into_iter().take(MAX_FOUND).map(|(_, entity)| entity).collect())
}

impl SearchedTopic {
    /// The noun for what is listed.
    fn noun(&self) -> &'static str {
        match (self.mark, &self.kinds[..]) {
            (Some(DefinitionMark::Test), _) => "test",
            (Some(DefinitionMark::Constant), _) => "constant",
            (Some(DefinitionMark::Exception), _) => "exception class",
            (Some(DefinitionMark::Fixture), _) => "fixture",
            (_, [EntityKind::Class]) => "class",
            (_, [EntityKind::Variable]) => "variable",
            (_, [EntityKind::Property]) => "property",
            (_, [EntityKind::Method, EntityKind::Property]) => "method",
            (_, [EntityKind::Function, ..]) => "function",
            (_, [EntityKind::Property, ..]) => "attribute",
            _ => "definition",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_has_a_kind_and_a_text() {
        let read = |text: &str, has_file: bool| {
            let words: Vec<&str> = text.split(' ').collect();
            topic(&words, has_file).map(|topic| (topic.kinds[0], topic.mark, topic.text))
        };
        let class = |text: &str| Some((EntityKind::Class, None, text.to_owned()));
        assert_eq!(read("classes for websockets", false), class("websockets"));
        assert_eq!(read("which classes are about range requests", false), class("range requests"));
        assert_eq!(read("code that signs cookies", true), class("signs cookies"));
        assert_eq!(read("code that signs cookies", false), None, "the words describe it well enough");
        assert_eq!(read("where are cookies handled", true), class("cookies handled"));
        let test = Some((EntityKind::Function, Some(DefinitionMark::Test), "redirects".to_owned()));
        assert_eq!(read("tests about redirects", false), test);
        let constant = Some((EntityKind::Variable, Some(DefinitionMark::Constant), "defaults".to_owned()));
        assert_eq!(read("list the constants about defaults", false), constant);
        assert_eq!(read("search for session cookies", true), class("session cookies"));
        assert_eq!(read("list for session cookies", true), None, "nothing is looked for");
        assert_eq!(read("functions that return None", true), None, "the index knows it");
        assert_eq!(read("functions that call echo", true), None);
        assert_eq!(read("tests for my changes", false), None);
    }
}
