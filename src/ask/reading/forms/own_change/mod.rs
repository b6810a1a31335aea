//! Questions about a change of one's own: `what do my changes break?`, `is it safe to push?`.
//!
//! A small grammar with two parts: whose change, and what is asked about it. Every word must be one of the grammar or a
//! revision, so that no definition is the subject. Nothing here knows the repository: whether a change exists is found
//! out later.

mod added;
mod asked;
mod grammar;
mod names;
mod proposition;
mod state;
mod work;

pub use self::{
    added::AddedSubject,
    grammar::{is_of_grammar, spelled},
    proposition::Proposition,
    state::STASH,
};
use self::{
    asked::{BARE, OF_TESTS, OUTSIDE_OF_TESTS, STILL_WORKS, asks, yes},
    grammar::Worded,
    names::{NamedLimits, is_of_lost},
    state::{AGAINST_BASE, OF_TIMES, SpokenChange, spoken, time},
    work::{WITH_SIGN, asks_for_changelog, work},
};
use crate::ask::reading::words::is_in;

/// The change that a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnChange {
    /// The uncommitted one or, without one, the commits to be pushed.
    Own,
    /// All that is not committed, and nothing else.
    Uncommitted,
    /// The content of the next commit: the staged change or, without one, all that is not committed.
    NextCommit,
    Staged,
    /// The commits that a push would send.
    Unpushed,
    /// The changes that are not staged.
    Unstaged,
    /// Everything since a time, as git reads it.
    Since(String),
    /// Two states, as `repoidx review` takes them.
    Range(String),
}

/// A thing to ask about a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfChange {
    Breaks,
    Tests,
    Changed,
    /// Which of the changed definitions no test reaches.
    Untested,
    /// Which definitions of a kind the change reaches, over any number of steps.
    Affected,
    /// Who uses the changed definitions.
    Users,
}

/// A thing that git tells about one's own work, whatever the code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfWork {
    Branch,
    /// The commits of the branch that are not pushed.
    Commits,
    /// The number of lines.
    Size,
    Stash,
    Untracked,
    /// Whether the branch lacks commits of the one that it follows.
    Behind,
    /// Whether everything, or all of a kind, is staged.
    Staged,
    /// Apart, the staged files and the others.
    StagedAndNot,
    /// The code that the added tests use, or whether they reach the changed one.
    NewTests,
    /// Whether a test reaches every added definition.
    AddedTested,
    /// Whether only tests or documents are changed.
    Kinds,
    /// The documents that name what is removed or renamed.
    OldNamesInDocs,
    /// Whether documents have to be changed, which may name whatever is changed.
    DocsToUpdate,
    /// Whether an entry of a changelog is needed.
    Changelog,
    /// Whether a push has what is not committed.
    InPush,
}

/// The way in which a name is judged against the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// `does my change affect f?`
    Affected,
    /// `do my changes touch f?`
    Touched,
    /// `do my changes break f?`
    Broken,
    /// `are all callers of f updated?`
    Callers,
    /// `who still calls f?`, where nothing has this name any more.
    Lost,
}

/// Names that the change is judged against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Against {
    pub names: Vec<String>,
    pub by: Judgement,
}

/// A kind of definitions that has no word of its own in Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AffectedKind {
    /// A noun of the program: the `fields` of `which fields are affected`.
    Noun(String),
    /// The classes below the one of this name.
    Below(String),
}

/// A question about a change of one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnQuestion {
    pub change: OwnChange,
    /// The things asked, in the order of the question.
    pub asks: Vec<OfChange>,
    /// A yes would say this.
    pub yes: Proposition,
    /// A revision that the question names without a sign that it is one: git has to know it.
    pub revision: Option<String>,
    /// The noun that alone speaks of the change, if a definition may be called so: `the diff`.
    pub doubtful: Option<&'static str>,
    /// No word speaks of a change: `which tests should I run?`
    pub is_bare: bool,
    /// No word says whose change of the named file is meant: `what changed in cart.py`.
    pub is_open: bool,
    /// The file or definition that the question names: only its changes are asked for.
    pub within: Option<String>,
    /// Only the changes of tests are asked for.
    pub is_of_tests: bool,
    /// Tests are left out.
    pub is_without_tests: bool,
    pub against: Option<Against>,
    /// Only the affected definitions of this kind are asked for.
    pub kind: Option<AffectedKind>,
    pub work: Option<OfWork>,
}

/// The same by a noun that may also name something here.
const DOUBTFUL: [(&str, &str); 4] = [
    ("change", "the change | by/of/with change"),
    ("changes", "the changes | changes $ | ^ changes | by/of/with/from changes"),
    ("diff", "the diff | diff $ | git diff"),
    ("edits", "the edits | edits $"),
];

