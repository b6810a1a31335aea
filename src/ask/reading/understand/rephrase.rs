//! Reads a wording as another one that is understood: `call hierarchy of f` as `who transitively calls f`.
//!
//! `wordings.txt` has them. Only a whole question is read so, and the answer says how it was read.

use std::collections::BTreeSet;

use crate::{
    ask::reading::{
        forms::{
            concepts::is_concept_alone,
            own_change::OwnQuestion,
            patterns::captured,
            world::{is_topic, singulars},
        },
        relations::{ReverseQuestion, noun_of},
        subjects::parameters::takes,
        understand::{
            own_work::in_other_words,
            reverse::{
                ReadAs,
                names::{is_module, meant},
                read_reverse,
            },
            spoken::with_spoken_names,
            whole::of_whole,
        },
        words::{is_in, is_stop_word, name_parts},
    },
    model::{
        EntityFlags, EntityKind,
        conventions::{is_name_part, standard_library},
    },
    query::{
        navigate::outside::{is_library, is_name_from_outside},
        target::{
            Target, TargetMatch,
            filter::{Filter, FilterReader, is_exception_name},
            is_suffix, known,
            likeliest::{is_aside, is_of_program},
        },
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Lines with `pattern = wording`.
const WORDINGS: &str = include_str!("wordings.txt");
/// Further words that the title of a section may have beside the thing that it explains.
const MORE_OF_TITLE: usize = 1;
/// So many functions with one parameter are all asked for.
const MOST_TAKERS: usize = 8;
/// Words that are no names, whatever is called so.
const PRONOUNS: &str = "all everything it me that them these they this those";
/// Questions with more words have none of these wordings.
const LONGEST_QUESTION: usize = 24;

/// The question in the wording that is understood, with the conditions that no wording has; `None` where no pattern
/// fits.
pub(super) fn rephrased(store: &Store, text: &str) -> Result<(Option<String>, Option<ReverseQuestion>), StoreError> {
    let spoken = with_spoken_names(store, text)?;
    let spoken = with_module_name(store, spoken.as_deref().unwrap_or(text))?.or(spoken);
    let spoken = without_kind_of_file(spoken.as_deref().unwrap_or(text)).or(spoken);
    let spoken = with_called_name(store, spoken.as_deref().unwrap_or(text))?.or(spoken);
    let placed = with_modules(store, spoken.as_deref().unwrap_or(text))?.or(spoken);
    let cased = with_class_names(store, placed.as_deref().unwrap_or(text))?.or(placed);
    let is_own = OwnQuestion::is_of_reach(text);
    match if is_own { None } else { read_reverse(store, cased.as_deref().unwrap_or(text))? } {
        Some(ReadAs::Wording(wording)) => return Ok((Some(wording), None)),
        Some(ReadAs::Limited(wording, limits)) => return Ok((Some(wording), Some(limits))),
        None => {}
    }
    let other = match worded_otherwise(store, cased.as_deref().unwrap_or(text))? {
        // `the code of f`, where something is called `code`.
        None if cased.is_some() => worded_otherwise(store, text)?,
        other => other,
    };
    let other = other.or_else(|| of_whole(text)).or_else(|| in_other_words(cased.as_deref().unwrap_or(text)));
    Ok((other.or(cased), None))
}

/// Writes the one module of the program that `the client module` means by its full name, where it is called `_client`
/// and none is called `client`.
fn with_module_name(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let is_module = |three: &[String]| {
        three[0].eq_ignore_ascii_case("the")
            && three[2].trim_end_matches(['?', '.', ',']).eq_ignore_ascii_case("module")
    };
    let Some(at) = words.windows(3).position(is_module).filter(|_| words.len() <= LONGEST_QUESTION) else {
        return Ok(None);
    };
    let private = format!("_{}", words[at + 1].trim_matches('`'));
    let mut found = Vec::new();
    for (file, module) in store.modules()? {
        let last = module.rsplit('.').next().unwrap_or(&module);
        if last.trim_start_matches('_') == &private[1..] && is_of_program(store, file)? {
            found.push(module);
        }
    }
    let [one] = found.as_slice() else { return Ok(None) };
    if one.rsplit('.').next() != Some(private.as_str()) {
        return Ok(None);
    }
    words[at + 1].clone_from(one);
    Ok(Some(words.join(" ")))
}

/// Asks for the file alone: `what does the file a.py do` says no more than `what does a.py do`.
fn without_kind_of_file(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_path = |word: &str| word.trim_end_matches(['?', '.', ',']).trim_matches('`').ends_with(".py");
    let has_kind = |three: &[&str]| {
        is_in("the this", &three[0].to_lowercase()) && is_in("file module script", three[1]) && is_path(three[2])
    };
    let is_asked = is_in("what describe explain summarize", &words.first()?.to_lowercase());
    let at = words.windows(3).position(has_kind).filter(|_| is_asked)?;
    Some([&words[..at], &words[at + 2..]].concat().join(" "))
}

/// Marks a word as a name where only a name can stand and a callable of the program has it: `who calls update`.
fn with_called_name(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    let words: Vec<&str> = text.trim_end_matches(['?', '.', ' ']).split_whitespace().collect();
    let [who, calls, name] = words.as_slice() else { return Ok(None) };
    let is_asked = is_in("who what", &who.to_lowercase()) && is_in("calls invokes", &calls.to_lowercase());
    let is_name = is_asked && is_stop_word(name) && names_code(store, name)?;
    Ok(is_name.then(|| format!("{who} {calls} `{name}`")))
}

/// Writes the name of a class in its own case: `the table class` is `the Table class`, whatever else is called `table`.
fn with_class_names(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if words.len() > LONGEST_QUESTION {
        return Ok(None);
    }
    let is_class = |word: &str| word.trim_end_matches(['?', '.', ',']).eq_ignore_ascii_case("class");
    let mut is_cased = false;
    for at in 1..words.len() {
        let at_name = match (is_class(&words[at - 1]), is_class(&words[at])) {
            (true, false) => at,
            (false, true) if at > 1 && words[at - 2].eq_ignore_ascii_case("the") => at - 1,
            _ => continue,
        };
        let name = words[at_name].trim_end_matches(['?', '.', ',']).to_owned();
        if is_stop_word(&name) || !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) {
            continue;
        }
        let mut classes = store.entities_named(&name, true)?;
        classes.retain(|class| class.record.kind == EntityKind::Class);
        if let Some(class) = classes.first().filter(|_| classes.iter().all(|class| class.record.name != name)) {
            words[at_name] = words[at_name].replacen(&name, &class.record.name, 1);
            is_cased = true;
        }
    }
    Ok(is_cased.then(|| words.join(" ")))
}

/// Names a definition by its module where the question says which it is of: `the class C of a.b` is `a.b.C`.
fn with_modules(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    let (end, asked) = match text.trim_end().strip_suffix('?') {
        Some(asked) => ("?", asked.trim_end()),
        None => ("", text.trim_end()),
    };
    let mut words: Vec<String> = asked.split_whitespace().map(str::to_owned).collect();
    if words.len() > LONGEST_QUESTION || !asked.contains('.') {
        return Ok(None);
    }
    let mut is_placed = false;
    let mut at = 0;
    while at + 3 < words.len() {
        let is_kind = |word: &str| is_in("class constant decorator exception function variable", &word.to_lowercase());
        let name = match (is_kind(&words[at]), is_kind(&words[at + 1])) {
            (true, false) => words[at + 1].clone(),
            (false, true) => words[at].clone(),
            _ => {
                at += 1;
                continue;
            }
        };
        let module = words[at + 3].trim_end_matches(',').trim_matches('`').to_owned();
        let is_place = is_in("of in from inside", &words[at + 2].to_lowercase()) && module.contains('.');
        // `which class C of a.b` asks for one of several.
        let before = at.checked_sub(1).map_or(String::new(), |before| words[before].to_lowercase());
        let full = format!("{module}.{}", name.trim_matches('`'));
        if is_place && !is_in("a all an any each every no what which", &before) && is_defined(store, &full)? {
            let from = if before == "the" { at - 1 } else { at };
            let comma = if words[at + 3].ends_with(',') { "," } else { "" };
            words.splice(from..at + 4, [format!("{full}{comma}")]);
            is_placed = true;
        }
        at += 1;
    }
    Ok(is_placed.then(|| words.join(" ") + end))
}

fn is_class(store: &Store, name: &str) -> Result<bool, StoreError> {
    Ok(store.entities_named(name, false)?.iter().any(|entity| entity.record.kind == EntityKind::Class))
}

/// Whether just this is the full name of a definition, or its end.
fn is_defined(store: &Store, full: &str) -> Result<bool, StoreError> {
    Ok(match known(store, full, "")? {
        Some(TargetMatch::Found(target)) => is_suffix(&target.main().full_name(), full),
        _ => false,
    })
}

/// Whether this is the name of one or several definitions, perhaps by the module that offers it: `httpx.get`.
fn names_definition(store: &Store, name: &str) -> Result<bool, StoreError> {
    let last = name.rsplit('.').next().unwrap_or(name);
    Ok(meant(store, name)?.iter().any(|entity| entity.record.name == last))
}

/// Whether this is the name of a class, function or method of the program, however common the word is.
fn names_code(store: &Store, name: &str) -> Result<bool, StoreError> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_code = store.entities_named(last, false)?.iter().any(|entity| {
        let kind = entity.record.kind;
        (kind.is_callable() || kind == EntityKind::Class) && !is_aside(&entity.path)
    });
    Ok(is_code && !is_in(PRONOUNS, last) && names_definition(store, name)?)
}

