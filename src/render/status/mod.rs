//! The state of an index, as text or as the JSON of the contract.

pub mod counts;
pub mod doctor;
pub mod sent;
pub mod start;

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use serde::Serialize;

use crate::{
    model::definition_counts::DefinitionCounts,
    query::words::{count, plural, short_commit},
    render::{
        escape::{visible, visible_path},
        screen::{Ink, Screen},
        status::sent::{SentRequest, SentSummary, requests},
    },
};

/// The report of `status`, as JSON too. Fields are added, never changed.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
pub struct StatusReport {
    pub schema: &'static str,
    pub schema_version: u32,
    /// The commit that is checked out.
    pub head: Option<String>,
    /// The commit that the index was last brought to.
    pub indexed: Option<String>,
    /// Nothing differs from the working tree now.
    pub fresh: bool,
    /// Files that differ from what is indexed.
    pub pending: Vec<String>,
    /// Indexed source files; `skipped` has the others.
    pub files: u64,
    /// Indexed documents.
    pub documents: u64,
    pub entities: u64,
    /// Definitions by kind.
    pub kinds: BTreeMap<&'static str, u64>,
    /// With `--counts`: classes, functions and methods in numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<DefinitionCounts>,
    pub relationships: u64,
    pub unresolved: u64,
    /// Unresolved occurrences whose receiver has more possible values than the index keeps.
    pub limited: u64,
    /// Files, documents and folders that are not indexed.
    pub skipped: Vec<SkippedFile>,
    /// Files with syntax errors: indexed as far as they parse.
    pub partial: Vec<String>,
    /// The work of the hooks' worker; `None` if none runs.
    pub worker: Option<String>,
    /// The program that the hooks call, if it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_hook_program: Option<String>,
    /// The library or program that reads the repository.
    pub backend: String,
    pub embedder: Option<String>,
    /// Number of texts with a vector of the embedder, unless the embedder is part of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vectors: Option<Vectors>,
    /// The requests to language models and embedders, counted by receiver.
    pub sent: SentSummary,
    /// With `--requests`: what was sent to language models and embedders, oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<Vec<SentRequest>>,
    /// Where the index lies.
    pub index: String,
    /// The reason why there is no index to report about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Progress of an embedder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Vectors {
    pub texts: u64,
    pub embedded: u64,
    /// How many of the texts are docstrings, which have vectors of their own.
    pub docstrings: u64,
}

/// A file that is not indexed, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SkippedFile {
    pub path: String,
    pub reason: String,
}

/// Writes the state for people, or the requests or the numbers alone where they were asked for.
pub fn text(out: &mut dyn Write, report: &StatusReport, screen: &Screen) -> io::Result<()> {
    if let Some(sent) = &report.requests {
        return requests(out, &report.sent, sent, screen);
    }
    if let Some(counts) = &report.counts {
        return counts::text(out, counts);
    }
    let short = |commit: &Option<String>| commit.as_deref().map_or("none", short_commit).to_owned();
    let state = match (report.fresh, &report.problem) {
        (_, Some(problem)) => screen.paint(Ink::Bad, &visible(problem)),
        (true, None) => screen.paint(Ink::Good, "fresh"),
        (false, None) => screen.paint(Ink::Warning, &format!("{} to look at", count(report.pending.len(), "file"))),
    };
    writeln!(out, "state          {state}")?;
    writeln!(out, "head           {}", short(&report.head))?;
    writeln!(out, "indexed        {}", short(&report.indexed))?;
    writeln!(out, "files          {}", report.files)?;
    writeln!(out, "documents      {}", report.documents)?;
    let kinds: Vec<String> = report.kinds.iter().map(|(kind, number)| format!("{number} {}", plural(kind))).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    writeln!(out, "entities       {}{kinds}", report.entities)?;
    writeln!(out, "relationships  {}", report.relationships)?;
    let limits = match report.limited {
        0 => String::new(),
        limited => format!(" ({limited} of them with too many possible receivers)"),
    };
    writeln!(out, "unresolved     {}{limits}", report.unresolved)?;
    writeln!(out, "worker         {}", report.worker.as_deref().unwrap_or("none"))?;
    if let Some(program) = &report.missing_hook_program {
        let said = format!("{} is gone: `repoidx install-hooks` renews them", visible_path(program));
        writeln!(out, "hooks          {}", screen.paint(Ink::Bad, &said))?;
    }
    writeln!(out, "backend        {}", report.backend)?;
    if let (Some(name), Some(Vectors { texts, embedded, docstrings })) = (&report.embedder, report.vectors) {
        writeln!(
            out,
            "embedder       {}: {embedded} of {texts} texts ({})",
            visible(name),
            count(usize::try_from(docstrings).unwrap_or(usize::MAX), "docstring")
        )?;
    }
    writeln!(out, "index          {}", visible_path(&report.index))?;
    writeln!(out, "sent           {}", report.sent)?;
    let skipped = report.skipped.iter().map(|file| (&file.path, visible(&file.reason).into_owned()));
    let partial = report.partial.iter().map(|path| (path, "syntax errors: indexed as far as it parses".to_owned()));
    list(out, "skipped", &skipped.collect::<Vec<_>>(), screen)?;
    list(out, "partial", &partial.collect::<Vec<_>>(), screen)?;
    let pending = report.pending.iter().map(|path| (path, String::new()));
    list(out, "pending", &pending.collect::<Vec<_>>(), screen)
}

fn list(out: &mut dyn Write, title: &str, files: &[(&String, String)], screen: &Screen) -> io::Result<()> {
    let shown = screen.shown(files.len());
    if shown > 0 {
        writeln!(out, "{}", screen.paint(Ink::Heading, &format!("{title} ({})", files.len())))?;
    }
    for (path, note) in &files[..shown] {
        let gap = if note.is_empty() { "" } else { "  " };
        writeln!(out, "  {}{gap}{}", visible_path(path), screen.paint(Ink::Faint, note))?;
    }
    if shown < files.len() {
        writeln!(out, "  … {} more", files.len() - shown)?;
    }
    Ok(())
}
