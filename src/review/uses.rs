//! How the code of a file uses other definitions, by place: calls with their results, imports, attributes and strings.
//!
//! It reads lowered bodies and resolves nothing. The places are those of the file's relationships and unresolved
//! occurrences.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, NONE, Run, Stmt},
    },
    model::{CallShape, Position},
    query::impact::verdict::Verdict,
};

/// The receiver of a call or an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// None: a plain name.
    None,
    /// `self`, whatever its name is.
    Own,
    /// `super()`.
    Super,
    /// `cls`, or a name in the style of a class.
    Class,
    Other,
}

/// A call in the source.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The last part of the called expression.
    pub(super) name: String,
    pub(super) shape: CallShape,
    pub(super) receiver: Receiver,
    pub(super) result: ResultUse,
}

/// The use of a call's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ResultUse {
    /// Any other use: assigned, returned, passed on.
    #[default]
    Kept,
    /// None: the call is a statement.
    Dropped,
    Awaited,
    /// `for … in call`, `yield from call`.
    Iterated,
    /// Unpacked into this many names.
    Unpacked(u32),
    /// Examined by an attribute, an item or an operator, which need the value itself.
    Examined,
}

/// `from module import name`, or `import module` with an empty name.
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) level: u32,
    pub(super) parts: Vec<String>,
    pub(super) name: String,
    /// The name that it binds in the file.
    pub(super) alias: String,
    pub(super) guard: ImportGuard,
}

/// The guard of an import: the reason why a missing name does not end the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ImportGuard {
    #[default]
    None,
    /// `try` … `except ImportError` and the like.
    Caught,
    /// `if TYPE_CHECKING`: only type checkers read it.
    TypesOnly,
}

/// All uses in one file.
#[derive(Debug, Default)]
pub(super) struct FileUses {
    pub(super) calls: FxHashMap<Position, Call>,
    /// Functions given to `partial` or `partialmethod`, with the arguments that it keeps.
    pub(super) partials: FxHashMap<Position, Call>,
    /// Attributes by name, with place, receiver, and whether they are called.
    pub(super) attributes: FxHashMap<String, Vec<(Position, Receiver)>>,
    pub(super) imports: FxHashMap<Position, Import>,
    /// Lines in a `try` that catches `AttributeError`, `NameError` or all exceptions.
    caught: FxHashSet<u32>,
    /// Lines in a `try` that catches `TypeError`, or in a test that expects it.
    refused: FxHashSet<u32>,
    /// The same for handlers of every exception.
    swallowed: FxHashSet<u32>,
    /// Lines that set attributes with computed names: `setattr` without a literal, `__dict__`.
    pub(super) computed: Vec<u32>,
    /// Strings that look like dotted names, with their places.
    pub(super) texts: Vec<(String, Position)>,
}

impl FileUses {
    /// Reads a file.
    pub(super) fn of(bodies: &Bodies) -> Self {
        let mut uses = FileUses::default();
        let mut outcomes: FxHashMap<ExprId, ResultUse> = FxHashMap::default();
        // The use of a result is written around its call: all uses are collected before any call is read.
        for expression in &bodies.expressions {
            note_outcomes(&expression.kind, &mut outcomes);
        }
        for statement in &bodies.statements {
            note_results(bodies, statement, &mut outcomes);
        }
        for (id, expression) in (0..).zip(&bodies.expressions) {
            match &expression.kind {
                ExprKind::Call { callee, arguments, keywords } => {
                    let Some(called) = bodies.expressions.get(*callee as usize) else { continue };
                    let name = match called.kind {
                        ExprKind::Name { name, .. } | ExprKind::Attribute { name, .. } => bodies.names.text(name),
                        _ => continue,
                    };
                    let call = Call {
                        name: name.to_owned(),
                        shape: bodies.call_shape(*arguments, *keywords),
                        receiver: receiver(bodies, *callee),
                        result: outcomes.get(&id).copied().unwrap_or_default(),
                    };
                    let is_literal = |id: &ExprId| {
                        let argument = bodies.expressions.get(*id as usize);
                        argument.is_some_and(|argument| matches!(argument.kind, ExprKind::Text(_)))
                    };
                    if name == "setattr" && !bodies.list(*arguments).get(1).is_some_and(is_literal) {
                        uses.computed.push(called.line);
                    }
                    if matches!(name, "partial" | "partialmethod") {
                        uses.partials.extend(partial(bodies, *arguments, &call.shape));
                    }
                    uses.calls.insert((called.line, called.column), call);
                }
                ExprKind::Attribute { name, .. } => {
                    let place = (expression.line, expression.column);
                    if bodies.names.text(*name) == "__dict__" {
                        uses.computed.push(expression.line);
                    }
                    let list = uses.attributes.entry(bodies.names.text(*name).to_owned()).or_default();
                    list.push((place, receiver(bodies, id)));
                }
                _ => {}
            }
        }
        let everything: Vec<u32> = (0..).take(bodies.statements.len()).collect();
        let mut guards = FxHashMap::default();
        guard(bodies, &everything, &mut guards, &mut uses);
        for (id, statement) in (0..).zip(&bodies.statements) {
            let guard = guards.get(&id).copied().unwrap_or_default();
            uses.note_import(bodies, statement, guard);
        }
        uses.texts = bodies.texts.iter().map(|text| (text.text.clone(), (text.line, text.column))).collect();
        uses
    }

