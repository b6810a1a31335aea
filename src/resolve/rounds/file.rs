//! One file as a program of the engine, from round to round.

use std::{cell::OnceCell, rc::Rc, sync::Arc};

use rustc_hash::FxHashMap;

use crate::{
    facts::{Bodies, bodies::NONE},
    model::{Answer, Relationship, Resolution, Unresolved, conventions::pytest::is_test_file, question},
    resolve::{
        Definitions, ModuleInfo, ROUNDS,
        engine::{
            Engine, Output, State,
            driver::{self, Parts, Program},
            replay::Steps,
        },
        interpret::Interpreter,
        names::{Lookup, NameCache},
        solver::{Bindings, Delta, Solver, memo::Memo},
        values::{SetId, Sets, questions::Key},
    },
};

/// One file's resolution between two rounds.
pub struct FileSolver {
    pub(crate) own: Arc<ModuleInfo>,
    pub(crate) known: NameCache,
    pub(crate) sets: Sets,
    pub(crate) engine: Engine,
    pub(crate) bindings: Bindings,
}

impl FileSolver {
    /// The file `own` before its first round.
    pub fn new(own: Arc<ModuleInfo>) -> Self {
        FileSolver {
            known: NameCache::new(&own),
            own,
            sets: Sets::default(),
            engine: Engine::default(),
            bindings: Bindings::default(),
        }
    }

    /// The work of the file in round `round`: all in the first, later the new answers of other files to its questions.
    /// `None` where there is no work. A module of tests works in the first and the last round alone, but for the
    /// results of functions that make its decorators: their wrappers call the tests.
    pub fn delta(&mut self, definitions: &dyn Definitions, round: u8) -> Option<Delta> {
        if round == 1 {
            return Some(Delta::default());
        }
        let has_decorators_alone = self.has_decorators_alone(round);
        let since = if round == ROUNDS && is_test_file(&self.own.path) { 1 } else { round - 1 };
        let file = self.own.file;
        if has_decorators_alone && self.bindings.decorators.asked.is_empty() {
            return None;
        }
        let is_new = |key: Key| (since..round).any(|earlier| definitions.has_delta(key, earlier, file));
        let mut answers: Vec<Key> = self.engine.asked().filter(|&key| is_new(key)).collect();
        answers.sort_unstable();
        if has_decorators_alone {
            answers.retain(|key| self.bindings.decorators.asked.contains(key));
            return (!answers.is_empty()).then_some(Delta { answers, bases: false });
        }
        if since > 1 {
            // Later additions to a large set name little for sure, and all its readers would run again. This file's own
            // part of the set counts too: the file may have imported it.
            answers.retain(|&key| {
                let all = self.engine.peek(key, &mut self.sets);
                !self.sets.is_large(all)
            });
        }
        let bases = self.known.bases.iter().any(|&key| is_new(key));
        (bases || !answers.is_empty()).then_some(Delta { answers, bases })
    }

    /// Whether only the decorators of the file take part in a round. Arguments that tests pass later on would make the
    /// sets of parameters too large to follow.
    fn has_decorators_alone(&self, round: u8) -> bool {
        (2..ROUNDS).contains(&round) && is_test_file(&self.own.path)
    }

    /// Runs round `round`, counted from 1; rounds come in ascending order, without those that have no work. Returns the
    /// file's own answers as far as they are new.
    pub fn round(&mut self, definitions: &dyn Definitions, bodies: &Bodies, round: u8, delta: Delta) -> Vec<Answer> {
        if self.own.entities.is_empty() {
            return Vec::new();
        }
        let mut answers = self.with_solver(definitions, bodies, round, |interpreter| {
            if round == 1 {
                interpreter.solver.prepare();
            } else {
                interpreter.solver.import(delta);
            }
            driver::run(interpreter);
            interpreter.solver.publish(round)
        });
        if self.has_decorators_alone(round) {
            answers.retain(|answer| self.bindings.decorators.answered.contains(&answer.key));
        }
        answers
    }

    /// The file's resolution after the last round; `answers` are its answers of all rounds.
    pub fn finish(mut self, definitions: &dyn Definitions, bodies: &Bodies, mut answers: Vec<Answer>) -> Resolution {
        if self.own.entities.is_empty() {
            return Resolution::default();
        }
        let finish = |interpreter: &mut Interpreter<'_>| interpreter.solver.finish();
        let (relationships, unresolved) = self.with_solver(definitions, bodies, ROUNDS, finish);
        let mut questions: Vec<u32> =
            self.known.questions.into_iter().chain(self.engine.asked()).map(question).collect();
        questions.sort_unstable();
        questions.dedup();
        answers.sort_unstable();
        Resolution { relationships, unresolved, questions, answers }
    }

