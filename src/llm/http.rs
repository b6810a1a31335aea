//! Sends a request over HTTP and reads the stream that comes back.
//!
//! A busy provider is asked again, as long as nothing was answered yet. Redirects are never followed. Size and time of
//! an answer are bounded.

use std::{
    io::{ErrorKind, Read},
    thread,
    time::Duration,
};

use ureq::{Agent, Body, http::Response, http::Uri};

use crate::llm::{
    Message, Provider, Wire, anthropic,
    error::{LlmError, of_status},
    noted, ollama, openai,
    stream::{Decoder, StreamEvent},
};

/// Attempts in all.
const ATTEMPTS: u32 = 4;
/// The first wait between two attempts; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(400);
/// The longest wait that a busy provider can impose, unless it may be silent for less.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
const CONNECT: Duration = Duration::from_secs(10);
/// The longest whole exchange.
const WHOLE: Duration = Duration::from_secs(30 * 60);
/// Characters of a redirect's target that an error repeats.
const MAX_LOCATION: usize = 200;
/// Bytes that one read may return.
const BUFFER: usize = 16 << 10;
/// Bytes of a stream that are read: the answer and the JSON around it.
const MAX_BYTES: usize = 64 << 20;
/// Bytes that are read of an error.
const MAX_ERROR: u64 = 16 << 10;

/// Sends the request and reads the answer. `send` returns whether anybody still listens.
pub(super) fn run(
    provider: &Provider,
    message: &Message,
    send: &mut dyn FnMut(StreamEvent) -> bool,
) -> Result<(), LlmError> {
    match exchange(provider, message, &mut || send(StreamEvent::Busy))? {
        Some(response) => read(provider, response, send),
        None => Ok(()),
    }
}

/// Sends the request and reads an answer that is one document.
pub(super) fn document(provider: &Provider, message: &Message) -> Result<Vec<u8>, LlmError> {
    let Some(response) = exchange(provider, message, &mut || true)? else { return Ok(Vec::new()) };
    let mut bytes = Vec::new();
    let limit = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
    let read = response.into_body().into_reader().take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| broken(provider, &error))?;
    if bytes.len() > MAX_BYTES { Err(LlmError::TooLong) } else { Ok(bytes) }
}

/// Sends until the provider accepts. `wait` returns before each wait whether anybody still listens; `None` if nobody
/// does.
fn exchange(
    provider: &Provider,
    message: &Message,
    wait: &mut dyn FnMut() -> bool,
) -> Result<Option<Response<Body>>, LlmError> {
    let agent = agent(provider, &message.url);
    let mut attempt = 1;
    loop {
        // Each attempt carries the text once more.
        noted(provider, message, attempt)?;
        let failure = match post(&agent, provider, message) {
            Ok(response) if response.status().is_success() => return Ok(Some(response)),
            Ok(response) if response.status().is_redirection() => {
                let target = response.headers().get("location").and_then(|value| value.to_str().ok());
                return Err(LlmError::Redirected(
                    target.unwrap_or("an unknown place").chars().take(MAX_LOCATION).collect(),
                ));
            }
            Ok(response) => refused(provider, response, attempt),
            Err(error) => (unreachable(provider, &error), is_transient(&error).then_some(Duration::ZERO)),
        };
        let (error, asked_wait) = failure;
        let Some(asked_wait) = asked_wait.filter(|_| attempt < ATTEMPTS) else { return Err(error) };
        // Asked again before its time, the provider would only say the same.
        let most = LONGEST_WAIT.min(provider.timeout);
        if asked_wait > most {
            return Err(error.until(asked_wait));
        }
        let own_wait = FIRST_WAIT * 2_u32.pow(attempt - 1) + jitter(message, attempt);
        if !wait() {
            return Ok(None);
        }
        thread::sleep(own_wait.max(asked_wait).min(most));
        attempt += 1;
    }
}

fn agent(provider: &Provider, url: &str) -> Agent {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        // A redirect would carry the key and the prompt to another host.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("repoidx/", env!("CARGO_PKG_VERSION")))
        .timeout_global(Some(WHOLE))
        .timeout_connect(Some(CONNECT.min(provider.timeout)))
        .timeout_recv_response(Some(provider.timeout))
        .timeout_per_read(Some(provider.timeout));
    // A proxy could not reach a server on this machine.
    if is_loopback(url) {
        config = config.proxy(None);
    }
    config.build().into()
}

