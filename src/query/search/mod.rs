//! Search: the definitions that a question means, best first.
//!
//! A question consists of words, names or code. Three lists answer it: names, words and vectors. A linear model
//! (`model`) scores the best of the last two lists. Spelled-out names go first, and repetitions move down (`order`).

mod called;
mod corpus;
mod features;
mod fields;
mod files;
mod intent;
mod lists;
mod model;
mod names;
mod order;
mod report;
mod spelled;
mod vectors;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use rustc_hash::FxHashMap;

use self::{
    corpus::Corpus,
    features::{ChunkFacts, Features},
    intent::{Aside, QueryIntent},
    lists::Lexical,
    spelled::Spelled,
};
pub use self::{
    features::FEATURES,
    fields::SearchField,
    files::{FILE_FEATURES, FileDefinition, FileHit, FilesReport},
    lists::{absent, has_meaning, stands_in},
    order::{copies::CopyPlace, parents::MergeRule},
    report::{Explanation, Hit, LineRange, MergedHits, SearchReport},
};
use crate::{
    embed::{Embedder, QuestionInput, WordVectors, quantized, table},
    model::{EntityId, EntityKind, FileId},
    query::target::filter::FittingSet,
    store::{
        Store,
        error::StoreError,
        search::{digests::ChunkPlace, texts::STATIC_MODEL, vectors::Model},
    },
    texts::{long::LongText, words},
};

/// The text that a search compares with the definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchText {
    /// A question, with all of each definition.
    #[default]
    Question,
    /// A question, with one part of each definition.
    For(SearchField),
    /// Code, with code that is like it.
    Code,
}

/// The limits and filters of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// The text that is searched for.
    pub text: SearchText,
    /// Most hits; at least 1.
    pub limit: usize,
    /// Only these kinds; empty for all.
    pub kinds: Vec<EntityKind>,
    /// Only files at or below one of these paths, or that match one of these patterns (`*` stands for any text).
    pub paths: Vec<String>,
    /// Only files with one of these paths, which are sorted.
    pub only: Option<Vec<String>>,
    /// Only these definitions; sections of documents are none.
    pub fitting: Option<FittingSet>,
    /// Most hits of one file; 0 for any number.
    pub per_file: usize,
    /// Prefer definitions near this file, which is given by its path.
    pub near: Option<String>,
    /// Merge hits into the class or file around them.
    pub merge: Option<MergeRule>,
    /// Explain each hit.
    pub explain: bool,
}

impl Explanation {
    fn of(candidate: &ScoredChunk, intent: &QueryIntent) -> Self {
        Explanation {
            lexical_rank: candidate.lexical_rank,
            vector_rank: candidate.vector_rank,
            docstring_rank: None,
            named: candidate.named.is_some(),
            change: intent.change,
            file: candidate.of_file,
            features: FEATURES.into_iter().zip(candidate.features).collect(),
            parts: FEATURES.into_iter().zip(candidate.parts).collect(),
        }
    }
}

/// Number of chunks of each list that the model scores.
const DEPTH: usize = 200;

/// An open search: data that is read once for many questions.
pub struct Searcher<'s> {
    store: &'s Store,
    corpus: Corpus,
    files: FxHashMap<FileId, SearchedFile>,
    documents: FxHashMap<FileId, SearchedFile>,
    /// The embedding spaces in order of preference; the first that answers is used.
    spaces: Vec<Space<'s>>,
    /// Messages about lists that were missing before any question.
    missing: Vec<String>,
    /// By place: the names that earlier questions needed.
    names: RefCell<FxHashMap<usize, Rc<ChunkName>>>,
}

/// The name of a chunk.
struct ChunkName {
    name: String,
    /// The words of the name.
    words: Vec<String>,
    /// The qualified name of the class around it.
    owner: String,
}

/// An embedder with the model under which its vectors are stored.
struct Space<'s> {
    embedder: &'s dyn Embedder,
    model: Model,
}

#[expect(clippy::cast_possible_truncation, reason = "256")]
const STATIC: Model = Model { id: STATIC_MODEL, dimensions: table::DIMENSIONS as u32 };

