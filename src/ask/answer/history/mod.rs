//! Answers about the history: who changed a definition last, since when it stands there, and the git command for more.

pub(super) mod authors;
mod moves;
pub(super) mod versions;

use std::{cmp::Reverse, collections::BTreeMap};

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, AnswerTable, ListRow,
            history::moves::{FormerNames, LostFile},
            in_words, short_name,
        },
        reading::{
            forms::patterns::number,
            plan::{PlannedFile, Understood},
            words::{is_in, is_stop_word},
        },
    },
    model::{EntityKind, EntityRecord},
    query::{
        impact::completeness::{Boundary, Completeness},
        target::{filter::Filter, likeliest::is_aside},
        words::{count, plural},
    },
    review::Edit,
    store::error::StoreError,
    texts::secrets::prose_without_secrets,
};

/// Commits that are shown, and files whose history is.
const MAX_COMMITS: usize = 12;
const MAX_FILES: usize = 3;
/// Moves of a definition that are followed back.
const MAX_MOVES: usize = 12;
/// Former names of files that are named.
const MAX_FORMER: usize = 3;
/// Commits that are shown of one file.
const MAX_OF_FILE: usize = 10;
/// Id, date, author and subject, with tabs between.
const FORMAT: &str = "--format=%h%x09%ad%x09%an%x09%s";

/// A commit as git tells it: id, date, author, subject.
type CommitLine = [String; 4];

/// Answers who changed the subjects and when, and where they began if that is asked.
pub fn history(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let (mut commands, mut headlines) = (Vec::new(), Vec::new());
    let asks = |words: &str| understood.words.iter().any(|word| words.split(' ').any(|known| known == word));
    if understood.targets.is_empty() && understood.plan.files.is_empty() && asks("release released releases tag tags") {
        answer.headline = last_release(reading);
        "git tag --sort=-creatordate".clone_into(&mut answer.command);
        return Ok(answer);
    }
    let asked = match (asks("last latest lately recently newest"), asks("main most")) {
        (true, _) => OfFile::Last,
        (_, true) => OfFile::Author,
        _ => OfFile::Begin,
    };
    let asks_for_begin = asks("when since wrote written introduced added authored created author authors old born");
    for target in &understood.targets {
        let main = target.main();
        answer.want(main, "asked about", true);
        if main.record.kind == EntityKind::Module {
            commands.push(of_file(reading, &main.path, asked, &mut answer, &mut headlines));
            continue;
        }
        // Overloads and the definition that implements them are one.
        let (first, last) = (main.record.start_line, target.implementation().record.end_line);
        let name = short_name(main);
        commands.push(format!("git log -L {first},{last}:{}", main.path));
        let found = last_commits(reading, first, last, &main.path);
        if let Some([id, date, author, subject]) = found.first() {
            headlines.push(format!("`{name}` was last changed by {author} on {date}: {subject} ({id})"));
        }
        if asks_for_begin {
            let begins = beginning(&main.record);
            let origin = origin(reading, &begins, &main.path);
            if let Some(Beginning { commit: [id, date, author, subject], path, moves, since }) = origin {
                let moved = match moves {
                    0 => String::new(),
                    moves => {
                        format!(", then in {path}; {} brought it to {} on {since}", count(moves, "move"), main.path)
                    }
                };
                let begin = format!("`{name}` stands in the code since {date}, by {author}: {subject} ({id}){moved}");
                headlines.insert(0, begin);
            }
            commands.push(format!("git log --reverse --pickaxe-regex -S'{begins}'"));
        }
        table(format!("commits of the lines of `{name}`"), found, &mut answer);
    }
    for folder in understood.plan.files.iter().filter(|file| file.is_folder) {
        let paths = folder.patterns();
        let (headline, command) = changed(reading, None, &paths, &mut answer);
        headlines.extend(headline);
        commands.push(command);
    }
    let files = understood.plan.files.iter().filter(|file| !file.is_folder);
    for path in files.flat_map(|file| &file.paths).take(MAX_FILES) {
        commands.push(of_file(reading, path, asked, &mut answer, &mut headlines));
    }
    for text in understood.plan.parameters.iter().chain(understood.plan.unknown.iter().map(|name| &name.mention)) {
        if understood.targets.is_empty() && understood.plan.files.is_empty() {
            commands.push(of_text(reading, text, &mut answer, &mut headlines));
        }
    }
    if let Some(mention) = no_such_file(understood) {
        return Ok(of_lost_file(reading, understood, mention));
    }
    if commands.is_empty()
        && asked == OfFile::Author
        && let Some((headline, command)) = main_authors(reading, &mut answer)
    {
        headlines.push(headline);
        commands.push(command);
    }
    if commands.is_empty()
        && let Some((headline, command)) = described(reading, understood, &mut answer)
    {
        headlines.push(headline);
        commands.push(command);
    }
    if commands.is_empty() {
        commands.push("git log --oneline".to_owned());
        let whole = changed(reading, None, &[], &mut answer).0;
        headlines.extend(whole.map(|whole| match unread(understood).as_slice() {
            [] => whole,
            words => format!(
                "{} {} not understood; without it: {whole}",
                in_words(words),
                if words.len() == 1 { "is" } else { "are" }
            ),
        }));
    }
    if (reading.git)(&["rev-parse", "--is-shallow-repository"]).as_deref() == Some("true") {
        let message =
            "this clone is shallow: older commits are not here, so the oldest one may stand for them".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("shallow", 1, message)]);
    }
    if headlines.is_empty() {
        headlines.push(format!("git tells the history: `{}`", commands.join("`, `")));
    }
    answer.headline = headlines.join("; ");
    answer.command = commands.join("; ");
    Ok(answer)
}

