//! Notes on standard error, and the error that ends a command.
//!
//! Repository text in a message must be visible already.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};

use crate::error::{Failure, FailureKind};

/// The way to standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notes {
    is_quiet: bool,
}

impl Notes {
    pub(crate) fn new(is_quiet: bool) -> Self {
        Self { is_quiet }
    }

    /// Prints a note that is no error.
    pub(crate) fn note(self, message: &str) {
        if !self.is_quiet {
            say("note", AnsiColor::Cyan, message);
        }
    }

    /// Prints a warning about something that is probably not intended.
    pub(crate) fn warning(self, message: &str) {
        if !self.is_quiet {
            say("warning", AnsiColor::Yellow, message);
        }
    }

    /// Prints a line without a label: the summary of the work.
    pub(crate) fn summary(self, message: &str) {
        if !self.is_quiet {
            // Nobody may be reading standard error, which is no reason to fail.
            writeln!(io::stderr(), "{message}").ok();
        }
    }

    /// Prints why the command ends, and what the user can do.
    pub(crate) fn failure(failure: &Failure) {
        if failure.kind == FailureKind::BrokenPipe {
            return;
        }
        say("error", AnsiColor::Red, &failure.message);
        if !failure.hint.is_empty() {
            say("hint", AnsiColor::Cyan, &failure.hint);
        }
    }

    /// Whether a progress bar may be drawn.
    pub(crate) fn can_draw(self) -> bool {
        !self.is_quiet && io::stderr().is_terminal()
    }
}

fn say(label: &str, color: AnsiColor, message: &str) {
    let mut stderr = anstream::stderr();
    let style = Style::new().bold().fg_color(Some(color.into()));
    writeln!(stderr, "{}{label}:{} {message}", style.render(), style.render_reset()).ok();
}
