//! The fields of a file's chunks as raw text, and after a long chunk its pieces.
//!
//! Source is cut by the lines of the entities. Only the ends of headers and docstrings are searched for in the text.

use super::{
    pieces::pieces,
    source::{split_body, split_definition},
};
use crate::model::{EntityFlags, EntityKind, EntityRecord};

/// A chunk as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextFields {
    /// The entity's position in its file's list.
    pub ordinal: u32,
    /// 0 for all of it; pieces of a long one count from 1.
    pub piece: u16,
    /// 1-based, inclusive.
    pub start_line: u32,
    pub end_line: u32,
    pub name: String,
    /// The classes around it, outermost first.
    pub owner: String,
    /// The path without suffix, its parts separated by spaces.
    pub path: String,
    /// `def name(…) -> …` or `class Name(…)`, then the decorators.
    pub signature: String,
    /// The docstring.
    pub doc: String,
    /// The rest, as far as it is no chunk of its own.
    pub body: String,
}

impl TextFields {
    /// The texts in the order of the columns of the index.
    pub fn texts(&self) -> [&str; 6] {
        [&self.name, &self.owner, &self.path, &self.signature, &self.doc, &self.body]
    }

    /// The docstring as a text of its own, without the white space around its lines: definitions that are documented
    /// alike share it, whatever their place.
    pub fn docstring(&self) -> Option<TextFields> {
        let lines: Vec<&str> = self.doc.trim().lines().map(str::trim).collect();
        let TextFields { ordinal, piece, start_line, end_line, .. } = *self;
        let doc = lines.join("\n");
        (!doc.is_empty()).then(|| TextFields { ordinal, piece, start_line, end_line, doc, ..TextFields::default() })
    }

