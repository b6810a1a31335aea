//! Composes the prompt for a question: templates filled within the budget.
//!
//! All text passes the guard: secrets are replaced, control characters are escaped, files of an ignore file are left
//! out.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{
    ask::{
        answer::{Answer, facts::FactGroup, survey::part_of},
        context::{
            Context, HEADERS, PrivacyGuard, assemble,
            headers::{header_tokens, share},
            tokens::{head, tokens},
        },
        reading::{
            follow_up::turns::ConversationTurn,
            forms::{QuestionIntent, Task},
        },
    },
    cli::{
        commands::ask::{
            Asking,
            measure::Measure,
            parts::{LEAST_ROOM, Outline},
        },
        session::{budget, longest_line, templates},
        standing::Standing,
    },
    error::Failure,
    git::worktree::exclusions::Exclusions,
    llm::Prompt,
    prompt::Templates,
    query::{
        impact::completeness::{Boundary, Completeness},
        words::count,
    },
    render::{
        escape::{MAX_LINE, elided, fence},
        words::argument,
    },
    texts::secrets::without_secrets,
    tools::exclusions_of,
};

/// Share of the budget for earlier turns, in percent.
const HISTORY_SHARE: usize = 25;
/// Tokens of an earlier answer that a prompt repeats.
const MAX_TURN: usize = 400;

/// Tokens that the template writes around a turn.
const TURN_OVERHEAD: usize = 20;
/// A prompt is full if less than one part in so many of the budget remains.
const FULL: usize = 50;
/// Factor by which the estimate may exceed the count, as for text in scripts that the estimate counts by bytes.
const MOST_OVERESTIMATED: usize = 16;
/// Tokens for evidence that a hint adds to the tokens of the instructions.
pub(crate) const ROOM: usize = 500;

/// A prompt and its contents.
#[derive(Default)]
pub(crate) struct Composed {
    pub(crate) prompt: Prompt,
    pub(crate) context: Context,
    /// Secrets that were replaced, by kind.
    pub(crate) findings: BTreeMap<String, usize>,
    /// The prompt without earlier turns: a name that an earlier answer invented is no evidence for a later one.
    pub(crate) evidence: String,
    /// The owner of the tokenizer that counted; `None` for an upper estimate.
    pub(crate) counted_by: Option<&'static str>,
    /// The tokens of the prompt and those of the headers in it, both by the estimate.
    pub(crate) estimate: usize,
    pub(crate) header_tokens: usize,
    /// Which part of the outline of a repository this is, and of how many.
    pub(crate) part: Option<(usize, usize)>,
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
    /// The commit and the edited files that the findings are about, where that is not plain.
    standing: Option<&'a str>,
    history: &'a [ConversationTurn],
    /// Longer than any run of backticks in the text of the repository, so that none can end its own block.
    fence: String,
    #[serde(flatten)]
    context: &'a Context,
}

/// The text in the form in which it may leave the machine.
pub(crate) fn clean(text: &str) -> String {
    clean_source(text, MAX_LINE)
}

/// The same with lines of at most about so many characters.
fn clean_source(text: &str, longest: usize) -> String {
    elided(&without_secrets(text), longest)
}

/// The command that asks the question within so many tokens.
fn asked_with(tokens: usize, question: &str) -> String {
    format!("repoidx ask --tokens {tokens} {}", argument(question))
}

/// Attempts to fill the budget by a tokenizer's count; each comes nearer by the measured proportion.
const ATTEMPTS: usize = 8;

