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
        values::{Plain, filters::FilterOptions},
    },
    error::Failure,
    model::{EntityKind, RelationshipKind},
    query::{
        impact::selection::reader_of,
        navigate::{
            outside::{Heirs, heirs_of_outside},
            tree::{TreeKind, TreeReport, tree, tree_below_outside},
        },
        target::{TargetMatch, known},
    },
    render::{escape::visible, json, navigation::tree::text, to_stdout},
};

/// Draw the subclasses of a class, or the members of a module
///
/// With filters, only the definitions that fit are drawn, with those above them.
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
    #[command(flatten)]
    filters: FilterOptions,
}

pub(crate) fn run(args: &TreeArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    args.filters.check_definitions()?;
    let mut session = Session::open(global, notes)?;
    if !args.up
        && !args.members
        && let Some(heirs) = heirs(&session, &args.target)?
    {
        args.size.apply(&mut session);
        let report = tree_below_outside(&session.store, &heirs)?;
        return write(args, &session, report, command(global, "tree", &heirs.base));
    }
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
    let command = command(global, "tree", &report.target.name);
    let option = match direction {
        TreeKind::Bases => " --up",
        TreeKind::Members if is_class => " --members",
        _ => "",
    };
    write(args, &session, report, format!("{command}{option}"))
}

/// The classes that derive from a class of a library, where the name means one rather than a definition here.
fn heirs(session: &Session, text: &str) -> Result<Option<Heirs>, Failure> {
    let (store, text) = (&session.store, session.without_root(text));
    let rivals = match known(store, text, &session.folder)? {
        Some(TargetMatch::Ambiguous(candidates)) => candidates,
        // `Enum` is no variable `enum`.
        Some(TargetMatch::Found(target)) if target.main().record.name == text.rsplit('.').next().unwrap_or(text) => {
            return Ok(None);
        }
        None | Some(TargetMatch::Found(_) | TargetMatch::Unknown(_)) => Vec::new(),
    };
    let Some(heirs) = heirs_of_outside(store, text)? else { return Ok(None) };
    for rival in &rivals {
        if store.incoming_of(rival.id, RelationshipKind::Inherits)?.len() >= heirs.classes.len() {
            return Ok(None);
        }
    }
    if !rivals.is_empty() {
        session.passed_over.borrow_mut().push((visible(text).into_owned(), rivals));
    }
    Ok(Some(heirs))
}

fn write(args: &TreeArgs, session: &Session, mut report: TreeReport, command: String) -> Result<(), Failure> {
    let filter = args.filters.filter();
    if !filter.is_empty() {
        args.filters.check_paths(session)?;
        let fitting = reader_of(&session.store, &filter)?.among(&filter, &report.entities())?;
        report.keep(&fitting, filter.words());
    }
    let standing = Standing::of(session);
    let closing = standing.closing(command + &args.filters.typed());
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &standing.with(&report), &session.screen),
        Plain::Text => text(out, &report, closing, &session.screen),
    })?;
    Ok(())
}
