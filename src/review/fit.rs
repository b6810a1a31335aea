//! Whether a call that fitted the old signature fits the new one, and the reason in a sentence.

use crate::{
    model::{
        CallShape,
        signature::{Mismatch, ParameterKind, Signature},
    },
    query::impact::verdict::Verdict,
    review::states::edits::Edit,
};

/// Reason of a verdict that `*` or `**` leaves open.
pub(super) const OPEN: &str = "passes `*` or `**`";

/// Judges a call that fitted the old signature. `None` when it did not fit that one either.
pub(super) fn fit(
    name: &str,
    old: &Signature,
    new: &Signature,
    call: &CallShape,
    edits: &[Edit],
) -> Option<(Verdict, String)> {
    // A call that did not fit before has another callee, or is broken already: the change is not to blame.
    old.bind(call).ok()?;
    match new.bind(call) {
        Err(mismatch) => Some((Verdict::Breaks, sentence(name, &mismatch, edits))),
        Ok(_) => Some(hidden(old, new, call, edits).unwrap_or_else(|| rebound(old, new, call, edits))),
    }
}

/// A parameter that the new signature requires, the old one did not, and the call does not pass visibly.
fn required<'n>(old: &Signature, new: &'n Signature, call: &CallShape) -> Option<&'n str> {
    let is_required = |signature: &Signature, name: &str| {
        signature.parameters.iter().any(|parameter| parameter.name == name && !parameter.has_default)
    };
    let names = new.parameters.iter().filter(|p| !p.has_default && !p.kind.is_variadic()).map(|p| p.name.as_str());
    names.into_iter().find(|name| !is_required(old, name) && new.passes(call, name) != Some(true))
}

/// Judges the part behind `*` or `**`: it may pass a lost parameter, or lack one that is required now.
fn hidden(old: &Signature, new: &Signature, call: &CallShape, edits: &[Edit]) -> Option<(Verdict, String)> {
    if !call.is_open {
        return None;
    }
    let lost = edits.iter().find_map(|edit| match edit {
        Edit::ParameterRemoved { name }
        | Edit::ParameterRenamed { from: name, .. }
        | Edit::ParameterKeywordOnly { name }
        | Edit::ParameterPositionalOnly { name } => Some(name.trim_start_matches('*')),
        _ => None,
    });
    let lost = lost.filter(|_| !new.has(ParameterKind::Keywords));
    let name = lost.or_else(|| required(old, new, call))?;
    Some((Verdict::MayBreak, format!("{OPEN}, and whether `{name}` is in it cannot be told")))
}

/// The call fits. Do its arguments reach the same parameters?
fn rebound(old: &Signature, new: &Signature, call: &CallShape, edits: &[Edit]) -> (Verdict, String) {
    let renamed = |from: &str, to: &str| {
        edits.iter().any(|edit| matches!(edit, Edit::ParameterRenamed { from: f, to: t } if f == from && t == to))
    };
    for position in 0..call.positional as usize {
        let (Some(from), Some(to)) = (old.reached_by(position), new.reached_by(position)) else { continue };
        if from != to && !renamed(from, to) {
            let reason = format!("argument {} reaches `{to}` now instead of `{from}`", position + 1);
            return (Verdict::MayBreak, reason);
        }
    }
    // Python raises no error here: `**` takes any keyword, and the function ignores or forwards it.
    let lost = call.keywords.iter().find(|keyword| old.takes_keyword(keyword) && !new.takes_keyword(keyword));
    if let Some(keyword) = lost {
        return (
            Verdict::MayBehaveDifferently,
            format!("passes `{keyword}=`, which is no parameter now and goes to `**`"),
        );
    }
    (Verdict::NotAffected, "fits the new parameters as it is".to_owned())
}

/// Why a call raises `TypeError` now.
fn sentence(name: &str, mismatch: &Mismatch, edits: &[Edit]) -> String {
    match mismatch {
        Mismatch::Missing(parameter) => format!("passes no `{parameter}`, which `{name}` requires now"),
        Mismatch::Keyword(keyword) => {
            let renamed = edits.iter().find_map(|edit| match edit {
                Edit::ParameterRenamed { from, to } if from == keyword => Some(to),
                _ => None,
            });
            let is_positional =
                edits.iter().any(|edit| matches!(edit, Edit::ParameterPositionalOnly { name } if name == keyword));
            match renamed {
                Some(to) => format!("passes `{keyword}=`, which `{name}` calls `{to}` now"),
                None if is_positional => {
                    format!("passes `{keyword}=`, which `{name}` takes only by position now")
                }
                None => format!("passes `{keyword}=`, which `{name}` takes no more"),
            }
        }
        Mismatch::TooMany { takes, gets } => {
            let noun = if *gets == 1 { "argument" } else { "arguments" };
            format!("passes {gets} positional {noun}, and `{name}` takes {takes} now")
        }
        Mismatch::Twice(parameter) => format!("passes `{parameter}` by keyword, and by position too now"),
    }
}
