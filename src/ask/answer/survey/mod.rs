//! Answers about files, folders and the whole repository, and answers found by meaning.
//!
//! A long outline comes in parts of a fixed size, so that a later question can ask for the next part.

pub(super) mod exports;
pub(super) mod focus;
pub(super) mod guides;
pub(super) mod index_state;
pub(super) mod packages;
pub(super) mod project;
pub(super) mod sizes;
pub(super) mod tasks;
pub(super) mod topics;
pub(super) mod whole;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, List, ListRow},
        reading::{
            filters::Noun,
            forms::Task,
            names::at_path,
            plan::{PlannedFile, QuestionPlan, Understood},
            words::{is_stop_word, name_parts, stem},
        },
    },
    model::{EntityId, EntityKind, FileId, FileRecord, Relationship, RelationshipKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        map::{MapOptions, map},
        search::{Hit, SearchOptions, absent, has_meaning},
        target::{
            Target,
            filter::{DefinitionMark, Filter, FilterReader},
            likeliest::{is_aside, likeliest},
            spelling::without_underscores,
        },
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Rows of one part of an outline. A prompt has parts by its budget.
const PART: usize = 400;
/// Characters of a row that names variables.
const VARIABLES: usize = 72;
/// Definitions that a search returns.
const MAX_FOUND: usize = 15;
/// Definitions beside an answer that rests on a part of the question.
const MAX_NEAR: usize = 6;
/// Definitions that are named because the question spells their names.
const MAX_SPELLED: usize = 3;
/// A shorter word is too common to be a name by itself.
const LEAST_SPELLED: usize = 6;
/// A shorter word tells little of what is looked for.
const LEAST_TELLING: usize = 4;
/// Definitions of these that a model sees in full.
const SHOWN_IN_FULL: usize = 5;
/// Callees of each of them, and callers, that a model sees where there is room.
const MAX_NEIGHBORS: usize = 3;
/// More callers say nothing about a definition.
const MOST_CALLERS: usize = 40;
/// Modules that an overview lists, and definitions that it names in each.
const MAX_MODULES: usize = 30;
const MAX_NAMES: usize = 5;
/// Definitions of an outline that a model gets to see.
const MAX_WANTED: usize = 60;
/// The remark on a file that was read in part.
const PARTIAL: &str = "has syntax errors";
/// The boundary of an answer that is one of several parts; it counts them.
pub const PART_OF_ANSWER: &str = "part";

/// Answers what the words alone tell: an outline around a focus, a task for a writer, a topic in a file.
pub(super) fn told_by_words(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    for answering in [whole::whole, focus::focused_map, tasks::task, topics::by_topic] {
        if let Some(answer) = answering(reading, understood)? {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

/// Says whether files exist, and outlines them.
pub fn files(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let plan = &understood.plan;
    let mut answer = Answer::new(plan.clone(), String::new());
    let records: BTreeMap<String, (FileId, FileRecord)> =
        reading.store.files()?.into_iter().map(|(id, file)| (file.path.clone(), (id, file))).collect();
    let mut headlines = Vec::new();
    // `is there a file` wants yes or no; other questions want the files.
    let asks_whether = understood.words.iter().any(|word| matches!(word.as_str(), "is" | "are" | "exist" | "exists"));
    let asks_for_length =
        understood.words.iter().any(|word| matches!(word.as_str(), "lines" | "long" | "big" | "large"));
    let asks_for_number = understood.words.starts_with(&["how".to_owned(), "many".to_owned()]) && !asks_for_length;
    let asks_for_place = understood.words.first().is_some_and(|word| matches!(word.as_str(), "where" | "which"));
    let asks_whether = asks_whether && !asks_for_length && !asks_for_number && !asks_for_place;
    let yes = |times: &str| if asks_whether { format!("yes{times}: ") } else { String::new() };
    for file in &plan.files {
        let what = if file.is_folder { "folder" } else { "file" };
        let documents = file.documents(reading.store)?;
        headlines.push(match file.paths.as_slice() {
            [] if !documents.is_empty() => {
                let long = |path: &String| {
                    let lines = reading.sources.text(path).filter(|_| asks_for_length).map(|text| text.lines().count());
                    lines.map_or_else(|| path.clone(), |lines| format!("{path} has {}", count(lines, "line")))
                };
                format!("{}{}", yes(""), documents.iter().map(long).collect::<Vec<_>>().join(", "))
            }
            [] => format!(
                "no: no indexed file is called `{}` (Python files, documents, pyproject.toml, setup.cfg and pytest's settings are indexed)",
                file.mention
            ),
            [path] if asks_for_number => format!("1 file is called `{}`: {path}", file.mention),
            [path] => {
                let lines = records.get(path).map_or(0, |(_, record)| record.line_count as usize);
                let long = if asks_for_length { format!(" has {}", count(lines, "line")) } else { String::new() };
                format!("{}{path}{long}", yes(""))
            }
            paths if file.is_folder => {
                format!("{}the {what} `{}` has {}", yes(""), file.mention, count(paths.len(), "indexed file"))
            }
            paths if asks_for_number => {
                format!("{} are called `{}`: {}", count(paths.len(), "file"), file.mention, paths.join(", "))
            }
            paths => format!("{}{}", yes(&format!(", {} times", paths.len())), paths.join(", ")),
        });
        let mut rows = Vec::new();
        for path in &file.paths {
            let Some((id, record)) = records.get(path) else { continue };
            let entities = reading.store.entities_of(*id)?;
            let top = entities.iter().filter(|entity| is_top(entity) && entity.record.kind != EntityKind::Variable);
            let names: Vec<&str> = top.map(|entity| entity.record.name.as_str()).collect();
            rows.push(file_row(record, &names));
        }
        answer.list(format!("files called `{}` ({})", file.mention, rows.len()), rows);
    }
    if plan.files.is_empty() {
        let rows: Vec<ListRow> = records.values().map(|(_, record)| file_row(record, &[])).collect();
        headlines.push(count(rows.len(), "indexed file"));
        answer.list(format!("files ({})", rows.len()), rows);
    }
    answer.headline = headlines.join("; ");
    for target in modules(reading.store, plan)?.iter().take(MAX_WANTED) {
        answer.want(target.main(), "asked about", true);
    }
    Ok(answer)
}

/// Lists the definitions in the files of a question.
pub fn contents(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut all = 0;
    let (mut parts, mut lists) = (Vec::new(), Vec::new());
    for target in &understood.targets {
        let module = target.main();
        let entities = reading.store.entities_of(module.file)?;
        if let Some(file) = reading.store.file(module.file)?.filter(|_| understood.targets.len() > 1) {
            parts.extend(part(&file, &entities));
        }
        let is_listed = |entity: &&Entity| is_top(entity) || entity.record.kind == EntityKind::Method;
        let rows: Vec<ListRow> = entities.iter().filter(is_listed).map(ListRow::of).collect();
        all += rows.len();
        // Several whole modules would fill the prompt, so their outlines must do.
        answer.want(module, "asked about", understood.targets.len() > 1);
        lists.push((format!("{} ({})", module.path, rows.len()), rows));
    }
    // The parts of a folder first, then their contents.
    answer.list(format!("files ({})", understood.targets.len()), parts);
    for (title, rows) in lists {
        answer.list(title, rows);
    }
    answer.headline = format!("{} in {}", count(all, "definition"), count(understood.targets.len(), "file"));
    Ok(answer)
}

/// A row for a module: the first sentence of its docstring and its first definitions; `None` where it has none.
fn part(file: &FileRecord, entities: &[Entity]) -> Option<ListRow> {
    let doc = entities.first().map_or("", |module| module.record.doc.as_str());
    let doc = doc.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned();
    let tops = entities.iter().filter(|entity| is_top(entity) && entity.record.kind != EntityKind::Variable);
    let names: Vec<&str> = tops.map(|entity| entity.record.name.as_str()).take(MAX_NAMES).collect();
    if names.is_empty() {
        return None;
    }
    let note = if doc.is_empty() { names.join(", ") } else { format!("{doc}: {}", names.join(", ")) };
    Some(file_row(file, &[]).with(note))
}

/// The kind of rows about files.
pub const FILE: &str = "file";

/// The title of the list that stands before the outline of a repository.
pub const MODULES: &str = "modules of the program";

/// Outlines the whole repository in parts.
pub fn repository(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let store = reading.store;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let files = store.files()?;
    let counts = store.counts()?;
    // A prompt shows the most important definitions, wherever they stand in the outline.
    let options = MapOptions { limit: MAX_WANTED, ..MapOptions::default() };
    for mapped in map(store, reading.sources, &options)?.entities.iter().take(MAX_WANTED) {
        if let Some(entity) = at_path(store, &mapped.name, &mapped.path)? {
            answer.want(&entity, "matters most here", true);
        }
    }
    // The further parts go on where the outline stopped.
    if reading.part.is_none_or(|part| part <= 1) {
        let mut modules = Vec::new();
        for (id, file) in files.iter().filter(|(_, file)| !file.is_test && !is_aside(&file.path)) {
            modules.extend(part(file, &store.entities_of(*id)?));
        }
        // The largest modules hold most of the program.
        modules.sort_by_key(|row| std::cmp::Reverse(row.end_line));
        let all = modules.len();
        modules.truncate(MAX_MODULES);
        modules.sort_by(|a, b| a.path.cmp(&b.path));
        answer.list(format!("{MODULES} ({} of {all}, the largest)", modules.len()), modules);
    }
    // The program comes before its tests.
    let (tests, code): (Vec<_>, Vec<_>) = files.iter().partition(|(_, file)| file.is_test);
    let mut outline: Vec<List> = Vec::new();
    let mut listed = 0;
    for (id, file) in code.into_iter().chain(tests) {
        let rows = outline_of(file, &store.entities_of(*id)?);
        let is_shown = |at: usize| reading.part.is_none_or(|part| at / PART + 1 == part);
        let all = rows.len();
        let rows: Vec<ListRow> = (listed..).zip(rows).filter(|(at, _)| is_shown(*at)).map(|(_, row)| row).collect();
        listed += all;
        if !rows.is_empty() {
            let (title, outline_of) = (file.path.clone(), Some(file.module.clone()));
            outline.push(List { title, rows, outline_of, ..List::default() });
        }
    }
    let parts = listed.div_ceil(PART).max(1);
    answer.headline = format!(
        "{} with {} and {}",
        count(to_usize(counts.files), "indexed file"),
        count(to_usize(counts.entities), "definition"),
        count(to_usize(counts.relationships), "relationship")
    );
    if matches!(understood.plan.task, Task::Smell | Task::Review) {
        let partial = files.iter().filter(|(_, file)| file.is_partial).count();
        let found = if partial == 0 {
            "no file has".to_owned()
        } else {
            format!("{} {}", count(partial, "file"), if partial == 1 { "has" } else { "have" })
        };
        // Nobody should take a map for the verdict that all is well.
        answer.headline = format!("{found} syntax errors; no other kind of error is looked for; {}", answer.headline);
    }
    if let Some(purpose) = whole::purpose(reading, understood)? {
        answer.headline = format!("{purpose}; {}", answer.headline);
    }
    let broken = broken_files(reading)?;
    answer.list(format!("files that were not wholly read ({})", broken.len()), broken);
    answer.blocks.extend(outline.into_iter().map(AnswerBlock::List));
    if let Some(part) = reading.part.filter(|_| parts > 1) {
        answer.bound(Completeness::LowerBound, [part_of(part.min(parts), parts)]);
    }
    Ok(answer)
}

/// The files that could not be read, or only in part, each with the reason.
fn broken_files(reading: AnswerInputs) -> Result<Vec<ListRow>, StoreError> {
    let files = reading.store.files()?;
    let broken = files.iter().filter(|(_, file)| file.is_partial || !file.skipped.is_empty());
    let row = |(_, file): &(FileId, FileRecord)| {
        let note = if file.is_partial { PARTIAL.to_owned() } else { format!("not indexed: {}", file.skipped) };
        file_row(file, &[]).with(note)
    };
    Ok(broken.map(row).collect())
}

/// The boundary of an answer that is one of several parts: which one, and how to get the next.
pub fn part_of(part: usize, parts: usize) -> Boundary {
    let next = match part {
        part if part < parts => format!("--part {} goes on", part + 1),
        // The last part leads back to the first.
        _ => "the last one; --part 1 is the first".to_owned(),
    };
    Boundary::new(PART_OF_ANSWER, parts, format!("this is part {part} of {parts}; {next}"))
}

/// Everything that a file defines, in the order of the source. A file without definitions is a row of its own.
fn outline_of(file: &FileRecord, entities: &[Entity]) -> Vec<ListRow> {
    let mut rows = Vec::new();
    for entity in entities.iter().filter(|entity| entity.record.duplicate == 0) {
        let is_module = entity.record.qualified.is_empty();
        if !is_module && entity.record.kind != EntityKind::Variable {
            let doc = if is_top(entity) { entity.record.doc.as_str() } else { "" };
            let note = doc.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned();
            rows.push(ListRow::of(entity).with(note));
        }
        rows.extend(variable_rows(file, entities, entity));
    }
    if rows.is_empty() {
        let note = match () {
            () if !file.skipped.is_empty() => format!("not indexed: {}", file.skipped),
            () if file.line_count == 0 => "empty".to_owned(),
            () => "no definitions, only imports or other statements".to_owned(),
        };
        rows.push(file_row(file, &[]).with(note));
    }
    rows
}

/// The variables of a module, class or function; several share a row.
fn variable_rows(file: &FileRecord, entities: &[Entity], owner: &Entity) -> Vec<ListRow> {
    let mut rows: Vec<ListRow> = Vec::new();
    let is_own = |entity: &&Entity| {
        let record = &entity.record;
        record.kind == EntityKind::Variable && entity.parent == owner.id && record.duplicate == 0
    };
    for variable in entities.iter().filter(is_own) {
        let (name, line) = (&variable.record.name, variable.record.line);
        match rows.last_mut().filter(|row| row.name.len() + name.len() < VARIABLES) {
            Some(row) => {
                row.name += &format!(", {name}");
                row.end_line = line;
            }
            None => rows.push(ListRow {
                name: variable.full_name(),
                kind: EntityKind::Variable.as_str(),
                path: file.path.clone(),
                line,
                end_line: line,
                ..ListRow::default()
            }),
        }
    }
    rows
}

/// Lists definitions that fit the words of the question, found as `search` finds them.
pub fn search(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut options = SearchOptions { limit: MAX_FOUND, kinds: understood.kinds(), ..SearchOptions::default() };
    if understood.asks_for_tests() {
        let kinds = vec![EntityKind::Function, EntityKind::Method];
        let tests = Filter { kinds, marks: vec![DefinitionMark::Test], ..Filter::default() };
        options.fitting = Some(FilterReader::new(reading.store)?.set(&tests)?);
    }
    if understood.plan.filters.noun == Some(Noun::Exception) {
        let marks = vec![DefinitionMark::Exception];
        let classes = Filter { kinds: vec![EntityKind::Class], marks, ..Filter::default() };
        options.fitting = Some(FilterReader::new(reading.store)?.set(&classes)?);
    }
    // A file of the question says where to look.
    options.paths = understood.plan.files.iter().flat_map(PlannedFile::patterns).collect();
    let mut report = (reading.search)(&understood.search, &options)?;
    if report.hits.is_empty() && !options.paths.is_empty() {
        options.paths.clear();
        report = (reading.search)(&understood.search, &options)?;
    }
    if report.hits.is_empty() {
        options.kinds.clear();
        report = (reading.search)(&understood.search, &options)?;
    }
    answer.headline = match report.hits.first() {
        None => "nothing in the index resembles the question".to_owned(),
        Some(first) => format!("nearest in meaning: `{}` at {}:{}", first.name, first.path, first.start_line),
    };
    let mut spelled = if understood.asks_for_tests() { Vec::new() } else { spelled(reading, understood)? };
    // `which class stores the config` is no question for a variable.
    spelled.retain(|entity| options.kinds.is_empty() || options.kinds.contains(&entity.record.kind));
    if let Some(first) = spelled.first() {
        answer.headline =
            format!("nearest by name: `{}` at {}:{}", first.full_name(), first.path, first.record.start_line);
    }
    if let ["which" | "what", "file" | "files" | "module" | "modules", ..] =
        understood.words.iter().map(String::as_str).collect::<Vec<_>>().as_slice()
        && let Some((path, fitting)) = nearest_file(&report.hits)
    {
        let fitting = count(fitting, "definition");
        answer.headline = format!("nearest in meaning: {path} with {fitting} of the {} nearest", report.hits.len());
    }
    let told: BTreeSet<&str> = understood.words.iter().map(String::as_str).filter(|word| tells(word)).collect();
    let absent = absent(reading.store, told.iter().copied())?;
    let is_a_name =
        |hit: &Hit| told.contains(without_underscores(hit.name.rsplit('.').next().unwrap_or_default()).as_str());
    if !absent.is_empty() && spelled.is_empty() && !report.hits.first().is_some_and(is_a_name) {
        let words = absent.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        if absent.len() == told.len() && !absent.iter().any(|word| has_meaning(word)) {
            // Nothing can be like words that nobody knows.
            answer.headline = format!("nothing here has any of the words {words}");
            return Ok(answer);
        }
        answer.headline += &format!("; nothing here has the word {words}");
    }
    let mut rows: Vec<ListRow> = spelled.iter().map(ListRow::of).collect();
    for entity in &spelled {
        answer.want(entity, "its name is spelt in the question", false);
    }
    let is_spelled = |path: &str, line: u32| spelled.iter().any(|e| e.path == path && e.record.start_line == line);
    let mut best = spelled.clone();
    for (index, hit) in report.hits.iter().filter(|hit| !is_spelled(&hit.path, hit.start_line)).enumerate() {
        if let Some(entity) = at_path(reading.store, &hit.name, &hit.path)? {
            answer.want(&entity, "near in meaning", index >= SHOWN_IN_FULL);
            best.push(entity);
        }
        rows.push(hit_row(hit));
    }
    answer.list(format!("nearest definitions, the likeliest first ({})", rows.len()), rows);
    for entity in best.iter().take(SHOWN_IN_FULL) {
        want_neighbors(reading.store, entity, &mut answer)?;
    }
    let message = "found by similarity: others may fit too, and none of these is certain".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("search", report.hits.len(), message)]);
    let missing = report.missing.into_iter().map(|reason| Boundary::new("search_list", 1, reason));
    answer.bound(Completeness::LowerBound, missing.collect::<Vec<_>>());
    Ok(answer)
}

/// Whether a word of a question says what is looked for.
fn tells(word: &str) -> bool {
    // Words of other languages are not expected in code.
    word.len() >= LEAST_TELLING && word.chars().all(|c| c.is_ascii_alphabetic()) && !is_stop_word(word)
}

/// Adds the callees and the callers of a definition to the material of a prompt, the program's own only.
fn want_neighbors(store: &Store, entity: &Entity, answer: &mut Answer) -> Result<(), StoreError> {
    let is_call = |edge: &Relationship| edge.kind == RelationshipKind::Calls;
    let callees: Vec<EntityId> = store.outgoing(entity.id)?.iter().filter(|e| is_call(e)).map(|e| e.target).collect();
    let callers = store.incoming_of(entity.id, RelationshipKind::Calls)?.into_iter().map(|edge| edge.source).collect();
    for (ids, why) in [(callees, "called by one of these"), (callers, "calls one of these")] {
        let ids: BTreeSet<EntityId> = ids.into_iter().filter(|id| *id != entity.id).collect();
        if ids.len() > MOST_CALLERS {
            continue;
        }
        let mut neighbors = Vec::new();
        for id in ids {
            neighbors.extend(store.entity(id)?.filter(|found| !is_aside(&found.path)));
        }
        neighbors.sort_by(|a, b| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
        neighbors.iter().take(MAX_NEIGHBORS).for_each(|found| answer.want(found, why, true));
    }
    Ok(())
}

/// The definitions whose names the question spells as words, `register an error handler` for `register_error_handler`:
/// the longest names first, the most used of equals.
fn spelled(reading: AnswerInputs, understood: &Understood) -> Result<Vec<Entity>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let stems: BTreeSet<String> = words.iter().map(|word| stem(word)).collect();
    let asks_for_definition = words.iter().any(|word| matches!(*word, "function" | "class" | "method" | "helper"));
    let is_said = |name: &str| {
        let parts: Vec<String> = name_parts(name).map(|part| stem(&part)).collect();
        // Three words that all occur are no accident; two have to stand together.
        let has_all = parts.len() > 2 && parts.iter().all(|part| part.len() > 1 && stems.contains(part));
        let bare = without_underscores(name);
        let joined = |many: usize| {
            words.windows(many).any(|run| run.iter().all(|word| !is_stop_word(word)) && run.concat() == bare)
        };
        // `is there a function to compute pagerank`
        let is_told =
            asks_for_definition && name.len() >= LEAST_SPELLED && words.contains(&name) && !is_stop_word(name);
        has_all || joined(2) || joined(3) || is_told
    };
    let mut names: Vec<String> = reading.store.names()?.into_iter().filter(|name| is_said(name)).collect();
    names.sort_by_key(|name| (std::cmp::Reverse(name.len()), name.clone()));
    let mut found = Vec::new();
    for name in names.iter().take(MAX_SPELLED) {
        let targets = reading.store.entities_named(name, false)?.into_iter().map(|entity| Target::of(vec![entity]));
        let (chosen, _) = likeliest(reading.store, name, targets.collect())?;
        found.extend(chosen.into_iter().take(1).map(|target| target.main().clone()));
    }
    let mut own = Vec::new();
    for entity in found {
        if reading.store.file(entity.file)?.is_some_and(|file| !file.is_test) {
            own.push(entity);
        }
    }
    Ok(own)
}

/// The file of the most and best hits, and the number of its hits. A hit counts by the inverse of its rank.
fn nearest_file(hits: &[Hit]) -> Option<(&str, usize)> {
    let mut files: Vec<(&str, f64, usize)> = Vec::new();
    for (rank, hit) in (1_u32..).zip(hits) {
        let weight = 1.0 / f64::from(rank);
        match files.iter_mut().find(|(path, ..)| *path == hit.path) {
            Some((_, sum, number)) => (*sum, *number) = (*sum + weight, *number + 1),
            None => files.push((&hit.path, weight, 1)),
        }
    }
    // Of equals, the one with the better first hit.
    files.sort_by(|a, b| b.1.total_cmp(&a.1));
    files.first().map(|(path, _, number)| (*path, *number))
}

/// Lists the definitions nearest in meaning beside an answer that rests on a part of the question.
pub fn near(reading: AnswerInputs, understood: &Understood, answer: &mut Answer) -> Result<(), StoreError> {
    let kinds = vec![EntityKind::Class, EntityKind::Function, EntityKind::Method];
    let options = SearchOptions { limit: MAX_NEAR, kinds, ..SearchOptions::default() };
    let mut rows = Vec::new();
    for hit in (reading.search)(&understood.search, &options)?.hits {
        if let Some(entity) = at_path(reading.store, &hit.name, &hit.path)? {
            answer.want(&entity, "near in meaning", true);
            rows.push(ListRow::of(&entity));
        }
    }
    answer.list(format!("nearest in meaning ({})", rows.len()), rows);
    Ok(())
}

/// The modules of the files that a plan names.
pub fn modules(store: &Store, plan: &QuestionPlan) -> Result<Vec<Target>, StoreError> {
    let mut modules = Vec::new();
    for path in plan.files.iter().flat_map(|file| &file.paths) {
        let Some(file) = store.file_id(path)? else { continue };
        let module = store.entities_of(file)?.into_iter().find(|entity| entity.record.qualified.is_empty());
        modules.extend(module.map(|entity| Target { entities: vec![entity], inherited_by: None }));
    }
    Ok(modules)
}

fn is_top(entity: &Entity) -> bool {
    !entity.record.qualified.is_empty() && !entity.record.qualified.contains('.') && entity.record.duplicate == 0
}

fn file_row(file: &FileRecord, names: &[&str]) -> ListRow {
    ListRow {
        name: file.module.clone(),
        kind: FILE,
        path: file.path.clone(),
        line: 1,
        end_line: file.line_count,
        note: names.join(", "),
        ..ListRow::default()
    }
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A row about a definition that a search found, with its docstring as the remark.
pub(super) fn hit_row(hit: &Hit) -> ListRow {
    ListRow {
        name: hit.name.clone(),
        kind: hit.kind.as_str(),
        signature: hit.signature.clone(),
        path: hit.path.clone(),
        line: hit.start_line,
        end_line: hit.end_line,
        note: hit.doc.clone(),
        ..ListRow::default()
    }
}
