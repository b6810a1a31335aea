//! The questions that resolution may ask about other files, as 64-bit keys.
//!
//! A key is a hash of the question's words. When two questions of one repository share a key, a file is resolved once
//! too often; the answer itself never comes from the key. The words in quotes seed the hashes and must stay.

use crate::{
    facts::names::{hash_bytes, hash_name, mix},
    model::EntityId,
    resolve::values::{condition::Condition, site::Site, slot::Slot},
};

/// A question, hashed.
pub type Key = u64;

const fn seeded(kind: &str) -> u64 {
    hash_name(kind)
}

fn by_path(kind: u64, path: &str) -> Key {
    hash_bytes(kind, path.as_bytes())
}

fn by_entity(kind: u64, entity: EntityId, part: u64) -> Key {
    mix(mix(kind ^ u64::from(entity.0)).wrapping_add(part))
}

/// The module, package or folder that `name` means in the folder `directory`.
pub fn child(directory: &str, name: &str) -> Key {
    mix(by_path(const { seeded("child") }, directory) ^ hash_name(name))
}

/// The folders in which a package of this name begins.
pub fn package(name: &str) -> Key {
    by_path(const { seeded("package") }, name)
}

/// The bindings of this name (by hash) in the module at `path`.
pub fn member(path: &str, name: u64) -> Key {
    mix(by_path(const { seeded("member") }, path) ^ name)
}

/// The modules whose names the module at `path` re-exports by `*`.
pub fn stars(path: &str) -> Key {
    by_path(const { seeded("stars") }, path)
}

/// The bases, decorators and attribute hooks of this class.
pub fn class(entity: EntityId) -> Key {
    by_entity(const { seeded("class") }, entity, 0)
}

/// The bindings of this name (by hash) in this class's own body.
pub fn class_member(entity: EntityId, name: u64) -> Key {
    by_entity(const { seeded("class member") }, entity, name)
}

/// The names that this class's own body binds.
pub fn class_names(entity: EntityId) -> Key {
    by_entity(const { seeded("class names") }, entity, 0)
}

/// The variables of this class's own body in their order, with their marks: the fields that a constructor fills.
pub fn class_fields(entity: EntityId) -> Key {
    by_entity(const { seeded("class fields") }, entity, 0)
}

/// The classes that derive from this one.
pub fn subclasses(entity: EntityId) -> Key {
    by_entity(const { seeded("subclasses") }, entity, 0)
}

/// The classes with a definition of this name (by hash) in their own body.
pub fn definers(name: u64) -> Key {
    mix(const { seeded("definers") } ^ name)
}

/// The classes that fit this protocol without deriving from it.
pub fn fitting(protocol: EntityId) -> Key {
    by_entity(const { seeded("fitting") }, protocol, 0)
}

/// The parameters of this function.
pub fn signature(entity: EntityId, lambda: u32) -> Key {
    by_entity(const { seeded("signature") }, entity, u64::from(lambda))
}

/// The relationships of this kind (by its code) at uses of this alias in annotations.
pub fn metadata(alias: EntityId, kind: u8) -> Key {
    by_entity(const { seeded("metadata") }, alias, u64::from(kind))
}

/// The result of this function.
pub fn returns(entity: EntityId, lambda: u32) -> Key {
    by_entity(const { seeded("returns") }, entity, u64::from(lambda))
}

/// The result of this function if this condition holds, or if it does not.
pub fn returns_when(entity: EntityId, lambda: u32, condition: Condition, is_none: bool) -> Key {
    let (lambda, index) = condition.encode(lambda);
    let part = (u64::from(lambda) << 33) | u64::from(index) << 1 | u64::from(is_none);
    by_entity(const { seeded("returns when") }, entity, part)
}

/// The classes of the argument for which this function returns true.
pub fn guarded(entity: EntityId) -> Key {
    by_entity(const { seeded("guarded") }, entity, 0)
}

/// The values that this generator yields.
pub fn yields(entity: EntityId, lambda: u32) -> Key {
    by_entity(const { seeded("yields") }, entity, u64::from(lambda))
}

/// The arguments that callers pass for this parameter.
pub fn parameter(entity: EntityId, lambda: u32, index: u32) -> Key {
    by_entity(const { seeded("parameter") }, entity, (u64::from(lambda) << 32) | u64::from(index))
}

