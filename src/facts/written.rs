//! Questions about code as it is written, answered from the lowered facts: the bases and decorators of a definition,
//! imports that may fail, lookups on the object itself.

use std::collections::{BTreeMap, BTreeSet};

use super::bodies::{Block, Bodies, ClassBody, Expr, ExprId, ExprKind, FunctionBody, NONE, Operator, Stmt, VarId};
use super::interface::ModulePath;
use super::names::NameId;
use crate::model::{EntityFlags, conventions::decorators::keeps_parameters};

/// A line (from 1) and a column in bytes (from 0).
pub type SourcePosition = (u32, u32);

/// A dotted name in the source: `models.Model`, without subscripts and arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DottedReference {
    /// As written.
    pub path: String,
    /// With the first part replaced by the name that the file imports under it: `functools.lru_cache` for `memo` after
    /// `from functools import lru_cache as memo`.
    pub imported: String,
    /// The first part is bound by an import of the file.
    pub is_imported: bool,
    /// The position of each part.
    pub positions: Vec<SourcePosition>,
    /// The whole expression, with subscripts and arguments.
    pub expression: ExprId,
}

impl DottedReference {
    /// The position of the last part, where references to the named thing stand.
    pub fn position(&self) -> SourcePosition {
        self.positions.last().copied().unwrap_or_default()
    }
}

/// A name that an import statement binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenImport {
    /// Where the module is written.
    pub line: u32,
    /// Leading dots of the module.
    pub level: u32,
    /// The parts of the module behind the dots.
    pub module: Vec<String>,
    /// `name` of `from module import name`; `*` for all names.
    pub name: Option<String>,
    /// The name that the file knows it by; empty for `*`.
    pub bound: String,
}

/// An expression with a name that the file imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedUse {
    /// The name as it is imported: `functools.wraps` for `wraps` and for `functools.wraps`.
    pub imported: String,
    pub position: SourcePosition,
    /// The name itself is imported, or the module of which it is a member.
    pub is_of_module: bool,
    pub is_called: bool,
}

/// Calls that ask for classes and make no instance of them.
const ASKS_FOR_CLASSES: [&str; 5] = ["isinstance", "issubclass", "assertRaises", "assertRaisesRegex", "raises"];

impl Bodies {
    /// The bases of the class whose name stands at `position`; bases that are no dotted names are left out.
    pub fn bases_at(&self, position: SourcePosition) -> Vec<DottedReference> {
        let class = self.class_at(position);
        let bases = class.map(|class| class.bases.as_slice()).unwrap_or_default();
        let imports = self.imported_names();
        bases.iter().filter_map(|&base| self.dotted_reference(self.named_base(base), &imports)).collect()
    }

    /// The value of `metaclass=` of the class whose name stands at `position`, likewise.
    pub fn metaclass_at(&self, position: SourcePosition) -> Option<DottedReference> {
        let is_it = |&&(name, _): &&(u32, ExprId)| name != NONE && self.names.text(NameId(name)) == "metaclass";
        let &(_, value) = self.class_at(position)?.keywords.iter().find(is_it)?;
        self.dotted_reference(value, &self.imported_names())
    }

    /// Whether an expression is a call.
    pub fn is_call(&self, expression: ExprId) -> bool {
        matches!(self.kind(expression), Some(ExprKind::Call { .. }))
    }

    /// The decorators of the function or class whose name stands at `position`, likewise.
    pub fn decorators_at(&self, position: SourcePosition) -> Vec<DottedReference> {
        let decorators = match (self.class_at(position), self.function_at(position)) {
            (Some(class), _) => &class.decorators,
            (None, Some(function)) => &function.decorators,
            (None, None) => return Vec::new(),
        };
        let imports = self.imported_names();
        decorators.iter().filter_map(|&decorator| self.dotted_reference(decorator, &imports)).collect()
    }

    /// Whether a call of the definition whose name stands at `position` has to fit its parameters as written: each of
    /// its decorators is one that keeps them, and no attribute of an object that shares its last name with one
    /// (`memory.cache`). Decorators that are no dotted names do not count.
    pub fn keeps_parameters_at(&self, position: SourcePosition) -> bool {
        self.decorators_at(position).iter().all(|decorator| {
            let accessors = [".setter", ".getter", ".deleter"];
            let is_name = !decorator.path.contains('.') || decorator.is_imported;
            let is_accessor = accessors.iter().any(|accessor| decorator.path.ends_with(accessor));
            (is_name || is_accessor) && keeps_parameters(&decorator.imported)
        })
    }

