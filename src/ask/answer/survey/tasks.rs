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
            first_in_words,
            relations::users,
            short_name,
            survey::{contents, modules},
        },
        reading::{
            forms::{QuestionIntent, Task, patterns::captured},
            names::{NameMatch, meanings},
            plan::{PlannedFile, Subject, Understood, subject},
            words::is_in,
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

/// Wordings of such questions; `A..` is what they are about.
const FORMS: [(&str, Task); 17] = [
    ("document A..", Task::Doc),
    (
        "write/add/create/generate/draft/make/propose/suggest/improve/update/complete/extend/fix/need/want (me) (a/an/the/some/any) \
         (better/good/missing/new/proper/short/full/api) docs/documentation/docstring/docstrings/doc (string/strings) for/of/to/on/in A..",
        Task::Doc,
    ),
    ("add/write (missing) docs/documentation/docstring/docstrings A..", Task::Doc),
    ("review A..", Task::Review),
    ("code review A..", Task::Review),
    ("(do/make/give/perform/write/start) (me) (a/an/the) (code) review (of/for/on) A..", Task::Review),
    ("review (the) code of/in/from A..", Task::Review),
    (
        "suggest/propose/find/list/give/show/recommend (me) (some/any/possible) improvement/improvements for/to/of/in/on A..",
        Task::Smell,
    ),
    (
        "(what/which) improvements would/can/could/do/should (you/i/we) suggest/make/propose/recommend for/to/in A..",
        Task::Smell,
    ),
    ("how can/could/would/should/do/might i/we/you/one improve/refactor A..", Task::Smell),
    ("how can/could/should/would/might A.. be improved/refactored", Task::Smell),
    ("how to improve A..", Task::Smell),
    ("what can/could/should/would/might be improved in/about/on/at/with A..", Task::Smell),
    ("what can/could/should/would/might i/we/you/one improve in/about/on/at/with A..", Task::Smell),
    ("what is/are (there) to improve in/about/on/at A..", Task::Smell),
    ("improve A..", Task::Smell),
    ("suggest (how) (to) improve/improving A..", Task::Smell),
];
/// Words before the request.
const POLITE: &str = "can could you would please help me i want need to let's lets just";
/// Words that may stand beside the names.
const BESIDE: &str =
    "a an class code definition file folder for function in its method module of package source the this whole";
/// Definitions that a headline names, and those of the longest that are listed.
const MAX_NAMED: usize = 3;
const MAX_LONGEST: usize = 3;

/// Answers a request for documentation, a review or improvements; `None` for other questions.
pub(in crate::ask::answer) fn task(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    if understood.own.is_some() || understood.reverse.is_some() || understood.lost_list.is_some() {
        return Ok(None);
    }
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.trim_matches('`')).collect();
    let Some((task, about)) = asked(&words) else { return Ok(None) };
    let is_part = |mention: &str, word: &str| {
        let bare = |text: &str| text.trim_matches(['`', '/']).trim_end_matches("()").to_owned();
        mention.split_whitespace().any(|part| bare(part) == bare(word))
    };
    let is_about = |mention: &str| about.iter().any(|word| is_part(mention, word));
    let plan = &understood.plan;
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
    if !about.iter().all(is_read) {
        return Ok(None);
    }
    let mut asked = understood.clone().read_as(QuestionIntent::Explain);
    asked.plan.task = task;
    (asked.plan.subjects, asked.targets) = (subjects, targets);
    asked.plan.notes.retain(|note| !note.starts_with("read as"));
    if asked.targets.is_empty() {
        return of_files(reading, &mut asked, task);
    }
    let mut answer = explain(reading, &asked)?;
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

/// The task, and the words that say what it is about.
fn asked<'q>(words: &[&'q str]) -> Option<(Task, Vec<&'q str>)> {
    let is_polite = |word: &&&str| is_in(POLITE, &word.to_lowercase());
    let words = &words[words.iter().take_while(is_polite).count()..];
    let words = if words.last().is_some_and(|last| last.eq_ignore_ascii_case("please")) {
        &words[..words.len() - 1]
    } else {
        words
    };
    FORMS.iter().find_map(|(form, task)| {
        let about = captured(form, words)?.remove("A")?;
        // `review of a.py`: another line has the preposition.
        let is_named = about.iter().any(|word| !is_in(BESIDE, &word.to_lowercase()));
        is_named.then_some((*task, about))
    })
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
    let record = &target.implementation().record;
    let name = short_name(main);
    let at = place(&main.path, record.start_line, record.end_line);
    let documented = match (main.record.kind, main.record.doc.is_empty()) {
        (EntityKind::Variable, _) => "is assigned there",
        (_, true) => "has no docstring",
        (_, false) => "has a docstring",
    };
    let long = count(lines(main) as usize, "line");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_says_its_task_and_its_subject() {
        let read = |text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            asked(&words).map(|(task, about)| (task, about.join(" ")))
        };
        let doc = |about: &str| Some((Task::Doc, about.to_owned()));
        assert_eq!(read("write documentation for the Group class"), doc("the Group class"));
        assert_eq!(read("can you please document create_app"), doc("create_app"));
        assert_eq!(read("improve the docs of echo"), doc("echo"));
        assert_eq!(read("please review src/a.py"), Some((Task::Review, "src/a.py".to_owned())));
        assert_eq!(read("code review of a.py").map(|(task, _)| task), Some(Task::Review));
        assert_eq!(read("how could I improve src/a.py"), Some((Task::Smell, "src/a.py".to_owned())));
        assert_eq!(read("suggest improvements for auth.py"), Some((Task::Smell, "auth.py".to_owned())));
        assert_eq!(read("which document describes echo"), None);
    }
}
