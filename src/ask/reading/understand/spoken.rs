//! Reads several plain words as the one name that has exactly these: `who uses the text area` asks for `TextArea`.

use std::collections::BTreeSet;

use crate::{
    ask::reading::words::{is_in, is_stop_word},
    model::EntityKind,
    query::target::likeliest::is_aside,
    store::{Store, error::StoreError, read::Entity},
};

/// Longer questions tell a story.
const LONGEST_QUESTION: usize = 16;
/// Words of one name.
const MOST_WORDS: usize = 4;
/// Letters of a name that is written without any mark between its words.
const SHORTEST_SQUEEZED: usize = 8;
/// Letters of the shortest word that is taken for a class.
const SHORTEST_CLASS: usize = 4;
/// Prepositions right before such a word, with the words before them.
const BEFORE_CLASSES: [(&str, &str); 3] = [
    ("of", "attributes bases children instances members methods parents properties source subclasses"),
    ("from", "derive derives descend descends inherit inherits"),
    ("on", "depend depends rely relies"),
];
/// Words right before a name.
const LEADS: &str = "a an about and are by call called calling calls catch catches change changed changing class definition delete \
     deleting describe display do does drop dropping explain extend extends find for from function go goto implement implements \
     import imports in inherit inherits inherited invoke invokes is locate me method modify modifying named need needs of on open or \
     override overrides print raise raises reach reaches read reads remove removing rename renaming return returns see show \
     subclass subclasses take takes test tests the than throw throws to touch use used uses using was";
/// Words right behind a name.
const FOLLOWERS: &str = "abstract accept accepts affect affected affects and anywhere async break breaks by call called callers calls \
     change changed changes changing class come covered created declared defined definition deleted depend depends deprecated \
     derive directly do docstring documented does ever extend extends from function has have here implemented import imported \
     imports in indirectly inherit inherits instantiated is itself live lives located look mean method methods need needs or \
     overridden override overrides parameters private public raise raised raises reach reached removed renamed return returned \
     returns signature somewhere still subclassed subclasses take takes tested throw throws to transitively usages use used uses \
     work works";
/// Words before the name of a callable.
const OF_CALLABLES: &str = "call called calling calls does invoke invokes override overrides rename renaming";
/// Words with which a question of a name may begin, and that no other list has.
const OPENINGS: &str =
    "anyone anything can goto jump navigate please print somebody someone what's whats where's wheres who's";
/// The last words of phrases that say of which kind the rest is: `the request class`.
const KINDS: &str =
    "class classes file files folder function functions method methods module modules package test tests";
/// First words of a condition: `which class is abstract`.
const AUXILIARIES: &str = "are can could did do does had has have is should was were will would";

/// Writes the names that are spoken as several words as they stand in the code; `None` where there is none.
pub(super) fn with_spoken_names(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if words.len() > LONGEST_QUESTION || describes(&words) {
        return Ok(None);
    }
    let mut is_read = false;
    let mut start = 0;
    while start < words.len() && (start == 0 || may_precede(&words[start - 1])) {
        if start + 1 == words.len()
            && let Some(name) = class_at(store, &words)?
        {
            let end = words[start][bare(&words[start]).len()..].to_owned();
            words[start] = name + &end;
            is_read = true;
            break;
        }
        for length in (2..=MOST_WORDS.min(words.len() - start)).rev() {
            let Some(name) = name_at(store, &words, start, length)? else { continue };
            let last = &words[start + length - 1];
            let end = &last[bare(last).len()..];
            let name = if name.contains('_') || name.contains(char::is_uppercase) { name } else { format!("`{name}`") };
            let written = format!("{name}{end}");
            words.splice(start..start + length, [written]);
            is_read = true;
            break;
        }
        start += 1;
    }
    Ok(is_read.then(|| words.join(" ")))
}

/// The one class outside of tests whose name the last word of a question is, in small letters: `show table`. What is
/// called so exactly comes first, unless it is a member of a class or a module.
fn class_at(store: &Store, words: &[String]) -> Result<Option<String>, StoreError> {
    let [front @ .., last] = words else { return Ok(None) };
    let front: Vec<String> = front.iter().map(|word| word.to_lowercase()).collect();
    let word = bare(last);
    let is_plain = word.len() >= SHORTEST_CLASS && word.chars().all(|c| c.is_ascii_lowercase()) && !is_stop_word(word);
    let is_led = match front.as_slice() {
        [head] => is_in("describe show", head),
        [go, to] if is_in("go jump", go) && to == "to" => true,
        [.., verb] if is_in("constructs creates extends instantiates subclasses uses", verb) => true,
        [.., noun, preposition] => {
            BEFORE_CLASSES.iter().any(|(word, nouns)| *word == preposition.as_str() && is_in(nouns, noun))
        }
        _ => false,
    };
    if !is_plain || !is_led {
        return Ok(None);
    }
    let mut alike = store.entities_named(word, true)?;
    alike.retain(|one| one.record.kind != EntityKind::Module && !is_aside(&one.path));
    alike.retain(|one| !one.record.qualified.contains('.'));
    if alike.iter().any(|one| one.record.name == word) {
        return Ok(None);
    }
    alike.retain(|one| one.record.kind == EntityKind::Class);
    let names: BTreeSet<String> = alike.into_iter().map(|one| one.record.name).collect();
    Ok(names.into_iter().next())
}

