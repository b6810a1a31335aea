//! Sets of definitions: those that fit conditions on their kind, place, marks, text, code and relationships.
//!
//! A [`Filter`] is plain data that a command line or a question fills. Facts come from the index as it is; nothing is
//! guessed. A condition that a definition cannot meet, such as parameters of a class, leaves it out.

mod abstracts;
mod annotations;
mod heirs;
mod marks;
mod options;
mod paths;
mod report;
mod uses;
mod words;

use std::{
    cell::{OnceCell, RefCell},
    cmp::Reverse,
    collections::BTreeSet,
    rc::Rc,
};

use rustc_hash::{FxHashMap, FxHashSet};

pub use self::{
    abstracts::Abstractness,
    annotations::{has_some_annotation, is_annotated, tells},
    marks::{DefinitionMark, is_decorated},
    paths::matches_path,
    report::{FilterReport, FittingDefinition},
    uses::places_of_wrappers,
};
use self::{
    annotations::{fits_signature, has_annotations, has_result},
    heirs::direct_heirs,
    uses::{is_used, references},
};
use crate::{
    facts::{Bodies, flow::FunctionFlow},
    model::{
        EntityFlags, EntityId, EntityKind, FileId, FileRecord, RelationshipKind,
        conventions::{is_special, last_part, standard_classes::standard_class, standard_library},
        written_signature::WrittenSignature,
    },
    query::target::{is_suffix, origins::OwnModules},
    store::{Store, error::StoreError, read::Entity},
};

/// Conditions that a definition must all meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only these kinds; empty for all.
    pub kinds: Vec<EntityKind>,
    /// Only in tests, or only outside of them. Examples and documentation are no tests.
    pub is_in_tests: Option<bool>,
    /// Only files at or below one of these paths, or that match one of these patterns.
    pub paths: Vec<String>,
    pub marks: Vec<DefinitionMark>,
    /// Names of bases, own or inherited, or ends of them; one of each list is enough.
    pub derives_from: Vec<Vec<String>>,
    /// The name of the metaclass, own or inherited, or the end of it; `*` stands for any but `type`.
    pub metaclass: Option<String>,
    /// Names of decorators, or ends of them; one of each list is enough.
    pub decorators: Vec<Vec<String>>,
    pub has_docstring: Option<bool>,
    /// Whether all parameters and the result have annotations.
    pub has_annotations: Option<bool>,
    /// Whether the result has an annotation.
    pub has_result: Option<bool>,
    /// Whether code in tests refers to it directly, or to a member of it.
    pub has_tests: Option<bool>,
    /// Whether anything refers to it, or may reach it through what it overrides.
    pub has_uses: Option<bool>,
    /// Least number of lines, decorators not counted.
    pub least_lines: Option<u32>,
    pub most_lines: Option<u32>,
    /// Least number of parameters; the receiver of a method does not count.
    pub least_parameters: Option<u32>,
    pub most_parameters: Option<u32>,
    /// Least number of branches (see [`FunctionFlow`]).
    pub least_branches: Option<u32>,
    /// Exceptions that its own statements raise or catch, by name or the end of it.
    pub raises: Vec<String>,
    pub catches: Vec<String>,
    /// Names with `*` for any letters, such as `visit_*`; one of each list is enough.
    pub names: Vec<Vec<String>>,
    /// Names in the annotation of the result or behind a `return`, and in the annotation of a parameter.
    pub returns: Vec<String>,
    pub takes: Vec<String>,
    /// Names of parameters.
    pub parameters: Vec<String>,
    /// Methods of bases that it overrides, by name or the end of it; `*` stands for any.
    pub overrides: Vec<String>,
    /// Members that a class defines itself, and members that it does not define itself.
    pub defines: Vec<String>,
    pub lacks: Vec<String>,
    /// Conditions of which a definition must meet none.
    pub excluded: Vec<Filter>,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOrder {
    /// By path, then by position.
    #[default]
    Place,
    /// Most lines first.
    Size,
    /// Most references first.
    Uses,
    /// Most branches first.
    Complexity,
    /// Most members first.
    Members,
    /// Most parameters first.
    Parameters,
    /// Most direct subclasses first.
    Subclasses,
    Name,
}

