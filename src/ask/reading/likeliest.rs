//! Finds definitions by what people call them: an instance, a thing, a family of classes.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use crate::{
    ask::reading::{
        forms::patterns::Phrase,
        names::{Meanings, NameMatch, meanings},
        relations::noun_of,
        subjects::{NameMention, QuestionNames},
        words::{ParsedQuestion, QuestionWord, Shape, is_in, is_stop_word, is_thing_of_programs, stem},
    },
    model::{EntityFlags, EntityKind, RelationshipKind, signature::Signature},
    query::{
        source::Sources,
        target::{
            Target, TargetMatch, known,
            likeliest::{is_aside, likeliest},
        },
    },
    store::{Store, error::StoreError},
};

/// Most definitions that the parts of a name mean.
const MAX_BY_PARTS: usize = 3;
/// Classes of variables of one name that are tried.
const MAX_CLASSES: usize = 3;

/// Of names that stand in asynchronous and in other code, takes those that the question asks for: `the sync Lock`.
pub fn choose_twin(phrase: &Phrase, named: &mut QuestionNames) {
    const NOT_ASYNC: &str = "sync | synchronous | blocking version/variant/one/client | non/not async/asyncio | non-async | \
         non-asyncio";
    let wants_sync = phrase.has(NOT_ASYNC);
    let wants_async = phrase.has("async/asyncio/asynchronous & !non/not async/asyncio");
    if wants_sync == wants_async {
        return;
    }
    for mention in &mut named.mentions {
        let all = mention.meanings.targets.iter().chain(&mention.passed).cloned();
        let (twins, others): (Vec<Target>, Vec<Target>) =
            all.partition(|target| is_asynchronous(target) == wants_async);
        if twins.is_empty() || others.is_empty() {
            continue;
        }
        let is_chosen = |target: &Target| twins.contains(target);
        if mention.meanings.targets.iter().any(is_chosen) {
            mention.meanings.targets.retain(is_chosen);
        } else {
            // Those that were passed over stand in the order of their likelihood.
            mention.meanings.targets = twins.into_iter().take(1).collect();
        }
        let chosen = &mention.meanings.targets;
        mention.passed = others.into_iter().filter(|other| !chosen.contains(other)).collect();
    }
}

/// Passes over constants that only tests define where the program has their name as a text: `config["SECRET_KEY"]`.
pub fn pass_over_constants_of_tests(
    store: &Store,
    sources: &Sources,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    for mention in &mut named.mentions {
        let is_setting = mention.text.contains('_') && !mention.text.contains(char::is_lowercase);
        let mut are_of_tests = is_setting && !mention.meanings.targets.is_empty();
        for target in &mention.meanings.targets {
            let is_test = store.file(target.main().file)?.is_some_and(|file| file.is_test);
            are_of_tests &= is_test || is_aside(&target.main().path);
        }
        if !are_of_tests {
            continue;
        }
        let quoted = ['"', '\''].map(|quote| format!("{quote}{}{quote}", mention.text));
        let has_text = |path: &str| {
            sources.text(path).is_some_and(|text| quoted.iter().any(|quoted| text.contains(quoted.as_str())))
        };
        let mut files = store.files()?.into_iter().filter(|(_, file)| !file.is_test && !is_aside(&file.path));
        if files.any(|(_, file)| has_text(&file.path)) {
            mention.passed.splice(0..0, std::mem::take(&mut mention.meanings.targets));
        }
    }
    Ok(())
}

/// Whether a definition is a coroutine, or stands in a module for them.
fn is_asynchronous(target: &Target) -> bool {
    let main = target.main();
    let mut parts = main.path.split(['/', '_', '.']).chain(main.record.qualified.split('.'));
    main.record.flags.has(EntityFlags::ASYNC)
        || parts.any(|part| matches!(part, "aio" | "asyncio") || part.to_lowercase().starts_with("async"))
}

