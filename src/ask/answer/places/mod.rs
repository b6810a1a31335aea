//! Answers from the text of the files: messages, settings, names from outside, marked comments.
//!
//! Files are read and compared; the definition around a place comes from the index. What a line does with a name is
//! read off the line.

pub(super) mod annotations;
pub(super) mod asserts;
pub(super) mod assigned;
pub(super) mod documents;
pub(super) mod environment;
pub(super) mod library_calls;
mod license;
pub(super) mod lines;
pub(super) mod neighbors;
pub(super) mod parts;
pub(super) mod sections;
mod settings;
pub(super) mod unseen;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use self::settings::{SettingAccess, VariablesRead};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, examples, first_in_words, relations::only},
        reading::{
            filters::Noun,
            forms::Polarity,
            literals::message_words,
            plan::Understood,
            words::{is_stop_word, name_parts, stem},
        },
    },
    model::{EntityKind, FileId, FileRecord, RelationshipKind, conventions::is_whole_name},
    query::{
        impact::completeness::{Boundary, Completeness},
        source::texts::{TextLine, lines_of_texts},
        target::{innermost, likeliest::is_aside},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Places that are listed.
const MAX_PLACES: usize = 30;
/// Places of a message that are listed.
const MAX_MESSAGES: usize = 12;
/// Texts of one question that are looked up; a log has thousands.
const MAX_LITERALS: usize = 6;
/// A question with more words says more than its message.
const LONG_QUESTION: usize = 24;
/// Words among which the words of one message lie.
const WINDOW: usize = 48;
/// Part of a message's pairs of words that must be found.
const LEAST_SHARE: f64 = 0.34;
/// Lines above a name in which its `except` may stand.
const CLAUSE: u32 = 8;

/// Texts by which a program reaches the environment.
const ENVIRONMENT: [&str; 2] = ["os.environ", "getenv"];

/// How a line uses a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceRole {
    Raises,
    Catches,
    Calls,
    Names,
    Inherits,
    Imports,
    Comment,
}

impl PlaceRole {
    /// The verb in a row.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Raises => "raises",
            Self::Catches => "catches",
            Self::Calls => "calls",
            Self::Names => "names",
            Self::Inherits => "inherits",
            Self::Imports => "imports",
            Self::Comment => "mentions",
        }
    }
}

/// A place of a text.
#[derive(Clone, Debug)]
pub struct Place {
    pub role: PlaceRole,
    pub is_test: bool,
    pub path: String,
    pub line: u32,
    pub text: String,
    /// The line above where its bracket is still open: `ConfigAttribute(`.
    pub above: String,
    pub within: Option<Entity>,
}

/// The indexed files: the program first, then tests, then the rest.
fn files(reading: AnswerInputs, understood: &Understood) -> Result<Vec<(FileId, FileRecord)>, StoreError> {
    let plan = &understood.plan;
    let paths: BTreeSet<&str> = plan.files.iter().flat_map(|file| file.paths.iter().map(String::as_str)).collect();
    let mut files = reading.store.files()?;
    files.retain(|(_, file)| paths.is_empty() || paths.contains(file.path.as_str()));
    files.retain(|(_, file)| !understood.leaves_out(&file.path));
    files.retain(|(_, file)| plan.filters.in_tests().is_none_or(|wanted| wanted == file.is_test));
    files.sort_by_cached_key(|(_, file)| (file.is_test, is_aside(&file.path), file.path.clone()));
    Ok(files)
}

