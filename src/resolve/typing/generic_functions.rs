//! Type variables of functions: what one declares to give by a variable is what it is passed for it.
//!
//! Goes in: `first(items: Iterable[T]) -> T`, `make(cls: type[T]) -> list[T]`, `run(work: Callable[[], T]) -> T` and the like.
//! Comes out, where it is called: what fits what it is called with. Also what classes hold that derive from `list[Item]`. Those
//! of classes are in `type_arguments`.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, FunctionBody, NONE, Operator},
    },
    model::Basis,
    resolve::{
        engine::{Solver, output::Place},
        interpret::calls::Bound,
        library::known::{self, Known},
        questions,
        values::{
            self, Kinds, SetId, Value,
            mark::{Given, Mark, PassedIn, Way},
            site::Part,
            slot::Slot,
        },
    },
};

impl Solver<'_> {
    /// What instances of `class Items(list[Item])` hold; of dicts, where `of_dicts` says that no keys are asked for.
    pub(crate) fn items_derived_with(&mut self, objects: SetId, of_dicts: bool) -> SetId {
        let mut result = SetId::EMPTY;
        let objects = self.concrete(objects);
        if !self.sets.holds(objects, Kinds::INSTANCES) {
            return result;
        }
        for at in self.sets.range(objects) {
            let Value::Instance(class) = values::parts(self.sets.at(at)).0 else { continue };
            let held = self.held_by_instances(class, of_dicts);
            result = self.sets.union(result, held);
            let mro = std::sync::Arc::clone(&self.look.mro(class));
            let is_dict = mro.externals.iter().any(|&base| is_mapping(base));
            if is_dict && !of_dicts || !is_dict && !mro.externals.iter().any(|&base| is_sequence(base)) {
                continue;
            }
            for &owner in &mro.classes {
                let items = self.read(questions::type_arguments(owner));
                let items = self.sets.weaken(items, Basis::Annotated);
                result = self.sets.union(result, items);
            }
        }
        result
    }

    /// `orders.values()`, `orders.pop()` of instances of `class Orders(dict[str, Order])`.
    pub(crate) fn derived_container_call(&mut self, objects: SetId, method: &str, place: Place) -> SetId {
        let has_own = self.special_methods(objects, method).is_some_and(|methods| !methods.is_empty());
        let items = if has_own { SetId::EMPTY } else { self.items_derived_with(objects, true) };
        match method {
            _ if items == SetId::EMPTY => items,
            "values" => self.container_made(items, place, false),
            "items" | "popitem" => {
                let pair = self.made(place, Part::Pair, false);
                self.add_element(pair, Slot::index(1), items);
                let pair = self.sets.single(pair, Basis::Constructed);
                if method == "items" { self.container_made(pair, place, false) } else { pair }
            }
            _ => items,
        }
    }

    /// Notes that a function returns what it is passed, or a method what its class is derived with, where its annotation
    /// says so.
    pub(crate) fn returns_argument(&mut self, function: &FunctionBody) {
        if function.returns == NONE {
            return;
        }
        self.returns_passed(function);
        self.returns_applied(function);
        self.returns_argument_of_class(function);
    }

    /// Marks what a function returns by the type variables of its parameters.
    fn returns_passed(&mut self, function: &FunctionBody) {
        let Some((variable, form)) = self.variable_given(function.returns) else { return };
        let owner = self.look.own.id(function.entity);
        if form == Given::One && self.is_whole(function.returns) {
            let mark = Mark::OnlyPassed { lambda: function.lambda };
            let mark = self.sets.single(Value::DependsOnCall(owner, mark), Basis::Annotated);
            self.add(questions::returns(owner, function.lambda), mark);
        }
        for (index, parameter) in (0..PassedIn::PARAMETERS).zip(&function.parameters) {
            if let Some(way) = self.way_in(parameter.annotation, variable) {
                let from = PassedIn { way, parameter: index };
                let mark = Mark::Passed { lambda: function.lambda, from, is_listed: form == Given::List };
                let given = self.sets.single(Value::DependsOnCall(owner, mark), Basis::Annotated);
                self.add(questions::returns(owner, function.lambda), given);
            }
        }
    }

    /// The type variable that stands in an annotation.
    pub(crate) fn variable_in(&mut self, annotation: ExprId) -> Option<NameId> {
        let bodies = self.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Name { name, .. } => self.is_type_variable(annotation).then_some(name),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.variable_in(left).or_else(|| self.variable_in(right))
            }
            ExprKind::Subscript { index, .. } => self.variable_in(index),
            ExprKind::Sequence { items, .. } => {
                bodies.list(items).iter().rev().find_map(|&item| self.variable_in(item))
            }
            _ => None,
        }
    }

    /// How what a type variable stands for lies in what is passed for a parameter.
    pub(crate) fn way_in(&mut self, annotation: ExprId, variable: NameId) -> Option<Way> {
        let bodies = self.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Name { name, .. } => (name == variable).then_some(Way::Itself),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.way_in(left, variable).or_else(|| self.way_in(right, variable))
            }
            ExprKind::Subscript { base, index } => {
                let base = self.quiet(|this| this.head(base).0);
                let &entry = self.sets.entries(base).first()?;
                let hash = match values::parts(entry).0 {
                    Value::External(hash) => hash,
                    Value::Class(_) => {
                        let items = self.items(index);
                        return match items.iter().position(|&item| self.variable_in(item) == Some(variable))? {
                            0 => Some(Way::Applied),
                            1 => Some(Way::AppliedSecond),
                            _ => None,
                        };
                    }
                    _ => return None,
                };
                let callable = [known::dotted("typing.Callable"), known::dotted("collections.abc.Callable")];
                if self.variable_in(index) != Some(variable) {
                    return None;
                }
                Some(match known::known(hash) {
                    Some(Known::Optional | Known::Union | Known::Annotated) => Way::Itself,
                    Some(Known::TypeOf | Known::Type) => Way::Made,
                    Some(Known::MappingOf) => Way::Held,
                    _ if hash == known::builtin(const { crate::facts::hash_name("dict") }) => Way::Held,
                    _ if callable.contains(&hash) => Way::Returned,
                    _ => Way::Element,
                })
            }
            _ => None,
        }
    }

    /// What a call gives by the type variables of its parameters; in a list, where `is_listed` says so.
    pub(crate) fn passed_by_type(&mut self, from: PassedIn, is_listed: bool, bound: &Bound) -> SetId {
        let set = self.passed_in(from, bound);
        let set = self.sets.weaken(set, Basis::Returned);
        if is_listed { self.container_of(set, false) } else { set }
    }

    /// What a type variable stands for by what is passed for a parameter.
    pub(crate) fn passed_in(&mut self, from: PassedIn, bound: &Bound) -> SetId {
        let passed = bound.passed(u32::from(from.parameter));
        let set = self.quiet(|this| match from.way {
            Way::Itself => this.concrete(passed),
            Way::Element => this.iterate(passed, (0, 0), 0),
            Way::Held => this.elements(passed),
            Way::Made => this.instances(passed, Basis::Returned),
            Way::Returned => this.call_sets(passed, &[], (0, 0)),
            Way::Applied => this.arguments_in(passed, 0),
            Way::AppliedSecond => this.arguments_in(passed, 1),
        });
        if set == SetId::TOP {
            return SetId::EMPTY;
        }
        // Functions are left to what decorators do with them.
        let is_told =
            |value| matches!(value, Value::Instance(_) | Value::Class(_) | Value::Container(..) | Value::Applied(..));
        self.only(set, is_told)
    }
}

fn is_mapping(base: u64) -> bool {
    const DERIVED: [u64; 4] = [
        known::dotted("builtins.dict"),
        known::dotted("collections.OrderedDict"),
        known::dotted("collections.UserDict"),
        known::dotted("collections.Counter"),
    ];
    DERIVED.contains(&base) || known::known(base) == Some(Known::MappingOf)
}

fn is_sequence(base: u64) -> bool {
    const BUILTIN: [u64; 6] = [
        known::dotted("builtins.list"),
        known::dotted("builtins.tuple"),
        known::dotted("builtins.set"),
        known::dotted("builtins.frozenset"),
        known::dotted("collections.UserList"),
        known::dotted("collections.deque"),
    ];
    BUILTIN.contains(&base) || known::known(base) == Some(Known::SequenceOf)
}
