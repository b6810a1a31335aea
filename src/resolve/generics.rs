//! Type variables: what a base declares to give by one is what a class was derived with, what a function declares to give is
//! what it is passed for it.
//!
//! Goes in: `class Users(Repository[User])`, and methods of the base that return `T`, `Optional[T]` or `list[T]`. Comes out,
//! where such a method is called on the class: instances of `User`. Of functions, `first(items: Iterable[T]) -> T`,
//! `make(cls: type[T]) -> list[T]`, `run(work: Callable[[], T]) -> T` and the like give what fits what they are called with.

use super::{
    calls::Bound,
    externals::{self, Known},
    keys,
    solver::Solver,
    value::{self, Kinds, SetId, Value},
};
use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, FunctionBody, NONE, Operator},
    },
    model::{Basis, EntityId},
};

/// Stands for no parameter: what the class of the receiver was derived with.
const ARGUMENT: u32 = 0x3fb;
/// The same, and a list of it.
const ARGUMENTS: u32 = 0x3fa;

/// Begins the marks of what is passed: bit 6 says "a list of it", then the way, then the parameter.
const PASSED: u32 = 0x300;
const LISTED: u32 = 0x40;
/// Number of parameters that are looked at.
const MAX_INDEX: u32 = 8;

/// How what a type variable stands for lies in what is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
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
}

