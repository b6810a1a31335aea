//! The tables of the index, as text: the statements that make an empty index, the pragmas of every connection, and the
//! numbers that mark a file as ours.
//!
//! A stored index must consist of exactly these statements, character by character; any other index is rebuilt. The
//! tables behind the full-text index are SQLite's own.

/// "RIDX": `file` and `open` recognize an index by it.
pub(crate) const APPLICATION_ID: i32 = 0x5249_4458;

/// Format of the tables below. There are no migrations: another number means rebuild.
pub(crate) const VERSION: i32 = 14;

/// Bytes in a page; set once, when the file is made.
pub(crate) const PAGE_SIZE: u32 = 4096;

/// Settings of every connection that reads or updates an index.
///
/// - `synchronous = NORMAL`: after a power loss the last updates may be missing, never half there.
/// - `wal_autocheckpoint = 0`: pages move into the file under our own lock alone (see `update`).
/// - `mmap_size = 0`: when another program cuts a mapped file short, the result is a crash instead of an error.
pub(crate) const PRAGMAS: &str = "
PRAGMA foreign_keys = ON;
PRAGMA synchronous = NORMAL;
PRAGMA wal_autocheckpoint = 0;
PRAGMA temp_store = MEMORY;
PRAGMA mmap_size = 0;
PRAGMA cell_size_check = ON;
PRAGMA cache_size = -16384;
";

