//! Which kind of definition a name is: `is C.m a property`, `is f a function or a class`.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, definitions::setters::inherited_property, in_words},
        reading::{
            filters::{Filters, Noun},
            forms::{QuestionIntent, patterns::Phrase},
            plan::Understood,
            words::is_in,
        },
    },
    model::{EntityFlags, EntityKind},
    query::{
        target::{
            Target,
            filter::{DefinitionMark, Filter, FilterReader, is_decorated},
        },
        words::{count, plural},
    },
    store::{error::StoreError, read::Entity},
};

/// Marks with verdicts of their own, which say why.
const TOLD_ELSEWHERE: [DefinitionMark; 2] = [DefinitionMark::Abstract, DefinitionMark::Deprecated];

/// Words of a question for the decorators of one definition, at most.
const LONGEST_QUESTION: usize = 6;

/// A kind that the question names, and the definitions that are of it.
pub(super) struct AskedKind {
    noun: String,
    pub(super) filter: Filter,
}

/// The answer by the definition itself; `None` for other questions, and for nouns by which no list is made.
pub(in crate::ask::answer) fn of_kind(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    if let Some(answer) = decorated(understood) {
        return Ok(Some(answer));
    }
    if let Some(answer) = told_by_decorators(reading, understood)? {
        return Ok(Some(answer));
    }
    let Some(asked) = asked_kinds(&understood.question.lower_words()) else { return Ok(None) };
    if understood.targets.is_empty() || !understood.plan.unknown.is_empty() {
        return Ok(None);
    }
    let reader = FilterReader::new(reading.store)?;
    let shown = understood.clone().read_as(QuestionIntent::Show);
    let mut answer = Answer::new(shown.plan.clone(), String::new());
    answer.command = shown.command();
    let mut headlines = Vec::new();
    for target in &understood.targets {
        let mut main = target.main().clone();
        // `self.p = …` in a class writes the property of its base.
        if main.record.kind == EntityKind::Variable
            && let Some(property) = inherited_property(reading.store, &main)?
        {
            main = property;
        }
        answer.want(&main, "asked about", false);
        headlines.push(verdict(&reader, &asked, &main)?);
    }
    answer.headline = headlines.join("; ");
    Ok(Some(answer))
}

/// The decorators of the definitions that are asked about: `which decorators are on f`, `is f decorated`; `None` for
/// other questions.
fn decorated(understood: &Understood) -> Option<Answer> {
    let words = understood.question.lower_words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let asks_whether = matches!(words.as_slice(), ["is", .., "decorated"]) && words.len() <= LONGEST_QUESTION;
    if !asks_whether && !matches!(words.as_slice(), ["which" | "what", "decorators", "are", "on", ..]) {
        return None;
    }
    if understood.targets.is_empty() || !understood.plan.unknown.is_empty() {
        return None;
    }
    let shown = understood.clone().read_as(QuestionIntent::Show);
    let mut answer = Answer::new(shown.plan.clone(), String::new());
    answer.command = shown.command();
    let mut headlines = Vec::new();
    for entity in understood.targets.iter().map(Target::implementation) {
        answer.want(entity, "asked about", false);
        let (name, place) = (entity.full_name(), format!("{}:{}", entity.path, entity.record.start_line));
        let written: Vec<String> = entity.record.decorators.iter().map(|one| format!("`@{one}`")).collect();
        let (yes, no) = if asks_whether { ("yes: ", "no: ") } else { ("", "none: ") };
        headlines.push(match written.as_slice() {
            [] => format!("{no}`{name}` has no decorator ({place})"),
            written => format!("{yes}`{name}` is decorated with {} ({place})", in_words(written)),
        });
    }
    answer.headline = headlines.join("; ");
    Some(answer)
}

/// Answers what only decorators tell: `is f cached`, `is C final`, `is f overloaded`; `None` for other questions.
fn told_by_decorators(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    const CACHING: &str =
        "cache lru_cache cached cached_property cached_method cachedmethod memoize memoized alru_cache";
    let words = understood.question.lower_words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (["is", .., said, "class" | "function" | "method"] | ["is", .., said]) = words.as_slice() else {
        return Ok(None);
    };
    let names = match *said {
        "cached" | "memoized" => CACHING,
        "final" => "final",
        "overloaded" => "",
        _ => return Ok(None),
    };
    let is_long = words.len() > LONGEST_QUESTION;
    let has_other = understood.plan.unknown.iter().any(|unknown| unknown.mention.to_lowercase() != *said);
    if is_long || understood.targets.is_empty() || has_other {
        return Ok(None);
    }
    let shown = understood.clone().read_as(QuestionIntent::Show);
    let mut answer = Answer::new(shown.plan.clone(), String::new());
    answer.plan.unknown.clear();
    answer.command = shown.command();
    let mut headlines = Vec::new();
    for target in &understood.targets {
        let entity = target.implementation();
        answer.want(entity, "asked about", false);
        let (name, place) = (target.main().full_name(), format!("{}:{}", entity.path, entity.record.start_line));
        let found = if names.is_empty() {
            let beside = reading.store.children(entity.parent)?;
            let is_it = |one: &&Entity| {
                one.record.qualified == entity.record.qualified && one.record.flags.has(EntityFlags::OVERLOAD)
            };
            let overloads = beside.iter().filter(is_it).count();
            (overloads > 0).then(|| format!("has {}", count(overloads, "overload")))
        } else {
            let mut decorators = entity.record.decorators.iter();
            let is_one = |one: &&String| names.split(' ').any(|name| is_decorated(std::slice::from_ref(*one), name));
            decorators.find(is_one).map(|one| format!("is {said}, decorated with `@{one}`"))
        };
        headlines.push(match (found, names.is_empty()) {
            (Some(found), _) => format!("yes: `{name}` {found} ({place})"),
            (None, true) => format!("no: `{name}` has no overloads ({place})"),
            (None, false) => format!("no: no decorator of `{name}` says that it is {said} ({place})"),
        });
    }
    answer.headline = headlines.join("; ");
    Ok(Some(answer))
}

