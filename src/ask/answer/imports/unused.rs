//! Answers `which imports are unused`: imports at module level whose name the rest of the file does not have.
//!
//! Names are compared as text, so a name in a string counts as a use: annotations and `__all__` have such names. An
//! import that another module takes from here is a use too. So what is listed is hardly used, and some may be missing.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, imports::scope},
        reading::plan::Understood,
    },
    model::{
        FileId, FileRecord,
        conventions::{has_whole_name, is_name_part},
    },
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::leaves::{FreeCode, free_code},
        source::texts::{TextLine, lines_of_texts},
        words::count,
    },
    store::error::StoreError,
};

/// A name that an import binds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ImportedName {
    line: u32,
    name: String,
    /// `from m import x as x`: handed on by intention.
    is_handed_on: bool,
    /// A comment says that the import is meant.
    is_meant: bool,
    text: String,
}

/// Lists the imports that are not used; `None` for other questions.
pub(in crate::ask::answer) fn unused(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let is_unused = has(&["unused", "unneeded", "unnecessary", "superfluous"])
        || has(&["not", "never", "aren't", "isn't"]) && has(&["used", "needed", "read"]);
    let is_asked = has(&["imports"]) || has(&["import"]) && has(&["statements"]);
    if !is_asked || !is_unused || understood.set.is_some() {
        return Ok(None);
    }
    let (mut rows, mut handed_on, mut meant) = (Vec::new(), 0, 0);
    let files = in_scope(reading, understood)?;
    let all = reading.store.files()?;
    for (id, file) in &files {
        let Some(text) = reading.sources.text(&file.path) else { continue };
        let mut lines = Vec::new();
        for leaf in free_code(reading.store, reading.sources, *id, Some(FreeCode::Imports))? {
            lines.push((leaf.start_line, leaf.end_line));
        }
        for import in unread(&text, &lines) {
            if import.is_handed_on || file.path.ends_with("__init__.py") || is_taken(reading, &all, file, &import.name)
            {
                handed_on += 1;
            } else if import.is_meant {
                meant += 1;
            } else {
                rows.push(ListRow {
                    name: import.name,
                    kind: "import",
                    path: file.path.clone(),
                    line: import.line,
                    text: import.text,
                    ..ListRow::default()
                });
            }
        }
    }
    let mut plan = understood.plan.clone();
    plan.notes.clear();
    let mut answer = Answer::new(plan, String::new());
    let place = if understood.plan.files.is_empty() { " outside of tests".to_owned() } else { understood.limited_to() };
    let mut besides = Vec::new();
    if handed_on > 0 {
        besides.push(format!("{handed_on} handed on to other modules"));
    }
    if meant > 0 {
        besides.push(format!("{meant} kept by a comment"));
    }
    let besides = if besides.is_empty() { String::new() } else { format!(" (not counted: {})", besides.join(", ")) };
    answer.headline = match rows.first() {
        None => format!("none: no unused import was found in {}{place}{besides}", count(files.len(), "file")),
        Some(first) => {
            let verb = if rows.len() == 1 { "seems" } else { "seem" };
            let imports = count(rows.len(), "import");
            format!("{imports}{place} {verb} unused, first `{}` at {}:{}{besides}", first.name, first.path, first.line)
        }
    };
    "ruff check --select F401".clone_into(&mut answer.command);
    answer.list(format!("imports whose name the file does not read ({})", rows.len()), rows);
    let message = "names are compared as text: a name in a string counts as read, imports inside functions are not \
                   looked at, and an import may be there for its effects"
        .to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("imports", 1, message)]);
    Ok(Some(answer))
}

/// The files in question: those that are named, or the program.
fn in_scope(reading: AnswerInputs, understood: &Understood) -> Result<Vec<(FileId, FileRecord)>, StoreError> {
    let mut files = scope(reading, understood)?;
    // A package stands for the files below it.
    if understood.plan.files.is_empty() && !understood.targets.is_empty() {
        let paths: Vec<&str> = understood.targets.iter().map(|target| target.main().path.as_str()).collect();
        files.retain(|(_, file)| {
            paths.iter().any(|path| {
                *path == file.path
                    || path.strip_suffix("__init__.py").is_some_and(|folder| file.path.starts_with(folder))
            })
        });
    }
    Ok(files)
}