/// The default of this parameter.
pub fn default(entity: EntityId, lambda: u32, index: u32) -> Key {
    by_entity(const { seeded("default") }, entity, (u64::from(lambda) << 32) | u64::from(index))
}

/// The functions that are registered with this generic function.
pub fn registered(entity: EntityId) -> Key {
    by_entity(const { seeded("registered") }, entity, 0)
}

/// The classes whose instances this function is registered for.
pub fn registered_for(entity: EntityId) -> Key {
    by_entity(const { seeded("registered for") }, entity, 0)
}

/// The objects whose attributes this `__getattr__` returns.
pub fn forwarded(entity: EntityId) -> Key {
    by_entity(const { seeded("forwarded") }, entity, 0)
}

/// The setters of the property whose getter this is.
pub fn setter(entity: EntityId, lambda: u32) -> Key {
    by_entity(const { seeded("setter") }, entity, u64::from(lambda))
}

/// The type arguments in the bases of this class.
pub fn type_arguments(class: EntityId) -> Key {
    by_entity(const { seeded("type arguments") }, class, 0)
}

/// The type argument that this class gives to a base at this position.
pub fn type_argument(class: EntityId, base: EntityId, position: u32) -> Key {
    let part = u64::from(base.0) << 8 | u64::from(position);
    by_entity(const { seeded("type argument") }, class, part)
}

/// The classes that have this one as their metaclass.
pub fn made_by(metaclass: EntityId) -> Key {
    by_entity(const { seeded("made by") }, metaclass, 0)
}

/// The values of this attribute on instances of this class and on the class itself.
pub fn attribute(class: EntityId, name: u64) -> Key {
    by_entity(const { seeded("attribute") }, class, name)
}

/// The values of this attribute on objects of this very class, where they depend on the object's class.
pub fn attribute_of_receiver(class: EntityId, name: u64) -> Key {
    by_entity(const { seeded("attribute of receiver") }, class, name)
}

/// The result of this method on objects of this very class, where it depends on the object's class.
pub fn returns_of_receiver(class: EntityId, method: EntityId) -> Key {
    by_entity(const { seeded("returns of receiver") }, class, u64::from(method.0))
}

/// Which values do fixtures put on all tests of this file or folder under this name (by hash)?
pub fn put_on_tests(reach: &str, name: u64) -> Key {
    mix(by_path(const { seeded("put on tests") }, reach) ^ name)
}

/// Which fixtures that ask for their tests does this class of tests, module or fixture use?
pub fn used_fixtures(user: EntityId) -> Key {
    by_entity(const { seeded("used fixtures") }, user, 0)
}

/// The values of this module variable.
pub fn variable(entity: EntityId) -> Key {
    by_entity(const { seeded("variable") }, entity, 0)
}

/// The object that replaces a decorated function or class.
pub fn decorated(entity: EntityId) -> Key {
    by_entity(const { seeded("decorated") }, entity, 0)
}

/// Functions that are decorated by this one, which gets them for this parameter: those of one share of many.
pub fn wrapped(entity: EntityId, lambda: u32, index: u32, share: u32) -> Key {
    let parameter = parameter(entity, lambda, index);
    mix((parameter ^ const { seeded("wrapped") }).wrapping_add(u64::from(share)))
}

/// The definitions with this registered name, of this kind of name (both by hash).
pub fn named(kind: u64, name: u64) -> Key {
    mix(mix(const { seeded("named") } ^ kind).wrapping_add(name))
}

/// The views of this group with this name (by hash).
pub fn view(group: EntityId, name: u64) -> Key {
    by_entity(const { seeded("view") }, group, name)
}

/// The views of this group whose pattern has no literal part, by method and number of parts (as a hash).
pub fn unplaced(group: EntityId, pattern: u64) -> Key {
    by_entity(const { seeded("unplaced") }, group, pattern)
}

/// The functions that are connected to this object.
pub fn connected(entity: EntityId) -> Key {
    by_entity(const { seeded("connected") }, entity, 0)
}

/// The elements of this container under this key.
pub fn element(owner: EntityId, site: Site, slot: Slot) -> Key {
    mix(by_entity(const { seeded("element") }, owner, u64::from(site.encode())) ^ slot.encode())
}
