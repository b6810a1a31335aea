//! Hits whose text an earlier hit has already, as in two files with the same content.
//!
//! They are left out, since a reader sees them already; the earlier hit names their places.

use serde::Serialize;

use crate::{
    query::search::{Hit, SearchOptions, SearchReport, Searcher},
    store::error::StoreError,
};

/// Reads the lines of a file from one to another. They are compared and never shown: secrets may stand in them.
pub(crate) type LineReader<'a> = &'a dyn Fn(&str, u32, u32) -> Option<String>;

/// Searches for one answer: each leaves out the copies that the one before found.
const MOST_SEARCHES: usize = 4;

/// The place of a copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CopyPlace {
    pub path: String,
    pub start_line: u32,
}

impl Searcher<'_> {
    /// As [`Searcher::search`], with one hit for all definitions of one name and one text; further hits take the places
    /// of the copies.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search_without_copies(
        &self,
        question: &str,
        options: &SearchOptions,
        lines: LineReader<'_>,
    ) -> Result<SearchReport, StoreError> {
        let limit = options.limit.max(1);
        let mut wider = SearchOptions { limit, ..options.clone() };
        let mut described: Option<Vec<Hit>> = None;
        for search in 1.. {
            let mut report = self.search(question, &wider)?;
            // All variables are read for them, and where the names alone fill the list it has no place for more.
            if described.is_none() && report.hits.len() < wider.limit {
                described = Some(self.variables_described(question, options, lines)?);
            }
            add(described.as_deref().unwrap_or_default(), &wider, &mut report.hits);
            let is_full = report.hits.len() >= wider.limit;
            let copies = fold(&mut report.hits, lines);
            if copies == 0 || !is_full || report.hits.len() >= limit || search == MOST_SEARCHES {
                report.hits.truncate(limit);
                return Ok(report);
            }
            wider.limit += copies;
        }
        unreachable!("the last search returns")
    }
}

/// Adds hits behind those that are there, up to the limits of a search.
fn add(further: &[Hit], options: &SearchOptions, hits: &mut Vec<Hit>) {
    let most = if options.per_file == 0 { usize::MAX } else { options.per_file };
    for one in further {
        if hits.len() >= options.limit {
            break;
        }
        let is_known = hits.iter().any(|hit| hit.path == one.path && hit.qualified == one.qualified);
        if !is_known && hits.iter().filter(|hit| hit.path == one.path).count() < most {
            hits.push(one.clone());
        }
    }
}

/// Moves copies to the first hit with their name and text, and counts them.
fn fold(hits: &mut Vec<Hit>, lines: LineReader<'_>) -> usize {
    let all = hits.len();
    let mut kept: Vec<(Option<String>, Hit)> = Vec::new();
    for hit in hits.drain(..) {
        let text = lines(&hit.path, hit.start_line, hit.end_line);
        let is_copy = |(known, other): &&mut (Option<String>, Hit)| {
            text.is_some() && *known == text && other.qualified == hit.qualified && other.kind == hit.kind
        };
        match kept.iter_mut().find(is_copy) {
            Some((_, first)) => first.copies.push(CopyPlace { path: hit.path, start_line: hit.start_line }),
            None => kept.push((text, hit)),
        }
    }
    hits.extend(kept.into_iter().map(|(_, hit)| hit));
    all - hits.len()
}
