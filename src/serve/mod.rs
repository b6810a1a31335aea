//! Pages in a browser on this machine: questions, search, definitions, impact and review.
//!
//! Each page is the answer of a command: `answers` calls the same queries, and `pages` fills templates with the
//! reports. `guard` decides who may ask, `router` reads an address. The index is brought up to date before each answer.
//!
//! Only 127.0.0.1 is bound, and nothing is sent anywhere. Another page in the same browser must not read an answer, so
//! a request needs the cookie that the first address leaves behind, and the right `Host` and `Origin`.

#[cfg(not(feature = "serve"))]
mod disabled;
#[cfg(feature = "serve")]
mod enabled;

#[cfg(feature = "serve")]
mod answers;
#[cfg(feature = "serve")]
mod guard;
#[cfg(feature = "serve")]
mod pages;
#[cfg(feature = "serve")]
mod router;

#[cfg(not(feature = "serve"))]
pub use disabled::serve;
#[cfg(feature = "serve")]
pub use enabled::serve;

use std::{path::PathBuf, time::Duration};

use crate::{prompt::Templates, render::page::Links};

/// How the server answers, and when it ends.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    /// A folder of the repository.
    pub place: PathBuf,
    /// 0 for one that is free.
    pub port: u16,
    /// The server ends after this time without a request; `None` for never.
    pub idle: Option<Duration>,
    /// How long an answer waits for the index before it comes from the index as it is.
    pub patience: Duration,
    pub templates: Templates,
    /// Addresses of places in the user's editor.
    pub editor: Links,
}
