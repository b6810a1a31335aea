//! Questions about a change of one's own: `what do my changes break?`, `is it safe to push?`.
//!
//! A small grammar with two parts: whose change, and what is asked about it. Every word must be one of the grammar or a
//! revision, so that no definition is the subject. Nothing here knows the repository: whether a change exists is found
//! out later.

use crate::ask::reading::{
    forms::patterns::{Phrase, number},
    words::is_in,
};

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

/// The meaning of a yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YesMeans {
    /// The question asks for no yes.
    Nothing,
    Broken,
    Safe,
    Tested,
    Untested,
    /// There is a change: `are there unpushed commits?`
    Exists,
    /// There is none: `is my working tree clean?`
    Clean,
}

/// A question about a change of one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnQuestion {
    pub change: OwnChange,
    /// The things asked, in the order of the question.
    pub asks: Vec<OfChange>,
    pub yes: YesMeans,
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
    pub work: Option<OfWork>,
}

/// The two states that differ by the last stash.
pub const STASH: &str = "stash^1..stash";
/// Words about a stash that are none of the grammar elsewhere.
const OF_STASH: &str = "apply applied applying applies pop popped popping pops unstash restore restored";
const STASHED: &str = "my/our/the/a/last/latest/this stash | stashed change/changes/edit/edits/work/code/diff | i/we stashed | the stashed | in/of/by/from stash | apply*/pop*/restore* .. stash | ^ which/what ... stashed";
/// Usual names of branches.
const BRANCHES: &str = "dev develop main master stable trunk";
/// Words that say nothing about the change.
const FILLING: &str = "a about actually ahead after apart again against all already also am an and any anybody anyone anything are as \
     at be because been before being between both but by can code could counting ignoring including date behind currently did do does done due each either else even except excluding besides beyond outside \
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
const ASKED: &str = "adapt adapted adjusted affect affected affecting affects analyse analyze api assess backward backwards bad big blast \
     break breaking breaks broke broken calls call caller callers calling called check checked class classes compatible consequence \
     consequences correct cover coverage covered covers crash crashes damage danger dangerous definition definitions depends describe differ different differs endangered effect \
     effects evaluate examine execute exercise exercised explain fail failed failing fails failure failures fallout file files fine fix \
     function functions good harm harmful harms hurt hurts impact impacted impacts influence influences inspect judge look method \
     methods module modules negative negatively ok okay overview problem problems public pytest radius reach reached ready regress \
     regression regressions rerun review reviewing risk riskier riskiest risks risky run running safe safely side signature signatures sites site suite summarise summarised summarize \
     summarized test tested testing tests trouble uncovered unit untested update updated updating use used user users uses validate verify works wrong happen happens lack import imports imported importers importing need needs needed \
     refer refers reference references referenced dependents doc documentation documents mention mentions mentioned mentioning large line lines long parameter parameters argument arguments size default defaults value values type types return annotation annotations \
     docstring docstrings base bases decorator decorators pass passes passing green property properties conflict conflicts sync docs deletion deletions removal removals renames moves tracked ignored part parts got depend";
/// Nouns behind which a word names a definition: `the commit method`.
const NAMED: &str = "change/changes/diff/commit/branch/push/patch/merge/pull/stage/edit/review/index/copy/request/work/update/check/run/test \
     function/method/class/module/parameter/argument/attribute/option/command/property/fixture/decorator/object/setting/flag";
/// Questions about the history, and about what is not done yet.
const OTHERS: &str = "^ write/create/generate/suggest/add | ^ when did/was/were/is/are/has/have | ^ why | ^ who & !affect*/break*/broke/broken/impact*/fail* & !call/calls/use/uses/import/imports/need/needs/depends ... i/we \
     | if/when/once/suppose/can/could/should/may/shall/must/would i/we .. change/changed/edit/edited/modify/modified/remove/removed/rename/renamed/delete/deleted/add/added/move/moved/touch/touched/update/updated/fix/adapt/alter \
     | need/have/want/like to change/edit/modify/remove/rename/delete/add/move/touch | ^ how do/can/should/does i/we/one/you & !test/tests";

