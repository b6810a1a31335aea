//! The plan of a question: its subjects and its intent, and everything that the answer needs besides.
//!
//! `ask --plan` prints it. The same question about the same tree always gives the same plan.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    ask::{
        context::lines::FoundLine,
        reading::{
            filters::{Filters, Noun},
            follow_up::turns::{Conversation, GoingOn},
            forms::{
                Polarity, QuestionIntent, Reading, Task, UsageDirection,
                degrees::Degree,
                own_change::{AddedSubject, OfChange, OwnQuestion},
            },
            literals::{Literal, TracebackFrame},
            names::{NameMatch, taken_for},
            relations::{RelationSet, ReverseQuestion, noun_of},
            subjects::{
                FileMention, QuestionNames,
                parameters::has_value,
                slots::{AskedArgument, takes_any_keyword},
            },
            words::ParsedQuestion,
        },
    },
    model::{EntityKind, RelationshipKind, conventions::test_kinds::SuiteKind},
    query::{
        impact::walk::factors::Change,
        target::{
            Target,
            filter::{DefinitionMark, Filter},
        },
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The plan of a question, as `ask --plan` prints it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct QuestionPlan {
    pub schema: &'static str,
    pub schema_version: u32,
    pub question: String,
    /// The words that the readings are weighed by, with `<class>` and other kinds for names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    pub intent: QuestionIntent,
    pub task: Task,
    /// `simple` with at most one subject, else `complex`.
    pub complexity: &'static str,
    /// The number of subjects that decides; one name with several meanings is one subject.
    pub subject_count: usize,
    /// The verdict of a model, where one was asked. It changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_verdict: Option<ModelVerdict>,
    /// `particular` if the answer lies in the subjects themselves, else `general`.
    pub scope: &'static str,
    pub subjects: Vec<Subject>,
    /// Texts that look like names and are none here.
    pub unknown: Vec<Unknown>,
    pub parameters: Vec<String>,
    pub files: Vec<PlannedFile>,
    /// Files and folders whose places are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<PlannedFile>,
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
    /// The ways in which the words can be read, the likeliest first.
    pub readings: Vec<Reading>,
    /// Decisions that are not obvious, as sentences.
    pub notes: Vec<String>,
    /// The full name of the definition with which the conversation goes on, where the question does not name it first.
    #[serde(skip)]
    pub topic: Option<String>,
    /// The way in which the question goes on with the conversation; `None` for one of its own.
    #[serde(skip)]
    pub goes_on: Option<GoingOn>,
}

/// A model's verdict on whether a question is simple or complex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ModelVerdict {
    /// `simple`, `complex` or `neither`.
    pub said: &'static str,
    /// How often it was asked again because it contradicted the number of subjects.
    pub retries: usize,
    /// It contradicted the number to the end.
    pub is_overruled: bool,
}

impl QuestionPlan {
    /// The complexity with the number that decides, in words: `complex (2 subjects)`.
    pub fn coherence(&self) -> String {
        format!("{} ({})", self.complexity, count(self.subject_count, "subject"))
    }
}

/// The mention of a subject that is selected, not named.
pub const SELECTED: &str = "(selected)";

/// A definition that the question is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PlanCandidate {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub line: u32,
    pub end_line: u32,
}

/// A name without a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Unknown {
    pub mention: String,
    pub proposals: Vec<PlanCandidate>,
}

/// A file or folder that the question names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PlannedFile {
    pub mention: String,
    pub is_folder: bool,
    /// The files that it can mean; for a folder, the files below it.
    pub paths: Vec<String>,
    /// Further files with the name, which are meant less likely.
    #[serde(skip)]
    pub others: Vec<String>,
}

impl From<&FileMention> for PlannedFile {
    fn from(file: &FileMention) -> Self {
        let (mention, paths) = (file.text.clone(), file.paths.clone());
        Self { mention, is_folder: file.is_folder, paths, others: Vec::new() }
    }
}

