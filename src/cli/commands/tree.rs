//! `repoidx tree`.

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
    model::EntityKind,
    query::navigate::tree::{TreeKind, tree},
    render::{json, navigation::tree::text, to_stdout},
};

/// Draw the subclasses of a class, or the members of a module
#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    /// A class, or a module as file.py or pkg.mod
    target: String,
    /// Draw the classes that inherit from the class; the default for a class
    #[arg(long, conflicts_with_all = ["up", "members"])]
    down: bool,
    /// Draw the classes that the class inherits from
    #[arg(long, conflicts_with = "members")]
    up: bool,
    /// Draw the definitions in it
    #[arg(long)]
    members: bool,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
    #[command(flatten)]
    size: Size,
}

pub(crate) fn run(args: &TreeArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    let target = resolve(&session, &args.target, "tree")?;
    let is_class = target.main().record.kind == EntityKind::Class;
    let direction = match (is_class, args.up, args.members, args.down) {
        (false, true, ..) | (false, _, _, true) => {
            return Err(Failure::usage("only classes have bases and subclasses", "repoidx tree --members TARGET"));
        }
        (false, ..) | (_, _, true, _) => TreeKind::Members,
        (_, true, ..) => TreeKind::Bases,
        (true, ..) => TreeKind::Subclasses,
    };
    args.size.apply(&mut session);
    let report = tree(&session.store, &target, direction)?;
    let standing = Standing::of(&session);
    let command = command(global, "tree", &report.target.name);
    let option = match direction {
        TreeKind::Bases => " --up",
        TreeKind::Members if is_class => " --members",
        _ => "",
    };
    let closing = standing.closing(format!("{command}{option}"));
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &standing.with(&report), &session.screen),
        Plain::Text => text(out, &report, closing, &session.screen),
    })?;
    Ok(())
}
