//! Generic functions (`functools.singledispatch`): a call reaches what is registered for the class of its first argument.
//!
//! Goes in: decorators that register, and calls of a generic function. Comes out: calls of the registered functions that
//! can be meant. The generic function itself is called beside them: it is what the code names.

use smallvec::SmallVec;

use crate::{
    facts::bodies::{ExprId, ExprKind},
    model::{Basis, EntityFlags, EntityId, RelationshipKind},
    resolve::{
        engine::{Solver, output::Place},
        interpret::calls::Arguments,
        library::known,
        questions,
        typing::overloads::{Fit, is_callable_type, is_concrete},
        values::{self, SetId, Value, mark::Mark},
    },
};

/// Registered functions, each with the classes that it is registered for.
type Implementations = SmallVec<[(EntityId, SetId); 8]>;

/// How a generic function gets from a value to what is registered for a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// The value's class derives from it, at this distance.
    Base(usize),
    Perhaps,
    Never,
}

impl Solver<'_> {
    /// What `@singledispatch` makes of functions: themselves, known as generic.
    pub(crate) fn generic_function(&mut self, functions: SetId) -> SetId {
        let mut entries: values::Entries = self.sets.entries(functions).iter().copied().collect();
        for at in self.sets.range(functions) {
            if let (Value::Function(function, 0), basis) = values::parts(self.sets.at(at)) {
                entries.push(values::entry(Value::DependsOnCall(function, Mark::Generic), basis));
            }
        }
        self.sets.of(entries)
    }

    /// `@generic.register` and `@generic.register(Class)` on the present function.
    pub(crate) fn register_generic(&mut self, decorator: ExprId) {
        let bodies = self.bodies;
        let (callee, arguments) = match bodies.expressions[decorator as usize].kind {
            ExprKind::Call { callee, arguments, .. } => (callee, bodies.list(arguments)),
            _ => (decorator, &[][..]),
        };
        let ExprKind::Attribute { base, name } = bodies.expressions[callee as usize].kind else { return };
        if bodies.names.text(name) != "register" {
            return;
        }
        let registered = self.entity;
        let generic = self.quiet(|this| this.head(base).0);
        for at in self.sets.range(generic) {
            let Value::DependsOnCall(function, Mark::Generic) = values::parts(self.sets.at(at)).0 else { continue };
            let classes = match arguments.first() {
                Some(&class) => {
                    let class = self.quiet(|this| this.eval(class));
                    self.instances(class, Basis::Annotated)
                }
                None => self.first_annotation(registered),
            };
            self.add(questions::registered_for(registered), classes);
            let itself = self.sets.single(Value::Function(registered, 0), Basis::Dispatched);
            self.add(questions::registered(function), itself);
        }
    }

    fn first_annotation(&mut self, function: EntityId) -> SetId {
        let bodies = self.bodies;
        let is_method = self.look.enclosing_class(function).is_some();
        let mut functions = bodies.functions.iter();
        let body = functions.find(|body| body.lambda == 0 && self.look.own.id(body.entity) == function);
        let parameter = body.and_then(|body| body.parameters.get(usize::from(is_method)));
        let Some(parameter) = parameter else { return SetId::EMPTY };
        let written = parameter.annotation;
        if !matches!(bodies.kind(written), Some(ExprKind::Name { .. } | ExprKind::Attribute { .. })) {
            return self.quiet(|this| this.annotation(written));
        }
        // Not what it says of objects: `dict` is the class here.
        let class = self.quiet(|this| this.eval(written));
        self.instances(class, Basis::Annotated)
    }

    /// Calls the functions that are registered for the first argument's class, or for the nearest of its bases.
    pub(crate) fn dispatched(&mut self, function: EntityId, arguments: &Arguments, place: Place) -> SetId {
        let registered = self.read(questions::registered(function));
        let mut implementations = Implementations::new();
        for at in self.sets.range(registered) {
            let Value::Function(implementation, 0) = values::parts(self.sets.at(at)).0 else { continue };
            implementations.push((implementation, self.read(questions::registered_for(implementation))));
        }
        let mut result = SetId::EMPTY;
        for implementation in self.meant(&implementations, arguments.first()) {
            let class = self.look.enclosing_class(implementation);
            let is_static = self.look.flags(implementation).has(EntityFlags::STATIC_METHOD);
            let receiver = class.filter(|_| !is_static).map(|class| {
                let instance = Value::Instance(class);
                self.sets.single(instance, Basis::Dispatched)
            });
            self.edge(implementation, RelationshipKind::Calls, Basis::Dispatched, place);
            let bound = self.bind(implementation, 0, receiver, arguments);
            let returned = self.result(implementation, 0, &bound);
            result = self.sets.union(result, returned);
        }
        result
    }

    /// The implementations that any of the values can reach; all where nothing is known of those.
    fn meant(&mut self, implementations: &Implementations, passed: SetId) -> SmallVec<[EntityId; 8]> {
        let passed = self.concrete(passed);
        let mut is_meant: SmallVec<[bool; 8]> = smallvec::smallvec![false; implementations.len()];
        for at in self.sets.range(passed) {
            let value = values::parts(self.sets.at(at)).0;
            let ways: SmallVec<[Reach; 8]> =
                implementations.iter().map(|&(_, declared)| self.nearest(value, declared)).collect();
            let nearest = ways.iter().copied().min().unwrap_or(Reach::Never);
            let is_sure = matches!(nearest, Reach::Base(_));
            for (is_meant, &way) in is_meant.iter_mut().zip(&ways) {
                *is_meant |= if is_sure { way == nearest } else { way != Reach::Never };
            }
        }
        let is_unknown = passed == SetId::EMPTY || passed == SetId::TOP;
        let meant = implementations.iter().zip(&is_meant).filter(|&(_, &is_meant)| is_meant || is_unknown);
        meant.map(|(&(implementation, _), _)| implementation).collect()
    }

    /// How near a value's class is to the nearest of those that a function is registered for.
    fn nearest(&mut self, value: Value, declared: SetId) -> Reach {
        if declared == SetId::EMPTY || declared == SetId::TOP {
            return Reach::Perhaps;
        }
        let mut nearest = Reach::Never;
        for at in self.sets.range(declared) {
            let wanted = values::parts(self.sets.at(at)).0;
            let way = self.reach(value, wanted);
            nearest = nearest.min(way);
        }
        nearest
    }

    fn reach(&mut self, value: Value, wanted: Value) -> Reach {
        match (value, wanted) {
            (Value::Instance(class), Value::Instance(wanted)) => {
                let mro = self.look.mro(class);
                match mro.classes.iter().position(|&base| base == wanted) {
                    Some(distance) => Reach::Base(distance),
                    None if mro.is_open => Reach::Perhaps,
                    None => Reach::Never,
                }
            }
            (Value::Instance(class), Value::ExternalInstance(wanted)) => {
                let mro = self.look.mro(class);
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
            ) if self.look.mro(wanted).externals.is_empty() => Reach::Never,
            _ => match self.fit_of_values(value, wanted) {
                Fit::Yes => Reach::Base(1),
                Fit::Maybe => Reach::Perhaps,
                Fit::No => Reach::Never,
            },
        }
    }
}

const TYPE: u64 = known::dotted("builtins.type");

/// Whether the class of a value is known, though it is none of the repository's.
fn is_known(value: Value) -> bool {
    match value {
        Value::Function(..) | Value::Bound(..) | Value::Class(_) | Value::Container(..) => true,
        Value::ExternalInstance(class) | Value::External(class) => is_concrete(class),
        _ => false,
    }
}

/// Classes that others count as without deriving from them, and what functions and methods are of.
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
