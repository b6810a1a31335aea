//! `match` statements over abstract values: what the variables of a pattern are bound to.
//!
//! Goes in: the subject and the cases. Comes out: the environment after all of them.

use std::sync::Arc;

use crate::{
    facts::{
        bodies::{Capture, Case, ExprId, ExprKind, NONE},
        interface::EntityHead,
    },
    model::{Basis, EntityFlags, EntityId, EntityKind},
    resolve::{
        engine::{Solver, output::Place},
        names::Target,
        values::{self, SetId, Value},
    },
};

impl Solver<'_> {
    pub(crate) fn match_cases(&mut self, subject: ExprId, cases: &[Case]) {
        let mut set = self.eval(subject);
        let mut before = self.environment.clone();
        let alive = self.is_alive;
        let mut ends = Vec::new();
        for case in cases {
            self.environment.clone_from(&before);
            self.is_alive = alive;
            let mut matched = SetId::EMPTY;
            for &class in &case.classes {
                let class = self.eval(class);
                let instances = self.instances(class, Basis::Constructed);
                matched = self.sets.union(matched, instances);
            }
            for &value in &case.values {
                self.eval(value);
            }
            let whole = if case.classes.is_empty() { set } else { matched };
            for Capture { variable, path } in &case.captures {
                let found = if *variable == case.whole && *variable != NONE { whole } else { self.found_at(set, path) };
                if *variable != NONE {
                    self.assign_variable(*variable, found);
                }
            }
            if case.whole != NONE {
                self.assign_variable(case.whole, whole);
            }
            self.narrow_to(subject, matched);
            self.eval_test(case.guard);
            self.block(&case.body);
            if self.is_alive {
                ends.push(self.environment.clone());
            }
            // The next cases see what this one does not take.
            if case.guard == NONE && !case.has_parts && matched != SetId::EMPTY {
                self.environment.clone_from(&before);
                self.narrow_out(subject, matched);
                before.clone_from(&self.environment);
                set = self.others(set, matched).unwrap_or(set);
            }
        }
        self.is_alive = alive;
        self.environment = before;
        for end in &ends {
            self.join(end);
        }
    }

    /// What lies at the end of a way through the subject; says the attributes that are asked for at its end.
    fn found_at(&mut self, subject: SetId, path: &[ExprId]) -> SetId {
        let bodies = self.bodies;
        let mut set = subject;
        for (index, &step) in path.iter().enumerate() {
            let place = self.place_of(step);
            set = match bodies.kind(step) {
                Some(&ExprKind::Attribute { base: NONE, name }) => {
                    let (found, heads) = self.attribute(set, name, place, NONE, None);
                    if index + 1 == path.len() {
                        self.mention_all(&heads, place, None);
                    }
                    found
                }
                Some(&ExprKind::Subscript { base: NONE, index }) => match bodies.kind(index) {
                    Some(&ExprKind::Int(position)) => {
                        let position = usize::try_from(position).unwrap_or(0);
                        self.unpacked(set, NONE, position, position + 1, place)
                    }
                    None => self.elements(set),
                    Some(_) => self.item_of(set, index, place),
                },
                Some(&ExprKind::Int(position)) => {
                    let position = usize::try_from(position).unwrap_or(usize::MAX);
                    self.positional(set, position, place)
                }
                Some(&ExprKind::Starred(NONE)) => self.view(set),
                None | Some(ExprKind::Unknown(_)) => SetId::EMPTY,
                Some(_) => {
                    let class = self.quiet(|this| this.eval(step));
                    let instances = self.instances(class, Basis::Constructed);
                    let fitting = self.fitting(set, instances);
                    self.only(fitting, |value| !matches!(value, Value::Unknown))
                }
            };
        }
        set
    }

    /// `x` in `case Point(x, y)`: what an object has in this place.
    fn positional(&mut self, objects: SetId, position: usize, place: Place) -> SetId {
        let objects = self.concrete(objects);
        let mut result = SetId::EMPTY;
        for at in self.sets.range(objects) {
            let (Value::Instance(class), basis) = values::parts(self.sets.at(at)) else { continue };
            let Some(name) = self.attribute_at(class, position) else { continue };
            let found = self.attribute_of(Value::Instance(class), basis, &name, place);
            self.mention_all(&found.heads, place, None);
            result = self.sets.union(result, found.set);
        }
        result
    }

    /// The attribute that a pattern asks for by this position: the fields that a class and its bases declare, in order, else
    /// what `__init__` takes there.
    fn attribute_at(&mut self, class: EntityId, position: usize) -> Option<String> {
        let mro = Arc::clone(&self.look.mro(class));
        let mut names: Vec<String> = Vec::new();
        for &owner in mro.classes.iter().rev() {
            self.look.with_entity(owner, |info, entity| {
                let is_field = |head: &&EntityHead| {
                    let is_own = head.parent == entity && head.duplicate == 0;
                    is_own && head.kind == EntityKind::Variable && !head.flags.has(EntityFlags::INSTANCE_ATTRIBUTE)
                };
                for head in info.interface.entities.iter().filter(is_field) {
                    let name = info.interface.names.text(head.name);
                    if !name.starts_with("__") && !names.iter().any(|other| other == name) {
                        names.push(name.to_owned());
                    }
                }
                Some(())
            });
        }
        if names.is_empty()
            && let Some((_, targets)) = self.look.inherited(class, "__init__", None)
            && let Some(&Target::Entity(init)) = targets.first()
        {
            let place = self.look.signature(init, 0)?;
            let parameter = place.signature().parameters.get(position + 1)?;
            return Some(place.info.interface.names.text(parameter.name).to_owned());
        }
        names.into_iter().nth(position)
    }
}
