//! Follow-ups that leave out their subject or their verb: `show me the source`, `only outside of tests`.

use super::tokens::{Token, lower_words, tokens};
use crate::ask::reading::words::is_in;

/// Words before and behind such a question that say nothing.
const POLITE: &str = "please now ok okay and also then so just can could you me us again here maybe well hm";
const SHOWING: &str = "show print give display see view list get tell dump cat read open copy want";
const SOURCE: &str = "source code implementation definition body";
/// Nouns that belong to a definition.
const NOUNS: &str = "docstring docs documentation signature parameters arguments callers callees subclasses bases methods \
     attributes members usages uses users history hierarchy decorators annotations exceptions superclasses overrides fields \
     properties author";
/// Restrictions to tests, and to all but tests.
const IN_TESTS: &str = "in tests|in the tests|in test|in test code|in the test code|in the tests folder|in the test folder|in the test suite|in test files|in the test files|inside tests|inside the tests|inside of tests|within tests|within the tests|from tests|from the tests|in tests only|in tests alone|tests";
const OUTSIDE_TESTS: &str = "outside tests|outside of tests|exclude tests|exclude the tests|leave out tests|leave out the tests|ignore tests|skip tests|outside the tests|outside of the tests|without tests|without the tests|without test code|not in tests|not in the tests|excluding tests|excluding the tests|except tests|except the tests|except in tests|ignoring tests|no tests|not counting tests|in production code|in non-test code|outside test code|outside of test code|in the library itself|in the program itself|in production";
/// Words before a restriction.
const BEFORE: &str = "and but or only just now what about how are is those the ones show list me which of them these and, \
     many please do they there used called calls uses places";

/// The question before with a restriction to tests, or to all but tests.
pub(super) fn restricted(last: &str, text: &str) -> Option<String> {
    let words = lower_words(&tokens(text));
    let (start, restriction) = (0..words.len()).find_map(|start| {
        let rest = words[start..].join(" ");
        let is = |list: &str| list.split('|').any(|known| known == rest);
        let restriction = if is(OUTSIDE_TESTS) {
            "outside of tests"
        } else if is(IN_TESTS) {
            "in tests"
        } else {
            return None;
        };
        Some((start, restriction))
    })?;
    let head = &words[..start];
    let is_short = words.len() > 1 && head.iter().all(|word| is_in(BEFORE, word));
    // `tests` alone restricts only behind `only`, `just` and `what about`.
    let is_noun = words[start..].len() == 1 && !head.last().is_some_and(|word| is_in("only just about", word));
    // `which of them are in tests` is about the list.
    let is_of_list = head.iter().any(|word| word == "them" || word == "those" || word == "these")
        && !head.iter().any(|word| word == "many");
    if !is_short || is_noun || is_of_list || last.is_empty() {
        return None;
    }
    let asked = last.trim_end_matches(['?', '.', '!', ' ']);
    let asked = without_restriction(asked);
    Some(format!("{asked} {restriction}?"))
}

/// A question without the restriction of an earlier follow-up.
fn without_restriction(asked: &str) -> &str {
    let ends = [" outside of tests", " in tests", " outside tests", " in the tests"];
    ends.iter().find_map(|end| asked.strip_suffix(end)).unwrap_or(asked)
}