    pub(crate) fn with_solver<T>(
        &mut self,
        definitions: &dyn Definitions,
        bodies: &Bodies,
        round: u8,
        work: impl FnOnce(&mut Interpreter<'_>) -> T,
    ) -> T {
        let mut interpreter = Interpreter {
            solver: Solver {
                look: Lookup {
                    definitions,
                    own: Rc::new(Arc::clone(&self.own)),
                    modules: FxHashMap::default(),
                    signatures: FxHashMap::default(),
                    round,
                    known: std::mem::take(&mut self.known),
                },
                bodies,
                sets: std::mem::take(&mut self.sets),
                engine: std::mem::take(&mut self.engine),
                state: State { is_alive: true, ..State::default() },
                output: Output::default(),
                bindings: std::mem::take(&mut self.bindings),
                memo: Memo::default(),
                starts: OnceCell::new(),
                scope: 0,
                access_paths: Vec::new(),
                function: NONE,
                entity: self.own.id(0),
                is_annotation: false,
                stubbed: None,
                trace: None,
            },
            has_jumped: false,
            called: Vec::new(),
            called_on: SetId::EMPTY,
            applied_on: SetId::EMPTY,
            depth: 0,
            proxies: 0,
        };
        // The look-up needs the solver that it becomes a part of.
        interpreter.solver.stubbed = interpreter.solver.look.stubbed();
        let statements = bodies.functions.iter().map(|function| function.body.len());
        let steps = Steps::of_units(std::iter::once(bodies.module.len()).chain(statements));
        interpreter.solver.engine.begin_round(steps);
        let result = work(&mut interpreter);
        let Solver { look, sets, engine, bindings, .. } = interpreter.solver;
        self.known = look.known;
        // A full build keeps the tables of all files until the last round.
        self.known.shrink();
        self.sets = sets;
        self.sets.shrink();
        self.engine = engine;
        self.engine.end_round(round == ROUNDS);
        self.bindings = bindings;
        result
    }
}

impl Interpreter<'_> {
    /// Runs every unit once more.
    pub(crate) fn run_all(&mut self) {
        self.solver.engine.queue_all();
        driver::run(self);
    }
}

impl Solver<'_> {
    /// The relationships and unresolved occurrences of the file after its last round.
    fn finish(&mut self) -> (Vec<Relationship>, Vec<Unresolved>) {
        self.structural_relationships();
        let Output { mut relationships, mut unresolved } = std::mem::take(&mut self.output);
        let (of_units, unresolved_of_units) = self.engine.take_output();
        relationships.extend(self.by_lambda_calls(&of_units));
        relationships.extend(of_units.into_iter().flatten());
        unresolved.extend(unresolved_of_units);
        // Of one relationship at one place, the strongest basis stays.
        relationships.sort_unstable();
        relationships.dedup_by_key(|edge| (edge.target, edge.kind, edge.source, edge.line, edge.column));
        self.weigh_fitting(&mut relationships);
        self.look.weigh_choices(&mut relationships);
        self.look.leave_out_other_tests(&mut relationships);
        self.weigh_tested(&mut relationships);
        unresolved.sort_unstable();
        unresolved.dedup();
        (relationships, unresolved)
    }
}

/// The units of a file are its module and its functions, the steps their statements.
impl Program for Interpreter<'_> {
    fn parts(&mut self) -> Parts<'_> {
        let Solver { engine, state, output, .. } = &mut self.solver;
        Parts { engine, state, output }
    }

    fn begin_unit(&mut self, unit: u32) {
        self.called.clear();
        self.depth = 0;
        self.solver.function = function_of(unit).unwrap_or(NONE);
        let function = function_of(unit).map(|index| &self.solver.bodies.functions[index as usize]);
        let (scope, entity) = function.map_or((0, 0), |function| (function.scope, function.entity));
        self.solver.entity = self.solver.look.own.id(entity);
        let access_paths = std::mem::take(&mut self.solver.bindings.access_paths[unit as usize]);
        self.solver.enter_scope(scope, access_paths);
    }

    fn run_step(&mut self, unit: u32, step: usize) {
        let bodies = self.solver.bodies;
        let function = function_of(unit).map(|index| &bodies.functions[index as usize]);
        if let Some(function) = function
            && step == 0
        {
            self.bind_own_parameters(function);
        }
        let body = function.map_or(&bodies.module, |function| &function.body);
        self.block(body.get(step..=step).unwrap_or_default());
    }

    fn end_unit(&mut self, unit: u32) {
        if function_of(unit).is_none() {
            self.solver.keep_module_values();
        }
        self.solver.bindings.access_paths[unit as usize] = std::mem::take(&mut self.solver.access_paths);
    }
}

/// The function of a unit, as index into [`Bodies::functions`]; `None` for the module, the first unit.
fn function_of(unit: u32) -> Option<u32> {
    unit.checked_sub(1)
}
