//! The steps of a resolution as text, one line for each part of the expression.

use std::io::{self, Write};

use crate::{
    model::Step,
    render::{
        escape::visible,
        screen::{Ink, Screen},
    },
};

/// Writes the steps below a row, indented.
pub(crate) fn steps(out: &mut dyn Write, steps: &[Step], screen: &Screen) -> io::Result<()> {
    for step in steps {
        let is_rule = step.origin == "rule";
        let values = step.values.iter().map(|value| {
            let basis = screen.paint(Ink::Faint, &format!(" [{}]", value.basis));
            format!("{}{}", visible(&value.value), if is_rule { String::new() } else { basis })
        });
        let note = (!step.note.is_empty()).then(|| visible(&step.note).into_owned());
        let known: Vec<String> = values.chain(note).collect();
        let expression = match step.origin {
            "attribute" | "call" | "element" => visible(&step.expression).into_owned(),
            "rule" => format!("by rule, {}", step.expression),
            origin => format!("{} ({origin})", visible(&step.expression)),
        };
        writeln!(out, "        {expression}: {}{}", known.join(", "), places(step))?;
    }
    Ok(())
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
