//! Turns a question into a plan: its subjects and its intent, by the index and by rules alone.
//!
//! `ask --plan` prints the plan. The same question about the same tree always gives the same plan. No language model
//! takes part.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    ask::{
        context::lines::{FoundLine, find_line},
        reading::{
            intent::{Facts, QuestionIntent, Task, UsageDirection, Want, want},
            names::NameMatch,
            subjects::{QuestionNames, absorb_containers, named, takes},
            words::{ParsedQuestion, QuestionWord, Shape, corrected, is_stop_word},
        },
    },
    model::{EntityKind, RelationshipKind},
    query::{
        impact::walk::factors::Change,
        source::Sources,
        target::{Target, spelling::nearest},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Candidates of an ambiguous name that a plan lists.
const MAX_CANDIDATES: usize = 50;

/// Letters of the shortest stem: with fewer, `used` and `uses` would become `us`.
const SHORTEST_STEM: usize = 4;

/// Words that refer to the subject of the previous question.
const PRONOUNS: [&str; 9] = ["it", "its", "this", "that", "they", "them", "their", "these", "those"];

/// The plan of a question, as `ask --plan` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionPlan {
    pub schema: &'static str,
    pub schema_version: u32,
    pub question: String,
    pub intent: QuestionIntent,
    pub task: Task,
    /// `simple` with at most one subject, else `complex`.
    pub complexity: &'static str,
    /// `particular` if the answer lies in the subjects themselves, else `general`.
    pub scope: &'static str,
    pub subjects: Vec<Subject>,
    /// Names that several definitions have.
    pub ambiguous: Vec<Ambiguous>,
    /// Texts that look like names and are none here.
    pub unknown: Vec<Unknown>,
    pub parameters: Vec<String>,
    pub files: Vec<PlannedFile>,
    /// Quoted lines of code and where they stand.
    pub lines: Vec<FoundLine>,
    /// The change, for an impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// The direction, for a usage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<UsageDirection>,
    /// Decisions that are not obvious, as sentences.
    pub notes: Vec<String>,
}

/// A definition that the question is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Subject {
    /// As the question has it.
    pub mention: String,
    /// Full name, by which every output identifies an entity.
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub matched: NameMatch,
    /// The class or module that the question names as its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// The class that was named, if the member comes from a base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inherited_by: Option<String>,
}

/// A name with several definitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ambiguous {
    pub mention: String,
    pub count: usize,
    /// At most fifty of them, by name.
    pub candidates: Vec<PlanCandidate>,
}

/// One of several definitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanCandidate {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub line: u32,
    pub end_line: u32,
}

/// A name without a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unknown {
    pub mention: String,
    pub proposals: Vec<PlanCandidate>,
}

/// A file or folder that the question names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedFile {
    pub mention: String,
    pub is_folder: bool,
    /// The files that it can mean; for a folder, the files below it.
    pub paths: Vec<String>,
}

/// A plan with the definitions that it names.
#[derive(Clone, Debug)]
pub struct Understood {
    pub plan: QuestionPlan,
    /// One for each of `plan.subjects`, in that order.
    pub targets: Vec<Target>,
    /// One list for each of `plan.ambiguous`, in that order.
    pub candidates: Vec<Vec<Target>>,
    pub unit_tests_only: bool,
    pub verb: Option<RelationshipKind>,
}

/// Additions of the caller to the question.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The user's folder, relative to the root.
    pub folder: String,
    /// Subjects besides the named ones: a selected place, or the subjects of the previous question.
    pub about: Vec<Target>,
    /// `about` always counts; otherwise only if the question says `it` or the like and names nothing.
    pub is_selected: bool,
}

