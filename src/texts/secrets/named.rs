//! Literals whose name announces a secret, wherever in the statement the name stands.
//!
//! A light scan over names, brackets and strings, not a parser. The name may be a target, a keyword, the key of an
//! entry, another argument, the container around the literal, or the function that returns it. A value that cannot be a
//! word needs only stand in one statement with such a name, unless an entry has another name for it. A wrong guess on
//! broken source hides or shows one value: only values that look random are hidden.

use std::{collections::BTreeMap, ops::Range, sync::OnceLock};

use regex::Regex;

use super::{
    PASSWORD_PAIRS, SecretSpan, compiled, is_by_chance, is_chosen_password, is_random,
    told::{hints, told_spans, unmistakable_runs},
};
use crate::texts::source::string_at;

/// The fewest and the most characters of a value that counts.
const SHORTEST_VALUE: usize = 8;
const LONGEST_VALUE: usize = 500;
/// Characters of a literal that may be a name.
const LONGEST_NAME: usize = 60;
/// The longest prefix of a literal: `rb`.
const LONGEST_PREFIX: usize = 2;

/// The head of a function up to the end of its parameters, the head of a class, a field of one, and a tuple with names.
const HEADS: &str = r#"(?m)^[ \t]*(?:(?:async[ \t]+)?def[ \t]+([A-Za-z0-9_]+)[ \t]*\(([^)]*)|class[ \t]+([A-Za-z0-9_]+)|([A-Za-z0-9_]+)[ \t]*:[ \t]*[A-Za-z\"']|([A-Za-z0-9_]+)[ \t]*=[ \t]*[a-z.]*namedtuple\([^,]*,([^)]*))"#;

/// Whether a name announces a secret, and one that a person chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Announced {
    #[default]
    No,
    Key,
    Password,
}

/// Parts of all names that announce a secret, in lower case: most names have none, and nothing more is done.
const PARTS: [&str; 9] = ["pass", "pw", "secret", "key", "token", "credential", "webhook", "conn", "authorization"];

/// Whether a name announces that its value is a secret: `db_password` and `apiKeys` do, `token_url` does not.
pub(super) fn announced(name: &str) -> Announced {
    const PASSWORDS: [&str; 6] = ["password", "passwd", "pwd", "pw", "passphrase", "passcode"];
    const KEYS: [&str; 9] =
        ["secret", "token", "credential", "apikey", "authorization", "authkey", "accesskey", "secretkey", "privatekey"];
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
    let singular = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    let is_of = |known: &[&str]| {
        words.iter().any(|word| known.contains(&word.as_str()) || known.contains(&singular(word).as_str()))
    };
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
        || ENDS.iter().any(|end| singular(last).ends_with(end))
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
    is_index: bool,
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
    Scan { text, ..Scan::default() }.run()
}

/// The part of a statement in which one name governs every value that cannot be a word: all of it, but for the entries
/// that have other names.
#[derive(Debug, Default)]
struct NameScope {
    /// Brackets around it.
    depth: usize,
    announces: bool,
    literals: Vec<Range<usize>>,
}

/// A key of an entry that names a password; anywhere else this word says that something passes.
const KEY_OF_PASSWORD: &str = "pass";

/// The head of a block around a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    Function,
    Class,
    /// `match token:`
    Match,
}

#[derive(Debug, Default)]
struct Scan<'t> {
    text: &'t str,
    brackets: Vec<Bracket>,
    scopes: Vec<NameScope>,
    /// Blocks around the line: their columns and what they announce.
    blocks: Vec<(usize, Announced, BlockKind)>,
    /// Where the statement begins, behind its white space.
    line: usize,
    /// The announcements of the last name or literal, and of the statement so far.
    last: Announced,
    so_far: Announced,
    last_name: Range<usize>,
    /// Parameters of the functions of this text, read once a call may need them.
    parameters: Option<BTreeMap<&'t str, Vec<Announced>>>,
    spans: Vec<SecretSpan>,
}

