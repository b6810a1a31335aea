//! The table of forms (`forms.txt`): which words ask for which answer, in which way, under which conditions.
//!
//! Every line that fits adds its weight to its reading, and a model of the words (`learned`) adds its evidence. The
//! words only propose; whether an answer is empty, `answer` finds out. `training/readings.py` fits the weights.

pub mod concepts;
pub mod degrees;
pub mod general;
pub mod learned;
pub mod own_change;
pub mod patterns;
pub mod vocabulary;
pub mod world;

use std::{collections::BTreeSet, sync::OnceLock};

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::{
    ask::reading::forms::{learned::WordEvidence, patterns::Phrase},
    model::{RelationshipKind, conventions::test_kinds::SuiteKind},
    query::impact::walk::factors::Change,
};

/// The table. Lines that begin with a blank go on.
const TABLE: &str = include_str!("forms.txt");
/// A sum of weights from which forms decide alone.
const CLEAR: f64 = 3.5;

/// An enumeration whose variants have words, in output and in the table.
macro_rules! words {
    ($(#[$of:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$of])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word in output and in the table.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The one with this word.
            pub fn of(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }
    };
}
pub(crate) use words;

words! {
    /// Which evidence answers a question.
    QuestionIntent {
        /// The source of the definition.
        Show = "show",
        /// Its parameters with their defaults, and the type that it returns.
        Signature = "signature",
        /// The contents of a class, module or folder.
        Members = "members",
        /// Bases and subclasses.
        Hierarchy = "hierarchy",
        /// How one definition works, alone or together with others.
        Explain = "explain",
        /// Two definitions side by side.
        Compare = "compare",
        /// The users of a definition, or the definitions that it uses.
        Usage = "usage",
        /// The shortest real uses, from tests and the program.
        Examples = "examples",
        /// The sections of documents that name a definition.
        Documents = "documents",
        /// How one definition depends on another.
        Path = "path",
        /// The tree of calls from a definition.
        Flow = "flow",
        /// The impact of a change.
        Impact = "impact",
        /// The tests of a definition.
        Tests = "tests",
        /// Definitions that no test reaches.
        Coverage = "coverage",
        /// Whether and where a file exists.
        Files = "files",
        /// The context of an instruction to change the code.
        Edit = "edit",
        /// A description of code that must be found by meaning.
        Search = "search",
        /// The repository as a whole.
        Repository = "repository",
        /// General knowledge, nothing of this repository.
        Knowledge = "knowledge",
        /// Definitions of a kind that fit conditions.
        Select = "select",
        /// The places of a text: a message, a setting, a name from outside.
        Text = "text",
        /// The frames of a traceback.
        Traceback = "traceback",
        /// The exceptions that a definition may raise.
        Raised = "raised",
        /// The places that raise or catch an exception.
        Handled = "handled",
        /// Comments that something is left to do.
        Todos = "todos",
        /// Who changed a definition and when.
        History = "history",
        /// The changes since a revision.
        Changes = "changes",
        /// The packages from outside that are imported.
        Packages = "packages",
        /// Cycles of imports.
        Cycles = "cycles",
        /// The places where the program begins.
        EntryPoints = "entry_points",
    }
}

words! {
    /// The task for a language model. Each has its template.
    Task { Ask = "ask", Explain = "explain", Test = "test", Doc = "doc", Smell = "smell", Review = "review", Impact = "impact", }
}

words! {
    /// The direction of a usage.
    UsageDirection {
        /// Its users.
        Incoming = "incoming",
        /// The definitions that it uses.
        Outgoing = "outgoing",
    }
}

words! {
    /// The way in which a question wants yes or no.
    #[derive(Default)]
    Polarity {
        /// It wants places, not a verdict.
        #[default]
        Open = "open",
        /// `is it safe`, `can I`: yes means that nothing breaks.
        Safe = "safe",
        /// `will it break`: yes means that something breaks.
        Breaks = "breaks",
        /// `is it used`: yes means that something uses it.
        Used = "used",
    }
}

impl QuestionIntent {
    /// Whether the answer lies in the named definitions themselves, not in their surroundings.
    pub fn is_particular(self) -> bool {
        matches!(
            self,
            Self::Show | Self::Signature | Self::Members | Self::Explain | Self::Compare | Self::Files | Self::Edit
        )
    }
}

/// One line of the table.
struct Form {
    /// The reading that it speaks for, or the detail: `change:remove`.
    target: &'static str,
    /// The facts that have to hold.
    needs: Vec<&'static str>,
    weight: f64,
    patterns: String,
}

fn table() -> &'static [Form] {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let mut forms: Vec<Form> = Vec::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            if let Some(form) = forms.last_mut().filter(|_| line.starts_with(' ')) {
                form.patterns.push_str(line);
                continue;
            }
            let mut columns = line.split_whitespace();
            let mut next = || columns.next().expect("a test reads every line");
            let (target, needs, weight) = (next(), next(), next());
            let needs = needs.split(',').filter(|need| *need != "any").collect();
            let weight = weight.parse().expect("a test reads every line");
            forms.push(Form { target, needs, weight, patterns: columns.collect::<Vec<_>>().join(" ") });
        }
        forms
    })
}

