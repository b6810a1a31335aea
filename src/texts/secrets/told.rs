//! Secrets that lines of words tell: comments, docstrings, literals with words in them, documents, files of settings.
//!
//! A word of the line announces the secret, or a line that governs this one: the head of an indented block, or the head
//! of a table. Only values that cannot be words count, wherever in the line they stand.

use super::{
    DIGIT_SHARE, NAMES, SHORTEST_RUN, SHORTEST_VALUE, SecretSpan, TOLD_PAIRS, assigned_spans, is_by_chance, is_random,
    named::{Announced, announced},
    stated,
};

/// Names and words that announce a secret to the statement or the line that has them, and to nothing else in it.
const HINTS: [&str; 13] = [
    "authorization",
    "basicauth",
    "bearer",
    "fernet",
    "hmac",
    "htpasswd",
    "identified",
    "jws",
    "jwt",
    "mysql",
    "mysqldump",
    "signer",
    "sshpass",
];
/// Ends of further ones.
const HINTED_ENDS: [&str; 3] = ["basicauth", "safeserializer", "timedserializer"];
/// Parts of all that announces a secret, in lower case: most texts have none, and nothing more is done.
const PARTS: [&str; 17] = [
    "auth",
    "bearer",
    "conn",
    "credential",
    "fernet",
    "hmac",
    "identified",
    "jws",
    "jwt",
    "key",
    "mysql",
    "pass",
    "pw",
    "secret",
    "serializer",
    "signer",
    "token",
];
/// Lines of a table within which its head stands: a border, the names, a border.
const TABLE_HEAD: usize = 3;
/// Groups of digits of a value that cannot be a word.
const GROUPS_OF_DIGITS: usize = 3;
/// Of two neighbors in a value by chance, one pair in so many is of two sorts: small letters, capitals, digits.
const SWITCH_SHARE: usize = 2;
/// The longest short number of a commit, in digits.
const LONGEST_COMMIT: usize = 12;
/// Characters from which these pairs tell.
const SWITCHED: usize = 10;

/// Whether a text in lower case has a part of a name that announces a secret.
pub(super) fn may_announce(lower: &str) -> bool {
    PARTS.iter().any(|part| lower.contains(part))
}

