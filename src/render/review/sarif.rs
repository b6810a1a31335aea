//! A review as SARIF 2.1.0, which code hosts and editors read.
//!
//! Columns are omitted, because ours count bytes and those of the standard count characters.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_sarif::sarif::{
    ArtifactLocation, Location, Message, MultiformatMessageString, PhysicalLocation, Region, ReportingConfiguration,
    ReportingDescriptor, Result as SarifResult, ResultLevel, Run, Sarif, Suppression, Tool, ToolComponent,
};

use crate::{
    query::impact::verdict::Verdict,
    render::{escape::visible, review::sentence},
    review::{Finding, ReviewReport},
};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Key of the fingerprint by which the next run recognizes a finding, even if lines have moved.
const FINGERPRINT: &str = "repoidx/v1";

const VERDICTS: [Verdict; 3] = [Verdict::Breaks, Verdict::MayBreak, Verdict::MayBehaveDifferently];

/// The log of a review.
pub fn log(report: &ReviewReport) -> Sarif {
    let rule = |verdict: &Verdict| {
        ReportingDescriptor::builder()
            .id(id(*verdict))
            .short_description(MultiformatMessageString::builder().text(about(*verdict)).build())
            .default_configuration(ReportingConfiguration::builder().level(level(*verdict).to_string()).build())
            .build()
    };
    let rules: Vec<ReportingDescriptor> = VERDICTS.iter().map(rule).collect();
    let driver = ToolComponent::builder().name("repoidx").version(env!("CARGO_PKG_VERSION")).rules(rules).build();
    let shown = report.findings.iter().filter(|finding| finding.verdict != Verdict::NotAffected);
    let mut seen = BTreeMap::new();
    let mut results: Vec<SarifResult> = shown.map(|finding| result(finding, &mut seen)).collect();
    // The standard's way to keep a result that nobody has to act on.
    results.extend(report.expected.iter().map(|expected| {
        let suppression = Suppression::builder()
            .kind(Value::from("inSource"))
            .justification(visible(&expected.expected_because).into_owned())
            .build();
        SarifResult { suppressions: Some(vec![suppression]), ..result(&expected.finding, &mut seen) }
    }));
    let run = Run::builder().tool(Tool::builder().driver(driver).build()).results(results).build();
    Sarif::builder().schema(SCHEMA).version("2.1.0").runs(vec![run]).build()
}

/// `seen` counts the fingerprints so far, because code hosts merge results with equal ones.
fn result(finding: &Finding, seen: &mut BTreeMap<String, usize>) -> SarifResult {
    let parts = [finding.verdict.as_str(), &finding.entity, &finding.name, &finding.path, &finding.reason];
    // Lines are no part of it, since they move.
    let fingerprint = blake3::hash(parts.join("\0").as_bytes()).to_hex()[..32].to_owned();
    let number = seen.entry(fingerprint.clone()).or_default();
    *number += 1;
    let place = PhysicalLocation::builder()
        .artifact_location(ArtifactLocation::builder().uri(encoded(&finding.path)).build())
        .region(Region::builder().start_line(finding.line.max(1)).build())
        .build();
    let rule = VERDICTS.iter().position(|verdict| *verdict == finding.verdict).unwrap_or(0);
    SarifResult::builder()
        .rule_id(id(finding.verdict))
        .rule_index(i64::try_from(rule).expect("there are three"))
        .level(level(finding.verdict))
        .message(Message::builder().text(format!("{} ({})", sentence(finding), visible(&finding.entity))).build())
        .locations(vec![Location::builder().physical_location(place).build()])
        .partial_fingerprints(BTreeMap::from([(FINGERPRINT.to_owned(), format!("{fingerprint}:{number}"))]))
        .rank((finding.probability * 10_000.0).round() / 100.0)
        .build()
}

fn id(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Breaks => "breaks",
        Verdict::MayBreak => "may-break",
        Verdict::MayBehaveDifferently => "may-behave-differently",
        Verdict::NotAffected => "not-affected",
    }
}

fn level(verdict: Verdict) -> ResultLevel {
    match verdict {
        Verdict::Breaks => ResultLevel::Error,
        Verdict::MayBreak => ResultLevel::Warning,
        Verdict::MayBehaveDifferently | Verdict::NotAffected => ResultLevel::Note,
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
