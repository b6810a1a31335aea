//! Definitions registered under a text: commands, models, signals.

use crate::{
    facts::hash_name,
    model::{Basis, EntityId},
    resolve::{
        frameworks::tables::rules,
        names::imports::parent,
        solver::Solver,
        values::{SetId, Value, questions},
    },
};

/// How many calls may wrap the view of a route: `login_required(View.as_view())`.
pub(crate) const MAX_WRAPPINGS: u32 = 3;

/// The key of the objects with a name, whatever its case.
pub(crate) fn name_key(kind: u64, name: &str) -> questions::Key {
    let name = name.rsplit(':').next().unwrap_or(name);
    questions::named(kind, hash_name(&name.to_lowercase()))
}

impl Solver<'_> {
    /// The objects with a name, whatever its case; a namespace before a colon does not count.
    pub(crate) fn named(&mut self, kind: u64, name: &str) -> SetId {
        let set = self.read(name_key(kind, name));
        self.sets.weaken(set, Basis::Annotated)
    }

    /// Classes that derive from some bases are known by a name that is made of their own and of where they stand.
    pub(crate) fn name_class(&mut self, class: EntityId) {
        for base in self.look.mro(class).externals.clone() {
            self.name_class_by(class, base);
        }
    }

    /// The same for one of those bases.
    pub(crate) fn name_class_by(&mut self, class: EntityId, base: u64) {
        for rule in rules().class_names.all(base) {
            let path = self.look.own.path.clone();
            let file = path.rsplit('/').next().unwrap_or_default();
            let module = file.strip_suffix(".py").unwrap_or(file);
            // `shop/models/items.py` belongs to the package `shop`, as `shop/models.py` does.
            let mut folder = parent(&path);
            while rule.inside.iter().any(|inside| folder.rsplit('/').next() == Some(inside)) {
                folder = parent(folder);
            }
            let package = folder.rsplit('/').next().unwrap_or_default();
            let name = self.look.with_head(class, |info, head| info.interface.names.text(head.name).to_owned());
            let Some(name) = name else { continue };
            let full = rule.name.replace("{class}", &name).replace("{module}", module).replace("{package}", package);
            let itself = self.sets.single(Value::Class(class), Basis::Annotated);
            self.add(name_key(rule.kind.0, &full), itself);
        }
    }
}
