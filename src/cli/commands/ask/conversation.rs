//! Conversations: question after question, with turns that are kept under a name.
//!
//! Questions come from standard input, and a session's file lies inside the git directory. Ctrl-C ends an answer, not
//! the conversation. Kept turns have passed the guard, so they hold no secrets.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, BufRead, IsTerminal, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::{
    ask::reading::follow_up::turns::{Conversation, ConversationTurn},
    cli::{
        commands::ask::{Asking, compose::compose, measure::Measure, provider::provider, reply, turn::turn},
        notes::Notes,
        session::Session,
    },
    error::{Failure, FailureKind},
    llm::Provider,
    query::target::{Target, TargetMatch, look_up},
    render::{answer as render_answer, to_stdout},
    store::Store,
};

/// Turns of a session that are read; older ones only stay in the file.
const MAX_TURNS: usize = 50;
/// Largest session file that is read, in bytes.
const MAX_FILE: u64 = 8 << 20;
/// Longest name of a session, in bytes.
const MAX_NAME: usize = 64;
/// Exit code of a program that Ctrl-C ends: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;
/// Longest line that is read, in bytes.
const MAX_LINE: usize = 1 << 16;

/// The definitions and turns that a question can go on with.
#[derive(Debug, Default)]
pub(crate) struct EarlierTurn {
    /// The subjects of the last question, or a selected place.
    pub(crate) subjects: Vec<Target>,
    pub(crate) conversation: Conversation,
}

/// The turns of a conversation, kept if it has a name.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    turns: Vec<ConversationTurn>,
    file: Option<PathBuf>,
}

/// Accepts names that can be file names.
pub(crate) fn name(text: &str) -> Result<String, String> {
    let is_plain = !text.is_empty()
        && text.len() <= MAX_NAME
        && !text.starts_with(['.', '-'])
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    if is_plain {
        Ok(text.to_owned())
    } else {
        Err(format!("a name has letters, digits, `_`, `-` and `.`, at most {MAX_NAME}"))
    }
}

