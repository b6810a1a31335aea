//! Splits a question into words.
//!
//! Words have a shape (path, code, capitalized, plain); quoted code is kept apart. Rules about the form of a question
//! see it as a phrase with blanked names. Nothing here knows a symbol of the repository.

pub mod limits;
pub mod members;
pub mod misspelled;
pub mod numbered;
pub mod objects;
pub mod parts;
pub mod requests;
pub mod spelling;
pub mod titles;

use std::{borrow::Cow, collections::BTreeSet, sync::OnceLock};

use regex::Regex;

use crate::model::brackets::matching_close;

/// Longest question in characters: nobody asks more at once, and every word costs a look-up.
pub const MAX_QUESTION: usize = 8_000;

/// The part of a text that is read: all of a question; of a long log its last traceback, or its two ends.
pub fn relevant(text: &str) -> Cow<'_, str> {
    let characters = text.chars().count();
    if characters <= MAX_QUESTION {
        return Cow::Borrowed(text);
    }
    let head = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    if let Some(at) = text.rfind("Traceback (most recent call last)") {
        return Cow::Owned(head(&text[at..], MAX_QUESTION));
    }
    let tail: String = text.chars().skip(characters - MAX_QUESTION / 2).collect();
    Cow::Owned(format!("{}\n{tail}", head(text, MAX_QUESTION / 2 - 1)))
}

/// The look of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `a/b`, `app.py`, `app.py:12`.
    Path,
    /// `snake_case`, `CamelCase`, `a.b`, `f()`, or anything in quotes or backticks that could be a name.
    Code,
    /// `Flask`: a capital letter and nothing else.
    Capitalized,
    /// Everything else.
    Plain,
}

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionWord {
    /// Without quotes, brackets and punctuation around it.
    pub text: String,
    pub shape: Shape,
    /// It stood in quotes or backticks.
    pub is_quoted: bool,
    /// It stood in the quotes of a string, not in backticks.
    pub is_string: bool,
    /// `'s` stood behind it.
    pub is_possessive: bool,
    /// A comma, colon or the end of a sentence follows.
    pub ends_clause: bool,
    /// The literal behind an argument's `=`, as it is written: `"red"` of `style="red"`.
    pub value: Option<String>,
}

/// A question taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedQuestion {
    pub words: Vec<QuestionWord>,
    /// Quoted text that is no name, each with the number of words before it.
    pub quotes: Vec<(usize, String)>,
}

impl QuestionWord {
    /// A word without quotes, amid a clause.
    pub fn new(text: String, shape: Shape) -> Self {
        Self { text, shape, is_quoted: false, is_string: false, is_possessive: false, ends_clause: false, value: None }
    }

    /// The word for comparisons.
    pub fn lower(&self) -> String {
        self.text.to_lowercase()
    }
}

impl ParsedQuestion {
    /// The words in lower case.
    pub fn lower_words(&self) -> Vec<String> {
        self.words.iter().map(QuestionWord::lower).collect()
    }

    /// Takes `text` apart.
    pub fn parse(text: &str) -> Self {
        // A cut inside a character would be no text.
        let end = text.char_indices().nth(MAX_QUESTION).map_or(text.len(), |(at, _)| at);
        // People write so, and the slash is no path.
        let text = text[..end].replace(" w/o ", " without ").replace(" w/ ", " with ").replace('–', "-");
        let text: Vec<char> =
            arrows_as_words(quote_before_arrow(quote_shown_line(join_imports(text)))).chars().collect();
        let mut question = Self::default();
        let mut at = 0;
        while at < text.len() {
            if let Some((inner, next)) = quoted(&text, at) {
                question.take_quote(&inner, text[at] == '`');
                at = next;
            } else if is_word(text[at]) {
                let start = at;
                // `Cart的子类`: a name ends where the other script begins.
                let is_same = |at: usize| at == start || is_unspaced(text[at]) == is_unspaced(text[at - 1]);
                // `/items/<id>/parts`
                let is_blank = |at: usize| text[start] == '/' && matches!(text[at], '<' | '>' | '{' | '}');
                while at < text.len() && (is_word(text[at]) && is_same(at) || is_apostrophe(&text, at) || is_blank(at))
                {
                    at += 1;
                }
                let raw: String = text[start..at].iter().collect();
                let (is_call, next) = after_call(&text, at);
                let value = literal_behind(&text, next).filter(|_| !is_call && is_identifier(&raw));
                let (value, next) = value.map_or((None, next), |(value, next)| (Some(value), next));
                at = next;
                question.take_word(&raw, is_call, text.get(at).copied());
                if let Some(word) = question.words.last_mut().filter(|_| value.is_some()) {
                    word.value = value;
                }
            } else {
                at += 1;
            }
        }
        question
    }

