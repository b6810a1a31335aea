//! `type Alias = …`, and what the grammar takes for one.
//!
//! Goes in: a type alias statement of the syntax tree. Comes out: an assignment.

use tree_sitter::Node;

use super::{lower::Lowerer, syntax::Kind};
use crate::facts::bodies::{Block, ExprId, ExprKind, NONE, Stmt};

impl Lowerer<'_> {
    /// `type Alias = …`, also with parameters.
    pub(super) fn type_alias(&mut self, node: Node<'_>, block: &mut Block) {
        let fields = &self.syntax.fields;
        let (left, right) = (self.field(node, fields.left), self.field(node, fields.right));
        if let (Some(left), Some(keyword)) = (left, node.child(0))
            && let Some(arguments) = self.arguments_of_type(left)
        {
            self.misread_call = Some((arguments.id(), self.load(keyword)));
            let target = self.only_child(left);
            self.misread_call = None;
            let value = right.map_or(NONE, |right| self.expression(right));
            self.push(block, Stmt::Assign { target, value });
            return;
        }
        let value = right.map_or(NONE, |right| self.annotation(right));
        let first = left.map(|left| self.first(left));
        let named = first.map(|first| if self.kind(first) == Kind::GenericType { self.first(first) } else { first });
        if let Some(named) = named.filter(|&named| self.kind(named) == Kind::Identifier) {
            let target = self.target(named, node);
            self.push(block, Stmt::Assign { target, value });
        } else {
            self.push(block, Stmt::Annotation(value));
        }
    }

    /// `(self)` in `type(self).name = …`: the grammar takes that for the alias of a type `(self).name`, which is none.
    fn arguments_of_type<'t>(&self, left: Node<'t>) -> Option<Node<'t>> {
        let mut node = left;
        loop {
            let first = self.first(node);
            match self.kind(first) {
                Kind::Parenthesized => return Some(first),
                _ if first == node => return None,
                _ => node = first,
            }
        }
    }

    /// The call that a parenthesized expression belongs to, if the grammar has taken it apart.
    pub(super) fn misread_call(&mut self, node: Node<'_>) -> Option<ExprId> {
        let (_, callee) = self.misread_call.filter(|&(id, _)| id == node.id())?;
        let argument = self.only_child(node);
        let arguments = self.run(&[argument]);
        let place = self.expression_place(callee);
        Some(self.expr(ExprKind::Call { callee, arguments, keywords: (0, 0) }, place))
    }

    /// The first named child, or the node itself.
    fn first<'t>(&self, node: Node<'t>) -> Node<'t> {
        self.children(node).first().copied().unwrap_or(node)
    }
}
