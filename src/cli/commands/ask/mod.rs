//! `repoidx ask`.

pub(crate) mod compose;
mod conversation;
pub(crate) mod measure;
mod parts;
pub(crate) mod provider;
pub(crate) mod reply;
mod research;
mod review;
pub(crate) mod several;
mod turn;
mod verdict;

use std::io::{self, Read};

use clap::{Args, ValueEnum};

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ChangedSince, SearchFor, Snippet, answer,
            changes::own::{NotReviewed, Reviewing},
            survey::PART_OF_ANSWER,
        },
        privacy::Privacy,
        reading::{
            forms::QuestionIntent,
            plan::{Hints, Understood},
            understand::understand,
        },
    },
    cli::{
        Global,
        commands::{
            ask::conversation::{EarlierTurn, Turns},
            review::{reviewed, usual_options},
            status::sent_so_far,
        },
        compared::no_range,
        embedding,
        notes::Notes,
        session::Session,
        size::Size,
        target::resolve,
        values::positive,
    },
    error::Failure,
    query::{impact::walk::Limits, source::Sources, words::count},
    render::{answer as render_answer, json, to_stdout, words::argument},
    review::{Range, ReviewReport, ReviewedChange, definitions_since},
    tools::{self, exclusions_of},
};

/// Longest question that is read, in bytes.
const MAX_QUESTION: u64 = 1 << 20;

/// Answer a question about the code, from the index first
///
/// Answers from the index and without a language model: who calls, which classes derive, which methods exist, what
/// breaks, which path leads, which tests run. With a provider, a model explains the findings of the index within a
/// budget of tokens; its citations are checked. Nothing is sent unless you chose a provider.
#[derive(Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AskArgs {
    /// The question; `-` reads it from standard input
    #[arg(required_unless_present_any = ["interactive", "review"])]
    question: Vec<String>,
    /// Print how the question was understood, and answer nothing; with --provider, a model's verdict on it as well
    #[arg(long)]
    plan: bool,
    /// Read the question in this way: usage, impact, tests, path, select and others; `--plan` names them
    #[arg(long = "as", value_name = "READING", value_parser = reading)]
    reading: Option<QuestionIntent>,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: AskFormat,
    /// Answer from the index alone, whatever provider is set
    #[arg(long, conflicts_with_all = ["provider", "dry_run"])]
    no_llm: bool,
    /// Ask a language model: openai (and compatible services), anthropic, ollama, command, or local [default: none]
    #[arg(long, value_name = "NAME")]
    provider: Option<provider::Name>,
    /// The model's name; for local the path of its GGUF file
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The provider's address
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The program that provider `command` pipes the prompt to, such as 'claude -p' or 'llm'
    #[arg(long, value_name = "COMMAND")]
    llm_command: Option<String>,
    /// Allow plain http to another machine than this one
    #[arg(long)]
    allow_http: bool,
    /// Let the model answer from the prompt alone, without looking things up
    #[arg(long)]
    no_tools: bool,
    /// Print the exact bytes that would be sent, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// At most about N tokens [default: about 40 lines; 6000 tokens for a prompt]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(50..))]
    tokens: Option<u32>,
    /// Also tell, beside a prompt, how much of it the headers of its pieces take
    #[arg(long, conflicts_with_all = ["plan", "interactive", "review"])]
    stats: bool,
    /// Ask about these lines
    #[arg(long, value_name = "FILE:FIRST-LAST")]
    select: Option<String>,
    /// Have a model judge a change by the findings of `review`: A..B, A...B, or A; without it, the commits to be pushed
    #[arg(long, value_name = "RANGE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    #[arg(conflicts_with_all = ["plan", "interactive", "select"])]
    review: Option<String>,
    /// The part of an outline of the whole repository to print; a prompt has as many as its budget needs
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive::<u32>)]
    part: u32,
    /// Ask question after question
    #[arg(short, long, conflicts_with_all = ["plan", "dry_run"])]
    interactive: bool,
    /// Keep the conversation under this name, and go on with it
    #[arg(long, value_name = "NAME", value_parser = conversation::name)]
    session: Option<String>,
    /// Show everything, not just about a screen
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum AskFormat {
    /// For people
    #[default]
    Text,
    /// For programs, with everything
    Json,
    /// For documents
    Markdown,
    /// The prompt for a language model, to be piped to one
    Prompt,
}

