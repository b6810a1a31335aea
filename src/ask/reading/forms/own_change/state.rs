//! The change that a question speaks of: the uncommitted one, the staged one, that of a branch or between two states.

use crate::ask::reading::{
    forms::{
        own_change::{OfChange, OfWork, OwnChange, OwnQuestion, grammar::Worded},
        patterns::{Phrase, number},
    },
    words::is_in,
};

/// The two states that differ by the last stash.
pub const STASH: &str = "stash^1..stash";
const STASHED: &str = "my/our/the/a/last/latest/this stash | stashed change/changes/edit/edits/work/code/diff | i/we stashed | the stashed | in/of/by/from stash | apply*/pop*/restore* .. stash | ^ which/what ... stashed";
/// Usual names of branches.
const BRANCHES: &str = "dev develop main master stable trunk";
/// Commits that one of two branches has, and the other has not.
pub(super) const AGAINST_BASE: &str = "behind/ahead/conflict*/sync/up | commits ... branch/i/we | commits .. on/in";
/// Times since which something changed: the words of the question, and the time as git reads it.
const TIMES: [(&str, &str); 12] = [
    ("since yesterday | yesterday", "yesterday 00:00"),
    ("today | since this morning | this morning", "today 00:00"),
    ("last/past week | since a week | a week ago", "7 days ago 00:00"),
    ("this week", "last sunday 00:00"),
    ("last/past month | a month ago", "1 month ago"),
    ("since monday", "last monday 00:00"),
    ("since tuesday", "last tuesday 00:00"),
    ("since wednesday", "last wednesday 00:00"),
    ("since thursday", "last thursday 00:00"),
    ("since friday", "last friday 00:00"),
    ("last/past hour", "1 hour ago"),
    ("last/past 24 hours", "24 hours ago"),
];
pub(super) const OF_TIMES: &str =
    "yesterday today morning week month monday tuesday wednesday thursday friday hour hours day days ago";
/// Whether a file or definition is in a commit.
const COMMITTED: &str = "^ is/are § .. committed & !not/anywhere";
const STAGED: &str = "staged & !not staged | next commit | git index | in .. staging | about to commit";
const NEXT_COMMIT: &str = "to commit | before/of/by/when committing | if/when/before/once/can/could/should/may/shall/will i/we .. commit | if/when/before/once i/we committed";
const UNSTAGED: &str = "unstaged | not .. staged";
const UNCOMMITTED: &str = "uncommitted | tree/copy/directory/worktree/repository/repo/checkout .. clean/dirty | clean/dirty .. tree/copy/directory/worktree/checkout | committed everything/all | commit everything/all | everything .. committed | pending | not .. committed | working tree/copy/directory | worktree | local change*/edit*/modification*/diff";
const UNPUSHED: &str = "my/our/this push | the/last push & !call*/use/uses/function/method | since .. push | before/after/with/by the/my/our/this/next push | commits/commit/branch .. pushed | unpushed | outgoing | everything .. pushed | pushed everything/all | be/not/yet pushed | to push/merge | if/when/before/once/after/can/could/should/may/shall/will i/we .. push/pushed \
     | before/of/by/when/after pushing/merging | ^ would/will/could/does pushing/merging | i/we push/pushed | i/we .. merge/merged $ | i/we .. merge/merged my/our/this/it/now/safely/branch | merge/merged the branch/pr | my/our/local/these commits | my/our/this/current/whole .. branch | in/on the branch | pull/merge request | my/our/this/the/current pr/mr";
