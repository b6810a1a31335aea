//! The names of a question: those that are judged against the change, and the one to which it is limited.

use crate::ask::reading::{
    forms::{
        own_change::{AffectedKind, Against, Judgement},
        patterns::Phrase,
    },
    words::is_in,
};

/// Questions for the damage that the changes of the file or definition do which they name.
const WITHIN_BREAKS: &str = "^ what/which/who/does/do/did/is/are/show/list/how ... my/our/this .. change/changes/edit/edits/modification/modifications .. to/in/of/inside § ... break/breaks/affect/affects/hurt/safe \
     | broken/affected/breaks/break/hurt ... my/our .. change/changes/edit/edits .. to/in/of § | affected/broken/breaks/break/hurt .. by/because ... i/we .. changed/edited/did .. in/to § \
     | ^ what/who breaks because i/we changed/edited § & !if";
/// Questions that judge a name against the change.
const AGAINST: &str = "affect/affects/affected/affecting/impact/impacts/impacted/break/breaks/broke/broken/touch/touches/reach/reaches/influence/influences/hurt/hurts/harm/harms .. § & !test/tests \
     | § .. affected/impacted/broken/touched/reached/hurt/influenced & !test/tests | is/are/will § .. safe/ok/okay/fine .. after/with \
     | § .. break/breaks/fail/fails/work/works .. because/after/with/due & !test/tests | what/which ... of my/our changes affect/break/touch/reach § \
     | effect/effects/consequence/consequences/impact .. my/our/these ... on/for § | ^ do/does/will/would § still work/works/pass | ^ do/does/will/would .. § still import/imports/load/loads \
     | § .. depend/depends/rely/relies/use/uses/call/calls/need/needs .. i/we changed/edited/modified/touched/removed/renamed/moved/did \
     | § .. depend/depends/rely/relies .. my/our/this/these/the .. change/changes/edit/edits/work/diff | ^ is/are/was/were .. § .. affected/impacted $ & !test/tests \
     | ^ will/does/do/would § behave/behaves/act/work different/differently";
/// A change of the name itself, which nobody made yet: `what breaks if f changes`.
const SUPPOSED: &str = "if/when/once/should/suppose .. § & !i/we/my/our";
const TOUCHED: &str = "touch/touches/touched";
const BROKEN: &str =
    "break/breaks/broke/broken/work/works/fail/fails/safe/ok/okay/fine/pass | still import/imports/load/loads";
/// Whether all that uses a definition was adapted to its change.
const OF_CALLERS: &str = "callers/caller/calls/call/uses/users/usages/places/references/imports of .. § .. updated/fixed/adapted/adjusted/changed/renamed/missed/left \
     | update/updated/fix/fixed/adapt/adapted/adjust/adjusted/change/changed/miss/missed/forget/forgot/forgotten .. callers/caller/calls/call/uses/users/usages/places/references/imports of .. § \
     | § .. callers/calls/uses/users .. updated/fixed/adapted/adjusted/missed | callers/calls/uses/users of .. § .. still work/works \
     | callers/calls/uses/users/places/imports of .. § .. broken/ok/okay/fine/correct/valid";
/// Whether something is in use that may be gone.
const OF_LOST: &str = "who/what/which/where/anyone/anybody/anything/something/somebody/code/modules/functions/files/tests .. still call/calls/called/use/uses/used/import/imports/imported/reference/references/need/needs/refer/refers .. § \
     | ^ is/are .. § .. still used/called/imported/referenced/needed | where is/are .. § still used/called/imported/referenced";
/// Questions for the changes of a file or definition that they name.
const WITHIN: &str = "i/we .. change/changed/modify/modified/edit/edited/touch/touched/add/added/remove/removed/rename/renamed/delete/deleted/do/done/did ... § & !if/when/break*/test/tests \
     | ^ what/which/anything/something .. changed/changes/different/happened .. in/inside/to/with § & !break*/test/tests/if/when/between/version/release/since/compared \
     | my/our .. change/changes/edit/edits/diff/modifications .. in/inside/of/to/for/on .. § & !effect*/consequence* & ^ what/which/show/list/summar*/describe/explain/give/print/see/are/is & !break*/affect*/impact*/test/tests/depend*/call* \
     | uncommitted/staged/unstaged/unpushed/pending/local .. change/changes/edit/edits/modifications .. in/inside/of/to/for/on .. § & !break*/affect*/impact*/test/tests/call* \
     | ^ is/are/was/were/has/have .. § .. changed/modified/edited/touched & !test/tests/ever/often/if/when/by | ^ did .. § change & !ever \
     | ^ is/are .. § .. staged/uncommitted/committed/unstaged/tracked/untracked/ignored/pushed & !affect*/impact*/reach*/break* | ^ is/are .. § new";