    /// Whether a missing attribute or name at this line is caught.
    pub(super) fn is_caught(&self, line: u32) -> bool {
        self.caught.contains(&line)
    }

    /// The verdict on a call at this line that raises a `TypeError`, where that is caught or expected. A handler of
    /// every exception hardly means this one.
    pub(super) fn refusal(&self, line: u32) -> Option<Verdict> {
        match () {
            () if self.refused.contains(&line) => Some(Verdict::MayBehaveDifferently),
            () if self.swallowed.contains(&line) => Some(Verdict::MayBreak),
            () => None,
        }
    }

    fn note_import(&mut self, bodies: &Bodies, statement: &Stmt, guard: ImportGuard) {
        let texts = |parts: &[crate::facts::NameId]| -> Vec<String> {
            parts.iter().map(|&part| bodies.names.text(part).to_owned()).collect()
        };
        let bound = |variable: u32| {
            let variable = bodies.variables.get(variable as usize);
            variable.map(|variable| bodies.names.text(variable.name).to_owned()).unwrap_or_default()
        };
        let (place, import) = match statement {
            Stmt::Import { module, variable, line, column, .. } => {
                let (name, alias) = (String::new(), bound(*variable));
                ((*line, *column), Import { level: module.level, parts: texts(&module.parts), name, alias, guard })
            }
            Stmt::ImportFrom { module, name, variable, name_line, name_column, .. } => {
                let (name, alias) = (bodies.names.text(*name).to_owned(), bound(*variable));
                let parts = texts(&module.parts);
                ((*name_line, *name_column), Import { level: module.level, parts, name, alias, guard })
            }
            _ => return,
        };
        self.imports.insert(place, import);
    }
}

/// The function in `partial(function, …)`, with the arguments given here.
fn partial(bodies: &Bodies, arguments: Run, shape: &CallShape) -> Option<(Position, Call)> {
    let &function = bodies.list(arguments).first()?;
    let expression = bodies.expressions.get(function as usize)?;
    let (ExprKind::Name { name, .. } | ExprKind::Attribute { name, .. }) = expression.kind else { return None };
    // The function itself is the first argument.
    let kept = CallShape { positional: shape.positional.saturating_sub(1), ..shape.clone() };
    let (name, receiver) = (bodies.names.text(name).to_owned(), receiver(bodies, function));
    Some(((expression.line, expression.column), Call { name, shape: kept, receiver, result: ResultUse::Kept }))
}

/// Records the uses of the calls directly in an expression.
fn note_outcomes(kind: &ExprKind, outcomes: &mut FxHashMap<ExprId, ResultUse>) {
    let mut note = |id: ExprId, outcome: ResultUse| {
        outcomes.insert(id, outcome);
    };
    match kind {
        ExprKind::Await(id) => note(*id, ResultUse::Awaited),
        ExprKind::YieldFrom(id) | ExprKind::Starred(id) | ExprKind::Clause { iterable: id, is_async: false, .. } => {
            note(*id, ResultUse::Iterated);
        }
        ExprKind::Attribute { base, .. } | ExprKind::Subscript { base, .. } => note(*base, ResultUse::Examined),
        ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => {
            note(*left, ResultUse::Examined);
            note(*right, ResultUse::Examined);
        }
        _ => {}
    }
}

