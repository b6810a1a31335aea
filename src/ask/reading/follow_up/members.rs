//! Conditions of a follow-up that the definitions of the list tell by themselves: the members of its classes, their
//! names, their kind and their files.

use super::{
    kind_of_all,
    tokens::{Token, lower_words, tokens},
};
use crate::{
    ask::reading::words::is_in,
    model::EntityKind,
    query::{
        target::filter::DefinitionMark,
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Adjectives of the members of a class, and the mark of each.
const MARKS: [(&str, DefinitionMark); 8] = [
    ("abstract", DefinitionMark::Abstract),
    ("async", DefinitionMark::Async),
    ("class", DefinitionMark::ClassMethod),
    ("deprecated", DefinitionMark::Deprecated),
    ("generator", DefinitionMark::Generator),
    ("private", DefinitionMark::Private),
    ("public", DefinitionMark::Public),
    ("static", DefinitionMark::Static),
];
/// Names of the rest of a list that are written out.
const MAX_NAMED: usize = 12;

/// The definitions that fit, and the sentence that says so.
pub(super) type ChosenOfList = (Vec<Entity>, String);

/// The question whether a class has a member of a name, as one that the grammar of lists understands: `have a show
/// method` is `define show`.
pub(super) fn with_member_named(question: &str) -> Option<String> {
    let (head, condition) = condition_of(question)?;
    let words: Vec<&str> = condition.trim_end_matches(['?', '.', '!']).split_whitespace().collect();
    let name = match words.as_slice() {
        ["have" | "has", "a" | "an" | "any", name, "method" | "property" | "attribute" | "function"]
            if is_member_name(name) =>
        {
            name
        }
        ["have" | "has", "a" | "an", name] | ["have" | "has", name] if tokens(name)[0].looks_like_name() => name,
        ["have" | "has", "a" | "an", "method" | "property", "called" | "named", name] => name,
        _ => return None,
    };
    // `show` is a common word too.
    Some(format!("{head} define `{}`?", name.trim_matches('`')))
}

fn is_member_name(word: &str) -> bool {
    let is_mark = MARKS.iter().any(|(known, _)| *known == word);
    !is_mark && !is_in("test special magic dunder single new own inherited", word)
}

/// The list and the condition of `which of these classes have async methods?`.
fn condition_of(question: &str) -> Option<(String, String)> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "these")?;
    let head = words.get(..at + 2)?.join(" ");
    Some((head, words[at + 2..].join(" ")))
}

/// The classes of a list that have members of a kind: `have async methods`.
pub(super) fn with_members(
    store: &Store,
    among: &[Entity],
    question: &str,
) -> Result<Option<ChosenOfList>, StoreError> {
    let Some((_, condition)) = condition_of(question) else { return Ok(None) };
    let words = lower_words(&tokens(&condition));
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !is_in("any a an some own", word)).collect();
    let (is_denied, adjectives, noun) = match words.as_slice() {
        ["have" | "has" | "define", "no", adjectives @ .., noun] => (true, adjectives, *noun),
        ["lack" | "lacks", adjectives @ .., noun] => (true, adjectives, *noun),
        ["have" | "has" | "define", adjectives @ .., noun] => (false, adjectives, *noun),
        _ => return Ok(None),
    };
    let marks: Option<Vec<DefinitionMark>> =
        adjectives.iter().map(|word| Some(MARKS.iter().find(|(known, _)| known == word)?.1)).collect();
    let is_of_classes = !among.is_empty() && among.iter().all(|one| one.record.kind == EntityKind::Class);
    let is_kind = is_in("method methods property properties classmethod classmethods staticmethod staticmethods", noun);
    let (Some(mut marks), true) = (marks, is_of_classes && is_kind) else { return Ok(None) };
    match noun.trim_end_matches('s') {
        "classmethod" => marks.push(DefinitionMark::ClassMethod),
        "staticmethod" => marks.push(DefinitionMark::Static),
        _ => {}
    }
    let kind = if noun.starts_with("propert") { EntityKind::Property } else { EntityKind::Method };
    let mut fitting = Vec::new();
    let mut named = Vec::new();
    for class in among {
        let mut members = store.children(class.id)?;
        members.retain(|member| member.record.kind == kind && marks.iter().all(|mark| mark.fits(member)));
        // Setters and overloads are further rows of one member.
        members.dedup_by(|one, other| one.record.name == other.record.name);
        if members.is_empty() != is_denied {
            continue;
        }
        let number = if is_denied { String::new() } else { format!(" ({})", members.len()) };
        named.push(format!("`{}`{number}", class.record.name));
        fitting.push(class.clone());
    }
    let members =
        [adjectives, &[if kind == EntityKind::Property { "properties" } else { "methods" }]].concat().join(" ");
    let no = if is_denied { "no " } else { "" };
    let said = format!(
        "{} {no}{members} of {} own",
        of_these(fitting.len(), among, "has", "have"),
        if fitting.len() == 1 { "its" } else { "their" }
    );
    Ok(Some((fitting, with_names(said, &named))))
}

/// The list without the definitions that a text names: `without Cart and Bag`.
pub(super) fn without_named(among: &[Entity], text: &str) -> Option<ChosenOfList> {
    let words = tokens(text);
    let words: Vec<&Token> = words.iter().skip_while(|token| is_in("and but now", &token.lower())).collect();
    let [first, rest @ ..] = words.as_slice() else { return None };
    if !is_in("without except excluding exclude besides minus ignoring ignore drop skip remove", &first.lower()) {
        return None;
    }
    let names: Vec<&str> =
        rest.iter().filter(|one| !is_in("for and the class", &one.lower())).map(|one| one.word.as_str()).collect();
    let is_it =
        |one: &Entity, name: &str| one.record.name == name || one.record.qualified == name || one.full_name() == name;
    if names.is_empty() || !names.iter().all(|name| among.iter().any(|one| is_it(one, name))) {
        return None;
    }
    let mut left = among.to_vec();
    left.retain(|one| !names.iter().any(|name| is_it(one, name)));
    let be = if left.len() == 1 { "is" } else { "are" };
    let said = format!("{} {be} left without `{}`", count_of(left.len(), among), names.join("` and `"));
    Some((left, said))
}

