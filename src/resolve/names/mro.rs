//! The method resolution order (MRO) of classes, and who writes their constructors.
//!
//! A linearization holds the classes of the repository, the bases outside of it, and whether some base is unknown.

use std::sync::Arc;

use crate::{
    model::{EntityId, EntityKind, linearization::linearize},
    resolve::{
        frameworks::tables::{behavior_of, rules},
        library::known,
        names::{Lookup, Target},
        values::{self, questions},
    },
};

/// A class's linearization.
#[derive(Debug, PartialEq, Eq)]
pub struct Mro {
    /// Classes of the repository, the class itself first.
    pub(crate) classes: Vec<EntityId>,
    /// Bases outside the repository, by hash.
    pub(crate) externals: Vec<u64>,
    /// Some base is unknown.
    pub(crate) is_open: bool,
}

/// Who writes the constructor of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constructor {
    /// The class, one of its bases, or nobody.
    Written,
    /// A decorator, from the fields.
    Made,
    /// Perhaps an unknown decorator, or a base outside the repository.
    PerhapsMade,
}

impl Lookup<'_> {
    /// The linearization by C3, as in Python.
    pub(crate) fn mro(&mut self, class: EntityId) -> Arc<Mro> {
        let mut active = Vec::new();
        self.mro_guarded(class, &mut active)
    }

    fn mro_guarded(&mut self, class: EntityId, active: &mut Vec<EntityId>) -> Arc<Mro> {
        if let Some(mro) = self.known.mros.get(&class) {
            return Arc::clone(mro);
        }
        // A cycle of bases, or a chain that no real program has.
        if active.contains(&class) || active.len() > 100 {
            return Arc::new(Mro { classes: vec![class], externals: Vec::new(), is_open: true });
        }
        active.push(class);
        let (mut sequences, mut direct) = (Vec::new(), Vec::new());
        let (mut externals, mut is_open) = (Vec::new(), false);
        for base in self.bases(class) {
            match base {
                Some(Target::Entity(entity)) if self.kind(entity) == Some(EntityKind::Class) => {
                    if entity == class || direct.contains(&entity) {
                        continue;
                    }
                    let mro = self.mro_guarded(entity, active);
                    externals.extend(mro.externals.iter().copied());
                    is_open |= mro.is_open;
                    sequences.push(mro.classes.clone());
                    direct.push(entity);
                }
                Some(Target::External(hash)) => externals.push(hash),
                _ => is_open = true,
            }
        }
        active.pop();
        externals.sort_unstable();
        externals.dedup();
        // Every class derives from `object`: as a base it says nothing.
        externals.retain(|&hash| behavior_of(hash) != Some(known::Known::Object));
        // C3 merges the order of the bases themselves as a last sequence.
        sequences.push(direct);
        let classes = linearize(class, sequences);
        let mro = self.definitions.shared(class, Mro { classes, externals, is_open });
        // Inside a cycle the result depends on where it was entered; only whole results are kept.
        if active.is_empty() || !mro.is_open {
            self.known.mros.insert(class, Arc::clone(&mro));
        }
        mro
    }

    /// Whether a decorator writes the constructor of the class's instances. `owner` is the first class with a
    /// constructor of its own: a decorator above it in the MRO has no effect.
    pub(crate) fn constructor(&mut self, class: EntityId, owner: Option<EntityId>) -> Constructor {
        if owner == Some(class) {
            return Constructor::Written;
        }
        let mro = self.mro(class);
        let mut found = match owner {
            None if !mro.externals.is_empty() || mro.is_open => Constructor::PerhapsMade,
            _ => Constructor::Written,
        };
        for &above in mro.classes.iter().take_while(|&&above| Some(above) != owner) {
            let Some(place) = self.class_head(above) else { continue };
            for path in &place.head().decorators {
                let targets = self.dotted(&place.info, place.index, path);
                if targets
                    .iter()
                    .any(|target| matches!(target, Target::External(hash) if rules().writes_constructor(*hash)))
                {
                    return Constructor::Made;
                }
                found = Constructor::PerhapsMade;
            }
        }
        found
    }

    /// Direct bases in order; `None` for an unknown one.
    pub(crate) fn bases(&mut self, class: EntityId) -> Vec<Option<Target>> {
        let Some(place) = self.class_head(class) else { return Vec::new() };
        place
            .head()
            .bases
            .iter()
            .map(|path| {
                let targets = self.dotted(&place.info, place.index, path);
                let class = targets.iter().copied().find(|target| match target {
                    Target::Entity(entity) => self.kind(*entity) == Some(EntityKind::Class),
                    _ => true,
                });
                class.or_else(|| {
                    let variables = targets.iter().filter_map(|&target| self.entity_of(target)).collect::<Vec<_>>();
                    variables.into_iter().find_map(|variable| self.class_in_variable(variable)).map(Target::Entity)
                })
            })
            .collect()
    }

    /// The class in a module variable of another file.
    pub(crate) fn class_in_variable(&mut self, variable: EntityId) -> Option<EntityId> {
        if self.is_own(variable) || self.kind(variable) != Some(EntityKind::Variable) {
            return None;
        }
        let key = questions::variable(variable);
        self.known.questions.insert(key);
        if !self.known.bases.contains(&key) {
            self.known.bases.push(key);
        }
        let answers = self.definitions.answers(key, self.round.saturating_sub(1), self.own.file);
        answers.into_iter().find_map(|entry| match values::parts(entry).0 {
            values::Value::Class(class) => Some(class),
            _ => None,
        })
    }
}
