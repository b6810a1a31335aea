//! `operator.attrgetter("name")`, `methodcaller("name")` and `itemgetter(0)`: what they get when they are called.
//!
//! Goes in: the expression that is called, a getter that is written there or a variable that is assigned one, and what it is
//! called with. Comes out: what it gets; the attributes that it names are said where they are written.

use crate::{
    facts::bodies::{ExprId, ExprKind, NONE, Stmt},
    model::Basis,
    resolve::{
        engine::Solver,
        interpret::{calls::Arguments, expressions::Heads},
        library::known::{self, Known},
        values::{self, SetId, Value},
    },
};

impl Solver<'_> {
    /// What a getter gets from objects; nothing where the values of the expression are none.
    pub(crate) fn got_by(&mut self, getter: ExprId, values: SetId, objects: SetId) -> SetId {
        const GETTERS: [Value; 3] = [
            Value::ExternalInstance(known::dotted("operator.attrgetter")),
            Value::ExternalInstance(known::dotted("operator.methodcaller")),
            Value::ExternalInstance(known::dotted("operator.itemgetter")),
        ];
        let bodies = self.bodies;
        if !self.sets.entries(values).iter().any(|&entry| GETTERS.contains(&values::parts(entry).0)) {
            return SetId::EMPTY;
        }
        let Some((known, arguments)) = self.getter_written(getter) else { return SetId::EMPTY };
        let mut result = SetId::EMPTY;
        for &argument in &bodies.list(arguments)[..if known == Known::MethodCaller { 1 } else { arguments.1 as usize }]
        {
            let (line, column) = self.place_of(argument);
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
            result = self.sets.union(result, set);
        }
        if known == Known::MethodCaller {
            let given: Vec<SetId> =
                bodies.list(arguments).iter().skip(1).map(|&given| self.quiet(|this| this.eval(given))).collect();
            return self.call_all(result, &Arguments::of(&given), self.place_of(getter));
        }
        result
    }

    /// What the members of objects give that are named in a text.
    fn attribute_named(&mut self, objects: SetId, name: &str, place: (u32, u32)) -> SetId {
        let objects = self.concrete(objects);
        let mut result = SetId::EMPTY;
        for at in self.sets.range(objects) {
            let (object, basis) = values::parts(self.sets.at(at));
            if object == Value::Unknown {
                continue;
            }
            let found = self.attribute_of(object, basis, name, place);
            for (target, basis) in found.heads {
                self.mention(target, basis.max(Basis::Text), place, None);
            }
            result = self.sets.union(result, found.set);
        }
        result
    }

    /// The members of objects that a computed name can name, where a test says what it can be; nothing where none does.
    pub(crate) fn members_limited(&mut self, arguments: &Arguments, place: (u32, u32)) -> SetId {
        let Some(&name) = self.bodies.list(arguments.written()).get(1) else { return SetId::EMPTY };
        let (names, said) = (self.names_limited(name), self.output.unresolved.len());
        let objects = self.concrete(arguments.first());
        let mut result = SetId::EMPTY;
        for name in names {
            let own = self.attribute_named(objects, &name, place);
            let derived = self.overriding_members(objects, &name, place, &Heads::new(), SetId::EMPTY);
            for (target, basis) in derived.heads {
                self.mention(target, basis.max(Basis::Text), place, None);
            }
            result = self.sets.union(result, own);
            result = self.sets.union(result, derived.set);
        }
        self.output.unresolved.truncate(said);
        result
    }

    /// The getter that an expression makes, or that the variable it names is assigned, with what it gets.
    fn getter_written(&mut self, expression: ExprId) -> Option<(Known, (u32, u32))> {
        let bodies = self.bodies;
        match *bodies.kind(expression)? {
            ExprKind::Call { callee, arguments, .. } => {
                let callee = self.quiet(|this| this.head(callee).0);
                let mut known = self.sets.entries(callee).iter().filter_map(|&entry| match values::parts(entry).0 {
                    Value::External(hash) => known::known(hash),
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
