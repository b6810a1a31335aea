//! Answers about imports: packages from outside, cycles, and the places where the program begins.

pub(super) mod between;
mod both;
mod names;
pub(super) mod outside;
pub(super) mod unused;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, ListRow, Snippet, first_in_words},
        reading::{
            plan::Understood,
            words::{is_in, is_stop_word},
        },
    },
    model::{EntityId, EntityKind, FileId, FileRecord, RelationshipKind, conventions::standard_library},
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::{
            cycles::import_cycles,
            leaves::{self, FreeCode, Leaf},
        },
        source::texts::lines_of_texts,
        target::{
            TargetMatch,
            imported::{ImportPlace, imports_of},
            innermost, known,
            likeliest::is_aside,
            origins::OwnModules,
            packages::whole_package,
        },
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Places that are shown for one package.
const MAX_PLACES: usize = 3;
/// Modules that a ranking lists.
const MAX_RANKED: usize = 10;
/// Modules that the headline about a file names.
const MAX_MODULES: usize = 12;
/// Files that declare what a project needs and how it is started.
const DECLARING: [&str; 4] = ["pyproject.toml", "setup.cfg", "setup.py", "requirements.txt"];

/// Whether an import names Python itself; type stubs import `_typeshed`.
fn is_standard(module: &str) -> bool {
    standard_library::is_module(module) || matches!(module, "__main__" | "_typeshed")
}

/// One import statement: its line, its module as written, its text.
struct ImportLine {
    pub line: u32,
    pub module: String,
    pub text: String,
}

/// The import statements of a text.
fn imports(text: &str) -> Vec<ImportLine> {
    let mut found = Vec::new();
    // Programs in texts and documents import nothing here.
    let texts = lines_of_texts(text);
    for (index, line) in text.lines().enumerate() {
        let line_number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if texts.contains_key(&line_number) {
            continue;
        }
        let statement = line.trim();
        let mut add = |module: &str| {
            found.push(ImportLine { line: line_number, module: module.to_owned(), text: statement.to_owned() });
        };
        if let Some(rest) = statement.strip_prefix("from ") {
            let Some((module, _)) = rest.split_once(" import ") else { continue };
            add(module.trim());
        } else if let Some(rest) = statement.strip_prefix("import ") {
            for module in rest.split('#').next().unwrap_or(rest).split(',') {
                if let Some(module) = module.split_whitespace().next() {
                    add(module);
                }
            }
        }
    }
    found
}

/// Whether a file has an import statement.
pub(super) fn has_imports(reading: AnswerInputs, path: &str) -> bool {
    reading.sources.text(path).is_some_and(|text| !imports(&text).is_empty())
}

/// Shows the imports of one module, or the other code at its level; `None` for other questions.
pub fn free_code(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let plan = &understood.plan;
    let kind = match (plan.filters.has("module_code"), plan.filters.has("import_lines")) {
        (true, _) => FreeCode::Other,
        (_, true) => FreeCode::Imports,
        _ => return Ok(None),
    };
    let paths: Vec<&str> = plan.files.iter().flat_map(|file| file.paths.iter().map(String::as_str)).collect();
    let file = match (understood.targets.as_slice(), paths.as_slice()) {
        ([target], []) => Some(target.main().file),
        ([], [path]) => reading.store.file_id(path)?,
        _ => None,
    };
    let Some(file) = file else { return Ok(None) };
    let Some(module) = reading.store.entities_of(file)?.into_iter().next() else { return Ok(None) };
    let found = leaves::free_code(reading.store, reading.sources, file, Some(kind))?;
    let name = module.full_name();
    let noun = if kind == FreeCode::Imports { "imports" } else { "other code at module level" };
    let place = |leaf: &Leaf| match leaf.start_line {
        line if line == leaf.end_line => line.to_string(),
        line => format!("{line}-{}", leaf.end_line),
    };
    let mut answer = Answer::new(plan.clone(), String::new());
    let [first, ..] = found.as_slice() else {
        answer.headline = format!("`{name}` has no {noun} ({})", module.path);
        return Ok(Some(answer));
    };
    let places: Vec<String> = found.iter().map(place).collect();
    let verb = if kind == FreeCode::Imports { "are" } else { "is" };
    let place = format!("{}:{}", module.path, places.join(", "));
    answer.headline = format!("the {noun} of `{name}` {verb} at {place}");
    if kind == FreeCode::Imports
        && let Some(counted) = counted_imports(reading, understood, &module, &found)?
    {
        answer.headline = format!("{counted} ({place})");
    }
    answer.command = format!("repoidx show {}", first.name.split('@').next().unwrap_or_default());
    for Leaf { name, start_line, end_line, .. } in found {
        let text = reading.sources.lines(&module.path, start_line, end_line);
        let (kind, path) = (EntityKind::Module, module.path.clone());
        answer.blocks.push(AnswerBlock::Source(Snippet { name, kind, path, start_line, end_line, text }));
    }
    answer.want(&module, "asked about", false);
    Ok(Some(answer))
}

