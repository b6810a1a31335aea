//! Literals whose name announces a secret, wherever in the statement the name stands.
//!
//! A light scan over names, brackets and strings, not a parser. The name may be a target, a keyword, the key of an
//! entry, another argument, the container around the literal, or the function that returns it. A wrong guess on broken
//! source hides or shows one value: only values that look random are hidden.

use std::{collections::BTreeMap, ops::Range, sync::OnceLock};

use regex::Regex;

use super::{PASSWORD_PAIRS, SecretSpan, compiled, is_by_chance, is_chosen_password, is_random, told_spans};
use crate::texts::source::string_at;

/// The fewest and the most characters of a value that counts.
const SHORTEST_VALUE: usize = 8;
const LONGEST_VALUE: usize = 500;
/// Characters of a literal that may be a name.
const LONGEST_NAME: usize = 60;
/// The longest prefix of a literal: `rb`.
const LONGEST_PREFIX: usize = 2;

/// The head of a function up to the end of its parameters, and the head of a class.
const HEADS: &str =
    r"(?m)^[ \t]*(?:async[ \t]+)?(?:def[ \t]+([A-Za-z0-9_]+)[ \t]*\(([^)]*)|class[ \t]+([A-Za-z0-9_]+))";

/// Whether a name announces a secret, and one that a person chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Announced {
    #[default]
    No,
    Key,
    Password,
}

/// Parts of all names that announce a secret, in lower case: most names have none, and nothing more is done.
const PARTS: [&str; 9] = ["pass", "pwd", "secret", "key", "token", "credential", "webhook", "conn", "pw"];

/// Whether a name announces that its value is a secret: `db_password` and `apiKeys` do, `token_url` does not.
pub(super) fn announced(name: &str) -> Announced {
    const PASSWORDS: [&str; 7] = ["password", "passwords", "passwd", "pwd", "pw", "passphrase", "passcode"];
    const KEYS: [&str; 12] = [
        "secret",
        "secrets",
        "token",
        "tokens",
        "credential",
        "credentials",
        "apikey",
        "apikeys",
        "authkey",
        "accesskey",
        "secretkey",
        "privatekey",
    ];
    const ENDS: [&str; 6] = ["password", "passwd", "secret", "token", "apikey", "passphrase"];
    const OF_KEYS: [&str; 18] = [
        "api",
        "access",
        "private",
        "signing",
        "encryption",
        "client",
        "auth",
        "service",
        "fernet",
        "master",
        "session",
        "hmac",
        "jwt",
        "shared",
        "account",
        "deploy",
        "license",
        "storage",
    ];
    // The value is about a secret and is none.
    const ABOUT: [&str; 26] = [
        "re",
        "regex",
        "regexp",
        "pattern",
        "name",
        "names",
        "url",
        "uri",
        "path",
        "file",
        "class",
        "type",
        "types",
        "chars",
        "alphabet",
        "prefix",
        "suffix",
        "length",
        "header",
        "field",
        "fields",
        "format",
        "template",
        "endpoint",
        "id",
        "algorithm",
    ];
    if name.len() > LONGEST_NAME {
        return Announced::No;
    }
    let lower = name.to_ascii_lowercase();
    if !PARTS.iter().any(|part| lower.contains(part)) {
        return Announced::No;
    }
    let words = words(name);
    let Some((last, before)) = words.split_last() else { return Announced::No };
    let is_of = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let pairs = |second: &[&str], first: &[&str]| {
        words.windows(2).any(|two| first.contains(&two[0].as_str()) && second.contains(&two[1].as_str()))
    };
    if ABOUT.contains(&last.as_str()) && !before.is_empty() {
        return Announced::No;
    }
    if is_of(&PASSWORDS) || !before.is_empty() && matches!(last.as_str(), "pass" | "pw") || last.ends_with("password") {
        return Announced::Password;
    }
    let is_key = is_of(&KEYS)
        || ENDS.iter().any(|end| last.ends_with(end))
        || pairs(&["key", "keys"], &OF_KEYS)
        || pairs(&["string", "str"], &["connection", "conn"])
        || pairs(&["url", "urls"], &["webhook"]);
    if is_key { Announced::Key } else { Announced::No }
}

