//! Reads the intent of a question by rules about its words.
//!
//! The rules see the question as a phrase in which names are blanked to `§`, and the number of names of each sort. They
//! decide on the intent (which evidence answers the question), the task for a language model, and details such as the
//! kind of change. The same words always give the same result. The rules are English; names may be in any language.

use serde::Serialize;

use crate::{model::RelationshipKind, query::impact::walk::factors::Change};

/// Which evidence answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionIntent {
    /// The source of the definition.
    Show,
    /// The contents of a class, module or folder.
    Members,
    /// Bases and subclasses.
    Hierarchy,
    /// How one definition works, alone or together with others.
    Explain,
    /// Two definitions side by side.
    Compare,
    /// The users of a definition, or the definitions that it uses.
    Usage,
    /// How one definition depends on another.
    Path,
    /// The impact of a change.
    Impact,
    /// The tests of a definition.
    Tests,
    /// Definitions that no test reaches.
    Coverage,
    /// Whether and where a file exists.
    Files,
    /// The context of an instruction to change the code.
    Edit,
    /// A description of code that must be found by meaning.
    Search,
    /// The repository as a whole.
    Repository,
    /// General knowledge, nothing of this repository.
    Knowledge,
    /// Definitions of a kind that fit conditions.
    Select,
    /// The places of a text: a message, a setting, a name from outside.
    Text,
    /// The frames of a traceback.
    Traceback,
    /// The exceptions that a definition may raise.
    Raised,
    /// The places that raise or catch an exception.
    Handled,
    /// Comments that something is left to do.
    Todos,
    /// Who changed a definition and when.
    History,
    /// The changes since a revision.
    Changes,
    /// The packages from outside that are imported.
    Packages,
    /// Cycles of imports.
    Cycles,
    /// The places where the program begins.
    EntryPoints,
}

/// The task for a language model. Each has its template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    Ask,
    Explain,
    Test,
    Doc,
    Smell,
    Impact,
}

/// The direction of a usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UsageDirection {
    /// Its users.
    Incoming,
    /// The definitions that it uses.
    Outgoing,
}

/// Facts about a question besides its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Names that the index knows, without mere containers.
    pub subjects: usize,
    /// Names that the index does not know.
    pub unknown: usize,
    pub files: usize,
    /// Every name is an ordinary capitalized word, such as `Flask`.
    pub is_only_capitalized: bool,
    pub has_line: bool,
    pub has_parameter: bool,
    /// Some word of the question is part of a name in the repository.
    pub speaks_its_language: bool,
}

/// The wish behind a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Want {
    pub intent: QuestionIntent,
    pub task: Task,
    pub change: Change,
    pub direction: UsageDirection,
    /// Only unit tests count.
    pub unit_tests_only: bool,
    /// With a usage: the one kind of use that is asked for.
    pub verb: Option<RelationshipKind>,
}

impl QuestionIntent {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Show => "show",
            Self::Members => "members",
            Self::Hierarchy => "hierarchy",
            Self::Explain => "explain",
            Self::Compare => "compare",
            Self::Usage => "usage",
            Self::Path => "path",
            Self::Impact => "impact",
            Self::Tests => "tests",
            Self::Coverage => "coverage",
            Self::Files => "files",
            Self::Edit => "edit",
            Self::Search => "search",
            Self::Repository => "repository",
            Self::Knowledge => "knowledge",
            Self::Select => "select",
            Self::Text => "text",
            Self::Traceback => "traceback",
            Self::Raised => "raised",
            Self::Handled => "handled",
            Self::Todos => "todos",
            Self::History => "history",
            Self::Changes => "changes",
            Self::Packages => "packages",
            Self::Cycles => "cycles",
            Self::EntryPoints => "entry_points",
        }
    }

    /// Whether a change is asked about.
    pub fn is_impact(self) -> bool {
        self == Self::Impact
    }

    /// Whether the answer lies in the named definitions themselves, not in their surroundings.
    pub fn is_particular(self) -> bool {
        matches!(self, Self::Show | Self::Members | Self::Explain | Self::Compare | Self::Files | Self::Edit)
    }
}

