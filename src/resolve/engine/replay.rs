//! The record of a unit's last run. A unit that runs again executes only the steps whose effect may have changed.
//!
//! A step depends on the cells that it reads; they mark it when they grow. It also depends on the state: the slots that
//! it touches, the known access paths, whether control gets there, and the tests that hold. While all of these are the
//! same, so is its effect on the output and on the state. Its additions to cells are there already, since cells only
//! grow.

use std::{collections::BTreeSet, ops::Range};

use smallvec::SmallVec;

use crate::{
    model::{Relationship, Unresolved},
    resolve::{
        engine::{Engine, Output, State},
        values::{SetId, condition::Tests},
    },
};

/// The numbers of the steps of a file, unit by unit.
#[derive(Default)]
pub(crate) struct Steps {
    /// The first of each unit, and behind the last.
    pub(crate) firsts: Vec<u32>,
}

impl Steps {
    /// The steps of units with so many steps each; a unit has at least one.
    pub(crate) fn of_units(counts: impl Iterator<Item = usize>) -> Steps {
        let mut next = 0;
        let mut firsts = vec![0];
        firsts.extend(counts.map(|count| {
            next += number(count.max(1));
            next
        }));
        Steps { firsts }
    }

    pub(crate) fn units(&self) -> usize {
        self.firsts.len().saturating_sub(1)
    }

    pub(crate) fn len(&self) -> usize {
        self.firsts.last().copied().unwrap_or(0) as usize
    }

    pub(crate) fn of_unit(&self, unit: u32) -> Range<u32> {
        self.firsts[unit as usize]..self.firsts[unit as usize + 1]
    }

    pub(crate) fn unit(&self, step: u32) -> u32 {
        let unit = self.firsts.partition_point(|&first| first <= step) - 1;
        u32::try_from(unit).expect("fewer units than steps")
    }
}

/// The units and steps that have to run.
#[derive(Default)]
pub(crate) struct Queue {
    /// Units, in their order.
    pub(crate) units: BTreeSet<u32>,
    /// By step.
    pub(crate) is_due: Vec<bool>,
}

impl Queue {
    pub(crate) fn push_all(&mut self, steps: &Steps) {
        self.is_due.clear();
        self.is_due.resize(steps.len(), true);
        self.units.extend(0..number(steps.units()));
    }

    pub(crate) fn push(&mut self, due: impl Iterator<Item = u32>, steps: &Steps) {
        for step in due {
            if !std::mem::replace(&mut self.is_due[step as usize], true) {
                self.units.insert(steps.unit(step));
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.units.clear();
        self.is_due.fill(false);
    }

    /// The unit to run: the first from `start` on, else the first of all.
    pub(crate) fn next(&self, start: u32) -> Option<u32> {
        self.units.range(start..).next().or_else(|| self.units.first()).copied()
    }

    /// A unit has run. Steps that became due before they ran have run with it.
    pub(crate) fn ran(&mut self, unit: u32, steps: &Steps) {
        let steps = steps.of_unit(unit);
        if !self.is_due[steps.start as usize..steps.end as usize].contains(&true) {
            self.units.remove(&unit);
        }
    }
}

/// The last run of a unit.
#[derive(Default)]
pub(crate) struct UnitRun {
    pub(crate) relationships: Box<[Relationship]>,
    pub(crate) unresolved: Box<[Unresolved]>,
    /// None for a unit of one step.
    pub(crate) steps: Box<[StepRecord]>,
    pub(crate) touched: Box<[Touched]>,
}

/// Where the parts of a run end that are a step's, and how it left things.
pub(crate) struct StepRecord {
    pub(crate) relationships: u32,
    pub(crate) unresolved: u32,
    pub(crate) touched: u32,
    pub(crate) is_alive: bool,
    /// Mostly none.
    pub(crate) tests: Option<Box<Tests>>,
}

/// A slot of the environment that a step read or wrote, or the slot of an access path about which something is known.
#[derive(Clone, Copy)]
pub(crate) struct Touched {
    pub(crate) slot: u32,
    pub(crate) before: SetId,
    pub(crate) after: SetId,
}

/// The last run of a unit, during the next one.
pub(crate) struct Last {
    pub(crate) run: UnitRun,
    pub(crate) unresolved: std::vec::IntoIter<Unresolved>,
    /// The index of the next step.
    pub(crate) next: usize,
}

impl Last {
    pub(crate) fn new(mut run: UnitRun) -> Last {
        let unresolved = std::mem::take(&mut run.unresolved).into_vec().into_iter();
        Last { run, unresolved, next: 0 }
    }

    /// The next step.
    pub(crate) fn step(&mut self) -> Option<Did<'_>> {
        let step = self.run.steps.get(self.next)?;
        let before = self.next.checked_sub(1).map(|before| &self.run.steps[before]);
        let start = |end: fn(&StepRecord) -> u32| before.map_or(0, end);
        let part = |end: fn(&StepRecord) -> u32| start(end) as usize..end(step) as usize;
        self.next += 1;
        Some(Did {
            step,
            relationships: &self.run.relationships[part(|step| step.relationships)],
            unresolved: self.unresolved.by_ref().take(part(|step| step.unresolved).len()),
            touched: &self.run.touched[part(|step| step.touched)],
            found_alive: before.is_none_or(|before| before.is_alive),
            found_tests: before.and_then(|before| before.tests.as_deref()),
        })
    }
}

/// One step of a last run.
pub(crate) struct Did<'a> {
    pub(crate) step: &'a StepRecord,
    pub(crate) relationships: &'a [Relationship],
    pub(crate) unresolved: std::iter::Take<&'a mut std::vec::IntoIter<Unresolved>>,
    pub(crate) touched: &'a [Touched],
    pub(crate) found_alive: bool,
    pub(crate) found_tests: Option<&'a Tests>,
}

