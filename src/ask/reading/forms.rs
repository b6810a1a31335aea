//! The forms of questions, as data: which words ask for which answer, which filter, which verdict.
//!
//! Each form that fits proposes an intent with a score. The words decide here; whether the answer is empty, `answer`
//! finds out.

use serde::Serialize;

use crate::{
    ask::reading::{intent::QuestionIntent, patterns::Phrase},
    model::EntityKind,
};

/// The subject that a form needs besides its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Nothing,
    /// A known definition.
    Subject,
    /// A name, known or not.
    Name,
    /// A kind of definition in the plural, such as `functions`.
    Noun,
    /// A kind of definition, and a filter of definitions.
    Filter,
    /// A text that may stand in the source.
    Literal,
    /// No name that looks like code.
    NoCode,
    /// No known definition.
    NoSubject,
}

/// Words that ask for one kind of answer.
struct Form {
    intent: QuestionIntent,
    need: Need,
    /// Larger scores win; the rules about words alone score [`RULES`].
    score: f64,
    patterns: &'static str,
}

/// The score of the reading that the rules propose.
pub const RULES: f64 = 2.0;
/// The score that each word of a fitting pattern adds.
const A_WORD: f64 = 0.1;

const FORMS: &[Form] = &[
    Form {
        intent: QuestionIntent::Cycles,
        need: Need::Nothing,
        score: 6.0,
        patterns: "import cycle*|circular import*|cyclic import*|circular dependenc*|cyclic dependenc*|import each other",
    },
    Form {
        intent: QuestionIntent::Packages,
        need: Need::Nothing,
        score: 6.0,
        patterns: "third party package*/librar*/dependenc*/module*|third-party|external package*/librar*/dependenc*|\
                   which/what package* .. import*/need*/use*|pip package*|dependenc* of this/the project/package/repo*",
    },
    Form {
        intent: QuestionIntent::EntryPoints,
        need: Need::Nothing,
        score: 5.0,
        patterns: "entry point*|entrypoint*|console script*|command line .. start*|start* .. from the command line|\
                   where does .. program/application start",
    },
    Form {
        intent: QuestionIntent::Changes,
        need: Need::Nothing,
        score: 6.0,
        patterns: "what/whats/what's/which .. changed/changes/new .. since|changes/changed since|changelog of|what's/whats new in",
    },
    Form {
        intent: QuestionIntent::History,
        need: Need::Nothing,
        score: 6.0,
        patterns: "who wrote/introduced/added/authored/committed|who .. last changed/touched/modified/edited|\
                   when was/were/did .. added/introduced/created/changed/written/removed|since which/what version/release/when|\
                   since when|author/authors of|git blame|git log|history of|last changed/modified/touched|which/what commit",
    },
    Form {
        intent: QuestionIntent::Knowledge,
        need: Need::NoCode,
        score: 5.0,
        patterns: "in general|better/faster/slower/worse/nicer .. than|opinion*|pros and cons",
    },
    Form { intent: QuestionIntent::Knowledge, need: Need::NoSubject, score: 5.0, patterns: "^ what is a/an" },
    Form {
        intent: QuestionIntent::Handled,
        need: Need::Name,
        score: 5.0,
        patterns: "catch*/caught/except/handle/handles/handled/translate*/swallow* ..|raise*/throw* .. or .. catch*",
    },
    Form {
        intent: QuestionIntent::Raised,
        need: Need::Subject,
        score: 5.0,
        patterns: "which/what error*/exception* can/could/may/might/does/do/will|what does/can/could/may § raise/throw|\
                   what .. § raise/throw|which function .. raise*/throw*|exceptions/errors of §",
    },
    Form {
        intent: QuestionIntent::Text,
        need: Need::Literal,
        score: 3.5,
        patterns: "environment variable*|env var*|variable de entorno|umgebungsvariable*|config* key*|setting*|header*|\
                   error:/error|message*|text|says/said|string|where|read|respected|checked|checks/check|fix|bug|dies|emit*|\
                   set|used|dónde|donde|wo|où",
    },
    Form { intent: QuestionIntent::Todos, need: Need::Nothing, score: 6.0, patterns: "todo*|fixme*|xxx|hack comment*" },
    Form { intent: QuestionIntent::Select, need: Need::Filter, score: 5.0, patterns: ".." },
    Form {
        intent: QuestionIntent::Select,
        need: Need::Noun,
        score: 5.0,
        patterns: "how many|number of|count the/of|biggest/largest/longest",
    },
    Form {
        intent: QuestionIntent::Repository,
        need: Need::Nothing,
        score: 4.0,
        patterns: "which/what module* does/do/is .. what|new to this/the|tour of this/the code*/repo*/project",
    },
];