/// A word without the marks behind it.
fn bare(word: &str) -> &str {
    word.trim_end_matches(['?', '.', ',', '!'])
}

/// Whether a question tells in words of its own what it looks for: `how do we build a request`.
fn describes(words: &[String]) -> bool {
    let lower: Vec<String> = words.iter().map(|word| bare(word).to_lowercase()).collect();
    let is_person = |word: &String| is_in("i it one they we you", word);
    lower.windows(2).any(|pair| pair[0] == "how" && is_in("can could should to would", &pair[1]))
        || lower.windows(3).any(|three| is_in("how where why", &three[0]) && is_person(&three[2]))
}

/// Whether a word stands before names and tells nothing of what is looked for.
fn may_precede(word: &str) -> bool {
    let lower = bare(word).to_lowercase();
    let is_code = word.contains(['_', '.', '`']) || word.chars().skip(1).any(char::is_uppercase);
    is_stop_word(&lower) || is_in(LEADS, &lower) || is_in(OPENINGS, &lower) || is_code
}

/// The one name of a class or callable outside of tests that has just these words.
fn name_at(store: &Store, words: &[String], start: usize, length: usize) -> Result<Option<String>, StoreError> {
    let phrase: Vec<&str> = words[start..start + length].iter().map(String::as_str).collect();
    let (last, front) = phrase.split_last().expect("there are two words at least");
    let parts: Vec<&str> = front.iter().copied().chain([bare(last)]).collect();
    let is_plain = |word: &&str| {
        word.len() > 1
            && word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    let before = start.checked_sub(1).map(|before| words[before].to_lowercase());
    let behind = if bare(last).len() < last.len() { None } else { words.get(start + length) };
    let behind = behind.map(|word| bare(word).to_lowercase());
    let is_led = match &before {
        Some(before) => is_in(LEADS, before),
        None => behind.as_ref().is_some_and(|behind| is_in("class function method", behind)),
    };
    let is_followed = behind.as_ref().is_none_or(|behind| is_in(FOLLOWERS, behind));
    let is_condition = is_in(AUXILIARIES, parts[0]) || parts.iter().any(|part| is_in("and but not or", part));
    if !is_led || !is_followed || is_condition || !parts.iter().all(is_plain) {
        return Ok(None);
    }
    let around: Vec<&str> = before.iter().chain(&behind).map(String::as_str).collect();
    let mut found = named(store, &parts)?;
    let says = |list: &str| around.iter().any(|word| is_in(list, word));
    // `how does the test client work` may ask for more than the function that makes one.
    if says("have has methods") || says("a an the") && says("work works") {
        found.retain(|one| one.record.kind == EntityKind::Class);
    }
    // `static files` are such words too, so only a class that marks its words is meant, or a callable behind a verb.
    let is_kind = is_in(KINDS, bare(last));
    if is_kind || parts.iter().all(|part| is_stop_word(part)) {
        let is_of_class = says("class") || !says("a an the");
        let is_of_call = !is_kind && before.as_ref().is_some_and(|word| is_in(OF_CALLABLES, word));
        found.retain(|one| {
            let is_meant = if one.record.kind == EntityKind::Class { is_of_class } else { is_of_call };
            is_meant && are_parted(&one.record.name, &parts)
        });
    }
    Ok(choose(&found, &parts, &around))
}

/// The classes and callables outside of tests whose names have these words, however they are joined.
fn named(store: &Store, parts: &[&str]) -> Result<Vec<Entity>, StoreError> {
    let mut found = Vec::new();
    for joined in [parts.join("_"), parts.concat()] {
        for underscores in ["", "_"] {
            found.extend(store.entities_named(&format!("{underscores}{joined}"), true)?);
        }
    }
    let mut kept = Vec::new();
    for entity in found {
        let is_kind = entity.record.kind == EntityKind::Class || entity.record.kind.is_callable();
        if is_kind && !is_aside(&entity.path) && store.file(entity.file)?.is_some_and(|file| !file.is_test) {
            kept.push(entity);
        }
    }
    Ok(kept)
}

/// The name that is meant: one of the kind that the words around it say, a public one, one that parts its words.
fn choose(found: &[Entity], parts: &[&str], around: &[&str]) -> Option<String> {
    let says = |list: &str| around.iter().any(|word| is_in(list, word));
    let (of_class, of_call) =
        (says("class subclass subclasses inherit inherits extend extends"), says("function method call calls called"));
    let is_class = |entity: &Entity| entity.record.kind == EntityKind::Class;
    let rank = |entity: &Entity| {
        let is_other = of_class && !is_class(entity) || of_call && is_class(entity);
        (is_other, entity.record.name.starts_with('_'), !are_parted(&entity.record.name, parts))
    };
    let best = found.iter().map(rank).min()?;
    let letters: usize = parts.iter().map(|part| part.len()).sum();
    if best.2 && letters < SHORTEST_SQUEEZED {
        return None;
    }
    let best: Vec<&Entity> = found.iter().filter(|entity| rank(entity) == best).collect();
    let names = |entities: Vec<&Entity>| -> BTreeSet<String> {
        entities.into_iter().map(|entity| entity.record.name.clone()).collect()
    };
    let all = names(best.clone());
    let one = if all.len() > 1 { names(best.into_iter().filter(|entity| is_class(entity)).collect()) } else { all };
    if one.len() == 1 { one.into_iter().next() } else { None }
}

/// Whether a name marks where each of its words begins: `JSONResponse` and `url_for` do.
fn are_parted(name: &str, parts: &[&str]) -> bool {
    let mut rest = name.trim_start_matches('_');
    for (at, part) in parts.iter().enumerate() {
        let bare = rest.trim_start_matches('_');
        let is_marked = at == 0 || bare.len() < rest.len() || bare.starts_with(char::is_uppercase);
        let Some(behind) = bare.get(part.len()..).filter(|_| is_marked) else { return false };
        rest = behind;
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::fixture::Fixture;

    #[test]
    fn several_words_are_the_name_that_has_just_these() {
        let mut fixture = Fixture::default();
        fixture
            .file("shop.py", "shop")
            .entity(EntityKind::Class, "TextArea", 1, 9)
            .entity(EntityKind::Property, "TextArea.text", 2, 3)
            .entity(EntityKind::Class, "JSONResponse", 11, 12)
            .entity(EntityKind::Class, "Button", 40, 41)
            .entity(EntityKind::Class, "Label", 42, 43)
            .entity(EntityKind::Function, "label", 44, 45)
            .entity(EntityKind::Function, "build_request", 14, 15)
            .entity(EntityKind::Function, "_merge_queue", 17, 18)
            .entity(EntityKind::Function, "getfixtureinfo", 20, 21)
            .entity(EntityKind::Function, "url_for", 23, 24)
            .entity(EntityKind::Function, "param_type", 26, 27)
            .entity(EntityKind::Class, "ParamType", 29, 30)
            .entity(EntityKind::Class, "StaticFiles", 32, 33)
            .entity(EntityKind::Function, "get_help", 35, 36)
            .entity(EntityKind::Function, "say_and_paint", 38, 39);
        fixture.file("tests/test_shop.py", "tests.test_shop").entity(EntityKind::Function, "make_cart", 1, 2);
        let store = fixture.store();
        let read = |text: &str| with_spoken_names(&store, text).expect("a store in memory");
        for (text, name) in [
            ("show text area", "show TextArea"),
            ("where is the text area class defined?", "where is the TextArea class defined?"),
            ("who uses json response?", "who uses JSONResponse?"),
            ("what breaks if I change build request?", "what breaks if I change build_request?"),
            ("does build request call url for?", "does build_request call url_for?"),
            ("go to merge queue", "go to _merge_queue"),
            ("show get fixture info", "show `getfixtureinfo`"),
            ("what inherits from param type", "what inherits from ParamType"),
            ("who calls param type", "who calls param_type"),
            ("show param type", "show ParamType"),
            ("who uses static files?", "who uses StaticFiles?"),
            ("who calls get help?", "who calls get_help?"),
            ("who uses button?", "who uses Button?"),
            ("go to button", "go to Button"),
            ("methods of button", "methods of Button"),
        ] {
            assert_eq!(read(text).as_deref(), Some(name));
        }
        // A description in words, a name of tests alone, and words that are no name.
        for text in [
            "how do we build request",
            "where do we show the text area",
            "which handler builds the json response",
            "show make cart",
            "what are the static files",
            "show get help",
            "which methods does build request have?",
            "how does the build request work?",
            "who calls say and paint?",
            "show text",
            "show the text areas",
            "who uses TextArea?",
            "show label",
            "functions of button",
            "where is the click of a button",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
