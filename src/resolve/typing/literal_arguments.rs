//! Overloads as written, and literals that are passed to them.

use smallvec::SmallVec;

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, Literal, NONE},
        hash_name,
    },
    model::{EntityFlags, EntityId},
    resolve::{
        containers::is_reference,
        interpret::calls::arguments::{Arguments, BoundArguments},
        library::known,
        names::{FunctionInModule, Lookup},
        solver::Solver,
        values::{self, SetId, Sets, Value, site::Site, slot::Slot},
    },
};

/// Seed of the hashes that stand for literals.
const LITERAL: u64 = known::dotted("typing.Literal");

/// The degree to which a value fits a declared type; ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    No,
    Maybe,
    Yes,
}

fn fit_of_builtins(passed: u64, declared: u64) -> Fit {
    let is = |hash: u64, name: &str| known::builtin(hash_name(name)) == hash;
    if passed == declared {
        return Fit::Yes;
    }
    if !is_concrete(passed) || !is_concrete(declared) {
        return Fit::Maybe;
    }
    let is_widened = is(passed, "bool") && (is(declared, "int") || is(declared, "float"))
        || is(passed, "int") && is(declared, "float");
    // All numbers that are no whole ones are read as `float`.
    let is_number = is(passed, "float") && (is(declared, "int") || is(declared, "complex"));
    match (is_widened, is_number) {
        (true, _) => Fit::Yes,
        (_, true) => Fit::Maybe,
        _ => Fit::No,
    }
}

pub(crate) fn is_callable_type(hash: u64) -> bool {
    const CALLABLE: [u64; 2] = [known::dotted("typing.Callable"), known::dotted("collections.abc.Callable")];
    CALLABLE.contains(&hash)
}

/// Types of which a value is or is not.
pub(crate) fn is_concrete(hash: u64) -> bool {
    const CONCRETE: [u64; 14] = [
        known::dotted("builtins.str"),
        known::dotted("builtins.bytes"),
        known::dotted("builtins.int"),
        known::dotted("builtins.bool"),
        known::dotted("builtins.float"),
        known::dotted("builtins.complex"),
        known::dotted("builtins.slice"),
        known::dotted("builtins.list"),
        known::dotted("builtins.tuple"),
        known::dotted("builtins.dict"),
        known::dotted("builtins.set"),
        known::dotted("builtins.frozenset"),
        known::NONE_TYPE,
        known::dotted("builtins.ellipsis"),
    ];
    CONCRETE.contains(&hash)
}

impl Solver<'_> {
    /// Whether the present function is an overload: its declared types are read even where they name no receiver.
    pub(crate) fn is_in_overload(&mut self) -> bool {
        let Some(function) = self.bodies.functions.get(self.function as usize) else { return false };
        let entity = self.look.own.id(function.entity);
        self.look.flags(entity).has(EntityFlags::OVERLOAD)
    }
}

