//! The lowered code of the files that a query looks at, read from the index once each.

use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeSet,
    rc::Rc,
};

use rustc_hash::FxHashMap;

use crate::{
    facts::Bodies,
    model::{FileRecord, Position},
    store::{Store, error::StoreError},
};

/// The code of one file, with the answers that take a pass over all of it.
#[derive(Default)]
pub(crate) struct WrittenCode {
    pub(crate) bodies: Bodies,
    own_lookup_lines: OnceCell<BTreeSet<u32>>,
    guarded_import_lines: OnceCell<BTreeSet<u32>>,
    compared_positions: OnceCell<BTreeSet<Position>>,
}

impl WrittenCode {
    /// See [`Bodies::own_lookup_lines`].
    pub(crate) fn looks_up_on_itself(&self, line: u32) -> bool {
        self.own_lookup_lines.get_or_init(|| self.bodies.own_lookup_lines()).contains(&line)
    }

    /// See [`Bodies::guarded_import_lines`].
    pub(crate) fn guards_import(&self, line: u32) -> bool {
        self.guarded_import_lines.get_or_init(|| self.bodies.guarded_import_lines()).contains(&line)
    }

    /// See [`Bodies::compared_positions`].
    pub(crate) fn compares(&self, position: Position) -> bool {
        self.compared_positions.get_or_init(|| self.bodies.compared_positions()).contains(&position)
    }
}

/// Files by their paths.
#[derive(Default)]
pub(crate) struct WrittenFiles {
    files: RefCell<FxHashMap<String, Rc<WrittenCode>>>,
}

impl WrittenFiles {
    /// The code of a file as it was indexed; empty for a file that is no code or could not be read.
    pub(crate) fn of(&self, store: &Store, file: &FileRecord) -> Result<Rc<WrittenCode>, StoreError> {
        if let Some(code) = self.files.borrow().get(&file.path) {
            return Ok(Rc::clone(code));
        }
        let bodies = store.bodies(&file.content_hash)?.and_then(|bytes| Bodies::decode(&bytes)).unwrap_or_default();
        let code = Rc::new(WrittenCode { bodies, ..WrittenCode::default() });
        self.files.borrow_mut().insert(file.path.clone(), Rc::clone(&code));
        Ok(code)
    }
}
