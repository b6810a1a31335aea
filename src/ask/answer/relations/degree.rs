//! Conditions on the number of relationships of a definition: `only one caller`, `only called from tests`, `no
//! subclasses`, `modules that import nothing`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{AnswerInputs, imports::has_imports},
        reading::{
            forms::patterns::{Phrase, number as read_number},
            plan::Understood,
            words::{ParsedQuestion, QuestionWord},
        },
    },
    model::{EntityId, EntityKind, FileId, RelationshipKind},
    query::words::count,
    store::{Store, error::StoreError, read::Entity},
};

/// A condition of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ask::answer) enum Degree {
    /// Functions and classes that call it: the least number and the most.
    Callers(usize, usize),
    /// Places that call it.
    Calls(usize, usize),
    /// All its calls stand in tests, and there are some.
    OnlyTests,
    /// No class derives from it.
    NoSubclasses,
    /// A module without any import.
    NoImports,
}

/// Words of these conditions. `#` is a number.
const CALLERS: &str =
    "# .. caller/callers | single caller | called by/from .. # function/functions/place/method/methods";
const CALLS: &str = "called .. # time/times | called .. once | once called | # call/calls";
const ONLY_TESTS: &str = "only/exclusively/solely .. called/used/needed by/from/in the/our/a/unit .. test/tests | \
     only/exclusively/solely .. called/used/needed by/from/in test/tests | called/used only/exclusively/solely by/from/in .. test/tests";
const NO_SUBCLASSES: &str = "no/without/lack/lacks/zero .. subclass/subclasses/heirs/children/descendants | \
     not/never/nobody/nothing/don't/doesn't/isn't/aren't .. subclassed | nobody/nothing subclasses | not/don't/never have .. subclasses | \
     leaf class/classes";
const NO_IMPORTS: &str = "import/imports/importing nothing | no/without .. import/imports/dependencies | \
     not/don't/doesn't/never import any/anything";

impl Degree {
    /// The condition that a question states, and the words that state it.
    pub(in crate::ask::answer) fn of(understood: &Understood) -> Option<(Self, String)> {
        let words = ParsedQuestion::parse(&understood.plan.question).words;
        let phrase = Phrase {
            words: words.iter().map(QuestionWord::lower).collect(),
            is_name: words.iter().map(|word| understood.plan.subjects.iter().any(|s| s.mention == word.text)).collect(),
        };
        let said = |(start, end): (usize, usize)| phrase.words[start..end].join(" ");
        if let Some(place) = phrase.place(ONLY_TESTS) {
            return Some((Self::OnlyTests, said(place)));
        }
        if let Some(place) = phrase.place(NO_SUBCLASSES) {
            return Some((Self::NoSubclasses, said(place)));
        }
        if let Some(place) = phrase.place(NO_IMPORTS) {
            return Some((Self::NoImports, said(place)));
        }
        let callers = phrase.place(CALLERS);
        let place = callers.or_else(|| phrase.place(CALLS))?;
        let number = phrase.words[place.0..place.1].iter().find_map(|word| read_number(word));
        let number = number.unwrap_or(1) as usize;
        // `more than`, `at least` and the like stand before the number, or between it and the verb.
        let before = phrase.words[place.0.saturating_sub(3)..place.1].join(" ");
        let has = |list: &[&str]| list.iter().any(|words| before.contains(words));
        let (least, most) = if has(&["more than", "over "]) {
            (number + 1, usize::MAX)
        } else if has(&["at least"]) {
            (number, usize::MAX)
        } else if has(&["at most", "no more than"]) {
            (0, number)
        } else if has(&["fewer than", "less than"]) {
            (0, number.saturating_sub(1))
        } else {
            (number, number)
        };
        let degree = if callers.is_some() { Self::Callers(least, most) } else { Self::Calls(least, most) };
        Some((degree, said(place)))
    }

    /// Whether it says something of definitions of this kind.
    pub(in crate::ask::answer) fn fits(self, kind: EntityKind) -> bool {
        match self {
            Self::Callers(..) | Self::Calls(..) | Self::OnlyTests => kind != EntityKind::Module,
            Self::NoSubclasses => kind == EntityKind::Class,
            Self::NoImports => kind == EntityKind::Module,
        }
    }