/// Whether several classes, functions and methods of the program are called so.
fn names_several(store: &Store, name: &str) -> Result<bool, StoreError> {
    if is_in(PRONOUNS, name) {
        return Ok(false);
    }
    let is_code = |entity: &Entity| {
        let (kind, flags) = (entity.record.kind, entity.record.flags);
        (kind.is_callable() || kind == EntityKind::Class)
            && !flags.has(EntityFlags::OVERLOAD)
            && !flags.has(EntityFlags::SETTER)
            && !is_aside(&entity.path)
    };
    let mut places: BTreeSet<(String, String)> = BTreeSet::new();
    for one in store.entities_named(name, false)?.into_iter().filter(is_code) {
        if store.file(one.file)?.is_some_and(|file| !file.is_test) {
            places.insert((one.path, one.record.qualified));
        }
    }
    Ok(places.len() > 1)
}

/// Whether a definition of this name outside of tests has such a parameter.
fn has_parameter(store: &Store, function: &str, parameter: &str) -> Result<bool, StoreError> {
    let targets = match known(store, bare_name(function), "")? {
        Some(TargetMatch::Found(target)) => vec![target],
        Some(TargetMatch::Ambiguous(entities)) => entities.into_iter().map(|one| Target::of(vec![one])).collect(),
        _ => Vec::new(),
    };
    for target in targets.iter().filter(|target| !is_aside(&target.main().path)) {
        if takes(store, target, bare_name(parameter))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The few functions and classes outside of tests that have such a parameter, as names to ask for.
fn takers_of(store: &Store, parameter: &str) -> Result<Option<String>, StoreError> {
    let name = bare_name(parameter);
    if is_stop_word(&name.to_lowercase()) {
        return Ok(None);
    }
    let filter = Filter { parameters: vec![name.to_owned()], is_in_tests: Some(false), ..Filter::default() };
    let mut names = BTreeSet::new();
    for taker in FilterReader::new(store)?.fitting(&filter)? {
        let qualified = &taker.record.qualified;
        names.insert(format!("`{}`", qualified.strip_suffix(".__init__").unwrap_or(qualified)));
    }
    let names: Vec<String> = names.into_iter().collect();
    Ok((1..=MOST_TAKERS).contains(&names.len()).then(|| names.join(" and ")))
}

/// Whether files lie in a folder that is called so.
fn is_folder(store: &Store, name: &str) -> Result<bool, StoreError> {
    let inside = format!("{name}/");
    let is_in = |path: &str| path.starts_with(&inside) || path.contains(&format!("/{inside}"));
    Ok(!name.is_empty() && store.files()?.iter().any(|(_, file)| is_in(&file.path)))
}

fn worded_otherwise(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    let words: Vec<&str> = text.trim().trim_end_matches(['?', '.', '!', ' ']).split_whitespace().collect();
    if words.len() > LONGEST_QUESTION {
        return Ok(None);
    }
    for line in WORDINGS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some((pattern, wording)) = line.split_once(" = ") else { continue };
        let Some(captured) = captured(pattern, &words) else { continue };
        let mut is_meant = true;
        for (capture, words) in &captured {
            is_meant = is_meant && may_stand_for(store, capture, words)?;
        }
        let mut takers = None;
        match (captured.get("F"), captured.get("Q")) {
            (Some(function), Some(parameter)) => {
                is_meant = is_meant && has_parameter(store, function[0], parameter[0])?;
            }
            (None, Some(parameter)) => {
                takers = takers_of(store, parameter[0])?;
                is_meant &= takers.is_some();
            }
            _ => {}
        }
        if !is_meant {
            continue;
        }
        let capture = |word: &'static str| word.trim_matches('`').trim_end_matches("..").trim_end_matches('/');
        let filled = wording.split(' ').map(|word| match captured.get(capture(word)) {
            Some(words) if word.starts_with('`') => as_name(&words.join(" ")),
            Some(words) if word.ends_with('/') => format!("{}/", words[0].trim_end_matches('/')),
            Some(words) => words.join(" "),
            None if word == "`F`" => takers.clone().unwrap_or_default(),
            None => word.to_owned(),
        });
        return Ok(Some(filled.collect::<Vec<_>>().join(" ")));
    }
    Ok(None)
}