impl PlannedFile {
    /// The paths that hold exactly these files: the folder, where its name says which one it is.
    pub fn patterns(&self) -> Vec<String> {
        let folder = self.paths.first().and_then(|first| {
            let named = self.mention.trim_matches('/');
            // A package is a folder under its dotted name.
            let named = if named.contains('/') { named.to_owned() } else { named.replace('.', "/") };
            let end = first.match_indices('/').map(|(at, _)| at).find(|&at| is_path_end(&first[..at], &named))?;
            Some(&first[..=end])
        });
        match folder.filter(|folder| self.is_folder && self.paths.iter().all(|path| path.starts_with(folder))) {
            Some(folder) => vec![folder.trim_end_matches('/').to_owned()],
            None => self.paths.clone(),
        }
    }

    /// The documents that it can mean, by the end of their path; those of the same case where there are some.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn documents(&self, store: &Store) -> Result<Vec<String>, StoreError> {
        let wanted = self.mention.trim_start_matches("./");
        let mut documents: Vec<String> = store.documents()?.into_iter().map(|(_, document)| document.path).collect();
        documents.retain(|path| !self.is_folder && is_path_end(&path.to_lowercase(), &wanted.to_lowercase()));
        if documents.iter().any(|path| is_path_end(path, wanted)) {
            documents.retain(|path| is_path_end(path, wanted));
        }
        Ok(documents)
    }
}

/// Whether a path is `end` or ends with it after a slash.
fn is_path_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// A plan with the definitions that it names.
#[derive(Clone, Debug)]
pub struct Understood {
    pub plan: QuestionPlan,
    /// One for each of `plan.subjects`, in that order.
    pub targets: Vec<Target>,
    /// For each name with less likely definitions: the name and those definitions.
    pub passed: Vec<(String, Vec<Target>)>,
    /// The kind of tests that the question asks for.
    pub test_kind: Option<SuiteKind>,
    pub verb: Option<RelationshipKind>,
    /// The change and the direction, for the readings that have one.
    pub change: Change,
    /// The parameters of the question that one of its definitions takes.
    pub taken: Vec<String>,
    pub direction: UsageDirection,
    /// The definition moves to another module.
    pub is_move: bool,
    /// The names of exceptions that the question has.
    pub exceptions: Vec<String>,
    /// Whether it asks who raises an exception, and who catches it.
    pub handling: (bool, bool),
    /// The revision since which changes are asked for.
    pub revision: Option<String>,
    /// The question as it was typed, taken apart.
    pub question: ParsedQuestion,
    /// Its words in lower case, as the readings compare them.
    pub words: Vec<String>,
    /// The words before a kind of definition that no condition took in: `http errors`; and those behind it, `functions
    /// that sing`.
    pub described: Vec<String>,
    pub further: Vec<String>,
    /// The text to search for.
    pub search: String,
    /// The argument that the calls in question pass.
    pub argument: Option<AskedArgument>,
    /// The files among whose uses an unused definition has none: `not used inside flask itself`.
    pub unused_in: Option<PlannedFile>,
    /// A word that the question counts, and that nothing here tells how to count.
    pub uncounted: Option<String>,
    /// The condition on the number of relationships of the definitions that are asked for.
    pub degree: Option<Degree>,
    /// The relationships under which a set of definitions is asked for.
    pub set: Option<RelationSet>,
    /// The heirs of its class are asked about, and not the members.
    pub is_of_family: bool,
    /// All words are those of questions about the world.
    pub is_of_world: bool,
    /// The question is about a change of the user's own.
    pub own: Option<OwnQuestion>,
    /// Its subject is a definition that such a change added.
    pub added: Option<AddedSubject>,
    /// The definitions of the list of the conversation, under a condition that is not understood.
    pub lost_list: Option<usize>,
    /// The conversation alone answers the question: the answer, and the definitions that it lists.
    pub said: Option<(String, Vec<Entity>)>,
    /// `it` is the subject of the question, and nothing says what it means.
    pub is_subject_lost: bool,
    /// The conditions on the dependents that are asked for.
    pub reverse: Option<ReverseQuestion>,
    /// The second half of a question that has two.
    pub second: Option<Box<Understood>>,
}

impl Understood {
    /// Takes this text for the question; how it was understood stays.
    pub fn set_question(&mut self, text: &str) {
        text.clone_into(&mut self.plan.question);
        self.question = ParsedQuestion::parse(text);
    }

