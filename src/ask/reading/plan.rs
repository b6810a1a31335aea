//! Turns a question into a plan: its subjects and its intent, by the index and by rules alone.
//!
//! `ask --plan` prints the plan. The same question about the same tree always gives the same plan. No language model
//! takes part.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{
    ask::{
        context::lines::{FoundLine, find_line},
        reading::{
            forms::{CHANGE_FORMS, DECORATED, EVERY_VARIABLE, Filters, Polarity, Present, RULES, polarity, proposals},
            intent::{Facts, QuestionIntent, Task, UsageDirection, Want, want},
            languages::translate,
            likeliest::of_instance,
            literals::{Literal, TracebackFrame, frames, literals},
            names::{Meanings, NameMatch, is_exception, meanings},
            patterns::Phrase,
            subjects::{NameMention, QuestionNames, absorb_containers, named, takes},
            words::{ParsedQuestion, QuestionWord, Shape, corrected, is_stop_word},
        },
    },
    model::{EntityKind, RelationshipKind},
    query::{
        impact::walk::factors::Change,
        source::Sources,
        target::{Target, TargetMatch, known, likeliest::likeliest, spelling::nearest},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The score of a reading by a message that stands in the question, and by a traceback.
const MESSAGE: f64 = 4.5;
const TRACEBACK: f64 = 9.0;

/// Longer texts are stories, not two questions.
const LONGEST_PAIR: usize = 240;

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
    /// The way in which yes or no is asked for.
    pub polarity: Polarity,
    /// Conditions on the definitions or places.
    pub filters: Filters,
    /// Texts that may stand in the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub literals: Vec<Literal>,
    /// The frames of a pasted traceback, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<TracebackFrame>,
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

/// A definition with a similar name.
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
    /// For each name with less likely definitions: the name and those definitions.
    pub passed: Vec<(String, Vec<Target>)>,
    pub unit_tests_only: bool,
    pub verb: Option<RelationshipKind>,
    /// The definition moves to another module.
    pub is_move: bool,
    /// The names of exceptions that the question has.
    pub exceptions: Vec<String>,
    /// Whether it asks who raises an exception, and who catches it.
    pub handling: (bool, bool),
    /// The revision since which changes are asked for.
    pub revision: Option<String>,
    /// The words of the question in lower case.
    pub words: Vec<String>,
    /// The text to search for.
    pub search: String,
    /// Further intents that fit, the likelier first; they are tried where the first has no answer.
    pub others: Vec<QuestionIntent>,
    /// The second half of a question that has two.
    pub second: Option<Box<Understood>>,
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

/// Understands `text`, both halves of it where it has two.
pub fn understand(store: &Store, sources: &Sources, text: &str, hints: &Hints) -> Result<Understood, StoreError> {
    if let Some((first, second)) = halves(text) {
        let mut first = read(store, sources, first, hints)?;
        if !first.targets.is_empty() {
            let (folder, about) = (hints.folder.clone(), first.targets.clone());
            let second = read(store, sources, second, &Hints { folder, about, ..Hints::default() })?;
            let is_answer = second.plan.intent != QuestionIntent::Explain
                || second
                    .words
                    .iter()
                    .any(|word| matches!(word.as_str(), "do" | "return" | "returns" | "mean" | "work"));
            let mut second = second;
            if second.plan.intent == QuestionIntent::Explain {
                // The uses are in the first half; the source says the rest.
                second.plan.intent = QuestionIntent::Show;
            }
            if !second.targets.is_empty() && is_answer {
                text.clone_into(&mut first.plan.question);
                first.second = Some(Box::new(second));
                return Ok(first);
            }
        }
    }
    read(store, sources, text, hints)
}

/// The two questions that `and` joins: the second begins like a question.
fn halves(text: &str) -> Option<(&str, &str)> {
    const HEADS: [&str; 10] = ["what", "which", "who", "where", "how", "why", "when", "does", "is", "are"];
    if text.len() > LONGEST_PAIR || text.contains('\n') {
        return None;
    }
    // `and which of them` goes on with the first half.
    let lower = text.to_lowercase();
    if ["of them", "of these", "of those", "of its", "of their"].iter().any(|part| lower.contains(part)) {
        return None;
    }
    let at = text.match_indices(" and ").map(|(at, _)| at).find(|at| {
        let head = text[at + " and ".len()..].split_whitespace().next().unwrap_or_default().to_lowercase();
        HEADS.contains(&head.trim_end_matches("'s"))
    })?;
    let (first, second) = (&text[..at], &text[at + " and ".len()..]);
    (first.split_whitespace().count() > 2 && second.split_whitespace().count() > 2).then_some((first, second))
}

fn read(store: &Store, sources: &Sources, text: &str, hints: &Hints) -> Result<Understood, StoreError> {
    let mut question = ParsedQuestion::parse(text);
    let is_foreign = translate(&mut question);
    let mut corrections = correct_keywords(store, &mut question)?;
    let mut named = named(store, &question, &hints.folder)?;
    corrections.extend(resolve_instances(store, sources, &mut named)?);
    forget_namesakes(&mut named);
    name_the_thing(store, &question, &mut named)?;
    let mut phrase_words = Phrase {
        words: question.words.iter().map(QuestionWord::lower).collect(),
        is_name: (0..question.words.len())
            .map(|at| named.blank.contains(&at) || question.words[at].shape == Shape::Path)
            .collect(),
    };
    let mut filters = Filters::of(&phrase_words);
    find_decorator(&question, &phrase_words, &mut filters, &mut named);
    let is_move = phrase_words.has("move/moving/moved|lives in");
    if is_move {
        drop_destination(&question, &mut named);
    }
    correct_oneself(&phrase_words, &mut named);
    let mut facts = facts(store, &question, &named)?;
    let is_pronoun = |at: usize| PRONOUNS.contains(&question.words[at].lower().as_str());
    let is_follow_up = named.mentions.is_empty() && named.files.is_empty() && (0..question.words.len()).any(is_pronoun);
    let about: &[Target] = if hints.is_selected || is_follow_up { &hints.about } else { &[] };
    let member = if is_follow_up { own_member(store, &question, about)? } else { None };
    let about = member.as_ref().map_or(about, std::slice::from_ref);
    let phrase = question.phrase(|at| named.blank.contains(&at) || (!about.is_empty() && is_pronoun(at)));
    // `outside of tests` limits the places; it asks for no tests.
    let is_limit = filters.in_tests.is_some() || filters.asks_for_rest;
    let phrase = if is_limit { phrase.replace(" tests ", " ").replace(" test ", " ") } else { phrase };
    let mut subjects = settled(&named) + about.len();
    facts.subjects = subjects;
    let mut first = want(&phrase, &facts);
    // `Compare A with A.b` names two subjects, although one contains the other; other questions name a place.
    // `who derives from C but lacks m`: both count.
    let is_divided =
        first.intent == QuestionIntent::Hierarchy && phrase_words.has("but|without|not|lack*|doesn't|don't");
    if !matches!(first.intent, QuestionIntent::Compare | QuestionIntent::Path) && !is_divided {
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
    phrase_words.is_name =
        (0..question.words.len()).map(|at| phrase_words.is_name[at] || !about.is_empty() && is_pronoun(at)).collect();
    let unknown: Vec<String> = named
        .mentions
        .iter()
        .filter(|mention| mention.meanings.targets.is_empty())
        .map(|mention| mention.text.clone())
        .collect();
    let mut literals = literals(text, &question, &unknown);
    if subjects + named.files.len() == 0 && literals.is_empty() {
        // `what uses click`: a plain word may be a module from outside.
        let place = phrase_words.place("who/what/which/where .. use/uses/using/import/imports/imported");
        let word = place.and_then(|(_, at)| question.words.get(at)).filter(|word| !is_stop_word(&word.lower()));
        literals.extend(word.map(|word| Literal { text: word.text.clone(), is_message: false }));
    }
    if phrase_words.has(EVERY_VARIABLE) && literals.is_empty() {
        literals = ["os.environ", "getenv"].map(|text| Literal { text: text.to_owned(), is_message: false }).to_vec();
    }
    let frames = frames(text);
    if subjects + named.files.len() > 0 && !first.intent.is_impact() && phrase_words.has(CHANGE_FORMS) {
        first.intent = QuestionIntent::Impact;
        first.task = Task::Impact;
    }
    let is_code =
        |mention: &NameMention| question.words[mention.at].shape == Shape::Code && !mention.meanings.targets.is_empty();
    let has_code = named.mentions.iter().any(is_code);
    let has_message = literals.iter().any(|literal| literal.is_message) && !facts.has_parameter;
    let present = Present {
        subject: subjects > 0,
        name: subjects + facts.unknown > 0,
        literal: !literals.is_empty()
            && (subjects == 0 || has_message || phrase_words.has("environment variable*|env var*")),
        code: has_code || facts.files > 0,
    };
    let mut readings = proposals(&phrase_words, present, &filters);
    readings.retain(|(_, intent)| *intent != QuestionIntent::Knowledge || first.intent != QuestionIntent::Impact);
    if has_message && !first.intent.is_impact() {
        readings.push((MESSAGE, QuestionIntent::Text));
    }
    if !frames.is_empty() {
        readings.push((TRACEBACK, QuestionIntent::Traceback));
    }
    readings.push((RULES, first.intent));
    if !literals.is_empty() {
        // Where the rules find nothing of the repository in it, its words may still stand in the source.
        let is_strange = first.intent == QuestionIntent::Knowledge;
        readings.push((if is_strange { RULES + 0.5 } else { RULES - 1.0 }, QuestionIntent::Text));
    }
    readings.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut intents: Vec<QuestionIntent> = readings.into_iter().map(|(_, intent)| intent).collect();
    let task = match intents[0] {
        QuestionIntent::Text | QuestionIntent::Traceback if first.task == Task::Impact => Task::Ask,
        _ => first.task,
    };
    let intent = intents[0];
    intents.retain(|other| *other != intent);
    intents.dedup();
    let first = Want { intent, task, ..first };
    let mut understood = assemble(text, &named, &first);
    understood.plan.polarity = polarity(&phrase_words);
    understood.plan.filters = filters;
    understood.plan.literals = literals;
    understood.plan.frames = frames;
    understood.others = intents;
    understood.is_move = is_move;
    understood.exceptions = exceptions(store, sources, &named)?;
    understood.handling = handling(&phrase_words);
    understood.revision = revision(&phrase_words, &question);
    if is_foreign {
        understood.search = question.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    }
    understood.words = phrase_words.words;
    // Selected and earlier subjects stand before the named ones.
    for (at, target) in about.iter().enumerate() {
        let mention = if hints.is_selected { "(selected)" } else { "(asked about before)" };
        understood.plan.subjects.insert(at, subject(mention, target, NameMatch::Exact, None));
        understood.targets.insert(at, target.clone());
    }
    // A message is looked up by its words, and a line as it stands.
    if facts.has_line && intent != QuestionIntent::Text {
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

/// Resolves what an instance is called here (`app.route`), or else the last part of a dotted name.
fn resolve_instances(store: &Store, sources: &Sources, named: &mut QuestionNames) -> Result<Vec<String>, StoreError> {
    let mut notes = Vec::new();
    for mention in &mut named.mentions {
        let mut is_known = false;
        for target in &mention.meanings.targets {
            is_known |= store.file(target.main().file)?.is_some_and(|file| !file.is_test);
        }
        if is_known || !mention.text.contains('.') || mention.text.contains(['/', ':']) {
            continue;
        }
        let found = match of_instance(store, sources, &mention.text)? {
            Some(target) => vec![target],
            None => {
                let (head, last) = mention.text.rsplit_once('.').unwrap_or(("", &mention.text));
                // `Cart.total` is no `total` of another class where nothing is called `Cart`.
                let is_class = head.starts_with(char::is_uppercase);
                if is_class && meanings(store, head, None, true, "")?.targets.is_empty() {
                    continue;
                }
                let targets = meanings(store, last, mention.hint, true, "")?.targets;
                likeliest(store, last, targets)?.0
            }
        };
        if let Some(first) = found.first() {
            notes.push(format!("`{}` is taken for `{}`", mention.text, first.main().full_name()));
            mention.meanings.targets = found;
            mention.meanings.how = Some(NameMatch::Exact);
        }
    }
    Ok(notes)
}

/// Forgets definitions that only resemble the name of an exception, such as a test `key_error` for `KeyError`.
fn forget_namesakes(named: &mut QuestionNames) {
    for mention in &mut named.mentions {
        let is_exception = mention.text.starts_with(char::is_uppercase)
            && ["Error", "Exception", "Warning"].iter().any(|ending| mention.text.ends_with(ending));
        let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
        if is_exception && !mention.meanings.targets.iter().any(is_class) {
            mention.meanings.targets.clear();
            mention.passed.clear();
        }
    }
}

/// `what is a blueprint`: the class of that name, however it is written.
fn name_the_thing(store: &Store, question: &ParsedQuestion, named: &mut QuestionNames) -> Result<(), StoreError> {
    let heads: Vec<String> = question.words.iter().take(3).map(QuestionWord::lower).collect();
    let is_asked = matches!(heads.as_slice(), [what, is, a] if what == "what" && is == "is" && (a == "a" || a == "an"));
    let [.., last] = question.words.as_slice() else { return Ok(()) };
    if !is_asked || question.words.len() != 4 || !named.mentions.is_empty() {
        return Ok(());
    }
    let mut letters = last.text.chars();
    let name: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let found = meanings(store, &name, Some(EntityKind::Class), false, "")?;
    if found.how.is_some_and(|how| how != NameMatch::Slip)
        && found.targets.iter().all(|target| target.main().record.kind == EntityKind::Class)
    {
        let (targets, passed) = likeliest(store, &last.text, found.targets.clone())?;
        let meanings = Meanings { targets, ..found };
        let (at, text) = (question.words.len() - 1, last.text.clone());
        named.blank.insert(at);
        named.mentions.push(NameMention { at, text, hint: None, meanings, container: None, passed });
    }
    Ok(())
}

/// Reads the name of a decorator out of the question: it is a condition, no subject.
fn find_decorator(question: &ParsedQuestion, phrase: &Phrase, filters: &mut Filters, named: &mut QuestionNames) {
    let behind = phrase.place(DECORATED).map(|(_, end)| end);
    let behind = behind.map(|at| {
        if matches!(phrase.words.get(at).map(String::as_str), Some("a" | "an" | "the")) { at + 1 } else { at }
    });
    let sign = question.words.iter().position(|word| word.text.len() > 1 && word.text.starts_with('@'));
    // `root_validator methods`: code before the kind.
    let before = (1..question.words.len()).find(|at| {
        let (word, noun) = (&question.words[at - 1], &phrase.words[*at]);
        word.shape == Shape::Code && matches!(noun.as_str(), "methods" | "functions" | "classes" | "decorated")
    });
    let at = behind.or(sign).or(before.map(|at| at - 1));
    let Some(word) = at.and_then(|at| question.words.get(at)).filter(|_| filters.noun.is_some()) else { return };
    let name = word.text.trim_start_matches('@');
    let name = name.rsplit('.').next().unwrap_or(name);
    if is_stop_word(&name.to_lowercase()) && word.shape == Shape::Plain && !word.text.starts_with('@') {
        return;
    }
    filters.decorator = Some(name.to_owned());
    named.mentions.retain(|mention| Some(mention.at) != at);
}

/// Drops the names before `I mean`: the one behind it is meant.
fn correct_oneself(phrase: &Phrase, named: &mut QuestionNames) {
    let Some((at, _)) = phrase.place("i mean/meant|sorry|or rather|err") else { return };
    if named.mentions.iter().any(|mention| mention.at > at) {
        named.mentions.retain(|mention| mention.at > at);
    }
}

/// Drops the place to which something moves: `X from a to b` is about `X`.
fn drop_destination(question: &ParsedQuestion, named: &mut QuestionNames) {
    let is_behind = |at: usize| {
        let word = |back: usize| at.checked_sub(back).and_then(|at| question.words.get(at)).map(QuestionWord::lower);
        let is_to = |word: Option<String>| matches!(word.as_deref(), Some("to" | "into" | "in" | "from"));
        is_to(word(1)) || matches!(word(1).as_deref(), Some("the")) && is_to(word(2))
    };
    if named.mentions.iter().any(|mention| !is_behind(mention.at)) || !named.files.is_empty() {
        named.mentions.retain(|mention| !is_behind(mention.at));
    }
    let path_at = |text: &str| question.words.iter().position(|word| word.text == text);
    let has_other = named.files.len() > 1 || !named.mentions.is_empty();
    named.files.retain(|file| !has_other || path_at(&file.text).is_some_and(|at| !is_behind(at)));
}

/// The member of an earlier subject that the question names: `its show method`.
fn own_member(store: &Store, question: &ParsedQuestion, about: &[Target]) -> Result<Option<Target>, StoreError> {
    for pair in question.words.windows(2) {
        if !matches!(pair[1].lower().as_str(), "method" | "property" | "attribute" | "function") {
            continue;
        }
        for target in about {
            let name = format!("{}.{}", target.main().full_name(), pair[0].text);
            if let Some(TargetMatch::Found(member)) = known(store, &name, "")? {
                return Ok(Some(member));
            }
        }
    }
    Ok(None)
}

/// The names in the question that are exceptions, here or in a library.
fn exceptions(store: &Store, sources: &Sources, named: &QuestionNames) -> Result<Vec<String>, StoreError> {
    let mut found: Vec<String> = Vec::new();
    for mention in &named.mentions {
        let name = mention.text.rsplit('.').next().unwrap_or(&mention.text).to_owned();
        let mut is_one = mention.meanings.targets.is_empty() && name.starts_with(char::is_uppercase);
        for target in mention.meanings.targets.iter().filter(|target| target.main().record.kind == EntityKind::Class) {
            is_one |= is_exception(store, sources, target.main(), &mut BTreeMap::new())?;
        }
        if is_one && !found.contains(&name) {
            found.push(name);
        }
    }
    Ok(found)
}

/// Whether the question asks who raises, and who catches.
fn handling(phrase: &Phrase) -> (bool, bool) {
    let raises = phrase.has("raise*|throw*");
    let catches = phrase.has("catch*|caught|except|handle*|translate*|swallow*");
    (raises || !catches, catches)
}

/// The revision behind `since`: it has a digit.
fn revision(phrase: &Phrase, question: &ParsedQuestion) -> Option<String> {
    let (_, at) = phrase.place("since/after/from")?;
    let words = question.words[at..].iter().take(3);
    let is_revision = |text: &str| {
        text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/'))
            && !text.starts_with(['.', '/'])
    };
    words.map(|word| word.text.clone()).find(|text| is_revision(text))
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
        unknown: Vec::new(),
        parameters: named.parameters.clone(),
        files: Vec::new(),
        lines: Vec::new(),
        polarity: Polarity::Open,
        filters: Filters::default(),
        literals: Vec::new(),
        frames: Vec::new(),
        change: (want.intent == QuestionIntent::Impact).then_some(want.change),
        direction: (want.intent == QuestionIntent::Usage).then_some(want.direction),
        notes: Vec::new(),
    };
    let (mut targets, mut passed) = (Vec::new(), Vec::new());
    for mention in &named.mentions {
        let how = mention.meanings.how.unwrap_or(NameMatch::Exact);
        if !mention.passed.is_empty() {
            passed.push((mention.text.clone(), mention.passed.clone()));
        }
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
                if !mention.passed.is_empty() {
                    let name = target.main().full_name();
                    let others = mention.passed.len();
                    plan.notes
                        .push(format!("`{}` is taken for `{name}`; {others} more in tests or elsewhere", mention.text));
                }
                plan.subjects.push(subject(&mention.text, target, how, mention.container.as_ref()));
                targets.push(target.clone());
            }
            several => {
                let names: Vec<String> =
                    several.iter().map(|target| format!("`{}`", target.main().full_name())).collect();
                plan.notes.push(format!("`{}` is {}", mention.text, names.join(" and ")));
                for target in several {
                    plan.subjects.push(subject(&mention.text, target, how, mention.container.as_ref()));
                    targets.push(target.clone());
                }
            }
        }
    }
    plan.files = named
        .files
        .iter()
        .map(|file| PlannedFile { mention: file.text.clone(), is_folder: file.is_folder, paths: file.paths.clone() })
        .collect();
    Understood {
        plan,
        targets,
        passed,
        unit_tests_only: want.unit_tests_only,
        verb: want.verb,
        is_move: false,
        exceptions: Vec::new(),
        handling: (false, false),
        revision: None,
        words: Vec::new(),
        search: text.to_owned(),
        others: Vec::new(),
        second: None,
    }
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
    let names = plan.subjects.len();
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
                    crate::ask::answer::AnswerInputs { store: &store, sources: &sources, search, limits: &limits, git: &|_| None, part: 1 };
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
