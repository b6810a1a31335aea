//! A map as a tree of files, classes and definitions, within a budget of tokens.
//!
//! The most important definitions come first, and `⋮` marks omitted ones.

use std::io::{self, Write};

use crate::{
    query::map::{MapReport, Mapped},
    render::escape::{visible, visible_path},
};

/// Later definitions that are tried in the room that the first ones leave.
const MOST_TRIED: usize = 40;

/// Writes the tree of the longest beginning of the list that fits `budget` tokens by `count`, and below it the state of
/// the repository that it shows, where there is room for that.
pub fn text(
    out: &mut dyn Write,
    report: &MapReport,
    budget: usize,
    standing: Option<&str>,
    count: &dyn Fn(&str) -> usize,
) -> io::Result<()> {
    let last = standing.map(|line| format!("{line}\n")).filter(|line| count(line) * 4 < budget).unwrap_or_default();
    let room = budget - if last.is_empty() { 0 } else { count(&last) };
    write!(out, "{}{last}", fitted(report, room, count))
}

/// The tree of the longest beginning of the list that fits `budget` tokens, and of later definitions in the room that
/// is left; those without room for their parameters stand without them.
pub fn fitted(report: &MapReport, budget: usize, count: &dyn Fn(&str) -> usize) -> String {
    let rows: Vec<MapRow<'_>> = report.entities.iter().map(|mapped| MapRow { mapped, is_short: false }).collect();
    let (mut fits, mut exceeds) = (0, rows.len() + 1);
    while fits + 1 < exceeds {
        let middle = usize::midpoint(fits, exceeds);
        if count(&tree(report, &rows[..middle])) <= budget { fits = middle } else { exceeds = middle }
    }
    let mut shown = rows[..fits].to_vec();
    let mut text = tree(report, &shown);
    for row in rows[fits..].iter().take(MOST_TRIED) {
        for is_short in [false, true] {
            shown.push(MapRow { is_short, ..*row });
            let longer = tree(report, &shown);
            if count(&longer) <= budget {
                text = longer;
                break;
            }
            shown.pop();
        }
    }
    if count(&text) > budget {
        // Not even the mark for omitted definitions fits.
        text.clear();
    }
    text
}

/// A definition as it is written.
#[derive(Clone, Copy)]
struct MapRow<'m> {
    mapped: &'m Mapped,
    /// Without its parameters.
    is_short: bool,
}

impl MapRow<'_> {
    fn headline(&self) -> &str {
        let headline = &self.mapped.headline;
        if self.is_short { headline.split('(').next().unwrap_or(headline) } else { headline }
    }
}

/// A definition with its children in the outline.
#[derive(Default)]
struct OutlineNode<'m> {
    headline: &'m str,
    branches: Vec<OutlineNode<'m>>,
}

impl<'m> OutlineNode<'m> {
    fn child(&mut self, headline: &'m str) -> &mut OutlineNode<'m> {
        let at = self.branches.iter().position(|branch| branch.headline == headline).unwrap_or_else(|| {
            self.branches.push(OutlineNode { headline, branches: Vec::new() });
            self.branches.len() - 1
        });
        &mut self.branches[at]
    }

    fn write(&self, depth: usize, text: &mut String) {
        for branch in &self.branches {
            text.push_str(&"    ".repeat(depth));
            text.push_str(&visible(branch.headline));
            text.push('\n');
            branch.write(depth + 1, text);
        }
    }
}

fn tree(report: &MapReport, rows: &[MapRow<'_>]) -> String {
    let mut files: Vec<(&str, OutlineNode<'_>)> = Vec::new();
    for row in rows {
        let Mapped { path, parents, .. } = row.mapped;
        let at = files.iter().position(|(known, _)| known == path).unwrap_or_else(|| {
            files.push((path, OutlineNode::default()));
            files.len() - 1
        });
        let mut branch = &mut files[at].1;
        for parent in parents {
            branch = branch.child(parent);
        }
        branch.child(row.headline());
    }
    let mut text = String::new();
    for (path, branch) in &files {
        text.push_str(&format!("{}\n", visible_path(path)));
        branch.write(1, &mut text);
    }
    if rows.len() < report.total {
        text.push_str("⋮\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ask::context::tokens::tokens, model::EntityKind};

    fn report(count: u32) -> MapReport {
        let entity = |number: u32| Mapped {
            name: format!("m.A{number}.f"),
            kind: EntityKind::Method,
            path: format!("pkg/m{}.py", number % 7),
            start_line: number,
            end_line: number,
            rank: 1.0 / f64::from(number + 1),
            headline: format!("def f{number}(self, ü: int = 3)"),
            parents: vec![format!("class A{}", number % 14)],
        };
        MapReport {
            schema: "repoidx.map",
            schema_version: 1,
            focus: None,
            entities: (0..count).map(entity).collect(),
            total: count as usize,
        }
    }

    #[test]
    fn no_budget_is_exceeded_and_most_of_it_is_used() {
        let report = report(300);
        for budget in (0..2000).step_by(37) {
            let text = fitted(&report, budget, &tokens);
            assert!(tokens(&text) <= budget, "{budget}");
            // A definition with its class and file takes up to 25 tokens, one without parameters fewer.
            assert!(budget < 130 || tokens(&text) * 10 >= budget * 9, "{budget}");
        }
    }

    #[test]
    fn a_definition_that_does_not_fit_stands_without_parameters_and_leaves_room_for_others() {
        let mut report = report(3);
        report.entities[0].headline = format!("def wide({})", "parameter: int = 3, ".repeat(40));
        let text = fitted(&report, 80, &tokens);
        assert!(text.starts_with("pkg/m0.py\n    class A0\n        def wide\n"), "{text}");
        assert!(text.contains("def f1("), "{text}");
    }

    #[test]
    fn the_first_comes_first_and_parents_once() {
        let text = fitted(&report(300), 120, &tokens);
        assert!(text.starts_with("pkg/m0.py\n    class A0\n        def f0("), "{text}");
        assert!(text.ends_with("⋮\n"));
        assert_eq!(text.matches("class A0\n").count(), 1);
        assert_eq!(fitted(&report(2), 1000, &tokens).lines().count(), 6);
    }
}
