//! The answers that follow from the text of a file alone, as one hash per question.
//!
//! An update compares the hashes before and after a change. Only files that asked a question with a changed hash are
//! resolved again.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::{
    facts::interface::{BasePath, Binding, ClassHead, Member, ModulePath},
    index::definitions::folders,
    resolve::{
        Hooks, ModuleInfo,
        values::questions::{self, Key},
    },
};

/// Every question that the file has an answer to, with a hash of the answer.
pub(crate) fn answers(info: &ModuleInfo) -> BTreeMap<Key, u64> {
    let mut answers = BTreeMap::new();
    let interface = &info.interface;
    for member in &interface.members {
        let name = interface.names.hash(member.name);
        answers.insert(questions::member(&info.path, name), digest(|state| bindings(info, member, state)));
    }
    let stars = digest(|state| {
        for star in &interface.stars {
            module_path(info, star, state);
        }
        for list in [interface.exports.as_deref(), Some(&interface.plugins), Some(&interface.roots)] {
            let texts = list.map(|names| names.iter().map(|&name| interface.names.hash(name)).collect::<Vec<_>>());
            texts.hash(state);
        }
        interface.collecting.hash(state);
        for &(name, entity) in &interface.fixtures {
            (interface.names.hash(name), info.id(entity)).hash(state);
        }
    });
    answers.insert(questions::stars(&info.path), stars);
    for class in &interface.classes {
        let entity = info.id(class.entity);
        answers.insert(questions::class(entity), digest(|state| class_head(info, class, state)));
        let names = digest(|state| {
            for member in &class.members {
                interface.names.hash(member.name).hash(state);
            }
        });
        answers.insert(questions::class_names(entity), names);
        let fields = digest(|state| {
            for field in interface.fields(class.entity) {
                (interface.names.hash(field.name), field.flags).hash(state);
            }
        });
        answers.insert(questions::class_fields(entity), fields);
        for member in &class.members {
            let name = interface.names.hash(member.name);
            answers.insert(questions::class_member(entity, name), digest(|state| bindings(info, member, state)));
        }
    }
    for signature in &interface.functions {
        // Annotations and values of defaults are no part of it: they are answers of rounds, with keys of their own.
        let answer = digest(|state| {
            for parameter in &signature.parameters {
                interface.names.hash(parameter.name).hash(state);
                (parameter.kind as u8, parameter.has_default).hash(state);
                (parameter.is_none_default, parameter.default_truth, parameter.has_followed_default).hash(state);
            }
            (signature.is_generator, signature.is_async, signature.is_decorated, signature.is_guard).hash(state);
            interface.entities[signature.entity as usize].flags.hash(state);
        });
        answers.insert(questions::signature(info.id(signature.entity), signature.lambda), answer);
    }
    for (name, class) in info.definitions_in_classes() {
        join(&mut answers, questions::definers(name), digest(|state| class.hash(state)));
    }
    answers
}

/// Adds the answer of one file to a question that many files answer. The sum does not depend on their order.
pub(crate) fn join(answers: &mut BTreeMap<Key, u64>, key: Key, answer: u64) {
    let sum = answers.entry(key).or_default();
    *sum = sum.wrapping_add(answer);
}

/// Questions that two versions of a file answer differently.
pub(crate) fn changed(old: &BTreeMap<Key, u64>, new: &BTreeMap<Key, u64>) -> Vec<Key> {
    let gone = old.keys().filter(|key| !new.contains_key(key)).copied();
    let other = new.iter().filter(|(key, answer)| old.get(key) != Some(answer)).map(|(&key, _)| key);
    gone.chain(other).collect()
}

/// Questions about folders whose answers change because files come or go. `before` and `after` are all paths, sorted.
pub(crate) fn changed_folders(before: &[&str], after: &[&str]) -> Vec<Key> {
    let mut changed = Vec::new();
    for (these, others) in [(before, after), (after, before)] {
        for path in these.iter().filter(|path| others.binary_search(path).is_err()) {
            let (folder, name) = folders::folder_and_name(path);
            changed.push(questions::child(folder, name));
            if let Some((outer, package)) = folders::package_of(path) {
                changed.push(questions::child(outer, package));
                changed.push(questions::package(package));
            }
            for folder in folders::folders_around(path).filter(|folder| !folders::has_files_below(others, folder)) {
                let (outer, name) = folders::split(folder);
                changed.push(questions::child(outer, name));
            }
        }
    }
    changed.sort_unstable();
    changed.dedup();
    changed
}

fn digest(write: impl FnOnce(&mut FxHasher)) -> u64 {
    let mut hasher = FxHasher::default();
    write(&mut hasher);
    hasher.finish()
}

fn bindings(info: &ModuleInfo, member: &Member, state: &mut FxHasher) {
    member.is_for_types.hash(state);
    for binding in &member.bindings {
        match binding {
            Binding::Entity(entity) => {
                let head = &info.interface.entities[*entity as usize];
                (0u8, info.id(*entity), head.kind as u8, head.flags).hash(state);
            }
            Binding::Module(path) => {
                1u8.hash(state);
                module_path(info, path, state);
            }
            Binding::From(path, name) => {
                2u8.hash(state);
                module_path(info, path, state);
                info.interface.names.hash(*name).hash(state);
            }
        }
    }
}

fn module_path(info: &ModuleInfo, path: &ModulePath, state: &mut FxHasher) {
    path.level.hash(state);
    for &part in &path.parts {
        info.interface.names.hash(part).hash(state);
    }
}

fn class_head(info: &ModuleInfo, class: &ClassHead, state: &mut FxHasher) {
    let mut path = |path: &BasePath| {
        path.local.map(|entity| info.id(entity)).hash(state);
        for &part in &path.parts {
            info.interface.names.hash(part).hash(state);
        }
        // A separator: without it the bases `a.b, c` and `a, b.c` would hash alike.
        0u8.hash(state);
    };
    class.bases.iter().for_each(&mut path);
    class.metaclass.iter().for_each(&mut path);
    class.decorators.iter().for_each(&mut path);
    class.is_generic.hash(state);
    Hooks::of(&info.interface, class).hash(state);
}
