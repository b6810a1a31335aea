//! Reports turned into what people and programs read. The only writer to standard output.
//!
//! Goes in: reports as plain data. Comes out: text for a terminal or a pipe, JSON, Markdown, Mermaid, DOT and values for
//! templates. Every string that comes from a repository passes `escape` first. Decides nothing.

pub mod answer;
mod completeness;
pub mod escape;
pub mod impact;
pub mod json;
pub mod lists;
pub mod navigation;
pub mod page;
pub mod review;
pub mod screen;
pub mod status;
pub mod words;

#[cfg(test)]
mod tests;

use std::io::{self, BufWriter, Write};

/// Hands standard output, buffered, to `write`.
pub fn to_stdout<E: From<io::Error>>(write: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out)?;
    Ok(out.flush()?)
}
