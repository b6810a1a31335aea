//! Answers about sets of definitions: those of a kind that fit conditions, and their number.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            definitions::{
                deprecated::{Deprecation, deprecation},
                named,
            },
            in_words,
            places::{self, PlaceRole, places},
            relations::{
                degree::{Degree, classes_with_unknown_bases, open_recursion},
                forest::forest,
            },
        },
        reading::{
            filters::{Filters, Noun, Ranking},
            plan::{PlannedFile, Understood},
        },
    },
    model::{EntityId, EntityKind, RelationshipKind},
    query::{
        impact::{
            completeness::{Boundary, Completeness},
            selection::reader_of,
        },
        navigate::outside::heirs_of_outside,
        target::{
            Target,
            filter::{
                DefinitionMark, Filter, FilterReader, ListOrder, has_some_annotation, is_annotated, lines, parameters,
                tells,
            },
            likeliest::is_aside,
        },
        words::{count, plural, shell_word},
    },
    store::{error::StoreError, read::Entity},
};

/// The beginning of the headline where nothing fits.
const NONE: &str = "none: ";
/// Definitions that are listed when the biggest are asked for.
const MAX_BIGGEST: usize = 10;
/// Definitions with the same figure that a headline names.
const MAX_TIES: usize = 3;
/// Definitions that a language model gets to see.
const MAX_WANTED: usize = 30;

/// Lists the definitions that fit the filters of a question. Where none in the likeliest file of a name does, those in
/// all files of the name count.
pub fn select(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let answer = selected(reading, understood)?;
    match understood.in_every_file() {
        Some(wider) if answer.headline.starts_with(NONE) => {
            let mut answer = selected(reading, &wider)?;
            if answer.command.is_empty() {
                answer.command = wider.command();
            }
            Ok(answer)
        }
        _ => Ok(answer),
    }
}

