//! Abstract values: the objects that an expression can evaluate to, as far as resolution follows them.
//!
//! A value is 60 bits wide (56 of content, 4 of kind). Together with its [`Basis`] it fits in one word. Points-to sets
//! are interned per file, so a set is a small number: copying an environment copies numbers, and joining two sets a
//! second time is a look-up.
//!
//! A set holds at most [`MAX_VALUES`] values; a larger one becomes [`SetId::TOP`] ("anything"). This bound makes every
//! fixpoint finite and independent of order.
//!
//! `mark`, `site`, `slot` and `condition` hold the parts of a value that have codes of their own.

#[cfg(test)]
mod codes;
pub(crate) mod condition;
pub mod mark;
pub mod questions;
pub mod site;
pub mod slot;
#[cfg(test)]
mod tests;

use std::{hash::Hasher as _, ops::Range};

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::{
    model::{Basis, EntityId, FileId},
    resolve::{
        library::known::OPEN,
        values::{mark::Mark, site::Site},
    },
};

/// Kinds of values, by the tags of [`Value::encode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u16);

impl Kinds {
    /// Type arguments; numbered folders too.
    pub(crate) const APPLIED: Kinds = Kinds(1 << 2);
    pub(crate) const CLASSES: Kinds = Kinds(1 << 5);
    pub(crate) const INSTANCES: Kinds = Kinds(1 << 6);
    pub(crate) const FUNCTIONS: Kinds = Kinds(1 << 7);
    /// Parameters, and instances of the classes that callers pass.
    pub(crate) const PARAMETERS: Kinds = Kinds(1 << 9 | 1 << 10);
    pub(crate) const CONTAINERS: Kinds = Kinds(1 << 11);
    /// Texts that name definitions, and values that depend on a text that is passed; some other kinds too.
    pub(crate) const NAMED: Kinds = Kinds(1 << 1 | 1 << 10);
    pub(crate) const TEXTS: Kinds = Kinds(1 << 14);
    pub(crate) const METHODS_BY_PREFIX: Kinds = Kinds(1 << 15);
    /// Values that depend on a parameter; some other kinds too.
    pub(crate) const CHOICES: Kinds = Kinds(1);

    pub(crate) const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    fn of(entries: &[Entry]) -> Kinds {
        Kinds(entries.iter().fold(0, |kinds, entry| kinds | 1 << (entry >> 4 & 0xf)))
    }
}

/// Largest number of values in a set. Classes, and texts that name definitions, count half: registries and families of
/// subclasses are often larger, and a class has fewer uses to follow than its instances. So do the instances that
/// derived classes hold: a base of many test classes runs with each of them.
const MAX_VALUES: usize = 32;

/// Largest number of containers in a set, and of values from outside. Above it, one value stands for all of that kind,
/// so that containers made by many callers do not hide the rest.
const MAX_OF_A_KIND: usize = 6;

/// Sets of this size or more stop growing from other files after round 2.
const LARGE: usize = 8;

const UNKNOWN_PART: u32 = 0xff_ffff;

/// One abstract value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An unknown value.
    Unknown,
    /// A module of the repository.
    Module(FileId),
    /// A package without `__init__`, by its number in the present solver; never leaves the file.
    Namespace(u32),
    /// A name outside the repository, by the hash of its dotted path.
    External(u64),
    /// An instance of an external class, by the hash of the class's dotted path.
    ExternalInstance(u64),
    Class(EntityId),
    Instance(EntityId),
    /// A function; the number tells the lambdas of an entity apart, 0 is the entity itself.
    Function(EntityId, u32),
    /// A function bound to an instance of (for class methods: to) the class, when that is known.
    Bound(EntityId, Option<EntityId>),
    /// The argument of a parameter: function, lambda number, parameter index.
    Parameter(EntityId, u32, u32),
    /// An instance of the class that the caller passes.
    InstanceOfParameter(EntityId, u32, u32),
    /// A text that callers pass for this parameter of a function, or the definition that it names.
    OfPassedText(EntityId, TextRole, u32),
    /// A list, tuple, set or dict that the entity makes at the numbered site.
    Container(EntityId, Site),
    /// The result of calling a generator function.
    Generator(EntityId, u32),
    /// The classes behind a class in its own MRO or, for `super(Class, self)` elsewhere, in that of another class.
    Super(EntityId, Option<EntityId>),
    /// A string of which only the beginning or the end is known.
    Text(PartOfName),
    /// The methods of a class and its subclasses whose names begin or end alike.
    MethodsByPrefix(EntityId, PartOfName),
    /// A mark, not itself a value: the other values of the set depend on the call, on the object or on an argument. It
    /// belongs to a function or, where the mark is of type parameters, to a class.
    DependsOnCall(EntityId, Mark),
    /// Some of the containers of a set with too many of them.
    SomeContainer,
    /// The type argument of the objects of a generic class in the same set: `Box[Item]`.
    Applied(EntityId, TypeArgument),
    /// A text that is the whole dotted name of a definition, or a part of such a text.
    DottedName(EntityId),
}

