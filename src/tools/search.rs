//! The tool `search`.
//!
//! The word table in the binary gives the vectors: another model would be loaded for each call.

use crate::{
    error::Failure,
    query::{
        search::{SearchOptions, Searcher},
        words::count,
    },
    render::{escape::visible, navigation::search::text, sheet::Closing},
    tools::{ToolAnswer, Workspace, arguments::SearchArguments, fitting::AnswerFrame},
};

/// Characters of the query that the first line repeats.
const MAX_ECHO: usize = 60;

/// Answers which definitions a question is about.
pub(super) fn search(
    workspace: &Workspace,
    arguments: &SearchArguments,
    frame: &AnswerFrame,
) -> Result<ToolAnswer, Failure> {
    let path = workspace.without_root(&arguments.path).trim_end_matches('/');
    let options = SearchOptions {
        limit: arguments.limit,
        kinds: arguments.kinds.to_vec(),
        paths: if path.is_empty() { Vec::new() } else { vec![path.to_owned()] },
        ..SearchOptions::default()
    };
    let searcher = Searcher::new(workspace.store)?;
    let sources = workspace.sources();
    let lines = |path: &str, first, last| sources.lines(path, first, last);
    let mut report = searcher.search_without_copies(&arguments.query, &options, &lines)?;
    report.missing.extend(workspace.staleness.map(|boundary| boundary.message.clone()));
    let echo: String = visible(&arguments.query).chars().take(MAX_ECHO).collect();
    let verdict = match report.hits.len() {
        0 => None,
        number => Some(format!("{} for `{echo}`, the best first", count(number, "definition"))),
    };
    frame.answer(&report, None, "", |out, screen| {
        if let Some(verdict) = &verdict {
            writeln!(out, "{verdict}")?;
        }
        text(out, &report, Closing::default(), screen)
    })
}
