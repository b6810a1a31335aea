//! Library functions on values: flow by rules, `operator.itemgetter` and its sisters, results of unknown libraries.

use crate::{
    facts::bodies::{ExprId, ExprKind, NONE, Stmt},
    model::{Basis, Position},
    resolve::{
        frameworks::tables::{
            behavior_of,
            flows::{Applies, Flow, Taken},
            rules,
        },
        interpret::{Interpreter, calls::arguments::Arguments},
        library::{
            calls::ExternalCall,
            known::{self, Known, OPEN, SOME_MODULE},
            opaque_results::ANYTHING,
        },
        names::Referents,
        values::{self, Kinds, SetId, Value, site::SitePart, slot::Slot},
    },
};

/// Number of arguments of a call that a tuple is spread over.
const MAX_PARTS: usize = 4;

/// Calls that give the elements of their arguments, or objects made of each.
pub(crate) fn iterating(interpreter: &mut Interpreter<'_>, call: &ExternalCall<'_>) -> Option<SetId> {
    let &ExternalCall { hash, known, arguments, first, place, callback, .. } = call;
    Some(match known {
        Known::Collect => {
            interpreter.call_key(arguments, place);
            if hash == known::dotted("builtins.filter") {
                let items = arguments.at(1);
                let elements = interpreter.iterate(items, place, 0);
                interpreter.call_sets(first, &[elements], callback);
                if let Some(&written) = interpreter.solver.bodies.list(arguments.written).first() {
                    interpreter.getter_result(written, first, elements);
                }
                return Some(items);
            }
            interpreter.collected(hash, arguments, place)
        }
        Known::Iterator => interpreter.iterator_of(hash, arguments, place),
        Known::Map => {
            let items = arguments.at(1);
            let elements = interpreter.iterate(items, place, 0);
            let mut mapped = if hash == known::dotted("itertools.starmap") {
                let parts: Vec<SetId> =
                    (0..MAX_PARTS).map(|part| interpreter.unpacked(elements, NONE, part, MAX_PARTS, place)).collect();
                interpreter.call_sets(first, &parts, callback)
            } else {
                interpreter.call_sets(first, &[elements], callback)
            };
            if let Some(&written) = interpreter.solver.bodies.list(arguments.written).first() {
                let got = interpreter.getter_result(written, first, elements);
                mapped = interpreter.solver.sets.union(mapped, got);
            }
            interpreter.solver.container_made(mapped, place, false)
        }
        Known::Reversed => {
            interpreter.special_first(first, &["__reversed__", "__len__"], place);
            let kept = interpreter
                .solver
                .sets
                .only(first, |value| matches!(value, Value::Container(..) | Value::Parameter(..)));
            let given = interpreter.special(first, "__reversed__", &[], place);
            let items = interpreter.items_backwards(first, place);
            let given = interpreter.solver.sets.union(given, items);
            interpreter.solver.sets.union(kept, given)
        }
        Known::FromIterable => {
            let inner = interpreter.iterate(first, place, 0);
            let elements = interpreter.iterate(inner, place, 0);
            interpreter.solver.container_made(elements, place, false)
        }
        Known::Enumerate | Known::Zip => interpreter.paired(known, arguments, place),
        Known::Next => {
            let given = interpreter.special(first, "__next__", &[], place);
            let given_later = interpreter.special(first, "__anext__", &[], place);
            let given = interpreter.solver.sets.union(given, given_later);
            let iterators = interpreter.expand_parameters(first);
            let others = interpreter.solver.sets.only(iterators, |value| !matches!(value, Value::Instance(_)));
            let elements = interpreter.iterate(others, place, 0);
            let default = arguments.at(1);
            let elements = interpreter.solver.sets.union(elements, default);
            interpreter.solver.sets.union(given, elements)
        }
        _ => return None,
    })
}

