//! The part of a repository that a question about secrets is limited to: a file, a folder, the tests, the documents, a
//! definition, and what is committed or not.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::AnswerInputs,
        reading::{forms::patterns::Phrase, plan::Understood},
    },
    model::conventions::pytest::is_test_path,
    query::words::count,
};

/// Words for all of a repository, and those that another part of the question tells.
const EVERYTHING: &str = "app application branch change changes clear code codebase commit commits diff edits file files \
     git here history i index it log past plain plaintext production program project python repo repoidx repository \
     software source text there tree upstream we work worktree you";
/// Words before the one that names a place.
const BEFORE: &str = "a about all an any anyone api by committed credential credentials current currently entire \
     hardcoded indexed into its key keys last latest local me my now our password passwords previous private right secret \
     secrets someone staged that the these this those to token tokens tracked uncommitted unstaged untracked whole your";
const PLACED: &[&str] = &["in", "inside", "under", "within"];
const CONTAINING: &[&str] = &["contain", "contains", "have", "has", "hold", "holds", "include", "includes"];

/// Whether secrets are asked for by what git knows of their lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GitState {
    Uncommitted,
    Staged,
    Untracked,
    Committed,
}

impl GitState {
    fn of(phrase: &Phrase) -> Option<Self> {
        Some(match () {
            () if phrase.has("untracked | not tracked") => Self::Untracked,
            () if phrase.has("staged | about to commit | next commit") => Self::Staged,
            () if phrase.has(
                "uncommitted | unstaged | haven't/hasn't/n't/not .. commit/committed | working tree/copy/directory | \
                 local/my/our/these/current changes/change/edits/diff | the diff",
            ) =>
            {
                Self::Uncommitted
            }
            () if phrase.has("commit/committed/commits | checked in | ^ did .. check") => Self::Committed,
            () => return None,
        })
    }

    fn words(self) -> &'static str {
        match self {
            Self::Uncommitted => "not committed",
            Self::Staged => "staged",
            Self::Untracked => "untracked",
            Self::Committed => "committed",
        }
    }
}

/// A part of the files, in words, with the lines where only some of each file count.
#[derive(Debug, Default)]
struct PartOfFiles {
    words: String,
    paths: BTreeSet<String>,
    lines: Option<(u32, u32)>,
}

/// The limits of a question about secrets.
#[derive(Debug, Default)]
pub(super) struct SecretLimits {
    place: Option<PartOfFiles>,
    state: Option<GitState>,
    /// Lines that are not as the last commit has them, and all of untracked files.
    added: BTreeMap<String, BTreeSet<u32>>,
    untracked: BTreeSet<String>,
    /// Why the answer is about something else than was asked for.
    pub(super) doubt: Option<String>,
}

