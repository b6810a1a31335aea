//! The tool `impact`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    error::Failure,
    model::conventions::pytest::is_test_path,
    query::{
        calls::parameters::parameters_of,
        impact::{
            ImpactOptions, ImpactReport,
            completeness::Completeness,
            impact as impact_of,
            walk::{Least, Limits, factors::Change},
        },
        navigate::refs::{RefsReport, refs as refs_of},
        target::{Target, spelling::nearest},
    },
    render::{
        escape::visible_path,
        impact::text::{View, command, sheet, tests_alone},
        sheet::{Closing, Row, Section, line::Line},
    },
    review::judged_sites,
    tools::{
        ToolAnswer, Workspace,
        arguments::{ImpactArguments, ImpactPart},
        fitting::AnswerFrame,
        standing::completeness_words,
        target::resolve,
    },
};

/// Files with places that are shown before anything else gets room.
const MOST_FILES: usize = 24;

/// Answers what breaks if a definition changes.
pub(super) fn impact(
    workspace: &Workspace,
    arguments: &ImpactArguments,
    frame: &AnswerFrame,
) -> Result<ToolAnswer, Failure> {
    let param = (!arguments.param.is_empty()).then(|| arguments.param.clone());
    if param.is_none() && matches!(arguments.change, Change::Require | Change::KeywordOnly) {
        let message = format!("change={} is about a parameter", arguments.change.as_str());
        return Err(Failure::usage(message, "name it with param"));
    }
    let target = resolve(workspace, &arguments.target)?;
    let config = workspace.config;
    let depth = match (arguments.only, arguments.depth) {
        (ImpactPart::Direct, _) => Some(1),
        (_, 0) => config.number("depth").and_then(|depth| u32::try_from(depth).ok()),
        (_, depth) => Some(depth),
    };
    let limits = Limits { depth, least: Least::of(config.fraction("min_probability")), ..Limits::default() };
    let targets = [target];
    let judged = match &param {
        Some(param) => {
            check_parameter(workspace, &targets[0], param)?;
            judged_sites(workspace.store, &targets, arguments.change, param)?
        }
        None => Vec::new(),
    };
    let sources = workspace.sources();
    let options = ImpactOptions { change: arguments.change, param, judged, limits };
    let mut report = impact_of(workspace.store, &sources, &targets, &options)?;
    if let Some(boundary) = workspace.staleness {
        report.boundaries.push(boundary.clone());
        report.completeness = report.completeness.max(Completeness::LowerBound);
    }
    // A new name or signature must be written at every place, and an entity may have several.
    let places = match arguments.change {
        Change::Body => Section::default(),
        _ => places(&refs_of(workspace.store, &sources, &targets[0], false)?),
    };
    written(&report, &places, arguments.only, frame, &|path, line| sources.line(path, line))
}

/// Every place that refers to the target, a row for each file; code before tests, the most places first.
fn places(report: &RefsReport) -> Section {
    let mut files: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for reference in &report.references {
        files.entry(&reference.path).or_default().insert(reference.line);
    }
    let number: usize = files.values().map(BTreeSet::len).sum();
    let mut files: Vec<(&str, BTreeSet<u32>)> = files.into_iter().collect();
    files.sort_by_key(|(path, lines)| (is_test_path(path), std::cmp::Reverse(lines.len())));
    let row = |(path, lines): &(&str, BTreeSet<u32>)| {
        let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
        let line = Line::of(format!("  {}:{}", visible_path(path), numbers.join(", ")));
        Row { count: lines.len(), ..Row::new(vec![line]) }.in_group(path)
    };
    let rows: Vec<Row> = files.iter().map(row).collect();
    Section {
        least: rows.len().min(MOST_FILES),
        ..Section::new(format!("every place that refers to it ({number})"), rows)
    }
}

fn written(
    report: &ImpactReport,
    places: &Section,
    only: ImpactPart,
    frame: &AnswerFrame,
    source_line: &dyn Fn(&str, u32) -> Option<String>,
) -> Result<ToolAnswer, Failure> {
    let command = command(report);
    let words = completeness_words(report.completeness, &report.boundaries);
    frame.answer(report, Some(&words), &command, |out, screen| {
        let closing = Closing { command: command.clone(), ..Closing::default() };
        let view = View { source_line, has_details: false, closing };
        let mut sheet = match only {
            ImpactPart::Tests => tests_alone(report, &view, screen),
            _ => sheet(report, &view, screen),
        };
        if only != ImpactPart::Tests {
            sheet.sections.insert(0, places.clone());
        }
        frame.shorten(&mut sheet);
        sheet.write(out, screen)
    })
}

/// Rejects a parameter that the target does not have.
fn check_parameter(workspace: &Workspace, target: &Target, param: &str) -> Result<(), Failure> {
    let parameters = parameters_of(workspace.store, target)?;
    if parameters.iter().any(|parameter| parameter == param) {
        return Ok(());
    }
    let name = target.main().full_name();
    let Some(first) = parameters.first() else {
        return Err(Failure::usage(format!("`{name}` has no parameters"), "leave param out"));
    };
    let best = nearest(&parameters, param).first().copied().unwrap_or(first);
    let message = format!("`{name}` has no parameter `{param}`; it has {}", parameters.join(", "));
    Err(Failure::usage(message, format!("param={best}")))
}
