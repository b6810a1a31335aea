//! The limits beyond which a file counts as data and is skipped, with the reason.
//!
//! Generated tables cost as much as a program and define nothing that anybody calls. The usual limits are far from any
//! source that people write, and a repository may set its own.

use std::fmt;

use crate::lang::python::is_binary;

/// The entry of an index that holds its limits.
pub(crate) const ENTRY: &str = "limits";

/// A text with fewer characters is no table, whatever they are.
const LEAST_CHARACTERS: usize = 1000;

/// Limits of the files that are indexed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileLimits {
    /// Most KiB.
    pub kib: usize,
    /// Most KiB of a document.
    pub document_kib: usize,
    /// Most lines.
    pub lines: usize,
    /// Most characters of a line on average; not for documents, where a paragraph may be a line.
    pub average_line: usize,
    /// Least share of letters and digits among the characters that are no white space, 0 to 1.
    pub alphanumeric: f64,
    /// Largest share of digits among them, 0 to 1.
    pub digits: f64,
}

impl Default for FileLimits {
    /// Tests of mathematical programs consist of digits by three quarters, and drawings of signs by two thirds.
    fn default() -> Self {
        Self {
            kib: 4096,
            document_kib: 1024,
            lines: 100_000,
            average_line: usize::MAX,
            alphanumeric: 0.25,
            digits: 0.9,
        }
    }
}

impl FileLimits {
    /// The limits of an index, by its entry.
    pub(crate) fn of_entry(entry: Option<&str>) -> Self {
        let read = |entry: &str| {
            let mut parts = entry.split(' ');
            let kib = parts.next()?.parse().ok()?;
            let document_kib = parts.next()?.parse().ok()?;
            let lines = parts.next()?.parse().ok()?;
            let average_line = parts.next()?.parse().ok()?;
            let alphanumeric = parts.next()?.parse().ok()?;
            let digits = parts.next()?.parse().ok()?;
            Some(Self { kib, document_kib, lines, average_line, alphanumeric, digits })
        };
        entry.and_then(read).unwrap_or_default()
    }

    /// Why a file of this size is skipped.
    pub(crate) fn of_size(&self, bytes: u64) -> Result<(), String> {
        of_size(bytes, self.kib, "max_file_kib")
    }

    /// Why a document of this size is skipped.
    pub(crate) fn of_document_size(&self, bytes: u64) -> Result<(), String> {
        of_size(bytes, self.document_kib, "max_document_kib")
    }

    /// Why a file with these bytes is skipped.
    pub(crate) fn of_bytes(&self, bytes: &[u8]) -> Result<(), String> {
        if is_binary(bytes) {
            return Err("binary".to_owned());
        }
        let counts = CharacterCounts::of(bytes);
        if counts.line / counts.lines.max(1) > self.average_line {
            return Err(format!("lines of more than {} characters on average (max_average_line)", self.average_line));
        }
        self.of_counts(&counts)
    }

    /// Why a document with these bytes is skipped.
    pub(crate) fn of_document(&self, bytes: &[u8]) -> Result<(), String> {
        if bytes.contains(&0) {
            return Err("binary".to_owned());
        }
        self.of_counts(&CharacterCounts::of(bytes))
    }

    fn of_counts(&self, counts: &CharacterCounts) -> Result<(), String> {
        if counts.lines > self.lines {
            return Err(format!("more than {} lines (max_lines)", self.lines));
        }
        if counts.all < LEAST_CHARACTERS {
            return Ok(());
        }
        if counts.share(counts.alphanumeric) < self.alphanumeric {
            return Err(format!("less than {} letters and digits (min_alphanumeric)", percent(self.alphanumeric)));
        }
        if counts.share(counts.digits) > self.digits {
            return Err(format!("more than {} digits (max_digits)", percent(self.digits)));
        }
        Ok(())
    }
}

impl fmt::Display for FileLimits {
    /// The form of the entry.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kib, document_kib, lines, average_line, alphanumeric, digits } = self;
        write!(f, "{kib} {document_kib} {lines} {average_line} {alphanumeric} {digits}")
    }
}

