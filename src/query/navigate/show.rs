//! A definition with its source and surroundings.
//!
//! The surroundings are its parent, its siblings, its own and inherited members, and the number of references to it.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::{
    model::{EntityFlags, EntityId, EntityKind, RelationshipKind},
    query::{
        navigate::{
            leaves::{FreeCode, Leaf, free_code},
            outside::WrittenBases,
        },
        source::Sources,
        target::{Target, TargetMatch, bases, described::Described, lineage, look_up, place},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The answer, as JSON too.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ShowReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub target: Described,
    pub doc: String,
    pub decorators: Vec<String>,
    /// Every definition of the name, in the order of the file; empty where lines at module level are shown.
    pub definitions: Vec<ShownDefinition>,
    pub parent: Option<DefinitionLine>,
    pub previous: Option<DefinitionLine>,
    pub next: Option<DefinitionLine>,
    /// The bases of a class in the order of the source; those from libraries last.
    pub bases: Vec<BaseLine>,
    /// The class that `metaclass=` of a class gives; an inherited one is not repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metaclass: Option<BaseLine>,
    /// Members that a class or module defines itself, in the order of the file.
    pub members: Vec<DefinitionLine>,
    /// Members that a class inherits, nearest base first; overridden ones are left out.
    pub inherited: Vec<Inherited>,
    /// The file has changed since it was indexed, so that its lines are not shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_changed: bool,
    /// The lines at module level that were asked for, where no definition stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<ShownDefinition>,
    /// The imports and the other code at the level of a module; with their source where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub free: Vec<ShownLeaf>,
    /// The definitions that its code refers to, in the order of the first place; those inside it are left out.
    pub refers_to: Vec<Referred>,
    /// The indexed files of its folder, by path.
    pub folder: Vec<String>,
    /// Direct calls.
    pub callers: usize,
    /// Direct references of every kind, calls included.
    pub references: usize,
}

/// The source of one definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ShownDefinition {
    pub start_line: u32,
    pub end_line: u32,
    /// The text in the file now; `None` when the file cannot be read.
    pub source: Option<String>,
}

/// Code at the level of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ShownLeaf {
    #[serde(flatten)]
    pub leaf: Leaf,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// A part of a module that is shown in place of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModulePart {
    /// The statements around a line.
    Line(u32),
    /// The code of a kind, or the one of this number.
    Free(FreeCode, Option<u32>),
}

/// A definition in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DefinitionLine {
    pub name: String,
    pub full_name: String,
    pub kind: EntityKind,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub signature: String,
    pub is_async: bool,
}

/// A base of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct BaseLine {
    pub name: String,
    /// `None` for a class of a library.
    pub path: Option<String>,
    pub line: Option<u32>,
    /// The call whose result it is, as `make()`: the base is a guess then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// No class is known that the call gives.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_unresolved: bool,
}

/// A definition that another one refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Referred {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub line: u32,
    /// How, each once, in the order of the first place.
    pub by: Vec<RelationshipKind>,
    /// The first place.
    pub at: u32,
}

/// The members that come from one base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Inherited {
    pub from: String,
    pub members: Vec<DefinitionLine>,
}

impl DefinitionLine {
    fn of(entity: &Entity) -> Self {
        let record = &entity.record;
        Self {
            name: if record.qualified.is_empty() { entity.module.clone() } else { record.name.clone() },
            full_name: entity.full_name(),
            kind: record.kind,
            path: entity.path.clone(),
            start_line: record.start_line,
            end_line: record.end_line,
            signature: record.signature.clone(),
            is_async: record.flags.has(EntityFlags::ASYNC),
        }
    }
}

impl BaseLine {
    fn of(class: &Entity) -> Self {
        Self { path: Some(class.path.clone()), line: Some(class.record.line), ..Self::outside(class.full_name()) }
    }

    fn outside(name: String) -> Self {
        Self { name, path: None, line: None, call: None, is_unresolved: false }
    }
}

/// The name in a text that asks for a definition, and the part of a module that it asks for: `pkg.mod:imports`,
/// `a.py:3`. `folder` is that of the user. Only a module has imports, so that its file is meant by a name of several.
pub fn asked_part(store: &Store, text: &str, folder: &str) -> Result<(String, Option<ModulePart>), StoreError> {
    let Some((module, kind, number)) = FreeCode::split(text) else {
        return Ok((text.to_owned(), place(text).and_then(|(_, line)| line).map(ModulePart::Line)));
    };
    let part = Some(ModulePart::Free(kind, number));
    let path = module.replace('.', "/");
    for file in [format!("{path}.py"), format!("{path}/__init__.py")] {
        if place(module).is_none() && matches!(look_up(store, &file, folder)?, TargetMatch::Found(_)) {
            return Ok((file, part));
        }
    }
    Ok((module.to_owned(), part))
}