/// The first commit that has a definition, as far as it can be followed.
pub(super) fn begin_of_definition(reading: AnswerInputs, record: &EntityRecord, path: &str) -> Option<CommitLine> {
    origin(reading, &beginning(record), path).map(|origin| origin.commit)
}

/// The first commit of a file, over its renames.
pub(super) fn begin_of_file(reading: AnswerInputs, path: &str) -> Option<CommitLine> {
    let log = (reading.git)(&["log", "--follow", FORMAT, "--date=short", "--", path])?;
    parsed(&log).pop()
}

/// Whether one commit is an ancestor of another.
pub(super) fn is_before(reading: AnswerInputs, first: &str, second: &str) -> bool {
    (reading.git)(&["merge-base", "--is-ancestor", first, second]).is_some()
}

/// The regular expression, as git reads it, of the head of a definition.
fn beginning(record: &EntityRecord) -> String {
    let name = &record.name;
    match record.kind {
        EntityKind::Class => format!("class {name} *[(:[]"),
        EntityKind::Variable => format!("(^|[^_[:alnum:]]){name} *[=:]"),
        _ => format!("def {name} *[([]"),
    }
}

/// The commit that brought a definition, as far as its head can be followed from file to file.
struct Beginning {
    commit: CommitLine,
    /// The file in which it stood first, the moves since then, and the date of the last one.
    path: String,
    moves: usize,
    since: String,
}

/// Follows the head of a definition back to the first commit that has it. A commit that adds it to one file and takes
/// it from another moved it.
fn origin(reading: AnswerInputs, begins: &str, path: &str) -> Option<Beginning> {
    let pattern = format!("-S{begins}");
    let mut found: Option<Beginning> = None;
    let (mut path, mut revision) = (path.to_owned(), "HEAD".to_owned());
    for moves in 0..MAX_MOVES {
        let log = ["log", "--reverse", FORMAT, "--date=short", "--pickaxe-regex", &pattern, &revision, "--", &path];
        let commits = (reading.git)(&log).map(|text| parsed(&text)).unwrap_or_default();
        let Some(commit) = commits.into_iter().next() else { break };
        let [id, date, ..] = commit.clone();
        let since = found.take().map_or(date, |origin| origin.since);
        found = Some(Beginning { commit, path: path.clone(), moves, since });
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        // The file that lost it in this commit or, where it was gone for a while, in the last one before.
        let before = format!("{id}^");
        let mut lost = lost_by(reading, begins, &id);
        if lost.is_empty() && (reading.git)(&["grep", "-q", "-E", "-e", begins, &before, "--", "*.py"]).is_none() {
            let last = ["log", "-n", "1", "--format=%h", "--pickaxe-regex", &pattern, &before, "--", "*.py"];
            let last = (reading.git)(&last).unwrap_or_default();
            lost = if last.trim().is_empty() { lost } else { lost_by(reading, begins, last.trim()) };
        }
        let Some((before, source)) = lost.into_iter().min_by_key(|(_, other)| !other.ends_with(&name)) else { break };
        (path, revision) = (source, before);
    }
    found
}

