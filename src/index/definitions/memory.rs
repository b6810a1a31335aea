//! A whole repository in memory: [`Definitions`] for a full build.

use std::{
    array,
    borrow::Cow,
    convert::Infallible,
    ops::{Range, RangeInclusive},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    facts::{Bodies, hash_name},
    index::{
        Progress,
        definitions::folders::{self, Paths},
    },
    model::{Answer, EntityId, FileId, Resolution},
    resolve::{
        Child, Definitions, FileSolver, Group, ModuleInfo, Mro, ROUNDS, go_through, rounds,
        values::{self, Entry, questions::Key},
    },
};

/// One file of the repository.
pub(crate) struct MemoryFile {
    pub(crate) info: Arc<ModuleInfo>,
    /// The dotted name of the module.
    pub(crate) module: String,
    /// As stored: unpacked when the file is worked on, so that memory holds the bodies of few files at a time.
    pub(crate) bodies: Vec<u8>,
}

impl MemoryFile {
    fn bodies(&self) -> Bodies {
        Bodies::decode(&self.bodies).unwrap_or_default()
    }
}

/// The answers that all files published in one round.
struct Published {
    /// By file.
    answers: Vec<Vec<Answer>>,
    by_key: FxHashMap<Key, Answered>,
    /// The file and which of its answers it is.
    places: Vec<(FileId, u32)>,
    joined: Vec<Entry>,
}

/// The answers to one question.
struct Answered {
    /// Which of `places` are about it.
    places: Range<u32>,
    /// The points-to set that stands after this round, joined over files and rounds: a part of `joined`. Empty where it
    /// equals the only answer.
    joined: Range<u32>,
}

impl Published {
    /// `earlier` rounds in their order.
    fn new(answers: Vec<Vec<Answer>>, earlier: &[OnceLock<Published>]) -> Published {
        let files = (1..).map(FileId).zip(&answers);
        let of_file = |(file, answers)| {
            (0_u32..).zip(answers).map(move |(index, answer): (_, &Answer)| (answer.key, file, index))
        };
        let mut all: Vec<(Key, FileId, u32)> = files.flat_map(of_file).collect();
        // Sorted by question and file, so the join does not depend on the order of threads.
        all.par_sort_unstable();
        let join = |same: &[(Key, FileId, u32)]| {
            let before = earlier.iter().filter_map(OnceLock::get).flat_map(|said| said.to(same[0].0));
            let present = same.iter().map(|&(_, file, index)| (file, &answers[place(file)][index as usize]));
            let contributions: Vec<(FileId, &Answer)> = before.chain(present).collect();
            match contributions.as_slice() {
                [_] => Vec::new(),
                _ => join_contributions(contributions.into_iter().map(|(file, answer)| (file, &answer.values))),
            }
        };
        let same: Vec<&[(Key, FileId, u32)]> = all.chunk_by(|a, b| a.0 == b.0).collect();
        let all_joined: Vec<Vec<Entry>> = same.par_iter().map(|same| join(same)).collect();
        let count = |number: usize| u32::try_from(number).expect("fewer than 2^32 answers");
        let (mut by_key, mut joined, mut start) = (FxHashMap::default(), Vec::new(), 0);
        for (same, entries) in same.iter().zip(all_joined) {
            let first = joined.len();
            joined.extend(entries);
            let (places, joined) = (start..start + count(same.len()), count(first)..count(joined.len()));
            start = places.end;
            by_key.insert(same[0].0, Answered { places, joined });
        }
        // These tables live through all rounds, and millions of answers make their spare room large.
        by_key.shrink_to_fit();
        joined.shrink_to_fit();
        let places = all.iter().map(|&(_, file, index)| (file, index)).collect();
        Published { answers, by_key, places, joined }
    }

    /// The answers to a question, by file.
    fn to(&self, key: Key) -> impl Iterator<Item = (FileId, &Answer)> {
        let places = self.by_key.get(&key).map_or(0..0, |known| range(&known.places));
        self.places[places].iter().map(|&(file, index)| (file, &self.answers[place(file)][index as usize]))
    }

