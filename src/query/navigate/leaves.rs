//! The leaves of a file: every line belongs to exactly one.
//!
//! A line belongs to the innermost definition around it. At module level, lines of imports and lines of other code are
//! leaves of their own, `pkg.mod:imports` and `pkg.mod:code`; further ones of a file are numbered. Empty lines,
//! comments and the docstring are the module's, unless they stand between two lines of one leaf.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    facts::bodies::Bodies,
    model::{EntityFlags, FileId},
    query::source::Sources,
    store::{
        Store,
        error::StoreError,
        read::{Entity, full_name},
    },
};

/// Lines that follow each other and belong to one leaf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Leaf {
    pub name: String,
    /// `import`, `code`, or the kind of the definition.
    pub kind: &'static str,
    pub start_line: u32,
    pub end_line: u32,
}

/// A kind of code at module level that has leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FreeCode {
    Imports,
    Other,
}

impl FreeCode {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Imports, Self::Other];

    /// The word behind the colon of a name.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Imports => "imports",
            Self::Other => "code",
        }
    }

    /// The kind of the leaf.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Imports => "import",
            Self::Other => "code",
        }
    }

    /// `pkg.mod` and the kind for `pkg.mod:imports`; the number of one of several is taken off too.
    pub fn split(text: &str) -> Option<(&str, Self, Option<u32>)> {
        let (module, suffix) = text.rsplit_once(':')?;
        let (suffix, number) = match suffix.split_once('@') {
            Some((suffix, number)) => (suffix, Some(number.parse().ok()?)),
            None => (suffix, None),
        };
        let kind = Self::ALL.into_iter().find(|kind| kind.suffix() == suffix)?;
        Some((module, kind, number))
    }
}

/// The owner of a line: a definition by its place in the list, or code at module level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineOwner {
    Definition(usize),
    Free(FreeCode),
}

/// The leaves of a file that are code at module level, of this kind or of any.
pub fn free_code(
    store: &Store,
    sources: &Sources,
    file: FileId,
    kind: Option<FreeCode>,
) -> Result<Vec<Leaf>, StoreError> {
    let mut found = leaves(store, sources, file)?;
    let is_wanted =
        |leaf: &Leaf| FreeCode::ALL.iter().any(|one| one.kind() == leaf.kind && kind.is_none_or(|kind| kind == *one));
    found.retain(is_wanted);
    Ok(found)
}

/// The leaves of a file in its order; none where it cannot be read.
pub fn leaves(store: &Store, sources: &Sources, file: FileId) -> Result<Vec<Leaf>, StoreError> {
    let entities = store.entities_of(file)?;
    let Some(text) = entities.first().and_then(|module| sources.text(&module.path)) else { return Ok(Vec::new()) };
    let stored = match store.file(file)? {
        Some(record) => store.bodies(&record.content_hash)?,
        None => None,
    };
    let bodies = stored.and_then(|bytes| Bodies::decode(&bytes)).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let owners = owners(&lines, &entities, &bodies.import_lines());
    let mut leaves: Vec<Leaf> = Vec::new();
    let mut counts = [0, 0];
    for (at, owner) in owners.iter().enumerate() {
        let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
        if let Some(last) = leaves.last_mut().filter(|_| owners[at - 1] == *owner) {
            last.end_line = line;
            continue;
        }
        let (name, kind) = match owner {
            LineOwner::Definition(at) => (entities[*at].full_name(), entities[*at].record.kind.as_str()),
            LineOwner::Free(kind) => {
                let number = &mut counts[*kind as usize];
                *number += 1;
                let module = format!("{}:{}", entities[0].module, kind.suffix());
                (full_name(&module, "", *number - 1), kind.kind())
            }
        };
        leaves.push(Leaf { name, kind, start_line: line, end_line: line });
    }
    Ok(leaves)
}

