//! Resolves one file: runs its module and functions over abstract values until nothing changes.
//!
//! A *unit* is the module (with its class bodies) or one function or lambda. A unit reads and writes *cells*: answers to
//! questions, and variables that inner scopes see. When a cell grows, the statements that read it run again (`steps`).
//! Cells only grow and sets are bounded, so the end is reached. The next round goes on from there: it takes in what other
//! files answer by then, and runs the statements that read it.

pub(crate) mod access_paths;
pub(crate) mod cells;
pub(crate) mod memo;
pub(crate) mod output;
pub(crate) mod replay;
pub(crate) mod rounds;
pub(crate) mod scripts;
pub(crate) mod weigh;

use std::{cell::OnceCell, rc::Rc, sync::Arc};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, NONE, ScopeId, ScopeKind, Stmt, VarId},
    },
    model::{Answer, Basis, EntityId, EntityKind, FileId, Relationship, Resolution, Unresolved, question},
    resolve::{
        Definitions, ModuleInfo, ROUNDS,
        engine::{
            cells::{Cell, Readers},
            memo::Memo,
            output::Place,
            replay::{Queue, Record, Run, Steps, Tests},
        },
        explain::trace::Trace,
        names::{Known, Lookup, Target, Targets},
        pytest::is_collected,
        questions::{self, Key},
        typing::declared_contents::annotations,
        values::{SetId, Sets},
    },
};

/// How often each unit may run, on average; reached only by code that is made to be slow.
const MAX_RUNS: usize = 20;

/// What one unit says when it runs.
#[derive(Default)]
pub(crate) struct Output {
    pub(crate) relationships: Vec<Relationship>,
    pub(crate) unresolved: Vec<Unresolved>,
}

/// What is kept of a file's resolution from round to round.
#[derive(Default)]
pub(crate) struct Kept {
    cells: FxHashMap<Key, Cell>,
    variables: Vec<Cell>,
    /// What definitions and imports bind each variable to.
    pub(crate) symbols: Vec<SmallVec<[(Target, Basis); 1]>>,
    readers: Readers,
    pub(crate) queue: Queue,
    /// By unit, the last one.
    pub(crate) runs: Vec<Run>,
    variable_index: FxHashMap<u32, VarId>,
    /// Members of classes that fit protocols are among what was found.
    pub(crate) has_fitting: bool,
    /// What variables and parameters are first declared as.
    pub(crate) annotations: FxHashMap<VarId, ExprId>,
}

impl Kept {
    /// Gives back the room that only a round needs.
    fn compact(&mut self) {
        let cells = self.cells.values_mut().chain(&mut self.variables);
        self.readers.compact(cells);
    }
}

/// What a round has to take in.
#[derive(Debug, Default)]
pub struct News {
    /// Sorted.
    answers: Vec<Key>,
    /// What the bases of classes follow from is among the news.
    bases: bool,
}

/// One file's resolution between two rounds.
pub struct FileSolver {
    own: Arc<ModuleInfo>,
    known: Known,
    sets: Sets,
    kept: Kept,
}

impl FileSolver {
    /// The file `own` before its first round.
    pub fn new(own: Arc<ModuleInfo>) -> Self {
        FileSolver { known: Known::new(&own), own, sets: Sets::default(), kept: Kept::default() }
    }

    /// What there is to do in round `round`: everything in the first, later what other files answer anew of what this one
    /// asked for; `None` when that is nothing, and for a module of tests in rounds that are neither the first nor the last.
    pub fn news(&mut self, definitions: &dyn Definitions, round: u8) -> Option<News> {
        if round == 1 {
            return Some(News::default());
        }
        let since = match is_collected(&self.own.path) {
            false => round - 1,
            true if round == ROUNDS => 1,
            true => return None,
        };
        let file = self.own.file;
        let is_new = |key: Key| (since..round).any(|earlier| definitions.has_news(key, earlier, file));
        let asked = self.kept.cells.iter().filter(|(_, cell)| cell.outer != SetId::UNASKED);
        let mut answers: Vec<Key> = asked.map(|(&key, _)| key).filter(|&key| is_new(key)).collect();
        answers.sort_unstable();
        if since > 1 {
            // What comes to a large set later names little for sure, and everything that reads it would run again. What the
            // file itself answers counts: it may be among what it has heard.
            answers.retain(|key| {
                let cell = &self.kept.cells[key];
                let all = self.sets.union(cell.own, cell.outer);
                !self.sets.is_large(all)
            });
        }
        let bases = self.known.bases.iter().any(|&key| is_new(key));
        (bases || !answers.is_empty()).then_some(News { answers, bases })
    }

