//! The command line: global options, the list of commands, and their exit codes.
//!
//! Each command has a file in `commands`, which resolves arguments, calls one function and renders. Errors are printed
//! here and nowhere else.

mod changes;
pub mod commands;
mod compared;
mod embedding;
mod explain;
mod notes;
mod page;
mod progress;
mod session;
mod size;
mod standing;
mod target;
mod values;

use std::{env, path::PathBuf, process::ExitCode};

use clap::{Args, CommandFactory, Parser};

use crate::{
    cli::{commands::Command, notes::Notes},
    error::{Failure, FailureKind},
    index,
    render::screen::When,
};

/// Answer "what breaks if I change this?" for Python repositories
#[derive(Debug, Parser)]
#[command(name = "repoidx", version, propagate_version = false, after_long_help = AFTER_HELP)]
#[command(max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Use the repository around DIR; `search` and `ask` take several [default: around the current directory]
    #[arg(long, global = true, value_name = "DIR")]
    repo: Vec<PathBuf>,
    /// When to use colors [default: auto]
    #[arg(long, global = true, value_name = "WHEN")]
    color: Option<When>,
    /// Print nothing but results and errors
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Print more about the work
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// Answer from the index as it is, and say how stale it is
    #[arg(long, global = true)]
    no_update: bool,
}

impl Global {
    /// The options for each repository, with the name that the user gave it; no name for a single one.
    fn each(&self) -> Vec<(Option<String>, Global)> {
        if self.repo.len() < 2 {
            return vec![(None, self.clone())];
        }
        let one = |repo: &PathBuf| {
            let name = repo.display().to_string().trim_end_matches('/').to_owned();
            (Some(name), Global { repo: vec![repo.clone()], ..self.clone() })
        };
        self.repo.iter().map(one).collect()
    }
}

const AFTER_HELP: &str = "\
Targets:
  pkg.mod.Class.method   a full name, or any part of its end that is unique
  path/file.py:LINE      the innermost definition at a line
  path/file.py           a module
  path/file.py::Class::test_name   as pytest writes it

Exit codes:
  0  done, also when nothing was found
  1  a gate that was asked for did not hold
  2  wrong usage, or an unknown or ambiguous name
  3  the repository or its index cannot be used
  4  the language model failed

Environment:
  REPOIDX_COLOR, REPOIDX_DEPTH, REPOIDX_EDITOR_LINK, REPOIDX_EXPECT, REPOIDX_HYPERLINKS, REPOIDX_HYPERLINK_FORMAT,
  REPOIDX_MAP_PRIVATE, REPOIDX_MAP_TESTS, REPOIDX_MIN_PROBABILITY, REPOIDX_PRE_PUSH, REPOIDX_PRE_PUSH_SECONDS, REPOIDX_ROWS, REPOIDX_THREADS, REPOIDX_TOKENS,
  REPOIDX_UPDATE        settings; see `repoidx config`
  REPOIDX_CONFIG_DIR    the directory of the user's config.toml and templates
  REPOIDX_PROVIDER, REPOIDX_MODEL, REPOIDX_BASE_URL, REPOIDX_API_KEY, REPOIDX_KEY_COMMAND, REPOIDX_LLM_COMMAND,
  REPOIDX_ANSWER_TOKENS, REPOIDX_TIMEOUT, REPOIDX_TOKENIZER   the language model that `ask` uses, if any
  REPOIDX_EMBEDDER, REPOIDX_EMBEDDING_MODEL, REPOIDX_EMBEDDING_URL   whose vectors `search` compares; see docs/configuration.md
  HF_HUB_CACHE, HF_HOME   where models lie, as the hub's own tools read them
  OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, OLLAMA_HOST   as their providers read them
  REPOIDX_FOREGROUND=1  a hook does its work before it returns
  NO_COLOR, CLICOLOR, CLICOLOR_FORCE   as everywhere";

/// Runs the command that the process was started with and returns the exit code.
#[expect(clippy::disallowed_methods, reason = "here the arguments and the environment are read")]
pub fn run() -> ExitCode {
    if let Some(name) = env::var_os("REPOIDX_TEST_EDITION").and_then(|name| name.into_string().ok()) {
        index::edition::pretend(&name);
    }
    let cli = match Cli::try_parse_from(env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout, where nobody may be reading any more.
            error.print().ok();
            return ExitCode::from(if error.use_stderr() { FailureKind::Usage.code() } else { 0 });
        }
    };
    // A hook must never fail, so it bypasses errors and exit codes.
    if let Some(Command::Hook(args)) = &cli.command {
        return ExitCode::from(commands::hook::run(args));
    }
    let notes = Notes::new(cli.global.quiet);
    match execute(&cli, notes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            Notes::failure(&failure);
            ExitCode::from(failure.kind.code())
        }
    }
}

/// The whole command line as clap describes it, for completions and man pages.
fn description() -> clap::Command {
    Cli::command()
}

fn execute(cli: &Cli, notes: Notes) -> Result<(), Failure> {
    let global = &cli.global;
    let is_for_several = matches!(cli.command, Some(Command::Search(_) | Command::Ask(_)));
    if global.repo.len() > 1 && !is_for_several {
        return Err(Failure::usage(
            "`--repo` was given several times",
            "`search` and `ask` look into several repositories",
        ));
    }
    let Some(command) = &cli.command else { return commands::here::run(global, notes) };
    command.run(global, notes)
}
