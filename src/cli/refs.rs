//! `repoidx refs`.

use clap::Args;

use crate::{
    cli::{Global, explain::explain_refs, notes::Notes, session::Session, target::resolve, values::Plain},
    error::Failure,
    query::refs::refs,
    render::{json, refs::text, to_stdout},
};

/// List every place that refers to a definition
#[derive(Debug, Args)]
pub(crate) struct RefsArgs {
    /// What is referred to: pkg.mod.Class.method or its end, file.py:LINE, or file.py
    target: String,
    /// List the unresolved occurrences too that could be references
    #[arg(long)]
    possible: bool,
    /// Show the steps by which each was resolved, or why it was not
    #[arg(long)]
    explain: bool,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
    /// Show every row on a terminal
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &RefsArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    let target = resolve(&session, &args.target, "refs")?;
    if args.all {
        session.screen.row_limit = None;
    }
    let mut report = refs(&session.store, &session.sources(), &target, args.possible)?;
    if args.explain {
        explain_refs(&session.store, &mut report)?;
    }
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &report, &session.screen),
        Plain::Text => text(out, &report, &session.screen),
    })?;
    Ok(())
}
