//! Names that a question spells out, and the entities that they mean.
//!
//! `Cart.total`, `round_price` and `KNNRetriever` look like code. A plain word is a name if the question says so ("the
//! total method of the cart class") or consists of it alone.

mod variables;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    model::{EntityId, EntityKind, FileId, conventions::is_special},
    query::target::{is_public_path, is_suffix},
    store::{Store, error::StoreError, read::Entity},
    texts::words,
};

/// How certainly a question names an entity; smaller is more certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Certainty {
    /// The entity is probably not the answer: a class that only locates a method, or a name with many definitions.
    is_weak: bool,
    /// The name differs in case or in leading underscores.
    is_near: bool,
    /// Position of the name in the question.
    position: usize,
}

impl Certainty {
    pub(super) const FIRST: Certainty = Certainty { is_weak: false, is_near: false, position: 0 };

    /// Whether the entity goes before all entities that were not named.
    pub(super) fn goes_first(self) -> bool {
        !self.is_weak
    }
}

/// The file and position of an entity, by which its chunk is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ChunkKey {
    pub(super) file: FileId,
    pub(super) ordinal: u32,
}

/// The entities that a question names.
#[derive(Debug, Default)]
pub(super) struct NamedEntities {
    pub(super) entities: Vec<(ChunkKey, Certainty)>,
    /// Variables, which have no chunk: each with the key of the chunk around it.
    pub(super) variables: Vec<(ChunkKey, EntityId, Certainty)>,
}

impl NamedEntities {
    /// These entities with equal certainty; those in tests and other asides only when there are no others.
    pub(super) fn of(store: &Store, entities: &[Entity], is_near: bool, files: &Files<'_>) -> Result<Self, StoreError> {
        let main = main_of(entities, files);
        let rank = Certainty { is_weak: main.len() > FEW, is_near, position: 0 };
        let mut named = NamedEntities::default();
        for entity in main {
            named.add(store, entity, rank)?;
        }
        Ok(named)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entities.is_empty() && self.variables.is_empty()
    }

    fn add(&mut self, store: &Store, entity: &Entity, rank: Certainty) -> Result<(), StoreError> {
        if entity.record.kind != EntityKind::Variable {
            self.entities.push((place_of(store, entity)?, rank));
        } else if let Some(owner) = store.entity(entity.parent)?.filter(|_| rank.goes_first()) {
            self.variables.push((place_of(store, &owner)?, entity.id, rank));
        }
        Ok(())
    }
}

fn place_of(store: &Store, entity: &Entity) -> Result<ChunkKey, StoreError> {
    Ok(ChunkKey { file: entity.file, ordinal: ordinal(store, entity)? })
}

/// Most definitions listed as links of a document's section.
const MAX_LINKS: usize = 12;
/// A name with more definitions than this says little about the one that is meant.
const FEW: usize = 3;
/// The same limit for a question that consists of the name alone.
const MANY: usize = 40;
/// A question with more words is a sentence: only words that look like code count as names in it.
const SHORT: usize = 2;

/// Up to this many words may form one name: "register blueprint" is `register_blueprint`, "json provider" is
/// `JSONProvider`.
const JOINED: usize = 5;

/// In a longer question a name often is only related to the answer. It goes first only if the question says its kind.
/// With 8 instead of 4, 18 of 96 questions of the development part with a name became worse and 4 better.
const LONG: usize = 4;

/// Nouns that make the word before or after them a name, with the kinds that they stand for.
const KINDS: &[(&str, &[EntityKind])] = &[
    ("attribute", &[EntityKind::Property]),
    ("class", &[EntityKind::Class]),
    ("classes", &[EntityKind::Class]),
    ("fixture", &[EntityKind::Function]),
    ("function", &[EntityKind::Function, EntityKind::Method]),
    ("functions", &[EntityKind::Function, EntityKind::Method]),
    ("method", &[EntityKind::Method, EntityKind::Function, EntityKind::Property]),
    ("methods", &[EntityKind::Method, EntityKind::Function, EntityKind::Property, EntityKind::Class]),
    ("module", &[EntityKind::Module]),
    ("property", &[EntityKind::Property]),
];

