//! Generic functions (`functools.singledispatch`): a call runs the implementation that is registered for its first
//! argument's class.
//!
//! The generic function itself is called beside it: the code names it.

use smallvec::SmallVec;

use crate::{
    model::EntityId,
    resolve::{
        library::known,
        names::Lookup,
        solver::Solver,
        typing::literal_arguments::{Fit, is_callable_type, is_concrete},
        values::{self, SetId, Sets, Value, mark::Mark},
    },
};

/// Registered functions, each with the classes that it is registered for.
pub(crate) type Implementations = SmallVec<[(EntityId, SetId); 8]>;

/// The way from a value to the class of an implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// The value's class derives from it, at this distance.
    Base(usize),
    Perhaps,
    Never,
}

const TYPE: u64 = known::dotted("builtins.type");

/// Whether the class of a value is known, though it is not in the repository.
fn is_known(value: Value) -> bool {
    match value {
        Value::Function(..) | Value::Bound(..) | Value::Class(_) | Value::Container(..) => true,
        Value::ExternalInstance(class) | Value::External(class) => is_concrete(class),
        _ => false,
    }
}

/// Abstract classes, which other classes count as without deriving from them, and the types of functions and methods.
fn is_abstract(class: u64) -> bool {
    macro_rules! all {
        ($($path:literal),* $(,)?) => { [$(known::dotted($path)),*] };
    }
    const ABSTRACT: [u64; 38] = all![
        "builtins.object",
        "types.FunctionType",
        "types.MethodType",
        "types.LambdaType",
        "numbers.Number",
        "numbers.Complex",
        "numbers.Real",
        "numbers.Rational",
        "numbers.Integral",
        "os.PathLike",
        "collections.abc.Callable",
        "collections.abc.Collection",
        "collections.abc.Container",
        "collections.abc.Hashable",
        "collections.abc.Iterable",
        "collections.abc.Iterator",
        "collections.abc.Mapping",
        "collections.abc.MutableMapping",
        "collections.abc.MutableSequence",
        "collections.abc.MutableSet",
        "collections.abc.Reversible",
        "collections.abc.Sequence",
        "collections.abc.Set",
        "collections.abc.Sized",
        "typing.Callable",
        "typing.Collection",
        "typing.Container",
        "typing.Hashable",
        "typing.Iterable",
        "typing.Iterator",
        "typing.Mapping",
        "typing.MutableMapping",
        "typing.MutableSequence",
        "typing.MutableSet",
        "typing.Reversible",
        "typing.Sequence",
        "typing.AbstractSet",
        "typing.Sized",
    ];
    ABSTRACT.contains(&class)
}

impl Solver<'_> {
    /// How near a value's class is to the nearest of those that a function is registered for.
    pub(crate) fn nearest(&mut self, value: Value, declared: SetId) -> Reach {
        if declared == SetId::EMPTY || declared == SetId::TOP {
            return Reach::Perhaps;
        }
        let mut nearest = Reach::Never;
        for at in self.sets.range(declared) {
            let wanted = values::parts(self.sets.at(at)).0;
            let way = self.look.reach(value, wanted);
            nearest = nearest.min(way);
        }
        nearest
    }
}

impl Lookup<'_> {
    fn reach(&mut self, value: Value, wanted: Value) -> Reach {
        match (value, wanted) {
            (Value::Instance(class), Value::Instance(wanted)) => {
                let mro = self.mro(class);
                match mro.classes.iter().position(|&base| base == wanted) {
                    Some(distance) => Reach::Base(distance),
                    None if mro.is_open => Reach::Perhaps,
                    None => Reach::Never,
                }
            }
            (Value::Instance(class), Value::ExternalInstance(wanted)) => {
                let mro = self.mro(class);
                let is_plain = mro.externals.is_empty() && !mro.is_open;
                match (mro.externals.contains(&wanted), is_plain && !is_abstract(wanted)) {
                    (true, _) => Reach::Base(usize::MAX),
                    (_, true) => Reach::Never,
                    _ => Reach::Perhaps,
                }
            }
            (Value::Class(_), Value::ExternalInstance(TYPE)) => Reach::Base(0),
            (Value::External(class), Value::ExternalInstance(TYPE)) if is_concrete(class) => Reach::Base(0),
            (Value::ExternalInstance(passed), Value::ExternalInstance(wanted)) if passed == wanted => Reach::Base(0),
            (Value::Text(_), _) => self.reach(Value::ExternalInstance(const { known::dotted("builtins.str") }), wanted),
            (_, Value::ExternalInstance(wanted)) if is_known(value) && !is_abstract(wanted) && !is_concrete(wanted) => {
                Reach::Never
            }
            (Value::ExternalInstance(_) | Value::Container(..), Value::ExternalInstance(wanted))
                if is_known(value) && is_callable_type(wanted) =>
            {
                Reach::Never
            }
            (
                Value::Function(..) | Value::Bound(..) | Value::Container(..) | Value::External(_),
                Value::Instance(wanted),
            ) if self.mro(wanted).externals.is_empty() => Reach::Never,
            _ => match self.fit_of_values(value, wanted) {
                Fit::Yes => Reach::Base(1),
                Fit::Maybe => Reach::Perhaps,
                Fit::No => Reach::Never,
            },
        }
    }
}

impl Sets {
    /// The functions that `@singledispatch` decorates, marked as generic.
    pub(crate) fn generic_function(&mut self, functions: SetId) -> SetId {
        let mut entries: values::Entries = self.entries(functions).iter().copied().collect();
        for at in self.range(functions) {
            if let (Value::Function(function, 0), basis) = values::parts(self.at(at)) {
                entries.push(values::entry(Value::DependsOnCall(function, Mark::Generic), basis));
            }
        }
        self.of(entries)
    }
}
