//! Deprecated definitions: which ones the source calls so, as a whole or in part, and where it warns of others.

use std::collections::BTreeMap;

use super::only_asked;
use crate::{
    ask::answer::{
        Answer, AnswerInputs, ListRow,
        definitions::{
            deprecated::{Deprecation, deprecation},
            named,
        },
        places::{self, PlaceRole, places},
        select::choice::{ChosenDefinitions, Ranked},
    },
    query::{
        target::{
            filter::{DefinitionMark, Filter},
            likeliest::is_aside,
        },
        words::count,
    },
    store::error::StoreError,
};

/// Says what tells that definitions are deprecated, and lists the places that say it of a part or of something else.
pub(super) fn on_deprecation(selection: &mut ChosenDefinitions, answer: &mut Answer) -> Result<(), StoreError> {
    if let Some(in_part) = selection.in_part.take() {
        answer.headline += "; read off decorators, docstrings and warnings";
        if !in_part.is_empty() {
            answer.headline += &format!(", which speak of it for a part or a case of {} more", in_part.len());
        }
        only_asked(answer);
        selection.further.push(("deprecated in part, or under a condition".to_owned(), in_part));
    }
    if !selection.filter.marks.contains(&DefinitionMark::Deprecated) {
        return Ok(());
    }
    let found = |text: &str| places(selection.reading, selection.understood, text);
    let mut told = found("deprecated::")?;
    told.retain(|place| !place.is_test && !is_aside(&place.path) && place.text.starts_with(".. deprecated::"));
    // Most projects warn when the code runs, and decorate nothing.
    let mut warned = found("DeprecationWarning")?;
    warned.retain(|place| !place.is_test && !is_aside(&place.path) && place.role != PlaceRole::Imports);
    if !told.is_empty() {
        answer.headline += &format!("; docstrings say it at {}", count(told.len(), "place"));
    }
    if !warned.is_empty() {
        answer.headline += &format!("; the program names `DeprecationWarning` at {}", count(warned.len(), "place"));
    }
    for (title, places) in [("deprecations that docstrings tell", told), ("deprecations that it warns of", warned)] {
        selection.further.push((title.to_owned(), places.iter().map(places::row).collect()));
    }
    Ok(())
}

/// Whether deprecated definitions are asked for or left out, and the other conditions.
pub(in crate::ask::answer::select) fn without_deprecation(filter: &Filter) -> (Option<bool>, Filter) {
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
pub(in crate::ask::answer::select) fn judged_by_source(
    reading: AnswerInputs,
    found: &mut Ranked,
    wanted: bool,
) -> Vec<ListRow> {
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
