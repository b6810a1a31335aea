//! Answers about sets under several relationships: `classes that derive from A but not from B`.
//!
//! Each condition is answered by the references, the tree of subclasses or the impact of its name; the set is what is
//! left. An unresolved occurrence may change whether a definition belongs to the set, and is said.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::testing,
            coverage,
            imports::importing,
            in_words,
            places::{PlaceRole, places},
            relations::can_be,
            select::{holds, place},
        },
        reading::{
            filters::{Noun, Ranking},
            follow_up::turns::{GoingOn, Operation},
            plan::{PlannedFile, Understood},
            relations::{RelationCondition, RelationSet, RelationVerb},
        },
    },
    model::{EntityId, EntityKind, RelationshipKind},
    query::{
        impact::{
            completeness::{Boundary, Completeness},
            selection::reader_of,
        },
        navigate::{
            refs::{ReferenceSite, refs},
            tree::{TreeKind, tree},
        },
        target::{
            Target,
            filter::{DefinitionMark, Filter, FilterReader, ListOrder},
        },
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Definitions of the set that a language model gets to see.
const MAX_WANTED: usize = 30;
/// Definitions outside of the set that are listed.
const MAX_REST: usize = 30;

/// The definitions with a relationship.
#[derive(Debug, Default)]
struct Holders {
    sure: BTreeSet<EntityId>,
    /// Those with an unresolved occurrence that could be one.
    open: BTreeSet<EntityId>,
}

/// Answers a question about the list of the conversation. It says so where a condition on it is not understood, or
/// where no answer before has what `it` means.
pub(in crate::ask::answer) fn of_lost_list(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let is_read = understood.lost_list.is_none() && understood.said.is_none();
    if let Some(asked) = understood.set.as_ref().filter(|set| is_read && !set.among.is_empty()) {
        return set(reading, understood, asked).map(Some);
    }
    let mut plan = understood.plan.clone();
    plan.notes.clear();
    if let Some((said, entities)) = &understood.said {
        let mut answer = Answer::new(plan, said);
        answer.list(format!("of the list before ({})", entities.len()), entities.iter().map(ListRow::of).collect());
        return Ok(Some(answer));
    }
    let headline = match understood.lost_list {
        None if understood.is_subject_lost => {
            "`it` is not known: no question before this one is about a single definition; put its name in the place of `it`"
                .to_owned()
        }
        None => return Ok(None),
        Some(all) => format!(
            "the condition on the {} of the answer before is not understood: `which of them are tested`, `… call NAME`, \
             `… define NAME` and `… are in FILE` are",
            count(all, "definition")
        ),
    };
    let mut answer = Answer::new(plan, headline);
    answer.completeness = Completeness::Unknown;
    Ok(Some(answer))
}

/// Lists the definitions that meet the conditions of a set.
pub fn set(reading: AnswerInputs, understood: &Understood, set: &RelationSet) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    if let Some(missing) = understood.plan.files.iter().find(|file| file.paths.is_empty() && !set.among.is_empty()) {
        answer.headline = format!("not known: no indexed file is called `{}`", missing.mention);
        answer.completeness = Completeness::Unknown;
        return Ok(answer);
    }
    let mut filter = understood.filter();
    let is_bounded = set.conditions.iter().any(|one| !one.is_denied);
    let is_public = filter.marks.contains(&DefinitionMark::Public);
    if is_bounded && !is_public && understood.plan.filters.in_tests().is_none() {
        // A relationship that must hold bounds the set, so tests need not be left out. None of them is public.
        filter.is_in_tests = None;
    }
    if let Some(ranking) =
        understood.plan.filters.ranking().filter(|_| set.conditions.is_empty() && !set.among.is_empty())
    {
        return first_of_list(reading, understood, set, ranking);
    }
    let mut holders = Vec::new();
    for one in &set.conditions {
        let found = if one.verb.is_passive() {
            done_with(reading, understood, one, &set.among)?
        } else {
            holding(reading, understood, one, set.is_direct)?
        };
        holders.push(found);
    }
    let bases = set.conditions.iter().zip(&holders);
    let base = bases.into_iter().find(|(one, _)| one.verb == RelationVerb::Inherits && !one.is_denied);
    let (noun, all) = universe(reading, understood, set, &filter, base.map(|(_, found)| found))?;
    let mut is_said = None;
    let (mut fitting, mut rest, mut open) = (Vec::new(), Vec::new(), 0);
    for entity in &all {
        let id = entity.id;
        let fits = set.conditions.iter().zip(&holders).all(|(one, found)| found.sure.contains(&id) != one.is_denied);
        // Whether it would change sides if its unresolved occurrences were uses.
        let turns = set.conditions.iter().zip(&holders).all(|(one, found)| {
            let could = found.sure.contains(&id) || found.open.contains(&id);
            could != one.is_denied
        });
        open += usize::from(fits != turns);
        if fits { fitting.push(entity.clone()) } else { rest.push(entity.clone()) }
    }
    let is_every = |goes_on: GoingOn| goes_on.operation == Operation::Every;
    if understood.plan.goes_on.is_some_and(is_every) && !set.among.is_empty() {
        let is_every = open == 0 && fitting.len() == set.among.len();
        is_said = Some(if is_every {
            "yes: "
        } else if open > 0 {
            ""
        } else {
            "no: "
        });
    }
    let outside = set.conditions.iter().filter(|one| one.targets.is_empty() && one.verb == RelationVerb::Inherits);
    // A library's class that lies between may derive from the base.
    let is_open = outside.clone().any(|one| !one.is_denied);
    answer.headline = headline(understood, set, &filter, noun, (fitting.len(), all.len(), is_open));
    if let Some(said) = is_said {
        answer.headline = format!("{said}{}", answer.headline.trim_start_matches("none: "));
    }
    if !set.lost.is_empty() {
        let lost = set.lost.join("` and `");
        answer.headline =
            format!("nothing here is called `{lost}`, so its condition is left aside: {}", answer.headline);
    }
    if fitting.is_empty() && set.conditions.len() > 1 && set.conditions.iter().all(|one| !one.is_denied) {
        let alone = set.conditions.iter().zip(&holders).map(|(one, found)| {
            let fits = all.iter().filter(|entity| found.sure.contains(&entity.id)).count();
            format!("{fits} for `{}`", one.of)
        });
        answer.headline += &format!("; each alone: {}", in_words(&alone.collect::<Vec<_>>()));
    }
    if open > 0 {
        let message = format!("unresolved occurrences could change it for {}", count(open, noun));
        answer.headline += &format!(", as far as references are resolved: {message}");
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", open, message)]);
    }
    let is_text = |one: &&RelationCondition| {
        use RelationVerb as V;
        let by_index = [V::Imports, V::Inherits, V::Defines, V::Tested, V::Raises, V::Catches];
        one.targets.is_empty() && !one.verb.is_passive() && !by_index.contains(&one.verb)
    };
    for one in set.conditions.iter().filter(is_text) {
        let message = format!("`{0}` is from outside: only places that write `{0}` count", one.of);
        answer.headline += &format!("; {message}");
        answer.bound(Completeness::LowerBound, [Boundary::new("text", 1, message)]);
    }
    for one in outside {
        let message = format!("`{}` is from outside: heirs of it that a library defines are not known", one.of);
        answer.bound(Completeness::LowerBound, [Boundary::new("outside", 1, message)]);
    }
    answer.command = understood.plan.ask_command();
    for entity in fitting.iter().take(MAX_WANTED) {
        answer.want(entity, "it fits", true);
    }
    answer.list(format!("{} that fit ({})", plural(noun), fitting.len()), fitting.iter().map(ListRow::of).collect());
    let shown = if rest.len() > MAX_REST { format!(", {MAX_REST} shown") } else { String::new() };
    let rows = rest.iter().take(MAX_REST).map(ListRow::of).collect();
    answer.beside(format!("context: {} that do not fit ({}{shown})", plural(noun), rest.len()), rows);
    Ok(answer)
}

