//! What the statements of a unit did when they ran last, so that a unit that runs again goes only through those that can
//! do something else now.
//!
//! A *step* is one statement at the top of a unit's body; the first one binds the parameters too. What a step does follows
//! from the cells that it reads, which mark it when they grow, and from what it finds: the variables that it touches, what is
//! known of places, whether it is reached, and after which tests. While these are the same, so is the rest: what it says,
//! and what it leaves in the environment. What it added to cells is there already, since cells only grow.

use std::{collections::BTreeSet, ops::Range};

use smallvec::SmallVec;

use crate::{
    facts::Bodies,
    model::{Relationship, Unresolved},
    resolve::{
        engine::{Solver, access_paths::Place},
        values::{SetId, condition::Tests},
    },
};

/// The numbers of the steps of a file, unit by unit.
pub(crate) struct Steps {
    /// The first of each unit, and behind the last.
    pub(crate) firsts: Vec<u32>,
}

impl Steps {
    pub(crate) fn of(bodies: &Bodies) -> Steps {
        let count = |body: &[u32]| u32::try_from(body.len().max(1)).expect("fewer than 2^32 statements");
        let counts = bodies.functions.iter().map(|function| count(&function.body));
        let mut next = 0;
        let firsts = [0, count(&bodies.module)].into_iter().chain(counts);
        Steps {
            firsts: firsts
                .map(|count| {
                    next += count;
                    next
                })
                .collect(),
        }
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

/// What has to run.
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
        self.units.extend(0..number(steps.firsts.len() - 1));
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

/// What a unit did in its last run.
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) relationships: Box<[Relationship]>,
    pub(crate) unresolved: Box<[Unresolved]>,
    /// None for a unit of one step.
    pub(crate) steps: Box<[Step]>,
    pub(crate) touched: Box<[Touched]>,
    /// In the order of their slots, which stays.
    pub(crate) places: Vec<Place>,
}

/// Where the parts of a run end that are a step's, and how it left things.
pub(crate) struct Step {
    pub(crate) relationships: u32,
    pub(crate) unresolved: u32,
    pub(crate) touched: u32,
    pub(crate) is_alive: bool,
    /// Mostly none.
    pub(crate) tests: Option<Box<Tests>>,
}

/// A slot of the environment that a step read or wrote, or that holds what is known of a place.
#[derive(Clone, Copy)]
pub(crate) struct Touched {
    pub(crate) slot: u32,
    pub(crate) before: SetId,
    pub(crate) after: SetId,
}

/// A run that is over, being gone through once more.
pub(crate) struct Last {
    pub(crate) run: Run,
    pub(crate) unresolved: std::vec::IntoIter<Unresolved>,
    /// The step to come.
    pub(crate) next: usize,
}

impl Last {
    pub(crate) fn new(mut run: Run) -> Last {
        let unresolved = std::mem::take(&mut run.unresolved).into_vec().into_iter();
        Last { run, unresolved, next: 0 }
    }

    /// What the next step did.
    pub(crate) fn step(&mut self) -> Option<Did<'_>> {
        let step = self.run.steps.get(self.next)?;
        let before = self.next.checked_sub(1).map(|before| &self.run.steps[before]);
        let start = |end: fn(&Step) -> u32| before.map_or(0, end);
        let part = |end: fn(&Step) -> u32| start(end) as usize..end(step) as usize;
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

/// What a step did.
pub(crate) struct Did<'a> {
    pub(crate) step: &'a Step,
    pub(crate) relationships: &'a [Relationship],
    pub(crate) unresolved: std::iter::Take<&'a mut std::vec::IntoIter<Unresolved>>,
    pub(crate) touched: &'a [Touched],
    pub(crate) found_alive: bool,
    pub(crate) found_tests: Option<&'a Tests>,
}

