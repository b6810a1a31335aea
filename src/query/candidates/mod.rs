//! Unresolved occurrences that could mean a definition.
//!
//! The occurrences of its name with an unknown receiver, each with a probability from the evidence. Nothing of this is
//! stored, so nothing of it goes stale.
//!
//! The evidence: how many definitions share the name and take the arguments, whether their classes have the other
//! attributes that the code asks of the receiver, whether the receiver is called like the class, whether the file
//! knows the module, and whether built-in types have such a member too.

pub mod all;
pub(crate) mod as_written;
pub mod evidence;
pub(crate) mod receiver_names;
pub(crate) mod rivals;

use crate::{
    model::{Basis, EntityId, EntityKind, Relationship, RelationshipKind, Unresolved},
    query::{
        candidates::{
            evidence::Traits,
            receiver_names::Likeness,
            rivals::{Rivals, Share, is_plain},
        },
        graph::Graph,
    },
    store::{
        error::StoreError,
        read::{Entity, entity_headers::Head},
    },
};

/// Less probable candidates are listed only on demand. Of 3,028 below .15 on the projects of benches/history/2026-11.md
/// one in twenty was called, of 514 from there to here one in four (`benches/candidates.py`).
pub const LISTED: f64 = 0.2;
/// A possible relationship is never more probable than this: of 447 that were claimed at .8 and more, .87 were called.
const HIGHEST: f64 = 0.85;
/// With more definitions of a name than this, only occurrences with a telling receiver are looked at.
const MANY_DEFINITIONS: usize = 10;

/// An occurrence that could mean the entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub unresolved: Unresolved,
    pub probability: f64,
    /// Evidence for and against the definition.
    pub definition: Traits,
    /// Evidence that the occurrence means none of the definitions of the name.
    pub occurrence: Traits,
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

/// The candidates of one entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundCandidates {
    /// Sorted by place.
    pub likely: Vec<Candidate>,
    /// Occurrences that cannot be ruled out, but are too unlikely to list.
    pub unlikely: Vec<OccurrencePlace>,
}

/// The definition around an occurrence, its line and its column.
pub type OccurrencePlace = (EntityId, u32, u32);

/// How much one answer may read. Counted, not timed, so that equal trees give equal answers.
#[derive(Clone, Debug)]
pub struct CandidateBudget {
    pub names: usize,
    pub occurrences: usize,
}

impl Default for CandidateBudget {
    fn default() -> Self {
        Self { names: 2_000, occurrences: 200_000 }
    }
}