/// A set of definitions.
#[derive(Clone, Debug, Default)]
pub struct FittingSet {
    places: FxHashSet<(FileId, u32)>,
    ids: FxHashSet<EntityId>,
}

impl FittingSet {
    /// Whether the definition at this position of its file's list is one of them.
    pub fn has_place(&self, file: FileId, ordinal: u32) -> bool {
        self.places.contains(&(file, ordinal))
    }

    /// Whether this definition is one of them.
    pub fn has(&self, id: EntityId) -> bool {
        self.ids.contains(&id)
    }
}

impl Filter {
    /// Whether every definition fits.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether sections of documents fit: they are asked for, and nothing that only definitions have is.
    fn accepts_sections(&self) -> bool {
        let others = Self { kinds: Vec::new(), paths: Vec::new(), ..self.clone() };
        self.kinds.contains(&EntityKind::Document) && others.is_empty()
    }

    /// Whether files of this path can have fitting definitions.
    pub fn accepts_file(&self, file: &FileRecord) -> bool {
        self.is_in_tests.is_none_or(|wanted| wanted == file.is_test) && self.accepts_path(&file.path)
    }

    /// Whether a file lies where the filter looks.
    pub fn accepts_path(&self, path: &str) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|pattern| matches_path(path, pattern))
    }

    /// The conditions that list names, by their options.
    fn lists_of_names(&self) -> [(&'static str, &[String]); 8] {
        [
            ("raises", &self.raises),
            ("catches", &self.catches),
            ("returns", &self.returns),
            ("takes", &self.takes),
            ("parameter", &self.parameters),
            ("overrides", &self.overrides),
            ("defines", &self.defines),
            ("lacks", &self.lacks),
        ]
    }

    /// Each condition on marks, bases, decorators, types, parameters and sizes as a filter of its own.
    pub fn alone(self) -> Vec<Self> {
        let none = Self::default;
        let mut alone: Vec<Self> = self.marks.into_iter().map(|mark| Self { marks: vec![mark], ..none() }).collect();
        alone.extend(self.derives_from.into_iter().map(|names| Self { derives_from: vec![names], ..none() }));
        alone.extend(self.metaclass.map(|name| Self { metaclass: Some(name), ..none() }));
        alone.extend(self.decorators.into_iter().map(|names| Self { decorators: vec![names], ..none() }));
        alone.extend(self.names.into_iter().map(|names| Self { names: vec![names], ..none() }));
        alone.extend(self.takes.into_iter().map(|name| Self { takes: vec![name], ..none() }));
        alone.extend(self.parameters.into_iter().map(|name| Self { parameters: vec![name], ..none() }));
        alone.extend(self.returns.into_iter().map(|name| Self { returns: vec![name], ..none() }));
        alone.extend(self.raises.into_iter().map(|name| Self { raises: vec![name], ..none() }));
        alone.extend(self.catches.into_iter().map(|name| Self { catches: vec![name], ..none() }));
        // Two limits of one number are one condition: `exactly two parameters`.
        let sizes = [
            Self { least_lines: self.least_lines, most_lines: self.most_lines, ..none() },
            Self { least_parameters: self.least_parameters, most_parameters: self.most_parameters, ..none() },
        ];
        alone.extend(sizes.into_iter().filter(|size| !size.is_empty()));
        alone
    }

    /// Whether the condition is denied of definitions whose annotations do not tell whether it holds.
    pub fn needs_annotations(&self) -> bool {
        self.excluded.iter().any(|denied| !denied.returns.is_empty() || !denied.takes.is_empty())
    }
}

/// Reads what conditions ask of definitions; files are read once.
pub struct FilterReader<'s> {
    store: &'s Store,
    files: FxHashMap<FileId, FileRecord>,
    bodies: RefCell<FxHashMap<FileId, Rc<Bodies>>>,
    exceptions: RefCell<FxHashMap<EntityId, bool>>,
    modules: OnceCell<RefCell<OwnModules<'s>>>,
    /// The tests that a runner collects, where somebody looked for them.
    tests: Option<FxHashSet<EntityId>>,
}

