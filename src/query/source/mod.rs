//! Lines of source files, each file read once.
//!
//! A file that cannot be read has no lines and causes no error. A function given at the start reads files by path.

pub mod alike;
pub mod logical_lines;
pub mod texts;

use std::{
    borrow::Cow,
    cell::{OnceCell, RefCell},
    collections::BTreeSet,
    ops::Range,
    rc::Rc,
};

use rustc_hash::FxHashMap;

use crate::texts::{
    documents::is_document,
    secrets::{FileContext, prose_without_secrets, without_secrets},
};

type ReadByPath<'a> = dyn Fn(&str) -> Option<Vec<u8>> + 'a;

/// A secret has no fewer bytes.
const SHORTEST: usize = 8;

/// Files as they are now.
pub struct Sources<'a> {
    read: Box<ReadByPath<'a>>,
    texts: RefCell<FxHashMap<String, Option<Text>>>,
}

/// A text with the offsets of its lines: callers that ask for one line often ask for hundreds.
#[derive(Clone)]
struct Text {
    text: Rc<str>,
    /// Where each line begins, and the end of the text.
    starts: Rc<[usize]>,
    /// Tells its secrets, once a part of it is shown.
    context: Rc<OnceCell<FileContext>>,
}

impl Text {
    /// Where these lines stand; 1-based.
    fn range(&self, start: u32, end: u32) -> Range<usize> {
        let last = self.starts.len() - 1;
        let from = (start.saturating_sub(1) as usize).min(last);
        let to = (end as usize).clamp(from, last);
        self.starts[from]..self.starts[to]
    }

    fn shown(&self, path: &str, range: Range<usize>) -> Cow<'_, str> {
        self.context.get_or_init(|| FileContext::of(path, &self.text)).without_secrets(&self.text, range)
    }
}

impl<'a> Sources<'a> {
    /// Sources that `read` yields by path.
    pub fn new(read: impl Fn(&str) -> Option<Vec<u8>> + 'a) -> Self {
        Self { read: Box::new(read), texts: RefCell::default() }
    }

    /// These sources but for the files that `is_left_out` names.
    #[must_use]
    pub fn without(self, is_left_out: impl Fn(&str) -> bool + 'a) -> Self {
        Self::new(move |path| if is_left_out(path) { None } else { (self.read)(path) })
    }

    /// The whole text; bytes that are not UTF-8 are replaced.
    pub fn text(&self, path: &str) -> Option<Rc<str>> {
        self.get(path).map(|text| text.text)
    }

    /// One line without its end and without the white space around it; 1-based.
    pub fn line(&self, path: &str, line: u32) -> Option<String> {
        let Text { text, starts, .. } = self.get(path)?;
        let index = line.checked_sub(1)? as usize;
        text.get(*starts.get(index)?..*starts.get(index + 1)?).map(|line| line.trim().to_owned())
    }

    /// The identifier that begins at a place (1-based line, column in bytes); empty where none does.
    pub fn word(&self, path: &str, line: u32, column: u32) -> Option<String> {
        let Text { text, starts, .. } = self.get(path)?;
        let start = starts.get(line.checked_sub(1)? as usize)? + column as usize;
        let is_part = |character: &char| *character == '_' || character.is_alphanumeric();
        text.get(start..).map(|rest| rest.chars().take_while(is_part).collect())
    }

    /// The lines `start..=end`, each with its end; 1-based.
    pub fn lines(&self, path: &str, start: u32, end: u32) -> Option<String> {
        let text = self.get(path)?;
        text.text.get(text.range(start, end)).map(str::to_owned)
    }

    /// One line as an answer shows it: without secrets.
    pub fn shown_line(&self, path: &str, line: u32) -> Option<String> {
        self.line(path, line)?;
        self.shown_lines(path, line, line).map(|text| text.trim().to_owned())
    }

    /// Lines as an answer shows them: without secrets.
    pub fn shown_lines(&self, path: &str, start: u32, end: u32) -> Option<String> {
        let text = self.get(path)?;
        let range = text.range(start, end);
        Some(text.shown(path, range).into_owned())
    }

    /// A text of these lines as an answer shows it: the file around it may tell that it is a secret. Any other text is
    /// judged by itself.
    pub fn shown_text<'t>(&self, path: &str, (start, end): (u32, u32), text: &'t str) -> Cow<'t, str> {
        let of_file = || {
            let file = self.get(path)?;
            let range = file.range(start, end);
            let first = range.start + file.text.get(range)?.find(text)?;
            Some(file.shown(path, first..first + text.len()).into_owned())
        };
        let is_short = !text.split_whitespace().any(|run| run.len() >= SHORTEST);
        let shown = if is_short || path.is_empty() || start == 0 { None } else { of_file() };
        match shown {
            Some(shown) if shown == text => Cow::Borrowed(text),
            Some(shown) => Cow::Owned(shown),
            None if is_document(path) => prose_without_secrets(text),
            None => without_secrets(text),
        }
    }

    /// The lines of a file that hold a secret, each without it.
    pub fn masked_lines(&self, path: &str) -> Vec<(u32, String)> {
        let Some(text) = self.get(path) else { return Vec::new() };
        if matches!(text.shown(path, 0..text.text.len()), Cow::Borrowed(_)) {
            return Vec::new();
        }
        let lines = (1_u32..).zip(text.starts.windows(2));
        let shown = lines.filter_map(|(line, place)| match text.shown(path, place[0]..place[1]) {
            Cow::Owned(shown) => Some((line, shown.trim().to_owned())),
            Cow::Borrowed(_) => None,
        });
        shown.collect()
    }

    /// The values that are secrets by their names alone, in these files and in those that were read before: in a text
    /// without that name nothing else tells them.
    pub fn named_secrets<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> BTreeSet<String> {
        for path in paths {
            self.get(path);
        }
        let mut values = BTreeSet::new();
        for (path, text) in self.texts.borrow().iter().filter_map(|(path, text)| Some((path, text.as_ref()?))) {
            let context = text.context.get_or_init(|| FileContext::of(path, &text.text));
            values.extend(context.named_values(&text.text).map(str::to_owned));
        }
        values
    }

    fn get(&self, path: &str) -> Option<Text> {
        if let Some(text) = self.texts.borrow().get(path) {
            return text.clone();
        }
        let text = (self.read)(path).map(|bytes| {
            let text: Rc<str> = Rc::from(String::from_utf8_lossy(&bytes).as_ref());
            let ends = text.split_inclusive('\n').scan(0, |at, line| {
                *at += line.len();
                Some(*at)
            });
            let starts = std::iter::once(0).chain(ends).collect();
            Text { text, starts, context: Rc::default() }
        });
        self.texts.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_where_they_end() {
        let sources = Sources::new(|path| (path == "a.py").then(|| b"one\r\n  two\n\nfour".to_vec()));
        assert_eq!(sources.line("a.py", 2).as_deref(), Some("two"));
        assert_eq!(sources.line("a.py", 4).as_deref(), Some("four"));
        assert_eq!((sources.line("a.py", 0), sources.line("a.py", 5), sources.line("b.py", 1)), (None, None, None));
        assert_eq!(sources.word("a.py", 2, 2).as_deref(), Some("two"));
        assert_eq!((sources.word("a.py", 2, 0).as_deref(), sources.word("a.py", 9, 0)), (Some(""), None));
        assert_eq!(sources.lines("a.py", 2, 3).as_deref(), Some("  two\n\n"));
        assert_eq!(sources.lines("a.py", 3, 99).as_deref(), Some("\nfour"));
        assert_eq!(sources.lines("a.py", 9, 3).as_deref(), Some(""));
    }
}