/// The run that is going on.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) steps: Vec<Step>,
    pub(crate) touched: Vec<Touched>,
    /// By slot: the last step that touched it, counted in `steps_run`.
    pub(crate) touched_by: Vec<u32>,
    pub(crate) steps_run: u32,
    /// Where those begin that the present step touched.
    pub(crate) first_touched: usize,
    /// What was known of places when it began.
    pub(crate) known: SmallVec<[SetId; 4]>,
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 of everything in a file")
}

impl Solver<'_> {
    /// Stands at the module, outside of any step: what is worked out there changes nothing.
    pub(crate) fn stand_outside(&mut self) {
        self.enter_scope(0, Vec::new());
        self.record.touched_by.resize(self.environment.len(), 0);
    }

    /// The present step reads or writes a variable of its scope.
    pub(crate) fn touch(&mut self, slot: u32) {
        let record = &mut self.record;
        if record.touched_by[slot as usize] != record.steps_run {
            record.touched_by[slot as usize] = record.steps_run;
            let before = self.environment[slot as usize];
            record.touched.push(Touched { slot, before, after: before });
        }
    }

    pub(crate) fn begin(&mut self, step: u32) {
        self.step = step;
        self.kept.queue.is_due[step as usize] = false;
        let record = &mut self.record;
        record.steps_run += 1;
        record.first_touched = record.touched.len();
        let size = self.bodies.scopes[self.scope as usize].size as usize;
        record.known.clear();
        record.known.extend_from_slice(&self.environment[size..]);
        if record.touched_by.len() < size {
            record.touched_by.resize(size, 0);
        }
    }

    pub(crate) fn end(&mut self) {
        let record = &mut self.record;
        for touched in &mut record.touched[record.first_touched..] {
            touched.after = self.environment[touched.slot as usize];
        }
        let size = self.bodies.scopes[self.scope as usize].size as usize;
        let known = &self.environment[size..];
        for index in 0..known.len().max(record.known.len()) {
            let held = |known: &[SetId]| known.get(index).copied().unwrap_or_default();
            let (before, after) = (held(&record.known), held(known));
            if (before, after) != (SetId::EMPTY, SetId::EMPTY) {
                record.touched.push(Touched { slot: number(size + index), before, after });
            }
        }
        self.note_step();
    }

    /// The present step is over, whether it ran or did what it did before.
    fn note_step(&mut self) {
        self.record.steps.push(Step {
            relationships: number(self.output.relationships.len()),
            unresolved: number(self.output.unresolved.len()),
            touched: number(self.record.touched.len()),
            is_alive: self.is_alive,
            tests: (!self.tests.is_empty()).then(|| Box::new(self.tests.clone())),
        });
    }

    /// Whether a step finds all that it depends on as it was.
    pub(crate) fn is_as_it_was(&self, step: u32, did: &Did<'_>) -> bool {
        let found_tests = did.found_tests.map_or(&[][..], |tests| tests);
        if self.kept.queue.is_due[step as usize]
            || self.is_alive != did.found_alive
            || self.tests.as_slice() != found_tests
        {
            return false;
        }
        let size = self.bodies.scopes[self.scope as usize].size as usize;
        let mut places_known = 0;
        for &Touched { slot, before, .. } in did.touched {
            if self.environment.get(slot as usize).copied().unwrap_or_default() != before {
                return false;
            }
            places_known += usize::from(slot as usize >= size && before != SetId::EMPTY);
        }
        let known = &self.environment[size..];
        known.iter().filter(|&&set| set != SetId::EMPTY).count() == places_known
    }

    pub(crate) fn do_again(&mut self, did: Did<'_>) {
        for touched in did.touched {
            let slot = touched.slot as usize;
            if self.environment.len() <= slot {
                self.environment.resize(slot + 1, SetId::EMPTY);
            }
            self.environment[slot] = touched.after;
        }
        self.is_alive = did.step.is_alive;
        self.tests.clear();
        self.tests.extend(did.step.tests.iter().flat_map(|tests| tests.iter().copied()));
        self.output.relationships.extend_from_slice(did.relationships);
        self.output.unresolved.extend(did.unresolved);
        self.record.touched.extend_from_slice(did.touched);
        self.note_step();
    }
}
