//! A whole repository in memory: what a full build resolves against.
//!
//! Goes in: the facts of all files. Comes out: [`Definitions`], and a resolution per file after all rounds.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    facts::Bodies,
    model::{Answer, EntityId, FileId, Resolution},
    resolve::{
        Child, Definitions, ModuleInfo, ROUNDS,
        keys::Key,
        solve,
        value::{self, Entry, Value},
    },
};

/// One file of the repository.
pub(super) struct MemoryFile {
    pub(super) info: Arc<ModuleInfo>,
    /// The dotted name of the module.
    pub(super) module: String,
    pub(super) bodies: Bodies,
}

/// Contributions to an answer: file, round, entries; by file and round.
type Contributions = Vec<(FileId, u8, Vec<Entry>)>;

/// All files, sorted by path; file `n` has the id `n + 1`, and entities are numbered through.
pub(super) struct Memory {
    pub(super) files: Vec<MemoryFile>,
    children: FxHashMap<String, FxHashMap<String, Child>>,
    packages: FxHashMap<String, Vec<String>>,
    answers: FxHashMap<Key, Contributions>,
}

impl Memory {
    pub(super) fn new(files: Vec<MemoryFile>) -> Self {
        let mut children: FxHashMap<String, FxHashMap<String, Child>> = FxHashMap::default();
        let mut packages: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for file in &files {
            let path = &file.info.path;
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
            let id = file.info.file;
            let is_source = extension != "pyi";
            let place = |slot: &mut Option<FileId>| {
                if slot.is_none() || is_source {
                    *slot = Some(id);
                }
            };
            let child = children.entry(folder.to_owned()).or_default().entry(stem.to_owned()).or_default();
            place(&mut child.module);
            if stem == "__init__" {
                let (outer, package) = folder.rsplit_once('/').unwrap_or(("", folder));
                place(
                    &mut children.entry(outer.to_owned()).or_default().entry(package.to_owned()).or_default().package,
                );
                if file.module == package {
                    let roots = packages.entry(package.to_owned()).or_default();
                    if !roots.iter().any(|root| root == outer) {
                        roots.push(outer.to_owned());
                    }
                }
            }
            let mut folder = folder;
            while !folder.is_empty() {
                let (outer, own) = folder.rsplit_once('/').unwrap_or(("", folder));
                children.entry(outer.to_owned()).or_default().entry(own.to_owned()).or_default().is_directory = true;
                folder = outer;
            }
        }
        Memory { files, children, packages, answers: FxHashMap::default() }
    }

    /// Resolves every file through all rounds.
    pub(super) fn resolve(&mut self, progress: &dyn super::Progress) -> Vec<Resolution> {
        progress.stage("resolving", self.files.len() as u64);
        let mut resolutions: Vec<Resolution> = self
            .files
            .par_iter()
            .map(|file| {
                let resolution = solve(self, Arc::clone(&file.info), &file.bodies, 1);
                progress.advance(1);
                resolution
            })
            .collect();
        let first: Vec<(usize, Vec<Answer>)> =
            resolutions.iter().enumerate().map(|(index, resolution)| (index, resolution.answers.clone())).collect();
        let mut changed = self.publish(first);
        for round in 2..=ROUNDS {
            let dirty: Vec<usize> = (0..self.files.len())
                .filter(|&index| {
                    let file = self.files[index].info.file;
                    resolutions[index]
                        .questions
                        .iter()
                        .any(|key| changed.get(key).is_some_and(|files| files.iter().any(|&other| other != file)))
                })
                .collect();
            let solved: Vec<(usize, Resolution)> = dirty
                .par_iter()
                .map(|&index| {
                    let file = &self.files[index];
                    (index, solve(self, Arc::clone(&file.info), &file.bodies, round))
                })
                .collect();
            let mut news = Vec::new();
            for (index, resolution) in solved {
                let added = merge(&mut resolutions[index], resolution, round);
                news.push((index, added));
            }
            changed = self.publish(news);
        }
        progress.done();
        resolutions
    }

