//! The part of one's own change that a question asks for: that of a file or definition, of tests, or of one kind of
//! edit.
//!
//! `what did I change in cart.py`, `did I change Cart.total`, `did I remove anything`, `did I change any public API`.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::{gone::all_gone, own::OwnReview, transitive::PublicApi},
            first_in_words,
            history::asked_kinds,
            in_words, names_of,
        },
        reading::{
            forms::own_change::{OfChange, OwnQuestion, Proposition},
            names::at_path,
            plan::Understood,
            words::is_in,
        },
    },
    model::{EntityKind, conventions::is_private},
    query::{
        target::{Target, is_below, likeliest::is_aside},
        words::{count, plural},
    },
    review::{ChangedEntity, Edit, ReviewReport, ReviewedChange},
    store::error::StoreError,
};

/// Definitions that a headline names.
const MAX_NAMED: usize = 4;

/// The part of a change that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PartOfChange {
    /// The whole change.
    Nothing,
    /// The files of these paths, and the word for them.
    Files(Vec<String>, String),
    /// Files that are not indexed, as git finds them.
    OtherFiles(String),
    Definitions(Vec<Target>),
    /// A word that names nothing any more: perhaps a removed definition.
    Lost(String),
    Tests,
    WithoutTests,
    /// One kind of edit, or only what is public.
    Edits(Option<AskedEdit>),
}

impl PartOfChange {
    /// Whether a changed definition is in this part.
    pub(super) fn has(&self, one: &ChangedEntity) -> bool {
        match self {
            Self::Files(paths, _) => {
                paths.iter().any(|path| one.path == *path || path.ends_with('/') && one.path.starts_with(path.as_str()))
            }
            Self::Definitions(targets) => targets.iter().any(|target| {
                let full = target.main().full_name();
                let is_new = |edit: &Edit| matches!(edit, Edit::Renamed { to } | Edit::Moved { to } if *to == full);
                one.name == full || is_below(&one.name, &full) || one.edits.iter().any(is_new)
            }),
            Self::Lost(word) => one.name == *word || one.name.ends_with(&format!(".{word}")),
            Self::Tests => one.is_test,
            Self::WithoutTests => !one.is_test,
            Self::Edits(_) => true,
            Self::OtherFiles(_) | Self::Nothing => false,
        }
    }

    /// Its name in a sentence.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Files(_, word) | Self::OtherFiles(word) | Self::Lost(word) => word.trim_end_matches('/').to_owned(),
            Self::Definitions(targets) => names_of(targets),
            _ => String::new(),
        }
    }
}

/// A kind of edit that a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AskedEdit {
    Added,
    Removed,
    Renamed,
}

impl AskedEdit {
    /// The kind that the verbs of a question speak of; `None` where it asks for changes of any kind.
    pub(super) fn of(words: &[String]) -> Option<Self> {
        let has = |list: &str| words.iter().any(|word| is_in(list, word));
        if has("changed modify modified edit edited touch touched change") {
            return None;
        }
        let added = has("add added adds addition additions introduce introduced introduces write wrote written new");
        let removed = has("remove removed removes delete deleted deletes deletion deletions removal removals gone");
        let renamed = has("rename renamed renames move moved moves");
        match (added, removed, renamed) {
            (true, false, false) => Some(Self::Added),
            (false, true, false) => Some(Self::Removed),
            (false, false, true) => Some(Self::Renamed),
            _ => None,
        }
    }

    /// Whether an edit of a parameter is of this kind.
    fn is_of_parameter(self, edit: &Edit) -> bool {
        match self {
            Self::Added => matches!(edit, Edit::ParameterAdded { .. }),
            Self::Removed => matches!(edit, Edit::ParameterRemoved { .. }),
            Self::Renamed => matches!(edit, Edit::ParameterRenamed { .. }),
        }
    }

    pub(super) fn is(self, edit: &Edit) -> bool {
        match self {
            Self::Added => matches!(edit, Edit::Added),
            Self::Removed => matches!(edit, Edit::Removed),
            Self::Renamed => matches!(edit, Edit::Renamed { .. } | Edit::Moved { .. }),
        }
    }

    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Renamed => "renamed or moved",
        }
    }
}