impl SecretLimits {
    pub(super) fn of(reading: AnswerInputs, understood: &Understood, phrase: &Phrase, paths: &[String]) -> Self {
        let mut limits = Self { state: GitState::of(phrase), ..Self::default() };
        match place(understood, phrase, paths) {
            Ok(place) => limits.place = place,
            Err(word) => limits.doubt = Some(format!("`{word}` is not known here")),
        }
        if phrase
            .has("history/ever/earlier/past | last/latest/previous/older/old commit/commits | which commit | this/that/the commit | branch")
        {
            limits.doubt = Some("which commit added them is not known".to_owned());
            limits.state = None;
        } else if phrase.has("last/previous/latest answer/answers/reply/prompt") {
            limits.doubt = Some("past answers are not kept".to_owned());
            limits.state = None;
        } else if phrase.has("push/pushed/upstream") {
            limits.doubt = Some("which of them were pushed is not known".to_owned());
            limits.state = None;
        }
        if limits.state.is_some() && (reading.git)(&["rev-parse", "--verify", "--quiet", "HEAD"]).is_none() {
            limits.doubt = Some("nothing is committed yet".to_owned());
            limits.state = None;
        }
        if let Some(state) = limits.state {
            let base = if state == GitState::Staged { "--cached" } else { "HEAD" };
            let options = ["--unified=0", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/"];
            let command: Vec<&str> = ["diff"].into_iter().chain(options).chain([base]).collect();
            limits.added = added_lines(&(reading.git)(&command).unwrap_or_default());
            let untracked = (reading.git)(&["ls-files", "--others", "--exclude-standard"]).unwrap_or_default();
            limits.untracked = untracked.lines().map(str::to_owned).collect();
        }
        limits
    }

    pub(super) fn has_file(&self, path: &str) -> bool {
        self.place.as_ref().is_none_or(|place| place.paths.contains(path))
    }

    /// Whether a line of such a file counts, whatever git knows of it.
    pub(super) fn has_line(&self, line: u32) -> bool {
        let lines = self.place.as_ref().and_then(|place| place.lines);
        lines.is_none_or(|(first, last)| (first..=last).contains(&line))
    }

    pub(super) fn has_state(&self, path: &str, line: u32) -> bool {
        let is_added = self.added.get(path).is_some_and(|lines| lines.contains(&line));
        let is_untracked = self.untracked.contains(path);
        match self.state {
            None => true,
            Some(GitState::Uncommitted) => is_added || is_untracked,
            Some(GitState::Committed) => !is_added && !is_untracked,
            Some(GitState::Staged) => is_added && !is_untracked,
            Some(GitState::Untracked) => is_untracked,
        }
    }

    /// The place in words, behind a noun: ` of the tests`.
    pub(super) fn of_place(&self) -> String {
        self.place
            .as_ref()
            .filter(|place| !place.words.is_empty())
            .map_or_else(String::new, |place| place.words.clone())
    }

    /// The state in words: ` and are committed`.
    pub(super) fn and_state(&self, number: usize) -> String {
        let be = if number == 1 { "is" } else { "are" };
        self.state.map_or_else(String::new, |state| format!(" and {be} {}", state.words()))
    }

    /// The lines that another state has, where none has this one.
    pub(super) fn others(&self, number: usize) -> String {
        match self.state {
            Some(state) if number > 0 => {
                let be = if number == 1 { "is" } else { "are" };
                format!("; {} that {be} not {} may hold one", count(number, "line"), state.words())
                    .replace("not not ", "")
            }
            _ => String::new(),
        }
    }
}

/// The place that the question names; nothing for all of the repository, and the word that names no place as an error.
fn place(understood: &Understood, phrase: &Phrase, paths: &[String]) -> Result<Option<PartOfFiles>, String> {
    let plan = &understood.plan;
    let named: BTreeSet<String> = plan.files.iter().flat_map(|file| &file.paths).cloned().collect();
    if !named.is_empty() {
        return Ok(Some(PartOfFiles { paths: named, ..PartOfFiles::default() }));
    }
    let is_outside = phrase.has(
        "outside/except/excluding/besides/ignoring/without .. test/tests | not .. in .. tests | non-test/nontest | \
         apart from .. test/tests",
    );
    if is_outside {
        return Ok(Some(part(" outside of the tests", paths, |path| !is_test_path(path))));
    }
    let words = &phrase.words;
    let behind = words.iter().rposition(|word| PLACED.contains(&word.as_str())).map(|at| &words[at + 1..]);
    let containing = words.iter().position(|word| CONTAINING.contains(&word.as_str()));
    let is_does = words.first().is_some_and(|word| word == "do" || word == "does");
    let subject = containing.filter(|_| is_does).map(|at| &words[1..at]);
    let is_in = |list: &str, word: &str| list.split_whitespace().any(|one| one == word);
    let is_name = |word: &&String| !is_in(BEFORE, word);
    let mut first = None;
    for candidate in behind.into_iter().chain(subject).flatten().filter(is_name) {
        let word = candidate.trim_matches(['/', '`']);
        if is_in(EVERYTHING, word) {
            break;
        }
        if let Some(subject) = plan.subjects.iter().find(|subject| subject.mention.eq_ignore_ascii_case(word)) {
            return Ok(Some(PartOfFiles {
                words: format!(" of `{}`", subject.name),
                paths: BTreeSet::from([subject.path.clone()]),
                lines: Some((subject.start_line, subject.end_line)),
            }));
        }
        if let Some(found) = part_called(word, paths) {
            return Ok(Some(found));
        }
        first.get_or_insert_with(|| word.to_owned());
    }
    first.map_or(Ok(None), Err)
}

fn part(words: &str, paths: &[String], holds: impl Fn(&str) -> bool) -> PartOfFiles {
    let paths = paths.iter().filter(|path| holds(path)).cloned().collect();
    PartOfFiles { words: words.to_owned(), paths, lines: None }
}

/// The tests, the documents, the settings, or what a folder or file of this name holds.
fn part_called(word: &str, paths: &[String]) -> Option<PartOfFiles> {
    let is_document = |path: &str| {
        let is_below = path.split('/').rev().skip(1).any(|folder| matches!(folder, "doc" | "docs"));
        is_below || [".md", ".rst", ".txt", ".adoc"].iter().any(|end| path.ends_with(end))
    };
    let is_settings = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        ["conf", "settings"].iter().any(|part| name.contains(part))
            || [".toml", ".cfg", ".ini"].iter().any(|end| name.ends_with(end))
    };
    match word {
        "test" | "tests" | "testsuite" | "testcases" => return Some(part(" of the tests", paths, is_test_path)),
        "doc" | "docs" | "documentation" | "documents" => return Some(part(" of the documents", paths, is_document)),
        "config" | "configs" | "configuration" | "settings" => {
            return Some(part(" of settings", paths, is_settings));
        }
        _ => {}
    }
    let is_called = |part: &str| {
        let stem = part.split_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(part, |(stem, _)| stem);
        part.eq_ignore_ascii_case(word) || stem.eq_ignore_ascii_case(word)
    };
    let found = part(&format!(" called `{word}` or below it"), paths, |path| path.split('/').any(is_called));
    (!found.paths.is_empty()).then_some(found)
}