const OWN: &str = "my/our/the deletion/deletions/removal/removals/rename/renames/move/moves | my/our .. deletion/deletions/removal/removals/renames/moves | my/our/these/those/this/current/latest/recent .. change/changes/diff/diffs/edit/edits/modification/modifications/patch/work/refactoring/changeset/wip \
     | change/changes/edits/modifications i/we | did/have/do/does i/we .. break/broken/broke/fail/hurt/affect/affected/cause/harm/damage/change/changed/modify/modified/edit/edited/touch/touched/add/added/remove/removed/rename/renamed/delete/deleted/move/moved/do/done/introduce/write/written \
     | i/we .. changed/modified/edited/touched/broke/broken/wrote/added/removed/renamed/deleted/did/moved | the work i/we | my/our code .. break/breaks \
     | the/all/any .. changed/modified/edited/touched/removed/deleted/renamed/moved/added functions/methods/classes/definitions/files/modules/code/tests/signatures/function/method/class/file/module \
     | ^ which/what new/added functions/methods/classes/definitions .. no/not/untested/without/lack \
     | ^ list/show/which/what changed/modified/edited/touched functions/methods/classes/definitions/files/modules/signatures \
     | ^ which/what functions/methods/classes/definitions/files/modules/signatures are/were changed/modified/edited/touched $";
/// Nothing but what is not committed is younger than the last commit.
const SINCE_COMMIT: &str = "since .. my/our/the last/latest/previous/newest commit | after .. my/our/the last/latest/previous/newest commit | since last commit";
const LAST_COMMITS: &str =
    "my/our commit | last/latest/previous/recent/newest commit/commits | last/latest/previous/past/recent # commits";

/// The change of which the words of a question speak.
pub(super) enum SpokenChange {
    Of(OwnChange),
    /// No word speaks of one.
    Nothing,
    /// The history is asked for.
    Another,
}

/// Finds the change of a question that is read but for it.
pub(super) fn spoken(own: &OwnQuestion, worded: &Worded, needs_sign: bool) -> SpokenChange {
    let phrase = &worded.phrase;
    let revisions: Vec<String> = worded.revisions.iter().map(|(_, word)| word.clone()).collect();
    let time = time(phrase);
    let change = match range(phrase, &revisions) {
        _ if own.work.is_none() && revisions.is_empty() && worded.is_of_stash && phrase.has(STASHED) => {
            OwnChange::Range(STASH.to_owned())
        }
        _ if phrase.has(SINCE_COMMIT) && revisions.is_empty() => OwnChange::Uncommitted,
        None if own.work == Some(OfWork::Commits) => OwnChange::Unpushed,
        Some(_) if is_of_history(own, phrase, &revisions) => return SpokenChange::Another,
        // Nothing but what is not committed differs from `HEAD`.
        Some(range) if range == "HEAD" => OwnChange::Uncommitted,
        Some(range) => OwnChange::Range(range),
        // Without a person the history is asked for.
        None if time.is_some() && !phrase.has("i/we/my/our") => return SpokenChange::Another,
        None if time.is_some() => OwnChange::Since(time.unwrap_or_default()),
        None if phrase.has(UNSTAGED) => OwnChange::Unstaged,
        None if phrase.has(STAGED) => OwnChange::Staged,
        None if phrase.has("uncommitted & !unpushed/plus/and/or") || phrase.has(COMMITTED) => OwnChange::Uncommitted,
        None if phrase.has(NEXT_COMMIT) => OwnChange::NextCommit,
        None if phrase.has(UNPUSHED) => OwnChange::Unpushed,
        None if phrase.has(UNCOMMITTED) => OwnChange::Uncommitted,
        None if phrase.has(OWN) || own.within.is_some() || own.is_of_tests || !needs_sign => OwnChange::Own,
        None => return SpokenChange::Nothing,
    };
    SpokenChange::Of(change)
}

/// The time since which something changed, as git reads it.
pub(super) fn time(phrase: &Phrase) -> Option<String> {
    TIMES.iter().find(|(words, _)| phrase.has(words)).map(|(_, time)| (*time).to_owned())
}

/// Whether the commits themselves are the answer, and no difference: `what changed in the last commit`.
fn is_of_history(own: &OwnQuestion, phrase: &Phrase, revisions: &[String]) -> bool {
    let is_of_commits = revisions.is_empty()
        && own.within.is_none()
        && own.against.is_none()
        && !phrase.has("my/our")
        && phrase.has("changed in | ^ list/show .. last/latest/newest .. commits")
        && !phrase.has("signature/signatures");
    // Of a release the commits are asked for, of a branch the difference.
    let is_branch = |name: &String| name.contains('/') || is_in(BRANCHES, name);
    let is_of_release = phrase.has("^ what/which ... changed since & !i/we/my/our")
        && own.revision.as_ref().is_some_and(|name| !is_branch(name));
    own.asks == [OfChange::Changed] && (is_of_commits || is_of_release)
}

