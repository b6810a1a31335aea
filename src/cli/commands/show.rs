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
    query::{navigate::show::show, target::place},
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
    let line = place(&args.target).and_then(|(_, line)| line);
    let mut report = show(&session.store, &session.sources(), &target, line)?;
    report.has_changed = session.has_changed(&report.target.path);
    let standing = Standing::of(&session);
    let closing = standing.closing(command(
        global,
        "show",
        if report.lines.is_some() { &args.target } else { &report.target.name },
    ));
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &standing.with(&report), &session.screen),
        Plain::Text => text(out, &report, closing, &session.screen),
    })?;
    Ok(())
}
