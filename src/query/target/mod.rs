//! From the text that a person types to a definition.
//!
//! The text is a name (`pkg.mod.Class.method` or a suffix), a place (`file.py:12`), a file, or a test id of pytest. The
//! answer is one definition, several candidates, or the names most like it. [`likeliest`] chooses among candidates; no
//! choice is made silently.

pub mod described;
pub mod exported;
pub mod filter;
pub mod imported;
pub mod likeliest;
pub mod origins;
pub mod packages;
pub mod spelling;

use std::{cmp::Reverse, collections::BTreeMap};

use self::{
    likeliest::{is_aside, is_of_program},
    spelling::without_underscores,
};
use crate::{
    model::{EntityFlags, EntityId, EntityKind, FileId, RelationshipKind},
    store::{Store, error::StoreError, read::Entity},
};

/// Most names proposed for an unknown one.
const MAX_PROPOSALS: usize = 5;
/// Names longer than this are not compared with all others.
const MAX_COMPARED: usize = 200;

/// Names with fewer letters may differ in an underscore and mean another thing.
const SHORTEST_RESPELLED: usize = 5;
/// Least similarity of a proposed name.
const LEAST_LIKENESS: f64 = 0.82;
/// Names that a hint names, their least length, and their least likeness.
const MAX_NEARBY: usize = 3;
const LEAST_NEARBY: usize = 4;
const NEARBY: f64 = 0.82;
/// Jaro-Winkler favors names with a common beginning: its value may exceed the one by edit distance by so much.
const EDITED: f64 = 0.4;

/// One definition that can change. One name may have several entities in a file (overloads, a property with its setter,
/// `if`/`else`): they are one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Not empty; in the order of the file.
    pub entities: Vec<Entity>,
    /// The class that was named, when the member is inherited from another one.
    pub inherited_by: Option<String>,
}

impl Target {
    /// A target of these definitions, at least one.
    pub fn of(entities: Vec<Entity>) -> Self {
        Self { entities, inherited_by: None }
    }

    /// The first definition, which stands for all of them.
    pub fn main(&self) -> &Entity {
        &self.entities[0]
    }

    /// The definition whose body runs: overloads have none, and the one that implements them comes last.
    pub fn implementation(&self) -> &Entity {
        let main = self.main();
        if !main.record.flags.has(EntityFlags::OVERLOAD) {
            return main;
        }
        self.entities.iter().rfind(|entity| !entity.record.flags.has(EntityFlags::OVERLOAD)).unwrap_or(main)
    }
}

/// The definition whose body runs where this one is an overload; else itself.
pub(crate) fn implementation(store: &Store, entity: Entity) -> Result<Entity, StoreError> {
    if !entity.record.flags.has(EntityFlags::OVERLOAD) {
        return Ok(entity);
    }
    let mut namesakes = store.entities_of(entity.file)?;
    namesakes.retain(|other| other.record.qualified == entity.record.qualified);
    let found = namesakes.into_iter().rfind(|other| !other.record.flags.has(EntityFlags::OVERLOAD));
    Ok(found.unwrap_or(entity))
}

/// The class or callable that a variable only gives another name: `s = attrs`.
pub fn aliased(store: &Store, target: &Target) -> Result<Option<Target>, StoreError> {
    let main = target.main();
    if main.record.kind != EntityKind::Variable {
        return Ok(None);
    }
    let mut found = Vec::new();
    for relationship in store.outgoing(main.id)? {
        if relationship.kind == RelationshipKind::References && relationship.line == main.record.line {
            found.extend(store.entity(relationship.target)?);
        }
    }
    // `register = Hooks.before` refers to the class too.
    let names: Vec<String> = found.iter().map(Entity::full_name).collect();
    found.retain(|entity| !names.iter().any(|name| name.starts_with(&format!("{}.", entity.full_name()))));
    let is_meant = |entity: &Entity| entity.record.kind == EntityKind::Class || entity.record.kind.is_callable();
    Ok(match found.as_slice() {
        [one] if is_meant(one) => Some(Target::of(vec![one.clone()])),
        _ => None,
    })
}

