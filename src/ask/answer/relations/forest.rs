//! The class hierarchy of a whole repository: its roots by the number of classes below them, each with its tree.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, short_name},
        reading::plan::Understood,
    },
    model::{EntityId, RelationshipKind},
    query::{navigate::outside::outside_bases, words::count},
    store::{error::StoreError, read::Entity},
};

/// Roots that a headline names.
const MAX_NAMED: usize = 4;
/// Deeper classes are cut: no person writes them.
const MAX_DEPTH: usize = 50;
/// Classes of the root that a language model gets to see.
const MAX_WANTED: usize = 30;
/// Bases of libraries that say nothing of a hierarchy.
const GENERAL: [&str; 4] = ["ABC", "Generic", "Protocol", "object"];

/// Answers what the class hierarchy is, and which one is the largest or the deepest, among these classes.
pub(in crate::ask::answer) fn forest(
    reading: AnswerInputs,
    understood: &Understood,
    classes: Vec<Entity>,
    place: &str,
) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let forest = Forest::of(reading, classes)?;
    let has = |words: &[&str]| understood.words.iter().any(|word| words.contains(&word.as_str()));
    let is_deepest = has(&["deepest", "tallest"]);
    let mut roots: Vec<(usize, usize, &Entity)> = Vec::new();
    for root in &forest.roots {
        let below = forest.below(root.id);
        if !below.is_empty() {
            roots.push((below.len(), forest.depth(root.id), root));
        }
    }
    // Equals stay in the order of their places.
    roots.sort_by_key(|(below, depth, _)| Reverse(if is_deepest { (*depth, *below) } else { (*below, *depth) }));
    let all = count(forest.classes.len(), "class");
    let alone = forest.classes.len()
        - roots.iter().flat_map(|(.., root)| forest.with_below(root.id)).collect::<BTreeSet<_>>().len();
    let alone_words = match alone {
        0 => String::new(),
        1 => "; 1 stands alone".to_owned(),
        alone => format!("; {alone} stand alone"),
    };
    let largest = has(&["largest", "biggest", "most", "huge", "hugest", "deepest", "tallest"]);
    answer.headline = match roots.as_slice() {
        [] => format!("{all} {place}, and none derives from another one"),
        [(below, depth, root), ..] if largest => {
            let superlative = if is_deepest { "deepest" } else { "largest" };
            format!(
                "the {superlative} class hierarchy {place} is that of `{}` with {} below it, {} deep",
                root.full_name(),
                count(*below, "class"),
                count(*depth, "level")
            )
        }
        several => {
            let named = several.iter().take(MAX_NAMED);
            let named: Vec<String> =
                named.map(|(below, _, root)| format!("`{}` ({below})", short_name(root))).collect();
            let hierarchies =
                if several.len() == 1 { "1 hierarchy".to_owned() } else { format!("{} hierarchies", several.len()) };
            format!("{all} {place} in {hierarchies}, the most classes below {}{alone_words}", named.join(", "))
        }
    };
    for (.., root) in roots.iter().take(1) {
        answer.want(root, "the root", false);
        for id in forest.below(root.id).iter().take(MAX_WANTED) {
            answer.want(&forest.classes[id], "below it", true);
        }
    }
    let mut drawn = BTreeSet::new();
    let mut rows = Vec::new();
    for (.., root) in &roots {
        forest.draw(root, 0, &mut drawn, &mut rows);
    }
    answer.list(
        format!(
            "roots with the classes below them, {} first ({})",
            if is_deepest { "the deepest" } else { "the largest" },
            rows.len()
        ),
        rows,
    );
    let outside = forest.outside(reading)?;
    if let ([(most, ..), ..], Some((name, below, _)), true) = (roots.as_slice(), outside.first(), largest)
        && below > most
    {
        answer.headline += &format!("; {below} stand below `{name}` of a library");
    }
    let rows: Vec<ListRow> = outside
        .into_iter()
        .map(|(name, below, first)| ListRow {
            name,
            kind: "class",
            ..ListRow {
                path: first.path.clone(),
                line: first.record.start_line,
                note: format!("{} below it here, the first at this place", count(below, "class")),
                ..ListRow::default()
            }
        })
        .collect();
    answer.list(format!("classes of libraries above them ({})", rows.len()), rows);
    answer.command = format!("repoidx tree {}", roots.first().map_or_else(String::new, |(.., root)| root.full_name()));
    if roots.is_empty() {
        answer.command.clear();
    }
    Ok(answer)
}

