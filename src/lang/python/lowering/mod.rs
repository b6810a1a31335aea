//! The walk over one syntax tree: statements become lowered statements, names become variables of scopes.
//!
//! It fills the tables of [`Bodies`] and the log of the names that module and class scopes bind, from which
//! `interface` makes the part that others see. Nesting beyond [`MAX_DEPTH`] is cut and the file is marked partial:
//! Python itself refuses such code long before.

pub(crate) mod definitions;
pub(crate) mod expressions;
pub(crate) mod made_classes;
pub(crate) mod patterns;
pub(crate) mod statements;
pub(crate) mod tables;
pub(crate) mod type_checking;
pub(crate) mod type_statements;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tree_sitter::{Node, Parser, TreeCursor};

use crate::{
    facts::{
        NameId,
        bodies::{
            Bodies, Expr, ExprId, ExprKind, Literal, NONE, Operator, Scope, ScopeId, ScopeKind, Stmt, VarId, Variable,
        },
        interface::{Binding, ModulePath},
    },
    lang::python::{
        lowering::type_checking::TypeChecking,
        syntax::{NodeKind, Syntax},
    },
    model::{DefinitionHash, EntityFlags, EntityKind, EntityRecord, definition_hash},
};

/// Nesting of statements and expressions that is followed.
const MAX_DEPTH: u32 = 1000;
/// The scope of the file.
const MODULE: ScopeId = 0;

/// Children of a node, mostly few.
pub(super) type Nodes<'t> = SmallVec<[Node<'t>; 8]>;

/// The state of the walk.
pub(super) struct Lowerer<'s> {
    pub(super) syntax: &'static Syntax,
    pub(super) parser: &'s mut Parser,
    pub(super) source: &'s str,
    /// Row and column at which `source` begins, for quoted annotations.
    pub(super) origin: (u32, u32),
    pub(super) bodies: Bodies,
    pub(super) scope_tables: Vec<ScopeTable>,
    /// Loads whose variable is looked up when all scopes are known: each with its scope, and whether that scope is a
    /// class that has not bound the name by then.
    pub(super) pending: Vec<(ExprId, ScopeId, bool)>,
    pub(super) bound: Vec<BoundName>,
    pub(super) scope: ScopeId,
    pub(super) entity: u32,
    /// Index into [`Bodies::classes`] while directly in a class body or in one of its methods.
    pub(super) class: u32,
    /// The first parameter of the method being lowered, and whether it stands for the class.
    pub(super) receiver: Option<(VarId, bool)>,
    /// The class whose instances (or which itself) the receiver is, as index into [`Bodies::classes`].
    pub(super) receiver_class: u32,
    /// The function being lowered has a `yield` of its own.
    pub(super) has_yield: bool,
    /// Depth of `if`, `try` and the like around the statement.
    pub(super) conditional: u32,
    pub(super) type_checking: TypeChecking,
    pub(super) in_annotation: bool,
    pub(super) keeps_annotations: bool,
    /// The arguments of a call of `type` that the grammar has torn from it, by node, and the loaded `type`.
    pub(super) misread_call: Option<(usize, ExprId)>,
    pub(super) attributes: Vec<SelfAttribute>,
    pub(super) exports: Option<Vec<NameId>>,
    pub(super) plugins: Vec<NameId>,
    pub(super) stars: Vec<ModulePath>,
    duplicates: FxHashMap<String, u32>,
    /// Containers and lambdas numbered so far, per entity.
    sites: FxHashMap<u32, u32>,
    depth: u32,
}

/// The bindings of a scope, while it is being filled.
#[derive(Default)]
pub(super) struct ScopeTable {
    pub(super) variables: FxHashMap<NameId, VarId>,
    /// Names declared `global` (to the module) or `nonlocal`.
    pub(super) elsewhere: FxHashMap<NameId, VarId>,
}

/// One binding of a name in a module or class scope, in source order.
pub(super) struct BoundName {
    pub(super) scope: ScopeId,
    pub(super) name: NameId,
    pub(super) binding: Binding,
    pub(super) is_conditional: bool,
    /// It stands under `if TYPE_CHECKING:`.
    pub(super) is_for_types: bool,
}

