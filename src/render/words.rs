//! Probabilities and names as a person reads them.

use crate::{
    model::EntityKind,
    query::words::shell_word,
    render::{
        escape::visible,
        sheet::{SOURCE_WIDTH, line::cut},
    },
};

/// Probabilities from which the words hold; colors change at the second and the fourth.
const ALMOST_CERTAIN: f64 = 0.95;
pub(super) const VERY_LIKELY: f64 = 0.8;
const LIKELY: f64 = 0.6;
pub(super) const MAYBE: f64 = 0.35;

/// A probability as a word and a percentage.
pub fn likelihood(probability: f64) -> String {
    let word = match probability {
        p if p >= ALMOST_CERTAIN => "almost certain",
        p if p >= VERY_LIKELY => "very likely",
        p if p >= LIKELY => "likely",
        p if p >= MAYBE => "maybe",
        _ => "unlikely",
    };
    format!("{word} {}", percent(probability))
}

/// `98%`; only certainty is 100 %, and only the impossible is 0 %.
pub fn percent(probability: f64) -> String {
    if probability > 0.0 && probability < 0.005 {
        return "below 1%".to_owned();
    }
    let most = if probability < 1.0 { 99.0 } else { 100.0 };
    format!("{:.0}%", (probability * 100.0).min(most))
}

/// The name without its module.
pub fn below_module<'n>(name: &'n str, module: &str) -> &'n str {
    name.strip_prefix(module).and_then(|rest| rest.strip_prefix('.')).unwrap_or(name)
}

/// The last two parts of a name, which suffice to recognize it.
pub fn short(name: &str) -> &str {
    let mut dots = name.rmatch_indices('.');
    dots.nth(1).map_or(name, |(at, _)| &name[at + 1..])
}

/// A signature in a part of a line.
pub fn signature(text: &str) -> String {
    cut(&visible(text), SOURCE_WIDTH)
}

/// A word of a command line, in quotes where a shell needs them.
pub fn argument(text: &str) -> String {
    shell_word(&visible(text))
}

/// The word for an entity whose kind is not obvious from its name.
pub fn kind_note(kind: EntityKind) -> &'static str {
    if kind == EntityKind::Module { "module level" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_the_number() {
        assert_eq!(likelihood(0.98), "almost certain 98%");
        assert_eq!(likelihood(0.1), "unlikely 10%");
        assert_eq!(likelihood(0.004), "unlikely below 1%");
    }

    #[test]
    fn words_of_commands_are_quoted_where_a_shell_needs_it() {
        assert_eq!(argument("HEAD~1..HEAD"), "HEAD~1..HEAD");
        assert_eq!(argument("load@2"), "load@2");
        assert_eq!(argument("~"), "'~'");
        assert_eq!(argument("it's a"), "'it'\\''s a'");
    }

    #[test]
    fn signatures_are_cut() {
        assert_eq!(signature(&"x".repeat(300)).chars().count(), SOURCE_WIDTH);
    }

    #[test]
    fn names_are_shortened_from_the_left() {
        assert_eq!(short("a.b.C.d"), "C.d");
        assert_eq!(short("d"), "d");
        assert_eq!(below_module("a.b.C.d", "a.b"), "C.d");
        assert_eq!(below_module("a.b", "a.b"), "a.b");
    }
}
