//! Recognizes an everyday word as a name by its place in a question about code: `who calls next`, `how does get work`.
//!
//! Only the place is judged here. Whether something in the index is called so, the caller finds out.

use crate::ask::reading::words::{ParsedQuestion, QuestionWord, Shape, is_in};

/// Verbs of code in the third person, behind which stands a definition.
const VERBS: &str =
    "calls catches imports inherits invokes overrides raises reads reaches references throws uses writes";
/// The same verbs in a form that also asks for something: `what should i read first`.
const BARE: &str = "call calling catch catching change changing delete deleting import importing invoke invoking \
     modify modifying override overriding raise raising read reading refactor refactoring remove removing rename \
     renaming replace replacing throw use using write writing";
/// Nouns behind which a definition stands: `callers of next`.
const NOUNS: &str =
    "callers calls definition implementation importers overrides references source usage usages users uses";
/// Words that may follow the object of a verb.
const ENDS: &str = "and anymore anywhere besides but directly except from in inside indirectly only or outside still \
     twice with within without";
/// Words behind a noun and its object: `callers of extend that pass x`, `calls to confirm do not pass x`.
const CLAUSES: &str = "do give leave omit pass set that which who whose";
/// Words that stand for something else, whatever is defined.
pub const PRONOUNS: &str = "a all an another any anyone anything anybody both each every everyone everything he her here him \
     i it its itself me mine most my no nobody none nothing one ones other others our she some someone something that \
     the their them then there these they this those us we what which who whom whose you your";
/// Words that say when or how often, behind a verb that is no third person.
const ADVERBS: &str = "after again also before first last most more much next now off often once only out over still \
     through too up";
/// Words behind a name and `does`, and behind a name and `is`.
const DOES: &str = "accept call do mean raise return take use work";
const IS: &str = "called caught covered defined deprecated imported implemented overridden raised read referenced tested \
     used written";
/// Words before an argument and its receiver.
const PASSING: &str = "pass passes passing";
/// Words by which a question compares two definitions.
const COMPARATIVES: &str = "bigger larger longer newer older shorter smaller younger";
/// Words of the history of a definition.
const HAPPENED: &str = "added change changed created edited introduced modified moved removed renamed touched written";

/// Whether a word in lower case asks for a way between two definitions.
pub fn is_way(lower: &str) -> bool {
    is_in("chain path paths route way", lower)
}

/// Whether the word at `at` stands where only a name does.
pub fn is_object(question: &ParsedQuestion, at: usize) -> bool {
    let word =
        |at: Option<usize>| at.and_then(|at| question.words.get(at)).map(QuestionWord::lower).unwrap_or_default();
    let (before, earlier) = (word(at.checked_sub(1)), word(at.checked_sub(2)));
    let (own, next) = (question.words[at].lower(), word(Some(at + 1)));
    if question.words[at].shape == Shape::Path || is_in(PRONOUNS, &own) || at == 0 {
        return false;
    }
    let is_last = at + 1 == question.words.len() || question.words[at].ends_clause;
    let ends = is_last || is_in(ENDS, &next);
    // `callers of extend that pass x`
    let has_clause = is_in(CLAUSES, &next);
    let is_behind_verb = is_in(VERBS, &before) || is_in(BARE, &before) && !is_in(ADVERBS, &own);
    // `only called by run`
    let is_user = before == "by" && (is_in(IS, &earlier) || earlier == "only")
        || before == "than" && earlier == "other"
        || before == "besides";
    let is_behind_noun = before == "of" && is_in(NOUNS, &earlier) || before == "to" && is_in("call calls", &earlier);
    // `who passes err=True to echo`, `which calls pass the parameter err of echo`
    let is_receiver =
        is_in("of to", &before) && question.words[..at - 1].iter().any(|word| is_in(PASSING, &word.lower()));
    // `how does get work`, `where is run called`
    let is_told = matches!(before.as_str(), "does" | "do") && is_in("how what where which when", &earlier)
        || matches!(before.as_str(), "is" | "are") && (at == 1 || is_in("how where when why", &earlier));
    let then = word(Some(at + 2));
    let said = if is_in("actually also ever even only really still", &next) { &then } else { &next };
    let is_subject = is_told && (is_in(DOES, said) || is_in(IS, said));
    // `when was get last changed`
    let is_of_history = is_in("did was were", &before)
        && is_in("since when who why", &earlier)
        && (is_in(HAPPENED, &next) || is_in("ever first last originally recently", &next) && is_in(HAPPENED, &then));
    // `who last changed get`
    let is_of_history = is_of_history
        || is_last
            && is_in("added changed created edited introduced modified touched wrote", &before)
            && is_in("first last originally recently who", &earlier);
    let is_topic = is_last
        && (before == "about" && is_in("tell me", &earlier)
            || at == 1 && is_in("describe explain show", &before) && question.words.len() == 2);
    // `path from get to send`, `how does get reach send`
    let has_way = question.words[..at].iter().any(|word| is_way(&word.lower()));
    let is_end = has_way && (before == "from" && next == "to" || before == "to" && is_last && !is_in("get", &earlier));
    let is_start = is_told && is_in("reach reaches", &next);
    if is_end || is_start {
        return true;
    }
    // `which is longer, echo or secho`, `is echo longer than secho`
    let is_compared = question.words[..at].iter().any(|word| is_in(COMPARATIVES, &word.lower()))
        && (next == "or" || matches!(before.as_str(), "or" | "than") && is_last)
        || at == 1 && is_in("is", &before) && is_in(COMPARATIVES, &next) && then == "than";
    ends && (is_behind_verb || is_behind_noun || is_receiver || is_user)
        || has_clause && is_behind_noun
        || is_subject
        || is_of_history
        || is_compared
        || is_topic
}

/// The word of a question that stands where a name does; as no names were found, nothing is called so.
pub fn object_of(text: &str) -> Option<String> {
    let question = ParsedQuestion::parse(text);
    let is_verb = |at: usize| {
        let before = question.words[at - 1].lower();
        let next = question.words.get(at + 1).map(QuestionWord::lower).unwrap_or_default();
        is_in(VERBS, &before) || before == "of" || before == "does" && is_in("accept call raise return", &next)
    };
    let at = (1..question.words.len()).find(|at| is_verb(*at) && is_object(&question, *at))?;
    Some(question.words[at].text.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_words_stand_where_names_do() {
        let object = |text: &str| {
            let question = ParsedQuestion::parse(text);
            let at = (0..question.words.len()).find(|at| is_object(&question, *at));
            at.map(|at| question.words[at].text.clone()).unwrap_or_default()
        };
        for text in [
            "who calls next?",
            "what overrides next in a.py",
            "how does next work",
            "what does next return",
            "tell me about next",
            "is next used anywhere",
            "is next only used in a.py",
            "where is next called",
            "callers of next",
            "path from next to send",
            "how does next reach send",
            "when was next last changed",
            "who passes err to next",
            "what breaks if I change next",
        ] {
            let wanted = if text.ends_with("change next") { "" } else { "next" };
            assert_eq!(object(text), wanted, "{text}");
        }
        assert_eq!(object("what breaks if I change get"), "get");
        for text in ["who calls it", "what should i read first", "how does this work", "which tests fail", "is it used"]
        {
            assert_eq!(object(text), "", "{text}");
        }
    }
}
