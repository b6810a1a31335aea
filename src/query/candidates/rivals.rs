//! Definitions of one name, and the probability that an unresolved occurrence means the first of them.
//!
//! A definition that the occurrence contradicts has no share; more evidence gives a larger share.

use std::{cell::OnceCell, cell::RefCell, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    model::{
        EntityFlags, EntityId, EntityKind, FileId, Unresolved, UnresolvedReason,
        conventions::decorators::keeps_parameters, signature::Signature,
    },
    query::{
        candidates::{
            evidence::{Trait, Traits, is_common_member},
            receiver_names::{Likeness, words},
        },
        graph::Graph,
    },
    store::{
        error::StoreError,
        read::{Entity, entity_headers::Head},
    },
};

/// Built-in types whose objects cannot be awaited.
const PLAIN: [&str; 10] = ["None", "bool", "bytes", "dict", "float", "int", "list", "set", "str", "tuple"];
/// Classes that derive from one are looked at by whole generations up to this number.
const MANY_HEIRS: usize = 64;

/// The definitions of a name, the one in question first.
pub(crate) struct Rivals<'g, 's> {
    graph: &'g Graph<'s>,
    all: Vec<Rival>,
    /// How near a file is to another.
    near: RefCell<FxHashMap<(FileId, usize), Option<Trait>>>,
}

/// How much of the probability a definition has, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Share {
    pub probability: f64,
    /// Evidence for and against the definition.
    pub definition: Traits,
    /// Evidence that the occurrence means none of the definitions.
    pub occurrence: Traits,
}

struct Rival {
    id: EntityId,
    file: FileId,
    kind: EntityKind,
    flags: EntityFlags,
    /// The class, or itself where it has none.
    owner: EntityId,
    is_member: bool,
    is_plain: bool,
    /// Defined in a function: only code in there sees it, by its plain name.
    is_local: bool,
    /// The words in the name of the class, or of the module where there is no class.
    words: Vec<String>,
    signature: Option<Signature>,
    /// Its decorators keep its parameters and its result.
    is_as_written: bool,
    /// It is declared to give an object of a built-in type, or gives a generator.
    gives_plain: bool,
    /// The outermost test in which it is defined.
    test: Option<EntityId>,
    /// The class and those that it derives from, once somebody asks.
    ancestors: OnceCell<Rc<[EntityId]>>,
    /// The class and those that have the definition from it, sorted.
    heirs: OnceCell<Rc<[EntityId]>>,
}

impl<'g, 's> Rivals<'g, 's> {
    pub(crate) fn new(graph: &'g Graph<'s>, entities: &[&Entity]) -> Result<Self, StoreError> {
        let all = entities.iter().map(|entity| Rival::new(graph, entity)).collect::<Result<_, _>>()?;
        Ok(Rivals { graph, all, near: RefCell::default() })
    }

    /// How the receiver is called beside the owner of the first definition.
    pub(crate) fn likeness(&self, occurrence: &Unresolved) -> Likeness {
        Likeness::of(&occurrence.receiver, &self.all[0].words)
    }

    /// The occurrence can mean the first definition.
    pub(crate) fn can_mean(&self, occurrence: &Unresolved) -> bool {
        self.all[0].can_be_meant(occurrence)
    }

    /// Whether the first definition is inside a test, and the source of an occurrence inside another one: tests do not
    /// get each other's objects. Of 45 such candidates on 25 traced projects none was called.
    pub(crate) fn is_of_other_test(&self, source: &Head) -> Result<bool, StoreError> {
        let Some(test) = self.all[0].test else { return Ok(false) };
        Ok(test_around(self.graph, source.id)?.is_some_and(|own| own != test))
    }

    /// The probability that the occurrence means the first of the definitions; `unweighed` definitions beside these
    /// are not weighed. A share that stays below `floor` is not computed to its end.
    pub(crate) fn share(
        &self,
        occurrence: &Unresolved,
        source: &Head,
        unweighed: usize,
        floor: f64,
    ) -> Result<Share, StoreError> {
        let of_occurrence = Traits::of(occurrence);
        let asked = self.asked(occurrence, source)?;
        let definition = self.traits(0, occurrence, source, &asked)?;
        let first = definition.weight();
        let mut sum = of_occurrence.outside() + f64::from(u32::try_from(unweighed).unwrap_or(u32::MAX)) + first;
        for (at, rival) in self.all.iter().enumerate().skip(1) {
            if first / sum < floor {
                break;
            }
            if rival.can_be_meant(occurrence) {
                sum += self.traits(at, occurrence, source, &asked)?.weight();
            }
        }
        Ok(Share { probability: first / sum, definition, occurrence: of_occurrence })
    }

    /// The other attributes that are asked of the receiver.
    fn asked(&self, occurrence: &Unresolved, source: &Head) -> Result<Vec<String>, StoreError> {
        let is_told = !matches!(occurrence.receiver.as_str(), "" | "self" | "cls");
        let mut asked = if is_told { self.graph.asked(source, &occurrence.receiver)? } else { Vec::new() };
        asked.retain(|name| *name != occurrence.name && !name.starts_with("__"));
        Ok(asked)
    }