/// Questions for the damage that the changes of the file or definition do which they name.
const WITHIN_BREAKS: &str = "^ what/which/who/does/do/did/is/are/show/list/how ... my/our/this .. change/changes/edit/edits/modification/modifications .. to/in/of/inside § ... break/breaks/affect/affects/hurt/safe \
     | broken/affected/breaks/break/hurt ... my/our .. change/changes/edit/edits .. to/in/of § | affected/broken/breaks/break/hurt .. by/because ... i/we .. changed/edited/did .. in/to § \
     | ^ what/who breaks because i/we changed/edited § & !if";
/// Questions that judge a name against the change.
const AGAINST: &str = "affect/affects/affected/affecting/impact/impacts/impacted/break/breaks/broke/broken/touch/touches/reach/reaches/influence/influences/hurt/hurts/harm/harms .. § & !test/tests \
     | § .. affected/impacted/broken/touched/reached/hurt/influenced & !test/tests | is/are/will § .. safe/ok/okay/fine .. after/with \
     | § .. break/breaks/fail/fails/work/works .. because/after/with/due & !test/tests | what/which ... of my/our changes affect/break/touch/reach § \
     | effect/effects/consequence/consequences/impact .. my/our/these ... on/for § | ^ do/does/will/would § still work/works/pass";
/// A change of the name itself, which nobody made yet: `what breaks if f changes`.
const SUPPOSED: &str = "if/when/once/should/suppose .. § & !i/we/my/our";
const TOUCHED: &str = "touch/touches/touched";
const BROKEN: &str = "break/breaks/broke/broken/work/works/fail/fails/safe/ok/okay/fine/pass";
/// Whether all that uses a definition was adapted to its change.
const OF_CALLERS: &str = "callers/caller/calls/call/uses/users/usages/places/references/imports of .. § .. updated/fixed/adapted/adjusted/changed/renamed/missed/left \
     | update/updated/fix/fixed/adapt/adapted/adjust/adjusted/change/changed/miss/missed/forget/forgot/forgotten .. callers/caller/calls/call/uses/users/usages/places/references/imports of .. § \
     | § .. callers/calls/uses/users .. updated/fixed/adapted/adjusted/missed | callers/calls/uses/users of .. § .. still work/works \
     | callers/calls/uses/users/places/imports of .. § .. broken/ok/okay/fine/correct/valid";
/// Whether something is in use that may be gone.
const OF_LOST: &str = "who/what/which/where/anyone/anybody/anything/something/somebody/code/modules/functions/files/tests .. still call/calls/called/use/uses/used/import/imports/imported/reference/references/need/needs/refer/refers .. § \
     | ^ is/are .. § .. still used/called/imported/referenced/needed | where is/are .. § still used/called/imported/referenced";
