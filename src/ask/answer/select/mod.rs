//! Answers about sets of definitions: those of a kind that fit conditions, and their number.

mod choice;
mod counts;
mod decorated;
pub(super) mod docstrings;
mod holders;
pub(super) mod likeness;
pub(super) mod nesting;
pub(super) mod protocols;
mod remarks;
pub(super) mod suite;
mod variables;

pub(super) use self::counts::{asked_members, counted_kinds, joined_kinds};
use self::{
    choice::ChosenDefinitions,
    counts::{counted_place, counts, plain_kinds},
    holders::with_methods,
    nesting::{around_others, overloads_of},
    remarks::REMARKS,
};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, Answering, ListRow, relations::forest::forest},
        reading::{
            filters::{Noun, Ranking},
            plan::Understood,
        },
    },
    model::EntityKind,
    query::{
        target::{
            Target,
            filter::{DefinitionMark, Filter},
        },
        words::plural,
    },
    store::{error::StoreError, read::Entity},
};

/// Definitions that a language model gets to see.
const MAX_WANTED: usize = 30;

/// Lists the definitions that fit the filters of a question. Where none in the likeliest file of a name does, those in
/// all files of the name count.
pub fn select(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let plan = &understood.plan;
    let kinds = joined_kinds(&understood.words);
    if kinds.len() > 1 && plan.filters.ranking().is_none() && understood.degree.is_none() {
        return counts(reading, understood, &kinds, true);
    }
    if let Some(place) = counted_place(understood) {
        let mut answer = counts(reading, understood, &plain_kinds(), false)?;
        let counted = "is no kind of definition: this counts all that the files of this name define";
        answer.headline += &format!("; `{place}` {counted}");
        return Ok(answer);
    }
    for answering in [around_others, overloads_of, with_methods] {
        if let Some(answer) = answering(reading, understood)? {
            return Ok(answer);
        }
    }
    if let Some(headline) = not_understood(understood) {
        return Ok(Answer::new(plan.clone(), headline));
    }
    let mut selection = ChosenDefinitions::of(reading, understood)?;
    if let Some(wider) = understood.in_every_file().filter(|_| selection.is_empty()) {
        let mut answer = select(reading, &wider)?;
        if answer.command.is_empty() {
            answer.command = wider.command();
        }
        return Ok(answer);
    }
    if plan.filters.has(Ranking::MostSubclasses.as_str())
        && selection.degree.is_none()
        && speaks_of_hierarchy(understood)
    {
        let mut classes: Vec<Entity> = selection.found.into_iter().map(|(_, entity)| entity).collect();
        classes.sort_by(|a, b| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
        return forest(reading, understood, classes, &place(understood, &selection.filter));
    }
    selection.keep_first();
    if selection.is_empty() && plan.filters.noun == Some(Noun::Method) {
        // In a hurry nobody tells a method from a function.
        let mut functions = understood.clone();
        functions.plan.filters.noun = Some(Noun::Helper);
        let answer = select(reading, &functions)?;
        if !answer.wanted.is_empty() {
            let headline = format!("no method fits; {}", answer.headline);
            return Ok(Answer { command: functions.command(), headline, ..answer });
        }
    }
    let mut answer = Answer::new(plan.clone(), selection.headline());
    if plan.filters.decorator_argument.is_some() {
        answer.command = plan.ask_command();
    }
    for remark in REMARKS {
        remark(&mut selection, &mut answer)?;
    }
    for (_, entity) in selection.found.iter().take(MAX_WANTED) {
        answer.want(entity, "it fits", true);
    }
    let rows: Vec<ListRow> = selection.found.iter().map(|found| selection.row(found)).collect();
    let is_none = rows.is_empty();
    answer.list(format!("{} that fit ({})", plural(selection.noun), rows.len()), rows);
    for (title, rows) in selection.further {
        let title = format!("{title} ({})", rows.len());
        if is_none { answer.list(title, rows) } else { answer.beside(title, rows) }
    }
    Ok(answer)
}

/// Answers the questions for parts of docstrings, before documents are looked at; `None` for other questions.
pub(super) fn of_docstrings(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    docstrings::asked::of_parts(reading, understood)
}

/// Answers the questions for sets that their words alone tell; `None` for other questions.
pub(super) fn told_by_words(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    const ALL: [Answering; 6] = [
        docstrings::docstrings,
        likeness::likeness,
        protocols::protocols,
        nesting::nested,
        suite::suite,
        decorated::decorated,
    ];
    for answering in ALL {
        if let Some(answer) = answering(reading, understood)? {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

/// The sentence for a list whose only condition is not understood: the whole list would be no answer.
fn not_understood(understood: &Understood) -> Option<String> {
    let filters = &understood.plan.filters;
    let noun = plural(filters.noun.unwrap_or(Noun::Definition).worded());
    // A definition around others is no nested one.
    let nested = understood.words.iter().position(|word| matches!(word.as_str(), "inner" | "nested"));
    let is_told = understood.filter().marks.contains(&DefinitionMark::Inner) || filters.ranking().is_some();
    if let Some(at) = nested.filter(|_| !is_told) {
        let words = understood.words[at.saturating_sub(1)..].join(" ");
        return Some(format!("which {noun} are meant is not known: the condition `{words}` is not understood"));
    }
    let missing = understood.plan.files.iter().find(|file| file.paths.is_empty());
    if let Some(missing) = missing.filter(|_| understood.targets.is_empty()) {
        return Some(format!("which {noun} are meant is not known: no indexed file is called `{}`", missing.mention));
    }
    // `which methods does Crat have`: the members of everything are not asked for.
    let stated = [
        &filters.base,
        &filters.metaclass,
        &filters.decorator,
        &filters.name,
        &filters.takes,
        &filters.parameter,
        &filters.returns,
        &filters.raises,
        &filters.catches,
    ];
    let is_stated = |name: &str| stated.iter().any(|value| value.as_ref().is_some_and(|value| value.contains(name)));
    let has_place = !understood.targets.is_empty() || !understood.plan.files.is_empty();
    if let Some(unknown) = understood.plan.unknown.iter().find(|one| !has_place && !is_stated(&one.mention)) {
        let like = match unknown.proposals.first() {
            Some(like) => format!("; a name like it is `{}` ({}:{})", like.name, like.path, like.line),
            None => String::new(),
        };
        let name = &unknown.mention;
        return Some(format!("which {noun} are meant is not known: nothing here is called `{name}`{like}"));
    }
    let has_condition = filters.is_any() || understood.degree.is_some() || filters.in_tests() == Some(true);
    if understood.further.is_empty() || has_condition {
        return None;
    }
    let words = understood.further.join(" ");
    Some(format!("which {noun} are meant is not known: the condition `{words}` is not understood"))
}

/// Whether the hierarchy of all classes is asked for, not one class.
fn speaks_of_hierarchy(understood: &Understood) -> bool {
    understood.words.iter().any(|word| word.starts_with("hierarch") || word == "tree")
}

/// Whether a module is a configuration file, which has no importers and is no Python.
pub(super) fn is_configuration(entity: &Entity) -> bool {
    let ending = entity.path.rsplit('.').next().unwrap_or_default();
    entity.record.kind == EntityKind::Module && matches!(ending, "toml" | "ini" | "cfg")
}

/// Tells the definitions of the classes and modules that a question names, outside of the files that it leaves out.
fn within(understood: &Understood) -> impl Fn(&Entity) -> bool {
    let owners = understood.owners();
    // The methods of a class inside of a class are not those of the outer one.
    let is_of_class = |owner: &Target| owner.main().record.kind == EntityKind::Class;
    let asks_for_own = understood.plan.filters.noun.is_some_and(Noun::is_callable);
    move |entity| {
        let is_own = |owner: &Target| {
            !asks_for_own || !is_of_class(owner) || owner.entities.iter().any(|class| class.id == entity.parent)
        };
        let is_held = |owners: &Vec<&Target>| owners.iter().any(|owner| holds(owner.main(), entity) && is_own(owner));
        !understood.leaves_out(&entity.path) && owners.as_ref().is_none_or(is_held)
    }
}

/// Whether a definition stands in a class or module.
pub(super) fn holds(owner: &Entity, entity: &Entity) -> bool {
    let inner = &entity.record.qualified;
    if owner.record.kind == EntityKind::Module && owner.path.ends_with("__init__.py") {
        return entity.module == owner.module || entity.module.starts_with(&format!("{}.", owner.module));
    }
    let rest = inner.strip_prefix(owner.record.qualified.as_str());
    owner.file == entity.file && (owner.record.qualified.is_empty() || rest.is_some_and(|rest| rest.starts_with('.')))
}

/// The place where the question looks, in words.
pub(super) fn place(understood: &Understood, filter: &Filter) -> String {
    let plan = &understood.plan;
    if plan.files.is_empty() && !plan.outside.is_empty() {
        return understood.limited_to().trim_start().to_owned();
    }
    if let Some(owners) = understood.owners() {
        let names: Vec<String> = owners.iter().map(|target| format!("`{}`", target.main().full_name())).collect();
        return format!("of {}", names.join(" and "));
    }
    let shown = |mention: &str, paths: &[String]| match paths {
        [path] => path.clone(),
        _ => mention.to_owned(),
    };
    match (plan.files.as_slice(), filter.is_in_tests) {
        ([], Some(false)) => "outside of tests".to_owned(),
        ([], Some(true)) => "in tests".to_owned(),
        ([], None) => "in the repository".to_owned(),
        (files, _) => {
            let files: Vec<String> = files.iter().map(|file| shown(&file.mention, &file.paths)).collect();
            format!("in {}", files.join(" and "))
        }
    }
}
