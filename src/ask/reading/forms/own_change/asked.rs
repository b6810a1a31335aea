//! The things that a question asks about a change, and the proposition that a yes would affirm.

use crate::ask::reading::forms::{
    own_change::{OfChange, Proposition},
    patterns::Phrase,
};

pub(super) const BARE: &str = "^ will/does/do/would § behave/act/work different/differently | which/what test/tests .. should/must/to/do/need/can .. run/rerun/execute | ^ test/tests to run/rerun/execute \
     | ^ list/show/give .. test/tests .. to/should/must .. run/rerun/execute | ^ what should/must/do i/we .. test $ \
     | ^ what broke | ^ did anything/something break | ^ is/has anything/something broken | ^ anything broken \
     | ^ which/what/how .. test/tests .. are/is affected/impacted $ | ^ affected/impacted tests $ \
     | ^ how many .. test/tests .. should/must/to/do/need/can/have/would/will .. run/rerun/execute \
     | ^ how many .. file/files/function/functions/method/methods/class/classes/module/modules/definition/definitions are affected/impacted $ | ^ which/what file/files/function/functions/method/methods/class/classes/module/modules/definition/definitions are affected/impacted $ \
     | ^ has/have/did .. base/bases/inheritance/hierarchy .. change/changed $";

/// Whether what is named works in spite of the change.
pub(super) const STILL_WORKS: &str =
    "^ do/does/will/would § still work/works/pass | ^ do/does/will/would .. § still import/imports/load/loads";
const UNTESTED: &str = "untested | uncovered | not/no/without/lack .. tested/covered/test/tests/exercised/reached | ^ is/are/do/does/have/has ... tested/covered/exercised \
     | ^ do/does/have/has ... tests/test/coverage $ & !break*/fail*/affect*/hurt*";
const BREAKS: &str = "break*/broke/broken/crash*/affect*/impact*/effect*/consequence*/influence*/hurt*/harm*/regress*/risk*/danger*/damage*/fallout/problem*/trouble \
     | safe/safely | fail* | go/goes/going/gone wrong | is/anything/something wrong | wrong with | ok/okay/fine/ready/possible to | can/could/may/should/shall i/we .. push/commit/merge \
     | adapt*/update*/endangered | behave* | slow*/faster/speed/performance | still used/called/needed | blast radius | backward/backwards compatib*/incompatib* | incompatib* | still work/works/working | works .. still | happens/happen | fix | what/which/who depends | is/are ... ok/okay/fine/good/bad/correct/ready \
     | callers/calls/uses/users/places";
/// Questions for whether there is a change at all.
const EXISTS: &str = "^ is/are anything/something/nothing .. uncommitted/unpushed/unstaged/staged/pending/outgoing | ^ is/are there anything/something .. staged/unstaged/uncommitted/unpushed/left | ^ is/are anything/something .. to commit/push | ^ is/are ... not .. committed/pushed/staged \
     | ^ is/are .. tree/copy/directory/worktree/repository/repo/checkout/branch .. clean/dirty | ^ do/does .. have .. clean/dirty .. tree/copy/directory/worktree/checkout \
     | ^ did/have i/we .. commit/committed/push/pushed everything/all | ^ is everything .. committed/pushed | ^ are/is/were/have my/our/all .. commits/commit/branch .. pushed | ^ is/are there ... uncommitted/unpushed/unstaged/staged/pending/outgoing/local | \
     ^ is/are there ... commit/commits/change/changes/anything/something to push/commit/stage | ^ do/have i/we .. anything/something .. to push/commit | ^ do/have i/we .. have/got .. uncommitted/unpushed/unstaged/staged/pending/outgoing/local | \
     ^ have i/we .. uncommitted/unpushed/unstaged/staged/pending/outgoing | ^ any .. uncommitted/unpushed/unstaged/staged/pending/outgoing/local";
const AFFECTED: &str = "which/what/list/show/how/all .. function/functions/method/methods/class/classes/module/modules/file/files/definition/definitions/package/packages .. affected/impacted/reached/influenced/touched by/from/through \
     | ^ how many .. file/files/function/functions/method/methods/class/classes/module/modules/definition/definitions are affected/impacted $ & !test | ^ which/what file/files/function/functions/method/methods/class/classes/module/modules/definition/definitions are affected/impacted $ \
     | ^ which/what .. function/functions/method/methods/class/classes/module/modules/file/files/definition/definitions/package/packages do/does/did/will/would/could ... affect/impact/reach/influence/touch \
     | public ... affected/impacted/reached/influenced/touched by/from/through | affect/affects/impact/impacts/reach/reaches/influence .. public";