impl<'s> FilterReader<'s> {
    pub fn new(store: &'s Store) -> Result<Self, StoreError> {
        let files = store.files()?.into_iter().collect();
        let (bodies, exceptions) = Default::default();
        Ok(Self { store, files, bodies, exceptions, modules: OnceCell::new(), tests: None })
    }

    /// The reader that takes these definitions for the tests, and no others.
    #[must_use]
    pub fn with_tests(self, tests: FxHashSet<EntityId>) -> Self {
        Self { tests: Some(tests), ..self }
    }

    /// Whether a definition is a test. Functions of the program may have the name of one: `Flask.test_client`.
    fn is_test(&self, entity: &Entity) -> bool {
        match &self.tests {
            Some(tests) => tests.contains(&entity.id),
            None => {
                let is_in_tests = self.files.get(&entity.file).is_some_and(|file| file.is_test);
                is_in_tests && DefinitionMark::Test.fits(entity)
            }
        }
    }

    /// Whether a definition meets all conditions.
    pub fn accepts(&self, filter: &Filter, entity: &Entity) -> Result<bool, StoreError> {
        let record = &entity.record;
        // The cheap conditions first: most definitions fail one of them.
        let fits_alone = (filter.kinds.is_empty() || filter.kinds.contains(&record.kind))
            && self.files.get(&entity.file).is_some_and(|file| filter.accepts_file(file))
            && filter.marks.iter().all(|mark| match mark {
                DefinitionMark::Decorator => true,
                DefinitionMark::Test => self.is_test(entity),
                mark => mark.fits(entity),
            })
            && filter.names.iter().all(|names| names.iter().any(|name| matches_path(&record.name, name)))
            && filter.has_docstring.is_none_or(|wanted| wanted != record.doc.is_empty())
            && (filter.decorators.is_empty() || !record.decorators.is_empty())
            && filter.least_lines.is_none_or(|least| lines(entity) >= least)
            && filter.most_lines.is_none_or(|most| lines(entity) <= most)
            && filter.least_parameters.is_none_or(|least| parameters(entity) >= least)
            && filter.most_parameters.is_none_or(|most| parameters(entity) <= most)
            && filter.has_annotations.is_none_or(|wanted| has_annotations(entity) == Some(wanted))
            && filter.has_result.is_none_or(|wanted| has_result(entity) == Some(wanted))
            && fits_signature(filter, &record.signature);
        if !fits_alone || !self.is_decorated(filter, entity)? || !self.returns(filter, entity)? {
            return Ok(false);
        }
        if filter.marks.contains(&DefinitionMark::Exception) && !self.is_exception(entity)? {
            return Ok(false);
        }
        if filter.marks.contains(&DefinitionMark::Abstract)
            && record.kind == EntityKind::Class
            && !matches!(self.abstractness(entity)?, Abstractness::Methods(_))
        {
            return Ok(false);
        }
        if filter.marks.contains(&DefinitionMark::Local) && !marks::is_local(self.store, entity)? {
            return Ok(false);
        }
        // What decorates something is a decorator, whatever its annotations say.
        if filter.marks.contains(&DefinitionMark::Decorator)
            && !DefinitionMark::Decorator.fits(entity)
            && self.store.incoming_of(entity.id, RelationshipKind::Decorates)?.is_empty()
        {
            return Ok(false);
        }
        for names in &filter.derives_from {
            let is_one = |base: &str| names.iter().any(|name| is_suffix(base, name));
            if entity.record.kind != EntityKind::Class || !self.derives(entity, &is_one, &mut FxHashMap::default())? {
                return Ok(false);
            }
        }
        if let Some(metaclass) = &filter.metaclass
            && !self.is_made_by(entity, metaclass, &mut FxHashSet::default())?
        {
            return Ok(false);
        }
        if filter.least_branches.is_some() || !filter.raises.is_empty() || !filter.catches.is_empty() {
            let flow = self.flow(entity)?;
            let fits = filter.least_branches.is_none_or(|least| flow.branches >= least)
                && filter.raises.iter().all(|name| flow.raised.iter().any(|raised| is_suffix(raised, name)))
                && filter.catches.iter().all(|name| flow.caught.iter().any(|caught| is_suffix(caught, name)));
            if !fits {
                return Ok(false);
            }
        }
        for denied in &filter.excluded {
            if !tells(denied, &record.signature) || self.accepts(denied, entity)? {
                return Ok(false);
            }
        }
        Ok(self.defines(filter, entity)? && self.overrides(filter, entity)? && self.is_referred_to(filter, entity)?)
    }

