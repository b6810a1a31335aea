//! A change of a parameter that nobody has made yet.
//!
//! Each call is judged as if the parameter were removed, renamed, required or keyword-only. Functions without the
//! parameter are left out.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{
    facts::Bodies,
    model::{
        Basis, CallShape, EntityFlags, EntityKind, FileId, Relationship, RelationshipKind,
        conventions::is_constructor,
        signature::{ParameterKind, Signature},
    },
    query::{
        graph::Graph,
        impact::{Judged, verdict::Verdict, walk::factors::Change},
        target::Target,
    },
    review::{
        deferred_calls::{fit_partial, fit_value},
        fit::fit,
        states::edits::Edit,
        uses::{Call, FileUses, Receiver},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Stands for the new name of a parameter, which is unknown yet. No keyword has a blank: nobody passes this name.
const OTHERWISE: &str = "something else";

/// Judges each call of `targets` as if `change` were made to the parameter `param`. A class stands for its
/// constructors.
pub fn judged_sites(store: &Store, targets: &[Target], change: Change, param: &str) -> Result<Vec<Judged>, StoreError> {
    let mut judge = HypothesisJudge {
        store,
        graph: Graph::new(store)?,
        change,
        param,
        uses: FxHashMap::default(),
        sites: Vec::new(),
    };
    for callable in callables(store, targets)? {
        judge.callable(&callable)?;
    }
    Ok(judge.sites)
}

/// The functions among the targets, and the constructors of the classes.
fn callables(store: &Store, targets: &[Target]) -> Result<Vec<Entity>, StoreError> {
    let mut callables: Vec<Entity> = Vec::new();
    for entity in targets.iter().flat_map(|target| &target.entities) {
        if entity.record.kind == EntityKind::Class {
            let children = store.children(entity.id)?;
            callables.extend(children.into_iter().filter(|child| is_constructor(&child.record.name)));
        } else {
            callables.push(entity.clone());
        }
    }
    Ok(callables)
}

/// Judges the calls of several functions; reads the uses of each file once.
struct HypothesisJudge<'s> {
    store: &'s Store,
    graph: Graph<'s>,
    change: Change,
    param: &'s str,
    uses: FxHashMap<FileId, Rc<FileUses>>,
    sites: Vec<Judged>,
}

/// A function with its signature before and after the change.
struct Supposition<'c> {
    callable: &'c Entity,
    written: Signature,
    edited: Signature,
    edit: Edit,
    is_constructor: bool,
}

impl Supposition<'_> {
    /// The signature that a call meets: without `self`, unless the call passes it (`Base.method(self, …)`).
    fn met(&self, signature: &Signature, call: Option<&Call>) -> Signature {
        let record = &self.callable.record;
        let is_bound = record.kind == EntityKind::Method && !record.flags.has(EntityFlags::STATIC_METHOD);
        let is_through_class = call.is_some_and(|call| call.receiver == Receiver::Class && call.name == record.name)
            && !record.flags.has(EntityFlags::CLASS_METHOD);
        let signature = signature.clone();
        if is_bound && (self.is_constructor || !is_through_class) { signature.bound() } else { signature }
    }
}

impl HypothesisJudge<'_> {
    /// Judges the references to one function.
    fn callable(&mut self, callable: &Entity) -> Result<(), StoreError> {
        let Some(written) = Signature::parse(&callable.record.signature) else { return Ok(()) };
        let Some((edited, edit)) = edited(&written, self.change, self.param) else { return Ok(()) };
        let is_constructor = is_constructor(&callable.record.name);
        let mut incoming = self.graph.incoming(callable.id)?;
        if is_constructor {
            incoming.extend(self.graph.incoming(callable.parent)?);
        }
        let supposition = Supposition { callable, written, edited, edit, is_constructor };
        let is_used =
            |kind| matches!(kind, RelationshipKind::Calls | RelationshipKind::References | RelationshipKind::Reads);
        for relationship in incoming.into_iter().filter(|relationship| is_used(relationship.kind)) {
            let Some(source) = self.graph.head(relationship.source)? else { continue };
            let uses = self.uses(source.file)?;
            if let Some((verdict, reason)) = self.site(&supposition, &relationship, &uses) {
                let reason = reason.replace(&format!("`{OTHERWISE}`"), OTHERWISE);
                self.sites.push(Judged { relationship, verdict, reason });
            }
        }
        Ok(())
    }

    fn uses(&mut self, file: FileId) -> Result<Rc<FileUses>, StoreError> {
        if let Some(uses) = self.uses.get(&file) {
            return Ok(Rc::clone(uses));
        }
        let bytes = self.graph.file(file).map(|record| self.store.bodies(&record.content_hash)).transpose()?.flatten();
        let bodies = bytes.and_then(|bytes| Bodies::decode(&bytes));
        let uses = Rc::new(bodies.map(|bodies| FileUses::of(&bodies)).unwrap_or_default());
        self.uses.insert(file, Rc::clone(&uses));
        Ok(uses)
    }

    /// The verdict on one reference; `None` for a reference that has nothing to do with the parameter.
    fn site(
        &self,
        supposition: &Supposition<'_>,
        relationship: &Relationship,
        uses: &FileUses,
    ) -> Option<(Verdict, String)> {
        let place = (relationship.line, relationship.column);
        let (call, partial) = (uses.calls.get(&place), uses.partials.get(&place));
        let met = |signature| supposition.met(signature, call.or(partial));
        let (old, new) = (met(&supposition.written), met(&supposition.edited));
        let edits = std::slice::from_ref(&supposition.edit);
        let name = &supposition.callable.record.name;
        let not_affected = |reason: &str| (Verdict::NotAffected, reason.to_owned());
        match (call, partial) {
            (Some(call), _) => {
                let is_alias = uses.imports.values().any(|i| i.alias == call.name && i.name == *name);
                let is_named = supposition.is_constructor || call.name == *name || is_alias;
                match fit(name, &old, &new, &call.shape, edits) {
                    // The function is a value here, which may have some of its arguments already, or library code
                    // calls it.
                    Some((Verdict::Breaks, reason)) if !is_named => Some((Verdict::MayBreak, reason)),
                    Some(found) => Some(found),
                    None if is_named => Some(not_affected("does not fit even now")),
                    None => self.passes_by_name(&call.shape, name),
                }
            }
            (None, Some(partial)) => fit_partial(name, &old, &new, &partial.shape, edits)
                .or_else(|| Some(not_affected("does not fit even now"))),
            // The class is used here, but not called.
            (None, None) if supposition.is_constructor && relationship.target != supposition.callable.id => None,
            (None, None) if relationship.basis == Basis::Text => Some(not_affected("names it, and does not call it")),
            (None, None) => fit_value(name, &old, &new, edits)
                .or_else(|| Some(not_affected("is used as a value, and requires no more than before"))),
        }
    }

    /// The verdict on a call of a value that passes the parameter by its name, which the change takes away.
    fn passes_by_name(&self, call: &CallShape, name: &str) -> Option<(Verdict, String)> {
        let param = self.param;
        let is_passed = self.change.takes_the_name() && call.keywords.iter().any(|keyword| keyword == param);
        is_passed.then(|| {
            let reason = format!("passes `{param}=`, perhaps with arguments that are bound before, to `{name}`");
            (Verdict::MayBreak, reason)
        })
    }
}

/// The signature after the change; `None` without such a parameter or for other changes.
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
            OTHERWISE.clone_into(&mut edited.parameters[index].name);
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
