//! The questions that resolution may ask about other files, as 64-bit keys.
//!
//! A key is a hash of the question's words. Two questions of one repository that share a key only cost a needless
//! resolution; the answer itself is never taken from the key.

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

/// What does `name` stand for in the folder `directory`: a module, a package, a folder?
pub fn child(directory: &str, name: &str) -> Key {
    mix(by_path(const { seeded("child") }, directory) ^ hash_name(name))
}

/// In which folders does a package of this name begin?
pub fn package(name: &str) -> Key {
    by_path(const { seeded("package") }, name)
}

/// What is this name (by hash) bound to in the module at `path`?
pub fn member(path: &str, name: u64) -> Key {
    mix(by_path(const { seeded("member") }, path) ^ name)
}

/// Which names does the module at `path` hand on by `*`?
pub fn stars(path: &str) -> Key {
    by_path(const { seeded("stars") }, path)
}

/// What are the bases and decorators of this class, and which attribute hooks has it?
pub fn class(entity: EntityId) -> Key {
    by_entity(const { seeded("class") }, entity, 0)
}

/// What is this name (by hash) bound to in this class's own body?
pub fn class_member(entity: EntityId, name: u64) -> Key {
    by_entity(const { seeded("class member") }, entity, name)
}

/// Which names does this class's own body bind?
pub fn class_names(entity: EntityId) -> Key {
    by_entity(const { seeded("class names") }, entity, 0)
}

/// Which classes derive from this one?
pub fn subclasses(entity: EntityId) -> Key {
    by_entity(const { seeded("subclasses") }, entity, 0)
}

/// Which classes have a definition of this name (by hash) in their own body?
pub fn definers(name: u64) -> Key {
    mix(const { seeded("definers") } ^ name)
}

/// Which classes fit this protocol without deriving from it?
pub fn fitting(protocol: EntityId) -> Key {
    by_entity(const { seeded("fitting") }, protocol, 0)
}

/// What are the parameters of this function?
pub fn signature(entity: EntityId, lambda: u32) -> Key {
    by_entity(const { seeded("signature") }, entity, u64::from(lambda))
}

/// What is said (by the code of the kind of relationship) where this alias annotates something?
pub fn metadata(alias: EntityId, kind: u8) -> Key {
    by_entity(const { seeded("metadata") }, alias, u64::from(kind))
}

/// What does this function return?
pub fn returns(entity: EntityId, lambda: u32) -> Key {
    by_entity(const { seeded("returns") }, entity, u64::from(lambda))
}

/// What does this function return where this condition holds, or does not?
pub fn returns_when(entity: EntityId, lambda: u32, condition: Condition, is_none: bool) -> Key {
    let (lambda, index) = condition.encode(lambda);
    let part = (u64::from(lambda) << 33) | u64::from(index) << 1 | u64::from(is_none);
    by_entity(const { seeded("returns when") }, entity, part)
}

/// Of which classes is the argument of this function where it gives true?
pub fn guarded(entity: EntityId) -> Key {
    by_entity(const { seeded("guarded") }, entity, 0)
}

/// What does this generator yield?
pub fn yields(entity: EntityId, lambda: u32) -> Key {
    by_entity(const { seeded("yields") }, entity, u64::from(lambda))
}

/// What do callers pass for this parameter?
pub fn parameter(entity: EntityId, lambda: u32, index: u32) -> Key {
    by_entity(const { seeded("parameter") }, entity, (u64::from(lambda) << 32) | u64::from(index))
}

/// What is the default of this parameter?
pub fn default(entity: EntityId, lambda: u32, index: u32) -> Key {
    by_entity(const { seeded("default") }, entity, (u64::from(lambda) << 32) | u64::from(index))
}

/// Which functions are registered with this generic function?
pub fn registered(entity: EntityId) -> Key {
    by_entity(const { seeded("registered") }, entity, 0)
}

/// For instances of which classes is this function registered?
pub fn registered_for(entity: EntityId) -> Key {
    by_entity(const { seeded("registered for") }, entity, 0)
}

/// Of which objects does this `__getattr__` ask the attributes that it is asked for?
pub fn forwarded(entity: EntityId) -> Key {
    by_entity(const { seeded("forwarded") }, entity, 0)
}

/// Which functions set the property whose getter this is?
pub fn setter(entity: EntityId, lambda: u32) -> Key {
    by_entity(const { seeded("setter") }, entity, u64::from(lambda))
}

/// With which types was this class derived from a generic one?
pub fn type_arguments(class: EntityId) -> Key {
    by_entity(const { seeded("type arguments") }, class, 0)
}

/// What does this class put for the type parameter of a base at this position?
pub fn type_argument(class: EntityId, base: EntityId, position: u32) -> Key {
    let part = u64::from(base.0) << 8 | u64::from(position);
    by_entity(const { seeded("type argument") }, class, part)
}

/// Which classes have this one as their metaclass?
pub fn made_by(metaclass: EntityId) -> Key {
    by_entity(const { seeded("made by") }, metaclass, 0)
}

/// What values does this attribute have on instances of this class and on the class itself?
pub fn attribute(class: EntityId, name: u64) -> Key {
    by_entity(const { seeded("attribute") }, class, name)
}

/// What does this attribute hold on objects of this very class, where it depends on the object's class?
pub fn attribute_of_receiver(class: EntityId, name: u64) -> Key {
    by_entity(const { seeded("attribute of receiver") }, class, name)
}

/// What does this method give when it is called on objects of this very class, where that depends on the object's class?
pub fn returns_of_receiver(class: EntityId, method: EntityId) -> Key {
    by_entity(const { seeded("returns of receiver") }, class, u64::from(method.0))
}

/// What values does this module variable have?
pub fn variable(entity: EntityId) -> Key {
    by_entity(const { seeded("variable") }, entity, 0)
}

/// What is a decorated function or class replaced by?
pub fn decorated(entity: EntityId) -> Key {
    by_entity(const { seeded("decorated") }, entity, 0)
}

/// What is called so, as a name of this kind (both by hash)?
pub fn named(kind: u64, name: u64) -> Key {
    mix(mix(const { seeded("named") } ^ kind).wrapping_add(name))
}

/// Which views of this group have this name (by hash)?
pub fn view(group: EntityId, name: u64) -> Key {
    by_entity(const { seeded("view") }, group, name)
}

/// Which views of this group have a pattern without a literal part, for this method and of this number of parts (by hash)?
pub fn unplaced(group: EntityId, pattern: u64) -> Key {
    by_entity(const { seeded("unplaced") }, group, pattern)
}

/// Which functions are connected to this object?
pub fn connected(entity: EntityId) -> Key {
    by_entity(const { seeded("connected") }, entity, 0)
}

/// What lies in this container under this key?
pub fn element(owner: EntityId, site: Site, slot: Slot) -> Key {
    mix(by_entity(const { seeded("element") }, owner, u64::from(site.encode())) ^ slot.encode())
}
