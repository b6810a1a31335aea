//! Pipes a prompt to a program of the user and reads its output.
//!
//! The command line comes from a flag, the environment or the user's own configuration, never from a repository. The
//! system's shell runs it.

use std::{
    io::{Read, Write},
    process::{Child, Command, Stdio},
    thread,
};

use crate::llm::{ApiKey, Message, Provider, error::LlmError, noted, stream::StreamEvent};

/// Bytes of a program's error output that a message repeats.
const MAX_COMPLAINT: usize = 400;
/// Bytes that one read may return.
const BUFFER: usize = 16 << 10;
/// Bytes that a command may print for a key.
const MAX_KEY: u64 = 16 << 10;

/// Runs the program. `send` returns whether anybody still listens; if nobody does, the program is ended.
pub(super) fn run(
    provider: &Provider,
    message: &Message,
    send: &mut dyn FnMut(StreamEvent) -> bool,
) -> Result<(), LlmError> {
    let line = &provider.address;
    noted(provider, message, 1)?;
    let mut child = shell(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| LlmError::NotStarted { command: line.clone(), source })?;
    let mut stdin = child.stdin.take().expect("it was asked for");
    let mut stdout = child.stdout.take().expect("it was asked for");
    let mut stderr = child.stderr.take().expect("it was asked for");
    let body = message.body.clone();
    // A program may ignore its input, and may write errors while it answers, so both pipes need a thread.
    let writer = thread::spawn(move || stdin.write_all(body.as_bytes()).ok());
    let complaints = thread::spawn(move || {
        let mut text = Vec::new();
        stderr.by_ref().take(MAX_COMPLAINT as u64).read_to_end(&mut text).ok();
        // A full pipe would block the program.
        std::io::copy(&mut stderr, &mut std::io::sink()).ok();
        String::from_utf8_lossy(&text).trim().to_owned()
    });
    let is_heard = forward(&mut stdout, send);
    if !is_heard {
        end(&mut child);
        return Ok(());
    }
    let status = child.wait().map_err(|source| LlmError::NotStarted { command: line.clone(), source })?;
    // The program has ended, so both threads end too.
    writer.join().ok();
    let reason = complaints.join().unwrap_or_default();
    if status.success() {
        send(StreamEvent::End);
        return Ok(());
    }
    let reason = if reason.is_empty() { "it said nothing".to_owned() } else { reason };
    Err(LlmError::Exit { command: line.clone(), status: status.to_string(), reason })
}

/// The key that a command of the user prints in its first line.
pub fn key_from(line: &str) -> Result<Option<ApiKey>, LlmError> {
    let failed = |source| LlmError::NotStarted { command: line.to_owned(), source };
    let mut child = shell(line).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut text = String::new();
    let stdout = child.stdout.take().expect("it was asked for");
    stdout.take(MAX_KEY).read_to_string(&mut text).map_err(failed)?;
    let status = child.wait().map_err(failed)?;
    if !status.success() {
        let reason = "it was to print the provider's key".to_owned();
        return Err(LlmError::Exit { command: line.to_owned(), status: status.to_string(), reason });
    }
    Ok(text.lines().next().and_then(ApiKey::new))
}

#[expect(clippy::disallowed_methods, reason = "the user asked for this program")]
fn shell(line: &str) -> Command {
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", line]);
        return command;
    }
    let mut command = Command::new("sh");
    command.args(["-c", line]);
    command
}

/// Passes output on as it arrives, in whole characters. Returns whether somebody listened to the end.
fn forward(stdout: &mut impl Read, send: &mut dyn FnMut(StreamEvent) -> bool) -> bool {
    let mut pending: Vec<u8> = Vec::new();
    let mut buffer = vec![0; BUFFER];
    while let Ok(length) = stdout.read(&mut buffer) {
        if length == 0 {
            break;
        }
        pending.extend(&buffer[..length]);
        let whole = whole_characters(&pending);
        let text = String::from_utf8_lossy(&pending[..whole]).into_owned();
        pending.drain(..whole);
        if !text.is_empty() && !send(StreamEvent::Text(text)) {
            return false;
        }
    }
    pending.is_empty() || send(StreamEvent::Text(String::from_utf8_lossy(&pending).into_owned()))
}

/// Number of bytes before an incomplete character at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

fn end(child: &mut Child) {
    child.kill().ok();
    child.wait().ok();
}