/// The member that `name.member` means where variables called `name` hold instances of a class.
pub fn of_instance(store: &Store, sources: &Sources, text: &str) -> Result<Option<Target>, StoreError> {
    let Some((name, member)) = text.rsplit_once('.') else { return Ok(None) };
    let name = name.rsplit('.').next().unwrap_or(name);
    if name.is_empty() {
        return Ok(None);
    }
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    for (_, file) in store.files()? {
        let Some(text) = sources.text(&file.path) else { continue };
        for (at, _) in text.match_indices(name) {
            let is_inside = text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
            let rest = text[at + name.len()..].trim_start_matches(' ');
            if let Some(class) = class_at(rest).filter(|_| !is_inside) {
                *classes.entry(class.to_owned()).or_default() += 1;
            }
        }
    }
    let mut classes: Vec<(String, usize)> = classes.into_iter().collect();
    classes.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (class, _) in classes.into_iter().take(MAX_CLASSES) {
        match known(store, &format!("{class}.{member}"), "")? {
            Some(TargetMatch::Found(target)) if !target.main().record.qualified.is_empty() => return Ok(Some(target)),
            Some(TargetMatch::Ambiguous(entities)) => {
                let targets = entities.into_iter().map(|entity| Target::of(vec![entity])).collect();
                let (chosen, _) = likeliest(store, member, targets)?;
                return Ok(chosen.into_iter().find(|target| target.main().record.kind != EntityKind::Module));
            }
            _ => {}
        }
    }
    Ok(None)
}

/// The class in `: pkg.Class` or `= pkg.Class(` behind a variable.
fn class_at(rest: &str) -> Option<&str> {
    let is_annotation = rest.starts_with(':');
    let rest = rest.strip_prefix([':', '='])?.trim_start_matches([' ', '"', '\'']);
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
    let class = rest[..end].rsplit('.').next()?;
    let is_class = class.trim_start_matches('_').starts_with(char::is_uppercase) && class.contains(char::is_lowercase);
    (is_class && (is_annotation || rest[end..].starts_with('('))).then_some(class)
}

/// `what is a blueprint`: the class of that name, however it is written.
pub fn name_the_thing(store: &Store, question: &ParsedQuestion, named: &mut QuestionNames) -> Result<(), StoreError> {
    let words = question.lower_words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_asked = matches!(
        words.as_slice(),
        ["what", "is", "a" | "an", _] | ["how", "do" | "can" | "should", "i" | "we" | "you", _, "a" | "an", _]
    );
    let [.., last] = question.words.as_slice() else { return Ok(()) };
    if !is_asked || !named.mentions.is_empty() {
        return Ok(());
    }
    let found = meanings(store, &title(&last.text), Some(EntityKind::Class), false, "")?;
    if found.how.is_some_and(|how| how != NameMatch::Slip)
        && found.targets.iter().all(|target| target.main().record.kind == EntityKind::Class)
    {
        let (targets, passed) = likeliest(store, &last.text, found.targets.clone())?;
        let meanings = Meanings { targets, ..found };
        let (at, text) = (question.words.len() - 1, last.text.clone());
        named.blank.insert(at);
        named.mentions.push(NameMention { passed, ..NameMention::new(at, text, None, meanings) });
    }
    Ok(())
}