/// A question's cosines with all chunks, by place. A long chunk has the cosine of its nearest piece; `pieces` names
/// that piece.
struct Cosines {
    all: Vec<Option<f64>>,
    pieces: FxHashMap<usize, usize>,
}
/// By place: the rank in the list by words and in the list by meaning.
type Ranks = BTreeMap<usize, (Option<usize>, Option<usize>)>;

struct SearchedFile {
    path: String,
    module: String,
    /// Set for tests, examples and documentation: a question must ask for them.
    aside: Option<Aside>,
}

/// A chunk that may be an answer, with its score.
struct ScoredChunk {
    place: usize,
    /// A variable inside the chunk that is meant instead of the chunk.
    variable: Option<EntityId>,
    /// The place of the nearest piece of a long chunk.
    piece: Option<usize>,
    names: Rc<ChunkName>,
    lexical_rank: Option<usize>,
    vector_rank: Option<usize>,
    features: Features,
    /// Contribution of each feature to the score.
    parts: Features,
    named: Option<names::Certainty>,
    /// Part of the score that its file has, for a long text.
    of_file: Option<f64>,
    score: f64,
}

impl ScoredChunk {
    fn weigh(&mut self, intent: &QueryIntent, aside: Option<Aside>) {
        self.parts = model::parts(&self.features, intent);
        let is_asked = aside.is_none_or(|aside| intent.asides.contains(&aside));
        let aside = if is_asked { 0.0 } else { model::ASIDE };
        self.score = self.parts.iter().sum::<f64>() - aside;
    }
}

impl<'s> Searcher<'s> {
    /// Opens a search over the index; reads the places of all chunks.
    pub fn new(store: &'s Store) -> Result<Self, StoreError> {
        let files = store.files()?.into_iter();
        let files: FxHashMap<FileId, SearchedFile> = files
            .map(|(id, file)| {
                let aside = if file.is_test { Some(Aside::Test) } else { aside(&file.path) };
                (id, SearchedFile { path: file.path, module: file.module, aside })
            })
            .collect();
        let documents = store.documents()?.into_iter();
        let documents: FxHashMap<FileId, SearchedFile> = documents
            .map(|(id, document)| {
                (id, SearchedFile { path: document.path, module: String::new(), aside: Some(Aside::Document) })
            })
            .collect();
        let corpus = Corpus::of(&store.chunk_places()?, |place| file_of(&files, &documents, place));
        let spaces = vec![Space { embedder: WordVectors::get(), model: STATIC }];
        Ok(Searcher { store, corpus, files, documents, spaces, missing: Vec::new(), names: RefCell::default() })
    }

    /// Prefers this embedder, whose vectors the index has under `model`. The static table is used when it fails.
    #[must_use]
    pub fn with_embedder(mut self, embedder: &'s dyn Embedder, model: Model) -> Self {
        self.spaces.insert(0, Space { embedder, model });
        self
    }

    /// Adds these messages about missing lists to every answer.
    #[must_use]
    pub fn with_missing(mut self, missing: Vec<String>) -> Self {
        self.missing.extend(missing);
        self
    }

