//! The facts about a question that decide which forms of questions apply, and what else its words say.

use std::collections::BTreeSet;

use crate::{
    ask::reading::{
        filters::EVERY_VARIABLE,
        forms::{
            Facts,
            concepts::{NamesHere, asks_for_concept},
            general::{HereOf, is_doubtful, is_foreign, is_general, is_of_own_thing, is_version},
            patterns::Phrase,
            world,
        },
        literals::Literal,
        names::NameMatch,
        subjects::{NameMention, QuestionNames},
        words::{
            ParsedQuestion, QuestionWord, Shape, is_in_names, is_stop_word, name_parts, stem,
            titles::{are_alike, is_guided, tells_history},
        },
    },
    model::EntityKind,
    query::{
        search::{has_meaning, stands_in},
        target::{
            Target,
            filter::{FilterReader, is_exception_name},
            likeliest::{is_aside, is_of_program},
            spelling::nearest,
        },
    },
    store::{Store, error::StoreError},
};

/// Texts of a question that names nothing: `what uses click` may mean a module from outside.
pub(super) fn implied_literals(question: &ParsedQuestion, phrase: &Phrase) -> Vec<Literal> {
    let literal = |text: &str| Literal { text: text.to_owned(), is_message: false };
    if phrase.has(EVERY_VARIABLE) {
        return ["os.environ", "getenv"].map(literal).to_vec();
    }
    let argument = |word: &QuestionWord| word.value.as_ref().map(|value| format!("{}={value}", word.text));
    let arguments: Vec<Literal> = question.words.iter().filter_map(argument).map(|text| literal(&text)).collect();
    if !arguments.is_empty() {
        return arguments;
    }
    let place = phrase.place(
        "who/what/which/where/anything/anyone/anybody/something/still .. use/uses/using/import/imports/imported/need/needs|\
         who/what/which .. depend/depends/rely/relies on",
    );
    // `where is markupsafe used`
    let asks_where = phrase.has("^ where is/are & imported/used/called $");
    let place = place.or_else(|| phrase.place("^ where is/are").filter(|_| asks_where));
    let behind = place.map(|(_, at)| question.words[at..].iter());
    let mut behind =
        behind.into_iter().flatten().skip_while(|word| matches!(word.lower().as_str(), "the" | "a" | "an"));
    if let Some(word) = behind.next().filter(|word| !is_stop_word(&word.lower())) {
        return vec![literal(&word.text)];
    }
    // A word in capitals is an abbreviation, unless something reads it.
    let is_read = phrase.has("read/reads/set/sets/respect*/honor*/honour*/env*/variable*");
    let is_setting = |word: &&QuestionWord| word.text.len() > 3 && word.text.chars().all(|c| c.is_ascii_uppercase());
    question.words.iter().filter(|word| is_read && is_setting(word)).map(|word| literal(&word.text)).collect()
}

