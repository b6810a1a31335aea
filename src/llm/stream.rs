//! Cuts a byte stream into payloads: server-sent events, or lines of JSON.
//!
//! A payload is whole, however the network cut it.

use crate::llm::error::LlmError;

/// Longest line of a stream, in bytes.
const MAX_LINE: usize = 4 << 20;

/// One event from a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StreamEvent {
    /// A piece of the answer.
    Text(String),
    /// Tokens of the prompt that the model read.
    Seen(u64),
    /// A piece of a tool call.
    Call(CallPiece),
    /// The model reached its limit.
    Cut,
    /// The provider is at work, so waiting goes on.
    Busy,
    /// The answer is complete.
    End,
}

/// A piece of a tool call, as a stream brings it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CallPiece {
    /// The place of the call in the answer.
    pub(super) index: u64,
    /// Empty where an earlier piece had it; the name too.
    pub(super) id: String,
    pub(super) name: String,
    /// A part of the arguments' JSON.
    pub(super) arguments: String,
}

/// Cuts bytes into payloads.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// The beginning of an unfinished line.
    rest: Vec<u8>,
    /// Lines of an unfinished event.
    data: Option<String>,
    /// The whole body, if the server sends one document instead of a stream.
    document: Option<Vec<u8>>,
    has_begun: bool,
}

impl Decoder {
    /// The payloads that `bytes` complete.
    pub(super) fn feed(&mut self, bytes: &[u8], is_sse: bool) -> Result<Vec<String>, LlmError> {
        let mut payloads = Vec::new();
        if !self.has_begun {
            self.rest.extend(bytes);
            let start = self.rest.iter().position(|byte| !byte.is_ascii_whitespace());
            let Some(start) = start else { return Ok(payloads) };
            self.has_begun = true;
            let bytes = std::mem::take(&mut self.rest);
            // No event begins with a brace.
            if is_sse && bytes[start] == b'{' {
                self.document = Some(Vec::new());
            }
            return self.feed(&bytes, is_sse);
        }
        if let Some(document) = &mut self.document {
            document.extend(bytes);
            return if document.len() > MAX_LINE { Err(LlmError::TooLong) } else { Ok(payloads) };
        }
        for byte in bytes {
            if *byte != b'\n' {
                self.rest.push(*byte);
                if self.rest.len() > MAX_LINE {
                    return Err(LlmError::TooLong);
                }
                continue;
            }
            let line = String::from_utf8_lossy(&std::mem::take(&mut self.rest)).into_owned();
            self.take_line(line.trim_end_matches('\r'), is_sse, &mut payloads);
        }
        Ok(payloads)
    }

    /// The remaining payloads at the end of the connection, and whether the body was one document.
    pub(super) fn finish(mut self, is_sse: bool) -> (Vec<String>, bool) {
        if let Some(document) = self.document {
            return (vec![String::from_utf8_lossy(&document).into_owned()], true);
        }
        let mut payloads = Vec::new();
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.rest)).into_owned();
        self.take_line(line.trim_end_matches('\r'), is_sse, &mut payloads);
        payloads.extend(self.data.take());
        (payloads, false)
    }

    fn take_line(&mut self, line: &str, is_sse: bool, payloads: &mut Vec<String>) {
        if !is_sse {
            if !line.trim().is_empty() {
                payloads.push(line.to_owned());
            }
            return;
        }
        if line.is_empty() {
            payloads.extend(self.data.take());
        } else if let Some(value) = line.strip_prefix("data:") {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            }
        }
        // Comments (`: keep-alive`), `event:`, `id:` and `retry:` add nothing to the payload.
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &[u8], size: usize, is_sse: bool) -> Vec<String> {
        let mut decoder = Decoder::default();
        let mut payloads = Vec::new();
        for piece in text.chunks(size) {
            payloads.extend(decoder.feed(piece, is_sse).unwrap());
        }
        payloads.extend(decoder.finish(is_sse).0);
        payloads
    }

    #[test]
    fn events_are_the_same_however_they_are_cut() {
        let sse = ": hi\r\n\r\nevent: x\r\ndata: {\"a\":\"é\u{1f600}\"}\r\n\r\ndata: one\ndata:two\n\ndata: [DONE]\n\n"
            .as_bytes();
        let lines = "\n{\"a\":1}\n\n{\"b\":\"é\"}\n{\"c\":2}".as_bytes();
        for size in 1..=sse.len() {
            assert_eq!(check(sse, size, true), ["{\"a\":\"é\u{1f600}\"}", "one\ntwo", "[DONE]"], "{size}");
            assert_eq!(check(lines, size, false), ["{\"a\":1}", "{\"b\":\"é\"}", "{\"c\":2}"], "{size}");
        }
    }

    #[test]
    fn a_server_that_does_not_stream_is_understood() {
        let mut decoder = Decoder::default();
        assert!(decoder.feed(b" {\"x\":\n\n", true).unwrap().is_empty());
        assert!(decoder.feed(b"1}", true).unwrap().is_empty());
        assert_eq!(decoder.finish(true), (vec![" {\"x\":\n\n1}".to_owned()], true));
    }

    #[test]
    fn endless_lines_are_refused() {
        let mut decoder = Decoder::default();
        assert!(decoder.feed(&vec![b'x'; MAX_LINE + 1], true).is_err());
    }
}