impl Turns {
    /// The turns of the session `name`; none without a name.
    pub(crate) fn open(session: &Session, name: Option<&str>) -> Result<Self, Failure> {
        let Some(name) = name else { return Ok(Self::default()) };
        let folder = session.repo.data_dir().join("sessions");
        let file = folder.join(format!("{name}.jsonl"));
        let failed =
            |error: io::Error| Failure::unusable(format!("the session `{name}`: {error}"), "choose another --session");
        let text = match fs::metadata(&file) {
            Ok(metadata) if metadata.len() > MAX_FILE => return Err(failed(io::Error::other("it has grown too long"))),
            Ok(_) => fs::read_to_string(&file).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        // A crash may have cut a line short; only that turn is lost.
        let mut turns: Vec<ConversationTurn> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        turns.drain(..turns.len().saturating_sub(MAX_TURNS));
        Ok(Self { turns, file: Some(file) })
    }

    pub(crate) fn list(&self) -> &[ConversationTurn] {
        &self.turns
    }

    /// Remembers a turn, in the session's file too.
    pub(crate) fn add(&mut self, turn: ConversationTurn) -> Result<(), Failure> {
        if let Some(file) = &self.file {
            let failed =
                |error: io::Error| Failure::unusable(format!("keeping the session: {error}"), "ask without --session");
            let line = serde_json::to_string(&turn)? + "\n";
            appended(file).and_then(|mut file| file.write_all(line.as_bytes())).map_err(failed)?;
        }
        self.turns.push(turn);
        Ok(())
    }

    /// The turns that a question can go on with, and the subjects of the last one as far as they still exist.
    pub(crate) fn earlier(&self, store: &Store) -> Result<EarlierTurn, Failure> {
        let conversation = Conversation { turns: self.turns.clone() };
        let mut subjects = Vec::new();
        for name in conversation.with_subjects().map_or(&[][..], |turn| &turn.subjects) {
            if let TargetMatch::Found(target) = look_up(store, name, "")? {
                subjects.push(target);
            }
        }
        Ok(EarlierTurn { subjects, conversation })
    }
}

/// Opens a file for appending that only its owner can read.
fn appended(file: &PathBuf) -> io::Result<File> {
    if let Some(folder) = file.parent() {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(folder)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Not through a link: somebody else may have planted one in a shared repository.
        options.mode(0o600).custom_flags(libc::O_NOFOLLOW);
    }
    options.open(file)
}

/// Answers line after line.
pub(crate) fn run(asking: &Asking) -> Result<(), Failure> {
    let mut turns = Turns::open(asking.session, asking.args.session.as_deref())?;
    let provider = provider(asking.args, &asking.session.repo, &asking.session.config)?;
    if let Some(provider) = &provider {
        reply::announce(asking, provider);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let is_answering = Arc::new(AtomicBool::new(false));
    on_interrupt(&stop, &is_answering, asking.notes);
    let mut pending = (!asking.args.question.is_empty()).then(|| asking.args.question.join(" "));
    loop {
        let line = match pending.take() {
            Some(line) => line,
            None => match next_line()? {
                Some(line) => line,
                None => return Ok(()),
            },
        };
        match line.trim() {
            "" => {}
            "exit" | "quit" | ":q" | ":quit" | ":exit" => return Ok(()),
            ":forget" => {
                turns.turns.clear();
            }
            ":help" => {
                asking.notes.summary("type a question; `it` means the subject of the last one; :forget, :quit");
            }
            question => {
                // A stop that came after the last answer must not end the next one.
                stop.store(false, Ordering::SeqCst);
                is_answering.store(true, Ordering::SeqCst);
                let done = one(asking, provider.as_ref(), question, &mut turns, &stop);
                is_answering.store(false, Ordering::SeqCst);
                match done {
                    // Nobody reads the answers any more.
                    Err(failure) if failure.kind == FailureKind::BrokenPipe => return Err(failure),
                    // One bad question does not end the conversation.
                    Err(failure) => Notes::failure(&failure),
                    Ok(()) => {}
                }
            }
        }
    }
}

/// Answers one question of a conversation.
fn one(
    asking: &Asking,
    provider: Option<&Provider>,
    question: &str,
    turns: &mut Turns,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let earlier = turns.earlier(&asking.session.store)?;
    let (_, answer) = asking.answer(question, earlier)?;
    let Some(provider) = provider else {
        reply::from_index(asking, &answer)?;
        to_stdout(|out| writeln!(out))?;
        turns.add(turn(&answer.headline, &answer))?;
        return Ok(());
    };
    let measure = Measure::of(&asking.session.config, Some(provider))?;
    let composed = compose(asking, question, &answer, turns.list(), &measure)?;
    match reply::by_model(asking, provider, &answer, &composed, stop) {
        Ok((text, _)) => {
            to_stdout(|out| writeln!(out))?;
            turns.add(turn(&text, &answer))
        }
        Err(error) => {
            to_stdout(|out| render_answer::text(out, &answer, &asking.session.screen))?;
            Err(reply::model_failure(error))
        }
    }
}

/// The next question; `None` at the end.
fn next_line() -> Result<Option<String>, Failure> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        let mut stderr = io::stderr();
        // Nobody may be reading standard error, which is no reason to stop.
        write!(stderr, "? ").and_then(|()| stderr.flush()).ok();
    }
    let mut line = Vec::new();
    let length = io::Read::take(stdin.lock(), MAX_LINE as u64).read_until(b'\n', &mut line)?;
    Ok((length > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// Lets Ctrl-C stop an answer; without one, it ends the program as usual.
fn on_interrupt(stop: &Arc<AtomicBool>, is_answering: &Arc<AtomicBool>, notes: Notes) {
    let (stop, is_answering) = (Arc::clone(stop), Arc::clone(is_answering));
    #[expect(clippy::exit, reason = "Ctrl-C does this to a program that does not catch it")]
    #[expect(clippy::disallowed_methods, reason = "Ctrl-C does this to a program that does not catch it")]
    let caught = ctrlc::set_handler(move || {
        if is_answering.load(Ordering::SeqCst) {
            stop.store(true, Ordering::SeqCst);
        } else {
            std::process::exit(INTERRUPTED);
        }
    });
    if caught.is_err() {
        notes.warning("Ctrl-C will end the conversation, not only an answer");
    }
}
