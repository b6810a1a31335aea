//! `__getattr__`, `__setattr__`, `del` and proxies: attributes that a class answers by a method.

use crate::{
    facts::{NameId, bodies::NONE, hash_name},
    model::{Basis, EntityFlags, EntityId, EntityKind, FileId, Position, RelationshipKind},
    resolve::{
        interpret::{Interpreter, attributes::member_values::FoundMember, calls::arguments::Arguments},
        library::stdlib_names,
        names::{Referents, Target, Targets},
        objects::dynamic_attributes::MAX_PROXIES,
        values::{
            self, SetId, Value, questions,
            slot::{Unnamed, on_class},
        },
    },
};

impl Interpreter<'_> {
    /// The attribute of the objects to which these hooks delegate.
    pub(crate) fn delegated_attribute(&mut self, hooks: &Targets, name: &str, place: Position) -> FoundMember {
        let mut found = FoundMember { set: SetId::EMPTY, referents: Referents::new(), is_missing: true };
        if self.proxies == MAX_PROXIES {
            return found;
        }
        self.proxies += 1;
        for &hook in hooks {
            let Target::Entity(hook) = hook else { continue };
            let objects = self.solver.read(questions::forwarded(hook));
            let objects = self.expand_parameters(objects);
            for at in self.solver.sets.range(objects) {
                let (object, basis) = values::parts(self.solver.sets.at(at));
                if object == Value::Unknown {
                    continue;
                }
                let behind = self.attribute_of(object, basis.max(Basis::Stored), name, place);
                found.set = self.solver.sets.union(found.set, behind.set);
                found.referents.extend(behind.referents);
            }
        }
        self.proxies -= 1;
        found
    }

    pub(crate) fn delete_attribute(&mut self, objects: SetId, name: NameId, place: Position) {
        let (text, hash) = (self.solver.bodies.names.text(name), self.solver.bodies.names.hash(name));
        self.special(objects, "__delattr__", &[], place);
        let objects = self.expand_parameters(objects);
        for at in self.solver.sets.range(objects) {
            let (Value::Instance(class), basis) = values::parts(self.solver.sets.at(at)) else { continue };
            self.run_deleters(class, text, basis, place);
            let held = self.solver.held_over_mro(class, hash);
            let descriptors = self.solver.sets.only(held, |value| matches!(value, Value::Instance(_)));
            self.special(descriptors, "__delete__", &[], place);
        }
    }

    /// `delattr(objects, "name")`
    pub(crate) fn delete_named(&mut self, objects: SetId, name: NameId, place: Position) {
        let said = self.solver.output.relationships.len();
        let (_, referents) = self.attribute(objects, name, place, NONE, None);
        self.solver.nothing_is_read(place, said);
        for (target, basis) in referents {
            self.solver.emit_reference(target, basis.max(Basis::Text), place, Some(RelationshipKind::Writes));
        }
        self.delete_attribute(objects, name, place);
    }

    fn run_deleters(&mut self, class: EntityId, name: &str, basis: Basis, place: Position) {
        let Some((_, targets)) = self.solver.look.inherited(class, name, None) else { return };
        for target in targets {
            let Target::Entity(entity) = target else { continue };
            if self.solver.look.kind(entity) == Some(EntityKind::Property)
                && self.solver.look.flags(entity).has(EntityFlags::DELETER)
            {
                self.solver.emit(entity, RelationshipKind::Calls, basis.max(Basis::SelfMember), place);
                let receiver = self.solver.sets.single(Value::Instance(class), basis);
                self.pass(entity, 0, &[receiver]);
            }
        }
    }

    /// A name that a module does not bind: the result of the module's `__getattr__` (PEP 562), except for names that
    /// every module has.
    pub(crate) fn computed_member(&mut self, file: FileId, name: &str, place: Position) -> FoundMember {
        if stdlib_names::is_module_member(name) {
            return FoundMember { set: SetId::EMPTY, referents: Referents::new(), is_missing: false };
        }
        let hooks = self.solver.look.member(file, "__getattr__");
        let hook = self.solver.target_values(&hooks, Basis::Import);
        let name_given = self.solver.sets.builtin_instance("str");
        let set = self.call_sets(hook, &[name_given], place);
        FoundMember { set, referents: Referents::new(), is_missing: hooks.is_empty() && !name.starts_with("__") }
    }

    /// The values that `setattr` with a computed name puts on a class or its instances.
    pub(crate) fn set_by_name(&mut self, class: EntityId, name: &str, place: Position) -> SetId {
        let set = self.put_under_computed(class, name);
        let read = self.without_rivals(set, "__get__");
        let read = self.read_from_instance(read, class, Basis::Element, place);
        self.solver.sets.union(set, read)
    }

    /// The descriptors and properties put on a class after its definition, which an assignment to an object runs.
    pub(crate) fn put_on_class(&mut self, class: EntityId, name: &str) -> SetId {
        let put = self.solver.held_over_mro(class, on_class(hash_name(name)));
        if put != SetId::EMPTY {
            return put;
        }
        let put = self.solver.held_over_mro(class, on_class(Unnamed::AnyName.encode()));
        if put == SetId::EMPTY || self.put_under_computed(class, name) == SetId::EMPTY {
            return SetId::EMPTY;
        }
        let put = self.solver.sets.weaken(put, Basis::Element);
        self.without_rivals(put, "__set__")
    }

    fn put_under_computed(&mut self, class: EntityId, name: &str) -> SetId {
        // A base outside has a member of this name already.
        if self.solver.look.is_of_builtin(class, name) {
            return SetId::EMPTY;
        }
        let set = self.solver.set_under_computed(class, name);
        if self.solver.sets.is_nothing_followed(set) {
            SetId::EMPTY
        } else {
            self.solver.sets.weaken(set, Basis::Element)
        }
    }

    /// With several descriptors, the one of this name is unknown.
    fn without_rivals(&mut self, set: SetId, hook: &str) -> SetId {
        let hooks = self.solver.special_methods(set, hook).map_or(0, |methods| methods.len());
        if hooks > 1 { self.solver.sets.only(set, |value| !matches!(value, Value::Instance(_))) } else { set }
    }

    /// The result of `__getattr__` or `__getattribute__`. Objects with attributes of computed names are like dicts:
    /// their members are unknown, and `__getattr__` answers for the others.
    pub(crate) fn getattr_result(
        &mut self,
        class: EntityId,
        name: &str,
        basis: Basis,
        place: Position,
    ) -> Option<FoundMember> {
        let has = self.solver.look.hooks(class);
        let is_asked =
            has.getattr && !stdlib_names::is_object_member(name) && !self.solver.look.is_of_builtin(class, name);
        for (hook, is_asked) in [("__getattr__", is_asked), ("__getattribute__", has.getattribute)] {
            if !is_asked {
                continue;
            }
            let Some((_, targets)) = self.solver.look.inherited(class, hook, None) else { continue };
            let set_by_name = self.solver.set_under_computed(class, name);
            let basis = if set_by_name == SetId::EMPTY { basis } else { basis.max(Basis::Element) };
            let receiver = self.solver.sets.single(Value::Instance(class), basis);
            let given = self.call_members(&targets, receiver, &[], basis, place);
            let set_by_name = self.solver.sets.weaken(set_by_name, Basis::Element);
            let set = self.solver.sets.union(given, set_by_name);
            let forwarded = self.delegated_attribute(&targets, name, place);
            let set = self.solver.sets.union(set, forwarded.set);
            return Some(FoundMember { set, referents: forwarded.referents, is_missing: false });
        }
        None
    }

    /// `LocalProxy(lambda: find_user())`, `LocalProxy(store, "user")`.
    pub(crate) fn proxy_made(&mut self, proxy: u64, arguments: &Arguments, place: Position) -> SetId {
        let first = arguments.first();
        let given = match self.solver.bodies.written_name(arguments, 1) {
            Some(name) => self.quiet(|this| this.read_attribute(first, name, place)),
            None => self.call_sets(first, &[], place),
        };
        let given = self.solver.sets.weaken(given, Basis::Returned);
        let itself = self.solver.sets.single(Value::ExternalInstance(proxy), Basis::Returned);
        self.solver.sets.union(given, itself)
    }
}