/// The relation of a value to a text that is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextRole {
    /// The text, or a part of it.
    Itself,
    /// The module or definition that the text names.
    Referent,
}

impl TextRole {
    /// Stands in the index in place of the number of a lambda.
    pub(crate) const fn encode(self) -> u32 {
        match self {
            TextRole::Itself => 0x3ffe,
            TextRole::Referent => 0x3fff,
        }
    }

    const fn decode(code: u32) -> Option<TextRole> {
        match code {
            0x3ffe => Some(TextRole::Itself),
            0x3fff => Some(TextRole::Referent),
            _ => None,
        }
    }
}

/// A type argument of a class: the position in two bits, the form in two, the class in twenty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeArgument(u32);

/// The form of a type argument: `Item`, `list[Item]`, `type[Item]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentForm {
    One = 1,
    List = 2,
    Class = 3,
}

impl TypeArgument {
    const CLASS_BITS: u32 = 20;

    /// None where the numbers are too large.
    pub(crate) fn new(position: u32, form: ArgumentForm, class: EntityId) -> Option<Self> {
        let is_small = position < 4 && class.0 >> Self::CLASS_BITS == 0;
        is_small.then_some(TypeArgument((position << 2 | form as u32) << Self::CLASS_BITS | class.0))
    }

    pub(crate) fn position(self) -> u32 {
        self.0 >> (Self::CLASS_BITS + 2)
    }

    pub(crate) fn form(self) -> ArgumentForm {
        match self.0 >> Self::CLASS_BITS & 3 {
            2 => ArgumentForm::List,
            3 => ArgumentForm::Class,
            _ => ArgumentForm::One,
        }
    }

    pub fn class(self) -> EntityId {
        EntityId(self.0 & ((1 << Self::CLASS_BITS) - 1))
    }
}

/// The first or last characters of a name. The highest bit says which, five bits hold their number, the low 18 bits
/// their hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartOfName(u32);

impl PartOfName {
    const HASH_BITS: u32 = 18;
    const LONGEST: usize = 31;
    const IS_END: u32 = 1 << 23;

    /// The fixed prefix of the names that a text makes when something is appended to it or filled in at `%` or `{`.
    /// Without a prefix, the suffix after `%s` or `}`. None if the prefix has fewer than two characters or the suffix
    /// fewer than three. Characters after the 31st do not count.
    pub fn of(text: &str) -> Option<Self> {
        let start = text.split(['%', '{']).next().unwrap_or_default();
        if !start.is_empty() {
            return Self::beginning(start);
        }
        let end = text.rsplit(['%', '}']).next().filter(|end| end.len() < text.len())?;
        Self::ending(if text.ends_with(end) && text[..text.len() - end.len()].ends_with('%') {
            end.get(1..)?
        } else {
            end
        })
    }

    fn beginning(start: &str) -> Option<Self> {
        if start.chars().count() < 2 || !start.chars().all(is_part_of_name) {
            return None;
        }
        let length = (0..=start.len().min(Self::LONGEST)).rev().find(|&at| start.is_char_boundary(at))?;
        Some(PartOfName(Self::code(&start[..length])))
    }

    /// The end of the names that a text makes which stands behind something else.
    pub fn ending(end: &str) -> Option<Self> {
        let is_enough = end.chars().count() >= 3 && end.len() <= Self::LONGEST && end.chars().all(is_part_of_name);
        is_enough.then(|| PartOfName(Self::code(end) | Self::IS_END))
    }