/// Questions for the tests of a file that the change concerns.
const WITHIN_TESTS: &str = "test/tests .. in/of/from/inside § .. affected/impacted/run/rerun/execute/break/breaks/fail/fails/pass/concerned .. & my/our/i/we & !if | ^ will/do/does/would .. tests in/of/from/inside § still/pass & !if \
     | ^ should/must/do/does/need/have ... i/we .. run/rerun/execute/retest .. § & !if | run/rerun/execute ... those/ones/just/only .. in/from/of § & !if \
     | ^ test/tests to run/rerun/execute .. in/from/of § | ^ only/just .. test/tests .. in/from/of § ... run/rerun/execute \
     | ^ which/what/list/show .. test/tests .. in/from/of § .. run/rerun/execute \
     | test/tests .. affected/concerned .. my/our .. change/changes/edit/edits .. in § | ^ are/is .. test/tests in/of/from/inside § .. affected/impacted $ \
     | § .. need/needs .. update/updated/updating/change/changes/changed/adapted/adapting/fixing/run/rerun & !if/i/we/when | must/should § be updated/adapted/changed/fixed/run/rerun & !if/i/we/when";
/// Definitions of a kind that the change reaches, the kind being a word of the program: `which fields are affected`.
const KINDS: &str = "^ which/what/all § .. are/is/get/gets/be .. affected/impacted/reached/influenced/broken & !if | ^ how many § .. are/is .. affected/impacted/reached/influenced/broken & !if \
     | ^ which/what/how § do/does/did/will/would .. my/our/this/these .. affect/impact/reach/influence/break & !if | ^ how many § do/does/did/will/would .. my/our/this/these .. affect/impact/reach/influence/break & !if \
     | ^ are/is any § .. affected/impacted/reached/influenced/broken & !if | ^ list/show .. affected/impacted § & !if | ^ do/does/did .. my/our/this/these .. affect/impact/reach/influence/break any § & !if";
/// The same of the classes below a named one.
const HEIRS: &str = "^ which/what/all/list/show/how/are/is .. subclass/subclasses of § .. affected/impacted/reached/influenced/broken & !if \
     | subclass/subclasses of § do/does/did ... affect/impact/reach/influence/break & !if";

/// How a question limits the change by a name.
pub(super) struct NamedLimits {
    pub against: Option<Against>,
    pub within: Option<String>,
    /// The damage of the changes of what is named.
    pub is_of_damage: bool,
    /// The tests in the named file.
    pub is_of_tests: bool,
    /// The kind of the affected definitions that are asked for.
    pub kind: Option<AffectedKind>,
}

impl NamedLimits {
    /// `None` where the question names something that no change is asked for.
    pub(super) fn of(phrase: &Phrase, names: &[(usize, String)], has_sign: bool) -> Option<Self> {
        // A change of mine is asked for, not the history of a definition since a release.
        let is_of_damage = phrase.has(WITHIN_BREAKS);
        let kind = if has_sign { None } else { kind(phrase, names) };
        let against = against(phrase, names).filter(|_| !is_of_damage && kind.is_none());
        let is_of_tests = phrase.has(WITHIN_TESTS);
        let within = match names {
            [] => None,
            [_] if kind.is_some() => None,
            [_, (_, place)] if kind.is_some() && place.ends_with(".py") => Some(place.clone()),
            _ if against.is_some() && !has_sign => None,
            [(_, word)] if is_of_damage && !has_sign => Some(word.clone()),
            [(_, word)] if is_of_tests && !has_sign && word.ends_with(".py") => Some(word.clone()),
            [(_, word)] if phrase.has(WITHIN) && (!has_sign || phrase.has("i/we/my/our")) => Some(word.clone()),
            _ => return None,
        };
        let is_of_tests = is_of_tests && within.is_some();
        Some(Self { against, within, is_of_damage: is_of_damage && kind.is_none(), is_of_tests, kind })
    }
}

/// The kind of definitions of which the question asks whether the change affects them.
fn kind(phrase: &Phrase, names: &[(usize, String)]) -> Option<AffectedKind> {
    let (_, word) = names.first()?;
    if phrase.has(HEIRS) {
        return Some(AffectedKind::Below(word.clone()));
    }
    let is_noun = word.chars().all(|letter| letter.is_ascii_lowercase());
    // `which fields are affected by a change in cart.py` supposes one.
    let is_own = names.len() == 1 || phrase.has("my/our/i/we");
    (is_noun && is_own && phrase.has(KINDS)).then(|| AffectedKind::Noun(word.clone()))
}

/// Whether the question asks who uses something that may be gone.
pub(super) fn is_of_lost(phrase: &Phrase) -> bool {
    phrase.has(OF_LOST) && !phrase.has("i/we/my/our")
}

/// The names that the question judges against the change.
fn against(phrase: &Phrase, others: &[(usize, String)]) -> Option<Against> {
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
    } else if is_of_lost(phrase) {
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
