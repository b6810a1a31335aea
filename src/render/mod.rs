//! Reports turned into what people and programs read. The only writer to standard output.
//!
//! Goes in: reports as plain data. Comes out: text for a terminal or a pipe, JSON, Markdown, Mermaid, DOT and values for
//! templates. Every string that comes from a repository passes `escape` first. Decides nothing.

pub mod answer;
pub mod briefing;
mod completeness;
pub mod context;
pub mod doctor;
pub mod dot;
pub mod drawing;
pub mod escape;
pub mod impact;
pub mod json;
pub mod lists;
pub mod map;
pub mod markdown;
pub mod mermaid;
pub mod navigation;
pub mod page;
pub mod refs;
pub mod review;
pub mod screen;
pub mod search;
pub mod show;
pub mod status;
mod steps;
pub mod tree;
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
