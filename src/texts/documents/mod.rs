//! The sections of a document, cut at their headings: Markdown, reStructuredText, plain text, HTML, TeX, notebooks.
//!
//! Each section is one chunk with the text up to the next heading, and with the names of code in it. Lines are read one
//! by one, without a parser: a missed heading only makes a section longer.

mod converted;

use std::{borrow::Cow, collections::BTreeSet};

use super::{TextFields, secrets::prose_without_secrets};

/// A section of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSection {
    /// Title as name, titles above it as owner, prose as documentation, code as body.
    pub fields: TextFields,
    /// Names of code that are mentioned, sorted.
    pub names: Vec<String>,
}

/// Longer sections are cut at an empty line.
const LONGEST: usize = 120;
/// Characters of a title.
const MAX_TITLE: usize = 120;
/// Names of one section that are kept.
const MAX_NAMES: usize = 200;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Markup {
    Markdown,
    Rst,
    Plain,
    Html,
    Tex,
    Notebook,
}

/// Whether a file of this name is a document.
pub fn is_document(path: &str) -> bool {
    markup(path).is_some()
}

/// The markup language of a document, as shown to people.
pub fn markup_of(path: &str) -> Option<&'static str> {
    markup(path).map(|markup| match markup {
        Markup::Markdown => "markdown",
        Markup::Rst => "rst",
        Markup::Plain => "text",
        Markup::Html => "html",
        Markup::Tex => "tex",
        Markup::Notebook => "notebook",
    })
}

/// Whether the lines of a document are markup that people do not read.
pub fn is_converted(path: &str) -> bool {
    matches!(markup(path), Some(Markup::Html | Markup::Tex | Markup::Notebook))
}

fn markup(path: &str) -> Option<Markup> {
    match path.rsplit_once('.')?.1 {
        "md" | "markdown" => Some(Markup::Markdown),
        "rst" => Some(Markup::Rst),
        "txt" => Some(Markup::Plain),
        "html" | "htm" => Some(Markup::Html),
        "tex" => Some(Markup::Tex),
        "ipynb" => Some(Markup::Notebook),
        _ => None,
    }
}

/// The sections of a document, in its order.
pub fn sections(path: &str, bytes: &[u8]) -> Vec<DocumentSection> {
    let Some(markup) = markup(path) else { return Vec::new() };
    let text = String::from_utf8_lossy(bytes);
    let (places, converted): (Vec<usize>, Option<Vec<String>>) = match markup {
        Markup::Html => {
            let (places, lines) = converted::html(&text).into_iter().unzip();
            (places, Some(lines))
        }
        Markup::Tex => (Vec::new(), Some(converted::tex(&text))),
        Markup::Notebook => (Vec::new(), Some(converted::notebook(&text))),
        Markup::Markdown | Markup::Rst | Markup::Plain => (Vec::new(), None),
    };
    // A line of HTML can give several.
    let place = |line: usize| places.get(line).copied().unwrap_or(line);
    // A notebook in one line has more lines converted than it is long: all of them stand there.
    let last = number(text.lines().count()).max(1);
    let (lines, markup): (Vec<&str>, Markup) = match &converted {
        Some(lines) => (lines.iter().map(String::as_str).collect(), Markup::Markdown),
        None => (text.lines().collect(), markup),
    };
    let headings = headings(&lines, markup);
    let file_title = path.rsplit('/').next().unwrap_or(path);
    let path_words = path.rsplit_once('.').map_or(path, |(stem, _)| stem).replace('/', " ");
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut sections = Vec::new();
    let before = MarkupHeading { line: 0, level: usize::MAX, title: String::new() };
    let ends = headings.iter().map(|heading| heading.line).chain([lines.len()]);
    for (heading, end) in [&before].into_iter().chain(&headings).zip(ends) {
        if heading.level != usize::MAX {
            above.retain(|(level, _)| *level < heading.level);
        }
        let owner = above.iter().map(|(_, title)| title.as_str()).collect::<Vec<_>>().join(" / ");
        for (start, end) in parts(&lines, heading.line, end) {
            let title = if heading.title.is_empty() { file_title } else { &heading.title };
            let (prose, code, names) = read(&lines[start..end], markup);
            sections.push(DocumentSection {
                fields: TextFields {
                    ordinal: u32::try_from(sections.len()).unwrap_or(u32::MAX),
                    piece: 0,
                    start_line: (number(place(start)) + 1).min(last),
                    end_line: (number(place(end - 1)) + 1).min(last),
                    name: title.to_owned(),
                    owner: owner.clone(),
                    path: path_words.clone(),
                    signature: String::new(),
                    doc: prose,
                    body: code,
                },
                names,
            });
        }
        if heading.level != usize::MAX {
            above.push((heading.level, heading.title.clone()));
        }
    }
    sections
}