/// The definitions of exactly the kind of the list, which is no condition on it otherwise: `only functions`.
pub(super) fn of_own_kind(among: &[Entity], question: &str) -> Option<ChosenOfList> {
    let (head, condition) = condition_of(question)?;
    let noun = head.split_whitespace().last()?;
    let kind = match noun {
        "classes" => EntityKind::Class,
        "functions" => EntityKind::Function,
        "methods" => EntityKind::Method,
        "properties" => EntityKind::Property,
        _ => return None,
    };
    if condition != "are of this kind?" {
        return None;
    }
    let mut fitting = among.to_vec();
    fitting.retain(|one| one.record.kind == kind);
    let be = if fitting.len() == 1 { "is" } else { "are" };
    let kind = if fitting.len() == 1 { format!("a {}", kind.as_str()) } else { plural(kind.as_str()) };
    Some((fitting.clone(), format!("{} {be} {kind}", count_of(fitting.len(), among))))
}

/// The files in which the definitions of a list stand: `which files are they in?`.
pub(super) fn files_of(among: &[Entity], text: &str) -> Option<String> {
    let words = lower_words(&tokens(text));
    let words: Vec<&str> = words.iter().map(String::as_str).skip_while(|word| is_in("and but so", word)).collect();
    let is_asked = matches!(
        words.as_slice(),
        ["in", "which" | "what", "files" | "file" | "modules", "are", "they" | "these" | "those", ..]
            | ["which" | "what", "files" | "file" | "modules", "are", "they" | "these" | "those", "in" | "from"]
            | ["where", "are", "they" | "these" | "those"]
            | ["where", "are", "they" | "these" | "those", "defined"]
    );
    if !is_asked || among.is_empty() {
        return None;
    }
    let mut files: Vec<(&str, usize)> = Vec::new();
    for one in among {
        match files.iter_mut().find(|(path, _)| *path == one.path) {
            Some((_, number)) => *number += 1,
            None => files.push((&one.path, 1)),
        }
    }
    let named: Vec<String> = files.iter().map(|(path, number)| format!("{path} ({number})")).collect();
    let (be, all) = (if among.len() == 1 { "is" } else { "are" }, count(among.len(), kind_of_all(among)));
    Some(with_names(format!("these {all} {be} in {}", count(files.len(), "file")), &named))
}

fn of_these(number: usize, among: &[Entity], one: &str, several: &str) -> String {
    format!("{} {}", count_of(number, among), if number == 1 { one } else { several })
}

/// A number of definitions of the list: `2 of these 3 classes`.
fn count_of(number: usize, among: &[Entity]) -> String {
    let none = if number == 0 { "none: " } else { "" };
    format!("{none}{number} of these {}", count(among.len(), kind_of_all(among)))
}

fn with_names(said: String, names: &[String]) -> String {
    if names.is_empty() {
        return said;
    }
    let more = names.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{said}: {}{more}", names[..names.len().min(MAX_NAMED)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EntityKind::*, query::fixture::Fixture};

    fn among() -> (Store, Vec<Entity>) {
        let mut fixture = Fixture::default();
        fixture.file("a.py", "a").entity(Class, "Cart", 1, 9).entity(Method, "Cart._drop", 2, 3);
        fixture.entity(Method, "Cart.add", 4, 5).entity(Class, "Bag", 11, 19).entity(Property, "Bag.size", 12, 13);
        let store = fixture.store();
        let mut found = store.entities_named("Cart", false).expect("a store in memory");
        found.extend(store.entities_named("Bag", false).expect("a store in memory"));
        (store, found)
    }

    #[test]
    fn a_class_is_chosen_by_its_members() {
        let (store, among) = among();
        let ask = |condition: &str| {
            let chosen = with_members(&store, &among, &format!("which of these classes {condition}"));
            chosen.expect("a store in memory").map(|(_, said)| said)
        };
        let said = |text: &str| Some(text.to_owned());
        assert_eq!(
            ask("have private methods?"),
            said("1 of these 2 classes has private methods of its own: `Cart` (1)")
        );
        assert_eq!(ask("have no methods?"), said("1 of these 2 classes has no methods of its own: `Bag`"));
        assert_eq!(ask("have async methods?"), said("none: 0 of these 2 classes have async methods of their own"));
        assert_eq!(ask("have a docstring?"), None);
        let named = with_member_named("which of these classes have a show method?");
        assert_eq!(named.as_deref(), Some("which of these classes define `show`?"));
        assert_eq!(with_member_named("which of these classes have a docstring?"), None);
        assert_eq!(with_member_named("which of these classes have a private method?"), None);
    }

    #[test]
    fn names_and_files_of_a_list_are_told_by_it() {
        let (_, among) = among();
        let left = without_named(&among, "without Cart").map(|(_, said)| said);
        assert_eq!(left.as_deref(), Some("1 of these 2 classes is left without `Cart`"));
        assert_eq!(without_named(&among, "without tests"), None);
        assert_eq!(
            files_of(&among, "which files are they in?").as_deref(),
            Some("these 2 classes are in 1 file: a.py (2)")
        );
        let kind = of_own_kind(&among, "which of these classes are of this kind?").map(|(_, said)| said);
        assert_eq!(kind.as_deref(), Some("2 of these 2 classes are classes"));
    }
}
