//! Places that do not break but get another result.
//!
//! A definition whose body, value, default, exceptions or bases changed affects its direct callers, readers and
//! subclasses. Places further away belong to the impact walk.

use super::{Claim, Judge, short, signature_met};
use crate::{
    model::{Basis, Relationship, RelationshipKind as K},
    query::impact::{
        verdict::Verdict,
        walk::{
            Role,
            factors::{Change, dispatch, factor},
            hidden_members::hidden_attributes,
        },
    },
    review::states::{changes::Changed, edits::Edit},
    store::{error::StoreError, read::Entity},
};

impl Judge<'_, '_> {
    pub(super) fn behavior(&mut self, change: &Changed) -> Result<(), StoreError> {
        let (Some(spot), Some(record)) = (change.new, self.new_record(change)) else { return Ok(()) };
        let edits: Vec<Edit> = change.edits.iter().filter(|edit| edit.is_behavior()).cloned().collect();
        if edits.is_empty() || record.qualified.is_empty() {
            return Ok(());
        }
        let Some(entity) = self.entity(spot)? else { return Ok(()) };
        let name = short(&self.name_of(change), record);
        for relationship in self.graph.incoming(entity.id)? {
            let weight = factor(relationship.kind, Role::Affected, true, Change::Body).unwrap_or(0.0);
            if weight == 0.0 || !relationship.kind.runs_target() {
                continue;
            }
            let Some((verdict, reason)) = self.behaves(change, &name, &edits, relationship)? else { continue };
            let mut claim = Claim::about(relationship, verdict, reason);
            claim.probability *= weight;
            self.claim(change, claim)?;
        }
        self.hidden_in_bases(change, &entity, &name, &edits)
    }

    /// A base that reads an attribute on `self` gets the changed one, which hides its own.
    fn hidden_in_bases(
        &mut self,
        change: &Changed,
        entity: &Entity,
        name: &str,
        edits: &[Edit],
    ) -> Result<(), StoreError> {
        let Some(head) = self.graph.head(entity.id)? else { return Ok(()) };
        for hidden in hidden_attributes(self.graph, &head)? {
            let Some(base) = self.graph.head(hidden.target)? else { continue };
            let is_abstract = base.flags.is_left_open();
            for relationship in self.graph.incoming(base.id)? {
                let Some(weight) = factor(relationship.kind, Role::Dispatcher, false, Change::Body) else { continue };
                let Some((verdict, reason)) = self.behaves(change, name, edits, relationship)? else { continue };
                let reason = format!("{reason}; through `{}`", self.graph.full_name(&base));
                let mut claim = Claim::about(relationship, verdict, reason);
                claim.probability *= weight * dispatch(is_abstract);
                claim.basis = Basis::Dispatched.as_str();
                self.claim(change, claim)?;
            }
        }
        Ok(())
    }

    /// The effect of the edits on one reference: the most telling one.
    fn behaves(
        &self,
        change: &Changed,
        name: &str,
        edits: &[Edit],
        relationship: Relationship,
    ) -> Result<Option<(Verdict, String)>, StoreError> {
        let differs = |reason: String| Ok(Some((Verdict::MayBehaveDifferently, reason)));
        let mut spared = None;
        for edit in edits {
            match edit {
                Edit::ValueChanged { from, to } if !from.is_empty() && !to.is_empty() => {
                    return differs(format!("uses `{name}`, which is {to} now (was {from})"));
                }
                Edit::RaisesChanged { added, .. } if !added.is_empty() => {
                    return differs(format!("can get {} from `{name}` now", added.join(", ")));
                }
                Edit::RaisesChanged { removed, .. } => {
                    return differs(format!("gets no {} from `{name}` any more", removed.join(", ")));
                }
                Edit::DefaultChanged { name: parameter, from, to } => {
                    match self.passes(change, relationship, parameter)? {
                        Some(true) => spared = Some(format!("passes `{parameter}` itself")),
                        _ => {
                            return differs(format!("passes no `{parameter}`, whose default is {to} now (was {from})"));
                        }
                    }
                }
                Edit::BecameGenerator => return differs(format!("gets a generator from `{name}` now")),
                Edit::BasesChanged { .. } => return differs(format!("uses `{name}`, whose bases changed")),
                Edit::DecoratorsChanged { .. } => return differs(format!("uses `{name}`, whose decorators changed")),
                Edit::KindChanged { from, to } => {
                    return differs(format!("uses `{name}`, which is a {to} now, no {from}"));
                }
                _ => {}
            }
        }
        if edits.iter().any(|edit| {
            !matches!(edit, Edit::DefaultChanged { .. } | Edit::Removed | Edit::Renamed { .. } | Edit::Moved { .. })
        }) {
            let verb = match relationship.kind {
                K::Calls | K::Tests => "calls",
                K::Inherits => "inherits from",
                K::Decorates => "is decorated with",
                K::UsesFixture => "uses the fixture",
                _ => "uses",
            };
            return differs(format!("{verb} `{name}`, whose code changed"));
        }
        Ok(spared.map(|reason| (Verdict::NotAffected, reason)))
    }

    /// Whether a call passes the parameter; `None` when that is unknown or it is no call.
    fn passes(
        &self,
        change: &Changed,
        relationship: Relationship,
        parameter: &str,
    ) -> Result<Option<bool>, StoreError> {
        let (Some(record), Some(shape)) = (self.new_record(change), self.new_shape(change)) else { return Ok(None) };
        let Some(source) = self.graph.head(relationship.source)? else { return Ok(None) };
        let uses = self.uses(source.file)?;
        let Some(call) = uses.calls.get(&(relationship.line, relationship.column)) else { return Ok(None) };
        Ok(signature_met(record, shape, &call.receiver, &call.name).passes(&call.shape, parameter))
    }
}
