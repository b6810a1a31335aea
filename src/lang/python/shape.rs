//! Python's definitions as digests, for comparing two versions of a file.
//!
//! Goes in: bytes. Comes out: [`FileShape`]. Works on the syntax tree: what the grammar takes as layout (comments, line
//! breaks, parentheses that only group, trailing commas, quotes) does not count.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use tree_sitter::{Node, Tree};

use super::syntax::{Kind, Syntax};
use crate::facts::{
    interface::ParameterKind,
    shape::{DefinitionShape, FileShape, MAX_TOKENS, ParameterShape, Returns},
};

/// Deeper nesting is compared as text.
const MAX_DEPTH: u32 = 400;
/// Longest text of a value, a default or an annotation, in characters.
const MAX_TEXT: usize = 80;

/// The shape of a parsed file.
pub(super) fn shape(tree: &Tree, text: &str) -> FileShape {
    let mut reader = Reader { text, syntax: Syntax::get(), definitions: Vec::new() };
    let root = tree.root_node();
    reader.definitions_in(root, Home::Module, 0);
    let mut shape = FileShape {
        code: reader.digest(root, Level::Outside).0,
        doc: reader.doc(root),
        whole: reader.digest(root, Level::Everything).0,
        definitions: reader.definitions,
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

/// What a digest counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Docstrings too.
    Everything,
    /// A function's body: all but its docstring.
    Body,
    /// A module's or class's own statements: no definitions, imports, plain assignments or docstring.
    Outside,
}

struct Reader<'s> {
    text: &'s str,
    syntax: &'static Syntax,
    definitions: Vec<DefinitionShape>,
}

/// What a digest gathers on its way.
#[derive(Default)]
struct Gathered {
    hasher: FxHasher,
    tokens: Vec<u32>,
    weight: u32,
}

impl<'s> Reader<'s> {
    fn kind(&self, node: Node<'_>) -> Kind {
        self.syntax.kind(node)
    }

