//! Finds texts in a question that stand in the source as they are: messages, settings, frames of a traceback.

use serde::Serialize;

use crate::ask::reading::words::{ParsedQuestion, Shape};

/// Words of a message that are compared.
const MAX_WORDS: usize = 60;
/// Frames of a traceback that are looked up.
const MAX_FRAMES: usize = 60;
/// A shorter name in capitals is an abbreviation.
const SHORTEST_SETTING: usize = 4;
/// Words with which a question begins.
const ASKING: &str = "who what which where when why how is are does do can could should will would";
/// Words of a text that is shown behind a colon.
const LEAST_SHOWN: usize = 4;
/// Words beside a text that the program compares: `the page-read event`.
const KEYS: &str = "event events signal signals hook hooks key option header setting command message marker";

/// A text that may stand in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Literal {
    pub text: String,
    /// A sentence, in which values may be filled in; otherwise one word.
    pub is_message: bool,
}

/// One frame of a traceback.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TracebackFrame {
    pub path: String,
    pub line: u32,
    pub function: String,
    /// The line of code, where the traceback shows it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// The frames of a pasted traceback, outermost first.
pub fn frames(text: &str) -> Vec<TracebackFrame> {
    let is_frame = |line: &str| line.trim_start().starts_with("File \"");
    let frame = |(at, line): (usize, &str)| {
        let (path, rest) = line.split_once("File \"")?.1.split_once("\", line ")?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let function =
            rest[digits..].trim().strip_prefix(", in ").or_else(|| rest[digits..].trim().strip_prefix("in "));
        let path = path.replace('\\', "/");
        // The code is indented deeper than the line that names the file.
        let indent = |line: &str| line.len() - line.trim_start().len();
        let next = text.lines().nth(at + 1).filter(|next| !is_frame(next) && indent(next) > indent(line));
        Some(TracebackFrame {
            path,
            line: rest[..digits].parse().ok()?,
            function: function.unwrap_or_default().trim().to_owned(),
            source: next.unwrap_or_default().trim().to_owned(),
        })
    };
    let mut frames: Vec<TracebackFrame> = text.lines().enumerate().filter_map(frame).collect();
    let surplus = frames.len().saturating_sub(MAX_FRAMES);
    frames.drain(..surplus);
    frames
}

/// The first place in a traceback of another language: `Bar.java:12`, `main.go:7`, `index.js:3`.
pub fn foreign_frame(text: &str) -> Option<&str> {
    const ENDINGS: [&str; 12] =
        [".java", ".kt", ".go", ".js", ".ts", ".tsx", ".rb", ".rs", ".cs", ".php", ".cpp", ".swift"];
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '\'' | ','));
    words.map(|word| word.trim_end_matches(':')).find(|word| {
        let Some((path, line)) = word.split_once(':') else { return false };
        ENDINGS.iter().any(|ending| path.ends_with(ending)) && line.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The messages of `text` and its words that look like settings. `unknown` are its names without a definition.
pub fn literals(text: &str, question: &ParsedQuestion, unknown: &[String]) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut add = |text: &str, is_message: bool| {
        let text = text.trim().trim_matches(['"', '\'', '`', '“', '”']).trim();
        let literal = Literal { text: text.to_owned(), is_message };
        // A quoted message with its `error:` before it is one message.
        let is_part = |known: &Literal| is_message && known.is_message && text.contains(&known.text);
        if !text.is_empty() && !found.contains(&literal) && !found.iter().any(is_part) {
            found.push(literal);
        }
    };
    for line in text.lines() {
        if let Some(message) = message_of(line) {
            add(message, true);
        }
    }
    for (_, quote) in &question.quotes {
        // Code is no message: it is found where it stands as it is.
        let is_code = quote.contains(['=', '(', ')', ';']);
        let is_word = !quote.trim().contains(char::is_whitespace);
        add(quote, !is_code && !is_word && message_words(quote).len() > 1);
    }
    let is_near = |at: usize, known: &str| {
        let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| question.words.get(at));
        near.into_iter().any(|word| known.split(' ').any(|known| known == word.lower()))
    };
    for (at, word) in question.words.iter().enumerate() {
        let name = word.text.trim_start_matches('$').trim_end_matches("()");
        let is_setting = name.len() >= SHORTEST_SETTING
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            && name.chars().any(|c| c.is_ascii_uppercase());
        let is_header =
            name.contains('-') && name.split('-').all(|part| part.starts_with(|c: char| c.is_ascii_uppercase()));
        // `the doctree-read event`: the word beside it says that it is a key.
        let is_key = name.contains('-')
            && name.split(['-', '.']).all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase()))
            && is_near(at, KEYS);
        // `the 404 response`: a status, or another number that the program compares.
        let argument = word.value.as_ref().filter(|_| word.is_quoted).map(|value| format!("{name}={value}"));
        if let Some(argument) = &argument {
            add(argument, false);
            continue;
        }
        let is_number = name.len() == 3 && name.chars().all(|c| c.is_ascii_digit());
        if is_number
            || (is_setting && name.contains('_'))
            || is_header
            || is_key
            || (word.is_quoted && word.shape == Shape::Plain)
        {
            add(name, false);
        }
    }
    // `$EDITOR`: the sign is not part of a word.
    for (at, _) in text.match_indices('$') {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if end >= SHORTEST_SETTING {
            add(&rest[..end], false);
        }
    }
    for (at, _) in text.match_indices(" --") {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
        if end >= SHORTEST_SETTING {
            add(&rest[..end], false);
        }
    }
    // A letter stands for any name: `the function f`.
    for name in unknown.iter().filter(|name| name.chars().count() > 1) {
        add(name, false);
    }
    found
}

