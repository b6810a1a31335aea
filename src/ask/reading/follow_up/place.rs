//! `in there` as the file or the definition that a conversation is about: `which functions are in there?`.

use super::{
    EarlierSubject,
    tokens::{Token, joined, tokens},
    turns::{Conversation, TurnPlace},
};
use crate::{
    ask::reading::{relations::noun_of, words::is_in},
    model::EntityKind,
    store::{Store, error::StoreError},
};

/// The words that stand for a place: where they begin, and how many there are.
fn spoken(words: &[Token]) -> Option<(usize, usize)> {
    let word = |at: usize| words.get(at).map(Token::lower).unwrap_or_default();
    let is_in_place = |at: usize| is_in("in inside within from", &word(at));
    (0..words.len()).find_map(|at| {
        let is_there = word(at) == "there" && at + 1 == words.len() && at > 0;
        let before = at.checked_sub(1).map(word).unwrap_or_default();
        if is_there && is_in_place(at - 1) {
            return Some((at - 1, 2));
        }
        // `classes there?`
        if is_there && (noun_of(&before).is_some() || is_in("else defined", &before)) {
            return Some((at, 1));
        }
        let is_file = is_in("that this same", &word(at + 1)) && word(at + 2) == "file";
        let is_same = word(at + 1) == "the" && word(at + 2) == "same" && word(at + 3) == "file";
        match (is_in_place(at), is_file, is_same) {
            (true, true, _) => Some((at, 3)),
            (true, _, true) => Some((at, 4)),
            _ => None,
        }
    })
}

/// Whether a text has words for a place of the conversation.
pub(super) fn speaks_of_place(text: &str) -> bool {
    spoken(&tokens(text)).is_some()
}

/// `what classes are there?` behind a list of a file asks for those of the file.
pub(super) fn there_in_file(conversation: &Conversation, text: &str) -> Option<String> {
    let words = tokens(text);
    let lower: Vec<String> = words.iter().map(Token::lower).collect();
    let said: Vec<&str> = lower.iter().map(String::as_str).collect();
    let said = said.strip_prefix(&["and"]).unwrap_or(&said);
    let (["what" | "which", kind @ .., "are", "there"] | ["are", "there", "any", kind @ ..]) = said else {
        return None;
    };
    let [.., noun] = kind else { return None };
    if kind.len() > 2 || noun_of(noun).is_none() {
        return None;
    }
    let Some(TurnPlace::File(file)) = conversation.place() else { return None };
    let last = conversation.turns.last().filter(|last| last.lists() && last.question.contains(&file))?;
    last.question.contains(" in ").then(|| format!("which {} are in {file}?", kind.join(" ")))
}

/// The text with the place of the conversation in those words; `None` where there is none.
pub(super) fn placed(store: &Store, conversation: &Conversation, text: &str) -> Result<Option<String>, StoreError> {
    let words = tokens(text);
    let Some((start, length)) = spoken(&words) else { return Ok(None) };
    let name = match conversation.place() {
        None => return Ok(None),
        Some(TurnPlace::File(file)) => file,
        Some(TurnPlace::Within(topic)) => {
            let Some(topic) = EarlierSubject::of(store, &topic)? else { return Ok(None) };
            let main = topic.target.main();
            let is_outer = matches!(main.record.kind, EntityKind::Class | EntityKind::Module);
            let says_file = words[start..start + length].iter().any(|word| word.lower() == "file");
            if is_outer && !says_file { topic.name } else { main.path.clone() }
        }
    };
    let behind = words[start + length - 1].behind.clone();
    let mut full = words[..start].to_vec();
    full.extend(tokens(&format!("in {name}")));
    if let Some(last) = full.last_mut() {
        last.behind = behind;
    }
    full.extend_from_slice(&words[start + length..]);
    Ok(Some(joined(&full)))
}

#[cfg(test)]
mod tests {
    use super::{super::turns::ConversationTurn, *};
    use crate::{model::EntityKind::*, query::fixture::Fixture};

    #[test]
    fn there_is_the_file_or_the_class_before() {
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(Class, "Cart", 1, 9).entity(Function, "check", 20, 21);
        let store = fixture.store();
        let ask = |question: &str, topic: Option<&str>, text: &str| {
            let topic = topic.map(str::to_owned);
            let turn = ConversationTurn { question: question.to_owned(), topic, ..ConversationTurn::default() };
            let talk = Conversation { turns: vec![turn] };
            placed(&store, &talk, text).expect("a store in memory")
        };
        let full = |text: &str| Some(text.to_owned());
        let file = "classes in a.py";
        assert_eq!(ask(file, None, "which functions are in there?"), full("which functions are in a.py?"));
        assert_eq!(ask(file, None, "functions there?"), full("functions in a.py?"));
        assert_eq!(ask(file, None, "what else is in that file?"), full("what else is in a.py?"));
        assert_eq!(ask("explain Cart", Some("a.Cart"), "what is in there?"), full("what is in a.Cart?"));
        assert_eq!(
            ask("explain check", Some("a.check"), "which classes are in there?"),
            full("which classes are in a.py?")
        );
        assert_eq!(ask("explain it", None, "which classes are in there?"), None);
        assert!(!speaks_of_place("how many are there?") && !speaks_of_place("is it used in there too?"));
    }
}