/// The part that a question asks for; `None` where it names something that it cannot be about.
pub(super) fn limit(reading: AnswerInputs, understood: &Understood, own: &OwnQuestion) -> Option<PartOfChange> {
    let Some(word) = &own.within else {
        let is_public = understood.words.iter().any(|word| is_in("public api", word));
        let edit = AskedEdit::of(&understood.words);
        let is_limited = edit.is_some() || is_public || ChangedPart::of(&understood.words).is_some();
        return Some(match own.first() {
            _ if own.is_of_tests => PartOfChange::Tests,
            OfChange::Changed if own.is_without_tests => PartOfChange::WithoutTests,
            OfChange::Changed if is_limited && !asks_whether(own) => PartOfChange::Edits(edit),
            _ => PartOfChange::Nothing,
        });
    };
    let lower = word.to_lowercase();
    let mut paths: Vec<String> = understood.plan.files.iter().flat_map(|file| file.paths.iter().cloned()).collect();
    if !paths.is_empty() {
        // What is removed from a folder is below it all the same.
        let folders = understood.plan.files.iter().filter(|file| file.is_folder && file.mention.contains('/'));
        paths.extend(folders.map(|file| format!("{}/", file.mention.trim_end_matches('/'))));
        return Some(PartOfChange::Files(paths, word.clone()));
    }
    let subjects = understood.plan.subjects.iter();
    let targets: Vec<Target> = understood
        .targets
        .iter()
        .zip(subjects)
        .filter(|(_, subject)| subject.mention.to_lowercase() == lower)
        .map(|(target, _)| target.clone())
        .collect();
    let is_module = |target: &Target| target.main().record.kind == EntityKind::Module;
    if !targets.is_empty() && targets.iter().all(is_module) {
        let paths = targets.iter().map(|target| target.main().path.replace("/__init__.py", "/")).collect();
        return Some(PartOfChange::Files(paths, word.clone()));
    }
    // `is count modified` asks for the code that writes a variable.
    let is_variable = |target: &Target| target.main().record.kind == EntityKind::Variable;
    let is_of_state = understood.words.first().is_some_and(|word| is_in("is are was were", word));
    if is_of_state && targets.iter().any(is_variable) {
        return None;
    }
    if !targets.is_empty() {
        return Some(PartOfChange::Definitions(targets));
    }
    let is_called = |name: &str| name == word.as_str() || name.ends_with(&format!(".{word}"));
    let files = reading.store.files().unwrap_or_default();
    let modules = files.into_iter().filter(|(_, file)| is_called(&file.module)).map(|(_, file)| file.path);
    let modules: Vec<String> = modules.collect();
    if !modules.is_empty() {
        return Some(PartOfChange::Files(modules, word.clone()));
    }
    let path = word.trim_end_matches('/');
    let patterns = patterns_of(path);
    let mut command = vec!["ls-files", "--cached", "--others", "--exclude-standard", "--"];
    command.extend(patterns.iter().map(String::as_str));
    let known = (reading.git)(&command).unwrap_or_default();
    if !known.trim().is_empty() {
        return Some(PartOfChange::OtherFiles(path.to_owned()));
    }
    (!is_of_state).then(|| PartOfChange::Lost(word.clone()))
}

/// The patterns by which git finds a file under a word: `README` for `README.md` too.
fn patterns_of(word: &str) -> Vec<String> {
    let mut patterns = vec![format!(":(icase){word}"), format!(":(icase,glob)**/{word}")];
    if !word.contains('.') {
        patterns.extend([format!(":(icase,glob){word}.*"), format!(":(icase,glob)**/{word}.*")]);
    }
    patterns
}

/// A part of definitions whose changes a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChangedPart {
    Parameters,
    Defaults,
    Annotations,
    Docs,
    Bases,
    Decorators,
}

