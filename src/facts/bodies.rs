//! The code of a file, lowered to the parts that resolution needs: scopes, variables, expressions and statements.
//!
//! Flat tables refer to each other by index: facts stay small, cheap to store and quick to read. Names are already
//! bound to the variables of the file by Python's scope rules; a name that the file never binds stays a plain name.

use serde::{Deserialize, Serialize};

use super::interface::ModulePath;
use super::names::{NameId, Names};
use crate::model::{CallShape, EntityRecord, signature::ParameterKind};

/// Index into [`Bodies::expressions`].
pub type ExprId = u32;
/// Index into [`Bodies::variables`].
pub type VarId = u32;
/// Index into [`Bodies::scopes`].
pub type ScopeId = u32;
/// A run of entries in one of the list tables: start and length.
pub type Run = (u32, u32);

/// "No such variable", "no such expression".
pub const NONE: u32 = u32::MAX;

/// The lowered code of a file. The skipped tables are stored as columns (see `code`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bodies {
    pub names: Names,
    pub records: Vec<EntityRecord>,
    pub line_count: u32,
    /// The parser had to recover from errors.
    pub is_partial: bool,
    #[serde(skip)]
    pub scopes: Vec<Scope>,
    #[serde(skip)]
    pub variables: Vec<Variable>,
    #[serde(skip)]
    pub expressions: Vec<Expr>,
    /// Runs of expressions.
    #[serde(skip)]
    pub expression_lists: Vec<ExprId>,
    #[serde(skip)]
    pub statements: Vec<Stmt>,
    /// Keyword arguments: name ([`NONE`] for `**`) and value.
    #[serde(skip)]
    pub keywords: Vec<(u32, ExprId)>,
    #[serde(skip)]
    pub functions: Vec<FunctionBody>,
    #[serde(skip)]
    pub classes: Vec<ClassBody>,
    /// Statements of the module itself.
    #[serde(skip)]
    pub module: Vec<u32>,
    /// Strings in the source that look like dotted names: text, enclosing entity, line, column.
    pub texts: Vec<TextReference>,
    /// The strings of `__all__`.
    pub exports: Vec<TextReference>,
}

/// Where names are bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub kind: ScopeKind,
    /// The scope itself for the module.
    pub parent: ScopeId,
    /// The entity that code in this scope belongs to.
    pub entity: u32,
    /// Number of variables bound in it.
    pub size: u32,
}

/// The kinds of scopes of Python's execution model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    Module,
    Class,
    Function,
    Lambda,
    Comprehension,
    /// Around a function or class with type parameters (PEP 695).
    Annotation,
}

/// A name bound in a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: NameId,
    pub scope: ScopeId,
    /// Its number in the scope.
    pub slot: u32,
    /// The variable entity it is recorded as ([`NONE`] for locals and for names only bound by definitions or imports).
    pub entity: u32,
    /// A function inside its scope assigns it too.
    pub is_nonlocal: bool,
}

/// An expression and the place of its naming token (the attribute's name for `a.b`).
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub line: u32,
    pub column: u32,
}

/// The expressions that resolution tells apart.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A name; the variable is [`NONE`] when no scope of the file binds it.
    Name {
        name: NameId,
        variable: VarId,
    },
    Attribute {
        base: ExprId,
        name: NameId,
    },
    Call {
        callee: ExprId,
        arguments: Run,
        keywords: Run,
    },
    Subscript {
        base: ExprId,
        index: ExprId,
    },
    /// A literal of a builtin type.
    Literal(Literal),
    /// A string literal's text, when it is short.
    Text(NameId),
    /// A number used as an index.
    Int(i64),
    /// `(…)`, `[…]` or `{…}` with the container's number in its entity.
    Sequence {
        kind: SequenceKind,
        items: Run,
        site: u32,
    },
    /// Keys and values in turn; a [`NONE`] key is `**value`.
    Dict {
        items: Run,
        site: u32,
    },
    Lambda {
        function: u32,
    },
    Comprehension {
        kind: SequenceKind,
        element: ExprId,
        key: ExprId,
        clauses: Run,
        site: u32,
    },
    /// One `for … in …` of a comprehension with its conditions.
    Clause {
        target: ExprId,
        iterable: ExprId,
        conditions: Run,
        is_async: bool,
    },
    Binary {
        operator: Operator,
        left: ExprId,
        right: ExprId,
    },
    Unary {
        operator: Operator,
        operand: ExprId,
    },
    Not(ExprId),
    /// `a op b op c`: operands, with the operators beside them.
    Compare {
        operator: Operator,
        left: ExprId,
        right: ExprId,
    },
    /// `and` / `or`.
    Bool {
        left: ExprId,
        right: ExprId,
        is_and: bool,
    },
    Conditional {
        test: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    Await(ExprId),
    Yield(ExprId),
    YieldFrom(ExprId),
    Starred(ExprId),
    Named {
        target: ExprId,
        value: ExprId,
    },
    /// An f-string: the interpolated values, the literal text before the first one, and the text after the last one
    /// where a name or a path can end so.
    Format {
        values: Run,
        prefix: NameId,
        suffix: NameId,
    },
    /// `start:stop:step`, [`NONE`] where a part is left out.
    Slice(Run),
    /// Code that the parser could not read, with the readable parts.
    Unknown(Run),
}

