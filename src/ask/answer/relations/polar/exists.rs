//! Yes or no to `is there a KIND called NAME in PLACE`, and to the number of such definitions.
//!
//! The whole object of the sentence decides: that its place exists is no answer.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            relations::{
                having,
                polar::{MAX_NAMED, called::called, definition_of, first_of},
            },
        },
        reading::{
            forms::{QuestionIntent, patterns::number},
            plan::{PlannedFile, Understood},
            words::{QuestionWord, Shape, is_in, is_stop_word},
        },
    },
    model::{EntityKind, conventions::is_special},
    query::{
        target::{
            Target, TargetMatch,
            filter::{Filter, FilterReader},
            likeliest::is_aside,
            look_up,
        },
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Words before a thing that say only that it exists.
const ARTICLES: &str = "a an any some the";
/// Lines that are listed.
const MAX_LINES: usize = 50;

/// The place in which a thing is looked for.
enum LookupPlace<'u> {
    Files(&'u PlannedFile),
    Owners(Vec<Target>),
}

/// A kind of definition, as a question names it.
#[derive(Clone, Copy)]
struct Kind {
    noun: &'static str,
    kinds: &'static [EntityKind],
}

/// The thing that a question asks for.
struct ExistingThing<'q> {
    /// The least number and the most that it asks for.
    bound: (usize, usize),
    kind: Option<Kind>,
    name: Option<&'q QuestionWord>,
    /// All words but articles and numbers.
    words: &'q [QuestionWord],
    /// The question asks for more than that something is there.
    is_bounded: bool,
}

fn kind_of(word: &str) -> Option<Kind> {
    use EntityKind::{Class, Function, Method, Property, Variable};
    let kind = |noun, kinds| Some(Kind { noun, kinds });
    match word {
        "class" | "classes" => kind("class", &[Class]),
        "exception" | "exceptions" => kind("exception", &[Class]),
        "decorator" | "decorators" => kind("decorator", &[Function, Method, Class]),
        "fixture" | "fixtures" => kind("fixture", &[Function, Method]),
        "method" | "methods" => kind("method", &[Method]),
        "function" | "functions" => kind("function", &[Function, Method]),
        "property" | "properties" => kind("property", &[Property]),
        "attribute" | "attributes" | "field" | "fields" => kind("attribute", &[Variable, Property]),
        "variable" | "variables" | "constant" | "constants" => kind("variable", &[Variable]),
        "member" | "members" => kind("member", &[Class, Function, Method, Property, Variable]),
        _ => None,
    }
}

/// Answers whether something exists; `None` for other questions.
pub(in crate::ask::answer) fn exists(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let mut words = understood.question.words.clone();
    name_first(&mut words);
    let [first, second, rest @ ..] = words.as_slice() else { return Ok(None) };
    let is_there = is_in("are is", &first.lower()) && second.lower() == "there";
    // `does flask have a class called Blueprint`
    let is_had = is_in("do does", &first.lower())
        && rest.first().is_some_and(|verb| is_in("contain define have provide", &verb.lower()))
        && rest.iter().any(|word| is_in("called named", &word.lower()))
        && !understood.plan.subjects.iter().any(|subject| subject.mention == second.text)
        && !is_class(reading.store, &second.text)?;
    if let Some(answer) = called(reading, understood, is_had)? {
        return Ok(Some(answer));
    }
    let rest = if is_had { &rest[1..] } else { rest };
    // A condition on relationships is for a list.
    if !is_there && !is_had || understood.degree.is_some() {
        return Ok(None);
    }
    let is_called = rest.iter().any(|word| is_in("called named", &word.lower()));
    let (rest, excepted) = excepted(rest);
    let (object, place) = placed(reading.store, understood, rest)?;
    let Some(thing) = ExistingThing::of(object) else { return Ok(None) };
    let is_in_files = matches!(place, Some(LookupPlace::Files(_)));
    if !is_in_files && !thing.is_bounded && excepted.is_none() && has_plain_thing(&thing) {
        return had(reading, understood, rest);
    }
    match (&place, thing.name, thing.kind) {
        (Some(LookupPlace::Owners(owners)), Some(name), kind) => member(reading, understood, owners, &name.text, kind),
        (None, Some(name), Some(kind)) if thing.is_bounded || excepted.is_some() => {
            number_of(reading, understood, &thing, (&name.text, kind), excepted).map(Some)
        }
        (Some(LookupPlace::Files(file)), None, Some(kind)) if thing.words.len() == 1 => {
            kinds_in(reading, understood, &thing, file, kind).map(Some)
        }
        // Elsewhere the name is a definition, which has an answer of its own.
        (Some(LookupPlace::Files(file)), Some(_), Some(kind)) if is_called || understood.targets.is_empty() => {
            kinds_in(reading, understood, &thing, file, kind).map(Some)
        }
        (Some(LookupPlace::Files(file)), _, None) => Ok(text_in(reading, understood, file, thing.words)),
        _ => Ok(None),
    }
}

