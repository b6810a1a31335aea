//! The parts of docstrings: the parameters, exceptions and results that they describe, by the fields of Sphinx (`:param
//! x:`), the sections of Google (`Args:`) or those of `NumPy` (underlined titles).

use crate::ask::reading::words::is_in;

/// A part that docstrings may have: its word, the fields and directives of Sphinx, and the titles of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DocPart {
    /// The words of a question that mean it.
    pub(super) words: &'static str,
    /// As an answer shows it.
    pub(super) shown: &'static str,
    fields: &'static str,
    titles: &'static str,
}

/// The fields that state parameters.
const PARAMETER_FIELDS: &str = "param parameter arg argument key keyword kwarg";
const PARAMETER_TITLES: &str = "args arguments parameters params keyword_args keyword_arguments other_parameters";
const RAISES_FIELDS: &str = "raises raise except exception";

pub(super) const PARAMETERS: DocPart = DocPart {
    words: "param params parameter parameters arg args argument arguments",
    shown: "`:param x:`, `Args:` or alike",
    fields: PARAMETER_FIELDS,
    titles: PARAMETER_TITLES,
};
pub(super) const RAISES: DocPart = DocPart {
    words: "raises raise exceptions",
    shown: "`:raises E:`, `Raises:` or alike",
    fields: RAISES_FIELDS,
    titles: "raises",
};
pub(super) const RETURNS: DocPart = DocPart {
    words: "returns return",
    shown: "`:returns:`, `Returns:` or alike",
    fields: "returns return rtype",
    titles: "returns",
};

/// All parts; the first with a word counts.
pub(super) const PARTS: [DocPart; 11] = [
    PARAMETERS,
    RAISES,
    DocPart { words: "rtype", shown: "`:rtype:`", fields: "rtype", titles: "" },
    RETURNS,
    DocPart {
        words: "yields yield",
        shown: "`:yields:`, `Yields:` or alike",
        fields: "yields yield",
        titles: "yields",
    },
    DocPart {
        words: "examples example",
        shown: "`Examples:`, `.. code-block::`, `>>>` or alike",
        fields: "",
        titles: "example examples",
    },
    DocPart {
        words: "attributes ivar cvar",
        shown: "`:ivar x:`, `Attributes:` or alike",
        fields: "ivar cvar var",
        titles: "attributes",
    },
    DocPart { words: "versionadded", shown: "`.. versionadded::`", fields: "", titles: "" },
    DocPart { words: "versionchanged", shown: "`.. versionchanged::`", fields: "", titles: "" },
    DocPart { words: "notes note", shown: "`.. note::`, `Note:` or alike", fields: "", titles: "note notes" },
    DocPart { words: "seealso", shown: "`.. seealso::`", fields: "", titles: "see_also" },
];

impl DocPart {
    /// The part that a word of a question means.
    pub(super) fn of(word: &str) -> Option<Self> {
        PARTS.into_iter().find(|part| is_in(part.words, word.trim_matches(':')))
    }

    /// Whether a docstring has the part.
    pub(super) fn is_in(self, docstring: &str) -> bool {
        self.lines(docstring).next().is_some()
    }

    /// The lines that begin the part or an entry of it, with their numbers from 0.
    pub(super) fn lines<'d>(self, docstring: &'d str) -> impl Iterator<Item = (usize, &'d str)> {
        let lines: Vec<&str> = docstring.lines().collect();
        let found = (0..lines.len()).filter(move |at| {
            let line = lines[*at].trim();
            let is_field = field(line).is_some_and(|(name, _)| is_in(self.fields, &name));
            let is_directive = line.strip_prefix(".. ").and_then(|rest| rest.split_once("::"));
            let is_directive = is_directive.is_some_and(|(name, _)| is_in(self.words, name));
            let is_example = is_in(self.words, "example") && (line.starts_with(">>>") || line.starts_with(".. code"));
            is_field || is_directive || is_example || title(&lines, *at).is_some_and(|title| is_in(self.titles, &title))
        });
        let found: Vec<usize> = found.collect();
        let all: Vec<&'d str> = docstring.lines().collect();
        found.into_iter().map(move |at| (at, all[at]))
    }
}

