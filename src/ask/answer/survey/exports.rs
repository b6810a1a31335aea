//! Answers about the names that a package or module offers: those in its `__all__`, or else its public names.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, first_in_words, in_words,
            survey::packages::{AROUND, is_own, packages_of},
        },
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::EntityKind,
    query::{source::logical_lines::logical_lines, target::likeliest::is_aside, words::count},
    store::{error::StoreError, read::Entity},
};

/// Words of such a question, beside those around every question for a part of the repository.
const OF_EXPORTS: &str = "__all__ be by class classes constants content contents definitions export exported exports expose exposed exposes from \
     function functions import imported interface its list listed make makes module official officially public publicly symbols up user users";
/// Names that a headline gives.
const MAX_NAMED: usize = 10;
/// Modules that a question without a name is answered for.
const MAX_MODULES: usize = 3;
/// Lists that name other lists, followed so deep.
const MAX_DEPTH: usize = 3;

/// The names that a module offers.
#[derive(Default)]
struct Exports {
    /// Each with the module that it is imported from, where a statement says so.
    names: Vec<(String, Option<String>)>,
    /// The line of `__all__`.
    listed_at: Option<u32>,
    /// Lists and modules whose names it takes over, and that were not read.
    unread: Vec<String>,
}

/// Lists what a module offers, or each package of the program; `None` for other questions.
pub(in crate::ask::answer) fn exports(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    if words.first().is_some_and(|word| word == "is") && has("exported __all__") && !has("not unused never only") {
        return is_exported(reading, understood);
    }
    let begins = words.first().is_some_and(|word| !is_in("are can do does is was where who why", word));
    let is_api = has("api apis interface") && has("public official");
    let asks_to_import = has("import imported") && has("can") && has("from");
    let names_list = words.iter().any(|word| word.ends_with(".__all__"));
    let asks_what =
        (has("export exports exported __all__ expose exposes exposed") || names_list) && !has("not unused never");
    if !begins || !(is_api || asks_what || asks_to_import) {
        return Ok(None);
    }
    let mut asked: Option<Entity> = None;
    for word in &words {
        // `shop.__all__` is the list of `shop`.
        let module = [".__all__", ".__init__"].into_iter().find_map(|end| word.strip_suffix(end));
        let word = module.unwrap_or(word);
        if is_in(AROUND, word) || is_in(OF_EXPORTS, word) || is_api && is_in("api apis", word) {
            continue;
        }
        let Some(module) = module_called(reading, word)?.filter(|_| asked.is_none()) else { return Ok(None) };
        asked = Some(module);
    }
    let mut modules: Vec<Entity> = asked.into_iter().collect();
    if modules.is_empty() && !asks_to_import {
        for package in
            packages_of(reading.store)?.into_iter().filter(|package| package.is_own && !package.name.contains('.'))
        {
            modules.extend(module_called(reading, &package.name)?);
        }
        modules.truncate(MAX_MODULES);
    }
    if modules.is_empty() {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Members).plan, String::new());
    answer.plan.notes.clear();
    answer.plan.unknown.clear();
    let mut parts = Vec::new();
    for module in &modules {
        parts.push(of_module(reading, module, &mut answer)?);
        answer.want(module, "asked about", false);
    }
    answer.headline = parts.join("; ");
    Ok(Some(answer))
}

/// Answers whether a definition is offered by its module or a package around it: `is Cart exported`.
fn is_exported(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let mut targets = understood.targets.iter().filter(|target| target.main().record.name != "__all__");
    let (Some(target), None) = (targets.next(), targets.next()) else { return Ok(None) };
    let main = target.main();
    let is_top = !main.record.qualified.is_empty() && !main.record.qualified.contains('.');
    if !is_top || main.record.kind == EntityKind::Module {
        return Ok(None);
    }
    let mut plan = understood.clone().read_as(QuestionIntent::Show).plan;
    plan.notes.clear();
    let mut answer = Answer::new(plan, String::new());
    answer.command = format!("repoidx show {}", main.full_name());
    answer.want(main, "asked about", false);
    let mut parts: Vec<&str> = main.module.split('.').collect();
    let (mut looked, mut unread, mut offers) = (Vec::new(), false, Vec::new());
    while !parts.is_empty() {
        let around = parts.join(".");
        parts.pop();
        let Some(module) = module_called(reading, &around.to_lowercase())?.filter(|one| one.module == around) else {
            continue;
        };
        let found = exports_of(reading, &module, 0)?;
        unread |= !found.unread.is_empty();
        let is_own = module.module == main.module;
        let has_it = found.names.iter().any(|(name, _)| *name == main.record.name);
        match found.listed_at {
            Some(line) if has_it => offers.push(format!("in `__all__` of `{around}` ({}:{line})", module.path)),
            // Without a list every public name of the module itself can be imported, which exports nothing.
            None if has_it && !is_own => offers.push(format!("imported by `{around}` ({})", module.path)),
            Some(_) => looked.push(format!("`__all__` of `{around}` lacks it")),
            None if is_own => looked.push(format!("`{around}` has no `__all__`")),
            None => looked.push(format!("`{around}` does not import it")),
        }
    }
    let name = format!("`{}`", main.full_name());
    let known = if unread { ", as far as is known" } else { "" };
    answer.headline = match offers.len() {
        0 => format!("no: {name} is exported by no module around it: {}{known}", in_words(&looked)),
        _ => format!("yes: {name} is {}", in_words(&offers)),
    };
    Ok(Some(answer))
}