/// `how does markup get parsed`, `what breaks if I change the adapters`: the module of that name, where nothing else
/// has it but a variable or property.
pub fn name_the_module(store: &Store, question: &ParsedQuestion, named: &mut QuestionNames) -> Result<(), StoreError> {
    const CHANGES: &str = "change changed changes changing modify modifying move moving refactor refactoring remove removing \
         rename renaming replace replacing rewrite rewriting split splitting touch touching";
    let lower = question.lower_words();
    let is_one_of = |at: usize, known: &str| lower.get(at).is_some_and(|word| is_in(known, word));
    let at = if is_one_of(0, "how") && is_one_of(1, "do does is are") && named.mentions.len() == 1 {
        Some(if is_one_of(2, "the") { 3 } else { 2 })
    } else {
        let is_changed = |at: &usize| {
            let head = if is_one_of(at - 1, "the our") { at - 1 } else { *at };
            let ends = *at + 1 == lower.len() || question.words[*at].ends_clause;
            head > 0 && is_one_of(head - 1, CHANGES) && (ends || is_stop_word(&lower[at + 1]))
        };
        (1..lower.len()).find(is_changed)
    };
    // `which test files cover sessions`
    let end = lower.len().saturating_sub(1);
    let is_covered = end > 2
        && is_one_of(0, "which what list show")
        && (1..end).any(|at| is_one_of(at, "test tests"))
        && is_one_of(
            if is_one_of(end - 1, "the our") { end - 2 } else { end - 1 },
            "cover covers covering exercise for test",
        );
    let at = if is_covered { Some(end) } else { at };
    let is_value = |target: &Target| matches!(target.main().record.kind, EntityKind::Variable | EntityKind::Property);
    let is_free = |at: &usize| {
        let is_weak = |mention: &NameMention| mention.at == *at && mention.meanings.targets.iter().all(is_value);
        let word = &question.words[*at];
        word.shape == Shape::Plain
            && !word.is_quoted
            && !is_stop_word(&lower[*at])
            && named.mentions.iter().all(is_weak)
    };
    let Some(at) = at.filter(|at| *at < lower.len() && named.files.is_empty() && !named.has_parameter) else {
        return Ok(());
    };
    if !is_free(&at) {
        return Ok(());
    }
    let mut found = meanings(store, &lower[at], Some(EntityKind::Module), true, "")?;
    let is_of_program = |target: &Target| {
        let main = target.main();
        main.record.kind == EntityKind::Module && !is_aside(&main.path) && !main.path.ends_with(".pyi")
    };
    found.targets.retain(is_of_program);
    if found.targets.len() == 1 {
        let text = question.words[at].text.clone();
        named.blank.insert(at);
        named.mentions = vec![NameMention::new(at, text, None, found)];
    }
    Ok(())
}

/// `how does the test client work`: the class or callable whose name has these words as its parts. Such a name comes
/// before a helper of the tests or a variable that one of the words alone would name.
pub fn name_by_parts(store: &Store, question: &ParsedQuestion, named: &mut QuestionNames) -> Result<(), StoreError> {
    let Some(asked) = asked_words(question) else { return Ok(()) };
    for mention in &named.mentions {
        for target in &mention.meanings.targets {
            let is_test = store.file(target.main().file)?.is_some_and(|file| file.is_test);
            let is_weak = is_test || is_aside(&target.main().path) || target.main().record.kind == EntityKind::Variable;
            let is_plain = question.words[mention.at].shape == Shape::Plain;
            if !(is_weak && is_plain && asked.places.contains(&mention.at)) {
                return Ok(());
            }
        }
    }
    if !named.files.is_empty() || named.has_parameter {
        return Ok(());
    }
    let words: Vec<String> = question.words[asked.places.clone()].iter().map(QuestionWord::lower).collect();
    if is_thing_of_programs(&words.join(" ")) {
        return Ok(());
    }
    let mut found: Vec<(PartsMatch, usize, Target)> = Vec::new();
    for name in store.names()? {
        let Some(how) = parts_match(&name, &words, asked.is_own) else { continue };
        for entity in store.entities_named(&name, false)? {
            let is_test = store.file(entity.file)?.is_some_and(|file| file.is_test);
            let is_class = entity.record.kind == EntityKind::Class;
            let is_named = is_class || entity.record.kind.is_callable() && how == PartsMatch::Whole;
            // `flask.testing.FlaskClient` is a test client by the name of its module.
            let module = entity.module.rsplit('.').next().unwrap_or_default();
            let is_by_module = how != PartsMatch::Last || stem(module) == stem(&words[0]) && words.len() == 2;
            let is_enough = !asked.is_everyday || is_class && how == PartsMatch::Whole;
            if is_test || is_aside(&entity.path) || !is_named || !is_by_module || !is_enough {
                continue;
            }
            let heirs = store.incoming_of(entity.id, RelationshipKind::Inherits)?.len();
            found.push((how, heirs, Target::of(vec![entity])));
        }
    }
    // A class of the very name is meant rather than what only ends so.
    let is_whole_class = |(how, _, target): &(PartsMatch, usize, Target)| {
        *how == PartsMatch::Whole && target.main().record.kind == EntityKind::Class
    };
    if found.iter().any(is_whole_class) {
        found.retain(is_whole_class);
    }
    let is_bare = asked.places.len() == question.words.len();
    if is_bare && !found.iter().any(|(how, ..)| *how == PartsMatch::Whole) {
        return Ok(());
    }
    found.sort_by(|(a, x, one), (b, y, other)| {
        let place = |target: &Target| (target.main().path.clone(), target.main().record.line);
        (a, Reverse(x), place(one)).cmp(&(b, Reverse(y), place(other)))
    });
    found.dedup_by(|(_, _, one), (_, _, other)| one.main().record.qualified == other.main().record.qualified);
    if found.is_empty() {
        return Ok(());
    }
    found.truncate(MAX_BY_PARTS);
    if let Some(taker) = asked.is_own.then(|| taker(store, &words)).transpose()?.flatten() {
        found.truncate(MAX_BY_PARTS - 1);
        found.push((PartsMatch::Last, 0, taker));
    }
    let targets = found.into_iter().map(|(_, _, target)| target).collect();
    let meanings = Meanings { targets, how: Some(NameMatch::Parts), proposals: Vec::new() };
    named.mentions = vec![NameMention::new(asked.places.end - 1, words.join(" "), None, meanings)];
    named.blank.extend(asked.places);
    Ok(())
}