fn selected(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let plan = &understood.plan;
    let nouns = if plan.filters.has("count") { listed_nouns(&understood.words) } else { Vec::new() };
    if nouns.len() > 1 {
        return counts(reading, understood, &nouns);
    }
    if let Some(place) = counted_place(understood) {
        let mut answer = counts(reading, understood, &[Noun::Class, Noun::Function, Noun::Method])?;
        let counted = "is no kind of definition: this counts all that the files of this name define";
        answer.headline += &format!("; `{place}` {counted}");
        return Ok(answer);
    }
    let (mut filter, ranking) = (understood.filter(), plan.filters.ranking());
    let degree = Degree::of(understood).filter(|(degree, _)| filter.kinds.iter().any(|kind| degree.fits(*kind)));
    let degree = degree.map(|(degree, _)| degree);
    let unused_in = understood.unused_in.as_ref().filter(|_| filter.has_uses == Some(false));
    if unused_in.is_some() {
        filter.has_uses = None;
    }
    if matches!(degree, Some(Degree::OnlyTests | Degree::RaisedOnlyInTests)) {
        // The tests are those that call, not those that are asked for.
        filter.is_in_tests = filter.paths.is_empty().then_some(false);
    }
    if let (None, Some(headline)) = (degree, not_understood(understood, &filter)) {
        return Ok(Answer::new(plan.clone(), headline));
    }
    let reader = reader_of(reading.store, &filter)?;
    let order = ranking.map_or(ListOrder::Place, Ranking::order);
    let (deprecation, read) = without_deprecation(&filter);
    let mut found = reader.sorted(&read, order)?;
    let is_within = within(understood);
    found.retain(|(_, entity)| !is_configuration(entity) && is_within(entity));
    let judged = deprecation.map(|wanted| judged_by_source(reading, &mut found, wanted));
    if plan.filters.has(Ranking::MostSubclasses.as_str()) && degree.is_none() && speaks_of_hierarchy(understood) {
        let mut classes: Vec<Entity> = found.into_iter().map(|(_, entity)| entity).collect();
        classes.sort_by(|a, b| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
        return forest(reading, understood, classes, &place(understood, &filter));
    }
    if let Some(place) = unused_in {
        found = unused(reading, found, place)?;
    }
    let mut named_elsewhere = Vec::new();
    if filter.has_uses == Some(false) && ranking.is_none() {
        (found, named_elsewhere) = without_open_names(reading, found)?;
    }
    let mut open = Vec::new();
    if let Some(degree) = degree {
        let asked: Vec<Entity> = found.iter().map(|(_, entity)| entity.clone()).collect();
        found = degree.kept(reading, found)?;
        if degree == Degree::Recursive {
            open = open_recursion(reading, &asked, &found)?;
        }
    }
    if found.is_empty() && open.is_empty() && named_elsewhere.is_empty() && plan.filters.noun == Some(Noun::Method) {
        // In a hurry nobody tells a method from a function.
        let mut functions = understood.clone();
        functions.plan.filters.noun = Some(Noun::Helper);
        let answer = select(reading, &functions)?;
        if !answer.wanted.is_empty() {
            let headline = format!("no method fits; {}", answer.headline);
            return Ok(Answer { command: functions.command(), headline, ..answer });
        }
    }
    if let (Some(decorator), Some(argument)) = (&plan.filters.decorator, &plan.filters.decorator_argument) {
        found.retain(|(_, entity)| is_given(reading, entity, decorator, argument));
    }
    let all = found.len();
    if ranking.is_some() {
        found.truncate(MAX_BIGGEST);
    }
    let mut answer = Answer::new(plan.clone(), String::new());
    let mut warnings = Vec::new();
    let place = place(understood, &filter);
    let (noun, words) = worded(&plan.filters);
    let words = match unused_in {
        Some(place) => words.replace("without a use", &format!("without a use in {}", place.mention)),
        None => words,
    };
    let words = [words, degree.map(Degree::worded).unwrap_or_default()];
    let words = words.iter().filter(|words| !words.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ");
    let noun = if understood.lists_files() { "Python file" } else { noun };
    let conditions = if words.is_empty() { String::new() } else { format!(" ({words})") };
    answer.headline = match (found.first(), ranking) {
        (None, _) => format!("{NONE}no {noun} {place} fits{conditions}"),
        (Some((figure, _)), Some(ranking)) => {
            let ties = found.iter().take_while(|(other, _)| other == figure).take(MAX_TIES);
            let names: Vec<String> = ties.map(|(_, entity)| entity.full_name()).collect();
            ranking.headline(noun, &place, &names, *figure)
        }
        (Some(_), None) => format!("{} {place}{conditions}", count(all, noun)),
    };
    let methods = found.iter().filter(|(_, entity)| entity.record.kind == EntityKind::Method).count();
    if plan.filters.noun == Some(Noun::Function) && plan.filters.has("count") && methods > 0 && ranking.is_none() {
        let are = if methods == 1 { "is a method" } else { "are methods" };
        answer.headline += &format!(", {methods} of which {are}");
    }
    if degree.is_some_and(Degree::depends_on_calls) {
        let message = "calls that are not resolved are not counted".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", 1, message)]);
    }
    if filter.marks.contains(&DefinitionMark::Outer) && ranking.is_none() && degree.is_none() && !found.is_empty() {
        let mut nested = filter.clone();
        nested.marks.retain(|mark| *mark != DefinitionMark::Outer);
        let mut inner = reader.fitting(&nested)?;
        let known: BTreeSet<EntityId> = found.iter().map(|(_, entity)| entity.id).collect();
        inner.retain(|entity| is_within(entity) && !known.contains(&entity.id));
        // A function inside another one is a part of it, and who counts by hand may count it.
        if !inner.is_empty() {
            let are = if inner.len() == 1 { "is" } else { "are" };
            let nested = count(inner.len(), "nested function");
            answer.headline += &format!("; {nested} {are} not counted, `repoidx search --is inner` lists such ones");
        }
    }
    if plan.filters.noun == Some(Noun::Function) && filter.has_docstring.is_some() && ranking.is_none() {
        let mut properties = reader.fitting(&Filter { kinds: vec![EntityKind::Property], ..filter.clone() })?;
        properties.retain(|entity| is_within(entity));
        if !properties.is_empty() {
            let are = if properties.len() == 1 { "is" } else { "are" };
            answer.headline += &format!("; {} {are} not counted", count(properties.len(), "such property"));
        }
    }
    let is_nested = |entity: &Entity| !DefinitionMark::Outer.fits(entity);
    let nested = found.iter().filter(|(_, entity)| is_nested(entity)).count();
    if plan.filters.noun.is_some_and(Noun::is_callable) && nested > 0 && nested < all {
        let are = if nested == 1 { "is a nested function" } else { "are nested functions" };
        answer.headline += &format!(", {nested} of which {are}");
    }
    if let ([name], true) = (filter.returns.as_slice(), ranking.is_none()) {
        let bare = Filter { returns: Vec::new(), ..filter.clone() };
        let known: BTreeSet<EntityId> = found.iter().map(|(_, entity)| entity.id).collect();
        let mut untold = reader.fitting(&bare)?;
        untold.retain(|entity| {
            is_within(entity) && !known.contains(&entity.id) && !tells(&filter, &entity.record.signature)
        });
        let annotated = found.iter().filter(|(_, entity)| is_annotated(&filter, &entity.record.signature)).count();
        let alone = format!("-> {name}");
        let exact = found.iter().filter(|(_, entity)| entity.record.signature.ends_with(&alone)).count();
        if all > 0 {
            let returned = all - annotated;
            answer.headline +=
                &format!("; {annotated} by annotation ({exact} `{alone}` alone), {returned} by `return` statements");
        }
        if !untold.is_empty() {
            let others = count(untold.len(), noun);
            let message = format!("{others} without an annotation may return `{name}` as a value that is not told");
            answer.headline += &format!("; {message}");
            answer.bound(Completeness::LowerBound, [Boundary::new("unannotated", untold.len(), message)]);
        }
    }
    let is_read = |word: &&String| degree == Some(Degree::Recursive) && word.starts_with("recurs");
    let described = understood.described.iter().filter(|word| !is_read(word));
    let further = understood.further.iter().filter(|_| degree.is_none());
    let idle: Vec<String> = described.chain(further).cloned().collect();
    if !idle.is_empty() {
        answer.headline += &format!("; `{}` is not understood and limits nothing", idle.join(" "));
    }
    if degree.is_some() || unused_in.is_some() {
        answer.command = format!("repoidx ask {}", shell_word(&plan.question));
    }
    if unused_in.is_some() {
        let message = "an import alone is no use, and uses that are not resolved are not counted".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", all, message)]);
    }
    if filter.has_uses == Some(false) {
        let message = "a framework, an entry point or another repository may use them all the same".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("outside", all, message)]);
    }
    let constructors = found.iter().filter(|(_, entity)| entity.record.name == "__init__").count();
    if filter.has_result == Some(false) && constructors > 0 {
        let are = if constructors == 1 { "is" } else { "are" };
        answer.headline += &format!(", {constructors} of which {are} `__init__`, which returns `None`");
    }
    if understood.counts_files() && filter.is_in_tests.is_none() && filter.paths.is_empty() {
        let mut tests = 0;
        for (_, entity) in &found {
            let is_test = reading.store.file(entity.file)?.is_some_and(|file| file.is_test);
            tests += usize::from(is_test || is_aside(&entity.path));
        }
        answer.headline += &format!(", {} of them outside of tests, documents and examples", all - tests);
    }
    if let (true, [names]) = (found.is_empty(), filter.derives_from.as_slice())
        && let [name] = names.as_slice()
        && heirs_of_outside(reading.store, name)?.is_none()
        && reading.store.entities_named(name, false)?.is_empty()
    {
        answer.headline += &format!("; nothing here is called `{name}`, and no class has such a base");
    }
    if !named_elsewhere.is_empty() {
        let more = count(named_elsewhere.len(), noun);
        let message = format!("of {more} more it cannot be told: unresolved occurrences have their names");
        answer.headline += &format!("; {message}");
        answer.command = format!("repoidx ask {}", shell_word(&plan.question));
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", named_elsewhere.len(), message)]);
    }
    if degree.is_some() {
        // The denial is a part of the condition.
        answer.plan.notes.retain(|note| !note.contains("which this answer leaves out"));
    }
    if let Some(limit) = degree.and_then(Degree::limit) {
        answer.headline += &format!("; {limit}");
    }
    if !open.is_empty() {
        answer.headline +=
            &format!("; {} more may, by a call of their name on an object that is not known", open.len());
    }
    if degree == Some(Degree::NoSubclasses) {
        let hidden = classes_with_unknown_bases(reading.store)?;
        if hidden > 0 {
            let have = if hidden == 1 { "has" } else { "have" };
            let message = format!(
                "{} of the repository {have} a base that is not in the index, over which one of these could be subclassed",
                count(hidden, "class")
            );
            answer.headline += &format!("; {message}");
            answer.bound(Completeness::LowerBound, [Boundary::new("outside", hidden, message)]);
        }
    }
    let in_part = if filter.has_annotations == Some(false) && ranking.is_none() {
        say_annotated_in_part(understood, &mut found, &mut answer)
    } else {
        Vec::new()
    };
    if filter.needs_annotations() {
        let all = reader.fitting(&Filter { excluded: Vec::new(), ..filter.clone() })?;
        let is_silent =
            |entity: &&Entity| filter.excluded.iter().any(|denied| !tells(denied, &entity.record.signature));
        let silent = all.iter().filter(is_silent).count();
        if silent > 0 {
            let message = format!("{} without the annotation may fit too", count(silent, noun));
            answer.bound(Completeness::LowerBound, [Boundary::new("unannotated", silent, message)]);
        }
    }
    let counts_parameters = filter.least_parameters.or(filter.most_parameters).is_some() && ranking.is_none();
    if counts_parameters && filter.kinds.contains(&EntityKind::Method) && (methods > 0 || found.is_empty()) {
        answer.headline += "; `self` and `cls` do not count as parameters";
    }
    for (_, entity) in found.iter().take(MAX_WANTED) {
        answer.want(entity, "it fits", true);
    }
    if let Some(in_part) = judged {
        answer.headline += "; read off decorators, docstrings and warnings";
        if !in_part.is_empty() {
            answer.headline += &format!(", which speak of it for a part or a case of {} more", in_part.len());
        }
        answer.command = format!("repoidx ask {}", shell_word(&plan.question));
        answer.list(format!("deprecated in part, or under a condition ({})", in_part.len()), in_part);
    }
    if filter.marks.contains(&DefinitionMark::Deprecated) {
        let mut told = places(reading, understood, "deprecated::")?;
        told.retain(|place| !place.is_test && !is_aside(&place.path) && place.text.starts_with(".. deprecated::"));
        if !told.is_empty() {
            answer.headline += &format!("; docstrings say it at {}", count(told.len(), "place"));
        }
        answer.list(
            format!("deprecations that docstrings tell ({})", told.len()),
            told.iter().map(places::row).collect(),
        );
    }
    let remark = |figure: usize, entity: &Entity| match ranking {
        Some(ranking) => count(figure, ranking.unit()),
        None if filter.least_lines.or(filter.most_lines).is_some() => count(lines(entity) as usize, "line"),
        None if filter.least_parameters.or(filter.most_parameters).is_some() => {
            count(parameters(entity) as usize, "parameter")
        }
        None => String::new(),
    };
    if filter.marks.contains(&DefinitionMark::Deprecated) {
        // Most projects warn when the code runs, and decorate nothing.
        let mut warned = places(reading, understood, "DeprecationWarning")?;
        warned.retain(|place| !place.is_test && !is_aside(&place.path) && place.role != PlaceRole::Imports);
        if !warned.is_empty() {
            let given = count(warned.len(), "place");
            answer.headline += &format!("; the program names `DeprecationWarning` at {given}");
        }
        warnings = warned.iter().map(places::row).collect();
    }
    let row = |(figure, entity): &(usize, Entity)| match route(reading, understood, entity) {
        Some(route) => ListRow::of(entity).with(route),
        None => ListRow::of(entity).with(remark(*figure, entity)),
    };
    let all = found.len();
    let rows = found.iter().map(row).collect();
    answer.list(format!("{} that fit ({all})", plural(noun)), rows);
    answer.list(format!("calls of their own name on an object that is not known ({})", open.len()), open);
    let title = "whether they are used cannot be told: unresolved occurrences have their names";
    answer.list(format!("{title} ({})", named_elsewhere.len()), named_elsewhere);
    answer.list(format!("annotated in part ({})", in_part.len()), in_part);
    answer.list(format!("deprecations that it warns of ({})", warnings.len()), warnings);
    Ok(answer)
}

