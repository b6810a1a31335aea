//! `repoidx show`.

use clap::Args;

use crate::{
    cli::{Global, notes::Notes, session::Session, target::resolve, values::Plain},
    error::Failure,
    query::navigate::show::show,
    render::{json, navigation::show::text, to_stdout},
};

/// Show a definition with its members and neighbors
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The definition: pkg.mod.Class.method or its end, file.py:LINE, or file.py
    target: String,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
    /// Show every row on a terminal
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &ShowArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    let target = resolve(&session, &args.target, "show")?;
    if args.all {
        session.screen.row_limit = None;
    }
    let report = show(&session.store, &session.sources(), &target)?;
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &report, &session.screen),
        Plain::Text => text(out, &report, &session.screen),
    })?;
    Ok(())
}
