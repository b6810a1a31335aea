//! The effects of a change on instantiation: abstract methods, new and lost constructors, fields of data classes.
//!
//! Constructors are compared only for classes without bases outside of the repository: the others inherit unknown ones.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::{Claim, Judge, ancestry::MAX_HEIRS, calls::constructor};
use crate::{
    facts::{Bodies, bodies::NONE, written::DottedReference},
    model::{
        EntityFlags, EntityId, EntityKind, EntityRecord, RelationshipKind,
        signature::{Parameter, ParameterKind, Signature},
    },
    query::impact::verdict::Verdict,
    review::{
        fit::fit,
        states::{
            changes::{Spot, new_of, old_of},
            edits::Edit,
            versions::Version,
        },
    },
    store::error::StoreError,
};

impl Judge<'_, '_> {
    pub(super) fn classes(&mut self) -> Result<(), StoreError> {
        self.abstract_methods()?;
        let mut seen: BTreeSet<Spot> = BTreeSet::new();
        for change in self.changed {
            let (Some(old), Some(new)) = (
                change.old.or_else(|| self.twin(change.new, true)),
                change.new.or_else(|| self.twin(change.old, false)),
            ) else {
                continue;
            };
            let (was, is) = (class_of(old_of(self.pairs, old), old.1), class_of(new_of(self.pairs, new), new.1));
            let (Some(was), Some(is)) = (was, is) else { continue };
            if seen.insert((new.0, is)) {
                self.construction((old.0, was), (new.0, is))?;
            }
        }
        Ok(())
    }

    /// The class on the other side with the name of the class around a definition that only one side has.
    fn twin(&self, spot: Option<Spot>, wants_old: bool) -> Option<Spot> {
        let (pair, index) = spot?;
        let (here, there) = (&self.pairs[pair].old, &self.pairs[pair].new);
        let (from, to) = if wants_old { (there, here) } else { (here, there) };
        let (from, to) = (from.as_ref()?, to.as_ref()?);
        let class = class_of(from, index)?;
        let wanted = &from.records()[class];
        let is_it = |record: &EntityRecord| record.qualified == wanted.qualified && record.kind == EntityKind::Class;
        Some((pair, to.records().iter().position(is_it)?))
    }

    /// Compares the old and new signature of a class, and judges its calls.
    fn construction(&mut self, old: Spot, new: Spot) -> Result<(), StoreError> {
        let before = construction(old_of(self.pairs, old), old.1);
        let after = construction(new_of(self.pairs, new), new.1);
        let (Some(before), Some(after)) = (before, after) else { return Ok(()) };
        if before == after || (before.is_written && after.is_written) {
            // Two written constructors are compared as methods, in `calls`.
            return Ok(());
        }
        let Some(class) = self.entity(new)? else { return Ok(()) };
        let name = class.full_name();
        let simple = class.record.name.clone();
        let mut edits = Vec::new();
        for parameter in &before.signature.parameters {
            if !after.signature.parameters.iter().any(|p| p.name == parameter.name) {
                edits.push(Edit::ParameterRemoved { name: parameter.name.clone() });
            }
        }
        for relationship in self.graph.incoming(class.id)? {
            let Some(source) = self.graph.head(relationship.source)? else { continue };
            let uses = self.uses(source.file)?;
            let Some(call) = uses.calls.get(&(relationship.line, relationship.column)) else { continue };
            if relationship.kind != RelationshipKind::Calls {
                continue;
            }
            let found = fit(&simple, &before.signature, &after.signature, &call.shape, &edits);
            let Some((verdict, reason)) = found else { continue };
            self.claim_about(&name, Claim::about(relationship, verdict, reason))?;
        }
        Ok(())
    }

    /// Judges classes that do not implement a method which is abstract now.
    fn abstract_methods(&mut self) -> Result<(), StoreError> {
        for change in self.changed {
            let (Some(spot), Some(record)) = (change.new, self.new_record(change)) else { continue };
            let was_abstract = self.old_record(change).is_some_and(|old| old.flags.has(EntityFlags::ABSTRACT));
            let is_new = record.flags.has(EntityFlags::ABSTRACT) && !was_abstract;
            let version = new_of(self.pairs, spot);
            if !is_new || version.parent_kind(spot.1) != EntityKind::Class {
                continue;
            }
            let Some(entity) = self.entity(spot)? else { continue };
            let class = &version.records()[record.parent as usize];
            let bases =
                version.shape.at(class.line, class.column).map(|shape| shape.bases.as_slice()).unwrap_or_default();
            let is_enforced = bases.iter().any(|base| base.ends_with("ABC") || base.contains("ABCMeta"));
            let verdict = if is_enforced { Verdict::Breaks } else { Verdict::MayBreak };
            self.instances(entity.parent, &record.name, &entity.full_name(), verdict)?;
        }
        Ok(())
    }

