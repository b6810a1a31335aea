//! The definitions of each file and the identifiers that name them, for code navigation indexes such as SCIP.
//!
//! A reader who clicks on a word wants the definition that the word names. References through other names, values or
//! dispatch stay in the relationships.

use std::collections::BTreeMap;

use crate::{
    model::{Basis, EntityId, EntityRecord, FileId, Relationship, RelationshipKind},
    query::{
        navigate::naming::{MentionSite, named_word},
        source::Sources,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Relationships below this probability do not answer "where is this defined?".
const LEAST_PROBABILITY: f64 = 0.5;

/// The definitions of one file and the names in it.
#[derive(Clone, Debug)]
pub struct FileOccurrences {
    pub path: String,
    /// In the order of the file, the module first.
    pub definitions: Vec<Definition>,
    /// Sorted by place, then by target.
    pub references: Vec<NameOccurrence>,
    /// Bases of the file's classes and methods that its members override: source, target, kind.
    pub implementations: Vec<(EntityId, EntityId, RelationshipKind)>,
}

/// A module, or a definition in one.
#[derive(Clone, Debug)]
pub struct Definition {
    pub id: EntityId,
    /// The definition around it; none for a module.
    pub parent: Option<EntityId>,
    pub module: String,
    pub full_name: String,
    pub record: EntityRecord,
}

/// An identifier that names a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameOccurrence {
    pub target: EntityId,
    /// 1-based.
    pub line: u32,
    /// In bytes, 0-based.
    pub column: u32,
    /// In bytes.
    pub length: u32,
    /// Roles of the reference, sorted.
    pub kinds: Vec<RelationshipKind>,
}

/// The definitions of one file.
pub fn definitions_of(store: &Store, file: FileId) -> Result<Vec<Definition>, StoreError> {
    let definition = |entity: Entity| Definition {
        id: entity.id,
        parent: (entity.parent != entity.id).then_some(entity.parent),
        full_name: entity.full_name(),
        module: entity.module,
        record: entity.record,
    };
    Ok(store.entities_of(file)?.into_iter().map(definition).collect())
}

/// The occurrences of one file; `name` gives the full name of an entity.
pub fn of_file<'n>(
    store: &Store,
    sources: &Sources,
    file: FileId,
    path: &str,
    name: impl Fn(EntityId) -> Option<&'n str>,
) -> Result<FileOccurrences, StoreError> {
    use RelationshipKind as K;
    let mut implementations = Vec::new();
    let mut found: BTreeMap<(u32, u32, EntityId), (u32, Vec<K>)> = BTreeMap::new();
    for relationship in store.relationships_of(file)? {
        let Relationship { target, kind, source, line, column, basis } = relationship;
        let is_override = matches!(basis, Basis::Dispatched | Basis::Implemented | Basis::Fitting);
        if basis.probability() < LEAST_PROBABILITY || is_override {
            continue;
        }
        if matches!(kind, K::Inherits | K::Overrides) {
            implementations.push((source, target, kind));
        }
        let Some(name) = name(target) else { continue };
        let mention = MentionSite { kind, basis, target: name, path, line, column };
        if kind != K::Overrides
            && let Some(word) = named_word(sources, &mention)
        {
            let length = u32::try_from(word.len()).unwrap_or(u32::MAX);
            let (_, kinds) = found.entry((line, column, target)).or_insert((length, Vec::new()));
            kinds.push(kind);
        }
    }
    implementations.sort_unstable();
    implementations.dedup();
    let references = found.into_iter().map(|((line, column, target), (length, mut kinds))| {
        kinds.sort_unstable();
        kinds.dedup();
        NameOccurrence { target, line, column, length, kinds }
    });
    let (references, definitions) = (references.collect(), definitions_of(store, file)?);
    Ok(FileOccurrences { path: path.to_owned(), definitions, references, implementations })
}
