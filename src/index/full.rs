//! A full build: reads and parses in parallel, writes each file in turn, resolves in memory, writes the resolutions.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::{mem, thread};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    facts::{Bodies, Encoded, FileFacts, Interface, literals},
    index::{
        IndexError, Progress, UpdateReport,
        definitions::memory::{Memory, MemoryFile},
        format_name, naming,
        scan::{
            self, FileSource, Listing,
            limits::{self, FileLimits},
        },
        search::{
            documents,
            texts::{self, TextRows},
        },
        totals::Totals,
        update::KEPT_CONTENTS,
    },
    lang::{self, Language},
    model::{ContentHash, EntityId, EntityRecord, FileId, FileRecord, FileStat, conventions::pytest::is_test_path},
    resolve::ModuleInfo,
    store::{
        Store,
        error::StoreError,
        file::lock::WriteLock,
        rows::Resolved,
        search::{
            documents::{DocumentRecord, SectionRow},
            texts::ChunkText,
        },
        write::bulk::{BulkBuilder, LoadedIndex},
    },
};

/// A file as read.
pub(super) struct ReadFile {
    pub(super) record: FileRecord,
    pub(super) entities: Vec<EntityRecord>,
    pub(super) encoded: Encoded,
    pub(super) is_parsed: bool,
    pub(super) texts: TextRows,
    /// Packed; empty if there are none.
    pub(super) literals: Vec<u8>,
}

/// Builds the index anew; takes facts of known contents from `old`.
pub(super) fn build(
    lock: &WriteLock,
    old: Option<&Store>,
    source: &FileSource<'_>,
    file_limits: &FileLimits,
    progress: &dyn Progress,
) -> Result<UpdateReport, IndexError> {
    let commit = source.commit()?;
    let Listing { files: listed, documents } = source.list()?;
    let known: FxHashMap<ContentHash, Encoded> = match old {
        Some(store) => store.all_facts()?.into_iter().collect(),
        None => FxHashMap::default(),
    };
    let mut builder = BulkBuilder::new(lock)?;
    builder.set_meta("format", &format_name())?;
    if let Some(commit) = &commit {
        builder.set_meta("indexed", commit)?;
    }
    builder.set_meta("settled", "")?;
    builder.set_meta(limits::ENTRY, &file_limits.to_string())?;
    let Loader { mut builder, mut report, files, contents, .. } =
        read_all(builder, source, file_limits, (&listed, &documents), &known, progress)?;
    // A model needs minutes for the vectors of a repository, and the same text gives the same vector.
    if let Some(old) = old {
        builder.keep_vectors(old)?;
    }
    // Contents that no file has now come back with the next switch of branches.
    for (content, facts) in kept_facts(known, &contents) {
        builder.add_facts(&content, &facts.interface, &facts.bodies)?;
    }
    let (mut loaded, resolved) = resolve_while_loading(builder, files, progress)?;
    progress.stage("writing", resolved.len() as u64);
    report.relationships = resolved.iter().map(|(_, resolved)| resolved.relationships()).sum();
    report.unresolved = resolved.iter().map(|(_, resolved)| resolved.unresolved()).sum();
    report.resolved = resolved.len();
    let totals = Totals {
        files: report.files,
        entities: report.entities,
        relationships: report.relationships,
        unresolved: report.unresolved,
    };
    let (key, value) = totals.entry();
    loaded.set_meta(key, &value)?;
    drop(loaded.finish(&resolved)?);
    progress.done();
    Ok(report)
}

/// Reads all files and documents in parallel, and loads them into the index in their order.
fn read_all(
    builder: BulkBuilder,
    source: &FileSource<'_>,
    file_limits: &FileLimits,
    (listed, documents): (&[(String, FileStat)], &[(String, FileStat)]),
    known: &FxHashMap<ContentHash, Encoded>,
    progress: &dyn Progress,
) -> Result<Loader, StoreError> {
    let loading = Loading::new(builder, listed);
    progress.stage("reading", listed.len() as u64);
    let next = AtomicUsize::new(0);
    // Threads of their own: their caches of words and syntax are freed when they end.
    super::new_pool(rayon::current_num_threads()).broadcast(|_| {
        // In the order of the list, so that a file can be written as soon as it is read.
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if let Some((path, stat)) = listed.get(place) {
                let loaded = FileBytes::new(source, path, *stat, file_limits);
                let stored = known.get(&loaded.record.content_hash).cloned();
                let read = loaded.read(stored, &[]);
                progress.advance(1);
                loading.take(place, ReadItem::File(Box::new(read)));
            } else if let Some((path, stat)) = documents.get(place - listed.len()) {
                loading.take(place, ReadItem::Document(documents::load(source, path, *stat, file_limits)));
            } else {
                break;
            }
        }
    });
    let loader = loading.done()?;
    progress.done();
    Ok(loader)
}

