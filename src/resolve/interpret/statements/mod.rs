//! Runs statements over points-to sets: assignments are strong, branches are joined, loops run twice.

pub(crate) mod imported;

use crate::{
    facts::{
        Bodies,
        bodies::{Block, ExprId, ExprKind, Handler, NONE, Operator, ScopeKind, Stmt, VarId},
        hash_name,
        interface::ModulePath,
    },
    model::{Basis, EntityId, Position, RelationshipKind, UnresolvedReason},
    resolve::{
        interpret::Interpreter,
        names::{Target, Targets},
        solver::Solver,
        values::{SetId, Value, questions},
    },
};

/// An assignment `target: annotation = value` as the rules for assignments see it.
struct Assignment {
    target: ExprId,
    /// [`NONE`] where nothing is annotated.
    annotation: ExprId,
    value: ExprId,
    /// The points-to set of the annotation.
    declared: SetId,
}

/// The part that a rule has in an assignment.
enum AssignmentRule {
    /// Adds values to those that are assigned.
    Add(fn(&mut Interpreter<'_>, &Assignment) -> SetId),
    /// Replaces the values that are assigned.
    Replace(fn(&mut Interpreter<'_>, &Assignment, SetId) -> SetId),
    /// Emits relationships or adds to cells; the values stay.
    Record(fn(&mut Interpreter<'_>, &Assignment, SetId)),
    /// The same for a rule that needs the solver alone.
    RecordKnown(fn(&mut Solver<'_>, &Assignment)),
}
use AssignmentRule::{Add, Record, RecordKnown, Replace};

/// Rules for `target = value`. Frameworks come before types: a setting gives up its text for the definitions that the
/// text names, and the declared type applies to those.
const ASSIGNED: &[AssignmentRule] = &[
    // A lambda in the body of a class gets its receiver.
    RecordKnown(|solver, at| solver.pass_own_class(at.target, at.value)),
    // Settings stand in the scope of a module.
    Replace(|this, at, set| if this.solver.scope == 0 { this.setting_assigned(at.target, at.value, set) } else { set }),
    RecordKnown(|solver, at| solver.environment_assigned(at.target, at.value)),
    RecordKnown(|solver, at| solver.members_in_text(at.target, at.value)),
    Add(|this, at| this.declared_by_parameter(at.target, at.annotation, at.value)),
];

/// Rules for `target: annotation = value` and `target: annotation`. Those that pass on the value on its own come before
/// those that add declared values to it.
const ANNOTATED: &[AssignmentRule] = &[
    Record(|this, at, _| this.pass_to_post_init(at.target, at.annotation, at.declared)),
    RecordKnown(declare_in_stub),
    Record(|this, at, set| this.pass_declared(at.annotation, set)),
    RecordKnown(|solver, at| solver.keys_written(at.declared, at.value)),
    Add(|_, at| at.declared),
    Add(|this, at| this.declared_by_parameter(at.target, at.annotation, at.value)),
    Add(|this, at| this.instances_of_field(at.target, at.annotation)),
];

/// A variable of a stub declares the variable of the module beside it.
fn declare_in_stub(solver: &mut Solver<'_>, at: &Assignment) {
    if solver.stubbed.is_some()
        && let Some(&ExprKind::Name { variable, .. }) = solver.bodies.kind(at.target)
    {
        solver.declare(variable, at.declared);
    }
}

impl Interpreter<'_> {
    pub(crate) fn block(&mut self, block: &[u32]) {
        let bodies = self.solver.bodies;
        for &statement in block {
            if !self.solver.state.is_alive
                && self.solver.bodies.scopes[self.solver.scope as usize].kind == ScopeKind::Function
            {
                // Unreachable code still refers to the definitions that it names.
                self.solver.state.is_alive = true;
                self.statement(&bodies.statements[statement as usize]);
                self.solver.state.is_alive = false;
                continue;
            }
            self.statement(&bodies.statements[statement as usize]);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        let emitted = (self.solver.output.relationships.len(), self.solver.output.unresolved.len());
        self.solver.comes_from_statement(statement);
        self.run_statement(statement);
        if self.solver.function == NONE
            && self.solver.scope == 0
            && let Some(variable) = self.solver.variable_made(statement)
        {
            // The first two read the module's output before the third makes it the variable's.
            self.note_metadata(variable, statement, emitted.0);
            self.note_group(variable, statement);
            self.attribute_to_variable(variable, statement, emitted);
        }
    }

    /// Makes the variable of a module's statement the source of the statement's output. Definitions that the statement
    /// passes on are registered with the variable.
    fn attribute_to_variable(&mut self, variable: EntityId, statement: &Stmt, emitted: (usize, usize)) {
        let passed_on = self.solver.attribute_to_variable(variable, statement, emitted);
        let is_call = matches!(statement, Stmt::Expr(_));
        // An existing object keeps the arguments of its methods, whoever wrote its class.
        if !passed_on.is_empty()
            && (self.solver.is_made_outside(variable) || is_call && self.keeps_an_instance(variable))
        {
            self.solver.register_passed_on(variable, &passed_on);
        }
    }

    /// Assigns the values that are left after the rules.
    fn assign_by_rules(&mut self, rules: &[AssignmentRule], at: &Assignment, mut set: SetId) {
        for rule in rules {
            match rule {
                Add(rule) => {
                    let added = rule(self, at);
                    set = self.solver.sets.union(set, added);
                }
                Replace(rule) => set = rule(self, at, set),
                Record(rule) => rule(self, at, set),
                RecordKnown(rule) => rule(&mut self.solver, at),
            }
        }
        self.assign(at.target, set, at.value);
    }

    fn run_statement(&mut self, statement: &Stmt) {
        let tests = self.solver.state.tests.len();
        match statement {
            Stmt::Expr(value) => {
                self.eval(*value);
            }
            Stmt::Assign { target, value } => {
                let set = self.eval(*value);
                let at = Assignment { target: *target, annotation: NONE, value: *value, declared: SetId::EMPTY };
                self.assign_by_rules(ASSIGNED, &at, set);
            }
            Stmt::Augmented { target, operator, value } => self.augmented(*target, *operator, *value),
            Stmt::Annotated { target, annotation, value } => {
                let declared = self.annotation(*annotation);
                let is_around = self.solver.is_annotation;
                self.solver.is_annotation |= self.solver.is_alias(*annotation);
                let set = if *value == NONE { SetId::EMPTY } else { self.eval(*value) };
                self.solver.is_annotation = is_around;
                let at = Assignment { target: *target, annotation: *annotation, value: *value, declared };
                self.assign_by_rules(ANNOTATED, &at, set);
            }
            Stmt::Annotation(annotation) => {
                self.annotation(*annotation);
            }
            Stmt::Return(value) => self.return_value(*value),
            Stmt::Raise { exception, cause } => self.raise(*exception, *cause),
            Stmt::Assert { test, message } => {
                self.eval_test(*test);
                // The message is evaluated where the test failed, so before the test narrows anything.
                self.eval(*message);
                self.narrow(*test, true);
            }
            Stmt::Delete(target) => self.delete(*target),
            Stmt::If { test, then, otherwise } => self.branch(*test, then, otherwise),
            Stmt::While { test, body, otherwise } => self.while_loop(*test, body, otherwise),
            Stmt::For { is_async, target, iterable, body, otherwise } => {
                let iterated = self.eval(*iterable);
                let place = self.solver.bodies.place_of(*iterable);
                let element = self.iterate_by(*is_async, iterated, place, 0);
                self.repeat(body, |this, _| {
                    // The body may assign the target, so each pass begins with an element again.
                    this.taken_from(*iterable);
                    this.assign_element(*target, *iterable, element);
                });
                self.block(otherwise);
            }
            Stmt::With { is_async, items, body } => self.with_block(*is_async, items, body),
            Stmt::Try { body, handlers, otherwise, finally } => self.try_block(body, handlers, otherwise, finally),
            Stmt::Match { subject, cases } => self.match_cases(*subject, cases),
            Stmt::Function(index) => self.define_function(*index),
            Stmt::Class(index) => self.define_class(*index),
            Stmt::Import { .. } | Stmt::ImportFrom { .. } | Stmt::ImportStar { .. } => self.import_statement(statement),
            Stmt::Jump => {
                self.solver.state.is_alive = false;
                self.has_jumped = true;
            }
        }
        // The test of an `if` with a branch that always leaves holds for the rest of the block.
        if !matches!(statement, Stmt::If { .. }) {
            self.solver.state.tests.truncate(tests);
        }
    }

    fn raise(&mut self, exception: ExprId, cause: ExprId) {
        let raised = self.eval_as(exception, RelationshipKind::Raises);
        // `raise Missing` makes an instance.
        let raised = self.expand_parameters(raised);
        let classes = self.solver.sets.only(raised, |value| matches!(value, Value::Class(_)));
        if classes != SetId::EMPTY {
            self.call_sets(classes, &[], self.solver.bodies.place_of(exception));
        }
        self.eval(cause);
        self.solver.state.is_alive = false;
    }

    fn while_loop(&mut self, test: ExprId, body: &Block, otherwise: &Block) {
        self.eval_test(test);
        let ends_by_test = self.repeat(body, |this, is_first| {
            if !is_first {
                this.eval_test(test);
            }
            this.narrow(test, true);
        });
        // A `break` ends the loop with the test still true.
        if ends_by_test {
            self.narrow(test, false);
        }
        self.block(otherwise);
    }

    fn with_block(&mut self, is_async: bool, items: &[(ExprId, ExprId)], body: &Block) {
        let is_left = !self.solver.bodies.fails_at_once(body);
        for &(context, target) in items {
            let manager = self.eval(context);
            let entered = self.enter(manager, Some(is_async), is_left, self.solver.bodies.place_of(context));
            if target != NONE {
                self.solver.comes_from(context);
                self.assign(target, entered, NONE);
            }
        }
        self.block(body);
    }

    fn branch(&mut self, test: ExprId, then: &Block, otherwise: &Block) {
        self.eval_test(test);
        let before = self.solver.state.environment.clone();
        let alive = self.solver.state.is_alive;
        let tests = self.solver.state.tests.len();
        // The conditions are read before the branches assign the names that they look at.
        let outcomes = [true, false].map(|outcome| self.solver.conditions_of(test, outcome));
        self.solver.state.tests.extend(outcomes[0].iter().copied());
        self.narrow(test, true);
        let first = self.solver.output.relationships.len();
        self.block(then);
        self.solver.calls_are_of_script(test, first);
        self.solver.state.tests.truncate(tests);
        let after_then = std::mem::replace(&mut self.solver.state.environment, before);
        let then_alive = std::mem::replace(&mut self.solver.state.is_alive, alive);
        self.solver.state.tests.extend(outcomes[1].iter().copied());
        self.narrow(test, false);
        self.block(otherwise);
        self.solver.state.tests.truncate(tests);
        match (then_alive, self.solver.state.is_alive) {
            (true, true) => self.solver.join(&after_then),
            (true, false) => {
                self.solver.state.environment = after_then;
                self.solver.state.is_alive = true;
                self.solver.state.tests.extend(outcomes[0].iter().copied());
            }
            // The statements after it run only where the test failed.
            (false, true) => self.solver.state.tests.extend(outcomes[1].iter().copied()),
            (false, false) => {}
        }
    }

    /// Runs a loop's body on the state before it, then on the joined state after one pass. Returns whether only the
    /// test ends the loop.
    fn repeat(&mut self, body: &Block, mut before_each: impl FnMut(&mut Self, bool)) -> bool {
        let alive = self.solver.state.is_alive;
        let has_jumped_before = std::mem::replace(&mut self.has_jumped, false);
        let before = self.solver.state.environment.clone();
        before_each(self, true);
        self.block(body);
        self.solver.state.is_alive = alive;
        self.solver.join(&before);
        // A variable that was unbound before the loop cannot be read before it is assigned.
        let has_changed =
            before.iter().zip(&self.solver.state.environment).any(|(old, new)| *old != SetId::EMPTY && old != new);
        // Loops in loops would double the work at each level.
        if has_changed && self.depth < 3 {
            self.depth += 1;
            let entry = self.solver.state.environment.clone();
            before_each(self, false);
            self.block(body);
            self.solver.state.is_alive = alive;
            self.solver.join(&entry);
            self.depth -= 1;
        }
        !std::mem::replace(&mut self.has_jumped, has_jumped_before)
    }

    fn try_block(&mut self, body: &Block, handlers: &[Handler], otherwise: &Block, finally: &Block) {
        let before = self.solver.state.environment.clone();
        let alive = self.solver.state.is_alive;
        self.block(body);
        let body_alive = self.solver.state.is_alive;
        // A handler can begin anywhere in the body.
        let after_body = self.solver.state.environment.clone();
        self.solver.join(&before);
        let at_handler = std::mem::replace(&mut self.solver.state.environment, after_body);
        self.block(otherwise);
        let mut ends = vec![(self.solver.state.environment.clone(), self.solver.state.is_alive && body_alive)];
        for handler in handlers {
            self.solver.state.environment.clone_from(&at_handler);
            self.solver.state.is_alive = alive;
            let caught = self.exception_instances(handler.exception);
            if handler.variable != NONE {
                self.solver.assign_variable(handler.variable, caught);
            }
            self.block(&handler.body);
            ends.push((self.solver.state.environment.clone(), self.solver.state.is_alive));
        }
        let mut living = ends.iter().filter(|(_, alive)| *alive);
        if let Some((first, _)) = living.next() {
            self.solver.state.environment.clone_from(first);
            self.solver.state.is_alive = true;
            for (other, _) in living {
                self.solver.join(other);
            }
        } else {
            self.solver.state.is_alive = false;
            self.solver.state.environment = at_handler;
        }
        // `finally` runs however the blocks before it end.
        let ended = self.solver.state.is_alive;
        self.solver.state.is_alive = true;
        self.block(finally);
        self.solver.state.is_alive &= ended;
    }

    /// Instances of the classes in `except …`.
    fn exception_instances(&mut self, exception: ExprId) -> SetId {
        if exception == NONE {
            return SetId::EMPTY;
        }
        let set = self.eval(exception);
        let members = self.iterate_literal(exception);
        let set = self.solver.sets.union(set, members);
        self.instances(set, Basis::Constructed)
    }

    fn augmented(&mut self, target: ExprId, operator: Operator, value: ExprId) {
        let right = self.eval(value);
        let left = self.eval(target);
        let right = if self.solver.scope == 0 { self.setting_assigned(target, value, right) } else { right };
        let place = self.solver.bodies.place_of(target);
        let set = self.binary(operator, left, right, place, true);
        self.write(target, set);
    }

    /// The values of an assigned variable: its declared type is added where its value is not followed.
    fn declared_or(&mut self, variable: VarId, set: SetId) -> SetId {
        if !self.solver.sets.is_nothing_followed(set) {
            return set;
        }
        let none = Value::ExternalInstance(crate::resolve::library::known::NONE_TYPE);
        match self.solver.bindings.annotations.get(&variable).copied() {
            Some(annotation) if self.solver.sets.only(set, |value| value == none) == SetId::EMPTY => {
                let declared = self.quiet(|this| this.annotation(annotation));
                self.solver.sets.union(set, declared)
            }
            _ => set,
        }
    }

    /// Assigns a set to a target and emits the writes.
    pub(crate) fn assign(&mut self, target: ExprId, set: SetId, value: ExprId) {
        if target == NONE {
            return;
        }
        let bodies = self.solver.bodies;
        match &bodies.expressions[target as usize].kind {
            ExprKind::Sequence { items, .. } => {
                let items = bodies.list(*items);
                let place = self.solver.bodies.place_of(target);
                let is_star = |&item: &ExprId| matches!(bodies.expressions[item as usize].kind, ExprKind::Starred(_));
                if let Some(star) = items.iter().position(is_star) {
                    self.assign_starred(items, star, set, value, place);
                    return;
                }
                for (index, &item) in items.iter().enumerate() {
                    let element = self.unpacked(set, value, index, items.len(), place);
                    self.assign(item, element, NONE);
                }
            }
            ExprKind::Starred(inner) => self.assign(*inner, set, NONE),
            ExprKind::Attribute { base, name } => {
                self.note_assigned_by_receiver(*base, *name, value, set);
                self.write(target, set);
            }
            _ => self.write(target, set),
        }
    }

    fn write_variable(&mut self, variable: VarId, set: SetId, place: Position) {
        let bodies = self.solver.bodies;
        let info = &bodies.variables[variable as usize];
        if info.entity != NONE {
            let record = &bodies.records[info.entity as usize];
            // The definition itself is no write.
            if (record.line, record.column) != place {
                let entity = self.solver.look.own.id(info.entity);
                self.solver.emit(entity, RelationshipKind::Writes, Basis::Scope, place);
            }
        }
        let set = self.declared_or(variable, set);
        self.solver.assign_variable(variable, set);
        let scope = &bodies.scopes[info.scope as usize];
        if scope.kind == ScopeKind::Class {
            let class = self.solver.look.own.id(scope.entity);
            self.solver.add(questions::attribute(class, bodies.names.hash(info.name)), set);
            let objects = self.solver.sets.only(set, |value| matches!(value, Value::Instance(_)));
            self.special(objects, "__set_name__", &[], place);
        }
    }

    fn write_item(&mut self, target: ExprId, (base, index): (ExprId, ExprId), set: SetId, place: Position) {
        let container = self.eval(base);
        self.store_in_dict(base, index, set);
        let slot = self.solver.slot(index);
        if let Some(&ExprKind::Attribute { base: keeper, .. }) = self.solver.bodies.kind(base)
            && self.solver.sets.can_be_kept(set)
        {
            let keeper = self.quiet(|this| this.eval(keeper));
            self.keep_on_some_object(keeper, slot.encode(), set);
        }
        let index = self.eval(index);
        self.store_element(container, slot, index, set, place);
        // A later read asks the object's own method, if it has one.
        let given = self.quiet(|this| this.special(container, "__getitem__", &[index], place));
        let set = self.solver.sets.union(set, given);
        self.solver.assign_place(target, set);
    }

    fn write(&mut self, target: ExprId, set: SetId) {
        if target == NONE {
            return;
        }
        let bodies = self.solver.bodies;
        let expression = &bodies.expressions[target as usize];
        let place = (expression.line, expression.column);
        match &expression.kind {
            ExprKind::Name { variable, .. } if *variable != NONE => self.write_variable(*variable, set, place),
            ExprKind::Attribute { base, name } => {
                let receivers = self.eval(*base);
                self.store_attribute(receivers, *name, set, place, *base);
                self.keep_on_some_object(receivers, bodies.names.hash(*name), set);
                self.solver.assign_place(target, set);
            }
            ExprKind::Subscript { base, index } => self.write_item(target, (*base, *index), set, place),
            _ => {
                self.eval(target);
            }
        }
    }

    fn delete(&mut self, target: ExprId) {
        let bodies = self.solver.bodies;
        match &bodies.expressions[target as usize].kind {
            ExprKind::Name { variable, .. } if *variable != NONE => {
                let info = &bodies.variables[*variable as usize];
                if info.scope == self.solver.scope {
                    self.solver.engine.touch(info.slot, &self.solver.state);
                    self.solver.state.environment[info.slot as usize] = SetId::EMPTY;
                }
            }
            ExprKind::Subscript { base, index } => {
                let container = self.eval(*base);
                self.eval(*index);
                self.special(container, "__delitem__", &[], self.solver.bodies.place_of(target));
            }
            ExprKind::Attribute { base, name } => {
                let (place, emitted) = (self.solver.bodies.place_of(target), self.solver.output.relationships.len());
                self.eval_as(target, RelationshipKind::Writes);
                self.solver.nothing_is_read(place, emitted);
                let objects = self.quiet(|this| this.eval(*base));
                self.delete_attribute(objects, *name, place);
            }
            _ => {
                self.eval_as(target, RelationshipKind::Writes);
            }
        }
    }

    fn import_statement(&mut self, statement: &Stmt) {
        let bodies = self.solver.bodies;
        match statement {
            Stmt::Import { module, variable, is_alias, line, column } => {
                self.solver.import_path(module, (*line, *column));
                let parts = if *is_alias { module.parts.as_slice() } else { &module.parts[..1] };
                let bound = self.solver.import_written(module.level, parts, None);
                let set = self.solver.target_values(&bound, Basis::Import);
                self.solver.assign_variable(*variable, set);
            }
            Stmt::ImportFrom { module, name, variable, line, column, name_line, name_column } => {
                self.solver.import_path(module, (*line, *column));
                let text = bodies.names.text(*name);
                let targets = self.solver.import_written(module.level, &module.parts, Some(text));
                let place = (*name_line, *name_column);
                let computed = self.computed_import(module, text, &targets, place);
                if targets.is_empty() && computed.is_none() {
                    self.solver.emit_unresolved(text, place, UnresolvedReason::MissingModule, "", None);
                }
                for &target in &targets {
                    if let Some(entity) = self.solver.look.entity_of(target) {
                        self.solver.emit(entity, RelationshipKind::Imports, Basis::Import, place);
                    }
                }
                let set = self.solver.target_values(&targets, Basis::Import);
                let set = self.solver.sets.declared_or_computed(set, computed.unwrap_or_default());
                self.solver.assign_variable(*variable, set);
            }
            Stmt::ImportStar { module, line, column } => self.solver.import_path(module, (*line, *column)),
            _ => {}
        }
    }

    /// The values that a module's `__getattr__` gives for a name imported from it.
    fn computed_import(
        &mut self,
        module: &ModulePath,
        name: &str,
        targets: &Targets,
        place: (u32, u32),
    ) -> Option<SetId> {
        // A stub is never run.
        if self.solver.look.own.path.ends_with(".pyi") {
            return None;
        }
        let modules = self.solver.import_written(module.level, &module.parts, None);
        let file = modules.into_iter().find_map(|target| match target {
            Target::Module(file) => Some(file),
            _ => None,
        })?;
        let is_there = !targets.is_empty() && !self.solver.look.is_only_declared(targets);
        if is_there && !self.solver.look.is_for_types(file, hash_name(name)) {
            return None;
        }
        let found = self.computed_member(file, name, place);
        (!found.is_missing).then_some(found.set)
    }
}

impl Bodies {
    /// Whether a block only says that the test failed, by `self.fail(…)` or `pytest.fail(…)`: the code around it is
    /// expected to raise before.
    fn fails_at_once(&self, block: &Block) -> bool {
        let Some(&Stmt::Expr(value)) = block.first().and_then(|&first| self.statements.get(first as usize)) else {
            return false;
        };
        let Some(&ExprKind::Call { callee, .. }) = self.kind(value) else { return false };
        let Some(&ExprKind::Attribute { base, .. }) = self.kind(callee) else { return false };
        self.last_name(callee) == Some("fail") && matches!(self.last_name(base), Some("self" | "pytest"))
    }
}
