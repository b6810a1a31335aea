//! Reads an address: which page is asked for, and about what.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::guard::Refusal;
use crate::query::impact::walk::factors::Change;

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PageRoute {
    Home,
    Search {
        query: String,
        /// Only the rows, for a page that is open.
        is_part: bool,
    },
    Ask {
        question: String,
    },
    Definition {
        target: String,
    },
    Impact {
        target: String,
        change: Change,
    },
    Review {
        /// Changes that are not committed, and not commits that are not pushed.
        is_worktree: bool,
    },
    /// Browsers ask for a picture of the site. There is none.
    Icon,
}

/// Changes that the page of an impact offers. The others need a parameter.
pub(super) const CHANGES: [Change; 4] = [Change::Body, Change::Signature, Change::Rename, Change::Remove];

/// The page at an address.
pub(super) fn route(target: &str) -> Result<PageRoute, Refusal> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let value = |name: &str| -> Result<String, Refusal> {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(other, _)| *other == name).map_or(Ok(String::new()), |(_, value)| decoded(value))
    };
    match path {
        "/" => Ok(PageRoute::Home),
        "/search" => Ok(PageRoute::Search { query: value("q")?, is_part: !value("part")?.is_empty() }),
        "/ask" => Ok(PageRoute::Ask { question: value("q")? }),
        "/definition" => Ok(PageRoute::Definition { target: value("name")? }),
        "/impact" => {
            let word = value("change")?;
            let change = match word.as_str() {
                "" => Some(Change::Body),
                word => CHANGES.into_iter().find(|change| change.as_str() == word),
            };
            let change = change.ok_or(Refusal { status: 400, reason: "there is no such change" })?;
            Ok(PageRoute::Impact { target: value("name")?, change })
        }
        "/review" => match value("of")?.as_str() {
            "" => Ok(PageRoute::Review { is_worktree: false }),
            "worktree" => Ok(PageRoute::Review { is_worktree: true }),
            _ => Err(Refusal { status: 400, reason: "there is no such review" }),
        },
        "/favicon.ico" => Ok(PageRoute::Icon),
        _ => Err(Refusal { status: 404, reason: "there is no such page" }),
    }
}

/// A value as a form sends it.
fn decoded(value: &str) -> Result<String, Refusal> {
    let value = value.replace('+', " ");
    let text = percent_decode_str(&value).decode_utf8().map(Cow::into_owned);
    let text = text.ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or(Refusal { status: 400, reason: "the address is no text" })?;
    Ok(text.trim().to_owned())
}
