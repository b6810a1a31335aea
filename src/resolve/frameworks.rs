//! Decorators of frameworks: what is decorated is registered with an object, and runs when that is used.
//!
//! Goes in: a decorator and what it decorates. Comes out: *registers* relationships to the object's definition. What each
//! decorator does stands in `rules`.

use super::{
    calls::Arguments,
    emit::Place,
    keys,
    lookup::Target,
    rules::{Argument, rules},
    solver::Solver,
    value::{self, SetId, Value},
};
use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE},
    },
    model::{Basis, EntityId, RelationshipKind},
};

impl Solver<'_> {
    /// Says what the present entity is registered with by its decorator.
    pub(super) fn register(&mut self, decorator: ExprId) {
        let bodies = self.bodies;
        let callee = match bodies.expressions[decorator as usize].kind {
            ExprKind::Call { callee, .. } => callee,
            _ => decorator,
        };
        let set = self.quiet(|this| this.head(callee).0);
        for path in self.outside_paths(set) {
            if rules().registers(path)
                && let ExprKind::Attribute { base, .. } = bodies.expressions[callee as usize].kind
            {
                self.register_with(base);
            }
            if let Some(signal) = rules().signal(path) {
                self.connect_decorated(signal, decorator);
            }
            if let Some(first) = rules().passes_first(path) {
                let passed = match (first.object, first.attribute) {
                    (Some(object), Some(attribute)) => self.kept_outside(object, attribute),
                    (Some(object), None) => self.sets.single(Value::ExternalInstance(object), Basis::Passed),
                    (None, _) => self.only(set, |value| matches!(value, Value::Instance(_))),
                };
                self.add(keys::parameter(self.entity, 0, 0), passed);
            }
            let Some(rule) = rules().registers_with(path) else { continue };
            let ExprKind::Call { arguments, keywords, .. } = bodies.expressions[decorator as usize].kind else {
                continue;
            };
            let given = match rule.argument {
                Argument::Position(position) => bodies.list(arguments).get(position).copied(),
                Argument::Keyword(hash) => bodies
                    .keywords(keywords)
                    .iter()
                    .find(|&&(name, _)| name != NONE && bodies.names.hash(NameId(name)) == hash)
                    .map(|&(_, value)| value),
            };
            let Some(given) = given else { continue };
            let classes = match (bodies.text(given), rule.kind) {
                (Some(text), Some(kind)) => {
                    let classes = self.named(kind, text);
                    self.refer_by_text(classes, RelationshipKind::Registers, self.place_of(given));
                    classes
                }
                _ => {
                    self.register_with(given);
                    self.quiet(|this| this.eval(given))
                }
            };
            let function = self.entity;
            if let Some(attribute) = rule.attribute {
                let held = self.only(classes, |value| matches!(value, Value::Class(_)));
                self.add(keys::attribute(function, attribute), held);
            }
            if let Some(parameter) = rule.passes.and_then(|passes| self.parameter_named(function, passes)) {
                self.pass_instances(function, parameter, classes);
            } else if let Some(parameter) = rule.passes_at.and_then(|at| u32::try_from(at).ok()) {
                self.pass_instances(function, parameter, classes);
            }
        }
    }

    /// The index of the parameter of this name, by its hash.
    pub(super) fn parameter_named(&mut self, function: EntityId, parameter: u64) -> Option<u32> {
        let place = self.look.signature(function, 0)?;
        let names = &place.info.interface.names;
        let mut heads = (0..).zip(&place.signature().parameters);
        heads.find(|(_, head)| names.hash(head.name) == parameter).map(|(index, _)| index)
    }

    /// A function is given instances of classes for a parameter.
    pub(super) fn pass_instances(&mut self, function: EntityId, parameter: u32, classes: SetId) {
        let instances = self.instances(classes, Basis::Passed);
        let instances = self.only(instances, |value| matches!(value, Value::Instance(_)));
        self.add(keys::parameter(function, 0, parameter), instances);
    }

    /// The definition that an expression names, or that it is an attribute of: `app` in `app.cli`.
    fn register_with(&mut self, object: ExprId) {
        let bodies = self.bodies;
        let mut at = object;
        loop {
            let (_, heads) = self.quiet(|this| this.head(at));
            let named: Vec<(EntityId, Basis)> = heads
                .iter()
                .filter_map(
                    |&(target, basis)| if let Target::Entity(entity) = target { Some((entity, basis)) } else { None },
                )
                .collect();
            let place = self.place_of(at);
            for &(entity, basis) in &named {
                self.edge(entity, RelationshipKind::Registers, basis, place);
            }
            match bodies.expressions[at as usize].kind {
                ExprKind::Attribute { base, .. } if named.is_empty() => at = base,
                _ => return,
            }
        }
    }

    /// The object that a framework makes of a function, beside the function itself.
    pub(super) fn object_made(&mut self, made: SetId) -> SetId {
        let objects = self.outside_paths(made).into_iter().filter_map(|path| rules().makes(path));
        let entries: value::Entries =
            objects.map(|object| value::entry(Value::ExternalInstance(object), Basis::Returned)).collect();
        self.sets.of(entries)
    }

    /// Makes an instance of the class that a keyword names, where a framework does.
    pub(super) fn instantiate_named(&mut self, call: u64, arguments: &Arguments, place: Place) {
        let Some(keyword) = rules().instantiates(call) else { return };
        let Some(&(_, set)) = arguments.keywords.iter().find(|(name, _)| *name == keyword) else { return };
        let classes = self.concrete(set);
        let classes = self.only(classes, |value| matches!(value, Value::Class(_)));
        self.call_sets(classes, &[], place);
    }

    fn outside_paths(&self, set: SetId) -> Vec<u64> {
        let paths = self.sets.entries(set).iter().filter_map(|&entry| match value::parts(entry).0 {
            Value::External(path) | Value::ExternalInstance(path) => Some(path),
            _ => None,
        });
        paths.collect()
    }
}
