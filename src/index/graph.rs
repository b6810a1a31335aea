//! A repository given as texts, resolved in memory: for tests and for trying things out.

use std::sync::Arc;

use crate::{
    facts::{FileFacts, Interface},
    index::{
        definitions::memory::{Memory, MemoryFile},
        naming, pool,
    },
    lang,
    model::{EntityId, EntityRecord, FileId, Relationship, Unresolved},
    resolve::ModuleInfo,
};

/// Everything known about some files.
#[derive(Debug, Default)]
pub struct AnalyzedFiles {
    /// Entity, path of its file, its record.
    pub entities: Vec<(EntityId, String, EntityRecord)>,
    pub relationships: Vec<Relationship>,
    pub unresolved: Vec<Unresolved>,
    modules: Vec<String>,
}

impl AnalyzedFiles {
    /// The dotted name of an entity; empty for an unknown one.
    pub fn name(&self, entity: EntityId) -> String {
        let index = self.entities.binary_search_by_key(&entity, |(id, ..)| *id);
        let Ok(index) = index else { return String::new() };
        let (module, record) = (&self.modules[index], &self.entities[index].2);
        if record.qualified.is_empty() { module.clone() } else { format!("{module}.{}", record.qualified) }
    }
}

/// Reads and resolves files given as (path, bytes).
pub fn analyze(files: &[(&str, &[u8])]) -> AnalyzedFiles {
    pool(None).install(|| {
        let mut files: Vec<(&str, &[u8])> =
            files.iter().filter(|(path, _)| lang::language_of(path).is_some()).copied().collect();
        files.sort_unstable_by_key(|(path, _)| *path);
        files.dedup_by_key(|(path, _)| *path);
        let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
        let mut next = 1;
        let mut records = Vec::new();
        let files = files.iter().zip(naming::module_names(&paths)).zip(1..).map(|(((path, bytes), module), id)| {
            let extract = lang::language_of(path).expect("filtered above").extract;
            let facts = extract(bytes);
            records.push(facts.bodies.records.clone());
            let count = u32::try_from(facts.bodies.records.len()).expect("fewer than 2^32 entities");
            let entities = (next..next + count).map(EntityId).collect();
            next += count;
            let info = ModuleInfo { file: FileId(id), path: (*path).to_owned(), interface: facts.interface, entities };
            let bodies = facts.bodies;
            let encoded = FileFacts { interface: Interface::default(), bodies }.encode();
            MemoryFile { info: Arc::new(info), module, bodies: encoded.bodies }
        });
        let memory = Memory::new(files.collect());
        let resolutions = memory.resolve(&(), |resolution| resolution);
        let mut graph = AnalyzedFiles::default();
        for ((file, records), resolution) in memory.files.iter().zip(records).zip(resolutions) {
            for (&id, record) in file.info.entities.iter().zip(records) {
                graph.entities.push((id, file.info.path.clone(), record));
                graph.modules.push(file.module.clone());
            }
            graph.relationships.extend(resolution.relationships);
            graph.unresolved.extend(resolution.unresolved);
        }
        graph.relationships.sort_unstable();
        graph.unresolved.sort_unstable();
        graph
    })
}
