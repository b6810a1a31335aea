//! Findings that are meant: a comment at the place or at the changed definition, or a line of the configuration, takes
//! them out of the gate and keeps them in the report with their reason.
//!
//! A comment reads `# repoidx: expect[breaks] reason`. It stands on the line of the call or of the definition, or alone
//! on the line above. An expectation that matches nothing is reported, so that none outlives its cause.

use serde::Serialize;

use crate::{
    query::{impact::verdict::Verdict, source::Sources, target::is_suffix},
    review::{Finding, ReviewReport, VerdictCounts},
};

/// How a comment begins, after its `#` and spaces.
const MARK: &str = "repoidx:";
/// Decorators that may stand between a comment and the line with the definition's name.
const MAX_DECORATORS: usize = 8;

/// Findings that the configuration expects at a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedName {
    /// The changed definition or the place, in full or by the end of its name.
    pub name: String,
    pub verdicts: Vec<Verdict>,
    pub reason: String,
}

/// A finding that somebody expected.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Expected {
    #[serde(flatten)]
    pub finding: Finding,
    /// The reason that the comment or the configuration gives.
    pub expected_because: String,
}

/// An expectation that has no effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Unmet {
    /// `path:line` of the comment, or the name in the configuration.
    pub place: String,
    /// One sentence without a period.
    pub problem: String,
}

/// The comment of one line.
#[derive(Debug, PartialEq, Eq)]
enum Comment {
    Expects {
        verdicts: Vec<Verdict>,
        reason: String,
    },
    /// It begins as ours, and this is wrong with it.
    Wrong(&'static str),
}

impl ExpectedName {
    /// Reads `NAME: reason` or `NAME[breaks, may-break]: reason`.
    ///
    /// # Errors
    /// A sentence for the user.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not of the form `NAME[breaks]: reason`, with `breaks` or `may-break`");
        let (head, reason) = text.split_once(": ").ok_or_else(wrong)?;
        let (name, verdicts) = match head.split_once('[') {
            Some((name, list)) => (name, verdicts(list.strip_suffix(']').ok_or_else(wrong)?).ok_or_else(wrong)?),
            None => (head, vec![Verdict::Breaks]),
        };
        let (name, reason) = (name.trim().to_owned(), reason.trim().to_owned());
        if name.is_empty() || reason.is_empty() { Err(wrong()) } else { Ok(Self { name, verdicts, reason }) }
    }

    fn fits(&self, finding: &Finding) -> bool {
        let is_meant = |full: &str| is_suffix(full, &self.name);
        self.verdicts.contains(&finding.verdict) && (is_meant(&finding.entity) || is_meant(&finding.name))
    }
}

impl ReviewReport {
    /// Moves the findings that somebody expects to `expected`, and lists the expectations without effect. Comments are
    /// looked for at findings and in changed files; `sources` reads the newer state.
    pub fn expect(&mut self, sources: &Sources, named: &[ExpectedName]) {
        let mut used: Vec<bool> = vec![false; named.len()];
        let mut used_comments: Vec<(String, u32)> = Vec::new();
        let mut kept = Vec::new();
        for finding in std::mem::take(&mut self.findings) {
            let by_name = named.iter().position(|expected| expected.fits(&finding));
            let reason = if let Some(at) = by_name {
                used[at] = true;
                Some(named[at].reason.clone())
            } else {
                let definition = self.changed.iter().find(|changed| changed.name == finding.entity);
                let places =
                    [Some((&finding.path, finding.line)), definition.map(|changed| (&changed.path, changed.line))];
                places.into_iter().flatten().find_map(|(path, line)| {
                    let (at, reason) = expected_at(sources, path, line, finding.verdict)?;
                    used_comments.push((path.clone(), at));
                    Some(reason)
                })
            };
            match reason {
                Some(expected_because) => self.expected.push(Expected { finding, expected_because }),
                None => kept.push(finding),
            }
        }
        self.findings = kept;
        self.counts = VerdictCounts::of(&self.findings);
        self.unmet = self.unmet(sources, &used_comments);
        let idle = named.iter().zip(used).filter(|(_, is_used)| !is_used);
        self.unmet.extend(idle.map(|(expected, _)| Unmet {
            place: expected.name.clone(),
            problem: "the configuration expects a finding here, and there is none".to_owned(),
        }));
        self.unmet.sort();
    }

