//! Paths as text: UTF-8 stays as it is, other bytes are written in git's C-style quoting, reversibly.
//!
//! `caf\xe9.py` becomes `"caf\351.py"`, quotation marks included. A path of valid UTF-8 that begins with a quotation
//! mark is quoted too, so every text stands for one path.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;

/// The text for a path's bytes.
pub fn quote(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.starts_with('"') => text.to_owned(),
        _ => quote_always(bytes),
    }
}

/// The bytes that a text of [`quote`] stands for. Text that is not properly quoted stands for itself.
pub fn unquote(text: &str) -> Cow<'_, [u8]> {
    if !text.starts_with('"') {
        return Cow::Borrowed(text.as_bytes());
    }
    unquote_quoted(text.as_bytes()).map_or(Cow::Borrowed(text.as_bytes()), Cow::Owned)
}

/// The path for the system.
pub fn to_path(text: &str) -> PathBuf {
    PathBuf::from(os_string(unquote(text).into_owned()))
}

/// The text for a relative path of the system.
pub(super) fn from_os(name: &std::ffi::OsStr) -> String {
    #[cfg(unix)]
    {
        quote(std::os::unix::ffi::OsStrExt::as_bytes(name))
    }
    #[cfg(not(unix))]
    {
        quote(name.to_string_lossy().replace('\\', "/").as_bytes())
    }
}

/// The system's string for bytes that git or the system gave.
pub(super) fn os_string(bytes: Vec<u8>) -> OsString {
    #[cfg(unix)]
    {
        std::os::unix::ffi::OsStringExt::from_vec(bytes)
    }
    #[cfg(not(unix))]
    {
        OsString::from(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A word as a POSIX shell reads it back.
pub fn shell_quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn quote_always(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 8);
    text.push('"');
    for &byte in bytes {
        if let Some(letter) = letter_of(byte) {
            text.push('\\');
            text.push(char::from(letter));
        } else if (0x20..0x7f).contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push('\\');
            for shift in [6, 3, 0] {
                text.push(char::from(b'0' + ((byte >> shift) & 7)));
            }
        }
    }
    text.push('"');
    text
}

fn unquote_quoted(text: &[u8]) -> Option<Vec<u8>> {
    let mut rest = text.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => return None,
            b'\\' => {
                let (&letter, after) = rest.split_first()?;
                if letter.is_ascii_digit() {
                    let (digits, after) = rest.split_at_checked(3)?;
                    let value = digits.iter().try_fold(0u32, |value, digit| {
                        (b'0'..=b'7').contains(digit).then(|| value * 8 + u32::from(digit - b'0'))
                    })?;
                    bytes.push(u8::try_from(value).ok()?);
                    rest = after;
                } else {
                    bytes.push(byte_of(letter)?);
                    rest = after;
                }
            }
            plain => bytes.push(plain),
        }
    }
    Some(bytes)
}

/// Bytes that have a letter of their own after the backslash.
const LETTERS: [(u8, u8); 9] = [
    (0x07, b'a'),
    (0x08, b'b'),
    (b'\t', b't'),
    (b'\n', b'n'),
    (0x0b, b'v'),
    (0x0c, b'f'),
    (b'\r', b'r'),
    (b'"', b'"'),
    (b'\\', b'\\'),
];

fn letter_of(byte: u8) -> Option<u8> {
    LETTERS.iter().find(|(value, _)| *value == byte).map(|(_, letter)| *letter)
}

fn byte_of(letter: u8) -> Option<u8> {
    LETTERS.iter().find(|(_, value)| *value == letter).map(|(byte, _)| *byte)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::*;

    #[test]
    fn text_stays_as_it_is() {
        assert_eq!(quote("pkg/ünï code.py".as_bytes()), "pkg/ünï code.py");
        assert_eq!(quote(b"a\nb"), "a\nb");
    }

    #[test]
    fn other_bytes_are_quoted_as_git_does() {
        assert_eq!(quote(b"caf\xe9.py"), r#""caf\351.py""#);
        assert_eq!(quote(b"\xff\t\"\\\x01"), r#""\377\t\"\\\001""#);
        assert_eq!(quote(b"\"x"), r#""\"x""#);
    }

    #[test]
    fn badly_quoted_text_stands_for_itself() {
        for text in ["\"", "\"a", "\"\\", "\"\\q\"", "\"\\9\"", "\"\\777\"", "\"\\12\"", "\"a\"b\""] {
            assert_eq!(&*unquote(text), text.as_bytes(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_path_comes_back(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let text = quote(&bytes);
            prop_assert_eq!(&*unquote(&text), &bytes[..]);
        }
    }
}
