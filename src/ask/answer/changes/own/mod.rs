//! Answers about a change of one's own, as a review of it tells them.
//!
//! The review is made by the caller. This module chooses the change, and puts first the things that the question asks
//! for: the places that break, the changed definitions, or the tests to run.

mod added;
mod kinds;
mod to_run;

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::{
                gone::gone,
                judged,
                limited::{AskedEdit, PartOfChange, is_of_signature, limit, limited},
                new_tests, work,
            },
            first_in_words,
            history::asked_kinds,
        },
        reading::{
            forms::own_change::{Judgement, OfChange, OfWork, OwnChange, OwnQuestion, Proposition, STASH},
            names::at_path,
            plan::Understood,
            words::is_in,
        },
    },
    model::EntityKind,
    query::{
        impact::{completeness::Completeness, verdict::Verdict},
        target::{TargetMatch, look_up},
        words::{count, shell_word},
    },
    review::{ChangedEntity, Finding, ReviewReport, ReviewedChange},
    store::error::StoreError,
};

/// The reason why there is no review, and what helps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotReviewed {
    pub message: String,
    pub hint: String,
}

/// The function that reviews a change.
pub type Reviewing<'a> = dyn Fn(&ReviewedChange) -> Result<ReviewReport, NotReviewed> + 'a;

/// Definitions that a headline names, and definitions that a language model gets to see.
const MAX_NAMED: usize = 4;
const MAX_SHOWN: usize = 20;

/// A review, and how a sentence calls the change.
pub(super) struct OwnReview {
    pub change: ReviewedChange,
    /// `the uncommitted changes`
    pub name: String,
    pub report: Box<ReviewReport>,
    /// Commits of the change; 0 where it has none.
    pub commits: usize,
}

