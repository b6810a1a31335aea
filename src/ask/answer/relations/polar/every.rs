//! Yes or no to whether all definitions of a kind meet a condition: `is everything in a.py used`, `do all subclasses of
//! C define m`.
//!
//! The condition has to be understood: a list of those that it says nothing of would be no answer.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            relations::{
                having::found_member,
                polar::{definition_of, first_of},
            },
            select, short_name,
        },
        reading::{
            filters::Noun,
            forms::{Polarity, QuestionIntent, patterns::is_negation},
            plan::{PlannedFile, Understood},
            words::is_stop_word,
        },
    },
    model::EntityKind,
    query::{
        impact::{
            completeness::{Boundary, Completeness},
            selection::reader_of,
        },
        navigate::tree::{TreeKind, tree},
        target::{
            Target,
            filter::{DefinitionMark, Filter, ListOrder},
            lineage,
        },
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Words of a condition that is quoted.
const QUOTED: usize = 5;

/// The condition that all have to meet.
enum AskedCondition {
    Used,
    /// Conditions of a filter.
    Stated(Box<Filter>),
    /// They derive from this class.
    Derives(Target),
    /// They have a member of this name, of their own or from a base.
    Member(String),
    /// They define such a member themselves.
    Defines(String),
    NotUnderstood(String),
}

/// Answers whether all definitions of a kind meet a condition; `None` for other questions.
pub(in crate::ask::answer) fn every(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let is_asked = matches!(
        words.as_slice(),
        ["is" | "does" | "has", "everything" | "every" | "each", _, ..] | ["are" | "do" | "have", "all", _, ..]
    );
    // Coverage has an answer of its own, and pronouns stand for an earlier one.
    let is_elsewhere = |word: &&str| {
        matches!(*word, "tested" | "covered" | "exercised" | "reached" | "them" | "these" | "those" | "they")
            || matches!(*word, "test" | "tests") && words.last() == Some(word)
    };
    if !is_asked || words.iter().any(is_elsewhere) || understood.plan.polarity == Polarity::Safe {
        return Ok(None);
    }
    // `are all widgets documented`, and nothing is called so.
    if docstrings(&words).is_some() && !understood.plan.unknown.is_empty() {
        return Ok(None);
    }
    let Some((noun, place, all)) = universe(reading, understood, &words)? else { return Ok(None) };
    let condition = docstrings(&words).unwrap_or_else(|| condition(understood, &words));
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, String::new());
    answer.command = understood.plan.ask_command();
    let things = format!("{}{place}", count(all.len(), noun));
    if let AskedCondition::NotUnderstood(said) = &condition {
        answer.headline =
            format!("whether this holds for {things} is not known: the condition `{said}` is not understood");
        answer.list(format!("{} ({})", plural(noun), all.len()), all.iter().map(ListRow::of).collect());
        return Ok(Some(answer));
    }
    let base = if let AskedCondition::Derives(base) = &condition { Some(base.main().id) } else { None };
    let all: Vec<Entity> = all.into_iter().filter(|entity| Some(entity.id) != base).collect();
    let things = format!("{}{place}", count(all.len(), noun));
    let (mut fitting, mut failing) = (Vec::new(), Vec::new());
    let filter = match &condition {
        AskedCondition::Used => Filter { has_uses: Some(true), ..Filter::default() },
        AskedCondition::Stated(filter) => filter.as_ref().clone(),
        _ => Filter::default(),
    };
    let reader = reader_of(reading.store, &filter)?;
    for entity in all {
        let fits = match &condition {
            AskedCondition::Used | AskedCondition::Stated(_) => reader.accepts(&filter, &entity)?,
            AskedCondition::Derives(base) => lineage(reading.store, entity.id)?.contains(&base.main().id),
            AskedCondition::Member(name) => found_member(reading.store, &entity, name)?.is_some(),
            AskedCondition::Defines(name) => own_members(reading.store, std::slice::from_ref(&entity), name)? > 0,
            AskedCondition::NotUnderstood(_) => false,
        };
        if fits { fitting.push(entity) } else { failing.push(entity) }
    }
    // Of one that meets it, of one that does not, and of several that do not.
    let (holds, lacks, lack) = match &condition {
        AskedCondition::Used => ("is used".to_owned(), "is not used".to_owned(), "are not used".to_owned()),
        AskedCondition::Stated(filter) if docstrings(&words).is_some() => {
            let (has, no) = ("a docstring", "no docstring");
            let (has, no) = if filter.has_docstring == Some(true) { (has, no) } else { (no, has) };
            (format!("has {has}"), format!("has {no}"), format!("have {no}"))
        }
        AskedCondition::Stated(filter) => {
            let words = filter.words();
            (format!("fits ({words})"), format!("does not fit ({words})"), format!("do not fit ({words})"))
        }
        AskedCondition::Derives(base) => {
            let from = format!("from `{}`", base.main().full_name());
            (format!("derives {from}"), format!("does not derive {from}"), format!("do not derive {from}"))
        }
        AskedCondition::Member(name) => {
            (format!("has a member `{name}`"), format!("has no member `{name}`"), format!("have no member `{name}`"))
        }
        AskedCondition::Defines(name) => (
            format!("defines `{name}` itself"),
            format!("does not define `{name}` itself"),
            format!("do not define `{name}` themselves"),
        ),
        AskedCondition::NotUnderstood(_) => Default::default(),
    };
    let named = first_of(failing.iter().map(|entity| format!("`{}`", short_name(entity))));
    answer.headline = match (fitting.len(), failing.len()) {
        (0, 0) => format!("there are no {}{place}, so this says nothing", plural(noun)),
        (_, 0) => format!("yes: each of {things} {holds}"),
        (_, fails) => {
            let lacks = if fails == 1 { lacks } else { lack };
            format!("no: {fails} of {things} {lacks}: {named}")
        }
    };
    if let AskedCondition::Member(name) = &condition {
        let own = own_members(reading.store, &fitting, name)?;
        answer.headline +=
            &format!("; {} of its own", if own == 1 { "1 has one".to_owned() } else { format!("{own} have one") });
    }
    if matches!(condition, AskedCondition::Used) {
        let message = "a framework, an entry point or another repository may use the others all the same".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("outside", failing.len(), message)]);
    }
    answer.list(
        format!("{} that do not fit ({})", plural(noun), failing.len()),
        failing.iter().map(ListRow::of).collect(),
    );
    answer.list(format!("{} that fit ({})", plural(noun), fitting.len()), fitting.iter().map(ListRow::of).collect());
    Ok(Some(answer))
}

