//! Python's definitions as digests, for comparing two versions of a file.
//!
//! The digests are made from the syntax tree: layout (comments, line breaks, parentheses that only group, trailing
//! commas, quotes) does not count.

use std::{
    borrow::Cow,
    hash::{Hash, Hasher},
    ops::Range,
};

use rustc_hash::FxHasher;
use tree_sitter::{Node, Tree, TreeCursor};

use super::syntax::{NodeKind, Syntax};
use crate::facts::{
    fingerprint::{DefinitionShape, FileShape, MAX_TOKENS, ParameterShape, Returns},
    interface::ParameterKind,
};

/// Deeper nesting is compared as text.
const MAX_DEPTH: u32 = 400;
/// Longest text of a value, a default or an annotation, in characters.
const MAX_TEXT: usize = 80;

/// The shape of a parsed file, of which nothing before the line `broken` is missing.
pub(super) fn shape(tree: &Tree, text: &str, broken: u32) -> FileShape {
    let syntax = Syntax::get();
    let mut reader = ShapeReader { text, syntax, definitions: Vec::new(), tokens: Vec::new(), decorators: Vec::new() };
    let mut cursor = tree.walk();
    let block = reader.block(&mut cursor, Home::Module, 0);
    let mut shape = FileShape {
        code: block.own.finish().code,
        doc: block.doc,
        whole: block.all.finish().code,
        definitions: reader.definitions,
        broken,
    };
    shape.definitions.sort_by_key(|definition| (definition.line, definition.column));
    shape.definitions.dedup_by_key(|definition| (definition.line, definition.column));
    shape
}

/// Where a definition stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Module,
    Class,
    Function,
}

/// The digests of a part of the tree.
#[derive(Clone, Copy, Default)]
struct TreeDigest {
    code: u64,
    /// Number of tokens.
    weight: u32,
}

/// The digests of one node. `None` where it does not count.
#[derive(Clone, Copy, Default)]
struct TreeDigests {
    all: Option<TreeDigest>,
    /// A module's or class's own code: without definitions, imports, plain assignments and `pass`.
    outside: Option<TreeDigest>,
}

impl TreeDigests {
    fn both(digest: TreeDigest) -> Self {
        Self { all: Some(digest), outside: Some(digest) }
    }
}

/// The digest of a node from those of its parts.
struct DigestSum {
    hasher: FxHasher,
    weight: u32,
    parts: u32,
    last: TreeDigest,
}

impl DigestSum {
    fn of(node: Node<'_>) -> Self {
        let mut hasher = FxHasher::default();
        (node.kind_id(), 1_u8).hash(&mut hasher);
        Self { hasher, weight: 0, parts: 0, last: TreeDigest::default() }
    }

    fn add(&mut self, part: Option<TreeDigest>) {
        let Some(part) = part else { return };
        part.code.hash(&mut self.hasher);
        self.weight += part.weight;
        self.parts += 1;
        self.last = part;
    }

    fn finish(&self) -> TreeDigest {
        TreeDigest { code: self.hasher.finish(), weight: self.weight }
    }
}

/// A body that was read.
struct BlockDigest {
    all: DigestSum,
    /// The digest of its own definition: in a function everything but the docstring, in a module or class the code
    /// outside definitions.
    own: DigestSum,
    doc: u64,
    /// Where the tokens of `own` stand.
    tokens: Vec<Range<usize>>,
}

struct ShapeReader<'s> {
    text: &'s str,
    syntax: &'static Syntax,
    definitions: Vec<DefinitionShape>,
    /// The hashes of all tokens so far.
    tokens: Vec<u32>,
    /// Those of the definition that is read next.
    decorators: Vec<String>,
}

impl<'s> ShapeReader<'s> {
    fn kind(&self, node: Node<'_>) -> NodeKind {
        self.syntax.kind(node)
    }