/// The facts that decide which forms apply, except those about texts and filters.
pub(super) fn facts(
    store: &Store,
    question: &ParsedQuestion,
    named: &QuestionNames,
    about: &[Target],
    phrase: &Phrase,
) -> Result<Facts, StoreError> {
    let settled = settled(named);
    let (subjects, unknown, files) = (settled + about.len(), named.mentions.len() - settled, named.files.len());
    let is_only_capitalized =
        |mention: &NameMention| question.words[mention.at].shape == Shape::Capitalized && mention.hint.is_none();
    let is_code = |mention: &NameMention| {
        let is_known = !mention.meanings.targets.is_empty() || mention.text.contains('_');
        question.words[mention.at].shape == Shape::Code && is_known
    };
    let is_here = phrase.has("this/the/my/our repo/repository/code/codebase/project/package/library|here|we|our");
    // `NoSQL` is written like a name, and is none of the repository.
    let is_of_world_alone = |mention: &NameMention| {
        mention.meanings.targets.is_empty() && world::is_topic(&question.words[mention.at].lower())
    };
    let is_capitalized_here =
        |mention: &NameMention| is_only_capitalized(mention) && !mention.meanings.targets.is_empty();
    let is_free = named.mentions.iter().all(|mention| is_capitalized_here(mention) || is_of_world_alone(mention))
        && files == 0
        && !is_here
        && about.is_empty();
    let has_code = named.mentions.iter().any(is_code) || files > 0;
    let is_place = subjects + unknown + files > 0;
    let kind = about.first().or_else(|| named.mentions.iter().find_map(|mention| mention.meanings.targets.first()));
    let kind = kind.map(|target| target.main().record.kind);
    let names = if is_free && subjects == 0 { store.names()? } else { Vec::new() };
    let mut own_words = None;
    let is_world = is_free && subjects == 0 && is_of_world(question, phrase, &names, store)
        || about.is_empty() && is_of_concept(question, named, phrase, store)?
        || about.is_empty() && is_of_all(question, named, phrase, (store, &mut own_words))?;
    // What a document here explains is asked of the repository, whatever the words are.
    let is_world = is_world
        && (is_of_own_thing(&phrase.words)
            || !is_guided(store, &phrase.words)?
                && !OwnWords::kept(store, &mut own_words)?.asks(store, &|here| is_doubtful(question, phrase, here)));
    let (is_local, is_spelled) = if is_place { (false, false) } else { spoken(store, question)? };
    let speaks_of_parts = phrase.has("the/our/my test/tests/suite/app/application/docs/documentation");
    let is_local = is_local || !is_place && !is_world && (speaks_of_parts || is_spoken_of(store, question)?);
    let is_exception = |mention: &NameMention| is_exception_name(&mention.text);
    let either = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
    let mut facts = Facts::from([
        either(subjects > 0, "subject", "nosubject"),
        either(subjects + unknown > 0, "name", "noname"),
        either(is_place, "place", "noplace"),
        either(subjects + unknown > 1, "two", "oneatmost"),
        either(subjects <= 1 && is_place, "onesubject", "several"),
        either(unknown > 0, "unknown", "allknown"),
        either(files > 0, "file", "nofile"),
        either(has_code, "code", "nocode"),
        either(is_free, "free", "bound"),
        either(is_local, "local", "foreign"),
        either(is_spelled, "spelled", "unspelled"),
        either(named.has_parameter, "parameter", "noparameter"),
        either(question.quotes.is_empty(), "noline", "line"),
        either(question.words.len() < SHORT, "short", "long"),
        either(question.words.len() > STORY, "story", "sentence"),
        either(named.mentions.iter().any(is_exception), "exception", "noexception"),
    ]);
    facts.extend(is_world.then_some("world"));
    // Who says so asks the repository, whatever the other words are.
    facts.extend(phrase.has("in/of/within/inside this/the/our/my repo/repository/codebase/project").then_some("here"));
    facts.extend(matches!(kind, Some(EntityKind::Variable | EntityKind::Property)).then_some("attribute"));
    facts.extend(match kind {
        Some(EntityKind::Class) => Some("class"),
        Some(EntityKind::Module) => Some("module"),
        Some(kind) if kind.is_callable() => Some("callable"),
        Some(_) => Some("variable"),
        None => None,
    });
    Ok(facts)
}

pub(super) fn settled(named: &QuestionNames) -> usize {
    named.mentions.iter().filter(|mention| !mention.meanings.targets.is_empty()).count()
}

/// The names in the question that are exceptions, here or in a library.
pub(super) fn exceptions(store: &Store, named: &QuestionNames) -> Result<Vec<String>, StoreError> {
    // Most questions name no class, and the reader loads the list of files.
    let mut reader = None;
    let mut found: Vec<String> = Vec::new();
    for mention in &named.mentions {
        let written = mention.text.rsplit('.').next().unwrap_or(&mention.text);
        // A misspelt name stands for the one that it is taken for.
        let taken = match mention.meanings.targets.as_slice() {
            [target] if mention.meanings.how == Some(NameMatch::Slip) => &target.main().record.name,
            _ => written,
        };
        let name = taken.to_owned();
        let mut is_one = mention.meanings.targets.is_empty() && name.starts_with(char::is_uppercase);
        for target in mention.meanings.targets.iter().filter(|target| target.main().record.kind == EntityKind::Class) {
            let reader = match &mut reader {
                Some(reader) => reader,
                none => none.insert(FilterReader::new(store)?),
            };
            is_one |= reader.is_exception(target.main())?;
        }
        if is_one && !found.contains(&name) {
            found.push(name);
        }
    }
    Ok(found)
}

