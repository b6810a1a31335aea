//! The state of one file's resolution: names, points-to sets, cells, environment and output.
//!
//! The engine runs units until no cell grows. A *unit* is the module with its class bodies, or one function or lambda;
//! its steps are the statements of its body. Cells are the answers to questions and the variables that inner scopes
//! see. The interpreter's transfer functions read and change this state; nothing here evaluates an expression.

pub(crate) mod access_paths;
pub(crate) mod lambda_calls;
pub(crate) mod memo;
pub(crate) mod other_tests;
pub(crate) mod output;
pub(crate) mod trace;
pub(crate) mod weigh;

use std::{cell::OnceCell, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, NONE, ScopeId, ScopeKind, Stmt, VarId},
    },
    model::{Answer, Basis, EntityId, FileId, Position},
    resolve::{
        ROUNDS,
        engine::{Engine, Output, State},
        names::{Lookup, Target, Targets},
        solver::{access_paths::AccessPath, lambda_calls::LambdaCall, memo::Memo, trace::Trace},
        values::{
            SetId, Sets,
            questions::{self, Key},
        },
    },
};

/// The bindings of a file's variables, kept from round to round.
#[derive(Default)]
pub(crate) struct Bindings {
    /// By variable: the targets of definitions and imports.
    pub(crate) symbols: Vec<SmallVec<[(Target, Basis); 1]>>,
    /// By entity of the file, its variable.
    variable_index: FxHashMap<u32, VarId>,
    /// By variable or parameter, the annotation of its first declaration.
    pub(crate) annotations: FxHashMap<VarId, ExprId>,
    /// By unit, the access paths that had a slot in its last run, in the order of the slots, which stays.
    pub(crate) access_paths: Vec<Vec<AccessPath>>,
    /// Members of classes that fit protocols are among the targets found.
    pub(crate) has_fitting: bool,
    pub(crate) decorators: Decorators,
    /// Noted in any round, as sets of values only grow.
    pub(crate) lambda_calls: FxHashSet<LambdaCall>,
}

/// The questions that belong to the decorators of a file.
#[derive(Default)]
pub(crate) struct Decorators {
    /// The results of functions that make decorators: `@retry(3)`.
    pub(crate) asked: FxHashSet<Key>,
    /// The functions that are decorated.
    pub(crate) answered: FxHashSet<Key>,
}

/// The answers of other files that are new in a round.
#[derive(Debug, Default)]
pub struct Delta {
    /// Sorted.
    pub(crate) answers: Vec<Key>,
    /// Answers that the bases of classes follow from are among the new ones.
    pub(crate) bases: bool,
}

/// One file's resolution in a round: the state that transfer functions read and change.
pub(crate) struct Solver<'a> {
    pub(crate) look: Lookup<'a>,
    pub(crate) bodies: &'a Bodies,
    pub(crate) sets: Sets,
    pub(crate) engine: Engine,
    pub(crate) state: State,
    pub(crate) output: Output,
    pub(crate) bindings: Bindings,
    pub(crate) memo: Memo,
    /// The places of the names of the file's entities, in order, with the entity's index.
    pub(crate) starts: OnceCell<Box<[(Position, u32)]>>,
    /// The scope whose variables the environment holds.
    pub(crate) scope: ScopeId,
    /// The access paths with a slot in the environment, behind the variables of the scope.
    pub(crate) access_paths: Vec<AccessPath>,
    /// The function being run, as index into [`Bodies::functions`]; [`NONE`] for the module.
    pub(crate) function: u32,
    /// The entity that the code belongs to.
    pub(crate) entity: EntityId,
    /// The expression being evaluated stands in an annotation.
    pub(crate) is_annotation: bool,
    /// The module whose stub the file is.
    pub(crate) stubbed: Option<FileId>,
    /// Present only during an explanation.
    pub(crate) trace: Option<Trace>,
}

