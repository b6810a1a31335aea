//! Answers about relationships: class hierarchies and uses.
//!
//! Each row has the source line that proves it.

pub(in crate::ask::answer) mod arguments;
pub(in crate::ask::answer) mod degree;
pub(in crate::ask::answer) mod forest;
pub(in crate::ask::answer) mod globals;
pub(in crate::ask::answer) mod having;
pub(in crate::ask::answer) mod hierarchy;
mod namesakes;
pub(in crate::ask::answer) mod only;
pub(in crate::ask::answer) mod overrides;
pub(in crate::ask::answer) mod polar;
pub(in crate::ask::answer) mod raised;
pub mod sets;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            definitions::setters::inherited_property,
            first_in_words, names_of,
            paths::{calls_between, readers_of_filled},
            places::{
                places, row,
                unseen::{NamesInTexts, unseen_caller},
            },
            relations::polar::extent::{FoundUses, UseExtent},
            short_name,
        },
        reading::{
            forms::{Polarity, UsageDirection},
            names::at_path,
            plan::{PlannedFile, Understood},
            relations::noun_of,
            words::{is_in, is_stop_word},
        },
    },
    model::{EntityFlags, EntityId, EntityKind, FileId, Relationship, RelationshipKind},
    query::{
        graph::Graph,
        impact::completeness::{Boundary, Completeness},
        navigate::refs::{ReferenceSite, refs},
        target::{Target, filter::places_of_wrappers, innermost, likeliest::is_aside},
        words::{count, plural},
    },
    store::{error::StoreError, read::Entity},
};

/// Definitions that a headline names.
const MAX_NAMED: usize = 4;
/// Functions whose calls are followed to see whether they lead back.
const MAX_CALLEES: usize = 40;
/// Unresolved occurrences that an answer lists.
const MAX_POSSIBLE: usize = 10;

/// The places that use a definition, or the definitions that it uses.
#[derive(Debug, Default)]
pub struct UsageRows {
    pub rows: Vec<ListRow>,
    /// The definitions at the other end, in the order of the rows, each once.
    pub entities: Vec<Entity>,
    /// `None` for an exact list.
    pub limited: Option<Completeness>,
    pub boundaries: Vec<Boundary>,
}

/// The relationships among several definitions.
#[derive(Debug, Default)]
pub struct Connections {
    /// Relationships between them, with places.
    pub links: Vec<ListRow>,
    /// Remarkable facts: never used, created here.
    pub remarks: Vec<ListRow>,
    /// Definitions that lead from one to another.
    pub between: Vec<Entity>,
}

/// Whether the question asks for writes, perhaps among other uses.
fn speaks_of_writing(understood: &Understood) -> bool {
    const WRITING: &str = "assigned assigns bumps flips modified mutates overwritten reassigned rewritten set sets updates \
         write writes writing written";
    understood.words.iter().any(|word| is_in(WRITING, word))
}

/// The question about the property of a base, where it names the attribute of an heir: `self.debug = …` in the heir
/// calls the property's setter and defines nothing.
fn about_properties(reading: AnswerInputs, understood: &Understood) -> Result<Understood, StoreError> {
    let mut about = understood.clone();
    for target in &mut about.targets {
        let main = target.main().clone();
        let text = reading.sources.line(&main.path, main.record.line).unwrap_or_default();
        // An assignment in the body of the class takes the property's place.
        let is_of_object = !text.trim_start().starts_with(&main.record.name);
        if main.record.kind != EntityKind::Variable || !is_of_object {
            continue;
        }
        let Some(property) = inherited_property(reading.store, &main)? else { continue };
        about.plan.notes.push(format!("`{}` is the property `{}` of a base", main.full_name(), property.full_name()));
        let mut accessors = reading.store.children(property.parent)?;
        accessors.retain(|member| member.record.name == main.record.name);
        accessors.push(main);
        *target = Target::of(accessors);
    }
    Ok(about)
}

