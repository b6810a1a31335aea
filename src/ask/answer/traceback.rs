//! Answers about failures: the frames of a traceback, and the exceptions that a definition may raise.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            places::{callers, class_of_variable, handled, messages, row},
            short_name,
        },
        reading::{literals::TracebackFrame, plan::Understood},
    },
    model::{EntityId, EntityKind, RelationshipKind, conventions::exceptions::derived_from},
    query::{
        impact::completeness::{Boundary, Completeness},
        target::{
            Target, TargetMatch,
            filter::{Filter, FilterReader},
            implementation, innermost, known,
        },
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Definitions that are followed from one whose exceptions are asked for.
const MAX_FOLLOWED: usize = 400;
/// Calls between a definition and a `raise` that is listed.
const MAX_STEPS: usize = 8;
/// Messages of a traceback that are looked up.
const MAX_MESSAGES: usize = 3;
/// Rows of `raise` statements.
const MAX_RAISED: usize = 40;

/// Answers a pasted traceback: the definition of each frame, the line that raised, what the message says.
pub fn traceback(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let paths: Vec<String> = reading.store.files()?.into_iter().map(|(_, file)| file.path).collect();
    let mut rows = Vec::new();
    let mut last: Option<(Entity, u32)> = None;
    let mut others = 0;
    for frame in &understood.plan.frames {
        let Some((entity, line)) = definition(reading, &paths, frame)? else {
            others += 1;
            continue;
        };
        let text = reading.sources.line(&entity.path, line).unwrap_or_default();
        rows.push(ListRow {
            line,
            end_line: 0,
            text,
            text_path: entity.path.clone(),
            signature: String::new(),
            ..ListRow::of(&entity)
        });
        answer.want(&entity, "a frame of the traceback", false);
        last = Some((entity, line));
    }
    let shown = rows.len();
    // The innermost frame comes first: there it failed.
    rows.reverse();
    let mut found = Vec::new();
    for literal in understood.plan.literals.iter().filter(|literal| literal.is_message).take(MAX_MESSAGES) {
        found.extend(messages(reading, understood, &literal.text)?);
    }
    let Some((entity, line)) = last else {
        return Ok(answer);
    };
    answer.headline = format!("`{}` raised it ({}:{line})", entity.full_name(), entity.path);
    if others > 0 {
        let frames = count(others, "frame");
        answer.plan.notes.push(format!("{frames} of the traceback are not in this repository"));
    }
    // The class of the exception, where the last line raises one of this repository.
    let text = reading.sources.line(&entity.path, line).unwrap_or_default();
    let raised = text.strip_prefix("raise ").map(|raised| raised.split('(').next().unwrap_or(raised).trim().to_owned());
    if let Some(TargetMatch::Found(class)) = raised.map(|name| known(reading.store, &name, "")).transpose()?.flatten() {
        answer.want(class.main(), "the exception", true);
        answer.list("the exception", vec![ListRow::of(class.main())]);
    }
    answer.list(format!("frames, the innermost first ({shown})"), rows);
    answer.list(format!("where the message stands ({})", found.len()), found.iter().map(row).collect());
    callers(reading, &entity, &mut answer)?;
    let message = "the traceback may come from another version: lines are those of the definitions here".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("traceback", 1, message)]);
    Ok(answer)
}

/// The definition of a frame and the line in it.
fn definition(
    reading: AnswerInputs,
    paths: &[String],
    frame: &TracebackFrame,
) -> Result<Option<(Entity, u32)>, StoreError> {
    let store = reading.store;
    let shared = |path: &str| {
        let same = |(a, b): &(&str, &str)| a == b;
        frame.path.rsplit('/').zip(path.rsplit('/')).take_while(same).count()
    };
    let best = paths.iter().map(|path| shared(path)).max().unwrap_or(0);
    // A file name alone is no evidence, unless the frame has nothing more.
    if best == 0 || best == 1 && frame.path.contains('/') {
        return Ok(None);
    }
    let name = frame.function.rsplit('.').next().unwrap_or_default();
    for path in paths.iter().filter(|path| shared(path) == best) {
        let Some(file) = store.file_id(path)? else { continue };
        // Where little speaks for the file, it must have the line that the traceback shows.
        let is_doubtful = best == 1 || name.starts_with('<');
        if is_doubtful && !frame.source.is_empty() && !holds_line(reading, path, &frame.source) {
            continue;
        }
        let entities = store.entities_of(file)?;
        // Half a traceback has the beginning of a name, or none.
        let at_line = innermost(&entities, frame.line)
            .filter(|entity| entity.record.name.starts_with(name) || name.starts_with('<'));
        if let Some(entity) = at_line {
            return Ok(Some((entity.clone(), frame.line)));
        }
        // Another version has the function elsewhere.
        if let Some(entity) =
            entities.iter().find(|entity| entity.record.name == name && entity.record.kind.is_callable())
        {
            return Ok(Some((entity.clone(), entity.record.line)));
        }
    }
    Ok(None)
}

