//! Judges names against one's own change, and says whom it reaches: `does my change affect f`, `are all callers of f
//! updated`, `which modules are affected by my changes`, `who uses the function I deleted`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::{
                joined,
                limited::{AskedEdit, PartOfChange},
                own::{OwnReview, broken, nothing_differs, place},
                transitive::PublicApi,
            },
            first_in_words,
            history::asked_kinds,
            names_of,
            relations::reference_row,
        },
        reading::{
            forms::own_change::{Against, Judgement, OfChange, OwnQuestion, Proposition},
            names::{NameMatch, at_path},
            plan::Understood,
            words::is_in,
        },
    },
    model::{EntityKind, Evidence, RelationshipKind},
    query::{
        impact::{ImpactOptions, ImpactReport, Impacted, completeness::Completeness, impact, verdict::Verdict},
        navigate::refs::refs,
        target::{Target, is_below, likeliest::is_aside},
        words::{count, plural},
    },
    review::{ChangedEntity, Edit, Finding, ReviewReport},
    store::{error::StoreError, read::Entity},
};

/// Definitions that a headline names.
const MAX_NAMED: usize = 4;

/// A name that the question judges, and what it means here.
pub(super) struct Meant {
    word: String,
    targets: Vec<Target>,
    paths: Vec<String>,
}

impl Meant {
    /// Whether a definition is meant, or lies in what is meant.
    fn has(&self, name: &str, path: &str) -> bool {
        let is_in_path = |one: &String| path == one || one.ends_with('/') && path.starts_with(one.as_str());
        let is_in_target = |target: &Target| {
            let full = target.main().full_name();
            name == full || is_below(name, &full)
        };
        self.paths.iter().any(is_in_path) || self.targets.iter().any(is_in_target)
    }

    fn words(&self) -> String {
        if self.targets.is_empty() { self.word.clone() } else { names_of(&self.targets) }
    }
}

/// The meanings of the names; `None` where one of them means nothing here that could be affected.
pub(super) fn meant(reading: AnswerInputs, understood: &Understood, against: &Against) -> Option<Vec<Meant>> {
    let mut names = Vec::new();
    for word in &against.names {
        let lower = word.to_lowercase();
        let plan = &understood.plan;
        let files = plan.files.iter().filter(|file| file.mention.to_lowercase() == lower);
        let paths: Vec<String> = files.flat_map(|file| file.paths.iter().cloned()).collect();
        let is_meant = |mention: &str| mention.trim_matches('`').to_lowercase() == lower;
        let pairs = understood.targets.iter().zip(&plan.subjects).filter(|(_, subject)| is_meant(&subject.mention));
        let exact = pairs.clone().any(|(_, subject)| subject.matched == NameMatch::Exact);
        let mut targets: Vec<Target> = pairs.map(|(target, _)| target.clone()).collect();
        if targets.is_empty() && paths.is_empty() {
            // A common word may be a name all the same.
            let alike = reading.store.entities_named(word, false).unwrap_or_default();
            targets = alike.into_iter().map(|entity| Target::of(vec![entity])).collect();
        }
        let mut paths = paths;
        if targets.is_empty() && paths.is_empty() {
            paths = folders_called(reading, word);
        }
        let exact = exact || targets.iter().any(|target| target.main().record.name == *word);
        let is_gone = matches!(against.by, Judgement::Callers | Judgement::Lost);
        match against.by {
            // Something else is called so still.
            Judgement::Lost if exact => return None,
            // A word of prose is something else.
            _ if targets.is_empty() && paths.is_empty() && !is_gone && !word.contains(['_', '.']) => return None,
            _ => {}
        }
        // A class is imported with its module.
        if understood.words.iter().any(|word| is_in("import imports load loads", word)) && !is_gone {
            paths.extend(targets.iter().map(|target| target.main().path.clone()));
        }
        let targets = if is_gone && !exact { Vec::new() } else { targets };
        names.push(Meant { word: word.clone(), targets, paths });
    }
    let is_known = reading.store.modules().is_ok_and(|modules| !modules.is_empty());
    (is_known && !names.is_empty()).then_some(names)
}

