//! The tools `show` and `map`.

use crate::{
    ask::context::tokens::tokens,
    error::Failure,
    query::{
        map::{HITS, MapOptions, map},
        navigate::show::{asked_part, show as show_of},
        search::{SearchOptions, Searcher},
        words::count,
    },
    render::{
        navigation::{map, show::text},
        sheet::{Budget, Closing},
    },
    tools::{ToolAnswer, Workspace, arguments::ShowArguments, fitting::AnswerFrame, map_weights, target::resolve},
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
        return outline(workspace, "", frame);
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

/// Shows the repository in outline, what a focus names first.
pub(super) fn outline(workspace: &Workspace, focus: &str, frame: &AnswerFrame) -> Result<ToolAnswer, Failure> {
    let path = workspace.without_root(focus);
    let is_file = workspace.store.file_id(path)?.is_some();
    let is_text = !focus.is_empty() && !is_file;
    let hits = if is_text {
        let options = SearchOptions { limit: HITS, ..SearchOptions::default() };
        Searcher::new(workspace.store)?.search(focus, &options)?.hits
    } else {
        Vec::new()
    };
    let options = MapOptions {
        text: is_text.then(|| focus.to_owned()),
        hits,
        files: if is_file { vec![path.to_owned()] } else { Vec::new() },
        weights: map_weights(workspace.config),
        limit: frame.tokens / SMALLEST + 1,
        ..MapOptions::default()
    };
    let report = map(workspace.store, &workspace.sources(), &options)?;
    let first = if focus.is_empty() { "most used first" } else { "nearest to the focus first" };
    let verdict = format!("{} here, the {first}", count(report.total, "definition"));
    frame.answer(&report, None, "", |out, screen| {
        writeln!(out, "{verdict}")?;
        match screen.budget {
            Budget::Tokens(budget) | Budget::MostTokens(budget) => map::text(out, &report, budget, None, &tokens),
            _ => map::text(out, &report, frame.tokens, None, &tokens),
        }
    })
}
