//! `repoidx review`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::{
    cli::{
        Global,
        compared::{index_of, no_range, sources_of},
        notes::Notes,
        page,
        session::{Session, budget, prompt},
        size::Size,
        standing::command,
        values::fraction,
    },
    config::Config,
    error::{Failure, FailureKind},
    query::{
        impact::{
            completeness::Completeness,
            walk::{Least, Limits},
        },
        source::Sources,
        words::count,
    },
    render::{
        escape::visible,
        json,
        page::review as page_of,
        review::{briefing::briefing, github, markdown, sarif, tests, text},
        sheet::Closing,
        to_stdout,
        words::argument,
    },
    review::{Baseline, Mode, Range, ReviewOptions, ReviewReport, review},
};

/// Show what a change breaks, and which tests to run
///
/// Compares two states definition by definition, and checks every place that refers to a changed one: does the call
/// still fit, does the name still exist? RANGE is A..B, A...B, or A (from where HEAD left A). Without it, the commits
/// to be pushed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReviewArgs {
    /// The change [default: from the upstream or default branch to HEAD]
    range: Option<String>,
    /// The uncommitted changes: from HEAD to the working tree
    #[arg(long, conflicts_with = "range")]
    worktree: bool,
    /// The next commit: from HEAD to git's index
    #[arg(long, conflicts_with_all = ["range", "worktree"])]
    staged: bool,
    /// Exit with 1 if there is such a finding; may be given several times
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
    /// Leave out the findings of an earlier `review --format json`
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Print only the ids of the tests to run, one per line, as pytest takes them
    #[arg(long, conflicts_with = "format")]
    tests: bool,
    /// How many tests: focused, usual or conservative
    #[arg(long, value_name = "MODE", default_value = "usual")]
    select: Select,
    /// At most N tests, the most endangered ones
    #[arg(long, value_name = "N")]
    max_tests: Option<usize>,
    /// Leave out less probable entities, from 0 to 1 [default: 0.13 times the most probable]
    #[arg(long, value_name = "P", value_parser = fraction)]
    min_probability: Option<f64>,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ReviewFormat,
    #[command(flatten)]
    size: Size,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Something breaks
    Breaks,
    /// Something breaks or may break
    MayBreak,
    /// A changed definition is reached by no known test
    Untested,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Select {
    /// Tests that are likely to be reached
    Focused,
    /// Tests at least as probable as asked for
    Usual,
    /// Tests that cannot be ruled out
    Conservative,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReviewFormat {
    /// For people
    Text,
    /// For programs, with everything
    Json,
    /// For a comment on a pull request
    Markdown,
    /// Annotations for GitHub Actions
    Github,
    /// SARIF 2.1.0 for code hosts and editors
    Sarif,
    /// For a language model
    Prompt,
    /// A page without external files
    Html,
}

const EXAMPLES: &str = "\
Examples:
  repoidx review
  repoidx review --staged --fail-on breaks
  repoidx review main...feature --format markdown
  repoidx review HEAD~1..HEAD --format sarif > review.sarif
  repoidx review --tests --select conservative > tests.txt; pytest @tests.txt";

pub(crate) fn run(args: &ReviewArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    args.size.apply(&mut session);
    let repo = &session.repo;
    let range = match args {
        ReviewArgs { worktree: true, .. } => Range::worktree(repo, None),
        ReviewArgs { staged: true, .. } => Range::staged(repo),
        _ => Range::committed(repo, args.range.as_deref()),
    };
    let range = range.map_err(|error| no_range(repo, error))?;
    let baseline = args.baseline.as_ref().map(read_baseline).transpose()?;
    let mode = match args.select {
        Select::Focused => Mode::Focused,
        Select::Usual => Mode::Usual,
        Select::Conservative => Mode::Conservative,
    };
    let mut options =
        ReviewOptions { mode, with_chains: args.format == ReviewFormat::Html, ..usual_options(&session.config) };
    if let Some(least) = args.min_probability {
        options.limits.least = Least::Probability(least);
    }
    let Reviewed { mut report, sources, is_worktree } = reviewed(&session, &range, &options, notes)?;
    if let Some(baseline) = &baseline {
        // Before the tests are cut and the gate is checked: known findings must not count.
        report.forget(baseline);
    }
    report.tests.truncate(args.max_tests.unwrap_or(usize::MAX));
    // A failing gate still prints the report.
    write(args, global, &session, &sources, &report, is_worktree)?;
    gate(&args.fail_on, &report)
}

/// A review with the files it is about.
pub(crate) struct Reviewed<'s> {
    pub(crate) report: ReviewReport,
    pub(crate) sources: Sources<'s>,
    /// The newer state is the working tree.
    pub(crate) is_worktree: bool,
}