const EXAMPLES: &str = "\
Examples:
  repoidx ask 'who calls Cart.add?'
  repoidx ask 'What classes are derived from the Chain class?'
  repoidx ask 'what happens if I change the parameter depth of walk?'
  repoidx ask 'how does Order.summary depend on round_price?'
  repoidx ask --provider ollama --model qwen3 'explain Order.summary'
  repoidx ask --provider command --llm-command 'claude -p' 'write unit tests for Cart.add'
  repoidx ask --provider ollama --model qwen3 --review=main...HEAD
  repoidx ask --format prompt 'explain Order.summary' | llm";

/// Everything that an answer needs, opened once.
pub(crate) struct Asking<'a> {
    args: &'a AskArgs,
    session: &'a Session,
    sources: Sources<'a>,
    search: &'a SearchFor<'a>,
    limits: Limits,
    git: Box<dyn Fn(&[&str]) -> Option<String> + 'a>,
    changed: Box<ChangedSince<'a>>,
    reviewed: Box<Reviewing<'a>>,
    privacy: Box<dyn Fn() -> Privacy + 'a>,
    notes: Notes,
    /// Number of parts that share the budget of a prompt.
    parts: usize,
}

pub(crate) fn run(args: &AskArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let repositories = global.each();
    if repositories.len() > 1 {
        return several::run(args, &repositories, notes);
    }
    let mut session = Session::open(global, notes)?;
    args.withhold(&mut session)?;
    Size { all: args.all, tokens: args.tokens }.apply(&mut session);
    // Loading an embedding model takes seconds, so only questions without another answer cause it.
    let search: &SearchFor =
        &|question, options| embedding::ready(&session, true)?.searcher(&session.store)?.search(question, options);
    let asking = Asking::of(args, &session, search, notes);
    // Conversations and reviews make answers of their own.
    if args.interactive {
        return conversation::run(&asking);
    }
    if let Some(range) = &args.review {
        return review::run(&asking, range, &args.question);
    }
    let question = question(args)?;
    let mut turns = Turns::open(&session, args.session.as_deref())?;
    let earlier = earlier(&asking, &turns)?;
    let (mut understood, mut answer) = asking.answer(&question, earlier)?;
    if args.plan {
        let judged = verdict::judge(&asking, &mut understood.plan);
        to_stdout(|out| match args.format {
            AskFormat::Json => json::document(out, &understood.plan, &session.screen),
            _ => render_answer::plan(out, &understood.plan, &session.screen),
        })
        .map_err(Failure::from)?;
        return judged;
    }
    if !args.is_for_model(&session) {
        check_part(args.part, &answer, &question)?;
    }
    select(&asking, &mut answer)?;
    reply::give(&asking, &question, &answer, &mut turns)
}

impl AskArgs {
    /// Withholds the source of ignored files where the answer goes to a language model.
    fn withhold(&self, session: &mut Session) -> Result<(), Failure> {
        if self.is_for_model(session) { session.withhold() } else { Ok(()) }
    }

    /// Whether the answer goes to a language model.
    fn is_for_model(&self, session: &Session) -> bool {
        let chosen = self.provider.is_some() || !["", "none"].contains(&session.config.text("provider"));
        self.format == AskFormat::Prompt || self.dry_run || (chosen && !self.no_llm)
    }
}

impl<'a> Asking<'a> {
    fn of(args: &'a AskArgs, session: &'a Session, search: &'a SearchFor<'a>, notes: Notes) -> Self {
        let limits = tools::limits(&session.config);
        let limits = if args.format == AskFormat::Prompt { limits.for_prompt() } else { limits };
        let git = Box::new(|arguments: &[&str]| session.repo.ask_git(arguments).ok().flatten());
        let changed = Box::new(|base: &str| definitions_since(&session.repo, &session.store, base));
        let is_for_model = args.is_for_model(session);
        let reviewed = Box::new(move |change: &ReviewedChange| own_review(session, change, is_for_model, notes));
        let privacy = Box::new(|| {
            let sent = Some(sent_so_far(&session.repo));
            Privacy { sent, ..tools::opening::privacy::privacy(&session.repo, &session.store, &session.config) }
        });
        let sources = session.sources();
        Asking { args, session, sources, search, limits, git, changed, reviewed, privacy, notes, parts: 1 }
    }

