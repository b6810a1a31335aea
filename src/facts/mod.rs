//! What one file says, as data: everything that later stages need, so that a known content is never parsed twice.
//!
//! Goes in: nothing (the types are filled by `lang`). Comes out: [`FileFacts`], in two parts: the [`Interface`], which is
//! all that other files can see, and the [`Bodies`], the lowered code that only the file's own resolution reads.
//! Knows no path, no module name and no other file: facts are a function of the bytes alone.

pub mod bodies;
pub mod interface;
pub mod names;

use serde::{Deserialize, Serialize};

pub use bodies::Bodies;
pub use interface::Interface;
pub use names::{NameId, Names, hash_name};

use crate::model::EntityRecord;

/// Format of the stored facts. Another value in the index means that every file is parsed again.
pub const FACTS_VERSION: u32 = 1;

/// Everything extraction finds in one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    pub interface: Interface,
    pub bodies: Bodies,
}

impl FileFacts {
    /// The two parts as stored: interface, bodies.
    pub fn encode(&self) -> (Vec<u8>, Vec<u8>) {
        let interface = postcard::to_stdvec(&self.interface).expect("plain data always encodes");
        let bodies = postcard::to_stdvec(&self.bodies).expect("plain data always encodes");
        (interface, bodies)
    }
}

impl Interface {
    /// Reads what [`FileFacts::encode`] wrote; `None` for damaged bytes.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut interface: Self = postcard::from_bytes(bytes).ok()?;
        interface.names.rehash();
        Some(interface)
    }
}

impl Bodies {
    /// Reads what [`FileFacts::encode`] wrote; `None` for damaged bytes.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut bodies: Self = postcard::from_bytes(bytes).ok()?;
        bodies.names.rehash();
        Some(bodies)
    }

    /// The entities of the file; index 0 is the module.
    pub fn records(&self) -> &[EntityRecord] {
        &self.records
    }
}