/// The name and the argument of a field: of `:param int x: the x`, `param` and `x`.
fn field(line: &str) -> Option<(String, &str)> {
    let (head, _) = line.strip_prefix(':')?.split_once(':')?;
    let mut words = head.split_whitespace();
    let name = words.next()?.to_lowercase();
    Some((name, words.next_back().unwrap_or_default()))
}

/// The title of a section that begins at a line, in small letters: `Args:`, or a line with a line of dashes below.
fn title(lines: &[&str], at: usize) -> Option<String> {
    let line = lines[at].trim();
    let below = lines.get(at + 1).map_or("", |below| below.trim());
    let is_underlined = below.len() > 2 && below.chars().all(|c| matches!(c, '-' | '='));
    let title = if is_underlined { line } else { line.strip_suffix(':')? };
    let is_title = title.starts_with(char::is_uppercase) && title.split_whitespace().count() < 3;
    is_title.then(|| title.to_lowercase().replace(' ', "_"))
}

/// The parameters that a docstring describes, in order.
pub(super) fn parameters(docstring: &str) -> Vec<String> {
    entries(docstring, PARAMETER_FIELDS, PARAMETER_TITLES)
}

/// The exceptions that a docstring says are raised, in order.
pub(super) fn exceptions(docstring: &str) -> Vec<String> {
    entries(docstring, RAISES_FIELDS, "raises")
}

/// The names of the entries of a part, each once.
fn entries(docstring: &str, fields: &str, titles: &str) -> Vec<String> {
    let lines: Vec<&str> = docstring.lines().collect();
    let mut names: Vec<String> = Vec::new();
    let mut section: Option<(usize, bool)> = None;
    let mut inner: Option<usize> = None;
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        if let Some((_, name)) = field(text).filter(|(name, _)| is_in(fields, name)) {
            names.extend(named(name));
            continue;
        }
        if let Some(title) = title(&lines, at) {
            let is_underlined = !text.ends_with(':');
            if section.is_none_or(|(of, underlined)| underlined || indent <= of) {
                section = is_in(titles, &title).then_some((indent, is_underlined));
                inner = None;
                continue;
            }
        }
        let Some((of, is_underlined)) = section else { continue };
        let is_rule = text.chars().all(|c| matches!(c, '-' | '='));
        if text.is_empty() || is_rule {
            continue;
        }
        if !is_underlined && indent <= of {
            section = None;
            continue;
        }
        // The entries are those of the least indentation; the rest goes on.
        let first = *inner.get_or_insert(indent);
        if indent > first {
            continue;
        }
        let head = text.split(" :").next().unwrap_or(text);
        let head = if is_underlined {
            head
        } else {
            text.split(':').next().filter(|head| head.len() < text.len()).unwrap_or_default()
        };
        let head = head.split('(').next().unwrap_or(head);
        names.extend(head.split(',').filter_map(named));
    }
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

/// A name of an entry, without the signs around it; `None` for other text.
fn named(text: &str) -> Option<String> {
    let name = text.trim().trim_matches(['*', '`', '\\', ',']);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_in_three_styles() {
        let sphinx = "Sends.\n\n    :param int x: the x\n    :param \\*args: all\n    :raises shop.Late: if late\n    :rtype: int\n";
        assert_eq!(parameters(sphinx), ["x", "args"]);
        assert_eq!(exceptions(sphinx), ["shop.Late"]);
        let google = "Sends.\n\n    Args:\n        x: the x\n            goes on: here\n        y (int): the y\n\n    Returns:\n        z: no parameter\n";
        assert_eq!(parameters(google), ["x", "y"]);
        let numpy = "Sends.\n\n    Parameters\n    ----------\n    x : int\n        The x.\n    y, z\n        More.\n\n    Returns\n    -------\n    int\n";
        assert_eq!(parameters(numpy), ["x", "y", "z"]);
    }

    #[test]
    fn a_part_is_a_field_a_title_or_a_directive() {
        let has = |word: &str, text: &str| DocPart::of(word).is_some_and(|part| part.is_in(text));
        assert!(has("raises", ":raises E: if"));
        assert!(has("Args:".to_lowercase().as_str(), "Args:\n    x: the x"));
        assert!(has("versionadded", ".. versionadded:: 2.0"));
        assert!(!has("returns", "It returns: nothing"));
        assert!(!has("rtype", ":returns: it"));
    }
}
