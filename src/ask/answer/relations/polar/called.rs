//! Yes or no to `is there a KIND called NAME` and `does a KIND called NAME exist`, for every kind.
//!
//! Only the very name is a yes. Things of another kind that are called so, and names that resemble it, stand behind a
//! no.

use std::collections::BTreeSet;

use super::{
    MAX_NAMED,
    exists::begun,
    kind::{asked_kind, with_article},
};
use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, first_in_words, select::nesting::holds_tests, survey::packages::packages_of,
        },
        reading::{
            forms::patterns::number,
            plan::Understood,
            words::{QuestionWord, Shape, is_in},
        },
    },
    model::{EntityKind, FileRecord},
    query::{
        target::{
            TargetMatch,
            filter::{DefinitionMark, Filter, FilterReader},
            has_source_suffix, is_suffix, known,
            likeliest::is_aside,
            spelling::nearest,
        },
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Words before a thing that say only that it exists.
const ARTICLES: &str = "a all an any some such the";
/// Words behind the name that say no more than `here`.
const HERE: &str = "already anywhere at all defined existing exists here now really somewhere";
/// Those who have what the repository has.
const OWNERS: &str = "code codebase i library one our package program project repo repository the they this we you";
/// Words of a kind that state a number or a place, which have answers of their own.
const OTHERWISE: &str = "besides exactly except in inside just least more most no of on only several than within";
/// Things that are no definitions, whatever else has their name.
const OTHER_THINGS: &str = "arg argument author branch chapter column command comment commit contributor directory document \
     environment flag folder guide heading key keyword kwarg label line message option page param parameter route section \
     setting string tag text tool";
/// Like definitions that are listed.
const MAX_LIKE: usize = 10;

/// A thing of a kind and with a name that may exist.
struct CalledThing<'q> {
    /// The words of the kind, in lower case.
    noun: Vec<String>,
    name: &'q QuestionWord,
    /// The question says `called`.
    is_stated: bool,
}

/// How the things of a kind are found.
enum SoughtKind {
    Fitting(Box<Filter>),
    /// Any definition or module.
    Anything,
    Test,
    Decorator,
    Module,
    Package,
    File,
    /// A kind that the index does not tell apart.
    Untold,
}

/// A definition, module or file with the name.
struct NamedThing {
    name: String,
    row: ListRow,
    is_aside: bool,
    entity: Option<Entity>,
}