/// Builtin types of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    None,
    False,
    True,
    Number,
    Text,
    Bytes,
    Ellipsis,
}

/// Builtin containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceKind {
    Tuple,
    List,
    Set,
    Dict,
    Generator,
}

/// Operators that Python maps to special methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    MatMul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    LeftShift,
    RightShift,
    And,
    Or,
    Xor,
    Eq,
    NotEq,
    Less,
    LessEq,
    Greater,
    GreaterEq,
    In,
    Is,
    IsNot,
    Negative,
    Positive,
    Invert,
    NotIn,
}

/// A run of statements in [`Bodies::statements`] by index list.
pub type Block = Vec<u32>;

/// Statements, in the order they run.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    Expr(ExprId),
    Assign {
        target: ExprId,
        value: ExprId,
    },
    Augmented {
        target: ExprId,
        operator: Operator,
        value: ExprId,
    },
    /// `target: annotation = value`; the value may be [`NONE`].
    Annotated {
        target: ExprId,
        annotation: ExprId,
        value: ExprId,
    },
    /// `type X = …` and the like: evaluated as an annotation.
    Annotation(ExprId),
    Return(ExprId),
    Raise {
        exception: ExprId,
        cause: ExprId,
    },
    Assert {
        test: ExprId,
        message: ExprId,
    },
    Delete(ExprId),
    If {
        test: ExprId,
        then: Block,
        otherwise: Block,
    },
    While {
        test: ExprId,
        body: Block,
        otherwise: Block,
    },
    For {
        is_async: bool,
        target: ExprId,
        iterable: ExprId,
        body: Block,
        otherwise: Block,
    },
    /// Context managers and their targets ([`NONE`] without `as`).
    With {
        is_async: bool,
        items: Vec<(ExprId, ExprId)>,
        body: Block,
    },
    Try {
        body: Block,
        handlers: Vec<Handler>,
        otherwise: Block,
        finally: Block,
    },
    Match {
        subject: ExprId,
        cases: Vec<Case>,
    },
    Function(u32),
    Class(u32),
    /// `import a.b` (binds `a`) or `import a.b as c`.
    Import {
        module: ModulePath,
        variable: VarId,
        is_alias: bool,
        line: u32,
        column: u32,
    },
    ImportFrom {
        module: ModulePath,
        name: NameId,
        variable: VarId,
        line: u32,
        column: u32,
        name_column: u32,
        name_line: u32,
    },
    ImportStar {
        module: ModulePath,
        line: u32,
        column: u32,
    },
    /// `break` and `continue`: the rest of the block does not run.
    Jump,
}

/// `except exception as variable:`
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    pub exception: ExprId,
    pub variable: VarId,
    pub body: Block,
}

/// `case pattern if guard:`
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Classes that the subject itself can be of.
    pub classes: Vec<ExprId>,
    /// Other values and classes named in the pattern.
    pub values: Vec<ExprId>,
    /// Variables that the pattern binds, and attributes that it asks for.
    pub captures: Vec<Capture>,
    /// A class pattern asks for more than the class: `C(1)`, `C(part=x)`.
    pub has_parts: bool,
    /// The variable bound to the whole subject (`case C() as x`), with the class that it then has.
    pub whole: VarId,
    pub guard: ExprId,
    pub body: Block,
}

/// A value inside the subject of a `match`, by its access path. Each step is a class that the value there has, an
/// attribute or an item without a base, or a star without a value for the rest of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// The variable that is bound to it; [`NONE`] for an attribute that is only asked for.
    pub variable: VarId,
    pub path: Vec<ExprId>,
}

/// A function, method or lambda.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionBody {
    /// Its entity; for a lambda, the entity that holds it.
    pub entity: u32,
    /// 0 for a named function; n for the n-th lambda of the entity.
    pub lambda: u32,
    pub scope: ScopeId,
    /// The variable that the definition binds ([`NONE`] for a lambda).
    pub variable: VarId,
    /// The class whose body holds it, as index into [`Bodies::classes`].
    pub class: u32,
    pub type_parameters: Vec<TypeParameter>,
    pub parameters: Vec<ParameterBody>,
    pub returns: ExprId,
    pub decorators: Vec<ExprId>,
    pub body: Block,
    pub is_generator: bool,
    pub is_async: bool,
}

