//! `repoidx review`.

use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};

#[cfg(feature = "formats")]
use crate::render::review::sarif;
use crate::{
    cli::{
        Global,
        commands::ask::measure::Measure,
        compared::{index_of, no_range},
        notes::Notes,
        page,
        session::{Session, budget},
        size::Size,
        standing::{Standing, command},
        values::fraction,
    },
    config::Config,
    error::{Failure, FailureKind},
    git::{Repository, patch::Patched},
    index::{is_indexed, patched},
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
        review::{briefing::briefing, github, markdown, tests, text},
        sheet::Closing,
        to_stdout,
        words::argument,
    },
    review::{
        Baseline, Mode, Range, ReviewOptions, ReviewReport, expected::ExpectedName, patched_sources, review, sources_of,
    },
    tools::{self, exclusions_of, without},
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
    /// A unified diff that is not applied yet (- for standard input); nothing is written to the working tree
    #[arg(long, value_name = "FILE", conflicts_with_all = ["range", "worktree", "staged"])]
    patch: Option<PathBuf>,
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
    /// Leave out less probable entities, from 0 to 1 [default: 0.12 times the most probable, 0.15 for tests]
    #[arg(long, value_name = "P", value_parser = fraction)]
    min_probability: Option<f64>,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ReviewFormat,
    /// Open the answer as a page in the browser
    #[arg(long, conflicts_with_all = ["format", "tests"])]
    open: bool,
    /// Also write the answer to a file; FORMAT may be `tests` too. May be given several times
    #[arg(long, value_name = "FORMAT=FILE", value_parser = written_file)]
    write: Vec<WrittenFile>,
    #[command(flatten)]
    size: Size,
}

/// A second form of the answer, in a file.
#[derive(Clone, Debug)]
struct WrittenFile {
    /// `None` for the ids of the tests.
    format: Option<ReviewFormat>,
    path: PathBuf,
}

fn written_file(text: &str) -> Result<WrittenFile, String> {
    let (format, path) = text.split_once('=').ok_or("it is FORMAT=FILE, such as sarif=review.sarif")?;
    let format = if format == "tests" { None } else { Some(ReviewFormat::from_str(format, false)?) };
    Ok(WrittenFile { format, path: PathBuf::from(path) })
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
    #[cfg(feature = "formats")]
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
  repoidx review --patch change.diff
  repoidx review --tests --select conservative > tests.txt; pytest @tests.txt";

pub(crate) fn run(args: &ReviewArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let mut session = Session::open(global, notes)?;
    args.size.apply(&mut session);
    let repo = &session.repo;
    let files = args.patch.as_ref().map(|path| patched_files(repo, path)).transpose()?;
    let range = match (args, &files) {
        (_, Some(files)) => Range::patched(repo, files),
        (ReviewArgs { worktree: true, .. }, _) => Range::worktree(repo, None),
        (ReviewArgs { staged: true, .. }, _) => Range::staged(repo),
        _ => Range::committed(repo, args.range.as_deref()),
    };
    let range = range.map_err(|error| no_range(repo, error))?;
    let baseline = args.baseline.as_ref().map(read_baseline).transpose()?;
    let mode = match args.select {
        Select::Focused => Mode::Focused,
        Select::Usual => Mode::Usual,
        Select::Conservative => Mode::Conservative,
    };
    let mut options = ReviewOptions { mode, with_chains: args.is_page(), ..usual_options(&session.config) };
    if let Some(least) = args.min_probability {
        options.limits.least = Least::Probability(least);
    }
    let reviewed = match &files {
        Some(files) => reviewed_patch(&session, files, &range, &options, notes),
        None => reviewed(&session, &range, &options, notes),
    };
    let Reviewed { mut report, sources, is_worktree } = reviewed?;
    if let Some(baseline) = &baseline {
        // Before the tests are cut and the gate is checked: known findings must not count.
        report.forget(baseline);
    }
    report.tests.truncate(args.max_tests.unwrap_or(usize::MAX));
    let answer = Answer { args, global, session: &session, sources: &sources, report: &report, is_worktree };
    for file in &args.write {
        let mut text = Vec::new();
        answer.write(file.format, &mut text)?;
        std::fs::write(&file.path, text).map_err(|error| {
            Failure::unusable(format!("writing {}: {error}", visible(&file.path.display().to_string())), "")
        })?;
    }
    // A failing gate still prints the report.
    if args.open {
        let mut text = Vec::new();
        answer.write(Some(ReviewFormat::Html), &mut text)?;
        page::open(&session, "review", &String::from_utf8_lossy(&text))?;
    } else {
        let format = (!args.tests).then_some(args.format);
        to_stdout(|out| answer.write(format, out))?;
    }
    let is_usual = args.range.is_none() && args.patch.is_none() && !args.worktree && !args.staged;
    // Documents are no part of a review.
    let left_out = || Standing::of(&session).without(&|path| !is_indexed(path)).edited_words();
    if let Some(left_out) = is_usual.then(left_out).flatten() {
        notes.note(&format!("`repoidx review --worktree` compares what is not committed, {left_out}"));
    }
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
    let limits = Limits { depth: None, ..tools::limits(config) };
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
    report.expect(&sources, &expected_names(&session.config, notes));
    Ok(Reviewed { report, sources, is_worktree: of_commit.is_none() })
}

/// The findings that the configuration expects. A line that cannot be read is told, and expects nothing.
fn expected_names(config: &Config, notes: Notes) -> Vec<ExpectedName> {
    let parsed = config.lines("expect").map(ExpectedName::parse);
    let read = |parsed: Result<ExpectedName, String>| parsed.map_err(|error| notes.warning(&visible(&error))).ok();
    parsed.filter_map(read).collect()
}

/// Reviews the working tree with a patch.
fn reviewed_patch<'s>(
    session: &'s Session,
    files: &'s Patched,
    range: &Range,
    options: &ReviewOptions,
    notes: Notes,
) -> Result<Reviewed<'s>, Failure> {
    let store = patched(&session.repo, files, options.threads, &())?;
    let sources = patched_sources(&session.repo, files);
    let mut report = review(&session.repo, &store, &sources, range, options)?;
    report.expect(&sources, &expected_names(&session.config, notes));
    Ok(Reviewed { report, sources, is_worktree: false })
}