/// The facts about a question that forms need, by their words in the table.
pub type Facts = BTreeSet<&'static str>;

/// A way to read a question, by its words alone.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Reading {
    pub intent: QuestionIntent,
    /// The sum of the weights of its forms.
    pub score: f64,
    /// The lines of the table that fit, by number from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<usize>,
}

/// The readings of a phrase, the best first. Where the forms leave a doubt, `words` are evidence too: those of a whole
/// question in English, with `<kind>` for names, or none.
pub fn readings(phrase: &Phrase, facts: &Facts, words: &[String]) -> Vec<Reading> {
    let mut found: Vec<Reading> = Vec::new();
    for (at, form, intent) in fitting(phrase, facts, "") {
        let Some(intent) = QuestionIntent::of(intent) else { continue };
        match found.iter_mut().find(|reading| reading.intent == intent) {
            Some(reading) => {
                reading.score += form.weight;
                reading.forms.push(at);
            }
            None => found.push(Reading { intent, score: form.weight, forms: vec![at] }),
        }
    }
    // The words of a clear form leave nothing to guess. Questions left out of the fit set the bound.
    if !words.is_empty() && !found.iter().any(|reading| reading.score >= CLEAR) {
        weigh(&mut found, facts, &WordEvidence::of(words));
    }
    if facts.contains("here") {
        found.retain(|reading| reading.intent != QuestionIntent::Knowledge);
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.intent.cmp(&b.intent)));
    found
}

/// Adds the evidence of the words to the readings, and the readings that only the words speak for.
fn weigh(found: &mut Vec<Reading>, facts: &Facts, evidence: &WordEvidence) {
    for (intent, weight) in evidence.iter().filter(|(intent, _)| is_possible(*intent, facts)) {
        match found.iter_mut().find(|reading| reading.intent == intent) {
            Some(reading) => reading.score += weight,
            None if weight > 0.0 => found.push(Reading { intent, score: weight, forms: Vec::new() }),
            None => {}
        }
    }
}

/// Whether a reading has something to answer with, where no form says so. Only forms may call a question knowledge of
/// the world once it names something here, if only by two words that one name has.
fn is_possible(intent: QuestionIntent, facts: &Facts) -> bool {
    use QuestionIntent as I;
    let needs: &[&str] = match intent {
        I::Compare | I::Path => &["two", "allknown"],
        I::Signature | I::Hierarchy | I::Explain | I::Examples | I::Flow | I::Raised => &["subject"],
        I::Show | I::Members => &["place", "allknown"],
        I::Usage | I::Documents | I::Impact | I::Tests => &["place"],
        I::Files => &["file"],
        I::Text => &["literal"],
        I::Handled => &["exception", "failing"],
        I::Select => &["condition", "allknown", "whole"],
        I::Knowledge => &["noplace", "nocode", "noliteral", "unspelled", "foreign"],
        I::Traceback => &["frames"],
        I::Search | I::Repository | I::Packages | I::Cycles | I::EntryPoints => &["noplace"],
        I::Coverage | I::Edit | I::Todos | I::History | I::Changes => &[],
    };
    needs.iter().all(|need| facts.contains(need))
}

