//! Which classes below an exception are raised or caught by name, and which are not; what one definition catches.

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, in_words,
            places::{PlaceRole, places},
            short_name,
        },
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::{EntityKind, RelationshipKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::tree::{TreeKind, tree},
        source::{logical_lines::logical_lines, texts::lines_of_texts},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Classes that a headline names.
const MAX_NAMED: usize = 6;

/// Answers `which exceptions does f catch` by the `except` clauses of its source; `None` for other questions.
#[expect(clippy::unnecessary_wraps, reason = "stands in a table of functions that may fail")]
pub(in crate::ask::answer) fn caught(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    const CATCHING: &str = "catch catches handle handles suppress suppresses swallow swallows";
    const CAUGHT: &str = "caught handled suppressed swallowed";
    let words = &understood.words;
    let is_by = |pair: &[String]| is_in(CAUGHT, &pair[0]) && is_in("by in inside within", &pair[1]);
    let is_asked = words.last().is_some_and(|word| is_in(CATCHING, word)) || words.windows(2).any(is_by);
    let asks_what = words.first().is_some_and(|word| is_in("what which", word));
    let [target] = understood.targets.as_slice() else { return Ok(None) };
    if !is_asked || !asks_what || !understood.exceptions.is_empty() {
        return Ok(None);
    }
    let main = target.implementation();
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Raised).plan, String::new());
    answer.want(main, "asked about", false);
    let whole = reading.sources.text(&main.path).unwrap_or_default();
    let texts = lines_of_texts(&whole);
    let (mut names, mut rows): (Vec<String>, Vec<ListRow>) = (Vec::new(), Vec::new());
    for line in logical_lines(&whole) {
        let inside = (main.record.start_line..=main.record.end_line).contains(&line.start);
        if !inside || texts.contains_key(&line.start) {
            continue;
        }
        let text = reading.sources.lines(&main.path, line.start, line.end).unwrap_or_default();
        let Some(clause) = caught_by(text.trim()) else { continue };
        for name in clause {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let text = reading.sources.line(&main.path, line.start).unwrap_or_default();
        rows.push(ListRow { name: main.full_name(), ..ListRow::line(&main.path, line.start, text) });
    }
    let name = short_name(main);
    let caught: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    answer.headline = match rows.first() {
        None => format!("`{name}` catches nothing itself: no `except` stands in it"),
        Some(first) => format!("`{name}` catches {}, first at {}:{}", in_words(&caught), first.path, first.line),
    };
    answer.list(format!("where `{name}` catches ({})", rows.len()), rows);
    let message = "what it calls may catch more, and a class stands for those derived from it".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("raised", 1, message)]);
    Ok(Some(answer))
}

/// The exceptions that a clause catches: `except (A, b.C) as error:`, `with suppress(A):`; `None` for other statements.
fn caught_by(statement: &str) -> Option<Vec<String>> {
    let clause = match statement.strip_prefix("except") {
        Some(rest) if rest.starts_with([' ', '(', ':', '*']) => rest.split(" as ").next().unwrap_or(rest),
        Some(_) => return None,
        None => {
            let (head, rest) = statement.split_once("suppress(")?;
            let is_with = head.starts_with("with ") || head.starts_with("async with ");
            is_with.then(|| rest.split(')').next().unwrap_or(rest))?
        }
    };
    let clause = clause.split('#').next().unwrap_or(clause);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let names: Vec<String> =
        clause.split(|c: char| !is_part(c)).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    Some(if names.is_empty() { vec!["every exception".to_owned()] } else { names })
}

/// Answers `which subclasses of X are never raised`; `None` for other questions.
pub(in crate::ask::answer) fn raised_heirs(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    const HEIRS: [&str; 5] = ["children", "descend", "deriv", "inherit", "subclass"];
    let begins = |word: &str, heads: &[&str]| heads.iter().any(|head| word.starts_with(head));
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let verb = words.iter().position(|word| matches!(*word, "raised" | "thrown" | "caught" | "handled"));
    let ([target], Some(verb), true) = (understood.targets.as_slice(), verb, understood.asks_for_list()) else {
        return Ok(None);
    };
    if target.main().record.kind != EntityKind::Class || !words.iter().any(|word| begins(word, &HEIRS)) {
        return Ok(None);
    }
    let is_no = |word: &&str| matches!(*word, "not" | "never" | "no" | "nowhere") || word.ends_with("n't");
    let is_denied = words[verb.saturating_sub(3)..verb].iter().any(is_no);
    let (role, done) = match words[verb] {
        "raised" | "thrown" => (PlaceRole::Raises, "raised"),
        _ => (PlaceRole::Catches, "caught"),
    };
    let mut heirs = Vec::new();
    for id in tree(reading.store, target, TreeKind::Subclasses)?.entities() {
        heirs.extend(reading.store.entity(id)?.filter(|heir| heir.id != target.main().id));
    }
    heirs.sort_by(|a, b| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
    let (mut fitting, mut names) = (Vec::new(), Vec::new());
    for heir in &heirs {
        let mut at = places(reading, understood, &heir.record.name)?;
        at.retain(|place| place.role == role);
        let mut done_at: Vec<(String, u32)> = at.into_iter().map(|place| (place.path, place.line)).collect();
        if role == PlaceRole::Raises {
            // It may be raised under another name: `import E as F`.
            done_at.extend(raising(reading, understood, heir)?);
        }
        if done_at.is_empty() == is_denied {
            names.push(format!("`{}`", short_name(heir)));
            let note = done_at.first().map(|(path, line)| format!("{done} at {path}:{line}"));
            fitting.push(ListRow::of(heir).with(note.unwrap_or_default()));
        }
    }
    if names.len() > MAX_NAMED {
        let more = names.len() - MAX_NAMED;
        names.truncate(MAX_NAMED);
        names.push(format!("{more} more"));
    }
    let not = if is_denied { "never " } else { "" };
    let tests = match understood.plan.filters.in_tests() {
        Some(true) => " in tests",
        Some(false) => " outside of tests",
        None => "",
    };
    let listed = if names.is_empty() { String::new() } else { format!(": {}", in_words(&names)) };
    let none = if names.is_empty() { "none: " } else { "" };
    let all = count(heirs.len(), "class");
    let base = &target.main().record.name;
    let mut answer = Answer::new(
        understood.clone().read_as(QuestionIntent::Hierarchy).plan,
        format!("{none}{} of {all} below `{base}` are {not}{done} by name{tests}{listed}", fitting.len()),
    );
    answer.plan.notes.retain(|note| !note.contains("leaves out"));
    answer.command = understood.plan.ask_command();
    for heir in heirs.iter().take(MAX_NAMED) {
        answer.want(heir, "it is below the class", true);
    }
    answer.list(format!("classes that fit ({})", fitting.len()), fitting);
    let message =
        "read off the lines that name the class: it may be raised or caught by a variable or a base".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("text", 1, message)]);
    Ok(Some(answer))
}

/// The places that raise a class, by whatever name, where the question looks.
fn raising(reading: AnswerInputs, understood: &Understood, class: &Entity) -> Result<Vec<(String, u32)>, StoreError> {
    let in_tests = understood.plan.filters.in_tests();
    let mut found = Vec::new();
    for edge in reading.store.incoming_of(class.id, RelationshipKind::Raises)? {
        let Some(source) = reading.store.entity(edge.source)? else { continue };
        let is_test = reading.store.file(source.file)?.is_some_and(|file| file.is_test);
        if in_tests.is_none_or(|wanted| wanted == is_test) && !understood.leaves_out(&source.path) {
            found.push((source.path, edge.line));
        }
    }
    Ok(found)
}
