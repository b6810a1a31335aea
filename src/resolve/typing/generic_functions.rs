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
        typing::type_parameters::{Given, ONLY_PASSED},
        values::{self, Kinds, SetId, Value},
    },
};

/// Begins the marks of what is passed: bit 6 says "a list of it", then the way, then the parameter.
const PASSED: u32 = 0x300;
const LISTED: u32 = 0x40;
/// Number of parameters that are looked at.
pub(crate) const MAX_INDEX: u32 = 8;

/// How what a type variable stands for lies in what is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// `x: T`
    Itself,
    /// `items: Iterable[T]`
    Element,
    /// `table: dict[str, T]`
    Held,
    /// `cls: type[T]`
    Made,
    /// `work: Callable[[], T]`
    Returned,
    /// `box: Box[T]`
    Applied,
    /// `pair: Pair[K, T]`
    AppliedSecond,
}

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
                let pair = self.made(place, 4, false);
                self.add_element(pair, questions::index_slot(1), items);
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
            let mark = self.sets.single(Value::OnNone(owner, function.lambda, ONLY_PASSED), Basis::Annotated);
            self.add(questions::returns(owner, function.lambda), mark);
        }
        for (index, parameter) in (0..MAX_INDEX).zip(&function.parameters) {
            if let Some(way) = self.way_in(parameter.annotation, variable) {
                let listed = if form == Given::List { LISTED } else { 0 };
                let mark = PASSED | listed | (way as u32) << 3 | index;
                let given = self.sets.single(Value::OnNone(owner, function.lambda, mark), Basis::Annotated);
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

    /// What a call gives by the type variables of its parameters; none where the mark is another.
    pub(crate) fn passed_by_type(&mut self, mark: u32, bound: &Bound) -> Option<SetId> {
        if mark & !(LISTED | 0x3f) != PASSED {
            return None;
        }
        let set = self.passed_in(mark & 0x3f, bound);
        let set = self.sets.weaken(set, Basis::Returned);
        Some(if mark & LISTED != 0 { self.container_of(set, false) } else { set })
    }

    /// What a type variable stands for by what is passed for a parameter: the way in the upper three bits, the parameter in the
    /// lower ones.
    pub(crate) fn passed_in(&mut self, way: u32, bound: &Bound) -> SetId {
        let passed = bound.passed(way & (MAX_INDEX - 1));
        let set = self.quiet(|this| match way >> 3 {
            way if way == Way::Itself as u32 => this.concrete(passed),
            way if way == Way::Element as u32 => this.iterate(passed, (0, 0), 0),
            way if way == Way::Held as u32 => this.elements(passed),
            way if way == Way::Made as u32 => this.instances(passed, Basis::Returned),
            way if way == Way::Applied as u32 => this.arguments_in(passed, 0),
            way if way == Way::AppliedSecond as u32 => this.arguments_in(passed, 1),
            _ => this.call_sets(passed, &[], (0, 0)),
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