/// Answers a question about one's own change; `None` for any other.
pub(in crate::ask::answer) fn own_change(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    if let Some(answer) = added::of_added(reading, understood)? {
        return Ok(Some(answer));
    }
    if let Some(answer) = gone(reading, understood)? {
        return Ok(Some(answer));
    }
    let Some(own) = &understood.own else { return Ok(None) };
    // A word that git does not know is no revision.
    let renamed = match &own.revision {
        Some(revision) if !is_known(reading, revision) => match with_other_default(reading, own, revision) {
            Some(own) => Some(own),
            None => return Ok(None),
        },
        _ => None,
    };
    let own = renamed.as_ref().unwrap_or(own);
    let names = match &own.against {
        Some(against) => match judged::meant(reading, understood, against) {
            Some(names) => names,
            None => return Ok(None),
        },
        None => Vec::new(),
    };
    let limit = if names.is_empty() { limit(reading, understood, own) } else { Some(PartOfChange::Nothing) };
    let Some(limit) = limit else { return Ok(None) };
    let understood = understood.clone().of_own_change(own);
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    if work::of_git(reading, own, &understood.words, &mut answer) {
        return Ok(Some(answer));
    }
    if let Some(headline) = work::tracked(reading, own, &understood.words) {
        (answer.headline, answer.command) = (headline, "git status".to_owned());
        return Ok(Some(answer));
    }
    let is_lost = own.against.as_ref().is_some_and(|against| against.by == Judgement::Lost);
    // Of a file without tests only the adaptation is asked for: `does cart.py need an update`.
    if let (OfChange::Tests, PartOfChange::Files(paths, _)) = (own.first(), &limit)
        && own.yes != Proposition::Adapted
        && !paths.iter().any(|path| work::is_of_tests(path))
    {
        return Ok(None);
    }
    let review = match reviewed(reading, own, &understood.words) {
        Ok(review) => review,
        Err(_) if is_lost => return Ok(None),
        // The history of a file has fewer commits than `the last 9 commits`, and tells them.
        Err(missing) if matches!(limit, PartOfChange::Files(..)) && missing.message.contains("names no commit") => {
            return Ok(None);
        }
        Err(missing) => {
            answer.headline = whether(reading, own, None) + &missing.message;
            answer.completeness = Completeness::Unknown;
            answer.command = missing.hint;
            return Ok(Some(answer));
        }
    };
    // Without a change of one's own, the question is one about the repository.
    let names_what = own.kind.is_some() || own.against.is_some();
    if own.is_bare && names_what && review.report.files == 0 {
        return Ok(None);
    }
    answer.command = command(&review.change, own.first());
    answer.bound(review.report.completeness, review.report.boundaries.iter().cloned());
    say_aside(reading, &review, &mut answer);
    if own.work == Some(OfWork::Commits) {
        work::commits(reading, &review, &understood.words, &mut answer);
        return Ok(Some(answer));
    }
    if own.work == Some(OfWork::Size) {
        work::size(reading, own, &review, &mut answer);
        return Ok(Some(answer));
    }
    if new_tests::of_kinds(reading, (own, &understood), &review, &mut answer)? {
        return Ok(Some(answer));
    }
    if let (OfChange::Tests, PartOfChange::Files(paths, word)) = (own.first(), &limit) {
        new_tests::within(reading, own, &review, (paths, word), &mut answer)?;
        return Ok(Some(answer));
    }
    if let Some(against) = &own.against {
        let is_answered = judged::against(reading, own, against, (&names, &understood.words), &review, &mut answer)?;
        return Ok(is_answered.then_some(answer));
    }
    let words = &understood.words;
    if to_run::of_docstrings(own, &review, words, &mut answer) {
        return Ok(Some(answer));
    }
    if own.within.is_some() && own.first() == OfChange::Breaks && review.report.files > 0 {
        judged::damage(own, &review, &limit, &mut answer);
        return Ok(Some(answer));
    }
    let edit = AskedEdit::of(words);
    let is_of_use = own.first() == OfChange::Users
        || own.first() == OfChange::Breaks && matches!(edit, Some(AskedEdit::Removed | AskedEdit::Renamed));
    if is_of_use {
        judged::users(reading, own, &review, words, &mut answer)?;
        return Ok(Some(answer));
    }
    if own.first() == OfChange::Affected && review.report.files > 0 {
        if let Some(kind) = &own.kind {
            kinds::affected(reading, own, (kind, &limit), &review, &mut answer)?;
        } else {
            judged::affected(reading, own, &review, words, &mut answer)?;
        }
        return Ok(Some(answer));
    }
    let is_of_edits = matches!(limit, PartOfChange::Nothing | PartOfChange::Edits(_));
    let is_whether = matches!(own.yes, Proposition::Exists | Proposition::Clean);
    if own.first() == OfChange::Changed && work::asks_for_files(words) && is_of_edits && !is_whether {
        work::files_changed(reading, &review, (edit, words), &mut answer);
        return Ok(Some(answer));
    }
    if limit != PartOfChange::Nothing {
        let is_told = limited(reading, own, &review, (&limit, &understood.words), &mut answer)?;
        return Ok(is_told.then_some(answer));
    }
    if review.report.files == 0 {
        let others = work::files(reading, &review);
        let word = match own.yes {
            Proposition::Exists | Proposition::Clean => whether(reading, own, Some(&review)),
            asked => asked.word(Proposition::Changed, Some(!others.is_empty())).to_owned(),
        };
        answer.headline = word + &nothing_differs(reading, own, &review);
        let is_committed = matches!(review.change, ReviewedChange::Unpushed | ReviewedChange::Range(_));
        if !is_committed && !others.is_empty() {
            let (files, differ) =
                (count(others.len(), "other file"), if others.len() == 1 { "differs" } else { "differ" });
            let named = first_in_words(others.into_iter().map(|file| file.path), MAX_NAMED);
            answer.headline += &format!("; {files} {differ} ({named})");
        }
        return Ok(Some(answer));
    }
    answer.headline = whether(reading, own, Some(&review)) + &headline(own, &review, &understood.words);
    list(reading, own, &review, &understood.words, &mut answer)?;
    Ok(Some(answer))
}

/// The beginning of the answer to whether there is a change: it need be in no Python file, and there need be no commit.
fn whether(reading: AnswerInputs, own: &OwnQuestion, review: Option<&OwnReview>) -> String {
    let (some, none) = match own.yes {
        Proposition::Exists => ("yes", "no"),
        Proposition::Clean => ("no", "yes"),
        _ => return String::new(),
    };
    let files = |counts: fn(&str) -> bool| {
        let status = (reading.git)(&["status", "--porcelain"]).unwrap_or_default();
        status.lines().filter(|line| counts(line)).count()
    };
    let (number, noun, rest) = match own.change {
        OwnChange::Unpushed => (review.map_or(0, |review| review.commits), "commit", "to be pushed"),
        OwnChange::Staged => (files(|line| !line.is_empty() && !line.starts_with([' ', '?'])), "file", "staged"),
        OwnChange::Unstaged => (files(is_unstaged), "file", "not staged"),
        _ => (files(|line| !line.trim().is_empty()), "file", "not committed"),
    };
    let are = if number == 1 { "is" } else { "are" };
    match (number, review) {
        (0, None) if own.change == OwnChange::Unpushed => String::new(),
        (0, None) => format!("{none}: "),
        (0, Some(review)) if review.report.files == 0 || own.change == OwnChange::Unstaged => format!("{none}: "),
        (0, Some(_)) => format!("{some}: "),
        (number, _) => format!("{some}: {} {are} {rest}; ", count(number, noun)),
    }
}