    /// Adds claims about instances of a class, or a subclass, that does not implement `method`.
    fn instances(&mut self, class: EntityId, method: &str, name: &str, verdict: Verdict) -> Result<(), StoreError> {
        let (mut queue, mut seen) = (vec![class], FxHashSet::default());
        while let Some(at) = queue.pop() {
            if !seen.insert(at) || seen.len() > MAX_HEIRS {
                continue;
            }
            let Some(entity) = self.graph.entity(at)? else { continue };
            let children = self.store.children(at)?;
            if at != class && children.iter().any(|child| child.record.name == method) {
                continue;
            }
            let simple = &entity.record.name;
            let mut is_made = false;
            for relationship in self.graph.incoming(at)? {
                match relationship.kind {
                    RelationshipKind::Inherits => queue.push(relationship.source),
                    RelationshipKind::Calls => {
                        is_made = true;
                        let reason = format!(
                            "cannot make a `{simple}`: it does not implement `{method}`, which is abstract now"
                        );
                        self.claim_about(name, Claim::about(relationship, verdict, reason))?;
                    }
                    _ => {}
                }
            }
            let is_abstract = children.iter().any(|child| child.record.flags.has(EntityFlags::ABSTRACT));
            if at != class && !is_made && !is_abstract {
                let parent = self.graph.heirs(class)?.into_iter().find(|relationship| relationship.source == at);
                let reason = format!("does not implement `{method}`, which is abstract now");
                if let Some(relationship) = parent {
                    self.claim_about(name, Claim::about(relationship, Verdict::MayBreak, reason))?;
                }
            }
        }
        Ok(())
    }
}

/// Annotations of attributes of the class, which are no fields.
const CLASS_VARIABLES: [&str; 2] = ["typing.ClassVar", "typing_extensions.ClassVar"];

/// The signature under which a class is called.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Construction {
    /// Without `self`.
    signature: Signature,
    /// Whether the class has an `__init__` or `__new__` of its own.
    is_written: bool,
}

/// The class that a definition is, or that directly contains it.
fn class_of(version: &Version, index: usize) -> Option<usize> {
    let record = &version.records()[index];
    if record.kind == EntityKind::Class {
        return Some(index);
    }
    let parent = record.parent as usize;
    (version.records()[parent].kind == EntityKind::Class).then_some(parent)
}

/// The constructor of a class; `None` if it depends on unknown bases or decorators.
fn construction(version: &Version, class: usize) -> Option<Construction> {
    let record = &version.records()[class];
    let shape = version.shape.at(record.line, record.column)?;
    if shape.bases.iter().any(|base| base != "object") {
        return None;
    }
    let members = || {
        let members = version.records().iter().skip(1).filter(|member| member.parent as usize == class);
        members.filter_map(|member| Some((member, version.shape.at(member.line, member.column)?)))
    };
    let written = members().find(|(member, _)| matches!(member.name.as_str(), "__init__" | "__new__"));
    if let Some((_, shape)) = written {
        return Some(Construction { signature: constructor(shape), is_written: true });
    }
    let bodies = &version.facts.bodies;
    match bodies.decorators_at((record.line, record.column)).as_slice() {
        [] if shape.decorators.is_empty() => Some(Construction { signature: Signature::default(), is_written: false }),
        [decorator] if shape.decorators.len() == 1 && makes_constructor(bodies, decorator) => {
            let is_keyword_only = bodies.flag(decorator.expression, "kw_only") == Some(true);
            let fields = fields(bodies, members().map(|(member, _)| member), is_keyword_only);
            Some(Construction { signature: Signature { parameters: fields }, is_written: false })
        }
        _ => None,
    }
}

/// Whether a decorator is `dataclass`, under whatever name it is imported, and writes `__init__`.
fn makes_constructor(bodies: &Bodies, decorator: &DottedReference) -> bool {
    decorator.imported == "dataclasses.dataclass" && bodies.flag(decorator.expression, "init") != Some(false)
}

/// The parameters that the fields of a data class become, its members in the order of the source.
fn fields<'v>(
    bodies: &Bodies,
    members: impl Iterator<Item = &'v EntityRecord>,
    mut is_keyword_only: bool,
) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let is_of_class = |member: &&EntityRecord| {
        member.kind == EntityKind::Variable && !member.flags.has(EntityFlags::INSTANCE_ATTRIBUTE)
    };
    for member in members.filter(is_of_class) {
        let Some((annotation, value)) = bodies.annotated_at((member.line, member.column)) else { continue };
        let declared = bodies.reference(annotation).map(|name| name.imported).unwrap_or_default();
        if declared == "dataclasses.KW_ONLY" {
            is_keyword_only = true;
            continue;
        }
        let call = bodies.reference(value).filter(|name| name.imported == "dataclasses.field").map(|_| value);
        let flag = |keyword: &str| call.and_then(|call| bodies.flag(call, keyword));
        if CLASS_VARIABLES.contains(&declared.as_str()) || flag("init") == Some(false) {
            continue;
        }
        let has_default = match call {
            Some(call) => ["default", "default_factory"].iter().any(|keyword| bodies.may_pass(call, keyword)),
            None => value != NONE,
        };
        let is_named = flag("kw_only").unwrap_or(is_keyword_only);
        let kind = if is_named { ParameterKind::KeywordOnly } else { ParameterKind::Ordinary };
        parameters.push(Parameter { name: member.name.clone(), kind, has_default });
    }
    parameters
}
