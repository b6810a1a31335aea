//! Follow-ups about all definitions of the list before, as questions with a noun: `how many are private?` becomes `how
//! many of these methods are private?`, which the grammar of lists understands.

use super::{
    tokens::{Token, joined, lower_words, tokens},
    turns::Operation,
};
use crate::ask::reading::{relations::noun_of, words::is_in};

/// Words before such a question that say nothing.
const POLITE: &str = "and but ok okay now so then also please hm well";
const THEM: &str = "them those these";
const QUANTITIES: &str = "which many any some none one each most what";
/// Words with which a condition on a list begins.
const VERBS: &str = "is are was were has have do does don't doesn't aren't isn't take takes accept accepts return returns raise \
     raises call calls use uses define defines override overrides implement implements derive derives inherit inherits \
     extend extends import imports start starts begin begins end ends contain contains catch catches need needs lack \
     lacks read reads write writes yield yields never";
/// Words beside `how many` that state no condition.
const NUMBER: &str =
    "of them those these are there do they you have in total all so that is it altogether exactly left remain";
/// Words of questions about everything there is.
const ELSEWHERE: &str = "repository repo project codebase";
/// Adjectives that restrict a list by themselves: `only public`.
pub(super) const ADJECTIVES: &str = "abstract async cached classmethod decorated deprecated documented generator nested overloaded private \
     public static tested undocumented unannotated untested unused untyped";
/// Plural nouns that are conditions on a list: `which of them are properties?`.
const KINDS: &str = "classes exceptions fixtures functions methods properties tests";

/// Adjectives of a kind of methods: `class methods`.
const OF_METHODS: &str = "abstract async class static";

/// Nouns for all that a list has.
const WHOLE: &str =
    "callers callees users usages results ones hits definitions functions methods classes subclasses heirs";

/// A question about a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OfList {
    pub(super) text: String,
    pub(super) operation: Operation,
}