/// The files from which a commit takes the head of a definition altogether, each with the revision before it.
fn lost_by(reading: AnswerInputs, begins: &str, id: &str) -> Vec<(String, String)> {
    let pattern = format!("-S{begins}");
    let before = format!("{id}^");
    let holds =
        |revision: &str, path: &str| (reading.git)(&["grep", "-q", "-E", "-e", begins, revision, "--", path]).is_some();
    let touched = ["diff-tree", "--no-renames", "--no-commit-id", "-r", "--name-only", "--pickaxe-regex", &pattern, id];
    let touched = (reading.git)(&touched).unwrap_or_default();
    let lost = touched.lines().filter(|path| holds(&before, path) && !holds(id, path));
    lost.map(|path| (before.clone(), path.to_owned())).collect()
}

/// Tells who has most commits.
fn main_authors(reading: AnswerInputs, answer: &mut Answer) -> Option<(String, String)> {
    let counted = (reading.git)(&["shortlog", "-s", "-n", "HEAD"])?;
    let rows: Vec<Vec<String>> = counted
        .lines()
        .filter_map(|line| line.trim().split_once('\t'))
        .map(|(commits, author)| vec![author.to_owned(), commits.to_owned()])
        .collect();
    let first = rows.first()?;
    let all: usize = rows.iter().filter_map(|row| row[1].parse::<usize>().ok()).sum();
    let headline =
        format!("{} has {} of {}, of {}", first[0], first[1], count(all, "commit"), count(rows.len(), "author"));
    let columns = ["author", "commits"].map(str::to_owned).to_vec();
    let rows = rows.into_iter().take(MAX_COMMITS).collect();
    answer.blocks.push(AnswerBlock::Table(AnswerTable { title: "authors".to_owned(), columns, rows }));
    Some((headline, "git shortlog -s -n HEAD".to_owned()))
}

/// The words of a question about the whole history that ask for a part of it: a branch, one's own work, a name.
fn unread(understood: &Understood) -> Vec<String> {
    const OF_PARTS: &str = "branch compared current different difference edit edits file files head i line lines list main master me message \
         modified my not our pr request signature staged upstream we what's working worktree";
    let is_part = |word: &&String| is_in(OF_PARTS, word) || word.contains(['_', '.', '/']);
    understood.words.iter().filter(is_part).map(|word| format!("`{word}`")).collect()
}

/// Words of questions about the history that describe no part of it.
const OF_HISTORY: &str = "added author authored authors blame born brought commit commits committed committer contributor \
     contributors contributed date day days first git history introduced invented landed lately latest log main month months \
     newest old older oldest originally recent recently release released since tag time today touched version week weeks when \
     who whose worked wrote written year years yesterday";

