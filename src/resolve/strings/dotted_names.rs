//! Texts that name definitions, followed as values: `load("shop.carts.Cart")`, where `load` imports the module and asks it for
//! the class.
//!
//! Goes in: a literal that is the whole dotted name of a definition, and what is done with it. Comes out: what an import and
//! `getattr` give. A part of such a text stands for the same definition, and what a function gives of a text that it is
//! passed is known at each call.

use crate::{
    facts::NameId,
    model::{Basis, EntityId, EntityKind},
    resolve::{
        engine::Solver,
        interpret::calls::Arguments,
        names::Target,
        values::{self, Kinds, SetId, TextRole, Value},
    },
};

/// Methods that give parts of a text.
const PARTS: [&str; 9] =
    ["split", "rsplit", "partition", "rpartition", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix"];

/// Most texts of which it is told what a call gives.
const MAX_OBJECTS: usize = 32;

impl Solver<'_> {
    /// The definition that a literal names; nothing for texts without a dot.
    pub(crate) fn text_named(&mut self, name: NameId) -> SetId {
        let text = self.bodies.names.text(name);
        let (first, is_dotted) = (text.as_bytes().first(), text.contains(['.', ':']));
        if !is_dotted || !first.is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') {
            return SetId::EMPTY;
        }
        if let Some(&known) = self.memo.named.get(&name) {
            return known;
        }
        let is_no_name = |part: &str| part.is_empty() || !part.chars().all(|c| c == '_' || c.is_alphanumeric());
        let parts: Vec<&str> = text.split(['.', ':']).collect();
        let named = if parts.iter().any(|part| is_no_name(part)) {
            SetId::EMPTY
        } else {
            let targets = self.named_in_text(&parts);
            let entities: Vec<EntityId> = targets.into_iter().filter_map(|target| self.entity_of(target)).collect();
            self.sets.of(entities.into_iter().map(|entity| values::entry(Value::DottedName(entity), Basis::Scope)))
        };
        self.memo.named.insert(name, named);
        named
    }

    /// The texts in a set that name definitions, or parts of them.
    pub(crate) fn named_texts(&mut self, set: SetId) -> SetId {
        if !self.sets.holds(set, Kinds::NAMED) {
            return SetId::EMPTY;
        }
        self.only(set, |value| matches!(value, Value::DottedName(_) | Value::OfPassedText(_, TextRole::Itself, _)))
    }

    /// The same, and parameters to which such a text is passed.
    pub(crate) fn texts_given(&mut self, set: SetId) -> SetId {
        let mut texts = self.named_texts(set);
        if !self.sets.holds(set, Kinds::PARAMETERS) {
            return texts;
        }
        for at in self.sets.range(set) {
            let entry = self.sets.at(at);
            let (Value::Parameter(function, 0, index), basis) = values::parts(entry) else { continue };
            let one = self.sets.of([entry]);
            let passed = self.concrete(one);
            if self.named_texts(passed) != SetId::EMPTY {
                let text = self.sets.single(Value::OfPassedText(function, TextRole::Itself, index), basis);
                texts = self.sets.union(texts, text);
            }
        }
        texts
    }

    /// `path.rsplit(".", 1)`, `".".join(parts[:-1])`: parts stand for what the whole names.
    pub(crate) fn parts_of_texts(&mut self, receivers: SetId, method: NameId, arguments: &Arguments) -> SetId {
        match self.bodies.names.text(method) {
            "join" => self.named_texts(arguments.first()),
            method if PARTS.contains(&method) => self.texts_given(receivers),
            _ => SetId::EMPTY,
        }
    }

    /// What texts name.
    pub(crate) fn objects_named_by(&mut self, set: SetId) -> SetId {
        let texts = self.texts_given(set);
        let mut objects = SetId::EMPTY;
        if self.sets.entries(texts).len() > MAX_OBJECTS {
            return objects;
        }
        let is_one = self.sets.entries(texts).len() == 1;
        let weakest = if is_one { Basis::Text } else { Basis::Choice };
        for at in self.sets.range(texts) {
            let (text, basis) = values::parts(self.sets.at(at));
            let object = match text {
                Value::DottedName(entity) => self.object_named(entity, basis.max(weakest)),
                Value::OfPassedText(function, TextRole::Itself, index) => {
                    self.sets.single(Value::OfPassedText(function, TextRole::Referent, index), basis)
                }
                _ => SetId::EMPTY,
            };
            objects = self.sets.union(objects, object);
        }
        objects
    }

    fn object_named(&mut self, entity: EntityId, basis: Basis) -> SetId {
        match self.kind(entity) {
            Some(EntityKind::Module) => match self.look.place(entity) {
                Some((file, _)) => self.sets.single(Value::Module(file), basis),
                None => SetId::EMPTY,
            },
            _ => self.target_value(Target::Entity(entity), basis),
        }
    }

    /// `import_module(path)`: the modules of what texts name.
    pub(crate) fn modules_named_by(&mut self, set: SetId) -> SetId {
        let texts = self.concrete(set);
        let texts = self.named_texts(texts);
        let mut modules = SetId::EMPTY;
        for at in self.sets.range(texts) {
            let (Value::DottedName(entity), basis) = values::parts(self.sets.at(at)) else { continue };
            if let Some((file, _)) = self.look.place(entity) {
                let module = self.sets.single(Value::Module(file), basis.max(Basis::Text));
                modules = self.sets.union(modules, module);
            }
        }
        modules
    }

    /// `getattr(module, name)`: what texts name in these modules.
    pub(crate) fn members_named_by(&mut self, modules: SetId, names: SetId) -> SetId {
        let modules = self.only(modules, |value| matches!(value, Value::Module(_)));
        let texts = if modules == SetId::EMPTY { SetId::EMPTY } else { self.texts_given(names) };
        let mut inside = values::Entries::new();
        for at in self.sets.range(texts) {
            let entry = self.sets.at(at);
            let is_inside = match values::parts(entry).0 {
                Value::DottedName(entity) => self.look.place(entity).is_some_and(|(file, _)| {
                    self.sets.entries(modules).iter().any(|&entry| values::parts(entry).0 == Value::Module(file))
                }),
                _ => true,
            };
            if is_inside {
                inside.push(entry);
            }
        }
        let inside = self.sets.of(inside);
        self.objects_named_by(inside)
    }

    /// What an import by a text gives; what is no text is given back as it is.
    pub(crate) fn loaded(&mut self, given: SetId) -> SetId {
        let named = self.objects_named_by(given);
        let is_text = named != SetId::EMPTY;
        let objects = self.only(given, |value| match value {
            Value::Class(_) | Value::Function(..) => true,
            // One that a text is passed for is what that names, see `of_text_passed`.
            Value::Parameter(..) => !is_text,
            _ => false,
        });
        self.sets.union(named, objects)
    }

    /// What a text, or what it names, is where the parameter holds these values.
    pub(crate) fn of_text_passed(&mut self, passed: SetId, role: TextRole) -> SetId {
        match role {
            TextRole::Itself => self.texts_given(passed),
            TextRole::Referent => self.loaded(passed),
        }
    }
}