/// The result of a look-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetMatch {
    Found(Target),
    /// Several definitions have this name.
    Ambiguous(Vec<Entity>),
    /// No definition has this name; these names are similar.
    Unknown(Vec<Entity>),
}

/// Finds the definition that `text` means. `folder` is the user's folder, relative to the repository's root (`""` or
/// `a/b`).
pub fn look_up(store: &Store, text: &str, folder: &str) -> Result<TargetMatch, StoreError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(TargetMatch::Unknown(Vec::new()));
    }
    match known(store, text, folder)? {
        Some(found) => Ok(found),
        None => Ok(TargetMatch::Unknown(proposals(store, numbered(text).0)?)),
    }
}

/// The name, and which of its definitions: `f@2`.
fn numbered(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once('@') {
        Some((name, number)) if number.parse::<u32>().is_ok_and(|n| n > 0) => {
            (name, number.parse::<u32>().ok().map(|n| n - 1))
        }
        _ => (text, None),
    }
}

/// The definition that `text` means, if any; similar names are not searched.
pub fn known(store: &Store, text: &str, folder: &str) -> Result<Option<TargetMatch>, StoreError> {
    if let Some(found) = by_place(store, text, folder)? {
        return Ok(Some(found));
    }
    let (name, duplicate) = numbered(text);
    let last = name.rsplit('.').next().expect("rsplit yields at least one part");
    let mut named = store.entities_named(last, false)?;
    let modules = store.modules()?;
    named.extend(modules_called(store, &modules, name)?);
    // Not by id alone: an update may give an earlier definition a later id.
    named.sort_by(|a, b| (&a.path, a.record.line, a.id).cmp(&(&b.path, b.record.line, b.id)));
    named.dedup_by_key(|entity| entity.id);
    named.retain(|entity| duplicate.is_none_or(|duplicate| entity.record.duplicate == duplicate));
    // From strict to loose: an exact name must win over names that only end with it.
    let accepted = |accept: fn(&str, &str) -> bool| -> Vec<Entity> {
        named.iter().filter(|entity| accept(&plain_name(entity), name)).cloned().collect()
    };
    let mut matching = accepted(is_full_name);
    if matching.is_empty() {
        // A module that imports the name comes before one whose name only ends so, as that of a stub file may.
        matching = exported::exported(store, &modules, name)?;
        matching.retain(|entity| duplicate.is_none_or(|duplicate| entity.record.duplicate == duplicate));
    }
    for accept in [is_suffix, is_public_path] {
        if matching.is_empty() {
            matching = accepted(accept);
        }
    }
    if !matching.is_empty() {
        return Ok(Some(grouped(matching)));
    }
    // Folders are no part of a module's name, so they come after all names.
    named.retain(|entity| is_below_folders(entity, name));
    if !named.is_empty() {
        return Ok(Some(grouped(named)));
    }
    if let Some(found) = inherited_member(store, name)? {
        return Ok(Some(found));
    }
    // Python distinguishes case, so names that differ in it come last.
    let lower = name.to_lowercase();
    let mut caseless = store.entities_named(last, true)?;
    caseless.retain(|entity| is_suffix(&plain_name(entity).to_lowercase(), &lower));
    Ok((!caseless.is_empty()).then(|| grouped(caseless)))
}

/// The definitions whose name differs from `text` in underscores and case alone, where they share one name; also that
/// name, in place of the last part of `text`.
pub fn respelled(store: &Store, text: &str) -> Result<Option<(String, TargetMatch)>, StoreError> {
    let (name, _) = numbered(text.trim());
    let (above, last) = name.rsplit_once('.').map_or(("", name), |(above, last)| (above, last));
    let bare = without_underscores(last);
    if bare.chars().count() < SHORTEST_RESPELLED || !last.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Ok(None);
    }
    let mut found = None;
    // A leading underscore says that a name is private, which is another name.
    let begins = |name: &str| name.len() - name.trim_start_matches('_').len();
    let is_alike =
        |other: &String| other != last && begins(other) == begins(last) && without_underscores(other) == bare;
    for alike in store.names()?.into_iter().filter(is_alike) {
        let full = if above.is_empty() { alike } else { format!("{above}.{alike}") };
        if let Some(meant) = known(store, &full, "")? {
            // Of two names neither is surely meant.
            if found.replace((full, meant)).is_some() {
                return Ok(None);
            }
        }
    }
    Ok(found)
}

