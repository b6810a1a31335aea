//! `type Alias = …` and older code that the grammar takes for one; type parameters.
//!
//! A type alias statement becomes an assignment. The type parameters of `class Box[T: Item]` and `def f[T](x: T)`
//! become variables in a scope around the definition.

use tree_sitter::Node;

use crate::{
    facts::bodies::{Block, ExprId, ExprKind, NONE, ScopeKind, Stmt, TypeParameter},
    lang::python::{lowering::Lowerer, syntax::NodeKind},
};

impl Lowerer<'_> {
    /// `type Alias = …`, also with parameters.
    pub(crate) fn type_alias(&mut self, node: Node<'_>, block: &mut Block) {
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
        let named =
            first.map(|first| if self.kind(first) == NodeKind::GenericType { self.first(first) } else { first });
        if let Some(named) = named.filter(|&named| self.kind(named) == NodeKind::Identifier) {
            let target = self.target(named, node);
            self.push(block, Stmt::Assign { target, value });
        } else {
            self.push(block, Stmt::Annotation(value));
        }
    }

    /// Binds the type parameters of a definition, in a scope that it enters; the caller leaves it.
    pub(crate) fn type_parameters(&mut self, node: Node<'_>, entity: u32) -> Vec<TypeParameter> {
        let Some(list) = self.field(node, self.syntax.fields.type_parameters) else { return Vec::new() };
        self.scope = self.push_scope(ScopeKind::Annotation, self.scope, entity);
        let mut parameters = Vec::new();
        for declared in self.children(list) {
            let inner = self.first(declared);
            let parts = self.children(inner);
            let (named, bound) = match (self.kind(inner), parts.as_slice()) {
                (NodeKind::ConstrainedType, &[named, bound]) => (self.first(named), Some(bound)),
                (NodeKind::SplatType | NodeKind::ListSplat | NodeKind::DictionarySplat, &[named, ..]) => (named, None),
                _ => (inner, None),
            };
            if self.kind(named) == NodeKind::Identifier {
                let name = self.name(self.text(named));
                let variable = self.bind(name);
                let bound = bound.map_or(NONE, |bound| self.annotation(bound));
                parameters.push(TypeParameter { variable, bound });
            }
        }
        parameters
    }

    /// `(self)` in `type(self).name = …`: the grammar takes the statement for an alias of a type `(self).name`.
    fn arguments_of_type<'t>(&self, left: Node<'t>) -> Option<Node<'t>> {
        let mut node = left;
        loop {
            let first = self.first(node);
            match self.kind(first) {
                NodeKind::Parenthesized => return Some(first),
                _ if first == node => return None,
                _ => node = first,
            }
        }
    }

    /// The call that a parenthesized expression belongs to, if the grammar has taken it apart.
    pub(crate) fn misread_call(&mut self, node: Node<'_>) -> Option<ExprId> {
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
