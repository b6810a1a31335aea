//! Yes or no to `does C.p have a setter`.

use crate::{
    ask::{
        answer::{AnswerInputs, definitions::named},
        reading::plan::Understood,
    },
    model::EntityKind,
    query::target::{Target, lineage},
    store::{Store, error::StoreError, read::Entity},
};

/// The verdict; `None` for other questions.
pub(in crate::ask::answer) fn setter(
    reading: AnswerInputs,
    understood: &Understood,
    target: &Target,
) -> Result<Option<String>, StoreError> {
    let words = &understood.words;
    let begins = matches!(words.first().map(String::as_str), Some("does" | "do" | "has" | "have" | "is" | "can"));
    let asked = ["setter", "deleter"].into_iter().find(|asked| words.iter().any(|word| word == asked));
    let Some(asked) = asked.filter(|_| begins) else { return Ok(None) };
    let main = target.main();
    let mut main = main.clone();
    if main.record.kind == EntityKind::Variable {
        // `self.p = …` in a class writes the property of its base.
        match inherited_property(reading.store, &main)? {
            Some(property) => main = property,
            None => {
                let place = format!("{}:{}", main.path, main.record.start_line);
                return Ok(Some(format!("no: {} is no property, but an attribute ({place})", named(&main))));
            }
        }
    }
    if main.record.kind != EntityKind::Property {
        return Ok(None);
    }
    let (name, place) = (named(&main), format!("{}:{}", main.path, main.record.start_line));
    let decorator = format!("{}.{asked}", main.record.name);
    let mut siblings = reading.store.children(main.parent)?;
    siblings.retain(|one| one.record.name == main.record.name && one.record.decorators.contains(&decorator));
    Ok(Some(match siblings.first() {
        Some(found) => format!("yes: {name} has a {asked} ({}:{})", found.path, found.record.start_line),
        None => format!("no: the property {name} has no {asked} ({place})"),
    }))
}

/// The property of a base that an attribute of a class goes to.
pub(in crate::ask::answer) fn inherited_property(
    store: &Store,
    attribute: &Entity,
) -> Result<Option<Entity>, StoreError> {
    for class in lineage(store, attribute.parent)? {
        let mut members = store.children(class)?.into_iter();
        let is_it = |one: &Entity| one.record.kind == EntityKind::Property && one.record.name == attribute.record.name;
        if let Some(property) = members.find(is_it) {
            return Ok(Some(property));
        }
    }
    Ok(None)
}
