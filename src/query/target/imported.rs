//! The import statements of a file that concern one name: `M` and the modules below it, `M.X`, or `X` out of any
//! module.
//!
//! They come from the lowered facts of the file, so a statement over several lines counts like one of one line, and
//! names are told apart by case.

use std::collections::BTreeMap;

use crate::{
    facts::{Bodies, written::WrittenImport},
    model::{FileRecord, conventions::standard_library::is_called_builtin},
    query::target::{exported::absolute_name, is_below, origins::OwnModules},
    store::{Store, error::StoreError},
};

/// A statement that imports something under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportPlace {
    pub line: u32,
    /// The full name of what is imported, over the modules of the repository that hand it on.
    pub name: String,
    /// It is a definition or module of the repository.
    pub is_own: bool,
}

/// The lowered code of a file; empty where it is not stored.
fn bodies_of(store: &Store, file: &FileRecord) -> Result<Bodies, StoreError> {
    Ok(store.bodies(&file.content_hash)?.and_then(|bytes| Bodies::decode(&bytes)).unwrap_or_default())
}

/// The imports of `wanted` in one file, in the order of the source; each line and name once.
pub fn imports_of(
    own: &mut OwnModules,
    store: &Store,
    file: &FileRecord,
    wanted: &str,
) -> Result<Vec<ImportPlace>, StoreError> {
    let bodies = bodies_of(store, file)?;
    let mut found: BTreeMap<(u32, String), bool> = BTreeMap::new();
    for import in bodies.imports() {
        if let Some(place) = place(own, file, &import, wanted)? {
            found.insert((place.line, place.name), place.is_own);
        }
    }
    Ok(found.into_iter().map(|((line, name), is_own)| ImportPlace { line, name, is_own }).collect())
}

/// An expression that is a name out of a module from outside, or a builtin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideUse {
    /// The full name in the library, over the modules of the repository that hand it on.
    pub name: String,
    pub line: u32,
    pub is_called: bool,
}

/// The expressions of one file that are the name `last` out of a module from outside, or a builtin that is called so,
/// in the order of the source.
pub fn uses_of(
    own: &mut OwnModules,
    store: &Store,
    file: &FileRecord,
    last: &str,
) -> Result<Vec<OutsideUse>, StoreError> {
    let bodies = bodies_of(store, file)?;
    let mut uses = bodies.imported_uses();
    uses.retain(|one| one.is_of_module && one.imported.rsplit('.').next() == Some(last));
    uses.sort_by_key(|one| one.position);
    uses.dedup_by_key(|one| one.position);
    let mut found = Vec::new();
    for one in uses {
        let name = own.origin(&file.module, &one.imported)?;
        let (line, is_called) = (one.position.0, one.is_called);
        found.extend(name.map(|name| OutsideUse { name, line, is_called }));
    }
    if is_called_builtin(last) {
        let unbound = bodies.unbound_uses(last).into_iter();
        found.extend(unbound.map(|((line, _), is_called)| OutsideUse { name: last.to_owned(), line, is_called }));
        found.sort_by_key(|one| one.line);
    }
    Ok(found)
}

/// An import out of a module or out of the modules below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromModule {
    pub line: u32,
    /// The full name; `None` where the module itself is imported.
    pub name: Option<String>,
}

/// The statements of one file that name a module as a module: `import M`, `from M import x`, `from M.below import x`.
pub fn imports_from(store: &Store, file: &FileRecord, module: &str) -> Result<Vec<FromModule>, StoreError> {
    let bodies = bodies_of(store, file)?;
    let mut found = Vec::new();
    for import in bodies.imports() {
        let parts: Vec<&str> = import.module.iter().map(String::as_str).collect();
        let from = absolute_name(import.level, &parts, file);
        if from == module || is_below(&from, module) {
            let name = import.name.as_ref().map(|name| format!("{from}.{name}"));
            found.push(FromModule { line: import.line, name });
        }
    }
    Ok(found)
}

/// The expressions of one file that are names out of a module from outside or out of the modules below it, each once.
pub fn uses_below(
    own: &mut OwnModules,
    store: &Store,
    file: &FileRecord,
    module: &str,
) -> Result<Vec<OutsideUse>, StoreError> {
    let bodies = bodies_of(store, file)?;
    let mut uses = bodies.imported_uses();
    uses.retain(|one| one.is_of_module);
    uses.sort_by_key(|one| one.position);
    let mut found: Vec<OutsideUse> = Vec::new();
    for one in uses {
        let Some(name) = own.origin(&file.module, &one.imported)? else { continue };
        if is_below(&name, module) {
            found.push(OutsideUse { name, line: one.position.0, is_called: one.is_called });
        }
    }
    // `a.b` of `a.b.c` is no use of its own.
    let is_part = |one: &OutsideUse, other: &OutsideUse| one.line == other.line && is_below(&other.name, &one.name);
    let whole: Vec<OutsideUse> =
        found.iter().filter(|one| !found.iter().any(|other| is_part(one, other))).cloned().collect();
    Ok(whole)
}

fn place(
    own: &mut OwnModules,
    file: &FileRecord,
    import: &WrittenImport,
    wanted: &str,
) -> Result<Option<ImportPlace>, StoreError> {
    let parts: Vec<&str> = import.module.iter().map(String::as_str).collect();
    let module = absolute_name(import.level, &parts, file);
    let line = import.line;
    if module == wanted || is_below(&module, wanted) {
        return Ok(Some(ImportPlace { line, name: wanted.to_owned(), is_own: own.has(wanted) }));
    }
    let Some(name) = &import.name else { return Ok(None) };
    if format!("{module}.{name}") == wanted {
        return Ok(Some(ImportPlace { line, name: wanted.to_owned(), is_own: own.has(wanted) }));
    }
    if name != wanted {
        return Ok(None);
    }
    let dot = if parts.is_empty() { "" } else { "." };
    let written = format!("{}{}{dot}{name}", ".".repeat(import.level as usize), parts.join("."));
    let origin = own.origin(&file.module, &written)?;
    let is_own = origin.is_none();
    Ok(Some(ImportPlace { line, name: origin.unwrap_or_else(|| format!("{module}.{name}")), is_own }))
}