/// Whether a word or a name announces a secret somewhere in its line or statement.
pub(super) fn hints(name: &str) -> bool {
    let name = name.trim_start_matches('-');
    let ends_with = |end: &str| {
        let tail = name.len().checked_sub(end.len()).and_then(|at| name.get(at..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    HINTS.iter().any(|hint| hint.eq_ignore_ascii_case(name))
        || HINTED_ENDS.iter().any(|end| ends_with(end))
        || announced(name) != Announced::No
}

/// The secrets of a text, which begins at this offset.
pub(super) fn told_spans(text: &str, offset: usize) -> Vec<SecretSpan> {
    let lower = text.to_ascii_lowercase();
    if text.len() < SHORTEST_RUN || !may_announce(&lower) {
        return Vec::new();
    }
    let (mut spans, mut start) = (Vec::new(), 0);
    let mut around = GoverningLines::default();
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let names = &lower[start..end];
        if NAMES.iter().any(|name| names.contains(name)) {
            spans.extend(stated().flat_map(|pattern| assigned_spans(pattern, line, offset + start)));
        }
        if around.announce(line, may_announce(names) && announces(line)) {
            spans.extend(unmistakable_runs(line, offset + start));
        }
        start = end;
    }
    spans
}

/// The values of a text that cannot be words.
pub(super) fn unmistakable_runs(text: &str, offset: usize) -> impl Iterator<Item = SecretSpan> {
    let is_secret = move |(start, run): &(usize, &str)| is_unmistakable(run) && !is_of_digest(&text[..*start]);
    runs(text).filter(is_secret).map(move |(start, run)| {
        let start = offset + start;
        (start, start + run.len(), "assigned_secret")
    })
}

/// Whether a value belongs to a field that is sent openly, as this text before it says: `nonce="…"`, `btih:…`.
fn is_of_digest(before: &str) -> bool {
    const FIELDS: [&str; 9] = ["btih", "cnonce", "etag", "md5", "nonce", "opaque", "response", "sha1", "sha256"];
    let marks = |c: char| c == ' ' || matches!(c, '"' | '\'' | '\\');
    let Some(name) = before.trim_end_matches(marks).strip_suffix(['=', ':']) else { return false };
    let name = name.trim_end_matches(marks);
    let start = name.rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
    name.get(start..).is_some_and(|name| FIELDS.iter().any(|field| field.eq_ignore_ascii_case(name)))
}

/// The lines that govern a line of words.
#[derive(Debug, Default)]
struct GoverningLines {
    /// The lines around it by their columns: whether each announces a secret, and whether it begins a table.
    heads: Vec<(usize, bool, bool)>,
    /// Lines of the table so far, and whether its head announces a secret.
    table: Option<(usize, bool)>,
}

impl GoverningLines {
    /// Goes on with this line, and tells whether it or one that governs it announces a secret.
    fn announce(&mut self, line: &str, is_own: bool) -> bool {
        let trimmed = line.trim_start();
        if trimmed.trim_end().is_empty() {
            self.table = None;
            return false;
        }
        let column = line.len() - trimmed.len();
        while self.heads.last().is_some_and(|(of, ..)| *of >= column) {
            self.heads.pop();
        }
        if let Some((_, announces, _)) = self.heads.iter_mut().rfind(|(.., is_table)| *is_table) {
            *announces |= is_own;
        }
        let is_around = self.heads.iter().any(|(_, announces, _)| *announces);
        self.heads.push((column, is_own && !is_code(trimmed), trimmed.contains("-table::")));
        let is_border = ["+-", "+=", "===", "---"].iter().any(|mark| trimmed.starts_with(mark));
        let in_table = match &mut self.table {
            Some((lines, announces)) => {
                *lines += 1;
                *announces |= is_own && *lines <= TABLE_HEAD;
                *announces
            }
            None if is_border || trimmed.starts_with('|') => {
                self.table = Some((1, is_own));
                is_own
            }
            None => false,
        };
        is_own || is_around || in_table
    }
}

/// Whether a line is the head of a block of code.
fn is_code(line: &str) -> bool {
    ["def ", "class ", "async ", "@", "if ", "for ", "while ", "with ", "try:"]
        .iter()
        .any(|word| line.starts_with(word))
}

/// Whether a word of a line announces a secret, or two of them do: `api key`.
fn announces(line: &str) -> bool {
    let is_part = |c: char| c == '_' || c == '-' || c.is_ascii_alphanumeric();
    let mut before = "";
    line.split(|c| !is_part(c)).filter(|word| !word.is_empty()).any(|word| {
        let is_pair = word.to_ascii_lowercase().starts_with("key") && hints(&format!("{before}_key"));
        before = word;
        is_pair || hints(word)
    })
}

/// The runs of a text that may be values, each with its offset. An address is none, and a path is cut.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-+/.~!#$%^*".contains(c);
    let mut at = 0;
    let whole = text.split(move |c| !is_part(c)).map(move |run| {
        let start = at;
        // Each mark between two runs may be of several bytes.
        at = start + run.len() + text[start + run.len()..].chars().next().map_or(0, char::len_utf8);
        (start, run)
    });
    let whole = whole.filter(|(_, run)| run.len() >= SHORTEST_VALUE && !run.starts_with("//"));
    whole.flat_map(|(start, run)| {
        let is_path = run.contains('/') && (run.contains('.') || run.starts_with('/'));
        let mut at = start;
        run.split(move |c| is_path && c == '/').filter_map(move |part| {
            let begin = at + part.len() - part.trim_start_matches(['*', '.', '!']).len();
            at += part.len() + 1;
            let part = part.trim_matches(['*', '.', '!']);
            (part.len() >= SHORTEST_VALUE).then_some((begin, part))
        })
    })
}

/// Whether a value is neither a word nor the name of something: digits stand here and there, the letters are drawn by
/// chance, or its sorts of characters take turns.
fn is_unmistakable(value: &str) -> bool {
    let digits: Vec<bool> = value.chars().map(|c| c.is_ascii_digit()).collect();
    let groups = digits.windows(2).filter(|two| two[0] && !two[1]).count() + usize::from(digits.last() == Some(&true));
    if groups == 0 || value.len() < SHORTEST_VALUE || value.contains("..") || !is_random(value) || is_number(value) {
        return false;
    }
    let letters = value.chars().filter(char::is_ascii_alphabetic).count();
    // A date, a version and an address of a network have few letters.
    letters * DIGIT_SHARE >= value.len()
        && (groups >= GROUPS_OF_DIGITS || is_by_chance(value, TOLD_PAIRS) || takes_turns(value))
}

/// Whether a value is the short number of a commit, or that of a security advisory: `4grg-w6v8-c28g`.
fn is_number(value: &str) -> bool {
    if value.len() <= LONGEST_COMMIT && value.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return true;
    }
    let part = |part: &str| part.len() == 4 && part.bytes().all(|byte| b"23456789cfghjmpqrvwx".contains(&byte));
    value.trim_start_matches('_').trim_start_matches("GHSA-").split('-').filter(|one| part(one)).count() == 3
}

