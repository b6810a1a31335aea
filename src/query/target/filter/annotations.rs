//! The annotations of a signature, as conditions ask of them.

use super::Filter;
use crate::{
    model::{
        brackets::{outside_strings, split_at_commas},
        written_signature::{WrittenParameter, WrittenSignature},
    },
    query::target::is_suffix,
    store::read::Entity,
};

/// Whether the parameters and the result of a callable have annotations; `None` for anything else.
pub(super) fn has_annotations(entity: &Entity) -> Option<bool> {
    if !entity.record.kind.is_callable() {
        return None;
    }
    let signature = WrittenSignature::parse(&entity.record.signature)?;
    // A constructor's result is known.
    let has_result = !signature.result.is_empty() || entity.record.name == "__init__";
    let is_plain =
        |parameter: &WrittenParameter| parameter.annotation.is_empty() && !matches!(parameter.name, "self" | "cls");
    Some(has_result && !signature.parameters.iter().any(is_plain))
}

/// Whether the result of a callable has an annotation; `None` for anything else.
pub(super) fn has_result(entity: &Entity) -> Option<bool> {
    let signature = Some(&entity.record).filter(|record| record.kind.is_callable())?;
    Some(!WrittenSignature::parse(&signature.signature)?.result.is_empty())
}

/// Whether a parameter or the result has an annotation.
pub fn has_some_annotation(signature: &str) -> bool {
    let signature = WrittenSignature::parse(signature);
    signature.is_some_and(|signature| {
        let has_result = !signature.result.is_empty();
        has_result || signature.parameters.iter().any(|parameter| !parameter.annotation.is_empty())
    })
}

/// Whether a signature has the parameters, and its annotations the names, that are asked for.
pub(super) fn fits_signature(filter: &Filter, signature: &str) -> bool {
    if filter.takes.is_empty() && filter.parameters.is_empty() {
        return true;
    }
    let Some(signature) = WrittenSignature::parse(signature) else { return false };
    let is_taken = |name: &String| signature.parameters.iter().any(|parameter| mentions(parameter.annotation, name));
    let is_there = |name: &String| signature.parameters.iter().any(|parameter| parameter.name == name);
    filter.takes.iter().all(is_taken) && filter.parameters.iter().all(is_there)
}

/// Whether a signature has the annotations that tell whether it meets the conditions.
pub fn tells(filter: &Filter, signature: &str) -> bool {
    if filter.returns.is_empty() && filter.takes.is_empty() {
        return true;
    }
    let Some(signature) = WrittenSignature::parse(signature) else { return false };
    let is_stated =
        |parameter: &WrittenParameter| !parameter.annotation.is_empty() || matches!(parameter.name, "self" | "cls");
    (filter.returns.is_empty() || !signature.result.is_empty())
        && (filter.takes.is_empty() || signature.parameters.iter().all(is_stated))
}

/// Whether the annotation of a result is each of the types, so that no `return` has to say it.
pub fn is_annotated(filter: &Filter, signature: &str) -> bool {
    let signature = WrittenSignature::parse(signature);
    let result = signature.as_ref().map_or("", |signature| signature.result);
    filter.returns.iter().all(|name| is_outermost(result, name))
}

/// Whether an annotation has a name among its dotted names; `Optional` speaks of `None`.
fn mentions(annotation: &str, name: &str) -> bool {
    let is_optional = |part: &str| name.eq_ignore_ascii_case("none") && is_suffix(part, "Optional");
    let parts = annotation.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    parts.into_iter().any(|part| !part.is_empty() && (is_suffix(part, name) || is_optional(part)))
}

/// Whether a value of an annotated type is one of the type of a name: `tuple[int, str]` and `tuple | None` are tuples,
/// `Iterator[tuple]` is none.
fn is_outermost(annotation: &str, name: &str) -> bool {
    let text = annotation.trim().trim_matches(['"', '\'']).trim();
    let alternatives = split_at_bars(text);
    if alternatives.len() > 1 {
        return alternatives.into_iter().any(|one| is_outermost(one, name));
    }
    let (head, inner) = text.split_once('[').unwrap_or((text, ""));
    let parts = || split_at_commas(inner.strip_suffix(']').unwrap_or(inner));
    match head.rsplit('.').next().unwrap_or(head).trim() {
        "Optional" => name.eq_ignore_ascii_case("none") || is_outermost(parts().join(",").as_str(), name),
        "Union" => parts().into_iter().any(|part| is_outermost(part, name)),
        "Annotated" => parts().first().is_some_and(|part| is_outermost(part, name)),
        last => is_suffix(head.trim(), name) || TYPING.contains(&(last, name)),
    }
}

/// The old names of Python's own types.
const TYPING: [(&str, &str); 6] = [
    ("Dict", "dict"),
    ("FrozenSet", "frozenset"),
    ("List", "list"),
    ("Set", "set"),
    ("Tuple", "tuple"),
    ("Type", "type"),
];

/// The parts between the bars that stand outside of brackets: `int | list[str | None]` has two.
fn split_at_bars(text: &str) -> Vec<&str> {
    let bars =
        outside_strings(text).into_iter().filter(|(_, byte, depth)| *byte == b'|' && *depth == 0).map(|(at, ..)| at);
    let ends: Vec<usize> = bars.chain([text.len()]).collect();
    let starts = [0].into_iter().chain(ends.iter().map(|end| end + 1));
    starts.zip(&ends).map(|(start, end)| &text[start..*end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_type_counts() {
        for annotation in [
            "tuple",
            "tuple[int, str | None]",
            "t.Tuple[int, ...]",
            "Optional[tuple[int, int]]",
            "None | tuple",
            "t.Union[int, tuple[int, int]]",
            "Annotated[tuple, Field(1)]",
            "'tuple[int] | None'",
        ] {
            assert!(is_outermost(annotation, "tuple"), "{annotation}");
        }
        for annotation in
            ["ContextManager[tuple]", "t.Iterator[tuple[int, int]]", "list[tuple | None]", "Annotated[int, tuple]"]
        {
            assert!(!is_outermost(annotation, "tuple"), "{annotation}");
        }
        assert!(is_outermost("Optional[int]", "None") && !is_outermost("list[int | None]", "None"));
    }
}