    /// The truth that a call passes for a keyword: true for `autouse` in `fixture(autouse=True)`. `None` where it
    /// passes something else, or nothing.
    pub fn flag(&self, call: ExprId, keyword: &str) -> Option<bool> {
        self.passed(call, keyword).and_then(|value| self.truth(value))
    }

    /// The expression that a call passes for a keyword.
    pub fn passed(&self, call: ExprId, keyword: &str) -> Option<ExprId> {
        let &ExprKind::Call { keywords, .. } = self.kind(call)? else { return None };
        let is_it = |&&(name, _): &&(u32, ExprId)| name != NONE && self.names.text(NameId(name)) == keyword;
        self.keywords(keywords).iter().find(is_it).map(|&(_, value)| value)
    }

    /// Whether a call passes a keyword, or may pass it as one of `**keywords`.
    pub fn may_pass(&self, call: ExprId, keyword: &str) -> bool {
        let Some(&ExprKind::Call { keywords, .. }) = self.kind(call) else { return false };
        let is_it = |&(name, _): &(u32, ExprId)| name == NONE || self.names.text(NameId(name)) == keyword;
        self.keywords(keywords).iter().any(is_it)
    }

    /// The annotation and the value of the variable that is annotated at `position`; [`NONE`] for no value.
    pub fn annotated_at(&self, position: SourcePosition) -> Option<(ExprId, ExprId)> {
        self.statements.iter().find_map(|statement| {
            let &Stmt::Annotated { target, annotation, value } = statement else { return None };
            let target = self.expressions.get(target as usize)?;
            ((target.line, target.column) == position).then_some((annotation, value))
        })
    }

    /// The dotted name that an expression is, applies or calls.
    pub fn reference(&self, expression: ExprId) -> Option<DottedReference> {
        self.dotted_reference(expression, &self.imported_names())
    }

    /// The lines of imports at module level that stand inside a compound statement: under `if TYPE_CHECKING:`, in a
    /// `try` with something to fall back on. They may fail, or not run, without harm to the module.
    pub fn guarded_import_lines(&self) -> BTreeSet<u32> {
        let mut lines = BTreeSet::new();
        for &statement in &self.module {
            for block in self.blocks_of(statement) {
                self.add_import_lines(block, &mut lines);
            }
        }
        lines
    }

    /// The lines of imports at module level, those inside a compound statement too.
    pub fn import_lines(&self) -> BTreeSet<u32> {
        let mut lines = BTreeSet::new();
        self.add_import_lines(&self.module, &mut lines);
        lines
    }

    /// The names that import statements bind anywhere in the file, in the order of the lines. Those of `__future__`
    /// are none: they change how the file is compiled.
    pub fn imports(&self) -> Vec<WrittenImport> {
        let bound = |variable: VarId| self.names.text(self.variables[variable as usize].name).to_owned();
        let mut found = Vec::new();
        for statement in &self.statements {
            let (module, line, name, bound) = match statement {
                Stmt::Import { module, variable, line, .. } => (module, *line, None, bound(*variable)),
                Stmt::ImportFrom { module, name, variable, line, .. } => {
                    (module, *line, Some(self.names.text(*name).to_owned()), bound(*variable))
                }
                Stmt::ImportStar { module, line, .. } => (module, *line, Some("*".to_owned()), String::new()),
                _ => continue,
            };
            let parts = module.parts.iter().map(|&part| self.names.text(part).to_owned()).collect();
            found.push(WrittenImport { line, level: module.level, module: parts, name, bound });
        }
        found.sort_by_key(|import| import.line);
        found
    }

    /// Every expression that is an imported name, or a dotted name below one.
    pub fn imported_uses(&self) -> Vec<ImportedUse> {
        let imports = self.imported_names();
        let mut modules = BTreeSet::new();
        for statement in &self.statements {
            if let Stmt::Import { variable, .. } = statement {
                modules.insert(*variable);
            }
        }
        let callees = self.callees();
        let mut found = Vec::new();
        for (id, expression) in (0..).zip(&self.expressions) {
            if !matches!(expression.kind, ExprKind::Name { .. } | ExprKind::Attribute { .. }) {
                continue;
            }
            let reference = self.dotted_reference(id, &imports).filter(|reference| reference.is_imported);
            let Some(reference) = reference else { continue };
            let mut first = id;
            while let Some(ExprKind::Attribute { base, .. }) = self.kind(first) {
                first = *base;
            }
            let is_module =
                matches!(self.kind(first), Some(ExprKind::Name { variable, .. }) if modules.contains(variable));
            found.push(ImportedUse {
                position: reference.position(),
                is_of_module: !reference.path.contains('.') || is_module,
                imported: reference.imported,
                is_called: callees.contains(&id),
            });
        }
        found
    }

