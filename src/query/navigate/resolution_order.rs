//! The method resolution order of a class: the classes in which Python looks for a member, one after the other.

use crate::{
    model::{
        EntityId,
        conventions::{last_part, standard_classes::standard_class},
        linearization::linearize,
    },
    query::{
        navigate::outside::{WrittenBase, WrittenBases},
        target::origins::OwnModules,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Longer chains of bases are cut: no person writes them.
const MAX_DEPTH: usize = 100;

/// A class of the order.
#[derive(Clone, Debug, PartialEq)]
pub enum OrderedClass {
    Own(EntityId),
    /// The last name of a class of a library, or the whole name where a class below it has the same last name.
    Outside(String),
}

/// The order, as far as the source and the standard library tell it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResolutionOrder {
    /// The class itself first; `object`, which is the last one, is left out.
    pub classes: Vec<OrderedClass>,
    /// Names of bases above which nothing is known: classes of other libraries, and calls.
    pub unknown: Vec<String>,
}

impl ResolutionOrder {
    pub fn of(store: &Store, class: &Entity) -> Result<Self, StoreError> {
        let modules = OwnModules::of(store)?;
        let mut bases = BaseWalk { store, modules, active: Vec::new(), unknown: Vec::new() };
        Ok(Self { classes: bases.order(class)?, unknown: bases.unknown })
    }
}

/// The way from a class to its bases.
struct BaseWalk<'s> {
    store: &'s Store,
    modules: OwnModules<'s>,
    /// The classes whose bases are looked at.
    active: Vec<Entity>,
    unknown: Vec<String>,
}

impl BaseWalk<'_> {
    fn order(&mut self, class: &Entity) -> Result<Vec<OrderedClass>, StoreError> {
        let own = OrderedClass::Own(class.id);
        // A cycle of bases ends here.
        if self.active.iter().any(|below| below.id == class.id) || self.active.len() > MAX_DEPTH {
            return Ok(vec![own]);
        }
        self.active.push(class.clone());
        let mut sequences = Vec::new();
        for base in WrittenBases::of(self.store, class)?.ordered {
            match base {
                WrittenBase::Own(id) => {
                    if let Some(base) = self.store.entity(id)? {
                        sequences.push(self.order(&base)?);
                    }
                }
                WrittenBase::Outside(name) if matches!(name.as_str(), "object" | "builtins.object") => {}
                WrittenBase::Outside(name) => sequences.push(self.outside(class, name)?),
                WrittenBase::Unknown(call) => self.unknown.push(call),
            }
        }
        self.active.pop();
        let direct = sequences.iter().filter_map(|sequence| sequence.first().cloned()).collect();
        sequences.push(direct);
        Ok(linearize(own, sequences))
    }

    /// The order of a base from a library, which the module of `class` imports as `written`.
    fn outside(&mut self, class: &Entity, written: String) -> Result<Vec<OrderedClass>, StoreError> {
        let name = self.modules.origin(&class.module, &written)?.unwrap_or(written);
        let known = standard_class(&name);
        if known.is_none() && !self.unknown.contains(&name) {
            self.unknown.push(name.clone());
        }
        let last = last_part(&name);
        let is_taken = self.active.iter().any(|below| below.record.name == last);
        let first = if is_taken { name.as_str() } else { last };
        let above = known.map(|known| known.above.as_slice()).unwrap_or_default();
        Ok([first].iter().chain(above).map(|name| OrderedClass::Outside((*name).to_owned())).collect())
    }
}
