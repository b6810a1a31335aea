//! Asks a model whether a question is simple or complex, for `ask --plan --provider NAME`.
//!
//! The number of subjects decides, and the plan stays as it is. A model that contradicts the number is asked again and
//! then overruled, and the plan says so.

use std::sync::atomic::AtomicBool;

use crate::{
    ask::reading::plan::{ModelVerdict, QuestionPlan},
    cli::{
        commands::ask::{Asking, compose::clean, measure::Measure, provider::provider, reply::model_failure},
        session::templates,
    },
    error::Failure,
    llm::ask,
};

/// How often a model that contradicts the number of subjects is asked again.
const RETRIES: usize = 3;

/// Puts the verdict of the chosen model into the plan; without a provider on the command line nothing is asked.
pub(crate) fn judge(asking: &Asking, plan: &mut QuestionPlan) -> Result<(), Failure> {
    if asking.args.provider.is_none() || asking.args.dry_run {
        return Ok(());
    }
    let Some(provider) = provider(asking.args, &asking.session.repo, &asking.session.config)? else { return Ok(()) };
    let measure = Measure::of(&asking.session.config, Some(&provider))?;
    let subjects: Vec<&String> = plan.subjects.iter().map(|subject| &subject.name).collect();
    let mut said = "";
    let mut attempts = 0;
    while attempts <= RETRIES && said != plan.complexity {
        attempts += 1;
        let values = serde_json::json!({"question": clean(&plan.question), "subjects": subjects, "said": said});
        let prompt = measure.prompt(String::new(), templates().render("ask-verdict.j2", &values)?);
        let mut text = String::new();
        ask(&provider, &prompt, &AtomicBool::new(false), &mut |piece| {
            text.push_str(piece);
            Ok(())
        })
        .map_err(model_failure)?;
        said = verdict(&text);
    }
    let is_overruled = said != plan.complexity;
    let retries = crate::query::words::count(attempts - 1, "retry");
    plan.notes.push(if is_overruled {
        format!("the model said {said}, and after {retries} it was overruled: {}", plan.coherence())
    } else if attempts > 1 {
        format!("the model said {said} after {retries}, as the number of subjects does")
    } else {
        format!("the model said {said}, as the number of subjects does")
    });
    plan.model_verdict = Some(ModelVerdict { said, retries: attempts - 1, is_overruled });
    Ok(())
}

/// The word of a verdict that a reply begins with; `neither` where it has none, or both.
fn verdict(reply: &str) -> &'static str {
    let lower = reply.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphabetic()).collect();
    match (words.contains(&"simple"), words.contains(&"complex")) {
        (true, false) => "simple",
        (false, true) => "complex",
        _ => "neither",
    }
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn a_verdict_is_one_of_two_words() {
        assert_eq!(verdict("**Simple.**"), "simple");
        assert_eq!(verdict("It is complex, since two classes are named"), "complex");
        assert_eq!(verdict("simple or complex?"), "neither");
        assert_eq!(verdict(""), "neither");
    }
}