impl Task {
    /// The word in output; the template is called so too.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Explain => "explain",
            Self::Test => "test",
            Self::Doc => "doc",
            Self::Smell => "smell",
            Self::Impact => "impact",
        }
    }
}

/// Reads the wish from a phrase of `ParsedQuestion::phrase`.
pub fn want(phrase: &str, facts: &Facts) -> Want {
    let words = Words { phrase, words: phrase.split(' ').filter(|word| !word.is_empty()).collect() };
    let intent = intent(&words, facts);
    Want {
        intent,
        task: task(&words, intent),
        change: change(&words, facts),
        direction: direction(&words),
        unit_tests_only: words.has("unit test") || words.has("unittest"),
        verb: verb(&words),
    }
}

/// A phrase with ways to look at it.
struct Words<'p> {
    phrase: &'p str,
    words: Vec<&'p str>,
}

impl Words<'_> {
    /// Whether some word begins like one of these stems; a `$` at the end asks for the whole word.
    fn any(&self, stems: &str) -> bool {
        self.words.iter().any(|word| stems.split_whitespace().any(|stem| begins(word, stem)))
    }

    /// Whether the words stand next to each other in this order; the last word may be longer.
    fn has(&self, words: &str) -> bool {
        self.phrase.contains(&format!(" {words}"))
    }

    /// Whether one of several word sequences, separated by bars, stands there.
    fn has_any(&self, list: &str) -> bool {
        list.split('|').any(|words| self.has(words))
    }

    fn starts(&self, stems: &str) -> bool {
        let polite = ["please", "can", "could", "would", "you", "i", "want", "to", "need", "help", "me"];
        let first = self.words.iter().find(|word| !polite.contains(word));
        first.is_some_and(|word| stems.split_whitespace().any(|stem| begins(word, stem)))
    }
}

fn begins(word: &str, stem: &str) -> bool {
    stem.strip_suffix('$').map_or_else(|| word.starts_with(stem), |whole| word == whole)
}

const CHANGES: &str = "change changing modif alter$ alters$ altering$ remove removing delet drop$ dropping$ renam \
         replac refactor edit$ editing$ move$ moving$ rewrit";
const TESTS: &str = "test$ tests$ tested$ testing$ unittest pytest$";
const NEGATIONS: &str = "not$ no$ without$ lack missing$ never$ isn't$ aren't$ don't$ doesn't$ untested$";
const USES: &str = "set$ sets$ evaluat create$ creates$ created$ creat construct callers$ call$ calls$ called$ caller calling$ use$ uses$ used$ using$ usage user$ users$ referenc refer$ \
         refers$ import invok instantiat consum access$ accesses$ accessed$ rely$ relies$ raise$ raises$ \
         raised$ depend dependent overrid write$ writes$ read$ reads$";

fn intent(words: &Words, facts: &Facts) -> QuestionIntent {
    let (subjects, names) = (facts.subjects, facts.subjects + facts.unknown);
    // The order decides: a question about a change also uses words of usage, and one about tests words of members.
    if is_knowledge(words, facts) {
        return QuestionIntent::Knowledge;
    }
    if is_impact(words, facts) {
        return QuestionIntent::Impact;
    }
    if names > 1 && words.any("differ compar versus$ vs$ diff$ distinction distinguish") {
        return QuestionIntent::Compare;
    }
    if names > 1 && words.has_any("work together|works together|working together|interact|collaborat") {
        return QuestionIntent::Explain;
    }
    if names == 2 && is_path(words) || names > 2 && words.has_any("get to|gets to|end up|reach") {
        return QuestionIntent::Path;
    }
    // Before hierarchy and usage: `which tests use X` asks for tests.
    if let Some(intent) = about_tests(words, names + facts.files) {
        return intent;
    }
    if names > 0 && is_hierarchy(words) {
        return QuestionIntent::Hierarchy;
    }
    if names == 0 && facts.files == 0 {
        return without_names(words, facts);
    }
    // After hierarchy and tests: `add a test for X` is no plain edit.
    if names > 0 && is_edit(words) {
        return QuestionIntent::Edit;
    }
    if names == 0 && words.any("file folder director exist where$") && !is_members(words) {
        return QuestionIntent::Files;
    }
    if subjects <= 1 && is_members(words) {
        return QuestionIntent::Members;
    }
    if is_usage(words) && (names > 0 || facts.files > 0) {
        return QuestionIntent::Usage;
    }
    let is_located = words.has_any("where is|where are|definition of|source of|source code of|code of");
    if words.any("show print$ display locate find$ cat$ view$ see$ open$") || is_located {
        return QuestionIntent::Show;
    }
    QuestionIntent::Explain
}