/// Understands `text`.
pub fn understand(store: &Store, sources: &Sources, text: &str, hints: &Hints) -> Result<Understood, StoreError> {
    let mut question = ParsedQuestion::parse(text);
    let corrections = correct_keywords(store, &mut question)?;
    let mut named = named(store, &question, &hints.folder)?;
    let mut facts = facts(store, &question, &named)?;
    let is_pronoun = |at: usize| PRONOUNS.contains(&question.words[at].lower().as_str());
    let is_follow_up = named.mentions.is_empty() && named.files.is_empty() && (0..question.words.len()).any(is_pronoun);
    let about: &[Target] = if hints.is_selected || is_follow_up { &hints.about } else { &[] };
    let phrase = question.phrase(|at| named.blank.contains(&at) || (!about.is_empty() && is_pronoun(at)));
    let mut subjects = settled(&named) + about.len();
    facts.subjects = subjects;
    let mut first = want(&phrase, &facts);
    // `Compare A with A.b` names two subjects, although one contains the other; other questions name a place.
    if !matches!(first.intent, QuestionIntent::Compare | QuestionIntent::Path) {
        absorb_containers(&question, &mut named);
        subjects = settled(&named) + about.len();
        facts.subjects = subjects;
        first = want(&phrase, &facts);
    }
    if !about.is_empty()
        && matches!(first.intent, QuestionIntent::Repository | QuestionIntent::Search | QuestionIntent::Knowledge)
    {
        first.intent = QuestionIntent::Explain;
        first.task = Task::Explain;
    }
    let mut understood = assemble(text, &named, &first);
    // Selected and earlier subjects stand before the named ones.
    for (at, target) in about.iter().enumerate() {
        let mention = if hints.is_selected { "(selected)" } else { "(asked about before)" };
        understood.plan.subjects.insert(at, subject(mention, target, NameMatch::Exact, None));
        understood.targets.insert(at, target.clone());
    }
    if facts.has_line {
        let targets: Vec<&Target> = understood.targets.iter().collect();
        for (_, quote) in &question.quotes {
            let paths: Vec<&str> = named.files.iter().flat_map(|file| file.paths.iter().map(String::as_str)).collect();
            understood.plan.lines.push(find_line(store, sources, quote, &targets, &paths)?);
        }
    }
    understood.plan.notes.extend(corrections);
    finish(store, &mut understood)?;
    Ok(understood)
}

/// Puts misspelled keywords right and returns a note on each.
fn correct_keywords(store: &Store, question: &mut ParsedQuestion) -> Result<Vec<String>, StoreError> {
    let is_plain = |word: &QuestionWord| word.shape == Shape::Plain && !word.is_quoted;
    let slips: Vec<(usize, &'static str)> = question
        .words
        .iter()
        .enumerate()
        .filter(|(_, word)| is_plain(word))
        .filter_map(|(at, word)| Some((at, corrected(&word.lower())?)))
        .collect();
    let mut notes = Vec::new();
    // Reading all names is the expensive part, and nearly every question is spelled well.
    let names = if slips.is_empty() { Vec::new() } else { store.names()? };
    for (at, keyword) in slips {
        let word = &mut question.words[at];
        let written = word.lower();
        // Where the code speaks of charging, `charging` is no slip of `changing`; and a misspelled word may be a name.
        let is_spoken = names.iter().any(|name| name_parts(name).any(|part| stem(&part) == stem(&written)));
        if !is_spoken && nearest(&names, &written).is_empty() {
            notes.push(format!("`{}` is read as `{keyword}`", word.text));
            keyword.clone_into(&mut word.text);
        }
    }
    Ok(notes)
}

fn settled(named: &QuestionNames) -> usize {
    named.mentions.iter().filter(|mention| !mention.meanings.targets.is_empty()).count()
}

fn facts(store: &Store, question: &ParsedQuestion, named: &QuestionNames) -> Result<Facts, StoreError> {
    let subjects = settled(named);
    let is_capitalized = |at: usize| question.words[at].shape == Shape::Capitalized;
    Ok(Facts {
        subjects,
        unknown: named.mentions.len() - subjects,
        files: named.files.len(),
        is_only_capitalized: named.mentions.iter().all(|mention| is_capitalized(mention.at) && mention.hint.is_none()),
        has_line: !question.quotes.is_empty(),
        has_parameter: named.has_parameter,
        speaks_its_language: named.mentions.is_empty() && speaks_its_language(store, question)?,
    })
}

/// Whether some meaningful word of the question is part of a name here.
fn speaks_its_language(store: &Store, question: &ParsedQuestion) -> Result<bool, StoreError> {
    let words: BTreeSet<String> =
        question.words.iter().map(|word| stem(&word.lower())).filter(|word| word.len() > 2).collect();
    let words: BTreeSet<&String> = words.iter().filter(|word| !is_stop_word(word)).collect();
    Ok(store.names()?.iter().any(|name| name_parts(name).any(|part| words.contains(&stem(&part)))))
}

/// The words of a name in lower case: `get` and `item` for `getItem`, `get_item` and `GetItem`.
pub fn name_parts(name: &str) -> impl Iterator<Item = String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase()) {
            parts.push(String::new());
        }
        if c.is_alphanumeric() {
            parts.last_mut().expect("there is one from the start").extend(c.to_lowercase());
        }
        before = c;
    }
    parts.into_iter().filter(|part| !part.is_empty())
}

