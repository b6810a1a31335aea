//! Functions, classes and lambdas: their entities, parameters and bodies.

use std::borrow::Cow;

use tree_sitter::Node;

use crate::{
    facts::{
        bodies::{Block, ClassBody, ExprId, ExprKind, FunctionBody, NONE, ParameterBody, ScopeKind, Stmt},
        interface::{Binding, ParameterKind},
    },
    lang::python::{
        lowering::{Lowerer, is_async},
        syntax::{NodeKind, advance},
    },
    model::{
        EntityFlags, EntityKind, EntityRecord,
        conventions::{pytest::is_test_function, unittest::is_test_case},
        signature::without_breaks,
    },
};

/// Longest documentation kept with an entity, in bytes.
const MAX_DOC: usize = 400;
/// Longest signature kept with an entity, in bytes.
const MAX_SIGNATURE: usize = 2000;

impl Lowerer<'_> {
    pub(crate) fn function(&mut self, node: Node<'_>, decorated: Option<Node<'_>>, block: &mut Block) {
        let fields = &self.syntax.fields;
        let Some(name_node) = self.field(node, fields.name) else { return };
        let is_method = self.bodies.scopes[self.scope as usize].kind == ScopeKind::Class;
        let first_text = self.bodies.texts.len();
        let (decorators, texts) = self.decorators(decorated);
        let is_async = is_async(node);
        let mut flags = self.function_flags(self.text(name_node), &texts, is_async, is_method);
        if flags.has(EntityFlags::FIXTURE)
            && decorators.iter().any(|&decorator| self.bodies.flag(decorator, "autouse") == Some(true))
        {
            flags.0 |= EntityFlags::AUTOUSE;
        }
        flags.0 |= self.parametrized(&decorators);
        let kind = match () {
            () if is_method && texts.iter().any(|text| self.is_property(text)) => EntityKind::Property,
            () if is_method => EntityKind::Method,
            () => EntityKind::Function,
        };
        let signature = self.signature(node);
        let entity = self.definition_record(node, decorated, name_node, kind, flags, signature, texts);
        self.texts_are_of(entity, first_text);
        let name = self.name(self.text(name_node));
        let variable = if self.is_replaced(name) {
            NONE
        } else {
            self.log(self.scope, name, Binding::Entity(entity));
            self.bind(name)
        };

        let around = self.scope;
        let type_parameters = self.type_parameters(node, entity);
        let parameters = self.field(node, fields.parameters);
        let parameters = parameters.map_or_else(Vec::new, |list| self.parameters_outside(list));
        let returns = self.field(node, fields.return_type).map_or(NONE, |returns| self.annotation(returns));
        let returns = self.declared_returns(name, returns);

        let saved = self.enter(entity, ScopeKind::Function);
        let parameters = self.bind_parameters(parameters);
        if is_method
            && !flags.has(EntityFlags::STATIC_METHOD)
            && let Some(first) = parameters.first()
        {
            let name = self.text(name_node);
            let is_class_level = flags.has(EntityFlags::CLASS_METHOD) || name == "__new__";
            self.receiver = Some((first.variable, is_class_level));
            self.receiver_class = saved.class;
        }
        let body = self.field(node, fields.body).map_or_else(Block::new, |body| self.block(body));
        let scope = self.scope;
        let is_generator = self.has_yield;
        self.leave(&saved);
        self.scope = around;
        if is_generator {
            self.bodies.records[entity as usize].flags.0 |= EntityFlags::GENERATOR;
        }
        if is_method {
            self.bodies.records[entity as usize].flags.0 |= self.left_to_others(&body);
        }
        let class = if is_method { saved.class } else { NONE };
        let index = u32::try_from(self.bodies.functions.len()).expect("a file has fewer than 2^32 functions");
        self.bodies.functions.push(FunctionBody {
            entity,
            lambda: 0,
            scope,
            variable,
            class,
            type_parameters,
            parameters,
            returns,
            decorators,
            body,
            is_generator,
            is_async,
        });
        let statement = self.stmt(Stmt::Function(index));
        block.push(statement);
    }

    /// The flag of a method with nothing in its body but texts, or `raise NotImplementedError` behind them; else none.
    fn left_to_others(&self, body: &Block) -> u32 {
        let bodies = &self.bodies;
        let is_text = |expression: ExprId| {
            matches!(bodies.kind(expression), Some(ExprKind::Text(_) | ExprKind::Literal(_)) | None)
        };
        let mut flag = EntityFlags::EMPTY;
        for &statement in body {
            match bodies.statements[statement as usize] {
                Stmt::Expr(value) if is_text(value) => {}
                Stmt::Raise { exception, .. } => {
                    let raised = match bodies.kind(exception) {
                        Some(&ExprKind::Call { callee, .. }) => callee,
                        _ => exception,
                    };
                    if bodies.last_name(raised) != Some("NotImplementedError") {
                        return 0;
                    }
                    flag = EntityFlags::UNIMPLEMENTED;
                }
                _ => return 0,
            }
        }
        flag
    }

    pub(crate) fn lambda(&mut self, node: Node<'_>) -> ExprId {
        let fields = &self.syntax.fields;
        let place = self.place(node);
        let lambda = self.site();
        let parameters = self.field(node, fields.parameters);
        let parameters = parameters.map_or_else(Vec::new, |list| self.parameters_outside(list));
        let (entity, receiver) = (self.entity, self.receiver);
        let saved = self.enter(entity, ScopeKind::Lambda);
        self.receiver = receiver;
        let parameters = self.bind_parameters(parameters);
        let value = self.field(node, fields.body).map_or(NONE, |body| self.expression(body));
        let body = vec![self.stmt(Stmt::Return(value))];
        let (scope, is_generator) = (self.scope, self.has_yield);
        self.leave(&saved);
        let function = u32::try_from(self.bodies.functions.len()).expect("a file has fewer than 2^32 functions");
        self.bodies.functions.push(FunctionBody {
            entity,
            lambda,
            scope,
            variable: NONE,
            class: NONE,
            type_parameters: Vec::new(),
            parameters,
            returns: NONE,
            decorators: Vec::new(),
            body,
            is_generator,
            is_async: false,
        });
        self.expr(ExprKind::Lambda { function }, place)
    }

    pub(crate) fn class(&mut self, node: Node<'_>, decorated: Option<Node<'_>>, block: &mut Block) {
        let fields = &self.syntax.fields;
        let Some(name_node) = self.field(node, fields.name) else { return };
        let first_text = self.bodies.texts.len();
        let (decorators, texts) = self.decorators(decorated);
        let conditional = if self.conditional > 0 { EntityFlags::CONDITIONAL } else { 0 };
        let flags = EntityFlags(conditional | self.parametrized(&decorators));
        let entity = self.definition_record(node, decorated, name_node, EntityKind::Class, flags, String::new(), texts);
        self.texts_are_of(entity, first_text);
        let name = self.name(self.text(name_node));
        let variable = self.bind(name);
        self.log(self.scope, name, Binding::Entity(entity));

        let around = self.scope;
        let type_parameters = self.type_parameters(node, entity);
        let (mut bases, mut keywords) = (Vec::new(), Vec::new());
        if let Some(list) = self.field(node, fields.superclasses) {
            for child in self.children(list) {
                match self.kind(child) {
                    NodeKind::KeywordArgument => {
                        let keyword = self.field(child, fields.name).map(|name| self.text(name)).unwrap_or_default();
                        let keyword = self.name(keyword);
                        let value = self.field(child, fields.value).map_or(NONE, |value| self.expression(value));
                        keywords.push((keyword.0, value));
                    }
                    NodeKind::DictionarySplat => {}
                    _ => bases.push(self.expression(child)),
                }
            }
        }
        if bases.iter().any(|&base| self.bodies.last_name(base).is_some_and(is_test_case)) {
            self.bodies.records[entity as usize].flags.0 |= EntityFlags::UNITTEST;
        }
        let body = Block::new();
        let class = ClassBody { entity, scope: NONE, variable, type_parameters, bases, keywords, decorators, body };
        self.add_class(class, block, |this| {
            let superclasses = this.field(node, fields.superclasses);
            let mut body = superclasses.map_or_else(Block::new, |bases| this.inherited_fields(bases, node));
            body.extend(this.field(node, fields.body).map_or_else(Block::new, |body| this.block(body)));
            body
        });
        self.scope = around;
    }

    /// Adds a class with a known head; `body` lowers its body.
    pub(crate) fn add_class(&mut self, class: ClassBody, block: &mut Block, body: impl FnOnce(&mut Self) -> Block) {
        let index = u32::try_from(self.bodies.classes.len()).expect("a file has fewer than 2^32 classes");
        let entity = class.entity;
        self.bodies.classes.push(class);
        let saved = self.enter(entity, ScopeKind::Class);
        self.class = index;
        self.bodies.classes[index as usize].scope = self.scope;
        self.bodies.classes[index as usize].body = body(self);
        self.leave(&saved);
        let statement = self.stmt(Stmt::Class(index));
        block.push(statement);
    }

    // --- entering and leaving ----------------------------------------------------------------------------------

    fn enter(&mut self, entity: u32, kind: ScopeKind) -> Saved {
        let saved = Saved {
            entity: self.entity,
            scope: self.scope,
            class: self.class,
            receiver: self.receiver,
            receiver_class: self.receiver_class,
            conditional: self.conditional,
            type_checking: std::mem::take(&mut self.type_checking.depth),
            has_yield: self.has_yield,
        };
        self.scope = self.push_scope(kind, saved.scope, entity);
        self.entity = entity;
        self.class = NONE;
        self.conditional = 0;
        self.has_yield = false;
        if kind == ScopeKind::Class {
            self.receiver = None;
        }
        saved
    }

    fn leave(&mut self, saved: &Saved) {
        self.entity = saved.entity;
        self.scope = saved.scope;
        self.class = saved.class;
        self.receiver = saved.receiver;
        self.receiver_class = saved.receiver_class;
        self.conditional = saved.conditional;
        self.type_checking.depth = saved.type_checking;
        self.has_yield = saved.has_yield;
    }

    // --- parts -------------------------------------------------------------------------------------------------

    /// Whether a decorator makes a method read like an attribute, by its own name or the one that it is imported by.
    fn is_property(&self, decorator: &str) -> bool {
        let dotted = decorator.split('(').next().unwrap_or("");
        is_property(dotted.rsplit('.').next().unwrap_or(""))
            || self.bound.iter().any(|bound| match bound.binding {
                Binding::From(_, imported) => {
                    bound.scope == 0
                        && self.bodies.names.text(bound.name) == dotted
                        && self.bodies.names.text(imported).ends_with("property")
                }
                _ => false,
            })
    }

    /// Gives the texts in a decorator's arguments to the decorated function: `@patch("app.load")` looks the name up
    /// when the test runs.
    fn texts_are_of(&mut self, entity: u32, first: usize) {
        for text in &mut self.bodies.texts[first..] {
            text.entity = entity;
        }
    }

    /// Decorator expressions, and the same as written.
    fn decorators(&mut self, decorated: Option<Node<'_>>) -> (Vec<ExprId>, Vec<String>) {
        let Some(decorated) = decorated else { return (Vec::new(), Vec::new()) };
        let (mut expressions, mut texts) = (Vec::new(), Vec::new());
        for child in self.children(decorated) {
            if self.kind(child) == NodeKind::Decorator
                && let Some(&expression) = self.children(child).first()
            {
                texts.push(fold(self.text(expression), MAX_DOC));
                expressions.push(self.expression(expression));
            }
        }
        (expressions, texts)
    }

    /// The flag of tests with `@pytest.mark.parametrize` and of fixtures with `params=`.
    fn parametrized(&self, decorators: &[ExprId]) -> u32 {
        let is_it = |&decorator: &ExprId| {
            let Some(&ExprKind::Call { callee, .. }) = self.bodies.kind(decorator) else { return false };
            match self.bodies.last_name(callee) {
                Some("parametrize") => true,
                Some("fixture" | "yield_fixture") => self.bodies.passed(decorator, "params").is_some(),
                _ => false,
            }
        };
        if decorators.iter().any(is_it) { EntityFlags::PARAMETRIZED } else { 0 }
    }

    fn function_flags(&self, name: &str, decorators: &[String], is_async: bool, is_method: bool) -> EntityFlags {
        let mut flags = 0;
        for decorator in decorators {
            let dotted = decorator.split('(').next().unwrap_or("");
            flags |= match dotted.rsplit('.').next().unwrap_or("") {
                "staticmethod" => EntityFlags::STATIC_METHOD,
                "classmethod" | "abstractclassmethod" => EntityFlags::CLASS_METHOD,
                "abstractmethod" | "abstractproperty" => EntityFlags::ABSTRACT,
                "overload" => EntityFlags::OVERLOAD,
                "setter" => EntityFlags::SETTER,
                "deleter" => EntityFlags::DELETER,
                "fixture" | "yield_fixture" => EntityFlags::FIXTURE,
                _ if is_method && dotted.split_once('.').is_some_and(|(joined, _)| joined == name) => {
                    EntityFlags::JOINS
                }
                _ => 0,
            };
        }
        if is_method && matches!(name, "__init_subclass__" | "__class_getitem__") {
            flags |= EntityFlags::CLASS_METHOD;
        }
        if is_async {
            flags |= EntityFlags::ASYNC;
        }
        if self.conditional > 0 {
            flags |= EntityFlags::CONDITIONAL;
        }
        let is_named = (self.scope == 0 || is_method) && is_test_function(name, is_method);
        if is_named && flags & EntityFlags::FIXTURE == 0 {
            flags |= EntityFlags::TEST;
        }
        EntityFlags(flags)
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one record, each from another place")]
    pub(crate) fn definition_record(
        &mut self,
        node: Node<'_>,
        decorated: Option<Node<'_>>,
        name: Node<'_>,
        kind: EntityKind,
        flags: EntityFlags,
        signature: String,
        decorators: Vec<String>,
    ) -> u32 {
        let text = self.text(name).to_owned();
        let parent = self.entity;
        let (qualified, duplicate) = self.qualify(parent, &text);
        let outer = decorated.unwrap_or(node);
        let (start_line, end_line) = self.lines(outer);
        let (line, column) = self.place(name);
        let body = self.field(node, self.syntax.fields.body);
        let doc = body.map(|body| self.docstring(body)).unwrap_or_default();
        let content_hash = self.content_hash(outer);
        self.add_record(EntityRecord {
            kind,
            name: text,
            qualified,
            duplicate,
            parent,
            start_line,
            end_line,
            line,
            column,
            signature,
            doc,
            decorators,
            flags,
            content_hash,
        })
    }

    fn signature(&self, node: Node<'_>) -> String {
        let fields = &self.syntax.fields;
        let parameters = self.field(node, fields.parameters).map_or(Cow::Borrowed("()"), |list| self.code(list));
        let mut signature = without_breaks(&fold(&parameters, MAX_SIGNATURE));
        if let Some(returns) = self.field(node, fields.return_type) {
            signature.push_str(" -> ");
            signature.push_str(&without_breaks(&fold(&self.code(returns), MAX_SIGNATURE)));
        }
        signature
    }

    /// The text of a node without comments.
    fn code(&self, node: Node<'_>) -> Cow<'_, str> {
        let text = self.text(node);
        if !text.contains('#') {
            return Cow::Borrowed(text);
        }
        let (mut code, mut from, mut cursor) = (String::new(), node.start_byte(), node.walk());
        loop {
            let inner = cursor.node();
            if self.kind(inner) == NodeKind::Comment {
                code.push_str(&text[from - node.start_byte()..inner.start_byte() - node.start_byte()]);
                from = inner.end_byte();
            }
            if !advance(&mut cursor, true) {
                code.push_str(&text[from - node.start_byte()..]);
                return Cow::Owned(code);
            }
        }
    }

    /// First paragraph of the docstring of a body, white space folded.
    pub(crate) fn docstring(&self, body: Node<'_>) -> String {
        let children = self.children(body);
        let first = children.first().filter(|&&child| self.kind(child) == NodeKind::ExpressionStatement);
        let string = first.and_then(|&first| self.children(first).first().copied());
        let Some(string) = string.filter(|&string| self.kind(string) == NodeKind::Str) else { return String::new() };
        let text: String = self
            .children(string)
            .into_iter()
            .filter(|&child| self.kind(child) == NodeKind::StringContent)
            .map(|child| self.text(child))
            .collect();
        let paragraph = text.trim_start().split("\n\n").next().unwrap_or("");
        fold(paragraph, MAX_DOC)
    }

    /// Defaults and annotations are evaluated where the function is defined, not in its scope.
    fn parameters_outside<'t>(&mut self, list: Node<'t>) -> Vec<(Node<'t>, ParameterBody)> {
        let fields = &self.syntax.fields;
        let mut parameters = Vec::new();
        let mut kind = ParameterKind::Ordinary;
        for child in self.children(list) {
            let (mut named, mut this_kind) = (Some(child), kind);
            let (mut default, mut annotation) = (NONE, NONE);
            match self.kind(child) {
                NodeKind::PositionalSeparator => {
                    for (_, parameter) in &mut parameters {
                        let parameter: &mut ParameterBody = parameter;
                        parameter.kind = ParameterKind::PositionalOnly;
                    }
                    continue;
                }
                NodeKind::KeywordSeparator => {
                    kind = ParameterKind::KeywordOnly;
                    continue;
                }
                NodeKind::DefaultParameter | NodeKind::TypedDefaultParameter => {
                    named = self.field(child, fields.name);
                    default = self.field(child, fields.value).map_or(NONE, |value| self.expression(value));
                    annotation = self.field(child, fields.annotation).map_or(NONE, |node| self.annotation(node));
                }
                NodeKind::TypedParameter => {
                    named = self.children(child).first().copied();
                    annotation = self.field(child, fields.annotation).map_or(NONE, |node| self.annotation(node));
                }
                _ => {}
            }
            let Some(mut name) = named else { continue };
            match self.kind(name) {
                NodeKind::ListSplatPattern => {
                    this_kind = ParameterKind::Positionals;
                    kind = ParameterKind::KeywordOnly;
                }
                NodeKind::DictionarySplatPattern => this_kind = ParameterKind::Keywords,
                _ => {}
            }
            if matches!(this_kind, ParameterKind::Positionals | ParameterKind::Keywords) {
                let Some(&inner) = self.children(name).first() else { continue };
                name = inner;
            }
            if self.kind(name) != NodeKind::Identifier {
                continue;
            }
            let (line, column) = self.place(name);
            parameters
                .push((name, ParameterBody { variable: NONE, kind: this_kind, default, annotation, line, column }));
        }
        parameters
    }

    fn bind_parameters(&mut self, parameters: Vec<(Node<'_>, ParameterBody)>) -> Vec<ParameterBody> {
        parameters
            .into_iter()
            .map(|(node, parameter)| {
                let name = self.name(self.text(node));
                ParameterBody { variable: self.bind(name), ..parameter }
            })
            .collect()
    }
}

/// The state that [`Lowerer::enter`] sets aside.
struct Saved {
    entity: u32,
    scope: u32,
    class: u32,
    receiver: Option<(u32, bool)>,
    receiver_class: u32,
    conditional: u32,
    type_checking: u32,
    has_yield: bool,
}

/// Names of decorators that make a method read like an attribute.
fn is_property(name: &str) -> bool {
    name.ends_with("property")
        || matches!(name, "reify" | "setter" | "getter" | "deleter" | "expression" | "comparator")
}

/// White space folded, cut at a character border near `limit` bytes.
fn fold(text: &str, limit: usize) -> String {
    let mut folded = String::new();
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
        if folded.len() > limit {
            let cut = (0..=limit).rev().find(|&index| folded.is_char_boundary(index)).unwrap_or(0);
            folded.truncate(cut);
            folded.push('…');
            break;
        }
    }
    folded
}