/// Tells the commits whose messages have all the words of a question that names nothing; `None` where it describes
/// nothing either.
fn described(reading: AnswerInputs, understood: &Understood, answer: &mut Answer) -> Option<(String, String)> {
    let is_of_history = |word: &String| OF_HISTORY.split_whitespace().any(|known| known == word);
    let is_said = |word: &&String| {
        !is_stop_word(word) && !is_of_history(word) && number(word).is_none() && word.chars().all(char::is_alphanumeric)
    };
    let words: Vec<&String> = understood.words.iter().filter(is_said).collect();
    if words.is_empty() {
        return None;
    }
    let said = words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
    let not_known = format!("the history of `{said}` is not known: the words name no definition here");
    let (mut messages, mut found) = (Vec::new(), Vec::new());
    let mut headline = format!("{not_known}, and no commit has them in its message");
    // The last words say most: `shell completion for fish`.
    for first in 0..words.len() {
        messages = words[first..].iter().map(|word| format!("--grep={word}")).collect::<Vec<String>>();
        let log = ["log", "--reverse", "-i", "--all-match", FORMAT, "--date=short"].into_iter();
        let log: Vec<&str> = log.chain(messages.iter().map(String::as_str)).collect();
        found = (reading.git)(&log).map(|text| parsed(&text)).unwrap_or_default();
        if let Some([id, date, author, subject]) = found.first() {
            let said = words[first..].iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
            let commits = count(found.len(), "commit");
            let have = if found.len() == 1 { "has" } else { "have" };
            headline = format!(
                "{not_known}; {commits} {have} `{said}` in the message, the first of {date}, by {author}: {subject} ({id})"
            );
            break;
        }
    }
    table("commits whose messages have the words, the oldest first".to_owned(), found, answer);
    Some((headline, format!("git log -i --all-match {}", messages.join(" "))))
}

/// The file that a question names and that is not here.
fn no_such_file(understood: &Understood) -> Option<&str> {
    let files = &understood.plan.files;
    let is_lost = understood.targets.is_empty() && files.iter().all(|file| file.paths.is_empty());
    files.first().filter(|_| is_lost).map(|file| file.mention.as_str())
}

/// Tells what became of a file that is not here.
fn of_lost_file(reading: AnswerInputs, understood: &Understood, mention: &str) -> Answer {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let Some(LostFile { path, commit, renamed }) = moves::lost_file(reading, mention) else {
        answer.headline = format!("the changes of `{mention}` are not known: no indexed file is called so");
        return answer;
    };
    let [id, date, author, subject] = commit;
    let by = format!("by {author} on {date}: {subject} ({id})");
    answer.headline = match &renamed {
        Some((to, now)) => {
            let now =
                now.as_ref().filter(|now| *now != to).map_or_else(String::new, |now| format!("; it is {now} now"));
            format!("{path} was renamed to {to} {by}{now}")
        }
        None => format!("{path} was removed {by}"),
    };
    let now = renamed.and_then(|(_, now)| now).unwrap_or(path);
    answer.command = of_file(reading, &now, OfFile::Begin, &mut answer, &mut Vec::new());
    answer
}

/// The commits that added or took away a text, wherever it stands.
fn of_text(reading: AnswerInputs, text: &str, answer: &mut Answer, headlines: &mut Vec<String>) -> String {
    let pattern = format!("-S{text}");
    let log = ["log", "--reverse", FORMAT, "--date=short", &pattern, "--", "*.py"];
    let found = (reading.git)(&log).map(|text| parsed(&text)).unwrap_or_default();
    if let Some([id, date, author, subject]) = found.first() {
        headlines.push(format!("`{text}` stands in Python code since {date}, by {author}: {subject} ({id})"));
    }
    table(format!("commits that add or remove `{text}`, the oldest first"), found, answer);
    format!("git log --reverse -S{text} -- '*.py'")
}

/// The part of a file's history that a question asks for, which is told first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OfFile {
    Begin,
    Last,
    Author,
}

/// Tells the history of a file, over its renames as the command does.
fn of_file(
    reading: AnswerInputs,
    path: &str,
    asked: OfFile,
    answer: &mut Answer,
    headlines: &mut Vec<String>,
) -> String {
    let log = (reading.git)(&["log", "--follow", FORMAT, "--date=short", "--", path]);
    let mut all = log.map(|text| parsed(&text)).unwrap_or_default();
    let mut told = Vec::new();
    if let Some([id, date, author, subject]) = all.last() {
        // A file that moved here is older than its name.
        let first = ["log", "--reverse", "--diff-filter=A", "--format=%h%x09%ad", "--date=short", "--", path];
        let first = (reading.git)(&first).unwrap_or_default();
        let named = first.lines().next().and_then(|line| line.split_once('\t'));
        let moved = named.filter(|(first, _)| *first != id.as_str());
        let moved = moved.map_or_else(String::new, |(_, date)| format!(", under this name since {date}"));
        told.push((OfFile::Begin, format!("{path} is there since {date}, by {author}: {subject} ({id}){moved}")));
    }
    if let Some([id, date, author, subject]) = all.first().filter(|_| asked == OfFile::Last) {
        told.push((OfFile::Last, format!("{path} was last changed by {author} on {date}: {subject} ({id})")));
    }
    let mut authors: BTreeMap<&str, usize> = BTreeMap::new();
    for [_, _, author, _] in &all {
        *authors.entry(author).or_default() += 1;
    }
    if let Some((author, most)) = authors.iter().max_by_key(|(author, commits)| (**commits, Reverse(**author)))
        && all.len() > 1
    {
        told.push((OfFile::Author, format!("{author} has {most} of its {}", count(all.len(), "commit"))));
    }
    told.sort_by_key(|(part, _)| *part != asked);
    headlines.extend(told.into_iter().map(|(_, text)| text));
    all.truncate(MAX_OF_FILE);
    table(format!("commits of {path}"), all, answer);
    format!("git log --follow --format='%h %ad %an %s' -- {path}")
}

