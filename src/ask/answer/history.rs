//! Answers about the history: who changed a definition last, since when it stands there, and the git command for more.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, AnswerTable, short_name},
        reading::plan::Understood,
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
    for path in understood.plan.files.iter().flat_map(|file| &file.paths).take(MAX_FILES) {
        commands.push(of_file(reading, path, &mut answer, &mut headlines));
    }
    for text in understood.plan.parameters.iter().chain(understood.plan.unknown.iter().map(|name| &name.mention)) {
        if understood.targets.is_empty() && understood.plan.files.is_empty() {
            commands.push(of_text(reading, text, &mut answer, &mut headlines));
        }
    }
    if commands.is_empty() {
        commands.push("git log --oneline".to_owned());
        commits(reading, &["log", FORMAT, "--date=short", "-n", "10"], "", &mut answer);
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
    let revision = understood.revision.clone();
    let mut paths: Vec<String> = understood
        .plan
        .files
        .iter()
        .filter(|file| !file.paths.is_empty())
        .map(|file| match file.paths.as_slice() {
            [path] => path.clone(),
            _ => file.mention.clone(),
        })
        .collect();
    paths.extend(understood.targets.iter().map(|target| target.main().path.clone()));
    paths.dedup();
    let limit = if paths.is_empty() { String::new() } else { format!(" -- {}", paths.join(" ")) };
    let range = revision.as_deref().map(|revision| format!("{revision}..HEAD"));
    let command = match &range {
        Some(range) => format!("git log --oneline {range}{limit}"),
        None => format!("git log --oneline -n 20{limit}"),
    };
    let mut arguments = vec!["log", FORMAT, "--date=short", "-n", "15"];
    arguments.extend(range.as_deref());
    arguments.push("--");
    arguments.extend(paths.iter().map(String::as_str));
    commits(reading, &arguments, paths.first().map_or("", String::as_str), &mut answer);
    let found = answer.blocks.iter().any(|block| matches!(block, AnswerBlock::Table(table) if !table.rows.is_empty()));
    answer.headline = match (&range, found) {
        (Some(range), true) => format!("`{command}` lists the commits; `repoidx review {range}` what they may break"),
        (Some(range), false) => format!("no commit in {range} changed this, or git does not know it: `{command}`"),
        (None, _) => format!("`{command}` lists the last commits"),
    };
    answer.command = command;
    Ok(answer)
}

/// Lists the commits that git prints, if it is there and knows the revision.
fn commits(reading: AnswerInputs, arguments: &[&str], path: &str, answer: &mut Answer) {
    let title = if path.is_empty() { "commits".to_owned() } else { format!("commits of {path}") };
    table(title, (reading.git)(arguments).map(|text| parsed(&text)).unwrap_or_default(), answer);
}