/// Every place where `word` stands as a whole word.
pub fn places(reading: AnswerInputs, understood: &Understood, word: &str) -> Result<Vec<Place>, StoreError> {
    let mut found = Vec::new();
    // Of `/items/<id>/parts`, each framework writes the blank in its own way.
    let parts: Vec<&str> = word.split(['<', '>', '{', '}']).step_by(2).filter(|part| !part.is_empty()).collect();
    let Some((word, rest)) = parts.split_first() else { return Ok(found) };
    for (id, file) in files(reading, understood)? {
        let Some(text) = reading.sources.text(&file.path) else { continue };
        let mut entities: Option<Vec<Entity>> = None;
        let mut texts: Option<BTreeMap<u32, TextLine>> = None;
        let mut last = 0;
        let (mut line, mut counted) = (1, 0);
        for (at, _) in text.match_indices(word) {
            let is_whole = is_whole_name(&text, at, word.len());
            line += u32::try_from(text[counted..at].matches('\n').count()).unwrap_or(u32::MAX);
            counted = at;
            if !is_whole || line == last {
                continue;
            }
            last = line;
            let shown = reading.sources.line(&file.path, line).unwrap_or_default();
            if !stand_in_order(&shown, word, rest) {
                continue;
            }
            if entities.is_none() {
                entities = Some(reading.store.entities_of(id)?);
            }
            let within = innermost(entities.as_deref().unwrap_or_default(), line).cloned();
            // A docstring that names it does nothing with it.
            let texts = texts.get_or_insert_with(|| lines_of_texts(&text));
            let role = if texts.get(&line) == Some(&TextLine::Document) {
                PlaceRole::Comment
            } else {
                role(reading, &file.path, line, &shown, word, within.as_ref())
            };
            let above = reading.sources.line(&file.path, line.saturating_sub(1)).filter(|_| line > 1);
            let above = above.filter(|above| above.ends_with(['(', '['])).unwrap_or_default();
            let path = file.path.clone();
            found.push(Place { role, is_test: file.is_test, path, line, text: shown, above, within });
        }
    }
    Ok(found)
}

/// Whether `rest` follows `first` in a line, one after the other.
fn stand_in_order(line: &str, first: &str, rest: &[&str]) -> bool {
    let Some((_, mut behind)) = line.split_once(first) else { return rest.is_empty() };
    rest.iter().all(|part| match behind.split_once(part) {
        Some((_, after)) => {
            behind = after;
            true
        }
        None => false,
    })
}

/// The use that a line makes of `word`.
fn role(reading: AnswerInputs, path: &str, line: u32, text: &str, word: &str, within: Option<&Entity>) -> PlaceRole {
    let before = &text[..text.find(word).unwrap_or(0)];
    let after = &text[(before.len() + word.len()).min(text.len())..];
    if before.contains('#') {
        return PlaceRole::Comment;
    }
    if text.starts_with("raise ")
        && before.trim_start_matches("raise ").chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
    {
        return PlaceRole::Raises;
    }
    if text.starts_with("import ") || text.starts_with("from ") {
        return PlaceRole::Imports;
    }
    let takes = [
        "pytest.raises(",
        ".raises(",
        "assertRaises",
        "suppress(",
        "isinstance(",
        "errorhandler(",
        "register_error_handler(",
    ];
    if ["except ", "except(", "except*"].iter().any(|head| text.starts_with(head))
        || takes.iter().any(|call| before.contains(call))
    {
        return PlaceRole::Catches;
    }
    if is_in_clause(reading, path, line, text) {
        return PlaceRole::Catches;
    }
    // `def handle(self, error: X)` that has `raise error` raises it again, and `error = X(…)` makes what is raised.
    let made = before.trim_end().strip_suffix('=').filter(|_| after.starts_with('('));
    if let (Some(entity), Some(name)) = (within, before.trim_end().strip_suffix(':').or(made)) {
        let name = name.trim_end().rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let body = reading.sources.lines(path, entity.record.start_line, entity.record.end_line).unwrap_or_default();
        if !name.is_empty() && body.lines().any(|line| raised_name(line) == Some(name)) {
            return PlaceRole::Raises;
        }
    }
    if text.starts_with("class ") {
        return PlaceRole::Inherits;
    }
    if after.starts_with('(') { PlaceRole::Calls } else { PlaceRole::Names }
}

/// The name that a line raises: `error` of `raise error from None`.
fn raised_name(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("raise ")?;
    let rest = rest.split('#').next().unwrap_or_default();
    rest.split_once(" from ").map_or(Some(rest.trim()), |(name, _)| Some(name.trim()))
}

