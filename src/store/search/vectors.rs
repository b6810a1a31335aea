//! Rows about vectors: one for each text and model. A docstring is a text of its own.
//!
//! Vectors are stored as bytes, by the hash of the text and the name of the model. The vectors of the built-in table
//! are removed with their chunks (see `texts`). Those of slow models stay, because their text may come back.

use rusqlite::{Connection, OptionalExtension, params};

use crate::store::{Store, Update, error::StoreError, search::texts::STATIC_MODEL, write::bulk::BulkBuilder};

/// A model whose vectors are in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    pub id: u32,
    /// Numbers in each of its vectors.
    pub dimensions: u32,
}

/// All texts that a model should know, each once. `doc` tells the docstrings among them.
const TEXTS: &str = "SELECT text, 0 AS doc FROM (SELECT text FROM chunks UNION SELECT text FROM sections)
  UNION ALL SELECT DISTINCT doc, 1 FROM chunks WHERE doc IS NOT NULL";

/// How many texts there are, and how many of them have a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    pub texts: u64,
    pub embedded: u64,
    /// How many of the texts are docstrings.
    pub docstrings: u64,
}

/// A place of a text without a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    pub path: String,
    pub is_document: bool,
    /// Its hash.
    pub text: u64,
    /// It was withheld from the model before.
    pub is_withheld: bool,
}

impl Coverage {
    /// Texts that have no vector yet.
    pub fn missing(self) -> u64 {
        self.texts.saturating_sub(self.embedded)
    }
}

