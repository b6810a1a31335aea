//! Finds the class of an instance by its usual name in the repository.

use std::collections::BTreeMap;

use crate::{
    model::EntityKind,
    query::{
        source::Sources,
        target::{Target, TargetMatch, known, likeliest::likeliest},
    },
    store::{Store, error::StoreError},
};

/// Classes of variables of one name that are tried.
const MAX_CLASSES: usize = 3;

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
        model::{Basis, EntityKind::*, RelationshipKind},
        query::fixture::Fixture,
    };

    fn store() -> Store {
        let mut fixture = Fixture::default();
        fixture.file("pkg/api.py", "pkg.api").entity(Function, "get", 1, 3).entity(Function, "main", 5, 9);
        fixture.file("pkg/a.py", "pkg.a").entity(Class, "Base", 1, 9).entity(Method, "Base.run", 2, 4);
        fixture.entity(Class, "Left", 10, 19).entity(Method, "Left.run", 12, 14).entity(Method, "Left.get", 15, 16);
        fixture.edge("pkg.a.Left", RelationshipKind::Inherits, "pkg.a.Base", 10, Basis::Scope);
        fixture.store()
    }

    #[test]
    fn an_instance_is_known_by_its_usual_name() {
        let store = store();
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