/// The class of which the last of the first `lines` assigns a new instance to a variable: `error = Broken(…)`.
pub(in crate::ask::answer) fn class_of_variable<'t>(body: &'t str, lines: usize, name: &str) -> Option<&'t str> {
    let above: Vec<&str> = body.lines().take(lines).collect();
    above.into_iter().rev().find_map(|line| {
        let rest = line.trim().strip_prefix(name)?;
        let (annotation, value) = rest.split_once('=')?;
        let is_assigned = annotation.trim().is_empty() || annotation.starts_with(':');
        let (callee, _) = value.trim().split_once('(').filter(|_| is_assigned)?;
        let is_name = callee.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let last = callee.rsplit('.').next().unwrap_or_default();
        (is_name && last.trim_start_matches('_').starts_with(char::is_uppercase)).then_some(last)
    })
}

/// Whether the line is one of several of `except (A,\n B):`.
fn is_in_clause(reading: AnswerInputs, path: &str, line: u32, text: &str) -> bool {
    let is_item =
        |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ',' | ' ' | ')' | ':'));
    if !is_item(text) {
        return false;
    }
    let above = (line.saturating_sub(CLAUSE)..line).rev().filter_map(|line| reading.sources.line(path, line));
    above
        .take_while(|text| is_item(text) || text.starts_with("except"))
        .any(|text| text.starts_with("except (") && !text.ends_with(':'))
}

/// The row of a place.
pub fn row(place: &Place) -> ListRow {
    let name = place.within.as_ref().map_or_else(|| place.path.clone(), Entity::full_name);
    ListRow {
        name,
        kind: place.role.as_str(),
        path: place.path.clone(),
        line: place.line,
        note: place.role.as_str().to_owned(),
        text: place.text.clone(),
        ..ListRow::default()
    }
}

/// Tells the lines that set an attribute of a name, `g.user = 1`, from those that read it; `None` for other questions.
/// Nobody knows the class of the name: only the text tells.
fn accesses(understood: &Understood, found: &[Place], text: &str, answer: &mut Answer) -> Option<String> {
    const ASKING: [&str; 9] = ["assigned", "assigns", "read", "reads", "set", "sets", "write", "writes", "written"];
    let is_asked = understood.words.iter().any(|word| ASKING.contains(&word.as_str()));
    let is_attribute = text.contains('.') && text.split('.').all(|part| !part.is_empty() && !part.contains('/'));
    let is_code = |place: &&Place| !matches!(place.role, PlaceRole::Comment | PlaceRole::Imports);
    let (code, told): (Vec<&Place>, Vec<&Place>) = found.iter().partition(is_code);
    let is_unknown = understood.plan.unknown.iter().any(|unknown| unknown.mention == text);
    if !is_asked || !is_attribute || !is_unknown || ENVIRONMENT.contains(&text) || code.is_empty() {
        return None;
    }
    let is_set = |place: &&Place| {
        let rest = place.text.split_once(text).map_or("", |(_, rest)| rest).trim_start();
        let rest = rest.strip_prefix(['+', '-', '*', '/', '|', '&']).unwrap_or(rest);
        place.text.trim_start().starts_with(text) && rest.starts_with('=') && !rest.starts_with("==")
    };
    let (set, read): (Vec<&Place>, Vec<&Place>) = code.into_iter().partition(is_set);
    let said = |places: &[&Place], verb: &str| match places.first() {
        Some(first) => format!("{verb} at {}, first {}:{}", count(places.len(), "place"), first.path, first.line),
        None => format!("{verb} nowhere"),
    };
    let headline = format!("by its text, `{text}` is {}; it is {}", said(&set, "set"), said(&read, "read"));
    for (verb, places) in [("sets", set), ("reads", read), ("mentions", told)] {
        let rows: Vec<ListRow> = places.iter().map(|place| row(place).with(format!("{verb}, by text"))).collect();
        answer.list(format!("lines that {} `{text}` ({})", verb.trim_end_matches('s'), rows.len()), rows);
    }
    Some(headline)
}

