//! Questions about code as it is written, answered from the lowered facts: the bases and decorators of a definition,
//! imports that may fail, lookups on the object itself.

use std::collections::{BTreeMap, BTreeSet};

use super::bodies::{Block, Bodies, ClassBody, ExprId, ExprKind, FunctionBody, NONE, Stmt, VarId};
use super::interface::ModulePath;
use super::names::NameId;
use crate::model::EntityFlags;

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
    /// The position of each part.
    pub positions: Vec<SourcePosition>,
}

impl DottedReference {
    /// The position of the last part, where references to the named thing stand.
    pub fn position(&self) -> SourcePosition {
        self.positions.last().copied().unwrap_or_default()
    }
}

impl Bodies {
    /// The bases of the class whose name stands at `position`; bases that are no dotted names are left out.
    pub fn bases_at(&self, position: SourcePosition) -> Vec<DottedReference> {
        let class = self.class_at(position);
        let bases = class.map(|class| class.bases.as_slice()).unwrap_or_default();
        let imports = self.imported_names();
        bases.iter().filter_map(|&base| self.dotted_reference(self.named_base(base), &imports)).collect()
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

    /// Whether a decorator is called with `autouse=True`.
    pub fn is_autouse(&self, decorator: ExprId) -> bool {
        let Some(&ExprKind::Call { keywords, .. }) = self.kind(decorator) else { return false };
        let is_autouse = |name: u32| name != NONE && self.names.text(NameId(name)) == "autouse";
        self.keywords(keywords).iter().any(|&(name, value)| is_autouse(name) && self.truth(value) == Some(true))
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
            let expression = self.expressions.get(at as usize)?;
            let position = (expression.line, expression.column);
            match expression.kind {
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
                    return Some(DottedReference { path: joined(first), imported: joined(imported), positions });
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
    fn an_import_inside_a_compound_statement_is_guarded() {
        let text = "import os\nif TYPE_CHECKING: from shop import Cart\nfrom shop import (\n    Total,\n)\n\
                    try:\n    from fast import (\n        go,\n    )\nexcept ImportError:\n    import slow\n\
                    def f():\n    import late\n";
        assert_eq!(bodies(text).guarded_import_lines().into_iter().collect::<Vec<_>>(), [2, 7, 8, 11]);
    }

    #[test]
    fn lookups_on_the_own_object_are_told_from_others() {
        let text = "class A:\n  def f(me, other):\n    getattr(me, n)\n    getattr(other, n)\n    getattr(\n      type(me), n)\n\
                    \x20 @staticmethod\n  def s(self):\n    getattr(self, n)\n  def g(self):\n    object.__getattribute__(self, n)\n\
                    def h(self):\n  getattr(self, n)\n";
        assert_eq!(bodies(text).own_lookup_lines().into_iter().collect::<Vec<_>>(), [3, 5, 11]);
    }
}
