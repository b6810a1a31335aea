//! A model that may look things up in the index before it answers.
//!
//! It gets the seven tools of `tools`, for this repository alone. Results pass the guard as prompts do: secrets are
//! replaced, and lines about withheld files are left out.

use std::{collections::BTreeSet, sync::atomic::AtomicBool, time::Duration};

use serde::Serialize;

use crate::{
    ask::context::tokens::tokens,
    cli::commands::ask::{
        Asking,
        compose::{Composed, clean},
    },
    error::Failure,
    git::worktree::exclusions::Exclusions,
    llm::{
        Message, ModelOutcome, Provider, ask,
        error::LlmError,
        message,
        tools::{Tool, ToolCall, ToolLimits, ToolResult, ask_with_tools, first_message, has_tools},
    },
    render::escape::visible,
    store::Store,
    tools::{
        Workspace, all_sources, answer, arguments::Request, catalog::for_one_repository, exclusions_of,
        opening::withheld::WithheldPaths, worded,
    },
};

/// Calls that a model may make for one question.
const CALLS: usize = 6;
/// Bytes of all results: about 8000 tokens.
const BYTES: usize = 28_000;
/// After this time a model must answer.
const TIME: Duration = Duration::from_secs(120);
/// Bytes of a token in a result, at least.
const BYTES_PER_TOKEN: usize = 3;
/// Characters of a call's arguments that standard error shows.
const MAX_SHOWN: usize = 100;

/// A call, as JSON shows it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub(super) struct ModelLookup {
    tool: String,
    arguments: serde_json::Map<String, serde_json::Value>,
    tokens: usize,
}

/// The outcome of a model, with its look-ups and the text that they showed.
pub(super) struct ResearchOutcome {
    pub(super) outcome: ModelOutcome,
    pub(super) lookups: Vec<ModelLookup>,
    pub(super) shown: String,
}

/// The request that would be sent first.
pub(super) fn request(asking: &Asking, provider: &Provider, composed: &Composed) -> Message {
    if is_used(asking, provider) {
        first_message(provider, &composed.prompt, &tools())
    } else {
        message(provider, &composed.prompt)
    }
}

/// Asks a model, which may look things up if its provider can.
pub(super) fn research(
    asking: &Asking,
    provider: &Provider,
    composed: &Composed,
    stop: &AtomicBool,
    take: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<ResearchOutcome, LlmError> {
    if !is_used(asking, provider) {
        let outcome = ask(provider, &composed.prompt, stop, take)?;
        return Ok(ResearchOutcome { outcome, lookups: Vec::new(), shown: String::new() });
    }
    let withheld = exclusions_of(&asking.session.repo);
    let limits = ToolLimits { calls: CALLS, bytes: BYTES, time: TIME };
    let mut run = |call: &ToolCall, room: usize| {
        asking.notes.note(&format!("looking up: {}", told(call)));
        let result = result(asking, call, room / BYTES_PER_TOKEN);
        let text = clean(&without(&result.unwrap_or_else(|failure| worded(&failure)), asking, &withheld));
        ToolResult { files: files_in(&asking.session.store, &text), text }
    };
    let found = ask_with_tools(provider, &composed.prompt, &tools(), limits, stop, &mut run, take)?;
    if found.is_cut {
        asking.notes.warning(&format!("the model asked for more than {CALLS} look-ups"));
    }
    let lookup = |(call, text): &(ToolCall, String)| ModelLookup {
        tool: call.name.clone(),
        arguments: call.arguments.clone(),
        tokens: tokens(text),
    };
    let lookups = found.calls.iter().map(lookup).collect();
    let shown = found.calls.iter().map(|(_, text)| format!("\n{text}")).collect();
    Ok(ResearchOutcome { outcome: found.outcome, lookups, shown })
}

fn is_used(asking: &Asking, provider: &Provider) -> bool {
    // With several repositories a name would not say which one is meant.
    !asking.args.no_tools && asking.parts == 1 && has_tools(provider)
}

fn tools() -> Vec<Tool> {
    let tool = |tool: crate::tools::catalog::ToolDescription| Tool {
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters,
    };
    for_one_repository().into_iter().map(tool).collect()
}

/// The result of a call; a model cannot leave the repository.
fn result(asking: &Asking, call: &ToolCall, room: usize) -> Result<String, Failure> {
    let mut arguments = call.arguments.clone();
    arguments.remove("root");
    let mut request = Request::parse(&call.name, &arguments)?;
    request.max_tokens = request.max_tokens.min(room.max(crate::tools::arguments::MIN_TOKENS));
    let session = asking.session;
    let withheld = WithheldPaths::of(&all_sources(&session.repo));
    let workspace = Workspace {
        repo: &session.repo,
        store: &session.store,
        config: &session.config,
        staleness: session.staleness.as_ref(),
        withheld: &withheld,
    };
    Ok(answer(&workspace, &request, false)?.text)
}

/// The files of the repository that an answer of repoidx names with a line.
pub(super) fn files_in(store: &Store, text: &str) -> BTreeSet<String> {
    let files = store.files().unwrap_or_default().into_iter().map(|(_, file)| file.path);
    let documents = store.documents().unwrap_or_default().into_iter().map(|(_, document)| document.path);
    let is_before = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    let is_named = |path: &String| {
        text.match_indices(path.as_str()).any(|(at, path)| {
            !text[..at].ends_with(is_before) && text[at + path.len()..].starts_with([':', ' ', '\n', '`', ','])
        })
    };
    files.chain(documents).filter(is_named).collect()
}

/// `impact target=Cart.add change=rename`.
fn told(call: &ToolCall) -> String {
    let mut told = call.name.clone();
    for (name, value) in &call.arguments {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        told += &format!(" {name}={value}");
    }
    visible(&told).chars().take(MAX_SHOWN).collect()
}

/// A result without the lines about withheld files, and without the source below them.
fn without(text: &str, asking: &Asking, withheld: &Exclusions) -> String {
    let files = asking.session.store.files().unwrap_or_default();
    let hidden: Vec<String> = files.into_iter().map(|(_, file)| file.path).filter(|path| withheld.has(path)).collect();
    if !hidden.iter().any(|path| text.contains(path.as_str())) {
        return text.to_owned();
    }
    let is_hidden = |line: &str| hidden.iter().any(|path| line.contains(path.as_str()));
    if text.lines().next().is_some_and(is_hidden) {
        return "this file is withheld from models".to_owned();
    }
    let mut kept = Vec::new();
    let mut depth = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        if depth.is_some_and(|depth| indent > depth) {
            continue;
        }
        depth = is_hidden(line).then_some(indent);
        if depth.is_none() {
            kept.push(line);
        }
    }
    kept.join("\n")
}