/// The modules whose dotted name ends with `name`, or is the end of it.
fn modules_called(store: &Store, modules: &[(FileId, String)], name: &str) -> Result<Vec<Entity>, StoreError> {
    let mut found = Vec::new();
    for (file, module) in modules {
        if is_suffix(module, name) || is_suffix(name, module) {
            found.extend(store.entities_of(*file)?.into_iter().find(|entity| entity.record.qualified.is_empty()));
        }
    }
    Ok(found)
}

/// The name without the number of a duplicate.
fn plain_name(entity: &Entity) -> String {
    match entity.record.qualified.as_str() {
        "" => entity.module.clone(),
        qualified => format!("{}.{qualified}", entity.module),
    }
}

fn is_full_name(full: &str, name: &str) -> bool {
    full == name
}

/// Whether a dotted name is `name`, or ends with it after a dot.
pub(crate) fn is_suffix(full: &str, name: &str) -> bool {
    full.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Whether a dotted name goes on behind `outer`: `a.b` is below `a`, and `ab` is not.
pub(crate) fn is_below(name: &str, outer: &str) -> bool {
    name.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
}

/// `space.pkg.mod.f` for `pkg.mod.f` in `src/space/pkg/mod.py`. The name begins with the folders above the package, as
/// in imports from a package without `__init__.py`.
fn is_below_folders(entity: &Entity, name: &str) -> bool {
    let path = entity.path.strip_suffix(".py").unwrap_or(&entity.path);
    let module = path.strip_suffix("/__init__").unwrap_or(path).replace('/', ".");
    let full = match entity.record.qualified.as_str() {
        "" => module,
        qualified => format!("{module}.{qualified}"),
    };
    is_suffix(&full, name)
}

/// `flask.Flask` for `flask.app.Flask`: the name under which a package re-exports the definition.
pub(super) fn is_public_path(full: &str, name: &str) -> bool {
    let mut parts = full.split('.').skip_while(|part| Some(*part) != name.split('.').next());
    name.contains('.') && name.split('.').all(|wanted| parts.any(|part| part == wanted))
}

/// One target when all entities are definitions of one name in one file; an ambiguity otherwise.
fn grouped(entities: Vec<Entity>) -> TargetMatch {
    let mut groups: BTreeMap<(String, String), Vec<Entity>> = BTreeMap::new();
    for entity in entities {
        groups.entry((entity.path.clone(), entity.record.qualified.clone())).or_default().push(entity);
    }
    if groups.len() == 1 {
        let mut entities = groups.into_values().next().expect("there is one group");
        entities.sort_by_key(|entity| entity.record.duplicate);
        return TargetMatch::Found(Target { entities, inherited_by: None });
    }
    let mut candidates: Vec<Entity> = groups.into_values().filter_map(|group| group.into_iter().next()).collect();
    candidates.sort_by_key(|entity| (plain_name(entity), entity.path.clone()));
    TargetMatch::Ambiguous(candidates)
}

/// `Class.member` where a base class defines the member. Several classes of the name may inherit different ones.
fn inherited_member(store: &Store, name: &str) -> Result<Option<TargetMatch>, StoreError> {
    let Some((class_name, member)) = name.rsplit_once('.') else { return Ok(None) };
    let last = class_name.rsplit('.').next().expect("rsplit yields at least one part");
    let mut classes = store.entities_named(last, false)?;
    classes.retain(|entity| is_suffix(&plain_name(entity), class_name));
    if classes.is_empty() && class_name.contains('.') {
        // `httpx.Client` is `httpx._client.Client`.
        classes = exported::exported(store, &store.modules()?, class_name)?;
    }
    for class in &mut classes {
        // `URL = Url` gives the class another name.
        if let Some(meant) = aliased(store, &Target::of(vec![class.clone()]))? {
            class.clone_from(meant.main());
        }
    }
    classes.retain(|entity| entity.record.kind == EntityKind::Class);
    if classes.len() > 1 {
        // Tests like to name a class as the program does.
        let mut own = Vec::new();
        for class in classes {
            own.extend(is_of_program(store, class.file)?.then_some(class));
        }
        classes = own;
    }
    let mut found: Vec<(usize, Target)> = Vec::new();
    for class in &classes {
        let above = lineage(store, class.id)?;
        let height = above.len();
        for owner in [vec![class.id], above].concat() {
            let mut entities = store.children(owner)?;
            entities.retain(|entity| entity.record.name == member);
            if !entities.is_empty() {
                found.push((height, Target { entities, inherited_by: Some(plain_name(class)) }));
                break;
            }
        }
    }
    // Of classes that inherit one definition, the most derived one is named.
    found.sort_by_key(|(height, target)| (Reverse(*height), target.inherited_by.clone()));
    let mut targets: Vec<Target> = Vec::new();
    for (_, target) in found {
        if targets.iter().all(|known| known.main().id != target.main().id) {
            targets.push(target);
        }
    }
    Ok(match targets.as_slice() {
        [] => None,
        [one] => Some(TargetMatch::Found(one.clone())),
        several => Some(grouped(several.iter().flat_map(|target| target.entities.clone()).collect())),
    })
}

/// Direct bases of a class that are in the repository, as written.
pub(crate) fn bases(store: &Store, class: EntityId) -> Result<Vec<EntityId>, StoreError> {
    let mut inherits = store.outgoing(class)?;
    inherits.retain(|relationship| relationship.kind == RelationshipKind::Inherits && relationship.source == class);
    inherits.sort_by_key(|relationship| (relationship.line, relationship.column, relationship.target));
    let mut bases: Vec<EntityId> = inherits.into_iter().map(|relationship| relationship.target).collect();
    bases.dedup();
    Ok(bases)
}

/// The bases of a class and theirs, the nearest first, each once.
pub(crate) fn lineage(store: &Store, class: EntityId) -> Result<Vec<EntityId>, StoreError> {
    let mut lineage = vec![class];
    let mut next = 0;
    while let Some(class) = lineage.get(next).copied() {
        next += 1;
        for base in bases(store, class)? {
            if !lineage.contains(&base) {
                lineage.push(base);
            }
        }
    }
    lineage.remove(0);
    Ok(lineage)
}

/// `file.py`, `file.py:12`, `file.py:12:4` and `file.py::Class::test_name[parameters]`.
fn by_place(store: &Store, text: &str, folder: &str) -> Result<Option<TargetMatch>, StoreError> {
    if let Some((path, rest)) = text.split_once("::") {
        let qualified = rest.split('[').next().unwrap_or(rest).replace("::", ".");
        let files = files_at(store, path, folder)?;
        let mut found = store.entities_named(qualified.rsplit('.').next().unwrap_or_default(), false)?;
        found.retain(|entity| files.contains(&entity.file) && entity.record.qualified == qualified);
        found.sort_by(|a, b| (&a.path, a.record.line, a.id).cmp(&(&b.path, b.record.line, b.id)));
        return Ok((!found.is_empty()).then(|| grouped(found)));
    }
    let (path, line) = split_line(text);
    if line.is_none() && !text.contains('/') && !has_source_suffix(text) {
        return Ok(None);
    }
    let mut found = Vec::new();
    for file in files_at(store, path, folder)? {
        let entities = store.entities_of(file)?;
        found.extend(line.map_or_else(|| entities.first(), |line| innermost(&entities, line)).cloned());
    }
    Ok((!found.is_empty()).then(|| grouped(found)))
}

/// The innermost definition around `line`. Attributes set on an instance are left out: their line is part of a method.
pub(crate) fn innermost(entities: &[Entity], line: u32) -> Option<&Entity> {
    let holds = |entity: &&Entity| {
        let record = &entity.record;
        let is_attribute = record.flags.has(EntityFlags::INSTANCE_ATTRIBUTE);
        !is_attribute && (record.start_line..=record.end_line).contains(&line)
    };
    let size = |entity: &&Entity| {
        if entity.record.qualified.is_empty() { u32::MAX } else { entity.record.end_line - entity.record.start_line }
    };
    entities.iter().filter(holds).min_by_key(size)
}

/// The files that a path means: the file with this path, seen from `folder` or the root, else all files whose path ends
/// with it.
fn files_at(store: &Store, path: &str, folder: &str) -> Result<Vec<FileId>, StoreError> {
    let path = path.strip_prefix("./").unwrap_or(path);
    for candidate in [joined(folder, path), path.to_owned()] {
        if let Some(file) = store.file_id(&candidate)? {
            return Ok(vec![file]);
        }
    }
    let ending = format!("/{path}");
    let files = store.files()?;
    Ok(files.into_iter().filter(|(_, record)| record.path.ends_with(&ending)).map(|(id, _)| id).collect())
}

/// `path` seen from `folder`, with each `..` resolved.
fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a text ends as the name of a file of Python does.
pub fn has_source_suffix(text: &str) -> bool {
    [".py", ".pyi", ".pyx"].iter().any(|suffix| text.ends_with(suffix))
}

/// `a.py:12:4` as the path and the line.
fn split_line(text: &str) -> (&str, Option<u32>) {
    let Some((head, tail)) = text.rsplit_once(':') else { return (text, None) };
    let Ok(number) = tail.parse() else { return (text, None) };
    match head.rsplit_once(':') {
        Some((path, line)) if line.parse::<u32>().is_ok() => (path, line.parse().ok()),
        _ => (head, Some(number)),
    }
}

/// The entities whose names are most like `name`.
fn proposals(store: &Store, name: &str) -> Result<Vec<Entity>, StoreError> {
    let wanted = name.to_lowercase();
    let wanted_last = wanted.rsplit('.').next().unwrap_or(&wanted);
    if name.len() > MAX_COMPARED || wanted_last.is_empty() {
        return Ok(Vec::new());
    }
    let mut scored: Vec<(f64, String)> = Vec::new();
    for candidate in store.names()? {
        let lower = candidate.to_lowercase();
        // Most names share no beginning with it and need no second measure.
        if !may_be_alike(wanted_last, &lower) {
            continue;
        }
        let fit = likeness(wanted_last, &lower);
        if fit > LEAST_LIKENESS && is_slip(wanted_last, &lower) {
            scored.push((fit, candidate));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.truncate(MAX_PROPOSALS * 2);
    let mut found: Vec<(f64, String, Entity)> = Vec::new();
    for (fit, simple) in scored {
        for entity in store.entities_named(&simple, false)? {
            if entity.record.duplicate > 0 {
                continue;
            }
            let full = plain_name(&entity);
            let whole = if wanted.contains('.') { tail_likeness(&wanted, &full.to_lowercase()) } else { 0.0 };
            found.push((fit + whole, full, entity));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    Ok(found.into_iter().take(MAX_PROPOSALS).map(|(.., entity)| entity).collect())
}

/// The names that share most of their words with `name`, for a hint: full names, the likeliest first.
pub fn nearby(store: &Store, name: &str) -> Result<Vec<String>, StoreError> {
    let wanted = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    if name.len() > MAX_COMPARED || wanted.len() < LEAST_NEARBY {
        return Ok(Vec::new());
    }
    let mut scored: Vec<(f64, String)> = store
        .names()?
        .into_iter()
        .filter_map(|candidate| {
            let lower = candidate.to_lowercase();
            // A short word inside a long one says little about it.
            let is_most = wanted.contains(&lower) && lower.len() * 2 >= wanted.len();
            let is_part = lower.len() >= LEAST_NEARBY && (lower.contains(&wanted) || is_most);
            let fit = strsim::jaro_winkler(&wanted, &lower) + if is_part { 1.0 } else { 0.0 };
            (is_part || fit > NEARBY).then_some((fit, candidate))
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut names = Vec::new();
    for (_, simple) in scored.into_iter().take(MAX_NEARBY) {
        let named = store.entities_named(&simple, false)?;
        // Not by id: ids tell the index's history.
        let first = named.iter().min_by_key(|entity| (is_aside(&entity.path), &entity.path, entity.record.line));
        names.extend(first.map(Entity::full_name));
    }
    Ok(names)
}

/// Whether two names can be alike enough to be proposed.
fn may_be_alike(wanted: &str, candidate: &str) -> bool {
    strsim::jaro_winkler(wanted, candidate) > LEAST_LIKENESS || wanted.trim_matches('_') == candidate.trim_matches('_')
}

/// Similarity of two names, 0..=1; underscores around a name do not count.
fn likeness(wanted: &str, candidate: &str) -> f64 {
    if wanted.trim_matches('_') == candidate.trim_matches('_') {
        return 1.0;
    }
    strsim::jaro_winkler(wanted, candidate).min(EDITED + strsim::normalized_damerau_levenshtein(wanted, candidate))
}

/// Whether `wanted` may be a slip of `candidate`: a few wrong letters, or a part of its words.
fn is_slip(wanted: &str, candidate: &str) -> bool {
    let (wanted, candidate) = (wanted.trim_matches('_'), candidate.trim_matches('_'));
    let limit = match wanted.chars().count() {
        0..3 => 0,
        3..9 => 1,
        9..16 => 2,
        _ => 3,
    };
    let has_words =
        |long: &str, short: &str| short.contains('_') && format!("_{long}_").contains(&format!("_{short}_"));
    strsim::damerau_levenshtein(wanted, candidate) <= limit
        || has_words(candidate, wanted)
        || has_words(wanted, candidate)
}

/// The class or module before the last dot, if it is one.
pub fn owner(store: &Store, text: &str, folder: &str) -> Result<Option<Target>, StoreError> {
    let Some((owner, _)) = text.trim().rsplit_once('.').filter(|_| !text.contains(['/', ':'])) else { return Ok(None) };
    let holds = |target: &Target| matches!(target.main().record.kind, EntityKind::Class | EntityKind::Module);
    Ok(match known(store, owner, folder)? {
        Some(TargetMatch::Found(target)) if !has_source_suffix(text) => Some(target).filter(holds),
        _ => None,
    })
}

/// The path and the line in a text: `app.py:12`, `docs/a.md`.
pub fn place(text: &str) -> Option<(&str, Option<u32>)> {
    let (path, line) = split_line(text);
    (line.is_some() || text.contains('/') || has_source_suffix(text)).then_some((path, line))
}

/// Mean similarity of the parts before the last one, compared from the end of both names.
fn tail_likeness(wanted: &str, full: &str) -> f64 {
    let wanted: Vec<&str> = wanted.split('.').collect();
    let full: Vec<&str> = full.split('.').collect();
    let pairs = wanted.iter().rev().zip(full.iter().rev()).skip(1);
    let fitting: f64 = pairs.map(|(a, b)| strsim::jaro_winkler(a, b)).sum();
    let count = u32::try_from(wanted.len() - 1).unwrap_or(u32::MAX);
    fitting / f64::from(count.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Basis, EntityKind::*},
        query::fixture::Fixture,
    };

    fn store() -> Store {
        let mut fixture = Fixture::default();
        fixture.file("src/shop/app.py", "shop.app");
        fixture.entity(Class, "Base", 1, 9).entity(Method, "Base.run", 2, 4).entity(Property, "Base.size", 5, 6);
        fixture.entity(Property, "Base.size", 7, 8);
        fixture.entity(Class, "Shop", 10, 30).entity(Method, "Shop.open", 12, 20);
        fixture.entity(Function, "Shop.open.inner", 14, 16);
        fixture.file("src/shop/cart.py", "shop.cart").entity(Class, "Cart", 1, 30).entity(Method, "Cart.open", 5, 9);
        fixture.file("tests/test_cart.py", "tests.test_cart").entity(Class, "TestCart", 1, 9);
        fixture.entity(Method, "TestCart.test_open", 2, 4);
        fixture.edge("shop.app.Shop", RelationshipKind::Inherits, "shop.app.Base", 10, Basis::Scope);
        fixture.store()
    }

    fn check(text: &str, folder: &str) -> String {
        let names = |entities: &[Entity]| entities.iter().map(Entity::full_name).collect::<Vec<_>>().join(" ");
        match look_up(&store(), text, folder).expect("a store in memory") {
            TargetMatch::Found(target) => names(&target.entities),
            TargetMatch::Ambiguous(candidates) => format!("ambiguous: {}", names(&candidates)),
            TargetMatch::Unknown(proposals) => format!("unknown: {}", names(&proposals)),
        }
    }

    #[test]
    fn a_unique_suffix_is_enough() {
        assert_eq!(check("shop.app.Shop.open", ""), "shop.app.Shop.open");
        assert_eq!(check("Cart.open", ""), "shop.cart.Cart.open");
        assert_eq!(check("inner", ""), "shop.app.Shop.open.inner");
        assert_eq!(check("shop.Cart", ""), "shop.cart.Cart", "the name a package re-exports");
    }

    #[test]
    fn several_definitions_are_listed() {
        assert_eq!(check("open", ""), "ambiguous: shop.app.Shop.open shop.cart.Cart.open");
    }

    #[test]
    fn getter_and_setter_are_one_target() {
        assert_eq!(check("Base.size", ""), "shop.app.Base.size shop.app.Base.size@2");
        assert_eq!(check("shop.app.Base.size@2", ""), "shop.app.Base.size@2");
    }

    #[test]
    fn members_are_found_in_base_classes() {
        assert_eq!(check("Shop.run", ""), "shop.app.Base.run");
    }

    #[test]
    fn a_class_of_a_test_does_not_hide_what_the_program_inherits() {
        let mut fixture = Fixture::default();
        fixture.file("app.py", "app").entity(Class, "Base", 1, 9).entity(Method, "Base.run", 2, 4);
        fixture.entity(Class, "Shop", 10, 30);
        fixture.file("tests/test_app.py", "tests.test_app").entity(Class, "Shop", 1, 9);
        fixture.edge("app.Shop", RelationshipKind::Inherits, "app.Base", 10, Basis::Scope);
        let found = look_up(&fixture.store(), "Shop.run", "").expect("a store in memory");
        assert!(matches!(found, TargetMatch::Found(target) if target.main().full_name() == "app.Base.run"));
    }

    #[test]
    fn lines_mean_the_innermost_definition() {
        assert_eq!(check("src/shop/app.py:15", ""), "shop.app.Shop.open.inner");
        assert_eq!(check("src/shop/app.py:12:4", ""), "shop.app.Shop.open");
        assert_eq!(check("cart.py:6", ""), "shop.cart.Cart.open");
        assert_eq!(check("../shop/app.py:25", "src/shop"), "shop.app.Shop");
        assert_eq!(check("src/shop/app.py:90", ""), "shop.app");
        assert_eq!(check("src/shop/app.py:101", ""), "unknown: ", "behind the end of the file");
        assert_eq!(check("src/shop/app.py", ""), "shop.app");
    }

    #[test]
    fn test_ids_of_pytest_are_understood() {
        assert_eq!(check("tests/test_cart.py::TestCart::test_open[a-b]", ""), "tests.test_cart.TestCart.test_open");
    }

    #[test]
    fn case_is_forgiven_when_nothing_else_fits() {
        assert_eq!(check("CART.open", ""), "shop.cart.Cart.open");
    }

    #[test]
    fn names_from_outside_get_none() {
        assert_eq!(check("opening", ""), "unknown: ");
        assert_eq!(check("os.path.opened", ""), "unknown: ");
        assert_eq!(check(".", ""), "unknown: ");
    }

    #[test]
    fn unknown_names_get_proposals() {
        assert_eq!(check("Crt.open", ""), "unknown: shop.cart.Cart.open shop.app.Shop.open");
        assert_eq!(check("_inner", ""), "unknown: shop.app.Shop.open.inner");
        assert_eq!(check("zzz", ""), "unknown: ");
        assert_eq!(check("", ""), "unknown: ");
        assert_eq!(check(&"a".repeat(5000), ""), "unknown: ");
    }
}
