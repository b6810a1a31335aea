//! The changes of one author: `what did Ada Lovelace change last`.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs,
            history::{FORMAT, MAX_COMMITS, parsed, table},
            in_words,
        },
        reading::{
            forms::QuestionIntent,
            plan::{PlannedFile, Understood},
            words::{QuestionWord, Shape, is_in},
        },
    },
    query::words::{count, shell_word},
    store::error::StoreError,
};

/// Words by which a question speaks of what somebody changed.
const CHANGING: &str = "add added author authored change changed changes commit commits committed contribute contributed \
     contribution contributions did do done edit edited fix fixed introduce introduced remove removed touch touched work worked \
     write written wrote";
/// Files of a commit that a headline names.
const MAX_NAMED: usize = 3;

/// Answers with the commits of the author whom a question names; `None` where it names none.
#[expect(clippy::unnecessary_wraps, reason = "stands in a table of functions that may fail")]
pub(in crate::ask::answer) fn of_author(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let is_changed = words.iter().any(|word| is_in(CHANGING, &word.lower()));
    // A name has a capital letter, and it does not begin the sentence.
    let is_named = words.iter().skip(1).any(|word| word.text.starts_with(char::is_uppercase));
    if !is_changed || !is_named {
        return Ok(None);
    }
    let Some(named) = author(reading, words) else { return Ok(None) };
    let (author, note) = match named {
        Ok(found) => found,
        Err(name) => {
            let plan = understood.clone().read_as(QuestionIntent::History).plan;
            let mut answer = Answer::new(plan, format!("no author of a commit is called `{name}`"));
            "git shortlog -s -n HEAD".clone_into(&mut answer.command);
            return Ok(Some(answer));
        }
    };
    let files = understood.plan.files.iter().filter(|file| !file.paths.is_empty());
    let mut paths: Vec<String> = files.flat_map(PlannedFile::patterns).collect();
    paths.extend(understood.targets.iter().map(|target| target.main().path.clone()));
    paths.dedup();
    let mut plan = understood.clone().read_as(QuestionIntent::History).plan;
    plan.unknown.retain(|unknown| !author.contains(&unknown.mention));
    plan.notes.extend(note);
    let mut answer = Answer::new(plan, String::new());
    let by = format!("--author={author} <");
    let behind = || std::iter::once("--").chain(paths.iter().map(String::as_str));
    let log = ["log", "--fixed-strings", &by, FORMAT, "--date=short"].into_iter().chain(behind());
    let found = (reading.git)(&log.collect::<Vec<_>>()).map(|text| parsed(&text)).unwrap_or_default();
    let limit = if paths.is_empty() { String::new() } else { format!(" -- {}", paths.join(" ")) };
    let place = if paths.is_empty() { String::new() } else { format!(" in {}", in_words(&paths)) };
    answer.command = format!("git log --fixed-strings --author={} -n {MAX_COMMITS}{limit}", shell_word(&author));
    answer.headline = match found.first() {
        None => format!("{author} changed nothing{place}, as far as git knows"),
        Some([id, date, _, subject]) => {
            let touched =
                (reading.git)(&["show", "--format=", "--name-only", "-m", "--first-parent", id]).unwrap_or_default();
            let touched: Vec<String> = touched.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
            let more = touched.len().saturating_sub(MAX_NAMED);
            let named = touched.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
            let named = if more > 0 { format!("{named} and {more} more") } else { named };
            let changed = if touched.is_empty() { String::new() } else { format!(", which changed {named}") };
            let commits = count(found.len(), "commit");
            format!("{author} has {commits}{place}; the last is of {date}: {subject} ({id}){changed}")
        }
    };
    table(format!("commits of {author}{place}, the newest first"), found, &mut answer);
    Ok(Some(answer))
}

/// The author whom a question names, and a note where it gives only a part of the name; `Err` has the name of one who
/// is unknown.
fn author(reading: AnswerInputs, words: &[QuestionWord]) -> Option<Result<(String, Option<String>), String>> {
    let lower: Vec<String> = words.iter().map(QuestionWord::lower).collect();
    let counted = (reading.git)(&["shortlog", "-s", "-n", "HEAD"])?;
    let authors: Vec<&str> = counted.lines().filter_map(|line| Some(line.trim().split_once('\t')?.1)).collect();
    let parts = |author: &str| author.split_whitespace().map(str::to_lowercase).collect::<Vec<String>>();
    let is_whole = |author: &&&str| {
        let parts = parts(author);
        // One word alone may be anything.
        parts.len() > 1 && lower.windows(parts.len()).any(|words| words == parts)
    };
    if let Some(author) = authors.iter().find(is_whole) {
        return Some(Ok(((*author).to_owned(), None)));
    }
    // `what did Ada change`, `commits by Ada`
    let is_doer =
        |at: &usize| is_in("by did has", &lower[at - 1]) && words[*at].shape == Shape::Capitalized && lower[*at] != "i";
    let first = (1..words.len()).find(is_doer)?;
    let mut alike = authors.iter().filter(|author| parts(author).contains(&lower[first]));
    if let Some(author) = alike.next() {
        let note = match alike.count() {
            0 => format!("`{}` is taken for {author}", words[first].text),
            more => {
                format!("`{}` is taken for {author}; {} of that name", words[first].text, count(more, "more author"))
            }
        };
        return Some(Ok(((*author).to_owned(), (parts(author).len() > 1).then_some(note))));
    }
    // Of one word the question may say something else.
    let last = words.get(first + 1).filter(|word| word.shape == Shape::Capitalized)?;
    Some(Err(format!("{} {}", words[first].text, last.text)))
}
