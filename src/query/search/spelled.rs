//! Questions that spell out their answer as a whole: a path, a place, a full name, or a misspelled name.
//!
//! Names inside longer questions belong to `names`.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{
    SearchOptions, SearchedFile, Searcher,
    fields::pattern::accepts,
    names::{self, NamedEntities},
};
use crate::{
    model::{EntityId, EntityKind, FileId},
    query::target::{
        TargetMatch, known,
        spelling::{nearest, without_underscores},
    },
    store::{error::StoreError, search::digests::ChunkPlace},
    texts::{documents::is_document, words},
};

/// Longer texts, in bytes, are no names.
const LONGEST: usize = 200;

/// The chunks that a question spells out, by place.
pub(super) struct Spelled {
    pub(super) places: BTreeMap<usize, names::Certainty>,
    /// Variables, with the place of the chunk around each.
    pub(super) variables: Vec<(usize, EntityId, names::Certainty)>,
}

impl Searcher<'_> {
    /// The accepted chunks and variables that a question spells out.
    pub(super) fn spelled(
        &self,
        question: &str,
        accepted: &[bool],
        options: &SearchOptions,
    ) -> Result<Spelled, StoreError> {
        let is_aside = |file| self.files.get(&file).is_some_and(|file| file.aside.is_some());
        let files = names::Files { modules: &|name| self.modules(name), is_aside: &is_aside };
        let mut named = self.whole(question, &files)?;
        if named.is_empty() {
            named = names::named(self.store, question, &files)?;
        }
        if named.is_empty() {
            named = self.misspelled(question, &files)?;
        }
        let by_entity: FxHashMap<names::ChunkKey, names::Certainty> = named.entities.iter().copied().collect();
        let mut at: FxHashMap<names::ChunkKey, usize> = FxHashMap::default();
        let mut places = BTreeMap::new();
        for (place, &ChunkPlace { file, ordinal, piece, kind, .. }) in self.corpus.places.iter().enumerate() {
            if kind == EntityKind::Document || piece > 0 {
                continue;
            }
            let key = names::ChunkKey { file, ordinal };
            if let Some(rank) = by_entity.get(&key).filter(|_| accepted[place]) {
                places.insert(place, *rank);
            }
            if named.variables.iter().any(|(owner, ..)| *owner == key) {
                at.insert(key, place);
            }
        }
        if let Some(place) = self.document(question).filter(|place| accepted[*place]) {
            places.insert(place, names::Certainty::FIRST);
        }
        let is_accepted = |owner: &names::ChunkKey, id: EntityId| {
            let file = self.files.get(&owner.file);
            file.is_some_and(|file| accepts(EntityKind::Variable, &file.path, options))
                && options.fitting.as_ref().is_none_or(|fitting| fitting.has(id))
        };
        let variables = named.variables.iter().filter(|(owner, id, _)| is_accepted(owner, *id));
        let variables = variables.filter_map(|(owner, id, rank)| Some((*at.get(owner)?, *id, *rank))).collect();
        Ok(Spelled { places, variables })
    }

    /// The entities of a question that is just a path, a place in a file, or a dotted name.
    fn whole(&self, question: &str, files: &names::Files<'_>) -> Result<NamedEntities, StoreError> {
        let text = bare(question);
        if text.len() > LONGEST || text.contains(char::is_whitespace) || !text.contains(['.', '/', ':']) {
            return Ok(NamedEntities::default());
        }
        let dotted = text.trim_start_matches("./").replace('/', ".");
        for text in [text, dotted.as_str()] {
            let entities = match known(self.store, text, "")? {
                Some(TargetMatch::Found(target)) => target.entities,
                Some(TargetMatch::Ambiguous(entities)) => entities,
                Some(TargetMatch::Unknown(_)) | None => Vec::new(),
            };
            if !entities.is_empty() {
                return NamedEntities::of(self.store, &entities, false, files);
            }
        }
        Ok(NamedEntities::default())
    }

    /// The files whose modules have this last name.
    fn modules(&self, name: &str) -> Vec<FileId> {
        let has_name =
            |file: &SearchedFile| file.module.rsplit('.').next().is_some_and(|last| last.eq_ignore_ascii_case(name));
        let mut found: Vec<FileId> = self.files.iter().filter(|(_, file)| has_name(file)).map(|(id, _)| *id).collect();
        found.sort_unstable();
        found
    }

    /// The first section of the document whose path is the question.
    fn document(&self, question: &str) -> Option<usize> {
        let text = question.trim().trim_start_matches("./");
        if !is_document(text) {
            return None;
        }
        let ending = format!("/{text}");
        let is_meant = |path: &str| path == text || path.ends_with(&ending);
        let meant: BTreeSet<_> = self
            .documents
            .iter()
            .filter(|(_, file)| is_meant(&file.path))
            .map(|(id, file)| (file.path.len(), &file.path, id))
            .collect();
        let (.., meant) = meant.first()?;
        let is_first = |place: &ChunkPlace| {
            place.kind == EntityKind::Document && place.file == **meant && (place.ordinal, place.piece) == (0, 0)
        };
        self.corpus.places.iter().position(is_first)
    }

    /// The entities of a question that is one misspelled name. Wrong underscores and capitals are always forgiven;
    /// wrong letters only if the index has no such name.
    fn misspelled(&self, question: &str, files: &names::Files<'_>) -> Result<NamedEntities, StoreError> {
        let text = bare(question);
        let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.');
        let name = text.rsplit('.').next().unwrap_or(text);
        if text.is_empty() || text.len() > LONGEST || !text.chars().all(is_part) || !words::is_telling(name) {
            return Ok(NamedEntities::default());
        }
        let letters = without_underscores(name);
        let (mut is_anywhere, mut alike) = (false, BTreeSet::new());
        // The last word is all parts joined, or the only one.
        for word in words::words(name).into_iter().next_back().into_iter().chain([letters.clone()]) {
            let mut from = 0;
            self.store.each_posting(&word, &mut |(chunk, columns)| {
                is_anywhere = true;
                alike.extend(self.corpus.place_from(&mut from, chunk).filter(|_| columns & 1 == 1));
            })?;
        }
        let mut names = BTreeSet::new();
        for place in alike {
            let name = &self.names_of(place)?.name;
            if without_underscores(name) == letters {
                names.insert(name.clone());
            }
        }
        if names.is_empty() && !is_anywhere {
            names = nearest(&self.store.names()?, name).into_iter().cloned().collect();
            let is_class = |name: &str| name.starts_with(char::is_uppercase);
            if names.iter().any(|other| is_class(other) == is_class(name)) {
                names.retain(|other| is_class(other) == is_class(name));
            }
        }
        let mut entities = Vec::new();
        for name in names {
            entities.extend(self.store.entities_named(&name, false)?);
        }
        if entities.iter().any(|entity| entity.record.kind != EntityKind::Variable) {
            entities.retain(|entity| entity.record.kind != EntityKind::Variable);
        }
        NamedEntities::of(self.store, &entities, true, files)
    }
}

/// A name without the signs that people write around it: `@app.route`, `total()`.
fn bare(question: &str) -> &str {
    let text = question.trim().trim_start_matches('@');
    text.strip_suffix("()").unwrap_or(text)
}