    /// Whether a name begins, or ends, so.
    pub fn fits(self, name: &str) -> bool {
        let length = (self.0 >> Self::HASH_BITS & 0x1f) as usize;
        let is_end = self.0 & Self::IS_END != 0;
        let part =
            if is_end { name.len().checked_sub(length).and_then(|at| name.get(at..)) } else { name.get(..length) };
        part.is_some_and(|part| Self::code(part) == self.0 & !Self::IS_END)
    }

    #[expect(clippy::cast_possible_truncation, reason = "takes the low bits")]
    fn code(part: &str) -> u32 {
        (part.len() as u32) << Self::HASH_BITS | crate::facts::hash_name(part) as u32 & ((1 << Self::HASH_BITS) - 1)
    }
}

fn is_part_of_name(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// Kind in the low bits and small numbers above it: stored values are short.
const fn pack(tag: u64, extra: u64, id: u64) -> u64 {
    (extra << 36) | (id << 4) | tag
}

fn part(entity: Option<EntityId>) -> u64 {
    entity.map_or(u64::from(UNKNOWN_PART), |entity| u64::from(entity.0.min(UNKNOWN_PART)))
}

fn unpart(extra: u32) -> Option<EntityId> {
    (extra != UNKNOWN_PART).then_some(EntityId(extra))
}

impl Value {
    /// 60 bits that stand for the value in the index.
    pub fn encode(self) -> u64 {
        const MASK: u64 = (1 << 56) - 1;
        match self {
            Value::Unknown => 0,
            Value::SomeContainer => SOME_CONTAINER_CODE,
            Value::Module(file) => pack(1, 0, u64::from(file.0)),
            // Shares its tag with modules.
            Value::DottedName(entity) => pack(1, 1, u64::from(entity.0)),
            Value::Namespace(number) => pack(2, 0, u64::from(number)),
            // A form is never 0.
            Value::Applied(class, argument) => pack(2, u64::from(argument.0), u64::from(class.0)),
            Value::External(hash) => (hash & MASK) << 4 | 3,
            Value::ExternalInstance(hash) => (hash & MASK) << 4 | 4,
            Value::Class(entity) => pack(5, 0, u64::from(entity.0)),
            Value::Instance(entity) => pack(6, 0, u64::from(entity.0)),
            Value::Function(entity, lambda) => pack(7, u64::from(lambda), u64::from(entity.0)),
            Value::Bound(function, class) => pack(8, part(class), u64::from(function.0)),
            Value::Parameter(function, lambda, index) => {
                pack(9, u64::from((lambda & 0x3fff) << 10 | index & 0x3ff), u64::from(function.0))
            }
            Value::InstanceOfParameter(function, lambda, index) => {
                pack(10, u64::from((lambda & 0x3fff) << 10 | index & 0x3ff), u64::from(function.0))
            }
            Value::OfPassedText(function, role, index) => {
                pack(10, u64::from(role.encode() << 10 | index & 0x3ff), u64::from(function.0))
            }
            Value::Container(owner, site) => pack(11, u64::from(site.encode()), u64::from(owner.0)),
            Value::Generator(function, lambda) => pack(12, u64::from(lambda), u64::from(function.0)),
            Value::Super(class, receiver) => pack(13, part(receiver), u64::from(class.0)),
            Value::Text(beginning) => pack(14, 0, u64::from(beginning.0)),
            Value::MethodsByPrefix(class, beginning) => pack(15, u64::from(beginning.0), u64::from(class.0)),
            // `Unknown` has the code 0 and shares this tag.
            Value::DependsOnCall(entity, mark) => {
                let (lambda, index) = mark.encode();
                pack(0, u64::from((lambda & 0x3fff) << 10 | index & 0x3ff), u64::from(entity.0) + 1)
            }
        }
    }

    /// The value that [`Value::encode`] gave; unknown codes read as [`Value::Unknown`].
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "takes the word apart")]
    pub fn decode(code: u64) -> Value {
        let (id, extra, hash) = ((code >> 4) as u32, ((code >> 36) & 0xff_ffff) as u32, code >> 4);
        match code & 0xf {
            1 if extra == 1 => Value::DottedName(EntityId(id)),
            1 => Value::Module(FileId(id)),
            2 if extra != 0 => Value::Applied(EntityId(id), TypeArgument(extra)),
            2 => Value::Namespace(id),
            3 => Value::External(hash),
            4 => Value::ExternalInstance(hash),
            5 => Value::Class(EntityId(id)),
            6 => Value::Instance(EntityId(id)),
            7 => Value::Function(EntityId(id), extra),
            8 => Value::Bound(EntityId(id), unpart(extra)),
            9 => Value::Parameter(EntityId(id), extra >> 10, extra & 0x3ff),
            10 => match TextRole::decode(extra >> 10) {
                Some(role) => Value::OfPassedText(EntityId(id), role, extra & 0x3ff),
                None => Value::InstanceOfParameter(EntityId(id), extra >> 10, extra & 0x3ff),
            },
            11 => Value::Container(EntityId(id), Site::decode(extra)),
            12 => Value::Generator(EntityId(id), extra),
            13 => Value::Super(EntityId(id), unpart(extra)),
            14 => Value::Text(PartOfName(id)),
            15 => Value::MethodsByPrefix(EntityId(id), PartOfName(extra)),
            0 if id != 0 => match Mark::decode(extra >> 10, extra & 0x3ff) {
                Some(mark) => Value::DependsOnCall(EntityId(id - 1), mark),
                None => Value::Unknown,
            },
            0 if extra == 1 => Value::SomeContainer,
            _ => Value::Unknown,
        }
    }

    /// Values that other files may learn of.
    pub fn is_portable(self) -> bool {
        !matches!(self, Value::Namespace(_) | Value::Unknown)
    }
}

