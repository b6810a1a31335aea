//! The text of a signature, `(self, x: int = 3, *a, k=1) -> str`, divided into its parts.

use super::{
    brackets::{matching_close, outside_strings, split_at_commas},
    signature::{Parameter, ParameterKind},
};

/// The parameters of a signature with their annotations, and the annotation of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenSignature<'a> {
    pub parameters: Vec<WrittenParameter<'a>>,
    /// Empty where the source has none.
    pub result: &'a str,
}

/// A parameter as the source has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenParameter<'a> {
    /// Without its stars.
    pub name: &'a str,
    pub kind: ParameterKind,
    /// Empty where the source has none.
    pub annotation: &'a str,
    pub default: Option<&'a str>,
}

impl<'a> WrittenSignature<'a> {
    /// Reads a signature; `None` for any other text.
    pub fn parse(text: &'a str) -> Option<Self> {
        let open = text.find('(')?;
        let close = matching_close(text, open)?;
        let result = text[close + 1..].trim().strip_prefix("->").unwrap_or_default().trim();
        let mut parameters: Vec<WrittenParameter> = Vec::new();
        let mut is_keyword_only = false;
        for part in split_at_commas(&text[open + 1..close]) {
            let (head, annotation, default) = divided(part);
            if head == "/" {
                for parameter in &mut parameters {
                    parameter.kind = ParameterKind::PositionalOnly;
                }
                continue;
            }
            let kind = if head.starts_with("**") {
                ParameterKind::Keywords
            } else if head.starts_with('*') {
                is_keyword_only = true;
                ParameterKind::Positionals
            } else if is_keyword_only {
                ParameterKind::KeywordOnly
            } else {
                ParameterKind::Ordinary
            };
            let name = head.trim_start_matches('*').trim();
            if !name.is_empty() {
                parameters.push(WrittenParameter { name, kind, annotation, default });
            }
        }
        Some(Self { parameters, result })
    }
}

impl WrittenParameter<'_> {
    /// The parameter as the callers see it.
    pub fn parameter(self) -> Parameter {
        Parameter { name: self.name.to_owned(), kind: self.kind, has_default: self.default.is_some() }
    }
}

/// The three parts of `name: annotation = default`.
fn divided(part: &str) -> (&str, &str, Option<&str>) {
    let bytes = part.as_bytes();
    let mut name_end = None;
    let mut equals = None;
    for (at, byte, depth) in outside_strings(part) {
        let is_comparison = bytes.get(at + 1) == Some(&b'=') || (at > 0 && b"=!<>:".contains(&bytes[at - 1]));
        if depth == 0 && byte == b'=' && !is_comparison {
            equals = Some(at);
            break;
        }
        if depth == 0 && byte == b':' && name_end.is_none() {
            name_end = Some(at);
        }
    }
    let end = equals.unwrap_or(part.len());
    let annotation = name_end.map_or("", |at| part[at + 1..end].trim());
    (part[..name_end.unwrap_or(end)].trim(), annotation, equals.map(|at| part[at + 1..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_strings_and_markers_are_respected() {
        let text = "(self, a: dict[str, int], /, b: str = \"x, y)\", *, key: Callable[[int], str] = lambda v: v == 1, **rest) -> int";
        let signature = WrittenSignature::parse(text).expect("a signature");
        let parameters: Vec<_> =
            signature.parameters.iter().map(|p| (p.name, p.kind, p.annotation, p.default)).collect();
        assert_eq!(
            parameters,
            [
                ("self", ParameterKind::PositionalOnly, "", None),
                ("a", ParameterKind::PositionalOnly, "dict[str, int]", None),
                ("b", ParameterKind::Ordinary, "str", Some("\"x, y)\"")),
                ("key", ParameterKind::KeywordOnly, "Callable[[int], str]", Some("lambda v: v == 1")),
                ("rest", ParameterKind::Keywords, "", None),
            ]
        );
        assert_eq!(signature.result, "int");
    }

    #[test]
    fn other_text_is_no_signature() {
        assert_eq!(WrittenSignature::parse("int"), None);
        assert_eq!(WrittenSignature::parse("(a, b"), None);
    }
}