    /// Takes part in round `round` (1-based, in ascending order; those without news are left out). Returns what the file
    /// answers from then on, where that is more than before.
    pub fn round(&mut self, definitions: &dyn Definitions, bodies: &Bodies, round: u8, news: News) -> Vec<Answer> {
        if self.own.entities.is_empty() {
            return Vec::new();
        }
        self.with_solver(definitions, bodies, round, |solver| {
            if round == 1 {
                solver.prepare();
            } else {
                solver.catch_up(news);
            }
            solver.run();
            solver.tell(round)
        })
    }

    /// What the file's resolution is after the last round; `answers` is what it answered in all of them.
    pub fn finish(mut self, definitions: &dyn Definitions, bodies: &Bodies, mut answers: Vec<Answer>) -> Resolution {
        if self.own.entities.is_empty() {
            return Resolution::default();
        }
        let finish = |solver: &mut Solver<'_>| solver.finish();
        let (relationships, unresolved) = self.with_solver(definitions, bodies, ROUNDS, finish);
        let asked = self.kept.cells.iter().filter(|(_, cell)| cell.outer != SetId::UNASKED).map(|(&key, _)| key);
        let mut questions: Vec<u32> = self.known.questions.into_iter().chain(asked).map(question).collect();
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
        work: impl FnOnce(&mut Solver<'_>) -> T,
    ) -> T {
        let mut solver = Solver {
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
            kept: std::mem::take(&mut self.kept),
            steps: Steps::of(bodies),
            starts: OnceCell::new(),
            step: 0,
            record: Record::default(),
            memo: Memo::default(),
            scope: 0,
            environment: Vec::new(),
            places: Vec::new(),
            is_alive: true,
            has_jumped: false,
            tests: Tests::new(),
            function: NONE,
            entity: self.own.id(0),
            output: Output::default(),
            called: Vec::new(),
            called_on: SetId::EMPTY,
            applied_on: SetId::EMPTY,
            depth: 0,
            is_annotation: false,
            proxies: 0,
            stubbed: None,
            trace: None,
        };
        solver.stubbed = solver.look.stubbed();
        let result = work(&mut solver);
        self.known = solver.look.known;
        self.known.shrink();
        self.sets = solver.sets;
        self.sets.shrink();
        self.kept = solver.kept;
        if round < ROUNDS {
            self.kept.compact();
        }
        result
    }
}

/// One file's resolution in a round.
pub(crate) struct Solver<'a> {
    pub(crate) look: Lookup<'a>,
    pub(crate) bodies: &'a Bodies,
    pub(crate) sets: Sets,
    pub(crate) kept: Kept,
    pub(crate) steps: Steps,
    /// Where the names of the file's entities stand, in order, with the entity's index.
    pub(crate) starts: OnceCell<Box<[(Place, u32)]>>,
    /// The one that runs.
    pub(crate) step: u32,
    pub(crate) record: Record,
    pub(crate) memo: Memo,
    /// The scope whose variables `environment` holds.
    pub(crate) scope: ScopeId,
    pub(crate) environment: Vec<SetId>,
    /// What has a slot in `environment` behind the variables of the scope.
    pub(crate) places: Vec<access_paths::Place>,
    /// Code after `return`, `raise` or `break` does not run.
    pub(crate) is_alive: bool,
    /// The present loop has a `break` or `continue`.
    pub(crate) has_jumped: bool,
    /// Parameters of the present function that were compared with `None` on the way here, and whether they are.
    pub(crate) tests: Tests,
    /// The function being run, as index into [`Bodies::functions`]; [`NONE`] for the module.
    pub(crate) function: u32,
    /// The entity that the code belongs to.
    pub(crate) entity: EntityId,
    pub(crate) output: Output,
    /// Entities called by the call being evaluated.
    pub(crate) called: Vec<EntityId>,
    /// The parameter that the methods are called on which are called next.
    pub(crate) called_on: SetId,
    /// What the objects are applied to that the methods are called on.
    pub(crate) applied_on: SetId,
    pub(crate) depth: u32,
    /// What is evaluated stands in an annotation.
    pub(crate) is_annotation: bool,
    /// Proxies behind which an attribute is looked for.
    pub(crate) proxies: u32,
    /// The module whose stub the file is.
    pub(crate) stubbed: Option<FileId>,
    /// Only where somebody asks for an explanation.
    pub(crate) trace: Option<Trace>,
}