    /// The words in lower case, separated by single spaces; names (`is_name`) are blanked to `§`.
    pub fn phrase(&self, is_name: impl Fn(usize) -> bool) -> String {
        let mut phrase = String::from(" ");
        for (index, word) in self.words.iter().enumerate() {
            let is_blank = is_name(index) || word.shape == Shape::Path;
            phrase.push_str(&if is_blank { "§".to_owned() } else { word.lower() });
            phrase.push(' ');
        }
        phrase
    }

    fn take_quote(&mut self, inner: &str, is_code: bool) {
        let trimmed = inner.trim();
        if self.quotes_line(trimmed, is_code) {
            self.quotes.push((self.words.len(), trimmed.to_owned()));
            return;
        }
        if let Some((name, value)) = as_argument(trimmed) {
            let word = QuestionWord::new(name, Shape::Code);
            self.words.push(QuestionWord { is_quoted: true, value: Some(value), ..word });
            return;
        }
        let name = trimmed.strip_suffix("()").unwrap_or(trimmed);
        // `[/b]` and `<a/>` are no paths.
        let is_path =
            shape_of(name) == Shape::Path && !name.contains(|c: char| c.is_whitespace() || "[]<>{}".contains(c));
        if is_dotted_name(name) || is_path {
            let shape = if is_path { Shape::Path } else { Shape::Code };
            let word = QuestionWord::new(name.to_owned(), shape);
            self.words.push(QuestionWord { is_quoted: true, is_string: !is_code, ..word });
        } else if !trimmed.is_empty() {
            self.quotes.push((self.words.len(), trimmed.to_owned()));
        }
    }

    /// Whether the word before the one at `at` calls what stands there a line.
    pub fn is_called_line(&self, at: usize) -> bool {
        // `what does this line do: …`
        let words = self.words[..at.min(self.words.len())].iter().rev();
        let mut before = words.skip_while(|word| is_in("do does mean", &word.lower()));
        before.next().is_some_and(|word| is_in("line lines statement", &word.lower()))
    }

    /// Whether a quote is a line of code although it could be a name: `the line 'app.run()'`, `delete "self.x"`.
    fn quotes_line(&self, quote: &str, is_code: bool) -> bool {
        const CHANGES: [&str; 4] = ["chang", "delet", "remov", "replac"];
        let is_change = |word: &QuestionWord| CHANGES.iter().any(|verb| word.lower().starts_with(verb));
        let is_called_line = self.is_called_line(self.words.len());
        // Names in backticks are names of members, `self.x` as well.
        let has_receiver = !is_code && ["self.", "cls."].iter().any(|receiver| quote.starts_with(receiver));
        !quote.is_empty() && (is_called_line || has_receiver && self.words.iter().any(is_change))
    }

