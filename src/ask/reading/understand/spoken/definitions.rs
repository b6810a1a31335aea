//! Several plain words that are one name: `text area` is `TextArea`, `url for` is `url_for`.

use std::collections::BTreeSet;

use super::{LEADS, SpokenName};
use crate::{
    ask::reading::words::{is_in, is_stop_word},
    model::EntityKind,
    query::target::likeliest::is_of_program,
    store::{Store, error::StoreError, read::Entity},
};

/// Words of one name.
const MOST_WORDS: usize = 4;
/// Letters of a name that is written without any mark between its words.
const SHORTEST_SQUEEZED: usize = 8;
/// Words before the name of a callable.
const OF_CALLABLES: &str = "call called calling calls does invoke invokes override overrides rename renaming";
/// The last words of phrases that say of which kind the rest is: `the request class`.
const KINDS: &str =
    "class classes file files folder function functions method methods module modules package test tests";

/// The one name of a class or callable outside of tests that has just these words, in backticks where nothing else
/// marks it as one.
pub(super) fn named(store: &Store, phrase: &SpokenName<'_>) -> Result<Option<String>, StoreError> {
    let parts = phrase.words.as_slice();
    let is_led = match phrase.before() {
        Some(before) => is_in(LEADS, before),
        None => phrase.behind.as_ref().is_some_and(|behind| is_in("class function method", behind)),
    };
    if !is_led || parts.len() > MOST_WORDS || parts.contains(&"and") {
        return Ok(None);
    }
    // `go to widget`, and not a name that begins with the preposition.
    if parts[0] == "to" && phrase.before().is_some_and(|word| is_in("go jump navigate", word)) {
        return Ok(None);
    }
    let mut found = namesakes(store, parts)?;
    let says = |list: &str| phrase.is_beside(list);
    // `how does the test client work` may ask for more than the function that makes one.
    if says("have has methods") || says("a an the") && says("work works") {
        found.retain(|one| one.record.kind == EntityKind::Class);
    }
    // `static files` are such words too, so only a class that marks its words is meant, or a callable behind a verb.
    let is_kind = is_in(KINDS, parts[parts.len() - 1]);
    if is_kind || parts.iter().all(|part| is_stop_word(part)) {
        let is_of_class = says("class") || !says("a an the");
        let is_of_call = !is_kind && phrase.before().is_some_and(|word| is_in(OF_CALLABLES, word));
        found.retain(|one| {
            let is_meant = if one.record.kind == EntityKind::Class { is_of_class } else { is_of_call };
            is_meant && are_parted(&one.record.name, parts)
        });
    }
    let name = choose(&found, phrase);
    Ok(name
        .map(|name| if name.contains('_') || name.contains(char::is_uppercase) { name } else { format!("`{name}`") }))
}

/// The classes, callables and variables of modules outside of tests whose names have these words, however they are
/// joined.
pub(super) fn namesakes(store: &Store, parts: &[&str]) -> Result<Vec<Entity>, StoreError> {
    let mut found = Vec::new();
    for joined in [parts.join("_"), parts.concat()] {
        for underscores in ["", "_"] {
            found.extend(store.entities_named(&format!("{underscores}{joined}"), true)?);
        }
    }
    let mut kept = Vec::new();
    for entity in found {
        let record = &entity.record;
        let is_kind = match record.kind {
            EntityKind::Class => true,
            // `current app` is the variable of a module that marks both words.
            EntityKind::Variable => !record.qualified.contains('.') && record.name.trim_matches('_').contains('_'),
            kind => kind.is_callable(),
        };
        if is_kind && is_of_program(store, entity.file)? {
            kept.push(entity);
        }
    }
    Ok(kept)
}

/// The name that is meant: one of the kind that the words around it say, a public one, one that parts its words.
fn choose(found: &[Entity], phrase: &SpokenName<'_>) -> Option<String> {
    let (says, parts) = (|list: &str| phrase.is_beside(list), phrase.words.as_slice());
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