/// Whether the question is about the world, not about this repository.
fn is_knowledge(words: &Words, facts: &Facts) -> bool {
    let is_free = facts.unknown == 0 && facts.files == 0 && (facts.subjects == 0 || facts.is_only_capitalized);
    let is_here = words.has_any("this repo|the repo|this code|the code|this project|the project|my code");
    if !is_free || is_here {
        return false;
    }
    // The space at the end keeps `what is a` from fitting `what is add`.
    words.has_any(
        "how do i build a |how do i create a |how do i make a |how do i write a |how do i build an |how do i create an |\
         how do i write an |how do i install|how can i build a |how can i create a |how can i write a |how to build a |\
         how to create a |how to write a |give me a |give me an |give me some|best practice|in what year|in which year|\
         who invented|when was",
    ) || !facts.speaks_its_language && words.has_any("what is a |what is an |what's a |what's an ")
}

fn is_impact(words: &Words, facts: &Facts) -> bool {
    if words.has("side effect") {
        return false;
    }
    let is_change = words.any(CHANGES) || words.has("add a parameter") || words.has("adding a parameter");
    let has_consequence = words.any("affect effect consequence impact ripple");
    let is_asked = words.any("happen break broke fail$ fails$ safe notice")
        || words.has_any("what if|what would|what will|if i|if we|if you|when i|must i|need to");
    let named = facts.subjects + facts.unknown + facts.files > 0 || facts.has_parameter;
    named && (has_consequence && !words.has("how does the effect") || is_change && is_asked)
        || named && words.has_any("what breaks|what would break|what will break|what depends on|who depends on")
        || facts.has_line && is_change
}

fn is_path(words: &Words) -> bool {
    words.any("depend path$ reach connect relat chain$ lead$ leads$")
        || words.has_any(
            "get from|get to|way from|go from|come from|end up|does § call §|does § use §|does § need §|does § import §",
        )
}

fn about_tests(words: &Words, names: usize) -> Option<QuestionIntent> {
    let has_tests = words.any(TESTS);
    let is_negated = words.any(NEGATIONS) || words.any("uncovered$ untested$");
    let has_tests = has_tests || words.has("by a test");
    if words.any("coverage$ uncovered$ untested$") || is_negated && (has_tests || words.any("cover")) {
        return Some(if names > 0 && !is_negated && !words.has("coverage of") {
            QuestionIntent::Tests
        } else {
            QuestionIntent::Coverage
        });
    }
    if has_tests && is_writing(words) {
        return (names > 0).then_some(QuestionIntent::Tests);
    }
    (names > 0 && has_tests).then_some(QuestionIntent::Tests)
}

fn is_writing(words: &Words) -> bool {
    words.any("write$ writing$ create$ generate$ propose$ suggest$ draft$")
}

fn is_hierarchy(words: &Words) -> bool {
    words.any("hierarch deriv subclass sub-class inherit overrid superclass descend ancestor extend$ extends$ mro$")
        || words.has_any(
            "base class|parent class|child class|children of|bases of|implementations of|who implements|\
             what implements|classes implement|methods implement",
        )
}

/// Words after `in`, `to`, `at` or `for` among which an instruction has its verb: `in the Cart class add a method`.
const EDIT_WORDS: usize = 8;