/// Whether the question asks who raises, and who catches.
pub(super) fn handling(phrase: &Phrase) -> (bool, bool) {
    let raises = phrase.has("raise*|throw*");
    let catches = phrase.has("catch*|caught|except|handle*|translate*|swallow*");
    (raises || !catches, catches)
}

/// The revision behind `since`: it has a digit.
pub(super) fn revision(phrase: &Phrase, question: &ParsedQuestion) -> Option<String> {
    let (_, at) = phrase.place("since/after/from/between")?;
    let words = question.words[at..].iter().take(3);
    let is_revision = |text: &str| {
        text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '-'))
            && !text.starts_with(['.', '/', '-'])
    };
    words.map(|word| word.text.clone()).find(|text| is_revision(text))
}

/// Whether the words are those of a question about the world, as far as the repository has no names like them.
fn is_of_world(question: &ParsedQuestion, phrase: &Phrase, names: &[String], store: &Store) -> bool {
    let is_here = |word: &str| is_in_names(names, word);
    let is_called = |word: &str| is_called(store, names, word);
    world::is_of_world(question, phrase, &is_here, &is_called)
}

/// Whether the question is for a concept of the world that nothing here is called by.
fn is_of_concept(
    question: &ParsedQuestion,
    named: &QuestionNames,
    phrase: &Phrase,
    store: &Store,
) -> Result<bool, StoreError> {
    // `SQL` is written like a name, and a single capital letter begins any word.
    let is_word = |mention: &NameMention| {
        let word = &question.words[mention.at];
        let is_plain = word.shape != Shape::Code || is_abbreviation(&word.text) || world::is_topic(&word.lower());
        // `WINDOWS in rich.console` is the one that stands there.
        mention.container.is_none() && (is_plain || word.text.contains('-')) && !word.is_quoted
    };
    let is_free = named.mentions.iter().all(is_word)
        && named.files.iter().all(|file| file.paths.is_empty())
        && question.quotes.is_empty()
        && !named.has_parameter;
    if !is_free {
        return Ok(false);
    }
    let nothing = |_: &str| false;
    let unknown = NamesHere { is_part: &nothing, is_called: &nothing, is_titled: &nothing };
    // Names and titles are read only for a question that may be one.
    if !asks_for_concept(&phrase.words, &unknown) {
        return Ok(false);
    }
    let names = store.names()?;
    let titles: BTreeSet<String> =
        store.sections()?.into_iter().map(|(_, section)| section.title.to_lowercase()).collect();
    let is_written = |lower: &str| {
        let written = question.words.iter().find(|word| word.lower() == lower && is_abbreviation(&word.text));
        written.map_or(lower.to_owned(), |word| word.text.clone())
    };
    Ok(asks_for_concept(
        &phrase.words,
        &NamesHere {
            is_part: &|word| world::singulars(word).iter().any(|word| is_in_names(&names, word)),
            is_called: &|word| is_called(store, &names, &is_written(word)),
            is_titled: &|title| {
                world::singulars(title).iter().any(|title| titles.contains(title))
                    || titles.contains(&format!("{title}s"))
            },
        },
    ))
}

