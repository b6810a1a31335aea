//! The remarks on a list of definitions: parts of it, what it does not count, and what limits it.

#![expect(clippy::unnecessary_wraps, reason = "stand in a table of functions that may fail")]

pub(super) mod deprecation;

use std::collections::BTreeSet;

use super::{choice::ChosenDefinitions, place, within};
use crate::{
    ask::{
        answer::{Answer, ListRow, relations::degree::classes_with_unknown_bases},
        reading::{filters::Noun, forms::degrees::Degree},
    },
    model::{EntityId, EntityKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::outside::heirs_of_outside,
        target::{
            Target,
            filter::{Abstractness, DefinitionMark, Filter, has_some_annotation, is_annotated, tells},
            likeliest::is_aside,
            lineage,
        },
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Classes that a sentence names.
const MAX_NAMED: usize = 4;

/// Adds to the headline, the lists and the limits of an answer.
type Remark = fn(&mut ChosenDefinitions, &mut Answer) -> Result<(), StoreError>;

/// All of them, in the order of their sentences.
pub(super) const REMARKS: [Remark; 18] = [
    on_methods,
    on_inherited,
    on_functions_as_long,
    on_stubs,
    on_uncounted_nested,
    on_properties,
    on_nested,
    on_results,
    on_unknown_words,
    on_constructors,
    on_files,
    on_unknown_base,
    on_uses,
    on_degree,
    on_abstract,
    on_annotations,
    on_parameters,
    deprecation::on_deprecation,
];

/// The command of an answer that no other command gives.
fn only_asked(answer: &mut Answer) {
    answer.command = answer.plan.ask_command();
}

/// `is` or `are`.
fn are(number: usize) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

/// Says which members that fit a class inherits, where it has none of its own.
fn on_inherited(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let is_of_members = matches!(selection.understood.plan.filters.noun, Some(Noun::Method | Noun::Property));
    let owners = selection.understood.owners().filter(|_| selection.is_empty() && is_of_members).unwrap_or_default();
    let store = selection.reading.store;
    let (mut rows, mut seen) = (Vec::new(), BTreeSet::new());
    for owner in owners.into_iter().filter(|owner| owner.main().record.kind == EntityKind::Class) {
        for base in lineage(store, owner.main().id)? {
            for member in store.children(base)? {
                // A setter has the name of its property.
                if selection.reader.accepts(&selection.filter, &member)? && seen.insert(member.record.name.clone()) {
                    rows.push(ListRow::of(&member));
                }
            }
        }
    }
    if !rows.is_empty() {
        let names: Vec<String> = rows.iter().take(MAX_NAMED).map(|row| format!("`{}`", row.name)).collect();
        let more = if rows.len() > names.len() { " and others" } else { "" };
        answer.headline += &format!("; its bases have {} that fit: {}{more}", rows.len(), names.join(", "));
        selection.further.push(("inherited ones".to_owned(), rows));
    }
    Ok(())
}

/// Names the classes beside the abstract ones that derive from `ABC` and have no abstract method.
fn on_abstract(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let marks = &selection.filter.marks;
    if selection.understood.plan.filters.noun != Some(Noun::Class) || *marks != [DefinitionMark::Abstract] {
        return Ok(());
    }
    let others = Filter { marks: Vec::new(), ..selection.filter.clone() };
    let mut rows = Vec::new();
    for class in selection.reader.fitting(&others)?.into_iter().filter(within(selection.understood)) {
        if selection.reader.abstractness(&class)? == Abstractness::NoMethods {
            rows.push(ListRow::of(&class));
        }
    }
    if !rows.is_empty() {
        let names: Vec<String> = rows.iter().take(MAX_NAMED).map(|row| format!("`{}`", row.name)).collect();
        let more = if rows.len() > names.len() { ", …" } else { "" };
        let is = if rows.len() == 1 { "is an ABC" } else { "are ABCs" };
        answer.headline +=
            &format!("; {} more {is} without an abstract method: {}{more}", rows.len(), names.join(", "));
        selection.further.push(("ABCs without an abstract method".to_owned(), rows));
    }
    Ok(())
}

/// Says how many functions are methods. Of a module the functions come first: its methods belong to its classes.
fn on_methods(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let understood = selection.understood;
    let filters = &understood.plan.filters;
    let methods = selection.count_of(|entity| entity.record.kind == EntityKind::Method);
    if filters.noun != Some(Noun::Function) || methods == 0 || selection.ranking.is_some() {
        return Ok(());
    }
    let is_module = |owner: &&Target| owner.main().record.kind == EntityKind::Module;
    let is_of_module = match understood.owners() {
        Some(owners) => owners.iter().all(is_module),
        None => !understood.plan.files.is_empty(),
    };
    let is_plain = !filters.is_any() && selection.degree.is_none() && filters.in_tests().is_none();
    let functions = selection.found.len() - methods;
    let (place, methods_there) = (place(understood, &selection.filter), count(methods, "method"));
    let bare = place.strip_prefix("of ").or_else(|| place.strip_prefix("in ")).filter(|_| is_of_module && is_plain);
    match (bare, functions) {
        (Some(bare), 0) => answer.headline = format!("none: {bare} has no functions, but {methods_there}"),
        (Some(_), functions) if !filters.has("count") => {
            selection.found.sort_by_key(|(_, entity)| entity.record.kind == EntityKind::Method);
            answer.headline = format!("{} {place}, and {methods_there} of its classes", count(functions, "function"));
        }
        _ if filters.has("count") => {
            let are = if methods == 1 { "is a method" } else { "are methods" };
            answer.headline += &format!(", {methods} of which {are}");
        }
        _ => {}
    }
    Ok(())
}

/// Lists the functions of the size that methods are asked by: in a hurry nobody tells one from the other.
fn on_functions_as_long(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let (understood, filter) = (selection.understood, &selection.filter);
    let sizes = [filter.least_lines, filter.most_lines, filter.least_parameters, filter.most_parameters];
    let has_size = sizes.iter().any(Option::is_some) && selection.ranking.is_none();
    if understood.plan.filters.noun != Some(Noun::Method) || !has_size || understood.owners().is_some() {
        return Ok(());
    }
    let mut functions = understood.clone();
    functions.plan.filters.noun = Some(Noun::Helper);
    let others = ChosenDefinitions::of(selection.reading, &functions)?;
    if others.found.is_empty() {
        return Ok(());
    }
    let fit = if others.all == 1 { "fits" } else { "fit" };
    answer.headline += &format!("; {} outside of classes {fit} too", count(others.all, "function"));
    only_asked(answer);
    let rows = others.found.iter().map(|found| others.row(found)).collect();
    selection.further.push(("functions outside of classes that fit".to_owned(), rows));
    Ok(())
}

/// Says how many definitions stub files declare besides.
fn on_stubs(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let stubs = selection.stubs;
    if stubs > 0 {
        answer.headline += &format!("; {stubs} more in type stubs (`.pyi`) {} not counted", are(stubs));
        only_asked(answer);
    }
    Ok(())
}

/// Says how many nested functions are left out: a function inside another one is a part of it, and who counts by hand
/// may count it.
fn on_uncounted_nested(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let is_outer = selection.filter.marks.contains(&DefinitionMark::Outer);
    if !is_outer || selection.ranking.is_some() || selection.degree.is_some() || selection.found.is_empty() {
        return Ok(());
    }
    let mut nested = selection.filter.clone();
    nested.marks.retain(|mark| *mark != DefinitionMark::Outer);
    let inner = besides(selection, &nested)?.len();
    if inner > 0 {
        let nested = count(inner, "nested function");
        let are = are(inner);
        answer.headline += &format!("; {nested} {are} not counted, `repoidx search --is inner` lists such ones");
    }
    Ok(())
}

/// The definitions that a wider filter finds besides.
fn besides(selection: &ChosenDefinitions, wider: &Filter) -> Result<Vec<Entity>, StoreError> {
    let known: BTreeSet<EntityId> = selection.found.iter().map(|(_, entity)| entity.id).collect();
    let is_within = within(selection.understood);
    let mut more = selection.reader.fitting(wider)?;
    let is_left_out = |entity: &Entity| selection.stubs > 0 && entity.path.ends_with(".pyi");
    more.retain(|entity| is_within(entity) && !known.contains(&entity.id) && !is_left_out(entity));
    Ok(more)
}

/// Says how many properties a number of methods counts, and how many a list of functions by their docstrings
/// leaves out.
fn on_properties(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let (understood, filter) = (selection.understood, &selection.filter);
    let filters = &understood.plan.filters;
    let counted = selection.count_of(|entity| entity.record.kind == EntityKind::Property);
    if filters.noun == Some(Noun::Method) && filters.has("count") && counted > 0 && counted < selection.all {
        let are = if counted == 1 { "is a property" } else { "are properties" };
        answer.headline += &format!(", {counted} of which {are}");
    }
    let is_function = filters.noun == Some(Noun::Function);
    if !is_function || filter.has_docstring.is_none() || selection.ranking.is_some() {
        return Ok(());
    }
    let mut properties = selection.reader.fitting(&Filter { kinds: vec![EntityKind::Property], ..filter.clone() })?;
    let is_within = within(understood);
    properties.retain(|entity| is_within(entity));
    if !properties.is_empty() {
        answer.headline +=
            &format!("; {} {} not counted", count(properties.len(), "such property"), are(properties.len()));
    }
    Ok(())
}

/// Says how many functions are nested ones.
fn on_nested(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let nested = selection.count_of(|entity| !DefinitionMark::Outer.fits(entity));
    let is_callable = selection.understood.plan.filters.noun.is_some_and(Noun::is_callable);
    if is_callable && nested > 0 && nested < selection.all {
        let are = if nested == 1 { "is a nested function" } else { "are nested functions" };
        answer.headline += &format!(", {nested} of which {are}");
    }
    Ok(())
}

/// Says what tells the type of results, and how many functions do not tell it.
fn on_results(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let filter = &selection.filter;
    let ([name], None) = (filter.returns.as_slice(), selection.ranking) else { return Ok(()) };
    let mut untold = besides(selection, &Filter { returns: Vec::new(), ..filter.clone() })?;
    untold.retain(|entity| !tells(filter, &entity.record.signature));
    if selection.all > 0 {
        let annotated = selection.count_of(|entity| is_annotated(filter, &entity.record.signature));
        let alone = format!("-> {name}");
        let exact = selection.count_of(|entity| entity.record.signature.ends_with(&alone));
        let returned = selection.all - annotated;
        answer.headline +=
            &format!("; {annotated} by annotation ({exact} `{alone}` alone), {returned} by `return` statements");
    }
    if !untold.is_empty() {
        let others = count(untold.len(), selection.noun);
        let message = format!("{others} without an annotation may return `{name}` as a value that is not told");
        answer.headline += &format!("; {message}");
        answer.bound(Completeness::LowerBound, [Boundary::new("unannotated", untold.len(), message)]);
    }
    Ok(())
}

/// Says which words limit nothing.
fn on_unknown_words(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let (understood, degree) = (selection.understood, selection.degree);
    let further = understood.further.iter().filter(|_| degree.is_none());
    let idle: Vec<String> = understood.described.iter().chain(further).cloned().collect();
    if !idle.is_empty() {
        answer.headline += &format!("; `{}` is not understood and limits nothing", idle.join(" "));
    }
    Ok(())
}

/// Says how many functions without an annotated result are constructors.
fn on_constructors(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let constructors = selection.count_of(|entity| entity.record.name == "__init__");
    if selection.filter.has_result == Some(false) && constructors > 0 {
        let are = are(constructors);
        answer.headline += &format!(", {constructors} of which {are} `__init__`, which returns `None`");
    }
    Ok(())
}

/// Says how many files belong to the program.
fn on_files(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let filter = &selection.filter;
    if !selection.understood.counts_files() || filter.is_in_tests.is_some() || !filter.paths.is_empty() {
        return Ok(());
    }
    let mut tests = 0;
    for (_, entity) in &selection.found {
        let is_test = selection.reading.store.file(entity.file)?.is_some_and(|file| file.is_test);
        tests += usize::from(is_test || is_aside(&entity.path));
    }
    answer.headline += &format!(", {} of them outside of tests, documents and examples", selection.all - tests);
    Ok(())
}

/// Says that nothing has the name of the asked base.
fn on_unknown_base(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let store = selection.reading.store;
    if let (true, [names]) = (selection.found.is_empty(), selection.filter.derives_from.as_slice())
        && let [name] = names.as_slice()
        && heirs_of_outside(store, name)?.is_none()
        && store.entities_named(name, false)?.is_empty()
    {
        answer.headline += &format!("; nothing here is called `{name}`, and no class has such a base");
    }
    Ok(())
}

/// Says what a list of unused definitions does not know.
fn on_uses(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    if selection.understood.unused_in.is_some() && selection.understood.plan.filters.has("unused") {
        only_asked(answer);
        let message = "an import alone is no use, and uses that are not resolved are not counted".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", selection.all, message)]);
    }
    if selection.filter.has_uses == Some(false) {
        let message = "a framework, an entry point or another repository may use them all the same".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("outside", selection.all, message)]);
    }
    let rows = std::mem::take(&mut selection.named_elsewhere);
    if !rows.is_empty() {
        let more = count(rows.len(), selection.noun);
        let message = format!("of {more} more it cannot be told: unresolved occurrences have their names");
        answer.headline += &format!("; {message}");
        only_asked(answer);
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", rows.len(), message)]);
        let title = "whether they are used cannot be told: unresolved occurrences have their names";
        selection.further.push((title.to_owned(), rows));
    }
    Ok(())
}

