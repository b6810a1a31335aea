//! Definitions of one name, and which of them an unresolved occurrence can mean rather than another.
//!
//! Goes in: the definitions that share a name, and an occurrence of it. Comes out: the share that one of them has: those that do
//! not take its arguments have none, and those whose class lacks what else is asked of the receiver, or whose module the file
//! does not know, have less.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    model::{EntityId, EntityKind, FileId, FileRecord, Unresolved},
    query::{graph::Graph, signature::Signature},
    store::{error::StoreError, heads::Head, read::Entity},
};

/// What a definition counts for whose class lacks an attribute that is asked of the receiver.
const LACKING: f64 = 0.25;
/// What one counts for whose module the file does not know.
const UNKNOWN: f64 = 0.5;

/// The definitions of a name, the one in question first.
pub(super) struct Rivals<'g, 's> {
    graph: &'g Graph<'s>,
    all: Vec<Rival>,
    /// Whether a file knows another.
    known: RefCell<FxHashMap<(FileId, FileId), bool>>,
}

struct Rival {
    file: FileId,
    class: Option<EntityId>,
    signature: Option<Signature>,
    /// The class and those that it derives from, once somebody asks.
    ancestors: RefCell<Option<Rc<[EntityId]>>>,
}

/// What an occurrence says of one of the definitions.
pub(super) struct Standing {
    /// Among all that it can mean, 0 to 1.
    pub(super) share: f64,
    /// Its class has all that is asked of the receiver.
    pub(super) has_all: bool,
}

impl<'g, 's> Rivals<'g, 's> {
    pub(super) fn new(graph: &'g Graph<'s>, entities: &[&Entity]) -> Result<Self, StoreError> {
        let mut all = Vec::with_capacity(entities.len());
        for entity in entities {
            let class = graph.head(entity.parent)?.filter(|parent| parent.kind == EntityKind::Class);
            all.push(Rival {
                file: entity.file,
                class: class.map(|class| class.id),
                signature: signature(entity),
                ancestors: RefCell::default(),
            });
        }
        Ok(Rivals { graph, all, known: RefCell::default() })
    }

    /// How the first of the definitions stands among all that the occurrence can mean.
    pub(super) fn standing(&self, occurrence: &Unresolved, source: &Head) -> Result<Standing, StoreError> {
        let is_told = !matches!(occurrence.receiver.as_str(), "" | "self" | "cls");
        let mut asked = if is_told { self.graph.asked(source, &occurrence.receiver)? } else { Vec::new() };
        asked.retain(|name| *name != occurrence.name && !name.starts_with("__"));
        let mut standing = Standing { share: 1.0, has_all: true };
        let mut sum = 0.0;
        for (at, rival) in self.all.iter().enumerate() {
            if at > 0 && !rival.fits(occurrence) {
                continue;
            }
            let has_all = self.has_all(rival, &asked)?;
            let mut weight = if has_all { 1.0 } else { LACKING };
            if !self.is_known(source, rival.file)? {
                weight *= UNKNOWN;
            }
            sum += weight;
            if at == 0 {
                standing = Standing { share: weight, has_all };
            }
        }
        standing.share /= sum;
        Ok(standing)
    }

    fn has_all(&self, rival: &Rival, asked: &[String]) -> Result<bool, StoreError> {
        let Some(class) = rival.class.filter(|_| !asked.is_empty()) else { return Ok(true) };
        let ancestors = self.ancestors(rival, class)?;
        for name in asked {
            if !self.graph.named(name)?.iter().any(|entity| ancestors.contains(&entity.parent)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn ancestors(&self, rival: &Rival, class: EntityId) -> Result<Rc<[EntityId]>, StoreError> {
        if let Some(known) = rival.ancestors.borrow().as_ref() {
            return Ok(Rc::clone(known));
        }
        let found: Rc<[EntityId]> = self.graph.lineage(class)?.iter().map(|class| class.id).collect();
        *rival.ancestors.borrow_mut() = Some(Rc::clone(&found));
        Ok(found)
    }

    fn is_known(&self, source: &Head, file: FileId) -> Result<bool, StoreError> {
        if let Some(&known) = self.known.borrow().get(&(source.file, file)) {
            return Ok(known);
        }
        let is_known = is_known(self.graph, source, file)?;
        self.known.borrow_mut().insert((source.file, file), is_known);
        Ok(is_known)
    }
}

impl Rival {
    fn fits(&self, occurrence: &Unresolved) -> bool {
        match (&occurrence.call, &self.signature) {
            (Some(call), Some(signature)) => signature.mismatch(call).is_none(),
            _ => true,
        }
    }
}

/// What a definition takes, without what its receiver is.
pub(super) fn signature(entity: &Entity) -> Option<Signature> {
    let signature = Signature::parse(&entity.record.signature).filter(|_| entity.record.kind.is_callable())?;
    Some(if entity.record.kind == EntityKind::Method { signature.bound() } else { signature })
}

/// Whether the file of `source` is that file, lies beside it, or refers to something in it.
pub(super) fn is_known(graph: &Graph, source: &Head, file: FileId) -> Result<bool, StoreError> {
    let folder = |file: &FileRecord| file.path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let folder_of = |file: FileId| graph.file(file).and_then(folder);
    if source.file == file || folder_of(source.file) == folder_of(file) {
        return Ok(true);
    }
    graph.refers(source.file, file)
}
