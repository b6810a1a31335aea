//! A change of a parameter that is not written yet.
//!
//! Goes in: functions, the name of a parameter and what would be done to it. Comes out: each call with what that would do
//! there, judged like a change that is there. Without such a parameter there is nothing to judge.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{
    facts::Bodies,
    model::{EntityFlags, EntityKind, FileId, RelationshipKind},
    query::{
        graph::Graph,
        impact::Judged,
        rules::Change,
        signature::{ParameterKind, Signature},
        target::Target,
        verdict::Verdict,
        walk::is_constructor,
    },
    review::{
        edits::Edit,
        fit::fit,
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
        for relationship in incoming.into_iter().filter(|relationship| relationship.kind == RelationshipKind::Calls) {
            let Some(source) = graph.head(relationship.source)? else { continue };
            if let std::collections::hash_map::Entry::Vacant(slot) = uses.entry(source.file) {
                let record = graph.file(source.file);
                let bytes = record.map(|record| store.bodies(&record.content_hash)).transpose()?.flatten();
                let bodies = bytes.and_then(|bytes| Bodies::decode(&bytes));
                slot.insert(Rc::new(bodies.map(|bodies| Uses::of(&bodies)).unwrap_or_default()));
            }
            let Some(call) = uses[&source.file].calls.get(&(relationship.line, relationship.column)) else { continue };
            let is_through_class = call.receiver == Receiver::Class
                && call.name == callable.record.name
                && !callable.record.flags.has(EntityFlags::CLASS_METHOD);
            let met = |signature: &Signature| {
                let signature = signature.clone();
                if is_bound && (is_maker || !is_through_class) { signature.bound() } else { signature }
            };
            let name = &callable.record.name;
            let found = fit(name, &met(&written), &met(&edited), &call.shape, std::slice::from_ref(&edit));
            let (verdict, reason) = found.unwrap_or((Verdict::NotAffected, "does not fit even now".to_owned()));
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