/// Divides definitions without a use: those whose names no unresolved occurrence has, and rows of the others.
fn without_open_names(
    reading: AnswerInputs,
    found: Vec<(usize, Entity)>,
) -> Result<(Vec<(usize, Entity)>, Vec<ListRow>), StoreError> {
    let (mut unused, mut rows) = (Vec::new(), Vec::new());
    for (figure, entity) in found {
        let mut open = reading.store.unresolved_named(&entity.record.name)?;
        open.retain(|occurrence| occurrence.source != entity.id);
        match open.len() {
            0 => unused.push((figure, entity)),
            all => rows.push(ListRow::of(&entity).with(count(all, "unresolved occurrence"))),
        }
    }
    Ok((unused, rows))
}

/// Tells functions without any annotation from those that lack only some, and gives the latter where the question is
/// not for them.
fn say_annotated_in_part(
    understood: &Understood,
    found: &mut Vec<(usize, Entity)>,
    answer: &mut Answer,
) -> Vec<ListRow> {
    let is_bare = |entity: &Entity| !has_some_annotation(&entity.record.signature);
    let (bare, in_part): (Vec<_>, Vec<_>) = found.drain(..).partition(|(_, entity)| is_bare(entity));
    // `not fully annotated` and `missing annotations` are true of both.
    let is_any_lack = |word: &String| {
        let is_part = matches!(word.as_str(), "fully" | "all" | "completely" | "entirely" | "partly" | "partially");
        is_part || word.starts_with("miss") || word.starts_with("incomplete")
    };
    let none = format!("{} have no annotation at all", bare.len());
    if understood.words.iter().any(is_any_lack) {
        answer.headline += &format!("; {none}, {} have some", in_part.len());
        found.extend(bare);
        found.extend(in_part);
        found.sort_by(|(_, a), (_, b)| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
        return Vec::new();
    }
    answer.headline += &format!(": {none}, {} are annotated in part", in_part.len());
    answer.command = format!("repoidx ask {}", shell_word(&understood.plan.question));
    *found = bare;
    in_part.iter().map(|(_, entity)| ListRow::of(entity)).collect()
}

/// Whether deprecated definitions are asked for or left out, and the other conditions.
fn without_deprecation(filter: &Filter) -> (Option<bool>, Filter) {
    let mut read = filter.clone();
    let is_it = |mark: &DefinitionMark| *mark == DefinitionMark::Deprecated;
    read.marks.retain(|mark| !is_it(mark));
    read.excluded.retain(|denied| !denied.marks.iter().any(is_it));
    let is_wanted = read.marks.len() < filter.marks.len();
    let is_denied = read.excluded.len() < filter.excluded.len();
    ((is_wanted || is_denied).then_some(is_wanted), read)
}

/// Keeps the definitions of which the source says that they are deprecated, or of which it does not. Gives those of
/// which it says so in part.
fn judged_by_source(reading: AnswerInputs, found: &mut Vec<(usize, Entity)>, wanted: bool) -> Vec<ListRow> {
    let mut speaks: BTreeMap<String, bool> = BTreeMap::new();
    let mut in_part = Vec::new();
    found.retain(|(_, entity)| {
        // Most files say nothing of it, and need not be read line by line.
        let text = || reading.sources.text(&entity.path).is_some_and(|text| text.contains("eprecat"));
        let is_spoken_of = *speaks.entry(entity.path.clone()).or_insert_with(text);
        let entities = std::slice::from_ref(entity);
        let said = if is_spoken_of { deprecation(reading, &named(entity), entities) } else { Deprecation::Silent };
        if let Deprecation::InPart(how) = &said {
            in_part.push(ListRow::of(entity).with(how.clone()));
        }
        matches!(said, Deprecation::Said(_)) == wanted
    });
    in_part
}

/// The definitions that nothing in these files uses, but for imports.
fn unused(
    reading: AnswerInputs,
    found: Vec<(usize, Entity)>,
    place: &PlannedFile,
) -> Result<Vec<(usize, Entity)>, StoreError> {
    let mut kept = Vec::new();
    for (figure, entity) in found {
        let mut is_used = false;
        for relationship in reading.store.incoming(entity.id)? {
            let is_use = relationship.kind != RelationshipKind::Imports && !relationship.kind.is_of_members();
            let source = reading.store.entity(relationship.source)?.filter(|source| is_use && source.id != entity.id);
            is_used |= source.is_some_and(|source| place.paths.contains(&source.path));
        }
        if !is_used {
            kept.push((figure, entity));
        }
    }
    Ok(kept)
}

/// The sentence for a list whose only condition is not understood: the whole list would be no answer.
fn not_understood(understood: &Understood, filter: &Filter) -> Option<String> {
    let filters = &understood.plan.filters;
    let noun = plural(filters.noun.unwrap_or(Noun::Definition).worded());
    // A definition around others is no nested one.
    let nested = understood.words.iter().position(|word| matches!(word.as_str(), "inner" | "nested"));
    let is_told = filter.marks.contains(&DefinitionMark::Inner) || filters.ranking().is_some();
    if let Some(at) = nested.filter(|_| !is_told) {
        let words = understood.words[at.saturating_sub(1)..].join(" ");
        return Some(format!("which {noun} are meant is not known: the condition `{words}` is not understood"));
    }
    if understood.further.is_empty() || filters.is_any() || filter.is_in_tests == Some(true) {
        return None;
    }
    let words = understood.further.join(" ");
    Some(format!("which {noun} are meant is not known: the condition `{words}` is not understood"))
}

/// Whether the hierarchy of all classes is asked for, not one class.
fn speaks_of_hierarchy(understood: &Understood) -> bool {
    understood.words.iter().any(|word| word.starts_with("hierarch") || word == "tree")
}

/// Whether a module is a configuration file, which has no importers and is no Python.
fn is_configuration(entity: &Entity) -> bool {
    let ending = entity.path.rsplit('.').next().unwrap_or_default();
    entity.record.kind == EntityKind::Module && matches!(ending, "toml" | "ini" | "cfg")
}

/// The kinds of definitions that a question counts one by one: `how many classes, functions and methods`.
fn listed_nouns(words: &[String]) -> Vec<Noun> {
    let begin = words.windows(2).position(|pair| matches!([&*pair[0], &*pair[1]], ["how", "many"] | ["number", "of"]));
    let mut nouns = Vec::new();
    for word in words[begin.map_or(words.len(), |at| at + 2)..].iter().map(String::as_str) {
        nouns.push(match word {
            "classes" => Noun::Class,
            "functions" => Noun::Function,
            "methods" => Noun::Method,
            "modules" | "files" => Noun::Module,
            "constants" => Noun::Constant,
            "and" | "or" | "the" | "how" | "many" => continue,
            _ => break,
        });
    }
    nouns.dedup();
    nouns
}

/// The name of files that a question counts like a kind of definitions: `how many filters`.
fn counted_place(understood: &Understood) -> Option<&str> {
    let is_counted = |name: &str| understood.words.windows(2).any(|pair| pair[0] == "many" && pair[1] == name);
    let mut files = understood.plan.files.iter().map(|file| file.mention.as_str());
    files.find(|name| is_counted(&name.to_lowercase()) && understood.plan.filters.noun == Some(Noun::Definition))
}

/// Counts the definitions of several kinds, each by itself; kinds of which there are none are not said.
fn counts(reading: AnswerInputs, understood: &Understood, nouns: &[Noun]) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let reader = FilterReader::new(reading.store)?;
    let (mut parts, mut commands) = (Vec::new(), Vec::new());
    let mut lists = Vec::new();
    let mut where_found = String::new();
    let is_within = within(understood);
    for noun in nouns {
        let mut one = understood.clone();
        one.plan.filters.noun = Some(*noun);
        let mut filter = one.filter();
        if *noun == Noun::Function && nouns.contains(&Noun::Method) {
            filter.kinds = vec![EntityKind::Function];
        }
        let mut found = reader.fitting(&filter)?;
        found.retain(|entity| !is_configuration(entity) && is_within(entity));
        for entity in found.iter().take(MAX_WANTED / nouns.len()) {
            answer.want(entity, "it fits", true);
        }
        if !found.is_empty() {
            parts.push(count(found.len(), noun.worded()));
        }
        lists.push((plural(noun.worded()), found.iter().map(ListRow::of).collect::<Vec<_>>()));
        commands.extend(Some(one.command()).filter(|command| !command.is_empty()));
        where_found = place(understood, &filter);
    }
    if parts.is_empty() {
        parts.push(count(0, nouns.first().map_or("definition", |noun| noun.worded())));
    }
    let conditions = worded(&understood.plan.filters).1;
    let conditions = if conditions.is_empty() { String::new() } else { format!(" ({conditions})") };
    answer.headline = format!("{} {where_found}{conditions}", in_words(&parts));
    for (title, rows) in lists {
        answer.list(format!("{title} ({})", rows.len()), rows);
    }
    answer.command = commands.join("; ");
    Ok(answer)
}

