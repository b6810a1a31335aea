//! The tables of [`Bodies`] as columns, for the index.
//!
//! Each table is described once, for writing and for reading alike (see `columns`). This file knows the shape of the
//! tables and not their meaning.

use super::bodies::{
    Block, Bodies, Capture, Case, ClassBody, Expr, ExprKind, FunctionBody, Handler, Literal, NONE, Operator,
    ParameterBody, Scope, ScopeKind, SequenceKind, Stmt, TypeParameter, Variable,
};
use super::columns::{Coder, Reader, Writer};
use super::interface::ModulePath;
use super::names::NameId;
use crate::model::signature::ParameterKind;

/// The lowered code of a file as bytes.
pub(super) fn write(bodies: &mut Bodies) -> Vec<u8> {
    let mut writer = Writer::new(COLUMNS);
    tables(&mut RowCoder::new(&mut writer), bodies);
    writer.finish()
}

/// Fills the tables from the bytes of [`write`]; `None` for damaged bytes.
pub(super) fn read(bytes: &[u8], bodies: &mut Bodies) -> Option<()> {
    let mut reader = Reader::new(COLUMNS, bytes)?;
    tables(&mut RowCoder::new(&mut reader), bodies);
    reader.is_whole().then_some(())
}

// Fields of one kind share a column: equal neighbors pack well.
const TAG: usize = 0;
const LINE: usize = 1;
const COLUMN: usize = 2;
const NAME: usize = 3;
const VARIABLE: usize = 4;
/// An expression's operand, by its distance.
const OPERAND: usize = 5;
/// A statement's expression, by its distance from the one before.
const EXPRESSION: usize = 6;
const STATEMENT: usize = 7;
const LENGTH: usize = 8;
const START: usize = 9;
const KEYWORD_START: usize = 10;
const WORD: usize = 11;
const NUMBER: usize = 12;
const ENTITY: usize = 13;
const SCOPE: usize = 14;
const FUNCTION: usize = 15;
const ITEM: usize = 16;
const COLUMNS: usize = 17;

/// A coder that remembers the earlier values of some columns.
struct RowCoder<'c, C> {
    coder: &'c mut C,
    last: [u32; COLUMNS],
}

impl<'c, C: Coder> RowCoder<'c, C> {
    fn new(coder: &'c mut C) -> Self {
        RowCoder { coder, last: [0; COLUMNS] }
    }

    fn plain(&mut self, column: usize, value: &mut u32) {
        self.coder.plain(column, value);
    }

    fn optional(&mut self, column: usize, value: &mut u32) {
        self.coder.optional(column, value);
    }

    /// A number near the one before in this column.
    fn rising(&mut self, column: usize, value: &mut u32) {
        self.coder.near(column, self.last[column], value);
        if *value != NONE {
            self.last[column] = *value;
        }
    }

    fn name(&mut self, name: &mut NameId) {
        self.coder.plain(NAME, &mut name.0);
    }

    fn place(&mut self, line: &mut u32, column: &mut u32) {
        self.rising(LINE, line);
        self.coder.plain(COLUMN, column);
    }

    fn expression(&mut self, expression: &mut u32) {
        self.rising(EXPRESSION, expression);
    }

    /// A run of a table whose runs are made one after the other.
    fn run(&mut self, start: usize, (begin, length): &mut (u32, u32)) {
        self.coder.near(start, self.last[start], begin);
        self.coder.plain(LENGTH, length);
        self.last[start] = begin.wrapping_add(*length);
    }

    fn word<T: Copy + PartialEq>(&mut self, words: &[T], value: &mut T) {
        self.coder.word(WORD, words, value);
    }

    fn truth(&mut self, value: &mut bool) {
        self.coder.truth(WORD, value);
    }

