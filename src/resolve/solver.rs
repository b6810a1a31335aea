//! Resolves one file: runs its module and functions over abstract values until nothing changes.
//!
//! A *unit* is the module (with its class bodies) or one function or lambda. A unit reads and writes *cells*: answers to
//! questions, and variables that inner scopes see. When a cell grows, the units that read it run again. Cells only
//! grow and sets are bounded, so the end is reached, and it does not depend on the order.

use std::{collections::BTreeSet, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    Definitions, ModuleInfo,
    keys::{self, Key},
    lookup::{Lookup, Target, Targets},
    value::{self, SetId, Sets, Value},
};
use crate::{
    facts::{
        Bodies,
        bodies::{NONE, ScopeId, ScopeKind, Stmt, VarId},
    },
    model::{Answer, Basis, EntityId, EntityKind, Relationship, Resolution, Unresolved},
};

/// How often each unit may run, on average; reached only by code that is made to be slow.
const MAX_RUNS: usize = 20;

/// What one unit says when it runs.
#[derive(Default)]
pub(super) struct Output {
    pub(super) relationships: Vec<Relationship>,
    pub(super) unresolved: Vec<Unresolved>,
}

/// A growing answer, with the units to run again when it grows.
#[derive(Default)]
struct Cell {
    own: SetId,
    /// What other files answered, once it has been asked.
    outer: Option<SetId>,
    readers: SmallVec<[u32; 4]>,
}

impl Default for SetId {
    fn default() -> Self {
        SetId::EMPTY
    }
}

/// The state of one file's resolution.
pub(super) struct Solver<'a> {
    pub(super) look: Lookup<'a>,
    pub(super) bodies: &'a Bodies,
    pub(super) sets: Sets,
    cells: FxHashMap<Key, Cell>,
    variables: Vec<Cell>,
    /// What definitions and imports bind each variable to.
    pub(super) symbols: Vec<SmallVec<[(Target, Basis); 1]>>,
    queue: BTreeSet<u32>,
    unit: u32,
    /// The scope whose variables `environment` holds.
    pub(super) scope: ScopeId,
    pub(super) environment: Vec<SetId>,
    /// Code after `return`, `raise` or `break` does not run.
    pub(super) is_alive: bool,
    /// The function being run, as index into [`Bodies::functions`]; [`NONE`] for the module.
    pub(super) function: u32,
    /// The entity that the code belongs to.
    pub(super) entity: EntityId,
    pub(super) output: Output,
    /// Entities called by the call being evaluated.
    pub(super) called: Vec<EntityId>,
    pub(super) depth: u32,
    function_index: FxHashMap<(u32, u32), u32>,
    variable_index: FxHashMap<u32, VarId>,
}

/// Resolves the file `own` in round `round` (1-based).
pub fn solve(definitions: &dyn Definitions, own: Arc<ModuleInfo>, bodies: &Bodies, round: u8) -> Resolution {
    if own.entities.is_empty() {
        return Resolution::default();
    }
    let mut solver = Solver::new(definitions, own, bodies, round);
    let outputs = solver.run();
    solver.finish(outputs, round)
}

impl<'a> Solver<'a> {
    fn new(definitions: &'a dyn Definitions, own: Arc<ModuleInfo>, bodies: &'a Bodies, round: u8) -> Self {
        let entity = own.id(0);
        let function_index = (0..).zip(&bodies.functions).map(|(index, f)| ((f.entity, f.lambda), index)).collect();
        let variable_index = (0..)
            .zip(&bodies.variables)
            .filter(|(_, variable)| variable.entity != NONE)
            .map(|(index, variable)| (variable.entity, index))
            .collect();
        let mut variables = Vec::new();
        variables.resize_with(bodies.variables.len(), Cell::default);
        Solver {
            look: Lookup::new(definitions, own, round),
            bodies,
            sets: Sets::default(),
            cells: FxHashMap::default(),
            variables,
            symbols: vec![SmallVec::new(); bodies.variables.len()],
            queue: BTreeSet::new(),
            unit: 0,
            scope: 0,
            environment: Vec::new(),
            is_alive: true,
            function: NONE,
            entity,
            output: Output::default(),
            called: Vec::new(),
            depth: 0,
            function_index,
            variable_index,
        }
    }

    // --- running -----------------------------------------------------------------------------------------------

