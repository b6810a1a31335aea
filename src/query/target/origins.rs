//! Where a name that a file imports comes from: the name in the library, over the modules that hand it on.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use crate::{
    facts::{
        Interface,
        interface::{Binding, ModulePath},
    },
    model::FileId,
    query::target::exported::absolute_name,
    store::{Store, error::StoreError},
};

/// The modules of the repository, whose imports are followed to the library that they come from.
pub struct OwnModules<'s> {
    store: &'s Store,
    files: BTreeMap<String, FileId>,
    roots: BTreeSet<String>,
    interfaces: BTreeMap<FileId, Option<Interface>>,
}

impl<'s> OwnModules<'s> {
    /// Modules that import a name one after the other; a cycle ends here.
    const MAX_STEPS: usize = 8;

    pub fn of(store: &'s Store) -> Result<Self, StoreError> {
        let modules = store.modules()?;
        let root = |module: &str| module.split('.').next().unwrap_or_default().to_owned();
        let roots = modules.iter().map(|(_, module)| root(module)).collect();
        let files = modules.into_iter().map(|(file, module)| (module, file)).collect();
        Ok(Self { store, files, roots, interfaces: BTreeMap::new() })
    }

    /// Whether a dotted name begins with a package or module of the repository.
    pub fn has(&self, name: &str) -> bool {
        self.roots.contains(name.split('.').next().unwrap_or_default())
    }

    /// The name in the library that a name stands for, as `module` writes it in an import; `None` for a definition of
    /// the repository.
    pub fn origin(&mut self, module: &str, imported: &str) -> Result<Option<String>, StoreError> {
        let mut name = self.absolute(module, imported)?;
        for _ in 0..Self::MAX_STEPS {
            let Some((module, last)) = name.rsplit_once('.') else { return Ok(Some(name)) };
            if !self.has(&name) {
                return Ok(Some(name));
            }
            let Some(next) = self.interface(module)?.and_then(|interface| binding_of(interface, last)) else {
                return Ok(None);
            };
            name = self.absolute(module, &next)?;
        }
        Ok(None)
    }

    /// The full name that a name with dots before it has in a module.
    fn absolute(&self, module: &str, written: &str) -> Result<String, StoreError> {
        let name = written.trim_start_matches('.');
        let level = u32::try_from(written.len() - name.len()).unwrap_or_default();
        let id = self.files.get(module).filter(|_| level > 0);
        let file = id.map(|id| self.store.file(*id)).transpose()?.flatten();
        let parts: Vec<&str> = name.split('.').collect();
        Ok(file.map_or_else(|| name.to_owned(), |file| absolute_name(level, &parts, &file)))
    }

    fn interface(&mut self, module: &str) -> Result<Option<&Interface>, StoreError> {
        let Some(id) = self.files.get(module).copied() else { return Ok(None) };
        if let Entry::Vacant(slot) = self.interfaces.entry(id) {
            let hash = self.store.file(id)?.map(|file| file.content_hash);
            let bytes = hash.map(|hash| self.store.interface(&hash)).transpose()?.flatten();
            slot.insert(bytes.and_then(|bytes| Interface::decode(&bytes)));
        }
        Ok(self.interfaces[&id].as_ref())
    }
}

/// The name that a module imports as `name`, as it is written; `None` where it defines it.
fn binding_of(interface: &Interface, name: &str) -> Option<String> {
    let names = &interface.names;
    let member = interface.members.iter().find(|member| names.text(member.name) == name)?;
    match member.bindings.last()? {
        Binding::From(module, imported) => {
            let written = written(interface, module);
            let dot = if written.ends_with('.') { "" } else { "." };
            Some(format!("{written}{dot}{}", names.text(*imported)))
        }
        _ => None,
    }
}

fn written(interface: &Interface, module: &ModulePath) -> String {
    let parts: Vec<&str> = module.parts.iter().map(|part| interface.names.text(*part)).collect();
    ".".repeat(module.level as usize) + &parts.join(".")
}

/// The dotted name of a module that is imported by its full name.
pub fn absolute(interface: &Interface, module: &ModulePath) -> Option<String> {
    (module.level == 0 && !module.parts.is_empty()).then(|| written(interface, module))
}