/// A word without English endings, so that `discounts` and `discount` are equal.
pub fn stem(word: &str) -> String {
    for ending in ["ing", "ies", "ed", "es", "s", "e"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= SHORTEST_STEM) {
            return stem.to_owned();
        }
    }
    word.to_owned()
}

fn assemble(text: &str, named: &QuestionNames, want: &Want) -> Understood {
    let mut plan = QuestionPlan {
        schema: "repoidx.plan",
        schema_version: 1,
        question: text.to_owned(),
        intent: want.intent,
        task: want.task,
        complexity: "simple",
        scope: "general",
        subjects: Vec::new(),
        ambiguous: Vec::new(),
        unknown: Vec::new(),
        parameters: named.parameters.clone(),
        files: Vec::new(),
        lines: Vec::new(),
        change: (want.intent == QuestionIntent::Impact).then_some(want.change),
        direction: (want.intent == QuestionIntent::Usage).then_some(want.direction),
        notes: Vec::new(),
    };
    let (mut targets, mut candidates) = (Vec::new(), Vec::new());
    for mention in &named.mentions {
        let how = mention.meanings.how.unwrap_or(NameMatch::Exact);
        match mention.meanings.targets.as_slice() {
            [] => plan.unknown.push(Unknown {
                mention: mention.text.clone(),
                proposals: mention.meanings.proposals.iter().map(candidate).collect(),
            }),
            [target] => {
                if how == NameMatch::Slip {
                    let name = &target.main().record.name;
                    plan.notes.push(format!("nothing is called `{}`: taken for `{name}`", mention.text));
                }
                if mention.passed_over > 0 {
                    let name = target.main().full_name();
                    let others = mention.passed_over;
                    plan.notes.push(format!(
                        "`{}` is taken for `{name}`; {others} more in tests or among its bases",
                        mention.text
                    ));
                }
                plan.subjects.push(subject(&mention.text, target, how, mention.container.as_ref()));
                targets.push(target.clone());
            }
            several => {
                let listed = several.iter().take(MAX_CANDIDATES).map(|target| candidate(target.main())).collect();
                plan.ambiguous.push(Ambiguous {
                    mention: mention.text.clone(),
                    count: several.len(),
                    candidates: listed,
                });
                candidates.push(several.to_vec());
            }
        }
    }
    plan.files = named
        .files
        .iter()
        .map(|file| PlannedFile { mention: file.text.clone(), is_folder: file.is_folder, paths: file.paths.clone() })
        .collect();
    Understood { plan, targets, candidates, unit_tests_only: want.unit_tests_only, verb: want.verb }
}

fn subject(mention: &str, target: &Target, matched: NameMatch, container: Option<&Target>) -> Subject {
    let main = target.main();
    Subject {
        mention: mention.to_owned(),
        name: main.full_name(),
        kind: main.record.kind,
        path: main.path.clone(),
        start_line: main.record.start_line,
        end_line: main.record.end_line,
        matched,
        within: container.map(|container| container.main().full_name()),
        inherited_by: target.inherited_by.clone(),
    }
}

fn candidate(entity: &Entity) -> PlanCandidate {
    PlanCandidate {
        name: entity.full_name(),
        kind: entity.record.kind,
        path: entity.path.clone(),
        line: entity.record.start_line,
        end_line: entity.record.end_line,
    }
}