/// The options for reviews in the settings.
pub(crate) fn usual_options(config: &Config) -> ReviewOptions {
    let limits = Limits { least: Least::of(config.fraction("min_probability")), ..Limits::default() };
    ReviewOptions { limits, threads: config.number("threads"), ..ReviewOptions::default() }
}

/// Reviews the difference between two states.
pub(crate) fn reviewed<'s>(
    session: &'s Session,
    range: &Range,
    options: &ReviewOptions,
    notes: Notes,
) -> Result<Reviewed<'s>, Failure> {
    let of_commit = index_of(&session.repo, range, &session.config, notes)?;
    let sources = match (&of_commit, &range.head_commit) {
        (Some(_), Some(commit)) => sources_of(&session.repo, commit),
        _ => session.sources(),
    };
    let store = of_commit.as_ref().unwrap_or(&session.store);
    let mut report = review(&session.repo, store, &sources, range, options)?;
    if let Some(boundary) = session.staleness.as_ref().filter(|_| of_commit.is_none()) {
        report.boundaries.push(boundary.clone());
        report.completeness = report.completeness.max(Completeness::LowerBound);
    }
    Ok(Reviewed { report, sources, is_worktree: of_commit.is_none() })
}

fn read_baseline(path: &PathBuf) -> Result<Baseline, Failure> {
    let shown = visible(&path.display().to_string()).into_owned();
    let unreadable = |reason: String| {
        Failure::usage(
            format!("reading the baseline {shown}: {reason}"),
            "repoidx review --format json > baseline.json",
        )
    };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    Baseline::parse(&text).map_err(|error| unreadable(error.to_string()))
}

/// The command of this review.
fn asked(args: &ReviewArgs, global: &Global) -> String {
    let range = match args {
        ReviewArgs { worktree: true, .. } => "--worktree",
        ReviewArgs { staged: true, .. } => "--staged",
        _ => args.range.as_deref().unwrap_or_default(),
    };
    let mut asked = command(global, "review", range);
    if let Some(path) = &args.baseline {
        asked += &format!(" --baseline {}", argument(&path.display().to_string()));
    }
    if let Some(select) = args.select.to_possible_value().filter(|_| args.select != Select::Usual) {
        asked += &format!(" --select {}", select.get_name());
    }
    if let Some(most) = args.max_tests {
        asked += &format!(" --max-tests {most}");
    }
    if let Some(least) = args.min_probability {
        asked += &format!(" --min-probability {least}");
    }
    asked
}

fn write(
    args: &ReviewArgs,
    global: &Global,
    session: &Session,
    sources: &Sources,
    report: &ReviewReport,
    is_worktree: bool,
) -> Result<(), Failure> {
    if args.tests {
        return Ok(to_stdout(|out| tests(out, report))?);
    }
    let worded = match args.format {
        ReviewFormat::Prompt => {
            let budget = budget(args.size.tokens, &session.config);
            prompt("review.j2", budget, |bytes| briefing(report, sources, bytes))?
        }
        ReviewFormat::Html => page::worded(&page_of(report, sources, &page::frame(session, is_worktree)?))?,
        _ => String::new(),
    };
    to_stdout(|out| match args.format {
        ReviewFormat::Text => {
            let closing = Closing { command: asked(args, global), ..Closing::default() };
            text(out, report, closing, &session.screen)
        }
        ReviewFormat::Json => json::document(out, report, &session.screen),
        ReviewFormat::Markdown => markdown::comment(out, report),
        ReviewFormat::Github => github::annotations(out, report),
        ReviewFormat::Sarif => json::document(out, &sarif::log(report), &session.screen),
        ReviewFormat::Prompt | ReviewFormat::Html => out.write_all(worded.as_bytes()),
    })?;
    Ok(())
}

/// The failure that the user asked for with `--fail-on`.
fn gate(wanted: &[FailOn], report: &ReviewReport) -> Result<(), Failure> {
    let counts = &report.counts;
    let reasons = wanted.iter().filter_map(|what| match what {
        FailOn::Breaks if counts.breaks == 1 => Some("1 place that breaks".to_owned()),
        FailOn::Breaks if counts.breaks > 0 => Some(format!("{} that break", count(counts.breaks, "place"))),
        FailOn::MayBreak if counts.breaks + counts.may_break > 0 => {
            Some(format!("{} that break or may break", count(counts.breaks + counts.may_break, "place")))
        }
        FailOn::Untested if !report.untested.is_empty() => {
            Some(format!("{} that no test is known to reach", count(report.untested.len(), "changed definition")))
        }
        _ => None,
    });
    let reasons: Vec<String> = reasons.collect();
    if reasons.is_empty() {
        return Ok(());
    }
    Err(Failure {
        kind: FailureKind::Gate,
        message: format!("the review found {}", reasons.join(" and ")),
        hint: String::new(),
    })
}