    fn run(&mut self) -> Vec<Output> {
        self.bind_symbols();
        let units = u32::try_from(self.bodies.functions.len() + 1).expect("fewer than 2^32 functions");
        self.queue.extend(0..units);
        let mut outputs: Vec<Output> = Vec::new();
        outputs.resize_with(units as usize, Output::default);
        let mut budget = MAX_RUNS * units as usize + 100;
        while let Some(unit) = self.queue.pop_first() {
            if budget == 0 {
                break;
            }
            budget -= 1;
            self.unit = unit;
            self.output = Output::default();
            self.run_unit(unit);
            outputs[unit as usize] = std::mem::take(&mut self.output);
        }
        outputs
    }

    fn run_unit(&mut self, unit: u32) {
        self.is_alive = true;
        self.called.clear();
        self.depth = 0;
        let bodies = self.bodies;
        if unit == 0 {
            self.function = NONE;
            self.enter_scope(0);
            self.entity = self.look.own.id(0);
            self.block(&bodies.module);
            return;
        }
        let function = &bodies.functions[unit as usize - 1];
        self.function = unit - 1;
        self.entity = self.look.own.id(function.entity);
        self.enter_scope(function.scope);
        self.bind_own_parameters(function);
        self.block(&function.body);
    }

    fn enter_scope(&mut self, scope: ScopeId) {
        self.scope = scope;
        self.environment.clear();
        self.environment.resize(self.bodies.scopes[scope as usize].size as usize, SetId::EMPTY);
    }

    // --- cells -------------------------------------------------------------------------------------------------

    /// The answer to a question: what this file and, up to the round before, others contribute.
    pub(super) fn read(&mut self, key: Key) -> SetId {
        let cell = self.cells.entry(key).or_default();
        if !cell.readers.contains(&self.unit) {
            cell.readers.push(self.unit);
        }
        let (own, outer) = (cell.own, cell.outer);
        let outer = outer.unwrap_or_else(|| self.ask(key));
        self.sets.union(own, outer)
    }

    fn ask(&mut self, key: Key) -> SetId {
        self.look.questions.insert(key);
        let outer = match self.look.round {
            0 | 1 => SetId::EMPTY,
            round => {
                let entries = self.look.definitions.answers(key, round - 1, self.look.own.file);
                let has_top = entries.iter().any(|&entry| value::parts(entry).0 == Value::Unknown);
                if has_top { SetId::TOP } else { self.sets.of(entries) }
            }
        };
        self.cells.entry(key).or_default().outer = Some(outer);
        outer
    }

    /// Adds to the answer of a question.
    pub(super) fn add(&mut self, key: Key, set: SetId) {
        if set == SetId::EMPTY {
            return;
        }
        let cell = self.cells.entry(key).or_default();
        let grown = self.sets.union(cell.own, set);
        if grown != cell.own {
            cell.own = grown;
            self.queue.extend(cell.readers.iter().copied());
        }
    }

