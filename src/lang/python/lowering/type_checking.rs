//! `if TYPE_CHECKING:`: code for type checkers alone.
//!
//! The branch is not taken when the program runs. A name that it binds is dropped where the `else` defines a function
//! or property of that name, or where the module's `__getattr__` gives it; the declared types hold all the same.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use crate::{
    facts::{
        NameId,
        bodies::{Block, ExprId, NONE, ScopeId},
    },
    lang::python::{lowering::Lowerer, syntax::NodeKind},
};

/// Where the statements being lowered stand, as far as `if TYPE_CHECKING:` goes.
#[derive(Default)]
pub(crate) struct TypeChecking {
    /// Such branches around the statement.
    pub(crate) depth: u32,
    /// The functions that the `else` of the branch defines in this scope.
    replaced: FxHashSet<(ScopeId, NameId)>,
    /// The declared results of functions in the branch.
    returns: FxHashMap<(ScopeId, NameId), ExprId>,
}

impl Lowerer<'_> {
    /// Both branches of an `if TYPE_CHECKING:`.
    pub(crate) fn type_checking_branches(&mut self, then: Option<Node<'_>>, clauses: &[Node<'_>]) -> (Block, Block) {
        let mut replaced = FxHashSet::default();
        if let [clause] = *clauses
            && self.kind(clause) == NodeKind::Else
            && let Some(body) = self.field(clause, self.syntax.fields.body)
        {
            for statement in self.children(body) {
                if let Some(name) = self.function_defined(statement) {
                    replaced.insert((self.scope, name));
                }
            }
        }
        let around = std::mem::replace(&mut self.type_checking.replaced, replaced);
        self.type_checking.depth += 1;
        let then = self.conditional_block(then);
        self.type_checking.depth -= 1;
        self.type_checking.replaced = around;
        let otherwise = self.alternatives(clauses);
        self.type_checking.returns.clear();
        (then, otherwise)
    }

    /// The name of the function that a statement defines.
    fn function_defined(&mut self, statement: Node<'_>) -> Option<NameId> {
        let definition = match self.kind(statement) {
            NodeKind::Decorated => self.field(statement, self.syntax.fields.definition)?,
            _ => statement,
        };
        if self.kind(definition) != NodeKind::Function {
            return None;
        }
        let name = self.field(definition, self.syntax.fields.name)?;
        Some(self.name(self.text(name)))
    }

    /// Whether a binding of the name in the present scope is absent when the program runs.
    pub(crate) fn is_replaced(&self, name: NameId) -> bool {
        self.type_checking.replaced.contains(&(self.scope, name))
    }

    /// The same of the target of an assignment.
    pub(crate) fn is_target_replaced(&mut self, target: Node<'_>) -> bool {
        if self.type_checking.replaced.is_empty() || self.kind(target) != NodeKind::Identifier {
            return false;
        }
        let name = self.name(self.text(target));
        self.is_replaced(name)
    }

    /// The declared result of a function: its own, else that of the declaration for type checkers that it replaces.
    pub(crate) fn declared_returns(&mut self, name: NameId, returns: ExprId) -> ExprId {
        let key = (self.scope, name);
        if self.is_replaced(name) {
            self.type_checking.returns.insert(key, returns);
            return returns;
        }
        match returns {
            NONE => self.type_checking.returns.get(&key).copied().unwrap_or(NONE),
            _ => returns,
        }
    }
}