/// The number of import statements of a module, or its imported modules, where a question asks for these.
fn counted_imports(
    reading: AnswerInputs,
    understood: &Understood,
    module: &Entity,
    at_module_level: &[Leaf],
) -> Result<Option<String>, StoreError> {
    let is_said = |list: &str| understood.words.iter().any(|word| is_in(list, word));
    let all = imports(&reading.sources.text(&module.path).unwrap_or_default());
    let name = module.full_name();
    if is_said("many number") {
        let lines: BTreeSet<u32> = all.iter().map(|import| import.line).collect();
        let is_inner =
            |line: &&u32| at_module_level.iter().all(|leaf| !(leaf.start_line..=leaf.end_line).contains(line));
        let inner = match lines.iter().filter(is_inner).count() {
            0 => String::new(),
            inner => format!(", {inner} of them inside of definitions"),
        };
        return Ok(Some(format!("`{name}` has {}{inner}", count(lines.len(), "import statement"))));
    }
    let of_standard = is_said("standard stdlib");
    if !of_standard && !is_said("modules") {
        return Ok(None);
    }
    let package = if module.path.ends_with("__init__.py") {
        name.as_str()
    } else {
        name.rsplit_once('.').map_or("", |(package, _)| package)
    };
    let own: BTreeSet<String> = reading.store.modules()?.into_iter().map(|(_, module)| module).collect();
    let mut modules: BTreeSet<String> = all.iter().map(|import| absolute(package, &import.module)).collect();
    modules.retain(|module| {
        let top = module.split('.').next().unwrap_or_default();
        !of_standard || is_standard(top) && !own.contains(top)
    });
    let named = first_in_words(modules.iter().map(|module| format!("`{module}`")), MAX_MODULES);
    let library = if of_standard { " of the standard library" } else { "" };
    Ok(Some(match modules.len() {
        0 => format!("none: `{name}` imports no module{library}"),
        number => format!("`{name}` imports {}{library}: {named}", count(number, "module")),
    }))
}

/// The full name of a module as an import in `package` writes it: `..b` in `a.c` is `a.b`.
fn absolute(package: &str, written: &str) -> String {
    let rest = written.trim_start_matches('.');
    let dots = written.len() - rest.len();
    if dots == 0 {
        return written.to_owned();
    }
    let mut parts: Vec<&str> = package.split('.').collect();
    parts.truncate(parts.len().saturating_sub(dots - 1));
    parts.extend((!rest.is_empty()).then_some(rest));
    parts.join(".")
}

