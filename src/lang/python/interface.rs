//! The part of the lowered file that others see, gathered from the log of bindings.

use rustc_hash::FxHashMap;

use crate::{
    facts::{
        FileFacts, Interface, NameId, Names,
        bodies::{Bodies, ExprId, ExprKind, FunctionBody, Literal, NONE, ScopeKind, Stmt},
        interface::{BasePath, Binding, ClassHead, EntityHead, FunctionHead, Member, ParameterHead},
    },
    lang::python::lowering::{BoundName, Lowerer},
    model::EntityFlags,
};

/// Turns the finished walk into facts.
pub(super) fn facts(lowerer: Lowerer<'_>) -> FileFacts {
    let Lowerer { mut bodies, bound, exports, plugins, stars, keeps_annotations, .. } = lowerer;
    let mut by_scope: FxHashMap<u32, Vec<BoundName>> = FxHashMap::default();
    for entry in bound {
        by_scope.entry(entry.scope).or_default().push(entry);
    }
    let mut names = Names::default();
    let mut copy = |id: NameId| names.intern(bodies.names.text(id));
    let mut interface = Interface {
        stars: stars.iter().map(|path| copy_module(path, &mut copy)).collect(),
        exports: exports.map(|texts| texts.into_iter().map(&mut copy).collect()),
        plugins: plugins.into_iter().map(&mut copy).collect(),
        roots: Vec::new(),
        keeps_annotations,
        members: members(&bodies, by_scope.remove(&0).unwrap_or_default(), &mut copy),
        ..Interface::default()
    };
    for class in &bodies.classes {
        let bases = class.bases.iter().filter_map(|&base| {
            let path = base_path(&bodies, base, &mut copy)?;
            Some(BasePath { local: path.local.or_else(|| bodies.class_before(class, base)), ..path })
        });
        let bases = bases.collect();
        let metaclass = class
            .keywords
            .iter()
            .find(|(name, _)| *name != NONE && bodies.names.text(NameId(*name)) == "metaclass")
            .and_then(|&(_, value)| base_path(&bodies, value, &mut copy));
        let decorators = class.decorators.iter().filter_map(|&id| base_path(&bodies, id, &mut copy)).collect();
        let members = members(&bodies, by_scope.remove(&class.scope).unwrap_or_default(), &mut copy);
        let is_generic = bodies.is_generic(class);
        interface.classes.push(ClassHead { entity: class.entity, bases, metaclass, members, decorators, is_generic });
    }
    for function in &bodies.functions {
        if let Some(name) = fixture_name(&bodies, function) {
            interface.fixtures.push((copy(name), function.entity));
        }
        let parameters = function
            .parameters
            .iter()
            .map(|parameter| ParameterHead {
                name: copy(bodies.variables[parameter.variable as usize].name),
                kind: parameter.kind,
                has_default: parameter.default != NONE,
                is_none_default: is_none(&bodies, parameter.default),
                default_truth: bodies.truth(parameter.default),
                has_followed_default: is_followed(&bodies, parameter.default),
            })
            .collect();
        interface.functions.push(FunctionHead {
            entity: function.entity,
            lambda: function.lambda,
            parameters,
            is_generator: function.is_generator,
            is_async: function.is_async,
            is_decorated: !function.decorators.is_empty(),
            is_guard: is_guard(&bodies, function.returns),
        });
    }
    interface.entities = bodies
        .records
        .iter()
        .map(|record| EntityHead {
            kind: record.kind,
            name: names.intern(&record.name),
            parent: record.parent,
            duplicate: record.duplicate,
            flags: record.flags,
        })
        .collect();
    interface.classes.sort_by_key(|class| class.entity);
    interface.functions.sort_by_key(|function| (function.entity, function.lambda));
    names.seal();
    sort_members(&names, &mut interface.members);
    for class in &mut interface.classes {
        sort_members(&names, &mut class.members);
    }
    interface.names = names;
    bodies.names.seal();
    FileFacts { interface, bodies }
}

/// `name` in `@pytest.fixture(name="…")`.
fn fixture_name(bodies: &Bodies, function: &FunctionBody) -> Option<NameId> {
    function.decorators.iter().find_map(|&decorator| {
        let ExprKind::Call { callee, keywords, .. } = *bodies.kind(decorator)? else {
            return None;
        };
        bodies.last_name(callee).filter(|name| *name == "fixture")?;
        let is_name = |name: u32| name != NONE && bodies.names.text(NameId(name)) == "name";
        let (_, value) = bodies.keywords(keywords).iter().find(|(name, _)| is_name(*name))?;
        match *bodies.kind(*value)? {
            ExprKind::Text(text) => Some(text),
            _ => None,
        }
    })
}

fn sort_members(names: &Names, members: &mut [Member]) {
    for member in &mut *members {
        member.hash = names.hash(member.name);
    }
    members.sort_by_key(|member| member.hash);
}

