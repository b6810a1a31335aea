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
            walk::{Limits, factors::Change},
        },
        navigate::refs::{RefsReport, refs as refs_of},
        source::Sources,
        target::{Target, packages::whole_package, spelling::nearest},
    },
    render::{
        escape::{visible, visible_path},
        impact::text::{DIRECT, View, command, sheet, tests_alone},
        sheet::{Closing, Row, Section, WIDTH, line::Line},
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

/// Rows with places that are shown before anything else gets room: one for so many tokens of the budget.
const TOKENS_PER_ROW: usize = 60;
/// Lines of a file in one row. A file with more of them has several rows, so that a small budget holds one.
const LINES_PER_ROW: usize = 12;
/// Tests that are named one by one; more are named by their files.
const FEW_TESTS: usize = 4;
/// Rows with files of tests that stand above those further away.
const LEAST_TEST_ROWS: usize = 3;
/// Sections of an impact before those further away: the targets, the calls, and the direct ones.
const BEHIND_DIRECT: usize = DIRECT + 1;

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
    let target = whole_package(workspace.store, &arguments.target, target)?;
    let depth = match (arguments.only, arguments.depth) {
        (ImpactPart::Direct, _) => Some(1),
        (_, 0) => workspace.limits().depth,
        (_, depth) => Some(depth),
    };
    let limits = Limits { depth, ..workspace.limits() };
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
    let report = reached(workspace, &sources, &targets, &options)?;
    // A new name or signature must be written at every place, and an entity may have several.
    let places = match arguments.change {
        Change::Body => Section::default(),
        _ => places(&refs_of(workspace.store, &sources, &targets[0], false)?, frame.tokens / TOKENS_PER_ROW),
    };
    written(&report, &places, arguments.only, frame, &|path, line| sources.shown_line(path, line))
}

/// The impact on the files as they are; a lower bound where some of them are not read yet.
pub(crate) fn reached(
    workspace: &Workspace,
    sources: &Sources,
    targets: &[Target],
    options: &ImpactOptions,
) -> Result<ImpactReport, Failure> {
    let mut report = impact_of(workspace.store, sources, targets, options)?;
    if let Some(boundary) = workspace.staleness {
        report.boundaries.push(boundary.clone());
        report.completeness = report.completeness.max(Completeness::LowerBound);
    }
    Ok(report)
}

/// Every place that refers to the target, by file; code before tests, the most places first.
fn places(report: &RefsReport, least: usize) -> Section {
    let mut files: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for reference in &report.references {
        files.entry(&reference.path).or_default().insert(reference.line);
    }
    let number: usize = files.values().map(BTreeSet::len).sum();
    let mut files: Vec<(&str, Vec<u32>)> =
        files.into_iter().map(|(path, lines)| (path, lines.into_iter().collect())).collect();
    files.sort_by_key(|(path, lines)| (is_test_path(path), std::cmp::Reverse(lines.len())));
    let row = |path: &str, lines: &[u32]| {
        let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
        let line = Line::of(format!("  {}:{}", visible_path(path), numbers.join(", ")));
        Row { count: lines.len(), ..Row::new(vec![line]) }.in_group(path)
    };
    let rows = files.iter().flat_map(|(path, lines)| lines.chunks(LINES_PER_ROW).map(move |lines| row(path, lines)));
    Section { least, ..Section::new(format!("every place that refers to it ({number})"), rows.collect()) }
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
            // Which tests to run is asked more often than who is affected over several steps.
            sheet.sections.pop();
            let ids: Vec<&str> = report.tests.iter().map(String::as_str).collect();
            sheet.sections.insert(BEHIND_DIRECT, test_files(&ids));
            sheet.sections.insert(0, places.clone());
        }
        frame.shorten(&mut sheet);
        sheet.write(out, screen)
    })
}

/// The tests to run: a few by their ids, many by their files, the most tests first and as many in a row as fit.
pub(super) fn test_files(ids: &[&str]) -> Section {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for id in ids {
        *counts.entry(id.split("::").next().unwrap_or_default()).or_default() += 1;
    }
    let title = match counts.len() {
        0 | 1 => format!("tests to run ({})", ids.len()),
        number => format!("tests to run ({} in {number} files; only=tests lists them)", ids.len()),
    };
    if ids.len() <= FEW_TESTS {
        let rows = ids.iter().map(|id| Row::new(vec![Line::of(format!("  {}", visible(id)))]));
        return Section { least: 1, ..Section::new(title, rows.collect()) };
    }
    let mut files: Vec<(&str, usize)> = counts.into_iter().collect();
    files.sort_by_key(|(path, number)| (std::cmp::Reverse(*number), *path));
    let mut rows: Vec<Row> = Vec::new();
    let mut words = String::new();
    let mut tests = 0;
    for (path, number) in files {
        let word = format!("{} ({number})", visible_path(path));
        if !words.is_empty() && words.len() + word.len() + 4 > WIDTH {
            rows.push(Row { count: tests, ..Row::new(vec![Line::of(format!("  {words}"))]) });
            (words, tests) = (String::new(), 0);
        }
        words += if words.is_empty() { "" } else { ", " };
        words += &word;
        tests += number;
    }
    rows.push(Row { count: tests, ..Row::new(vec![Line::of(format!("  {words}"))]) });
    Section { least: LEAST_TEST_ROWS, noun: "more test", ..Section::new(title, rows) }
}

/// Rejects a parameter that the target does not have.
fn check_parameter(workspace: &Workspace, target: &Target, param: &str) -> Result<(), Failure> {
    let parameters = parameters_of(workspace.store, target)?;
    if parameters.iter().any(|parameter| parameter == param) {
        return Ok(());
    }
    let name = target.main().full_name();
    if workspace.store.withholds(target.main().file) {
        let message = format!("an ignore file withholds the parameters of `{name}`");
        return Err(Failure::usage(message, "leave param out"));
    }
    let Some(first) = parameters.first() else {
        return Err(Failure::usage(format!("`{name}` has no parameters"), "leave param out"));
    };
    let best = nearest(&parameters, param).first().copied().unwrap_or(first);
    let message = format!("`{name}` has no parameter `{param}`; it has {}", parameters.join(", "));
    Err(Failure::usage(message, format!("param={best}")))
}