/// The words of a name in lower case: `apiKey`, `API_KEY` and `X-Api-Key` have `api` and `key`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        let begins = !c.is_ascii_alphanumeric() || c.is_ascii_uppercase() && was_small;
        if begins && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_ascii_alphabetic(), words.last_mut()) {
            word.push(c.to_ascii_lowercase());
        }
        was_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The announcement of a literal that is a name, or several names: `"user,password"`.
fn announced_by_literal(content: &str) -> Announced {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | ' ' | ':' | '/');
    if content.len() > LONGEST_NAME || !content.chars().all(is_part) {
        return Announced::No;
    }
    content.split([',', ' ']).map(announced).max().unwrap_or_default()
}

/// The names between two brackets, or of a statement.
#[derive(Debug, Default)]
struct Bracket {
    /// Announced by what all of it belongs to: `TOKENS = [`.
    container: Announced,
    /// Announced by the function that is called, and by a literal among its arguments.
    callee: Announced,
    said: Announced,
    /// Announced by the name of this entry; `None` where it has no name.
    key: Option<Announced>,
    /// Whether that name says that the value stands for something else's: `default=`.
    is_default: bool,
    is_call: bool,
    argument: usize,
    /// Parameters of the function by position.
    parameters: Option<Vec<Announced>>,
}

impl Bracket {
    /// The announcement of a literal here, and whether its own name makes it.
    fn announces(&self) -> (Announced, bool) {
        let own = self.key.unwrap_or_default();
        let mut around = self.container;
        if self.key.is_none() {
            let parameter = self.parameters.as_ref().and_then(|all| all.get(self.argument));
            around = around.max(self.callee).max(self.said).max(parameter.copied().unwrap_or_default());
        } else if self.is_default {
            around = around.max(self.said);
        }
        (own.max(around), own != Announced::No)
    }
}

/// The secrets among the literals of a text, and those that its literals and comments tell in words.
pub(super) fn named_spans(text: &str) -> Vec<SecretSpan> {
    let mut scan = Scan { text, brackets: vec![Bracket::default()], ..Scan::default() };
    scan.run();
    scan.spans
}

#[derive(Debug, Default)]
struct Scan<'t> {
    text: &'t str,
    brackets: Vec<Bracket>,
    /// Functions and classes around the line: their columns, what they announce, whether one is a class.
    definitions: Vec<(usize, Announced, bool)>,
    /// The announcements of the last name or literal, and of the statement so far.
    last: Announced,
    so_far: Announced,
    last_name: Range<usize>,
    /// Parameters of the functions of this text, read once a call may need them.
    parameters: Option<BTreeMap<&'t str, Vec<Announced>>>,
    spans: Vec<SecretSpan>,
}