fn note_results(bodies: &Bodies, statement: &Stmt, outcomes: &mut FxHashMap<ExprId, ResultUse>) {
    match statement {
        Stmt::Expr(id) => {
            outcomes.entry(*id).or_insert(ResultUse::Dropped);
        }
        Stmt::Assign { target, value } => {
            let Some(ExprKind::Sequence { items, .. }) = bodies.kind(*target) else {
                return;
            };
            let items = bodies.list(*items);
            // `a, *rest = f()` accepts any length.
            let is_open = items.iter().any(|&item| matches!(bodies.kind(item), Some(ExprKind::Starred(_))));
            if !is_open {
                let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
                outcomes.insert(*value, ResultUse::Unpacked(count));
            }
        }
        Stmt::For { iterable, .. } => {
            outcomes.insert(*iterable, ResultUse::Iterated);
        }
        _ => {}
    }
}

/// The receiver before the last dot of an expression.
fn receiver(bodies: &Bodies, expression: ExprId) -> Receiver {
    let Some(ExprKind::Attribute { base, .. }) = bodies.kind(expression) else { return Receiver::None };
    match bodies.kind(*base) {
        Some(ExprKind::Call { callee, .. }) => match bodies.kind(*callee) {
            Some(ExprKind::Name { name, .. }) if bodies.names.text(*name) == "super" => Receiver::Super,
            _ => Receiver::Other,
        },
        Some(ExprKind::Name { name, .. } | ExprKind::Attribute { name, .. }) => match bodies.names.text(*name) {
            "self" => Receiver::Own,
            "cls" => Receiver::Class,
            text if is_class_like(text) => Receiver::Class,
            _ => Receiver::Other,
        },
        _ => Receiver::Other,
    }
}

/// Whether a name has the form of a class by PEP 8: `Cart`, `_Cart`, not `CART`.
fn is_class_like(text: &str) -> bool {
    let text = text.trim_start_matches('_');
    text.starts_with(char::is_uppercase) && (text.chars().any(char::is_lowercase) || text.len() == 1)
}

/// Exceptions that a missing import raises.
const OF_IMPORTS: [&str; 2] = ["ImportError", "ModuleNotFoundError"];
/// Exceptions that a missing name raises.
const OF_NAMES: [&str; 2] = ["AttributeError", "NameError"];
/// The exception that a call with wrong arguments raises.
const OF_CALLS: [&str; 1] = ["TypeError"];
/// Exceptions whose handlers catch all of these.
const ALL: [&str; 2] = ["Exception", "BaseException"];

/// Records the statements inside handlers and inside tests for type checkers.
fn guard(bodies: &Bodies, statements: &[u32], guards: &mut FxHashMap<u32, ImportGuard>, uses: &mut FileUses) {
    for &id in statements {
        match bodies.statements.get(id as usize) {
            Some(Stmt::Try { body, handlers, .. }) => {
                // A handler that raises again ends the program all the same.
                let ending = || handlers.iter().filter(|handler| !raises(bodies, &handler.body));
                let mut caught: Vec<&str> = ending().flat_map(|h| exceptions(bodies, h.exception)).collect();
                // A bare `except:` catches all.
                caught.extend(ending().any(|handler| handler.exception == NONE).then_some(ALL[1]));
                if catches(&caught, &OF_IMPORTS) {
                    each(bodies, body, &mut |id, _| _ = guards.insert(id, ImportGuard::Caught));
                }
                uses.record_caught(bodies, body, &caught);
            }
            Some(Stmt::With { items, body, .. }) => {
                for caught in items.iter().filter_map(|(context, _)| expected(bodies, *context)) {
                    uses.record_caught(bodies, body, &caught);
                }
            }
            Some(Stmt::If { test, then, .. }) if is_for_types(bodies, *test) => {
                each(bodies, then, &mut |id, _| _ = guards.insert(id, ImportGuard::TypesOnly));
            }
            _ => {}
        }
    }
}