/// A value with its basis in one word: ordered by value, so that equal values stand together.
pub type Entry = u64;

/// Joins a value and its basis.
pub fn entry(value: Value, basis: Basis) -> Entry {
    (value.encode() << 4) | basis as u64
}

/// Takes an entry apart.
#[inline]
pub fn parts(entry: Entry) -> (Value, Basis) {
    let basis = u8::try_from(entry & 0xf).expect("four bits fit a byte");
    (Value::decode(entry >> 4), Basis::from_code(basis).unwrap_or(Basis::Name))
}

/// An interned set of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(u32);

impl SetId {
    /// The empty set: nothing reaches here.
    pub const EMPTY: SetId = SetId(0);
    /// Anything: the set has more values than the bound allows.
    pub const TOP: SetId = SetId(1);
    /// No set yet: the other files have not been asked.
    pub(crate) const UNASKED: SetId = SetId(u32::MAX);
}

/// The sets of one file's resolution: entries behind one another, and where each set ends.
pub struct Sets {
    entries: Vec<Entry>,
    ends: Vec<u32>,
    kinds: Vec<Kinds>,
    ids: HashTable<SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Default for Sets {
    fn default() -> Self {
        Sets {
            entries: vec![entry(Value::Unknown, Basis::Name)],
            ends: vec![0, 1],
            kinds: vec![Kinds(0), Kinds(1)],
            ids: HashTable::new(),
            unions: FxHashMap::default(),
        }
    }
}

/// Entries on their way into a set; mostly few.
pub(crate) type Entries = SmallVec<[Entry; 8]>;

impl Sets {
    /// The values of a set that other files may learn of, as answers hold them.
    pub(crate) fn portable(&self, set: SetId) -> Vec<Entry> {
        if set == SetId::TOP {
            return vec![entry(Value::Unknown, Basis::Name)];
        }
        let entries = self.entries(set).iter().copied();
        entries.filter(|&entry| parts(entry).0.is_portable()).collect()
    }

    /// The entries of a set, sorted by value.
    pub fn entries(&self, set: SetId) -> &[Entry] {
        &self.entries[self.range(set)]
    }

    /// Whether a set has values of these kinds.
    pub(crate) fn holds(&self, set: SetId, kinds: Kinds) -> bool {
        self.kinds[set.0 as usize].0 & kinds.0 != 0
    }

    /// Whether a set held too many containers to tell them apart.
    pub(crate) fn has_too_many_containers(&self, set: SetId) -> bool {
        self.entries(set).iter().any(|&entry| entry >> 4 == SOME_CONTAINER_CODE)
    }

    /// Whether so much is in a set that a little more tells little.
    pub(crate) fn is_large(&self, set: SetId) -> bool {
        set == SetId::TOP || self.range(set).len() >= LARGE
    }

    /// The range of a set's entries for [`Sets::at`]. Sets never move, so a caller can make others while it reads
    /// these.
    pub(crate) fn range(&self, set: SetId) -> Range<usize> {
        range_of(&self.ends, set)
    }

