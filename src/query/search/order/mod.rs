//! The order of the hits.
//!
//! Named candidates go first, the others by score. Copies, near copies and further definitions of one file or class
//! lose points, so that an answer shows different code.

pub(super) mod copies;
pub(super) mod parents;

use std::collections::BTreeMap;

use super::names;
use crate::store::search::digests::SIGNS;

/// The values that decide where a candidate goes.
pub(super) struct SortKey<'k> {
    pub(super) named: Option<names::Certainty>,
    pub(super) score: f64,
    pub(super) path: &'k str,
    /// The qualified name of the class around it; empty if there is none.
    pub(super) owner: &'k str,
    pub(super) ordinal: u32,
    pub(super) text: u64,
    pub(super) signs: &'k [u8; SIGNS],
}

/// Number of hits of one file, and of one class, after which each further hit loses [`CROWDED`]. No script fits these
/// numbers and the penalties below.
const CROWD: usize = 4;
const CROWD_OF_CLASS: usize = 3;
const CROWDED: f64 = 0.25;
/// Bonus for nearness; two points part the best hit from the tenth in many answers.
const SAME_FILE: f64 = 1.0;
const REFERRED_TO: f64 = 0.7;
const SAME_FOLDER: f64 = 0.4;
/// In a list of more hits than this, one file fills no more than half, while others have hits.
const LONG: usize = 10;
/// Penalty for a copy of a text further up.
const COPY: f64 = 2.0;
/// Penalty for a near copy: the signs of its vector differ in at most `DIFFERENT` of 256 numbers.
const NEAR_COPY: f64 = 0.3;
const DIFFERENT: u32 = 12;
/// Candidates compared with those above them, for each wanted hit, and at least in all. Those further down are not
/// shown.
const COMPARED: usize = 3;
const LEAST_COMPARED: usize = 60;
/// Bonus for a candidate that is named with little certainty.
const NAMED: f64 = 0.5;

/// The best `limit` candidates as positions in `keys`, with their final scores; at most `per_file` of one file, if that
/// is not 0.
pub(super) fn best(keys: &[SortKey<'_>], limit: usize, per_file: usize) -> Vec<(usize, f64)> {
    let first = |key: &SortKey<'_>| key.named.filter(|rank| rank.goes_first());
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
    for at in 0..order.len().min((COMPARED * limit).max(LEAST_COMPARED)) {
        let key = &keys[order[at].0];
        if first(key).is_some() {
            continue;
        }
        let before = order[..at].iter().map(|(other, _)| &keys[*other]);
        let (mut same_file, mut same_class, mut is_copy, mut is_near_copy) = (0, 0, false, false);
        for other in before {
            let is_same_file = other.path == key.path;
            same_file += usize::from(is_same_file);
            same_class += usize::from(is_same_file && !key.owner.is_empty() && other.owner == key.owner);
            is_copy |= other.text == key.text;
            is_near_copy |= differences(other.signs, key.signs) <= DIFFERENT;
        }
        if is_copy {
            order[at].1 -= COPY;
        } else if is_near_copy {
            order[at].1 -= NEAR_COPY;
        }
        if same_file >= CROWD || same_class >= CROWD_OF_CLASS {
            order[at].1 -= CROWDED;
        }
    }
    order.sort_by(compare);
    let most = match per_file {
        0 if limit > LONG => limit / 2,
        0 => limit,
        most => most,
    };
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut order, crowded): (Vec<_>, Vec<_>) = order.into_iter().partition(|(at, _)| {
        let taken = taken.entry(keys[*at].path).or_default();
        *taken += 1;
        *taken <= most
    });
    // Without a limit that was asked for, more of the file are better than a shorter list.
    if per_file == 0 {
        order.extend(crowded);
    }
    order.truncate(limit);
    order
}

/// The bonus of a hit for its nearness to a file: in it, in a file that it refers to, in its folder.
pub(super) fn nearness(near: &str, path: &str, is_referred_to: bool) -> f64 {
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    if path == near {
        SAME_FILE
    } else if is_referred_to {
        REFERRED_TO
    } else if folder(path) == folder(near) {
        SAME_FOLDER
    } else {
        0.0
    }
}

fn differences(a: &[u8; SIGNS], b: &[u8; SIGNS]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_copy_goes_below_what_is_nearly_as_good() {
        let (all, other) = ([255; SIGNS], [0; SIGNS]);
        let mut near = all;
        near[0] = 0;
        let key = |score: f64, ordinal: u32, signs| SortKey {
            named: None,
            score,
            path: "a.py",
            owner: "",
            ordinal,
            text: u64::from(ordinal),
            signs,
        };
        let keys = [key(2.0, 0, &all), key(1.9, 1, &near), key(1.8, 2, &other), key(1.0, 3, &other)];
        let order: Vec<usize> = best(&keys, 4, 0).into_iter().map(|(at, _)| at).collect();
        assert_eq!(order, [0, 2, 1, 3]);
    }

    #[test]
    fn the_fourth_hit_of_a_class_goes_below_what_is_nearly_as_good() {
        let signs: [[u8; SIGNS]; 5] = std::array::from_fn(|at| [[0, 0xF0, 0x0F, 0xFF, 0xAA][at]; SIGNS]);
        let key = |at: usize, score: f64, path, owner| SortKey {
            named: None,
            score,
            path,
            owner,
            ordinal: 0,
            text: at as u64,
            signs: &signs[at],
        };
        let keys = [
            key(0, 2.0, "a.py", "A"),
            key(1, 1.9, "a.py", "A"),
            key(2, 1.8, "a.py", "A"),
            key(3, 1.7, "a.py", "A"),
            key(4, 1.6, "b.py", "A"),
        ];
        let order: Vec<usize> = best(&keys, 5, 0).into_iter().map(|(at, _)| at).collect();
        assert_eq!(order, [0, 1, 2, 4, 3]);
        let order: Vec<usize> = best(&keys, 5, 2).into_iter().map(|(at, _)| at).collect();
        assert_eq!(order, [0, 1, 4], "at most two of a file");
    }
}