/// The decorator that registers a route, as written: `get("/items/{id}")`.
fn route(reading: AnswerInputs, understood: &Understood, entity: &Entity) -> Option<String> {
    let filters = &understood.plan.filters;
    let names = filters.decorator.as_deref().filter(|_| filters.is_route())?;
    let head = reading.sources.lines(&entity.path, entity.record.start_line, entity.record.line)?;
    head.lines().find_map(|line| {
        let call = line.trim().strip_prefix('@')?;
        let (name, _) = call.split_once('(')?;
        let method = name.rsplit('.').next().unwrap_or(name);
        names.split('|').any(|known| known == method).then(|| call[name.len() - method.len()..].to_owned())
    })
}

/// Whether a decorator of a definition has an argument, as written.
fn is_given(reading: AnswerInputs, entity: &Entity, decorator: &str, argument: &str) -> bool {
    let head = reading.sources.lines(&entity.path, entity.record.start_line, entity.record.line).unwrap_or_default();
    let mut calls = head.split('@').skip(1);
    calls.any(|call| {
        call.split_once('(').is_some_and(|(name, rest)| name.ends_with(decorator) && rest.contains(argument))
    })
}

/// The noun of the filters, and their other conditions in words.
fn worded(filters: &Filters) -> (&'static str, String) {
    let noun = filters.noun.unwrap_or(Noun::Definition).worded();
    let conditions = Filter { is_in_tests: None, ..filters.conditions() };
    if filters.noun == Some(Noun::Function) && conditions.marks.contains(&DefinitionMark::Decorator) {
        let marks = conditions.marks.iter().copied().filter(|mark| *mark != DefinitionMark::Decorator).collect();
        return ("decorator", Filter { marks, ..conditions }.words());
    }
    if filters.is_route() {
        return ("route", Filter { decorators: Vec::new(), ..conditions }.words());
    }
    (noun, conditions.words())
}