impl OwnQuestion {
    /// Reads such a question; `None` for any other.
    pub fn of(text: &str) -> Option<Self> {
        if asks_for_changelog(text) {
            let own = Self::of("what did I change")?;
            return Some(Self { work: Some(OfWork::Changelog), yes: Proposition::Changed, ..own });
        }
        let worded = Worded::of(text)?;
        let phrase = &worded.phrase;
        let is_of_docs = worded.is_nameless() && work(phrase) == Some(OfWork::DocsToUpdate);
        if !is_of_lost(phrase) && !is_of_docs && worded.is_of_others() {
            return None;
        }
        // `the rename commit`: which commit that is, nothing here knows.
        if phrase.has("the/that/this rename/refactoring/removal/deletion/merge/change/update/fix commit") {
            return None;
        }
        let limits = NamedLimits::of(phrase, &worded.names, !worded.signs.is_empty())?;
        let (asks, first) = asks(phrase);
        let has_other_names = !worded.names.is_empty() || !worded.signs.is_empty() && !phrase.has(AGAINST_BASE);
        let work = if has_other_names || !worded.is_nameless() { None } else { work(phrase) };
        let is_without_tests = phrase.has(OUTSIDE_OF_TESTS);
        let is_of_tests = phrase.has(OF_TESTS) && !phrase.has("callers/users/usages of .. whose");
        let asks = match () {
            () if limits.kind.is_some() => vec![OfChange::Affected],
            () if limits.against.is_some() || limits.is_of_damage => vec![OfChange::Breaks],
            () if limits.is_of_tests => vec![OfChange::Tests],
            () if is_of_tests || limits.within.is_some() || work.is_some() => vec![OfChange::Changed],
            () => asks,
        };
        let asked = asks.first().copied().unwrap_or(OfChange::Breaks);
        let mut own = Self {
            change: OwnChange::Own,
            asks,
            yes: yes(phrase, &first, asked),
            revision: worded.signs.first().map(|(_, word)| word.clone()),
            doubtful: None,
            is_bare: false,
            is_open: false,
            within: limits.within,
            is_of_tests: is_of_tests && !is_without_tests,
            is_without_tests,
            against: limits.against,
            kind: limits.kind,
            work,
        };
        if is_without_tests {
            own.asks.retain(|one| !matches!(one, OfChange::Tests | OfChange::Untested));
            if own.asks.is_empty() {
                own.asks = vec![OfChange::Changed];
            }
        }
        let has_time = time(phrase).is_some();
        let speaks_of_time = phrase.words.iter().any(|word| is_in(OF_TIMES, word));
        if own.asks.is_empty() || speaks_of_time && !has_time {
            return None;
        }
        own.is_open = phrase.has("^ what/which/anything/something")
            && own.within.is_some()
            && !has_time
            && worded.revisions.is_empty()
            && !phrase.has("i/we/my/our/branch");
        let is_of_use = own.against.as_ref().is_some_and(|one| matches!(one.by, Judgement::Callers | Judgement::Lost));
        let needs_sign =
            !is_of_use && !phrase.has(STILL_WORKS) && own.work.is_none_or(|work| WITH_SIGN.contains(&work));
        own.change = match spoken(&own, &worded, needs_sign) {
            SpokenChange::Of(change) => change,
            SpokenChange::Another => return None,
            SpokenChange::Nothing => {
                own.doubtful = DOUBTFUL.iter().find(|(_, cues)| phrase.has(cues)).map(|(noun, _)| *noun);
                let is_affected = own.kind.is_some() || phrase.has("^ is/are/was/were .. § .. affected/impacted $ | ^ will/does/do/would § behave/act/work different/differently");
                own.is_bare = own.doubtful.is_none() && (is_affected || phrase.has(BARE));
                if own.doubtful.is_none() && !own.is_bare {
                    return None;
                }
                OwnChange::Own
            }
        };
        Some(own)
    }

    /// Whether it asks what a change of one's own reaches, whatever file that change is in.
    pub fn is_of_reach(text: &str) -> bool {
        let is_of_reach = |own: &Self| own.kind.is_some() || own.first() == OfChange::Tests;
        Self::of(text).is_some_and(|own| own.within.is_some() && is_of_reach(&own))
    }

    /// The thing that is asked first.
    pub fn first(&self) -> OfChange {
        self.asks.first().copied().unwrap_or(OfChange::Breaks)
    }
}

#[cfg(test)]
mod tests {
    use super::{OfChange::*, OwnChange as C, *};

