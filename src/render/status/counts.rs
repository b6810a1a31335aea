//! Classes, functions and methods in numbers.

use std::io::{self, Write};

use crate::model::definition_counts::DefinitionCounts;

/// Writes the numbers, each with those that are a part of it.
pub fn text(out: &mut dyn Write, counts: &DefinitionCounts) -> io::Result<()> {
    let DefinitionCounts { classes, nested_classes, functions, methods, properties, setters, .. } = *counts;
    let all = functions + methods + counts.nested_functions;
    let setters = if setters == 0 { String::new() } else { format!(", {setters} set or delete one") };
    let made = match counts.made_classes {
        0 => String::new(),
        made => format!(", and {made} made by a call such as namedtuple"),
    };
    let lines = [
        ("classes", format!("{classes} ({nested_classes} nested, {} decorated){made}", counts.decorated_classes)),
        ("functions", functions.to_string()),
        ("methods", format!("{methods} ({properties} of them properties{setters})")),
        ("nested", format!("{} (functions inside functions)", counts.nested_functions)),
        ("async", format!("{} of these {all}", counts.async_functions)),
        ("decorated", format!("{} of these {all}", counts.decorated_functions)),
        ("overloads", format!("{} of these {all}", counts.overloads)),
    ];
    lines.iter().try_for_each(|(name, number)| writeln!(out, "{name:<15}{number}"))
}
