//! A review as a page: the changed entities, the places by verdict, and the entities that depend on those places.

use crate::{
    model::Evidence,
    query::{impact::verdict::Verdict, source::Sources, words::count},
    render::{
        escape::visible,
        page::{
            Frame, Page, PageHeading,
            data::{MAX_FINDINGS, MAX_NODES, PageBuilder, PageFinding, PageNode},
            impact::{reached, verdict_tone},
        },
        review::{edits, summary},
    },
    review::{ChangedEntity, Edit, Finding, ReviewReport},
};

/// The parts of the list. The verdicts stand in their order.
const GROUPS: [&str; 6] =
    ["Changed", "Breaks", "May break", "May behave differently", "Reached over further steps", "Not affected"];
/// Position of the entities that are reached over further steps.
const FURTHER: usize = 4;
/// Lines of a changed definition that the page shows after its first.
const CHANGED_LINES: u32 = 12;

/// The page of a review.
pub fn review(report: &ReviewReport, sources: &Sources, frame: &Frame) -> Page {
    let mut builder = PageBuilder::new(sources, &frame.links, GROUPS.map(str::to_owned).to_vec());
    for changed in report.changed.iter().take(MAX_NODES) {
        root(&mut builder, changed);
    }
    builder.cut(report.changed.len().saturating_sub(MAX_NODES), "changed definition");
    for finding in report.findings.iter().take(MAX_FINDINGS) {
        place(&mut builder, finding);
    }
    builder.cut(report.findings.len().saturating_sub(MAX_FINDINGS), "finding");
    let chains = report.chains.as_ref().map_or(&[][..], |chains| &chains.impacted);
    let shown = &chains[..chains.len().min(MAX_NODES)];
    reached(&mut builder, shown, |_| Some(FURTHER));
    builder.cut(chains.len() - shown.len(), "entity");
    builder.note("Tests to run", "pytest", report.tests.iter().map(|test| &test.id));
    builder.note("Tests that could not be traced", "", report.untraced_tests.iter());
    builder.note("No test is known to reach", "", report.untested.iter());
    let known = (report.known > 0).then(|| count(report.known, "finding"));
    builder.note("Known from the baseline", "", known.iter());
    let subject = format!("{} → {}", visible(&report.base), visible(&report.head));
    let heading = PageHeading { before: "What".to_owned(), subject, after: "breaks".to_owned() };
    let (completeness, data) = (report.completeness, builder.finish());
    Page::new(heading, summary(report), completeness, &report.boundaries, &data, frame)
}

fn root(builder: &mut PageBuilder, changed: &ChangedEntity) {
    let node = PageNode {
        kind: changed.kind.as_str(),
        note: edits(changed),
        path: changed.path.clone(),
        line: changed.line,
        group: Some(0),
        probability: 1.0,
        evidence: Evidence::Exact.as_str(),
        is_test: changed.is_test,
        ..PageNode::default()
    };
    let position = builder.add(&changed.name, node);
    for edit in &changed.edits {
        // References in the newer state use the new name.
        if let Edit::Renamed { to } | Edit::Moved { to } = edit {
            builder.alias(to, position);
        }
    }
    // A deleted definition has no place in the newer state.
    if !changed.edits.contains(&Edit::Removed) {
        builder.definition(&changed.path, changed.line, changed.line, changed.line + CHANGED_LINES);
    }
}

/// Adds the places that refer to changed definitions, the worst verdict first.
fn place(builder: &mut PageBuilder, finding: &Finding) {
    let tone = verdict_tone(finding.verdict);
    let group = match finding.verdict {
        Verdict::NotAffected => GROUPS.len() - 1,
        verdict => 1 + verdict as usize,
    };
    // A changed entity can appear twice: as a change, and as a place that refers to another one.
    let key =
        if builder.is_changed(&finding.name) { format!("{} as a place", finding.name) } else { finding.name.clone() };
    let is_new = builder.position(&key).is_none();
    let node = PageNode {
        kind: finding.kind.as_str(),
        note: visible(&finding.reason).into_owned(),
        path: finding.path.clone(),
        line: finding.line,
        group: Some(group),
        distance: 1,
        probability: finding.probability,
        evidence: finding.evidence.as_str(),
        is_test: finding.is_test,
        tone,
        ..PageNode::default()
    };
    let position = builder.add_as(&key, &finding.name, node);
    if is_new {
        builder.hang(position, &finding.via);
    }
    let changed = builder.position(&finding.entity).unwrap_or(position);
    let (reason, path) = (finding.reason.clone(), finding.path.clone());
    let (line, verdict) = (finding.line, finding.verdict.as_str());
    builder.find(
        position,
        &PageFinding { changed, tone, verdict, reason, path, line, probability: Some(finding.probability) },
    );
}
