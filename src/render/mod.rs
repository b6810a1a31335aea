//! Renders reports for people and programs. The only writer to standard output.
//!
//! The formats are text, JSON, Markdown, Mermaid, DOT, SARIF, SCIP, and values for templates. Every string from a
//! repository passes `escape` first. Nothing is decided here.

pub mod answer;
pub mod escape;
pub mod impact;
pub mod json;
pub mod lists;
pub mod navigation;
pub mod page;
pub mod review;
pub mod screen;
pub(crate) mod sheet;
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