/// Lists the users of the subjects, or the definitions that they use.
pub fn usage(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let understood = &about_properties(reading, understood)?;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let is_outgoing = understood.plan.direction == Some(UsageDirection::Outgoing);
    let calls_itself = understood.words.windows(2).any(|pair| pair[0].starts_with("call") && pair[1] == "itself");
    let speaks_of_recursion = understood.words.iter().any(|word| word.starts_with("recurs"));
    if (calls_itself || speaks_of_recursion) && understood.argument.is_none() {
        return recursion(reading, understood);
    }
    if let Some(answer) = only::only(reading, understood)? {
        return Ok(answer);
    }
    if let Some(argument) = understood.argument.as_ref().filter(|_| !is_outgoing) {
        if let Some(condition) = written::ArgumentCondition::of(argument) {
            return written::written(reading, understood, &condition);
        }
        return arguments::passing(reading, understood, argument);
    }
    let condition = if is_outgoing { None } else { written::condition(reading, understood)? };
    let unread = match condition {
        Some(Ok(condition)) => return written::written(reading, understood, &condition),
        Some(Err(said)) => Some(format!("which calls fit `{said}` cannot be told")),
        None => None,
    };
    let within = Within::of(reading, understood)?;
    let extent = if is_outgoing || unread.is_some() { None } else { UseExtent::of(understood) };
    let turned = if extent.is_some() { None } else { polar::not_understood(understood, !within.worded().is_empty()) };
    let unread = unread.or_else(|| unknown_users(understood).filter(|_| !is_outgoing));
    let unread = unread.or_else(|| turned.map(|said| format!("the condition `{said}` is not understood")));
    let excepts = |pair: &[String]| pair[0] == "other" && pair[1] == "than";
    if understood.plan.outside.is_empty() && understood.words.windows(2).any(excepts) {
        answer.plan.notes.push("what stands behind `other than` was not left out: it names nothing here".to_owned());
    }
    // `is X dead` asks the opposite of `is X used`.
    let is_inverted = understood.asks_whether_unused();
    let (yes, no) = if is_inverted { ("no", "yes") } else { ("yes", "no") };
    let mut headlines = Vec::new();
    for target in &understood.targets {
        let name = target.main().full_name();
        answer.want(target.main(), "asked about", false);
        let found = if is_outgoing { uses(reading, target)? } else { users(reading, target)? };
        // A verb in the question selects one kind of use, and other kinds are listed apart. Outgoing uses are listed
        // once, by their first place, so only calls can be selected there.
        let verb = understood.verb.filter(|verb| !is_outgoing || *verb == RelationshipKind::Calls);
        let (rows, others): (Vec<ListRow>, Vec<ListRow>) = found
            .rows
            .into_iter()
            .partition(|row| verb.is_none_or(|verb| is_of(row, verb) || is_written_call(row, target, verb)));
        let mut rows = merged(rows);
        let asks_for_writes = verb == Some(RelationshipKind::Writes) || verb.is_none() && speaks_of_writing(understood);
        if asks_for_writes && !is_outgoing && target.main().record.kind == EntityKind::Variable {
            // The assignment that defines a variable writes it too.
            for entity in target.entities.iter().rev() {
                rows.splice(0..0, first_write(reading, entity)?);
            }
        }
        let asks_whether = !is_outgoing && understood.plan.polarity == Polarity::Used;
        if asks_whether && let Some((headline, handed)) = handed_on(reading, target, &rows)? {
            headlines.push(headline);
            answer.list(format!("where its decorators call `{name}` ({})", handed.len()), handed);
            answer.bound(Completeness::LowerBound, found.boundaries);
            continue;
        }
        // The program comes before examples and tests; both keep their order by place.
        rows.sort_by_key(|row| is_aside(&row.path));
        let (rows, elsewhere): (Vec<ListRow>, Vec<ListRow>) = rows.into_iter().partition(|row| within.has(&row.path));
        let others: Vec<ListRow> = others.into_iter().filter(|row| within.has(&row.path)).collect();
        let is_other = |row: &ListRow| rows.iter().all(|known| place_of(known) != place_of(row));
        let others: Vec<ListRow> = merged(others.into_iter().filter(is_other).collect());
        let (does, done) = worded(verb);
        if !is_outgoing {
            answer.count(rows.len(), "place");
        }
        let files = (!is_outgoing && understood.asks_for_files())
            .then(|| rows.iter().map(|row| row.path.as_str()).collect::<BTreeSet<&str>>().len());
        let classes = if is_outgoing { None } else { classes_of(reading, understood, &rows)? };
        let functions = if is_outgoing { None } else { functions_of(reading, understood, &rows)? };
        let (holders, noun) = if functions.is_some() { (functions, "function") } else { (classes, "class") };
        if let Some(files) = files {
            answer.counted = Some((files, "module"));
        } else if let Some((_, holders)) = &holders {
            answer.counted = Some((holders.len(), noun));
        }
        let title = match (is_outgoing, verb) {
            (true, _) => format!("{done} by `{name}`"),
            (false, None) => format!("uses of `{name}`"),
            (false, Some(RelationshipKind::Calls)) => format!("calls of `{name}`"),
            (false, Some(_)) => format!("where `{name}` is {done}"),
        };
        let verb = if is_outgoing { does } else { done };
        let place = within.worded();
        let is_used = understood.plan.polarity == Polarity::Used && unread.is_none();
        let there = match elsewhere.len() {
            0 => String::new(),
            all => format!(" ({} {})", count(all, "place"), within.rest()),
        };
        let possible = if is_outgoing { Vec::new() } else { open_uses(reading, target, understood.verb)? };
        let (open, further): (Vec<ReferenceSite>, Vec<ReferenceSite>) =
            possible.into_iter().partition(|reference| within.has(&reference.path));
        let all_rows = at_least(rows.len(), open.len()) + &in_own_file(understood, target, &rows);
        let more = perhaps(rows.len(), open.len());
        let is_only = only::asks_for_only(understood) && !place.is_empty();
        let uses = FoundUses { target, done: verb, place: &place, rows: &rows, open: &open };
        let extent = extent.map(|extent| extent.verdict(reading, uses, &|path| within.has(path))).transpose()?;
        let (mut verdict, lacking) = extent.unwrap_or_default();
        let is_nowhere = rows.is_empty() && others.is_empty() && elsewhere.is_empty() && open.is_empty();
        if is_used && !is_outgoing && is_nowhere && verdict.is_empty() && place.is_empty() {
            let unseen = unseen_caller(reading, &Graph::new(reading.store)?, target.main(), |name| {
                Ok(NamesInTexts::of(reading, [name])?.first(name))
            })?;
            verdict =
                unseen.map_or(verdict, |unseen| format!("perhaps: nothing here names `{name}`, but {}", unseen.why));
        }
        headlines.push(match (is_outgoing, rows.len()) {
            _ if !verdict.is_empty() => verdict,
            (false, all) if is_only => only::verdict(&name, verb, &place, all, elsewhere.len(), further.len()),
            (false, 0) if !place.is_empty() || is_used && others.is_empty() && elsewhere.is_empty() => {
                // What is not resolved may be the very use that was asked for.
                let no = if open.is_empty() { no } else { "perhaps" };
                let no = if is_used { format!("{no}: ") } else { String::new() };
                format!("{no}no place was found where `{name}` is {verb}{place}{there}{more}")
            }
            (false, all) if all > 0 && holders.is_some() => {
                let holders = holders.as_ref().map_or("", |(holders, _)| holders);
                format!("`{name}` is {verb} in {holders}, {all_rows}{place}{there}{more}")
            }
            (false, all) if is_used && all > 0 => format!("{yes}: `{name}` is {verb} {all_rows}{place}{there}{more}"),
            (false, all) if all > 0 && files.is_some() => {
                let files = count(files.unwrap_or_default(), "module");
                format!("`{name}` is {verb} in {files}, {all_rows}{place}{there}{more}")
            }
            (false, _) if !place.is_empty() => format!("`{name}` is {verb} {all_rows}{place}{there}{more}"),
            (true, 0) => format!("`{name}` {verb} nothing of the repository"),
            (true, all) => {
                let is_listed = |entity: &&Entity| {
                    rows.iter().any(|row| row.path == entity.path && row.line == entity.record.start_line)
                };
                let listed = found.entities.iter().filter(is_listed);
                let first: Vec<String> =
                    listed.take(MAX_NAMED).map(|entity| format!("`{}`", short_name(entity))).collect();
                let more = if all > first.len() { " and others" } else { "" };
                format!("`{name}` {verb} {}: {}{more}", count(all, "definition"), first.join(", "))
            }
            (false, 0) if found.limited.is_none() && others.is_empty() => format!("nothing uses `{name}`"),
            (false, 0) if found.limited.is_none() => format!("`{name}` is never {verb} by name, but referred to"),
            (false, 0) => format!("no place was found where `{name}` is {verb}{more}"),
            (false, _) => format!("`{name}` is {verb} {all_rows}{more}"),
        });
        let is_setting = main_is_setting(target);
        if !is_outgoing && is_setting {
            named_in_texts(reading, understood, target, &mut headlines, &mut answer)?;
        }
        if !is_outgoing && understood.words.iter().any(|word| matches!(word.as_str(), "why" | "when" | "twice")) {
            // A call of a function that registers another one says nothing of when that one runs.
            headlines.extend(readers_of_filled(reading, target.main(), &mut answer)?);
        }
        for entity in &found.entities {
            answer.want(entity, if is_outgoing { "used by it" } else { "uses it" }, true);
        }
        answer.beside(format!("modules in which `{name}` is not {verb} ({})", lacking.len()), lacking);
        if let Some((_, holders)) = holders {
            let title = format!("{} in which `{name}` is {verb} ({})", plural(noun), holders.len());
            answer.list(title, holders);
        }
        let is_rest_asked = is_only || rows.is_empty() && understood.plan.filters.has("rest_asked");
        answer.list(format!("{title}{place} ({})", rows.len()), rows);
        if is_rest_asked {
            answer.beside(format!("{title}, {} ({})", within.rest(), elsewhere.len()), elsewhere);
        }
        answer.beside(format!("other relationships ({})", others.len()), others);
        let all = open.len();
        let rows: Vec<ListRow> = open.into_iter().take(MAX_POSSIBLE).map(reference_row).collect();
        let shown = if rows.len() < all { format!(", {} shown", rows.len()) } else { String::new() };
        answer.beside(format!("unresolved occurrences that could be uses ({all}{shown})"), rows);
        answer.bound(found.limited.unwrap_or(Completeness::Exact), found.boundaries);
    }
    answer.headline = headlines.join("; ");
    if let Some(said) = unread {
        answer.headline = format!("{said}; in all: {}", answer.headline);
    }
    Ok(answer)
}

