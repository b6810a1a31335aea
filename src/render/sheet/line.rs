//! A line of text in parts, so that its width does not depend on colors and links.

use crate::render::{
    escape::visible_path,
    screen::{Ink, Screen},
};

/// A line without its end. Text of a repository must be visible already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line(Vec<Span>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Span {
    Text(String),
    Inked(Ink, String),
    Place { path: String, line: u32, text: String },
}

impl Span {
    fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Inked(_, text) | Self::Place { text, .. } => text,
        }
    }

    fn with_text(&self, text: String) -> Self {
        match self {
            Self::Text(_) => Self::Text(text),
            Self::Inked(ink, _) => Self::Inked(*ink, text),
            Self::Place { path, line, .. } => Self::Place { path: path.clone(), line: *line, text },
        }
    }
}

impl Line {
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self::default().text(text)
    }

    #[must_use]
    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Text(text.into()));
        self
    }

    #[must_use]
    pub(crate) fn ink(mut self, ink: Ink, text: impl Into<String>) -> Self {
        self.0.push(Span::Inked(ink, text.into()));
        self
    }

    /// `path:line`, a link where links work.
    #[must_use]
    pub(crate) fn place(self, path: &str, line: u32) -> Self {
        let text = format!("{}:{line}", visible_path(path));
        self.place_as(path, line, text)
    }

    /// A place under another text.
    #[must_use]
    pub(crate) fn place_as(mut self, path: &str, line: u32, text: impl Into<String>) -> Self {
        self.0.push(Span::Place { path: path.to_owned(), line, text: text.into() });
        self
    }

    #[must_use]
    pub(crate) fn then(mut self, other: Line) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The line without colors and links.
    pub(crate) fn plain(&self) -> String {
        self.0.iter().map(Span::text).collect()
    }

    /// Number of characters.
    pub(crate) fn width(&self) -> usize {
        self.0.iter().map(|span| span.text().chars().count()).sum()
    }

    /// The line in at most `width` characters; `…` stands for the rest.
    #[must_use]
    pub(crate) fn cut(self, width: usize) -> Self {
        if self.width() <= width {
            return self;
        }
        let mut room = width.saturating_sub(1);
        let mut kept = Vec::new();
        for span in self.0 {
            let length = span.text().chars().count();
            if length > room {
                kept.push(span.with_text(span.text().chars().take(room).collect()));
                break;
            }
            room -= length;
            kept.push(span);
        }
        kept.push(Span::Text("…".to_owned()));
        Self(kept)
    }

    /// The line as the screen shows it.
    pub(crate) fn on(&self, screen: &Screen) -> String {
        let shown = self.0.iter().map(|span| match span {
            Span::Text(text) => text.clone(),
            Span::Inked(ink, text) => screen.paint(*ink, text),
            Span::Place { path, line, text } => screen.link(path, *line, text),
        });
        shown.collect()
    }
}

/// A text in at most `width` characters; `…` stands for the rest.
pub(crate) fn cut(text: &str, width: usize) -> String {
    Line::of(text).cut(width).plain()
}

/// Joins `parts` with `separator` to lines of at most `width` characters. A part is never divided.
pub(crate) fn wrapped(parts: Vec<Line>, separator: &str, indent: &str, width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for part in parts {
        match lines.pop() {
            Some(line) if line.width() + separator.chars().count() + part.width() <= width => {
                lines.push(line.text(separator).then(part));
            }
            last => {
                lines.extend(last.map(|line| line.text(separator.trim_end())));
                lines.push(Line::of(indent).then(part));
            }
        }
    }
    lines
}
