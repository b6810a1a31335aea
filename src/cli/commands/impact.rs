//! `repoidx impact`.

use clap::{Args, ValueEnum};

use crate::{
    cli::{
        Global,
        commands::ask::measure::Measure,
        compared::{index_of, no_range},
        explain::explain_impact,
        notes::Notes,
        page,
        session::{Session, budget, longest_line},
        size::Size,
        standing::{Standing, command},
        target::resolve,
        values::{fraction, positive},
    },
    error::Failure,
    query::{
        calls::parameters::parameters_of,
        impact::{
            ImpactOptions, ImpactReport,
            completeness::Completeness,
            impact,
            walk::{Least, Limits, factors::Change},
        },
        source::Sources,
        target::{Target, packages::whole_package, spelling::nearest},
        words::count,
    },
    render::{
        impact::{briefing::briefing, compact::CompactImpact, dot, markdown, mermaid, tests, text, text::View},
        json,
        page::impact as page_of,
        to_stdout,
        words::argument,
    },
    review::{Range, ReviewOptions, impact_of_change, judged_sites, sources_of},
    store::Store,
    tools::{self, exclusions_of, without},
};

/// Show what breaks if a definition changes
///
/// Follows every relationship backwards, over any number of steps, and prints the chain behind each answer.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ImpactArgs {
    /// The changed definition: pkg.mod.Class.method or its end, file.py:LINE, or file.py
    #[arg(required_unless_present_any = ["diff", "staged"], value_name = "TARGET")]
    targets: Vec<String>,
    /// Every difference between HEAD and the working tree, or in RANGE (A..B, A...B, or A)
    #[arg(long, value_name = "RANGE", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["targets", "param"])]
    diff: Option<String>,
    /// Every change of the next commit
    #[arg(long, conflicts_with_all = ["targets", "diff", "param"])]
    staged: bool,
    /// Follow at most N steps [default: all]
    #[arg(long, value_name = "N", value_parser = positive::<u32>)]
    depth: Option<u32>,
    /// Leave out less probable entities, from 0 to 1 [default: 0.12 times the most probable, 0.15 for tests]
    #[arg(long, value_name = "P", value_parser = fraction)]
    min_probability: Option<f64>,
    /// The kind of change
    #[arg(long, value_name = "KIND", default_value = "body")]
    change: Change,
    /// Only this parameter changes
    #[arg(long, value_name = "NAME")]
    param: Option<String>,
    /// Print only the ids of the tests to run, one per line, as pytest takes them
    #[arg(long, conflicts_with = "format")]
    tests: bool,
    /// Show the steps by which the first relationship of each chain was resolved, and the files behind each limit
    #[arg(long, visible_alias = "why")]
    explain: bool,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ImpactFormat,
    /// Open the answer as a page in the browser
    #[arg(long, conflicts_with_all = ["format", "tests"])]
    open: bool,
    /// JSON with every text and every step of a chain once: a third of the bytes
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    size: Size,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ImpactFormat {
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
    /// A page without external files
    Html,
}

const EXAMPLES: &str = "\
Examples:
  repoidx impact Flask.full_dispatch_request
  repoidx impact src/app.py:120 --change signature
  repoidx impact shop.cart.Cart.add --param quantity
  repoidx impact shop.cart.Cart.add --param quantity --change require
  repoidx impact --diff
  repoidx impact --diff main...feature --tests
  pytest $(repoidx impact Cart.add --tests)
  repoidx impact Cart.add --format prompt | llm
  repoidx impact Cart --format html > impact.html";