/// The functions in which a name is used, in words and as rows, where their number is asked for.
fn functions_of(
    reading: AnswerInputs,
    understood: &Understood,
    rows: &[ListRow],
) -> Result<Option<(String, Vec<ListRow>)>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let noun = match words.as_slice() {
        ["how", "many", "function" | "functions", ..] => "function",
        ["how", "many", "method" | "methods", ..] => "method",
        ["how", "many", "property" | "properties", ..] | ["which" | "what" | "list", "properties", ..] => "property",
        _ => return Ok(None),
    };
    let mut found = BTreeMap::new();
    for row in rows {
        let holder = at_path(reading.store, &row.name, &row.path)?;
        let is_asked = |kind: EntityKind| match noun {
            "function" => kind.is_callable(),
            "method" => matches!(kind, EntityKind::Method | EntityKind::Property),
            _ => kind == EntityKind::Property,
        };
        if let Some(holder) = holder.filter(|holder| is_asked(holder.record.kind)) {
            found.insert((is_aside(&holder.path), holder.full_name()), ListRow::of(&holder));
        }
    }
    let aside = found.keys().filter(|(is_aside, _)| *is_aside).count();
    let of_them = if aside > 0 { format!(", {aside} of them in tests and examples") } else { String::new() };
    Ok(Some((format!("{}{of_them}", count(found.len(), noun)), found.into_values().collect())))
}

