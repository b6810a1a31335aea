//! Replaces the plan by a language model's reading of the question, if the user asks for that.
//!
//! A model that contradicts the names in the question is asked again. After three attempts the rules stand. A note
//! tells the outcome.

use std::sync::atomic::AtomicBool;

use crate::{
    ask::{
        context::tokens::tokens,
        reading::{
            plan::{Hints, Understood, understand},
            refine::{ATTEMPTS, SYSTEM, question as to_question, verdict},
        },
    },
    cli::commands::ask::{Asking, compose::clean, provider::provider},
    error::Failure,
    llm::{Prompt, ask},
};

/// Lets the chosen model read the question.
pub(crate) fn refined(
    asking: &Asking,
    understood: Understood,
    question: &str,
    hints: Hints,
) -> Result<Understood, Failure> {
    let Some(provider) = provider(asking.args, &asking.session.config)? else {
        return Err(Failure::usage(
            "--refine needs a provider",
            "repoidx ask --provider openai|anthropic|ollama|command",
        ));
    };
    let mut complaint = String::new();
    for _ in 0..ATTEMPTS {
        let user = clean(&to_question(&understood.plan, &complaint));
        let prompt = Prompt { tokens: tokens(SYSTEM) + tokens(&user), system: SYSTEM.to_owned(), user };
        let mut text = String::new();
        ask(&provider, &prompt, &AtomicBool::new(false), &mut |piece| {
            text.push_str(piece);
            Ok(())
        })?;
        match verdict(&understood.plan, &text) {
            Ok(verdict) => {
                let rules = understood.plan.intent;
                let hints = Hints { read_as: Some((verdict.intent, verdict.task)), ..hints };
                let reading = asking.reading();
                let mut refined = understand(reading.store, reading.sources, question, &hints)?;
                if verdict.intent != rules {
                    let (model, rules) = (verdict.intent.as_str(), rules.as_str());
                    refined.plan.notes.push(format!("the model read it as {model}, the rules as {rules}"));
                }
                return Ok(refined);
            }
            Err(reason) => complaint = reason,
        }
    }
    let mut overruled = understood;
    overruled.plan.notes.push(format!("the model was overruled after {ATTEMPTS} attempts: {}", clean(&complaint)));
    Ok(overruled)
}