/// The folders of this name: `does my change affect the examples`.
fn folders_called(reading: AnswerInputs, word: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    let part = format!("/{word}/");
    for (_, file) in reading.store.files().unwrap_or_default() {
        let path = format!("/{}", file.path);
        if let Some(at) = path.find(&part) {
            found.insert(path[1..at + part.len()].to_owned());
        }
    }
    found.into_iter().collect()
}

/// The full name that a changed definition has now; `None` for a removed one.
pub(super) fn name_now(one: &ChangedEntity) -> Option<&str> {
    if one.edits.contains(&Edit::Removed) {
        return None;
    }
    let other = one.edits.iter().find_map(|edit| match edit {
        Edit::Renamed { to } | Edit::Moved { to } => Some(to.as_str()),
        _ => None,
    });
    Some(other.unwrap_or(&one.name))
}

/// The definition of this name in a file; a module is the first one of its file.
pub(super) fn defined_at(
    reading: AnswerInputs,
    name: &str,
    kind: EntityKind,
    path: &str,
) -> Result<Option<Entity>, StoreError> {
    if kind != EntityKind::Module {
        return at_path(reading.store, name, path);
    }
    let Some(file) = reading.store.file_id(path)? else { return Ok(None) };
    let Some(module) = reading.store.entity_ids(file)?.first().copied() else { return Ok(None) };
    reading.store.entity(module)
}

/// The changed definitions as they are now, and those that break because of them.
fn origins(reading: AnswerInputs, report: &ReviewReport) -> Result<Vec<Target>, StoreError> {
    let mut origins: Vec<Target> = Vec::new();
    let mut add = |name: &str, kind: EntityKind, path: &str| -> Result<(), StoreError> {
        let found = defined_at(reading, name, kind, path)?.map(|entity| Target::of(vec![entity]));
        if let Some(target) = found.filter(|target| !origins.contains(target)) {
            origins.push(target);
        }
        Ok(())
    };
    let is_of_code = |one: &&ChangedEntity| !one.edits.iter().all(|edit| matches!(edit, Edit::DocsChanged));
    for one in report.changed.iter().filter(is_of_code) {
        if let Some(name) = name_now(one) {
            add(name, one.kind, &one.path)?;
        }
    }
    for finding in report.of(Verdict::Breaks).chain(report.of(Verdict::MayBreak)) {
        // A module with an import that fails cannot be imported itself.
        if finding.kind != EntityKind::Module || finding.verdict == Verdict::Breaks {
            add(&finding.name, finding.kind, &finding.path)?;
        }
    }
    Ok(origins)
}

/// Everything that the change reaches.
pub(super) fn reached(reading: AnswerInputs, report: &ReviewReport) -> Result<Option<ImpactReport>, StoreError> {
    let origins = origins(reading, report)?;
    if origins.is_empty() {
        return Ok(None);
    }
    let options = ImpactOptions { limits: reading.limits.clone(), ..ImpactOptions::default() };
    impact(reading.store, reading.sources, &origins, &options).map(Some)
}

/// Answers for the names that the question judges against the change; `false` where the question is another one.
pub(super) fn against(
    reading: AnswerInputs,
    own: &OwnQuestion,
    against: &Against,
    (names, words): (&[Meant], &[String]),
    review: &OwnReview,
    answer: &mut Answer,
) -> Result<bool, StoreError> {
    let report = &review.report;
    if matches!(against.by, Judgement::Callers | Judgement::Lost) {
        return Ok(callers(reading, against.by, (names, words), (own, review), answer));
    }
    let is_asked = own.yes != Proposition::Nothing;
    let word = |is_affected: bool| match (is_asked, is_affected == (own.yes != Proposition::Safe)) {
        (false, _) => "",
        (true, true) => "yes: ",
        (true, false) => "no: ",
    };
    if report.files == 0 {
        answer.headline = format!("{}{}", word(false), nothing_differs(reading, own, review));
        return Ok(true);
    }
    let reached = reached(reading, report)?;
    let mut headlines = Vec::new();
    for name in names {
        let (is_affected, sentence) = judgement(against.by, name, review, reached.as_ref(), answer);
        headlines.push(match is_affected {
            Some(is_affected) => format!("{}{sentence}", word(is_affected)),
            None if is_asked => format!("perhaps: {sentence}"),
            None => sentence,
        });
    }
    answer.headline = joined(&headlines);
    if report.completeness != Completeness::Exact && answer.headline.starts_with("no: ") {
        answer.headline += ", as far as is known";
    }
    Ok(true)
}

