//! Sections of documents, by their place and by their title, with their text.

use serde::Serialize;

use crate::{
    query::{source::Sources, target::place},
    store::{Store, error::StoreError},
    texts::{
        documents::{is_converted, is_document, sections},
        secrets::prose_without_secrets,
    },
};

/// The answer, as JSON too.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct SectionReport {
    pub schema: &'static str,
    pub schema_version: u32,
    /// The place or title that was asked for.
    pub target: String,
    /// The sections that it means; with their text where it is one.
    pub sections: Vec<ShownSection>,
}

/// A section of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ShownSection {
    pub title: String,
    /// The titles above it.
    pub above: String,
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    /// Names of code that it mentions.
    pub names: Vec<String>,
    /// `None` when the file cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The sections that a text means: a place in a document, a document, or a title, in any case; `None` for another text.
/// `folder` is that of the user.
pub fn sections_called(
    store: &Store,
    sources: &Sources,
    text: &str,
    folder: &str,
) -> Result<Option<SectionReport>, StoreError> {
    let by_place = match place(text) {
        Some((path, line)) if is_document(path) => Some((path, line)),
        _ => is_document(text).then_some((text, None)),
    };
    let mut found = store.sections()?;
    if let Some((path, line)) = by_place {
        let inside = format!("{folder}/{path}");
        let is_exact = |known: &str| known == path || known == inside;
        let ending = format!("/{path}");
        let has_exact = found.iter().any(|(known, _)| is_exact(known));
        found.retain(|(known, _)| is_exact(known) || !has_exact && known.ends_with(&ending));
        if let Some(line) = line {
            // The empty lines between two sections belong to the first.
            let begun = found.iter().filter(|(_, section)| section.start_line <= line);
            let last = begun.map(|(_, section)| section.start_line).max();
            found.retain(|(_, section)| Some(section.start_line) == last);
            // Beyond the end there is none.
            let count = found.first().and_then(|(known, _)| sources.text(known)).map(|text| text.lines().count());
            found.retain(|_| count.is_none_or(|count| line as usize <= count));
        }
    } else {
        let is_it = |title: &str, above: &str| {
            let whole = format!("{above} / {title}");
            title.eq_ignore_ascii_case(text) || whole.eq_ignore_ascii_case(text)
        };
        found.retain(|(_, section)| is_it(&section.title, &section.above));
    }
    let is_one = found.len() == 1;
    // A piece of a private key may look like a name.
    let names = |path: &str, (first, last): (u32, u32), names: Vec<String>| -> Vec<String> {
        match (sources.lines(path, first, last), sources.shown_lines(path, first, last)) {
            (Some(raw), Some(shown)) if raw != shown => {
                names.into_iter().filter(|name| shown.contains(name.as_str())).collect()
            }
            _ => names,
        }
    };
    let shown = |(path, section): (String, crate::store::search::documents::SectionSummary)| {
        let lines = (section.start_line, section.end_line);
        let text = if is_one { section_text(sources, &path, &section.title, lines) } else { None };
        let (start_line, end_line) = lines;
        let names = names(&path, lines, section.names);
        ShownSection { title: section.title, above: section.above, path, start_line, end_line, names, text }
    };
    let sections: Vec<ShownSection> = found.into_iter().map(shown).collect();
    let report = SectionReport { schema: "repoidx.section", schema_version: 1, target: text.to_owned(), sections };
    Ok(Some(report).filter(|report| !report.sections.is_empty()))
}

/// The text of a section as people read it: its lines, or what is left of them without the markup of HTML, TeX and
/// notebooks. Secrets are replaced.
pub fn section_text(sources: &Sources, path: &str, title: &str, lines: (u32, u32)) -> Option<String> {
    if !is_converted(path) {
        return sources.shown_lines(path, lines.0, lines.1);
    }
    let all = sections(path, sources.text(path)?.as_bytes());
    let fields = all.into_iter().map(|section| section.fields);
    let mut here = fields.filter(|fields| (fields.start_line, fields.end_line) == lines);
    let section = here.find(|fields| fields.name == title)?;
    Some(prose_without_secrets(&format!("{}{}", section.doc, section.body)).into_owned())
}