/// Describes `target` with its surroundings; of a module only `part`, if that is given.
pub fn show(
    store: &Store,
    sources: &Sources,
    target: &Target,
    part: Option<ModulePart>,
) -> Result<ShowReport, StoreError> {
    let main = target.main();
    let definition = |entity: &Entity| {
        let (start_line, end_line) = (entity.record.start_line, entity.record.end_line);
        ShownDefinition { start_line, end_line, source: sources.shown_lines(&entity.path, start_line, end_line) }
    };
    let is_module = main.record.kind == EntityKind::Module;
    let parent = if is_module { None } else { store.entity(main.parent)? };
    let siblings = siblings(store, main)?;
    let at = siblings.iter().position(|sibling| sibling.id == main.id);
    // Each definition of a name has its place, so that next and previous undo each other.
    let previous = at.and_then(|at| siblings.get(at.checked_sub(1)?));
    let next = at.and_then(|at| siblings.get(at + 1));
    let mut references = 0;
    let mut callers = 0;
    for entity in &target.entities {
        let incoming = store.incoming(entity.id)?;
        references += incoming.len();
        callers += incoming.iter().filter(|relationship| relationship.kind == RelationshipKind::Calls).count();
    }
    let members = in_order(store.children(main.id)?);
    let inherited = if main.record.kind == EntityKind::Class { inherited(store, main, &members)? } else { Vec::new() };
    let part = part.filter(|_| is_module);
    let lines = match part {
        Some(ModulePart::Line(line)) => Some(paragraph(store, sources, main, line)?),
        _ => None,
    };
    let free = if is_module && lines.is_none() { free(store, sources, main, part)? } else { Vec::new() };
    let of_free = free.iter().filter(|shown| shown.source.is_some());
    let shown: Vec<(u32, u32)> = match &lines {
        Some(lines) => vec![(lines.start_line, lines.end_line)],
        None => of_free.map(|shown| (shown.leaf.start_line, shown.leaf.end_line)).collect(),
    };
    let refers_to = refers_to(store, target, &shown)?;
    let is_class = main.record.kind == EntityKind::Class;
    let (bases, metaclass) = if is_class { bases_of(store, main)? } else { Default::default() };
    Ok(ShowReport {
        schema: "repoidx.show",
        schema_version: 1,
        target: Described::of(target),
        doc: main.record.doc.clone(),
        decorators: main.record.decorators.clone(),
        definitions: if shown.is_empty() { target.entities.iter().map(definition).collect() } else { Vec::new() },
        parent: parent.as_ref().map(DefinitionLine::of),
        previous: previous.map(DefinitionLine::of),
        next: next.map(DefinitionLine::of),
        bases,
        metaclass,
        members: members.iter().map(DefinitionLine::of).collect(),
        inherited,
        has_changed: false,
        lines,
        free,
        refers_to,
        folder: folder(store, &main.path)?,
        callers,
        references,
    })
}

/// The definitions of the parent of one, in the order of the file, itself among them; none for a module.
pub fn siblings(store: &Store, entity: &Entity) -> Result<Vec<Entity>, StoreError> {
    if entity.record.kind == EntityKind::Module {
        return Ok(Vec::new());
    }
    Ok(in_order(store.children(entity.parent)?))
}

/// The lines around one at module level, up to empty lines and definitions.
fn paragraph(store: &Store, sources: &Sources, module: &Entity, line: u32) -> Result<ShownDefinition, StoreError> {
    let members = store.children(module.id)?;
    let is_free = |at: u32| {
        let is_inside = |member: &Entity| {
            let record = &member.record;
            record.kind != EntityKind::Variable && (record.start_line..=record.end_line).contains(&at)
        };
        at >= module.record.start_line
            && at <= module.record.end_line
            && !members.iter().any(is_inside)
            && sources.line(&module.path, at).is_some_and(|text| !text.is_empty())
    };
    let start_line = (1..line).rev().take_while(|at| is_free(*at)).last().unwrap_or(line);
    let end_line = (line + 1..=module.record.end_line).take_while(|at| is_free(*at)).last().unwrap_or(line);
    Ok(ShownDefinition { start_line, end_line, source: sources.shown_lines(&module.path, start_line, end_line) })
}

/// The code at the level of a module, with its source where a kind of it is asked for.
fn free(
    store: &Store,
    sources: &Sources,
    module: &Entity,
    part: Option<ModulePart>,
) -> Result<Vec<ShownLeaf>, StoreError> {
    let Some(ModulePart::Free(kind, number)) = part else {
        let found = free_code(store, sources, module.file, None)?;
        return Ok(found.into_iter().map(|leaf| ShownLeaf { leaf, source: None }).collect());
    };
    let found = free_code(store, sources, module.file, Some(kind))?;
    let is_wanted = |at: &usize| number.is_none_or(|number| *at + 1 == number as usize);
    let wanted = found.into_iter().enumerate().filter(|(at, _)| is_wanted(at));
    let shown = wanted.map(|(_, leaf)| {
        let source = sources.shown_lines(&module.path, leaf.start_line, leaf.end_line);
        ShownLeaf { leaf, source }
    });
    Ok(shown.collect())
}

