//! The keys of dicts, and objects that are read as dicts are.
//!
//! Goes in: a dict that is written out, filled, made by a call or declared. Comes out: what its keys can be. They lie beside
//! the elements under a slot of their own; a declared dict is two values, one for its elements and one for its keys.

use super::{
    containers::{DECLARED, KEYED, is_plain},
    emit::Place,
    keys,
    solver::Solver,
    value::{self, SetId, Value},
};
use crate::model::Basis;

impl Solver<'_> {
    /// Notes what the keys of a dict can be.
    pub(super) fn add_keys(&mut self, container: Value, set: SetId) {
        let Value::Container(owner, site) = container else { return };
        if site & DECLARED == DECLARED || site & 1 == 0 || set == SetId::TOP {
            return;
        }
        let set = self.only(set, |value| !is_plain(value) && !matches!(value, Value::Text(_)));
        self.add(keys::element(owner, site, keys::KEYS), set);
    }

    /// The keys of the dicts in a set.
    pub(super) fn keys_of(&mut self, containers: SetId) -> SetId {
        let containers = self.concrete(containers);
        let mut result = SetId::EMPTY;
        for at in self.sets.range(containers) {
            let Value::Container(owner, site) = value::parts(self.sets.at(at)).0 else { continue };
            let found = match (site & DECLARED == DECLARED, site & 1) {
                (true, _) if site & KEYED != 0 => self.sets.single(Value::Instance(owner), Basis::Annotated),
                (false, 1) => self.read(keys::element(owner, site, keys::KEYS)),
                _ => continue,
            };
            let found = self.sets.weaken(found, Basis::Element);
            result = self.sets.union(result, found);
        }
        result
    }

    /// Dicts whose keys are the instances in a set.
    pub(super) fn keyed_by(&mut self, keys: SetId) -> SetId {
        let entries = self.sets.entries(keys).iter().filter_map(|&entry| match value::parts(entry) {
            (Value::Instance(class), basis) => {
                Some(value::entry(Value::Container(class, DECLARED | KEYED | 1 << 1 | 1), basis))
            }
            _ => None,
        });
        let entries: value::Entries = entries.collect();
        self.sets.of(entries)
    }

    /// `dict(mapping)` and `**mapping` ask an object that has `keys` for them, and for what lies under each. Comes back what
    /// does not have them.
    pub(super) fn mapping_read(&mut self, mappings: SetId, place: Place) -> SetId {
        let mappings = self.concrete(mappings);
        let (mut with, mut without) = (value::Entries::new(), value::Entries::new());
        for at in self.sets.range(mappings) {
            let entry = self.sets.at(at);
            let has_keys = match value::parts(entry).0 {
                Value::Instance(class) => self.look.inherited(class, "keys", None).is_some(),
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
}
