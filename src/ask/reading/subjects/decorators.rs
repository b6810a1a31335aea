//! The decorators that a question names: `decorated with final but not with dataclass`.

use crate::{
    ask::reading::{
        filters::Filters,
        forms::patterns::{Phrase, is_negation},
        subjects::QuestionNames,
        words::{ParsedQuestion, Shape, is_in, is_stop_word},
    },
    model::conventions::is_special,
};

/// Where a decorator is named: the word behind the pattern.
pub const DECORATED: &str =
    "decorated with/by|written with/by|wrapped with/by/in|marked with/by|annotated with|using the";

/// The decorators of attrs, under each of their names.
const OF_ATTRS: &str = "attrs|attr.s|define|frozen|mutable";
/// Words behind `decorated with` that name no decorator.
const NO_DECORATORS: &str = "a all an any anything both each it more no one several some something that them these this those \
     two what which";
/// Words from one name of a decorator to the next, at most.
const REACH: usize = 7;
/// The last part of a dotted name says too little where it is shorter.
const SHORTEST_NAME: usize = 3;

/// Where any decorator is meant, and where none.
const BY_ANY: &str = "is/are decorated $ | have/has/having/with decorators $ | functions/methods/classes with decorators | have/has/having/with a/any decorator/decorators $ | \
     is/are not/never decorated $ | isn't/aren't decorated $ | undecorated | no/without decorator/decorators $ | without a/any decorator/decorators $";
const BY_NONE: &str = "is/are not/never decorated $ | isn't/aren't decorated $ | undecorated | no/without decorator/decorators $ | \
     without a/any decorator/decorators $";

/// The place of the first name from here on: `with both a and b`.
pub fn first_name(words: &[String], at: usize) -> usize {
    let is_around = |at: &usize| words.get(*at).is_some_and(|word| is_in("a an both either the", word));
    (at..words.len()).find(|at| !is_around(at)).unwrap_or(at)
}

/// The further names that are joined to the one at `at`, each with the sign that [`Filters::decorator`] has for it:
/// `final and dataclass`, `final or dataclass`, `final but not with dataclass`.
pub fn joined(words: &[String], mut at: usize) -> Vec<(usize, &'static str)> {
    let mut names = Vec::new();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    while is_in("and but or not without", word(at + 1)) {
        let is_joint =
            |at: &usize| is_in("a also an and but by not or the with without", word(*at)) || is_negation(word(*at));
        let name = (at + 1..words.len()).find(|at| !is_joint(at));
        let Some(name) = name.filter(|name| *name < at + REACH) else { return names };
        // `decorated with f and return a text`
        let ends = name + 1 == words.len()
            || is_in("and but or not without decorator decorators in of outside", word(name + 1));
        if !ends {
            return names;
        }
        let between = &words[at + 1..name];
        let sign = match () {
            () if between.iter().any(|word| is_negation(word)) => "&!",
            () if between.iter().any(|word| word == "or") => "|",
            () => "&",
        };
        names.push((name, sign));
        at = name;
    }
    names
}

