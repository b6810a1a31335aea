//! Seven read-only questions about a repository, for programs that talk to language models: impact, review, refs,
//! search, show, map and context.
//!
//! The same queries and the same renderer answer here as on the command line. An answer is a text within a budget of
//! tokens. Its first line is the verdict, its last line says which state of which repository it speaks of. The report
//! as JSON comes on request. A name that means nothing, a busy index or a folder without Python are answers too, with
//! the next step; only a malfunction is an error.
//!
//! `catalog` describes the tools, `arguments` reads their arguments, `opening` brings an index up to date in time.

pub mod arguments;
pub mod catalog;
pub mod opening;

pub(crate) mod context;
mod fitting;
pub(crate) mod impact;
mod refs;
pub(crate) mod review;
mod search;
mod show;
mod standing;
pub(crate) mod target;

use serde::Serialize;
use serde_json::Value;

use crate::{
    config::Config,
    error::{Failure, FailureKind},
    git::{Repository, worktree::exclusions::Exclusions},
    index::{FileLimits, UpdateOptions},
    query::{
        impact::{
            completeness::Boundary,
            walk::{Least, Limits},
        },
        map::MapWeights,
        source::Sources,
    },
    render::escape::visible,
    review::expected::ExpectedName,
    store::Store,
    tools::{
        arguments::{Request, ToolQuestion},
        fitting::AnswerFrame,
        opening::withheld::WithheldPaths,
        standing::AnswerStanding,
    },
};

/// Largest file that is read for an answer, in bytes.
const MAX_SOURCE: u64 = 8 << 20;

/// An open repository that tools may ask.
pub struct Workspace<'w> {
    pub repo: &'w Repository,
    pub store: &'w Store,
    pub config: &'w Config,
    /// How far the index lags behind, if it does, with the files that it has not read.
    pub staleness: Option<&'w Boundary>,
    /// The files that are withheld from models.
    pub withheld: &'w WithheldPaths,
}

/// The answer of a tool.
#[derive(Clone, Debug)]
pub struct ToolAnswer {
    /// At most the asked number of tokens.
    pub text: String,
    /// The whole report, if it was asked for and there is one.
    pub report: Option<Value>,
}

impl<'w> Workspace<'w> {
    /// The current files, but for those withheld from models.
    pub fn sources(&self) -> Sources<'w> {
        let withheld = self.withheld;
        all_sources(self.repo).without(move |path| withheld.has(path))
    }

    /// The findings of a review that the settings expect.
    pub fn expected(&self) -> Vec<ExpectedName> {
        self.config.lines("expect").filter_map(|line| ExpectedName::parse(line).ok()).collect()
    }

    /// The limits of a walk in the settings.
    pub fn limits(&self) -> Limits {
        limits(self.config)
    }

    /// Which state of which repository an answer speaks of, in a line.
    pub fn standing(&self) -> String {
        AnswerStanding::of(self).words(None)
    }

    /// A path as a model gives it, relative to the root.
    fn without_root<'p>(&self, path: &'p str) -> &'p str {
        let inside = self.repo.root().and_then(|root| std::path::Path::new(path).strip_prefix(root).ok());
        inside.and_then(std::path::Path::to_str).unwrap_or(path).trim_start_matches("./")
    }
}

/// The files that ignore files withhold from models.
pub fn exclusions(sources: &Sources) -> Exclusions {
    Exclusions::read(|file| sources.text(file).map(|text| text.to_string()))
}

/// The same for the current files of a repository.
pub(crate) fn exclusions_of(repo: &Repository) -> Exclusions {
    exclusions(&all_sources(repo))
}

/// `sources` but for the withheld files.
pub(crate) fn without<'s>(sources: &'s Sources, exclusions: &'s Exclusions) -> Sources<'s> {
    Sources::new(
        |path| {
            if exclusions.has(path) { None } else { sources.text(path).map(|text| text.as_bytes().to_vec()) }
        },
    )
}