/// Whether a file has this line of code, wherever it stands: another version may have it elsewhere.
fn holds_line(reading: AnswerInputs, path: &str, source: &str) -> bool {
    reading.sources.text(path).is_some_and(|text| text.lines().any(|line| line.trim() == source))
}

/// Stands for the exception of a `raise` without one.
const AGAIN: &str = "raise";

/// Lists the exceptions that the subjects raise themselves, and those that may come from what they call.
pub fn raised(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let has_files = understood.plan.files.iter().any(|file| !file.paths.is_empty());
    let is_exception = |target: &Target| understood.exceptions.contains(&target.main().record.name);
    if has_files && !understood.exceptions.is_empty() && understood.targets.iter().all(is_exception) {
        // `does a.py raise E`: the file is the place, and the class is no function.
        let mut asked = understood.clone();
        asked.handling = (true, false);
        let mut answer = handled(reading, &asked)?;
        if understood.words.first().is_some_and(|word| matches!(word.as_str(), "does" | "do")) {
            let is_none = answer.headline.contains("never raised");
            answer.headline.insert_str(0, if is_none { "no: " } else { "yes: " });
        }
        return Ok(answer);
    }
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut headlines = Vec::new();
    let asked = asked_exceptions(reading, understood)?;
    let wants_others = asks_for_others(understood) && !asked.is_empty();
    for target in subjects(understood) {
        let main = target.main();
        answer.want(main, "asked about", false);
        let mut own: Vec<(String, ListRow)> = Vec::new();
        let mut further: Vec<(String, ListRow)> = Vec::new();
        let mut others: BTreeSet<String> = BTreeSet::new();
        let (called, is_cut) = followed(reading.store, target.implementation())?;
        if is_cut {
            let message = format!(
                "calls are followed {MAX_STEPS} deep, to {MAX_FOLLOWED} functions or so: what is raised further below is not \
                 listed"
            );
            answer.bound(Completeness::LowerBound, [Boundary::new("depth", MAX_STEPS, message)]);
        }
        for (entity, steps) in called {
            for (name, row) in raises(reading, &entity) {
                let is_asked = asked.is_empty() || asked.contains(&name) != wants_others;
                if !is_asked && name != AGAIN {
                    others.insert(format!("`{name}`"));
                }
                if steps > 0 && name == AGAIN || steps == 0 && !is_asked && name != AGAIN {
                    continue;
                }
                if steps == 0 {
                    own.push((name, row));
                } else if is_asked && further.len() == MAX_RAISED {
                    let message = format!("more than {MAX_RAISED} places raise below it: the nearest are listed");
                    answer.bound(Completeness::LowerBound, [Boundary::new("raised", MAX_RAISED, message)]);
                } else if is_asked {
                    let steps = count(steps, "call");
                    answer.want(&entity, "raises an exception below it", true);
                    further.push((name, ListRow { note: format!("{}, {steps} below", row.note), ..row }));
                }
            }
        }
        let names = |rows: &[(String, ListRow)]| {
            let names: BTreeSet<String> = rows.iter().map(|(name, _)| named(name)).collect();
            let is_exact = |(name, _): &(String, ListRow)| name == AGAIN || understood.exceptions.contains(name);
            let names = names.into_iter().collect::<Vec<_>>().join(", ");
            match understood.exceptions.as_slice() {
                [] => names,
                _ if wants_others => names,
                _ if rows.iter().all(is_exact) => names,
                bases => format!(
                    "{names} (derived from {})",
                    bases.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
                ),
            }
        };
        let all: BTreeSet<&String> =
            own.iter().chain(&further).map(|(name, _)| name).filter(|name| *name != AGAIN).collect();
        answer.count(all.len(), "exception");
        let name = short_name(main);
        let asks_whether = !understood.exceptions.is_empty()
            && understood.words.first().is_some_and(|word| matches!(word.as_str(), "does" | "do" | "will"));
        let is_raised = own.iter().any(|(name, _)| name != AGAIN);
        let verdict = match (asks_whether, is_raised, further.is_empty()) {
            (true, true, _) => "yes: ",
            (true, false, false) => "perhaps, by what it calls: ",
            _ if asks_whether && wants_others => "no: ",
            // The sentence itself says no.
            _ => "",
        };
        let sentence = match (own.is_empty(), further.is_empty()) {
            (true, true) if wants_others => {
                let but: Vec<String> = understood.exceptions.iter().map(|name| format!("`{name}`")).collect();
                let but = but.join(" or ");
                format!("no `raise` of anything but {but} was found in `{name}` or in what it calls")
            }
            (true, true) if !others.is_empty() => {
                let asked: Vec<String> = understood.exceptions.iter().map(|name| format!("`{name}`")).collect();
                let others: Vec<String> = others.into_iter().collect();
                format!(
                    "no `raise` of {} was found in `{name}` or in what it calls; what may come from there is {}",
                    asked.join(" or "),
                    others.join(", ")
                )
            }
            (true, true) => format!("no `raise` was found in `{name}` or in what it calls"),
            (false, true) => format!("`{name}` raises {}", names(&own)),
            (true, false) => {
                let none = if asked.is_empty() { "nothing" } else { "none of that" };
                let none = if wants_others { "nothing else" } else { none };
                format!("`{name}` raises {none} itself; from what it calls may come {}", names(&further))
            }
            (false, false) => {
                format!("`{name}` raises {}; from what it calls may come {}", names(&own), names(&further))
            }
        };
        headlines.push(format!("{verdict}{sentence}"));
        answer.list(format!("raised in `{name}` ({})", own.len()), own.into_iter().map(|(_, row)| row).collect());
        answer.list(
            format!("raised in what it calls, unless caught on the way ({})", further.len()),
            further.into_iter().map(|(_, row)| row).collect(),
        );
    }
    answer.headline = headlines.join("; ");
    let message =
        "exceptions of Python and of libraries are not known; some of these may be caught on the way".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("raised", 1, message)]);
    Ok(answer)
}

