//! The words of the grammar, and a question in them: which of its words name something, and which are revisions.

use crate::ask::reading::{
    forms::{
        own_change::state::{OF_TIMES, is_behind_sign, is_revision},
        patterns::{Phrase, number},
    },
    words::{is_in, with_apostrophe},
};

/// Words about a stash that are none of the grammar elsewhere.
const OF_STASH: &str = "apply applied applying applies pop popped popping pops unstash restore restored";
/// Words that say nothing about the change.
const FILLING: &str = "a about actually ahead after apart again against all already also am an and any anybody anyone anything are as \
     at be because been before being between both but by can code could counting ignoring including date behind currently did do does done down due each either else even except excluding besides beyond outside \
     ever every everything exactly far for from get gets give go goes going got had has have having here how i if in into is it its \
     just kind know let like list made make makes many may me might more most much must my name names need needed needs no not \
     nothing now of off on once one only or our out over place places please possibly print really right see shall should \
     show so some somehow someone something somewhere still summary tell than that the them then there these they things think this \
     those through to today too up us was we were what when where whether which while who whose will with without would yet you your repository repo project so";
/// Words that speak of a change.
const CHANGES: &str = "branch change changed changes changeset commit commits committed committing compare compared current difference differences diff \
     diffs directory edit edited edits git index last latest local merge merged merging modification modifications \
     modified modify mr new newest next outgoing past patch pending pr previous pull push pushed pushing recent \
     refactoring request since stage staged staging touch touched tree uncommitted unpushed unstaged versus vs wip work working \
     worktree copy clean dirty checkout stash stashed stashes untracked add added remove removed rename renamed delete deleted move moved alter altered introduce introduced leave left forget forgot forgotten miss missed contain contains did write wrote written";
/// Words that say what is asked about it.
const ASKED: &str = "adapt adapted adjusted affect affected affecting affects analyse analyze api assess backward backwards bad big blast compatibility incompatible incompatibility \
     break breaking breaks broke broken calls call caller callers calling called check checked class classes compatible consequence \
     consequences correct cover coverage covered covers crash crashes damage danger dangerous definition definitions depends describe differ different differs endangered effect \
     effects evaluate examine execute exercise exercised explain fail failed failing fails failure failures fallout file files fine fix \
     function functions good harm harmful harms hurt hurts impact impacted impacts influence influences inspect judge look method \
     methods module modules negative negatively ok okay overview problem problems public pytest radius reach reached ready regress \
     regression regressions rerun review reviewing risk riskier riskiest risks risky run running safe safely side signature signatures sites site suite summarise summarised summarize \
     summarized test tested testing tests trouble uncovered unit untested update updated updating use used user users uses validate verify works wrong happen happens lack import imports imported importers importing need needs needed \
     refer refers reference references referenced dependents doc documentation documents mention mentions mentioned mentioning large line lines long parameter parameters argument arguments size default defaults value values type types return annotation annotations \
     docstring docstrings base bases decorator decorators pass passes passing green property properties conflict conflicts sync docs deletion deletions removal removals renames moves tracked ignored part parts got depend rely relies behave behaves behaving behaviour behavior differently opening submitting constant constants variable variables slow slows slower faster speed performance existing retest updating adapting fixing subclass subclasses hierarchy inheritance";
/// Nouns behind which a word names a definition: `the commit method`.
const NAMED: &str = "change/changes/diff/commit/branch/push/patch/merge/pull/stage/edit/review/index/copy/request/work/update/check/run/test \
     function/method/class/module/parameter/argument/attribute/option/command/property/fixture/decorator/object/setting/flag";
/// Questions about the history, and about what is not done yet.
const OTHERS: &str = "^ write/create/generate/suggest/add | ^ when did/was/were/is/are/has/have | ^ why | ^ who & !affect*/break*/broke/broken/impact*/fail* & !call/calls/use/uses/import/imports/need/needs/depends ... i/we \
     | if/when/once/suppose/can/could/should/may/shall/must/would i/we .. change/changed/edit/edited/modify/modified/remove/removed/rename/renamed/delete/deleted/add/added/move/moved/touch/touched/update/updated/fix/adapt/alter \
     | need/have/want/like to change/edit/modify/remove/rename/delete/add/move/touch | ^ how do/can/should/does i/we/one/you & !test/tests";
/// Longer questions tell a story.
const LONGEST: usize = 40;
/// More names than this are no question of one's own change.
const MAX_NAMES: usize = 2;

/// A question in words of the grammar, with its names.
pub(super) struct Worded {
    pub phrase: Phrase,
    /// The revisions, each with the place of its word.
    pub revisions: Vec<(usize, String)>,
    /// The words among them that only stand where a revision does: `main` in `since main`.
    pub signs: Vec<(usize, String)>,
    /// The other words that are none of the grammar.
    pub names: Vec<(usize, String)>,
    pub is_of_stash: bool,
}