/// The contents that the patch in a file gives to files of the working tree.
fn patched_files(repo: &Repository, path: &Path) -> Result<Patched, Failure> {
    let shown = visible(&path.display().to_string()).into_owned();
    let mut patch = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut patch).map(drop)
    } else {
        std::fs::read(path).map(|bytes| patch = bytes)
    };
    read.map_err(|error| {
        Failure::usage(format!("reading the patch {shown}: {error}"), "git diff | repoidx review --patch -")
    })?;
    let hint = "the patch must fit the files as they are now; `git apply --check` says more";
    repo.patched(&patch).map_err(|error| Failure::usage(visible(&error.to_string()).into_owned(), hint))
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
    if let Some(path) = &args.patch {
        asked += &format!(" --patch {}", argument(&path.display().to_string()));
    }
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

impl ReviewArgs {
    /// Whether a page is asked for, which shows chains.
    fn is_page(&self) -> bool {
        self.open
            || self.format == ReviewFormat::Html
            || self.write.iter().any(|file| file.format == Some(ReviewFormat::Html))
    }
}

/// A review with what its forms need beside it.
struct Answer<'a> {
    args: &'a ReviewArgs,
    global: &'a Global,
    session: &'a Session,
    sources: &'a Sources<'a>,
    report: &'a ReviewReport,
    is_worktree: bool,
}

impl Answer<'_> {
    /// Writes one form; `None` stands for the ids of the tests.
    fn write(&self, format: Option<ReviewFormat>, out: &mut dyn Write) -> Result<(), Failure> {
        let Answer { args, global, session, sources, report, is_worktree } = *self;
        match format {
            None => tests(out, report)?,
            Some(ReviewFormat::Text) => {
                let closing = Closing { command: asked(args, global), ..Closing::default() };
                text(out, report, closing, &session.screen)?;
            }
            Some(ReviewFormat::Json) => json::document(out, report, &session.screen)?,
            Some(ReviewFormat::Markdown) => markdown::comment(out, report)?,
            Some(ReviewFormat::Github) => github::annotations(out, report)?,
            #[cfg(feature = "formats")]
            Some(ReviewFormat::Sarif) => json::document(out, &sarif::log(report), &session.screen)?,
            Some(ReviewFormat::Prompt) => {
                let budget = budget(args.size.tokens, &session.config);
                let exclusions = exclusions_of(&session.repo);
                let mut report = report.clone();
                report.withhold(&|path| exclusions.has(path));
                let shown = without(sources, &exclusions);
                let evidence = |bytes| briefing(&report, &shown, bytes);
                let worded = Measure::filled(&session.config, ("review.j2", &asked(args, global)), budget, evidence)?;
                out.write_all(worded.as_bytes())?;
            }
            Some(ReviewFormat::Html) => {
                let page = page::worded(&page_of(report, sources, &page::frame(session, is_worktree)?))?;
                out.write_all(page.as_bytes())?;
            }
        }
        Ok(())
    }
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