/// The only public method or function of the program that takes one: `Session.mount(prefix, adapter)`.
fn taker(store: &Store, words: &[String]) -> Result<Option<Target>, StoreError> {
    let name = words.join("_");
    let name = name.strip_suffix('s').unwrap_or(&name);
    let mut found = Vec::new();
    for (id, file) in store.files()? {
        if file.is_test || is_aside(&file.path) {
            continue;
        }
        found.extend(store.entities_of(id)?.into_iter().filter(|entity| {
            let record = &entity.record;
            let takes = || {
                let signature = Signature::parse(&record.signature);
                signature.is_some_and(|signature| signature.parameters.iter().any(|one| one.name == name))
            };
            record.kind.is_callable() && !record.name.starts_with('_') && takes()
        }));
    }
    Ok(match found.as_slice() {
        [one] => Some(Target::of(vec![one.clone()])),
        _ => None,
    })
}

/// How words are a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PartsMatch {
    /// All its parts.
    Whole,
    /// Its last parts: `cli runner` of `FlaskCliRunner`.
    End,
    /// The last word is its last part.
    Last,
}

/// The words of a question that stand where the thing in question does.
struct AskedWords {
    places: Range<usize>,
    /// One of one's own is to be made: `how do I write a custom adapter`.
    is_own: bool,
    /// Some words stand in questions of any kind: only the whole name of a class is meant by them.
    is_everyday: bool,
}

/// The words between the head of a question and its end: `how does the test client work`. One word is enough only
/// where something of one's own is to be made.
fn asked_words(question: &ParsedQuestion) -> Option<AskedWords> {
    const ARTICLES: &str = "a an the my our your own custom new";
    const ENDS: &str = "work works do does mean means for please";
    const TESTED: &str = "covered exercised tested tests";
    const AROUND_TESTED: &str = "any at all by enough fully have properly some the thoroughly unit well";
    /// More words describe something rather than name it.
    const MOST: usize = 4;
    let words = question.lower_words();
    let heads: Vec<&str> = words.iter().map(String::as_str).collect();
    let head = match heads.as_slice() {
        ["how", "do" | "can" | "should" | "could" | "would", "i" | "we" | "you" | "one", _, ..] => 4,
        ["how", "to", _, ..] => 3,
        ["how" | "what", "does" | "do" | "is" | "are", ..] => 2,
        ["explain" | "describe" | "understand", ..] => 1,
        _ => 0,
    };
    // `is the test client tested`
    let is_tested = matches!(heads.as_slice(), ["is" | "are" | "does" | "do", "the" | "our" | "my", ..])
        && words.iter().any(|word| is_in(TESTED, word));
    let head = if is_tested { 1 } else { head };
    let mut start = head;
    let mut is_own = false;
    while start < words.len() && is_in(ARTICLES, &words[start]) {
        is_own |= is_in("own custom new", &words[start]);
        start += 1;
    }
    let mut end = words.len();
    let ends = |word: &str| is_in(ENDS, word) || is_tested && (is_in(TESTED, word) || is_in(AROUND_TESTED, word));
    while end > start && head > 0 && ends(&words[end - 1]) {
        end -= 1;
    }
    let is_plain = |word: &QuestionWord| matches!(word.shape, Shape::Plain | Shape::Capitalized) && !word.is_quoted;
    let count = end.saturating_sub(start);
    let is_meant = (2..=MOST).contains(&count) || count == 1 && is_own;
    // `test` and `request` are parts of names, and other words of questions seldom are.
    let says_more = |word: &String| is_stop_word(word) && !is_in("test code data error type value request", word);
    let is_everyday = words[start.min(end)..end].iter().any(says_more);
    (is_meant && question.quotes.is_empty() && question.words.iter().all(is_plain) && !(is_everyday && is_own))
        .then_some(AskedWords { places: start..end, is_own, is_everyday })
}

