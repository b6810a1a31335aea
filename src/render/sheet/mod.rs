//! An answer as text before it is cut: a head, sections by importance, limits, and last lines.
//!
//! Commands describe their whole answer as a [`Sheet`]. Fitting it to a budget of lines or tokens is done here, the
//! same for every command, terminal and pipe.

pub(crate) mod completeness;
mod fit;
pub(crate) mod line;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use crate::{
    query::words::count,
    render::{
        escape::visible,
        screen::{Ink, Screen},
        sheet::{
            fit::{Fitted, fit},
            line::{Line, cut},
        },
    },
};

pub(crate) use fit::{Budget, USUAL_LINES, WHOLE_SOURCE};

/// Widest line that is not a source line with its place, in characters.
pub(crate) const WIDTH: usize = 120;
/// Widest signature or source line, in characters.
pub(crate) const SOURCE_WIDTH: usize = 100;

/// The end of an answer: how to ask for more, and the state of the repository that it speaks of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Closing {
    /// The command of this answer in the form that gives the same answer again.
    pub(crate) command: String,
    /// The other definitions of a name that the answer takes for one of them.
    pub(crate) others: Vec<String>,
    /// The commit and the edited files, where that is not plain.
    pub(crate) standing: String,
}

/// A whole answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    /// Shown in any case. The first line is the answer.
    pub(crate) head: Vec<Line>,
    /// By importance.
    pub(crate) sections: Vec<Section>,
    /// The limits of the answer.
    pub(crate) limits: Vec<Limit>,
    /// Details were left out already, so that `--all` says more.
    pub(crate) is_short: bool,
    /// Notes below the sections, shown in any case.
    pub(crate) tail: Vec<Line>,
    pub(crate) closing: Closing,
}

/// A list under a title.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    /// Empty for a list that needs none.
    pub(crate) title: String,
    /// The best first.
    pub(crate) rows: Vec<Row>,
    /// Fewer rows with the same content in short, for a budget that `rows` exceed.
    pub(crate) folded: Option<Vec<Row>>,
    /// Rows that are shown before any other section gets more than that.
    pub(crate) least: usize,
    /// Rows that are shown at most if the budget is too small for all; 0 for any number.
    pub(crate) most: usize,
    /// The noun of hidden rows; empty for the general `more`.
    pub(crate) noun: &'static str,
}

/// An entry of a list, never divided.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) lines: Vec<Line>,
    /// Lines that consecutive rows share. They stand below the last of these rows.
    pub(crate) shared: Vec<Line>,
    /// The file or module under which the entry is counted if it is hidden.
    pub(crate) group: String,
    /// The number of things that it stands for.
    pub(crate) count: usize,
}

/// One reason why there may be more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limit {
    pub(crate) line: Line,
    /// The files behind it, where they are asked for.
    pub(crate) details: Vec<Line>,
}

impl Row {
    pub(crate) fn new(lines: Vec<Line>) -> Self {
        Self { lines, shared: Vec::new(), group: String::new(), count: 1 }
    }

    #[must_use]
    pub(crate) fn in_group(mut self, group: &str) -> Self {
        self.group = visible(group).into_owned();
        self
    }
}

impl Section {
    pub(crate) fn new(title: impl Into<String>, rows: Vec<Row>) -> Self {
        Self { title: title.into(), rows, least: 2, ..Self::default() }
    }
}

impl Sheet {
    /// Writes as much as the budget of the screen holds.
    pub(crate) fn write(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        for line in self.lines(screen.budget) {
            writeln!(out, "{}", line.on(screen))?;
        }
        Ok(())
    }

    /// The lines that a budget holds.
    pub(crate) fn lines(&self, budget: Budget) -> Vec<Line> {
        self.fitted_lines(&fit(self, budget), budget)
    }

    fn fitted_lines(&self, fitted: &Fitted, budget: Budget) -> Vec<Line> {
        let Fitted { shown, limits, is_cut, bare } = fitted;
        if let Some(rows) = bare {
            return self.bare_lines(*rows);
        }
        let mut lines = self.head.clone();
        for (section, shown) in self.sections.iter().zip(shown) {
            lines.extend(section.lines(shown.rows(section), shown.count));
        }
        lines.extend(self.hidden(shown, *limits));
        // An answer without a head begins with its first row.
        if self.head.is_empty() && lines.first() == Some(&Line::default()) {
            lines.remove(0);
        }
        lines.extend(self.tail.iter().cloned());
        lines.extend(limit_lines(&self.limits, *limits, budget));
        lines.extend(self.last_lines(*is_cut));
        lines
    }

    /// The verdict, the first line of so many rows, and the number of the others in one line.
    fn bare_lines(&self, rows: usize) -> Vec<Line> {
        let mut lines: Vec<Line> = self.head.first().cloned().into_iter().collect();
        let (mut left, mut words) = (rows, Vec::new());
        for section in self.sections.iter().filter(|section| !section.rows.is_empty()) {
            let shown = left.min(section.rows.len());
            left -= shown;
            let first = section.rows[..shown].iter().filter_map(|row| row.lines.first());
            lines.extend(first.map(|line| line.clone().cut(WIDTH)));
            match section.hidden_after(shown) {
                0 => {}
                _ if shown == 0 => words.push(section.counted()),
                number => words.push(format!("{number} more")),
            }
        }
        if !self.limits.is_empty() {
            words.push(format!("limits ({})", self.limits.len()));
        }
        lines.extend(self.counted_line(&words).pop());
        lines.extend(self.last_lines(true).into_iter().filter(|line| *line != Line::default()));
        lines
    }