/// Commits that one of two branches has, and the other has not.
const AGAINST_BASE: &str = "behind/ahead/conflict*/sync/up | commits ... branch/i/we | commits .. on/in";
/// Questions that git answers.
const WORK: [(OfWork, &str); 12] = [
    (OfWork::StagedAndNot, "^ which/what/show/list/tell ... staged/unstaged and which/what .. not/unstaged/staged"),
    (
        OfWork::AddedTested,
        "^ is/are there .. test/tests for every/each/all .. function/functions/method/methods/class/classes/definition/definitions .. i/we .. added/add/wrote \
         | ^ is/are there .. test/tests for every/each/all .. new/added function/functions/method/methods/class/classes/definition/definitions \
         | ^ do/does/have/has/is/are every/each/all .. function/functions/method/methods/class/classes/definition/definitions i/we .. added/wrote ... test/tests/tested/covered \
         | ^ do/does/have/has/is/are all/every/each .. new/added function/functions/method/methods/class/classes/definition/definitions .. test/tests/tested/covered",
    ),
    (
        OfWork::NewTests,
        "^ what/which ... my/our/the new/added test/tests .. call/calls/use/uses/cover/covers/test/tests/exercise/exercises/reach/reaches/check $ \
         | ^ does/do/will/would my/our/the new/added test/tests .. call/use/cover/test/exercise/reach/check & !pass/fail/break \
         | ^ does/do/what/which .. the test/tests i/we .. added/wrote .. call/use/cover/test/exercise/reach/check & !pass/fail/break \
         | ^ is/are my/our/the change/changes .. covered/tested/reached by my/our/the new/added test/tests",
    ),
    (
        OfWork::Kinds,
        "^ did/have/does/do ... code ... or .. only/just .. test/tests/docs/documentation | ^ did/have i/we only/just .. test/tests/docs/documentation & !run/rerun/break/pass \
         | ^ did/have i/we change/changed/touch/touched/edit/edited/modify/modified only/just test/tests/docs/documentation \
         | ^ is/are/do/does my/our/this/these change/changes .. only/just .. test/tests/docs/documentation & !run/need/break*",
    ),
    (
        OfWork::OldNamesInDocs,
        "docs/doc/documentation/documents .. mention/mentions/mentioned/refer/refers/reference/references/name/names/describe/use/uses ... i/we .. removed/deleted/renamed/moved \
         | docs/doc/documentation/documents .. mention/mentions/mentioned/refer/refers/reference/references/name/names/describe/use/uses .. removed/deleted/renamed/moved",
    ),
    (
        OfWork::Staged,
        "^ is/are .. everything/all/my/our ... staged/added & !break*/affect*/test/tested/safe | ^ are my/our tests staged | ^ did/have i/we .. stage/staged everything/all",
    ),
    (
        OfWork::Behind,
        "^ is/are/am .. branch/i/we/checkout .. sync | ^ do/does/will/would/is/are ... branch/i/we/changes/work .. conflict/conflicts | ^ is/are/am .. branch/i/we/checkout .. up to date | ^ is/are/am .. branch/i/we .. behind/ahead | ^ how far .. behind | ^ how many commits .. behind",
    ),
    (
        OfWork::Branch,
        "^ what/which is/the/my/our/this .. current branch $ | ^ what/which is/the/my/our/this current branch $ | ^ what/which current branch | ^ current branch $ \
         | ^ what/which branch am/are/is/do i/we/this/it/checked | ^ on what/which branch | ^ name of .. branch $",
    ),
    (
        OfWork::Stash,
        "stash/stashed/stashes & !untracked & !break*/affect*/fail*/test/tests/safe/conflict*/caller*/call/use/uses & !function*/method/methods/class/classes/file/files/module/modules/definition* & !touch*/change/modif*/edit/contain/contains/apply*/pop*/signature* & !^ what ... in",
    ),
    (OfWork::Untracked, "not .. tracked & !break*/affect*/test/tests | untracked & !break*/affect*/test/tests"),
    (
        OfWork::Size,
        "^ how big/large/long is/are/was | size of .. change/changes/diff/branch/commit/commits/edit/edits/patch | ^ how many lines",
    ),
    (
        OfWork::Commits,
        "^ which/what/list/show/how/my/our/all/unpushed/give .. commit/commits & push/pushed/pushing/unpushed/outgoing/branch/ahead & !break*/affect*/change*/test/tests/fail*/differ*/safe/ok/did/last/latest \
         | ^ what did/have i/we .. commit/committed .. on/in/to .. branch | ^ what is/are .. on my/our/this/the/current .. branch $ | ^ what on my/our/this/the/current .. branch $ \
         | ^ which/what/how .. commits did/have i/we .. commit/make/made/add/write \
         | ^ how many/far commits/ahead ... ahead/branch/i/we/§ | ^ which/what commits are not on/in § | ^ which/what/how .. commits has/does .. branch ... §",
    ),
];
/// Of all others an index of code tells nothing, so they need no sign of a change.
const WITH_SIGN: [OfWork; 2] = [OfWork::Commits, OfWork::Size];

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
const OF_TIMES: &str =
    "yesterday today morning week month monday tuesday wednesday thursday friday hour hours day days ago";
/// Questions for the changes of a file or definition that they name.
const WITHIN: &str = "i/we .. change/changed/modify/modified/edit/edited/touch/touched/add/added/remove/removed/rename/renamed/delete/deleted/do/done/did ... § & !if/when/break*/test/tests \
     | ^ what/which/anything/something .. changed/changes/different/happened .. in/inside/to/with § & !break*/test/tests/if/when/between/version/release/since/compared \
     | my/our .. change/changes/edit/edits/diff/modifications .. in/inside/of/to/for/on .. § & !effect*/consequence* & ^ what/which/show/list/summar*/describe/explain/give/print/see/are/is & !break*/affect*/impact*/test/tests/depend*/call* \
     | uncommitted/staged/unstaged/unpushed/pending/local .. change/changes/edit/edits/modifications .. in/inside/of/to/for/on .. § & !break*/affect*/impact*/test/tests/call* \
     | ^ is/are/was/were/has/have .. § .. changed/modified/edited/touched & !test/tests/ever/often/if/when/by | ^ did .. § change & !ever \
     | ^ is/are .. § .. staged/uncommitted/committed/unstaged/tracked/untracked/ignored/pushed/new";