/// Says what a condition on relationships does not see.
fn on_degree(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let Some(degree) = selection.degree else { return Ok(()) };
    only_asked(answer);
    // The denial is a part of the condition.
    answer.plan.notes.retain(|note| !note.contains("which this answer leaves out"));
    if degree.depends_on_calls() {
        let message = "calls that are not resolved are not counted".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", 1, message)]);
    }
    if let Some(limit) = degree.limit() {
        answer.headline += &format!("; {limit}");
    }
    let open = std::mem::take(&mut selection.open);
    if !open.is_empty() {
        let all = open.len();
        answer.headline += &format!("; {all} more may, by a call of their name on an object that is not known");
        selection.further.push(("calls of their own name on an object that is not known".to_owned(), open));
    }
    let hidden = match degree {
        Degree::NoSubclasses => classes_with_unknown_bases(selection.reading.store)?,
        _ => 0,
    };
    if hidden > 0 {
        let have = if hidden == 1 { "has" } else { "have" };
        let message = format!(
            "{} of the repository {have} a base that is not in the index, over which one of these could be subclassed",
            count(hidden, "class")
        );
        answer.headline += &format!("; {message}");
        answer.bound(Completeness::LowerBound, [Boundary::new("outside", hidden, message)]);
    }
    Ok(())
}

