//! Chooses the rows of a sheet that a budget holds.
//!
//! Head and last lines are always in. Every section first gets the few rows that it must have, in their order; the
//! room that is left goes to the sections by importance. Before rows are hidden, sections take their folded form, the
//! least important first. A section without a shown row is only counted, in one line for all of them.
//!
//! A budget that is too small for one row under its title gets the bare form: the verdict, and the first line of as
//! many rows as it holds.

use crate::{
    ask::context::tokens::tokens as most_tokens,
    render::{
        impact::briefing::tokens,
        sheet::{Limit, Line, Row, Section, Sheet, limit_lines},
    },
};

/// The size of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// No limit.
    #[default]
    All,
    Lines(usize),
    /// By the average of the usual tokenizers.
    Tokens(usize),
    /// By an upper estimate, which no usual tokenizer exceeds.
    MostTokens(usize),
}

/// Lines of a text answer, unless the user sets another number.
pub(crate) const USUAL_LINES: usize = 40;
/// Longest source that an answer of usual length never cuts, in lines.
pub(crate) const WHOLE_SOURCE: usize = 100;
/// Lines of such an answer around the source.
const AROUND_SOURCE: usize = 13;

impl Budget {
    /// The budget of an answer that is a source of so many lines: the usual one grows with it.
    pub(crate) fn with_source(self, lines: usize) -> Self {
        match self {
            Self::Lines(USUAL_LINES) if lines <= WHOLE_SOURCE => Self::Lines(USUAL_LINES.max(lines + AROUND_SOURCE)),
            other => other,
        }
    }

    fn cost(self, lines: &[Line]) -> usize {
        match self {
            Self::All => 0,
            Self::Lines(_) => lines.len(),
            Self::Tokens(_) => lines.iter().map(|line| tokens(&line.plain()).max(1)).sum(),
            Self::MostTokens(_) => lines.iter().map(|line| most_tokens(&line.plain()).max(1)).sum(),
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
            // The estimate counts the end of a text.
            Self::MostTokens(number) => number.saturating_sub(1),
        }
    }
}

/// Limits that are named even in a small budget.
const LEAST_LIMITS: usize = 2;

/// The rows that are shown.
#[derive(Clone, Debug)]
pub(crate) struct Fitted {
    /// By section.
    pub(crate) shown: Vec<Shown>,
    /// Number of limits.
    pub(crate) limits: usize,
    /// Something is hidden or folded.
    pub(crate) is_cut: bool,
    /// Rows of the bare form, if the budget holds no other.
    pub(crate) bare: Option<usize>,
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
    let whole = |section: &Section| Shown { is_folded: false, count: section.rows.len() };
    let shown: Vec<Shown> = sheet.sections.iter().map(whole).collect();
    let limits = sheet.limits.len();
    if budget == Budget::All {
        return Fitted { shown, limits, is_cut: sheet.is_short, bare: None };
    }
    let mut fitting = SheetFit::of(sheet, budget, shown);
    fitting.limits = limits;
    if fitting.cost(sheet.is_short) <= budget.total() {
        return Fitted { shown: fitting.shown, limits, is_cut: sheet.is_short, bare: None };
    }
    fitting.limits = limits_in(&sheet.limits, budget);
    for at in (0..sheet.sections.len()).rev() {
        if fitting.fits() {
            return fitting.done();
        }
        fitting.fold(at);
    }
    if fitting.fits() {
        return fitting.done();
    }
    let wanted = |(section, shown): (&Section, &Shown)| match section.most {
        0 => shown.count,
        most => shown.count.min(most),
    };
    let wanted: Vec<usize> = sheet.sections.iter().zip(&fitting.shown).map(wanted).collect();
    for (at, section) in sheet.sections.iter().enumerate() {
        fitting.set(at, fitting.shown[at].count.min(section.least));
    }
    // The first rows are the answer, so everything else gives way to them.
    let first = fitting.shown.iter().position(|shown| shown.count > 0);
    for at in (first.unwrap_or(0) + 1..fitting.shown.len()).rev() {
        if !fitting.fits() {
            fitting.set(at, 0);
        }
    }
    while fitting.limits > 0 && !fitting.fits() {
        fitting.limits -= 1;
    }
    if let Some(first) = first {
        while fitting.shown[first].count > 0 && !fitting.fits() {
            fitting.set(first, fitting.shown[first].count - 1);
        }
        if fitting.shown[first].count == 0 {
            return bare(sheet, budget);
        }
    }
    for (at, wanted) in wanted.into_iter().enumerate() {
        fitting.grow(at, wanted);
    }
    fitting.done()
}