/// The English word for a word of another language, both in lower case.
pub fn english(word: &str) -> Option<&'static str> {
    static WORDS: OnceLock<FxHashMap<&str, &str>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let mut words = FxHashMap::default();
        for form in table() {
            let Some(english) = form.target.strip_prefix("english:") else { continue };
            for word in form.patterns.split('/') {
                words.entry(word).or_insert(english);
            }
        }
        words
    });
    words.get(word).copied()
}

/// The values of a detail such as `change:` that fit, in the order of the table.
pub fn details(phrase: &Phrase, facts: &Facts, head: &str) -> Vec<&'static str> {
    fitting(phrase, facts, head).map(|(_, _, value)| value).collect()
}

/// The values of a detail such as `mark:` that fit, and that the question denies: `are not async`.
pub fn denied(phrase: &Phrase, head: &str) -> Vec<&'static str> {
    let none = Facts::new();
    let forms = fitting(phrase, &none, head).filter(|(_, form, _)| phrase.denies(&form.patterns));
    forms.map(|(_, _, value)| value).collect()
}

/// The words by which a question states a kind of definition or a condition.
pub fn places_of_filters(phrase: &Phrase) -> BTreeSet<usize> {
    const HEADS: [&str; 6] = ["noun:", "is:", "mark:", "base:", "decorated:", "number:"];
    let forms = table().iter().filter(|form| HEADS.iter().any(|head| form.target.starts_with(head)));
    forms.flat_map(|form| phrase.places(&form.patterns)).collect()
}

/// The first number of a detail that fits, with what its form adds to it.
pub fn number(phrase: &Phrase, detail: &str) -> Option<u32> {
    let mut forms = table().iter().filter(|form| form.target.strip_prefix("number:") == Some(detail));
    #[expect(clippy::cast_possible_truncation, reason = "the table has -1, 0 and 1")]
    let exact = |form: &Form, number: u32| number.saturating_add_signed(form.weight as i32);
    forms.find_map(|form| phrase.number(&form.patterns).map(|number| exact(form, number)))
}

fn fitting<'p>(
    phrase: &'p Phrase,
    facts: &'p Facts,
    head: &'p str,
) -> impl Iterator<Item = (usize, &'static Form, &'static str)> + 'p {
    table().iter().enumerate().filter_map(move |(at, form)| {
        let target = form.target.strip_prefix(head).filter(|rest| !rest.contains(':'))?;
        let fits = form.needs.iter().all(|need| facts.contains(need)) && phrase.has(&form.patterns);
        fits.then_some((at, form, target))
    })
}

/// The kind of change that the words name.
pub fn change(phrase: &Phrase, facts: &Facts) -> Change {
    match details(phrase, facts, "change:").first() {
        Some(&"signature") => Change::Signature,
        Some(&"remove") => Change::Remove,
        Some(&"rename") => Change::Rename,
        Some(&"require") => Change::Require,
        Some(&"keyword-only") => Change::KeywordOnly,
        _ => Change::Body,
    }
}

/// The one kind of use that the words name; two kinds select none.
pub fn verb(phrase: &Phrase, facts: &Facts) -> Option<RelationshipKind> {
    use RelationshipKind as K;
    let kinds = [K::Calls, K::Raises, K::Reads, K::Writes, K::Imports, K::Decorates, K::Annotates];
    let named = details(phrase, facts, "verb:");
    let [one] = named.as_slice() else { return None };
    kinds.into_iter().find(|kind| kind.as_str() == *one)
}

