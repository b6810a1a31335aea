//! A small impact as trees: below each direct dependent those that the change reaches through it.
//!
//! It takes the place of two lists where it fits on the screen as a whole. A long answer counts by module instead.

use crate::{
    model::Evidence,
    query::impact::{ImpactReport, Impacted},
    render::{
        escape::visible,
        impact::text::{DIRECT, FURTHER, View, dependent, place_and_kind, sheet, source_of},
        screen::{Ink, Screen},
        sheet::{Budget, Row, Section, Sheet, WIDTH, line::Line},
        words::short,
    },
};

/// Dependents in trees at most. More of them are no shape that an eye takes in.
const MOST: usize = 24;

/// The answer with trees, if they are small enough and every chain ends in one.
pub(super) fn drawn(report: &ImpactReport, view: &View, screen: &Screen) -> Option<Sheet> {
    let lines = match screen.budget {
        Budget::All => usize::MAX,
        Budget::Lines(lines) => lines,
        Budget::Tokens(_) | Budget::MostTokens(_) => return None,
    };
    let found: Vec<&Impacted> = report.impacted.iter().filter(|row| row.evidence != Evidence::Possible).collect();
    let is_small = found.len() <= MOST && found.iter().all(|row| row.steps.is_empty());
    let has_levels = found.iter().any(|row| row.distance > 1);
    if !is_small || !has_levels {
        return None;
    }
    let section = trees(&found, view)?;
    if section.rows.iter().flat_map(|row| &row.lines).any(|line| line.width() > WIDTH) {
        return None;
    }
    let mut sheet = sheet(report, view, screen);
    sheet.sections[DIRECT] = section;
    sheet.sections[FURTHER] = Section::default();
    (sheet.lines(Budget::All).len() <= lines).then_some(sheet)
}

/// A row for each direct dependent with its tree; `None` if a chain does not begin at one of them.
fn trees(found: &[&Impacted], view: &View) -> Option<Section> {
    let parents: Vec<Option<ParentRow>> = found.iter().map(|row| parent(row, found)).collect();
    let is_rooted = |(row, parent): (&&Impacted, &Option<ParentRow>)| row.distance == 1 || parent.is_some();
    if !found.iter().zip(&parents).all(is_rooted) {
        return None;
    }
    // Tests have a list of their own, so other code comes first.
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|at| found[*at].is_test);
    let below = |at: Option<usize>| {
        let is_below = |other: &usize| parents[*other].as_ref().map(|parent| parent.place) == at;
        order.iter().copied().filter(is_below).collect::<Vec<_>>()
    };
    let tree = |root: usize| {
        let children = below(Some(root));
        let mut lines = vec![dependent(found[root])];
        let rule = if children.is_empty() { "      " } else { "  │   " };
        lines.extend(source_of(found[root], view).map(|source| Line::of(rule).text(source)));
        // Each with the rules of the levels above it.
        let mut open: Vec<(usize, String, bool)> = pushed(&children, "  ");
        while let Some((at, rules, is_last)) = open.pop() {
            let corner = if is_last { "└─ " } else { "├─ " };
            let line = Line::of(format!("{rules}{corner}")).then(place_and_kind(found[at]));
            let over = parents[at].iter().flat_map(|parent| &parent.over).map(|name| format!("  over {name}"));
            lines.push(line.ink(Ink::Faint, over.collect::<String>()));
            open.extend(pushed(&below(Some(at)), &format!("{rules}{}", if is_last { "   " } else { "│  " })));
        }
        Row::new(lines)
    };
    let roots = below(None);
    let deepest = found.iter().map(|row| row.distance).max().unwrap_or(1);
    let further = format!("{} over up to {deepest} steps", found.len() - roots.len());
    let title = format!("direct ({}), further away below them ({further})", roots.len());
    Some(Section::new(title, roots.into_iter().map(tree).collect()))
}

/// The children for a stack, so that the first is taken first.
fn pushed(children: &[usize], rules: &str) -> Vec<(usize, String, bool)> {
    let last = children.last();
    children.iter().rev().map(|child| (*child, rules.to_owned(), last == Some(child))).collect()
}

/// The dependent over which a chain leads.
struct ParentRow {
    place: usize,
    /// Steps between the two that are no dependents of their own, such as the class that a call makes.
    over: Vec<String>,
}

fn parent(row: &Impacted, found: &[&Impacted]) -> Option<ParentRow> {
    let steps = 1..row.via.len();
    steps.into_iter().find_map(|at| {
        let is_it = |other: &&Impacted| other.name == *row.via[at - 1].name && other.via == row.via[at..];
        let place = found.iter().position(is_it)?;
        let over = row.via[..at - 1].iter().map(|via| visible(short(&via.name)).into_owned());
        Some(ParentRow { place, over: over.collect() })
    })
}