/// Names the newest tag, by which most projects mark a release.
fn last_release(reading: AnswerInputs) -> String {
    const NEWEST: [&str; 5] = [
        "for-each-ref",
        "--sort=-creatordate",
        "--count=1",
        "--format=%(refname:short)%09%(creatordate:short)",
        "refs/tags",
    ];
    let found = (reading.git)(&NEWEST).unwrap_or_default();
    match found.trim().split_once('\t') {
        Some((tag, date)) => format!("the newest tag is {tag} of {date}"),
        None => "no tag marks a release".to_owned(),
    }
}

/// The commits that last changed the lines of a file, the newest first.
pub(super) fn last_commits(reading: AnswerInputs, first: u32, last: u32, path: &str) -> Vec<CommitLine> {
    let range = format!("-L{first},{last}");
    let Some(blamed) = (reading.git)(&["blame", "-s", "-l", &range, "--", path]) else { return Vec::new() };
    let id = |line: &str| line.split_whitespace().next().map(|id| id.trim_start_matches('^').to_owned());
    let mut ids: Vec<String> = blamed.lines().filter_map(id).filter(|id| !id.starts_with("00000000")).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Vec::new();
    }
    let mut log = vec!["log", "--no-walk", FORMAT, "--date=short"];
    log.extend(ids.iter().map(String::as_str));
    (reading.git)(&log).map(|text| parsed(&text)).unwrap_or_default()
}

fn parsed(log: &str) -> Vec<CommitLine> {
    let line = |line: &str| -> Option<CommitLine> {
        let cells: Vec<String> = line.splitn(4, '\t').map(|cell| prose_without_secrets(cell).into_owned()).collect();
        cells.try_into().ok()
    };
    log.lines().filter_map(line).collect()
}

pub(super) fn table(title: String, commits: Vec<CommitLine>, answer: &mut Answer) {
    if commits.is_empty() {
        return;
    }
    let columns = ["commit", "date", "author", "subject"].map(str::to_owned).to_vec();
    let rows = commits.into_iter().take(MAX_COMMITS).map(Vec::from).collect();
    answer.blocks.push(AnswerBlock::Table(AnswerTable { title, columns, rows }));
}