    /// The comments in files with changed definitions or findings that no finding used, or that are wrong.
    fn unmet(&self, sources: &Sources, used: &[(String, u32)]) -> Vec<Unmet> {
        let is_sharp = |finding: &&Finding| matches!(finding.verdict, Verdict::Breaks | Verdict::MayBreak);
        let at_findings = self.findings.iter().filter(is_sharp).map(|finding| &finding.path);
        let mut paths: Vec<&String> = self.changed.iter().map(|changed| &changed.path).chain(at_findings).collect();
        paths.sort();
        paths.dedup();
        let mut unmet = Vec::new();
        for path in paths {
            let Some(text) = sources.text(path).filter(|text| text.contains(MARK)) else { continue };
            for (line, text) in (1..).zip(text.lines()) {
                let problem = match comment(text) {
                    Some(Comment::Wrong(problem)) => problem,
                    Some(Comment::Expects { .. }) if !used.contains(&(path.clone(), line)) => {
                        "this comment expects a finding, and there is none"
                    }
                    _ => continue,
                };
                unmet.push(Unmet { place: format!("{path}:{line}"), problem: problem.to_owned() });
            }
        }
        unmet
    }
}

/// The comment for a verdict on a line or above it: its line and its reason.
fn expected_at(sources: &Sources, path: &str, line: u32, verdict: Verdict) -> Option<(u32, String)> {
    let is_alone = |at: &u32| sources.line(path, *at).is_some_and(|line| line.starts_with(['#', '@']));
    let above = (1..line).rev().take(MAX_DECORATORS).take_while(is_alone);
    std::iter::once(line).chain(above).find_map(|at| match comment(&sources.line(path, at)?)? {
        Comment::Expects { verdicts, reason } if verdicts.contains(&verdict) => Some((at, reason)),
        _ => None,
    })
}

/// Our comment in a line of source, if there is one.
fn comment(line: &str) -> Option<Comment> {
    let (before, text) = line.rsplit_once('#')?;
    let rest = text.trim_start().strip_prefix(MARK)?.trim_start().strip_prefix("expect")?;
    // Inside a string it is text about comments.
    if before.matches('"').count() % 2 == 1 || before.matches('\'').count() % 2 == 1 {
        return None;
    }
    let (verdicts, reason) = match rest.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((list, reason)) => (verdicts(list), reason),
            None => (None, rest),
        },
        None => (Some(vec![Verdict::Breaks]), rest),
    };
    let reason = reason.trim_start_matches(':').trim();
    Some(match verdicts {
        None => Comment::Wrong("an expectation names `breaks` or `may-break` in its brackets"),
        Some(_) if reason.is_empty() => Comment::Wrong("an expectation has no effect without a reason"),
        Some(verdicts) => Comment::Expects { verdicts, reason: reason.to_owned() },
    })
}

fn verdicts(list: &str) -> Option<Vec<Verdict>> {
    list.split(',')
        .map(|word| match word.trim() {
            "breaks" => Some(Verdict::Breaks),
            "may-break" => Some(Verdict::MayBreak),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_read_with_their_verdicts_and_their_reason() {
        let expects = |verdicts: &[Verdict], reason: &str| {
            Some(Comment::Expects { verdicts: verdicts.to_vec(), reason: reason.to_owned() })
        };
        assert_eq!(comment("f(1)  # repoidx: expect[breaks] gone in 2.0"), expects(&[Verdict::Breaks], "gone in 2.0"));
        assert_eq!(comment("# repoidx: expect: next week"), expects(&[Verdict::Breaks], "next week"));
        let both = [Verdict::Breaks, Verdict::MayBreak];
        assert_eq!(comment("    #repoidx:expect[breaks, may-break] both"), expects(&both, "both"));
        for wrong in ["# repoidx: expect[breaks]", "# repoidx: expect[everything] x", "# repoidx: expect[breaks x"] {
            assert!(matches!(comment(wrong), Some(Comment::Wrong(_))), "{wrong}");
        }
        for other in ["# expect[breaks] x", "f(1)", "say(\"# repoidx: expect[breaks] x\")", "# repoidx is a tool"] {
            assert_eq!(comment(other), None, "{other}");
        }
    }

    #[test]
    fn lines_of_the_configuration_name_a_definition_and_a_reason() {
        let read = ExpectedName::parse("Cart.grant[breaks, may-break]: callers follow in June").unwrap();
        assert_eq!((read.name.as_str(), read.verdicts.len()), ("Cart.grant", 2));
        assert_eq!(ExpectedName::parse("a.b: moved").unwrap().verdicts, [Verdict::Breaks]);
        for wrong in ["Cart.grant", "Cart.grant: ", ": x", "Cart.grant[never]: x"] {
            assert!(ExpectedName::parse(wrong).is_err(), "{wrong}");
        }
    }
}
