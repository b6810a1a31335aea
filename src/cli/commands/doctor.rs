//! `repoidx doctor`.

use clap::Args;

use crate::{
    cli::{
        Global,
        notes::Notes,
        session::{configuration, repository, screen},
        values::Plain,
    },
    doctor::{Check, CheckState, checks},
    error::Failure,
    render::{
        json,
        status::doctor::{CheckOutcome, DoctorFinding, DoctorReport, text},
        to_stdout,
    },
};

/// Look for problems that keep the index from being fresh
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Plain,
}

pub(crate) fn run(args: &DoctorArgs, global: &Global, notes: Notes) -> Result<(), Failure> {
    let repo = repository(global)?;
    let config = configuration(Some(&repo), notes)?;
    let findings = checks(&repo).into_iter().map(finding).collect();
    let report = DoctorReport { schema: "repoidx.doctor", schema_version: 1, findings };
    let screen = screen(global, &config, &repo);
    to_stdout(|out| match args.format {
        Plain::Json => json::document(out, &report, &screen),
        Plain::Text => text(out, &report, &screen),
    })?;
    Ok(())
}

fn finding(check: Check) -> DoctorFinding {
    let outcome = match check.state {
        CheckState::Ok => CheckOutcome::Ok,
        CheckState::Warn => CheckOutcome::Warning,
        CheckState::Fail => CheckOutcome::Failure,
    };
    DoctorFinding { name: check.name, outcome, detail: check.detail, hint: check.hint }
}
