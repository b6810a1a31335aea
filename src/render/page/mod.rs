//! The page of an impact or a review: one file without external parts.
//!
//! The template `templates/page.html.j2` gets the words above the picture as values, and everything else as JSON for
//! the script. The template escapes its values, and the JSON has no character that could end a script.
//!
//! The script draws a tree of SVG elements and no canvas: each node can be focused, read aloud and clicked by a test.
//!
//! The page allows only this style and this script, by their digests. Markup that slipped past the escaping could
//! neither run nor use the network.

mod data;
mod impact;
mod review;
mod sent;

pub use impact::impact;
pub use review::review;

use base64::{Engine, engine::general_purpose::STANDARD};
use ring::digest::{SHA256, digest};
use serde::Serialize;

use crate::{
    query::impact::completeness::{Boundary, Completeness, no_limit_known},
    render::{
        escape::visible,
        page::{data::Data, sent::SentData},
    },
};

/// The parts of a page besides its report.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub style: String,
    pub script: String,
    pub links: Links,
}

/// The links of places.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Links {
    /// An address with `{path}` (absolute), `{relative}` (in the repository) and `{line}`; empty for no links.
    pub pattern: String,
    /// Absolute path of the working tree, with `/` between the parts.
    pub root: String,
}

impl Links {
    /// The address of a place; `None` where there are no links.
    pub fn address(&self, path: &str, line: u32) -> Option<String> {
        if self.pattern.is_empty() || path.is_empty() {
            return None;
        }
        let encoded = |text: &str| -> String {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte);
            let one = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
            text.bytes().map(one).collect()
        };
        let root = if self.root.is_empty() || self.root.starts_with('/') { "" } else { "/" };
        let whole = format!("{root}{}/{path}", self.root);
        let address = self.pattern.replace("{path}", &encoded(&whole)).replace("{relative}", &encoded(path));
        Some(address.replace("{line}", &line.to_string()))
    }
}

/// The values of the template.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// Links above the page, where a server has more pages.
    pub bar: Vec<PageLink>,
    /// Links to the other definitions of an ambiguous name, where a server has pages about them.
    pub others: Vec<PageLink>,
    pub heading: PageHeading,
    pub summary: String,
    pub completeness: String,
    pub is_complete: bool,
    /// The limits of the answer, a sentence each.
    pub boundaries: Vec<String>,
    pub style: String,
    pub style_digest: String,
    pub script: String,
    pub script_digest: String,
    /// JSON that contains neither `<` nor `&`.
    pub data: String,
}

/// A link to another page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageLink {
    pub words: String,
    pub address: String,
    /// It leads to this page.
    pub is_here: bool,
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
            bar: Vec::new(),
            others: Vec::new(),
            heading,
            summary,
            completeness: match completeness {
                Completeness::Exact => "complete",
                Completeness::LowerBound if no_limit_known(boundaries) => "no limit known",
                Completeness::LowerBound => "at least this much (lower bound)",
                Completeness::Unknown => "could not tell (unknown)",
            }
            .to_owned(),
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

/// JSON that may stand inside a `<script>`.
fn embedded(data: &Data) -> String {
    let json = serde_json::to_string(&SentData::of(data)).expect("plain data has a JSON form");
    let mut safe = String::with_capacity(json.len() + json.len() / 16);
    let mut rest = json.as_str();
    while let Some(at) = rest.find(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        safe.push_str(&rest[..at]);
        let c = rest[at..].chars().next().unwrap_or_default();
        safe.push_str(&format!("\\u{:04x}", u32::from(c)));
        rest = &rest[at + c.len_utf8()..];
    }
    safe.push_str(rest);
    safe
}

/// The digest by which a Content-Security-Policy identifies a text.
pub fn sha256(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(digest(&SHA256, text.as_bytes())))
}
