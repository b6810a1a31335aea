//! HTML, TeX and notebooks as lines of Markdown.
//!
//! Each line of the file gives one line, so that places stay true. A notebook that is written in one line gives more,
//! and so does HTML, which tells where each comes from. Only headings, code and text matter; a tag or command that is
//! not known is left out.

use std::{iter::Peekable, str::Chars};

/// HTML without its tags, with the number of the line that each line comes from: a heading begins and ends a line,
/// wherever its tags stand. Scripts and styles give nothing.
pub(super) fn html(text: &str) -> Vec<(usize, String)> {
    let mut state = Html::default();
    let lines = text.lines().enumerate();
    lines.flat_map(|(at, line)| state.line(line).into_iter().map(move |line| (at, line))).collect()
}

#[derive(Default)]
struct Html {
    /// Inside a tag that began on an earlier line, with its text so far.
    tag: Option<String>,
    /// The element whose content is no text: `script`, `style`.
    hidden: Option<&'static str>,
    /// The level of the heading that began on an earlier line.
    heading: usize,
    is_code: bool,
}

impl Html {
    fn line(&mut self, line: &str) -> Vec<String> {
        let was_code = self.is_code;
        let mut lines = Vec::new();
        let mut text = String::new();
        let mut rest = line;
        loop {
            if self.tag.is_none() {
                let Some(at) = rest.find('<') else {
                    if self.hidden.is_none() {
                        text.push_str(rest);
                    }
                    break;
                };
                if self.hidden.is_none() {
                    text.push_str(&rest[..at]);
                }
                rest = &rest[at + 1..];
                self.tag = Some(String::new());
            }
            let tag = self.tag.get_or_insert_default();
            let Some(end) = rest.find('>') else {
                tag.push_str(rest);
                break;
            };
            tag.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            let tag = self.tag.take().unwrap_or_default();
            // Blocks part words also where they share a line.
            if is_block(&tag) && !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
            let level = self.heading;
            self.apply(&tag);
            if level != self.heading {
                let done = std::mem::take(&mut text);
                lines.extend(Some(read_line(&done, level)).filter(|line| !line.is_empty()));
            }
        }
        let last = match (was_code, self.is_code) {
            // A fence takes a line of its own.
            (false, true) | (true, false) => {
                lines.extend(Some(read_line(&text, 0)).filter(|line| !line.is_empty()));
                "```".to_owned()
            }
            (true, true) => unescaped(text.trim_end()),
            (false, false) => read_line(&text, self.heading),
        };
        if lines.is_empty() || !last.is_empty() {
            lines.push(last);
        }
        lines
    }

    fn apply(&mut self, tag: &str) {
        let (name, is_end) = match tag.strip_prefix('/') {
            Some(name) => (name, true),
            None => (tag, false),
        };
        let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        if let Some(hidden) = self.hidden {
            if is_end && name == hidden {
                self.hidden = None;
            }
            return;
        }
        match (name.as_str(), is_end) {
            ("script", false) => self.hidden = Some("script"),
            ("style", false) => self.hidden = Some("style"),
            ("pre", is_end) => self.is_code = !is_end,
            (name, is_end) => {
                let level = name.strip_prefix('h').and_then(|level| level.parse().ok());
                if let Some(level @ 1..=6) = level {
                    self.heading = if is_end { 0 } else { level };
                }
            }
        }
    }
}

/// A line without white space around it, as a heading of `level` or, with level 0, as text.
fn read_line(text: &str, level: usize) -> String {
    let text = unescaped(text.trim());
    if level > 0 && !text.is_empty() { format!("{} {text}", "#".repeat(level)) } else { text }
}

/// Elements that stand inside a line of text.
const INLINE: [&str; 21] = [
    "a", "abbr", "b", "cite", "code", "del", "em", "font", "i", "img", "ins", "kbd", "mark", "q", "s", "samp", "small",
    "span", "strong", "tt", "var",
];

/// Whether a tag begins or ends more than a part of a line.
fn is_block(tag: &str) -> bool {
    let name = tag.trim_start_matches('/').split(|letter: char| !letter.is_ascii_alphanumeric()).next();
    let name = name.unwrap_or_default().to_lowercase();
    !name.is_empty() && INLINE.binary_search(&name.as_str()).is_err()
}