/// The module with this name, or with this last part where only one outside of tests has it.
fn module_called(reading: AnswerInputs, word: &str) -> Result<Option<Entity>, StoreError> {
    let ending = format!(".{word}");
    let (mut exact, mut ends) = (None, Vec::new());
    for (file, module) in reading.store.modules()? {
        let module = module.to_lowercase();
        if module == word {
            exact = Some(file);
        } else if module.ends_with(&ending) {
            ends.push(file);
        }
    }
    if exact.is_none() && ends.len() > 1 {
        let mut own = Vec::new();
        for file in ends {
            own.extend(reading.store.file(file)?.filter(is_own).map(|_| file));
        }
        ends = own;
    }
    let found = exact.or(if let [one] = ends.as_slice() { Some(*one) } else { None });
    let Some(file) = found else { return Ok(None) };
    Ok(reading.store.entities_of(file)?.into_iter().find(|entity| entity.record.qualified.is_empty()))
}

/// Lists the names of one module, and says how many there are.
fn of_module(reading: AnswerInputs, module: &Entity, answer: &mut Answer) -> Result<String, StoreError> {
    let found = exports_of(reading, module, 0)?;
    let name = module.full_name();
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for (export, from) in &found.names {
        labels.push(format!("`{export}`"));
        rows.push(match definition(reading, module, export, from.as_deref())? {
            Some(entity) => {
                let full = format!("{name}.{export}");
                let note = if entity.full_name() == full { String::new() } else { format!("as {full}") };
                ListRow::of(&entity).with(note)
            }
            None => ListRow {
                name: format!("{name}.{export}"),
                kind: "name",
                path: module.path.clone(),
                line: found.listed_at.unwrap_or(1),
                ..ListRow::default()
            },
        });
    }
    let listed = match found.listed_at {
        Some(line) => format!("by its `__all__` ({}:{line})", module.path),
        None => {
            format!("by its definitions and imports without an underscore ({}), as it has no `__all__`", module.path)
        }
    };
    let unread = match found.unread.as_slice() {
        [] => String::new(),
        unread => {
            format!(", and what {} has", in_words(&unread.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>()))
        }
    };
    let names = first_in_words(labels.into_iter(), MAX_NAMED);
    let all = found.names.len();
    answer.list(format!("what {name} exports ({all})"), rows);
    Ok(match all {
        0 => format!("`{name}` exports no name that is written out {listed}{unread}"),
        all => format!("`{name}` exports {} {listed}: {names}{unread}", count(all, "name")),
    })
}

/// The names that a module exports.
fn exports_of(reading: AnswerInputs, module: &Entity, depth: usize) -> Result<Exports, StoreError> {
    let text = reading.sources.text(&module.path).unwrap_or_default();
    let mut found = Exports::default();
    let mut imports: Vec<OfferedImport> = Vec::new();
    for line in logical_lines(&text).into_iter().filter(|line| !line.is_text) {
        let statement = reading.sources.lines(&module.path, line.start, line.end).unwrap_or_default();
        let statement = without_comments(&statement);
        let bare = statement.trim();
        if let Some(rest) = bare.strip_prefix("__all__") {
            if rest.trim_start().starts_with(['=', '+', '.', ':']) {
                found.listed_at.get_or_insert(line.start);
                found.names.extend(quoted(rest).into_iter().map(|name| (name, None)));
                found.unread.extend(other_lists(rest));
            }
        } else if let Some((from, names)) = bare.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
            imports.extend(imported(module, from, names, line.indent == 0));
        }
    }
    // `__all__ = a.__all__ + b.__all__`
    for other in std::mem::take(&mut found.unread) {
        let inner = module_called(reading, &absolute(module, &format!(".{other}")).to_lowercase())?;
        match inner.filter(|inner| depth < MAX_DEPTH && inner.id != module.id) {
            Some(inner) => found.names.extend(exports_of(reading, &inner, depth + 1)?.names),
            None => found.unread.push(other),
        }
    }
    if found.listed_at.is_some() {
        for (name, from) in &mut found.names {
            let known = imports.iter().find(|import| import.name == *name);
            *from = from.take().or_else(|| known.map(|import| import.from.clone()));
        }
    } else {
        for import in imports.into_iter().filter(|import| import.is_offered) {
            if import.name != "*" {
                found.names.push((import.name, Some(import.from)));
                continue;
            }
            let inner = module_called(reading, &import.from.to_lowercase())?;
            match inner.filter(|inner| depth < MAX_DEPTH && inner.id != module.id) {
                Some(inner) => found.names.extend(exports_of(reading, &inner, depth + 1)?.names),
                None => found.unread.push(import.from),
            }
        }
        let own = reading.store.entities_of(module.file)?.into_iter();
        let is_top = |entity: &Entity| !entity.record.qualified.is_empty() && !entity.record.qualified.contains('.');
        found.names.extend(own.filter(is_top).map(|entity| (entity.record.name, Some(module.module.clone()))));
        found.names.retain(|(name, _)| !name.starts_with('_'));
    }
    let mut seen = BTreeSet::new();
    found.names.retain(|(name, _)| seen.insert(name.clone()));
    Ok(found)
}

