//! Answers about ways: the path from one definition to another, and the tree of calls from one.
//!
//! The most certain chain of calls is a path; each step has every line that calls. Where no calls lead there, the most
//! probable chain of an impact does.

mod branches;
pub mod flow;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, btree_map::Entry},
};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::transitive::OVER_OTHERS,
            names_of,
            relations::{UsageRows, users},
            short_name,
        },
        reading::{plan::Understood, words::is_in},
    },
    model::{Basis, EntityId, EntityKind, FileId, RelationshipKind},
    query::{
        impact::{
            ImpactOptions, ImpactReport,
            completeness::Completeness,
            impact,
            walk::{Least, Limits},
        },
        target::{Target, TargetMatch, likeliest::is_aside, look_up},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Definitions that are followed in the search for a chain of calls.
const MAX_FOLLOWED: usize = 20_000;
/// Meanings of one name that are tried as an end.
const MAX_MEANINGS: usize = 4;
/// Each step of a chain costs as much as this much doubt, so that of equally certain chains the shortest wins.
const STEP: f64 = 0.1;
/// The doubt of one step in the whole numbers that a queue can order.
const UNIT: f64 = 1_000_000.0;
/// Lines of a tree of calls, of one that is asked for as a whole, and its steps.
const MAX_TREE: usize = 32;
const MAX_WHOLE_TREE: usize = 300;
const DEEPEST: usize = 6;
/// Readers of a variable that a headline names.
const MAX_READERS: usize = 4;
/// Calls that a headline names.
const MAX_FIRST: usize = 6;
/// A call that is less probable than this is no part of a story.
const LIKELY: f64 = 0.4;

/// Says how the first subject depends on the second, or the other way round.
pub fn path(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    for target in &understood.targets {
        answer.want(target.main(), "asked about", false);
    }
    let targets = ends(reading, understood)?;
    let [from, to, ..] = targets.as_slice() else {
        answer.headline = format!("only {} is known here: a path needs two ends", names_of(&understood.targets));
        // Another reading may fit one end.
        answer.is_guess = true;
        return Ok(answer);
    };
    let mut subjects = understood.plan.subjects.iter();
    let is_other = subjects.next().is_some_and(|first| subjects.any(|one| one.mention != first.mention));
    if is_other && from.main().id == to.main().id {
        answer.headline =
            format!("not known: both ends are taken for {}, and a path needs two", names_of(&targets[..1]));
        return Ok(answer);
    }
    let is_chosen = targets.iter().zip(&understood.targets).any(|(one, named)| one.main().id != named.main().id);
    if is_chosen {
        answer.plan.notes.retain(|note| !note.contains(" is taken for "));
    }
    if ends_first(understood) || is_chosen {
        let name = |target: &Target| target.main().full_name();
        answer.command = format!("repoidx ask --as path {} {}", name(from), name(to));
    }
    let is_either = understood.words.iter().any(|word| word == "or");
    if is_either && targets.len() > 2 && asks_whether(understood) == Some(true) {
        answer.headline = each_called(reading, &targets, &mut answer)?;
        return Ok(answer);
    }
    let mut rows = Vec::new();
    // A dependence may be one of types or values; a way that is gone consists of calls.
    let is_dependence = understood.words.iter().any(|word| word.starts_with("depend") || is_in("relies rely", word));
    for pair in targets.windows(2).filter(|_| !is_dependence) {
        match calls_between(reading, &pair[0], &pair[1], &BTreeSet::new())? {
            Some(steps) => rows.extend(steps),
            None => {
                rows.clear();
                break;
            }
        }
    }
    if !rows.is_empty() {
        let last = targets.last().unwrap_or(to);
        let (a, b) = (from.main().full_name(), last.main().full_name());
        let over: Vec<String> = rows[1..].iter().map(|(entity, _)| format!("`{}`", short_name(entity))).collect();
        let over = if over.is_empty() { String::new() } else { format!(": over {}", over.join(", ")) };
        let yes = yes(understood, rows.len());
        answer.headline = format!("{yes}`{a}` reaches `{b}` in {}{over}", count(rows.len(), "step"));
        for (entity, _) in &rows {
            answer.want(entity, "on the way", true);
        }
        let last_caller = rows.last().map(|(entity, _)| entity.id);
        let is_short = rows.len() < 2 || targets.len() > 2;
        answer.list("the most certain chain of calls, step by step", rows.into_iter().map(|(_, row)| row).collect());
        // Another function may call the last one too: people often mean that way.
        if let Some(caller) = last_caller.filter(|_| !is_short)
            && let Some(rows) = calls_between(reading, from, to, &BTreeSet::from([caller]))?
        {
            answer.list("another chain", rows.into_iter().map(|(_, row)| row).collect());
        }
        return Ok(answer);
    }
    for (from, to, is_as_asked) in [(from, to, true), (to, from, false)] {
        let way = way(reading, from, to, reading.limits.least)?;
        answer.bound(way.limited.unwrap_or(Completeness::Exact), way.boundaries);
        if way.rows.is_empty() {
            continue;
        }
        let (a, b) = (from.main().full_name(), to.main().full_name());
        let steps = count(way.rows.len(), "step");
        answer.headline = if is_as_asked {
            let yes = yes(understood, way.rows.len());
            format!("{yes}`{a}` depends on `{b}` over {steps}")
        } else {
            let no = if asks_whether(understood).is_some() { "no: " } else { "" };
            format!("{no}no path leads from `{b}` to `{a}`, but `{a}` depends on `{b}` over {steps}")
        };
        for entity in &way.entities {
            answer.want(entity, "on the way", true);
        }
        answer.list("the most probable way, step by step", way.rows);
        return Ok(answer);
    }
    // Calls on objects of unknown types are steps too, and their chain is better than none.
    let way = way(reading, from, to, Least::Probability(0.0))?;
    if way.rows.is_empty() {
        let no = match (asks_whether(understood), answer.completeness) {
            (None, _) => "",
            (Some(_), Completeness::Exact) => "no: ",
            (Some(_), _) => "perhaps not: ",
        };
        answer.headline = format!("{no}no path between {} was found", names_of(&understood.targets));
        return Ok(answer);
    }
    let (a, b) = (from.main().full_name(), to.main().full_name());
    let steps = count(way.rows.len(), "step");
    let perhaps = if asks_whether(understood).is_some() { "perhaps: " } else { "" };
    answer.headline = format!("{perhaps}`{a}` may reach `{b}` in {steps}, by a guess at what an unresolved call means");
    for entity in &way.entities {
        answer.want(entity, "on the way", true);
    }
    answer.list("a way that the source does not prove, step by step", way.rows);
    Ok(answer)
}

/// Says of each of several definitions whether the first one calls it: `does a call b or c`.
fn each_called(reading: AnswerInputs, targets: &[Target], answer: &mut Answer) -> Result<String, StoreError> {
    let [from, others @ ..] = targets else { return Ok(String::new()) };
    let name = from.main().full_name();
    let (mut direct, mut rest) = (Vec::new(), Vec::new());
    for to in others {
        let other = short_name(to.main()).to_owned();
        let Some(steps) = calls_between(reading, from, to, &BTreeSet::new())? else {
            rest.push(format!("no way from it to `{other}` was found"));
            continue;
        };
        if let [(_, row)] = steps.as_slice() {
            direct.push(format!("`{name}` calls `{other}` directly ({}:{})", row.path, row.line));
        } else {
            let over: Vec<String> = steps[1..].iter().map(|(entity, _)| format!("`{}`", short_name(entity))).collect();
            rest.push(format!("it reaches `{other}` only over {}", over.join(", ")));
        }
        answer.list(format!("from `{name}` to `{other}`"), steps.into_iter().map(|(_, row)| row).collect());
    }
    if direct.is_empty() {
        direct.push(format!("`{name}` calls none of them directly"));
    }
    direct.extend(rest);
    Ok(direct.join("; "))
}

/// Says yes to a question for a path of so many steps, where the question is for yes or no.
fn yes(understood: &Understood, steps: usize) -> &'static str {
    match asks_whether(understood) {
        Some(true) if steps > 1 => "not itself, but over others: ",
        Some(_) => "yes: ",
        None => "",
    }
}