/// Derives the rest of the plan from its subjects, and adds notes.
fn finish(store: &Store, understood: &mut Understood) -> Result<(), StoreError> {
    let plan = &mut understood.plan;
    let names = plan.subjects.len() + plan.ambiguous.len();
    plan.complexity = if names > 1 { "complex" } else { "simple" };
    plan.scope = if plan.intent.is_particular() { "particular" } else { "general" };
    for parameter in plan.parameters.clone() {
        let mut is_taken = understood.targets.is_empty();
        for target in &understood.targets {
            is_taken |= takes(store, target, &parameter)?;
        }
        if !is_taken {
            plan.notes.push(format!("no named definition has a parameter `{parameter}`"));
        }
    }
    for line in plan.lines.iter().filter(|line| line.places.is_empty()) {
        plan.notes.push(format!("the line `{}` was not found", line.text));
    }
    for file in plan.files.iter().filter(|file| file.paths.is_empty()) {
        plan.notes.push(format!("no indexed file is called `{}`", file.mention));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::Strategy, proptest, sample::select};

    use super::*;
    use crate::{model::EntityKind::*, query::fixture::Fixture};

    /// Pieces of questions, meaningful and meaningless ones.
    const PIECES: &[&str] = &[
        "who",
        "calls",
        "what",
        "breaks",
        "if",
        "I",
        "change",
        "the",
        "class",
        "Cart",
        "Cart.add",
        "add",
        "of",
        "parameter",
        "x",
        "`y`",
        "'self.x = 1'",
        "\"",
        "'",
        "`",
        "a/b.py",
        "a/b.py:3",
        ":",
        "::",
        "()",
        "cart.add()",
        "tests",
        "not",
        "covered",
        "folder",
        "a/",
        "?",
        "\u{202e}",
        "名前",
        "Crat",
        "_add_",
        "and",
        "differences",
        "between",
        "depend",
        "on",
        "line",
        "it",
        "derived",
        "from",
        ".",
        "..",
        "@2",
        "Cart@9",
        "§",
        "\u{0}",
        "repository",
        "é'é",
        "```",
        "x.y.z",
        "-",
        "--",
    ];

    proptest! {
        #[test]
        fn any_words_are_understood_or_not_but_never_a_panic(
            words in proptest::collection::vec(select(PIECES), 0..14).prop_map(|words| words.join(" ")),
            glued in proptest::collection::vec(select(PIECES), 0..6).prop_map(|words| words.concat()),
        ) {
            let mut fixture = Fixture::default();
            fixture.file("a/b.py", "a.b").entity(Class, "Cart", 1, 30).entity(Method, "Cart.add", 5, 9);
            fixture.entity(Function, "add", 40, 50);
            let store = fixture.store();
            let sources = Sources::new(|_| Some(b"class Cart:\n    self.x = 1\n".to_vec()));
            let limits = crate::query::impact::walk::Limits::default();
            for question in [&words, &glued] {
                let understood = understand(&store, &sources, question, &Hints::default()).expect("a store in memory");
                let search: &crate::ask::answer::SearchFor = &|question, options| crate::query::search::Searcher::new(&store)?.search(question, options);
                let reading =
                    crate::ask::answer::AnswerInputs { store: &store, sources: &sources, search, limits: &limits, part: 1 };
                crate::ask::answer::answer(reading, &understood).expect("a store in memory");
            }
        }
    }

    #[test]
    fn a_misspelled_keyword_is_understood_unless_the_repository_has_the_word() {
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(Class, "Cart", 1, 30).entity(Method, "Cart.charge", 5, 9);
        let (store, sources) = (fixture.store(), Sources::new(|_| None));
        let plan = |text: &str| understand(&store, &sources, text, &Hints::default()).expect("a store in memory").plan;
        let found = plan("what is the herarchy of Cart?");
        assert_eq!(
            (found.intent, found.notes),
            (QuestionIntent::Hierarchy, vec!["`herarchy` is read as `hierarchy`".to_owned()])
        );
        assert_eq!(plan("what breaks if charging twice in Cart?").notes, Vec::<String>::new());
    }

    #[test]
    fn names_fall_into_words() {
        let parts = |name: &str| name_parts(name).collect::<Vec<_>>().join(" ");
        assert_eq!(parts("_getHTTPResponse_code2"), "get httpresponse code2");
        assert_eq!(parts("best_discountFor"), "best discount for");
        assert_eq!(
            [stem("discounts"), stem("pricing"), stem("prices"), stem("is")],
            ["discount", "pric", "pric", "is"]
        );
    }
}
