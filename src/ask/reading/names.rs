//! Resolves a name in a question to definitions.
//!
//! Names match as written, without regard to case, with corrected underscores, or over a typing slip. Several matches
//! are all returned; nothing is chosen here.

use std::collections::{BTreeMap, btree_map::Entry};

use serde::Serialize;

use crate::{
    model::{EntityKind, conventions::is_special},
    query::target::{
        Target, TargetMatch, known,
        likeliest::is_aside,
        look_up,
        spelling::{nearest, without_underscores},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Definitions that are proposed for an unknown name.
const MAX_PROPOSALS: usize = 5;
/// Longer names are not compared with all others.
const LONGEST_COMPARED: usize = 200;

/// How a name was recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NameMatch {
    Exact,
    /// In another case.
    Caseless,
    /// Underscores were missing or too many.
    Underscores,
    /// Several words are the parts of the name together: `test client` for `test_client`.
    Parts,
    /// A few letters are wrong; the answer mentions it.
    Slip,
}

/// The definitions that a name can mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meanings {
    /// Sorted by full name and path; empty when nothing is called so.
    pub targets: Vec<Target>,
    pub how: Option<NameMatch>,
    /// Similar names, if nothing has this name.
    pub proposals: Vec<Entity>,
}

/// Between a misspelt name and the one for which it is taken.
pub const TAKEN_FOR: &str = ": taken for ";

/// That a misspelt name is taken for another one; the first line of an answer says it, too.
pub fn taken_for(written: &str, target: &Target) -> String {
    let full = target.main().full_name();
    // `MapAdaptor.match` is `MapAdapter.match`: as many parts as are written.
    let at = full.rmatch_indices('.').nth(written.matches('.').count()).map_or(0, |(at, _)| at + 1);
    format!("nothing is called `{written}`{TAKEN_FOR}`{}`", &full[at..])
}

/// The kind of definition that the question calls a name.
pub type Hint = Option<EntityKind>;

/// Whether people may call an entity of this kind `hint`.
pub fn fits(kind: EntityKind, hint: Hint) -> bool {
    match hint {
        None => true,
        Some(EntityKind::Method | EntityKind::Function) => kind.is_callable(),
        Some(EntityKind::Variable | EntityKind::Property) => {
            matches!(kind, EntityKind::Variable | EntityKind::Property)
        }
        Some(hint) => kind == hint,
    }
}

/// Every definition called `name`. `is_strict` allows no other spelling.
pub fn meanings(store: &Store, name: &str, hint: Hint, is_strict: bool, folder: &str) -> Result<Meanings, StoreError> {
    let (entities, proposals) = match look_up(store, name, folder)? {
        TargetMatch::Found(target) => return Ok(found(vec![target], name, hint, is_strict)),
        TargetMatch::Ambiguous(entities) => (entities, Vec::new()),
        TargetMatch::Unknown(proposals) => (Vec::new(), proposals),
    };
    if !entities.is_empty() {
        return Ok(found(targets_of(store, &entities)?, name, hint, is_strict));
    }
    if is_strict || name.len() > LONGEST_COMPARED {
        return Ok(Meanings { proposals, ..Meanings::default() });
    }
    let names = store.names()?;
    let (parents, last) = name.rsplit_once('.').map_or(("", name), |(parents, last)| (parents, last));
    // Missing underscores are the most frequent slip, and cheaper to find than wrong letters.
    let bare = without_underscores(last);
    let alike: Vec<&String> = names.iter().filter(|candidate| without_underscores(candidate) == bare).collect();
    let targets = named(store, &alike, parents, hint)?;
    if !targets.is_empty() {
        return Ok(Meanings { targets, how: Some(NameMatch::Underscores), proposals: Vec::new() });
    }
    let modules = if parents.is_empty() { modules_alike(store, &bare, hint)? } else { Vec::new() };
    if !modules.is_empty() {
        return Ok(Meanings { targets: modules, how: Some(NameMatch::Underscores), proposals: Vec::new() });
    }
    // `_cv_request` is no `request`: a part of a name that was left out is no wrong letter.
    let parts: Vec<&str> = last.split('_').filter(|part| !part.is_empty()).collect();
    let lacks_a_part = |name: &&String| {
        let rest = |left_out: usize| [&parts[..left_out], &parts[left_out + 1..]].concat().concat().to_lowercase();
        (0..parts.len()).any(|at| parts.len() > 1 && rest(at) == without_underscores(name))
    };
    // Only another special method is a slip of `__hash__`.
    // `BadRequest` is the class of a library, and no slip of `has_request`.
    let is_camel = |name: &str| name.starts_with(char::is_uppercase) && is_mixed(name) && !name.contains('_');
    let may_be_it = |name: &&String| {
        (!is_special(last) || is_special(name))
            && (!is_camel(last) || name.trim_matches('_').starts_with(char::is_uppercase))
    };
    let near = nearest(&names, last).into_iter().filter(may_be_it);
    let (parts_of_it, near): (Vec<&String>, Vec<&String>) = near.partition(lacks_a_part);
    let mut targets = named(store, &near, parents, hint)?;
    // `UsageEror` is the class rather than `USAGE_ERROR`.
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    if last.starts_with(char::is_uppercase) && targets.iter().any(is_class) {
        targets.retain(is_class);
    }
    if targets.is_empty() && !parents.is_empty() {
        targets = of_misspelt(store, &names, parents, last)?;
    }
    let mut proposals = proposals;
    let parts_of_it = if targets.is_empty() && proposals.is_empty() { parts_of_it } else { Vec::new() };
    for name in parts_of_it {
        proposals.extend(store.entities_named(name, false)?);
    }
    proposals.sort_by_key(|entity| is_aside(&entity.path));
    proposals.truncate(MAX_PROPOSALS);
    let how = (!targets.is_empty()).then_some(NameMatch::Slip);
    Ok(Meanings { targets, how, proposals })
}

