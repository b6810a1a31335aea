//! Compares both versions of the changed files, definition by definition.
//!
//! A removed and an added definition with equal or nearly equal bodies are one that was renamed or moved. Differences
//! in layout and comments are no change.

use rustc_hash::FxHashSet;

use crate::{
    facts::fingerprint::DefinitionShape,
    model::{EntityFlags, EntityKind, EntityRecord},
    review::states::{
        edits::{Edit, around_difference, shortened},
        moved::moved,
        parameters,
        versions::{FilePair, Version},
    },
    texts::secrets::{value_in_file, without_secrets},
};

/// A definition on one side: the number of its pair of files and of its record there.
pub(crate) type Spot = (usize, usize);

/// A definition that differs between the two sides.
#[derive(Clone, Debug)]
pub(crate) struct Changed {
    pub(crate) old: Option<Spot>,
    pub(crate) new: Option<Spot>,
    pub(crate) edits: Vec<Edit>,
}

/// All definitions that differ, in the order of paths and lines.
pub(crate) fn changes(pairs: &[FilePair]) -> Vec<Changed> {
    let mut changed = Vec::new();
    let (mut gone, mut come): (Vec<Spot>, Vec<Spot>) = (Vec::new(), Vec::new());
    for (number, pair) in pairs.iter().enumerate() {
        match (&pair.old, &pair.new) {
            (Some(old), Some(new)) => compare(number, old, new, &mut changed, &mut gone, &mut come),
            (Some(old), None) => gone.extend(named(old).map(|index| (number, index))),
            (None, Some(new)) => come.extend(named(new).map(|index| (number, index))),
            (None, None) => {}
        }
    }
    tell_moved(pairs, &mut gone, &mut come, &mut changed);
    changed.extend(gone.into_iter().map(|spot| Changed { old: Some(spot), new: None, edits: vec![Edit::Removed] }));
    // An attribute set by a method comes with the method.
    let is_attribute = |spot: &Spot| new_of(pairs, *spot).records()[spot.1].flags.has(EntityFlags::INSTANCE_ATTRIBUTE);
    come.retain(|spot| !is_attribute(spot));
    changed.extend(come.into_iter().map(|spot| Changed { old: None, new: Some(spot), edits: vec![Edit::Added] }));
    let place = |changed: &Changed| {
        let (spot, is_gone) = match (changed.new, changed.old) {
            (Some(spot), _) => (spot, false),
            (None, spot) => (spot.unwrap_or_default(), true),
        };
        let version = if is_gone { pairs[spot.0].old.as_ref() } else { pairs[spot.0].new.as_ref() };
        (spot.0, version.map(|version| version.records()[spot.1].line), is_gone)
    };
    changed.sort_by_key(place);
    changed
}

/// The definitions that others can refer to: not those inside functions.
fn named(version: &Version) -> impl Iterator<Item = usize> + '_ {
    (0..version.records().len()).filter(|&index| index == 0 || !is_local(version, index))
}

fn is_local(version: &Version, index: usize) -> bool {
    let mut at = index;
    while at != 0 {
        at = version.records()[at].parent as usize;
        if version.records()[at].kind.is_callable() {
            return true;
        }
    }
    false
}

fn compare(
    number: usize,
    old: &Version,
    new: &Version,
    changed: &mut Vec<Changed>,
    gone: &mut Vec<Spot>,
    come: &mut Vec<Spot>,
) {
    if old.shape.whole == new.shape.whole {
        return;
    }
    let key = |record: &EntityRecord| (record.qualified.clone(), record.duplicate);
    let known: std::collections::BTreeMap<_, usize> =
        named(new).map(|index| (key(&new.records()[index]), index)).collect();
    let mut is_matched = vec![false; new.records().len()];
    for before in named(old) {
        let Some(&after) = known.get(&key(&old.records()[before])) else {
            gone.push((number, before));
            continue;
        };
        is_matched[after] = true;
        let edits = edits(old, before, new, after);
        if !edits.is_empty() {
            changed.push(Changed { old: Some((number, before)), new: Some((number, after)), edits });
        }
    }
    come.extend(named(new).filter(|&index| !is_matched[index]).map(|index| (number, index)));
}

/// The edits of a definition that both sides have.
fn edits(old: &Version, before: usize, new: &Version, after: usize) -> Vec<Edit> {
    let (was, is) = (&old.records()[before], &new.records()[after]);
    if was.kind == EntityKind::Module {
        return match () {
            () if old.shape.code != new.shape.code => vec![Edit::BodyChanged],
            () if old.shape.doc != new.shape.doc => vec![Edit::DocsChanged],
            () => Vec::new(),
        };
    }
    let (Some(a), Some(b)) = (old.shape.at(was.line, was.column), new.shape.at(is.line, is.column)) else {
        // An attribute set in a method has no fingerprint of its own.
        return Vec::new();
    };
    let mut edits = Vec::new();
    kind_edits(was, is, &mut edits);
    if was.kind.is_callable() && is.kind.is_callable() {
        edits.extend(parameters::edits(&a.parameters, &b.parameters));
        function_edits(was, is, a, b, &mut edits);
    } else if was.kind == EntityKind::Class && is.kind == EntityKind::Class {
        let (added, removed) = difference(&a.bases, &b.bases);
        if !(added.is_empty() && removed.is_empty()) {
            edits.push(Edit::BasesChanged { added, removed });
        }
        if a.code != b.code {
            edits.push(Edit::BodyChanged);
        }
    } else if was.kind == EntityKind::Variable && is.kind == EntityKind::Variable {
        if a.code != b.code {
            let shown = |version: &Version, value| value_in_file(&version.path, &version.text, &is.name, value);
            let (from, to) = around_difference(&shown(old, &a.value), &shown(new, &b.value));
            edits.push(Edit::ValueChanged { from, to });
        } else if a.annotation != b.annotation {
            edits.push(Edit::AnnotationChanged { name: is.name.clone() });
        }
    }
    let (added, removed) = difference(&plain(&a.decorators), &plain(&b.decorators));
    if !(added.is_empty() && removed.is_empty()) {
        edits.push(Edit::DecoratorsChanged { added, removed });
    }
    if edits.is_empty() && a.doc != b.doc {
        edits.push(Edit::DocsChanged);
    }
    edits
}