/// Answers what changed since a revision.
pub fn changes(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    if let Some(mention) = no_such_file(understood) {
        return Ok(of_lost_file(reading, understood, mention));
    }
    let files = understood.plan.files.iter().filter(|file| !file.paths.is_empty());
    let mut paths: Vec<String> = files.flat_map(PlannedFile::patterns).collect();
    paths.extend(understood.targets.iter().map(|target| target.main().path.clone()));
    paths.dedup();
    let date = understood.revision.as_deref().and_then(begin_of);
    // The history of everything is no answer to a question about one's own work.
    if paths.is_empty() && understood.revision.is_none() && speaks_of_own_work(&understood.words) {
        let message = "not understood as a question about your own changes; ask `what did I change`, `what do my \
                       changes break`, `which tests should I run` or `what will I push`";
        message.clone_into(&mut answer.headline);
        answer.completeness = Completeness::Unknown;
        "repoidx review".clone_into(&mut answer.command);
        return Ok(answer);
    }
    let is_since = understood.words.iter().any(|word| matches!(word.as_str(), "since" | "after"));
    let last = (understood.revision.is_none() && is_since && versions::names_last(&understood.words))
        .then(|| versions::newest_tag(reading))
        .flatten();
    let revision = understood.revision.as_ref().or(last.as_ref()).filter(|_| date.is_none());
    let recent = date.clone().map(Recent::Time).or_else(|| recent(&understood.words));
    let since = match (revision, &recent) {
        (Some(revision), _) => Some(revision.clone()),
        (None, Some(Recent::Commits(number))) => Some(format!("HEAD~{number}")),
        (None, Some(Recent::Time(time))) => {
            let before = (reading.git)(&["rev-list", "-1", "--abbrev-commit", &format!("--before={time}"), "HEAD"]);
            before.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty())
        }
        (None, None) => None,
    };
    if let Some(asked) = asked_kinds(&understood.words)
        && let Some(base) = &since
        && definitions(reading, base, asked, asked_fate(&understood.words).as_ref(), &paths, &mut answer)
    {
        answer.command = format!("repoidx review {base}..HEAD");
        return Ok(answer);
    }
    // A date is one of commits, wherever they were merged.
    let range = match &date {
        Some(date) => Some(format!("--since={date}")),
        None => since.as_ref().map(|revision| format!("{revision}..HEAD")),
    };
    if let (None, Some(Recent::Commits(number))) = (revision, &recent) {
        let (headline, command) = newest(reading, *number, &paths, &mut answer);
        if let Some(headline) = headline {
            answer.headline = headline;
            answer.command = format!("{command}; repoidx review HEAD~{number}..HEAD");
            return Ok(answer);
        }
    }
    let (headline, command) = changed(reading, range.as_deref(), &paths, &mut answer);
    answer.headline = match (&range, headline) {
        (_, Some(headline)) => headline,
        (Some(_), None) if matches!(recent, Some(Recent::Time(_))) => {
            let log = ["log", "-n", "1", "--format=%ad", "--date=short", "--"];
            let log: Vec<&str> = log.into_iter().chain(paths.iter().map(String::as_str)).collect();
            let last = (reading.git)(&log).unwrap_or_default();
            format!("no commit since then changed this: the last one is of {}", last.trim())
        }
        (Some(range), None) => format!("no commit in {range} changed this, or git does not know it: `{command}`"),
        (None, None) => format!("git tells no commits: `{command}`"),
    };
    answer.command = match &since {
        Some(since) => format!("{command}; repoidx review {since}..HEAD"),
        None => command,
    };
    Ok(answer)
}

/// Whether a question is about what somebody did and did not commit or push yet.
fn speaks_of_own_work(words: &[String]) -> bool {
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let is_own = has("my our") && has("change changes edit edits diff branch push");
    is_own || has("uncommitted unpushed unstaged staged pushed push") || has("not") && has("committed")
}

/// The begin of a day, month or year as git reads it: a bare date would mean the hour of now.
fn begin_of(text: &str) -> Option<String> {
    let mut parts = text.split('-');
    let is_number = |part: &str, digits: usize| part.len() == digits && part.chars().all(|c| c.is_ascii_digit());
    let year = parts.next().filter(|part| is_number(part, 4) && part.starts_with(['1', '2']))?;
    let (month, day) = (parts.next().unwrap_or("01"), parts.next().unwrap_or("01"));
    let is_date = is_number(month, 2) && is_number(day, 2) && parts.next().is_none();
    is_date.then(|| format!("{year}-{month}-{day}T00:00:00"))
}

/// The kinds of definitions whose changes a question asks for, and their name.
pub(super) fn asked_kinds(words: &[String]) -> Option<(&'static str, &'static [EntityKind])> {
    use EntityKind::{Class, Function, Method, Property, Variable};
    words.iter().find_map(|word| match word.as_str() {
        "function" | "functions" => Some(("function", &[Function, Method, Property][..])),
        "method" | "methods" => Some(("method", &[Method, Property][..])),
        "class" | "classes" => Some(("class", &[Class][..])),
        "property" | "properties" => Some(("property", &[Property][..])),
        "constant" | "constants" => Some(("constant", &[Variable][..])),
        "variable" | "variables" => Some(("variable", &[Variable][..])),
        "definition" | "definitions" => Some(("definition", &[Class, Function, Method, Property, Variable][..])),
        _ => None,
    })
}

