//! A baseline: the findings of an earlier review, which are not reported again.
//!
//! Lines may have moved since. Two findings are the same if verdict, entity, name and path are.

use std::collections::BTreeSet;

use serde::Deserialize;
use thiserror::Error;

use crate::{query::impact::verdict::Verdict, review::Finding};

/// Findings of an earlier review.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: BTreeSet<[String; 4]>,
}

/// The reason why a file is no baseline.
#[derive(Debug, Error)]
#[error("it is not the JSON of an earlier review: {0}")]
pub struct BaselineError(#[from] serde_json::Error);

#[derive(Deserialize)]
struct BaselineFile {
    findings: Vec<BaselineEntry>,
}

#[derive(Deserialize)]
struct BaselineEntry {
    verdict: String,
    entity: String,
    name: String,
    path: String,
}

impl Baseline {
    /// Reads what `review --format json` wrote.
    ///
    /// # Errors
    /// When the text is something else.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let document: BaselineFile = serde_json::from_str(text)?;
        let key = |entry: BaselineEntry| [entry.verdict, entry.entity, entry.name, entry.path];
        Ok(Self { known: document.findings.into_iter().map(key).collect() })
    }

    /// Whether the same was found before.
    pub fn knows(&self, finding: &Finding) -> bool {
        let verdict = match finding.verdict {
            Verdict::Breaks => "breaks",
            Verdict::MayBreak => "may_break",
            Verdict::MayBehaveDifferently => "may_behave_differently",
            Verdict::NotAffected => "not_affected",
        };
        let parts = [verdict, &finding.entity, &finding.name, &finding.path].map(str::to_owned);
        self.known.contains(&parts)
    }
}