/// Whether a name is that of a class, whose members have an answer of their own.
fn is_class(store: &Store, name: &str) -> Result<bool, StoreError> {
    let found = look_up(store, name, "")?;
    Ok(matches!(found, TargetMatch::Found(target) if target.main().record.kind == EntityKind::Class))
}

/// Puts the place behind the name: `a function in a.py called f` is a function called `f` in `a.py`.
fn name_first(words: &mut [QuestionWord]) {
    let Some(called) = words.len().checked_sub(2).filter(|at| is_in("called named", &words[*at].lower())) else {
        return;
    };
    let is_before = |word: &QuestionWord| is_in("in inside of on within", &word.lower());
    if let Some(place) = words[..called].iter().rposition(is_before) {
        words[place..].rotate_left(called - place);
    }
}

/// Whether a thing is neither a definition of a kind nor a name: `a docstring`.
fn has_plain_thing(thing: &ExistingThing<'_>) -> bool {
    thing.kind.is_none() && thing.name.is_none()
}

/// Answers `is there a docstring on f` as `does f have a docstring`.
fn had(reading: AnswerInputs, understood: &Understood, words: &[QuestionWord]) -> Result<Option<Answer>, StoreError> {
    use QuestionIntent as I;
    let is_of_subject = matches!(understood.plan.intent, I::Show | I::Explain | I::Hierarchy | I::Members);
    let [thing @ .., before, owner] = words else { return Ok(None) };
    let is_place = is_in("in inside of on within", &before.lower());
    let is_subject = understood.plan.subjects.iter().any(|subject| subject.mention == owner.text);
    if !is_of_subject || !is_place || !is_subject || thing.is_empty() {
        return Ok(None);
    }
    let thing: Vec<&str> = thing.iter().map(|word| word.text.as_str()).collect();
    let mut asked = understood.clone();
    asked.set_question(&format!("does {} have {}", owner.text, thing.join(" ")));
    let mut answer = having::having(reading, &asked)?;
    if let Some(answer) = &mut answer {
        answer.plan.question.clone_from(&understood.plan.question);
    }
    Ok(answer)
}

/// The words without those that leave a definition out, and its name: `besides the method C.m`.
fn excepted(words: &[QuestionWord]) -> (&[QuestionWord], Option<&QuestionWord>) {
    let lower: Vec<String> = words.iter().map(QuestionWord::lower).collect();
    for at in 0..words.len() {
        let next = lower.get(at + 1).map_or("", String::as_str);
        let length = match (lower[at].as_str(), next) {
            ("other", "than") | ("apart" | "aside", "from") | ("except", "for") => 2,
            ("besides" | "except" | "excluding", _) => 1,
            _ => continue,
        };
        let is_around = |word: &str| is_in(ARTICLES, word) || kind_of(word).is_some() || is_in("one of on", word);
        let name = (at + length..words.len()).find(|at| !is_around(&lower[*at]));
        // The name ends the sentence, else the words behind it are the rest of the condition.
        return match name.filter(|name| name + 1 == words.len()) {
            Some(name) => (&words[..at], Some(&words[name])),
            None => (words, None),
        };
    }
    (words, None)
}

