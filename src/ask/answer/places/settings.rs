//! Settings and environment variables in the text: where they are read, where they are set, and their names.
//!
//! A line tells what it does with a name in quotes. A name in a variable is looked up where a loop over texts or a
//! constant gives it; another one is only known when the program runs, and is counted.

use std::collections::BTreeSet;

use crate::{
    ask::answer::{
        Answer, AnswerInputs, ListRow,
        places::{Place, PlaceRole},
        relations::{merged, users},
        short_name,
    },
    model::EntityKind,
    query::{
        impact::completeness::Completeness,
        source::texts::lines_of_texts,
        target::{Target, likeliest::is_aside},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Lines of one access, which may be broken behind a bracket.
const LINES: u32 = 3;
/// Lines above an access among which the head of its loop is looked for.
const ABOVE: u32 = 12;
/// Lines of a loop's head.
const HEAD: u32 = 6;

/// The use that a line makes of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SettingAccess {
    Read,
    Set,
}

impl SettingAccess {
    /// The verb in a row.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Set => "sets",
        }
    }

    fn done(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Set => "set",
        }
    }
}

/// Whether a text is the name of a setting, as most are written.
pub(super) fn is_name(text: &str) -> bool {
    text.contains('_') && !text.contains(char::is_lowercase)
}

/// How a line handles the setting or environment variable `name`; `None` where it only names it.
pub(super) fn access(line: &str, name: &str) -> Option<SettingAccess> {
    // A lower-case word in brackets may be anything.
    let at = line.find(name).filter(|_| !name.contains(char::is_lowercase))?;
    let (before, after) = (&line[..at], &line[at + name.len()..]);
    if before.contains('#') {
        return None;
    }
    let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''));
    let Some(quote) = quote.filter(|quote| after.starts_with(*quote)) else {
        // `from_mapping(NAME=1)` and `NAME = 1`
        let is_word = before.is_empty() || before.ends_with(['(', ' ']);
        let value = after.trim_start().strip_prefix('=').filter(|rest| !rest.starts_with('='));
        return (is_word && value.is_some()).then_some(SettingAccess::Set);
    };
    let (before, after) =
        (before[..before.len() - quote.len_utf8()].trim_end(), after[quote.len_utf8()..].trim_start());
    if let Some(rest) = after.strip_prefix(']').filter(|_| before.ends_with('[')) {
        let rest = rest.trim_start();
        let is_deleted = line.trim_start().starts_with("del ");
        let is_stored = rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with("+=");
        return Some(if is_stored || is_deleted { SettingAccess::Set } else { SettingAccess::Read });
    }
    if before.ends_with(".setdefault(") || before.ends_with("putenv(") || before.ends_with("setenv(") {
        return Some(SettingAccess::Set);
    }
    // An entry of a dictionary gives the value.
    if after.starts_with(':') && (before.is_empty() || before.ends_with(['{', ','])) {
        return Some(SettingAccess::Set);
    }
    // `ConfigAttribute("NAME")` reads it as `config.get("NAME")` does.
    let is_argument =
        before.ends_with('(') && before[..before.len() - 1].ends_with(|c: char| c.is_alphanumeric() || c == ']');
    let is_tested = after.trim_start_matches("not ").starts_with("in ");
    (is_argument && (after.starts_with([',', ')']) || after.is_empty()) || is_tested).then_some(SettingAccess::Read)
}

/// The same for a place: comments and docstrings do nothing.
pub(super) fn access_at(place: &Place, name: &str) -> Option<SettingAccess> {
    let line = format!("{}{}", place.above, place.text);
    access(&line, name).filter(|_| place.role != PlaceRole::Comment)
}

/// The value that a line gives a setting, where it stands in the line: `"NAME": None,`.
fn given<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    /// A longer one does not stand in a headline.
    const LONGEST: usize = 40;
    let after = line[line.find(name)? + name.len()..].trim_start_matches(['"', '\'', ']', ' ']);
    let value = after.strip_prefix([':', '=', ','])?.trim().trim_end_matches(',');
    let is_whole = value.matches(['(', '[', '{']).count() == value.matches([')', ']', '}']).count();
    (is_whole && !value.is_empty() && value.len() <= LONGEST && !value.contains('#')).then_some(value)
}

