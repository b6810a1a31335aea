//! Imports as statements, and declared variables.

use crate::{
    facts::{bodies::ExprId, interface::ModulePath},
    model::{Basis, RelationshipKind, UnresolvedReason},
    resolve::{
        names::Targets,
        solver::Solver,
        values::{Kinds, SetId, Sets, condition::Tests},
    },
};

impl Solver<'_> {
    /// The conditions that a test with this outcome sets on parameters and on computed names.
    pub(crate) fn conditions_of(&self, test: ExprId, outcome: bool) -> Tests {
        let of_names = self.bodies.test_of_names(test, outcome).map(|test| (test, true));
        self.test_of_passed(test, outcome).into_iter().chain(of_names).collect()
    }

    pub(crate) fn join(&mut self, other: &[SetId]) {
        let variables = self.bodies.scopes[self.scope as usize].size as usize;
        self.state.environment.truncate(other.len().max(variables));
        for (slot, (here, &there)) in self.state.environment.iter_mut().zip(other).enumerate() {
            if *here == there {
                continue;
            }
            let is_half_known = slot >= variables && (*here == SetId::EMPTY || there == SetId::EMPTY);
            *here = if is_half_known { SetId::EMPTY } else { self.sets.union(*here, there) };
        }
    }

    /// Emits the imports of the parts of `a.b.c`, each at its own place.
    pub(crate) fn import_path(&mut self, module: &ModulePath, place: (u32, u32)) {
        let bodies = self.bodies;
        let (line, mut column) = place;
        if module.level > 0 && module.parts.is_empty() {
            self.import_part(module, 0, place);
        }
        column += module.level;
        for length in 1..=module.parts.len() {
            self.import_part(module, length, (line, column));
            let text = bodies.names.text(module.parts[length - 1]);
            column += u32::try_from(text.len()).unwrap_or(0) + 1;
        }
    }

    fn import_part(&mut self, module: &ModulePath, length: usize, place: (u32, u32)) {
        let bodies = self.bodies;
        let targets = self.import_written(module.level, &module.parts[..length], None);
        if targets.is_empty() && length == module.parts.len() {
            let name = module.parts.last().map_or("", |&part| bodies.names.text(part));
            self.emit_unresolved(name, place, UnresolvedReason::MissingModule, "", None);
        }
        for target in targets {
            if let Some(entity) = self.look.entity_of(target) {
                self.emit(entity, RelationshipKind::Imports, Basis::Import, place);
            }
        }
    }

    /// The values that targets stand for.
    pub(crate) fn target_values(&mut self, targets: &Targets, basis: Basis) -> SetId {
        let mut set = SetId::EMPTY;
        for &target in targets {
            let values = self.target_value(target, basis);
            set = self.sets.union(set, values);
        }
        set
    }
}

impl Sets {
    /// The values of a module's name that `__getattr__` computes and that is declared for type checkers: the declared
    /// definition, else the computed values.
    pub(crate) fn declared_or_computed(&mut self, declared: SetId, computed: SetId) -> SetId {
        let is_told = self.holds(declared, Kinds::CLASSES.or(Kinds::FUNCTIONS));
        if is_told { declared } else { self.union(declared, computed) }
    }
}