/// Composes the prompt. An upper estimate fills it first. With the model's tokenizer, the prompt grows or shrinks until
/// its count fits the budget.
pub(crate) fn compose(
    asking: &Asking,
    question: &str,
    answer: &Answer,
    turns: &[ConversationTurn],
    measure: &Measure,
) -> Result<Composed, Failure> {
    let budget = budget(asking.args.tokens, &asking.session.config) / asking.parts.max(1);
    let filling = Filling::of(asking, question, answer, turns, measure)?;
    if let Some(outline) = filling.guarded(|guard| Outline::of(answer, guard)) {
        return filling.part(&outline, budget);
    }
    let least = filling.least()?;
    // Said before any work: no filling can succeed.
    if least > budget {
        return Err(Failure::usage(
            format!("{budget} tokens do not hold the question and its instructions, which take {least}"),
            asked_with(least + ROOM, question),
        ));
    }
    if measure.counted_by().is_none() {
        return filling.filled(budget);
    }
    let (mut best, mut limit): (Option<Composed>, usize) = (None, budget);
    for _ in 0..ATTEMPTS {
        // A small limit may not hold the instructions by the estimate; the best prompt so far then stands.
        let composed = match filling.filled(limit) {
            Ok(composed) => composed,
            Err(failure) => return best.ok_or(failure),
        };
        let (used, is_whole) = (composed.prompt.tokens.max(1), composed.is_whole());
        if used <= budget && best.as_ref().is_none_or(|best| best.prompt.tokens < used) {
            best = Some(composed);
        }
        let is_full = used <= budget && budget - used < budget / FULL;
        let next = limit * budget / used;
        // A prompt that is too long shrinks by 5 % more than the proportion, so that the next attempt fits.
        let next = if used > budget { next.min(limit - 1) * 19 / 20 } else { next };
        if is_full || (is_whole && used <= budget) || next == limit {
            break;
        }
        limit = next.min(budget * MOST_OVERESTIMATED);
    }
    best.ok_or_else(|| {
        let message = format!("{budget} tokens do not hold the question and its instructions");
        Failure::usage(message, asked_with(budget * 2, question))
    })
}

impl Composed {
    /// How many pieces of source there are, and how much their headers take.
    pub(crate) fn stats(parts: &[&Self], budget: usize) -> String {
        let sum = |of: &dyn Fn(&Self) -> usize| -> usize { parts.iter().map(|part| of(part)).sum() };
        let pieces = sum(&|part| part.context.snippets.len());
        let all = pieces + sum(&|part| part.context.manifest.left_out.len() + part.context.manifest.left_out_more);
        let tokens = sum(&|part| part.prompt.tokens);
        let share = share(sum(&|part| part.header_tokens), sum(&|part| part.estimate));
        format!("{pieces} of {all} pieces; {tokens} of {budget} tokens, {share} of them headers")
    }

    /// Nothing was left out.
    fn is_whole(&self) -> bool {
        let manifest = &self.context.manifest;
        manifest.left_out.is_empty() && manifest.left_out_more + manifest.facts_left_out == 0
    }
}

/// The inputs that stay the same for every attempt.
struct Filling<'a> {
    asking: &'a Asking<'a>,
    answer: &'a Answer,
    turns: &'a [ConversationTurn],
    measure: &'a Measure,
    templates: Templates,
    template: &'static str,
    exclusions: Exclusions,
    system: String,
    question: String,
    standing: Option<String>,
}

impl<'a> Filling<'a> {
    fn of(
        asking: &'a Asking<'a>,
        question: &str,
        answer: &'a Answer,
        turns: &'a [ConversationTurn],
        measure: &'a Measure,
    ) -> Result<Self, Failure> {
        let (templates, template) = (templates(), template_of(answer.plan.task));
        let system = templates.render("ask-system.j2", &serde_json::json!({}))?;
        let (exclusions, question) = (exclusions_of(&asking.session.repo), clean(question));
        let standing =
            Standing::of(asking.session).without(&|path| exclusions.has(path)).line().map(|line| clean(&line));
        Ok(Self { asking, answer, turns, measure, templates, template, exclusions, system, question, standing })
    }

    /// The text of the prompt; `part` says which part of an outline it is.
    fn user(
        &self,
        context: &Context,
        history: &[ConversationTurn],
        part: Option<&Boundary>,
    ) -> Result<String, Failure> {
        let answer = self.answer;
        let headline = clean(&answer.headline);
        let completeness = if part.is_some() { Completeness::LowerBound } else { Completeness::Exact };
        let boundaries: Vec<String> =
            answer.boundaries.iter().chain(part).map(|boundary| clean(&boundary.message)).collect();
        let notes: Vec<String> =
            answer.plan.notes.iter().map(|note| clean(note)).chain(self.withheld_subjects()).collect();
        let quoted = [&headline].into_iter().chain(&boundaries).chain(&notes);
        let quoted = quoted.chain(history.iter().map(|turn| &turn.answer)).map(String::as_str);
        let values = Values {
            fence: fence(quoted.chain(context.texts())),
            task: answer.plan.task.as_str(),
            question: &self.question,
            is_about_repository: answer.plan.intent != QuestionIntent::Knowledge,
            headline,
            completeness: answer.completeness.max(completeness).as_str(),
            boundaries,
            notes,
            standing: self.standing.as_deref(),
            history,
            context,
        };
        Ok(self.templates.render(self.template, &values)?)
    }