/// Reads the name of a decorator out of the question: it is a condition, no subject.
pub fn find_decorator(question: &ParsedQuestion, phrase: &Phrase, filters: &mut Filters, named: &mut QuestionNames) {
    if phrase.has(BY_ANY) && filters.noun.is_some() {
        filters.decorator = Some("*".to_owned());
        if phrase.has(BY_NONE) {
            filters.denied.push("decorator");
        }
        return;
    }
    let behind = phrase.place(DECORATED).map(|(_, end)| end);
    let behind = behind.map(|at| first_name(&phrase.words, at));
    let sign = question.words.iter().position(|word| {
        word.text.len() > 1 && word.text.starts_with('@') || word.text.to_lowercase().ends_with("-decorated")
    });
    // `root_validator methods`: code before the kind.
    let before = (1..question.words.len()).find(|at| {
        let (word, noun) = (&question.words[at - 1], &phrase.words[*at]);
        // `Cart methods` are those of a class.
        let is_code =
            word.shape == Shape::Code && !word.text.starts_with(char::is_uppercase) && !is_special(&word.text);
        match noun.as_str() {
            "decorated" => word.shape != Shape::Path && !is_stop_word(&word.lower()) && !is_copula(&word.lower()),
            "methods" | "functions" | "classes" | "attributes" | "properties" => is_code,
            _ => false,
        }
    });
    // `everything with an lru_cache`: code, for words behind `with a` describe more than decorators.
    let with = phrase.place("with a/an/the").map(|(_, end)| end);
    let with = with.filter(|at| question.words.get(*at).is_some_and(|word| word.shape == Shape::Code));
    // `the dataclass decorator`
    let called = (1..question.words.len()).find(|at| {
        let before = &question.words[at - 1];
        phrase.words[*at] == "decorator" && !is_stop_word(&before.lower()) && before.shape != Shape::Path
    });
    if filters.decorator.as_deref() == Some("dataclass") && phrase.has("frozen") {
        filters.decorator_argument = Some("frozen=True".to_owned());
    }
    let at = behind.or(sign).or(before.map(|at| at - 1)).or(with).or(called.map(|at| at - 1));
    let Some(word) = at.and_then(|at| question.words.get(at)).filter(|_| filters.noun.is_some()) else { return };
    // `@cache'd` and `cache-decorated`
    let name = word.text.trim_start_matches('@').trim_end_matches("'d").trim_end_matches("-decorated");
    let last = name.rsplit('.').next().unwrap_or(name);
    // `attr.s`
    let name = if last.len() < SHORTEST_NAME { name } else { last };
    let is_said = behind.is_some() && !is_in(NO_DECORATORS, &name.to_lowercase());
    if is_stop_word(&name.to_lowercase()) && word.shape == Shape::Plain && !word.text.starts_with('@') && !is_said {
        return;
    }
    let more = at.filter(|at| behind == Some(*at)).map_or(Vec::new(), |at| joined(&phrase.words, at));
    let mut names = if is_in("attrs attr", name) { OF_ATTRS } else { name }.to_owned();
    for (at, joint) in &more {
        let word = question.words[*at].text.trim_start_matches('@');
        names += &format!("{joint}{}", word.rsplit('.').next().unwrap_or(word));
    }
    filters.decorator = Some(names);
    named.mentions.retain(|mention| more.iter().all(|(at, _)| *at != mention.at));
    let is_denied = |at: usize| phrase.is_denied(at);
    if phrase.place(DECORATED).map_or_else(|| at.is_some_and(is_denied), |(start, _)| is_denied(start)) {
        filters.denied.push("decorator");
    }
    let at_quote = at.map(|at| at + 1);
    let quote = question.quotes.iter().find(|(before, _)| Some(*before) == at_quote).map(|(_, quote)| quote);
    let quoted = at_quote.and_then(|at| question.words.get(at)).filter(|word| word.is_quoted).map(|word| &word.text);
    filters.decorator_argument = quote.or(quoted).cloned();
    // The arguments of `@route("directed")` name nothing.
    let is_argument = |word: usize| question.words[word].is_quoted && at.is_some_and(|at| word > at && word < at + 3);
    named.mentions.retain(|mention| Some(mention.at) != at && !is_argument(mention.at));
}

/// `methods that are decorated`: the word before is no decorator.
fn is_copula(lower: &str) -> bool {
    matches!(lower, "is" | "are" | "be" | "was" | "were" | "methods" | "functions" | "classes" | "not" | "get" | "gets")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_up_to_the_next_verb() {
        let joined = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let signs = joined(&words, first_name(&words, 0));
            signs.into_iter().map(|(at, sign)| format!("{sign}{}", words[at])).collect::<String>()
        };
        assert_eq!(joined("final but not with dataclass"), "&!dataclass");
        assert_eq!(joined("both final and dataclass"), "&dataclass");
        assert_eq!(joined("either f or g or h"), "|g|h");
        assert_eq!(joined("property and return str"), "");
    }
}