/// The words before the place, and the place; all words where none is named.
fn placed<'q, 'u>(
    store: &Store,
    understood: &'u Understood,
    words: &'q [QuestionWord],
) -> Result<(&'q [QuestionWord], Option<LookupPlace<'u>>), StoreError> {
    let is_before = |word: &QuestionWord| is_in("in inside of on within", &word.lower());
    let Some(at) = words.iter().rposition(is_before).filter(|at| *at > 0) else { return Ok((words, None)) };
    let is_around = |word: &&QuestionWord| is_in(ARTICLES, &word.lower()) || is_in("class file module", &word.lower());
    let behind: Vec<&QuestionWord> = words[at + 1..].iter().skip_while(is_around).collect();
    let [word] = behind.as_slice() else { return Ok((words, None)) };
    let is_file = |file: &&PlannedFile| file.mention == word.text && !file.is_folder && !file.paths.is_empty();
    if let Some(file) = understood.plan.files.iter().find(is_file) {
        return Ok((&words[..at], Some(LookupPlace::Files(file))));
    }
    let mut owners = having::owners(store, understood, &word.text)?;
    if owners.is_empty() && word.text.starts_with(char::is_uppercase) {
        owners.extend(definition_of(store, understood, &word.text)?);
    }
    owners.retain(|owner| owner.main().record.kind == EntityKind::Class);
    Ok(if owners.is_empty() { (words, None) } else { (&words[..at], Some(LookupPlace::Owners(owners))) })
}

impl<'q> ExistingThing<'q> {
    fn of(object: &'q [QuestionWord]) -> Option<Self> {
        let lower: Vec<String> = object.iter().map(QuestionWord::lower).collect();
        let heads: Vec<&str> = lower.iter().map(String::as_str).collect();
        let figure = |word: &str| number(word).map(|figure| figure as usize);
        let (bound, taken) = match heads.as_slice() {
            ["more", "than", one, ..] => figure(one).map(|one| ((one + 1, usize::MAX), 3))?,
            ["at", "least", one, ..] => figure(one).map(|one| ((one, usize::MAX), 3))?,
            ["at", "most", one, ..] => figure(one).map(|one| ((0, one), 3))?,
            ["less" | "fewer", "than", one, ..] => figure(one).map(|one| ((0, one.saturating_sub(1)), 3))?,
            ["exactly" | "only" | "just", one, ..] => figure(one).map(|one| ((one, one), 2))?,
            ["several" | "multiple", ..] => ((2, usize::MAX), 1),
            ["no", ..] => ((0, 0), 1),
            [one, ..] if figure(one).is_some() => figure(one).map(|one| ((one, usize::MAX), 1))?,
            _ => ((1, usize::MAX), 0),
        };
        let rest = &object[taken..];
        let articles = rest.iter().take_while(|word| is_in(ARTICLES, &word.lower())).count();
        let words = &rest[articles..];
        let called = words.iter().position(|word| is_in("called named", &word.lower()));
        let is_code = |word: &&QuestionWord| word.is_quoted || word.shape == Shape::Code || is_special(&word.text);
        let (kind, name) = match (called, words) {
            (Some(at), _) if at + 2 == words.len() => (words[..at].last(), words.get(at + 1)),
            (Some(_), _) | (None, []) => return None,
            (None, [one]) if kind_of(&one.lower()).is_none() => (None, Some(one).filter(is_code)),
            (None, [name, kind]) if kind_of(&kind.lower()).is_some() && !is_stop_word(&name.lower()) => {
                (Some(kind), Some(name).filter(is_code))
            }
            (None, [.., last]) => (Some(last), None),
        };
        let kind = kind.and_then(|kind| kind_of(&kind.lower()));
        Some(Self { bound, kind, name, words, is_bounded: taken > 0 })
    }

    fn holds(&self, figure: usize) -> bool {
        (self.bound.0..=self.bound.1).contains(&figure)
    }

    fn yes(&self, figure: usize) -> &'static str {
        if self.holds(figure) { "yes" } else { "no" }
    }
}