    /// The same question, read in this way.
    #[must_use]
    pub fn read_as(mut self, intent: QuestionIntent) -> Self {
        self.plan.intent = intent;
        self.plan.change = (intent == QuestionIntent::Impact).then_some(self.change);
        self.plan.direction = (intent == QuestionIntent::Usage).then_some(self.direction);
        self.plan.scope = if intent.is_particular() { "particular" } else { "general" };
        self
    }

    /// The question read as one about a change of the user's own, whatever its words name here.
    #[must_use]
    pub fn of_own_change(mut self, own: &OwnQuestion) -> Self {
        let plan = &mut self.plan;
        plan.subjects.clear();
        plan.unknown.clear();
        plan.parameters.clear();
        plan.files.clear();
        plan.notes.clear();
        plan.readings.clear();
        (plan.subject_count, plan.complexity) = (0, "simple");
        self.targets.clear();
        self.passed.clear();
        self.second = None;
        self.read_as(match own.first() {
            OfChange::Breaks | OfChange::Affected | OfChange::Users => QuestionIntent::Impact,
            OfChange::Tests | OfChange::Untested => QuestionIntent::Tests,
            OfChange::Changed => QuestionIntent::Changes,
        })
    }

    /// The classes and modules among whose contents a question for definitions looks; `None` where files or nothing
    /// say where.
    pub fn owners(&self) -> Option<Vec<&Target>> {
        if let Some(set) = &self.set {
            // The other names of such a question are those of its conditions.
            return (!set.owners.is_empty()).then(|| set.owners.iter().collect());
        }
        let is_owner = |target: &&Target| matches!(target.main().record.kind, EntityKind::Class | EntityKind::Module);
        let paths: Vec<&String> = self.plan.files.iter().flat_map(|file| &file.paths).collect();
        // `the tests of C in a.py`: the file says which class is meant.
        let is_placed = |target: &&Target| {
            let main = target.main();
            paths.is_empty() || main.record.kind == EntityKind::Class && paths.contains(&&main.path)
        };
        let owners: Vec<&Target> = self.targets.iter().filter(is_owner).filter(is_placed).collect();
        (!owners.is_empty()).then_some(owners)
    }

    /// The files that limit the places, in words behind a blank: ` outside of a.py`.
    pub fn limited_to(&self) -> String {
        let worded = |files: &[PlannedFile], word: &str| match files {
            [] => String::new(),
            files => {
                let names: Vec<&str> = files.iter().map(|file| file.mention.trim_end_matches('/')).collect();
                format!(" {word} {}", names.join(" and "))
            }
        };
        worded(&self.plan.files, "in") + &worded(&self.plan.outside, "outside of")
    }

    /// Whether a path lies in a file or folder that the question leaves out.
    pub fn leaves_out(&self, path: &str) -> bool {
        self.plan.outside.iter().any(|file| file.paths.iter().any(|left_out| left_out == path))
    }

    /// Whether the question asks which modules or files use something.
    pub fn asks_for_files(&self) -> bool {
        let is_asked = |pair: &[String]| {
            matches!(pair[0].as_str(), "which" | "what" | "many" | "all" | "list" | "other" | "every")
                && matches!(pair[1].as_str(), "module" | "modules" | "file" | "files")
        };
        self.words.windows(2).take(3).any(is_asked)
    }

    /// Whether the question is for a list: `which functions …`, or `functions that …` alone.
    pub fn asks_for_list(&self) -> bool {
        const HEADS: [&str; 8] = ["which", "what", "list", "show", "all", "every", "find", "how"];
        let first = self.words.first().map_or("", String::as_str);
        HEADS.contains(&first) || noun_of(first).is_some() || first == "globals" || self.asks_whether_any()
    }

    /// Whether the question asks if there is any definition of a kind: `are there any classes that …`.
    pub fn asks_whether_any(&self) -> bool {
        let begins: Vec<&str> = self.words.iter().take(2).map(String::as_str).collect();
        matches!(
            begins.as_slice(),
            ["is" | "are", "there" | "any" | "some"] | ["do" | "does", "any" | "anything" | "anyone" | "some"]
        )
    }

    /// Whether the question is for the number of files, all of them.
    pub fn counts_files(&self) -> bool {
        let filters = &self.plan.filters;
        let is_file = |word: &String| matches!(word.as_str(), "file" | "files");
        filters.noun == Some(Noun::Module) && filters.has("count") && self.words.iter().any(is_file)
    }