/// Whether an address leads to this machine.
pub fn is_loopback(url: &str) -> bool {
    let uri: Option<Uri> = url.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn post(agent: &Agent, provider: &Provider, message: &Message) -> Result<Response<Body>, ureq::Error> {
    let mut request = agent.post(&message.url).header("content-type", "application/json");
    if provider.wire == Wire::Anthropic {
        request = request.header("anthropic-version", anthropic::VERSION);
    }
    if let Some(key) = &provider.key {
        request = match provider.wire {
            Wire::Anthropic => request.header("x-api-key", key.expose()),
            _ => request.header("authorization", format!("Bearer {}", key.expose())),
        };
    }
    request.send(message.body.as_bytes())
}

/// The error of a status, and how long to wait when another attempt makes sense.
fn refused(provider: &Provider, mut response: Response<Body>, attempt: u32) -> (LlmError, Option<Duration>) {
    let status = response.status().as_u16();
    let wait = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let mut body = Vec::new();
    // The status decides; a body that cannot be read only lacks a reason.
    response.body_mut().as_reader().take(MAX_ERROR).read_to_end(&mut body).ok();
    let body = String::from_utf8_lossy(&body).into_owned();
    let body = provider.key.as_ref().map_or(body.clone(), |key| key.hidden_in(&body));
    let is_transient = matches!(status, 408 | 429 | 500 | 502..=504 | 529);
    let wait = Duration::from_secs(wait.unwrap_or(0));
    (of_status(status, &body, attempt), is_transient.then_some(wait))
}

fn is_transient(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::Io(error) => !matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock),
        ureq::Error::ConnectionFailed => true,
        _ => false,
    }
}

fn unreachable(provider: &Provider, error: &ureq::Error) -> LlmError {
    let is_timeout = matches!(error, ureq::Error::Timeout(_))
        || matches!(error, ureq::Error::Io(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock));
    if is_timeout {
        return LlmError::TimedOut(provider.timeout);
    }
    LlmError::Unreachable { address: provider.address.clone(), reason: error.to_string() }
}

/// Reads a stream to its end.
fn read(
    provider: &Provider,
    response: Response<Body>,
    send: &mut dyn FnMut(StreamEvent) -> bool,
) -> Result<(), LlmError> {
    // Ollama sends lines of JSON instead of server-sent events.
    let is_sse = provider.wire != Wire::Ollama;
    let mut reader = response.into_body().into_reader();
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; BUFFER];
    let mut total = 0;
    let mut has_end = false;
    loop {
        let length = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // The last event marked the end, so a broken connection does no harm.
            Err(_) if has_end => return Ok(()),
            Err(error) => return Err(broken(provider, &error)),
        };
        total += length;
        if total > MAX_BYTES {
            return Err(LlmError::TooLong);
        }
        for payload in decoder.feed(&buffer[..length], is_sse)? {
            for event in parse(provider, &payload)? {
                has_end |= event == StreamEvent::End;
                if !send(event) {
                    return Ok(());
                }
            }
        }
    }
    let (payloads, _) = decoder.finish(is_sse);
    for payload in payloads.iter().filter(|payload| !payload.trim().is_empty()) {
        // Half an event at the end is the connection's fault, not the provider's.
        let events = parse(provider, payload).map_err(|error| match error {
            LlmError::Garbled(reason) if total > 0 => LlmError::Broken(reason),
            error => error,
        })?;
        for event in events {
            has_end |= event == StreamEvent::End;
            if !send(event) {
                return Ok(());
            }
        }
    }
    if has_end { Ok(()) } else { Err(LlmError::Broken("it ended without saying so".to_owned())) }
}

fn parse(provider: &Provider, payload: &str) -> Result<Vec<StreamEvent>, LlmError> {
    match provider.wire {
        Wire::Anthropic => anthropic::parse(payload),
        Wire::Ollama => ollama::parse(payload),
        Wire::OpenAi | Wire::Command | Wire::Local => openai::parse(payload),
    }
}

fn broken(provider: &Provider, error: &std::io::Error) -> LlmError {
    let is_timeout = matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
        || error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<ureq::Error>())
            .is_some_and(|inner| matches!(inner, ureq::Error::Timeout(_)));
    if is_timeout { LlmError::TimedOut(provider.timeout) } else { LlmError::Broken(error.to_string()) }
}

/// Up to a quarter of the first wait, so that clients that were refused together do not return together.
fn jitter(message: &Message, attempt: u32) -> Duration {
    let hash = blake3::hash(message.body.as_bytes());
    let byte = hash.as_bytes()[attempt as usize % 32];
    FIRST_WAIT * u32::from(byte) / 1024
}