/// The imports of a name in a file with this text.
fn imports_in(
    reading: AnswerInputs,
    own: &mut OwnModules,
    file: &FileRecord,
    text: &str,
    name: &str,
) -> Result<Vec<ImportPlace>, StoreError> {
    let mut places = imports_of(own, reading.store, file, name)?;
    // Those from `__future__` bind nothing, and the facts of a file do not have them.
    let feature = name.strip_prefix("__future__.").unwrap_or(name);
    for (line, text) in (1..).zip(text.lines()) {
        let Some(rest) = text.strip_prefix("from __future__ import ") else { continue };
        let mut words = rest.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        if name == "__future__" || words.any(|word| word == feature) {
            let name = if name.contains("__future__") { name.to_owned() } else { format!("__future__.{name}") };
            places.push(ImportPlace { line, name, is_own: false });
        }
    }
    Ok(places)
}

/// The definitions around each import of something from outside, a module or a name: the module, for most.
pub fn importing(reading: AnswerInputs, name: &str) -> Result<Vec<EntityId>, StoreError> {
    let mut own = OwnModules::of(reading.store)?;
    let mut found = Vec::new();
    for (id, file) in reading.store.files()? {
        let text = reading.sources.text(&file.path).unwrap_or_default();
        let mut places = imports_in(reading, &mut own, &file, &text, name)?;
        places.retain(|place| !place.is_own || place.name == name);
        if places.is_empty() {
            continue;
        }
        let entities = reading.store.entities_of(id)?;
        found.extend(places.iter().filter_map(|place| innermost(&entities, place.line)).map(|entity| entity.id));
    }
    Ok(found)
}

/// Whether only the packages of the tests are asked for.
fn is_of_tests(understood: &Understood) -> bool {
    const VERBS: [&str; 5] = ["use", "import", "need", "require", "depend"];
    let is_pair = |pair: &[String]| pair[0] == "tests" && VERBS.contains(&pair[1].as_str());
    understood.plan.filters.in_tests() == Some(true) || understood.words.windows(2).any(is_pair)
}

fn scope(reading: AnswerInputs, understood: &Understood) -> Result<Vec<(FileId, FileRecord)>, StoreError> {
    let plan = &understood.plan;
    let mut paths: BTreeSet<String> = plan.files.iter().flat_map(|file| file.paths.iter().cloned()).collect();
    for (target, subject) in understood.targets.iter().zip(&plan.subjects) {
        let modules = whole_package(reading.store, &subject.mention, target.clone())?;
        let is_module = |entity: &&Entity| entity.record.kind == EntityKind::Module;
        paths.extend(modules.entities.iter().filter(is_module).map(|module| module.path.clone()));
    }
    let mut files = reading.store.files()?;
    let of_tests = is_of_tests(understood);
    files.retain(|(_, file)| {
        let is_own =
            file.is_test == of_tests && (of_tests || !is_aside(&file.path)) && !DECLARING.contains(&file.path.as_str());
        if paths.is_empty() { is_own } else { paths.contains(&file.path) }
    });
    files.sort_by(|a, b| a.1.path.cmp(&b.1.path));
    Ok(files)
}