    /// All fitting definitions, by path and position. A property counts once with its setter, and a variable once
    /// however often it is assigned; an overload only where it is asked for, or nothing implements it.
    pub fn fitting(&self, filter: &Filter) -> Result<Vec<Entity>, StoreError> {
        let mut files: Vec<(&FileId, &FileRecord)> =
            self.files.iter().filter(|(_, file)| filter.accepts_file(file)).collect();
        files.sort_by(|(_, a), (_, b)| a.path.cmp(&b.path));
        let mut found: Vec<Entity> = Vec::new();
        for (id, _) in files {
            let entities = self.store.entities_of(*id)?;
            let is_overload = |entity: &Entity| entity.record.flags.has(EntityFlags::OVERLOAD);
            let implemented: FxHashSet<&str> =
                entities.iter().filter(|entity| !is_overload(entity)).map(|e| e.record.qualified.as_str()).collect();
            let mut seen: FxHashSet<&str> = FxHashSet::default();
            for entity in &entities {
                let name = entity.record.qualified.as_str();
                let is_wanted = !is_overload(entity)
                    || filter.marks.contains(&DefinitionMark::Overload)
                    || filter.decorators.iter().flatten().any(|name| last_part(name) == "overload")
                    || !implemented.contains(name);
                // Two branches or two tests may define one name twice: these are two definitions.
                let is_again = matches!(entity.record.kind, EntityKind::Property | EntityKind::Variable)
                    || entity.record.flags.has(EntityFlags::SETTER)
                    || is_overload(entity);
                if is_wanted && !(is_again && seen.contains(name)) && self.accepts(filter, entity)? {
                    seen.insert(name);
                    found.push(entity.clone());
                }
            }
        }
        drop_stubs(&mut found, |entity| (&entity.path, &entity.record.qualified));
        Ok(found)
    }

    /// All fitting definitions in an order, each with the figure that the order compares.
    pub fn sorted(&self, filter: &Filter, order: ListOrder) -> Result<Vec<(usize, Entity)>, StoreError> {
        let mut keyed = Vec::new();
        for entity in self.fitting(filter)? {
            let key = match order {
                ListOrder::Place | ListOrder::Name => 0,
                ListOrder::Size => lines(&entity) as usize,
                ListOrder::Uses => references(self.store, &entity)?,
                ListOrder::Complexity => self.flow(&entity)?.branches as usize,
                ListOrder::Members => self.store.children(entity.id)?.len(),
                ListOrder::Parameters => parameters(&entity) as usize,
                ListOrder::Subclasses => direct_heirs(self.store, &entity)?,
            };
            keyed.push((key, entity));
        }
        match order {
            ListOrder::Name => {
                keyed.sort_by_cached_key(|(_, entity)| (entity.full_name(), entity.path.clone()));
            }
            // Stable: equals stay in the order of their places.
            _ => keyed.sort_by_key(|(key, _)| Reverse(*key)),
        }
        Ok(keyed)
    }

    /// Those of some definitions that fit.
    pub fn among(&self, filter: &Filter, ids: &BTreeSet<EntityId>) -> Result<BTreeSet<EntityId>, StoreError> {
        let mut fitting = BTreeSet::new();
        for id in ids {
            if let Some(entity) = self.store.entity(*id)?
                && self.accepts(filter, &entity)?
            {
                fitting.insert(*id);
            }
        }
        Ok(fitting)
    }

