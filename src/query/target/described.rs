//! A definition as reports show it.

use serde::Serialize;

use crate::{model::EntityKind, query::target::Target};

/// A definition as reports show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Described {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub line: u32,
    pub start_line: u32,
    pub end_line: u32,
    pub signature: String,
    /// Number of definitions of this name that are one target.
    pub definitions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inherited_by: Option<String>,
}

impl Described {
    /// Something that is no definition of the repository: it has a name and no place.
    pub fn without_place(name: String, kind: EntityKind) -> Self {
        Self {
            name,
            kind,
            path: String::new(),
            line: 0,
            start_line: 0,
            end_line: 0,
            signature: String::new(),
            definitions: 0,
            inherited_by: None,
        }
    }

    /// Describes a target by its first definition.
    pub fn of(target: &Target) -> Self {
        let main = target.main();
        Self {
            name: main.full_name(),
            kind: main.record.kind,
            path: main.path.clone(),
            line: main.record.line,
            start_line: main.record.start_line,
            end_line: main.record.end_line,
            signature: main.record.signature.clone(),
            definitions: target.entities.len(),
            inherited_by: target.inherited_by.clone(),
        }
    }
}