/// Whether `does a call b` asks for a call alone; `None` where the question is not for yes or no.
fn asks_whether(understood: &Understood) -> Option<bool> {
    let is_asked = matches!(understood.words.first().map(String::as_str), Some("does" | "do" | "can" | "is" | "will"));
    let has = |list: &str| understood.words.iter().any(|word| is_in(list, word));
    is_asked.then(|| has("call calls invoke") && !has(OVER_OTHERS))
}

/// Whether the end of the way is named before its beginning: `is b reachable from a`.
fn ends_first(understood: &Understood) -> bool {
    understood.words.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "reached" | "reachable") && matches!(pair[1].as_str(), "from" | "by" | "through")
    })
}

/// One definition for each name of the question. Where a name has several, those that the fewest calls join are meant.
fn ends(reading: AnswerInputs, understood: &Understood) -> Result<Vec<Target>, StoreError> {
    let subjects = understood.plan.subjects.iter().zip(&understood.targets);
    let mut names: Vec<(&str, Vec<&Target>)> = Vec::new();
    for (subject, target) in subjects {
        match names.last_mut() {
            Some((mention, meanings)) if *mention == subject.mention => meanings.push(target),
            _ => names.push((&subject.mention, vec![target])),
        }
    }
    if names.len() == 2 && ends_first(understood) {
        names.reverse();
    }
    let is_one = |from: &Target, to: &Target| from.main().id == to.main().id;
    // `from print to Console.print`: a path leads from another `print`.
    let is_same = matches!(names.as_slice(), [(_, first), (_, second), ..]
        if first.len() + second.len() == 2 && is_one(first[0], second[0]));
    for (mention, meanings) in names.iter_mut().take(2).filter(|_| is_same) {
        let others = understood.passed.iter().filter(|(of, _)| of == mention).flat_map(|(_, others)| others);
        // A function of a module is meant before a method that only shares its name.
        let mut others: Vec<&Target> = others.collect();
        others.sort_by_key(|target| (target.main().full_name().matches('.').count(), is_aside(&target.main().path)));
        meanings.extend(others);
    }
    let [(_, first), (_, second), ..] = names.as_slice() else { return Ok(understood.targets.clone()) };
    let mut chosen: Vec<Target> = names.iter().map(|(_, meanings)| meanings[0].clone()).collect();
    if first.len() + second.len() > 2 {
        let meanings = |list: &[&Target]| list.iter().take(MAX_MEANINGS).copied().cloned().collect::<Vec<_>>();
        let mut shortest = usize::MAX;
        for from in meanings(first) {
            for to in meanings(second).into_iter().filter(|to| !is_one(&from, to)) {
                let steps =
                    calls_between(reading, &from, &to, &BTreeSet::new())?.map_or(usize::MAX, |steps| steps.len());
                if steps < shortest || is_one(&chosen[0], &chosen[1]) {
                    shortest = steps;
                    chosen.splice(0..2, [from.clone(), to]);
                }
            }
        }
    }
    Ok(chosen)
}