/// Facts about a question that decide whether a form applies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Present {
    pub subject: bool,
    pub name: bool,
    pub literal: bool,
    /// A name with an underscore, a dot or capitals inside.
    pub code: bool,
}

/// The intents that fit `phrase`, the best first.
pub fn proposals(phrase: &Phrase, present: Present, filters: &Filters) -> Vec<(f64, QuestionIntent)> {
    let is_met = |need: Need| match need {
        Need::Nothing => true,
        Need::Subject => present.subject,
        Need::Name => present.name,
        Need::Noun => filters.noun.is_some() && !phrase.has(RELATIONS),
        Need::Filter => filters.noun.is_some() && filters.is_any() && (filters.is_strong() || !phrase.has(RELATIONS)),
        Need::Literal => present.literal,
        Need::NoCode => !present.code,
        Need::NoSubject => !present.subject && !present.code,
    };
    let mut found: Vec<(f64, QuestionIntent)> = FORMS
        .iter()
        .filter(|form| is_met(form.need))
        .filter_map(|form| {
            let fit = if form.patterns == ".." { 1 } else { phrase.fit(form.patterns) };
            let words = f64::from(u32::try_from(fit).unwrap_or(u32::MAX));
            (fit > 0).then_some((form.score + A_WORD * words, form.intent))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found
}

/// Words of relationships: `how many classes derive from X` counts no definitions by their own marks.
const RELATIONS: &str = "call/calls/called/calling|use/uses/used/using|deriv*|inherit*|subclass*|import*|overrid*|\
                         implement*|test/tests|depend*";

/// The way in which a question wants yes or no.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// It wants places, not a verdict.
    #[default]
    Open,
    /// `is it safe`, `can I`: yes means that nothing breaks.
    Safe,
    /// `will it break`: yes means that something breaks.
    Breaks,
    /// `is it used`: yes means that something uses it.
    Used,
}

/// The polarities, each with its forms; the first that fits counts.
const POLARITIES: &[(Polarity, &str)] = &[
    (
        Polarity::Open,
        "^ where|^ who|^ which|^ how|what/which/who/where/whose .. break*/fail*/affected/happen*/notice*|what else",
    ),
    (
        Polarity::Safe,
        "safe to|is it/that/this safe|safely|can/could/may i/we/you/one .. delete/remove/drop/kill/rename/change/move/\
         throw/replace|ok/okay/fine to|can/could it go|nobody/nothing/no-one uses|is it ok/okay/fine/possible",
    ),
    (
        Polarity::Breaks,
        "will/would/does/do/did/could/can .. break|will/would/does .. affect|anything break*|break anything/something",
    ),
    (
        Polarity::Used,
        "^ is/are .. used/needed/called/required/referenced/imported|is/are § .. used/needed/called/required/referenced/imported|\
         does/do anything/anyone/anybody/something|does/do .. still use|still used/needed/called|even used|used anywhere|\
         ever used/called",
    ),
];

/// How the question wants yes or no.
pub fn polarity(phrase: &Phrase) -> Polarity {
    let found = POLARITIES.iter().find(|(_, patterns)| phrase.has(patterns));
    found.map_or(Polarity::Open, |(polarity, _)| *polarity)
}

/// The changes that a question may speak of, besides those that the rules know.
pub const CHANGE_FORMS: &str = "blast radius|can/could/may i/we .. delete/remove/drop/kill/rename/move|can/could it go|\
     ok/okay/fine/safe to delete/remove/drop/kill/rename/move/change|safely throw/delete/remove/drop/get|get rid of|\
     planning/going/want/plan to rename/move/remove/delete/change|nobody uses .. anymore|\
     would/will/what .. break .. moving/renaming/removing/deleting/dropping|moving § to|goes away|\
     took an/a extra/additional/new|got a second/extra/new/additional|lost its";

/// A kind of definition that a question asks for in the plural.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Noun {
    Function,
    /// A function of a module, not of a class.
    Helper,
    Method,
    Class,
    Property,
    Exception,
    Fixture,
    /// Any definition.
    Definition,
}

