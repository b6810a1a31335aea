//! Calls of a definition whose parameters, result or kind changed.
//!
//! A call counts as broken by the change only if it fitted the old definition.

use super::{Claim, Judge, short, signature_met};
use crate::{
    model::{
        Basis, CallShape, EntityFlags, EntityKind, EntityRecord, Relationship, RelationshipKind as K,
        conventions::is_constructor,
        signature::{Mismatch, Signature},
    },
    query::impact::verdict::Verdict,
    review::{
        deferred_calls::{fit_partial, fit_value},
        fit::fit,
        states::{
            changes::{Changed, new_of},
            edits::Edit,
            parameters::signature,
        },
        uses::{Call, Receiver, ResultUse},
    },
    store::{error::StoreError, read::entity_headers::Head},
};

impl Judge<'_, '_> {
    pub(super) fn calls(&mut self, change: &Changed) -> Result<(), StoreError> {
        let (Some(spot), Some(record)) = (change.new, self.new_record(change)) else { return Ok(()) };
        let Some(entity) = self.entity(spot)?.filter(|_| record.kind.is_callable()) else { return Ok(()) };
        let is_felt = change.edits.iter().any(|edit| edit.is_use() || edit.is_outcome());
        if record.flags.has(EntityFlags::OVERLOAD) || !is_felt {
            return Ok(());
        }
        for relationship in self.graph.incoming(entity.id)? {
            let Some(source) = self.graph.head(relationship.source)? else { continue };
            let uses = self.uses(source.file)?;
            let place = (relationship.line, relationship.column);
            let became_property = change.edits.contains(&Edit::BecameProperty);
            match uses.calls.get(&place) {
                // The index sees no call any more, as the property is read and its value called.
                Some(call) if became_property => self.call(change, relationship, call, uses.refusal(place.0))?,
                None if became_property && relationship.kind == K::Reads && !self.is_touched(&source, place.0) => {
                    let name = short(&self.name_of(change), record);
                    let reason = format!("takes `{name}` for a method, and it is a property now");
                    self.claim(change, Claim::about(relationship, Verdict::MayBreak, reason))?;
                }
                _ if record.kind == EntityKind::Property && relationship.kind == K::Reads => {
                    self.getter(change, relationship, uses.refusal(place.0))?;
                }
                Some(call) => self.call(change, relationship, call, uses.refusal(place.0))?,
                None if relationship.kind == K::Decorates => {
                    // `@decorator` calls it with the decorated definition.
                    let shape = CallShape { positional: 1, ..CallShape::default() };
                    let name = record.name.clone();
                    let call = Call { name, shape, receiver: Receiver::None, result: ResultUse::Kept };
                    self.call(change, relationship, &call, None)?;
                }
                None if change.edits.contains(&Edit::BecameMethod) && !self.is_touched(&source, place.0) => {
                    if matches!(relationship.kind, K::Reads | K::References) {
                        let name = short(&self.name_of(change), record);
                        let reason = format!("reads `{name}` like an attribute, and it has to be called now");
                        self.claim(change, Claim::about(relationship, Verdict::Breaks, reason))?;
                    }
                }
                None if matches!(relationship.kind, K::Calls | K::References | K::Reads) => {
                    self.value(change, relationship, uses.partials.get(&place), &source)?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Judges a place that reads a property: Python calls its getter with `self` alone.
    fn getter(
        &mut self,
        change: &Changed,
        relationship: Relationship,
        refusal: Option<Verdict>,
    ) -> Result<(), StoreError> {
        let (Some(was), Some(is)) = (self.old_record(change), self.new_record(change)) else { return Ok(()) };
        let (Some(before), Some(after)) = (self.old_shape(change), self.new_shape(change)) else { return Ok(()) };
        if was.kind != EntityKind::Property {
            return Ok(());
        }
        let met = |record: &EntityRecord, shape| signature_met(record, shape, &Receiver::Other, &record.name);
        let (old, new, call) = (met(was, before), met(is, after), CallShape::default());
        let (Ok(_), Err(Mismatch::Missing(missing))) = (old.bind(&call), new.bind(&call)) else { return Ok(()) };
        let name = short(&self.name_of(change), was);
        let reason = format!("reads `{name}`, whose getter requires `{missing}` now");
        let (verdict, reason) = refused(refusal, reason);
        self.claim(change, Claim::about(relationship, verdict, reason))
    }

    /// Judges a function that is passed on: to `partial`, to a table, to an unknown caller.
    fn value(
        &mut self,
        change: &Changed,
        relationship: Relationship,
        partial: Option<&Call>,
        source: &Head,
    ) -> Result<(), StoreError> {
        let (Some(was), Some(is)) = (self.old_record(change), self.new_record(change)) else { return Ok(()) };
        let (Some(before), Some(after)) = (self.old_shape(change), self.new_shape(change)) else { return Ok(()) };
        let is_function = |record: &EntityRecord| matches!(record.kind, EntityKind::Function | EntityKind::Method);
        // A string that names it is not a value.
        let is_value = relationship.basis != Basis::Text && is_function(was) && is_function(is);
        if !is_value || !change.edits.iter().any(Edit::is_signature) || self.is_touched(source, relationship.line) {
            return Ok(());
        }
        let name = short(&self.name_of(change), was);
        let (receiver, called) = match partial {
            Some(partial) => (&partial.receiver, &partial.name),
            None => (&Receiver::None, &was.name),
        };
        let (old, new) = (signature_met(was, before, receiver, called), signature_met(is, after, receiver, called));
        let found = match partial {
            Some(partial) => fit_partial(&name, &old, &new, &partial.shape, &change.edits),
            None => fit_value(&name, &old, &new, &change.edits),
        };
        let Some((verdict, reason)) = found else { return Ok(()) };
        self.claim(change, Claim::about(relationship, verdict, reason))
    }

    fn call(
        &mut self,
        change: &Changed,
        relationship: Relationship,
        call: &Call,
        refusal: Option<Verdict>,
    ) -> Result<(), StoreError> {
        let (Some(was), Some(is)) = (self.old_record(change), self.new_record(change)) else { return Ok(()) };
        let (Some(before), Some(after)) = (self.old_shape(change), self.new_shape(change)) else { return Ok(()) };
        let name = short(&self.name_of(change), was);
        if change.edits.contains(&Edit::BecameProperty) && call.name == is.name {
            let reason = format!("calls `{name}`, which is a property now");
            return self.claim(change, Claim::about(relationship, Verdict::Breaks, reason));
        }
        if was.kind == EntityKind::Property || is.kind == EntityKind::Property {
            return Ok(());
        }
        let is_touched = match self.graph.head(relationship.source)? {
            Some(source) => self.is_touched(&source, relationship.line),
            None => false,
        };
        let is_named = call.name == is.name || is_constructor(&is.name) || call.name == was.name;
        if change.edits.iter().any(Edit::is_signature) {
            // The called value may have some of the arguments already.
            let is_value = !is_named && relationship.kind != K::Decorates;
            let old = signature_met(was, before, &call.receiver, &call.name);
            let new = signature_met(is, after, &call.receiver, &call.name);
            let is_opaque = !self.keeps_parameters(change, is);
            if let Some((verdict, reason)) = fit(&name, &old, &new, &call.shape, &change.edits)
                && (verdict > Verdict::MayBreak || !self.fits_a_twin(change, is, call))
                && (verdict <= Verdict::MayBreak || !is_value)
            {
                let (verdict, reason) = match verdict {
                    _ if is_value => (Verdict::MayBreak, reason),
                    Verdict::Breaks if refusal.is_some() => refused(refusal, reason),
                    // The line fits both signatures and came with this change: its author means the new one.
                    Verdict::MayBreak if is_touched && !call.shape.is_open => {
                        (Verdict::NotAffected, "was written in this change and fits".to_owned())
                    }
                    verdict if is_opaque => (verdict.max(Verdict::MayBreak), reason),
                    verdict => (verdict, reason),
                };
                self.claim(change, Claim::about(relationship, verdict, reason))?;
            }
        }
        let returns_more = after.returns.has_other;
        for edit in &change.edits {
            if let Some((verdict, reason)) = outcome(edit, &name, call.result, is_touched, returns_more) {
                self.claim(change, Claim::about(relationship, verdict, reason))?;
            }
        }
        Ok(())
    }

    /// Whether another definition of this name in the file accepts the call: the two are alternatives.
    fn fits_a_twin(&self, change: &Changed, record: &EntityRecord, call: &Call) -> bool {
        let Some(spot) = change.new else { return false };
        let version = new_of(self.pairs, spot);
        let is_twin = |other: &&EntityRecord| {
            other.qualified == record.qualified
                && other.duplicate != record.duplicate
                && !other.flags.has(EntityFlags::OVERLOAD)
                && other.flags.has(EntityFlags::CONDITIONAL)
        };
        version.records().iter().filter(is_twin).any(|twin| {
            let shape = version.shape.at(twin.line, twin.column);
            shape.is_some_and(|shape| signature_met(twin, shape, &call.receiver, &call.name).bind(&call.shape).is_ok())
        })
    }
}

/// The verdict on a call that raises an error, and its reason, where the error may be caught or expected.
fn refused(refusal: Option<Verdict>, reason: String) -> (Verdict, String) {
    match refusal {
        Some(verdict) => (verdict, format!("{reason}; the error is caught or expected")),
        None => (Verdict::Breaks, reason),
    }
}

/// Judges the use of a call's result after a change of that result.
fn outcome(
    edit: &Edit,
    name: &str,
    result: ResultUse,
    is_touched: bool,
    returns_more: bool,
) -> Option<(Verdict, String)> {
    use ResultUse as O;
    let claim = |verdict, reason: String| Some((verdict, reason));
    match (edit, result) {
        (Edit::BecameAsync, O::Awaited) => claim(Verdict::NotAffected, "awaits it".to_owned()),
        (Edit::BecameAsync, O::Kept) if is_touched => None,
        (Edit::BecameAsync, O::Kept) => {
            claim(Verdict::MayBreak, format!("gets a coroutine from `{name}` now, not its result"))
        }
        (Edit::BecameAsync, _) => claim(Verdict::Breaks, format!("does not await `{name}`, which is async now")),
        (Edit::BecameSync, O::Awaited) if returns_more => {
            claim(Verdict::MayBreak, format!("awaits the result of `{name}`, which is not async any more"))
        }
        (Edit::BecameSync, O::Awaited) => {
            claim(Verdict::Breaks, format!("awaits `{name}`, which is not async any more and returns nothing"))
        }
        (Edit::BecameSync, O::Kept) if !is_touched => {
            claim(Verdict::MayBreak, format!("gets a result from `{name}` now, not a coroutine"))
        }
        (Edit::BecameGenerator, O::Dropped) => claim(
            Verdict::Breaks,
            format!("does not iterate over `{name}`, which is a generator now: nothing of it runs"),
        ),
        (Edit::BecameGenerator, O::Examined) => {
            claim(Verdict::MayBreak, format!("gets a generator from `{name}` now, not a value"))
        }
        (Edit::StoppedGenerating, O::Iterated) => {
            claim(Verdict::MayBreak, format!("iterates over the result of `{name}`, which is no generator any more"))
        }
        (Edit::TupleLengthChanged { from, to }, O::Unpacked(count)) if count == *from => {
            claim(Verdict::Breaks, format!("unpacks {count} values, and `{name}` returns {to} now"))
        }
        _ => None,
    }
}

/// The constructor's parameters as written, without `self`.
pub(super) fn constructor(shape: &crate::facts::fingerprint::DefinitionShape) -> Signature {
    signature(&shape.parameters).bound()
}