    fn read(text: &str) -> Option<(OwnChange, Vec<OfChange>, Proposition)> {
        OwnQuestion::of(text).map(|own| (own.change, own.asks, own.yes))
    }

    #[test]
    fn whose_change_and_what_is_asked_are_read_apart() {
        use Proposition::{Broken, Exists, Nothing, Safe, Tested};
        let range = |text: &str| C::Range(text.to_owned());
        for (text, change, asks, yes) in [
            ("what do my changes break?", C::Own, vec![Breaks], Nothing),
            ("did I break anything?", C::Own, vec![Breaks], Broken),
            ("what breaks because of my changes?", C::Own, vec![Breaks], Nothing),
            ("what do my uncommitted changes break", C::Uncommitted, vec![Breaks], Nothing),
            ("is it safe to push?", C::Unpushed, vec![Breaks], Safe),
            ("can I push now?", C::Unpushed, vec![Breaks], Safe),
            ("is it ok to commit this?", C::NextCommit, vec![Breaks], Safe),
            ("what would break if I pushed now?", C::Unpushed, vec![Breaks], Nothing),
            ("what does my branch break?", C::Unpushed, vec![Breaks], Nothing),
            ("which tests should I run for my changes?", C::Own, vec![Tests], Nothing),
            ("which tests are affected by my staged changes?", C::Staged, vec![Tests], Nothing),
            ("tests for the current diff", C::Own, vec![Tests], Nothing),
            ("which modules depend on what I changed?", C::Own, vec![Users], Nothing),
            ("what did I change?", C::Own, vec![Changed], Nothing),
            ("which functions did I modify", C::Own, vec![Changed], Nothing),
            ("summarize my changes", C::Own, vec![Changed], Nothing),
            ("review the diff", C::Own, vec![Breaks], Nothing),
            ("review my branch", C::Unpushed, vec![Breaks], Nothing),
            ("is this change safe?", C::Own, vec![Breaks], Safe),
            ("are my changes tested?", C::Own, vec![Untested], Tested),
            ("which of my changes are not tested?", C::Own, vec![Untested], Nothing),
            ("what does the last commit break?", range("HEAD~1..HEAD"), vec![Breaks], Nothing),
            ("what is affected by the last commit?", range("HEAD~1..HEAD"), vec![Breaks], Nothing),
            ("what did the last 3 commits change?", range("HEAD~3..HEAD"), vec![Changed], Nothing),
            ("what does HEAD~1..HEAD break?", range("HEAD~1..HEAD"), vec![Breaks], Nothing),
            ("what does commit 1a2b3c4d break", range("1a2b3c4d~1..1a2b3c4d"), vec![Breaks], Nothing),
            ("what breaks since main?", range("main"), vec![Breaks], Nothing),
            ("what do my changes break and which tests should I run?", C::Own, vec![Breaks, Tests], Nothing),
            ("what differs from upstream/stable?", range("upstream/stable"), vec![Changed], Nothing),
            ("diff against origin/main", range("origin/main"), vec![Changed], Nothing),
            ("what has changed since origin/main?", range("origin/main"), vec![Changed], Nothing),
            ("what changed compared to main?", range("main"), vec![Changed], Nothing),
            ("what changed between HEAD~2 and HEAD?", range("HEAD~2..HEAD"), vec![Changed], Nothing),
            ("what have we changed since HEAD?", C::Uncommitted, vec![Changed], Nothing),
            ("show the last commit", range("HEAD~1..HEAD"), vec![Changed], Nothing),
            ("which signatures changed in the last commit?", range("HEAD~1..HEAD"), vec![Changed], Nothing),
            ("list the modified methods", C::Own, vec![Changed], Nothing),
            ("are there any unpushed commits?", C::Unpushed, vec![Changed], Exists),
            ("do I have uncommitted changes?", C::Uncommitted, vec![Changed], Exists),
            ("are my local commits pushed?", C::Unpushed, vec![Changed], Proposition::Clean),
            ("does my push break anything?", C::Unpushed, vec![Breaks], Broken),
            ("which tests should run before the push?", C::Unpushed, vec![Tests], Nothing),
            ("what changed since the last push?", C::Unpushed, vec![Changed], Nothing),
            ("which of my changes is backward incompatible?", C::Own, vec![Breaks], Nothing),
        ] {
            assert_eq!(read(text), Some((change, asks, yes)), "{text}");
        }
    }