struct MarkupHeading {
    /// 0-based: where the section begins, an overline included.
    line: usize,
    /// Smaller is further out.
    level: usize,
    title: String,
}

fn headings(lines: &[&str], markup: Markup) -> Vec<MarkupHeading> {
    let mut headings: Vec<MarkupHeading> = Vec::new();
    let mut fence: Option<&str> = None;
    // Of reStructuredText: adornments in the order of their first occurrence.
    let mut adornments: Vec<(char, bool)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if markup == Markup::Markdown {
            match fence {
                Some(mark) => {
                    if trimmed.starts_with(mark) {
                        fence = None;
                    }
                    continue;
                }
                None => fence = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)),
            }
            let level = trimmed.bytes().take_while(|byte| *byte == b'#').count();
            if (1..=6).contains(&level) && trimmed[level..].starts_with([' ', '\t']) && !line.starts_with("    ") {
                let title = plain_title(trimmed[level..].trim().trim_end_matches('#'));
                headings.push(MarkupHeading { line: at, level, title });
                continue;
            }
        }
        let Some(mark) = adornment(line).filter(|_| at > 0) else { continue };
        let title = lines[at - 1];
        let is_title = !title.trim().is_empty() && adornment(title).is_none();
        let is_long_enough = line.trim_end().chars().count() + 1 >= title.trim_end().chars().count();
        if markup == Markup::Markdown {
            // Setext: only directly below one line of text that no list or quotation begins.
            let is_setext =
                matches!(mark, '=' | '-') && is_title && !title.starts_with([' ', '>', '-', '*', '|', '\t']);
            let is_alone = at < 2 || lines[at - 2].trim().is_empty();
            if is_setext && is_alone && !title.starts_with('#') {
                headings.push(MarkupHeading {
                    line: at - 1,
                    level: if mark == '=' { 1 } else { 2 },
                    title: plain_title(title),
                });
            }
            continue;
        }
        let has_overline = at > 1 && adornment(lines[at - 2]) == Some(mark);
        let starts_freely = has_overline || at < 2 || lines[at - 2].trim().is_empty();
        if is_title && is_long_enough && starts_freely && (has_overline || !title.starts_with([' ', '\t'])) {
            let key = (mark, has_overline);
            let level = adornments.iter().position(|known| *known == key).unwrap_or_else(|| {
                adornments.push(key);
                adornments.len() - 1
            });
            let line = if has_overline { at - 2 } else { at - 1 };
            headings.push(MarkupHeading { line, level: level + 1, title: plain_title(title) });
        }
    }
    headings
}

/// The character that a line repeats, at least three times and nothing else.
fn adornment(line: &str) -> Option<char> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    (line.len() >= 3 && line.chars().all(|character| character == mark)).then_some(mark)
}

fn plain_title(title: &str) -> String {
    let plain: String = title.chars().filter(|character| !matches!(character, '`' | '*')).collect();
    plain.trim().chars().take(MAX_TITLE).collect()
}

/// A section in pieces that are not too long, without the empty ones; 0-based, the end not included.
fn parts(lines: &[&str], start: usize, end: usize) -> Vec<(usize, usize)> {
    let (mut parts, mut from) = (Vec::new(), start);
    for (at, line) in lines.iter().enumerate().take(end).skip(start) {
        if at - from >= LONGEST && line.trim().is_empty() {
            parts.push((from, at));
            from = at;
        }
    }
    parts.push((from, end));
    for (from, to) in &mut parts {
        while from < to && lines[*from].trim().is_empty() {
            *from += 1;
        }
        while from < to && lines[*to - 1].trim().is_empty() {
            *to -= 1;
        }
    }
    parts.retain(|(from, to)| from < to);
    parts
}

/// Prose, code, and the names of code in both. A secret is no name.
fn read(lines: &[&str], markup: Markup) -> (String, String, Vec<String>) {
    let (mut prose, mut code, mut names) = (String::new(), String::new(), BTreeSet::new());
    let mut is_fenced = false;
    let has_secret = matches!(prose_without_secrets(&lines.join("\n")), Cow::Owned(_));
    for line in lines {
        let trimmed = line.trim();
        if markup == Markup::Markdown && (trimmed.starts_with("```") || trimmed.starts_with("~~~")) {
            is_fenced = !is_fenced;
            continue;
        }
        if adornment(line).is_some() {
            continue;
        }
        let is_indented = line.starts_with("    ") && !trimmed.starts_with(['-', '*', '+']);
        let text = if is_fenced || is_indented { &mut code } else { &mut prose };
        text.push_str(trimmed);
        text.push('\n');
        let named = if has_secret { prose_without_secrets(trimmed) } else { Cow::Borrowed(trimmed) };
        each_name(&named, is_fenced || is_indented, &mut |name| {
            if !name.starts_with("REDACTED_") {
                names.insert(name.to_owned());
            }
        });
    }
    (prose, code, names.into_iter().take(MAX_NAMES).collect())
}

