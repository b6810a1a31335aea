//! Sheets in budgets of every size.

use expect_test::expect;
use proptest::{collection::vec, proptest};

use super::{line::wrapped, *};
use crate::ask::context::tokens::tokens;

fn row(text: &str, group: &str) -> Row {
    Row::new(vec![Line::of(format!("  {text}"))]).in_group(group)
}

fn numbered(number: usize) -> Vec<Row> {
    (1..=number).map(|at| row(&format!("row {at}"), if at % 3 == 0 { "a.py" } else { "b.py" })).collect()
}

fn sheet() -> Sheet {
    Sheet {
        head: vec![Line::of("20 rows")],
        sections: vec![Section::new("first (12)", numbered(12)), Section::new("second (8)", numbered(8))],
        limits: ["one", "two", "three"].map(|text| Limit { line: Line::of(text), ..Limit::default() }).to_vec(),
        closing: Closing {
            command: "repoidx show x".to_owned(),
            standing: "about commit 1234".to_owned(),
            ..Closing::default()
        },
        ..Sheet::default()
    }
}

fn text(sheet: &Sheet, budget: Budget) -> String {
    sheet.lines(budget).iter().map(|line| line.plain() + "\n").collect()
}

#[test]
fn a_cut_sheet_counts_the_rest_by_group_and_names_the_command() {
    expect![[r#"
        20 rows

        first (12)
          row 1
          row 2
          row 3
          row 4
          row 5
          row 6
          … 6 more: b.py (4), a.py (2)

        second (8)
          row 1
          row 2
          … 6 more: b.py (4), a.py (2)

        limits
          one
          two
          … 1 more

        everything: repoidx show x --all
        about commit 1234
    "#]]
    .assert_eq(&text(&sheet(), Budget::Lines(23)));
}

#[test]
fn a_sheet_that_fits_says_nothing_of_a_rest() {
    let whole = text(&sheet(), Budget::Lines(40));
    assert_eq!(whole, text(&sheet(), Budget::All));
    assert!(whole.contains("row 12") && !whole.contains("--all") && !whole.contains('…'), "{whole}");
}

#[test]
fn a_section_is_folded_before_rows_are_hidden() {
    let mut sheet = sheet();
    sheet.sections[1].folded = Some(vec![Row { count: 8, ..row("eight rows", "") }]);
    let text = text(&sheet, Budget::Lines(26));
    assert!(text.contains("eight rows") && text.contains("row 12"), "{text}");
}

#[test]
fn rows_of_one_chain_stand_above_it() {
    let below = |text: &str| Row { shared: vec![Line::of("    ← chain")], ..row(text, "") };
    let section = Section::new("", vec![below("a"), below("b"), row("c", "")]);
    let lines: Vec<String> = section.lines(&section.rows, 3).iter().map(Line::plain).collect();
    assert_eq!(lines, ["", "  a", "  b", "    ← chain", "  c"]);
}

#[test]
fn lines_are_cut_and_wrapped_by_their_characters() {
    let line = Line::of("ab").place("x.py", 3).text("é and more");
    assert_eq!(line.clone().cut(9).plain(), "abx.py:3…");
    assert_eq!(line.clone().cut(10).plain(), "abx.py:3é…");
    assert_eq!(line.clone().cut(99), line);
    let parts = ["one", "two", "three"].map(Line::of).to_vec();
    let lines: Vec<String> = wrapped(parts, ", ", " ", 10).iter().map(Line::plain).collect();
    assert_eq!(lines, [" one, two,", " three"]);
}

#[test]
fn groups_that_do_not_fit_are_counted() {
    let groups = [("a.py", 5), ("b.py", 3), ("c.py", 1)].map(|(group, number)| (group.to_owned(), number));
    assert_eq!(listed(&groups, 80), "a.py (5), b.py (3), c.py (1)");
    assert_eq!(listed(&groups, 26), "a.py (5), and 2 others");
}

proptest! {
    #[test]
    fn no_budget_is_exceeded_and_every_row_is_counted(
        sizes in vec((0_usize..60, 0_usize..6), 0..6), limits in 0_usize..9, budget in 1_usize..90,
    ) {
        let section = |(number, least): (usize, usize)| Section { least, ..Section::new("title", numbered(number)) };
        let mut sheet = Sheet { sections: sizes.into_iter().map(section).collect(), ..sheet() };
        sheet.limits.resize(limits, Limit { line: Line::of("a limit"), ..Limit::default() });
        for (budget, most) in [(Budget::Lines(budget), budget), (Budget::MostTokens(budget * 8), budget * 8)] {
            let lines = sheet.lines(budget);
            let cost = match budget {
                Budget::Lines(_) => lines.len(),
                _ => tokens(&lines.iter().map(|line| line.plain() + "\n").collect::<String>()),
            };
            let has_rows = sheet.sections.iter().any(|section| !section.rows.is_empty());
            let shows_row = lines.iter().any(|line| line.plain().starts_with("  row"));
            let may_hide = |section: &Section| section.least == 0 || section.rows.is_empty();
            assert!(shows_row || !has_rows || sheet.sections.iter().all(may_hide));
            // Head, one row, the number of the others and the last lines stand in any budget.
            let is_least = lines.len() <= 6;
            assert!(cost <= most || is_least, "{cost} for {budget:?}");
            assert!(lines.len() <= sheet.lines(Budget::All).len() + 1 + sheet.sections.len());
        }
    }
}

#[test]
fn a_budget_too_small_for_titles_shows_the_verdict_and_places() {
    let lines = |number: usize| text(&sheet(), Budget::Lines(number));
    expect![[r#"
        20 rows
          row 1
        … not shown: 11 more, second (8), limits (3)
        everything: repoidx show x --all
        about commit 1234
    "#]]
    .assert_eq(&lines(1));
    expect![[r#"
        20 rows
          row 1
          row 2
          row 3
          row 4
          row 5
        … not shown: 7 more, second (8), limits (3)
        everything: repoidx show x --all
        about commit 1234
    "#]]
    .assert_eq(&lines(9));
    expect![[r#"
        20 rows

        first (12)
          row 1
          row 2
          row 3
          … 9 more: b.py (6), a.py (3)

        … not shown: second (8), limits (3)

        everything: repoidx show x --all
        about commit 1234
    "#]]
    .assert_eq(&lines(12));
}