/// Whether these words are what a capture stands for.
fn may_stand_for(store: &Store, capture: &str, words: &[&str]) -> Result<bool, StoreError> {
    let name = words[0].trim_matches('`').trim_end_matches("()");
    let lower = name.to_lowercase();
    Ok(match capture {
        "C" => name.starts_with(char::is_uppercase) && is_class(store, name)?,
        "D" | "F" => !is_stop_word(&lower) && names_definition(store, name)?,
        "E" => is_exception_name(name),
        "G" => names_code(store, name)?,
        "L" => {
            let root = lower.split('.').next().unwrap_or_default();
            standard_library::is_module(name) || is_library(store, root)?
        }
        "N" => is_name_from_outside(store, name)?,
        "P" => is_module(store, name)?,
        "R" => is_folder(store, name.trim_end_matches('/'))?,
        "S" => names_several(store, name)?,
        "T" => is_title(store, words)?,
        _ => true,
    })
}

/// Whether a document explains something that is called so, by the title of a section, and no class, function or module
/// has this name.
fn is_title(store: &Store, words: &[&str]) -> Result<bool, StoreError> {
    let is_plain = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase()) && !is_stop_word(word);
    if !words.iter().all(is_plain) {
        return Ok(false);
    }
    let (last, before) = words.split_last().expect("a capture has words");
    // `what are fixtures` may ask for a list of them, and `what are the tests` does.
    if before.is_empty() && noun_of(last).is_some() && !is_in("fixture fixtures", last) {
        return Ok(false);
    }
    for last in singulars(last) {
        let name = [before, &[last.as_str()]].concat();
        let is_thing = |kind: EntityKind| matches!(kind, EntityKind::Class | EntityKind::Function);
        for name in [name.concat(), name.join("_")] {
            let mut alike = store.entities_named(&name, true)?.into_iter();
            if alike.any(|one| is_thing(one.record.kind) && !is_aside(&one.path)) || is_module(store, &name)? {
                return Ok(false);
            }
        }
    }
    let is_last = |word: &str| singulars(word).iter().any(|one| singulars(last).contains(one));
    // `Pixel art` does not say what a pixel is: a word of the world has to be the whole title.
    let more = if before.is_empty() && (is_topic(words[0]) || is_concept_alone(words[0])) { 0 } else { MORE_OF_TITLE };
    let has_phrase = |title: &str| {
        let title: Vec<String> = name_parts(title).collect();
        let mut windows = title.windows(words.len());
        let fits = |window: &[String]| {
            let (end, start) = window.split_last().expect("a capture has words");
            start.iter().map(String::as_str).eq(before.iter().copied()) && is_last(end)
        };
        title.len() <= words.len() + more && windows.any(fits)
    };
    Ok(store.sections()?.iter().any(|(_, section)| has_phrase(&section.title)))
}