/// For a definition that only fills variables, such as one that registers functions: who reads these variables.
pub fn readers_of_filled(
    reading: AnswerInputs,
    main: &Entity,
    answer: &mut Answer,
) -> Result<Option<String>, StoreError> {
    let mut filled: Vec<Entity> = Vec::new();
    for relationship in reading.store.outgoing(main.id)? {
        let Some(entity) = reading.store.entity(relationship.target)? else { continue };
        // Whoever calls a function of the program does more than fill variables.
        if relationship.kind == RelationshipKind::Calls && entity.record.kind.is_callable() {
            return Ok(None);
        }
        let line = reading.sources.line(&main.path, relationship.line).unwrap_or_default();
        if entity.record.kind == EntityKind::Variable && fills(&line, &entity.record.name) {
            filled.push(entity);
        }
    }
    filled.dedup_by_key(|entity| entity.id);
    let mut readers: Vec<String> = Vec::new();
    for variable in &filled {
        let used = users(reading, &Target::of(vec![variable.clone()]))?;
        let rows: Vec<ListRow> = used.rows.into_iter().filter(|row| !row.name.starts_with(&main.full_name())).collect();
        for entity in used.entities.iter().filter(|entity| entity.id != main.id && entity.record.kind.is_callable()) {
            answer.want(entity, "reads what it fills", false);
            readers.push(format!("`{}`", short_name(entity)));
        }
        answer.list(format!("uses of `{}`, which it fills ({})", short_name(variable), rows.len()), rows);
    }
    readers.truncate(MAX_READERS);
    let (Some(first), false) = (filled.first(), readers.is_empty()) else { return Ok(None) };
    Ok(Some(format!("`{}` only fills `{}`; {} read it", short_name(main), short_name(first), readers.join(", "))))
}

