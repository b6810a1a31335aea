//! `match` statements: the names in each pattern, and the access path from the subject to each variable that a pattern
//! binds.
//!
//! A class pattern narrows the value at its path; an attribute, an item or the rest of a list lengthens the path. The
//! steps are expressions without a base.

use tree_sitter::Node;

use crate::{
    facts::bodies::{Block, Capture, Case, ExprId, ExprKind, NONE, Stmt},
    lang::python::{lowering::Lowerer, syntax::NodeKind},
};

impl Lowerer<'_> {
    pub(crate) fn match_statement(&mut self, node: Node<'_>, block: &mut Block) {
        let fields = &self.syntax.fields;
        let subject = self.field(node, fields.subject).map_or(NONE, |subject| self.expression(subject));
        let mut cases = Vec::new();
        let body = self.field(node, fields.body);
        for clause in body.map(|body| self.fields(body, fields.alternative)).unwrap_or_default() {
            let mut case = Case {
                classes: Vec::new(),
                values: Vec::new(),
                captures: Vec::new(),
                has_parts: false,
                whole: NONE,
                guard: NONE,
                body: Block::new(),
            };
            let patterns = self.children_of(clause, NodeKind::CasePattern);
            match patterns.as_slice() {
                &[pattern] => {
                    self.pattern(pattern, &mut Vec::new(), true, &mut case);
                    case.whole = self.whole_capture(pattern);
                }
                several => self.items(several, &mut Vec::new(), &mut case),
            }
            if let Some(guard) = self.field(clause, fields.guard) {
                case.guard = self.first_child_expression(guard);
            }
            case.body = self.conditional_block(self.field(clause, fields.consequence));
            cases.push(case);
        }
        let statement = self.stmt(Stmt::Match { subject, cases });
        block.push(statement);
    }

    /// The variable of `case C() as x` or `case x`.
    fn whole_capture(&mut self, pattern: Node<'_>) -> u32 {
        let children = self.children(pattern);
        let [only] = children.as_slice() else { return NONE };
        let target = match self.kind(*only) {
            NodeKind::AsPattern => self.children(*only).last().copied(),
            NodeKind::DottedName if self.children(*only).len() == 1 => Some(*only),
            _ => None,
        };
        let Some(target) = target else { return NONE };
        let name = self.name(self.text(target));
        self.bind(name)
    }

    /// A pattern for the value at `path`; `is_whole` says that this is the subject itself.
    fn pattern(&mut self, node: Node<'_>, path: &mut Vec<ExprId>, is_whole: bool, case: &mut Case) {
        self.nested((), |this| this.pattern_of_kind(node, path, is_whole, case));
    }

    fn pattern_of_kind(&mut self, node: Node<'_>, path: &mut Vec<ExprId>, is_whole: bool, case: &mut Case) {
        let length = path.len();
        let children = self.children(node);
        match self.kind(node) {
            NodeKind::ClassPattern => {
                let Some((&name, parts)) = children.split_first() else { return };
                let class = self.dotted(name);
                if is_whole {
                    case.classes.push(class);
                    case.has_parts |= !parts.is_empty();
                } else {
                    case.values.push(class);
                }
                path.push(class);
                for (position, &part) in (0..).zip(parts) {
                    if !self.is_keyword(part) {
                        let position = self.expr(ExprKind::Int(position), self.place(part));
                        path.push(position);
                    }
                    self.pattern(part, path, false, case);
                    path.truncate(length + 1);
                }
            }
            NodeKind::KeywordPattern => {
                let attribute = self.attribute_step(node);
                path.push(attribute);
                case.captures.push(Capture { variable: NONE, path: path.clone() });
                for &value in children.iter().skip(1) {
                    self.pattern(value, path, false, case);
                }
            }
            NodeKind::AsPattern => {
                let Some((&alias, inner)) = children.split_last() else { return };
                for &pattern in inner {
                    self.pattern(pattern, path, is_whole, case);
                    self.route(pattern, path);
                }
                self.capture(alias, path, case);
            }
            NodeKind::DottedName if children.len() > 1 => {
                let value = self.dotted(node);
                case.values.push(value);
            }
            NodeKind::DottedName | NodeKind::Identifier => self.capture(node, path, case),
            NodeKind::ListPattern => self.items(&children, path, case),
            NodeKind::TuplePattern
                if children.len() > 1 || self.text(node).trim_end_matches([')', ' ']).ends_with(',') =>
            {
                self.items(&children, path, case);
            }
            NodeKind::DictPattern => {
                let fields = &self.syntax.fields;
                let values = self.fields(node, fields.value);
                for (key, value) in self.fields(node, fields.key).into_iter().zip(values) {
                    let place = self.place(key);
                    let index = self.expression(key);
                    let item = self.expr(ExprKind::Subscript { base: NONE, index }, place);
                    path.push(item);
                    self.pattern(value, path, false, case);
                    path.truncate(length);
                }
                for rest in self.children_of(node, NodeKind::SplatPattern) {
                    self.pattern(rest, path, false, case);
                }
            }
            NodeKind::SplatPattern => {
                let rest = self.expr(ExprKind::Starred(NONE), self.place(node));
                path.push(rest);
                for &name in &children {
                    self.capture(name, path, case);
                }
            }
            // `(x)`, `A() | B()` and the wrappers of a pattern.
            NodeKind::CasePattern | NodeKind::TuplePattern | NodeKind::UnionPattern => {
                for &child in &children {
                    self.pattern(child, path, is_whole, case);
                    path.truncate(length);
                }
            }
            _ => {
                for &child in &children {
                    self.pattern(child, path, false, case);
                    path.truncate(length);
                }
            }
        }
        path.truncate(length);
    }

    /// The patterns of a list: each at its place, behind a star anywhere.
    fn items(&mut self, patterns: &[Node<'_>], path: &mut Vec<ExprId>, case: &mut Case) {
        let length = path.len();
        let mut is_behind = false;
        for (position, &pattern) in (0..).zip(patterns) {
            let is_rest =
                self.children(pattern).first().is_some_and(|&child| self.kind(child) == NodeKind::SplatPattern);
            is_behind |= is_rest;
            if !is_rest {
                let place = self.place(pattern);
                let index = if is_behind { NONE } else { self.expr(ExprKind::Int(position), place) };
                let item = self.expr(ExprKind::Subscript { base: NONE, index }, place);
                path.push(item);
            }
            self.pattern(pattern, path, false, case);
            path.truncate(length);
        }
    }

    /// Adds the steps by which a pattern narrows the value at the path: `A()`, `x=A()`.
    fn route(&mut self, node: Node<'_>, path: &mut Vec<ExprId>) {
        let children = self.children(node);
        match self.kind(node) {
            NodeKind::CasePattern if children.len() == 1 => self.nested((), |this| this.route(children[0], path)),
            NodeKind::ClassPattern => {
                let class = self.dotted(children[0]);
                path.push(class);
            }
            NodeKind::KeywordPattern => {
                let attribute = self.attribute_step(node);
                path.push(attribute);
                if let Some(&value) = children.get(1) {
                    self.nested((), |this| this.route(value, path));
                }
            }
            _ => {}
        }
    }

    /// `x` in `x=pattern`.
    fn attribute_step(&mut self, node: Node<'_>) -> ExprId {
        let Some(&name) = self.children(node).first() else { return NONE };
        let place = self.place(name);
        let name = self.name(self.text(name));
        self.expr(ExprKind::Attribute { base: NONE, name }, place)
    }

    fn is_keyword(&self, node: Node<'_>) -> bool {
        match self.kind(node) {
            NodeKind::KeywordPattern => true,
            NodeKind::CasePattern | NodeKind::AsPattern => {
                self.children(node).first().is_some_and(|&child| self.is_keyword(child))
            }
            _ => false,
        }
    }

    fn capture(&mut self, node: Node<'_>, path: &[ExprId], case: &mut Case) {
        let text = self.text(node);
        if text != "_" {
            let name = self.name(text);
            let variable = self.bind(name);
            case.captures.push(Capture { variable, path: path.to_vec() });
        }
    }
}
