//! The answer to a question, from the index alone.
//!
//! `answer` dispatches on the intent of an understood question. The result has a headline, blocks (source, lists,
//! tables, impact reports) and the definitions for a prompt. Every statement rests on the index or the source; where
//! the index cannot tell, the answer says so.

pub mod changes;
pub mod coverage;
pub mod definitions;
pub mod examples;
pub mod facts;
pub mod history;
pub mod imports;
pub mod paths;
pub mod places;
pub mod relations;
pub mod select;
pub mod survey;
pub mod traceback;

use serde::Serialize;

use crate::{
    ask::answer::{changes::own::Reviewing, definitions::unknown::candidates},
    ask::privacy::{self, Privacy},
    ask::reading::{
        forms::{Polarity, QuestionIntent, Reading},
        literals::foreign_frame,
        names::{NameMatch, at_path, target_of},
        plan::{QuestionPlan, SELECTED, Understood, subject},
        words::objects::object_of,
    },
    model::{EntityFlags, EntityId, EntityKind, conventions::has_whole_name},
    query::{
        impact::{
            ImpactReport,
            completeness::{Boundary, Completeness},
            walk::Limits,
        },
        search::{SearchOptions, SearchReport},
        source::Sources,
        target::{
            Target,
            packages::{modules_of_package, whole_package},
        },
    },
    review::{ChangedEntity, Edit},
    store::{Store, error::StoreError, read::Entity},
};

/// The function that searches for the words of a question.
pub type SearchFor<'a> = dyn Fn(&str, &SearchOptions) -> Result<SearchReport, StoreError> + 'a;

/// The function that compares the definitions of a commit with those of now.
pub type ChangedSince<'a> = dyn Fn(&str) -> Option<Vec<ChangedEntity>> + 'a;

/// Everything that answers are computed from.
#[derive(Clone, Copy)]
pub struct AnswerInputs<'a> {
    pub store: &'a Store,
    pub sources: &'a Sources<'a>,
    /// Searches for the words of a question.
    pub search: &'a SearchFor<'a>,
    /// Limits of impact walks.
    pub limits: &'a Limits,
    /// The output of git for these arguments, where it has one.
    pub git: &'a dyn Fn(&[&str]) -> Option<String>,
    /// The definitions that differ between a commit and the files as they are; `None` where git does not know it.
    pub changed: &'a ChangedSince<'a>,
    /// Reviews a change of the user's own.
    pub reviewed: &'a Reviewing<'a>,
    /// The settings, ignore files and log of requests, for questions about privacy.
    pub privacy: &'a dyn Fn() -> Privacy,
    /// Part of the outline of the whole repository to give, from 1. `None` gives all of it, which a prompt divides.
    pub part: Option<usize>,
}

/// The answer, as the JSON document has it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Answer {
    pub schema: &'static str,
    pub schema_version: u32,
    pub plan: QuestionPlan,
    /// One sentence without a period.
    pub headline: String,
    /// The command that says the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
    pub completeness: Completeness,
    pub boundaries: Vec<Boundary>,
    pub blocks: Vec<AnswerBlock>,
    /// Other ways to read the question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherReading>,
    /// The number of blocks that answer the first half of a question with two; 0 for one question.
    #[serde(skip)]
    pub parts: usize,
    /// Definitions that a language model should see, the most important first.
    #[serde(skip)]
    pub wanted: Vec<Wanted>,
    /// Nothing here has the names of the question: the answer lists what resembles them.
    #[serde(skip)]
    pub is_guess: bool,
    /// The things that it counts, where these are not the definitions that it lists: 3 places, 8 parameters.
    #[serde(skip)]
    pub counted: Option<(usize, &'static str)>,
}

/// Another way to read a question: its command, and what that shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct OtherReading {
    pub command: String,
    pub gloss: &'static str,
}

/// A part of an answer.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnswerBlock {
    Source(Snippet),
    List(List),
    Table(AnswerTable),
    Impact(Box<ImpactReport>),
}

/// Verbatim source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Snippet {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    /// `None` when the file cannot be read.
    pub text: Option<String>,
}

