//! Parameters of a signature and whether a call fits them.
//!
//! Goes in: a signature as the index keeps it (`(self, x: int = 3, *a, k=1) -> str`) and the shape of a call.
//! Comes out: the parameters, and the reason why a call would raise `TypeError`. Does not know types.

use std::fmt;

use crate::model::CallShape;

/// How an argument reaches a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    PositionalOnly,
    Plain,
    /// `*args`
    VarPositional,
    KeywordOnly,
    /// `**kwargs`
    VarKeyword,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub kind: ParameterKind,
    pub has_default: bool,
}

impl Parameter {
    fn is_positional(&self) -> bool {
        matches!(self.kind, ParameterKind::PositionalOnly | ParameterKind::Plain)
    }
}

/// Why a call does not fit a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// More positional arguments than parameters for them.
    TooMany { takes: usize, gets: usize },
    /// A keyword that no parameter takes.
    Keyword(String),
    /// A parameter gets nothing.
    Missing(String),
    /// A parameter gets a value by position and by keyword.
    Twice(String),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { takes: 1, gets } => write!(f, "takes 1 positional argument, gets {gets}"),
            Self::TooMany { takes, gets } => write!(f, "takes {takes} positional arguments, gets {gets}"),
            Self::Keyword(name) => write!(f, "takes no keyword `{name}`"),
            Self::Missing(name) => write!(f, "needs `{name}`"),
            Self::Twice(name) => write!(f, "gets `{name}` twice"),
        }
    }
}

/// The parameters of a callable, in order. The first one is still there for methods (`self`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    pub parameters: Vec<Parameter>,
}

impl Signature {
    /// Reads a signature; `None` when `text` is not one.
    pub fn parse(text: &str) -> Option<Signature> {
        let open = text.find('(')?;
        let close = matching_close(text, open)?;
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut is_keyword_only = false;
        for part in split_top_level(&text[open + 1..close]) {
            let (head, has_default) = head_and_default(part);
            let name = head.trim().trim_start_matches('*').trim();
            if head.trim() == "/" {
                for parameter in &mut parameters {
                    parameter.kind = ParameterKind::PositionalOnly;
                }
                continue;
            }
            let kind = if head.trim_start().starts_with("**") {
                ParameterKind::VarKeyword
            } else if head.trim_start().starts_with('*') {
                is_keyword_only = true;
                ParameterKind::VarPositional
            } else if is_keyword_only {
                ParameterKind::KeywordOnly
            } else {
                ParameterKind::Plain
            };
            if !name.is_empty() {
                parameters.push(Parameter { name: name.to_owned(), kind, has_default });
            }
        }
        Some(Signature { parameters })
    }

    /// The signature as a caller through an instance or class sees it: without `self` or `cls`.
    #[must_use]
    pub fn bound(mut self) -> Signature {
        if self.parameters.first().is_some_and(Parameter::is_positional) {
            self.parameters.remove(0);
        }
        self
    }

    /// Why the call would raise `TypeError`, or `None` when it fits or cannot be told.
    pub fn mismatch(&self, call: &CallShape) -> Option<Mismatch> {
        if call.is_open {
            return None;
        }
        let positional: Vec<&Parameter> = self.parameters.iter().filter(|p| p.is_positional()).collect();
        let given = call.positional as usize;
        if given > positional.len() && !self.has(ParameterKind::VarPositional) {
            return Some(Mismatch::TooMany { takes: positional.len(), gets: given });
        }
        for keyword in &call.keywords {
            let is_named = |p: &&Parameter| {
                p.name == *keyword && matches!(p.kind, ParameterKind::Plain | ParameterKind::KeywordOnly)
            };
            match self.parameters.iter().find(is_named) {
                None if !self.has(ParameterKind::VarKeyword) => return Some(Mismatch::Keyword(keyword.clone())),
                Some(found) if positional.iter().take(given).any(|p| p.name == found.name) => {
                    return Some(Mismatch::Twice(keyword.clone()));
                }
                _ => {}
            }
        }
        let missing = |p: &&Parameter| !p.has_default && !call.keywords.contains(&p.name);
        let missing_positional = positional.iter().skip(given).copied().find(|p| missing(p));
        let keyword_only = self.parameters.iter().filter(|p| p.kind == ParameterKind::KeywordOnly);
        let lacking = missing_positional.or_else(|| keyword_only.into_iter().find(missing))?;
        Some(Mismatch::Missing(lacking.name.clone()))
    }

    /// Whether there is a parameter of this kind.
    pub fn has(&self, kind: ParameterKind) -> bool {
        self.parameters.iter().any(|p| p.kind == kind)
    }

    /// The name of the parameter that the positional argument with this number, counted from 0, reaches.
    pub fn reached_by(&self, position: usize) -> Option<&str> {
        self.parameters.iter().filter(|p| p.is_positional()).nth(position).map(|p| p.name.as_str())
    }

