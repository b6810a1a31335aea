//! Names under which a package offers what it imports: `pytest.main` for `_pytest.config.main`.

use super::plain_name;
use crate::{
    facts::{
        Interface,
        interface::{Binding, ModulePath},
    },
    model::{EntityKind, FileId, FileRecord},
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