/// The full question for a list of `noun`, where there is one; `None` where the text does not speak of a list.
/// `is_last` says whether the last answer lists it: one further back is meant only by words that cannot stand alone.
pub(super) fn of_list(noun: Option<&str>, is_last: bool, text: &str) -> Option<OfList> {
    let (has_list, noun) = (noun.is_some(), noun.unwrap_or("definitions"));
    let mut parts = tokens(text);
    let polite = parts.iter().take_while(|token| is_in(POLITE, &token.lower())).count();
    parts.drain(..polite);
    while parts.len() > 2 && parts.last().is_some_and(|last| is_in("again please now instead", &last.lower())) {
        parts.pop();
    }
    // `how many of the callers are tests?`
    let word = |at: usize| parts.get(at).map(Token::lower).unwrap_or_default();
    let of_all = (1..parts.len()).find(|at| {
        word(*at) == "of"
            && word(at + 1) == "the"
            && is_in(QUANTITIES, &word(at - 1))
            && is_in(WHOLE, &word(at + 2))
            && is_in(VERBS, &word(at + 3))
    });
    if let Some(of) = of_all.filter(|_| has_list) {
        "them".clone_into(&mut parts[of + 2].word);
        parts.remove(of + 1);
    }
    let lower: Vec<String> = parts.iter().map(Token::lower).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let from = |at: usize| joined(&parts[at.min(parts.len())..]);
    let which = |rest: String| Some(OfList::of(Operation::Choose, with_kind("which", noun, &rest)));
    let many = |rest: String| Some(OfList::of(Operation::CountChosen, with_kind("how many", noun, &rest)));
    if matches!(
        words.as_slice(),
        ["count"] | ["count", "them" | "those" | "these"] | ["how", "many", "is", "that" | "it"]
    ) {
        return Some(OfList::of(Operation::Count, format!("how many of these {noun} are there?")));
    }
    if asks_for_rest(&words) {
        return Some(OfList::of(Operation::Rest, format!("which of these {noun} are the others?")));
    }
    match words.as_slice() {
        ["how", "many", rest @ ..] if rest.iter().all(|word| is_in(NUMBER, word)) => {
            return Some(OfList::of(Operation::Count, format!("how many of these {noun} are there?")));
        }
        [.., "how", "many"] => return None,
        _ => {}
    }
    if let ["are" | "do" | "have", "all", "of", them, _, ..] = words.as_slice()
        && is_in(THEM, them)
    {
        let verb = if words[0] == "do" { "" } else { words[0] };
        return Some(every(noun, verb, &from(4)));
    }
    let of = (1..words.len().min(4)).find(|at| {
        words[*at] == "of"
            && is_in(QUANTITIES, words[*at - 1])
            && words.get(at + 1).is_some_and(|word| is_in(THEM, word))
    });
    if let Some(of) = of {
        // `which of these classes are …` has its noun.
        if words.get(of + 2).is_some_and(|next| noun_of(next).is_some() || is_in(KINDS, next)) {
            let operation = if words[of - 1] == "many" { Operation::CountChosen } else { Operation::Choose };
            return has_list.then(|| OfList::of(operation, joined(&parts)));
        }
        let rest = from(of + 2);
        return match words[of - 1] {
            "which" | "what" => which(rest),
            "many" => many(rest),
            _ => Some(OfList::of(Operation::Choose, format!("{} of these {noun} {rest}", joined(&parts[..of])))),
        };
    }
    let begins = |at: usize| words.get(at).is_some_and(|word| is_in(VERBS, word));
    let is_kind = |word: &str| word != "exception" && (noun_of(word).is_some() || is_in(ELSEWHERE, word));
    // A question with a noun of its own is about others: `which is the biggest class?`
    let is_open = |at: usize| {
        let rest = &words[at.min(words.len())..];
        let is_kind_alone = |rest: &[&str]| match rest {
            [_, adjectives @ .., kind] => is_in(KINDS, kind) && adjectives.iter().all(|word| is_in(OF_METHODS, word)),
            _ => false,
        };
        // `which have a show method?`
        let is_of_members = noun == "classes" && rest.first().is_some_and(|verb| is_in("have has", verb));
        !rest.iter().any(|word| is_kind(word)) || is_kind_alone(rest) || is_of_members || is_of_tests(rest)
    };
    match words.as_slice() {
        ["which" | "what", "ones" | "one", _, ..] => which(from(2)),
        ["how", "many", _, ..] if begins(2) && is_open(2) => many(from(2)),
        // `how many public ones?`
        ["how", "many", adjectives @ .., "ones"] | ["how", "many", adjectives @ ..]
            if is_last && !adjectives.is_empty() && adjectives.iter().all(|word| is_in(ADJECTIVES, word)) =>
        {
            many(format!("are {}?", adjectives.join(" ")))
        }
        ["any", adjectives @ .., "ones"] | ["are", "there", "any", adjectives @ .., "ones"]
            if !adjectives.is_empty() && adjectives.iter().all(|word| is_in(ADJECTIVES, word)) =>
        {
            which(format!("are {}?", adjectives.join(" ")))
        }
        // `any that have a flush method?`, `are there any without tests?`
        ["any", "that" | "which" | "who", ..] if is_last && begins(2) && is_open(2) => which(from(2)),
        ["are", "there", "any", "that" | "which" | "who", ..] if is_last && begins(4) && is_open(4) => which(from(4)),
        ["any", "with" | "without", _, ..] if is_last => which(having(words[1], &from(2))),
        ["are", "there", "any", "with" | "without", _, ..] if is_last => which(having(words[3], &from(4))),
        ["which", ..] if is_last && begins(1) && is_open(1) => which(from(1)),
        ["are" | "is", "they" | "those" | "these", rest @ ..] if is_last && !rest.is_empty() && is_open(1) => {
            Some(every(noun, "are", &from(2)))
        }
        ["do" | "does", "they" | "those" | "these", rest @ ..] if is_last && !rest.is_empty() && is_open(1) => {
            Some(every(noun, "", &from(2)))
        }
        ["have", "they" | "those" | "these", rest @ ..] if is_last && !rest.is_empty() && is_open(1) => {
            Some(every(noun, "have", &from(2)))
        }
        _ => restricted(&parts, &words, is_last).and_then(which),
    }
}