/// The classes in which a name is used, in words and as rows, where the question asks for these: `which classes use f`.
fn classes_of(
    reading: AnswerInputs,
    understood: &Understood,
    rows: &[ListRow],
) -> Result<Option<(String, Vec<ListRow>)>, StoreError> {
    let mut words = understood.words.iter().map(String::as_str).filter(|word| !is_in("all how in me the", word));
    let is_asked = words.next().is_some_and(|word| is_in("find list many show what which", word))
        && words.next().is_some_and(|word| is_in("class classes", word));
    if !is_asked {
        return Ok(None);
    }
    let (mut program, mut aside) = (BTreeMap::new(), BTreeSet::new());
    for row in rows {
        let mut inner = at_path(reading.store, &row.name, &row.path)?;
        while let Some(entity) = inner {
            match entity.record.kind {
                EntityKind::Module => break,
                EntityKind::Class if is_aside(&entity.path) => {
                    aside.insert(entity.full_name());
                    break;
                }
                EntityKind::Class => {
                    program.insert(entity.full_name(), ListRow::of(&entity));
                    break;
                }
                _ => inner = reading.store.entity(entity.parent)?,
            }
        }
    }
    let named = first_in_words(program.keys().map(|name| format!("`{name}`")), MAX_NAMED);
    let sentence = match (program.len(), aside.len()) {
        (0, 0) => "no class".to_owned(),
        (0, all) => format!("no class outside of tests and examples, and in {} there", count(all, "class")),
        (all, 0) => format!("{} ({named})", count(all, "class")),
        (all, others) => format!("{} ({named}), and {others} of tests or examples", count(all, "class")),
    };
    Ok(Some((sentence, program.into_values().collect())))
}

/// The remark on a kind of users that no definition here is known to be: `which fields use f`.
fn unknown_users(understood: &Understood) -> Option<String> {
    const OTHERS: &str = "bits callsites lines parts pieces places sites spots things users";
    const VERBS: &str = "call depend import need reference rely use";
    let [head, kind, verb, ..] = understood.words.as_slice() else { return None };
    let is_asked = is_in("which what", head) && is_in(VERBS, verb) && kind.ends_with('s');
    let is_known = noun_of(kind).is_some() || is_in(OTHERS, kind) || is_stop_word(kind);
    (is_asked && !is_known).then(|| format!("which users are `{kind}` cannot be told"))
}

/// The sentence for a definition that nothing but its own decorators calls, which hand it on to callers that nobody
/// sees here.
fn handed_on(
    reading: AnswerInputs,
    target: &Target,
    rows: &[ListRow],
) -> Result<Option<(String, Vec<ListRow>)>, StoreError> {
    let places = places_of_wrappers(reading.store, target.main())?;
    let is_of_wrapper = |row: &ListRow| places.contains(&(row.path.clone(), row.line));
    if rows.is_empty() || !rows.iter().all(is_of_wrapper) {
        return Ok(None);
    }
    let name = target.main().full_name();
    let headline = format!(
        "perhaps: nothing here names `{name}`, but its decorator hands it on ({}:{}), and a user of the program may call it",
        rows[0].path, rows[0].line
    );
    Ok(Some((headline, rows.to_vec())))
}

/// The unresolved occurrences that could be uses of this kind, the likeliest first.
fn open_uses(
    reading: AnswerInputs,
    target: &Target,
    verb: Option<RelationshipKind>,
) -> Result<Vec<ReferenceSite>, StoreError> {
    let mut open = refs(reading.store, reading.sources, target, true)?.possible;
    open.retain(|reference| can_be(reference.kind, verb));
    Ok(open)
}