/// The run that is going on.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) steps: Vec<StepRecord>,
    pub(crate) touched: Vec<Touched>,
    /// By slot: the last step that touched it, counted in `steps_run`.
    pub(crate) touched_by: Vec<u32>,
    pub(crate) steps_run: u32,
    /// Where those begin that the present step touched.
    pub(crate) first_touched: usize,
    /// The sets of access paths when it began.
    pub(crate) known: SmallVec<[SetId; 4]>,
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 of everything in a file")
}

impl Engine {
    /// Makes room for the slots of a state in which work is done outside of any step.
    pub(crate) fn stand_outside(&mut self, state: &State) {
        self.record.touched_by.resize(state.environment.len(), 0);
    }

    /// The present step reads or writes a variable of its scope.
    pub(crate) fn touch(&mut self, slot: u32, state: &State) {
        let record = &mut self.record;
        if record.touched_by[slot as usize] != record.steps_run {
            record.touched_by[slot as usize] = record.steps_run;
            let before = state.environment[slot as usize];
            record.touched.push(Touched { slot, before, after: before });
        }
    }

    pub(super) fn begin_step(&mut self, step: u32, state: &State) {
        self.step = step;
        self.queue.is_due[step as usize] = false;
        let record = &mut self.record;
        record.steps_run += 1;
        record.first_touched = record.touched.len();
        record.known.clear();
        // Access paths are few, so all of them are compared; variables are noted when they are touched.
        record.known.extend_from_slice(&state.environment[state.variables..]);
        if record.touched_by.len() < state.variables {
            record.touched_by.resize(state.variables, 0);
        }
    }

    pub(super) fn end_step(&mut self, state: &State, output: &Output) {
        let record = &mut self.record;
        for touched in &mut record.touched[record.first_touched..] {
            touched.after = state.environment[touched.slot as usize];
        }
        let known = &state.environment[state.variables..];
        for index in 0..known.len().max(record.known.len()) {
            let held = |known: &[SetId]| known.get(index).copied().unwrap_or_default();
            let (before, after) = (held(&record.known), held(known));
            if (before, after) != (SetId::EMPTY, SetId::EMPTY) {
                record.touched.push(Touched { slot: number(state.variables + index), before, after });
            }
        }
        self.note_step(state, output);
    }

    /// The present step is over, whether it ran or was replayed.
    fn note_step(&mut self, state: &State, output: &Output) {
        self.record.steps.push(StepRecord {
            relationships: number(output.relationships.len()),
            unresolved: number(output.unresolved.len()),
            touched: number(self.record.touched.len()),
            is_alive: state.is_alive,
            tests: (!state.tests.is_empty()).then(|| Box::new(state.tests.clone())),
        });
    }

    /// Whether a step finds all that it depends on as it was.
    pub(super) fn is_as_it_was(&self, step: u32, state: &State, did: &Did<'_>) -> bool {
        let found_tests = did.found_tests.map_or(&[][..], |tests| tests);
        if self.queue.is_due[step as usize]
            || state.is_alive != did.found_alive
            || state.tests.as_slice() != found_tests
        {
            return false;
        }
        let mut paths_known = 0;
        for &Touched { slot, before, .. } in did.touched {
            if state.environment.get(slot as usize).copied().unwrap_or_default() != before {
                return false;
            }
            paths_known += usize::from(slot as usize >= state.variables && before != SetId::EMPTY);
        }
        let known = &state.environment[state.variables..];
        known.iter().filter(|&&set| set != SetId::EMPTY).count() == paths_known
    }

    /// Repeats the effect of a step without running it.
    pub(super) fn replay(&mut self, did: Did<'_>, state: &mut State, output: &mut Output) {
        for touched in did.touched {
            let slot = touched.slot as usize;
            if state.environment.len() <= slot {
                state.environment.resize(slot + 1, SetId::EMPTY);
            }
            state.environment[slot] = touched.after;
        }
        state.is_alive = did.step.is_alive;
        state.tests.clear();
        state.tests.extend(did.step.tests.iter().flat_map(|tests| tests.iter().copied()));
        output.relationships.extend_from_slice(did.relationships);
        output.unresolved.extend(did.unresolved);
        self.record.touched.extend_from_slice(did.touched);
        self.note_step(state, output);
    }
}