    /// Every expression that is `name` where no scope of the file binds it, and whether it is called: a builtin, unless
    /// a module whose names are all imported has it.
    pub fn unbound_uses(&self, name: &str) -> Vec<(SourcePosition, bool)> {
        let callees = self.callees();
        let is_it = |expression: &Expr| match expression.kind {
            ExprKind::Name { name: written, variable: NONE } => self.names.text(written) == name,
            _ => false,
        };
        let uses = (0..).zip(&self.expressions).filter(|(_, expression)| is_it(expression));
        uses.map(|(id, at)| ((at.line, at.column), callees.contains(&id))).collect()
    }

    /// The expressions that are called.
    fn callees(&self) -> BTreeSet<ExprId> {
        let callee = |expression: &Expr| match expression.kind {
            ExprKind::Call { callee, .. } => Some(callee),
            _ => None,
        };
        self.expressions.iter().filter_map(callee).collect()
    }

    /// The lines on which a method looks up an attribute of its own object or class by a name that is a value:
    /// `getattr(self, name)`, `object.__getattribute__(self, name)`, `getattr(type(self), name)`.
    pub fn own_lookup_lines(&self) -> BTreeSet<u32> {
        let receivers: BTreeSet<VarId> = self.functions.iter().filter_map(|function| self.receiver(function)).collect();
        let mut lines = BTreeSet::new();
        for expression in &self.expressions {
            let ExprKind::Call { callee, arguments, .. } = expression.kind else { continue };
            let is_lookup = matches!(self.last_name(callee), Some("getattr" | "__getattribute__"));
            let object = self.list(arguments).first().copied().filter(|_| is_lookup);
            if object.is_some_and(|object| self.is_own(object, &receivers)) {
                lines.insert(self.expressions[callee as usize].line);
            }
        }
        lines
    }

    /// The positions of names that code compares with and does not call: classes that `isinstance`, `except`, a pattern
    /// or an expected exception asks for, and the operands of `is`.
    pub fn compared_positions(&self) -> BTreeSet<SourcePosition> {
        let mut compared = Vec::new();
        for expression in &self.expressions {
            match expression.kind {
                ExprKind::Compare { operator: Operator::Is | Operator::IsNot, left, right } => {
                    compared.extend([left, right]);
                }
                ExprKind::Call { callee, arguments, .. } => {
                    let asks = self.last_name(callee).is_some_and(|name| ASKS_FOR_CLASSES.contains(&name));
                    compared.extend_from_slice(if asks { self.list(arguments) } else { &[] });
                }
                _ => {}
            }
        }
        for statement in &self.statements {
            match statement {
                Stmt::Try { handlers, .. } => compared.extend(handlers.iter().map(|handler| handler.exception)),
                Stmt::Match { cases, .. } => compared.extend(cases.iter().flat_map(|case| &case.classes)),
                _ => {}
            }
        }
        let mut positions = BTreeSet::new();
        while let Some(expression) = compared.pop() {
            let Some(&Expr { ref kind, line, column }) = self.expressions.get(expression as usize) else { continue };
            match *kind {
                ExprKind::Sequence { items, .. } => compared.extend_from_slice(self.list(items)),
                ExprKind::Binary { operator: Operator::Or, left, right } => compared.extend([left, right]),
                ExprKind::Name { .. } | ExprKind::Attribute { .. } => drop(positions.insert((line, column))),
                _ => {}
            }
        }
        positions
    }

    /// Whether the function or class whose name stands at `position` holds a function that is made to look like
    /// another one, by `functools.wraps`.
    pub fn wraps_at(&self, position: SourcePosition) -> bool {
        self.wrappers().any(|wrapper| {
            let mut at = wrapper.entity;
            // The module has the number 0 and is its own parent.
            while at != 0 {
                let Some(record) = self.records.get(at as usize) else { return false };
                if (record.line, record.column) == position {
                    return true;
                }
                at = record.parent;
            }
            false
        })
    }

