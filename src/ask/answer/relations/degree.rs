//! Conditions on the number of relationships of a definition: `only one caller`, `only called from tests`, `no
//! subclasses`, `modules that import nothing`, `functions that call themselves`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{AnswerInputs, ListRow, imports::has_imports},
        reading::{
            forms::patterns::{Phrase, number as read_number},
            plan::Understood,
            words::{ParsedQuestion, QuestionWord},
        },
    },
    model::{
        Basis, EntityFlags, EntityId, EntityKind, FileId, RelationshipKind,
        conventions::standard_library,
        written_signature::{WrittenParameter, WrittenSignature},
    },
    query::{
        navigate::outside::WrittenBases,
        target::filter::{Filter, FilterReader, is_exception_name},
        words::{count, identifiers},
    },
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
    /// A class that defines no method or property itself.
    NoMethods,
    /// A module without any import.
    NoImports,
    /// A test that requests no fixture.
    NoFixtures,
    /// It calls itself at once.
    Recursive,
    /// An exception that tests raise, and the program does not.
    RaisedOnlyInTests,
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
const NO_METHODS: &str = "have/has/having/with/define/defines/declare/declares no/zero methods | without methods | \
     without any/own methods | lack/lacks methods | not/don't/doesn't have/define/declare methods | \
     not/don't/doesn't have/define/declare any/own methods";
const NO_FIXTURES: &str =
    "no/without fixture/fixtures | not/don't/doesn't/never use/request/need/take/have .. fixture/fixtures";
const RECURSIVE: &str = "call/calls/calling themselves/themself/itself | recursive/recursively/recursion";
const RAISED_ONLY_IN_TESTS: &str = "raised/thrown only/exclusively/solely by/in/from .. test/tests | \
     only/exclusively/solely .. raised/thrown by/in/from .. test/tests";
const NO_IMPORTS: &str = "import/imports/importing nothing | no/without .. import/imports/dependencies | \
     not/don't/doesn't/never import any/anything";

/// Lines of a mark that a name stands for.
const MARK_LINES: usize = 3;

impl Degree {
    /// The condition that a question states, and the words that state it.
    pub(in crate::ask::answer) fn of(understood: &Understood) -> Option<(Self, String)> {
        let words = ParsedQuestion::parse(&understood.plan.question).words;
        let phrase = Phrase {
            words: words.iter().map(QuestionWord::lower).collect(),
            is_name: words.iter().map(|word| understood.plan.subjects.iter().any(|s| s.mention == word.text)).collect(),
        };
        let said = |(start, end): (usize, usize)| phrase.words[start..end].join(" ");
        for (list, degree) in [
            (ONLY_TESTS, Self::OnlyTests),
            (RAISED_ONLY_IN_TESTS, Self::RaisedOnlyInTests),
            (NO_SUBCLASSES, Self::NoSubclasses),
            (NO_METHODS, Self::NoMethods),
            (NO_IMPORTS, Self::NoImports),
            (NO_FIXTURES, Self::NoFixtures),
            (RECURSIVE, Self::Recursive),
        ] {
            if let Some(place) = phrase.place(list) {
                return Some((degree, said(place)));
            }
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
            Self::Recursive | Self::NoFixtures => kind.is_callable(),
            Self::NoSubclasses | Self::NoMethods | Self::RaisedOnlyInTests => kind == EntityKind::Class,
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
            Self::NoMethods => "without methods of their own".to_owned(),
            Self::NoImports => "without imports".to_owned(),
            Self::NoFixtures => "that request no fixture".to_owned(),
            Self::Recursive => "that call themselves".to_owned(),
            Self::RaisedOnlyInTests => "raised in tests alone".to_owned(),
        }
    }

