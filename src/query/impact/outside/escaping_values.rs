//! Definitions that are values: where code outside the repository may get them.
//!
//! A definition escapes where it is passed on as a value, named by a text, or kept in a variable that nothing here
//! reads, if its callers from there are unknown. Base classes are the subject of `library_callers`.

use std::rc::Rc;

use crate::{
    model::{Basis, EntityKind, Relationship, RelationshipKind},
    query::{
        graph::Graph,
        impact::{
            completeness::Boundary,
            outside::library_callers::{base_outside, can_be_asked_for},
            selection::setup::is_in_tests,
        },
        source::Sources,
    },
    store::{error::StoreError, read::entity_headers::Head},
};

/// The code that uses a definition otherwise than as a value. Tests call public definitions in the place of outside
/// code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Callers {
    Nobody,
    Tests,
    Code,
}

/// Who calls a definition; of one that stands in a test, that is its code.
pub(crate) fn callers(graph: &Graph, head: &Head) -> Result<Callers, StoreError> {
    use RelationshipKind as K;
    let is_test = is_in_tests(graph, head.id)?;
    let mut callers = Callers::Nobody;
    for edge in graph.dependents(head.id)? {
        let is_value = match edge.kind {
            K::Reads => head.kind != EntityKind::Property,
            kind => matches!(kind, K::References | K::Imports | K::Annotates | K::Contains | K::ImplementedBy),
        };
        if is_value || edge.source == head.id {
            continue;
        }
        if is_test || !is_in_tests(graph, edge.source)? {
            return Ok(Callers::Code);
        }
        callers = Callers::Tests;
    }
    Ok(callers)
}

/// Who gets a definition, or the class that it is a member of, as a value, where no code is known to call it.
pub(crate) fn value_of(graph: &Graph, sources: &Sources, head: &Rc<Head>) -> Result<Option<Boundary>, StoreError> {
    let Some(parent) = graph.head(head.parent)? else { return Ok(None) };
    // A definition inside a function that is returned is followed to the calls of the function.
    if (head.kind.is_callable() || head.kind == EntityKind::Class) && !parent.kind.is_callable() {
        let boundary = used_as_value(graph, head)?;
        if boundary.is_some() {
            return Ok(boundary);
        }
    }
    // Who makes instances of a class calls its methods; who gets the class alone may do both.
    let is_member = parent.kind == EntityKind::Class && head.kind != EntityKind::Class;
    if is_member && can_be_asked_for(graph, sources, head)? && callers(graph, &parent)? < Callers::Code {
        return used_as_value(graph, &parent);
    }
    Ok(None)
}

/// The first place where a definition is a value, or named by a text or an entry point.
fn used_as_value(graph: &Graph, value: &Head) -> Result<Option<Boundary>, StoreError> {
    let is_tested = callers(graph, value)? == Callers::Tests;
    for (source, edge) in places(graph, value)? {
        let (name, path, line) = (value.name(), graph.path(&source), edge.line);
        let is_test = is_in_tests(graph, source.id)?;
        // A test that names a definition which tests call has it called; a test that names it by a text replaces it.
        if is_test && (is_tested || edge.basis == Basis::Text) {
            continue;
        }
        if edge.basis == Basis::Text {
            // A text in `__all__` does not load the definition.
            let code = graph.code_around(&source)?;
            let is_path = |text: &str| text.contains(['.', ':']);
            if path.ends_with(".py") && !code.bodies.text_at((edge.line, edge.column)).is_none_or(is_path) {
                continue;
            }
            let message = format!("`{name}` is named at {path}:{line}, and who loads it from there is not known");
            return Ok(Some(Boundary::new("handed_on", 1, message)));
        }
        if is_tested && source.kind == EntityKind::Variable && is_other_name(graph, &source)? {
            continue;
        }
        if value.kind == EntityKind::Class && graph.code_around(&source)?.compares((line, edge.column)) {
            continue;
        }
        let message = format!("`{name}` is used as a value ({path}:{line}), and who calls it from there is not known");
        return Ok(Some(Boundary::new("handed_on", 1, message)));
    }
    // The name that tests call holds the result of the decorator.
    if is_tested { Ok(None) } else { decorated_here(graph, value) }
}

