//! Answers that count lines: of the whole repository, of each file, of one definition.
//!
//! A line counts as code where it is neither blank nor a comment.

use std::cmp::Reverse;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, short_name,
            survey::{
                file_row,
                packages::{AROUND, Package, is_own, is_source, named, packages_of},
            },
        },
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::{EntityKind, FileRecord},
    query::{source::texts::lines_of_texts, words::count},
    store::error::StoreError,
};

/// Words of a question for the lines of the whole repository, beside those around every such question.
const OF_SIZE: &str = "altogether average base big by code-base contains excluding file files folder folders including large lines line \
     lines-of-code loc long module modules not on only outside overall package packages per physical size sloc sum test tests without";
/// Words that ask for the length of a definition.
const OF_LENGTH: &str = "a an are big body class code contain contains count definition do does function has have how in inside is it large \
     length line lines loc long many method module much number of size source span spans take takes the there up what";

/// The lines of some files.
#[derive(Default)]
struct Lines {
    all: usize,
    code: usize,
    rows: Vec<ListRow>,
}

impl Lines {
    fn add(&mut self, reading: AnswerInputs, file: &FileRecord) {
        let text = reading.sources.text(&file.path).unwrap_or_default();
        let (all, code) = (file.line_count as usize, lines_of_code(&text, 1, file.line_count));
        self.all += all;
        self.code += code;
        self.rows.push(file_row(file, &[]).with(format!("{}, {code} of code", count(all, "line"))));
    }

    fn worded(&self, files: &str) -> String {
        format!("{} in {}", count(self.all, "line"), count(self.rows.len(), files))
    }

    fn list(mut self, title: &str, answer: &mut Answer) {
        self.rows.sort_by_key(|row| (Reverse(row.end_line), row.path.clone()));
        answer.list(format!("{title}, the longest first ({})", self.rows.len()), self.rows);
    }
}

/// The number of lines from `start` to `end` that are neither blank nor a comment.
fn lines_of_code(text: &str, start: u32, end: u32) -> usize {
    let texts = lines_of_texts(text);
    let is_code = |(number, line): &(u32, &str)| {
        let line = line.trim();
        !line.is_empty() && (!line.starts_with('#') || texts.contains_key(number))
    };
    let lines = (1..).zip(text.lines()).filter(|(number, _)| (start..=end).contains(number));
    lines.filter(is_code).count()
}

/// Whether the words ask for the size of the whole, and not of a part.
fn asks_for_size(words: &[String]) -> bool {
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let counts_lines = has("lines line") && has("code source")
        || has("loc sloc lines-of-code")
        || has("lines") && has("repo repository codebase project library program total overall")
        || has("lines")
            && words.iter().all(|word| is_in("how many lines are does it have there here in total overall", word));
    let asks_how_big =
        has("big large long size") && has("repo repository codebase project library program code-base base");
    counts_lines || asks_how_big
}

/// Counts the lines of the repository, or of one of its packages; `None` for other questions.
pub(in crate::ask::answer) fn sizes(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    if !asks_for_size(&words) {
        return Ok(None);
    }
    let mut within: Option<Package> = None;
    for word in words.iter().filter(|word| !is_in(AROUND, word) && !is_in(OF_SIZE, word)) {
        let packages = packages_of(reading.store)?;
        let Some(package) = named(&packages, word).filter(|_| within.is_none()) else { return Ok(None) };
        let at = packages.iter().position(|one| one.name == package.name);
        within = at.and_then(|at| packages.into_iter().nth(at));
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Repository).plan, String::new());
    answer.plan.notes.clear();
    let (mut own, mut tests, mut others) = (Lines::default(), Lines::default(), Lines::default());
    let files = reading.store.files()?;
    let is_within = |file: &FileRecord| within.as_ref().is_none_or(|package| file.path.starts_with(&package.folder));
    for (_, file) in files.iter().filter(|(_, file)| is_source(file) && is_within(file)) {
        match file {
            file if file.is_test => tests.add(reading, file),
            file if is_own(file) => own.add(reading, file),
            file => others.add(reading, file),
        }
    }
    let of = within.map_or_else(String::new, |package| format!("`{}` has ", package.name));
    let mut parts = vec![format!(
        "{of}{} outside of tests, {} of them neither blank nor comments",
        own.worded("Python file"),
        own.code
    )];
    if !tests.rows.is_empty() {
        parts.push(tests.worded("test file"));
    }
    if !others.rows.is_empty() {
        parts.push(format!("{} of documents, examples and scripts", others.worded("file")));
    }
    if understood.plan.filters.in_tests() == Some(true) && !tests.rows.is_empty() {
        parts.swap(0, 1);
    }
    answer.headline = parts.join("; ");
    own.list("files outside of tests", &mut answer);
    tests.list("test files", &mut answer);
    others.list("files of documents, examples and scripts", &mut answer);
    Ok(Some(answer))
}

/// Says how long a definition is; `None` for other questions.
#[expect(clippy::unnecessary_wraps, reason = "stands in a table of functions that may fail")]
pub(in crate::ask::answer) fn length(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = understood.question.lower_words();
    let begins = matches!(
        words.iter().map(String::as_str).collect::<Vec<_>>().as_slice(),
        ["how", "long" | "big" | "large", "is" | "are", ..]
            | ["how", "many", "lines", ..]
            | ["length" | "size", "of", ..]
            | ["what", "is", "the", "length" | "size", "of", ..]
            | ["number" | "count", "of", "lines", ..]
            | ["line", "count", "of", ..]
    );
    let subjects = &understood.plan.subjects;
    let is_named = |word: &String| {
        subjects
            .iter()
            .any(|subject| subject.mention.trim_end_matches("()").eq_ignore_ascii_case(word.trim_end_matches("()")))
    };
    let is_sized = |kind: EntityKind| kind.is_callable() || matches!(kind, EntityKind::Class | EntityKind::Module);
    if !begins
        || understood.targets.is_empty()
        || !understood.plan.unknown.is_empty()
        || !understood.plan.files.is_empty()
        || !words.iter().all(|word| is_in(OF_LENGTH, word) || is_named(word))
        || !understood.targets.iter().all(|target| is_sized(target.main().record.kind))
    {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    let mut parts = Vec::new();
    for target in &understood.targets {
        let main = target.implementation();
        let (start, end) = (main.record.start_line, main.record.end_line);
        let text = reading.sources.text(&main.path).unwrap_or_default();
        let lines = count((end + 1).saturating_sub(start) as usize, "line");
        let (name, code) = (short_name(main), lines_of_code(&text, start, end));
        parts.push(format!(
            "`{name}` has {lines} ({}:{start}-{end}), {code} of them neither blank nor comments",
            main.path
        ));
        answer.want(main, "asked about", false);
    }
    answer.headline = parts.join("; ");
    answer.list(
        format!("definitions ({})", understood.targets.len()),
        understood.targets.iter().map(|target| ListRow::of(target.implementation())).collect(),
    );
    Ok(Some(answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_comments_are_no_code() {
        let text = "import os\n\n# no\nx = '''\n# yes\n'''\n    # no\ny = 1  # yes\n";
        assert_eq!((lines_of_code(text, 1, 8), lines_of_code(text, 4, 7)), (5, 3));
    }

    #[test]
    fn the_size_of_the_whole_is_asked_for_by_its_words() {
        let asks = |text: &str| asks_for_size(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert!(asks("how many lines of code are there") && asks("how many loc") && asks("how big is the codebase"));
        assert!(!asks("which files are longest") && !asks("how long is f"));
    }
}
