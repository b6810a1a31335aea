//! The modules, files and packages without tests: those of which no definition is reached by one.

use std::collections::BTreeMap;

use super::test_graph::TestReach;
use crate::{
    ask::{
        answer::{Answer, ListRow, first_in_words},
        reading::{forms::patterns::is_negation, plan::Understood, words::is_in},
    },
    query::{
        target::likeliest::is_aside,
        words::{count, plural},
    },
    store::read::Entity,
};

/// Those that a headline names.
const MAX_NAMED: usize = 6;
/// Kinds that a question can ask for; the first one that it names counts.
const KINDS: &str = "attribute attributes class classes constants definition definitions directories directory file files \
     folder folders function functions lines method methods module modules package packages subpackages variables";
const NOT_READ: &str = "is not known: these words of the question are not understood:";

/// The thing that a question about places without tests wants to know.
#[derive(Clone, Copy)]
pub(super) enum AskedHow {
    Which,
    /// Whether there is such a place.
    Whether,
    /// Whether all places have tests.
    WhetherAll,
}

/// The kind of place that lacks tests, and the words that say which of them are meant.
pub(super) struct AskedPlaces {
    noun: &'static str,
    unread: Vec<String>,
    /// Those with tests are asked for: `which modules are tested`.
    wants_tested: bool,
}

impl AskedPlaces {
    /// Reads them from a question: `which modules have no tests`; `None` where it asks for definitions or for one file.
    pub(super) fn of(understood: &Understood) -> Option<Self> {
        /// Words before the kind that limit nothing, or that are read elsewhere.
        const AROUND: &str = "a all an any are at codebase's count do does each every find give have how in is list lacks lack many me my no \
             none non number of one ones our other package's print production program project's py python's python repo's \
             repository's show single source src tell tested the their there these those uncovered untested us were what which name";
        let words = understood.question.lower_words();
        let at = words.iter().position(|word| is_in(KINDS, word))?;
        let is_article = |word: &&String| is_in("a all any each every no our the these", word);
        let mut before = words[..at].iter().rev().skip_while(is_article);
        let is_place = match before.next().map_or("", String::as_str) {
            // `which of the modules`
            "of" => {
                !before.next().is_some_and(|word| is_in("all any each list many most none number some which", word))
            }
            word => is_in("by for from in inside within", word),
        };
        let noun = match words[at].as_str() {
            "module" | "modules" => "module",
            "file" | "files" => "file",
            "package" | "packages" | "subpackages" => "package",
            "folder" | "folders" | "directory" | "directories" => "folder",
            _ => return None,
        };
        let is_single = !words[at].ends_with('s');
        let is_any = || at > 0 && is_in("a any each every no single what which", &words[at - 1]);
        if is_place || is_single && !is_any() {
            return None;
        }
        let plan = &understood.plan;
        let is_named = |word: &str| {
            let is_it = |mention: &str| mention.to_lowercase().split_whitespace().any(|part| part == word);
            plan.subjects.iter().any(|one| is_it(&one.mention)) || plan.files.iter().any(|one| is_it(&one.mention))
        };
        let unread: Vec<String> =
            words[..at].iter().filter(|word| !is_in(AROUND, word) && !is_named(word)).cloned().collect();
        // `test files` are no place without tests.
        let says_none = |word: &String| {
            is_negation(word) || is_in("lack lacking lacks missing no uncovered untested without zero", word)
        };
        let wants_tested = !words.iter().any(says_none);
        (!unread.iter().any(|word| is_in("test tests", word))).then_some(Self { noun, unread, wants_tested })
    }

    /// The name of such a place by a file in it, and the path to show.
    fn name(&self, entity: &Entity) -> (String, String) {
        let folder = || entity.path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
        match self.noun {
            "module" => (entity.module.clone(), entity.path.clone()),
            "file" => (entity.path.clone(), entity.path.clone()),
            "package" if entity.path.ends_with("__init__.py") => (entity.module.clone(), folder()),
            "package" => {
                (entity.module.rsplit_once('.').map_or(entity.module.as_str(), |(name, _)| name).to_owned(), folder())
            }
            _ => (folder(), folder()),
        }
    }

