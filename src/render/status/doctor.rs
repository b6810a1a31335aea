//! The doctor's findings as text or JSON.

use std::io::{self, Write};

use serde::Serialize;

use crate::render::{
    escape::visible,
    screen::{Ink, Screen},
};

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    Ok,
    Warning,
    Failure,
}

/// The findings, as JSON too. Fields are added, never changed.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct DoctorReport {
    pub schema: &'static str,
    pub schema_version: u32,
    pub findings: Vec<DoctorFinding>,
}

/// One finding.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct DoctorFinding {
    pub name: String,
    pub outcome: CheckOutcome,
    pub detail: String,
    /// Empty when there is nothing to do.
    pub hint: String,
}

/// Writes the findings for people.
pub fn text(out: &mut dyn Write, report: &DoctorReport, screen: &Screen) -> io::Result<()> {
    for finding in &report.findings {
        let (ink, word) = match finding.outcome {
            CheckOutcome::Ok => (Ink::Good, "ok  "),
            CheckOutcome::Warning => (Ink::Warning, "warn"),
            CheckOutcome::Failure => (Ink::Bad, "fail"),
        };
        let state = screen.paint(ink, word);
        writeln!(out, "{state}  {:<20}  {}", visible(&finding.name), visible(&finding.detail))?;
        if !finding.hint.is_empty() {
            writeln!(out, "      {}", screen.paint(Ink::Faint, &visible(&finding.hint)))?;
        }
    }
    Ok(())
}
