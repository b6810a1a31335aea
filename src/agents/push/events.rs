//! The events of agents' hooks, and the answers that each agent understands.
//!
//! Claude Code, Codex and Gemini send nearly the same fields; Cursor and Copilot have names of their own. Only what is
//! needed is read, and an event in another form is no event.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The moment of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    AfterEdit,
    EndOfTurn,
}

/// How an agent takes an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// Claude Code and Codex.
    Claude,
    Gemini,
    Cursor,
    Copilot,
}

/// An event of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AgentEvent {
    pub(super) moment: Moment,
    /// The folder or file that it is about.
    pub(super) place: Option<PathBuf>,
    dialect: Dialect,
    /// The agent's own name of the event, which its answer repeats.
    name: String,
}

/// Tools that change files, as the agents name them, without case and punctuation.
const EDITS: [&str; 13] = [
    "edit",
    "multiedit",
    "write",
    "notebookedit",
    "applypatch",
    "writefile",
    "replace",
    "create",
    "strreplace",
    "strreplaceeditor",
    "editfile",
    "searchreplace",
    "shell",
];

impl AgentEvent {
    /// Reads an event. `moment` is the name with which the hook was installed. `None` for an event that is no reason to
    /// speak: another tool, or a turn that goes on because of an earlier answer.
    pub(super) fn parse(moment: &str, text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        value.as_object()?;
        let texts = |names: &[&str]| names.iter().find_map(|name| value[*name].as_str()).map(str::to_owned);
        let name = texts(&["hook_event_name", "hookEventName"]).unwrap_or_else(|| moment.to_owned());
        let moment = moment_of(moment).or_else(|| moment_of(&name))?;
        let dialect = if value.get("workspace_roots").is_some() || value.get("conversation_id").is_some() {
            Dialect::Cursor
        } else if name.starts_with("After") {
            Dialect::Gemini
        } else if value.get("sessionId").is_some() {
            Dialect::Copilot
        } else {
            Dialect::Claude
        };
        let goes_on = value["stop_hook_active"] == true || value["loop_count"].as_u64().is_some_and(|count| count > 0);
        if goes_on && moment == Moment::EndOfTurn {
            return None;
        }
        if moment == Moment::AfterEdit
            && let Some(tool) = texts(&["tool_name", "toolName"])
            && !EDITS.contains(&plain(&tool).as_str())
        {
            return None;
        }
        let folder = texts(&["cwd"]).or_else(|| value["workspace_roots"][0].as_str().map(str::to_owned));
        let place = edited(&value).filter(|path| path.is_absolute()).or(folder.map(PathBuf::from));
        Some(Self { moment, place, dialect, name })
    }

    /// The answer that lets the agent read `text`, as one line of JSON.
    pub(super) fn answer(&self, text: &str) -> String {
        let answer = match (self.dialect, self.moment) {
            (Dialect::Cursor, Moment::EndOfTurn) => json!({"followup_message": text}),
            (Dialect::Cursor, Moment::AfterEdit) => json!({"additional_context": text}),
            (Dialect::Gemini, Moment::EndOfTurn) => json!({"decision": "deny", "reason": text}),
            // An agent reads a reason at the end of its turn only as a reason to go on.
            (_, Moment::EndOfTurn) => json!({"decision": "block", "reason": text}),
            (_, Moment::AfterEdit) => {
                json!({"hookSpecificOutput": {"hookEventName": self.name, "additionalContext": text}})
            }
        };
        answer.to_string()
    }
}

/// The file that an edit changed.
fn edited(value: &Value) -> Option<PathBuf> {
    let input = match &value["toolArgs"] {
        Value::String(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        Value::Null => value["tool_input"].clone(),
        arguments => arguments.clone(),
    };
    let names = ["file_path", "filePath", "path"];
    let text = names.iter().find_map(|name| input[*name].as_str().or_else(|| value[*name].as_str()))?;
    Some(Path::new(text).to_owned())
}

fn moment_of(name: &str) -> Option<Moment> {
    match plain(name).as_str() {
        "stop" | "agentstop" | "subagentstop" | "afteragent" | "endofturn" => Some(Moment::EndOfTurn),
        "posttooluse" | "aftertool" | "afterfileedit" | "afteredit" | "edit" => Some(Moment::AfterEdit),
        _ => None,
    }
}

/// Small letters and digits only.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_agent_is_answered_in_its_own_form() {
        let answer = |moment: &str, text: &str| AgentEvent::parse(moment, text).map(|event| event.answer("m"));
        let stop = r#"{"session_id":"1","cwd":"/r","hook_event_name":"Stop","stop_hook_active":false}"#;
        assert_eq!(answer("stop", stop).unwrap(), r#"{"decision":"block","reason":"m"}"#);
        let edit = r#"{"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"/r/a.py"}}"#;
        let context = r#"{"hookSpecificOutput":{"additionalContext":"m","hookEventName":"PostToolUse"}}"#;
        assert_eq!(answer("edit", edit).unwrap(), context);
        let gemini = r#"{"session_id":"1","cwd":"/r","hook_event_name":"AfterAgent"}"#;
        assert_eq!(answer("stop", gemini).unwrap(), r#"{"decision":"deny","reason":"m"}"#);
        let cursor = r#"{"conversation_id":"1","workspace_roots":["/r"],"hook_event_name":"stop","loop_count":0}"#;
        assert_eq!(answer("stop", cursor).unwrap(), r#"{"followup_message":"m"}"#);
    }

    #[test]
    fn a_place_comes_from_the_edit_or_the_folder() {
        let place = |text: &str| AgentEvent::parse("edit", text).and_then(|event| event.place);
        let copilot = r#"{"sessionId":"1","cwd":"/r","toolName":"edit","toolArgs":"{\"path\":\"/w/a.py\"}"}"#;
        assert_eq!(place(copilot), Some(PathBuf::from("/w/a.py")));
        assert_eq!(place(r#"{"cwd":"/r","tool_name":"Edit","tool_input":{"path":"a.py"}}"#), Some(PathBuf::from("/r")));
    }

    #[test]
    fn other_tools_and_repeated_turns_are_no_reason_to_speak() {
        assert_eq!(AgentEvent::parse("edit", r#"{"tool_name":"Read"}"#), None);
        assert_eq!(AgentEvent::parse("stop", r#"{"hook_event_name":"Stop","stop_hook_active":true}"#), None);
        assert_eq!(AgentEvent::parse("stop", "not JSON"), None);
        assert_eq!(AgentEvent::parse("stop", "[1]"), None);
        assert_eq!(AgentEvent::parse("session-start", "{}"), None);
    }
}
