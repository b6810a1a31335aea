//! Dotted names of modules, from the paths of all files: one name per path, each unique.
//!
//! A file in a package is named from the folder that holds the outermost package, as Python imports it. Any other file
//! is named from the root, without a leading `src` or `lib`. When two files have the same name, the one nearer to the
//! root keeps it; the other is named by its whole path.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

/// The names of `paths`, in their order.
pub fn module_names(paths: &[&str]) -> Vec<String> {
    let packages: FxHashSet<&str> = paths
        .iter()
        .filter_map(|path| {
            let (folder, name) = path.rsplit_once('/')?;
            matches!(name, "__init__.py" | "__init__.pyi").then_some(folder)
        })
        .collect();
    let wanted: Vec<String> = paths.iter().map(|path| import_name(path, &packages)).collect();
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

fn import_name(path: &str, packages: &FxHashSet<&str>) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut root = folder;
    while packages.contains(root) {
        root = root.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
    if root == folder {
        root = match path.split_once('/') {
            Some((first @ ("src" | "lib"), _)) => first,
            _ => "",
        };
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
