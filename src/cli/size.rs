//! The options for the size of an answer.

use clap::Args;

use crate::{cli::session::Session, render::sheet::Budget};

/// How much of an answer is written. JSON always has everything.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Size {
    /// Show everything, not just about a screen
    #[arg(long, conflicts_with = "tokens")]
    pub(crate) all: bool,
    /// At most about N tokens [default: 40 lines; 6000 tokens for a prompt]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(50..))]
    pub(crate) tokens: Option<u32>,
}

impl Size {
    /// Sets the budget of the screen.
    pub(crate) fn apply(self, session: &mut Session) {
        if self.all {
            session.screen.lift_limits();
        }
        if let Some(tokens) = self.tokens {
            session.screen.budget = Budget::Tokens(tokens as usize);
        }
    }

    /// Sets the budget of a screen with source code, which has fewer letters for each token than the average: no usual
    /// tokenizer may count more than the budget.
    pub(crate) fn apply_to_source(self, session: &mut Session) {
        self.apply(session);
        if let Some(tokens) = self.tokens {
            session.screen.budget = Budget::MostTokens(tokens as usize);
        }
    }
}
