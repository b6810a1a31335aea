//! The definitions of a kind that a noun of the program stands for: `which fields are affected by my change`.
//!
//! The noun is a filter, which the headline says: the classes below one of this name, exceptions, or the definitions
//! that have the word in their name or lie in a module or folder of this name.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::{
                judged::{defined_at, name_now, reached},
                limited::PartOfChange,
                own::{OwnReview, broken},
                reverse::heirs,
            },
            first_in_words,
        },
        reading::{
            forms::{
                own_change::{AffectedKind, OwnQuestion, Proposition},
                world::singulars,
            },
            names::at_path,
        },
    },
    model::{EntityFlags, EntityId, EntityKind, Evidence},
    query::{
        target::{filter::FilterReader, likeliest::is_aside},
        words::count,
    },
    review::{ChangedEntity, ReviewReport},
    store::{Store, error::StoreError, read::Entity},
};

/// Definitions that a headline names.
const MAX_NAMED: usize = 4;

/// The filter for which a noun stands.
pub(super) enum Fitting<'s> {
    /// The classes below one of this name.
    Below(String, BTreeSet<EntityId>),
    Exceptions(FilterReader<'s>),
    Fixtures,
    /// The word in its singular forms, in a name or that of a module or folder.
    Word(String, Vec<String>),
}

impl<'s> Fitting<'s> {
    pub(super) fn of_noun(store: &'s Store, noun: &str) -> Result<Self, StoreError> {
        let forms = singulars(noun);
        if forms.iter().any(|form| form == "exception") {
            return Ok(Self::Exceptions(FilterReader::new(store)?));
        }
        if forms.iter().any(|form| form == "fixture") {
            return Ok(Self::Fixtures);
        }
        for form in forms.iter().rev() {
            let mut letters = form.chars();
            let class: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            let below = heirs(store, &class)?;
            if !below.is_empty() {
                return Ok(Self::Below(class, below));
            }
        }
        Ok(Self::Word(noun.to_owned(), forms))
    }

    fn of(store: &'s Store, kind: &AffectedKind) -> Result<Self, StoreError> {
        match kind {
            AffectedKind::Noun(noun) => Self::of_noun(store, noun),
            AffectedKind::Below(class) => Ok(Self::Below(class.clone(), heirs(store, class)?)),
        }
    }

    pub(super) fn has(&self, entity: &Entity) -> Result<bool, StoreError> {
        let is_class = entity.record.kind == EntityKind::Class;
        Ok(match self {
            Self::Below(_, classes) => classes.contains(&entity.id),
            Self::Exceptions(reader) => is_class && reader.is_exception(entity)?,
            Self::Fixtures => entity.record.flags.has(EntityFlags::FIXTURE),
            Self::Word(noun, forms) => {
                let name = entity.record.name.to_lowercase();
                let is_place = |part: &str| part == noun || forms.iter().any(|form| part == form);
                forms.iter().any(|form| form.len() > 2 && name.contains(form.as_str()))
                    || entity.module.split('.').any(is_place)
                    || entity.path.split('/').any(is_place)
            }
        })
    }

    /// Whether it asks for definitions beside the program: fixtures, or what lies in a folder such as `examples`.
    fn is_beside(&self, entity: &Entity) -> bool {
        match self {
            Self::Fixtures => true,
            Self::Word(noun, _) => entity.path.split('/').any(|part| part == noun),
            _ => false,
        }
    }

    /// The things that it counts, with their number.
    fn counted(&self, number: usize) -> String {
        match self {
            Self::Below(class, _) => format!("{} below `{class}`", count(number, "class")),
            Self::Exceptions(_) => count(number, "exception"),
            Self::Fixtures => count(number, "fixture"),
            Self::Word(noun, _) => {
                format!("{} with `{noun}` in the name or path", count(number, "definition"))
            }
        }
    }
}

/// The definition that a change has, as it is now.
pub(super) fn one_of(reading: AnswerInputs, one: &ChangedEntity) -> Result<Option<Entity>, StoreError> {
    name_now(one).map_or(Ok(None), |name| defined_at(reading, name, one.kind, &one.path))
}

