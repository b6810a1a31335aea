//! The words of questions for tests and fixtures: conditions, the place, and what says nothing.

use super::fixtures::SCOPES;
use crate::ask::reading::{filters::Noun, forms::patterns::is_negation, plan::Understood, words::is_in};

/// Words that say nothing about the tests that are asked for.
const GLUE: &str = "a about actually all an and any are as at be been but by can cases code contain contains count currently \
     declare defined define defines do does each else every everything exist exists file files find for from fixture \
     fixtures function functions get give gives got had has have having here how i in inside is it its list many me method \
     methods module modules name names number of on or our own package please project pytest repo repository show some \
     tell test testcase testcases tests that the their them there these they this those to total under us use used uses \
     using was we were what where which who with within you";
/// Heads of questions for lists, numbers, and for yes or no.
const HEADS: &str = "all any are autouse can count do does find give how is list many number parametrized parameterized \
     show skipped tell tests fixtures what which xfail xfailed session";
/// Words of other questions about tests.
const OTHERS: &str = "break breaks call called calls change changed changes check cover covered covering covers depend \
     depends exercise exercises fail failed failing fails hit hits import imports reach reaches request requested \
     requesting requests rerun run running runs tested testing touch touches untested where why";
const PARAMETRIZED: &str = "parametrize parametrized parametrizes parametrised parameterize parameterized parameterised \
     unparametrized parametrization";
const SKIPPED: &str = "skip skipif skipped skipping skips";
const XFAILED: &str = "xfail xfailed xfailing xfails";
const MARKED: &str = "mark marked marker markers marks tagged";
const ASSERTS: &str = "assert asserting assertion assertions asserts";

/// Marks that many projects have; a question may mean them where this one has none.
const USUAL_MARKS: &str = "anyio asyncio benchmark django_db flaky network slow trio usefixtures";
/// Words of a question that may be left out of its answer, at most.
const MAX_REST: usize = 3;

/// A word of the question, in small letters; parts between hyphens are words of their own.
#[derive(Clone, Debug)]
pub(super) struct SuiteWord {
    pub(super) text: String,
    /// It names a definition or a file.
    pub(super) is_subject: bool,
    is_file: bool,
    /// It stands behind an `@`.
    is_decorator: bool,
    /// As the question spells it.
    spelled: String,
}

/// The words of a question.
pub(super) fn tokens(understood: &Understood) -> Vec<SuiteWord> {
    let plan = &understood.plan;
    let mut tokens = Vec::new();
    for word in &understood.question.words {
        let is_file = plan.files.iter().any(|file| file.mention == word.text);
        let is_subject = is_file || plan.subjects.iter().any(|subject| subject.mention == word.text);
        let lower = word.lower();
        let is_whole = is_subject || word.text.contains(['/', '.']);
        let parts: Vec<&str> = if is_whole { vec![lower.as_str()] } else { lower.split('-').collect() };
        tokens.extend(parts.into_iter().filter(|part| !part.is_empty()).map(|part| SuiteWord {
            text: part.trim_start_matches('@').to_owned(),
            is_subject,
            is_file,
            is_decorator: word.text.starts_with('@'),
            spelled: if is_whole { word.text.as_str() } else { part }.trim_start_matches('@').to_owned(),
        }));
    }
    tokens
}

pub(super) fn is_glue(word: &str) -> bool {
    is_in(GLUE, word)
}

/// An option of a fixture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OfFixture {
    Autouse,
    Scope(String),
    Parametrized,
    Yields,
}

/// A condition on tests or fixtures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SuiteCondition {
    /// One of these marks, or a decorator of the name.
    Mark {
        names: Vec<String>,
    },
    AnyMark,
    Decorator(String),
    Async,
    Asserts,
    Option(OfFixture),
}

impl SuiteCondition {
    pub(super) fn mark(name: &str) -> Self {
        Self::marks(&[name])
    }

