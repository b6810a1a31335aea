//! The license of the project: the file at the root that has it, and what the metadata of the package say.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow},
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    query::words::shell_word,
};

/// Beginnings of the names of such files.
const NAMES: [&str; 5] = ["license", "licence", "copying", "unlicense", "licenses"];
/// Files in which a package says its license.
const METADATA: [&str; 3] = ["pyproject.toml", "setup.cfg", "setup.py"];
/// Words of questions for the license as a whole.
const AROUND: &str = "a about an any are code copying cat covered display distributed do does file files for has have in is it \
     its kind licence license licensed licences licenses me name of open our package print project read released repo \
     repository show software source tell terms that the there this to type under use used uses view we what what's where which";
/// Lines of the file that are shown.
const SHOWN: usize = 12;

/// Answers which license the project has; `None` for questions about a part of it.
pub(super) fn license(reading: AnswerInputs, understood: &Understood) -> Option<Answer> {
    let words = understood.question.lower_words();
    if !words.iter().all(|word| is_in(AROUND, word)) {
        return None;
    }
    let tracked = (reading.git)(&["ls-files"]).unwrap_or_default();
    let mut files: Vec<&str> = tracked.lines().filter(|path| is_license(path)).collect();
    files.sort_by_key(|path| (path.matches('/').count(), *path));
    let said = METADATA.iter().find_map(|path| said_in(reading, path));
    if files.is_empty() && said.is_none() {
        return None;
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Documents).plan, String::new());
    answer.plan.notes.clear();
    let asks_whether = words.first().is_some_and(|word| is_in("is are do does has have", word));
    let yes = if asks_whether { "yes: " } else { "" };
    let mut parts = Vec::new();
    if let Some(first) = files.first() {
        let text = reading.sources.text(first).unwrap_or_default();
        let mut lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
        let shown: Vec<ListRow> =
            lines.by_ref().take(SHOWN).map(|(at, line)| ListRow::line(first, at, line.to_owned())).collect();
        let begin = shown.first().map_or_else(String::new, |row| format!(", which begins `{}`", row.text));
        parts.push(format!("the license is in {first}{begin}"));
        answer.list(format!("the first lines of {first}"), shown);
        answer.command = format!("git show HEAD:{}", shell_word(first));
    }
    if let Some((path, line, text)) = said {
        parts.push(format!("{path}:{line} says `{text}`"));
        answer.list("metadata of the package", vec![ListRow::line(path, line, text)]);
    }
    answer.headline = format!("{yes}{}", parts.join("; "));
    let others = files.iter().skip(1).map(|path| ListRow {
        name: (*path).to_owned(),
        path: (*path).to_owned(),
        line: 1,
        ..ListRow::default()
    });
    let others: Vec<ListRow> = others.collect();
    answer.beside(format!("further files called so ({})", others.len()), others);
    if answer.command.is_empty() {
        answer.command = understood.plan.ask_command();
    }
    Some(answer)
}

/// Whether a file is called as licenses are: `LICENSE`, `LICENSE-MIT.txt`, `COPYING`.
fn is_license(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split(['.', '-', '_']).next().unwrap_or_default();
    NAMES.contains(&stem) && !name.ends_with(".py")
}

/// The line of a file of metadata that says the license, with its number.
fn said_in(reading: AnswerInputs, path: &'static str) -> Option<(&'static str, u32, String)> {
    let text = reading.sources.text(path)?;
    let is_said = |line: &str| {
        let rest = line.strip_prefix("license").unwrap_or_default().trim_start();
        rest.starts_with('=') && !rest.contains("file")
    };
    let found = (1..).zip(text.lines().map(str::trim)).find(|(_, line)| is_said(line) || line.contains("License :: "));
    found.map(|(at, line)| (path, at, line.trim_end_matches(',').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_license_is_told_by_the_name_of_its_file() {
        for path in ["LICENSE", "LICENSE.txt", "COPYING", "licenses/LICENSE-MIT.md"] {
            assert!(is_license(path), "{path}");
        }
        for path in ["src/license.py", "docs/licensing.md", "README.md"] {
            assert!(!is_license(path), "{path}");
        }
    }
}