/// The members called `last` of the class of which `parents` is a slip: `MapAdaptor.match`.
fn of_misspelt(store: &Store, names: &[String], parents: &str, last: &str) -> Result<Vec<Target>, StoreError> {
    let owner = parents.rsplit('.').next().unwrap_or(parents);
    let mut found = Vec::new();
    // A name that something has is no slip, be it one of a library.
    if !owner.starts_with(char::is_uppercase) || names.iter().any(|name| name == owner) {
        return Ok(found);
    }
    for class in nearest(names, owner) {
        let is_class = store.entities_named(class, false)?.iter().any(|entity| entity.record.kind == EntityKind::Class);
        if is_class && let Some(TargetMatch::Found(target)) = known(store, &format!("{class}.{last}"), "")? {
            found.push(target);
        }
    }
    Ok(found)
}

/// Whether a name has several words, told apart by their capital letters.
pub fn is_mixed(name: &str) -> bool {
    name.chars().skip(1).any(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// The modules whose last name is `bare`, but for underscores.
fn modules_alike(store: &Store, bare: &str, hint: Hint) -> Result<Vec<Target>, StoreError> {
    let mut found = Vec::new();
    if !fits(EntityKind::Module, hint) {
        return Ok(found);
    }
    for (file, module) in store.modules()? {
        if module.rsplit('.').next().is_some_and(|last| without_underscores(last) == bare) {
            let entity = store.entities_of(file)?.into_iter().find(|entity| entity.record.qualified.is_empty());
            found.extend(entity.map(|entity| Target::of(vec![entity])));
        }
    }
    Ok(found)
}

/// The entities that share name and file with `entity`, as one target.
pub fn target_of(store: &Store, entity: &Entity) -> Result<Target, StoreError> {
    Ok(whole(entity, &store.entities_named(&entity.record.name, false)?))
}

/// A definition with its overloads and setters among `namesakes`.
fn whole(entity: &Entity, namesakes: &[Entity]) -> Target {
    let is_same = |other: &&Entity| other.file == entity.file && other.record.qualified == entity.record.qualified;
    let mut entities: Vec<Entity> = namesakes.iter().filter(is_same).cloned().collect();
    entities.sort_by_key(|entity| entity.record.duplicate);
    if entities.is_empty() {
        entities.push(entity.clone());
    }
    Target { entities, inherited_by: None }
}

/// The definition with this full name in this file.
pub fn at_path(store: &Store, full_name: &str, path: &str) -> Result<Option<Entity>, StoreError> {
    // `name@2` is the second definition of a name.
    let plain = full_name.split('@').next().unwrap_or(full_name);
    let last = plain.rsplit('.').next().unwrap_or(plain);
    Ok(store.entities_named_in(path, last)?.into_iter().find(|entity| entity.full_name() == full_name))
}

fn targets_of(store: &Store, entities: &[Entity]) -> Result<Vec<Target>, StoreError> {
    // Tests may define one name hundreds of times: its definitions are read once.
    let mut known: BTreeMap<&str, Vec<Entity>> = BTreeMap::new();
    for entity in entities {
        if let Entry::Vacant(slot) = known.entry(&entity.record.name) {
            slot.insert(store.entities_named(&entity.record.name, false)?);
        }
    }
    Ok(entities.iter().map(|entity| whole(entity, &known[entity.record.name.as_str()])).collect())
}

/// Keeps the targets that fit the hint, if any do.
fn found(mut targets: Vec<Target>, name: &str, hint: Hint, is_strict: bool) -> Meanings {
    if targets.iter().any(|target| fits(target.main().record.kind, hint)) {
        targets.retain(|target| fits(target.main().record.kind, hint));
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    let last = last.split('@').next().unwrap_or(last);
    let is_exact = |target: &Target| {
        target.main().record.name == last || name.contains(['/', ':']) || target.main().module.ends_with(last)
    };
    let how = if targets.iter().all(is_exact) { NameMatch::Exact } else { NameMatch::Caseless };
    if is_strict && how != NameMatch::Exact {
        return Meanings::default();
    }
    Meanings { targets, how: Some(how), proposals: Vec::new() }
}

/// The definitions with one of these last names whose parents resemble `parents`.
fn named(store: &Store, names: &[&String], parents: &str, hint: Hint) -> Result<Vec<Target>, StoreError> {
    let mut groups: BTreeMap<(String, String), Vec<Entity>> = BTreeMap::new();
    for name in names {
        for entity in store.entities_named(name, false)? {
            let full = entity.full_name();
            let above = full.rsplit_once('.').map_or("", |(above, _)| above);
            // `g.user` is no `debugging.user`.
            let above = format!(".{}", without_underscores(above));
            let is_below = parents.is_empty() || above.ends_with(&format!(".{}", without_underscores(parents)));
            if is_below && fits(entity.record.kind, hint) {
                let qualified = format!("{}.{}", entity.module, entity.record.qualified);
                groups.entry((qualified, entity.path.clone())).or_default().push(entity);
            }
        }
    }
    let targets = groups.into_values().map(|mut entities| {
        entities.sort_by_key(|entity| entity.record.duplicate);
        Target { entities, inherited_by: None }
    });
    Ok(targets.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EntityKind::*, query::fixture::Fixture};

    fn check(name: &str, hint: Hint) -> String {
        let mut fixture = Fixture::default();
        fixture.file("a/nodes.py", "a.nodes").entity(Class, "NodePostProccesor", 1, 40);
        fixture.entity(Method, "NodePostProccesor._check_relationships_of_retrieved_nodes", 2, 9);
        fixture.entity(Method, "NodePostProccesor.retrieve", 10, 12).entity(Function, "retrieve", 50, 60);
        let found = meanings(&fixture.store(), name, hint, false, "").expect("a store in memory");
        let names: Vec<String> = found.targets.iter().map(|target| target.main().full_name()).collect();
        format!("{:?} {}", found.how, names.join(" "))
    }

    #[test]
    fn names_are_recognized_as_people_remember_them() {
        let class = "a.nodes.NodePostProccesor";
        assert_eq!(check("NodePostProccesor", None), format!("Some(Exact) {class}"));
        assert_eq!(check("nodepostproccesor", Some(Class)), format!("Some(Caseless) {class}"));
        assert_eq!(check("NodePostProcessor", None), format!("Some(Slip) {class}"));
        assert_eq!(
            check("check_relationships_of_retrieved_nodes", None),
            format!("Some(Underscores) {class}._check_relationships_of_retrieved_nodes")
        );
        assert_eq!(check("node_post_proccesor.retrieve", None), format!("Some(Underscores) {class}.retrieve"));
        assert_eq!(check("retrieve", None), format!("Some(Exact) {class}.retrieve a.nodes.retrieve"));
        assert_eq!(check("NodePostProcessor.retrieve", None), format!("Some(Slip) {class}.retrieve"));
        assert_eq!(check("nothing_like_it", None), "None ");
    }
}