/// Whether the change affects a name, if that is known, and the sentence about it.
fn judgement(
    by: Judgement,
    name: &Meant,
    review: &OwnReview,
    reached: Option<&ImpactReport>,
    answer: &mut Answer,
) -> (Option<bool>, String) {
    let (report, change, words) = (&review.report, &review.name, name.words());
    let is_meant = |full: &str, path: &str| {
        // The name of a removed definition means nothing any more.
        let is_lost = name.targets.is_empty() && name.paths.is_empty();
        name.has(full, path) || is_lost && (full == name.word || full.ends_with(&format!(".{}", name.word)))
    };
    let is_changed = |one: &&ChangedEntity| {
        is_meant(&one.name, &one.path) || name_now(one).is_some_and(|now| is_meant(now, &one.path))
    };
    let changed: Vec<&ChangedEntity> = report.changed.iter().filter(is_changed).collect();
    if changed.is_empty() && name.targets.is_empty() && name.paths.is_empty() {
        return (Some(false), format!("nothing here is called `{words}`, and {change} had no definition of this name"));
    }
    let found = |verdict: Verdict| -> Vec<&Finding> {
        report.of(verdict).filter(|finding| name.has(&finding.name, &finding.path)).collect()
    };
    let (breaks, may_break) = (found(Verdict::Breaks), found(Verdict::MayBreak));
    let rows = breaks.iter().chain(&may_break).map(|finding| place(finding)).collect::<Vec<_>>();
    answer.list(format!("places in it that break or may break ({})", rows.len()), rows);
    let first = |findings: &[&Finding]| {
        findings.first().map_or(String::new(), |one| format!("{} ({}:{})", one.reason, one.path, one.line))
    };
    let edits = |one: &ChangedEntity| one.edits.iter().map(Edit::words).collect::<Vec<_>>().join(", ");
    let itself = changed.first().map(|one| {
        if name.targets.iter().any(|target| target.main().full_name() == one.name) {
            format!("{words} is changed itself by {change}: {}", edits(one))
        } else {
            format!("`{}` in {words} is changed by {change}: {}", one.name, edits(one))
        }
    });
    match (by, itself) {
        (Judgement::Touched | Judgement::Affected, Some(sentence)) => return (Some(true), sentence),
        (Judgement::Broken, Some(sentence)) if breaks.is_empty() && may_break.is_empty() => {
            return (Some(false), format!("no place in {words} is known to break, but {sentence}"));
        }
        _ => {}
    }
    if let [_, ..] = breaks.as_slice() {
        let places = count(breaks.len(), "place");
        let verb = if breaks.len() == 1 { "breaks" } else { "break" };
        let sentence = format!("{places} in {words} {verb} because of {change}: {}", first(&breaks));
        return (Some(by != Judgement::Touched), sentence);
    }
    if let [_, ..] = may_break.as_slice() {
        let sentence = format!(
            "{} in {words} may break because of {change}: {}",
            count(may_break.len(), "place"),
            first(&may_break)
        );
        return (None, sentence);
    }
    let is_around = |finding: &&Finding| {
        finding.kind == EntityKind::Module && name.targets.iter().any(|target| target.main().path == finding.path)
    };
    if let Some(finding) = report.of(Verdict::Breaks).find(is_around) {
        let place = format!("{} ({}:{})", finding.reason, finding.path, finding.line);
        let sentence = format!("the module of {words} breaks because of {change}: {place}");
        return (Some(by != Judgement::Touched), sentence);
    }
    let rows = reached.map(|reached| reached.impacted.as_slice()).unwrap_or_default();
    let mut rows: Vec<&Impacted> = rows.iter().filter(|row| name.has(&row.name, &row.path)).collect();
    rows.sort_by_key(|row| (row.evidence == Evidence::Possible, row.distance, row.is_test));
    if let Some(row) = rows.first() {
        let chain = chain(row);
        let reaches = if name.targets.iter().any(|target| target.main().full_name() == row.name) {
            format!("{words} reaches {chain}")
        } else {
            format!("`{}` in {words} reaches {chain}", row.name)
        };
        let listed: Vec<ListRow> = rows.iter().map(|row| reached_row(row)).collect();
        answer.list(format!("parts of it that the change reaches ({})", listed.len()), listed);
        let last = row.via.last().map_or("", |via| &*via.name);
        let is_in = |finding: &&Finding| {
            finding.kind == EntityKind::Module && (last == finding.name || is_below(last, &finding.name))
        };
        if let Some(finding) = report.of(Verdict::Breaks).find(is_in) {
            let why = format!("{} ({}:{})", finding.reason, finding.path, finding.line);
            let sentence = format!("{reaches}, whose module breaks because of {change}: {why}");
            return (Some(by != Judgement::Touched), sentence);
        }
        let reaches = format!("{reaches}, because of {change}");
        let is_sure = row.evidence != Evidence::Possible;
        return match by {
            Judgement::Broken => (
                Some(false),
                format!("no place in {words} is known to break, but it may behave differently: {reaches}"),
            ),
            Judgement::Touched => (Some(false), format!("{words} is not changed itself, but {reaches}")),
            _ => (is_sure.then_some(true), reaches),
        };
    }
    let elsewhere = match report.counts.breaks {
        0 => "",
        1 => "; 1 place breaks elsewhere",
        _ => "; places break elsewhere",
    };
    let unreached = match report.changed.as_slice() {
        [] => format!("no definition is changed by {change}"),
        [one] => format!("nothing leads from {words} to `{}`, the only definition changed by {change}", one.name),
        all => format!("nothing leads from {words} to any of the {} definitions changed by {change}", all.len()),
    };
    (Some(false), unreached + elsewhere)
}