    fn take_word(&mut self, raw: &str, is_call: bool, next: Option<char>) {
        // `s/old/new/` renames for those who use sed.
        if let ["s", old, new, "" | "g"] = raw.split('/').collect::<Vec<_>>().as_slice()
            && is_dotted_name(old)
            && is_dotted_name(new)
        {
            for (text, shape) in [(*old, Shape::Code), ("becomes", Shape::Plain), (*new, Shape::Code)] {
                self.words.push(QuestionWord::new(text.to_owned(), shape));
            }
            return;
        }
        // `2-4 parameters`
        let is_figure = |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if let Some((least, most)) = raw.split_once('-').filter(|(least, most)| is_figure(least) && is_figure(most)) {
            for text in [least, "to", most] {
                self.words.push(QuestionWord::new(text.to_owned(), Shape::Plain));
            }
            return;
        }
        // `what's` and `whats` are two words.
        let lower = raw.to_lowercase().replace('’', "'");
        let asked = lower.strip_suffix('s').map(|head| head.trim_end_matches('\''));
        if let Some(head) = asked.filter(|head| BEFORE_IS.split(' ').any(|known| known == *head)) {
            for text in [head, "is"] {
                self.words.push(QuestionWord::new(text.to_owned(), Shape::Plain));
            }
            return;
        }
        // `Chain's` names `Chain`.
        let bare = raw.strip_suffix("'s").or_else(|| raw.strip_suffix("’s")).unwrap_or(raw);
        let text = bare.trim_end_matches(['.', ':', '-', '\'', '’']).trim_start_matches([':', '-', '\'']);
        let text = if text.starts_with('.') && !text.starts_with("./") && !text.starts_with("..") {
            text.trim_start_matches('.')
        } else {
            text
        };
        // `i.e.` and `e.g.` name nothing.
        if text.is_empty() || matches!(text.to_lowercase().as_str(), "i.e" | "e.g") {
            return;
        }
        let ends_clause = text.len() < bare.len() || next.is_some_and(|c| matches!(c, ',' | ';' | '?' | '!' | ':'));
        let shape = if is_call { Shape::Code } else { shape_of(text) };
        let is_possessive = bare.len() < raw.len();
        self.words.push(QuestionWord { is_possessive, ends_clause, ..QuestionWord::new(text.to_owned(), shape) });
    }
}

/// Words that ask. Behind an arrow they ask about the name before it.
const QUESTION_HEADS: [&str; 13] =
    ["code?", "what", "what's", "whats", "which", "who", "where", "how", "why", "when", "is", "does", "used"];

/// Reads an arrow between names as a change of name: `old -> new`. Before a question it ends a clause.
fn arrows_as_words(mut text: String) -> String {
    for arrow in [" -> ", " => ", " → "] {
        while let Some(at) = text.find(arrow) {
            let next = text[at + arrow.len()..].split_whitespace().next().unwrap_or_default().to_lowercase();
            let word = if QUESTION_HEADS.contains(&next.as_str()) { ": " } else { " becomes " };
            text.replace_range(at..at + arrow.len(), word);
        }
    }
    text
}

/// Quotes the text before a backward arrow: `no such table: x <- who logs this`.
fn quote_before_arrow(text: String) -> String {
    const LEAST: usize = 3;
    match text.split_once("<-") {
        Some((before, rest)) if before.split_whitespace().count() >= LEAST && !before.contains(['“', '”', '\n']) => {
            // Messages have the other quotes in them.
            format!("“{}” {}", before.trim(), rest.trim_start_matches('-'))
        }
        _ => text,
    }
}

/// One name for `import partial from functools`: `import functools.partial`.
fn join_imports(text: String) -> String {
    static JOINED: OnceLock<Regex> = OnceLock::new();
    let pattern = r"\b(imports?|imported|importing) ([A-Za-z_]\w*) from ([A-Za-z_][\w.]*\w)";
    let joined = JOINED.get_or_init(|| Regex::new(pattern).expect("the pattern is a constant"));
    let Some(found) = joined.captures(&text) else { return text };
    if matches!(
        &found[2],
        "anything" | "code" | "directly" | "everything" | "it" | "names" | "only" | "something" | "things"
    ) {
        return text;
    }
    let (verb, name, module) = (&found[1], &found[2], &found[3]);
    text.replacen(&found[0], &format!("{verb} {module}.{name}"), 1)
}

