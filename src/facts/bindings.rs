//! The names that lines bind, with the other lines of the file that read them or bind them too.

use std::collections::BTreeSet;

use super::bodies::{Bodies, ExprId, ExprKind, NONE, ScopeKind, Stmt, VarId};

/// A name that a line binds in its scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameBinding {
    pub name: String,
    pub line: u32,
    /// The lines that read it, without those of the statement.
    pub read: Vec<u32>,
    /// The lines that bind it too, without those of the statement.
    pub rebound: Vec<u32>,
}

impl Bodies {
    /// The names that a statement in the lines `first..=last` binds, each once, by line. Those of comprehensions are
    /// left out: no other statement sees them.
    pub fn names_bound_in(&self, first: u32, last: u32) -> Vec<NameBinding> {
        let (bindings, targets) = self.bindings();
        let is_own = |line: &u32| (first..=last).contains(line);
        let mut own: Vec<(u32, VarId)> = Vec::new();
        for &(variable, line) in bindings.iter().filter(|(_, line)| is_own(line)) {
            if own.iter().all(|(_, known)| *known != variable) {
                own.push((line, variable));
            }
        }
        own.sort_unstable();
        let others = |lines: BTreeSet<u32>| lines.into_iter().filter(|line| !is_own(line)).collect();
        let binding = |(line, variable): (u32, VarId)| {
            let reads = (0..).zip(&self.expressions).filter(|(id, expression)| {
                let is_it = matches!(expression.kind, ExprKind::Name { variable: other, .. } if other == variable);
                is_it && !targets.contains(id)
            });
            NameBinding {
                name: self.names.text(self.variables[variable as usize].name).to_owned(),
                line,
                read: others(reads.map(|(_, expression)| expression.line).collect()),
                rebound: others(
                    bindings.iter().filter(|(other, _)| *other == variable).map(|(_, line)| *line).collect(),
                ),
            }
        };
        own.into_iter().map(binding).collect()
    }

    /// The names and attributes that statements give values, in dots as they are written, with their lines: `self.x`. A
    /// part that is neither is `?`.
    pub fn assigned(&self) -> BTreeSet<(u32, String)> {
        let (plain, augmented) = self.given();
        let mut parts = BTreeSet::new();
        plain.into_iter().chain(augmented).for_each(|target| self.add_parts(target, &mut parts));
        parts
            .into_iter()
            .filter_map(|part| Some((self.expressions.get(part as usize)?.line, self.in_dots(part))))
            .collect()
    }

    fn in_dots(&self, expression: ExprId) -> String {
        match self.kind(expression) {
            Some(ExprKind::Name { name, .. }) => self.names.text(*name).to_owned(),
            Some(ExprKind::Attribute { base, name }) => format!("{}.{}", self.in_dots(*base), self.names.text(*name)),
            _ => "?".to_owned(),
        }
    }

    /// The targets that get values, and those of `+=` and its like, which are read too. An annotation alone gives none.
    fn given(&self) -> (Vec<ExprId>, Vec<ExprId>) {
        let (mut plain, mut augmented) = (Vec::new(), Vec::new());
        for statement in &self.statements {
            match statement {
                Stmt::Assign { target, .. } | Stmt::For { target, .. } => plain.push(*target),
                Stmt::Annotated { target, value, .. } if *value != NONE => plain.push(*target),
                Stmt::With { items, .. } => plain.extend(items.iter().map(|(_, target)| *target)),
                Stmt::Augmented { target, .. } => augmented.push(*target),
                _ => {}
            }
        }
        plain.extend(self.expressions.iter().filter_map(|expression| match expression.kind {
            ExprKind::Named { target, .. } => Some(target),
            _ => None,
        }));
        (plain, augmented)
    }

    /// The bindings of all variables with their lines, and the expressions that bind without a read.
    fn bindings(&self) -> (Vec<(VarId, u32)>, BTreeSet<ExprId>) {
        let (mut bindings, mut targets) = (Vec::new(), BTreeSet::new());
        let line = |expression: ExprId| self.expressions.get(expression as usize).map(|expression| expression.line);
        let (plain, augmented) = self.given();
        for target in plain {
            self.add_names(target, &mut targets);
        }
        let mut names = BTreeSet::new();
        for target in augmented {
            self.add_names(target, &mut names);
        }
        bindings.extend(names.into_iter().filter_map(|name| self.bound_by(name)));
        for statement in &self.statements {
            match statement {
                Stmt::Try { handlers, .. } => {
                    let bound = |exception, variable| Some((variable, line(exception)?));
                    bindings.extend(handlers.iter().filter_map(|one| bound(one.exception, one.variable)));
                }
                Stmt::Match { subject, cases } => {
                    let captures =
                        cases.iter().flat_map(|case| case.captures.iter().map(|one| one.variable).chain([case.whole]));
                    bindings.extend(captures.filter_map(|variable| Some((variable, line(*subject)?))));
                }
                Stmt::Import { variable, line, .. } => bindings.push((*variable, *line)),
                Stmt::ImportFrom { variable, name_line, .. } => bindings.push((*variable, *name_line)),
                Stmt::Function(function) => {
                    let function = self.functions.get(*function as usize);
                    bindings.extend(function.and_then(|one| self.head_of(one.variable, one.entity)));
                }
                Stmt::Class(class) => {
                    let class = self.classes.get(*class as usize);
                    bindings.extend(class.and_then(|one| self.head_of(one.variable, one.entity)));
                }
                _ => {}
            }
        }
        let parameters = self.functions.iter().flat_map(|function| &function.parameters);
        bindings.extend(parameters.map(|parameter| (parameter.variable, parameter.line)));
        for expression in &self.expressions {
            if let ExprKind::Clause { target, .. } = expression.kind {
                self.add_names(target, &mut targets);
            }
        }
        bindings.extend(targets.iter().filter_map(|target| self.bound_by(*target)));
        let is_seen = |variable: VarId| {
            let scope = self.variables.get(variable as usize).and_then(|one| self.scopes.get(one.scope as usize));
            scope.is_some_and(|scope| scope.kind != ScopeKind::Comprehension)
        };
        bindings.retain(|(variable, _)| is_seen(*variable));
        (bindings, targets)
    }

