//! An update: parse what is new, find whose questions are answered anew, resolve those files alone.
//!
//! Correct by construction: what a file says in round `n` is a function of its facts and of the others' answers in round
//! `n - 1` (see `resolve`). A file is resolved again in round 1 when its facts or a written answer it asked for changed,
//! and in round `n` when an answer it asked for differs, in round `n - 1`, from what it was before the update. From then
//! on it is resolved in every round before which one of its answers moved, as in a full build.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    facts::{Bodies, Encoded},
    git::{Content, FileChange},
    index::{
        IndexError, Progress, Scope, UpdateReport,
        definitions::{interfaces, stored::Stored},
        full::Loaded,
        naming,
        scan::{IGNORE_FILE, Listing, Source, is_indexed},
        search::{documents, texts::Texts},
        totals::Totals,
    },
    model::{Answer, ContentHash, FileId, FileRecord, FileStat, Resolution},
    resolve::{Definitions, FileSolver, ROUNDS, questions::Key, values::Entry},
    store::{Store, Update, error::StoreError, search::texts::ChunkText},
};

/// Above this share of changed files a full build is quicker.
const FULL_SHARE: usize = 3;
/// Below this number of files a share means nothing.
const FULL_MINIMUM: usize = 200;
/// Above this number of files nobody looks whether they are as committed.
const MOST_COMPARED: usize = 100;
/// Contents of files that are gone which are kept for their return.
pub(super) const KEPT_CONTENTS: usize = 2000;

/// Brings the index up to date; `None` when a full build is the better way.
pub(super) fn update(
    store: &mut Store,
    source: &Source<'_>,
    scope: Scope,
    progress: &dyn Progress,
) -> Result<Option<UpdateReport>, IndexError> {
    let commit = source.commit()?;
    let Differences { files: changes, documents, committed } = differences(store, source, scope, commit.as_deref())?;
    let is_same_commit = store.meta("indexed")? == commit;
    if changes.is_empty() && documents.is_empty() && is_same_commit {
        return Ok(Some(Totals::read(store)?.report(UpdateReport::default())));
    }
    let mut totals = Totals::read(store)?;
    let total = totals.files;
    let is_much = |count: usize| count > FULL_MINIMUM && count * FULL_SHARE > total;
    if is_much(changes.len()) && is_much(differing(store, source, &changes)?) {
        return Ok(None);
    }
    let update = store.write()?;
    let before = update.rows_written();
    let mut work = Work::new(&update);
    let plan = work.apply(source, changes, progress)?;
    let is_settled = if is_same_commit && documents.is_empty() && plan.changed.is_empty() {
        // Known contents were met again, and nothing else.
        was_settled(&update)?
    } else {
        documents.is_empty() && is_as_committed(&update, source, committed.as_deref(), &plan.changed)?
    };
    documents::apply(&update, source, documents)?;
    let resolved = work.resolve(&plan, progress)?;
    for (file, resolution) in &resolved {
        let old = update.resolution(*file)?.unwrap_or_default();
        work.before.relationships += old.relationships.len();
        work.before.unresolved += old.unresolved.len();
        work.after.relationships += resolution.relationships.len();
        work.after.unresolved += resolution.unresolved.len();
        update.put_resolution(*file, resolution)?;
    }
    totals.replace(work.before, work.after);
    let mut report = work.report;
    report.resolved = resolved.len();
    let mut paths = BTreeSet::new();
    for file in resolved.keys() {
        paths.extend(update.file(*file)?.map(|record| record.path));
    }
    report.reresolved = paths.into_iter().collect();
    if report.parsed + report.removed > 0 {
        update.collect_garbage_at_times(KEPT_CONTENTS)?;
    }
    update.set_meta("indexed", commit.as_deref().unwrap_or(""))?;
    update.set_meta("settled", if is_settled { "yes" } else { "" })?;
    let (key, value) = totals.entry();
    update.set_meta(key, &value)?;
    report.rows = update.rows_written() - before;
    update.commit()?;
    Ok(Some(totals.report(report)))
}

