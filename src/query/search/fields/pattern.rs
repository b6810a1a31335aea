//! Definitions whose names match a regular expression, sorted by name; variables and inner functions included.

use regex::Regex;
use rustc_hash::FxHashMap;

use super::super::{Hit, SearchOptions, SearchReport, Searcher};
use crate::{
    model::{EntityId, EntityKind},
    query::target::filter::matches_path,
    store::error::StoreError,
};

impl Searcher<'_> {
    /// Every definition whose full name matches the pattern, by name, all with one score.
    pub fn matching(&self, pattern: &Regex, options: &SearchOptions) -> Result<SearchReport, StoreError> {
        let rows = self.store.outline()?;
        let mut names: FxHashMap<EntityId, String> = FxHashMap::default();
        let mut found: Vec<(String, &str, EntityId)> = Vec::new();
        for row in &rows {
            let Some(file) = self.files.get(&row.file) else { continue };
            // Rows come in the order of the file: a parent stands before its members.
            let name = match names.get(&row.parent) {
                Some(above) if row.kind != EntityKind::Module => format!("{above}.{}", row.name),
                _ => file.module.clone(),
            };
            let is_fitting = options.fitting.as_ref().is_none_or(|fitting| fitting.has(row.id));
            if is_fitting && accepts(row.kind, &file.path, options) && pattern.is_match(&name) {
                found.push((name.clone(), &file.path, row.id));
            }
            if row.kind != EntityKind::Variable {
                names.insert(row.id, name);
            }
        }
        found.sort();
        let more = found.len().saturating_sub(options.limit.max(1));
        let mut hits = Vec::new();
        for (.., id) in found.into_iter().take(options.limit.max(1)) {
            hits.extend(self.store.entity(id)?.map(|entity| Hit::of(entity, 1.0)));
        }
        let query = pattern.as_str().to_owned();
        Ok(SearchReport { more, ..SearchReport::of(query, hits, Vec::new()) })
    }
}

/// Whether the options accept a definition of this kind in this file.
pub(in crate::query::search) fn accepts(kind: EntityKind, path: &String, options: &SearchOptions) -> bool {
    (options.kinds.is_empty() || options.kinds.contains(&kind))
        && (options.paths.is_empty() || options.paths.iter().any(|pattern| matches_path(path, pattern)))
        && options.only.as_ref().is_none_or(|only| only.binary_search(path).is_ok())
}
