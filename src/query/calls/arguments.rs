//! The arguments of a call, read from the source: the index does not keep the arguments of resolved calls.

use crate::model::{
    CallShape,
    brackets::{matching_close, split_at_commas},
    signature::{Filled, Signature},
};

/// The argument of a call for one parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// This expression.
    Value(String),
    /// Perhaps something, through `*args` or `**kwargs`.
    Hidden,
    /// Nothing: the default is used.
    Nothing,
}

/// The argument that the call of `name` at `line` (1-based) and `column` (bytes) passes for `parameter`; `None` when
/// there is no such call.
pub fn passed(
    text: &str,
    line: u32,
    column: u32,
    name: &str,
    signature: &Signature,
    parameter: &str,
) -> Option<Passed> {
    let inner = call_at(text, line, column, name)?;
    Some(among(&split_at_commas(inner), signature, parameter))
}

/// An argument of a call as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenArgument {
    pub keyword: Option<String>,
    pub value: String,
    /// `*args` or `**kwargs`, which stand for any number of arguments.
    pub is_open: bool,
}

/// The arguments of the call of `name` at a place; `None` when there is no such call.
pub fn arguments(text: &str, line: u32, column: u32, name: &str) -> Option<Vec<WrittenArgument>> {
    let inner = call_at(text, line, column, name)?;
    let arguments = split_at_commas(inner).into_iter().map(str::trim).filter(|argument| !argument.is_empty());
    let written = |argument: &str| match keyword(argument) {
        _ if argument.starts_with('*') => {
            WrittenArgument { keyword: None, value: argument.trim_start_matches('*').to_owned(), is_open: true }
        }
        Some((name, value)) => {
            WrittenArgument { keyword: Some(name.to_owned()), value: value.to_owned(), is_open: false }
        }
        None => WrittenArgument { keyword: None, value: argument.to_owned(), is_open: false },
    };
    Some(arguments.map(written).collect())
}

/// The part of these arguments that reaches `parameter`.
fn among(arguments: &[&str], signature: &Signature, parameter: &str) -> Passed {
    let mut shape = CallShape::default();
    let (mut positional, mut keywords) = (Vec::new(), Vec::new());
    for argument in arguments.iter().map(|argument| argument.trim()) {
        match keyword(argument) {
            _ if argument.starts_with('*') => shape.is_open = true,
            Some((name, value)) => {
                shape.keywords.push(name.to_owned());
                keywords.push(value);
            }
            // Nobody knows how many arguments `*args` stands for: the position of those after it is open.
            None if shape.is_open => {}
            None => {
                shape.positional += 1;
                positional.push(argument);
            }
        }
    }
    let by_name = shape.keywords.iter().position(|name| name == parameter);
    let value = match signature.filled(&shape, parameter) {
        Some(Filled::Position(at)) => Some(positional[at]),
        _ => by_name.map(|at| keywords[at]),
    };
    match value {
        Some(value) => Passed::Value(value.to_owned()),
        None if shape.is_open => Passed::Hidden,
        None => Passed::Nothing,
    }
}

/// The argument that `partial(function, …)` keeps for `parameter`, when the function stands at this position.
pub fn kept(text: &str, line: u32, column: u32, signature: &Signature, parameter: &str) -> Option<Passed> {
    let start = offset(text, line)? + column as usize;
    let before = text.get(..start)?.trim_end().strip_suffix('(')?;
    let is_partial = ["partial", "partialmethod"].iter().any(|name| {
        let rest = before.strip_suffix(name);
        rest.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    });
    let open = before.len();
    let close = matching_close(text, open).filter(|_| is_partial)?;
    let arguments = split_at_commas(text.get(start..close)?);
    Some(among(arguments.get(1..).unwrap_or_default(), signature, parameter))
}

/// The last part of the name that is used at this place.
pub fn name_at(text: &str, line: u32, column: u32) -> Option<&str> {
    let rest = text.get(offset(text, line)? + column as usize..)?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
    name.rsplit('.').next()
}

/// Where a line (1-based) begins.
fn offset(text: &str, line: u32) -> Option<usize> {
    Some(text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum())
}

/// The text between the parentheses of the call.
fn call_at<'t>(text: &'t str, line: u32, column: u32, name: &str) -> Option<&'t str> {
    let start = offset(text, line)? + column as usize;
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

    #[test]
    fn a_partial_keeps_arguments() {
        let signature = Signature::parse("(nodes, depth=1)").expect("a signature");
        let value = |text: &str| Some(Passed::Value(text.to_owned()));
        let check = |text: &str, column| kept(text, 1, column, &signature, "depth");
        assert_eq!(check("f = functools.partial(walk, a, (1, 2))", 22), value("(1, 2)"));
        assert_eq!(check("f = partial(walk, depth=2)", 12), value("2"));
        assert_eq!(check("f = partial(walk)", 12), Some(Passed::Nothing));
        assert_eq!(check("f = my_partial(walk, depth=2)", 15), None);
        assert_eq!(check("f = sorted(walk)", 11), None);
        assert_eq!(name_at("x.walk(1)", 1, 0), Some("walk"));
    }
}