    fn reading(&self) -> AnswerInputs<'_> {
        // A prompt has parts by its budget, so it needs the whole outline.
        let part = if self.args.is_for_model(self.session) { None } else { Some(self.args.part as usize) };
        AnswerInputs {
            store: &self.session.store,
            sources: &self.sources,
            search: self.search,
            limits: &self.limits,
            git: &self.git,
            changed: &self.changed,
            reviewed: &self.reviewed,
            privacy: &self.privacy,
            part,
        }
    }

    /// Understands the question and answers it from the index.
    fn answer(&self, question: &str, earlier: EarlierTurn) -> Result<(Understood, Answer), Failure> {
        let EarlierTurn { subjects: about, conversation } = earlier;
        let is_selected = self.args.select.is_some();
        let hints = Hints { folder: self.session.folder.clone(), about, listed: Vec::new(), conversation, is_selected };
        let reading = self.reading();
        let mut understood = understand(reading.store, reading.sources, question, &hints)?;
        if let Some(intent) = self.args.reading {
            understood = understood.read_as(intent);
            understood.second = None;
        }
        let mut answer =
            if self.args.plan { Answer::new(understood.plan.clone(), "") } else { answer(reading, &understood)? };
        // An answer from an old index must say so.
        if let Some(boundary) = &self.session.staleness {
            answer.bound(crate::query::impact::completeness::Completeness::LowerBound, [boundary.clone()]);
        }
        Ok((understood, answer))
    }
}

/// The review of a change of the user's own, without the lines that an ignore file keeps from a language model.
fn own_review(
    session: &Session,
    change: &ReviewedChange,
    is_for_model: bool,
    notes: Notes,
) -> Result<ReviewReport, NotReviewed> {
    let missing = |failure: Failure| NotReviewed { message: failure.message, hint: failure.hint };
    let range = Range::of(&session.repo, change).map_err(|error| missing(no_range(&session.repo, error)))?;
    let mut report = reviewed(session, &range, &usual_options(&session.config), notes).map_err(missing)?.report;
    if is_for_model {
        let exclusions = exclusions_of(&session.repo);
        report.withhold(&|path| exclusions.has(path));
    }
    Ok(report)
}

/// Refuses a part that the answer does not have.
fn check_part(part: u32, answer: &Answer, question: &str) -> Result<(), Failure> {
    let parts =
        answer.boundaries.iter().find(|boundary| boundary.kind == PART_OF_ANSWER).map_or(1, |boundary| boundary.count);
    if part as usize <= parts {
        return Ok(());
    }
    let message = format!("there is no part {part}: this answer has {}", count(parts, "part"));
    Err(Failure::usage(message, format!("repoidx ask --part {parts} {}", argument(question))))
}

/// The reading with this word.
fn reading(word: &str) -> Result<QuestionIntent, String> {
    QuestionIntent::of(word).ok_or_else(|| {
        let words: Vec<&str> = QuestionIntent::ALL.iter().map(|intent| intent.as_str()).collect();
        format!("one of {}", words.join(", "))
    })
}

fn question(args: &AskArgs) -> Result<String, Failure> {
    let mut text = args.question.join(" ");
    if text == "-" {
        text.clear();
        io::stdin().lock().take(MAX_QUESTION).read_to_string(&mut text).map_err(|error| {
            Failure::usage(format!("reading the question: {error}"), "the question must be text in UTF-8")
        })?;
    }
    let text = text.trim().to_owned();
    if text.is_empty() {
        return Err(Failure::usage("the question is empty", "repoidx ask 'who calls NAME?'"));
    }
    Ok(text)
}

/// The definitions besides those that the question names.
fn earlier(asking: &Asking, turns: &Turns) -> Result<EarlierTurn, Failure> {
    match &asking.args.select {
        Some(place) => {
            let subjects = vec![resolve(asking.session, selected(place).0, "ask --select")?];
            Ok(EarlierTurn { subjects, ..EarlierTurn::default() })
        }
        None => turns.earlier(&asking.session.store),
    }
}

/// Splits `file.py:3-9` into a place that can be looked up and its last line.
fn selected(place: &str) -> (&str, Option<u32>) {
    match place.rsplit_once('-') {
        Some((head, last)) if last.parse::<u32>().is_ok() && head.contains(':') => (head, last.parse().ok()),
        _ => (place, None),
    }
}

/// Puts the selected lines first in the answer.
fn select(asking: &Asking, answer: &mut Answer) -> Result<(), Failure> {
    let Some(place) = &asking.args.select else { return Ok(()) };
    let (head, last) = selected(place);
    let first = head.rsplit_once(':').and_then(|(_, line)| line.parse::<u32>().ok());
    let target = resolve(asking.session, head, "ask --select")?;
    let entity = target.main();
    let Some(start_line) = first else { return Ok(()) };
    let end_line = last.unwrap_or(start_line).max(start_line);
    answer.plan.notes.push(format!("the question is about {}:{start_line}-{end_line}", entity.path));
    let text = asking.sources.shown_lines(&entity.path, start_line, end_line);
    let (name, kind, path) = ("selected".to_owned(), entity.record.kind, entity.path.clone());
    answer.blocks.insert(0, AnswerBlock::Source(Snippet { name, kind, path, start_line, end_line, text }));
    Ok(())
}
