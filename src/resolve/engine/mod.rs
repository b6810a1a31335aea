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
pub(crate) mod scripts;
pub(crate) mod weigh;

use std::{cell::OnceCell, rc::Rc};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, NONE, ScopeId, ScopeKind, Stmt, VarId},
    },
    model::{Answer, Basis, EntityId, FileId, Relationship, Unresolved},
    resolve::{
        ROUNDS,
        engine::{
            cells::{Cell, Readers},
            memo::Memo,
            output::Place,
            replay::{Queue, Record, Run, Steps},
        },
        explain::trace::Trace,
        names::{Lookup, Target, Targets},
        questions::{self, Key},
        typing::declared_contents::annotations,
        values::{SetId, Sets, condition::Tests},
    },
};

/// What one unit says when it runs.
#[derive(Default)]
pub(crate) struct Output {
    pub(crate) relationships: Vec<Relationship>,
    pub(crate) unresolved: Vec<Unresolved>,
}

/// What is kept of a file's resolution from round to round.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) cells: FxHashMap<Key, Cell>,
    pub(crate) variables: Vec<Cell>,
    /// What definitions and imports bind each variable to.
    pub(crate) symbols: Vec<SmallVec<[(Target, Basis); 1]>>,
    pub(crate) readers: Readers,
    pub(crate) queue: Queue,
    /// By unit, the last one.
    pub(crate) runs: Vec<Run>,
    pub(crate) variable_index: FxHashMap<u32, VarId>,
    /// Members of classes that fit protocols are among what was found.
    pub(crate) has_fitting: bool,
    /// What variables and parameters are first declared as.
    pub(crate) annotations: FxHashMap<VarId, ExprId>,
}

impl Kept {
    /// Gives back the room that only a round needs.
    pub(crate) fn compact(&mut self) {
        let cells = self.cells.values_mut().chain(&mut self.variables);
        self.readers.compact(cells);
    }
}

/// What a round has to take in.
#[derive(Debug, Default)]
pub struct News {
    /// Sorted.
    pub(crate) answers: Vec<Key>,
    /// What the bases of classes follow from is among the news.
    pub(crate) bases: bool,
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
    /// Parameters of the present function that were compared with `None` on the way here, and whether they are.
    pub(crate) tests: Tests,
    /// The function being run, as index into [`Bodies::functions`]; [`NONE`] for the module.
    pub(crate) function: u32,
    /// The entity that the code belongs to.
    pub(crate) entity: EntityId,
    pub(crate) output: Output,
    /// What is evaluated stands in an annotation.
    pub(crate) is_annotation: bool,
    /// The module whose stub the file is.
    pub(crate) stubbed: Option<FileId>,
    /// Only where somebody asks for an explanation.
    pub(crate) trace: Option<Trace>,
}

impl Solver<'_> {
    /// Before the first round: every unit is to run.
    pub(crate) fn prepare(&mut self) {
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

    pub(crate) fn queue_all(&mut self) {
        self.kept.queue.push_all(&self.steps);
    }

    /// Takes in what other files answer by now; what read it is to run again.
    pub(crate) fn catch_up(&mut self, news: News) {
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
    pub(crate) fn outer(&mut self, key: Key) -> SetId {
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

    /// What this file answers from this round on, where that is more than it has told; nobody reads the last round's.
    pub(crate) fn tell(&mut self, round: u8) -> Vec<Answer> {
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
}