    /// A remark on what the condition does not look at.
    pub(in crate::ask::answer) fn limit(self) -> Option<&'static str> {
        Some(match self {
            Self::NoFixtures => "fixtures with `autouse` are not counted",
            Self::Recursive => "chains over other functions are not followed",
            Self::RaisedOnlyInTests => "only a `raise` that names the class counts",
            _ => return None,
        })
    }

    /// Whether calls that are not resolved could change the answer.
    pub(in crate::ask::answer) fn depends_on_calls(self) -> bool {
        matches!(self, Self::Callers(..) | Self::Calls(..) | Self::OnlyTests | Self::Recursive)
    }

    /// The definitions that meet the condition.
    pub(in crate::ask::answer) fn kept(
        self,
        reading: AnswerInputs,
        found: Vec<(usize, Entity)>,
    ) -> Result<Vec<(usize, Entity)>, StoreError> {
        let calls = if self.depends_on_calls() { Some(CallReader::new(reading, &found)?) } else { None };
        let mut kept = Vec::new();
        for (figure, entity) in found {
            let is_met = match (self, &calls) {
                (Self::NoImports, _) => !has_imports(reading, &entity.path),
                (Self::NoFixtures, _) => !requests_fixture(reading, &entity)?,
                (Self::RaisedOnlyInTests, _) => is_raised_only_in_tests(reading.store, &entity)?,
                (Self::NoMethods, _) => !reading.store.children(entity.id)?.iter().any(is_method),
                (Self::Recursive, Some(calls)) => calls.of(&entity)?.is_recursive,
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

fn is_method(entity: &Entity) -> bool {
    entity.record.kind.is_callable() || entity.record.kind == EntityKind::Property
}

/// Whether a test requests a fixture: one of the repository, or one of a plugin as a parameter that nothing else fills.
fn requests_fixture(reading: AnswerInputs, test: &Entity) -> Result<bool, StoreError> {
    for edge in reading.store.outgoing(test.id)? {
        let target = reading.store.entity(edge.target)?;
        if target.is_some_and(|target| target.record.flags.has(EntityFlags::FIXTURE)) {
            return Ok(true);
        }
    }
    // Decorators of the class hold for its tests.
    let class = reading.store.entity(test.parent)?.filter(|parent| parent.record.kind == EntityKind::Class);
    let heads = [Some(test), class.as_ref()].map(|entity| entity.map_or(String::new(), |e| decorators(reading, e)));
    let head = heads.concat();
    if head.contains("usefixtures(") {
        return Ok(true);
    }
    // `mock.patch` and others pass arguments of their own.
    let is_filled_by_position = head.contains("patch") || head.contains("@given");
    let given = parametrized(&head);
    let signature = WrittenSignature::parse(&test.record.signature);
    let is_filled = |parameter: &WrittenParameter| {
        let is_receiver = matches!(parameter.name, "self" | "cls");
        is_receiver || parameter.default.is_some() || given.contains(parameter.name)
    };
    let mut parameters = signature.iter().flat_map(|signature| &signature.parameters);
    Ok(!is_filled_by_position && parameters.any(|parameter| !is_filled(parameter)))
}

/// The decorators of a definition as the source has them, and the marks that they name: `both = parametrize(…)`.
fn decorators(reading: AnswerInputs, entity: &Entity) -> String {
    let head = reading.sources.lines(&entity.path, entity.record.start_line, entity.record.line).unwrap_or_default();
    let end = head.rfind("def ").or_else(|| head.rfind("class ")).unwrap_or(0);
    let mut head = head[..end].to_owned();
    let source = reading.sources.text(&entity.path).unwrap_or_default();
    for name in &entity.record.decorators {
        let assigned = format!("\n{} = ", name.trim_start_matches('@'));
        if let Some((_, mark)) = source.split_once(&assigned)
            && mark.lines().next().is_some_and(|line| line.contains("parametrize("))
        {
            head.push_str(mark.split_inclusive('\n').take(MARK_LINES).collect::<String>().as_str());
        }
    }
    head
}

/// The parameters that `parametrize("a, b", …)` gives, in decorators.
fn parametrized(head: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for call in head.split("parametrize(").skip(1) {
        let call = call.trim_start();
        let call = call.strip_prefix("argnames=").unwrap_or(call);
        let close = match call.chars().next() {
            Some('(') => ')',
            Some('[') => ']',
            Some(quote @ ('"' | '\'')) => quote,
            _ => continue,
        };
        names.extend(call[1..].split(close).next().into_iter().flat_map(identifiers));
    }
    names
}

/// Whether each `raise` that names a class stands in a test, and there is one.
fn is_raised_only_in_tests(store: &Store, class: &Entity) -> Result<bool, StoreError> {
    let mut is_raised = false;
    for edge in store.incoming_of(class.id, RelationshipKind::Raises)? {
        let Some(source) = store.entity(edge.source)? else { continue };
        if !store.file(source.file)?.is_some_and(|file| file.is_test) {
            return Ok(false);
        }
        is_raised = true;
    }
    Ok(is_raised)
}

/// Whether a line of a function names it, beside its `def`: an operator or `repr(x)` runs the special method of a
/// value, which is most often another one.
fn names_itself(reading: AnswerInputs, function: &Entity, line: u32) -> bool {
    let text = reading.sources.line(&function.path, line).unwrap_or_default();
    let name = function.record.name.as_str();
    let words: Vec<&str> = identifiers(&text).collect();
    (0..words.len()).any(|at| words[at] == name && (at == 0 || words[at - 1] != "def"))
}

/// The calls inside of functions that may run them again, where a list asks for recursion: by their name on an object
/// of unknown type, or on one of several values.
pub(in crate::ask::answer) fn open_recursion(
    reading: AnswerInputs,
    asked: &[Entity],
    known: &[(usize, Entity)],
) -> Result<Vec<ListRow>, StoreError> {
    let known: BTreeSet<EntityId> = known.iter().map(|(_, entity)| entity.id).collect();
    let mut rows = Vec::new();
    for entity in asked.iter().filter(|entity| !known.contains(&entity.id)) {
        let mut calls = reading.store.outgoing(entity.id)?.into_iter();
        let own = calls.find(|call| call.kind == RelationshipKind::Calls && call.target == entity.id);
        let text = |line: u32| reading.sources.line(&entity.path, line).unwrap_or_default();
        if let Some(call) = own.filter(|call| names_itself(reading, entity, call.line)) {
            rows.push(ListRow { line: call.line, end_line: 0, text: text(call.line), ..ListRow::of(entity) });
            continue;
        }
        for site in reading.store.unresolved_named(&entity.record.name)? {
            if site.source == entity.id && site.call.is_some() && !text(site.line).contains("super(") {
                rows.push(ListRow { line: site.line, end_line: 0, text: text(site.line), ..ListRow::of(entity) });
                break;
            }
        }
    }
    Ok(rows)
}

/// The number of classes with a base that is not in the index: they may derive from a class over it.
pub(in crate::ask::answer) fn classes_with_unknown_bases(store: &Store) -> Result<usize, StoreError> {
    let filter = Filter { kinds: vec![EntityKind::Class], ..Filter::default() };
    let mut all = 0;
    for class in FilterReader::new(store)?.fitting(&filter)? {
        let written = WrittenBases::of(store, &class)?;
        // A name without a dot is Python's own, or a value that the file makes.
        let is_python = |base: &String| match base.split_once('.') {
            Some((module, _)) => standard_library::is_module(module),
            None => base.starts_with(char::is_lowercase) || is_exception_name(base),
        };
        all += usize::from(!written.unknown.is_empty() || !written.outside.iter().all(is_python));
    }
    Ok(all)
}

/// Reads the calls of many definitions.
struct CallReader<'s> {
    reading: AnswerInputs<'s>,
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
    /// It calls itself.
    is_recursive: bool,
}

impl<'s> CallReader<'s> {
    fn new(reading: AnswerInputs<'s>, found: &[(usize, Entity)]) -> Result<Self, StoreError> {
        let store = reading.store;
        let tests = store.files()?.into_iter().filter(|(_, file)| file.is_test).map(|(id, _)| id).collect();
        let mut namesakes: BTreeMap<(FileId, String), BTreeSet<EntityId>> = BTreeMap::new();
        let files: BTreeSet<FileId> = found.iter().map(|(_, entity)| entity.file).collect();
        for file in files {
            for entity in store.entities_of(file)? {
                namesakes.entry((file, entity.record.qualified)).or_default().insert(entity.id);
            }
        }
        Ok(Self { reading, tests, namesakes })
    }

    fn of(&self, entity: &Entity) -> Result<DefinitionCalls, StoreError> {
        let mut found = DefinitionCalls::default();
        let Some(ids) = self.namesakes.get(&(entity.file, entity.record.qualified.clone())) else { return Ok(found) };
        for id in ids {
            for call in self.reading.store.incoming_of(*id, RelationshipKind::Calls)? {
                let Some(source) = self.reading.store.head(call.source)? else { continue };
                if ids.contains(&source.id) {
                    // A call of a value, or of an override, may run another function of the name.
                    let is_certain = !call.basis.is_of_value() && call.basis < Basis::Dispatched;
                    found.is_recursive |= is_certain && names_itself(self.reading, entity, call.line);
                    continue;
                }
                found.is_in_program |= !self.tests.contains(&source.file);
                found.places.insert((source.file, call.line, call.column));
                found.sources.insert(source.id);
            }
        }
        Ok(found)
    }
}
