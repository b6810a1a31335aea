//! The tool `show`.

use crate::{
    ask::context::tokens::tokens,
    error::Failure,
    query::{
        map::{MapOptions, map},
        navigate::show::{asked_part, show as show_of},
        words::count,
    },
    render::{
        navigation::{map, show::text},
        sheet::{Budget, Closing},
    },
    tools::{ToolAnswer, Workspace, arguments::ShowArguments, fitting::AnswerFrame, target::resolve},
};

/// A definition takes at least this many tokens of an outline.
const SMALLEST: usize = 4;

/// Shows a definition, or the repository in outline.
pub(super) fn show(
    workspace: &Workspace,
    arguments: &ShowArguments,
    frame: &AnswerFrame,
) -> Result<ToolAnswer, Failure> {
    if arguments.target.is_empty() {
        return outline(workspace, frame);
    }
    let (name, part) = asked_part(workspace.store, workspace.without_root(&arguments.target), "")?;
    let target = resolve(workspace, &name)?;
    let report = show_of(workspace.store, &workspace.sources(), &target, part)?;
    let command = format!("repoidx show {}", report.target.name);
    frame.answer(&report, None, &command, |out, screen| {
        let closing = Closing { command: command.clone(), ..Closing::default() };
        text(out, &report, closing, screen)
    })
}

fn outline(workspace: &Workspace, frame: &AnswerFrame) -> Result<ToolAnswer, Failure> {
    let options = MapOptions { limit: frame.tokens / SMALLEST + 1, ..MapOptions::default() };
    let report = map(workspace.store, &workspace.sources(), &options)?;
    let verdict = format!("{} here, the most used first", count(report.total, "definition"));
    frame.answer(&report, None, "", |out, screen| {
        writeln!(out, "{verdict}")?;
        match screen.budget {
            Budget::Tokens(budget) => map::text(out, &report, budget, None, &tokens),
            _ => map::text(out, &report, frame.tokens, None, &tokens),
        }
    })
}
