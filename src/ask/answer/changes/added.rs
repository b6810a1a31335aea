//! A parameter that a question adds to a function, as the calls of that notice it.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, by_intent, changes::polarity_word, names_of, relations::reference_row,
        },
        reading::{
            forms::QuestionIntent,
            plan::Understood,
            subjects::{parameters::takes, slots::takes_any_keyword},
            words::is_in,
        },
    },
    model::{EntityKind, RelationshipKind},
    query::{
        impact::{ImpactOptions, impact, walk::factors::Change},
        navigate::refs::refs,
        target::Target,
        words::count,
    },
    store::error::StoreError,
};

/// A parameter that a question adds.
#[derive(Debug, PartialEq, Eq)]
struct NewParameter {
    /// Empty where the question gives none.
    name: String,
    /// Calls may leave it out; `None` where the question does not tell.
    is_optional: Option<bool>,
}

/// Answers what a new parameter means for the calls, however the question is read otherwise. `None` for other
/// questions.
pub(in crate::ask::answer) fn new_parameter(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    use QuestionIntent as I;
    let plan = &understood.plan;
    let Some(new) = NewParameter::of(&plan.question) else { return Ok(None) };
    let is_other = matches!(plan.intent, I::History | I::Changes | I::Edit | I::Knowledge | I::Examples);
    let mut taking = understood.clone();
    let can_take = |target: &Target| {
        let kind = target.main().record.kind;
        (kind.is_callable() || kind == EntityKind::Class) && target.main().record.name != new.name
    };
    taking.targets.retain(can_take);
    if is_other || taking.targets.is_empty() || !asks_for_effect(&understood.words) {
        return Ok(None);
    }
    let targets = &taking.targets;
    taking.plan.subjects.retain(|subject| targets.iter().any(|target| target.main().full_name() == subject.name));
    taking.plan.unknown.retain(|unknown| unknown.mention.trim_matches('`') != new.name);
    taking.plan.notes.retain(|note| !note.contains(&format!("`{}`", new.name)));
    taking.plan.parameters.clear();
    taking.change = Change::Signature;
    for target in &taking.targets {
        if !new.name.is_empty() && takes(reading.store, target, &new.name)? {
            let name = names_of(std::slice::from_ref(target));
            let mut answer = by_intent(reading, &taking.clone().read_as(I::Signature))?;
            answer.headline = format!("{name} has a parameter `{}` already; {}", new.name, answer.headline);
            return Ok(Some(answer));
        }
    }
    by_intent(reading, &taking.read_as(I::Impact)).map(Some)
}

/// Whether words ask what a change does, not how it is made.
fn asks_for_effect(words: &[String]) -> bool {
    const EFFECTS: [&str; 8] = ["affect", "break", "consequence", "effect", "happen", "impact", "safe", "would"];
    let is_possible = words.first().is_some_and(|first| matches!(first.as_str(), "can" | "could" | "may" | "will"));
    let is_effect = |word: &String| EFFECTS.iter().any(|effect| word.starts_with(effect));
    is_possible || words.iter().any(|word| matches!(word.as_str(), "if" | "once") || is_effect(word))
}

