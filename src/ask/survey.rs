//! Answers about files, folders, the whole repository, and things that must be found by meaning.
//!
//! Goes in: an understood question. Comes out: lists of files and outlines of what they define; a long outline comes in
//! parts of a fixed size, so that any of them can be asked for again.

use std::collections::BTreeMap;

use crate::{
    ask::{
        answer::{Answer, Reading, Row, count},
        plan::{Plan, Understood, name_parts, stem},
        words::{Question, Word, is_stop_word},
    },
    model::{EntityKind, FileId, FileRecord},
    query::{
        completeness::{Boundary, Completeness},
        target::Target,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Rows of an outline that make one part.
const PART: usize = 400;
/// Definitions that a search gives.
const MAX_FOUND: usize = 15;
/// Definitions that a model is shown of an outline.
const MAX_WANTED: usize = 60;

/// Whether files exist, and what is in them.
pub fn files(reading: Reading, understood: &Understood) -> Result<Answer, StoreError> {
    let plan = &understood.plan;
    let mut answer = Answer::new(plan.clone(), String::new());
    let records: BTreeMap<String, (FileId, FileRecord)> =
        reading.store.files()?.into_iter().map(|(id, file)| (file.path.clone(), (id, file))).collect();
    let mut headlines = Vec::new();
    for file in &plan.files {
        let what = if file.is_folder { "folder" } else { "file" };
        headlines.push(match file.paths.as_slice() {
            [] => format!(
                "no: no indexed file is called `{}` (only Python files and pyproject.toml are indexed)",
                file.mention
            ),
            [path] => format!("yes: {path}"),
            paths if file.is_folder => {
                format!("yes: the {what} `{}` has {}", file.mention, count(paths.len(), "indexed file"))
            }
            paths => format!("yes, {} times: {}", paths.len(), paths.join(", ")),
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
        let rows: Vec<Row> = records.values().map(|(_, record)| file_row(record, &[])).collect();
        headlines.push(count(rows.len(), "indexed file"));
        answer.list(format!("files ({})", rows.len()), rows);
    }
    answer.headline = headlines.join("; ");
    for target in modules(reading.store, plan)?.iter().take(MAX_WANTED) {
        answer.want(target.main(), "asked about", true);
    }
    Ok(answer)
}

/// What the files of a question define.
pub fn contents(reading: Reading, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut all = 0;
    for target in &understood.targets {
        let module = target.main();
        let mut rows = Vec::new();
        for entity in reading.store.entities_of(module.file)? {
            if is_top(&entity) || entity.record.kind == EntityKind::Method {
                rows.push(Row::of(&entity));
            }
        }
        all += rows.len();
        answer.want(module, "asked about", understood.targets.len() > 1);
        answer.list(format!("{} ({})", module.path, rows.len()), rows);
    }
    answer.headline = format!("{} in {}", count(all, "definition"), count(understood.targets.len(), "file"));
    Ok(answer)
}

/// An outline of everything, in parts.
pub fn repository(reading: Reading, understood: &Understood) -> Result<Answer, StoreError> {
    let store = reading.store;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let files = store.files()?;
    let counts = store.counts()?;
    let mut outline: Vec<(String, Row, Entity)> = Vec::new();
    // What the program does comes before what tests it.
    let (tests, code): (Vec<_>, Vec<_>) = files.iter().partition(|(_, file)| file.is_test);
    for (id, file) in code.into_iter().chain(tests) {
        for entity in store.entities_of(*id)? {
            if is_top(&entity) && entity.record.kind != EntityKind::Variable {
                let note = entity.record.doc.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned();
                outline.push((file.path.clone(), Row::of(&entity).with(note), entity));
            }
        }
    }
    let parts = outline.len().div_ceil(PART).max(1);
    let part = reading.part.clamp(1, parts);
    let mut by_file: Vec<(String, Vec<Row>)> = Vec::new();
    for (index, (path, row, entity)) in outline.into_iter().enumerate() {
        if index / PART + 1 != part {
            continue;
        }
        if index % PART < MAX_WANTED {
            answer.want(&entity, "in the repository", true);
        }
        match by_file.last_mut().filter(|(last, _)| *last == path) {
            Some((_, rows)) => rows.push(row),
            None => by_file.push((path, vec![row])),
        }
    }
    answer.headline = format!(
        "{} with {} and {}",
        count(to_usize(counts.files), "indexed file"),
        count(to_usize(counts.entities), "definition"),
        count(to_usize(counts.relationships), "relationship")
    );
    let broken: Vec<Row> = files
        .iter()
        .filter(|(_, file)| file.is_partial || !file.skipped.is_empty())
        .map(|(_, file)| {
            let note =
                if file.is_partial { "has syntax errors".to_owned() } else { format!("not indexed: {}", file.skipped) };
            file_row(file, &[]).with(note)
        })
        .collect();
    answer.list(format!("files that were not wholly read ({})", broken.len()), broken);
    for (path, rows) in by_file {
        answer.list(path, rows);
    }
    if parts > 1 {
        let message = format!("this is part {part} of {parts}; --part {} goes on", part % parts + 1);
        answer.bound(Completeness::LowerBound, [Boundary::new("part", parts, message)]);
    }
    Ok(answer)
}

/// Definitions that have to do with the words of the question.
pub fn search(reading: Reading, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let found = relevant(reading.store, &understood.plan.question, MAX_FOUND)?;
    answer.headline = match found.first() {
        None => "nothing in the index is named like the words of the question".to_owned(),
        Some(first) => {
            format!("nearest by name: `{}` at {}:{}", first.full_name(), first.path, first.record.start_line)
        }
    };
    for (index, entity) in found.iter().enumerate() {
        answer.want(entity, "its name fits", index >= 5);
    }
    let rows: Vec<Row> = found.iter().map(|entity| Row::of(entity).with(entity.record.doc.clone())).collect();
    answer.list(format!("definitions named like it ({})", rows.len()), rows);
    let message = "found by the words of names and docstrings: what is worded otherwise is missing".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("search", answer.wanted.len(), message)]);
    Ok(answer)
}

/// The definitions whose names and docstrings have the most telling words of the question, best first.
pub fn relevant(store: &Store, question: &str, limit: usize) -> Result<Vec<Entity>, StoreError> {
    let words: Vec<String> = Question::parse(question)
        .words
        .iter()
        .map(Word::lower)
        .filter(|word| !is_stop_word(word) && word.chars().count() > 2)
        .map(|word| stem(&word))
        .collect();
    let mut names_with: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for name in store.names()? {
        for part in name_parts(&name).map(|part| stem(&part)) {
            if let Some(word) = words.iter().find(|word| **word == part) {
                names_with.entry(word).or_default().push(name.clone());
            }
        }
    }
    let mut scores: BTreeMap<String, f64> = BTreeMap::new();
    for names in names_with.values() {
        // A word that few names have tells more.
        let weight = 1.0 / f64::from(u32::try_from(names.len()).unwrap_or(u32::MAX)).sqrt();
        for name in names {
            *scores.entry(name.clone()).or_default() += weight;
        }
    }
    let mut names: Vec<(String, f64)> = scores.into_iter().collect();
    names.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut found: Vec<(f64, String, Entity)> = Vec::new();
    for (name, score) in names.into_iter().take(limit * 4) {
        for entity in store.entities_named(&name, false)? {
            let is_code = entity.record.kind == EntityKind::Class || entity.record.kind.is_callable();
            let kind = if is_code { 1.0 } else { 0.4 };
            let is_test = store.file(entity.file)?.is_some_and(|file| file.is_test);
            let about = format!("{} {}", entity.full_name(), entity.record.doc).to_lowercase();
            let shared = words.iter().filter(|word| about.contains(word.as_str())).count();
            let breadth = f64::from(u32::try_from(shared).unwrap_or(u32::MAX));
            let whole = score * kind * if is_test { 0.3 } else { 1.0 } + breadth;
            found.push((whole, entity.full_name(), entity));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)).then_with(|| a.2.path.cmp(&b.2.path)));
    Ok(found.into_iter().take(limit).map(|(.., entity)| entity).collect())
}

/// The modules of the files that a plan names.
pub fn modules(store: &Store, plan: &Plan) -> Result<Vec<Target>, StoreError> {
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

fn file_row(file: &FileRecord, names: &[&str]) -> Row {
    Row {
        name: file.module.clone(),
        kind: "file",
        path: file.path.clone(),
        line: 1,
        end_line: file.line_count,
        note: names.join(", "),
        ..Row::default()
    }
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