/// The condition of `with` and `without` as one with a verb.
fn having(preposition: &str, rest: &str) -> String {
    if preposition == "with" {
        return format!("have {rest}");
    }
    let bare = ["a ", "an ", "any ", "the "].iter().find_map(|article| rest.strip_prefix(article));
    format!("have no {}", bare.unwrap_or(rest))
}

/// Whether a condition is that there are tests, or none: `have no tests`.
fn is_of_tests(words: &[&str]) -> bool {
    matches!(words, [have, between @ .., "tests" | "test"]
        if is_in("have has lack lacks", have) && between.iter().all(|word| is_in("a any no unit", word)))
}

/// The condition of a text that narrows a list: `only the private ones`, `without the private ones`, `the longest one`.
fn restricted(parts: &[Token], words: &[&str], is_last: bool) -> Option<String> {
    const LEAVING: &str = "without except excluding exclude minus ignore ignoring drop skip remove omit hide";
    let begin = match words {
        ["what" | "how", "about" | "of", "the" | "those" | "only" | "just", _, ..] => 2,
        ["filter" | "limit", "by" | "to" | "for" | "on", _, ..] => 2,
        ["narrow", "to" | "by", _, ..] | ["now", _, ..] => words.len().min(2),
        ["i", "want" | "need", _, ..] => 2,
        _ => 0,
    };
    let is_limiting = words.first().is_some_and(|first| is_in("filter limit narrow", first));
    let (parts, words) = (&parts[begin..], &words[begin..]);
    if matches!(words, [only, ..] if is_in("longest biggest largest", only) && words.len() < 3)
        || matches!(words, ["the", most, "one" | "ones"] if is_in("longest biggest largest", most))
    {
        return Some("is the longest?".to_owned());
    }
    let leaves = match words {
        ["not", "the" | "those", _, ..] => 1,
        ["leave", "out", _, ..] | ["but", "not", _, ..] | ["except" | "apart", "for" | "from", _, ..] => 2,
        [first, _, ..] if is_in(LEAVING, first) => 1,
        _ => {
            return restriction(parts, words)
                .or_else(|| (begin > 0 && (is_last || is_limiting)).then(|| bare_adjective(words)).flatten());
        }
    };
    let (parts, words) = (&parts[leaves..], &words[leaves..]);
    // `exclude private` is said as short.
    let condition = restriction(parts, words).or_else(|| is_last.then(|| bare_adjective(words)).flatten())?;
    Some(denied(&condition))
}

/// The condition of adjectives alone: `private`, `private methods`.
fn bare_adjective(words: &[&str]) -> Option<String> {
    let adjectives = match words {
        [adjectives @ .., last] if noun_of(last).is_some() || is_in(KINDS, last) || *last == "ones" => adjectives,
        all => all,
    };
    let is_all = !adjectives.is_empty() && adjectives.iter().all(|word| is_in(ADJECTIVES, word));
    is_all.then(|| format!("are {}?", adjectives.join(" ")))
}

/// The contrary of a condition.
fn denied(condition: &str) -> String {
    let (verb, rest) = condition.split_once(' ').unwrap_or((condition, ""));
    match (verb, rest.split_once(' ')) {
        ("are" | "is", Some(("not", rest))) => format!("are {rest}"),
        ("are" | "is", _) => format!("are not {rest}"),
        ("have" | "has", Some(("no", rest))) => format!("have {rest}"),
        ("have" | "has", Some(("a" | "an" | "any", rest))) => format!("have no {rest}"),
        ("have" | "has", _) => format!("have no {rest}"),
        ("do", Some(("not", rest))) => rest.to_owned(),
        _ => format!("do not {} {rest}", plain_verb(verb)),
    }
}

