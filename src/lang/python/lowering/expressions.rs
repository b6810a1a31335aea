//! Expressions, assignment targets and annotations.

use tree_sitter::Node;

use crate::{
    facts::bodies::{ExprId, ExprKind, Literal, NONE, Operator, ScopeKind, SequenceKind, TextReference},
    lang::python::{
        lowering::{Lowerer, comparison, is_async, operator},
        syntax::NodeKind,
    },
};

/// String literals up to this many bytes are kept, as keys and attribute names.
const MAX_TEXT: usize = 80;

impl Lowerer<'_> {
    /// Lowers an expression; [`NONE`] below [`crate::lang::python::lowering::MAX_DEPTH`].
    pub(crate) fn expression(&mut self, node: Node<'_>) -> ExprId {
        self.nested(NONE, |this| this.expression_of_kind(node))
    }

    fn expression_of_kind(&mut self, node: Node<'_>) -> ExprId {
        let fields = &self.syntax.fields;
        let place = self.place(node);
        match self.kind(node) {
            NodeKind::Identifier => self.load(node),
            NodeKind::Attribute => {
                let base = self.field(node, fields.object).map_or(NONE, |object| self.expression(object));
                let Some(attribute) = self.field(node, fields.attribute) else { return base };
                let (base, is_starred) = self.unstarred(base);
                let name = self.name(self.text(attribute));
                let place = self.place(attribute);
                let attribute = self.expr(ExprKind::Attribute { base, name }, place);
                self.starred_if(is_starred, attribute)
            }
            NodeKind::Call => self.call(node),
            NodeKind::Subscript | NodeKind::GenericType => self.subscript(node),
            NodeKind::Integer => match self.text(node).parse() {
                Ok(value) => self.expr(ExprKind::Int(value), place),
                Err(_) => self.literal(Literal::Number, node),
            },
            NodeKind::Float => self.literal(Literal::Number, node),
            NodeKind::True => self.literal(Literal::True, node),
            NodeKind::False => self.literal(Literal::False, node),
            NodeKind::None => self.literal(Literal::None, node),
            NodeKind::Ellipsis => self.literal(Literal::Ellipsis, node),
            NodeKind::Str | NodeKind::ConcatenatedString => self.string(node),
            NodeKind::Tuple | NodeKind::ExpressionList => self.sequence(node, SequenceKind::Tuple),
            NodeKind::List => self.sequence(node, SequenceKind::List),
            NodeKind::Set => self.sequence(node, SequenceKind::Set),
            NodeKind::Dictionary => self.dictionary(node),
            NodeKind::ListComprehension => self.comprehension(node, SequenceKind::List),
            NodeKind::SetComprehension => self.comprehension(node, SequenceKind::Set),
            NodeKind::DictionaryComprehension => self.comprehension(node, SequenceKind::Dict),
            NodeKind::GeneratorExpression => self.comprehension(node, SequenceKind::Generator),
            NodeKind::Lambda => self.lambda(node),
            NodeKind::Conditional => {
                let children = self.children(node);
                let [then, test, otherwise] = children.as_slice() else { return self.unknown(node) };
                let test = self.expression(*test);
                let (then, otherwise) = (self.expression(*then), self.expression(*otherwise));
                self.expr(ExprKind::Conditional { test, then, otherwise }, place)
            }
            NodeKind::BooleanOperator => {
                let (left, right) = self.operands(node);
                let is_and = self.field(node, fields.operator).is_some_and(|token| self.text(token) == "and");
                self.expr(ExprKind::Bool { left, right, is_and }, place)
            }
            NodeKind::Not => {
                let operand = self.field(node, fields.argument).map_or(NONE, |operand| self.expression(operand));
                self.expr(ExprKind::Not(operand), place)
            }
            NodeKind::Comparison => self.comparison(node),
            NodeKind::Binary => {
                let (left, right) = self.operands(node);
                let operator = operator(self.field(node, fields.operator).map_or("", |token| self.text(token)));
                if let (Operator::Add, Some(first), Some(second)) =
                    (operator, self.bodies.text(left), self.bodies.text(right))
                {
                    let name = format!("{first}{second}");
                    let name = self.name(&name);
                    return self.expr(ExprKind::Text(name), place);
                }
                self.expr(ExprKind::Binary { operator, left, right }, place)
            }
            NodeKind::UnionType => {
                let children = self.children(node);
                let [left, right] = children.as_slice() else { return self.unknown(node) };
                let (left, right) = (self.expression(*left), self.expression(*right));
                self.expr(ExprKind::Binary { operator: Operator::Or, left, right }, place)
            }
            NodeKind::Unary => {
                let operand = self.field(node, fields.argument).map_or(NONE, |operand| self.expression(operand));
                let operator = match self.field(node, fields.operator).map_or("", |token| self.text(token)) {
                    "-" => Operator::Negative,
                    "+" => Operator::Positive,
                    _ => Operator::Invert,
                };
                self.expr(ExprKind::Unary { operator, operand }, place)
            }
            NodeKind::Await => {
                let value = self.only_child(node);
                self.expr(ExprKind::Await(value), place)
            }
            NodeKind::Yield => {
                self.has_yield = true;
                let is_from = node.child(1).is_some_and(|token| token.kind() == "from");
                let value = self.only_child(node);
                self.expr(if is_from { ExprKind::YieldFrom(value) } else { ExprKind::Yield(value) }, place)
            }
            NodeKind::ListSplat | NodeKind::DictionarySplat | NodeKind::ListSplatPattern | NodeKind::SplatType => {
                let value = self.only_child(node);
                self.expr(ExprKind::Starred(value), place)
            }
            NodeKind::Named => self.named(node),
            NodeKind::Slice => {
                // Start, stop and step, each with its place though it is left out.
                let mut parts = vec![NONE];
                let mut cursor = node.walk();
                for child in node.children(&mut cursor) {
                    match (child.is_named(), parts.last_mut()) {
                        (true, Some(part)) => *part = self.expression(child),
                        (false, _) => parts.push(NONE),
                        _ => {}
                    }
                }
                let run = self.run(&parts);
                self.expr(ExprKind::Slice(run), place)
            }
            NodeKind::DottedName => self.dotted(node),
            NodeKind::Parenthesized | NodeKind::Type | NodeKind::ConstrainedType | NodeKind::AsPatternTarget => {
                if let Some(call) = self.misread_call(node) {
                    return call;
                }
                let children = self.children(node);
                match children.as_slice() {
                    [only] => self.expression(*only),
                    _ => self.unknown(node),
                }
            }
            NodeKind::MemberType => {
                let children = self.children(node);
                let [base, attribute] = children.as_slice() else { return self.unknown(node) };
                let base = self.expression(*base);
                let name = self.name(self.text(*attribute));
                let place = self.place(*attribute);
                self.expr(ExprKind::Attribute { base, name }, place)
            }
            NodeKind::PatternList | NodeKind::TuplePattern => self.sequence(node, SequenceKind::Tuple),
            NodeKind::ListPattern => self.sequence(node, SequenceKind::List),
            NodeKind::Comment => NONE,
            _ => self.unknown(node),
        }
    }

    /// The readable parts of code to which the grammar gives no meaning.
    fn unknown(&mut self, node: Node<'_>) -> ExprId {
        let place = self.place(node);
        let parts: Vec<_> = self.children(node).into_iter().map(|child| self.expression(child)).collect();
        let run = self.run(&parts);
        self.expr(ExprKind::Unknown(run), place)
    }

    pub(crate) fn only_child(&mut self, node: Node<'_>) -> ExprId {
        self.children(node).first().map_or(NONE, |&child| self.expression(child))
    }

    fn operands(&mut self, node: Node<'_>) -> (ExprId, ExprId) {
        let fields = &self.syntax.fields;
        let left = self.field(node, fields.left).map_or(NONE, |left| self.expression(left));
        let right = self.field(node, fields.right).map_or(NONE, |right| self.expression(right));
        (left, right)
    }

    pub(crate) fn load(&mut self, node: Node<'_>) -> ExprId {
        let name = self.name(self.text(node));
        let place = self.place(node);
        let id = self.expr(ExprKind::Name { name, variable: NONE }, place);
        self.pending.push((id, self.scope, self.is_before_binding(name)));
        id
    }

    /// `a.b.c` of a pattern or a decorator.
    pub(crate) fn dotted(&mut self, node: Node<'_>) -> ExprId {
        let mut base = NONE;
        for part in self.children(node) {
            if base == NONE {
                base = self.load(part);
            } else {
                let name = self.name(self.text(part));
                let place = self.place(part);
                base = self.expr(ExprKind::Attribute { base, name }, place);
            }
        }
        base
    }

    fn call(&mut self, node: Node<'_>) -> ExprId {
        let fields = &self.syntax.fields;
        let written = self.field(node, fields.function);
        let tuple = written.and_then(|called| self.tuple_called(called));
        let (called, names) = tuple.map_or((written, Vec::new()), |(maker, names)| (Some(maker), names));
        let callee = called.map_or(NONE, |callee| self.expression(callee));
        let (callee, is_starred) = self.unstarred(callee);
        let (mut arguments, mut keywords) = (Vec::new(), Vec::new());
        if let Some(list) = self.field(node, fields.arguments) {
            if self.kind(list) == NodeKind::GeneratorExpression {
                arguments.push(self.expression(list));
            } else {
                let is_cast = self.bodies.last_name(callee) == Some("cast");
                for child in self.children(list) {
                    match self.kind(child) {
                        // `cast("list[Item]", value)`: the quoted text is a type.
                        NodeKind::Str if is_cast && arguments.is_empty() && keywords.is_empty() => {
                            arguments.push(self.annotation(child));
                        }
                        NodeKind::KeywordArgument => {
                            let name = self.field(child, fields.name).map(|name| self.text(name)).unwrap_or_default();
                            let name = self.name(name);
                            let value = self.field(child, fields.value).map_or(NONE, |value| self.expression(value));
                            keywords.push((name.0, value));
                        }
                        NodeKind::DictionarySplat => {
                            let value = self.only_child(child);
                            keywords.push((NONE, value));
                        }
                        _ => arguments.push(self.expression(child)),
                    }
                }
            }
        }
        let fields_passed = arguments.len().min(names.len());
        for (name, argument) in names.into_iter().zip(arguments.drain(..fields_passed)) {
            let name = self.name(name);
            keywords.push((name.0, argument));
        }
        let place = if callee == NONE { self.place(node) } else { self.expression_place(callee) };
        let arguments = self.run(&arguments);
        let start = u32::try_from(self.bodies.keywords.len()).expect("a file has fewer than 2^32 keywords");
        let count = u32::try_from(keywords.len()).expect("a call has fewer than 2^32 keywords");
        self.bodies.keywords.extend(keywords);
        let call = self.expr(ExprKind::Call { callee, arguments, keywords: (start, count) }, place);
        self.starred_if(is_starred, call)
    }

    pub(crate) fn expression_place(&self, id: ExprId) -> (u32, u32) {
        let expression = &self.bodies.expressions[id as usize];
        (expression.line, expression.column)
    }

    /// `base[index]`; several indexes are a tuple, as in Python.
    fn subscript(&mut self, node: Node<'_>) -> ExprId {
        let place = self.place(node);
        let mut children: Vec<_> = self.children(node).into_iter().collect();
        if let Some(&list) = children.get(1).filter(|&&child| self.kind(child) == NodeKind::TypeParameter) {
            children.pop();
            children.extend(self.children(list));
        }
        let Some((first, rest)) = children.split_first() else { return NONE };
        let base = self.expression(*first);
        let (base, is_starred) = self.unstarred(base);
        // `Literal["text"]`, `Annotated[Type, "text"]`: texts that are no types.
        let outer = self.in_annotation;
        let types = ["Literal", "Annotated"].iter().position(|&name| self.bodies.last_name(base) == Some(name));
        let mut indexes = Vec::with_capacity(rest.len());
        for (position, &child) in rest.iter().enumerate() {
            self.in_annotation = outer && types.is_none_or(|types| position < types);
            indexes.push(self.expression(child));
        }
        self.in_annotation = outer;
        let index = match indexes.as_slice() {
            [only] => *only,
            many => {
                let items = self.run(many);
                let site = self.site();
                self.expr(ExprKind::Sequence { kind: SequenceKind::Tuple, items, site }, place)
            }
        };
        let subscript = self.expr(ExprKind::Subscript { base, index }, place);
        self.starred_if(is_starred, subscript)
    }

    fn sequence(&mut self, node: Node<'_>, kind: SequenceKind) -> ExprId {
        let place = self.place(node);
        let items: Vec<_> = self.children(node).into_iter().map(|child| self.expression(child)).collect();
        self.share_rows(&items);
        let items = self.run(&items);
        let site = self.site();
        self.expr(ExprKind::Sequence { kind, items, site }, place)
    }

    fn dictionary(&mut self, node: Node<'_>) -> ExprId {
        let fields = &self.syntax.fields;
        let place = self.place(node);
        let mut items = Vec::new();
        for child in self.children(node) {
            if self.kind(child) == NodeKind::Pair {
                items.push(self.field(child, fields.key).map_or(NONE, |key| self.expression(key)));
                items.push(self.field(child, fields.value).map_or(NONE, |value| self.expression(value)));
            } else {
                items.push(NONE);
                items.push(self.only_child(child));
            }
        }
        let items = self.run(&items);
        let site = self.site();
        self.expr(ExprKind::Dict { items, site }, place)
    }

    /// The first iterable is evaluated outside, everything else in the comprehension's own scope.
    fn comprehension(&mut self, node: Node<'_>, kind: SequenceKind) -> ExprId {
        let fields = &self.syntax.fields;
        let place = self.place(node);
        let site = self.site();
        let outer = self.scope;
        let mut clauses: Vec<ExprId> = Vec::new();
        for child in self.children(node) {
            match self.kind(child) {
                NodeKind::ForInClause => {
                    let iterable = self.field(child, fields.right).map_or(NONE, |right| self.expression(right));
                    if clauses.is_empty() {
                        self.scope = self.push_scope(ScopeKind::Comprehension, outer, self.entity);
                    }
                    let target = self.field(child, fields.left).map_or(NONE, |left| self.target(left, node));
                    let is_async = is_async(child);
                    let place = self.place(child);
                    let clause = ExprKind::Clause { target, iterable, conditions: (0, 0), is_async };
                    clauses.push(self.expr(clause, place));
                }
                NodeKind::IfClause => {
                    let condition = self.only_child(child);
                    if let Some(&last) = clauses.last() {
                        self.add_condition(last, condition);
                    }
                }
                _ => {}
            }
        }
        let (mut element, mut key) = (NONE, NONE);
        if let Some(body) = self.field(node, fields.body) {
            if self.kind(body) == NodeKind::Pair {
                key = self.field(body, fields.key).map_or(NONE, |key| self.expression(key));
                element = self.field(body, fields.value).map_or(NONE, |value| self.expression(value));
            } else {
                element = self.expression(body);
            }
        }
        self.scope = outer;
        let clauses = self.run(&clauses);
        self.expr(ExprKind::Comprehension { kind, element, key, clauses, site }, place)
    }

    fn add_condition(&mut self, clause: ExprId, condition: ExprId) {
        let ExprKind::Clause { conditions, .. } = self.bodies.expressions[clause as usize].kind else { return };
        let mut items = self.bodies.list(conditions).to_vec();
        items.push(condition);
        let run = self.run(&items);
        if let ExprKind::Clause { conditions, .. } = &mut self.bodies.expressions[clause as usize].kind {
            *conditions = run;
        }
    }

    fn named(&mut self, node: Node<'_>) -> ExprId {
        let fields = &self.syntax.fields;
        let place = self.place(node);
        let value = self.field(node, fields.value).map_or(NONE, |value| self.expression(value));
        let Some(name) = self.field(node, fields.name) else { return value };
        let scope = self.scope;
        self.scope = self.walrus_scope();
        let target = self.target(name, node);
        self.scope = scope;
        self.expr(ExprKind::Named { target, value }, place)
    }

    /// `a < b <= c` becomes `a < b and b <= c`, each operand lowered once.
    fn comparison(&mut self, node: Node<'_>) -> ExprId {
        let place = self.place(node);
        let mut tokens = Vec::new();
        let mut cursor = node.walk();
        if cursor.goto_first_child() {
            loop {
                if cursor.field_id().is_some_and(|id| id.get() == self.syntax.fields.operators) {
                    tokens.push(comparison(self.text(cursor.node())));
                }
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        let operands: Vec<_> = self.children(node).into_iter().map(|child| self.expression(child)).collect();
        let mut result = NONE;
        for (index, pair) in operands.windows(2).enumerate() {
            let operator = tokens.get(index).copied().unwrap_or(Operator::Is);
            let part = self.expr(ExprKind::Compare { operator, left: pair[0], right: pair[1] }, place);
            result = match result {
                NONE => part,
                left => self.expr(ExprKind::Bool { left, right: part, is_and: true }, place),
            };
        }
        if result == NONE { self.unknown(node) } else { result }
    }

    // --- strings -----------------------------------------------------------------------------------------------

    fn string(&mut self, node: Node<'_>) -> ExprId {
        let place = self.place(node);
        if self.in_annotation {
            return self.quoted_annotation(node);
        }
        let (mut text, mut values, mut ends, mut is_bytes) = (String::new(), Vec::new(), None, false);
        self.string_parts(node, &mut text, &mut values, &mut ends, &mut is_bytes);
        if !values.is_empty() {
            let (run, (first, last)) = (self.run(&values), ends.unwrap_or_default());
            // Of other ends nothing follows.
            let is_path = text[last..].chars().all(|c| matches!(c, '_' | '.' | '/' | '-') || c.is_alphanumeric());
            let (prefix, suffix) = (self.name(&text[..first]), self.name(if is_path { &text[last..] } else { "" }));
            return self.expr(ExprKind::Format { values: run, prefix, suffix }, place);
        }
        if is_bytes {
            return self.literal(Literal::Bytes, node);
        }
        if text.len() > MAX_TEXT || text.contains('\n') {
            return self.literal(Literal::Text, node);
        }
        let named = entry_point(&text).unwrap_or(&text);
        if looks_dotted(named) {
            let reference =
                TextReference { text: named.to_owned(), entity: self.entity, line: place.0, column: place.1 };
            self.bodies.texts.push(reference);
        }
        let name = self.name(&text);
        self.expr(ExprKind::Text(name), place)
    }

    fn string_parts(
        &mut self,
        node: Node<'_>,
        text: &mut String,
        values: &mut Vec<ExprId>,
        ends: &mut Option<(usize, usize)>,
        is_bytes: &mut bool,
    ) {
        for child in self.children(node) {
            match self.kind(child) {
                NodeKind::Str => self.nested((), |this| this.string_parts(child, text, values, ends, is_bytes)),
                NodeKind::StringStart => *is_bytes |= self.text(child).contains(['b', 'B']),
                NodeKind::StringContent => text.push_str(self.text(child)),
                NodeKind::Interpolation | NodeKind::FormatExpression => {
                    let first = ends.map_or(text.len(), |(first, _)| first);
                    if let Some(value) = self.field(child, self.syntax.fields.expression) {
                        let value = self.expression(value);
                        values.push(self.converted(value, child));
                    }
                    for inner in self.children(child) {
                        if self.kind(inner) == NodeKind::FormatSpecifier {
                            self.nested((), |this| this.string_parts(inner, text, values, ends, is_bytes));
                        }
                    }
                    *ends = Some((first, text.len()));
                }
                _ => {}
            }
        }
    }

    /// `{value!r}` is `repr(value)`, `!s` is `str` and `!a` is `ascii`.
    fn converted(&mut self, value: ExprId, interpolation: Node<'_>) -> ExprId {
        let conversion = self.children_of(interpolation, NodeKind::TypeConversion);
        let converter = match conversion.first().map(|&node| self.text(node)) {
            Some("!r") => "repr",
            Some("!s") => "str",
            Some("!a") => "ascii",
            _ => return value,
        };
        let place = if value == NONE { self.place(interpolation) } else { self.expression_place(value) };
        let name = self.name(converter);
        let callee = self.expr(ExprKind::Name { name, variable: NONE }, place);
        let arguments = self.run(&[value]);
        self.expr(ExprKind::Call { callee, arguments, keywords: (0, 0) }, place)
    }

    /// The grammar reads `*f(x)` as a call of `*f`: the star belongs to the whole.
    fn unstarred(&self, expression: ExprId) -> (ExprId, bool) {
        match self.bodies.kind(expression) {
            Some(&ExprKind::Starred(inner)) => (inner, true),
            _ => (expression, false),
        }
    }

    fn starred_if(&mut self, is_starred: bool, expression: ExprId) -> ExprId {
        if is_starred {
            let place = self.expression_place(expression);
            return self.expr(ExprKind::Starred(expression), place);
        }
        expression
    }

    /// Lowers `node` as an annotation: strings in it are code.
    pub(crate) fn annotation(&mut self, node: Node<'_>) -> ExprId {
        let outer = std::mem::replace(&mut self.in_annotation, true);
        let result = self.expression(node);
        self.in_annotation = outer;
        result
    }

    fn quoted_annotation(&mut self, node: Node<'_>) -> ExprId {
        let contents: Vec<_> =
            self.children(node).into_iter().filter(|&child| self.kind(child) == NodeKind::StringContent).collect();
        let [content] = contents.as_slice() else { return self.literal(Literal::Text, node) };
        let place = self.place(*content);
        let text = self.text(*content);
        let Some(tree) = self.parser.parse(text, None) else { return self.literal(Literal::Text, node) };
        if tree.root_node().has_error() {
            return self.literal(Literal::Text, node);
        }
        let (source, origin) = (self.source, self.origin);
        self.source = text;
        self.origin = (place.0 - 1, place.1);
        let statement = self.children(tree.root_node()).first().copied();
        let value = statement.and_then(|statement| self.children(statement).first().copied());
        let result = value.map_or(NONE, |value| self.expression(value));
        (self.source, self.origin) = (source, origin);
        if result == NONE { self.literal(Literal::Text, node) } else { result }
    }

    // --- targets -----------------------------------------------------------------------------------------------

    /// Lowers the target of an assignment by `statement`, binding its names in the present scope.
    pub(crate) fn target(&mut self, node: Node<'_>, statement: Node<'_>) -> ExprId {
        self.nested(NONE, |this| this.target_of_kind(node, statement))
    }

    fn target_of_kind(&mut self, node: Node<'_>, statement: Node<'_>) -> ExprId {
        let place = self.place(node);
        match self.kind(node) {
            NodeKind::Identifier => {
                let name = self.name(self.text(node));
                let variable = self.bind(name);
                self.variable_entity(variable, node, statement);
                self.expr(ExprKind::Name { name, variable }, place)
            }
            NodeKind::Attribute => {
                let target = self.expression(node);
                self.note_self_attribute(target, statement);
                target
            }
            NodeKind::PatternList
            | NodeKind::TuplePattern
            | NodeKind::ListPattern
            | NodeKind::Tuple
            | NodeKind::List
            | NodeKind::ExpressionList => {
                let items: Vec<_> =
                    self.children(node).into_iter().map(|child| self.target(child, statement)).collect();
                let items = self.run(&items);
                let site = self.site();
                self.expr(ExprKind::Sequence { kind: SequenceKind::Tuple, items, site }, place)
            }
            NodeKind::ListSplatPattern | NodeKind::ListSplat => {
                let inner = self.children(node).first().map_or(NONE, |&child| self.target(child, statement));
                self.expr(ExprKind::Starred(inner), place)
            }
            NodeKind::Parenthesized | NodeKind::AsPatternTarget => match self.children(node).as_slice() {
                [only] => self.target(*only, statement),
                _ => NONE,
            },
            _ => self.expression(node),
        }
    }
}

/// The name in an entry point of a `setup.py`: `pkg.mod:function` in `"tool = pkg.mod:function [extra]"`.
fn entry_point(text: &str) -> Option<&str> {
    let (_, named) = text.split_once('=').filter(|(_, named)| named.contains(':'))?;
    named.trim().split([' ', '[']).next()
}

/// `pkg.mod.name` or `pkg.mod:name`.
fn looks_dotted(text: &str) -> bool {
    let (module, object) = text.split_once(':').unwrap_or((text, ""));
    let is_path = |path: &str| {
        path.split('.').all(|part| {
            let mut chars = part.chars();
            chars.next().is_some_and(|first| first.is_alphabetic() || first == '_')
                && chars.all(|char| char.is_alphanumeric() || char == '_')
        })
    };
    (text.contains('.') || text.contains(':'))
        && is_path(module)
        && (object.is_empty() && !text.ends_with(':') || !object.is_empty() && is_path(object))
}
