//! A key that cannot be printed by accident.

use std::fmt;

/// A provider's key.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key without the white space around it; `None` if nothing remains or a header cannot hold it.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_usable = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
        is_usable.then(|| Self(text.to_owned()))
    }

    /// The characters, for a header.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// `text` without the key, which a server might repeat.
    pub fn hidden_in(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_does_not_show() {
        let key = ApiKey::new(" abc123\n").unwrap();
        assert_eq!(format!("{key:?}"), "Key(…)");
        assert_eq!(key.hidden_in("bad key abc123!"), "bad key [key]!");
        assert!(ApiKey::new("  ").is_none() && ApiKey::new("a\r\nX-Evil: 1").is_none());
    }
}