/// A verb as it stands behind `do not`: `starting` and `starts` as `start`.
fn plain_verb(verb: &str) -> String {
    const ENDING: [(&str, &str); 14] = [
        ("raising", "raise"),
        ("using", "use"),
        ("taking", "take"),
        ("having", "have"),
        ("deriving", "derive"),
        ("defining", "define"),
        ("beginning", "begin"),
        ("overriding", "override"),
        ("has", "have"),
        ("does", "do"),
        ("catches", "catch"),
        ("subclassing", "subclass"),
        ("writing", "write"),
        ("importing", "import"),
    ];
    if let Some((_, plain)) = ENDING.iter().find(|(known, _)| *known == verb) {
        return (*plain).to_owned();
    }
    let stem = verb.strip_suffix("ing").filter(|stem| is_in(VERBS, stem));
    let stem = stem.or_else(|| verb.strip_suffix('s').filter(|stem| is_in(VERBS, stem)));
    stem.unwrap_or(verb).to_owned()
}

/// The condition that a participle behind `those` states: `derived from C`, `starting with get`.
fn participle(parts: &[Token], words: &[&str]) -> Option<String> {
    let [first, second, ..] = words else { return None };
    if is_in("in from", first) && is_in("test tests the", second) {
        return None;
    }
    if is_in(
        "derived inherited called used raised caught imported decorated named defined tested covered in from",
        first,
    ) {
        let verb = if is_in("inherited from", first) && words.get(1) != Some(&"from") { "are from" } else { "are" };
        let from = usize::from(verb == "are from");
        return Some(format!("{verb} {}", joined(&parts[from..])));
    }
    let plain = plain_verb(first);
    if let ["containing", _] = words {
        return Some(format!("have {} in their names?", parts[1].word));
    }
    let is_verb = first.ends_with("ing") && is_in(VERBS, &plain);
    is_verb.then(|| format!("{plain} {}", joined(&parts[1..])))
}

/// The noun of `how many places?`, where such a question has nothing else.
pub(super) fn counted_noun(text: &str) -> Option<String> {
    let words = lower_words(&tokens(text));
    let words: Vec<&str> = words.iter().map(String::as_str).skip_while(|word| is_in(POLITE, word)).collect();
    match words.as_slice() {
        ["how", "many", noun, rest @ ..] | ["at" | "in", "how", "many", noun, rest @ ..]
            if rest.iter().all(|word| is_in(NUMBER, word)) =>
        {
            Some((*noun).to_owned())
        }
        _ => None,
    }
}

/// The number of rows from one end of the list that are asked for, and whether it is the last end: `the first three`.
pub(super) fn first_of_list(text: &str) -> Option<(bool, usize)> {
    const NUMBERS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let words = lower_words(&tokens(text));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !is_in("the show me only just list give", word)).collect();
    let ([end, number] | [end, number, "ones"] | [end, number, "of", "them" | "those" | "these"]) = words.as_slice()
    else {
        return None;
    };
    let named = NUMBERS.iter().position(|known| known == number).map(|at| at + 2);
    let number = named.or_else(|| number.parse().ok()).filter(|number| *number > 0)?;
    is_in("first last top", end).then_some((*end == "last", number))
}

/// Whether two conditions exclude each other, so that both choose from one list.
pub(super) fn is_contrary(first: &str, second: &str) -> bool {
    const PAIRS: [(&str, &str); 5] = [
        ("private", "public"),
        ("documented", "undocumented"),
        ("tested", "untested"),
        ("used", "unused"),
        ("annotated", "unannotated"),
    ];
    let (first, second) = (lower_words(&tokens(first)), lower_words(&tokens(second)));
    let has = |words: &[String], wanted: &str| words.iter().any(|word| word == wanted);
    PAIRS.iter().any(|(one, other)| has(&first, one) && has(&second, other) || has(&first, other) && has(&second, one))
}

