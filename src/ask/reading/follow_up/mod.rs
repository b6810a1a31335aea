//! Questions that go on with the one before them, as questions that stand by themselves.
//!
//! A follow-up leaves out what the conversation has: its subject, its question, or a row of its list. The full question
//! has it in words, so that every form of a question understands it. Nothing here reads the answer itself.

mod again;
mod ellipsis;
mod listed;
mod of_list;
mod pronouns;
mod tokens;

use crate::{
    ask::reading::{
        forms::own_change::{OfChange, OwnQuestion},
        plan::Hints,
    },
    model::EntityKind,
    query::target::{Target, TargetMatch, look_up},
    store::{Store, error::StoreError, read::Entity},
};

/// The conversation before a question.
#[derive(Clone, Debug, Default)]
pub struct EarlierQuestion {
    /// The last question.
    pub last: String,
    /// The last question that has a subject, and the full names of its subjects.
    pub text: String,
    pub subjects: Vec<String>,
    /// The full names of the definitions that `it` meant or could mean, turn by turn, the newest first.
    pub topics: Vec<String>,
    /// The question that asked for the list from which others chose since.
    pub opening: String,
    /// The last answer lists definitions.
    pub lists: bool,
}

/// A follow-up as a question that stands by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullQuestion {
    pub text: String,
    /// The definition that the conversation stays with.
    pub topic: Option<String>,
    /// It is about a row of the list before, which stays the list of the conversation.
    pub is_of_row: bool,
    /// It asks whether all definitions of the list before are so.
    pub is_of_every: bool,
}

/// The definition that a conversation is about, with the names by which questions speak of it.
struct EarlierSubject {
    target: Target,
    /// A name that means it alone.
    name: String,
}

/// The full question behind a follow-up; `None` for a question of its own.
pub fn full_question(store: &Store, hints: &Hints, text: &str) -> Result<Option<FullQuestion>, StoreError> {
    if hints.is_selected || hints.earlier.last.is_empty() {
        return Ok(None);
    }
    let of_other = |text| FullQuestion { text, topic: None, is_of_row: false, is_of_every: false };
    if let Some(again) = again::asked_again(store, &hints.earlier, text)? {
        return Ok(Some(of_other(again)));
    }
    let own = OwnQuestion::of(text);
    if own.as_ref().is_some_and(|own| !own.is_bare && own.revision.is_none()) {
        return Ok(None);
    }
    let asks_for_tests = own.is_some_and(|own| own.is_bare && own.first() == OfChange::Tests);
    if let Some(text) = listed::named_by_number(store, &hints.listed, text)? {
        return Ok(Some(FullQuestion { is_of_row: true, ..of_other(text) }));
    }
    if let Some(text) = listed::both_named(store, hints, text)? {
        return Ok(Some(of_other(text)));
    }
    if let Some(text) = ellipsis::restricted(&hints.earlier.last, text) {
        let topic = hints.earlier.topics.first().cloned();
        return Ok(Some(FullQuestion { topic, ..of_other(text) }));
    }
    if let Some(of_list::OfList { text, is_of_every }) = of_list::completed(hints, text) {
        return Ok(Some(FullQuestion { is_of_every, ..of_other(text) }));
    }
    let Some(topic) = hints.earlier.topics.first() else { return Ok(None) };
    let Some(topic) = EarlierSubject::of(store, topic)? else { return Ok(None) };
    let full = match pronouns::replaced(store, &topic, text)? {
        Some(text) => Some(text),
        None => ellipsis::completed(&topic.name, &hints.earlier.text, text, asks_for_tests),
    };
    Ok(full.map(|text| FullQuestion { topic: Some(topic.target.main().full_name()), ..of_other(text) }))
}

impl EarlierSubject {
    fn of(store: &Store, full_name: &str) -> Result<Option<Self>, StoreError> {
        let TargetMatch::Found(target) = look_up(store, full_name, "")? else { return Ok(None) };
        Ok(Some(Self { name: written(store, target.main())?, target }))
    }

    /// The class around a member.
    fn class(&self, store: &Store) -> Result<Option<Entity>, StoreError> {
        let parent = store.entity(self.target.main().parent)?;
        Ok(parent.filter(|parent| parent.record.kind == EntityKind::Class))
    }
}

/// The shortest name that means one definition and looks like a name.
fn written(store: &Store, entity: &Entity) -> Result<String, StoreError> {
    let qualified = &entity.record.qualified;
    if qualified.contains(['.', '_'])
        && let TargetMatch::Found(target) = look_up(store, qualified, "")?
        && target.main().id == entity.id
    {
        return Ok(qualified.clone());
    }
    Ok(entity.full_name())
}