/// A word of the question that may name an entity.
struct NameInQuestion {
    name: String,
    /// The part before the last dot.
    owner: String,
    kinds: &'static [EntityKind],
    position: usize,
    /// Whether the question is about this name; a long sentence may only mention it.
    is_subject: bool,
    /// Whether it is made of all words of the question.
    is_joined: bool,
    /// Number of words of the question.
    among: usize,
}

/// The full names of the definitions that a text names, sorted. A name counts only if it has one definition. Left out
/// are modules (often plain words), special names without a class (`__name__`), and definitions inside functions.
pub(super) fn mentioned(store: &Store, names: &[String]) -> Result<Vec<String>, StoreError> {
    let mut found = BTreeSet::new();
    for name in names.iter().filter(|name| !is_special(name)) {
        let mut entities = store.entities_named(name.rsplit('.').next().unwrap_or(name), false)?;
        let is_meant = |full: &str| is_suffix(full, name) || is_public_path(full, name);
        entities.retain(|entity| entity.record.kind != EntityKind::Module && is_meant(&entity.full_name()));
        let mut outer = Vec::new();
        for entity in entities {
            let parent = store.entity(entity.parent)?;
            if !parent.is_some_and(|parent| parent.record.kind.is_callable()) {
                outer.push(entity);
            }
        }
        if let [entity] = outer.as_slice() {
            found.insert(entity.full_name());
        }
    }
    Ok(found.into_iter().take(MAX_LINKS).collect())
}

/// Look-ups about files.
pub(super) struct Files<'f> {
    /// The files whose modules have this last name.
    pub(super) modules: &'f dyn Fn(&str) -> Vec<FileId>,
    /// Tests, examples and the like.
    pub(super) is_aside: &'f dyn Fn(FileId) -> bool,
}

/// Entities outside of tests and other asides; all entities if there are no such.
fn main_of<'e>(entities: &'e [Entity], files: &Files<'_>) -> Vec<&'e Entity> {
    let main: Vec<&Entity> = entities.iter().filter(|entity| !(files.is_aside)(entity.file)).collect();
    if main.is_empty() { entities.iter().collect() } else { main }
}

/// Finds the entities that are named in `question`.
pub(super) fn named(store: &Store, question: &str, files: &Files<'_>) -> Result<NamedEntities, StoreError> {
    let mentions = mentions(question);
    // A question of one word can mean every entity of this name.
    let is_alone = matches!(mentions.as_slice(), [NameInQuestion { among: 1, .. }]);
    let mut found: Vec<(NameInQuestion, Vec<Entity>)> = Vec::new();
    for mention in mentions {
        let entities = entities_of(store, &mention, is_alone, files)?;
        if !entities.is_empty() {
            found.push((mention, entities));
        }
    }
    let has_joined = found.iter().any(|(mention, _)| mention.is_joined);
    for (mention, _) in &mut found {
        mention.is_subject &= mention.is_joined || !has_joined;
    }
    let has_member = keep_members_of_named_classes(&mut found);
    // By place and not by id: ids tell the history of the index, and equal scores keep this order.
    let mut ranks: BTreeMap<(&str, u32, u32, EntityId), (Certainty, &Entity)> = BTreeMap::new();
    for (mention, entities) in &found {
        for (entity, rank) in certainties(mention, entities, is_alone, files) {
            let place = (entity.path.as_str(), entity.record.line, entity.record.column, entity.id);
            let known = ranks.entry(place).or_insert((rank, entity));
            known.0 = rank.min(known.0);
        }
    }
    let mut named = NamedEntities::default();
    for (mut rank, entity) in ranks.into_values() {
        // The class was named only to locate its member.
        rank.is_weak |= has_member && entity.record.kind == EntityKind::Class;
        named.add(store, entity, rank)?;
    }
    Ok(named)
}