/// Whether an unresolved occurrence can be a relationship of the wanted kind: the index knows whether it is a call, and
/// no more.
fn can_be(occurrence: RelationshipKind, wanted: Option<RelationshipKind>) -> bool {
    match wanted {
        None | Some(RelationshipKind::Raises) => true,
        Some(RelationshipKind::Calls) => occurrence == RelationshipKind::Calls,
        Some(RelationshipKind::Imports | RelationshipKind::Decorates | RelationshipKind::Annotates) => false,
        Some(_) => occurrence != RelationshipKind::Calls,
    }
}

/// How many of the places stand in the file of the definition, where the question names it: `who calls f in a.py`.
fn in_own_file(understood: &Understood, target: &Target, rows: &[ListRow]) -> String {
    let is_own = |file: &&PlannedFile| !file.is_folder && file.paths.contains(&target.main().path);
    let Some(file) = understood.plan.files.iter().find(is_own) else { return String::new() };
    let inside = rows.iter().filter(|row| file.paths.contains(&row.path)).count();
    if inside > 0 && inside < rows.len() { format!(", {inside} of them in {}", file.mention) } else { String::new() }
}

/// `at 7 places`, or `in at least 7 places` where `open` more could be.
fn at_least(all: usize, open: usize) -> String {
    let places = count(all, "place");
    if open > 0 { format!("in at least {places}") } else { format!("at {places}") }
}

/// The unresolved occurrences behind a number of places, in words.
fn perhaps(all: usize, open: usize) -> String {
    match (open, all) {
        (0, _) => String::new(),
        (open, 0) => format!(", but {} could be one", count(open, "unresolved occurrence")),
        (open, _) => format!(", and {} could be more", count(open, "unresolved occurrence")),
    }
}

/// Whether a target is a constant in capitals, which programs often read by its name as a text.
fn main_is_setting(target: &Target) -> bool {
    let record = &target.main().record;
    record.kind == EntityKind::Variable && record.name.contains('_') && !record.name.contains(char::is_lowercase)
}

/// Lists the places of the program that have the name of a setting in quotes: `settings.getint("RETRY_TIMES")`.
fn named_in_texts(
    reading: AnswerInputs,
    understood: &Understood,
    target: &Target,
    headlines: &mut Vec<String>,
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let name = &target.main().record.name;
    let mut found = places(reading, understood, name)?;
    let is_quoted = |text: &str| text.contains(&format!("\"{name}\"")) || text.contains(&format!("'{name}'"));
    found.retain(|place| !place.is_test && !is_aside(&place.path) && is_quoted(&place.text));
    if let Some(first) = found.first() {
        let within = first.within.as_ref().map_or_else(|| first.path.clone(), Entity::full_name);
        headlines.push(format!("its name stands as a text at {}, first in `{within}`", count(found.len(), "place")));
    }
    answer.list(format!("`{name}` as a text ({})", found.len()), found.iter().map(row).collect());
    Ok(())
}

/// Says whether functions call themselves, at once or over others.
fn recursion(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut headlines = Vec::new();
    for target in understood.targets.iter().filter(|target| target.main().record.kind.is_callable()) {
        let main = target.main();
        let name = main.full_name();
        answer.want(main, "asked about", false);
        let (mut own, mut callees) = (Vec::new(), Vec::new());
        for entity in &target.entities {
            let calls = reading.store.outgoing(entity.id)?.into_iter();
            for relationship in calls.filter(|relationship| relationship.kind == RelationshipKind::Calls) {
                if target.entities.iter().any(|other| other.id == relationship.target) {
                    let text = reading.sources.line(&entity.path, relationship.line).unwrap_or_default();
                    let row = ListRow { line: relationship.line, end_line: 0, text, ..ListRow::of(entity) };
                    own.push(row);
                } else {
                    callees.extend(reading.store.entity(relationship.target)?);
                }
            }
        }
        if let Some(first) = own.first() {
            headlines.push(format!("yes: `{name}` calls itself at {}:{}", first.path, first.line));
            answer.list(format!("where it calls itself ({})", own.len()), own);
            continue;
        }
        let mut back = None;
        for callee in callees.into_iter().take(MAX_CALLEES) {
            let from = Target::of(vec![callee]);
            back = calls_between(reading, &from, target, &BTreeSet::new())?.map(|steps| (from, steps));
            if back.is_some() {
                break;
            }
        }
        let report = if back.is_none() { Some(refs(reading.store, reading.sources, target, true)?) } else { None };
        let own_ids: BTreeSet<EntityId> = target.entities.iter().map(|entity| entity.id).collect();
        let possible = report.iter().flat_map(|report| &report.possible);
        let inside =
            possible.filter(|site| own_ids.contains(&site.holder) && can_be(site.kind, Some(RelationshipKind::Calls)));
        let inside: Vec<&ReferenceSite> = inside.collect();
        match back {
            None if !inside.is_empty() => {
                let (path, line) = (&inside[0].path, inside[0].line);
                let call = "calls something of its name on an object of unknown type";
                headlines.push(format!("probably: `{name}` {call} ({path}:{line})"));
            }
            None => headlines.push(format!("no: no chain of calls leads from `{name}` back to itself")),
            Some((from, steps)) => {
                let over = from.main().full_name();
                headlines.push(format!("yes, over others: `{name}` calls `{over}`, which leads back to it"));
                answer
                    .list(format!("from `{over}` back, step by step"), steps.into_iter().map(|(_, row)| row).collect());
            }
        }
    }
    if headlines.is_empty() {
        headlines.push(format!("{} is no function: nothing calls itself there", names_of(&understood.targets)));
    }
    let message = "calls whose target is not resolved are not followed".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", 1, message)]);
    answer.headline = headlines.join("; ");
    Ok(answer)
}

