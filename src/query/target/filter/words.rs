//! A filter in words, as sentences state it.

use super::Filter;
use crate::query::words::count;

/// Decorators of which a sentence names each.
const MAX_DECORATORS: usize = 4;

impl Filter {
    /// The conditions in words: `private, async, without docstring`.
    pub fn words(&self) -> String {
        let mut words: Vec<String> = self.marks.iter().map(|mark| mark.worded().to_owned()).collect();
        let with =
            |has: Option<bool>, noun: &str| has.map(|has| format!("{} {noun}", if has { "with" } else { "without" }));
        words.extend(self.names.iter().map(|names| format!("named {}", quoted(names, " or "))));
        words.extend(with(self.has_docstring, "docstring"));
        let annotated = |all| if all { "with annotations" } else { "not fully annotated" }.to_owned();
        words.extend(self.has_annotations.map(annotated));
        words.extend(with(self.has_result, "return annotation"));
        words.extend(with(self.has_tests, "a direct test"));
        words.extend(with(self.has_uses, "a use"));
        words.extend(self.derives_from.iter().map(|names| format!("derived from {}", quoted(names, " or "))));
        words.extend(self.metaclass.iter().map(|name| match name.as_str() {
            "*" => "with a metaclass other than `type`".to_owned(),
            name => format!("with metaclass `{name}`"),
        }));
        words.extend(self.decorators.iter().map(|names| match names.as_slice() {
            [any] if any == "*" => "decorated".to_owned(),
            names if names.len() > MAX_DECORATORS => {
                format!("decorated by {} or alike", quoted(&names[..MAX_DECORATORS - 1], ", "))
            }
            names => format!("decorated by {}", quoted(names, " or ")),
        }));
        words.extend(size(self.least_lines, self.most_lines, "line"));
        words.extend(size(self.least_parameters, self.most_parameters, "parameter"));
        words.extend(self.least_branches.map(|least| format!("at least {}", count(least as usize, "branch"))));
        for (option, names) in self.lists_of_names() {
            if !names.is_empty() {
                let verb = match option {
                    "lacks" => "does not define",
                    "parameter" => "with parameter",
                    verb => verb,
                };
                words.push(format!("{verb} {}", quoted(names, " and ")));
            }
        }
        words.extend(self.excluded.iter().map(|excluded| denied(&excluded.words())));
        match self.is_in_tests {
            Some(true) => words.push("in tests".to_owned()),
            Some(false) => words.push("outside of tests".to_owned()),
            None => {}
        }
        if !self.paths.is_empty() {
            words.push(format!("in {}", self.paths.join(" or ")));
        }
        words.join(", ")
    }
}

/// The limits of a number in words: `at least 2 lines`, `exactly 2 parameters`.
fn size(least: Option<u32>, most: Option<u32>, unit: &str) -> Option<String> {
    let limit = |words: &str, number: u32| format!("{words} {}", count(number as usize, unit));
    match (least, most) {
        (Some(least), Some(most)) if least == most => Some(limit("exactly", least)),
        (Some(least), Some(most)) => Some(format!("{least} to {}", count(most as usize, unit))),
        (Some(least), None) => Some(limit("at least", least)),
        (None, Some(most)) => Some(limit("at most", most)),
        (None, None) => None,
    }
}

/// One condition in words, denied.
fn denied(words: &str) -> String {
    const CONTRARIES: [(&str, &str); 7] = [
        ("returns", "does not return"),
        ("takes", "does not take"),
        ("raises", "does not raise"),
        ("catches", "does not catch"),
        ("with", "without"),
        ("at least", "fewer than"),
        ("at most", "more than"),
    ];
    let contrary = |(says, contrary): &(&str, &str)| words.strip_prefix(says).map(|rest| format!("{contrary}{rest}"));
    CONTRARIES.iter().find_map(contrary).unwrap_or_else(|| format!("not {words}"))
}

fn quoted(names: &[String], joint: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(joint)
}