/// Questions for the tests of a file that the change concerns.
const WITHIN_TESTS: &str = "test/tests .. in/of/from/inside § .. affected/impacted/run/rerun/execute/break/breaks/fail/fails/pass/concerned .. & my/our/i/we & !if | ^ will/do/does/would .. tests in/of/from/inside § still/pass & !if";
/// Whether a file or definition is in a commit.
const COMMITTED: &str = "^ is/are § .. committed & !not/anywhere";
const STAGED: &str = "staged & !not staged | next commit | git index | in .. staging | about to commit";
const NEXT_COMMIT: &str = "to commit | before/of/by/when committing | if/when/before/once/can/could/should/may/shall/will i/we .. commit | if/when/before/once i/we committed";
const UNSTAGED: &str = "unstaged | not .. staged";
const UNCOMMITTED: &str = "uncommitted | tree/copy/directory/worktree/repository/repo/checkout .. clean/dirty | clean/dirty .. tree/copy/directory/worktree/checkout | committed everything/all | commit everything/all | everything .. committed | pending | not .. committed | working tree/copy/directory | worktree | local change*/edit*/modification*/diff";
const UNPUSHED: &str = "unpushed | outgoing | everything .. pushed | pushed everything/all | be/not/yet pushed | to push/merge | if/when/before/once/after/can/could/should/may/shall/will i/we .. push/pushed \
     | before/of/by/when/after pushing/merging | ^ would/will/could/does pushing/merging | i/we push/pushed | i/we .. merge/merged $ | i/we .. merge/merged my/our/this/it/now/safely/branch | merge/merged the branch/pr | my/our/local/these commits | my/our/this/current/whole .. branch | pull/merge request | my/our/this/the/current pr/mr";
const OWN: &str = "my/our/the deletion/deletions/removal/removals/rename/renames/move/moves | my/our .. deletion/deletions/removal/removals/renames/moves | my/our/these/those/this/current/latest/recent .. change/changes/diff/diffs/edit/edits/modification/modifications/patch/work/refactoring/changeset/wip \
     | change/changes/edits/modifications i/we | did/have/do/does i/we .. break/broken/broke/fail/hurt/affect/affected/cause/harm/damage/change/changed/modify/modified/edit/edited/touch/touched/add/added/remove/removed/rename/renamed/delete/deleted/move/moved/do/done/introduce/write/written \
     | i/we .. changed/modified/edited/touched/broke/broken/wrote/added/removed/renamed/deleted/did/moved | the work i/we | my/our code .. break/breaks \
     | the/all/any .. changed/modified/edited/touched/removed/deleted/renamed/moved/added functions/methods/classes/definitions/files/modules/code/tests/signatures/function/method/class/file/module \
     | ^ which/what new/added functions/methods/classes/definitions .. no/not/untested/without/lack \
     | ^ list/show/which/what changed/modified/edited/touched functions/methods/classes/definitions/files/modules/signatures \
     | ^ which/what functions/methods/classes/definitions/files/modules/signatures are/were changed/modified/edited/touched $";
/// The same by a noun that may also name something here.
const DOUBTFUL: [(&str, &str); 4] = [
    ("change", "the change | by/of/with change"),
    ("changes", "the changes | changes $ | ^ changes | by/of/with/from changes"),
    ("diff", "the diff | diff $ | git diff"),
    ("edits", "the edits | edits $"),
];
/// Nothing but what is not committed is younger than the last commit.
const SINCE_COMMIT: &str = "since .. my/our/the last/latest/previous/newest commit | after .. my/our/the last/latest/previous/newest commit | since last commit";
const LAST_COMMITS: &str =
    "my/our commit | last/latest/previous/recent/newest commit/commits | last/latest/previous/past/recent # commits";
const BARE: &str = "which/what test/tests .. should/must/to/do/need/can .. run/rerun/execute | ^ test/tests to run/rerun/execute \
     | ^ list/show/give .. test/tests .. to/should/must .. run/rerun/execute | ^ what should/must/do i/we .. test $ \
     | ^ what broke | ^ did anything/something break | ^ is/has anything/something broken | ^ anything broken \
     | ^ which/what tests are affected/impacted $ | ^ affected/impacted tests $";