    /// Answers one question.
    pub fn search(&self, question: &str, options: &SearchOptions) -> Result<SearchReport, StoreError> {
        match options.text {
            SearchText::Question => {}
            SearchText::For(field) => return self.in_field(question, field, options),
            SearchText::Code => return self.like(question, options),
        }
        let accepted = self.accepted(options);
        let mut missing = self.missing.clone();
        let (mut candidates, intent) = self.scored(question, options, &accepted, &mut missing)?;
        if let Some(parts) = LongText::if_long(question) {
            candidates = self.by_file(question, &parts, options, &accepted, candidates)?;
        }
        if let Some(near) = &options.near {
            let around = self.around(near)?;
            for candidate in &mut candidates {
                let place = &self.corpus.places[candidate.place];
                let path = self.file(candidate.place).map_or("", |file| file.path.as_str());
                candidate.score += order::nearness(near, path, around.contains(&place.file));
            }
        }
        let keys: Vec<order::SortKey> = candidates.iter().map(|candidate| self.key(candidate)).collect();
        let limit = options.limit.max(1);
        let explained = options.explain.then_some(&intent);
        // Merged before it is cut: a shorter list is the beginning of a longer one.
        let merged = if options.merge.is_some() { limit.max(order::parents::LEAST_MERGED) } else { limit };
        let mut wanted = merged;
        let mut hits = loop {
            let chosen = order::best(&keys, wanted, options.per_file);
            let is_all = chosen.len() < wanted;
            let hits = chosen.into_iter().map(|(at, score)| self.hit(&candidates[at], score, explained));
            let hits: Vec<Hit> = hits.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
            let Some(rule) = options.merge else { break hits };
            // Merging makes places free for further hits.
            match order::parents::merged(self.store, &hits, merged, rule, is_all)? {
                Some(rows) => break rows,
                None => wanted *= 2,
            }
        };
        hits.truncate(limit);
        let query = question.to_owned();
        Ok(SearchReport::of(query, hits, missing))
    }

    /// By place: whether the options accept a chunk.
    fn accepted(&self, options: &SearchOptions) -> Vec<bool> {
        self.corpus.places.iter().map(|place| self.accepts(place, options)).collect()
    }

    /// The candidates for a question with their scores, and the question's intent.
    fn scored(
        &self,
        question: &str,
        options: &SearchOptions,
        accepted: &[bool],
        missing: &mut Vec<String>,
    ) -> Result<(Vec<ScoredChunk>, QueryIntent), StoreError> {
        let words = words::query_words(question);
        let lexical = Lexical::of(self.store, &words, &words::joined(question), &self.corpus)?;
        let weighted = lexical.weighted_words();
        let question_vector = WordVectors::get().of_words(&weighted);
        let Spelled { places: named, variables } = self.spelled(question, accepted, options)?;
        let lexical_best = lexical.best(accepted, DEPTH);
        let owners = variables.iter().map(|(place, ..)| place);
        // Chunks of the other lists need a cosine too, even if they are not among the nearest.
        let wanted: Vec<usize> = lexical_best.iter().chain(named.keys()).chain(owners).copied().collect();
        let asked = QuestionInput { text: question, words: &weighted };
        let cosines = self.cosines(&asked, accepted, &wanted, missing)?;
        let ranks = self.ranks(&lexical_best, &cosines.all, &named, accepted);
        let mut candidates = self.candidates(&lexical, question_vector.as_deref(), &ranks, &cosines, &named)?;
        for (place, variable, rank) in variables {
            let ranks = Ranks::from([(place, ranks.get(&place).copied().unwrap_or_default())]);
            let named = BTreeMap::from([(place, rank)]);
            let mut found = self.candidates(&lexical, question_vector.as_deref(), &ranks, &cosines, &named)?;
            for candidate in &mut found {
                candidate.variable = Some(variable);
            }
            candidates.append(&mut found);
        }
        let intent = QueryIntent::of(question, &words);
        for candidate in &mut candidates {
            candidate.weigh(&intent, self.file(candidate.place).and_then(|file| file.aside));
        }
        // The feature `called` depends on the scores without it: all candidates are weighed twice.
        self.add_called(&mut candidates)?;
        for candidate in &mut candidates {
            candidate.weigh(&intent, self.file(candidate.place).and_then(|file| file.aside));
        }
        Ok((candidates, intent))
    }

