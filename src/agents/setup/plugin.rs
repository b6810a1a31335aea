//! A plugin for Claude Code as a folder: the server, the hook and the skill in one.

use std::{fs, io, path::Path};

use serde_json::{Value, json};

use crate::agents::setup::catalog::SKILL;

/// Writes the plugin into `folder`, and returns the paths of its files.
///
/// # Errors
/// When the system refuses, or a file with other content is in the way.
pub fn write_plugin(folder: &Path) -> io::Result<Vec<String>> {
    let about = "Answers what breaks if Python code changes";
    let owner = json!({"name": "repoidx"});
    let pretty = |value: &Value| format!("{value:#}\n");
    let files = [
        (
            ".claude-plugin/plugin.json",
            pretty(&json!({"name": "repoidx", "version": env!("CARGO_PKG_VERSION"), "description": about})),
        ),
        (
            ".claude-plugin/marketplace.json",
            pretty(&json!({
                "name": "repoidx",
                "owner": owner,
                "plugins": [{"name": "repoidx", "source": "./", "description": about}],
            })),
        ),
        (".mcp.json", pretty(&json!({"mcpServers": {"repoidx": {"command": "repoidx", "args": ["mcp"]}}}))),
        (
            "hooks/hooks.json",
            pretty(&json!({
                "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "repoidx hook agent stop"}]}]},
            })),
        ),
        ("skills/repoidx/SKILL.md", SKILL.to_owned()),
    ];
    for (path, text) in &files {
        let place = folder.join(path);
        if fs::read_to_string(&place).is_ok_and(|there| there != *text) {
            let message = format!("{path} is there already, with other content");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
    }
    for (path, text) in &files {
        let place = folder.join(path);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(place, text)?;
    }
    Ok(files.into_iter().map(|(path, _)| path.to_owned()).collect())
}
