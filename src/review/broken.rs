//! The places that a change breaks, as the first steps of its impact.
//!
//! The walk of an impact begins at what changes and at the definitions that break with it, so it lists neither. Here
//! the broken ones become direct dependents, and the chains that end at one of them go on to what changed.

use crate::{
    query::{
        graph::Graph,
        impact::{ImpactReport, Impacted, Via},
        target::described::Described,
        words::rounded,
    },
    review::Finding,
    store::error::StoreError,
};

/// Enters the broken definitions of a report, as far as a finding says how they depend on what changed.
pub(super) fn enter_broken(report: &mut ImpactReport, graph: &Graph, findings: &[Finding]) -> Result<(), StoreError> {
    let mut entered = Vec::new();
    for broken in &report.breaking {
        let Some(finding) = finding_of(findings, broken) else { continue };
        for row in report.impacted.iter_mut().filter(|row| ends_at(&row.via, &broken.name)) {
            row.distance += steps(finding);
            row.probability = rounded(row.probability * finding.probability);
            row.evidence = row.evidence.max(finding.evidence);
            row.via.extend(finding.via.iter().cloned());
        }
        entered.extend(direct(graph, broken, finding)?);
    }
    report.impacted.append(&mut entered);
    report.impacted.sort_by(|a, b| {
        let order = b.probability.total_cmp(&a.probability).then(a.distance.cmp(&b.distance));
        order.then_with(|| (&a.name, &a.path, a.line).cmp(&(&b.name, &b.path, b.line)))
    });
    Ok(())
}

/// The gravest of the surest findings at a definition.
fn finding_of<'f>(findings: &'f [Finding], broken: &Described) -> Option<&'f Finding> {
    let own = findings.iter().filter(|finding| finding.name == broken.name && !finding.via.is_empty());
    own.min_by(|a, b| a.verdict.cmp(&b.verdict).then(b.probability.total_cmp(&a.probability)))
}

fn ends_at(via: &[Via], name: &str) -> bool {
    via.last().is_some_and(|last| &*last.name == name)
}

fn steps(finding: &Finding) -> u32 {
    u32::try_from(finding.via.len()).unwrap_or(u32::MAX)
}

fn direct(graph: &Graph, broken: &Described, finding: &Finding) -> Result<Option<Impacted>, StoreError> {
    let Some(head) = graph.head(finding.source)? else { return Ok(None) };
    Ok(Some(Impacted {
        name: broken.name.clone(),
        kind: broken.kind,
        path: broken.path.clone(),
        line: broken.line,
        distance: steps(finding),
        probability: rounded(finding.probability),
        evidence: finding.evidence,
        is_test: finding.is_test,
        effect: finding.verdict.as_str(),
        via: finding.via.clone(),
        also: None,
        lacks: None,
        seen: None,
        steps: Vec::new(),
        module: graph.file(head.file).map(|file| file.module.clone()).unwrap_or_default(),
    }))
}