/// Whether a line puts something into a container: `self.hooks.setdefault(None, []).append(f)`, `hooks[name] = f`.
fn fills(line: &str, name: &str) -> bool {
    const FILLING: [&str; 8] =
        [".append(", ".add(", ".insert(", ".extend(", ".update(", ".setdefault(", ".appendleft(", ".register("];
    let Some((_, rest)) = line.split_once(name) else { return false };
    FILLING.iter().any(|call| rest.contains(call))
        || rest.starts_with('[') && rest.split_once("] = ").is_some_and(|(key, _)| !key.contains(['(', ' ']))
}

/// A line of a definition that leads to another one.
#[derive(Clone, Copy)]
struct CallStep {
    line: u32,
    target: EntityId,
    basis: Basis,
}

/// The calls in a file, by their callers.
type CallsByCaller = BTreeMap<EntityId, Vec<CallStep>>;

/// Reads the calls of a file once, however many of its definitions are followed.
#[derive(Default)]
struct Calls {
    of_files: BTreeMap<FileId, CallsByCaller>,
}

impl Calls {
    /// The definitions that `entity` calls, and those that a call of it may run, by line.
    fn from(&mut self, reading: AnswerInputs, entity: &Entity) -> Result<Vec<CallStep>, StoreError> {
        use RelationshipKind as K;
        let store = reading.store;
        if let Entry::Vacant(vacant) = self.of_files.entry(entity.file) {
            let mut of_file = CallsByCaller::new();
            for relationship in store.relationships_of(entity.file)? {
                if matches!(relationship.kind, K::Calls | K::Reads | K::References | K::UsesFixture) {
                    let (line, target, basis) = (relationship.line, relationship.target, relationship.basis);
                    of_file.entry(relationship.source).or_default().push(CallStep { line, target, basis });
                }
            }
            vacant.insert(of_file);
        }
        let mut steps = self.of_files[&entity.file].get(&entity.id).cloned().unwrap_or_default();
        // A call of a base method may run an override; an inner function runs with the one around it.
        for relationship in store.incoming_of(entity.id, K::Overrides)? {
            steps.push(CallStep { line: entity.record.line, target: relationship.source, basis: Basis::Dispatched });
        }
        if entity.record.kind.is_callable() {
            let inner = store.children(entity.id)?.into_iter().filter(|child| child.record.kind.is_callable());
            let step = |child: Entity| CallStep { line: child.record.line, target: child.id, basis: Basis::Scope };
            steps.extend(inner.map(step));
        }
        steps.sort_by_key(|step| (step.line, step.target));
        Ok(steps)
    }
}

/// A target and, of a class, its callable members.
fn with_members(reading: AnswerInputs, target: &Target) -> Result<Vec<Entity>, StoreError> {
    let mut all = target.entities.clone();
    if target.main().record.kind == EntityKind::Class {
        let members = reading.store.children(target.main().id)?;
        all.extend(members.into_iter().filter(|member| member.record.kind.is_callable()));
    }
    Ok(all)
}

/// The doubt of a step: less probable ones cost more.
fn doubt(basis: Basis) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 20 units")]
    let cost = ((STEP - basis.probability().max(0.001).ln()) * UNIT) as u64;
    cost
}

/// The most certain chain of calls from one target to another: each step with its caller.
///
/// A chain over tests counts only where no other one leads there.
pub fn calls_between(
    reading: AnswerInputs,
    from: &Target,
    to: &Target,
    avoided: &BTreeSet<EntityId>,
) -> Result<Option<Vec<(Entity, ListRow)>>, StoreError> {
    if !is_aside(&from.main().path) && !is_aside(&to.main().path) {
        let found = calls_within(reading, (from, to), avoided, |path| !is_aside(path))?;
        if found.is_some() {
            return Ok(found);
        }
    }
    calls_within(reading, (from, to), avoided, |_| true)
}

