//! The part of every chunk that a search reads, packed by file: its place, its lengths and the signs of its vector.
//!
//! One row holds all chunks of a file or all sections of a document. Reading a row per chunk takes ten times as long as
//! unpacking.

use rusqlite::{Connection, params};

use crate::{
    model::{EntityKind, FileId},
    store::{Store, error::StoreError},
};

/// Bytes of the signs of a vector of the static model.
pub const SIGNS: usize = 32;
/// Bytes of a packed chunk.
const PACKED: usize = 4 + 2 + 1 + 4 + 3 * 2 + 8 + SIGNS;

/// The place of a chunk, and the values of a chunk that a search needs. For a section of a document `file` is the
/// document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkPlace {
    /// Its number, also in the full-text index.
    pub chunk: u32,
    pub file: FileId,
    pub ordinal: u32,
    /// 0 for all of it; the pieces of a long one follow it.
    pub piece: u16,
    pub kind: EntityKind,
    /// Number of words.
    pub length: u32,
    pub lengths: ChunkLengths,
    /// Hash of the text.
    pub text: u64,
    /// A bit for each number of its vector of the static model: whether it is above 0.
    pub signs: [u8; SIGNS],
}

/// Numbers of words in the parts of a chunk, as far as 16 bits go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkLengths {
    pub signature: u16,
    pub doc: u16,
    pub body: u16,
}

/// A chunk without the file and the number that its row has anyway.
pub(crate) struct ChunkDigest<'v> {
    pub(crate) ordinal: u32,
    pub(crate) piece: u16,
    pub(crate) kind: EntityKind,
    pub(crate) length: u32,
    pub(crate) lengths: ChunkLengths,
    pub(crate) text: u64,
    /// Of the static model, as signed bytes.
    pub(crate) vector: &'v [u8],
}

/// The signs of a vector of signed bytes; missing numbers count as 0.
pub(crate) fn signs(vector: &[u8]) -> [u8; SIGNS] {
    let mut signs = [0; SIGNS];
    for (at, number) in vector.iter().enumerate().take(8 * SIGNS) {
        signs[at / 8] |= u8::from(number.cast_signed() > 0) << (at % 8);
    }
    signs
}

/// Stores the digests of the chunks of one file, whose numbers follow each other from `first` on.
pub(crate) fn put<'v>(
    connection: &Connection,
    file: FileId,
    first: u32,
    digests: impl Iterator<Item = ChunkDigest<'v>>,
) -> Result<(), StoreError> {
    let mut packed = Vec::new();
    for digest in digests {
        packed.extend_from_slice(&pack(&digest));
    }
    if !packed.is_empty() {
        let mut statement =
            connection.prepare_cached("INSERT INTO digests (first, file_id, chunks) VALUES (?1, ?2, ?3)")?;
        statement.execute(params![first, file, packed])?;
    }
    Ok(())
}

fn pack(digest: &ChunkDigest<'_>) -> Vec<u8> {
    let ChunkDigest { ordinal, piece, kind, length, lengths, text, vector } = *digest;
    let mut packed = Vec::with_capacity(PACKED);
    packed.extend_from_slice(&ordinal.to_le_bytes());
    packed.extend_from_slice(&piece.to_le_bytes());
    packed.push(kind as u8);
    packed.extend_from_slice(&length.to_le_bytes());
    for length in [lengths.signature, lengths.doc, lengths.body] {
        packed.extend_from_slice(&length.to_le_bytes());
    }
    packed.extend_from_slice(&text.to_le_bytes());
    packed.extend_from_slice(&signs(vector));
    packed
}

/// The digests of one file, to be changed where they stand.
pub(crate) struct FileDigests {
    first: u32,
    before: Vec<u8>,
    now: Vec<u8>,
}

/// The digests of the file whose first chunk this is.
pub(crate) fn get(connection: &Connection, first: u32) -> Result<FileDigests, StoreError> {
    let mut statement = connection.prepare_cached("SELECT chunks FROM digests WHERE first = ?1")?;
    let before: Vec<u8> = statement.query_row([first], |row| row.get(0))?;
    Ok(FileDigests { first, now: before.clone(), before })
}

impl FileDigests {
    /// The chunk at this position keeps its values under another entity.
    pub(crate) fn keep(&mut self, at: usize, ordinal: u32, kind: EntityKind) {
        if let Some(packed) = self.now.chunks_mut(PACKED).nth(at).filter(|packed| packed.len() == PACKED) {
            packed[..4].copy_from_slice(&ordinal.to_le_bytes());
            packed[6] = kind as u8;
        }
    }