/// Answers with the places of the literals of a question: messages first, then single words.
pub fn text(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut headlines = Vec::new();
    let mut has_message = false;
    let mut variables = VariablesRead::default();
    let asked = asked_access(understood);
    let asks_where_defined = understood.words.iter().any(|word| word.starts_with("defin") || word == "declared");
    for literal in understood.plan.literals.iter().take(MAX_LITERALS) {
        if literal.is_message {
            let found = messages(reading, understood, &literal.text)?;
            let Some(first) = found.first() else { continue };
            has_message = true;
            let name = first.within.as_ref().map_or_else(|| first.path.clone(), Entity::full_name);
            headlines.push(format!("the text stands in `{name}` ({}:{})", first.path, first.line));
            for place in &found {
                if let Some(entity) = &place.within {
                    answer.want(entity, "the text stands in it", false);
                }
            }
            answer.list(format!("where the text stands ({})", found.len()), found.iter().map(row).collect());
            if let Some(entity) = &first.within {
                callers(reading, entity, &mut answer)?;
            }
            continue;
        }
        // Where the message stands, its exception and its values are no questions of their own.
        if has_message {
            continue;
        }
        let mut found = places(reading, understood, &literal.text)?;
        // `contextlib.contextmanager` may be imported by its last name; `Cart.total` is no other `total`.
        let is_class = literal.text.starts_with(char::is_uppercase) || literal.text.matches('.').count() > 1;
        if let Some((_, last)) = literal.text.rsplit_once('.').filter(|_| found.is_empty() && !is_class) {
            found = places(reading, understood, last)?;
        }
        let imports = found.iter().filter(|place| place.role == PlaceRole::Imports).count();
        let is_imported = understood.verb == Some(RelationshipKind::Imports) && imports > 0;
        if is_imported {
            found.retain(|place| place.role == PlaceRole::Imports);
        }
        found.sort_by_key(|place| {
            let is_remark = matches!(place.role, PlaceRole::Comment | PlaceRole::Imports);
            let access = settings::access_at(place, &literal.text);
            let is_access = (access.is_some() && access == asked, access.is_some());
            // A text is defined where a variable holds it.
            let is_held = asks_where_defined
                && place.within.as_ref().is_some_and(|within| within.record.kind == EntityKind::Variable);
            let spoken = spoken(&place.text, &literal.text, understood);
            (place.is_test, is_aside(&place.path), is_remark, Reverse((is_access, is_held, spoken)))
        });
        let is_setting = settings::headline(&found, &literal.text, asked).is_some();
        if !is_setting && let Some(headline) = accesses(understood, &found, &literal.text, &mut answer) {
            headlines.push(headline);
            continue;
        }
        let Some(first) = found.first() else { continue };
        let name = first.within.as_ref().map_or_else(|| first.path.clone(), Entity::full_name);
        headlines.push(match settings::headline(&found, &literal.text, asked) {
            Some(headline) => headline,
            None if is_imported => {
                let files: BTreeSet<&str> = found.iter().map(|place| place.path.as_str()).collect();
                let (places, files) = (count(found.len(), "place"), count(files.len(), "file"));
                format!("`{}` is imported at {places} in {files}, first in {}:{}", literal.text, first.path, first.line)
            }
            None if understood.plan.filters.noun.is_some() => containers(understood, &found, &literal.text),
            None => format!("`{}` stands at {}, first in `{name}`", literal.text, count(found.len(), "place")),
        });
        let (code, rest): (Vec<&Place>, Vec<&Place>) =
            found.iter().partition(|place| !place.is_test && !is_aside(&place.path));
        if ENVIRONMENT.contains(&literal.text.as_str()) {
            variables.add(reading, &code, &literal.text)?;
        }
        for place in code.iter().take(MAX_MESSAGES) {
            if let Some(entity) = &place.within {
                answer.want(entity, "the text stands in it", false);
            }
        }
        if asked != Some(SettingAccess::Set) {
            headlines.extend(settings::readers_of_holders(reading, &code, &literal.text, &mut answer)?);
        }
        let title = |what: &str, all: usize| format!("{what} ({all})");
        let done = |place: &&Place| match settings::access_at(place, &literal.text) {
            Some(access) => row(place).with(access.as_str()),
            None => row(place),
        };
        let shown = code.iter().map(done).collect();
        answer.list(title(&format!("`{}` in the program", literal.text), code.len()), shown);
        if settings::is_name(&literal.text) {
            let documents = examples::sections(reading, &literal.text)?;
            answer.list(
                title(&format!("sections of documents that name `{}`", literal.text), documents.len()),
                documents,
            );
        }
        answer.beside(title("mentions in tests, examples and code of the documentation", rest.len()), rows(&rest));
    }
    if let Some(headline) = variables.headline() {
        headlines.insert(0, headline);
    }
    let sought: Vec<String> =
        understood.plan.literals.iter().take(MAX_LITERALS).map(|literal| format!("`{}`", literal.text)).collect();
    if headlines.is_empty() && !sought.is_empty() && understood.plan.polarity == Polarity::Used {
        let no = if understood.asks_whether_unused() { "yes" } else { "no" };
        headlines.push(format!("{no}: {} stands nowhere in the indexed files", sought.join(" or ")));
    }
    answer.headline = headlines.join("; ");
    if understood.plan.polarity == Polarity::Used && !answer.blocks.is_empty() {
        let yes = if understood.asks_whether_unused() { "no" } else { "yes" };
        answer.headline.insert_str(0, &format!("{yes}: "));
    }
    if has_message && understood.words.len() > LONG_QUESTION {
        // The message is a part of a story; the rest of its words may lead to more.
        super::survey::near(reading, understood, &mut answer)?;
    }
    let message =
        "found by comparing texts: texts that are put together when the program runs are not found".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("text", 1, message)]);
    Ok(answer)
}