    /// A note for each subject whose source is withheld.
    fn withheld_subjects(&self) -> impl Iterator<Item = String> {
        let paths: BTreeSet<&str> = self.answer.plan.subjects.iter().map(|subject| subject.path.as_str()).collect();
        let withheld = paths.into_iter().filter(|path| self.exclusions.has(path));
        let note =
            |path| format!("an ignore file withholds the source of {path}: its signatures and code are not known here");
        withheld.map(move |path| clean(&note(path)))
    }

    /// Tokens of a prompt without facts and source.
    fn least(&self) -> Result<usize, Failure> {
        let user = self.user(&Context::default(), &[], None)?;
        Ok(self.measure.prompt(self.system.clone(), user).tokens)
    }

    /// Calls `with` with the filters for text of the repository.
    fn guarded<T>(&self, with: impl FnOnce(&PrivacyGuard) -> T) -> T {
        let longest = longest_line(&self.asking.session.config);
        with(&PrivacyGuard {
            clean: &|text| clean_source(text, longest),
            is_withheld: &|path| self.exclusions.has(path),
            copy_lines: self.asking.session.config.number("copy_lines").unwrap_or(usize::MAX),
        })
    }

    /// A prompt of at most `limit` tokens by the estimate.
    fn filled(&self, limit: usize) -> Result<Composed, Failure> {
        // Earlier turns come first: without them a follow-up cannot be understood.
        let history = recent(self.turns, limit * HISTORY_SHARE / 100);
        let cost = |user: &str| Measure::estimate(&self.system, user);
        self.fit(&PromptFrame { limit, answer: self.answer, outline: &[], part: None, history: &history, cost: &cost })
    }

    /// The part of an outline that is asked for.
    fn part(&self, outline: &Outline, budget: usize) -> Result<Composed, Failure> {
        let args = self.asking.args;
        let cost = |user: &str| self.measure.prompt(self.system.clone(), user.to_owned()).tokens;
        // A conversation grows. Its share stays free from the start, so that the parts stay the same.
        let is_conversation = args.session.is_some() || args.interactive;
        let kept = if is_conversation { budget * HISTORY_SHARE / 100 } else { 0 };
        let history = recent(self.turns, kept);
        let many = Outline::MOST_PARTS;
        let fixed = cost(&self.user(&Context::default(), &[], Some(&part_of(many - 1, many)))?);
        let least = fixed + LEAST_ROOM;
        let is_too_small = || {
            Failure::usage(
                format!("{budget} tokens do not hold a part of the outline and its instructions, which take {least}"),
                asked_with(least + if is_conversation { least / 2 } else { 0 }, &self.question),
            )
        };
        let mut room = budget.checked_sub(fixed + kept).filter(|room| *room >= LEAST_ROOM).ok_or_else(is_too_small)?;
        while room >= LEAST_ROOM / 2 {
            let parts = outline.divided(room, self.measure);
            let of = |at: usize| (parts.len() > 1).then(|| part_of(at + 1, parts.len()));
            let facts = |at: usize| outline.facts(&parts[at], room);
            let context = |at: usize| Context { facts: facts(at), ..Context::default() };
            let mut are_within = true;
            for at in 0..parts.len() {
                are_within &= cost(&self.user(&context(at), &[], of(at).as_ref())?) + kept <= budget;
            }
            // Pieces may cost less than the whole by some tokenizer.
            if !are_within {
                room = room * 19 / 20;
                continue;
            }
            let asked = args.part as usize;
            // Of several repositories, some have fewer parts.
            if asked > parts.len() && self.asking.parts == 1 {
                return Err(no_part(asked, parts.len(), budget, &self.question));
            }
            let at = asked.min(parts.len()) - 1;
            let (rest, none) =
                (&outline.overview, Answer { blocks: Vec::new(), wanted: Vec::new(), ..outline.overview.clone() });
            let composed = self.fit(&PromptFrame {
                limit: budget,
                answer: if at == 0 { rest } else { &none },
                outline: &facts(at),
                part: of(at).as_ref(),
                history: &history,
                cost: &cost,
            })?;
            return Ok(Composed { part: (parts.len() > 1).then_some((at + 1, parts.len())), ..composed });
        }
        Err(is_too_small())
    }

