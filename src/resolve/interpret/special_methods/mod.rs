//! Special methods: the calls that operators, tests, statements and conversions make on instances and classes.

pub(crate) mod comparisons;
pub(crate) mod parts;
pub(crate) mod special_members;

use smallvec::SmallVec;

use crate::{
    facts::{
        bodies::{ExprId, ExprKind, SequenceKind},
        hash_name,
    },
    model::{Basis, EntityFlags, EntityId, Position},
    resolve::{
        containers::is_manager,
        frameworks::tables::rules,
        interpret::{
            Interpreter,
            calls::arguments::Arguments,
            special_methods::special_members::{OF_DESCRIPTORS, OF_EVERY_OBJECT, PROTOCOL},
        },
        library::string_conversion::{Protocol, REPR, STR, conversions},
        names::Target,
        values::{self, Kinds, SetId, Value, questions},
    },
};

/// The methods that `with` runs before and after its block, and those of `async with`.
const BLOCK_METHODS: [(&str, &str); 2] = [("__enter__", "__exit__"), ("__aenter__", "__aexit__")];

impl Interpreter<'_> {
    /// The value that `with manager as x` binds; calls `__enter__`, and `__exit__` if the block is left. The methods of
    /// `async with` if `is_async`, and of both where it is not known.
    pub(crate) fn enter(&mut self, manager: SetId, is_async: Option<bool>, is_left: bool, place: Position) -> SetId {
        let manager = self.expand_parameters(manager);
        let manager = self.solver.with_fitting(manager, &["__enter__", "__aenter__"]);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(manager) {
            let entry = self.solver.sets.at(at);
            let (value, basis) = values::parts(entry);
            let entered = match value {
                Value::Instance(class) => {
                    let mut entered = SetId::EMPTY;
                    let methods = match is_async {
                        Some(false) => &BLOCK_METHODS[..1],
                        Some(true) => &BLOCK_METHODS[1..],
                        None => &BLOCK_METHODS,
                    };
                    for &(enter, exit) in methods {
                        let given = self.special_among(class, manager, enter, basis, place);
                        entered = self.solver.sets.union(entered, given);
                        if is_left {
                            self.special_on(class, exit, basis, &[], place);
                        }
                    }
                    if entered == SetId::EMPTY && self.solver.look.inherited(class, "__enter__", None).is_none() {
                        // An outside base may do it: most return themselves.
                        let object = self.solver.sets.of([entry]);
                        entered = self.solver.sets.with_arguments(object, manager);
                    }
                    entered
                }
                Value::Generator(function, lambda) => {
                    let yielded = self.solver.read(questions::yields(function, lambda));
                    self.solver.sets.weaken(yielded, Basis::Returned)
                }
                Value::ExternalInstance(hash) if rules().enters(hash) => self.solver.sets.of([entry]),
                Value::Container(_, site) if is_manager(site) => {
                    let manager = self.solver.sets.of([entry]);
                    self.elements(manager)
                }
                Value::Container(..) => self.solver.sets.of([entry]),
                _ => SetId::EMPTY,
            };
            result = self.solver.sets.union(result, entered);
        }
        result
    }

    /// Calls the special method `name` of every instance in the set.
    pub(crate) fn special(&mut self, receivers: SetId, name: &str, arguments: &[SetId], place: Position) -> SetId {
        let receivers = self.expand_parameters(receivers);
        let Some(methods) = self.solver.special_methods(receivers, name) else { return SetId::EMPTY };
        let mut result = self.special_set(receivers, name, arguments, place);
        for (targets, basis, receiver) in methods.iter() {
            let receiver = self.solver.sets.with_arguments(*receiver, receivers);
            let returned =
                self.by_rule(PROTOCOL, None, |this| this.call_members(targets, receiver, arguments, *basis, place));
            let returned = self.apply_type_arguments(returned, receiver);
            result = self.solver.sets.union(result, returned);
        }
        let of_derived = self.special_of_derived(receivers, name, arguments, place);
        self.solver.sets.union(result, of_derived)
    }

    /// Calls the functions that class decorators set the special method to, where no class defines it.
    fn special_set(&mut self, receivers: SetId, name: &str, arguments: &[SetId], place: Position) -> SetId {
        let mut result = SetId::EMPTY;
        if !self.solver.sets.holds(receivers, Kinds::INSTANCES) {
            return result;
        }
        for at in self.solver.sets.range(receivers) {
            let entry = self.solver.sets.at(at);
            let (Value::Instance(class), basis) = values::parts(entry) else { continue };
            if self.solver.look.inherited(class, name, None).is_some() {
                continue;
            }
            let functions = self.solver.special_of_decorator(class, name);
            let receiver = self.solver.sets.of([entry]);
            for at in self.solver.sets.range(functions) {
                let Value::Function(function, lambda) = values::parts(self.solver.sets.at(at)).0 else { continue };
                self.emit_call(function, lambda, basis.max(Basis::Stored), place);
                let bound = self.bind(function, lambda, Some(receiver), &Arguments::of(arguments));
                let returned = self.result(function, lambda, &bound);
                result = self.solver.sets.union(result, returned);
            }
        }
        result
    }

    /// Calls the special method in classes that derive from the class of a value, where that class leaves it open.
    fn special_of_derived(&mut self, receivers: SetId, name: &str, arguments: &[SetId], place: Position) -> SetId {
        let mut result = SetId::EMPTY;
        if !self.solver.sets.holds(receivers, Kinds::INSTANCES) || OF_DESCRIPTORS.contains(&name) {
            return result;
        }
        for at in self.solver.sets.range(receivers) {
            let Some(derived) = self.solver.derived_with(self.solver.sets.at(at), name) else { continue };
            let is_own = values::parts(self.solver.sets.at(at)).1 == Basis::SelfMember;
            let how = if is_own { Basis::Dispatched } else { Basis::Choice };
            for (class, targets) in derived {
                let receiver = self.solver.sets.single(Value::Instance(class), how);
                let given =
                    self.by_rule(PROTOCOL, None, |this| this.call_members(&targets, receiver, arguments, how, place));
                result = self.solver.sets.union(result, given);
            }
        }
        result
    }

    pub(crate) fn special_on(
        &mut self,
        class: EntityId,
        name: &str,
        basis: Basis,
        arguments: &[SetId],
        place: Position,
    ) -> SetId {
        let Some((_, targets)) = self.solver.look.inherited(class, name, None) else { return SetId::EMPTY };
        let receiver = self.solver.sets.single(Value::Instance(class), basis);
        self.by_rule(PROTOCOL, None, |this| this.call_members(&targets, receiver, arguments, basis, place))
    }

    /// The same on an object of the set, with the type arguments of the set.
    pub(crate) fn special_among(
        &mut self,
        class: EntityId,
        among: SetId,
        name: &str,
        basis: Basis,
        place: Position,
    ) -> SetId {
        let Some((_, targets)) = self.solver.look.inherited(class, name, None) else { return SetId::EMPTY };
        let receiver = self.solver.sets.single(Value::Instance(class), basis);
        let receiver = self.solver.sets.with_arguments(receiver, among);
        let given = self.by_rule(PROTOCOL, None, |this| this.call_members(&targets, receiver, &[], basis, place));
        self.apply_type_arguments(given, receiver)
    }

    /// Calls the first of several special methods that each instance has, with no arguments.
    pub(crate) fn special_first(&mut self, receivers: SetId, names: &[&str], place: Position) -> SetId {
        let mut result = SetId::EMPTY;
        let mut rest = self.expand_parameters(receivers);
        let is_one_of_several =
            names.first().is_some_and(|name| OF_EVERY_OBJECT.contains(name)) && self.solver.sets.holds_others(rest);
        if is_one_of_several {
            rest = self.solver.sets.weaken(rest, Basis::Choice);
        }
        for name in names {
            if !self.solver.sets.holds(rest, Kinds::INSTANCES.or(Kinds::CLASSES)) {
                break;
            }
            let (mut with, mut without) = (values::Entries::new(), values::Entries::new());
            for at in self.solver.sets.range(rest) {
                let entry = self.solver.sets.at(at);
                let class = match values::parts(entry).0 {
                    Value::Instance(class) => class,
                    Value::Class(class) => match self.solver.look.metaclass(class) {
                        Some(Target::Entity(metaclass)) => metaclass,
                        _ => continue,
                    },
                    _ => continue,
                };
                let has = self.solver.look.inherited(class, name, None).is_some()
                    || self.solver.special_of_decorator(class, name) != SetId::EMPTY;
                if has {
                    with.push(entry);
                    continue;
                }
                // Where a derived class has it, the next one is asked of some of them alone.
                let is_left = self.solver.derived_with(entry, name).is_none();
                let (value, basis) = values::parts(entry);
                without.push(if is_left { entry } else { values::entry(value, basis.max(Basis::Choice)) });
                if !is_left {
                    with.push(entry);
                }
            }
            let with = self.solver.sets.of(with);
            let given = self.special(with, name, &[], place);
            result = self.solver.sets.union(result, given);
            rest = self.solver.sets.of(without);
        }
        result
    }

    /// `__repr__ = __str__`: calls the functions that a variable of a class holds. Python ignores such a name on an
    /// instance.
    pub(crate) fn call_class_variable(
        &mut self,
        variable: EntityId,
        receiver: SetId,
        arguments: &Arguments,
        basis: Basis,
        place: Position,
    ) -> SetId {
        if self.solver.look.flags(variable).has(EntityFlags::INSTANCE_ATTRIBUTE) {
            return SetId::EMPTY;
        }
        let Some(class) = self.solver.look.enclosing_class(variable) else { return SetId::EMPTY };
        let Some(name) = self.solver.look.with_head(variable, |info, head| info.interface.names.hash(head.name)) else {
            return SetId::EMPTY;
        };
        let is_implicit = basis.is_from_elsewhere() && name != const { hash_name("__call__") };
        let basis = if is_implicit { Basis::Implicit } else { basis.max(Basis::SelfMember) };
        let kept = self.solver.read(questions::attribute(class, name));
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(kept) {
            let Value::Function(function, lambda) = values::parts(self.solver.sets.at(at)).0 else { continue };
            self.emit_call(function, lambda, basis, place);
            let bound = self.bind(function, lambda, Some(receiver), arguments);
            let returned = self.result(function, lambda, &bound);
            result = self.solver.sets.union(result, returned);
        }
        result
    }

    /// Runs the special methods that a rule names.
    pub(crate) fn run_protocol(&mut self, protocol: &Protocol, place: Position) {
        match *protocol {
            Protocol::Show { values, methods } => self.run_conversion(values, methods, place),
            Protocol::ShowElements { containers, methods } => {
                let elements = self.elements(containers);
                self.run_conversion(elements, methods, place);
            }
            Protocol::Equate { left, right, methods } => {
                self.compare_equal(left, right, methods, place);
            }
        }
    }

    /// Converts values to text: runs the first of the special methods that each has, as `STR`, `REPR` or `FORMAT` name
    /// them, and `__repr__` of the values in containers.
    pub(crate) fn run_conversion(&mut self, set: SetId, names: &[&str], place: Position) {
        self.special_first(set, names, place);
        self.special_inside(set, REPR, place);
    }

    /// `format % values`: a tuple is taken apart, one value for each conversion.
    pub(crate) fn percent_format(&mut self, format: (ExprId, SetId), values: (ExprId, SetId), place: Position) {
        if !self.solver.sets.is_text(format.1) {
            return;
        }
        let bodies = self.solver.bodies;
        let conversions = match bodies.kind(format.0) {
            Some(&ExprKind::Text(text)) => conversions(bodies.names.text(text)),
            _ => SmallVec::new(),
        };
        let names = |at: usize| if conversions.get(at) == Some(&'r') { REPR } else { STR };
        let is_tuple = matches!(bodies.kind(values.0), Some(ExprKind::Sequence { kind: SequenceKind::Tuple, .. }));
        if let Some(items) = self.solver.written_items(values.0).filter(|_| is_tuple) {
            for (at, &item) in items.iter().enumerate() {
                let set = self.quiet(|this| this.eval(item));
                self.run_conversion(set, names(at), place);
            }
            return;
        }
        self.special_first(values.1, names(0), place);
        if !self.solver.sets.holds(values.1, Kinds::CONTAINERS) || self.solver.sets.holds(values.1, Kinds::INSTANCES) {
            return;
        }
        // One conversion shows a list as a whole; several or named ones show the parts of a tuple or dict.
        let is_named = matches!(bodies.kind(values.0), Some(ExprKind::Dict { .. }));
        let inside = self.elements(values.1);
        self.run_conversion(inside, if conversions.len() == 1 && !is_named { REPR } else { STR }, place);
    }
}
