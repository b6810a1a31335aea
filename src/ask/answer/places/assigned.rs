//! The lines of a file, class or function that give a name a value: `which line sets self.limit in cart.py`.
//!
//! They are read off the assignments of the file itself, so a local variable counts as an attribute does. Definitions
//! of that name in other files are not meant.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            places::{
                numbered_lines,
                parts::actions::{acting, sets_item},
            },
            short_name,
        },
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::{EntityKind, FileId, RelationshipKind},
    query::{
        impact::completeness::Completeness,
        navigate::lines::assigned_in,
        source::logical_lines::logical_lines,
        target::{Target, TargetMatch, innermost, known},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Lines that a headline names.
const MAX_LINES: usize = 8;

/// A name and the place in which the lines stand that set it.
#[derive(Debug, PartialEq, Eq)]
struct AskedName {
    name: String,
    place: String,
}

/// A file, or a definition in one, in which lines are looked for.
struct SearchedPlace {
    file: FileId,
    path: String,
    /// The lines of the definition; all where there is none.
    lines: (u32, u32),
    said: String,
}

/// Answers which lines of a place set a name; `None` for other questions.
pub(in crate::ask::answer) fn assigned(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let Some(asked) = asked_name(&understood.plan.question) else { return acting(reading, understood) };
    let places = searched(reading, understood, &asked.place)?;
    if places.is_empty() {
        return Ok(None);
    }
    let mut plan = understood.clone().read_as(QuestionIntent::Usage).plan;
    // What the name means elsewhere is not asked for.
    plan.notes.clear();
    plan.unknown.clear();
    plan.subjects.retain(|subject| places.iter().any(|place| place.path == subject.path));
    let mut answer = Answer::new(plan, String::new());
    answer.command = understood.plan.ask_command();
    let (mut rows, mut headlines, mut without) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_told_elsewhere = false;
    for place in &places {
        let entities = reading.store.entities_of(place.file)?;
        let lines = setting(reading, place, &entities, &asked.name)?;
        if lines.is_empty() {
            is_told_elsewhere |= is_told_by_index(reading, understood, place, &entities, &asked.name)?;
        }
        let side = if lines.is_empty() { &mut without } else { &mut headlines };
        side.push(headline(&asked.name, place, &lines, &entities));
        for line in lines {
            let within = around(&entities, line);
            let text = reading.sources.line(&place.path, line).unwrap_or_default();
            let row = match within {
                Some(within) => ListRow::of(within),
                None => ListRow { path: place.path.clone(), ..ListRow::default() },
            };
            if let Some(within) = within {
                answer.want(within, "a line that sets the name stands in it", false);
            }
            rows.push(ListRow { line, end_line: 0, signature: String::new(), text, ..row.with("sets") });
        }
    }
    if rows.is_empty() && (is_told_elsewhere || is_of_other_object(&asked.name)) {
        return Ok(None);
    }
    // Of several files that are called so, those with the name are meant.
    answer.headline = if headlines.is_empty() { without } else { headlines }.join("; ");
    answer.list(format!("lines that set `{}` ({})", asked.name, rows.len()), rows);
    answer.bound(Completeness::Exact, []);
    Ok(Some(answer))
}

/// The name and the place of `which line sets NAME in PLACE` and `where is NAME set in PLACE`; `None` for other
/// questions.
fn asked_name(question: &str) -> Option<AskedName> {
    const PREPOSITIONS: &str = "in inside within of";
    const SETTING: &str = "set sets setting assign assigns assigned write writes written initialize initializes \
         initialized initialise initialises initialised";
    const AROUND: &str = "a an the to value attribute field local instance name property variable of code is are was \
         gets get being does";
    const KINDS: &str = "the file module class function method";
    let words: Vec<&str> =
        question.split_whitespace().map(|word| word.trim_matches(['`', '\'', '"', '?', ',', '.'])).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let asks_for_lines = match lower.as_slice() {
        [first, second, ..] if matches!(first.as_str(), "which" | "what") => {
            matches!(second.as_str(), "line" | "lines" | "place" | "places")
        }
        [first, ..] => first == "where",
        [] => false,
    };
    let start = if lower.first()? == "where" { 1 } else { 2 };
    let behind = lower.iter().rposition(|word| is_in(PREPOSITIONS, word))?;
    // `which line of a.py sets x`: the place may stand first.
    let is_first = behind == start && asks_for_lines;
    let mut place = (behind + 1..words.len()).filter(|at| !is_in(KINDS, &lower[*at]));
    let (place, rest) = (place.next()?, place.next());
    if rest.is_some() && !is_first {
        return None;
    }
    let said = if is_first { place + 1..words.len() } else { start..behind };
    let mut said = said.filter(|at| !is_in(AROUND, &lower[*at]));
    let (one, other, None) = (said.next()?, said.next()?, said.next()) else { return None };
    let name = match (is_in(SETTING, &lower[one]), is_in(SETTING, &lower[other])) {
        (true, false) => words[other],
        (false, true) => words[one],
        _ => return None,
    };
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let is_name = asks_for_lines && name.split('.').all(is_part);
    is_name.then(|| AskedName { name: name.to_owned(), place: words[place].trim_end_matches("()").to_owned() })
}

/// The files or definitions that a question calls so.
fn searched(reading: AnswerInputs, understood: &Understood, said: &str) -> Result<Vec<SearchedPlace>, StoreError> {
    let store = reading.store;
    let mut places = Vec::new();
    if !understood.plan.files.is_empty() {
        let files = understood.plan.files.iter().filter(|file| file.mention == said && !file.is_folder);
        for path in files.flat_map(|file| file.paths.iter().chain(&file.others)).filter(|path| path.ends_with(".py")) {
            let Some(file) = store.file_id(path)? else { continue };
            places.push(SearchedPlace { file, path: path.clone(), lines: (1, u32::MAX), said: path.clone() });
        }
        return Ok(places);
    }
    let is_definition = |target: &Target| {
        let main = target.main();
        let is_called_so = main.record.name == said || main.full_name().ends_with(&format!(".{said}"));
        is_called_so && (main.record.kind.is_callable() || main.record.kind == EntityKind::Class)
    };
    let mut targets: Vec<Target> = understood.targets.iter().filter(|target| is_definition(target)).cloned().collect();
    if targets.is_empty()
        && let Some(TargetMatch::Found(target)) = known(store, said, "")?
    {
        targets.extend(Some(target).filter(is_definition));
    }
    places.extend(targets.iter().map(|target| {
        let entity = target.implementation();
        let lines = (entity.record.line, entity.record.end_line);
        SearchedPlace { file: entity.file, path: entity.path.clone(), lines, said: format!("`{}`", entity.full_name()) }
    }));
    Ok(places)
}

/// The lines of a place that set the name.
fn setting(
    reading: AnswerInputs,
    place: &SearchedPlace,
    entities: &[Entity],
    name: &str,
) -> Result<BTreeSet<u32>, StoreError> {
    let (first, last) = place.lines;
    let mut all = assigned_in(reading.store, place.file)?;
    all.retain(|(line, _)| (first..=last).contains(line));
    let lines = |is_meant: &dyn Fn(u32, &str) -> bool| -> BTreeSet<u32> {
        all.iter().filter(|(line, target)| is_meant(*line, target)).map(|(line, _)| *line).collect()
    };
    let of_object = |target: &str, name: &str| {
        target.split_once('.').is_some_and(|(object, rest)| matches!(object, "self" | "cls") && rest == name)
    };
    let Some((owner, last)) = name.rsplit_once('.') else {
        let own = lines(&|_, target| target == name);
        let of_self = lines(&|_, target| of_object(target, name));
        // A local variable is meant before an attribute; a file may have both.
        let is_file = last == u32::MAX;
        return Ok(match (own.is_empty(), of_self.is_empty()) {
            (false, _) if !is_file => own,
            (true, true) => {
                let of_others = lines(&|_, target| target.rsplit('.').next() == Some(name));
                if of_others.is_empty() { setting_items(reading, place, name) } else { of_others }
            }
            _ => own.union(&of_self).copied().collect(),
        });
    };
    let class = entities.iter().find(|entity| {
        entity.record.kind == EntityKind::Class && (entity.record.qualified == owner || entity.record.name == owner)
    });
    Ok(lines(&|line, target| {
        let is_own = |class: &Entity| {
            let is_inside = (class.record.line..=class.record.end_line).contains(&line);
            let is_in_body = around(entities, line).is_some_and(|within| within.id == class.id);
            is_inside && (of_object(target, last) || target == last && is_in_body)
        };
        target == name || class.is_some_and(is_own)
    }))
}

/// The lines of a place that give the item of this name a value: `options["limit"] = 3`.
fn setting_items(reading: AnswerInputs, place: &SearchedPlace, name: &str) -> BTreeSet<u32> {
    let Some(text) = reading.sources.text(&place.path) else { return BTreeSet::new() };
    let (first, last) = place.lines;
    let lines = logical_lines(&text).into_iter().filter(|line| line.start > first && line.end <= last);
    lines.filter(|line| sets_item(&line.written(&text), name)).map(|line| line.start).collect()
}

/// The definition around a line that is no variable.
fn around(entities: &[Entity], line: u32) -> Option<&Entity> {
    let inner = innermost(entities, line)?;
    let is_variable = inner.record.kind == EntityKind::Variable;
    if is_variable { entities.iter().find(|entity| entity.id == inner.parent) } else { Some(inner) }
}

/// Whether a name is an attribute of something that the file does not tell: `app.limit`.
fn is_of_other_object(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(object, _)| !matches!(object, "self" | "cls"))
}

