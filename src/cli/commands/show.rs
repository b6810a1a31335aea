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
    query::{
        navigate::{
            sections::{SectionReport, sections_called},
            show::{ModulePart, asked_part, show},
        },
        target::{TargetMatch, look_up, place},
    },
    render::{
        escape::visible,
        json,
        navigation::show::{section_text, text},
        to_stdout,
    },
    texts::documents::is_document,
};

/// Show a definition with its members and neighbors
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The definition: pkg.mod.Class.method or its end, file.py:LINE, file.py, or pkg.mod:imports and pkg.mod:code;
    /// a section of a document: docs/guide.md:LINE, or its title
    target: String,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
    #[command(flatten)]
    size: Size,
}

pub(crate) fn run(args: &ShowArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    let (name, part) = asked_part(&session.store, session.without_root(&args.target), &session.folder)?;
    let is_free = matches!(part, Some(ModulePart::Free(..)));
    if let Some(report) = sections(&session, &name)? {
        let standing = Standing::of(&session);
        let closing = standing.closing(command(global, "show", &args.target));
        args.size.apply_to_source(&mut session);
        return Ok(to_stdout(|out| match args.format {
            Plain::Json => json::document(out, &standing.with(&report), &session.screen),
            Plain::Text => section_text(out, &report, closing, &session.screen),
        })?);
    }
    let target = resolve(&session, &name, "show")?;
    args.size.apply_to_source(&mut session);
    let mut report = show(&session.store, &session.sources(), &target, part)?;
    report.has_changed = session.has_changed(&report.target.path);
    if is_free && report.free.is_empty() && !report.has_changed {
        let name = visible(&report.target.name);
        let message = format!("`{name}` has no such lines at module level");
        return Err(Failure::usage(message, format!("repoidx show {name}")));
    }
    let standing = Standing::of(&session);
    let closing = standing.closing(command(
        global,
        "show",
        if report.lines.is_some() || is_free { &args.target } else { &report.target.name },
    ));
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &standing.with(&report), &session.screen),
        Plain::Text => text(out, &report, closing, &session.screen),
    })?;
    Ok(())
}

/// The sections of documents that a place or title means, where no definition has the name.
fn sections(session: &Session, name: &str) -> Result<Option<SectionReport>, Failure> {
    let is_place = place(name).is_some_and(|(path, _)| is_document(path));
    if !is_place && !matches!(look_up(&session.store, name, &session.folder)?, TargetMatch::Unknown(_)) {
        return Ok(None);
    }
    Ok(sections_called(&session.store, &session.sources(), name, &session.folder)?)
}
