//! One plain word that is a class: `show table` is `show Table`.

use super::SpokenName;
use crate::{
    ask::reading::words::is_in,
    model::{
        EntityKind,
        conventions::standard_library::{is_called_builtin, is_module},
    },
    query::target::likeliest::is_aside,
    store::{Store, error::StoreError, read::Entity},
};

/// Letters of the shortest word that is taken for a class.
const SHORTEST: usize = 2;
/// The same of a word with capitals.
const SHORTEST_WRITTEN: usize = 4;
/// Commands to show a definition.
const SHOWING: &str = "describe display explain find goto locate open print see show view";
/// Verbs right before what they use or concern.
const VERBS: &str = "change changed changing compare construct constructs cover covers create creates creating define defines \
     delete deleting drop dropping extend extends import imports importing instantiate instantiates instantiating modify modifying need needs \
     remove removing rename renaming return returns subclass subclasses touch use uses using wrote";
/// Verbs of calls. A callable of that name is meant before the class.
const CALLING: &str = "call calling calls invoke invokes";
/// Prepositions right before a class, with the words before them.
const PREPOSITIONS: [(&str, &str); 6] = [
    ("about", "know me more"),
    ("between", "difference differences"),
    ("for", "test tests"),
    ("from", "derive derived derives descend descends inherit inherited inherits"),
    ("on", "depend depends rely relies"),
    ("to", "reference references"),
];
/// Words before `of` that ask for a value by the name of a parameter or variable, or for the contents of a module.
const OF_VALUES: &str = "argument classes constants default defaults exceptions functions kind list lists meaning modules number out parameter \
     sort tests type types value values";
/// Verbs behind a class of which a question asks for what it does.
const DEEDS: &str = "accept call contain define depend derive do extend have implement inherit need override raise return take \
     use work";
/// Words behind a class that a question asks about.
const STATES: &str = "a abstract added an based changed created defined deprecated derived documented ever first imported \
     instantiated introduced last made removed renamed still subclassed tested used written";

/// The class outside of tests that one word names in small letters, the most used of several. A definition that is
/// called so exactly comes first where it is used as much, unless it is a module or a member.
pub(super) fn named(store: &Store, phrase: &SpokenName<'_>) -> Result<Option<String>, StoreError> {
    let [word] = *phrase.words.as_slice() else { return Ok(None) };
    let Some(lead) = Lead::of(phrase).filter(|_| word.len() >= SHORTEST) else { return Ok(None) };
    let mut alike = store.entities_named(word, true)?;
    alike.retain(|one| one.record.kind != EntityKind::Module && !is_aside(&one.path));
    alike.retain(|one| !one.record.qualified.contains('.'));
    let (exact, mut classes): (Vec<Entity>, Vec<Entity>) = alike.into_iter().partition(|one| one.record.name == word);
    classes.retain(|one| one.record.kind == EntityKind::Class);
    let class = most_used(store, classes)?;
    let exact = most_used(store, exact)?;
    if lead == Lead::Called && has_callable(store, word)? {
        return Ok(None);
    }
    Ok(match (class, exact) {
        (class, _) if lead == Lead::Class => class.map(|(_, class)| class),
        (Some((uses, class)), exact) if exact.as_ref().is_none_or(|(exact, _)| *exact < uses) => Some(class),
        // A plain word behind `show` may be any word, so it is marked as a name.
        (_, Some((_, exact))) if lead == Lead::Shown => Some(format!("`{exact}`")),
        _ => None,
    })
}

/// The class outside of tests that differs from a written name in case alone: `Httpadapter` is `HTTPAdapter`.
pub(super) fn written_otherwise(store: &Store, word: &str) -> Result<Option<String>, StoreError> {
    let mut alike = store.entities_named(word, true)?;
    if word.len() < SHORTEST_WRITTEN || alike.iter().any(|one| one.record.name == word) {
        return Ok(None);
    }
    alike.retain(|one| one.record.kind == EntityKind::Class && !is_aside(&one.path));
    Ok(most_used(store, alike)?.map(|(_, name)| name))
}

/// The name of the most used definition, with the number of relationships that lead to it.
fn most_used(store: &Store, entities: Vec<Entity>) -> Result<Option<(usize, String)>, StoreError> {
    let mut counted = Vec::new();
    for entity in entities {
        counted.push((store.incoming(entity.id)?.len(), entity.record.name));
    }
    Ok(counted.into_iter().max())
}

/// Whether a callable has exactly this name.
fn has_callable(store: &Store, name: &str) -> Result<bool, StoreError> {
    Ok(store.entities_named(name, false)?.iter().any(|one| one.record.kind.is_callable()))
}

/// How the words around a single word ask for a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// For its source: `show table`.
    Shown,
    /// For its calls: `who calls table`.
    Called,
    /// For something else: `who uses table`.
    Related,
    /// For a class, in so many words.
    Class,
}

impl Lead {
    fn of(phrase: &SpokenName<'_>) -> Option<Self> {
        let behind = phrase.behind.as_deref();
        let is_followed = |list: &str| behind.is_some_and(|word| is_in(list, word));
        if phrase.front.is_empty() {
            return (behind.is_none() || is_followed("class")).then_some(Self::Related);
        }
        // The kind tells more: `show table class`.
        if is_followed("class") {
            return Some(Self::Class);
        }
        if is_followed("function method") {
            return None;
        }
        let mut front: Vec<&str> = phrase.front.iter().map(String::as_str).collect();
        while front.last().is_some_and(|word| is_in("me the", word)) {
            front.pop();
        }
        let is_shown = match front.as_slice() {
            ["where's" | "wheres"] => true,
            [head] | ["can" | "please", head] => is_in(SHOWING, head),
            [go, "to"] => is_in("go jump navigate", go),
            ["where", be] | ["and" | "so", "where", be] => is_in("are is", be),
            _ => false,
        };
        if is_shown {
            return Some(Self::Shown);
        }
        // `who uses list` asks for the builtin.
        if phrase.words.iter().any(|word| is_called_builtin(word)) {
            return None;
        }
        // `is json imported` asks for the module of Python.
        let is_imported =
            is_followed("imported") || front.last().is_some_and(|word| is_in("import imports importing", word));
        if is_imported && phrase.words.iter().any(|word| is_module(word)) {
            return None;
        }
        let is_pair = front.iter().any(|word| is_in("between compare", word));
        let is_related = match front.as_slice() {
            [.., "is" | "was"] => is_followed(STATES) || is_followed("for in"),
            [.., "can" | "does"] => is_followed(DEEDS),
            [.., "if"] => {
                is_followed("changes") || is_followed("is was") && front.iter().any(|word| is_in("break breaks", word))
            }
            [.., verb] if is_in(CALLING, verb) => return behind.is_none().then_some(Self::Called),
            [.., verb] if is_in(VERBS, verb) => !is_followed(DEEDS),
            [.., "and"] => is_pair,
            [.., noun, "of"] => !is_in(OF_VALUES, noun),
            [.., noun, preposition] => {
                PREPOSITIONS.iter().any(|(word, nouns)| word == preposition && is_in(nouns, noun))
            }
            _ => false,
        };
        is_related.then_some(Self::Related)
    }
}
