//! Answers whether, and in how many modules, a module from outside is imported: `does the app import asyncio`.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            imports::{ImportLine, imported_names, imports},
        },
        reading::plan::Understood,
    },
    model::{EntityKind, conventions::standard_library},
    query::{
        target::{Target, likeliest::is_aside},
        words::{count, shell_word},
    },
    store::error::StoreError,
};

/// Answers `does A import m` and `how many modules import m` where `m` is from outside; `None` for other questions.
pub(in crate::ask::answer) fn of_outside(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let is_import = |word: &str| matches!(word, "import" | "imports" | "imported");
    // `does httpx use threading`: a module of Python is used where it is imported.
    let is_use = |word: &str| matches!(word, "use" | "uses" | "using") && matches!(words[0], "does" | "do");
    let at = words.iter().position(|word| is_import(word)).or_else(|| words.iter().position(|word| is_use(word)));
    let Some(at) = at else { return Ok(None) };
    let is_count = words.starts_with(&["how", "many"]) && matches!(words.get(2), Some(&"modules" | &"files"));
    let is_whether = matches!(words.first(), Some(&"does" | &"do" | &"is" | &"are"));
    let is_where = words.first() == Some(&"where");
    // Names out of a module: `who imports m.N`, `which files import m.N`.
    let is_who = matches!(
        words.as_slice(),
        ["who" | "what", "import" | "imports", name] | ["which" | "what", _, "import" | "imports", name]
            if name.contains('.')
    );
    // `where is m imported` and `where do we import m`
    let asked = match words.as_slice() {
        ["where", "is" | "are" | "does" | "do" | "gets" | "get", name, "imported" | "imports"]
        | ["where", "is", "the", "module" | "package" | "library", name, "imported"]
        | ["is" | "are", name, "imported"]
        | ["is" | "are", name, "imported", "anywhere" | "somewhere"] => Some(*name),
        _ => None,
    };
    let behind = asked.map(|name| [name]);
    let ([name] | ["the", name] | [name, "module" | "package" | "anywhere"]) =
        behind.as_ref().map_or(&words[at + 1..], |name| &name[..])
    else {
        return Ok(None);
    };
    let name = *name;
    let is_dotted = name.contains('.');
    if !is_count && !is_whether && !is_where && !is_who || understood.set.is_some() && !is_dotted {
        return Ok(None);
    }
    let top = name.split('.').next().unwrap_or(name);
    if !is_import(words[at]) && !standard_library::is_module(top) {
        return Ok(None);
    }
    if reading.store.modules()?.iter().any(|(_, module)| module.split('.').next() == Some(top)) {
        return Ok(None);
    }
    // `does the app import m`: the word before the verb says where, if something is called so.
    let mut places = BTreeSet::new();
    if is_whether && asked.is_none() && understood.targets.is_empty() && understood.plan.files.is_empty() {
        let subject = words[at - 1];
        let ending = format!(".{subject}");
        for (id, module) in reading.store.modules()? {
            if module.to_lowercase() == subject || module.to_lowercase().ends_with(&ending) {
                let file = reading.store.file(id)?;
                places.extend(file.filter(|file| !file.is_test && !is_aside(&file.path)).map(|file| file.path));
            }
        }
    }
    // The named definitions say where to look; the module from outside is none of them.
    let modules = understood.targets.iter().map(Target::main);
    let modules: Vec<_> = modules.filter(|main| main.record.kind == EntityKind::Module).collect();
    if modules.len() < understood.targets.len() {
        return Ok(None);
    }
    let listed: BTreeSet<&str> =
        understood.plan.files.iter().flat_map(|file| file.paths.iter().map(String::as_str)).collect();
    let scopes: Vec<&str> = modules.iter().map(|module| &module.path).chain(&places).map(String::as_str).collect();
    let is_in = |path: &str| {
        // A package holds the modules below it.
        let holds = |scope: &&str| {
            path == *scope || scope.strip_suffix("__init__.py").is_some_and(|folder| path.starts_with(folder))
        };
        scopes.is_empty() && listed.is_empty() || scopes.iter().any(holds) || listed.contains(path)
    };
    let below = format!("{name}.");
    let (module_of_name, member) = name.rsplit_once('.').unwrap_or_default();
    let is_it = |import: &ImportLine, text: &str| {
        let module = import.module.to_lowercase();
        let statement = || text.lines().skip(import.line as usize - 1);
        let has_member = || imported_names(statement()).iter().any(|one| one.to_lowercase() == member);
        module == name || module.starts_with(&below) || module == module_of_name && has_member()
    };
    let (mut rows, mut program, mut all, mut is_known) = (Vec::new(), 0, 0, standard_library::is_module(top));
    let mut elsewhere: Vec<String> = Vec::new();
    for (_, file) in reading.store.files()? {
        let Some(text) = reading.sources.text(&file.path) else { continue };
        let lines: Vec<ImportLine> = imports(&text).into_iter().filter(|import| is_it(import, &text)).collect();
        is_known |= !lines.is_empty();
        if lines.is_empty() || !is_in(&file.path) || understood.leaves_out(&file.path) {
            elsewhere.extend(lines.first().map(|import| format!("{}:{}", file.path, import.line)));
            continue;
        }
        all += 1;
        program += usize::from(!file.is_test && !is_aside(&file.path));
        rows.extend(lines.into_iter().map(|import| ListRow {
            name: file.module.clone(),
            kind: "import",
            path: file.path.clone(),
            line: import.line,
            text: import.text,
            ..ListRow::default()
        }));
    }
    if !is_known {
        return Ok(None);
    }
    let name = &understood.as_spelled(name);
    rows.sort_by(|a, b| (is_aside(&a.path), &a.path, a.line).cmp(&(is_aside(&b.path), &b.path, b.line)));
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let subject: Vec<String> = modules.iter().map(|module| format!("`{}`", module.full_name())).collect();
    let named = if places.is_empty() { understood.limited_to() } else { format!(" in {}", words[at - 1]) };
    let subject = if subject.is_empty() { named } else { format!(" in {}", subject.join(" and ")) };
    let outside = if program == 0 && all > 0 {
        ", only in tests or examples".to_owned()
    } else if all > program {
        format!(", {program} of them outside of tests and examples")
    } else {
        String::new()
    };
    let modules = count(all, "module");
    answer.headline = match rows.first() {
        None if is_whether => {
            let others = match elsewhere.iter().min() {
                None => String::new(),
                Some(first) => format!("; {} elsewhere import it, first {first}", count(elsewhere.len(), "module")),
            };
            format!("no: no import of `{name}` was found{subject}{others}")
        }
        None if is_dotted => {
            format!("none: no module{subject} imports `{name}` by this name; others may import `{module_of_name}`")
        }
        None => format!("none: no module{subject} imports `{name}`"),
        Some(first) if is_where => {
            let places = count(rows.len(), "place");
            format!(
                "`{name}` is imported at {places}{subject} in {modules}{outside}, first at {}:{}",
                first.path, first.line
            )
        }
        Some(first) if is_whether => {
            format!("yes: `{name}` is imported{subject} in {modules}{outside}, first at {}:{}", first.path, first.line)
        }
        Some(_) if all == 1 => format!("1 module{subject} imports `{name}`{outside}"),
        Some(_) => format!("{modules}{subject} import `{name}`{outside}"),
    };
    let pattern = match name.rsplit_once('.') {
        Some((module, member)) => format!("from {module} import .*{member}|(from|import) {name}"),
        None => format!("(from|import) {name}"),
    };
    answer.command = format!("git grep -nwE {}", shell_word(&pattern));
    answer.list(format!("imports of `{name}` ({})", rows.len()), rows);
    Ok(Some(answer))
}
