//! A full build: read and parse in parallel, resolve in memory, write a new index beside the old one.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    IndexError, Progress, UpdateReport, format_name,
    memory::{Memory, MemoryFile},
    naming,
    scan::{self, Source},
    totals::Totals,
};
use crate::{
    facts::{Bodies, FileFacts, Interface},
    lang::{self, python::is_binary},
    model::{ContentHash, EntityId, FileId, FileRecord, FileStat},
    resolve::{ModuleInfo, is_test_path},
    store::{Store, bulk::Builder, lock::WriteLock},
};

/// A file as read.
pub(super) struct Read {
    pub(super) record: FileRecord,
    pub(super) facts: FileFacts,
    /// Interface and bodies as stored; empty when they are stored already.
    pub(super) encoded: Option<(Vec<u8>, Vec<u8>)>,
    pub(super) is_parsed: bool,
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
    let known = match old {
        Some(store) => known_facts(store, &listed, source)?,
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
        ..UpdateReport::default()
    };
    let mut builder = Builder::new(lock)?;
    builder.set_meta("format", &format_name())?;
    if let Some(commit) = &commit {
        builder.set_meta("indexed", commit)?;
    }
    let mut next = 1;
    let mut memory_files = Vec::with_capacity(files.len());
    let mut to_write = Vec::with_capacity(files.len());
    for (file, id) in files.into_iter().zip(1..) {
        let Read { record, facts: FileFacts { interface, bodies }, encoded, .. } = file;
        let count = u32::try_from(bodies.records.len()).expect("fewer than 2^32 entities");
        let entities: Vec<EntityId> = (next..next + count).map(EntityId).collect();
        to_write.push((FileId(id), record.clone(), EntityId(next), encoded));
        next += count;
        let info = ModuleInfo { file: FileId(id), path: record.path, interface, entities };
        memory_files.push(MemoryFile { info: Arc::new(info), module: record.module, bodies });
    }
    report.entities = next as usize - 1;
    let memory = Memory::new(memory_files);
    let resolutions = memory.resolve(progress);

    progress.stage("writing", to_write.len() as u64);
    for ((id, record, first, encoded), file) in to_write.iter().zip(&memory.files) {
        builder.add_file(*id, record)?;
        if let Some((interface, bodies)) = encoded {
            builder.add_facts(&record.content_hash, interface, bodies)?;
        }
        builder.add_entities(*id, *first, &file.bodies.records)?;
        progress.advance(1);
    }
    let resolved: Vec<(FileId, &crate::model::Resolution)> =
        to_write.iter().map(|(id, ..)| *id).zip(&resolutions).collect();
    report.relationships = resolutions.iter().map(|resolution| resolution.relationships.len()).sum();
    report.unresolved = resolutions.iter().map(|resolution| resolution.unresolved.len()).sum();
    let totals = Totals {
        files: report.files,
        entities: report.entities,
        relationships: report.relationships,
        unresolved: report.unresolved,
    };
    let (key, value) = totals.entry();
    builder.set_meta(key, &value)?;
    report.resolved = resolutions.len();
    report.reresolved = to_write.into_iter().map(|(_, record, ..)| record.path).collect();
    drop(builder.finish(&resolved)?);
    progress.done();
    Ok(report)
}

/// Facts of contents that the old index knows and the files still have.
fn known_facts(
    store: &Store,
    listed: &[(String, FileStat)],
    source: &Source<'_>,
) -> Result<FxHashMap<ContentHash, FileFacts>, IndexError> {
    let mut known = FxHashMap::default();
    for (path, _) in listed {
        let Ok(bytes) = source.read(path) else { continue };
        let hash = *blake3::hash(&bytes).as_bytes();
        if let Some(facts) = stored_facts(store, &hash)? {
            known.insert(hash, facts);
        }
    }
    Ok(known)
}

/// The facts of a content, when they are stored and whole.
pub(super) fn stored_facts(store: &Store, hash: &ContentHash) -> Result<Option<FileFacts>, IndexError> {
    let (Some(interface), Some(bodies)) = (store.interface(hash)?, store.bodies(hash)?) else { return Ok(None) };
    Ok(Interface::decode(&interface)
        .zip(Bodies::decode(&bodies))
        .map(|(interface, bodies)| FileFacts { interface, bodies }))
}

/// Reads one file; what cannot be read or is no source is skipped with a reason.
pub(super) fn read_file(
    source: &Source<'_>,
    path: &str,
    stat: FileStat,
    known: &dyn Fn(&ContentHash) -> Option<FileFacts>,
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
        Read { record, facts: FileFacts::default(), encoded: None, is_parsed: false }
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
    let (facts, is_parsed) = match known(&record.content_hash) {
        Some(facts) => (facts, false),
        None => ((language.extract)(&bytes), true),
    };
    record.line_count = facts.bodies.line_count;
    record.is_partial = facts.bodies.is_partial;
    let encoded = Some(facts.encode());
    Read { record, facts, encoded, is_parsed }
}