/// The row of the assignment that defines a variable; an annotation alone writes nothing.
fn first_write(reading: AnswerInputs, entity: &Entity) -> Result<Option<ListRow>, StoreError> {
    let text = reading.sources.line(&entity.path, entity.record.line).unwrap_or_default();
    if !text.contains('=') {
        return Ok(None);
    }
    // The function around the assignment, as for any other one.
    let mut around = reading.store.entities_of(entity.file)?;
    around.retain(|other| other.record.kind != EntityKind::Variable);
    let within = innermost(&around, entity.record.line).unwrap_or(entity);
    let note = "writes (its definition)";
    Ok(Some(ListRow { line: entity.record.line, end_line: 0, text, ..ListRow::of(within).with(note) }))
}

/// The part of the repository to which a question limits its answer.
struct Within {
    /// The files, and what the question calls them.
    paths: Option<(BTreeSet<String>, String)>,
    /// The files that are left out, likewise.
    outside: Option<(BTreeSet<String>, String)>,
    in_tests: Option<bool>,
    tests: BTreeSet<String>,
}

impl Within {
    fn of(reading: AnswerInputs, understood: &Understood) -> Result<Self, StoreError> {
        let plan = &understood.plan;
        let is_only = only::asks_for_only(understood);
        // A file that holds the subject only tells which definition is meant, where others are called so elsewhere.
        let mut telling = BTreeSet::new();
        for target in &understood.targets {
            let main = target.main();
            let is_other = |other: &Entity| {
                other.path != main.path && other.record.kind != EntityKind::Variable && !is_aside(&other.path)
            };
            if reading.store.entities_named(&main.record.name, false)?.iter().any(is_other) {
                telling.insert(&main.path);
            }
        }
        let files = plan.files.iter().filter(|file| {
            let is_telling = file.paths.iter().any(|path| telling.contains(path));
            !file.paths.is_empty() && (file.is_folder || is_only || !is_telling)
        });
        let joined = |files: Vec<&PlannedFile>| {
            let paths: BTreeSet<String> = files.iter().flat_map(|file| file.paths.iter().cloned()).collect();
            let mentions: Vec<&str> = files.iter().map(|file| file.mention.trim_end_matches('/')).collect();
            (!paths.is_empty()).then(|| (paths, mentions.join(" and ")))
        };
        let (paths, outside) = (joined(files.collect()), joined(plan.outside.iter().collect()));
        let mut tests = BTreeSet::new();
        if plan.filters.in_tests().is_some() {
            tests
                .extend(reading.store.files()?.into_iter().filter(|(_, file)| file.is_test).map(|(_, file)| file.path));
        }
        Ok(Self { paths, outside, in_tests: plan.filters.in_tests(), tests })
    }

    fn has(&self, path: &str) -> bool {
        self.paths.as_ref().is_none_or(|(paths, _)| paths.contains(path))
            && self.outside.as_ref().is_none_or(|(paths, _)| !paths.contains(path))
            && self.in_tests.is_none_or(|wanted| wanted == self.tests.contains(path))
    }

    /// The limit in words.
    fn worded(&self) -> String {
        let worded = |limit: &Option<(BTreeSet<String>, String)>, word: &str| {
            limit.as_ref().map_or_else(String::new, |(_, mention)| format!(" {word} {mention}"))
        };
        let (place, outside) = (worded(&self.paths, "in"), worded(&self.outside, "outside of"));
        let tests = match self.in_tests {
            Some(true) => " in tests",
            Some(false) => " outside of tests",
            None => "",
        };
        format!("{place}{outside}{tests}")
    }

    /// The rest of the repository in words.
    fn rest(&self) -> &'static str {
        match (self.in_tests, &self.paths) {
            (Some(false), None) => "in tests",
            _ => "elsewhere",
        }
    }
}