    #[test]
    fn a_question_that_names_something_is_another_one() {
        for text in [
            "what breaks if I change Cart.add?",
            "who calls push?",
            "is push tested?",
            "which tests reach push?",
            "is the commit method tested?",
            "what breaks if I change the branch method?",
            "what changed in the last commit?",
            "which functions changed in the last commit",
            "what changed?",
            "who changed this last?",
            "when was the last commit?",
            "how do I commit?",
            "what breaks if I change it?",
            "what can I change?",
            "what would break if I deleted it?",
            "write tests for my changes",
            "what changed since v1.0",
            "which tests cover total?",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_judged_against_the_change() {
        let read =
            |text: &str| OwnQuestion::of(text).and_then(|own| own.against).map(|one| (one.names.join(" "), one.by));
        let some = |names: &str, by| Some((names.to_owned(), by));
        for (text, wanted) in [
            ("what breaks when `Flask.run` changes?", None),
            ("does my change affect url_for?", some("url_for", Judgement::Affected)),
            ("is `Flask.run` affected by my changes?", some("Flask.run", Judgement::Affected)),
            ("do my staged changes touch Flask.run?", some("Flask.run", Judgement::Touched)),
            ("do my changes break url_for() or redirect?", some("url_for redirect", Judgement::Broken)),
            ("will shop.cart still import?", some("shop.cart", Judgement::Broken)),
            ("are all callers of url_for updated?", some("url_for", Judgement::Callers)),
            ("who still calls url_for?", some("url_for", Judgement::Lost)),
            ("did I change url_for?", None),
            ("what breaks if I change url_for?", None),
            ("what do my changes to url_for break?", None),
            ("who calls url_for?", None),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn git_alone_is_asked_for_some_things() {
        let read = |text: &str| OwnQuestion::of(text).and_then(|own| own.work);
        for (text, wanted) in [
            ("what's my current branch?", Some(OfWork::Branch)),
            ("which commits will I push?", Some(OfWork::Commits)),
            ("what did I commit on this branch?", Some(OfWork::Commits)),
            ("how big is my change?", Some(OfWork::Size)),
            ("is anything stashed?", Some(OfWork::Stash)),
            ("which files are untracked?", Some(OfWork::Untracked)),
            ("is my branch up to date?", Some(OfWork::Behind)),
            ("what does my current branch break?", None),
            ("who calls stash?", None),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_stash_is_a_change_of_its_own() {
        let read = |text: &str| OwnQuestion::of(text).map(|own| (own.change.clone(), own.first(), own.work));
        let stash = || C::Range(STASH.to_owned());
        for (text, asked) in [
            ("which tests should I run for the stashed change?", Tests),
            ("what breaks if I apply my stash?", Breaks),
            ("which functions does the stash touch?", Changed),
            ("what is in my stash?", Changed),
        ] {
            assert_eq!(read(text), Some((stash(), asked, None)), "{text}");
        }
        assert_eq!(read("is anything stashed?").and_then(|(.., work)| work), Some(OfWork::Stash));
        assert_eq!(read("who calls apply?"), None);
    }

    #[test]
    fn kinds_of_the_changed_files_are_asked_for() {
        let read = |text: &str| OwnQuestion::of(text).and_then(|own| own.work);
        for (text, wanted) in [
            ("which of my changes are staged and which not?", Some(OfWork::StagedAndNot)),
            ("does my new test cover the code I changed?", Some(OfWork::NewTests)),
            ("what does my new test call?", Some(OfWork::NewTests)),
            ("is there a test for every function I added?", Some(OfWork::AddedTested)),
            ("do all my new functions have tests?", Some(OfWork::AddedTested)),
            ("did I change any code or only tests?", Some(OfWork::Kinds)),
            ("did I only change documentation?", Some(OfWork::Kinds)),
            ("which docs mention the file I deleted?", Some(OfWork::OldNamesInDocs)),
            ("do I need to update the docs for my change?", Some(OfWork::DocsToUpdate)),
            ("should I update the documentation for my changes?", Some(OfWork::DocsToUpdate)),
            ("which docs mention what I changed?", Some(OfWork::DocsToUpdate)),
            ("do I have to add a changelog entry for what I did?", Some(OfWork::Changelog)),
            ("will my staged changes be in the push?", Some(OfWork::InPush)),
            ("which new tests did I add?", None),
            ("do my changes only break tests?", None),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn tests_to_run_may_be_asked_for_without_a_change() {
        assert_eq!(OwnQuestion::of("which tests should I run?").map(|own| own.is_bare), Some(true));
        assert_eq!(OwnQuestion::of("which tests should I run for my changes?").map(|own| own.is_bare), Some(false));
        assert_eq!(OwnQuestion::of("review the diff").and_then(|own| own.doubtful), Some("diff"));
    }
}
