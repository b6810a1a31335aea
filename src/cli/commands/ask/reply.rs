//! Prints the answer: from the index, or from a model that sees the findings of the index.
//!
//! When the model fails, the answer from the index is printed all the same, and the exit code reports the failure.

use std::{cmp::Reverse, sync::atomic::AtomicBool};

use serde::Serialize;

use crate::{
    ask::{
        answer::Answer,
        citations::{Citation, CitationVerdict, check},
        context::Manifest,
    },
    cli::{
        commands::ask::{
            AskFormat, Asking,
            compose::{Composed, compose},
            conversation::Turns,
            measure::Measure,
            provider::{provider, provider_or},
            research::{ModelLookup, ResearchOutcome, request, research},
            turn::turn,
        },
        session::budget,
        standing::Standing,
    },
    error::Failure,
    llm::{Finish, ModelOutcome, Provider, Wire, error::LlmError, fewest_tokens, is_loopback},
    query::words::count,
    render::{
        answer as render_answer,
        escape::{visible, visible_source},
        json, to_stdout,
    },
};

/// The answer as JSON, with the model's reply.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct ReplyDocument<'a, D> {
    #[serde(flatten)]
    answer: &'a D,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<Reply<'a>>,
}

#[derive(Serialize, schemars::JsonSchema)]
struct Reply<'a> {
    model: &'a str,
    text: &'a str,
    is_complete: bool,
    prompt_tokens: usize,
    /// Counted by a tokenizer, not estimated.
    is_counted: bool,
    manifest: &'a Manifest,
    citations: Vec<Citation>,
    /// The look-ups of the model.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tools: &'a [ModelLookup],
}

/// Prints the answer and remembers the turn.
pub(crate) fn give(asking: &Asking, question: &str, answer: &Answer, turns: &mut Turns) -> Result<(), Failure> {
    let format = asking.args.format;
    if format == AskFormat::Prompt {
        // Here a provider only brings its tokenizer, so a missing key is no error.
        let provider = provider(asking.args, &asking.session.repo, &asking.session.config).ok().flatten();
        let measure = Measure::of(&asking.session.config, provider.as_ref())?;
        let composed = compose(asking, question, answer, turns.list(), &measure)?;
        tell(asking, &composed);
        stats(asking, &[&composed]);
        return Ok(to_stdout(|out| write!(out, "{}", composed.prompt.whole()))?);
    }
    let (repo, config) = (&asking.session.repo, &asking.session.config);
    let Some(provider) = provider_or(asking.args, repo, config, || from_index(asking, answer))? else {
        from_index(asking, answer)?;
        return turns.add(turn(&answer.headline, answer));
    };
    let measure = Measure::of(&asking.session.config, Some(&provider))?;
    let composed = compose(asking, question, answer, turns.list(), &measure)?;
    tell(asking, &composed);
    stats(asking, &[&composed]);
    if asking.args.dry_run {
        return dry(asking, &provider, &composed);
    }
    announce(asking, &provider);
    let stop = AtomicBool::new(false);
    match by_model(asking, &provider, answer, &composed, &stop) {
        Ok((text, _)) => turns.add(turn(&text, answer)),
        Err(LlmError::Output(error)) => Err(Failure::from(error)),
        Err(error) => {
            from_index(asking, answer)?;
            Err(model_failure(error))
        }
    }
}

/// The failure of a model, with the provider's own text made visible.
pub(crate) fn model_failure(error: LlmError) -> Failure {
    let failure = Failure::from(error);
    Failure { message: visible(&failure.message).into_owned(), ..failure }
}

/// Prints the exact bytes that would be sent.
pub(crate) fn dry(asking: &Asking, provider: &Provider, composed: &Composed) -> Result<(), Failure> {
    let message = request(asking, provider, composed);
    let target = if message.url.is_empty() { &provider.address } else { &message.url };
    asking.notes.note(&format!("nothing was sent; to {}: {}", visible(target), count(message.body.len(), "byte")));
    Ok(to_stdout(|out| out.write_all(message.body.as_bytes()))?)
}

/// Prints the answer without a model.
pub(crate) fn from_index(asking: &Asking, answer: &Answer) -> Result<(), Failure> {
    let screen = &asking.session.screen;
    // Git is asked for it.
    let standing = || Standing::of(asking.session);
    Ok(to_stdout(|out| match asking.args.format {
        AskFormat::Json => json::document(out, &standing().with(&ReplyDocument { answer, reply: None }), screen),
        AskFormat::Markdown => {
            render_answer::markdown(out, answer)?;
            standing().line().map_or(Ok(()), |line| writeln!(out, "\n{line}"))
        }
        AskFormat::Text | AskFormat::Prompt => {
            render_answer::text(out, answer, screen)?;
            standing().line().map_or(Ok(()), |line| writeln!(out, "\n{line}"))
        }
    })?)
}