/// The lines that a diff without context adds, by file.
fn added_lines(diff: &str) -> BTreeMap<String, BTreeSet<u32>> {
    let (mut all, mut path): (BTreeMap<String, BTreeSet<u32>>, _) = (BTreeMap::new(), String::new());
    let mut skipped = 0;
    for line in diff.lines() {
        if skipped > 0 {
            // A mark for a missing newline is no line of the file.
            skipped -= u32::from(!line.starts_with('\\'));
            continue;
        }
        if let Some(name) = line.strip_prefix("+++ ") {
            name.trim_matches('"').trim_start_matches("b/").clone_into(&mut path);
        }
        let Some((old, new)) = line.strip_prefix("@@ -").and_then(|rest| rest.split(" @@").next()?.split_once(" +"))
        else {
            continue;
        };
        let (_, removed) = lines_of(old);
        let (start, added) = lines_of(new);
        skipped = removed + added;
        all.entry(path.clone()).or_default().extend(start..start + added);
    }
    all
}

/// Reads `START,COUNT`, where the count may be left out.
fn lines_of(hunk: &str) -> (u32, u32) {
    let (start, number) = hunk.split_once(',').unwrap_or((hunk, "1"));
    (start.parse().unwrap_or_default(), number.parse().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(text: &str) -> Phrase {
        Phrase::of_words(text.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn the_lines_that_a_diff_adds_are_read() {
        let diff = "diff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -1,0 +2,2 @@ def f():\n+++ b/x\n+@@ -9 +9 @@\n\
                    @@ -5 +7 @@\n-a\n+b\n\\ No newline at end of file\n--- a/n.py\n+++ b/n.py\n@@ -3,2 +2,0 @@\n-a\n-b\n";
        let added = added_lines(diff);
        assert_eq!(added["m.py"], BTreeSet::from([2, 3, 7]));
        assert!(added["n.py"].is_empty());
    }

    #[test]
    fn what_git_knows_of_a_line_is_asked_for_in_many_words() {
        for (text, wanted) in [
            ("did i commit any passwords", Some(GitState::Committed)),
            ("are any credentials checked in", Some(GitState::Committed)),
            ("do i have a password in my uncommitted changes", Some(GitState::Uncommitted)),
            ("are there secrets in the files i haven't committed", Some(GitState::Uncommitted)),
            ("is there a secret in my changes", Some(GitState::Uncommitted)),
            ("is there a secret in the staged files", Some(GitState::Staged)),
            ("do the untracked files have passwords", Some(GitState::Untracked)),
            ("are there secrets in the code", None),
        ] {
            assert_eq!(GitState::of(&phrase(text)), wanted, "{text}");
        }
    }

    #[test]
    fn a_part_is_called_by_its_kind_its_folder_or_its_file() {
        let paths = ["app/billing.py", "docs/use.md", "tests/test_app.py", "setup.cfg"].map(str::to_owned);
        for (word, wanted) in [
            ("tests", "tests/test_app.py"),
            ("docs", "docs/use.md"),
            ("config", "setup.cfg"),
            ("billing", "app/billing.py"),
            ("app", "app/billing.py"),
        ] {
            let found = part_called(word, &paths).expect(word);
            assert_eq!(found.paths, BTreeSet::from([wanted.to_owned()]), "{word}");
        }
        assert!(part_called("engine", &paths).is_none());
    }
}
