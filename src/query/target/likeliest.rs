//! Chooses among the definitions of an ambiguous name.
//!
//! Own code comes before tests, the overridden method before its overrides, the definition of a package before members
//! of its classes, a nested function after all others, the most used before the rest. A question in words may mean a
//! few of them at once; a command answers for one.

use std::cmp::Reverse;

use crate::{
    model::{EntityKind, FileId, RelationshipKind},
    query::target::Target,
    store::{Store, error::StoreError, read::Entity},
};

/// So many definitions of one name are all answered for.
const FEW: usize = 3;

/// The likeliest of several definitions called `text`, and those passed over.
pub fn likeliest(store: &Store, text: &str, targets: Vec<Target>) -> Result<(Vec<Target>, Vec<Target>), StoreError> {
    let all = targets.clone();
    let mut counted = ranked(store, text, targets)?;
    if counted.len() > FEW {
        counted.truncate(1);
    }
    let chosen: Vec<Target> = counted.into_iter().map(|(_, target)| target).collect();
    let is_chosen = |target: &Target| chosen.iter().any(|other| other.main().id == target.main().id);
    let passed = all.into_iter().filter(|target| !is_chosen(target)).collect();
    Ok((chosen, passed))
}

/// The one definition that `text` means most probably, whole with its overloads and setters, and the others. `None`
/// where nothing tells the first two apart.
pub fn pick(store: &Store, text: &str, candidates: &[Entity]) -> Result<Option<(Target, Vec<Entity>)>, StoreError> {
    let targets = candidates.iter().map(|entity| Target::of(vec![entity.clone()])).collect();
    let ranked = ranked(store, text, targets)?;
    let best = match ranked.as_slice() {
        [] => return Ok(None),
        [(first, _), (second, _), ..] if first == second => return Ok(None),
        [(_, best), ..] => best.main().clone(),
    };
    let others = candidates.iter().filter(|entity| entity.id != best.id).cloned().collect();
    let mut entities = store.entities_of(best.file)?;
    entities.retain(|entity| entity.record.qualified == best.record.qualified);
    entities.sort_by_key(|entity| entity.record.duplicate);
    Ok(Some((Target::of(entities), others)))
}

/// The definitions that are no worse than others by their place, the most used first, with the number of their uses.
fn ranked(store: &Store, text: &str, targets: Vec<Target>) -> Result<Vec<(usize, Target)>, StoreError> {
    let mut chosen = Vec::new();
    for target in &targets {
        if is_of_program(store, target.main().file)? {
            chosen.push(target.clone());
        }
    }
    if chosen.is_empty() {
        chosen = targets;
    }
    // A stub repeats the program.
    let is_stub = |target: &Target| target.main().path.ends_with(".pyi");
    if !chosen.iter().all(is_stub) {
        chosen.retain(|target| !is_stub(target));
    }
    // Nobody outside of its function can name a nested one. A method's kind says that it is none.
    let is_nested = |target: &Target| {
        let record = &target.main().record;
        record.kind == EntityKind::Function && record.qualified.contains('.')
    };
    if !chosen.iter().all(is_nested) {
        chosen.retain(|target| !is_nested(target));
    }
    // `requests.get`: what a package offers under the name, not the members of its classes.
    if text.contains('.') {
        let is_top = |target: &Target| !target.main().record.qualified.contains('.');
        if chosen.iter().any(is_top) {
            chosen.retain(is_top);
        }
    }
    let mut roots = Vec::new();
    for target in &chosen {
        let above = store.outgoing(target.main().id)?;
        let overrides = above.iter().any(|relationship| {
            relationship.kind == RelationshipKind::Overrides
                && chosen.iter().any(|other| other.main().id == relationship.target)
        });
        if !overrides {
            roots.push(target.clone());
        }
    }
    let chosen = if roots.is_empty() { chosen } else { roots };
    let mut counted = Vec::new();
    for target in chosen {
        let mut uses = 0;
        for entity in &target.entities {
            uses += store.incoming(entity.id)?.len();
        }
        counted.push((uses, target));
    }
    // Stable, so that equals keep their order by name.
    counted.sort_by_key(|(uses, _)| Reverse(*uses));
    Ok(counted)
}