/// Rows under a title.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct List {
    pub title: String,
    pub rows: Vec<ListRow>,
    /// The rows stand beside the answer: it does not count them, and a follow-up does not choose from them.
    #[serde(skip)]
    pub is_beside: bool,
    /// The rows are the members of this definition; its source, where shown, says the same.
    #[serde(skip)]
    pub members_of: Option<EntityId>,
    /// The rows are all that the module of this name has, as an outline of the repository lists it.
    #[serde(skip)]
    pub outline_of: Option<String>,
}

/// A row: a definition or a place. Fields that do not apply are empty or 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ListRow {
    pub name: String,
    /// Kind of the definition or of the relationship.
    pub kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub signature: String,
    pub path: String,
    pub line: u32,
    /// 0 when it is one line.
    pub end_line: u32,
    /// A remark, in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The line of source.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The file of that line, where it differs from `path`.
    #[serde(skip)]
    pub text_path: String,
}

/// Cells under columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct AnswerTable {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// A definition that a language model should see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub entity: Entity,
    /// Why, in words: `asked about`, `calls it`.
    pub why: &'static str,
    /// Its head is enough, since it only surrounds the subject.
    pub is_background: bool,
}

impl Answer {
    /// An answer without content yet.
    pub fn new(plan: QuestionPlan, headline: impl Into<String>) -> Self {
        Self {
            schema: "repoidx.answer",
            schema_version: 1,
            plan,
            headline: headline.into(),
            command: String::new(),
            others: Vec::new(),
            parts: 0,
            completeness: Completeness::Exact,
            boundaries: Vec::new(),
            blocks: Vec::new(),
            wanted: Vec::new(),
            is_guess: false,
            counted: None,
        }
    }

    /// Adds a list unless it is empty.
    pub fn list(&mut self, title: impl Into<String>, rows: Vec<ListRow>) {
        if !rows.is_empty() {
            self.blocks.push(AnswerBlock::List(List { title: title.into(), rows, ..List::default() }));
        }
    }

    /// Adds a list that stands beside the answer unless it is empty.
    pub fn beside(&mut self, title: impl Into<String>, rows: Vec<ListRow>) {
        if !rows.is_empty() {
            let title = title.into();
            self.blocks.push(AnswerBlock::List(List { title, rows, is_beside: true, ..List::default() }));
        }
    }

    /// Counts further things of a kind.
    pub fn count(&mut self, number: usize, noun: &'static str) {
        let before = self.counted.filter(|(_, known)| *known == noun).map_or(0, |(number, _)| number);
        self.counted = Some((before + number, noun));
    }

    /// Adds a list of the members of `owner` unless it is empty.
    pub fn members(&mut self, owner: EntityId, title: String, rows: Vec<ListRow>) {
        if !rows.is_empty() {
            self.blocks.push(AnswerBlock::List(List { title, rows, members_of: Some(owner), ..List::default() }));
        }
    }

    /// Records a limit of the answer.
    pub fn bound(&mut self, completeness: Completeness, boundaries: impl IntoIterator<Item = Boundary>) {
        self.completeness = self.completeness.max(completeness);
        for boundary in boundaries {
            if !self.boundaries.contains(&boundary) {
                self.boundaries.push(boundary);
            }
        }
    }

    /// Asks for an entity to be shown to a model, once.
    pub fn want(&mut self, entity: &Entity, why: &'static str, is_background: bool) {
        if !self.wanted.iter().any(|wanted| wanted.entity.id == entity.id) {
            self.wanted.push(Wanted { entity: entity.clone(), why, is_background });
        }
    }

    /// Whether the question names only things that are unknown, and nothing was found for them.
    pub fn is_unsettled(&self) -> bool {
        const NEIGHBORS: [&str; 2] = ["nothing is called", "other definitions called"];
        let plan = &self.plan;
        let is_of_neighbors = |list: &List| NEIGHBORS.iter().any(|head| list.title.starts_with(head));
        let is_found = |block: &AnswerBlock| !matches!(block, AnswerBlock::List(list) if is_of_neighbors(list));
        self.is_guess || plan.subjects.is_empty() && !plan.unknown.is_empty() && !self.blocks.iter().any(is_found)
    }
}

impl ListRow {
    /// A line of a file, under the file's name.
    pub fn line(path: &str, line: u32, text: String) -> Self {
        Self { name: path.to_owned(), kind: "line", path: path.to_owned(), line, text, ..Self::default() }
    }

