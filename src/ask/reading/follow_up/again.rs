//! Questions that ask an earlier one again, with another name, file or kind: `and of Cart?`, `and in b.py?`, `and
//! classes?`.

use super::{
    of_list::ADJECTIVES,
    tokens::{Token, lower_words, tokens},
    turns::{Conversation, ConversationTurn},
};
use crate::{
    ask::reading::words::{is_in, is_stop_word},
    model::EntityKind,
    query::{
        calls::parameters::parameters_of,
        target::{Target, TargetMatch, is_suffix, known, look_up},
    },
    store::{Store, error::StoreError},
};

/// Beginnings of such questions, the longer ones first.
const HEADS: [&str; 14] = [
    "and does ",
    "and is ",
    "and has ",
    "and what about ",
    "and how about ",
    "what about ",
    "how about ",
    "the same for ",
    "same for ",
    "and for ",
    "and now ",
    "now ",
    "but ",
    "and ",
];

/// Words between such a beginning and the name.
const BETWEEN: [&str; 9] = ["of", "for", "in", "inside", "on", "with", "from", "by", "about"];
const KINDS: &str = "class function method module file package";
/// Kinds of definitions that a list can be asked for in place of another kind.
const LISTED_KINDS: &str =
    "attributes classes constants exceptions fixtures functions methods properties subclasses variables";
/// Adjectives that make a kind of their own.
const OF_KIND: &str = "abstract async base class data instance nested private public special static";

/// An earlier question with something else in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AskedAgain {
    /// The number of its turn.
    pub(super) turn: usize,
    pub(super) text: String,
}

/// The name, or file, that is asked about now.
#[derive(Debug, PartialEq, Eq)]
struct OtherName {
    name: String,
    /// The word before it: `of`, `in`.
    preposition: Option<String>,
    /// It is written as only names are, so it is one even if nothing is called so.
    is_written_as_name: bool,
    /// It is the subject of a question for yes or no: `and does f?`.
    is_subject: bool,
}

/// A word of an earlier question for which another can stand.
struct NameSlot {
    start: usize,
    end: usize,
    sort: Option<NameSort>,
    preposition: Option<String>,
}

/// The sort of definition that a name is of: a name takes the place of one of its sort.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameSort {
    Class,
    Callable,
    Other,
}

/// The earlier question about the name, the file or the kind in `text`; `None` for another question.
pub(super) fn asked_again(
    store: &Store,
    conversation: &Conversation,
    text: &str,
) -> Result<Option<AskedAgain>, StoreError> {
    if let Some(kind) = other_kind(text) {
        let Some(turn) = conversation.list_question() else { return Ok(None) };
        let asked = &conversation.turns[turn];
        let text = match of_kind(&asked.question, &kind) {
            Some(text) => Some(text),
            None => within(store, asked, &kind)?,
        };
        return Ok(text.map(|text| AskedAgain { turn, text }));
    }
    let Some(other) = OtherName::of(text) else { return Ok(None) };
    if let Some(again) = other_parameter(store, conversation, &other.name)? {
        return Ok(Some(again));
    }
    let turns = [conversation.last_asked(), conversation.list_question()];
    let mut turns: Vec<usize> = turns.into_iter().flatten().collect();
    turns.dedup();
    if is_path(&other.name) {
        return Ok(in_file(conversation, &turns, &other.name));
    }
    let known = sort_of(store, &other.name)?;
    let (is_unknown, sort) = (known.is_none(), known.or_else(|| other.guessed_sort()));
    let same = |one: &Option<String>| one.as_deref().map(alike) == other.preposition.as_deref().map(alike);
    // `from C` goes where `from` stands, before any other place is taken.
    for is_strict in [true, false] {
        if is_strict && other.preposition.is_none() {
            continue;
        }
        for &turn in &turns {
            let asked = &conversation.turns[turn];
            // Nothing of an unknown name stands in a file.
            let is_placed = asked.question.split_whitespace().any(|word| is_path(bare_word(word)));
            if is_unknown && is_placed {
                continue;
            }
            let slots = slots(store, asked)?;
            let is_only = slots.len() == 1 && !asked.is_of_list();
            // An ordinary word takes the place of one: `who imports json` and `and os`.
            let is_sort = |slot: &NameSlot| match (slot.sort, sort) {
                (own, None) => own.is_none(),
                (own, sort) => is_only || own.is_none() || own == sort,
            };
            let fits = |slot: &&NameSlot| is_sort(slot) && (!is_strict || same(&slot.preposition));
            let found = if other.is_subject { slots.iter().find(fits) } else { slots.iter().rev().find(fits) };
            if let Some(slot) = found {
                let (before, behind) = (&asked.question[..slot.start], &asked.question[slot.end..]);
                return Ok(Some(AskedAgain { turn, text: format!("{before}{}{behind}", other.name) }));
            }
        }
        // `of C` takes the place of a file.
        if is_strict && sort == Some(NameSort::Class) {
            let in_place = turns.iter().find_map(|turn| {
                let words: Vec<&str> = conversation.turns[*turn].question.split_whitespace().collect();
                let at = words.iter().position(|word| is_path(bare_word(word)))?;
                let before = at.checked_sub(1).filter(|before| words[*before] == "in")?;
                let (head, behind) = (words[..before].join(" "), words[at + 1..].join(" "));
                let text = format!("{head} of {} {behind}", other.name);
                Some(AskedAgain { turn: *turn, text: text.trim_end().to_owned() })
            });
            if in_place.is_some() {
                return Ok(in_place);
            }
        }
        // `in C` limits a question that has no place yet.
        let last = turns.first().map(|turn| (*turn, &conversation.turns[*turn]));
        if is_strict
            && other.preposition.as_deref() == Some("in")
            && let Some((turn, last)) =
                last.filter(|(_, last)| !last.is_of_list() && matches!(sort, Some(NameSort::Class | NameSort::Other)))
        {
            return Ok(Some(AskedAgain { turn, text: format!("{} in {}?", bare(&last.question), other.name) }));
        }
    }
    Ok(None)
}