    /// Similarity of these entities to a text, -1..=1. An entity without a chunk of its own takes the one of its
    /// parent.
    pub fn similarities(
        &self,
        text: &str,
        entities: &BTreeSet<EntityId>,
        missing: &mut Vec<String>,
    ) -> Result<BTreeMap<EntityId, f64>, StoreError> {
        let code = |(_, place): &(usize, &ChunkPlace)| place.kind != EntityKind::Document && place.piece == 0;
        let places = self.corpus.places.iter().enumerate().filter(code);
        let places: FxHashMap<_, usize> = places.map(|(at, place)| ((place.file, place.ordinal), at)).collect();
        let mut wanted = BTreeMap::new();
        for &id in entities {
            let mut next = self.store.entity(id)?;
            // Variables and inner functions have no chunk of their own.
            while let Some(entity) = next {
                let ordinal = names::ordinal(self.store, &entity)?;
                if let Some(place) = places.get(&(entity.file, ordinal)) {
                    wanted.insert(id, *place);
                    break;
                }
                next = if entity.parent == entity.id { None } else { self.store.entity(entity.parent)? };
            }
        }
        let (words, nothing) = (words::query_words(text), vec![false; self.corpus.places.len()]);
        let lexical = Lexical::of(self.store, &words, &[], &self.corpus)?;
        let asked = QuestionInput { text, words: &lexical.weighted_words() };
        let places: Vec<usize> = wanted.values().copied().collect();
        missing.extend(self.missing.iter().cloned());
        let cosines = self.cosines(&asked, &nothing, &places, missing)?;
        Ok(wanted.into_iter().filter_map(|(id, place)| Some((id, cosines.all[place]?))).collect())
    }

    /// Cosines between a question and the chunks, by the first embedder that answers. Only the nearest chunks and the
    /// wanted ones have one.
    fn cosines(
        &self,
        question: &QuestionInput<'_>,
        accepted: &[bool],
        wanted: &[usize],
        missing: &mut Vec<String>,
    ) -> Result<Cosines, StoreError> {
        let Some((model, vector)) = self.question_vector(question, missing) else {
            return Ok(Cosines { all: vec![None; self.corpus.places.len()], pieces: FxHashMap::default() });
        };
        let wanted = wanted.iter().copied();
        let mut cosines = vectors::cosines(self.store, model.id, &vector, &self.corpus.places, accepted, wanted)?;
        if model != STATIC {
            vectors::aligned(&mut cosines, vectors::OF_CHUNKS);
        }
        let pieces = vectors::joined(&mut cosines, &self.corpus.places);
        Ok(Cosines { all: cosines, pieces })
    }

    /// The vector of a question by the first embedder that answers, and the model under which its vectors are stored.
    fn question_vector(&self, question: &QuestionInput<'_>, missing: &mut Vec<String>) -> Option<(Model, Vec<u8>)> {
        for space in &self.spaces {
            let name = space.embedder.name();
            match space.embedder.question(question) {
                Ok(Some(vector)) if vector.len() != space.model.dimensions as usize => {
                    let (now, then) = (vector.len(), space.model.dimensions);
                    missing.push(format!(
                        "the embedder {name} answers with {now} numbers, and its vectors in the index have {then}: `repoidx index --full` makes them anew"
                    ));
                }
                Ok(Some(vector)) => return Some((space.model, quantized(&vector))),
                Ok(None) => {
                    missing.push(format!("no word of the question is in the table of the {name} embedder"));
                    break;
                }
                Err(error) => missing.push(format!("the embedder {name} gave no vector: {error}")),
            }
        }
        None
    }

    /// The ranks of the best of each list and of the named chunks.
    fn ranks(
        &self,
        lexical_best: &[usize],
        cosines: &[Option<f64>],
        named: &BTreeMap<usize, names::Certainty>,
        accepted: &[bool],
    ) -> Ranks {
        let mut ranks = Ranks::new();
        for (rank, place) in (1..).zip(lexical_best) {
            ranks.entry(*place).or_default().0 = Some(rank);
        }
        for (rank, place) in (1..).zip(self.nearest(cosines, accepted)) {
            ranks.entry(place).or_default().1 = Some(rank);
        }
        for place in named.keys() {
            ranks.entry(*place).or_default();
        }
        ranks
    }

