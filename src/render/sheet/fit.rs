//! Chooses the rows of a sheet that a budget holds.
//!
//! Head and last lines are always in. Every section first gets the few rows that it must have, in their order; the room
//! that is left goes to the sections by importance. Before rows are hidden, sections take their folded form, the least
//! important first.

use crate::render::{
    impact::briefing::tokens,
    sheet::{Limit, Line, Row, Section, Sheet, limit_lines},
};

/// The size of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// No limit.
    #[default]
    All,
    Lines(usize),
    Tokens(usize),
}

impl Budget {
    fn cost(self, lines: &[Line]) -> usize {
        match self {
            Self::All => 0,
            Self::Lines(_) => lines.len(),
            Self::Tokens(_) => lines.iter().map(|line| tokens(&line.plain()).max(1)).sum(),
        }
    }

    /// The cost of a section of which `count` rows are shown.
    fn of_section(self, section: &Section, shown: Shown) -> usize {
        let rows = shown.rows(section);
        match self {
            Self::Lines(_) => section.height(rows, shown.count),
            _ => self.cost(&section.lines(rows, shown.count)),
        }
    }

    /// No answer shows more rows than this, so details of further ones are not needed.
    pub(crate) fn most_rows(self) -> usize {
        self.total()
    }

    fn total(self) -> usize {
        match self {
            Self::All => usize::MAX,
            Self::Lines(number) | Self::Tokens(number) => number,
        }
    }
}

/// Limits that are named even in a small budget.
const LEAST_LIMITS: usize = 2;

/// The rows that are shown.
pub(crate) struct Fitted {
    /// By section.
    pub(crate) shown: Vec<Shown>,
    /// Number of limits.
    pub(crate) limits: usize,
    /// Something is hidden or folded.
    pub(crate) is_cut: bool,
}

/// The shown part of a section.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    /// In its folded form.
    pub(crate) is_folded: bool,
    /// Number of rows.
    pub(crate) count: usize,
}

impl Shown {
    pub(crate) fn rows<'s>(&self, section: &'s Section) -> &'s [Row] {
        match &section.folded {
            Some(folded) if self.is_folded => folded,
            _ => &section.rows,
        }
    }
}

/// Fits a sheet to a budget.
pub(crate) fn fit(sheet: &Sheet, budget: Budget) -> Fitted {
    let mut shown = vec![Shown::default(); sheet.sections.len()];
    for (section, shown) in sheet.sections.iter().zip(&mut shown) {
        shown.count = section.rows.len();
    }
    let whole = Fitted { shown: shown.clone(), limits: sheet.limits.len(), is_cut: sheet.is_short };
    let cost = |shown: &[Shown], limits: usize, is_cut: bool| {
        let sections = sheet.sections.iter().zip(shown);
        let rows: usize = sections.map(|(section, shown)| budget.of_section(section, *shown)).sum();
        let rest = budget.cost(&sheet.head) + budget.cost(&sheet.tail) + budget.cost(&sheet.last_lines(is_cut));
        rows + rest + budget.cost(&limit_lines(&sheet.limits, limits, budget))
    };
    let total = budget.total();
    if budget == Budget::All || cost(&whole.shown, whole.limits, whole.is_cut) <= total {
        return whole;
    }
    let mut limits = limits_in(&sheet.limits, budget);
    for (at, section) in sheet.sections.iter().enumerate().rev() {
        if cost(&shown, limits, true) <= total {
            return Fitted { shown, limits, is_cut: true };
        }
        if let Some(folded) = &section.folded {
            shown[at] = Shown { is_folded: true, count: folded.len() };
        }
    }
    if cost(&shown, limits, true) <= total {
        return Fitted { shown, limits, is_cut: true };
    }
    let wanted = |(section, shown): (&Section, &Shown)| match section.most {
        0 => shown.count,
        most => shown.count.min(most),
    };
    let wanted: Vec<usize> = sheet.sections.iter().zip(&shown).map(wanted).collect();
    for (section, shown) in sheet.sections.iter().zip(&mut shown) {
        shown.count = shown.count.min(section.least);
    }
    // The first rows are the answer, so everything else gives way to them.
    let first = shown.iter().position(|shown| shown.count > 0).unwrap_or(0);
    for at in (first + 1..shown.len()).rev() {
        if cost(&shown, limits, true) > total {
            shown[at].count = 0;
        }
    }
    while limits > 0 && cost(&shown, limits, true) > total {
        limits -= 1;
    }
    while shown.get(first).is_some_and(|shown| shown.count > 0) && cost(&shown, limits, true) > total {
        shown[first].count -= 1;
    }
    for (at, wanted) in wanted.into_iter().enumerate() {
        while shown[at].count < wanted {
            let before = shown[at].count;
            // The last row takes the place of the line that counts the rest, so the last two are tried together.
            shown[at].count = if before + 2 == wanted { wanted } else { before + 1 };
            if cost(&shown, limits, true) > total {
                shown[at].count = before;
                break;
            }
        }
    }
    Fitted { shown, limits, is_cut: true }
}

/// The limits take a fifth of the budget at most.
fn limits_in(limits: &[Limit], budget: Budget) -> usize {
    let mut number = limits.len();
    while number > LEAST_LIMITS.min(limits.len())
        && budget.cost(&limit_lines(limits, number, budget)) > budget.total() / 5
    {
        number -= 1;
    }
    number
}