/// The only kind of difference that a question asks for.
fn asked_fate(words: &[String]) -> Option<Edit> {
    words.iter().find_map(|word| match word.as_str() {
        "added" | "new" => Some(Edit::Added),
        "removed" | "deleted" => Some(Edit::Removed),
        _ => None,
    })
}

/// Lists the definitions of some kinds that differ from those of a commit, and says whether they could be compared.
fn definitions(
    reading: AnswerInputs,
    base: &str,
    (noun, kinds): (&str, &[EntityKind]),
    fate: Option<&Edit>,
    paths: &[String],
    answer: &mut Answer,
) -> bool {
    let Some(mut found) = (reading.changed)(base) else { return false };
    let place = Filter { paths: paths.to_vec(), ..Filter::default() };
    found.retain(|one| kinds.contains(&one.kind) && place.accepts_path(&one.path));
    // `added since` asks for these alone.
    if let Some(fate) = fate {
        found.retain(|one| one.edits.contains(fate));
    }
    found.sort_by_key(|one| (one.is_test || is_aside(&one.path), one.path.clone(), one.line));
    let tests = found.iter().filter(|one| one.is_test).count();
    let of = |edit: &Edit| found.iter().filter(|one| one.edits.contains(edit)).count();
    let (added, removed) = (of(&Edit::Added), of(&Edit::Removed));
    let place = if paths.is_empty() { String::new() } else { format!(" in {}", paths.join(" and ")) };
    answer.headline = match found.len() {
        0 => format!("none: no {noun}{place} differs between {base} and the files as they are now"),
        all => {
            let differ = if all == 1 { "differs" } else { "differ" };
            let parts = match fate {
                Some(fate) => fate.words(),
                None => format!("{} changed, {added} added, {removed} removed", all - added - removed),
            };
            let in_tests = if tests > 0 { format!("; {tests} of them in tests") } else { String::new() };
            format!("{}{place} {differ} from {base}: {parts}{in_tests}", count(all, noun))
        }
    };
    answer.list(
        format!("{} that differ from {base} ({})", plural(noun), found.len()),
        found.iter().map(ListRow::of_change).collect(),
    );
    true
}

/// Lists the newest commits, of these paths or of all; as `changed` does.
fn newest(reading: AnswerInputs, number: u32, paths: &[String], answer: &mut Answer) -> (Option<String>, String) {
    let (paths, limit, _) = over_renames(reading, paths, answer);
    let most = number.to_string();
    let log = ["log", FORMAT, "--date=short", "-n", &most, "--"].into_iter().chain(paths.iter().map(String::as_str));
    let found = (reading.git)(&log.collect::<Vec<_>>()).map(|text| parsed(&text)).unwrap_or_default();
    let headline = match (found.first(), found.last()) {
        (Some([id, date, author, subject]), Some([_, begin, ..])) => {
            let commits = count(found.len(), "commit");
            Some(format!("the last {commits}, since {begin}: the newest is of {date}, by {author}: {subject} ({id})"))
        }
        _ => None,
    };
    table("commits".to_owned(), found, answer);
    (headline, format!("git log --oneline -n {number}{limit}"))
}

/// A part of the history that ends now.
#[derive(Debug, PartialEq, Eq)]
enum Recent {
    Commits(u32),
    /// As git reads it: `2 weeks ago`.
    Time(String),
}

