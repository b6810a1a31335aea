//! Answers to those who ask for documentation, a review or improvements: `document Group`, `review src/a.py`,
//! `how could I improve echo`. The first line says what is missing; the material for the text itself follows.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow,
            changes::testing::existing_tests,
            coverage::reached,
            definitions::explain,
            facts::place,
            first_in_words, in_words,
            relations::users,
            short_name,
            survey::{contents, modules},
        },
        reading::{
            forms::{QuestionIntent, Task},
            names::{NameMatch, meanings},
            plan::{PlannedFile, Subject, Understood, subject},
            words::{is_in, requests::TaskRequest},
        },
    },
    model::EntityKind,
    query::{
        impact::completeness::Completeness,
        target::{
            Target, bases,
            filter::{DefinitionMark, Filter, FilterReader, lines},
            likeliest::{is_aside, likeliest},
        },
        words::{count, shell_word},
    },
    store::{error::StoreError, read::Entity},
};

/// Words that may stand beside the names.
const BESIDE: &str =
    "a an class code definition file folder for function in its method module of package source the this whole";
/// The beginning of an answer to those who look for faults.
const FAULTS: &str = "bugs are not looked for; known is";
/// Definitions that a headline names, and those of the longest that are listed.
const MAX_NAMED: usize = 3;
const MAX_LONGEST: usize = 3;
/// Words beside the task that may be left aside.
const MAX_UNREAD: usize = 3;

/// Answers a request for documentation, a review or improvements; `None` for other questions.
pub(in crate::ask::answer) fn task(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    if understood.own.is_some() || understood.reverse.is_some() || understood.lost_list.is_some() {
        return Ok(None);
    }
    let Some(TaskRequest { task, about, is_ordered, is_of_faults }) = request_of(understood) else { return Ok(None) };
    let plan = &understood.plan;
    let is_about = |mention: &str| about.iter().any(|word| is_part(mention, word));
    let subjects = plan.subjects.iter().zip(&understood.targets).filter(|(subject, _)| is_about(&subject.mention));
    let (subjects, targets): (Vec<_>, Vec<_>) =
        subjects.map(|(subject, target)| (subject.clone(), target.clone())).unzip();
    let names: Vec<&str> = about.iter().copied().filter(|word| !is_in(BESIDE, &word.to_lowercase())).collect();
    let (subjects, targets) = match names[..] {
        [name] if targets.is_empty() && plan.files.is_empty() => called(reading, name)?,
        _ => (subjects, targets),
    };
    let is_read = |word: &&str| {
        is_in(BESIDE, &word.to_lowercase())
            || subjects.iter().any(|subject| is_part(&subject.mention, word))
            || plan.files.iter().any(|file| is_part(&file.mention, word))
    };
    let unread: Vec<String> = about.iter().filter(|word| !is_read(word)).map(|word| format!("`{word}`")).collect();
    if !unread.is_empty() && (!is_ordered || unread.len() > MAX_UNREAD) || subjects.is_empty() && plan.files.is_empty()
    {
        return Ok(None);
    }
    let mut asked = understood.clone().read_as(QuestionIntent::Explain);
    asked.plan.task = task;
    asked.second = None;
    (asked.plan.subjects, asked.targets) = (subjects, targets);
    asked.plan.notes.retain(|note| !note.starts_with("read as"));
    let answer = if asked.targets.is_empty() {
        of_files(reading, &mut asked, task)?
    } else {
        of_definitions(reading, &asked, task, understood.plan.intent)?
    };
    Ok(answer.map(|mut answer| {
        if is_of_faults {
            answer.headline = format!("{FAULTS}: {}", answer.headline);
        }
        if !unread.is_empty() {
            let (are, them) = if unread.len() == 1 { ("is", "it") } else { ("are", "them") };
            answer.headline =
                format!("{} {are} not understood; without {them}: {}", in_words(&unread), answer.headline);
            answer.bound(Completeness::Unknown, Vec::new());
        }
        answer
    }))
}

/// The task that a question asks for, where it does.
pub(in crate::ask::answer) fn request_of(understood: &Understood) -> Option<TaskRequest<'_>> {
    let plan = &understood.plan;
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.trim_matches('`')).collect();
    let is_name = |word: &str| {
        plan.subjects.iter().any(|subject| is_part(&subject.mention, word))
            || plan.files.iter().any(|file| is_part(&file.mention, word))
    };
    TaskRequest::of(&words, &is_name)
}

/// Whether a word is one of those that name something.
fn is_part(mention: &str, word: &str) -> bool {
    let bare = |text: &str| text.trim_matches(['`', '/']).trim_end_matches("()").to_owned();
    mention.split_whitespace().any(|part| bare(part) == bare(word))
}