    fn marks(names: &[&str]) -> Self {
        Self::Mark { names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    pub(super) fn skipped() -> Self {
        Self::marks(&["skip", "skipif", "skipIf", "skipUnless"])
    }

    pub(super) fn xfailed() -> Self {
        Self::marks(&["xfail", "expectedFailure"])
    }

    pub(super) fn parametrized() -> Self {
        Self::mark("parametrize")
    }

    /// The condition in words, of one or several that meet it: `are parametrized`.
    pub(super) fn worded(&self, is_denied: bool, is_one: bool) -> String {
        let verb = |one: &str, several: &str, denied_one: &str, denied: &str| {
            match (is_denied, is_one) {
                (false, true) => one,
                (false, false) => several,
                (true, true) => denied_one,
                (true, false) => denied,
            }
            .to_owned()
        };
        let is = || verb("is", "are", "is not", "are not");
        let has = || verb("has", "have", "has no", "have no");
        match self {
            Self::Mark { .. } if *self == Self::parametrized() => format!("{} parametrized", is()),
            Self::Mark { .. } if *self == Self::skipped() => format!("{} marked to be skipped", is()),
            Self::Mark { .. } if *self == Self::xfailed() => format!("{} expected to fail (`xfail`)", is()),
            Self::Mark { names } => format!("{} marked `{}`", is(), names.join("` or `")),
            Self::Decorator(name) => format!("{} decorated with `{name}`", is()),
            Self::AnyMark => format!("{} {}", has(), if is_denied { "mark" } else { "a mark" }),
            Self::Async => format!("{} async", is()),
            Self::Asserts => format!("{} {}", has(), if is_denied { "assert" } else { "an assert" }),
            Self::Option(OfFixture::Autouse) => format!("{} autouse", is()),
            Self::Option(OfFixture::Scope(scope)) => {
                format!("{} scope `{scope}`", verb("has the", "have the", "has not the", "have not the"))
            }
            Self::Option(OfFixture::Parametrized) => format!("{} parametrized", is()),
            Self::Option(OfFixture::Yields) => verb("yields", "yield", "does not yield", "do not yield"),
        }
    }
}

/// A question for tests or fixtures.
#[derive(Debug)]
pub(super) struct SuiteQuestion {
    pub(super) noun: Noun,
    /// Each with whether it must not hold.
    pub(super) conditions: Vec<(SuiteCondition, bool)>,
    /// One of them is enough.
    pub(super) is_either: bool,
    pub(super) is_polar: bool,
    /// Whether all are asked about: `are all tests parametrized`.
    pub(super) asks_all: bool,
    /// The files of the tests are asked for.
    pub(super) by_file: bool,
    /// A word that could be the name of a mark: `slow tests`.
    pub(super) word: Option<String>,
    pub(super) is_word_denied: bool,
    /// Words that are not understood.
    pub(super) rest: Vec<String>,
}

/// Whether all marks are asked for: `which marks are used`, `list the pytest markers`.
pub(super) fn asks_for_marks(tokens: &[SuiteWord]) -> bool {
    const AROUND: &str = "all any are by custom defined do does exist have here how in is list many me of on our pytest \
         repo repository show suite test tests the there this use used we what which";
    let at = tokens.iter().position(|token| is_in("marks markers", &token.text));
    let Some(at) = at else { return false };
    let is_begun = tokens[..at].iter().all(|token| {
        is_in(
            "a all any are custom do how list many me of our pytest show test the there this we what which",
            &token.text,
        )
    });
    is_begun && tokens.iter().enumerate().all(|(place, token)| place == at || is_in(AROUND, &token.text))
}

impl SuiteQuestion {
    /// The conditions that the words state; `None` where they ask for something else.
    pub(super) fn of(understood: &Understood, tokens: &[SuiteWord]) -> Option<Self> {
        let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
        let first = text(0);
        if !is_in(HEADS, first) || understood.plan.files.iter().any(|file| file.paths.is_empty()) {
            return None;
        }
        // `expected to fail` is a condition.
        let is_other = |at: usize| is_in(OTHERS, text(at)) && (at == 0 || text(at - 1) != "to");
        if (0..tokens.len()).any(|at| is_other(at) && !tokens[at].is_subject) {
            return None;
        }
        let is_noun = |at: &usize| {
            is_in("tests testcases", text(*at))
                || text(*at) == "test" && is_in("cases functions methods files modules", text(at + 1))
                || text(*at) == "test" && is_in("any every each", text(at.wrapping_sub(1)))
        };
        let fixtures = (0..tokens.len()).find(|at| is_in("fixtures", text(*at)));
        let noun = match ((0..tokens.len()).find(is_noun), fixtures) {
            (Some(tests), Some(fixtures)) if fixtures < tests => Noun::Fixture,
            (Some(_), Some(_)) => return None,
            (Some(_), None) => Noun::Test,
            (None, Some(_)) => Noun::Fixture,
            (None, None) => return None,
        };
        let mut asked = Self {
            noun,
            conditions: Vec::new(),
            is_either: false,
            is_polar: is_in("is are do does", first),
            asks_all: is_in("is are do does", first) && is_in("all every each", text(1)),
            by_file: noun == Noun::Test && (0..4).any(|at| text(at) == "test" && is_in("files modules", text(at + 1))),
            word: None,
            is_word_denied: false,
            rest: Vec::new(),
        };
        let noun_at = (0..tokens.len()).find(is_noun).unwrap_or(0);
        let mut at = 0;
        let mut denied_until = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            if is_negation(&token.text) || token.text == "un" {
                denied_until = at + 5;
                at += 1;
                continue;
            }
            if is_in("but and", &token.text) {
                denied_until = 0;
            }
            if let Some((condition, used)) = condition(tokens, at, noun) {
                // `how many asserts are in the tests` counts no tests.
                if condition == SuiteCondition::Asserts && at < noun_at {
                    return None;
                }
                let is_denied = at < denied_until || token.text.starts_with("un");
                asked.conditions.push((condition, is_denied));
                at += used;
                continue;
            }
            if token.text == "or" && !asked.conditions.is_empty() {
                asked.is_either = true;
            }
            // `tests outside of a.py`
            let is_outside =
                token.text == "outside" && understood.plan.outside.iter().any(|file| !file.paths.is_empty());
            let is_left_out = understood.plan.outside.iter().any(|file| file.mention == token.spelled);
            let is_place = is_outside
                || is_left_out
                || token.is_file
                || token.is_subject && is_in("in of inside within from class file module", text(at.wrapping_sub(1)));
            let is_owned =
                token.is_subject && (is_in("have has contain", text(at + 1)) || is_in("tests fixtures", text(at + 1)));
            if !is_place && !is_owned && !is_glue(&token.text) {
                asked.rest.push(token.spelled.clone());
                asked.is_word_denied = at < denied_until;
            }
            at += 1;
        }
        // `slow tests`, `tests that are slow`: one word alone may be a mark.
        if asked.conditions.is_empty() {
            let [word] = asked.rest.as_slice() else { return None };
            let (word, is_denied) = (word.clone(), asked.is_word_denied);
            asked.rest.clear();
            if is_in(USUAL_MARKS, &word) {
                asked.conditions.push((SuiteCondition::mark(&word), is_denied));
            } else {
                asked.word = Some(word);
            }
        }
        // Lists of async tests alone are those of a mark of definitions.
        let is_async_alone = matches!(asked.conditions.as_slice(), [(SuiteCondition::Async, _)]) && noun == Noun::Test;
        (asked.rest.len() <= MAX_REST && !is_async_alone).then_some(asked)
    }
}

/// The condition that begins at a word, and the number of its words.
pub(super) fn condition(tokens: &[SuiteWord], at: usize, noun: Noun) -> Option<(SuiteCondition, usize)> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let spelled = |at: usize| tokens.get(at).map_or("", |token| token.spelled.as_str());
    let word = text(at);
    if noun == Noun::Fixture {
        let option = |option: OfFixture, used: usize| Some((SuiteCondition::Option(option), used));
        let is_scope = |at: usize| is_in("scoped scope level wide", text(at));
        return match word {
            "autouse" => option(OfFixture::Autouse, 1),
            "auto" if is_in("use used", text(at + 1)) => option(OfFixture::Autouse, 2),
            "used" if text(at + 1) == "automatically" => option(OfFixture::Autouse, 2),
            "automatically" if text(at + 1) == "used" => option(OfFixture::Autouse, 2),
            "async" | "asynchronous" => Some((SuiteCondition::Async, 1)),
            "yield" | "yields" | "yielding" | "generators" | "generator" | "teardown" => option(OfFixture::Yields, 1),
            "params" => option(OfFixture::Parametrized, 1),
            word if is_in(PARAMETRIZED, word) => option(OfFixture::Parametrized, 1),
            word if is_in(SCOPES, word) && is_scope(at + 1) => option(OfFixture::Scope(word.to_owned()), 2),
            word if is_in(SCOPES, word) && is_in("fixture fixtures", text(at + 1)) => {
                option(OfFixture::Scope(word.to_owned()), 1)
            }
            // `scope session`, `scope="session"`
            word if is_in("scope scoped", word) => {
                let behind = (at + 1..at + 4).find(|at| is_in(SCOPES, text(*at)))?;
                option(OfFixture::Scope(text(behind).to_owned()), behind + 1 - at)
            }
            word => {
                let scope = word.strip_prefix("scope=").map(|scope| scope.trim_matches(['"', '\'']))?;
                option(OfFixture::Scope(scope.to_owned()), 1)
            }
        };
    }
    // `pytest.mark.slow`
    if let Some((_, name)) =
        spelled(at).rsplit_once("mark.").filter(|(before, _)| before.is_empty() || before.ends_with('.'))
    {
        let name = name.split('(').next().unwrap_or(name);
        let used = 1 + usize::from(is_in(MARKED, text(at + 1)));
        return Some((named(name), used));
    }
    // `the slow mark`
    if is_in("mark marker marks markers", text(at + 1)) && !is_glue(word) && !is_in(OTHER_MARKS, word) {
        return Some((named(spelled(at)), 2));
    }
    if is_in(MARKED, word) || word == "unmarked" {
        let around = |at: &usize| is_in("a an as be by called for named the to with", text(*at));
        let behind = (at + 1..tokens.len()).find(|at| !around(at));
        return match behind.filter(|at| !is_glue(text(*at)) && !is_negation(text(*at))) {
            Some(name) => {
                let used = name + 1 - at + usize::from(is_in("mark marker", text(name + 1)));
                let (condition, more) = condition(tokens, name, noun).unwrap_or((named(spelled(name)), 1));
                Some((condition, used.max(name - at + more)))
            }
            None => Some((SuiteCondition::AnyMark, 1)),
        };
    }
    if word == "decorated" && is_in("with by", text(at + 1)) || tokens[at].is_decorator {
        let name = at + if word == "decorated" { 2 } else { 0 };
        let name = name + usize::from(is_in("a an the", text(name)));
        let wanted = spelled(name).rsplit('.').next().unwrap_or_default();
        return (!wanted.is_empty()).then(|| (SuiteCondition::Decorator(wanted.to_owned()), name + 1 - at));
    }
    match word {
        "async" | "asynchronous" => Some((SuiteCondition::Async, 1)),
        "coroutines" => Some((SuiteCondition::Async, 1)),
        "expected" if text(at + 1) == "to" && text(at + 2) == "fail" => Some((SuiteCondition::xfailed(), 3)),
        word if is_in(PARAMETRIZED, word) => Some((SuiteCondition::parametrized(), 1)),
        word if is_in(SKIPPED, word) => Some((SuiteCondition::skipped(), 1)),
        word if is_in(XFAILED, word) => Some((SuiteCondition::xfailed(), 1)),
        word if is_in(ASSERTS, word) => {
            let used = 1 + usize::from(is_in("statement statements anything", text(at + 1)));
            Some((SuiteCondition::Asserts, used))
        }
        _ => None,
    }
}

/// Words before `mark` that name none.
const OTHER_MARKS: &str = "a any custom no one pytest some the";

/// The condition of a mark that is called by its name.
fn named(name: &str) -> SuiteCondition {
    match name {
        "skip" => SuiteCondition::mark("skip"),
        "skipif" => SuiteCondition::mark("skipif"),
        name if is_in(PARAMETRIZED, name) => SuiteCondition::parametrized(),
        name if is_in("xfailed xfail", name) => SuiteCondition::xfailed(),
        "skipped" => SuiteCondition::skipped(),
        name => SuiteCondition::mark(name),
    }
}