/// Yes or no to a member of a class, its kind included.
fn member(
    reading: AnswerInputs,
    understood: &Understood,
    owners: &[Target],
    name: &str,
    kind: Option<Kind>,
) -> Result<Option<Answer>, StoreError> {
    let mut answer = begun(understood, owners);
    let mut headlines = Vec::new();
    for owner in owners {
        let main = owner.main();
        answer.want(main, "asked about", false);
        let at = format!("{} at {}:{}", main.record.kind, main.path, main.record.start_line);
        let said = having::member_of(reading.store, owner, "have", name, &at, &mut answer)?;
        let found = having::found_member(reading.store, main, name)?;
        let other = found.filter(|found| kind.is_some_and(|kind| !kind.kinds.contains(&found.record.kind)));
        headlines.push(match (other, kind) {
            (Some(other), Some(kind)) => {
                let place = format!("{}:{}", other.path, other.record.start_line);
                format!("no: `{}` is a {}, no {} ({place})", other.full_name(), other.record.kind, kind.noun)
            }
            _ => said,
        });
    }
    answer.headline = headlines.join("; ");
    Ok(Some(answer))
}

/// Yes or no to the number of definitions of a name.
fn number_of(
    reading: AnswerInputs,
    understood: &Understood,
    thing: &ExistingThing<'_>,
    (name, kind): (&str, Kind),
    excepted: Option<&QuestionWord>,
) -> Result<Answer, StoreError> {
    let store = reading.store;
    let mut answer = begun(understood, &[]);
    let left_out = match excepted {
        Some(word) => match definition_of(store, understood, &word.text)? {
            Some(target) => Some(target),
            None => {
                answer.headline =
                    format!("the condition `besides {0}` is not understood: nothing here is called `{0}`", word.text);
                return Ok(answer);
            }
        },
        None => None,
    };
    let is_left_out = |entity: &Entity| {
        let mut ids = left_out.iter().flat_map(|target| &target.entities);
        ids.any(|known| known.id == entity.id)
    };
    let last = name.rsplit('.').next().unwrap_or(name);
    let mut found = store.entities_named(last, false)?;
    // A method is looked for by its own name, and a function may be one.
    found.retain(|entity| kind.kinds.contains(&entity.record.kind) && !is_left_out(entity));
    // Overloads and definitions under conditions are one thing.
    let mut seen = BTreeSet::new();
    found.retain(|entity| seen.insert((entity.path.clone(), entity.record.qualified.clone())));
    let (mut program, mut tests) = (Vec::new(), Vec::new());
    for entity in found {
        let is_test = is_aside(&entity.path) || store.file(entity.file)?.is_some_and(|file| file.is_test);
        if is_test { tests.push(entity) } else { program.push(entity) }
    }
    let named: Vec<String> = program.iter().take(MAX_NAMED).map(place_of).collect();
    let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
    let more = match tests.len() {
        0 => String::new(),
        all => format!("; {all} more in tests or elsewhere"),
    };
    let besides = left_out.map_or_else(String::new, |target| format!(" besides `{}`", target.main().full_name()));
    let all = program.len();
    let are = if all == 1 { "is" } else { "are" };
    answer.headline = format!(
        "{}: {} outside of tests {are} called `{last}`{besides}{named}{more}",
        thing.yes(all),
        count(all, kind.noun)
    );
    let title = plural(kind.noun);
    answer.list(format!("{title} called `{last}` ({all})"), program.iter().map(ListRow::of).collect());
    answer.list(
        format!("{title} called so in tests or elsewhere ({})", tests.len()),
        tests.iter().map(ListRow::of).collect(),
    );
    Ok(answer)
}

