//! Answers about the index itself: whether it is up to date, of which commit, and which files it could not read.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, first_in_words,
            survey::{PARTIAL, broken_files},
        },
        reading::{
            forms::{QuestionIntent, patterns::captured},
            plan::Understood,
        },
    },
    query::words::{count, short_commit},
    store::error::StoreError,
};

/// The parts of the state for which a question can ask.
#[derive(Clone, Copy)]
enum StatePart {
    Age,
    Files,
    Skipped,
    Partial,
    Language,
    Documents,
}

/// Wordings of such questions.
const FORMS: [(&str, StatePart); 15] = [
    ("is the index (still/really) (up) (to) up-to-date/fresh/current/date (now)", StatePart::Age),
    ("is the index (already) stale/outdated/old/behind", StatePart::Age),
    ("how old/fresh/current/stale is the index", StatePart::Age),
    ("which/what commit/revision/version is (currently) indexed (right/now) (now)", StatePart::Age),
    ("(of/at/for/on) which/what commit/revision/version is the index (at/of/for/on/from)", StatePart::Age),
    ("when was the index (last) built/made/updated/refreshed/written", StatePart::Age),
    ("how many files are/were/got/have (been) indexed", StatePart::Files),
    ("how many files are in/does the index (have/contain/hold)", StatePart::Files),
    (
        "was/were/are/is any/some (file/files) (been) (file/files) (in/of) (this/the) (repository) skipped",
        StatePart::Skipped,
    ),
    ("which/what files are/were (only) partial/partially/partly (read/parsed/indexed)", StatePart::Partial),
    (
        "(which/what) (files) (are/is) (there) (any/some) (files) (that) with/have/has/had parse/parsing/syntax/parser error/errors/problems",
        StatePart::Partial,
    ),
    (
        "(in) which/what (programming/computer) language/languages is/are/does (this/the/our/it) (whole) \
         (repo/repository/project/code/codebase/package/library/program) (written/implemented/coded/made/use/programmed) (in/with)",
        StatePart::Language,
    ),
    (
        "is (this/the/our/it) (repo/repository/project/code/codebase/package/library/program) (all) written/implemented/coded in python",
        StatePart::Language,
    ),
    (
        "is/are there (any/some/a) documentation/docs/documents/manual (here) (in/of/for) (this/the/our) \
         (repo/repository/project/code/codebase/package/library/program)",
        StatePart::Documents,
    ),
    (
        "do/does (this/the/our/it/we/they) (repo/repository/project/code/codebase/package/library/program) have (any/some/a) \
         documentation/docs/documents/manual",
        StatePart::Documents,
    ),
];
/// Ends of the names of Python files.
const ENDINGS: [&str; 2] = [".py", ".pyi"];
/// Files that a headline names.
const MAX_NAMED: usize = 3;

/// Answers such a question; `None` for others.
pub(in crate::ask::answer) fn index_state(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.as_str()).collect();
    let Some((_, part)) = FORMS.iter().find(|(form, _)| captured(form, &words).is_some()) else { return Ok(None) };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Repository).plan, String::new());
    answer.plan.unknown.clear();
    answer.plan.notes.clear();
    answer.command = String::from("repoidx status");
    let is_whether = ["is", "are", "was", "were", "do", "does"].iter().any(|verb| words[0].eq_ignore_ascii_case(verb));
    let is_python = |path: &str| ENDINGS.iter().any(|ending| path.ends_with(ending));
    let no = if is_whether { "no: " } else { "" };
    let yes = if is_whether { "yes: " } else { "" };
    let counts = reading.store.counts()?;
    answer.headline = match part {
        StatePart::Age => {
            let commit = reading.store.meta("indexed")?.unwrap_or_default();
            let commit =
                if commit.is_empty() { "no commit".to_owned() } else { format!("commit {}", short_commit(&commit)) };
            // With `--no-update` a note tells how far it lags.
            format!("the index is of {commit} with the edits since; each answer first brings it up to date")
        }
        StatePart::Files => {
            let documents = reading.store.documents()?.into_iter().filter(|(_, one)| one.skipped.is_empty()).count();
            let files = usize::try_from(counts.files).unwrap_or(usize::MAX);
            answer.count(files, "file");
            format!(
                "{} and {} are indexed, with {} definitions",
                count(files, "file"),
                count(documents, "document"),
                counts.entities
            )
        }
        StatePart::Language => {
            let files = reading.store.files()?.into_iter().filter(|(_, file)| is_python(&file.path)).count();
            format!("{yes}Python, in {}; code in other languages is not indexed", count(files, "file"))
        }
        StatePart::Documents => {
            let mut documents = reading.store.documents()?;
            documents.retain(|(_, one)| one.skipped.is_empty());
            // Forms for those who report something are documents too, but say little.
            documents.sort_by_key(|(_, one)| {
                let path = one.path.to_lowercase();
                (path.starts_with('.'), !path.starts_with("readme"), path)
            });
            let named = first_in_words(documents.iter().map(|(_, one)| one.path.clone()), MAX_NAMED);
            let number = count(documents.len(), "document");
            let row =
                |path: String| ListRow { name: path.clone(), kind: "document", path, line: 1, ..ListRow::default() };
            answer.list(
                format!("documents ({})", documents.len()),
                documents.iter().map(|(_, one)| row(one.path.clone())).collect(),
            );
            if documents.is_empty() {
                "no: no document is indexed".to_owned()
            } else {
                format!("yes: {number}: {named}")
            }
        }
        StatePart::Skipped | StatePart::Partial => {
            let mut rows = broken_files(reading)?;
            rows.retain(|row| (row.note == PARTIAL) == matches!(part, StatePart::Partial));
            let named = first_in_words(rows.iter().map(|row| row.path.clone()), MAX_NAMED);
            let number = count(rows.len(), "file");
            let are = if rows.len() == 1 { "was" } else { "were" };
            let headline = match (part, rows.is_empty()) {
                (StatePart::Partial, true) => format!("{no}no file has syntax errors"),
                (StatePart::Partial, false) => format!("{yes}{number} {are} read in part, for syntax errors: {named}"),
                (_, true) => format!(
                    "{no}no file was too big or unreadable; `repoidx status` lists what is left out by its name"
                ),
                (_, false) => format!("{yes}{number} {are} skipped: {named}"),
            };
            answer.list(format!("files that were not wholly read ({})", rows.len()), rows);
            headline
        }
    };
    Ok(Some(answer))
}
