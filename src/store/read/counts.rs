//! How many definitions of each sort the index holds, and which files have some.

use std::collections::BTreeSet;

use rusqlite::params;
use rustc_hash::FxHashSet;

use crate::{
    model::{EntityFlags, EntityKind, FileId, definition_counts::DefinitionCounts},
    store::{Store, error::StoreError},
};

impl Store {
    /// The files of tests.
    pub fn test_files(&self) -> Result<BTreeSet<FileId>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM files WHERE is_test")?;
        let ids = statement.query_map((), |row| Ok(FileId(row.get(0)?)))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// The files with coroutines or asynchronous generators.
    pub fn files_with_async(&self) -> Result<FxHashSet<FileId>, StoreError> {
        // As the partial index says it: with a parameter SQLite would read all entities.
        const _: () = assert!(EntityFlags::ASYNC == 1);
        let mut statement =
            self.connection.prepare_cached("SELECT DISTINCT file_id FROM entities WHERE flags & 1 <> 0")?;
        let files = statement.query_map([], |row| row.get(0).map(FileId))?;
        Ok(files.collect::<Result<_, _>>()?)
    }

    /// Counts classes, functions and methods in one pass over the entities.
    pub fn definition_counts(&self) -> Result<DefinitionCounts, StoreError> {
        let [module, class, function, method, property] =
            [EntityKind::Module, EntityKind::Class, EntityKind::Function, EntityKind::Method, EntityKind::Property]
                .map(|kind| kind as u8);
        let mut statement = self.connection.prepare_cached(
            "WITH defined AS (
               SELECT e.kind = ?2 AND e.flags & ?9 = 0 AS is_class, e.kind = ?2 AND e.flags & ?9 <> 0 AS is_made, e.kind <> ?2 AS is_def,
                 e.kind = ?5 AS is_property, p.kind AS parent, e.flags AS flags,
                 e.decorators <> '' AS is_decorated
               FROM entities e JOIN entities p ON p.id = e.parent_id WHERE e.kind IN (?2, ?3, ?4, ?5))
             SELECT
               count(*) FILTER (WHERE is_class),
               count(*) FILTER (WHERE is_made),
               count(*) FILTER (WHERE is_class AND parent <> ?1),
               count(*) FILTER (WHERE is_def AND parent = ?1),
               count(*) FILTER (WHERE is_def AND parent = ?2),
               count(*) FILTER (WHERE is_property AND parent = ?2 AND flags & ?6 = 0),
               count(*) FILTER (WHERE is_def AND parent = ?2 AND flags & ?6 <> 0),
               count(*) FILTER (WHERE is_def AND parent NOT IN (?1, ?2)),
               count(*) FILTER (WHERE is_def AND flags & ?7 <> 0),
               count(*) FILTER (WHERE is_def AND is_decorated),
               count(*) FILTER (WHERE is_class AND is_decorated),
               count(*) FILTER (WHERE is_def AND flags & ?8 <> 0)
             FROM defined",
        )?;
        let setter = EntityFlags::SETTER | EntityFlags::DELETER;
        let (asynchronous, overload, made) = (EntityFlags::ASYNC, EntityFlags::OVERLOAD, EntityFlags::MADE);
        let values = params![module, class, function, method, property, setter, asynchronous, overload, made];
        let counts = statement.query_row(values, |row| {
            Ok(DefinitionCounts {
                classes: row.get(0)?,
                made_classes: row.get(1)?,
                nested_classes: row.get(2)?,
                functions: row.get(3)?,
                methods: row.get(4)?,
                properties: row.get(5)?,
                setters: row.get(6)?,
                nested_functions: row.get(7)?,
                async_functions: row.get(8)?,
                decorated_functions: row.get(9)?,
                decorated_classes: row.get(10)?,
                overloads: row.get(11)?,
            })
        });
        Ok(counts?)
    }
}