/// The end of a chain and the way to it: `` `f`, over `g` (a.py:3)``.
fn chain(row: &Impacted) -> String {
    let Some((last, over)) = row.via.split_last() else { return "the change".to_owned() };
    let over = first_in_words(over.iter().map(|via| format!("`{}`", via.name)), MAX_NAMED);
    let over = if over.is_empty() { over } else { format!(" over {over}") };
    let (path, line) = row.place();
    format!("`{}`{over} ({path}:{line})", last.name)
}

fn reached_row(row: &Impacted) -> ListRow {
    ListRow {
        name: row.name.clone(),
        kind: row.kind.as_str(),
        path: row.path.clone(),
        line: row.line,
        ..ListRow::default()
    }
    .with(format!("reaches {}", chain(row)))
}

/// Answers whether what uses a changed definition fits it, or who uses one that is gone.
fn callers(
    reading: AnswerInputs,
    by: Judgement,
    (names, words): (&[Meant], &[String]),
    (own, review): (&OwnQuestion, &OwnReview),
    answer: &mut Answer,
) -> bool {
    let report = &review.report;
    let is_lost = by == Judgement::Lost;
    let mut headlines = Vec::new();
    for name in names {
        let ends = |full: &str| full == name.word || full.ends_with(&format!(".{}", name.word));
        let changed: Vec<&ChangedEntity> = report
            .changed
            .iter()
            .filter(|one| ends(&one.name) || name.has(&one.name, &one.path) || name_now(one).is_some_and(ends))
            .filter(|one| !is_lost || name_now(one) != Some(&one.name))
            .collect();
        let Some(first) = changed.first() else {
            if is_lost || name.targets.is_empty() {
                return false;
            }
            let nothing = if report.files == 0 {
                nothing_differs(reading, own, review)
            } else {
                format!("{} is not changed by {}, so none of its users needs an update", name.words(), review.name)
            };
            headlines.push((false, nothing));
            continue;
        };
        let is_of = |finding: &&Finding| changed.iter().any(|one| one.name == finding.entity);
        let findings: Vec<&Finding> =
            report.of(Verdict::Breaks).chain(report.of(Verdict::MayBreak)).filter(is_of).collect();
        let edits = first.edits.iter().map(Edit::words).collect::<Vec<_>>().join(", ");
        let definition = format!("`{}`, which is changed by {} ({edits})", first.name, review.name);
        let (fit, use_it) = match (is_lost, findings.len()) {
            (true, 1) => ("", "still uses"),
            (true, _) => ("", "still use"),
            (false, 1) => ("", "does not fit"),
            (false, _) => ("", "do not fit"),
        };
        headlines.push((
            !findings.is_empty(),
            match findings.len() {
                0 if is_lost => format!("nothing is known to use {definition} any more"),
                0 => format!("no place is known that does not fit {definition}"),
                all => format!("{}{fit} {use_it} {definition}", count(all, "place")),
            },
        ));
        let rows: Vec<ListRow> = findings.into_iter().map(place).collect();
        answer.list(format!("places that break or may break ({})", rows.len()), rows);
    }
    let is_open = words.first().is_none_or(|word| is_in("who what which where how list show", word));
    // `did I miss a caller` asks for the places that `are all updated` denies.
    let asks_for_places =
        is_lost || words.iter().any(|word| is_in("miss missed forget forgot forgotten left broken", word));
    let is_some = headlines.iter().any(|(is_some, _)| *is_some);
    let yes = match (is_open, is_some == asks_for_places) {
        (true, _) => "",
        (false, true) => "yes: ",
        (false, false) => "no: ",
    };
    let sentences: Vec<String> = headlines.into_iter().map(|(_, sentence)| sentence).collect();
    answer.headline = format!("{yes}{}", sentences.join("; "));
    true
}