/// The message in `SomeError: message` or `error: message`.
fn message_of(line: &str) -> Option<&str> {
    let at = line.match_indices(": ").map(|(at, _)| at).find(|at| {
        let before = line[..*at].rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let lower = before.to_lowercase();
        ["error", "exception", "warning"].iter().any(|ending| lower.ends_with(ending))
            || open_quote(&line[..*at]).is_none() && is_shown(&lower, &line[at + 2..])
            || is_raised(&line[..*at], &line[at + 2..])
    })?;
    let message = &line[at + 2..];
    // A message in quotes ends with them.
    let message = match open_quote(&line[..at]) {
        Some(quote) => message.split(quote).next().unwrap_or(message),
        None => message,
    };
    let ends = [" -- ", " <- ", " -> "];
    let message = ends.iter().fold(message, |message, end| message.split(end).next().unwrap_or(message)).trim();
    (message_words(message).len() > 1).then_some(message)
}

/// Whether words, in lower case, begin a question, or are none.
fn asks(words: &[String]) -> bool {
    words.first().is_none_or(|first| ASKING.split(' ').any(|word| word == first))
}

/// Whether a word before a colon says that something is shown as it stands: `my log says: …`.
fn is_shown(word: &str, text: &str) -> bool {
    const SHOWING: &str = "says said prints printed shows logs log stderr stdout";
    let words = message_words(text);
    SHOWING.split(' ').any(|known| known == word) && words.len() >= LEAST_SHOWN && !asks(&words)
}

/// Whether a line begins like the end of a traceback: the dotted name of a class, then a sentence that asks nothing.
fn is_raised(name: &str, message: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_camel = last.starts_with(char::is_uppercase) && last.chars().skip(1).any(char::is_uppercase);
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let words = message_words(message);
    let least = if name.contains('.') { 3 } else { 5 };
    is_name && is_camel && last.contains(char::is_lowercase) && words.len() >= least && !asks(&words)
}

/// The quote that begins a word in `text` and is not closed there.
fn open_quote(text: &str) -> Option<char> {
    let begins = |at: usize| text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
    ['"', '\'', '`'].into_iter().find(|quote| {
        let opening = text.rmatch_indices(*quote).next().map(|(at, _)| at);
        opening.is_some_and(begins)
    })
}

/// The words of a message in lower case, as they are compared with the source.
pub fn message_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    words.take(MAX_WORDS).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        literals(text, &ParsedQuestion::parse(text), &[]).into_iter().map(|literal| literal.text).collect()
    }

    #[test]
    fn messages_and_settings_are_found() {
        assert_eq!(texts("fix this bug: TypeError: The view did not return"), ["The view did not return"]);
        assert_eq!(texts("error: Invalid hash method 'x'. -- where is that?"), ["Invalid hash method 'x'."]);
        assert_eq!(texts("says 'No adapters were found for' why"), ["No adapters were found for"]);
        assert_eq!(texts("where is FLASK_DEBUG read, or $EDITOR"), ["FLASK_DEBUG", "EDITOR"]);
        assert_eq!(texts("the Proxy-Authorization header and the --host option"), ["Proxy-Authorization", "--host"]);
        assert_eq!(texts("where is \"error: cannot format\" printed"), ["cannot format"]);
        assert_eq!(texts("pkg.InvalidName: the name must be short <- who says so"), ["the name must be short"]);
        assert_eq!(texts("pkg.InvalidName: which functions raise it"), Vec::<String>::new());
        assert_eq!(texts("config key pool.memory.max-spill, who reads it"), ["pool.memory.max-spill"]);
        assert_eq!(texts("what is this"), Vec::<String>::new());
    }

    #[test]
    fn frames_are_found_in_a_traceback_or_half_of_one() {
        let text = "it fails\n  File \"a/b.py\", line 12, in run\n    go()\n  File \"C:\\x\\c.py\", line 3\nE: no";
        let found: Vec<String> =
            frames(text).iter().map(|f| format!("{}:{} {} {}", f.path, f.line, f.function, f.source)).collect();
        assert_eq!(found, ["a/b.py:12 run go()", "C:/x/c.py:3  "]);
        assert!(frames("File \"x, line").is_empty());
    }
}
