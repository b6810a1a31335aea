//! The tool `review`.

use crate::{
    error::Failure,
    index::{patched, snapshot},
    query::{
        impact::{completeness::Completeness, verdict::Verdict, walk::Limits},
        source::Sources,
    },
    render::{
        escape::visible,
        review::{sheet, tests_alone},
        sheet::Closing,
        words::argument,
    },
    review::{
        Range, RangeError, ReviewOptions, ReviewReport, is_worktree, patched_sources, review as review_of, sources_of,
    },
    tools::{
        ToolAnswer, Workspace,
        arguments::{ReviewArguments, ReviewPart},
        fitting::AnswerFrame,
        impact::test_files,
        standing::completeness_words,
    },
};

/// Answers what a change breaks.
pub(super) fn review(
    workspace: &Workspace,
    arguments: &ReviewArguments,
    frame: &AnswerFrame,
) -> Result<ToolAnswer, Failure> {
    let given = [!arguments.range.is_empty(), arguments.staged, !arguments.patch.trim().is_empty()];
    if given.into_iter().filter(|given| *given).count() > 1 {
        return Err(Failure::usage("range, staged and patch are different changes", "give one of them"));
    }
    let repo = workspace.repo;
    if !arguments.patch.trim().is_empty() {
        return of_patch(workspace, arguments, frame);
    }
    let range = match arguments {
        ReviewArguments { staged: true, .. } => Range::staged(repo),
        ReviewArguments { range, .. } if range.is_empty() => Range::worktree(repo, None),
        ReviewArguments { range, .. } => Range::committed(repo, Some(range)),
    };
    let range = range.map_err(no_range)?;
    let command = match arguments {
        ReviewArguments { staged: true, .. } => "repoidx review --staged".to_owned(),
        ReviewArguments { range, .. } if range.is_empty() => "repoidx review --worktree".to_owned(),
        ReviewArguments { range, .. } => format!("repoidx review {}", argument(range)),
    };
    let (report, _) = reviewed(workspace, &range, &options(workspace))?;
    written(report, arguments.only, &command, frame)
}

/// Answers what a diff would break, over the index of the worktree with it.
fn of_patch(workspace: &Workspace, arguments: &ReviewArguments, frame: &AnswerFrame) -> Result<ToolAnswer, Failure> {
    let repo = workspace.repo;
    let files = repo.patched(arguments.patch.as_bytes()).map_err(|error| {
        Failure::usage(visible(&error.to_string()).into_owned(), "the diff is against the files as they are now")
    })?;
    let range = Range::patched(repo, &files).map_err(no_range)?;
    let options = options(workspace);
    let store = patched(repo, &files, options.threads, &())?;
    let sources = patched_sources(repo, &files);
    let mut report = review_of(repo, &store, &sources, &range, &options)?;
    report.expect(&sources, &workspace.expected());
    written(report, arguments.only, "repoidx review --patch FILE", frame)
}

/// The options for reviews in the settings.
pub(crate) fn options(workspace: &Workspace) -> ReviewOptions {
    // A review follows every change as far as it goes.
    let limits = Limits { depth: None, ..workspace.limits() };
    ReviewOptions { limits, threads: workspace.config.number("threads"), ..ReviewOptions::default() }
}

/// The review of `range`, over the index of its newer state, and the files of that state.
pub(crate) fn reviewed<'w>(
    workspace: &Workspace<'w>,
    range: &Range,
    options: &ReviewOptions,
) -> Result<(ReviewReport, Sources<'w>), Failure> {
    let repo = workspace.repo;
    if let Some(commit) = range.head_commit.as_deref().filter(|commit| !is_worktree(repo, commit)) {
        let store = snapshot(repo, commit, options.threads, &())?;
        let sources = sources_of(repo, commit);
        let mut report = review_of(repo, &store, &sources, range, options)?;
        report.expect(&sources, &workspace.expected());
        return Ok((report, sources));
    }
    let sources = workspace.sources();
    let mut report = review_of(repo, workspace.store, &sources, range, options)?;
    report.expect(&sources, &workspace.expected());
    if let Some(boundary) = workspace.staleness {
        report.boundaries.push(boundary.clone());
        report.completeness = report.completeness.max(Completeness::LowerBound);
    }
    Ok((report, sources))
}

fn written(
    mut report: ReviewReport,
    only: ReviewPart,
    command: &str,
    frame: &AnswerFrame,
) -> Result<ToolAnswer, Failure> {
    report.withhold(&|path| frame.withheld.iter().any(|withheld| withheld == path));
    if only == ReviewPart::Breaks {
        // The counts stay: they are about everything.
        report.findings.retain(|finding| finding.verdict <= Verdict::MayBreak);
    }
    let words = completeness_words(report.completeness, &report.boundaries);
    frame.answer(&report, Some(&words), command, |out, screen| {
        let closing = Closing { command: command.to_owned(), ..Closing::default() };
        let mut sheet = match only {
            ReviewPart::Tests => tests_alone(&report, closing, screen),
            _ => sheet(&report, closing, screen),
        };
        let ids: Vec<&str> = report.tests.iter().map(|test| test.id.as_str()).collect();
        let by_file = test_files(&ids).rows;
        // The last but two are the tests, below them those that cannot be judged.
        let tests = sheet.sections.iter_mut().rev().nth(2).filter(|section| section.rows.len() > by_file.len());
        if let Some(tests) = tests.filter(|_| only != ReviewPart::Tests) {
            tests.folded = Some(by_file);
        }
        frame.shorten(&mut sheet);
        sheet.write(out, screen)
    })
}

/// The failure of a range, with the next step.
pub(crate) fn no_range(error: RangeError) -> Failure {
    let message = visible(&error.to_string()).into_owned();
    match error {
        RangeError::Git(crate::git::GitError::UnknownRevision(_)) => {
            Failure::usage(message, "range is like HEAD~3..HEAD or origin/main; empty for the working tree")
        }
        RangeError::Git(error) => error.into(),
        _ => Failure::usage(message, "leave range empty for the working tree"),
    }
}