/// Yes or no to definitions of a kind in files.
fn kinds_in(
    reading: AnswerInputs,
    understood: &Understood,
    thing: &ExistingThing<'_>,
    file: &PlannedFile,
    kind: Kind,
) -> Result<Answer, StoreError> {
    let mut answer = begun(understood, &[]);
    let reader = FilterReader::new(reading.store)?;
    let mut headlines = Vec::new();
    for path in &file.paths {
        let filter = Filter { kinds: kind.kinds.to_vec(), paths: vec![path.clone()], ..Filter::default() };
        let mut found = reader.fitting(&filter)?;
        // Names inside of functions are no variables of the file.
        let is_top = |entity: &Entity| !entity.record.qualified.contains('.');
        found.retain(|entity| entity.record.kind != EntityKind::Variable || is_top(entity));
        found.retain(|entity| thing.name.is_none_or(|name| entity.record.name == name.text));
        let called = thing.name.map_or_else(String::new, |name| format!(" called `{}`", name.text));
        let named = first_of(found.iter().map(|entity| format!("`{}`", entity.record.qualified)));
        let all = found.len();
        let said = match all {
            0 => format!("{}: {path} has no {}{called}", thing.yes(all), kind.noun),
            _ => {
                let all_of_kind = count(all, kind.noun);
                format!("{}: {path} has {all_of_kind}{called}: {named}", thing.yes(all))
            }
        };
        headlines.push((!thing.holds(all), said));
        answer.list(format!("{} in {path} ({all})", plural(kind.noun)), found.iter().map(ListRow::of).collect());
    }
    // Of several files with the name, one that has the thing is enough.
    headlines.sort_by_key(|(lacks, _)| *lacks);
    if headlines.first().is_some_and(|(lacks, _)| !lacks) {
        headlines.retain(|(lacks, _)| !lacks);
    }
    let said: Vec<String> = headlines.into_iter().map(|(_, said)| said).collect();
    answer.headline = said.join("; ");
    Ok(answer)
}

/// The lines of files that have the words, for a thing that the index knows nothing of; `None` where a file is asked
/// for.
fn text_in(
    reading: AnswerInputs,
    understood: &Understood,
    file: &PlannedFile,
    thing: &[QuestionWord],
) -> Option<Answer> {
    let intent = understood.plan.intent;
    let asks_for_files = thing.iter().any(|word| {
        is_in("documentation file files folder folders module modules script scripts test tests", &word.lower())
    });
    let is_of_files = matches!(intent, QuestionIntent::Files | QuestionIntent::Members | QuestionIntent::Search);
    if asks_for_files || !is_of_files || !understood.targets.is_empty() || thing.is_empty() {
        return None;
    }
    let asked = thing.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let telling: Vec<String> = thing.iter().map(QuestionWord::lower).filter(|word| !is_stop_word(word)).collect();
    let has_words = |line: &str| {
        let lower = line.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '_').collect::<BTreeSet<&str>>();
        words.remove("");
        !telling.is_empty()
            && telling.iter().all(|word| words.contains(word.trim_end_matches('s')) || words.contains(word.as_str()))
    };
    let mut answer = begun(understood, &[]);
    let mut headlines = Vec::new();
    for path in &file.paths {
        let text = reading.sources.text(path).unwrap_or_default();
        let mut rows = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| has_words(line)) {
            let line_number = u32::try_from(at + 1).unwrap_or(u32::MAX);
            rows.push(ListRow::line(path, line_number, line.trim().to_owned()));
        }
        let all = rows.len();
        headlines.push(match rows.first() {
            None => format!("no line of {path} has these words"),
            Some(first) => format!("these words stand in {} of {path}, first line {}", count(all, "line"), first.line),
        });
        rows.truncate(MAX_LINES);
        answer.list(format!("lines of {path} ({all})"), rows);
    }
    answer.headline = format!("the index does not tell whether there is `{asked}`; {}", headlines.join("; "));
    Some(answer)
}

fn place_of(entity: &Entity) -> String {
    format!("{}:{}", entity.path, entity.record.start_line)
}

/// An answer of these questions, which `ask` alone gives, with the owners as its only subjects.
pub(super) fn begun(understood: &Understood, owners: &[Target]) -> Answer {
    let mut plan = understood.clone().read_as(QuestionIntent::Show).plan;
    let is_owner = |name: &String| owners.iter().any(|owner| owner.main().full_name() == *name);
    if !owners.is_empty() {
        plan.subjects.retain(|subject| is_owner(&subject.name));
        // They spoke of definitions that are not meant.
        plan.notes.clear();
    }
    let mut answer = Answer::new(plan, String::new());
    answer.command = understood.plan.ask_command();
    answer
}
