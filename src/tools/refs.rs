//! The tool `refs`.

use crate::{
    error::Failure,
    model::conventions::pytest::is_test_path,
    query::{
        navigate::refs::{RefsReport, refs as refs_of},
        target::Target,
        words::count,
    },
    render::{escape::visible, navigation::refs::text, sheet::Closing},
    store::read::Entity,
    tools::{ToolAnswer, Workspace, arguments::RefsArguments, fitting::AnswerFrame, target::resolve_likeliest},
};

/// Further definitions of a name that an answer names.
const MAX_OTHERS: usize = 6;

/// Answers where a definition is referred to.
pub(super) fn refs(
    workspace: &Workspace,
    arguments: &RefsArguments,
    frame: &AnswerFrame,
) -> Result<ToolAnswer, Failure> {
    let (target, others) = resolve_likeliest(workspace, &arguments.target)?;
    let note = others_of(&arguments.target, &target, others);
    let mut report = refs_of(workspace.store, &workspace.sources(), &target, arguments.possible)?;
    let path = workspace.without_root(&arguments.path).trim_end_matches('/');
    let before = report.references.len();
    if !path.is_empty() {
        let is_inside =
            |place: &str| place.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        report.references.retain(|reference| is_inside(&reference.path));
        report.possible.retain(|reference| is_inside(&reference.path));
    }
    let elsewhere = before - report.references.len();
    let mut words = completeness(&report);
    if elsewhere > 0 {
        words = format!("{} outside of {path}; {words}", count(elsewhere, "further reference"));
    }
    let command = format!("repoidx refs {}", report.target.name);
    frame.answer(&report, Some(&words), &command, |out, screen| {
        let closing = Closing { command: command.clone(), ..Closing::default() };
        let mut written = Vec::new();
        text(&mut written, &report, is_test_path, closing, screen)?;
        // The verdict stands first.
        let end = written.iter().position(|byte| *byte == b'\n').map_or(written.len(), |at| at + 1);
        out.write_all(&written[..end])?;
        out.write_all(note.as_bytes())?;
        out.write_all(&written[end..])
    })
}

/// A line that names the other definitions of an ambiguous name; empty where there are none.
fn others_of(asked: &str, target: &Target, mut others: Vec<Entity>) -> String {
    if others.is_empty() {
        return String::new();
    }
    others.sort_by_cached_key(|other| (is_test_path(&other.path), other.path.clone(), other.record.line));
    let names: Vec<String> = others.iter().take(MAX_OTHERS).map(|other| format!("`{}`", other.full_name())).collect();
    let more = match others.len().saturating_sub(MAX_OTHERS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let line = format!(
        "{} definitions have this name: `{asked}` is taken for `{}`, the most used; call again for {}{more}",
        others.len() + 1,
        target.main().full_name(),
        names.join(", "),
    );
    visible(&line).into_owned() + "\n"
}

fn completeness(report: &RefsReport) -> String {
    match report.possible_count {
        0 => "complete".to_owned(),
        number => format!("lower bound: {} could be one", count(number, "unresolved occurrence")),
    }
}