    /// Another chunk stands at this position.
    pub(crate) fn replace(&mut self, at: usize, digest: &ChunkDigest<'_>) {
        if let Some(packed) = self.now.chunks_mut(PACKED).nth(at).filter(|packed| packed.len() == PACKED) {
            packed.copy_from_slice(&pack(digest));
        }
    }

    /// Stores the changes.
    pub(crate) fn store(self, connection: &Connection) -> Result<(), StoreError> {
        if self.now != self.before {
            let mut statement = connection.prepare_cached("UPDATE digests SET chunks = ?2 WHERE first = ?1")?;
            statement.execute(params![self.first, self.now])?;
        }
        Ok(())
    }
}

/// Removes the digests of the file whose first chunk this is.
pub(crate) fn remove(connection: &Connection, first: u32) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM digests WHERE first = ?1")?.execute([first])?;
    Ok(())
}

impl Store {
    /// Every chunk, then every section of a document, by number.
    pub fn chunk_places(&self) -> Result<Vec<ChunkPlace>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT first, file_id, chunks FROM digests ORDER BY first")?;
        let mut rows = statement.query(())?;
        let mut places = Vec::new();
        while let Some(row) = rows.next()? {
            let (first, file): (u32, FileId) = (row.get(0)?, row.get(1)?);
            let packed = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
            for (chunk, packed) in (first..).zip(packed.chunks(PACKED)) {
                let place = unpacked(chunk, file, packed);
                places.push(place.ok_or_else(|| StoreError::Damaged(format!("digest of chunk {chunk}")))?);
            }
        }
        Ok(places)
    }
}

fn unpacked(chunk: u32, file: FileId, packed: &[u8]) -> Option<ChunkPlace> {
    let (ordinal, rest) = packed.split_first_chunk()?;
    let (piece, rest) = rest.split_first_chunk()?;
    let (&[kind], rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (signature, rest) = rest.split_first_chunk()?;
    let (doc, rest) = rest.split_first_chunk()?;
    let (body, rest) = rest.split_first_chunk()?;
    let (text, rest) = rest.split_first_chunk()?;
    let lengths = ChunkLengths {
        signature: u16::from_le_bytes(*signature),
        doc: u16::from_le_bytes(*doc),
        body: u16::from_le_bytes(*body),
    };
    Some(ChunkPlace {
        chunk,
        file,
        ordinal: u32::from_le_bytes(*ordinal),
        piece: u16::from_le_bytes(*piece),
        kind: EntityKind::from_code(kind)?,
        length: u32::from_le_bytes(*length),
        lengths,
        text: u64::from_le_bytes(*text),
        signs: *rest.first_chunk()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_come_back_as_they_were() {
        let store = Store::open_in_memory().unwrap();
        let mut vector = vec![0_u8; 256];
        vector[0] = 5;
        vector[1] = (-5_i8).cast_unsigned();
        vector[255] = 1;
        let lengths = ChunkLengths { signature: 1, doc: 0, body: u16::MAX };
        let digest = |ordinal, text| ChunkDigest {
            ordinal,
            piece: 7,
            kind: EntityKind::Class,
            length: 70_000,
            lengths,
            text,
            vector: &vector,
        };
        put(&store.connection, FileId(9), 4, [digest(0, u64::MAX), digest(3, 7)].into_iter()).unwrap();
        put(&store.connection, FileId(8), 2, [].into_iter()).unwrap();
        let places = store.chunk_places().unwrap();
        assert_eq!(
            places.iter().map(|place| (place.chunk, place.ordinal, place.text)).collect::<Vec<_>>(),
            [(4, 0, u64::MAX), (5, 3, 7)]
        );
        let ChunkPlace { file, piece, kind, length, signs, .. } = places[1];
        assert_eq!((file, piece, kind), (FileId(9), 7, EntityKind::Class));
        assert_eq!((length, places[1].lengths), (70_000, lengths));
        assert_eq!((signs[0], signs[31], signs[1]), (1, 128, 0));
        remove(&store.connection, 4).unwrap();
        assert_eq!(store.chunk_places().unwrap(), []);
        store.connection.execute("INSERT INTO digests VALUES (1, 1, x'00')", ()).unwrap();
        assert!(matches!(store.chunk_places(), Err(StoreError::Damaged(_))));
    }
}
