//! The context of a line that is no code of a function: an import, a docstring, the head of a class, a decorator.

use std::collections::BTreeSet;

use crate::{
    model::{EntityId, EntityKind, RelationshipKind},
    query::{
        context::{
            CLASSES, CursorPlace, Reason, USAGES, code, is_class, named, named::NamedModule, pieces::Pieces, position,
        },
        target::bases,
    },
    store::error::StoreError,
};

/// Most definitions of a module that an import line brings.
const EXPORTED: usize = 60;

/// Adds the definitions that an import names, then those that it may name: of the module, first the ones whose names
/// the file uses without having them, then the most imported. Names that the file lacks and another module has come
/// last.
pub(super) fn import(place: &CursorPlace<'_>, module: &str, pieces: &mut Pieces<'_, '_>) -> Result<(), StoreError> {
    let store = place.store;
    let module = absolute(place, module);
    let outgoing = store.outgoing_between(place.file, 1, u32::MAX)?;
    let used: BTreeSet<EntityId> = outgoing.iter().map(|relationship| relationship.target).collect();
    for NamedModule { module: imported, .. } in named::modules(place, &outgoing)? {
        // Of the module before `import`, the definitions follow one by one.
        if imported.module != module {
            pieces.add_module(&imported, Reason::Defined, &used)?;
        }
    }
    let line = place.cursor.line;
    let imported = store.outgoing_between(place.file, line, line)?.into_iter();
    let imported: Vec<_> = imported.filter(|relationship| relationship.kind == RelationshipKind::Imports).collect();
    for entity in named::named(store, &imported, place.cursor)? {
        pieces.add(&entity, Reason::Defined);
    }
    let unresolved = store.unresolved_of(place.file)?.into_iter().filter(|unresolved| unresolved.receiver.is_empty());
    let mut lacking: Vec<String> = Vec::new();
    for occurrence in unresolved {
        if !lacking.contains(&occurrence.name) {
            lacking.push(occurrence.name);
        }
    }
    let mut exported = Vec::new();
    for file in store.files_of_module(&module)?.into_iter().filter(|file| *file != place.file) {
        let entities = store.entities_of(file)?;
        exported.extend(entities.into_iter().filter(|entity| {
            let is_of_module = entity.record.kind == EntityKind::Module || entity.record.qualified.contains('.');
            !is_of_module && (!entity.record.name.starts_with('_') || lacking.contains(&entity.record.name))
        }));
        // A package hands on what its parts define.
        for relationship in store.outgoing_between(file, 1, u32::MAX)? {
            if relationship.kind == RelationshipKind::Imports {
                exported.extend(store.entity(relationship.target)?);
            }
        }
    }
    let mut counted = Vec::new();
    for entity in exported {
        let imports = store.incoming_of(entity.id, RelationshipKind::Imports)?.len();
        let is_foreign = entity.module != module;
        let is_lacking = lacking.contains(&entity.record.name);
        counted.push(((!is_lacking, is_foreign, std::cmp::Reverse(imports), position(&entity)), entity));
    }
    counted.sort_by(|a, b| a.0.cmp(&b.0));
    counted.iter().take(EXPORTED).for_each(|(_, entity)| pieces.add(entity, Reason::Importable));
    for name in &lacking {
        let mut found = store.entities_named(name, false)?;
        found.retain(|entity| entity.file != place.file && !entity.record.qualified.contains('.'));
        found.sort_by_key(position);
        found.iter().take(1).for_each(|entity| pieces.add(entity, Reason::Importable));
    }
    Ok(())
}

/// The full name of a module as an import in the file writes it, with or without dots before it.
fn absolute(place: &CursorPlace<'_>, written: &str) -> String {
    let name = written.trim_start_matches('.');
    let level = written.len() - name.len();
    if level == 0 {
        return name.trim_end_matches('.').to_owned();
    }
    let own = place.entities.first().map_or("", |module| module.module.as_str());
    let is_package = place.cursor.path.ends_with("__init__.py");
    let parts: Vec<&str> = own.split('.').collect();
    let kept = parts.len().saturating_sub(level - usize::from(is_package));
    let parts = parts[..kept].iter().copied().chain((!name.is_empty()).then_some(name));
    parts.collect::<Vec<_>>().join(".")
}