/// Calls that give one object for all elements: the least, the sum, the result of a function applied to one after the
/// other.
pub(crate) fn folding(interpreter: &mut Interpreter<'_>, call: &ExternalCall<'_>) -> Option<SetId> {
    let &ExternalCall { hash, known, arguments, first, place, callback, .. } = call;
    Some(match known {
        Known::Sum => {
            let elements = interpreter.iterate(first, place, 0);
            // The first element is added to a number, the others to the sum so far.
            let reflected = interpreter.special(elements, "__radd__", &[], place);
            let sum = interpreter.solver.sets.union(elements, reflected);
            interpreter.special(sum, "__add__", &[elements], place);
            sum
        }
        Known::AnyAll => {
            let elements = interpreter.iterate(first, place, 0);
            interpreter.protocol(elements, &["__bool__", "__len__"], place)
        }
        Known::Element => {
            interpreter.call_key(arguments, place);
            let elements = interpreter.iterate(first, place, 0);
            let others = arguments
                .positional
                .iter()
                .skip(1)
                .fold(elements, |set, &other| interpreter.solver.sets.union(set, other));
            if hash != known::dotted("random.choice") {
                let among =
                    if arguments.positional.len() > 1 { interpreter.solver.sets.union(others, first) } else { others };
                interpreter.compared(among, arguments, place);
            }
            if arguments.positional.len() > 1 { interpreter.solver.sets.union(others, first) } else { others }
        }
        Known::Reduce => {
            let items = arguments.at(1);
            let elements = interpreter.iterate(items, place, 0);
            let start = arguments.at(2);
            let before = interpreter.solver.sets.union(elements, start);
            let given = interpreter.call_sets(first, &[before, elements], callback);
            let again = interpreter.call_sets(first, &[given, elements], callback);
            let given = interpreter.solver.sets.union(given, again);
            interpreter.solver.sets.union(given, start)
        }
        _ => return None,
    })
}

/// Objects that hold their arguments and give them later.
pub(crate) fn holding(interpreter: &mut Interpreter<'_>, call: &ExternalCall<'_>) -> Option<SetId> {
    let &ExternalCall { hash, known, arguments, first, place, callback, .. } = call;
    Some(match known {
        Known::MappingOf => interpreter.mapping_made(hash, first, callback, place),
        // `namedtuple("P", "x y")(1, 2)` is lowered to one call with the fields as keywords.
        Known::Holder | Known::NamedTuple => interpreter.solver.holder(hash, arguments, place),
        Known::FromKeys => {
            let value = arguments.at(1);
            interpreter.solver.container_made(value, place, true)
        }
        Known::Reference => interpreter.solver.reference_to(first, place),
        Known::EnterContext => interpreter.enter(first, None, true, place),
        Known::Field => interpreter.field_made(arguments, place),
        Known::FieldFactory => interpreter.call_sets(first, &[], callback),
        Known::Gather => interpreter.solver.gathered_results(arguments, place),
        Known::Task => {
            let task = interpreter.solver.reference_to(first, place);
            interpreter.solver.sets.union(first, task)
        }
        Known::Proxy => interpreter.proxy_made(hash, arguments, callback),
        _ => return None,
    })
}