    fn written(&self, node: Node<'_>) -> &'s str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn field<'t>(&self, node: Node<'t>, field: u16) -> Option<Node<'t>> {
        node.child_by_field_id(field)
    }

    /// Reads the node at the cursor with everything below it, and leaves the cursor there. Notes every definition.
    fn visit(&mut self, cursor: &mut TreeCursor<'_>, home: Home, depth: u32) -> TreeDigests {
        let node = cursor.node();
        let kind = self.kind(node);
        match kind {
            NodeKind::Comment | NodeKind::StringEnd => return TreeDigests::default(),
            NodeKind::Function | NodeKind::Class if depth <= MAX_DEPTH => return self.definition(cursor, depth),
            NodeKind::Decorated => {
                let decorators = children(node).filter(|node| self.kind(*node) == NodeKind::Decorator);
                self.decorators = decorators.map(|node| folded(self.written(node).trim_start_matches('@'))).collect();
            }
            NodeKind::ExpressionStatement if home != Home::Function => {
                let syntax = self.syntax;
                for assignment in children(node).filter(|child| syntax.kind(*child) == NodeKind::Assignment) {
                    self.assignment(assignment);
                }
            }
            _ => {}
        }
        if depth > MAX_DEPTH || !cursor.goto_first_child() {
            return self.leaf(node, kind).map_or_else(TreeDigests::default, TreeDigests::both);
        }
        let (mut all, mut outside) = (DigestSum::of(node), DigestSum::of(node));
        loop {
            let part = self.visit(cursor, home, depth + 1);
            all.add(part.all);
            outside.add(part.outside);
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
        if kind == NodeKind::Parenthesized && all.parts == 1 {
            return TreeDigests::both(all.last);
        }
        let is_inside = match kind {
            NodeKind::Decorated
            | NodeKind::ImportStatement
            | NodeKind::ImportFrom
            | NodeKind::FutureImport
            | NodeKind::Pass => true,
            NodeKind::ExpressionStatement => home != Home::Function && self.is_plain_assignment(node),
            _ => false,
        };
        TreeDigests { all: Some(all.finish()), outside: (!is_inside).then(|| outside.finish()) }
    }

    /// Reads the function or class at the cursor.
    fn definition(&mut self, cursor: &mut TreeCursor<'_>, depth: u32) -> TreeDigests {
        let node = cursor.node();
        let decorators = std::mem::take(&mut self.decorators);
        let fields = &self.syntax.fields;
        let (name, body) = (self.field(node, fields.name), self.field(node, fields.body));
        let is_class = self.kind(node) == NodeKind::Class;
        let home = if is_class { Home::Class } else { Home::Function };
        let (mut all, mut block) = (DigestSum::of(node), None);
        let mut has_next = cursor.goto_first_child();
        while has_next {
            if body.is_some_and(|body| body.id() == cursor.node().id()) {
                let read = self.block(cursor, home, depth + 1);
                all.add(Some(read.all.finish()));
                block = Some(read);
            } else {
                all.add(self.visit(cursor, Home::Function, depth + 1).all);
            }
            has_next = cursor.goto_next_sibling();
        }
        cursor.goto_parent();
        if let (Some(name), Some(body), Some(block)) = (name, body, block) {
            let tokens = block.tokens.into_iter().flat_map(|range| self.tokens[range].iter().copied());
            let mut shape = placed(name, block.own.finish(), tokens);
            (shape.decorators, shape.doc) = (decorators, block.doc);
            if is_class {
                let list = self.field(node, fields.superclasses);
                let bases = list.into_iter().flat_map(children).filter(|base| base.is_named() && !base.is_extra());
                shape.bases = bases.map(|base| fold(self.written(base))).collect();
            } else {
                let result = self.field(node, fields.return_type);
                shape.annotation = result.map(|node| fold(self.written(node))).unwrap_or_default();
                let list = self.field(node, fields.parameters);
                shape.parameters = list.map(|list| self.parameters(list)).unwrap_or_default();
                self.exits(body, &mut shape.raises, &mut shape.returns, 0);
                shape.raises.sort_unstable();
                shape.raises.dedup();
                shape.returns.tuples.sort_unstable();
                shape.returns.tuples.dedup();
            }
            self.definitions.push(shape);
        }
        TreeDigests { all: Some(all.finish()), outside: None }
    }

    /// Reads the body at the cursor, statement by statement.
    fn block(&mut self, cursor: &mut TreeCursor<'_>, home: Home, depth: u32) -> BlockDigest {
        let node = cursor.node();
        let docstring = self.docstring(node).map(|node| node.id());
        let mut block = BlockDigest { all: DigestSum::of(node), own: DigestSum::of(node), doc: 0, tokens: Vec::new() };
        let mut has_next = cursor.goto_first_child();
        while has_next {
            let start = self.tokens.len();
            let is_docstring = docstring == Some(cursor.node().id());
            let part = self.visit(cursor, home, depth + 1);
            block.all.add(part.all);
            let own = if home == Home::Function { part.all } else { part.outside };
            if is_docstring {
                block.doc = part.all.unwrap_or_default().code;
            } else if own.is_some() {
                block.own.add(own);
                block.tokens.push(start..self.tokens.len());
            }
            has_next = cursor.goto_next_sibling();
        }
        cursor.goto_parent();
        block
    }

    fn assignment(&mut self, node: Node<'_>) {
        let fields = &self.syntax.fields;
        let right = self.field(node, fields.right);
        if let Some(right) = right.filter(|right| self.kind(*right) == NodeKind::Assignment) {
            self.assignment(right);
        }
        let Some(left) = self.field(node, fields.left) else { return };
        let value = right.map(|right| folded(self.written(right))).unwrap_or_default();
        let annotation = self.field(node, fields.annotation).map(|node| fold(self.written(node))).unwrap_or_default();
        let names: Vec<Node<'_>> = match self.kind(left) {
            NodeKind::Identifier => vec![left],
            _ => children(left).filter(|node| self.kind(*node) == NodeKind::Identifier).collect(),
        };
        // The statement as a whole is read after this, with these tokens once more.
        let start = self.tokens.len();
        let digest = match right.filter(|_| !names.is_empty()) {
            Some(right) => self.visit(&mut right.walk(), Home::Function, 0).all.unwrap_or_default(),
            None => TreeDigest::default(),
        };
        for name in names {
            let shape = placed(name, digest, self.tokens[start..].iter().copied());
            self.definitions.push(DefinitionShape { value: value.clone(), annotation: annotation.clone(), ..shape });
        }
        self.tokens.truncate(start);
    }

    fn parameters(&self, list: Node<'_>) -> Vec<ParameterShape> {
        let fields = &self.syntax.fields;
        let mut parameters: Vec<ParameterShape> = Vec::new();
        let mut kind = ParameterKind::Ordinary;
        for child in children(list).filter(|child| child.is_named() && !child.is_extra()) {
            let (mut name, mut this_kind) = (Some(child), kind);
            match self.kind(child) {
                NodeKind::PositionalSeparator => {
                    for parameter in &mut parameters {
                        parameter.kind = ParameterKind::PositionalOnly;
                    }
                    continue;
                }
                NodeKind::KeywordSeparator => {
                    kind = ParameterKind::KeywordOnly;
                    continue;
                }
                NodeKind::DefaultParameter | NodeKind::TypedDefaultParameter => name = self.field(child, fields.name),
                NodeKind::TypedParameter => name = children(child).find(Node::is_named),
                _ => {}
            }
            let Some(mut name) = name else { continue };
            match self.kind(name) {
                NodeKind::ListSplatPattern => {
                    this_kind = ParameterKind::Positionals;
                    kind = ParameterKind::KeywordOnly;
                }
                NodeKind::DictionarySplatPattern => this_kind = ParameterKind::Keywords,
                _ => {}
            }
            if let Some(inner) = children(name).find(Node::is_named) {
                name = inner;
            }
            parameters.push(ParameterShape {
                name: self.written(name).to_owned(),
                kind: this_kind,
                default: self.field(child, fields.value).map(|value| folded(self.written(value))),
                annotation: self
                    .field(child, fields.annotation)
                    .map(|node| fold(self.written(node)))
                    .unwrap_or_default(),
            });
        }
        parameters
    }

    /// The exceptions and results of a function's own statements.
    fn exits(&self, node: Node<'_>, raises: &mut Vec<String>, returns: &mut Returns, depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        for child in children(node) {
            match self.kind(child) {
                NodeKind::Function
                | NodeKind::Class
                | NodeKind::Lambda
                | NodeKind::Decorated
                | NodeKind::ExpressionStatement => {}
                NodeKind::Raise => {
                    let raised = children(child).find(|node| node.is_named() && !node.is_extra());
                    let named = raised.map(|node| self.written(node).split('(').next().unwrap_or("").trim());
                    raises.extend(named.filter(|name| is_dotted(name)).map(str::to_owned));
                }
                NodeKind::Return => {
                    let value = children(child).find(|node| node.is_named() && !node.is_extra());
                    let is_tuple =
                        |node: &Node<'_>| matches!(self.kind(*node), NodeKind::ExpressionList | NodeKind::Tuple);
                    match value {
                        None => {}
                        Some(value) if self.kind(value) == NodeKind::None => {}
                        Some(value) if is_tuple(&value) => {
                            let items: Vec<Node<'_>> =
                                children(value).filter(|node| node.is_named() && !node.is_extra()).collect();
                            if items.iter().any(|item| self.kind(*item) == NodeKind::ListSplat) {
                                returns.has_other = true;
                            } else {
                                returns.tuples.push(u32::try_from(items.len()).unwrap_or(u32::MAX));
                            }
                        }
                        Some(_) => returns.has_other = true,
                    }
                }
                _ => self.exits(child, raises, returns, depth + 1),
            }
        }
    }

    /// The statement that is the docstring of a body.
    fn docstring<'t>(&self, body: Node<'t>) -> Option<Node<'t>> {
        let first = children(body).find(|child| child.is_named() && !child.is_extra())?;
        let is_string = self.kind(first) == NodeKind::ExpressionStatement
            && children(first).filter(Node::is_named).all(|child| self.kind(child) == NodeKind::Str);
        is_string.then_some(first)
    }

    /// A token; `None` for one that only groups or separates.
    fn leaf(&mut self, node: Node<'_>, kind: NodeKind) -> Option<TreeDigest> {
        let text = self.written(node);
        if matches!(text, "," | "(" | ")" | ";" | ":") || kind == NodeKind::LineContinuation {
            return None;
        }
        let normal = match kind {
            NodeKind::StringStart => {
                let prefix = text.trim_end_matches(['"', '\'']).to_ascii_lowercase();
                Cow::Owned(prefix.replace('u', ""))
            }
            NodeKind::Integer | NodeKind::Float => Cow::Owned(text.replace('_', "").to_ascii_lowercase()),
            _ => Cow::Borrowed(text),
        };
        let mut hasher = FxHasher::default();
        normal.hash(&mut hasher);
        let code = hasher.finish();
        // The upper half, which is mixed best.
        self.tokens.push((code >> 32) as u32);
        Some(TreeDigest { code, weight: 1 })
    }

    /// `name = …` or `name: … = …`: an entity of its own.
    fn is_plain_assignment(&self, statement: Node<'_>) -> bool {
        let mut assignments = children(statement).filter(|node| self.kind(*node) == NodeKind::Assignment);
        let left = assignments.find_map(|node| self.field(node, self.syntax.fields.left));
        left.is_some_and(|left| self.kind(left) == NodeKind::Identifier)
    }
}

