//! Dotted names of modules, from the paths of all files: one name per path, each unique.
//!
//! A file in a package is named from the folder that holds the outermost package, as Python imports it. Where that
//! folder is a namespace package, it is named from `src` or `lib`. Any other file is named from the root, without a
//! leading `src` or `lib`. When two files have the same name, the one nearer to the root keeps it; the other is named
//! by its whole path.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

/// Files that stand at the root of a project: `src` beside one holds what is imported, and a folder with one is no
/// namespace package.
const PROJECT_FILES: &[&str] = &["pyproject.toml", "setup.py", "setup.cfg"];

/// Folders at the top whose names are no part of a module's name.
const SOURCE_ROOTS: &[&str] = &["src", "lib"];

/// Folders that say how files are imported.
#[derive(Default)]
struct Folders<'p> {
    /// With `__init__`.
    packages: FxHashSet<&'p str>,
    /// Where a project or a program begins.
    starts: FxHashSet<&'p str>,
}

/// The names of `paths`, in their order.
pub fn module_names(paths: &[&str]) -> Vec<String> {
    let folders = Folders::of(paths);
    let wanted: Vec<String> = paths.iter().map(|path| import_name(path, &folders)).collect();
    let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, name) in wanted.iter().enumerate() {
        owners.entry(name).or_default().push(index);
    }
    let mut names = wanted.clone();
    let mut taken: FxHashSet<String> = owners.keys().map(|&name| name.to_owned()).collect();
    for mut same in owners.into_values().filter(|same| same.len() > 1) {
        same.sort_by_key(|&index| (paths[index].matches('/').count(), paths[index]));
        for &index in &same[1..] {
            let whole = stem(paths[index]).replace('/', ".");
            let mut name = whole.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{whole}@{number}");
                number += 1;
            }
            names[index] = name;
        }
    }
    names
}

impl<'p> Folders<'p> {
    fn of(paths: &[&'p str]) -> Folders<'p> {
        let mut folders = Folders::default();
        for path in paths {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            if matches!(name, "__init__.py" | "__init__.pyi") {
                folders.packages.insert(folder);
            } else if name == "manage.py" || PROJECT_FILES.contains(&name) {
                folders.starts.insert(folder);
            }
        }
        folders
    }

    /// The top folder `src` or `lib` where `root`, which holds packages, is a namespace package below it.
    fn namespace_root(&self, root: &str) -> Option<&'static str> {
        let (first, _) = root.split_once('/')?;
        let source_root = SOURCE_ROOTS.iter().find(|&&name| name == first)?;
        let mut above = std::iter::successors(Some(root), |folder| folder.rsplit_once('/').map(|(parent, _)| parent));
        let is_namespace = self.starts.contains("")
            && above.all(|folder| !self.starts.contains(folder) && !self.packages.contains(folder));
        is_namespace.then_some(source_root)
    }
}

fn import_name(path: &str, folders: &Folders<'_>) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut root = folder;
    // A repository that is itself a package is imported by the name of its clone, which its files do not tell.
    while !root.is_empty() && folders.packages.contains(root) {
        root = root.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
    if root == folder {
        root = match path.split_once('/') {
            Some((first, _)) if SOURCE_ROOTS.contains(&first) => first,
            _ => "",
        };
    } else if let Some(source_root) = folders.namespace_root(root) {
        root = source_root;
    }
    let below = stem(path);
    let below = if root.is_empty() { below } else { below.get(root.len() + 1..).unwrap_or(below) };
    let below = match below.rsplit_once('/') {
        Some((package, "__init__")) if name.starts_with("__init__.") => package,
        _ => below,
    };
    below.replace('/', ".")
}

/// A path without its extension; with it where the file is no module and may be called like one (`pytest.ini`).
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match path.rsplit_once('.') {
        Some((stem, extension)) if extension != "ini" && !name.ends_with("pytest.toml") => stem,
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str]) -> Vec<String> {
        module_names(paths)
    }

    #[test]
    fn packages_are_named_from_the_folder_that_holds_them() {
        let paths = ["src/shop/__init__.py", "src/shop/cart.py", "src/tool.py", "tests/test_cart.py", "setup.py"];
        assert_eq!(names(&paths), ["shop", "shop.cart", "tool", "tests.test_cart", "setup"]);
    }

    #[test]
    fn files_of_a_repository_that_is_a_package_are_named_from_its_root() {
        let paths = ["__init__.py", "main.py", "shop/__init__.py", "shop/cart.py", "tools/run.py"];
        assert_eq!(names(&paths), ["__init__", "main", "shop", "shop.cart", "tools.run"]);
    }

    #[test]
    fn packages_in_a_namespace_package_have_its_name() {
        let paths = ["pyproject.toml", "src/shop/utils/__init__.py", "src/shop/utils/money.py", "src/shop/__main__.py"];
        assert_eq!(names(&paths), ["pyproject", "shop.utils", "shop.utils.money", "shop.__main__"]);
        assert_eq!(names(&paths[1..]), ["utils", "utils.money", "shop.__main__"], "src may be a folder of programs");
    }

    #[test]
    fn a_folder_that_holds_a_program_or_a_project_is_no_namespace_package() {
        for start in ["src/site/manage.py", "src/site/pyproject.toml", "src/site/setup.py"] {
            let paths = ["setup.py", start, "src/site/shop/__init__.py", "src/site/shop/cart.py"];
            assert_eq!(names(&paths)[2..], ["shop", "shop.cart"]);
        }
    }

    #[test]
    fn files_that_set_up_tools_take_no_name_from_a_module() {
        let paths = ["pyproject.toml", "pytest.toml", "src/pytest/__init__.py", "src/tox.py", "tox.ini"];
        assert_eq!(names(&paths), ["pyproject", "pytest.toml", "pytest", "tox", "tox.ini"]);
    }

    #[test]
    fn of_two_files_with_one_name_the_outer_keeps_it() {
        let paths = ["a/tests/__init__.py", "tests/__init__.py", "tests/x.py", "tests/x.pyi"];
        assert_eq!(names(&paths), ["a.tests.__init__", "tests", "tests.x", "tests.x@2"]);
    }
}
