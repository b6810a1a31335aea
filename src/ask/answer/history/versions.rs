//! Answers `what changed in 8.2`: by the tag of the version, and by the section of a document that has its name.

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, ListRow, Snippet, history::changed},
        reading::{forms::QuestionIntent, plan::Understood, words::ParsedQuestion},
    },
    model::EntityKind,
    query::words::count,
    store::error::StoreError,
};

/// Lines of a section that are shown.
const MAX_LINES: u32 = 40;
/// Sections of one version that are listed: `8.2` has those of `8.2.1` too.
const MAX_SECTIONS: usize = 8;

/// Answers for the changes of one version; `None` for other questions.
pub(in crate::ask::answer) fn of_version(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let version = match asked_version(&understood.question) {
        Some(version) => version,
        None if asks_for_last(&understood.question) => match last_version(reading) {
            Some(version) => version,
            None => return Ok(None),
        },
        None => return Ok(None),
    };
    if !understood.targets.is_empty() || understood.plan.files.iter().any(|file| !file.paths.is_empty()) {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Changes).plan, String::new());
    answer.plan.notes.clear();
    let mut sections = Vec::new();
    for (path, section) in reading.store.sections()? {
        let is_of = section.title.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-')).any(|word| {
            let word = word.trim_start_matches(['v', 'V']);
            word == version || word.strip_prefix(&version).is_some_and(|rest| rest.starts_with('.'))
        });
        if is_of && section.end_line > section.start_line && is_changelog(&path, &section.above, &section.title) {
            sections.push((path, section));
        }
    }
    let exact = |title: &str| title.split_whitespace().any(|word| word.trim_start_matches(['v', 'V']) == version);
    let has_zero = |title: &str| title.contains(&format!("{version}.0"));
    // A change log speaks of more than one document of another kind does.
    let is_log = |path: &str| is_changelog(path, "", "");
    sections.sort_by_key(|(path, section)| (!is_log(path), !exact(&section.title), !has_zero(&section.title)));
    let said = sections.first().map(|(path, section)| {
        let place = format!("{path}:{}-{}", section.start_line, section.end_line);
        format!("`{}` tells the changes of {version} ({place})", section.title)
    });
    if let Some((path, section)) = sections.first() {
        let end = section.end_line.min(section.start_line + MAX_LINES - 1);
        answer.blocks.push(AnswerBlock::Source(Snippet {
            name: section.title.clone(),
            kind: EntityKind::Document,
            path: path.clone(),
            start_line: section.start_line,
            end_line: end,
            text: reading.sources.lines(path, section.start_line, end),
        }));
    }
    let row = |(path, section): &(String, crate::store::search::documents::SectionSummary)| ListRow {
        name: section.title.clone(),
        kind: "section",
        path: path.clone(),
        line: section.start_line,
        end_line: section.end_line,
        ..ListRow::default()
    };
    let others: Vec<ListRow> = sections.iter().skip(1).take(MAX_SECTIONS).map(row).collect();
    answer.list(format!("further sections of {version} ({})", others.len()), others);
    let range = range(reading, &version);
    let commits = range.as_ref().map(|(tag, range)| {
        let (_, command) = changed(reading, Some(range), &[], &mut answer);
        answer.command = command;
        let counted = (reading.git)(&["rev-list", "--count", range]).and_then(|text| text.trim().parse().ok());
        format!("the tag {tag} has {} ({range})", count(counted.unwrap_or_default(), "commit"))
    });
    answer.headline = match (said, commits) {
        (Some(said), Some(commits)) => format!("{said}; {commits}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => {
            format!(
                "nothing here tells the changes of {version}: no tag and no section of a change log has this version"
            )
        }
    };
    if answer.command.is_empty() {
        "git tag --list".clone_into(&mut answer.command);
    }
    Ok(Some(answer))
}