const UNTESTED: &str = "untested | uncovered | not/no/without/lack .. tested/covered/test/tests/exercised/reached | ^ is/are/do/does/have/has ... tested/covered/exercised \
     | ^ do/does/have/has ... tests/test/coverage $ & !break*/fail*/affect*/hurt*";
const BREAKS: &str = "break*/broke/broken/crash*/affect*/impact*/effect*/consequence*/influence*/hurt*/harm*/regress*/risk*/danger*/damage*/fallout/problem*/trouble \
     | safe/safely | fail* | go/goes/going/gone wrong | is/anything/something wrong | wrong with | ok/okay/fine/ready/possible to | can/could/may/should/shall i/we .. push/commit/merge \
     | adapt*/update*/endangered | still used/called/needed | blast radius | backward/backwards compatible | still work/works/working | works .. still | happens/happen | fix | what/which/who depends | is/are ... ok/okay/fine/good/bad/correct/ready \
     | callers/calls/uses/users/places";
/// Questions for whether there is a change at all.
const EXISTS: &str = "^ is/are anything/something/nothing .. uncommitted/unpushed/unstaged/staged/pending/outgoing | ^ is/are there anything/something .. staged/unstaged/uncommitted/unpushed/left | ^ is/are anything/something .. to commit/push | ^ is/are ... not .. committed/pushed/staged \
     | ^ is/are .. tree/copy/directory/worktree/repository/repo/checkout/branch .. clean/dirty | ^ do/does .. have .. clean/dirty .. tree/copy/directory/worktree/checkout \
     | ^ did/have i/we .. commit/committed/push/pushed everything/all | ^ is everything .. committed/pushed | ^ is/are there ... uncommitted/unpushed/unstaged/staged/pending/outgoing/local | \
     ^ is/are there ... commit/commits/change/changes/anything/something to push/commit/stage | ^ do/have i/we .. anything/something .. to push/commit | ^ do/have i/we .. have/got .. uncommitted/unpushed/unstaged/staged/pending/outgoing/local | \
     ^ have i/we .. uncommitted/unpushed/unstaged/staged/pending/outgoing | ^ any .. uncommitted/unpushed/unstaged/staged/pending/outgoing/local";
const AFFECTED: &str = "which/what/list/show/how/all .. function/functions/method/methods/class/classes/module/modules/file/files/definition/definitions/package/packages .. affected/impacted/reached/influenced/touched by/from/through \
     | ^ which/what .. function/functions/method/methods/class/classes/module/modules/file/files/definition/definitions/package/packages do/does/did/will/would/could ... affect/impact/reach/influence/touch \
     | public ... affected/impacted/reached/influenced/touched by/from/through | affect/affects/impact/impacts/reach/reaches/influence .. public";
const USERS: &str = "call/calls/called/caller/callers/calling/use/uses/used/user/users/import/imports/imported/importers/importing/need/needs/reference/references/refer/refers/depends/depend/dependents ... i/we changed/modified/edited/touched/removed/deleted/renamed/moved/added \
     | call/calls/callers/use/uses/users/imports/importers/references/dependents of/the/my/our .. changed/modified/edited/touched/removed/deleted/renamed/moved functions/methods/classes/definitions/modules/files/function/method/class/module/code";
const OUTSIDE_OF_TESTS: &str = "outside .. test/tests | except/excluding/besides/beyond/ignoring .. test/tests | not counting/including .. test/tests | apart from .. test/tests | not in .. test/tests | no tests $ & !which/have/has";
const CHANGED: &str = "difference/differences/diff/differ*/changed/changes .. between ... and | ^ anything/something .. changed | ^ which/what .. are/were changed/modified/edited/touched $ | changed/change/differ*/difference/differences/diff .. since/against/between/compared/from/to/with/vs/versus § | did/have/has/had i/we .. commit/committed/change/changed/modify/modified/edit/edited/touch/touched/do/done/add/added/remove/removed/rename/renamed/delete/deleted/move/moved/write/written/introduce \
     | does/did ... change/modify/touch/do/contain/add/remove/alter/introduce/edit/move/rename/delete | summar* | overview | differ/differs/compare | what/which will/would i/we .. commit $ | describe/explain/show/list/print/see/tell/give ... change*/diff/edit*/modif*/commit/commits/branch/staged/uncommitted/work \
     | what/which ... staged/uncommitted/unpushed/unstaged/pending/pushed/committed/stashed | what/which ... in ... diff/commit/commits/changes/change/branch/request/pr/edits/tree/worktree/patch/stash \
     | what/which ... my/our/these/current .. changes/edits/diff/modifications/change $ | i/we ... changed/modified/edited/touched/added/removed/renamed/deleted/wrote/did/moved | changed/modified/added/removed in/by/on | ^ .. my/our/the/current .. changes/diff $";
