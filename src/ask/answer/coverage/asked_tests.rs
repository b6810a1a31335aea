//! The tests that count for a question: those of a kind, as folders tell it, or those of a folder that it names.

use std::collections::BTreeSet;

use crate::{
    ask::reading::plan::{PlannedFile, Understood},
    model::{
        FileId, FileRecord,
        conventions::test_kinds::{SuiteKind, kind_of_tests},
    },
    query::words::count,
};

/// The tests that a question counts.
pub struct AskedTests<'u> {
    kind: Option<SuiteKind>,
    /// The folders and files of tests that the question names, with the paths below them.
    places: Vec<&'u PlannedFile>,
    /// The kinds that folders and files of the repository tell.
    told: BTreeSet<SuiteKind>,
    has_tests: bool,
}

impl<'u> AskedTests<'u> {
    /// Reads them from the words and files of a question.
    pub fn of(understood: &'u Understood, files: &[(FileId, FileRecord)]) -> Self {
        let tests: BTreeSet<&str> =
            files.iter().filter(|(_, file)| file.is_test).map(|(_, file)| file.path.as_str()).collect();
        let plan = &understood.plan;
        let is_of_tests =
            |file: &&PlannedFile| !file.paths.is_empty() && file.paths.iter().all(|path| tests.contains(path.as_str()));
        let mut places: Vec<&PlannedFile> = plan.files.iter().filter(is_of_tests).collect();
        // Without another subject, the code in a folder of tests is what the question is about.
        let has_subject = !understood.targets.is_empty() || places.len() < plan.files.len();
        if !has_subject {
            places.retain(|file| names_the_doer(&plan.question, &file.mention));
        }
        let told = tests.iter().filter_map(|path| kind_of_tests(path)).collect();
        Self { kind: understood.test_kind, places, told, has_tests: !tests.is_empty() }
    }

    /// Whether a file of the question says which tests count, and is not asked about itself.
    pub fn is_place(&self, file: &PlannedFile) -> bool {
        self.places.iter().any(|place| place.mention == file.mention)
    }

    /// Whether only some tests count.
    pub fn is_limited(&self) -> bool {
        self.kind_that_limits().is_some() || !self.places.is_empty()
    }

    /// Whether the tests in this file count.
    pub fn counts(&self, path: &str) -> bool {
        let kind = kind_of_tests(path);
        let is_of_kind = match self.kind_that_limits() {
            None => true,
            // A test without a kind is a unit test where others have theirs.
            Some(SuiteKind::Unit) => kind.is_none_or(|kind| kind == SuiteKind::Unit),
            // Where folders tell unit tests alone, the rest may be of any kind.
            Some(_) if self.tells_units_alone() => kind.is_none(),
            Some(asked) => kind == Some(asked),
        };
        is_of_kind && (self.places.is_empty() || self.places.iter().any(|place| place.paths.iter().any(|p| p == path)))
    }

    /// One of them: `unit test`.
    pub fn noun(&self) -> String {
        self.worded("test")
    }

    /// So many of them: `2 unit tests`.
    pub fn counted(&self, number: usize) -> String {
        format!("{number} {}", self.worded(if number == 1 { "test" } else { "tests" }))
    }

    /// All of them: `unit tests`.
    pub fn plural(&self) -> String {
        self.worded("tests")
    }

    /// That the repository does not tell the kind, as the end of a sentence.
    pub fn untold(&self) -> Option<String> {
        let kind = self.kind.filter(|kind| self.has_tests && !self.told.contains(kind))?;
        let kinds = format!("{} tests", kind.as_str());
        match kind {
            _ if self.told.is_empty() => {
                Some(format!("the repository does not tell {kinds} from others, so all tests are counted"))
            }
            SuiteKind::Unit => None,
            _ if self.tells_units_alone() => Some(format!(
                "no folder is named for {kinds}, so all tests outside of those for unit tests are counted"
            )),
            _ => Some(format!("no folder or file of tests is named for {kinds}")),
        }
    }

    /// The kinds of tests that do not count, in words: `integration and system tests`.
    pub fn others<'p>(&self, paths: impl Iterator<Item = &'p str>) -> Option<String> {
        let kinds: BTreeSet<Option<SuiteKind>> = paths.map(kind_of_tests).collect();
        if kinds.is_empty() || kinds.contains(&None) {
            return None;
        }
        let words: Vec<&str> = kinds.iter().flatten().map(|kind| kind.as_str()).collect();
        Some(words.join(" and "))
    }

    /// So many tests that do not count, in words: `1 integration test`, `2 tests of another kind`.
    pub fn counted_others<'p>(&self, number: usize, paths: impl Iterator<Item = &'p str>) -> String {
        match self.others(paths) {
            Some(kinds) => count(number, &format!("{kinds} test")),
            None if self.places.is_empty() => format!("{} of another kind", count(number, "test")),
            None => format!("{} elsewhere", count(number, "test")),
        }
    }

    fn kind_that_limits(&self) -> Option<SuiteKind> {
        self.kind.filter(|_| !self.told.is_empty() || !self.has_tests)
    }

    fn tells_units_alone(&self) -> bool {
        self.kind != Some(SuiteKind::Unit) && self.told.len() == 1 && self.told.contains(&SuiteKind::Unit)
    }

    fn worded(&self, noun: &str) -> String {
        let kind = self.kind_that_limits().map_or_else(String::new, |kind| format!("{} ", kind.as_str()));
        let names: Vec<&str> = self.places.iter().map(|place| place.mention.trim_end_matches('/')).collect();
        let within = if names.is_empty() { String::new() } else { format!(" in {}", names.join(" and ")) };
        format!("{kind}{noun}{within}")
    }
}

/// Whether a question says that a folder of tests does something: `covered by the tests in tests/unit`.
fn names_the_doer(question: &str, mention: &str) -> bool {
    let Some((before, _)) = question.split_once(mention) else { return false };
    let filling = ["the", "any", "all", "a", "test", "tests", "in", "of", "under", "from", "below"];
    let mut words = before.split_whitespace().rev().map(str::to_lowercase);
    words.find(|word| !filling.contains(&word.as_str())).is_some_and(|word| word == "by")
}
