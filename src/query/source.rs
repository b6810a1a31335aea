//! Lines of source files, read once.
//!
//! Goes in: a way to read a file by its path. Comes out: lines and ranges of lines. A file that cannot be read has no
//! lines; nobody fails for it. Does not know where files lie.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

type Read<'a> = dyn Fn(&str) -> Option<Vec<u8>> + 'a;

/// Files as they are now.
pub struct Sources<'a> {
    read: Box<Read<'a>>,
    texts: RefCell<FxHashMap<String, Option<Rc<str>>>>,
}

impl<'a> Sources<'a> {
    /// Sources that `read` yields by path.
    pub fn new(read: impl Fn(&str) -> Option<Vec<u8>> + 'a) -> Self {
        Self { read: Box::new(read), texts: RefCell::default() }
    }

    /// The whole text; bytes that are not UTF-8 are replaced.
    pub fn text(&self, path: &str) -> Option<Rc<str>> {
        if let Some(text) = self.texts.borrow().get(path) {
            return text.clone();
        }
        let text = (self.read)(path).map(|bytes| Rc::from(String::from_utf8_lossy(&bytes).as_ref()));
        self.texts.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }

    /// One line without its end and without the white space around it; 1-based.
    pub fn line(&self, path: &str, line: u32) -> Option<String> {
        let text = self.text(path)?;
        text.lines().nth(line.checked_sub(1)? as usize).map(|line| line.trim().to_owned())
    }

    /// The lines `start..=end`, each with its end; 1-based.
    pub fn lines(&self, path: &str, start: u32, end: u32) -> Option<String> {
        let text = self.text(path)?;
        let count = (end + 1).saturating_sub(start) as usize;
        Some(text.split_inclusive('\n').skip(start.saturating_sub(1) as usize).take(count).collect())
    }
}
