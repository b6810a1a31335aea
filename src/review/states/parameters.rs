//! The edits between two lists of parameters, and the signatures that calls are checked against.

use crate::{
    facts::fingerprint::ParameterShape,
    model::signature::{Parameter, ParameterKind, Signature},
    review::states::edits::{Edit, around_difference},
    texts::secrets::value_without_secrets,
};

/// The edits that lead from one list to the other.
pub(crate) fn edits(old: &[ParameterShape], new: &[ParameterShape]) -> Vec<Edit> {
    let find = |list: &[ParameterShape], name: &str| list.iter().position(|parameter| parameter.name == name);
    let gone: Vec<&ParameterShape> = old.iter().filter(|parameter| find(new, &parameter.name).is_none()).collect();
    let come: Vec<&ParameterShape> = new.iter().filter(|parameter| find(old, &parameter.name).is_none()).collect();
    let renamed = renamed(old, new, &gone, &come);
    let mut edits = Vec::new();
    for (from, to) in &renamed {
        edits.push(Edit::ParameterRenamed { from: from.name.clone(), to: to.name.clone() });
    }
    for parameter in gone.iter().filter(|parameter| !renamed.iter().any(|(from, _)| from.name == parameter.name)) {
        edits.push(Edit::ParameterRemoved { name: shown(parameter) });
    }
    for parameter in come.iter().filter(|parameter| !renamed.iter().any(|(_, to)| to.name == parameter.name)) {
        let is_open = parameter.kind.is_variadic();
        let is_required = parameter.default.is_none() && !is_open;
        edits.push(Edit::ParameterAdded { name: shown(parameter), is_required });
    }
    if order(old, new) != order(new, old) {
        edits.push(Edit::ParametersReordered);
    }
    let kept = old.iter().filter_map(|before| Some((before, new.iter().find(|after| after.name == before.name)?)));
    for (before, after) in kept.chain(renamed.iter().copied()) {
        let name = || after.name.clone();
        match (before.kind, after.kind) {
            (ParameterKind::Ordinary | ParameterKind::PositionalOnly, ParameterKind::KeywordOnly) => {
                edits.push(Edit::ParameterKeywordOnly { name: name() });
            }
            (ParameterKind::Ordinary | ParameterKind::KeywordOnly, ParameterKind::PositionalOnly) => {
                edits.push(Edit::ParameterPositionalOnly { name: name() });
            }
            _ => {}
        }
        match (&before.default, &after.default) {
            (Some(_), None) => edits.push(Edit::ParameterRequired { name: name() }),
            (None, Some(_)) => edits.push(Edit::ParameterOptional { name: name() }),
            (Some(from), Some(to)) if normal(from) != normal(to) => {
                let shown = |value| value_without_secrets(&after.name, value).into_owned();
                let (from, to) = around_difference(&shown(from), &shown(to));
                edits.push(Edit::DefaultChanged { name: name(), from, to });
            }
            _ => {}
        }
        if normal(&before.annotation) != normal(&after.annotation) {
            edits.push(Edit::AnnotationChanged { name: name() });
        }
    }
    edits
}

/// A text without the marks that formatters change: white space, the kind of quotes, trailing commas.
pub(crate) fn normal(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    plain.replace('\'', "\"").replace(",)", ")").replace(",]", "]").replace(",}", "}")
}

/// The parameters as a signature.
pub(crate) fn signature(parameters: &[ParameterShape]) -> Signature {
    let parameter = |shape: &ParameterShape| Parameter {
        name: shape.name.clone(),
        has_default: shape.default.is_some(),
        kind: shape.kind,
    };
    Signature { parameters: parameters.iter().map(parameter).collect() }
}

/// Pairs of a removed and an added parameter: at the same position, or the only ones that differ.
fn renamed<'p>(
    old: &'p [ParameterShape],
    new: &'p [ParameterShape],
    gone: &[&'p ParameterShape],
    come: &[&'p ParameterShape],
) -> Vec<(&'p ParameterShape, &'p ParameterShape)> {
    let is_open = |parameter: &ParameterShape| parameter.kind.is_variadic();
    let mut pairs = Vec::new();
    for &from in gone {
        let position = old.iter().position(|parameter| parameter.name == from.name);
        let same_place = come
            .iter()
            .copied()
            .find(|to| new.iter().position(|parameter| parameter.name == to.name) == position && to.kind == from.kind);
        let only = match (gone, come) {
            ([_], [to]) if to.kind == from.kind && old.len() == new.len() => Some(*to),
            _ => None,
        };
        if let Some(to) = same_place.or(only).filter(|to| is_open(to) == is_open(from)) {
            let is_alike = to.default.is_some() == from.default.is_some();
            if is_alike && !pairs.iter().any(|(_, taken): &(_, &ParameterShape)| taken.name == to.name) {
                pairs.push((from, to));
            }
        }
    }
    pairs
}

/// Names of the positional parameters that both have, in the order of the first.
fn order<'p>(list: &'p [ParameterShape], other: &[ParameterShape]) -> Vec<&'p str> {
    let is_positional = |parameter: &&ParameterShape| {
        matches!(parameter.kind, ParameterKind::PositionalOnly | ParameterKind::Ordinary)
            && other.iter().any(|o| {
                o.name == parameter.name && matches!(o.kind, ParameterKind::PositionalOnly | ParameterKind::Ordinary)
            })
    };
    list.iter().filter(is_positional).map(|parameter| parameter.name.as_str()).collect()
}

fn shown(parameter: &ParameterShape) -> String {
    match parameter.kind {
        ParameterKind::Positionals => format!("*{}", parameter.name),
        ParameterKind::Keywords => format!("**{}", parameter.name),
        _ => parameter.name.clone(),
    }
}