/// The noun of the definitions that a question asks for.
fn noun(words: &[String]) -> &'static str {
    let noun = words.iter().find_map(|word| match word.as_str() {
        "module" | "modules" | "package" | "packages" => Some("module"),
        "file" | "files" => Some("file"),
        "class" | "classes" => Some("class"),
        "method" | "methods" => Some("method"),
        "function" | "functions" => Some("function"),
        _ => None,
    });
    noun.unwrap_or("definition")
}

/// Answers which definitions of a kind the change reaches, over any number of steps.
pub(super) fn affected(
    reading: AnswerInputs,
    own: &OwnQuestion,
    review: &OwnReview,
    words: &[String],
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let noun = noun(words);
    // `which functions are affected by my deletions`
    let edit = AskedEdit::of(words).filter(|edit| *edit != AskedEdit::Added);
    let limited = edit.map(|edit| of_edit(&review.report, edit));
    let report = limited.as_ref().unwrap_or(&review.report);
    let is_public = words.iter().any(|word| is_in("public api", word));
    let api = if is_public { Some(PublicApi::of(reading.store)?) } else { None };
    let reached = reached(reading, report)?;
    let mut found = BTreeMap::<String, ListRow>::new();
    for row in reached.iter().flat_map(|reached| &reached.impacted) {
        if row.is_test || is_aside(&row.path) || row.evidence == Evidence::Possible {
            continue;
        }
        if let Some(api) = &api {
            match at_path(reading.store, &row.name, &row.path)? {
                Some(entity) if api.has(reading.store, &entity)? => {}
                _ => continue,
            }
        }
        let name = match noun {
            "module" => row.module.clone(),
            "file" => row.path.clone(),
            "class" if row.kind == EntityKind::Class => row.name.clone(),
            "class" => match row.name.rsplit_once('.') {
                Some((class, _)) if matches!(row.kind, EntityKind::Method | EntityKind::Property) => class.to_owned(),
                _ => continue,
            },
            "method" if !matches!(row.kind, EntityKind::Method | EntityKind::Property) => continue,
            "function" if !row.kind.is_callable() => continue,
            _ => row.name.clone(),
        };
        found.entry(name.clone()).or_insert_with(|| ListRow { name, kind: noun, ..reached_row(row) });
    }
    for finding in report.of(Verdict::Breaks).filter(|finding| !finding.is_test && !is_aside(&finding.path)) {
        let name = match noun {
            "file" => finding.path.clone(),
            "module" => match defined_at(reading, &finding.name, EntityKind::Module, &finding.path)? {
                Some(entity) => entity.module.clone(),
                None => continue,
            },
            _ => continue,
        };
        found.entry(name.clone()).or_insert_with(|| ListRow { name, kind: noun, ..place(finding) });
    }
    let public = if is_public { "public " } else { "" };
    let word = |is_any| own.yes.word(Proposition::Affected, Some(is_any));
    let (yes, no) = (word(true), if own.yes == Proposition::Nothing { "none: " } else { word(false) });
    let extent = count(report.changed.len(), "changed definition");
    let ends = broken(report, Proposition::Nothing);
    answer.headline = if found.is_empty() {
        format!("{no}no {public}{noun} outside of tests is known to be affected by {}: {extent}; {ends}", review.name)
    } else {
        let named = first_in_words(found.keys().map(|name| format!("`{name}`")), MAX_NAMED);
        let nouns = count(found.len(), noun).replacen(noun, &format!("{public}{noun}"), 1);
        let are = if found.len() == 1 { "is" } else { "are" };
        let by = &review.name;
        format!("{yes}{nouns} outside of tests {are} affected by {by} ({named}): {extent}; {ends}")
    };
    let rows: Vec<ListRow> = found.into_values().collect();
    answer.list(format!("affected {} ({})", plural(noun), rows.len()), rows);
    Ok(())
}

