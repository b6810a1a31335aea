//! Unresolved occurrences that could mean a definition.
//!
//! Goes in: an entity. Comes out: the occurrences of its name whose receiver nobody could tell, each with a
//! probability from what speaks for and against it. Nothing of this is stored, so nothing of it goes stale.
//!
//! What counts: how many definitions share the name and take the arguments, whether their classes have what else is asked of the
//! receiver, whether that is called like the class, whether the file knows the module, and whether built-in types have such a
//! member too.

use crate::{
    model::{Basis, EntityId, EntityKind, Relationship, RelationshipKind, Unresolved, UnresolvedReason},
    query::{
        graph::Graph,
        rivals::{Rivals, is_known, signature},
        signature::Signature,
    },
    store::{error::StoreError, heads::Head, read::Entity},
};

/// Candidates less probable than this are not worth a line, unless all are asked for: of 47 on the projects of
/// BENCHMARKS.md, none was a reference.
pub const LISTED: f64 = 0.15;
/// A possible relationship is never more probable than this.
const HIGHEST: f64 = 0.6;
/// With more definitions of a name than this, only occurrences with a telling receiver are looked at.
const MANY_DEFINITIONS: usize = 10;

/// An occurrence that could mean the entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub unresolved: Unresolved,
    pub probability: f64,
}

impl Candidate {
    /// The relationship that it would be.
    pub fn relationship(&self, target: EntityId) -> Relationship {
        let kind = if self.unresolved.call.is_some() { RelationshipKind::Calls } else { RelationshipKind::References };
        Relationship {
            target,
            kind,
            source: self.unresolved.source,
            line: self.unresolved.line,
            column: self.unresolved.column,
            basis: Basis::Name,
        }
    }
}

/// What was found for one entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Sorted by place.
    pub likely: Vec<Candidate>,
    /// Occurrences that cannot be ruled out, but are too unlikely to list.
    pub unlikely: usize,
}

/// How much one answer may read. Counted, not timed, so that equal trees give equal answers.
#[derive(Clone, Debug)]
pub struct Budget {
    pub names: usize,
    pub occurrences: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { names: 2_000, occurrences: 200_000 }
    }
}

/// The occurrences that could mean `entity` with at least the probability `floor`.
pub fn candidates(graph: &Graph, head: &Head, floor: f64, budget: &mut Budget) -> Result<Found, StoreError> {
    let found = Found::default();
    if floor > HIGHEST || head.kind == EntityKind::Module || budget.names == 0 || budget.occurrences == 0 {
        return Ok(found);
    }
    budget.names -= 1;
    if graph.unresolved_named(head.name())?.is_empty() {
        return Ok(found);
    }
    match graph.entity(head.id)? {
        Some(entity) => candidates_of(graph, &entity, floor, budget),
        None => Ok(found),
    }
}

/// The same for an entity that need not be in the index any more; its parent has to be.
pub fn candidates_of(graph: &Graph, entity: &Entity, floor: f64, budget: &mut Budget) -> Result<Found, StoreError> {
    let mut found = Found::default();
    if !can_be_meant(entity) {
        return Ok(found);
    }
    let unresolved = graph.unresolved_named(&entity.record.name)?;
    budget.occurrences = budget.occurrences.saturating_sub(unresolved.len());
    let named = graph.named(&entity.record.name)?;
    let judge = Judge::new(graph, entity, &named)?;
    for occurrence in unresolved.iter() {
        match judge.probability(occurrence, floor)? {
            None => {}
            Some(probability) if probability >= floor => {
                let probability = probability.min(HIGHEST);
                found.likely.push(Candidate { unresolved: occurrence.clone(), probability });
            }
            Some(_) => found.unlikely += 1,
        }
    }
    Ok(found)
}

/// Special names at module level (`__all__`) are nobody's attribute.
fn can_be_meant(entity: &Entity) -> bool {
    !(entity.record.name.starts_with("__") && is_plain(entity))
}

/// At module level: reached by a plain name or as an attribute of the module.
fn is_plain(entity: &Entity) -> bool {
    !entity.record.qualified.contains('.')
}

/// The other definitions that an attribute of this name can mean.
fn others<'e>(entity: &Entity, named: &'e [Entity]) -> Vec<&'e Entity> {
    let is_rival = |other: &&Entity| {
        other.record.kind != EntityKind::Module
            && is_plain(other) == is_plain(entity)
            && other.record.duplicate == 0
            && other.id != entity.id
    };
    named.iter().filter(is_rival).collect()
}