/// The entities that one name of a question can mean.
fn entities_of(
    store: &Store,
    mention: &NameInQuestion,
    is_alone: bool,
    files: &Files<'_>,
) -> Result<Vec<Entity>, StoreError> {
    let mut entities = store.entities_named(&mention.name, true)?;
    if entities.is_empty() {
        for prefix in ["_", "__"] {
            entities.extend(store.entities_named(&format!("{prefix}{}", mention.name), true)?);
        }
    }
    if is_alone || mention.kinds.contains(&EntityKind::Module) {
        for file in (files.modules)(&mention.name) {
            entities.extend(store.entity_at(file, 0)?.map(|id| store.entity(id)).transpose()?.flatten());
        }
    }
    let is_kind = |entity: &Entity| mention.kinds.contains(&entity.record.kind);
    // "A rational function" names nothing where no function has the name `rational`.
    if !mention.kinds.is_empty() && (!looks_like_code(&mention.name) || entities.iter().any(is_kind)) {
        entities.retain(is_kind);
    }
    let is_owned = |entity: &Entity| is_suffix(&owner_of(entity), &mention.owner);
    // Otherwise the part before the dot names a value: `self.total`, `cart.total`.
    if !mention.owner.is_empty() && (mention.among > LONG || entities.iter().any(is_owned)) {
        entities.retain(is_owned);
    }
    // A variable counts only if nothing else has the name. A variable of a module counts beside others, too.
    if entities.iter().any(|entity| entity.record.kind != EntityKind::Variable) {
        let is_global = |entity: &Entity| !entity.record.qualified.contains('.');
        entities.retain(|entity| entity.record.kind != EntityKind::Variable || is_alone && is_global(entity));
    }
    Ok(entities)
}

/// "the total method in the Cart class": of several methods, the one in a named class is meant. Returns whether there
/// is such a method.
fn keep_members_of_named_classes(found: &mut [(NameInQuestion, Vec<Entity>)]) -> bool {
    let classes = found.iter().flat_map(|(_, entities)| entities).filter(|e| e.record.kind == EntityKind::Class);
    let owners: Vec<String> = classes.map(|entity| entity.record.name.to_lowercase()).collect();
    let mut has_member = false;
    for (_, entities) in found {
        let is_owned = |entity: &Entity| {
            let owner = entity.record.qualified.rsplit_once('.').map(|(owner, _)| owner.to_lowercase());
            owner.is_some_and(|owner| owners.iter().any(|name| is_suffix(&owner, name)))
        };
        if entities.iter().any(is_owned) {
            entities.retain(is_owned);
            has_member |= entities.iter().any(|entity| entity.record.kind.is_callable());
        }
    }
    has_member
}

/// How certainly a name means each of its entities.
fn certainties<'e>(
    mention: &NameInQuestion,
    entities: &'e [Entity],
    is_alone: bool,
    files: &Files<'_>,
) -> Vec<(&'e Entity, Certainty)> {
    // Definitions in tests do not make a name ambiguous.
    let main = main_of(entities, files);
    let (exact, near): (Vec<&Entity>, Vec<&Entity>) =
        main.iter().copied().partition(|entity| last_name(entity) == mention.name);
    let certainty = |entity: &Entity| {
        let is_near = last_name(entity) != mention.name;
        let alike = if is_near { &near } else { &exact };
        let is_variable = entity.record.kind == EntityKind::Variable;
        let definitions = alike.iter().filter(|other| (other.record.kind == EntityKind::Variable) == is_variable);
        let most = if is_alone && !is_near { MANY } else { FEW };
        let is_aside = !main.iter().any(|other| other.id == entity.id);
        let has_better = is_aside || !exact.is_empty() && is_near && !is_alone;
        let is_weak = definitions.count() > most || has_better || !mention.is_subject;
        Certainty { is_weak, is_near, position: mention.position }
    };
    entities.iter().map(|entity| (entity, certainty(entity))).collect()
}

pub(super) fn ordinal(store: &Store, entity: &Entity) -> Result<u32, StoreError> {
    let ids = store.entity_ids(entity.file)?;
    let position = ids.iter().position(|id| *id == entity.id).unwrap_or_default();
    Ok(u32::try_from(position).unwrap_or(u32::MAX))
}