/// The recent part of the history that a question names: `the last 5 commits`, `since last week`.
fn recent(words: &[String]) -> Option<Recent> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let unit = |word: &str| {
        let unit = word.trim_end_matches('s');
        ["commit", "hour", "day", "week", "month", "year"].into_iter().find(|known| *known == unit)
    };
    for (at, word) in words.iter().enumerate() {
        let behind = &words[at + 1..];
        if *word == "yesterday" {
            return Some(Recent::Time("yesterday".to_owned()));
        }
        if !matches!(*word, "last" | "past" | "latest" | "previous") {
            continue;
        }
        let (number, next) = match behind {
            [many, next, ..] if number(many).is_some() => (number(many)?, *next),
            [next, ..] => (1, *next),
            [] => continue,
        };
        match unit(next) {
            Some("commit") => return Some(Recent::Commits(number)),
            Some(unit) => return Some(Recent::Time(format!("{} ago", count(number as usize, unit)))),
            None => {}
        }
    }
    None
}

/// These paths with the names that their files had before, how a command is limited to them, and in words the former
/// names.
fn over_renames(reading: AnswerInputs, paths: &[String], answer: &mut Answer) -> (Vec<String>, String, String) {
    if paths.is_empty() {
        return (Vec::new(), String::new(), String::new());
    }
    let FormerNames { paths: former, is_cut_off } = moves::former_names(reading, paths);
    if is_cut_off {
        let message = "not all renames were followed: commits from before others may be missing".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("renames", former.len(), message)]);
    }
    let all = [paths, &former].concat();
    let limit = format!(" -- {}", if former.len() > MAX_FORMER { paths.join(" ") } else { all.join(" ") });
    let formerly = match former.len() {
        0 => String::new(),
        1..=MAX_FORMER => format!(" (before: {})", former.join(", ")),
        more => format!(" ({more} former names of files included)"),
    };
    (all, limit, formerly)
}

/// Lists the commits of a range that changed these paths, all of the repository for none. Returns their number and the
/// last of them as a sentence, if there are any, and the command.
fn changed(
    reading: AnswerInputs,
    range: Option<&str>,
    paths: &[String],
    answer: &mut Answer,
) -> (Option<String>, String) {
    let (all, limit, formerly) = over_renames(reading, paths, answer);
    let behind = || std::iter::once("--").chain(all.iter().map(String::as_str));
    let command = match range {
        Some(range) => format!("git log --oneline {range}{limit}"),
        None => format!("git log --oneline -n {MAX_COMMITS}{limit}"),
    };
    let most = MAX_COMMITS.to_string();
    let log = ["log", FORMAT, "--date=short", "-n", &most].into_iter().chain(range).chain(behind());
    let found = (reading.git)(&log.collect::<Vec<_>>()).map(|text| parsed(&text)).unwrap_or_default();
    let place = if paths.is_empty() { "the repository".to_owned() } else { paths.join(" and ") };
    let within = match range {
        Some(range) => match range.strip_prefix("--since=") {
            Some(time) => format!(" since {}", time.trim_end_matches("T00:00:00")),
            None => format!(" in {range}"),
        },
        None => String::new(),
    };
    let headline = found.first().map(|[id, date, author, subject]| {
        // A time limits the commits of a revision.
        let revision = range.filter(|range| range.starts_with("--since")).map(|_| "HEAD");
        let range = range.unwrap_or("HEAD");
        let counting: Vec<&str> = ["rev-list", "--count", range].into_iter().chain(revision).chain(behind()).collect();
        let counted = (reading.git)(&counting).and_then(|text| text.trim().parse().ok());
        let commits = count(counted.unwrap_or(found.len()), "commit");
        format!("{commits} changed {place}{formerly}{within}; the last is of {date}, by {author}: {subject} ({id})")
    });
    let title = if paths.is_empty() { "commits".to_owned() } else { format!("commits of {place}") };
    table(title, found, answer);
    (headline, command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recent_part_of_the_history_is_read() {
        let read = |text: &str| recent(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(read("what changed in the last 5 commits"), Some(Recent::Commits(5)));
        assert_eq!(read("what did the last commit change"), Some(Recent::Commits(1)));
        assert_eq!(read("which functions changed since last week"), Some(Recent::Time("1 week ago".to_owned())));
        assert_eq!(read("what is new in the past three days"), Some(Recent::Time("3 days ago".to_owned())));
        assert_eq!(read("changes since yesterday"), Some(Recent::Time("yesterday".to_owned())));
        assert_eq!(read("what changed since 2.0"), None);
    }
}
