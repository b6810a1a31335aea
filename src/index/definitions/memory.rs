//! A whole repository in memory: what a full build resolves against.
//!
//! Goes in: the facts of all files. Comes out: [`Definitions`], and a resolution per file after all rounds.

use std::{
    array,
    borrow::Cow,
    ops::{Range, RangeInclusive},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    facts::{Bodies, hash_name},
    model::{Answer, EntityId, FileId, Resolution},
    resolve::{
        Child, Definitions, FileSolver, ModuleInfo, Mro, ROUNDS,
        questions::Key,
        values::{self, Entry},
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

/// What files said in one round.
struct Said {
    /// By file.
    answers: Vec<Vec<Answer>>,
    by_key: FxHashMap<Key, Heard>,
    /// The file and which of its answers it is.
    places: Vec<(FileId, u32)>,
    joined: Vec<Entry>,
}

/// What was said about one question.
struct Heard {
    /// Which of `places` are about it.
    places: Range<u32>,
    /// What holds from then on, joined over files and rounds: a part of `joined`; empty where it is one answer alone.
    joined: Range<u32>,
}

impl Said {
    /// `earlier` rounds in their order.
    fn new(answers: Vec<Vec<Answer>>, earlier: &[OnceLock<Said>]) -> Said {
        let files = (1..).map(FileId).zip(&answers);
        let of_file = |(file, answers)| {
            (0_u32..).zip(answers).map(move |(index, answer): (_, &Answer)| (answer.key, file, index))
        };
        let mut all: Vec<(Key, FileId, u32)> = files.flat_map(of_file).collect();
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
            by_key.insert(same[0].0, Heard { places, joined });
        }
        by_key.shrink_to_fit();
        joined.shrink_to_fit();
        let places = all.iter().map(|&(_, file, index)| (file, index)).collect();
        Said { answers, by_key, places, joined }
    }

    /// The answers to a question, by file.
    fn to(&self, key: Key) -> impl Iterator<Item = (FileId, &Answer)> {
        let places = self.by_key.get(&key).map_or(0..0, |heard| range(&heard.places));
        self.places[places].iter().map(|&(file, index)| (file, &self.answers[place(file)][index as usize]))
    }

    /// What holds from this round on; none where nothing new was said.
    fn joined(&self, key: Key) -> Option<&[Entry]> {
        let heard = self.by_key.get(&key)?;
        let joined = &self.joined[range(&heard.joined)];
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
    /// By round, from the first; filled when the round is over. Nobody reads the last one's.
    said: [OnceLock<Said>; ROUNDS as usize - 1],
    mros: Mutex<FxHashMap<EntityId, Arc<Mro>>>,
    /// By name (its hash), the classes that define it; filled when somebody asks.
    definers: OnceLock<FxHashMap<u64, Vec<EntityId>>>,
}

impl Memory {
    pub(crate) fn new(files: Vec<MemoryFile>) -> Self {
        let mut children: FxHashMap<String, FxHashMap<String, Child>> = FxHashMap::default();
        let mut packages: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for file in &files {
            let path = &file.info.path;
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
            let id = file.info.file;
            let place = |slot: &mut Option<FileId>| {
                if slot.is_none() || extension == "py" {
                    *slot = Some(id);
                }
            };
            let child = children.entry(folder.to_owned()).or_default().entry(stem.to_owned()).or_default();
            match extension {
                "py" => place(&mut child.module),
                "pyi" => {
                    place(&mut child.module);
                    child.stub = Some(id);
                }
                "toml" | "cfg" => child.project = Some(id),
                "ini" if child.project.is_none() => child.project = Some(id),
                _ => {}
            }
            if stem == "__init__" && matches!(extension, "py" | "pyi") {
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
            said: array::from_fn(|_| OnceLock::new()),
            mros: Mutex::default(),
            definers: OnceLock::new(),
        }
    }

    /// Resolves every file through all rounds; `keep` makes of each resolution what is wanted of it.
    pub(crate) fn resolve<T: Send>(
        &self,
        progress: &dyn crate::index::Progress,
        keep: impl Fn(Resolution) -> T + Sync,
    ) -> Vec<T> {
        progress.stage("resolving", self.files.len() as u64);
        let mut solvers: Vec<FileSolver> =
            self.files.iter().map(|file| FileSolver::new(Arc::clone(&file.info))).collect();
        for round in 1..ROUNDS {
            let answers = solvers.par_iter_mut().zip(&self.files).map(|(solver, file)| {
                if round == 1 {
                    progress.advance(1);
                }
                let Some(news) = solver.news(self, round) else { return Vec::new() };
                solver.round(self, &file.bodies(), round, news)
            });
            let said = Said::new(answers.collect(), &self.said);
            let is_first = self.said[usize::from(round) - 1].set(said).is_ok();
            assert!(is_first, "every round is over once");
        }
        // Nobody reads what is said in the last round: a file is done with it, and what was known of it can go.
        let resolutions = solvers.into_par_iter().zip(&self.files).map(|(mut solver, file)| {
            let bodies = file.bodies();
            if let Some(news) = solver.news(self, ROUNDS) {
                solver.round(self, &bodies, ROUNDS, news);
            }
            keep(solver.finish(self, &bodies, self.answers_of(file.info.file)))
        });
        let resolutions = resolutions.collect();
        progress.done();
        resolutions
    }

    /// What a file said in all rounds that are over.
    fn answers_of(&self, file: FileId) -> Vec<Answer> {
        let rounds = self.said.iter().filter_map(OnceLock::get);
        rounds.flat_map(|said| said.answers[place(file)].iter().cloned()).collect()
    }

    /// What was said to `key` in the rounds up to `round`, in their order.
    fn said(&self, key: Key, rounds: RangeInclusive<u8>) -> impl Iterator<Item = (FileId, &Answer)> {
        let rounds = &self.said[usize::from(*rounds.start()) - 1..usize::from(*rounds.end())];
        rounds.iter().filter_map(OnceLock::get).flat_map(move |said| said.to(key))
    }
}

/// Of contributions in the order of rounds, what holds in the last, joined over the files and sorted.
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

    fn has_news(&self, key: Key, round: u8, except: FileId) -> bool {
        self.said(key, round..=round).any(|(file, _)| file != except)
    }

    fn answers(&self, key: Key, round: u8, except: FileId) -> Vec<Entry> {
        let said = self.said(key, 1..=round).filter(|(file, _)| *file != except);
        join_contributions(said.map(|(file, answer)| (file, &answer.values)))
    }

    fn heard(&self, key: Key, round: u8, _: FileId) -> Cow<'_, [Entry]> {
        let mut rounds = self.said[..usize::from(round)].iter().rev().filter_map(OnceLock::get);
        Cow::Borrowed(rounds.find_map(|said| said.joined(key)).unwrap_or_default())
    }
}
