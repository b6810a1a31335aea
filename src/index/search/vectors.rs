//! Vectors of models that are too slow for an update: they are made afterwards, batch by batch.
//!
//! Each batch is a transaction of its own. So an interrupted run goes on where it stopped, and updates in between do
//! not wait. The index keeps only words, so the texts are cut from the files again. A file that changed meanwhile is
//! left for the next run.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    embed::{Embedder, quantized},
    facts::Bodies,
    git::Repository,
    index::{IndexError, Progress, edition, scan::FileSource},
    store::{
        Store,
        search::vectors::{Coverage, Missing},
    },
    texts::{Chunk, TextFields, documents::sections, fields},
};

/// Texts of one transaction.
const BATCH: usize = 128;

/// Prepares a text in the file at this path for the embedder; `None` withholds it.
pub type PassageFilter<'a> = &'a dyn Fn(&str, TextFields) -> Option<TextFields>;

/// Makes the missing vectors of an embedder. Returns how many texts have a vector afterwards.
///
/// # Errors
///
/// When the index cannot be written, or the embedder fails; finished batches stay.
pub fn fill(
    repo: &Repository,
    embedder: &dyn Embedder,
    shown: PassageFilter<'_>,
    progress: &dyn Progress,
) -> Result<Coverage, IndexError> {
    let mut store = Store::open(&edition::folder(repo))?;
    let source = FileSource::of(repo, None)?;
    let model = store.model(embedder.name())?;
    let mut missing: BTreeMap<(String, bool), BTreeSet<u64>> = BTreeMap::new();
    let texts = store.texts_without_vector(model)?;
    progress.stage("embedding", texts.len() as u64);
    for Missing { path, is_document, text } in texts {
        missing.entry((path, is_document)).or_default().insert(text);
    }
    let mut batch: Vec<(u64, Option<TextFields>)> = Vec::new();
    for ((path, is_document), texts) in missing {
        for (text, fields) in found(&store, &source, (&path, is_document), texts)? {
            batch.push((text, shown(&path, fields)));
        }
        while batch.len() >= BATCH {
            embed(&mut store, embedder, batch.drain(..BATCH).collect(), progress)?;
        }
    }
    embed(&mut store, embedder, batch, progress)?;
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

/// The texts of a file that are wanted and still exist.
fn found(
    store: &Store,
    source: &FileSource<'_>,
    (path, is_document): (&str, bool),
    mut texts: BTreeSet<u64>,
) -> Result<Vec<(u64, TextFields)>, IndexError> {
    let Ok(bytes) = source.read(path) else { return Ok(Vec::new()) };
    let all = if is_document {
        sections(path, &bytes).into_iter().map(|section| section.fields).collect()
    } else {
        let record = store.file_id(path)?.map(|file| store.file(file)).transpose()?.flatten();
        let bodies = record.map(|record| store.bodies(&record.content_hash)).transpose()?.flatten();
        let bodies = bodies.and_then(|bodies| Bodies::decode(&bodies)).unwrap_or_default();
        fields(path, &bytes, &bodies.records)
    };
    let all = all.into_iter().map(|fields| (Chunk::of(&fields).text, fields));
    Ok(all.filter(|(text, _)| texts.remove(text)).collect())
}

fn embed(
    store: &mut Store,
    embedder: &dyn Embedder,
    batch: Vec<(u64, Option<TextFields>)>,
    progress: &dyn Progress,
) -> Result<(), IndexError> {
    let count = batch.len() as u64;
    let (shown, kept_back): (Vec<_>, Vec<_>) = batch.into_iter().partition(|(_, fields)| fields.is_some());
    let (texts, passages): (Vec<u64>, Vec<TextFields>) =
        shown.into_iter().filter_map(|(text, fields)| Some((text, fields?))).unzip();
    if count == 0 {
        return Ok(());
    }
    // Before the transaction begins: the model is slow, and a writer must not block others meanwhile.
    let vectors = embedder.passages(&passages)?;
    let known = store.model(embedder.name())?.map(|model| model.dimensions);
    let dimensions = vectors.first().map(|vector| u32::try_from(vector.len()).unwrap_or(u32::MAX));
    let update = store.write()?;
    let model = update.put_model(embedder.name(), dimensions.or(known).unwrap_or(0))?;
    for (text, vector) in texts.iter().zip(&vectors) {
        update.put_vector(model, *text, &quantized(vector))?;
    }
    // An empty vector records that the text was withheld, so the next run does not ask again.
    for (text, _) in kept_back {
        update.put_vector(model, text, &[])?;
    }
    update.commit()?;
    progress.advance(count);
    Ok(())
}