/// Whether a question asks which definitions a number counted: `which ones?`, `list them`.
pub(super) fn asks_which(text: &str) -> bool {
    let words = lower_words(&tokens(text));
    let words: Vec<&str> = words.iter().map(String::as_str).skip_while(|word| is_in(POLITE, word)).collect();
    matches!(
        words.as_slice(),
        ["which"]
            | ["which" | "what", "ones" | "one"]
            | ["which" | "what", "are", "they" | "those"]
            | ["list" | "show" | "name", "them"]
            | ["show" | "tell", "me", "which" | "them"]
    )
}

/// A question for a number, or whether any fit, as one for those that fit.
pub(super) fn asking_which(question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    match words.as_slice() {
        [verb @ ("are" | "do" | "have"), "any", "of", "these", noun, rest @ ..] => {
            let verb = if *verb == "do" { "" } else { verb };
            let which = format!("which of these {noun} {verb} {}", rest.join(" "));
            which.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        _ => question.replacen("how many ", "which ", 1),
    }
}

/// Whether a question asks for the classes that derive from another at once: `only the direct ones`, `how many
/// directly?`.
pub(super) fn asks_for_direct(text: &str) -> bool {
    let words = lower_words(&tokens(text));
    words.len() < 6
        && words.iter().any(|word| is_in("direct directly", word))
        && words.iter().all(|word| {
            is_in("and only just the those direct directly ones one how many which of them are what about", word)
        })
}

/// Whether a text speaks of the definitions of a list, whatever it asks of them.
pub(super) fn speaks_of_list(text: &str) -> bool {
    let parts = tokens(text);
    let words = lower_words(&parts);
    let has_name = parts.iter().any(Token::looks_like_name);
    let is_meant = |word: &String| is_in("them they ones their themselves", word);
    let ends = words.last().is_some_and(|last| is_in("those these", last));
    let is_one = words.last().is_some_and(|last| last == "one") && words.iter().any(|word| word == "the");
    let begins = words.first().is_some_and(|first| is_in("only just without excluding except exclude", first));
    !has_name && words.len() < 12 && (ends || is_one || begins || words.iter().any(is_meant))
}

/// Whether a question asks for what a choice left out: `the others?`, `which are not?`.
fn asks_for_rest(words: &[&str]) -> bool {
    let words: Vec<&str> =
        words.iter().copied().filter(|word| !is_in("the what about show me list give", word)).collect();
    matches!(
        words.as_slice(),
        ["others" | "rest" | "remaining"]
            | ["other" | "remaining" | "rest", "ones"]
            | ["rest", "of", "them" | "those" | "these"]
            | ["which", "are" | "do" | "have", "not"]
            | ["which", "aren't" | "don't"]
            | ["which", "ones", "are" | "do", "not"]
            | ["which", "ones", "aren't" | "don't"]
            | ["which", "of", "them" | "those", "are" | "do", "not"]
            | ["which", "of", "them" | "those", "aren't" | "don't"]
    )
}

impl OfList {
    fn of(operation: Operation, text: String) -> Self {
        Self { text, operation }
    }
}

/// `are they all documented` as a question for those that are.
fn every(noun: &str, verb: &str, rest: &str) -> OfList {
    let rest = rest.strip_prefix("all ").unwrap_or(rest);
    let condition = format!("{verb} {rest}");
    OfList::of(Operation::Every, with_kind("which", noun, condition.trim()))
}

/// The question with its condition; a noun alone takes the place of that of the list.
fn with_kind(head: &str, noun: &str, rest: &str) -> String {
    let bare = rest.trim_end_matches(['?', '.', '!', ' ']).to_lowercase();
    let kind = bare.strip_prefix("are ").filter(|kind| is_in(KINDS, kind));
    // `decorators` alone are functions of a kind.
    let is_decorated = matches!(bare.as_str(), "have decorators" | "have a decorator" | "have any decorators");
    let words: Vec<&str> = bare.split(' ').collect();
    if is_of_tests(&words) {
        let is_denied = bare.contains(" no ") || bare.starts_with("lack");
        return format!("{head} of these {noun} are {}tested?", if is_denied { "not " } else { "" });
    }
    match kind {
        // Properties count as methods there: which of them are none is not told.
        Some(kind) if kind == noun => format!("{head} of these {noun} are of this kind?"),
        Some(kind) => format!("{head} of these {kind} are there?"),
        None if is_decorated => format!("{head} of these {noun} are decorated?"),
        None => format!("{head} of these {noun} {rest}"),
    }
}

/// The condition that `only the private ones`, `those with a docstring` and `just the async methods` state.
fn restriction(parts: &[Token], words: &[&str]) -> Option<String> {
    let only = words.iter().take_while(|word| is_in("only just show list me give", word)).count();
    // `the properties only`
    let (words, ends_only) = match words {
        [rest @ .., "only"] if !rest.is_empty() => (rest, true),
        words => (words, false),
    };
    let is_only = ends_only || words[..only].iter().any(|word| is_in("only just", word));
    let article = only + usize::from(words.get(only).is_some_and(|word| is_in("the those these", word)));
    let has_article = article > only;
    let rest = &words[article..];
    let from = |at: usize| joined(&parts[(article + at).min(parts.len())..]);
    let at = usize::from(rest.first() == Some(&"ones"));
    let stated = participle(&parts[(article + at).min(parts.len())..], &rest[at.min(rest.len())..]);
    let condition = match rest.get(at) {
        Some(&"with") => format!("have {}", from(at + 1)),
        Some(&"without") => format!("have no {}", without_article(&from(at + 1))),
        Some(&("that" | "which" | "whose")) => from(at + 1),
        _ if stated.is_some() => stated.unwrap_or_default(),
        _ => {
            let is_plain = parts.iter().all(|token| !token.looks_like_name());
            let end = rest.iter().position(|word| is_in("ones", word));
            let kind =
                rest.last().is_some_and(|word| rest.len() > 1 && noun_of(word).is_some()).then(|| rest.len() - 1);
            let length = end.or(kind).unwrap_or(rest.len());
            let is_meant = end.is_some_and(|end| end + 1 == rest.len()) && (is_only || has_article)
                || (is_only || has_article && kind.is_some())
                    && rest[..length].iter().all(|word| is_in(ADJECTIVES, word) || *word == "not");
            let is_kind = match rest {
                [adjectives @ .., kind] => {
                    let is_own = is_only || !adjectives.is_empty() && has_article;
                    is_own && is_in(KINDS, kind) && adjectives.iter().all(|word| is_in(OF_METHODS, word))
                }
                [] => false,
            };
            let length = if is_kind { rest.len() } else { length };
            return ((is_meant || is_kind) && is_plain && (1..4).contains(&length))
                .then(|| format!("are {}?", rest[..length].join(" ")));
        }
    };
    (has_article || is_only).then_some(condition).filter(|condition| condition.contains(' '))
}

fn without_article(text: &str) -> &str {
    ["a ", "an ", "any "].iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_follow_up_about_a_list_is_a_question_with_its_noun() {
        use Operation::{Choose, Count, CountChosen, Every, Rest};
        let ask = |text: &str| of_list(Some("methods"), true, text).map(|asked| (asked.operation, asked.text));
        for (text, operation, wanted) in [
            ("how many of them are properties?", CountChosen, "how many of these properties are there?"),
            ("how many are private?", CountChosen, "how many of these methods are private?"),
            ("how many are class methods?", CountChosen, "how many of these methods are class methods?"),
            ("only the private ones", Choose, "which of these methods are private?"),
            ("the properties only", Choose, "which of these properties are there?"),
            ("and the async ones?", Choose, "which of these methods are async?"),
            ("only public", Choose, "which of these methods are public?"),
            ("which one is the longest?", Choose, "which of these methods is the longest?"),
            ("which have default values?", Choose, "which of these methods have default values?"),
            ("those without a docstring", Choose, "which of these methods have no docstring"),
            ("how many are there?", Count, "how many of these methods are there?"),
            ("which of them have decorators?", Choose, "which of these methods are decorated?"),
            ("how many?", Count, "how many of these methods are there?"),
            ("which of them call Cart.add?", Choose, "which of these methods call Cart.add?"),
            ("are they all documented?", Every, "which of these methods are documented?"),
            ("the others?", Rest, "which of these methods are the others?"),
            ("which of these classes sing?", Choose, "which of these classes sing?"),
            ("and which are not?", Rest, "which of these methods are the others?"),
            ("count them", Count, "how many of these methods are there?"),
            ("how many public ones?", CountChosen, "how many of these methods are public?"),
            ("what about the public ones?", Choose, "which of these methods are public?"),
            ("only the ones starting with print", Choose, "which of these methods start with print"),
            ("those derived from Cart", Choose, "which of these methods are derived from Cart"),
            ("without the private ones", Choose, "which of these methods are not private?"),
            ("drop the ones without a docstring", Choose, "which of these methods have docstring"),
            ("exclude private", Choose, "which of these methods are not private?"),
            ("how many of the callers are private?", CountChosen, "how many of these methods are private?"),
            ("any async ones?", Choose, "which of these methods are async?"),
            ("filter by async", Choose, "which of these methods are async?"),
            ("which have no tests?", Choose, "which of these methods are not tested?"),
            ("the longest one", Choose, "which of these methods is the longest?"),
        ] {
            assert_eq!(ask(text), Some((operation, wanted.to_owned())), "{text}");
        }
        for text in [
            "which methods are private?",
            "who calls it?",
            "only in tests",
            "and why?",
            "which is the biggest class?",
            "how many are in the repository?",
            "the rest api",
        ] {
            assert_eq!(ask(text), None, "{text}");
        }
    }

    #[test]
    fn a_list_further_back_is_meant_by_words_that_cannot_stand_alone() {
        let ask = |text: &str| of_list(Some("methods"), false, text).map(|asked| asked.text);
        assert_eq!(ask("which are private?"), None);
        assert_eq!(ask("which of them are private?").as_deref(), Some("which of these methods are private?"));
        assert_eq!(ask("only the private ones").as_deref(), Some("which of these methods are private?"));
    }

    #[test]
    fn a_kind_of_its_own_needs_a_list() {
        assert_eq!(of_list(None, false, "which of these classes derive from Base: A or B?"), None);
        assert!(of_list(None, false, "which of them are tested?").is_some(), "there is nothing to choose from");
    }

    #[test]
    fn contrary_conditions_choose_from_one_list() {
        assert!(is_contrary("which of these methods are private?", "and the public ones?"));
        assert!(!is_contrary("which of these methods are private?", "the async ones"));
    }

    #[test]
    fn a_number_is_asked_for_with_its_noun_or_without() {
        assert_eq!(counted_noun("how many places?").as_deref(), Some("places"));
        assert_eq!(counted_noun("and at how many places in all?").as_deref(), Some("places"));
        assert_eq!(counted_noun("how many tests call it?"), None);
        assert_eq!(first_of_list("show me the first three"), Some((false, 3)));
        assert_eq!(first_of_list("the last 2 of them"), Some((true, 2)));
        assert_eq!(first_of_list("the first one"), None);
        assert_eq!(asking_which("are any of these methods private?"), "which of these methods are private?");
        assert!(asks_for_direct("only the direct ones") && !asks_for_direct("who uses it directly?"));
        assert!(speaks_of_list("what do they raise?") && !speaks_of_list("who calls it?"));
        assert!(asks_which("which ones?") && asks_which("list them") && !asks_which("which are private?"));
    }
}