impl Scan<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = self.begin_line(0);
        while at < bytes.len() {
            let next = bytes.get(at + 1).copied().unwrap_or_default();
            at = match bytes[at] {
                b'\n' => self.begin_line(at + 1),
                b'\\' => at + 2,
                b'#' => self.comment(at),
                b'"' | b'\'' => self.literal(at),
                b'(' | b'[' | b'{' => self.open(at),
                b')' | b']' | b'}' => self.close(at),
                b'=' | b'!' if next == b'=' => {
                    self.name_entry(self.last);
                    at + 2
                }
                b'<' | b'>' if next == b'=' => at + 2,
                b'=' => {
                    let named = if self.brackets.len() == 1 {
                        self.so_far
                    } else {
                        self.innermost().key.unwrap_or_default().max(self.last)
                    };
                    self.name_entry(named);
                    at + 1
                }
                b':' if self.brackets.len() > 1 || next == b'=' => {
                    self.name_entry(self.last);
                    at + 1 + usize::from(next == b'=')
                }
                b',' => {
                    self.last = Announced::No;
                    if self.brackets.len() > 1 {
                        let bracket = self.innermost();
                        (bracket.key, bracket.is_default) = (None, false);
                        bracket.argument += 1;
                    }
                    at + 1
                }
                b';' if self.brackets.len() == 1 => {
                    self.begin_statement();
                    at + 1
                }
                byte if byte == b'_' || byte.is_ascii_alphabetic() => self.name(at),
                _ => at + 1,
            };
        }
    }

    fn innermost(&mut self) -> &mut Bracket {
        if self.brackets.is_empty() {
            self.brackets.push(Bracket::default());
        }
        self.brackets.last_mut().expect("one was put in where there was none")
    }

    fn name_entry(&mut self, named: Announced) {
        let name = &self.text[self.last_name.clone()];
        let is_default = matches!(name, "default" | "value" | "fallback" | "initial");
        let bracket = self.innermost();
        (bracket.key, bracket.is_default) = (Some(named), is_default);
    }

    fn begin_statement(&mut self) {
        self.brackets.truncate(0);
        self.brackets.push(Bracket::default());
        (self.last, self.so_far) = (Announced::No, Announced::No);
    }

    /// Begins a line; outside of brackets a statement begins too, which ends the definitions that reach less far in.
    fn begin_line(&mut self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at.min(self.text.len())..];
        let column = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if self.brackets.len() <= 1 {
            self.begin_statement();
            if rest.get(column).is_some_and(|byte| !matches!(byte, b'\n' | b'\r' | b'#')) {
                while self.definitions.last().is_some_and(|(of, ..)| *of >= column) {
                    self.definitions.pop();
                }
            }
        }
        at + column
    }

    fn comment(&mut self, at: usize) -> usize {
        let end = self.text[at..].find('\n').map_or(self.text.len(), |length| at + length);
        self.spans.extend(told_spans(&self.text[at..end], at));
        end
    }

    fn name(&mut self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        let end = at + rest.iter().take_while(|byte| **byte == b'_' || byte.is_ascii_alphanumeric()).count();
        let name = &self.text[at..end];
        let next = self.text.as_bytes().get(end);
        if matches!(next, Some(b'"' | b'\'')) {
            let is_prefix = name.len() <= LONGEST_PREFIX && name.bytes().all(|byte| b"rRbBfFuU".contains(&byte));
            // An apostrophe within a word: `don't`.
            return end + usize::from(!is_prefix && next == Some(&b'\''));
        }
        match name {
            "in" => {
                let named = self.last;
                self.name_entry(named);
            }
            "return" | "yield" if self.brackets.len() == 1 => {
                let around = self.definitions.iter().rev().find(|(.., is_class)| !is_class);
                let named = around.map_or(Announced::No, |(_, named, _)| *named);
                self.name_entry(named);
            }
            "def" | "class" if self.brackets.len() == 1 => return self.definition(at, end, name == "class"),
            "or" => {
                let named = self.innermost().key.unwrap_or_default().max(self.last);
                self.name_entry(named);
            }
            "and" | "if" | "else" | "not" | "is" | "await" | "for" | "None" | "True" | "False" => {}
            _ => {
                self.last = announced(name);
                self.so_far = self.so_far.max(self.last);
                self.last_name = at..end;
            }
        }
        end
    }

    fn definition(&mut self, at: usize, end: usize, is_class: bool) -> usize {
        let rest = &self.text[end..];
        let from = end + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let to = self.text[from..].find(|c| !is_part(c)).map_or(self.text.len(), |length| from + length);
        let begin = self.text[..at].rfind('\n').map_or(0, |line| line + 1);
        let line = &self.text[begin..at];
        let column = line.len() - line.trim_start_matches([' ', '\t']).len();
        self.definitions.push((column, announced(&self.text[from..to]), is_class));
        self.last = Announced::No;
        self.last_name = from..to;
        to
    }

    fn literal(&mut self, at: usize) -> usize {
        let Some(found) = string_at(&self.text[at..]) else { return at + 1 };
        let range = at + found.quote..at + found.whole - found.closing;
        let content = &self.text[range.clone()];
        let is_value =
            (SHORTEST_VALUE..=LONGEST_VALUE).contains(&content.len()) && !content.contains(char::is_whitespace);
        if is_value {
            let (mut named, is_own) = self.innermost().announces();
            let of_class = self.definitions.last().filter(|(.., is_class)| *is_class && self.brackets.len() == 1);
            if let (Some((_, of_class, _)), Some(_)) = (of_class, self.brackets.last().and_then(|one| one.key)) {
                named = named.max(*of_class);
            }
            if is_secret(content, named, is_own) {
                self.spans.push((range.start, range.end, "assigned_secret"));
            }
        }
        self.spans.extend(told_spans(content, range.start));
        self.last = announced_by_literal(content);
        self.so_far = self.so_far.max(self.last);
        let said = self.last;
        let bracket = self.innermost();
        // The key of an entry says nothing about the next one.
        if bracket.is_call && bracket.key.is_none() {
            bracket.said = bracket.said.max(said);
        }
        at + found.whole.max(1)
    }

    fn open(&mut self, at: usize) -> usize {
        let is_behind_name = self.last_name.end == at && at > 0;
        let is_round = self.text.as_bytes()[at] == b'(';
        let is_call = is_round && is_behind_name;
        let callee = if is_call { self.last } else { Announced::No };
        let name = self.last_name.clone();
        let outer = self.innermost();
        let mut container = outer.container.max(outer.key.unwrap_or_default());
        if !is_call && outer.key.is_none() {
            container = container.max(outer.callee).max(outer.said);
        }
        // An index is no value: `tokens["name"]`.
        if !is_round && is_behind_name {
            container = Announced::No;
        }
        let parameters = if is_call { self.parameters_of(name) } else { None };
        self.brackets.push(Bracket { container, callee, is_call, parameters, ..Bracket::default() });
        self.last = Announced::No;
        at + 1
    }

    fn close(&mut self, at: usize) -> usize {
        if self.brackets.len() > 1 {
            let closed = self.brackets.pop().unwrap_or_default();
            // A subscript has told its name: `environ["TOKEN"] = …`.
            if self.text.as_bytes()[at] == b')' {
                self.last = closed.callee.max(closed.said);
            }
        }
        at + 1
    }

    /// Announcements of the parameters of a function or class of this text, without `self`.
    fn parameters_of(&mut self, name: Range<usize>) -> Option<Vec<Announced>> {
        let known = self.parameters.get_or_insert_with(|| parameters(self.text));
        known.get(&self.text[name]).cloned()
    }
}