    /// The most of an answer that fits.
    fn fit(&self, fitting: &PromptFrame) -> Result<Composed, Failure> {
        let PromptFrame { limit, answer, outline, part, history, cost } = *fitting;
        let begun = Context { facts: outline.to_vec(), ..Context::default() };
        let mut room = limit.saturating_sub(cost(&self.user(&begun, history, part)?));
        let mut most_headers = usize::MAX;
        loop {
            let mut context =
                self.guarded(|guard| assemble(self.asking.reading(), answer, room, most_headers, guard))?;
            context.facts.extend_from_slice(outline);
            let user = self.user(&context, history, part)?;
            let tokens = cost(&user);
            let headers = header_tokens(&context.snippets);
            if tokens <= limit {
                // A prompt with fewer pieces may be shorter, so its limit is a new one.
                if headers * HEADERS >= tokens && context.snippets.len() > 1 {
                    most_headers = (tokens - 1) / HEADERS;
                    continue;
                }
                let findings = replaced(&user);
                let own = if history.is_empty() { user.clone() } else { self.user(&context, &[], part)? };
                let evidence = format!("{}\n{own}", self.system);
                let estimate = Measure::estimate(&self.system, &user);
                let prompt = self.measure.prompt(self.system.clone(), user);
                let prompt = Prompt { files: context.files(), ..prompt };
                let counted_by = self.measure.counted_by();
                let (header_tokens, part) = (headers, None);
                return Ok(Composed { prompt, context, findings, evidence, counted_by, estimate, header_tokens, part });
            }
            if room == 0 {
                let message = "the template says more than the budget holds, even without any source".to_owned();
                return Err(Failure::usage(message, asked_with(tokens + ROOM, &self.question)));
            }
            // The estimate of the parts misses the template's own words, so the excess shrinks the room.
            room = room.saturating_sub((tokens - limit).max(16));
        }
    }
}

/// A prompt to fill.
#[derive(Clone, Copy)]
struct PromptFrame<'f> {
    /// In tokens, as `cost` counts them.
    limit: usize,
    answer: &'f Answer,
    /// Facts that stand in the prompt in any case, with the part of the outline that they are.
    outline: &'f [FactGroup],
    part: Option<&'f Boundary>,
    history: &'f [ConversationTurn],
    cost: &'f dyn Fn(&str) -> usize,
}

/// The failure where a prompt has fewer parts than asked for.
fn no_part(part: usize, parts: usize, tokens: usize, question: &str) -> Failure {
    let message = format!("there is no part {part}: this prompt has {}", count(parts, "part"));
    let command = format!("repoidx ask --format prompt --tokens {tokens} --part {parts} {}", argument(question));
    Failure::usage(message, command)
}

/// The template of a task.
fn template_of(task: Task) -> &'static str {
    match task {
        Task::Ask => "ask.j2",
        Task::Explain => "ask-explain.j2",
        Task::Test => "ask-test.j2",
        Task::Doc => "ask-doc.j2",
        Task::Smell => "ask-smell.j2",
        Task::Review => "ask-review.j2",
        Task::Impact => "ask-impact.j2",
    }
}

/// The latest turns that fit, oldest first, with long answers cut.
fn recent(turns: &[ConversationTurn], room: usize) -> Vec<ConversationTurn> {
    let mut used = 0;
    let mut recent = Vec::new();
    for turn in turns.iter().rev() {
        let answer = head(&turn.answer, MAX_TURN);
        let mark = if answer.len() < turn.answer.len() { " …" } else { "" };
        let turn = ConversationTurn { answer: format!("{}{mark}", answer.trim_end()), ..turn.clone() };
        used += tokens(&turn.question) + tokens(&turn.answer) + TURN_OVERHEAD;
        if used > room {
            break;
        }
        recent.push(turn);
    }
    recent.reverse();
    recent
}

/// The kinds of secrets that were replaced in a text, counted.
pub(crate) fn replaced(text: &str) -> BTreeMap<String, usize> {
    let mut findings = BTreeMap::new();
    for (at, mark) in text.match_indices("[REDACTED_") {
        if let Some(end) = text[at..].find(']') {
            *findings.entry(text[at + mark.len()..at + end].to_owned()).or_default() += 1;
        }
    }
    findings
}
