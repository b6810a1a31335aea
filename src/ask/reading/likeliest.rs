//! Chooses among the definitions of an ambiguous name, and finds the class of an instance by its usual name.
//!
//! Own code comes before tests, the overridden method before its overrides, the definition of a package before members
//! of its classes, the most used before the others. A few equals are all meant.

use std::collections::BTreeMap;

use crate::{
    model::{EntityKind, RelationshipKind},
    query::{
        source::Sources,
        target::{Target, TargetMatch, known},
    },
    store::{Store, error::StoreError},
};

/// So many definitions of one name are all answered for.
const FEW: usize = 3;
/// Classes of variables of one name that are tried.
const MAX_CLASSES: usize = 3;

/// The likeliest of several definitions called `text`, and those passed over.
pub fn likeliest(store: &Store, text: &str, targets: Vec<Target>) -> Result<(Vec<Target>, Vec<Target>), StoreError> {
    let all = targets.clone();
    let mut chosen = Vec::new();
    for target in &targets {
        if store.file(target.main().file)?.is_some_and(|file| !file.is_test && !is_aside(&file.path)) {
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
    counted.sort_by_key(|(uses, _)| std::cmp::Reverse(*uses));
    if counted.len() > FEW {
        counted.truncate(1);
    }
    let chosen: Vec<Target> = counted.into_iter().map(|(_, target)| target).collect();
    let is_chosen = |target: &Target| chosen.iter().any(|other| other.main().id == target.main().id);
    let passed = all.into_iter().filter(|target| !is_chosen(target)).collect();
    Ok((chosen, passed))
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

/// The member that `name.member` means where variables called `name` hold instances of a class.
pub fn of_instance(store: &Store, sources: &Sources, text: &str) -> Result<Option<Target>, StoreError> {
    let Some((name, member)) = text.rsplit_once('.') else { return Ok(None) };
    let name = name.rsplit('.').next().unwrap_or(name);
    if name.is_empty() {
        return Ok(None);
    }
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    for (_, file) in store.files()? {
        let Some(text) = sources.text(&file.path) else { continue };
        for (at, _) in text.match_indices(name) {
            let is_inside = text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
            let rest = text[at + name.len()..].trim_start_matches(' ');
            if let Some(class) = class_at(rest).filter(|_| !is_inside) {
                *classes.entry(class.to_owned()).or_default() += 1;
            }
        }
    }
    let mut classes: Vec<(String, usize)> = classes.into_iter().collect();
    classes.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (class, _) in classes.into_iter().take(MAX_CLASSES) {
        match known(store, &format!("{class}.{member}"), "")? {
            Some(TargetMatch::Found(target)) if !target.main().record.qualified.is_empty() => return Ok(Some(target)),
            Some(TargetMatch::Ambiguous(entities)) => {
                let targets = entities.into_iter().map(|entity| Target::of(vec![entity])).collect();
                let (chosen, _) = likeliest(store, member, targets)?;
                return Ok(chosen.into_iter().find(|target| target.main().record.kind != EntityKind::Module));
            }
            _ => {}
        }
    }
    Ok(None)
}

/// The class in `: pkg.Class` or `= pkg.Class(` behind a variable.
fn class_at(rest: &str) -> Option<&str> {
    let is_annotation = rest.starts_with(':');
    let rest = rest.strip_prefix([':', '='])?.trim_start_matches([' ', '"', '\'']);
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
    let class = rest[..end].rsplit('.').next()?;
    let is_class = class.trim_start_matches('_').starts_with(char::is_uppercase) && class.contains(char::is_lowercase);
    (is_class && (is_annotation || rest[end..].starts_with('('))).then_some(class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Basis, EntityKind::*},
        query::fixture::Fixture,
    };

    fn fixture() -> Fixture {
        let mut fixture = Fixture::default();
        fixture.file("pkg/api.py", "pkg.api").entity(Function, "get", 1, 3).entity(Function, "main", 5, 9);
        fixture.file("pkg/a.py", "pkg.a").entity(Class, "Base", 1, 9).entity(Method, "Base.run", 2, 4);
        fixture.entity(Class, "Left", 10, 19).entity(Method, "Left.run", 12, 14).entity(Method, "Left.get", 15, 16);
        fixture.edge("pkg.a.Left", RelationshipKind::Inherits, "pkg.a.Base", 10, Basis::Scope);
        fixture.edge("pkg.a.Left.run", RelationshipKind::Overrides, "pkg.a.Base.run", 12, Basis::Scope);
        fixture
    }

    fn check(name: &str) -> String {
        let store = fixture().store();
        let Ok(Some(TargetMatch::Ambiguous(entities))) = known(&store, name, "") else {
            return "not ambiguous".to_owned();
        };
        let targets = entities.into_iter().map(|entity| Target::of(vec![entity])).collect();
        let (chosen, over) = likeliest(&store, name, targets).expect("a store in memory");
        let names: Vec<String> = chosen.iter().map(|target| target.main().full_name()).collect();
        format!("{} +{}", names.join(" "), over.len())
    }

    #[test]
    fn the_likeliest_definition_is_meant() {
        assert_eq!(check("run"), "pkg.a.Base.run +1", "the overridden method stands for its overrides");
        assert_eq!(check("pkg.get"), "pkg.api.get +1", "what the package offers");
        assert_eq!(check("get"), "pkg.a.Left.get pkg.api.get +0", "equals are all meant");
    }

    #[test]
    fn an_instance_is_known_by_its_usual_name() {
        let store = fixture().store();
        let code = b"def f(left: Left):\n    left.run()\n\nleft = a.Left()\nright = Other()\n";
        let sources = Sources::new(|path| (path == "pkg/api.py").then(|| code.to_vec()));
        let find = |text: &str| {
            let found = of_instance(&store, &sources, text).expect("a store in memory");
            found.map(|target| target.main().full_name())
        };
        assert_eq!(find("left.get").as_deref(), Some("pkg.a.Left.get"));
        assert_eq!(find("right.get"), None);
        assert_eq!(find("nothing.get"), None);
    }
}
