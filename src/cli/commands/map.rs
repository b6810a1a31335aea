//! `repoidx map`.

use clap::{Args, ValueEnum};

use crate::{
    cli::{
        Global,
        changes::uncommitted,
        commands::ask::measure::Measure,
        embedding,
        notes::Notes,
        session::Session,
        standing::Standing,
        values::{Plain, positive},
    },
    error::Failure,
    query::{
        map::{HITS, MapOptions, Ranking, map},
        search::SearchOptions,
    },
    render::{json, navigation::map::text, to_stdout},
    tools::map_weights,
};

/// Show the repository in outline, the most important definitions first
///
/// The rank of a definition grows with the code that leads to it, and with its nearness to a focus.
#[derive(Debug, Args)]
pub(crate) struct MapArgs {
    /// Most tokens of the outline
    #[arg(long, value_name = "N", default_value = "1024", value_parser = positive::<u32>)]
    tokens: u32,
    /// The focus of the outline: words, names, code, or the path of a file
    #[arg(long, value_name = "TEXT")]
    focus: Option<String>,
    /// Put the focus on this file; may be given several times
    #[arg(long, value_name = "FILE")]
    file: Vec<String>,
    /// Put the focus on the files with uncommitted changes
    #[arg(long)]
    changed: bool,
    /// How importance spreads
    #[arg(long, value_name = "RANKING", default_value = "pagerank")]
    rank: RankingName,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RankingName {
    /// A random walk over all relationships
    Pagerank,
    /// One step from the focus
    Diffuse,
}

/// A definition takes at least this many tokens of an outline.
const SMALLEST: u32 = 4;

pub(crate) fn run(args: &MapArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    session.withhold()?;
    let mut files = Vec::new();
    for file in &args.file {
        let Some(path) = session.file_path(file)? else {
            return Err(Failure::usage(format!("`{file}` is not in the index"), "repoidx status"));
        };
        files.push(path);
    }
    if args.changed {
        files.extend(uncommitted(&session)?);
    }
    let mut focus = args.focus.clone().filter(|text| !text.trim().is_empty());
    if let Some(text) = &focus
        && let Some(path) = session.file_path(text.trim())?
    {
        files.push(path);
        focus = None;
    }
    let hits = match &focus {
        Some(focus) => {
            let meaning = embedding::ready(&session, true)?;
            let found = meaning
                .searcher(&session.store)?
                .search(focus, &SearchOptions { limit: HITS, ..SearchOptions::default() })?;
            embedding::say_missing(&found.missing, notes);
            found.hits
        }
        None => Vec::new(),
    };
    let report = map(
        &session.store,
        &session.sources(),
        &MapOptions {
            text: focus,
            hits,
            files,
            ranking: if args.rank == RankingName::Diffuse { Ranking::Diffuse } else { Ranking::PageRank },
            weights: map_weights(&session.config),
            limit: (args.tokens / SMALLEST) as usize + 1,
        },
    )?;
    let standing = Standing::of(&session);
    let measure = Measure::of(&session.config, None)?;
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &standing.with(&report), &session.screen),
        Plain::Text => text(out, &report, args.tokens as usize, standing.line().as_deref(), &|text| measure.text(text)),
    })?;
    Ok(())
}