impl Store {
    /// The model of this name.
    pub fn model(&self, name: &str) -> Result<Option<Model>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT id, dimensions FROM models WHERE name = ?1")?;
        let model = statement.query_row([name], |row| Ok(Model { id: row.get(0)?, dimensions: row.get(1)? }));
        Ok(model.optional()?)
    }

    /// How far the texts have vectors of the model.
    pub fn coverage(&self, model: Option<Model>) -> Result<Coverage, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT count(*), count(v.text), coalesce(sum(t.doc), 0) FROM ({TEXTS}) t
             LEFT JOIN vectors v ON v.model_id = ?1 AND v.text = t.text",
        ))?;
        let counts = |row: &rusqlite::Row<'_>| {
            Ok(Coverage { texts: row.get(0)?, embedded: row.get(1)?, docstrings: row.get(2)? })
        };
        Ok(statement.query_row([model.map(|model| model.id)], counts)?)
    }

    /// All places of the texts without a vector of the model, withheld ones included: they may stand in another file
    /// now, which is not withheld.
    pub fn texts_without_vector(&self, model: Option<Model>) -> Result<Vec<Missing>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT path, is_document, t.text, v.text IS NOT NULL FROM (
               SELECT f.path, 0 AS is_document, c.text FROM chunks c JOIN files f ON f.id = c.file_id
               UNION
               SELECT f.path, 0, c.doc FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.doc IS NOT NULL
               UNION
               SELECT d.path, 1, s.text FROM sections s JOIN documents d ON d.id = s.document_id
             ) t
             LEFT JOIN vectors v ON v.model_id = ?1 AND v.text = t.text
             WHERE v.text IS NULL OR length(v.vector) = 0
             ORDER BY path, t.text",
        )?;
        let texts = statement.query_map([model.map(|model| model.id)], |row| {
            let text = row.get::<_, i64>(2)?.cast_unsigned();
            Ok(Missing { path: row.get(0)?, is_document: row.get(1)?, text, is_withheld: row.get(3)? })
        })?;
        Ok(texts.collect::<Result<_, _>>()?)
    }

    /// Calls `visit` with every text that has a vector of the model, in ascending order of the hash as a signed number.
    pub fn each_vector(&self, model: u32, visit: &mut dyn FnMut(u64, &[u8])) -> Result<(), StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT text, vector FROM vectors WHERE model_id = ?1 ORDER BY text")?;
        let mut rows = statement.query([model])?;
        while let Some(row) = rows.next()? {
            visit(row.get::<_, i64>(0)?.cast_unsigned(), row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?);
        }
        Ok(())
    }

    /// Calls `visit` with every text whose vector of the model can be compared with this one, and with their cosine,
    /// -1..=1. The order is ascending by the hash as a signed number. Vectors of another length and zero vectors are
    /// left out.
    pub fn each_cosine(&self, model: u32, vector: &[u8], visit: &mut dyn FnMut(u64, f64)) -> Result<(), StoreError> {
        if vector.is_empty() {
            return Ok(());
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT text, vec_distance_cosine(vec_int8(vector), vec_int8(?2)) FROM vectors
             WHERE model_id = ?1 AND length(vector) = length(?2) ORDER BY text",
        )?;
        let mut rows = statement.query(params![model, vector])?;
        while let Some(row) = rows.next()? {
            let distance: Option<f64> = row.get(1)?;
            if let Some(distance) = distance.filter(|distance| distance.is_finite()) {
                visit(row.get::<_, i64>(0)?.cast_unsigned(), 1.0 - distance);
            }
        }
        Ok(())
    }

    /// Calls `visit` for those of these texts whose vector of the model can be compared with this one. It gets the
    /// position of the text and the cosine, -1..=1.
    pub fn cosines_of(
        &self,
        model: u32,
        vector: &[u8],
        texts: &[u64],
        visit: &mut dyn FnMut(usize, f64),
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT vec_distance_cosine(vec_int8(vector), vec_int8(?2)) FROM vectors
             WHERE model_id = ?1 AND text = ?3 AND length(vector) = length(?2)",
        )?;
        for (at, text) in texts.iter().enumerate().filter(|_| !vector.is_empty()) {
            let mut rows = statement.query(params![model, vector, text.cast_signed()])?;
            if let Some(row) = rows.next()? {
                let distance: Option<f64> = row.get(0)?;
                if let Some(distance) = distance.filter(|distance| distance.is_finite()) {
                    visit(at, 1.0 - distance);
                }
            }
        }
        Ok(())
    }

    /// Calls `visit` with every chunk whose docstring has a vector of the model that can be compared with this one, and
    /// with their cosine, -1..=1; by number.
    pub fn each_docstring_cosine(
        &self,
        model: u32,
        vector: &[u8],
        visit: &mut dyn FnMut(u32, f64),
    ) -> Result<(), StoreError> {
        if vector.is_empty() {
            return Ok(());
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT c.id, vec_distance_cosine(vec_int8(v.vector), vec_int8(?2)) FROM chunks c
             JOIN vectors v ON v.model_id = ?1 AND v.text = c.doc
             WHERE length(v.vector) = length(?2) ORDER BY c.id",
        )?;
        let mut rows = statement.query(params![model, vector])?;
        while let Some(row) = rows.next()? {
            let distance: Option<f64> = row.get(1)?;
            if let Some(distance) = distance.filter(|distance| distance.is_finite()) {
                visit(row.get(0)?, 1.0 - distance);
            }
        }
        Ok(())
    }

    /// The vector of one text.
    #[cfg(test)]
    pub(crate) fn vector(&self, model: u32, text: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT vector FROM vectors WHERE model_id = ?1 AND text = ?2")?;
        Ok(statement.query_row(params![model, text.cast_signed()], |row| row.get(0)).optional()?)
    }
}

