//! Judges the effect of a change at each place that refers to it.
//!
//! Each finding has a place, a verdict, a reason in one sentence, and a probability. The index describes the new tree,
//! so a place that was adapted in the same change is judged as it is now. A place is judged by whether it fits, not by
//! whether it was touched.

mod ancestry;
mod behavior;
mod calls;
mod classes;
mod imports;
mod lost;
mod overrides;
mod rebased;
mod removed_references;

pub(super) use imports::Unimportable;

use std::{
    cell::RefCell,
    collections::{BTreeMap, hash_map::Entry},
    rc::Rc,
};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::{
    facts::{Bodies, fingerprint::DefinitionShape},
    model::{
        Basis, EntityFlags, EntityId, EntityKind, EntityRecord, Evidence, FileId, Position, Relationship,
        RelationshipKind,
        conventions::{decorators::keeps_parameters, is_constructor},
        signature::Signature,
    },
    query::{
        graph::Graph,
        impact::{Via, verdict::Verdict},
        words::rounded,
    },
    review::{
        ComparedFiles,
        removed_references::RemovedReference,
        states::{
            changes::{Changed, Spot, new_of, old_of},
            parameters::signature,
            versions::{FilePair, IndexedEntities},
        },
        uses::{FileUses, Receiver},
    },
    store::{
        Store,
        error::StoreError,
        read::{Entity, entity_headers::Head},
    },
};

/// Least probability of a relationship at which a finding may say *breaks*.
const CERTAIN: f64 = 0.8;

/// A place that refers to a changed definition, with the effect of the change there.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Finding {
    pub verdict: Verdict,
    /// One sentence about the place, without a period.
    pub reason: String,
    /// The changed definition, by its old name.
    pub entity: String,
    /// The definition that refers to it.
    pub name: String,
    pub kind: EntityKind,
    /// Where the reference stands.
    pub path: String,
    pub line: u32,
    /// In bytes, 0-based.
    pub column: u32,
    pub evidence: Evidence,
    /// Probability that the place refers to the definition.
    pub probability: f64,
    pub is_test: bool,
    /// The chain of relationships from the place to the definition.
    pub via: Vec<Via>,
    #[serde(skip)]
    pub(crate) source: EntityId,
    /// Whether the target is missing. The behavior changes even if the error is caught.
    #[serde(skip)]
    pub(crate) is_missing: bool,
}

/// A claim about one place, before it becomes a finding.
pub(super) struct Claim {
    verdict: Verdict,
    reason: String,
    relationship: Relationship,
    probability: f64,
    basis: &'static str,
    is_missing: bool,
}

/// The result of the judgment.
pub(super) struct Judgment {
    pub(super) findings: Vec<Finding>,
    /// Names that a file no longer imports and that are still asked for, with the number of its pair.
    pub(super) lost_imports: Vec<(usize, String)>,
    pub(super) unimportable: Unimportable,
}

/// One finding for each place and function: its overloads are definitions of their own, of which one may tell more.
fn once_for_overloads(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    let mut known = FxHashMap::default();
    for finding in findings {
        let function = finding.entity.split('@').next().unwrap_or_default().to_owned();
        match known.entry((finding.path.clone(), finding.line, finding.column, function, finding.verdict)) {
            Entry::Vacant(new) => {
                new.insert(kept.len());
                kept.push(finding);
            }
            Entry::Occupied(at) if kept[*at.get()].reason.len() < finding.reason.len() => kept[*at.get()] = finding,
            Entry::Occupied(_) => {}
        }
    }
    kept
}

/// Judges every place that refers to a changed definition, or would refer to a removed one (`references`).
pub(super) fn judge(
    graph: &Graph,
    read: &ComparedFiles,
    references: &[RemovedReference],
) -> Result<Judgment, StoreError> {
    let ComparedFiles { pairs, changed, indexed } = read;
    let mut judge = Judge {
        graph,
        store: graph.store,
        pairs,
        changed,
        uses: RefCell::default(),
        indexed,
        findings: BTreeMap::new(),
        gone: FxHashMap::default(),
    };
    for reference in references {
        let Relationship { line, column, .. } = reference.relationship;
        judge.gone.entry((reference.file, (line, column))).or_default().push(reference.change);
    }
    for change in changed {
        if change.edits.iter().any(crate::review::states::edits::Edit::takes_the_name) {
            judge.lost(change)?;
        }
        if change.new.is_some() {
            judge.calls(change)?;
            judge.overrides(change)?;
            judge.rebased(change)?;
            judge.behavior(change)?;
        }
    }
    judge.classes()?;
    judge.syntax()?;
    // After the judges by name, whose findings it does not repeat.
    judge.removed_references(references)?;
    let lost_imports = judge.lost_imports()?;
    // Last, since it reads all findings.
    let unimportable = judge.unimportable()?;
    let mut findings: Vec<Finding> = judge.findings.into_values().collect();
    // The same reason for two receivers in a line is reported once.
    let mut told = FxHashSet::default();
    findings.retain(|finding| told.insert((finding.path.clone(), finding.line, finding.reason.clone())));
    let findings = once_for_overloads(findings);
    Ok(Judgment { findings, lost_imports, unimportable })
}

