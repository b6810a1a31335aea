//! The prompt for a question: templates filled within the budget.
//!
//! Goes in: an answer from the index and earlier turns. Comes out: system and user text of at most so many tokens, and
//! what is in it. Everything passes the guard: secrets are replaced, control characters made visible, files that an
//! ignore file names left out.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    ask::{
        answer::Answer,
        context::{Context, Guard, assemble},
        intent::Intent,
        secrets::{Findings, redacted},
        tokens::{head, tokens},
    },
    cli::{
        ask::{Asking, conversation::Turn},
        session::{budget, templates},
    },
    error::Failure,
    git::exclusions::Exclusions,
    llm::Prompt,
    prompt::Templates,
    query::source::Sources,
    render::escape::visible_source,
};

/// Part of the budget that earlier turns may take, in percent.
const HISTORY_SHARE: usize = 25;
/// Tokens of an earlier answer that are repeated.
const MAX_TURN: usize = 400;

/// A prompt with what went into it.
pub(super) struct Composed {
    pub(super) prompt: Prompt,
    pub(super) context: Context,
    /// Secrets that were replaced, by kind.
    pub(super) findings: BTreeMap<String, usize>,
}

#[derive(Serialize)]
struct Values<'a> {
    task: &'static str,
    question: &'a str,
    is_about_repository: bool,
    headline: String,
    completeness: &'static str,
    boundaries: Vec<String>,
    notes: Vec<String>,
    history: &'a [Turn],
    #[serde(flatten)]
    context: &'a Context,
}

/// Text that may leave the machine.
pub(super) fn clean(text: &str) -> String {
    visible_source(&redacted(text, &mut Findings::new())).into_owned()
}

/// What ignore files keep from models.
pub(super) fn exclusions(sources: &Sources) -> Exclusions {
    Exclusions::read(|file| sources.text(file).map(|text| text.to_string()))
}

/// Puts the prompt together.
pub(super) fn compose(asking: &Asking, question: &str, answer: &Answer, turns: &[Turn]) -> Result<Composed, Failure> {
    let budget = budget(asking.args.tokens, &asking.session.config);
    let (templates, name) = chosen(asking, answer)?;
    let exclusions = exclusions(&asking.sources);
    let guard = Guard { clean: &clean, is_withheld: &|path| exclusions.has(path) };
    let system = templates.render("ask-system.j2", &serde_json::json!({}))?;
    let question = clean(question);
    let render = |context: &Context, history: &[Turn]| -> Result<String, Failure> {
        let values = Values {
            task: answer.plan.task.as_str(),
            question: &question,
            is_about_repository: answer.plan.intent != Intent::Knowledge,
            headline: clean(&answer.headline),
            completeness: answer.completeness.as_str(),
            boundaries: answer.boundaries.iter().map(|boundary| clean(&boundary.message)).collect(),
            notes: answer.plan.notes.iter().map(|note| clean(note)).collect(),
            history,
            context,
        };
        Ok(templates.render(name, &values)?)
    };
    let cost = |user: &str| tokens(&system) + tokens(user);
    let empty = Context::default();
    let least = cost(&render(&empty, &[])?);
    if least > budget {
        return Err(Failure::usage(
            format!("{budget} tokens do not hold the question and its instructions, which take {least}"),
            format!("repoidx ask --tokens {}", least + 500),
        ));
    }
    let history = recent(turns, budget * HISTORY_SHARE / 100);
    let mut room = budget.saturating_sub(cost(&render(&empty, &history)?));
    loop {
        let context = assemble(asking.reading(), answer, room, &guard)?;
        let user = render(&context, &history)?;
        let tokens = cost(&user);
        if tokens <= budget {
            let findings = replaced(&user);
            return Ok(Composed { prompt: Prompt { system, user, tokens }, context, findings });
        }
        if room == 0 {
            let message = "the template says more than the budget holds, even without any source".to_owned();
            return Err(Failure::usage(message, format!("repoidx ask --tokens {}", tokens + 500)));
        }
        room = room.saturating_sub((tokens - budget).max(16));
    }
}

/// The templates, and which of them the task takes.
fn chosen(asking: &Asking, answer: &Answer) -> Result<(Templates, &'static str), Failure> {
    let name = match answer.plan.task {
        crate::ask::intent::Task::Ask => "ask.j2",
        crate::ask::intent::Task::Explain => "ask-explain.j2",
        crate::ask::intent::Task::Test => "ask-test.j2",
        crate::ask::intent::Task::Doc => "ask-doc.j2",
        crate::ask::intent::Task::Smell => "ask-smell.j2",
        crate::ask::intent::Task::Impact => "ask-impact.j2",
    };
    match &asking.args.template {
        None => Ok((templates(), name)),
        Some(file) => Ok((templates().with_file("(--template)", file)?, "(--template)")),
    }
}

/// The latest turns that fit, oldest first, long answers cut.
fn recent(turns: &[Turn], room: usize) -> Vec<Turn> {
    let mut used = 0;
    let mut recent = Vec::new();
    for turn in turns.iter().rev() {
        let answer = head(&turn.answer, MAX_TURN);
        let mark = if answer.len() < turn.answer.len() { " …" } else { "" };
        let turn = Turn { answer: format!("{}{mark}", answer.trim_end()), ..turn.clone() };
        used += tokens(&turn.question) + tokens(&turn.answer) + 12;
        if used > room {
            break;
        }
        recent.push(turn);
    }
    recent.reverse();
    recent
}

/// Which secrets were replaced in a text.
pub(super) fn replaced(text: &str) -> BTreeMap<String, usize> {
    let mut findings = BTreeMap::new();
    for (at, mark) in text.match_indices("[REDACTED_") {
        if let Some(end) = text[at..].find(']') {
            *findings.entry(text[at + mark.len()..at + end].to_owned()).or_default() += 1;
        }
    }
    findings
}