    /// Recognizes the same texts in another file or at another time.
    pub fn hash(&self) -> u64 {
        let mut hasher = blake3::Hasher::new();
        for text in self.texts() {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        u64::from_le_bytes(*hasher.finalize().as_bytes().first_chunk().expect("32 bytes"))
    }
}

/// Characters of a file's longest searchable field; the rest of a field is not searched.
const LONGEST: usize = 40_000;

/// Pieces of one chunk.
const MOST_PIECES: u16 = 64;

/// The chunks of a file, each followed by its pieces.
pub fn fields(path: &str, bytes: &[u8], records: &[EntityRecord]) -> Vec<TextFields> {
    let text = String::from_utf8_lossy(bytes);
    let source = LineStarts::new(&text);
    let is_chunk: Vec<bool> = records.iter().map(|record| has_chunk(record, records)).collect();
    let path = path_words(path);
    let mut chunks = Vec::new();
    for (ordinal, record) in (0..).zip(records).filter(|(ordinal, _)| is_chunk[*ordinal as usize]) {
        let is_container = matches!(record.kind, EntityKind::Module | EntityKind::Class);
        let mut inner: Vec<&EntityRecord> = Vec::new();
        let own = if is_container {
            let members = (0..).zip(records).skip(ordinal as usize + 1);
            let members = members.filter(|(at, member)| member.parent == ordinal && is_chunk[*at as usize]);
            inner.extend(members.map(|(_, member): (u32, &EntityRecord)| member));
            source.without(record, &inner)
        } else {
            let mut own = OwnLines::default();
            own.add(source.lines(record.line, record.end_line), record.line);
            own
        };
        let (doc, body) = match record.kind {
            EntityKind::Module => split_body(&own.text),
            _ => split_definition(&own.text),
        };
        let (code, first) = (limited(body), own.text[..own.text.len() - body.len()].matches('\n').count());
        let mut body = body.to_owned();
        if record.kind == EntityKind::Class {
            for member in inner {
                body.push_str(&format!("\n{}", member.name));
            }
        }
        let whole = TextFields {
            ordinal,
            piece: 0,
            start_line: record.start_line,
            end_line: record.end_line,
            name: name(record, &path).to_owned(),
            owner: owner(record, records),
            path: path.clone(),
            signature: signature(record),
            doc: limited(doc).to_owned(),
            body: limited(&body).to_owned(),
        };
        chunks.push(whole.clone());
        // A piece has the names above it, too. The documentation is in the whole.
        let lines: Vec<&str> = code.split_inclusive('\n').collect();
        for (piece, range) in (1..=MOST_PIECES).zip(pieces(code)) {
            // A body begins behind its header, on the same line.
            let start = range.clone().find(|line| !lines[*line].trim().is_empty()).unwrap_or(range.start);
            let (start_line, end_line) = (own.line(first + start), own.line(first + range.end - 1));
            let (doc, body) = (String::new(), lines[range].concat());
            chunks.push(TextFields { piece, start_line, end_line, doc, body, ..whole.clone() });
        }
    }
    chunks
}

/// Modules, and classes and functions outside of functions.
fn has_chunk(record: &EntityRecord, records: &[EntityRecord]) -> bool {
    if record.kind == EntityKind::Module {
        return true;
    }
    if record.kind == EntityKind::Variable {
        return false;
    }
    let mut parent = record.parent as usize;
    while let Some(outer) = records.get(parent).filter(|outer| outer.kind != EntityKind::Module) {
        if outer.kind != EntityKind::Class || outer.parent as usize >= parent {
            return false;
        }
        parent = outer.parent as usize;
    }
    true
}

/// A module's name is in its path alone.
fn name<'a>(record: &'a EntityRecord, path: &'a str) -> &'a str {
    match record.kind {
        EntityKind::Module => path.rsplit(' ').next().unwrap_or_default(),
        _ => &record.name,
    }
}

fn owner(record: &EntityRecord, records: &[EntityRecord]) -> String {
    match records.get(record.parent as usize) {
        Some(parent) if parent.kind == EntityKind::Class => parent.qualified.replace('.', " "),
        _ => String::new(),
    }
}

fn signature(record: &EntityRecord) -> String {
    let word = match record.kind {
        EntityKind::Module => return String::new(),
        EntityKind::Class => "class",
        _ if record.flags.has(EntityFlags::ASYNC) => "async def",
        _ => "def",
    };
    format!("{word} {}{} {}", record.name, limited(&record.signature), record.decorators.join(" "))
}

/// The parts of a path, without the folder that many projects keep their packages in.
fn path_words(path: &str) -> String {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let stem = stem.strip_prefix("src/").or_else(|| stem.strip_prefix("lib/")).unwrap_or(stem);
    stem.replace('/', " ")
}

fn limited(text: &str) -> &str {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// A text by its lines.
struct LineStarts<'t> {
    text: &'t str,
    /// Where each line begins, and the end.
    starts: Vec<usize>,
}

impl<'t> LineStarts<'t> {
    fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        starts.push(text.len());
        LineStarts { text, starts }
    }

    /// From line `first` to line `last`, 1-based, inclusive; empty where there are none.
    fn lines(&self, first: u32, last: u32) -> &'t str {
        let end = self.starts.len() - 1;
        let (first, last) = (first.saturating_sub(1) as usize, last as usize);
        &self.text[self.starts[first.min(end)]..self.starts[last.clamp(first, end.max(first)).min(end)]]
    }

    /// The lines of an entity that belong to none of the inner ones.
    fn without(&self, record: &EntityRecord, inner: &[&EntityRecord]) -> OwnLines {
        let mut own = OwnLines::default();
        let mut next = if record.kind == EntityKind::Module { 1 } else { record.line };
        for inner in inner {
            if inner.start_line > next {
                own.add(self.lines(next, inner.start_line - 1), next);
            }
            next = next.max(inner.end_line + 1);
        }
        if next <= record.end_line {
            own.add(self.lines(next, record.end_line), next);
        }
        own
    }
}

/// Lines of a file that need not follow each other.
#[derive(Default)]
struct OwnLines {
    text: String,
    /// The number of each line.
    numbers: Vec<u32>,
}

impl OwnLines {
    fn add(&mut self, lines: &str, first: u32) {
        self.text.push_str(lines);
        self.numbers.extend((first..).zip(lines.lines()).map(|(number, _)| number));
    }