impl Lookup<'_> {
    /// The arguments of the implementation by the parameters of an overload, paired by name.
    pub(crate) fn bound_by_name(
        &mut self,
        function: EntityId,
        overload: EntityId,
        bound: &BoundArguments,
    ) -> BoundArguments {
        let (Some(whole), Some(part)) = (self.signature(function, 0), self.signature(overload, 0)) else {
            return BoundArguments::default();
        };
        let (whole_names, part_names) = (&whole.info.interface.names, &part.info.interface.names);
        let passed = part.signature().parameters.iter().map(|parameter| {
            let name = part_names.hash(parameter.name);
            let mut all = (0..).zip(&whole.signature().parameters);
            let same = all.find(|(_, other)| whole_names.hash(other.name) == name);
            same.map_or(SetId::EMPTY, |(index, _)| bound.passed(index))
        });
        BoundArguments { sets: passed.collect(), ..BoundArguments::default() }
    }

    /// The definitions marked as overloads that stand before a function of the same name, in order.
    pub(crate) fn overloads(&mut self, function: EntityId) -> SmallVec<[EntityId; 4]> {
        let mut overloads: SmallVec<[EntityId; 4]> = SmallVec::new();
        self.with_entity(function, |info, index| {
            let entities = &info.interface.entities;
            let own = entities.get(index as usize)?;
            if own.duplicate == 0 {
                return None;
            }
            for (at, head) in entities.iter().enumerate().take(index as usize).rev() {
                if head.parent != own.parent {
                    continue;
                }
                if head.name != own.name || !head.flags.has(EntityFlags::OVERLOAD) {
                    break;
                }
                overloads.push(info.id(u32::try_from(at).ok()?));
            }
            overloads.reverse();
            Some(())
        });
        overloads
    }

    pub(crate) fn fit_of_values(&mut self, passed: Value, declared: Value) -> Fit {
        match (passed, declared) {
            (Value::Instance(class), Value::Instance(wanted)) => {
                let mro = self.mro(class);
                match mro.classes.contains(&wanted) {
                    true => Fit::Yes,
                    // A base that is not known, or a protocol, may fit all the same.
                    false if mro.is_open || !mro.externals.is_empty() => Fit::Maybe,
                    false if !self.mro(wanted).externals.is_empty() => Fit::Maybe,
                    false => Fit::No,
                }
            }
            (Value::ExternalInstance(passed), Value::ExternalInstance(wanted)) => fit_of_builtins(passed, wanted),
            (Value::ExternalInstance(hash), Value::Instance(class)) => {
                let is_plain = is_concrete(hash) && self.mro(class).externals.is_empty();
                if is_plain { Fit::No } else { Fit::Maybe }
            }
            (Value::Instance(_), Value::ExternalInstance(known::NONE_TYPE)) => Fit::No,
            (Value::Instance(class), Value::ExternalInstance(hash)) => {
                let mro = self.mro(class);
                let is_plain = is_concrete(hash) && mro.externals.is_empty() && !mro.is_open;
                if is_plain { Fit::No } else { Fit::Maybe }
            }
            (Value::Function(..) | Value::Bound(..) | Value::Class(_), Value::Container(_, site))
                if is_reference(site) =>
            {
                Fit::Yes
            }
            (Value::Container(_, Site::Giver { .. }), Value::ExternalInstance(hash)) => {
                if is_concrete(hash) {
                    Fit::No
                } else {
                    Fit::Maybe
                }
            }
            (Value::Container(_, site), Value::ExternalInstance(hash)) => {
                let is_dict = site.is_dict();
                let is_named = |names: &[&str]| names.iter().any(|name| known::builtin(hash_name(name)) == hash);
                match (is_named(&["dict"]), is_named(&["list", "tuple", "set", "frozenset"]), is_concrete(hash)) {
                    (true, _, _) if is_dict => Fit::Yes,
                    (_, true, _) if !is_dict => Fit::Maybe,
                    (_, _, true) => Fit::No,
                    _ => Fit::Maybe,
                }
            }
            (Value::Function(..) | Value::Bound(..) | Value::Class(_), Value::ExternalInstance(hash)) => {
                if is_concrete(hash) {
                    Fit::No
                } else if is_callable_type(hash) {
                    Fit::Yes
                } else {
                    Fit::Maybe
                }
            }
            _ => Fit::Maybe,
        }
    }
}

impl Bodies {
    /// The hash that stands for a literal as written.
    pub(crate) fn literal_written(&self, expression: ExprId) -> Option<u64> {
        let literal = match *self.kind(expression)? {
            ExprKind::Text(text) => self.names.hash(text),
            ExprKind::Int(number) => Slot::index(number).encode(),
            ExprKind::Literal(Literal::True) => 1,
            ExprKind::Literal(Literal::False) => 2,
            _ => return None,
        };
        Some(known::member(LITERAL, literal))
    }

    /// The literals among the arguments of a function with overloads, by parameter.
    pub(crate) fn literals_passed(
        &self,
        callee: &FunctionInModule,
        arguments: &Arguments,
        skipped: usize,
    ) -> SmallVec<[(u32, u64); 2]> {
        let interface = &callee.info.interface;
        let head = interface.entities.get(callee.signature().entity as usize);
        let mut literals = SmallVec::new();
        if callee.signature().lambda != 0 || head.is_none_or(|head| head.duplicate == 0) {
            return literals;
        }
        let bodies = self;
        for (index, parameter) in (0..).zip(&callee.signature().parameters) {
            let name = interface.names.hash(parameter.name);
            let mut named = bodies.keywords(arguments.named()).iter();
            let by_name = named.find(|&&(key, _)| key != NONE && bodies.names.hash(NameId(key)) == name);
            let position = (index as usize).checked_sub(skipped);
            let by_position = position.and_then(|position| bodies.list(arguments.written()).get(position)).copied();
            let written = by_name.map(|&(_, value)| value).or(by_position);
            literals.extend(written.and_then(|written| self.literal_written(written)).map(|literal| (index, literal)));
        }
        literals
    }
}

impl Sets {
    /// How a literal that is passed fits an overload that declares some.
    pub(crate) fn fit_of_literals(&self, passed: Option<u64>, declared: SetId) -> Option<Fit> {
        let passed = passed?;
        let entries = self.entries(declared);
        let is_literal = |&entry: &u64| matches!(values::parts(entry).0, Value::External(_));
        if !entries.iter().any(is_literal) {
            return None;
        }
        let is_it = entries.iter().any(|&entry| values::parts(entry).0 == Value::External(passed));
        Some(if is_it { Fit::Yes } else { Fit::No })
    }
}