/// Whether a word can be nothing but a revision: `HEAD~1`, `main..HEAD`, `@{u}`, the digits of a commit.
pub(super) fn is_revision(word: &str) -> bool {
    if word.starts_with('-') {
        return false;
    }
    let is_id = (7..=40).contains(&word.len())
        && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && word.bytes().any(|byte| byte.is_ascii_digit());
    let is_range =
        word.split_once("..").is_some_and(|(from, to)| !(from.is_empty() && to.trim_matches('.').is_empty()));
    let of_head = word.strip_prefix("HEAD").or_else(|| word.strip_prefix('@'));
    is_id
        || is_range
        || of_head.is_some_and(|rest| rest.is_empty() && word == "HEAD" || rest.starts_with(['~', '^', '@', '{']))
}

/// Whether the words around say that a word is a revision: `since v1.0`, `the branch feature`.
pub(super) fn is_behind_sign(phrase: &Phrase, at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| phrase.words.get(at)).map(String::as_str).unwrap_or_default();
    let before = word(at.checked_sub(1));
    // `what did I remove from cart.py`
    if phrase.words[at].starts_with('-') || phrase.words[at].ends_with(".py") {
        return false;
    }
    let is_compared = is_in("to with", before) && phrase.has("compar* | diff/difference/differences/differ*");
    let is_second = before == "and" && phrase.has("between/compare");
    let is_followed = phrase.has("branch/i/we/commits")
        && (is_in("behind of with on in", before) && phrase.has(AGAINST_BASE) && is_usual_branch(&phrase.words[at])
            || before == "that" && is_usual_branch(&phrase.words[at]));
    is_compared
        || is_second
        || is_followed
        || is_in("since against branch merge merging merged tag from vs versus between", before)
        || word(Some(at + 1)) == "branch"
}

/// Whether a branch is usually called so.
fn is_usual_branch(word: &str) -> bool {
    is_in(BRANCHES, word) || ["origin/", "upstream/"].iter().any(|remote| word.starts_with(remote))
}

/// The two states that the question names.
fn range(phrase: &Phrase, revisions: &[String]) -> Option<String> {
    if let [first, second] = revisions {
        // Of `HEAD and main` the work on HEAD is asked for.
        let is_back = first == "HEAD" && !second.starts_with("HEAD");
        return Some(if is_back { second.clone() } else { format!("{first}..{second}") });
    }
    // `what differs between this branch and main`
    if let [base] = revisions
        && !base.contains("..")
        && phrase.has("between/compare/compared & my/our/this/the/current .. branch | between/compare/compared & my/our/these .. changes/work/commits")
    {
        return Some(base.clone());
    }
    if let Some(one) = revisions.first().filter(|one| is_usual_branch(one) && phrase.has(AGAINST_BASE)) {
        return Some(one.clone());
    }
    if let Some(one) = revisions.first() {
        let merges =
            phrase.has("branch/merge/merging/merged § | § branch") && !phrase.has("since/against/from/than/with/to §");
        return Some(match one {
            range if range.contains("..") => range.clone(),
            base if phrase.has("since/against/from/than/with/to/after/vs/versus §")
                && (phrase.has("since/after/against §") || !phrase.has("commit/in/of/by §")) =>
            {
                base.clone()
            }
            branch if merges => format!("HEAD...{branch}"),
            commit => format!("{commit}~1..{commit}"),
        });
    }
    if phrase.has(
        "commit before the last/latest/previous | commit before last | second/next last commit | penultimate commit",
    ) {
        return Some("HEAD~2..HEAD~1".to_owned());
    }
    let (start, end) = phrase.place(LAST_COMMITS)?;
    let commits = phrase.words[start..end].iter().find_map(|word| number(word)).unwrap_or(1);
    Some(format!("HEAD~{commits}..HEAD"))
}