impl ChangedPart {
    fn of(words: &[String]) -> Option<Self> {
        let has = |list: &str| words.iter().any(|word| is_in(list, word));
        [
            (Self::Defaults, "default defaults"),
            (Self::Parameters, "parameter parameters argument arguments"),
            (Self::Annotations, "annotation annotations type types"),
            (Self::Docs, "docstring docstrings"),
            (Self::Bases, "base bases hierarchy inheritance"),
            (Self::Decorators, "decorator decorators"),
        ]
        .into_iter()
        .find(|(_, list)| has(list))
        .map(|(part, _)| part)
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Parameters => "parameter",
            Self::Defaults => "default",
            Self::Annotations => "annotation",
            Self::Docs => "docstring",
            Self::Bases => "base class",
            Self::Decorators => "decorator",
        }
    }

    /// Whether an edit is one of this part, and of the kind that is asked for.
    fn is(self, edit: &Edit, asked: Option<AskedEdit>) -> bool {
        match self {
            Self::Parameters => match asked {
                Some(asked) => asked.is_of_parameter(edit),
                None => edit.is_of_parameters(),
            },
            Self::Defaults => matches!(
                edit,
                Edit::DefaultChanged { .. } | Edit::ParameterRequired { .. } | Edit::ParameterOptional { .. }
            ),
            Self::Annotations => matches!(edit, Edit::AnnotationChanged { .. } | Edit::ReturnAnnotationChanged { .. }),
            Self::Docs => matches!(edit, Edit::DocsChanged),
            Self::Bases => matches!(edit, Edit::BasesChanged { .. }),
            Self::Decorators => matches!(edit, Edit::DecoratorsChanged { .. }),
        }
    }
}

/// Whether an edit changes the head of a definition: a default is a part of it, even if all calls stay valid.
pub(super) fn is_of_signature(edit: &Edit) -> bool {
    edit.is_signature() || matches!(edit, Edit::DefaultChanged { .. } | Edit::ParameterOptional { .. })
}

/// Whether a public module offers a definition of a private one. What is gone was as public as the class it was in.
fn is_offered(reading: AnswerInputs, api: &PublicApi, one: &ChangedEntity) -> bool {
    let mut name = one.name.as_str();
    loop {
        if let Ok(Some(entity)) = at_path(reading.store, name, &one.path)
            && entity.record.kind != EntityKind::Module
        {
            return api.has(reading.store, &entity).unwrap_or(false);
        }
        match name.rsplit_once('.') {
            Some((outer, last)) if !is_private(last) => name = outer,
            _ => return false,
        }
    }
}

/// Whether the question asks for yes or no about the existence of a change.
fn asks_whether(own: &OwnQuestion) -> bool {
    matches!(own.yes, Proposition::Exists | Proposition::Clean)
}

/// The files that git tells for a change, among those that fit.
fn files_of(reading: AnswerInputs, review: &OwnReview, patterns: &[&str]) -> BTreeSet<String> {
    let head = review.report.head_commit.clone().unwrap_or_else(|| "HEAD".to_owned());
    let base = review.report.base_commit.clone();
    let of_status = |line: &str| line.get(3..).map(|path| path.rsplit(" -> ").next().unwrap_or(path).to_owned());
    let command: Vec<&str> = match review.change {
        ReviewedChange::Worktree => vec!["status", "--porcelain", "--untracked-files=all", "--"],
        ReviewedChange::Staged => vec!["diff", "--cached", "--name-only", "--"],
        ReviewedChange::Unstaged => vec!["ls-files", "--modified", "--others", "--deleted", "--exclude-standard", "--"],
        _ => vec!["diff", "--name-only", &base, &head, "--"],
    };
    let is_status = command[0] == "status";
    let command: Vec<&str> = command.into_iter().chain(patterns.iter().copied()).collect();
    let found = (reading.git)(&command).unwrap_or_default();
    found.lines().filter_map(|line| if is_status { of_status(line) } else { Some(line.to_owned()) }).collect()
}