    /// All fitting definitions as a set, further definitions of one name included.
    pub fn set(&self, filter: &Filter) -> Result<FittingSet, StoreError> {
        let mut set = FittingSet::default();
        let others = Filter { kinds: Vec::new(), paths: Vec::new(), is_in_tests: None, ..filter.clone() };
        let needs_kind_alone = others.is_empty();
        for (id, _) in self.files.iter().filter(|(_, file)| filter.accepts_file(file)) {
            if needs_kind_alone {
                for (ordinal, (entity, _, kind)) in (0..).zip(self.store.placed_entities(*id)?) {
                    if filter.kinds.is_empty() || filter.kinds.contains(&kind) {
                        set.places.insert((*id, ordinal));
                        set.ids.insert(entity);
                    }
                }
                continue;
            }
            for (ordinal, entity) in (0..).zip(self.store.entities_of(*id)?) {
                if self.accepts(filter, &entity)? {
                    set.places.insert((*id, ordinal));
                    set.ids.insert(entity.id);
                }
            }
        }
        Ok(set)
    }

    fn flow(&self, entity: &Entity) -> Result<FunctionFlow, StoreError> {
        if !entity.record.kind.is_callable() {
            return Ok(FunctionFlow::default());
        }
        Ok(self.bodies(entity)?.flow_at((entity.record.line, entity.record.column)))
    }

    /// The facts about the code of an entity's file.
    fn bodies(&self, entity: &Entity) -> Result<Rc<Bodies>, StoreError> {
        let known = self.bodies.borrow().get(&entity.file).cloned();
        let bodies = match known {
            Some(bodies) => bodies,
            None => {
                let stored = match self.files.get(&entity.file) {
                    Some(file) => self.store.bodies(&file.content_hash)?,
                    None => None,
                };
                let bodies = Rc::new(stored.and_then(|bytes| Bodies::decode(&bytes)).unwrap_or_default());
                self.bodies.borrow_mut().insert(entity.file, Rc::clone(&bodies));
                bodies
            }
        };
        Ok(bodies)
    }

    /// Whether a callable returns each of the types, as its annotation or one of its `return` statements says.
    fn returns(&self, filter: &Filter, entity: &Entity) -> Result<bool, StoreError> {
        if filter.returns.is_empty() || is_annotated(filter, &entity.record.signature) {
            return Ok(true);
        }
        let returned = self.flow(entity)?.returned;
        Ok(filter.returns.iter().all(|name| {
            let alone = Filter { returns: vec![name.clone()], ..Filter::default() };
            is_annotated(&alone, &entity.record.signature) || returned.iter().any(|one| is_suffix(one, name))
        }))
    }

    /// Whether a definition has one decorator of each list: as it is written, or by the name that the file imports.
    fn is_decorated(&self, filter: &Filter, entity: &Entity) -> Result<bool, StoreError> {
        let record = &entity.record;
        let is_written = |names: &Vec<String>| names.iter().any(|name| is_decorated(&record.decorators, name));
        if filter.decorators.iter().all(is_written) {
            return Ok(true);
        }
        let known = self.bodies(entity)?.decorators_at((record.line, record.column));
        let is_imported =
            |names: &Vec<String>| names.iter().any(|name| known.iter().any(|one| is_suffix(&one.imported, name)));
        Ok(filter.decorators.iter().all(|names| is_written(names) || is_imported(names)))
    }

    /// Whether a library may run a method because of a decorator: `@root_validator()`. Those of Python itself only wrap
    /// it.
    pub fn has_library_decorator(&self, entity: &Entity) -> Result<bool, StoreError> {
        fn top(module: &str) -> &str {
            module.split('.').next().unwrap_or(module)
        }
        let record = &entity.record;
        if record.kind != EntityKind::Method || record.decorators.is_empty() {
            return Ok(false);
        }
        let is_own = |package: &str| self.files.values().any(|file| top(&file.module) == package);
        let decorators = self.bodies(entity)?.decorators_at((record.line, record.column));
        // A name without a dot is none that the file imports.
        let imported = decorators.iter().map(|decorator| decorator.imported.as_str()).filter(|name| name.contains('.'));
        Ok(imported.map(top).any(|package| !is_own(package) && !standard_library::is_module(package)))
    }