/// Resolves all files while SQLite finishes the load: it uses one thread, the resolution all others.
fn resolve_while_loading(
    builder: BulkBuilder,
    files: Vec<ResolutionInput>,
    progress: &dyn Progress,
) -> Result<(LoadedIndex, Vec<(FileId, Resolved)>), StoreError> {
    let resolve = || {
        let files = files.into_par_iter().enumerate().map(|(index, file)| file.open(file_id(index))).collect();
        let memory = Memory::new(files);
        let resolved = memory.resolve(progress, |resolution| Resolved::of(&resolution));
        // Freeing the memory of a large repository takes a while; the build does not wait for it.
        rayon::spawn(|| drop(memory));
        resolved
    };
    let (loaded, resolved) = thread::scope(|scope| {
        let loaded = scope.spawn(|| builder.end_load());
        let resolved = resolve();
        (loaded.join(), resolved)
    });
    let loaded = loaded.unwrap_or_else(|panic| resume_unwind(panic))?;
    let resolved = (1..).map(FileId).zip(resolved).map(|(file, resolved)| Ok((file, resolved?)));
    Ok((loaded, resolved.collect::<Result<_, StoreError>>()?))
}

/// The part of a file that resolution needs, still encoded. The facts of all files lie densely when they are decoded
/// together. Decoded while files are read they lie between short-lived data, which takes a third more memory.
struct ResolutionInput {
    path: String,
    module: String,
    /// The first of its entities, and how many there are.
    entities: (EntityId, usize),
    encoded: Encoded,
}

impl ResolutionInput {
    fn open(self, file: FileId) -> MemoryFile {
        let ResolutionInput { path, module, entities: (first, count), encoded } = self;
        let interface = Interface::decode(&encoded.interface).unwrap_or_default();
        let entities = (first.0..).map(EntityId).take(count).collect();
        MemoryFile { info: Arc::new(ModuleInfo { file, path, interface, entities }), module, bodies: encoded.bodies }
    }
}

/// Files are numbered from 1 on.
fn file_id(index: usize) -> FileId {
    FileId(u32::try_from(index + 1).expect("fewer than 2^32 files"))
}

/// The content at one place of the list.
enum ReadItem {
    File(Box<ReadFile>),
    Document((DocumentRecord, Vec<SectionRow>)),
}

/// Files and documents on their way from the readers into the index. They arrive in any order and are written in the
/// order of the list, by the thread that brings the next one. So few of them wait, and ids do not depend on the speed
/// of threads.
struct Loading {
    /// By place in the list.
    waiting: Mutex<BTreeMap<usize, ReadItem>>,
    loader: Mutex<Loader>,
}

/// The state of the writing thread.
struct Loader {
    builder: BulkBuilder,
    /// The place that comes next.
    next: usize,
    /// By file.
    modules: Vec<String>,
    next_entity: EntityId,
    report: UpdateReport,
    files: Vec<ResolutionInput>,
    contents: FxHashSet<ContentHash>,
    result: Result<(), StoreError>,
}

impl Loading {
    fn new(builder: BulkBuilder, listed: &[(String, FileStat)]) -> Loading {
        let paths: Vec<&str> = listed.iter().map(|(path, _)| path.as_str()).collect();
        let loader = Loader {
            builder,
            next: 0,
            modules: naming::module_names(&paths),
            next_entity: EntityId(1),
            report: UpdateReport::default(),
            files: Vec::with_capacity(listed.len()),
            contents: FxHashSet::default(),
            result: Ok(()),
        };
        Loading { waiting: Mutex::default(), loader: Mutex::new(loader) }
    }

    /// Takes a read file, and writes all files that are due unless another thread writes.
    fn take(&self, place: usize, item: ReadItem) {
        self.waiting().insert(place, item);
        if let Ok(mut loader) = self.loader.try_lock() {
            self.write(&mut loader);
        }
    }

    fn done(self) -> Result<Loader, StoreError> {
        // A file may have arrived just when another thread stopped writing.
        self.write(&mut self.loader.lock().expect(NO_PANIC));
        let loader = self.loader.into_inner().expect(NO_PANIC);
        loader.result.map(|()| Loader { result: Ok(()), ..loader })
    }

