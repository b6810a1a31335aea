//! Reports as JSON.
//!
//! Control characters (also those above ASCII) and bidi marks are escaped, so that a terminal can show the document.
//! Programs read the same strings as before.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::render::{escape::steers, screen::Screen};

/// Writes `value`: indented for a terminal, else in one line.
pub fn document(out: &mut dyn Write, value: &impl Serialize, screen: &Screen) -> io::Result<()> {
    if !screen.is_terminal {
        return line(out, value);
    }
    let formatter = Escaping(PrettyFormatter::with_indent(b"  "));
    value.serialize(&mut Serializer::with_formatter(&mut *out, formatter))?;
    writeln!(out)
}

/// Writes `value` in one line.
pub fn line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, Escaping(CompactFormatter)))?;
    writeln!(out)
}

/// A formatter that also escapes characters that steer a terminal.
struct Escaping<F>(F);

/// Forwards the calls that shape the indentation.
macro_rules! forward {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, out: &mut W $(, $argument: $type)*) -> io::Result<()> {
            self.0.$name(out $(, $argument)*)
        })*
    };
}

impl<F: Formatter> Formatter for Escaping<F> {
    forward! {
        begin_array();
        end_array();
        begin_array_value(is_first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(is_first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        // Nearly every fragment is plain ASCII, which needs no copy.
        if fragment.bytes().all(|byte| byte.is_ascii() && byte != 0x7f) {
            return out.write_all(fragment.as_bytes());
        }
        let mut start = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| steers(*c)) {
            out.write_all(&fragment.as_bytes()[start..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            start = at + c.len_utf8();
        }
        out.write_all(&fragment.as_bytes()[start..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_escaped_and_read_back() {
        let text = "a\u{9b}\u{202e}\u{7f}\u{e0041}é\n";
        let mut out = Vec::new();
        line(&mut out, &text).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert_eq!(written, "\"a\\u009b\\u202e\\u007f\\udb40\\udc41é\\n\"\n");
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }

    #[test]
    fn documents_are_indented_on_a_terminal() {
        let mut out = Vec::new();
        let terminal = Screen { is_terminal: true, ..Screen::default() };
        document(&mut out, &serde_json::json!({"a": [1, 2], "b": {}}), &terminal).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}\n");
    }
}
