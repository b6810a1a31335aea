//! Likeness between the name of a receiver and the words of a class's or a module's name: `cart` and `Cart`.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// Its name is the owner's: `http_client` for `HttpClient`.
    Same,
    /// Its name is part of the owner's, or the other way round: `client` for `HttpClient`.
    Alike,
    Other,
}

impl Likeness {
    /// The likeness between a receiver's name and the name of the owner of a definition.
    pub(crate) fn of(receiver: &str, owner: &[String]) -> Self {
        let receiver = words(receiver);
        if receiver.is_empty() || owner.is_empty() {
            Self::Other
        } else if receiver == owner {
            Self::Same
        } else if owner.ends_with(&receiver) || receiver.ends_with(owner) {
            Self::Alike
        } else {
            Self::Other
        }
    }
}

/// The lower-case words of a name: `HTTPClient2` and `_http_client2` are both `http client2`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let characters: Vec<char> = name.chars().collect();
    for (at, c) in characters.iter().enumerate() {
        if *c == '_' {
            words.push(String::new());
            continue;
        }
        let before = at.checked_sub(1).map(|at| characters[at]);
        let starts_word = c.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit())
                || (before.is_some_and(char::is_uppercase)
                    && characters.get(at + 1).is_some_and(|next| next.is_lowercase())));
        if starts_word || words.is_empty() {
            words.push(String::new());
        }
        words.last_mut().expect("one was just added").extend(c.to_lowercase());
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_name() {
        assert_eq!(words("HTTPClient"), ["http", "client"]);
        assert_eq!(words("_http_client"), ["http", "client"]);
        assert_eq!(words("HTTP1Client"), ["http1", "client"]);
    }
}
