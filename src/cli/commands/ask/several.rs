//! Answers one question about several repositories.
//!
//! Each answer stands under the name of its repository. Repositories that do not know the names in the question are
//! left out if others do. A model sees all findings within one budget, and its citations are looked up in every
//! repository.

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::{
    ask::{
        answer::{Answer, SearchFor},
        citations::{Citation, check},
    },
    cli::{
        Global,
        commands::ask::{
            AskArgs, AskFormat, Asking,
            compose::{Composed, compose},
            conversation::EarlierTurn,
            measure::Measure,
            provider::{provider, provider_or},
            question, reply,
        },
        embedding,
        notes::Notes,
        session::Session,
        size::Size,
    },
    error::Failure,
    llm::{Provider, ask, error::LlmError, requests::RequestLog},
    render::{
        answer as render_answer,
        escape::{visible, visible_source},
        json,
        screen::Ink,
        to_stdout,
    },
};

/// A repository with its answer.
struct One {
    name: String,
    session: Session,
    answer: Answer,
}

#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct JointDocument<'a> {
    schema: &'static str,
    schema_version: u32,
    repositories: Vec<NamedAnswer<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<JointReply<'a>>,
}

#[derive(Serialize, schemars::JsonSchema)]
struct NamedAnswer<'a> {
    repository: &'a str,
    #[serde(flatten)]
    answer: &'a Answer,
}

#[derive(Serialize, schemars::JsonSchema)]
struct JointReply<'a> {
    model: &'a str,
    text: &'a str,
    prompt_tokens: usize,
    citations: &'a [Citation],
}

pub(crate) fn run(args: &AskArgs, repositories: &[(Option<String>, Global)], notes: Notes) -> Result<(), Failure> {
    let is_for_one = args.interactive || args.review.is_some() || args.select.is_some() || args.session.is_some();
    if is_for_one || args.plan {
        let message = "conversations, reviews, selections and plans are about one repository";
        return Err(Failure::usage(message, "give --repo once"));
    }
    let question = question(args)?;
    let mut all = Vec::new();
    for (name, global) in repositories {
        let mut session = Session::open(global, notes)?;
        args.withhold(&mut session)?;
        Size { all: args.all, tokens: args.tokens }.apply(&mut session);
        let answer =
            asking(args, &session, notes, 1, |asking| Ok(asking.answer(&question, EarlierTurn::default())?.1))?;
        all.push(One { name: name.clone().unwrap_or_default(), session, answer });
    }
    // A repository without these names has nothing to say where others have them.
    let knows_names = |one: &One| {
        let plan = &one.answer.plan;
        !one.answer.is_unsettled() && (plan.unknown.is_empty() || !plan.subjects.is_empty())
    };
    if all.iter().any(knows_names) {
        all.retain(knows_names);
    }
    let parts = all.len();
    let each = |measure: &Measure| -> Result<Vec<Composed>, Failure> {
        let composed = |one: &One| {
            asking(args, &one.session, notes, parts, |asking| compose(asking, &question, &one.answer, &[], measure))
        };
        all.iter().map(composed).collect()
    };
    let config = &all[0].session.config;
    if args.format == AskFormat::Prompt {
        let provider = provider(args, &all[0].session.repo, config).ok().flatten();
        let parts = each(&Measure::of(config, provider.as_ref())?)?;
        let composed = whole(&all, &parts);
        asking(args, &all[0].session, notes, parts.len(), |asking| {
            reply::stats(asking, &parts.iter().collect::<Vec<_>>());
            Ok(())
        })?;
        return Ok(to_stdout(|out| write!(out, "{}", composed.whole()))?);
    }
    let Some(provider) = provider_or(args, &all[0].session.repo, config, || from_index(args, &all))? else {
        return from_index(args, &all);
    };
    let log = all.iter().map(|one| RequestLog::in_folder(&one.session.repo.data_dir())).reduce(RequestLog::and);
    let provider = Provider { log, ..provider };
    let composed = each(&Measure::of(config, Some(&provider))?)?;
    let by_model = asking(args, &all[0].session, notes, parts, |asking| {
        let mut composed_whole = Composed { prompt: whole(&all, &composed), ..Composed::default() };
        composed_whole.counted_by = composed[0].counted_by;
        reply::tell(asking, &composed_whole);
        reply::stats(asking, &composed.iter().collect::<Vec<_>>());
        if args.dry_run {
            return reply::dry(asking, &provider, &composed_whole).map(|()| None);
        }
        reply::announce(asking, &provider);
        Ok(Some(by_model(args, &all, &provider, &composed)))
    })?;
    match by_model {
        None | Some(Ok(())) => Ok(()),
        Some(Err(LlmError::Output(error))) => Err(Failure::from(error)),
        Some(Err(error)) => {
            from_index(args, &all)?;
            Err(reply::model_failure(error))
        }
    }
}