/// Answers for a part of a change; whether there is an answer.
pub(super) fn limited(
    reading: AnswerInputs,
    own: &OwnQuestion,
    review: &OwnReview,
    (limit, words): (&PartOfChange, &[String]),
    answer: &mut Answer,
) -> Result<bool, StoreError> {
    let report = &review.report;
    let name = &review.name;
    let asks_for_signature = words.iter().any(|word| is_in("signature signatures", word));
    let kinds = asked_kinds(words);
    let edit = AskedEdit::of(words);
    let part = ChangedPart::of(words);
    // `did I change a parameter's name`
    let is_of_names =
        edit.is_none() && part == Some(ChangedPart::Parameters) && words.iter().any(|word| is_in("name names", word));
    let edit_of_part = edit.or(is_of_names.then_some(AskedEdit::Renamed));
    let only_public = words.iter().any(|word| is_in("public api", word));
    let api = if only_public { Some(PublicApi::of(reading.store)?) } else { None };
    let is_public = |one: &ChangedEntity| {
        let is_offered = api.as_ref().is_some_and(|api| is_offered(reading, api, one));
        !one.is_test && !is_aside(&one.path) && (is_offered || !one.name.split('.').any(is_private))
    };
    let is_in_place = |one: &ChangedEntity| limit.has(one);
    // Another file gets a moved definition, and its own loses it.
    let modules: Vec<String> = match limit {
        PartOfChange::Files(paths, _) => {
            let files = reading.store.files()?.into_iter().map(|(_, file)| file);
            files.filter(|file| paths.contains(&file.path)).map(|file| file.module).collect()
        }
        _ => Vec::new(),
    };
    let is_of_move = |one: &ChangedEntity| {
        let is_moved = one.edits.iter().any(|edit| matches!(edit, Edit::Moved { .. })) && !modules.is_empty();
        let was_here = modules.iter().any(|module| is_below(&one.name, module));
        is_moved
            && match edit {
                Some(AskedEdit::Added) => is_in_place(one) && !was_here,
                Some(AskedEdit::Removed) => was_here && !is_in_place(one),
                _ => false,
            }
    };
    let is_asked = |one: &&ChangedEntity| {
        // `did I change base classes`
        let is_kind = part.is_some() || kinds.is_none_or(|(_, kinds)| kinds.contains(&one.kind));
        let is_kind_of_move = is_kind && part.is_none() && is_of_move(one);
        is_kind_of_move
            || is_in_place(one)
                && (is_kind || matches!(limit, PartOfChange::Definitions(_) | PartOfChange::Lost(_)))
                && (!asks_for_signature || one.edits.iter().any(is_of_signature))
                && match part {
                    Some(part) => one.edits.iter().any(|one| part.is(one, edit_of_part)),
                    None => edit.is_none_or(|asked| one.edits.iter().any(|edit| asked.is(edit))),
                }
                && (!only_public || is_public(one))
    };
    let of_modules = match edit {
        Some(AskedEdit::Added) => contents_of_new_modules(reading, report)?,
        // Without a kind the module stands for all that was in it.
        Some(_) if kinds.is_some() || only_public || *limit == PartOfChange::Tests => {
            contents_of_gone_modules(reading, review)
        }
        _ => Vec::new(),
    };
    let of_tests =
        *limit == PartOfChange::Tests && kinds.is_none() && part.is_none() && edit == Some(AskedEdit::Removed);
    let is_test_function = |one: &&ChangedEntity| {
        !of_tests || one.name.rsplit('.').next().is_some_and(|name| name.starts_with("test") && one.kind.is_callable())
    };
    let found: Vec<&ChangedEntity> =
        report.changed.iter().chain(&of_modules).filter(is_asked).filter(is_test_function).collect();
    if matches!(limit, PartOfChange::Lost(_)) && found.is_empty() {
        return Ok(false);
    }
    let whole = report.changed.len();
    let is_only = words.iter().any(|word| is_in("only just", word)) && words.first().is_some_and(|word| word == "did");
    if is_only && !found.is_empty() && found.len() < whole {
        let others = count(whole - found.len(), "changed definition");
        let are = if whole - found.len() == 1 { "is" } else { "are" };
        let names = first_in_words(found.iter().map(|one| format!("`{}`", one.name)), MAX_NAMED);
        answer.headline = format!("no: {others} of {name} {are} of another kind than {names}");
        answer.list(format!("changed definitions ({whole})"), report.changed.iter().map(ListRow::of_change).collect());
        return Ok(true);
    }
    let asked = match own.yes {
        Proposition::Nothing if words.first().is_some_and(|word| is_in("did have", word)) => Proposition::Changed,
        Proposition::Exists => Proposition::Changed,
        Proposition::Clean => Proposition::Committed,
        asked => asked,
    };
    let word = |is_changed| asked.word(Proposition::Changed, Some(is_changed));
    let (yes, no) = (word(true), if asked == Proposition::Nothing { "none: " } else { word(false) });
    let nothing = if own.yes == Proposition::Nothing { "nothing: " } else { no };
    let rows: Vec<ListRow> = found.iter().map(|one| ListRow::of_change(one)).collect();
    let names =
        first_in_words(found.iter().map(|one| format!("`{}`", one.name)).collect::<Vec<_>>().into_iter(), MAX_NAMED);
    let verb = edit.map_or("changed", AskedEdit::verb);
    let place = match limit {
        PartOfChange::Files(_, word) => format!(" in {}", word.trim_end_matches('/')),
        PartOfChange::WithoutTests => " outside of tests".to_owned(),
        _ => String::new(),
    };
    let noun = match (limit, kinds) {
        _ if asks_for_signature => "signature",
        (_, Some(("class", _))) => "class",
        (_, Some((noun, _))) => noun,
        (PartOfChange::Tests, None) if of_tests => "test",
        (PartOfChange::Tests, None) => "test definition",
        _ if only_public => "public definition",
        _ => "definition",
    };
    let public = if only_public && kinds.is_some() { "public " } else { "" };
    let edits = |one: &ChangedEntity| one.edits.iter().map(Edit::words).collect::<Vec<_>>().join(", ");
    answer.headline = match (limit, found.as_slice()) {
        (PartOfChange::OtherFiles(path), _) => {
            let files: Vec<String> =
                files_of(reading, review, &patterns_of(path).iter().map(String::as_str).collect::<Vec<_>>())
                    .into_iter()
                    .collect();
            let rows = files.iter().map(|path| ListRow {
                name: path.clone(),
                kind: "file",
                path: path.clone(),
                line: 1,
                ..ListRow::default()
            });
            answer.list(format!("changed files ({})", files.len()), rows.collect());
            if files.is_empty() && own.is_open {
                return Ok(false);
            }
            if files.is_empty() {
                format!("{nothing}{path} is not changed by {name}")
            } else if let [one] = files.as_slice() {
                format!("{yes}{one} is changed by {name}")
            } else {
                let number = count(files.len(), "file");
                let named = first_in_words(files.into_iter(), MAX_NAMED);
                format!("{yes}{number} changed by {name} in {path}: {named}")
            }
        }
        (PartOfChange::Definitions(targets), []) => {
            let of_signature = if asks_for_signature { "the signature of " } else { "" };
            let others: Vec<&ChangedEntity> = report.changed.iter().filter(|one| is_in_place(one)).collect();
            let but = match others.first() {
                Some(one) => format!(", but it is changed otherwise: {}", edits(one)),
                None if whole == 0 => String::new(),
                None => format!("; these change {} elsewhere", count(whole, "definition")),
            };
            let are = if targets.len() == 1 || asks_for_signature { "is" } else { "are" };
            format!("{nothing}{of_signature}{} {are} not {verb} by {name}{but}", names_of(targets))
        }
        (PartOfChange::Definitions(_) | PartOfChange::Lost(_), [one]) => {
            let of_signature = if asks_for_signature { "the signature of " } else { "" };
            format!("{yes}{of_signature}`{}` is changed by {name}: {}", one.name, edits(one))
        }
        (PartOfChange::Files(paths, word), []) => {
            let patterns: Vec<&str> = paths.iter().map(String::as_str).collect();
            let files: Vec<String> = files_of(reading, review, &patterns).into_iter().collect();
            // The history of a file answers as well.
            if files.is_empty() && own.is_open {
                return Ok(false);
            }
            if files.is_empty() || edit.is_some() || kinds.is_some() || asks_for_signature || only_public {
                let but = if whole == 0 {
                    String::new()
                } else {
                    format!("; these change {} elsewhere", count(whole, "definition"))
                };
                let but = if files.is_empty() { but } else { String::new() };
                format!("{nothing}no {public}{noun} in {word} is {verb} by {name}{but}")
            } else {
                let named = in_words(&files);
                format!("{yes}{named} is changed by {name}, but no definition in it: only text, comments or free code")
            }
        }
        (_, found) if part.is_some() => {
            let verb = edit_of_part.map_or("changed", |edit| match edit {
                AskedEdit::Renamed => "renamed",
                other => other.verb(),
            });
            let part = part.map_or("part", ChangedPart::noun);
            match found.len() {
                0 => format!("{no}no {part} is {verb}{place} by {name}"),
                all => {
                    let of = count(all, "definition");
                    format!("{yes}{} of {of} are {verb}{place} by {name} ({names})", plural(part))
                }
            }
        }
        (_, []) => {
            let is_gone = |one: &&ChangedEntity| one.kind == EntityKind::Module && one.edits.contains(&Edit::Removed);
            let gone: Vec<&ChangedEntity> = report.changed.iter().filter(is_gone).collect();
            let is_asked = matches!(limit, PartOfChange::Edits(None | Some(AskedEdit::Removed))) && !asks_for_signature;
            // A removed module stands for all that was in it.
            match gone.len() {
                number if number > 0 && is_asked => {
                    let names = first_in_words(gone.iter().map(|one| format!("`{}`", one.name)), MAX_NAMED);
                    let are = if number == 1 { "is" } else { "are" };
                    format!(
                        "{yes}{} {are} removed as a whole by {name} ({names}), with all in it",
                        count(number, "module")
                    )
                }
                _ => format!("{no}no {public}{noun} is {verb}{place} by {name}"),
            }
        }
        (_, found) => {
            let number = count(found.len(), noun);
            let number = number.replacen(noun, &format!("{public}{noun}"), 1);
            format!("{yes}{number} {verb}{place} by {name} ({names})")
        }
    };
    answer.list(format!("changed definitions ({})", rows.len()), rows);
    Ok(true)
}