/// Adds the facts that a docstring tells: the definition that this one overrides, the types and exceptions that it
/// names, and the definitions that it uses; for a class or module its members.
pub(super) fn docstring(place: &CursorPlace<'_>, pieces: &mut Pieces<'_, '_>) -> Result<(), StoreError> {
    let store = place.store;
    let Some(callable) = place.callable() else {
        let owner = place.innermost().or_else(|| place.around.first().copied());
        for class in owner.map_or(Ok(Vec::new()), |owner| bases(store, owner.id))?.into_iter().take(CLASSES) {
            pieces.add_class(class)?;
        }
        for member in owner.map_or(Ok(Vec::new()), |owner| store.children(owner.id))? {
            pieces.add(&member, Reason::Nearby);
        }
        return Ok(());
    };
    let mut outgoing = store.outgoing_between(place.file, callable.record.start_line, callable.record.end_line)?;
    let members = |kind: RelationshipKind| kind == RelationshipKind::Overrides;
    let targets =
        outgoing.iter().filter(|relationship| members(relationship.kind) && relationship.source == callable.id);
    for target in targets.map(|relationship| relationship.target).collect::<BTreeSet<EntityId>>() {
        if let Some(overridden) = store.entity(target)? {
            pieces.add(&overridden, Reason::Overridden);
        }
    }
    // What the signature and the errors name is told more often than what runs inside.
    let is_told = |kind| matches!(kind, RelationshipKind::Annotates | RelationshipKind::Raises);
    outgoing.sort_by_key(|relationship| !is_told(relationship.kind));
    let (told, others): (Vec<_>, Vec<_>) = outgoing.into_iter().partition(|relationship| is_told(relationship.kind));
    for relationships in [told, others] {
        for entity in named::named(store, &relationships, place.cursor)? {
            pieces.add(&entity, Reason::Defined);
        }
    }
    Ok(())
}

/// Adds the bases that the head of a class names with their members, other classes that derive from them, and the
/// classes that the file knows.
pub(super) fn class_head(place: &CursorPlace<'_>, pieces: &mut Pieces<'_, '_>) -> Result<(), StoreError> {
    let (store, line) = (place.store, place.cursor.line);
    let named = named::named(store, &store.outgoing_between(place.file, line, line)?, place.cursor)?;
    let mut siblings = Vec::new();
    for base in named.iter().filter(|entity| entity.record.kind == EntityKind::Class).take(CLASSES) {
        pieces.add_class(base.id)?;
        for relationship in store.incoming_of(base.id, RelationshipKind::Inherits)? {
            siblings.extend(store.entity(relationship.source)?);
        }
    }
    for entity in &named {
        pieces.add(entity, Reason::Defined);
    }
    siblings.sort_by_cached_key(position);
    siblings.retain(|sibling| !pieces.seen.covers(&sibling.path, sibling.record.line, sibling.record.line));
    siblings.iter().take(USAGES).for_each(|sibling| pieces.add(sibling, Reason::Usage));
    let mut known = Vec::new();
    for relationship in store.outgoing_between(place.file, 1, u32::MAX)? {
        if relationship.kind != RelationshipKind::Overrides && is_class(store, relationship.target)? {
            known.extend(store.entity(relationship.target)?);
        }
    }
    known.sort_by_cached_key(|entity| (entity.record.line.abs_diff(line), position(entity)));
    known.dedup_by_key(|entity| entity.id);
    for entity in &known {
        pieces.add(entity, Reason::Nearby);
    }
    Ok(())
}

/// Adds the decorators that the line names, examples of their use, and the other decorators of the file.
pub(super) fn decorator(place: &CursorPlace<'_>, pieces: &mut Pieces<'_, '_>) -> Result<(), StoreError> {
    let (store, line) = (place.store, place.cursor.line);
    let named = named::named(store, &store.outgoing_between(place.file, line, line)?, place.cursor)?;
    for entity in &named {
        pieces.add(entity, Reason::Defined);
    }
    code::usages(place, &named, pieces)?;
    let mut others = store.outgoing_between(place.file, 1, u32::MAX)?;
    others.retain(|relationship| relationship.kind == RelationshipKind::Decorates);
    for entity in named::named(store, &others, place.cursor)? {
        pieces.add(&entity, Reason::Nearby);
    }
    Ok(())
}