/// Questions for the changes of tests.
const OF_TESTS: &str = "which/what/how test/tests .. did/have i/we .. change/changed/modify/modified/edit/edited/touch/touched/add/added/write/written/remove/removed/delete/deleted | many tests did/have i/we .. add/added/write/written/change/changed/remove/removed/delete/deleted \
     | i/we .. change/changed/modify/modified/edit/edited/touch/touched/add/added/remove/removed/delete/deleted/write/written .. in .. test/tests | changed/modified/added/new tests .. in/of my/our/the | ^ did/have i/we .. change/changed/modify/modified/edit/edited/touch/touched/add/added/write/written/remove/removed/delete/deleted .. test/tests";
const REVIEWS: &str = "review*/check/inspect/assess/judge/analy*/verify/validate/evaluate/examine/look";

/// Whether a word is one of the grammar, and names nothing by itself.
pub fn is_of_grammar(word: &str) -> bool {
    is_in(FILLING, word) || is_in(CHANGES, word) || is_in(ASKED, word) || is_in(OF_TIMES, word)
}

impl OwnQuestion {
    /// Reads such a question; `None` for any other.
    pub fn of(text: &str) -> Option<Self> {
        const LONGEST: usize = 40;
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
        if words.is_empty() || words.len() > LONGEST || named.len() > 2 || phrase.has(NAMED) {
            return None;
        }
        let is_lost = phrase.has(OF_LOST) && !phrase.has("i/we/my/our");
        if !is_lost && with_changes_as_names(&phrase).has(OTHERS) {
            return None;
        }
        let (signs, others): (Vec<_>, Vec<_>) = named.into_iter().partition(|(at, _)| is_behind_sign(&phrase, *at));
        let revision = signs.first().map(|(_, word)| word.clone());
        revisions.extend(signs.iter().cloned());
        // A change of mine is asked for, not the history of a definition since a release.
        let is_of_damage = phrase.has(WITHIN_BREAKS);
        let against = against(&phrase, &others, is_lost).filter(|_| !is_of_damage);
        let is_of_tests_there = phrase.has(WITHIN_TESTS);
        let within = match others.as_slice() {
            [] => None,
            _ if against.is_some() && signs.is_empty() => None,
            [(_, word)] if is_of_damage && signs.is_empty() => Some(word.clone()),
            [(_, word)] if is_of_tests_there && signs.is_empty() && word.ends_with(".py") => Some(word.clone()),
            [(_, word)] if phrase.has(WITHIN) && (signs.is_empty() || phrase.has("i/we/my/our")) => Some(word.clone()),
            _ => return None,
        };
        if signs.len() > 1 && !phrase.has("between") {
            return None;
        }
        revisions.sort();
        let revisions: Vec<String> = revisions.into_iter().map(|(_, word)| word).collect();
        let (mut asks, first) = asks(&phrase);
        let is_of_tests = phrase.has(OF_TESTS) && !phrase.has("callers/users/usages of .. whose");
        let is_nameless =
            others.is_empty() && (signs.is_empty() || phrase.has(AGAINST_BASE)) && named_none(&phrase, &signs);
        let work = WORK.iter().find(|(_, cues)| is_nameless && phrase.has(cues)).map(|(work, _)| *work);
        if is_of_tests || within.is_some() || work.is_some() {
            asks = vec![if is_of_tests_there && within.is_some() { OfChange::Tests } else { OfChange::Changed }];
        }
        if against.is_some() || is_of_damage {
            asks = vec![OfChange::Breaks];
        }
        let mut own = Self {
            change: OwnChange::Own,
            asks,
            yes: yes(&phrase, &first),
            revision,
            doubtful: None,
            is_bare: false,
            is_open: false,
            within,
            is_of_tests,
            is_without_tests: phrase.has(OUTSIDE_OF_TESTS),
            against,
            work,
        };
        own.is_of_tests &= !own.is_without_tests;
        if own.is_without_tests {
            own.asks.retain(|one| !matches!(one, OfChange::Tests | OfChange::Untested));
            if own.asks.is_empty() {
                own.asks = vec![OfChange::Changed];
            }
        }
        if own.asks.is_empty() {
            return None;
        }
        let time = TIMES.iter().find(|(words, _)| phrase.has(words)).map(|(_, time)| (*time).to_owned());
        if time.is_none() && phrase.words.iter().any(|word| is_in(OF_TIMES, word)) {
            return None;
        }
        own.is_open = phrase.has("^ what/which/anything/something")
            && own.within.is_some()
            && time.is_none()
            && revisions.is_empty()
            && !phrase.has("i/we/my/our/branch");
        let is_of_work = phrase.has("^ do/does/will/would § still work/works/pass");
        let needs_no_sign = is_of_work
            || own.against.as_ref().is_some_and(|one| matches!(one.by, Judgement::Callers | Judgement::Lost))
            || own.work.is_some_and(|work| !WITH_SIGN.contains(&work));
        own.change = match range(&phrase, &revisions) {
            _ if own.work.is_none() && revisions.is_empty() && is_of_stash && phrase.has(STASHED) => {
                OwnChange::Range(STASH.to_owned())
            }
            _ if phrase.has(SINCE_COMMIT) && revisions.is_empty() => OwnChange::Uncommitted,
            None if own.work == Some(OfWork::Commits) => OwnChange::Unpushed,
            Some(range) => {
                // The commits themselves are the answer to `what changed in the last commit`.
                let is_of_history = revisions.is_empty()
                    && own.within.is_none()
                    && own.against.is_none()
                    && !phrase.has("my/our")
                    && phrase.has("changed in | ^ list/show .. last/latest/newest .. commits")
                    && !phrase.has("signature/signatures");
                // Of a release the commits are asked for, of a branch the difference.
                let is_branch = |name: &String| name.contains('/') || is_in(BRANCHES, name);
                let is_of_release = phrase.has("^ what/which ... changed since & !i/we/my/our")
                    && own.revision.as_ref().is_some_and(|name| !is_branch(name));
                if own.asks == [OfChange::Changed] && (is_of_history || is_of_release) {
                    return None;
                }
                // Nothing but what is not committed differs from `HEAD`.
                if range == "HEAD" { OwnChange::Uncommitted } else { OwnChange::Range(range) }
            }
            None if time.is_some() => {
                // Without a person the history is asked for.
                if !phrase.has("i/we/my/our") {
                    return None;
                }
                time.map_or(OwnChange::Own, OwnChange::Since)
            }
            None if phrase.has(UNSTAGED) => OwnChange::Unstaged,
            None if phrase.has(STAGED) => OwnChange::Staged,
            None if phrase.has("uncommitted & !unpushed/plus/and/or") || phrase.has(COMMITTED) => {
                OwnChange::Uncommitted
            }
            None if phrase.has(NEXT_COMMIT) => OwnChange::NextCommit,
            None if phrase.has(UNPUSHED) => OwnChange::Unpushed,
            None if phrase.has(UNCOMMITTED) => OwnChange::Uncommitted,
            None if phrase.has(OWN) || own.within.is_some() || own.is_of_tests || needs_no_sign => OwnChange::Own,
            None => {
                own.doubtful = DOUBTFUL.iter().find(|(_, cues)| phrase.has(cues)).map(|(noun, _)| *noun);
                own.is_bare = own.doubtful.is_none() && phrase.has(BARE);
                if own.doubtful.is_none() && !own.is_bare {
                    return None;
                }
                OwnChange::Own
            }
        };
        Some(own)
    }