fn of_size(bytes: u64, kib: usize, setting: &str) -> Result<(), String> {
    if bytes.div_ceil(1024) > u64::try_from(kib).unwrap_or(u64::MAX) {
        return Err(format!("larger than {kib} KiB ({setting})"));
    }
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{} %", (share * 1000.0).round() / 10.0)
}

/// The characters of a text that are no white space.
struct CharacterCounts {
    lines: usize,
    /// Characters of all lines, with their white space.
    line: usize,
    all: usize,
    /// Beyond ASCII every character counts as a letter.
    alphanumeric: usize,
    digits: usize,
}

impl CharacterCounts {
    fn of(bytes: &[u8]) -> Self {
        let mut counts = Self { lines: 0, line: 0, all: 0, alphanumeric: 0, digits: 0 };
        for &byte in bytes {
            // The further bytes of a character in UTF-8, and the zeros of UTF-16, are no characters.
            let is_one = !(byte.is_ascii_whitespace() || (0x80..0xc0).contains(&byte) || byte == 0);
            counts.lines += usize::from(byte == b'\n');
            counts.all += usize::from(is_one);
            counts.line += usize::from(is_one || matches!(byte, b' ' | b'\t'));
            counts.alphanumeric += usize::from(byte.is_ascii_alphanumeric() || byte >= 0xc0);
            counts.digits += usize::from(byte.is_ascii_digit());
        }
        counts.lines += usize::from(bytes.last().is_some_and(|last| *last != b'\n'));
        counts
    }

    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    fn share(&self, part: usize) -> f64 {
        part as f64 / self.all.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(limits: FileLimits, text: &str) -> String {
        limits.of_bytes(text.as_bytes()).err().unwrap_or_default()
    }

    #[test]
    fn data_is_told_from_source_by_its_characters() {
        let usual = FileLimits::default();
        assert_eq!(check(usual, &"TABLE = [1, 2, 3]\n".repeat(100)), "");
        assert_eq!(check(usual, &"1234567890123, 9876543210987,\n".repeat(100)), "more than 90 % digits (max_digits)");
        let drawing = "'|--+--|', '. . .',\n".repeat(100);
        assert_eq!(check(usual, &drawing), "less than 25 % letters and digits (min_alphanumeric)");
        assert_eq!(check(usual, &drawing[..200]), "", "too short for a table");
        assert_eq!(check(usual, &"# это письмо\n".repeat(100)), "", "letters of other scripts");
        assert_eq!(check(usual, "\0"), "binary");
    }

    #[test]
    fn lines_and_bytes_are_counted() {
        let few = FileLimits { lines: 2, kib: 1, ..FileLimits::default() };
        assert_eq!(check(few, "a\nb"), "");
        assert_eq!(check(few, "a\nb\nc"), "more than 2 lines (max_lines)");
        let short = FileLimits { average_line: 4, ..FileLimits::default() };
        assert_eq!(check(short, "a bc\n12345\n\n"), "");
        assert_eq!(check(short, "a bcd\r\nabcde\r\n"), "lines of more than 4 characters on average (max_average_line)");
        assert_eq!(short.of_document(b"a bcdefgh\n"), Ok(()));
        assert_eq!(few.of_document(b"a\nb\nc"), Err("more than 2 lines (max_lines)".to_owned()));
        assert_eq!(few.of_size(1024), Ok(()));
        assert_eq!(few.of_size(1025), Err("larger than 1 KiB (max_file_kib)".to_owned()));
    }

    #[test]
    fn the_entry_of_an_index_holds_its_limits() {
        let limits =
            FileLimits { kib: 1, document_kib: 3, lines: 2, average_line: 9, alphanumeric: 0.125, digits: 1.0 };
        assert_eq!(FileLimits::of_entry(Some(&limits.to_string())), limits);
        assert_eq!(FileLimits::of_entry(Some("4096")), FileLimits::default());
        assert_eq!(FileLimits::of_entry(None), FileLimits::default());
    }
}
