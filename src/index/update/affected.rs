//! The files that a change affects, on their way through the rounds.
//!
//! The answers of a file in round `n` depend on its own facts and on the answers that others published before round
//! `n`. So a file takes part from round 1 on when its facts changed, or the text behind an answer that it asked for. It
//! joins in round `n` when an answer of round `n - 1` that it asked for differs from the one before the update. From
//! then on it takes part in every round that brings it a delta, as in a full build. Both give the same index.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    facts::Bodies,
    index::{IndexError, Progress, definitions::stored::Stored, update::facts::ToResolve},
    model::{Answer, FileId, Resolution},
    resolve::{
        Definitions, FileSolver, Group, ROUNDS, go_through,
        values::{Entry, questions::Key},
    },
    store::{Update, error::StoreError},
};

/// The affected files of one update.
pub(super) struct AffectedFiles<'a> {
    update: &'a Update<'a>,
    progress: &'a dyn Progress,
    definitions: Stored<'a>,
    solvers: BTreeMap<FileId, (FileSolver, Bodies)>,
    /// Answers of removed and affected files before the update.
    old_answers: BTreeMap<FileId, Vec<Answer>>,
    /// Answers of affected files in the rounds so far.
    new_answers: BTreeMap<FileId, Vec<Answer>>,
    /// Files that join in the round under way.
    joining: BTreeSet<FileId>,
    /// The number of files that may be resolved.
    most: usize,
    is_cut: bool,
}

/// The new resolutions of affected files.
pub(super) struct ResolvedFiles {
    pub(super) resolutions: BTreeMap<FileId, Resolution>,
    /// More files were affected than may be resolved.
    pub(super) is_cut: bool,
}

impl<'a> AffectedFiles<'a> {
    pub(super) fn new(
        update: &'a Update<'a>,
        to_resolve: ToResolve,
        most: usize,
        progress: &'a dyn Progress,
    ) -> AffectedFiles<'a> {
        let mut definitions = Stored::new(update);
        for (file, _) in &to_resolve.removed_answers {
            // A removed file answers nothing, but its stored answers are still there to compare with.
            definitions.replace(*file, &[]);
        }
        AffectedFiles {
            update,
            progress,
            definitions,
            solvers: BTreeMap::new(),
            old_answers: to_resolve.removed_answers.into_iter().collect(),
            new_answers: BTreeMap::new(),
            joining: to_resolve.files,
            most,
            is_cut: false,
        }
    }

    /// Makes solvers for the files that join, as far as the limit allows.
    fn join(&mut self) -> Result<(), IndexError> {
        let room = self.most.saturating_sub(self.solvers.len());
        if let Some(&beyond) = self.joining.iter().nth(room) {
            self.joining.retain(|&file| file < beyond);
            self.is_cut = true;
        }
        let mut solvers = Vec::new();
        for &file in &self.joining {
            if let Some(solver) = self.solver(file)? {
                self.old_answers.insert(file, self.update.answers_of(file)?);
                solvers.push((file, solver));
            }
        }
        self.solvers.extend(solvers);
        Ok(())
    }

    /// The solver of a stored file before its first round; `None` for a file that is not stored.
    fn solver(&self, file: FileId) -> Result<Option<(FileSolver, Bodies)>, IndexError> {
        let Some(info) = self.definitions.module(file) else { return Ok(None) };
        let Some(record) = self.update.file(file)? else { return Ok(None) };
        let bodies = match self.update.bodies(&record.content_hash)? {
            Some(bytes) => Bodies::decode(&bytes).ok_or_else(|| StoreError::damaged("stored facts"))?,
            None => Bodies::default(),
        };
        Ok(Some((FileSolver::new(info), bodies)))
    }

    /// Unaffected files that asked a question whose answer in `round` differs from the one before the update.
    fn newly_affected(&self, round: u8) -> Result<BTreeSet<FileId>, IndexError> {
        let mut keys: Vec<Key> = Vec::new();
        for (file, old) in &self.old_answers {
            let old = standing(old, round);
            let new = self.new_answers.get(file).map(|new| standing(new, round)).unwrap_or_default();
            keys.extend(old.iter().filter(|(key, entries)| new.get(key) != Some(entries)).map(|(&key, _)| key));
            // A question without an old answer may have been asked in vain, so its askers count too.
            keys.extend(new.keys().filter(|key| !old.contains_key(key)));
        }
        keys.sort_unstable();
        keys.dedup();
        let askers = self.update.askers(&keys)?;
        Ok(askers.into_iter().filter(|file| !self.old_answers.contains_key(file)).collect())
    }
}

impl Group for AffectedFiles<'_> {
    type Answers = Vec<(FileId, Vec<Answer>)>;
    type Resolutions = ResolvedFiles;
    type Error = IndexError;

    fn run(&mut self, round: u8) -> Result<Self::Answers, IndexError> {
        self.join()?;
        let mut answers = Vec::new();
        for (&file, (solver, bodies)) in &mut self.solvers {
            // A file that joins late goes through the rounds before again, because its later rounds build on their
            // cells.
            let is_joining = self.joining.contains(&file);
            let rounds = if is_joining { 1..=round } else { round..=round };
            answers.push((file, go_through(solver, &self.definitions, rounds, || &*bodies)));
            if is_joining {
                self.progress.advance(1);
            }
        }
        Ok(answers)
    }

    fn publish(&mut self, round: u8, answers: Self::Answers) -> Result<(), IndexError> {
        for (file, answers) in answers {
            if self.joining.contains(&file) {
                self.definitions.replace(file, &answers);
            } else {
                self.definitions.extend(file, &answers);
            }
            self.new_answers.entry(file).or_default().extend(answers);
        }
        self.definitions.take_error()?;
        self.joining = if round == ROUNDS { BTreeSet::new() } else { self.newly_affected(round)? };
        Ok(())
    }

    fn finish(mut self) -> Result<ResolvedFiles, IndexError> {
        let answers = self.run(ROUNDS)?;
        self.publish(ROUNDS, answers)?;
        let Self { definitions, solvers, mut new_answers, is_cut, .. } = self;
        let finish = |(file, (solver, bodies)): (FileId, (FileSolver, Bodies))| {
            let answers = new_answers.remove(&file).unwrap_or_default();
            (file, solver.finish(&definitions, &bodies, answers))
        };
        let resolutions = solvers.into_iter().map(finish).collect();
        definitions.take_error()?;
        Ok(ResolvedFiles { resolutions, is_cut })
    }
}

/// The answers of a file that stand in `round`, by question: of each question the latest up to then.
fn standing(answers: &[Answer], round: u8) -> BTreeMap<Key, Vec<Entry>> {
    let mut latest: BTreeMap<Key, (u8, Vec<Entry>)> = BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer.level <= round) {
        let slot = latest.entry(answer.key).or_default();
        if answer.level >= slot.0 {
            *slot = (answer.level, answer.values.clone());
        }
    }
    latest
        .into_iter()
        .filter(|(_, (_, entries))| !entries.is_empty())
        .map(|(key, (_, entries))| (key, entries))
        .collect()
}