/// Quotes a line of code behind a colon: `the line: x = 1 was removed from f`.
fn quote_shown_line(text: String) -> String {
    static SHOWN: OnceLock<Regex> = OnceLock::new();
    let pattern = r#"(?x)
        \b (?: [Tt]he | [Tt]his | [Ff]ollowing ) \s+ (?: line | statement ) (?: \s+ (?: do | does | mean ) )? \s* [:?] \s* (?P<code> [^`"'\s“] .*? )
        (?P<rest> \s+ (?: was | is | were | be | gets | got | has \s+ been ) \s+ [a-z]+ed
                (?: \s+ (?: from | in | of | what | which | would | will ) \b .* | \s* [,?.!] .* | \s* $ )
            | \s+ (?: from | in | of ) \s+ (?: the \s+ )? (?: [a-z]+ \s+ )? [\w./]+ (?: \(\) )? \s* [?.]? \s* $
            | \s+ (?: do | mean ) \s* \?? \s* $
            | \s* \?? \s* $ )"#;
    let shown = SHOWN.get_or_init(|| Regex::new(pattern).expect("the pattern is a constant"));
    match shown.captures(&text).and_then(|found| Some((found.name("code")?, found.name("rest")?))) {
        Some((code, rest)) => format!("{} “{}”{}", &text[..code.start()], code.as_str(), rest.as_str()),
        None => text,
    }
}

/// A letter of a script that writes words without blanks between them.
pub fn is_unspaced(c: char) -> bool {
    // Kana, and the ideographs that Chinese and Japanese share.
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | ':' | '-' | '@' | '§')
}

/// An apostrophe between letters, as in `Chain's`.
fn is_apostrophe(text: &[char], at: usize) -> bool {
    let is_letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|c| c.is_alphanumeric());
    matches!(text[at], '\'' | '’') && is_letter(at.checked_sub(1)) && is_letter(Some(at + 1))
}

/// The text in the quotes that open at `at`, and the position behind it.
fn quoted(text: &[char], at: usize) -> Option<(String, usize)> {
    let close = match text[at] {
        '`' => '`',
        '"' => '"',
        '“' | '„' => '”',
        '«' => '»',
        '‘' => '’',
        '\'' if at == 0 || !text[at - 1].is_alphanumeric() => '\'',
        _ => return None,
    };
    let run = if close == '`' { text[at..].iter().take_while(|c| **c == '`').count() } else { 1 };
    let mut end = at + run;
    let mut first = None;
    while end < text.len() {
        let is_close = text[end..].iter().take(run).filter(|c| **c == close).count() == run;
        // An apostrophe inside of a word does not close a single quote.
        let is_inside = close == '\'' && text.get(end + 1).is_some_and(|c| c.is_alphanumeric());
        if is_close && !is_inside {
            let inner: String = text[at + run..end].iter().collect();
            // The quotes of a string within the brackets of quoted code close nothing.
            if are_closed(&inner) {
                return Some((inner, end + run));
            }
            first.get_or_insert((inner, end + run));
        }
        end += 1;
    }
    first
}

/// Whether a text closes as many brackets as it opens.
fn are_closed(text: &str) -> bool {
    let number = |brackets: [char; 3]| text.matches(brackets).count();
    number(['(', '[', '{']) == number([')', ']', '}'])
}

/// Whether a pair of empty brackets follows, and the position behind it.
fn after_call(text: &[char], at: usize) -> (bool, usize) {
    if text.get(at) != Some(&'(') {
        return (false, at);
    }
    match text[at..].iter().position(|c| *c == ')') {
        // Only empty brackets make a call, and those that leave its arguments out; `(the class)` is a remark.
        Some(end) if text[at + 1..at + end].iter().all(|c| matches!(c, '.' | '…')) => (true, at + end + 1),
        _ => (false, at),
    }
}

/// The literal of an argument whose `=` stands at `at`, and the position behind it: `"red"` of `="red"`.
fn literal_behind(text: &[char], at: usize) -> Option<(String, usize)> {
    let start = at + 1;
    if text.get(at) != Some(&'=') {
        return None;
    }
    let end = match text.get(start)? {
        quote @ ('"' | '\'') => start + 2 + text[start + 1..].iter().position(|c| c == quote)?,
        '[' | '{' | '(' => {
            let rest: String = text[start..].iter().collect();
            start + 1 + rest[..matching_close(&rest, 0)?].chars().count()
        }
        _ => {
            let ends = |c: &char| c.is_whitespace() || matches!(c, ',' | ';' | '?' | '!' | ')' | '`' | '"' | '\'');
            let end = text[start..].iter().position(ends).map_or(text.len(), |length| start + length);
            end - usize::from(end > start && text[end - 1] == '.')
        }
    };
    let literal: String = text[start..end].iter().collect();
    is_literal(&literal).then_some((literal, end))
}

/// The name and the literal of a text that is one argument: `nl=False`.
fn as_argument(text: &str) -> Option<(String, String)> {
    let (name, _) = text.split_once('=').filter(|(name, _)| is_identifier(name))?;
    let all: Vec<char> = text.chars().collect();
    let (literal, end) = literal_behind(&all, name.chars().count())?;
    (end == all.len()).then(|| (name.to_owned(), literal))
}

fn is_identifier(text: &str) -> bool {
    is_dotted_name(text) && !text.contains(['.', '@'])
}

/// Whether an expression is a value as it stands.
pub fn is_literal(expression: &str) -> bool {
    matches!(expression, "True" | "False" | "None")
        || expression.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '-' | '[' | '{' | '('))
}