/// The definitions of the asked kind that contain a text: `2 functions contain x, one of them in tests`.
fn containers(understood: &Understood, found: &[Place], text: &str) -> String {
    let noun = understood.plan.filters.noun.unwrap_or(Noun::Definition);
    let (kinds, _) = noun.meaning();
    let mut names: Vec<(bool, String)> = Vec::new();
    for place in found {
        let is_aside = place.is_test || is_aside(&place.path);
        let within = place.within.as_ref().filter(|within| kinds.contains(&within.record.kind));
        let name = match within {
            _ if noun == Noun::Module => place.path.clone(),
            Some(within) => within.full_name(),
            None => continue,
        };
        if names.iter().all(|(_, known)| *known != name) {
            names.push((is_aside, name));
        }
    }
    let aside = names.iter().filter(|(is_aside, _)| *is_aside).count();
    let noun = if noun == Noun::Module { "file" } else { noun.worded() };
    let contain = if names.len() == 1 { "contains" } else { "contain" };
    let first = names.first().map(|(_, name)| format!(", first `{name}`")).unwrap_or_default();
    let tests = if aside > 0 { format!(", {aside} of them in tests or documents") } else { String::new() };
    let place = understood.limited_to();
    format!("{}{place} {contain} `{text}`{first}{tests}", count(names.len(), noun))
}

/// The access to a setting that the question asks for.
fn asked_access(understood: &Understood) -> Option<SettingAccess> {
    const SETTING: [&str; 7] = ["assigned", "default", "defined", "set", "sets", "writes", "written"];
    let has = |known: &[&str]| understood.words.iter().any(|word| known.contains(&word.as_str()));
    if has(&["read", "reads", "consulted", "evaluated", "respected", "used", "uses"]) {
        return Some(SettingAccess::Read);
    }
    has(&SETTING).then_some(SettingAccess::Set)
}

/// The number of words of the question that a line has beside the text itself: `emit` in `when is it emitted`.
fn spoken(line: &str, literal: &str, understood: &Understood) -> usize {
    let line = line.replace(literal, " ");
    let parts: BTreeSet<String> = line
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .flat_map(|word| name_parts(word).map(|part| stem(&part)).collect::<Vec<_>>())
        .collect();
    let asked: BTreeSet<String> =
        understood.words.iter().filter(|word| !is_stop_word(word)).map(|word| stem(word)).collect();
    asked.iter().filter(|word| word.len() > 2 && parts.contains(*word)).count()
}

