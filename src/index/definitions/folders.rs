//! The names that paths stand for: which file is the module, the stub, the package or the project of a name.
//!
//! A full build asks with all paths in memory, an update asks the store. A file that comes or goes changes the answers
//! for the names of its path. All three use these functions, so they cannot disagree.

use crate::{index::is_indexed, model::FileId, resolve::Child};

/// Extensions of a module; the first that exists counts.
const MODULE: [&str; 2] = ["py", "pyi"];
/// The extension of a stub.
const STUB: &str = "pyi";
/// Extensions of the settings of a project; the first that exists counts.
const PROJECT: [&str; 3] = ["toml", "cfg", "ini"];
/// The module that makes a folder a package.
const INIT: &str = "__init__";

/// The paths of an index.
pub(crate) trait Paths {
    type Error;

    fn file(&self, path: &str) -> Result<Option<FileId>, Self::Error>;

    fn has_files_below(&self, folder: &str) -> Result<bool, Self::Error>;
}

/// The files that `name` stands for in the folder `directory` (`""` for the root).
pub(crate) fn child<P: Paths>(paths: &P, directory: &str, name: &str) -> Result<Child, P::Error> {
    let whole = if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
    let first = |stem: &str, extensions: &[&str]| -> Result<Option<FileId>, P::Error> {
        for extension in extensions {
            let path = format!("{stem}.{extension}");
            // Most names cannot be the name of a project: that is known without a look at the paths.
            if is_indexed(&path)
                && let Some(file) = paths.file(&path)?
            {
                return Ok(Some(file));
            }
        }
        Ok(None)
    };
    let is_directory = paths.has_files_below(&whole)?;
    Ok(Child {
        module: first(&whole, &MODULE)?,
        stub: first(&whole, &[STUB])?,
        package: if is_directory { first(&format!("{whole}/{INIT}"), &MODULE)? } else { None },
        is_directory,
        project: first(&whole, &PROJECT)?,
    })
}

/// The folder of a path, and the name that the file has in it.
pub(crate) fn folder_and_name(path: &str) -> (&str, &str) {
    let (folder, name) = split(path);
    (folder, name.rsplit_once('.').map_or(name, |(stem, _)| stem))
}

/// The package that the file at `path` makes of its folder: the folder around it, and its name.
pub(crate) fn package_of(path: &str) -> Option<(&str, &str)> {
    let (folder, name) = path.rsplit_once('/')?;
    let (stem, extension) = name.rsplit_once('.')?;
    (stem == INIT && MODULE.contains(&extension)).then(|| split(folder))
}

/// The folders around a path, the innermost first.
pub(crate) fn folders_around(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(path.rsplit_once('/'), |(folder, _)| folder.rsplit_once('/')).map(|(folder, _)| folder)
}

/// A path as its folder and its last part.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Whether one of the sorted `paths` lies below `folder`.
pub(crate) fn has_files_below(paths: &[&str], folder: &str) -> bool {
    let start = format!("{folder}/");
    let index = paths.partition_point(|path| *path < start.as_str());
    paths.get(index).is_some_and(|path| path.starts_with(&start))
}
