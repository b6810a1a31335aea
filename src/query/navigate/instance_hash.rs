//! Whether the instances of a class are hashable, and why.
//!
//! Python takes the hash away from a class that defines `__eq__` and no `__hash__`, and so do `@dataclass` and attrs
//! unless they make one. A class that does neither has the hash of the first base that decides.

use std::collections::BTreeSet;

use crate::{
    facts::Bodies,
    model::{EntityId, EntityKind, conventions::last_part},
    query::{
        navigate::outside::WrittenBases,
        source::Sources,
        target::{bases, lineage},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Classes of Python that are not hashable, by their last names.
const UNHASHABLE: [&str; 20] = [
    "Counter",
    "DefaultDict",
    "Dict",
    "List",
    "Mapping",
    "MutableMapping",
    "MutableSet",
    "OrderedDict",
    "Set",
    "SimpleNamespace",
    "TypedDict",
    "UserDict",
    "UserList",
    "array",
    "bytearray",
    "defaultdict",
    "deque",
    "dict",
    "list",
    "set",
];
/// Classes of Python that are hashable, by their last names; exceptions are too.
const HASHABLE: [&str; 23] = [
    "Decimal",
    "Enum",
    "Flag",
    "Fraction",
    "IntEnum",
    "IntFlag",
    "NamedTuple",
    "Path",
    "PurePath",
    "StrEnum",
    "Thread",
    "Tuple",
    "UserString",
    "bytes",
    "complex",
    "date",
    "datetime",
    "float",
    "frozenset",
    "int",
    "str",
    "tuple",
    "type",
];
/// Bases that leave the question to others.
const NEUTRAL: [&str; 6] = ["ABC", "Generic", "Iterable", "Iterator", "Protocol", "object"];
/// Modules whose classes the lists above name.
const MODULES: [&str; 14] = [
    "abc",
    "array",
    "builtins",
    "collections",
    "collections.abc",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "pathlib",
    "threading",
    "types",
    "typing",
    "typing_extensions",
];

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
    if let Some(hash) = member("__hash__") {
        let text = sources.line(&hash.path, hash.record.line).unwrap_or_default();
        let code = text.split('#').next().unwrap_or_default().trim();
        let is_none = hash.record.kind == EntityKind::Variable && code.ends_with("None") && code.contains('=');
        return Ok(Some(if is_none {
            InstanceHash::Lacks(format!("{name} sets `__hash__` to `None` ({})", place(hash)))
        } else {
            InstanceHash::Has(format!("{name} defines `__hash__` ({})", place(hash)))
        }));
    }
    if let Some(generated) = generated_hash(store, class, name)? {
        return Ok(Some(generated));
    }
    Ok(member("__eq__")
        .map(|eq| InstanceHash::Lacks(format!("{name} defines `__eq__` without `__hash__` ({})", place(eq)))))
}

/// The decision of a decorator that generates methods: `@dataclass`, `@attrs.define`.
fn generated_hash(store: &Store, class: &Entity, name: &str) -> Result<Option<InstanceHash>, StoreError> {
    let record = &class.record;
    let Some(file) = store.file(class.file)? else { return Ok(None) };
    let bodies = store.bodies(&file.content_hash)?.and_then(|bytes| Bodies::decode(&bytes)).unwrap_or_default();
    for decorator in bodies.decorators_at((record.line, record.column)) {
        let last = last_part(&decorator.imported);
        let is_attrs = ["attr.", "attrs."].iter().any(|module| decorator.imported.starts_with(module));
        let is_generator = last == "dataclass"
            || is_attrs && matches!(last, "attributes" | "attrs" | "define" | "frozen" | "mutable" | "s");
        if !is_generator {
            continue;
        }
        let written = record.decorators.iter().find(|text| text.starts_with(&decorator.path));
        let written: String = written.map_or("", String::as_str).split_whitespace().collect();
        let value = |argument: &str| {
            let mut arguments = written.split(['(', ',', ')']).filter_map(|one| one.split_once('='));
            arguments.find(|(name, _)| *name == argument).map(|(_, value)| value.to_owned())
        };
        let is = |argument: &str, wanted: &str| value(argument).is_some_and(|value| value == wanted);
        let shown = format!("`@{}`", decorator.path);
        let makes = [("unsafe_hash", true), ("hash", is_attrs)];
        let arguments = ["eq", "frozen", "unsafe_hash", "hash", "cmp"];
        let is_open = |one: &str| value(one).is_some_and(|value| !matches!(value.as_str(), "True" | "False" | "None"));
        if let Some(open) = arguments.iter().find(|one| is_open(one)) {
            return Ok(Some(InstanceHash::Unknown(format!("{shown} of {} takes a computed `{open}`", named(class)))));
        }
        let is_made = makes.iter().any(|(argument, is_known)| *is_known && is(argument, "True"));
        let is_kept = is_attrs && (is("hash", "False") || is("unsafe_hash", "False"));
        let is_equal = !is("eq", "False") && !is("cmp", "False");
        let is_frozen = !is("frozen", "False") && (last == "frozen" || is("frozen", "True"));
        let place = format!("{}:{}", class.path, record.start_line);
        return Ok(match (is_made || is_equal && is_frozen, is_equal && !is_kept) {
            (true, _) => {
                let why = format!("{shown} gives {name} the hash of its fields, which must be hashable ({place})");
                Some(InstanceHash::Has(why))
            }
            (false, true) => {
                let why = format!("{shown} gives {name} an `__eq__`, and is neither frozen nor makes a hash ({place})");
                Some(InstanceHash::Lacks(why))
            }
            (false, false) => None,
        });
    }
    Ok(None)
}

/// The decision of a base that is not in the repository; `None` where it decides nothing.
fn outside_hash(base: &str, name: &str) -> Option<InstanceHash> {
    let last = last_part(base);
    let is_exception = ["Error", "Exception", "Warning", "Exit", "Interrupt"].iter().any(|end| last.ends_with(end));
    // Builtin classes are written in small letters, but for exceptions.
    let is_builtin = base == last && (is_exception || base.starts_with(|c: char| c.is_ascii_lowercase()));
    let module = base.strip_suffix(last).unwrap_or_default().trim_end_matches('.');
    let is_of_python = is_builtin || MODULES.contains(&module);
    let of = format!("{name} derives");
    if !is_of_python {
        let why = format!("{of} from `{base}`, which is not in the repository");
        return Some(InstanceHash::Unknown(why));
    }
    if NEUTRAL.contains(&last) {
        None
    } else if UNHASHABLE.contains(&last) {
        Some(InstanceHash::Lacks(format!("{of} from `{base}`, which is not hashable")))
    } else if HASHABLE.contains(&last) || is_exception {
        Some(InstanceHash::Has(format!("{of} from `{base}`, which is hashable")))
    } else {
        Some(InstanceHash::Unknown(format!("{of} from `{base}`, which is not in the repository")))
    }
}

fn named(class: &Entity) -> String {
    format!("`{}`", class.full_name())
}
