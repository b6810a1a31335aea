//! A long text by its parts: an issue, a log, a mail with a traceback.
//!
//! - *title*: the first line with text; of a bare traceback, its last line
//! - *code*: fenced and indented lines, and those that begin with a prompt such as `>>>`
//! - *prose*: all other lines
//! - *names*: words that are written like code, dotted ones among them, and texts between backticks
//! - *paths*: names of files, with the folders that stand before them
//! - *frames*: the paths of a traceback
//! - *messages*: texts of errors, and longer texts between quotes
//!
//! The reader knows no repository: others look up the paths, names and messages.

/// The parts of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LongText {
    pub title: String,
    pub prose: String,
    pub code: String,
    /// Each once, separated by spaces.
    pub names: String,
    /// With forward slashes; each once.
    pub paths: Vec<String>,
    pub frames: Vec<String>,
    pub messages: Vec<String>,
}

/// A text with fewer words, or with one line alone, is a plain question.
const LEAST_WORDS: usize = 20;
/// Letters of a message; shorter ones stand in many places.
const LEAST_MESSAGE: usize = 12;
const MOST_MESSAGE: usize = 200;
/// The most of each list; a log repeats itself.
const MOST: usize = 40;

impl LongText {
    /// Reads a text of any length.
    pub fn of(text: &str) -> LongText {
        let mut parts = LongText { title: title(text).to_owned(), ..LongText::default() };
        let mut is_fenced = false;
        let mut names = Vec::new();
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                is_fenced = !is_fenced;
                continue;
            }
            let part = if is_fenced || is_code(line) { &mut parts.code } else { &mut parts.prose };
            part.push_str(line);
            part.push('\n');
            names_of(line, &mut names);
            if let Some(path) = frame(line) {
                add(&mut parts.frames, path);
            }
            for path in paths_of(line) {
                add(&mut parts.paths, path);
            }
            for message in messages_of(line) {
                add(&mut parts.messages, message.to_owned());
            }
        }
        parts.names = names.join(" ");
        parts
    }

    /// The parts of a text that is more than a question.
    pub fn if_long(text: &str) -> Option<LongText> {
        let lines = text.lines().filter(|line| !line.trim().is_empty()).take(2).count();
        (lines > 1 && text.split_whitespace().nth(LEAST_WORDS - 1).is_some()).then(|| LongText::of(text))
    }
}

/// Adds a text that is not there yet.
fn add(list: &mut Vec<String>, text: String) {
    if list.len() < MOST && !list.contains(&text) {
        list.push(text);
    }
}

fn title(text: &str) -> &str {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    if !first.starts_with("Traceback (") {
        return first.trim_start_matches('#').trim_start();
    }
    text.lines().map(str::trim).rfind(|line| error(line).is_some()).unwrap_or(first)
}

/// Whether a line is code by its form alone.
fn is_code(line: &str) -> bool {
    let text = line.trim_start();
    line.starts_with("    ")
        || line.starts_with('\t')
        || [">>>", "...", "In [", "Out[", "File \""].iter().any(|start| text.starts_with(start))
}

/// The path of a traceback's line: `File "a/b.py", line 3` or `a/b.py:3: in f`.
fn frame(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some((path, _)) = line.strip_prefix("File \"").and_then(|rest| rest.split_once("\", line ")) {
        return Some(slashed(path));
    }
    let (path, rest) = line.split_once(".py:")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_frame = digits > 0 && rest[digits..].starts_with(':') && !path.contains(char::is_whitespace);
    is_frame.then(|| slashed(&format!("{path}.py")))
}

/// The paths of files in a line.
fn paths_of(line: &str) -> impl Iterator<Item = String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '\\' | '-');
    let words = line.split(move |c| !is_part(c)).map(|word| word.trim_matches('.'));
    let is_path = |word: &&str| {
        let Some((stem, ending)) = word.rsplit_once('.') else { return false };
        let is_file = matches!(ending, "py" | "pyi" | "ipynb" | "rst" | "md" | "txt" | "toml" | "cfg" | "ini");
        is_file && stem.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    };
    words.filter(is_path).map(slashed)
}