/// The answer about the definitions that a request names; `None` where their ordinary description is one.
fn of_definitions(
    reading: AnswerInputs,
    asked: &Understood,
    task: Task,
    intent: QuestionIntent,
) -> Result<Option<Answer>, StoreError> {
    use QuestionIntent as I;
    if task == Task::Explain {
        let is_described = matches!(intent, I::Explain | I::Show | I::Flow | I::Compare | I::Path | I::Members);
        return if is_described { Ok(None) } else { explain(reading, asked).map(Some) };
    }
    let mut answer = explain(reading, asked)?;
    let blocks = std::mem::take(&mut answer.blocks);
    let mut headlines = Vec::new();
    for target in &asked.targets {
        headlines.push(of_definition(reading, target, task, &mut answer)?);
    }
    answer.blocks.extend(blocks);
    answer.headline = headlines.join("; ");
    answer.command = format!("repoidx show {}", shell_word(&asked.targets[0].main().full_name()));
    Ok(Some(answer))
}

/// The definition of the program that a plain word names.
fn called(reading: AnswerInputs, name: &str) -> Result<(Vec<Subject>, Vec<Target>), StoreError> {
    let mut targets = meanings(reading.store, name, None, true, "")?.targets;
    targets.retain(|target| target.main().record.name == name && !is_aside(&target.main().path));
    let targets: Vec<Target> = likeliest(reading.store, name, targets)?.0.into_iter().take(1).collect();
    Ok((targets.iter().map(|target| subject(name, target, NameMatch::Exact, None)).collect(), targets))
}

/// The first line about a definition, and the lists that it counts.
fn of_definition(
    reading: AnswerInputs,
    target: &Target,
    task: Task,
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let store = reading.store;
    let main = target.main();
    // The lines and the docstring of an overloaded function are those of its implementation.
    let whole = target.implementation();
    let record = &whole.record;
    let name = short_name(main);
    let at = place(&main.path, record.start_line, record.end_line);
    let documented = match (main.record.kind, main.record.doc.is_empty() && record.doc.is_empty()) {
        (EntityKind::Variable, _) => "is assigned there",
        (_, true) => "has no docstring",
        (_, false) => "has a docstring",
    };
    let long = count(lines(whole) as usize, "line");
    let mut said = format!("`{name}` ({} at {at}, {long}) {documented}", main.record.kind);
    answer.list(format!("`{name}` itself"), vec![ListRow::of(main).with(main.record.doc.clone())]);
    let mut above = Vec::new();
    for base in bases(store, main.id)? {
        above.extend(store.entity(base)?);
    }
    answer.list(format!("bases of `{name}` ({})", above.len()), above.iter().map(ListRow::of).collect());
    if matches!(main.record.kind, EntityKind::Class | EntityKind::Module) {
        let inside = format!("{}.", main.record.qualified);
        let is_inside =
            |entity: &Entity| main.record.qualified.is_empty() || entity.record.qualified.starts_with(&inside);
        let found = Shortcomings::of(reading, vec![main.path.clone()], &is_inside)?;
        said += &format!("; {}", found.words(task));
        found.list(task, answer);
    }
    let places = users(reading, target)?.rows.len();
    let tests = existing_tests(reading, target)?.len();
    let tests = if tests == 0 {
        "no test uses it itself".to_owned()
    } else {
        format!("{} it itself", verb(tests, "test", "use"))
    };
    said += &format!("; it is used at {}, and {tests}", count(places, "place"));
    Ok(said)
}

/// `1 test uses`, `3 tests use`
fn verb(number: usize, noun: &str, verb: &str) -> String {
    format!("{} {verb}{}", count(number, noun), if number == 1 { "s" } else { "" })
}

/// The answer about the files that a request names.
fn of_files(reading: AnswerInputs, asked: &mut Understood, task: Task) -> Result<Option<Answer>, StoreError> {
    let patterns: Vec<String> = asked.plan.files.iter().flat_map(PlannedFile::patterns).collect();
    asked.targets = modules(reading.store, &asked.plan)?;
    if asked.targets.is_empty() {
        return Ok(None);
    }
    let mut answer = contents(reading, asked)?;
    if task == Task::Explain {
        answer.headline = described(reading, asked, &answer.headline)?;
        answer.command = format!("repoidx show {}", shell_word(&asked.plan.files[0].mention));
        return Ok(Some(answer));
    }
    let blocks: Vec<AnswerBlock> = std::mem::take(&mut answer.blocks);
    let found = Shortcomings::of(reading, patterns, &|_| true)?;
    let names: Vec<&str> = asked.plan.files.iter().map(|file| file.mention.as_str()).collect();
    let bare: Vec<Entity> =
        asked.targets.iter().map(Target::main).filter(|module| module.record.doc.is_empty()).cloned().collect();
    let of_module = match (bare.len(), asked.targets.len()) {
        (0, _) => String::new(),
        (1, 1) => "; the module itself has no docstring".to_owned(),
        (some, _) => format!("; {} {} no docstring", count(some, "module"), has(some)),
    };
    let of_module = if task == Task::Doc { of_module } else { String::new() };
    answer.headline = format!("{}: {}{of_module}", names.join(" and "), found.words(task));
    found.list(task, &mut answer);
    answer.blocks.extend(blocks);
    answer.bound(Completeness::LowerBound, Vec::new());
    answer.command = format!("repoidx show {}", shell_word(names[0]));
    Ok(Some(answer))
}