/// A question without a subject as one about `name`; `asked` is the question before it.
pub(super) fn completed(name: &str, asked: &str, text: &str, asks_for_tests: bool) -> Option<String> {
    if asks_for_tests {
        return Some(format!("which tests should I run if I change {name}?"));
    }
    let parts = tokens(text);
    if parts.iter().any(Token::looks_like_name) {
        return None;
    }
    let words = lower_words(&parts);
    let words: Vec<&str> = words.iter().map(String::as_str).skip_while(|word| is_in(POLITE, word)).collect();
    let end = words.iter().rposition(|word| !is_in(POLITE, word)).map_or(0, |at| at + 1);
    let words = &words[..end];
    if let Some(question) = of_impact(asked, name, words).or_else(|| of_files(asked, name, words)) {
        return Some(question);
    }
    if let ["how", "many" | "often", rest @ ..] | ["at" | "in", "how", "many", rest @ ..] = words
        && rest.iter().all(|word| is_in("places place times call calls sites lines spots uses in total", word))
    {
        let deed = match verb_of(asked) {
            "calls" => "called",
            "raises" => "raised",
            _ => "used",
        };
        return Some(format!("how often is {name} {deed}?"));
    }
    // `is it tested?` — `by which tests?`
    match words {
        ["by", "which" | "what", "test" | "tests"] | ["which" | "what", "test" | "tests"] => {
            return Some(format!("which tests test {name}?"));
        }
        ["by", "which" | "what", "function" | "functions" | "method" | "methods" | "callers"]
        | ["by", "whom" | "who" | "what"] => return Some(format!("who {} {name}?", verb_of(asked))),
        ["where" | "where's"] => return of_places(asked, name),
        _ => {}
    }
    let (head, rest) = match words {
        [verb, rest @ ..] if is_in(SHOWING, verb) => (QuestionHead::Show, rest),
        ["what" | "where" | "who", "is" | "are" | "was" | "were", rest @ ..] => (QuestionHead::Is, rest),
        ["what's" | "whats" | "where's" | "wheres", rest @ ..] => (QuestionHead::Is, rest),
        ["how", "many", rest @ ..] => (QuestionHead::Many, rest),
        ["are" | "is", "there", rest @ ..] => (QuestionHead::Any, rest),
        ["any", ..] => (QuestionHead::Any, words),
        rest => (QuestionHead::None, rest),
    };
    let skipped = |word: &&&str| is_in("the a an any me us all full whole actual complete python to its direct", word);
    let direct = if rest.contains(&"direct") { "direct " } else { "" };
    let noun: Vec<&str> = rest.iter().skip_while(skipped).copied().collect();
    let has_article = rest.first().is_some_and(|first| *first == "the");
    let question = match noun.as_slice() {
        ["source", "code"] | ["code", "itself"] => format!("show the source of {name}"),
        [one] if is_in(SOURCE, one) && (head == QuestionHead::Show || has_article || *one == "source") => {
            match words[0] {
                "where" | "where's" | "wheres" => format!("where is {name} defined?"),
                _ => format!("show the source of {name}"),
            }
        }
        ["test" | "tests"] => match head {
            QuestionHead::Any => format!("are there tests for {name}?"),
            QuestionHead::Many => format!("how many tests test {name}?"),
            QuestionHead::Show | QuestionHead::Is => format!("which tests test {name}?"),
            QuestionHead::None if has_article => format!("which tests test {name}?"),
            QuestionHead::None => return None,
        },
        ["example" | "examples"] => format!("show examples of {name}"),
        ["base" | "parent", "class" | "classes"] => {
            format!("what are the base classes of {name}?")
        }
        ["return", "type"] => format!("what is the return type of {name}?"),
        [noun] if is_in(NOUNS, noun) => match (head, *noun) {
            (QuestionHead::Any, noun) => format!("does {name} have {direct}{noun}?"),
            (QuestionHead::Many, noun) => format!("how many {direct}{noun} does {name} have?"),
            (_, "author") => format!("who wrote {name}?"),
            (QuestionHead::Is, noun) => {
                let be = if noun.ends_with('s') { "are" } else { "is" };
                format!("what {be} the {direct}{noun} of {name}?")
            }
            (QuestionHead::Show, noun) => format!("show the {direct}{noun} of {name}"),
            // `the callers` behind a question about something is one about the same thing.
            (QuestionHead::None, noun) => format!("{direct}{noun} of {name}"),
        },
        _ => match words {
            ["what" | "who", "breaks" | "break"] | ["what" | "who", "would" | "will" | "could", "break"] => {
                format!("what breaks if I change {name}?")
            }
            ["who", verb] if is_in("calls uses tests overrides raises catches wrote imports extends", verb) => {
                format!("who {verb} {name}?")
            }
            _ => return None,
        },
    };
    Some(question)
}

/// The verb of a question about uses.
fn verb_of(asked: &str) -> &'static str {
    let words = lower_words(&tokens(asked));
    let says = |stem: &str| words.iter().any(|word| word.starts_with(stem));
    let verbs =
        [("call", "calls"), ("rais", "raises"), ("import", "imports"), ("overrid", "overrides"), ("test", "tests")];
    verbs.iter().find(|(stem, _)| says(stem)).map_or("uses", |(_, verb)| verb)
}

/// `where?` behind a question whether something is done with a definition.
fn of_places(asked: &str, name: &str) -> Option<String> {
    let words = lower_words(&tokens(asked));
    let deed = words.iter().find(|word| is_in("called used raised caught imported tested overridden defined", word))?;
    is_in("is are was", words.first()?).then(|| format!("where is {name} {deed}?"))
}

/// The beginning of an elliptic question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuestionHead {
    Show,
    Is,
    Many,
    Any,
    None,
}

/// `how many tests are affected?` behind a question for the impact of a change, as the same question.
fn of_impact(asked: &str, name: &str, words: &[&str]) -> Option<String> {
    const AFFECTED: &str = "affected impacted hit touched broken break fail concerned";
    if !asks_for_impact(asked) {
        return None;
    }
    let (["how", "many", words @ ..] | ["which" | "what", words @ ..]) = words else { return None };
    let [noun, rest @ ..] = words else { return None };
    let is_told =
        |word: &&str| is_in("are is would will could be get gets by that it this", word) || is_in(AFFECTED, word);
    match *noun {
        _ if !rest.iter().all(is_told) => None,
        "tests" | "test" => Some(format!("which tests should I run if I change {name}?")),
        "files" | "modules" => Some(format!("which files are affected if I change {name}?")),
        "definitions" | "functions" | "places" | "things" => Some(format!("what breaks if I change {name}?")),
        _ => None,
    }
}

