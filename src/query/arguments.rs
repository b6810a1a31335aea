//! The arguments of a call as they stand in the source.
//!
//! Goes in: a text and the place of a call in it. Comes out: the arguments, and what is passed for one parameter.
//! Reads the source again because the index does not keep arguments of resolved calls.

use crate::query::signature::{Signature, matching_close, split_top_level};

/// What a call passes for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// This expression.
    Value(String),
    /// Perhaps something, through `*args` or `**kwargs`.
    Hidden,
    /// Nothing: the default is used.
    Nothing,
}

/// What the call of `name` at `line` (1-based) and `column` (bytes) passes for `parameter`; `None` when there is no
/// such call.
pub fn passed(
    text: &str,
    line: u32,
    column: u32,
    name: &str,
    signature: &Signature,
    parameter: &str,
) -> Option<Passed> {
    let inner = call_at(text, line, column, name)?;
    let position = signature.position(parameter);
    let mut positional = 0;
    let mut is_hidden = false;
    for argument in split_top_level(inner) {
        let argument = argument.trim();
        if argument.starts_with('*') {
            is_hidden = true;
            continue;
        }
        match keyword(argument) {
            Some((keyword, value)) if keyword == parameter => return Some(Passed::Value(value.to_owned())),
            Some(_) => {}
            None if Some(positional) == position && !is_hidden => return Some(Passed::Value(argument.to_owned())),
            None => positional += 1,
        }
    }
    Some(if is_hidden { Passed::Hidden } else { Passed::Nothing })
}

/// The text between the parentheses of the call.
fn call_at<'t>(text: &'t str, line: u32, column: u32, name: &str) -> Option<&'t str> {
    let line_start: usize = text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
    let start = line_start + column as usize;
    let rest = text.get(start..)?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let direct = rest.find(|c| !is_part(c)).filter(|end| *end > 0);
    let after_name = match direct.map(|end| (end, rest[end..].trim_start_matches([' ', '\t']))) {
        Some((end, tail)) if tail.starts_with('(') => end,
        _ => {
            let end = rest.find(&format!("{name}("))? + name.len();
            (!rest[..end].contains('\n')).then_some(end)?
        }
    };
    let open = start + after_name + rest[after_name..].find('(')?;
    let close = matching_close(text, open)?;
    text.get(open + 1..close)
}

/// `name = value` taken apart.
fn keyword(argument: &str) -> Option<(&str, &str)> {
    let (name, value) = argument.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && !value.starts_with('=')).then(|| (name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, column: u32) -> Option<Passed> {
        let signature = Signature::parse("(self, nodes, depth=1)").expect("a signature").bound();
        passed(text, 2, column, "walk", &signature, "depth")
    }

    #[test]
    fn arguments_are_found_by_position_and_by_keyword() {
        let value = |text: &str| Some(Passed::Value(text.to_owned()));
        assert_eq!(check("\nself.walk(f(a, b), depth - 1)\n", 0), value("depth - 1"));
        assert_eq!(check("\nself.walk(f(a, b), depth - 1)\n", 5), value("depth - 1"));
        assert_eq!(check("\nx[0].walk(\n  a,\n  depth=2,\n)", 0), value("2"));
        assert_eq!(check("\nwalk(a)\n", 0), Some(Passed::Nothing));
        assert_eq!(check("\nwalk(*a)\n", 0), Some(Passed::Hidden));
        assert_eq!(check("\nwalk\n", 0), None);
        assert_eq!(check("", 99), None);
    }
}