/// The names of the exceptions that a question asks for, with those that derive from them; empty for every exception.
fn asked_exceptions(reading: AnswerInputs, understood: &Understood) -> Result<BTreeSet<String>, StoreError> {
    let mut asked: BTreeSet<String> = understood.exceptions.iter().cloned().collect();
    asked.extend(understood.exceptions.iter().flat_map(|name| derived_from(name)).map(str::to_owned));
    if asked.is_empty() || asked.iter().any(|name| matches!(name.as_str(), "Exception" | "BaseException")) {
        return Ok(BTreeSet::new());
    }
    let derived = Filter { derives_from: vec![asked.iter().cloned().collect()], ..Filter::default() };
    let derived = FilterReader::new(reading.store)?.fitting(&derived)?;
    asked.extend(derived.into_iter().map(|class| class.record.name));
    Ok(asked)
}

/// Whether the named exceptions are those that do not count: `raise something other than E`.
fn asks_for_others(understood: &Understood) -> bool {
    let words = understood.words.join(" ");
    ["other than", "besides", "apart from", "aside from", "anything except", "anything but", "something but"]
        .iter()
        .any(|phrase| words.contains(phrase))
}

/// The name that a file gives another one in an import: `E` for `Mine` in `from .errors import E as Mine`.
fn imported_name<'t>(text: &'t str, alias: &str) -> Option<&'t str> {
    text.match_indices(" as ").find_map(|(at, joint)| {
        let (before, behind) = (&text[..at], &text[at + joint.len()..]);
        let rest = behind.strip_prefix(alias)?;
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        let name = line.rsplit([' ', ',', '(']).next().unwrap_or_default();
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
        // In brackets, each name has its own line.
        let is_import = line.starts_with("from ") || line.starts_with("import ") || line == name;
        let is_whole = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        (is_import && is_whole && is_name(name)).then(|| name.rsplit('.').next().unwrap_or(name))
    })
}

