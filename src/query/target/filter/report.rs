//! The definitions that fit a filter as a list, each with the figure of its order.

use std::cmp::Reverse;

use serde::Serialize;

use super::{Filter, FilterReader, ListOrder, lines};
use crate::{
    model::EntityKind,
    store::{error::StoreError, read::Entity, search::documents::SectionSummary},
};

/// The definitions that fit, as JSON too.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct FilterReport {
    pub schema: &'static str,
    pub schema_version: u32,
    /// The conditions in words, but for the kinds.
    pub conditions: String,
    /// Empty for all.
    pub kinds: Vec<EntityKind>,
    pub definitions: Vec<FittingDefinition>,
}

/// A definition that fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FittingDefinition {
    pub name: String,
    pub kind: EntityKind,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub signature: String,
    pub doc: String,
    pub lines: u32,
    /// The figure of the order, where it is not the number of lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subclasses: Option<usize>,
}

impl FilterReader<'_> {
    /// The report of all fitting definitions in an order; of `only` these paths, which are sorted.
    pub fn report(
        &self,
        filter: &Filter,
        sort: ListOrder,
        only: Option<&[String]>,
    ) -> Result<FilterReport, StoreError> {
        let is_wanted = |entity: &Entity| only.is_none_or(|only| only.binary_search(&entity.path).is_ok());
        let fitting = self.sorted(filter, sort)?.into_iter().filter(|(_, entity)| is_wanted(entity));
        let definitions = fitting
            .map(|(key, entity)| FittingDefinition {
                references: (sort == ListOrder::Uses).then_some(key),
                branches: (sort == ListOrder::Complexity).then_some(key),
                members: (sort == ListOrder::Members).then_some(key),
                parameters: (sort == ListOrder::Parameters).then_some(key),
                subclasses: (sort == ListOrder::Subclasses).then_some(key),
                ..FittingDefinition::of(&entity)
            })
            .collect();
        let mut definitions: Vec<FittingDefinition> = definitions;
        if filter.accepts_sections() {
            let is_there = |path: &str| filter.accepts_path(path) && only.is_none_or(|o| o.iter().any(|p| p == path));
            let sections = self.store.sections()?.into_iter().filter(|(path, _)| is_there(path));
            definitions.extend(sections.map(FittingDefinition::of_section));
            match sort {
                ListOrder::Size => definitions.sort_by_key(|definition| Reverse(definition.lines)),
                ListOrder::Name => definitions.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path))),
                _ => {}
            }
        }
        let conditions = filter.words();
        let kinds = filter.kinds.clone();
        Ok(FilterReport { schema: "repoidx.definitions", schema_version: 1, conditions, kinds, definitions })
    }
}

impl FittingDefinition {
    /// A section of the document at a path.
    fn of_section((path, section): (String, SectionSummary)) -> Self {
        let SectionSummary { title, above, lead, start_line, end_line, .. } = section;
        let name = if above.is_empty() { title } else { format!("{above} / {title}") };
        Self {
            name,
            kind: EntityKind::Document,
            path,
            start_line,
            end_line,
            signature: String::new(),
            doc: lead,
            lines: end_line.saturating_sub(start_line) + 1,
            references: None,
            branches: None,
            members: None,
            parameters: None,
            subclasses: None,
        }
    }

    fn of(entity: &Entity) -> Self {
        let record = &entity.record;
        Self {
            name: entity.full_name(),
            kind: record.kind,
            path: entity.path.clone(),
            start_line: record.start_line,
            end_line: record.end_line,
            signature: record.signature.clone(),
            doc: record.doc.clone(),
            lines: lines(entity),
            references: None,
            branches: None,
            members: None,
            parameters: None,
            subclasses: None,
        }
    }
}