fn takes_turns(value: &str) -> bool {
    let sort = |c: char| (c.is_ascii_digit(), c.is_ascii_uppercase(), c.is_ascii_lowercase());
    let sorts: Vec<_> = value.chars().map(sort).collect();
    let turns = sorts.windows(2).filter(|two| two[0] != two[1]).count();
    value.len() >= SWITCHED && turns * SWITCH_SHARE >= value.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: &str = "Kd83jfLs92mQpXz7";
    const W: &str = "9tRq4Zb71nVcYh2w";

    fn shown(text: &str) -> String {
        let (mut spans, mut clean) = (told_spans(text, 0), text.to_owned());
        spans.sort_unstable();
        spans.dedup();
        for (start, end, _) in spans.into_iter().rev() {
            clean.replace_range(start..end, "***");
        }
        clean
    }

    #[test]
    fn a_word_of_the_line_or_of_its_head_tells_a_secret() {
        for text in [
            "use V as the token",
            "the key of the API is V; the api key",
            "password: The password, such as V.",
            "token (str): Defaults to \"V\".",
            "$ svc login --token V --now",
            "CREATE USER bob IDENTIFIED BY 'V'",
            "INSERT INTO users (name, password) VALUES ('bob', 'V')",
            "<api_key>V</api_key>",
            "$ sshpass -p V ssh host",
            "mysql -u root -pV shop",
            "curl -H 'X-Api-Key: V' https://x.example.org",
            "api_key : str\n    The key, such as ``V``.",
            ".. envvar:: API_TOKEN\n\n   For example ``V``.",
            "password =\n    V",
            "| user | password |\n|---|---|\n| bob | V |\n| eve | W |",
            "======  ========\nuser    token\n======  ========\nbob     V\neve     W\n======  ========",
            "+-----+-------+\n| who | token |\n+=====+=======+\n| bob | V     |\n+-----+-------+",
            ".. list-table::\n\n   * - user\n     - password\n   * - bob\n     - V",
        ] {
            let clean = shown(&text.replace('V', V).replace('W', W));
            assert!(!clean.contains(V) && !clean.contains(W) && clean.contains("***"), "{clean}");
        }
    }

    #[test]
    fn words_names_paths_and_other_lines_stay() {
        for text in [
            "the commit is V",
            "token\ncommit V",
            "the token is read by utf8_decode2 in python3.11/site-packages/x86_64",
            "the password was changed at 2024-01-02T03:04:05Z in 3.12.0rc1 at 192.168.10.11",
            "the token is at https://docs.example.org/a1b2c3d4/e5f6",
            "tokens of OAuth2Session and of HTTP2Connection",
            "| user | commit |\n|---|---|\n| bob | V |\n\nThe token.",
            "def read_token():\n    commit = V",
            "`SECRET_KEY_FALLBACKS`. :ghsa:`4grg-w6v8-c28g` and GHSA-cw9j-q3vf-hrrv; _cw9j-q3vf-hrrv",
            "Password prompt prints a newline. (1a2b3c4d5e)",
            "an api_key is read from http://user:pass@172.16.10.11:5000",
        ] {
            let text = text.replace('V', V);
            assert_eq!(shown(&text), text);
        }
    }
}
