//! Rows for the tests of this folder: small files that know each other.

use crate::model::{
    Answer, Basis, EntityFlags, EntityId, EntityKind, EntityRecord, FileId, FileRecord, FileStat, Relationship,
    RelationshipKind, Resolution, Unresolved, UnresolvedReason, question,
};
use crate::store::Store;

/// A file at `path`; `content` stands for its bytes.
pub(super) fn file(path: &str, content: u8) -> FileRecord {
    FileRecord {
        path: path.to_owned(),
        module: path.trim_end_matches(".py").replace('/', "."),
        content_hash: [content; 32],
        stat: FileStat { size: u64::from(content), mtime_ns: -1, ctime_ns: i64::MAX, inode: u64::MAX },
        line_count: 10,
        is_partial: content == 7,
        is_test: path.contains("test"),
        skipped: String::new(),
    }
}

/// A module with these qualified names in it, one a line from `line` on.
pub(super) fn entities(module: &str, qualified_names: &[&str], line: u32) -> Vec<EntityRecord> {
    let mut entities = vec![entity(EntityKind::Module, module, "", 0, 1)];
    for (at, qualified) in (line..).zip(qualified_names) {
        let (parent, name) = qualified.rsplit_once('.').unwrap_or(("", qualified));
        let parent = entities.iter().position(|entity| entity.qualified == parent).unwrap_or(0);
        let mut record = entity(EntityKind::Function, name, qualified, u32::try_from(parent).unwrap(), at);
        record.duplicate =
            u32::try_from(entities.iter().filter(|other| other.qualified == *qualified).count()).unwrap();
        entities.push(record);
    }
    entities
}

fn entity(kind: EntityKind, name: &str, qualified: &str, parent: u32, line: u32) -> EntityRecord {
    EntityRecord {
        kind,
        name: name.rsplit('.').next().unwrap().to_owned(),
        qualified: qualified.to_owned(),
        duplicate: 0,
        parent,
        start_line: line,
        end_line: line + 1,
        line,
        column: 4,
        signature: "(self, ü=1)".to_owned(),
        doc: "Says what it does.".to_owned(),
        decorators: vec!["property".to_owned(), "mark(\n  1)".to_owned()],
        flags: EntityFlags(EntityFlags::ASYNC | EntityFlags::DELETER),
        content_hash: [1; 16],
    }
}

/// The key of the question that [`resolution`] asks about a target.
pub(super) fn key(target: EntityId) -> u64 {
    u64::MAX - u64::from(target.0)
}

/// Relationships from `source` to each target, one a line, with one question and one answer for each target.
pub(super) fn resolution(source: EntityId, targets: &[EntityId]) -> Resolution {
    let mut resolution = Resolution::default();
    for (line, &target) in (1..).zip(targets) {
        resolution.relationships.push(calls(source, target, line));
        resolution.questions.push(question(key(target)));
        resolution.answers.push(Answer {
            key: u64::from(target.0) << 40,
            level: 1,
            values: vec![u64::from(target.0) << 4 | 2, u64::MAX],
        });
    }
    resolution.relationships.sort_unstable();
    resolution.questions.sort_unstable();
    resolution.questions.dedup();
    resolution.answers.sort_unstable();
    resolution.answers.dedup();
    resolution
}

/// A call of `target` by `source`.
pub(super) fn calls(source: EntityId, target: EntityId, line: u32) -> Relationship {
    Relationship { target, kind: RelationshipKind::Calls, source, line, column: 8, basis: Basis::Import }
}

/// An attribute of something whose type is not known.
pub(super) fn unresolved(source: EntityId, name: &str, line: u32) -> Unresolved {
    Unresolved {
        name: name.to_owned(),
        source,
        line,
        column: 0,
        call: None,
        receiver: "request".to_owned(),
        reason: UnresolvedReason::UnknownReceiver,
        is_awaited: false,
    }
}

/// Two files that call each other, `b.py` first.
pub(super) fn fill(store: &mut Store) -> [FileId; 2] {
    let update = store.write().unwrap();
    let files = ["b", "a"].map(|module| update.put_file(&file(&format!("{module}.py"), module.as_bytes()[0])).unwrap());
    let ids = files.map(|file| update.put_entities(file, &entities("m", &["C", "C.m", "f", "f"], 2)).unwrap());
    for (this, other) in [(0, 1), (1, 0)] {
        update.put_facts(&[b"ba"[this]; 32], b"interface", b"bodies").unwrap();
        let mut resolution = resolution(ids[this][3], &[ids[other][2], ids[other][4], ids[this][0]]);
        resolution.unresolved.push(unresolved(ids[this][1], "get", 7));
        update.put_resolution(files[this], &resolution).unwrap();
    }
    update.set_meta("indexed", "abc").unwrap();
    update.commit().unwrap();
    files
}

/// Everything that an export shows, a line each.
pub(super) fn exported(store: &Store) -> Vec<String> {
    let mut lines = Vec::new();
    store.export_entities(&mut |entity| lines.push(format!("{entity:?}"))).unwrap();
    store.export_edges(&mut |edge| lines.push(format!("{edge:?}"))).unwrap();
    lines
}
