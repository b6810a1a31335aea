//! Answers ordinary questions about a definition that one's own change added: `is my new class tested`.
//!
//! The noun is looked up among the added definitions, and the question is asked again with the name of each.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, both,
            changes::{
                limited::contents_of_new_modules,
                own::{
                    kinds::{Fitting, one_of},
                    reviewed,
                },
            },
            history::asked_kinds,
        },
        reading::{
            forms::own_change::{OwnChange, OwnQuestion},
            plan::{Hints, Understood},
            understand::understand,
        },
    },
    model::EntityKind,
    review::{ChangedEntity, Edit},
    store::error::StoreError,
};

/// More added definitions than this are asked about together.
const MOST: usize = 3;

/// `None` where the question has another subject, or the change added nothing of the kind.
pub(super) fn of_added(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let Some(subject) = &understood.added else { return Ok(None) };
    let change = understood.own.as_ref().map_or(OwnChange::Own, |own| own.change.clone());
    let Some(added) = OwnQuestion::of("what did I add").map(|own| OwnQuestion { change, ..own }) else {
        return Ok(None);
    };
    let Ok(review) = reviewed(reading, &added, &[]) else { return Ok(None) };
    let of_modules = contents_of_new_modules(reading, &review.report)?;
    let kinds = asked_kinds(std::slice::from_ref(&subject.noun));
    let fitting = Fitting::of_noun(reading.store, &subject.noun)?;
    let mut found: Vec<&ChangedEntity> = Vec::new();
    for one in review.report.changed.iter().chain(&of_modules) {
        if one.is_test || !one.edits.contains(&Edit::Added) {
            continue;
        }
        let is_module = one.kind == EntityKind::Module;
        let is_asked = match (kinds, subject.noun.as_str()) {
            (_, "module" | "file" | "script") => is_module,
            (Some((_, kinds)), _) => kinds.contains(&one.kind),
            (None, "test" | "package" | "folder") => false,
            (None, _) if is_module => false,
            (None, _) => match one_of(reading, one)? {
                Some(entity) => fitting.has(&entity)?,
                None => false,
            },
        };
        if is_asked {
            found.push(one);
        }
    }
    if found.is_empty() && kinds.is_none() && !matches!(subject.noun.as_str(), "test" | "package" | "folder") {
        // `my new helper`: the only addition has no other name.
        let is_new = |one: &&ChangedEntity| !one.is_test && one.edits.contains(&Edit::Added);
        let all = review.report.changed.iter().chain(&of_modules).filter(is_new);
        let all: Vec<&ChangedEntity> = all.filter(|one| one.kind != EntityKind::Module).collect();
        found.extend(<[&ChangedEntity; 1]>::try_from(all).into_iter().flatten());
    }
    // A class is added with its methods.
    let owners: Vec<String> = found.iter().map(|one| format!("{}.", one.name)).collect();
    found.retain(|one| !owners.iter().any(|owner| one.name.starts_with(owner.as_str())));
    if found.is_empty() || found.len() > MOST {
        return Ok(None);
    }
    let mut told: Option<Answer> = None;
    for one in found {
        let asked = understand(reading.store, reading.sources, &subject.about(&one.name), &Hints::default())?;
        if asked.added.is_some() {
            return Ok(None);
        }
        let answer = both(reading, &asked)?;
        told = Some(match told {
            None => answer,
            Some(mut first) => {
                first.headline = format!("{}; {}", first.headline, answer.headline);
                first.blocks.extend(answer.blocks);
                first.bound(answer.completeness, answer.boundaries);
                first
            }
        });
        if let Some(told) = &mut told {
            told.plan.notes.push(format!("`{}` is added by {}", one.name, review.name));
        }
    }
    Ok(told)
}
