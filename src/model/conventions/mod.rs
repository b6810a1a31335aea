//! Names that Python, its standard library and its test runners give a meaning to, as plain data.
//!
//! Each list exists once, here; every layer that asks about a name asks this module. A name alone proves nothing: the
//! callers decide whether it is enough for their question, or whether the import behind it has to be known as well.

pub mod bases;
pub mod decorators;
pub mod exceptions;
pub mod http;
pub mod pytest;
pub mod setup;
pub mod standard_classes;
pub mod standard_library;
pub mod test_kinds;
pub mod unittest;

/// The last part of a dotted name.
pub fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Whether a character can stand in a name.
pub fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Whether the `length` bytes of a text from `at` on are no part of a longer name.
pub fn is_whole_name(text: &str, at: usize, length: usize) -> bool {
    !text[..at].ends_with(is_name_part) && !text[at + length..].starts_with(is_name_part)
}

/// Whether a text has a name, not as a part of a longer one.
pub fn has_whole_name(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| is_whole_name(text, at, name.len()))
}

/// Whether Python itself looks for a member of this name: `__init__` and its like.
pub fn is_special(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// Whether a name or a part of a path is private by its first letter: `_cart`, and not `__init__`.
pub fn is_private(part: &str) -> bool {
    part.starts_with('_') && !part.ends_with("__")
}

/// Whether Python puts the class into the name of a member: `__cache` of `Cart` is `_Cart__cache`.
pub fn is_mangled(name: &str) -> bool {
    name.starts_with("__") && !name.ends_with("__")
}

/// Methods that run when a class is called.
pub fn is_constructor(name: &str) -> bool {
    matches!(name, "__init__" | "__new__" | "__post_init__")
}