    /// The candidates with their features.
    fn candidates(
        &self,
        lexical: &Lexical,
        question: Option<&[f32]>,
        ranks: &Ranks,
        cosines: &Cosines,
        named: &BTreeMap<usize, names::Certainty>,
    ) -> Result<Vec<ScoredChunk>, StoreError> {
        let mut candidates = Vec::new();
        for (&place, &(lexical_rank, vector_rank)) in ranks {
            let names = self.names_of(place)?;
            let known = ChunkFacts {
                name: &names.name,
                words: &names.words,
                cosine: cosines.all[place].unwrap_or(0.0),
                lexical_rank: lexical_rank.unwrap_or(DEPTH + 1),
                vector_rank: vector_rank.unwrap_or(DEPTH + 1),
            };
            let features = features::features(lexical, question, place, &self.corpus.places[place], &known);
            let named = named.get(&place).copied();
            let (piece, parts, score) = (cosines.pieces.get(&place).copied(), [0.0; FEATURES.len()], 0.0);
            candidates.push(ScoredChunk {
                place,
                variable: None,
                piece,
                names,
                lexical_rank,
                vector_rank,
                features,
                parts,
                named,
                of_file: None,
                score,
            });
        }
        features::complete(
            &mut candidates
                .iter_mut()
                .map(|candidate| (features::container(&self.corpus.places[candidate.place]), &mut candidate.features))
                .collect::<Vec<_>>(),
        );
        Ok(candidates)
    }

    /// Adds the feature `called` to the best candidates (see [`called`]).
    fn add_called(&self, candidates: &mut [ScoredChunk]) -> Result<(), StoreError> {
        let scores: Vec<f64> = candidates.iter().map(|candidate| candidate.score).collect();
        let best = called::best(&scores);
        let mut entities = Vec::new();
        for &at in &best {
            let ChunkPlace { file, ordinal, kind, .. } = self.corpus.places[candidates[at].place];
            let is_code = kind != EntityKind::Document;
            entities.push(if is_code { self.store.entity_at(file, ordinal)? } else { None });
        }
        for (at, share) in best.iter().zip(called::shares(self.store, &entities, &best, &scores)?) {
            features::complete_called(&mut candidates[*at].features, share);
        }
        Ok(())
    }

    /// The accepted places with the largest cosines, largest first; ties go by the hash of the text, which no history
    /// changes.
    fn nearest(&self, cosines: &[Option<f64>], accepted: &[bool]) -> Vec<usize> {
        let mut near: Vec<(f64, usize)> = cosines
            .iter()
            .enumerate()
            .filter(|(place, _)| accepted[*place])
            .filter_map(|(place, cosine)| Some(((*cosine)?, place)))
            .collect();
        let text = |place: usize| self.corpus.places[place].text.cast_signed();
        let order = |a: &(f64, usize), b: &(f64, usize)| {
            b.0.total_cmp(&a.0).then(text(a.1).cmp(&text(b.1))).then(a.1.cmp(&b.1))
        };
        if near.len() > DEPTH {
            near.select_nth_unstable_by(DEPTH, order);
            near.truncate(DEPTH);
        }
        near.sort_unstable_by(order);
        near.into_iter().map(|(_, place)| place).collect()
    }

    /// The files that a file refers to.
    fn around(&self, path: &str) -> Result<BTreeSet<FileId>, StoreError> {
        let mut around = BTreeSet::new();
        let Some(file) = self.store.file_id(path)? else { return Ok(around) };
        for target in self.store.targets_of(file)? {
            around.extend(self.store.entity(target)?.map(|entity| entity.file));
        }
        Ok(around)
    }

    fn names_of(&self, place: usize) -> Result<Rc<ChunkName>, StoreError> {
        if let Some(names) = self.names.borrow().get(&place) {
            return Ok(Rc::clone(names));
        }
        let (name, owner) = self.read_names(place)?;
        let mut words = words::words(&name);
        if words.len() > 1 {
            // The last word is all parts joined: it repeats the others.
            words.pop();
        }
        let names = Rc::new(ChunkName { name, words, owner });
        self.names.borrow_mut().insert(place, Rc::clone(&names));
        Ok(names)
    }

