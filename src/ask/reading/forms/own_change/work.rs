//! Questions about one's own work that git answers, or a look at the kinds of what is changed.

use crate::ask::reading::forms::{own_change::OfWork, patterns::Phrase};

/// Questions that git answers.
const WORK: [(OfWork, &str); 14] = [
    (
        OfWork::InPush,
        "^ will/would/are/is/do/does/were/have/has my/our/the/all .. staged/unstaged/uncommitted/change/changes/edit/edits/work .. in/part/pushed/include/included/go .. push/pushed & !break*/affect*/not/test/tests \
         | ^ will/would/are/is/do/does/were/have/has my/our/the/all .. staged/unstaged/uncommitted/change/changes/edit/edits/work .. pushed & !break*/affect*/not/test/tests",
    ),
    (
        OfWork::DocsToUpdate,
        "^ do/does/must/should/have/has/are/is/will ... need/needs/have/must/should ... update/updated/updating/change/changed/adapt/adapted/adjust/adjusted/fix .. docs/doc/documentation & !test/tests \
         | ^ must/should i/we .. update/change/adapt/adjust/fix .. docs/doc/documentation & !test/tests \
         | ^ do/does/must/should .. docs/doc/documentation .. need/needs/be .. update/updated/updating/change/changed/changing & !test/tests \
         | docs/doc/documentation/documents .. mention/mentions/name/names/describe/describes ... i/we .. changed",
    ),
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
         | ^ does/do/what/which .. the test/tests i/we .. added/wrote/changed/edited/modified .. call/use/cover/test/exercise/reach/check & !pass/fail/break \
         | ^ is/are my/our/the change/changes .. covered/tested/reached by my/our/the new/added test/tests",
    ),
    (
        OfWork::Kinds,
        "^ did/have/does/do ... code/behaviour/behavior/anything ... or .. only/just .. test/tests/docs/documentation | ^ did/have i/we only/just .. test/tests/docs/documentation & !run/rerun/break/pass \
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
/// Whether a text asks if the change needs an entry of a changelog, or has one.
pub(super) fn asks_for_changelog(text: &str) -> bool {
    const LONGEST: usize = 14;
    let lower = text.trim_end_matches(['?', '.', ' ']).to_lowercase();
    let phrase = Phrase::of_words(lower.split_whitespace().map(str::to_owned).collect());
    let is_asked = phrase.has(
        "^ do/does/must/should/need/is .. i/we/my/our/this ... need/needs/have/add/write/update/worth .. changelog/news/release .. entry/note/notes/fragment \
         | ^ do/does/must/should/need i/we ... need/have/add/write/update .. changelog | ^ did/have i/we .. update/updated/add/added/write/written/forget .. changelog",
    );
    is_asked && phrase.words.len() <= LONGEST && !phrase.has("if/suppose/how")
}

/// Of all others an index of code tells nothing, so they need no sign of a change.
pub(super) const WITH_SIGN: [OfWork; 2] = [OfWork::Commits, OfWork::Size];

/// The thing that is asked of git, where the question names nothing else.
pub(super) fn work(phrase: &Phrase) -> Option<OfWork> {
    WORK.iter().find(|(_, cues)| phrase.has(cues)).map(|(work, _)| *work)
}
