//! The order of the hits.
//!
//! Goes in: candidates with scores. Comes out: which go where. What was named goes first; then by score. Copies of one text
//! and further definitions of one file lose a little, so that an answer shows different things.

use super::names;

/// What decides where a candidate goes.
pub(super) struct Key<'k> {
    pub(super) named: Option<names::Rank>,
    pub(super) score: f64,
    pub(super) path: &'k str,
    pub(super) ordinal: u32,
    pub(super) text: u64,
}

/// Hits of one file after which each further one loses [`CROWDED`].
const CROWD: usize = 4;
const CROWDED: f64 = 0.25;
/// What a copy of a text that stands further up loses.
const COPY: f64 = 2.0;
/// What a weakly named candidate gains.
const NAMED: f64 = 0.5;

/// The best `limit` candidates as positions in `keys`, with their final scores.
pub(super) fn best(keys: &[Key<'_>], limit: usize) -> Vec<(usize, f64)> {
    let first = |key: &Key<'_>| key.named.filter(|rank| rank.goes_first());
    let mut order: Vec<(usize, f64)> = keys
        .iter()
        .enumerate()
        .map(|(at, key)| (at, key.score + if key.named.is_some() { NAMED } else { 0.0 }))
        .collect();
    let compare = |(a, a_score): &(usize, f64), (b, b_score): &(usize, f64)| {
        let (a, b) = (&keys[*a], &keys[*b]);
        let named = match (first(a), first(b)) {
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (a, b) => a.cmp(&b),
        };
        named.then(b_score.total_cmp(a_score)).then_with(|| (a.path, a.ordinal).cmp(&(b.path, b.ordinal)))
    };
    order.sort_by(compare);
    for at in 0..order.len() {
        let key = &keys[order[at].0];
        if first(key).is_some() {
            continue;
        }
        let before = order[..at].iter().map(|(other, _)| &keys[*other]);
        let (mut same_file, mut is_copy) = (0, false);
        for other in before {
            same_file += usize::from(other.path == key.path);
            is_copy |= other.text == key.text;
        }
        if is_copy {
            order[at].1 -= COPY;
        }
        if same_file >= CROWD {
            order[at].1 -= CROWDED;
        }
    }
    order.sort_by(compare);
    order.truncate(limit);
    order
}
