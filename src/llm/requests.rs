//! The log of what was sent: when, to which host, how much, and from which files. Never the text itself.
//!
//! Each request is noted before it is sent, where it is sent: one that is sent again is noted again. A request that
//! cannot be noted is not sent, so an empty log means that nothing left this machine.

use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::llm::{Message, Provider, Wire, error::LlmError};

const FILE_NAME: &str = "requests.jsonl";
/// Files that one entry names.
const MAX_FILES: usize = 100;

/// Where requests are noted: in each repository that they are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestLog(Vec<PathBuf>);

/// A request that was sent, or that was about to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedRequest {
    /// Seconds since 1970, UTC.
    pub time: u64,
    /// The host, or the user's program.
    pub to: String,
    pub model: String,
    pub bytes: usize,
    /// Counts from 1; a provider that was busy or failed gets the same text again.
    #[serde(default = "first_attempt")]
    pub attempt: u32,
    /// The files whose text or names a prompt has; at most a hundred.
    pub files: Vec<String>,
    /// The number of texts in a request for vectors, which name no files.
    #[serde(default)]
    pub texts: usize,
}

impl RequestLog {
    /// The log in the data directory of a repository.
    pub fn in_folder(data_dir: &Path) -> Self {
        Self(vec![data_dir.join(FILE_NAME)])
    }

    /// The logs of both.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The noted requests, oldest first, and how many lines of the log are none of ours. Without a log nothing was
    /// sent; a log that cannot be read proves nothing, and is an error.
    pub fn entries(&self) -> std::io::Result<(Vec<LoggedRequest>, usize)> {
        let (mut entries, mut unreadable) = (Vec::new(), 0);
        for path in &self.0 {
            let bytes = match std::fs::read(path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                read => read?,
            };
            for line in String::from_utf8_lossy(&bytes).lines() {
                match serde_json::from_str(line) {
                    Ok(entry) => entries.push(entry),
                    Err(_) => unreadable += 1,
                }
            }
        }
        Ok((entries, unreadable))
    }

    /// Notes a request that is about to be sent.
    pub(super) fn note(&self, provider: &Provider, message: &Message, attempt: u32) -> Result<(), LlmError> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let texts = texts_for_vectors(&message.body);
        let entry = LoggedRequest {
            time,
            to: receiver(provider, message),
            model: provider.model.clone(),
            bytes: message.body.len(),
            attempt,
            files: message.files.iter().take(MAX_FILES).cloned().collect(),
            texts,
        };
        let line = serde_json::to_string(&entry).unwrap_or_default() + "\n";
        let noted = self.0.iter().try_for_each(|path| append(path, &line).map_err(|error| (path, error)));
        noted.map_err(|(path, source)| LlmError::NotNoted { path: path.clone(), attempt, source })
    }
}

/// The attempt of lines that were noted before attempts were counted.
fn first_attempt() -> u32 {
    1
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    // The log lies in the git directory, which may come from a stranger: a link could lead anywhere.
    if path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(std::io::Error::other("it is not a regular file: remove it and try again"));
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(line.as_bytes())
}

/// The host with its port; a path or a query could hold a secret.
fn receiver(provider: &Provider, message: &Message) -> String {
    match provider.wire {
        Wire::Command | Wire::Local => provider.address.clone(),
        _ => {
            let after = message.url.split_once("://").map_or(message.url.as_str(), |(_, rest)| rest);
            let host = after.split(['/', '?', '#']).next().unwrap_or_default();
            host.rsplit('@').next().unwrap_or_default().to_owned()
        }
    }
}

/// The number of texts that a request wants vectors of; 0 for a prompt.
fn texts_for_vectors(body: &str) -> usize {
    let body: Option<Value> = serde_json::from_str(body).ok();
    body.as_ref().and_then(|body| body.get("input")?.as_array()).map_or(0, Vec::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_for_vectors_are_counted() {
        assert_eq!(texts_for_vectors(r#"{"model":"m","input":["a.py:1","b"]}"#), 2);
        assert_eq!(texts_for_vectors(r#"{"messages":[{"content":"a.py:1"}]}"#), 0);
    }

    #[test]
    fn lines_of_a_damaged_log_are_counted_and_a_missing_log_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let log = RequestLog::in_folder(dir.path());
        assert_eq!(log.entries().unwrap(), (Vec::new(), 0));
        let line = r#"{"time":1,"to":"a.org","model":"m","bytes":9,"files":[]}"#;
        std::fs::write(dir.path().join(FILE_NAME), format!("{line}\n{{\"time\":\n")).unwrap();
        let (entries, unreadable) = log.entries().unwrap();
        assert_eq!((entries.len(), entries[0].bytes, entries[0].attempt, unreadable), (1, 9, 1, 1));
        std::fs::remove_file(dir.path().join(FILE_NAME)).unwrap();
        std::fs::create_dir(dir.path().join(FILE_NAME)).unwrap();
        assert!(log.entries().is_err());
    }

    #[test]
    fn a_link_in_the_place_of_the_log_stops_the_request() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(FILE_NAME)).unwrap();
        assert!(append(&dir.path().join(FILE_NAME), "{}\n").is_err());
    }
}
