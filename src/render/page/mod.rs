//! The page that shows an impact or a review: one file that needs nothing else.
//!
//! Goes in: a report, the sources, and the page's style and script. Comes out: values for `templates/page.html.j2`: the
//! words above the picture, and everything else as JSON that the script draws. Knows nothing of HTML: the template
//! escapes what stands in it, and the JSON has no character that could end a script.
//!
//! The page allows itself exactly this style and this script, by their digests: were there a way to slip markup past the
//! escaping, it would not run and could not ask the network for anything.

mod data;
mod impact;
mod review;

pub use impact::impact;
pub use review::review;

use base64::{Engine, engine::general_purpose::STANDARD};
use ring::digest::{SHA256, digest};
use serde::Serialize;

use crate::{
    query::impact::completeness::{Boundary, Completeness},
    render::{escape::visible, page::data::Data},
};

/// What a page is made of besides its report.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub style: String,
    pub script: String,
    pub links: Links,
}

/// How a place becomes a link.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Links {
    /// An address with `{path}` (absolute), `{relative}` (in the repository) and `{line}`; empty for no links.
    pub pattern: String,
    /// Absolute path of the working tree, with `/` between the parts.
    pub root: String,
}

/// Everything the page says.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    pub heading: PageHeading,
    pub summary: String,
    pub completeness: &'static str,
    pub is_complete: bool,
    /// What limits the answer, a sentence each.
    pub boundaries: Vec<String>,
    pub style: String,
    pub style_digest: String,
    pub script: String,
    pub script_digest: String,
    /// Reads as JSON, and holds neither `<` nor `&`.
    pub data: String,
}

/// The question, with the name in the middle.
#[derive(Clone, Debug, Serialize)]
pub struct PageHeading {
    pub before: String,
    pub subject: String,
    pub after: String,
}

impl Page {
    fn new(
        heading: PageHeading,
        summary: String,
        completeness: Completeness,
        boundaries: &[Boundary],
        data: &Data,
        frame: &Frame,
    ) -> Self {
        let limits = boundaries.iter().map(|boundary| {
            let paths = boundary.paths.iter().map(|path| visible(path).into_owned());
            let paths = paths.collect::<Vec<_>>().join(", ");
            let colon = if paths.is_empty() { "" } else { ": " };
            format!("{}{colon}{paths}", visible(&boundary.message))
        });
        Self {
            heading,
            summary,
            completeness: match completeness {
                Completeness::Exact => "complete",
                Completeness::LowerBound => "at least this much (lower bound)",
                Completeness::Unknown => "could not tell (unknown)",
            },
            is_complete: completeness == Completeness::Exact,
            boundaries: limits.collect(),
            style_digest: sha256(&frame.style),
            style: frame.style.clone(),
            script_digest: sha256(&frame.script),
            script: frame.script.clone(),
            data: embedded(data),
        }
    }
}

/// JSON that may stand inside of a `<script>`.
fn embedded(data: &Data) -> String {
    let json = serde_json::to_string(data).expect("plain data has a JSON form");
    let mut safe = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => safe.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => safe.push(c),
        }
    }
    safe
}

/// The digest by which a Content-Security-Policy knows a text.
fn sha256(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(digest(&SHA256, text.as_bytes())))
}