/// Lists the packages from outside that are imported, with the places and what the project declares.
pub fn packages(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let own: BTreeSet<String> = reading
        .store
        .modules()?
        .into_iter()
        .filter_map(|(_, module)| module.split('.').next().map(str::to_owned))
        .collect();
    let mut found: BTreeMap<String, Vec<(String, ImportLine)>> = BTreeMap::new();
    for (_, file) in scope(reading, understood)? {
        let Some(text) = reading.sources.text(&file.path) else { continue };
        for import in imports(&text) {
            let top = import.module.split('.').next().unwrap_or_default().to_owned();
            let is_word = !top.is_empty() && top.chars().all(|c| c.is_alphanumeric() || c == '_');
            if is_word && !is_standard(&top) && !own.contains(&top) {
                found.entry(top).or_default().push((file.path.clone(), import));
            }
        }
    }
    let of_tests = is_of_tests(understood);
    if of_tests {
        // Tests import modules beside them, whose folders stand on the path while they run.
        for (_, module) in reading.store.modules()? {
            for part in module.split('.') {
                found.remove(part);
            }
        }
    }
    let is_only =
        of_tests && understood.words.iter().any(|word| matches!(word.as_str(), "only" | "just" | "exclusively"));
    if is_only {
        // Those that the program imports as well are used elsewhere too.
        for (_, file) in reading.store.files()?.into_iter().filter(|(_, file)| !file.is_test && !is_aside(&file.path)) {
            let Some(text) = reading.sources.text(&file.path) else { continue };
            for import in imports(&text) {
                found.remove(import.module.split('.').next().unwrap_or_default());
            }
        }
    }
    let place = match (of_tests, is_only) {
        (true, true) => " only in tests",
        (true, false) => " in tests",
        _ => "",
    };
    // `do we need ldap3`: the question names one of them.
    let is_named = |name: &str| {
        understood.plan.question.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
    };
    if found.keys().any(|name| is_named(name)) {
        found.retain(|name, _| is_named(name));
        let named = found.iter().map(|(name, places)| {
            let files: BTreeSet<&str> = places.iter().map(|(path, _)| path.as_str()).collect();
            format!(
                "`{name}` is imported in {}, first at {}:{}",
                count(files.len(), "file"),
                places[0].0,
                places[0].1.line
            )
        });
        answer.headline = named.collect::<Vec<_>>().join("; ");
    }
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    // A package that every platform or installation needs is imported by statements at the left margin.
    if names.is_empty() {
        answer.headline = format!("none: no package from outside is imported{place}");
    } else if answer.headline.is_empty() {
        answer.headline =
            format!("{} from outside imported{place}: {}", count(names.len(), "package"), names.join(", "));
    }
    for (name, places) in &found {
        let rows = places.iter().take(MAX_PLACES).map(|(path, import)| ListRow {
            name: import.module.clone(),
            kind: "import",
            path: path.clone(),
            line: import.line,
            text: import.text.clone(),
            ..ListRow::default()
        });
        answer.list(format!("{name} ({})", count(places.len(), "import")), rows.collect());
    }
    declared(reading, &names, &mut answer);
    Ok(answer)
}

/// Lists the lines of the project's files that declare these packages.
fn declared(reading: AnswerInputs, names: &[&str], answer: &mut Answer) {
    let mut rows = Vec::new();
    for path in DECLARING {
        let Some(text) = reading.sources.text(path) else { continue };
        for (line, text) in (1..).zip(text.lines()) {
            let bare = text.trim().trim_start_matches(['"', '\'']).to_lowercase();
            if names.iter().any(|name| bare.starts_with(&name.to_lowercase())) && !bare.contains(" import ") {
                let (name, text) = (path.to_owned(), text.trim().to_owned());
                rows.push(ListRow { name, kind: "line", path: path.to_owned(), line, text, ..ListRow::default() });
            }
        }
    }
    answer.list(format!("declared ({})", rows.len()), rows);
}

/// Ranks the modules of the program by the number of other modules here that they import.
fn most_importing(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut ranked = Vec::new();
    for (id, file) in reading.store.files()? {
        if file.is_test || is_aside(&file.path) {
            continue;
        }
        let mut imported = BTreeSet::new();
        let entities = reading.store.entities_of(id)?;
        for entity in &entities {
            for edge in reading.store.outgoing(entity.id)? {
                if edge.kind == RelationshipKind::Imports {
                    imported.extend(reading.store.entity(edge.target)?.map(|target| target.file));
                }
            }
        }
        imported.remove(&id);
        ranked.extend(entities.into_iter().next().filter(|_| !imported.is_empty()).map(|one| (imported.len(), one)));
    }
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    answer.headline = match ranked.first() {
        None => "none: no module here imports another one of the repository".to_owned(),
        Some((most, _)) => {
            let first = ranked.iter().filter(|(number, _)| number == most);
            let names: Vec<String> = first.map(|(_, module)| format!("`{}`", module.full_name())).collect();
            let (each, verb) = if names.len() > 1 { (" each", "import") } else { ("", "imports") };
            let names = first_in_words(names.into_iter(), MAX_PLACES);
            format!("{names} {verb} the most{each}: {} of the repository", count(*most, "other module"))
        }
    };
    let rows =
        ranked.iter().take(MAX_RANKED).map(|(number, module)| ListRow::of(module).with(count(*number, "module")));
    let rows: Vec<ListRow> = rows.collect();
    answer.list(format!("modules, those with the most imported modules first ({})", rows.len()), rows);
    answer.command = understood.plan.ask_command();
    Ok(answer)
}