/// The definitions that may raise: `can f raise E` is not about the code of `E`.
fn subjects(understood: &Understood) -> impl Iterator<Item = &Target> {
    let is_exception = |target: &&Target| understood.exceptions.contains(&target.main().record.name);
    let is_any = !understood.targets.iter().all(|target| is_exception(&target));
    understood.targets.iter().filter(move |target| !is_any || !is_exception(target))
}

/// A definition and those that it calls, with the number of calls to each, nearest first, and whether there are more.
fn followed(store: &Store, main: &Entity) -> Result<(Vec<(Entity, usize)>, bool), StoreError> {
    let mut is_cut = false;
    let mut queue = vec![(main.clone(), 0)];
    if main.record.kind == EntityKind::Class {
        queue.extend(
            store.children(main.id)?.into_iter().filter(|child| child.record.kind.is_callable()).map(|c| (c, 0)),
        );
    }
    let mut seen: BTreeSet<EntityId> = queue.iter().map(|(entity, _)| entity.id).collect();
    let mut at = 0;
    while at < queue.len() {
        let (entity, steps) = queue[at].clone();
        at += 1;
        let mut called = store.outgoing(entity.id)?;
        called.retain(|relationship| relationship.kind == RelationshipKind::Calls && relationship.source == entity.id);
        if steps == MAX_STEPS || queue.len() > MAX_FOLLOWED {
            is_cut |= called.iter().any(|relationship| !seen.contains(&relationship.target));
            continue;
        }
        called.sort_by_key(|relationship| (relationship.line, relationship.column, relationship.target));
        for relationship in called {
            if seen.insert(relationship.target)
                && let Some(entity) = store.entity(relationship.target)?.filter(|e| e.record.kind.is_callable())
            {
                let entity = implementation(store, entity)?;
                seen.insert(entity.id);
                queue.push((entity, steps + 1));
            }
        }
    }
    Ok((queue, is_cut))
}

/// The name of an exception in a headline.
fn named(name: &str) -> String {
    if name == AGAIN { "again what it has caught".to_owned() } else { format!("`{name}`") }
}

/// The `raise` statements in the lines of a definition, each with the name of its exception.
fn raises(reading: AnswerInputs, entity: &Entity) -> Vec<(String, ListRow)> {
    let record = &entity.record;
    if record.kind == EntityKind::Class {
        return Vec::new();
    }
    let body = reading.sources.lines(&entity.path, record.start_line, record.end_line).unwrap_or_default();
    let whole = reading.sources.text(&entity.path).unwrap_or_default();
    let mut found = Vec::new();
    for (line, text) in (record.start_line..).zip(body.lines()) {
        if text.split('#').next().unwrap_or_default().trim() == "raise" {
            let (text, note) = (text.trim().to_owned(), "raises again".to_owned());
            let row = ListRow { line, end_line: 0, signature: String::new(), note, text, ..ListRow::of(entity) };
            found.push((AGAIN.to_owned(), row));
            continue;
        }
        let Some(raised) = text.trim().strip_prefix("raise ") else { continue };
        let end = raised.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(raised.len());
        let name = raised[..end].rsplit('.').next().unwrap_or_default();
        // `raise error` after `error = Broken(…)`
        let is_variable = raised[end..].is_empty() || raised[end..].starts_with(" from ");
        let above = (line - record.start_line) as usize;
        let name = class_of_variable(&body, above, name).filter(|_| is_variable).unwrap_or(name);
        if !name.trim_start_matches('_').starts_with(char::is_uppercase) {
            continue;
        }
        let row = ListRow {
            line,
            end_line: 0,
            signature: String::new(),
            note: match imported_name(&whole, name) {
                Some(original) => format!("raises {original}, imported as {name}"),
                None => format!("raises {name}"),
            },
            text: text.trim().to_owned(),
            ..ListRow::of(entity)
        };
        found.push((imported_name(&whole, name).unwrap_or(name).to_owned(), row));
    }
    found
}