/// Calls `visit` with words that can only be names of code: with an underscore or dots, called, in mixed case, or
/// quoted as code.
fn each_name(line: &str, is_code: bool, visit: &mut dyn FnMut(&str)) {
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == '.';
    let mut at = 0;
    while let Some(start) = line[at..].find(|character: char| character.is_alphabetic() || character == '_') {
        let start = at + start;
        let length = line[start..].find(|character| !is_part(character)).unwrap_or(line.len() - start);
        let end = start + length;
        let name = line[start..end].trim_matches('.');
        let is_quoted = line[..start].ends_with(['`', '~']) || line[end..].starts_with('`');
        let is_called = line[end..].starts_with('(');
        let has_hump = name.chars().zip(name.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
        let is_joined = name.contains('_') || (name.contains('.') && (is_code || is_quoted || is_called));
        if name.len() > 2 && (is_quoted || is_called || has_hump || is_joined) {
            visit(name);
        }
        at = end;
    }
}

fn number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(path: &str, text: &str) -> Vec<String> {
        let line = |section: &DocumentSection| {
            let TextFields { name, owner, start_line, end_line, .. } = &section.fields;
            format!("{start_line}-{end_line} {owner} > {name}")
        };
        sections(path, text.as_bytes()).iter().map(line).collect()
    }

    #[test]
    fn markdown_is_cut_at_both_kinds_of_headings_and_not_inside_code() {
        let text = "intro\n\n# Guide\nText.\n\n```sh\n# no heading\n```\n\n## Use `it`\nmore\n\nSecond\n======\n\n- item\n---\nlast\n";
        assert_eq!(
            outline("docs/guide.md", text),
            ["1-1  > guide.md", "3-8  > Guide", "10-11 Guide > Use it", "13-18  > Second"]
        );
    }

    #[test]
    fn restructured_text_levels_are_those_of_first_occurrence() {
        let text = "=====\nTitle\n=====\n\nText\n\nPart\n----\na\n\nInner\n~~~~~\nb\n\nOther\n-----\nc\n";
        assert_eq!(
            outline("x.rst", text),
            ["1-5  > Title", "7-9 Title > Part", "11-13 Title / Part > Inner", "15-17 Title > Other"]
        );
    }

    #[test]
    fn prose_code_and_names_are_told_apart() {
        let text = "# Carts\nCall `Cart.add` or url_for, then `total()`.\nSee e.g. plain words, MyClass.\n\n    cart = Cart()\n";
        let section = &sections("a.md", text.as_bytes())[0];
        assert_eq!(section.fields.body, "cart = Cart()\n");
        assert!(section.fields.doc.contains("plain words"));
        assert_eq!(section.names, ["Cart", "Cart.add", "MyClass", "total", "url_for"]);
        let roles = sections("a.rst", b"Use :func:`~flask.url_for` and ``app.run``.\n");
        assert_eq!(roles[0].names, ["app.run", "flask.url_for"]);
    }

    #[test]
    fn a_notebook_in_one_line_has_its_sections_there() {
        let text = br##"{"cells":[{"cell_type":"markdown","source":"# Carts"},{"cell_type":"code","source":"Cart()\nTotal()"}]}"##;
        let found = sections("a.ipynb", text);
        let section = found.iter().find(|section| section.fields.name == "Carts").expect("the heading begins one");
        assert_eq!((section.fields.start_line, section.fields.end_line), (1, 1));
        assert_eq!(section.names, ["Cart", "Total"]);
    }

    #[test]
    fn long_sections_are_cut_at_empty_lines_and_nothing_gives_nothing() {
        let text = format!("# A\n{}", "line\n\n".repeat(150));
        let ranges: Vec<(u32, u32)> =
            sections("a.md", text.as_bytes()).iter().map(|s| (s.fields.start_line, s.fields.end_line)).collect();
        assert_eq!(ranges, [(1, 120), (122, 240), (242, 300)]);
        assert_eq!(sections("a.md", b"\n \n"), []);
        assert_eq!(sections("a.py", b"# x\n"), []);
        for text in ["===", "===\n", "#", "# ", "a\n===", "\u{feff}# T\n", "`", "```", "é_ü("] {
            for path in ["a.md", "a.rst", "a.txt", "a.html", "a.tex", "a.ipynb"] {
                sections(path, text.as_bytes());
            }
        }
    }
}
