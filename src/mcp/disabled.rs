//! Stands in for the server in a build without the feature `mcp`.

use std::sync::Arc;

use super::ServerOptions;
use crate::{error::Failure, tools::opening::Configure};

/// Says that this build has no server.
///
/// # Errors
/// Always.
pub fn serve(options: ServerOptions, _configure: Arc<Configure>) -> Result<(), Failure> {
    // The parts that find a repository serve the server alone.
    let _ = super::roots::place("", None, &options);
    Err(Failure::usage("this build has no MCP server", "build it with the feature `mcp`"))
}
