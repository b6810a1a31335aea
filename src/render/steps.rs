//! Steps of a resolution as text.
//!
//! Goes in: the parts of an expression with what each can be. Comes out: one line a part.

use std::io::{self, Write};

use crate::{
    model::Step,
    render::{
        escape::visible,
        screen::{Ink, Screen},
    },
};

/// Writes the steps below a row, indented.
pub(super) fn steps(out: &mut dyn Write, steps: &[Step], screen: &Screen) -> io::Result<()> {
    for step in steps {
        let values = step.values.iter().map(|value| {
            let basis = screen.paint(Ink::Faint, &format!("[{}]", value.basis));
            format!("{} {basis}", visible(&value.value))
        });
        let note = (!step.note.is_empty()).then(|| step.note.clone());
        let known: Vec<String> = values.chain(note).collect();
        let origin = match step.origin {
            "attribute" | "call" | "element" => String::new(),
            origin => format!(" ({origin})"),
        };
        writeln!(out, "        {}{origin}: {}", visible(&step.expression), known.join(", "))?;
    }
    Ok(())
}