/// Whether the index says more of a name that no assignment of the place has: it is a property or the like there, or
/// something resolved writes it there.
fn is_told_by_index(
    reading: AnswerInputs,
    understood: &Understood,
    place: &SearchedPlace,
    entities: &[Entity],
    name: &str,
) -> Result<bool, StoreError> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_other = |entity: &Entity| entity.record.name == last && entity.record.kind != EntityKind::Variable;
    if entities.iter().any(is_other) {
        return Ok(true);
    }
    for target in &understood.targets {
        for write in reading.store.incoming_of(target.main().id, RelationshipKind::Writes)? {
            let is_inside = (place.lines.0..=place.lines.1).contains(&write.line);
            if is_inside && reading.store.entity(write.source)?.is_some_and(|source| source.path == place.path) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn headline(name: &str, place: &SearchedPlace, lines: &BTreeSet<u32>, entities: &[Entity]) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let all = count(lines.len(), "place");
    if lines.is_empty() {
        let (start, end) = place.lines;
        let declared = entities.iter().find(|entity| {
            let record = &entity.record;
            record.name == last && record.kind == EntityKind::Variable && (start..=end).contains(&record.line)
        });
        let only = declared.map(|one| format!("; line {} only declares `{}`", one.record.line, short_name(one)));
        return format!("no line of {} sets `{name}`{}", place.said, only.unwrap_or_default());
    }
    let said = numbered_lines(lines.iter().copied(), MAX_LINES);
    let of_file = if place.said == place.path { String::new() } else { format!(" of {}", place.path) };
    format!("`{name}` is set at {all} in {}: {said}{of_file}", place.said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_its_place_are_read_off_the_question() {
        let check = |question: &str| {
            asked_name(question).map_or_else(String::new, |asked| format!("{} in {}", asked.name, asked.place))
        };
        assert_eq!(check("which line sets self.limit in shop/cart.py"), "self.limit in shop/cart.py");
        assert_eq!(check("what lines assign a value to rv in the function total()?"), "rv in total");
        assert_eq!(check("where is the variable rv set in file cart.py"), "rv in cart.py");
        assert_eq!(check("where does the local limit get set in total"), "limit in total");
        assert_eq!(check("which line sets the limit of all carts in cart.py"), "");
        assert_eq!(check("which function sets limit in cart.py"), "");
        assert_eq!(check("where is limit read in cart.py"), "");
        assert_eq!(check("which line sets limit in cart.py and tests"), "");
    }
}
