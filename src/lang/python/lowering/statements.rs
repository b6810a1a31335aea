//! Statements of a block, in the order they run.

use tree_sitter::Node;

use crate::{
    facts::{
        NameId,
        bodies::{Block, Bodies, ExprId, ExprKind, Handler, NONE, ScopeKind, Stmt, TextReference, Variable},
        interface::{Binding, ModulePath},
    },
    lang::python::{
        lowering::{Lowerer, is_async, operator},
        syntax::NodeKind,
    },
    model::EntityFlags,
};

/// The names in the annotation of a field that no instance of the repository's classes stands in.
const PLAIN_TYPES: [&str; 9] = ["str", "int", "float", "bool", "bytes", "None", "Optional", "Union", "typing"];

impl Lowerer<'_> {
    /// The statements below `node`, error nodes looked through.
    pub(crate) fn block(&mut self, node: Node<'_>) -> Block {
        let mut block = Block::new();
        let children = self.children(node);
        for child in children {
            self.nested((), |this| this.statement(child, &mut block));
        }
        block
    }

    pub(crate) fn conditional_block(&mut self, node: Option<Node<'_>>) -> Block {
        self.conditional += 1;
        let block = node.map_or_else(Block::new, |node| self.block(node));
        self.conditional -= 1;
        block
    }

    pub(crate) fn push(&mut self, block: &mut Block, statement: Stmt) {
        let id = self.stmt(statement);
        block.push(id);
    }

    fn statement(&mut self, node: Node<'_>, block: &mut Block) {
        let fields = &self.syntax.fields;
        match self.kind(node) {
            NodeKind::ExpressionStatement => self.expression_statement(node, block),
            NodeKind::Return => {
                let value = self.first_child_expression(node);
                self.push(block, Stmt::Return(value));
            }
            NodeKind::If => self.if_statement(node, block),
            NodeKind::For => {
                let iterable = self.field(node, fields.right).map_or(NONE, |right| self.expression(right));
                let target = self.field(node, fields.left).map_or(NONE, |left| self.target(left, node));
                let body = self.conditional_block(self.field(node, fields.body));
                let otherwise = self.else_block(node);
                self.push(block, Stmt::For { is_async: is_async(node), target, iterable, body, otherwise });
            }
            NodeKind::While => {
                let test = self.field(node, fields.condition).map_or(NONE, |test| self.expression(test));
                let body = self.conditional_block(self.field(node, fields.body));
                let otherwise = self.else_block(node);
                self.push(block, Stmt::While { test, body, otherwise });
            }
            NodeKind::With => self.with_statement(node, block),
            NodeKind::Try => self.try_statement(node, block),
            NodeKind::Match => self.match_statement(node, block),
            NodeKind::Function => self.function(node, None, block),
            NodeKind::Class => self.class(node, None, block),
            NodeKind::Decorated => {
                if let Some(definition) = self.field(node, fields.definition) {
                    match self.kind(definition) {
                        NodeKind::Class => self.class(definition, Some(node), block),
                        _ => self.function(definition, Some(node), block),
                    }
                }
            }
            NodeKind::ImportStatement => self.import(node, block),
            NodeKind::ImportFrom => self.import_from(node, block),
            NodeKind::Raise => {
                let cause = self.field(node, fields.cause);
                let exception = self.children(node).into_iter().find(|&child| Some(child) != cause);
                let exception = exception.map_or(NONE, |child| self.expression(child));
                let cause = cause.map_or(NONE, |child| self.expression(child));
                self.push(block, Stmt::Raise { exception, cause });
            }
            NodeKind::Assert => {
                let children = self.children(node);
                let test = children.first().map_or(NONE, |&child| self.expression(child));
                let message = children.get(1).map_or(NONE, |&child| self.expression(child));
                self.push(block, Stmt::Assert { test, message });
            }
            NodeKind::Delete => {
                for child in self.children(node) {
                    self.delete(child, block);
                }
            }
            NodeKind::Global | NodeKind::Nonlocal => self.declare_elsewhere(node),
            NodeKind::TypeAlias => self.type_alias(node, block),
            NodeKind::Break | NodeKind::Continue => self.push(block, Stmt::Jump),
            NodeKind::Print | NodeKind::Exec => {
                for child in self.children(node) {
                    let value = self.expression(child);
                    self.push(block, Stmt::Expr(value));
                }
            }
            NodeKind::Error | NodeKind::Block => {
                let inner = self.block(node);
                block.extend(inner);
            }
            NodeKind::FutureImport => {
                self.keeps_annotations |= self.children(node).iter().any(|&name| self.text(name) == "annotations");
            }
            NodeKind::Pass | NodeKind::Comment | NodeKind::Identifier | NodeKind::Str => {}
            NodeKind::Other => {}
            _ => {
                // Below an error node expressions stand where statements should.
                let value = self.expression(node);
                self.push(block, Stmt::Expr(value));
            }
        }
    }

    /// `del` of a name makes it local, as an assignment does.
    fn delete(&mut self, node: Node<'_>, block: &mut Block) {
        match self.kind(node) {
            NodeKind::ExpressionList | NodeKind::Tuple | NodeKind::List | NodeKind::Parenthesized => {
                for child in self.children(node) {
                    self.nested((), |this| this.delete(child, block));
                }
                return;
            }
            NodeKind::Identifier => {
                let name = self.name(self.text(node));
                self.bind(name);
            }
            _ => {}
        }
        let target = self.expression(node);
        self.push(block, Stmt::Delete(target));
    }

    pub(crate) fn first_child_expression(&mut self, node: Node<'_>) -> ExprId {
        self.children(node).first().map_or(NONE, |&child| self.expression(child))
    }

    fn expression_statement(&mut self, node: Node<'_>, block: &mut Block) {
        let children = self.children(node);
        if let [only] = children.as_slice() {
            match self.kind(*only) {
                // A docstring, or a comment in disguise; the values in an f-string are evaluated.
                NodeKind::Str | NodeKind::ConcatenatedString if !self.text(*only).contains('{') => return,
                NodeKind::Assignment => {
                    if !self.made_class(*only, node, block) {
                        self.assignment(*only, node, block);
                    }
                    return;
                }
                NodeKind::AugmentedAssignment => {
                    self.augmented(*only, block);
                    return;
                }
                _ => {}
            }
        }
        for child in children {
            let value = self.expression(child);
            self.push(block, Stmt::Expr(value));
        }
    }

    /// `a = b = value` becomes two assignments of one value; returns the value.
    fn assignment(&mut self, node: Node<'_>, statement: Node<'_>, block: &mut Block) -> ExprId {
        let fields = &self.syntax.fields;
        let left = self.field(node, fields.left);
        let annotation = self.field(node, fields.annotation);
        let value = match self.field(node, fields.right) {
            Some(right) if self.kind(right) == NodeKind::Assignment => {
                self.nested(NONE, |this| this.assignment(right, statement, block))
            }
            // `Items: TypeAlias = "list[Item]"`: the quoted text is a type.
            Some(right) if self.kind(right) == NodeKind::Str && annotation.is_some_and(|node| self.is_alias(node)) => {
                self.annotation(right)
            }
            Some(right) => self.expression(right),
            None => NONE,
        };
        let Some(left) = left else { return value };
        if self.is_target_replaced(left) {
            let declared = annotation.map_or(NONE, |annotation| self.annotation(annotation));
            self.push(block, Stmt::Annotation(declared));
            self.push(block, Stmt::Expr(value));
            return value;
        }
        if let Some(written) = annotation {
            let annotation = self.annotation(written);
            let target = self.target(left, statement);
            self.mark_declared(target, value == NONE);
            self.mark_field(target, written, value);
            self.push(block, Stmt::Annotated { target, annotation, value });
        } else {
            self.note_module_lists(left, value);
            let target = self.target(left, statement);
            self.mark_declared(target, false);
            self.push(block, Stmt::Assign { target, value });
        }
        value
    }

    fn is_alias(&self, annotation: Node<'_>) -> bool {
        self.text(annotation).ends_with("TypeAlias")
    }

    /// Notes of a variable of a class or module whether there is nothing but a declaration of it, so far.
    fn mark_declared(&mut self, target: ExprId, is_declaration: bool) {
        let Some(&ExprKind::Name { variable, .. }) = self.bodies.kind(target) else { return };
        let Variable { scope, entity, .. } = self.bodies.variables[variable as usize];
        if entity == NONE || !matches!(self.bodies.scopes[scope as usize].kind, ScopeKind::Class | ScopeKind::Module) {
            return;
        }
        let written = &self.bodies.expressions[target as usize];
        let record = &mut self.bodies.records[entity as usize];
        if !is_declaration {
            record.flags.0 &= !EntityFlags::DECLARED;
        } else if (record.line, record.column) == (written.line, written.column) {
            record.flags.0 |= EntityFlags::DECLARED;
        }
    }

    /// Notes of a variable of a class that a written constructor fills it.
    fn mark_field(&mut self, target: ExprId, annotation: Node<'_>, value: ExprId) {
        let Some(&ExprKind::Name { variable, .. }) = self.bodies.kind(target) else { return };
        let Variable { scope, entity, .. } = self.bodies.variables[variable as usize];
        let (text, is_in_class) = (self.text(annotation), self.bodies.scopes[scope as usize].kind == ScopeKind::Class);
        if entity == NONE || !is_in_class || text.contains("ClassVar") || is_left_out(&self.bodies, value) {
            return;
        }
        let mut names = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
        let is_plain = names.all(|name| PLAIN_TYPES.contains(&name));
        let flags = EntityFlags::FIELD | if is_plain { EntityFlags::PLAIN_FIELD } else { 0 };
        self.bodies.records[entity as usize].flags.0 |= flags;
    }

    fn augmented(&mut self, node: Node<'_>, block: &mut Block) {
        let fields = &self.syntax.fields;
        let operator = self.field(node, fields.operator).map_or("", |token| self.text(token));
        let operator = self::operator(operator);
        let value = self.field(node, fields.right).map_or(NONE, |right| self.expression(right));
        let Some(left) = self.field(node, fields.left) else { return };
        self.note_module_lists(left, value);
        let target = self.target(left, node);
        self.push(block, Stmt::Augmented { target, operator, value });
    }

    /// Remembers the strings of `__all__` and `pytest_plugins`.
    fn note_module_lists(&mut self, target: Node<'_>, value: ExprId) {
        if self.scope != 0 || value == NONE || self.kind(target) != NodeKind::Identifier {
            return;
        }
        let name = self.text(target);
        if name != "__all__" && name != "pytest_plugins" {
            return;
        }
        let mut texts: Vec<NameId> = Vec::new();
        self.collect_texts(value, &mut texts);
        if name == "__all__" {
            self.note_exports(value);
            self.exports.get_or_insert_default().extend(texts);
        } else {
            self.plugins.extend(texts);
        }
    }

    fn note_exports(&mut self, value: ExprId) {
        let expression = &self.bodies.expressions[value as usize];
        let (line, column) = (expression.line, expression.column);
        match expression.kind.clone() {
            ExprKind::Text(name) => {
                let text = self.bodies.names.text(name).to_owned();
                self.bodies.exports.push(TextReference { text, entity: 0, line, column });
            }
            ExprKind::Sequence { items, .. } => {
                for item in self.bodies.list(items).to_vec() {
                    if item != NONE && matches!(self.bodies.expressions[item as usize].kind, ExprKind::Text(_)) {
                        self.note_exports(item);
                    }
                }
            }
            ExprKind::Binary { left, right, .. } if left != NONE && right != NONE => {
                self.nested((), |this| this.note_exports(left));
                self.nested((), |this| this.note_exports(right));
            }
            _ => {}
        }
    }

    fn collect_texts(&self, value: ExprId, texts: &mut Vec<NameId>) {
        match &self.bodies.expressions[value as usize].kind {
            ExprKind::Text(name) => texts.push(*name),
            ExprKind::Sequence { items, .. } => {
                for &item in self.bodies.list(*items) {
                    if let ExprKind::Text(name) = self.bodies.expressions[item as usize].kind {
                        texts.push(name);
                    }
                }
            }
            ExprKind::Binary { left, right, .. } => {
                self.collect_texts(*left, texts);
                self.collect_texts(*right, texts);
            }
            _ => {}
        }
    }

    fn if_statement(&mut self, node: Node<'_>, block: &mut Block) {
        let fields = &self.syntax.fields;
        let test = self.field(node, fields.condition).map_or(NONE, |test| self.expression(test));
        let then = self.field(node, fields.consequence);
        let alternatives = self.fields(node, fields.alternative);
        let (then, otherwise) = if self.bodies.last_name(test) == Some("TYPE_CHECKING") {
            self.type_checking_branches(then, &alternatives)
        } else {
            (self.conditional_block(then), self.alternatives(&alternatives))
        };
        self.push(block, Stmt::If { test, then, otherwise });
    }

    /// `elif` and `else` clauses as nested `if` statements.
    pub(crate) fn alternatives(&mut self, clauses: &[Node<'_>]) -> Block {
        let fields = &self.syntax.fields;
        let Some((first, rest)) = clauses.split_first() else { return Block::new() };
        if self.kind(*first) == NodeKind::Else {
            return self.conditional_block(self.field(*first, fields.body));
        }
        let test = self.field(*first, fields.condition).map_or(NONE, |test| self.expression(test));
        let then = self.conditional_block(self.field(*first, fields.consequence));
        let otherwise = self.nested(Block::new(), |this| this.alternatives(rest));
        vec![self.stmt(Stmt::If { test, then, otherwise })]
    }

    fn else_block(&mut self, node: Node<'_>) -> Block {
        let clause = self.field(node, self.syntax.fields.alternative);
        let body = clause.and_then(|clause| self.field(clause, self.syntax.fields.body));
        self.conditional_block(body)
    }

    fn with_statement(&mut self, node: Node<'_>, block: &mut Block) {
        let fields = &self.syntax.fields;
        let mut items = Vec::new();
        for clause in self.children_of(node, NodeKind::WithClause) {
            for item in self.children(clause) {
                let Some(value) = self.field(item, fields.value) else { continue };
                if self.kind(value) == NodeKind::AsPattern {
                    let context = self.first_child_expression(value);
                    let target = self.field(value, fields.alias).map_or(NONE, |alias| self.target(alias, node));
                    items.push((context, target));
                } else {
                    let context = self.expression(value);
                    items.push((context, NONE));
                }
            }
        }
        let body = self.field(node, fields.body).map_or_else(Block::new, |body| self.block(body));
        self.push(block, Stmt::With { is_async: is_async(node), items, body });
    }

    fn try_statement(&mut self, node: Node<'_>, block: &mut Block) {
        let fields = &self.syntax.fields;
        let body = self.conditional_block(self.field(node, fields.body));
        let (mut handlers, mut otherwise, mut finally) = (Vec::new(), Block::new(), Block::new());
        for child in self.children(node) {
            match self.kind(child) {
                NodeKind::Except => handlers.push(self.handler(child)),
                NodeKind::Else => otherwise = self.conditional_block(self.field(child, fields.body)),
                NodeKind::Finally => {
                    for inner in self.children(child) {
                        finally.extend(self.block(inner));
                    }
                }
                _ => {}
            }
        }
        self.push(block, Stmt::Try { body, handlers, otherwise, finally });
    }

    fn handler(&mut self, node: Node<'_>) -> Handler {
        let fields = &self.syntax.fields;
        let (mut exception, mut variable) = (NONE, NONE);
        if let Some(value) = self.field(node, fields.value) {
            if self.kind(value) == NodeKind::AsPattern {
                exception = self.first_child_expression(value);
                if let Some(alias) = self.field(value, fields.alias) {
                    let name = self.name(self.text(alias));
                    variable = self.bind(name);
                }
            } else {
                exception = self.expression(value);
            }
        }
        if let Some(alias) = self.field(node, fields.alias) {
            let name = self.name(self.text(alias));
            variable = self.bind(name);
        }
        let body = self.children(node).into_iter().find(|&child| self.kind(child) == NodeKind::Block);
        Handler { exception, variable, body: self.conditional_block(body) }
    }

    fn declare_elsewhere(&mut self, node: Node<'_>) {
        let is_global = self.kind(node) == NodeKind::Global;
        for child in self.children(node) {
            let name = self.name(self.text(child));
            let variable = if is_global {
                self.bind_in(0, name)
            } else {
                let mut scope = self.bodies.scopes[self.scope as usize].parent;
                while scope != 0 && !self.scope_tables[scope as usize].variables.contains_key(&name) {
                    scope = self.bodies.scopes[scope as usize].parent;
                }
                let variable = self.bind_in(scope, name);
                self.bodies.variables[variable as usize].is_nonlocal = true;
                variable
            };
            self.scope_tables[self.scope as usize].elsewhere.insert(name, variable);
        }
    }

    // --- imports -----------------------------------------------------------------------------------------------

    fn module_path(&mut self, node: Node<'_>) -> ModulePath {
        let (mut level, mut parts) = (0, Vec::new());
        match self.kind(node) {
            NodeKind::RelativeImport => {
                for child in self.children(node) {
                    match self.kind(child) {
                        NodeKind::ImportPrefix => {
                            let dots = self.text(child).bytes().filter(|&byte| byte == b'.').count();
                            level = u32::try_from(dots).unwrap_or(u32::MAX);
                        }
                        _ => parts = self.module_path(child).parts,
                    }
                }
            }
            _ => {
                for child in self.children(node) {
                    let part = self.name(self.text(child));
                    parts.push(part);
                }
            }
        }
        ModulePath { level, parts }
    }

    fn import(&mut self, node: Node<'_>, block: &mut Block) {
        let fields = &self.syntax.fields;
        for item in self.fields(node, fields.name) {
            let (dotted, alias) = match self.kind(item) {
                NodeKind::AliasedImport => (self.field(item, fields.name), self.field(item, fields.alias)),
                _ => (Some(item), None),
            };
            let Some(dotted) = dotted else { continue };
            let module = self.module_path(dotted);
            let Some(&first) = module.parts.first() else { continue };
            let bound = alias.map_or(first, |alias| self.name(self.text(alias)));
            let variable = self.bind(bound);
            let seen = match alias {
                Some(_) => module.clone(),
                None => ModulePath { level: 0, parts: vec![first] },
            };
            self.log(self.scope, bound, Binding::Module(seen));
            let (line, column) = self.place(dotted);
            let is_alias = alias.is_some();
            self.push(block, Stmt::Import { module, variable, is_alias, line, column });
        }
    }

    fn import_from(&mut self, node: Node<'_>, block: &mut Block) {
        let fields = &self.syntax.fields;
        let Some(source) = self.field(node, fields.module_name) else { return };
        let module = self.module_path(source);
        let (line, column) = self.place(source);
        if self.children(node).iter().any(|&child| self.kind(child) == NodeKind::WildcardImport) {
            self.stars.push(module.clone());
            self.push(block, Stmt::ImportStar { module, line, column });
            return;
        }
        for item in self.fields(node, fields.name) {
            let (original, alias) = match self.kind(item) {
                NodeKind::AliasedImport => (self.field(item, fields.name), self.field(item, fields.alias)),
                _ => (Some(item), None),
            };
            let Some(original) = original else { continue };
            let name = self.name(self.text(original));
            let bound = alias.map_or(name, |alias| self.name(self.text(alias)));
            let variable = self.bind(bound);
            self.log(self.scope, bound, Binding::From(module.clone(), name));
            let (name_line, name_column) = self.place(original);
            self.push(
                block,
                Stmt::ImportFrom { module: module.clone(), name, variable, line, column, name_column, name_line },
            );
        }
    }
}

/// `field(init=False)`: no argument of the written constructor.
fn is_left_out(bodies: &Bodies, value: ExprId) -> bool {
    let Some(&ExprKind::Call { keywords, .. }) = bodies.kind(value) else { return false };
    let is_init = |name: u32| name != NONE && bodies.names.text(NameId(name)) == "init";
    bodies.keywords(keywords).iter().any(|&(name, value)| is_init(name) && bodies.truth(value) == Some(false))
}