    /// The condition in words.
    pub(in crate::ask::answer) fn worded(self) -> String {
        let range = |least: usize, most: usize, unit: &str| match (least, most) {
            (least, most) if least == most => format!("exactly {}", count(least, unit)),
            (least, usize::MAX) => format!("at least {}", count(least, unit)),
            (_, most) => format!("at most {}", count(most, unit)),
        };
        match self {
            Self::Callers(least, most) => range(least, most, "caller"),
            Self::Calls(least, most) => range(least, most, "call"),
            Self::OnlyTests => "called, and only in tests".to_owned(),
            Self::NoSubclasses => "without subclasses".to_owned(),
            Self::NoImports => "without imports".to_owned(),
        }
    }

    /// Whether calls that are not resolved could change the answer.
    pub(in crate::ask::answer) fn depends_on_calls(self) -> bool {
        matches!(self, Self::Callers(..) | Self::Calls(..) | Self::OnlyTests)
    }

    /// The definitions that meet the condition.
    pub(in crate::ask::answer) fn kept(
        self,
        reading: AnswerInputs,
        found: Vec<(usize, Entity)>,
    ) -> Result<Vec<(usize, Entity)>, StoreError> {
        let calls = if self.depends_on_calls() { Some(CallReader::new(reading.store, &found)?) } else { None };
        let mut kept = Vec::new();
        for (figure, entity) in found {
            let is_met = match (self, &calls) {
                (Self::NoImports, _) => !has_imports(reading, &entity.path),
                (Self::Callers(least, most), Some(calls)) => (least..=most).contains(&calls.of(&entity)?.sources.len()),
                (Self::Calls(least, most), Some(calls)) => (least..=most).contains(&calls.of(&entity)?.places.len()),
                (_, Some(calls)) => {
                    let calls = calls.of(&entity)?;
                    !calls.sources.is_empty() && !calls.is_in_program
                }
                (_, None) => reading.store.incoming_of(entity.id, RelationshipKind::Inherits)?.is_empty(),
            };
            if is_met {
                kept.push((figure, entity));
            }
        }
        Ok(kept)
    }
}

/// Reads the calls of many definitions.
struct CallReader<'s> {
    store: &'s Store,
    /// The files of tests.
    tests: BTreeSet<FileId>,
    /// The definitions of one name in one file: overloads and conditional definitions share the callers.
    namesakes: BTreeMap<(FileId, String), BTreeSet<EntityId>>,
}

/// The calls of one definition, without those from itself.
#[derive(Default)]
struct DefinitionCalls {
    sources: BTreeSet<EntityId>,
    places: BTreeSet<(FileId, u32, u32)>,
    /// One stands outside of tests.
    is_in_program: bool,
}

impl<'s> CallReader<'s> {
    fn new(store: &'s Store, found: &[(usize, Entity)]) -> Result<Self, StoreError> {
        let tests = store.files()?.into_iter().filter(|(_, file)| file.is_test).map(|(id, _)| id).collect();
        let mut namesakes: BTreeMap<(FileId, String), BTreeSet<EntityId>> = BTreeMap::new();
        let files: BTreeSet<FileId> = found.iter().map(|(_, entity)| entity.file).collect();
        for file in files {
            for entity in store.entities_of(file)? {
                namesakes.entry((file, entity.record.qualified)).or_default().insert(entity.id);
            }
        }
        Ok(Self { store, tests, namesakes })
    }

    fn of(&self, entity: &Entity) -> Result<DefinitionCalls, StoreError> {
        let mut found = DefinitionCalls::default();
        let Some(ids) = self.namesakes.get(&(entity.file, entity.record.qualified.clone())) else { return Ok(found) };
        for id in ids {
            for call in self.store.incoming_of(*id, RelationshipKind::Calls)? {
                let Some(source) = self.store.head(call.source)?.filter(|source| !ids.contains(&source.id)) else {
                    continue;
                };
                found.is_in_program |= !self.tests.contains(&source.file);
                found.places.insert((source.file, call.line, call.column));
                found.sources.insert(source.id);
            }
        }
        Ok(found)
    }
}
