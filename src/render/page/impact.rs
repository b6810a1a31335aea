//! An impact as a page, with the affected entities grouped by distance.

use std::collections::BTreeSet;

use crate::{
    model::{Evidence, RelationshipKind},
    query::{
        impact::{
            CallSite, ImpactReport, Impacted, completeness::Completeness, verdict::Verdict, walk::factors::Change,
        },
        source::Sources,
        target::described::Described,
        words::count,
    },
    render::{
        escape::visible,
        impact::{
            summary,
            text::{judgement_line, judgement_word},
        },
        page::{
            Frame, Page, PageHeading,
            data::{Defined, MAX_FINDINGS, MAX_NODES, PageBuilder, PageFinding, PageNode},
        },
        words::short,
    },
};

/// The page of an impact.
pub fn impact(report: &ImpactReport, sources: &Sources, frame: &Frame) -> Page {
    let shown = &report.impacted[..report.impacted.len().min(MAX_NODES)];
    let sure = shown.iter().filter(|impacted| impacted.evidence != Evidence::Possible);
    let distances: BTreeSet<u32> = sure.map(|impacted| impacted.distance).collect();
    let title = |distance: &u32| match distance {
        1 => "Direct".to_owned(),
        distance => format!("Over {distance} steps"),
    };
    let mut groups = vec!["Changes".to_owned()];
    groups.extend(distances.iter().map(title));
    groups.push("Possible: only a name fits on the way".to_owned());
    let group = |impacted: &Impacted| match impacted.evidence {
        Evidence::Possible => distances.len() + 1,
        _ => distances.iter().take_while(|distance| **distance <= impacted.distance).count(),
    };
    let mut builder = PageBuilder::new(sources, &frame.links, groups);
    let targets = if report.targets.is_empty() { std::slice::from_ref(&report.target) } else { &report.targets[..] };
    for target in targets.iter().filter(|target| !target.name.is_empty()).take(MAX_NODES) {
        root(&mut builder, target);
    }
    reached(&mut builder, shown, |impacted| Some(group(impacted)));
    judged(&mut builder, report, &targets[0]);
    builder.cut(report.impacted.len() - shown.len(), "less probable entity");
    builder.note("Tests to run", "pytest", report.tests.iter());
    if let Some(param) = &report.param {
        let title = format!("Calls and what they pass for {}", visible(param));
        builder.note(&title, "", report.call_sites.iter().map(passed));
    }
    let (completeness, data) = (report.completeness, builder.finish());
    let mut page = Page::new(heading(report), summary(report), completeness, &report.boundaries, &data, frame);
    if completeness == Completeness::LowerBound {
        page.completeness = judgement_word(report).unwrap_or(page.completeness);
    }
    if let Some(line) = judgement_line(report) {
        page.boundaries.insert(0, line);
    }
    page
}

/// Adds affected entities, each with its chain. `group` chooses the part of the list.
pub(super) fn reached(builder: &mut PageBuilder, shown: &[Impacted], group: impl Fn(&Impacted) -> Option<usize>) {
    let added: Vec<Option<usize>> = shown.iter().map(|impacted| added(builder, impacted, group(impacted))).collect();
    for (impacted, position) in shown.iter().zip(&added) {
        if let Some(position) = *position {
            builder.hang(position, &impacted.via);
        }
    }
    // Only definitions that a step leads to are shown beside it.
    for (impacted, position) in shown.iter().zip(added) {
        if let Some(position) = position.filter(|position| builder.has_dependents(*position)) {
            builder.head(position, &impacted.path);
        }
    }
}