    /// Answers with them, from the definitions in groups.
    pub(super) fn report(
        &self,
        groups: &BTreeMap<TestReach, Vec<Entity>>,
        asked: AskedHow,
        word: &str,
        answer: &mut Answer,
    ) {
        if !self.unread.is_empty() {
            let unread: Vec<String> = self.unread.iter().map(|word| format!("`{word}`")).collect();
            answer.headline = format!("which {} are meant {NOT_READ} {}", plural(self.noun), unread.join(", "));
            return;
        }
        let mut best: BTreeMap<(String, String), (TestReach, usize)> = BTreeMap::new();
        for (reach, entities) in groups {
            // Nothing runs a stub.
            for entity in entities.iter().filter(|entity| !entity.path.ends_with(".pyi")) {
                let (known, number) = best.entry(self.name(entity)).or_insert((*reach, 0));
                *known = (*known).max(*reach);
                *number += 1;
            }
        }
        let (mut without, mut open, mut with) = (Vec::new(), Vec::new(), Vec::new());
        for ((name, path), (reach, number)) in best {
            let note = match reach {
                TestReach::Nothing | TestReach::Covered => String::new(),
                TestReach::OtherTests => ", which only other tests reach".to_owned(),
                TestReach::AtImport => ", which tests only import".to_owned(),
                TestReach::Improbable => ", which tests probably do not reach".to_owned(),
                TestReach::OneOfMany => ", which tests reach as one of many values".to_owned(),
                TestReach::Unknown => ", to which no more than a name leads".to_owned(),
                TestReach::ByLibrary => ", which only unseen code could run".to_owned(),
            };
            let row = ListRow { name, kind: self.noun, path, line: 1, ..ListRow::default() }
                .with(format!("{}{note}", count(number, "definition")));
            match reach {
                TestReach::Covered => with.push(row),
                TestReach::OneOfMany | TestReach::Unknown => open.push(row),
                _ => without.push(row),
            }
        }
        let all = without.len() + open.len() + with.len();
        // Examples and documentation come last.
        without.sort_by_key(|row| is_aside(&row.path));
        let places = plural(self.noun);
        let named = first_in_words(without.iter().map(|row| format!("`{}`", row.name)), MAX_NAMED);
        let untold = if open.is_empty() { String::new() } else { format!("; {} cannot be told", open.len()) };
        if self.wants_tested && matches!(asked, AskedHow::Which) {
            let named = first_in_words(with.iter().map(|row| format!("`{}`", row.name)), MAX_NAMED);
            let (number, have) = (with.len(), if with.len() == 1 { "has" } else { "have" });
            answer.headline = match number {
                0 => format!("none: no {word} reaches a definition of any of {}", count(all, self.noun)),
                _ => format!("{number} of {all} {places} with definitions {have} some that a {word} reaches: {named}"),
            };
            answer.list(format!("{places} with definitions that a {word} reaches ({})", with.len()), with);
            answer.list(format!("{places} of which it cannot be told ({})", open.len()), open);
            answer.list(format!("{places} without a definition that a {word} reaches ({})", without.len()), without);
            return;
        }
        let (number, have) = (without.len(), if without.len() == 1 { "has" } else { "have" });
        let rest = match number {
            0 => {
                format!("a {word} reaches some definition of each of {} with definitions", count(with.len(), self.noun))
            }
            _ => format!("{number} of {all} {places} with definitions {have} none that any {word} reaches: {named}"),
        };
        let lead = match (asked, without.is_empty(), open.is_empty()) {
            (AskedHow::WhetherAll, false, _) | (AskedHow::Whether, true, true) => "no: ",
            (AskedHow::WhetherAll, true, true) | (AskedHow::Whether, false, _) => "yes: ",
            (AskedHow::WhetherAll | AskedHow::Whether, true, false) => "perhaps: ",
            (AskedHow::Which, true, true) => "none: ",
            (AskedHow::Which, ..) => "",
        };
        answer.headline = format!("{lead}{rest}{untold}");
        answer.list(format!("{places} without a definition that a {word} reaches ({})", without.len()), without);
        answer.list(format!("{places} of which it cannot be told ({})", open.len()), open);
        answer.list(format!("{places} with definitions that a {word} reaches ({})", with.len()), with);
    }
}
