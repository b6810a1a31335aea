//! What the user's language model says about a review, for somebody who waits for a push.
//!
//! Goes in: the settings, a review, the index and the files that it is about. Comes out: a few lines, with the citations
//! that do not exist. Who is asked, and whether at all, is for the user's own configuration; no flag takes part.

use std::sync::atomic::AtomicBool;

use crate::{
    ask::{
        citations::{Verdict, check},
        context::Context,
    },
    cli::{
        commands::ask::{
            AskArgs,
            measure::Measure,
            provider::provider,
            review::{Wanted, compose},
        },
        session::budget,
    },
    config::Config,
    error::Failure,
    llm::{Wire, ask},
    query::source::Sources,
    render::escape::{visible, visible_source},
    review::ReviewReport,
    store::Store,
};

/// Characters of a line that are shown.
const WIDTH: usize = 300;

/// A model's words.
pub(crate) struct Opinion {
    /// Who said it, and where that is.
    pub(crate) by: String,
    /// Each line fit to be shown.
    pub(crate) lines: Vec<String>,
    /// Places and names in it that the index does not have.
    pub(crate) missing: Vec<String>,
}

/// Asks the model that the settings name. A failure says why there is no answer.
pub(crate) fn opinion(
    config: &Config,
    store: &Store,
    report: &ReviewReport,
    sources: &Sources,
) -> Result<Opinion, Failure> {
    let Some(provider) = provider(&AskArgs::default(), config)? else {
        return Err(Failure::usage("no provider is set", "repoidx config"));
    };
    let measure = Measure::of(config, Some(&provider))?;
    let wanted = Wanted { budget: budget(None, config), question: "", ignored: sources, measure: &measure };
    let composed = compose(&wanted, report, sources)?;
    let mut text = String::new();
    ask(&provider, &composed.prompt, &AtomicBool::new(false), &mut |piece| {
        text.push_str(piece);
        Ok(())
    })?;
    let shown = format!("{}\n{}", composed.prompt.system, composed.prompt.user);
    let citations = check(store, &Context::default(), &shown, &text).unwrap_or_default();
    let missing = citations.into_iter().filter(|citation| citation.verdict == Verdict::Missing);
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let by = match provider.wire {
        Wire::Command => visible(&provider.address).into_owned(),
        _ => format!("{} at {}", visible(&provider.model), visible(&provider.address)),
    };
    Ok(Opinion {
        by,
        lines: lines.map(|line| visible_source(line).chars().take(WIDTH).collect()).collect(),
        missing: missing.map(|citation| visible(&citation.text).into_owned()).collect(),
    })
}