/// Whether a question is for the impact of a change.
pub(super) fn asks_for_impact(asked: &str) -> bool {
    let words = lower_words(&tokens(asked));
    let says = |list: &str| words.iter().any(|word| is_in(list, word));
    says("change changing changed remove rename removing delete modify refactor")
        && says("happens happen breaks break affected affects affect run impact impacted if")
}

/// `which functions do that?` behind a question about uses asks for those that use it so.
pub(super) fn doing_that(name: &str, asked: &str, text: &str) -> Option<String> {
    let lower = lower_words(&tokens(text));
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let ["which" | "what", noun, "do" | "does", "that" | "this" | "it" | "so"] = words.as_slice() else { return None };
    of_files(asked, name, &["in", "which", noun])
}

/// `in which files?` as a question for the files of the relationship that was asked about.
fn of_files(asked: &str, name: &str, words: &[&str]) -> Option<String> {
    let before = lower_words(&tokens(asked));
    let says = |stem: &str| before.iter().any(|word| word.starts_with(stem));
    let is_of_uses = says("call") || says("import") || says("use") || says("rais");
    let noun = match words {
        ["in" | "from", "which" | "what", noun] | ["which" | "what", noun] => *noun,
        ["in", "how", "many", noun] | ["how", "many", noun] if is_of_uses => *noun,
        _ => return None,
    };
    let is_within = matches!(words, ["in" | "from", "which" | "what", _]) && is_of_uses;
    let of_code = is_within && is_in("functions methods classes function method class tests", noun);
    if !is_in("file files module modules", noun) && !of_code {
        return None;
    }
    let verb = if says("call") {
        "call"
    } else if says("import") {
        "import"
    } else if says("rais") {
        "raise"
    } else {
        "use"
    };
    let noun = match noun {
        "file" | "files" => "files",
        "function" | "functions" => "functions",
        "method" | "methods" => "methods",
        "class" | "classes" => "classes",
        "tests" => "tests",
        _ => "modules",
    };
    Some(format!("which {noun} {verb} {name}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restriction_is_added_to_the_question_before() {
        let ask = |text: &str| restricted("who calls Cart.add?", text);
        for text in ["only outside of tests", "without tests", "and outside the tests?", "but not in tests"] {
            assert_eq!(ask(text).as_deref(), Some("who calls Cart.add outside of tests?"), "{text}");
        }
        for text in [
            "what about in the tests folder?",
            "only in tests",
            "how many are in tests?",
            "how many of them are in tests",
        ] {
            assert_eq!(ask(text).as_deref(), Some("who calls Cart.add in tests?"), "{text}");
        }
        for text in ["which functions have no tests", "tests", "who tests it?", "which of them are in tests"] {
            assert_eq!(ask(text), None, "{text}");
        }
        let narrowed = restricted("who calls Cart.add in tests?", "and outside of tests?");
        assert_eq!(narrowed.as_deref(), Some("who calls Cart.add outside of tests?"));
    }

    #[test]
    fn a_question_without_a_subject_is_about_the_one_before() {
        let ask = |text: &str| completed("Cart.add", "who calls Cart.add?", text, false);
        for text in ["show me the source", "print the code", "the source?", "can you show me the source code please"] {
            assert_eq!(ask(text).as_deref(), Some("show the source of Cart.add"), "{text}");
        }
        assert_eq!(ask("in which files?").as_deref(), Some("which files call Cart.add?"));
        assert_eq!(ask("in which functions?").as_deref(), Some("which functions call Cart.add?"));
        assert_eq!(ask("in how many files?").as_deref(), Some("which files call Cart.add?"));
        let impact = |text: &str| completed("Cart.add", "what happens if I change Cart.add", text, false);
        let tests = Some("which tests should I run if I change Cart.add?");
        assert_eq!(impact("how many tests are affected?").as_deref(), tests);
        assert_eq!(impact("how many files?").as_deref(), Some("which files are affected if I change Cart.add?"));
        assert_eq!(ask("what are the parameters?").as_deref(), Some("what are the parameters of Cart.add?"));
        assert_eq!(ask("by which tests?").as_deref(), Some("which tests test Cart.add?"));
        assert_eq!(ask("by whom?").as_deref(), Some("who calls Cart.add?"));
        let whether = |text: &str| completed("Cart.add", "is Cart.add used?", text, false);
        assert_eq!(whether("where?").as_deref(), Some("where is Cart.add used?"));
        assert_eq!(ask("any tests?").as_deref(), Some("are there tests for Cart.add?"));
        assert_eq!(ask("at how many places?").as_deref(), Some("how often is Cart.add called?"));
        for text in
            ["show me the code that parses dates", "what is the source of truth", "list all classes", "tests", "code"]
        {
            assert_eq!(ask(text), None, "{text}");
        }
    }
}
