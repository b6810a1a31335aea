//! Methods that a class inherits from a base in a library.
//!
//! Some give an object of the class, others run its own methods, as the base's documentation promises and `rules`
//! lists: `path.parent` is a path of the same class, `mapping.get(key)` runs the class's own `__getitem__`.

use crate::{
    facts::{NameId, hash_name},
    model::{Basis, EntityId, Position},
    resolve::{
        frameworks::tables::{
            members::{MixinGives, Own},
            rules,
        },
        interpret::{
            Interpreter,
            calls::arguments::{Arguments, MethodCall},
        },
        values::{self, Kinds, SetId, Value, site::SitePart, slot::Slot},
    },
};

/// `mapping.get(key)`: an inherited method runs the class's own `__getitem__` and gives its result.
pub(crate) fn mixed_in_call(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { receivers, method: name, arguments, place, .. } = call;
    if !rules().may_be_mixed_in(interpreter.solver.bodies.names.hash(name)) {
        return SetId::EMPTY;
    }
    let text = interpreter.solver.bodies.names.text(name);
    let receivers = interpreter.expand_parameters(receivers);
    let mut result = SetId::EMPTY;
    for at in interpreter.solver.sets.range(receivers) {
        let (class, basis) = match values::parts(interpreter.solver.sets.at(at)) {
            (Value::Instance(class), basis) => (class, basis),
            // `super().get(key)` in the method that hides it.
            (Value::Super(class, receiver), basis) => (receiver.unwrap_or(class), basis),
            _ => continue,
        };
        let is_super = matches!(values::parts(interpreter.solver.sets.at(at)).0, Value::Super(..));
        if is_super || interpreter.solver.look.is_of_library(class, text) {
            let given = interpreter.mixed_in(class, text, basis, arguments, place);
            result = interpreter.solver.sets.union(result, given);
        }
    }
    result
}