/// The places that refer to a target; for a whole class or module, also to its members.
pub fn users(reading: AnswerInputs, target: &Target) -> Result<UsageRows, StoreError> {
    let report = refs(reading.store, reading.sources, target, false)?;
    let mut uses = UsageRows::default();
    if report.possible_count > 0 {
        uses.limited = Some(Completeness::LowerBound);
        let noun = if report.possible_count == 1 { "occurrence" } else { "occurrences" };
        let name = &target.main().record.name;
        let message = format!("{} unresolved {noun} of `{name}` could be a use too", report.possible_count);
        uses.boundaries.push(Boundary::new("unresolved", report.possible_count, message));
    }
    uses.rows = report.references.into_iter().map(reference_row).collect();
    let mut seen: BTreeSet<EntityId> = target.entities.iter().map(|entity| entity.id).collect();
    for entity in &target.entities {
        for relationship in reading.store.incoming(entity.id)? {
            // An import alone shows no use.
            if relationship.kind != RelationshipKind::Imports && seen.insert(relationship.source) {
                uses.entities.extend(reading.store.entity(relationship.source)?);
            }
        }
    }
    let mut tests: BTreeMap<EntityId, bool> = BTreeMap::new();
    for entity in &uses.entities {
        tests.insert(entity.id, reading.store.file(entity.file)?.is_some_and(|file| file.is_test));
    }
    // Users in the program come before those in tests.
    uses.entities.sort_by(|a, b| {
        (tests[&a.id], &a.path, a.record.start_line).cmp(&(tests[&b.id], &b.path, b.record.start_line))
    });
    Ok(uses)
}

/// The definitions that a target and its members refer to, ordered by their first place.
pub fn uses(reading: AnswerInputs, target: &Target) -> Result<UsageRows, StoreError> {
    let store = reading.store;
    let mut inside: Vec<Entity> = target.entities.clone();
    let mut at = 0;
    while at < inside.len() {
        if inside[at].record.kind != EntityKind::Module {
            inside.extend(store.children(inside[at].id)?);
        }
        at += 1;
    }
    let own: BTreeSet<EntityId> = inside.iter().map(|entity| entity.id).collect();
    let mut found: BTreeMap<(String, u32, u32), Vec<Relationship>> = BTreeMap::new();
    // One list holds the relationships of a whole file: it is read once, however many definitions are in there.
    let files: BTreeMap<FileId, String> = inside.iter().map(|entity| (entity.file, entity.path.clone())).collect();
    for (file, path) in files {
        for relationship in store.relationships_of(file)? {
            let is_from_inside = own.contains(&relationship.source) && !own.contains(&relationship.target);
            if is_from_inside && !relationship.kind.is_of_members() {
                let place = (path.clone(), relationship.line, relationship.column);
                found.entry(place).or_default().push(relationship);
            }
        }
    }
    let mut uses = UsageRows::default();
    let mut seen = BTreeSet::new();
    let calls: BTreeSet<EntityId> =
        found.values().flatten().filter(|one| one.kind == RelationshipKind::Calls).map(|one| one.target).collect();
    // The program calls no class of a test, though its value may be one there.
    let tests = store.test_files()?;
    let is_program = !tests.contains(&target.main().file);
    for ((path, line, _), targets) in found {
        let mut entities: Vec<(Entity, Relationship)> = Vec::new();
        for relationship in targets {
            // `render = self.render` comes before the call that counts.
            if relationship.kind == RelationshipKind::References && calls.contains(&relationship.target) {
                continue;
            }
            let used = store.entity(relationship.target)?;
            let used = used.filter(|entity| !is_program || !tests.contains(&entity.file));
            entities.extend(used.map(|entity| (entity, relationship)));
        }
        // A place with several targets is listed with the likeliest; their ids tell the history of the index.
        let place = |entity: &Entity| (entity.path.clone(), entity.record.line, entity.record.column);
        entities.sort_by(|(a, one), (b, other)| {
            other.basis.probability().total_cmp(&one.basis.probability()).then_with(|| place(a).cmp(&place(b)))
        });
        let Some((entity, Relationship { kind, .. })) = entities.into_iter().next() else { continue };
        if !seen.insert(entity.id) {
            continue;
        }
        let text = reading.sources.line(&path, line).unwrap_or_default();
        let note = format!("{} at {path}:{line}", kind.as_str());
        uses.rows.push(ListRow { text, text_path: path, ..ListRow::of(&entity).with(note) });
        uses.entities.push(entity);
    }
    Ok(uses)
}

