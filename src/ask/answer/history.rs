//! Answers about the history: who changed a definition last, since when it stands there, and the git command for more.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, AnswerTable, short_name},
        reading::plan::{PlannedFile, Understood},
    },
    model::EntityKind,
    query::{
        impact::completeness::{Boundary, Completeness},
        words::count,
    },
    store::error::StoreError,
};

/// Commits that are shown, and files whose history is.
const MAX_COMMITS: usize = 12;
const MAX_FILES: usize = 3;
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
    let asks_for_begin = asks("when since wrote written introduced added authored created author authors old born");
    for target in &understood.targets {
        let main = target.main();
        answer.want(main, "asked about", true);
        if main.record.kind == EntityKind::Module {
            commands.push(of_file(reading, &main.path, &mut answer, &mut headlines));
            continue;
        }
        let (first, last) = (main.record.start_line, main.record.end_line);
        let name = short_name(main);
        commands.push(format!("git log -L {first},{last}:{}", main.path));
        let found = last_commits(reading, first, last, &main.path);
        if let Some([id, date, author, subject]) = found.first() {
            headlines.push(format!("`{name}` was last changed by {author} on {date}: {subject} ({id})"));
        }
        if asks_for_begin {
            let word = if main.record.kind == EntityKind::Class { "class" } else { "def" };
            let begins = format!("{word} {}", main.record.name);
            let pattern = format!("-S{begins}");
            let log = ["log", "--reverse", FORMAT, "--date=short", &pattern, "--", &main.path];
            let commits = (reading.git)(&log).map(|text| parsed(&text)).unwrap_or_default();
            if let Some([id, date, author, subject]) = commits.first() {
                headlines
                    .insert(0, format!("`{name}` stands in {} since {date}, by {author}: {subject} ({id})", main.path));
            }
            commands.push(format!("git log --reverse -S'{begins}' -- {}", main.path));
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
        commands.push(of_file(reading, path, &mut answer, &mut headlines));
    }
    for text in understood.plan.parameters.iter().chain(understood.plan.unknown.iter().map(|name| &name.mention)) {
        if understood.targets.is_empty() && understood.plan.files.is_empty() {
            commands.push(of_text(reading, text, &mut answer, &mut headlines));
        }
    }
    if commands.is_empty() {
        commands.push("git log --oneline".to_owned());
        headlines.extend(changed(reading, None, &[], &mut answer).0);
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

fn of_file(reading: AnswerInputs, path: &str, answer: &mut Answer, headlines: &mut Vec<String>) -> String {
    let first = ["log", "--reverse", "--diff-filter=A", FORMAT, "--date=short", "--", path];
    if let Some([id, date, author, subject]) =
        (reading.git)(&first).map(|text| parsed(&text)).unwrap_or_default().first()
    {
        headlines.push(format!("{path} is there since {date}, by {author}: {subject} ({id})"));
    }
    let log = (reading.git)(&["log", FORMAT, "--date=short", "--", path]);
    let mut all = log.map(|text| parsed(&text)).unwrap_or_default();
    let mut authors: BTreeMap<&str, usize> = BTreeMap::new();
    for [_, _, author, _] in &all {
        *authors.entry(author).or_default() += 1;
    }
    if let Some((author, most)) = authors.iter().max_by_key(|(author, commits)| (**commits, Reverse(**author)))
        && all.len() > 1
    {
        headlines.push(format!("{author} has {most} of its {}", count(all.len(), "commit")));
    }
    all.truncate(MAX_OF_FILE);
    table(format!("commits of {path}"), all, answer);
    format!("git log --follow --format='%h %ad %an %s' -- {path}")
}

/// The commits that last changed the lines of a file, the newest first.
fn last_commits(reading: AnswerInputs, first: u32, last: u32, path: &str) -> Vec<CommitLine> {
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
        let cells: Vec<String> = line.splitn(4, '\t').map(str::to_owned).collect();
        cells.try_into().ok()
    };
    log.lines().filter_map(line).collect()
}

fn table(title: String, commits: Vec<CommitLine>, answer: &mut Answer) {
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
    let files = understood.plan.files.iter().filter(|file| !file.paths.is_empty());
    let mut paths: Vec<String> = files.flat_map(PlannedFile::patterns).collect();
    paths.extend(understood.targets.iter().map(|target| target.main().path.clone()));
    paths.dedup();
    let range = understood.revision.as_deref().map(|revision| format!("{revision}..HEAD"));
    let (headline, command) = changed(reading, range.as_deref(), &paths, &mut answer);
    answer.headline = match (&range, headline) {
        (_, Some(headline)) => headline,
        (Some(range), None) => format!("no commit in {range} changed this, or git does not know it: `{command}`"),
        (None, None) => format!("git tells no commits: `{command}`"),
    };
    answer.command = match &range {
        Some(range) => format!("{command}; repoidx review {range}"),
        None => command,
    };
    Ok(answer)
}

/// Lists the commits of a range that changed these paths, all of the repository for none. Returns their number and the
/// last of them as a sentence, if there are any, and the command.
fn changed(
    reading: AnswerInputs,
    range: Option<&str>,
    paths: &[String],
    answer: &mut Answer,
) -> (Option<String>, String) {
    let limit = if paths.is_empty() { String::new() } else { format!(" -- {}", paths.join(" ")) };
    let behind = || std::iter::once("--").chain(paths.iter().map(String::as_str));
    let command = match range {
        Some(range) => format!("git log --oneline {range}{limit}"),
        None => format!("git log --oneline -n {MAX_COMMITS}{limit}"),
    };
    let most = MAX_COMMITS.to_string();
    let log = ["log", FORMAT, "--date=short", "-n", &most].into_iter().chain(range).chain(behind());
    let found = (reading.git)(&log.collect::<Vec<_>>()).map(|text| parsed(&text)).unwrap_or_default();
    let place = if paths.is_empty() { "the repository".to_owned() } else { paths.join(" and ") };
    let headline = found.first().map(|[id, date, author, subject]| {
        let counting: Vec<&str> =
            ["rev-list", "--count"].into_iter().chain([range.unwrap_or("HEAD")]).chain(behind()).collect();
        let counted = (reading.git)(&counting).and_then(|text| text.trim().parse().ok());
        let commits = count(counted.unwrap_or(found.len()), "commit");
        let within = range.map_or_else(String::new, |range| format!(" in {range}"));
        format!("{commits} changed {place}{within}; the last is of {date}, by {author}: {subject} ({id})")
    });
    let title = if paths.is_empty() { "commits".to_owned() } else { format!("commits of {place}") };
    table(title, found, answer);
    (headline, command)
}