/// The part of a report about one kind of edit: what it reaches and breaks.
fn of_edit(report: &ReviewReport, asked: AskedEdit) -> ReviewReport {
    let mut report = report.clone();
    report.changed.retain(|one| one.edits.iter().any(|edit| asked.is(edit)));
    let changed = &report.changed;
    report.findings.retain(|finding| changed.iter().any(|one| one.name == finding.entity));
    let number = |verdict| report.findings.iter().filter(|finding| finding.verdict == verdict).count();
    (report.counts.breaks, report.counts.may_break) = (number(Verdict::Breaks), number(Verdict::MayBreak));
    report
}

/// Answers what breaks because of the changes of one file or definition.
pub(super) fn damage(own: &OwnQuestion, review: &OwnReview, part: &PartOfChange, answer: &mut Answer) {
    let report = &review.report;
    let changed: Vec<&ChangedEntity> = report.changed.iter().filter(|one| part.has(one)).collect();
    let is_of = |finding: &&Finding| changed.iter().any(|one| one.name == finding.entity);
    let found = |verdict| report.of(verdict).filter(is_of).collect::<Vec<_>>();
    let (breaks, may_break) = (found(Verdict::Breaks), found(Verdict::MayBreak));
    let word = |is_harm: bool| own.yes.word(Proposition::Broken, Some(is_harm));
    let (name, words) = (&review.name, part.words());
    let number = |all: usize, verb: &str, verbs: &str| match all {
        1 => format!("1 place {verb}"),
        all => format!("{} {verbs}", count(all, "place")),
    };
    let may = number(may_break.len(), "may break", "may break");
    answer.headline = match (changed.len(), breaks.len(), may_break.len()) {
        (0, ..) => {
            format!("{}{words} has no definition that is changed by {name}, so nothing breaks by it", word(false))
        }
        (_, 0, 0) => format!("{}nothing is known to break because of the changes of {words} by {name}", word(false)),
        (_, 0, _) => format!("{may} because of the changes of {words} by {name}"),
        (_, all, _) => {
            let breaks = number(all, "breaks", "break");
            let and = if may_break.is_empty() { String::new() } else { format!(", and {may}") };
            format!("{}{breaks}{and} because of the changes of {words} by {name}", word(true))
        }
    };
    let rows = breaks.iter().chain(&may_break).map(|finding| place(finding)).collect::<Vec<_>>();
    answer.list(format!("places that break or may break ({})", rows.len()), rows);
    let rows: Vec<ListRow> = changed.into_iter().map(ListRow::of_change).collect();
    answer.list(format!("changed definitions ({})", rows.len()), rows);
}

