//! The facts of one file: everything that later stages need, so that a known content is never parsed twice.
//!
//! `lang` fills [`FileFacts`], in two parts: the [`Interface`], which other files can see, and the [`Bodies`], the
//! lowered code that only the file's own resolution reads. Facts know no path, no module name and no other file: they
//! are a function of the bytes alone.

pub mod bindings;
pub mod bodies;
mod code;
pub mod columns;
pub mod fingerprint;
pub mod flow;
pub mod interface;
pub mod literals;
pub mod names;
pub mod packed;
pub mod written;

pub use bodies::Bodies;
pub use interface::Interface;
pub use names::{NameId, Names, hash_name};

use crate::model::EntityRecord;

/// Format of the stored facts. Another value in the index means that every file is parsed again.
pub const FACTS_VERSION: u32 = 53;

/// Everything extraction finds in one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileFacts {
    pub interface: Interface,
    pub bodies: Bodies,
}

/// Facts as stored, in their two parts, packed: several times shorter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Encoded {
    pub interface: Vec<u8>,
    pub bodies: Vec<u8>,
}

const ENCODES: &str = "plain data always encodes";

impl FileFacts {
    /// The facts as stored. They stay as they are; writing and reading share one description of the tables.
    pub fn encode(&mut self) -> Encoded {
        let interface = packed::pack(&postcard::to_stdvec(&self.interface).expect(ENCODES));
        let code = code::write(&mut self.bodies);
        let bodies = postcard::to_extend(&self.bodies, Vec::new()).expect(ENCODES);
        Encoded { interface, bodies: packed::pack(&[bodies, code].concat()) }
    }
}

impl Interface {
    /// Reads the bytes of [`FileFacts::encode`]; `None` for damaged bytes.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut interface: Self = postcard::from_bytes(&packed::unpack(bytes)?).ok()?;
        interface.rehash()?;
        Some(interface)
    }
}

impl Bodies {
    /// Reads the bytes of [`FileFacts::encode`]; `None` for damaged bytes.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes = packed::unpack(bytes)?;
        let (mut bodies, code) = postcard::take_from_bytes::<Self>(&bytes).ok()?;
        code::read(code, &mut bodies)?;
        bodies.names.rehash()?;
        Some(bodies)
    }

    /// The entities of the file; index 0 is the module.
    pub fn records(&self) -> &[EntityRecord] {
        &self.records
    }
}