/// Lists the modules that import each other, directly or over others.
pub fn cycles(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    if understood.words.ends_with(&["the", "most", "others"].map(str::to_owned)) {
        return most_importing(reading, understood);
    }
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let modules: BTreeMap<String, FileId> = reading.store.modules()?.into_iter().map(|(id, name)| (name, id)).collect();
    let asked = asked_modules(reading, understood, &modules)?;
    let cycles = import_cycles(reading.store, reading.sources, &asked)?;
    answer.headline = match cycles.as_slice() {
        [] if asked.is_empty() => "no: no import cycle was found".to_owned(),
        [] => {
            let names: Vec<String> = asked.iter().map(|module| format!("`{module}`")).collect();
            format!("no: no import cycle was found through {}", names.join(" or "))
        }
        [first, ..] => {
            let names: Vec<String> = first.iter().map(|step| format!("`{}`", step.module)).collect();
            let shown = match names.as_slice() {
                [a, b] => format!("{a} and {b} import each other"),
                names => format!("{} import each other in this order", names.join(", ")),
            };
            format!("yes: {}; {shown}", count(cycles.len(), "import cycle"))
        }
    };
    for cycle in &cycles {
        let rows = cycle.iter().map(|step| ListRow {
            name: step.module.clone(),
            kind: "import",
            path: step.path.clone(),
            line: step.line,
            note: if step.is_late { "not at the top: inside a function or a condition" } else { "" }.to_owned(),
            text: reading.sources.line(&step.path, step.line).unwrap_or_default(),
            ..ListRow::default()
        });
        let names: Vec<&str> = cycle.iter().map(|step| step.module.as_str()).collect();
        let title = match names.as_slice() {
            [a, b] => format!("{a} and {b} import each other"),
            names => format!("a cycle of {}", count(names.len(), "module")),
        };
        answer.list(title, rows.collect());
    }
    let message =
        "imports of modules by name; a package that runs when its module is imported does not count".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("imports", 1, message)]);
    Ok(answer)
}

/// Words of questions about import cycles that are no names of modules.
const OF_CYCLES: &str = "circle circles circular circularity cycle cycles cyclic importing loop loops mutual mutually";

/// The modules that the question names, by their last part too.
fn asked_modules(
    reading: AnswerInputs,
    understood: &Understood,
    modules: &BTreeMap<String, FileId>,
) -> Result<BTreeSet<String>, StoreError> {
    let mut asked = BTreeSet::new();
    // `import` of the question is hardly a module of this name.
    for word in understood.words.iter().filter(|word| !is_stop_word(word) && !is_in(OF_CYCLES, word)) {
        let ending = format!(".{word}");
        asked.extend(modules.keys().filter(|module| *module == word || module.ends_with(&ending)).cloned());
    }
    for path in understood.plan.files.iter().flat_map(|file| &file.paths) {
        if let Some(file) = reading.store.file_id(path)? {
            asked.extend(reading.store.file(file)?.map(|record| record.module));
        }
    }
    Ok(asked)
}