    /// Whether the call passes something for the parameter `name`; `None` when `*` or `**` hide it.
    pub fn passes(&self, call: &CallShape, name: &str) -> Option<bool> {
        let by_position = self.position(name).is_some_and(|position| position < call.positional as usize);
        match by_position || call.keywords.iter().any(|keyword| keyword == name) {
            true => Some(true),
            false if call.is_open => None,
            false => Some(false),
        }
    }

    /// Number of the positional argument that reaches the parameter `name`, counted from 0.
    pub fn position(&self, name: &str) -> Option<usize> {
        let index = self.parameters.iter().position(|p| p.name == name)?;
        matches!(self.parameters[index].kind, ParameterKind::PositionalOnly | ParameterKind::Plain).then_some(index)
    }
}

/// The parts of `text` between the commas that stand outside brackets and strings; empty parts are left out.
pub fn split_top_level(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, byte, depth) in outside_strings(text) {
        if byte == b',' && depth == 0 {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Where the bracket opened at byte `open` closes.
pub fn matching_close(text: &str, open: usize) -> Option<usize> {
    let found = outside_strings(&text[open..])
        .into_iter()
        .skip(1)
        .find(|(_, byte, depth)| *depth == 0 && matches!(byte, b')' | b']' | b'}'));
    found.map(|(at, ..)| open + at)
}

/// `name: annotation` and whether `= default` follows.
fn head_and_default(part: &str) -> (&str, bool) {
    let bytes = part.as_bytes();
    let mut name_end = None;
    for (at, byte, depth) in outside_strings(part) {
        let is_comparison = bytes.get(at + 1) == Some(&b'=') || (at > 0 && b"=!<>:".contains(&bytes[at - 1]));
        if depth == 0 && byte == b'=' && !is_comparison {
            return (&part[..name_end.unwrap_or(at)], true);
        }
        if depth == 0 && byte == b':' && name_end.is_none() {
            name_end = Some(at);
        }
    }
    (&part[..name_end.unwrap_or(part.len())], false)
}

/// The ASCII bytes of `text` that stand outside string literals, each with the bracket depth after it.
fn outside_strings(text: &str) -> Vec<(usize, u8, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::with_capacity(bytes.len());
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                continue;
            }
            b'#' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if byte.is_ascii() {
            found.push((at, byte, depth));
        }
        at += 1;
    }
    found
}

/// The byte after the string literal that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let is_triple = bytes[start..].starts_with(&[quote, quote, quote]);
    let mut at = start + if is_triple { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            byte if byte == quote && !is_triple => return at + 1,
            _ if is_triple && bytes[at..].starts_with(&[quote, quote, quote]) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(positional: u32, keywords: &[&str]) -> CallShape {
        CallShape { positional, keywords: keywords.iter().map(|&k| k.to_owned()).collect(), is_open: false }
    }

    #[test]
    fn brackets_strings_and_markers_are_respected() {
        let signature = Signature::parse(
            "(self, a: dict[str, int], /, b: str = \"x, y)\", *, key: Callable[[int], str] = lambda v: v == 1, **rest) -> int",
        );
        let parameters = signature.expect("a signature").parameters;
        let names: Vec<_> = parameters.iter().map(|p| (p.name.as_str(), p.kind, p.has_default)).collect();
        assert_eq!(
            names,
            [
                ("self", ParameterKind::PositionalOnly, false),
                ("a", ParameterKind::PositionalOnly, false),
                ("b", ParameterKind::Plain, true),
                ("key", ParameterKind::KeywordOnly, true),
                ("rest", ParameterKind::VarKeyword, false),
            ]
        );
    }

    #[test]
    fn a_call_that_cannot_work_is_told_apart() {
        let signature = Signature::parse("(self, a, b=1, *, k)").expect("a signature").bound();
        let mismatch = |call: &CallShape| signature.mismatch(call).map(|mismatch| mismatch.to_string());
        assert_eq!(mismatch(&call(1, &["k"])), None);
        assert_eq!(mismatch(&call(3, &["k"])).as_deref(), Some("takes 2 positional arguments, gets 3"));
        assert_eq!(mismatch(&call(1, &[])).as_deref(), Some("needs `k`"));
        assert_eq!(mismatch(&call(0, &["k"])).as_deref(), Some("needs `a`"));
        assert_eq!(mismatch(&call(1, &["k", "z"])).as_deref(), Some("takes no keyword `z`"));
        assert_eq!(mismatch(&call(1, &["k", "a"])).as_deref(), Some("gets `a` twice"));
        let open = CallShape { is_open: true, ..call(9, &[]) };
        assert_eq!(mismatch(&open), None);
    }

    #[test]
    fn what_is_not_a_signature_is_not_read() {
        assert_eq!(Signature::parse(""), None);
        assert_eq!(Signature::parse("(a, b"), None);
        assert_eq!(Signature::parse("()").expect("a signature").parameters, []);
    }
}
