//! Stores the facts of changed files, and finds the files whose questions get other answers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rayon::prelude::*;

use crate::{
    facts::Encoded,
    index::{
        IndexError, Progress, UpdateReport,
        definitions::{interfaces, stored::Stored},
        full::{FileBytes, ReadFile},
        naming,
        scan::{
            ChangedPaths, FileSource,
            limits::{self, FileLimits},
        },
        search::texts::TextRows,
        totals::Totals,
    },
    model::{Answer, ContentHash, FileId, FileRecord, FileStat},
    resolve::{Definitions, values::questions::Key},
    store::{Update, search::texts::ChunkText},
};

/// The files to resolve once the facts are stored.
#[derive(Default)]
pub(super) struct ToResolve {
    /// Paths of files whose contents changed.
    pub(super) changed: Vec<String>,
    /// Files that take part from round 1 on.
    pub(super) files: BTreeSet<FileId>,
    /// The answers of removed files.
    pub(super) removed_answers: Vec<(FileId, Vec<Answer>)>,
}

/// A file whose content differs from the index: its path, its id if it is known, and its content if it still exists.
type ChangedFile<T> = (String, Option<FileId>, Option<T>);

/// The bytes of a file, with the facts that are stored for this content and the texts of its chunks in the index.
type Unread = (FileBytes, Option<Encoded>, Vec<ChunkText>);

/// An update that stores facts, and counts.
pub(super) struct FactsUpdate<'a> {
    update: &'a Update<'a>,
    pub(super) report: UpdateReport,
    /// Totals of the changed files before the update.
    pub(super) before: Totals,
    /// Totals of the changed files after the update.
    pub(super) after: Totals,
}

impl<'a> FactsUpdate<'a> {
    pub(super) fn new(update: &'a Update<'a>) -> Self {
        Self { update, report: UpdateReport::default(), before: Totals::default(), after: Totals::default() }
    }

    /// Stores the facts of changed files; finds the files whose written answers changed.
    pub(super) fn apply(
        &mut self,
        source: &FileSource<'_>,
        changes: ChangedPaths,
        progress: &dyn Progress,
    ) -> Result<ToResolve, IndexError> {
        progress.stage("reading", changes.len() as u64);
        let unread = self.changed_files(source, changes, progress)?;
        let comes_or_goes = unread.iter().any(|(_, known, content)| known.is_none() || content.is_none());
        let read = |(path, known, unread): ChangedFile<Unread>| {
            let read = unread.map(|(bytes, stored, texts)| bytes.read(stored, &texts));
            progress.advance(1);
            (path, known, read)
        };
        let mut changed: Vec<ChangedFile<ReadFile>> = unread.into_par_iter().map(read).collect();
        // The old answers must be taken before the first file is written.
        let before = if comes_or_goes { self.paths()? } else { Vec::new() };
        let old_answers = self.written_answers(changed.iter().filter_map(|(_, file, _)| *file))?;
        self.move_files(&mut changed)?;
        let mut to_resolve = ToResolve::default();
        for (path, known, read) in changed {
            match (read, known) {
                (Some(read), known) => {
                    to_resolve.files.insert(self.put(&path, known, &read)?);
                }
                (None, Some(known)) => to_resolve.removed_answers.extend(self.remove(known)?),
                // It has moved.
                (None, None) => (),
            }
            to_resolve.changed.push(path);
        }
        let mut changed_keys = Vec::new();
        if comes_or_goes {
            let after = self.paths()?;
            // One new file can rename others: a package root or a second file of the same name.
            self.rename(&after)?;
            let before: Vec<&str> = before.iter().map(String::as_str).collect();
            let after: Vec<&str> = after.iter().map(String::as_str).collect();
            changed_keys.extend(interfaces::changed_folders(&before, &after));
        }
        let new_answers = self.written_answers(to_resolve.files.iter().copied())?;
        changed_keys.extend(interfaces::changed(&old_answers, &new_answers));
        // Only now: the askers stored before the update are the ones whose answers may differ.
        to_resolve.files.extend(self.update.askers(&changed_keys)?);
        progress.done();
        Ok(to_resolve)
    }

    /// The files whose content differs; of the others only the stat data is stored.
    fn changed_files(
        &self,
        source: &FileSource<'_>,
        changes: ChangedPaths,
        progress: &dyn Progress,
    ) -> Result<Vec<ChangedFile<Unread>>, IndexError> {
        let file_limits = FileLimits::of_entry(self.update.meta(limits::ENTRY)?.as_deref());
        let load = |(path, stat): (String, Option<FileStat>)| {
            let bytes = stat.map(|stat| FileBytes::new(source, &path, stat, &file_limits));
            (path, bytes)
        };
        let mut changed = Vec::new();
        for (path, bytes) in changes.into_par_iter().map(load).collect::<Vec<_>>() {
            let known = self.update.file_id(&path)?;
            let Some(bytes) = bytes else {
                if known.is_some() {
                    changed.push((path, known, None));
                }
                continue;
            };
            let mut texts = Vec::new();
            if let Some(file) = known {
                let old = self.update.file(file)?;
                let same = old.as_ref().is_some_and(|old| {
                    old.content_hash == bytes.record.content_hash && old.skipped == bytes.record.skipped
                });
                if let (true, Some(old)) = (same, old) {
                    let FileRecord { module, line_count, is_partial, .. } = old;
                    self.update.put_file(&FileRecord { module, line_count, is_partial, ..bytes.record })?;
                    progress.advance(1);
                    continue;
                }
                // Unchanged chunks keep their rows.
                texts = self.update.chunk_texts(file)?;
            }
            // Facts are kept by content, so a switch back to another branch parses nothing.
            let stored = self.update.facts(&bytes.record.content_hash).ok().flatten();
            changed.push((path, known, Some((bytes, stored, texts))));
        }
        Ok(changed)
    }