/// Path, line and column of a place, and the definition that it refers to.
type FindingKey = (String, u32, u32, String);

struct Judge<'a, 's> {
    graph: &'a Graph<'s>,
    store: &'s Store,
    pairs: &'a [FilePair],
    changed: &'a [Changed],
    uses: RefCell<FxHashMap<FileId, Rc<FileUses>>>,
    indexed: &'a IndexedEntities,
    /// The worst finding about each place and definition.
    findings: BTreeMap<FindingKey, Finding>,
    /// By place: the changes that removed its target.
    gone: FxHashMap<(FileId, Position), Vec<usize>>,
}

impl<'a> Judge<'a, '_> {
    /// The old name of a changed definition; the new one if it was added.
    fn name_of(&self, change: &Changed) -> String {
        match (change.old, change.new) {
            (Some(spot), _) => old_of(self.pairs, spot).full_name(spot.1),
            (None, Some(spot)) => new_of(self.pairs, spot).full_name(spot.1),
            (None, None) => String::new(),
        }
    }

    /// Whether a finding says that the place referred to another removed definition.
    fn meant_another(&self, change: &Changed, file: FileId, place: Position) -> bool {
        let is_it = |&number: &usize| self.changed[number].old == change.old;
        self.gone.get(&(file, place)).is_some_and(|changes| !changes.iter().any(is_it))
    }

    fn old_record(&self, change: &Changed) -> Option<&'a EntityRecord> {
        change.old.map(|spot| &old_of(self.pairs, spot).records()[spot.1])
    }

    fn new_record(&self, change: &Changed) -> Option<&'a EntityRecord> {
        change.new.map(|spot| &new_of(self.pairs, spot).records()[spot.1])
    }

    /// Whether the decorators of a definition on the new side keep its parameters.
    fn keeps_parameters(&self, change: &Changed, record: &EntityRecord) -> bool {
        let bodies = change.new.map(|spot| &new_of(self.pairs, spot).facts.bodies);
        // The last names come first: a decorator that is no dotted name is seen in the text alone.
        record.decorators.iter().all(|decorator| keeps_parameters(decorator))
            && bodies.is_some_and(|bodies| bodies.keeps_parameters_at((record.line, record.column)))
    }

    fn old_shape(&self, change: &Changed) -> Option<&'a DefinitionShape> {
        let (version, record) = (old_of(self.pairs, change.old?), self.old_record(change)?);
        version.shape.at(record.line, record.column)
    }

    fn new_shape(&self, change: &Changed) -> Option<&'a DefinitionShape> {
        let (version, record) = (new_of(self.pairs, change.new?), self.new_record(change)?);
        version.shape.at(record.line, record.column)
    }

    /// The indexed entity of a definition on the new side. `None` when the index has other content of the file.
    fn entity(&self, spot: Spot) -> Result<Option<Entity>, StoreError> {
        let entities = self.indexed.of(self.store, self.pairs, spot.0)?;
        Ok(new_of(self.pairs, spot).among(spot.1, &entities).cloned())
    }

    /// Judges files that no longer parse: their modules cannot be imported.
    fn syntax(&mut self) -> Result<(), StoreError> {
        for pair in self.pairs {
            let (Some(old), Some(new)) = (&pair.old, &pair.new) else { continue };
            // A file that did not parse before breaks nothing new.
            if old.shape.broken > 0 || new.shape.broken == 0 {
                continue;
            }
            let Some(file) = self.store.file_id(&pair.path)? else { continue };
            let Some(&module) = self.store.entity_ids(file)?.first() else { continue };
            let relationship = broken(RelationshipKind::References, module, (new.shape.broken, 0), Basis::Scope);
            let reason = "does not parse any more: a syntax error begins here or above".to_owned();
            self.claim_about(&new.module, Claim::missing(relationship, Verdict::Breaks, reason))?;
        }
        Ok(())
    }

    /// The calls, imports and strings of a file.
    fn uses(&self, file: FileId) -> Result<Rc<FileUses>, StoreError> {
        if let Some(uses) = self.uses.borrow().get(&file) {
            return Ok(Rc::clone(uses));
        }
        let record = self.graph.file(file);
        // A changed file is parsed already; blanked texts lack most of its uses.
        let fresh = record.and_then(|record| self.pairs.iter().find(|pair| pair.path == record.path));
        let fresh = fresh.and_then(|pair| pair.new.as_ref()).filter(|version| !version.is_blanked);
        let uses = match (fresh, record) {
            (Some(version), _) => FileUses::of(&version.facts.bodies),
            (None, Some(record)) => {
                let bodies = self.store.bodies(&record.content_hash)?.and_then(|bytes| Bodies::decode(&bytes));
                bodies.map(|bodies| FileUses::of(&bodies)).unwrap_or_default()
            }
            (None, None) => FileUses::default(),
        };
        let uses = Rc::new(uses);
        self.uses.borrow_mut().insert(file, Rc::clone(&uses));
        Ok(uses)
    }

    /// Whether a line came with this change: its author knew the change.
    fn is_touched(&self, head: &Head, line: u32) -> bool {
        let path = self.graph.path(head);
        let Some(pair) = self.pairs.iter().find(|pair| pair.path == path) else { return false };
        let (Some(old), Some(new)) = (&pair.old, &pair.new) else { return true };
        let text = |version: &crate::review::states::versions::Version, line: u32| -> Option<String> {
            version.text.lines().nth(line.checked_sub(1)? as usize).map(|text| text.trim().to_owned())
        };
        let Some(written) = text(new, line) else { return false };
        // A line that only moved stands in the old text too.
        !old.text.lines().any(|before| before.trim() == written)
    }

    /// Keeps a claim unless a worse one is known about the same place and definition.
    fn claim(&mut self, change: &Changed, claim: Claim) -> Result<(), StoreError> {
        let name = self.name_of(change);
        self.claim_about(&name, claim)
    }

    fn claim_about(&mut self, entity: &str, claim: Claim) -> Result<(), StoreError> {
        let relationship = claim.relationship;
        let Some(head) = self.graph.head(relationship.source)? else { return Ok(()) };
        let path = self.graph.path(&head).to_owned();
        let key = (path.clone(), relationship.line, relationship.column, entity.to_owned());
        if self.findings.get(&key).is_some_and(|known| known.verdict <= claim.verdict) {
            return Ok(());
        }
        let evidence = relationship.basis.evidence();
        let via = Via {
            name: entity.into(),
            path: path.as_str().into(),
            line: relationship.line,
            column: relationship.column,
            target: relationship.target,
            kind: relationship.kind,
            evidence,
            basis: claim.basis,
        };
        let finding = Finding {
            verdict: claim.verdict,
            reason: claim.reason,
            entity: entity.to_owned(),
            name: self.graph.full_name(&head),
            kind: head.kind,
            path,
            line: relationship.line,
            column: relationship.column,
            evidence,
            probability: rounded(claim.probability),
            is_test: self.graph.file(head.file).is_some_and(|file| file.is_test),
            via: vec![via],
            source: relationship.source,
            is_missing: claim.is_missing,
        };
        self.findings.insert(key, finding);
        Ok(())
    }
}

