//! Impact as compact JSON: every text once, and every step of a chain once.
//!
//! A text is an index into `texts`. A chain is the index of its first step; each step has the index of the next one, or
//! -1 at the target. Rows are lists in the order of `columns` and `step_columns`.

use std::{collections::HashMap, rc::Rc};

use serde::Serialize;
use serde_json::{Value, json};

use crate::query::{
    impact::{
        CallSite, ImpactReport, Via,
        completeness::{Boundary, Completeness},
    },
    target::described::Described,
};

/// The columns of a row of `impacted`.
const COLUMNS: [&str; 12] = [
    "name",
    "kind",
    "path",
    "line",
    "distance",
    "probability",
    "evidence",
    "is_test",
    "effect",
    "via",
    "also",
    "lacks",
];
/// The columns of a step.
const STEP_COLUMNS: [&str; 7] = ["name", "path", "line", "kind", "evidence", "basis", "next"];
/// In place of an index where there is none.
const NONE: i64 = -1;

/// The document. Like the full one it is a contract: columns are added at the end, never changed.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct CompactImpact<'r> {
    schema: &'static str,
    schema_version: u32,
    target: &'r Described,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    targets: &'r [Described],
    change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    param: Option<&'r str>,
    completeness: Completeness,
    boundaries: &'r [Boundary],
    columns: [&'static str; 12],
    step_columns: [&'static str; 7],
    texts: Vec<Rc<str>>,
    steps: Vec<Value>,
    impacted: Vec<Value>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    call_sites: &'r [CallSite],
    tests: &'r [String],
}

/// The tables under construction.
#[derive(Default)]
struct Tables {
    texts: Vec<Rc<str>>,
    known: HashMap<Rc<str>, i64>,
    steps: Vec<Value>,
    known_steps: HashMap<[i64; 7], i64>,
}

impl<'r> CompactImpact<'r> {
    pub fn of(report: &'r ImpactReport) -> Self {
        let mut tables = Tables::default();
        let rows = report.impacted.iter().map(|row| {
            json!([
                tables.text(&row.name),
                tables.text(row.kind.as_str()),
                tables.text(&row.path),
                row.line,
                row.distance,
                row.probability,
                tables.text(row.evidence.as_str()),
                u8::from(row.is_test),
                tables.text(row.effect),
                tables.chain(&row.via),
                row.also.as_ref().map_or(NONE, |also| tables.chain(std::slice::from_ref(also))),
                row.lacks.as_ref().map_or(NONE, |lacks| tables.text(lacks)),
            ])
        });
        let impacted = rows.collect();
        Self {
            schema: "repoidx.impact_compact",
            schema_version: 1,
            target: &report.target,
            targets: &report.targets,
            change: report.change.as_str(),
            param: report.param.as_deref(),
            completeness: report.completeness,
            boundaries: &report.boundaries,
            columns: COLUMNS,
            step_columns: STEP_COLUMNS,
            texts: tables.texts,
            steps: tables.steps,
            impacted,
            call_sites: &report.call_sites,
            tests: &report.tests,
        }
    }
}

impl Tables {
    fn text(&mut self, text: &str) -> i64 {
        if let Some(&at) = self.known.get(text) {
            return at;
        }
        let (at, text) = (index(self.texts.len()), Rc::<str>::from(text));
        self.texts.push(Rc::clone(&text));
        self.known.insert(text, at);
        at
    }

    /// The index of the first step of a chain.
    fn chain(&mut self, via: &[Via]) -> i64 {
        let mut next = NONE;
        for step in via.iter().rev() {
            let row = [
                self.text(&step.name),
                self.text(&step.path),
                i64::from(step.line),
                self.text(step.kind.as_str()),
                self.text(step.evidence.as_str()),
                self.text(step.basis),
                next,
            ];
            let at = index(self.steps.len());
            let steps = &mut self.steps;
            next = *self.known_steps.entry(row).or_insert_with(|| {
                steps.push(json!(row));
                at
            });
        }
        next
    }
}

fn index(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}
