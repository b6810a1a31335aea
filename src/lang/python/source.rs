//! Bytes of a Python file as text that the parser can read.
//!
//! Honours a byte order mark and the encoding cookie of PEP 263 (latin-1 family; everything else is read as UTF-8 with
//! replacement). Lines are ended by LF; a file whose only line ends are CR is read as if they were LF.

use std::borrow::Cow;

/// The text of a file.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        return Cow::Owned(decode_utf16(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        return Cow::Owned(decode_utf16(rest, u16::from_be_bytes));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if has_latin_cookie(bytes) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
        Err(_) => String::from_utf8_lossy(bytes),
    };
    if !text.contains('\n') && text.contains('\r') {
        return Cow::Owned(text.replace('\r', "\n"));
    }
    text
}

/// The file holds no text: a NUL in its first 8 KiB, and no byte order mark of UTF-16.
pub fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(8192)];
    !head.starts_with(&[0xff, 0xfe]) && !head.starts_with(&[0xfe, 0xff]) && head.contains(&0)
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|&pair| unit(pair));
    char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// `# -*- coding: latin-1 -*-` in one of the first two lines.
fn has_latin_cookie(bytes: &[u8]) -> bool {
    bytes.split(|&byte| byte == b'\n').take(2).any(|line| {
        let line = String::from_utf8_lossy(&line[..line.len().min(200)]).to_lowercase();
        line.trim_start().starts_with('#')
            && line.contains("coding")
            && ["latin", "8859", "cp125", "windows-125"].iter().any(|name| line.contains(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latin_cookie_is_honoured_and_a_mark_is_dropped() {
        assert_eq!(decode(b"# -*- coding: latin-1 -*-\nx = '\xe9'\n"), "# -*- coding: latin-1 -*-\nx = '\u{e9}'\n");
        assert_eq!(decode(b"\xef\xbb\xbfx\n"), "x\n");
        assert_eq!(decode(b"\xff\xfex\0\n\0"), "x\n");
        assert_eq!(decode(b"x\ry\r"), "x\ny\n");
    }
}