/// The class of a method, property or class variable; any other definition itself.
fn holder(store: &Store, entity: Entity) -> Result<Entity, StoreError> {
    let is_part = !matches!(entity.record.kind, EntityKind::Class | EntityKind::Module | EntityKind::Function);
    let class = if is_part { store.entity(entity.parent)? } else { None };
    Ok(class.filter(|outer| outer.record.kind == EntityKind::Class).unwrap_or(entity))
}

/// The part of a review about the changes of some files.
fn within(report: &ReviewReport, limit: &PartOfChange) -> ReviewReport {
    let mut report = report.clone();
    report.changed.retain(|one| limit.has(one));
    let changed = &report.changed;
    report.findings.retain(|finding| changed.iter().any(|one| one.name == finding.entity));
    report
}

/// Answers which definitions of a kind the change reaches.
pub(super) fn affected(
    reading: AnswerInputs,
    own: &OwnQuestion,
    (kind, limit): (&AffectedKind, &PartOfChange),
    review: &OwnReview,
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let fitting = Fitting::of(reading.store, kind)?;
    let limited = matches!(limit, PartOfChange::Files(..)).then(|| within(&review.report, limit));
    let report = limited.as_ref().unwrap_or(&review.report);
    let mut found = BTreeMap::<String, ListRow>::new();
    let mut add = |entity: Entity, note: String| -> Result<(), StoreError> {
        let holder = holder(reading.store, entity)?;
        if (!is_aside(&holder.path) || fitting.is_beside(&holder)) && fitting.has(&holder)? {
            found.entry(holder.full_name()).or_insert_with(|| ListRow::of(&holder).with(note));
        }
        Ok(())
    };
    for one in report.changed.iter().filter(|one| !one.is_test) {
        if let Some(entity) = one_of(reading, one)? {
            add(entity, "changed itself".to_owned())?;
        }
    }
    let mut possible = BTreeSet::new();
    for row in reached(reading, report)?.iter().flat_map(|reached| &reached.impacted) {
        if row.is_test && !matches!(fitting, Fitting::Fixtures) {
            continue;
        }
        if let Some(entity) = at_path(reading.store, &row.name, &row.path)? {
            if row.evidence == Evidence::Possible {
                let holder = holder(reading.store, entity)?;
                if !is_aside(&holder.path) && fitting.has(&holder)? {
                    possible.insert(holder.full_name());
                }
                continue;
            }
            let last = row.via.last().map_or(String::new(), |via| format!("reaches `{}`", via.name));
            add(entity, last)?;
        }
    }
    possible.retain(|name| !found.contains_key(name));
    let perhaps = match possible.len() {
        0 => String::new(),
        number => {
            let named = first_in_words(possible.into_iter().map(|name| format!("`{name}`")), MAX_NAMED);
            format!(", and possibly {number}{} ({named})", if found.is_empty() { "" } else { " more" })
        }
    };
    let by = match limit {
        PartOfChange::Files(..) => format!("{} in {}", review.name, limit.words()),
        _ => review.name.clone(),
    };
    let no = if own.yes == Proposition::Nothing { "none: " } else { own.yes.word(Proposition::Affected, Some(false)) };
    let extent = count(report.changed.len(), "changed definition");
    let ends = broken(&review.report, Proposition::Nothing);
    answer.headline = match found.len() {
        0 => {
            let none = fitting.counted(1).replacen("1 ", "no ", 1);
            format!("{no}{none} is known to be affected by {by}{perhaps}: {extent}; {ends}")
        }
        number => {
            let yes = own.yes.word(Proposition::Affected, Some(true));
            let named = first_in_words(found.keys().map(|name| format!("`{name}`")), MAX_NAMED);
            let are = if number == 1 { "is" } else { "are" };
            format!("{yes}{} {are} affected by {by} ({named}){perhaps}: {extent}; {ends}", fitting.counted(number))
        }
    };
    let rows: Vec<ListRow> = found.into_values().collect();
    answer.list(format!("affected {} ({})", fitting.counted(2).replacen("2 ", "", 1), rows.len()), rows);
    Ok(())
}