/// A name without the signs that a question has around it: `f()`, `x=`.
fn bare_name(word: &str) -> &str {
    word.trim_matches(['`', '"', '\'']).trim_end_matches("()").trim_end_matches('=')
}

/// A word in quotes, unless it stands for an earlier name.
fn as_name(word: &str) -> String {
    let name = bare_name(word);
    let is_name =
        name.chars().all(is_name_part) && !is_in("it its that them these they this those", &name.to_lowercase());
    if is_name { format!("`{name}`") } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::fixture::Fixture;

    #[test]
    fn a_whole_question_is_read_in_another_wording() {
        let mut fixture = Fixture::default();
        let echo = fixture.file("shop.py", "shop").entity(EntityKind::Function, "echo", 1, 2).last();
        echo.signature = "(text, nl=True)".to_owned();
        let store = fixture.store();
        let read = |text: &str| rephrased(&store, text).expect("a store in memory").0;
        assert_eq!(
            read("Show me the call hierarchy of `Cart.total`?").as_deref(),
            Some("who transitively calls `Cart.total`")
        );
        assert_eq!(read("call tree of define").as_deref(), Some("show the call tree from `define`"));
        assert_eq!(read("what can it reach").as_deref(), Some("show the call tree from it"));
        assert_eq!(read("are the field classes tested?").as_deref(), Some("are all field classes tested"));
        assert_eq!(read("is hashlib used anywhere?").as_deref(), Some("do we use hashlib anywhere"));
        assert_eq!(read("is total used anywhere?"), None);
        assert_eq!(read("default of nl in echo").as_deref(), Some("show the parameter `nl` of `echo`"));
        assert_eq!(
            read("is the nl argument of echo optional?").as_deref(),
            Some("is the parameter `nl` of `echo` optional")
        );
        assert_eq!(read("default of color in echo"), None, "it has no such parameter");
        assert_eq!(read("where is nl passed?").as_deref(), Some("who passes `nl` to `echo`"));
        assert_eq!(read("who calls total?"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn the_module_is_the_private_one_where_none_has_the_plain_name() {
        let mut fixture = Fixture::default();
        fixture.file("shop/_client.py", "shop._client").entity(EntityKind::Function, "update", 1, 2);
        fixture.file("shop/cart.py", "shop.cart");
        fixture.file("shop/_cart.py", "shop._cart");
        fixture.file("tests/client.py", "tests.client");
        let store = fixture.store();
        let read = |text: &str| rephrased(&store, text).expect("a store in memory").0;
        assert_eq!(read("explain the client module").as_deref(), Some("explain the shop._client module"));
        assert_eq!(read("explain the cart module"), None);
        assert_eq!(read("who calls update?").as_deref(), Some("who calls `update`"));
        assert_eq!(read("who calls it?"), None);
        assert_eq!(read("what does the file shop/cart.py do?").as_deref(), Some("what does shop/cart.py do?"));
        assert_eq!(read("is there a file shop/cart.py?"), None);
    }

    #[test]
    fn lists_of_a_whole_kind_and_the_classes_with_a_member_have_one_wording_each() {
        let mut fixture = Fixture::default();
        fixture.file("shop.py", "shop").entity(EntityKind::Class, "Cart", 1, 9).entity(
            EntityKind::Method,
            "Cart.copy",
            2,
            3,
        );
        let store = fixture.store();
        let read = |text: &str| rephrased(&store, text).expect("a store in memory").0;
        for (text, wording) in [
            ("which classes have a copy method", "which classes define `copy`"),
            ("which classes have copy?", "which classes define `copy`"),
            ("what are all the exceptions defined in this project", "list all exceptions"),
            ("what tests exist in this project", "how many tests are there"),
            ("list all fixtures defined in the project", "list all test fixtures"),
            ("which modules are not used", "which modules are unused"),
            ("which module has the most imports", "which modules import the most others"),
        ] {
            assert_eq!(read(text).as_deref(), Some(wording), "{text}");
        }
        assert_eq!(read("what tests cover Cart.copy"), None);
        assert_eq!(read("which classes have changed").as_deref(), Some("which classes did I change"));
    }

    #[test]
    fn a_class_is_named_in_its_own_case() {
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(EntityKind::Class, "Table", 1, 9).entity(
            EntityKind::Function,
            "table",
            11,
            12,
        );
        let store = fixture.store();
        let read = |text: &str| rephrased(&store, text).expect("a store in memory").0;
        assert_eq!(read("where is the table class?").as_deref(), Some("where is the Table class?"));
        assert_eq!(read("show class table").as_deref(), Some("show class Table"));
        assert_eq!(read("where is table?").as_deref(), Some("where is `table`?"));
    }

    #[test]
    fn every_line_has_a_pattern_and_a_wording_with_the_same_captures() {
        let captures = |text: &str| {
            let mut found: Vec<String> = text
                .split_whitespace()
                .map(|word| word.trim_matches('`'))
                .filter(|word| {
                    matches!(
                        *word,
                        "A" | "B" | "C" | "D" | "E" | "F" | "G" | "L" | "N" | "P" | "Q" | "S" | "A.." | "T.."
                    )
                })
                .map(str::to_owned)
                .collect();
            found.sort();
            // A wording may name one twice.
            found.dedup();
            found
        };
        for line in WORDINGS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (pattern, wording) = line.split_once(" = ").expect("a pattern and a wording");
            let mut said = captures(pattern);
            // The functions with a parameter are looked up.
            if said.iter().any(|one| one == "Q") && !said.iter().any(|one| one == "F") {
                said.insert(0, "F".to_owned());
            }
            assert_eq!(said, captures(wording), "{line}");
        }
    }
}