impl Interpreter<'_> {
    /// The objects of its receiver's class that a method gives: `Item.model_validate(data)`.
    pub(crate) fn own_given(&mut self, receivers: SetId, method: NameId) -> SetId {
        let name = self.solver.bodies.names.text(method);
        let hash = self.solver.bodies.names.hash(method);
        let parameter = self.solver.parameter_called_on(receivers);
        let asked = if parameter == SetId::EMPTY { receivers } else { parameter };
        let is_super =
            self.solver.sets.entries(receivers).iter().any(|&entry| matches!(values::parts(entry).0, Value::Super(..)));
        let asked = self.expand_parameters(asked);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(asked) {
            let (receiver, basis) = values::parts(self.solver.sets.at(at));
            let (Value::Instance(class) | Value::Class(class)) = receiver else { continue };
            let Some(own) = self.solver.look.own_promised(class, hash) else { continue };
            if !is_super && !self.solver.look.is_of_library(class, name) {
                continue;
            }
            let given = match own {
                // The parameter stands for the class that each caller passes.
                Own::One if parameter != SetId::EMPTY => self.solver.sets.own_of_parameter(parameter, receiver),
                _ => self.solver.own_object(class, basis, own),
            };
            result = self.solver.sets.union(result, given);
        }
        result
    }

    /// The result of an operator that a class inherits from a library: `path / "name"`.
    pub(crate) fn own_by_operator(&mut self, operands: SetId, operator: &str) -> SetId {
        let hash = hash_name(operator);
        if !rules().may_give_own(hash) || !self.solver.sets.holds(operands, Kinds::INSTANCES.or(Kinds::PARAMETERS)) {
            return SetId::EMPTY;
        }
        let operands = self.expand_parameters(operands);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(operands) {
            let (Value::Instance(class), basis) = values::parts(self.solver.sets.at(at)) else { continue };
            if let Some(own) = self.solver.look.own_promised(class, hash) {
                let given = self.solver.own_object(class, basis, own);
                result = self.solver.sets.union(result, given);
            }
        }
        result
    }

    /// The same of a parameter, which stands for the class that each caller passes: in `return self.parent`.
    pub(crate) fn own_of_receiver(&mut self, receivers: SetId, name: NameId) -> SetId {
        let hash = self.solver.bodies.names.hash(name);
        if !rules().may_give_own(hash) || !self.solver.sets.holds(receivers, Kinds::PARAMETERS) {
            return SetId::EMPTY;
        }
        let parameter = self.solver.parameter_called_on(receivers);
        let known = self.expand_parameters(parameter);
        let text = self.solver.bodies.names.text(name);
        let is_own = self.solver.sets.range(known).all(|at| match values::parts(self.solver.sets.at(at)).0 {
            Value::Instance(class) => {
                self.solver.look.own_promised(class, hash) == Some(Own::Attribute)
                    && self.solver.look.is_of_library(class, text)
            }
            _ => false,
        });
        if is_own && known != SetId::EMPTY { self.solver.sets.weaken(parameter, Basis::Returned) } else { SetId::EMPTY }
    }

    /// Runs the class's own methods that an inherited method of a library calls, and gives the method's result.
    pub(crate) fn mixed_in(
        &mut self,
        class: EntityId,
        method: &str,
        basis: Basis,
        arguments: &Arguments,
        place: Position,
    ) -> SetId {
        let hash = hash_name(method);
        let mro = std::sync::Arc::clone(&self.solver.look.mro(class));
        let mut found = mro.externals.iter().filter_map(|&base| rules().mixed_in(base, hash));
        let Some(mixin) = found.next() else { return SetId::EMPTY };
        let argument = |index: usize| arguments.positional.get(index).copied().unwrap_or_default();
        let mut item = SetId::EMPTY;
        for member in &mixin.runs {
            let passed = match member.as_str() {
                "insert" => [SetId::EMPTY, arguments.first()],
                _ => [arguments.first(), argument(1)],
            };
            let passed = if member == "__iter__" || member == "__len__" { &passed[..0] } else { &passed[..] };
            let given = self.special_on(class, member, basis, passed, place);
            if member == "__getitem__" {
                item = given;
            }
        }
        let item = self.solver.sets.weaken(item, Basis::Returned);
        match mixin.gives {
            MixinGives::Nothing => SetId::EMPTY,
            MixinGives::Item => self.solver.sets.union(item, argument(1)),
            MixinGives::Items => self.solver.container_made(item, place, false),
            MixinGives::Key => self.keys_mixed_in(class, basis, place),
            MixinGives::Pair => self.pair_mixed_in(class, item, basis, place),
            MixinGives::Pairs => {
                let pair = self.pair_mixed_in(class, item, basis, place);
                self.solver.container_made(pair, place, false)
            }
        }
    }

    /// Runs the `keys` that a class inherits from a mapping of the library, if it does.
    pub(crate) fn keys_of_library(&mut self, class: EntityId, basis: Basis, place: Position) -> bool {
        let keys = const { hash_name("keys") };
        let is_mapping =
            self.solver.look.mro(class).externals.iter().any(|&base| rules().mixed_in(base, keys).is_some());
        if is_mapping {
            self.mixed_in(class, "keys", basis, &Arguments::default(), place);
        }
        is_mapping
    }

    /// The elements of the class's own `__iter__`.
    fn keys_mixed_in(&mut self, class: EntityId, basis: Basis, place: Position) -> SetId {
        if self.solver.look.inherited(class, "__iter__", None).is_none() {
            return SetId::EMPTY;
        }
        let object = self.solver.sets.single(Value::Instance(class), basis);
        self.quiet(|this| this.iterate(object, place, 1))
    }

    fn pair_mixed_in(&mut self, class: EntityId, item: SetId, basis: Basis, place: Position) -> SetId {
        let pair = self.solver.made(place, SitePart::Inner, false);
        let key = self.keys_mixed_in(class, basis, place);
        self.solver.add_element(pair, Slot::index(0), key);
        self.solver.add_element(pair, Slot::index(1), item);
        self.solver.sets.single(pair, Basis::Constructed)
    }

    /// The elements of `reversed` on objects without a method for it: their items, one by one.
    pub(crate) fn items_backwards(&mut self, objects: SetId, place: Position) -> SetId {
        let objects = self.expand_parameters(objects);
        let mut items = SetId::EMPTY;
        for at in self.solver.sets.range(objects) {
            let (Value::Instance(class), basis) = values::parts(self.solver.sets.at(at)) else { continue };
            if self.solver.look.inherited(class, "__reversed__", None).is_some() {
                continue;
            }
            let given = if self.solver.look.mro(class).externals.is_empty() {
                self.special_on(class, "__getitem__", basis, &[], place)
            } else {
                let given = self.mixed_in(class, "__iter__", basis, &Arguments::default(), place);
                self.elements(given)
            };
            items = self.solver.sets.union(items, given);
        }
        if items == SetId::EMPTY { items } else { self.solver.container_made(items, place, false) }
    }

    /// `key in mapping`: runs the `__contains__` that a class inherits from a library. Returns the other containers.
    pub(crate) fn run_mixed_in_contains(&mut self, containers: SetId, sought: SetId, place: Position) -> SetId {
        let containers = self.expand_parameters(containers);
        if !self.solver.sets.holds(containers, Kinds::INSTANCES) {
            return containers;
        }
        let mut others = values::Entries::new();
        for at in self.solver.sets.range(containers) {
            let entry = self.solver.sets.at(at);
            match values::parts(entry) {
                (Value::Instance(class), basis) if self.solver.look.has_mixed_in(class, "__contains__") => {
                    self.mixed_in(class, "__contains__", basis, &Arguments::of(&[sought]), place);
                }
                _ => others.push(entry),
            }
        }
        self.solver.sets.of(others)
    }
}