    /// Makes new contributions visible; the keys that they change, with who changed them.
    fn publish(&mut self, news: Vec<(usize, Vec<Answer>)>) -> FxHashMap<Key, Vec<FileId>> {
        let mut changed: FxHashMap<Key, Vec<FileId>> = FxHashMap::default();
        for (index, answers) in news {
            let file = self.files[index].info.file;
            for answer in answers {
                changed.entry(answer.key).or_default().push(file);
                let entries = entries_of(&answer);
                self.answers.entry(answer.key).or_default().push((file, answer.level, entries));
            }
        }
        changed
    }
}

/// The entries of a contribution.
pub(super) fn entries_of(answer: &Answer) -> Vec<Entry> {
    answer.values.iter().map(|&(code, basis)| (code << 4) | u64::from(basis & 0xf)).collect()
}

/// Replaces what an earlier round found by what `round` found, and keeps the earlier rounds' answers; returns the
/// answers that `round` changed.
pub(super) fn merge(resolution: &mut Resolution, mut new: Resolution, round: u8) -> Vec<Answer> {
    let mut latest: FxHashMap<Key, &Answer> = FxHashMap::default();
    for answer in &resolution.answers {
        let slot = latest.entry(answer.key).or_insert(answer);
        if answer.level > slot.level {
            *slot = answer;
        }
    }
    let present: FxHashSet<Key> = new.answers.iter().map(|answer| answer.key).collect();
    let mut added: Vec<Answer> = new
        .answers
        .into_iter()
        .filter(|answer| latest.get(&answer.key).is_none_or(|old| old.values != answer.values))
        .collect();
    #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
    for (&key, old) in &latest {
        if !present.contains(&key) && !old.values.is_empty() {
            added.push(Answer { key, level: round, values: Vec::new() });
        }
    }
    added.sort_unstable();
    let mut answers = std::mem::take(&mut resolution.answers);
    answers.extend(added.iter().cloned());
    answers.sort_unstable();
    let mut questions = std::mem::take(&mut resolution.questions);
    questions.append(&mut new.questions);
    questions.sort_unstable();
    questions.dedup();
    *resolution = Resolution { relationships: new.relationships, unresolved: new.unresolved, questions, answers };
    added
}

/// Of contributions in the order of rounds, what holds in `round`, joined over files other than `except`.
pub(super) fn join_contributions(
    contributions: impl Iterator<Item = (FileId, u8, Vec<Entry>)>,
    round: u8,
    except: FileId,
) -> Vec<Entry> {
    let mut latest: Vec<(FileId, u8, Vec<Entry>)> = Vec::new();
    for (file, level, entries) in contributions {
        if file == except || level > round {
            continue;
        }
        match latest.iter_mut().find(|(other, ..)| *other == file) {
            Some(slot) if slot.1 <= level => *slot = (file, level, entries),
            Some(_) => {}
            None => latest.push((file, level, entries)),
        }
    }
    let mut joined: Vec<Entry> = latest.into_iter().flat_map(|(.., entries)| entries).collect();
    joined.sort_unstable();
    joined.dedup_by_key(|entry| *entry >> 4);
    if joined.len() > value::MAX_VALUES {
        return vec![value::entry(Value::Unknown, crate::model::Basis::Name)];
    }
    joined
}

impl Definitions for Memory {
    fn child(&self, directory: &str, name: &str) -> Child {
        self.children.get(directory).and_then(|folder| folder.get(name)).copied().unwrap_or_default()
    }

    fn packages(&self, name: &str) -> Vec<String> {
        let mut roots = self.packages.get(name).cloned().unwrap_or_default();
        roots.sort();
        roots
    }

    fn module(&self, file: FileId) -> Option<Arc<ModuleInfo>> {
        self.files.get(file.0 as usize - 1).map(|file| Arc::clone(&file.info))
    }

    fn place(&self, entity: EntityId) -> Option<(FileId, u32)> {
        let index = self.files.partition_point(|file| file.info.entities.first().is_some_and(|&first| first <= entity));
        let file = self.files[..index].iter().rev().find(|file| !file.info.entities.is_empty())?;
        let first = *file.info.entities.first()?;
        let ordinal = entity.0 - first.0;
        ((ordinal as usize) < file.info.entities.len()).then_some((file.info.file, ordinal))
    }

    fn answers(&self, key: Key, round: u8, except: FileId) -> Vec<Entry> {
        let Some(contributions) = self.answers.get(&key) else { return Vec::new() };
        join_contributions(contributions.iter().cloned(), round, except)
    }
}