/// The first of the definitions that the answer before lists, by a figure: `which of them is the longest`.
fn first_of_list(
    reading: AnswerInputs,
    understood: &Understood,
    set: &RelationSet,
    ranking: Ranking,
) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut ranked = FilterReader::new(reading.store)?.sorted(&Filter::default(), ranking.order())?;
    ranked.retain(|(_, entity)| set.among.iter().any(|one| one.id == entity.id));
    let most = ranked.first().map_or(0, |(figure, _)| *figure);
    let first: Vec<String> =
        ranked.iter().take_while(|(figure, _)| *figure == most).map(|(_, entity)| entity.full_name()).collect();
    let noun = noun_for(&set.among);
    answer.headline = match ranked.len() {
        0 => format!("not known: the {} of the answer before have no such figure", plural(noun)),
        all => ranking.headline(noun, &format!("of these {all}"), &first, most),
    };
    answer.command = understood.plan.ask_command();
    let row = |(figure, entity): &(usize, Entity)| ListRow {
        note: format!("{figure} {}", ranking.unit()),
        ..ListRow::of(entity)
    };
    answer.list(format!("{} in this order ({})", plural(noun), ranked.len()), ranked.iter().map(row).collect());
    Ok(answer)
}

/// The definitions among which the conditions choose, and the noun for them.
fn universe(
    reading: AnswerInputs,
    understood: &Understood,
    set: &RelationSet,
    filter: &Filter,
    base: Option<&Holders>,
) -> Result<(&'static str, Vec<Entity>), StoreError> {
    let reader = reader_of(reading.store, filter)?;
    if !set.among.is_empty() {
        let mut stated = Filter { is_in_tests: understood.plan.filters.in_tests(), ..filter.clone() };
        if !set.narrows(&understood.plan.filters) {
            // The noun is that of the list: it adds no condition.
            stated.kinds.clear();
            stated.marks.retain(|mark| *mark != DefinitionMark::Outer);
        }
        if set.is_of_uses() {
            (stated.paths, stated.is_in_tests) = (Vec::new(), None);
        }
        let has_setter = stated.marks.contains(&DefinitionMark::Setter);
        stated.marks.retain(|mark| *mark != DefinitionMark::Setter);
        let mut all = Vec::new();
        for entity in &set.among {
            let fits = stated.accepts_path(&entity.path) && reader.accepts(&stated, entity)?;
            if fits && (!has_setter || settable(reading.store, &reader, entity)?) {
                all.push(entity.clone());
            }
        }
        return Ok((noun_for(&set.among), all));
    }
    let noun = set.noun.unwrap_or(Noun::Definition);
    let mut all: Vec<Entity> = match base {
        Some(base) => {
            let mut found = Vec::new();
            for heir in reader.among(filter, &base.sure)? {
                found.extend(reading.store.entity(heir)?);
            }
            found.retain(|entity| filter.accepts_path(&entity.path));
            found.sort_by(|a, b| (&a.path, a.record.start_line, a.id).cmp(&(&b.path, b.record.start_line, b.id)));
            found
        }
        None => reader.sorted(filter, ListOrder::Place)?.into_iter().map(|(_, entity)| entity).collect(),
    };
    if !set.owners.is_empty() {
        all.retain(|entity| set.owners.iter().any(|owner| holds(owner.main(), entity)));
    }
    let is_left_out =
        |entity: &Entity| set.left_out.iter().flat_map(|target| &target.entities).any(|one| one.id == entity.id);
    all.retain(|entity| !understood.leaves_out(&entity.path) && !is_left_out(entity));
    // A configuration file is indexed like a module.
    all.retain(|entity| entity.record.kind != EntityKind::Module || entity.path.ends_with(".py"));
    Ok((noun.worded(), all))
}

