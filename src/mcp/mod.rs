//! A server of the Model Context Protocol on standard input and output, for coding agents.
//!
//! It offers the tools of `tools` and nothing else. It answers `initialize` before it looks at any repository, and ends
//! when its input ends. `roots` finds the repository that a call means.

#[cfg(not(feature = "mcp"))]
mod disabled;
#[cfg(feature = "mcp")]
mod enabled;
#[cfg(feature = "mcp")]
mod roots;

#[cfg(not(feature = "mcp"))]
pub use disabled::serve;
#[cfg(feature = "mcp")]
pub use enabled::serve;

use std::{path::PathBuf, time::Duration};

/// The server's surroundings, and how it answers.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// The repository that the user named at the start.
    pub repo: Option<PathBuf>,
    /// The folder that the host says its project is.
    pub project: Option<PathBuf>,
    /// The current folder, and the user's home.
    pub folder: Option<PathBuf>,
    pub home: Option<PathBuf>,
    /// Also answer with the report as data.
    pub structured: bool,
    /// How long a call waits for the index.
    pub patience: Duration,
}