    fn list<T: Clone>(&mut self, list: &mut Vec<T>, blank: &T, mut each: impl FnMut(&mut Self, &mut T)) {
        let length = self.coder.length(LENGTH, list.len());
        list.resize(length, blank.clone());
        for item in list {
            each(self, item);
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.list(block, &0, |row, statement| row.rising(STATEMENT, statement));
    }

    fn expressions(&mut self, list: &mut Vec<u32>) {
        self.list(list, &0, Self::expression);
    }

    fn module(&mut self, module: &mut ModulePath) {
        self.plain(NUMBER, &mut module.level);
        self.list(&mut module.parts, &NameId(0), Self::name);
    }
}

fn tables<C: Coder>(row: &mut RowCoder<'_, C>, bodies: &mut Bodies) {
    let blank = Scope { kind: ScopeKind::Module, parent: 0, entity: 0, size: 0 };
    row.list(&mut bodies.scopes, &blank, scope);
    let blank = Variable { name: NameId(0), scope: 0, slot: 0, entity: 0, is_nonlocal: false };
    row.list(&mut bodies.variables, &blank, |row, variable| {
        row.name(&mut variable.name);
        row.rising(SCOPE, &mut variable.scope);
        row.plain(ITEM, &mut variable.slot);
        row.optional(ENTITY, &mut variable.entity);
        row.truth(&mut variable.is_nonlocal);
    });
    let mut index = 0;
    let blank = Expr { kind: ExprKind::Literal(Literal::None), line: 0, column: 0 };
    row.list(&mut bodies.expressions, &blank, |row, expr| {
        expression(row, expr, index);
        index += 1;
    });
    row.list(&mut bodies.expression_lists, &0, |row, item| row.rising(ITEM, item));
    row.list(&mut bodies.statements, &Stmt::Jump, statement);
    row.list(&mut bodies.keywords, &(0, 0), keyword);
    row.list(&mut bodies.functions, &FunctionBody::blank(), function);
    row.list(&mut bodies.classes, &ClassBody::blank(), class);
    row.block(&mut bodies.module);
}

fn scope<C: Coder>(row: &mut RowCoder<'_, C>, scope: &mut Scope) {
    use ScopeKind::{Annotation, Class, Comprehension, Function, Lambda, Module};
    row.word(&[Module, Class, Function, Lambda, Comprehension, Annotation], &mut scope.kind);
    row.rising(SCOPE, &mut scope.parent);
    row.rising(ENTITY, &mut scope.entity);
    row.plain(ITEM, &mut scope.size);
}

fn keyword<C: Coder>(row: &mut RowCoder<'_, C>, (name, value): &mut (u32, u32)) {
    row.optional(NAME, name);
    row.rising(ITEM, value);
}

const OPERATORS: [Operator; 26] = [
    Operator::Add,
    Operator::Sub,
    Operator::Mul,
    Operator::MatMul,
    Operator::Div,
    Operator::FloorDiv,
    Operator::Mod,
    Operator::Pow,
    Operator::LeftShift,
    Operator::RightShift,
    Operator::And,
    Operator::Or,
    Operator::Xor,
    Operator::Eq,
    Operator::NotEq,
    Operator::Less,
    Operator::LessEq,
    Operator::Greater,
    Operator::GreaterEq,
    Operator::In,
    Operator::Is,
    Operator::IsNot,
    Operator::Negative,
    Operator::Positive,
    Operator::Invert,
    Operator::NotIn,
];

const SEQUENCES: [SequenceKind; 5] =
    [SequenceKind::Tuple, SequenceKind::List, SequenceKind::Set, SequenceKind::Dict, SequenceKind::Generator];

const LITERALS: [Literal; 7] =
    [Literal::None, Literal::False, Literal::Number, Literal::Text, Literal::Bytes, Literal::Ellipsis, Literal::True];

/// Every kind of expression with nothing in it; the place in this list is the kind's number.
const EXPRESSIONS: [ExprKind; 26] = [
    ExprKind::Name { name: NameId(0), variable: 0 },
    ExprKind::Attribute { base: 0, name: NameId(0) },
    ExprKind::Call { callee: 0, arguments: (0, 0), keywords: (0, 0) },
    ExprKind::Subscript { base: 0, index: 0 },
    ExprKind::Literal(Literal::None),
    ExprKind::Text(NameId(0)),
    ExprKind::Int(0),
    ExprKind::Sequence { kind: SequenceKind::Tuple, items: (0, 0), site: 0 },
    ExprKind::Dict { items: (0, 0), site: 0 },
    ExprKind::Lambda { function: 0 },
    ExprKind::Comprehension { kind: SequenceKind::Tuple, element: 0, key: 0, clauses: (0, 0), site: 0 },
    ExprKind::Clause { target: 0, iterable: 0, conditions: (0, 0), is_async: false },
    ExprKind::Binary { operator: Operator::Add, left: 0, right: 0 },
    ExprKind::Unary { operator: Operator::Add, operand: 0 },
    ExprKind::Not(0),
    ExprKind::Compare { operator: Operator::Add, left: 0, right: 0 },
    ExprKind::Bool { left: 0, right: 0, is_and: false },
    ExprKind::Conditional { test: 0, then: 0, otherwise: 0 },
    ExprKind::Await(0),
    ExprKind::Yield(0),
    ExprKind::YieldFrom(0),
    ExprKind::Starred(0),
    ExprKind::Named { target: 0, value: 0 },
    ExprKind::Format { values: (0, 0), prefix: NameId(0), suffix: NameId(0) },
    ExprKind::Slice((0, 0)),
    ExprKind::Unknown((0, 0)),
];

fn expression_tag(kind: &ExprKind) -> u32 {
    match kind {
        ExprKind::Name { .. } => 0,
        ExprKind::Attribute { .. } => 1,
        ExprKind::Call { .. } => 2,
        ExprKind::Subscript { .. } => 3,
        ExprKind::Literal(_) => 4,
        ExprKind::Text(_) => 5,
        ExprKind::Int(_) => 6,
        ExprKind::Sequence { .. } => 7,
        ExprKind::Dict { .. } => 8,
        ExprKind::Lambda { .. } => 9,
        ExprKind::Comprehension { .. } => 10,
        ExprKind::Clause { .. } => 11,
        ExprKind::Binary { .. } => 12,
        ExprKind::Unary { .. } => 13,
        ExprKind::Not(_) => 14,
        ExprKind::Compare { .. } => 15,
        ExprKind::Bool { .. } => 16,
        ExprKind::Conditional { .. } => 17,
        ExprKind::Await(_) => 18,
        ExprKind::Yield(_) => 19,
        ExprKind::YieldFrom(_) => 20,
        ExprKind::Starred(_) => 21,
        ExprKind::Named { .. } => 22,
        ExprKind::Format { .. } => 23,
        ExprKind::Slice(_) => 24,
        ExprKind::Unknown(_) => 25,
    }
}

fn expression<C: Coder>(row: &mut RowCoder<'_, C>, expr: &mut Expr, index: u32) {
    let mut tag = expression_tag(&expr.kind);
    let own = tag;
    row.plain(TAG, &mut tag);
    if tag != own {
        expr.kind = EXPRESSIONS[(tag as usize).min(EXPRESSIONS.len() - 1)].clone();
    }
    row.place(&mut expr.line, &mut expr.column);
    let near = |row: &mut RowCoder<'_, C>, operands: &mut [&mut u32]| {
        for operand in operands {
            row.coder.near(OPERAND, index, operand);
        }
    };
    match &mut expr.kind {
        ExprKind::Name { name, variable } => {
            row.name(name);
            row.optional(VARIABLE, variable);
        }
        ExprKind::Attribute { base, name } => {
            near(row, &mut [base]);
            row.name(name);
        }
        ExprKind::Call { callee, arguments, keywords } => {
            near(row, &mut [callee]);
            row.run(START, arguments);
            row.run(KEYWORD_START, keywords);
        }
        ExprKind::Subscript { base, index } => near(row, &mut [base, index]),
        ExprKind::Literal(literal) => row.word(&LITERALS, literal),
        ExprKind::Text(name) => row.name(name),
        ExprKind::Int(number) => int(row, number),
        ExprKind::Sequence { kind, items, site } => {
            row.word(&SEQUENCES, kind);
            row.run(START, items);
            row.plain(NUMBER, site);
        }
        ExprKind::Dict { items, site } => {
            row.run(START, items);
            row.plain(NUMBER, site);
        }
        ExprKind::Lambda { function } => row.rising(FUNCTION, function),
        ExprKind::Comprehension { kind, element, key, clauses, site } => {
            row.word(&SEQUENCES, kind);
            near(row, &mut [element, key]);
            row.run(START, clauses);
            row.plain(NUMBER, site);
        }
        ExprKind::Clause { target, iterable, conditions, is_async } => {
            near(row, &mut [target, iterable]);
            row.run(START, conditions);
            row.truth(is_async);
        }
        ExprKind::Binary { operator, left, right } | ExprKind::Compare { operator, left, right } => {
            row.word(&OPERATORS, operator);
            near(row, &mut [left, right]);
        }
        ExprKind::Unary { operator, operand } => {
            row.word(&OPERATORS, operator);
            near(row, &mut [operand]);
        }
        ExprKind::Bool { left, right, is_and } => {
            near(row, &mut [left, right]);
            row.truth(is_and);
        }
        ExprKind::Conditional { test, then, otherwise } => near(row, &mut [test, then, otherwise]),
        ExprKind::Not(operand)
        | ExprKind::Await(operand)
        | ExprKind::Yield(operand)
        | ExprKind::YieldFrom(operand)
        | ExprKind::Starred(operand) => near(row, &mut [operand]),
        ExprKind::Named { target, value } => near(row, &mut [target, value]),
        ExprKind::Format { values, prefix, suffix } => {
            row.run(START, values);
            row.name(prefix);
            row.name(suffix);
        }
        ExprKind::Slice(run) | ExprKind::Unknown(run) => row.run(START, run),
    }
}