    /// Whether the function whose name stands at `position` is itself made to look like another one.
    pub fn is_wrapper_at(&self, position: SourcePosition) -> bool {
        self.wrappers().any(|wrapper| {
            let record = self.records.get(wrapper.entity as usize);
            record.is_some_and(|record| (record.line, record.column) == position)
        })
    }

    fn wrappers(&self) -> impl Iterator<Item = &FunctionBody> {
        self.functions.iter().filter(|function| {
            function.lambda == 0
                && function.decorators.iter().any(|&it| self.last_name(self.called(it)) == Some("wraps"))
        })
    }

    /// Whether the variable whose name stands at `position` is assigned a dotted name there: `old_name = name`.
    pub fn is_other_name_at(&self, position: SourcePosition) -> bool {
        self.statements.iter().any(|statement| {
            let &Stmt::Assign { target, value } = statement else { return false };
            let target = self.expressions.get(target as usize);
            target.is_some_and(|target| (target.line, target.column) == position) && self.is_dotted_name(value)
        })
    }

    /// The text of the string that begins at `position`.
    pub fn text_at(&self, position: SourcePosition) -> Option<&str> {
        let mut written = self.texts.iter().chain(&self.exports);
        if let Some(reference) = written.find(|text| (text.line, text.column) == position) {
            return Some(&reference.text);
        }
        self.expressions.iter().find_map(|expression| match expression.kind {
            ExprKind::Text(text) if (expression.line, expression.column) == position => Some(self.names.text(text)),
            _ => None,
        })
    }

    fn is_dotted_name(&self, expression: ExprId) -> bool {
        match self.kind(expression) {
            Some(ExprKind::Name { .. }) => true,
            Some(&ExprKind::Attribute { base, .. }) => self.is_dotted_name(base),
            _ => false,
        }
    }

    /// The callee of a call; any other expression itself.
    fn called(&self, expression: ExprId) -> ExprId {
        match self.kind(expression) {
            Some(&ExprKind::Call { callee, .. }) => callee,
            _ => expression,
        }
    }

    /// Whether an expression is the receiver of a method, or its class.
    fn is_own(&self, expression: ExprId, receivers: &BTreeSet<VarId>) -> bool {
        match *self.expression_kind(expression) {
            ExprKind::Name { variable, .. } => receivers.contains(&variable),
            ExprKind::Attribute { base, name } => self.names.text(name) == "__class__" && self.is_own(base, receivers),
            ExprKind::Call { callee, arguments, .. } => {
                let argument = self.list(arguments).first().copied();
                self.last_name(callee) == Some("type") && argument.is_some_and(|it| self.is_own(it, receivers))
            }
            _ => false,
        }
    }

    /// The first parameter of a method, unless that is static.
    fn receiver(&self, function: &FunctionBody) -> Option<VarId> {
        let is_method = function.class != NONE && function.lambda == 0;
        let flags = self.records.get(function.entity as usize)?.flags;
        let first = function.parameters.first().filter(|_| is_method && !flags.has(EntityFlags::STATIC_METHOD))?;
        Some(first.variable)
    }

    fn class_at(&self, position: SourcePosition) -> Option<&ClassBody> {
        self.classes.iter().find(|class| self.position_of_entity(class.entity) == Some(position))
    }

    pub(super) fn function_at(&self, position: SourcePosition) -> Option<&FunctionBody> {
        let mut named = self.functions.iter().filter(|function| function.lambda == 0);
        named.find(|function| self.position_of_entity(function.entity) == Some(position))
    }

    fn position_of_entity(&self, entity: u32) -> Option<SourcePosition> {
        self.records.get(entity as usize).map(|record| (record.line, record.column))
    }

    /// The last argument of six's `with_metaclass(Meta, Base)`; any other expression itself.
    fn named_base(&self, base: ExprId) -> ExprId {
        match *self.expression_kind(base) {
            ExprKind::Call { callee, arguments, .. } if self.last_name(callee) == Some("with_metaclass") => {
                self.list(arguments).last().copied().unwrap_or(base)
            }
            _ => base,
        }
    }

