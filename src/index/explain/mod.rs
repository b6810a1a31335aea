//! The steps by which occurrences of a file were resolved, in words, and the classes of the values there.
//!
//! The files are resolved again from their stored facts, with a trace; nothing is written. Each step is a part of the
//! expression: its values, and the places where they were assigned, passed, put in or returned. `causes` gives the
//! reason when nothing is known, `wording` the names of values.

pub(crate) mod causes;
pub(crate) mod wording;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    facts::Bodies,
    index::{IndexError, definitions::stored::Stored},
    model::{Basis, EntityId, FileId, RelationshipKind, Step, StepPlace, StepValue},
    resolve::{Asked, Definitions, How, Occurrence, Origin, Part, Question, Rule, Source, Traced, values::Value},
    store::{Store, error::StoreError},
};

/// Most values of one part that are named.
const MAX_VALUES: usize = 4;
/// Most places that are named for one part.
const MAX_PLACES: usize = 3;
/// Times that an explanation follows a value that was passed on from another place.
const MAX_HANDED_ON: usize = 2;
/// Bytes of code that an explanation may resolve beside the files of the occurrences. The last file may exceed it.
const MAX_FURTHER_BYTES: u64 = 500_000;

/// Explains occurrences; remembers the files that it went through.
pub struct Explainer<'a> {
    pub(super) store: &'a Store,
    definitions: Stored<'a>,
    files: BTreeMap<FileId, Option<Traced>>,
    further_bytes: u64,
    left_out: BTreeSet<FileId>,
}

/// The classes of the expression at each of `places` (line and column of the naming token): those that it names, and
/// those of its instances. The surest stands first.
pub fn classes(store: &Store, path: &str, places: &[(u32, u32)]) -> Result<Vec<Vec<EntityId>>, IndexError> {
    let mut explainer = Explainer::new(store);
    let Some(file) = store.file_id(path)?.filter(|_| !places.is_empty()) else {
        return Ok(places.iter().map(|_| Vec::new()).collect());
    };
    let mut found = Vec::with_capacity(places.len());
    for &(line, column) in places {
        let occurrence = Occurrence { line, column, kind: None, targets: Vec::new() };
        let (parts, _) = explainer.parts(file, &occurrence)?;
        let mut values = parts.into_iter().next_back().map(|part| part.values).unwrap_or_default();
        values.sort_by_key(|(_, basis)| *basis);
        let class = |(value, _)| match value {
            Value::Class(class) | Value::Instance(class) => Some(class),
            _ => None,
        };
        found.push(values.into_iter().filter_map(class).collect());
    }
    explainer.definitions.take_error()?;
    Ok(found)
}

impl<'a> Explainer<'a> {
    pub fn new(store: &'a Store) -> Self {
        let (files, left_out) = (BTreeMap::new(), BTreeSet::new());
        Explainer { store, definitions: Stored::new(store), files, further_bytes: 0, left_out }
    }

    /// How many files were not gone through, from which something may have come: there were too many.
    pub fn left_out(&self) -> usize {
        self.left_out.len()
    }

    /// The steps of each occurrence in the file at `path`, in their order.
    pub fn explain(&mut self, path: &str, occurrences: &[Occurrence]) -> Result<Vec<Vec<Step>>, IndexError> {
        let Some(file) = self.store.file_id(path)? else { return Ok(vec![Vec::new(); occurrences.len()]) };
        let mut explained = Vec::with_capacity(occurrences.len());
        for occurrence in occurrences {
            let (parts, rule) = self.parts(file, occurrence)?;
            let mut steps = self.steps(file, &parts, occurrence)?;
            if let Some(rule) = rule {
                steps.push(self.by_rule(file, rule, occurrence)?);
            }
            explained.push(steps);
        }
        self.definitions.take_error()?;
        Ok(explained)
    }

    fn parts(&mut self, file: FileId, occurrence: &Occurrence) -> Result<(Vec<Part>, Option<Rule>), StoreError> {
        self.go_through(file)?;
        let Some(Some(traced)) = self.files.get_mut(&file) else { return Ok((Vec::new(), None)) };
        Ok(traced.explain(&self.definitions, occurrence))
    }

    // --- files -------------------------------------------------------------------------------------------------

    fn go_through(&mut self, file: FileId) -> Result<(), StoreError> {
        if self.files.contains_key(&file) {
            return Ok(());
        }
        let traced = match (self.definitions.module(file), self.store.file(file)?) {
            (Some(info), Some(record)) => match self.store.bodies(&record.content_hash)? {
                Some(bytes) => {
                    let bodies = Bodies::decode(&bytes).ok_or_else(|| StoreError::damaged("stored facts"))?;
                    Some(Traced::of(info, &self.definitions, bodies))
                }
                None => None,
            },
            _ => None,
        };
        self.files.insert(file, traced);
        Ok(())
    }