/// Whether the question is an instruction: it begins with such a verb, or a verb follows the place that it names.
fn is_edit(words: &Words) -> bool {
    let verbs = "add$ implement$ fix$ move$ extract$ convert$ rewrite$ migrate$ port$ make$ support$ change$ rename$ \
                 replace$ remove$";
    words.starts(verbs)
        || words.words.first().is_some_and(|word| matches!(*word, "in" | "to" | "at" | "for"))
            && words.words.iter().take(EDIT_WORDS).any(|word| verbs.split_whitespace().any(|verb| begins(word, verb)))
}

fn is_members(words: &Words) -> bool {
    let plural = words.any(
        "methods$ members$ attributes$ properties$ functions$ classes$ fields$ variables$ contents$ \
         constants$ api$",
    );
    let is_asked = words.any("list show what which$ all$ give$ name$ print$ has$ have$ contain are$ see$");
    // `which methods call X` asks for a relationship, not for members.
    let is_relation = words.any("overrid implement raise call use$ uses$ used$ referenc import");
    plural && is_asked && !is_relation
}

fn is_usage(words: &Words) -> bool {
    let is_asked = words.any(
        "who$ what$ where$ which$ list$ show$ find$ all$ every$ how$ is$ are$ anything$ anybody$ does$ \
         callers$ usages$ usage$ references$",
    );
    is_asked && words.any(USES) && !words.has_any("what happens when|what happens if|what happens in")
}

/// The one kind of use that the words name.
fn verb(words: &Words) -> Option<RelationshipKind> {
    use RelationshipKind as K;
    let verbs = [
        (K::Calls, "call$ calls$ called$ caller calling$ invok create$ creates$ created$ instantiat construct"),
        (K::Raises, "raise$ raises$ raised$ raising$"),
        (K::Reads, "read$ reads$ reading$"),
        (K::Writes, "write$ writes$ written$ writing$ assign$ assigns$ assigned$ set$ sets$ setting$"),
        (K::Imports, "import$ imports$ imported$ importing$"),
        (K::Decorates, "decorated$ decorates$"),
    ];
    let mut named = verbs.iter().filter(|(_, stems)| words.any(stems)).map(|(kind, _)| *kind);
    // Two verbs select no single kind.
    named.next().filter(|_| named.next().is_none())
}

/// A longer question that says `the code` describes a part of it.
const SHORT: usize = 10;

fn without_names(words: &Words, facts: &Facts) -> QuestionIntent {
    if words.any("repo$ repos$ repositor project$ codebase$ package$ application$")
        || words.words.len() < SHORT && words.has_any("code base|this code|the code|my code|the program|this program")
    {
        return QuestionIntent::Repository;
    }
    if facts.speaks_its_language { QuestionIntent::Search } else { QuestionIntent::Knowledge }
}

fn task(words: &Words, intent: QuestionIntent) -> Task {
    let is_writing = is_writing(words) || words.any("add$ make$");
    if words.has("work together") || intent == QuestionIntent::Knowledge {
        return if intent == QuestionIntent::Knowledge { Task::Ask } else { Task::Explain };
    }
    if is_writing && words.any(TESTS) && intent != QuestionIntent::Coverage {
        return Task::Test;
    }
    if words.any("docstring") && is_writing
        || words.starts("document$")
        || is_writing && words.any("documentation$ docs$")
    {
        return Task::Doc;
    }
    if intent == QuestionIntent::Impact {
        return Task::Impact;
    }
    // An instruction to refactor is an edit; a question about it asks for a judgment.
    let is_judging = words.any("improv refactor smell simplif optimi bug$ bugs$")
        || words.has_any("clean up|code review|review|any error|any problem|errors in|wrong with");
    if is_judging && intent != QuestionIntent::Edit {
        return Task::Smell;
    }
    if intent == QuestionIntent::Explain { Task::Explain } else { Task::Ask }
}

fn change(words: &Words, facts: &Facts) -> Change {
    // Removing a line changes the body of the definition around it.
    if facts.has_line {
        return Change::Body;
    }
    if facts.has_parameter || words.any("signature") {
        return Change::Signature;
    }
    if words.any("remov delet drop$ dropping$") {
        return Change::Remove;
    }
    if words.any("renam") { Change::Rename } else { Change::Body }
}