    /// Whether a class derives from an exception, one of a library by its name.
    pub fn is_exception(&self, class: &Entity) -> Result<bool, StoreError> {
        self.derives(class, &is_exception_name, &mut self.exceptions.borrow_mut())
    }

    /// Whether one of the bases of a class, own or inherited, has a name that `is_one` accepts.
    fn derives(
        &self,
        class: &Entity,
        is_one: &impl Fn(&str) -> bool,
        known: &mut FxHashMap<EntityId, bool>,
    ) -> Result<bool, StoreError> {
        if let Some(&known) = known.get(&class.id) {
            return Ok(known);
        }
        // A cycle of bases ends here.
        known.insert(class.id, false);
        let written = self.bodies(class)?.bases_at((class.record.line, class.record.column));
        let above = |base: &str| -> Result<bool, StoreError> {
            Ok(self.above_base(class, base)?.is_some_and(|above| above.iter().any(|name| is_one(name))))
        };
        let mut derives = false;
        for base in &written {
            derives = derives || is_one(&base.imported) || above(&base.imported)?;
        }
        for edge in self.store.outgoing(class.id)?.into_iter().filter(|edge| edge.kind == RelationshipKind::Inherits) {
            if let Some(base) = self.store.entity(edge.target)?.filter(|_| !derives) {
                derives = is_one(&base.full_name()) || self.derives(&base, is_one, known)?;
            }
        }
        known.insert(class.id, derives);
        Ok(derives)
    }

