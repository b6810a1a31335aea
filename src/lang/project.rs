//! `pyproject.toml` and `setup.cfg`: the functions and classes that entry points name.
//!
//! Goes in: the file's bytes. Comes out: facts with one module and a text reference per entry point, the plugins of pytest
//! among them and the folders that `pythonpath` gives to tests. Everything else in the file is left alone; a file that
//! does not parse has no entry points.

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

/// Tables of the modules that pytest loads as plugins.
const PLUGINS: [&[&str]; 2] = [&["project", "entry-points", "pytest11"], &["tool", "poetry", "plugins", "pytest11"]];

/// Where `pythonpath` is set.
const PYTHON_PATHS: [&[&str]; 2] =
    [&["tool", "pytest", "ini_options", "pythonpath"], &["tool", "pytest", "pythonpath"]];

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
    let document = document.get_ref();
    for table in TABLES.iter().filter_map(|path| value_at(document, path)?.as_table()) {
        collect(table, &text, &mut facts.bodies.texts);
    }
    let plugins = PLUGINS.iter().filter_map(|path| value_at(document, path)?.as_table());
    let plugins = plugins.flat_map(|table| table.values()).filter_map(|named| named.get_ref().as_str());
    let paths = PYTHON_PATHS.iter().filter_map(|path| value_at(document, path)).flat_map(strings);
    say(&mut facts, plugins, paths);
    facts
}

fn value_at<'d>(document: &'d DeTable<'d>, path: &[&str]) -> Option<&'d DeValue<'d>> {
    let (last, tables) = path.split_last()?;
    let step = |table: &'d DeTable<'d>, part: &str| table.get(part)?.get_ref().as_table();
    tables.iter().try_fold(document, |table, part| step(table, part))?.get(*last).map(Spanned::get_ref)
}

/// `"a b"` or `["a", "b"]`.
fn strings<'d>(value: &'d DeValue<'d>) -> Vec<&'d str> {
    match value {
        DeValue::String(all) => all.split_whitespace().collect(),
        DeValue::Array(each) => each.iter().filter_map(|one| one.get_ref().as_str()).collect(),
        _ => Vec::new(),
    }
}

/// Adds the plugins of pytest and the folders that a project's tests import from.
fn say<'t>(facts: &mut FileFacts, plugins: impl Iterator<Item = &'t str>, paths: impl Iterator<Item = &'t str>) {
    let interface = &mut facts.interface;
    // `pkg.mod:object [extra]`: the fixtures are the module's.
    interface.plugins = plugins
        .filter_map(|named| named.split([':', ' ', '[']).next())
        .map(|module| interface.names.intern(module))
        .collect();
    interface.roots = paths.map(|path| interface.names.intern(path)).collect();
    interface.names.seal();
}

/// Reads one `setup.cfg`: what stands below `[options.entry_points]`, `name = pkg.mod:function [extra]`, and pytest's
/// `pythonpath`.
pub(super) fn extract_setup(bytes: &[u8]) -> FileFacts {
    let text = String::from_utf8_lossy(bytes);
    let mut facts = module_alone(bytes, &text);
    let (mut section, mut group) = ("", "");
    let (mut plugins, mut paths) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let written = line.trim();
        if written.is_empty() || written.starts_with(['#', ';']) {
            continue;
        }
        if written.starts_with('[') {
            section = written;
            continue;
        }
        let is_indented = line.starts_with([' ', '\t']);
        let (name, value) = written.split_once('=').unwrap_or(("", written));
        if !is_indented {
            group = name.trim();
        }
        let value = value.trim_start();
        match section {
            "[options.entry_points]" if !name.is_empty() && !value.is_empty() => {
                facts.bodies.texts.push(TextReference {
                    text: value.split([' ', '[']).next().unwrap_or("").to_owned(),
                    entity: 0,
                    line: number,
                    column: u32::try_from(line.trim_end().len() - value.len()).unwrap_or(u32::MAX),
                });
                if is_indented && group == "pytest11" {
                    plugins.push(value);
                }
            }
            "[tool:pytest]" if group == "pythonpath" => paths.extend(value.split_whitespace()),
            _ => {}
        }
    }
    say(&mut facts, plugins.into_iter(), paths.into_iter());
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
