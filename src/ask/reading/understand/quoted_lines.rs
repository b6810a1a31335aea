//! Finds the lines of code that a question quotes, and lets them choose among the definitions and files that it names.

use crate::{
    ask::{
        context::lines::{FoundLine, LinePlace, find_line},
        reading::{
            subjects::{QuestionNames, slots::owner_behind},
            words::{ParsedQuestion, numbered::numbered_lines},
        },
    },
    query::{source::Sources, target::Target},
    store::{Store, error::StoreError},
};

/// Finds the quoted lines. Of several definitions or files with one name only those are meant that have such a line.
pub(super) fn quoted_lines(
    store: &Store,
    sources: &Sources,
    question: &mut ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<Vec<FoundLine>, StoreError> {
    quote_statements(store, sources, question, named)?;
    let mut lines = Vec::new();
    for (before, quote) in &question.quotes {
        let is_called_line = question.is_called_line(*before);
        let mut places = in_definitions(store, sources, quote, named)?;
        if places.is_empty() {
            places = in_files(store, sources, quote, named)?;
        }
        let has_place =
            !named.files.is_empty() || named.mentions.iter().any(|mention| !mention.meanings.targets.is_empty());
        let mut elsewhere = Vec::new();
        if places.is_empty() && (is_called_line || !has_place) {
            let files = store.files()?;
            let all: Vec<&str> = files.iter().map(|(_, file)| file.path.as_str()).collect();
            let found = find_line(store, sources, quote, &[], &all)?;
            if has_place { &mut elsewhere } else { &mut places }.extend(found);
        }
        lines.push(FoundLine::new(quote.clone(), places, elsewhere, is_called_line));
    }
    Ok(lines)
}

/// Keeps the files of a name that have the line which the question gives by its number.
pub(super) fn files_with_line(sources: &Sources, text: &str, named: &mut QuestionNames) {
    let Some((first, _)) = numbered_lines(text) else { return };
    let has_line = |path: &String| sources.line(path, first).is_some();
    for file in named.files.iter_mut().filter(|file| !file.is_folder && file.paths.iter().any(has_line)) {
        file.paths.retain(has_line);
    }
}

/// Takes quoted code that could be a name for a line, where it is a whole one of the function behind it: ``remove
/// `self.x` from f``.
fn quote_statements(
    store: &Store,
    sources: &Sources,
    question: &mut ParsedQuestion,
    named: &mut QuestionNames,
) -> Result<(), StoreError> {
    for at in 0..question.words.len() {
        let owner = owner_behind(question, at).filter(|_| question.words[at].is_quoted);
        let Some(owner) = owner.and_then(|owner| named.mentions.iter().find(|mention| mention.at == owner)) else {
            continue;
        };
        let owners: Vec<&Target> = owner.meanings.targets.iter().chain(&owner.passed).collect();
        let owners: Vec<&Target> =
            owners.into_iter().filter(|target| target.main().record.kind.is_callable()).collect();
        for text in [format!("{}()", question.words[at].text), question.words[at].text.clone()] {
            if find_line(store, sources, &text, &owners, &[])?.iter().any(|place| place.is_whole) {
                question.quotes.push((at, text));
                named.mentions.retain(|mention| mention.at != at);
                named.blank.insert(at);
                break;
            }
        }
    }
    Ok(())
}

/// The places of a line in the named definitions. Those without it are passed over, unless all are.
fn in_definitions(
    store: &Store,
    sources: &Sources,
    quote: &str,
    named: &mut QuestionNames,
) -> Result<Vec<LinePlace>, StoreError> {
    let mut places: Vec<LinePlace> = Vec::new();
    for mention in &mut named.mentions {
        let chosen = mention.meanings.targets.len();
        let all: Vec<Target> = mention.meanings.targets.iter().chain(&mention.passed).cloned().collect();
        let mut holders: Vec<(usize, Vec<LinePlace>)> = Vec::new();
        for (at, target) in all.iter().enumerate() {
            holders.push((at, find_line(store, sources, quote, &[target], &[])?));
        }
        holders.retain(|(_, found)| !found.is_empty());
        let has_whole = |(_, found): &(usize, Vec<LinePlace>)| found.iter().any(|place| place.is_whole);
        if holders.iter().any(has_whole) {
            holders.retain(has_whole);
        }
        if holders.iter().any(|(at, _)| *at < chosen) {
            holders.retain(|(at, _)| *at < chosen);
        }
        if holders.is_empty() {
            continue;
        }
        let is_holder = |at: usize| holders.iter().any(|(holder, _)| *holder == at);
        let (holding, others): (Vec<_>, Vec<_>) = all.into_iter().enumerate().partition(|(at, _)| is_holder(*at));
        mention.meanings.targets = holding.into_iter().map(|(_, target)| target).collect();
        mention.passed = others.into_iter().map(|(_, target)| target).collect();
        for place in holders.into_iter().flat_map(|(_, found)| found) {
            if !places.iter().any(|known| (&known.path, known.line) == (&place.path, place.line)) {
                places.push(place);
            }
        }
    }
    Ok(places)
}

/// The places of a line in the named files; those without it are not meant.
fn in_files(
    store: &Store,
    sources: &Sources,
    quote: &str,
    named: &mut QuestionNames,
) -> Result<Vec<LinePlace>, StoreError> {
    let mut places = Vec::new();
    for file in &mut named.files {
        let paths: Vec<&str> = file.paths.iter().map(String::as_str).collect();
        let found = find_line(store, sources, quote, &[], &paths)?;
        if !file.is_folder && !found.is_empty() {
            file.paths.retain(|path| found.iter().any(|place| place.path == *path));
        }
        places.extend(found);
    }
    Ok(places)
}
