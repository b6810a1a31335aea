//! The names in a question for dependents: what they are here, and which places they are.

use std::collections::BTreeSet;

use crate::{
    ask::reading::{
        forms::world::singulars,
        relations::DependentPlace,
        words::{is_in, is_stop_word},
    },
    model::{
        EntityKind, RelationshipKind,
        conventions::{is_name_part, standard_library},
    },
    query::navigate::outside::is_library,
    query::target::{Target, TargetMatch, is_suffix, known, likeliest::is_aside},
    store::{Store, error::StoreError, read::Entity},
};

/// Words that are no names here unless they stand in backticks.
const COMMON: &str = "anybody anyone anything api change changes class classes code everything exceptions file files function \
     functions it its method methods module modules one ones package part parts something test tests that them these they \
     thing things this those";

/// A name without the signs that a question has around it: `f()`.
pub(super) fn spelled(word: &str) -> String {
    word.trim_matches(['`', '\'', '"']).trim_end_matches("()").to_owned()
}

/// The definitions that a name may mean.
pub(in crate::ask::reading::understand) fn meant(store: &Store, name: &str) -> Result<Vec<Entity>, StoreError> {
    Ok(match known(store, name, "")? {
        Some(TargetMatch::Found(target)) => target.entities,
        Some(TargetMatch::Ambiguous(entities)) => entities,
        _ => Vec::new(),
    })
}

/// Whether a word names a definition, module or file here.
pub(super) fn is_name(store: &Store, word: &str) -> Result<bool, StoreError> {
    let name = spelled(word);
    let lower = name.to_lowercase();
    let is_quoted = word.starts_with('`');
    // `List` is a class, and `list` a word.
    let is_word = (is_stop_word(&lower) || is_in(COMMON, &lower)) && (name == lower || lower.len() < 2);
    if name.is_empty() || !is_quoted && is_word {
        return Ok(false);
    }
    if is_path(&name) {
        return Ok(!files_at(store, &name)?.is_empty());
    }
    if !name.chars().all(|c| is_name_part(c) || c == '.') {
        return Ok(false);
    }
    let last = name.rsplit('.').next().unwrap_or(&name);
    let is_called =
        |entity: &Entity| entity.record.name.eq_ignore_ascii_case(last) || is_suffix(&entity.full_name(), &name);
    Ok(meant(store, &name)?.iter().any(is_called) || is_module(store, &name)?)
}

/// Whether a word is written as names in code are, and no word of prose.
pub(super) fn looks_like_code(name: &str) -> bool {
    let inner = name.get(1..).unwrap_or_default();
    !is_path(name)
        && name.chars().all(|c| is_name_part(c) || c == '.')
        && (name.contains(['_', '.']) || inner.contains(char::is_uppercase) && inner.contains(char::is_lowercase))
}