    /// Gives each new file with the content of a removed one the row of that file, so that its definitions keep their
    /// ids. The removed one is unknown from then on.
    fn move_files(&mut self, changed: &mut [ChangedFile<ReadFile>]) -> Result<(), IndexError> {
        let mut gone: BTreeMap<ContentHash, VecDeque<usize>> = BTreeMap::new();
        for (at, (_, known, read)) in changed.iter().enumerate() {
            if let (Some(file), None) = (known, read)
                && let Some(file) = self.update.file(*file)?
            {
                gone.entry(file.content_hash).or_default().push_back(at);
            }
        }
        for to in 0..changed.len() {
            let (_, None, Some(read)) = &changed[to] else { continue };
            let Some(from) = gone.get_mut(&read.record.content_hash).and_then(VecDeque::pop_front) else { continue };
            if let Some(file) = changed[from].1.take() {
                self.update.move_file(file, &changed[to].0)?;
                changed[to].1 = Some(file);
                self.report.moved += 1;
                self.report.removed += 1;
            }
        }
        Ok(())
    }

    /// Removes a file; returns its last answers.
    fn remove(&mut self, file: FileId) -> Result<Option<(FileId, Vec<Answer>)>, IndexError> {
        let resolution = self.update.resolution(file)?;
        if let Some(resolution) = &resolution {
            self.before.relationships += resolution.relationships.len();
            self.before.unresolved += resolution.unresolved.len();
        }
        self.count_before(file)?;
        self.update.remove_texts(file)?;
        self.update.remove_file(file)?;
        self.report.removed += 1;
        Ok(resolution.map(|resolution| (file, resolution.answers)))
    }

    /// Stores a file as it was read.
    fn put(&mut self, path: &str, known: Option<FileId>, read: &ReadFile) -> Result<FileId, IndexError> {
        self.report.parsed += usize::from(read.is_parsed);
        // A new file is called by its path, and a moved one as before, until `rename` sees all files.
        let module = match known {
            Some(file) => self.update.file(file)?.map(|old| old.module).unwrap_or_default(),
            None => path.to_owned(),
        };
        if let Some(file) = known {
            self.count_before(file)?;
        }
        self.after.files += usize::from(read.record.skipped.is_empty());
        self.after.entities += read.entities.len();
        let file = self.update.put_file(&FileRecord { module, ..read.record.clone() })?;
        if read.is_parsed {
            let Encoded { interface, bodies } = &read.encoded;
            self.update.put_facts(&read.record.content_hash, interface, bodies)?;
        }
        self.update.put_entities(file, &read.entities)?;
        match &read.texts {
            TextRows::All(rows) => self.update.put_texts(file, rows)?,
            TextRows::Changes(changes) => self.update.change_texts(file, changes)?,
        }
        self.update.put_literals(file, &read.literals)?;
        Ok(file)
    }

    fn count_before(&mut self, file: FileId) -> Result<(), IndexError> {
        self.before.files += usize::from(self.update.file(file)?.is_some_and(|file| file.skipped.is_empty()));
        self.before.entities += self.update.entity_ids(file)?.len();
        Ok(())
    }

    fn paths(&self) -> Result<Vec<String>, IndexError> {
        Ok(self.update.files()?.into_iter().map(|(_, file)| file.path).collect())
    }

    /// Gives every file the module name that it has among all files.
    fn rename(&self, paths: &[String]) -> Result<(), IndexError> {
        let texts: Vec<&str> = paths.iter().map(String::as_str).collect();
        for ((_, file), module) in self.update.files()?.into_iter().zip(naming::module_names(&texts)) {
            if file.module != module {
                self.update.put_file(&FileRecord { module, ..file })?;
            }
        }
        Ok(())
    }

    /// The hashes of the answers that follow from the text of files alone.
    fn written_answers(&self, files: impl Iterator<Item = FileId>) -> Result<BTreeMap<Key, u64>, IndexError> {
        let stored = Stored::new(self.update);
        let mut answers = BTreeMap::new();
        for file in files {
            if let Some(info) = stored.module(file) {
                for (key, answer) in interfaces::answers(&info) {
                    interfaces::join(&mut answers, key, answer);
                }
            }
        }
        stored.take_error()?;
        Ok(answers)
    }
}
