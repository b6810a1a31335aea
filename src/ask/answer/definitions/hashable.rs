//! Yes or no to `is X hashable`, with the reason.

use crate::{
    ask::{
        answer::{AnswerInputs, definitions::named},
        reading::plan::Understood,
    },
    model::EntityKind,
    query::{
        navigate::instance_hash::{InstanceHash, instance_hash},
        target::Target,
    },
    store::error::StoreError,
};

/// Yes or no to `is X hashable`; `None` for other questions.
pub(super) fn hashable(
    reading: AnswerInputs,
    understood: &Understood,
    target: &Target,
) -> Result<Option<String>, StoreError> {
    let mut words = understood.words.iter().map(String::as_str);
    let is_asked = matches!(words.next(), Some("is" | "are"));
    let Some(asked) = words.find(|word| matches!(*word, "hashable" | "unhashable")).filter(|_| is_asked) else {
        return Ok(None);
    };
    let main = target.main();
    let name = named(main);
    let found = match main.record.kind {
        EntityKind::Class => instance_hash(reading.store, reading.sources, main)?,
        kind if kind.is_callable() => Some(InstanceHash::Has(format!("it is a {kind}"))),
        _ => return Ok(None),
    };
    let either = |is_so: bool| if is_so { "yes" } else { "no" };
    let place = format!("{}:{}", main.path, main.record.start_line);
    Ok(Some(match found {
        Some(InstanceHash::Has(why)) => format!("{}: {name} is hashable: {why}", either(asked == "hashable")),
        Some(InstanceHash::Lacks(why)) => format!("{}: {name} is not hashable: {why}", either(asked != "hashable")),
        Some(InstanceHash::Unknown(why)) => format!("whether {name} is hashable is not known: {why} ({place})"),
        None => {
            let why = "neither it nor a base defines `__eq__`, so it has the hash of `object`";
            format!("{}: {name} is hashable: {why} ({place})", either(asked == "hashable"))
        }
    }))
}
