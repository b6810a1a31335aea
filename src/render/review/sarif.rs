//! A review as SARIF 2.1.0, which code hosts and editors read.
//!
//! Goes in: a review report. Comes out: one run with one result per finding. The types are the part of the standard that
//! is used here, written out: the crates for it bring the whole schema along. Columns are left out, since ours count
//! bytes and the standard's do not.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    query::verdict::Verdict,
    render::{escape::visible, review::sentence},
    review::{Finding, ReviewReport},
};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A SARIF log.
#[derive(Debug, Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    results: Vec<LogResult>,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
struct Message {
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: Fingerprints,
    /// From 0 to 100.
    rank: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Debug, Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

/// By which a finding is recognized in the next run, though lines have moved.
#[derive(Debug, Serialize)]
struct Fingerprints {
    #[serde(rename = "repoidx/v1")]
    value: String,
}

const VERDICTS: [Verdict; 3] = [Verdict::Breaks, Verdict::MayBreak, Verdict::MayBehaveDifferently];

/// The log of a review.
pub fn log(report: &ReviewReport) -> Log {
    let rule = |verdict: &Verdict| Rule {
        id: id(*verdict),
        short_description: Message { text: about(*verdict).to_owned() },
        default_configuration: Configuration { level: level(*verdict) },
    };
    let driver =
        Driver { name: "repoidx", version: env!("CARGO_PKG_VERSION"), rules: VERDICTS.iter().map(rule).collect() };
    let shown = report.findings.iter().filter(|finding| finding.verdict != Verdict::NotAffected);
    let mut seen = BTreeMap::new();
    let run = Run { tool: Tool { driver }, results: shown.map(|finding| result(finding, &mut seen)).collect() };
    Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
}

/// `seen` counts the fingerprints so far: code hosts take results with equal ones for the same.
fn result(finding: &Finding, seen: &mut BTreeMap<String, usize>) -> LogResult {
    let parts = [finding.verdict.as_str(), &finding.entity, &finding.name, &finding.path, &finding.reason];
    let fingerprint = blake3::hash(parts.join("\0").as_bytes()).to_hex()[..32].to_owned();
    let number = seen.entry(fingerprint.clone()).or_default();
    *number += 1;
    let location = PhysicalLocation {
        artifact_location: ArtifactLocation { uri: encoded(&finding.path) },
        region: Region { start_line: finding.line.max(1) },
    };
    LogResult {
        rule_id: id(finding.verdict),
        rule_index: VERDICTS.iter().position(|verdict| *verdict == finding.verdict).unwrap_or(0),
        level: level(finding.verdict),
        message: Message { text: format!("{} ({})", sentence(finding), visible(&finding.entity)) },
        locations: [Location { physical_location: location }],
        partial_fingerprints: Fingerprints { value: format!("{fingerprint}:{number}") },
        rank: (finding.probability * 10_000.0).round() / 100.0,
    }
}

fn id(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Breaks => "breaks",
        Verdict::MayBreak => "may-break",
        Verdict::MayBehaveDifferently => "may-behave-differently",
        Verdict::NotAffected => "not-affected",
    }
}

fn level(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Breaks => "error",
        Verdict::MayBreak => "warning",
        Verdict::MayBehaveDifferently | Verdict::NotAffected => "note",
    }
}

fn about(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Breaks => "The change makes this place raise an error when it runs",
        Verdict::MayBreak => "The change may make this place raise an error when it runs",
        Verdict::MayBehaveDifferently => "This place runs, and may do something else after the change",
        Verdict::NotAffected => "The change does not concern this place",
    }
}

/// A relative path as a URI reference (RFC 3986).
fn encoded(path: &str) -> String {
    path.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect()
}