impl Interpreter<'_> {
    /// The result of a library function, as far as rules describe its arguments' flow.
    pub(crate) fn library_call(&mut self, call: u64, arguments: &Arguments, place: Position) -> SetId {
        let mut given = SetId::EMPTY;
        if let Some(flow) = rules().flow(call) {
            given = self.flows_through(flow, arguments, place);
        }
        if let Some(applied) = rules().applies(call) {
            let result = self.applies_methods(applied, arguments, place);
            given = self.solver.sets.union(given, result);
        }
        given
    }

    fn flows_through(&mut self, flow: &Flow, arguments: &Arguments, place: Position) -> SetId {
        if let Some(put) = flow.puts.and_then(|at| arguments.positional.get(at)) {
            let containers = self.expand_parameters(arguments.first());
            for at in self.solver.sets.range(containers) {
                let container = values::parts(self.solver.sets.at(at)).0;
                self.solver.add_element(container, Slot::Any, *put);
            }
        }
        if flow.compares {
            let from = arguments.positional.get(flow.from.unwrap_or(0)).copied().unwrap_or_default();
            let compared = self.iterate(from, place, 0);
            self.compared(compared, arguments, place);
        }
        let Some(gives) = flow.gives else { return SetId::EMPTY };
        let taken: Vec<SetId> = match flow.from {
            Some(at) => arguments.positional.get(at).copied().into_iter().collect(),
            None => arguments.positional.iter().copied().chain([arguments.spread]).collect(),
        };
        if gives == Taken::Tuples {
            return self.tuples_of(&taken, place);
        }
        let same = taken.iter().fold(SetId::EMPTY, |all, &set| self.solver.sets.union(all, set));
        if gives == Taken::Path {
            return self.paths_given(same);
        }
        if matches!(gives, Taken::Same | Taken::Single) {
            return if gives == Taken::Same { same } else { self.solver.container_made(same, place, false) };
        }
        let mut elements = SetId::EMPTY;
        for set in taken {
            let of_this = self.iterate(set, place, 0);
            elements = self.solver.sets.union(elements, of_this);
        }
        if elements == SetId::EMPTY || gives == Taken::Element {
            return elements;
        }
        let list = self.solver.container_made(elements, place, false);
        match gives {
            Taken::List => list,
            Taken::Lists => self.solver.listed_again(Slot::Any, list, place),
            _ => {
                let pair = self.solver.made(place, SitePart::Inner, false);
                self.solver.add_element(pair, Slot::index(1), list);
                let pair = self.solver.sets.single(pair, Basis::Constructed);
                self.solver.listed_again(Slot::Any, pair, place)
            }
        }
    }

    fn tuples_of(&mut self, parts: &[SetId], place: Position) -> SetId {
        let tuple = self.solver.made(place, SitePart::Inner, false);
        let mut is_followed = false;
        for (index, &part) in (0..).zip(parts) {
            let elements = self.iterate(part, place, 0);
            is_followed |= elements != SetId::EMPTY;
            self.solver.add_element(tuple, Slot::index(index), elements);
        }
        if !is_followed {
            return SetId::EMPTY;
        }
        let tuple = self.solver.sets.single(tuple, Basis::Constructed);
        self.solver.container_made(tuple, place, false)
    }

    fn applies_methods(&mut self, applied: &Applies, arguments: &Arguments, place: Position) -> SetId {
        let objects = if applied.each {
            arguments.positional.as_slice()
        } else {
            &arguments.positional[..1.min(arguments.positional.len())]
        };
        let others = if applied.each { &[][..] } else { arguments.positional.get(1..).unwrap_or_default() };
        let mut result = SetId::EMPTY;
        for &object in objects {
            let object = self.expand_parameters(object);
            for method in &applied.methods {
                let given = self.special(object, method, others, place);
                result = self.solver.sets.union(result, given);
                if self.solver.special_methods(object, method).is_some_and(|methods| !methods.is_empty()) {
                    break;
                }
            }
        }
        if let (SetId::EMPTY, Some(reflected), [second, ..]) = (result, &applied.reflected, others) {
            return self.special(*second, reflected, &[arguments.first()], place);
        }
        result
    }

    /// `items[place]` asks the place for its number.
    pub(crate) fn indexed_by(&mut self, containers: SetId, key: SetId, place: Position) {
        let is_list = |value| matches!(value, Value::Container(_, site) if !site.is_dict());
        if self.solver.sets.holds(key, Kinds::INSTANCES.or(Kinds::PARAMETERS))
            && self.solver.sets.holds(containers, Kinds::CONTAINERS)
            && self.solver.sets.only(containers, is_list) != SetId::EMPTY
        {
            self.special(key, "__index__", &[], place);
        }
    }

    /// The result of a call, with the mark for any value where an unknown library may give an object of the repository.
    /// That is where it was passed a class or an object of the repository, or where the callee came out of a library
    /// itself: `inject(Service)`, `wrap(client)`, `load("x")(1)`.
    pub(crate) fn opaque_result(
        &mut self,
        callee: ExprId,
        called: SetId,
        arguments: &Arguments,
        result: SetId,
    ) -> SetId {
        if result == SetId::TOP || !self.solver.sets.is_nothing_followed(result) || self.solver.sets.is_open(result) {
            return result;
        }
        let called = self.expand_parameters(called);
        let is_unknown = |path: u64| {
            !matches!(path, OPEN | SOME_MODULE)
                && !known::is_of_python(path)
                && behavior_of(path).is_none()
                && !rules().is_described(path)
        };
        let (mut is_unknown_call, mut is_given) = (false, false);
        for &entry in self.solver.sets.entries(called) {
            let (Value::External(path) | Value::ExternalInstance(path), basis) = values::parts(entry) else { continue };
            is_unknown_call |= is_unknown(path);
            is_given |= is_unknown(path) && basis >= Basis::Returned;
        }
        if !is_unknown_call {
            return result;
        }
        let is_method = matches!(self.solver.bodies.kind(callee), Some(ExprKind::Attribute { .. }));
        if !(is_given && !is_method || self.passes_own(callee, arguments)) {
            return result;
        }
        let mark = self.solver.sets.single(ANYTHING, Basis::Returned);
        self.solver.sets.union(result, mark)
    }

    /// Whether a call passes a class of the repository, or an object of one to a callee that is not named like a class.
    /// A class of a library makes its own objects.
    fn passes_own(&mut self, callee: ExprId, arguments: &Arguments) -> bool {
        let name = self.solver.bodies.last_name(callee).unwrap_or_default().trim_start_matches('_');
        let handed =
            if name.starts_with(char::is_uppercase) { Kinds::CLASSES } else { Kinds::CLASSES.or(Kinds::INSTANCES) };
        let named = arguments.keywords.iter().map(|&(_, set)| set);
        arguments.positional.iter().copied().chain(named).any(|set| {
            let set = self.expand_parameters(set);
            self.solver.sets.holds(set, handed)
        })
    }

    /// The values that `itemgetter` and its sisters get from objects; nothing where the callee is no getter.
    pub(crate) fn getter_result(&mut self, getter: ExprId, values: SetId, objects: SetId) -> SetId {
        const GETTERS: [Value; 3] = [
            Value::ExternalInstance(known::dotted("operator.attrgetter")),
            Value::ExternalInstance(known::dotted("operator.methodcaller")),
            Value::ExternalInstance(known::dotted("operator.itemgetter")),
        ];
        let bodies = self.solver.bodies;
        if !self.solver.sets.entries(values).iter().any(|&entry| GETTERS.contains(&values::parts(entry).0)) {
            return SetId::EMPTY;
        }
        let Some((known, arguments)) = self.getter_written(getter) else { return SetId::EMPTY };
        let mut result = SetId::EMPTY;
        for &argument in &bodies.list(arguments)[..if known == Known::MethodCaller { 1 } else { arguments.1 as usize }]
        {
            let (line, column) = self.solver.bodies.place_of(argument);
            let place = (line, column + 1);
            let mut set = objects;
            match (known, bodies.text(argument)) {
                (Known::ItemGetter, _) => set = self.item_of(objects, argument, place),
                (_, Some(path)) => {
                    for name in path.split('.') {
                        set = self.attribute_named(set, name, place);
                    }
                }
                _ => continue,
            }
            result = self.solver.sets.union(result, set);
        }
        if known == Known::MethodCaller {
            let given: Vec<SetId> =
                bodies.list(arguments).iter().skip(1).map(|&given| self.quiet(|this| this.eval(given))).collect();
            return self.call_all(result, &Arguments::of(&given), self.solver.bodies.place_of(getter));
        }
        result
    }

    /// The values of members of objects that a text names.
    fn attribute_named(&mut self, objects: SetId, name: &str, place: (u32, u32)) -> SetId {
        let objects = self.expand_parameters(objects);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(objects) {
            let (object, basis) = values::parts(self.solver.sets.at(at));
            if object == Value::Unknown {
                continue;
            }
            let found = self.attribute_of(object, basis, name, place);
            for (target, basis) in found.referents {
                self.solver.emit_reference(target, basis.max(Basis::Text), place, None);
            }
            result = self.solver.sets.union(result, found.set);
        }
        result
    }

    /// The members of objects that a computed name can mean where a test limits it; nothing where none does.
    pub(crate) fn members_limited(&mut self, arguments: &Arguments, place: (u32, u32)) -> SetId {
        let Some(&name) = self.solver.bodies.list(arguments.written()).get(1) else { return SetId::EMPTY };
        let (names, emitted) = (self.solver.names_limited(name), self.solver.output.unresolved.len());
        let objects = self.expand_parameters(arguments.first());
        let mut result = SetId::EMPTY;
        for name in names {
            let own = self.attribute_named(objects, &name, place);
            let derived = self.overriding_members(objects, &name, place, &Referents::new(), SetId::EMPTY);
            for (target, basis) in derived.referents {
                self.solver.emit_reference(target, basis.max(Basis::Text), place, None);
            }
            result = self.solver.sets.union(result, own);
            result = self.solver.sets.union(result, derived.set);
        }
        self.solver.output.unresolved.truncate(emitted);
        result
    }

    /// The getter that an expression makes, or that its variable is assigned, with its arguments.
    fn getter_written(&mut self, expression: ExprId) -> Option<(Known, (u32, u32))> {
        let bodies = self.solver.bodies;
        match *bodies.kind(expression)? {
            ExprKind::Call { callee, arguments, .. } => {
                let callee = self.quiet(|this| this.head(callee).0);
                let mut known =
                    self.solver.sets.entries(callee).iter().filter_map(|&entry| match values::parts(entry).0 {
                        Value::External(hash) => behavior_of(hash),
                        _ => None,
                    });
                let is_getter =
                    |known: &Known| matches!(known, Known::AttributeGetter | Known::MethodCaller | Known::ItemGetter);
                let known = known.find(is_getter).filter(|_| arguments.1 > 0)?;
                Some((known, arguments))
            }
            ExprKind::Name { variable, .. } if variable != NONE => {
                let is_it = |target: ExprId| bodies.is_variable(target, variable);
                let is_call = |value: ExprId| matches!(bodies.kind(value), Some(ExprKind::Call { .. }));
                let value = bodies.statements.iter().find_map(|statement| match *statement {
                    Stmt::Assign { target, value } if is_it(target) && is_call(value) => Some(value),
                    _ => None,
                })?;
                self.getter_written(value)
            }
            _ => None,
        }
    }
}