/// How many classes define a member themselves.
fn own_members(store: &Store, classes: &[Entity], name: &str) -> Result<usize, StoreError> {
    let mut own = 0;
    for class in classes {
        own += usize::from(store.children(class.id)?.iter().any(|member| member.record.name == name));
    }
    Ok(own)
}

/// The noun, the place in words behind a blank, and the definitions that a question speaks of.
fn universe(
    reading: AnswerInputs,
    understood: &Understood,
    words: &[&str],
) -> Result<Option<(&'static str, String, Vec<Entity>)>, StoreError> {
    let store = reading.store;
    let is_class = |target: &&Target| target.main().record.kind == EntityKind::Class;
    let heirs = words.iter().position(|word| matches!(*word, "subclass" | "subclasses" | "heirs" | "descendants"));
    if let Some(at) = heirs.filter(|at| *at < 4 && words.get(at + 1) == Some(&"of")) {
        // The class may only tell which member is meant, and then is no subject.
        let lower = words.get(at + 2).copied().unwrap_or_default();
        let written = &understood.question.words;
        let Some(word) = written.iter().find(|word| word.lower() == lower) else { return Ok(None) };
        let base = definition_of(store, understood, &word.text)?;
        let Some(base) = &base.filter(|base| is_class(&base)) else { return Ok(None) };
        let mut all = Vec::new();
        for id in tree(store, base, TreeKind::Subclasses)?.entities() {
            all.extend(store.entity(id)?.filter(|class| class.id != base.main().id));
        }
        all.sort_by(|a, b| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
        return Ok(Some(("class", format!(" below `{}`", base.main().full_name()), all)));
    }
    let noun = if words[1] == "everything" {
        Noun::Definition
    } else {
        match understood.plan.filters.noun {
            Some(Noun::Module) if docstrings(words).is_some() => Noun::Module,
            Some(Noun::Test | Noun::Fixture | Noun::Module | Noun::Constant) | None => return Ok(None),
            Some(noun) => noun,
        }
    };
    let is_in = |at: usize| matches!(words[at], "in" | "of" | "inside" | "within");
    let is_placed = |mention: &str| {
        let mention = mention.to_lowercase();
        (1..words.len()).any(|at| words[at] == mention && (is_in(at - 1) || words[at - 1] == "the" && is_in(at - 2)))
    };
    let subjects = understood.plan.subjects.iter().zip(&understood.targets);
    let owners: Vec<&Target> = subjects
        .filter(|(subject, target)| {
            let is_owner = matches!(target.main().record.kind, EntityKind::Class | EntityKind::Module);
            is_owner && is_placed(&subject.mention)
        })
        .map(|(_, target)| target)
        .collect();
    let files: Vec<&PlannedFile> = understood.plan.files.iter().filter(|file| !file.paths.is_empty()).collect();
    let is_nowhere = owners.is_empty() && files.is_empty();
    if words[1] == "everything" && is_nowhere || !understood.plan.files.is_empty() && files.is_empty() {
        return Ok(None);
    }
    let (kinds, mark) = noun.meaning();
    let is_of_classes = !owners.is_empty() && owners.iter().all(is_class);
    let kinds = kinds.iter().copied().filter(|kind| !(is_of_classes && *kind == EntityKind::Function));
    let paths = files.iter().flat_map(|file| file.patterns()).collect();
    let is_in_tests = understood.plan.filters.in_tests().or_else(|| is_nowhere.then_some(false));
    // `are all public classes documented`: where another condition is asked for, these say which definitions are meant.
    let stated = match docstrings(words) {
        Some(_) => Filter { has_docstring: None, is_in_tests: None, ..understood.plan.filters.conditions() },
        None => Filter::default(),
    };
    let conditions = stated.words();
    // A nested function has no users who read its docstring.
    let is_meant = |mark: &DefinitionMark| docstrings(words).is_some() || *mark != DefinitionMark::Outer;
    let mut filter = Filter { kinds: kinds.collect(), paths, is_in_tests, ..stated };
    filter.marks.extend(mark.into_iter().filter(is_meant));
    let reader = reader_of(store, &filter)?;
    let mut all: Vec<Entity> =
        reader.sorted(&filter, ListOrder::Place)?.into_iter().map(|(_, entity)| entity).collect();
    all.retain(|entity| owners.is_empty() || owners.iter().any(|owner| select::holds(owner.main(), entity)));
    all.retain(|entity| !understood.leaves_out(&entity.path) && !select::is_configuration(entity));
    let place = match (owners.as_slice(), files.as_slice()) {
        ([], []) => " outside of tests".to_owned(),
        ([], files) => {
            let paths: Vec<&str> = files
                .iter()
                .map(|file| match file.paths.as_slice() {
                    [path] => path.as_str(),
                    _ => file.mention.as_str(),
                })
                .collect();
            format!(" in {}", paths.join(" and "))
        }
        (owners, _) => {
            let names: Vec<String> = owners.iter().map(|owner| format!("`{}`", owner.main().full_name())).collect();
            format!(" of {}", names.join(" and "))
        }
    };
    let place = if conditions.is_empty() { place } else { format!(" ({conditions}){place}") };
    Ok(Some((noun.worded(), place, all)))
}

/// Whether all have to have a docstring, or none may have one: `are all classes documented`.
fn docstrings(words: &[&str]) -> Option<AskedCondition> {
    let is_asked = matches!(words.last(), Some(&("documented" | "undocumented" | "docstring" | "docstrings")));
    let is_denied =
        words.last() == Some(&"undocumented") || words.iter().any(|word| is_negation(word) || *word == "no");
    let filter = Filter { has_docstring: Some(!is_denied), ..Filter::default() };
    is_asked.then(|| AskedCondition::Stated(Box::new(filter)))
}

/// The condition at the end of the question.
fn condition(understood: &Understood, words: &[&str]) -> AskedCondition {
    let quoted = || {
        let start = words.len().saturating_sub(QUOTED).max(2);
        AskedCondition::NotUnderstood(words[start..].join(" "))
    };
    let plan = &understood.plan;
    let is_deriving = |word: &&str| {
        ["deriv", "inherit", "descend", "extend"].iter().any(|head| word.starts_with(head))
            || matches!(*word, "subclass")
    };
    if let Some(at) = words.iter().position(is_deriving) {
        let last = words.last().copied().unwrap_or_default();
        let mut subjects = plan.subjects.iter().zip(&understood.targets);
        let base = subjects.find(|(subject, _)| subject.mention.to_lowercase() == last);
        let is_denied = words[..at].iter().any(|word| is_negation(word));
        if let Some((_, base)) = base.filter(|_| !is_denied) {
            return AskedCondition::Derives(base.clone());
        }
    }
    let is_denied = words.iter().any(|word| is_negation(word));
    let ends = matches!(words.last(), Some(&("used" | "called" | "referenced" | "needed" | "anywhere" | "somewhere")));
    let verb = words.iter().rposition(|word| matches!(*word, "used" | "called" | "referenced" | "needed"));
    if verb.is_some_and(|at| at + 2 >= words.len()) && ends && !is_denied {
        return AskedCondition::Used;
    }
    let stated = Filter { is_in_tests: None, ..plan.filters.conditions() };
    if !stated.is_empty() && understood.further.is_empty() && understood.described.is_empty() {
        return AskedCondition::Stated(Box::new(stated));
    }
    let has = words.iter().rposition(|word| {
        matches!(*word, "have" | "has" | "define" | "defines" | "implement" | "implements" | "override" | "overrides")
    });
    if let Some(at) = has.filter(|at| *at > 1 && !is_denied) {
        let is_around = |word: &&&str| matches!(**word, "a" | "an" | "the" | "method" | "attribute" | "member");
        let rest: Vec<&&str> = words[at + 1..].iter().filter(|word| !is_around(word)).collect();
        if let [name] = rest.as_slice() {
            let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !is_stop_word(name);
            if is_name {
                let name = (**name).to_owned();
                let has = matches!(words[at], "have" | "has");
                return if has { AskedCondition::Member(name) } else { AskedCondition::Defines(name) };
            }
        }
    }
    quoted()
}
