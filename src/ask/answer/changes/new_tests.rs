//! Answers about the kinds of what one changed: the added tests, and whether they reach the rest; whether only tests or
//! documents are changed; the documents that still have an old name.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            changes::{
                gone::{Gone, all_gone},
                judged::{defined_at, name_now},
                limited::{AskedEdit, contents_of_new_modules},
                own::{OwnReview, nothing_differs, place, test_row},
                testing::{tested_by, tests_of},
                work,
            },
            first_in_words,
            history::asked_kinds,
            names_of,
        },
        reading::{
            forms::own_change::{OfWork, OwnQuestion, Proposition},
            plan::Understood,
            words::is_in,
        },
    },
    model::{EntityFlags, EntityKind},
    query::{
        impact::verdict::Verdict,
        target::Target,
        words::{count, plural},
    },
    review::{ChangedEntity, Edit, Finding},
    store::error::StoreError,
};

/// Names that a headline has.
const MAX_NAMED: usize = 4;
const WHETHER: &str = "are did do does has have is were will would";

/// Answers a question for the kinds of a change; whether it is one.
pub(super) fn of_kinds(
    reading: AnswerInputs,
    (own, understood): (&OwnQuestion, &Understood),
    review: &OwnReview,
    answer: &mut Answer,
) -> Result<bool, StoreError> {
    match own.work {
        Some(OfWork::NewTests) => new_tests(reading, (own, understood), review, answer)?,
        Some(OfWork::AddedTested) => added_tested(reading, own, (review, &understood.words), answer)?,
        Some(OfWork::Kinds) => kinds(reading, own, (review, &understood.words), answer),
        Some(OfWork::Changelog) => changelog(reading, review, &understood.words, answer),
        Some(OfWork::OldNamesInDocs | OfWork::DocsToUpdate) => {
            old_names(reading, own, (review, &understood.words), answer);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn is_whether(words: &[String]) -> bool {
    words.first().is_some_and(|word| is_in(WHETHER, word))
}

/// Answers with the tests to run that lie in some files.
pub(super) fn within(
    reading: AnswerInputs,
    own: &OwnQuestion,
    review: &OwnReview,
    (paths, place_name): (&[String], &str),
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let report = &review.report;
    if report.files == 0 {
        let word = [Proposition::Run, Proposition::Adapted, Proposition::Affected, Proposition::Fails]
            .iter()
            .map(|one| own.yes.word(*one, Some(false)))
            .find(|word| !word.is_empty());
        answer.headline = format!("{}{}", word.unwrap_or_default(), nothing_differs(reading, own, review));
        return Ok(());
    }
    let is_there = |path: &str| paths.iter().any(|one| one == path || one.ends_with('/') && path.starts_with(one));
    let path_of = |id: &str| id.split("::").next().unwrap_or(id).to_owned();
    let mut rows = Vec::new();
    for test in report.tests.iter().filter(|test| is_there(&path_of(&test.id))) {
        rows.push(test_row(reading, &test.id)?);
    }
    let found = |verdict| report.of(verdict).filter(|finding| is_there(&finding.path)).collect::<Vec<&Finding>>();
    let (breaks, may_break) = (found(Verdict::Breaks), found(Verdict::MayBreak));
    let whole = report.tests.iter().any(|test| is_there(&test.id));
    let number = if whole { "all tests".to_owned() } else { count(rows.len(), "test") };
    let are = if rows.len() == 1 && !whole { "is" } else { "are" };
    let reached = match rows.len() {
        0 => format!("no test in {place_name} is known to be affected by {}", review.name),
        _ => format!("{number} in {place_name} {are} affected by {}", review.name),
    };
    let places = match (breaks.len(), may_break.len()) {
        (0, 0) => "no place in it is known to break".to_owned(),
        (0, 1) => "1 place in it may break".to_owned(),
        (0, may) => format!("{may} places in it may break"),
        (1, _) => "1 place in it breaks".to_owned(),
        (all, _) => format!("{all} places in it break"),
    };
    let decided = |proposition, holds| own.yes.word(proposition, holds);
    let fails = match (breaks.len(), may_break.len(), rows.len()) {
        (1.., ..) => Some(true),
        (0, 0, 0) => Some(false),
        _ => None,
    };
    let word = match own.yes {
        Proposition::Fails | Proposition::Passes => decided(Proposition::Fails, fails),
        // A test that reaches the change, and of which no place breaks, need not change.
        Proposition::Adapted if fails.is_none() && may_break.is_empty() => "not known to need it: ",
        Proposition::Adapted => decided(Proposition::Adapted, fails),
        Proposition::Affected => decided(Proposition::Affected, Some(!rows.is_empty() || !breaks.is_empty())),
        _ => decided(Proposition::Run, Some(!rows.is_empty() || !breaks.is_empty())),
    };
    let are_tests = paths.iter().any(|path| work::is_of_tests(path));
    if !are_tests {
        answer.headline = match (breaks.len(), may_break.len()) {
            (0, 0) => {
                format!("not known to need it: no place in {place_name} is known to break because of {}", review.name)
            }
            _ => format!("{word}{} because of {}", places.replace(" in it", &format!(" in {place_name}")), review.name),
        };
        let broken: Vec<ListRow> = breaks.iter().chain(&may_break).map(|finding| place(finding)).collect();
        answer.list(format!("places that break or may break ({})", broken.len()), broken);
        return Ok(());
    }
    answer.headline = format!("{word}{reached}; {places}");
    let broken: Vec<ListRow> = breaks.iter().chain(&may_break).map(|finding| place(finding)).collect();
    answer.list(format!("tests to run ({})", rows.len()), rows);
    answer.list(format!("places that break or may break ({})", broken.len()), broken);
    Ok(())
}

/// The tests that a change adds or, without any, those that it changes.
fn tests_in(reading: AnswerInputs, review: &OwnReview) -> Result<Vec<Target>, StoreError> {
    let (mut added, mut changed) = (Vec::new(), Vec::new());
    for one in review.report.changed.iter().filter(|one| one.is_test) {
        let Some(name) = name_now(one) else { continue };
        let Some(entity) = defined_at(reading, name, one.kind, &one.path)? else { continue };
        let is_new = one.edits.contains(&Edit::Added);
        let inside = match entity.record.kind {
            EntityKind::Module | EntityKind::Class if is_new => reading.store.entities_of(entity.file)?,
            _ => vec![entity.clone()],
        };
        let is_class = entity.record.kind == EntityKind::Class;
        for test in inside.into_iter().filter(|one| one.record.flags.has(EntityFlags::TEST)) {
            if is_class && !test.full_name().starts_with(&entity.full_name()) || !test.record.kind.is_callable() {
                continue;
            }
            let list = if is_new { &mut added } else { &mut changed };
            let target = Target::of(vec![test]);
            if !list.contains(&target) {
                list.push(target);
            }
        }
    }
    Ok(if added.is_empty() { changed } else { added })
}

/// Answers what the added tests use, or whether they reach what is changed.
fn new_tests(
    reading: AnswerInputs,
    (own, understood): (&OwnQuestion, &Understood),
    review: &OwnReview,
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let words = &understood.words;
    let no = if is_whether(words) { "no: " } else { "none: " };
    let tests = tests_in(reading, review)?;
    if tests.is_empty() {
        answer.headline = match review.report.files {
            0 => format!("{no}{}", nothing_differs(reading, own, review)),
            _ => format!("{no}no test is added or changed by {}", review.name),
        };
        return Ok(());
    }
    let changes = words.iter().any(|word| is_in("change changed changes code edited modified added everything", word));
    if !is_whether(words) || !changes {
        let mut asked = understood.clone();
        asked.targets = tests;
        let told = tested_by(reading, &asked)?;
        answer.headline = told.headline;
        answer.blocks = told.blocks;
        return Ok(());
    }
    let new: BTreeSet<_> = tests.iter().flat_map(|test| &test.entities).map(|entity| entity.id).collect();
    let is_of_code = |one: &&ChangedEntity| {
        !one.is_test && !one.edits.iter().all(|edit| matches!(edit, Edit::DocsChanged)) && name_now(one).is_some()
    };
    let (mut reached, mut open, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for one in review.report.changed.iter().filter(is_of_code) {
        let Some(entity) = defined_at(reading, name_now(one).unwrap_or_default(), one.kind, &one.path)? else {
            continue;
        };
        let (sure, unsure) = tests_of(reading, &[Target::of(vec![entity])])?;
        let list = match () {
            () if new.iter().any(|id| sure.contains(id)) => &mut reached,
            () if new.iter().any(|id| unsure.contains(id)) => &mut open,
            () => &mut missed,
        };
        list.push(one);
    }
    let named = |list: &[&ChangedEntity]| first_in_words(list.iter().map(|one| format!("`{}`", one.name)), MAX_NAMED);
    let whole = count(reached.len() + open.len() + missed.len(), "changed definition");
    let (verb, verb_not) = if tests.len() == 1 { ("reaches", "does") } else { ("reach", "do") };
    let names = names_of(&tests);
    let is_one = reached.len() + open.len() + missed.len() == 1;
    let each = if is_one { "the only changed definition".to_owned() } else { format!("all {whole}") };
    answer.headline = match (reached.len(), open.len(), missed.len()) {
        (0, 0, 0) => format!("no: no definition outside of tests is changed by {}", review.name),
        (_, 0, 0) => format!("yes: {names} {verb} {each} ({})", named(&reached)),
        (0, 0, _) => {
            let any = if is_one { "the only changed definition".to_owned() } else { format!("any of the {whole}") };
            format!("no: {names} {verb_not} not reach {any} ({}), as far as is known", named(&missed))
        }
        (_, _, 0) => format!("perhaps: {names} may reach {each} ({})", named(&open)),
        (0, ..) => format!("perhaps in part: {names} may reach {}, but not {}", named(&open), named(&missed)),
        (some, ..) => {
            format!("in part: {names} {verb} {some} of the {whole} ({}), but not {}", named(&reached), named(&missed))
        }
    };
    let rows: Vec<ListRow> = missed.into_iter().map(ListRow::of_change).collect();
    answer.list(format!("changed definitions that they do not reach ({})", rows.len()), rows);
    Ok(())
}

/// Answers whether a test reaches every added definition.
fn added_tested(
    reading: AnswerInputs,
    own: &OwnQuestion,
    (review, words): (&OwnReview, &[String]),
    answer: &mut Answer,
) -> Result<(), StoreError> {
    let report = &review.report;
    let kinds = asked_kinds(words);
    let noun = kinds.map_or("definition", |(noun, _)| noun);
    let of_modules = contents_of_new_modules(reading, report)?;
    let is_asked = |one: &&ChangedEntity| {
        !one.is_test && one.edits.contains(&Edit::Added) && kinds.is_none_or(|(_, kinds)| kinds.contains(&one.kind))
    };
    let added: Vec<&ChangedEntity> = report.changed.iter().chain(&of_modules).filter(is_asked).collect();
    let missed: Vec<&ChangedEntity> = added.iter().filter(|one| report.untested.contains(&one.name)).copied().collect();
    let named = |list: &[&ChangedEntity]| first_in_words(list.iter().map(|one| format!("`{}`", one.name)), MAX_NAMED);
    let all = format!("{} added by {}", count(added.len(), noun), review.name);
    answer.headline = match (added.len(), missed.len()) {
        (0, _) if report.files == 0 => format!("no: {}", nothing_differs(reading, own, review)),
        (0, _) => format!("no {noun} is added by {}", review.name),
        (1, 1) => format!("no: no known test reaches the only {noun} added by {} ({})", review.name, named(&missed)),
        (1, 0) => format!("yes: a known test reaches the only {noun} added by {} ({})", review.name, named(&added)),
        (_, 0) => format!("yes: a known test reaches each of the {all} ({})", named(&added)),
        (_, 1) => format!("no: 1 of the {all} is reached by no known test ({})", named(&missed)),
        (_, number) => format!("no: {number} of the {all} are reached by no known test ({})", named(&missed)),
    };
    let rows: Vec<ListRow> = added.into_iter().map(ListRow::of_change).collect();
    answer.list(format!("added {} ({})", plural(noun), rows.len()), rows);
    Ok(())
}

/// Answers whether code is changed, or only tests and documents.
fn kinds(reading: AnswerInputs, own: &OwnQuestion, (review, words): (&OwnReview, &[String]), answer: &mut Answer) {
    let (mut code, mut tests, mut docs, mut others) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for file in work::files(reading, review) {
        let list = match () {
            () if work::is_of_tests(&file.path) => &mut tests,
            () if work::is_document(&file.path) => &mut docs,
            () if file.path.ends_with(".py") || file.path.ends_with(".pyi") => &mut code,
            () => &mut others,
        };
        list.push(file.path);
    }
    let parts = [("of code", &code), ("of tests", &tests), ("of documents", &docs), ("of another kind", &others)];
    let said = parts.iter().filter(|(_, files)| !files.is_empty()).map(|(kind, files)| {
        format!("{} {kind} ({})", count(files.len(), "file"), first_in_words(files.iter().cloned(), MAX_NAMED))
    });
    let said = said.collect::<Vec<_>>();
    let said = first_in_words(said.into_iter(), MAX_NAMED);
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let (of_tests, of_docs) = (has("test tests"), has("doc docs documentation"));
    let is_only =
        code.is_empty() && others.is_empty() && (of_tests || tests.is_empty()) && (of_docs || docs.is_empty());
    let lead = match () {
        () if has("or") && !code.is_empty() => "code outside of tests is changed too: ",
        () if has("or") && tests.is_empty() && docs.is_empty() => "neither: ",
        () if has("or") && tests.is_empty() => "only documents, and no code: ",
        () if has("or") && docs.is_empty() => "only tests, and no other code: ",
        () if has("or") => "only tests and documents, and no other code: ",
        () if is_only => "yes: ",
        () => "no: ",
    };
    answer.headline = if said.is_empty() {
        format!("no: {}", nothing_differs(reading, own, review))
    } else {
        format!("{lead}{said} changed by {}", review.name)
    };
    let rows = parts.iter().flat_map(|(kind, files)| {
        files.iter().map(|path| {
            let path = path.clone();
            ListRow { name: path.clone(), kind: "file", path, line: 1, ..ListRow::default() }.with((*kind).to_owned())
        })
    });
    let rows: Vec<ListRow> = rows.collect();
    answer.list(format!("changed files ({})", rows.len()), rows);
}

/// Answers which documents still name what is removed, renamed or moved.
fn old_names(reading: AnswerInputs, own: &OwnQuestion, (review, words): (&OwnReview, &[String]), answer: &mut Answer) {
    let of_files = words.iter().any(|word| is_in("file files module modules", word));
    let edit = AskedEdit::of(words);
    let is_asked = |one: &Gone| {
        let is_edit = match edit {
            Some(AskedEdit::Removed) => one.to.is_none(),
            Some(AskedEdit::Renamed) => one.to.is_some(),
            _ => true,
        };
        is_edit && one.module.is_none() && (!of_files || one.kind == EntityKind::Module)
    };
    let needs_update = own.work == Some(OfWork::DocsToUpdate);
    let gone: Vec<Gone> = all_gone(reading, review).into_iter().filter(|one| needs_update || is_asked(one)).collect();
    let no = if own.yes == Proposition::Nothing { "none: " } else { "no: " };
    let verb = edit.map_or("removed, renamed or moved", AskedEdit::verb);
    if needs_update {
        return docs_to_update(reading, own, review, &gone, answer);
    }
    if gone.is_empty() {
        let noun = if of_files { "module" } else { "definition" };
        answer.headline = format!("{no}no {noun} is {verb} by {}", review.name);
        return;
    }
    let rows = lines_of_docs(reading, gone.iter().map(last_name));
    let names = first_in_words(
        gone.iter().map(|one| if of_files { one.old_path.clone() } else { format!("`{}`", one.name) }),
        MAX_NAMED,
    );
    let are = if gone.len() == 1 { "is" } else { "are" };
    let files: BTreeSet<String> = rows.iter().map(|row| row.path.clone()).collect();
    let by = &review.name;
    let yes = if own.yes == Proposition::Nothing { "" } else { "yes: " };
    answer.headline = match files.len() {
        0 => format!("{no}no document is known to name {names}, which {are} {verb} by {by}"),
        number => {
            let name = if number == 1 { "names" } else { "name" };
            let named = first_in_words(files.into_iter(), MAX_NAMED);
            format!("{yes}{} {name} {names}, which {are} {verb} by {by} ({named})", count(number, "document"))
        }
    };
    answer.list(format!("lines of documents ({})", rows.len()), rows);
}

/// The name by which a document would speak of what is gone.
fn last_name(one: &Gone) -> &str {
    match one.kind {
        EntityKind::Module => one.old_path.rsplit('/').next().unwrap_or_default().trim_end_matches(".py"),
        _ => one.name.rsplit('.').next().unwrap_or_default(),
    }
}

/// Answers whether documents need an update: those that name what is gone do, those that name what is changed may.
fn docs_to_update(reading: AnswerInputs, own: &OwnQuestion, review: &OwnReview, gone: &[Gone], answer: &mut Answer) {
    let is_changed = |one: &&ChangedEntity| {
        let is_there = !one.edits.iter().any(|edit| matches!(edit, Edit::Added | Edit::Removed));
        is_there && !one.is_test && one.kind != EntityKind::Module
    };
    let changed: Vec<&ChangedEntity> = review.report.changed.iter().filter(is_changed).collect();
    let of_gone = lines_of_docs(reading, gone.iter().filter(|one| one.module.is_none()).map(last_name));
    let mut rows = lines_of_docs(reading, changed.iter().map(|one| one.name.rsplit('.').next().unwrap_or_default()));
    rows.retain(|row| !of_gone.iter().any(|one| one.path == row.path && one.line == row.line));
    let is_whether = own.yes != Proposition::Nothing;
    let documents = |rows: &[ListRow]| {
        let files: BTreeSet<String> = rows.iter().map(|row| row.path.clone()).collect();
        let (number, name) = (count(files.len(), "document"), if files.len() == 1 { "names" } else { "name" });
        (format!("{number} {name}"), first_in_words(files.into_iter(), MAX_NAMED))
    };
    let by = &review.name;
    answer.headline = match (of_gone.as_slice(), rows.as_slice()) {
        ([], []) => {
            let word = if is_whether { "not known to be needed: " } else { "none: " };
            format!("{word}no document is known to name what is changed by {by}")
        }
        ([], rows) => {
            let (word, (number, files)) = (if is_whether { "perhaps: " } else { "" }, documents(rows));
            format!("{word}{number} what is changed by {by} ({files})")
        }
        (of_gone, _) => {
            let (word, (number, files)) = (if is_whether { "yes: " } else { "" }, documents(of_gone));
            format!("{word}{number} what is removed, renamed or moved by {by} ({files})")
        }
    };
    answer.list(format!("lines of documents that name what is gone ({})", of_gone.len()), of_gone);
    answer.list(format!("lines of documents that name what is changed ({})", rows.len()), rows);
}

/// Answers whether a changelog has an entry for the change, or needs one, which only the project knows.
fn changelog(reading: AnswerInputs, review: &OwnReview, words: &[String], answer: &mut Answer) {
    let is_changelog = |path: &str| {
        let lower = path.to_lowercase();
        let last = lower.rsplit('/').next().unwrap_or_default();
        ["change", "history", "news", "release"].iter().any(|begin| last.starts_with(begin))
            || ["newsfragments/", "changelog.d/", "changes/"].iter().any(|folder| lower.contains(folder))
    };
    let changed: Vec<String> = work::files(reading, review)
        .into_iter()
        .map(|file| file.path)
        .filter(|path| !path.ends_with(".py") && is_changelog(path))
        .collect();
    let by = &review.name;
    let is_done = words.first().is_some_and(|word| is_in("did have", word));
    let state = match changed.len() {
        0 => format!("no changelog is changed by {by}"),
        number => {
            let named = first_in_words(changed.into_iter(), MAX_NAMED);
            format!("{named} {} changed by {by}", if number == 1 { "is" } else { "are" })
        }
    };
    let has_entry = !state.starts_with("no ");
    let extent = count(review.report.changed.len(), "changed definition");
    answer.headline = match (is_done, has_entry) {
        (true, true) => format!("yes: {state}; {extent}"),
        (true, false) => format!("no: {state}; {extent}"),
        (false, _) => format!("not known whether one is needed: {extent}; {state}"),
    };
}

/// The lines of documents that name something by one of these names.
fn lines_of_docs<'n>(reading: AnswerInputs, names: impl Iterator<Item = &'n str>) -> Vec<ListRow> {
    let mut rows: Vec<ListRow> = Vec::new();
    for last in names {
        let arguments = ["grep", "-nwIF", last, "--", "*.md", "*.rst", "*.txt", "*.adoc"];
        for line in (reading.git)(&arguments).unwrap_or_default().lines() {
            let mut fields = line.splitn(3, ':');
            let (Some(path), Some(number), Some(text)) = (fields.next(), fields.next(), fields.next()) else {
                continue;
            };
            if is_named_in(text, last) && !rows.iter().any(|row| row.path == path && row.text == text.trim()) {
                rows.push(ListRow::line(path, number.parse().unwrap_or(1), text.trim().to_owned()));
            }
        }
    }
    rows
}

/// Whether a text speaks of a definition or module, and not only has the same word.
fn is_named_in(text: &str, name: &str) -> bool {
    let is_like_code = name.contains('_') || name.chars().any(char::is_uppercase);
    is_like_code
        || ["`{}", "{}`", ".{}", "/{}", "{}.py", "{}(", "{}.", "import {}"].iter().any(|sign| {
            let sign = sign.replace("{}", name);
            // The end of a sentence is no sign.
            text.match_indices(&sign).any(|(at, _)| {
                let rest = &text[at + sign.len()..];
                !sign.ends_with('.') || rest.starts_with(|c: char| c.is_alphanumeric())
            })
        })
}

#[cfg(test)]
mod tests {
    use super::is_named_in;

    #[test]
    fn a_word_of_prose_is_no_name() {
        for text in ["see `cart`", "shop.cart is", "src/cart.py", "cart.total()", "call cart() first"] {
            assert!(is_named_in(text, "cart"), "{text}");
        }
        for text in ["fill the cart.", "a cart with items"] {
            assert!(!is_named_in(text, "cart"), "{text}");
        }
        assert!(is_named_in("the parse_age helper", "parse_age"));
    }
}
