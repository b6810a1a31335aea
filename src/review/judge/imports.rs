//! Modules that can no longer be imported.
//!
//! A file fails on import if code that runs then breaks, or if it imports a file that fails. A function that imports
//! such a file fails when it runs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Finding, Judge};
use crate::{
    model::{EntityId, EntityKind, FileId, RelationshipKind as K},
    query::impact::verdict::Verdict,
    review::uses::ImportGuard,
    store::error::StoreError,
};

/// Most files that can fail.
const MAX_FILES: usize = 2000;

/// Deeper nested definitions are not followed to their module.
const MAX_DEPTH: usize = 20;

/// The code that fails with an import.
#[derive(Debug, Default)]
pub(in crate::review) struct Unimportable {
    /// Files with the number of imports to the cause, and its probability.
    pub(in crate::review) files: BTreeMap<FileId, (u32, f64)>,
    /// Functions and methods that import a failing file when they run.
    pub(in crate::review) functions: BTreeSet<EntityId>,
}

impl Judge<'_, '_> {
    /// Finds all code that cannot be imported any more.
    pub(super) fn unimportable(&self) -> Result<Unimportable, StoreError> {
        let mut failing = Unimportable::default();
        let mut queue = VecDeque::new();
        // A finding of a module about itself says that it does not parse.
        let fails = |finding: &&Finding| {
            finding.verdict == Verdict::Breaks
                || finding.entity == finding.name
                || finding.verdict == Verdict::MayBreak && finding.is_missing
        };
        for finding in self.findings.values().filter(fails) {
            let Some(head) = self.graph.head(finding.source)? else { continue };
            let may_break = finding.verdict == Verdict::MayBreak;
            // What a `__getattr__` may not give fails as the module is imported; an import for types alone never does.
            if !self.is_run_by_import(finding)? || may_break && self.is_guarded(head.file, finding.line)? {
                continue;
            }
            let known = failing.files.entry(head.file).or_insert_with(|| {
                queue.push_back(head.file);
                (0, 0.0)
            });
            known.1 = known.1.max(finding.probability);
        }
        while let Some(file) = queue.pop_front() {
            let (distance, probability) = failing.files[&file];
            let Some(&module) = self.store.entity_ids(file)?.first() else { continue };
            for import in self.graph.incoming(module)?.into_iter().filter(|import| import.kind == K::Imports) {
                let Some(source) = self.graph.head(import.source)? else { continue };
                if self.is_guarded(source.file, import.line)? {
                    continue;
                }
                if source.kind.is_callable() {
                    failing.functions.insert(source.id);
                } else if failing.files.len() < MAX_FILES && !failing.files.contains_key(&source.file) {
                    failing.files.insert(source.file, (distance + 1, probability));
                    queue.push_back(source.file);
                }
            }
        }
        Ok(failing)
    }

    /// Whether an import in this line is caught, or for types alone.
    fn is_guarded(&self, file: FileId, line: u32) -> Result<bool, StoreError> {
        let uses = self.uses(file)?;
        let mut imports = uses.imports.iter().filter(|((at, _), _)| *at == line);
        Ok(imports.any(|(_, import)| import.guard != ImportGuard::None))
    }

    /// Whether an import of the module runs the place of a finding: outside of functions, or at the head of one.
    fn is_run_by_import(&self, finding: &Finding) -> Result<bool, StoreError> {
        let is_head = finding.via.first().is_some_and(|via| matches!(via.kind, K::Decorates | K::Inherits));
        let mut at = finding.source;
        for depth in 0..MAX_DEPTH {
            let Some(head) = self.graph.head(at)? else { return Ok(false) };
            match head.kind {
                EntityKind::Module => return Ok(true),
                EntityKind::Class | EntityKind::Variable => {}
                _ if is_head && depth == 0 => {}
                _ => return Ok(false),
            }
            at = head.parent;
        }
        Ok(false)
    }
}
