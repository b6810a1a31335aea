//! The steps of a resolution as text, one line for each part of the expression.

use crate::{
    model::Step,
    render::{escape::visible, screen::Ink, sheet::line::Line},
};

/// The steps below a row, indented.
pub(crate) fn step_lines(steps: &[Step]) -> Vec<Line> {
    let line = |step: &Step| {
        let is_rule = step.origin == "rule";
        let expression = match step.origin {
            "attribute" | "call" | "element" => visible(&step.expression).into_owned(),
            "rule" => format!("by rule, {}", step.expression),
            origin => format!("{} ({origin})", visible(&step.expression)),
        };
        let mut line = Line::of(format!("        {expression}: "));
        for (at, value) in step.values.iter().enumerate() {
            let separator = if at == 0 { "" } else { ", " };
            line = line.text(format!("{separator}{}", visible(&value.value)));
            if !is_rule {
                line = line.ink(Ink::Faint, format!(" [{}]", value.basis));
            }
        }
        if !step.note.is_empty() {
            let separator = if step.values.is_empty() { "" } else { ", " };
            line = line.text(format!("{separator}{}", visible(&step.note)));
        }
        line.text(places(step))
    };
    steps.iter().map(line).collect()
}

/// `; assigned at cart.py:3, cart.py:9 and 2 more; passed at app.py:4`.
fn places(step: &Step) -> String {
    let (mut text, mut how) = (String::new(), "");
    for place in &step.places {
        let at = if place.how == how { ", ".to_owned() } else { format!("; {} at ", place.how) };
        text = format!("{text}{at}{}:{}", visible(&place.path), place.line);
        how = place.how;
    }
    match step.more_places {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}