/// The kind of tests that the words name. Of two kinds the one behind `but` counts, and otherwise none.
pub fn test_kind(phrase: &Phrase) -> Option<SuiteKind> {
    let place = |kind: &SuiteKind| {
        let words = match kind {
            SuiteKind::Unit => "unit test*|unit-test*|unittest*",
            SuiteKind::Integration => "integration test*|integration-test*",
            SuiteKind::EndToEnd => "e2e test*|end-to-end test*|end to end test*",
            SuiteKind::Functional => "functional test*",
            SuiteKind::Acceptance => "acceptance test*",
            SuiteKind::System => "system test*",
            SuiteKind::Smoke => "smoke test*",
            SuiteKind::Performance => "performance test*|benchmark test*",
        };
        phrase.place(words).map(|(start, _)| (start, *kind))
    };
    let named: Vec<(usize, SuiteKind)> = SuiteKind::ALL.iter().filter_map(place).collect();
    match named.as_slice() {
        [(_, one)] => Some(*one),
        several => {
            let (_, behind) = phrase.place("but")?;
            several.iter().find(|(at, _)| *at >= behind).map(|(_, kind)| *kind)
        }
    }
}

/// How the question wants yes or no.
pub fn polarity(phrase: &Phrase) -> Polarity {
    let found = details(phrase, &Facts::new(), "polarity:");
    found.first().and_then(|word| Polarity::of(word)).unwrap_or_default()
}