fn shape_of(text: &str) -> Shape {
    let path = text.split("::").next().unwrap_or(text);
    let path = match path.split_once(':') {
        Some((head, line)) if line.starts_with(|c: char| c.is_ascii_digit()) => head,
        _ => path,
    };
    let is_url = text.contains("://");
    if !is_url && (path.contains('/') && path.len() > 1 || has_file_suffix(path)) {
        // One slash between two words may stand for `or`.
        let is_alternative = !path.contains('.') && path.matches('/').count() == 1 && !path.ends_with('/');
        // `and/or` is no path. Whether `a/b` is a folder, the list of files decides.
        if !is_alternative || !matches!(path.to_lowercase().as_str(), "and/or" | "he/she" | "his/her" | "n/a") {
            return Shape::Path;
        }
    }
    if !is_dotted_name(text) {
        return Shape::Plain;
    }
    let has_inner_capital = text.chars().zip(text.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let has_camel_head =
        text.chars().take_while(|c| c.is_uppercase()).count() > 1 && text.chars().any(char::is_lowercase);
    // `TODOs` and `URLs` are plurals, no names.
    let is_plural = text.strip_suffix('s').is_some_and(|rest| rest.len() > 1 && rest.chars().all(char::is_uppercase));
    // Nor are those of the kinds of classes that Python itself has: `NamedTuples`.
    if is_plural || is_in("dataclasses enums namedtuples protocols typeddicts", &text.to_lowercase()) {
        return Shape::Plain;
    }
    if text.contains(['_', '.']) || has_inner_capital || has_camel_head {
        return Shape::Code;
    }
    if text.starts_with(char::is_uppercase) { Shape::Capitalized } else { Shape::Plain }
}

/// `a`, `a.b`, `a.b@2`: parts that are identifiers.
fn is_dotted_name(text: &str) -> bool {
    let name = text.split_once('@').filter(|(_, n)| n.parse::<u32>().is_ok()).map_or(text, |(name, _)| name);
    let is_identifier = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    !name.is_empty() && name.split('.').all(is_identifier)
}

fn has_file_suffix(text: &str) -> bool {
    const SUFFIXES: [&str; 16] = [
        ".py",
        ".pyi",
        ".pyx",
        ".ipynb",
        ".toml",
        ".cfg",
        ".ini",
        ".txt",
        ".md",
        ".rst",
        ".json",
        ".yml",
        ".yaml",
        ".html",
        ".tex",
        ".markdown",
    ];
    SUFFIXES.iter().any(|suffix| text.len() > suffix.len() && text.ends_with(suffix))
}

/// Words that never name a definition, however they are written.
const STOP_WORDS: &str = "
a about above abstract access accessed across actually add added additional affect affected affects after again all also always
am an and another any anymore anything are argument arguments around as ask at attribute attributes base be because been
before behave being below best between both break breaking breaks broken bug bugs but by call called caller callers
calling calls can change changed changes changing child class classes code codebase compare compared could cover
coverage covered create data define defined definition definitions delete deleted deleting depend dependencies
dependency depends derive derived derives describe did differ difference differences different direct directly directory do
docs docstring document documentation documented undocumented async asynchronous coroutine coroutines generator
generators biggest largest longest unused private deprecated todo todos fixme does doing done each effect effects either else environment error errors every everything fail fails failed failing
example examples exist exists explain extend extends extra few file files find first fix folder folders following for
from function functions get gets give go had happen happens has have having he help her here hierarchy his
how i if impact implement implemented implements import imported imports improve improvement improvements in
indirect indirectly inherit inherits inside instance instances instead interact into is it its just kind kinds know
last let like line lines list locate long look make many may me mean member members method methods might mine
missing module modules more most much must my name named names need needs nested never new next no not nothing now
object objects of off often on once one ones only optional or other others our out over override overrides package packages
parameter parameters parent part parts please pls plz print private program project properties property propose public
purpose python required question raise raises rather read reads refactor reference references relate related relation remove
removed removes removing rename renamed renaming replace repo repository rest result results return returns review
right run runs safe same see self setup several she should show simple since so some something source static still sub
subclass subclasses such super superclass sure take tell test tested testing tests than thanks that the their them themselves then
there these they thing things this those through thx to together too touch tree type types under understand unit
untested until up update us usage usages use used useful user uses using value values variable variables versus very
transitive transitively via view vs want was way we well were what when where whether which while who whole whom whose why will with within
without work working works would write writes year yes yet you your
";

/// Whether a list, with white space between its words, has a word.
pub fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Whether a word in lower case never names a definition.
pub fn is_stop_word(lower: &str) -> bool {
    stop_words().contains(lower)
}

fn stop_words() -> &'static BTreeSet<&'static str> {
    static WORDS: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| STOP_WORDS.split_whitespace().collect())
}