    /// Whether files are asked for, by their number or their size.
    pub fn lists_files(&self) -> bool {
        let filters = &self.plan.filters;
        let is_file = |word: &String| matches!(word.as_str(), "file" | "files");
        let has_size = filters.least_lines.or(filters.most_lines).is_some();
        self.counts_files() || filters.noun == Some(Noun::Module) && has_size && self.words.iter().any(is_file)
    }

    /// The question about all files with the names that it gives; `None` where each name has one file.
    pub fn in_every_file(&self) -> Option<Self> {
        let mut wider = self.clone();
        let files = wider.plan.files.iter_mut().filter(|file| !file.others.is_empty());
        let notes: Vec<String> = files
            .map(|file| {
                file.paths.append(&mut file.others);
                format!("`{}` is any of {}", file.mention, file.paths.join(", "))
            })
            .collect();
        wider.plan.notes.retain(|note| !note.contains("; also: "));
        let has_others = !notes.is_empty();
        wider.plan.notes.extend(notes);
        has_others.then_some(wider)
    }

    /// A word in small letters as the question spells it.
    pub fn as_spelled(&self, word: &str) -> String {
        let mut words = self.question.words.iter();
        words.find(|one| one.lower() == word).map_or_else(|| word.to_owned(), |one| one.text.clone())
    }

    /// The definitions that the question asks for, by conditions and place. A class holds only a part of its file.
    pub fn filter(&self) -> Filter {
        let mut filter = self.plan.filters.conditions();
        let (kinds, mark) = self.plan.filters.noun.unwrap_or(Noun::Definition).meaning();
        // A condition holds for a nested function as well, but it has no users who read its docstring or name.
        let is_for_users = ["undocumented", "documented", "public", "private"];
        let is_limited = self.plan.filters.is_any()
            && self.plan.filters.ranking().is_none()
            && !is_for_users.iter().any(|condition| self.plan.filters.has(condition));
        let mark = mark.filter(|mark| !is_limited || *mark != DefinitionMark::Outer);
        filter.kinds = kinds.to_vec();
        // A decorator can make a function a property.
        let is_decorated = self.plan.filters.decorator.is_some() && !self.plan.filters.denied.contains(&"decorator");
        if is_decorated && filter.kinds.contains(&EntityKind::Method) && !filter.kinds.contains(&EntityKind::Property) {
            filter.kinds.push(EntityKind::Property);
        }
        let is_inner = [DefinitionMark::Inner, DefinitionMark::Local].iter().any(|mark| filter.marks.contains(mark));
        let mark = mark.filter(|mark| !is_inner || *mark != DefinitionMark::Outer);
        filter.marks.extend(mark.filter(|mark| !filter.marks.contains(mark)));
        filter.paths = match self.owners() {
            // A package holds the modules below it.
            Some(owners) => {
                let path = |owner: &&Target| owner.main().path.trim_end_matches("/__init__.py").to_owned();
                owners.iter().map(path).collect()
            }
            None => self.plan.files.iter().flat_map(PlannedFile::patterns).collect(),
        };
        filter.paths.dedup();
        // Tests and fixtures are no program, yet wherever they stand they are meant.
        let is_anywhere = matches!(self.plan.filters.noun, Some(Noun::Fixture | Noun::Test)) || self.counts_files();
        if filter.is_in_tests.is_none() && filter.paths.is_empty() && !is_anywhere {
            filter.is_in_tests = Some(false);
        }
        filter
    }
}

/// Additions of the caller to the question.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The user's folder, relative to the root.
    pub folder: String,
    /// Subjects besides the named ones: a selected place, or the subjects of the previous question.
    pub about: Vec<Target>,
    /// The definitions that `which of them` chooses from.
    pub listed: Vec<Entity>,
    /// The turns before the question, for `what about total?`.
    pub conversation: Conversation,
    /// `about` always counts; otherwise only if the question says `it` or the like and names nothing.
    pub is_selected: bool,
}