impl Claim {
    /// A claim about a relationship of the index. An uncertain one only *may* break.
    fn about(relationship: Relationship, verdict: Verdict, reason: String) -> Self {
        let probability = relationship.basis.probability();
        let verdict = if verdict == Verdict::Breaks && probability < CERTAIN { Verdict::MayBreak } else { verdict };
        Self { verdict, reason, relationship, probability, basis: relationship.basis.as_str(), is_missing: false }
    }

    /// A claim about a reference whose target is missing.
    fn missing(relationship: Relationship, verdict: Verdict, reason: String) -> Self {
        Self { is_missing: true, ..Self::about(relationship, verdict, reason) }
    }
}

/// The old and new parameters that a call with this receiver passes.
fn signature_met(record: &EntityRecord, shape: &DefinitionShape, receiver: &Receiver, name: &str) -> Signature {
    passed_through(record, signature(&shape.parameters), receiver, name)
}

/// The parameters of a definition that the arguments of a call with this receiver fill: mostly those behind `self`.
fn passed_through(record: &EntityRecord, signature: Signature, receiver: &Receiver, name: &str) -> Signature {
    let is_static = record.flags.has(EntityFlags::STATIC_METHOD);
    if !matches!(record.kind, EntityKind::Method | EntityKind::Property) || is_static {
        return signature;
    }
    // `Base.method(self, …)` passes the first parameter itself; the call of a class does not.
    let is_through_class = *receiver == Receiver::Class
        && name == record.name
        && !record.flags.has(EntityFlags::CLASS_METHOD)
        && record.name != "__new__";
    if is_through_class { signature } else { signature.bound() }
}

/// A short name for sentences: the last two parts for a member, else the last part.
fn short(name: &str, record: &EntityRecord) -> String {
    let parts: Vec<&str> = name.split('.').collect();
    let count = if record.qualified.contains('.') && !is_constructor(&record.name) { 2 } else { 1 };
    let parts = if is_constructor(&record.name) { &parts[..parts.len().saturating_sub(1)] } else { parts.as_slice() };
    parts[parts.len().saturating_sub(count)..].join(".")
}

/// A relationship that the index lacks because its target is gone.
fn broken(kind: RelationshipKind, source: EntityId, place: Position, basis: Basis) -> Relationship {
    Relationship { target: EntityId(0), kind, source, line: place.0, column: place.1, basis }
}