/// The shape of the definition whose name stands at a position, with its digest.
fn placed(name: Node<'_>, digest: TreeDigest, tokens: impl Iterator<Item = u32>) -> DefinitionShape {
    let point = name.start_position();
    let mut tokens: Vec<u32> = tokens.take(MAX_TOKENS).collect();
    tokens.sort_unstable();
    DefinitionShape {
        line: u32::try_from(point.row + 1).unwrap_or(u32::MAX),
        column: u32::try_from(point.column).unwrap_or(u32::MAX),
        code: digest.code,
        weight: digest.weight,
        tokens,
        ..DefinitionShape::default()
    }
}

fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut cursor = node.walk();
    let mut has_next = cursor.goto_first_child();
    std::iter::from_fn(move || {
        let found = has_next.then(|| cursor.node());
        has_next = has_next && cursor.goto_next_sibling();
        found
    })
}

fn is_dotted(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

/// White space folded, cut after [`MAX_TEXT`] characters.
fn fold(text: &str) -> String {
    let folded = folded(text);
    match folded.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &folded[..end]),
        None => folded,
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::compare;
    use crate::facts::fingerprint::FileShape;

    fn shape(bytes: &[u8]) -> FileShape {
        compare(&[bytes]).pop().expect("one version").1
    }

    /// Whether the first definition's code is the same in both texts, and whether the whole file is.
    fn same(old: &str, new: &str) -> (bool, bool) {
        let (old, new) = (shape(old.as_bytes()), shape(new.as_bytes()));
        (old.definitions[0].code == new.definitions[0].code, old.whole == new.whole)
    }

    #[test]
    fn layout_and_comments_do_not_count() {
        let old = "def f(a):\n    return g(a, 'x') + 1_000\n";
        assert_eq!(
            same(old, "def f(a):\n    # why\n    return (\n        g(a, \"x\",)\n        + 1000\n    )\n"),
            (true, true)
        );
        assert_eq!(same(old, "def f(a):\n    '''Doc.'''\n    return g(a, 'x') + 1_000\n"), (true, false));
        assert_eq!(same(old, "def f(a):\n    return g(a, 'x') + 1_001\n"), (false, false));
        assert_eq!(same(old, "def f(a):\n    return g(a, b'x') + 1_000\n"), (false, false));
    }

    #[test]
    fn grouping_that_matters_and_blocks_count() {
        assert_eq!(same("x = (a + b) * c\n", "x = a + b * c\n"), (false, false));
        assert_eq!(same("x = (a,)\n", "x = (a)\n"), (false, false));
        let nested = "def f():\n    if a:\n        b()\n        c()\n";
        assert_eq!(same(nested, "def f():\n    if a:\n        b()\n    c()\n"), (false, false));
    }

    #[test]
    fn parameters_exits_and_bases_are_read() {
        let shape = shape(
            b"class C(B, metaclass=M):\n    def m(self, a: int, /, b='x', *c, d: str = 'y', **e) -> int:\n        \
              if a: raise E(1)\n        return 1, 2\n",
        );
        let [class, method] = shape.definitions.as_slice() else { panic!("two definitions") };
        assert_eq!(class.bases, ["B", "metaclass=M"]);
        let parameters: Vec<_> =
            method.parameters.iter().map(|p| (p.name.as_str(), p.default.as_deref(), p.annotation.as_str())).collect();
        assert_eq!(
            parameters,
            [
                ("self", None, ""),
                ("a", None, "int"),
                ("b", Some("'x'"), ""),
                ("c", None, ""),
                ("d", Some("'y'"), "str"),
                ("e", None, "")
            ]
        );
        assert_eq!((method.raises.as_slice(), method.returns.length()), (["E".to_owned()].as_slice(), Some(2)));
    }
}
