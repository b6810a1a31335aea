//! Vectors of models that are too slow for an update: they are made afterwards, batch by batch.
//!
//! Each batch is a transaction of its own. So an interrupted run goes on where it stopped, and updates in between do
//! not wait. The index keeps only words, so the texts are cut from the files again. A file that changed meanwhile is
//! left for the next run.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use crate::{
    embed::{Embedder, quantized},
    facts::Bodies,
    git::Repository,
    index::{IndexError, Progress, edition, scan::FileSource},
    store::{
        Store,
        search::vectors::{Coverage, Missing},
    },
    texts::{TextFields, documents::sections, fields},
};

/// Texts of one transaction.
const BATCH: usize = 128;

/// The texts that an embedder may see, and their form.
#[derive(Clone, Copy)]
pub struct PassageFilter<'a> {
    /// Whether the texts of the file at this path are withheld.
    pub withholds: &'a dyn Fn(&str) -> bool,
    /// Prepares a text for the embedder.
    pub shown: &'a dyn Fn(TextFields) -> TextFields,
}

/// Makes the missing vectors of an embedder. Returns how many texts have a vector afterwards.
///
/// # Errors
///
/// When the index cannot be written, or the embedder fails; finished batches stay.
pub fn fill(
    repo: &Repository,
    embedder: &dyn Embedder,
    filter: PassageFilter<'_>,
    progress: &dyn Progress,
) -> Result<Coverage, IndexError> {
    let mut store = Store::open(&edition::folder(repo))?;
    let source = FileSource::of(repo, None)?;
    let model = store.model(embedder.name())?;
    let (missing, withheld) = divided(store.texts_without_vector(model)?, filter.withholds);
    let wanted = missing.values().map(BTreeSet::len).sum::<usize>() + withheld.len();
    progress.stage("embedding", wanted as u64);
    let mut batch: Vec<(u64, TextFields)> = Vec::new();
    for ((path, is_document), texts) in missing {
        let found = found(&store, &source, (&path, is_document), texts)?.into_iter();
        batch.extend(found.map(|(text, fields)| (text, (filter.shown)(fields))));
        while batch.len() >= BATCH {
            embed(&mut store, embedder, batch.drain(..BATCH).collect(), progress)?;
        }
    }
    embed(&mut store, embedder, batch, progress)?;
    withhold(&mut store, embedder.name(), &withheld)?;
    progress.advance(withheld.len() as u64);
    progress.done();
    let model = store.model(embedder.name())?;
    let coverage = store.coverage(model)?;
    if let Some(model) = model.filter(|_| coverage.missing() == 0) {
        let update = store.write()?;
        update.tidy_vectors(model)?;
        update.commit()?;
    }
    Ok(coverage)
}

/// Texts by the file from which they are read: its path, and whether it is a document.
type TextsOfFiles = BTreeMap<(String, bool), BTreeSet<u64>>;

/// The texts that the embedder gets, each from one place that is not withheld, and the newly withheld ones.
fn divided(places: Vec<Missing>, withholds: &dyn Fn(&str) -> bool) -> (TextsOfFiles, Vec<u64>) {
    let mut chosen: BTreeMap<u64, (bool, Missing)> = BTreeMap::new();
    for place in places {
        let is_shown = !withholds(&place.path);
        match chosen.entry(place.text) {
            Entry::Vacant(empty) => _ = empty.insert((is_shown, place)),
            Entry::Occupied(mut known) if is_shown && !known.get().0 => _ = known.insert((is_shown, place)),
            Entry::Occupied(_) => {}
        }
    }
    let (mut missing, mut withheld) = (TextsOfFiles::new(), Vec::new());
    for (is_shown, Missing { path, is_document, text, is_withheld }) in chosen.into_values() {
        if is_shown {
            missing.entry((path, is_document)).or_default().insert(text);
        } else if !is_withheld {
            withheld.push(text);
        }
    }
    (missing, withheld)
}

/// The texts of a file that are wanted and still exist.
fn found(
    store: &Store,
    source: &FileSource<'_>,
    (path, is_document): (&str, bool),
    mut texts: BTreeSet<u64>,
) -> Result<Vec<(u64, TextFields)>, IndexError> {
    let Ok(bytes) = source.read(path) else { return Ok(Vec::new()) };
    let all: Vec<TextFields> = if is_document {
        sections(path, &bytes).into_iter().map(|section| section.fields).collect()
    } else {
        let record = store.file_id(path)?.map(|file| store.file(file)).transpose()?.flatten();
        let bodies = record.map(|record| store.bodies(&record.content_hash)).transpose()?.flatten();
        let bodies = bodies.and_then(|bodies| Bodies::decode(&bodies)).unwrap_or_default();
        let chunks = fields(path, &bytes, &bodies.records).into_iter();
        chunks.flat_map(|chunk| [chunk.docstring(), Some(chunk)]).flatten().collect()
    };
    let all = all.into_iter().map(|fields| (fields.hash(), fields));
    Ok(all.filter(|(text, _)| texts.remove(text)).collect())
}

fn embed(
    store: &mut Store,
    embedder: &dyn Embedder,
    batch: Vec<(u64, TextFields)>,
    progress: &dyn Progress,
) -> Result<(), IndexError> {
    let count = batch.len() as u64;
    let (texts, passages): (Vec<u64>, Vec<TextFields>) = batch.into_iter().unzip();
    if count == 0 {
        return Ok(());
    }
    // Before the transaction begins: the model is slow, and a writer must not block others meanwhile.
    let vectors = embedder.passages(&passages)?;
    let dimensions = vectors.first().map_or(0, |vector| u32::try_from(vector.len()).unwrap_or(u32::MAX));
    let update = store.write()?;
    let model = update.put_model(embedder.name(), dimensions)?;
    for (text, vector) in texts.iter().zip(&vectors) {
        update.put_vector(model, *text, &quantized(vector))?;
    }
    update.commit()?;
    progress.advance(count);
    Ok(())
}

/// Records with empty vectors that texts are withheld from an embedder: the next run does not ask again. This comes
/// last, when the model is known.
fn withhold(store: &mut Store, embedder: &str, texts: &[u64]) -> Result<(), IndexError> {
    if texts.is_empty() {
        return Ok(());
    }
    let known = store.model(embedder)?.map_or(0, |model| model.dimensions);
    let update = store.write()?;
    let model = update.put_model(embedder, known)?;
    for text in texts {
        update.put_vector(model, *text, &[])?;
    }
    update.commit()?;
    Ok(())
}