/// Gives the index within `update` all files of `source`, and nothing besides: nothing is counted, no commit is noted. At
/// most `most` files are resolved, those that asked for what changed before those that they answer; says whether that was
/// enough.
pub(super) fn apply(update: &Update<'_>, source: &Source<'_>, most: usize) -> Result<bool, IndexError> {
    let changes = source.list()?.files.into_iter().map(|(path, stat)| (path, Some(stat))).collect();
    let mut work = Work { most, ..Work::new(update) };
    let plan = work.apply(source, changes, &())?;
    for (file, resolution) in work.resolve(&plan, &())? {
        update.put_resolution(file, &resolution)?;
    }
    Ok(!work.is_cut.get())
}

/// Paths that may differ; `None` for a file that is gone.
type Changes = BTreeMap<String, Option<FileStat>>;

/// What an update has to look at.
#[derive(Default)]
struct Differences {
    files: Changes,
    documents: documents::Changes,
    /// What the commit changed, sorted by path; `None` where nobody asked.
    committed: Option<Vec<FileChange>>,
}

fn differences(
    store: &Store,
    source: &Source<'_>,
    scope: Scope,
    commit: Option<&str>,
) -> Result<Differences, IndexError> {
    let is_near = match scope {
        Scope::Worktree => return differences_everywhere(store, source),
        Scope::Commits => true,
        Scope::CommitsInBurst => was_settled(store)?,
    };
    let indexed = store.meta("indexed")?.filter(|indexed| !indexed.is_empty());
    // When the commit is gone (pruned, shallow): look everywhere.
    let changes = indexed.zip(commit).and_then(|(indexed, commit)| source.repo().tree_changes(&indexed, commit).ok());
    let Some(changes) = changes else { return differences_everywhere(store, source) };
    if is_near && changes.iter().all(|change| change.path != IGNORE_FILE) {
        return differences_between(store, source, changes);
    }
    Ok(Differences { committed: Some(changes), ..differences_everywhere(store, source)? })
}

fn differences_between(
    store: &Store,
    source: &Source<'_>,
    changes: Vec<FileChange>,
) -> Result<Differences, IndexError> {
    let mut differences = Differences::default();
    let is_document = source.documents();
    for FileChange { path, .. } in &changes {
        let stat = source.stat(path);
        if is_document(path) {
            differences.documents.insert(path.clone(), stat);
        } else if is_indexed(path) && (stat.is_some() || store.file_id(path)?.is_some()) {
            differences.files.insert(path.clone(), stat);
        }
    }
    differences.committed = Some(changes);
    Ok(differences)
}

/// Whether the update before found in every file what its commit has there.
fn was_settled(store: &Store) -> Result<bool, IndexError> {
    Ok(store.meta("settled")?.is_some_and(|settled| settled == "yes"))
}