/// A plan with the names of a question, before its intent is known.
pub(super) fn assemble(text: &str, named: &QuestionNames) -> Understood {
    let mut plan = QuestionPlan {
        schema: "repoidx.plan",
        schema_version: 1,
        question: text.to_owned(),
        words: Vec::new(),
        intent: QuestionIntent::Explain,
        task: Task::Ask,
        complexity: "simple",
        subject_count: 0,
        model_verdict: None,
        scope: "general",
        subjects: Vec::new(),
        unknown: Vec::new(),
        parameters: named.parameters.clone(),
        files: Vec::new(),
        outside: Vec::new(),
        lines: Vec::new(),
        polarity: Polarity::Open,
        filters: Filters::default(),
        literals: Vec::new(),
        frames: Vec::new(),
        change: None,
        direction: None,
        readings: Vec::new(),
        notes: Vec::new(),
        topic: None,
        goes_on: None,
    };
    let (mut targets, mut passed) = (Vec::new(), Vec::new());
    plan.notes.extend(named.guessed.iter().cloned());
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
                    plan.notes.push(taken_for(&mention.text, target));
                }
                let name = &target.main().record.name;
                let last = mention.text.rsplit('.').next().unwrap_or(&mention.text);
                if how == NameMatch::Underscores && name != last {
                    plan.notes.push(format!("`{last}` is read as `{name}`"));
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
                if how == NameMatch::Slip {
                    plan.notes.push(taken_for(&mention.text, &several[0]));
                }
                plan.notes.push(format!("`{}` is {}", mention.text, names.join(" and ")));
                for target in several {
                    plan.subjects.push(subject(&mention.text, target, how, mention.container.as_ref()));
                    targets.push(target.clone());
                }
            }
        }
    }
    plan.files = named.files.iter().map(PlannedFile::from).collect();
    Understood {
        plan,
        targets,
        passed,
        test_kind: None,
        verb: None,
        change: Change::Body,
        taken: Vec::new(),
        direction: UsageDirection::Incoming,
        is_move: false,
        exceptions: Vec::new(),
        handling: (false, false),
        argument: None,
        revision: None,
        question: ParsedQuestion::parse(text),
        words: Vec::new(),
        described: Vec::new(),
        further: Vec::new(),
        search: text.to_owned(),
        unused_in: None,
        degree: None,
        uncounted: None,
        set: None,
        is_of_family: false,
        is_of_world: false,
        own: None,
        added: None,
        lost_list: None,
        said: None,
        is_subject_lost: false,
        reverse: None,
        second: None,
    }
}

/// The subject that a mention means.
pub fn subject(mention: &str, target: &Target, matched: NameMatch, container: Option<&Target>) -> Subject {
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
pub(super) fn finish(store: &Store, understood: &mut Understood) -> Result<(), StoreError> {
    let plan = &mut understood.plan;
    // One name with two candidates is one subject.
    let names = plan.subjects.iter().map(|subject| &subject.mention).collect::<BTreeSet<_>>().len();
    plan.subject_count = names;
    plan.complexity = if names > 1 { "complex" } else { "simple" };
    for parameter in plan.parameters.clone() {
        let (mut is_taken, mut is_asked) = (understood.targets.is_empty(), false);
        for target in &understood.targets {
            is_taken |= has_value(store, target, &parameter)?;
            // A further keyword, whose calls are the answer.
            let is_argument = understood.argument.as_ref().is_some_and(|argument| argument.name == parameter);
            is_asked |= is_argument && takes_any_keyword(store, target)?;
        }
        if is_taken {
            understood.taken.push(parameter);
        } else if !is_asked {
            plan.notes.push(format!("no named definition has a parameter `{parameter}`"));
        }
    }
    // These change one parameter; of none that is taken, the whole signature changes.
    if understood.taken.is_empty() && matches!(understood.change, Change::Require | Change::KeywordOnly) {
        understood.change = Change::Signature;
    }
    for line in plan.lines.iter().filter(|line| line.places.is_empty()) {
        plan.notes.push(format!("the line `{}` was not found", line.text));
    }
    for file in plan.files.iter().filter(|file| file.paths.is_empty()) {
        if file.documents(store)?.is_empty() {
            plan.notes.push(format!("no indexed file is called `{}`", file.mention));
        } else if plan.intent != QuestionIntent::Files {
            plan.notes.push(format!("`{}` is a document, which defines nothing", file.mention));
        }
    }
    Ok(())
}