impl NewParameter {
    /// Reads `add a parameter x to f`, `f gets another argument x`, `a parameter x is added to f`.
    fn of(question: &str) -> Option<Self> {
        const ADDING: [&str; 5] = ["add", "adding", "added", "adds", "introduce"];
        const GETTING: [&str; 14] = [
            "accept", "accepted", "accepts", "gain", "gained", "gains", "get", "gets", "give", "had", "has", "have",
            "take", "takes",
        ];
        const NEW: [&str; 5] = ["additional", "another", "extra", "further", "new"];
        const ADJECTIVES: &str = "a an as bool boolean default int keyword keyword-only mandatory named one optional \
             positional positional-only required second str string the third";
        /// Of these a parameter only is the place.
        const OTHERS: [&str; 9] =
            ["annotation", "check", "default", "doc", "hint", "pars", "type", "validation", "value"];
        const NO_NAMES: &str = "after and as at before behind between for gets if in instead into is of on or that then to \
             was which with without would";
        let texts: Vec<&str> = question.split_whitespace().map(bare).collect();
        let words: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        // `who added the parameter x` is a question about history.
        if words.first().is_some_and(|first| matches!(first.as_str(), "who" | "when")) {
            return None;
        }
        let is_adjective = |word: &str| is_in(ADJECTIVES, word) || NEW.contains(&word);
        let is_noun =
            |word: &str| ["arg", "param", "kwarg"].iter().any(|noun| word.starts_with(noun)) || word.starts_with('*');
        for noun in 1..words.len() {
            let is_other = words.get(noun + 1).is_some_and(|next| OTHERS.iter().any(|other| next.starts_with(other)));
            if !is_noun(&words[noun]) || is_other {
                continue;
            }
            let mut name = if words[noun].starts_with('*') { texts[noun] } else { "" };
            let mut start = noun;
            let mut is_new = false;
            while start > 0 && is_adjective(&words[start - 1]) {
                start -= 1;
                is_new |= NEW.contains(&words[start].as_str());
            }
            let is_adding = |at: usize| ADDING.contains(&words[at].as_str());
            // `add a retries argument`
            if start > 0 && !is_adding(start - 1) && !GETTING.contains(&words[start - 1].as_str()) {
                let mut before = start - 1;
                while before > 0 && is_adjective(&words[before - 1]) {
                    before -= 1;
                    is_new |= NEW.contains(&words[before].as_str());
                }
                // `give f another argument`: the function that gets one stands there.
                let is_owner = start < noun && NEW.contains(&words[start].as_str());
                let is_getting = before > 0 && is_new && GETTING.contains(&words[before - 1].as_str());
                let is_name = !is_owner && !is_in(NO_NAMES, &words[start - 1]);
                if before > 0 && (is_adding(before - 1) || is_getting) && is_name {
                    (name, start) = (texts[start - 1], before);
                }
            }
            let mut next = noun + 1;
            while words.get(next).is_some_and(|word| matches!(word.as_str(), "called" | "named")) {
                next += 1;
            }
            let behind = words.get(next).filter(|word| !is_in(NO_NAMES, word) && !is_adding(next));
            if name.is_empty() && behind.is_some() {
                name = texts[next];
                next += 1;
            }
            let is_state = |word: &String| matches!(word.as_str(), "are" | "be" | "gets" | "is" | "was" | "were");
            let is_passive = words.get(next).is_some_and(is_state) && words.get(next + 1).is_some_and(|w| w == "added");
            // `give f a new parameter`: the verb stands before the owner.
            let is_given = is_new && words[..start].iter().any(|word| GETTING.contains(&word.as_str()));
            if start > 0 && is_adding(start - 1) || is_passive || is_given {
                let (name, default) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
                let is_optional = optional(&words).or((default || words[noun].starts_with('*')).then_some(true));
                return Some(Self { name: name.to_owned(), is_optional });
            }
        }
        None
    }

    /// The effect on the calls of the subjects, in words.
    fn effect(&self, names: &str, calls: usize, passing: usize) -> String {
        const POSITION: &str = "unless it stands before one that they pass by position";
        let called = if self.name.is_empty() { String::new() } else { format!(" `{}`", self.name) };
        let all = count(calls, "call");
        let breaking = match (calls, passing) {
            (0, _) => "breaks nothing, since nothing here calls it".to_owned(),
            (1, 0) => "breaks its call: none passes it".to_owned(),
            (_, 0) => format!("breaks each of its {all}: none passes it"),
            _ => {
                let pass = if passing == 1 { "passes" } else { "pass" };
                format!("breaks {} of its {all}: {passing} {pass} one already, as a further keyword", calls - passing)
            }
        };
        match self.is_optional {
            Some(false) => format!("adding a required parameter{called} to {names} {breaking}"),
            Some(true) => {
                format!("adding an optional parameter{called} to {names} breaks none of {all}, {POSITION}")
            }
            None => format!(
                "adding a parameter{called} to {names}: a required one {breaking}; one with a default breaks none, \
                 {POSITION}"
            ),
        }
    }
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '*'))
}

