//! Bases from libraries: those of a class, and the classes that derive from one.
//!
//! The index has no definition for such a base. It is known by the name under which the file imports it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    facts::{
        Bodies, Interface,
        interface::{BasePath, Binding, ModulePath},
    },
    model::{EntityId, EntityKind, Position, RelationshipKind, conventions::standard_library::is_called_builtin},
    query::target::{
        is_suffix,
        likeliest::is_aside,
        origins::{OwnModules, absolute},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The bases of a class that are no classes of the repository, by their imported names, in the order of the source. The
/// result of a call is none.
pub fn outside_bases(store: &Store, class: &Entity) -> Result<Vec<String>, StoreError> {
    let WrittenBases { outside, .. } = WrittenBases::of(store, class)?;
    Ok(outside)
}

/// The bases and the metaclass of a class as they are written, as far as the relationships do not say more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenBases {
    /// All bases in the order of the source.
    pub ordered: Vec<WrittenBase>,
    /// Imported names of classes of libraries.
    pub outside: Vec<String>,
    /// Calls that give a base, as `make()`, with their place.
    pub calls: Vec<(String, Position)>,
    /// The calls among them of whose result no class is known.
    pub unknown: Vec<String>,
    /// The metaclass: its definition in the repository, and its name as imported.
    pub metaclass: Option<(Option<Entity>, String)>,
}

/// A base of a class.
#[derive(Clone, Debug, PartialEq)]
pub enum WrittenBase {
    Own(EntityId),
    /// The imported name of a class of a library.
    Outside(String),
    /// A call of whose result no class is known.
    Unknown(String),
}

impl WrittenBases {
    pub fn of(store: &Store, class: &Entity) -> Result<Self, StoreError> {
        let mut written = Self::default();
        let Some(file) = store.file(class.file)? else { return Ok(written) };
        let bodies = store.bodies(&file.content_hash)?.and_then(|bytes| Bodies::decode(&bytes)).unwrap_or_default();
        let at = (class.record.line, class.record.column);
        let mut classes = BTreeMap::new();
        for edge in store.outgoing(class.id)? {
            let is_named = matches!(edge.kind, RelationshipKind::Inherits | RelationshipKind::References);
            let target = if is_named { store.entity(edge.target)? } else { None };
            if let Some(target) = target.filter(|target| target.record.kind == EntityKind::Class) {
                classes.insert((edge.kind == RelationshipKind::Inherits, edge.line, edge.column), target);
            }
        }
        for base in bodies.bases_at(at) {
            let (line, column) = base.position();
            let known = classes.get(&(true, line, column)).map(|class| WrittenBase::Own(class.id));
            let is_known = known.is_some();
            let call = format!("{}()", base.imported);
            let unknown = if bodies.is_call(base.expression) {
                WrittenBase::Unknown(call.clone())
            } else {
                WrittenBase::Outside(base.imported.clone())
            };
            written.ordered.push(known.unwrap_or(unknown));
            if bodies.is_call(base.expression) {
                written.calls.push((call.clone(), (line, column)));
                written.unknown.extend(Some(call).filter(|_| !is_known));
            } else if !is_known {
                written.outside.push(base.imported);
            }
        }
        written.metaclass = bodies.metaclass_at(at).map(|metaclass| {
            let (line, column) = metaclass.position();
            let name = if bodies.is_call(metaclass.expression) {
                format!("{}()", metaclass.imported)
            } else {
                metaclass.imported
            };
            (classes.remove(&(false, line, column)), name)
        });
        Ok(written)
    }
}

/// Classes that derive from a class of a library.
#[derive(Clone, Debug, PartialEq)]
pub struct Heirs {
    /// The imported name of the base.
    pub base: String,
    /// By file and position.
    pub classes: Vec<Entity>,
}