/// Whether all files that were read anew are among those that the commit changed, and the index has just what the commit
/// has of them: then nobody was rewriting them.
fn is_as_committed(
    update: &Update<'_>,
    source: &Source<'_>,
    changes: Option<&[FileChange]>,
    read: &[String],
) -> Result<bool, IndexError> {
    let Some(changes) = changes.filter(|changes| changes.len() <= MOST_COMPARED) else { return Ok(false) };
    if !read.iter().all(|path| changes.binary_search_by(|change| change.path.cmp(path)).is_ok()) {
        return Ok(false);
    }
    for FileChange { path, new, .. } in changes.iter().filter(|change| is_indexed(&change.path)) {
        let known = match update.file_id(path)? {
            Some(file) => update.file(file)?.map(|file| file.content_hash),
            None => None,
        };
        let committed = match new {
            // What cannot be read (a partial clone) cannot be compared.
            Content::Blob(id) => match source.repo().read_blob(id) {
                Ok(bytes) => Some(*blake3::hash(&bytes).as_bytes()),
                Err(_) => return Ok(false),
            },
            Content::Absent | Content::Worktree => None,
        };
        if known != committed {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How many of the changes are more than other stat data, which a change of the source (worktree or commit) gives all
/// files.
fn differing(store: &Store, source: &Source<'_>, changes: &Changes) -> Result<usize, IndexError> {
    let known: FxHashMap<String, ContentHash> =
        store.files()?.into_iter().map(|(_, file)| (file.path, file.content_hash)).collect();
    let is_same = |(path, _): &(&String, &Option<FileStat>)| {
        known
            .get(*path)
            .is_some_and(|hash| source.read(path).is_ok_and(|bytes| blake3::hash(&bytes).as_bytes() == hash))
    };
    Ok(changes.iter().collect::<Vec<_>>().into_par_iter().filter(|change| !is_same(change)).count())
}

fn differences_everywhere(store: &Store, source: &Source<'_>) -> Result<Differences, IndexError> {
    let mut changes = Changes::new();
    let mut listing = None;
    // The store stays with this thread while another one looks at the worktree.
    let known = rayon::in_place_scope(|scope| {
        scope.spawn(|_| listing = Some(source.list()));
        store.file_stats()
    });
    let mut known: FxHashMap<String, FileStat> = known?.into_iter().collect();
    let Listing { files, documents } = listing.expect("the scope waits for it")?;
    for (path, stat) in files {
        match known.remove(&path) {
            Some(known) if known == stat => {}
            _ => {
                changes.insert(path, Some(stat));
            }
        }
    }
    changes.extend(known.into_keys().map(|path| (path, None)));
    Ok(Differences { files: changes, documents: documents::changes(store, documents)?, committed: None })
}

/// What has to be resolved, after the facts are stored.
#[derive(Default)]
struct Plan {
    /// Paths of files with other contents than before.
    changed: Vec<String>,
    /// To resolve in round 1.
    files: BTreeSet<FileId>,
    /// What removed files had answered.
    lost: Vec<(FileId, Vec<Answer>)>,
}

struct Work<'a> {
    update: &'a Update<'a>,
    report: UpdateReport,
    /// Of the changed files, as they were and as they are.
    before: Totals,
    after: Totals,
    /// Files that may be resolved, and whether there were more.
    most: usize,
    is_cut: Cell<bool>,
}

impl<'a> Work<'a> {
    fn new(update: &'a Update<'a>) -> Self {
        Self {
            update,
            report: UpdateReport::default(),
            before: Totals::default(),
            after: Totals::default(),
            most: usize::MAX,
            is_cut: Cell::new(false),
        }
    }

    /// Stores the facts of changed files; finds the files whose written answers changed.
    fn apply(&mut self, source: &Source<'_>, changes: Changes, progress: &dyn Progress) -> Result<Plan, IndexError> {
        progress.stage("reading", changes.len() as u64);
        let (mut plan, mut changed_keys) = (Plan::default(), Vec::new());
        let mut comes_or_goes = false;
        let load = |(path, stat): (String, Option<FileStat>)| {
            let loaded = stat.map(|stat| Loaded::new(source, &path, stat));
            (path, loaded)
        };
        let mut to_read = Vec::new();
        for (path, loaded) in changes.into_par_iter().map(load).collect::<Vec<_>>() {
            let known = self.update.file_id(&path)?;
            let Some(loaded) = loaded else {
                if known.is_some() {
                    comes_or_goes = true;
                    to_read.push((path, known, None));
                }
                continue;
            };
            let mut texts = Vec::new();
            if let Some(file) = known {
                let old = self.update.file(file)?;
                let same = old.as_ref().is_some_and(|old| {
                    old.content_hash == loaded.record.content_hash && old.skipped == loaded.record.skipped
                });
                if let (true, Some(old)) = (same, old) {
                    let FileRecord { module, line_count, is_partial, .. } = old;
                    self.update.put_file(&FileRecord { module, line_count, is_partial, ..loaded.record })?;
                    progress.advance(1);
                    continue;
                }
                texts = self.update.chunk_texts(file)?;
            }
            comes_or_goes |= known.is_none();
            let stored = self.update.facts(&loaded.record.content_hash).ok().flatten();
            to_read.push((path, known, Some((loaded, stored, texts))));
        }
        let read =
            |(path, known, loaded): (String, Option<FileId>, Option<(Loaded, Option<Encoded>, Vec<ChunkText>)>)| {
                let read = loaded.map(|(loaded, stored, texts)| loaded.read(stored, &texts));
                progress.advance(1);
                (path, known, read)
            };
        let reads: Vec<_> = to_read.into_par_iter().map(read).collect();
        let before = if comes_or_goes { self.paths()? } else { Vec::new() };
        let old_answers = self.written_answers(reads.iter().filter_map(|(_, file, _)| *file))?;
        for (path, known, read) in reads {
            plan.changed.push(path.clone());
            let Some(read) = read else {
                let file = known.expect("only known files can go");
                if let Some(resolution) = self.update.resolution(file)? {
                    self.before.relationships += resolution.relationships.len();
                    self.before.unresolved += resolution.unresolved.len();
                    plan.lost.push((file, resolution.answers));
                }
                self.count_before(file)?;
                self.update.remove_texts(file)?;
                self.update.remove_file(file)?;
                self.report.removed += 1;
                continue;
            };
            self.report.parsed += usize::from(read.is_parsed);
            let module = match known {
                Some(file) => self.update.file(file)?.map(|old| old.module).unwrap_or_default(),
                None => path.clone(),
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
                Texts::All(rows) => self.update.put_texts(file, rows)?,
                Texts::Changes(changes) => self.update.change_texts(file, changes)?,
            }
            plan.files.insert(file);
        }
        if comes_or_goes {
            let after = self.paths()?;
            self.rename(&after)?;
            let before: Vec<&str> = before.iter().map(String::as_str).collect();
            let after: Vec<&str> = after.iter().map(String::as_str).collect();
            changed_keys.extend(interfaces::changed_folders(&before, &after));
        }
        let new_answers = self.written_answers(plan.files.iter().copied())?;
        changed_keys.extend(interfaces::changed(&old_answers, &new_answers));
        plan.files.extend(self.update.askers(&changed_keys)?);
        progress.done();
        Ok(plan)
    }

    fn count_before(&mut self, file: FileId) -> Result<(), IndexError> {
        self.before.files += usize::from(self.update.file(file)?.is_some_and(|file| file.skipped.is_empty()));
        self.before.entities += self.update.entity_ids(file)?.len();
        Ok(())
    }

    fn paths(&self) -> Result<Vec<String>, IndexError> {
        Ok(self.update.files()?.into_iter().map(|(_, file)| file.path).collect())
    }

    /// Gives every file the name that it has among all files.
    fn rename(&self, paths: &[String]) -> Result<(), IndexError> {
        let texts: Vec<&str> = paths.iter().map(String::as_str).collect();
        for ((_, file), module) in self.update.files()?.into_iter().zip(naming::module_names(&texts)) {
            if file.module != module {
                self.update.put_file(&FileRecord { module, ..file })?;
            }
        }
        Ok(())
    }

    /// What files answer to questions about what is written in them.
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

    /// Resolves round by round what has to be.
    fn resolve(&self, plan: &Plan, progress: &dyn Progress) -> Result<BTreeMap<FileId, Resolution>, IndexError> {
        progress.stage("resolving", plan.files.len() as u64);
        let mut definitions = Stored::new(self.update);
        let mut old: BTreeMap<FileId, Vec<Answer>> = plan.lost.iter().cloned().collect();
        for (file, _) in &plan.lost {
            definitions.replace(*file, &[]);
        }
        let mut solvers: BTreeMap<FileId, (FileSolver, Bodies)> = BTreeMap::new();
        let mut new: BTreeMap<FileId, Vec<Answer>> = BTreeMap::new();
        // Files that became dirty in the round at hand.
        let mut fresh: BTreeSet<FileId> = plan.files.clone();
        for round in 1..=ROUNDS {
            let room = self.most.saturating_sub(solvers.len());
            if let Some(&beyond) = fresh.iter().nth(room) {
                fresh.retain(|&file| file < beyond);
                self.is_cut.set(true);
            }
            let mut said: Vec<(FileId, Vec<Answer>)> = Vec::new();
            for &file in &fresh {
                let Some(solver) = self.solver(&definitions, file)? else { continue };
                old.insert(file, self.update.answers_of(file)?);
                solvers.insert(file, solver);
            }
            for (&file, (solver, bodies)) in &mut solvers {
                let is_fresh = fresh.contains(&file);
                let mut answers = Vec::new();
                // The rounds that went as before are gone through again: the later ones build on them.
                for round in if is_fresh { 1..=round } else { round..=round } {
                    if let Some(news) = solver.news(&definitions, round) {
                        answers.extend(solver.round(&definitions, bodies, round, news));
                    }
                }
                said.push((file, answers));
                if is_fresh {
                    progress.advance(1);
                }
            }
            for (file, answers) in said {
                if fresh.contains(&file) {
                    definitions.replace(file, &answers);
                } else {
                    definitions.extend(file, &answers);
                }
                new.entry(file).or_default().extend(answers);
            }
            definitions.take_error()?;
            fresh = if round == ROUNDS { BTreeSet::new() } else { self.dirty(&old, &new, round)? };
        }
        let finish = |(file, (solver, bodies)): (FileId, (FileSolver, Bodies))| {
            let answers = new.remove(&file).unwrap_or_default();
            (file, solver.finish(&definitions, &bodies, answers))
        };
        let resolutions = solvers.into_iter().map(finish).collect();
        definitions.take_error()?;
        progress.done();
        Ok(resolutions)
    }

    /// A file as stored, before its first round; `None` for one that is not there.
    fn solver(&self, definitions: &Stored<'_>, file: FileId) -> Result<Option<(FileSolver, Bodies)>, IndexError> {
        let Some(info) = definitions.module(file) else { return Ok(None) };
        let Some(record) = self.update.file(file)? else { return Ok(None) };
        let bodies = match self.update.bodies(&record.content_hash)? {
            Some(bytes) => Bodies::decode(&bytes).ok_or_else(|| StoreError::damaged("stored facts"))?,
            None => Bodies::default(),
        };
        Ok(Some((FileSolver::new(info), bodies)))
    }

    /// Files, not yet in work, that asked a question whose answer in `round` is another than before the update.
    fn dirty(
        &self,
        old: &BTreeMap<FileId, Vec<Answer>>,
        new: &BTreeMap<FileId, Vec<Answer>>,
        round: u8,
    ) -> Result<BTreeSet<FileId>, IndexError> {
        let mut keys: Vec<Key> = Vec::new();
        for (file, old_answers) in old {
            let old = holding(old_answers, round);
            let new = new.get(file).map(|new| holding(new, round)).unwrap_or_default();
            keys.extend(old.iter().filter(|(key, entries)| new.get(key) != Some(entries)).map(|(&key, _)| key));
            keys.extend(new.keys().filter(|key| !old.contains_key(key)));
        }
        keys.sort_unstable();
        keys.dedup();
        let askers = self.update.askers(&keys)?;
        Ok(askers.into_iter().filter(|file| !old.contains_key(file)).collect())
    }
}

/// What holds in `round`, by question.
fn holding(answers: &[Answer], round: u8) -> BTreeMap<Key, Vec<Entry>> {
    let mut levels: BTreeMap<Key, (u8, Vec<Entry>)> = BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer.level <= round) {
        let slot = levels.entry(answer.key).or_default();
        if answer.level >= slot.0 {
            *slot = (answer.level, answer.values.clone());
        }
    }
    levels
        .into_iter()
        .filter(|(_, (_, entries))| !entries.is_empty())
        .map(|(key, (_, entries))| (key, entries))
        .collect()
}
