//! A question as words between white space, each apart from the signs around it, so that a word can be replaced and the
//! rest stays as it was typed.

/// A word and the signs before and behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) before: String,
    pub(super) word: String,
    pub(super) behind: String,
}

impl Token {
    pub(super) fn lower(&self) -> String {
        self.word.to_lowercase().replace('’', "'")
    }

    /// Whether the word is written as only names are: `a_b`, `A.b`, `HTTPError`, `f()`.
    pub(super) fn looks_like_name(&self) -> bool {
        let inner = self.word.char_indices().skip(1);
        let has_capital = inner.into_iter().any(|(_, c)| c.is_uppercase());
        self.before.contains('`') || self.behind.starts_with("()") || self.word.contains(['_', '.']) || has_capital
    }

    /// Whether a clause ends behind the word.
    pub(super) fn ends_clause(&self) -> bool {
        self.behind.contains([',', ';', ':', '?', '!']) || self.behind.contains('.')
    }
}

/// Takes a text apart.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '’' | '/' | '#');
    let token = |raw: &str| {
        let start = raw.find(is_part).unwrap_or(raw.len());
        let end = raw.rfind(is_part).map_or(raw.len(), |at| at + raw[at..].chars().next().map_or(1, char::len_utf8));
        Token { before: raw[..start].to_owned(), word: raw[start..end].to_owned(), behind: raw[end..].to_owned() }
    };
    text.split_whitespace().map(token).collect()
}

/// Puts a text together again.
pub(super) fn joined(tokens: &[Token]) -> String {
    let words: Vec<String> =
        tokens.iter().map(|token| format!("{}{}{}", token.before, token.word, token.behind)).collect();
    words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words in lower case.
pub(super) fn lower_words(tokens: &[Token]) -> Vec<String> {
    tokens.iter().map(Token::lower).filter(|word| !word.is_empty()).collect()
}