/// Answers who uses the changed definitions, or what breaks because of those that are gone.
pub(super) fn users(
    reading: AnswerInputs,
    own: &OwnQuestion,
    review: &OwnReview,
    words: &[String],
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let report = &review.report;
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let edit = AskedEdit::of(words);
    // `which modules use the functions I changed`: the noun before the verb is that of the users.
    let subject = words.iter().skip(1).take(2).find_map(|word| match word.as_str() {
        _ if !is_in("which what how", &words[0]) => None,
        "module" | "modules" => Some("module"),
        "file" | "files" => Some("file"),
        "test" | "tests" => Some("test"),
        "function" | "functions" | "method" | "methods" | "class" | "classes" => Some("definition"),
        _ => None,
    });
    let asks_whether = words.first().is_some_and(|word| is_in("do does is are", word));
    let of_tests = asks_whether && words.iter().take(4).any(|word| is_in("test tests", word))
        || words.ends_with(&["in".to_owned(), "tests".to_owned()]);
    let subject = if of_tests && !own.is_without_tests { Some("test") } else { subject };
    let rest = if subject.is_some() { words.get(3.min(words.len())..).unwrap_or_default() } else { words };
    let of_modules = rest.iter().any(|word| is_in("module modules file files", word));
    let kinds = asked_kinds(rest).filter(|(noun, _)| *noun != "definition").map(|(_, kinds)| kinds);
    let is_asked = |one: &&ChangedEntity| {
        let is_kind = if of_modules {
            one.kind == EntityKind::Module
        } else {
            kinds.is_none_or(|kinds| kinds.contains(&one.kind))
        };
        let is_of_signature = !has("whose") || !has("signature signatures") || one.edits.iter().any(Edit::is_signature);
        is_kind && is_of_signature && edit.is_none_or(|asked| one.edits.iter().any(|edit| asked.is(edit)))
    };
    let mut chosen: Vec<&ChangedEntity> = report.changed.iter().filter(is_asked).collect();
    if chosen.is_empty() && edit == Some(AskedEdit::Removed) {
        // A removed module stands for the functions in it.
        let is_gone = |one: &&ChangedEntity| one.kind == EntityKind::Module && one.edits.contains(&Edit::Removed);
        chosen = report.changed.iter().filter(is_gone).collect();
    }
    let verb = edit.map_or("changed", AskedEdit::verb);
    let (yes, no) = match own.yes {
        Proposition::Nothing if !(of_tests && asks_whether) => ("", "none: "),
        Proposition::Safe => ("no: ", "yes: "),
        _ => ("yes: ", "no: "),
    };
    if chosen.is_empty() {
        let noun = if of_modules { "module" } else { asked_kinds(rest).map_or("definition", |(noun, _)| noun) };
        answer.headline = if report.files == 0 {
            format!("{no}{}", nothing_differs(reading, own, review))
        } else {
            format!("{no}no {noun} is {verb} by {}", review.name)
        };
        return Ok(());
    }
    let of_uses = has("use uses used call calls called callers import imports");
    let breaks = has("break breaks broken broke") || own.first() == OfChange::Breaks && !of_uses;
    let (one_does, many_do, kind) = match () {
        () if breaks => ("breaks because of", "break because of", None),
        () if has("call calls called caller callers calling") => ("calls", "call", Some(RelationshipKind::Calls)),
        () if has("import imports imported importers importing") => {
            ("imports", "import", Some(RelationshipKind::Imports))
        }
        () => ("uses", "use", None),
    };
    // Only in tests, or only outside of them.
    let in_tests = match subject {
        _ if own.is_without_tests => Some(false),
        Some("test") => Some(true),
        _ => None,
    };
    let is_wanted = |is_test: bool| in_tests.is_none_or(|wanted| wanted == is_test);
    let mut test_files = BTreeSet::new();
    if in_tests.is_some() {
        let files = reading.store.files()?.into_iter().map(|(_, file)| file);
        test_files.extend(files.filter(|file| file.is_test).map(|file| file.path));
    }
    let mut rows = Vec::new();
    let mut places = BTreeSet::new();
    for one in &chosen {
        let is_of = |finding: &&Finding| finding.entity == one.name || is_below(&finding.entity, &one.name);
        for finding in report.of(Verdict::Breaks).chain(report.of(Verdict::MayBreak)).filter(is_of) {
            if places.insert((finding.path.clone(), finding.line, finding.column)) && is_wanted(finding.is_test) {
                rows.push(place(finding));
            }
        }
        let now = match name_now(one) {
            Some(name) if !breaks => defined_at(reading, name, one.kind, &one.path)?,
            _ => None,
        };
        if let Some(entity) = now {
            let found = refs(reading.store, reading.sources, &Target::of(vec![entity]), false)?;
            for site in found.references {
                let is_kind = kind.is_none_or(|kind| site.kind == kind);
                if is_kind
                    && places.insert((site.path.clone(), site.line, site.column))
                    && is_wanted(test_files.contains(&site.path))
                {
                    rows.push(reference_row(site));
                }
            }
        }
    }
    // Of what is gone it is not known whether it was called.
    let is_gone = chosen.iter().all(|one| name_now(one).is_none());
    let (one_does, many_do) =
        if is_gone && kind == Some(RelationshipKind::Calls) { ("uses", "use") } else { (one_does, many_do) };
    let names = first_in_words(chosen.iter().map(|one| format!("`{}`", one.name)), MAX_NAMED);
    let is_many = chosen.len() > 1;
    let are = if is_many { "are" } else { "is" };
    let users = match subject {
        Some("module" | "file") => rows.iter().map(|row| &row.path).collect::<BTreeSet<_>>().len(),
        Some("definition") => rows.iter().map(|row| &row.name).collect::<BTreeSet<_>>().len(),
        _ => rows.len(),
    };
    let (noun, nouns) = match subject {
        Some("test") => ("place in a test", "places in tests".to_owned()),
        Some(noun) => (noun, plural(noun)),
        None if own.is_without_tests => ("place outside of tests", "places outside of tests".to_owned()),
        None => ("place", plural("place")),
    };
    answer.headline = match users {
        0 if own.is_without_tests => {
            format!(
                "{no}nothing outside of tests is known that {one_does} {names}, which {are} {verb} by {}",
                review.name
            )
        }
        0 => format!("{no}nothing is known that {one_does} {names}, which {are} {verb} by {}", review.name),
        1 => format!("{yes}1 {noun} {one_does} {names}, which {are} {verb} by {}", review.name),
        many => format!("{yes}{many} {nouns} {many_do} {names}, which {are} {verb} by {}", review.name),
    };
    let title = if breaks { "places that break or may break" } else { "places" };
    answer.list(format!("{title} ({})", rows.len()), rows);
    let rows: Vec<ListRow> = chosen.into_iter().map(ListRow::of_change).collect();
    answer.list(format!("{verb} definitions ({})", rows.len()), rows);
    Ok(())
}
