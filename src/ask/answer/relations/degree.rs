//! The definitions that meet a condition on the number of their relationships.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{AnswerInputs, ListRow, imports::has_imports},
        reading::forms::degrees::Degree,
    },
    model::{
        Basis, EntityFlags, EntityId, EntityKind, FileId, RelationshipKind,
        conventions::standard_library,
        written_signature::{WrittenParameter, WrittenSignature},
    },
    query::{
        navigate::outside::WrittenBases,
        target::filter::{Filter, FilterReader, is_exception_name},
        words::identifiers,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Lines of a mark that a name stands for.
const MARK_LINES: usize = 3;

/// The definitions that meet a condition.
pub(in crate::ask::answer) fn kept(
    degree: Degree,
    reading: AnswerInputs,
    found: Vec<(usize, Entity)>,
) -> Result<Vec<(usize, Entity)>, StoreError> {
    let calls = if degree.depends_on_calls() { Some(CallReader::new(reading, &found)?) } else { None };
    let tests = if degree == Degree::UsedOnlyInTests { reading.store.test_files()? } else { BTreeSet::new() };
    let mut kept = Vec::new();
    for (figure, entity) in found {
        let is_met = match (degree, &calls) {
            (Degree::NoImports, _) => !has_imports(reading, &entity.path),
            (Degree::NoFixtures, _) => !requests_fixture(reading, &entity)?,
            (Degree::UsedOnlyInTests, _) => used_only_in(&tests, reading.store, &entity)?,
            (Degree::RaisedOnlyInTests, _) => raised(reading.store, &entity)? == (true, false),
            (Degree::NeverRaised(place), _) => {
                let (in_tests, in_program) = raised(reading.store, &entity)?;
                !(in_tests && place != Some(false) || in_program && place != Some(true))
            }
            (Degree::NoMethods, _) => !reading.store.children(entity.id)?.iter().any(is_method),
            (Degree::Recursive, Some(calls)) => calls.of(&entity)?.is_recursive,
            (Degree::Callers(least, most), Some(calls)) => (least..=most).contains(&calls.of(&entity)?.sources.len()),
            (Degree::Calls(least, most), Some(calls)) => (least..=most).contains(&calls.of(&entity)?.places.len()),
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

/// Whether these files use a definition, and no other file does. An import by itself uses nothing.
fn used_only_in(files: &BTreeSet<FileId>, store: &Store, entity: &Entity) -> Result<bool, StoreError> {
    let mut is_used = false;
    for edge in store.incoming(entity.id)? {
        if edge.kind.is_of_members() || edge.kind == RelationshipKind::Imports {
            continue;
        }
        let Some(source) = store.entity(edge.source)? else { continue };
        let is_own = source.file == entity.file
            && source.record.start_line >= entity.record.start_line
            && source.record.end_line <= entity.record.end_line;
        if !is_own && !files.contains(&source.file) {
            return Ok(false);
        }
        is_used |= !is_own;
    }
    Ok(is_used)
}

/// Whether a `raise` in a test names a class, and whether one in the program does.
fn raised(store: &Store, class: &Entity) -> Result<(bool, bool), StoreError> {
    let (mut in_tests, mut in_program) = (false, false);
    for edge in store.incoming_of(class.id, RelationshipKind::Raises)? {
        let Some(source) = store.entity(edge.source)? else { continue };
        let is_test = store.file(source.file)?.is_some_and(|file| file.is_test);
        in_tests |= is_test;
        in_program |= !is_test;
    }
    Ok((in_tests, in_program))
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
        let tests = store.test_files()?;
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