/// A name that a module imports, `*` for all of another one.
struct OfferedImport {
    name: String,
    from: String,
    /// It is a name for others: from the same package, or from outside under its own name once more (`x as x`).
    is_offered: bool,
}

/// The names of one import statement.
fn imported(module: &Entity, from: &str, names: &str, is_at_margin: bool) -> Vec<OfferedImport> {
    let top = |name: &str| name.split('.').next().map(str::to_owned);
    let is_inner = from.starts_with('.') || top(from) == top(&module.module);
    let names = names.split(',').map(|one| one.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')')));
    names
        .filter(|one| !one.is_empty())
        .map(|one| {
            let (name, alias) = one.split_once(" as ").map_or((one, None), |(name, alias)| (name, Some(alias)));
            let is_offered = is_at_margin && (is_inner || alias == Some(name));
            OfferedImport { name: alias.unwrap_or(name).to_owned(), from: absolute(module, from), is_offered }
        })
        .collect()
}

/// The dotted name that a module's import means.
fn absolute(module: &Entity, from: &str) -> String {
    let dots = from.chars().take_while(|c| *c == '.').count();
    if dots == 0 {
        return from.to_owned();
    }
    let is_package = module.path.ends_with("/__init__.py") || module.path.ends_with("/__init__.pyi");
    let mut parts: Vec<&str> = module.module.split('.').collect();
    parts.truncate((parts.len() + usize::from(is_package)).saturating_sub(dots));
    parts.extend(Some(&from[dots..]).filter(|rest| !rest.is_empty()));
    parts.join(".")
}

/// The definition that a module exports under a name: of several, the one that it imports.
fn definition(
    reading: AnswerInputs,
    module: &Entity,
    name: &str,
    from: Option<&str>,
) -> Result<Option<Entity>, StoreError> {
    let top = module.module.split('.').next().unwrap_or_default();
    let is_within = |entity: &Entity| entity.module == top || entity.module.starts_with(&format!("{top}."));
    let mut all = reading.store.entities_named(name, false)?;
    all.retain(|entity| {
        let is_top = entity.record.qualified == name && entity.record.duplicate == 0;
        is_top && entity.record.kind != EntityKind::Module && is_within(entity) && !is_aside(&entity.path)
    });
    let at = all.iter().position(|entity| from.is_some_and(|from| entity.module == from));
    let is_sure = all.len() == 1;
    Ok(match at {
        Some(at) => Some(all.swap_remove(at)),
        None => all.into_iter().next().filter(|_| is_sure),
    })
}

/// The strings of a statement.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = &rest[at..=at];
        let Some(end) = rest[at + 1..].find(quote) else { break };
        let name = &rest[at + 1..at + 1 + end];
        if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            found.push(name.to_owned());
        }
        rest = &rest[at + end + 2..];
    }
    found
}

/// The modules whose lists a statement adds: `cookies.__all__`.
fn other_lists(text: &str) -> Vec<String> {
    let ends = text.match_indices(".__all__").map(|(at, _)| at);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    ends.map(|end| text[..end].rsplit(|c: char| !is_part(c)).next().unwrap_or_default().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// The statement without the comments behind its lines.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split('#').next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names_are_read_off_their_statement() {
        assert_eq!(quoted(" = [\"a\", 'b_c',\n \"\"]"), ["a", "b_c"]);
        assert_eq!(other_lists(" = [\"x\"] + cookies.__all__ + a.b.__all__"), ["cookies", "a.b"]);
    }
}
