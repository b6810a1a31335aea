//! A review as annotations of GitHub Actions: workflow commands that put a finding on its line.
//!
//! The worst findings come first, because GitHub shows ten of each kind per step. A break is an error, a possible break
//! a warning, a possible difference a notice.

use std::io::{self, Write};

use crate::{
    query::impact::verdict::Verdict,
    render::{
        escape::{visible, visible_path},
        review::{sentence, summary},
    },
    review::ReviewReport,
};

/// Writes the commands.
pub fn annotations(out: &mut dyn Write, report: &ReviewReport) -> io::Result<()> {
    for finding in &report.findings {
        let command = match finding.verdict {
            Verdict::Breaks => "error",
            Verdict::MayBreak => "warning",
            Verdict::MayBehaveDifferently => "notice",
            Verdict::NotAffected => continue,
        };
        let title = format!("{}: {}", finding.verdict.as_str(), visible(&finding.entity));
        let (file, title, text) = (property(&visible_path(&finding.path)), property(&title), data(&sentence(finding)));
        writeln!(out, "::{command} file={file},line={},title={title}::{text}", finding.line)?;
    }
    for unmet in &report.unmet {
        let text = data(&visible(&format!("{}: {}", unmet.place, unmet.problem)));
        writeln!(out, "::warning title=expectation without effect::{text}")?;
    }
    writeln!(out, "::notice title=repoidx review::{}", data(&summary(report)))
}

/// Text behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