    /// The points-to set that stands after this round; `None` where this round brought nothing new.
    fn joined(&self, key: Key) -> Option<&[Entry]> {
        let known = self.by_key.get(&key)?;
        let joined = &self.joined[range(&known.joined)];
        if joined.is_empty() { self.to(key).next().map(|(_, answer)| answer.values.as_slice()) } else { Some(joined) }
    }
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Where a file stands among all.
fn place(file: FileId) -> usize {
    file.0 as usize - 1
}

/// All files, sorted by path; file `n` has the id `n + 1`, and entities are numbered through.
pub(crate) struct Memory {
    pub(crate) files: Vec<MemoryFile>,
    children: FxHashMap<String, FxHashMap<String, Child>>,
    packages: FxHashMap<String, Vec<String>>,
    /// By entity, in the order of ids: its file, and the first entity there.
    owners: Vec<(FileId, EntityId)>,
    /// By round, from the first; filled when the round is over. The answers of the last round are read by no file, so
    /// they are not kept.
    published: [OnceLock<Published>; ROUNDS as usize - 1],
    mros: Mutex<FxHashMap<EntityId, Arc<Mro>>>,
    /// By name (its hash), the classes that define it; filled by the first question.
    definers: OnceLock<FxHashMap<u64, Vec<EntityId>>>,
}

impl Memory {
    pub(crate) fn new(files: Vec<MemoryFile>) -> Self {
        let paths: Vec<&str> = files.iter().map(|file| file.info.path.as_str()).collect();
        let children = children(&paths);
        let mut packages: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for file in &files {
            // Only outermost packages begin in a folder: a package inside another one has a longer module name.
            if let Some((root, package)) = folders::package_of(&file.info.path).filter(|(_, name)| file.module == *name)
            {
                let roots = packages.entry(package.to_owned()).or_default();
                if !roots.iter().any(|known| known == root) {
                    roots.push(root.to_owned());
                }
            }
        }
        let owner = |file: &MemoryFile| Some((file.info.file, *file.info.entities.first()?));
        let owners = files
            .iter()
            .filter_map(|file| Some(std::iter::repeat_n(owner(file)?, file.info.entities.len())))
            .flatten()
            .collect();
        Memory {
            files,
            children,
            packages,
            owners,
            published: array::from_fn(|_| OnceLock::new()),
            mros: Mutex::default(),
            definers: OnceLock::new(),
        }
    }

    /// Resolves every file through all rounds. `keep` turns each resolution into its result, so that no resolution
    /// stays in memory longer than needed.
    pub(crate) fn resolve<T: Send, K: Fn(Resolution) -> T + Sync>(&self, progress: &dyn Progress, keep: K) -> Vec<T> {
        progress.stage("resolving", self.files.len() as u64);
        let solvers = self.files.iter().map(|file| FileSolver::new(Arc::clone(&file.info))).collect();
        let Ok(resolutions) = rounds(WholeRepository { memory: self, solvers, progress, keep });
        progress.done();
        resolutions
    }

    /// The answers that a file published in the rounds so far.
    fn answers_of(&self, file: FileId) -> Vec<Answer> {
        let rounds = self.published.iter().filter_map(OnceLock::get);
        rounds.flat_map(|said| said.answers[place(file)].iter().cloned()).collect()
    }

    /// The answers to `key` in these rounds, in the order of rounds.
    fn answers_to(&self, key: Key, rounds: RangeInclusive<u8>) -> impl Iterator<Item = (FileId, &Answer)> {
        let rounds = &self.published[usize::from(*rounds.start()) - 1..usize::from(*rounds.end())];
        rounds.iter().filter_map(OnceLock::get).flat_map(move |said| said.to(key))
    }
}

/// All files of a repository on their way through the rounds, in parallel.
struct WholeRepository<'m, K> {
    memory: &'m Memory,
    /// By file.
    solvers: Vec<FileSolver>,
    progress: &'m dyn Progress,
    keep: K,
}

impl<T: Send, K: Fn(Resolution) -> T + Sync> Group for WholeRepository<'_, K> {
    type Answers = Vec<Vec<Answer>>;
    type Resolutions = Vec<T>;
    type Error = Infallible;

    fn run(&mut self, round: u8) -> Result<Vec<Vec<Answer>>, Infallible> {
        let &mut Self { memory, ref mut solvers, .. } = self;
        let answers = solvers
            .par_iter_mut()
            .zip(&memory.files)
            .map(|(solver, file)| go_through(solver, memory, round..=round, || file.bodies()));
        Ok(answers.collect())
    }

    fn publish(&mut self, round: u8, answers: Vec<Vec<Answer>>) -> Result<(), Infallible> {
        let published = Published::new(answers, &self.memory.published);
        let is_first = self.memory.published[usize::from(round) - 1].set(published).is_ok();
        assert!(is_first, "every round is over once");
        Ok(())
    }

    fn finish(self) -> Result<Vec<T>, Infallible> {
        let Self { memory, solvers, progress, keep } = self;
        // A solver is dropped as soon as its file is finished: those of a large repository fill much of the memory.
        let resolutions = solvers.into_par_iter().zip(&memory.files).map(|(mut solver, file)| {
            let bodies = file.bodies();
            go_through(&mut solver, memory, ROUNDS..=ROUNDS, || &bodies);
            progress.advance(1);
            keep(solver.finish(memory, &bodies, memory.answers_of(file.info.file)))
        });
        Ok(resolutions.collect())
    }
}

