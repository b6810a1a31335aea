//! The tool `impact`.

use crate::{
    error::Failure,
    query::{
        calls::parameters::parameters_of,
        impact::{
            ImpactOptions, ImpactReport,
            completeness::Completeness,
            impact as impact_of,
            walk::{Least, Limits, factors::Change},
        },
        target::{Target, spelling::nearest},
    },
    render::{
        impact::text::{View, command, sheet, tests_alone},
        sheet::Closing,
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
    written(&report, arguments.only, frame, &|path, line| sources.line(path, line))
}

fn written(
    report: &ImpactReport,
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
