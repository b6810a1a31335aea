//! A class and its member in plain words: `show context invoke` is `Context.invoke`.

use super::{LEADS, SpokenName, definitions::namesakes};
use crate::{
    ask::reading::words::is_in,
    model::EntityKind,
    query::target::{TargetMatch, is_suffix, known},
    store::{Store, error::StoreError, read::Entity},
};

/// Letters of the shortest class.
const SHORTEST_CLASS: usize = 3;

/// The member of the one class that a phrase names with it, whether the class defines or inherits it.
pub(super) fn named(store: &Store, phrase: &SpokenName<'_>) -> Result<Option<String>, StoreError> {
    // `when the context is closed` tells a story.
    let lead = phrase.front.iter().rfind(|word| !is_in("a an the", word));
    if !lead.is_some_and(|word| is_in(LEADS, word)) {
        return Ok(None);
    }
    // The longest name of a class first: `text area text` is `TextArea.text`.
    for length in (1..phrase.words.len()).rev() {
        let (class, member) = phrase.words.split_at(length);
        let mut classes = namesakes(store, class)?;
        classes.retain(|one| one.record.kind == EntityKind::Class && one.record.name.len() >= SHORTEST_CLASS);
        // A class that is written in its own case is that one.
        let is_written = class[0].starts_with(|c: char| c.is_ascii_uppercase());
        classes.retain(|one| !is_written || one.record.name == class.concat());
        classes.sort_by(|a, b| a.record.name.cmp(&b.record.name));
        classes.dedup_by(|a, b| a.record.name == b.record.name);
        // A public member comes before the private one of the same words.
        for underscores in ["", "_"] {
            let mut found = Vec::new();
            for class in &classes {
                for spelled in [member.join("_"), member.concat()] {
                    let name = format!("{}.{underscores}{spelled}", class.record.name);
                    found.extend(member_called(store, &name)?);
                }
            }
            found.dedup();
            match found.as_slice() {
                [] => {}
                [one] => return Ok(Some(one.clone())),
                _ => return Ok(None),
            }
        }
    }
    Ok(None)
}

/// `Class.member` as the member is written, where the class has one that differs in case at most.
pub(super) fn member_called(store: &Store, name: &str) -> Result<Option<String>, StoreError> {
    let (class, member) = name.rsplit_once('.').expect("a class and its member");
    // A module may be called like the class.
    let is_own = |one: &Entity| {
        let owner = one.record.qualified.strip_suffix(&one.record.name).and_then(|above| above.strip_suffix('.'));
        owner.is_some_and(|owner| is_suffix(owner, class))
    };
    let found = match known(store, name, "")? {
        Some(TargetMatch::Found(target)) if target.inherited_by.is_some() || is_own(target.main()) => {
            Some(target.main().clone())
        }
        Some(TargetMatch::Ambiguous(several)) => several.into_iter().find(is_own),
        _ => None,
    };
    let found = found.filter(|one| one.record.name.eq_ignore_ascii_case(member));
    Ok(found.map(|one| format!("{class}.{}", one.record.name)))
}
