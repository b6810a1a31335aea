//! Lets a model judge a change by the findings of `review`.
//!
//! The model can add words. Findings and exit codes come from the index alone.

use std::sync::atomic::AtomicBool;

use crate::{
    ask::context::Context,
    cli::{
        commands::{
            ask::{
                AskFormat, Asking,
                compose::{Composed, ROOM, clean, replaced},
                measure::Measure,
                provider::{provider, provider_or},
                reply::{announce, by_model, dry, model_failure, tell},
                research::files_in,
            },
            review::{Reviewed, reviewed, usual_options},
        },
        compared::no_range,
        session::{budget, templates},
    },
    error::Failure,
    llm::error::LlmError,
    query::source::Sources,
    render::{
        json,
        review::{briefing::briefing, markdown, text},
        sheet::Closing,
        to_stdout,
        words::argument,
    },
    review::{Range, ReviewReport},
    tools::{exclusions, without},
};

/// Reviews `range`. For an empty one, the first word of the question is taken if it names commits (`--review A..B`);
/// else it stands for the commits to be pushed.
pub(crate) fn run(asking: &Asking, range: &str, question: &[String]) -> Result<(), Failure> {
    let repo = &asking.session.repo;
    let typed = question.first().filter(|word| range.is_empty() && !word.contains(char::is_whitespace));
    let (range, question) = match typed.map(|word| Range::committed(repo, Some(word))) {
        Some(Ok(range)) => (Ok(range), &question[1..]),
        // A text with dots is no question.
        Some(Err(error)) if question[0].contains("..") => (Err(error), question),
        _ => (Range::committed(repo, Some(range).filter(|range| !range.is_empty())), question),
    };
    let range = range.map_err(|error| no_range(repo, error))?;
    let options = usual_options(&asking.session.config);
    let Reviewed { report, sources, .. } = reviewed(asking.session, &range, &options, asking.notes)?;
    let compose = |measure: &Measure| {
        let wanted = ReviewPromptOptions {
            measure,
            budget: budget(asking.args.tokens, &asking.session.config),
            question: &question.join(" "),
            ignored: &asking.sources,
        };
        compose(&wanted, &report, &sources)
    };
    if asking.args.format == AskFormat::Prompt {
        let provider = provider(asking.args, &asking.session.repo, &asking.session.config).ok().flatten();
        let composed = compose(&Measure::of(&asking.session.config, provider.as_ref())?)?;
        tell(asking, &composed);
        return Ok(to_stdout(|out| write!(out, "{}", composed.prompt.whole()))?);
    }
    let (repo, config) = (&asking.session.repo, &asking.session.config);
    let Some(provider) = provider_or(asking.args, repo, config, || from_index(asking, &report))? else {
        return from_index(asking, &report);
    };
    let mut composed = compose(&Measure::of(&asking.session.config, Some(&provider))?)?;
    composed.prompt.files = files_in(&asking.session.store, &composed.prompt.user);
    tell(asking, &composed);
    if asking.args.dry_run {
        return dry(asking, &provider, &composed);
    }
    announce(asking, &provider);
    match by_model(asking, &provider, &report, &composed, &AtomicBool::new(false)) {
        Ok(_) => Ok(()),
        Err(LlmError::Output(error)) => Err(Failure::from(error)),
        Err(error) => {
            from_index(asking, &report)?;
            Err(model_failure(error))
        }
    }
}

/// The review without a model.
fn from_index(asking: &Asking, report: &ReviewReport) -> Result<(), Failure> {
    let screen = &asking.session.screen;
    let range = argument(&format!("{}..{}", report.base, report.head));
    let closing = Closing { command: format!("repoidx review {range}"), ..Closing::default() };
    Ok(to_stdout(|out| match asking.args.format {
        AskFormat::Json => json::document(out, report, screen),
        AskFormat::Markdown => markdown::comment(out, report),
        AskFormat::Text | AskFormat::Prompt => text(out, report, closing, screen),
    })?)
}

/// The limits and additions of a prompt about a review.
pub(crate) struct ReviewPromptOptions<'a> {
    /// In tokens.
    pub(crate) budget: usize,
    /// A question besides the review; may be empty.
    pub(crate) question: &'a str,
    /// The files of the working tree, for the ignore files among them.
    pub(crate) ignored: &'a Sources<'a>,
    pub(crate) measure: &'a Measure,
}

/// The prompt, with as much evidence as the budget holds.
pub(crate) fn compose(
    wanted: &ReviewPromptOptions,
    report: &ReviewReport,
    sources: &Sources,
) -> Result<Composed, Failure> {
    let budget = wanted.budget;
    let templates = templates();
    let exclusions = exclusions(wanted.ignored);
    let mut report = report.clone();
    report.withhold(&|path| exclusions.has(path));
    let shown = without(sources, &exclusions);
    let system = templates.render("ask-system.j2", &serde_json::json!({}))?;
    let question = clean(wanted.question);
    let worded = |bytes| {
        let mut user = clean(&templates.render("review.j2", &briefing(&report, &shown, bytes))?);
        if !question.trim().is_empty() {
            user.push_str(&format!("\n\n# Question\n\n{question}\n"));
        }
        Ok((system.clone(), user))
    };
    match wanted.measure.longest(budget, &worded)? {
        Ok(prompt) => {
            let (context, findings) = (Context::default(), replaced(&prompt.user));
            let evidence = format!("{}\n{}", prompt.system, prompt.user);
            let counted_by = wanted.measure.counted_by();
            Ok(Composed { prompt, context, findings, evidence, counted_by, ..Composed::default() })
        }
        Err(least) => {
            let message = format!("{budget} tokens do not hold the review's instructions, which take {least}");
            Err(Failure::usage(message, format!("repoidx ask --review --tokens {}", least + ROOM)))
        }
    }
}