impl Solver<'_> {
    /// Notes what a class is derived with: `User` in `class Users(Repository[User])`.
    pub(super) fn derive_with(&mut self, class: EntityId, base: ExprId) {
        let Some(&ExprKind::Subscript { index, .. }) = self.bodies.kind(base) else {
            return;
        };
        let types = self.quiet(|this| this.annotation(index));
        let types = self.only(types, |value| matches!(value, Value::Instance(_)));
        self.add(keys::type_arguments(class), types);
    }

    /// What instances of `class Items(list[Item])` hold; of dicts, where `of_dicts` says that no keys are asked for.
    pub(super) fn items_derived_with(&mut self, objects: SetId, of_dicts: bool) -> SetId {
        let mut result = SetId::EMPTY;
        let objects = self.concrete(objects);
        if !self.sets.holds(objects, Kinds::INSTANCES) {
            return result;
        }
        for at in self.sets.range(objects) {
            let Value::Instance(class) = value::parts(self.sets.at(at)).0 else { continue };
            let held = self.held_by_instances(class, of_dicts);
            result = self.sets.union(result, held);
            let mro = std::sync::Arc::clone(&self.look.mro(class));
            let is_dict = mro.externals.iter().any(|&base| is_mapping(base));
            if is_dict && !of_dicts || !is_dict && !mro.externals.iter().any(|&base| is_sequence(base)) {
                continue;
            }
            for &owner in &mro.classes {
                let items = self.read(keys::type_arguments(owner));
                let items = self.sets.weaken(items, Basis::Annotated);
                result = self.sets.union(result, items);
            }
        }
        result
    }

    /// Notes that a function returns what it is passed, or a method what its class is derived with, where its annotation
    /// says so.
    pub(super) fn returns_argument(&mut self, function: &FunctionBody) {
        if function.returns == NONE {
            return;
        }
        self.returns_passed(function);
        if function.class == NONE {
            return;
        }
        if let Some(mark) = self.argument_mark(function.returns) {
            let owner = self.look.own.id(function.entity);
            let given = self.sets.single(Value::OnNone(owner, function.lambda, mark), Basis::Annotated);
            self.add(keys::returns(owner, function.lambda), given);
        }
    }

    /// What a type variable in a returned type means for those who call: `T`, `T | None`, `Optional[T]`, `list[T]`.
    fn argument_mark(&mut self, annotation: ExprId) -> Option<u32> {
        let bodies = self.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Name { .. } => self.is_type_variable(annotation).then_some(ARGUMENT),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.argument_mark(left).or_else(|| self.argument_mark(right))
            }
            ExprKind::Subscript { base, index } => {
                let mark = self.argument_mark(index)?;
                let base = self.quiet(|this| this.head(base).0);
                let is_single = self.sets.entries(base).iter().any(|&entry| match value::parts(entry).0 {
                    Value::External(hash) => {
                        matches!(externals::known(hash), Some(Known::Optional | Known::Union | Known::Annotated))
                    }
                    _ => false,
                });
                Some(if is_single { mark } else { ARGUMENTS })
            }
            _ => None,
        }
    }

    /// Marks what a function returns by the type variables of its parameters.
    fn returns_passed(&mut self, function: &FunctionBody) {
        let Some(mark) = self.argument_mark(function.returns) else { return };
        let Some(variable) = self.variable_in(function.returns) else { return };
        // Objects of the repository's own generic classes are no lists.
        if let Some(&ExprKind::Subscript { base, .. }) = self.bodies.kind(function.returns) {
            let base = self.quiet(|this| this.head(base).0);
            if self.only(base, |value| matches!(value, Value::External(_))) == SetId::EMPTY {
                return;
            }
        }
        let owner = self.look.own.id(function.entity);
        for (index, parameter) in (0..MAX_INDEX).zip(&function.parameters) {
            if let Some(way) = self.way_in(parameter.annotation, variable) {
                let listed = if mark == ARGUMENTS { LISTED } else { 0 };
                let mark = PASSED | listed | (way as u32) << 3 | index;
                let given = self.sets.single(Value::OnNone(owner, function.lambda, mark), Basis::Annotated);
                self.add(keys::returns(owner, function.lambda), given);
            }
        }
    }

    /// The type variable that stands in an annotation.
    fn variable_in(&mut self, annotation: ExprId) -> Option<NameId> {
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
    fn way_in(&mut self, annotation: ExprId, variable: NameId) -> Option<Way> {
        let bodies = self.bodies;
        match *bodies.kind(annotation)? {
            ExprKind::Name { name, .. } => (name == variable).then_some(Way::Itself),
            ExprKind::Binary { operator: Operator::Or, left, right } => {
                self.way_in(left, variable).or_else(|| self.way_in(right, variable))
            }
            ExprKind::Subscript { base, index } => {
                if self.variable_in(index) != Some(variable) {
                    return None;
                }
                let base = self.quiet(|this| this.head(base).0);
                let &entry = self.sets.entries(base).first()?;
                let Value::External(hash) = value::parts(entry).0 else { return None };
                let callable = [externals::dotted("typing.Callable"), externals::dotted("collections.abc.Callable")];
                Some(match externals::known(hash) {
                    Some(Known::Optional | Known::Union | Known::Annotated) => Way::Itself,
                    Some(Known::TypeOf | Known::Type) => Way::Made,
                    Some(Known::MappingOf) => Way::Held,
                    _ if hash == externals::builtin(const { crate::facts::hash_name("dict") }) => Way::Held,
                    _ if callable.contains(&hash) => Way::Returned,
                    _ => Way::Element,
                })
            }
            _ => None,
        }
    }

    /// What a call gives by the type variables of its parameters; none where the mark is another.
    pub(super) fn passed_by_type(&mut self, mark: u32, bound: &Bound) -> Option<SetId> {
        if mark & !(LISTED | 0x3f) != PASSED {
            return None;
        }
        let passed = bound.passed(mark & (MAX_INDEX - 1));
        let set = self.quiet(|this| match (mark >> 3) & 7 {
            way if way == Way::Itself as u32 => this.concrete(passed),
            way if way == Way::Element as u32 => this.iterate(passed, (0, 0), 0),
            way if way == Way::Held as u32 => this.elements(passed),
            way if way == Way::Made as u32 => this.instances(passed, Basis::Returned),
            _ => this.call_sets(passed, &[], (0, 0)),
        });
        if set == SetId::TOP {
            return Some(SetId::EMPTY);
        }
        // Functions are left to what decorators do with them.
        let set = self.only(set, |value| matches!(value, Value::Instance(_) | Value::Class(_) | Value::Container(..)));
        let set = self.sets.weaken(set, Basis::Returned);
        Some(if mark & LISTED != 0 { self.container_of(set, false) } else { set })
    }

    /// What a call gives by such a mark; none where the mark is another.
    pub(super) fn derived_with(&mut self, mark: u32, bound: &Bound) -> Option<SetId> {
        if mark != ARGUMENT && mark != ARGUMENTS {
            return None;
        }
        let receivers = self.concrete(bound.passed(0));
        let mut types = SetId::EMPTY;
        for at in self.sets.range(receivers) {
            let (Value::Instance(class) | Value::Class(class), _) = value::parts(self.sets.at(at)) else { continue };
            for &owner in &std::sync::Arc::clone(&self.look.mro(class)).classes {
                let arguments = self.read(keys::type_arguments(owner));
                types = self.sets.union(types, arguments);
            }
        }
        Some(if mark == ARGUMENTS { self.container_of(types, false) } else { types })
    }
}

fn is_mapping(base: u64) -> bool {
    base == externals::builtin(const { crate::facts::hash_name("dict") })
        || externals::known(base) == Some(Known::MappingOf)
}

fn is_sequence(base: u64) -> bool {
    const BUILTIN: [u64; 4] = [
        externals::dotted("builtins.list"),
        externals::dotted("builtins.tuple"),
        externals::dotted("builtins.set"),
        externals::dotted("builtins.frozenset"),
    ];
    BUILTIN.contains(&base) || externals::known(base) == Some(Known::SequenceOf)
}
