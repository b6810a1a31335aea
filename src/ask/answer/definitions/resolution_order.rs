//! In which order Python looks through the classes above a class: `what is the MRO of Group`.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, in_words},
        reading::plan::Understood,
    },
    model::EntityKind,
    query::{
        navigate::resolution_order::{OrderedClass, ResolutionOrder},
        target::Target,
    },
    store::error::StoreError,
};

/// Lists the method resolution order of each class that a question names; `None` for other questions.
pub(crate) fn resolution_order(
    reading: AnswerInputs,
    understood: &Understood,
    answer: &mut Answer,
) -> Result<Option<String>, StoreError> {
    let has_order = understood.words.windows(2).any(|pair| pair[0] == "resolution" && pair[1] == "order");
    if !has_order && !understood.words.iter().any(|word| word == "mro") {
        return Ok(None);
    }
    let classes = understood.targets.iter().map(Target::main);
    let mut said = Vec::new();
    for class in classes.filter(|entity| entity.record.kind == EntityKind::Class) {
        let order = ResolutionOrder::of(reading.store, class)?;
        let (mut rows, mut names) = (Vec::new(), Vec::new());
        for one in order.classes {
            match one {
                OrderedClass::Own(id) => {
                    let Some(entity) = reading.store.entity(id)? else { continue };
                    names.push(format!("`{}`", entity.record.name));
                    answer.want(&entity, if entity.id == class.id { "asked about" } else { "a base of it" }, true);
                    rows.push(ListRow::of(&entity));
                }
                OrderedClass::Outside(name) => {
                    names.push(format!("`{name}`"));
                    rows.push(ListRow { name, kind: "class", ..ListRow::default() });
                }
            }
        }
        let name = class.full_name();
        let open = match order.unknown.as_slice() {
            [] => {
                names.push("`object`".to_owned());
                String::new()
            }
            unknown => format!(
                "; what stands above {} is not known",
                in_words(&unknown.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
            ),
        };
        said.push(format!("the method resolution order of `{name}` is {}{open}", names.join(", ")));
        answer.list(format!("method resolution order of `{name}` ({})", rows.len()), rows);
    }
    Ok(Some(said.join("; ")).filter(|said| !said.is_empty()))
}