/// Says that receivers are no parameters.
fn on_parameters(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    let filter = &selection.filter;
    let has_methods = selection.count_of(|entity| entity.record.kind == EntityKind::Method) > 0;
    let counts_parameters = filter.least_parameters.or(filter.most_parameters).is_some() && selection.ranking.is_none();
    if counts_parameters && filter.kinds.contains(&EntityKind::Method) && (has_methods || selection.found.is_empty()) {
        answer.headline += "; `self` and `cls` do not count as parameters";
    }
    Ok(())
}

/// Says which definitions are annotated in part, and which have no annotation that would tell.
fn on_annotations(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    if selection.filter.has_annotations == Some(false) && selection.ranking.is_none() {
        say_annotated_in_part(selection, answer);
    }
    let filter = &selection.filter;
    if filter.needs_annotations() {
        let all = selection.reader.fitting(&Filter { excluded: Vec::new(), ..filter.clone() })?;
        let is_silent =
            |entity: &&Entity| filter.excluded.iter().any(|denied| !tells(denied, &entity.record.signature));
        let silent = all.iter().filter(is_silent).count();
        if silent > 0 {
            let message = format!("{} without the annotation may fit too", count(silent, selection.noun));
            answer.bound(Completeness::LowerBound, [Boundary::new("unannotated", silent, message)]);
        }
    }
    Ok(())
}