/// The definitions of added modules, which a review names as a whole.
pub(super) fn contents_of_new_modules(
    reading: AnswerInputs,
    report: &ReviewReport,
) -> Result<Vec<ChangedEntity>, StoreError> {
    let is_new = |one: &&ChangedEntity| one.kind == EntityKind::Module && one.edits.contains(&Edit::Added);
    let new: Vec<&ChangedEntity> = report.changed.iter().filter(is_new).collect();
    let mut contents = Vec::new();
    if new.is_empty() {
        return Ok(contents);
    }
    for (id, file) in reading.store.files()? {
        let Some(module) = new.iter().find(|module| module.path == file.path) else { continue };
        for entity in reading.store.entities_of(id)? {
            if entity.record.kind != EntityKind::Module {
                let (name, kind, line) = (entity.full_name(), entity.record.kind, entity.record.line);
                contents.push(ChangedEntity { name, kind, line, ..(*module).clone() });
            }
        }
    }
    contents.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    Ok(contents)
}

/// The definitions of removed, renamed and moved modules, which a review names as a whole.
fn contents_of_gone_modules(reading: AnswerInputs, review: &OwnReview) -> Vec<ChangedEntity> {
    let of_module = |one: &&ChangedEntity| one.kind == EntityKind::Module;
    let modules: Vec<&ChangedEntity> = review.report.changed.iter().filter(of_module).collect();
    let gone = all_gone(reading, review).into_iter();
    let contents = gone.filter_map(|one| {
        let module = modules.iter().find(|module| Some(&module.name) == one.module.as_ref())?;
        let edit = match one.to {
            None => Edit::Removed,
            Some((to, _)) => Edit::Moved { to },
        };
        Some(ChangedEntity { name: one.name, kind: one.kind, edits: vec![edit], ..(*module).clone() })
    });
    contents.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_says_which_edits_are_asked_for() {
        let of = |text: &str| AskedEdit::of(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(of("which functions did i add"), Some(AskedEdit::Added));
        assert_eq!(of("did i remove anything"), Some(AskedEdit::Removed));
        assert_eq!(of("what do my changes rename"), Some(AskedEdit::Renamed));
        assert_eq!(of("what did i add or change"), None);
        assert_eq!(of("what did i add or remove"), None);
        assert_eq!(of("what did i change"), None);
    }
}