/// Prints a model's answer: first the sources, then its words as they arrive, then the wrong citations.
pub(crate) fn by_model(
    asking: &Asking,
    provider: &Provider,
    answer: &impl Serialize,
    composed: &Composed,
    stop: &AtomicBool,
) -> Result<(String, ModelOutcome), LlmError> {
    let screen = &asking.session.screen;
    let is_json = asking.args.format == AskFormat::Json;
    let mut text = String::new();
    if !is_json {
        to_stdout(|out| render_answer::sources(out, &composed.context, screen)).map_err(LlmError::Output)?;
    }
    let found = research(asking, provider, composed, stop, &mut |piece| {
        text.push_str(piece);
        if is_json {
            return Ok(());
        }
        to_stdout(|out| write!(out, "{}", visible_source(piece)))
    });
    if !is_json && !text.is_empty() && !text.ends_with('\n') {
        to_stdout(|out| writeln!(out)).map_err(LlmError::Output)?;
    }
    // Only now: the pieces before a failure are printed, so their line must end first.
    let ResearchOutcome { outcome, lookups, shown } = found?;
    // Earlier turns are no evidence: an answer may have invented what it cites.
    let shown = format!("{}{shown}", composed.evidence);
    let citations = check(&asking.session.store, &composed.context, &shown, &text).unwrap_or_default();
    let remembered = without_missing_places(&text, &citations);
    to_stdout(|out| {
        if !is_json {
            return render_answer::citations(out, &citations, screen);
        }
        let reply = Reply {
            model: &provider.model,
            text: &text,
            is_complete: outcome.finish == Finish::Complete,
            prompt_tokens: composed.prompt.tokens,
            is_counted: composed.counted_by.is_some(),
            manifest: &composed.context.manifest,
            citations,
            tools: &lookups,
        };
        let standing = Standing::of(asking.session);
        json::document(out, &standing.with(&ReplyDocument { answer, reply: Some(reply) }), screen)
    })
    .map_err(LlmError::Output)?;
    warn(asking, provider, composed, outcome, &text);
    Ok((remembered, outcome))
}

/// The text as later prompts repeat it: a place that is not here keeps no line, so that nobody takes it for one.
fn without_missing_places(text: &str, citations: &[Citation]) -> String {
    let is_missing = |one: &&Citation| one.verdict == CitationVerdict::Missing;
    let mut missing: Vec<&str> = citations.iter().filter(is_missing).map(|one| one.text.as_str()).collect();
    // `a.py:1` begins `a.py:12`.
    missing.sort_by_key(|place| Reverse(place.len()));
    missing.iter().fold(text.to_owned(), |text, place| match place.split_once(':') {
        Some((path, _)) => text.replace(place, &format!("{path} (no such place)")),
        None => text,
    })
}

/// Tells the size of the prompt, and what it leaves out or hides.
pub(crate) fn tell(asking: &Asking, composed: &Composed) {
    let manifest = &composed.context.manifest;
    let left_out = manifest.left_out.len() + manifest.left_out_more;
    let tokens = composed.prompt.tokens;
    let mut message = match composed.counted_by {
        Some(by) => format!("prompt of {tokens} tokens (counted by {by})"),
        None => format!("prompt of at most {tokens} tokens (an upper estimate)"),
    };
    if !composed.context.snippets.is_empty() {
        message.push_str(&format!(", {} of source", count(composed.context.snippets.len(), "piece")));
    }
    let parts = [(left_out, "definition"), (manifest.facts_left_out, "fact")];
    let parts: Vec<String> = parts.iter().filter(|(number, _)| *number > 0).map(|(n, noun)| count(*n, noun)).collect();
    if !parts.is_empty() {
        message.push_str(&format!("; left out: {}", parts.join(" and ")));
    }
    if let Some((part, parts)) = composed.part {
        let next = if part < parts { format!("; --part {} goes on", part + 1) } else { String::new() };
        message.push_str(&format!("; part {part} of {parts}{next}"));
    }
    asking.notes.note(&message);
    if !composed.findings.is_empty() {
        let kinds: Vec<String> = composed.findings.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
        asking.notes.warning(&format!("secrets were replaced in the prompt: {}", visible(&kinds.join(", "))));
    }
}

/// Tells how much of the prompt headers take, if that is asked.
pub(crate) fn stats(asking: &Asking, parts: &[&Composed]) {
    if asking.args.stats {
        asking.notes.summary(&Composed::stats(parts, budget(asking.args.tokens, &asking.session.config)));
    }
}

/// Tells where the prompt goes if it leaves the machine.
pub(crate) fn announce(asking: &Asking, provider: &Provider) {
    if !matches!(provider.wire, Wire::Command | Wire::Local) && !is_loopback(&provider.address) {
        asking.notes.note(&format!("asking {} at {}", visible(&provider.model), visible(&provider.address)));
    }
}

fn warn(asking: &Asking, provider: &Provider, composed: &Composed, outcome: ModelOutcome, text: &str) {
    if let Some(seen) = outcome.seen_tokens.filter(|seen| *seen < fewest_tokens(&composed.prompt)) {
        let least = fewest_tokens(&composed.prompt);
        asking.notes.warning(&format!(
            "the model saw only {seen} tokens of a prompt that has at least {least}: its window is too small, the answer \
             rests on a part"
        ));
    }
    match outcome.finish {
        Finish::Length => asking.notes.warning(&format!(
            "the answer was cut at {} tokens: REPOIDX_ANSWER_TOKENS sets more",
            provider.answer_tokens
        )),
        Finish::Complete if text.trim().is_empty() => asking.notes.warning("the model said nothing"),
        Finish::Complete | Finish::Stopped => {}
    }
}