/// Runs `act` with everything that an answer about one repository needs.
fn asking<T>(
    args: &AskArgs,
    session: &Session,
    notes: Notes,
    parts: usize,
    act: impl FnOnce(&Asking) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let search: &SearchFor =
        &|question, options| embedding::ready(session, true)?.searcher(&session.store)?.search(question, options);
    act(&Asking { parts, ..Asking::of(args, session, search, notes) })
}

/// The prompt of all repositories: each part has its share of the budget and the name of its repository.
fn whole(all: &[One], composed: &[Composed]) -> crate::llm::Prompt {
    let part = |(one, composed): (&One, &Composed)| {
        format!("# Repository `{}`\n\n{}", visible(&one.name).replace('`', "'"), composed.prompt.user)
    };
    let user: Vec<String> = all.iter().zip(composed).map(part).collect();
    // Each part has paid for its own instructions, which cost more than the title that replaces them.
    let tokens = composed.iter().map(|composed| composed.prompt.tokens).sum();
    let files = composed.iter().flat_map(|composed| composed.prompt.files.clone()).collect();
    crate::llm::Prompt { system: composed[0].prompt.system.clone(), user: user.join("\n\n"), tokens, files }
}

fn from_index(args: &AskArgs, all: &[One]) -> Result<(), Failure> {
    if args.format == AskFormat::Json {
        return document(all, None);
    }
    for one in all {
        to_stdout(|out| {
            title(out, one, args.format)?;
            match args.format {
                AskFormat::Markdown => render_answer::markdown(out, &one.answer),
                _ => render_answer::text(out, &one.answer, &one.session.screen),
            }
        })?;
    }
    Ok(())
}

fn title(out: &mut dyn std::io::Write, one: &One, format: AskFormat) -> std::io::Result<()> {
    let name = visible(&one.name);
    match format {
        AskFormat::Markdown => writeln!(out, "## {name}\n"),
        _ => writeln!(out, "{}", one.session.screen.paint(Ink::Heading, &format!("== {name}"))),
    }
}

fn document(all: &[One], reply: Option<JointReply<'_>>) -> Result<(), Failure> {
    let repositories = all.iter().map(|one| NamedAnswer { repository: &one.name, answer: &one.answer }).collect();
    let document = JointDocument { schema: "repoidx.answers", schema_version: 1, repositories, reply };
    Ok(to_stdout(|out| json::document(out, &document, &all[0].session.screen))?)
}

/// Prints the sources, then the model's words, then the wrong citations.
fn by_model(args: &AskArgs, all: &[One], provider: &Provider, composed: &[Composed]) -> Result<(), LlmError> {
    let is_json = args.format == AskFormat::Json;
    let prompt = whole(all, composed);
    for (one, composed) in all.iter().zip(composed).filter(|_| !is_json) {
        to_stdout(|out| {
            title(out, one, args.format)?;
            render_answer::sources(out, &composed.context, &one.session.screen)
        })
        .map_err(LlmError::Output)?;
    }
    let mut text = String::new();
    ask(provider, &prompt, &AtomicBool::new(false), &mut |piece| {
        text.push_str(piece);
        if is_json { Ok(()) } else { to_stdout(|out| write!(out, "{}", visible_source(piece))) }
    })?;
    let shown = format!("{}\n{}", prompt.system, prompt.user);
    let mut citations: Vec<Citation> = Vec::new();
    for (one, composed) in all.iter().zip(composed) {
        let found = check(&one.session.store, &composed.context, &shown, &text).unwrap_or_default();
        if citations.is_empty() {
            citations = found;
            continue;
        }
        // Every repository lists the same citations in the same order; a citation exists if one of them has it.
        for (known, other) in citations.iter_mut().zip(found) {
            // The order of verdicts is shown, known, missing.
            known.verdict = known.verdict.min(other.verdict);
        }
    }
    if is_json {
        let (model, prompt_tokens) = (provider.model.as_str(), prompt.tokens);
        let reply = JointReply { model, text: &text, prompt_tokens, citations: &citations };
        return document(all, Some(reply)).map_err(|failure| LlmError::Garbled(failure.message));
    }
    to_stdout(|out| {
        writeln!(out)?;
        render_answer::citations(out, &citations, &all[0].session.screen)
    })
    .map_err(LlmError::Output)
}