/// The question about a parameter with another parameter of the same function: `and of timeout?`.
fn other_parameter(store: &Store, conversation: &Conversation, name: &str) -> Result<Option<AskedAgain>, StoreError> {
    let Some(turn) = conversation.last_asked() else { return Ok(None) };
    let asked = &conversation.turns[turn];
    let Some(owner) = asked.topic.as_ref().filter(|_| asked.question.starts_with(OF_PARAMETER)) else {
        return Ok(None);
    };
    let TargetMatch::Found(target) = look_up(store, owner, "")? else { return Ok(None) };
    let is_taken = parameters_of(store, &target)?.iter().any(|parameter| parameter == name);
    let behind = asked.question[OF_PARAMETER.len()..].split_once('`').map(|(_, behind)| behind);
    let text = |behind| format!("{OF_PARAMETER}{name}`{behind}");
    Ok(behind.filter(|_| is_taken).map(|behind| AskedAgain { turn, text: text(behind) }))
}

/// The beginning of a question about a parameter that stands by itself.
const OF_PARAMETER: &str = "show the parameter `";

/// A question about a parameter that leaves out whose it is: `what is the default of timeout?` behind one about a
/// function that takes it.
pub(super) fn of_parameter(
    store: &Store,
    target: &Target,
    name: &str,
    text: &str,
) -> Result<Option<String>, StoreError> {
    let words = tokens(text);
    let lower = lower_words(&words);
    let said: Vec<&str> = lower.iter().map(String::as_str).collect();
    let [.., aspect, "of" | "for", _] = said.as_slice() else { return Ok(None) };
    let is_about = is_in("default type value meaning annotation", aspect);
    if !is_about || !target.main().record.kind.is_callable() && target.main().record.kind != EntityKind::Class {
        return Ok(None);
    }
    let asked = words.last().map(|word| word.word.trim_matches('`').to_owned()).unwrap_or_default();
    let is_taken = parameters_of(store, target)?.contains(&asked);
    Ok(is_taken.then(|| format!("{OF_PARAMETER}{asked}` of {name}")))
}

/// The question for a kind in the place that an earlier question names: `classes in a.py`, `methods of Cart`.
fn within(store: &Store, asked: &ConversationTurn, kind: &str) -> Result<Option<String>, StoreError> {
    let files: Vec<&str> = asked.question.split_whitespace().map(bare_word).filter(|word| is_path(word)).collect();
    if let [file] = files.as_slice() {
        return Ok(Some(format!("{kind} in {file}")));
    }
    let slots = slots(store, asked)?;
    let [slot] = slots.as_slice() else { return Ok(None) };
    let name = &asked.question[slot.start..slot.end];
    Ok((slot.sort == Some(NameSort::Class)).then(|| format!("{kind} of {name}")))
}