/// Says where the program reads and sets a name, the asked access first; `None` where it does neither.
pub(super) fn headline(found: &[Place], name: &str, asked: Option<SettingAccess>) -> Option<String> {
    let own = found.iter().filter(|place| !place.is_test && !is_aside(&place.path));
    let accesses: Vec<(&Place, SettingAccess)> =
        own.filter_map(|place| Some((place, access_at(place, name)?))).collect();
    if accesses.is_empty() {
        return None;
    }
    let worded = |wanted: SettingAccess| {
        let places: Vec<&Place> = accesses.iter().filter(|(_, is)| *is == wanted).map(|(place, _)| *place).collect();
        let Some(first) = places.first() else {
            return (asked == Some(wanted)).then(|| format!("{} at no place that was found", wanted.done()));
        };
        let within = first.within.as_ref().map_or_else(|| first.path.clone(), Entity::full_name);
        let verb = wanted.done();
        let value = given(&first.text, name).filter(|_| wanted == SettingAccess::Set);
        let value = value.map_or_else(String::new, |value| format!(" to `{value}`"));
        let all = count(places.len(), "place");
        Some(format!("{verb} at {all}, first in `{within}` ({}:{}){value}", first.path, first.line))
    };
    let order = if asked == Some(SettingAccess::Set) {
        [SettingAccess::Set, SettingAccess::Read]
    } else {
        [SettingAccess::Read, SettingAccess::Set]
    };
    let parts: Vec<String> = order.into_iter().filter_map(worded).collect();
    Some(format!("`{name}` is {}; it stands at {} of Python files", parts.join(", and "), count(found.len(), "place")))
}

/// Follows the variables and attributes that hold a setting to their readers: `lifetime = ConfigAttribute("NAME")`.
pub(super) fn readers_of_holders(
    reading: AnswerInputs,
    places: &[&Place],
    name: &str,
    answer: &mut Answer,
) -> Result<Vec<String>, StoreError> {
    let mut headlines = Vec::new();
    for place in places.iter().filter(|place| access_at(place, name) == Some(SettingAccess::Read)) {
        let Some(holder) = place.within.as_ref().filter(|within| within.record.kind == EntityKind::Variable) else {
            continue;
        };
        let used = users(reading, &Target::of(vec![holder.clone()]))?;
        let is_read = |row: &ListRow| matches!(row.kind, "reads" | "references" | "calls");
        let mut rows: Vec<ListRow> = merged(used.rows.into_iter().filter(is_read).collect());
        rows.sort_by_key(|row| is_aside(&row.path));
        let holder = short_name(holder);
        headlines.push(match rows.first() {
            Some(first) => format!(
                "`{holder}` holds it and is read at {}, first in `{}` ({}:{})",
                count(rows.len(), "place"),
                first.name,
                first.path,
                first.line
            ),
            None => format!("`{holder}` holds it, and no place was found that reads that one"),
        });
        answer.list(format!("who reads `{holder}` ({})", rows.len()), rows);
        answer.bound(used.limited.unwrap_or(Completeness::Exact), used.boundaries);
    }
    Ok(headlines)
}

/// The environment variables that a program reads.
#[derive(Debug, Default)]
pub(super) struct VariablesRead {
    pub(super) names: BTreeSet<String>,
    /// Places that read one whose name is only known when the program runs.
    pub(super) unknown: Vec<String>,
}

impl VariablesRead {
    /// Adds those of the places where the program names `reader`: `os.environ` or `getenv`.
    pub(super) fn add(&mut self, reading: AnswerInputs, places: &[&Place], reader: &str) -> Result<(), StoreError> {
        for place in places.iter().filter(|place| !is_in_text(reading, place)) {
            let text = reading.sources.lines(&place.path, place.line, place.line + LINES - 1).unwrap_or_default();
            let Some(argument) = argument(&text, reader) else { continue };
            let found = match quoted(argument.trim_start()).first() {
                Some(name) if argument.trim_start().starts_with(['"', '\'']) => vec![name.clone()],
                _ => named(reading, place, argument)?,
            };
            if found.is_empty() {
                self.unknown.push(format!("{}:{}", place.path, place.line));
            }
            self.names.extend(found);
        }
        Ok(())
    }

    /// The variables in a sentence; `None` where none is read.
    pub(super) fn headline(&self) -> Option<String> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let others = match self.unknown.as_slice() {
            [] => String::new(),
            [first, ..] => format!(
                "{} one whose name is only known when the program runs, first {first}",
                if self.unknown.len() == 1 {
                    "1 place reads".to_owned()
                } else {
                    format!("{} places read", self.unknown.len())
                }
            ),
        };
        let read = format!("the program reads {}: {}", count(names.len(), "environment variable"), names.join(", "));
        match (names.is_empty(), others.is_empty()) {
            (true, true) => None,
            (true, false) => Some(others),
            (false, true) => Some(read),
            (false, false) => Some(format!("{read}; {others}")),
        }
    }
}