/// The owner of each line.
fn owners(lines: &[&str], entities: &[Entity], imports: &BTreeSet<u32>) -> Vec<LineOwner> {
    let mut owners = vec![LineOwner::Definition(0); lines.len()];
    let mut by_size: Vec<usize> = (1..entities.len()).collect();
    by_size.retain(|at| !entities[*at].record.flags.has(EntityFlags::INSTANCE_ATTRIBUTE));
    // Inner definitions are painted over outer ones.
    by_size.sort_by_key(|at| std::cmp::Reverse(entities[*at].record.end_line - entities[*at].record.start_line));
    for at in by_size {
        let record = &entities[at].record;
        let last = (record.end_line as usize).min(lines.len());
        let first = (record.start_line.max(1) as usize - 1).min(last);
        owners[first..last].fill(LineOwner::Definition(at));
    }
    let mut at = docstring_end(lines);
    while at < lines.len() {
        let line = lines[at].trim();
        let is_import = u32::try_from(at + 1).is_ok_and(|number| imports.contains(&number))
            || line.starts_with("from __future__ import");
        if owners[at] != LineOwner::Definition(0) || line.is_empty() || line.starts_with('#') {
            at += 1;
            continue;
        }
        let (kind, end) = if is_import { (FreeCode::Imports, end_of_import(lines, at)) } else { (FreeCode::Other, at) };
        for owner in &mut owners[at..=end] {
            if *owner == LineOwner::Definition(0) {
                *owner = LineOwner::Free(kind);
            }
        }
        at = end + 1;
    }
    join(&mut owners);
    owners
}

/// Gives the module's lines between two lines of one leaf to this leaf.
fn join(owners: &mut [LineOwner]) {
    let mut last: Option<usize> = None;
    for at in 0..owners.len() {
        if owners[at] == LineOwner::Definition(0) {
            continue;
        }
        if let Some(before) = last.filter(|before| owners[*before] == owners[at]) {
            let owner = owners[at];
            owners[before..at].fill(owner);
        }
        last = Some(at);
    }
}

/// The line behind the docstring of a module, as an index; 0 without one.
fn docstring_end(lines: &[&str]) -> usize {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let Some(start) = lines.iter().position(is_code) else { return 0 };
    let text = lines[start].trim_start().trim_start_matches(['r', 'R', 'u', 'U']);
    let Some(quotes) = [r#"""""#, "'''"].into_iter().find(|quotes| text.starts_with(quotes)) else {
        return if text.starts_with(['"', '\'']) { start + 1 } else { 0 };
    };
    if text[3..].contains(quotes) {
        return start + 1;
    }
    let end = lines[start + 1..].iter().position(|line| line.contains(quotes));
    end.map_or(lines.len(), |end| start + 1 + end + 1)
}

/// The last line of an import that begins at `start`: where its parentheses are closed and no backslash goes on.
pub(super) fn end_of_import(lines: &[&str], start: usize) -> usize {
    let mut open = 0_usize;
    for (at, line) in lines.iter().enumerate().skip(start) {
        let code = line.split('#').next().unwrap_or_default();
        open = (open + code.matches('(').count()).saturating_sub(code.matches(')').count());
        if open == 0 && !code.trim_end().ends_with('\\') {
            return at;
        }
    }
    lines.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_docstring_ends_where_its_quotes_do() {
        let end = |text: &str| docstring_end(&text.lines().collect::<Vec<_>>());
        assert_eq!(end("# coding\n\n\"\"\"One.\n\nTwo.\n\"\"\"\nimport os\n"), 6);
        assert_eq!(end("r'''One.'''\nimport os\n"), 1);
        assert_eq!(end("'One.'\nimport os\n"), 1);
        assert_eq!(end("import os\n'''no'''\n"), 0);
        assert_eq!(end("\"\"\"never\nclosed\n"), 2);
        assert_eq!(end(""), 0);
    }

    #[test]
    fn an_import_ends_where_its_parentheses_do() {
        let end = |text: &str| end_of_import(&text.lines().collect::<Vec<_>>(), 0);
        assert_eq!(end("from a import (  # (\n    b,\n    c,\n)\nx = 1\n"), 3);
        assert_eq!(end("from a import b, \\\n    c\nx = 1\n"), 1);
        assert_eq!(end("from a import (b,\n"), 0);
    }

    #[test]
    fn names_of_code_at_module_level_are_split() {
        assert_eq!(FreeCode::split("pkg.mod:imports"), Some(("pkg.mod", FreeCode::Imports, None)));
        assert_eq!(FreeCode::split("a/b.py:code@2"), Some(("a/b.py", FreeCode::Other, Some(2))));
        assert_eq!(FreeCode::split("a.py:12"), None);
        assert_eq!(FreeCode::split("pkg.mod:code@x"), None);
    }
}