/// The sorted paths of a repository, with the file of each: the one at index `n` has the id `n + 1`.
struct SortedPaths<'p>(&'p [&'p str]);

impl Paths for SortedPaths<'_> {
    type Error = Infallible;

    fn file(&self, path: &str) -> Result<Option<FileId>, Infallible> {
        Ok(self
            .0
            .binary_search(&path)
            .ok()
            .map(|index| FileId(u32::try_from(index + 1).expect("fewer than 2^32 files"))))
    }

    fn has_files_below(&self, folder: &str) -> Result<bool, Infallible> {
        Ok(folders::has_files_below(self.0, folder))
    }
}

/// By folder and name, the files of all names that one of the sorted paths stands for.
fn children(paths: &[&str]) -> FxHashMap<String, FxHashMap<String, Child>> {
    let mut children: FxHashMap<String, FxHashMap<String, Child>> = FxHashMap::default();
    let mut add = |(folder, name): (&str, &str)| {
        if !children.get(folder).is_some_and(|names| names.contains_key(name)) {
            let Ok(child) = folders::child(&SortedPaths(paths), folder, name);
            children.entry(folder.to_owned()).or_default().insert(name.to_owned(), child);
        }
    };
    for path in paths {
        add(folders::folder_and_name(path));
        folders::folders_around(path).map(folders::split).for_each(&mut add);
    }
    children
}

/// Joins contributions, given in the order of rounds: the latest of each file counts. The result is sorted.
pub(crate) fn join_contributions<T: AsRef<[Entry]>>(contributions: impl Iterator<Item = (FileId, T)>) -> Vec<Entry> {
    let mut contributions: SmallVec<[(FileId, T); 4]> = contributions.collect();
    contributions.sort_by_key(|&(file, _)| file);
    let of_files = contributions.chunk_by(|a, b| a.0 == b.0).filter_map(|of_file| of_file.last());
    let mut joined: Vec<Entry> = of_files.flat_map(|(_, entries)| entries.as_ref()).copied().collect();
    joined.sort_unstable();
    joined.dedup_by_key(|entry| *entry >> 4);
    values::as_held(joined)
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

    fn definers(&self, name: &str) -> Vec<EntityId> {
        let definers = self.definers.get_or_init(|| {
            let mut definers: FxHashMap<u64, Vec<EntityId>> = FxHashMap::default();
            for (name, class) in self.files.iter().flat_map(|file| file.info.definitions_in_classes()) {
                definers.entry(name).or_default().push(class);
            }
            definers
        });
        let mut classes = definers.get(&hash_name(name)).cloned().unwrap_or_default();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    fn module(&self, file: FileId) -> Option<Arc<ModuleInfo>> {
        self.files.get(place(file)).map(|file| Arc::clone(&file.info))
    }

    fn place(&self, entity: EntityId) -> Option<(FileId, u32)> {
        let (file, first) = *self.owners.get(entity.0.checked_sub(1)? as usize)?;
        Some((file, entity.0 - first.0))
    }

    fn shared(&self, class: EntityId, mro: Mro) -> Arc<Mro> {
        let mut known = self.mros.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(&class) {
            Some(same) if **same == mro => Arc::clone(same),
            _ => {
                let mro = Arc::new(mro);
                known.insert(class, Arc::clone(&mro));
                mro
            }
        }
    }

    fn has_delta(&self, key: Key, round: u8, except: FileId) -> bool {
        self.answers_to(key, round..=round).any(|(file, _)| file != except)
    }

    fn answers(&self, key: Key, round: u8, except: FileId) -> Vec<Entry> {
        let said = self.answers_to(key, 1..=round).filter(|(file, _)| *file != except);
        join_contributions(said.map(|(file, answer)| (file, &answer.values)))
    }

    fn imported(&self, key: Key, round: u8, _: FileId) -> Cow<'_, [Entry]> {
        let mut rounds = self.published[..usize::from(round)].iter().rev().filter_map(OnceLock::get);
        Cow::Borrowed(rounds.find_map(|said| said.joined(key)).unwrap_or_default())
    }
}
