//! Bindings of names in all files: members of modules and classes, imports, bases, MRO.
//!
//! This room follows the text of the program alone: imports, definitions, bases. So its answers do not depend on the
//! round, with one exception: a base that is a variable of another file (`mro`). Every question about another file is
//! recorded, misses included, so that an update knows which files to resolve again.

pub(crate) mod imports;
pub(crate) mod mro;

use std::{rc::Rc, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::{
    facts::{
        Interface, hash_name,
        interface::{BasePath, Binding, ClassHead, EntityHead, FunctionHead},
    },
    model::{Basis, EntityFlags, EntityId, EntityKind, FileId},
    resolve::{
        Definitions, ModuleInfo,
        library::{known, stdlib_names},
        names::{imports::Found, mro::Mro},
        values::{PartOfName, SetId, Sets, questions},
    },
};

/// Longest chain of re-exports that is followed.
const MAX_CHAIN: u32 = 24;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Target {
    Entity(EntityId),
    Module(FileId),
    Namespace(u32),
    External(u64),
}

/// Mostly one target; more where definitions are conditional.
pub(crate) type Targets = SmallVec<[Target; 2]>;

/// The definitions that an expression refers to, beside its values.
pub(crate) type Referents = SmallVec<[(Target, Basis); 2]>;

/// A file in one solver. The count is per thread: a shared one would slow down all threads, since most files use the
/// same few modules.
pub(crate) type Module = Rc<Arc<ModuleInfo>>;

/// A class in its file.
pub(crate) struct ClassPlace {
    pub(crate) info: Module,
    pub(crate) index: u32,
}

impl ClassPlace {
    pub(crate) fn head(&self) -> &ClassHead {
        self.info.interface.class(self.index).expect("checked when it was looked up")
    }
}

/// A function in its file.
#[derive(Clone)]
pub(crate) struct FunctionInModule {
    pub(crate) info: Module,
    index: usize,
}

impl FunctionInModule {
    pub(crate) fn signature(&self) -> &FunctionHead {
        &self.info.interface.functions[self.index]
    }

    /// The names of parameters without a default, as pytest reads them.
    pub(crate) fn names_to_fill(&self) -> Vec<String> {
        let wanted = self.signature().parameters.iter().filter(|parameter| !parameter.has_default);
        wanted.map(|parameter| self.info.interface.names.text(parameter.name).to_owned()).collect()
    }
}

/// Whether a class has the methods that Python runs when attributes are read or assigned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hooks {
    pub(crate) getattribute: bool,
    pub(crate) getattr: bool,
    pub(crate) setattr: bool,
}

impl Hooks {
    /// Those that the class's own body binds; a part of the answer to [`questions::class`].
    pub fn of(interface: &Interface, class: &ClassHead) -> Hooks {
        let binds = |name| !interface.class_member(class, name).is_empty();
        Hooks {
            getattribute: binds(const { hash_name("__getattribute__") }),
            getattr: binds(const { hash_name("__getattr__") }),
            setattr: binds(const { hash_name("__setattr__") }),
        }
    }

    fn or(self, other: Hooks) -> Hooks {
        Hooks {
            getattribute: self.getattribute || other.getattribute,
            getattr: self.getattr || other.getattr,
            setattr: self.setattr || other.setattr,
        }
    }
}

/// Answers questions about names, caches the answers, and records the questions about other files.
pub(crate) struct Lookup<'a> {
    pub(crate) definitions: &'a dyn Definitions,
    pub(crate) own: Module,
    /// The other files that were looked at.
    pub(crate) modules: FxHashMap<FileId, Option<Module>>,
    pub(crate) signatures: FxHashMap<(EntityId, u32), Option<FunctionInModule>>,
    pub(crate) round: u8,
    pub(crate) known: NameCache,
}