/// In two halves, the sign in the lowest bit.
#[expect(clippy::cast_possible_truncation, reason = "takes the number apart")]
fn int<C: Coder>(row: &mut RowCoder<'_, C>, number: &mut i64) {
    let bits = (number.cast_unsigned() << 1) ^ (*number >> 63).cast_unsigned();
    let (mut low, mut high) = (bits as u32, (bits >> 32) as u32);
    row.plain(NUMBER, &mut low);
    row.plain(NUMBER, &mut high);
    let bits = u64::from(high) << 32 | u64::from(low);
    *number = ((bits >> 1) ^ 0_u64.wrapping_sub(bits & 1)).cast_signed();
}

/// Every kind of statement with nothing in it, by number.
fn blank_statement(tag: u32) -> Stmt {
    let module = ModulePath { level: 0, parts: Vec::new() };
    let (test, target, iterable, value) = (0, 0, 0, 0);
    let (body, otherwise) = (Block::new(), Block::new());
    match tag {
        0 => Stmt::Expr(0),
        1 => Stmt::Assign { target, value },
        2 => Stmt::Augmented { target, operator: Operator::Add, value },
        3 => Stmt::Annotated { target, annotation: 0, value },
        4 => Stmt::Annotation(0),
        5 => Stmt::Return(0),
        6 => Stmt::Raise { exception: 0, cause: 0 },
        7 => Stmt::Assert { test, message: 0 },
        8 => Stmt::Delete(0),
        9 => Stmt::If { test, then: body, otherwise },
        10 => Stmt::While { test, body, otherwise },
        11 => Stmt::For { is_async: false, target, iterable, body, otherwise },
        12 => Stmt::With { is_async: false, items: Vec::new(), body },
        13 => Stmt::Try { body, handlers: Vec::new(), otherwise, finally: Block::new() },
        14 => Stmt::Match { subject: 0, cases: Vec::new() },
        15 => Stmt::Function(0),
        16 => Stmt::Class(0),
        17 => Stmt::Import { module, variable: 0, is_alias: false, line: 0, column: 0 },
        18 => {
            let name = NameId(0);
            Stmt::ImportFrom { module, name, variable: 0, line: 0, column: 0, name_column: 0, name_line: 0 }
        }
        19 => Stmt::ImportStar { module, line: 0, column: 0 },
        _ => Stmt::Jump,
    }
}

