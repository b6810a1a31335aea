//! The tool `context`: the code that whoever writes at a place needs.

use crate::{
    error::Failure,
    index::classes,
    model::EntityId,
    query::{
        context::{
            context as context_at,
            cursor::{Cursor, Receivers, names_at},
        },
        search::Searcher,
        source::Sources,
        words::count,
    },
    render::{
        escape::{MAX_LINE, visible, visible_path},
        navigation::context::{Style, fitted},
        sheet::Budget,
    },
    store::Store,
    tools::{ToolAnswer, Workspace, arguments::ContextArguments, fitting::AnswerFrame},
};

/// Shows the code that a place needs.
pub(super) fn context(
    workspace: &Workspace,
    arguments: &ContextArguments,
    frame: &AnswerFrame,
) -> Result<ToolAnswer, Failure> {
    let Some(cursor) = Cursor::parse(workspace.without_root(&arguments.at)) else {
        return Err(Failure::usage(format!("`{}` is no place", visible(&arguments.at)), "give file.py:LINE"));
    };
    let (store, sources) = (workspace.store, workspace.sources());
    let unknown = || Failure::usage(format!("`{}` is not in the index", visible(&cursor.path)), "search finds files");
    let file = store.file_id(&cursor.path)?.ok_or_else(unknown)?;
    let lines = store.file(file)?.map_or(0, |file| file.line_count);
    if cursor.line > lines.saturating_add(1) {
        let message = format!("`{}` has {}", visible_path(&cursor.path), count(lines as usize, "line"));
        return Err(Failure::usage(message, "give a line of the file"));
    }
    let receivers = receivers(store, &sources, &cursor)?;
    let searcher = Searcher::new(store)?;
    let mut report = context_at(store, &sources, &searcher, &cursor, &receivers)?.ok_or_else(unknown)?;
    report.without_copies(workspace.config.number("copy_lines").unwrap_or(usize::MAX));
    let longest = workspace.config.number("max_line").unwrap_or(MAX_LINE);
    let inside = report.inside.as_ref().map_or_else(String::new, |name| format!(" in `{}`", visible(name)));
    let verdict = format!("for {}:{}{inside}", visible_path(&cursor.path), cursor.line);
    frame.answer(&report, None, "", |out, screen| {
        let budget = match screen.budget {
            Budget::MostTokens(budget) => budget,
            _ => frame.tokens,
        };
        writeln!(out, "{verdict}")?;
        out.write_all(fitted(&report, Style::LineComment, budget, longest).text.as_bytes())
    })
}

/// The classes of the objects that are named at a cursor.
pub(crate) fn receivers(store: &Store, sources: &Sources<'_>, cursor: &Cursor) -> Result<Receivers, Failure> {
    let names = names_at(sources, cursor);
    let found = classes(store, &cursor.path, &names.places)?;
    let of = |place: Option<usize>| -> Vec<EntityId> { place.map(|at| found[at].clone()).unwrap_or_default() };
    Ok(Receivers { at_cursor: of(names.receiver), near: found.into_iter().flatten().collect() })
}