/// How `words` in lower case are the name, its last word in the singular or plural.
fn parts_match(name: &str, words: &[String], is_own: bool) -> Option<PartsMatch> {
    let plain: String = name.chars().filter(|c| *c != '_').collect();
    let lower = plain.to_lowercase();
    let ends_with = |text: &str| {
        let at = lower.len().checked_sub(text.len())?;
        // A part begins with a capital letter.
        (lower.is_char_boundary(at) && lower[at..] == *text && plain.is_char_boundary(at))
            .then(|| at == 0 || plain[at..].starts_with(char::is_uppercase))
    };
    let last = words.last()?;
    let singular = last.strip_suffix("ies").map(|head| format!("{head}y"));
    let singular = singular.or_else(|| last.strip_suffix('s').map(str::to_owned));
    for last in [Some(last.clone()), singular].into_iter().flatten() {
        let joined: String = words[..words.len() - 1].iter().map(String::as_str).chain([last.as_str()]).collect();
        if lower == joined && (words.len() > 1 || is_own) {
            return Some(PartsMatch::Whole);
        }
        if ends_with(&joined) == Some(true) || is_own && ends_with(&format!("{joined}base")) == Some(true) {
            return Some(PartsMatch::End);
        }
        if words.len() > 1 && ends_with(&last) == Some(true) {
            return Some(PartsMatch::Last);
        }
    }
    None
}

/// A noun that is its own plural.
pub const UNCOUNTABLE: &str = "middleware";

/// `list all builders`: the class `Builder` with its subclasses, or the module `builders`. Gives the fact that holds:
/// `family` for a class, `collection` for a module.
pub fn name_the_family(
    store: &Store,
    question: &ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<Option<&'static str>, StoreError> {
    // Words that say nothing of which definitions are meant.
    const AROUND: &str = "list show give name me us all every the a of which what how many number are is there exist exists do we have \
         does it this repo repository project package library code codebase here in available existing supported \
         built-in builtin builtins defined known kinds types implemented different";
    let is_around = |word: &QuestionWord| AROUND.split_whitespace().any(|known| known == word.lower());
    let is_list = question.words.first().is_some_and(|word| {
        matches!(word.lower().as_str(), "list" | "show" | "give" | "name" | "which" | "what" | "how" | "all")
    });
    let asked: Vec<usize> = (0..question.words.len()).filter(|at| !is_around(&question.words[*at])).collect();
    let is_free = named.mentions.iter().all(|mention| asked.contains(&mention.at)) && named.files.is_empty();
    let words: Vec<String> = asked.iter().map(|at| question.words[*at].lower()).collect();
    let is_plain = asked.iter().all(|at| question.words[*at].shape == Shape::Plain && !question.words[*at].is_quoted);
    let (true, true, true, Some(last)) = (is_list, is_free, is_plain, words.last().filter(|_| words.len() < 3)) else {
        return Ok(None);
    };
    // `how many exceptions are defined` and `list all exceptions` mean all classes that are some, wherever they stand.
    if (question.words[0].lower() == "how" || words.len() == 1) && noun_of(last).is_some() {
        return Ok(None);
    }
    if is_thing_of_programs(&words.join(" ")) {
        return Ok(None);
    }
    let Some((target, fact)) = family_called(store, &words)? else { return Ok(None) };
    let meanings = Meanings { targets: vec![target], how: Some(NameMatch::Exact), proposals: Vec::new() };
    let at = asked[asked.len() - 1];
    named.blank.extend(&asked);
    let text = asked.iter().map(|at| question.words[*at].text.as_str()).collect::<Vec<_>>().join(" ");
    named.mentions = vec![NameMention::new(at, text, None, meanings)];
    Ok(Some(fact))
}