/// Answers whether something with a name exists; `None` for other questions. `is_had`: the second word of the question
/// is the project that may have it.
pub(super) fn called(
    reading: AnswerInputs,
    understood: &Understood,
    is_had: bool,
) -> Result<Option<Answer>, StoreError> {
    let Some(thing) = CalledThing::of(&understood.question.words, is_had) else { return Ok(None) };
    let Some(sought) = SoughtKind::of(&thing) else { return Ok(None) };
    let name = thing.name.text.trim_end_matches("()").trim_start_matches('@');
    // `an exception UsageError`, `a total function`: without `called` the word has to be a name here.
    let is_name =
        thing.is_stated || thing.name.is_quoted || matches!(thing.name.shape, Shape::Code | Shape::Capitalized);
    if !is_name && reading.store.entities_named(name, false)?.is_empty() {
        return Ok(None);
    }
    let noun = thing.noun.join(" ");
    let all = with_name(reading.store, name, &sought)?;
    let reader = FilterReader::new(reading.store)?;
    let (mut fitting, mut perhaps, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for found in all {
        match sought.accepts(reading, &reader, &found)? {
            Some(true) => fitting.push(found),
            None => perhaps.push(found),
            Some(false) => others.push(found),
        }
    }
    let mut answer = begun(understood, &[]);
    answer.plan.notes.retain(|note| !note.contains(&format!("`{}`", thing.name.text)));
    answer.plan.unknown.clear();
    answer.plan.subjects.clear();
    for found in fitting.iter().chain(&perhaps).chain(&others).take(MAX_NAMED) {
        if let Some(entity) = &found.entity {
            answer.want(entity, "asked about", false);
        }
    }
    let kind_of = |found: &NamedThing| with_article(found.row.kind);
    let place = |found: &NamedThing| match found.row.line {
        0 => found.row.path.clone(),
        line => format!("{}:{line}", found.row.path),
    };
    let is_a = |found: &NamedThing| format!("`{}` is {} ({})", found.name, kind_of(found), place(found));
    if let [one] = fitting.as_slice() {
        let of_kind = match one.row.kind {
            kind if kind == noun || matches!(sought, SoughtKind::Anything) => format!("{} at", kind_of(one)),
            _ => format!("{}, {} at", with_article(&noun), kind_of(one)),
        };
        answer.headline = match sought {
            SoughtKind::File => format!("yes: the file {} is called so", one.row.path),
            _ => format!("yes: `{}` is {of_kind} {}", one.name, place(one)),
        };
    } else if !fitting.is_empty() {
        let tests = fitting.iter().filter(|found| found.is_aside).count();
        let tests = match tests {
            0 => String::new(),
            tests if tests == fitting.len() => ", only in tests or elsewhere".to_owned(),
            tests => format!(", {tests} of them in tests or elsewhere"),
        };
        let named =
            first_in_words(fitting.iter().map(|found| format!("`{}` ({})", found.name, place(found))), MAX_NAMED);
        answer.headline = format!("yes: {} are called `{name}`{tests}: {named}", count(fitting.len(), &noun));
    } else if let Some(one) = perhaps.first() {
        let said = is_a(one);
        answer.headline = match sought {
            SoughtKind::Untold => format!("{said}; whether it is {} is not known", with_article(&noun)),
            _ => {
                format!("perhaps: {said}, and neither its signature nor a use says that it is {}", with_article(&noun))
            }
        };
    } else {
        let also = first_in_words(others.iter().map(is_a), MAX_NAMED);
        let like = if others.is_empty() { like(reading.store, name, &sought)? } else { Vec::new() };
        let rest = match (others.is_empty(), like.first()) {
            (false, _) => format!("; {also}"),
            (true, Some(first)) => format!("; similar: {}", is_a(first)),
            (true, None) => String::new(),
        };
        answer.headline = format!("no: no {noun} here is called `{name}`{rest}");
        let all = like.len();
        let rows = like.into_iter().take(MAX_LIKE).map(|found| found.row).collect();
        answer.list(format!("definitions of like names ({all})"), rows);
    }
    let rows = |found: Vec<NamedThing>| -> Vec<ListRow> { found.into_iter().map(|found| found.row).collect() };
    answer.list(format!("{} called `{name}` ({})", plural(&noun), fitting.len()), rows(fitting));
    others.extend(perhaps);
    answer.beside(format!("what else is called `{name}` ({})", others.len()), rows(others));
    Ok(Some(answer))
}

impl<'q> CalledThing<'q> {
    fn of(words: &'q [QuestionWord], is_had: bool) -> Option<Self> {
        let lower: Vec<String> = words.iter().map(QuestionWord::lower).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        let (mut start, mut end) = match lower.as_slice() {
            ["is" | "are" | "isn't", "there", ..] => (2, words.len()),
            ["do" | "does", .., "exist"] => (1, words.len() - 1),
            _ if is_had => (3, words.len()),
            ["do" | "does" | "has" | "have", rest @ ..] => {
                let owners = rest.iter().take_while(|word| is_in(OWNERS, word)).count();
                let verb = rest.get(owners).filter(|word| is_in("contain define have include got", word));
                verb.filter(|_| owners > 0)?;
                (owners + 2, words.len())
            }
            _ => return None,
        };
        // `in this repository`
        if let [.., "in" | "of" | "inside" | "within", "our" | "that" | "the" | "this", place] = &lower[..end]
            && is_in(OWNERS, place)
        {
            end -= 3;
        }
        while end > start && is_in(HERE, lower[end - 1]) {
            end -= 1;
        }
        while start < end && is_in(ARTICLES, lower[start]) {
            start += 1;
        }
        let said = &lower[start..end];
        let stated = said.iter().position(|word| is_in("called named", word));
        let noun = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let (noun, name, is_stated) = match (stated, said) {
            (Some(at), _) if at > 0 && at + 2 == said.len() => (noun(&said[..at]), start + at + 1, true),
            (None, [.., "with" | "by" | "of", "the" | "this", "name"]) => return None,
            (None, [kind @ .., "with" | "by" | "of", "the" | "this", "name", _]) => (noun(kind), end - 1, true),
            (None, [kind @ .., "with" | "by", "the", "name", "of", _]) => (noun(kind), end - 1, true),
            (None, [kind, _]) if is_kind(kind) => (noun(&[*kind]), end - 1, false),
            (None, [_, kind]) if is_kind(kind) => (noun(&[*kind]), start, false),
            _ => return None,
        };
        let name = &words[name];
        if noun.iter().any(|word| is_in(OTHERWISE, word) || number(word).is_some()) {
            return None;
        }
        let is_name = name.text.chars().any(char::is_alphanumeric) && !name.is_possessive;
        (is_name && (1..=3).contains(&noun.len())).then(|| Self { noun: singular(noun), name, is_stated })
    }
}

/// The words of a kind, the last one in the singular.
fn singular(mut noun: Vec<String>) -> Vec<String> {
    if let Some(last) = noun.last_mut() {
        *last = match last.as_str() {
            "classes" => "class".to_owned(),
            "properties" => "property".to_owned(),
            "error" | "errors" | "exceptions" => "exception".to_owned(),
            "const" | "constants" => "constant".to_owned(),
            "func" | "def" => "function".to_owned(),
            "anything" | "name" | "something" | "symbol" | "thing" => "definition".to_owned(),
            other => other.strip_suffix('s').filter(|stem| is_kind(stem)).unwrap_or(other).to_owned(),
        };
    }
    noun
}

/// Whether a word is a kind of definition, module or file by itself.
fn is_kind(word: &str) -> bool {
    const KINDS: &str = "attribute class classes const constant decorator def error exception field file fixture func function global member \
         method module name package property script submodule subpackage symbol test testcase variable";
    is_in(KINDS, word)
}

impl SoughtKind {
    /// The kind of the words; `None` for what is no definition, module or file.
    fn of(thing: &CalledThing<'_>) -> Option<Self> {
        use EntityKind::{Class, Function, Method, Property, Variable};
        let of = |kinds: &[EntityKind], mark: Option<DefinitionMark>| {
            let marks = mark.into_iter().collect();
            Some(Self::Fitting(Box::new(Filter { kinds: kinds.to_vec(), marks, ..Filter::default() })))
        };
        let noun: Vec<&str> = thing.noun.iter().map(String::as_str).collect();
        match noun.as_slice() {
            ["class"] => of(&[Class], None),
            ["exception"] | ["exception", "class"] => of(&[Class], Some(DefinitionMark::Exception)),
            ["function"] => of(&[Function, Method], None),
            ["method"] => of(&[Method], None),
            ["property"] => of(&[Property], None),
            ["attribute" | "field"] => of(&[Variable, Property], None),
            ["variable" | "global" | "constant"] => of(&[Variable], None),
            ["member"] => of(&[Class, Function, Method, Property, Variable], None),
            ["definition"] => Some(Self::Anything),
            ["fixture"] | ["pytest", "fixture"] => of(&[Function, Method], Some(DefinitionMark::Fixture)),
            ["test" | "testcase"] | ["test", "function" | "method" | "case" | "class"] | ["unit", "test"] => {
                Some(Self::Test)
            }
            ["decorator"] => Some(Self::Decorator),
            ["module" | "submodule"] => Some(Self::Module),
            ["package" | "subpackage"] => Some(Self::Package),
            // A name with its ending or its folder is found as any file.
            ["file" | "script"] | ["python", "file" | "script" | "module"] => {
                let is_whole = thing.name.text.contains('/') || has_source_suffix(&thing.name.text);
                (!is_whole && !thing.name.text.contains('.')).then_some(Self::File)
            }
            [.., last] if is_in(OTHER_THINGS, last) => None,
            _ => match asked_kind(&thing.noun) {
                Some(kind) => Some(Self::Fitting(Box::new(kind.filter))),
                None => thing.is_stated.then_some(Self::Untold),
            },
        }
    }

    /// Whether something with the name is of the kind; `None` where that is not known.
    fn accepts(
        &self,
        reading: AnswerInputs,
        reader: &FilterReader<'_>,
        found: &NamedThing,
    ) -> Result<Option<bool>, StoreError> {
        let Some(entity) = &found.entity else { return Ok(Some(true)) };
        Ok(match self {
            Self::Anything => Some(true),
            Self::Fitting(filter) => Some(reader.accepts(filter, entity)?),
            Self::Test if entity.record.kind == EntityKind::Class => Some(holds_tests(reading, entity)?),
            Self::Test => {
                let filter = Filter { marks: vec![DefinitionMark::Test], ..Filter::default() };
                Some(entity.record.kind.is_callable() && reader.accepts(&filter, entity)?)
            }
            Self::Decorator => {
                let signed = Filter { marks: vec![DefinitionMark::Decorator], ..Filter::default() };
                let used = Filter { decorators: vec![vec![entity.record.name.clone()]], ..Filter::default() };
                let is_called = entity.record.kind.is_callable() || entity.record.kind == EntityKind::Class;
                let is_one = reader.accepts(&signed, entity)? || is_called && !reader.fitting(&used)?.is_empty();
                if is_one { Some(true) } else { (!is_called).then_some(false) }
            }
            Self::Module | Self::Package | Self::File => Some(false),
            Self::Untold => None,
        })
    }
}

/// Everything with the name: definitions, and the modules, packages or files where these are asked for.
fn with_name(store: &Store, name: &str, sought: &SoughtKind) -> Result<Vec<NamedThing>, StoreError> {
    let mut found = Vec::new();
    let file_row = |file: &FileRecord, name: &str, kind: &'static str| NamedThing {
        name: name.to_owned(),
        row: ListRow { name: name.to_owned(), kind, path: file.path.clone(), ..ListRow::default() },
        is_aside: file.is_test || is_aside(&file.path),
        entity: None,
    };
    let is_source = |path: &str| path.ends_with(".py") || path.ends_with(".pyi");
    match sought {
        SoughtKind::Anything | SoughtKind::Module | SoughtKind::File => {
            for (_, file) in store.files()? {
                let stem = file.path.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
                let is_module = is_source(&file.path) && is_suffix(&file.module, name);
                match sought {
                    SoughtKind::Anything | SoughtKind::Module if is_module => {
                        found.push(file_row(&file, &file.module, "module"));
                    }
                    SoughtKind::File if stem == name => found.push(file_row(&file, &file.path, "file")),
                    _ => {}
                }
            }
        }
        SoughtKind::Package => {
            for package in packages_of(store)?.into_iter().filter(|package| is_suffix(&package.name, name)) {
                let row = package.row();
                found.push(NamedThing { name: package.name, row, is_aside: !package.is_own, entity: None });
            }
        }
        _ => {}
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    let mut entities = store.entities_named(last, false)?;
    entities.retain(|entity| entity.record.kind != EntityKind::Module && is_suffix(&entity.full_name(), name));
    if entities.is_empty()
        && name.contains('.')
        && let Some(TargetMatch::Found(target)) = known(store, name, "")?
    {
        // A package hands it on.
        entities = target.entities.into_iter().filter(|entity| entity.record.name == last).collect();
    }
    found.extend(definitions(store, entities)?);
    found.sort_by(|a, b| (a.is_aside, &a.row.path, a.row.line).cmp(&(b.is_aside, &b.row.path, b.row.line)));
    Ok(found)
}

/// The definitions, each once.
fn definitions(store: &Store, entities: Vec<Entity>) -> Result<Vec<NamedThing>, StoreError> {
    // Overloads and definitions under conditions are one thing.
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for entity in entities {
        if seen.insert((entity.path.clone(), entity.record.qualified.clone())) {
            let is_test = store.file(entity.file)?.is_some_and(|file| file.is_test);
            found.push(NamedThing {
                name: entity.full_name(),
                row: ListRow::of(&entity),
                is_aside: is_test || is_aside(&entity.path),
                entity: Some(entity),
            });
        }
    }
    Ok(found)
}

/// Things that are called almost so: in other letters, or with a slip.
fn like(store: &Store, name: &str, sought: &SoughtKind) -> Result<Vec<NamedThing>, StoreError> {
    let last = name.rsplit('.').next().unwrap_or(name);
    if matches!(sought, SoughtKind::Module | SoughtKind::Package | SoughtKind::File) {
        let parts = store
            .modules()?
            .into_iter()
            .flat_map(|(_, module)| module.split('.').map(str::to_owned).collect::<Vec<_>>());
        let parts: Vec<String> = parts.collect::<BTreeSet<_>>().into_iter().collect();
        let mut found = Vec::new();
        for near in nearest(&parts, last) {
            found.extend(with_name(store, near, sought)?.into_iter().filter(|one| one.entity.is_none()));
        }
        return Ok(found);
    }
    let mut entities = store.entities_named(last, true)?;
    if entities.is_empty() {
        let names = store.names()?;
        for near in nearest(&names, last) {
            entities.extend(store.entities_named(near, false)?);
        }
    }
    let mut found = definitions(store, entities)?;
    found.sort_by(|a, b| (a.is_aside, &a.row.path, a.row.line).cmp(&(b.is_aside, &b.row.path, b.row.line)));
    Ok(found)
}