/// The question with another name in the place of its only one.
pub(super) fn with_name(store: &Store, asked: &ConversationTurn, name: &str) -> Result<Option<String>, StoreError> {
    let slots = slots(store, asked)?;
    let [slot] = slots.as_slice() else { return Ok(None) };
    Ok(Some(format!("{}{name}{}", &asked.question[..slot.start], &asked.question[slot.end..])))
}

/// The newest of some questions that is about a file, with another file; one about places can be limited to it.
fn in_file(conversation: &Conversation, turns: &[usize], path: &str) -> Option<AskedAgain> {
    let again = |turn: &usize| {
        let text = elsewhere(&conversation.turns[*turn].question, path)?;
        Some(AskedAgain { turn: *turn, text })
    };
    turns.iter().find_map(again).or_else(|| {
        let turn = *turns.first()?;
        let last = &conversation.turns[turn];
        let is_of_places = last.told.counted.as_ref().is_some_and(|(_, noun)| is_in("place module call", noun));
        is_of_places.then(|| AskedAgain { turn, text: format!("{} in {path}?", bare(&last.question)) })
    })
}

fn bare(question: &str) -> &str {
    question.trim_end_matches(['?', '.', '!', ' '])
}

/// Prepositions that mean the same before a name.
fn alike(preposition: &str) -> &str {
    match preposition {
        "for" | "on" | "about" => "of",
        "inside" => "in",
        other => other,
    }
}