/// Whether a place stands in a text of several lines, as documentation does.
fn is_in_text(reading: AnswerInputs, place: &Place) -> bool {
    reading.sources.text(&place.path).is_some_and(|text| lines_of_texts(&text).contains_key(&place.line))
}

/// The text behind the bracket of an access to the environment: `"HOME")` of `os.environ.get("HOME")`.
fn argument<'t>(text: &'t str, reader: &str) -> Option<&'t str> {
    let rest = &text[text.find(reader)? + reader.len()..];
    let head = rest.find(['[', '(']).filter(|at| matches!(&rest[..*at], "" | ".get" | ".pop" | ".setdefault"))?;
    // `os.environ["X"] = …` sets it.
    let argument = &rest[head + 1..];
    let is_set = argument.split_once(']').is_some_and(|(_, behind)| {
        let behind = behind.trim_start();
        rest[head..].starts_with('[') && behind.starts_with('=') && !behind.starts_with("==")
    });
    (!is_set).then_some(argument)
}

/// The texts that the variable of an argument holds: those of the loop around it, or the one of a constant.
fn named(reading: AnswerInputs, place: &Place, argument: &str) -> Result<Vec<String>, StoreError> {
    let argument = argument.trim_start();
    let end = argument.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(argument.len());
    let name = &argument[..end];
    let last = name.rsplit('.').next().unwrap_or(name);
    if last.is_empty() {
        return Ok(Vec::new());
    }
    for above in (place.line.saturating_sub(ABOVE)..place.line).rev() {
        let head = reading.sources.lines(&place.path, above, above + HEAD).unwrap_or_default();
        let Some((_, behind)) = head.trim_start().split_once(&format!("for {last} in ")) else { continue };
        if head.lines().next().is_some_and(|line| line.contains("for ")) {
            let items = behind.split_once(":\n").map_or(behind, |(items, _)| items);
            return Ok(quoted(items));
        }
    }
    if last.chars().any(char::is_lowercase) {
        return Ok(Vec::new());
    }
    let mut constants = reading.store.entities_named(last, false)?;
    constants.retain(|entity| entity.record.kind == EntityKind::Variable && !is_aside(&entity.path));
    // The one of the own file comes before an imported one.
    constants.sort_by_key(|entity| (entity.path != place.path, entity.path.clone(), entity.record.line));
    let Some(constant) = constants.first() else { return Ok(Vec::new()) };
    let line = reading.sources.line(&constant.path, constant.record.line).unwrap_or_default();
    let value = line.split_once('=').map_or("", |(_, value)| value.trim_start());
    Ok(quoted(value).into_iter().take(usize::from(value.starts_with(['"', '\'']))).collect())
}

/// The texts in quotes.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = rest[at..].chars().next().unwrap_or('"');
        let Some((inner, behind)) = rest[at + 1..].split_once(quote) else { break };
        if !inner.is_empty() {
            found.push(inner.to_owned());
        }
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_does_with_a_setting_is_read_off_it() {
        let check = |line: &str| access(line, "MAX_SIZE").map(SettingAccess::as_str);
        for line in [
            "size = config[\"MAX_SIZE\"]",
            "config.get('MAX_SIZE', 3)",
            "limit = ConfigAttribute[int](\"MAX_SIZE\")",
            "if \"MAX_SIZE\" in config:",
            "if config[\"MAX_SIZE\"] == 3:",
            "os.environ.get(\"MAX_SIZE\")",
        ] {
            assert_eq!(check(line), Some("reads"), "{line}");
        }
        for line in [
            "config[\"MAX_SIZE\"] = 3",
            "\"MAX_SIZE\": None,",
            "defaults = {\"MAX_SIZE\": 3}",
            "config.setdefault(\"MAX_SIZE\", 3)",
            "app.config.from_mapping(MAX_SIZE=3)",
            "MAX_SIZE = 3",
        ] {
            assert_eq!(check(line), Some("sets"), "{line}");
        }
        for line in ["# config[\"MAX_SIZE\"]", "the MAX_SIZE of it", "see :data:`MAX_SIZE`"] {
            assert_eq!(check(line), None, "{line}");
        }
    }
}
