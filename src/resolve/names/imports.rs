//! The targets of imports: from dotted names to modules of the repository, in the order of Python's search path.
//!
//! The import roots of a file are, in this order:
//!
//! - its folder and the folders above that are no packages: a script or pytest puts them on the path;
//! - for tests, the folders of pytest's `pythonpath`;
//! - `src` and `lib` at the top;
//! - the folders in which a package of that name begins.
//!
//! A name of the standard library is looked for beside the file alone. A folder without `__init__` counts as a package
//! only when the whole dotted name leads to a file. Otherwise a library would be mistaken for a folder that happens to
//! share its name.

use crate::{
    facts::{hash_name, interface::ModulePath},
    model::{
        FileId,
        conventions::{pytest::is_test_path, standard_library},
    },
    resolve::{
        frameworks::tables::behavior_of,
        library::known,
        names::{Lookup, Module},
        values::questions,
    },
};

/// Where an import leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Found {
    Module(FileId),
    /// A folder without `__init__`, by its number in [`Lookup`].
    Namespace(u32),
    /// Outside the repository, by the hash of its dotted name.
    External(u64),
    /// Its first parts are inside the repository, but there is no such module.
    Missing,
}

impl Lookup<'_> {
    /// The module that `import` names in the file at `path`; names are those of `texts`.
    pub(crate) fn import(&mut self, path: &str, level: u32, parts: &[&str]) -> Found {
        let key = (path.to_owned(), level, parts.join("."));
        if let Some(&found) = self.known.imports.get(&key) {
            return found;
        }
        let found = if level > 0 { self.relative(path, level, parts) } else { self.absolute(path, parts) };
        self.known.imports.insert(key, found);
        found
    }

    /// [`Lookup::import`] of a module as written in another file's interface.
    pub(crate) fn import_path(&mut self, file: FileId, module: &ModulePath) -> Found {
        let Some(info) = self.module(file) else { return Found::Missing };
        let parts: Vec<&str> = module.parts.iter().map(|&part| info.interface.names.text(part)).collect();
        self.import(&info.path, module.level, &parts)
    }

    /// The external target of a name that a module has by `from typing import *`.
    pub(crate) fn star_external(&mut self, info: &Module, name: &str) -> Option<u64> {
        info.interface.stars.iter().find_map(|star| match self.import_path(info.file, star) {
            Found::External(module) => {
                let member = known::member(module, hash_name(name));
                behavior_of(member).is_some().then_some(member)
            }
            _ => None,
        })
    }

    fn relative(&mut self, path: &str, level: u32, parts: &[&str]) -> Found {
        let mut folder = parent(path);
        for _ in 1..level {
            if folder.is_empty() {
                return Found::Missing;
            }
            folder = parent(folder);
        }
        if parts.is_empty() {
            return self.folder_module(folder);
        }
        self.locate(folder, parts).unwrap_or(Found::Missing)
    }

    /// The package that a folder is.
    fn folder_module(&mut self, folder: &str) -> Found {
        match self.child(folder, "__init__").module {
            Some(file) => Found::Module(file),
            None => Found::Namespace(self.namespace(folder)),
        }
    }

    fn absolute(&mut self, path: &str, parts: &[&str]) -> Found {
        let Some(&first) = parts.first() else { return Found::Missing };
        let own = parent(path).to_owned();
        let is_stdlib = standard_library::is_module(first);
        let (mut folder, mut is_shadowed) = (own.as_str(), false);
        loop {
            if !self.is_package(folder)
                && let Some(found) = self.below(folder, parts, &mut is_shadowed)
            {
                return found;
            }
            // A file shadows the standard library only for scripts beside it.
            if folder.is_empty() || is_stdlib {
                break;
            }
            folder = parent(folder);
        }
        if !is_stdlib && is_test_path(path) {
            for root in self.test_roots(&own) {
                if let Some(found) = self.below(&root, parts, &mut is_shadowed) {
                    return found;
                }
            }
        }
        if !is_stdlib {
            for root in ["src", "lib"] {
                if self.child("", root).is_directory
                    && !self.is_package(root)
                    && let Some(found) = self.below(root, parts, &mut is_shadowed)
                {
                    return found;
                }
            }
            self.known.questions.insert(questions::package(first));
            let mut roots = self.definitions.packages(first);
            // Several packages may have this name; the nearest one is the likeliest.
            roots.sort_by_key(|root| std::cmp::Reverse(common_folders(root, &own)));
            for root in roots {
                if let Some(found) = self.below(&root, parts, &mut is_shadowed) {
                    return found;
                }
            }
        }
        if is_shadowed { Found::Missing } else { Found::External(known::dotted_parts(parts)) }
    }

    /// Where `parts` lead below a root. A plain module has no submodules, so that another root may be meant:
    /// `poetry.utils` is not in `src/poetry/poetry.py`. `is_shadowed` is set then.
    fn below(&mut self, root: &str, parts: &[&str], is_shadowed: &mut bool) -> Option<Found> {
        let found = self.locate(root, parts);
        if found == Some(Found::Missing) && self.child(root, parts[0]).package.is_none() {
            *is_shadowed = true;
            return None;
        }
        found
    }

    fn is_package(&mut self, folder: &str) -> bool {
        !folder.is_empty() && self.child(folder, "__init__").module.is_some()
    }

    /// Follows `parts` below `folder`; `None` when already the first leads nowhere.
    fn locate(&mut self, folder: &str, parts: &[&str]) -> Option<Found> {
        let mut folder = folder.to_owned();
        let mut is_certain = false;
        for (index, part) in parts.iter().enumerate() {
            let child = self.child(&folder, part);
            let is_last = index + 1 == parts.len();
            folder = join(&folder, part);
            if let Some(package) = child.package {
                is_certain = true;
                if is_last {
                    return Some(Found::Module(package));
                }
            } else if let Some(module) = child.module {
                if is_last {
                    return Some(Found::Module(module));
                }
                // A module has no submodules: the rest of the name leads nowhere.
                return Some(Found::Missing);
            } else if child.is_directory {
                if is_last {
                    // Without an `__init__` above it, the folder may only share its name with a library.
                    return is_certain.then(|| Found::Namespace(self.namespace(&folder)));
                }
            } else {
                return is_certain.then_some(Found::Missing);
            }
        }
        None
    }

    /// `from module import name` where `module` is a folder without `__init__`.
    pub(crate) fn namespace_member(&mut self, namespace: u32, name: &str) -> Option<Found> {
        let folder = self.known.namespaces[namespace as usize].clone();
        let child = self.child(&folder, name);
        match (child.package.or(child.module), child.is_directory) {
            (Some(file), _) => Some(Found::Module(file)),
            (None, true) => Some(Found::Namespace(self.namespace(&join(&folder, name)))),
            (None, false) => None,
        }
    }

    /// Like [`Lookup::import`], for `from a import b` where only `a.b` as a whole may lead to a file.
    pub(crate) fn import_member(&mut self, path: &str, level: u32, parts: &[&str], name: &str) -> Option<Found> {
        let whole: Vec<&str> = parts.iter().copied().chain([name]).collect();
        match self.import(path, level, &whole) {
            found @ (Found::Module(_) | Found::Namespace(_)) => Some(found),
            _ => None,
        }
    }

    /// The module `name` in the folder of the package whose `__init__` is `file`.
    pub(crate) fn submodule(&mut self, file: FileId, name: &str) -> Option<FileId> {
        let info = self.module(file)?;
        let folder = package_folder(&info.path)?;
        let child = self.child(folder, name);
        child.package.or(child.module)
    }

    pub(crate) fn child(&mut self, folder: &str, name: &str) -> crate::resolve::Child {
        self.known.questions.insert(questions::child(folder, name));
        self.definitions.child(folder, name)
    }

    /// Folders that the projects around `folder` let their tests import from.
    fn test_roots(&mut self, folder: &str) -> Vec<String> {
        let mut roots = Vec::new();
        for project in self.projects(folder) {
            let above = parent(&project.path);
            let written = project.interface.roots.iter().map(|&root| project.interface.names.text(root));
            roots.extend(written.map(|root| joined(above, root)));
        }
        roots
    }

    /// The files of the projects around a folder, the nearest first.
    pub(crate) fn projects(&mut self, folder: &str) -> Vec<Module> {
        let (mut folder, mut projects) = (folder, Vec::new());
        loop {
            for name in ["pytest", ".pytest", "pyproject", "tox", "setup"] {
                if let Some(info) = self.child(folder, name).project.and_then(|file| self.module(file)) {
                    // Any change of the project's file may change the import roots, so the question about all of its
                    // names stands for it.
                    self.known.questions.insert(questions::stars(&info.path));
                    projects.push(info);
                }
            }
            if folder.is_empty() {
                return projects;
            }
            folder = parent(folder);
        }
    }

    /// `conftest.py` of a folder.
    pub(crate) fn conftest(&mut self, folder: &str) -> Option<FileId> {
        self.child(folder, "conftest").module
    }
}

/// The folder of a package, from the path of its `__init__`.
fn package_folder(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    (name == "__init__.py" || name == "__init__.pyi").then(|| parent(path))
}

/// The folder of `path`; `""` at the top.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder as written below another: `./src/` in `app` is `app/src`.
fn joined(folder: &str, written: &str) -> String {
    let parts = written.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.fold(folder.to_owned(), |folder, part| match part {
        ".." => parent(&folder).to_owned(),
        part => join(&folder, part),
    })
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn common_folders(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}
