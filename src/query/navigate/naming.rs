//! Whether the source spells the name of a definition where it refers to it.
//!
//! A reference reaches its target through its name, or through an alias, a callback, a wrapper, an operator or `cls()`.
//! A rename edits the places of the first kind; the others depend on the definition all the same.

use crate::{
    model::{Basis, RelationshipKind, conventions::is_constructor},
    query::source::Sources,
};

/// The parts of a relationship that decide whether it spells its target.
#[derive(Clone, Copy, Debug)]
pub struct MentionSite<'a> {
    pub kind: RelationshipKind,
    pub basis: Basis,
    /// Full name of the target.
    pub target: &'a str,
    pub path: &'a str,
    pub line: u32,
    /// In bytes, 0-based.
    pub column: u32,
}

/// Whether the target's name stands at the place; for a constructor the name of the class counts too. Imports,
/// overrides and fixtures spell it in their own way, and a string anywhere in its line. A file that cannot be read
/// counts as spelling it.
pub fn is_named(sources: &Sources, mention: &MentionSite) -> bool {
    if mention.basis == Basis::Text && !mention.kind.spells_its_name() {
        let is_part = |character: char| character == '_' || character.is_alphanumeric();
        let has_name = |line: String| line.split(|c| !is_part(c)).any(|word| names(word, mention.target));
        return sources.line(mention.path, mention.line).is_none_or(has_name);
    }
    mention.kind.spells_its_name()
        || sources.word(mention.path, mention.line, mention.column).is_none_or(|word| names(&word, mention.target))
}

/// The identifier at the place, if it is the target's name.
pub fn named_word(sources: &Sources, mention: &MentionSite) -> Option<String> {
    sources.word(mention.path, mention.line, mention.column).filter(|word| names(word, mention.target))
}

/// Whether a word is the last part of a full name, or that of the class for a constructor.
fn names(word: &str, target: &str) -> bool {
    let mut parts = target.rsplit('.');
    let name = parts.next().and_then(|part| part.split('@').next()).unwrap_or_default();
    word == name || (is_constructor(name) && parts.next().is_some_and(|class| word == class))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, target: &str) -> bool {
        let column = u32::try_from(line.find('^').expect("a mark")).expect("short");
        let text = line.replacen('^', "", 1);
        let sources = Sources::new(move |_| Some(text.clone().into_bytes()));
        let (kind, basis) = (RelationshipKind::Calls, Basis::Stored);
        is_named(&sources, &MentionSite { kind, basis, target, path: "a.py", line: 1, column })
    }

    #[test]
    fn a_call_names_what_is_written_there() {
        assert!(check("client.^send(x)", "shop.Client.send"));
        assert!(check("client.^send(x)", "shop.Client.send@2"));
        assert!(check("shop.^Client()", "shop.Client.__init__"));
        assert!(!check("^callback(x)", "shop.Client.send"));
        assert!(!check("^alias.send", "shop.Client"));
        assert!(!check("^cls()", "shop.Client.__init__"));
        assert!(!check("^left + right", "shop.Money.__add__"));
    }
}
