//! `repoidx agents`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, builder::PossibleValue};

use crate::{
    agents::setup::{
        Agent, Deed, EntryReport, SetupError, install, recorded, snippets, status, uninstall, write_plugin,
    },
    cli::{Global, notes::Notes, session::repository},
    error::{Failure, FailureKind},
    git::Repository,
    render::{escape::visible, to_stdout},
};

/// Set coding agents up, or take the set-up out again
///
/// An agent gets three entries in files of the project: the server with the tools, a hook at the end of a turn, and a
/// skill. Other entries and comments stay as they are. AGENTS.md and CLAUDE.md are never touched.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AgentsArgs {
    #[command(subcommand)]
    command: AgentsCommand,
}

#[derive(Debug, Subcommand)]
enum AgentsCommand {
    /// Print the entries of an agent, to paste them by hand
    PrintConfig {
        agent: Agent,
        /// Write a plugin for Claude Code into DIR in place of printing
        #[arg(long, value_name = "DIR")]
        plugin: Option<PathBuf>,
    },
    /// Put the entries into the files of the project
    Install(Chosen),
    /// Take the entries out of the files of the project
    Uninstall(Chosen),
    /// Say which entries are there
    Status {
        /// The agents [default: all that can be installed]
        agents: Vec<Agent>,
    },
}

#[derive(Debug, Args)]
struct Chosen {
    #[arg(required = true)]
    agents: Vec<Agent>,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

const EXAMPLES: &str = "\
Examples:
  repoidx agents print-config zed
  repoidx agents print-config claude-code --plugin ~/plugins/repoidx
  repoidx agents install claude-code codex --dry-run
  repoidx agents status
  repoidx agents uninstall claude-code";

impl ValueEnum for Agent {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()))
    }
}

pub(crate) fn run(args: &AgentsArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    match &args.command {
        AgentsCommand::PrintConfig { agent, plugin: Some(folder) } => plugin(*agent, folder, notes),
        AgentsCommand::PrintConfig { agent, plugin: None } => {
            let (snippets, note) = snippets(*agent);
            to_stdout(|out| {
                for (at, (path, text)) in snippets.iter().enumerate() {
                    let gap = if at == 0 { "" } else { "\n" };
                    write!(out, "{gap}# {path}\n{text}")?;
                }
                Ok::<(), Failure>(())
            })?;
            if !note.is_empty() {
                notes.note(note);
            }
            Ok(())
        }
        AgentsCommand::Install(chosen) => each(&chosen.agents, global, notes, chosen.dry_run, true),
        AgentsCommand::Uninstall(chosen) => each(&chosen.agents, global, notes, chosen.dry_run, false),
        AgentsCommand::Status { agents } => {
            let repo = repository(global)?;
            let all: Vec<Agent> = Agent::ALL.into_iter().filter(|agent| agent.can_be_installed()).collect();
            let mut told = Vec::new();
            for agent in if agents.is_empty() { &all } else { agents } {
                installable(*agent)?;
                told.push((agent.as_str(), lines(&status(&repo, *agent).map_err(|error| failure(&error))?, false)));
            }
            write_lines(&told)
        }
    }
}

/// Installs or uninstalls each agent.
fn each(agents: &[Agent], global: &Global, notes: Notes, is_dry: bool, is_install: bool) -> Result<(), Failure> {
    for agent in agents {
        installable(*agent)?;
    }
    let repo = repository(global)?;
    let mut told = Vec::new();
    for agent in agents {
        let done = if is_install { install(&repo, *agent, is_dry) } else { uninstall(&repo, *agent, is_dry) };
        let done = done.map_err(|error| failure(&error))?;
        let is_changed = done.iter().any(|line| matches!(line.deed, Deed::Created | Deed::Added));
        told.push((agent.as_str(), lines(&done, is_dry)));
        if is_install && is_changed && !is_dry {
            let (_, note) = snippets(*agent);
            notes.note(note);
        }
    }
    write_lines(&told)
}

/// Installs agents for `repoidx init`, and tells so in notes.
pub(crate) fn installed(repo: &Repository, agents: &[Agent], notes: Notes) -> Result<(), Failure> {
    for agent in agents {
        installable(*agent)?;
        let done = install(repo, *agent, false).map_err(|error| failure(&error))?;
        tell(*agent, &done, notes);
        let (_, note) = snippets(*agent);
        notes.note(note);
    }
    Ok(())
}

/// Takes out the agents that were installed here, for `repoidx init --undo`. Tells whether there was one.
pub(crate) fn taken_out(repo: &Repository, notes: Notes) -> Result<bool, Failure> {
    let agents = recorded(repo);
    for agent in &agents {
        let done = uninstall(repo, *agent, false).map_err(|error| failure(&error))?;
        tell(*agent, &done, notes);
    }
    Ok(!agents.is_empty())
}

fn tell(agent: Agent, done: &[EntryReport], notes: Notes) {
    for line in lines(done, false) {
        notes.summary(&format!("{}, {line}", agent.as_str()));
    }
}

/// Writes the lines of each agent below its name.
fn write_lines(agents: &[(&str, Vec<String>)]) -> Result<(), Failure> {
    to_stdout(|out| {
        for (agent, lines) in agents {
            writeln!(out, "{agent}")?;
            for line in lines {
                writeln!(out, "  {line}")?;
            }
        }
        Ok(())
    })
}

/// `server: created .mcp.json`.
fn lines(done: &[EntryReport], is_dry: bool) -> Vec<String> {
    let line = |line: &EntryReport| {
        let would = matches!(line.deed, Deed::Created | Deed::Added | Deed::Removed | Deed::Deleted) && is_dry;
        let would = if would { "would be " } else { "" };
        format!("{}: {would}{} {}", line.about, line.deed.as_str(), line.path)
    };
    done.iter().map(line).collect()
}

fn installable(agent: Agent) -> Result<(), Failure> {
    if agent.can_be_installed() {
        return Ok(());
    }
    let name = agent.as_str();
    let message = format!("the files of {name} lie outside of the project, and are left to you");
    Err(Failure::usage(message, format!("repoidx agents print-config {name}")))
}

fn plugin(agent: Agent, folder: &std::path::Path, notes: Notes) -> Result<(), Failure> {
    if agent != Agent::ClaudeCode {
        return Err(Failure::usage(
            "`--plugin` is for Claude Code",
            "repoidx agents print-config claude-code --plugin DIR",
        ));
    }
    let shown = visible(&folder.display().to_string()).into_owned();
    let written = write_plugin(folder).map_err(|error| Failure {
        kind: FailureKind::Unusable,
        message: format!("writing the plugin to {shown}: {error}"),
        hint: "name a folder of its own".to_owned(),
    })?;
    to_stdout(|out| {
        for path in &written {
            writeln!(out, "{path}")?;
        }
        Ok::<(), Failure>(())
    })?;
    notes.note(&format!("try it with: claude --plugin-dir {shown}"));
    Ok(())
}

fn failure(error: &SetupError) -> Failure {
    let message = visible(&error.to_string()).into_owned();
    Failure::unusable(message, "repoidx agents print-config AGENT prints the entries to paste")
}
