//! Abstract values: what an expression can be, as far as resolution follows it.
//!
//! A value is 60 bits wide (4 of kind, 56 of content) and is kept with its [`Basis`] in one word. Sets of them are
//! interned per file, so that a set is a small number, copying an environment is copying numbers, and joining two sets
//! a second time is a look-up. Sets grow to at most [`MAX_VALUES`]; beyond, they become [`SetId::TOP`] ("anything"),
//! which keeps every computation finite and independent of order.

use rustc_hash::FxHashMap;

use crate::model::{Basis, EntityId, FileId};

/// Largest number of values that a set tells apart.
pub const MAX_VALUES: usize = 24;

const UNKNOWN_PART: u32 = 0xff_ffff;

/// One abstract value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Something that cannot be told.
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
    /// Whatever the caller passes: function, lambda number, parameter index.
    Parameter(EntityId, u32, u32),
    /// An instance of whatever class the caller passes.
    NewOf(EntityId, u32, u32),
    /// A list, tuple, set or dict made at the numbered place of an entity.
    Container(EntityId, u32),
    /// What calling a generator function gives.
    Generator(EntityId, u32),
    /// `super()` in a class, for receivers of another.
    Super(EntityId, Option<EntityId>),
}

const fn pack(tag: u64, extra: u64, id: u64) -> u64 {
    (tag << 56) | (extra << 32) | id
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
            Value::Module(file) => pack(1, 0, u64::from(file.0)),
            Value::Namespace(number) => pack(2, 0, u64::from(number)),
            Value::External(hash) => (3 << 56) | (hash & MASK),
            Value::ExternalInstance(hash) => (4 << 56) | (hash & MASK),
            Value::Class(entity) => pack(5, 0, u64::from(entity.0)),
            Value::Instance(entity) => pack(6, 0, u64::from(entity.0)),
            Value::Function(entity, lambda) => pack(7, u64::from(lambda), u64::from(entity.0)),
            Value::Bound(function, class) => pack(8, part(class), u64::from(function.0)),
            Value::Parameter(function, lambda, index) => {
                pack(9, u64::from((lambda & 0x3fff) << 10 | index & 0x3ff), u64::from(function.0))
            }
            Value::NewOf(function, lambda, index) => {
                pack(10, u64::from((lambda & 0x3fff) << 10 | index & 0x3ff), u64::from(function.0))
            }
            Value::Container(owner, site) => pack(11, u64::from(site), u64::from(owner.0)),
            Value::Generator(function, lambda) => pack(12, u64::from(lambda), u64::from(function.0)),
            Value::Super(class, receiver) => pack(13, part(receiver), u64::from(class.0)),
        }
    }

    /// The value that [`Value::encode`] gave; unknown codes read as [`Value::Unknown`].
    #[expect(clippy::cast_possible_truncation, reason = "takes the word apart")]
    pub fn decode(code: u64) -> Value {
        let (id, extra, hash) = (code as u32, ((code >> 32) & 0xff_ffff) as u32, code & ((1 << 56) - 1));
        match code >> 56 {
            1 => Value::Module(FileId(id)),
            2 => Value::Namespace(id),
            3 => Value::External(hash),
            4 => Value::ExternalInstance(hash),
            5 => Value::Class(EntityId(id)),
            6 => Value::Instance(EntityId(id)),
            7 => Value::Function(EntityId(id), extra),
            8 => Value::Bound(EntityId(id), unpart(extra)),
            9 => Value::Parameter(EntityId(id), extra >> 10, extra & 0x3ff),
            10 => Value::NewOf(EntityId(id), extra >> 10, extra & 0x3ff),
            11 => Value::Container(EntityId(id), extra),
            12 => Value::Generator(EntityId(id), extra),
            13 => Value::Super(EntityId(id), unpart(extra)),
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
pub fn parts(entry: Entry) -> (Value, Basis) {
    let basis = u8::try_from(entry & 0xf).expect("four bits fit a byte");
    (Value::decode(entry >> 4), Basis::from_code(basis).unwrap_or(Basis::Name))
}

/// An interned set of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(u32);

impl SetId {
    /// The empty set: nothing reaches here.
    pub const EMPTY: SetId = SetId(0);
    /// More values than are told apart.
    pub const TOP: SetId = SetId(1);
}

/// The sets of one file's resolution.
pub struct Sets {
    sets: Vec<Box<[Entry]>>,
    ids: FxHashMap<Box<[Entry]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Default for Sets {
    fn default() -> Self {
        let mut ids = FxHashMap::default();
        ids.insert(Box::from([]), SetId::EMPTY);
        Sets {
            sets: vec![Box::from([]), Box::from([entry(Value::Unknown, Basis::Name)])],
            ids,
            unions: FxHashMap::default(),
        }
    }
}

impl Sets {
    /// The entries of a set, sorted by value.
    pub fn entries(&self, set: SetId) -> &[Entry] {
        &self.sets[set.0 as usize]
    }

    /// The set of one value.
    pub fn single(&mut self, value: Value, basis: Basis) -> SetId {
        self.intern(vec![entry(value, basis)])
    }

    /// The set of these entries; of equal values the one with the strongest basis stays.
    pub fn of(&mut self, mut entries: Vec<Entry>) -> SetId {
        entries.sort_unstable();
        entries.dedup_by_key(|entry| *entry >> 4);
        self.intern(entries)
    }

    /// The set with every basis at least as weak as `basis`.
    pub fn weaken(&mut self, set: SetId, basis: Basis) -> SetId {
        if set == SetId::TOP || self.entries(set).iter().all(|&entry| entry & 0xf >= basis as u64) {
            return set;
        }
        let entries = self.entries(set).iter().map(|&entry| entry & !0xf | (entry & 0xf).max(basis as u64)).collect();
        self.of(entries)
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
        if let Some(&set) = self.unions.get(&pair) {
            return set;
        }
        let entries = [self.entries(a), self.entries(b)].concat();
        let set = self.of(entries);
        self.unions.insert(pair, set);
        set
    }

    fn intern(&mut self, entries: Vec<Entry>) -> SetId {
        if entries.len() > MAX_VALUES {
            return SetId::TOP;
        }
        if let Some(&id) = self.ids.get(entries.as_slice()) {
            return id;
        }
        let id = SetId(u32::try_from(self.sets.len()).expect("fewer than 2^32 sets"));
        let entries: Box<[Entry]> = entries.into();
        self.sets.push(entries.clone());
        self.ids.insert(entries, id);
        id
    }
}
