//! Stands in for the server in a build without the feature `mcp`.

use std::sync::Arc;

use super::ServerOptions;
use crate::{error::Failure, tools::opening::Configure};

/// Says that this build has no server.
///
/// # Errors
/// Always.
pub fn serve(_options: ServerOptions, _configure: Arc<Configure>) -> Result<(), Failure> {
    Err(Failure::usage("this build has no MCP server", "build it with the feature `mcp`"))
}