    fn traits(
        &self,
        at: usize,
        occurrence: &Unresolved,
        source: &Head,
        asked: &[String],
    ) -> Result<Traits, StoreError> {
        let rival = &self.all[at];
        let mut traits = Traits::default();
        let likeness = Likeness::of(&occurrence.receiver, &rival.words);
        traits.set(Trait::CalledSame, likeness == Likeness::Same);
        traits.set(Trait::CalledAlike, likeness == Likeness::Alike);
        if rival.is_member && !asked.is_empty() {
            let has_all = self.has_all(rival, asked)?;
            let telling = asked.iter().filter(|name| !is_common_member(name)).count();
            traits.set(Trait::HasOne, has_all && telling == 1);
            traits.set(Trait::HasAll, has_all && telling > 1);
            traits.set(Trait::Lacks, !has_all);
        }
        if let Some(near) = self.near(at, rival, source)? {
            traits.set(near, true);
        }
        match &occurrence.call {
            Some(call) => {
                traits.set(Trait::PropertyCalled, rival.kind == EntityKind::Property);
                traits.set(Trait::VariableCalled, rival.kind == EntityKind::Variable);
                let takes = |signature: &Signature| {
                    call.keywords.iter().all(|keyword| signature.parameters.iter().any(|p| p.name == *keyword))
                };
                traits.set(Trait::Misfit, rival.misfits(occurrence));
                traits.set(
                    Trait::TakesKeywords,
                    !call.keywords.is_empty() && rival.signature.as_ref().is_some_and(takes),
                );
            }
            None => traits.set(Trait::MethodRead, rival.kind == EntityKind::Method),
        }
        traits.set(Trait::NotAsync, occurrence.is_awaited && rival.signature.is_some() && !rival.is_async());
        traits.set(Trait::Itself, source.id == rival.id);
        traits.set(Trait::LeftOpen, rival.flags.is_left_open());
        if matches!(occurrence.receiver.as_str(), "self" | "cls") && rival.is_member {
            traits.set(Trait::Related, self.is_related(rival, source)?);
        }
        Ok(traits)
    }

