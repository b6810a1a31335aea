//! Files ranked for themselves, by the evidence of everything in them.
//!
//! A long text, such as an issue, is read by its parts (`texts::long`). Its whole and its title each give a list of
//! definitions; the words of its parts give a BM25 of whole files; the rest is what the text says outright: paths,
//! frames of a traceback, messages. A linear model (`model`) adds it up.
//!
//! A file that fits as a whole is a better place to look than one with a single definition that sounds alike. So the
//! definitions for a long text are ordered by their files, too ([`LongScores`]).

mod mentions;
mod model;
mod words_of_files;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::Serialize;

pub use self::model::FILE_FEATURES;
use self::{
    mentions::Mentions,
    model::FileFeatures,
    words_of_files::{WordParts, WordsOfFiles},
};
use super::{Hit, ScoredChunk, SearchOptions, Searcher, intent::QueryIntent, order};
use crate::{
    model::{EntityKind, FileId},
    store::error::StoreError,
    texts::long::LongText,
};

/// The files that a text is about.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct FilesReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub query: String,
    pub files: Vec<FileHit>,
    /// Which lists could not be used, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A file that was found.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct FileHit {
    /// The repository as the user named it, if several were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    pub path: String,
    /// Larger is better; comparable within one answer only.
    pub score: f64,
    /// The reasons for it, the strongest first.
    pub evidence: Vec<&'static str>,
    /// Its best definitions.
    pub definitions: Vec<FileDefinition>,
    /// By the names of [`FILE_FEATURES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<BTreeMap<&'static str, f64>>,
}

/// A definition of a found file.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct FileDefinition {
    pub name: String,
    pub kind: EntityKind,
    pub start_line: u32,
    pub end_line: u32,
}

/// Definitions named for each file.
const NAMED: usize = 3;
/// Hits of a list that speak for their files.
const COUNTED: usize = 100;
/// Hits of a list before the first: without it, one hit would outweigh several.
const BEFORE: usize = 10;

/// The candidates for a text, and for its title.
pub(super) struct LongLists<'c> {
    pub(super) full: &'c [ScoredChunk],
    pub(super) title: &'c [ScoredChunk],
}

/// The chunks of one file, which follow each other in the order of places.
struct FileRun {
    first: usize,
    /// Of a document, its number among documents.
    file: FileId,
    path: String,
    is_document: bool,
    /// Whether it is a test, an example or a document that the text does not ask for.
    is_aside: bool,
    is_accepted: bool,
}

/// The scores of all files for one text, by place.
pub(super) struct LongScores {
    runs: Vec<FileRun>,
    features: Vec<FileFeatures>,
    scores: Vec<f64>,
}

impl LongScores {
    fn run(&self, place: usize) -> usize {
        self.runs.partition_point(|run| run.first <= place).saturating_sub(1)
    }

    /// The score of the file at a place.
    pub(super) fn of(&self, place: usize) -> f64 {
        self.scores.get(self.run(place)).copied().unwrap_or(0.0)
    }
}

