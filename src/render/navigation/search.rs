//! Hits of a search as text.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
    query::search::{Explanation, Hit, LineRange, SearchReport},
    render::{
        escape::visible,
        screen::{Ink, Screen},
    },
};

/// An answer of a batch.
#[derive(Debug, Serialize)]
pub struct BatchLine<'a> {
    pub id: &'a serde_json::Value,
    pub hits: &'a [Hit],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub missing: &'a [String],
}

/// Characters of a docstring that are shown.
const MAX_DOC: usize = 200;
/// Features of an explained hit that are shown, the largest first.
const SHOWN: usize = 5;

/// Writes the whole report.
pub fn text(out: &mut dyn Write, report: &SearchReport, screen: &Screen) -> io::Result<()> {
    for hit in &report.hits {
        let name = screen.paint(Ink::Heading, &visible(&hit.name));
        let place = match &hit.repository {
            // Links are built for one root, which another repository does not have.
            Some(repository) => format!("{}: {}:{}", visible(repository), visible(&hit.path), hit.start_line),
            None => screen.place(&hit.path, hit.start_line),
        };
        writeln!(out, "{name}  {}  {place}-{}", hit.kind, hit.end_line)?;
        if !hit.doc.is_empty() {
            writeln!(out, "    {}", visible(&shortened(&hit.doc)))?;
        }
        if let Some(LineRange { start_line, end_line }) = hit.nearest {
            writeln!(out, "    nearest: lines {start_line}-{end_line}")?;
        }
        if !hit.links.is_empty() {
            writeln!(out, "    names {}", visible(&hit.links.join(", ")))?;
        }
        if let Some(explanation) = &hit.explain {
            writeln!(out, "    score {:.2}: {}", hit.score, explained(explanation))?;
        }
    }
    if report.hits.is_empty() {
        writeln!(out, "nothing here fits the question")?;
    }
    if report.more > 0 {
        writeln!(out, "and {} more; --limit shows them", report.more)?;
    }
    for missing in &report.missing {
        writeln!(out, "note: {}", visible(missing))?;
    }
    Ok(())
}

/// As many first sentences as are short together; of a long first sentence its beginning.
fn shortened(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_DOC) else { return text.to_owned() };
    match (text[..end].rfind(". "), text[..end].rfind(' ')) {
        (Some(sentence), _) if sentence > MAX_DOC / 4 => text[..=sentence].to_owned(),
        (_, Some(word)) => format!("{}…", &text[..word]),
        _ => format!("{}…", &text[..end]),
    }
}

fn explained(explanation: &Explanation) -> String {
    let rank = |list: &str, rank: Option<usize>| match rank {
        Some(rank) => format!("{list} {rank}"),
        None => format!("{list} -"),
    };
    let mut parts = vec![rank("words", explanation.lexical_rank), rank("meaning", explanation.vector_rank)];
    if explanation.named {
        parts.insert(0, "named".to_owned());
    }
    let mut added: Vec<(&&str, &f64)> = explanation.parts.iter().filter(|(_, part)| **part != 0.0).collect();
    added.sort_by(|(a, x), (b, y)| y.abs().total_cmp(&x.abs()).then(a.cmp(b)));
    parts.extend(added.iter().take(SHOWN).map(|(name, part)| format!("{name} {part:+.2}")));
    parts.join(", ")
}