/// `self.name = …` in a method.
pub(super) struct SelfAttribute {
    pub(super) class: u32,
    pub(super) name: NameId,
    pub(super) place: (u32, u32),
    pub(super) lines: (u32, u32),
    pub(super) hash: DefinitionHash,
    pub(super) is_class_level: bool,
    /// Whether every object has it, where it stands in `__init__`: outside all blocks that may not run.
    pub(super) in_constructor: Option<bool>,
}

impl<'s> Lowerer<'s> {
    pub(super) fn new(parser: &'s mut Parser, source: &'s str) -> Self {
        Lowerer {
            syntax: Syntax::get(),
            parser,
            source,
            origin: (0, 0),
            bodies: Bodies::default(),
            scope_tables: Vec::new(),
            pending: Vec::new(),
            bound: Vec::new(),
            scope: 0,
            entity: 0,
            class: NONE,
            receiver: None,
            receiver_class: NONE,
            has_yield: false,
            conditional: 0,
            type_checking: TypeChecking::default(),
            in_annotation: false,
            keeps_annotations: false,
            misread_call: None,
            attributes: Vec::new(),
            exports: None,
            plugins: Vec::new(),
            stars: Vec::new(),
            duplicates: FxHashMap::default(),
            sites: FxHashMap::default(),
            depth: 0,
        }
    }

    /// Lowers a whole module.
    pub(super) fn module(&mut self, root: Node<'_>) {
        let line_count = u32::try_from(self.source.lines().count()).unwrap_or(u32::MAX).max(1);
        self.bodies.line_count = line_count;
        self.bodies.is_partial = root.has_error();
        let doc = self.docstring(root);
        let content_hash = definition_hash(self.source.as_bytes());
        self.bodies.records.push(EntityRecord { doc, ..EntityRecord::of_module(line_count, content_hash) });
        self.scope = self.push_scope(ScopeKind::Module, 0, 0);
        let block = self.block(root);
        self.bodies.module = block;
        self.record_self_attributes();
        self.bind_pending();
    }

    // --- nodes -------------------------------------------------------------------------------------------------