/// Joins the bindings of each name; an unconditional one hides those before it.
fn members(bodies: &Bodies, bound: Vec<BoundName>, copy: &mut impl FnMut(NameId) -> NameId) -> Vec<Member> {
    let mut members: Vec<Member> = Vec::new();
    let mut index: FxHashMap<NameId, usize> = FxHashMap::default();
    for entry in bound {
        let name = copy(entry.name);
        let binding = match entry.binding {
            Binding::Entity(entity) => Binding::Entity(entity),
            Binding::Module(path) => Binding::Module(copy_module(&path, copy)),
            Binding::From(path, name) => Binding::From(copy_module(&path, copy), copy(name)),
        };
        let position = *index.entry(name).or_insert_with(|| {
            members.push(Member { name, hash: 0, bindings: Vec::with_capacity(1), is_for_types: true });
            members.len() - 1
        });
        members[position].is_for_types &= entry.is_for_types;
        let bindings = &mut members[position].bindings;
        if !entry.is_conditional && !joins_earlier(bodies, &binding) {
            bindings.clear();
        }
        if !bindings.contains(&binding) {
            bindings.push(binding);
        }
    }
    members.shrink_to_fit();
    members
}

/// The setter and deleter of a property stand beside its getter, and so do functions that its other attributes
/// decorate.
fn joins_earlier(bodies: &Bodies, binding: &Binding) -> bool {
    let Binding::Entity(entity) = binding else { return false };
    let flags = bodies.records[*entity as usize].flags;
    [EntityFlags::SETTER, EntityFlags::DELETER, EntityFlags::JOINS].into_iter().any(|bit| flags.has(bit))
}

fn copy_module(
    path: &crate::facts::interface::ModulePath,
    copy: &mut impl FnMut(NameId) -> NameId,
) -> crate::facts::interface::ModulePath {
    crate::facts::interface::ModulePath {
        level: path.level,
        parts: path.parts.iter().map(|&part| copy(part)).collect(),
    }
}

/// `a.b[c]` → `a.b`; for a call (`with_metaclass(M, Base)`), its last argument that is a dotted name.
fn base_path(bodies: &Bodies, base: ExprId, copy: &mut impl FnMut(NameId) -> NameId) -> Option<BasePath> {
    let mut parts = Vec::new();
    let mut expression = base;
    loop {
        if expression == NONE {
            return None;
        }
        match &bodies.expressions[expression as usize].kind {
            ExprKind::Attribute { base, name } => {
                parts.push(copy(*name));
                expression = *base;
            }
            ExprKind::Subscript { base, .. } => expression = *base,
            ExprKind::Call { callee, arguments, .. } => {
                let is_metaclass_call = bodies.last_name(*callee).is_some_and(|name| name == "with_metaclass");
                expression = match bodies.list(*arguments).last() {
                    Some(&last) if is_metaclass_call => last,
                    _ => *callee,
                };
            }
            ExprKind::Name { variable, .. } if let Some(named) = base_assigned(bodies, *variable, expression) => {
                expression = named;
            }
            ExprKind::Name { name, variable } => {
                parts.push(copy(*name));
                parts.reverse();
                return Some(BasePath { local: local_class(bodies, *variable), parts });
            }
            _ => return None,
        }
    }
}

/// The dotted name that a variable is assigned first, before `base` is read from it: `Base = pathlib.PosixPath`, `Base
/// = Other`.
fn base_assigned(bodies: &Bodies, variable: u32, base: ExprId) -> Option<ExprId> {
    if bodies.variables.get(variable as usize)?.entity == NONE {
        return None;
    }
    bodies.statements.iter().find_map(|statement| match *statement {
        Stmt::Assign { target, value } if target < base && bodies.is_variable(target, variable) => {
            let is_name = matches!(bodies.kind(value), Some(ExprKind::Attribute { .. } | ExprKind::Name { .. }));
            (is_name && value < base).then_some(value)
        }
        _ => None,
    })
}

/// `TypeGuard[C]` or `TypeIs[C]`, from wherever it is imported.
fn is_guard(bodies: &Bodies, returns: ExprId) -> bool {
    let Some(&ExprKind::Subscript { base, .. }) = bodies.kind(returns) else { return false };
    matches!(bodies.last_name(base), Some("TypeGuard" | "TypeIs"))
}

fn is_none(bodies: &Bodies, expression: ExprId) -> bool {
    let kind = bodies.kind(expression);
    matches!(kind, Some(ExprKind::Literal(Literal::None)))
}

/// Whether values flow from an expression; none do from a literal.
fn is_followed(bodies: &Bodies, expression: ExprId) -> bool {
    match bodies.kind(expression) {
        // A text may be the name of a definition.
        Some(&ExprKind::Text(text)) => bodies.names.text(text).contains(['.', ':']),
        kind => !matches!(kind, None | Some(ExprKind::Literal(_) | ExprKind::Int(_))),
    }
}

/// The class that a variable of a function or class scope is bound to by a definition.
fn local_class(bodies: &Bodies, variable: u32) -> Option<u32> {
    let scope = bodies.variables.get(variable as usize)?.scope;
    if bodies.scopes[scope as usize].kind == ScopeKind::Module {
        return None;
    }
    bodies.classes.iter().rev().find(|class| class.variable == variable).map(|class| class.entity)
}