    /// A file from which something came, as long as they are few.
    fn further(&mut self, file: FileId) -> Result<Option<&mut Traced>, StoreError> {
        if !self.files.contains_key(&file) {
            if self.further_bytes >= MAX_FURTHER_BYTES {
                self.left_out.insert(file);
                return Ok(None);
            }
            self.further_bytes += self.store.file(file)?.map_or(0, |record| record.stat.size);
            self.go_through(file)?;
        }
        Ok(self.files.get_mut(&file).and_then(Option::as_mut))
    }

    /// The expressions that gave the values of `asked` in `file`, in the files with a stored answer, and in `others`.
    pub(super) fn sources(
        &mut self,
        file: FileId,
        asked: Asked,
        others: &[FileId],
    ) -> Result<Vec<(FileId, Source)>, StoreError> {
        let mut files = BTreeSet::from([file]);
        if let Some(key) = asked.key() {
            files.extend(self.store.answers(key)?.into_iter().map(|(file, ..)| file));
            files.extend(others);
        }
        let mut sources = Vec::new();
        for file in files {
            self.further(file)?;
            let Some(Some(traced)) = self.files.get_mut(&file) else { continue };
            sources.extend(traced.sources(&self.definitions, asked).into_iter().map(|source| (file, source)));
        }
        Ok(sources)
    }

    /// The parts of the expression of a source.
    pub(super) fn parts_of(&mut self, file: FileId, source: &Source) -> Vec<Part> {
        match self.files.get_mut(&file) {
            Some(Some(traced)) => traced.parts(&self.definitions, source.expression),
            _ => Vec::new(),
        }
    }

    pub(super) fn place(&self, file: FileId, source: &Source) -> Result<StepPlace, StoreError> {
        let path = self.store.file(file)?.map(|record| record.path).unwrap_or_default();
        Ok(StepPlace { how: how(source.how), path, line: source.line, expression: source.text.clone() })
    }

    // --- steps -------------------------------------------------------------------------------------------------

