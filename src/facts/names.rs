//! The names that occur in one file, each once, with the hash by which files compare them.
//!
//! A name gets a small id and a 64-bit hash; the hash is the same in every file and every run.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Index of a name in its file's [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NameId(pub u32);

/// A table of distinct names, one behind the other in one text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Names {
    text: String,
    /// In bytes.
    lengths: Vec<u32>,
    /// Where each name begins, and its hash.
    #[serde(skip)]
    places: Vec<(u32, u64)>,
    #[serde(skip)]
    by_hash: FxHashMap<u64, u32>,
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.lengths == other.lengths
    }
}

impl Names {
    /// The id of `text`, added when it is new.
    pub fn intern(&mut self, text: &str) -> NameId {
        let hash = hash_name(text);
        if let Some(&id) = self.by_hash.get(&hash) {
            return NameId(id);
        }
        let number = |number: usize| u32::try_from(number).expect("a file is shorter than 4 GiB");
        let id = number(self.lengths.len());
        self.places.push((number(self.text.len()), hash));
        self.lengths.push(number(text.len()));
        self.text.push_str(text);
        self.by_hash.insert(hash, id);
        NameId(id)
    }

    /// The text of a name.
    pub fn text(&self, id: NameId) -> &str {
        let (start, length) = (self.places[id.0 as usize].0 as usize, self.lengths[id.0 as usize] as usize);
        &self.text[start..start + length]
    }

    /// The hash of a name, equal to [`hash_name`] of its text.
    pub fn hash(&self, id: NameId) -> u64 {
        self.places[id.0 as usize].1
    }

    /// The hash of a name; `None` when it is not here.
    pub(super) fn known_hash(&self, id: NameId) -> Option<u64> {
        self.places.get(id.0 as usize).map(|&(_, hash)| hash)
    }

    /// Restores the fields that are not stored; `None` when the lengths do not match the text.
    pub(super) fn rehash(&mut self) -> Option<()> {
        let mut rest = self.text.as_str();
        self.places.reserve_exact(self.lengths.len());
        for &length in &self.lengths {
            let start = u32::try_from(self.text.len() - rest.len()).ok()?;
            let (name, tail) = rest.split_at_checked(length as usize)?;
            self.places.push((start, hash_name(name)));
            rest = tail;
        }
        rest.is_empty().then_some(())
    }

    /// Drops the table that only [`Names::intern`] needs.
    pub fn seal(&mut self) {
        self.text.shrink_to_fit();
        self.by_hash = FxHashMap::default();
    }
}

/// A 64-bit hash of a name, stable over runs and machines: FNV-1a (Fowler, Noll, Vo) with the finalizer of
/// MurmurHash3. Two names of one repository collide with a probability below 1e-8 for 500,000 distinct names.
pub const fn hash_name(text: &str) -> u64 {
    hash_bytes(0xcbf2_9ce4_8422_2325, text.as_bytes())
}

/// [`hash_name`] continued from the state `seed`; used to chain parts of a key.
pub const fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = seed;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        index += 1;
    }
    mix(hash)
}

/// The finalizer of MurmurHash3 (Appleby, public domain): spreads every bit over the word.
pub const fn mix(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}