    /// `… not shown: further away (9), limits (2)`, under an empty line.
    fn counted_line(&self, words: &[String]) -> Vec<Line> {
        if words.is_empty() {
            return Vec::new();
        }
        let text = cut(&format!("… not shown: {}", words.join(", ")), WIDTH);
        vec![Line::default(), Line::default().ink(Ink::Faint, text)]
    }

    fn last_lines(&self, is_cut: bool) -> Vec<Line> {
        let Closing { command, others, standing } = &self.closing;
        let mut last: Vec<Line> = others.iter().map(|other| Line::of(other.clone()).cut(WIDTH)).collect();
        if is_cut && !command.is_empty() {
            last.push(Line::default().ink(Ink::Faint, format!("everything: {command} --all")));
        }
        if !standing.is_empty() {
            last.push(Line::default().ink(Ink::Faint, standing.clone()));
        }
        if !last.is_empty() {
            last.insert(0, Line::default());
        }
        last
    }
}

impl Section {
    /// The title, `shown` of the rows, and the number of the hidden ones.
    fn lines(&self, rows: &[Row], shown: usize) -> Vec<Line> {
        if shown == 0 {
            return Vec::new();
        }
        let mut lines = self.title_lines();
        for (at, row) in rows[..shown].iter().enumerate() {
            lines.extend(row.lines.iter().cloned());
            let is_last = at + 1 == shown || rows[at + 1].shared != row.shared;
            if is_last {
                lines.extend(row.shared.iter().cloned());
            }
        }
        lines.extend(self.rest(&rows[shown..]));
        lines
    }

    fn title_lines(&self) -> Vec<Line> {
        let title = (!self.title.is_empty()).then(|| Line::default().ink(Ink::Heading, self.title.clone()));
        std::iter::once(Line::default()).chain(title).collect()
    }

    /// The number of things behind the first `shown` rows.
    fn hidden_after(&self, shown: usize) -> usize {
        self.rows[shown..].iter().map(|row| row.count).sum()
    }

    /// The title or the noun of the section, with the number of its things.
    fn counted(&self) -> String {
        match (self.title.as_str(), self.noun) {
            ("", "") => self.hidden_after(0).to_string(),
            ("", noun) => count(self.hidden_after(0), noun),
            (title, _) => title.to_owned(),
        }
    }

    /// `  … 12 more: a.py (9), b.py (3)`.
    fn rest(&self, hidden: &[Row]) -> Option<Line> {
        let number: usize = hidden.iter().map(|row| row.count).sum();
        if number == 0 {
            return None;
        }
        let mut text = match self.noun {
            "" => format!("  … {number} more"),
            noun => format!("  … {}", count(number, noun)),
        };
        let groups = tally(hidden);
        if !groups.is_empty() {
            text = format!("{text}: {}", listed(&groups, WIDTH - text.chars().count() - 2));
        }
        Some(Line::default().ink(Ink::Faint, text))
    }
}

/// The groups of rows with the number of things in each, the largest first.
fn tally(rows: &[Row]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.group.is_empty()) {
        *counts.entry(&row.group).or_default() += row.count;
    }
    let mut groups: Vec<(String, usize)> =
        counts.into_iter().map(|(group, number)| (group.to_owned(), number)).collect();
    groups.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    groups
}

/// `a.py (9), b.py (3)` in at most `width` characters; the groups that do not fit are counted.
pub(crate) fn listed(groups: &[(String, usize)], width: usize) -> String {
    let mut text = String::new();
    for (at, (group, number)) in groups.iter().enumerate() {
        let separator = if at == 0 { "" } else { ", " };
        let part = format!("{separator}{group} ({number})");
        let rest = groups.len() - at;
        let ending = format!("{separator}and {rest} others");
        let reserve = if rest == 1 { 0 } else { ending.len() };
        if text.chars().count() + part.chars().count() + reserve > width && at > 0 {
            text += &ending.replace("and 1 others", "and 1 other");
            break;
        }
        text += &part;
    }
    cut(&text, width)
}

/// The limits: a title, a line each, and the number of the others; nothing if none is shown.
fn limit_lines(limits: &[Limit], shown: usize, budget: Budget) -> Vec<Line> {
    if shown == 0 {
        return Vec::new();
    }
    let mut lines = vec![Line::default(), Line::default().ink(Ink::Heading, "limits")];
    for limit in &limits[..shown] {
        let line = Line::of("  ").then(limit.line.clone());
        lines.push(if budget == Budget::All { line } else { line.cut(WIDTH) });
        lines.extend(limit.details.iter().cloned());
    }
    if shown < limits.len() {
        lines.push(Line::default().ink(Ink::Faint, format!("  … {} more", limits.len() - shown)));
    }
    lines
}