    /// The dotted name of an expression, which may be applied or called.
    pub(super) fn dotted_reference(
        &self,
        expression: ExprId,
        imports: &BTreeMap<VarId, String>,
    ) -> Option<DottedReference> {
        let (mut parts, mut positions) = (Vec::new(), Vec::new());
        let mut at = expression;
        loop {
            let part = self.expressions.get(at as usize)?;
            let position = (part.line, part.column);
            match part.kind {
                // Arguments of a part in the middle lead away from the name: `make().Base` is no dotted name.
                ExprKind::Subscript { base, .. } if parts.is_empty() => at = base,
                ExprKind::Call { callee, .. } if parts.is_empty() => at = callee,
                ExprKind::Attribute { base, name } => {
                    parts.push(self.names.text(name));
                    positions.push(position);
                    at = base;
                }
                ExprKind::Name { name, variable } => {
                    let first = self.names.text(name);
                    positions.push(position);
                    positions.reverse();
                    let joined = |first: &str| {
                        let rest = parts.iter().rev().copied();
                        std::iter::once(first).chain(rest).collect::<Vec<_>>().join(".")
                    };
                    let imported = imports.get(&variable).map_or(first, String::as_str);
                    return Some(DottedReference {
                        path: joined(first),
                        imported: joined(imported),
                        is_imported: imports.contains_key(&variable),
                        positions,
                        expression,
                    });
                }
                _ => return None,
            }
        }
    }

    /// The dotted name that each variable is imported from; of several imports the first.
    fn imported_names(&self) -> BTreeMap<VarId, String> {
        let mut names = BTreeMap::new();
        for statement in &self.statements {
            let (variable, name) = match statement {
                Stmt::Import { module, variable, is_alias, .. } => {
                    let parts = if *is_alias { module.parts.len() } else { 1 };
                    (*variable, self.module_text(module, parts))
                }
                Stmt::ImportFrom { module, name, variable, .. } => {
                    let module = self.module_text(module, module.parts.len());
                    let separator = if module.is_empty() || module.ends_with('.') { "" } else { "." };
                    (*variable, format!("{module}{separator}{}", self.names.text(*name)))
                }
                _ => continue,
            };
            names.entry(variable).or_insert(name);
        }
        names
    }

    fn module_text(&self, module: &ModulePath, parts: usize) -> String {
        let text = |&part: &NameId| self.names.text(part);
        let written: Vec<&str> = module.parts.iter().take(parts).map(text).collect();
        ".".repeat(module.level as usize) + &written.join(".")
    }

    /// The blocks inside a compound statement that defines nothing.
    fn blocks_of(&self, statement: u32) -> Vec<&Block> {
        match &self.statements[statement as usize] {
            Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::While { body, otherwise, .. } | Stmt::For { body, otherwise, .. } => vec![body, otherwise],
            Stmt::With { body, .. } => vec![body],
            Stmt::Try { body, handlers, otherwise, finally } => {
                let handlers = handlers.iter().map(|handler| &handler.body);
                [body, otherwise, finally].into_iter().chain(handlers).collect()
            }
            Stmt::Match { cases, .. } => cases.iter().map(|case| &case.body).collect(),
            _ => Vec::new(),
        }
    }

    fn add_import_lines(&self, block: &Block, lines: &mut BTreeSet<u32>) {
        for &statement in block {
            match self.statements[statement as usize] {
                Stmt::Import { line, .. } | Stmt::ImportStar { line, .. } => {
                    lines.insert(line);
                }
                // Of a name in parentheses the reference stands on the name's line.
                Stmt::ImportFrom { line, name_line, .. } => lines.extend([line, name_line]),
                _ => {}
            }
            for block in self.blocks_of(statement) {
                self.add_import_lines(block, lines);
            }
        }
    }

