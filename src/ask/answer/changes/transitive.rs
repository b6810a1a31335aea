//! Answers who reaches a definition over any number of calls, or over a few: `who eventually calls f`, `which functions
//! reach f within 3 steps`. One step back would be a part of the answer only.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, by_intent},
        reading::{
            filters::Noun,
            forms::{QuestionIntent, patterns::number},
            plan::Understood,
            relations::noun_of,
            words::is_in,
        },
    },
    query::{impact::walk::Limits, words::count},
    store::error::StoreError,
};

/// Words that speak of more than one step.
pub(in crate::ask::answer) const OVER_OTHERS: &str = "eventually ultimately transitive transitively indirect indirectly";
/// Beginnings of words for a use.
const USES: [&str; 8] = ["call", "depend", "invok", "reach", "rel", "use", "using", "lead"];
/// Units of a distance.
const STEPS: &str = "call calls hop hops level levels step steps";
/// Words of other questions.
const OTHERS: &str = "subclass subclasses derive derives derived inherit inherits inherited heirs base bases exception \
     exceptions raise raises raised import imports imported if change changed changing break breaks commit commits when why";

/// Answers such a question with the impact of the definition; `None` for other questions.
pub(in crate::ask::answer) fn transitive(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let Some(subject) = understood.plan.subjects.first() else { return Ok(None) };
    let is_one = understood.plan.subjects.iter().all(|one| one.mention == subject.mention);
    let mention = subject.mention.to_lowercase();
    let Some(name) = words.iter().position(|word| *word == mention) else { return Ok(None) };
    let before = &words[..name];
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let is_use = |word: &String| USES.iter().any(|verb| word.starts_with(verb));
    // Who is asked for stands before the name, and `what does f call` asks for the other direction.
    let is_incoming = before.iter().any(is_use)
        && !before.iter().any(|word| is_in("can could do does did from will would", word))
        && !before.first().is_some_and(|word| is_in("are how is", word));
    let is_of_tests = before.iter().any(|word| noun_of(word) == Some(Noun::Test));
    if !is_one
        || !is_incoming
        || is_of_tests
        || has(OTHERS)
        || understood.set.is_some()
        || !understood.plan.files.is_empty()
    {
        return Ok(None);
    }
    let is_chain = |part: &[String]| {
        let joined = part.join(" ");
        matches!(
            joined.as_str(),
            "call chain to" | "call chains to" | "chain of calls" | "chains of calls" | "chain of callers"
        )
    };
    let is_everything = matches!(
        before.iter().map(String::as_str).collect::<Vec<_>>().as_slice(),
        ["everything" | "anything", "that" | "which", "depends", "on", ..]
            | ["all", "that", "depends", "on", ..]
            | ["list" | "show" | "find", "everything" | "all", "that", "depends", "on", ..]
            | ["what" | "who", "all", "depends", "on", ..]
    );
    let steps = within(&words[name..]).or_else(|| within(before));
    if !has(OVER_OTHERS) && !words.windows(3).any(is_chain) && !is_everything && steps.is_none() {
        return Ok(None);
    }
    let limits = Limits { depth: steps.or(reading.limits.depth), ..reading.limits.clone() };
    let asked = understood.clone().read_as(QuestionIntent::Impact);
    let mut answer = by_intent(AnswerInputs { limits: &limits, ..reading }, &asked)?;
    if answer.command.is_empty() {
        answer.command = asked.command();
    }
    if let Some(steps) = steps {
        answer.headline += &format!("; only what is at most {} away", count(steps as usize, "step"));
        answer.command += &format!(" --depth {steps}");
    }
    Ok(Some(answer).filter(|answer| !answer.headline.is_empty()))
}

/// The number of steps of `within three calls` and `at most 2 steps away`.
fn within(words: &[String]) -> Option<u32> {
    let is_head = |at: usize| words[at] == "within" || words[at] == "most" && at > 0 && words[at - 1] == "at";
    let at = (0..words.len()).find(|at| is_head(*at))?;
    let [steps, unit, ..] = &words[at + 1..] else { return None };
    number(steps).filter(|steps| *steps > 0 && is_in(STEPS, unit))
}
