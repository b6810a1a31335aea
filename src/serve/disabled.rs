//! Stands in for the server in a build without the feature `serve`.

use std::sync::Arc;

use super::ServeOptions;
use crate::{error::Failure, tools::opening::Configure};

/// Says that this build has no server.
///
/// # Errors
/// Always.
pub fn serve(_options: ServeOptions, _configure: Arc<Configure>, _announce: &dyn Fn(&str)) -> Result<(), Failure> {
    Err(Failure::usage("this build has no server of pages", "build it with the feature `serve`"))
}
