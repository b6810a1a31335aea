//! The fixpoint: units of code run until no points-to set grows. It knows no Python.
//!
//! A [`driver::Program`] is a list of *units*, each a list of *steps*. A step reads and writes *cells*: a cell holds a
//! points-to set, which only grows. The engine notes which steps read a cell and runs them again when it grows. Sets
//! are bounded, so [`driver::run`] reaches an end.
//!
//! Inside a unit, steps also hand a [`State`] to each other. A step that finds its cells and its state unchanged is
//! replayed from the last run instead of run again (`replay`).
//!
//! Other files contribute to cells between two *rounds*. In round `n` a file imports the deltas that others published
//! in round `n - 1` ([`Engine::import`]), runs on from where it stood, and publishes its own ([`Engine::publish`]).

pub(crate) mod cells;
pub(crate) mod driver;
pub(crate) mod replay;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use crate::{
    model::{Answer, Relationship, Unresolved},
    resolve::{
        engine::{
            cells::{Cell, Readers},
            replay::{Queue, Record, Steps, UnitRun},
        },
        values::{SetId, Sets, condition::Tests, questions::Key},
    },
};

/// The state that one step passes to the next.
#[derive(Default)]
pub(crate) struct State {
    /// Points-to sets by slot: first the variables of the scope, then the access paths about which something is known.
    pub(crate) environment: Vec<SetId>,
    /// How many slots belong to variables.
    pub(crate) variables: usize,
    /// Whether control gets here. It does not behind `return`, `raise` and `break`.
    pub(crate) is_alive: bool,
    /// The conditions under which control gets here.
    pub(crate) tests: Tests,
}

/// The relationships and the unresolved occurrences that the steps of a unit emit.
#[derive(Default)]
pub(crate) struct Output {
    pub(crate) relationships: Vec<Relationship>,
    pub(crate) unresolved: Vec<Unresolved>,
}

/// The cells of one file, and which of its steps are due.
#[derive(Default)]
pub(crate) struct Engine {
    cells: FxHashMap<Key, Cell>,
    /// Cells that other files cannot name, by number.
    locals: Vec<Cell>,
    readers: Readers,
    queue: Queue,
    /// The last run of each unit.
    runs: Vec<UnitRun>,
    /// Known during a round only: a large repository has more files between rounds than memory for this.
    steps: Steps,
    /// The step that runs.
    step: u32,
    record: Record,
}

impl Engine {
    /// Makes room before the first round, in which every step is due.
    pub(crate) fn prepare(&mut self, locals: usize) {
        self.locals.resize_with(locals, Cell::default);
        self.runs.resize_with(self.steps.units(), UnitRun::default);
        self.queue_all();
    }

    /// A round begins with these steps, the same in each round.
    pub(crate) fn begin_round(&mut self, steps: Steps) {
        self.steps = steps;
    }

    /// Ends a round: frees the room that nothing needs until the next one. After the `last` round nothing needs any.
    pub(crate) fn end_round(&mut self, is_last: bool) {
        self.steps = Steps::default();
        self.record = Record::default();
        if !is_last {
            self.readers.compact(self.cells.values_mut().chain(&mut self.locals));
        }
    }

    pub(crate) fn queue_all(&mut self) {
        self.queue.push_all(&self.steps);
    }

    // --- cells -------------------------------------------------------------------------------------------------

    /// The points-to set of a cell: this file's part, and the part of the others up to the round before. `ask` yields
    /// the latter and is called once.
    pub(crate) fn read(&mut self, key: Key, sets: &mut Sets, ask: impl FnOnce(&mut Sets) -> SetId) -> SetId {
        let cell = self.cells.entry(key).or_default();
        self.readers.note(cell, self.step);
        if cell.imported == SetId::UNASKED {
            cell.imported = ask(sets);
        }
        sets.union(cell.own, cell.imported)
    }

    /// Adds to this file's part of a cell.
    pub(crate) fn add(&mut self, key: Key, set: SetId, sets: &mut Sets) {
        let cell = self.cells.entry(key).or_default();
        let grown = sets.union(cell.own, set);
        if grown != cell.own {
            cell.own = grown;
            self.queue.push(self.readers.of(cell), &self.steps);
        }
    }

    pub(crate) fn read_local(&mut self, local: u32) -> SetId {
        let cell = &mut self.locals[local as usize];
        self.readers.note(cell, self.step);
        cell.own
    }

    /// The present points-to set of a local cell. The step that peeks does not run again when it grows.
    pub(crate) fn peek_local(&self, local: u32) -> SetId {
        self.locals[local as usize].own
    }

    pub(crate) fn add_local(&mut self, local: u32, set: SetId, sets: &mut Sets) {
        let cell = &mut self.locals[local as usize];
        let grown = sets.union(cell.own, set);
        if grown != cell.own {
            cell.own = grown;
            self.queue.push(self.readers.of(cell), &self.steps);
        }
    }

    // --- rounds ------------------------------------------------------------------------------------------------

    /// The cells whose other part has been asked for.
    pub(crate) fn asked(&self) -> impl Iterator<Item = Key> + '_ {
        self.cells.iter().filter(|(_, cell)| cell.imported != SetId::UNASKED).map(|(&key, _)| key)
    }

    /// Both parts of a cell, as far as they are known; asks no other file.
    pub(crate) fn peek(&self, key: Key, sets: &mut Sets) -> SetId {
        self.cells.get(&key).map_or(SetId::EMPTY, |cell| sets.union(cell.own, cell.imported))
    }

    /// The other files' part of a cell is this now. Its readers run again where that is more than before.
    pub(crate) fn import(&mut self, key: Key, imported: SetId) {
        let Some(cell) = self.cells.get_mut(&key) else { return };
        if cell.imported != imported {
            cell.imported = imported;
            self.queue.push(self.readers.of(cell), &self.steps);
        }
    }

    /// Shows a local cell to other files under a key.
    pub(crate) fn share(&mut self, local: u32, key: Key, sets: &mut Sets) {
        let set = self.locals[local as usize].own;
        let cell = self.cells.entry(key).or_default();
        cell.own = sets.union(cell.own, set);
    }

    /// The deltas that other files may see from `round` on, sorted: every cell whose own part has grown.
    pub(crate) fn publish(&mut self, round: u8, sets: &Sets) -> Vec<Answer> {
        let mut answers: Vec<Answer> = Vec::new();
        #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
        for (&key, cell) in &mut self.cells {
            if cell.own == cell.published {
                continue;
            }
            // The set may have grown by values that mean nothing outside this file.
            let values = sets.portable(cell.own);
            if values != sets.portable(cell.published) {
                answers.push(Answer { key, level: round, values });
            }
            cell.published = cell.own;
        }
        answers.sort_unstable();
        answers
    }

    /// All that the last runs of the units emitted: the relationships by unit, and the unresolved occurrences.
    pub(crate) fn take_output(&mut self) -> (Vec<Vec<Relationship>>, Vec<Unresolved>) {
        let runs = std::mem::take(&mut self.runs);
        let mut unresolved = Vec::new();
        let by_unit = runs.into_iter().map(|run| {
            unresolved.extend(run.unresolved);
            run.relationships.into()
        });
        (by_unit.collect(), unresolved)
    }

    /// Stands before the first step: work that is done there makes no step due.
    pub(crate) fn stand_before_all(&mut self) {
        self.step = 0;
    }
}
