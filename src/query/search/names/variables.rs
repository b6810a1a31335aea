//! Variables that a question describes: by the words of their names, of their owners, and of their lines.
//!
//! A variable has no chunk of its own, so the lists of the index do not have it. Where a search is for variables alone,
//! all of them are compared with the question.

use rustc_hash::FxHashMap;

use crate::{
    embed::{WordVectors, cosine},
    model::{EntityKind, FileId},
    query::search::{Hit, SearchOptions, Searcher, fields::pattern::accepts, order::copies::LineReader},
    store::{error::StoreError, read::Entity},
    texts::words,
};

/// The share of a word of the question that stands in the name, in the names around it, and on its lines.
const OF_NAME: f64 = 1.0;
const OF_OWNER: f64 = 0.4;
const OF_LINES: f64 = 0.5;
/// The share of the likeness in meaning, and the likeness from which a variable without any of the words is a hit.
const OF_MEANING: f64 = 0.5;
const LEAST_LIKENESS: f64 = 0.5;
/// Loss of a variable in tests, examples and the like.
const ASIDE: f64 = 0.2;
/// Lines of a value that are compared, and lines of a comment above it.
const VALUE_LINES: u32 = 8;
const COMMENT_LINES: u32 = 4;

/// A variable with what it has of a question.
struct DescribedVariable {
    entity: Entity,
    /// How much it has of each word of the question.
    shares: Vec<f64>,
    likeness: f64,
    loss: f64,
}

impl Searcher<'_> {
    /// The variables that a question describes, the best first, if it is for variables alone.
    pub(in crate::query::search) fn variables_described(
        &self,
        question: &str,
        options: &SearchOptions,
        lines: LineReader<'_>,
    ) -> Result<Vec<Hit>, StoreError> {
        if options.kinds != [EntityKind::Variable] {
            return Ok(Vec::new());
        }
        let asked = words::query_words(question);
        let described = self.described(&asked, options, lines)?;
        #[expect(clippy::cast_precision_loss, reason = "numbers of variables")]
        let rarity = |word: usize| {
            let having = described.iter().filter(|one| one.shares[word] > 0.0).count();
            (1.0 + described.len() as f64 / (1.0 + having as f64)).ln()
        };
        let rarities: Vec<f64> = (0..asked.len()).map(rarity).collect();
        let all: f64 = rarities.iter().sum();
        let mut scored: Vec<(f64, &DescribedVariable)> = Vec::new();
        for one in &described {
            let shared: f64 = one.shares.iter().zip(&rarities).map(|(share, rarity)| share * rarity).sum();
            if shared > 0.0 || one.likeness >= LEAST_LIKENESS {
                scored.push((shared / all.max(f64::MIN_POSITIVE) + OF_MEANING * one.likeness - one.loss, one));
            }
        }
        let place =
            |one: &DescribedVariable| (one.entity.path.clone(), one.entity.record.line, one.entity.record.column);
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| place(a.1).cmp(&place(b.1))));
        let hit = |(score, one): (f64, &DescribedVariable)| Hit::of(one.entity.clone(), (score * 1e4).round() / 1e4);
        Ok(scored.into_iter().map(hit).collect())
    }

    /// The accepted variables, each with its words.
    fn described(
        &self,
        asked: &[String],
        options: &SearchOptions,
        lines: LineReader<'_>,
    ) -> Result<Vec<DescribedVariable>, StoreError> {
        let vectors = WordVectors::get();
        let vector =
            |words: &[String]| vectors.of_words(&words.iter().map(|word| (word.clone(), 1.0)).collect::<Vec<_>>());
        let question = vector(asked);
        let likeness_of = |name: &str| {
            let mut words = words::words(name);
            words.sort_unstable();
            words.dedup();
            question.as_ref().zip(vector(&words)).map_or(0.0, |(question, name)| cosine(question, &name))
        };
        // Programs repeat the names of their variables.
        let mut known: FxHashMap<String, f64> = FxHashMap::default();
        let mut files: Vec<FileId> = self.files.keys().copied().collect();
        files.sort_unstable();
        let mut described = Vec::new();
        for file in files {
            let of_file = &self.files[&file];
            if !accepts(EntityKind::Variable, &of_file.path, options) {
                continue;
            }
            let is_fitting = |entity: &Entity| {
                entity.record.kind == EntityKind::Variable
                    && options.fitting.as_ref().is_none_or(|fitting| fitting.has(entity.id))
            };
            for entity in self.store.entities_of(file)?.into_iter().filter(is_fitting) {
                let name = &entity.record.name;
                let full = entity.full_name();
                let mut shares = vec![0.0; asked.len()];
                give(OF_OWNER, full.strip_suffix(name.as_str()).unwrap_or_default(), asked, &mut shares);
                give(OF_LINES, &text_of(&entity, lines), asked, &mut shares);
                give(OF_NAME, name, asked, &mut shares);
                let likeness = known.get(name).copied().unwrap_or_else(|| likeness_of(name));
                known.insert(name.clone(), likeness);
                let loss = if of_file.aside.is_some() { ASIDE } else { 0.0 };
                described.push(DescribedVariable { entity, shares, likeness, loss });
            }
        }
        Ok(described)
    }
}

/// Raises the shares of the words of a question that a text has. Texts that count for more come later.
fn give(share: f64, text: &str, asked: &[String], shares: &mut [f64]) {
    words::each_word(text, |word| {
        if let Some(at) = asked.iter().position(|one| one == word) {
            shares[at] = share;
        }
    });
}

/// The value of a variable, the comment above it, and its docstring.
fn text_of(entity: &Entity, lines: LineReader<'_>) -> String {
    let record = &entity.record;
    let last = record.end_line.min(record.start_line + VALUE_LINES);
    let mut text = lines(&entity.path, record.start_line, last).unwrap_or_default();
    let first = record.start_line.saturating_sub(COMMENT_LINES).max(1);
    if first < record.start_line {
        let above = lines(&entity.path, first, record.start_line - 1).unwrap_or_default();
        for line in above.lines().rev().take_while(|line| line.trim_start().starts_with('#')) {
            text.push('\n');
            text.push_str(line);
        }
    }
    text + "\n" + &record.doc
}