    pub(super) fn kind(&self, node: Node<'_>) -> NodeKind {
        self.syntax.kind(node)
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    /// Line (1-based) and column (bytes, 0-based) of a node.
    pub(super) fn place(&self, node: Node<'_>) -> (u32, u32) {
        let point = node.start_position();
        let row = u32::try_from(point.row).unwrap_or(u32::MAX);
        let column = u32::try_from(point.column).unwrap_or(u32::MAX);
        (self.origin.0 + row + 1, if row == 0 { self.origin.1 + column } else { column })
    }

    /// First and last line of a node, 1-based.
    pub(super) fn lines(&self, node: Node<'_>) -> (u32, u32) {
        let end = node.end_position();
        let last = if end.column == 0 && end.row > node.start_position().row { end.row } else { end.row + 1 };
        (self.place(node).0, self.origin.0 + u32::try_from(last).unwrap_or(u32::MAX))
    }

    /// Named children, comments left out.
    pub(super) fn children<'t>(&self, node: Node<'t>) -> Nodes<'t> {
        let mut children = Nodes::new();
        let mut cursor: TreeCursor<'t> = node.walk();
        if cursor.goto_first_child() {
            loop {
                let child = cursor.node();
                if child.is_named() && !child.is_extra() {
                    children.push(child);
                }
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        children
    }

    /// Children of one kind, in order.
    pub(super) fn children_of<'t>(&self, node: Node<'t>, kind: NodeKind) -> Nodes<'t> {
        let mut children = self.children(node);
        children.retain(|child| self.kind(*child) == kind);
        children
    }

    /// Children with this field, in order.
    pub(super) fn fields<'t>(&self, node: Node<'t>, field: u16) -> Nodes<'t> {
        let mut children = Nodes::new();
        let mut cursor: TreeCursor<'t> = node.walk();
        if cursor.goto_first_child() {
            loop {
                if cursor.field_id().is_some_and(|id| id.get() == field) && cursor.node().is_named() {
                    children.push(cursor.node());
                }
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        children
    }

    pub(super) fn field<'t>(&self, node: Node<'t>, field: u16) -> Option<Node<'t>> {
        node.child_by_field_id(field)
    }

    /// Runs `lower` unless the nesting is too deep.
    pub(super) fn nested<T>(&mut self, otherwise: T, lower: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.bodies.is_partial = true;
            return otherwise;
        }
        self.depth += 1;
        let result = lower(self);
        self.depth -= 1;
        result
    }

    // --- scopes ------------------------------------------------------------------------------------------------

    pub(super) fn push_scope(&mut self, kind: ScopeKind, parent: ScopeId, entity: u32) -> ScopeId {
        let id = u32::try_from(self.bodies.scopes.len()).expect("a file has fewer than 2^32 scopes");
        self.bodies.scopes.push(Scope { kind, parent, entity, size: 0 });
        self.scope_tables.push(ScopeTable::default());
        id
    }

    pub(super) fn name(&mut self, text: &str) -> NameId {
        self.bodies.names.intern(text)
    }

    /// The variable that `name` is bound to when it is assigned in the present scope.
    pub(super) fn bind(&mut self, name: NameId) -> VarId {
        self.bind_in(self.scope, name)
    }

    pub(super) fn bind_in(&mut self, scope: ScopeId, name: NameId) -> VarId {
        let table = &self.scope_tables[scope as usize];
        if let Some(&variable) = table.elsewhere.get(&name).or_else(|| table.variables.get(&name)) {
            return variable;
        }
        let id = u32::try_from(self.bodies.variables.len()).expect("a file has fewer than 2^32 variables");
        let slot = self.bodies.scopes[scope as usize].size;
        self.bodies.scopes[scope as usize].size += 1;
        self.bodies.variables.push(Variable { name, scope, slot, entity: NONE, is_nonlocal: false });
        self.scope_tables[scope as usize].variables.insert(name, id);
        id
    }

    /// The nearest scope that is not a comprehension: where `:=` binds.
    pub(super) fn walrus_scope(&self) -> ScopeId {
        let mut scope = self.scope;
        while self.bodies.scopes[scope as usize].kind == ScopeKind::Comprehension {
            scope = self.bodies.scopes[scope as usize].parent;
        }
        scope
    }

    /// Notes that a module or class scope binds a name.
    pub(super) fn log(&mut self, scope: ScopeId, name: NameId, binding: Binding) {
        if matches!(self.bodies.scopes[scope as usize].kind, ScopeKind::Module | ScopeKind::Class) {
            let (is_conditional, is_for_types) = (self.conditional > 0, self.type_checking.depth > 0);
            self.bound.push(BoundName { scope, name, binding, is_conditional, is_for_types });
        }
    }

    /// Whether the body of a class reads a name before it binds it: `run = staticmethod(run)`. Annotations may be read
    /// later.
    pub(super) fn is_before_binding(&self, name: NameId) -> bool {
        let is_class = self.bodies.scopes[self.scope as usize].kind == ScopeKind::Class;
        is_class && !self.in_annotation && !self.scope_tables[self.scope as usize].variables.contains_key(&name)
    }

    /// Looks up the variables of all loads by Python's rule: own scope, then enclosing ones without classes. A name
    /// that a class binds only further down comes from the module until then.
    fn bind_pending(&mut self) {
        for (expression, scope, is_before) in std::mem::take(&mut self.pending) {
            let ExprKind::Name { name, .. } = self.bodies.expressions[expression as usize].kind else { continue };
            let is_bound_later = is_before && self.scope_tables[scope as usize].variables.contains_key(&name);
            let found = self.lookup(if is_bound_later { MODULE } else { scope }, name);
            if let ExprKind::Name { variable, .. } = &mut self.bodies.expressions[expression as usize].kind {
                *variable = found;
            }
        }
    }

    fn lookup(&self, start: ScopeId, name: NameId) -> VarId {
        let mut scope = start;
        // Type parameters of a method stand in the class's body.
        let first = &self.bodies.scopes[start as usize];
        let around = if first.kind == ScopeKind::Annotation { first.parent } else { start };
        loop {
            let here = &self.bodies.scopes[scope as usize];
            let table = &self.scope_tables[scope as usize];
            if (scope == start || scope == around || here.kind != ScopeKind::Class)
                && let Some(&variable) = table.elsewhere.get(&name).or_else(|| table.variables.get(&name))
            {
                return variable;
            }
            if here.kind == ScopeKind::Module {
                return NONE;
            }
            scope = here.parent;
        }
    }

    /// A new container or lambda number within the present entity.
    pub(super) fn site(&mut self) -> u32 {
        let site = self.sites.entry(self.entity).or_insert(0);
        *site += 1;
        *site
    }

    // --- entities ----------------------------------------------------------------------------------------------

    /// `parent.name`, and how many entities had this qualified name before.
    pub(super) fn qualify(&mut self, parent: u32, name: &str) -> (String, u32) {
        let prefix = &self.bodies.records[parent as usize].qualified;
        let qualified = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
        let count = self.duplicates.entry(qualified.clone()).or_insert(0);
        let duplicate = *count;
        *count += 1;
        (qualified, duplicate)
    }

    pub(super) fn add_record(&mut self, record: EntityRecord) -> u32 {
        let id = u32::try_from(self.bodies.records.len()).expect("a file has fewer than 2^32 entities");
        self.bodies.records.push(record);
        id
    }

    /// Hash of the lines' bytes from the beginning of the node's first line: indentation counts.
    pub(super) fn content_hash(&self, node: Node<'_>) -> DefinitionHash {
        let range = node.byte_range();
        let start = self.source[..range.start.min(self.source.len())].rfind('\n').map_or(0, |index| index + 1);
        definition_hash(&self.source.as_bytes()[start..range.end.min(self.source.len())])
    }

    /// The entity of a variable assigned at module or class level by `statement`; made when it is new.
    pub(super) fn variable_entity(&mut self, variable: VarId, target: Node<'_>, statement: Node<'_>) {
        let Variable { name, scope, entity, .. } = self.bodies.variables[variable as usize].clone();
        let here = &self.bodies.scopes[scope as usize];
        if !matches!(here.kind, ScopeKind::Module | ScopeKind::Class) || scope != self.walrus_scope() {
            return;
        }
        if entity != NONE {
            self.log(scope, name, Binding::Entity(entity));
            return;
        }
        let (lines, place) = (self.lines(statement), self.place(target));
        let flags = EntityFlags(if self.conditional > 0 { EntityFlags::CONDITIONAL } else { 0 });
        let hash = self.content_hash(statement);
        let id = self.add_variable(scope, name, lines, place, flags, hash);
        self.bodies.variables[variable as usize].entity = id;
    }

    /// Makes an entity of every attribute set on `self` that the class does not define itself.
    fn record_self_attributes(&mut self) {
        for attribute in std::mem::take(&mut self.attributes) {
            let scope = self.bodies.classes[attribute.class as usize].scope;
            let is_it = |bound: &&BoundName| bound.scope == scope && bound.name == attribute.name;
            if let Some(bound) = self.bound.iter().rfind(is_it) {
                if let (Binding::Entity(member), Some(is_sure)) = (&bound.binding, attribute.in_constructor) {
                    let how = if is_sure { EntityFlags::REPLACED } else { EntityFlags::PERHAPS_REPLACED };
                    self.bodies.records[*member as usize].flags.0 |= how;
                }
                continue;
            }
            let flags = EntityFlags(if attribute.is_class_level { 0 } else { EntityFlags::INSTANCE_ATTRIBUTE });
            self.conditional = 0;
            self.add_variable(scope, attribute.name, attribute.lines, attribute.place, flags, attribute.hash);
        }
    }

    /// Remembers `self.name = …` for the class's table of attributes.
    pub(super) fn note_self_attribute(&mut self, target: ExprId, statement: Node<'_>) {
        let Some((receiver, is_class_level)) = self.receiver else { return };
        let expression = &self.bodies.expressions[target as usize];
        let ExprKind::Attribute { base, name } = expression.kind else { return };
        let place = (expression.line, expression.column);
        if base == NONE {
            return;
        }
        let ExprKind::Name { name: base_name, .. } = self.bodies.expressions[base as usize].kind else { return };
        if base_name != self.bodies.variables[receiver as usize].name {
            return;
        }
        self.attributes.push(SelfAttribute {
            class: self.receiver_class,
            name,
            place,
            lines: self.lines(statement),
            hash: self.content_hash(statement),
            is_class_level,
            in_constructor: (self.bodies.records[self.entity as usize].name == "__init__")
                .then_some(self.conditional == 0),
        });
    }

    /// Adds the entity of a variable and binds its name to it.
    pub(super) fn add_variable(
        &mut self,
        scope: ScopeId,
        name: NameId,
        (start_line, end_line): (u32, u32),
        (line, column): (u32, u32),
        flags: EntityFlags,
        content_hash: DefinitionHash,
    ) -> u32 {
        let parent = self.bodies.scopes[scope as usize].entity;
        let text = self.bodies.names.text(name).to_owned();
        let (qualified, duplicate) = self.qualify(parent, &text);
        let id = self.add_record(EntityRecord {
            kind: EntityKind::Variable,
            name: text,
            qualified,
            duplicate,
            parent,
            start_line,
            end_line,
            line,
            column,
            signature: String::new(),
            doc: String::new(),
            decorators: Vec::new(),
            flags,
            content_hash,
        });
        self.log(scope, name, Binding::Entity(id));
        id
    }

    // --- tables ------------------------------------------------------------------------------------------------

    pub(super) fn expr(&mut self, kind: ExprKind, place: (u32, u32)) -> ExprId {
        let id = u32::try_from(self.bodies.expressions.len()).expect("a file has fewer than 2^32 expressions");
        self.bodies.expressions.push(Expr { kind, line: place.0, column: place.1 });
        id
    }

    pub(super) fn run(&mut self, items: &[ExprId]) -> (u32, u32) {
        let start = u32::try_from(self.bodies.expression_lists.len()).expect("a file has fewer than 2^32 items");
        self.bodies.expression_lists.extend_from_slice(items);
        (start, u32::try_from(items.len()).expect("a file has fewer than 2^32 items"))
    }

    pub(super) fn stmt(&mut self, statement: Stmt) -> u32 {
        let id = u32::try_from(self.bodies.statements.len()).expect("a file has fewer than 2^32 statements");
        self.bodies.statements.push(statement);
        id
    }

    pub(super) fn literal(&mut self, literal: Literal, node: Node<'_>) -> ExprId {
        let place = self.place(node);
        self.expr(ExprKind::Literal(literal), place)
    }
}

/// Whether a statement or clause begins with `async`.
pub(super) fn is_async(node: Node<'_>) -> bool {
    node.child(0).is_some_and(|token| token.kind() == "async")
}

/// The operator written as `text`, `=` of an augmented one dropped.
pub(super) fn operator(text: &str) -> Operator {
    match text.trim_end_matches('=') {
        "+" => Operator::Add,
        "-" => Operator::Sub,
        "*" => Operator::Mul,
        "@" => Operator::MatMul,
        "/" => Operator::Div,
        "//" => Operator::FloorDiv,
        "%" => Operator::Mod,
        "**" => Operator::Pow,
        "<<" => Operator::LeftShift,
        ">>" => Operator::RightShift,
        "&" => Operator::And,
        "|" => Operator::Or,
        "^" => Operator::Xor,
        _ => Operator::Is,
    }
}

/// The comparison written as `text`.
pub(super) fn comparison(text: &str) -> Operator {
    match text {
        "==" => Operator::Eq,
        "!=" | "<>" => Operator::NotEq,
        "<" => Operator::Less,
        "<=" => Operator::LessEq,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterEq,
        "in" => Operator::In,
        "not in" => Operator::NotIn,
        "is not" => Operator::IsNot,
        _ => Operator::Is,
    }
}