    /// The name of a chunk, and the class around it.
    fn read_names(&self, place: usize) -> Result<(String, String), StoreError> {
        let ChunkPlace { file, ordinal, kind, .. } = self.corpus.places[place];
        if kind == EntityKind::Module {
            let module = self.file(place).map_or("", |file| file.module.as_str());
            return Ok((module.rsplit('.').next().unwrap_or_default().to_owned(), String::new()));
        }
        if kind == EntityKind::Document {
            let title = self.store.section(file, ordinal)?.map(|section| section.title);
            return Ok((title.unwrap_or_default(), String::new()));
        }
        let (name, mut qualified) = self.store.names_at(file, ordinal)?.unwrap_or_default();
        qualified.truncate(qualified.rfind('.').unwrap_or(0));
        Ok((name, qualified))
    }

    fn file(&self, place: usize) -> Option<&SearchedFile> {
        self.file_of(&self.corpus.places[place])
    }

    fn file_of(&self, place: &ChunkPlace) -> Option<&SearchedFile> {
        file_of(&self.files, &self.documents, place)
    }

    fn accepts(&self, place: &ChunkPlace, options: &SearchOptions) -> bool {
        let is_fitting = options
            .fitting
            .as_ref()
            .is_none_or(|fitting| place.kind != EntityKind::Document && fitting.has_place(place.file, place.ordinal));
        is_fitting && self.file_of(place).is_some_and(|file| fields::pattern::accepts(place.kind, &file.path, options))
    }

    fn key<'k>(&'k self, candidate: &'k ScoredChunk) -> order::SortKey<'k> {
        let place = &self.corpus.places[candidate.place];
        order::SortKey {
            named: candidate.named,
            score: candidate.score,
            path: self.file(candidate.place).map_or("", |file| file.path.as_str()),
            owner: &candidate.names.owner,
            ordinal: place.ordinal,
            text: place.text,
            signs: &place.signs,
        }
    }

    fn hit(
        &self,
        candidate: &ScoredChunk,
        score: f64,
        explain: Option<&QueryIntent>,
    ) -> Result<Option<Hit>, StoreError> {
        let ChunkPlace { file, ordinal, kind, .. } = self.corpus.places[candidate.place];
        let score = (score * 1e4).round() / 1e4;
        let explain = explain.map(|intent| Explanation::of(candidate, intent));
        if kind == EntityKind::Document {
            let (Some(section), Some(file)) = (self.store.section(file, ordinal)?, self.file(candidate.place)) else {
                return Ok(None);
            };
            return Ok(Some(Hit {
                id: None,
                repository: None,
                qualified: section.title.clone(),
                name: section.title,
                kind,
                path: file.path.clone(),
                start_line: section.start_line,
                end_line: section.end_line,
                score,
                signature: String::new(),
                above: section.above,
                doc: section.lead,
                nearest: None,
                links: names::mentioned(self.store, &section.names)?,
                copies: Vec::new(),
                merged: None,
                explain,
            }));
        }
        let id = match candidate.variable {
            Some(variable) => Some(variable),
            None => self.store.entity_at(file, ordinal)?,
        };
        let Some(id) = id else { return Ok(None) };
        let nearest = candidate.piece.filter(|_| candidate.variable.is_none());
        let nearest = nearest.map(|place| self.store.chunk_lines(self.corpus.places[place].chunk)).transpose()?;
        let nearest = nearest.flatten().map(|(start_line, end_line)| LineRange { start_line, end_line });
        Ok(self.store.entity(id)?.map(|entity| Hit { nearest, explain, ..Hit::of(entity, score) }))
    }
}

/// The file of a chunk, or the document of a section.
fn file_of<'f>(
    files: &'f FxHashMap<FileId, SearchedFile>,
    documents: &'f FxHashMap<FileId, SearchedFile>,
    place: &ChunkPlace,
) -> Option<&'f SearchedFile> {
    let files = if place.kind == EntityKind::Document { documents } else { files };
    files.get(&place.file)
}

/// The kind of a code file, from the names of its folders.
fn aside(path: &str) -> Option<Aside> {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').find_map(|folder| match folder {
        "examples" | "example" | "demos" | "benchmarks" | "bench" | "asv_bench" => Some(Aside::Example),
        "docs" | "doc" => Some(Aside::Document),
        _ => None,
    })
}
