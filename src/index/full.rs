//! A full build: read and parse in parallel, resolve in memory, write a new index beside the old one.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    IndexError, Progress, UpdateReport, format_name,
    memory::{Memory, MemoryFile},
    naming,
    scan::{self, Source},
    texts,
    totals::Totals,
    update::KEPT_CONTENTS,
};
use crate::{
    facts::{Bodies, Encoded, FileFacts, Interface},
    lang::{self, python::is_binary},
    model::{ContentHash, EntityId, EntityRecord, FileId, FileRecord, FileStat, Resolution},
    resolve::{ModuleInfo, is_test_path},
    store::{Store, bulk::Builder, lock::WriteLock, texts::ChunkRow},
};

/// A file as read.
pub(super) struct Read {
    pub(super) record: FileRecord,
    pub(super) interface: Interface,
    pub(super) entities: Vec<EntityRecord>,
    pub(super) encoded: Encoded,
    pub(super) is_parsed: bool,
    pub(super) texts: Vec<ChunkRow>,
}

/// Builds the index anew; takes facts of known contents from `old`.
pub(super) fn build(
    lock: &WriteLock,
    old: Option<&Store>,
    source: &Source<'_>,
    progress: &dyn Progress,
) -> Result<UpdateReport, IndexError> {
    let commit = source.commit()?;
    let listed = source.files()?;
    let known: FxHashMap<ContentHash, Encoded> = match old {
        Some(store) => store.all_facts()?.into_iter().collect(),
        None => FxHashMap::default(),
    };
    progress.stage("reading", listed.len() as u64);
    let mut files: Vec<Read> = listed
        .par_iter()
        .map(|(path, stat)| {
            let read = read_file(source, path, *stat, &|hash| known.get(hash).cloned());
            progress.advance(1);
            read
        })
        .collect();
    progress.done();
    let paths: Vec<String> = files.iter().map(|file| file.record.path.clone()).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    for (file, module) in files.iter_mut().zip(naming::module_names(&paths)) {
        file.record.module = module;
    }

    let mut report = UpdateReport {
        files: files.iter().filter(|file| file.record.skipped.is_empty()).count(),
        parsed: files.iter().filter(|file| file.is_parsed).count(),
        entities: files.iter().map(|file| file.entities.len()).sum(),
        ..UpdateReport::default()
    };
    let mut builder = Builder::new(lock)?;
    builder.set_meta("format", &format_name())?;
    if let Some(commit) = &commit {
        builder.set_meta("indexed", commit)?;
    }
    for (content, facts) in kept_facts(known, &files) {
        builder.add_facts(&content, &facts.interface, &facts.bodies)?;
    }
    let mut first = EntityId(1);
    let mut memory_files = Vec::with_capacity(files.len());
    for (Read { record, interface, entities, encoded, texts, .. }, id) in files.into_iter().zip((1..).map(FileId)) {
        builder.add_file(id, &record)?;
        if record.skipped.is_empty() {
            builder.add_facts(&record.content_hash, &encoded.interface, &encoded.bodies)?;
        }
        builder.add_entities(id, first, &entities)?;
        builder.add_texts(id, &texts)?;
        let count = u32::try_from(entities.len()).expect("fewer than 2^32 entities");
        let ids = (first.0..first.0 + count).map(EntityId).collect();
        first.0 += count;
        report.reresolved.push(record.path.clone());
        let info = ModuleInfo { file: id, path: record.path, interface, entities: ids };
        memory_files.push(MemoryFile { info: Arc::new(info), module: record.module, bodies: encoded.bodies });
    }
    let resolutions = Memory::new(memory_files).resolve(progress);

    progress.stage("writing", resolutions.len() as u64);
    let resolved: Vec<(FileId, &Resolution)> = (1..).map(FileId).zip(&resolutions).collect();
    report.relationships = resolutions.iter().map(|resolution| resolution.relationships.len()).sum();
    report.unresolved = resolutions.iter().map(|resolution| resolution.unresolved.len()).sum();
    report.resolved = resolutions.len();
    let totals = Totals {
        files: report.files,
        entities: report.entities,
        relationships: report.relationships,
        unresolved: report.unresolved,
    };
    let (key, value) = totals.entry();
    builder.set_meta(key, &value)?;
    drop(builder.finish(&resolved)?);
    progress.done();
    Ok(report)
}

/// Of contents that no file has now, those that are kept for their return.
fn kept_facts(mut known: FxHashMap<ContentHash, Encoded>, files: &[Read]) -> Vec<(ContentHash, Encoded)> {
    for file in files {
        known.remove(&file.record.content_hash);
    }
    let mut kept: Vec<(ContentHash, Encoded)> = known.into_iter().collect();
    kept.sort_unstable_by_key(|(content, _)| *content);
    kept.truncate(KEPT_CONTENTS);
    kept
}

/// Reads one file; what cannot be read or is no source is skipped with a reason.
pub(super) fn read_file(
    source: &Source<'_>,
    path: &str,
    stat: FileStat,
    known: &dyn Fn(&ContentHash) -> Option<Encoded>,
) -> Read {
    let mut record = FileRecord {
        path: path.to_owned(),
        module: String::new(),
        content_hash: [0; 32],
        stat,
        line_count: 0,
        is_partial: false,
        is_test: is_test_path(path),
        skipped: String::new(),
    };
    let skip = |mut record: FileRecord, reason: String| {
        record.skipped = reason;
        let encoded = FileFacts::default().encode();
        Read {
            record,
            interface: Interface::default(),
            entities: Vec::new(),
            encoded,
            is_parsed: false,
            texts: Vec::new(),
        }
    };
    if stat.size > scan::MAX_BYTES {
        return skip(record, format!("larger than {} MiB", scan::MAX_BYTES >> 20));
    }
    let bytes = match source.read(path) {
        Ok(bytes) => bytes,
        Err(reason) => return skip(record, scan::unreadable(&reason)),
    };
    record.stat = scan::lasting(stat);
    if is_binary(&bytes) {
        return skip(record, "binary".to_owned());
    }
    let Some(language) = lang::language_of(path) else { return skip(record, "no known language".to_owned()) };
    record.content_hash = *blake3::hash(&bytes).as_bytes();
    let stored = known(&record.content_hash).and_then(|encoded| {
        let (interface, bodies) = (Interface::decode(&encoded.interface)?, Bodies::decode(&encoded.bodies)?);
        Some((interface, bodies, encoded))
    });
    let is_parsed = stored.is_none();
    let (interface, bodies, encoded) = stored.unwrap_or_else(|| {
        let facts = (language.extract)(&bytes);
        let encoded = facts.encode();
        (facts.interface, facts.bodies, encoded)
    });
    record.line_count = bodies.line_count;
    record.is_partial = bodies.is_partial;
    let texts = texts::rows(path, &bytes, &bodies.records);
    Read { record, interface, entities: bodies.records, encoded, is_parsed, texts }
}
