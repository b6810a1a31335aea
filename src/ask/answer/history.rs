//! Answers about the history: the git command that tells it, and its first lines where it runs quickly.

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, AnswerTable, short_name},
        reading::plan::Understood,
    },
    model::EntityKind,
    store::error::StoreError,
};

/// Commits that are shown.
const MAX_COMMITS: usize = 15;

/// Answers who changed the subjects and when.
pub fn history(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut commands = Vec::new();
    for target in &understood.targets {
        let main = target.main();
        answer.want(main, "asked about", true);
        if main.record.kind == EntityKind::Module {
            commands.push(of_file(reading, &main.path, &mut answer));
            continue;
        }
        let (first, last) = (main.record.start_line, main.record.end_line);
        let command = format!("git log -L {first},{last}:{}", main.path);
        let word = if main.record.kind == EntityKind::Class { "class" } else { "def" };
        let name = &main.record.name;
        let introduced = format!("git log --reverse -S '{word} {name}' -- {}", main.path);
        commits(
            reading,
            &["log", "--format=%h%x09%ad%x09%an%x09%s", "--date=short", "-n", "5", "--", &main.path],
            &main.path,
            &mut answer,
        );
        answer.plan.notes.push(format!("`{introduced}` shows the commit that introduced `{}`", short_name(main)));
        commands.push(command);
    }
    for path in understood.plan.files.iter().flat_map(|file| &file.paths).take(3) {
        commands.push(of_file(reading, path, &mut answer));
    }
    if commands.is_empty() {
        commands.push("git log --oneline".to_owned());
        commits(reading, &["log", "--format=%h%x09%ad%x09%an%x09%s", "--date=short", "-n", "10"], "", &mut answer);
    }
    answer.headline = format!("git tells the history: `{}`", commands.join("`, `"));
    Ok(answer)
}

fn of_file(reading: AnswerInputs, path: &str, answer: &mut Answer) -> String {
    commits(reading, &["log", "--format=%h%x09%ad%x09%an%x09%s", "--date=short", "-n", "10", "--", path], path, answer);
    format!("git log --follow --format='%h %ad %an %s' -- {path}")
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
    let mut arguments = vec!["log", "--format=%h%x09%ad%x09%an%x09%s", "--date=short", "-n", "15"];
    arguments.extend(range.as_deref());
    arguments.push("--");
    arguments.extend(paths.iter().map(String::as_str));
    commits(reading, &arguments, paths.first().map_or("", String::as_str), &mut answer);
    answer.headline = match range {
        Some(range) => format!("`{command}` lists the commits; `repoidx review {range}` what they may break"),
        None => format!("`{command}` lists the last commits"),
    };
    Ok(answer)
}

/// Lists the lines that git prints, if it is there and knows the revision.
fn commits(reading: AnswerInputs, arguments: &[&str], path: &str, answer: &mut Answer) {
    let Some(text) = (reading.git)(arguments) else { return };
    let lines: Vec<&str> = text.lines().take(MAX_COMMITS).collect();
    if lines.is_empty() {
        return;
    }
    let title = if path.is_empty() { "commits".to_owned() } else { format!("commits of {path}") };
    let columns = ["commit", "date", "author", "subject"].map(str::to_owned).to_vec();
    let rows = lines.iter().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    answer.blocks.push(AnswerBlock::Table(AnswerTable { title, columns, rows }));
}