/// Weighs occurrences against one entity.
struct Judge<'g, 's> {
    graph: &'g Graph<'s>,
    entity: &'g Entity,
    /// Number of definitions that share the name.
    count: usize,
    /// Those, where they are few.
    rivals: Option<Rivals<'g, 's>>,
    signature: Option<Signature>,
    /// The words in the name of the class or, for what has none, of the module.
    owner: Vec<String>,
}

impl<'g, 's> Judge<'g, 's> {
    fn new(graph: &'g Graph<'s>, entity: &'g Entity, named: &[Entity]) -> Result<Self, StoreError> {
        let others = others(entity, named);
        let count = others.len() + 1;
        let among: Vec<&Entity> = std::iter::once(entity).chain(others).collect();
        let rivals = (count <= MANY_DEFINITIONS).then(|| Rivals::new(graph, &among)).transpose()?;
        let parent = graph.head(entity.parent)?;
        Ok(Self {
            graph,
            entity,
            count,
            rivals,
            signature: signature(entity),
            owner: words(match &parent {
                Some(parent) if parent.kind != EntityKind::Module => parent.name(),
                _ => entity.module.rsplit('.').next().unwrap_or_default(),
            }),
        })
    }

    /// `None` when the occurrence cannot mean the entity. What is less probable than `floor` is not weighed to its end.
    fn probability(&self, occurrence: &Unresolved, floor: f64) -> Result<Option<f64>, StoreError> {
        let is_attribute = occurrence.reason.is_of_attribute();
        let is_named = self.owner_is(&occurrence.receiver);
        let can_mean = match occurrence.reason {
            UnresolvedReason::UnboundName => is_plain(self.entity),
            UnresolvedReason::UnknownReceiver | UnresolvedReason::MissingMember | UnresolvedReason::TooManyValues => {
                !is_plain(self.entity) || is_named == Receiver::Same
            }
            UnresolvedReason::MissingModule | UnresolvedReason::DynamicName => false,
        };
        if !can_mean || self.breaks(occurrence) {
            return Ok(None);
        }
        if self.count > MANY_DEFINITIONS && is_named == Receiver::Other {
            return Ok(Some(0.0));
        }
        let Some(source) = self.graph.head(occurrence.source)? else { return Ok(None) };
        let standing = self.rivals.as_ref().map(|rivals| rivals.standing(occurrence, &source)).transpose()?;
        let (rivals, has_all) = match standing {
            Some(standing) => (1.0 / standing.share, standing.has_all),
            None => (f64::from(u32::try_from(self.count).unwrap_or(u32::MAX)), true),
        };
        let mut probability = match is_named {
            Receiver::Same => 0.6,
            Receiver::Alike => 0.6 / rivals.sqrt(),
            Receiver::Other => 0.45 / rivals,
        };
        if occurrence.reason == UnresolvedReason::MissingMember {
            probability *= 0.4;
        }
        if !has_all {
            probability *= 0.5;
        }
        if is_attribute && is_named != Receiver::Same && is_common_member(&occurrence.name) {
            probability *= 0.25;
        }
        if occurrence.receiver == "self" || occurrence.receiver == "cls" {
            probability *= 0.5;
        }
        // Who knows the module is the one thing here that takes time to find out.
        if probability >= floor && !is_known(self.graph, &source, self.entity.file)? {
            probability *= if is_attribute { 0.5 } else { 0.1 };
        }
        Ok(Some(probability))
    }

    /// The arguments do not fit.
    fn breaks(&self, occurrence: &Unresolved) -> bool {
        match (&occurrence.call, &self.signature) {
            (Some(call), Some(signature)) => signature.mismatch(call).is_some(),
            _ => false,
        }
    }