/// Whether a section stands in a list of changes, by its document or by the titles around it.
fn is_changelog(path: &str, above: &str, title: &str) -> bool {
    const WORDS: [&str; 6] = ["change", "history", "news", "release", "whatsnew", "version"];
    let text = format!("{path} {above} {title}").to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// The tag of a version, and the range from the tag before it; the tag alone where it is the first.
fn range(reading: AnswerInputs, version: &str) -> Option<(String, String)> {
    let tags = (reading.git)(&["tag", "--list"])?;
    let found = |wanted: &str| tags.lines().map(str::trim).find(|tag| bare(tag) == wanted).map(str::to_owned);
    let tag = found(version).or_else(|| found(&format!("{version}.0")))?;
    let parent = format!("{tag}^");
    let before = (reading.git)(&["describe", "--tags", "--abbrev=0", &parent]);
    let before = before.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let range = before.map_or_else(|| tag.clone(), |before| format!("{before}..{tag}"));
    Some((tag, range))
}

/// Words of a question for changes.
const CHANGES: [&str; 12] = [
    "changed",
    "changes",
    "new",
    "added",
    "fixed",
    "removed",
    "notes",
    "changelog",
    "happened",
    "breaking",
    "deprecated",
    "introduced",
];

/// Whether the changes of the newest release are asked for: `what changed in the last release`. What came after it is
/// another question.
fn asks_for_last(question: &ParsedQuestion) -> bool {
    let words = question.lower_words();
    let is_later = |word: &String| matches!(word.as_str(), "since" | "after" | "between" | "until");
    names_last(&words) && words.iter().any(|word| CHANGES.contains(&word.as_str())) && !words.iter().any(is_later)
}

/// Whether the words name the last release, not its number.
pub(super) fn names_last(words: &[String]) -> bool {
    words.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "last" | "latest" | "newest" | "recent" | "current")
            && matches!(pair[1].as_str(), "release" | "version" | "tag")
    })
}

/// The version of the newest tag that has one.
fn last_version(reading: AnswerInputs) -> Option<String> {
    newest_tag(reading).map(|tag| bare(&tag))
}

/// The newest tag that marks a version.
pub(super) fn newest_tag(reading: AnswerInputs) -> Option<String> {
    let tags = (reading.git)(&["for-each-ref", "--sort=-creatordate", "--format=%(refname:short)", "refs/tags"])?;
    let is_version = |tag: &&str| bare(tag).starts_with(|c: char| c.is_ascii_digit()) && tag.contains('.');
    tags.lines().map(str::trim).find(is_version).map(str::to_owned)
}

/// The version of a tag: `release/v2.0` marks 2.0.
fn bare(tag: &str) -> String {
    tag.rsplit(['/', '-']).next().unwrap_or(tag).trim_start_matches(['v', 'V']).to_owned()
}

/// The version in `what changed in 8.2`, `what is new in version 3.1` and `release notes of v2.0`.
fn asked_version(question: &ParsedQuestion) -> Option<String> {
    let words = question.lower_words();
    if !words.iter().any(|word| CHANGES.contains(&word.as_str())) {
        return None;
    }
    let is_filler = |word: &str| matches!(word, "version" | "release" | "the" | "v");
    let at = words.iter().position(|word| matches!(word.as_str(), "in" | "of" | "for" | "with"))?;
    let word = words[at + 1..].iter().find(|word| !is_filler(word))?;
    let version = word.strip_prefix('v').unwrap_or(word);
    let parts: Vec<&str> = version.split('.').collect();
    let begins_with_digit = |part: &&str| part.starts_with(|c: char| c.is_ascii_digit());
    // A year is a time, not a version.
    let is_version = parts.len() > 1
        && parts[..2].iter().all(begins_with_digit)
        && version.chars().all(|c| c.is_alphanumeric() || c == '.');
    is_version.then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_off_a_question_for_its_changes() {
        for (text, version) in [
            ("what changed in 8.2", Some("8.2")),
            ("what is new in version 3.1.0?", Some("3.1.0")),
            ("release notes of v2.0", Some("2.0")),
            ("what was removed in the release 1.0rc1", Some("1.0rc1")),
            ("what changed since 2.0", None),
            ("what changed in 2024", None),
            ("what changed in app.py", None),
            ("who calls f in 8.2", None),
        ] {
            assert_eq!(asked_version(&ParsedQuestion::parse(text)).as_deref(), version, "{text}");
        }
    }
}