/// Lists where the program begins: declared scripts, modules that are run, and calls under `__main__`.
pub fn entry_points(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut rows = Vec::new();
    let mut first = None;
    for path in DECLARING {
        let Some(text) = reading.sources.text(path) else { continue };
        let mut is_scripts = false;
        for (line, text) in (1..).zip(text.lines()) {
            let bare = text.trim();
            if bare.starts_with('[') || bare.contains("console_scripts") || bare.contains("entry_points") {
                is_scripts = bare.contains("scripts") || bare.contains("entry_points") || bare.contains("entry-points");
            }
            let Some((name, target)) = declared_script(bare).filter(|_| is_scripts) else { continue };
            first.get_or_insert_with(|| (name.to_owned(), target.to_owned()));
            let text = bare.to_owned();
            rows.push(ListRow {
                name: path.to_owned(),
                kind: "script",
                path: path.to_owned(),
                line,
                text,
                ..ListRow::default()
            });
            if let Some(TargetMatch::Found(target)) = known(reading.store, &target.replace(':', "."), "")? {
                answer.want(target.main(), "the program begins here", false);
                rows.push(ListRow::of(target.main()).with("begins here"));
            }
        }
    }
    for (_, file) in reading.store.files()?.into_iter().filter(|(_, file)| !file.is_test && !is_aside(&file.path)) {
        let Some(text) = reading.sources.text(&file.path) else { continue };
        let line = (1..).zip(text.lines()).find(|(_, line)| line.starts_with("if __name__ ==")).map(|(line, _)| line);
        let line = line.or_else(|| file.path.ends_with("__main__.py").then_some(1));
        rows.extend(line.map(|line| ListRow {
            name: file.module.clone(),
            kind: "module",
            path: file.path.clone(),
            line,
            note: format!("python -m {}", file.module.trim_end_matches(".__main__")),
            ..ListRow::default()
        }));
    }
    answer.headline = match (&first, rows.len()) {
        (Some((name, target)), _) => format!("`{name}` on the command line runs `{target}`"),
        (None, 0) => "no entry point is declared, and no module says that it is run".to_owned(),
        (None, all) => format!("{} can be run", count(all, "module")),
    };
    answer.list(format!("entry points ({})", rows.len()), rows);
    Ok(answer)
}

/// The name and the function of a script that a line declares: `kit = "kit.cli:main"`, alone or in quotes.
fn declared_script(line: &str) -> Option<(&str, &str)> {
    let quotes = ['"', '\''];
    let is_name = |text: &str| {
        text.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_'))
    };
    let declares = |text: &'_ str| -> bool {
        let target = text.split_once('=').map(|(_, target)| target.trim().trim_matches(quotes));
        target
            .and_then(|target| target.split_once(':'))
            .is_some_and(|(module, function)| is_name(module) && is_name(function))
    };
    let whole = line.trim_matches(['"', '\'', ',', ' ']);
    let found = [whole].into_iter().chain(line.split(quotes)).find(|text| declares(text))?;
    let (name, target) = found.split_once('=')?;
    Some((name.trim().trim_matches(quotes), target.trim().trim_matches(quotes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_declared_by_its_name_and_a_function() {
        assert_eq!(declared_script("kit = \"kit.cli:main\""), Some(("kit", "kit.cli:main")));
        assert_eq!(declared_script("'kit = kit.cli:main',"), Some(("kit", "kit.cli:main")));
        let whole = "params['entry_points'] = {'console_scripts': ['you-get = you_get:main']}";
        assert_eq!(declared_script(whole), Some(("you-get", "you_get:main")));
        assert_eq!(declared_script("url='https://example.org/kit',"), None);
        assert_eq!(declared_script("kit = {file = \"a.md\"}"), None);
    }

    #[test]
    fn imports_are_read_off_their_lines() {
        let found = imports("import os, a.b as c\nfrom .x import (y,\n  z)\nfrom . import w # no\n    import late\n");
        let modules: Vec<String> = found.iter().map(|i| format!("{}:{}", i.line, i.module)).collect();
        assert_eq!(modules, ["1:os", "1:a.b", "2:.x", "4:.", "5:late"]);
    }
}