    /// A row about a definition.
    pub fn of(entity: &Entity) -> Self {
        let record = &entity.record;
        let mut name = entity.full_name();
        if record.flags.has(EntityFlags::ASYNC) {
            name.insert_str(0, "async ");
        }
        Self {
            name,
            kind: record.kind.as_str(),
            signature: record.signature.clone(),
            path: entity.path.clone(),
            line: record.start_line,
            end_line: record.end_line,
            ..Self::default()
        }
    }

    /// A row about a changed definition, with its edits.
    fn of_change(changed: &ChangedEntity) -> Self {
        Self {
            name: changed.name.clone(),
            kind: changed.kind.as_str(),
            path: changed.path.clone(),
            line: changed.line,
            note: changed.edits.iter().map(Edit::words).collect::<Vec<_>>().join(", "),
            ..Self::default()
        }
    }

    /// The row with a remark.
    #[must_use]
    pub fn with(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}

/// Words by which a question speaks of code even if it names nothing of the repository.
const CODE_WORDS: &str = "function functions class classes method methods module modules test tests file files code \
    variable variables change changes changed uncommitted unstaged staged stash stashed branch rerun pytest unused dead call calls called import imports imported overrides raises raised exception exceptions fixture fixtures \
    parameter parameters decorator decorators attribute attributes";

/// The headline for a question about the world.
const OF_THE_WORLD: &str = "this question is not about the repository: the index has no answer to it, and nothing of the repository is shown; \
     to ask the repository all the same, end the question with `in this repository`";

/// The headline for a question that names nothing of the repository.
fn unanswered(question: &str) -> String {
    if let Some(place) = foreign_frame(question) {
        return format!(
            "this is a traceback of another language ({place}): none of its files is indexed here, only Python is"
        );
    }
    if let Some(word) = object_of(question) {
        return format!("nothing in the index is called `{word}`: this question names no definition that is here");
    }
    let question = question.to_lowercase();
    let mut words = question.split(|c: char| !c.is_alphanumeric());
    if words.any(|word| CODE_WORDS.split_whitespace().any(|known| known == word)) {
        "this question is not understood: it names nothing in the index; name a definition, or describe the code in words \
         (`repoidx review` compares two states, `repoidx map` outlines the repository)"
            .to_owned()
    } else {
        OF_THE_WORLD.to_owned()
    }
}

/// The answer to `what is HTTP/2` and `what is a decorator in python`, where nothing here has such a name.
fn of_the_world(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let plan = &understood.plan;
    let words = &understood.question.words;
    let lower = understood.question.lower_words();
    let head: Vec<&str> = lower.iter().map(String::as_str).collect();
    let (["what", "is" | "are", "a" | "an", rest @ ..] | ["what", "is" | "are", rest @ ..]) = head.as_slice() else {
        return Ok(None);
    };
    let (rest, is_of_python) = match rest {
        [rest @ .., "in", "python"] => (rest, true),
        rest => (rest, false),
    };
    let [term] = rest else { return Ok(None) };
    // `HTTP/2` is written like a path, and is none.
    let is_no_path = |path: &str| !path.contains('.') && !path.ends_with('/') && path.starts_with(char::is_uppercase);
    let is_of_path =
        !plan.files.is_empty() && plan.files.iter().all(|file| file.paths.is_empty() && is_no_path(&file.mention));
    // `what is HTTP`: nothing here is called so, whatever names it is a part of.
    let is_capital = |text: &str| {
        text.len() > 1 && text.starts_with(char::is_uppercase) && !text.contains(|c: char| c.is_lowercase() || c == '_')
    };
    let written = words.iter().find(|word| word.lower() == *term).is_some_and(|word| is_capital(&word.text));
    let is_abbreviation = is_of_path || written && reading.store.entities_named(term, true)?.is_empty();
    if !is_of_python && !is_abbreviation || !understood.targets.is_empty() {
        return Ok(None);
    }
    for file in &plan.files {
        if !file.documents(reading.store)?.is_empty() {
            return Ok(None);
        }
    }
    if let Some(section) = (!is_of_python && is_of_path)
        .then(|| examples::section_called(reading, &[(*term).to_owned()]))
        .transpose()?
        .flatten()
    {
        let documents = understood.clone().read_as(QuestionIntent::Documents);
        let mut answer = Answer::new(documents.plan.clone(), String::new());
        answer.headline = format!("`{}` speaks of this ({}:{})", section.name, section.path, section.line);
        answer.list("sections of documents (1)", vec![section]);
        return Ok(Some(answer));
    }
    let mut plan = understood.clone().read_as(QuestionIntent::Knowledge).plan;
    plan.notes.clear();
    Ok(Some(Answer::new(plan, OF_THE_WORLD)))
}

/// Readings that are tried where the best has no answer, and other ones that an answer names.
const MAX_TRIED: usize = 6;
const MAX_OTHERS: usize = 2;
/// A reading that no form speaks for is tried after the best one with this share of its weight.
const LEAST_UNSAID: f64 = 0.5;
/// A reading with less of the best one's weight than this is no other reading.
const LEAST_OTHER: f64 = 0.3;

/// Answers the question in its likeliest reading that has an answer; both halves of a question that has two.
pub fn answer(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    if let Some(mut answer) = privacy::told(reading, understood)? {
        answer.hide_secrets(reading.sources);
        return Ok(answer);
    }
    let mut answer = both(reading, understood)?;
    say_uncounted(understood, &mut answer);
    definitions::untold::say_guessed(&mut answer);
    relations::polar::say_uncounted_uses(understood, &mut answer);
    answer.hide_secrets(reading.sources);
    Ok(answer)
}

/// Says first that a word cannot be counted, where the answer only has what is near to the question.
fn say_uncounted(understood: &Understood, answer: &mut Answer) {
    use QuestionIntent as I;
    let Some(word) = &understood.uncounted else { return };
    let is_near = matches!(answer.plan.intent, I::Search | I::Documents | I::Text | I::Explain | I::Repository);
    let cannot = format!("`{word}` cannot be counted: it is no kind of definition, and no module is called so");
    match answer.plan.intent {
        // The number of something that the index does not have, such as statements: the answer counted it.
        _ if answer.headline.starts_with(|c: char| c.is_ascii_digit()) => {}
        I::Knowledge if understood.is_of_world => {}
        I::Knowledge => answer.headline = cannot,
        _ if is_near => answer.headline = format!("{cannot}; {}", answer.headline),
        _ => {}
    }
}

fn both(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = one(reading, understood)?;
    let Some(second) = &understood.second else { return Ok(answer) };
    let second = one(reading, second)?;
    answer.headline = format!("{}; {}", answer.headline, second.headline);
    if !second.command.is_empty() {
        answer.command =
            if answer.command.is_empty() { second.command } else { format!("{}; {}", answer.command, second.command) };
    }
    answer.others.clear();
    answer.parts = answer.blocks.len();
    answer.blocks.extend(second.blocks);
    answer.bound(second.completeness, second.boundaries);
    answer.plan.notes.extend(second.plan.notes);
    for wanted in second.wanted {
        answer.want(&wanted.entity, wanted.why, wanted.is_background);
    }
    Ok(answer)
}

/// Answers a question of one kind, or leaves it to others.
type Answering = fn(AnswerInputs<'_>, &Understood) -> Result<Option<Answer>, StoreError>;

/// Questions that are told by their words before any reading of them is tried; the first that answers counts.
const BEFORE_READINGS: [Answering; 65] = [
    changes::own::own_change,
    relations::sets::of_lost_list,
    survey::index_state::index_state,
    of_the_world_alone,
    places::lines::of_line,
    places::parts::of_part,
    survey::packages::packages,
    survey::sizes::sizes,
    survey::sizes::length,
    survey::project::python_version,
    survey::project::running_tests,
    survey::exports::exports,
    survey::told_by_words,
    places::annotations::annotated,
    places::neighbors::neighbors,
    select::of_docstrings,
    survey::guides::guided,
    places::documents::titled_section,
    places::sections::sections_of,
    places::documents::of_noun,
    places::documents::documents_in,
    places::sections::documents_of,
    places::sections::mentioned_in_documents,
    places::documents::spoken_of_in_documents,
    select::told_by_words,
    changes::transitive::transitive,
    changes::parameters::reordered,
    changes::parameters::positional_only,
    changes::parameters::any_of_them,
    changes::added::new_parameter,
    places::assigned::assigned,
    examples::mentioning,
    imports::free_code,
    imports::between::between,
    imports::outside::of_outside,
    history::authors::of_author,
    history::versions::of_version,
    imports::unused::unused,
    definitions::which::which,
    places::asserts::asserts,
    places::environment::writes,
    places::library_calls::library_calls,
    definitions::unknown::untested_name,
    definitions::metaclass::unknown_metaclass,
    definitions::parameters::parameters,
    definitions::aliases::aliases,
    definitions::inheriting::inherited_members,
    definitions::definers::definers,
    definitions::unknown::unknown_user,
    relations::polar::within::within,
    relations::polar::sharing::sharing,
    coverage::requests::requesting,
    relations::polar::kind::of_kind,
    relations::polar::exists::exists,
    relations::polar::every::every,
    relations::having::having,
    definitions::unknown::unknown_end,
    relations::raised::raised_heirs,
    relations::raised::caught,
    relations::globals::written_globals,
    relations::overrides::libraries::of_library,
    relations::overrides::libraries::all_of_class,
    of_the_world,
    relations::hierarchy::is_a,
    relations::hierarchy::derives_from_outside,
];

/// The answer to a question whose every word is of the world: nothing of the repository is shown.
#[expect(clippy::unnecessary_wraps, reason = "stands in a table of functions that may fail")]
fn of_the_world_alone(_: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    if !understood.is_of_world || understood.plan.intent != QuestionIntent::Knowledge {
        return Ok(None);
    }
    let mut plan = understood.plan.clone();
    plan.notes.clear();
    Ok(Some(Answer::new(plan, OF_THE_WORLD)))
}

fn one(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    for answering in BEFORE_READINGS {
        if let Some(answer) = answering(reading, understood)? {
            return Ok(answer);
        }
    }
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    // Words that are the parts of a name may describe something all the same.
    let names_none = understood.plan.unknown.is_empty()
        && understood.plan.subjects.iter().all(|subject| subject.matched == NameMatch::Parts);
    if names_none
        && examples::asks_to_make(&words)
        && let Some(answer) = examples::instructions(reading, understood)?
    {
        return Ok(answer);
    }
    // `how does the test client work`: a section may have just that title.
    if names_none
        && matches!(words.as_slice(), ["how", "do" | "does", .., "work" | "works"])
        && let Some(answer) = examples::titled(reading, understood)?
    {
        return Ok(answer);
    }
    // `is flsk deprecated` asks for no list of what is.
    let is_of_one = names_none && understood.plan.files.is_empty() && words.len() == 3 && words[0] == "is";
    if is_of_one
        && understood.plan.intent == QuestionIntent::Select
        && let Some(answer) = definitions::unknown::misspelt(reading, &understood.plan)?
    {
        return Ok(answer);
    }
    let mut empty: Option<Answer> = None;
    // The chosen intent stands before the readings, since the caller may have chosen it.
    let mut intents = vec![understood.plan.intent];
    let best = understood.plan.readings.first().map_or(0.0, |reading| reading.score);
    // The words alone say little about what else may be meant.
    let is_said = |reading: &&Reading| !reading.forms.is_empty() || reading.score >= best * LEAST_UNSAID;
    intents.extend(understood.plan.readings.iter().filter(is_said).map(|reading| reading.intent));
    let mut tried = Vec::new();
    for intent in intents.into_iter().take(MAX_TRIED) {
        if tried.contains(&intent) {
            continue;
        }
        tried.push(intent);
        let understood = understood.clone().read_as(intent);
        let mut found = by_intent(reading, &understood)?;
        let is_final = intent == QuestionIntent::Knowledge || intent == QuestionIntent::Flow && found.is_guess;
        if is_final || !found.headline.is_empty() && !found.is_unsettled() {
            found.others = others(&understood, &found.command, &tried);
            definitions::untold::say_untold(&understood, &mut found);
            definitions::untold::say_unread(&understood, &mut found);
            if survey::topics::is_far(&understood, &found)
                && let Some(near) = survey::topics::by_words(reading, &understood)?
            {
                return Ok(near);
            }
            return Ok(found);
        }
        empty.get_or_insert(found);
    }
    let unknown = &understood.plan.unknown;
    if unknown.is_empty() && understood.targets.is_empty() && !tried.contains(&QuestionIntent::Search) {
        // The words name nothing, but they may describe something.
        let mut found = by_intent(reading, &understood.clone().read_as(QuestionIntent::Search))?;
        found.is_guess = true;
        if !found.headline.is_empty() {
            return Ok(found);
        }
    }
    let Some(name) = unknown.first().filter(|_| understood.plan.intent != QuestionIntent::Edit) else {
        return empty.map_or_else(|| by_intent(reading, understood), Ok);
    };
    if understood.plan.polarity == Polarity::Used {
        let mut none = empty.map_or_else(|| by_intent(reading, understood), Ok)?;
        let no = if understood.asks_whether_unused() { "yes" } else { "no" };
        let documents = examples::sections(reading, &name.mention)?;
        let mentioned = match documents.first() {
            Some(row) => format!("; documents mention it, first {}:{}", row.path, row.line),
            None => String::new(),
        };
        none.headline = format!("{no}: nothing here is called `{}`, and no code names it{mentioned}", name.mention);
        none.list(format!("documents that name `{}` ({})", name.mention, documents.len()), documents);
        none.is_guess = true;
        let like: Vec<String> = name.proposals.iter().take(2).map(|one| format!("`{}`", one.name)).collect();
        if !like.is_empty() {
            none.headline += &format!("; names like it are {}", in_words(&like));
        }
        candidates(&mut none, understood);
        return Ok(none);
    }
    // The names are not here, but the words around them may say enough.
    let understood = understood.clone().read_as(QuestionIntent::Search);
    let mut found = survey::search(reading, &understood)?;
    let has_near = found.blocks.iter().any(|block| matches!(block, AnswerBlock::List(list) if !list.rows.is_empty()));
    let near =
        if has_near { "these are the nearest by name and meaning" } else { "nothing is like the question either" };
    found.headline = format!("nothing here is called `{}`; {near}", name.mention);
    found.is_guess = true;
    found.command = understood.command();
    candidates(&mut found, &understood);
    Ok(found)
}

/// The other readings that come near the answered one, each with its command.
fn others(understood: &Understood, command: &str, tried: &[QuestionIntent]) -> Vec<OtherReading> {
    let readings = &understood.plan.readings;
    let best = readings.first().map_or(0.0, |reading| reading.score);
    let near =
        readings.iter().filter(|reading| reading.score >= best * LEAST_OTHER && !tried.contains(&reading.intent));
    let mut others: Vec<OtherReading> = Vec::new();
    for reading in near {
        let other = understood.clone().read_as(reading.intent);
        let found = OtherReading { command: other.command(), gloss: other.gloss() };
        let is_new = found.command != command && others.iter().all(|known| known.command != found.command);
        if !found.command.is_empty() && is_new && others.len() < MAX_OTHERS {
            others.push(found);
        }
    }
    others
}

/// The question about all modules of the packages that it names, where a change or tests are asked about.
fn of_packages(store: &Store, understood: &Understood) -> Result<Option<Understood>, StoreError> {
    use QuestionIntent as I;
    if !matches!(understood.plan.intent, I::Impact | I::Tests | I::Coverage) {
        return Ok(None);
    }
    let mut wider = understood.clone();
    for (target, subject) in wider.targets.iter_mut().zip(&understood.plan.subjects) {
        // What is selected in a file is a part of that file.
        if subject.mention != SELECTED {
            *target = whole_package(store, &subject.mention, target.clone())?;
        }
        if understood.plan.intent == I::Tests {
            join_fixtures(target, &subject.mention, &mut wider.passed);
        }
    }
    Ok((wider.targets != understood.targets).then_some(wider))
}

/// Adds the other fixtures of the name to one that is asked about: which tests use a fixture is asked of all of them.
fn join_fixtures(target: &mut Target, name: &str, passed: &mut [(String, Vec<Target>)]) {
    let is_fixture = |target: &Target| target.main().record.flags.has(EntityFlags::FIXTURE);
    if !is_fixture(target) || target.main().record.name != name {
        return;
    }
    for (_, others) in passed.iter_mut().filter(|(of, _)| of == name) {
        let (fixtures, rest): (Vec<Target>, Vec<Target>) = std::mem::take(others).into_iter().partition(is_fixture);
        target.entities.extend(fixtures.into_iter().flat_map(|fixture| fixture.entities));
        *others = rest;
    }
}

fn by_intent(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    use QuestionIntent as I;
    let of_packages = of_packages(reading.store, understood)?;
    let understood = of_packages.as_ref().unwrap_or(understood);
    let plan = &understood.plan;
    if let (QuestionIntent::Select, Some(set)) = (plan.intent, &understood.set) {
        return relations::sets::set(reading, understood, set);
    }
    let mut answer = match plan.intent {
        // A single word is a name, perhaps a misspelt one.
        QuestionIntent::Knowledge if !plan.question.trim().contains(char::is_whitespace) => {
            survey::search(reading, &understood.clone().read_as(QuestionIntent::Search))?
        }
        QuestionIntent::Knowledge => match examples::instructions(reading, understood)? {
            Some(answer) => answer,
            None => match definitions::unknown::misspelt(reading, plan)? {
                Some(answer) => answer,
                None => Answer::new(plan.clone(), unanswered(&plan.question)),
            },
        },
        QuestionIntent::Search => survey::search(reading, understood)?,
        QuestionIntent::Repository => survey::repository(reading, understood)?,
        QuestionIntent::Files => survey::files(reading, understood)?,
        QuestionIntent::Coverage => coverage::coverage(reading, understood)?,
        QuestionIntent::Select => select::select(reading, understood)?,
        QuestionIntent::Text => places::text(reading, understood)?,
        QuestionIntent::Documents => examples::documents(reading, understood)?,
        QuestionIntent::Todos => places::todos(reading, understood)?,
        QuestionIntent::Handled => places::handled(reading, understood)?,
        QuestionIntent::Traceback => traceback::traceback(reading, understood)?,
        QuestionIntent::Raised => traceback::raised(reading, understood)?,
        QuestionIntent::History => history::history(reading, understood)?,
        QuestionIntent::Changes => history::changes(reading, understood)?,
        QuestionIntent::Packages => imports::packages(reading, understood)?,
        QuestionIntent::Cycles => imports::cycles(reading, understood)?,
        QuestionIntent::EntryPoints => imports::entry_points(reading, understood)?,
        QuestionIntent::Flow if understood.targets.is_empty() => described_flow(reading, understood)?,
        _ if understood.targets.is_empty() && !plan.files.is_empty() => by_files(reading, understood)?,
        _ if understood.targets.is_empty() => Answer::new(plan.clone(), unsettled(plan)),
        QuestionIntent::Show => definitions::show(reading, understood)?,
        QuestionIntent::Members => definitions::members(reading, understood)?,
        QuestionIntent::Compare => definitions::compare(reading, understood)?,
        QuestionIntent::Explain | QuestionIntent::Edit => definitions::explain(reading, understood)?,
        QuestionIntent::Hierarchy => relations::hierarchy::hierarchy(reading, understood)?,
        QuestionIntent::Usage => relations::usage(reading, understood)?,
        QuestionIntent::Path => paths::path(reading, understood)?,
        QuestionIntent::Flow => paths::flow::flow(reading, understood)?,
        QuestionIntent::Signature => definitions::signature(reading, understood)?,
        QuestionIntent::Examples => examples::examples(reading, understood)?,
        QuestionIntent::Impact => changes::impacts(reading, understood)?,
        QuestionIntent::Tests => changes::testing::tests(reading, understood)?,
    };
    let leaves_out = matches!(plan.intent, I::Usage | I::Handled | I::Hierarchy | I::Select | I::Text);
    if !leaves_out && !plan.outside.is_empty() && !answer.headline.is_empty() {
        let names: Vec<String> = plan.outside.iter().map(|file| file.mention.clone()).collect();
        answer.headline += &format!("; {} is not left out of this answer", in_words(&names));
    }
    if answer.command.is_empty() {
        answer.command = understood.command();
    }
    let speaks_of_subjects = matches!(
        plan.intent,
        I::Impact
            | I::Usage
            | I::Tests
            | I::Compare
            | I::Explain
            | I::Signature
            | I::Raised
            | I::Flow
            | I::Path
            | I::Show
            | I::Members
            | I::Hierarchy
            | I::Examples
    );
    if speaks_of_subjects && !understood.targets.is_empty() && !answer.headline.is_empty() {
        let lost = plan.unknown.iter().filter(|name| !has_whole_name(&answer.headline, &name.mention));
        let lost: Vec<String> = lost.map(|name| format!("`{}`", name.mention)).collect();
        if !lost.is_empty() {
            let said = format!("nothing here is called {}", in_words(&lost));
            let (first, last) =
                if understood.asks_of_several() { (&said, &answer.headline) } else { (&answer.headline, &said) };
            answer.headline = format!("{first}; {last}");
        }
    }
    candidates(&mut answer, understood);
    Ok(answer)
}

/// Follows the calls of the function that fits the words best, where a question names none.
fn described_flow(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let kinds = vec![EntityKind::Function, EntityKind::Method];
    let options = SearchOptions { limit: 1, kinds, ..SearchOptions::default() };
    let report = (reading.search)(&understood.search, &options)?;
    let hit = report.hits.first().map(|hit| at_path(reading.store, &hit.name, &hit.path)).transpose()?.flatten();
    let Some(entity) = hit else { return Ok(Answer::new(understood.plan.clone(), String::new())) };
    let target = target_of(reading.store, &entity)?;
    let mut described = understood.clone();
    described.plan.subjects = vec![subject("(described)", &target, NameMatch::Exact, None)];
    described.targets = vec![target];
    let mut answer = paths::flow::flow(reading, &described)?;
    answer.headline =
        format!("the words fit `{}` best, a guess: {}", described.targets[0].main().full_name(), answer.headline);
    answer.command = described.command();
    answer.is_guess = true;
    Ok(answer)
}

/// Answers a question that names only files by their modules.
fn by_files(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let modules = survey::modules(reading.store, &understood.plan)?;
    if modules.is_empty() {
        return survey::files(reading, understood);
    }
    let mut of_modules = understood.clone();
    of_modules.targets = modules;
    match understood.plan.intent {
        QuestionIntent::Impact => changes::impacts(reading, &of_modules),
        QuestionIntent::Tests => changes::testing::tests(reading, &of_modules),
        QuestionIntent::Usage if relations::only::asks_for_only(understood) => {
            let headline = "perhaps: the question names no definition that is here, so its uses are not known";
            Ok(Answer::new(understood.plan.clone(), headline.to_owned()))
        }
        QuestionIntent::Usage => relations::usage(reading, &of_modules),
        _ => survey::contents(reading, &of_modules),
    }
}

fn unsettled(plan: &QuestionPlan) -> String {
    match plan.unknown.first() {
        Some(name) => format!("nothing here is called `{}`", name.mention),
        None => String::new(),
    }
}

/// The source of a definition.
pub fn snippet(sources: &Sources, entity: &Entity) -> Snippet {
    let (start_line, end_line) = (entity.record.start_line, entity.record.end_line);
    Snippet {
        name: entity.full_name(),
        kind: entity.record.kind,
        path: entity.path.clone(),
        start_line,
        end_line,
        text: sources.lines(&entity.path, start_line, end_line),
    }
}

/// The names of targets as a sentence lists them.
pub fn names_of(targets: &[Target]) -> String {
    let alike = |name: &str| targets.iter().filter(|other| short_name(other.main()) == name).count();
    let name = |target: &Target| {
        let (name, number) = (short_name(target.main()), target.entities.len());
        let is_fixture = |entity: &Entity| entity.record.flags.has(EntityFlags::FIXTURE);
        match modules_of_package(target) {
            Some(modules) => format!("the package `{name}` with its {modules} modules"),
            None if number > 1 && target.entities.iter().all(is_fixture) => {
                format!("the {number} fixtures `{}`", target.main().record.name)
            }
            None if alike(name) > 1 => format!("`{}`", target.main().full_name()),
            None => format!("`{name}`"),
        }
    };
    in_words(&targets.iter().map(name).collect::<Vec<_>>())
}

/// `a, b and c`.
fn in_words(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The first of some names, and the number of the others: `a, b and 3 more`.
fn first_in_words(names: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let more = names.len().saturating_sub(most);
    in_words(&names.take(most).chain((more > 0).then(|| format!("{more} more"))).collect::<Vec<_>>())
}

/// `Class.method`, or the module's name.
pub fn short_name(entity: &Entity) -> &str {
    if entity.record.qualified.is_empty() { &entity.module } else { &entity.record.qualified }
}