fn kind_edits(was: &EntityRecord, is: &EntityRecord, edits: &mut Vec<Edit>) {
    match (was.kind, is.kind) {
        (a, b) if a == b => {}
        (EntityKind::Method, EntityKind::Property) => edits.push(Edit::BecameProperty),
        (EntityKind::Property, EntityKind::Method) => edits.push(Edit::BecameMethod),
        (a, b) => edits.push(Edit::KindChanged { from: a.as_str(), to: b.as_str() }),
    }
    let (from, to) = (binding(was), binding(is));
    if from != to && was.kind == EntityKind::Method && is.kind == EntityKind::Method {
        edits.push(Edit::BindingChanged { from, to });
    }
    let flip = |bit: u32| (was.flags.has(bit), is.flags.has(bit));
    match flip(EntityFlags::ASYNC) {
        (false, true) => edits.push(Edit::BecameAsync),
        (true, false) => edits.push(Edit::BecameSync),
        _ => {}
    }
    match flip(EntityFlags::GENERATOR) {
        (false, true) => edits.push(Edit::BecameGenerator),
        (true, false) => edits.push(Edit::StoppedGenerating),
        _ => {}
    }
    if flip(EntityFlags::ABSTRACT) == (false, true) {
        edits.push(Edit::BecameAbstract);
    }
}

fn function_edits(
    was: &EntityRecord,
    is: &EntityRecord,
    a: &DefinitionShape,
    b: &DefinitionShape,
    edits: &mut Vec<Edit>,
) {
    if parameters::normal(&a.annotation) != parameters::normal(&b.annotation) {
        edits.push(Edit::ReturnAnnotationChanged { from: a.annotation.clone(), to: b.annotation.clone() });
    }
    if a.code == b.code {
        return;
    }
    let (added, removed) = difference(&a.raises, &b.raises);
    if !(added.is_empty() && removed.is_empty()) {
        edits.push(Edit::RaisesChanged { added, removed });
    }
    let is_plain = |record: &EntityRecord| !record.flags.has(EntityFlags::GENERATOR);
    if let (Some(from), Some(to), true) = (a.returns.length(), b.returns.length(), is_plain(was) && is_plain(is))
        && from != to
    {
        edits.push(Edit::TupleLengthChanged { from, to });
    }
    edits.push(Edit::BodyChanged);
}

/// The kind of a method's first parameter, in words.
pub(crate) fn binding(record: &EntityRecord) -> &'static str {
    match () {
        () if record.flags.has(EntityFlags::STATIC_METHOD) => "static method",
        () if record.flags.has(EntityFlags::CLASS_METHOD) => "class method",
        () => "method",
    }
}

/// Decorators without those that other edits report.
fn plain(decorators: &[String]) -> Vec<String> {
    let is_told = |text: &String| {
        let last = text.split('(').next().unwrap_or("").rsplit('.').next().unwrap_or("");
        matches!(
            last,
            "staticmethod" | "classmethod" | "property" | "abstractmethod" | "setter" | "deleter" | "override"
        )
    };
    decorators.iter().filter(|text| !is_told(text)).cloned().collect()
}

fn difference(old: &[String], new: &[String]) -> (Vec<String>, Vec<String>) {
    let without = |list: &[String], other: &[String]| -> Vec<String> {
        let is_there = |text: &&String| other.iter().any(|o| parameters::normal(o) == parameters::normal(text));
        list.iter().filter(|text| !is_there(text)).map(|text| shortened(&without_secrets(text))).collect()
    };
    (without(new, old), without(old, new))
}

/// Pairs removed with added definitions, and tells what each pair differs in.
fn tell_moved(pairs: &[FilePair], gone: &mut Vec<Spot>, come: &mut Vec<Spot>, changed: &mut Vec<Changed>) {
    let renamed = moved(pairs, gone, come);
    let taken: FxHashSet<Spot> = renamed.iter().map(|(_, to)| *to).collect();
    let left: FxHashSet<Spot> = renamed.iter().map(|(from, _)| *from).collect();
    gone.retain(|spot| !left.contains(spot));
    come.retain(|spot| !taken.contains(spot));
    for (from, to) in renamed {
        let (old, new) = (old_of(pairs, from), new_of(pairs, to));
        let name = new.full_name(to.1);
        let is_same_name = old.records()[from.1].name == new.records()[to.1].name;
        let edit = if is_same_name && from.1 != 0 { Edit::Moved { to: name } } else { Edit::Renamed { to: name } };
        let mut edits = edits(old, from.1, new, to.1);
        edits.retain(|edit| *edit != Edit::DocsChanged);
        // A file that moved to another import root may keep its module name.
        if old.full_name(from.1) != new.full_name(to.1) {
            edits.insert(0, edit);
        } else if edits.is_empty() {
            continue;
        }
        changed.push(Changed { old: Some(from), new: Some(to), edits });
    }
}

pub(crate) fn old_of(pairs: &[FilePair], spot: Spot) -> &Version {
    pairs[spot.0].old.as_ref().expect("the definition was on the old side")
}

pub(crate) fn new_of(pairs: &[FilePair], spot: Spot) -> &Version {
    pairs[spot.0].new.as_ref().expect("the definition is on the new side")
}