fn statement_tag(statement: &Stmt) -> u32 {
    match statement {
        Stmt::Expr(_) => 0,
        Stmt::Assign { .. } => 1,
        Stmt::Augmented { .. } => 2,
        Stmt::Annotated { .. } => 3,
        Stmt::Annotation(_) => 4,
        Stmt::Return(_) => 5,
        Stmt::Raise { .. } => 6,
        Stmt::Assert { .. } => 7,
        Stmt::Delete(_) => 8,
        Stmt::If { .. } => 9,
        Stmt::While { .. } => 10,
        Stmt::For { .. } => 11,
        Stmt::With { .. } => 12,
        Stmt::Try { .. } => 13,
        Stmt::Match { .. } => 14,
        Stmt::Function(_) => 15,
        Stmt::Class(_) => 16,
        Stmt::Import { .. } => 17,
        Stmt::ImportFrom { .. } => 18,
        Stmt::ImportStar { .. } => 19,
        Stmt::Jump => 20,
    }
}

fn statement<C: Coder>(row: &mut RowCoder<'_, C>, statement: &mut Stmt) {
    let mut tag = statement_tag(statement);
    let own = tag;
    row.plain(TAG, &mut tag);
    if tag != own {
        *statement = blank_statement(tag);
    }
    match statement {
        Stmt::Expr(value) | Stmt::Annotation(value) | Stmt::Return(value) | Stmt::Delete(value) => {
            row.expression(value);
        }
        Stmt::Assign { target, value } => {
            row.expression(target);
            row.expression(value);
        }
        Stmt::Augmented { target, operator, value } => {
            row.expression(target);
            row.word(&OPERATORS, operator);
            row.expression(value);
        }
        Stmt::Annotated { target, annotation, value } => {
            row.expression(target);
            row.expression(annotation);
            row.expression(value);
        }
        Stmt::Raise { exception: first, cause: second } | Stmt::Assert { test: first, message: second } => {
            row.expression(first);
            row.expression(second);
        }
        Stmt::If { test, then: body, otherwise } | Stmt::While { test, body, otherwise } => {
            row.expression(test);
            row.block(body);
            row.block(otherwise);
        }
        Stmt::For { is_async, target, iterable, body, otherwise } => {
            row.truth(is_async);
            row.expression(target);
            row.expression(iterable);
            row.block(body);
            row.block(otherwise);
        }
        Stmt::With { is_async, items, body } => {
            row.truth(is_async);
            row.list(items, &(0, 0), |row, (item, target)| {
                row.expression(item);
                row.expression(target);
            });
            row.block(body);
        }
        Stmt::Try { body, handlers, otherwise, finally } => {
            row.block(body);
            row.list(handlers, &Handler { exception: 0, variable: 0, body: Block::new() }, |row, handler| {
                row.expression(&mut handler.exception);
                row.optional(VARIABLE, &mut handler.variable);
                row.block(&mut handler.body);
            });
            row.block(otherwise);
            row.block(finally);
        }
        Stmt::Match { subject, cases } => {
            row.expression(subject);
            row.list(cases, &Case::blank(), case);
        }
        Stmt::Function(index) | Stmt::Class(index) => row.rising(FUNCTION, index),
        Stmt::Import { module, variable, is_alias, line, column } => {
            row.module(module);
            row.optional(VARIABLE, variable);
            row.truth(is_alias);
            row.place(line, column);
        }
        Stmt::ImportFrom { module, name, variable, line, column, name_column, name_line } => {
            row.module(module);
            row.name(name);
            row.optional(VARIABLE, variable);
            row.place(line, column);
            row.place(name_line, name_column);
        }
        Stmt::ImportStar { module, line, column } => {
            row.module(module);
            row.place(line, column);
        }
        Stmt::Jump => {}
    }
}

