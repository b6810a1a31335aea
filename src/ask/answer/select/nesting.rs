//! Definitions by what is defined inside them, those inside of one, and the overloads of one definition.

use super::{place, variables::variables, within};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::{filters::Noun, forms::QuestionIntent, plan::Understood, relations::noun_of, words::is_in},
    },
    model::{EntityFlags, EntityKind},
    query::{
        target::{
            Target,
            filter::{DefinitionMark, Filter, FilterReader},
        },
        words::{count, plural},
    },
    store::{error::StoreError, read::Entity},
};

/// Words before the place in a question for what is defined inside of something.
const OF_NESTED: &str = "a all any are be class classes count declared define defined definitions do does exist find \
     function functions give have how inner is list local located many me method methods nested of show stand that the \
     there what which";

/// Lists what is defined inside one definition, `which functions are defined inside f`, and the definitions inside any
/// method or test, `classes defined inside methods`; `None` for other questions.
pub(in crate::ask::answer) fn nested(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    if let Some(answer) = variables(reading, understood, &words)? {
        return Ok(Some(answer));
    }
    if let Some(answer) = nested_of(reading, understood, &words)? {
        return Ok(Some(answer));
    }
    let Some(at) = words.iter().position(|word| matches!(word.as_str(), "in" | "inside" | "within")) else {
        return Ok(None);
    };
    let head = &words[..at];
    let said = |word: &&String| !matches!(word.as_str(), "of" | "the" | "a" | "an" | "any" | "all" | "some" | "other");
    let tail: Vec<&str> = words[at + 1..].iter().filter(said).map(String::as_str).collect();
    let is_stated = words[at] != "in" || head.last().is_some_and(|word| is_in("declared defined nested", word));
    if head.is_empty() || !head.iter().all(|word| is_in(OF_NESTED, word)) || !understood.plan.files.is_empty() {
        return Ok(None);
    }
    let kinds: &[EntityKind] = match head.iter().find_map(|word| noun_of(word)) {
        Some(Noun::Class) => &[EntityKind::Class],
        Some(Noun::Function) => &[EntityKind::Function],
        Some(Noun::Method) => &[EntityKind::Method, EntityKind::Property],
        None if head.iter().any(|word| is_in("defined declared definitions nested", word)) => {
            &[EntityKind::Class, EntityKind::Function]
        }
        _ => return Ok(None),
    };
    let noun = match kinds {
        [EntityKind::Class] => "class",
        [EntityKind::Function] => "function",
        [_, EntityKind::Property] => "method",
        _ => "definition",
    };
    let name = match tail.as_slice() {
        [name] | ["function" | "method", name] | [name, "function" | "method"] => *name,
        _ => "",
    };
    let is_named = understood.plan.subjects.iter().all(|subject| subject.mention.to_lowercase() == name);
    let is_callable = |target: &Target| target.main().record.kind.is_callable();
    if !understood.targets.is_empty() && is_named && understood.targets.iter().all(is_callable) {
        return inside_of(reading, understood, kinds, noun).map(Some);
    }
    let is_test = tail.first().is_some_and(|word| matches!(*word, "test" | "tests"));
    let is_around: fn(&Entity) -> bool = match tail.as_slice() {
        ["method" | "methods"] => |outer| outer.record.kind == EntityKind::Method,
        ["class" | "classes"] if kinds == [EntityKind::Class] => |outer| outer.record.kind == EntityKind::Class,
        ["test", "function" | "functions" | "method" | "methods"] | ["test" | "tests"] => {
            |outer| outer.record.flags.has(EntityFlags::TEST)
        }
        _ => return Ok(None),
    };
    if !is_stated || !understood.targets.is_empty() {
        return Ok(None);
    }
    let asked = understood.filter();
    let is_in_tests = if is_test { Some(true) } else { asked.is_in_tests };
    let filter = Filter { kinds: kinds.to_vec(), paths: asked.paths, is_in_tests, ..Filter::default() };
    let mut rows = Vec::new();
    let is_in_class = matches!(tail.as_slice(), ["class" | "classes"]);
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        // A class inside of a method is none inside of its class.
        let parent = if is_in_class { reading.store.entity(entity.parent)? } else { None };
        if parent.is_none_or(|parent| is_around(&parent)) && has_around(reading, &entity, is_around)? {
            rows.push(ListRow::of(&entity));
        }
    }
    let (place, around) = (place(understood, &filter), tail.join(" "));
    let headline = match rows.len() {
        0 => format!("none: no {noun} {place} is defined inside {around}"),
        all => format!("{} {place} (defined inside {around})", count(all, noun)),
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Select).plan, headline);
    answer.command = understood.plan.ask_command();
    answer.list(format!("{} that fit ({})", plural(noun), rows.len()), rows);
    Ok(Some(answer))
}