    fn has_all(&self, rival: &Rival, asked: &[String]) -> Result<bool, StoreError> {
        let ancestors = self.ancestors(rival)?;
        for name in asked {
            if !self.graph.named(name)?.iter().any(|entity| ancestors.contains(&entity.parent)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a class derives from the one of the definition and from the one that `self` is of.
    fn is_related(&self, rival: &Rival, source: &Head) -> Result<bool, StoreError> {
        let mut around = self.graph.head(source.parent)?;
        while let Some(class) = around {
            if class.kind == EntityKind::Class {
                let family = self.heirs_of(class.id, &FxHashSet::default())?;
                for heir in family.iter() {
                    if self.graph.lineage(*heir)?.iter().any(|class| class.id == rival.owner) {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            around = if class.parent == class.id { None } else { self.graph.head(class.parent)? };
        }
        Ok(false)
    }

    fn ancestors(&self, rival: &Rival) -> Result<Rc<[EntityId]>, StoreError> {
        if let Some(known) = rival.ancestors.get() {
            return Ok(Rc::clone(known));
        }
        let found: Rc<[EntityId]> = self.graph.lineage(rival.owner)?.iter().map(|class| class.id).collect();
        Ok(Rc::clone(rival.ancestors.get_or_init(|| found)))
    }

    /// A class and its derived classes, sorted, without those that derive from it only through `without`. Whole
    /// generations, as long as they are not too many.
    fn heirs_of(&self, class: EntityId, without: &FxHashSet<EntityId>) -> Result<Rc<[EntityId]>, StoreError> {
        let mut known: FxHashSet<EntityId> = std::iter::once(class).collect();
        let mut generation = vec![class];
        while !generation.is_empty() && known.len() < MANY_HEIRS {
            let mut next = Vec::new();
            for class in generation {
                next.extend(self.graph.heirs(class)?.into_iter().map(|inherits| inherits.source));
            }
            next.retain(|heir| !without.contains(heir) && known.insert(*heir));
            generation = next;
        }
        let mut heirs: Vec<EntityId> = known.into_iter().collect();
        heirs.sort_unstable();
        Ok(heirs.into())
    }

    /// The class of a definition and those that inherit the definition: an override is one of the rivals.
    fn heirs(&self, rival: &Rival) -> Result<Rc<[EntityId]>, StoreError> {
        if let Some(known) = rival.heirs.get() {
            return Ok(Rc::clone(known));
        }
        let overriding = self.all.iter().map(|other| other.owner).collect();
        let found = if rival.is_member { self.heirs_of(rival.owner, &overriding)? } else { Rc::from([rival.owner]) };
        Ok(Rc::clone(rival.heirs.get_or_init(|| found)))
    }

    fn near(&self, at: usize, rival: &Rival, source: &Head) -> Result<Option<Trait>, StoreError> {
        if let Some(&known) = self.near.borrow().get(&(source.file, at)) {
            return Ok(known);
        }
        let near = if source.file == rival.file {
            Some(Trait::SameFile)
        } else if self.graph.refers_to_any(source.file, &self.heirs(rival)?)? {
            Some(Trait::Named)
        } else if self.graph.refers(source.file, rival.file)? {
            Some(Trait::Refers)
        } else {
            None
        };
        self.near.borrow_mut().insert((source.file, at), near);
        Ok(near)
    }
}

/// The outermost test that an entity is, or is defined in.
fn test_around(graph: &Graph, entity: EntityId) -> Result<Option<EntityId>, StoreError> {
    let mut found = None;
    let mut around = graph.head(entity)?;
    while let Some(head) = around {
        if head.is_test() && head.kind.is_callable() {
            found = Some(head.id);
        }
        around = if head.parent == head.id { None } else { graph.head(head.parent)? };
    }
    Ok(found)
}

/// Whether the decorators of a definition keep its parameters. The code of the file is read only where their last names
/// say so and one is dotted.
fn is_as_written(graph: &Graph, entity: &Entity) -> Result<bool, StoreError> {
    let decorators = &entity.record.decorators;
    if !decorators.iter().all(|decorator| keeps_parameters(decorator)) {
        return Ok(false);
    }
    if !decorators.iter().any(|decorator| decorator.split('(').next().is_some_and(|name| name.contains('.'))) {
        return Ok(true);
    }
    let Some(head) = graph.head(entity.id)? else { return Ok(true) };
    Ok(graph.code_around(&head)?.bodies.keeps_parameters_at((head.line, head.column)))
}

impl Rival {
    fn new(graph: &Graph, entity: &Entity) -> Result<Self, StoreError> {
        let parent = graph.head(entity.parent)?.filter(|parent| parent.kind != EntityKind::Module);
        let class = parent.as_ref().filter(|parent| parent.kind == EntityKind::Class);
        Ok(Rival {
            id: entity.id,
            file: entity.file,
            kind: entity.record.kind,
            flags: entity.record.flags,
            owner: class.map_or(entity.id, |class| class.id),
            is_member: class.is_some(),
            is_plain: is_plain(entity),
            is_local: parent.as_ref().is_some_and(|parent| parent.kind.is_callable()),
            words: words(match &parent {
                Some(parent) => parent.name(),
                None => entity.module.rsplit('.').next().unwrap_or_default(),
            }),
            signature: signature(entity),
            is_as_written: is_as_written(graph, entity)?,
            gives_plain: entity.record.flags.has(EntityFlags::GENERATOR)
                || returned(&entity.record.signature).is_some_and(|declared| PLAIN.contains(&declared)),
            test: parent.map_or(Ok(None), |parent| test_around(graph, parent.id))?,
            ancestors: OnceCell::new(),
            heirs: OnceCell::new(),
        })
    }

    /// Whether the form of the occurrence fits: an attribute of that name, or a plain name. A module's definition is
    /// an attribute of a receiver that is called like the module.
    fn can_be_meant(&self, occurrence: &Unresolved) -> bool {
        let fits = match occurrence.reason {
            UnresolvedReason::UnboundName | UnresolvedReason::UnknownModule => self.is_plain,
            UnresolvedReason::UnknownReceiver | UnresolvedReason::MissingMember | UnresolvedReason::TooManyValues => {
                !self.is_plain && !self.is_local || Likeness::of(&occurrence.receiver, &self.words) == Likeness::Same
            }
            UnresolvedReason::MissingModule | UnresolvedReason::DynamicName => false,
        };
        fits && !self.is_contradicted(occurrence)
    }

    /// It is no member of a dict, does not take the arguments, or gives a result that cannot be awaited.
    fn is_contradicted(&self, occurrence: &Unresolved) -> bool {
        occurrence.receiver == "__dict__"
            || self.is_as_written
                && (self.misfits(occurrence) || (occurrence.is_awaited && self.gives_plain && !self.is_async()))
    }

    /// The parameters that are written do not take the arguments.
    fn misfits(&self, occurrence: &Unresolved) -> bool {
        match (&occurrence.call, &self.signature) {
            (Some(call), Some(signature)) => signature.bind(call).is_err(),
            _ => false,
        }
    }

    fn is_async(&self) -> bool {
        self.flags.has(EntityFlags::ASYNC)
    }
}

/// At module level: reached by a plain name or as an attribute of the module.
pub(crate) fn is_plain(entity: &Entity) -> bool {
    !entity.record.qualified.contains('.')
}

/// The declared result.
fn returned(signature: &str) -> Option<&str> {
    signature.rsplit_once(')').and_then(|(_, after)| after.trim().strip_prefix("->")).map(str::trim)
}

/// The parameters of a definition without its receiver.
fn signature(entity: &Entity) -> Option<Signature> {
    let record = &entity.record;
    let is_called = matches!(record.kind, EntityKind::Function | EntityKind::Method);
    let signature = Signature::parse(&record.signature).filter(|_| is_called)?;
    let is_bound = record.kind == EntityKind::Method && !record.flags.has(EntityFlags::STATIC_METHOD);
    Some(if is_bound { signature.bound() } else { signature })
}