const USERS: &str = "call/calls/called/caller/callers/calling/use/uses/used/user/users/import/imports/imported/importers/importing/need/needs/reference/references/refer/refers/depends/depend/dependents ... i/we changed/modified/edited/touched/removed/deleted/renamed/moved/added \
     | call/calls/callers/use/uses/users/imports/importers/references/dependents of/the/my/our .. changed/modified/edited/touched/removed/deleted/renamed/moved functions/methods/classes/definitions/modules/files/function/method/class/module/code";
pub(super) const OUTSIDE_OF_TESTS: &str = "outside .. test/tests | except/excluding/besides/beyond/ignoring .. test/tests | not counting/including .. test/tests | apart from .. test/tests | not in .. test/tests | no tests $ & !which/have/has";
const CHANGED: &str = "^ has/have/did .. base/bases/inheritance/hierarchy .. change/changed | difference/differences/diff/differ*/changed/changes .. between ... and | ^ anything/something .. changed | ^ which/what .. are/were changed/modified/edited/touched $ | changed/change/differ*/difference/differences/diff .. since/against/between/compared/from/to/with/vs/versus § | did/have/has/had i/we .. commit/committed/change/changed/modify/modified/edit/edited/touch/touched/do/done/add/added/remove/removed/rename/renamed/delete/deleted/move/moved/write/written/introduce \
     | ^ what/anything/something/which .. changed .. since | does/did ... change/modify/touch/do/contain/add/remove/alter/introduce/edit/move/rename/delete | summar* | overview | differ/differs/compare | what/which will/would i/we .. commit $ | describe/explain/show/list/print/see/tell/give ... change*/diff/edit*/modif*/commit/commits/branch/staged/uncommitted/work \
     | what/which ... staged/uncommitted/unpushed/unstaged/pending/pushed/committed/stashed | what/which ... in ... diff/commit/commits/changes/change/branch/request/pr/edits/tree/worktree/patch/stash \
     | what/which ... my/our/these/current .. changes/edits/diff/modifications/change $ | i/we ... changed/modified/edited/touched/added/removed/renamed/deleted/wrote/did/moved | changed/modified/added/removed in/by/on | ^ .. my/our/the/current .. changes/diff $";
/// Questions for the changes of tests.
pub(super) const OF_TESTS: &str = "which/what/how test/tests .. did/have i/we .. change/changed/modify/modified/edit/edited/touch/touched/add/added/write/written/remove/removed/delete/deleted | many tests did/have i/we .. add/added/write/written/change/changed/remove/removed/delete/deleted \
     | i/we .. change/changed/modify/modified/edit/edited/touch/touched/add/added/remove/removed/delete/deleted/write/written .. in .. test/tests | changed/modified/added/new tests .. in/of my/our/the | ^ did/have i/we .. change/changed/modify/modified/edit/edited/touch/touched/add/added/write/written/remove/removed/delete/deleted .. test/tests";
const REVIEWS: &str = "review*/check/inspect/assess/judge/analy*/verify/validate/evaluate/examine/look";

/// The things asked, clause by clause, and the words of the first clause that asks.
pub(super) fn asks(phrase: &Phrase) -> (Vec<OfChange>, Phrase) {
    let mut asks = Vec::new();
    let mut first = None;
    let mut start = 0;
    // `between A and B` is one clause.
    let is_joint = |word: &str| match word {
        "and" => !phrase.has("between ... and"),
        word => matches!(word, "then" | "but"),
    };
    let joints = phrase.words.iter().enumerate().filter(|(_, word)| is_joint(word));
    let ends: Vec<usize> = joints.map(|(at, _)| at).chain([phrase.words.len()]).collect();
    for end in ends {
        let clause = Phrase {
            words: phrase.words[start.min(end)..end].to_vec(),
            is_name: phrase.is_name[start.min(end)..end].to_vec(),
        };
        start = end + 1;
        let speaks_of_tests =
            clause.has("test/tests/testing/pytest/suite & !^ which/what callers/users/usages of & !^ which/what/do/does/how .. test/tests .. call/calls/use/uses/import/imports/reference/references")
                && !clause.has(OUTSIDE_OF_TESTS);
        let found = if clause.has(EXISTS) {
            OfChange::Changed
        } else if clause.has(AFFECTED) && !clause.has("stash .. touch* | test file/files/module/modules") {
            OfChange::Affected
        } else if clause.has(USERS) && !speaks_of_tests {
            OfChange::Users
        } else if clause.has(UNTESTED) && !clause.has("which/what/how .. test/tests & !no/without/lack test/tests")
            || speaks_of_tests && clause.has(NEEDS_TESTS)
        {
            OfChange::Untested
        } else if speaks_of_tests {
            OfChange::Tests
        } else if clause.has(BREAKS) || clause.has(REVIEWS) {
            OfChange::Breaks
        } else if clause.has(CHANGED) {
            OfChange::Changed
        } else {
            continue;
        };
        if !asks.contains(&found) {
            asks.push(found);
        }
        first.get_or_insert(clause);
    }
    (asks, first.unwrap_or_default())
}