/// Lists the nested functions or classes of the named definitions: `which nested functions does the class C have`.
fn nested_of(reading: AnswerInputs, understood: &Understood, words: &[String]) -> Result<Option<Answer>, StoreError> {
    const AROUND: &str = "all any are class defined do does function have how in inside is list many method module of show the there \
         what which";
    let Some(at) = words.iter().position(|word| is_in("inner nested", word)) else { return Ok(None) };
    let (kinds, noun): (&[EntityKind], _) = match words.get(at + 1).map(String::as_str) {
        Some("class" | "classes") => (&[EntityKind::Class], "class"),
        Some("function" | "functions") => (&[EntityKind::Function], "function"),
        _ => return Ok(None),
    };
    let is_mention = |word: &String| understood.plan.subjects.iter().any(|one| one.mention.to_lowercase() == *word);
    let is_said =
        |(place, word): (usize, &String)| place == at || place == at + 1 || is_in(AROUND, word) || is_mention(word);
    let has_own =
        |target: &Target| target.main().record.kind.is_callable() || target.main().record.kind == EntityKind::Class;
    let is_named = !understood.targets.is_empty() && understood.targets.iter().all(has_own);
    if !is_named || !words.iter().enumerate().all(is_said) {
        return Ok(None);
    }
    inside_of(reading, understood, kinds, noun).map(Some)
}

/// Whether a definition stands, at any depth, inside one of these.
fn has_around(reading: AnswerInputs, entity: &Entity, is_around: impl Fn(&Entity) -> bool) -> Result<bool, StoreError> {
    let (mut id, mut parent) = (entity.id, entity.parent);
    while parent != id
        && let Some(outer) = reading.store.entity(parent)?
    {
        if is_around(&outer) {
            return Ok(true);
        }
        (id, parent) = (outer.id, outer.parent);
    }
    Ok(false)
}

/// Lists the definitions of these kinds inside the named ones.
fn inside_of(
    reading: AnswerInputs,
    understood: &Understood,
    kinds: &[EntityKind],
    noun: &str,
) -> Result<Answer, StoreError> {
    let (mut rows, mut said) = (Vec::new(), Vec::new());
    for target in &understood.targets {
        let main = target.main();
        let below = format!("{}.", main.record.qualified);
        let mut inside = reading.store.entities_of(main.file)?;
        inside.retain(|one| one.record.qualified.starts_with(&below) && kinds.contains(&one.record.kind));
        let (name, place) = (main.full_name(), format!("{}:{}", main.path, main.record.start_line));
        said.push(match inside.len() {
            0 => format!("none: no {noun} is defined inside `{name}` ({place})"),
            all => {
                let names: Vec<String> = inside.iter().map(|one| format!("`{}`", one.record.name)).collect();
                let verb = if all == 1 { "is" } else { "are" };
                format!("{} {verb} defined inside `{name}` ({place}): {}", count(all, noun), names.join(", "))
            }
        });
        rows.extend(inside.iter().map(ListRow::of));
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Members).plan, said.join("; "));
    answer.command = format!("repoidx show {}", understood.targets[0].main().full_name());
    for target in &understood.targets {
        answer.want(target.main(), "asked about", false);
    }
    answer.list(format!("{} inside ({})", plural(noun), rows.len()), rows);
    Ok(answer)
}