/// Classes by their bases.
struct Forest {
    classes: BTreeMap<EntityId, Entity>,
    /// The direct subclasses of each class, in the order of their places.
    heirs: BTreeMap<EntityId, Vec<EntityId>>,
    /// The classes without a base among these, in the order of their places.
    roots: Vec<Entity>,
}

impl Forest {
    fn of(reading: AnswerInputs, classes: Vec<Entity>) -> Result<Self, StoreError> {
        let ids: BTreeSet<EntityId> = classes.iter().map(|class| class.id).collect();
        let mut heirs: BTreeMap<EntityId, Vec<EntityId>> = BTreeMap::new();
        let mut roots = Vec::new();
        for class in &classes {
            let mut bases = BTreeSet::new();
            for edge in reading.store.outgoing(class.id)? {
                if edge.kind == RelationshipKind::Inherits && edge.target != class.id && ids.contains(&edge.target) {
                    bases.insert(edge.target);
                }
            }
            if bases.is_empty() {
                roots.push(class.clone());
            }
            for base in bases {
                heirs.entry(base).or_default().push(class.id);
            }
        }
        Ok(Self { classes: classes.into_iter().map(|class| (class.id, class)).collect(), heirs, roots })
    }

    fn heirs(&self, id: EntityId) -> &[EntityId] {
        self.heirs.get(&id).map_or(&[], Vec::as_slice)
    }

    /// All classes below one, each once.
    fn below(&self, id: EntityId) -> BTreeSet<EntityId> {
        let mut found = BTreeSet::new();
        let mut open = self.heirs(id).to_vec();
        while let Some(next) = open.pop() {
            if found.insert(next) {
                open.extend(self.heirs(next));
            }
        }
        found
    }

    fn with_below(&self, id: EntityId) -> BTreeSet<EntityId> {
        let mut found = self.below(id);
        found.insert(id);
        found
    }

    /// Steps from a class down to the farthest one below it.
    fn depth(&self, id: EntityId) -> usize {
        let (mut level, mut depth) = (BTreeSet::from([id]), 0);
        while depth < MAX_DEPTH {
            level = level.iter().flat_map(|id| self.heirs(*id)).copied().collect();
            if level.is_empty() {
                break;
            }
            depth += 1;
        }
        depth
    }

    /// Adds the rows of a class and those below it; a class with two bases is expanded once.
    fn draw(&self, class: &Entity, depth: usize, drawn: &mut BTreeSet<EntityId>, rows: &mut Vec<ListRow>) {
        let is_new = drawn.insert(class.id);
        let below = self.below(class.id).len();
        let note = match below {
            0 => String::new(),
            below if is_new => format!("{below} below it"),
            _ => "expanded above".to_owned(),
        };
        let row = ListRow::of(class).with(note);
        rows.push(ListRow { name: format!("{}{}", "  ".repeat(depth), row.name), ..row });
        if is_new && depth < MAX_DEPTH {
            for heir in self.heirs(class.id) {
                self.draw(&self.classes[heir], depth + 1, drawn, rows);
            }
        }
    }

    /// The classes of libraries from which several of these derive, with the number of all classes below, and the first
    /// of them; the most first.
    fn outside(&self, reading: AnswerInputs) -> Result<Vec<(String, usize, &Entity)>, StoreError> {
        let mut found: BTreeMap<String, BTreeSet<EntityId>> = BTreeMap::new();
        for class in self.classes.values() {
            for base in outside_bases(reading.store, class)? {
                if !base.rsplit('.').next().is_some_and(|last| GENERAL.contains(&last)) {
                    found.entry(base).or_default().extend(self.with_below(class.id));
                }
            }
        }
        let place = |id: &EntityId| (&self.classes[id].path, self.classes[id].record.start_line);
        let mut listed: Vec<(String, usize, &Entity)> = found
            .into_iter()
            .filter(|(_, below)| below.len() > 1)
            .filter_map(|(name, below)| {
                Some((name, below.len(), &self.classes[below.iter().min_by_key(|id| place(id))?]))
            })
            .collect();
        listed.sort_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
        Ok(listed)
    }
}