/// A file in one sentence: what its docstring says, and what it defines.
fn described(reading: AnswerInputs, asked: &Understood, said: &str) -> Result<String, StoreError> {
    let [module] = &asked.targets[..] else { return Ok(said.to_owned()) };
    let module = module.main();
    let entities = reading.store.entities_of(module.file)?;
    let is_top = |entity: &&Entity| entity.parent == module.id && entity.record.duplicate == 0;
    let of_kind = |kinds: &[EntityKind]| -> Vec<String> {
        let some = entities.iter().filter(is_top).filter(|entity| kinds.contains(&entity.record.kind));
        some.map(|entity| format!("`{}`", entity.record.name)).collect()
    };
    let mut parts = Vec::new();
    for (noun, kinds) in
        [("class", EntityKind::Class), ("function", EntityKind::Function), ("variable", EntityKind::Variable)]
    {
        let names = of_kind(&[kinds]);
        if !names.is_empty() {
            let number = count(names.len(), noun);
            parts.push(format!("{number} ({})", first_in_words(names.into_iter(), MAX_NAMED)));
        }
    }
    let doc = module.record.doc.split(". ").next().unwrap_or_default().trim_end_matches('.');
    // An underlined title names the module alone.
    let doc = if doc.contains("~~~") || doc.contains("===") { "its docstring begins with a title" } else { doc };
    let doc = if doc.is_empty() { "no docstring says what it is for".to_owned() } else { doc.to_owned() };
    let holds = if parts.is_empty() { "it defines nothing".to_owned() } else { format!("it has {}", in_words(&parts)) };
    Ok(format!("{}: {doc}; {holds}", module.path))
}

fn has(number: usize) -> &'static str {
    if number == 1 { "has" } else { "have" }
}

/// The things that some definitions lack.
struct Shortcomings {
    all: usize,
    public: usize,
    undocumented: Vec<Entity>,
    untested: Vec<Entity>,
    unused: Vec<Entity>,
    longest: Vec<Entity>,
}

impl Shortcomings {
    fn of(reading: AnswerInputs, paths: Vec<String>, is_asked: &dyn Fn(&Entity) -> bool) -> Result<Self, StoreError> {
        let kinds = vec![EntityKind::Class, EntityKind::Function, EntityKind::Method, EntityKind::Property];
        let fitting = FilterReader::new(reading.store)?;
        let every = Filter { kinds, paths, marks: vec![DefinitionMark::Outer], ..Filter::default() };
        let marks = vec![DefinitionMark::Outer, DefinitionMark::Public];
        let public = Filter { marks, ..every.clone() };
        let those = |filter: &Filter| -> Result<Vec<Entity>, StoreError> {
            let mut found = fitting.fitting(filter)?;
            found.retain(is_asked);
            Ok(found)
        };
        let all = those(&every)?;
        // A class stands for its methods: they are longest, and tests reach them.
        let mut code: Vec<Entity> =
            all.iter().filter(|entity| entity.record.kind != EntityKind::Class).cloned().collect();
        let (sure, open) = reached(reading)?;
        let ids: BTreeSet<_> = sure.union(&open).copied().collect();
        let untested = code.iter().filter(|entity| !ids.contains(&entity.id)).cloned().collect();
        code.sort_by_key(|entity| std::cmp::Reverse(lines(entity)));
        code.truncate(MAX_LONGEST);
        Ok(Self {
            all: all.len(),
            public: those(&public)?.len(),
            undocumented: those(&Filter { has_docstring: Some(false), ..public })?,
            untested,
            unused: those(&Filter { has_uses: Some(false), ..every })?,
            longest: code,
        })
    }

    /// The findings as a part of the first line.
    fn words(&self, task: Task) -> String {
        let name = |entity: &Entity| format!("`{}`", short_name(entity));
        let named = |some: &[Entity]| first_in_words(some.iter().map(name).collect::<Vec<_>>().into_iter(), MAX_NAMED);
        let bare = self.undocumented.len();
        if task == Task::Doc {
            return match (bare, self.public) {
                (_, 0) => format!("none of {} is public", count(self.all, "definition")),
                (0, all) => format!("{all} of {} {} a docstring", count(all, "public definition"), has(all)),
                (some, all) => format!(
                    "{some} of {} {} no docstring: {}",
                    count(all, "public definition"),
                    has(some),
                    named(&self.undocumented)
                ),
            };
        }
        let longest = self.longest.first().map_or(String::new(), |entity| {
            format!("; longest: {} with {}", name(entity), count(lines(entity) as usize, "line"))
        });
        format!(
            "{}; public without a docstring: {bare}; not known to be reached by a test: {}; without a known use: {}{longest}",
            count(self.all, "definition"),
            self.untested.len(),
            self.unused.len()
        )
    }

    fn list(&self, task: Task, answer: &mut Answer) {
        let rows = |some: &[Entity]| some.iter().map(ListRow::of).collect::<Vec<_>>();
        let mut add = |title: &str, some: &[Entity]| answer.list(format!("{title} ({})", some.len()), rows(some));
        add("public, without a docstring", &self.undocumented);
        if task != Task::Doc {
            add("not known to be reached by a test", &self.untested);
            add("without a known use", &self.unused);
        }
        add("longest", &self.longest);
    }
}