/// A decorator of the repository that gets a definition and may keep it.
fn decorated_here(graph: &Graph, value: &Head) -> Result<Option<Boundary>, StoreError> {
    for edge in graph.store.outgoing(value.id)?.iter().filter(|edge| edge.kind == RelationshipKind::Decorates) {
        let Some(decorator) = graph.head(edge.target)?.filter(|decorator| decorator.kind.is_callable()) else {
            continue;
        };
        // A wrapper would be called where the name is.
        if graph.code_around(&decorator)?.bodies.wraps_at((decorator.line, decorator.column)) {
            continue;
        }
        let name = decorator.name();
        let (path, line, value) = (graph.path(value), edge.line, value.name());
        let message =
            format!("`{value}` is given to `{name}` ({path}:{line}), and who calls it from there is not known");
        return Ok(Some(Boundary::new("handed_on", 1, message)));
    }
    Ok(None)
}

/// The place where a definition is kept for code outside, whoever else calls it: a variable of a module that nothing
/// here reads (`urlpatterns`), or one of a class with a base from outside.
pub(crate) fn kept_for_outside(graph: &Graph, head: &Head) -> Result<Option<Boundary>, StoreError> {
    if !head.kind.is_callable() && head.kind != EntityKind::Class {
        return Ok(None);
    }
    for (keeper, edge) in places(graph, head)? {
        if keeper.kind != EntityKind::Variable || edge.basis == Basis::Text {
            continue;
        }
        if is_kept_for_outside(graph, &keeper)? && !is_other_name(graph, &keeper)? {
            let (name, path, line, keeper) = (head.name(), graph.path(&keeper), edge.line, keeper.name());
            let message = format!(
                "`{name}` is kept in `{keeper}` ({path}:{line}), which nothing here reads: code outside may call it"
            );
            return Ok(Some(Boundary::new("handed_on", 1, message)));
        }
    }
    Ok(None)
}

/// Whether a variable is there for code outside alone.
fn is_kept_for_outside(graph: &Graph, keeper: &Head) -> Result<bool, StoreError> {
    if is_in_tests(graph, keeper.id)? {
        return Ok(false);
    }
    for edge in graph.dependents(keeper.id)? {
        let is_read = !matches!(edge.kind, RelationshipKind::Writes | RelationshipKind::Contains);
        if is_read && edge.basis != Basis::Text && !is_in_tests(graph, edge.source)? {
            return Ok(false);
        }
    }
    match graph.head(keeper.parent)?.map(|parent| parent.kind) {
        Some(EntityKind::Module) => Ok(true),
        Some(EntityKind::Class) => Ok(base_outside(graph, keeper.parent)?.is_some()),
        _ => Ok(false),
    }
}

/// Whether a variable of a module is another name of its value, no table: `old_name = name`.
fn is_other_name(graph: &Graph, keeper: &Head) -> Result<bool, StoreError> {
    let is_of_module = !keeper.qualified.contains('.');
    Ok(is_of_module && graph.code_around(keeper)?.bodies.is_other_name_at((keeper.line, keeper.column)))
}

/// The places where a definition is a value, in the order of files and lines, each with the enclosing entity.
fn places(graph: &Graph, value: &Head) -> Result<Vec<(Rc<Head>, Relationship)>, StoreError> {
    let mut places = Vec::new();
    for edge in graph.store.incoming_of(value.id, RelationshipKind::References)? {
        places.extend(graph.head(edge.source)?.map(|source| (source, edge)));
    }
    places.sort_by_cached_key(|(source, edge)| (graph.path(source).to_owned(), edge.line, edge.column));
    Ok(places)
}