impl FileUses {
    /// Records the lines of a block around which these exceptions are caught or expected.
    fn record_caught(&mut self, bodies: &Bodies, block: &[u32], caught: &[&str]) {
        if catches(caught, &OF_NAMES) {
            each(bodies, block, &mut |_, lines| self.caught.extend(lines));
        }
        if caught.iter().any(|name| OF_CALLS.contains(name)) {
            each(bodies, block, &mut |_, lines| self.refused.extend(lines));
        } else if catches(caught, &OF_CALLS) {
            each(bodies, block, &mut |_, lines| self.swallowed.extend(lines));
        }
    }
}

/// Whether handlers of these exceptions catch one of `wanted`.
fn catches(caught: &[&str], wanted: &[&str]) -> bool {
    caught.iter().any(|name| ALL.contains(name) || wanted.contains(name))
}

/// Whether a block raises an exception, whichever way it takes.
fn raises(bodies: &Bodies, block: &[u32]) -> bool {
    let last = block.last().and_then(|&id| bodies.statements.get(id as usize));
    match last {
        Some(Stmt::Raise { .. }) => true,
        Some(Stmt::If { then, otherwise, .. }) => raises(bodies, then) && raises(bodies, otherwise),
        Some(Stmt::With { body, .. }) => raises(bodies, body),
        _ => false,
    }
}

/// The exceptions in `pytest.raises(…)`, `self.assertRaises(…)` or `contextlib.suppress(…)`.
fn expected(bodies: &Bodies, context: ExprId) -> Option<Vec<&str>> {
    let Some(ExprKind::Call { callee, arguments, .. }) = bodies.kind(context) else { return None };
    let Some(ExprKind::Name { name, .. } | ExprKind::Attribute { name, .. }) = bodies.kind(*callee) else {
        return None;
    };
    let is_expecting = matches!(bodies.names.text(*name), "raises" | "assertRaises" | "assertRaisesRegex" | "suppress");
    is_expecting.then(|| bodies.list(*arguments).iter().flat_map(|&argument| exceptions(bodies, argument)).collect())
}

/// The last names of a handler's exceptions.
fn exceptions(bodies: &Bodies, exception: ExprId) -> Vec<&str> {
    match bodies.kind(exception) {
        Some(ExprKind::Name { name, .. } | ExprKind::Attribute { name, .. }) => vec![bodies.names.text(*name)],
        Some(ExprKind::Sequence { items, .. }) => {
            bodies.list(*items).iter().flat_map(|&item| exceptions(bodies, item)).collect()
        }
        _ => Vec::new(),
    }
}

fn is_for_types(bodies: &Bodies, test: ExprId) -> bool {
    exceptions(bodies, test).contains(&"TYPE_CHECKING")
}

/// Visits the statements of a block and of the blocks in it, with the lines of the expressions that are statements.
fn each(bodies: &Bodies, block: &[u32], visit: &mut dyn FnMut(u32, Vec<u32>)) {
    for &id in block {
        let Some(statement) = bodies.statements.get(id as usize) else { continue };
        visit(id, lines(bodies, statement));
        match statement {
            Stmt::If { then, otherwise, .. } => {
                each(bodies, then, visit);
                each(bodies, otherwise, visit);
            }
            Stmt::For { body, otherwise, .. } | Stmt::While { body, otherwise, .. } => {
                each(bodies, body, visit);
                each(bodies, otherwise, visit);
            }
            Stmt::With { body, .. } => each(bodies, body, visit),
            Stmt::Try { body, otherwise, finally, .. } => {
                each(bodies, body, visit);
                each(bodies, otherwise, visit);
                each(bodies, finally, visit);
            }
            _ => {}
        }
    }
}

/// The lines on which a simple statement's expressions begin.
fn lines(bodies: &Bodies, statement: &Stmt) -> Vec<u32> {
    let ids = match statement {
        Stmt::Expr(id) | Stmt::Return(id) | Stmt::Annotation(id) | Stmt::Delete(id) => vec![*id],
        Stmt::Assign { target, value } | Stmt::Augmented { target, value, .. } => vec![*target, *value],
        Stmt::If { test, .. } | Stmt::While { test, .. } => vec![*test],
        _ => Vec::new(),
    };
    let line = |id: &ExprId| bodies.expressions.get(*id as usize).map(|expression| expression.line);
    ids.iter().filter_map(line).collect()
}