    fn line(&self, at: usize) -> u32 {
        self.numbers.get(at).or(self.numbers.last()).copied().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: EntityKind, qualified: &str, parent: u32, lines: (u32, u32)) -> EntityRecord {
        EntityRecord {
            kind,
            name: qualified.rsplit('.').next().unwrap().to_owned(),
            qualified: qualified.to_owned(),
            duplicate: 0,
            parent,
            start_line: lines.0,
            end_line: lines.1,
            line: lines.0,
            column: 0,
            signature: String::new(),
            doc: String::new(),
            decorators: Vec::new(),
            flags: EntityFlags::default(),
            content_hash: [0; 16],
        }
    }

    #[test]
    fn a_file_is_cut_into_chunks_that_do_not_overlap() {
        let source = "\"\"\"Module.\"\"\"\nLIMIT = 3\nclass A(B):\n    \"\"\"Class.\"\"\"\n    x = 1\n    def f(self):\n        \"\"\"Method.\"\"\"\n        def inner(): return 7\n        return inner\nprint(LIMIT)\n";
        let records = [
            record(EntityKind::Module, "", 0, (1, 10)),
            record(EntityKind::Variable, "LIMIT", 0, (2, 2)),
            record(EntityKind::Class, "A", 0, (3, 9)),
            record(EntityKind::Method, "A.f", 2, (6, 9)),
            record(EntityKind::Function, "A.f.inner", 3, (8, 8)),
        ];
        let chunks = fields("src/pkg/mod.py", source.as_bytes(), &records);
        let texts: Vec<_> = chunks.iter().map(|chunk| (chunk.ordinal, chunk.doc.as_str(), chunk.body.trim())).collect();
        assert_eq!(
            texts,
            [
                (0, "Module.", "LIMIT = 3\nprint(LIMIT)"),
                (2, "Class.", "x = 1\n\nf"),
                (3, "Method.", "def inner(): return 7\n        return inner"),
            ]
        );
        assert_eq!((chunks[2].owner.as_str(), chunks[2].path.as_str()), ("A", "pkg mod"));
    }

    #[test]
    fn a_docstring_is_the_same_text_at_every_place() {
        let documented = |name: &str, doc: &str| {
            let fields = TextFields { name: name.to_owned(), doc: doc.to_owned(), ..TextFields::default() };
            fields.docstring()
        };
        let (f, g) =
            (documented("f", "Adds.\n\n    More.").unwrap(), documented("g", " Adds.\n\n  More.\n  ").unwrap());
        assert_eq!((f.hash(), f.texts()), (g.hash(), ["", "", "", "", "Adds.\n\nMore.", ""]));
        assert_eq!(documented("f", "\n "), None);
    }

    #[test]
    fn a_long_function_and_a_long_module_have_pieces_with_their_lines() {
        let block = "    if x:\n        y = 1\n".repeat(50);
        let text = format!("A = 1\ndef f(x):\n    \"\"\"Doc.\n\n    More.\"\"\"\n{block}{}", "B = 2\n".repeat(100));
        let records = [record(EntityKind::Module, "", 0, (1, 205)), record(EntityKind::Function, "f", 0, (2, 105))];
        let chunks = fields("m.py", text.as_bytes(), &records);
        let places: Vec<_> =
            chunks.iter().map(|chunk| (chunk.ordinal, chunk.piece, chunk.start_line, chunk.end_line)).collect();
        assert_eq!(
            places,
            [(0, 0, 1, 205), (0, 1, 1, 164), (0, 2, 165, 205), (1, 0, 2, 105), (1, 1, 6, 63), (1, 2, 64, 105)]
        );
        assert_eq!((chunks[5].doc.as_str(), chunks[5].body.lines().count()), ("", 42));
        assert_eq!((chunks[4].name.as_str(), chunks[3].doc.as_str()), ("f", "Doc.\n\n    More."));
    }

    #[test]
    fn lines_that_are_not_there_are_empty() {
        let lines = LineStarts::new("a\nb\n");
        assert_eq!(lines.lines(2, 9), "b\n");
        assert_eq!(lines.lines(7, 9), "");
        assert_eq!(lines.lines(2, 1), "");
        assert_eq!(LineStarts::new("").lines(1, 1), "");
    }
}