    fn write(&self, loader: &mut Loader) {
        loop {
            let Some(item) = self.waiting().remove(&loader.next) else { break };
            loader.next += 1;
            if loader.result.is_ok() {
                loader.result = loader.add(item);
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<usize, ReadItem>> {
        self.waiting.lock().expect(NO_PANIC)
    }
}

const NO_PANIC: &str = "a panic while files are taken ends the build";

impl Loader {
    fn add(&mut self, item: ReadItem) -> Result<(), StoreError> {
        match item {
            ReadItem::File(read) => self.add_file(*read),
            ReadItem::Document((document, sections)) => self.builder.add_document(&document, sections),
        }
    }

    /// Writes the next file, and keeps its input for the resolution.
    fn add_file(&mut self, read: ReadFile) -> Result<(), StoreError> {
        let ReadFile { record, entities, encoded, is_parsed, texts, literals } = read;
        let module = mem::take(&mut self.modules[self.files.len()]);
        let record = FileRecord { module, ..record };
        let id = file_id(self.files.len());
        self.builder.add_file(id, &record)?;
        if record.skipped.is_empty() {
            self.builder.add_facts(&record.content_hash, &encoded.interface, &encoded.bodies)?;
            self.contents.insert(record.content_hash);
            self.report.files += 1;
        }
        self.builder.add_entities(id, self.next_entity, &entities)?;
        self.builder.add_texts(id, texts.all())?;
        self.builder.add_literals(id, &literals)?;
        self.report.parsed += usize::from(is_parsed);
        self.report.entities += entities.len();
        self.report.reresolved.push(record.path.clone());
        let FileRecord { path, module, .. } = record;
        self.files.push(ResolutionInput { path, module, entities: (self.next_entity, entities.len()), encoded });
        self.next_entity.0 += u32::try_from(entities.len()).expect("fewer than 2^32 entities");
        Ok(())
    }
}

/// Of contents that no file has now, those that are kept for their return.
fn kept_facts(
    known: FxHashMap<ContentHash, Encoded>,
    contents: &FxHashSet<ContentHash>,
) -> Vec<(ContentHash, Encoded)> {
    let mut kept: Vec<(ContentHash, Encoded)> =
        known.into_iter().filter(|(content, _)| !contents.contains(content)).collect();
    // A fixed order, so that two builds of the same files keep the same contents.
    kept.sort_unstable_by_key(|(content, _)| *content);
    kept.truncate(KEPT_CONTENTS);
    kept
}

/// A file's bytes, before anybody looks into them.
pub(super) struct FileBytes {
    pub(super) record: FileRecord,
    /// None when the file is skipped.
    content: Option<(Vec<u8>, &'static Language)>,
}

impl FileBytes {
    /// Loads one file. A file that is too large, cannot be read or is no source is skipped with a reason.
    pub(super) fn new(source: &FileSource<'_>, path: &str, stat: FileStat, file_limits: &FileLimits) -> FileBytes {
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
        let content = match content(source, path, stat, file_limits, &mut record) {
            Ok((bytes, language)) => {
                record.content_hash = *blake3::hash(&bytes).as_bytes();
                Some((bytes, language))
            }
            Err(reason) => {
                record.skipped = reason;
                None
            }
        };
        FileBytes { record, content }
    }

    /// Looks into the file, unless its facts are `stored`. `texts` are those of its chunks in the index.
    pub(super) fn read(self, stored: Option<Encoded>, texts: &[ChunkText]) -> ReadFile {
        let FileBytes { mut record, content } = self;
        let Some((bytes, language)) = content else {
            let encoded = FileFacts::default().encode();
            let texts = TextRows::All(Vec::new());
            return ReadFile { record, entities: Vec::new(), encoded, is_parsed: false, texts, literals: Vec::new() };
        };
        // Facts that cannot be decoded are parsed again instead of failing the build.
        let stored = stored.filter(|encoded| Interface::decode(&encoded.interface).is_some());
        let stored = stored.and_then(|encoded| Some((Bodies::decode(&encoded.bodies)?, encoded)));
        let is_parsed = stored.is_none();
        let (bodies, encoded) = stored.unwrap_or_else(|| {
            let mut facts = (language.extract)(&bytes);
            let encoded = facts.encode();
            (facts.bodies, encoded)
        });
        record.line_count = bodies.line_count;
        record.is_partial = bodies.is_partial;
        let texts = texts::of_file(&record.path, &bytes, &bodies.records, texts);
        let literals = (language.literals)(&bytes);
        let literals = if literals.is_empty() { Vec::new() } else { literals::encode(&literals) };
        ReadFile { record, entities: bodies.records, encoded, is_parsed, texts, literals }
    }
}

/// The bytes of a file of an indexed language, or why they are not there.
fn content(
    source: &FileSource<'_>,
    path: &str,
    stat: FileStat,
    file_limits: &FileLimits,
    record: &mut FileRecord,
) -> Result<(Vec<u8>, &'static Language), String> {
    file_limits.of_size(stat.size)?;
    let bytes = source.read(path).map_err(|reason| scan::unreadable(&reason))?;
    record.stat = scan::lasting(stat);
    file_limits.of_bytes(&bytes)?;
    let language = lang::language_of(path).ok_or("no known language")?;
    Ok((bytes, language))
}