    fn written(&self, node: Node<'_>) -> &'s str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn field<'t>(&self, node: Node<'t>, field: u16) -> Option<Node<'t>> {
        node.child_by_field_id(field)
    }

    /// Notes every definition below `node`.
    fn definitions_in(&mut self, node: Node<'_>, home: Home, depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        for child in children(node) {
            match self.kind(child) {
                Kind::Decorated => {
                    let Some(definition) = self.field(child, self.syntax.fields.definition) else { continue };
                    let decorators = children(child).filter(|node| self.kind(*node) == Kind::Decorator);
                    let texts: Vec<String> =
                        decorators.map(|node| fold(self.written(node).trim_start_matches('@'))).collect();
                    self.definition(definition, texts, depth);
                }
                Kind::Function | Kind::Class => self.definition(child, Vec::new(), depth),
                Kind::ExpressionStatement if home != Home::Function => {
                    for assignment in children(child) {
                        if self.kind(assignment) == Kind::Assignment {
                            self.assignment(assignment);
                        }
                    }
                }
                Kind::Lambda => {}
                _ => self.definitions_in(child, home, depth + 1),
            }
        }
    }

    fn definition(&mut self, node: Node<'_>, decorators: Vec<String>, depth: u32) {
        let fields = &self.syntax.fields;
        let (Some(name), Some(body)) = (self.field(node, fields.name), self.field(node, fields.body)) else { return };
        let is_class = self.kind(node) == Kind::Class;
        let gathered = self.gather(body, if is_class { Level::Outside } else { Level::Body });
        let mut shape = DefinitionShape { decorators, doc: self.doc(body), ..self.placed(name, gathered) };
        if is_class {
            let list = self.field(node, fields.superclasses);
            let bases = list.into_iter().flat_map(children).filter(|base| base.is_named() && !base.is_extra());
            shape.bases = bases.map(|base| fold(self.written(base))).collect();
        } else {
            shape.annotation =
                self.field(node, fields.return_type).map(|node| fold(self.written(node))).unwrap_or_default();
            shape.parameters =
                self.field(node, fields.parameters).map(|list| self.parameters(list)).unwrap_or_default();
            self.exits(body, &mut shape.raises, &mut shape.returns, 0);
            shape.raises.sort_unstable();
            shape.raises.dedup();
            shape.returns.tuples.sort_unstable();
            shape.returns.tuples.dedup();
        }
        self.definitions.push(shape);
        self.definitions_in(body, if is_class { Home::Class } else { Home::Function }, depth + 1);
    }

    fn assignment(&mut self, node: Node<'_>) {
        let fields = &self.syntax.fields;
        let right = self.field(node, fields.right);
        if let Some(right) = right.filter(|right| self.kind(*right) == Kind::Assignment) {
            self.assignment(right);
        }
        let Some(left) = self.field(node, fields.left) else { return };
        let value = right.map(|right| fold(self.written(right))).unwrap_or_default();
        let annotation = self.field(node, fields.annotation).map(|node| fold(self.written(node))).unwrap_or_default();
        let names: Vec<Node<'_>> = match self.kind(left) {
            Kind::Identifier => vec![left],
            _ => children(left).filter(|node| self.kind(*node) == Kind::Identifier).collect(),
        };
        for name in names {
            let gathered = right.map(|right| self.gather(right, Level::Everything)).unwrap_or_default();
            let shape = self.placed(name, gathered);
            self.definitions.push(DefinitionShape { value: value.clone(), annotation: annotation.clone(), ..shape });
        }
    }

    fn placed(&self, name: Node<'_>, mut gathered: Gathered) -> DefinitionShape {
        let point = name.start_position();
        gathered.tokens.truncate(MAX_TOKENS);
        gathered.tokens.sort_unstable();
        DefinitionShape {
            line: u32::try_from(point.row + 1).unwrap_or(u32::MAX),
            column: u32::try_from(point.column).unwrap_or(u32::MAX),
            code: gathered.hasher.finish(),
            weight: gathered.weight,
            tokens: gathered.tokens,
            ..DefinitionShape::default()
        }
    }

    fn parameters(&self, list: Node<'_>) -> Vec<ParameterShape> {
        let fields = &self.syntax.fields;
        let mut parameters: Vec<ParameterShape> = Vec::new();
        let mut kind = ParameterKind::Ordinary;
        for child in children(list).filter(|child| child.is_named() && !child.is_extra()) {
            let (mut name, mut this_kind) = (Some(child), kind);
            match self.kind(child) {
                Kind::PositionalSeparator => {
                    for parameter in &mut parameters {
                        parameter.kind = ParameterKind::PositionalOnly;
                    }
                    continue;
                }
                Kind::KeywordSeparator => {
                    kind = ParameterKind::KeywordOnly;
                    continue;
                }
                Kind::DefaultParameter | Kind::TypedDefaultParameter => name = self.field(child, fields.name),
                Kind::TypedParameter => name = children(child).find(Node::is_named),
                _ => {}
            }
            let Some(mut name) = name else { continue };
            match self.kind(name) {
                Kind::ListSplatPattern => {
                    this_kind = ParameterKind::Positionals;
                    kind = ParameterKind::KeywordOnly;
                }
                Kind::DictionarySplatPattern => this_kind = ParameterKind::Keywords,
                _ => {}
            }
            if let Some(inner) = children(name).find(Node::is_named) {
                name = inner;
            }
            parameters.push(ParameterShape {
                name: self.written(name).to_owned(),
                kind: this_kind,
                default: self.field(child, fields.value).map(|value| fold(self.written(value))),
                annotation: self
                    .field(child, fields.annotation)
                    .map(|node| fold(self.written(node)))
                    .unwrap_or_default(),
            });
        }
        parameters
    }

    /// What a function's own statements raise and return.
    fn exits(&self, node: Node<'_>, raises: &mut Vec<String>, returns: &mut Returns, depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        for child in children(node) {
            match self.kind(child) {
                Kind::Function | Kind::Class | Kind::Lambda | Kind::Decorated => {}
                Kind::Raise => {
                    let raised = children(child).find(|node| node.is_named() && !node.is_extra());
                    let named = raised.map(|node| self.written(node).split('(').next().unwrap_or("").trim());
                    raises.extend(named.filter(|name| is_dotted(name)).map(str::to_owned));
                }
                Kind::Return => {
                    let value = children(child).find(|node| node.is_named() && !node.is_extra());
                    let is_tuple = |node: &Node<'_>| matches!(self.kind(*node), Kind::ExpressionList | Kind::Tuple);
                    match value {
                        None => {}
                        Some(value) if self.kind(value) == Kind::None => {}
                        Some(value) if is_tuple(&value) => {
                            let items: Vec<Node<'_>> =
                                children(value).filter(|node| node.is_named() && !node.is_extra()).collect();
                            if items.iter().any(|item| self.kind(*item) == Kind::ListSplat) {
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

    fn doc(&self, body: Node<'_>) -> u64 {
        self.docstring(body).map_or(0, |string| self.digest(string, Level::Everything).0)
    }

    /// The statement that is the docstring of a body.
    fn docstring<'t>(&self, body: Node<'t>) -> Option<Node<'t>> {
        let first = children(body).find(|child| child.is_named() && !child.is_extra())?;
        let is_string = self.kind(first) == Kind::ExpressionStatement
            && children(first).filter(Node::is_named).all(|child| self.kind(child) == Kind::Str);
        is_string.then_some(first)
    }

    fn digest(&self, node: Node<'_>, level: Level) -> (u64, u32) {
        let gathered = self.gather(node, level);
        (gathered.hasher.finish(), gathered.weight)
    }

    fn gather(&self, node: Node<'_>, level: Level) -> Gathered {
        let mut gathered = Gathered::default();
        let skipped = if level == Level::Everything { None } else { self.docstring(node) };
        self.feed(node, level, skipped.map(|node| node.id()), &mut gathered, 0);
        gathered
    }

    fn feed(&self, node: Node<'_>, level: Level, skipped: Option<usize>, into: &mut Gathered, depth: u32) {
        if Some(node.id()) == skipped {
            return;
        }
        let kind = self.kind(node);
        match kind {
            Kind::Comment => return,
            Kind::Function | Kind::Class | Kind::Decorated if level == Level::Outside => return,
            Kind::ImportStatement | Kind::ImportFrom | Kind::FutureImport if level == Level::Outside => return,
            Kind::ExpressionStatement if level == Level::Outside && self.is_plain_assignment(node) => return,
            Kind::Pass if level == Level::Outside => return,
            Kind::StringEnd => return,
            Kind::Parenthesized => {
                for child in children(node).filter(|child| child.is_named() && !child.is_extra()) {
                    self.feed(child, level, skipped, into, depth + 1);
                }
                return;
            }
            _ => {}
        }
        if node.child_count() == 0 || depth > MAX_DEPTH {
            self.leaf(node, kind, into);
            return;
        }
        (node.kind_id(), 1_u8).hash(&mut into.hasher);
        for child in children(node) {
            self.feed(child, level, skipped, into, depth + 1);
        }
        2_u8.hash(&mut into.hasher);
    }

    fn leaf(&self, node: Node<'_>, kind: Kind, into: &mut Gathered) {
        let text = self.written(node);
        if matches!(text, "," | "(" | ")" | ";" | ":") || node.kind() == "line_continuation" {
            return;
        }
        let normal = match kind {
            Kind::StringStart => {
                let prefix = text.trim_end_matches(['"', '\'']).to_ascii_lowercase();
                prefix.replace('u', "")
            }
            Kind::Integer | Kind::Float => text.replace('_', "").to_ascii_lowercase(),
            _ => text.to_owned(),
        };
        let mut hasher = FxHasher::default();
        normal.hash(&mut hasher);
        let hash = hasher.finish();
        hash.hash(&mut into.hasher);
        into.weight += 1;
        if into.tokens.len() < MAX_TOKENS {
            // The upper half, which is mixed best.
            into.tokens.push((hash >> 32) as u32);
        }
    }

    /// `name = …` or `name: … = …`: an entity of its own.
    fn is_plain_assignment(&self, statement: Node<'_>) -> bool {
        let mut assignments = children(statement).filter(|node| self.kind(*node) == Kind::Assignment);
        let left = assignments.find_map(|node| self.field(node, self.syntax.fields.left));
        left.is_some_and(|left| self.kind(left) == Kind::Identifier)
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
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match folded.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &folded[..end]),
        None => folded,
    }
}

#[cfg(test)]
mod tests {
    use super::super::compare;
    use crate::facts::shape::FileShape;

    fn shape(bytes: &[u8]) -> FileShape {
        compare(bytes).1
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
