//! git hooks: they notice that HEAD has moved and start an update of the index in the background.
//!
//! [`install`] and [`uninstall`] put them beside other hooks, [`state`] finds them, and [`run`] is called by git. A
//! hook is only a hint: if one is missed, the next query updates the index. Hooks never print, never wait and never
//! fail.

pub mod install;
pub mod lasting;
pub mod plan;
pub mod queue;
pub mod run;
pub mod state;
pub mod uninstall;

pub(crate) mod place;
mod script;
pub mod seed;
mod worker;

use std::fmt;
use std::path::PathBuf;

use crate::git::GitError;

/// A moment at which git runs a hook of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookEvent {
    PostCommit,
    PostCheckout,
    PostMerge,
    /// After a rebase or an amended commit.
    PostRewrite,
    /// After each patch of `git am` and `git rebase --apply`, which make no post-commit.
    PostApplypatch,
    /// Before a push; only on request.
    PrePush,
}

impl HookEvent {
    /// Every event; the last one is installed on request alone.
    pub const ALL: [HookEvent; 6] =
        [Self::PostCommit, Self::PostCheckout, Self::PostMerge, Self::PostRewrite, Self::PostApplypatch, Self::PrePush];

    /// git's name, which is the hook's file name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PostCommit => "post-commit",
            Self::PostCheckout => "post-checkout",
            Self::PostMerge => "post-merge",
            Self::PostRewrite => "post-rewrite",
            Self::PostApplypatch => "post-applypatch",
            Self::PrePush => "pre-push",
        }
    }

    /// The event with this name, if it is one of ours.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == name)
    }
}

impl fmt::Display for HookEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why hooks could not be installed or removed. Nothing has been changed then, unless the system refused half-way.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// git looks for hooks in a directory that is not ours to write to.
    #[error("git takes its hooks from {} ({reason}), which repoidx leaves alone\n{advice}", .dir.display())]
    Elsewhere {
        /// Where git looks.
        dir: PathBuf,
        /// Why it is not ours.
        reason: String,
        /// Advice for the user, in several lines.
        advice: String,
    },
    /// Nothing happens in a bare repository that these hooks could report.
    #[error("a bare repository runs none of these hooks; run `repoidx index` after a push instead")]
    Bare,
    /// The program would vanish, and the hooks would stop without a word.
    #[error("{} lies in {place}, and hooks that call it would stop without a word", .program.display())]
    Fleeting {
        /// The running program.
        program: PathBuf,
        /// Where it lies, in words.
        place: &'static str,
    },
    /// A hook of an earlier installation is in the way.
    #[error("{} was kept by an earlier installation, and another hook has taken its place since; move one of them away", .0.display())]
    LeftOver(PathBuf),
    /// The repository could not be read.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The system refused.
    #[error("{action} {}: {source}", .path.display())]
    Io {
        /// The action that failed.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}