fn slashed(path: &str) -> String {
    path.replace('\\', "/").trim_start_matches(['.', '/']).to_owned()
}

/// Adds the names of a line: between backticks, dotted, with underscores, or with capitals inside.
fn names_of(line: &str, names: &mut Vec<String>) {
    for quoted in line.split('`').skip(1).step_by(2).filter(|quoted| !quoted.is_empty()) {
        push(names, quoted);
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    for word in line.split(|c| !is_part(c)).map(|word| word.trim_matches('.')) {
        let inner = word.trim_matches('_');
        let has_hump =
            || inner.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
        let is_name =
            inner.contains('_') || word.len() > inner.len() && !inner.is_empty() || inner.contains('.') || has_hump();
        if is_name && !word.starts_with(char::is_numeric) {
            push(names, word);
        }
    }
}

/// Adds a name that is not there yet; a log repeats its names.
fn push(names: &mut Vec<String>, name: &str) {
    const MOST_NAMES: usize = 400;
    if names.len() < MOST_NAMES && !names.iter().any(|other| other == name) {
        names.push(name.to_owned());
    }
}

/// The text behind the name of an error: `ValueError: no such cart`.
fn error(line: &str) -> Option<&str> {
    ["Error", "Exception", "Warning"].iter().find_map(|kind| {
        let (before, rest) = line.split_once(kind)?;
        let is_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let text = rest.strip_prefix([':', '('])?.trim().trim_matches(['"', '\'', '`']);
        (is_name && text.len() >= LEAST_MESSAGE).then_some(text)
    })
}

/// The texts of a line that may stand in the source as they are.
fn messages_of(line: &str) -> impl Iterator<Item = &str> {
    let quoted = ['"', '\'', '`'].into_iter().flat_map(move |quote| line.split(quote).skip(1).step_by(2));
    let quoted = quoted.filter(|text| text.split_whitespace().count() > 2);
    let fits = |text: &&str| (LEAST_MESSAGE..=MOST_MESSAGE).contains(&text.len());
    error(line).into_iter().chain(quoted).filter(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUE: &str = "# Cart.total is wrong for `round_price`

When I call round_price in shop/money.py the sum is off.

```python
from shop import Cart
```

Traceback (most recent call last):
  File \"/home/me\\shop/cart.py\", line 12, in total
    raise ValueError('no price')
ValueError: a cart needs one price at least
";

    #[test]
    fn an_issue_has_its_parts() {
        let text = LongText::if_long(ISSUE).unwrap();
        assert_eq!(text.title, "Cart.total is wrong for `round_price`");
        assert_eq!(
            text.code,
            "from shop import Cart\n  File \"/home/me\\shop/cart.py\", line 12, in total\n    raise ValueError('no price')\n"
        );
        assert!(text.prose.contains("the sum is off") && !text.prose.contains("import"));
        assert_eq!(text.names, "round_price Cart.total money.py cart.py ValueError");
        assert_eq!(text.paths, ["shop/money.py", "home/me/shop/cart.py"]);
        assert_eq!(text.frames, ["home/me/shop/cart.py"]);
        assert_eq!(text.messages, ["a cart needs one price at least"]);
    }

    #[test]
    fn a_bare_traceback_is_called_like_its_error() {
        let text =
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'not in the catalog'\n";
        assert_eq!(LongText::of(text).title, "KeyError: 'not in the catalog'");
        assert_eq!(LongText::of("tests/test_a.py:3: in test_total").frames, ["tests/test_a.py"]);
        assert_eq!(LongText::of("\n \n"), LongText { prose: "\n \n".to_owned(), ..LongText::default() });
    }

    #[test]
    fn a_question_is_not_long() {
        assert_eq!(LongText::if_long("how is a cart priced?\nplease"), None);
        assert_eq!(LongText::if_long(&"word ".repeat(50)), None);
        assert!(LongText::if_long(&"some word\n".repeat(10)).is_some());
    }
}