impl Update<'_> {
    /// The model of this name, entered if it is new. Vectors of another length under the same name are of no use and
    /// go.
    pub fn put_model(&self, name: &str, dimensions: u32) -> Result<Model, StoreError> {
        match self.model(name)? {
            Some(model) if model.dimensions == dimensions => return Ok(model),
            Some(model) => {
                self.connection.execute("DELETE FROM vectors WHERE model_id = ?1", [model.id])?;
                self.connection.execute("UPDATE models SET dimensions = ?2 WHERE id = ?1", [model.id, dimensions])?;
            }
            None => {
                let mut statement = self.connection.prepare_cached(
                    "INSERT INTO models (id, name, dimensions) SELECT 1 + coalesce(max(id), ?1), ?2, ?3 FROM models",
                )?;
                statement.execute(params![STATIC_MODEL, name, dimensions])?;
            }
        }
        Ok(self.model(name)?.expect("it was entered just now"))
    }

    /// Stores the vector of a text; an empty one means that the text is withheld from the model.
    pub fn put_vector(&self, model: Model, text: u64, vector: &[u8]) -> Result<(), StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("INSERT OR REPLACE INTO vectors (model_id, text, vector) VALUES (?1, ?2, ?3)")?;
        statement.execute(params![model.id, text.cast_signed(), vector])?;
        Ok(())
    }

    /// Removes the vectors of all slow models but this one, and those of texts that are gone when they outnumber the
    /// others.
    pub fn tidy_vectors(&self, keep: Model) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM vectors WHERE model_id NOT IN (?1, ?2)", [STATIC_MODEL, keep.id])?;
        self.connection.execute("DELETE FROM models WHERE id <> ?1", [keep.id])?;
        let mut statement = self.connection.prepare_cached("SELECT count(*) FROM vectors WHERE model_id = ?1")?;
        let all: u64 = statement.query_row([keep.id], |row| row.get(0))?;
        if all > 2 * self.coverage(Some(keep))?.embedded {
            let dead = format!("DELETE FROM vectors WHERE model_id = ?1 AND text NOT IN (SELECT text FROM ({TEXTS}))");
            self.connection.execute(&dead, [keep.id])?;
        }
        Ok(())
    }
}

/// Stores vectors of the table in the binary by the texts that they belong to, each text once.
pub(crate) fn put_static<'v>(
    connection: &Connection,
    vectors: impl Iterator<Item = (u64, &'v [u8])>,
) -> Result<(), StoreError> {
    let mut statement =
        connection.prepare_cached("INSERT OR IGNORE INTO vectors (model_id, text, vector) VALUES (?1, ?2, ?3)")?;
    for (text, vector) in vectors {
        statement.execute(params![STATIC_MODEL, text.cast_signed(), vector])?;
    }
    Ok(())
}

impl BulkBuilder {
    /// Keeps vectors of the table in the binary until [`BulkBuilder::put_vectors`].
    pub(crate) fn take_vectors(&mut self, vectors: impl Iterator<Item = (u64, Vec<u8>)>) {
        self.vectors.extend(vectors);
    }

    /// Stores the vectors that were kept, in the order of their texts: pages that are filled from left to right hold
    /// half as much again.
    pub(crate) fn put_vectors(&mut self) -> Result<(), StoreError> {
        let mut vectors = std::mem::take(&mut self.vectors);
        vectors.sort_unstable_by_key(|(text, _)| text.cast_signed());
        put_static(self.connection(), vectors.iter().map(|(text, vector)| (*text, vector.as_slice())))
    }

