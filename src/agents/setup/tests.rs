//! Configuration files of people who have more in them than our entries.

use std::fs;

use super::*;
use crate::git::fixture::GitFixture;

const INSTALLED: [Agent; 5] = [Agent::ClaudeCode, Agent::Codex, Agent::Cursor, Agent::Gemini, Agent::VsCode];

/// A file of each agent with comments, an order of its own, and entries of others.
const FILES: [(&str, &str); 6] = [
    (
        ".mcp.json",
        "{\n  \"mcpServers\": {\n    \"zeta\": {\"command\": \"z\"},\n    \"alpha\": {\"command\": \"a\"}\n  }\n}\n",
    ),
    (
        ".claude/settings.json",
        "{\n\t// mine\n\t\"permissions\": {\"allow\": []},\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"hooks\": [{\"type\": \
         \"command\", \"command\": \"say done\"}]}, // loud\n\t\t]\n\t}\n}",
    ),
    (".codex/config.toml", "# mine\nmodel = \"x\" # why\n\n[mcp_servers.other]\ncommand = \"o\"\n\n[tui]\nsize=3\n"),
    (".cursor/mcp.json", "{}"),
    (".gemini/settings.json", "/* top */\r\n{\r\n    \"theme\": \"dark\"\r\n}\r\n"),
    (".vscode/mcp.json", "{\n  \"inputs\": [],\n  \"servers\": {}\n}\n"),
];

fn texts(root: &Path) -> Vec<(&'static str, Option<String>)> {
    let mut paths: Vec<&'static str> =
        INSTALLED.iter().flat_map(|agent| agent.pieces()).map(|piece| piece.path).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.into_iter().map(|path| (path, fs::read_to_string(root.join(path)).ok())).collect()
}

#[test]
fn what_is_installed_twice_and_taken_out_leaves_equal_bytes() {
    let fixture = GitFixture::new();
    for (path, text) in FILES {
        fixture.write(path, text);
    }
    let repo = fixture.open();
    let root = repo.root().unwrap().to_owned();
    let before = texts(&root);
    for agent in INSTALLED {
        install(&repo, agent, true).unwrap();
    }
    assert_eq!(texts(&root), before, "a dry run changes nothing");
    for agent in INSTALLED {
        install(&repo, agent, false).unwrap();
    }
    let installed = texts(&root);
    for agent in INSTALLED {
        let lines = install(&repo, agent, false).unwrap();
        assert!(lines.iter().all(|line| line.deed == Deed::Present), "{agent:?}: {lines:?}");
        assert!(status(&repo, agent).unwrap().iter().all(|line| line.deed == Deed::Present));
    }
    assert_eq!(texts(&root), installed, "twice is once");
    for agent in INSTALLED {
        uninstall(&repo, agent, false).unwrap();
    }
    assert_eq!(texts(&root), before);
    assert!(!root.join(".agents").exists() && !root.join(".claude/skills").exists());
    assert!(!repo.data_dir().join("agents.json").exists());
}

#[test]
fn later_edits_by_others_stay_when_the_entries_go() {
    let fixture = GitFixture::new();
    let repo = fixture.open();
    let place = repo.root().unwrap().join(".mcp.json");
    fixture.write(".mcp.json", FILES[0].1);
    install(&repo, Agent::ClaudeCode, false).unwrap();
    let text = fs::read_to_string(&place).unwrap();
    fs::write(&place, text.replace("\"command\": \"a\"", "\"command\": \"b\"")).unwrap();
    uninstall(&repo, Agent::ClaudeCode, false).unwrap();
    assert_eq!(fs::read_to_string(&place).unwrap(), FILES[0].1.replace("\"command\": \"a\"", "\"command\": \"b\""));
    // Without a record the entry is known by its name.
    install(&repo, Agent::ClaudeCode, false).unwrap();
    fs::remove_file(repo.data_dir().join("agents.json")).unwrap();
    uninstall(&repo, Agent::ClaudeCode, false).unwrap();
    let text = fs::read_to_string(&place).unwrap();
    assert!(!text.contains("repoidx") && text.contains("zeta") && text.contains("alpha"), "{text}");
    assert!(!repo.root().unwrap().join(".claude").exists());
}

#[test]
fn an_entry_that_somebody_changed_is_kept() {
    let fixture = GitFixture::new();
    let repo = fixture.open();
    let own = "{\"mcpServers\": {\"repoidx\": {\"command\": \"/opt/repoidx\", \"args\": [\"mcp\"]}}}";
    fixture.write(".cursor/mcp.json", own);
    let lines = install(&repo, Agent::Cursor, false).unwrap();
    assert_eq!(lines[0].deed, Deed::Kept);
    assert_eq!(fs::read_to_string(repo.root().unwrap().join(".cursor/mcp.json")).unwrap(), own);
}

#[test]
fn a_file_that_cannot_be_understood_stops_everything() {
    let fixture = GitFixture::new();
    let repo = fixture.open();
    fixture.write(".gemini/settings.json", "{ broken");
    let error = install(&repo, Agent::Gemini, false).unwrap_err().to_string();
    assert!(error.starts_with(".gemini/settings.json cannot be changed"), "{error}");
    assert!(!repo.root().unwrap().join(".agents").exists());
    fixture.write(".codex/config.toml", "mcp_servers = 3\n");
    assert!(install(&repo, Agent::Codex, false).is_err());
}

#[test]
fn every_agent_has_entries_to_paste() {
    for agent in Agent::ALL {
        let (snippets, _) = snippets(agent);
        assert!(snippets.iter().any(|(_, text)| text.contains("repoidx") && text.contains("mcp")), "{agent:?}");
        assert!(snippets.iter().all(|(path, _)| !path.ends_with("AGENTS.md") && !path.ends_with("CLAUDE.md")));
    }
}
