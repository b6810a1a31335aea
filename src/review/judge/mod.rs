//! What a change does at each place that refers to it.
//!
//! Goes in: the changed definitions and the index of the new tree. Comes out: findings: a place, a verdict, the reason in
//! one sentence, and how sure that is. The index describes the *new* tree, so a place that was adapted in the same change
//! is judged as it is now: what is asked is always whether it fits, never whether somebody touched it.

mod ancestry;
mod behavior;
mod calls;
mod classes;
mod imports;
mod lost;
mod overrides;
mod removed_references;

pub(super) use imports::Unimportable;

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::{
    facts::{Bodies, fingerprint::DefinitionShape},
    model::{
        Basis, EntityFlags, EntityId, EntityKind, EntityRecord, Evidence, FileId, Relationship, RelationshipKind,
        signature::Signature,
    },
    query::{
        graph::Graph,
        impact::{Via, rounded, verdict::Verdict, walk::is_constructor},
    },
    review::{
        Read,
        removed_references::Reference,
        states::{
            changes::{Changed, Spot, new_of, old_of},
            parameters::signature,
            versions::{Indexed, Pair},
        },
        uses::{Place, Receiver, Uses},
    },
    store::{
        Store,
        error::StoreError,
        read::{Entity, entity_headers::Head},
    },
};

/// From this probability on, a relationship is taken for certain enough to say that something breaks.
const CERTAIN: f64 = 0.8;

/// A place that refers to a changed definition, and what the change does there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    pub verdict: Verdict,
    /// One sentence about the place, without a period.
    pub reason: String,
    /// The changed definition, by the name it had.
    pub entity: String,
    /// Who refers to it.
    pub name: String,
    pub kind: EntityKind,
    /// Where the reference stands.
    pub path: String,
    pub line: u32,
    /// In bytes, 0-based.
    pub column: u32,
    pub evidence: Evidence,
    /// That the place refers to the definition.
    pub probability: f64,
    pub is_test: bool,
    /// The chain of relationships from the place to the definition.
    pub via: Vec<Via>,
    #[serde(skip)]
    pub(crate) source: EntityId,
    /// What the place refers to is not there: something else happens, even if nothing breaks because that is caught.
    #[serde(skip)]
    pub(crate) is_missing: bool,
}

/// What is said about one place.
pub(super) struct Claim {
    verdict: Verdict,
    reason: String,
    relationship: Relationship,
    probability: f64,
    basis: &'static str,
    is_missing: bool,
}

/// What was found.
pub(super) struct Judgment {
    pub(super) findings: Vec<Finding>,
    /// Names that a file had by an import, has no more, and is still asked for, with the number of its pair.
    pub(super) lost_imports: Vec<(usize, String)>,
    pub(super) unimportable: Unimportable,
}

/// Judges every place that refers to something that changed, or would refer to what is gone (`references`).
pub(super) fn judge(graph: &Graph, read: &Read, references: &[Reference]) -> Result<Judgment, StoreError> {
    let Read { pairs, changed, indexed } = read;
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
            judge.lost_bases(change)?;
            judge.behavior(change)?;
        }
    }
    judge.classes()?;
    judge.syntax()?;
    judge.bygone(references)?;
    let lost_imports = judge.lost_imports()?;
    let unimportable = judge.unimportable()?;
    let mut findings: Vec<Finding> = judge.findings.into_values().collect();
    // What is the same for two receivers in a line is told once.
    let mut told = FxHashSet::default();
    findings.retain(|finding| told.insert((finding.path.clone(), finding.line, finding.reason.clone())));
    Ok(Judgment { findings, lost_imports, unimportable })
}

/// A place and the definition it refers to: path, line, column, definition.
type FindingKey = (String, u32, u32, String);

struct Judge<'a, 's> {
    graph: &'a Graph<'s>,
    store: &'s Store,
    pairs: &'a [Pair],
    changed: &'a [Changed],
    uses: RefCell<FxHashMap<FileId, Rc<Uses>>>,
    indexed: &'a Indexed,
    /// The worst that is known about each place and definition.
    findings: BTreeMap<FindingKey, Finding>,
    /// By place: the changes that took away what it referred to.
    gone: FxHashMap<(FileId, Place), Vec<usize>>,
}