/// Whether a property has a setter, which is a definition of its own.
fn settable(store: &Store, reader: &FilterReader, entity: &Entity) -> Result<bool, StoreError> {
    let setters = Filter { marks: vec![DefinitionMark::Setter], ..Filter::default() };
    for one in store.entities_named(&entity.record.name, false)? {
        if one.parent == entity.parent && reader.accepts(&setters, &one)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The definitions of a list with which others do something: `are raised in a.py`, `are called by f`.
fn done_with(
    reading: AnswerInputs,
    understood: &Understood,
    condition: &RelationCondition,
    among: &[Entity],
) -> Result<Holders, StoreError> {
    let store = reading.store;
    let paths: Vec<String> = understood.plan.files.iter().flat_map(PlannedFile::patterns).collect();
    let place = Filter { paths, is_in_tests: understood.plan.filters.in_tests(), ..Filter::default() };
    let reader = reader_of(store, &place)?;
    let is_there = |holder: &Entity| -> Result<bool, StoreError> {
        let mut targets = condition.targets.iter().map(Target::main);
        let is_within =
            condition.targets.is_empty() || targets.any(|target| target.id == holder.id || holds(target, holder));
        Ok(is_within && place.accepts_path(&holder.path) && reader.accepts(&place, holder)?)
    };
    let verb = match condition.verb {
        RelationVerb::IsCalled => RelationVerb::Calls,
        RelationVerb::IsImported => RelationVerb::Imports,
        RelationVerb::IsRaised => RelationVerb::Raises,
        RelationVerb::IsCaught => RelationVerb::Catches,
        _ => RelationVerb::Uses,
    };
    let mut found = Holders::default();
    for entity in among {
        if matches!(verb, RelationVerb::Raises | RelationVerb::Catches) {
            let name = vec![entity.record.name.clone()];
            let (raises, catches) = if verb == RelationVerb::Raises { (name, Vec::new()) } else { (Vec::new(), name) };
            for holder in reader.fitting(&Filter { raises, catches, ..Filter::default() })? {
                if is_there(&holder)? {
                    found.sure.insert(entity.id);
                }
            }
            continue;
        }
        let report = refs(store, reading.sources, &Target::of(vec![entity.clone()]), true)?;
        let meets = |site: &ReferenceSite| -> Result<bool, StoreError> {
            store.entity(site.holder)?.map_or(Ok(false), |holder| is_there(&holder))
        };
        for site in report.references.iter().filter(|site| is_kind(verb, site.kind)) {
            if meets(site)? {
                found.sure.insert(entity.id);
            }
        }
        for site in report.possible.iter().filter(|site| can_be(site.kind, kind_of(verb))) {
            if meets(site)? {
                found.open.insert(entity.id);
            }
        }
    }
    Ok(found)
}

/// The word for all of these definitions.
fn noun_for(all: &[Entity]) -> &'static str {
    use EntityKind::{Class, Function, Method, Module, Property};
    match all.first().map(|first| first.record.kind) {
        Some(kind @ (Class | Function | Method | Module | Property))
            if all.iter().all(|one| one.record.kind == kind) =>
        {
            kind.as_str()
        }
        _ => "definition",
    }
}

/// The definitions for which a condition holds.
fn holding(
    reading: AnswerInputs,
    understood: &Understood,
    condition: &RelationCondition,
    is_direct: bool,
) -> Result<Holders, StoreError> {
    let store = reading.store;
    let mut found = Holders::default();
    match condition.verb {
        RelationVerb::Inherits if condition.targets.is_empty() => {
            let name = condition.of.rsplit('.').next().unwrap_or(&condition.of).to_owned();
            let filter = Filter { kinds: vec![EntityKind::Class], derives_from: vec![vec![name]], ..Filter::default() };
            found.sure.extend(FilterReader::new(store)?.fitting(&filter)?.into_iter().map(|class| class.id));
        }
        RelationVerb::Inherits if is_direct => {
            for entity in condition.targets.iter().flat_map(|target| &target.entities) {
                let heirs = store.incoming_of(entity.id, RelationshipKind::Inherits)?;
                found.sure.extend(heirs.into_iter().map(|edge| edge.source));
            }
        }
        RelationVerb::Inherits => {
            for target in &condition.targets {
                found.sure.extend(tree(store, target, TreeKind::Subclasses)?.entities());
            }
        }
        RelationVerb::Defines => {
            for member in store.entities_named(&condition.of, false)? {
                found.sure.insert(member.parent);
            }
        }
        RelationVerb::Imports if condition.targets.is_empty() => {
            for id in importing(reading, &condition.of)? {
                around(store, id, &mut found.sure)?;
            }
        }
        RelationVerb::Raises | RelationVerb::Catches => {
            let name = vec![condition.of.rsplit('.').next().unwrap_or(&condition.of).to_owned()];
            let filter = match condition.verb {
                RelationVerb::Raises => Filter { raises: name, ..Filter::default() },
                _ => Filter { catches: name, ..Filter::default() },
            };
            for entity in FilterReader::new(store)?.fitting(&filter)? {
                around(store, entity.id, &mut found.sure)?;
            }
        }
        RelationVerb::Tests => {
            let (sure, open) = testing::tests_of(reading, &condition.targets)?;
            found = Holders { sure, open };
        }
        RelationVerb::Tested => {
            let (sure, open) = coverage::reached(reading)?;
            found = Holders { sure, open };
        }
        verb if condition.targets.is_empty() => {
            let mut anywhere = understood.clone();
            anywhere.plan.files.clear();
            anywhere.plan.filters.is.clear();
            for place in places(reading, &anywhere, &condition.of)? {
                let is_use = !matches!(place.role, PlaceRole::Imports | PlaceRole::Comment)
                    && (verb != RelationVerb::Calls || place.role == PlaceRole::Calls);
                let Some(within) = place.within.filter(|_| is_use) else { continue };
                around(store, within.id, &mut found.sure)?;
            }
        }
        verb => {
            for target in &condition.targets {
                let report = refs(store, reading.sources, target, true)?;
                for site in report.references.iter().filter(|site| is_kind(verb, site.kind)) {
                    around(store, site.holder, &mut found.sure)?;
                }
                for site in report.possible.iter().filter(|site| can_be(site.kind, kind_of(verb))) {
                    around(store, site.holder, &mut found.open)?;
                }
            }
        }
    }
    Ok(found)
}

/// Adds a definition and those around it: what a nested function calls, its outer one calls.
fn around(store: &Store, id: EntityId, found: &mut BTreeSet<EntityId>) -> Result<(), StoreError> {
    let mut next = Some(id);
    while let Some(id) = next.filter(|id| found.insert(*id)) {
        next = store.entity(id)?.filter(|entity| !entity.record.qualified.is_empty()).map(|entity| entity.parent);
    }
    Ok(())
}

fn is_kind(verb: RelationVerb, kind: RelationshipKind) -> bool {
    match verb {
        RelationVerb::Calls => kind == RelationshipKind::Calls,
        RelationVerb::Imports => kind == RelationshipKind::Imports,
        RelationVerb::Reads => matches!(kind, RelationshipKind::Reads | RelationshipKind::References),
        RelationVerb::Writes => kind == RelationshipKind::Writes,
        _ => kind != RelationshipKind::Imports,
    }
}

/// The kind of the relationship that a verb means, where it is one alone.
fn kind_of(verb: RelationVerb) -> Option<RelationshipKind> {
    match verb {
        RelationVerb::Calls => Some(RelationshipKind::Calls),
        RelationVerb::Imports => Some(RelationshipKind::Imports),
        RelationVerb::Reads => Some(RelationshipKind::Reads),
        RelationVerb::Writes => Some(RelationshipKind::Writes),
        _ => None,
    }
}

/// The number of definitions that fit, out of all that could, and the conditions.
fn headline(
    understood: &Understood,
    set: &RelationSet,
    filter: &Filter,
    noun: &str,
    (fitting, all, is_open): (usize, usize, bool),
) -> String {
    let is_base = |one: &RelationCondition| one.verb == RelationVerb::Inherits && !one.is_denied;
    let base = set.conditions.iter().find(|one| is_base(one));
    let others: Vec<&RelationCondition> =
        set.conditions.iter().filter(|one| base.is_none_or(|base| !std::ptr::eq(*one, base))).collect();
    let is_one = fitting == 1;
    let words = conditions(&others, is_one);
    let is_denied = !others.is_empty() && others.iter().all(|one| one.is_denied);
    let is_whether = understood.asks_whether_any();
    let none = match (fitting, all) {
        (1.., _) if is_whether => "yes: ".to_owned(),
        (0, 1..) if is_whether => "no: ".to_owned(),
        (0, 0) if set.among.is_empty() && set.left_out.is_empty() => {
            format!("there are no {} to choose from, so this says nothing: ", plural(noun))
        }
        (0, _) => "none: ".to_owned(),
        _ => String::new(),
    };
    let least = if is_open && fitting > 0 { "at least " } else { "" };
    let none = format!("{none}{least}");
    let stated = Filter { is_in_tests: None, ..understood.plan.filters.conditions() }.words();
    let inherits = set.conditions.iter().any(|one| one.verb == RelationVerb::Inherits);
    let directly = if set.is_direct && inherits { " directly" } else { "" };
    let left_out: Vec<String> = set.left_out.iter().map(|target| format!("`{}`", target.main().full_name())).collect();
    let besides = if left_out.is_empty() { String::new() } else { format!(" besides {}", in_words(&left_out)) };
    let stated = if stated.is_empty() { String::new() } else { format!(" ({stated})") };
    let stated = format!("{directly}{besides}{stated}");
    if !set.among.is_empty() {
        let where_found =
            understood.plan.files.first().map_or_else(String::new, |file| format!(" in {}", file.mention));
        let of_tests = match understood.plan.filters.in_tests() {
            Some(true) if understood.plan.filters.noun != Some(Noun::Test) => " in tests",
            Some(false) => " outside of tests",
            _ => "",
        };
        let where_found = format!("{where_found}{of_tests}");
        let words = if words.is_empty() { String::new() } else { format!(" {words}") };
        let these = match set.among.len() {
            1 => format!("the 1 {noun}"),
            all => format!("these {}", count(all, noun)),
        };
        let asked = understood.plan.filters.noun.filter(|_| set.narrows(&understood.plan.filters));
        let kind = asked.map_or_else(String::new, |asked| match is_one {
            true if asked.worded().starts_with('e') => format!(" is an {}", asked.worded()),
            true => format!(" is a {}", asked.worded()),
            false => format!(" are {}", plural(asked.worded())),
        });
        if set.is_of_uses() {
            return format!("{none}{fitting} of {these}{kind}{words}{where_found}{stated}");
        }
        return format!("{none}{fitting} of {these}{kind}{where_found}{words}{stated}");
    }
    let where_found = if set.owners.is_empty() {
        place(understood, filter)
    } else {
        let owners: Vec<String> = set.owners.iter().map(|owner| format!("`{}`", owner.main().full_name())).collect();
        format!("of {}", in_words(&owners))
    };
    match base {
        Some(base) if is_denied => {
            let derive = if all == 1 { "derives" } else { "derive" };
            format!("{none}{fitting} of {} that {derive} from `{}` {words}{stated}", count(all, noun), base.of)
        }
        _ if is_denied => format!("{none}{fitting} of {} {where_found} {words}{stated}", count(all, noun)),
        _ => {
            let all: Vec<&RelationCondition> = set.conditions.iter().collect();
            format!("{none}{} {where_found} {}{stated}", count(fitting, noun), conditions(&all, is_one))
        }
    }
}

/// The conditions in words: call `a` and `b` and do not import `c`.
fn conditions(all: &[&RelationCondition], is_one: bool) -> String {
    let mut parts: Vec<(RelationVerb, bool, Vec<String>)> = Vec::new();
    for one in all {
        let name = match one.of.as_str() {
            "" => String::new(),
            of if one.verb.is_passive() => format!(" in `{of}`"),
            of => format!(" `{of}`"),
        };
        match parts.last_mut() {
            Some((verb, is_denied, names)) if *verb == one.verb && *is_denied == one.is_denied => names.push(name),
            _ => parts.push((one.verb, one.is_denied, vec![name])),
        }
    }
    let part = |(verb, is_denied, names): &(RelationVerb, bool, Vec<String>)| {
        let joint = if *is_denied { " or" } else { " and" };
        format!("{}{}", verb_words(*verb, *is_denied, is_one), names.join(joint))
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" and ")
}

fn verb_words(verb: RelationVerb, is_denied: bool, is_one: bool) -> String {
    let word = verb.as_str();
    match (verb, is_denied, is_one) {
        (RelationVerb::Tested, false, true) => "is reached by tests".to_owned(),
        (RelationVerb::Tested, false, false) => "are reached by tests".to_owned(),
        (RelationVerb::Tested, true, true) => "is not reached by tests".to_owned(),
        (RelationVerb::Tested, true, false) => "are not reached by tests".to_owned(),
        (verb, is_denied, is_one) if verb.is_passive() => {
            let (be, not) = (if is_one { "is" } else { "are" }, if is_denied { " not" } else { "" });
            // A value that is raised has another name.
            let by_name = matches!(verb, RelationVerb::IsRaised | RelationVerb::IsCaught) && is_denied;
            format!("{be}{not}{}{}", word.trim_start_matches("be"), if by_name { " by name" } else { "" })
        }
        (_, true, true) => format!("does not {word}"),
        (_, true, false) => format!("do not {word}"),
        (RelationVerb::Inherits, false, true) => "derives from".to_owned(),
        (_, false, true) => format!("{word}s"),
        (_, false, false) => word.to_owned(),
    }
}
