//! `repoidx status`.

use std::io;

use clap::Args;

use crate::{
    ask::privacy::SentSoFar,
    cli::{
        Global, embedding,
        notes::Notes,
        session::{configuration, index_path, repository, screen, update},
        values::Plain,
    },
    error::Failure,
    git::{Repository, UnreadPaths},
    hooks::{
        queue::UpdateQueue,
        state::{missing_program, states},
    },
    index,
    llm::requests::{LoggedRequest, RequestLog},
    render::{
        json,
        status::{
            SkippedFile, StatusReport, Vectors,
            sent::{SentRequest, SentSummary},
            text,
        },
        to_stdout,
    },
    store::{Store, search::vectors::Coverage},
};

/// Show the contents of the index and how fresh it is
///
/// Brings the index up to date first; with --no-update nothing is written.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
    /// List what was sent to a language model or an embedder: when, where to, how much, and the names of the files
    #[arg(long)]
    requests: bool,
    /// Count classes, functions and methods: nested, async, decorated ones, properties and overloads
    #[arg(long, conflicts_with = "requests")]
    counts: bool,
}

pub(crate) fn run(args: &StatusArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let repo = repository(global)?;
    let config = configuration(Some(&repo), notes)?;
    let mut problem = None;
    if !global.no_update && config.flag("update") {
        problem = update(&repo, &config, false, None, notes).err().map(|failure| failure.message);
    }
    let mut report = StatusReport {
        schema: "repoidx.status",
        schema_version: 1,
        head: repo.head()?,
        backend: repo.backend().to_owned(),
        index: index_path(&repo),
        ..StatusReport::default()
    };
    let queue = UpdateQueue::of(&repo);
    report.worker = match (queue.has_worker(), queue.is_marked()) {
        (true, _) => Some("working".to_owned()),
        (false, true) => Some("due".to_owned()),
        (false, false) => None,
    };
    // A repository whose hooks cannot be read is a matter for `doctor`.
    let hooks = states(&repo).unwrap_or_default();
    report.missing_hook_program = missing_program(&hooks).map(|program| program.display().to_string());
    let store = index::open(&repo);
    let (embedder, coverage) = embedding::state(&repo, &config, store.as_ref().ok());
    report.embedder = Some(embedder);
    report.vectors = coverage.map(|Coverage { texts, embedded, docstrings }| Vectors { texts, embedded, docstrings });
    match store {
        Ok(store) => {
            describe(&repo, &store, &mut report)?;
            report.counts = args.counts.then(|| store.definition_counts()).transpose()?;
        }
        Err(error) => problem = problem.or_else(|| Some(error.to_string())),
    }
    report.problem = problem;
    let sent = sent(&repo);
    report.sent = match &sent {
        Ok((requests, unreadable)) => SentSummary::of(requests, *unreadable),
        Err(error) => SentSummary::unknown(error.to_string()),
    };
    report.requests = args.requests.then(|| sent.map(|(requests, _)| requests).unwrap_or_default());
    let screen = screen(global, &config, &repo);
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &report, &screen),
        Plain::Text => text(out, &report, &screen),
    })?;
    Ok(())
}

/// The requests that were sent about this repository, and the number of lines that cannot be read.
fn sent(repo: &Repository) -> io::Result<(Vec<SentRequest>, usize)> {
    let (entries, unreadable) = RequestLog::in_folder(&repo.data_dir()).entries()?;
    let sent = |LoggedRequest { time, to, model, bytes, attempt, files, texts }| SentRequest {
        time,
        to,
        model,
        bytes,
        attempt,
        files,
        texts,
    };
    Ok((entries.into_iter().map(sent).collect(), unreadable))
}

/// The requests that were sent about this repository, in words.
pub(super) fn sent_so_far(repo: &Repository) -> SentSoFar {
    let (summary, is_known) = match sent(repo) {
        Ok((requests, unreadable)) => (SentSummary::of(&requests, unreadable), unreadable == 0 || !requests.is_empty()),
        Err(error) => (SentSummary::unknown(error.to_string()), false),
    };
    SentSoFar { requests: summary.requests, words: summary.to_string(), is_known }
}

fn describe(repo: &Repository, store: &Store, report: &mut StatusReport) -> Result<(), Failure> {
    let freshness = index::freshness(repo, store)?;
    let counts = store.counts()?;
    report.head = freshness.head;
    report.indexed = freshness.indexed;
    report.fresh = freshness.fresh;
    report.pending = freshness.pending;
    report.files = counts.files;
    report.entities = counts.entities;
    report.relationships = counts.relationships;
    report.unresolved = counts.unresolved;
    report.limited = store.limited()?;
    for (_, file) in store.files()? {
        if !file.skipped.is_empty() {
            report.skipped.push(SkippedFile { path: file.path, reason: file.skipped });
        } else if file.is_partial {
            report.partial.push(file.path);
        }
    }
    for (_, document) in store.documents()? {
        if document.skipped.is_empty() {
            report.documents += 1;
        } else {
            report.skipped.push(SkippedFile { path: document.path, reason: document.skipped });
        }
    }
    let unread = if repo.root().is_some() { repo.unread_where(&index::is_read)? } else { UnreadPaths::default() };
    let mut skip = |paths: Vec<String>, reason: &str| {
        report.skipped.extend(paths.into_iter().map(|path| SkippedFile { path, reason: reason.to_owned() }));
    };
    skip(unread.links, "a symlink: links are not followed");
    skip(unread.submodules, "a submodule: it has an index of its own");
    skip(unread.repositories, "a repository of its own");
    skip(index::ignored(repo)?, "named in .repoidxignore");
    report.kinds = store.count_by_kind()?;
    Ok(())
}
