//! A change of a parameter that is not written yet.
//!
//! Goes in: functions, the name of a parameter and what would be done to it. Comes out: each call with what that would do
//! there, judged like a change that is there. Without such a parameter there is nothing to judge.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{
    facts::Bodies,
    model::{
        Basis, CallShape, EntityFlags, EntityKind, FileId, RelationshipKind,
        signature::{ParameterKind, Signature},
    },
    query::{
        graph::Graph,
        impact::{
            Judged,
            verdict::Verdict,
            walk::{factors::Change, is_constructor},
        },
        target::Target,
    },
    review::{
        fit::fit,
        handed::{fit_partial, fit_value},
        states::edits::Edit,
        uses::{Receiver, Uses},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The new name of a parameter, which is not known yet.
const OTHERWISE: &str = "something else";

/// What each call of `targets` has to expect when `change` is done to the parameter `param`. For a class these are the
/// calls of the class.
pub fn judged_sites(store: &Store, targets: &[Target], change: Change, param: &str) -> Result<Vec<Judged>, StoreError> {
    let graph = Graph::new(store)?;
    let mut uses: FxHashMap<FileId, Rc<Uses>> = FxHashMap::default();
    let mut sites = Vec::new();
    let mut callables: Vec<Entity> = Vec::new();
    for entity in targets.iter().flat_map(|target| &target.entities) {
        if entity.record.kind == EntityKind::Class {
            let children = store.children(entity.id)?;
            callables.extend(children.into_iter().filter(|child| is_constructor(&child.record.name)));
        } else {
            callables.push(entity.clone());
        }
    }
    let is_named_argument =
        |call: &CallShape| change.takes_the_name() && call.keywords.iter().any(|keyword| keyword == param);
    for callable in callables {
        let Some(written) = Signature::parse(&callable.record.signature) else { continue };
        let Some((edited, edit)) = edited(&written, change, param) else { continue };
        let is_bound =
            callable.record.kind == EntityKind::Method && !callable.record.flags.has(EntityFlags::STATIC_METHOD);
        let is_maker = is_constructor(&callable.record.name);
        let mut incoming = graph.incoming(callable.id)?;
        if is_maker {
            incoming.extend(graph.incoming(callable.parent)?);
        }
        let is_used =
            |kind| matches!(kind, RelationshipKind::Calls | RelationshipKind::References | RelationshipKind::Reads);
        for relationship in incoming.into_iter().filter(|relationship| is_used(relationship.kind)) {
            let Some(source) = graph.head(relationship.source)? else { continue };
            if let std::collections::hash_map::Entry::Vacant(slot) = uses.entry(source.file) {
                let record = graph.file(source.file);
                let bytes = record.map(|record| store.bodies(&record.content_hash)).transpose()?.flatten();
                let bodies = bytes.and_then(|bytes| Bodies::decode(&bytes));
                slot.insert(Rc::new(bodies.map(|bodies| Uses::of(&bodies)).unwrap_or_default()));
            }
            let (uses, place) = (&uses[&source.file], (relationship.line, relationship.column));
            let (call, partial) = (uses.calls.get(&place), uses.partials.get(&place));
            let is_through_class = call
                .or(partial)
                .is_some_and(|call| call.receiver == Receiver::Class && call.name == callable.record.name)
                && !callable.record.flags.has(EntityFlags::CLASS_METHOD);
            let met = |signature: &Signature| {
                let signature = signature.clone();
                if is_bound && (is_maker || !is_through_class) { signature.bound() } else { signature }
            };
            let name = &callable.record.name;
            let is_alias = |written: &str| uses.imports.values().any(|i| i.alias == written && i.name == *name);
            let is_named = is_maker || call.is_some_and(|call| call.name == *name || is_alias(&call.name));
            let (old, new, edits) = (met(&written), met(&edited), std::slice::from_ref(&edit));
            let not_affected = |reason: &str| (Verdict::NotAffected, reason.to_owned());
            let (verdict, reason) = match (call, partial) {
                (Some(call), _) => match fit(name, &old, &new, &call.shape, edits) {
                    // A value, which may have some of the arguments already; or library code calls it.
                    Some((Verdict::Breaks, reason)) if !is_named => (Verdict::MayBreak, reason),
                    Some(found) => found,
                    None if !is_named && !is_named_argument(&call.shape) => continue,
                    None if !is_named => (
                        Verdict::MayBreak,
                        format!("passes `{param}=`, perhaps with arguments that are bound before, to `{name}`"),
                    ),
                    None => not_affected("does not fit even now"),
                },
                (None, Some(partial)) => fit_partial(name, &old, &new, &partial.shape, edits)
                    .unwrap_or_else(|| not_affected("does not fit even now")),
                // The class is used, not its constructor.
                (None, None) if is_maker && relationship.target != callable.id => continue,
                (None, None) if relationship.basis == Basis::Text => not_affected("names it, and does not call it"),
                (None, None) => fit_value(name, &old, &new, edits)
                    .unwrap_or_else(|| not_affected("is used as a value, and requires what it required before")),
            };
            let reason = reason.replace(&format!("`{OTHERWISE}`"), OTHERWISE);
            sites.push(Judged { relationship, verdict, reason });
        }
    }
    Ok(sites)
}

/// The signature after the change; `None` when it has no such parameter or the change is not one of parameters.
fn edited(signature: &Signature, change: Change, param: &str) -> Option<(Signature, Edit)> {
    let mut edited = signature.clone();
    let index = edited.parameters.iter().position(|parameter| parameter.name == param)?;
    let name = param.to_owned();
    let edit = match change {
        Change::Remove => {
            edited.parameters.remove(index);
            Edit::ParameterRemoved { name }
        }
        Change::Rename => {
            // A name that nobody passes.
            edited.parameters[index].name = format!("{param}'");
            Edit::ParameterRenamed { from: name, to: OTHERWISE.to_owned() }
        }
        Change::Require => {
            edited.parameters[index].has_default = false;
            Edit::ParameterRequired { name }
        }
        Change::KeywordOnly => {
            let mut parameter = edited.parameters.remove(index);
            parameter.kind = ParameterKind::KeywordOnly;
            edited.parameters.push(parameter);
            Edit::ParameterKeywordOnly { name }
        }
        Change::Body | Change::Signature => return None,
    };
    Some((edited, edit))
}