    fn steps(&mut self, file: FileId, parts: &[Part], occurrence: &Occurrence) -> Result<Vec<Step>, StoreError> {
        let mut steps = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| &parts[before]);
            let says_nothing = part.values.is_empty() && part.names.is_empty();
            if says_nothing && before.is_some_and(|before| before.values.is_empty()) {
                // The step before names the reason.
                continue;
            }
            // The last part may stand only for the definition that it names: then it needs no values.
            let is_enough = !part.names.is_empty() && index + 1 == parts.len();
            let texts: Vec<String> = part.texts.iter().map(|text| format!("\"{text}\"")).collect();
            let note = match texts.as_slice() {
                [] if is_enough => None,
                [] => self.cause(file, part, before)?,
                texts => Some(texts.join(" or ")),
            };
            steps.push(self.step(file, part, note, occurrence)?);
        }
        Ok(steps)
    }

    fn step(
        &mut self,
        file: FileId,
        part: &Part,
        cause: Option<String>,
        occurrence: &Occurrence,
    ) -> Result<Step, StoreError> {
        // Values with the same words become one, with the strongest basis.
        let mut bases: BTreeMap<String, (bool, Basis)> = BTreeMap::new();
        let is_descriptor = |value| part.descriptors.iter().any(|&(class, _)| value == Value::Instance(class));
        for (index, &(value, basis)) in part.values.iter().enumerate().filter(|(_, known)| !is_descriptor(known.0)) {
            let is_other = index >= part.leading;
            let known = bases.entry(wording::value(self.store, value)?).or_insert((is_other, basis));
            *known = (is_other && known.0, basis.min(known.1));
        }
        let values: BTreeSet<((bool, Basis), String)> =
            bases.into_iter().map(|(value, known)| (known, value)).collect();
        let mut named = self.descriptors(part)?;
        named.extend(wording::named(self.store, &part.names, part.is_written, MAX_VALUES)?);
        let more = values.len().saturating_sub(MAX_VALUES);
        let note = match cause {
            Some(cause) => cause,
            None if more > 0 => format!("and {more} more"),
            None => String::new(),
        };
        let mut places = self.places(file, part, occurrence)?;
        let is_of_names = |&(value, _): &(Value, Basis)| matches!(value, Value::MethodsByPrefix(..));
        let note = match places.first() {
            Some(place) if note.is_empty() && part.values.iter().any(is_of_names) => {
                format!("by `{}`", place.expression)
            }
            _ => note,
        };
        let more_places = places.len().saturating_sub(MAX_PLACES);
        places.truncate(MAX_PLACES);
        let worded = |((_, basis), value): ((bool, Basis), String)| {
            let basis = if value.starts_with(wording::BUILTIN) { "always bound" } else { basis.as_str() };
            StepValue { value, basis }
        };
        let values = named.into_iter().chain(values.into_iter().take(MAX_VALUES).map(worded)).collect();
        let origin = origin(part.origin);
        Ok(Step { expression: part.text.clone(), origin, values, note, places, more_places })
    }

    /// The descriptors that an attribute is read through.
    fn descriptors(&self, part: &Part) -> Result<Vec<StepValue>, StoreError> {
        let mut values = Vec::new();
        for &(class, method) in part.descriptors.iter().take(MAX_VALUES) {
            let (Some(class), Some(method)) = (self.store.entity(class)?, self.store.entity(method)?) else { continue };
            let place = format!("{}:{}", method.path, method.record.line);
            let value =
                format!("a descriptor {}, whose {} ({place}) gives the value", class.full_name(), method.record.name);
            values.push(StepValue { value, basis: "read through it" });
        }
        Ok(values)
    }

    /// The places that the values on the way to the target come from. Without such values: the places of all values but
    /// `None`.
    fn places(&mut self, file: FileId, part: &Part, occurrence: &Occurrence) -> Result<Vec<StepPlace>, StoreError> {
        let all: Vec<Value> = part.values.iter().map(|(value, _)| *value).collect();
        let objects: Vec<Value> = all.iter().copied().filter(|&value| !wording::is_none(value)).collect();
        let wanted = match part.leading {
            0 if objects.is_empty() => all,
            0 => objects,
            leading => all[..leading].to_vec(),
        };
        let mut found: Vec<StepPlace> = Vec::new();
        let mut asked: Vec<(FileId, Asked)> = part.asked.iter().map(|&asked| (file, asked)).collect();
        for _ in 0..=MAX_HANDED_ON {
            let mut next: Vec<(FileId, Asked)> = Vec::new();
            let mut here: Vec<StepPlace> = Vec::new();
            for (file, asked) in asked {
                for (file, source) in self.sources(file, asked, &[])? {
                    if source.values.iter().any(|(value, _)| wanted.contains(value)) {
                        here.push(self.place(file, &source)?);
                        let further = source.asked.iter().map(|&asked| (file, asked));
                        next.extend(further.filter(|further| *further != (file, asked)));
                    }
                }
            }
            here.sort_by(|a, b| (a.how, &a.path, a.line).cmp(&(b.how, &b.path, b.line)));
            for place in here {
                let is_same = |other: &StepPlace| (&other.path, other.line) == (&place.path, place.line);
                if !found.iter().any(is_same) {
                    found.push(place);
                }
            }
            asked = next;
        }
        let here = self.store.file(file)?.map(|record| record.path).unwrap_or_default();
        found.retain(|place| (place.line, &place.path) != (occurrence.line, &here));
        Ok(found)
    }

    /// The step that is not in the expression.
    fn by_rule(&mut self, file: FileId, rule: Rule, occurrence: &Occurrence) -> Result<Step, StoreError> {
        let mut places = Vec::new();
        if let Some((key, owner)) = rule.joined {
            let asked = Asked { how: How::Registered, question: Question::Answer(key), owner };
            for (file, source) in self.sources(file, asked, &[])? {
                let leads = source.values.iter().any(|(value, _)| wording::is_of(*value, &occurrence.targets));
                if leads {
                    places.push(self.place(file, &source)?);
                }
            }
        }
        let named = wording::named(self.store, &occurrence.targets, false, MAX_VALUES)?;
        let more_places = places.len().saturating_sub(MAX_PLACES);
        places.truncate(MAX_PLACES);
        let values = named.into_iter().map(|named| StepValue { basis: "by this rule", ..named }).collect();
        let expression = rule.sentence.to_owned();
        Ok(Step { expression, origin: "rule", values, note: String::new(), places, more_places })
    }

    /// How many calls of a function are known, and the first files that hold some.
    pub(super) fn calls_of(&self, function: EntityId) -> Result<(usize, Vec<FileId>), StoreError> {
        let calls = self.store.incoming_of(function, RelationshipKind::Calls)?;
        let mut files = BTreeSet::new();
        for call in &calls {
            files.extend(self.definitions.place(call.source).map(|(file, _)| file));
        }
        Ok((calls.len(), files.into_iter().take(MAX_PLACES).collect()))
    }

    /// The file of a definition.
    pub(super) fn file_of(&self, entity: EntityId) -> Option<FileId> {
        self.definitions.place(entity).map(|(file, _)| file)
    }
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Parameter | Origin::Annotated => "parameter",
        Origin::Local => "local variable",
        Origin::Outer => "name of an outer scope",
        Origin::Unbound => "not bound in this file",
        Origin::Attribute => "attribute",
        Origin::Call => "call",
        Origin::Element => "element",
        Origin::Other => "expression",
    }
}

fn how(how: How) -> &'static str {
    match how {
        How::Assigned => "assigned",
        How::Passed => "passed",
        How::Put => "put in",
        How::Taken => "taken out",
        How::Returned => "returned",
        How::Yielded => "yielded",
        How::Declared => "declared",
        How::Default => "default",
        How::Registered => "registered",
    }
}