impl Scan<'_> {
    fn run(mut self) -> Vec<SecretSpan> {
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
                    self.begin_entry(named);
                    at + 1
                }
                b':' if self.brackets.len() > 1 || next == b'=' => {
                    self.begin_entry(self.last);
                    at + 1 + usize::from(next == b'=')
                }
                b',' => {
                    self.last = Announced::No;
                    self.end_scopes(self.brackets.len());
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
        self.end_scopes(0);
        self.spans
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

    /// Names an entry. A value of another name is not governed by names around the entry.
    fn begin_entry(&mut self, named: Announced) {
        self.name_entry(named);
        if named == Announced::No && self.brackets.len() > 1 {
            self.end_scopes(self.brackets.len());
            self.scopes.push(NameScope { depth: self.brackets.len(), ..NameScope::default() });
        }
    }

    fn scope(&mut self) -> &mut NameScope {
        if self.scopes.is_empty() {
            self.scopes.push(NameScope::default());
        }
        self.scopes.last_mut().expect("one was put in where there was none")
    }

    /// Ends the scopes within so many brackets: their values are secrets if a name in them announced one.
    fn end_scopes(&mut self, depth: usize) {
        while let Some(scope) = self.scopes.pop_if(|scope| scope.depth >= depth) {
            let literals = scope.literals.into_iter().filter(|_| scope.announces);
            self.spans.extend(literals.flat_map(|range| unmistakable_runs(&self.text[range.clone()], range.start)));
        }
    }

    fn begin_statement(&mut self) {
        self.end_scopes(0);
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
                while self.blocks.last().is_some_and(|(of, ..)| *of >= column) {
                    self.blocks.pop();
                }
            }
            self.line = at + column;
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
                let named = self.announced_around(BlockKind::Function);
                self.name_entry(named);
                self.scope().announces |= named != Announced::No;
            }
            "case" if at == self.line => {
                let named = self.announced_around(BlockKind::Match);
                self.name_entry(named);
            }
            "match" if at == self.line && next == Some(&b' ') => {
                self.blocks.push((self.column(at), Announced::No, BlockKind::Match));
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
                self.scope().announces |= hints(name);
                let (so_far, column) = (self.so_far, self.column(self.line));
                if let Some((of, named, BlockKind::Match)) = self.blocks.last_mut()
                    && *of == column
                {
                    *named = (*named).max(so_far);
                }
            }
        }
        end
    }

    /// The announcement of the innermost block of this kind.
    fn announced_around(&self, kind: BlockKind) -> Announced {
        let around = self.blocks.iter().rev().find(|(.., of)| *of == kind);
        around.map_or(Announced::No, |(_, named, _)| *named)
    }

    /// Characters before this place in its line.
    fn column(&self, at: usize) -> usize {
        at - self.text[..at].rfind('\n').map_or(0, |line| line + 1)
    }

    fn definition(&mut self, at: usize, end: usize, is_class: bool) -> usize {
        let rest = &self.text[end..];
        let from = end + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let to = self.text[from..].find(|c| !is_part(c)).map_or(self.text.len(), |length| from + length);
        let begin = at - self.column(at);
        let line = &self.text[begin..at];
        let column = line.len() - line.trim_start_matches([' ', '\t']).len();
        let kind = if is_class { BlockKind::Class } else { BlockKind::Function };
        self.blocks.push((column, announced(&self.text[from..to]), kind));
        self.last = Announced::No;
        self.last_name = from..to;
        to
    }

    fn literal(&mut self, at: usize) -> usize {
        let Some(found) = string_at(&self.text[at..]) else { return at + 1 };
        let range = at + found.quote..at + found.whole - found.closing;
        let content = &self.text[range.clone()];
        let (mut named, is_own) = self.innermost().announces();
        let of_class = self.blocks.last().filter(|(.., kind)| *kind == BlockKind::Class && self.brackets.len() == 1);
        if let (Some((_, of_class, _)), Some(_)) = (of_class, self.brackets.last().and_then(|one| one.key)) {
            named = named.max(*of_class);
        }
        let is_value =
            (SHORTEST_VALUE..=LONGEST_VALUE).contains(&content.len()) && !content.contains(char::is_whitespace);
        if is_value && is_secret(content, named, is_own) {
            self.spans.push((range.start, range.end, "assigned_secret"));
        } else if !self.innermost().is_index {
            let scope = self.scope();
            scope.literals.push(range.clone());
            scope.announces |= named != Announced::No;
        }
        self.spans.extend(told_spans(content, range.start));
        self.doctests(range.clone());
        self.last = announced_by_literal(content);
        self.so_far = self.so_far.max(self.last);
        let said = self.last;
        if content == KEY_OF_PASSWORD {
            self.last = Announced::Key;
            if self.innermost().is_index {
                self.so_far = self.so_far.max(Announced::Key);
            }
        }
        let says = |content: &str| content.len() <= LONGEST_NAME && content.split_whitespace().any(hints);
        self.scope().announces |= said != Announced::No || says(content);
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
        // An index is no value: `tokens["name"]`; but `token: Literal["…"]`.
        let is_index = !is_round && is_behind_name && !self.text[name.clone()].ends_with("Literal");
        if is_index {
            container = Announced::No;
        }
        let parameters = if is_call { self.parameters_of(name) } else { None };
        self.brackets.push(Bracket { container, callee, is_call, is_index, parameters, ..Bracket::default() });
        self.last = Announced::No;
        at + 1
    }

    fn close(&mut self, at: usize) -> usize {
        if self.brackets.len() > 1 {
            self.end_scopes(self.brackets.len());
            let closed = self.brackets.pop().unwrap_or_default();
            // A subscript has told its name: `environ["TOKEN"] = …`.
            if self.text.as_bytes()[at] == b')' {
                self.last = closed.callee.max(closed.said);
            }
        }
        at + 1
    }

    /// The calls in a docstring. They are code with the functions of this text.
    fn doctests(&mut self, range: Range<usize>) {
        if !self.text[range.clone()].contains(">>> ") {
            return;
        }
        let parameters = Some(self.parameters.take().unwrap_or_else(|| parameters(self.text)));
        let mut start = range.start;
        for line in self.text[range].split_inclusive('\n') {
            if let Some(code) = line.trim_start().strip_prefix(">>> ") {
                let at = start + line.len() - code.len();
                let spans = Scan { text: code, parameters: parameters.clone(), ..Scan::default() }.run();
                self.spans.extend(spans.into_iter().map(|(from, to, kind)| (at + from, at + to, kind)));
            }
            start += line.len();
        }
        self.parameters = parameters;
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
    let (mut all, mut class): (BTreeMap<&str, Vec<Announced>>, _) = (BTreeMap::new(), "");
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    for head in compiled(HEADS, &KEPT).captures_iter(text) {
        let group = |number: usize| head.get(number).map(|found| found.as_str());
        match (group(1), group(3), group(4), group(5)) {
            (Some(name), ..) => {
                let one = |parameter: &str| parameter.split([':', '=']).next().unwrap_or_default().trim().to_owned();
                let names = group(2).unwrap_or_default().split(',').map(one);
                let named = names.filter(|name| !matches!(name.as_str(), "self" | "cls"));
                let called = if name == "__init__" { class } else { name };
                all.insert(called, named.map(|name| announced(&name)).collect());
            }
            (_, Some(name), ..) => class = name,
            // Fields are the parameters of a data class, which has no constructor.
            (_, _, Some(field), _) => all.entry(class).or_default().push(announced(field)),
            (_, _, _, Some(name)) => {
                let names = group(6).unwrap_or_default().split(|c| !is_part(c)).filter(|name| !name.is_empty());
                all.insert(name, names.map(announced).collect());
            }
            _ => {}
        }
    }
    all.remove("");
    all.retain(|_, named| named.iter().any(|one| *one != Announced::No));
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
            "@dataclass\nclass C:\n    host: str\n    token: str\n\nC(\"h\", \"V\")",
            "C = namedtuple(\"C\", [\"host\", \"token\"])\nC(\"h\", \"V\")",
            "def connect(host, password):\n    \"\"\"Go.\n\n    >>> connect('h', 'V')\n    \"\"\"",
            "tokens.append(\"V\")",
            "api_keys.extend([\"V\", \"W\"])",
            "passwds = {\"bob\": \"V\"}",
            "self.assertEqual(\"V\", self.token)",
            "if \"V\" == token:\n    pass",
            "if token.startswith(\"V\"):\n    pass",
            "match token:\n    case \"V\":\n        pass",
            "token: Literal[\"V\"]",
            "def f(token: Literal[\"V\", \"W\"]):\n    pass",
            "token = '''\n V \n'''",
            "token = f\"{prefix} V \"",
            "log.info(\"the token %s\", \"V\")",
            "@parametrize((\"user\", \"password\"), [(\"bob\", \"V\")])",
            "run([\"sshpass\", \"-p\", \"V\"])",
            "session.auth = HTTPBasicAuth(\"bob\", \"V\")",
            "x = jwt.encode(payload, \"V\", algorithm=\"HS256\")",
            "headers = {\"Authorization\": \"V\"}",
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
            "check(token, commit=\"V\")",
            "x = {\"token\": token, \"commits\": [\"V\"]}",
            "token = \"the name of a token\"\ncommit = \"V\"",
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
