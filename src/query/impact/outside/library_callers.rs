//! Callers that no index of the repository can hold: libraries.
//!
//! A definition without known callers may be used by the base class of a library, which calls the methods of derived
//! classes; by a library's decorator, which gets the function; or by code that gets it as a value.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{
    facts::written::DottedReference,
    model::{
        Basis, EntityFlags, EntityId, EntityKind, Relationship, RelationshipKind,
        conventions::{
            bases::{is_container, is_silent},
            decorators::harmless,
            is_constructor, is_special, last_part,
        },
    },
    query::{
        graph::Graph,
        impact::{
            completeness::Boundary,
            outside::escaping_values::{Callers, callers, kept_for_outside, value_of},
            selection::setup::family,
            walk::{Reached, Role},
        },
        source::Sources,
    },
    store::{
        error::StoreError,
        read::{Entity, entity_headers::Head},
    },
};

/// Most listed entities that are examined for callers outside.
const MAX_LISTED: usize = 200;

/// The code outside the repository that may run the changed definitions, or something that is listed because of them:
/// code that gets them as values or by a text, a library's decorator, or a base class of a library.
pub(crate) fn users_outside(
    graph: &Graph,
    sources: &Sources,
    seeds: &[Entity],
    listed: &[&Reached],
) -> Result<Option<Boundary>, StoreError> {
    for seed in seeds {
        let Some(head) = graph.head(seed.id)? else { continue };
        let user = user_of(graph, sources, &head, listed.is_empty())?;
        if user.is_some() {
            return Ok(user);
        }
    }
    let is_code = |head: &Head| !graph.file(head.file).is_some_and(|file| file.is_test);
    let listed = listed.iter().map(|reached| &reached.entity).filter(|head| head.kind.is_callable() && is_code(head));
    for head in listed.take(MAX_LISTED) {
        let user = user_of(graph, sources, head, true)?;
        if user.is_some() {
            return Ok(user);
        }
    }
    Ok(None)
}

/// The same for one definition. A definition that is registered with an object and has no other dependents may be run
/// by that object's class.
fn user_of(graph: &Graph, sources: &Sources, head: &Rc<Head>, is_end: bool) -> Result<Option<Boundary>, StoreError> {
    if head.flags.has(EntityFlags::TEST) {
        return Ok(None);
    }
    if let Some(boundary) = kept_for_outside(graph, head)? {
        return Ok(Some(boundary));
    }
    let callers = callers_here(graph, head)?;
    if callers == Callers::Code {
        return Ok(None);
    }
    if is_end || graph.registered(head)?.iter().all(|edge| edge.basis == Basis::MAY_KEEP) {
        let name = head.name();
        if let Some(decorator) = decorator_outside(graph, head)? {
            let message = format!("`{name}` is given to `{decorator}`, which may use it from outside the repository");
            return Ok(Some(Boundary::new("outside", 1, message)));
        }
    }
    let class = match head.kind {
        EntityKind::Class => Some(head.id),
        EntityKind::Method | EntityKind::Property if can_be_asked_for(graph, sources, head)? => Some(head.parent),
        _ => None,
    };
    let found = class.map_or(Ok(None), |class| base_outside(graph, class))?;
    // Tests that call a container's methods call them for themselves, not in the place of outside code.
    let is_asked = |base: &str| callers == Callers::Nobody || !is_container(last_part(base));
    if let Some((class, base)) = found.filter(|(_, base)| is_asked(base)) {
        let name = head.name();
        let message = format!("`{class}` derives from `{base}`, which is outside the repository and may use `{name}`");
        return Ok(Some(Boundary::new("outside", 1, message)));
    }
    value_of(graph, sources, head)
}

/// The callers of a definition in the repository, directly or through a method that it overrides.
fn callers_here(graph: &Graph, head: &Head) -> Result<Callers, StoreError> {
    let mut found = callers(graph, head)?;
    for overrides in graph.overridden(head)? {
        let Some(overridden) = graph.head(overrides.target)?.filter(|_| found < Callers::Code) else { continue };
        found = found.max(callers(graph, &overridden)?);
    }
    Ok(found)
}

/// The classes with which outside code runs a member that no code here calls, its own and those that derive from it,
/// and their part in the walk.
/// A base from outside calls it, or who gets the object: of 420 public members of ten projects that nothing refers to,
/// whose class is made, tests ran .6. Tests call a member in the place of outside code, but those of a container for
/// themselves.
pub(crate) fn run_with(graph: &Graph, member: &Head, is_tested: bool) -> Result<(Vec<EntityId>, Role), StoreError> {
    let is_member = matches!(member.kind, EntityKind::Method | EntityKind::Property);
    let is_private = is_private(member.name());
    if !is_member || (!is_private && !is_hook(member)) {
        return Ok((Vec::new(), Role::ReceivesClass));
    }
    // A base may make objects of a class that it gets; without one, code here makes them. A private member that nothing
    // here refers to is there for the base: `_deserialize` of a field.
    let (is_run, role) = match base_outside(graph, member.parent)? {
        Some(_) if is_private => (is_referred_to_by_nothing(graph, member)?, Role::ReceivesClass),
        Some((_, base)) => (!is_tested || !is_container(last_part(&base)), Role::ReceivesClass),
        None if is_private => (false, Role::Constructed),
        None => (!is_tested && is_referred_to_by_nothing(graph, member)?, Role::Constructed),
    };
    if !is_run {
        return Ok((Vec::new(), role));
    }
    let Some(class) = graph.head(member.parent)? else { return Ok((Vec::new(), role)) };
    let family = family(graph, &class)?;
    Ok((family.into_iter().map(|class| class.id).collect(), role))
}

