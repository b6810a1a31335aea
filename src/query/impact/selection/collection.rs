//! The settings of pytest's collection, for each path of a project.

use rustc_hash::FxHashMap;

use crate::{
    model::{Collecting, PYTEST_FILES},
    query::graph::Graph,
    store::error::StoreError,
};

/// The settings of pytest in a repository, by the folder of their file.
#[derive(Debug, Default)]
pub(crate) struct PytestCollections {
    by_folder: FxHashMap<String, Collecting>,
    own: Collecting,
}

impl PytestCollections {
    pub(crate) fn new(graph: &Graph) -> Result<Self, StoreError> {
        let mut found = Vec::new();
        for file in graph.files() {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let Some(rank) = PYTEST_FILES.iter().position(|known| *known == name) else { continue };
            if let Some(collecting) = graph.store.collecting(&file.content_hash)? {
                found.push((rank, folder.to_owned(), collecting));
            }
        }
        // The first of a folder stays.
        found.sort_by_key(|(rank, ..)| std::cmp::Reverse(*rank));
        let by_folder = found.into_iter().map(|(_, folder, collecting)| (folder, collecting)).collect();
        Ok(Self { by_folder, own: Collecting::default() })
    }

    /// The settings for the file at `path`: those of the nearest folder above it that has some.
    pub(crate) fn of(&self, path: &str) -> &Collecting {
        let mut folder = path;
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
            if let Some(collecting) = self.by_folder.get(folder) {
                return collecting;
            }
        }
        &self.own
    }
}