fn unescaped(text: &str) -> String {
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    plain.iter().fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain))
}

/// TeX without its commands and comments.
pub(super) fn tex(text: &str) -> Vec<String> {
    const LEVELS: [(&str, usize); 5] =
        [("\\chapter", 1), ("\\section", 2), ("\\subsection", 3), ("\\subsubsection", 4), ("\\paragraph", 5)];
    const CODE: [&str; 3] = ["{verbatim}", "{lstlisting}", "{minted}"];
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        let fence = |command: &str| {
            trimmed.strip_prefix(command).is_some_and(|rest| CODE.iter().any(|name| rest.starts_with(name)))
        };
        if fence("\\begin") || fence("\\end") {
            is_code = trimmed.starts_with("\\begin");
            lines.push("```".to_owned());
            continue;
        }
        if is_code {
            lines.push(line.to_owned());
            continue;
        }
        let heading = LEVELS.iter().find_map(|(command, level)| {
            let rest = trimmed.strip_prefix(command)?.trim_start_matches('*');
            rest.starts_with(['{', '[']).then_some((rest, level))
        });
        lines.push(match heading {
            Some((rest, level)) => format!("{} {}", "#".repeat(*level), without_commands(rest)),
            None => without_commands(trimmed),
        });
    }
    lines
}

/// A line of TeX as a reader sees it: what stands in the braces of commands stays.
fn without_commands(line: &str) -> String {
    let mut text = String::new();
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '%' => break,
            '{' | '}' | '$' => {}
            '~' => text.push(' '),
            '\\' => match letters.peek() {
                Some(next) if next.is_ascii_alphabetic() => {
                    let mut command = String::new();
                    while let Some(letter) = letters.next_if(char::is_ascii_alphabetic) {
                        command.push(letter);
                    }
                    if WITHOUT_TEXT.contains(&command.as_str()) {
                        skip_arguments(&mut letters);
                    }
                }
                Some(_) => text.extend(letters.next()),
                None => {}
            },
            letter => text.push(letter),
        }
    }
    text.trim().to_owned()
}

/// Commands of TeX whose arguments nobody reads.
const WITHOUT_TEXT: [&str; 11] = [
    "begin",
    "bibliography",
    "bibliographystyle",
    "documentclass",
    "end",
    "includegraphics",
    "include",
    "input",
    "label",
    "pagestyle",
    "usepackage",
];

/// Skips `[options]` and the first `{argument}`.
fn skip_arguments(letters: &mut Peekable<Chars<'_>>) {
    if letters.next_if_eq(&'[').is_some() {
        letters.by_ref().find(|letter| *letter == ']');
    }
    if letters.next_if_eq(&'{').is_some() {
        letters.by_ref().find(|letter| *letter == '}');
    }
}

/// A notebook: its Markdown cells as they are, its code cells as code. Outputs give nothing. Written as usual, one
/// source line a line, each line gives one.
pub(super) fn notebook(text: &str) -> Vec<String> {
    let lines = notebook_by_lines(text);
    if lines.iter().all(String::is_empty) { cells(text) } else { lines }
}

/// The cells of a notebook whose lines are not those of its sources.
fn cells(text: &str) -> Vec<String> {
    let Ok(notebook) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    let mut lines = Vec::new();
    for cell in notebook["cells"].as_array().into_iter().flatten() {
        let source = match &cell["source"] {
            serde_json::Value::String(source) => source.clone(),
            parts => parts.as_array().into_iter().flatten().filter_map(|part| part.as_str()).collect(),
        };
        let fence = if cell["cell_type"] == "code" { "```" } else { "" };
        lines.push(fence.to_owned());
        lines.extend(source.lines().map(str::to_owned));
        lines.push(fence.to_owned());
    }
    lines
}

