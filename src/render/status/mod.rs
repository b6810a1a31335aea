//! The state of an index, as text or as the JSON of the contract.

pub mod doctor;
pub mod start;

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use serde::Serialize;

use crate::{
    query::words::{count, plural, short_commit},
    render::{
        escape::{visible, visible_path},
        screen::{Ink, Screen},
    },
};

/// Files that a line names.
const MAX_FILES: usize = 5;

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
    pub files: u64,
    pub entities: u64,
    /// Definitions by kind.
    pub kinds: BTreeMap<&'static str, u64>,
    pub relationships: u64,
    pub unresolved: u64,
    /// Unresolved occurrences whose receiver has more possible values than the index keeps.
    pub limited: u64,
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
    /// With `--requests`: what was sent to language models and embedders, oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<Vec<SentRequest>>,
    /// Where the index lies.
    pub index: String,
    /// The reason why there is no index to report about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A request to a language model or an embedder. Its text is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SentRequest {
    /// Seconds since 1970, UTC.
    pub time: u64,
    /// The host, or the user's program.
    pub to: String,
    pub model: String,
    pub bytes: usize,
    /// The files that the text names as `path:line`; at most a hundred.
    pub files: Vec<String>,
}

/// Progress of an embedder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Vectors {
    pub texts: u64,
    pub embedded: u64,
}

/// A file that is not indexed, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SkippedFile {
    pub path: String,
    pub reason: String,
}

/// Writes the state for people, or the requests alone where they were asked for.
pub fn text(out: &mut dyn Write, report: &StatusReport, screen: &Screen) -> io::Result<()> {
    if let Some(sent) = &report.requests {
        return requests(out, sent, screen);
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
    if let (Some(name), Some(Vectors { texts, embedded })) = (&report.embedder, report.vectors) {
        writeln!(out, "embedder       {}: {embedded} of {texts} texts", visible(name))?;
    }
    writeln!(out, "index          {}", visible_path(&report.index))?;
    let skipped = report.skipped.iter().map(|file| (&file.path, visible(&file.reason).into_owned()));
    let partial = report.partial.iter().map(|path| (path, "syntax errors: indexed as far as it parses".to_owned()));
    list(out, "skipped", &skipped.collect::<Vec<_>>(), screen)?;
    list(out, "partial", &partial.collect::<Vec<_>>(), screen)?;
    let pending = report.pending.iter().map(|path| (path, String::new()));
    list(out, "pending", &pending.collect::<Vec<_>>(), screen)
}

/// The requests, the latest ones where the screen does not hold all.
fn requests(out: &mut dyn Write, sent: &[SentRequest], screen: &Screen) -> io::Result<()> {
    if sent.is_empty() {
        return writeln!(out, "nothing was sent to a language model or an embedder");
    }
    writeln!(out, "{}", screen.paint(Ink::Heading, &format!("sent ({})", sent.len())))?;
    let shown = screen.shown(sent.len());
    for request in &sent[sent.len() - shown..] {
        let SentRequest { time, to, model, bytes, files } = request;
        let model = if model.is_empty() { String::new() } else { format!(" {}", visible(model)) };
        let named: Vec<_> = files.iter().take(MAX_FILES).map(|file| visible_path(file)).collect();
        let names = if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) };
        let names = if named.len() < files.len() { format!("{names}, …") } else { names };
        let files = count(files.len(), "file");
        writeln!(out, "  {}  {}{model}  {bytes} bytes  {files}{names}", date(*time), visible(to))?;
    }
    Ok(())
}

/// `2026-11-25 09:30:00 UTC`, by the proleptic Gregorian calendar counted from 1 March.
fn date(time: u64) -> String {
    let (days, second) = (time / 86_400 + 719_468, time % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", second / 3_600, second / 60 % 60, second % 60)
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

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn seconds_are_dates() {
        let dates = [0, 951_827_696, 1_795_599_000].map(date);
        assert_eq!(dates, ["1970-01-01 00:00:00 UTC", "2000-02-29 12:34:56 UTC", "2026-11-25 09:30:00 UTC"]);
    }
}