/// The most certain chain of calls over files that `is_in` accepts.
fn calls_within(
    reading: AnswerInputs,
    (from, to): (&Target, &Target),
    avoided: &BTreeSet<EntityId>,
    is_in: impl Fn(&str) -> bool,
) -> Result<Option<Vec<(Entity, ListRow)>>, StoreError> {
    let goals: BTreeSet<EntityId> = with_members(reading, to)?.iter().map(|entity| entity.id).collect();
    let starts: Vec<EntityId> = with_members(reading, from)?.iter().map(|entity| entity.id).collect();
    let mut before: BTreeMap<EntityId, (u64, Option<(EntityId, u32)>)> =
        starts.iter().map(|id| (*id, (0, None))).collect();
    // Numbers in the order of discovery decide between equals: ids tell the history of the index.
    let mut queue: BinaryHeap<Reverse<(u64, usize, EntityId)>> =
        starts.iter().enumerate().map(|(at, id)| Reverse((0, at, *id))).collect();
    let (mut calls, mut found) = (Calls::default(), starts.len());
    while let Some(Reverse((cost, _, id))) = queue.pop() {
        if before[&id].0 < cost || before.len() > MAX_FOLLOWED {
            continue;
        }
        if goals.contains(&id) && before[&id].1.is_some() {
            return chain(reading, &mut calls, &before, id).map(Some);
        }
        let Some(entity) = reading.store.entity(id)?.filter(|entity| is_in(&entity.path)) else { continue };
        for step in calls.from(reading, &entity)?.into_iter().filter(|step| !avoided.contains(&step.target)) {
            let next = cost + doubt(step.basis);
            let is_goal_among_starts =
                goals.contains(&step.target) && before.get(&step.target).is_some_and(|b| b.1.is_none());
            if is_goal_among_starts || before.get(&step.target).is_none_or(|(known, _)| next < *known) {
                before.insert(step.target, (next, Some((id, step.line))));
                found += 1;
                queue.push(Reverse((next, found, step.target)));
            }
        }
    }
    Ok(None)
}

/// The steps that lead to `last`, first to last.
fn chain(
    reading: AnswerInputs,
    calls: &mut Calls,
    before: &BTreeMap<EntityId, (u64, Option<(EntityId, u32)>)>,
    last: EntityId,
) -> Result<Vec<(Entity, ListRow)>, StoreError> {
    let mut rows: Vec<(Entity, ListRow)> = Vec::new();
    let mut at = last;
    while let Some((_, Some((source, line)))) = before.get(&at) {
        if let (Some(from), Some(to)) = (reading.store.entity(*source)?, reading.store.entity(at)?) {
            let mut others: Vec<u32> =
                calls.from(reading, &from)?.iter().filter(|s| s.target == at).map(|s| s.line).collect();
            others.retain(|other| other != line);
            others.dedup();
            let also = match others.as_slice() {
                [] => String::new(),
                lines => format!("; also at line {}", lines.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
            };
            let row = ListRow {
                name: from.full_name(),
                kind: "calls",
                path: from.path.clone(),
                line: *line,
                note: format!("to `{}` ({}:{}){also}", short_name(&to), to.path, to.record.line),
                text: reading.sources.line(&from.path, *line).unwrap_or_default(),
                ..ListRow::default()
            };
            rows.push((from, row));
        }
        at = *source;
        // A goal that is a start too leads to itself.
        if at == last {
            break;
        }
    }
    rows.reverse();
    Ok(rows)
}

/// The most probable chain of relationships from one target to another, one row a step.
fn way(reading: AnswerInputs, from: &Target, to: &Target, least: Least) -> Result<UsageRows, StoreError> {
    let mut ends = vec![to.clone()];
    if to.main().record.kind == EntityKind::Class {
        let members = reading.store.children(to.main().id)?;
        let members = members.into_iter().filter(|member| member.record.kind.is_callable());
        // Whoever calls a method depends on its class.
        ends.extend(members.map(|entity| Target { entities: vec![entity], inherited_by: None }));
    }
    let limits = Limits { least, ..reading.limits.clone() };
    let options = ImpactOptions { limits, ..ImpactOptions::default() };
    let report: ImpactReport = impact(reading.store, reading.sources, &ends, &options)?;
    let name = from.main().full_name();
    let below = format!("{name}.");
    let mut uses = UsageRows::default();
    let Some(found) =
        // The list is sorted by probability, so the first match is the most probable chain.
        report.impacted.iter().find(|impacted| impacted.name == name || impacted.name.starts_with(&below))
    else {
        uses.limited = Some(report.completeness);
        uses.boundaries = report.boundaries;
        return Ok(uses);
    };
    let mut before = found.name.clone();
    for via in &found.via {
        uses.rows.push(ListRow {
            name: before,
            kind: via.kind.as_str(),
            path: via.path.to_string(),
            line: via.line,
            note: format!("{} `{}` ({})", via.kind.as_str(), via.name, via.basis),
            text: reading.sources.line(&via.path, via.line).unwrap_or_default(),
            ..ListRow::default()
        });
        before = via.name.to_string();
        if let TargetMatch::Found(target) = look_up(reading.store, &via.name, "")? {
            uses.entities.push(target.main().clone());
        }
    }
    Ok(uses)
}