/// A choice of rows with its cost.
struct SheetFit<'s> {
    sheet: &'s Sheet,
    budget: Budget,
    shown: Vec<Shown>,
    limits: usize,
    /// By section: the cost of the shown part, and of the first rows for each number of rows.
    costs: Vec<usize>,
    rows: Vec<Vec<usize>>,
    /// The cost of head, tail and last lines.
    frame: usize,
    whole_frame: usize,
}

impl<'s> SheetFit<'s> {
    fn of(sheet: &'s Sheet, budget: Budget, shown: Vec<Shown>) -> Self {
        let around = budget.cost(&sheet.head) + budget.cost(&sheet.tail);
        let rows = sheet.sections.iter().map(|section| row_costs(&section.rows, budget)).collect();
        let mut fitting = Self {
            sheet,
            budget,
            costs: vec![0; shown.len()],
            shown,
            limits: 0,
            rows,
            frame: around + budget.cost(&sheet.last_lines(true)),
            whole_frame: around + budget.cost(&sheet.last_lines(false)),
        };
        for at in 0..fitting.shown.len() {
            fitting.set(at, fitting.shown[at].count);
        }
        fitting
    }

    /// Shows `count` rows of a section.
    fn set(&mut self, at: usize, count: usize) {
        let section = &self.sheet.sections[at];
        self.shown[at].count = count;
        let rows = self.shown[at].rows(section);
        self.costs[at] = if count == 0 {
            0
        } else {
            let title = self.budget.cost(&section.title_lines());
            let rest: Vec<Line> = section.rest(&rows[count..]).into_iter().collect();
            title + self.rows[at][count] + self.budget.cost(&rest)
        };
    }

    /// Takes the folded form of a section unless that is no shorter.
    fn fold(&mut self, at: usize) {
        let Some(folded) = &self.sheet.sections[at].folded else { return };
        let costs = row_costs(folded, self.budget);
        if costs.last() < self.rows[at].last() {
            self.rows[at] = costs;
            self.shown[at].is_folded = true;
            self.set(at, folded.len());
        }
    }

    /// Shows as many rows of a section as fit, up to `wanted`.
    fn grow(&mut self, at: usize, wanted: usize) {
        let before = self.shown[at].count;
        let mut fits = |count: usize| {
            self.set(at, count);
            self.fits()
        };
        // The last row takes the place of the line that counts the rest, so all are tried first.
        if before >= wanted || fits(wanted) {
            return;
        }
        let (mut low, mut high) = (before, wanted);
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if fits(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.set(at, low);
    }

    fn cost(&self, is_cut: bool) -> usize {
        let frame = if is_cut { self.frame } else { self.whole_frame };
        let limits = limit_lines(&self.sheet.limits, self.limits, self.budget);
        let hidden = self.sheet.hidden(&self.shown, self.limits);
        frame + self.costs.iter().sum::<usize>() + self.budget.cost(&limits) + self.budget.cost(&hidden)
    }

    fn fits(&self) -> bool {
        self.cost(true) <= self.budget.total()
    }

    fn done(self) -> Fitted {
        Fitted { shown: self.shown, limits: self.limits, is_cut: true, bare: None }
    }
}

/// The cost of the first rows, for each number of rows.
fn row_costs(rows: &[Row], budget: Budget) -> Vec<usize> {
    let (mut costs, mut own, mut ended) = (vec![0], 0, 0);
    for (at, row) in rows.iter().enumerate() {
        own += budget.cost(&row.lines);
        let shared = budget.cost(&row.shared);
        costs.push(own + ended + shared);
        if rows.get(at + 1).is_some_and(|next| next.shared != row.shared) {
            ended += shared;
        }
    }
    costs
}

/// As many rows of the bare form as fit, at least one.
fn bare(sheet: &Sheet, budget: Budget) -> Fitted {
    let number: usize = sheet.sections.iter().map(|section| section.rows.len()).sum();
    let mut fitted =
        Fitted { shown: vec![Shown::default(); sheet.sections.len()], limits: 0, is_cut: true, bare: Some(1) };
    for count in 1..=number {
        let larger = Fitted { bare: Some(count), ..fitted.clone() };
        if budget.cost(&sheet.fitted_lines(&larger, budget)) > budget.total() {
            break;
        }
        fitted = larger;
    }
    fitted
}

impl Sheet {
    /// Sections without a shown row and limits, counted in one line.
    pub(super) fn hidden(&self, shown: &[Shown], limits: usize) -> Vec<Line> {
        let is_hidden = |(section, shown): &(&Section, &Shown)| shown.count == 0 && !section.rows.is_empty();
        let hidden = self.sections.iter().zip(shown).filter(is_hidden);
        let mut words: Vec<String> = hidden.map(|(section, _)| section.counted()).collect();
        if limits == 0 && !self.limits.is_empty() {
            words.push(format!("limits ({})", self.limits.len()));
        }
        self.counted_line(&words)
    }
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
