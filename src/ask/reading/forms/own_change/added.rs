//! A subject that the change itself brought: `is the function I added tested`, `who calls my new class`.
//!
//! The rest of such a question is an ordinary one about the definitions that are found under the noun.

use crate::ask::reading::words::is_in;

const OWNERS: &str = "the my our that this";
const NEW: &str = "new added newly just recently brand-new";
const PEOPLE: &str = "i we i've we've";
const ADDING: &str = "add added wrote write written introduced introduce created create";
/// Words between the person and the verb.
const BETWEEN: &str = "have just recently newly";
/// Nouns of parts and of changes, which name no definition, and of many definitions at once.
const OTHERS: &str = "annotation argument base behavior behaviour branch change class's code commit decorator default diff \
     dependency docs documentation docstring edit feature import line name parameter release return signature spelling state test type \
     value version way work one ones thing stuff exception error message lines";

/// The subject of a question, with the words around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedSubject {
    pub noun: String,
    before: String,
    behind: String,
}

impl AddedSubject {
    /// Reads the subject of a question; `None` where it has another one.
    pub fn of(text: &str) -> Option<Self> {
        if text.contains(['"', '`', '\n']) {
            return None;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let lower: Vec<String> =
            words.iter().map(|word| word.trim_matches(['?', '!', ',', '.']).to_lowercase()).collect();
        let is = |at: usize, list: &str| lower.get(at).is_some_and(|word| is_in(list, word));
        let ends = |from: usize, list: &str| (from..lower.len()).find(|at| !is(*at, list)).unwrap_or(lower.len());
        for start in 0..lower.len() {
            if !is(start, OWNERS) {
                continue;
            }
            let noun_at = ends(start + 1, NEW);
            let Some(noun) = lower.get(noun_at).filter(|noun| is_noun(noun)) else { continue };
            let mut end = noun_at + 1;
            // `the function that I have just added`
            let person = if is(end, "that which") { end + 1 } else { end };
            let verb = ends(person + 1, BETWEEN);
            let is_told = is(person, PEOPLE) && is(verb, ADDING);
            if is_told {
                end = verb + 1;
            } else if noun_at == start + 1 {
                continue;
            }
            return Some(Self { noun: noun.clone(), before: words[..start].join(" "), behind: words[end..].join(" ") });
        }
        None
    }

    /// The question about a definition of this full name.
    pub fn about(&self, name: &str) -> String {
        format!("{} `{name}` {}", self.before, self.behind).trim().to_owned()
    }
}

/// Whether a word names one definition of a kind: no plural, and no part of a definition.
fn is_noun(word: &str) -> bool {
    let is_plural = word.ends_with('s') && !word.ends_with("ss");
    word.len() > 2 && word.chars().all(|letter| letter.is_ascii_lowercase()) && !is_plural && !is_in(OTHERS, word)
}

#[cfg(test)]
mod tests {
    use super::AddedSubject;

    #[test]
    fn the_subject_is_what_was_added() {
        for (text, noun, about) in [
            ("is there a test for the function I added?", "function", "is there a test for `m.f`"),
            ("is my new class exported?", "class", "is `m.f` exported?"),
            ("does the new validator have a docstring", "validator", "does `m.f` have a docstring"),
            ("who calls the method that we have just written", "method", "who calls `m.f`"),
        ] {
            let found = AddedSubject::of(text).map(|one| (one.about("m.f"), one.noun));
            assert_eq!(found, Some((about.to_owned(), noun.to_owned())), "{text}");
        }
    }

    #[test]
    fn other_questions_have_another_subject() {
        for text in [
            "which functions did I add?",
            "is the function tested?",
            "is my new parameter used?",
            "do my new functions have docstrings?",
            "does the new test pass?",
            "who calls new_function",
        ] {
            assert_eq!(AddedSubject::of(text), None, "{text}");
        }
    }
}
