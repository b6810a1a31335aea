//! Answers about one's own work that git alone gives: the branch, its commits, the changed files, the stash.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::{
                limited::AskedEdit,
                own::{OwnReview, base_of_push, broken, commits_between, nothing_differs},
            },
            first_in_words,
        },
        reading::{
            forms::own_change::{OfWork, OwnQuestion, Proposition},
            words::is_in,
        },
    },
    query::{impact::completeness::Completeness, words::count},
    review::{Edit, ReviewedChange},
};

/// Files, commits and stashes that a headline names.
const MAX_NAMED: usize = 4;

/// A file of a change.
pub(super) struct FileOfChange {
    /// The letter by which git calls the difference.
    status: char,
    pub path: String,
}

/// The files of a change, whatever they contain.
pub(super) fn files(reading: AnswerInputs, review: &OwnReview) -> Vec<FileOfChange> {
    let report = &review.report;
    let head = report.head_commit.clone().unwrap_or_else(|| "HEAD".to_owned());
    let command: Vec<&str> = match review.change {
        ReviewedChange::Worktree => vec!["diff", "--name-status", "-M", "HEAD", "--"],
        ReviewedChange::Staged => vec!["diff", "--cached", "--name-status", "-M", "--"],
        ReviewedChange::Unstaged => vec!["diff", "--name-status", "-M", "--"],
        ReviewedChange::Unpushed | ReviewedChange::Range(_) => {
            vec!["diff", "--name-status", "-M", &report.base_commit, &head, "--"]
        }
    };
    let differing = (reading.git)(&command).unwrap_or_default();
    let mut files: Vec<FileOfChange> = differing.lines().filter_map(changed_file).collect();
    if matches!(review.change, ReviewedChange::Worktree | ReviewedChange::Unstaged) {
        files.extend(untracked(reading).into_iter().map(|path| FileOfChange { status: 'A', path }));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Reads `M⇥path` and `R100⇥old⇥new`.
fn changed_file(line: &str) -> Option<FileOfChange> {
    let mut fields = line.split('\t');
    let status = fields.next()?.chars().next()?;
    Some(FileOfChange { status, path: fields.next_back()?.to_owned() })
}

fn untracked(reading: AnswerInputs) -> Vec<String> {
    let found = (reading.git)(&["ls-files", "--others", "--exclude-standard"]).unwrap_or_default();
    found.lines().map(str::to_owned).collect()
}

pub(super) fn is_document(path: &str) -> bool {
    [".md", ".rst", ".txt", ".adoc"].iter().any(|end| path.ends_with(end)) || path.starts_with("docs/")
}

pub(super) fn is_of_tests(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with("test") || part.ends_with("_test.py"))
}

/// Whether the question asks for files of any kind.
pub(super) fn asks_for_files(words: &[String]) -> bool {
    words.iter().any(|word| is_in("file files module modules docs documentation", word))
}

/// Answers which files a change has, or those of one kind of difference.
pub(super) fn files_changed(
    reading: AnswerInputs,
    review: &OwnReview,
    (edit, words): (Option<AskedEdit>, &[String]),
    answer: &mut Answer,
) {
    let report = &review.report;
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let are_modules = has("module modules");
    let are_docs = has("doc docs documentation");
    let are_tests = has("test tests");
    let are_both = has("staged") && has("unstaged");
    let twice = if are_both { staged_and_unstaged(reading) } else { Vec::new() };
    let is_asked = |file: &FileOfChange| {
        let is_kind = match edit {
            Some(AskedEdit::Added) => file.status == 'A',
            Some(AskedEdit::Removed) => file.status == 'D',
            Some(AskedEdit::Renamed) => file.status == 'R' || is_moved_module(review, &file.path),
            None => true,
        };
        let (is_doc, is_test) = (is_document(&file.path), is_of_tests(&file.path));
        is_kind
            && (!are_modules || file.path.ends_with(".py"))
            && (!are_docs || is_doc)
            && (!are_tests || is_test)
            && (!are_both || twice.contains(&file.path))
    };
    let found: Vec<FileOfChange> = files(reading, review).into_iter().filter(is_asked).collect();
    let is_whether = words.first().is_some_and(|word| is_in("any are did do does has have is was were", word));
    let (yes, no) = if is_whether { ("yes: ", "no: ") } else { ("", "none: ") };
    let noun = match () {
        () if are_modules => "module",
        () if are_docs => "document",
        () if are_tests => "test file",
        () => "file",
    };
    let verb = edit.map_or("changed", AskedEdit::verb);
    answer.headline = if found.is_empty() {
        match (&review.change, edit) {
            (ReviewedChange::Staged, None) => format!("{no}no {noun} is staged"),
            (ReviewedChange::Unstaged, None) => format!("{no}no {noun} is unstaged"),
            _ => format!("{no}no {noun} is {verb} by {}", review.name),
        }
    } else {
        let named = first_in_words(found.iter().map(|file| file.path.clone()), MAX_NAMED * 2);
        format!("{yes}{} {verb} by {} ({named})", count(found.len(), noun), review.name)
    };
    if are_both {
        answer.headline = match found.len() {
            0 => "none: no file is staged and changed again since".to_owned(),
            number => {
                let named = first_in_words(found.iter().map(|file| file.path.clone()), MAX_NAMED * 2);
                format!("{} staged and changed again since ({named})", count(number, noun))
            }
        };
    } else if edit.is_none() && !found.is_empty() && !are_docs {
        let least = if report.completeness == Completeness::Exact { "" } else { ", at least this much" };
        let definitions = count(report.changed.len(), "changed definition");
        let tests = if report.tests.is_empty() { "no known test".to_owned() } else { report.number_of_tests() };
        answer.headline += &format!("; {definitions}, {}, {tests} to run{least}", broken(report, Proposition::Nothing));
    }
    let rows: Vec<ListRow> = found.iter().map(row).collect();
    answer.list(format!("{verb} {noun}s ({})", rows.len()), rows);
}

/// The files that are staged and differ from what is staged.
fn staged_and_unstaged(reading: AnswerInputs) -> Vec<String> {
    let status = (reading.git)(&["status", "--porcelain"]).unwrap_or_default();
    let is_both = |line: &&str| line.len() > 3 && !line.starts_with([' ', '?']) && !line[1..].starts_with(' ');
    status.lines().filter(is_both).map(|line| line[3..].to_owned()).collect()
}

/// Whether a module that now lies at `path` has moved, perhaps without git's knowledge.
fn is_moved_module(review: &OwnReview, path: &str) -> bool {
    let is_moved = |edit: &Edit| matches!(edit, Edit::Renamed { .. } | Edit::Moved { .. });
    review
        .report
        .changed
        .iter()
        .any(|one| one.kind == crate::model::EntityKind::Module && one.path == path && one.edits.iter().any(is_moved))
}

fn row(file: &FileOfChange) -> ListRow {
    let note = match file.status {
        'A' => "added",
        'D' => "removed",
        'R' => "renamed or moved",
        _ => "changed",
    };
    ListRow { name: file.path.clone(), kind: "file", path: file.path.clone(), line: 1, ..ListRow::default() }.with(note)
}

/// Answers from git where no two states need be compared; whether it did.
pub(super) fn of_git(reading: AnswerInputs, own: &OwnQuestion, words: &[String], answer: &mut Answer) -> bool {
    let Some(asked) = own.work else { return false };
    let is_whether = words.first().is_some_and(|word| is_in("am any are did do does has have is", word));
    let (yes, no) = if is_whether { ("yes: ", "no: ") } else { ("", "") };
    match asked {
        OfWork::Branch => {
            answer.headline = branch(reading);
            "git status --branch".clone_into(&mut answer.command);
        }
        OfWork::Stash => {
            let found = (reading.git)(&["stash", "list"]).unwrap_or_default();
            let stashes: Vec<String> = found.lines().map(str::to_owned).collect();
            answer.headline = match stashes.len() {
                0 => format!("{no}nothing is stashed"),
                1 => format!("{yes}1 change is stashed: {}", stashes[0]),
                all => format!("{yes}{all} changes are stashed, the last: {}", stashes[0]),
            };
            "git stash list".clone_into(&mut answer.command);
        }
        OfWork::Untracked => {
            let found = untracked(reading);
            let named = first_in_words(found.iter().cloned(), MAX_NAMED * 2);
            answer.headline = match found.len() {
                0 => format!("{no}no file is untracked"),
                1 => format!("{yes}1 file is untracked: {named}"),
                all => format!("{yes}{all} files are untracked: {named}"),
            };
            "git status".clone_into(&mut answer.command);
        }
        OfWork::Staged => {
            answer.headline = all_staged(reading, words);
            "git status".clone_into(&mut answer.command);
        }
        OfWork::Behind => {
            answer.headline = compared_with_base(reading, own, words, is_whether);
            "git status --branch".clone_into(&mut answer.command);
        }
        OfWork::InPush => {
            answer.headline = in_push(reading, words);
            "git status --branch".clone_into(&mut answer.command);
        }
        OfWork::StagedAndNot => {
            answer.headline = staged_and_not(reading);
            "git status".clone_into(&mut answer.command);
        }
        OfWork::Commits
        | OfWork::Size
        | OfWork::NewTests
        | OfWork::AddedTested
        | OfWork::Kinds
        | OfWork::OldNamesInDocs
        | OfWork::DocsToUpdate
        | OfWork::Changelog => return false,
    }
    true
}

/// Whether a push sends the work that the question speaks of: it sends commits only.
fn in_push(reading: AnswerInputs, words: &[String]) -> String {
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let status = (reading.git)(&["status", "--porcelain", "--untracked-files=all"]).unwrap_or_default();
    let is_asked = |line: &&str| match () {
        () if has("unstaged") => !line[1..].starts_with(' '),
        () if has("staged") => !line.starts_with([' ', '?']),
        () => true,
    };
    let left: Vec<String> =
        status.lines().filter(|line| line.len() > 3).filter(is_asked).map(|line| line[3..].to_owned()).collect();
    let state = match () {
        () if has("unstaged") => "not staged",
        () if has("staged") => "staged but not committed",
        () => "not committed",
    };
    let commits = match base_of_push(reading) {
        Some(base) => match commits_between(reading, &base, "HEAD") {
            0 => format!("no commit is to be pushed: {base} has all of HEAD"),
            1 => format!("1 commit is to be pushed ({base}..HEAD)"),
            commits => format!("{} are to be pushed ({base}..HEAD)", count(commits, "commit")),
        },
        None => "HEAD has no upstream branch, so the commits to be pushed are not known".to_owned(),
    };
    let are = if left.len() == 1 { "is" } else { "are" };
    match left.len() {
        0 => format!("nothing is {state}; {commits}"),
        number => {
            let named = first_in_words(left.into_iter(), MAX_NAMED);
            format!("no: a push sends commits, and {} {are} {state} ({named}); {commits}", count(number, "file"))
        }
    }
}

/// The files that are staged, and those that are not.
fn staged_and_not(reading: AnswerInputs) -> String {
    let status = (reading.git)(&["status", "--porcelain", "--untracked-files=all"]).unwrap_or_default();
    let (mut staged, mut others) = (Vec::new(), Vec::new());
    for line in status.lines().filter(|line| line.len() > 3) {
        let (states, path) = line.split_at(3);
        if !states.starts_with([' ', '?']) {
            staged.push(path.to_owned());
        }
        if !states[1..].starts_with(' ') {
            others.push(path.to_owned());
        }
    }
    let said = |files: Vec<String>, state: &str| {
        let are = if files.len() == 1 { "is" } else { "are" };
        match files.len() {
            0 => format!("nothing is {state}"),
            number => {
                format!(
                    "{} {are} {state} ({})",
                    count(number, "file"),
                    first_in_words(files.into_iter(), MAX_NAMED * 2)
                )
            }
        }
    };
    format!("{}; {}", said(staged, "staged"), said(others, "not staged"))
}

/// The removed definitions of a state: `is my removal staged`.
fn removed_in(reading: AnswerInputs, change: &ReviewedChange) -> Vec<String> {
    let Ok(report) = (reading.reviewed)(change) else { return Vec::new() };
    let removed = report.changed.into_iter().filter(|one| one.edits.contains(&Edit::Removed));
    removed.map(|one| format!("`{}`", one.name)).collect()
}

/// Whether everything is staged, or all files of the kind that is asked for.
fn all_staged(reading: AnswerInputs, words: &[String]) -> String {
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let of_removals = has("deletion deletions removal removals deleted removed");
    let of_tests = has("test tests");
    let (noun, verb) = match () {
        () if of_removals => ("removed file", "removed"),
        () if of_tests => ("changed file of tests", "changed in tests"),
        () => ("changed file", "changed"),
    };
    let status = (reading.git)(&["status", "--porcelain", "--untracked-files=all"]).unwrap_or_default();
    let (mut staged, mut others) = (0, Vec::new());
    for line in status.lines().filter(|line| line.len() > 3) {
        let (states, path) = line.split_at(3);
        let is_test = is_of_tests(path);
        if of_removals && !states.contains('D') || of_tests && !is_test {
            continue;
        }
        if states[1..].starts_with(' ') {
            staged += 1;
        } else {
            others.push(path.to_owned());
        }
    }
    if of_removals && others.is_empty() && staged == 0 {
        let unstaged = removed_in(reading, &ReviewedChange::Unstaged);
        let ready = removed_in(reading, &ReviewedChange::Staged);
        let are = |all: &[String]| if all.len() == 1 { "is" } else { "are" };
        let number = |all: &[String]| count(all.len(), "removed definition");
        if !unstaged.is_empty() {
            let (number, are) = (number(&unstaged), are(&unstaged));
            return format!("no: {number} {are} not staged ({})", first_in_words(unstaged.into_iter(), MAX_NAMED));
        }
        if !ready.is_empty() {
            let (number, are) = (number(&ready), are(&ready));
            return format!("yes: {number} {are} staged ({})", first_in_words(ready.into_iter(), MAX_NAMED));
        }
    }
    match (others.len(), staged) {
        (0, 0) => format!("no file is {verb}, so none is staged"),
        (0, staged) => format!("yes: no {noun} is left, {} staged", count(staged, "file")),
        (number, _) => {
            let are = if number == 1 { "is" } else { "are" };
            let named = first_in_words(others.into_iter(), MAX_NAMED);
            format!("no: {} {are} not staged ({named})", count(number, noun))
        }
    }
}

/// The commits that HEAD and another branch have on top of each other, and whether their files collide.
fn compared_with_base(reading: AnswerInputs, own: &OwnQuestion, words: &[String], is_whether: bool) -> String {
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let name = |rev: &str| (reading.git)(&["rev-parse", "--abbrev-ref", rev]).unwrap_or_default().trim().to_owned();
    let upstream = name("@{upstream}");
    let base = match &own.revision {
        Some(revision) => revision.clone(),
        None if !upstream.is_empty() => upstream,
        None => return branch(reading),
    };
    let (ahead, behind) = (commits_between(reading, &base, "HEAD"), commits_between(reading, "HEAD", &base));
    let (more, less) = (count(ahead, "commit"), count(behind, "commit"));
    let state = match (ahead, behind) {
        (0, 0) => format!("HEAD has the same commits as {base}"),
        (_, 0) => format!("HEAD has {more} on top of {base}, which has none that HEAD lacks"),
        (0, _) => format!("HEAD lacks {less} of {base}, and has none on top"),
        _ => format!("HEAD has {more} that {base} lacks, and lacks {less} of it"),
    };
    if has("conflict conflicts") {
        let paths = |range: String| -> Vec<String> {
            let found = (reading.git)(&["diff", "--name-only", &range]).unwrap_or_default();
            found.lines().map(str::to_owned).collect()
        };
        let theirs = paths(format!("HEAD...{base}"));
        let both: Vec<String> =
            paths(format!("{base}...HEAD")).into_iter().filter(|path| theirs.contains(path)).collect();
        return match both.len() {
            0 => format!("no: no file is changed on both sides; {state}"),
            number => {
                let named = first_in_words(both.into_iter(), MAX_NAMED);
                format!("perhaps: {} changed on both sides ({named}); {state}", count(number, "file"))
            }
        };
    }
    let is_said = match () {
        () if has("behind") => behind > 0,
        () if has("ahead") => ahead > 0,
        () if has("sync") => ahead + behind == 0,
        () => behind == 0,
    };
    let word = match (is_whether, is_said) {
        (false, _) => "",
        (true, true) => "yes: ",
        (true, false) => "no: ",
    };
    if own.revision.is_some() { format!("{word}{state}") } else { format!("{word}{}", branch(reading)) }
}

/// Answers whether git tracks a file, or ignores it; `None` where the question asks for neither.
pub(super) fn tracked(reading: AnswerInputs, own: &OwnQuestion, words: &[String]) -> Option<String> {
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let word = own.within.as_deref().filter(|_| has("tracked untracked ignored"))?;
    let all = |kinds: &[&str]| {
        let patterns = [format!(":(icase){word}"), format!(":(icase,glob)**/{word}")];
        let arguments: Vec<&str> = ["ls-files"]
            .iter()
            .chain(kinds)
            .copied()
            .chain(["--"])
            .chain(patterns.iter().map(String::as_str))
            .collect();
        (reading.git)(&arguments).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (known, others) = (all(&["--cached"]), all(&["--others", "--exclude-standard"]));
    if let (Some(known), Some(other)) = (known.first(), others.first()) {
        return Some(format!("{other} is untracked, and {known} is tracked by git"));
    }
    let (state, path) = match (known.first(), others.first(), all(&["--others"]).first()) {
        (Some(path), ..) => ("tracked", path.clone()),
        (None, Some(path), _) => ("untracked", path.clone()),
        (None, None, Some(path)) => ("ignored", path.clone()),
        _ => return None,
    };
    let yes = if has(state) || has("tracked") && !has("untracked") && state == "tracked" { "yes" } else { "no" };
    Some(format!("{yes}: {path} is {state} by git").replace("untracked by git", "untracked"))
}

/// The branch that is checked out, and what it has over the one that it follows.
fn branch(reading: AnswerInputs) -> String {
    let name = |rev: &str| {
        let found = (reading.git)(&["rev-parse", "--abbrev-ref", rev]).unwrap_or_default();
        Some(found.trim().to_owned()).filter(|name| !name.is_empty())
    };
    let Some(current) = name("HEAD") else { return "there is no commit yet".to_owned() };
    let current = match current.as_str() {
        "HEAD" => "no branch is checked out: HEAD is a commit by itself".to_owned(),
        branch => format!("the current branch is `{branch}`"),
    };
    match name("@{upstream}") {
        None => format!("{current}; it follows no other branch"),
        Some(upstream) => {
            let (ahead, behind) =
                (commits_between(reading, &upstream, "HEAD"), commits_between(reading, "HEAD", &upstream));
            let (own, lacking) = (count(ahead, "commit"), count(behind, "commit"));
            match (ahead, behind) {
                (0, 0) => format!("{current}; it has the same commits as {upstream}"),
                (_, 0) => format!("{current}; {own} on it to be pushed to {upstream}"),
                (0, _) => format!("{current}; it lacks {lacking} of {upstream}"),
                _ => format!("{current}; {own} on it to be pushed, and it lacks {lacking} of {upstream}"),
            }
        }
    }
}

/// Answers which commits are not pushed yet.
pub(super) fn commits(reading: AnswerInputs, review: &OwnReview, words: &[String], answer: &mut Answer) {
    let report = &review.report;
    let range = format!("{}..HEAD", report.base_commit);
    let log = (reading.git)(&["log", "--format=%h %s", &range]).unwrap_or_default();
    let commits: Vec<&str> = log.lines().collect();
    let named = first_in_words(commits.iter().map(|one| (*one).to_owned()), MAX_NAMED);
    let of_branch = words.iter().any(|word| word == "branch");
    let place = if of_branch { format!("{}; ", branch(reading)) } else { String::new() };
    answer.headline = match commits.len() {
        0 => format!("{place}no commit is to be pushed: {} has all of HEAD", report.base),
        1 => format!("{place}1 commit is on top of {}: {named}", report.base),
        all => format!("{place}{all} commits are on top of {}: {named}", report.base),
    };
    let rows = commits.iter().map(|one| ListRow { name: (*one).to_owned(), kind: "commit", ..ListRow::default() });
    if commits.len() > MAX_NAMED {
        answer.list(format!("commits ({})", commits.len()), rows.collect());
    }
    answer.command = format!("git log --oneline {}..HEAD", report.base);
}

/// Answers how many lines a change has.
pub(super) fn size(reading: AnswerInputs, own: &OwnQuestion, review: &OwnReview, answer: &mut Answer) {
    let report = &review.report;
    let head = report.head_commit.clone().unwrap_or_else(|| "HEAD".to_owned());
    let command: Vec<&str> = match review.change {
        ReviewedChange::Worktree => vec!["diff", "--numstat", "HEAD", "--"],
        ReviewedChange::Staged => vec!["diff", "--cached", "--numstat", "--"],
        ReviewedChange::Unstaged => vec!["diff", "--numstat", "--"],
        ReviewedChange::Unpushed | ReviewedChange::Range(_) => {
            vec!["diff", "--numstat", &report.base_commit, &head, "--"]
        }
    };
    let (mut files, mut added, mut removed) = (0, 0, 0);
    for line in (reading.git)(&command).unwrap_or_default().lines() {
        let mut numbers = line.split('\t').map(|number| number.parse::<usize>().unwrap_or_default());
        added += numbers.next().unwrap_or_default();
        removed += numbers.next().unwrap_or_default();
        files += 1;
    }
    let new = match review.change {
        ReviewedChange::Worktree | ReviewedChange::Unstaged => untracked(reading).len(),
        _ => 0,
    };
    let beside = if new == 0 { String::new() } else { format!(", and {}", count(new, "untracked file")) };
    answer.headline = if files + new == 0 {
        nothing_differs(reading, own, review)
    } else {
        format!(
            "{} added and {removed} removed in {} by {}{beside}; {}",
            count(added, "line"),
            count(files, "file"),
            review.name,
            count(report.changed.len(), "changed definition")
        )
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_file_has_its_new_path() {
        let read = |line: &str| changed_file(line).map(|file| (file.status, file.path));
        assert_eq!(read("M\ta.py"), Some(('M', "a.py".to_owned())));
        assert_eq!(read("R100\ta.py\tb.py"), Some(('R', "b.py".to_owned())));
        assert_eq!(read(""), None);
    }
}