/// The task for a language model.
pub fn task(phrase: &Phrase, facts: &Facts, intent: QuestionIntent) -> Task {
    let named = details(phrase, facts, "task:");
    let has = |task: Task| named.contains(&task.as_str());
    match intent {
        QuestionIntent::Knowledge => Task::Ask,
        _ if has(Task::Explain) => Task::Explain,
        _ if has(Task::Test) && intent != QuestionIntent::Coverage => Task::Test,
        _ if has(Task::Doc) => Task::Doc,
        QuestionIntent::Impact => Task::Impact,
        // An instruction to refactor is an edit; a question about it asks for a judgment.
        QuestionIntent::Edit => Task::Ask,
        _ if has(Task::Review) => Task::Review,
        _ if has(Task::Smell) => Task::Smell,
        QuestionIntent::Explain | QuestionIntent::Flow => Task::Explain,
        _ => Task::Ask,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(text: &str) -> Phrase {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let is_name = words.iter().map(|word| word == "x" || word == "§").collect();
        Phrase { words, is_name }
    }

    #[test]
    fn every_line_of_the_table_is_read() {
        for form in table() {
            let known = match form.target.split_once(':') {
                None => QuestionIntent::of(form.target).is_some(),
                Some(("polarity", word)) => Polarity::of(word).is_some(),
                Some(("task", word)) => Task::of(word).is_some(),
                Some((head, _)) => {
                    ["change", "verb", "direction", "noun", "is", "mark", "base", "decorated", "number", "english"]
                        .contains(&head)
                }
            };
            assert!(known && !form.patterns.is_empty(), "{}", form.target);
        }
        for intent in QuestionIntent::ALL {
            assert!(table().iter().any(|form| form.target == intent.as_str()), "{intent:?}");
        }
    }

    #[test]
    fn questions_are_told_apart_by_their_form() {
        use QuestionIntent as I;
        for (text, facts, expected) in [
            ("show the x method in the x class", "place name subject onesubject local", I::Show),
            ("show the methods in the x class", "place name subject onesubject class", I::Members),
            ("what classes are derived from the x class", "place name subject class onesubject", I::Hierarchy),
            ("what is the parent class of x", "place name subject class onesubject", I::Hierarchy),
            ("how does the method x work", "place name subject onesubject", I::Explain),
            ("how does x depend on x", "place name subject two", I::Path),
            ("what are the differences between class x and class x", "place name subject two", I::Compare),
            ("who calls x", "place name subject onesubject", I::Usage),
            ("what does x call", "place name subject onesubject", I::Usage),
            ("what breaks if x changes", "place name subject onesubject", I::Impact),
            ("is it safe to remove x", "place name subject onesubject", I::Impact),
            ("which tests cover x", "place name subject onesubject", I::Tests),
            ("write unit tests for x", "place name subject onesubject", I::Tests),
            ("which classes are not covered by unit tests", "noplace noname local", I::Coverage),
            ("in the x class add logging when a unit is added to the graph", "place name subject onesubject", I::Edit),
            ("are there any errors in the repository", "noplace noname local", I::Repository),
            ("where are discounts computed", "noplace noname local", I::Search),
            ("in what year was cobol invented", "noplace noname free foreign nocode nosubject", I::Knowledge),
            ("where is x defined", "place name subject onesubject", I::Show),
            ("how many classes are in x", "place name subject noun", I::Select),
            ("how many classes derive from x", "place name subject noun class", I::Hierarchy),
            ("who catches x", "place name subject class exception", I::Handled),
            ("which errors can x raise", "place name subject callable", I::Raised),
            ("who wrote x", "place name subject", I::History),
            ("any import cycles", "noplace noname", I::Cycles),
            ("which third party packages does x import", "place name subject", I::Packages),
            ("what changed in x since v1", "place name subject", I::Changes),
            ("what is the default of limit in x", "place name subject parameter", I::Signature),
            ("show me an example of x", "place name subject", I::Examples),
            ("what do the docs say about x", "place name subject", I::Documents),
            ("trace step by step what happens in x", "place name subject callable", I::Flow),
            ("x called by", "place name subject onesubject", I::Usage),
            ("x leftover or in use", "place name subject onesubject", I::Usage),
            ("x creations", "place name subject onesubject class", I::Usage),
            ("modules that pull in x", "place name subject onesubject", I::Usage),
            ("which functions does x delegate to", "place name subject onesubject", I::Usage),
            ("x can raise", "place name subject onesubject callable", I::Raised),
            ("x can fail with what errors", "place name subject onesubject callable", I::Raised),
            ("list all classes that are a x", "place name subject onesubject class", I::Hierarchy),
            ("show every exception below x", "place name subject onesubject class", I::Hierarchy),
            ("who reimplements x", "place name subject onesubject callable", I::Hierarchy),
            ("how does that get to x from x step by step", "place name subject two", I::Path),
            ("would anyone notice if x disappeared", "place name subject onesubject", I::Impact),
            ("x shall move into x", "place name subject file", I::Impact),
            ("x whose idea was that and when", "place name subject", I::History),
            ("what landed in src since v1", "noplace noname local", I::Changes),
            ("which pypi packages are imported", "noplace noname local", I::Packages),
            ("which line creates the global x", "place name subject onesubject", I::Show),
            ("x comes from where", "place name subject onesubject", I::Show),
            ("resolver classes that ship their own x", "place name subject onesubject callable", I::Hierarchy),
            ("what is x built on", "place name subject onesubject class", I::Hierarchy),
            ("x in gen relic", "place name subject onesubject", I::Usage),
            ("fresh x objects come from which functions", "place name subject onesubject class", I::Usage),
            ("modules depending on x", "place name subject onesubject module", I::Usage),
            ("what in x does the suite never run", "place noname file", I::Coverage),
            ("which functions aren't exercised by any test", "place noname file", I::Coverage),
            ("x page size if i don't pass one", "place name subject onesubject callable", I::Signature),
            ("what is y if i leave it out of x", "place name subject onesubject parameter", I::Signature),
            ("suppose y of x loses its default of 64 who explodes", "place name subject parameter", I::Impact),
            ("x shall require y which calls go bang", "place name subject onesubject callable", I::Impact),
            ("what would you pick for a small shop", "noplace noname free foreign nocode nosubject", I::Knowledge),
            ("i need the code that keeps x from growing", "place name subject onesubject", I::Search),
            ("what looks up x in the env", "place noname literal setting", I::Text),
            ("x changelog from v1 till now", "place noname file oneatmost", I::Changes),
            ("x in a nutshell", "place noname file", I::Members),
            ("suppose x loses its y argument which calls then blow up", "place name subject parameter", I::Impact),
            ("which place picks up x", "place name unknown literal setting", I::Text),
            ("show how one wraps an app in x", "place name subject onesubject", I::Examples),
            ("x should live in y instead list the import lines i gotta fix", "place noname file", I::Impact),
            ("x ends in what error type", "place name subject onesubject callable", I::Raised),
            ("x lives where", "place name subject onesubject", I::Show),
            ("the cycle set is computed before it is called", "noplace noname local", I::Search),
        ] {
            let facts: Facts = facts.split(' ').collect();
            let found = readings(&phrase(text), &facts, &[]);
            assert_eq!(found.first().map(|reading| reading.intent), Some(expected), "{text}: {found:?}");
        }
    }

    #[test]
    fn the_first_word_of_an_answer_follows_the_way_of_asking() {
        for (text, expected) in [
            ("is it safe to delete x", Polarity::Safe),
            ("can i safely remove x", Polarity::Safe),
            ("can i delete x", Polarity::Safe),
            ("i want to delete x is it safe", Polarity::Safe),
            ("may we rename x", Polarity::Safe),
            ("would it be ok to drop x", Polarity::Safe),
            ("is removing x safe", Polarity::Safe),
            ("can we throw out x", Polarity::Safe),
            ("is it ok to kill x in shop", Polarity::Safe),
            ("nobody uses x anymore right can it go", Polarity::Safe),
            ("will removing x break something", Polarity::Breaks),
            ("will it break anything if i rename x", Polarity::Breaks),
            ("does changing x affect y", Polarity::Breaks),
            ("would anything break when moving x", Polarity::Breaks),
            ("if i rename x will that affect y", Polarity::Breaks),
            ("is it dangerous to touch x", Polarity::Breaks),
            ("is x still used", Polarity::Used),
            ("is x even used", Polarity::Used),
            ("is x dead", Polarity::Used),
            ("does anything use x", Polarity::Used),
            ("does anything still use x", Polarity::Used),
            ("does anyone call x", Polarity::Used),
            ("is x called anywhere outside tests", Polarity::Used),
            ("what will break if i rename x", Polarity::Open),
            ("what breaks if i change x", Polarity::Open),
            ("who calls x", Polarity::Open),
            ("where is x used", Polarity::Open),
        ] {
            assert_eq!(polarity(&phrase(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_question_can_ask_for_either_direction_and_for_one_kind_of_use() {
        let facts = Facts::new();
        let is_outgoing = |text: &str| !details(&phrase(text), &facts, "direction:").is_empty();
        assert!(is_outgoing("what does x call") && is_outgoing("what does method x use"));
        assert!(is_outgoing("which functions does x delegate to") && is_outgoing("x calls which helpers"));
        assert!(is_outgoing("x which helpers are called from there"));
        assert!(is_outgoing("x what is being invoked in there"));
        assert!(is_outgoing("x list the helpers it relies on"));
        assert!(is_outgoing("which functions get triggered from x"));
        assert!(!is_outgoing("what calls x") && !is_outgoing("where is x used"));
        let verb = |text: &str| verb(&phrase(text), &facts);
        assert_eq!(verb("who raises x"), Some(RelationshipKind::Raises));
        assert_eq!(verb("what reads x"), Some(RelationshipKind::Reads));
        assert_eq!(verb("where is x called"), Some(RelationshipKind::Calls));
        assert_eq!(verb("which functions wear x"), Some(RelationshipKind::Decorates));
        assert_eq!(verb("modules depending on x"), Some(RelationshipKind::Imports));
        assert_eq!(verb("which code news up x"), Some(RelationshipKind::Calls));
        assert_eq!(verb("who makes use of x"), None);
        assert_eq!([verb("who calls or imports x"), verb("who uses x")], [None, None]);
    }
}
