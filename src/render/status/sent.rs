//! The requests that were sent to language models and embedders, counted or listed.

use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write},
};

use serde::Serialize;

use crate::{
    query::words::count,
    render::{
        escape::{visible, visible_path},
        screen::{Ink, Screen},
    },
};

/// Files that a line names.
const MAX_FILES: usize = 5;
/// Receivers that a line names.
const MAX_RECEIVERS: usize = 3;

const NOTHING: &str = "nothing was sent to a language model or an embedder";
const COMMAND: &str = "repoidx status --requests";

/// A request to a language model or an embedder. Its text is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SentRequest {
    /// Seconds since 1970, UTC.
    pub time: u64,
    /// The host, or the user's program.
    pub to: String,
    pub model: String,
    pub bytes: usize,
    /// Counts from 1; a provider that was busy or failed gets the same text again.
    pub attempt: u32,
    /// The files whose text or names a prompt has; at most a hundred.
    pub files: Vec<String>,
    /// The number of texts in a request for vectors: definitions, docstrings, sections or a question.
    #[serde(skip_serializing_if = "is_none")]
    pub texts: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(number: &usize) -> bool {
    *number == 0
}

/// How many requests were sent about a repository since repoidx first looked at it. Building the index anew keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SentSummary {
    pub requests: usize,
    pub bytes: usize,
    /// Most requests first.
    pub receivers: Vec<RequestReceiver>,
    /// Lines of the log that are no request: something else wrote to it, or a write was cut.
    pub unreadable: usize,
    /// Why the log cannot be read; the numbers then say nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The command that lists the requests.
    pub command: &'static str,
}

/// A host or a program, with the model that it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RequestReceiver {
    pub to: String,
    pub model: String,
    pub requests: usize,
    pub bytes: usize,
}

impl SentSummary {
    /// Counts the requests of a log, of which some lines could not be read.
    pub fn of(sent: &[SentRequest], unreadable: usize) -> Self {
        let mut receivers: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
        for SentRequest { to, model, bytes, .. } in sent {
            let (requests, all) = receivers.entry((to, model)).or_default();
            (*requests, *all) = (*requests + 1, *all + bytes);
        }
        let receiver = |((to, model), (requests, bytes)): ((&str, &str), (usize, usize))| RequestReceiver {
            to: to.to_owned(),
            model: model.to_owned(),
            requests,
            bytes,
        };
        let mut receivers: Vec<RequestReceiver> = receivers.into_iter().map(receiver).collect();
        receivers.sort_by_key(|receiver| std::cmp::Reverse(receiver.requests));
        let bytes = sent.iter().map(|request| request.bytes).sum();
        Self { requests: sent.len(), bytes, receivers, unreadable, problem: None, command: COMMAND }
    }

    /// A log that cannot be read.
    pub fn unknown(problem: String) -> Self {
        Self { problem: Some(problem), ..Self::of(&[], 0) }
    }

    /// Why the log does not prove its numbers.
    fn doubt(&self) -> Option<String> {
        match &self.problem {
            Some(problem) => Some(format!("unknown: the log of requests cannot be read: {}", visible(problem))),
            None if self.unreadable > 0 => {
                Some(format!("{} of the log cannot be read", count(self.unreadable, "line")))
            }
            None => None,
        }
    }
}

impl fmt::Display for SentSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doubt = self.doubt();
        if let Some(doubt) = doubt.as_ref().filter(|_| self.requests == 0) {
            return write!(f, "{doubt}");
        }
        if self.requests == 0 {
            return write!(f, "nothing to a language model or an embedder (`{COMMAND}`)");
        }
        let receivers: Vec<String> = self.receivers.iter().take(MAX_RECEIVERS).map(ToString::to_string).collect();
        let more = match self.receivers.len() - receivers.len() {
            0 => String::new(),
            more => format!(", {more} more"),
        };
        let (requests, bytes) = (count(self.requests, "request"), count(self.bytes, "byte"));
        write!(f, "{requests}, {bytes}: {}{more}; `{COMMAND}` lists them", receivers.join(", "))?;
        doubt.map_or(Ok(()), |doubt| write!(f, "; {doubt}"))
    }
}

impl fmt::Display for RequestReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = if self.model.is_empty() { String::new() } else { format!(" {}", visible(&self.model)) };
        write!(f, "{} to {}{model}", self.requests, visible(&self.to))
    }
}

/// The requests, the latest ones where the screen does not hold all.
pub(super) fn requests(
    out: &mut dyn Write,
    summary: &SentSummary,
    sent: &[SentRequest],
    screen: &Screen,
) -> io::Result<()> {
    if let Some(doubt) = summary.doubt() {
        writeln!(out, "{}", screen.paint(Ink::Bad, &doubt))?;
    } else if sent.is_empty() {
        return writeln!(out, "{NOTHING}");
    }
    writeln!(out, "{}", screen.paint(Ink::Heading, &format!("sent ({})", sent.len())))?;
    let shown = screen.shown(sent.len());
    for request in &sent[sent.len() - shown..] {
        let SentRequest { time, to, model, bytes, attempt, files, texts } = request;
        let model = if model.is_empty() { String::new() } else { format!(" {}", visible(model)) };
        let named: Vec<_> = files.iter().take(MAX_FILES).map(|file| visible_path(file)).collect();
        let names = if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) };
        let names = if named.len() < files.len() { format!("{names}, …") } else { names };
        let again = if *attempt > 1 { format!("  attempt {attempt}") } else { String::new() };
        let files = match (files.len(), texts) {
            (0, 0) => "names no file".to_owned(),
            (0, texts) => count(*texts, "text"),
            (files, _) => count(files, "file"),
        };
        writeln!(out, "  {}  {}{model}  {bytes} bytes{again}  {files}{names}", date(*time), visible(to))?;
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

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn seconds_are_dates() {
        let dates = [0, 951_827_696, 1_795_599_000].map(date);
        assert_eq!(dates, ["1970-01-01 00:00:00 UTC", "2000-02-29 12:34:56 UTC", "2026-11-25 09:30:00 UTC"]);
    }
}