/// A parameter with its default and annotation as written.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterBody {
    pub variable: VarId,
    pub kind: ParameterKind,
    pub default: ExprId,
    pub annotation: ExprId,
    pub line: u32,
    pub column: u32,
}

/// A type parameter (PEP 695): the variable that it binds, and its bound or its constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeParameter {
    pub variable: VarId,
    pub bound: ExprId,
}

/// A class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassBody {
    pub entity: u32,
    pub scope: ScopeId,
    pub variable: VarId,
    pub type_parameters: Vec<TypeParameter>,
    pub bases: Vec<ExprId>,
    pub keywords: Vec<(u32, ExprId)>,
    pub decorators: Vec<ExprId>,
    pub body: Block,
}

/// A string that looks like the dotted name of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextReference {
    pub text: String,
    pub entity: u32,
    pub line: u32,
    pub column: u32,
}

impl Bodies {
    /// The class that had the name of this one before and is its base: `Base` in `class Base(Base)` and in
    /// `Base = Meta("Base", (Base,), {})`.
    pub fn class_before(&self, class: &ClassBody, base: ExprId) -> Option<u32> {
        if !self.is_variable(base, class.variable) {
            return None;
        }
        let is_before = |other: &&ClassBody| other.variable == class.variable && other.entity < class.entity;
        self.classes.iter().rev().find(is_before).map(|before| before.entity)
    }

    /// Whether a class is written with type parameters, or with a base that has arguments.
    pub fn is_generic(&self, class: &ClassBody) -> bool {
        let is_applied = |&base: &ExprId| matches!(self.kind(base), Some(ExprKind::Subscript { .. }));
        !class.type_parameters.is_empty() || class.bases.iter().any(is_applied)
    }

    /// The expressions of a run.
    pub fn list(&self, run: Run) -> &[ExprId] {
        &self.expression_lists[run.0 as usize..(run.0 + run.1) as usize]
    }

    /// The keyword arguments of a run.
    pub fn keywords(&self, run: Run) -> &[(u32, ExprId)] {
        &self.keywords[run.0 as usize..(run.0 + run.1) as usize]
    }

    /// Whether an expression is this variable and nothing more.
    pub fn is_variable(&self, expression: ExprId, variable: VarId) -> bool {
        matches!(self.kind(expression), Some(&ExprKind::Name { variable: other, .. }) if other == variable)
    }

    /// The kind of an expression; `None` for [`NONE`].
    pub fn kind(&self, expression: ExprId) -> Option<&ExprKind> {
        self.expressions.get(expression as usize).map(|expression| &expression.kind)
    }

    /// `c` of `c` and of `a.b.c`.
    pub fn last_name(&self, expression: ExprId) -> Option<&str> {
        match *self.kind(expression)? {
            ExprKind::Name { name, .. } | ExprKind::Attribute { name, .. } => Some(self.names.text(name)),
            _ => None,
        }
    }

    /// The text of an expression that is a short string literal.
    pub fn text(&self, expression: ExprId) -> Option<&str> {
        match *self.kind(expression)? {
            ExprKind::Text(name) => Some(self.names.text(name)),
            _ => None,
        }
    }

    /// The truth of an expression that is a literal.
    pub fn truth(&self, expression: ExprId) -> Option<bool> {
        match *self.kind(expression)? {
            ExprKind::Literal(Literal::True) => Some(true),
            ExprKind::Literal(Literal::None | Literal::False) => Some(false),
            ExprKind::Int(number) => Some(number != 0),
            ExprKind::Text(text) => Some(!self.names.text(text).is_empty()),
            ExprKind::Sequence { items, .. } if self.list(items).is_empty() => Some(false),
            ExprKind::Dict { items, .. } if self.list(items).is_empty() => Some(false),
            _ => None,
        }
    }

    /// Number and names of a call's arguments.
    pub fn call_shape(&self, arguments: Run, keywords: Run) -> CallShape {
        let mut shape = CallShape::default();
        for &argument in self.list(arguments) {
            if matches!(self.expressions[argument as usize].kind, ExprKind::Starred(_)) {
                shape.is_open = true;
            } else {
                shape.positional += 1;
            }
        }
        for &(name, _) in self.keywords(keywords) {
            if name == NONE {
                shape.is_open = true;
            } else {
                shape.keywords.push(self.names.text(NameId(name)).to_owned());
            }
        }
        shape
    }
}