/// Things that every program has or may have, whatever is called so in one.
const THINGS: [&str; 18] = [
    "base class",
    "base classes",
    "call graph",
    "class hierarchy",
    "code smells",
    "dead code",
    "entry point",
    "entry points",
    "entrypoint",
    "entrypoints",
    "environment variables",
    "folder structure",
    "import cycle",
    "import cycles",
    "test suite",
    "type hints",
    "unit test",
    "unit tests",
];

/// Whether words in lower case name a thing of all programs: `entry points`.
pub fn is_thing_of_programs(words: &str) -> bool {
    THINGS.contains(&words)
}

/// Contractions that people type without their apostrophe. Those that are words of their own, such as `wont`, are left
/// out.
const CONTRACTIONS: &str =
    "aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't shouldn't wasn't weren't wouldn't";
/// Words before the `'s` that stands for `is`.
const BEFORE_IS: &str = "here how that there what when where who why";

/// A word in lower case as the forms write it: `doesn't` for `doesnt` and `doesn’t`.
pub fn with_apostrophe(lower: &str) -> String {
    if lower.contains('’') {
        return lower.replace('’', "'");
    }
    let is_it = |whole: &&str| whole.len() == lower.len() + 1 && whole.replace('\'', "") == lower;
    CONTRACTIONS.split(' ').find(is_it).unwrap_or(lower).to_owned()
}

/// Letters of the shortest stem: with fewer, `used` and `uses` would become `us`.
const SHORTEST_STEM: usize = 4;

/// The words of a name in lower case: `get` and `item` for `getItem`, `get_item` and `GetItem`.
pub fn name_parts(name: &str) -> impl Iterator<Item = String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase()) {
            parts.push(String::new());
        }
        if c.is_alphanumeric() {
            parts.last_mut().expect("there is one from the start").extend(c.to_lowercase());
        }
        before = c;
    }
    parts.into_iter().filter(|part| !part.is_empty())
}

/// Whether the word is a part of one of these names, whatever the endings.
pub fn is_in_names(names: &[String], word: &str) -> bool {
    let stem = stem(word);
    names.iter().any(|name| name_parts(name).any(|part| self::stem(&part) == stem))
}