impl Solver<'_> {
    // --- running -----------------------------------------------------------------------------------------------

    /// Before the first round: every unit is to run.
    fn prepare(&mut self) {
        let variables = &self.bodies.variables;
        self.kept.variable_index = (0..)
            .zip(variables)
            .filter(|(_, variable)| variable.entity != NONE)
            .map(|(index, variable)| (variable.entity, index))
            .collect();
        self.kept.variables.resize_with(variables.len(), Cell::default);
        self.kept.symbols = vec![SmallVec::new(); variables.len()];
        self.kept.runs.resize_with(self.bodies.functions.len() + 1, Run::default);
        self.bind_symbols();
        self.kept.annotations = annotations(self.bodies);
        self.queue_all();
    }

    fn queue_all(&mut self) {
        self.kept.queue.push_all(&self.steps);
    }

    /// Takes in what other files answer by now; what read it is to run again.
    fn catch_up(&mut self, news: News) {
        for key in news.answers {
            let outer = self.outer(key);
            let Some(cell) = self.kept.cells.get_mut(&key) else { continue };
            if cell.outer != outer {
                cell.outer = outer;
                self.kept.queue.push(self.kept.readers.of(cell), &self.steps);
            }
        }
        if news.bases {
            self.look.known.forget_bases();
            self.queue_all();
        }
    }

    /// Runs units in their order, over and over, until none is left.
    fn run(&mut self) {
        let mut budget = MAX_RUNS * self.kept.runs.len() + 100;
        let mut next = 0;
        while let Some(unit) = self.kept.queue.next(next) {
            if budget == 0 {
                self.kept.queue.clear();
                break;
            }
            budget -= 1;
            self.run_unit(unit);
            next = unit + 1;
        }
    }

    /// Runs every unit once more.
    pub(crate) fn run_all(&mut self) {
        self.queue_all();
        self.run();
    }

    /// Functions see module variables as the module leaves them.
    pub(crate) fn keep_module_values(&mut self) {
        for (index, variable) in (0..).zip(&self.bodies.variables) {
            if variable.scope == 0 {
                let set = self.environment[variable.slot as usize];
                self.grow_variable(index, set);
            }
        }
    }

    pub(crate) fn enter_scope(&mut self, scope: ScopeId, places: Vec<access_paths::Place>) {
        self.scope = scope;
        self.environment.clear();
        self.places = places;
        self.environment.resize(self.bodies.scopes[scope as usize].size as usize, SetId::EMPTY);
    }

    // --- cells -------------------------------------------------------------------------------------------------

    /// The answer to a question: what this file and, up to the round before, others contribute.
    pub(crate) fn read(&mut self, key: Key) -> SetId {
        let cell = self.kept.cells.entry(key).or_default();
        self.kept.readers.note(cell, self.step);
        let (own, outer) = (cell.own, cell.outer);
        let outer = if outer == SetId::UNASKED { self.ask(key) } else { outer };
        self.sets.union(own, outer)
    }

    fn ask(&mut self, key: Key) -> SetId {
        let outer = self.outer(key);
        self.kept.cells.entry(key).or_default().outer = outer;
        outer
    }

    /// What the other files answer.
    fn outer(&mut self, key: Key) -> SetId {
        if self.look.round <= 1 {
            return SetId::EMPTY;
        }
        let entries = self.look.definitions.heard(key, self.look.round - 1, self.look.own.file);
        self.sets.of_sorted(&entries)
    }

    /// Adds to the answer of a question.
    pub(crate) fn add(&mut self, key: Key, set: SetId) {
        self.note_given(key, set);
        if set == SetId::EMPTY {
            return;
        }
        let cell = self.kept.cells.entry(key).or_default();
        let grown = self.sets.union(cell.own, set);
        if grown != cell.own {
            cell.own = grown;
            self.kept.queue.push(self.kept.readers.of(cell), &self.steps);
        }
    }

    /// All values that a variable of another scope can have.
    pub(crate) fn read_variable(&mut self, variable: VarId) -> SetId {
        let cell = &mut self.kept.variables[variable as usize];
        self.kept.readers.note(cell, self.step);
        let own = cell.own;
        match self.shared_variable(variable) {
            Some(entity) => {
                let shared = self.read(questions::variable(entity));
                self.sets.union(own, shared)
            }
            None => own,
        }
    }

    /// The entity of a variable that other files can assign.
    fn shared_variable(&self, variable: VarId) -> Option<EntityId> {
        let variable = &self.bodies.variables[variable as usize];
        let is_module = self.bodies.scopes[variable.scope as usize].kind == ScopeKind::Module;
        (is_module && variable.entity != NONE).then(|| self.look.own.id(variable.entity))
    }

    /// The variable recorded as this entity of the file.
    pub(crate) fn variable_of(&self, entity: EntityId) -> Option<VarId> {
        let (file, index) = self.look.place(entity)?;
        if file == self.look.own.file { self.kept.variable_index.get(&index).copied() } else { None }
    }

    /// Assigns a variable: from here on in its own scope, at any time for the scopes inside.
    pub(crate) fn assign_variable(&mut self, variable: VarId, set: SetId) {
        self.forget_variable(variable);
        self.note_assigned(variable, set);
        let info = &self.bodies.variables[variable as usize];
        if info.scope == self.scope {
            self.touch(info.slot);
            self.environment[info.slot as usize] = set;
            if self.function == NONE && self.scope == 0 {
                return;
            }
        }
        self.grow_variable(variable, set);
    }

    pub(crate) fn grow_variable(&mut self, variable: VarId, set: SetId) {
        let cell = &mut self.kept.variables[variable as usize];
        let grown = self.sets.union(cell.own, set);
        if grown != cell.own {
            cell.own = grown;
            self.kept.queue.push(self.kept.readers.of(cell), &self.steps);
        }
    }

    /// What a variable of an outer scope has been found to hold; asks nobody.
    pub(crate) fn kept_values(&self, variable: VarId) -> SetId {
        self.kept.variables[variable as usize].own
    }

    /// What a load of the variable gives here.
    pub(crate) fn load_variable(&mut self, variable: VarId) -> SetId {
        let info = &self.bodies.variables[variable as usize];
        if info.scope == self.scope {
            self.touch(info.slot);
            let set = self.environment[info.slot as usize];
            if info.is_nonlocal && self.function != NONE {
                let assigned = self.read_variable(variable);
                return self.sets.union(set, assigned);
            }
            // An annotation may name what is defined further down: it is text, or is evaluated when somebody asks.
            return if set == SetId::EMPTY && self.is_annotation { self.read_variable(variable) } else { set };
        }
        match self.known_variable(variable) {
            SetId::EMPTY => self.read_variable(variable),
            tested => tested,
        }
    }

    // --- symbols -----------------------------------------------------------------------------------------------

    /// Notes what every variable is bound to by definitions and imports.
    fn bind_symbols(&mut self) {
        let bodies = self.bodies;
        for statement in &bodies.statements {
            match statement {
                Stmt::Function(index) => {
                    let function = &bodies.functions[*index as usize];
                    self.bind_local(function.variable, |this| {
                        smallvec::smallvec![Target::Entity(this.look.own.id(function.entity))]
                    });
                }
                Stmt::Class(index) => {
                    let class = &bodies.classes[*index as usize];
                    self.bind_local(class.variable, |this| {
                        smallvec::smallvec![Target::Entity(this.look.own.id(class.entity))]
                    });
                }
                Stmt::Import { module, variable, is_alias, .. } => self.bind_local(*variable, |this| {
                    let parts = if *is_alias { module.parts.as_slice() } else { &module.parts[..1] };
                    this.import_written(module.level, parts, None)
                }),
                Stmt::ImportFrom { module, name, variable, .. } => self.bind_local(*variable, |this| {
                    this.import_written(module.level, &module.parts, Some(bodies.names.text(*name)))
                }),
                _ => {}
            }
        }
        let own = Rc::clone(&self.look.own);
        for (index, variable) in (0..).zip(&bodies.variables) {
            let scope = &bodies.scopes[variable.scope as usize];
            let name = bodies.names.text(variable.name);
            let targets = match scope.kind {
                ScopeKind::Module if !own.interface.member(bodies.names.hash(variable.name)).is_empty() => {
                    self.look.member(own.file, name)
                }
                ScopeKind::Class => self.look.own_member(own.id(scope.entity), name),
                _ => continue,
            };
            self.bind_targets(index, &targets);
        }
    }

    /// Notes a binding in the scope of a function; those of modules and classes are known by their interface.
    fn bind_local(&mut self, variable: VarId, targets: impl FnOnce(&mut Self) -> Targets) {
        let Some(info) = self.bodies.variables.get(variable as usize) else { return };
        if matches!(self.bodies.scopes[info.scope as usize].kind, ScopeKind::Module | ScopeKind::Class) {
            return;
        }
        let targets = targets(self);
        self.bind_targets(variable, &targets);
    }

    /// Targets of an import written in this file.
    pub(crate) fn import_written(&mut self, level: u32, parts: &[NameId], name: Option<&str>) -> Targets {
        let bodies = self.bodies;
        let parts: Vec<&str> = parts.iter().map(|&part| bodies.names.text(part)).collect();
        let path = self.look.own.path.clone();
        self.look.import_targets(&path, level, &parts, name, 0)
    }

    fn bind_targets(&mut self, variable: VarId, targets: &Targets) {
        let declared = match self.stubbed {
            Some(_) => self.defined_by(targets),
            None => Targets::new(),
        };
        for &target in targets.iter().chain(&declared) {
            let is_own = matches!(target, Target::Entity(entity) if self.look.is_own(entity));
            let entry = (target, if is_own { Basis::Scope } else { Basis::Import });
            if !self.kept.symbols[variable as usize].contains(&entry) {
                self.kept.symbols[variable as usize].push(entry);
            }
        }
    }

    // --- the end -----------------------------------------------------------------------------------------------

    /// What this file answers from this round on, where that is more than it has told; nobody reads the last round's.
    fn tell(&mut self, round: u8) -> Vec<Answer> {
        if round == ROUNDS {
            return Vec::new();
        }
        for variable in 0..self.bodies.variables.len() {
            let id = u32::try_from(variable).expect("variable ids are 32 bits wide");
            if let Some(entity) = self.shared_variable(id) {
                let set = self.kept.variables[variable].own;
                let cell = self.kept.cells.entry(questions::variable(entity)).or_default();
                cell.own = self.sets.union(cell.own, set);
            }
        }
        let mut answers: Vec<Answer> = Vec::new();
        #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
        for (&key, cell) in &mut self.kept.cells {
            if cell.own == cell.told {
                continue;
            }
            let values = self.sets.portable(cell.own);
            if values != self.sets.portable(cell.told) {
                answers.push(Answer { key, level: round, values });
            }
            cell.told = cell.own;
        }
        answers.sort_unstable();
        answers
    }

    /// What follows from structure and texts alone.
    pub(crate) fn say_structure(&mut self) {
        self.step = 0;
        self.output = Output::default();
        self.overrides();
        self.text_references();
        self.exported_names();
        self.declarations();
    }

    fn finish(&mut self) -> (Vec<Relationship>, Vec<Unresolved>) {
        self.say_structure();
        let Output { mut relationships, mut unresolved } = std::mem::take(&mut self.output);
        for run in std::mem::take(&mut self.kept.runs) {
            relationships.extend(run.relationships);
            unresolved.extend(run.unresolved);
        }
        // Of the same relationship at the same place, the strongest basis stays.
        relationships.sort_unstable();
        relationships.dedup_by_key(|edge| (edge.target, edge.kind, edge.source, edge.line, edge.column));
        self.weigh_fitting(&mut relationships);
        self.weigh_choices(&mut relationships);
        unresolved.sort_unstable();
        unresolved.dedup();
        (relationships, unresolved)
    }

    /// The kind of an entity, modules included.
    pub(crate) fn kind(&mut self, entity: EntityId) -> Option<EntityKind> {
        self.look.kind(entity)
    }
}