/// The tables, in the order of their making.
pub(crate) const TABLES: &[&str] = &[
    "CREATE TABLE meta (                -- commit, versions and settings of the last update
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID",
    "CREATE TABLE files (
  id           INTEGER PRIMARY KEY, -- kept while the path lives
  path         TEXT NOT NULL UNIQUE,
  module       TEXT NOT NULL,
  content_hash BLOB NOT NULL,       -- blake3; all zero for a skipped file
  size         INTEGER NOT NULL,    -- stat data of the content that was read: size, mtime_ns, ctime_ns, inode
  mtime_ns     INTEGER NOT NULL,
  ctime_ns     INTEGER NOT NULL,
  inode        INTEGER NOT NULL,
  line_count   INTEGER NOT NULL,
  is_partial   INTEGER NOT NULL,    -- the parser had to recover from errors
  is_test      INTEGER NOT NULL,
  skipped      TEXT NOT NULL        -- why the file has no entities; empty for an indexed file
) STRICT",
    "CREATE TABLE facts (               -- what one syntax tree told, keyed by content: known bytes are never parsed again
  content_hash BLOB NOT NULL PRIMARY KEY,
  interface    BLOB NOT NULL,
  bodies       BLOB NOT NULL
) STRICT",
    "CREATE TABLE entities (
  id           INTEGER PRIMARY KEY AUTOINCREMENT, -- kept while (file, qualified, duplicate) lives; never used again
  file_id      INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
  ordinal      INTEGER NOT NULL,    -- position in the file's list; 0 is the module
  parent_id    INTEGER,             -- the enclosing entity, in the same file; NULL for the module
  kind         INTEGER NOT NULL,    -- see entity_kinds
  name         TEXT NOT NULL,
  qualified    TEXT NOT NULL,       -- name below the module; empty for the module
  duplicate    INTEGER NOT NULL,    -- 1 for the second definition of a qualified name in its file, and so on
  start_line   INTEGER NOT NULL,    -- decorators included
  end_line     INTEGER NOT NULL,
  line         INTEGER NOT NULL,    -- line and column of the name itself
  column       INTEGER NOT NULL,
  signature    TEXT NOT NULL,
  doc          TEXT NOT NULL,
  decorators   TEXT NOT NULL,       -- one a line; a line that starts with a space continues the one before
  flags        INTEGER NOT NULL,
  content_hash BLOB NOT NULL
) STRICT",
    "CREATE TABLE relationships (       -- clustered by target: who depends on it is one search
  target_id INTEGER NOT NULL,
  kind      INTEGER NOT NULL,       -- see relationship_kinds
  source_id INTEGER NOT NULL,
  line      INTEGER NOT NULL,       -- in the source's file
  column    INTEGER NOT NULL,
  basis     INTEGER NOT NULL,       -- see bases
  PRIMARY KEY (target_id, kind, source_id, line, column)
) STRICT, WITHOUT ROWID",
    "CREATE TABLE resolutions (         -- what resolving one file gave, as packed lists: the source of the rows elsewhere
  file_id            INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE,
  relationship_count INTEGER NOT NULL,
  unresolved_count   INTEGER NOT NULL,
  relationships      BLOB NOT NULL,
  unresolved         BLOB NOT NULL,
  questions          BLOB NOT NULL,
  answers            BLOB NOT NULL
) STRICT",
    "CREATE TABLE questions (           -- which file's resolution asked what: a changed answer names the files to resolve
  first INTEGER NOT NULL,           -- the first pair of a question (half of its hash) and a file, as one number
  pairs BLOB NOT NULL,              -- it and those up to the next row's, packed
  PRIMARY KEY (first)
) STRICT, WITHOUT ROWID",
    "CREATE TABLE answers (             -- what a file's resolution contributes to inferred answers
  key     INTEGER NOT NULL,
  file_id INTEGER NOT NULL,
  level   INTEGER NOT NULL,         -- inference round from which it holds
  vals    BLOB NOT NULL,
  PRIMARY KEY (key, file_id, level)
) STRICT, WITHOUT ROWID",
    "CREATE TABLE unresolved (          -- files with occurrences of this name that could not be resolved
  name    TEXT NOT NULL,
  file_id INTEGER NOT NULL,
  PRIMARY KEY (name, file_id)
) STRICT, WITHOUT ROWID",
    "CREATE TABLE chunks (              -- what can be searched: a text for each module, class and function
  id         INTEGER PRIMARY KEY,
  file_id    INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
  ordinal    INTEGER NOT NULL,      -- of its entity
  piece      INTEGER NOT NULL,      -- 0: all of it; pieces of a long one count from 1 and have no words of their own
  kind       INTEGER NOT NULL,      -- of its entity
  start_line INTEGER NOT NULL,
  end_line   INTEGER NOT NULL,
  length     INTEGER NOT NULL,      -- number of words
  text       INTEGER NOT NULL,      -- hash of the text
  doc        INTEGER                -- hash of the docstring alone; NULL without one
) STRICT",
    "CREATE TABLE digests (             -- what a search reads of every chunk, packed by file
  first   INTEGER PRIMARY KEY,      -- the number of the file's first chunk; the others follow
  file_id INTEGER NOT NULL,         -- of sections: of the document
  chunks  BLOB NOT NULL             -- ordinals, pieces, kinds, lengths, hashes of the text, signs of the vectors
) STRICT",
    "CREATE TABLE documents (           -- files of text that are searched beside the code
  id           INTEGER PRIMARY KEY,
  path         TEXT NOT NULL UNIQUE,
  content_hash BLOB NOT NULL,
  size         INTEGER NOT NULL,    -- as in files
  mtime_ns     INTEGER NOT NULL,
  ctime_ns     INTEGER NOT NULL,
  inode        INTEGER NOT NULL,
  skipped      TEXT NOT NULL        -- as in files
) STRICT",
    "CREATE TABLE sections (            -- parts of documents, each below a heading; searched like chunks
  id          INTEGER PRIMARY KEY,  -- in one space with those of chunks, which are smaller
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  ordinal     INTEGER NOT NULL,     -- position in the document
  title       TEXT NOT NULL,
  above       TEXT NOT NULL,        -- titles above it
  lead        TEXT NOT NULL,        -- its first line of text
  start_line  INTEGER NOT NULL,
  end_line    INTEGER NOT NULL,
  length      INTEGER NOT NULL,
  text        INTEGER NOT NULL,     -- see chunks
  names       TEXT NOT NULL         -- names of code that it mentions, one a line
) STRICT",
    "CREATE TABLE literals (            -- string literals and comments of a file, packed
  file_id INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE,
  texts   BLOB NOT NULL
) STRICT",
    "CREATE TABLE vectors (             -- keyed by the text: what was embedded once is not embedded again
  model_id INTEGER NOT NULL,        -- 0: the table in the binary
  text     INTEGER NOT NULL,        -- see chunks: the text or the docstring of one
  vector   BLOB NOT NULL,           -- signed bytes; their scale means nothing
  PRIMARY KEY (model_id, text)
) STRICT, WITHOUT ROWID",
    "CREATE TABLE models (              -- embedders whose vectors are here, by number
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
) STRICT",
    "CREATE TABLE entity_kinds (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT",
    "CREATE TABLE relationship_kinds (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT",
    "CREATE TABLE bases (
  id       INTEGER PRIMARY KEY,
  name     TEXT NOT NULL,
  evidence TEXT NOT NULL
) STRICT",
];