/// The current files of a repository; in a bare one, those of the last commit.
pub(crate) fn all_sources(repo: &Repository) -> Sources<'_> {
    if repo.root().is_none() {
        let head = repo.head().ok().flatten().unwrap_or_default();
        return crate::review::sources_of(repo, &head);
    }
    Sources::new(move |path| {
        let is_small = repo.stat(path).is_some_and(|stat| stat.size <= MAX_SOURCE);
        if is_small { repo.read(path).ok() } else { None }
    })
}

/// The limits of a walk in the settings.
pub fn limits(config: &Config) -> Limits {
    Limits {
        depth: config.number("depth").and_then(|depth| u32::try_from(depth).ok()),
        least: Least::of(config.fraction("min_probability")),
        is_library: config.flag("library"),
        ..Limits::default()
    }
}

/// The weights of a map in the settings.
pub fn map_weights(config: &Config) -> MapWeights {
    let usual = MapWeights::default();
    let set = |name: &str, usual: f64| config.fraction(name).unwrap_or(usual);
    MapWeights {
        tests: set("map_tests", usual.tests),
        private: set("map_private", usual.private),
        long: set("map_long", usual.long),
        common: set("map_common", usual.common),
        mentioned: set("map_mentioned", usual.mentioned),
        file: set("map_file", usual.file),
    }
}

/// The options of an update in the settings.
pub fn index_options(config: &Config) -> UpdateOptions {
    let limits = FileLimits {
        kib: config.number("max_file_kib").unwrap_or(usize::MAX),
        document_kib: config.number("max_document_kib").unwrap_or(usize::MAX),
        lines: config.number("max_lines").unwrap_or(usize::MAX),
        average_line: config.number("max_average_line").unwrap_or(usize::MAX),
        alphanumeric: config.fraction("min_alphanumeric").unwrap_or(0.0),
        digits: config.fraction("max_digits").unwrap_or(1.0),
    };
    UpdateOptions { threads: config.number("threads"), limits: Some(limits), ..UpdateOptions::default() }
}

/// Answers a request.
///
/// # Errors
/// When the index or the repository cannot be read. Everything that a caller can remedy is an answer.
pub fn answer(workspace: &Workspace, request: &Request, with_report: bool) -> Result<ToolAnswer, Failure> {
    let mut request = request.clone();
    let mut notes = request.notes();
    if let Some(target) = request.call.target()
        && let Some(name) = target::respelling(workspace, target)?
    {
        notes.push(format!("`{}` is read as `{}`", visible(target), visible(&name)));
        *target = name;
    }
    let withheld = workspace.store.withheld_paths().map(str::to_owned).collect();
    let standing = AnswerStanding::of(workspace);
    let frame = AnswerFrame { tokens: request.max_tokens, with_report, standing, notes, withheld };
    let answered = match &request.call {
        ToolQuestion::Impact(arguments) => impact::impact(workspace, arguments, &frame),
        ToolQuestion::Review(arguments) => review::review(workspace, arguments, &frame),
        ToolQuestion::Refs(arguments) => refs::refs(workspace, arguments, &frame),
        ToolQuestion::Search(arguments) => search::search(workspace, arguments, &frame),
        ToolQuestion::Show(arguments) => show::show(workspace, arguments, &frame),
        ToolQuestion::Map(arguments) => show::outline(workspace, &arguments.focus, &frame),
        ToolQuestion::Context(arguments) => context::context(workspace, arguments, &frame),
    };
    match answered {
        Err(failure) if failure.kind == FailureKind::Usage => Ok(frame.message(&worded(&failure))),
        answered => answered,
    }
}

/// A condition that the caller can remedy, with the next step.
pub fn worded(failure: &Failure) -> String {
    match failure.hint.as_str() {
        "" => failure.message.clone(),
        hint => format!("{}\nnext: {hint}", failure.message),
    }
}

/// A report with the state that it speaks of, as JSON.
#[derive(Serialize)]
struct WithStanding<'r, R: Serialize> {
    #[serde(flatten)]
    report: &'r R,
    #[serde(flatten)]
    standing: &'r AnswerStanding,
}