/// The answers found so far; kept from round to round.
#[derive(Default)]
pub(crate) struct NameCache {
    pub(crate) questions: FxHashSet<questions::Key>,
    /// Of these, the variables of other files that hold the bases of classes: their answers grow with the rounds.
    pub(crate) bases: Vec<questions::Key>,
    pub(crate) imports: FxHashMap<(String, u32, String), Found>,
    pub(crate) namespaces: Vec<String>,
    /// The file's own entities whose ids do not follow from the first one's by counting.
    own_index: FxHashMap<EntityId, u32>,
    pub(crate) mros: FxHashMap<EntityId, Arc<Mro>>,
    metaclasses: FxHashMap<EntityId, Option<Target>>,
    hooks: FxHashMap<EntityId, Hooks>,
    inherited: FxHashMap<(EntityId, u64, Option<EntityId>), Option<(EntityId, Targets)>>,
    members: FxHashMap<(FileId, u64), Targets>,
}

impl NameCache {
    pub(crate) fn new(own: &ModuleInfo) -> Self {
        let own_index = (0..).zip(&own.entities).map(|(index, &entity)| (entity, index));
        let own_index = own_index.filter(|&(entity, _)| counted_on(own, entity).is_none()).collect();
        NameCache { own_index, ..NameCache::default() }
    }

    /// Drops caches that are cheap to fill again: in a full build the solvers of all files wait for the next round
    /// together.
    pub(crate) fn shrink(&mut self) {
        self.imports = FxHashMap::default();
        self.members = FxHashMap::default();
        self.inherited = FxHashMap::default();
    }

    /// Drops the answers that depend on the bases of classes.
    pub(crate) fn forget_bases(&mut self) {
        self.mros.clear();
        self.metaclasses.clear();
        self.hooks.clear();
        self.inherited.clear();
    }
}

/// The place of an entity whose id is that of the file's first one, counted on: in a full build all are.
fn counted_on(own: &ModuleInfo, entity: EntityId) -> Option<u32> {
    let index = entity.0.wrapping_sub(own.entities.first()?.0);
    (own.entities.get(index as usize) == Some(&entity)).then_some(index)
}

