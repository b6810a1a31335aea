//! `pyproject.toml` and `setup.cfg`: the functions and classes that entry points name.
//!
//! Goes in: the file's bytes. Comes out: facts with one module and a text reference per entry point. Everything else in
//! the file is left alone; a file that does not parse has no entry points.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    facts::{
        FileFacts,
        bodies::{Scope, ScopeKind, TextReference},
        hash_name,
        interface::EntityHead,
        shape::FileShape,
    },
    model::{EntityFlags, EntityKind, EntityRecord, definition_hash},
};

/// Tables whose strings are entry points.
const TABLES: [&[&str]; 5] = [
    &["project", "scripts"],
    &["project", "gui-scripts"],
    &["project", "entry-points"],
    &["tool", "poetry", "scripts"],
    &["tool", "poetry", "plugins"],
];

/// Compared as text: there is nothing in it to tell apart.
pub(super) fn compare(versions: &[&[u8]]) -> Vec<(FileFacts, FileShape)> {
    compare_as_text(versions, extract)
}

/// The same for `setup.cfg`.
pub(super) fn compare_setup(versions: &[&[u8]]) -> Vec<(FileFacts, FileShape)> {
    compare_as_text(versions, extract_setup)
}

fn compare_as_text(versions: &[&[u8]], extract: fn(&[u8]) -> FileFacts) -> Vec<(FileFacts, FileShape)> {
    let compared = versions.iter().map(|bytes| {
        let code = hash_name(&String::from_utf8_lossy(bytes));
        (extract(bytes), FileShape { code, whole: code, ..FileShape::default() })
    });
    compared.collect()
}

/// Reads one `pyproject.toml`.
pub(super) fn extract(bytes: &[u8]) -> FileFacts {
    let text = String::from_utf8_lossy(bytes);
    let mut facts = module_alone(bytes, &text);
    let Ok(document) = DeTable::parse(&text) else {
        facts.bodies.is_partial = true;
        return facts;
    };
    for path in TABLES {
        let mut table = Some(document.get_ref());
        for part in path {
            table = table.and_then(|table| table.get(*part)).and_then(|value| value.get_ref().as_table());
        }
        if let Some(table) = table {
            collect(table, &text, &mut facts.bodies.texts);
        }
    }
    facts
}

/// Reads one `setup.cfg`: what stands below `[options.entry_points]`, `name = pkg.mod:function [extra]`.
pub(super) fn extract_setup(bytes: &[u8]) -> FileFacts {
    let text = String::from_utf8_lossy(bytes);
    let mut facts = module_alone(bytes, &text);
    let mut is_inside = false;
    for (number, line) in (1..).zip(text.lines()) {
        let written = line.trim();
        if written.starts_with('[') {
            is_inside = written == "[options.entry_points]";
        } else if is_inside
            && !written.starts_with(['#', ';'])
            && let Some((_, named)) = line.split_once('=')
            && !named.trim().is_empty()
        {
            let column = line.len() - named.trim_start().len();
            facts.bodies.texts.push(TextReference {
                text: named.trim().split([' ', '[']).next().unwrap_or("").to_owned(),
                entity: 0,
                line: number,
                column: u32::try_from(column).unwrap_or(u32::MAX),
            });
        }
    }
    facts
}

/// Facts of a file that is one module without definitions.
fn module_alone(bytes: &[u8], text: &str) -> FileFacts {
    let mut facts = FileFacts::default();
    let line_count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1);
    facts.bodies.line_count = line_count;
    facts.bodies.scopes.push(Scope { kind: ScopeKind::Module, parent: 0, entity: 0, size: 0 });
    facts.bodies.records.push(EntityRecord {
        kind: EntityKind::Module,
        name: String::new(),
        qualified: String::new(),
        duplicate: 0,
        parent: 0,
        start_line: 1,
        end_line: line_count,
        line: 1,
        column: 0,
        signature: String::new(),
        doc: String::new(),
        decorators: Vec::new(),
        flags: EntityFlags::default(),
        content_hash: definition_hash(bytes),
    });
    let name = facts.interface.names.intern("");
    facts.interface.names.seal();
    let flags = EntityFlags::default();
    facts.interface.entities.push(EntityHead { kind: EntityKind::Module, name, parent: 0, duplicate: 0, flags });
    facts
}

fn collect(table: &DeTable<'_>, text: &str, references: &mut Vec<TextReference>) {
    for value in table.values() {
        entry(value, text, references);
    }
    references.sort_by_key(|reference| (reference.line, reference.column));
}

fn entry(value: &Spanned<DeValue<'_>>, text: &str, references: &mut Vec<TextReference>) {
    match value.get_ref() {
        DeValue::String(named) => {
            let before = &text[..value.span().start];
            let line = before.matches('\n').count() + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |index| index + 1);
            references.push(TextReference {
                // `pkg.mod:function [extra]`
                text: named.split([' ', '[']).next().unwrap_or("").to_owned(),
                entity: 0,
                line: u32::try_from(line).unwrap_or(u32::MAX),
                column: u32::try_from(column).unwrap_or(u32::MAX),
            });
        }
        DeValue::Table(inner) => {
            for value in inner.values() {
                entry(value, text, references);
            }
        }
        _ => {}
    }
}
