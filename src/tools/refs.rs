//! The tool `refs`.

use crate::{
    error::Failure,
    model::conventions::pytest::is_test_path,
    query::{
        navigate::refs::{RefsReport, refs as refs_of},
        words::count,
    },
    render::{navigation::refs::text, sheet::Closing},
    tools::{ToolAnswer, Workspace, arguments::RefsArguments, fitting::AnswerFrame, target::resolve},
};

/// Answers where a definition is referred to.
pub(super) fn refs(
    workspace: &Workspace,
    arguments: &RefsArguments,
    frame: &AnswerFrame,
) -> Result<ToolAnswer, Failure> {
    let target = resolve(workspace, &arguments.target)?;
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
        text(out, &report, is_test_path, closing, screen)
    })
}

fn completeness(report: &RefsReport) -> String {
    match report.possible_count {
        0 => "complete".to_owned(),
        number => format!("lower bound: {} could be one", count(number, "unresolved occurrence")),
    }
}