/// Whether no occurrence means a member, or could.
fn is_referred_to_by_nothing(graph: &Graph, member: &Head) -> Result<bool, StoreError> {
    use RelationshipKind as K;
    let is_structure = |kind| matches!(kind, K::Contains | K::Declares | K::Overrides | K::ImplementedBy);
    Ok(graph.dependents(member.id)?.iter().all(|edge| is_structure(edge.kind))
        && graph.registered(member)?.is_empty()
        && graph.unresolved_named(member.name())?.is_empty())
}

/// Whether code passes a class to a library, or an object of it: not where an object is made as a part of others,
/// unless it is an attribute of a class that has a base from there.
pub(crate) fn passes_class_on(graph: &Graph, use_of_class: &Relationship) -> Result<bool, StoreError> {
    let Some(source) = graph.head(use_of_class.source)? else { return Ok(false) };
    match source.kind {
        EntityKind::Class => Ok(base_outside(graph, source.id)?.is_some()),
        // A module keeps the object under a name.
        EntityKind::Variable => Ok(true),
        kind => {
            let is_part = use_of_class.kind == RelationshipKind::Calls && is_constructor(source.name());
            Ok(kind.is_callable() && !is_part)
        }
    }
}

/// Whether outside code can look a member up: by its name, if that is public, stands in a text of the member's file, or
/// is said nowhere else; or as Python looks up special methods.
pub(crate) fn can_be_asked_for(graph: &Graph, sources: &Sources, member: &Head) -> Result<bool, StoreError> {
    let name = member.name();
    let is_named = || {
        let text = sources.text(graph.path(member)).unwrap_or_default();
        [format!("\"{name}\""), format!("'{name}'")].iter().any(|named| text.contains(named))
    };
    Ok(is_hook(member)
        || is_special(name)
        || is_private(name) && (is_named() || is_referred_to_by_nothing(graph, member)?))
}

/// Whether a name is private by convention, and no derived class hides it under another one.
fn is_private(name: &str) -> bool {
    name.starts_with('_') && !name.starts_with("__")
}

/// Whether a base can ask for a member by its name.
pub(crate) fn is_hook(member: &Head) -> bool {
    !member.name().starts_with('_') && !member.flags.has(EntityFlags::TEST) && !member.flags.has(EntityFlags::FIXTURE)
}

/// A decorator that is no definition of the repository, as written.
fn decorator_outside(graph: &Graph, head: &Head) -> Result<Option<String>, StoreError> {
    if head.flags.has(EntityFlags::TEST) {
        return Ok(None);
    }
    let code = graph.code_around(head)?;
    let decorators = code.bodies.decorators_at((head.line, head.column));
    let may_register = |decorator: &&DottedReference| {
        let path = &decorator.imported;
        harmless(path).is_none() && !path.starts_with("pytest.") && !path.contains("patch")
    };
    let decorators: Vec<&DottedReference> = decorators.iter().filter(may_register).collect();
    if decorators.is_empty() {
        return Ok(None);
    }
    let mut known = FxHashSet::default();
    for edge in graph.store.outgoing(head.id)?.iter().filter(|edge| edge.kind == RelationshipKind::Decorates) {
        // `hookimpl = pluggy.HookimplMarker("shop")`: a variable of the repository may hold a library's object.
        let decorator = graph.head(edge.target)?.filter(|decorator| decorator.kind != EntityKind::Variable);
        known.extend(decorator.map(|_| (edge.line, edge.column)));
    }
    let outside = |decorator: &&DottedReference| !decorator.positions.iter().any(|position| known.contains(position));
    Ok(decorators.into_iter().find(outside).map(|decorator| decorator.path.clone()))
}

/// The nearest class on the way up that has a base outside the repository, and that base as written.
pub(crate) fn base_outside(graph: &Graph, class: EntityId) -> Result<Option<(String, String)>, StoreError> {
    for class in graph.lineage(class)? {
        let mut known: FxHashSet<(u32, u32)> = FxHashSet::default();
        for edge in graph.bases(&class)? {
            // A variable of the repository may hold a class of a library.
            let base = graph.head(edge.target)?.filter(|base| base.kind == EntityKind::Class);
            known.extend(base.map(|_| (edge.line, edge.column)));
        }
        let code = graph.code_around(&class)?;
        for base in code.bodies.bases_at((class.line, class.column)) {
            if !known.contains(&base.position()) && !is_silent(&base.imported) {
                return Ok(Some((class.name().to_owned(), base.path)));
            }
        }
    }
    Ok(None)
}
