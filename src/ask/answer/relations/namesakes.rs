//! The classes below a class of a library that has the name of one here: `BaseModel` of pydantic beside an own one.

use std::collections::BTreeMap;

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, relations::hierarchy::flatten},
        reading::plan::Understood,
    },
    model::EntityKind,
    query::{
        navigate::{outside::heirs_of_outside, tree::tree_below_outside},
        words::count,
    },
    store::error::StoreError,
};

/// Lists the classes below classes of libraries that the question may mean as well, and says how many there are.
pub(super) fn below_namesakes(
    reading: AnswerInputs,
    understood: &Understood,
    answer: &mut Answer,
) -> Result<Vec<String>, StoreError> {
    let mut headlines = Vec::new();
    let classes = understood.plan.subjects.iter().filter(|subject| subject.kind == EntityKind::Class);
    let mut names: Vec<&str> = classes.map(|subject| subject.mention.as_str()).collect();
    names.dedup();
    for name in names {
        // A name in lower case is no class of a library.
        let is_same = |subject: &str| subject.rsplit('.').next() == name.rsplit('.').next();
        let is_written_so = understood.plan.subjects.iter().any(|subject| is_same(&subject.name));
        let Some(heirs) = heirs_of_outside(reading.store, name)?.filter(|_| is_written_so) else { continue };
        let report = tree_below_outside(reading.store, &heirs)?;
        let mut all = BTreeMap::new();
        flatten(&report.branches, &mut all);
        let base = &heirs.base;
        let classes = count(heirs.classes.len(), "class");
        let are = if heirs.classes.len() == 1 { "is" } else { "are" };
        headlines.push(format!("{classes} {are} derived from `{base}` of a library directly, {} in all", all.len()));
        let rows: Vec<ListRow> = heirs.classes.iter().map(ListRow::of).collect();
        answer.list(format!("direct subclasses of `{base}` ({})", rows.len()), rows);
    }
    Ok(headlines)
}