/// The classes that derive directly from a class of a library called `name`, or a name that ends with it; of several
/// such bases, the one with the most classes. A package hands classes of its modules on, and so may the repository:
/// whoever imports `pydantic.main.BaseModel` derives from `pydantic.BaseModel`.
pub fn heirs_of_outside(store: &Store, name: &str) -> Result<Option<Heirs>, StoreError> {
    let mut own = OwnModules::of(store)?;
    let mut found: Vec<(String, Entity)> = Vec::new();
    let mut files = store.files()?;
    files.sort_by(|(_, a), (_, b)| a.path.cmp(&b.path));
    for (id, file) in files {
        let Some(interface) = store.interface(&file.content_hash)?.and_then(|bytes| Interface::decode(&bytes)) else {
            continue;
        };
        let mut entities = None;
        for class in &interface.classes {
            for base in &class.bases {
                let Some(base) = imported(&interface, base) else { continue };
                let Some(base) = own.origin("", &base)?.filter(|base| is_suffix(base, name)) else { continue };
                let entities = match &entities {
                    Some(entities) => entities,
                    None => entities.insert(store.entities_of(id)?),
                };
                found.extend(entities.get(class.entity as usize).map(|entity| (base, entity.clone())));
            }
        }
    }
    let bases: BTreeSet<&String> = found.iter().map(|(base, _)| base).collect();
    let count = |base: &String| found.iter().filter(|(other, _)| other == base).count();
    // Of equal ones the first by name.
    let Some(base) = bases.into_iter().rev().max_by_key(|base| count(base)).cloned() else { return Ok(None) };
    let classes = found.into_iter().filter(|(other, _)| is_handed_on(other, &base)).map(|(_, class)| class).collect();
    Ok(Some(Heirs { base, classes }))
}

/// Whether two names are one class that a package hands on from a module below it, or the same name.
fn is_handed_on(a: &str, b: &str) -> bool {
    let parts = |name: &str| name.rsplit_once('.').map(|(module, last)| (format!("{module}."), last.to_owned()));
    match (parts(a), parts(b)) {
        (Some((above, one)), Some((below, other))) => {
            one == other && (above.starts_with(&below) || below.starts_with(&above))
        }
        _ => a == b,
    }
}

/// Whether files import a module of this name that the repository does not have.
pub fn is_library(store: &Store, name: &str) -> Result<bool, StoreError> {
    let modules = store.modules()?;
    if modules.iter().any(|(_, module)| module.split('.').any(|part| part == name)) {
        return Ok(false);
    }
    let roots: BTreeSet<&str> =
        modules.iter().map(|(_, module)| module.split('.').next().unwrap_or_default()).collect();
    for (_, file) in store.files()? {
        let Some(interface) = store.interface(&file.content_hash)?.and_then(|bytes| Interface::decode(&bytes)) else {
            continue;
        };
        let is_it = |path: &ModulePath| {
            path.level == 0 && path.parts.first().is_some_and(|part| interface.names.text(*part) == name)
        };
        // `import numpy as np` gives it another name.
        let is_other = |path: &ModulePath| {
            let root = path.parts.first().map(|part| interface.names.text(*part));
            path.level == 0 && root.is_some_and(|root| !roots.contains(root))
        };
        for member in &interface.members {
            let is_called_so = interface.names.text(member.name) == name;
            let imports = |binding: &Binding| match binding {
                Binding::Module(path) => is_it(path) || is_called_so && is_other(path),
                Binding::From(path, _) => is_it(path),
                Binding::Entity(_) => false,
            };
            if member.bindings.iter().any(imports) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether a name that no definition of the program has is a builtin that programs call, or one that files import out
/// of a module from outside.
pub fn is_name_from_outside(store: &Store, name: &str) -> Result<bool, StoreError> {
    if store.entities_named(name, false)?.iter().any(|entity| !is_aside(&entity.path)) {
        return Ok(false);
    }
    if is_called_builtin(name) {
        return Ok(true);
    }
    let own = OwnModules::of(store)?;
    for (_, file) in store.files()? {
        let Some(interface) = store.interface(&file.content_hash)?.and_then(|bytes| Interface::decode(&bytes)) else {
            continue;
        };
        let is_it = |binding: &Binding| match binding {
            Binding::From(path, imported) => {
                interface.names.text(*imported) == name
                    && absolute(&interface, path).is_some_and(|path| !own.has(&path))
            }
            _ => false,
        };
        if interface.members.iter().any(|member| member.bindings.iter().any(is_it)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The name under which a base is imported; `None` for one of the file or of its package.
fn imported(interface: &Interface, base: &BasePath) -> Option<String> {
    let names = &interface.names;
    if base.local.is_some() {
        return None;
    }
    let (first, rest) = base.parts.split_first()?;
    let bound = interface.members.iter().find(|member| member.name == *first);
    let path = |module: &ModulePath| absolute(interface, module);
    let mut full = match bound.map(|member| member.bindings.last()) {
        // A builtin class.
        None => names.text(*first).to_owned(),
        Some(Some(Binding::Module(module))) => path(module)?,
        Some(Some(Binding::From(module, name))) => format!("{}.{}", path(module)?, names.text(*name)),
        Some(_) => return None,
    };
    for part in rest {
        full = format!("{full}.{}", names.text(*part));
    }
    Some(full)
}