    /// The entry at a place of [`Sets::range`].
    pub(crate) fn at(&self, place: usize) -> Entry {
        self.entries[place]
    }

    /// Frees the buffers of the present work.
    pub(crate) fn shrink(&mut self) {
        self.unions = FxHashMap::default();
        self.entries.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.kinds.shrink_to_fit();
    }

    /// The set of one value.
    pub fn single(&mut self, value: Value, basis: Basis) -> SetId {
        self.intern(&[entry(value, basis)])
    }

    /// The set of these entries; of equal values the one with the strongest basis stays.
    pub fn of(&mut self, entries: impl IntoIterator<Item = Entry>) -> SetId {
        let mut entries: Entries = entries.into_iter().collect();
        entries.sort_unstable();
        // The basis lies in the low four bits, so of equal values the strongest basis sorts first and stays.
        entries.dedup_by_key(|entry| *entry >> 4);
        self.intern(&entries)
    }

    /// The set of these sorted entries, each value once; anything where one of them is unknown.
    pub(crate) fn of_sorted(&mut self, entries: &[Entry]) -> SetId {
        let is_top = entries.first().is_some_and(|&first| parts(first).0 == Value::Unknown);
        if is_top { SetId::TOP } else { self.intern(entries) }
    }

    /// The set with every basis at least as weak as `basis`.
    pub fn weaken(&mut self, set: SetId, basis: Basis) -> SetId {
        let weakest = basis as u64;
        if set == SetId::TOP || self.entries(set).iter().all(|&entry| entry & 0xf >= weakest) {
            return set;
        }
        // Values stay as they are, so the order does too.
        let entries: Entries =
            self.entries(set).iter().map(|&entry| entry & !0xf | (entry & 0xf).max(weakest)).collect();
        self.intern(&entries)
    }

    /// The entries of a set whose basis is stronger than this one.
    pub(crate) fn stronger_than(&mut self, set: SetId, basis: Basis) -> SetId {
        let entries: Entries = self.entries(set).iter().copied().filter(|&entry| entry & 0xf < basis as u64).collect();
        if set == SetId::TOP { set } else { self.intern(&entries) }
    }

    /// Both sets joined.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == SetId::EMPTY {
            return a;
        }
        if a == SetId::EMPTY {
            return b;
        }
        if a == SetId::TOP || b == SetId::TOP {
            return SetId::TOP;
        }
        let pair = (a.min(b), a.max(b));
        // Flow analysis joins the same few pairs over and over.
        if let Some(&set) = self.unions.get(&pair) {
            return set;
        }
        let entries: Entries = merged(self.entries(a), self.entries(b));
        let set = self.intern(&entries);
        self.unions.insert(pair, set);
        set
    }

    /// The entries of a set whose values pass.
    pub(crate) fn filtered(&mut self, set: SetId, pass: impl Fn(Value) -> bool) -> SetId {
        let all = self.entries(set);
        let entries: Entries = all.iter().copied().filter(|&entry| pass(parts(entry).0)).collect();
        if entries.len() == all.len() { set } else { self.intern(&entries) }
    }

    fn intern(&mut self, entries: &[Entry]) -> SetId {
        if entries.is_empty() {
            return SetId::EMPTY;
        }
        let (known, ends) = (&self.entries, &self.ends);
        // Most sets have one or two entries: less than it costs to call a function that compares memory.
        let is_same = |set: &SetId| {
            let known = &known[range_of(ends, *set)];
            known.len() == entries.len() && known.iter().zip(entries).all(|(a, b)| a == b)
        };
        let hash = hash_of(entries);
        if let Some(&set) = self.ids.find(hash, is_same) {
            return set;
        }
        // Bounded after the look-up: a set that is interned already has passed the bounds.
        match bounded(entries) {
            None => {}
            Some(Bounded::Fewer(fewer)) => return self.intern(&fewer),
            Some(Bounded::TooMany) => return SetId::TOP,
        }
        let set = SetId(u32::try_from(self.ends.len()).expect("fewer than 2^32 sets"));
        self.entries.extend_from_slice(entries);
        self.ends.push(u32::try_from(self.entries.len()).expect("fewer than 2^32 entries"));
        self.kinds.push(Kinds::of(entries));
        let (known, ends) = (&self.entries, &self.ends);
        self.ids.insert_unique(hash, set, |set| hash_of(&known[range_of(ends, *set)]));
        set
    }
}