    /// The names of the classes above a base of a class that is one of the standard library; `None` for another one.
    pub fn above_base(&self, class: &Entity, base: &str) -> Result<Option<&'static [&'static str]>, StoreError> {
        if let Some(known) = standard_class(base) {
            return Ok(Some(&known.above));
        }
        if self.modules.get().is_none() {
            self.modules.set(RefCell::new(OwnModules::of(self.store)?)).ok();
        }
        let Some(modules) = self.modules.get() else { return Ok(None) };
        let origin = modules.borrow_mut().origin(&class.module, base)?;
        Ok(origin.and_then(|origin| standard_class(&origin)).map(|known| known.above.as_slice()))
    }

    /// Whether a class has a metaclass of this name: it states it, or one of its bases does.
    fn is_made_by(&self, class: &Entity, name: &str, seen: &mut FxHashSet<EntityId>) -> Result<bool, StoreError> {
        if class.record.kind != EntityKind::Class || !seen.insert(class.id) {
            return Ok(false);
        }
        // A metaclass of its own derives from those of the bases.
        let (bodies, at) = (self.bodies(class)?, (class.record.line, class.record.column));
        let is_it = |metaclass: &str| is_suffix(metaclass, name) || name == "*" && last_part(metaclass) != "type";
        if let Some(own) = bodies.metaclass_at(at) {
            return Ok(is_it(&own.imported));
        }
        let mut outside = bodies.bases_at(at).into_iter().filter_map(|base| standard_class(&base.imported));
        if outside.any(|base| is_it(base.metaclass)) {
            return Ok(true);
        }
        for edge in self.store.outgoing(class.id)?.into_iter().filter(|edge| edge.kind == RelationshipKind::Inherits) {
            if let Some(base) = self.store.entity(edge.target)?
                && self.is_made_by(&base, name, seen)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn defines(&self, filter: &Filter, entity: &Entity) -> Result<bool, StoreError> {
        if filter.defines.is_empty() && filter.lacks.is_empty() {
            return Ok(true);
        }
        if entity.record.kind != EntityKind::Class {
            return Ok(false);
        }
        let members = self.store.children(entity.id)?;
        let has = |name: &String| members.iter().any(|member| member.record.name == *name);
        Ok(filter.defines.iter().all(has) && !filter.lacks.iter().any(has))
    }

    fn overrides(&self, filter: &Filter, entity: &Entity) -> Result<bool, StoreError> {
        if filter.overrides.is_empty() {
            return Ok(true);
        }
        let mut overridden = Vec::new();
        for edge in self.store.outgoing(entity.id)?.into_iter().filter(|edge| edge.kind == RelationshipKind::Overrides)
        {
            overridden.extend(self.store.entity(edge.target)?.map(|entity| entity.full_name()));
        }
        let is_one = |name: &String| overridden.iter().any(|full| name == "*" || is_suffix(full, name));
        Ok(filter.overrides.iter().all(is_one))
    }

    fn is_named_in_tests(&self, id: EntityId) -> Result<bool, StoreError> {
        for edge in self.store.incoming(id)? {
            let source = self.store.entity(edge.source)?;
            if source.is_some_and(|source| self.files.get(&source.file).is_some_and(|file| file.is_test)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_referred_to(&self, filter: &Filter, entity: &Entity) -> Result<bool, StoreError> {
        if let Some(wanted) = filter.has_tests {
            let mut has_tests = self.is_named_in_tests(entity.id)?;
            if entity.record.kind == EntityKind::Class && !has_tests {
                for member in self.store.children(entity.id)? {
                    has_tests |= self.is_named_in_tests(member.id)?;
                }
            }
            if has_tests != wanted {
                return Ok(false);
            }
        }
        match filter.has_uses {
            // Python itself calls special methods.
            Some(false) if is_special(&entity.record.name) => Ok(false),
            Some(wanted) => Ok(is_used(self.store, entity)? == wanted),
            None => Ok(true),
        }
    }
}

/// Drops what stands in a stub file too: the definition beside it, in the file that runs, is the same. `place` gives
/// the path and the name in the file.
pub fn drop_stubs<T>(found: &mut Vec<T>, place: impl Fn(&T) -> (&str, &str)) {
    let stem = |one: &T| place(one).0.strip_suffix(".pyi").map(str::to_owned);
    let of_stub = |one: &T| stem(one).map(|stem| (format!("{stem}.py"), place(one).1.to_owned()));
    let stubs: BTreeSet<(String, String)> = found.iter().filter_map(of_stub).collect();
    if stubs.is_empty() {
        return;
    }
    let known: BTreeSet<(String, String)> = found
        .iter()
        .map(|one| (place(one).0.to_owned(), place(one).1.to_owned()))
        .filter(|one| stubs.contains(one))
        .collect();
    found.retain(|one| of_stub(one).is_none_or(|run| !known.contains(&run)));
}

/// Lines from the name to the end.
pub fn lines(entity: &Entity) -> u32 {
    entity.record.end_line.saturating_sub(entity.record.line) + 1
}

/// Number of parameters that a caller passes.
pub fn parameters(entity: &Entity) -> u32 {
    let Some(signature) = WrittenSignature::parse(&entity.record.signature) else { return 0 };
    let own = |name: &str| entity.record.kind == EntityKind::Method && matches!(name, "self" | "cls");
    let passed = signature.parameters.iter().filter(|parameter| !own(parameter.name));
    u32::try_from(passed.count()).unwrap_or(u32::MAX)
}

/// Whether a name, perhaps a dotted one, is one that exceptions have.
pub fn is_exception_name(name: &str) -> bool {
    const OTHERS: [&str; 5] =
        ["SystemExit", "KeyboardInterrupt", "StopIteration", "StopAsyncIteration", "GeneratorExit"];
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_class = last.starts_with(char::is_uppercase);
    OTHERS.contains(&last) || is_class && ["Error", "Exception", "Warning"].iter().any(|ending| last.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Basis, EntityKind::*},
        query::fixture::Fixture,
    };

    fn store() -> Store {
        let mut fixture = Fixture::default();
        fixture.file("pkg/a.py", "pkg.a").entity(Class, "Base", 1, 20).entity(Method, "Base.run", 2, 4);
        fixture.last().doc = "Runs.".to_owned();
        fixture.entity(Method, "Base._close", 5, 20).last().signature =
            "(self, how: str = f(), *, at: a.Day) -> a.Day".to_owned();
        fixture.entity(Class, "Left", 21, 39).entity(Method, "Left.run", 22, 24);
        fixture.last().decorators = vec!["functools.cache(3)".to_owned()];
        fixture.edge("pkg.a.Left", RelationshipKind::Inherits, "pkg.a.Base", 21, Basis::Scope);
        fixture.edge("pkg.a.Left.run", RelationshipKind::Overrides, "pkg.a.Base.run", 22, Basis::Scope);
        fixture.file("tests/test_a.py", "tests.test_a").entity(Function, "test_run", 1, 3);
        fixture.edge("tests.test_a.test_run", RelationshipKind::Calls, "pkg.a.Base.run", 2, Basis::Scope);
        fixture.store()
    }

    fn check(filter: &Filter, expected: &str) {
        let store = store();
        let reader = FilterReader::new(&store).expect("a store in memory");
        let found = reader.fitting(filter).expect("a store in memory");
        let names: Vec<String> = found.iter().map(|entity| entity.full_name().replace("pkg.a.", "")).collect();
        assert_eq!(names.join(" "), expected, "{}", filter.words());
        let set = reader.set(filter).expect("a store in memory");
        assert_eq!(set.ids, found.iter().map(|entity| entity.id).collect(), "{}", filter.words());
    }

    #[test]
    fn definitions_are_chosen_by_conditions() {
        let methods = Filter { kinds: vec![Method], ..Filter::default() };
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        check(&methods, "Base.run Base._close Left.run");
        check(&Filter { marks: vec![DefinitionMark::Private], ..methods.clone() }, "Base._close");
        check(
            &Filter { marks: vec![DefinitionMark::Public], has_docstring: Some(false), ..methods.clone() },
            "Left.run",
        );
        check(&Filter { decorators: vec![names(&["cache"])], ..methods.clone() }, "Left.run");
        check(&Filter { least_lines: Some(4), ..methods.clone() }, "Base._close");
        check(&Filter { has_annotations: Some(true), ..methods.clone() }, "Base._close");
        check(&Filter { returns: names(&["Day"]), ..methods.clone() }, "Base._close");
        check(&Filter { takes: names(&["str"]), ..methods.clone() }, "Base._close");
        check(&Filter { takes: names(&["ay"]), ..methods.clone() }, "");
        check(&Filter { has_tests: Some(true), ..methods.clone() }, "Base.run");
        check(&Filter { has_uses: Some(false), ..methods.clone() }, "Base._close");
        check(&Filter { overrides: names(&["Base.run"]), ..methods.clone() }, "Left.run");
        check(&Filter { overrides: names(&["*"]), ..methods.clone() }, "Left.run");
        let is_private = Filter { marks: vec![DefinitionMark::Private], ..Filter::default() };
        check(&Filter { excluded: is_private.alone(), ..methods.clone() }, "Base.run Left.run");
        let returns_day = Filter { returns: names(&["Day"]), ..Filter::default() };
        // The others do not say what they return.
        check(&Filter { excluded: returns_day.alone(), ..methods.clone() }, "");
        check(&Filter { lacks: names(&["_close"]), ..Filter::default() }, "Left");
        check(&Filter { is_in_tests: Some(true), kinds: vec![Function], ..Filter::default() }, "tests.test_a.test_run");
        check(&Filter { paths: names(&["pkg"]), kinds: vec![Class], ..Filter::default() }, "Base Left");
    }

    #[test]
    fn a_list_is_sorted_and_counted() {
        let store = store();
        let reader = FilterReader::new(&store).expect("a store in memory");
        let filter = Filter { kinds: vec![Method], has_docstring: Some(false), ..Filter::default() };
        let report = reader.report(&filter, ListOrder::Size, None).expect("a store in memory");
        assert_eq!((report.definitions.len(), report.conditions.as_str()), (2, "without docstring"));
        assert_eq!((report.definitions[0].name.as_str(), report.definitions[0].lines), ("pkg.a.Base._close", 16));
    }
}
