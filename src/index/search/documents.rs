//! Documents beside the code: finds those that differ, and makes the rows of new ones.
//!
//! Documents have no entities and no relationships, so they never change a resolution.

use std::collections::BTreeMap;

use crate::{
    index::{
        IndexError,
        scan::{
            self, ChangedPaths, FileSource,
            limits::{self, FileLimits},
        },
        search::texts::{lengths, words_and_vector},
    },
    model::FileStat,
    store::{
        Store, Update,
        search::documents::{DocumentRecord, SectionRow},
    },
    texts::{
        Chunk,
        documents::{DocumentSection, sections},
    },
};

/// Characters of a section's first paragraph that are kept.
const MAX_LEAD: usize = 200;

/// The documents that differ from the index.
pub(crate) fn changes(store: &Store, listed: Vec<(String, FileStat)>) -> Result<ChangedPaths, IndexError> {
    Ok(differing(&known(store)?, listed))
}

fn differing(known: &BTreeMap<String, DocumentRecord>, listed: Vec<(String, FileStat)>) -> ChangedPaths {
    let mut changes: ChangedPaths = known.keys().map(|path| (path.clone(), None)).collect();
    for (path, stat) in listed {
        if known.get(&path).is_some_and(|document| document.stat == stat) {
            changes.remove(&path);
        } else {
            changes.insert(path, Some(stat));
        }
    }
    changes
}

/// Paths whose content differs from the index.
pub(crate) fn pending(
    store: &Store,
    source: &FileSource<'_>,
    listed: Vec<(String, FileStat)>,
) -> Result<Vec<String>, IndexError> {
    let limits = FileLimits::of_entry(store.meta(limits::ENTRY)?.as_deref());
    let known = known(store)?;
    let changes = differing(&known, listed);
    let is_same = |(path, stat): &(String, Option<FileStat>)| match (known.get(path), *stat) {
        (Some(old), Some(stat)) => is_same(old, &read(source, path, stat, &limits).0),
        (old, stat) => old.is_none() && stat.is_none(),
    };
    Ok(changes.into_iter().filter(|change| !is_same(change)).map(|(path, _)| path).collect())
}

/// Whether a document is stored as it is now.
fn is_same(old: &DocumentRecord, now: &DocumentRecord) -> bool {
    old.content_hash == now.content_hash && old.skipped == now.skipped
}

fn known(store: &Store) -> Result<BTreeMap<String, DocumentRecord>, IndexError> {
    Ok(store.documents()?.into_iter().map(|(_, document)| (document.path.clone(), document)).collect())
}

/// Stores the changed documents.
pub(crate) fn apply(update: &Update<'_>, source: &FileSource<'_>, changes: ChangedPaths) -> Result<(), IndexError> {
    if changes.is_empty() {
        return Ok(());
    }
    let limits = FileLimits::of_entry(update.meta(limits::ENTRY)?.as_deref());
    let known = known(update)?;
    for (path, stat) in changes {
        match stat.map(|stat| read(source, &path, stat, &limits)) {
            None => update.remove_document(&path)?,
            Some((document, _)) if known.get(&path).is_some_and(|old| is_same(old, &document)) => {
                update.put_document_stat(&path, document.stat)?;
            }
            Some((document, bytes)) => update.put_document(&document, &rows(&path, &bytes))?,
        }
    }
    Ok(())
}

/// A document with its sections.
pub(crate) fn load(
    source: &FileSource<'_>,
    path: &str,
    stat: FileStat,
    limits: &FileLimits,
) -> (DocumentRecord, Vec<SectionRow>) {
    let (document, bytes) = read(source, path, stat, limits);
    let sections = rows(path, &bytes);
    (document, sections)
}

/// A document as it is now. One that is skipped has no text and says why.
fn read(source: &FileSource<'_>, path: &str, stat: FileStat, limits: &FileLimits) -> (DocumentRecord, Vec<u8>) {
    let mut document = DocumentRecord { path: path.to_owned(), content_hash: [0; 32], stat, skipped: String::new() };
    match content(source, path, stat, limits) {
        Ok(bytes) => {
            document.content_hash = *blake3::hash(&bytes).as_bytes();
            document.stat = scan::lasting(stat);
            (document, bytes)
        }
        Err(reason) => {
            document.skipped = reason;
            (document, Vec::new())
        }
    }
}

/// The text of a document, or why it is not read.
fn content(source: &FileSource<'_>, path: &str, stat: FileStat, limits: &FileLimits) -> Result<Vec<u8>, String> {
    limits.of_document_size(stat.size)?;
    let bytes = source.read(path).map_err(|reason| scan::unreadable(&reason))?;
    limits.of_document(&bytes)?;
    Ok(bytes)
}

/// The first paragraph of a section in one line; longer ones end between two words.
fn lead(prose: &str, title: &str) -> String {
    let is_text = |line: &str| !line.is_empty() && line != title && !line.starts_with(['#', '.', ':']);
    let lines = prose.lines().map(str::trim).skip_while(|line| !is_text(line));
    let paragraph = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    match paragraph.char_indices().nth(MAX_LEAD) {
        None => paragraph,
        Some((end, _)) => {
            let end = paragraph[..end].rfind(' ').unwrap_or(end);
            format!("{}…", &paragraph[..end])
        }
    }
}

fn rows(path: &str, bytes: &[u8]) -> Vec<SectionRow> {
    let sections = sections(path, bytes).into_iter();
    sections
        .map(|DocumentSection { fields, names }| {
            let chunk = Chunk::of(&fields);
            let (length, lengths, text) = (chunk.length(), lengths(&chunk), chunk.text);
            let (words, vector) = words_and_vector(chunk);
            let lead = lead(&fields.doc, &fields.name);
            SectionRow {
                ordinal: fields.ordinal,
                lead,
                title: fields.name,
                above: fields.owner,
                start_line: fields.start_line,
                end_line: fields.end_line,
                length,
                lengths,
                text,
                names,
                words,
                vector,
            }
        })
        .collect()
}
