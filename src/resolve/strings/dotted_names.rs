//! Texts that name definitions, followed as values: `load("shop.carts.Cart")`, where `load` imports the module and
//! reads the class with `getattr`.
//!
//! The value of such a literal is the definition that it names. A part of the text stands for the same definition. A
//! function that returns a definition for the text in a parameter is resolved at each call.

use crate::{
    facts::NameId,
    model::{Basis, EntityId, EntityKind},
    resolve::{
        names::{Target, imports::Found},
        solver::Solver,
        values::{self, Kinds, SetId, Sets, TextRole, Value},
    },
};

/// Methods that give parts of a text.
pub(crate) const PARTS: [&str; 9] =
    ["split", "rsplit", "partition", "rpartition", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix"];

/// With more texts in a set, the results of calls are not followed.
pub(crate) const MAX_OBJECTS: usize = 32;

fn is_no_name(part: &str) -> bool {
    part.is_empty() || !part.chars().all(|c| c == '_' || c.is_alphanumeric())
}

impl Solver<'_> {
    /// The definition that a literal names; nothing for texts without a dot.
    pub(crate) fn text_named(&mut self, name: NameId) -> SetId {
        let text = self.bodies.names.text(name);
        if text.ends_with(".py") {
            return self.file_named(text);
        }
        let (first, is_dotted) = (text.as_bytes().first(), text.contains(['.', ':']));
        if !is_dotted || !first.is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') {
            return SetId::EMPTY;
        }
        // Many literals have dots, few name a definition: each text is looked up once a file.
        if let Some(&known) = self.memo.named.get(&name) {
            return known;
        }
        let parts: Vec<&str> = text.split(['.', ':']).collect();
        let named = if parts.iter().any(|part| is_no_name(part)) {
            SetId::EMPTY
        } else {
            let targets = self.look.named_in_text(&parts);
            let entities: Vec<EntityId> =
                targets.into_iter().filter_map(|target| self.look.entity_of(target)).collect();
            self.sets.of(entities.into_iter().map(|entity| values::entry(Value::DottedName(entity), Basis::Scope)))
        };
        self.memo.named.insert(name, named);
        named
    }

    /// The module at a path, written from a folder in which imports are looked up: `examples/quote.py`.
    pub(crate) fn file_named(&mut self, path: &str) -> SetId {
        let is_up = |part: &&str| matches!(*part, "" | "." | "..");
        let parts: Vec<&str> = path.trim_end_matches(".py").split('/').skip_while(is_up).collect();
        if parts.is_empty() || parts.iter().any(|part| is_no_name(part)) {
            return SetId::EMPTY;
        }
        let here = self.look.own.path.clone();
        let Found::Module(file) = self.look.import(&here, 0, &parts) else { return SetId::EMPTY };
        let module = self.look.entity_of(Target::Module(file));
        module.map_or(SetId::EMPTY, |module| self.sets.single(Value::DottedName(module), Basis::Scope))
    }

    pub(crate) fn object_named(&mut self, entity: EntityId, basis: Basis) -> SetId {
        match self.look.kind(entity) {
            Some(EntityKind::Module) => match self.look.place(entity) {
                Some((file, _)) => self.sets.single(Value::Module(file), basis),
                None => SetId::EMPTY,
            },
            _ => self.target_value(Target::Entity(entity), basis),
        }
    }
}

impl Sets {
    /// The texts in a set that name definitions, or parts of them.
    pub(crate) fn named_texts(&mut self, set: SetId) -> SetId {
        if !self.holds(set, Kinds::NAMED) {
            return SetId::EMPTY;
        }
        self.only(set, |value| matches!(value, Value::DottedName(_) | Value::OfPassedText(_, TextRole::Itself, _)))
    }
}