/// The class whose heirs these words in the plural mean, with the fact `family`; or else the module that they name,
/// with `collection`.
pub fn family_called(store: &Store, words: &[String]) -> Result<Option<(Target, &'static str)>, StoreError> {
    let last = words.last().map(String::as_str).unwrap_or_default();
    let single = last.strip_suffix('s').or((last == UNCOUNTABLE).then_some(last));
    let Some(single) = single.filter(|single| single.len() > 3) else { return Ok(None) };
    let single = single.strip_suffix("ie").map_or(single.to_owned(), |head| format!("{head}y"));
    let noun: String = words[..words.len() - 1].iter().map(String::as_str).map(title).chain([title(&single)]).collect();
    let mut found: Option<(usize, Target)> = None;
    for name in [noun.clone(), format!("Base{noun}"), format!("Abstract{noun}"), format!("{noun}Base")] {
        let classes = meanings(store, &name, Some(EntityKind::Class), false, "")?;
        if classes.how.is_none_or(|how| how == NameMatch::Slip) {
            continue;
        }
        for class in classes.targets.into_iter().filter(|target| target.main().record.kind == EntityKind::Class) {
            let below = store.incoming_of(class.main().id, RelationshipKind::Inherits)?.len();
            if below > 1 && found.as_ref().is_none_or(|(most, _)| below > *most) {
                found = Some((below, class));
            }
        }
    }
    Ok(Some(match found {
        Some((_, class)) => (class, "family"),
        None => {
            let mut modules = Vec::new();
            let of_one = words.concat();
            let of_one = of_one.strip_suffix('s').unwrap_or(&of_one).to_owned();
            for name in [words.join("_"), words.concat(), of_one] {
                modules.extend(meanings(store, &name, Some(EntityKind::Module), true, "")?.targets);
            }
            let mut seen = BTreeSet::new();
            modules.retain(|module| seen.insert(module.main().id));
            let is_program =
                |target: &&Target| target.main().record.kind == EntityKind::Module && !is_aside(&target.main().path);
            // A module that only hands on what another one defines has fewer members of its own.
            let mut sized = Vec::new();
            let is_stub = |target: &&Target| target.main().path.ends_with(".pyi");
            for module in modules.iter().filter(is_program).filter(|module| !is_stub(module)) {
                sized.push((store.children(module.main().id)?.len(), module));
            }
            sized.sort_by_key(|(size, _)| Reverse(*size));
            match sized.as_slice() {
                [(_, module)] => ((*module).clone(), "collection"),
                [(most, module), (next, _), ..] if most > next => ((*module).clone(), "collection"),
                _ => return Ok(None),
            }
        }
    }))
}