/// Whether a line of `git status --porcelain` tells of a file that differs from git's index.
fn is_unstaged(line: &str) -> bool {
    line.chars().nth(1).is_some_and(|state| state != ' ')
}

/// Whether git knows a revision.
fn is_known(reading: AnswerInputs, revision: &str) -> bool {
    (reading.git)(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
        .is_some_and(|id| !id.trim().is_empty())
}

/// The question with the other usual name of the default branch, where git knows just that one.
fn with_other_default(reading: AnswerInputs, own: &OwnQuestion, revision: &str) -> Option<OwnQuestion> {
    let other = match revision.rsplit('/').next()? {
        "main" => revision.replace("main", "master"),
        "master" => revision.replace("master", "main"),
        _ => return None,
    };
    let OwnChange::Range(range) = &own.change else { return None };
    let change = OwnChange::Range(range.replace(revision, &other));
    is_known(reading, &other).then(|| OwnQuestion { change, revision: Some(other), ..own.clone() })
}

/// The review of the change that the question means.
fn reviewed(reading: AnswerInputs, own: &OwnQuestion, words: &[String]) -> Result<OwnReview, NotReviewed> {
    match &own.change {
        OwnChange::Uncommitted => uncommitted(reading),
        OwnChange::Unstaged => {
            let report = Box::new((reading.reviewed)(&ReviewedChange::Unstaged)?);
            let name = "the unstaged changes".to_owned();
            Ok(OwnReview { change: ReviewedChange::Unstaged, name, report, commits: 0 })
        }
        OwnChange::Staged => staged(reading),
        OwnChange::Unpushed => {
            let commits = unpushed(reading, words)?;
            // Tests before a push are those of the work that will be in it; since a push, all work is new.
            let is_since = words.iter().any(|word| word == "since");
            if (own.first() == OfChange::Tests || is_since) && commits.commits == 0 {
                let worktree = uncommitted(reading)?;
                if worktree.report.files > 0 {
                    let name = format!("{}, as no commit is to be pushed", worktree.name);
                    return Ok(OwnReview { name, ..worktree });
                }
            }
            Ok(commits)
        }
        OwnChange::Since(time) => since(reading, time),
        OwnChange::Range(range) => {
            let of_branch = of_named_branch(reading, range, words);
            let commits = of_range(reading, of_branch.as_ref().unwrap_or(range))?;
            // `compare my changes with main`: what is not committed differs too.
            if commits.commits == 0 && !range.contains("..") {
                let worktree = uncommitted(reading)?;
                if worktree.report.files > 0 {
                    let name = format!("{}, as no commit is on top of {range}", worktree.name);
                    return Ok(OwnReview { name, ..worktree });
                }
            }
            Ok(commits)
        }
        OwnChange::NextCommit => {
            let staged = staged(reading)?;
            if staged.report.files > 0 { Ok(staged) } else { uncommitted(reading) }
        }
        OwnChange::Own => {
            let mut worktree = uncommitted(reading)?;
            if worktree.report.files > 0 {
                return Ok(worktree);
            }
            match unpushed(reading, &[]) {
                Ok(commits) if commits.report.files > 0 => {
                    let name = format!("{}, as no Python file differs from HEAD", commits.name);
                    Ok(OwnReview { name, ..commits })
                }
                Ok(commits) => {
                    worktree.commits = commits.commits;
                    Ok(worktree)
                }
                Err(missing) => {
                    let command = "`repoidx review HEAD~1..HEAD` reviews the last commit";
                    Err(NotReviewed {
                        message: format!("no Python file differs from HEAD, and {}; {command}", missing.message),
                        hint: "repoidx review HEAD~1..HEAD".to_owned(),
                    })
                }
            }
        }
    }
}

/// The commits of a branch that the question names, from where it left the default branch. A branch to be merged is
/// compared with `HEAD`, unless it is checked out.
fn of_named_branch(reading: AnswerInputs, range: &str, words: &[String]) -> Option<String> {
    let branch = range.strip_prefix("HEAD...")?;
    let merges = words.iter().any(|word| is_in("merge merged merging", word));
    let is_checked_out = abbreviated(reading, "HEAD").is_some_and(|head| head == branch);
    if merges && !is_checked_out {
        return None;
    }
    let base = default_branch(reading).filter(|base| base.rsplit('/').next() != Some(branch))?;
    Some(format!("{base}...{branch}"))
}

/// A revision as git calls it: `origin/main` for `@{upstream}`.
fn abbreviated(reading: AnswerInputs, revision: &str) -> Option<String> {
    let name = (reading.git)(&["rev-parse", "--abbrev-ref", revision])?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The default branch, in the order in which a review looks for it.
fn default_branch(reading: AnswerInputs) -> Option<String> {
    let usual = ["origin/main", "origin/master", "main", "master", "develop"];
    let remote = || abbreviated(reading, "origin/HEAD").filter(|_| is_known(reading, "origin/HEAD"));
    remote().or_else(|| usual.iter().find(|name| is_known(reading, name)).map(|name| (*name).to_owned()))
}

/// The state from which a push starts: the upstream branch or, without one, the default branch.
pub(super) fn base_of_push(reading: AnswerInputs) -> Option<String> {
    let upstream = || abbreviated(reading, "@{upstream}").filter(|_| is_known(reading, "@{upstream}"));
    upstream().or_else(|| default_branch(reading))
}

/// Everything since a time: the commits or, without one, all that is not committed.
fn since(reading: AnswerInputs, time: &str) -> Result<OwnReview, NotReviewed> {
    let before = (reading.git)(&["rev-list", "-n", "1", &format!("--before={time}"), "HEAD"]);
    let base = before.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    let time = time.trim_end_matches(" 00:00");
    match base {
        Some(base) if commits_between(reading, &base, "HEAD") > 0 => {
            let short: String = base.chars().take(8).collect();
            let review = of_range(reading, &format!("{short}..HEAD"))?;
            let name = format!("the {} since {time}", counted(review.commits));
            Ok(OwnReview { name, ..review })
        }
        _ => {
            let worktree = uncommitted(reading)?;
            let name = format!("{}, as no commit is younger than {time}", worktree.name);
            Ok(OwnReview { name, ..worktree })
        }
    }
}

pub(super) fn uncommitted(reading: AnswerInputs) -> Result<OwnReview, NotReviewed> {
    let report = Box::new((reading.reviewed)(&ReviewedChange::Worktree)?);
    Ok(OwnReview { change: ReviewedChange::Worktree, name: "the uncommitted changes".to_owned(), report, commits: 0 })
}

fn staged(reading: AnswerInputs) -> Result<OwnReview, NotReviewed> {
    let report = Box::new((reading.reviewed)(&ReviewedChange::Staged)?);
    Ok(OwnReview { change: ReviewedChange::Staged, name: "the staged changes".to_owned(), report, commits: 0 })
}

/// The commits to be pushed; for a branch without any, those that the default branch lacks.
pub(super) fn unpushed(reading: AnswerInputs, words: &[String]) -> Result<OwnReview, NotReviewed> {
    let report = (reading.reviewed)(&ReviewedChange::Unpushed).map_err(|missing| NotReviewed {
        message: format!("the commits to be pushed are not known: {}", missing.message),
        hint: if missing.hint.starts_with("repoidx ") {
            missing.hint
        } else {
            "repoidx review HEAD~1..HEAD".to_owned()
        },
    })?;
    let commits = commits_between(reading, &report.base_commit, "HEAD");
    if commits == 0 && words.iter().any(|word| word == "branch") {
        let default = (reading.git)(&["rev-parse", "--abbrev-ref", "origin/HEAD"]);
        let base = default.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        if let Some(base) = base.filter(|base| commits_between(reading, base, "HEAD") > 0) {
            let report = Box::new((reading.reviewed)(&ReviewedChange::Range(base.clone()))?);
            let commits = commits_between(reading, &report.base_commit, "HEAD");
            let name = format!("the {} since {base}", counted(commits));
            return Ok(OwnReview { change: ReviewedChange::Range(base), name, report, commits });
        }
    }
    let mut report = report;
    if report.base == "@{upstream}"
        && let Some(name) = (reading.git)(&["rev-parse", "--abbrev-ref", "@{upstream}"])
    {
        name.trim().clone_into(&mut report.base);
    }
    let name = format!("the {} to be pushed ({}..HEAD)", counted(commits), report.base);
    Ok(OwnReview { change: ReviewedChange::Unpushed, name, report: Box::new(report), commits })
}

/// `commit`, or `3 commits`: behind `the`.
fn counted(commits: usize) -> String {
    if commits == 1 { "commit".to_owned() } else { count(commits, "commit") }
}

fn of_range(reading: AnswerInputs, range: &str) -> Result<OwnReview, NotReviewed> {
    let change = ReviewedChange::Range(range.to_owned());
    let report = Box::new((reading.reviewed)(&change).map_err(|missing| NotReviewed {
        message: match range {
            "HEAD~1..HEAD" => "the last commit cannot be reviewed: no commit before it is here".to_owned(),
            STASH => "nothing is stashed".to_owned(),
            _ => format!("`{range}` cannot be reviewed: {}", missing.message),
        },
        hint: "git log --oneline".to_owned(),
    })?);
    let head = report.head_commit.clone().unwrap_or_else(|| "HEAD".to_owned());
    let commits = commits_between(reading, &report.base_commit, &head);
    let subject = (reading.git)(&["log", "-n", "1", "--format=%h %s", &head]).unwrap_or_default();
    let name = match commits {
        _ if range == STASH => format!("the stash ({})", subject.trim().split_once(' ').map_or("", |(_, rest)| rest)),
        _ if range == "HEAD~1..HEAD" => format!("the last commit ({})", subject.trim()),
        1 => format!("the commit ({})", subject.trim()),
        commits => {
            let joint = if range.contains("..") { "of" } else { "since" };
            format!("the {} {joint} {range}", counted(commits))
        }
    };
    Ok(OwnReview { change, name, report, commits })
}

pub(super) fn commits_between(reading: AnswerInputs, base: &str, head: &str) -> usize {
    let counted = (reading.git)(&["rev-list", "--count", &format!("{base}..{head}")]);
    counted.and_then(|number| number.trim().parse().ok()).unwrap_or_default()
}

/// The command that says the same.
pub(super) fn command(change: &ReviewedChange, asked: OfChange) -> String {
    let change = match change {
        ReviewedChange::Worktree | ReviewedChange::Unstaged => " --worktree".to_owned(),
        ReviewedChange::Staged => " --staged".to_owned(),
        ReviewedChange::Unpushed => String::new(),
        ReviewedChange::Range(range) => format!(" {}", shell_word(range)),
    };
    let tests = if asked == OfChange::Tests { " --tests" } else { "" };
    format!("repoidx review{change}{tests}")
}

/// Notes that there are changes besides the reviewed one.
fn say_aside(reading: AnswerInputs, review: &OwnReview, answer: &mut Answer) {
    match review.change {
        ReviewedChange::Worktree if review.report.files > 0 => {
            let base = base_of_push(reading).unwrap_or_default();
            let unpushed = commits_between(reading, &base, "HEAD");
            if unpushed > 0 {
                let are = if unpushed == 1 { "is" } else { "are" };
                let commits = count(unpushed, "commit");
                answer.plan.notes.push(format!("{commits} to be pushed {are} no part of this: `repoidx review`"));
            }
        }
        ReviewedChange::Staged if review.report.files > 0 => {}
        ReviewedChange::Staged | ReviewedChange::Unpushed => {
            if review.change == ReviewedChange::Unpushed && !is_known(reading, "@{upstream}") {
                let base = &review.report.base;
                answer.plan.notes.push(format!("HEAD has no upstream branch: its commits are compared with {base}"));
            }
            let status = (reading.git)(&["status", "--porcelain", "--", "*.py", "*.pyi"]).unwrap_or_default();
            let files = status.lines().filter(|line| !line.trim().is_empty()).count();
            let are = if files == 1 { "is" } else { "are" };
            if files > 0 {
                let command = "`repoidx review --worktree` compares all that is not committed";
                answer.plan.notes.push(format!("{} {are} not committed yet: {command}", count(files, "file")));
            }
        }
        ReviewedChange::Range(ref range) if !range.contains("..") || range.ends_with("..HEAD") => {
            let status = (reading.git)(&["status", "--porcelain", "--", "*.py", "*.pyi"]).unwrap_or_default();
            let files = status.lines().filter(|line| !line.trim().is_empty()).count();
            let are = if files == 1 { "is" } else { "are" };
            if files > 0 {
                let command = "`repoidx review --worktree` compares these";
                let files = count(files, "file");
                answer.plan.notes.push(format!("{files} {are} not committed yet and no part of this: {command}"));
            }
        }
        ReviewedChange::Worktree | ReviewedChange::Unstaged | ReviewedChange::Range(_) => {}
    }
}

/// The headline of a change without a Python file.
pub(super) fn nothing_differs(reading: AnswerInputs, own: &OwnQuestion, review: &OwnReview) -> String {
    let are = |commits: usize| if commits == 1 { "is" } else { "are" };
    match (&review.change, &own.change, review.commits) {
        (ReviewedChange::Worktree, OwnChange::Own, 0) => {
            "no Python file differs from HEAD, and no commit is to be pushed".to_owned()
        }
        (ReviewedChange::Worktree, OwnChange::Own, commits) => {
            let pushed =
                format!("{} {} to be pushed and change no Python file", count(commits, "commit"), are(commits));
            let pushed = if commits == 1 { pushed.replace("change no", "changes no") } else { pushed };
            format!("no Python file differs from HEAD; {pushed}")
        }
        (ReviewedChange::Worktree, OwnChange::Since(time), _) => {
            let time = time.trim_end_matches(" 00:00");
            format!("no Python file differs from HEAD, and no commit is younger than {time}")
        }
        (ReviewedChange::Worktree, ..) => {
            "no Python file differs from HEAD: none is changed and not committed".to_owned()
        }
        (ReviewedChange::Unstaged, ..) => "no Python file differs from git's index: none is unstaged".to_owned(),
        (ReviewedChange::Staged, ..) => "no staged Python file differs from HEAD".to_owned(),
        (ReviewedChange::Unpushed, _, 0) => {
            format!("no commit is to be pushed: {} has all of HEAD", review.report.base)
        }
        (ReviewedChange::Range(range), _, 0) => {
            if range.contains("..") {
                return format!("no commit is in {range}, and no Python file differs");
            }
            match commits_between(reading, "HEAD", range) {
                0 => format!("no commit is on top of {range}, and no Python file differs"),
                lacking => {
                    format!("no commit is on top of {range}, which has {} that HEAD lacks", count(lacking, "commit"))
                }
            }
        }
        _ => {
            let is_many = review.name.contains(" commits ");
            format!("no Python file differs: {} {} none", review.name, if is_many { "change" } else { "changes" })
        }
    }
}

fn headline(own: &OwnQuestion, review: &OwnReview, words: &[String]) -> String {
    let report = &review.report;
    let least = if report.completeness == Completeness::Exact { "" } else { ", at least this much" };
    if report.changed.is_empty() && report.findings.is_empty() {
        let files = count(report.files, "Python file");
        let look = if report.files == 1 { "looks" } else { "look" };
        return format!("no definition changed, and nothing breaks: {files} only {look} different in {}", review.name);
    }
    let name = &review.name;
    let extent = extent(report);
    let tests = match report.tests.len() {
        0 => "no known test to run".to_owned(),
        _ => format!("{} to run", report.number_of_tests()),
    };
    match own.first() {
        OfChange::Breaks | OfChange::Affected | OfChange::Users => {
            let different = match report.counts.may_behave_differently {
                0 => String::new(),
                number => format!(", {} may behave differently", count(number, "place")),
            };
            let broken = broken_of_kind(report, words)
                .or_else(|| breakers(report, words))
                .unwrap_or_else(|| broken(report, own.yes));
            let broken = match own.yes {
                Proposition::Another if !broken.contains(": ") => {
                    own.yes.word(Proposition::Broken, None).to_owned() + &broken
                }
                _ => broken,
            };
            format!("{broken} because of {name}: {extent}, {tests}{different}{least}")
        }
        OfChange::Tests => to_run::headline(own, review, words),
        OfChange::Changed => {
            let found = changed_of(report, words);
            let names = first_in_words(
                found.iter().map(|one| format!("`{}`", one.name)).collect::<Vec<_>>().into_iter(),
                MAX_NAMED,
            );
            let is = if asks_for_signatures(words) {
                let yes = own.yes.word(Proposition::Changed, Some(!found.is_empty()));
                match found.len() {
                    0 => format!("{yes}no signature is changed"),
                    all => format!("{yes}{} changed", count(all, "signature")),
                }
            } else if asked_kinds(words).is_some() {
                asked(words, &found)
            } else {
                format!("{} changed in {}", count(report.changed.len(), "definition"), count(report.files, "file"))
            };
            let names = if names.is_empty() { names } else { format!(" ({names})") };
            let is_worded = ["yes: ", "no: "].iter().any(|word| is.starts_with(word));
            let yes = if is_worded { "" } else { own.yes.word(Proposition::Changed, Some(!found.is_empty())) };
            format!("{yes}{is} by {name}{names}; {}, {tests}{least}", broken(report, Proposition::Nothing))
        }
        OfChange::Untested => {
            let are = if report.untested.len() == 1 { "is" } else { "are" };
            let untested = count(report.untested.len(), "changed definition");
            let untested = format!("{untested} of {name} {are} reached by no known test");
            let word = |is_untested: bool| match own.yes {
                // Whether a test is good enough is not known.
                Proposition::NeedsTests if is_untested => "yes: ",
                Proposition::NeedsTests => "perhaps not: ",
                asked => asked.word(Proposition::Untested, Some(is_untested)),
            };
            match (report.untested.is_empty(), own.yes) {
                (false, Proposition::Nothing) => format!("{untested}: {extent}{least}"),
                (false, _) => format!("{}{untested}{least}", word(true)),
                (true, Proposition::Tested | Proposition::NeedsTests) if !report.tests.is_empty() => {
                    let all = format!("a known test reaches each changed definition of {name}");
                    format!("{}{all}: {extent}, {tests}{least}", word(false))
                }
                (true, Proposition::Untested) if !report.tests.is_empty() => {
                    let all = format!("no changed definition of {name} is known to be without a test");
                    format!("no: {all}: {extent}, {tests}{least}")
                }
                (true, _) => format!(
                    "none: no changed definition of {name} is known to be without a test: {extent}, {tests}{least}"
                ),
            }
        }
    }
}

/// The places that break, as a sentence about them begins: `yes: 2 places break, and 1 may break`.
pub(super) fn broken(report: &ReviewReport, yes: Proposition) -> String {
    let counts = &report.counts;
    let places = |number: usize, one: &str, many: &str| match number {
        1 => format!("1 place {one}"),
        number => format!("{} {many}", count(number, "place")),
    };
    match (counts.breaks, counts.may_break) {
        (0, 0) => "nothing is known to break".to_owned(),
        (0, may) => {
            format!("{}{}", yes.word(Proposition::Broken, None), places(may, "may break", "may break"))
        }
        (breaks, may) => {
            let word = yes.word(Proposition::Broken, Some(true));
            let may = if may == 0 { String::new() } else { format!(" and {may} may break") };
            format!("{word}{}{may}", places(breaks, "breaks", "break"))
        }
    }
}

/// The files or definitions that break, where the question asks for these: `2 files break`.
fn broken_of_kind(report: &ReviewReport, words: &[String]) -> Option<String> {
    if !words.first().is_some_and(|word| matches!(word.as_str(), "which" | "what" | "how")) {
        return None;
    }
    let noun = words.iter().skip(1).take(2).find_map(|word| match word.as_str() {
        "file" | "files" => Some("file"),
        "module" | "modules" => Some("module"),
        "function" | "functions" | "method" | "methods" => Some("function"),
        "class" | "classes" => Some("class"),
        _ => None,
    })?;
    let name = |finding: &Finding| match noun {
        "file" | "module" => Some(finding.path.clone()),
        "function" => Some(finding.name.clone()).filter(|_| finding.kind.is_callable()),
        _ => match (finding.kind, finding.name.rsplit_once('.')) {
            (EntityKind::Class, _) => Some(finding.name.clone()),
            (EntityKind::Method | EntityKind::Property, Some((class, _))) => Some(class.to_owned()),
            _ => None,
        },
    };
    let found: BTreeSet<String> = report.of(Verdict::Breaks).filter_map(name).collect();
    let named = first_in_words(found.iter().cloned(), MAX_NAMED);
    let all = broken(report, Proposition::Nothing);
    Some(match found.len() {
        0 => format!("no {noun} is known to break; {all}"),
        1 => format!("1 {noun} breaks ({named}); {all}"),
        number => format!("{} break ({named}); {all}", count(number, noun)),
    })
}

/// The changed definitions that break something, where the question asks which ones do: `which of my changes breaks`.
fn breakers(report: &ReviewReport, words: &[String]) -> Option<String> {
    let is_asked = words.first().is_some_and(|word| word == "which")
        && words.iter().skip(1).take(4).any(|word| is_in("change changes edit edits", word));
    if !is_asked || !words.iter().any(|word| is_in("break breaks incompatible risky", word)) {
        return None;
    }
    let breaking: BTreeSet<String> =
        report.of(Verdict::Breaks).map(|finding| format!("`{}`", finding.entity)).collect();
    let all = broken(report, Proposition::Nothing);
    let number = breaking.len();
    let named = first_in_words(breaking.into_iter(), MAX_NAMED);
    Some(match number {
        0 => format!("no change is known to break something; {all}"),
        1 => format!("the change of {named} breaks something; {all}"),
        number => format!("the changes of {number} definitions break something ({named}); {all}"),
    })
}

/// `2 changed definitions in 1 file`
pub(super) fn extent(report: &ReviewReport) -> String {
    format!("{} in {}", count(report.changed.len(), "changed definition"), count(report.files, "file"))
}

/// The changed definitions of the kind that the question asks for.
fn changed_of<'r>(report: &'r ReviewReport, words: &[String]) -> Vec<&'r ChangedEntity> {
    let kinds: Option<&[EntityKind]> = asked_kinds(words).map(|(_, kinds)| kinds);
    // A class changes with its methods.
    let is_part = |one: &ChangedEntity, kinds: &[EntityKind]| {
        kinds.contains(&EntityKind::Class) && matches!(one.kind, EntityKind::Method | EntityKind::Property)
    };
    let is_of_signature = |one: &ChangedEntity| !asks_for_signatures(words) || one.edits.iter().any(is_of_signature);
    let is_asked = |one: &&ChangedEntity| {
        is_of_signature(one) && kinds.is_none_or(|kinds| kinds.contains(&one.kind) || is_part(one, kinds))
    };
    report.changed.iter().filter(is_asked).collect()
}