fn notebook_by_lines(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut is_source = false;
    let mut is_open = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if is_source {
            let is_end = trimmed.starts_with(']');
            is_source = !is_end;
            // The line after the last one of a cell has room for the end of the code.
            let fence = if is_open && is_end { "```" } else { "" };
            is_open &= !is_end;
            lines.push(if is_end { fence.to_owned() } else { string_of(trimmed) });
            continue;
        }
        if let Some(kind) = trimmed.strip_prefix("\"cell_type\":") {
            is_code = kind.contains("\"code\"");
        }
        if trimmed.starts_with("\"source\": [") && !trimmed.ends_with("[]") && !trimmed.ends_with("[],") {
            is_source = true;
            is_open = is_code;
            lines.push(if is_code { "```".to_owned() } else { String::new() });
        } else {
            lines.push(String::new());
        }
    }
    lines
}

/// The text of a JSON string in a list, without its line end.
fn string_of(line: &str) -> String {
    let inside = line.trim_end_matches(',').strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let mut text = String::new();
    let mut letters = inside.unwrap_or_default().chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some('n' | 'r') | None => {}
            Some('t') => text.push('\t'),
            Some('u') => {
                let digits: String = letters.by_ref().take(4).collect();
                text.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            Some(other) => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_keeps_headings_text_and_code() {
        let text = "<html><head><style>p { x }</style>\n<script>\nvar x;\n</script></head>\n<h2 class='a'>Use <code>it</code></h2>\n<p>a &lt; b\n<a\n href='x'>c</a>\n<pre>\n  f()\n</pre>\n";
        assert_eq!(lines(text), ["", "", "", "", "## Use it", "a < b", "", "c", "```", "  f()", "```"]);
    }

    fn lines(text: &str) -> Vec<String> {
        html(text).into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn headings_part_a_page_in_one_line() {
        let text = "<title>T</title><h1>A</h1><p>one</p><h2>B</h2>two <b>x</b>\n<h2>C\nD</h2>";
        let expected = [(0, "T"), (0, "# A"), (0, "one"), (0, "## B"), (0, "two x"), (1, "## C"), (2, "## D")];
        assert_eq!(html(text), expected.map(|(at, line)| (at, line.to_owned())));
    }

    #[test]
    fn blocks_in_one_line_keep_their_words_apart() {
        assert_eq!(lines("<ul><li>one</li><li>t<b>w</b>o<br/>three</li></ul>"), ["one two three"]);
        assert!(INLINE.is_sorted());
    }

    #[test]
    fn tex_keeps_headings_text_and_code() {
        let text =
            "\\section*{The \\emph{Cart}} % x\nUse~\\texttt{add\\_all}.\n\\begin{verbatim}\n\\f{}\n\\end{verbatim}\n";
        assert_eq!(tex(text), ["## The Cart", "Use add_all.", "```", "\\f{}", "```"]);
        let frame =
            "\\documentclass[a4]{article}\n\\begin{document}\nHot.\\label{sec:x} \\emph{Air}.\n\\end{document}\n";
        assert_eq!(tex(frame), ["", "", "Hot. Air.", ""]);
    }

    #[test]
    fn notebooks_keep_the_sources_of_their_cells() {
        let text = "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"source\": [\n    \"# A \\\"b\\\"\\n\",\n    \"c\"\n   ]\n  },\n  {\n   \"cell_type\": \"code\",\n   \"outputs\": [\"x\"],\n   \"source\": [\n    \"f(1)\"\n   ]\n  }\n ]\n}\n";
        let lines = notebook(text);
        assert_eq!(lines.len(), text.lines().count());
        let shown: Vec<_> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        assert_eq!(shown, ["# A \"b\"", "c", "```", "f(1)", "```"]);
    }

    #[test]
    fn a_notebook_in_one_line_gives_the_lines_of_its_cells() {
        let text = r##"{"cells":[{"cell_type":"markdown","source":["# A\n","c"]},{"cell_type":"code","source":"f(1)\ng()"}]}"##;
        assert_eq!(notebook(text), ["", "# A", "c", "", "```", "f(1)", "g()", "```"]);
    }

    #[test]
    fn broken_texts_are_no_error() {
        for text in [
            "",
            "<",
            "<h1",
            "</pre>",
            "<h9>x",
            "\\",
            "\\section",
            "\\section{",
            "\"source\": [",
            "\"source\": [\n\"\\u12",
            "{\"cells\":[{}]}",
        ] {
            html(text);
            tex(text);
            notebook(text);
        }
    }
}