impl Lookup<'_> {
    /// The points-to set that other files answer to a question, up to the round before.
    pub(crate) fn answers_of_others(&self, key: questions::Key, sets: &mut Sets) -> SetId {
        // In the first round no file has published anything yet.
        if self.round <= 1 {
            return SetId::EMPTY;
        }
        sets.of_sorted(&self.definitions.imported(key, self.round - 1, self.own.file))
    }

    pub(crate) fn module(&mut self, file: FileId) -> Option<Module> {
        if file == self.own.file {
            return Some(Rc::clone(&self.own));
        }
        self.other(file).cloned()
    }

    fn other(&mut self, file: FileId) -> Option<&Module> {
        let definitions = self.definitions;
        self.modules.entry(file).or_insert_with(|| definitions.module(file).map(Rc::new)).as_ref()
    }

    pub(crate) fn namespace(&mut self, folder: &str) -> u32 {
        let position = self.known.namespaces.iter().position(|known| known == folder).unwrap_or_else(|| {
            self.known.namespaces.push(folder.to_owned());
            self.known.namespaces.len() - 1
        });
        u32::try_from(position).expect("fewer than 2^32 folders")
    }

    /// The file of an entity and its index there.
    pub(crate) fn place(&self, entity: EntityId) -> Option<(FileId, u32)> {
        match self.own_place(entity) {
            Some(index) => Some((self.own.file, index)),
            None => self.definitions.place(entity),
        }
    }

    pub(crate) fn is_own(&self, entity: EntityId) -> bool {
        self.own_place(entity).is_some()
    }

    /// The index of an entity of the file.
    pub(crate) fn own_place(&self, entity: EntityId) -> Option<u32> {
        counted_on(&self.own, entity).or_else(|| self.known.own_index.get(&entity).copied())
    }

    pub(crate) fn kind(&mut self, entity: EntityId) -> Option<EntityKind> {
        self.with_entity(entity, |info, index| info.interface.entities.get(index as usize).map(|head| head.kind))
    }

    pub(crate) fn flags(&mut self, entity: EntityId) -> EntityFlags {
        self.with_entity(entity, |info, index| info.interface.entities.get(index as usize).map(|head| head.flags))
            .unwrap_or_default()
    }

    /// The enclosing entity, when it is a class.
    pub(crate) fn enclosing_class(&mut self, entity: EntityId) -> Option<EntityId> {
        self.with_entity(entity, |info, index| {
            let parent = info.interface.entities.get(index as usize)?.parent;
            let head = info.interface.entities.get(parent as usize)?;
            (head.kind == EntityKind::Class).then(|| info.id(parent))
        })
    }

    /// Reads the head of an entity together with its module.
    pub(crate) fn with_head<T>(
        &mut self,
        entity: EntityId,
        read: impl FnOnce(&ModuleInfo, &EntityHead) -> T,
    ) -> Option<T> {
        self.with_entity(entity, |info, index| Some(read(info, info.interface.entities.get(index as usize)?)))
    }

    pub(crate) fn with_entity<T>(
        &mut self,
        entity: EntityId,
        read: impl FnOnce(&ModuleInfo, u32) -> Option<T>,
    ) -> Option<T> {
        let (file, index) = self.place(entity)?;
        if file == self.own.file {
            return read(&self.own, index);
        }
        read(self.other(file)?, index)
    }

    /// The parameters of a function.
    pub(crate) fn signature(&mut self, function: EntityId, lambda: u32) -> Option<FunctionInModule> {
        if let Some(found) = self.signatures.get(&(function, lambda)) {
            return found.clone();
        }
        let found = self.find_signature(function, lambda);
        self.signatures.insert((function, lambda), found.clone());
        found
    }

    fn find_signature(&mut self, function: EntityId, lambda: u32) -> Option<FunctionInModule> {
        let (file, index) = self.place(function)?;
        if file != self.own.file {
            self.known.questions.insert(questions::signature(function, lambda));
        }
        let info = self.module(file)?;
        let index = info.interface.function(index, lambda)?;
        Some(FunctionInModule { info, index })
    }

    // --- modules -----------------------------------------------------------------------------------------------

    /// The targets of `name` in a module; empty when the module has no such member.
    pub(crate) fn member(&mut self, file: FileId, name: &str) -> Targets {
        let hash = hash_name(name);
        if let Some(targets) = self.known.members.get(&(file, hash)) {
            return targets.clone();
        }
        let targets = self.member_chained(file, name, 0);
        self.known.members.insert((file, hash), targets.clone());
        targets
    }

    fn member_chained(&mut self, file: FileId, name: &str, depth: u32) -> Targets {
        if depth > MAX_CHAIN {
            return Targets::new();
        }
        let Some(info) = self.module(file) else { return Targets::new() };
        let hash = hash_name(name);
        if file != self.own.file {
            self.known.questions.insert(questions::member(&info.path, hash));
        }
        let bindings = info.interface.member(hash);
        if !bindings.is_empty() {
            let mut targets = Targets::new();
            for binding in bindings {
                for target in self.follow(&info, binding, depth + 1) {
                    if !targets.contains(&target) {
                        targets.push(target);
                    }
                }
            }
            if !targets.is_empty() {
                return targets;
            }
        }
        // There may be none: one that comes can bring the name.
        let targets = self.star_member(&info, name, depth + 1);
        if !targets.is_empty() {
            return targets;
        }
        // A package's own names hide its submodules.
        self.submodule(file, name).map_or_else(Targets::new, |file| smallvec![Target::Module(file)])
    }

    /// A name that a module has by `from other import *`.
    pub(crate) fn star_member(&mut self, info: &Module, name: &str, depth: u32) -> Targets {
        if depth > MAX_CHAIN {
            return Targets::new();
        }
        if info.file != self.own.file {
            self.known.questions.insert(questions::stars(&info.path));
        }
        // The last star wins, as the last assignment does.
        for star in info.interface.stars.iter().rev() {
            let Found::Module(file) = self.import_path(info.file, star) else { continue };
            if file == info.file {
                continue;
            }
            let Some(other) = self.module(file) else { continue };
            if file != self.own.file {
                self.known.questions.insert(questions::stars(&other.path));
            }
            let is_exported = match &other.interface.exports {
                Some(exports) => exports.iter().any(|&export| other.interface.names.text(export) == name),
                // Without `__all__`, a star skips names with an underscore.
                None => !name.starts_with('_'),
            };
            if is_exported {
                let targets = self.member_chained(file, name, depth + 1);
                if !targets.is_empty() {
                    return targets;
                }
            }
        }
        Targets::new()
    }

    /// Whether all `*` imports lead to modules of the repository, so that a name that none of them has is not bound.
    pub(crate) fn stars_are_known(&mut self, info: &Module) -> bool {
        info.interface.stars.iter().all(|star| match self.import_path(info.file, star) {
            Found::Module(file) => self.module(file).is_some_and(|other| other.interface.stars.is_empty()),
            _ => false,
        })
    }

    /// Whether only type checkers bind this name of a module.
    pub(crate) fn is_for_types(&mut self, file: FileId, name: u64) -> bool {
        self.module(file).is_some_and(|info| info.interface.is_for_types(name))
    }

    fn follow(&mut self, info: &Module, binding: &Binding, depth: u32) -> Targets {
        match binding {
            Binding::Entity(entity) => smallvec![Target::Entity(info.id(*entity))],
            Binding::Module(path) => self.found(info.file, path, None, depth),
            Binding::From(path, name) => {
                let name = info.interface.names.text(*name).to_owned();
                self.found(info.file, path, Some(&name), depth)
            }
        }
    }

    fn found(
        &mut self,
        file: FileId,
        path: &crate::facts::interface::ModulePath,
        name: Option<&str>,
        depth: u32,
    ) -> Targets {
        let Some(info) = self.module(file) else { return Targets::new() };
        let parts: Vec<&str> = path.parts.iter().map(|&part| info.interface.names.text(part)).collect();
        self.import_targets(&info.path, path.level, &parts, name, depth)
    }

    /// The targets that `import parts` or `from parts import name` binds in the file at `path`; empty when it leads
    /// nowhere.
    pub(crate) fn import_targets(
        &mut self,
        path: &str,
        level: u32,
        parts: &[&str],
        name: Option<&str>,
        depth: u32,
    ) -> Targets {
        let found = self.import(path, level, parts);
        let Some(name) = name else {
            return match found {
                Found::Module(file) => smallvec![Target::Module(file)],
                Found::Namespace(number) => smallvec![Target::Namespace(number)],
                Found::External(hash) => smallvec![Target::External(hash)],
                Found::Missing => Targets::new(),
            };
        };
        match found {
            Found::Module(file) => self.member_chained(file, name, depth + 1),
            Found::Namespace(number) => match self.namespace_member(number, name) {
                Some(Found::Module(file)) => smallvec![Target::Module(file)],
                Some(Found::Namespace(number)) => smallvec![Target::Namespace(number)],
                _ => Targets::new(),
            },
            Found::External(hash) => {
                if let Some(Found::Module(file)) = self.import_member(path, level, parts, name) {
                    smallvec![Target::Module(file)]
                } else {
                    smallvec![Target::External(known::member(hash, hash_name(name)))]
                }
            }
            Found::Missing => Targets::new(),
        }
    }

    // --- classes -----------------------------------------------------------------------------------------------

    pub(crate) fn class_head(&mut self, class: EntityId) -> Option<ClassPlace> {
        let (file, index) = self.place(class)?;
        if file != self.own.file {
            self.known.questions.insert(questions::class(class));
        }
        let info = self.module(file)?;
        info.interface.class(index)?;
        Some(ClassPlace { info, index })
    }

    /// The metaclass of a class: the first that is written on a class of its MRO.
    pub(crate) fn metaclass(&mut self, class: EntityId) -> Option<Target> {
        if let Some(&metaclass) = self.known.metaclasses.get(&class) {
            return metaclass;
        }
        let mro = self.mro(class);
        let metaclass = mro.classes.iter().find_map(|&base| {
            let found = self.class_head(base)?;
            let path = found.head().metaclass.as_ref()?;
            self.dotted(&found.info, found.index, path).first().copied()
        });
        self.known.metaclasses.insert(class, metaclass);
        metaclass
    }

    pub(crate) fn hooks(&mut self, class: EntityId) -> Hooks {
        if let Some(&hooks) = self.known.hooks.get(&class) {
            return hooks;
        }
        let mut hooks = Hooks::default();
        for &class in &self.mro(class).classes {
            let Some(place) = self.class_head(class) else { continue };
            hooks = hooks.or(Hooks::of(&place.info.interface, place.head()));
        }
        self.known.hooks.insert(class, hooks);
        hooks
    }

    /// The targets of `name` in a class's own body.
    pub(crate) fn own_member(&mut self, class: EntityId, name: &str) -> Targets {
        let Some((file, index)) = self.place(class) else { return Targets::new() };
        let hash = hash_name(name);
        if file != self.own.file {
            self.known.questions.insert(questions::class_member(class, hash));
        }
        let Some(info) = self.module(file) else { return Targets::new() };
        let Some(head) = info.interface.class(index) else { return Targets::new() };
        let bindings = info.interface.class_member(head, hash);
        bindings.iter().flat_map(|binding| self.follow(&info, binding, 0)).collect()
    }

    /// Names that a class's own body binds, by their hashes.
    pub(crate) fn member_names(&mut self, class: EntityId) -> Vec<u64> {
        let Some(place) = self.class_head(class) else { return Vec::new() };
        if place.info.file != self.own.file {
            self.known.questions.insert(questions::class_names(class));
        }
        let names = &place.info.interface.names;
        place.head().members.iter().map(|member| names.hash(member.name)).collect()
    }

    /// Names that a class's own body binds and that begin so, sorted.
    pub(crate) fn members_that_begin(&mut self, class: EntityId, beginning: PartOfName) -> Vec<String> {
        let Some(place) = self.class_head(class) else { return Vec::new() };
        if place.info.file != self.own.file {
            self.known.questions.insert(questions::class_names(class));
        }
        let interface = &place.info.interface;
        let names = place.head().members.iter().map(|member| interface.names.text(member.name));
        let mut names: Vec<String> = names.filter(|name| beginning.fits(name)).map(str::to_owned).collect();
        names.sort();
        names
    }

    /// Whether the body of a class that derives from `base`, or of another class that it has between, binds the name.
    pub(crate) fn is_bound_below(&mut self, derived: EntityId, base: EntityId, name: u64) -> bool {
        let (mro, above) = (self.mro(derived), self.mro(base));
        let mut between = mro.classes.iter().filter(|class| !above.classes.contains(class));
        between.any(|&class| {
            let Some(place) = self.class_head(class) else { return false };
            // One question for all names: a class has few bases, and they ask for many.
            if place.info.file != self.own.file {
                self.known.questions.insert(questions::class_names(class));
            }
            !place.info.interface.class_member(place.head(), name).is_empty()
        })
    }

    /// The first class of the MRO that has `name`, with its targets there; `after` skips the MRO up to that class.
    pub(crate) fn inherited(
        &mut self,
        class: EntityId,
        name: &str,
        after: Option<EntityId>,
    ) -> Option<(EntityId, Targets)> {
        let key = (class, hash_name(name), after);
        if let Some(found) = self.known.inherited.get(&key) {
            return found.clone();
        }
        let found = self.find_inherited(class, name, after);
        self.known.inherited.insert(key, found.clone());
        found
    }

    fn find_inherited(&mut self, class: EntityId, name: &str, after: Option<EntityId>) -> Option<(EntityId, Targets)> {
        let mro = self.mro(class);
        let start = after.map_or(0, |after| mro.classes.iter().position(|&c| c == after).map_or(0, |i| i + 1));
        for &owner in &mro.classes[start..] {
            let targets = self.own_member(owner, name);
            if targets.is_empty() {
                continue;
            }
            if !targets.iter().all(|&target| self.is_instance_attribute(target)) {
                return Some((owner, targets));
            }
            return Some(self.attribute_of_base(class, name, (owner, targets)));
        }
        None
    }

    /// The targets of `self.name = …` in a class: a property of a base if there is one, else the attribute together
    /// with the base's attribute of that name.
    fn attribute_of_base(&mut self, class: EntityId, name: &str, own: (EntityId, Targets)) -> (EntityId, Targets) {
        let Some((owner, inherited)) = self.inherited(class, name, Some(own.0)) else { return own };
        let kinds: SmallVec<[Option<EntityKind>; 2]> = inherited
            .iter()
            .map(|&target| if let Target::Entity(entity) = target { self.kind(entity) } else { None })
            .collect();
        if kinds.contains(&Some(EntityKind::Property)) {
            return (owner, inherited);
        }
        let mut targets = own.1;
        if kinds.iter().all(|&kind| kind == Some(EntityKind::Variable)) {
            targets.extend(inherited.into_iter().filter(|target| !targets.contains(target)).collect::<Targets>());
        }
        (own.0, targets)
    }

    /// Whether only instances have the attribute: the class body assigns nothing to the name.
    pub(crate) fn is_instance_attribute(&mut self, target: Target) -> bool {
        let Target::Entity(entity) = target else { return false };
        let flags = self.flags(entity);
        flags.has(EntityFlags::INSTANCE_ATTRIBUTE) || flags.has(EntityFlags::DECLARED)
    }

    /// A dotted name as seen from where the entity `from` stands.
    pub(crate) fn dotted(&mut self, info: &Module, from: u32, path: &BasePath) -> Targets {
        let texts: Vec<String> = path.parts.iter().map(|&part| info.interface.names.text(part).to_owned()).collect();
        let Some((first, rest)) = texts.split_first() else { return Targets::new() };
        let mut targets = match path.local {
            Some(entity) => smallvec![Target::Entity(info.id(entity))],
            None => self.name_from(info, from, first),
        };
        for part in rest {
            targets = targets.into_iter().flat_map(|target| self.part(target, part)).collect();
        }
        targets
    }

    fn name_from(&mut self, info: &Module, from: u32, name: &str) -> Targets {
        let parent = info.interface.entities.get(from as usize).map_or(0, |head| head.parent);
        if let Some(class) = info.interface.class(parent) {
            if info.file != self.own.file {
                self.known.questions.insert(questions::class_member(info.id(parent), hash_name(name)));
            }
            let bindings = info.interface.class_member(class, hash_name(name)).to_vec();
            let targets: Targets = bindings
                .iter()
                .filter(|binding| **binding != Binding::Entity(from))
                .flat_map(|binding| self.follow(info, binding, 0))
                .collect();
            if !targets.is_empty() {
                return targets;
            }
        }
        let targets = self.member(info.file, name);
        if targets.is_empty()
            && let Some(hash) = self.star_external(info, name)
        {
            return smallvec![Target::External(hash)];
        }
        if targets.is_empty() && stdlib_names::is_builtin(name) {
            return smallvec![Target::External(known::builtin(hash_name(name)))];
        }
        targets
    }

    fn part(&mut self, target: Target, name: &str) -> Targets {
        match target {
            Target::Module(file) => self.member(file, name),
            Target::Namespace(number) => match self.namespace_member(number, name) {
                Some(Found::Module(file)) => smallvec![Target::Module(file)],
                Some(Found::Namespace(number)) => smallvec![Target::Namespace(number)],
                _ => Targets::new(),
            },
            Target::External(hash) => smallvec![Target::External(known::member(hash, hash_name(name)))],
            Target::Entity(entity) => match self.kind(entity) {
                Some(EntityKind::Class) => self.own_member(entity, name),
                _ => match self.class_in_variable(entity) {
                    Some(class) => self.own_member(class, name),
                    None => Targets::new(),
                },
            },
        }
    }
}