impl Worded {
    /// `None` for a text that is no such question.
    pub(super) fn of(text: &str) -> Option<Self> {
        // A quoted line is no name.
        let is_quoted_name =
            |word: &str| !word.contains('`') || word.trim_matches(['?', ',', '.']).matches('`').count() == 2;
        if text.contains(['"', '\n']) || !text.split_whitespace().all(is_quoted_name) {
            return None;
        }
        let words = words(text);
        let is_of_stash = words.iter().any(|word| is_in("stash stashed", &word.to_lowercase()));
        let is_plain =
            |word: &str| is_of_grammar(word) || number(word).is_some() || is_of_stash && is_in(OF_STASH, word);
        let mut phrase = Phrase::default();
        let (mut revisions, mut named) = (Vec::new(), Vec::new());
        for word in &words {
            let is_quoted = word.contains('`') || word.ends_with("()");
            let word = &word.trim_matches('`').trim_end_matches("()").to_owned();
            let lower = word.to_lowercase();
            let is_revision = !is_quoted && is_revision(word);
            // `the signature of push`
            let is_of_signature = phrase.words.ends_with(&["signature".to_owned(), "of".to_owned()])
                && !is_in("a all any my our the these this", &lower);
            let is_named = !is_revision && (is_quoted || is_of_signature || !is_plain(&lower));
            if is_revision {
                revisions.push((phrase.words.len(), word.clone()));
            } else if is_named {
                named.push((phrase.words.len(), word.clone()));
            }
            phrase.words.push(lower);
            phrase.is_name.push(is_revision || is_named);
        }
        if words.is_empty() || words.len() > LONGEST || named.len() > MAX_NAMES || phrase.has(NAMED) {
            return None;
        }
        let (signs, names): (Vec<_>, Vec<_>) = named.into_iter().partition(|(at, _)| is_behind_sign(&phrase, *at));
        if signs.len() > 1 && !phrase.has("between") {
            return None;
        }
        revisions.extend(signs.iter().cloned());
        revisions.sort();
        Some(Self { phrase, revisions, signs, names, is_of_stash })
    }

    /// Whether the history is asked for, or something that is not done yet.
    pub(super) fn is_of_others(&self) -> bool {
        with_changes_as_names(&self.phrase).has(OTHERS)
    }

    /// Whether the question names nothing but revisions.
    pub(super) fn is_nameless(&self) -> bool {
        self.phrase.is_name.iter().filter(|is_name| **is_name).count() == self.signs.len()
    }
}

/// Whether a word is one of the grammar, and names nothing by itself.
pub fn is_of_grammar(word: &str) -> bool {
    is_in(FILLING, word) || is_in(CHANGES, word) || is_in(ASKED, word) || is_in(OF_TIMES, word)
}

/// The words, with a noun for a change taken for a name: `should I test after my change` changes nothing more.
fn with_changes_as_names(phrase: &Phrase) -> Phrase {
    const BEFORE: &str = "my our this these those the staged uncommitted unstaged current latest recent local last";
    let mut phrase = phrase.clone();
    for at in 1..phrase.words.len() {
        let is_noun = is_in("change changes edit edits update updates move", &phrase.words[at]);
        phrase.is_name[at] |= is_noun && is_in(BEFORE, &phrase.words[at - 1]);
    }
    phrase
}

/// A word with the apostrophe that was not typed: `what's` for `whats`.
pub fn spelled(bare: &str) -> String {
    let lower = bare.to_lowercase();
    match lower.as_str() {
        "whats" | "whos" | "wheres" => format!("{}'s", &lower[..lower.len() - 1]),
        _ if lower.contains('\'') => bare.to_owned(),
        _ => Some(with_apostrophe(&lower)).filter(|word| *word != lower).unwrap_or_else(|| bare.to_owned()),
    }
}

/// The words, without the signs around them; `i've` is two.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for raw in text.split_whitespace() {
        let bare = spelled(&raw.trim_matches(|c: char| "?!,;:()'".contains(c)).replace('’', "'"));
        let bare = if bare.ends_with("..") { bare.as_str() } else { bare.trim_end_matches('.') };
        let parts = match bare.split_once('\'') {
            Some((word, "ve")) => vec![word, "have"],
            Some((word, "s")) => vec![word],
            Some((word, "t")) => vec![word.strip_suffix('n').unwrap_or(word), "not"],
            Some((word, "m" | "re")) => vec![word, "are"],
            Some((word, "ll" | "d")) => vec![word, "would"],
            _ => vec![bare],
        };
        words.extend(parts.into_iter().filter(|part| !part.is_empty()).map(str::to_owned));
    }
    words
}