fn rows(places: &[&Place]) -> Vec<ListRow> {
    places.iter().map(|place| row(place)).collect()
}

/// Lists the callers of a definition beside it.
pub fn callers(reading: AnswerInputs, entity: &Entity, answer: &mut Answer) -> Result<(), StoreError> {
    let target = crate::query::target::Target::of(vec![entity.clone()]);
    let used = crate::ask::answer::relations::users(reading, &target)?;
    let calls: Vec<ListRow> = used.rows.into_iter().filter(|row| row.note.starts_with("calls")).collect();
    let all = calls.len();
    answer.list(
        format!("callers of `{}` ({all})", super::short_name(entity)),
        calls.into_iter().take(MAX_MESSAGES).collect(),
    );
    for user in used.entities.iter().take(MAX_MESSAGES) {
        answer.want(user, "uses it", true);
    }
    Ok(())
}

/// The places where most of a message stands, the best first. Values may be filled in, and lines may break.
pub fn messages(reading: AnswerInputs, understood: &Understood, message: &str) -> Result<Vec<Place>, StoreError> {
    let words = message_words(message);
    let pairs: BTreeMap<(&str, &str), usize> =
        words.windows(2).enumerate().map(|(at, two)| ((two[0].as_str(), two[1].as_str()), at)).collect();
    if pairs.is_empty() {
        return Ok(Vec::new());
    }
    let mut scored: Vec<(usize, Place)> = Vec::new();
    for (id, file) in files(reading, understood)? {
        let Some(text) = reading.sources.text(&file.path) else { continue };
        let hits = pair_places(&text, &pairs);
        let Some((score, line)) = best_window(&hits) else { continue };
        if share(score, pairs.len()) < LEAST_SHARE && score < 3 {
            continue;
        }
        // Every place of the file that is as good as its best one.
        let entities = reading.store.entities_of(id)?;
        let mut lines = vec![line];
        for (other_score, other) in windows(&hits) {
            if other_score == score && lines.iter().all(|known| known.abs_diff(other) > 3) {
                lines.push(other);
            }
        }
        for line in lines {
            let within = innermost(&entities, line).cloned();
            let text = reading.sources.line(&file.path, line).unwrap_or_default();
            let (path, is_test) = (file.path.clone(), file.is_test);
            scored.push((
                score,
                Place { role: PlaceRole::Names, is_test, path, line, text, above: String::new(), within },
            ));
        }
    }
    let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
    // Far weaker places have other messages.
    scored.retain(|(score, _)| score * 3 >= best * 2);
    // A test may have the values filled in, where the program that says it has them not.
    scored.sort_by_key(|(score, place)| (place.is_test, is_aside(&place.path), Reverse(*score)));
    Ok(scored.into_iter().take(MAX_MESSAGES).map(|(_, place)| place).collect())
}

fn share(found: usize, all: usize) -> f64 {
    let float = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    float(found) / float(all)
}

/// Word number, line and pair of each pair of words of the message in a text.
fn pair_places(text: &str, pairs: &BTreeMap<(&str, &str), usize>) -> Vec<(usize, u32, usize)> {
    let mut hits = Vec::new();
    let mut before = String::new();
    let mut before_line = 1;
    let mut number = 0;
    let firsts: BTreeSet<&str> = pairs.keys().flat_map(|(a, b)| [*a, *b]).collect();
    // Lower case seldom changes the length of a word, and never that of an ASCII one: most words need no copy.
    let lengths: BTreeSet<usize> = firsts.iter().map(|word| word.len()).collect();
    for (index, line) in text.lines().enumerate() {
        let line_number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
            rest = &rest[start..];
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let word = &rest[..end];
            rest = &rest[end..];
            // The prefix of a string is no word of it.
            if word.len() <= 2 && rest.starts_with(['"', '\'']) && word.chars().all(|c| "rbfuRBFU".contains(c)) {
                continue;
            }
            number += 1;
            if word.is_ascii() && !lengths.contains(&word.len()) {
                before.clear();
                continue;
            }
            let lower = word.to_lowercase();
            if !firsts.contains(lower.as_str()) {
                before.clear();
                continue;
            }
            if let Some(pair) = pairs.get(&(before.as_str(), lower.as_str())) {
                hits.push((number, before_line, *pair));
            }
            before = lower;
            before_line = line_number;
        }
    }
    hits
}