/// Whether words say that calls may leave a parameter out.
fn optional(words: &[String]) -> Option<bool> {
    let has = |known: &str| words.iter().any(|word| word == known);
    let is_denied = |before: &String| matches!(before.as_str(), "no" | "without");
    let default = words.iter().position(|word| word == "default");
    // `without a default`
    let default = default.map(|at| !words[at.saturating_sub(2)..at].iter().any(is_denied));
    match () {
        () if has("required") || has("mandatory") => Some(false),
        () if has("optional") => Some(true),
        () => default,
    }
}

/// The effect of a new parameter on the calls of the subjects.
pub(super) struct AddedParameter {
    pub headline: String,
    /// No call breaks.
    pub is_harmless: bool,
    pub rows: Vec<ListRow>,
}

/// The effect of the parameter that a question adds; `None` where none is added.
pub(super) fn added(reading: AnswerInputs, understood: &Understood) -> Result<Option<AddedParameter>, StoreError> {
    let is_signature = understood.plan.change == Some(Change::Signature) && understood.plan.parameters.is_empty();
    let new = NewParameter::of(&understood.plan.question).filter(|_| is_signature && !understood.targets.is_empty());
    let Some(new) = new else { return Ok(None) };
    let (mut sites, mut passing) = (Vec::new(), 0);
    for target in &understood.targets {
        let report = refs(reading.store, reading.sources, target, true)?;
        sites.extend(report.references.into_iter().filter(|site| site.kind == RelationshipKind::Calls));
        if !new.name.is_empty() && takes_any_keyword(reading.store, target)? {
            let param = Some(new.name.clone());
            let options = ImpactOptions { param, limits: reading.limits.clone(), ..ImpactOptions::default() };
            let report = impact(reading.store, reading.sources, std::slice::from_ref(target), &options)?;
            passing += report.call_sites.iter().filter(|site| site.passes.is_some()).count();
        }
    }
    let is_harmless = new.is_optional == Some(true);
    let word = polarity_word(understood.plan.polarity, !is_harmless && !sites.is_empty());
    let effect = new.effect(&names_of(&understood.targets), sites.len(), passing.min(sites.len()));
    let rows = sites.into_iter().map(reference_row).collect();
    Ok(Some(AddedParameter { headline: format!("{word}{effect}"), is_harmless, rows }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_parameter_is_read() {
        let read = |question: &str| NewParameter::of(question).map(|new| (new.name, new.is_optional));
        let some = |name: &str, is_optional| Some((name.to_owned(), is_optional));
        for (question, wanted) in [
            ("what happens if I add a parameter retries to f", some("retries", None)),
            ("what breaks if I add a required `retries` argument to f?", some("retries", Some(false))),
            ("what if f gets a new keyword argument called retries", some("retries", None)),
            ("what if I add retries as an optional parameter to f", some("retries", Some(true))),
            ("what if I add a parameter retries=3 to f", some("retries", Some(true))),
            ("what if a parameter retries is added to f", some("retries", None)),
            ("what if I give f another argument without a default", some("", Some(false))),
            ("what breaks if I add **kwargs to f", some("**kwargs", Some(true))),
            ("what breaks if I add a parameter to f", some("", None)),
            ("what breaks if I add a default to the parameter x of f", None),
            ("what breaks if I add parameter annotations to f", None),
            ("what breaks if I remove a parameter that f takes", None),
            ("who added the parameter x", None),
        ] {
            assert_eq!(read(question), wanted, "{question}");
        }
    }
}