impl Case {
    fn blank() -> Case {
        let (classes, values, captures) = (Vec::new(), Vec::new(), Vec::new());
        Case { classes, values, captures, has_parts: false, whole: 0, guard: 0, body: Block::new() }
    }
}

fn case<C: Coder>(row: &mut RowCoder<'_, C>, case: &mut Case) {
    row.expressions(&mut case.classes);
    row.expressions(&mut case.values);
    let blank = Capture { variable: 0, path: Vec::new() };
    row.list(&mut case.captures, &blank, |row, capture| {
        row.optional(VARIABLE, &mut capture.variable);
        row.expressions(&mut capture.path);
    });
    row.truth(&mut case.has_parts);
    row.optional(VARIABLE, &mut case.whole);
    row.expression(&mut case.guard);
    row.block(&mut case.body);
}

impl FunctionBody {
    fn blank() -> FunctionBody {
        FunctionBody {
            entity: 0,
            lambda: 0,
            scope: 0,
            variable: 0,
            class: 0,
            type_parameters: Vec::new(),
            parameters: Vec::new(),
            returns: 0,
            decorators: Vec::new(),
            body: Block::new(),
            is_generator: false,
            is_async: false,
        }
    }
}

fn function<C: Coder>(row: &mut RowCoder<'_, C>, function: &mut FunctionBody) {
    row.rising(FUNCTION, &mut function.entity);
    row.plain(NUMBER, &mut function.lambda);
    row.rising(SCOPE, &mut function.scope);
    row.optional(VARIABLE, &mut function.variable);
    row.optional(ENTITY, &mut function.class);
    row.list(&mut function.type_parameters, &TypeParameter { variable: 0, bound: 0 }, type_parameter);
    let ordinary = ParameterKind::Ordinary;
    let blank = ParameterBody { variable: 0, kind: ordinary, default: 0, annotation: 0, line: 0, column: 0 };
    row.list(&mut function.parameters, &blank, parameter);
    row.expression(&mut function.returns);
    row.expressions(&mut function.decorators);
    row.block(&mut function.body);
    row.truth(&mut function.is_generator);
    row.truth(&mut function.is_async);
}