    fn owner_is(&self, receiver: &str) -> Receiver {
        let receiver = words(receiver);
        if receiver.is_empty() || self.owner.is_empty() {
            Receiver::Other
        } else if receiver == self.owner {
            Receiver::Same
        } else if self.owner.ends_with(&receiver) || receiver.ends_with(&self.owner) {
            Receiver::Alike
        } else {
            Receiver::Other
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    /// Its name is the owner's: `http_client` for `HttpClient`.
    Same,
    /// Its name is part of the owner's, or the other way round: `client` for `HttpClient`.
    Alike,
    Other,
}

/// The lower-case words of a name: `HTTPClient2` and `_http_client2` are both `http client2`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let characters: Vec<char> = name.chars().collect();
    for (at, c) in characters.iter().enumerate() {
        if *c == '_' {
            words.push(String::new());
            continue;
        }
        let before = at.checked_sub(1).map(|at| characters[at]);
        let starts_word = c.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || (before.is_some_and(char::is_uppercase)
                    && characters.get(at + 1).is_some_and(|next| next.is_lowercase())));
        if starts_word || words.is_empty() {
            words.push(String::new());
        }
        words.last_mut().expect("one was just added").extend(c.to_lowercase());
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Members of strings, lists, dictionaries, sets, files and the like: an unknown receiver is often one of these.
fn is_common_member(name: &str) -> bool {
    matches!(
        name,
        "add"
            | "append"
            | "clear"
            | "close"
            | "copy"
            | "count"
            | "decode"
            | "encode"
            | "endswith"
            | "extend"
            | "find"
            | "flush"
            | "format"
            | "get"
            | "group"
            | "groups"
            | "index"
            | "insert"
            | "intersection"
            | "items"
            | "join"
            | "keys"
            | "lower"
            | "lstrip"
            | "match"
            | "name"
            | "open"
            | "pop"
            | "popitem"
            | "read"
            | "readline"
            | "remove"
            | "replace"
            | "reverse"
            | "rstrip"
            | "search"
            | "seek"
            | "send"
            | "setdefault"
            | "shape"
            | "sort"
            | "split"
            | "splitlines"
            | "start"
            | "startswith"
            | "strip"
            | "sub"
            | "title"
            | "union"
            | "update"
            | "upper"
            | "value"
            | "values"
            | "write"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{CallShape, EntityKind::*},
        query::{
            fixture::Fixture,
            target::{Lookup, look_up},
        },
    };

    fn check(fixture: &mut Fixture, target: &str) -> Vec<(u32, f64)> {
        let store = fixture.store();
        let graph = Graph::new(&store).expect("a store in memory");
        let Ok(Lookup::Found(target)) = look_up(&store, target, "") else { panic!("no target") };
        let head = graph.head(target.main().id).unwrap().unwrap();
        let found = candidates(&graph, &head, LISTED, &mut Budget::default()).expect("a store in memory");
        found.likely.iter().map(|c| (c.unresolved.line, (c.probability * 100.0).round() / 100.0)).collect()
    }

    fn shop() -> Fixture {
        let mut fixture = Fixture::default();
        fixture.file("shop/app.py", "shop.app").entity(Class, "HttpClient", 1, 9);
        fixture.entity(Method, "HttpClient.send_all", 2, 4);
        fixture.file("shop/use.py", "shop.use").entity(Function, "use", 1, 9);
        fixture
    }

    #[test]
    fn a_receiver_called_like_the_class_speaks_for_it() {
        let mut fixture = shop();
        fixture.unresolved("shop.use.use", "thing", "send_all", 2);
        fixture.unresolved("shop.use.use", "client", "send_all", 3);
        fixture.unresolved("shop.use.use", "http_client", "send_all", 4);
        assert_eq!(check(&mut fixture, "send_all"), [(2, 0.45), (3, 0.6), (4, 0.6)]);
    }

    #[test]
    fn arguments_that_do_not_fit_rule_a_call_out() {
        let mut fixture = shop();
        fixture.unresolved("shop.use.use", "thing", "send_all", 2);
        fixture.last_unresolved("shop.use.use").call =
            Some(CallShape { positional: 5, keywords: Vec::new(), is_open: false });
        assert_eq!(check(&mut fixture, "send_all"), []);
    }

    #[test]
    fn functions_of_a_module_are_not_attributes_of_objects() {
        let mut fixture = shop();
        fixture.file("shop/tools.py", "shop.tools").entity(Function, "send_all", 1, 3);
        fixture.unresolved("shop.use.use", "thing", "send_all", 2).unresolved("shop.use.use", "tools", "send_all", 3);
        assert_eq!(check(&mut fixture, "shop.tools.send_all"), [(3, 0.6)]);
    }

    #[test]
    fn words_of_a_name() {
        assert_eq!(words("HTTPClient"), ["http", "client"]);
        assert_eq!(words("_http_client"), ["http", "client"]);
    }
}