impl Solver<'_> {
    /// Before the first round: binds the variables and queues every step.
    pub(crate) fn prepare(&mut self) {
        let variables = &self.bodies.variables;
        self.bindings.variable_index = (0..)
            .zip(variables)
            .filter(|(_, variable)| variable.entity != NONE)
            .map(|(index, variable)| (variable.entity, index))
            .collect();
        self.engine.prepare(variables.len());
        self.bindings.symbols = vec![SmallVec::new(); variables.len()];
        self.bindings.access_paths.resize_with(self.bodies.functions.len() + 1, Vec::new);
        self.bind_symbols();
        self.bindings.annotations = annotations(self.bodies);
    }

    /// Imports the deltas of other files; the steps that read them are due again.
    pub(crate) fn import(&mut self, delta: Delta) {
        for key in delta.answers {
            let imported = self.look.answers_of_others(key, &mut self.sets);
            self.engine.import(key, imported);
        }
        if delta.bases {
            self.look.known.forget_bases();
            // Bases change the MRO, and any step may have looked along it.
            self.engine.queue_all();
        }
    }

    /// Functions see module variables as the module leaves them.
    pub(crate) fn keep_module_values(&mut self) {
        for (index, variable) in (0..).zip(&self.bodies.variables) {
            if variable.scope == 0 {
                let set = self.state.environment[variable.slot as usize];
                self.grow_variable(index, set);
            }
        }
    }

    pub(crate) fn enter_scope(&mut self, scope: ScopeId, access_paths: Vec<AccessPath>) {
        self.scope = scope;
        self.access_paths = access_paths;
        self.state.variables = self.bodies.scopes[scope as usize].size as usize;
        self.state.environment.clear();
        self.state.environment.resize(self.state.variables, SetId::EMPTY);
    }

    /// Stands at the module, outside of any step: work that is done there changes nothing.
    pub(crate) fn stand_outside(&mut self) {
        self.enter_scope(0, Vec::new());
        self.engine.stand_outside(&self.state);
    }

    /// The points-to set that answers a question: of this file and, up to the round before, of the others.
    pub(crate) fn read(&mut self, key: Key) -> SetId {
        let look = &self.look;
        self.engine.read(key, &mut self.sets, |sets| look.answers_of_others(key, sets))
    }

    /// Adds to the answer of a question.
    pub(crate) fn add(&mut self, key: Key, set: SetId) {
        self.note_given(key, set);
        if set != SetId::EMPTY {
            self.engine.add(key, set, &mut self.sets);
        }
    }

    /// All values that a variable of another scope can have.
    pub(crate) fn read_variable(&mut self, variable: VarId) -> SetId {
        let own = self.engine.read_local(variable);
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
        if file == self.look.own.file { self.bindings.variable_index.get(&index).copied() } else { None }
    }

    /// Assigns a variable: from here on in its own scope, at any time for the scopes inside.
    pub(crate) fn assign_variable(&mut self, variable: VarId, set: SetId) {
        self.forget_variable(variable);
        self.note_assigned(variable, set);
        let info = &self.bodies.variables[variable as usize];
        if info.scope == self.scope {
            self.engine.touch(info.slot, &self.state);
            self.state.environment[info.slot as usize] = set;
            // At module level a name may be assigned many times; functions see the last value (`keep_module_values`).
            if self.function == NONE && self.scope == 0 {
                return;
            }
        }
        self.grow_variable(variable, set);
    }

    pub(crate) fn grow_variable(&mut self, variable: VarId, set: SetId) {
        self.engine.add_local(variable, set, &mut self.sets);
    }

    /// The points-to set that a load of the variable yields here.
    pub(crate) fn load_variable(&mut self, variable: VarId) -> SetId {
        let info = &self.bodies.variables[variable as usize];
        if info.scope == self.scope {
            self.engine.touch(info.slot, &self.state);
            let set = self.state.environment[info.slot as usize];
            // `global` and `nonlocal`: other functions assign it too.
            if info.is_nonlocal && self.function != NONE {
                let assigned = self.read_variable(variable);
                return self.sets.union(set, assigned);
            }
            // An annotation may name a later definition: it is text, or is evaluated only when somebody asks.
            return if set == SetId::EMPTY && self.is_annotation { self.read_variable(variable) } else { set };
        }
        match self.known_variable(variable) {
            SetId::EMPTY => self.read_variable(variable),
            tested => tested,
        }
    }

    /// Notes the definitions and imports that every variable is bound to.
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
            if !self.bindings.symbols[variable as usize].contains(&entry) {
                self.bindings.symbols[variable as usize].push(entry);
            }
        }
    }

    /// The deltas that other files see from this round on. Nobody reads those of the last round.
    pub(crate) fn publish(&mut self, round: u8) -> Vec<Answer> {
        // The answers of the last round have no reader.
        if round == ROUNDS {
            return Vec::new();
        }
        for variable in 0..self.bodies.variables.len() {
            let variable = u32::try_from(variable).expect("variable ids are 32 bits wide");
            if let Some(entity) = self.shared_variable(variable) {
                self.engine.share(variable, questions::variable(entity), &mut self.sets);
            }
        }
        self.engine.publish(round, &self.sets)
    }
}

/// The annotations of the first declaration of a file's variables and parameters.
fn annotations(bodies: &Bodies) -> FxHashMap<VarId, ExprId> {
    let parameters = bodies.functions.iter().flat_map(|function| &function.parameters);
    let of_parameters = parameters.filter(|parameter| parameter.annotation != NONE);
    let of_parameters = of_parameters.map(|parameter| (parameter.variable, parameter.annotation));
    let of_statements = bodies.statements.iter().rev().filter_map(|statement| match *statement {
        Stmt::Annotated { target, annotation, .. } => match *bodies.kind(target)? {
            ExprKind::Name { variable, .. } if variable != NONE => Some((variable, annotation)),
            _ => None,
        },
        _ => None,
    });
    of_parameters.chain(of_statements).collect()
}
