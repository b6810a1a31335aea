//! `repoidx show`.

use clap::Args;

use crate::{
    cli::{
        Global,
        notes::Notes,
        session::Session,
        size::Size,
        standing::{Standing, command},
        target::resolve,
        values::Plain,
    },
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
    #[command(flatten)]
    size: Size,
}

pub(crate) fn run(args: &ShowArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    let target = resolve(&session, &args.target, "show")?;
    args.size.apply(&mut session);
    let report = show(&session.store, &session.sources(), &target)?;
    let standing = Standing::of(&session);
    let closing = standing.closing(command(global, "show", &report.target.name));
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &standing.with(&report), &session.screen),
        Plain::Text => text(out, &report, closing, &session.screen),
    })?;
    Ok(())
}