/// The sort of definition that a name is of; `None` where nothing is called so.
fn sort_of(store: &Store, name: &str) -> Result<Option<NameSort>, StoreError> {
    let kind = match known(store, name, "")? {
        Some(TargetMatch::Found(target)) => target.main().record.kind,
        Some(TargetMatch::Ambiguous(entities)) => match entities.first() {
            Some(first) => first.record.kind,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(match kind {
        EntityKind::Class => NameSort::Class,
        kind if kind.is_callable() => NameSort::Callable,
        _ => NameSort::Other,
    }))
}

/// The names in a question, in their order.
fn slots(store: &Store, asked: &ConversationTurn) -> Result<Vec<NameSlot>, StoreError> {
    let mut slots = Vec::new();
    let mut before = None;
    for (start, word) in words_of(&asked.question).into_iter().filter(|(_, word)| !word.is_empty()) {
        let is_subject = |subject: &String| is_suffix(subject, word);
        let is_name = asked.told.names.iter().any(|name| name == word) || asked.subjects.iter().any(is_subject);
        // `Parameter` is an ordinary word elsewhere.
        let is_capital = word.starts_with(char::is_uppercase) && start > 0;
        let sort = sort_of(store, word)?;
        let is_code = is_capital || word.contains(['.', '_']);
        if is_name || is_code && !is_stop_word(word) && !is_path(word) {
            let end = start + word.len();
            let sort = sort.or_else(|| guessed_sort(word));
            slots.push(NameSlot { start, end, sort, preposition: before.take() });
        }
        if !is_in(KINDS, word) && word != "the" {
            before = Some(word.to_lowercase());
        }
    }
    // A library's name is an ordinary word.
    let words: Vec<(usize, &str)> =
        words_of(&asked.question).into_iter().filter(|(_, word)| !word.is_empty()).collect();
    if let ([.., (_, verb), (start, word)], true) = (words.as_slice(), slots.is_empty())
        && is_in("import imports use uses from", &verb.to_lowercase())
        && !is_stop_word(word)
    {
        slots.push(NameSlot { start: *start, end: start + word.len(), sort: None, preposition: None });
    }
    Ok(slots)
}

impl OtherName {
    /// The one name that such a question consists of, or a member and its class: `send in Adapter`.
    fn of(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches(['?', '.', '!']).trim_end();
        let head = head(text);
        let mut words: Vec<&str> = text.get(head..)?.split_whitespace().collect();
        let is_between = |word: &str| BETWEEN.contains(&word.to_lowercase().as_str());
        // `in b.py only`
        if words.len() > 2 && words.last().is_some_and(|last| last.eq_ignore_ascii_case("only")) {
            words.pop();
        }
        // `and a save method?`
        if words.len() == 3 && is_in("a an the", &words[0].to_lowercase()) && is_in(KINDS, &words[2].to_lowercase()) {
            words.pop();
        }
        let mut preposition = None;
        while let [first, _, ..] = words.as_slice()
            && (is_between(first)
                || is_in("a an the ones those same", &first.to_lowercase())
                || is_in(KINDS, &first.to_lowercase()))
        {
            if is_between(first) {
                preposition = Some(first.to_lowercase());
            }
            words.remove(0);
        }
        let plain = |word: &str| word.trim_matches('`').trim_end_matches("()").to_owned();
        let (name, written) = match words.as_slice() {
            [name] => (plain(name), *name),
            [member, between, owner] if head > 0 && is_between(between) && !is_path(owner) => {
                (format!("{}.{}", plain(owner), plain(member)), *owner)
            }
            _ => return None,
        };
        let is_written_as_name = tokens(written).first().is_some_and(Token::looks_like_name);
        let verb = text.split_whitespace().nth(1).map(str::to_lowercase);
        let is_subject = head > 0 && verb.is_some_and(|verb| is_in("does is has", &verb));
        // `in Cart?` is short enough to go on by itself, `Cart` is not.
        let is_meant = head > 0 || preposition.is_some();
        (is_meant && !name.is_empty() && !is_stop_word(&name)).then_some(Self {
            name,
            preposition,
            is_written_as_name,
            is_subject,
        })
    }

    /// The sort of a name that nothing has; `None` for an ordinary word.
    fn guessed_sort(&self) -> Option<NameSort> {
        if self.is_written_as_name { guessed_sort(&self.name) } else { None }
    }
}

/// The sort of a name that nothing has, by its letters.
fn guessed_sort(name: &str) -> Option<NameSort> {
    let is_class = name.rsplit('.').next()?.starts_with(char::is_uppercase);
    Some(if is_class { NameSort::Class } else { NameSort::Callable })
}

/// The length of the words with which such a question begins.
fn head(text: &str) -> usize {
    let lower = text.to_lowercase();
    HEADS.iter().find(|head| lower.starts_with(**head)).map_or(0, |head| head.len())
}

/// The file that such a question consists of: `and in b.py?`.
pub(super) fn other_file(text: &str) -> Option<String> {
    OtherName::of(text).map(|other| other.name).filter(|name| is_path(name))
}

/// The kind that such a question consists of: `and classes?`, `what about class methods?`.
pub(super) fn other_kind(text: &str) -> Option<String> {
    let head = head(text);
    let words = lower_words(&tokens(text.get(head..)?));
    let skipped = words.iter().take_while(|word| is_in("the for of its also", word)).count();
    let [adjectives @ .., kind] = &words[skipped..] else { return None };
    let is_kind = head > 0 && is_in(LISTED_KINDS, kind) && adjectives.iter().all(|word| is_in(OF_KIND, word));
    // `and the private methods?` chooses from the list.
    let chooses =
        words[..skipped].iter().any(|word| word == "the") && adjectives.iter().any(|one| is_in(ADJECTIVES, one));
    (is_kind && !chooses).then(|| words[skipped..].join(" "))
}

/// The question for a list with another kind in the place of its own.
fn of_kind(question: &str, kind: &str) -> Option<String> {
    let (start, word) = words_of(question).into_iter().find(|(_, word)| is_in(LISTED_KINDS, &word.to_lowercase()))?;
    Some(format!("{}{kind}{}", &question[..start], &question[start + word.len()..]))
}

fn is_path(word: &str) -> bool {
    word.contains('/') || word.ends_with(".py")
}

/// The earlier question about another file; `None` where it is about none.
fn elsewhere(question: &str, path: &str) -> Option<String> {
    let mut words: Vec<String> = question.split_whitespace().map(str::to_owned).collect();
    let mut places = words.iter_mut().filter(|word| is_path(bare_word(word)));
    let (place, None) = (places.next()?, places.next()) else { return None };
    *place = place.replace(bare_word(place), path);
    Some(words.join(" "))
}

/// A word without the signs around it.
fn bare_word(word: &str) -> &str {
    word.trim_matches(['?', '!', ',', '`']).trim_end_matches('.')
}

/// The words of a question that can be names, and where they begin.
fn words_of(question: &str) -> Vec<(usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut words = Vec::new();
    let mut start = 0;
    for (at, letter) in question.char_indices().chain([(question.len(), ' ')]) {
        if !is_part(letter) {
            words.push((start, question[start..at].trim_end_matches('.')));
            start = at + letter.len_utf8();
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{
        super::turns::{GoingOn, ListedName, Operation, ToldTurn},
        *,
    };
    use crate::{model::EntityKind::*, query::fixture::Fixture};

    #[test]
    fn a_follow_up_consists_of_one_name() {
        let name = |text: &str| OtherName::of(text).map(|other| other.name);
        assert_eq!(name("What about `total`?").as_deref(), Some("total"));
        assert_eq!(name("and Cart.add()?").as_deref(), Some("Cart.add"));
        assert_eq!(name("and of the class Cart?").as_deref(), Some("Cart"));
        assert_eq!(name("in Cart?").as_deref(), Some("Cart"));
        assert_eq!(name("and add in Cart?").as_deref(), Some("Cart.add"));
        assert_eq!(name("and in a.py?").as_deref(), Some("a.py"));
        assert_eq!(name("and why?"), None);
        assert_eq!(name("Cart"), None);
        assert_eq!(name("who calls total?"), None);
    }

    #[test]
    fn another_file_takes_the_place_of_the_one() {
        assert_eq!(elsewhere("who calls f in a.py?", "b.py").as_deref(), Some("who calls f in b.py?"));
        assert_eq!(elsewhere("who calls f?", "b.py"), None);
        assert_eq!(elsewhere("compare a.py and c.py", "b.py"), None);
    }

    #[test]
    fn another_kind_takes_the_place_of_the_one() {
        assert_eq!(other_kind("and class methods?").as_deref(), Some("class methods"));
        assert_eq!(other_kind("what about the classes").as_deref(), Some("classes"));
        assert_eq!(other_kind("and the private methods?"), None, "a choice from the list");
        assert_eq!(other_kind("classes"), None);
        assert_eq!(of_kind("which functions are in a.py?", "classes").as_deref(), Some("which classes are in a.py?"));
        assert_eq!(of_kind("who calls f?", "classes"), None);
    }

    /// A name goes where its preposition stands, first in the last question and then in the one for the list.
    #[test]
    fn a_name_takes_the_place_of_one_of_its_sort() {
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(Class, "Cart", 1, 9).entity(Class, "Base", 11, 19);
        fixture.entity(Method, "Cart.add", 2, 3).entity(Function, "check", 20, 21).entity(Class, "Bag", 30, 31);
        let store = fixture.store();
        let turn = |question: &str, operation: Option<Operation>, names: &[&str]| ConversationTurn {
            question: question.to_owned(),
            listed: vec![ListedName { name: "a.Cart.add".to_owned(), path: "a.py".to_owned() }; 2],
            told: ToldTurn {
                goes_on: operation.map(|operation| GoingOn { operation, list: 1 }),
                names: names.iter().map(|name| (*name).to_owned()).collect(),
                is_list: true,
                ..ToldTurn::default()
            },
            ..ConversationTurn::default()
        };
        let talk = Conversation {
            turns: vec![
                turn("subclasses of Base", None, &["Base"]),
                turn("which of these classes define add?", Some(Operation::Choose), &["add"]),
            ],
        };
        let ask = |talk: &Conversation, text: &str| {
            asked_again(&store, talk, text).expect("a store in memory").map(|again| (again.turn, again.text))
        };
        let wanted = |turn: usize, text: &str| Some((turn, text.to_owned()));
        assert_eq!(ask(&talk, "and of Bag?"), wanted(0, "subclasses of Bag"));
        assert_eq!(ask(&talk, "and Bag?"), wanted(0, "subclasses of Bag"));
        assert_eq!(ask(&talk, "and check?"), wanted(1, "which of these classes define check?"));
        assert_eq!(ask(&talk, "and OtherBag?"), wanted(0, "subclasses of OtherBag"), "a class by its capitals");
        let derived = turn("which of these classes derive from Base?", Some(Operation::Choose), &["Base"]);
        let talk = Conversation { turns: vec![turn("classes in a.py", None, &[]), derived] };
        assert_eq!(ask(&talk, "and from Bag?"), wanted(1, "which of these classes derive from Bag?"));
        assert_eq!(ask(&talk, "and in b.py?"), wanted(0, "classes in b.py"));
        assert_eq!(ask(&talk, "and why?"), None);
        assert_eq!(ask(&talk, "and of Cart?"), wanted(0, "classes of Cart"), "a class in the place of a file");
        let talk = Conversation { turns: vec![turn("what is in a.py?", None, &[])] };
        assert_eq!(ask(&talk, "and classes?"), wanted(0, "classes in a.py"));
        let talk = Conversation { turns: vec![turn("does Cart.add call check?", None, &["Cart.add", "check"])] };
        assert_eq!(ask(&talk, "and does Bag.add?"), wanted(0, "does Bag.add call check?"));
        assert_eq!(ask(&talk, "and other?"), None);
        let talk = Conversation { turns: vec![turn("who imports json?", None, &[])] };
        assert_eq!(ask(&talk, "and os?"), wanted(0, "who imports os?"));
    }
}