/// A word with a capital letter in front.
pub fn title(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Basis, EntityKind::*, RelationshipKind},
        query::fixture::Fixture,
    };

    fn store() -> Store {
        let mut fixture = Fixture::default();
        fixture.file("pkg/api.py", "pkg.api").entity(Function, "get", 1, 3).entity(Function, "main", 5, 9);
        fixture.file("pkg/a.py", "pkg.a").entity(Class, "Base", 1, 9).entity(Method, "Base.run", 2, 4);
        fixture.entity(Class, "Left", 10, 19).entity(Method, "Left.run", 12, 14).entity(Method, "Left.get", 15, 16);
        fixture.edge("pkg.a.Left", RelationshipKind::Inherits, "pkg.a.Base", 10, Basis::Scope);
        fixture.store()
    }

    #[test]
    fn a_noun_in_the_plural_is_a_family_of_classes() {
        let mut fixture = Fixture::default();
        fixture.file("pkg/build.py", "pkg.build").entity(Class, "Builder", 1, 9).entity(Class, "HtmlBuilder", 10, 19);
        fixture.entity(Class, "TextBuilder", 20, 29);
        for class in ["pkg.build.HtmlBuilder", "pkg.build.TextBuilder"] {
            fixture.edge(class, RelationshipKind::Inherits, "pkg.build.Builder", 10, Basis::Scope);
        }
        fixture.file("pkg/filters.py", "pkg.filters").entity(Function, "upper", 1, 3);
        let store = fixture.store();
        let read = |text: &str| {
            let mut named = QuestionNames::default();
            let fact = name_the_family(&store, &ParsedQuestion::parse(text), &mut named).expect("a store in memory");
            fact.map(|fact| (fact, named.mentions[0].meanings.targets[0].main().full_name()))
        };
        let builder = Some(("family", "pkg.build.Builder".to_owned()));
        assert_eq!(read("list all builders"), builder);
        assert_eq!(read("how many builders are there?"), builder);
        assert_eq!(read("which filters exist"), Some(("collection", "pkg.filters".to_owned())));
        assert_eq!(read("which builders write text to a file"), None);
        assert_eq!(read("list all functions"), None);
    }

    #[test]
    fn words_are_the_parts_of_a_name() {
        let mut fixture = Fixture::default();
        fixture.file("lib/app.py", "lib.app").entity(Class, "App", 1, 40).entity(Method, "App.test_client", 5, 9);
        fixture.entity(Variable, "App.session_interface", 10, 10);
        fixture.file("lib/trials.py", "lib.testing").entity(Class, "AppClient", 1, 9).entity(
            Class,
            "CliRunner",
            10,
            19,
        );
        fixture.file("lib/sessions.py", "lib.sessions").entity(Class, "SessionInterface", 1, 9);
        fixture.file("lib/adapters.py", "lib.adapters").entity(Class, "HTTPAdapter", 1, 9);
        fixture.entity(Class, "BaseAdapter", 10, 19);
        fixture.edge(
            "lib.adapters.HTTPAdapter",
            RelationshipKind::Inherits,
            "lib.adapters.BaseAdapter",
            1,
            Basis::Scope,
        );
        fixture.file("tests/conftest.py", "tests.conftest").entity(Function, "client", 1, 3);
        let store = fixture.store();
        let read = |text: &str| {
            let question = ParsedQuestion::parse(text);
            let mut named = QuestionNames::default();
            name_by_parts(&store, &question, &mut named).expect("a store in memory");
            let targets = named.mentions.iter().flat_map(|mention| &mention.meanings.targets);
            targets.map(|target| target.main().full_name()).collect::<Vec<_>>().join(" ")
        };
        for (text, names) in [
            ("how does the test client work", "lib.app.App.test_client lib.testing.AppClient"),
            ("test client", "lib.app.App.test_client lib.testing.AppClient"),
            ("explain the session interface", "lib.sessions.SessionInterface"),
            ("what does the cli runner do", "lib.testing.CliRunner"),
            ("what are cli runners", "lib.testing.CliRunner"),
            ("how do I write custom adapters", "lib.adapters.BaseAdapter lib.adapters.HTTPAdapter"),
            ("how do I write a custom adapter", "lib.adapters.BaseAdapter lib.adapters.HTTPAdapter"),
            ("custom adapters", "lib.adapters.BaseAdapter lib.adapters.HTTPAdapter"),
            ("how do adapters work", ""),
            ("http adapter", "lib.adapters.HTTPAdapter"),
            ("test coverage", ""),
        ] {
            assert_eq!(read(text), names, "{text}");
        }
    }

    #[test]
    fn an_instance_is_known_by_its_usual_name() {
        let store = store();
        let code = b"def f(left: Left):\n    left.run()\n\nleft = a.Left()\nright = Other()\n";
        let sources = Sources::new(|path| (path == "pkg/api.py").then(|| code.to_vec()));
        let find = |text: &str| {
            let found = of_instance(&store, &sources, text).expect("a store in memory");
            found.map(|target| target.main().full_name())
        };
        assert_eq!(find("left.get").as_deref(), Some("pkg.a.Left.get"));
        assert_eq!(find("right.get"), None);
        assert_eq!(find("nothing.get"), None);
    }
}