    /// The thing that is asked first.
    pub fn first(&self) -> OfChange {
        self.asks.first().copied().unwrap_or(OfChange::Breaks)
    }
}

/// Whether the question names nothing else than these words.
fn named_none(phrase: &Phrase, but: &[(usize, String)]) -> bool {
    phrase.is_name.iter().filter(|is_name| **is_name).count() == but.len()
}

/// The names that the question judges against the change.
fn against(phrase: &Phrase, others: &[(usize, String)], is_lost: bool) -> Option<Against> {
    let joint = |at: usize| phrase.words.get(at).is_some_and(|word| is_in("and or", word));
    let is_list = match others {
        [_] => true,
        [(first, _), (second, _)] => *second == first + 2 && joint(first + 1),
        _ => false,
    };
    if !is_list {
        return None;
    }
    let by = if phrase.has(OF_CALLERS) {
        Judgement::Callers
    } else if is_lost {
        Judgement::Lost
    } else if !phrase.has(AGAINST) || phrase.has(WITHIN) || phrase.has(SUPPOSED) {
        return None;
    } else if phrase.has(TOUCHED) {
        Judgement::Touched
    } else if phrase.has(BROKEN) {
        Judgement::Broken
    } else {
        Judgement::Affected
    };
    Some(Against { names: others.iter().map(|(_, name)| name.clone()).collect(), by })
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

/// The words, without the signs around them; `i've` is two.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for raw in text.split_whitespace() {
        let bare = raw.trim_matches(|c: char| "?!,;:()'".contains(c)).replace('’', "'");
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

/// Whether a word can be nothing but a revision: `HEAD~1`, `main..HEAD`, `@{u}`, the digits of a commit.
fn is_revision(word: &str) -> bool {
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
fn is_behind_sign(phrase: &Phrase, at: usize) -> bool {
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

/// The things asked, clause by clause, and the words of the first clause that asks.
fn asks(phrase: &Phrase) -> (Vec<OfChange>, Phrase) {
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
        } else if clause.has(AFFECTED) && !clause.has("stash .. touch*") {
            OfChange::Affected
        } else if clause.has(USERS) && !speaks_of_tests {
            OfChange::Users
        } else if clause.has(UNTESTED) && !clause.has("which/what/how .. test/tests & !no/without/lack test/tests") {
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

/// The meaning of a yes as an answer.
fn yes(phrase: &Phrase, first: &Phrase) -> YesMeans {
    const ASKS_FOR_YES: &str = "any/safe/ready/ok/okay/fine/is/are/am/did/do/does/will/would/can/could/have/has/should/may/shall/was/were/might";
    let is_yes = phrase.has(&format!("^ {ASKS_FOR_YES} & !how many")) || first.has(&format!("^ {ASKS_FOR_YES}"));
    // `if I push, does anything break`
    let is_late = phrase.has("^ if/when/after/before/once/with")
        && phrase.has("is/are/did/do/does/will/would/can/could/should anything/something/it/that/everything/i/we");
    if !is_yes && !is_late {
        return YesMeans::Nothing;
    }
    if first.has(UNTESTED) {
        let is_denied = first.has("untested | uncovered | not/no/without/lack ..");
        return if is_denied { YesMeans::Untested } else { YesMeans::Tested };
    }
    if first.has(EXISTS) {
        let is_clean = first.has("clean | everything/all | nothing");
        return if is_clean { YesMeans::Clean } else { YesMeans::Exists };
    }
    let of_tests = "test/tests & !broke* & !break* & !fail* & !affect* & !pass* & !green";
    if first.has(of_tests) && !first.has(OUTSIDE_OF_TESTS) {
        return YesMeans::Nothing;
    }
    let is_safe = first.has(
        "safe/safely/ok/okay/fine/ready/good/correct/compatible | still work/works/working/pass | works | can/could/may/should/shall i/we",
    );
    let is_safe = is_safe || phrase.has("^ do/does/will/would § still work/works/pass");
    if is_safe && !first.has("break*/broke/broken & !should") { YesMeans::Safe } else { YesMeans::Broken }
}

#[cfg(test)]
mod tests {
    use super::{OfChange::*, OwnChange as C, *};

    fn read(text: &str) -> Option<(OwnChange, Vec<OfChange>, YesMeans)> {
        OwnQuestion::of(text).map(|own| (own.change, own.asks, own.yes))
    }

    #[test]
    fn whose_change_and_what_is_asked_are_read_apart() {
        use YesMeans::*;
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
            ("are my changes tested?", C::Own, vec![OfChange::Untested], Tested),
            ("which of my changes are not tested?", C::Own, vec![OfChange::Untested], Nothing),
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