/// Tests that are changed, and not the change that concerns them: `do any tests need an update`.
const ADAPTED: &str = "test/tests/§ .. need/needs/have/has/must/should .. change/changes/changed/update/updated/updating/adapt/adapted/adjusted/fixed/fixing/edited & !run/rerun/execute \
     | update/change/adapt/adjust/fix/edit/touch .. test/tests & need/have/must/should & !run/rerun/execute | must/should .. test/tests/§ be changed/updated/adapted/adjusted/fixed/edited";
/// Tests that are not there yet: `does my change need tests`.
const NEEDS_TESTS: &str = "need/needs/require/requires .. test/tests $ & !run/rerun/execute/my/these/those/all/which | need/needs .. new/more/further test/tests";

/// The proposition that a yes would affirm, in a question that asks for `asked` first.
pub(super) fn yes(phrase: &Phrase, first: &Phrase, asked: OfChange) -> Proposition {
    const ASKS_FOR_YES: &str = "any/safe/ready/ok/okay/fine/is/are/am/did/do/does/will/would/can/could/have/has/should/must/may/shall/was/were/might";
    let is_yes = phrase.has(&format!("^ {ASKS_FOR_YES} & !how many")) || first.has(&format!("^ {ASKS_FOR_YES}"));
    // `if I push, does anything break`
    let is_late = phrase.has("^ if/when/after/before/once/with")
        && phrase.has("is/are/did/do/does/will/would/can/could/should anything/something/it/that/everything/i/we");
    if !is_yes && !is_late {
        return Proposition::Nothing;
    }
    match asked {
        OfChange::Changed if first.has(EXISTS) => {
            let is_clean = first
                .has("clean | everything/all | nothing | ^ are/is/were/have .. commits/commit/branch .. pushed & !not");
            if is_clean { Proposition::Clean } else { Proposition::Exists }
        }
        OfChange::Changed if phrase.has("^ is/are ... committed") => Proposition::Committed,
        OfChange::Changed => Proposition::Changed,
        OfChange::Untested if first.has(NEEDS_TESTS) => Proposition::NeedsTests,
        OfChange::Untested if first.has("untested | uncovered | not/no/without/lack ..") => Proposition::Untested,
        OfChange::Untested => Proposition::Tested,
        OfChange::Users => Proposition::Used,
        OfChange::Affected => Proposition::Affected,
        OfChange::Tests => of_tests(phrase),
        OfChange::Breaks => of_damage(phrase, first),
    }
}

/// The proposition of a question about tests.
fn of_tests(phrase: &Phrase) -> Proposition {
    match () {
        () if phrase.has("pass/passes/passing/green/succeed/succeeds") => Proposition::Passes,
        () if phrase.has("break*/broke/broken/fail*") => Proposition::Fails,
        () if phrase.has(ADAPTED) => Proposition::Adapted,
        () if phrase.has(NEEDS_TESTS) => Proposition::NeedsTests,
        () if phrase.has("all/whole/full/every/everything & run/rerun/execute") => Proposition::RunAll,
        () if phrase.has("run/rerun/execute | need/needs .. test/tests | should/must/need i/we/to test") => {
            Proposition::Run
        }
        () if phrase.has("affected/impacted/concerned/reached") => Proposition::Affected,
        () => Proposition::Another,
    }
}

/// The proposition of a question about damage.
fn of_damage(phrase: &Phrase, first: &Phrase) -> Proposition {
    let is_safe = first.has(
        "safe/safely/ok/okay/fine/ready/good/correct/compatible | still work/works/working/pass | works | can/could/may/should/shall i/we",
    );
    let is_safe = is_safe || phrase.has(STILL_WORKS);
    if phrase.has("slow*/faster/speed/performance") {
        return Proposition::Another;
    }
    if is_safe && !first.has("break*/broke/broken & !should") { Proposition::Safe } else { Proposition::Broken }
}