/// Tells the definitions of the classes and modules that a question names, outside of the files that it leaves out.
fn within(understood: &Understood) -> impl Fn(&Entity) -> bool {
    let owners = understood.owners();
    // The methods of a class inside of a class are not those of the outer one.
    let is_of_class = |owner: &Target| owner.main().record.kind == EntityKind::Class;
    let asks_for_own = understood.plan.filters.noun.is_some_and(Noun::is_callable);
    move |entity| {
        let is_own = |owner: &Target| {
            !asks_for_own || !is_of_class(owner) || owner.entities.iter().any(|class| class.id == entity.parent)
        };
        let is_held = |owners: &Vec<&Target>| owners.iter().any(|owner| holds(owner.main(), entity) && is_own(owner));
        !understood.leaves_out(&entity.path) && owners.as_ref().is_none_or(is_held)
    }
}

/// Whether a definition stands in a class or module.
pub(super) fn holds(owner: &Entity, entity: &Entity) -> bool {
    let inner = &entity.record.qualified;
    if owner.record.kind == EntityKind::Module && owner.path.ends_with("__init__.py") {
        return entity.module == owner.module || entity.module.starts_with(&format!("{}.", owner.module));
    }
    let rest = inner.strip_prefix(owner.record.qualified.as_str());
    owner.file == entity.file && (owner.record.qualified.is_empty() || rest.is_some_and(|rest| rest.starts_with('.')))
}

/// The place where the question looks, in words.
pub(super) fn place(understood: &Understood, filter: &Filter) -> String {
    let plan = &understood.plan;
    if plan.files.is_empty() && !plan.outside.is_empty() {
        return understood.limited_to().trim_start().to_owned();
    }
    if let Some(owners) = understood.owners() {
        let names: Vec<String> = owners.iter().map(|target| format!("`{}`", target.main().full_name())).collect();
        return format!("of {}", names.join(" and "));
    }
    let shown = |mention: &str, paths: &[String]| match paths {
        [path] => path.clone(),
        _ => mention.to_owned(),
    };
    match (plan.files.as_slice(), filter.is_in_tests) {
        ([], Some(false)) => "outside of tests".to_owned(),
        ([], Some(true)) => "in tests".to_owned(),
        ([], None) => "in the repository".to_owned(),
        (files, _) => {
            let files: Vec<String> = files.iter().map(|file| shown(&file.mention, &file.paths)).collect();
            format!("in {}", files.join(" and "))
        }
    }
}
