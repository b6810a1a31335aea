//! Whether the instances of a class are hashable, and why.
//!
//! Python takes the hash away from a class that defines `__eq__` and no `__hash__`, and so do `@dataclass` and attrs
//! unless they make one. A class that does neither has the hash of the first base that decides.

use std::collections::BTreeSet;

use crate::{
    facts::Bodies,
    model::{
        EntityId, EntityKind,
        conventions::{
            last_part,
            standard_classes::{HashRule, standard_class},
        },
    },
    query::{
        navigate::outside::WrittenBases,
        source::Sources,
        target::{bases, filter::FilterReader, lineage},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The decision of a class, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstanceHash {
    Has(String),
    Lacks(String),
    /// A base is not in the repository, or an argument of a decorator is computed.
    Unknown(String),
}

impl InstanceHash {
    fn agrees(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// The decision of a class or of its bases; `None` where it is left to `object`.
pub fn instance_hash(store: &Store, sources: &Sources, class: &Entity) -> Result<Option<InstanceHash>, StoreError> {
    hash_of(store, sources, class, "it", &mut BTreeSet::new())
}

/// The decision of a class that sentences call `name`.
fn hash_of(
    store: &Store,
    sources: &Sources,
    class: &Entity,
    name: &str,
    seen: &mut BTreeSet<EntityId>,
) -> Result<Option<InstanceHash>, StoreError> {
    if !seen.insert(class.id) {
        return Ok(None);
    }
    if let Some(own) = own_hash(store, sources, class, name)? {
        return Ok(Some(own));
    }
    let mut found: Option<(EntityId, InstanceHash)> = None;
    for base in bases(store, class.id)? {
        let Some(entity) = store.entity(base)? else { continue };
        let Some(other) = hash_of(store, sources, &entity, &format!("its base {}", named(&entity)), seen)? else {
            continue;
        };
        match &found {
            None => found = Some((base, other)),
            Some((_, first)) if first.agrees(&other) => {}
            // The first base decides, but for a base that both share.
            Some((first, _)) if !share_a_base(store, *first, base)? => {}
            Some(_) => {
                let why = format!("the bases of {} differ, and share a base", named(class));
                return Ok(Some(InstanceHash::Unknown(why)));
            }
        }
    }
    let mut found = found.map(|(_, hash)| hash);
    let written = WrittenBases::of(store, class)?;
    for base in written.outside.iter().chain(&written.unknown) {
        let Some(other) = outside_hash(base, name) else { continue };
        match &found {
            None => found = Some(other),
            Some(first) if first.agrees(&other) => {}
            Some(_) => {
                let why = format!("the bases of {} differ, one of them is `{base}`", named(class));
                return Ok(Some(InstanceHash::Unknown(why)));
            }
        }
    }
    Ok(found)
}

fn share_a_base(store: &Store, a: EntityId, b: EntityId) -> Result<bool, StoreError> {
    let (mut a_line, mut b_line) = (lineage(store, a)?, lineage(store, b)?);
    a_line.push(a);
    b_line.push(b);
    Ok(a_line.iter().any(|class| b_line.contains(class)))
}

/// The decision of the class itself.
fn own_hash(store: &Store, sources: &Sources, class: &Entity, name: &str) -> Result<Option<InstanceHash>, StoreError> {
    let members = store.children(class.id)?;
    let member = |wanted: &str| members.iter().rfind(|member| member.record.name == wanted);
    let place = |member: &Entity| format!("{}:{}", member.path, member.record.line);
    let (hash, eq) = (member("__hash__"), member("__eq__"));
    if let Some(generator) = Generator::of(store, class)? {
        let (has_hash, has_eq) = (hash.is_some(), eq.is_some() || member("__ne__").is_some());
        if let Some(generated) = generator.hash(store, class, name, (has_hash, has_eq))? {
            return Ok(Some(generated));
        }
    }
    if let Some(hash) = hash {
        let text = sources.line(&hash.path, hash.record.line).unwrap_or_default();
        let code = text.split('#').next().unwrap_or_default().trim();
        let is_none = hash.record.kind == EntityKind::Variable && code.ends_with("None") && code.contains('=');
        return Ok(Some(if is_none {
            InstanceHash::Lacks(format!("{name} sets `__hash__` to `None` ({})", place(hash)))
        } else {
            InstanceHash::Has(format!("{name} defines `__hash__` ({})", place(hash)))
        }));
    }
    Ok(eq.map(|eq| InstanceHash::Lacks(format!("{name} defines `__eq__` without `__hash__` ({})", place(eq)))))
}

/// A decorator that generates methods: `@dataclass`, `@attrs.define`.
struct Generator {
    /// As the source has it: `@attr.s`.
    shown: String,
    /// The last part of its name.
    last: String,
    is_attrs: bool,
    /// The arguments that it is given, with their expressions.
    arguments: Vec<(String, String)>,
}

impl Generator {
    fn of(store: &Store, class: &Entity) -> Result<Option<Self>, StoreError> {
        let record = &class.record;
        let Some(file) = store.file(class.file)? else { return Ok(None) };
        let bodies = store.bodies(&file.content_hash)?.and_then(|bytes| Bodies::decode(&bytes)).unwrap_or_default();
        for decorator in bodies.decorators_at((record.line, record.column)) {
            let last = last_part(&decorator.imported);
            let is_attrs = ["attr.", "attrs."].iter().any(|module| decorator.imported.starts_with(module))
                && matches!(last, "attributes" | "attrs" | "dataclass" | "define" | "frozen" | "mutable" | "s");
            if !is_attrs && last != "dataclass" {
                continue;
            }
            let written = record.decorators.iter().find(|text| text.starts_with(&decorator.path));
            let written: String = written.map_or("", String::as_str).split_whitespace().collect();
            let arguments = written.split(['(', ',', ')']).filter_map(|one| one.split_once('='));
            return Ok(Some(Self {
                shown: format!("`@{}`", decorator.path),
                last: last.to_owned(),
                is_attrs,
                arguments: arguments.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            }));
        }
        Ok(None)
    }

    /// Whether an argument is given so.
    fn is(&self, argument: &str, wanted: &str) -> bool {
        self.arguments.iter().any(|(name, value)| name == argument && value == wanted)
    }

    /// Whether the newer interface of attrs is meant, whose defaults differ.
    fn is_new(&self) -> bool {
        self.is_attrs && matches!(self.last.as_str(), "define" | "frozen" | "mutable")
    }

    /// Whether an argument of attrs that the newer interface has by default is set.
    fn is_on(&self, argument: &str) -> bool {
        self.is(argument, "True") || self.is_new() && !self.is(argument, "False")
    }

    fn is_frozen(&self) -> bool {
        self.is("frozen", "True") || self.last == "frozen" && !self.is("frozen", "False")
    }

    /// Its effect on the hash of a class, which defines `__hash__` and `__eq__` itself or does not. `None` where it
    /// leaves the hash alone.
    fn hash(
        &self,
        store: &Store,
        class: &Entity,
        name: &str,
        (has_hash, has_eq): (bool, bool),
    ) -> Result<Option<InstanceHash>, StoreError> {
        let shown = &self.shown;
        // `auto_detect` keeps what the class defines, and `auto_exc` leaves exceptions alone.
        let keeps_own = !self.is_attrs || self.is_on("auto_detect");
        let is_left = self.is_attrs && self.is_on("auto_exc") && FilterReader::new(store)?.is_exception(class)?;
        if has_hash && keeps_own || is_left {
            return Ok(None);
        }
        let known: &[&str] = if self.is_attrs {
            &["eq", "frozen", "unsafe_hash", "hash", "cmp", "auto_detect", "slots"]
        } else {
            &["eq", "frozen", "unsafe_hash"]
        };
        let is_open = |(name, value): &&(String, String)| {
            known.contains(&name.as_str()) && !matches!(value.as_str(), "True" | "False" | "None")
        };
        if let Some((open, _)) = self.arguments.iter().find(is_open) {
            return Ok(Some(InstanceHash::Unknown(format!("{shown} of {} takes a computed `{open}`", named(class)))));
        }
        let is_hash = |wanted: &str| self.is("unsafe_hash", wanted) || self.is_attrs && self.is("hash", wanted);
        let is_denied = self.is("eq", "False") || self.is_attrs && self.is("cmp", "False");
        let is_own = self.is_attrs && keeps_own && has_eq && !self.is("eq", "True");
        let is_equal = !is_denied && !is_own;
        let is_frozen = self.is_frozen() || self.is_attrs && has_frozen_base(store, class)?;
        let place = format!("{}:{}", class.path, class.record.start_line);
        let made = format!("{shown} gives {name} the hash of its fields, which must be hashable ({place})");
        // Python takes the hash away from the new class that `slots` makes.
        let is_slotted = self.is_attrs && self.is_on("slots");
        Ok(match () {
            () if is_hash("True") => Some(InstanceHash::Has(made)),
            () if !is_equal || is_hash("False") && self.is_attrs && !is_slotted => None,
            () if is_frozen && !(self.is_attrs && is_hash("False")) => Some(InstanceHash::Has(made)),
            () => {
                let why = format!("{shown} gives {name} an `__eq__`, and is neither frozen nor makes a hash ({place})");
                Some(InstanceHash::Lacks(why))
            }
        })
    }
}

/// Whether a base is a class that attrs freezes, and the classes below it with it.
fn has_frozen_base(store: &Store, class: &Entity) -> Result<bool, StoreError> {
    for base in lineage(store, class.id)? {
        let Some(base) = store.entity(base)? else { continue };
        if Generator::of(store, &base)?.is_some_and(|generator| generator.is_attrs && generator.is_frozen()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The decision of a base that is not in the repository; `None` where it decides nothing.
fn outside_hash(base: &str, name: &str) -> Option<InstanceHash> {
    let of = format!("{name} derives from `{base}`, which is");
    match standard_class(base).map(|class| class.hash) {
        Some(HashRule::Neutral) => None,
        Some(HashRule::Hashable) => Some(InstanceHash::Has(format!("{of} hashable"))),
        Some(HashRule::Unhashable) => Some(InstanceHash::Lacks(format!("{of} not hashable"))),
        None => Some(InstanceHash::Unknown(format!("{of} not in the repository"))),
    }
}

fn named(class: &Entity) -> String {
    format!("`{}`", class.full_name())
}
