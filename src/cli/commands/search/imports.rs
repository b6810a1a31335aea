//! `repoidx search --kind import`: statements in place of definitions.

use super::{SearchArgs, SortName, asked, interleaved, only, pattern};
use crate::{
    cli::{Global, notes::Notes, session::Session, standing::Standing, values::Plain},
    error::Failure,
    query::{
        impact::selection::reader_of,
        navigate::imports::{ImportOptions, ImportsReport, WantedImports, imports},
    },
    render::{json, navigation::imports::text, to_stdout},
};

pub(super) fn run(args: &SearchArgs, query: &str, global: &Global, notes: Notes) -> Result<(), Failure> {
    check(args)?;
    let pattern = if args.regex { Some(pattern(query)?) } else { None };
    let wanted = pattern.as_ref().map_or(WantedImports::Words(query), WantedImports::Pattern);
    let mut sessions = Vec::new();
    let mut reports = Vec::new();
    for (name, global) in global.each() {
        let mut session = Session::open(&global, notes)?;
        args.size.apply(&mut session);
        args.filters.check_paths(&session)?;
        let filter = args.filters.beyond_places();
        let fitting = filter.map(|filter| reader_of(&session.store, &filter)?.set(&filter)).transpose()?;
        let options = ImportOptions {
            limit: if args.count { usize::MAX } else { args.limit.into() },
            paths: args.filters.paths.clone(),
            only: only(args, &session)?,
            fitting,
            per_file: args.per_file.unwrap_or_default().into(),
        };
        let mut report = imports(&session.store, &session.sources(), &wanted, &options)?;
        report.missing.extend(session.staleness.as_ref().map(|boundary| boundary.message.clone()));
        for hit in &mut report.hits {
            hit.repository.clone_from(&name);
        }
        reports.push(report);
        sessions.push(session);
    }
    let report = merged(reports, args.limit.into());
    if args.count && args.format == Plain::Text {
        return Ok(to_stdout(|out| writeln!(out, "{}", report.hits.len()))?);
    }
    let standing = match sessions.as_slice() {
        [session] => Standing::of(session),
        _ => Standing::default(),
    };
    let closing = standing.closing(asked(args, global, query));
    let screen = &sessions[0].screen;
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &standing.with(&report), screen),
        Plain::Text => text(out, &report, closing, screen),
    })?;
    Ok(())
}

/// An error for other kinds, and for options that say how definitions are found and put in order.
fn check(args: &SearchArgs) -> Result<(), Failure> {
    if args.filters.kind.windows(2).any(|kinds| kinds[0] != kinds[1]) {
        args.filters.check_definitions()?;
    }
    let others = [
        ("queries", args.queries.is_some()),
        ("field", args.field.is_some()),
        ("files", args.files),
        ("near", args.near.is_some()),
        ("min-score", args.min_score.is_some()),
        ("merge", args.merge),
        ("rerank", args.rerank.is_some()),
        ("explain", args.explain),
        ("sort", args.sort != SortName::Place),
    ];
    match others.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::usage(
            format!("imports are found by their names alone: --{option} does not go with --kind import"),
            "repoidx search 'json' --kind import",
        )),
        None => Ok(()),
    }
}

/// Merges the imports of several repositories; of equal scores the repository named first wins.
fn merged(mut reports: Vec<ImportsReport>, limit: usize) -> ImportsReport {
    let mut all = reports.remove(0);
    if reports.is_empty() {
        return all;
    }
    let mut lists = vec![std::mem::take(&mut all.hits)];
    for report in reports {
        lists.push(report.hits);
        all.more += report.more;
        all.missing.extend(report.missing);
    }
    all.missing.dedup();
    let left_out;
    (all.hits, left_out) = interleaved(lists, |hit| hit.score, limit);
    all.more += left_out;
    all
}
