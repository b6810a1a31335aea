//! Pairs removed with added definitions: those that were renamed or moved.
//!
//! A removed definition is compared with the added ones that share its name, its code, its parent or, for a class, some
//! members. So the time follows the size of the change, even where a whole repository moves to another folder.

use rustc_hash::FxHashMap;

use crate::{
    model::{EntityKind, EntityRecord},
    review::states::{
        changes::{Spot, new_of, old_of},
        versions::{FilePair, Version},
    },
};

/// Bodies with fewer tokens may be alike by accident.
const MIN_WEIGHT: u32 = 12;
/// Least similarity (shared tokens, 0..=1) at which a body under another name counts as the same definition.
const ALIKE: f64 = 0.6;
/// The same bound for shared names of members, in tenths.
const ALIKE_TENTHS: usize = 6;
/// Constants and functions of fewer tokens (`x = y`, `pass`) are equal to many others.
const LEAST_VARIABLE: u32 = 2;
const LEAST_FUNCTION: u32 = 3;

/// Pairs removed with added definitions: equal bodies first, then similar ones; parents before their members.
pub(super) fn moved(pairs: &[FilePair], gone: &[Spot], come: &[Spot]) -> Vec<(Spot, Spot)> {
    let added = Added::of(pairs, come);
    let mut names = SharedNames::default();
    let mut renamed: FxHashMap<Spot, Spot> = FxHashMap::default();
    let mut found: Vec<(Spot, Spot)> = Vec::new();
    let mut is_taken = vec![false; come.len()];
    for is_exact in [true, false] {
        for &from in gone {
            if renamed.contains_key(&from) {
                continue;
            }
            // Of equal ones the first in the order of paths and lines.
            let mut best: Option<(u32, usize)> = None;
            for number in added.candidates(pairs, from, is_exact, &renamed) {
                if is_taken[number] {
                    continue;
                }
                let score = closeness(pairs, from, come[number], is_exact, &renamed, &mut names);
                if let Some(score) = score.filter(|score| best.is_none_or(|(known, _)| *score > known)) {
                    best = Some((score, number));
                }
            }
            if let Some((_, number)) = best {
                is_taken[number] = true;
                renamed.insert(from, come[number]);
                found.push((from, come[number]));
            }
        }
    }
    found
}

