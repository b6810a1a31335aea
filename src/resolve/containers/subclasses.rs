//! What instances hold of classes that derive from the library's containers: `class Results(list)`, `results.append(result)`.
//!
//! Goes in: a call on an object, an assignment to one of its keys. Comes out: one container for each class, for all of its
//! instances together.

use crate::{
    facts::NameId,
    model::{Basis, EntityId},
    resolve::{
        engine::Solver,
        library::known,
        questions,
        values::{self, SetId, Value, site::Site, slot::Slot},
    },
};

/// Classes of the library whose instances hold what is put into them, and whether they have keys.
const HOLDERS: [(u64, bool); 9] = [
    (known::dotted("builtins.list"), false),
    (known::dotted("builtins.set"), false),
    (known::dotted("collections.deque"), false),
    (known::dotted("collections.UserList"), false),
    (known::dotted("builtins.dict"), true),
    (known::dotted("collections.OrderedDict"), true),
    (known::dotted("collections.defaultdict"), true),
    (known::dotted("collections.UserDict"), true),
    (known::dotted("weakref.WeakValueDictionary"), true),
];

impl Solver<'_> {
    /// The containers of the objects in a set that a method puts something into, as far as it is the library's.
    pub(crate) fn contents_asked(&mut self, objects: SetId, method: NameId) -> SetId {
        const METHODS: [&str; 10] =
            ["add", "append", "appendleft", "copy", "extend", "extendleft", "insert", "setdefault", "sort", "update"];
        let method = self.bodies.names.text(method);
        if METHODS.binary_search(&method).is_err() {
            return SetId::EMPTY;
        }
        let mut containers = values::Entries::new();
        for at in self.sets.range(objects) {
            let (object, basis) = values::parts(self.sets.at(at));
            let (class, is_super) = match object {
                Value::Instance(class) => (class, false),
                Value::Super(class, receiver) => (receiver.unwrap_or(class), true),
                _ => continue,
            };
            if let Some(container) = self.container_of_instances(class)
                && (is_super || self.look.inherited(class, method, None).is_none())
            {
                containers.push(values::entry(container, basis));
            }
        }
        self.sets.of(containers)
    }

    /// The container of all instances of a class that derives from one of the library's.
    pub(crate) fn container_of_instances(&mut self, class: EntityId) -> Option<Value> {
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        let is_dict = mro.externals.iter().find_map(|base| {
            let (_, is_dict) = HOLDERS.iter().find(|(holder, _)| holder == base)?;
            Some(*is_dict)
        })?;
        Some(Value::Container(class, Site::OfInstances { is_dict }))
    }

    /// What lies in instances of a class; in dicts, where `of_dicts` says that no keys are asked for.
    pub(crate) fn held_by_instances(&mut self, class: EntityId, of_dicts: bool) -> SetId {
        let Some(Value::Container(_, site)) = self.container_of_instances(class) else { return SetId::EMPTY };
        let slot = if !site.is_dict() || of_dicts { Slot::All } else { Slot::Keys };
        let mro = std::sync::Arc::clone(&self.look.mro(class));
        let mut held = SetId::EMPTY;
        for &owner in &mro.classes {
            let found = self.read(questions::element(owner, site, slot));
            held = self.sets.union(held, found);
        }
        self.sets.weaken(held, Basis::Element)
    }
}