impl<'a> Judge<'a, '_> {
    /// The name that a changed definition had, or has when it is new.
    fn name_of(&self, change: &Changed) -> String {
        match (change.old, change.new) {
            (Some(spot), _) => old_of(self.pairs, spot).full_name(spot.1),
            (None, Some(spot)) => new_of(self.pairs, spot).full_name(spot.1),
            (None, None) => String::new(),
        }
    }

    /// Whether a place is known to have referred to something else that is gone.
    fn meant_another(&self, change: &Changed, file: FileId, place: Place) -> bool {
        let is_it = |&number: &usize| self.changed[number].old == change.old;
        self.gone.get(&(file, place)).is_some_and(|changes| !changes.iter().any(is_it))
    }

    fn old_record(&self, change: &Changed) -> Option<&'a EntityRecord> {
        change.old.map(|spot| &old_of(self.pairs, spot).records()[spot.1])
    }

    fn new_record(&self, change: &Changed) -> Option<&'a EntityRecord> {
        change.new.map(|spot| &new_of(self.pairs, spot).records()[spot.1])
    }

    fn old_shape(&self, change: &Changed) -> Option<&'a DefinitionShape> {
        let (version, record) = (old_of(self.pairs, change.old?), self.old_record(change)?);
        version.shape.at(record.line, record.column)
    }

    fn new_shape(&self, change: &Changed) -> Option<&'a DefinitionShape> {
        let (version, record) = (new_of(self.pairs, change.new?), self.new_record(change)?);
        version.shape.at(record.line, record.column)
    }

    /// The indexed entity of a definition on the new side. `None` when the index shows another content of the file.
    fn entity(&self, spot: Spot) -> Result<Option<Entity>, StoreError> {
        let entities = self.indexed.of(self.store, self.pairs, spot.0)?;
        Ok(new_of(self.pairs, spot).among(spot.1, &entities).cloned())
    }

    /// Files that parsed before and do not any more: their modules cannot be imported.
    fn syntax(&mut self) -> Result<(), StoreError> {
        for pair in self.pairs {
            let (Some(old), Some(new)) = (&pair.old, &pair.new) else { continue };
            if old.shape.broken > 0 || new.shape.broken == 0 {
                continue;
            }
            let Some(file) = self.store.file_id(&pair.path)? else { continue };
            let Some(&module) = self.store.entity_ids(file)?.first() else { continue };
            let relationship = broken(RelationshipKind::References, module, (new.shape.broken, 0), Basis::Scope);
            let reason = "does not parse any more: a syntax error begins here or above".to_owned();
            self.claim_about(&new.module, Claim::missing(relationship, Verdict::MayBreak, reason))?;
        }
        Ok(())
    }

    /// How a file uses what it refers to.
    fn uses(&self, file: FileId) -> Result<Rc<Uses>, StoreError> {
        if let Some(uses) = self.uses.borrow().get(&file) {
            return Ok(Rc::clone(uses));
        }
        let record = self.graph.file(file);
        let fresh = record.and_then(|record| self.pairs.iter().find(|pair| pair.path == record.path));
        let fresh = fresh.and_then(|pair| pair.new.as_ref()).filter(|version| !version.is_reduced);
        let uses = match (fresh, record) {
            (Some(version), _) => Uses::of(&version.facts.bodies),
            (None, Some(record)) => {
                let bodies = self.store.bodies(&record.content_hash)?.and_then(|bytes| Bodies::decode(&bytes));
                bodies.map(|bodies| Uses::of(&bodies)).unwrap_or_default()
            }
            (None, None) => Uses::default(),
        };
        let uses = Rc::new(uses);
        self.uses.borrow_mut().insert(file, Rc::clone(&uses));
        Ok(uses)
    }

    /// Whether a line of a file came with this change: whoever wrote it knew what changed.
    fn is_touched(&self, head: &Head, line: u32) -> bool {
        let path = self.graph.path(head);
        let Some(pair) = self.pairs.iter().find(|pair| pair.path == path) else { return false };
        let (Some(old), Some(new)) = (&pair.old, &pair.new) else { return true };
        let text = |version: &crate::review::states::versions::Version, line: u32| -> Option<String> {
            version.text.lines().nth(line.checked_sub(1)? as usize).map(|text| text.trim().to_owned())
        };
        let Some(written) = text(new, line) else { return false };
        !old.text.lines().any(|before| before.trim() == written)
    }

    /// Keeps a claim unless something worse is known about the same place and definition.
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
    /// A claim about a relationship of the index. What is not certain enough to break only may.
    fn about(relationship: Relationship, verdict: Verdict, reason: String) -> Self {
        let probability = relationship.basis.probability();
        let verdict = if verdict == Verdict::Breaks && probability < CERTAIN { Verdict::MayBreak } else { verdict };
        Self { verdict, reason, relationship, probability, basis: relationship.basis.as_str(), is_missing: false }
    }

    /// A claim about a reference to what is not there.
    fn missing(relationship: Relationship, verdict: Verdict, reason: String) -> Self {
        Self { is_missing: true, ..Self::about(relationship, verdict, reason) }
    }
}

/// The parameters that a call written like this meets, before and after.
fn met(record: &EntityRecord, shape: &DefinitionShape, receiver: &Receiver, name: &str) -> Signature {
    let signature = signature(&shape.parameters);
    let is_static = record.flags.has(EntityFlags::STATIC_METHOD);
    if !matches!(record.kind, EntityKind::Method | EntityKind::Property) || is_static {
        return signature;
    }
    // `Base.method(self, …)` passes the first parameter itself; a class that is called does not.
    let is_through_class = *receiver == Receiver::Class
        && name == record.name
        && !record.flags.has(EntityFlags::CLASS_METHOD)
        && record.name != "__new__";
    if is_through_class { signature } else { signature.bound() }
}

/// The last two parts of a member's name, the last one of anything else: enough to recognize it in a sentence.
fn short(name: &str, record: &EntityRecord) -> String {
    let parts: Vec<&str> = name.split('.').collect();
    let count = if record.qualified.contains('.') && !is_constructor(&record.name) { 2 } else { 1 };
    let parts = if is_constructor(&record.name) { &parts[..parts.len().saturating_sub(1)] } else { parts.as_slice() };
    parts[parts.len().saturating_sub(count)..].join(".")
}

/// A relationship that the index does not have because what it led to is gone.
fn broken(kind: RelationshipKind, source: EntityId, place: Place, basis: Basis) -> Relationship {
    Relationship { target: EntityId(0), kind, source, line: place.0, column: place.1, basis }
}
