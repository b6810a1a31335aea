//! `pyproject.toml`, `setup.cfg` and the files of pytest: the functions and classes that entry points name, and the
//! project's settings for tests.
//!
//! The facts have one module and a text reference per entry point, the plugins of pytest among them; the folders of
//! `pythonpath`; and the settings of pytest's collection. Everything else in the file is ignored; a file that does not
//! parse gives no facts.

use std::collections::BTreeMap;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    facts::{
        FileFacts,
        bodies::{Scope, ScopeKind, TextReference},
        fingerprint::FileShape,
        hash_name,
        interface::EntityHead,
    },
    model::{Collecting, EntityFlags, EntityKind, EntityRecord, definition_hash},
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

/// Where pytest is set up: the first of these tables.
const PYTEST: [&[&str]; 2] = [&["tool", "pytest", "ini_options"], &["tool", "pytest"]];

/// Compared as text: there is nothing in it to tell apart.
pub(super) fn compare(versions: &[&[u8]]) -> Vec<(FileFacts, FileShape)> {
    compare_as_text(versions, extract)
}

/// The same for `setup.cfg`.
pub(super) fn compare_setup(versions: &[&[u8]]) -> Vec<(FileFacts, FileShape)> {
    compare_as_text(versions, extract_setup)
}

/// For `pytest.ini`.
pub(super) fn compare_pytest(versions: &[&[u8]]) -> Vec<(FileFacts, FileShape)> {
    compare_as_text(versions, extract_pytest)
}

/// For `pytest.toml`.
pub(super) fn compare_pytest_toml(versions: &[&[u8]]) -> Vec<(FileFacts, FileShape)> {
    compare_as_text(versions, extract_pytest_toml)
}

/// For `tox.ini`.
pub(super) fn compare_tox(versions: &[&[u8]]) -> Vec<(FileFacts, FileShape)> {
    compare_as_text(versions, extract_tox)
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
    extract_toml(bytes, &PYTEST)
}

/// Reads one `pytest.toml`, which sets up pytest whatever it says.
pub(super) fn extract_pytest_toml(bytes: &[u8]) -> FileFacts {
    let mut facts = extract_toml(bytes, &[&["pytest"]]);
    facts.interface.collecting.get_or_insert_default();
    facts
}

fn extract_toml(bytes: &[u8], pytest: &[&[&str]]) -> FileFacts {
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
    let plugins = plugins.flat_map(|table| table.values()).filter_map(|named| named.get_ref().as_str()).collect();
    let options = pytest.iter().find_map(|path| value_at(document, path)?.as_table());
    let options = options
        .map(|table| table.iter().map(|(name, value)| (name.get_ref().to_string(), words(value.get_ref()))).collect());
    say(&mut facts, plugins, options.as_ref());
    facts
}

fn value_at<'d>(document: &'d DeTable<'d>, path: &[&str]) -> Option<&'d DeValue<'d>> {
    let (last, tables) = path.split_last()?;
    let step = |table: &'d DeTable<'d>, part: &str| table.get(part)?.get_ref().as_table();
    tables.iter().try_fold(document, |table, part| step(table, part))?.get(*last).map(Spanned::get_ref)
}

/// The options of pytest, by their names.
type Options = BTreeMap<String, Vec<String>>;

/// `"a b"` or `["a", "b"]`.
fn words(value: &DeValue<'_>) -> Vec<String> {
    match value {
        DeValue::String(all) => words_of(all).collect(),
        DeValue::Array(each) => each.iter().filter_map(|one| one.get_ref().as_str()).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The words of a line, each perhaps in quotes.
fn words_of(line: &str) -> impl Iterator<Item = String> {
    line.split_whitespace().map(|word| word.trim_matches(['"', '\'']).to_owned())
}

/// Adds the plugins and options of pytest; no options where the file does not set up pytest.
fn say(facts: &mut FileFacts, plugins: Vec<&str>, options: Option<&Options>) {
    let interface = &mut facts.interface;
    // `pkg.mod:object [extra]`: the fixtures are the module's.
    interface.plugins = plugins
        .into_iter()
        .filter_map(|named| named.split([':', ' ', '[']).next())
        .map(|module| interface.names.intern(module))
        .collect();
    let option = |name: &str| options.and_then(|options| options.get(name)).cloned().unwrap_or_default();
    interface.roots = option("pythonpath").iter().map(|path| interface.names.intern(path)).collect();
    interface.collecting = options.map(|_| Collecting {
        files: option("python_files"),
        classes: option("python_classes"),
        functions: option("python_functions"),
        fixtures: option("usefixtures"),
    });
    interface.names.seal();
}

/// Reads one `setup.cfg`: `name = pkg.mod:function [extra]` below `[options.entry_points]`, and pytest's section.
pub(super) fn extract_setup(bytes: &[u8]) -> FileFacts {
    extract_ini(bytes, "[tool:pytest]")
}

/// Reads one `tox.ini`.
pub(super) fn extract_tox(bytes: &[u8]) -> FileFacts {
    extract_ini(bytes, "[pytest]")
}

/// Reads one `pytest.ini`, which sets up pytest whatever it says.
pub(super) fn extract_pytest(bytes: &[u8]) -> FileFacts {
    let mut facts = extract_ini(bytes, "[pytest]");
    facts.interface.collecting.get_or_insert_default();
    facts
}

fn extract_ini(bytes: &[u8], pytest: &str) -> FileFacts {
    let text = String::from_utf8_lossy(bytes);
    let mut facts = module_alone(bytes, &text);
    let (mut section, mut group) = ("", "");
    let (mut plugins, mut options) = (Vec::new(), None::<Options>);
    for (number, line) in (1..).zip(text.lines()) {
        let written = line.trim();
        if written.is_empty() || written.starts_with(['#', ';']) {
            continue;
        }
        let is_indented = line.starts_with([' ', '\t']);
        if written.starts_with('[') && !(is_indented && section == pytest) {
            section = written;
            if section == pytest {
                options.get_or_insert_default();
            }
            continue;
        }
        let separators: &[char] = if section == pytest { &['=', ':'] } else { &['='] };
        let (name, value) = written.split_once(separators).unwrap_or(("", written));
        if !is_indented {
            group = name.trim();
        }
        let value = value.trim_start();
        match (section, &mut options) {
            ("[options.entry_points]", _) if !name.is_empty() && !value.is_empty() => {
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
            (_, Some(options)) if section == pytest => {
                let said = if is_indented { written } else { value };
                options.entry(group.to_owned()).or_default().extend(words_of(said));
            }
            _ => {}
        }
    }
    say(&mut facts, plugins, options.as_ref());
    facts
}

/// Facts of a file that is one module without definitions.
fn module_alone(bytes: &[u8], text: &str) -> FileFacts {
    let mut facts = FileFacts::default();
    let line_count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1);
    facts.bodies.line_count = line_count;
    facts.bodies.scopes.push(Scope { kind: ScopeKind::Module, parent: 0, entity: 0, size: 0 });
    facts.bodies.records.push(EntityRecord::of_module(line_count, definition_hash(bytes)));
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
