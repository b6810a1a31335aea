//! Values for the page that shows an impact.
//!
//! Goes in: an impact report. Comes out: groups of rows and a drawing with coordinates, for `templates/impact.html.j2`.
//! Knows nothing of HTML: the template escapes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    model::Evidence,
    query::impact::{ImpactReport, Impacted},
    render::{
        drawing::{Drawing, drawing},
        escape::{visible, visible_path},
        impact::summary,
        words::{likelihood, percent, short},
    },
};

/// Entities in the drawing.
const MAX_NODES: usize = 80;
/// Rows in the page.
const MAX_ROWS: usize = 5_000;
const COLUMN_WIDTH: usize = 260;
const ROW_HEIGHT: usize = 34;

/// Everything the page says.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    pub name: String,
    pub kind: &'static str,
    pub place: String,
    pub summary: String,
    pub completeness: &'static str,
    pub boundaries: Vec<String>,
    pub groups: Vec<Group>,
    pub tests: Vec<String>,
    /// Rows that are not in the page.
    pub left_out: usize,
    pub graph: Graph,
}

/// Rows under one heading.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub title: String,
    pub rows: Vec<Row>,
}

/// One affected entity.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub name: String,
    pub place: String,
    pub kind: &'static str,
    pub likelihood: String,
    pub is_test: bool,
    pub steps: Vec<String>,
}

/// The drawing, with the target on the left and a column for each distance.
#[derive(Clone, Debug, Serialize)]
pub struct Graph {
    pub width: usize,
    pub height: usize,
    pub left_out: usize,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Node {
    pub x: usize,
    pub y: usize,
    pub label: String,
    pub title: String,
    pub class: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct Edge {
    pub from_x: usize,
    pub from_y: usize,
    pub to_x: usize,
    pub to_y: usize,
    pub kind: &'static str,
    pub is_possible: bool,
}

/// The page of a report.
pub fn page(report: &ImpactReport) -> Page {
    let mut groups: BTreeMap<(bool, u32), Vec<Row>> = BTreeMap::new();
    for impacted in report.impacted.iter().take(MAX_ROWS) {
        let is_possible = impacted.evidence == Evidence::Possible;
        let distance = if is_possible { 0 } else { impacted.distance };
        groups.entry((is_possible, distance)).or_default().push(row(impacted));
    }
    let title = |(is_possible, distance): (bool, u32)| match (is_possible, distance) {
        (true, _) => "Possible: only a name fits on the way".to_owned(),
        (false, 1) => "Direct".to_owned(),
        (false, distance) => format!("Distance {distance}"),
    };
    Page {
        name: visible(&report.target.name).into_owned(),
        kind: report.target.kind.as_str(),
        place: format!("{}:{}", visible_path(&report.target.path), report.target.line),
        summary: summary(report),
        completeness: report.completeness.as_str(),
        boundaries: report.boundaries.iter().map(|boundary| visible(&boundary.message).into_owned()).collect(),
        groups: groups.into_iter().map(|(key, rows)| Group { title: title(key), rows }).collect(),
        tests: report.tests.iter().map(|id| visible(id).into_owned()).collect(),
        left_out: report.impacted.len().saturating_sub(MAX_ROWS),
        graph: graph(&drawing(report, MAX_NODES)),
    }
}

fn row(impacted: &Impacted) -> Row {
    let (path, line) = impacted.place();
    let step = |pair: &[crate::query::impact::Via]| {
        format!("{} {}:{}", visible(short(&pair[0].name)), visible_path(&pair[1].path), pair[1].line)
    };
    Row {
        name: visible(&impacted.name).into_owned(),
        place: format!("{}:{line}", visible_path(path)),
        kind: impacted.via.first().map_or("", |via| via.kind.as_str()),
        likelihood: likelihood(impacted.probability),
        is_test: impacted.is_test,
        steps: impacted.via.windows(2).map(step).collect(),
    }
}

fn graph(drawing: &Drawing) -> Graph {
    let mut filled: BTreeMap<usize, usize> = BTreeMap::new();
    let mut places = Vec::with_capacity(drawing.nodes.len());
    for node in &drawing.nodes {
        let column = node.distance as usize;
        let row = filled.entry(column).or_default();
        places.push((20 + column * COLUMN_WIDTH, 24 + *row * ROW_HEIGHT));
        *row += 1;
    }
    let node = |(node, (x, y)): (&crate::render::drawing::Node, &(usize, usize))| Node {
        x: *x,
        y: *y,
        label: visible(short(&node.name)).chars().take(34).collect(),
        title: format!("{} {}", visible(&node.name), percent(node.probability)),
        class: match (node.distance, node.is_test) {
            (0, _) => "target",
            (_, true) => "test",
            (_, false) => "code",
        },
    };
    let edge = |edge: &crate::render::drawing::Edge| Edge {
        from_x: places[edge.from].0,
        from_y: places[edge.from].1,
        to_x: places[edge.to].0,
        to_y: places[edge.to].1,
        kind: edge.kind.as_str(),
        is_possible: edge.evidence == Evidence::Possible,
    };
    Graph {
        width: places.iter().map(|place| place.0).max().unwrap_or(0) + COLUMN_WIDTH,
        height: places.iter().map(|place| place.1).max().unwrap_or(0) + ROW_HEIGHT,
        left_out: drawing.left_out,
        nodes: drawing.nodes.iter().zip(&places).map(node).collect(),
        edges: drawing.edges.iter().map(edge).collect(),
    }
}