/// The names that imports in these lines bind and that the rest of the text does not have.
fn unread(text: &str, imports: &[(u32, u32)]) -> Vec<ImportedName> {
    let documents = lines_of_texts(text);
    let lines: Vec<&str> = text.lines().collect();
    let is_import = |line: u32| imports.iter().any(|(first, last)| (*first..=*last).contains(&line));
    let mut found = Vec::new();
    for (first, last) in imports {
        let end = (*last as usize).min(lines.len());
        found.extend(bound_names(&lines[(*first as usize).saturating_sub(1)..end], *first));
    }
    let mut read = std::collections::BTreeSet::new();
    for (number, line) in (1..).zip(&lines) {
        if is_import(number) || documents.get(&number) == Some(&TextLine::Document) {
            continue;
        }
        // Behind a quote, `#` may be text.
        let code = match line.find('#') {
            Some(at) if !line[..at].contains(['"', '\'']) => &line[..at],
            _ => line,
        };
        read.extend(code.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    }
    found.retain(|import: &ImportedName| !read.contains(import.name.as_str()));
    found
}

/// The names that import statements bind, with their lines; the first line has this number.
fn bound_names(lines: &[&str], first: u32) -> Vec<ImportedName> {
    let mut found = Vec::new();
    let (mut head, mut is_from) = (String::new(), false);
    for (number, line) in (first..).zip(lines) {
        let (code, comment) = line.split_once('#').unwrap_or((line, ""));
        let trimmed = code.trim();
        let mut rest = trimmed;
        if let Some(behind) = trimmed.strip_prefix("from ") {
            let Some((module, names)) = behind.split_once("import") else { continue };
            (head, is_from, rest) = (module.trim().to_owned(), true, names);
        } else if let Some(behind) = trimmed.strip_prefix("import ") {
            (head, is_from, rest) = (String::new(), false, behind);
        }
        if head == "__future__" {
            continue;
        }
        for part in rest.trim_matches(['(', ')', '\\', ' ']).split(',') {
            let words: Vec<&str> = part.trim_matches(['(', ')', '\\', ' ', ';']).split_whitespace().collect();
            let (name, is_handed_on) = match words.as_slice() {
                [name, "as", alias] => (*alias, name == alias),
                // `import a.b` binds `a`.
                [name] if is_from => (*name, false),
                [name] => (name.split('.').next().unwrap_or(name), false),
                _ => continue,
            };
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if is_name {
                found.push(ImportedName {
                    line: number,
                    name: name.to_owned(),
                    is_handed_on,
                    is_meant: comment.contains("noqa") || comment.contains("pylint:") || comment.contains("type:"),
                    text: line.trim().to_owned(),
                });
            }
        }
    }
    found
}

/// Whether another file takes the name from this module: `from module import name`, or `module.name`.
fn is_taken(reading: AnswerInputs, files: &[(FileId, FileRecord)], of: &FileRecord, name: &str) -> bool {
    let module = of.module.rsplit('.').next().unwrap_or(&of.module);
    let attribute = format!("{module}.{name}");
    files.iter().filter(|(_, file)| file.path != of.path).any(|(_, file)| {
        let Some(text) = reading.sources.text(&file.path).filter(|text| text.contains(name)) else { return false };
        let is_attribute = has_whole_name(&text, &attribute);
        let takes = || {
            text.match_indices(&format!("{module} import")).any(|(at, head)| {
                let names = &text[at + head.len()..];
                let end = if names.trim_start().starts_with('(') { names.find(')') } else { names.find('\n') };
                let names = &names[..end.unwrap_or(names.len())];
                names.split(|c| !is_name_part(c)).any(|word| word == name)
            })
        };
        is_attribute || takes()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_read_where_its_name_stands_outside_of_imports() {
        let text = "\"\"\"Uses json.\"\"\"\nimport os, json\nimport a.b\nfrom m import (\n    x,\n    y as z,  # noqa\n    w as w,\n)\n\n\
                    os.getcwd()\nq: \"x\"\n# a.b\n__all__ = [\"late\"]\n";
        let names: Vec<String> = unread(text, &[(2, 8)])
            .into_iter()
            .map(|import| {
                format!(
                    "{}:{}{}{}",
                    import.line,
                    import.name,
                    if import.is_meant { "!" } else { "" },
                    if import.is_handed_on { "+" } else { "" }
                )
            })
            .collect();
        assert_eq!(names, ["2:json", "3:a", "6:z!", "7:w+"]);
    }
}
