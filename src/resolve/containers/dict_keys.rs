//! The keys of dicts, and objects that are read as dicts are.
//!
//! Goes in: a dict that is written out, filled, made by a call or declared. Comes out: what its keys can be. They lie beside
//! the elements under a slot of their own; a declared dict is two values, one for its elements and one for its keys.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE, Run},
    },
    model::{Basis, EntityFlags, EntityId, RelationshipKind},
    resolve::{
        containers::is_plain,
        engine::{Solver, output::Place},
        interpret::calls::Arguments,
        library::known::{self, Known},
        questions,
        values::{
            self, SetId, Value,
            site::{Part, Site},
            slot::Slot,
        },
    },
};

impl Solver<'_> {
    /// What is put into a set or looked up in a dict is hashed.
    pub(crate) fn hashed(&mut self, set: SetId, place: Place) {
        self.special(set, "__hash__", &[], place);
    }

    /// The same, where a set or dict is among the receivers.
    pub(crate) fn hashed_by(&mut self, containers: SetId, key: SetId, place: Place) {
        let is_dict = |value| matches!(value, Value::Container(_, site) if site.is_dict());
        let objects = self.only(key, |value| matches!(value, Value::Instance(_) | Value::Parameter(..)));
        if objects != SetId::EMPTY && self.sets.entries(containers).iter().any(|&entry| is_dict(values::parts(entry).0))
        {
            self.hashed(objects, place);
        }
    }

    /// Notes what the keys of a dict can be.
    pub(crate) fn add_keys(&mut self, container: Value, set: SetId) {
        let Value::Container(owner, site) = container else { return };
        if site.is_declared() || !site.is_dict() || set == SetId::TOP {
            return;
        }
        let set = self.only(set, |value| !is_plain(value) && !matches!(value, Value::Text(_)));
        self.add(questions::element(owner, site, Slot::Keys), set);
    }

    /// The keys of the dicts in a set.
    pub(crate) fn keys_of(&mut self, containers: SetId) -> SetId {
        let containers = self.concrete(containers);
        let mut result = SetId::EMPTY;
        for at in self.sets.range(containers) {
            let Value::Container(owner, site) = values::parts(self.sets.at(at)).0 else { continue };
            let found = match site {
                Site::DeclaredKeys => self.sets.single(Value::Instance(owner), Basis::Annotated),
                Site::Declared { .. } => continue,
                _ if site.is_dict() => self.read(questions::element(owner, site, Slot::Keys)),
                _ => continue,
            };
            let found = self.sets.weaken(found, Basis::Element);
            result = self.sets.union(result, found);
        }
        result
    }

    /// A key and what lies under it, where that is followed.
    pub(crate) fn pair_of(&mut self, containers: SetId, place: Place) -> SetId {
        let (keys, values) = (self.keys_of(containers), self.elements(containers));
        if keys == SetId::EMPTY && values == SetId::EMPTY {
            return SetId::EMPTY;
        }
        let pair = self.made(place, Part::Pair, false);
        self.add_element(pair, Slot::index(0), keys);
        self.add_element(pair, Slot::index(1), values);
        self.sets.single(pair, Basis::Constructed)
    }

    /// Dicts whose keys are the instances in a set.
    pub(crate) fn keyed_by(&mut self, keys: SetId) -> SetId {
        let entries = self.sets.entries(keys).iter().filter_map(|&entry| match values::parts(entry) {
            (Value::Instance(class), basis) => Some(values::entry(Value::Container(class, Site::DeclaredKeys), basis)),
            _ => None,
        });
        let entries: values::Entries = entries.collect();
        self.sets.of(entries)
    }

    /// `dict(mapping)` and `**mapping` ask an object that has `keys` for them, and for what lies under each. Comes back what
    /// does not have them.
    pub(crate) fn mapping_read(&mut self, mappings: SetId, place: Place) -> SetId {
        let mappings = self.concrete(mappings);
        let (mut with, mut without) = (values::Entries::new(), values::Entries::new());
        for at in self.sets.range(mappings) {
            let entry = self.sets.at(at);
            let has_keys = match values::parts(entry) {
                (Value::Instance(class), basis) => {
                    let is_own = self.look.inherited(class, "keys", None).is_some();
                    is_own || self.keys_of_library(class, basis, place)
                }
                _ => false,
            };
            if has_keys { with.push(entry) } else { without.push(entry) }
        }
        if with.is_empty() {
            return mappings;
        }
        let with = self.sets.of(with);
        self.special(with, "keys", &[], place);
        self.special(with, "__getitem__", &[], place);
        self.sets.of(without)
    }

    /// What a `TypedDict` declares for a key that is written out.
    pub(crate) fn keyed(&mut self, receivers: SetId, key: ExprId, place: Place) -> SetId {
        let Some(&ExprKind::Text(name)) = self.bodies.kind(key) else {
            return SetId::EMPTY;
        };
        let receivers = self.concrete(receivers);
        let mut dicts = values::Entries::new();
        for at in self.sets.range(receivers) {
            let entry = self.sets.at(at);
            let (Value::Instance(class), _) = values::parts(entry) else { continue };
            let mro = self.look.mro(class);
            if mro.externals.iter().any(|&hash| known::known(hash) == Some(Known::TypedDict)) {
                dicts.push(entry);
            }
        }
        if dicts.is_empty() {
            return SetId::EMPTY;
        }
        let dicts = self.sets.of(dicts);
        let (set, heads) = self.attribute(dicts, name, place, NONE, None);
        self.mention_all(&heads, place, None);
        set
    }

    /// `order: Order = {"line": line}`, `return {"line": line}`: the keys of a dict that is declared to be a `TypedDict`.
    pub(crate) fn keys_written(&mut self, declared: SetId, value: ExprId) {
        let bodies = self.bodies;
        let Some(&ExprKind::Dict { items, .. }) = bodies.kind(value) else { return };
        let declared = self.only(declared, |value| matches!(value, Value::Instance(_)));
        for at in self.sets.range(declared) {
            let Value::Instance(class) = values::parts(self.sets.at(at)).0 else { continue };
            let externals = &self.look.mro(class).externals;
            if !externals.iter().any(|&hash| known::known(hash) == Some(Known::TypedDict)) {
                continue;
            }
            for pair in bodies.list(items).chunks(2) {
                let Some(key) = bodies.text(pair[0]) else { continue };
                let Some((_, targets)) = self.look.inherited(class, key, None) else { continue };
                for target in targets {
                    self.mention(target, Basis::Annotated, self.place_of(pair[0]), Some(RelationshipKind::Writes));
                }
            }
        }
    }

    /// The same for what is passed to functions.
    pub(crate) fn keys_passed(&mut self, functions: &[EntityId], written: Run) {
        let bodies = self.bodies;
        let is_dict = |&argument: &ExprId| matches!(bodies.kind(argument), Some(ExprKind::Dict { .. }));
        if !bodies.list(written).iter().any(is_dict) {
            return;
        }
        for &function in functions {
            let is_method = self.look.enclosing_class(function).is_some()
                && !self.look.flags(function).has(EntityFlags::STATIC_METHOD);
            for (index, &argument) in (u32::from(is_method)..).zip(bodies.list(written)) {
                if is_dict(&argument) {
                    let declared = self.read(questions::parameter(function, 0, index));
                    self.keys_written(declared, argument);
                }
            }
        }
    }

    /// `order.get("line")` on a `TypedDict`.
    pub(crate) fn keyed_call(&mut self, receivers: SetId, name: NameId, arguments: &Arguments, place: Place) -> SetId {
        match (self.bodies.names.text(name), self.bodies.list(arguments.written()).first()) {
            ("get" | "pop" | "setdefault", Some(&key)) => self.keyed(receivers, key, place),
            _ => SetId::EMPTY,
        }
    }
}