/// Adds the node of an entity; `None` if it is on the page already.
fn added(builder: &mut PageBuilder, impacted: &Impacted, group: Option<usize>) -> Option<usize> {
    if builder.position(&impacted.name).is_some() {
        return None;
    }
    let (path, line) = impacted.place();
    let note = impacted.via.first().map(|via| format!("{} {}", via.kind.as_str(), visible(short(&via.name))));
    Some(builder.add(
        &impacted.name,
        PageNode {
            kind: impacted.kind.as_str(),
            note: note.unwrap_or_default(),
            path: path.to_owned(),
            line,
            defined: Some(Defined { path: impacted.path.clone(), line: impacted.line }),
            group,
            distance: impacted.distance,
            probability: impacted.probability,
            evidence: impacted.evidence.as_str(),
            is_test: impacted.is_test,
            tone: tone(impacted.effect),
            ..PageNode::default()
        },
    ))
}

fn root(builder: &mut PageBuilder, target: &Described) {
    let node = PageNode {
        kind: target.kind.as_str(),
        note: visible(&target.signature).into_owned(),
        path: target.path.clone(),
        line: target.line,
        defined: Some(Defined { path: target.path.clone(), line: target.line }),
        group: Some(0),
        probability: 1.0,
        evidence: Evidence::Exact.as_str(),
        ..PageNode::default()
    };
    builder.add(&target.name, node);
    builder.definition(&target.path, target.line, target.start_line, target.end_line);
}

/// Adds the verdict on an intended change at each call.
fn judged(builder: &mut PageBuilder, report: &ImpactReport, target: &Described) {
    let changed = builder.position(&target.name).unwrap_or_default();
    let sites = report.call_sites.iter().filter_map(|site| Some((site, site.verdict?)));
    for (site, verdict) in sites.take(MAX_FINDINGS) {
        let Some(position) = builder.position(&site.name) else { continue };
        let node = builder.node(position);
        if node.tone == "differs" || verdict == Verdict::Breaks {
            node.tone = verdict_tone(verdict);
        }
        let found = PageFinding {
            changed,
            tone: verdict_tone(verdict),
            verdict: verdict.as_str(),
            reason: site.reason.clone(),
            path: site.path.clone(),
            line: site.line,
            probability: None,
        };
        builder.find(position, &found);
    }
}

/// The tone in which the page colors a verdict.
pub(super) fn verdict_tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Breaks => "breaks",
        Verdict::MayBreak => "may_break",
        Verdict::MayBehaveDifferently => "differs",
        Verdict::NotAffected => "spared",
    }
}

/// The tone for the effect on a direct dependent.
fn tone(effect: &str) -> &'static str {
    let fatal = [Change::Remove.effect(RelationshipKind::Calls), Change::Remove.effect(RelationshipKind::Imports)];
    let harmless = [Change::Body.effect(RelationshipKind::Calls), Change::Body.effect(RelationshipKind::Imports)];
    match effect {
        effect if fatal.contains(&effect) => "breaks",
        effect if harmless.contains(&effect) => "differs",
        _ => "may_break",
    }
}

fn passed(site: &CallSite) -> String {
    format!("{}:{}  {}  {}", site.path, site.line, short(&site.name), site.passing())
}

fn heading(report: &ImpactReport) -> PageHeading {
    let subject = match report.targets.len() {
        0 if report.target.name.is_empty() => "nothing".to_owned(),
        0 if !report.is_of_one() => "something that others use".to_owned(),
        0 => visible(&report.target.name).into_owned(),
        number => count(number, "definition"),
    };
    let verb = match report.targets.len() {
        0 if !report.is_of_one() => "is removed",
        0 | 1 => "changes",
        _ => "change",
    };
    let param = report.param.as_deref().map(visible).unwrap_or_default();
    let after = match (report.param.is_some(), report.change) {
        (true, _) => format!("changes its parameter {param}"),
        (false, Change::Body) => verb.to_owned(),
        (false, Change::Remove) => "is removed".to_owned(),
        (false, Change::Rename) => "is renamed".to_owned(),
        (false, _) => "takes other arguments".to_owned(),
    };
    PageHeading { before: "What breaks if".to_owned(), subject, after }
}
