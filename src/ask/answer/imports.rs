//! Answers about imports: packages from outside, cycles, and the places where the program begins.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::plan::Understood,
    },
    model::{FileId, FileRecord, conventions::standard_library},
    query::{
        target::{TargetMatch, known, likeliest::is_aside},
        words::count,
    },
    store::error::StoreError,
};

/// Places that are shown for one package.
const MAX_PLACES: usize = 3;
/// Files that declare what a project needs and how it is started.
const DECLARING: [&str; 4] = ["pyproject.toml", "setup.cfg", "setup.py", "requirements.txt"];

/// Whether an import names Python itself; type stubs import `_typeshed`.
fn is_standard(module: &str) -> bool {
    standard_library::is_module(module) || matches!(module, "__main__" | "_typeshed")
}

/// One import statement: its line, its module as written, its text.
struct ImportLine {
    line: u32,
    module: String,
    names: Vec<String>,
    text: String,
}

/// The import statements of a text.
fn imports(text: &str) -> Vec<ImportLine> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let text = line.trim();
        let mut add = |module: &str, names: Vec<String>| {
            found.push(ImportLine { line: line_number, module: module.to_owned(), names, text: text.to_owned() });
        };
        if let Some(rest) = text.strip_prefix("from ") {
            let Some((module, names)) = rest.split_once(" import ") else { continue };
            let names = names.split([',', '(', ')']).filter_map(|name| name.split_whitespace().next());
            add(module.trim(), names.map(str::to_owned).collect());
        } else if let Some(rest) = text.strip_prefix("import ") {
            for module in rest.split('#').next().unwrap_or(rest).split(',') {
                if let Some(module) = module.split_whitespace().next() {
                    add(module, Vec::new());
                }
            }
        }
    }
    found
}

fn scope(reading: AnswerInputs, understood: &Understood) -> Result<Vec<(FileId, FileRecord)>, StoreError> {
    let plan = &understood.plan;
    let paths: BTreeSet<&str> = plan.files.iter().flat_map(|file| file.paths.iter().map(String::as_str)).collect();
    let mut files = reading.store.files()?;
    files.retain(|(_, file)| {
        let is_own = !file.is_test && !is_aside(&file.path) && !DECLARING.contains(&file.path.as_str());
        if paths.is_empty() { is_own } else { paths.contains(file.path.as_str()) }
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
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    // A package that every platform or installation needs is imported by statements at the left margin.
    answer.headline = match names.as_slice() {
        [] => "none: no package from outside is imported".to_owned(),
        names => format!("{} from outside imported: {}", count(names.len(), "package"), names.join(", ")),
    };
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

/// Lists the pairs of modules that import each other, directly or over others.
pub fn cycles(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let modules: BTreeMap<String, FileId> = reading.store.modules()?.into_iter().map(|(id, name)| (name, id)).collect();
    let mut edges: BTreeMap<String, BTreeMap<String, (String, ImportLine)>> = BTreeMap::new();
    for (_, file) in reading.store.files()?.into_iter().filter(|(_, file)| !file.is_test && !is_aside(&file.path)) {
        let Some(text) = reading.sources.text(&file.path) else { continue };
        let is_package = file.path.ends_with("__init__.py");
        for import in imports(&text) {
            for module in resolved(&file.module, is_package, &import) {
                if module != file.module && modules.contains_key(&module) {
                    let import =
                        ImportLine { names: Vec::new(), module: module.clone(), text: import.text.clone(), ..import };
                    edges.entry(file.module.clone()).or_default().entry(module).or_insert((file.path.clone(), import));
                }
            }
        }
    }
    let asked: BTreeSet<String> = asked_modules(reading, understood, &modules)?;
    let is_asked = |module: &String| asked.is_empty() || asked.contains(module);
    let mut pairs = Vec::new();
    for (from, targets) in &edges {
        for to in targets.keys().filter(|to| *to > from && is_asked(from) && is_asked(to)) {
            if edges.get(to).is_some_and(|back| back.contains_key(from)) {
                pairs.push((from.clone(), to.clone()));
            }
        }
    }
    answer.headline = match pairs.as_slice() {
        [] => "no: no two of these modules import each other directly, so no import cycle of two was found".to_owned(),
        [(a, b), ..] => {
            format!("yes: {} of modules that import each other, such as `{a}` and `{b}`", count(pairs.len(), "pair"))
        }
    };
    for (a, b) in &pairs {
        let rows = [(a, b), (b, a)].into_iter().filter_map(|(from, to)| {
            let (path, import) = edges.get(from)?.get(to)?;
            let is_late =
                reading.sources.lines(path, import.line, import.line).is_some_and(|line| line.starts_with([' ', '\t']));
            Some(ListRow {
                name: from.clone(),
                kind: "import",
                path: path.clone(),
                line: import.line,
                note: if is_late {
                    "not at the top: inside a function or a condition".to_owned()
                } else {
                    String::new()
                },
                text: import.text.clone(),
                ..ListRow::default()
            })
        });
        answer.list(format!("{a} and {b} import each other"), rows.collect());
    }
    Ok(answer)
}

/// The modules that an import names, absolute.
fn resolved(module: &str, is_package: bool, import: &ImportLine) -> Vec<String> {
    let dots = import.module.chars().take_while(|c| *c == '.').count();
    let rest = &import.module[dots..];
    let mut base: Vec<&str> = if dots == 0 { Vec::new() } else { module.split('.').collect() };
    for _ in usize::from(is_package)..dots {
        base.pop();
    }
    base.extend(rest.split('.').filter(|part| !part.is_empty()));
    let base = base.join(".");
    let inner = import.names.iter().map(|name| if base.is_empty() { name.clone() } else { format!("{base}.{name}") });
    inner.chain([base.clone()]).collect()
}

/// The modules that the question names, by their last part too.
fn asked_modules(
    reading: AnswerInputs,
    understood: &Understood,
    modules: &BTreeMap<String, FileId>,
) -> Result<BTreeSet<String>, StoreError> {
    let mut asked = BTreeSet::new();
    for word in &understood.words {
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
            let Some((name, target)) = bare.trim_matches(['"', '\'', ',', ' ']).split_once('=').filter(|_| is_scripts)
            else {
                continue;
            };
            let target = target.trim().trim_matches(['"', '\'', ',', ' ']);
            if !target.contains(':') || target.contains(['[', ' ', '{']) {
                continue;
            }
            first.get_or_insert_with(|| (name.trim().trim_matches(['"', '\'']).to_owned(), target.to_owned()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read_off_their_lines() {
        let found = imports("import os, a.b as c\nfrom .x import (y,\n  z)\nfrom . import w # no\n    import late\n");
        let modules: Vec<String> = found.iter().map(|i| format!("{}:{}", i.line, i.module)).collect();
        assert_eq!(modules, ["1:os", "1:a.b", "2:.x", "4:.", "5:late"]);
        let absolute = |at: usize, is_package: bool| resolved("pkg.sub.m", is_package, &found[at]).join(" ");
        assert_eq!(absolute(2, false), "pkg.sub.x.y pkg.sub.x");
        assert_eq!(absolute(3, true), "pkg.sub.m.w pkg.sub.m");
    }
}
