//! One plain word that is a class: `show table` is `show Table`.

use super::SpokenName;
use crate::{
    ask::reading::words::is_in,
    model::{EntityKind, conventions::standard_library::is_called_builtin},
    query::target::likeliest::is_aside,
    store::{Store, error::StoreError, read::Entity},
};

/// Letters of the shortest word that is taken for a class.
const SHORTEST: usize = 2;
/// Commands to show a definition.
const SHOWING: &str = "describe display explain find goto locate open print see show view";
/// Verbs right before what they use.
const USING: &str =
    "constructs creates extend extends instantiate instantiates need needs subclass subclasses use uses using";
/// Verbs right before what somebody changes.
const CHANGING: &str =
    "change changed changing delete deleting drop dropping modify modifying remove removing rename renaming touch";
/// Prepositions right before a class, with the words before them.
const PREPOSITIONS: [(&str, &str); 4] = [
    ("of", "attributes bases children instances members methods parents properties source subclasses tests"),
    ("from", "derive derived derives descend descends inherit inherited inherits"),
    ("on", "depend depends rely relies"),
    ("for", "test tests"),
];
/// Conditions behind a class of which a question asks whether it has them.
const ASKED: &str = "abstract deprecated documented instantiated subclassed tested used";

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
    Ok(match (class, exact) {
        (Some((uses, class)), exact) if exact.as_ref().is_none_or(|(exact, _)| *exact < uses) => Some(class),
        // A plain word behind `show` may be any word, so it is marked as a name.
        (_, Some((_, exact))) if lead == Lead::Shown => Some(format!("`{exact}`")),
        _ => None,
    })
}

/// The name of the most used definition, with the number of relationships that lead to it.
fn most_used(store: &Store, entities: Vec<Entity>) -> Result<Option<(usize, String)>, StoreError> {
    let mut counted = Vec::new();
    for entity in entities {
        counted.push((store.incoming(entity.id)?.len(), entity.record.name));
    }
    Ok(counted.into_iter().max())
}

/// How the words around a single word ask for a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// For its source: `show table`.
    Shown,
    /// For something else: `who uses table`.
    Related,
}

impl Lead {
    fn of(phrase: &SpokenName<'_>) -> Option<Self> {
        // The kind tells more: `the table class`.
        if phrase.behind.as_ref().is_some_and(|word| is_in("class function method", word)) {
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
        let is_free = phrase.words.iter().all(|word| !is_called_builtin(word));
        let is_related = match front.as_slice() {
            ["is" | "are" | "was"] => is_free && phrase.behind.as_ref().is_some_and(|word| is_in(ASKED, word)),
            [.., verb] if is_in(CHANGING, verb) => true,
            [.., verb] if is_in(USING, verb) => is_free,
            [.., noun, preposition] => {
                is_free && PREPOSITIONS.iter().any(|(word, nouns)| word == preposition && is_in(nouns, noun))
            }
            _ => false,
        };
        is_related.then_some(Self::Related)
    }
}
