//! Runs a program: unit after unit, until no step is due.

use crate::resolve::engine::{
    Engine, Output, State,
    replay::{Last, UnitRun},
};

/// How often each unit may run, on average. Only adversarial code needs more.
const MAX_RUNS: usize = 20;

/// Runs on top of [`MAX_RUNS`] a unit, so that small files have some to spare.
const SPARE_RUNS: usize = 100;

/// Code that the engine runs.
pub(crate) trait Program {
    /// The engine, with the state and the output that the steps of a unit share.
    fn parts(&mut self) -> Parts<'_>;
    /// A unit begins: sizes the environment of its state.
    fn begin_unit(&mut self, unit: u32);
    /// Runs a step of the unit, counted from 0.
    fn run_step(&mut self, unit: u32, step: usize);
    /// The unit is over, its last state still in place.
    fn end_unit(&mut self, unit: u32);
}

/// The parts of a program that the engine works on.
pub(crate) struct Parts<'a> {
    pub(crate) engine: &'a mut Engine,
    pub(crate) state: &'a mut State,
    pub(crate) output: &'a mut Output,
}

/// Runs the units that are due in their order, over and over, until none is left.
pub(crate) fn run(program: &mut impl Program) {
    let mut budget = MAX_RUNS * program.parts().engine.runs.len() + SPARE_RUNS;
    let mut start = 0;
    while let Some(unit) = program.parts().engine.queue.next(start) {
        if budget == 0 {
            // Out of budget: the sets found so far stand, though they may lack values.
            program.parts().engine.queue.clear();
            break;
        }
        budget -= 1;
        run_unit(program, unit);
        // Round-robin: a unit that makes itself due again must not starve the others.
        start = unit + 1;
    }
}

/// Runs a unit: those of its steps whose effect may be another one than before.
fn run_unit(program: &mut impl Program, unit: u32) {
    let Parts { engine, state, .. } = program.parts();
    let mut last = Last::new(std::mem::take(&mut engine.runs[unit as usize]));
    let steps = engine.steps.of_unit(unit);
    state.is_alive = true;
    state.tests.clear();
    program.begin_unit(unit);
    // A unit of one step always runs as a whole: a record of it would serve nothing.
    let is_recorded = steps.len() > 1;
    for (index, step) in steps.enumerate() {
        let Parts { engine, state, output } = program.parts();
        if let Some(did) = last.step() {
            if engine.is_as_it_was(step, state, &did) {
                engine.replay(did, state, output);
                continue;
            }
            // The iterator is shared by all steps, so this step's part must be consumed.
            did.unresolved.for_each(drop);
        }
        engine.begin_step(step, state);
        program.run_step(unit, index);
        if is_recorded {
            let Parts { engine, state, output } = program.parts();
            engine.end_step(state, output);
        }
    }
    program.end_unit(unit);
    let Parts { engine, output, .. } = program.parts();
    if !is_recorded {
        engine.record.touched.clear();
    }
    engine.runs[unit as usize] = UnitRun {
        relationships: output.relationships.drain(..).collect(),
        unresolved: output.unresolved.drain(..).collect(),
        steps: engine.record.steps.drain(..).collect(),
        touched: engine.record.touched.drain(..).collect(),
    };
    engine.queue.ran(unit, &engine.steps);
}
