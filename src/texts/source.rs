//! The borders between the header, the documentation and the body of a definition.
//!
//! A light scan over brackets and strings, not a parser: the syntax tree no longer exists when texts are made. On
//! broken source a wrong border only moves a few words to the other field.

/// Splits the text after the header of a definition into docstring and body; a missing part is empty.
pub(crate) fn split_definition(definition: &str) -> (&str, &str) {
    let body = &definition[header_end(definition)..];
    split_body(body)
}

/// Splits a body (of a definition or a module) into its docstring, without quotes, and the rest.
pub(crate) fn split_body(body: &str) -> (&str, &str) {
    let mut rest = body;
    loop {
        rest = rest.trim_start_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
        if !rest.starts_with('#') {
            break;
        }
        rest = rest.split_once('\n').map_or("", |(_, after)| after);
    }
    let prefix = rest.bytes().take(2).take_while(|byte| b"rRuU".contains(byte)).count();
    let Some(string) = string_at(&rest[prefix..]) else { return ("", body) };
    let after = &rest[prefix + string.whole..];
    (&rest[prefix + string.quote..prefix + string.whole - string.closing], after)
}

/// Bytes up to behind the colon that ends a header.
fn header_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b':' if depth == 0 => return at + 1,
            b'#' => at += bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at - 1),
            b'"' | b'\'' => at += string_at(&text[at..]).map_or(0, |string| string.whole - 1),
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// A string literal at the beginning of a text, in bytes.
pub(crate) struct StringLiteral {
    /// Opening quotes.
    pub(crate) quote: usize,
    /// All of it.
    pub(crate) whole: usize,
    /// Closing quotes; 0 when it never ends.
    pub(crate) closing: usize,
}

/// The string literal, without a prefix, with which a text begins. One of single quotes ends with its line.
pub(crate) fn string_at(text: &str) -> Option<StringLiteral> {
    let bytes = text.as_bytes();
    let mark = *bytes.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let quote = if bytes.len() > 2 && bytes[1] == mark && bytes[2] == mark { 3 } else { 1 };
    let mut at = quote;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' if quote == 1 => return Some(StringLiteral { quote, whole: at, closing: 0 }),
            byte if byte == mark && bytes[at..].iter().take(quote).filter(|byte| **byte == mark).count() == quote => {
                return Some(StringLiteral { quote, whole: at + quote, closing: quote });
            }
            _ => {}
        }
        at += 1;
    }
    Some(StringLiteral { quote, whole: bytes.len(), closing: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_docstrings_and_bodies_are_told_apart() {
        let text = "def f(a: dict = {'x:': \"):\"},  # why: not\n      b=1) -> 'T':\n    # note\n    r\"\"\"Says \\\"it\\\".\n\n    More.\"\"\"\n    return 1";
        let (doc, body) = split_definition(text);
        assert_eq!(doc, "Says \\\"it\\\".\n\n    More.");
        assert_eq!(body.trim(), "return 1");
        assert_eq!(split_definition("class A: x = 1"), ("", " x = 1"));
        assert_eq!(split_definition("def f(): 'one line'"), ("one line", ""));
    }

    #[test]
    fn broken_source_is_no_error() {
        for text in [
            "",
            "def",
            "def f(",
            "def f():\n  '",
            "def f():\n  \"\"\"never ends",
            "def f('''",
            "class É: \"ü",
            "\\",
            "'\\",
        ] {
            split_definition(text);
            split_body(text);
        }
        assert_eq!(split_definition("def f():\n  \"\"\"never ends ü"), ("never ends ü", ""));
    }
}