/// The occurrences that could mean `entity` with at least the probability `floor`.
pub fn candidates(
    graph: &Graph,
    head: &Head,
    floor: f64,
    budget: &mut CandidateBudget,
) -> Result<FoundCandidates, StoreError> {
    let found = FoundCandidates::default();
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
pub fn candidates_of(
    graph: &Graph,
    entity: &Entity,
    floor: f64,
    budget: &mut CandidateBudget,
) -> Result<FoundCandidates, StoreError> {
    let mut found = FoundCandidates::default();
    if !can_be_meant(entity) {
        return Ok(found);
    }
    let unresolved = graph.unresolved_named(&entity.record.name)?;
    budget.occurrences = budget.occurrences.saturating_sub(unresolved.len());
    let named = graph.named(&entity.record.name)?;
    let judge = CandidateJudge::new(graph, entity, &named)?;
    for occurrence in unresolved.iter() {
        match judge.share(occurrence, floor)? {
            None => {}
            Some(share) if share.probability >= floor => found.likely.push(Candidate {
                unresolved: occurrence.clone(),
                probability: share.probability.min(HIGHEST),
                definition: share.definition,
                occurrence: share.occurrence,
            }),
            Some(_) => found.unlikely.push((occurrence.source, occurrence.line, occurrence.column)),
        }
    }
    Ok(found)
}

/// Special names at module level (`__all__`) are nobody's attribute.
fn can_be_meant(entity: &Entity) -> bool {
    !(entity.record.name.starts_with("__") && is_plain(entity))
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
struct CandidateJudge<'g, 's> {
    graph: &'g Graph<'s>,
    /// Number of definitions that share the name.
    count: usize,
    /// Those; the entity alone where they are many.
    rivals: Rivals<'g, 's>,
}

impl<'g, 's> CandidateJudge<'g, 's> {
    fn new(graph: &'g Graph<'s>, entity: &Entity, named: &[Entity]) -> Result<Self, StoreError> {
        let others = others(entity, named);
        let count = others.len() + 1;
        let weighed = others.into_iter().filter(|_| count <= MANY_DEFINITIONS);
        let among: Vec<&Entity> = std::iter::once(entity).chain(weighed).collect();
        Ok(Self { graph, count, rivals: Rivals::new(graph, &among)? })
    }

    /// `None` when the occurrence cannot mean the entity. A share that stays below `floor` is not computed to its end.
    fn share(&self, occurrence: &Unresolved, floor: f64) -> Result<Option<Share>, StoreError> {
        if !self.rivals.can_mean(occurrence) {
            return Ok(None);
        }
        let is_many = self.count > MANY_DEFINITIONS;
        if is_many && self.rivals.likeness(occurrence) == Likeness::Other {
            return Ok(Some(Share::default()));
        }
        let Some(source) = self.graph.head(occurrence.source)? else { return Ok(None) };
        if self.rivals.is_of_other_test(&source)? {
            return Ok(None);
        }
        let unweighed = if is_many { self.count - 1 } else { 0 };
        self.rivals.share(occurrence, &source, unweighed, floor).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{CallShape, EntityFlags, EntityKind::*},
        query::{
            fixture::Fixture,
            target::{TargetMatch, look_up},
        },
    };

    fn check(fixture: &mut Fixture, target: &str) -> Vec<(u32, f64)> {
        let store = fixture.store();
        let graph = Graph::new(&store).expect("a store in memory");
        let Ok(TargetMatch::Found(target)) = look_up(&store, target, "") else { panic!("no target") };
        let head = graph.head(target.main().id).unwrap().unwrap();
        let found = candidates(&graph, &head, LISTED, &mut CandidateBudget::default()).expect("a store in memory");
        found.likely.iter().map(|c| (c.unresolved.line, (c.probability * 100.0).round() / 100.0)).collect()
    }

    fn shop() -> Fixture {
        let mut fixture = Fixture::default();
        fixture.file("shop/app.py", "shop.app").entity(Class, "HttpClient", 1, 9);
        fixture.entity(Method, "HttpClient.send_all", 2, 4);
        fixture.file("shop/use.py", "shop.use").entity(Function, "use", 1, 9);
        fixture
    }

    /// `receiver.name(1, …)` in `shop.use.use`, with these names for the further arguments.
    fn call(fixture: &mut Fixture, receiver: &str, name: &str, line: u32, keywords: &[&str]) {
        fixture.unresolved("shop.use.use", receiver, name, line);
        let keywords = keywords.iter().map(|&keyword| keyword.to_owned()).collect();
        fixture.last_unresolved("shop.use.use").call = Some(CallShape { positional: 1, keywords, is_open: false });
    }

    /// The candidates at one place, the most probable first.
    fn ranked(fixture: &mut Fixture, line: u32, targets: &[&str]) -> Vec<String> {
        let mut probability = |target: &&str| check(fixture, target).into_iter().find(|found| found.0 == line);
        let mut found: Vec<(f64, String)> = targets
            .iter()
            .map(|target| (probability(target).map_or(0.0, |found| found.1), (*target).to_owned()))
            .collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        assert!(found.windows(2).all(|two| two[0].0 > two[1].0), "{found:?}");
        found.into_iter().map(|(_, target)| target).collect()
    }

    #[test]
    fn a_receiver_called_like_the_class_speaks_for_it() {
        let mut fixture = shop();
        call(&mut fixture, "thing", "send_all", 2, &[]);
        call(&mut fixture, "client", "send_all", 3, &[]);
        call(&mut fixture, "http_client", "send_all", 4, &[]);
        assert_eq!(check(&mut fixture, "send_all"), [(2, 0.4), (3, 0.58), (4, 0.75)]);
    }

    #[test]
    fn arguments_that_do_not_fit_rule_a_call_out() {
        let mut fixture = shop();
        call(&mut fixture, "thing", "send_all", 2, &["z"]);
        assert_eq!(check(&mut fixture, "send_all"), []);
    }

    #[test]
    fn what_a_decorator_makes_may_take_other_arguments() {
        let mut fixture = Fixture::default();
        fixture.file("shop/app.py", "shop.app").entity(Class, "Client", 1, 9).entity(Method, "Client.send_all", 2, 4);
        fixture.last().decorators = vec!["registered(\"send_all\")".to_owned()];
        fixture.file("shop/use.py", "shop.use").entity(Function, "use", 1, 9);
        call(&mut fixture, "thing", "send_all", 2, &["z"]);
        assert_eq!(check(&mut fixture, "send_all"), [(2, 0.3)]);
    }

    #[test]
    fn a_static_method_has_no_receiver_among_its_parameters() {
        let mut fixture = Fixture::default();
        fixture.file("shop/app.py", "shop.app").entity(Class, "Client", 1, 9).entity(Method, "Client.send_all", 2, 4);
        fixture.last().flags = EntityFlags(EntityFlags::STATIC_METHOD);
        fixture.last().signature = "(x)".to_owned();
        fixture.file("shop/use.py", "shop.use").entity(Function, "use", 1, 9);
        call(&mut fixture, "thing", "send_all", 2, &[]);
        assert_eq!(check(&mut fixture, "send_all"), [(2, 0.4)]);
    }

    #[test]
    fn what_is_awaited_is_not_declared_to_give_an_object_of_a_built_in_type() {
        let mut fixture = Fixture::default();
        fixture.file("shop/app.py", "shop.app").entity(Class, "Client", 1, 9).entity(Method, "Client.send_all", 2, 4);
        fixture.last().signature = "(self, x) -> None".to_owned();
        fixture.entity(Class, "Later", 11, 19).entity(Method, "Later.send_all", 12, 14);
        fixture.last().signature = "(self, x) -> None".to_owned();
        fixture.last().flags = EntityFlags(EntityFlags::ASYNC);
        fixture.file("shop/use.py", "shop.use").entity(Function, "use", 1, 9);
        call(&mut fixture, "thing", "send_all", 2, &[]);
        fixture.last_unresolved("shop.use.use").is_awaited = true;
        assert_eq!(check(&mut fixture, "Client.send_all"), []);
        assert_eq!(check(&mut fixture, "Later.send_all"), [(2, 0.4)]);
    }

    /// Two classes with `send`, the second of which derives from the first, and one of which nobody here knows.
    fn family() -> Fixture {
        let mut fixture = Fixture::default();
        fixture.file("shop/base.py", "shop.base").entity(Class, "Base", 1, 9).entity(Method, "Base.send_all", 2, 4);
        fixture.file("shop/sms.py", "shop.sms").entity(Class, "Sms", 1, 9).entity(Method, "Sms.send_all", 2, 4);
        fixture.entity(Method, "Sms.charge", 5, 6).entity(Method, "Sms.refund", 7, 8);
        fixture.file("shop/use.py", "shop.use").entity(Function, "use", 1, 9);
        fixture.edge("shop.sms.Sms", RelationshipKind::Inherits, "shop.base.Base", 1, Basis::Import);
        fixture
    }

    #[test]
    fn a_class_that_the_file_names_stands_before_its_base_and_others() {
        let mut fixture = family();
        call(&mut fixture, "thing", "send_all", 2, &[]);
        fixture.edge("shop.use.use", RelationshipKind::References, "shop.sms.Sms", 1, Basis::Import);
        let order = ranked(&mut fixture, 2, &["Base.send_all", "Sms.send_all"]);
        assert_eq!(order, ["Sms.send_all", "Base.send_all"]);
    }

    #[test]
    fn what_else_is_asked_of_the_receiver_speaks_for_the_class_that_has_it() {
        let mut fixture = family();
        call(&mut fixture, "thing", "send_all", 2, &[]);
        call(&mut fixture, "thing", "charge", 3, &[]);
        call(&mut fixture, "thing", "refund", 4, &[]);
        assert_eq!(check(&mut fixture, "Base.send_all"), []);
        assert_eq!(check(&mut fixture, "Sms.send_all"), [(2, 0.64)]);
    }

    #[test]
    fn what_dicts_have_too_speaks_for_no_class() {
        let mut fixture = Fixture::default();
        fixture.file("shop/bag.py", "shop.bag").entity(Class, "Bag", 1, 9).entity(Method, "Bag.pop", 2, 3);
        fixture.entity(Method, "Bag.update", 4, 5).entity(Method, "Bag.weigh", 6, 7);
        fixture.entity(Method, "Bag.seal", 8, 9);
        fixture.file("shop/use.py", "shop.use").entity(Function, "use", 1, 9);
        call(&mut fixture, "thing", "pop", 2, &[]);
        call(&mut fixture, "thing", "update", 3, &[]);
        call(&mut fixture, "other", "pop", 4, &[]);
        call(&mut fixture, "other", "weigh", 5, &[]);
        call(&mut fixture, "other", "seal", 6, &[]);
        call(&mut fixture, "__dict__", "weigh", 7, &[]);
        assert_eq!(check(&mut fixture, "Bag.pop"), [(4, 0.22)]);
        assert_eq!(check(&mut fixture, "Bag.weigh"), [(5, 0.63)]);
    }

    #[test]
    fn a_test_does_not_mean_what_another_test_defines() {
        let mut fixture = Fixture::default();
        fixture.file("tests/test_app.py", "tests.test_app");
        for test in ["test_one", "test_two"] {
            fixture.entity(Function, test, 1, 9).last().flags = EntityFlags(EntityFlags::TEST);
        }
        fixture.entity(Class, "test_one.Client", 2, 5).entity(Method, "test_one.Client.send_all", 3, 4);
        for (test, line) in [("test_one", 7), ("test_two", 8)] {
            let source = format!("tests.test_app.{test}");
            fixture.unresolved(&source, "client", "send_all", line);
        }
        assert_eq!(check(&mut fixture, "send_all").iter().map(|found| found.0).collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn functions_of_a_module_are_not_attributes_of_objects() {
        let mut fixture = shop();
        fixture.file("shop/tools.py", "shop.tools").entity(Function, "send_all", 1, 3);
        fixture.last().signature = "(x)".to_owned();
        call(&mut fixture, "thing", "send_all", 2, &[]);
        call(&mut fixture, "tools", "send_all", 3, &[]);
        assert_eq!(check(&mut fixture, "shop.tools.send_all"), [(3, 0.75)]);
    }
}