impl Noun {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Helper => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Property => "property",
            Self::Exception => "exception class",
            Self::Fixture => "fixture",
            Self::Definition => "definition",
        }
    }

    /// Whether an entity of this kind can be meant. A question for functions or methods means both.
    pub fn fits(self, kind: EntityKind) -> bool {
        match self {
            Self::Function | Self::Fixture => kind.is_callable() && kind != EntityKind::Property,
            Self::Helper => kind == EntityKind::Function,
            Self::Method => kind.is_callable(),
            Self::Class | Self::Exception => kind == EntityKind::Class,
            Self::Property => kind == EntityKind::Property,
            Self::Definition => kind == EntityKind::Class || kind.is_callable(),
        }
    }
}

const NOUNS: &[(Noun, &str)] = &[
    (Noun::Exception, "exceptions|every/each exception|exception class*|error classes|errors does/are .. define*"),
    (Noun::Property, "properties|every/each property|property methods"),
    (Noun::Fixture, "fixtures"),
    (Noun::Method, "methods|every/each .. method|staticmethods|classmethods|overloads"),
    (Noun::Class, "classes|every/each .. class|dataclasses"),
    (Noun::Helper, "helpers"),
    (
        Noun::Function,
        "functions|endpoints|routes|every/each .. function|coroutines|generators|context managers|callables|decorators|validators|defs",
    ),
    (
        Noun::Definition,
        "dead code|unused code|everything/anything .. decorated|what is decorated|definitions|things .. decorated",
    ),
];

/// The conditions on definitions or places that a question states.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Filters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noun: Option<Noun>,
    /// The number of them is asked for.
    #[serde(skip_serializing_if = "is_false")]
    pub is_count: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_docstring: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_private: Option<bool>,
    /// Marks of a definition: `async`, `generator`, `static`, `class method`, `abstract`, `overload`, `setter`,
    /// `deprecated`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<&'static str>,
    /// The last part of the name of a decorator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decorator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_lines: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_parameters: Option<u32>,
    /// The largest come first.
    #[serde(skip_serializing_if = "is_false")]
    pub is_biggest: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub is_unused: bool,
    /// Only in tests, or only outside of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_tests: Option<bool>,
    /// The question asks whether only tests remain.
    #[serde(skip)]
    pub asks_for_rest: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

const MARKS: &[(&str, &str)] = &[
    ("async", "async|coroutines|asynchronous"),
    ("generator", "generators|generator functions/methods"),
    ("static", "static methods|staticmethods"),
    ("class method", "class methods|classmethods"),
    ("abstract", "abstract"),
    ("overload", "overload*"),
    ("setter", "setter*|settable"),
    ("deprecated", "deprecated"),
];

impl Filters {
    /// The filters that the words state.
    pub fn of(phrase: &Phrase) -> Self {
        let is_private = if phrase.has("not/don't/dont/doesn't .. start .. underscore|public") {
            Some(false)
        } else {
            phrase.has("private|start*/begin* .. underscore").then_some(true)
        };
        let has_docstring = if phrase.has(
            "no/without/lack*/missing/not/don't/hasn't/haven't .. docstring*/documentation|undocumented|docstring* missing",
        ) {
            Some(false)
        } else {
            phrase.has("with/have/has/having/do .. docstring*").then_some(true)
        };
        let in_tests = if phrase.has(
            "outside of/the .. test*|outside test*|not in tests|excluding tests|besides tests|other than .. tests|\
             in the library|inside the library|in production|library code",
        ) {
            Some(false)
        } else {
            phrase.has("only in .. tests|in the tests only|only by .. tests").then_some(true)
        };
        let above = |list: &str| phrase.number(list).map(|number| number + 1);
        Self {
            noun: NOUNS.iter().find(|(_, patterns)| phrase.has(patterns)).map(|(noun, _)| *noun),
            is_count: phrase.has("how many|number of|count of|count the"),
            has_docstring,
            is_private,
            marks: MARKS.iter().filter(|(_, patterns)| phrase.has(patterns)).map(|(mark, _)| *mark).collect(),
            decorator: phrase.has("endpoints|routes").then(|| ROUTES.to_owned()),
            least_lines: above("longer/more/over/bigger than # line*|over/exceed* # line*")
                .or_else(|| phrase.number("at least # line*|# or more lines|# line* or more/longer|#+ lines")),
            least_parameters: above("more than # param*/arg*|over # param*/arg*")
                .or_else(|| phrase.number("# or more param*/arg*|at least # param*/arg*|# param*/arg* or more")),
            is_biggest: phrase.has("biggest|largest|longest|most lines|most complex|huge/hugest"),
            is_unused: phrase.has(
                "never used/called|unused|not used|dead code|nobody uses/calls|nothing uses/calls|no callers|without callers",
            ),
            in_tests,
            asks_for_rest: phrase.has("or/and .. just/only .. tests"),
        }
    }