fn last_name(entity: &Entity) -> &str {
    match entity.record.kind {
        EntityKind::Module => entity.module.rsplit('.').next().unwrap_or_default(),
        _ => &entity.record.name,
    }
}

fn owner_of(entity: &Entity) -> String {
    let below = entity.record.qualified.rsplit_once('.').map_or("", |(owner, _)| owner);
    match below {
        "" => entity.module.clone(),
        below => format!("{}.{below}", entity.module),
    }
}

fn mentions(question: &str) -> Vec<NameInQuestion> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == '.';
    let parts: Vec<&str> = question
        .split(|character| !is_part(character))
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    let kinds = |at: Option<usize>| {
        let word = parts.get(at?)?.to_lowercase();
        KINDS.iter().find(|(name, _)| *name == word).map(|(_, kinds)| *kinds)
    };
    let mut mentions = Vec::new();
    let among = parts.len();
    for (position, word) in parts.iter().enumerate() {
        let (owner, name) = word.rsplit_once('.').unwrap_or(("", word));
        let beside = kinds(Some(position + 1)).or_else(|| kinds(position.checked_sub(1)));
        let is_kind = KINDS.iter().any(|(kind, _)| *kind == word.to_lowercase());
        let is_name =
            looks_like_code(name) || !owner.is_empty() && name.len() > 1 || parts.len() <= SHORT || beside.is_some();
        if is_name && !is_kind && words::is_telling(word) && name.chars().any(char::is_alphabetic) {
            let (name, owner) = (name.to_owned(), owner.to_owned());
            let is_subject = beside.is_some() || !owner.is_empty() || among <= LONG;
            let kinds = beside.unwrap_or_default();
            mentions.push(NameInQuestion { name, owner, kinds, position, is_subject, is_joined: false, among });
        }
    }
    if (2..=JOINED).contains(&parts.len()) && parts.iter().all(|word| words::is_telling(word) && !word.contains('.')) {
        for name in [parts.join("_"), parts.concat()] {
            let (owner, kinds) = (String::new(), Default::default());
            mentions.push(NameInQuestion { name, owner, kinds, position: 0, is_subject: true, is_joined: true, among });
        }
    }
    mentions
}

/// `snake_case`, `CamelCase` and `mixedCase`, but neither `WORD` nor `Word`.
fn looks_like_code(word: &str) -> bool {
    let inner: Vec<char> = word.trim_matches('_').chars().collect();
    let has_joint = inner.contains(&'_') || word.starts_with('_') && !inner.is_empty();
    let has_hump = inner.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    // `HTTPServer`, but not `APIs`.
    let is_case = |upper: &[bool], part: &[char]| {
        part.iter().zip(upper).all(|(c, upper)| c.is_alphabetic() && c.is_uppercase() == *upper)
    };
    let has_acronym = inner.windows(4).any(|part| is_case(&[true, true, false, false], part));
    has_joint || has_hump || has_acronym
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_code_is_a_name() {
        for word in ["round_price", "_private", "KNNRetriever", "getItem", "__init__", "HTTPServer"] {
            assert!(looks_like_code(word), "{word}");
        }
        for word in ["price", "Flask", "APIs", "HTTP", "a", "", "_", "3"] {
            assert!(!looks_like_code(word), "{word}");
        }
    }

    #[test]
    fn plain_words_are_names_beside_the_word_for_what_they_are() {
        let names = |question| mentions(question).into_iter().map(|mention| mention.name).collect::<Vec<_>>();
        assert_eq!(names("show the run method in the engine class"), ["run", "engine"]);
        assert_eq!(names("how does the engine run?"), Vec::<String>::new());
        assert_eq!(names("engine"), ["engine"]);
        assert_eq!(names("Jet engine"), ["Jet", "engine", "Jet_engine", "Jetengine"]);
        assert_eq!(names("what calls engine.run()?"), ["run"]);
    }
}