pub(crate) fn run(args: &ImpactArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    if args.compact && args.format != ImpactFormat::Json {
        return Err(Failure::usage("`--compact` is a form of JSON", "add --format json"));
    }
    if args.param.is_none() && matches!(args.change, Change::Require | Change::KeywordOnly) {
        let message = format!("`--change {}` is about a parameter", args.change.as_str());
        return Err(Failure::usage(message, "name it with --param"));
    }
    let mut session = Session::open(global, notes)?;
    if args.format == ImpactFormat::Prompt {
        session.withhold()?;
    }
    let settings = tools::limits(&session.config);
    let limits = Limits {
        depth: args.depth.or(settings.depth),
        least: args.min_probability.map_or(settings.least, |asked| Least::of(Some(asked))),
        ..settings
    };
    let limits = if args.format == ImpactFormat::Prompt && !args.tests { limits.for_prompt() } else { limits };
    args.size.apply(&mut session);
    if args.staged || args.diff.is_some() {
        return of_change(args, global, &session, limits, notes);
    }
    let mut targets = Vec::new();
    for name in &args.targets {
        targets.push(whole_package(&session.store, name, resolve(&session, name, "impact")?)?);
    }
    let judged = match &args.param {
        Some(param) => {
            let has_it = |target| has_parameter(&session.store, target, param);
            targets.iter().try_for_each(has_it)?;
            judged_sites(&session.store, &targets, args.change, param)?
        }
        None => Vec::new(),
    };
    let options = ImpactOptions { change: args.change, param: args.param.clone(), judged, limits };
    let sources = session.sources();
    let mut report = impact(&session.store, &sources, &targets, &options)?;
    admit_staleness(&session, &mut report);
    if args.explain {
        explain_impact(&session.store, &mut report, notes)?;
    }
    write(args, global, &session, &sources, &report, true)
}

/// Rejects a parameter that the target does not have.
fn has_parameter(store: &Store, target: &Target, param: &str) -> Result<(), Failure> {
    let parameters = parameters_of(store, target)?;
    if parameters.iter().any(|parameter| parameter == param) {
        return Ok(());
    }
    let main = target.main();
    let name = main.full_name();
    if store.withholds(main.file) {
        let message = format!("an ignore file withholds the parameters of `{name}` from prompts");
        return Err(Failure::usage(message, format!("repoidx impact {name} --format prompt")));
    }
    let Some(first) = parameters.first() else {
        let message = format!("the {} `{name}` has no parameters", main.record.kind.as_str());
        return Err(Failure::usage(message, format!("repoidx impact {name}")));
    };
    let best = nearest(&parameters, param).first().copied().unwrap_or(first);
    let message = format!("`{name}` has no parameter `{param}`; it has {}", parameters.join(", "));
    Err(Failure::usage(message, format!("repoidx impact {name} --param {best}")))
}

/// Answers with the impact of all differences between two states.
fn of_change(
    args: &ImpactArgs,
    global: &Global,
    session: &Session,
    limits: Limits,
    notes: Notes,
) -> Result<(), Failure> {
    let repo = &session.repo;
    let range = match &args.diff {
        Some(text) if text.is_empty() => Range::worktree(repo, None),
        Some(text) => Range::committed(repo, Some(text)),
        None => Range::staged(repo),
    };
    let range = range.map_err(|error| no_range(repo, error))?;
    let of_commit = index_of(repo, &range, &session.config, notes)?;
    let sources = match (&of_commit, &range.head_commit) {
        (Some(_), Some(commit)) => sources_of(repo, commit),
        _ => session.sources(),
    };
    let store = of_commit.as_ref().unwrap_or(&session.store);
    let options = ReviewOptions { limits, threads: session.config.number("threads"), ..ReviewOptions::default() };
    // `asking` counts places that refer to deleted definitions, which have no impact of their own.
    let Some((mut report, asking)) = impact_of_change(repo, store, &sources, &range, &options)? else {
        notes.note("nothing differs that others can use: nothing breaks");
        let nothing = ImpactReport::of_nothing();
        return match args.format {
            format if !args.tests && (args.open || matches!(format, ImpactFormat::Json | ImpactFormat::Html)) => {
                write(args, global, session, &sources, &nothing, of_commit.is_none())
            }
            _ => Ok(()),
        };
    };
    if asking > 0 {
        let verb = if asking == 1 { "refers" } else { "refer" };
        let review = match &args.diff {
            None => " --staged".to_owned(),
            Some(range) if range.is_empty() => " --worktree".to_owned(),
            Some(range) => format!(" {range}"),
        };
        notes.note(&format!(
            "{} {verb} to deleted definitions: `repoidx review{review}` lists them",
            count(asking, "place")
        ));
    }
    if of_commit.is_none() {
        admit_staleness(session, &mut report);
    }
    if args.explain {
        explain_impact(store, &mut report, notes)?;
    }
    write(args, global, session, &sources, &report, of_commit.is_none())
}