/// Whether nothing of the question is about the repository, and something of it is about the world.
fn is_of_all(
    question: &ParsedQuestion,
    named: &QuestionNames,
    phrase: &Phrase,
    (store, own_words): (&Store, &mut Option<OwnWords>),
) -> Result<bool, StoreError> {
    // `HTTP/2` is written like a path, and `SQL` like a name.
    let is_word = |mention: &NameMention| {
        let word = &question.words[mention.at];
        let is_placed = mention.container.is_some();
        !is_placed && word.shape != Shape::Code
            || mention.meanings.targets.is_empty()
                && (is_abbreviation(&word.text) || (is_foreign(&word.lower()) || world::is_topic(&word.lower())))
    };
    let is_no_path = |text: &str| !text.contains(['.', '_']) && text.starts_with(char::is_uppercase);
    let is_free = named.mentions.iter().all(is_word)
        && named.files.iter().all(|file| file.paths.is_empty() && (is_version(&file.text) || is_no_path(&file.text)))
        && !named.has_parameter;
    let unknown =
        HereOf { is_called: &|_| false, times: &|_| 0, is_known: &|_| true, is_absent: &|_| true, is_told: &|_| false };
    // `is Both hashable`
    let is_name = |mention: &NameMention| {
        mention.at > 0
            && question.words[mention.at].shape == Shape::Capitalized
            && mention.meanings.how == Some(NameMatch::Exact)
            && !mention.meanings.targets.is_empty()
    };
    // Names and titles are read only for a question that may be one.
    if !is_free || named.mentions.iter().any(is_name) || !is_general(question, phrase, &unknown) {
        return Ok(false);
    }
    Ok(OwnWords::kept(store, own_words)?.asks(store, &|here| is_general(question, phrase, here)))
}

/// The names of the repository with their parts, and the sections of its documents, in small letters.
struct OwnWords {
    names: Vec<String>,
    parts: Vec<String>,
    titles: Vec<String>,
    /// Each title with its first lines.
    leads: Vec<String>,
}