/// For each hit, the number of different pairs in the window that begins there.
fn windows(hits: &[(usize, u32, usize)]) -> impl Iterator<Item = (usize, u32)> {
    hits.iter().enumerate().map(|(at, (number, line, _))| {
        let inside = hits[at..].iter().take_while(|(other, ..)| *other < number + WINDOW);
        (inside.map(|(.., pair)| *pair).collect::<BTreeSet<_>>().len(), *line)
    })
}

fn best_window(hits: &[(usize, u32, usize)]) -> Option<(usize, u32)> {
    let mut best: Option<(usize, u32)> = None;
    for (score, line) in windows(hits) {
        if best.is_none_or(|(known, _)| score > known) {
            best = Some((score, line));
        }
    }
    best
}

/// Lists the comments that say that something is left to do.
pub fn todos(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    const MARKS: [&str; 4] = ["TODO", "FIXME", "XXX", "HACK"];
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut found: Vec<Place> = Vec::new();
    let is_asked = |mark: &str| understood.words.iter().any(|word| word.contains(&mark.to_lowercase()));
    let asked: Vec<&str> = MARKS.into_iter().filter(|mark| is_asked(mark)).collect();
    let mut asked = if asked.is_empty() { MARKS.to_vec() } else { asked };
    let mut missed = "";
    loop {
        for mark in &asked {
            let marked = places(reading, understood, mark)?;
            found.extend(marked.into_iter().filter(|place| place.role == PlaceRole::Comment));
        }
        if !found.is_empty() || asked != ["TODO"] {
            break;
        }
        // `todo comments` are a kind of comments, whatever their mark.
        (missed, asked) = ("none with TODO; ", MARKS[1..].to_vec());
    }
    answer.command = format!("git grep -nwE '{}'", asked.join("|"));
    found.sort_by(|a, b| (a.is_test, &a.path, a.line).cmp(&(b.is_test, &b.path, b.line)));
    found.dedup_by(|a, b| (&a.path, a.line) == (&b.path, b.line));
    answer.headline = match found.len() {
        0 if missed.is_empty() => format!("no comment with {} was found", asked.join(" or ")),
        0 => format!("no comment with {} was found", MARKS.join(" or ")),
        all => format!("{missed}{} with {}", count(all, "comment"), asked.join(" or ")),
    };
    let rows = found.iter().map(|place| ListRow { note: String::new(), ..row(place) }).collect();
    answer.list(format!("comments ({})", found.len()), rows);
    Ok(answer)
}