    /// All values that a variable of another scope can have.
    pub(super) fn read_variable(&mut self, variable: VarId) -> SetId {
        let cell = &mut self.variables[variable as usize];
        if !cell.readers.contains(&self.unit) {
            cell.readers.push(self.unit);
        }
        let own = cell.own;
        match self.shared_variable(variable) {
            Some(entity) => {
                let shared = self.read(keys::variable(entity));
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
    pub(super) fn variable_of(&self, entity: EntityId) -> Option<VarId> {
        let (file, index) = self.look.place(entity)?;
        if file == self.look.own.file { self.variable_index.get(&index).copied() } else { None }
    }

    /// The body of a function of this file.
    pub(super) fn body_of(&self, entity: EntityId, lambda: u32) -> Option<u32> {
        let (file, index) = self.look.place(entity)?;
        if file == self.look.own.file { self.function_index.get(&(index, lambda)).copied() } else { None }
    }

    /// Assigns a variable: from here on in its own scope, at any time for the scopes inside.
    pub(super) fn assign_variable(&mut self, variable: VarId, set: SetId) {
        let info = &self.bodies.variables[variable as usize];
        if info.scope == self.scope {
            self.environment[info.slot as usize] = set;
        }
        let cell = &mut self.variables[variable as usize];
        let grown = self.sets.union(cell.own, set);
        if grown != cell.own {
            cell.own = grown;
            self.queue.extend(cell.readers.iter().copied());
        }
    }

    /// What a load of the variable gives here.
    pub(super) fn load_variable(&mut self, variable: VarId) -> SetId {
        let info = &self.bodies.variables[variable as usize];
        if info.scope == self.scope { self.environment[info.slot as usize] } else { self.read_variable(variable) }
    }

    // --- symbols -----------------------------------------------------------------------------------------------

    /// Notes what every variable is bound to by definitions and imports.
    fn bind_symbols(&mut self) {
        let bodies = self.bodies;
        for statement in &bodies.statements {
            match statement {
                Stmt::Function(index) => {
                    let function = &bodies.functions[*index as usize];
                    self.bind_symbol(function.variable, function.entity);
                }
                Stmt::Class(index) => {
                    let class = &bodies.classes[*index as usize];
                    self.bind_symbol(class.variable, class.entity);
                }
                Stmt::Import { module, variable, is_alias, .. } => {
                    let parts = if *is_alias { module.parts.as_slice() } else { &module.parts[..1] };
                    let targets = self.import_written(module.level, parts, None);
                    self.bind_targets(*variable, &targets);
                }
                Stmt::ImportFrom { module, name, variable, .. } => {
                    let name = bodies.names.text(*name);
                    let targets = self.import_written(module.level, &module.parts, Some(name));
                    self.bind_targets(*variable, &targets);
                }
                _ => {}
            }
        }
        for (index, variable) in bodies.variables.iter().enumerate() {
            if variable.entity != NONE {
                let target = Target::Entity(self.look.own.id(variable.entity));
                self.symbols[index].push((target, Basis::Scope));
            }
        }
    }

    /// Targets of an import written in this file.
    pub(super) fn import_written(&mut self, level: u32, parts: &[crate::facts::NameId], name: Option<&str>) -> Targets {
        let bodies = self.bodies;
        let parts: Vec<&str> = parts.iter().map(|&part| bodies.names.text(part)).collect();
        let path = self.look.own.path.clone();
        self.look.import_targets(&path, level, &parts, name, 0)
    }

    fn bind_symbol(&mut self, variable: VarId, entity: u32) {
        if variable != NONE {
            let target = Target::Entity(self.look.own.id(entity));
            self.symbols[variable as usize].push((target, Basis::Scope));
        }
    }

    fn bind_targets(&mut self, variable: VarId, targets: &Targets) {
        for &target in targets {
            let entry = (target, Basis::Import);
            if !self.symbols[variable as usize].contains(&entry) {
                self.symbols[variable as usize].push(entry);
            }
        }
    }

    // --- the end -----------------------------------------------------------------------------------------------

    fn finish(mut self, outputs: Vec<Output>, round: u8) -> Resolution {
        self.unit = 0;
        self.output = Output::default();
        self.overrides();
        self.text_references();
        let last = std::mem::take(&mut self.output);
        for variable in 0..self.bodies.variables.len() {
            let id = u32::try_from(variable).expect("variable ids are 32 bits wide");
            if let Some(entity) = self.shared_variable(id) {
                let set = self.variables[variable].own;
                self.add(keys::variable(entity), set);
            }
        }
        let (mut relationships, mut unresolved) = (Vec::new(), Vec::new());
        for output in outputs.into_iter().chain([last]) {
            relationships.extend(output.relationships);
            unresolved.extend(output.unresolved);
        }
        // Of the same relationship at the same place, the strongest basis stays.
        relationships.sort_unstable();
        relationships.dedup_by_key(|edge| (edge.target, edge.kind, edge.source, edge.line, edge.column));
        unresolved.sort_unstable();
        unresolved.dedup();
        let mut answers: Vec<Answer> = Vec::new();
        #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
        for (&key, cell) in &self.cells {
            if cell.own == SetId::EMPTY {
                continue;
            }
            let entries = self.sets.entries(cell.own).iter().map(|&entry| (value::parts(entry).0, entry));
            let values: Vec<(u64, u8)> = if cell.own == SetId::TOP {
                vec![(Value::Unknown.encode(), Basis::Name as u8)]
            } else {
                entries
                    .filter(|(value, _)| value.is_portable())
                    .map(|(value, entry)| (value.encode(), value::parts(entry).1 as u8))
                    .collect()
            };
            if !values.is_empty() {
                answers.push(Answer { key, level: round, values });
            }
        }
        answers.sort_unstable();
        let questions: FxHashSet<Key> = std::mem::take(&mut self.look.questions);
        let mut questions: Vec<Key> = questions.into_iter().collect();
        questions.sort_unstable();
        Resolution { relationships, unresolved, questions, answers }
    }

    /// The kind of an entity, modules included.
    pub(super) fn kind(&mut self, entity: EntityId) -> Option<EntityKind> {
        self.look.kind(entity)
    }
}