/// The class whose heirs a word in the plural means: `fields`, where classes derive from `Field`.
pub(super) fn family_of(store: &Store, word: &str) -> Result<Option<String>, StoreError> {
    for singular in singulars(word) {
        let mut letters = singular.chars();
        let Some(first) = letters.next() else { continue };
        let name: String = first.to_uppercase().chain(letters).collect();
        for class in store.entities_named(&name, false)? {
            let is_base = class.record.kind == EntityKind::Class
                && !is_aside(&class.path)
                && store.incoming(class.id)?.iter().any(|one| one.kind == RelationshipKind::Inherits);
            if is_base {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}

/// Whether a dotted name begins with a library.
pub(super) fn is_of_library(store: &Store, name: &str) -> Result<bool, StoreError> {
    let root = name.split('.').next().unwrap_or(name).to_lowercase();
    Ok(standard_library::is_module(&root) || is_library(store, &root)?)
}

/// Whether a package or module is called so, in full or by its last part.
pub(in crate::ask::reading::understand) fn is_module(store: &Store, name: &str) -> Result<bool, StoreError> {
    Ok(store.modules()?.iter().any(|(_, module)| is_suffix(module, name)))
}

fn is_path(name: &str) -> bool {
    name.ends_with(".py") || name.ends_with(".pyi") || name.contains('/')
}

/// The indexed files that are written so, and the folder if it is one.
fn files_at(store: &Store, name: &str) -> Result<Vec<String>, StoreError> {
    let folder = format!("{}/", name.trim_end_matches('/'));
    let is_file = |path: &str| path == name || path.ends_with(&format!("/{name}"));
    let mut found = Vec::new();
    let mut tests = BTreeSet::new();
    for (_, file) in store.files()? {
        if file.is_test {
            tests.insert(file.path.clone());
        }
        let in_folder = file.path.find(&folder).filter(|at| *at == 0 || file.path[..*at].ends_with('/'));
        if is_file(&file.path) {
            found.push(file.path);
        } else if let Some(at) = in_folder {
            found.push(file.path[..at + folder.len()].to_owned());
        }
    }
    found.sort();
    found.dedup();
    Ok(nearest_the_root(found, '/', |path| is_aside(path) || tests.contains(path)))
}

/// Those outside of tests and examples, where there are some; of these the ones in the fewest folders.
fn nearest_the_root(mut found: Vec<String>, separator: char, is_aside: impl Fn(&str) -> bool) -> Vec<String> {
    if found.iter().any(|one| !is_aside(one)) {
        found.retain(|one| !is_aside(one));
    }
    let depth = |one: &String| one.matches(separator).count();
    let least = found.iter().map(depth).min().unwrap_or_default();
    found.retain(|one| depth(one) == least);
    found
}

/// The full name of the module that a file is, or that a word names which is said to be a module.
pub(super) fn module_called(store: &Store, name: &str, is_module: bool) -> Result<Option<String>, StoreError> {
    if is_path(name) {
        let paths = files_at(store, name)?;
        let files = store.files()?.into_iter().filter(|(_, file)| paths.contains(&file.path));
        let modules: Vec<String> = files.map(|(_, file)| file.module).collect();
        return Ok(match modules.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        });
    }
    if !is_module {
        return Ok(None);
    }
    let called = store.modules()?.into_iter().map(|(_, module)| module).filter(|module| is_suffix(module, name));
    let called = nearest_the_root(called.collect(), '.', is_aside_module);
    Ok(match called.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    })
}

fn is_aside_module(module: &str) -> bool {
    is_aside(&module.replace('.', "/"))
}

/// Whether all that is called so are functions and methods.
pub(super) fn is_callable(store: &Store, name: &str) -> Result<bool, StoreError> {
    let meant = meant(store, name)?;
    Ok(!meant.is_empty() && meant.iter().all(|one| one.record.kind.is_callable()))
}

/// The place that a name means.
pub(super) fn place_of(store: &Store, word: &str, is_outside: bool) -> Result<Option<DependentPlace>, StoreError> {
    let name = spelled(word);
    let mut place = DependentPlace { name: name.clone(), is_outside, owners: Vec::new(), paths: Vec::new() };
    if is_path(&name) {
        place.paths = files_at(store, &name)?;
        return Ok(Some(place).filter(|place| !place.paths.is_empty()));
    }
    let last = name.rsplit('.').next().unwrap_or(&name);
    let mut classes = meant(store, &name)?;
    classes.retain(|one| one.record.kind == EntityKind::Class && one.record.name.eq_ignore_ascii_case(last));
    let is_exact = |class: &Entity| class.record.name == last;
    let modules: Vec<String> =
        store.modules()?.into_iter().map(|(_, module)| module).filter(|module| is_suffix(module, &name)).collect();
    // `Flask` is the class, and `flask` the package.
    if classes.iter().any(is_exact) || modules.is_empty() {
        if classes.iter().any(|class| !is_aside(&class.path)) {
            classes.retain(|class| !is_aside(&class.path));
        }
        place.owners = classes.iter().map(Entity::full_name).collect();
    } else {
        place.owners = nearest_the_root(modules, '.', is_aside_module);
    }
    if place.owners.is_empty() {
        // The parts of a package without a file of its own.
        let head = format!("{name}.");
        if store.modules()?.iter().any(|(_, module)| module.starts_with(&head)) {
            place.owners = vec![place.name.clone()];
        }
    }
    place.owners.sort();
    place.owners.dedup();
    Ok(Some(place).filter(|place| !place.owners.is_empty()))
}

/// The full name of a definition where it stands in this place, and else the name itself.
pub(super) fn qualified(store: &Store, name: &str, place: &str) -> Result<String, StoreError> {
    let Some(place) = place_of(store, place, false)? else { return Ok(name.to_owned()) };
    let is_there = |one: &&Entity| {
        let full = one.full_name();
        let in_path = |path: &String| one.path == *path || path.ends_with('/') && one.path.starts_with(path.as_str());
        let below = |owner: &String| full.strip_prefix(owner.as_str()).is_some_and(|rest| rest.starts_with('.'));
        place.paths.iter().any(in_path) || place.owners.iter().any(below)
    };
    let found = meant(store, name)?;
    let there: Vec<&Entity> = found.iter().filter(is_there).collect();
    Ok(match there.as_slice() {
        [one] => one.full_name(),
        _ => name.to_owned(),
    })
}

/// The one function outside of tests that is called so where a module is called so too: ways lead to functions.
pub(super) fn callable_called(store: &Store, name: &str) -> Result<String, StoreError> {
    if name.contains('.') || !is_module(store, name)? {
        return Ok(name.to_owned());
    }
    let mut called = store.entities_named(name, false)?;
    called.retain(|one| one.record.kind.is_callable() && one.record.name == name && !is_aside(&one.path));
    let targets: Vec<Target> = called.into_iter().map(|one| Target::of(vec![one])).collect();
    Ok(match targets.as_slice() {
        [one] => one.main().full_name(),
        _ => name.to_owned(),
    })
}
