//! The TARGET argument.
//!
//! Goes in: what the user typed. Comes out: the definition, or an error that lists what could be meant.

use crate::{
    cli::session::Session,
    error::Failure,
    query::target::{Lookup, Target, look_up},
    render::escape::{visible, visible_path},
    store::read::Entity,
};

/// Candidates that an error lists.
const MAX_CANDIDATES: usize = 20;
/// Characters of a name that an error repeats.
const MAX_ECHO: usize = 80;

/// The one definition that `text` means. `command` is the beginning of the command that a hint proposes.
pub(crate) fn resolve(session: &Session, text: &str, command: &str) -> Result<Target, Failure> {
    let echo: String = visible(text).chars().take(MAX_ECHO).collect();
    match look_up(&session.store, session.without_root(text), &session.folder)? {
        Lookup::Found(target) => Ok(target),
        Lookup::Ambiguous(candidates) => {
            let message = format!("`{echo}` names {} definitions", candidates.len());
            Err(Failure::usage(format!("{message}{}", listed(&candidates)), paste(command, &candidates)))
        }
        Lookup::Unknown(proposals) if proposals.is_empty() => Err(Failure::usage(
            format!("nothing here is called `{echo}`"),
            "`repoidx export entities` lists every name",
        )),
        Lookup::Unknown(proposals) => {
            let message = format!("nothing here is called `{echo}`; did you mean");
            Err(Failure::usage(format!("{message}{}", listed(&proposals)), paste(command, &proposals)))
        }
    }
}

fn listed(entities: &[Entity]) -> String {
    let mut lines = String::new();
    for entity in entities.iter().take(MAX_CANDIDATES) {
        let place = format!("{}:{}", visible_path(&entity.path), entity.record.line);
        lines.extend(["\n  ", &visible(&entity.full_name()), "  ", entity.record.kind.as_str(), "  ", &place]);
    }
    if entities.len() > MAX_CANDIDATES {
        lines.extend(["\n  … ", &(entities.len() - MAX_CANDIDATES).to_string(), " more"]);
    }
    lines
}

/// A command for the first candidate.
fn paste(command: &str, entities: &[Entity]) -> String {
    entities.first().map_or_else(String::new, |entity| format!("repoidx {command} {}", visible(&entity.full_name())))
}
