//! The tools as models see them: names, descriptions and schemas.
//!
//! The schemas hold to the subset that every host accepts: no references, no unions, no null, no nested objects.

use serde_json::{Value, json};

/// The definitions as the Model Context Protocol lists them.
pub const TOOLS: &str = include_str!("tools.json");

/// The names of the tools.
pub const NAMES: [&str; 7] = ["impact", "review", "refs", "search", "show", "map", "context"];

/// Tells a model when to use them.
pub const INSTRUCTIONS: &str = "repoidx answers what breaks if Python code changes. Before you change a signature, \
rename or remove: impact. After editing, before committing: review. Unknown name: search. Paths are relative to the \
root that the last line of an answer names; check that it is the repository or worktree you work in, else pass root. \
`lower bound` or `at least` means that there may be more: grep for the name before you delete it.";

/// A tool as a language model's own interface wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDescription {
    pub name: String,
    pub description: String,
    pub parameters: Value,
}

/// The tools without the argument `root`, for a caller that has one repository.
pub fn for_one_repository() -> Vec<ToolDescription> {
    let tools: Vec<Value> = serde_json::from_str(TOOLS).expect("the table of tools is JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let described = tools.into_iter().map(|mut tool| {
        let mut parameters = tool["inputSchema"].take();
        if let Some(properties) = parameters["properties"].as_object_mut() {
            properties.remove("root");
        }
        if parameters.get("required").is_none() {
            parameters["required"] = json!([]);
        }
        ToolDescription { name: text(&tool["name"]), description: text(&tool["description"]), parameters }
    });
    described.collect()
}