/// A word without English endings, so that `discounts` and `discount` are equal.
pub fn stem(word: &str) -> String {
    for ending in ["ing", "ies", "ed", "es", "s", "e"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= SHORTEST_STEM) {
            return stem.to_owned();
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(text: &str) -> String {
        let question = ParsedQuestion::parse(text);
        let words: Vec<String> = question
            .words
            .iter()
            .filter(|word| word.shape != Shape::Plain)
            .map(|word| format!("{:?}:{}", word.shape, word.text))
            .collect();
        words.join(" ")
    }

    #[test]
    fn names_paths_and_quotes_are_told_apart() {
        assert_eq!(
            shapes("Will changing _create_nodes_of_file break something?"),
            "Capitalized:Will Code:_create_nodes_of_file"
        );
        assert_eq!(
            shapes("the class's shop.Cart.add() in ./a/b/ and main.py:12"),
            "Code:shop.Cart.add Path:./a/b/ Path:main.py:12"
        );
        assert_eq!(
            shapes("`total` and 'add' of the Chain's parent, SQLDatabase"),
            "Code:total Code:add Capitalized:Chain Code:SQLDatabase"
        );
        assert_eq!(shapes("what is e.g. and/or x"), "");
        assert_eq!(shapes("total(…) and add(...), or the closing '[/b]'"), "Code:total Code:add");
    }

    #[test]
    fn an_arrow_is_a_change_of_name() {
        for arrow in ["->", "=>", "→"] {
            let question = ParsedQuestion::parse(&format!("old_name {arrow} new_name"));
            assert_eq!(question.phrase(|index| index != 1), " § becomes § ");
        }
        let question = ParsedQuestion::parse("total -> what does it call");
        assert_eq!(question.phrase(|index| index == 0), " § what does it call ");
    }

    #[test]
    fn short_ways_of_writing_are_words() {
        let phrase = |text: &str| ParsedQuestion::parse(text).phrase(|_| false);
        assert_eq!(phrase("what's in there, whats up, its"), " what is in there what is up its ");
        assert_eq!(phrase("s/old_name/new_name/ please"), " old_name becomes new_name please ");
        let question = ParsedQuestion::parse("no such table: x <- who logs this");
        assert_eq!(question.quotes, [(0, "no such table: x".to_owned())]);
    }

    #[test]
    fn contractions_have_their_apostrophe() {
        let check = |word: &str| with_apostrophe(word);
        assert_eq!(["doesnt", "isn’t", "wont", "cant"].map(check), ["doesn't", "isn't", "wont", "can't"]);
    }

    #[test]
    fn quoted_code_is_kept_apart() {
        let question = ParsedQuestion::parse("remove the line 'os.remove(name_file)' of f, don't \"a b\"");
        assert_eq!(question.quotes, [(3, "os.remove(name_file)".to_owned()), (6, "a b".to_owned())]);
        assert_eq!(question.phrase(|index| index == 4), " remove the line of § don't ");
    }

    #[test]
    fn of_a_long_log_the_last_traceback_is_read() {
        let log =
            format!("{}Traceback (most recent call last):\n  File \"a.py\", line 1\nE: no\n", "x y\n".repeat(9_000));
        assert!(relevant(&log).starts_with("Traceback") && relevant(&log).ends_with("E: no\n"));
        let noise = format!("first {} last", "x ".repeat(9_000));
        assert!(relevant(&noise).starts_with("first") && relevant(&noise).ends_with("last"));
        assert_eq!(relevant("short"), "short");
    }

    #[test]
    fn odd_input_has_words_or_none() {
        for text in
            ["", "'", "``", "\"", "...", "::", "/", "?", "\u{202e}\u{0}", "名前は何ですか", "''''", "a'", "('')"]
        {
            ParsedQuestion::parse(text);
        }
        assert_eq!(ParsedQuestion::parse(&"x".repeat(100_000)).words[0].text.len(), MAX_QUESTION);
    }
}