impl OwnWords {
    /// Reads them where nothing has yet.
    fn kept<'w>(store: &Store, kept: &'w mut Option<Self>) -> Result<&'w Self, StoreError> {
        Ok(match kept {
            Some(words) => words,
            None => kept.insert(Self::of(store)?),
        })
    }

    fn of(store: &Store) -> Result<Self, StoreError> {
        let names = store.names()?;
        let parts: BTreeSet<String> = names.iter().flat_map(|name| name_parts(name)).collect();
        let mut sections = store.sections()?;
        sections.retain(|(path, _)| !tells_history(path));
        let titles = sections.iter().map(|(_, section)| section.title.to_lowercase()).collect();
        let leads = sections.iter().map(|(_, one)| format!("{} {}", one.title, one.lead).to_lowercase()).collect();
        Ok(Self { parts: parts.into_iter().collect(), names, titles, leads })
    }

    /// Asks something of the words that the repository has.
    fn asks(&self, store: &Store, whether: &dyn Fn(&HereOf) -> bool) -> bool {
        /// A word of so many names and titles is one of the repository, and more say no more.
        const MANY: usize = 3;
        let Self { names, parts, titles, leads } = self;
        let is_own = |name: &String| -> Result<bool, StoreError> {
            for entity in store.entities_named(name, false)? {
                if is_of_program(store, entity.file)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let times = |word: &str| {
            let stem = stem(word);
            let has = |text: &str| name_parts(text).any(|part| self::stem(&part) == stem);
            let in_titles = titles.iter().filter(|title| has(title));
            let in_names = names.iter().filter(|name| has(name) && is_own(name).unwrap_or(true));
            in_titles.chain(in_names).take(MANY).count()
        };
        let is_titled = |word: &str| world::singulars(word).iter().any(|one| titles.contains(one));
        // A slip of a name is no word of the world.
        let is_known = |word: &str| {
            (word.starts_with(char::is_uppercase) || has_meaning(word))
                && nearest(parts, &word.to_lowercase()).is_empty()
        };
        let is_absent = |word: &str| is_known(word) && !stands_in(store, word, 1).unwrap_or(true);
        let is_told = |words: &[String]| {
            let has = |text: &str, word: &String| name_parts(text).any(|part| are_alike(&part, word));
            leads.iter().any(|text| words.iter().all(|word| has(text, word)))
                || names.iter().any(|name| words.iter().all(|word| has(name, word)))
        };
        let here = HereOf {
            is_called: &|word| is_called(store, names, word) || is_titled(&word.replace('_', " ")),
            times: &times,
            is_known: &is_known,
            is_absent: &is_absent,
            is_told: &is_told,
        };
        whether(&here)
    }
}

/// Whether a word has capital letters alone, two of them at least.
fn is_abbreviation(text: &str) -> bool {
    text.len() > 1 && text.chars().all(char::is_uppercase)
}

/// Whether a class, module or function of the program is called so; an abbreviation counts as it is written.
fn is_called(store: &Store, names: &[String], word: &str) -> bool {
    let is_written = word.contains(char::is_uppercase);
    let is_meant = |name: &&String| {
        if is_written { *name == word } else { world::singulars(word).contains(&name.to_lowercase()) }
    };
    let mut alike = names.iter().filter(is_meant);
    // Of an index that cannot be read, other steps tell.
    alike.any(|name| is_offered(store, name).unwrap_or(true)) || is_module(store, word).unwrap_or(true)
}

/// Whether a module or package of the program is called so; of several words it may be their plural.
fn is_module(store: &Store, word: &str) -> Result<bool, StoreError> {
    let mut names = world::singulars(word);
    names.extend(word.contains('_').then(|| format!("{word}s")));
    for (file, module) in store.modules()? {
        let is_it = module.rsplit('.').next().is_some_and(|last| names.iter().any(|name| name == last));
        if is_it && is_of_program(store, file)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether some class, module or function at the top level, outside of tests, has this name.
fn is_offered(store: &Store, name: &str) -> Result<bool, StoreError> {
    let entities = store.entities_named(name, false)?;
    Ok(entities.iter().any(|entity| {
        let record = &entity.record;
        let is_top = !record.qualified.contains('.') && record.kind != EntityKind::Variable;
        is_top && !is_aside(&entity.path)
    }))
}

/// Whether each telling word of the question stands in several places of the repository's texts, or begins as a part of
/// a name does: `authentication` where a function is called `authenticate`.
fn is_spoken_of(store: &Store, question: &ParsedQuestion) -> Result<bool, StoreError> {
    /// A word in fewer places may be there by chance.
    const PLACES: usize = 3;
    let lower = question.words.iter().map(QuestionWord::lower);
    let telling: Vec<String> = lower.filter(|word| !is_stop_word(word)).collect();
    let names = store.names()?;
    let parts: BTreeSet<String> = names.iter().flat_map(|name| name_parts(name)).collect();
    for word in &telling {
        let singulars = world::singulars(word);
        if parts.iter().any(|part| singulars.contains(part) || begins_alike(part, word)) {
            continue;
        }
        if !stands_in(store, word, PLACES)? {
            return Ok(false);
        }
    }
    Ok(!telling.is_empty())
}

/// Whether two words share so long a beginning that they are of one family.
fn begins_alike(one: &str, other: &str) -> bool {
    /// Letters of the shortest beginning, and those that the shorter word may go on with.
    const BEGINNING: usize = 5;
    const ENDING: usize = 3;
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    same >= BEGINNING && same + ENDING >= one.chars().count().min(other.chars().count())
}

/// Whether some meaningful word of the question is part of a name here, and whether two of them are parts of one name.
fn spoken(store: &Store, question: &ParsedQuestion) -> Result<(bool, bool), StoreError> {
    let words: BTreeSet<String> =
        question.words.iter().map(|word| stem(&word.lower())).filter(|word| word.len() > 2).collect();
    let words: BTreeSet<&String> = words.iter().filter(|word| !is_stop_word(word)).collect();
    let mut most = 0;
    for name in store.names()? {
        let shared: BTreeSet<String> =
            name_parts(&name).map(|part| stem(&part)).filter(|part| words.contains(part)).collect();
        most = most.max(shared.len());
        if most > 1 {
            break;
        }
    }
    Ok((most > 0, most > 1))
}

/// A longer question that says `the code` describes a part of it.
const SHORT: usize = 10;

/// A longer question tells a story, whose names are but a part of it.
const STORY: usize = 28;
