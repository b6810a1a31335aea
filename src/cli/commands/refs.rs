//! `repoidx refs`.

use clap::Args;

use crate::model::conventions::pytest::is_test_path;
use crate::{
    cli::{
        Global, embedding,
        explain::explain_refs,
        notes::Notes,
        session::Session,
        size::Size,
        standing::{Standing, command},
        target::resolve,
        values::{Plain, filters::FilterOptions, similarity},
    },
    error::Failure,
    model::EntityId,
    query::{impact::selection::reader_of, navigate::refs::refs},
    render::{json, navigation::refs::text as listing, to_stdout, words::argument},
};

/// List every place that refers to a definition
///
/// Filters choose by the definition around each place.
#[derive(Debug, Args)]
pub(crate) struct RefsArgs {
    /// The definition: pkg.mod.Class.method or its end, file.py:LINE, or file.py
    target: String,
    /// Also list the unresolved occurrences that could be references
    #[arg(long)]
    possible: bool,
    /// Only places in definitions about TEXT, by their vectors
    #[arg(long, value_name = "TEXT")]
    like: Option<String>,
    /// Least similarity to TEXT, -1 to 1; a larger number never lists more
    #[arg(long, value_name = "S", default_value = "0.25", requires = "like", allow_negative_numbers = true, value_parser = similarity)]
    min_similarity: f64,
    /// Show the steps by which each was resolved, or why it was not
    #[arg(long)]
    explain: bool,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
    #[command(flatten)]
    size: Size,
    #[command(flatten)]
    filters: FilterOptions,
}

pub(crate) fn run(args: &RefsArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    args.filters.check_definitions()?;
    let mut session = Session::open(global, notes)?;
    let target = resolve(&session, &args.target, "refs")?;
    args.size.apply(&mut session);
    let mut report = refs(&session.store, &session.sources(), &target, args.possible)?;
    if let Some(text) = &args.like {
        let meaning = embedding::ready(&session, true)?;
        let mut missing = Vec::new();
        let searcher = meaning.searcher(&session.store)?;
        let similarities = searcher.similarities(text, &report.holders(), &mut missing)?;
        embedding::say_missing(&missing, notes);
        report.keep_similar(&similarities, args.min_similarity);
    }
    let filter = args.filters.filter();
    if !filter.is_empty() {
        args.filters.check_paths(&session)?;
        let fitting = reader_of(&session.store, &filter)?.among(&filter, &report.holders())?;
        report.keep_in(&fitting);
    }
    if args.explain {
        let targets: Vec<EntityId> = target.entities.iter().map(|entity| entity.id).collect();
        explain_refs(&session.store, &targets, &mut report, notes)?;
    }
    let standing = Standing::of(&session);
    let mut command = command(global, "refs", &report.target.name);
    if args.possible {
        command += " --possible";
    }
    if let Some(text) = &args.like {
        command += &format!(" --like {}", argument(text));
    }
    command += &args.filters.typed();
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &standing.with(&report), &session.screen),
        Plain::Text => listing(out, &report, is_test_path, standing.closing(command), &session.screen),
    })?;
    Ok(())
}
