//! Answers which names are imported out of a module from outside: `what do we import from typing`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, first_in_words,
            imports::outside::{AskedImports, ImportForm, scope},
        },
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    query::{
        target::{
            imported::{imports_from, uses_below},
            likeliest::is_aside,
            origins::OwnModules,
        },
        words::{count, shell_word},
    },
    store::error::StoreError,
};

/// Names that a headline has.
const MAX_NAMED: usize = 6;
/// Words before the verb that ask for files and not for names.
const OF_FILES: &str = "who file files module modules test tests package packages script scripts";

/// The module of such a question, and the word before its verb.
fn asked(words: &[String]) -> Option<(&str, Option<&str>)> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let from = words.iter().position(|word| *word == "from").filter(|from| *from > 0)?;
    let module = *words.get(from + 1)?;
    let rest = words.get(from + 2).copied().unwrap_or("here");
    let is_verb = is_in("import imports imported importing", words[from - 1]);
    let head = &words[..from - 1];
    let is_list = head.first().is_some_and(|word| is_in("what which list show everything all how", word));
    let asks_for_files = head.iter().take(3).any(|word| is_in(OF_FILES, word));
    let is_path = module.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let ends = is_in("here anywhere in inside within by outside at", rest);
    (is_verb && is_list && !asks_for_files && is_path && ends).then(|| (module, head.last().copied()))
}

/// One name: where it is imported first, and in which files.
#[derive(Default)]
struct NameOfModule {
    first: Option<(String, u32)>,
    files: BTreeSet<String>,
}

/// Answers such a question; `None` for others, and for modules of the repository.
pub(super) fn names_from(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let Some((module, subject)) = asked(&understood.words) else { return Ok(None) };
    let module = understood.as_spelled(module);
    let mut own = OwnModules::of(reading.store)?;
    if own.has(&module) {
        return Ok(None);
    }
    let of_place = AskedImports {
        form: ImportForm::Whether,
        name: module.clone(),
        subject: subject.map(str::to_owned),
        is_import: true,
        is_call: false,
        is_of_tests: false,
        is_of_users: false,
        is_common: false,
    };
    let Some(scope) = scope(reading, understood, &of_place)? else { return Ok(None) };
    let mut files = reading.store.files()?;
    files.sort_by_cached_key(|(_, file)| (file.is_test, is_aside(&file.path), file.path.clone()));
    let (mut names, mut whole) = (BTreeMap::<String, NameOfModule>::new(), NameOfModule::default());
    let (mut importers, mut elsewhere) = (BTreeSet::new(), 0);
    let mut used = BTreeMap::<String, usize>::new();
    for (_, file) in files {
        let found = imports_from(reading.store, &file, &module)?;
        if found.is_empty() {
            continue;
        }
        if !scope.holds(understood, &file) {
            elsewhere += 1;
            continue;
        }
        let is_whole = found.iter().any(|one| one.name.is_none());
        for one in found {
            let entry = match one.name {
                Some(name) => {
                    importers.insert(file.path.clone());
                    names.entry(name).or_default()
                }
                None => &mut whole,
            };
            entry.first.get_or_insert_with(|| (file.path.clone(), one.line));
            entry.files.insert(file.path.clone());
        }
        if is_whole {
            for one in uses_below(&mut own, reading.store, &file, &module)? {
                *used.entry(one.name).or_default() += 1;
            }
        }
    }
    if names.is_empty() && whole.files.is_empty() && elsewhere == 0 {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Packages).plan, String::new());
    answer.plan.unknown.clear();
    answer.plan.notes.clear();
    answer.command = format!("git grep -nE {}", shell_word(&format!("(from|import) {module}")));
    let mut sorted: Vec<(String, NameOfModule)> = names.into_iter().collect();
    sorted.sort_by(|a, b| b.1.files.len().cmp(&a.1.files.len()).then_with(|| a.0.cmp(&b.0)));
    let short = |name: &String| format!("`{}`", name.strip_prefix(&format!("{module}.")).unwrap_or(name));
    let place = &scope.words;
    let mut parts = Vec::new();
    if !sorted.is_empty() {
        let named = first_in_words(sorted.iter().map(|(name, _)| short(name)), MAX_NAMED);
        let are = if sorted.len() == 1 { "is" } else { "are" };
        let (number, modules) = (count(sorted.len(), "name"), count(importers.len(), "module"));
        parts.push(format!("{number} {are} imported from `{module}`{place} in {modules}: {named}"));
    }
    if !whole.files.is_empty() {
        let modules = count(whole.files.len(), "module");
        let import = if whole.files.len() == 1 { "imports" } else { "import" };
        let mut most: Vec<(String, usize)> = used.into_iter().collect();
        most.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let by_name = match most.len() {
            0 => String::new(),
            number => {
                let named = first_in_words(most.iter().map(|(name, _)| short(name)), MAX_NAMED);
                format!(
                    ", by which {} of it {} used: {named}",
                    count(number, "name"),
                    if number == 1 { "is" } else { "are" }
                )
            }
        };
        let lead =
            if sorted.is_empty() { format!("no name is imported from `{module}`{place}, but ") } else { String::new() };
        let module = if sorted.is_empty() { "the module itself".to_owned() } else { format!("`{module}` itself") };
        parts.push(format!("{lead}{modules} {import} {module}{by_name}"));
        let row = |(name, uses): &(String, usize)| ListRow {
            name: name.clone(),
            kind: "name",
            note: count(*uses, "use"),
            ..ListRow::default()
        };
        answer.list(format!("names used by way of the module ({})", most.len()), most.iter().map(row).collect());
    }
    if parts.is_empty() {
        parts.push(format!(
            "none: nothing is imported from `{module}`{place}; {} elsewhere import from it",
            count(elsewhere, "module")
        ));
    }
    answer.headline = parts.join("; ");
    let row = |(name, imported): &(String, NameOfModule)| {
        let (path, line) = imported.first.clone().unwrap_or_default();
        let note = match imported.files.len() {
            1 => String::new(),
            files => format!("in {}", count(files, "module")),
        };
        let text = reading.sources.line(&path, line).unwrap_or_default();
        ListRow { name: name.clone(), kind: "import", path, line, note, text, ..ListRow::default() }
    };
    answer.list(format!("names imported from `{module}` ({})", sorted.len()), sorted.iter().map(row).collect());
    Ok(Some(answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_names_says_out_of_which_module() {
        let read = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            asked(&words).map(|(module, subject)| (module.to_owned(), subject.map(str::to_owned)))
        };
        let of = |module: &str, subject: &str| Some((module.to_owned(), Some(subject.to_owned())));
        assert_eq!(read("what do we import from typing"), of("typing", "we"));
        assert_eq!(read("what does app.py import from werkzeug"), of("werkzeug", "app.py"));
        assert_eq!(read("which names are imported from a.b in c.py"), of("a.b", "are"));
        assert_eq!(read("which modules import from typing"), None);
        assert_eq!(read("which files import x from typing"), None);
    }
}