fn asks_for_signatures(words: &[String]) -> bool {
    words.iter().any(|word| matches!(word.as_str(), "signature" | "signatures"))
}

/// The number of what the question asks for: `2 functions changed`.
fn asked(words: &[String], found: &[&ChangedEntity]) -> String {
    let noun = asked_kinds(words).map_or("definition", |(noun, _)| noun);
    if found.is_empty() {
        return format!("no {noun} is changed");
    }
    if noun == "class" {
        let owner = |one: &&ChangedEntity| match (one.kind, one.name.rsplit_once('.')) {
            (EntityKind::Method | EntityKind::Property, Some((owner, _))) => owner.to_owned(),
            _ => one.name.clone(),
        };
        let owners: BTreeSet<String> = found.iter().map(owner).collect();
        return format!("{} changed", count(owners.len(), noun));
    }
    format!("{} changed", count(found.len(), noun))
}

/// Lists what the question asks for first, and then the rest of the review.
fn list(
    reading: AnswerInputs,
    own: &OwnQuestion,
    review: &OwnReview,
    words: &[String],
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let report = &review.report;
    let mut order = own.asks.clone();
    for one in [OfChange::Breaks, OfChange::Changed, OfChange::Tests, OfChange::Untested] {
        if !order.contains(&one) {
            order.push(one);
        }
    }
    for one in order {
        match one {
            OfChange::Affected | OfChange::Users => {}
            OfChange::Breaks => {
                for (verdict, title) in [
                    (Verdict::Breaks, "places that break"),
                    (Verdict::MayBreak, "places that may break"),
                    (Verdict::MayBehaveDifferently, "places that may behave differently"),
                ] {
                    let rows: Vec<ListRow> = report.of(verdict).map(place).collect();
                    answer.list(format!("{title} ({})", rows.len()), rows);
                }
                let expected: Vec<ListRow> = report.expected.iter().map(|one| place(&one.finding)).collect();
                answer.list(format!("places whose break is expected ({})", expected.len()), expected);
            }
            OfChange::Changed => {
                let rows: Vec<ListRow> = changed_of(report, words).into_iter().map(ListRow::of_change).collect();
                answer.list(format!("changed definitions ({})", rows.len()), rows);
            }
            OfChange::Tests => to_run::list(reading, review, words, answer)?,
            OfChange::Untested => {
                let mut rows = Vec::new();
                for name in &report.untested {
                    rows.push(match look_up(reading.store, name, "")? {
                        TargetMatch::Found(target) => ListRow::of(target.main()),
                        _ => ListRow { name: name.clone(), ..ListRow::default() },
                    });
                }
                answer.list(format!("changed definitions that no test is known to reach ({})", rows.len()), rows);
            }
        }
    }
    for one in report.changed.iter().take(MAX_SHOWN) {
        if let Some(entity) = at_path(reading.store, &one.name, &one.path)? {
            answer.want(&entity, "changed", false);
        }
    }
    for finding in report.of(Verdict::Breaks).chain(report.of(Verdict::MayBreak)).take(MAX_SHOWN) {
        if let Some(entity) = at_path(reading.store, &finding.name, &finding.path)? {
            answer.want(&entity, "uses what changed", true);
        }
    }
    Ok(())
}

/// The row of a place that refers to a changed definition.
pub(super) fn place(finding: &Finding) -> ListRow {
    ListRow {
        name: finding.name.clone(),
        kind: finding.kind.as_str(),
        path: finding.path.clone(),
        line: finding.line,
        note: finding.reason.clone(),
        ..ListRow::default()
    }
}

/// The row of a test, under its id.
pub(super) fn test_row(reading: AnswerInputs, id: &str) -> Result<ListRow, StoreError> {
    let path = id.split("::").next().unwrap_or(id).to_owned();
    Ok(match look_up(reading.store, id, "")? {
        TargetMatch::Found(target) => ListRow { name: id.to_owned(), ..ListRow::of(target.main()) },
        _ => ListRow { name: id.to_owned(), kind: "test", path, line: 1, ..ListRow::default() },
    })
}
