//! Registers sqlite-vec's functions for every connection of this process, so that SQL can compare vectors. The one
//! place of the library with unsafe code.

use std::sync::Once;

/// Registers the functions, once.
pub(crate) fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[expect(unsafe_code, reason = "SQLite learns of an extension by a C function")]
        // SAFETY: `sqlite3_vec_init` is an entry point of this kind: its C declaration is the one that SQLite documents
        // for extensions that are linked in. The crate declares it without arguments. It lives as long as the program.
        let registered = unsafe {
            let init: rusqlite::auto_extension::RawAutoExtension =
                std::mem::transmute(sqlite_vec::sqlite3_vec_init as *const ());
            rusqlite::auto_extension::register_auto_extension(init)
        };
        registered.expect("there is memory for one more extension");
    });
}
