//! Overrides of a changed method, and calls that reach it through its base.
//!
//! An override may no longer take the arguments of its base, and a call of a base may be dispatched to the changed
//! override. Python checks neither before the call, so these findings say at most *may break*.

use super::{Claim, Judge, short, signature_met};
use crate::{
    model::{
        Basis, EntityKind, RelationshipKind,
        conventions::is_special,
        signature::{ParameterKind, Signature},
    },
    query::impact::{verdict::Verdict, walk::factors::dispatch},
    review::{
        fit::fit,
        states::{changes::Changed, edits::Edit},
    },
    store::error::StoreError,
};

impl Judge<'_, '_> {
    pub(super) fn overrides(&mut self, change: &Changed) -> Result<(), StoreError> {
        let (Some(spot), Some(record)) = (change.new, self.new_record(change)) else { return Ok(()) };
        if record.kind != EntityKind::Method || !change.edits.iter().any(Edit::is_signature) {
            return Ok(());
        }
        let is_special = is_special(&record.name);
        let Some(entity) = self.entity(spot)?.filter(|_| !is_special) else { return Ok(()) };
        let name = short(&self.name_of(change), record);
        let Some(head) = self.graph.head(entity.id)? else { return Ok(()) };
        let mut overriding = self.graph.incoming(entity.id)?;
        overriding.retain(|relationship| relationship.kind == RelationshipKind::Overrides);
        overriding.extend(self.graph.implementing(&head)?);
        for relationship in overriding {
            let Some(overriding) = self.graph.entity(relationship.source)? else { continue };
            let Some(signature) = Signature::parse(&overriding.record.signature) else { continue };
            let reason = change.edits.iter().find_map(|edit| outdated_by(edit, &signature, &name));
            let claim = match reason {
                Some(reason) => Claim::about(relationship, Verdict::MayBreak, reason),
                None => Claim::about(relationship, Verdict::NotAffected, "takes the arguments of its base".to_owned()),
            };
            self.claim(change, claim)?;
        }
        self.through_bases(change, entity.id, &name)
    }

    /// Judges calls of the methods that this one overrides.
    fn through_bases(
        &mut self,
        change: &Changed,
        method: crate::model::EntityId,
        name: &str,
    ) -> Result<(), StoreError> {
        let (Some(was), Some(is)) = (self.old_record(change), self.new_record(change)) else { return Ok(()) };
        let (Some(before), Some(after)) = (self.old_shape(change), self.new_shape(change)) else { return Ok(()) };
        let Some(head) = self.graph.head(method)? else { return Ok(()) };
        for overridden in self.graph.overridden(&head)?.into_iter().chain(self.graph.asked_for(&head)?) {
            let Some(base) = self.graph.head(overridden.target)? else { continue };
            let is_abstract = base.flags.is_left_open();
            let dispatch = dispatch(is_abstract);
            for relationship in self.graph.incoming(base.id)? {
                let Some(source) = self.graph.head(relationship.source)? else { continue };
                let uses = self.uses(source.file)?;
                let Some(call) = uses.calls.get(&(relationship.line, relationship.column)) else { continue };
                if call.receiver == crate::review::uses::Receiver::Super || relationship.kind != RelationshipKind::Calls
                {
                    continue;
                }
                let old = signature_met(was, before, &call.receiver, &call.name);
                let new = signature_met(is, after, &call.receiver, &call.name);
                let Some((Verdict::Breaks, reason)) = fit(name, &old, &new, &call.shape, &change.edits) else {
                    continue;
                };
                let reason = format!("may reach `{name}` through `{}`: {reason}", self.graph.full_name(&base));
                let mut claim = Claim::about(relationship, Verdict::MayBreak, reason);
                claim.probability *= dispatch;
                claim.basis = Basis::Dispatched.as_str();
                self.claim(change, claim)?;
            }
        }
        Ok(())
    }
}

/// The reason why an override no longer fits its edited base.
fn outdated_by(edit: &Edit, signature: &Signature, name: &str) -> Option<String> {
    let has = |parameter: &str| signature.parameters.iter().any(|p| p.name == parameter);
    let is_open = signature.has(ParameterKind::Keywords) || signature.has(ParameterKind::Positionals);
    match edit {
        Edit::ParameterAdded { name: parameter, .. } => {
            let plain = parameter.trim_start_matches('*');
            (!has(plain) && !is_open).then(|| format!("does not take `{parameter}`, which `{name}` takes now"))
        }
        Edit::ParameterRenamed { from, to } => {
            (!has(to) && !is_open).then(|| format!("does not take `{to}`, the new name of `{from}` in `{name}`"))
        }
        Edit::ParameterRemoved { name: parameter } => {
            let requires = signature.parameters.iter().any(|p| p.name == *parameter && !p.has_default);
            (requires && !parameter.starts_with('*'))
                .then(|| format!("requires `{parameter}`, which callers of `{name}` pass no more"))
        }
        Edit::ParametersReordered => Some(format!("takes its parameters in another order than `{name}` now")),
        _ => None,
    }
}
