//! The tool `search`.
//!
//! The word table in the binary gives the vectors: another model would be loaded for each call.

use crate::{
    error::Failure,
    query::{
        navigate::imports::{ImportOptions, WantedImports, imports},
        search::{SearchOptions, Searcher},
        words::count,
    },
    render::{escape::visible, navigation, sheet::Closing},
    tools::{
        ToolAnswer, Workspace,
        arguments::{SearchArguments, SearchedKind},
        fitting::AnswerFrame,
    },
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
    let paths = if path.is_empty() { Vec::new() } else { vec![path.to_owned()] };
    let echo: String = visible(&arguments.query).chars().take(MAX_ECHO).collect();
    let verdict = |number: usize, noun: &str| format!("{} for `{echo}`, the best first", count(number, noun));
    let stale = workspace.staleness.map(|boundary| boundary.message.clone());
    let kinds = match arguments.kind {
        SearchedKind::Definitions(kinds) => kinds.to_vec(),
        SearchedKind::Imports => {
            let options = ImportOptions { limit: arguments.limit, paths, ..ImportOptions::default() };
            let wanted = WantedImports::Words(&arguments.query);
            let mut report = imports(workspace.store, &workspace.sources(), &wanted, &options)?;
            report.missing.extend(stale);
            return frame.answer(&report, None, "", |out, screen| {
                if !report.hits.is_empty() {
                    writeln!(out, "{}", verdict(report.hits.len(), "import"))?;
                }
                navigation::imports::text(out, &report, Closing::default(), screen)
            });
        }
    };
    let options = SearchOptions { limit: arguments.limit, kinds, paths, ..SearchOptions::default() };
    let searcher = Searcher::new(workspace.store)?;
    let sources = workspace.sources();
    let lines = |path: &str, first, last| sources.lines(path, first, last);
    let mut report = searcher.search_without_copies(&arguments.query, &options, &lines)?;
    report.missing.extend(stale);
    frame.answer(&report, None, "", |out, screen| {
        if !report.hits.is_empty() {
            writeln!(out, "{}", verdict(report.hits.len(), "definition"))?;
        }
        navigation::search::text(out, &report, Closing::default(), screen)
    })
}