fn verdict(reader: &FilterReader<'_>, asked: &[AskedKind], main: &Entity) -> Result<String, StoreError> {
    let mut fitting = None;
    for kind in asked {
        if fitting.is_none() && reader.accepts(&kind.filter, main)? {
            fitting = Some(kind.noun.as_str());
        }
    }
    let (name, kind) = (main.full_name(), main.record.kind.as_str());
    let place = format!("{}:{}", main.path, main.record.start_line);
    let at = if fitting.is_none_or(|noun| noun == kind) { place } else { format!("{kind} at {place}") };
    let nouns: Vec<String> = asked.iter().map(|kind| format!("no {}", kind.noun)).collect();
    Ok(match (fitting, asked.len()) {
        (Some(noun), 1) => format!("yes: `{name}` is {} ({at})", with_article(noun)),
        (Some(noun), _) => format!("`{name}` is {} ({at})", with_article(noun)),
        (None, 1) => format!("no: `{name}` is {}, {} ({at})", with_article(kind), in_words(&nouns)),
        (None, _) => format!("`{name}` is {}, {} ({at})", with_article(kind), in_words(&nouns)),
    })
}

/// `a class`, `an exception`.
pub(super) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// The kinds behind the name: `is NAME really a class or a function`.
fn asked_kinds(words: &[String]) -> Option<Vec<AskedKind>> {
    const BEFORE_ARTICLE: usize = 4;
    let article = words.iter().position(|word| is_in("a an", word)).filter(|at| (2..=BEFORE_ARTICLE).contains(at))?;
    if words[0] != "is" || words[1] == "there" {
        return None;
    }
    let nouns = words[article + 1..].split(|word| word == "or");
    nouns.map(|noun| asked_kind(noun.strip_prefix(&["a".to_owned()]).unwrap_or(noun))).collect()
}

/// The kind that one or two words name, as the plural of them names it in a list: `list the async methods`.
pub(super) fn asked_kind(noun: &[String]) -> Option<AskedKind> {
    let noun: Vec<String> = noun.iter().filter(|word| *word != "an").cloned().collect();
    let (last, adjectives) = noun.split_last().filter(|(_, adjectives)| adjectives.len() <= 1)?;
    let kinds: &[EntityKind] = match last.as_str() {
        "class" => &[EntityKind::Class],
        "function" => &[EntityKind::Function, EntityKind::Method],
        "method" => &[EntityKind::Method],
        "module" => &[EntityKind::Module],
        "variable" | "field" => &[EntityKind::Variable],
        "attribute" => &[EntityKind::Variable, EntityKind::Property],
        _ => &[],
    };
    let filters = |adjectives: &[String]| {
        let words: Vec<String> = ["all".to_owned()].iter().chain(adjectives).cloned().chain([plural(last)]).collect();
        Filters::of(&Phrase::of_words(words))
    };
    let read = filters(adjectives);
    // A word that changes nothing is not understood.
    if !adjectives.is_empty() && read == filters(&[]) {
        return None;
    }
    let mut filter = read.conditions();
    let of_noun = read.noun.map(Noun::meaning);
    // The lists that people read leave out functions inside others, which are functions all the same.
    filter.marks.extend(of_noun.and_then(|(_, mark)| mark).filter(|mark| *mark != DefinitionMark::Outer));
    if kinds.is_empty() && filter.is_empty() && read.noun != Some(Noun::Property) {
        return None;
    }
    filter.kinds = match (kinds, of_noun) {
        ([], Some((kinds, _))) => kinds.to_vec(),
        (kinds, _) => kinds.to_vec(),
    };
    let is_told_elsewhere = filter.marks.iter().any(|mark| TOLD_ELSEWHERE.contains(mark));
    (!is_told_elsewhere).then(|| AskedKind { noun: noun.join(" "), filter })
}