fn type_parameter<C: Coder>(row: &mut RowCoder<'_, C>, parameter: &mut TypeParameter) {
    row.rising(VARIABLE, &mut parameter.variable);
    row.optional(OPERAND, &mut parameter.bound);
}

fn parameter<C: Coder>(row: &mut RowCoder<'_, C>, parameter: &mut ParameterBody) {
    use ParameterKind::{KeywordOnly, Keywords, Ordinary, PositionalOnly, Positionals};
    row.rising(VARIABLE, &mut parameter.variable);
    row.word(&[Ordinary, PositionalOnly, KeywordOnly, Positionals, Keywords], &mut parameter.kind);
    row.optional(OPERAND, &mut parameter.default);
    row.optional(OPERAND, &mut parameter.annotation);
    row.place(&mut parameter.line, &mut parameter.column);
}

impl ClassBody {
    fn blank() -> ClassBody {
        let (type_parameters, bases, keywords, decorators) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let body = Block::new();
        ClassBody { entity: 0, scope: 0, variable: 0, type_parameters, bases, keywords, decorators, body }
    }
}

fn class<C: Coder>(row: &mut RowCoder<'_, C>, class: &mut ClassBody) {
    row.rising(FUNCTION, &mut class.entity);
    row.rising(SCOPE, &mut class.scope);
    row.optional(VARIABLE, &mut class.variable);
    row.list(&mut class.type_parameters, &TypeParameter { variable: 0, bound: 0 }, type_parameter);
    row.expressions(&mut class.bases);
    row.list(&mut class.keywords, &(0, 0), keyword);
    row.expressions(&mut class.decorators);
    row.block(&mut class.body);
}