    /// The names among the parts of an assignment's target.
    fn add_names(&self, target: ExprId, names: &mut BTreeSet<ExprId>) {
        let mut parts = BTreeSet::new();
        self.add_parts(target, &mut parts);
        names.extend(parts.into_iter().filter(|part| matches!(self.kind(*part), Some(ExprKind::Name { .. }))));
    }

    /// The names and attributes among the parts of an assignment's target.
    fn add_parts(&self, target: ExprId, parts: &mut BTreeSet<ExprId>) {
        match self.kind(target) {
            Some(ExprKind::Name { .. } | ExprKind::Attribute { .. }) => {
                parts.insert(target);
            }
            Some(ExprKind::Sequence { items, .. }) => {
                self.list(*items).iter().for_each(|item| self.add_parts(*item, parts));
            }
            Some(ExprKind::Starred(inner)) => self.add_parts(*inner, parts),
            _ => {}
        }
    }

    fn bound_by(&self, name: ExprId) -> Option<(VarId, u32)> {
        let expression = self.expressions.get(name as usize)?;
        let ExprKind::Name { variable, .. } = expression.kind else { return None };
        Some((variable, expression.line))
    }

    fn head_of(&self, variable: VarId, entity: u32) -> Option<(VarId, u32)> {
        Some((variable, self.records.get(entity as usize)?.line))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_bound_by_lines_and_read_by_others() {
        let text = "import os, json as j\nfrom a import (\n    b,\n    c,\n)\nLIMIT = 3\n\n\
                    def f(x):\n    y, *z = [i for i in x]\n    y += b(z)\n    if (n := y):\n        y = n\n\
                    \x20   try:\n        return os\n    except OSError as error:\n        raise error from None\n\
                    \x20   with j as k: pass\n    for x.y in k: LIMIT\n    match x:\n        case [z]: z = 1\n";
        let bodies = (crate::lang::PYTHON.extract)(text.as_bytes()).bodies;
        let bound = |first, last| {
            let all = bodies.names_bound_in(first, last).into_iter();
            all.map(|one| format!("{}@{} {:?} {:?}", one.name, one.line, one.read, one.rebound)).collect::<Vec<_>>()
        };
        assert_eq!(bound(1, 1), ["os@1 [14] []", "j@1 [17] []"]);
        assert_eq!(bound(2, 5), ["b@3 [10] []", "c@4 [] []"]);
        assert_eq!(bound(6, 6), ["LIMIT@6 [18] []"]);
        assert_eq!(bound(8, 8), ["f@8 [] []", "x@8 [9, 18, 19] []"]);
        assert_eq!(bound(9, 9), ["y@9 [10, 11] [10, 12]", "z@9 [10] [19, 20]"]);
        assert_eq!(bound(10, 10), ["y@10 [11] [9, 12]"]);
        assert_eq!(bound(11, 11), ["n@11 [12] []"]);
        assert_eq!(bound(15, 15), ["error@15 [16] []"]);
        assert_eq!(bound(17, 17), ["k@17 [18] []"]);
        assert_eq!(bound(18, 18), Vec::<String>::new());
        assert_eq!(bound(19, 19), ["z@19 [10] [9, 20]"], "a pattern binds on the line of its subject");
        assert_eq!(bound(20, 20), ["z@20 [10] [9, 19]"]);
    }

    #[test]
    fn names_and_attributes_get_values_by_statements() {
        let text = "class A:\n    x: int\n    y: int = 1\n\n    def f(self, x=1):\n        self.x: int\n        self.x = a.b.c = x\n\
                    \x20       (\n            z,\n            *g().w,\n        ) = x\n        self.x += 1\n        x[0] = 1\n";
        let bodies = (crate::lang::PYTHON.extract)(text.as_bytes()).bodies;
        let found: Vec<String> = bodies.assigned().iter().map(|(line, name)| format!("{line} {name}")).collect();
        assert_eq!(found, ["3 y", "7 a.b.c", "7 self.x", "9 z", "10 ?.w", "12 self.x"]);
    }
}
