//! A member under its class, where the question says in which method `self` has it or of which class it is.
//!
//! `self.send` in `Client.get` is `Client.send`, and who uses `headers` in `Session` uses `Session.headers`.

use super::{bare, members::member_called};
use crate::{
    ask::reading::words::{is_in, is_stop_word},
    model::EntityKind,
    query::target::{TargetMatch, known},
    store::{Store, error::StoreError},
};

/// Words around a member of `self`, none of which asks for more than the member.
const AROUND: &str = "a attribute call called calls can definition dispatch do does find for function go goes implementation in inside \
     invoke invokes is it jump lead leads locate located mean means member method of on point points refer refers resolve resolved \
     resolves show stand stands tell the to what where which with within defined";
/// Verbs of those who use a member, with the word before.
const USING: &str = "access accesses change changes modify modifies need needs overwrite overwrites read reads set sets touch touches use uses using write writes";
/// Longer questions tell a story.
const LONGEST_QUESTION: usize = 14;

/// The question with such a member under its class; `None` where there is none.
pub(super) fn with_owners(store: &Store, text: &str) -> Result<Option<String>, StoreError> {
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(['?', ',', '.', '`'])).collect();
    if words.len() > LONGEST_QUESTION {
        return Ok(None);
    }
    if let ["where" | "Where", "is" | "are", rest @ ..] = &words[..]
        && let [member, "defined" | "declared" | "implemented", "in" | "on" | "of", class] = without_nouns(rest)[..]
        && class.starts_with(|c: char| c.is_ascii_uppercase())
    {
        return Ok(member_called(store, &format!("{class}.{member}"))?.map(|name| format!("where is `{name}`")));
    }
    match of_self(store, &words)? {
        Some(read) => Ok(Some(read)),
        None => of_class(store, &words),
    }
}

/// `what does self.send in Client.get call`
fn of_self(store: &Store, words: &[&str]) -> Result<Option<String>, StoreError> {
    let is_self = |word: &&str| *word == "self" || word.starts_with("self.");
    let Some(at) = words.iter().position(is_self) else { return Ok(None) };
    let place = words.iter().enumerate().skip(1).find_map(|(place, word)| {
        let is_place =
            place != at && word.contains('.') && is_in("by from in inside within", &words[place - 1].to_lowercase());
        is_place.then(|| (place, bare(word)))
    });
    let Some((place, method)) = place else { return Ok(None) };
    let Some((class, _)) = method.rsplit_once('.') else { return Ok(None) };
    if !names_method(store, method)? {
        return Ok(None);
    }
    let is_around =
        |(other, word): (usize, &&str)| other == at || other == place || is_in(AROUND, &word.to_lowercase());
    let says_no_more = words.iter().enumerate().all(is_around);
    let Some(member) = words[at].strip_prefix("self.").map(|member| member.trim_end_matches("()")) else {
        let asks_for_class = words.iter().any(|word| is_in("class object type what", &word.to_lowercase()));
        return Ok(asks_for_class.then(|| format!("what is the parent of `{method}`")));
    };
    let Some(name) = member_called(store, &format!("{class}.{member}"))? else { return Ok(None) };
    // `remove the assignment to self.size in Job.pick` is about the method.
    Ok(says_no_more.then(|| format!("where is `{name}`")))
}

/// `who uses headers in Session`
fn of_class(store: &Store, words: &[&str]) -> Result<Option<String>, StoreError> {
    let [head @ .., member, of, class] = words else { return Ok(None) };
    let [asked, rest @ ..] = head else { return Ok(None) };
    let is_use = rest.iter().any(|word| is_in(USING, &word.to_lowercase()));
    let is_asked = is_in("who what which", &asked.to_lowercase()) && is_use;
    let last = without_nouns(rest).pop();
    let follows = last.is_some_and(|word| is_in(USING, &word.to_lowercase()));
    let is_plain =
        !member.is_empty() && member.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit());
    let is_class = class.starts_with(|c: char| c.is_ascii_uppercase());
    if !is_asked || !follows || !is_in("in of on", of) || !is_plain || !is_class || is_stop_word(member) {
        return Ok(None);
    }
    let Some(name) = member_called(store, &format!("{class}.{member}"))? else { return Ok(None) };
    Ok(Some(format!("{} `{name}`", without_nouns(head).join(" "))))
}

/// The words without those that say that a member is one.
fn without_nouns<'q>(words: &[&'q str]) -> Vec<&'q str> {
    words.iter().copied().filter(|word| !is_in("a an attribute field member method property the", word)).collect()
}

/// Whether this is a method with its class.
fn names_method(store: &Store, name: &str) -> Result<bool, StoreError> {
    let is_method = |kind: EntityKind| matches!(kind, EntityKind::Method | EntityKind::Property);
    Ok(match known(store, name, "")? {
        Some(TargetMatch::Found(target)) => is_method(target.main().record.kind),
        Some(TargetMatch::Ambiguous(several)) => several.iter().any(|one| is_method(one.record.kind)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EntityKind::*, query::fixture::Fixture};

    #[test]
    fn a_member_of_self_belongs_to_the_class_of_the_method() {
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(Class, "Client", 1, 30).entity(Method, "Client.get", 5, 9);
        fixture.entity(Method, "Client.send", 11, 15).entity(Class, "Other", 40, 60).entity(
            Method,
            "Other.send",
            41,
            50,
        );
        let store = fixture.store();
        let read = |text: &str| with_owners(&store, text).expect("a store in memory");
        for text in [
            "what does self.send mean in Client.get?",
            "which method does self.send() in Client.get call",
            "to what does self.send in Client.get resolve",
            "where does self.send in Client.get go",
        ] {
            assert_eq!(read(text).as_deref(), Some("where is `Client.send`"), "{text}");
        }
        assert_eq!(read("drop the assignment to self.send in Client.get"), None, "the method is meant");
        assert_eq!(read("which class is self in Client.get").as_deref(), Some("what is the parent of `Client.get`"));
        assert_eq!(read("what does self.close in Client.get call"), None, "the class has no such member");
        assert_eq!(read("who uses send in Other").as_deref(), Some("who uses `Other.send`"));
        assert_eq!(read("who uses the send method in Other"), None);
        assert_eq!(read("where is send defined in Other").as_deref(), Some("where is `Other.send`"));
        assert_eq!(read("who uses Other in Client"), None, "another class is no member");
    }
}