/// Lists the definitions that hold others: `which functions have inner functions`; `None` for other questions.
pub(super) fn around_others(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    const HOLDING: [&str; 9] =
        ["contain", "contains", "define", "defines", "defining", "has", "have", "having", "with"];
    let words = &understood.words;
    let is_nested = |word: &String| matches!(word.as_str(), "inner" | "local" | "nested");
    let Some(at) = words.iter().position(is_nested) else { return Ok(None) };
    let is_held = words[..at].iter().rev().take(2).any(|word| HOLDING.contains(&word.as_str()));
    let head = words[..at].iter().find_map(|word| noun_of(word));
    let held = words.get(at + 1).and_then(|word| match word.as_str() {
        "class" | "classes" => Some(&[EntityKind::Class][..]),
        "function" | "functions" | "method" | "methods" => Some(&[EntityKind::Function, EntityKind::Method][..]),
        _ => None,
    });
    let (Some(head), Some(kinds), true) = (head, held, is_held) else { return Ok(None) };
    let mut asked = understood.clone();
    asked.plan.filters.noun = Some(head);
    let of_held = [DefinitionMark::Inner.as_str(), DefinitionMark::Local.as_str()];
    asked.plan.filters.marks.retain(|mark| !of_held.contains(mark));
    let mut filter = asked.filter();
    // A function inside of another one can hold a third.
    filter.marks.retain(|mark| *mark != DefinitionMark::Outer);
    let is_within = within(&asked);
    let mut rows = Vec::new();
    for entity in FilterReader::new(reading.store)?.fitting(&filter)? {
        let mut inside = if kinds.contains(&EntityKind::Class) || head == Noun::Class {
            // A class or function inside of a method stands in the class as well.
            let below = format!("{}.", entity.record.qualified);
            let mut below_it = reading.store.entities_of(entity.file)?;
            below_it.retain(|one| one.record.qualified.starts_with(&below));
            below_it
        } else {
            reading.store.children(entity.id)?
        };
        // The methods of a class are no nested functions.
        let is_own_method = |one: &Entity| head == Noun::Class && one.record.kind == EntityKind::Method;
        inside.retain(|one| kinds.contains(&one.record.kind) && !is_own_method(one));
        if !inside.is_empty() && is_within(&entity) {
            let names: Vec<&str> = inside.iter().map(|one| one.record.name.as_str()).collect();
            rows.push(ListRow::of(&entity).with(format!("defines {}", names.join(", "))));
        }
    }
    let (place, noun) = (place(&asked, &filter), head.worded());
    let things = words[at..=at + 1].join(" ");
    let headline = match rows.len() {
        0 => format!("none: no {noun} {place} defines {things}"),
        all => format!("{} {place} ({things} in {})", count(all, noun), if all == 1 { "it" } else { "them" }),
    };
    let mut answer = Answer::new(understood.plan.clone(), headline);
    answer.command = understood.plan.ask_command();
    answer.list(format!("{} that fit ({})", plural(noun), rows.len()), rows);
    Ok(Some(answer))
}

/// Lists the overloads of the definitions that a question names; `None` where it names none.
pub(super) fn overloads_of(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let may_have = |kind: EntityKind| kind.is_callable() || kind == EntityKind::Variable;
    let filters = &understood.plan.filters;
    let is_asked = filters.marks.contains(&DefinitionMark::Overload.as_str())
        && !understood.targets.is_empty()
        && understood.targets.iter().all(|target| may_have(target.main().record.kind));
    if !is_asked {
        return Ok(None);
    }
    let (mut rows, mut said) = (Vec::new(), Vec::new());
    for target in &understood.targets {
        let main = target.main();
        let found = overloads(reading, main)?;
        let name = main.full_name();
        let stub = found.first().filter(|first| first.file != main.file);
        let stub = stub.map_or_else(String::new, |first| format!(" in its stub {}", first.path));
        said.push(match found.len() {
            0 => format!("none: `{name}` has no overloads ({}:{})", main.path, main.record.start_line),
            all => format!("`{name}` has {}{stub}", count(all, "overload")),
        });
        rows.extend(found.iter().map(ListRow::of));
    }
    let mut answer = Answer::new(understood.plan.clone(), said.join("; "));
    answer.command = understood.plan.ask_command();
    answer.list(format!("overloads ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// The overloads of a definition: beside it, or in the stub of its folder.
fn overloads(reading: AnswerInputs, main: &Entity) -> Result<Vec<Entity>, StoreError> {
    let reader = FilterReader::new(reading.store)?;
    let overload = Filter { marks: vec![DefinitionMark::Overload], ..Filter::default() };
    let mut found = Vec::new();
    for one in reading.store.children(main.parent)? {
        if one.record.qualified == main.record.qualified && reader.accepts(&overload, &one)? {
            found.push(one);
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    // `ib = attrib` is another name.
    let line = reading.sources.line(&main.path, main.record.start_line).unwrap_or_default();
    let value = line.rsplit('=').next().map(str::trim).filter(|_| main.record.kind == EntityKind::Variable);
    let name = value.unwrap_or(&main.record.qualified).to_owned();
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    for one in reading.store.entities_named(name.rsplit('.').next().unwrap_or(&name), false)? {
        let is_stub = one.path.ends_with(".pyi") && folder(&one.path) == folder(&main.path);
        let is_it = one.record.qualified == name && (is_stub || one.file == main.file);
        if is_it && reader.accepts(&overload, &one)? {
            found.push(one);
        }
    }
    Ok(found)
}

/// Tells classes of tests: those that hold or inherit a test.
pub(in crate::ask::answer) fn holds_tests(reading: AnswerInputs, class: &Entity) -> Result<bool, StoreError> {
    let reader = FilterReader::new(reading.store)?;
    let test = Filter { marks: vec![DefinitionMark::Test], ..Filter::default() };
    let above = crate::query::target::lineage(reading.store, class.id)?;
    for owner in [class.id].into_iter().chain(above) {
        for one in reading.store.children(owner)? {
            if one.record.kind.is_callable() && reader.accepts(&test, &one)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
