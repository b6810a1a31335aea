//! The words of whole files: BM25 by the parts of a text, and words of paths in its title.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{LongScores, Searcher};
use crate::{
    query::search::lists,
    store::error::StoreError,
    texts::{long::LongText, words},
};

/// The parts with a BM25 of their own: all, title, prose, names.
pub(super) const PARTS: usize = 4;
/// Columns with the words that a body has twice, and those that it has four times.
const TWICE: u8 = 1 << 6;
const OFTEN: u8 = 1 << 7;
/// The usual constants of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The words of a text with the parts that have them.
pub(super) struct WordParts {
    words: Vec<(String, [bool; PARTS])>,
    title: FxHashSet<String>,
}

impl WordParts {
    pub(super) fn of(text: &str, parts: &LongText) -> Self {
        let set = |text: &str| words::query_words(text).into_iter().collect::<FxHashSet<_>>();
        let [title, prose, names] = [&parts.title, &parts.prose, &parts.names].map(|text| set(text));
        let of = |word: String| {
            let has = [true, title.contains(&word), prose.contains(&word), names.contains(&word)];
            (word, has)
        };
        let words = words::query_words(text).into_iter().map(of).collect();
        WordParts { words, title }
    }
}

/// By file.
pub(super) struct WordsOfFiles {
    /// BM25 by part, as a share of the best.
    pub(super) parts: Vec<[f64; PARTS]>,
    /// Share of the words of the file's own name that the title says, by rarity.
    pub(super) stems: Vec<f64>,
    /// Rarities of the words of the path that the title says, as a share of the most.
    pub(super) paths: Vec<f64>,
}

impl WordsOfFiles {
    pub(super) fn of(searcher: &Searcher<'_>, scores: &LongScores, text: &WordParts) -> Result<Self, StoreError> {
        let parts = bm25(searcher, scores, text)?;
        let (stems, paths) = of_paths(scores, &text.title);
        Ok(WordsOfFiles { parts, stems, paths })
    }
}

/// Files that are neither aside nor documents: their words make others rare.
fn is_main(scores: &LongScores, at: usize) -> bool {
    !scores.runs[at].is_aside && !scores.runs[at].is_document
}

#[expect(clippy::cast_precision_loss, reason = "files have fewer than 2^52 words")]
fn bm25(searcher: &Searcher<'_>, scores: &LongScores, text: &WordParts) -> Result<Vec<[f64; PARTS]>, StoreError> {
    let files = scores.runs.len();
    let places = &searcher.corpus.places;
    let file_of: Vec<usize> = {
        let mut of = vec![0; places.len()];
        for (at, run) in scores.runs.iter().enumerate() {
            let end = scores.runs.get(at + 1).map_or(places.len(), |next| next.first);
            of[run.first..end].fill(at);
        }
        of
    };
    let mut lengths = vec![0_u64; files];
    for (at, place) in places.iter().enumerate().filter(|(_, place)| place.piece == 0) {
        lengths[file_of[at]] += u64::from(place.length);
    }
    let main: Vec<usize> = (0..files).filter(|at| is_main(scores, *at)).collect();
    let average = main.iter().map(|at| lengths[*at]).sum::<u64>() as f64 / main.len().max(1) as f64;
    let norm: Vec<f64> = lengths.iter().map(|length| K1 * (1.0 - B + B * *length as f64 / average.max(1.0))).collect();
    let mut found = vec![[0.0; PARTS]; files];
    let mut counts = vec![0_u32; files];
    let mut having: Vec<usize> = Vec::new();
    let mut postings = Vec::new();
    for (word, parts) in &text.words {
        lists::read(searcher.store, word, &searcher.corpus, &mut postings)?;
        for &(place, columns) in &postings {
            let file = file_of[place];
            if counts[file] == 0 {
                having.push(file);
            }
            counts[file] += 1 + u32::from(columns & TWICE > 0) + 2 * u32::from(columns & OFTEN > 0);
        }
        let of_main = having.iter().filter(|file| is_main(scores, **file)).count();
        let rarity = lists::rarity(main.len(), of_main);
        for file in having.drain(..) {
            let count = f64::from(std::mem::take(&mut counts[file]));
            let worth = rarity * count * (K1 + 1.0) / (count + norm[file]);
            for (sum, _) in found[file].iter_mut().zip(parts).filter(|(_, has)| **has) {
                *sum += worth;
            }
        }
    }
    for part in 0..PARTS {
        let best = main.iter().map(|at| found[*at][part]).fold(0.0, f64::max);
        for sums in &mut found {
            sums[part] = if best > 0.0 { (sums[part] / best).min(1.0) } else { 0.0 };
        }
    }
    Ok(found)
}

/// The features of paths: stems, then whole paths.
#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 files")]
fn of_paths(scores: &LongScores, title: &FxHashSet<String>) -> (Vec<f64>, Vec<f64>) {
    let distinct = |text: &str| {
        let mut found = words::words(text);
        found.sort_unstable();
        found.dedup();
        found
    };
    let all: Vec<Vec<String>> = scores.runs.iter().map(|run| distinct(&run.path)).collect();
    let main = all.iter().enumerate().filter(|(at, _)| is_main(scores, *at));
    let (mut having, mut files): (FxHashMap<&str, usize>, usize) = (FxHashMap::default(), 0);
    for (_, words) in main {
        files += 1;
        for word in words {
            *having.entry(word).or_default() += 1;
        }
    }
    let rarity = |word: &String| {
        let having = having.get(word.as_str()).copied().unwrap_or(0);
        (files.max(1) as f64 / (having + 1) as f64).ln().max(0.0)
    };
    let told = |words: &[String]| words.iter().filter(|word| title.contains(*word)).map(rarity).sum::<f64>();
    let mut paths: Vec<f64> = all.iter().map(|words| told(words)).collect();
    let most = paths.iter().enumerate().filter(|(at, _)| is_main(scores, *at)).map(|(_, sum)| *sum).fold(0.0, f64::max);
    for sum in &mut paths {
        *sum = if most > 0.0 { (*sum / most).min(1.0) } else { 0.0 };
    }
    let stem = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        // `__init__` is no name.
        let words = if stem.starts_with("__") { Vec::new() } else { distinct(stem) };
        let all: f64 = words.iter().map(rarity).sum();
        if all > 0.0 { told(&words) / all } else { 0.0 }
    };
    let stems = scores.runs.iter().map(|run| stem(&run.path)).collect();
    (stems, paths)
}