/// Tells functions without any annotation from those that lack only some, and lists the latter apart where the question
/// is not for them.
fn say_annotated_in_part(selection: &mut ChosenDefinitions, answer: &mut Answer) {
    let is_bare = |entity: &Entity| !has_some_annotation(&entity.record.signature);
    let (bare, in_part): (Vec<_>, Vec<_>) = selection.found.drain(..).partition(|(_, entity)| is_bare(entity));
    // `not fully annotated` and `missing annotations` are true of both.
    let is_any_lack = |word: &String| {
        let is_part = matches!(word.as_str(), "fully" | "all" | "completely" | "entirely" | "partly" | "partially");
        is_part || word.starts_with("miss") || word.starts_with("incomplete")
    };
    let none = format!("{} have no annotation at all", bare.len());
    if selection.understood.words.iter().any(is_any_lack) {
        answer.headline += &format!("; {none}, {} have some", in_part.len());
        selection.found = [bare, in_part].concat();
        selection.found.sort_by(|(_, a), (_, b)| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
        return;
    }
    answer.headline += &format!(": {none}, {} are annotated in part", in_part.len());
    only_asked(answer);
    selection.found = bare;
    let rows = in_part.iter().map(|(_, entity)| ListRow::of(entity)).collect();
    selection.further.push(("annotated in part".to_owned(), rows));
}
