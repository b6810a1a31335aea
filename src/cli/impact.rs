//! `repoidx impact`.

use clap::{Args, ValueEnum};

use crate::{
    cli::{
        Global,
        notes::Notes,
        session::{Session, templates},
        target::resolve,
        values::fraction,
    },
    error::Failure,
    query::{
        completeness::Completeness,
        impact::{ImpactOptions, ImpactReport, impact},
        rules::Change,
        source::Sources,
        walk::Limits,
    },
    render::{
        briefing::{BYTES_PER_TOKEN, briefing, tokens},
        dot, html,
        impact::{tests, text},
        json, markdown, mermaid, to_stdout,
    },
};

/// Show what breaks if a definition changes
///
/// Follows every relationship backwards, over any number of steps, and gives the chain that each answer rests on.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ImpactArgs {
    /// What changes: pkg.mod.Class.method or its end, file.py:LINE, or file.py
    #[arg(required = true, value_name = "TARGET")]
    targets: Vec<String>,
    /// Follow at most N steps [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Leave out what is less probable, from 0 to 1 [default: 0.05]
    #[arg(long, value_name = "P", value_parser = fraction)]
    min_probability: Option<f64>,
    /// What is done to it
    #[arg(long, value_name = "KIND", default_value = "body")]
    change: Change,
    /// Only this parameter changes
    #[arg(long, value_name = "NAME")]
    param: Option<String>,
    /// Print only the ids of the tests to run, one per line, as pytest takes them
    #[arg(long, conflicts_with = "format")]
    tests: bool,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Budget of the prompt in tokens [default: 6000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(200..))]
    tokens: Option<u32>,
    /// Show every row on a terminal
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs, with everything
    Json,
    /// For comments on pull requests
    Markdown,
    /// For a language model
    Prompt,
    /// A flowchart that code hosts draw
    Mermaid,
    /// A graph for Graphviz
    Dot,
    /// A page that needs nothing else
    Html,
}

const EXAMPLES: &str = "\
Examples:
  repoidx impact Flask.full_dispatch_request
  repoidx impact src/app.py:120 --change signature
  repoidx impact shop.cart.Cart.add --param quantity
  pytest $(repoidx impact Cart.add --tests)
  repoidx impact Cart.add --format prompt | llm
  repoidx impact Cart --format html > impact.html";

pub(crate) fn run(args: &ImpactArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    let mut targets = Vec::new();
    for name in &args.targets {
        targets.push(resolve(&session, name, "impact")?);
    }
    let depth = session.config.number("depth").and_then(|depth| u32::try_from(depth).ok());
    let limits = Limits {
        depth: args.depth.or(depth),
        min_probability: args.min_probability.unwrap_or_else(|| session.config.fraction("min_probability")),
        ..Limits::default()
    };
    let options = ImpactOptions { change: args.change, param: args.param.clone(), limits };
    if args.all {
        session.screen.row_limit = None;
    }
    let sources = session.sources();
    let mut report = impact(&session.store, &sources, &targets, &options)?;
    if let Some(boundary) = &session.staleness {
        report.boundaries.push(boundary.clone());
        report.completeness = report.completeness.max(Completeness::LowerBound);
    }
    let budget = args.tokens.map(|tokens| tokens as usize).or(session.config.number("tokens")).unwrap_or(6000);
    write(args, &session, &sources, &report, budget)
}

fn write(
    args: &ImpactArgs,
    session: &Session,
    sources: &Sources,
    report: &ImpactReport,
    budget: usize,
) -> Result<(), Failure> {
    if args.tests {
        return Ok(to_stdout(|out| tests(out, report))?);
    }
    let worded = match args.format {
        Format::Prompt => prompt(report, sources, budget)?,
        Format::Html => templates().render("impact.html.j2", &html::page(report))?,
        _ => String::new(),
    };
    to_stdout(|out| match args.format {
        Format::Text => text(out, report, &session.screen),
        Format::Json => json::document(out, report, &session.screen),
        Format::Markdown => markdown::comment(out, report),
        Format::Mermaid => mermaid::flowchart(out, report),
        Format::Dot => dot::digraph(out, report),
        Format::Prompt | Format::Html => out.write_all(worded.as_bytes()),
    })?;
    Ok(())
}

/// The prompt, with as much evidence as the budget holds.
fn prompt(report: &ImpactReport, sources: &Sources, budget: usize) -> Result<String, Failure> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a budget is small and positive")]
    let limit = (f64::from(u32::try_from(budget).unwrap_or(u32::MAX)) * BYTES_PER_TOKEN) as usize;
    let mut bytes = limit;
    loop {
        let text = templates().render("impact.j2", &briefing(report, sources, bytes))?;
        let excess = text.len().saturating_sub(limit);
        if excess == 0 || bytes == 0 {
            debug_assert!(excess > 0 || tokens(&text) <= budget + 1);
            return Ok(text);
        }
        bytes = bytes.saturating_sub(excess.max(64));
    }
}