/// `what does § call` asks for outgoing uses; every other question for incoming ones.
fn direction(words: &Words) -> UsageDirection {
    let verbs = ["call", "use", "import", "depend", "reference", "invoke", "need", "raise", "read", "write", "access"];
    let is_outgoing = words.words.windows(3).any(|three| {
        matches!(three[0], "does" | "do") && three[1] == "§" && verbs.iter().any(|verb| begins(three[2], verb))
    });
    let is_kind = words.words.windows(4).any(|four| {
        matches!(four[0], "does" | "do") && four[2] == "§" && verbs.iter().any(|verb| begins(four[3], verb))
    });
    // `how does X call Y` asks for an explanation, not for a list.
    let starts_elsewhere = words.has_any("how does|where does");
    let is_called_by = words.has_any("called by §|used by §|imported by §|dependencies of §|imports of §");
    if (is_outgoing || is_kind) && !starts_elsewhere || is_called_by {
        UsageDirection::Outgoing
    } else {
        UsageDirection::Incoming
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(phrase: &str, subjects: usize) -> (QuestionIntent, Task) {
        let facts = Facts { subjects, speaks_its_language: true, ..Facts::default() };
        let want = want(&format!(" {phrase} "), &facts);
        (want.intent, want.task)
    }

    #[test]
    fn questions_are_told_apart_by_their_form() {
        use QuestionIntent as I;
        for (phrase, subjects, intent, task) in [
            ("show the § method in the § class", 1, I::Show, Task::Ask),
            ("show the methods in the § class", 1, I::Members, Task::Ask),
            ("what classes are derived from the § class", 1, I::Hierarchy, Task::Ask),
            ("what is the parent class of §", 1, I::Hierarchy, Task::Ask),
            ("how does the method § work", 1, I::Explain, Task::Explain),
            ("how does § depend on §", 2, I::Path, Task::Ask),
            ("what are the differences between class § and class §", 2, I::Compare, Task::Ask),
            ("who calls §", 1, I::Usage, Task::Ask),
            ("which functions call §", 1, I::Usage, Task::Ask),
            ("what does § call", 1, I::Usage, Task::Ask),
            ("what breaks if § changes", 1, I::Impact, Task::Impact),
            ("is it safe to remove §", 1, I::Impact, Task::Impact),
            ("which tests cover §", 1, I::Tests, Task::Ask),
            ("write unit tests for §", 1, I::Tests, Task::Test),
            ("write a docstring for §", 1, I::Explain, Task::Doc),
            ("how can § be improved", 1, I::Explain, Task::Smell),
            ("which classes are not covered by unit tests", 0, I::Coverage, Task::Ask),
            ("in the § class add logging when a unit is added to the graph", 1, I::Edit, Task::Ask),
            ("are there any errors in the repository", 0, I::Repository, Task::Smell),
            ("where are discounts computed", 0, I::Search, Task::Ask),
            ("in what year was cobol invented", 0, I::Knowledge, Task::Ask),
            ("where is § defined", 1, I::Show, Task::Ask),
        ] {
            assert_eq!(check(phrase, subjects), (intent, task), "{phrase}");
        }
    }

    #[test]
    fn a_question_can_ask_for_either_direction() {
        let way = |phrase: &str| want(&format!(" {phrase} "), &Facts { subjects: 1, ..Facts::default() }).direction;
        assert_eq!(way("what does § call"), UsageDirection::Outgoing);
        assert_eq!(way("what does method § use"), UsageDirection::Outgoing);
        assert_eq!(way("what calls §"), UsageDirection::Incoming);
        assert_eq!(way("where is § used"), UsageDirection::Incoming);
    }

    #[test]
    fn a_question_can_ask_for_one_kind_of_use() {
        let verb = |phrase: &str| want(&format!(" {phrase} "), &Facts { subjects: 1, ..Facts::default() }).verb;
        assert_eq!(verb("who raises §"), Some(RelationshipKind::Raises));
        assert_eq!(verb("what reads §"), Some(RelationshipKind::Reads));
        assert_eq!(verb("where is § called"), Some(RelationshipKind::Calls));
        assert_eq!(verb("who calls or imports §"), None);
        assert_eq!(verb("who uses §"), None);
    }
}