    /// Whether a condition is stated that only definitions have, whatever relationship the question speaks of besides.
    fn is_strong(&self) -> bool {
        self.has_docstring.is_some()
            || self.decorator.is_some()
            || self.least_lines.is_some()
            || self.least_parameters.is_some()
            || self.is_unused
    }

    /// Whether some condition on the definitions themselves is stated.
    pub fn is_any(&self) -> bool {
        self.has_docstring.is_some()
            || self.is_private.is_some()
            || !self.marks.is_empty()
            || self.decorator.is_some()
            || self.least_lines.is_some()
            || self.least_parameters.is_some()
            || self.is_biggest
            || self.is_unused
            || self.noun == Some(Noun::Property)
    }
}

/// Questions for all environment variables.
pub const EVERY_VARIABLE: &str =
    "which/what/list/all/any .. environment/enviroment/env variable*/var*|environment/env variables";

/// Decorators that make a function answer requests.
const ROUTES: &str = "route|get|post|put|patch|delete|websocket|api_route";

/// Where a decorator is named: the word behind the pattern, or before it.
pub const DECORATED: &str =
    "decorated with/by|written with/by|wrapped with/by/in|marked with/by|annotated with|using the";

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(text: &str) -> Phrase {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let is_name = words.iter().map(|word| word == "x" || word == "§").collect();
        Phrase { words, is_name }
    }

    #[test]
    fn the_first_word_of_an_answer_follows_the_way_of_asking() {
        for (text, expected) in [
            ("is it safe to delete x", Polarity::Safe),
            ("can i safely remove x", Polarity::Safe),
            ("can i delete x", Polarity::Safe),
            ("what will break if i rename x", Polarity::Open),
            ("can we throw out x", Polarity::Safe),
            ("is it ok to kill x in shop", Polarity::Safe),
            ("nobody uses x anymore right can it go", Polarity::Safe),
            ("will removing x break something", Polarity::Breaks),
            ("would anything break when moving x", Polarity::Breaks),
            ("if i rename x will that affect y", Polarity::Breaks),
            ("is x still used", Polarity::Used),
            ("is x even used", Polarity::Used),
            ("does anything use x", Polarity::Used),
            ("is x called anywhere outside tests", Polarity::Used),
            ("what breaks if i change x", Polarity::Open),
            ("who calls x", Polarity::Open),
            ("where is x used", Polarity::Open),
        ] {
            assert_eq!(polarity(&phrase(text)), expected, "{text}");
        }
    }

    #[test]
    fn filters_are_read() {
        let filters = |text: &str| Filters::of(&phrase(text));
        assert_eq!(filters("list functions with no docstring").has_docstring, Some(false));
        assert_eq!(filters("private helpers that do have a docstring").has_docstring, Some(true));
        assert_eq!(filters("functions that dont start with an underscore").is_private, Some(false));
        assert_eq!(filters("functions with more than twelve params").least_parameters, Some(13));
        assert_eq!(filters("functions with 10 or more parameters").least_parameters, Some(10));
        assert_eq!(filters("methods longer than 100 lines").least_lines, Some(101));
        assert_eq!(filters("is x used anywhere outside of tests").in_tests, Some(false));
        assert_eq!(filters("show async methods").marks, ["async"]);
    }

    #[test]
    fn forms_are_told_apart() {
        use QuestionIntent as I;
        let first = |text: &str, present: Present| {
            let phrase = phrase(text);
            proposals(&phrase, present, &Filters::of(&phrase)).first().map(|(_, intent)| *intent)
        };
        let subject = Present { subject: true, name: true, ..Present::default() };
        for (text, present, expected) in [
            ("how many classes are in x", subject, Some(I::Select)),
            ("how many classes derive from x", subject, None),
            ("which functions are never used in x", subject, Some(I::Select)),
            ("who catches x", subject, Some(I::Handled)),
            ("which errors can x raise", subject, Some(I::Raised)),
            ("who wrote x", subject, Some(I::History)),
            ("who calls x", subject, None),
            ("any import cycles", Present::default(), Some(I::Cycles)),
            ("which third party packages does x import", subject, Some(I::Packages)),
            ("what changed in x since v1", subject, Some(I::Changes)),
        ] {
            assert_eq!(first(text, present), expected, "{text}");
        }
    }
}