/// The added definitions, each by its number, by that which a removed one may share with it.
#[derive(Default)]
struct Added<'p> {
    by_name: FxHashMap<(EntityKind, &'p str), Vec<usize>>,
    by_code: FxHashMap<(EntityKind, u64), Vec<usize>>,
    /// By the number of the pair of files, and the name of the parent.
    by_parent: FxHashMap<(usize, &'p str, EntityKind), Vec<usize>>,
    /// By the place of the parent.
    of_parent: FxHashMap<Spot, Vec<usize>>,
    modules: Vec<usize>,
    classes: Vec<usize>,
}

impl<'p> Added<'p> {
    fn of(pairs: &'p [FilePair], come: &[Spot]) -> Self {
        let mut added = Self::default();
        for (number, &spot) in come.iter().enumerate() {
            let version = new_of(pairs, spot);
            let record = &version.records()[spot.1];
            match record.kind {
                EntityKind::Module => {
                    added.modules.push(number);
                    continue;
                }
                EntityKind::Class => added.classes.push(number),
                _ => {}
            }
            added.by_name.entry((record.kind, &record.name)).or_default().push(number);
            if let Some(shape) = version.shape.at(record.line, record.column) {
                added.by_code.entry((record.kind, shape.code)).or_default().push(number);
            }
            let parent = record.parent as usize;
            let name = version.records()[parent].qualified.as_str();
            added.by_parent.entry((spot.0, name, record.kind)).or_default().push(number);
            added.of_parent.entry((spot.0, parent)).or_default().push(number);
        }
        added
    }

    /// All added definitions that may continue a removed one, in their order.
    fn candidates(
        &self,
        pairs: &[FilePair],
        from: Spot,
        is_exact: bool,
        renamed: &FxHashMap<Spot, Spot>,
    ) -> Vec<usize> {
        let version = old_of(pairs, from);
        let record = &version.records()[from.1];
        if record.kind == EntityKind::Module {
            return self.modules.clone();
        }
        let mut found = Vec::new();
        let mut extend = |list: Option<&Vec<usize>>| found.extend(list.into_iter().flatten());
        let parent = record.parent as usize;
        extend(renamed.get(&(from.0, parent)).and_then(|to| self.of_parent.get(to)));
        match (record.kind, is_exact) {
            (EntityKind::Class, true) | (EntityKind::Variable, false) => {}
            (EntityKind::Class, false) => extend(Some(&self.classes)),
            (_, true) => {
                let code = version.shape.at(record.line, record.column).map(|shape| shape.code);
                extend(code.and_then(|code| self.by_code.get(&(record.kind, code))));
            }
            (_, false) => {
                extend(self.by_name.get(&(record.kind, record.name.as_str())));
                let name = version.records()[parent].qualified.as_str();
                extend(self.by_parent.get(&(from.0, name, record.kind)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The names of the members of each class, and of all definitions of each module, sorted and read once.
#[derive(Default)]
struct SharedNames<'p> {
    old: FxHashMap<Spot, Vec<&'p str>>,
    new: FxHashMap<Spot, Vec<&'p str>>,
}

impl<'p> SharedNames<'p> {
    /// How many names both have, and how many there are in all.
    fn shared(&mut self, old: &'p Version, from: Spot, new: &'p Version, to: Spot) -> (usize, usize) {
        let a = self.old.entry(from).or_insert_with(|| names(old, from.1));
        let b = self.new.entry(to).or_insert_with(|| names(new, to.1));
        let (mut here, mut there, mut common) = (0, 0, 0);
        while let (Some(one), Some(other)) = (a.get(here), b.get(there)) {
            here += usize::from(one <= other);
            there += usize::from(other <= one);
            common += usize::from(one == other);
        }
        (common, a.len() + b.len() - common)
    }
}

fn names(version: &Version, index: usize) -> Vec<&str> {
    let is_member = |record: &&EntityRecord| record.parent as usize == index;
    let records = version.records().iter().skip(1);
    let mut names: Vec<&str> = match version.records()[index].kind {
        EntityKind::Module => records.map(|record| record.qualified.as_str()).collect(),
        _ => records.filter(is_member).map(|record| record.name.as_str()).collect(),
    };
    names.sort_unstable();
    names.dedup();
    names
}

/// How well one definition continues another, greater is better; `None` when it does not.
fn closeness<'p>(
    pairs: &'p [FilePair],
    from: Spot,
    to: Spot,
    is_exact: bool,
    renamed: &FxHashMap<Spot, Spot>,
    names: &mut SharedNames<'p>,
) -> Option<u32> {
    let (old, new) = (old_of(pairs, from), new_of(pairs, to));
    let (was, is) = (&old.records()[from.1], &new.records()[to.1]);
    if was.kind != is.kind {
        return None;
    }
    let same_name = was.name == is.name;
    if was.kind == EntityKind::Module {
        if is_exact {
            return (old.shape.whole == new.shape.whole).then_some(4);
        }
        let (common, all) = names.shared(old, from, new, to);
        return (all > 0 && common * 10 >= all * ALIKE_TENTHS).then_some(4);
    }
    // A member follows its class: members of a moved class are found where the class is.
    let parent_moved = renamed.get(&(from.0, was.parent as usize)) == Some(&(to.0, is.parent as usize));
    if same_name && parent_moved {
        return Some(5);
    }
    let same_parent =
        from.0 == to.0 && old.records()[was.parent as usize].qualified == new.records()[is.parent as usize].qualified;
    let (Some(a), Some(b)) = (old.shape.at(was.line, was.column), new.shape.at(is.line, is.column)) else {
        return None;
    };
    match was.kind {
        EntityKind::Class => {
            let (common, all) = names.shared(old, from, new, to);
            let is_alike = all > 0 && common * 10 >= all * ALIKE_TENTHS && (same_name || common > 1);
            let is_empty_twin = all == 0 && a.code == b.code && a.bases == b.bases && same_name;
            let is_twin = same_parent && common == all && a.code == b.code && a.bases == b.bases && a.doc == b.doc;
            (!is_exact && (is_alike || is_empty_twin || is_twin)).then_some(if same_name { 3 } else { 2 })
        }
        EntityKind::Variable => {
            let is_telling = a.weight >= MIN_WEIGHT || same_name || (same_parent && a.weight >= LEAST_VARIABLE);
            (is_exact && a.code == b.code && a.weight > 0 && is_telling).then_some(1)
        }
        _ => {
            let is_telling = a.weight >= MIN_WEIGHT || same_name || same_parent;
            if is_exact {
                return (a.code == b.code && is_telling && a.weight >= LEAST_FUNCTION).then_some(if same_name {
                    4
                } else {
                    3
                });
            }
            let is_long = a.weight >= MIN_WEIGHT && b.weight >= MIN_WEIGHT;
            let is_alike = is_long && (same_name || same_parent) && a.likeness(b) >= ALIKE;
            is_alike.then_some(if same_name { 2 } else { 1 })
        }
    }
}
