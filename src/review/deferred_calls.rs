//! Functions that are passed on instead of called: to `partial`, to a table, to a caller that the index does not know.

use crate::{
    model::{
        CallShape,
        signature::{ParameterKind, Signature},
    },
    query::impact::verdict::Verdict,
    review::{
        fit::{OPEN, fit},
        states::edits::Edit,
    },
};

/// Judges `partial(name, …)`, which others complete.
pub(super) fn fit_partial(
    name: &str,
    old: &Signature,
    new: &Signature,
    kept: &CallShape,
    edits: &[Edit],
) -> Option<(Verdict, String)> {
    let open = CallShape { is_open: true, ..kept.clone() };
    let (verdict, reason) = fit(name, old, new, &open, edits)?;
    if !reason.starts_with(OPEN) {
        return Some((verdict, reason));
    }
    let is_kept = |name: &str| old.passes(kept, name) == Some(true);
    let is_settled = edits.iter().all(|edit| match edit {
        Edit::ParameterRemoved { name } | Edit::ParameterRenamed { from: name, .. } => is_kept(name),
        edit => !edit.is_signature(),
    });
    if is_settled {
        return Some((Verdict::NotAffected, "fits the new parameters as it is".to_owned()));
    }
    Some((verdict, reason.replace(OPEN, "leaves arguments to the callers of the `partial`")))
}

/// Judges a function that is passed on as it is. As long as it requires no more than before, nothing is reported.
pub(super) fn fit_value(name: &str, old: &Signature, new: &Signature, edits: &[Edit]) -> Option<(Verdict, String)> {
    let mut required = CallShape::default();
    for parameter in old.parameters.iter().filter(|parameter| !parameter.has_default) {
        match parameter.kind {
            ParameterKind::PositionalOnly | ParameterKind::Ordinary => required.positional += 1,
            ParameterKind::KeywordOnly => required.keywords.push(parameter.name.clone()),
            ParameterKind::Positionals | ParameterKind::Keywords => {}
        }
    }
    let reason = format!("uses `{name}` as a value, and its callers may pass only the arguments required before");
    let is_settled = matches!(fit(name, old, new, &required, edits)?, (Verdict::NotAffected, _));
    (!is_settled).then_some((Verdict::MayBreak, reason))
}