/// Adds a boundary to an answer from an old index.
fn admit_staleness(session: &Session, report: &mut ImpactReport) {
    if let Some(boundary) = &session.staleness {
        report.boundaries.push(boundary.clone());
        report.completeness = report.completeness.max(Completeness::LowerBound);
    }
}

/// The command of this answer, with the full names of its targets.
fn asked(args: &ImpactArgs, global: &Global, report: &ImpactReport) -> String {
    let subject = match &args.diff {
        _ if args.staged => "--staged".to_owned(),
        Some(range) if range.is_empty() => "--diff".to_owned(),
        Some(range) => format!("--diff {}", argument(range)),
        None if report.targets.is_empty() => argument(&report.target.name),
        None => report.targets.iter().map(|target| argument(&target.name)).collect::<Vec<_>>().join(" "),
    };
    let mut asked = format!("{} {subject}", command(global, "impact", ""));
    if args.change != Change::Body {
        asked += &format!(" --change {}", args.change.as_str());
    }
    if let Some(param) = &args.param {
        asked += &format!(" --param {}", argument(param));
    }
    if let Some(depth) = args.depth {
        asked += &format!(" --depth {depth}");
    }
    if let Some(least) = args.min_probability {
        asked += &format!(" --min-probability {least}");
    }
    asked
}

fn write(
    args: &ImpactArgs,
    global: &Global,
    session: &Session,
    sources: &Sources,
    report: &ImpactReport,
    is_worktree: bool,
) -> Result<(), Failure> {
    if args.tests {
        return Ok(to_stdout(|out| tests(out, report))?);
    }
    if args.open {
        let page = page::worded(&page_of(report, sources, &page::frame(session, is_worktree)?))?;
        return page::open(session, "impact", &page);
    }
    let worded = match args.format {
        ImpactFormat::Prompt => {
            let budget = budget(args.size.tokens, &session.config);
            let longest = longest_line(&session.config);
            // A difference of commits has a store of its own.
            let exclusions = exclusions_of(&session.repo);
            let (shown, mut report) = (without(sources, &exclusions), report.clone());
            report.call_sites.retain(|site| !exclusions.has(&site.path));
            if exclusions.has(&report.target.path) {
                report.target.signature.clear();
            }
            let command = asked(args, global, &report);
            let worded = ("impact.j2", command.as_str());
            Measure::filled(&session.config, worded, budget, |bytes| briefing(&report, &shown, bytes, longest))?
        }
        ImpactFormat::Html => page::worded(&page_of(report, sources, &page::frame(session, is_worktree)?))?,
        _ => String::new(),
    };
    let is_report = matches!(args.format, ImpactFormat::Text | ImpactFormat::Json);
    // A difference between commits names them itself.
    let standing = if is_report && is_worktree { Standing::of(session) } else { Standing::default() };
    let source_line = |path: &str, line: u32| sources.shown_line(path, line);
    let closing = standing.closing(asked(args, global, report));
    let view = View { source_line: &source_line, has_details: args.explain, closing };
    to_stdout(|out| match args.format {
        ImpactFormat::Text => text(out, report, &view, &session.screen),
        ImpactFormat::Json if args.compact && is_worktree => {
            json::line(out, &standing.with(&CompactImpact::of(report)))
        }
        ImpactFormat::Json if args.compact => json::line(out, &CompactImpact::of(report)),
        ImpactFormat::Json if is_worktree => json::document(out, &standing.with(report), &session.screen),
        ImpactFormat::Json => json::document(out, report, &session.screen),
        ImpactFormat::Markdown => markdown::comment(out, report),
        ImpactFormat::Mermaid => mermaid::flowchart(out, report),
        ImpactFormat::Dot => dot::digraph(out, report),
        ImpactFormat::Prompt | ImpactFormat::Html => out.write_all(worded.as_bytes()),
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use crate::query::impact::walk::Least;

    #[test]
    fn the_least_probability_is_the_same_wherever_it_is_said() {
        let Least::Share { tests, others } = Least::default() else { panic!("the usual limit is a share") };
        for command in ["impact", "review"] {
            let mut cli = crate::cli::Cli::command();
            let help = cli.find_subcommand_mut(command).expect("a command").render_help().to_string();
            let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                help.contains(&format!("[default: {others} times the most probable, {tests} for tests]")),
                "{help}"
            );
        }
    }
}