/// Stands for more values from outside than a set may hold.
const SOME_EXTERNAL: Value = Value::ExternalInstance(1);

const SOME_EXTERNAL_CODE: u64 = 1 << 4 | 4;

const SOME_CONTAINER_CODE: u64 = pack(0, 1, 0);

/// Bounds the sorted entries of a set. Too many entries of one kind become one value that stands for some of it; too
/// many in all become no set. None if the entries stay as they are.
///
/// The value that stands for some of a kind counts as many. So a set that is too large stays too large when it grows,
/// and sets can be joined in any order.
fn bounded(entries: &[Entry]) -> Option<Bounded> {
    // Nearly every set is small and has neither containers nor values from outside.
    let is_some = |&entry: &Entry| matches!(entry >> 4, SOME_CONTAINER_CODE | SOME_EXTERNAL_CODE);
    if entries.len() < 2 || entries.len() <= MAX_OF_A_KIND && !entries.iter().any(is_some) {
        return None;
    }
    let (mut reduced, mut weight): (Option<Entries>, usize) = (None, entries.len());
    for (some, is_its) in [
        (Value::SomeContainer, is_made as fn(Value) -> bool),
        (SOME_EXTERNAL, |value| {
            matches!(value, Value::External(_) | Value::ExternalInstance(_)) && value != Value::ExternalInstance(OPEN)
        }),
    ] {
        let entries = reduced.as_deref().unwrap_or(entries);
        let is_its = |entry: Entry| parts(entry).0 != some && is_its(parts(entry).0);
        let has_some = entries.iter().any(|&entry| parts(entry).0 == some);
        let count = entries.iter().filter(|&&entry| is_its(entry)).count();
        if !has_some && count <= MAX_OF_A_KIND {
            continue;
        }
        // The kind weighs the same however many of it were left out; else the result would depend on the order of
        // joins.
        weight = weight - count - usize::from(has_some) + MAX_OF_A_KIND;
        if count > 0 {
            let mut others: Entries = entries.iter().copied().filter(|&entry| !is_its(entry)).collect();
            if !has_some {
                others.push(entry(some, Basis::Element));
                others.sort_unstable();
            }
            reduced = Some(others);
        }
    }
    let counts_half = |value, basis| {
        matches!((value, basis), (Value::Class(_) | Value::DottedName(_), _) | (Value::Instance(_), Basis::Dispatched))
    };
    let counted_half = entries.iter().map(|&entry| parts(entry)).filter(|&(value, basis)| counts_half(value, basis));
    weight -= counted_half.count() / 2;
    if weight > MAX_VALUES { Some(Bounded::TooMany) } else { reduced.map(Bounded::Fewer) }
}

/// A container that is known by its place. Others are known by the class of their elements, or stand for many.
fn is_made(value: Value) -> bool {
    matches!(value, Value::Container(_, site) if !site.is_declared() && !matches!(site, Site::Passed { .. }))
}

/// The effect of the bounds on entries that are too many.
enum Bounded {
    Fewer(Entries),
    TooMany,
}

/// The entries under the bounds of a set.
pub fn as_held(entries: Vec<Entry>) -> Vec<Entry> {
    match bounded(&entries) {
        None => entries,
        Some(Bounded::Fewer(fewer)) => fewer.to_vec(),
        Some(Bounded::TooMany) => vec![entry(Value::Unknown, Basis::Name)],
    }
}

fn range_of(ends: &[u32], set: SetId) -> Range<usize> {
    let index = set.0 as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] };
    start as usize..ends[index] as usize
}

fn hash_of(entries: &[Entry]) -> u64 {
    let mut hasher = FxHasher::default();
    for &entry in entries {
        hasher.write_u64(entry);
    }
    hasher.finish()
}

/// Two sorted lists in one; of equal values the stronger basis.
fn merged(a: &[Entry], b: &[Entry]) -> Entries {
    let mut entries = Entries::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(&left), Some(&right)) => {
                let next = left.min(right);
                if left >> 4 <= right >> 4 {
                    a.next();
                }
                if right >> 4 <= left >> 4 {
                    b.next();
                }
                next
            }
            (Some(&left), None) => {
                a.next();
                left
            }
            (None, Some(&right)) => {
                b.next();
                right
            }
            (None, None) => return entries,
        };
        entries.push(next);
    }
}