/// Finds the direct relationships among definitions and their classes, and definitions that nobody uses.
pub fn connections(reading: AnswerInputs, targets: &[Target]) -> Result<Connections, StoreError> {
    let store = reading.store;
    let mut found = Connections::default();
    let ids: BTreeMap<EntityId, &Entity> =
        targets.iter().flat_map(|target| &target.entities).map(|entity| (entity.id, entity)).collect();
    let mut owners: BTreeMap<EntityId, Entity> = BTreeMap::new();
    for entity in ids.values() {
        if let Some(parent) = store.entity(entity.parent)?
            && parent.record.kind == EntityKind::Class
            && !ids.contains_key(&parent.id)
        {
            owners.insert(parent.id, parent);
        }
    }
    let mut links: BTreeSet<(String, u32, u32, EntityId, EntityId, &'static str)> = BTreeSet::new();
    for to in ids.keys().chain(owners.keys()) {
        for relationship in store.incoming(*to)? {
            if let Some(source) = store.entity(relationship.source)?
                && ids.contains_key(&source.id)
                && source.id != *to
            {
                let kind = relationship.kind.as_str();
                links.insert((source.path, relationship.line, relationship.column, source.id, *to, kind));
            }
        }
    }
    for (path, line, _, from, to, kind) in links {
        let (Some(from), Some(to)) = (store.entity(from)?, store.entity(to)?) else { continue };
        found.links.push(ListRow {
            name: short_name(&from).to_owned(),
            kind,
            line,
            note: format!("{kind} `{}`", short_name(&to)),
            text: reading.sources.line(&path, line).unwrap_or_default(),
            path,
            ..ListRow::default()
        });
    }
    for target in targets.iter().filter(|target| target.main().record.kind.is_callable()) {
        let main = target.main();
        let used = users(reading, target)?;
        // pytest calls tests, and Python calls special methods.
        let is_called_by_others = main.record.flags.has(EntityFlags::TEST) || main.record.name.starts_with("__");
        if used.rows.is_empty() && !is_called_by_others {
            let note = match used.boundaries.first() {
                None => "nothing in the repository refers to it: it is never called".to_owned(),
                Some(boundary) => format!("no call was found; {}", boundary.message),
            };
            found.remarks.push(ListRow::of(main).with(note));
        }
    }
    found.between = owners.into_values().collect();
    Ok(found)
}

/// Whether a row is of this kind. An attribute that is passed on counts as read.
fn is_of(row: &ListRow, verb: RelationshipKind) -> bool {
    let is = |kind: RelationshipKind| row.note.starts_with(kind.as_str());
    is(verb) || verb == RelationshipKind::Reads && is(RelationshipKind::References)
}

/// Whether a line calls a variable by its name: what its value is, and what runs, may not be known.
fn is_written_call(row: &ListRow, target: &Target, verb: RelationshipKind) -> bool {
    let main = &target.main().record;
    verb == RelationshipKind::Calls
        && main.kind == EntityKind::Variable
        && row.text.match_indices(&format!("{}(", main.name)).any(|(at, _)| {
            !row.text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') && !row.text[..at].ends_with("def ")
        })
}

/// The verb for one kind of use, active and passive.
fn worded(verb: Option<RelationshipKind>) -> (&'static str, &'static str) {
    match verb {
        Some(RelationshipKind::Calls) => ("calls", "called"),
        Some(RelationshipKind::Raises) => ("raises", "raised"),
        Some(RelationshipKind::Reads) => ("reads", "read"),
        Some(RelationshipKind::Writes) => ("writes", "written"),
        Some(RelationshipKind::Imports) => ("imports", "imported"),
        Some(RelationshipKind::Decorates) => ("decorates", "used as a decorator"),
        Some(RelationshipKind::Annotates) => ("annotates with", "used in annotations"),
        _ => ("uses", "used"),
    }
}

fn place_of(row: &ListRow) -> (&str, u32, &str) {
    (&row.path, row.line, &row.name)
}

fn is_call_of_decorator(call: &ListRow, row: &ListRow) -> bool {
    (&call.path, call.line) == (&row.path, row.line)
        && call.note.starts_with(RelationshipKind::Calls.as_str())
        && row.note.starts_with(RelationshipKind::Decorates.as_str())
}

/// Merges rows about the same line: `raise Error()` both calls and raises.
pub fn merged(rows: Vec<ListRow>) -> Vec<ListRow> {
    let mut merged: Vec<ListRow> = Vec::new();
    for row in rows {
        match merged.last_mut() {
            Some(last) if place_of(last) == place_of(&row) && !row.text.is_empty() => {
                let kind = row.note.split(' ').next().unwrap_or_default();
                // Rows are sorted by place, so equal places are neighbors.
                if !last.note.contains(kind) {
                    last.note = format!("{kind}, {}", last.note);
                }
            }
            // A decorator is called where its function stands: one use, told of the function.
            Some(last) if is_call_of_decorator(last, &row) => {
                let kind = last.note.split(' ').next().unwrap_or_default().to_owned();
                *last = ListRow { note: format!("{kind}, {}", row.note), ..row };
            }
            _ => merged.push(row),
        }
    }
    merged
}

/// The row of a reference.
pub fn reference_row(reference: ReferenceSite) -> ListRow {
    ListRow {
        name: reference.name,
        kind: reference.kind.as_str(),
        path: reference.path,
        line: reference.line,
        note: format!("{} ({})", reference.kind.as_str(), reference.basis),
        text: reference.text,
        ..ListRow::default()
    }
}