    /// Takes over the vectors of slow models from the index that is replaced.
    pub fn keep_vectors(&mut self, old: &Store) -> Result<(), StoreError> {
        let mut models = old.connection.prepare("SELECT id, name, dimensions FROM models")?;
        let mut model = self.connection().prepare("INSERT INTO models (id, name, dimensions) VALUES (?1, ?2, ?3)")?;
        let mut vector =
            self.connection().prepare("INSERT INTO vectors (model_id, text, vector) VALUES (?1, ?2, ?3)")?;
        let mut rows = models.query(())?;
        while let Some(row) = rows.next()? {
            let (id, name, dimensions): (u32, String, u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
            model.execute(params![id, name, dimensions])?;
            let mut result = Ok(0);
            old.each_vector(id, &mut |text, bytes| {
                if result.is_ok() {
                    result = vector.execute(params![id, text.cast_signed(), bytes]);
                }
            })?;
            result?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        embed::quantized,
        model::EntityKind,
        store::{sample, search::texts::ChunkRow},
    };

    fn row(ordinal: u32, text: u64) -> ChunkRow {
        let (kind, vector) = (EntityKind::Function, vec![1; 256]);
        let (lengths, words) = Default::default();
        ChunkRow {
            ordinal,
            piece: 0,
            kind,
            start_line: 1,
            end_line: 2,
            length: 3,
            lengths,
            text,
            doc: None,
            words,
            vector,
        }
    }

    #[test]
    fn cosines_are_those_of_the_vectors_before_they_were_stored() {
        let (a, b) = ([0.3_f32, -0.7, 0.2, 0.01], [0.5_f32, -0.1, -0.6, 0.3]);
        let exact = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f32>()
            / (a.iter().map(|a| a * a).sum::<f32>() * b.iter().map(|b| b * b).sum::<f32>()).sqrt();
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        let model = update.put_model("m", 4).unwrap();
        update.put_vector(model, 1, &quantized(&a)).unwrap();
        update.put_vector(model, 2, &quantized(&b)).unwrap();
        update.put_vector(model, 3, &quantized(&a[..3])).unwrap();
        update.put_vector(model, 4, &quantized(&[0.0; 4])).unwrap();
        let mut found = Vec::new();
        update.each_cosine(model.id, &quantized(&a), &mut |text, cosine| found.push((text, cosine))).unwrap();
        assert_eq!(found.iter().map(|(text, _)| *text).collect::<Vec<_>>(), [1, 2]);
        let mut some = Vec::new();
        update
            .cosines_of(model.id, &quantized(&a), &[9, 4, 2, 3, 1], &mut |at, cosine| some.push((at, cosine)))
            .unwrap();
        assert_eq!(some, [(2, found[1].1), (4, found[0].1)]);
        assert!((found[0].1 - 1.0).abs() < 1e-6 && (found[1].1 - f64::from(exact)).abs() < 0.01);
    }

    #[test]
    fn a_model_gets_the_texts_that_it_has_not_seen() {
        let mut store = Store::open_in_memory().unwrap();
        let update = store.write().unwrap();
        let a = update.put_file(&sample::file("a.py", 1)).unwrap();
        update.put_texts(a, &[row(0, 7), row(1, u64::MAX), row(2, 7)]).unwrap();
        let missing = |model| -> Vec<u64> {
            update.texts_without_vector(model).unwrap().iter().map(|missing| missing.text).collect()
        };
        assert_eq!(update.model("m").unwrap(), None);
        assert_eq!(update.coverage(None).unwrap(), Coverage { texts: 2, embedded: 0, docstrings: 0 });
        assert_eq!(missing(None), [u64::MAX, 7], "each text once for a file");
        let model = update.put_model("m", 3).unwrap();
        assert!(model.id != STATIC_MODEL);
        update.put_vector(model, 7, &[1, 2, 3]).unwrap();
        assert_eq!(missing(Some(model)), [u64::MAX]);
        assert_eq!(update.coverage(Some(model)).unwrap().missing(), 1);
        // The vector of a slow model outlives its text, which may come back.
        update.put_texts(a, &[row(0, 9)]).unwrap();
        assert_eq!(update.vector(model.id, 7).unwrap().unwrap(), [1, 2, 3]);
        assert_eq!(update.vector(STATIC_MODEL, 7).unwrap(), None);
        update.tidy_vectors(model).unwrap();
        assert_eq!(update.vector(model.id, 7).unwrap(), None, "now the dead outnumber the others");
        // Another length: nothing of the old vectors can be compared.
        update.put_vector(model, 9, &[1, 2, 3]).unwrap();
        let again = update.put_model("m", 4).unwrap();
        assert_eq!((again.id, update.vector(again.id, 9).unwrap()), (model.id, None));
        let other = update.put_model("n", 4).unwrap();
        update.tidy_vectors(other).unwrap();
        assert_eq!(update.model("m").unwrap(), None);
    }
}
