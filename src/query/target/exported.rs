//! Names under which a package offers what it imports: `pytest.main` for `_pytest.config.main`.

use std::collections::BTreeSet;

use super::{likeliest::is_aside, plain_name};
use crate::{
    facts::{
        Interface,
        interface::{Binding, ModulePath},
    },
    model::{EntityId, EntityKind, FileId, FileRecord, conventions::is_private},
    store::{Store, error::StoreError, read::Entity},
};

/// Imports that are followed from a name to its definition.
const MAX_IMPORTS: usize = 8;

/// The definitions that a dotted name means by the imports of the module in front of it; none where no module has the
/// front part as its full name.
pub(super) fn exported(store: &Store, modules: &[(FileId, String)], name: &str) -> Result<Vec<Entity>, StoreError> {
    let dots: Vec<usize> = name.match_indices('.').map(|(at, _)| at).collect();
    // The longest module first: `pkg.mod.Class.method` may have both `pkg` and `pkg.mod`.
    for &dot in dots.iter().rev() {
        let (front, rest) = (&name[..dot], &name[dot + 1..]);
        let (member, inner) = rest.split_once('.').unwrap_or((rest, ""));
        for (file, _) in modules.iter().filter(|(_, module)| module == front) {
            let mut found = Vec::new();
            bound(store, modules, *file, member, MAX_IMPORTS, &mut found)?;
            if !inner.is_empty() {
                found = members(store, &found, inner)?;
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }
    Ok(Vec::new())
}

/// The definitions that modules with a public name offer: those that a package imports under a public name, and
/// those in a module's `__all__`.
pub fn offered(store: &Store) -> Result<BTreeSet<EntityId>, StoreError> {
    let modules = store.modules()?;
    let mut found = Vec::new();
    for (file, module) in &modules {
        let Some(record) = store.file(*file)?.filter(|record| !record.is_test && !is_aside(&record.path)) else {
            continue;
        };
        if module.split('.').any(is_private) {
            continue;
        }
        let is_package = record.path.ends_with("__init__.py") || record.path.ends_with("__init__.pyi");
        for name in names_of(store, &modules, *file, is_package, MAX_IMPORTS)? {
            bound(store, &modules, *file, &name, MAX_IMPORTS, &mut found)?;
        }
    }
    Ok(found.into_iter().filter(|entity| entity.record.kind != EntityKind::Module).map(|entity| entity.id).collect())
}

/// The names in a module's `__all__`, or else its public names, if all of them count.
fn names_of(
    store: &Store,
    modules: &[(FileId, String)],
    file: FileId,
    is_package: bool,
    imports: usize,
) -> Result<BTreeSet<String>, StoreError> {
    let Some(record) = store.file(file)?.filter(|_| imports > 0) else { return Ok(BTreeSet::new()) };
    let Some(interface) = store.interface(&record.content_hash)?.and_then(|bytes| Interface::decode(&bytes)) else {
        return Ok(BTreeSet::new());
    };
    let text = |name| interface.names.text(name).to_owned();
    if let Some(listed) = &interface.exports {
        return Ok(listed.iter().map(|name| text(*name)).collect());
    }
    if !is_package {
        return Ok(BTreeSet::new());
    }
    let own = interface.members.iter().map(|member| text(member.name));
    let mut names: BTreeSet<String> = own.filter(|name| !name.starts_with('_')).collect();
    for star in &interface.stars {
        for target in at(modules, &absolute(&interface, star, &record)).filter(|target| *target != file) {
            names.extend(names_of(store, modules, target, true, imports - 1)?);
        }
    }
    Ok(names)
}

/// Adds the definitions to which a module binds a name.
fn bound(
    store: &Store,
    modules: &[(FileId, String)],
    file: FileId,
    name: &str,
    imports: usize,
    found: &mut Vec<Entity>,
) -> Result<(), StoreError> {
    let Some(record) = store.file(file)?.filter(|_| imports > 0) else { return Ok(()) };
    let Some(interface) = store.interface(&record.content_hash)?.and_then(|bytes| Interface::decode(&bytes)) else {
        return Ok(());
    };
    let member = interface.members.iter().find(|member| interface.names.text(member.name) == name);
    for binding in member.map(|member| member.bindings.as_slice()).unwrap_or_default() {
        match binding {
            Binding::Entity(entity) => found.extend(store.entities_of(file)?.get(*entity as usize).cloned()),
            Binding::Module(path) => {
                for target in at(modules, &absolute(&interface, path, &record)) {
                    found.extend(store.entities_of(target)?.into_iter().find(|e| e.record.kind == EntityKind::Module));
                }
            }
            Binding::From(path, original) => {
                let (module, original) = (absolute(&interface, path, &record), interface.names.text(*original));
                let already = found.len();
                for target in at(modules, &module).filter(|target| *target != file) {
                    bound(store, modules, target, original, imports - 1, found)?;
                }
                if found.len() > already {
                    continue;
                }
                // `from pkg import mod` may name a module that the package does not bind.
                for target in at(modules, &format!("{module}.{original}")) {
                    found.extend(store.entities_of(target)?.into_iter().find(|e| e.record.kind == EntityKind::Module));
                }
            }
        }
    }
    for star in interface.stars.iter().filter(|_| member.is_none()) {
        for target in at(modules, &absolute(&interface, star, &record)).filter(|target| *target != file) {
            bound(store, modules, target, name, imports - 1, found)?;
        }
    }
    Ok(())
}

/// The files of a module.
fn at<'a>(modules: &'a [(FileId, String)], module: &'a str) -> impl Iterator<Item = FileId> + 'a {
    modules.iter().filter(move |(_, known)| known == module).map(|(file, _)| *file)
}

/// The full name of a module that a file imports.
fn absolute(interface: &Interface, path: &ModulePath, file: &FileRecord) -> String {
    let written: Vec<&str> = path.parts.iter().map(|part| interface.names.text(*part)).collect();
    absolute_name(path.level, &written, file)
}

/// The full name of a module that a file imports by these parts behind this number of dots.
pub(in crate::query) fn absolute_name(level: u32, written: &[&str], file: &FileRecord) -> String {
    let is_package = file.path.ends_with("/__init__.py") || file.path.ends_with("/__init__.pyi");
    let mut parts: Vec<&str> = if level == 0 { Vec::new() } else { file.module.split('.').collect() };
    // One dot is the package itself.
    let above = (level as usize).saturating_sub(usize::from(is_package));
    parts.truncate(parts.len().saturating_sub(above));
    parts.extend(written);
    parts.join(".")
}

/// The members of classes and modules with this name inside them.
fn members(store: &Store, owners: &[Entity], inner: &str) -> Result<Vec<Entity>, StoreError> {
    let mut found = Vec::new();
    for owner in owners {
        let name = format!("{}.{inner}", plain_name(owner));
        found.extend(store.entities_of(owner.file)?.into_iter().filter(|entity| plain_name(entity) == name));
    }
    Ok(found)
}