/// Lists the places that raise or catch an exception, whether it is defined here or not.
pub fn handled(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let (raises, catches) = understood.handling;
    let limits = understood.limited_to();
    let mut headlines = Vec::new();
    for name in &understood.exceptions {
        let mut found = places(reading, understood, name)?;
        // In the file of its definition the name of the class is no use of it.
        found.retain(|place| !place.text.starts_with(&format!("class {name}")));
        // `why does f raise E`: the places in the function itself, where it has one.
        let own = |place: &&Place| {
            let is_it = |within: &Entity| understood.targets.iter().any(|target| target.main().id == within.id);
            place.role == PlaceRole::Raises && place.within.as_ref().is_some_and(is_it)
        };
        let is_why = matches!(understood.words.first().map(String::as_str), Some("why" | "when"));
        let is_own = is_why && found.iter().any(|place| own(&place));
        let is_asked = |place: &&Place| !is_own || own(place);
        let is_asked = |place: &&Place| {
            is_asked(place)
                && (place.role == PlaceRole::Raises && raises || place.role == PlaceRole::Catches && catches)
        };
        let (asked, rest): (Vec<&Place>, Vec<&Place>) = found.iter().partition(is_asked);
        let is_limited = !limits.is_empty() || understood.plan.filters.in_tests().is_some();
        if only::asks_for_only(understood) && is_limited {
            let mut anywhere = understood.clone();
            anywhere.plan.files.clear();
            anywhere.plan.outside.clear();
            anywhere.plan.filters.is.clear();
            let mut all = places(reading, &anywhere, name)?;
            all.retain(|place| is_asked(&place));
            let elsewhere: Vec<&Place> = all
                .iter()
                .filter(|place| asked.iter().all(|known| (&known.path, known.line) != (&place.path, place.line)))
                .collect();
            let tests = match understood.plan.filters.in_tests() {
                Some(true) => " in tests",
                Some(false) => " outside of tests",
                None => "",
            };
            let (verb, place) = (passive(raises, catches), format!("{limits}{tests}"));
            headlines.push(only::verdict(name, verb, &place, asked.len(), elsewhere.len(), 0));
            answer.count(asked.len(), "place");
            answer.list(format!("where `{name}` is {verb} elsewhere ({})", elsewhere.len()), rows(&elsewhere));
            answer.list(format!("where `{name}` is {verb}{place} ({})", asked.len()), rows(&asked));
            continue;
        }
        let here = match understood.plan.filters.in_tests() {
            Some(true) if limits.is_empty() => "in tests".to_owned(),
            Some(false) if limits.is_empty() => "outside of tests".to_owned(),
            _ => format!("here{limits}"),
        };
        // Who asks for both wants two answers: much is raised that nothing here catches.
        let verbs = [(raises, PlaceRole::Raises, "raised"), (catches, PlaceRole::Catches, "caught")];
        let said = verbs.into_iter().filter(|(is_wanted, ..)| *is_wanted).map(|(_, role, verb)| {
            let of_role: Vec<&&Place> = asked.iter().filter(|place| place.role == role).collect();
            match of_role.as_slice() {
                [] => format!("never {verb} {here}{}", expected(&found, role)),
                [one] => format!("{verb} in `{}`{limits}", owner(one)),
                [first, ..] => {
                    format!("{verb} at {}{limits}, first in `{}`", count(of_role.len(), "place"), owner(first))
                }
            }
        });
        headlines.push(format!("`{name}` is {}", said.collect::<Vec<_>>().join(", and ")));
        answer.count(asked.len(), "place");
        for place in asked.iter().take(MAX_PLACES) {
            if let Some(entity) = &place.within {
                answer.want(entity, "raises or catches it", false);
            }
        }
        answer.list(format!("where `{name}` is {} ({})", passive(raises, catches), asked.len()), rows(&asked));
        answer.beside(format!("mentions of `{name}` besides ({})", rest.len()), rows(&rest));
    }
    answer.headline = headlines.join("; ");
    let message = "read off the lines that name the exception: a base class may catch it too".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("text", 1, message)]);
    Ok(answer)
}

/// The number of tests' calls such as `pytest.raises(X)`, where an exception that no `raise` names is asked for.
fn expected(found: &[Place], role: PlaceRole) -> String {
    const EXPECTING: [&str; 3] = [".raises(", "assertRaises", "raises("];
    let expects = |place: &&Place| EXPECTING.iter().any(|call| place.text.contains(call) || place.above.contains(call));
    let expecting: Vec<&Place> = found.iter().filter(expects).collect();
    match expecting.first().filter(|_| role == PlaceRole::Raises) {
        Some(first) => {
            let places = count(expecting.len(), "place");
            format!(" by a `raise` that names it; tests expect it at {places}, first {}:{}", first.path, first.line)
        }
        None => String::new(),
    }
}

fn owner(place: &Place) -> String {
    place.within.as_ref().map_or_else(|| place.path.clone(), |entity| super::short_name(entity).to_owned())
}

fn passive(raises: bool, catches: bool) -> &'static str {
    match (raises, catches) {
        (true, true) => "raised or caught",
        (true, false) => "raised",
        _ => "caught",
    }
}

/// The first of some lines by their numbers: `lines 3, 4 and 2 more`.
fn numbered_lines(lines: impl ExactSizeIterator<Item = u32>, most: usize) -> String {
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    format!("{noun} {}", first_in_words(lines.map(|line| line.to_string()), most))
}
