//! Which files each agent reads, and the entries that repoidx has in them.

use serde_json::{Value, json};

/// The skill, for every agent the same.
pub(super) const SKILL: &str = include_str!("skill.md");

/// A coding agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    ClaudeCode,
    Codex,
    Cursor,
    Gemini,
    VsCode,
    /// Copilot's command line.
    Copilot,
    Opencode,
    Zed,
    Windsurf,
    Kiro,
}

/// One thing to write into a file of the project.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AgentEntry {
    /// Relative to the root.
    pub(super) path: &'static str,
    /// In a few words, for people.
    pub(super) about: &'static str,
    pub(super) content: EntryContent,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum EntryContent {
    /// A property of an object in a JSON file that may have comments.
    Property { parents: &'static [&'static str], name: &'static str, value: Value },
    /// An element of an array in a JSON file; properties on the way are set where they are missing.
    Element { parents: &'static [&'static str], value: Value, defaults: &'static [(&'static str, u32)] },
    /// A table of a TOML file.
    Table { parents: &'static [&'static str], name: &'static str, command: &'static str, args: &'static [&'static str] },
    /// A file of our own.
    File(&'static str),
}

impl Agent {
    /// Every agent, those that can be installed first.
    pub const ALL: [Agent; 10] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Cursor,
        Self::Gemini,
        Self::VsCode,
        Self::Copilot,
        Self::Opencode,
        Self::Zed,
        Self::Windsurf,
        Self::Kiro,
    ];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::Gemini => "gemini",
            Self::VsCode => "vscode",
            Self::Copilot => "copilot",
            Self::Opencode => "opencode",
            Self::Zed => "zed",
            Self::Windsurf => "windsurf",
            Self::Kiro => "kiro",
        }
    }

    /// Whether its files lie in the project, so that `install` can write them.
    pub fn can_be_installed(self) -> bool {
        !matches!(self, Self::Copilot | Self::Opencode | Self::Zed | Self::Windsurf | Self::Kiro)
    }

    /// Files and folders in a project whose people use the agent.
    pub(super) fn signs(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &[".claude", "CLAUDE.md"],
            Self::Codex => &[".codex"],
            Self::Cursor => &[".cursor", ".cursorrules"],
            Self::Gemini => &[".gemini", "GEMINI.md"],
            Self::VsCode => &[".vscode/mcp.json"],
            _ => &[],
        }
    }

    /// The entries, file by file.
    pub(super) fn pieces(self) -> Vec<AgentEntry> {
        match self {
            Self::ClaudeCode => vec![
                server(".mcp.json", &["mcpServers"], json!({"type": "stdio", "command": "repoidx", "args": ["mcp"]})),
                hook(".claude/settings.json", &["hooks", "Stop"], &[], group()),
                skill(".claude/skills/repoidx/SKILL.md"),
            ],
            Self::Codex => vec![
                AgentEntry {
                    path: ".codex/config.toml",
                    about: "server",
                    content: EntryContent::Table {
                        parents: &["mcp_servers"],
                        name: "repoidx",
                        command: "repoidx",
                        args: &["mcp"],
                    },
                },
                hook(".codex/hooks.json", &["hooks", "Stop"], &[], group()),
                skill(".agents/skills/repoidx/SKILL.md"),
            ],
            Self::Cursor => vec![
                server(".cursor/mcp.json", &["mcpServers"], plain()),
                hook(".cursor/hooks.json", &["hooks", "stop"], &[("version", 1)], command()),
                skill(".cursor/skills/repoidx/SKILL.md"),
            ],
            Self::Gemini => vec![
                server(".gemini/settings.json", &["mcpServers"], plain()),
                hook(".gemini/settings.json", &["hooks", "AfterAgent"], &[], group()),
                skill(".agents/skills/repoidx/SKILL.md"),
            ],
            Self::VsCode => vec![
                server(
                    ".vscode/mcp.json",
                    &["servers"],
                    json!({"type": "stdio", "command": "repoidx", "args": ["mcp"]}),
                ),
                skill(".github/skills/repoidx/SKILL.md"),
            ],
            Self::Copilot => vec![
                server(
                    "~/.copilot/mcp-config.json",
                    &["mcpServers"],
                    json!({"type": "local", "command": "repoidx", "args": ["mcp"], "tools": ["*"]}),
                ),
                hook(
                    ".github/hooks/repoidx.json",
                    &["hooks", "agentStop"],
                    &[("version", 1)],
                    json!({"type": "command", "bash": HOOK, "powershell": HOOK, "timeoutSec": 5}),
                ),
                skill(".github/skills/repoidx/SKILL.md"),
            ],
            Self::Opencode => vec![
                server(
                    "opencode.json",
                    &["mcp"],
                    json!({"type": "local", "command": ["repoidx", "mcp"], "enabled": true}),
                ),
                skill(".claude/skills/repoidx/SKILL.md"),
            ],
            Self::Zed => vec![server(".zed/settings.json", &["context_servers"], plain())],
            Self::Windsurf => vec![server("~/.codeium/windsurf/mcp_config.json", &["mcpServers"], plain())],
            Self::Kiro => vec![server(".kiro/settings/mcp.json", &["mcpServers"], plain())],
        }
    }

    /// One thing that a user must know besides.
    pub(super) fn note(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code asks once whether you trust the project's server",
            Self::Codex => "Codex reads these files in trusted projects; approve the hook in /hooks",
            Self::Cursor => "enable the server in Cursor's settings, under MCP",
            Self::Gemini => "Gemini reads these files in trusted folders",
            Self::VsCode => "start the server from the file .vscode/mcp.json, or from the list of MCP servers",
            _ => "",
        }
    }
}

/// The command of a hook at the end of a turn.
const HOOK: &str = "repoidx hook agent stop";

/// By this text our entries are recognized in a list of hooks.
pub(super) const OUR_HOOK: &str = "repoidx hook agent";

fn plain() -> Value {
    json!({"command": "repoidx", "args": ["mcp"]})
}

fn command() -> Value {
    json!({"command": HOOK})
}

/// A hook in the form of Claude Code, which Codex and Gemini share.
fn group() -> Value {
    json!({"hooks": [{"type": "command", "command": HOOK}]})
}

fn server(path: &'static str, parents: &'static [&'static str], value: Value) -> AgentEntry {
    AgentEntry { path, about: "server", content: EntryContent::Property { parents, name: "repoidx", value } }
}

fn hook(
    path: &'static str,
    parents: &'static [&'static str],
    defaults: &'static [(&'static str, u32)],
    value: Value,
) -> AgentEntry {
    AgentEntry { path, about: "hook at the end of a turn", content: EntryContent::Element { parents, value, defaults } }
}

fn skill(path: &'static str) -> AgentEntry {
    AgentEntry { path, about: "skill", content: EntryContent::File(SKILL) }
}
