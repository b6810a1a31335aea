//! Objects that stand for others: a `__getattr__` that asks another object for the same name.
//!
//! Goes in: `getattr(self._wrapped, name)` in such a method. Comes out, wherever the proxy is asked: what the other object
//! has under that name.

use crate::{
    model::Basis,
    resolve::{
        engine::{Solver, output::Place},
        interpret::{attributes::Found, expressions::Heads},
        names::{Target, Targets},
        questions,
        values::{self, SetId, Value},
    },
};

/// How many proxies stand behind one another.
const MAX_PROXIES: u32 = 3;

impl Solver<'_> {
    /// Notes that the present function asks `objects` for the attribute that it is asked for, if it is one that Python
    /// calls so and `names` is the name it was given.
    pub(crate) fn forward(&mut self, names: SetId, objects: SetId) -> bool {
        let entity = self.entity;
        let is_own_name = |&entry: &u64| values::parts(entry).0 == Value::Parameter(entity, 0, 1);
        if !self.sets.entries(names).iter().any(is_own_name) || !self.is_attribute_hook() {
            return false;
        }
        self.add(questions::forwarded(entity), objects);
        true
    }

    /// Whether the function being run is what Python asks for attributes.
    pub(crate) fn is_attribute_hook(&mut self) -> bool {
        let named = self.look.with_head(self.entity, |info, head| {
            matches!(info.interface.names.text(head.name), "__getattr__" | "__getattribute__")
        });
        named == Some(true)
    }

    /// What the objects behind these hooks have under a name.
    pub(crate) fn forwarded(&mut self, hooks: &Targets, name: &str, place: Place) -> Found {
        let mut found = Found { set: SetId::EMPTY, heads: Heads::new(), is_missing: true };
        if self.proxies == MAX_PROXIES {
            return found;
        }
        self.proxies += 1;
        for &hook in hooks {
            let Target::Entity(hook) = hook else { continue };
            let objects = self.read(questions::forwarded(hook));
            let objects = self.concrete(objects);
            for at in self.sets.range(objects) {
                let (object, basis) = values::parts(self.sets.at(at));
                if object == Value::Unknown {
                    continue;
                }
                let behind = self.attribute_of(object, basis.max(Basis::Stored), name, place);
                found.set = self.sets.union(found.set, behind.set);
                found.heads.extend(behind.heads);
            }
        }
        self.proxies -= 1;
        found
    }
}
