//! The literal texts that an expression can be: `getattr(x, NAME)`, `for name in ("a", "b"): getattr(x, name)`.
//!
//! They are found in the code of the file, before the points-to sets say anything. A variable stands for its assigned
//! values, a loop's variable for each item, a test's parameter for the values of `parametrize`, an attribute of a class
//! for the texts in the class's body. There are none if some value is no literal. Names of modules may be joined:
//! `f"shop.{name}"`.

use smallvec::SmallVec;

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, NONE, Operator, Stmt, VarId},
    },
    model::conventions::http,
    resolve::{solver::Solver, values::condition::Test},
};

/// Most texts that one expression can be.
const MAX_NAMES: usize = 64;

/// How many variables are followed to a text.
const MAX_STEPS: u32 = 4;

pub(crate) type PossibleNames = SmallVec<[NameId; 4]>;

impl Solver<'_> {
    /// The texts that an expression can be.
    pub(crate) fn names_computed(&self, expression: ExprId) -> PossibleNames {
        let mut names = PossibleNames::new();
        if self.gather_names(expression, &mut names, MAX_STEPS) && names.len() <= MAX_NAMES {
            names
        } else {
            PossibleNames::new()
        }
    }

    /// The same with those that are put together from such texts: `f"shop.{name}"`, `"shop." + name`.
    pub(crate) fn texts_computed(&self, expression: ExprId) -> Vec<String> {
        self.texts_joined(expression, MAX_STEPS)
    }

    /// The texts that a computed name can be by the tests that stand before it, and as the method of a request.
    pub(crate) fn names_limited(&self, name: ExprId) -> Vec<String> {
        let bodies = self.bodies;
        let lowered = self.bodies.lowered(name);
        for &(test, _) in &self.state.tests {
            let Test::Names(comparison) = test else { continue };
            let Some(&ExprKind::Compare { left, right, .. }) = bodies.kind(comparison) else { continue };
            let is_lowered = lowered.is_some_and(|inner| self.bodies.is_same_text(left, inner));
            if !is_lowered && !self.bodies.is_same_text(left, name) {
                continue;
            }
            let mut names = PossibleNames::new();
            let items = self.items_named(right, MAX_STEPS).unwrap_or_default();
            if items.iter().all(|&item| self.gather_names(item, &mut names, MAX_STEPS)) && names.len() <= MAX_NAMES {
                let texts = names.iter().map(|&name| bodies.names.text(name));
                return texts.map(|text| if is_lowered { text.to_lowercase() } else { text.to_owned() }).collect();
            }
        }
        let is_method = |inner| self.bodies.is_named_so(inner, "method", MAX_STEPS);
        if lowered.is_some_and(is_method) || self.bodies.is_lowered_method(name, MAX_STEPS) {
            return http::METHODS.map(str::to_owned).to_vec();
        }
        Vec::new()
    }

    fn texts_joined(&self, expression: ExprId, steps: u32) -> Vec<String> {
        let bodies = self.bodies;
        let names = self.names_computed(expression);
        if !names.is_empty() || steps == 0 {
            return names.iter().map(|&name| bodies.names.text(name).to_owned()).collect();
        }
        match self.bodies.kind(expression) {
            Some(&ExprKind::Format { values, prefix, suffix }) => match *bodies.list(values) {
                [value] => {
                    let (before, after) = (bodies.names.text(prefix), bodies.names.text(suffix));
                    let texts = self.texts_joined(value, steps - 1);
                    texts.into_iter().map(|text| format!("{before}{text}{after}")).collect()
                }
                _ => Vec::new(),
            },
            Some(&ExprKind::Binary { operator: Operator::Add, left, right }) => {
                let (left, right) = (self.texts_joined(left, steps - 1), self.texts_joined(right, steps - 1));
                // The product grows with each `+`: beyond the limit no single text is likely.
                if left.len() * right.len() > MAX_NAMES {
                    return Vec::new();
                }
                left.iter().flat_map(|left| right.iter().map(move |right| format!("{left}{right}"))).collect()
            }
            Some(&ExprKind::Name { variable, .. }) if variable != NONE => {
                let value = self.bodies.only_value(|target| bodies.is_variable(target, variable));
                value.map_or_else(Vec::new, |value| self.texts_joined(value, steps - 1))
            }
            _ => Vec::new(),
        }
    }

    /// Adds the texts that an expression can be; false where it can be something else.
    pub(crate) fn gather_names(&self, expression: ExprId, names: &mut PossibleNames, steps: u32) -> bool {
        match self.bodies.kind(expression) {
            Some(&ExprKind::Text(name)) => {
                if !names.contains(&name) {
                    names.push(name);
                }
                true
            }
            Some(&ExprKind::Conditional { then, otherwise, .. }) => {
                self.gather_names(then, names, steps) && self.gather_names(otherwise, names, steps)
            }
            Some(&ExprKind::Attribute { base, name })
                if steps > 0 && self.bodies.names.text(name) == "param" && self.bodies.is_request(base) =>
            {
                let items = self.params_written().and_then(|params| self.items_named(params, steps - 1));
                items.is_some_and(|items| items.iter().all(|&item| self.gather_given(item, None, names, steps - 1)))
            }
            Some(&ExprKind::Name { variable, .. }) if variable != NONE && steps > 0 => {
                let before = names.len();
                self.gather_assigned(variable, names, steps - 1) && names.len() > before
            }
            Some(&ExprKind::Subscript { base, index }) if steps > 0 => {
                self.gather_values(base, index, names, steps - 1)
            }
            Some(&ExprKind::Call { callee, arguments, .. }) if steps > 0 => {
                match (self.bodies.kind(callee), self.bodies.list(arguments)) {
                    (Some(&ExprKind::Attribute { base, name }), &[key, ref default @ ..])
                        if self.bodies.names.text(name) == "get" =>
                    {
                        default.iter().all(|&default| self.gather_names(default, names, steps))
                            && self.gather_values(base, key, names, steps - 1)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Adds the texts among the values of a dict that is written out: of one key, or of all.
    fn gather_values(&self, dict: ExprId, key: ExprId, names: &mut PossibleNames, steps: u32) -> bool {
        let bodies = self.bodies;
        let written = match bodies.kind(dict) {
            Some(&ExprKind::Attribute { base, name }) => self.listed_in_class(base, name),
            Some(&ExprKind::Name { variable, .. }) if variable != NONE => {
                bodies.only_value(|target| bodies.is_variable(target, variable))
            }
            _ => Some(dict),
        };
        let Some(&ExprKind::Dict { items, .. }) = written.and_then(|written| bodies.kind(written)) else {
            return false;
        };
        let before = names.len();
        for item in bodies.list(items).chunks(2) {
            let is_meant = match (bodies.text(key), bodies.text(item[0])) {
                (Some(wanted), Some(key)) => wanted == key,
                _ => true,
            };
            // Beside the names of methods a table may hold functions.
            if is_meant && let Some(&ExprKind::Text(_)) = bodies.kind(item[1]) {
                self.gather_names(item[1], names, steps);
            }
        }
        names.len() > before
    }

    /// Adds what a variable is assigned, wherever that is.
    fn gather_assigned(&self, variable: VarId, names: &mut PossibleNames, steps: u32) -> bool {
        let bodies = self.bodies;
        let is_it = |target: ExprId| bodies.is_variable(target, variable);
        if !self.gather_parametrized(variable, names, steps) {
            return false;
        }
        let of_statements = bodies.statements.iter().all(|statement| match *statement {
            Stmt::Assign { target, value } | Stmt::Annotated { target, value, .. } if is_it(target) => {
                self.gather_names(value, names, steps)
            }
            Stmt::Augmented { target, .. } => !is_it(target),
            Stmt::For { target, iterable, .. } => self.gather_items(target, iterable, variable, names, steps),
            Stmt::Import { variable: other, .. } | Stmt::ImportFrom { variable: other, .. } => other != variable,
            Stmt::With { ref items, .. } => items.iter().all(|&(_, target)| !is_it(target)),
            _ => true,
        });
        of_statements
            && bodies.expressions.iter().all(|expression| match expression.kind {
                ExprKind::Clause { target, iterable, .. } => {
                    self.gather_items(target, iterable, variable, names, steps)
                }
                ExprKind::Named { target, value } if is_it(target) => self.gather_names(value, names, steps),
                _ => true,
            })
    }

    /// Adds the items that a loop gives the variable, where it is the loop's target or one of several.
    fn gather_items(
        &self,
        target: ExprId,
        iterable: ExprId,
        variable: VarId,
        names: &mut PossibleNames,
        steps: u32,
    ) -> bool {
        let bodies = self.bodies;
        let is_it = |target: ExprId| bodies.is_variable(target, variable);
        let part = match bodies.kind(target) {
            Some(&ExprKind::Sequence { items, .. }) => match bodies.list(items).iter().position(|&item| is_it(item)) {
                Some(part) => Some(part),
                None => return true,
            },
            _ if is_it(target) => None,
            _ => return true,
        };
        let Some(items) = self.items_named(iterable, steps) else { return false };
        items.iter().all(|&item| match part {
            Some(part) => self.gather_part(item, part, names, steps),
            None => self.gather_names(item, names, steps),
        })
    }

    fn gather_part(&self, item: ExprId, part: usize, names: &mut PossibleNames, steps: u32) -> bool {
        let parts = self.written_items(item);
        parts.and_then(|parts| parts.get(part)).is_some_and(|&part| self.gather_names(part, names, steps))
    }

    /// The items of a literal, of the variable that holds it, or of a copy of it.
    fn items_named(&self, iterable: ExprId, steps: u32) -> Option<Vec<ExprId>> {
        let bodies = self.bodies;
        match *bodies.kind(iterable)? {
            ExprKind::Sequence { items, .. } => {
                let mut all = Vec::new();
                for &item in bodies.list(items) {
                    match bodies.kind(item) {
                        Some(&ExprKind::Starred(inner)) => all.extend(self.items_named(inner, steps.checked_sub(1)?)?),
                        _ => all.push(item),
                    }
                }
                Some(all)
            }
            ExprKind::Attribute { base, name } if steps > 0 => {
                let value = self.listed_in_class(base, name)?;
                self.items_named(value, steps - 1)
            }
            ExprKind::Dict { items, .. } => {
                let keys: Vec<ExprId> = bodies.list(items).iter().copied().step_by(2).collect();
                (!keys.contains(&NONE)).then_some(keys)
            }
            ExprKind::Call { callee, arguments, .. } => match (bodies.kind(callee)?, bodies.list(arguments)) {
                (&ExprKind::Name { name, variable: NONE }, &[items, ..])
                    if matches!(
                        bodies.names.text(name),
                        "sorted" | "list" | "tuple" | "set" | "frozenset" | "reversed"
                    ) =>
                {
                    self.items_named(items, steps)
                }
                _ => None,
            },
            ExprKind::Name { variable, .. } if variable != NONE && steps > 0 => {
                let value = self.bodies.only_value(|target| bodies.is_variable(target, variable))?;
                self.items_named(value, steps - 1)
            }
            _ => None,
        }
    }

    /// The value of a name in the body of a class of this file, or that its methods assign once: `self.names`,
    /// `Shape.names`.
    fn listed_in_class(&self, base: ExprId, name: NameId) -> Option<ExprId> {
        let bodies = self.bodies;
        let &ExprKind::Name { variable, .. } = bodies.kind(base)? else { return None };
        let function = bodies.functions.get(self.function as usize);
        let receiver = function.and_then(|function| function.parameters.first()).map(|first| first.variable);
        let class = match function {
            Some(function) if receiver == Some(variable) => bodies.classes.get(function.class as usize)?,
            _ => bodies.classes.iter().find(|class| class.variable == variable && variable != NONE)?,
        };
        let in_body = bodies.only_value(|target| match bodies.kind(target) {
            Some(&ExprKind::Name { name: other, variable }) => {
                other == name && bodies.variables.get(variable as usize).is_some_and(|info| info.scope == class.scope)
            }
            _ => false,
        });
        let of_object = || {
            bodies.only_value(
                |target| matches!(bodies.kind(target), Some(&ExprKind::Attribute { name: other, .. }) if other == name),
            )
        };
        in_body.or_else(of_object)
    }

    /// Adds what `parametrize` or the calls in this file give, where the variable is a parameter; false where neither
    /// gives all texts.
    fn gather_parametrized(&self, variable: VarId, names: &mut PossibleNames, steps: u32) -> bool {
        let bodies = self.bodies;
        let has_it = |function: &&crate::facts::bodies::FunctionBody| {
            function.parameters.iter().any(|parameter| parameter.variable == variable)
        };
        let Some(function) = bodies.functions.iter().find(has_it) else { return true };
        let name = bodies.names.text(bodies.variables[variable as usize].name);
        let of_class = bodies.classes.get(function.class as usize).map_or(&[][..], |class| &class.decorators);
        for &decorator in function.decorators.iter().chain(of_class) {
            let Some((parameters, items, has_parts)) = self.parameters_given(decorator) else { continue };
            let Some(part) = parameters.iter().position(|&parameter| parameter == name) else { continue };
            let Some(items) = self.items_named(items, steps) else { return false };
            let part = if has_parts { Some(part) } else { None };
            return items.iter().all(|&item| self.gather_given(item, part, names, steps));
        }
        steps > 0 && self.gather_passed(function, variable, names, steps - 1)
    }

    /// Adds what a test or fixture is given: an item, a part of it, or the same in `pytest.param("a", id="first")`.
    fn gather_given(&self, item: ExprId, part: Option<usize>, names: &mut PossibleNames, steps: u32) -> bool {
        match (self.bodies.kind(item), part) {
            (Some(&ExprKind::Call { arguments, .. }), _) => {
                let given = self.bodies.list(arguments).get(part.unwrap_or_default());
                given.is_some_and(|&given| self.gather_names(given, names, steps))
            }
            (_, Some(part)) => self.gather_part(item, part, names, steps),
            (_, None) => self.gather_names(item, names, steps),
        }
    }
}

impl Bodies {
    /// `name in NAMES`, `name not in NAMES`: the test that, with this outcome, limits a computed name.
    pub(crate) fn test_of_names(&self, test: ExprId, outcome: bool) -> Option<Test> {
        let bodies = self;
        match *bodies.kind(test)? {
            ExprKind::Not(inner) => self.test_of_names(inner, !outcome),
            ExprKind::Bool { left, right, is_and } if is_and == outcome => {
                self.test_of_names(left, outcome).or_else(|| self.test_of_names(right, outcome))
            }
            ExprKind::Compare { operator, left, .. } => {
                let is_in = matches!((operator, outcome), (Operator::In, true) | (Operator::NotIn, false));
                let is_computed = matches!(
                    bodies.kind(left),
                    Some(ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Call { .. })
                );
                (is_in && is_computed).then_some(Test::Names(test))
            }
            _ => None,
        }
    }

    /// `x` in `x.lower()`.
    fn lowered(&self, text: ExprId) -> Option<ExprId> {
        let bodies = self;
        let &ExprKind::Call { callee, arguments, .. } = bodies.kind(text)? else { return None };
        let &ExprKind::Attribute { base, name } = bodies.kind(callee)? else { return None };
        (bodies.names.text(name) == "lower" && bodies.list(arguments).is_empty()).then_some(base)
    }

    /// A variable that is assigned `request.method.lower()`.
    fn is_lowered_method(&self, name: ExprId, steps: u32) -> bool {
        let bodies = self;
        let Some(&ExprKind::Name { variable, .. }) = bodies.kind(name) else { return false };
        if variable == NONE || steps == 0 {
            return false;
        }
        let value = self.only_value(|target| bodies.is_variable(target, variable));
        value.and_then(|value| self.lowered(value)).is_some_and(|inner| self.is_named_so(inner, "method", steps - 1))
    }

    /// `request.method`
    fn is_named_so(&self, expression: ExprId, wanted: &str, steps: u32) -> bool {
        let bodies = self;
        match bodies.kind(expression) {
            Some(&ExprKind::Attribute { base, name }) => {
                bodies.names.text(name) == wanted && bodies.last_name(base) == Some("request")
            }
            Some(&ExprKind::Name { variable, .. }) if variable != NONE && steps > 0 => {
                let value = self.only_value(|target| bodies.is_variable(target, variable));
                value.is_some_and(|value| self.is_named_so(value, wanted, steps - 1))
            }
            _ => false,
        }
    }

    /// Whether two expressions are written the same and name the same variables.
    fn is_same_text(&self, one: ExprId, other: ExprId) -> bool {
        let bodies = self;
        match (bodies.kind(one), bodies.kind(other)) {
            (Some(&ExprKind::Name { name, variable }), Some(&ExprKind::Name { name: second, variable: of_second })) => {
                name == second && variable == of_second
            }
            (
                Some(&ExprKind::Attribute { base, name }),
                Some(&ExprKind::Attribute { base: second, name: of_second }),
            ) => name == of_second && self.is_same_text(base, second),
            (
                Some(&ExprKind::Call { callee, arguments, keywords }),
                Some(&ExprKind::Call { callee: second, arguments: given, keywords: named }),
            ) => {
                let nothing = |run| bodies.list(run).is_empty();
                nothing(arguments) && nothing(given) && keywords == named && self.is_same_text(callee, second)
            }
            _ => false,
        }
    }

    /// The value of a target's only assignment.
    pub(crate) fn only_value(&self, is_it: impl Fn(ExprId) -> bool) -> Option<ExprId> {
        let mut values = self.statements.iter().filter_map(|statement| match *statement {
            Stmt::Assign { target, value } | Stmt::Annotated { target, value, .. } if is_it(target) => Some(value),
            Stmt::Augmented { target, .. } if is_it(target) => Some(NONE),
            _ => None,
        });
        let value = values.next()?;
        if values.next().is_some() { None } else { Some(value) }
    }

    fn is_request(&self, expression: ExprId) -> bool {
        let is_it = |name: NameId| self.names.text(name) == "request";
        matches!(self.kind(expression), Some(&ExprKind::Name { name, .. }) if is_it(name))
    }

    /// Whether a variable iterates over an attribute.
    pub(crate) fn is_of_attribute(&self, expression: ExprId) -> bool {
        let bodies = self;
        let Some(&ExprKind::Name { variable, .. }) = bodies.kind(expression) else { return false };
        let is_it = |target: ExprId, iterable: ExprId| {
            matches!(bodies.kind(iterable), Some(ExprKind::Attribute { .. })) && bodies.is_variable(target, variable)
        };
        bodies.statements.iter().any(|statement| match *statement {
            Stmt::For { target, iterable, .. } => is_it(target, iterable),
            _ => false,
        }) || bodies.expressions.iter().any(|expression| match expression.kind {
            ExprKind::Clause { target, iterable, .. } => is_it(target, iterable),
            _ => false,
        })
    }
}