/// Whether a file is part of the program: no test, and not aside.
pub fn is_of_program(store: &Store, file: FileId) -> Result<bool, StoreError> {
    Ok(store.file(file)?.is_some_and(|file| !file.is_test && !is_aside(&file.path)))
}

/// Whether a file is no part of the program: documentation, examples, benchmarks.
pub fn is_aside(path: &str) -> bool {
    path.split('/').any(|part| {
        matches!(
            part,
            "docs" | "doc" | "examples" | "example" | "benchmarks" | "benchmark" | "tests" | "test" | "scripts"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Basis, EntityKind::*},
        query::{
            fixture::Fixture,
            target::{TargetMatch, known},
        },
    };

    fn store() -> Store {
        let mut fixture = Fixture::default();
        fixture.file("pkg/api.py", "pkg.api").entity(Function, "get", 1, 3).entity(Function, "main", 5, 9);
        fixture.entity(Class, "Shop", 10, 20).entity(Property, "Shop.total", 11, 12);
        fixture.entity(Property, "Shop.total", 13, 14);
        fixture.file("pkg/a.py", "pkg.a").entity(Class, "Base", 1, 9).entity(Method, "Base.run", 2, 4);
        fixture.entity(Class, "Left", 10, 19).entity(Method, "Left.run", 12, 14).entity(Method, "Left.get", 15, 16);
        fixture.edge("pkg.a.Left", RelationshipKind::Inherits, "pkg.a.Base", 10, Basis::Scope);
        fixture.edge("pkg.a.Left.run", RelationshipKind::Overrides, "pkg.a.Base.run", 12, Basis::Scope);
        fixture.file("tests/test_a.py", "tests.test_a").entity(Function, "total", 1, 3).entity(Function, "use", 5, 9);
        fixture.edge("tests.test_a.use", RelationshipKind::Calls, "tests.test_a.total", 6, Basis::Scope);
        fixture.store()
    }

    #[test]
    fn a_nested_function_is_meant_where_nothing_else_is() {
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(Class, "Client", 1, 9).entity(Method, "Client.send", 2, 4);
        fixture.entity(Function, "app", 10, 19).entity(Function, "app.send", 11, 12);
        fixture.edge("a.app", RelationshipKind::Calls, "a.app.send", 14, Basis::Scope);
        let store = fixture.store();
        let (best, others) = pick(&store, "send", &candidates(&store, "send")).unwrap().expect("it is clear");
        assert_eq!((best.main().record.qualified.as_str(), others.len()), ("Client.send", 1));
    }

    fn candidates(store: &Store, name: &str) -> Vec<Entity> {
        match known(store, name, "") {
            Ok(Some(TargetMatch::Ambiguous(entities))) => entities,
            other => panic!("`{name}` is not ambiguous: {other:?}"),
        }
    }

    fn check(name: &str) -> String {
        let store = store();
        let targets = candidates(&store, name).into_iter().map(|entity| Target::of(vec![entity])).collect();
        let (chosen, over) = likeliest(&store, name, targets).expect("a store in memory");
        let names: Vec<String> = chosen.iter().map(|target| target.main().full_name()).collect();
        format!("{} +{}", names.join(" "), over.len())
    }

    fn picked(name: &str) -> Option<(Vec<String>, Vec<String>)> {
        let store = store();
        let names = |entities: &[Entity]| entities.iter().map(Entity::full_name).collect::<Vec<_>>();
        let picked = pick(&store, name, &candidates(&store, name)).expect("a store in memory");
        picked.map(|(target, others)| (names(&target.entities), names(&others)))
    }

    #[test]
    fn the_likeliest_definition_is_meant() {
        assert_eq!(check("run"), "pkg.a.Base.run +1", "the overridden method stands for its overrides");
        assert_eq!(check("pkg.get"), "pkg.api.get +1", "what the package offers");
        assert_eq!(check("get"), "pkg.a.Left.get pkg.api.get +0", "equals are all meant");
    }

    #[test]
    fn a_command_answers_for_one_definition_and_names_the_others() {
        let both = ["pkg.api.Shop.total", "pkg.api.Shop.total@2"].map(str::to_owned).to_vec();
        let (chosen, others) = picked("total").expect("own code comes before tests, though a test uses its own");
        assert_eq!((chosen, others), (both, vec!["tests.test_a.total".to_owned()]));
        assert_eq!(picked("get"), None, "nothing tells them apart");
    }
}