/// The definitions that the code of a target refers to; of a module, those at its own level, or within `lines`.
fn refers_to(store: &Store, target: &Target, lines: &[(u32, u32)]) -> Result<Vec<Referred>, StoreError> {
    let mut places = Vec::new();
    for main in &target.entities {
        let is_module = main.record.kind == EntityKind::Module;
        let below = format!("{}.", main.record.qualified);
        for entity in store.entities_of(main.file)? {
            let is_part = entity.id == main.id || !is_module && entity.record.qualified.starts_with(&below);
            if !is_part {
                continue;
            }
            for edge in store.outgoing(entity.id)? {
                let is_within = |(first, last): &(u32, u32)| (*first..=*last).contains(&edge.line);
                let is_wanted = lines.is_empty() || lines.iter().any(is_within);
                if is_wanted && edge.kind != RelationshipKind::Contains {
                    places.push((edge.line, edge.column, edge.target, edge.kind));
                }
            }
        }
    }
    places.sort_unstable();
    let mut found: Vec<(EntityId, Referred)> = Vec::new();
    for (at, _, id, kind) in places {
        if let Some((_, known)) = found.iter_mut().find(|(known, _)| *known == id) {
            if !known.by.contains(&kind) {
                known.by.push(kind);
            }
            continue;
        }
        let Some(entity) = store.entity(id)? else { continue };
        let is_own = target.entities.iter().any(|main| {
            let below = format!("{}.", main.record.qualified);
            let is_module = main.record.kind == EntityKind::Module;
            entity.file == main.file
                && (is_module || entity.id == main.id || entity.record.qualified.starts_with(&below))
        });
        if !is_own {
            let (name, path, line) = (entity.full_name(), entity.path, entity.record.line);
            found.push((id, Referred { name, kind: entity.record.kind, path, line, by: vec![kind], at }));
        }
    }
    Ok(found.into_iter().map(|(_, referred)| referred).collect())
}

/// The indexed files beside a file, itself left out.
fn folder(store: &Store, path: &str) -> Result<Vec<String>, StoreError> {
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let own = folder(path);
    let files = store.files()?.into_iter().map(|(_, file)| file.path);
    let mut beside: Vec<String> = files.filter(|other| other != path && folder(other) == own).collect();
    beside.sort();
    Ok(beside)
}

/// The bases of a class, and its own metaclass.
fn bases_of(store: &Store, class: &Entity) -> Result<(Vec<BaseLine>, Option<BaseLine>), StoreError> {
    let WrittenBases { outside, calls, unknown, metaclass, .. } = WrittenBases::of(store, class)?;
    let inherits = store.outgoing(class.id)?.into_iter().filter(|edge| edge.kind == RelationshipKind::Inherits);
    let places: Vec<_> = inherits.map(|edge| (edge.target, (edge.line, edge.column))).collect();
    let mut lines = Vec::new();
    for id in bases(store, class.id)? {
        let Some(base) = store.entity(id)? else { continue };
        let place = places.iter().find(|(target, _)| *target == id).map(|(_, place)| *place);
        let call = calls.iter().find(|(_, at)| Some(*at) == place).map(|(call, _)| call.clone());
        lines.push(BaseLine { call, ..BaseLine::of(&base) });
    }
    lines.extend(outside.into_iter().map(BaseLine::outside));
    let unresolved =
        |name: String| BaseLine { call: Some(name.clone()), is_unresolved: true, ..BaseLine::outside(name) };
    lines.extend(unknown.into_iter().map(unresolved));
    let metaclass = metaclass.map(|(entity, name)| match entity {
        Some(entity) => BaseLine::of(&entity),
        None => BaseLine::outside(name),
    });
    Ok((lines, metaclass))
}

/// Members that `class` inherits, breadth first.
fn inherited(store: &Store, class: &Entity, own: &[Entity]) -> Result<Vec<Inherited>, StoreError> {
    let mut names: BTreeSet<String> = own.iter().map(|member| member.record.name.clone()).collect();
    let mut found = Vec::new();
    for base in lineage(store, class.id)? {
        let Some(entity) = store.entity(base)? else { continue };
        let members = in_order(store.children(base)?);
        let members: Vec<DefinitionLine> =
            members.iter().filter(|member| !names.contains(&member.record.name)).map(DefinitionLine::of).collect();
        names.extend(members.iter().map(|member| member.name.clone()));
        if !members.is_empty() {
            found.push(Inherited { from: entity.full_name(), members });
        }
    }
    Ok(found)
}

fn in_order(mut entities: Vec<Entity>) -> Vec<Entity> {
    entities.sort_by_key(|entity| (entity.record.start_line, entity.record.line, entity.record.column));
    entities
}