/// The parameters that announce a secret, by function; those of a constructor by class.
fn parameters(text: &str) -> BTreeMap<&str, Vec<Announced>> {
    static KEPT: OnceLock<Regex> = OnceLock::new();
    let (mut all, mut class) = (BTreeMap::new(), "");
    for head in compiled(HEADS, &KEPT).captures_iter(text) {
        if let Some(name) = head.get(3) {
            class = name.as_str();
            continue;
        }
        let (Some(name), Some(parameters)) = (head.get(1), head.get(2)) else { continue };
        let names = parameters.as_str().split(',').map(|one| one.split([':', '=']).next().unwrap_or_default().trim());
        let named: Vec<Announced> = names.filter(|name| !matches!(*name, "self" | "cls")).map(announced).collect();
        if named.iter().all(|one| *one == Announced::No) {
            continue;
        }
        all.insert(if name.as_str() == "__init__" { class } else { name.as_str() }, named);
    }
    all
}

/// Whether a value is a secret under this announcement. A chosen password needs a name of its own: among other words it
/// may be any word with a digit.
fn is_secret(value: &str, named: Announced, is_own: bool) -> bool {
    match named {
        Announced::No => false,
        Announced::Password => {
            is_random(value) || is_own && is_chosen_password(value) || is_by_chance(value, PASSWORD_PAIRS)
        }
        Announced::Key => is_random(value) || is_by_chance(value, super::KEY_PAIRS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that look random, none of them a key.
    const V: &str = "Kd83jfLs92mQpXz7";
    const W: &str = "9tRq4Zb71nVcYh2w";

    fn shown(text: &str) -> String {
        let (mut clean, mut end) = (String::new(), 0);
        let mut spans = named_spans(text);
        spans.sort_unstable();
        for (start, stop, _) in spans.into_iter().filter(|span| span.0 < span.1) {
            if start < end {
                continue;
            }
            clean += &text[end..start];
            clean += "***";
            end = stop;
        }
        clean + &text[end..]
    }

    #[test]
    fn a_name_anywhere_in_the_statement_hides_the_value() {
        for line in [
            "user, password = \"bob\", \"V\"",
            "admin_password = (\n    \"V\"\n)",
            "password = '''V'''",
            "password = password or \"V\"",
            "secret = SECRET if True else \"V\"",
            "API_KEYS = [\"V\", \"W\"]",
            "tokens = {\n    \"prod\": \"V\",\n    \"dev\": \"W\",\n}",
            "x = {\n    \"token\": \"V\",\n}",
            "x = os.environ.get(\"X_TOKEN\", \"V\")",
            "x = os.environ.get(\"X_TOKEN\") or \"V\"",
            "os.environ[\"X_TOKEN\"] = \"V\"",
            "parser.add_argument(\"--password\", help=\"it\", default=\"V\")",
            "def get_password():\n    return \"V\"",
            "@property\ndef api_key(self) -> str:\n    \"\"\"The key.\"\"\"\n    return \"V\"",
            "dict(user=\"bob\", password=b\"V\")",
            "setattr(s, \"password\", \"V\")",
            "if token == \"V\":\n    pass",
            "if self.token in (\"V\", \"W\"):",
            "assert settings[\"api_key\"] != \"V\"",
            "client_secret = \"%s\" % \"V\"",
            "@parametrize(\"user, password\", [(\"bob\", \"V\")])",
            "raise ValueError(\"bad login, password=V\")",
            "# connects with --token V today",
            "db_pass = \"V\"",
            "login = lambda name, password=\"V\": name",
            "class Secrets:\n    MAIN = \"V\"",
            "def connect(host, password):\n    return host\n\nconnect(\"h\", \"V\")",
            "class C:\n    def __init__(self, host: str, token: str = None):\n        pass\n\nC(\"h\", \"V\")",
        ] {
            let text = line.replace("\"V\"", &format!("\"{V}\"")).replace("'V'", &format!("'{V}'"));
            let text = text
                .replace("=V", &format!("={V}"))
                .replace(" V ", &format!(" {V} "))
                .replace("\"W\"", &format!("\"{W}\""));
            let clean = shown(&text);
            assert!(!clean.contains(V) && !clean.contains(W) && clean.contains("***"), "{clean}");
        }
    }

    #[test]
    fn other_values_and_ordinary_words_stay() {
        for line in [
            "x = {\"token\": None, \"commit\": \"V\"}",
            "connect(password=\"hello\", commit=\"V\")",
            "token_url = \"V\"",
            "TOKEN_RE = r\"[A-Za-z0-9_]{20,}\"",
            "password = input(\"user2_name\")",
            "password = os.environ[\"DB_PASSWORD_2\"]",
            "def check_password(password, encoded):\n    return x\n\ncommit = \"V\"",
            "def f():\n    return \"V\"",
            "tokens[\"V\"].name = 1",
            "password = form[\"password\"]\ncommit = \"V\"",
            "if token:\n    commit = \"V\"",
            "# The password is checked by hashlib.",
            "raise ValueError(\"the token must be a string\")",
            "don't = \"V\"",
        ] {
            let text = line.replace("\"V\"", &format!("\"{V}\""));
            assert_eq!(shown(&text), text);
        }
    }

    #[test]
    fn broken_source_is_no_error() {
        for text in ["", "(", ")", "]]", "'", "\"\"\"", "\\", "x = (", "def", "class", "password = \"", "é'é", "#"] {
            named_spans(text);
        }
    }
}