impl Searcher<'_> {
    /// The files that a text is about, best first. Short questions have files too.
    pub fn files(&self, text: &str, options: &SearchOptions) -> Result<FilesReport, StoreError> {
        let accepted = self.accepted(options);
        let mut missing = self.missing.clone();
        let parts = LongText::of(text);
        let (full, _) = self.scored(text, options, &accepted, &mut missing)?;
        let (title, intent) = self.scored(&parts.title, options, &accepted, &mut Vec::new())?;
        let lists = LongLists { full: &full, title: &title };
        let scores = self.long_scores(text, &parts, &lists, &intent, &accepted)?;
        let mut order: Vec<usize> = (0..scores.runs.len()).filter(|at| scores.runs[*at].is_accepted).collect();
        // A file without any evidence is no answer.
        order.retain(|at| scores.features[*at].iter().any(|feature| *feature > 0.0));
        order.sort_by(|a, b| {
            let path = |at: &usize| &scores.runs[*at].path;
            scores.scores[*b].total_cmp(&scores.scores[*a]).then_with(|| path(a).cmp(path(b)))
        });
        order.truncate(options.limit.max(1));
        let best = self.best_of_files(&lists, &scores, &order);
        let mut files = Vec::new();
        for at in order {
            let run = &scores.runs[at];
            let mut definitions = Vec::new();
            for candidate in best.get(&at).into_iter().flatten() {
                let hit = self.hit(candidate, 0.0, None)?;
                definitions.extend(hit.map(|Hit { name, kind, start_line, end_line, .. }| FileDefinition {
                    name,
                    kind,
                    start_line,
                    end_line,
                }));
            }
            let features = &scores.features[at];
            files.push(FileHit {
                repository: None,
                path: run.path.clone(),
                score: (scores.scores[at] * 1e4).round() / 1e4,
                evidence: model::evidence(features),
                definitions,
                features: options.explain.then(|| FILE_FEATURES.into_iter().zip(*features).collect()),
            });
        }
        let query = text.to_owned();
        Ok(FilesReport { schema: "repoidx.files", schema_version: 1, query, files, missing })
    }

    /// The candidates for a long text with their final scores: by the whole text, by its title, and by their files.
    pub(super) fn by_file(
        &self,
        text: &str,
        parts: &LongText,
        options: &SearchOptions,
        accepted: &[bool],
        full: Vec<ScoredChunk>,
    ) -> Result<Vec<ScoredChunk>, StoreError> {
        let (title, intent) = self.scored(&parts.title, options, accepted, &mut Vec::new())?;
        let scores = self.long_scores(text, parts, &LongLists { full: &full, title: &title }, &intent, accepted)?;
        let key = |candidate: &ScoredChunk| (candidate.place, candidate.variable);
        let (of_full, of_title) = (self.worth(&full, &scores), self.worth(&title, &scores));
        let by_title: FxHashMap<_, f64> = title.iter().map(key).zip(of_title.iter().copied()).collect();
        let known: BTreeSet<_> = full.iter().map(key).collect();
        let mut candidates = Vec::new();
        for (candidate, worth) in full.into_iter().zip(of_full) {
            let title = by_title.get(&key(&candidate)).copied().unwrap_or(0.0);
            candidates.push((candidate, model::of_definition(worth, title)));
        }
        for (candidate, worth) in title.into_iter().zip(of_title) {
            if !known.contains(&key(&candidate)) {
                candidates.push((candidate, model::of_definition(0.0, worth)));
            }
        }
        let with_file = |(mut candidate, score): (ScoredChunk, f64)| {
            let file = scores.of(candidate.place);
            candidate.score = score + file;
            candidate.of_file = Some(file);
            // A text names much that only stands around the answer.
            candidate.named = None;
            candidate
        };
        Ok(candidates.into_iter().map(with_file).collect())
    }

    /// The scores of a list on one scale: the best of it has [`model::BEST`], and nothing is below 0.
    fn worth(&self, list: &[ScoredChunk], scores: &LongScores) -> Vec<f64> {
        let is_main = |candidate: &&ScoredChunk| !scores.runs[scores.run(candidate.place)].is_aside;
        let best = list.iter().filter(is_main).map(|candidate| candidate.score).fold(f64::NEG_INFINITY, f64::max);
        let worth = |score: f64| (score.min(best) - best + model::BEST).max(0.0);
        list.iter().map(|candidate| if best.is_finite() { worth(candidate.score) } else { candidate.score }).collect()
    }

    /// The evidence for each file.
    fn long_scores(
        &self,
        text: &str,
        parts: &LongText,
        lists: &LongLists<'_>,
        intent: &QueryIntent,
        accepted: &[bool],
    ) -> Result<LongScores, StoreError> {
        let runs = self.runs(intent, accepted);
        let mut features = vec![[0.0; FILE_FEATURES.len()]; runs.len()];
        let mut scores = LongScores { runs, features: Vec::new(), scores: Vec::new() };
        for (list, column) in [(lists.full, model::FULL), (lists.title, model::TITLE)] {
            let [first, sum] = self.of_list(list, &scores);
            for (features, (first, sum)) in features.iter_mut().zip(first.into_iter().zip(sum)) {
                (features[column], features[column + 1]) = (first, sum);
            }
        }
        let words = WordsOfFiles::of(self, &scores, &WordParts::of(text, parts))?;
        let mentions = Mentions::of(self.store, &scores.runs, parts)?;
        for (at, features) in features.iter_mut().enumerate() {
            features[model::WORDS..model::WORDS + words_of_files::PARTS].copy_from_slice(&words.parts[at]);
            (features[model::STEM], features[model::STEM + 1]) = (words.stems[at], words.paths[at]);
            features[model::MENTIONS..].copy_from_slice(&mentions.of[at]);
        }
        scores.scores =
            features.iter().zip(&scores.runs).map(|(features, run)| model::score(features, run.is_aside)).collect();
        scores.features = features;
        Ok(scores)
    }

    /// The files in the order of places.
    fn runs(&self, intent: &QueryIntent, accepted: &[bool]) -> Vec<FileRun> {
        let mut runs: Vec<FileRun> = Vec::new();
        let mut last: Option<(bool, FileId)> = None;
        for (at, place) in self.corpus.places.iter().enumerate() {
            let is_document = place.kind == EntityKind::Document;
            if last.replace((is_document, place.file)) != Some((is_document, place.file)) {
                let file = self.file_of(place);
                let is_aside = file.and_then(|file| file.aside).is_some_and(|aside| !intent.asides.contains(&aside));
                let path = file.map(|file| file.path.clone()).unwrap_or_default();
                runs.push(FileRun { first: at, file: place.file, path, is_document, is_aside, is_accepted: false });
            }
            if let Some(run) = runs.last_mut() {
                run.is_accepted |= accepted[at];
            }
        }
        runs
    }

    /// The evidence of a list for each file: the reciprocal of its rank among the files by its first hit, and the sum
    /// over its hits of the reciprocals of their ranks as a share of the largest.
    fn of_list(&self, list: &[ScoredChunk], scores: &LongScores) -> [Vec<f64>; 2] {
        let keys: Vec<order::SortKey<'_>> = list.iter().map(|candidate| self.key(candidate)).collect();
        let ranked = order::best(&keys, COUNTED, usize::MAX);
        let (mut first, mut sum) = (vec![0.0; scores.runs.len()], vec![0.0; scores.runs.len()]);
        let runs = ranked.into_iter().map(|(at, _)| scores.run(list[at].place));
        let (mut files, mut rank) = (0, BEFORE);
        for run in runs.filter(|run| !scores.runs[*run].is_aside) {
            rank += 1;
            if first[run] == 0.0 {
                files += 1;
                first[run] = reciprocal(files);
            }
            sum[run] += reciprocal(rank);
        }
        let most = sum.iter().copied().fold(0.0, f64::max);
        if most > 0.0 {
            for sum in &mut sum {
                *sum /= most;
            }
        }
        [first, sum]
    }

    /// The best definitions of these files.
    fn best_of_files<'c>(
        &self,
        lists: &LongLists<'c>,
        scores: &LongScores,
        files: &[usize],
    ) -> BTreeMap<usize, Vec<&'c ScoredChunk>> {
        let worth = [lists.full, lists.title].map(|list| self.worth(list, scores));
        let mut found: BTreeMap<(usize, usize), (f64, &ScoredChunk)> = BTreeMap::new();
        for (number, list) in [lists.full, lists.title].into_iter().enumerate() {
            for (at, candidate) in list.iter().enumerate() {
                let run = scores.run(candidate.place);
                let worth = worth[number][at];
                let score =
                    if number == 0 { model::of_definition(worth, 0.0) } else { model::of_definition(0.0, worth) };
                if candidate.variable.is_none() && files.contains(&run) {
                    found.entry((run, candidate.place)).or_insert((0.0, candidate)).0 += score;
                }
            }
        }
        let mut best: BTreeMap<usize, Vec<(f64, &ScoredChunk)>> = BTreeMap::new();
        for ((run, _), scored) in found {
            best.entry(run).or_default().push(scored);
        }
        let shown = |mut list: Vec<(f64, &'c ScoredChunk)>| {
            list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.place.cmp(&b.1.place)));
            list.into_iter().take(NAMED).map(|(_, candidate)| candidate).collect()
        };
        best.into_iter().map(|(run, list)| (run, shown(list))).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "lists have few hundred hits")]
fn reciprocal(rank: usize) -> f64 {
    1.0 / rank as f64
}
