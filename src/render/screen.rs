//! The abilities of the output: colors, links, and the size of an answer.
//!
//! Colors and links vanish in a pipe.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal},
};

use anstyle::{AnsiColor, Style};

use crate::render::{escape::visible_path, sheet::Budget};

/// A choice between letting the program decide and forcing it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// The destination of text output. The default is plain text without limits, as for a pipe.
#[derive(Clone, Debug, Default)]
pub struct Screen {
    pub is_terminal: bool,
    pub has_color: bool,
    /// Absolute path of the worktree when paths are shown as links.
    pub link_root: Option<String>,
    /// Form of a link, with `{path}` and `{line}`.
    pub link_format: String,
    /// The size of an answer, the same for a terminal and a pipe.
    pub budget: Budget,
    /// Rows shown of one list where an answer has no budget; `None` shows all.
    pub row_limit: Option<usize>,
}

impl Screen {
    /// The screen behind standard output.
    pub fn stdout(color: When, links: When, link_format: &str, root: Option<&str>, row_limit: usize) -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        let has_color = match color {
            When::Always => true,
            When::Never => false,
            When::Auto => anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
        };
        let has_links = match links {
            When::Always => true,
            When::Never => false,
            When::Auto => is_terminal && has_color,
        };
        Self {
            is_terminal,
            has_color,
            link_root: root.filter(|_| has_links).map(str::to_owned),
            link_format: link_format.to_owned(),
            // Lists of answers without a budget are whole in a pipe.
            row_limit: is_terminal.then_some(row_limit),
            budget: Budget::Lines(row_limit),
        }
    }

    /// `text` in `ink`, or unchanged without colors. The text must be visible already.
    pub fn paint(&self, ink: Ink, text: &str) -> String {
        if !self.has_color || text.is_empty() {
            return text.to_owned();
        }
        let style = ink.style();
        format!("{}{text}{}", style.render(), style.render_reset())
    }

    /// `path:line`, as a link where links work.
    pub fn place(&self, path: &str, line: u32) -> String {
        self.link(path, line, &format!("{}:{line}", visible_path(path)))
    }

    /// A file's path, as a link where links work.
    pub fn file(&self, path: &str) -> String {
        self.link(path, 1, &visible_path(path))
    }

    /// `text` as a link to a place, where links work.
    pub(super) fn link(&self, path: &str, line: u32, text: &str) -> String {
        let text = self.paint(Ink::Place, text);
        let Some(root) = &self.link_root else { return text };
        // A quoted path is no path that an editor could open.
        if path.starts_with('"') {
            return text;
        }
        let file = percent_encoded(&format!("{root}/{path}"));
        let address = self.link_format.replace("{path}", &file).replace("{line}", &line.to_string());
        format!("\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\")
    }

    /// Shows everything.
    pub fn lift_limits(&mut self) {
        self.row_limit = None;
        self.budget = Budget::All;
    }

    /// Number of `count` rows to show. A list is not cut for the sake of two rows.
    pub fn shown(&self, count: usize) -> usize {
        self.row_limit.filter(|limit| count > limit + 2).unwrap_or(count)
    }
}

/// The roles of text in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    Heading,
    Name,
    Place,
    Faint,
    Good,
    Warning,
    Bad,
}

impl Ink {
    fn style(self) -> Style {
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        match self {
            Self::Heading => Style::new().bold(),
            Self::Name => color(AnsiColor::Cyan),
            Self::Place => color(AnsiColor::Magenta),
            Self::Faint => Style::new().dimmed(),
            Self::Good => color(AnsiColor::Green),
            Self::Warning => color(AnsiColor::Yellow),
            Self::Bad => color(AnsiColor::Red),
        }
    }
}

/// A path in the form of a URI.
pub(super) fn percent_encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("writing to a String cannot fail");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_gets_plain_text_without_limits() {
        let screen = Screen::default();
        assert_eq!(screen.paint(Ink::Bad, "x"), "x");
        assert_eq!(screen.place("a b.py", 3), "a b.py:3");
        assert_eq!(screen.shown(10_000), 10_000);
    }

    #[test]
    fn links_are_percent_encoded() {
        let screen = Screen {
            link_root: Some("/r".to_owned()),
            link_format: "file://{path}#{line}".to_owned(),
            ..Screen::default()
        };
        assert_eq!(screen.place("a b.py", 3), "\x1b]8;;file:///r/a%20b.py#3\x1b\\a b.py:3\x1b]8;;\x1b\\");
    }
}
