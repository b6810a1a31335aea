//! The lines of a prompt that say where a piece of source stands.
//!
//! The pieces of a file share one block under the path of the first. A comment above each further piece gives its
//! lines, kind and name. The reason for showing a piece follows only where it differs from that of the piece before.

use crate::{
    ask::context::{ContextSnippet, SnippetForm, tokens::tokens},
    store::read::Entity,
};

/// Writes the header of each piece, in the order in which the pieces stand in the prompt.
pub(super) fn write(snippets: &mut [ContextSnippet]) {
    let paths: Vec<String> = snippets.iter().map(|snippet| snippet.path.clone()).collect();
    let mut before = String::new();
    for (at, snippet) in snippets.iter_mut().enumerate() {
        snippet.is_first_of_file = at == 0 || paths[at - 1] != paths[at];
        snippet.is_last_of_file = paths.get(at + 1) != Some(&paths[at]);
        let label = label(snippet.why, snippet.form);
        let shown = if label == before { "" } else { label.as_str() };
        let start = if snippet.is_first_of_file { format!("{}:", snippet.path) } else { "# ".to_owned() };
        let (lines, qualified) = ((snippet.start_line, snippet.end_line), &snippet.qualified);
        snippet.header = format!("{start}{}{shown}", described(lines, snippet.kind, qualified));
        before = label;
    }
}

/// The tokens that the headers take of the prompt.
pub fn header_tokens(snippets: &[ContextSnippet]) -> usize {
    snippets.iter().map(|snippet| tokens(&format!("{}\n", snippet.header))).sum()
}

/// The part of a text that headers take, in percent.
pub fn share(headers: usize, text: usize) -> String {
    let tenths = headers * 1000 / text.max(1);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// The longest header that this piece can have behind its path.
pub(super) fn longest(entity: &Entity, qualified: &str, why: &str) -> String {
    let record = &entity.record;
    let described = described((record.start_line, record.end_line), record.kind.as_str(), qualified);
    format!("# {described}{}", label(why, SnippetForm::Outline))
}

fn described((first, last): (u32, u32), kind: &str, qualified: &str) -> String {
    let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
    format!("{lines} {kind} {qualified}")
}

fn label(why: &str, form: SnippetForm) -> String {
    match form {
        SnippetForm::Full => format!(", {why}"),
        form => format!(", {why}, {}", form.as_str()),
    }
}