/// The full-text index: which stems are in which columns of a chunk. Neither the text nor positions are kept.
pub(crate) const FULL_TEXT: &str = "CREATE VIRTUAL TABLE chunk_words USING fts5(
  name, owner, path, signature, doc, body,
  twice,                            -- words that the body repeats
  often,                            -- four times and more
  content='', contentless_delete=1, detail=column, tokenize='ascii')";

/// The tables that SQLite makes for it.
pub(crate) const FULL_TEXT_TABLES: &[&str] = &[
    "CREATE TABLE 'chunk_words_data'(id INTEGER PRIMARY KEY, block BLOB)",
    "CREATE TABLE 'chunk_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID",
    "CREATE TABLE 'chunk_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER)",
    "CREATE TABLE 'chunk_words_config'(k PRIMARY KEY, v) WITHOUT ROWID",
];

/// The secondary indexes; a full build makes them after the load.
pub(crate) const INDEXES: &[&str] = &[
    "CREATE INDEX files_by_module ON files (module)",
    "CREATE INDEX entities_by_file ON entities (file_id, ordinal)",
    "CREATE INDEX chunks_by_file ON chunks (file_id)",
    "CREATE INDEX chunks_by_text ON chunks (text)",
    "CREATE INDEX sections_by_document ON sections (document_id, ordinal)",
    "CREATE INDEX sections_by_text ON sections (text)",
    "CREATE INDEX entities_by_name ON entities (name COLLATE NOCASE)",
    // `EntityFlags::ASYNC`.
    "CREATE INDEX entities_async ON entities (file_id) WHERE flags & 1 <> 0",
];

/// For people with `sqlite3` or Datasette; the program itself never reads a view.
pub(crate) const VIEWS: &[&str] = &[
    "CREATE VIEW entities_readable AS
SELECT e.id,
  f.module || iif(e.qualified = '', '', '.' || e.qualified) || iif(e.duplicate = 0, '', '@' || (e.duplicate + 1)) AS name,
  k.name AS kind, f.path, e.start_line, e.end_line, e.signature, e.doc
FROM entities e
JOIN files f ON f.id = e.file_id
JOIN entity_kinds k ON k.id = e.kind",
    "CREATE VIEW relationships_readable AS
SELECT s.name AS source, k.name AS kind, t.name AS target, b.evidence, b.name AS basis, s.path, r.line, r.column,
  r.source_id, r.target_id
FROM relationships r
JOIN entities_readable s ON s.id = r.source_id
JOIN entities_readable t ON t.id = r.target_id
JOIN relationship_kinds k ON k.id = r.kind
JOIN bases b ON b.id = r.basis",
    "CREATE VIEW unresolved_readable AS
SELECT u.name, f.path
FROM unresolved u
JOIN files f ON f.id = u.file_id",
];