    fn expression_kind(&self, expression: ExprId) -> &ExprKind {
        // The index comes from the same tables; a base or an argument is never absent.
        &self.expressions[expression as usize].kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(text: &str) -> Bodies {
        (crate::lang::PYTHON.extract)(text.as_bytes()).bodies
    }

    #[test]
    fn bases_are_found_with_the_positions_of_their_names() {
        let text =
            "class View(\n    generic.Base[Item, str],  # (a base)\n    Mixin, metaclass=Meta):\n    x = (Other,)\n";
        let bases = bodies(text).bases_at((1, 6));
        let found: Vec<_> = bases.iter().map(|base| (base.position(), base.path.as_str())).collect();
        assert_eq!(found, [((2, 12), "generic.Base"), ((3, 4), "Mixin")]);
        let of = |text: &str| bodies(text).bases_at((1, 6)).into_iter().map(|base| base.path).collect::<Vec<_>>();
        assert_eq!(of("class Plain:\n    f(x)\n"), Vec::<String>::new());
        assert_eq!(of("class Made(make(1), *others): ...\n"), ["make"]);
        assert_eq!(of("class Box[T: int](Base[T], with_metaclass(Meta, Other)): ...\n"), ["Base", "Other"]);
    }

    #[test]
    fn decorators_are_known_by_the_names_they_are_imported_from() {
        let text =
            "from functools import lru_cache as memo\nimport click as c\n@memo(8)\n@c.group.command()\ndef f(): ...\n";
        let decorators = bodies(text).decorators_at((5, 4));
        let names: Vec<_> = decorators.iter().map(|it| (it.path.as_str(), it.imported.as_str())).collect();
        assert_eq!(names, [("memo", "functools.lru_cache"), ("c.group.command", "click.group.command")]);
        assert_eq!(decorators[1].positions, [(4, 1), (4, 3), (4, 9)]);
    }

    #[test]
    fn a_decorator_of_an_object_may_take_other_parameters() {
        let of = |decorator: &str| {
            let imports = "import functools\nfrom functools import lru_cache as memo\n";
            bodies(&format!("{imports}@{decorator}\ndef f(a): ...\n")).keeps_parameters_at((4, 4))
        };
        assert!(of("functools.cache") && of("memo(8)") && of("name.setter") && of("staticmethod"));
        assert!(!of("memory.cache") && !of("app.route"));
    }

    #[test]
    fn imports_are_known_with_the_names_that_they_bind() {
        let text = "from __future__ import annotations\nimport os.path, json as j\ndef f():\n    from ..a import (\n        b as c,\n    )\nfrom x import *\n";
        let all = bodies(text).imports().into_iter();
        let all: Vec<String> = all
            .map(|WrittenImport { line, level, module, name, bound }| {
                format!("{line} {level}:{} {} {bound}", module.join("."), name.unwrap_or_default())
            })
            .collect();
        assert_eq!(all, ["2 0:os.path  os", "2 0:json  j", "4 2:a b c", "7 0:x * "]);
    }

    #[test]
    fn an_import_inside_a_compound_statement_is_guarded() {
        let text = "import os\nif TYPE_CHECKING: from shop import Cart\nfrom shop import (\n    Total,\n)\n\
                    try:\n    from fast import (\n        go,\n    )\nexcept ImportError:\n    import slow\n\
                    def f():\n    import late\n";
        assert_eq!(bodies(text).guarded_import_lines().into_iter().collect::<Vec<_>>(), [2, 7, 8, 11]);
    }

    #[test]
    fn names_that_are_compared_are_told_from_values() {
        let text = "isinstance(x, (A, m.B))\nif type(x) is not C: f(D)\ntry: pass\nexcept (E, F): raise G()\n\
                    with pytest.raises(H): I()\nmatch x:\n  case J(): pass\n";
        let named: Vec<_> = bodies(text).compared_positions().into_iter().collect();
        // The first argument of `isinstance` is among them: it is a value that is looked at, too.
        let expected = [(1, 11), (1, 15), (1, 20), (2, 18), (4, 8), (4, 11), (5, 19), (7, 7)];
        assert_eq!(named, expected);
    }

    #[test]
    fn a_wrapper_stands_inside_the_decorator_that_makes_it() {
        let text = "def outer(f):\n  @functools.wraps(f)\n  def inner(): ...\n  return inner\n\
                    def plain(f):\n  wraps(f)\n  return f\n";
        let bodies = bodies(text);
        assert!(bodies.wraps_at((1, 4)) && !bodies.wraps_at((5, 4)));
        assert!(bodies.is_wrapper_at((3, 6)) && !bodies.is_wrapper_at((1, 4)));
    }

    #[test]
    fn another_name_is_no_table() {
        let bodies = bodies("old = shop.new\nall = [old]\nmade = old()\n");
        assert_eq!([(1, 0), (2, 0), (3, 0)].map(|at| bodies.is_other_name_at(at)), [true, false, false]);
    }

    #[test]
    fn lookups_on_the_own_object_are_told_from_others() {
        let text = "class A:\n  def f(me, other):\n    getattr(me, n)\n    getattr(other, n)\n    getattr(\n      type(me), n)\n\
                    \x20 @staticmethod\n  def s(self):\n    getattr(self, n)\n  def g(self):\n    object.__getattribute__(self, n)\n\
                    def h(self):\n  getattr(self, n)\n";
        assert_eq!(bodies(text).own_lookup_lines().into_iter().collect::<Vec<_>>(), [3, 5, 11]);
    }
}
