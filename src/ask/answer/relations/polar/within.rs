//! Yes or no to whether a definition is used inside of another one: `is A used by B`, `called from B`, `does B use A`.
//!
//! Both voices mean the same, so one piece of code answers them. That each name is used somewhere is no answer.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    mem, slice,
};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, candidates,
            imports::outside::row_of_use,
            in_words,
            paths::path,
            places::{PlaceRole, places, row},
            relations::{
                at_least, can_be, is_of, merged, perhaps,
                polar::{asked_use::AskedUse, definition_of},
                reference_row,
            },
            survey::modules,
        },
        reading::{
            forms::QuestionIntent,
            names::{NameMatch, meanings},
            plan::{Understood, subject},
            words::{QuestionWord, Shape, is_in},
        },
    },
    model::{
        Basis, EntityId, EntityKind, FileId, RelationshipKind,
        conventions::{has_whole_name, standard_library::is_called_builtin},
    },
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::{outside::is_name_from_outside, refs::refs},
        target::{
            Target,
            filter::{Filter, FilterReader},
            imported::uses_of,
            innermost,
            likeliest::is_aside,
            origins::OwnModules,
            packages::whole_package,
        },
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Words for the user, where a question asks what it does with itself.
const ONESELF: &str = "itself themself themselves";
/// Unresolved occurrences and mentions that are listed.
const MAX_LISTED: usize = 10;

/// Answers whether one definition is used inside of another; `None` for other questions.
pub(in crate::ask::answer) fn within(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let names: Vec<&str> = understood.plan.subjects.iter().map(|subject| subject.mention.as_str()).collect();
    let Some(asked) = AskedUse::of(words, &names) else { return Ok(None) };
    let is_limited = !understood.plan.outside.is_empty() || understood.plan.filters.in_tests().is_some();
    if is_limited || asked.is_of_ways || understood.argument.is_some() || understood.set.is_some() {
        return Ok(None);
    }
    let (mut used, mut users) = (Vec::new(), Vec::new());
    for (names, found) in [(&asked.users, &mut users), (&asked.used, &mut used)] {
        for name in names {
            found.push(NamedHere::of(reading.store, understood, name)?);
        }
    }
    if verb_of_calls(asked.verb) {
        users.iter_mut().for_each(NamedHere::prefer_code);
    }
    // What a definition here calls need not be one of the index.
    let calls = asked.verb == Some(RelationshipKind::Calls) && users.iter().all(|user| !user.targets.is_empty());
    for (word, one) in asked.users.iter().chain(&asked.used).zip(users.iter().chain(&used)) {
        let may_be = is_name(understood, word) || calls && !is_in(ONESELF, &word.lower());
        if !one.targets.is_empty() || may_be || is_name_from_outside(reading.store, &word.text)? {
            continue;
        }
        if written_calls(reading, understood, &word.text, &users)?.is_empty() {
            return Ok(None);
        }
    }
    // A library is known by its imports, which have an answer of their own.
    if users.iter().all(|user| user.targets.is_empty()) && used.iter().all(|one| one.targets.is_empty()) {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Usage).plan, String::new());
    answer.command = understood.plan.ask_command();
    if asked.is_which && used.iter().all(|one| one.targets.is_empty() && one.others.is_empty()) {
        return Ok(None);
    }
    let mut headlines = Vec::new();
    for user in &users {
        for one in &used {
            if asked.is_which
                && let Some(said) = which_is_used(reading, &asked, (one, user), &mut answer)?
            {
                headlines.push(said);
                continue;
            }
            let namesake = user.namesake_with(reading, one, asked.verb)?;
            if let Some(namesake) = &namesake {
                let (name, other) = (namesake.worded(), user.worded());
                answer.plan.notes.push(format!("`{}` is {name} here, as {other} has no such use", user.text));
            }
            headlines.push(verdict(
                reading,
                understood,
                &asked,
                (one, namesake.as_ref().unwrap_or(user)),
                &mut answer,
            )?);
        }
    }
    headlines.dedup();
    answer.headline = headlines.join("; ");
    candidates(&mut answer, understood);
    Ok(Some(answer))
}

/// Whether a word that means nothing here is written as a name, or stands where only a name does.
fn is_name(understood: &Understood, word: &QuestionWord) -> bool {
    let is_unknown = understood.plan.unknown.iter().any(|unknown| unknown.mention == word.text);
    is_unknown || matches!(word.shape, Shape::Code | Shape::Capitalized)
}

/// A name of the question with its meanings.
struct NamedHere {
    text: String,
    targets: Vec<Target>,
    /// Less likely ones.
    others: Vec<Target>,
}

impl NamedHere {
    fn of(store: &Store, understood: &Understood, word: &QuestionWord) -> Result<Self, StoreError> {
        let text = word.text.clone();
        if word.shape == Shape::Path {
            let mut plan = understood.plan.clone();
            plan.files.retain(|file| file.mention == text);
            let mut targets = modules(store, &plan)?;
            if targets.iter().any(|target| !is_aside(&target.main().path)) {
                targets.retain(|target| !is_aside(&target.main().path));
            }
            return Ok(Self { text, targets, others: Vec::new() });
        }
        let subjects = understood.plan.subjects.iter().zip(&understood.targets);
        let mut targets: Vec<Target> =
            subjects.filter(|(subject, _)| subject.mention == text).map(|(_, target)| target.clone()).collect();
        if targets.is_empty() && understood.plan.unknown.iter().all(|unknown| unknown.mention != text) {
            targets.extend(definition_of(store, understood, &text)?);
        }
        let mut others: Vec<Target> =
            understood.passed.iter().filter(|(name, _)| *name == text).flat_map(|(_, passed)| passed.clone()).collect();
        if !text.contains('.') {
            others.extend(meanings(store, &text, None, true, "")?.targets);
        }
        others.retain(|other| !is_aside(&other.main().path) && !targets.contains(other));
        Ok(Self { text, targets, others })
    }

    /// Means the functions, classes and modules of this name where only a variable was meant: a variable calls nothing.
    fn prefer_code(&mut self) {
        let is_code = |target: &Target| {
            let kind = target.main().record.kind;
            kind.is_callable() || matches!(kind, EntityKind::Class | EntityKind::Module)
        };
        if !self.targets.iter().any(is_code) && self.others.iter().any(is_code) {
            self.targets = mem::take(&mut self.others);
            self.targets.retain(is_code);
        }
    }

    /// The less likely class of this name in which something is used, where it is not in the likeliest.
    fn namesake_with(
        &self,
        reading: AnswerInputs,
        used: &NamedHere,
        verb: Option<RelationshipKind>,
    ) -> Result<Option<Self>, StoreError> {
        let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
        if self.others.is_empty() || !self.targets.iter().chain(&self.others).all(is_class) {
            return Ok(None);
        }
        let mut holders = BTreeSet::new();
        for target in used.targets.iter().chain(&used.others) {
            let sites = refs(reading.store, reading.sources, target, true)?.references;
            let counts = |kind: RelationshipKind| verb.map_or(!kind.is_of_members(), |verb| kind == verb);
            holders.extend(sites.into_iter().filter(|site| counts(site.kind)).map(|site| site.holder));
        }
        let has_use = |class: &Self| -> Result<bool, StoreError> {
            Ok(insides(reading.store, class)?.keys().any(|inner| holders.contains(inner)))
        };
        if has_use(self)? {
            return Ok(None);
        }
        for other in &self.others {
            let namesake = Self { text: self.text.clone(), targets: vec![other.clone()], others: Vec::new() };
            if has_use(&namesake)? {
                return Ok(Some(namesake));
            }
        }
        Ok(None)
    }

    /// The name, as an answer says it.
    fn worded(&self) -> String {
        match self.targets.as_slice() {
            [target] => format!("`{}`", target.main().full_name()),
            _ => format!("`{}`", self.text),
        }
    }
}

/// The definitions of which a target consists: a class and its members, a function and those inside it, all of a
/// module or of a package.
fn insides(store: &Store, user: &NamedHere) -> Result<BTreeMap<EntityId, Entity>, StoreError> {
    let mut found = BTreeMap::new();
    for target in &user.targets {
        for entity in whole_package(store, &user.text, target.clone())?.entities {
            let mut open =
                if entity.record.kind == EntityKind::Module { store.entities_of(entity.file)? } else { vec![entity] };
            while let Some(entity) = open.pop() {
                if let Entry::Vacant(vacant) = found.entry(entity.id) {
                    open.extend(store.children(entity.id)?);
                    vacant.insert(entity);
                }
            }
        }
    }
    Ok(found)
}

/// The sentence about an exception of Python or a library, which is known by the `raise` statements that name it.
fn raised_inside(
    reading: AnswerInputs,
    asked: &AskedUse,
    (used, user): (&NamedHere, &NamedHere),
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let filter = Filter { raises: vec![used.text.clone()], ..Filter::default() };
    let reader = FilterReader::new(reading.store)?;
    let mut found = Vec::new();
    for entity in insides(reading.store, user)?.into_values().filter(|entity| entity.record.kind.is_callable()) {
        if reader.accepts(&filter, &entity)? {
            found.push(entity);
        }
    }
    found.sort_by(|a, b| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
    let (yes, no) = asked.yes_and_no();
    let (text, name) = (&used.text, user.worded());
    let Some(first) = found.first() else {
        return Ok(format!("{no}no `raise` in {name} names `{text}`"));
    };
    let (place, all) = (format!("{}:{}", first.path, first.record.start_line), count(found.len(), "definition"));
    let first = first.full_name();
    answer.list(
        format!("definitions in {name} that raise `{text}` ({})", found.len()),
        found.iter().map(ListRow::of).collect(),
    );
    Ok(format!("{yes}`{text}` is raised by {all} in {name}, first `{first}` ({place})"))
}

/// The sentence about a name from outside that the file of the user imports; `None` for other names.
fn outside_inside(
    reading: AnswerInputs,
    asked: &AskedUse,
    (used, user): (&NamedHere, &NamedHere),
    answer: &mut Answer,
) -> Result<Option<String>, StoreError> {
    let is_called = asked.verb == Some(RelationshipKind::Calls);
    if !is_called && asked.verb.is_some() {
        return Ok(None);
    }
    let last = used.text.rsplit('.').next().unwrap_or(&used.text);
    let inside = insides(reading.store, user)?;
    let mut own = OwnModules::of(reading.store)?;
    let mut rows = Vec::new();
    let mut names: BTreeSet<String> = is_called_builtin(last).then(|| format!("`{last}`")).into_iter().collect();
    for id in inside.values().map(|entity| entity.file).collect::<BTreeSet<FileId>>() {
        let Some(file) = reading.store.file(id)? else { continue };
        let entities = reading.store.entities_of(id)?;
        for one in uses_of(&mut own, reading.store, &file, last)? {
            let is_it = one.name == used.text || one.name.contains('.') && !used.text.contains('.');
            let around = innermost(&entities, one.line).filter(|around| is_it && inside.contains_key(&around.id));
            names.extend(is_it.then(|| format!("`{}`", one.name)));
            let Some(around) = around.filter(|_| one.is_called || !is_called) else { continue };
            rows.push(row_of_use(reading, &file.path, around.full_name(), &one));
        }
    }
    if names.is_empty() {
        return Ok(None);
    }
    let names = in_words(&names.into_iter().collect::<Vec<_>>());
    let (yes, no) = asked.yes_and_no();
    let (done, name) = (asked.done, user.worded());
    let Some(first) = rows.first() else {
        return Ok(Some(format!("{no}{names} is {done} nowhere in {name}")));
    };
    let first = format!("{}:{}", first.path, first.line);
    let places = count(rows.len(), "place");
    answer.plan.notes.retain(|note| !note.starts_with(&format!("`{last}` ")));
    answer.list(format!("where {names} is {done} in {name} ({})", rows.len()), rows);
    Ok(Some(format!("{yes}{names} is {done} at {places} in {name} ({first})")))
}

/// The sentence about one definition and the one that may use it.
fn verdict(
    reading: AnswerInputs,
    understood: &Understood,
    asked: &AskedUse,
    (used, user): (&NamedHere, &NamedHere),
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let raises = asked.verb == Some(RelationshipKind::Raises);
    if raises && used.targets.is_empty() && !user.targets.is_empty() {
        return raised_inside(reading, asked, (used, user), answer);
    }
    if used.targets.is_empty()
        && !user.targets.is_empty()
        && let Some(said) = outside_inside(reading, asked, (used, user), answer)?
    {
        return Ok(said);
    }
    let may_be_written = verb_of_calls(asked.verb) && !used.text.contains('.');
    let written = || written_calls(reading, understood, &used.text, slice::from_ref(user));
    if used.targets.is_empty() && may_be_written {
        let written = written()?;
        if !written.is_empty() {
            let message = format!("`{}` is from outside: calls under another name are not seen", used.text);
            answer.bound(Completeness::LowerBound, [Boundary::new("text", 1, message)]);
            let text = as_written(used, user, written, answer);
            return Ok(format!("{}{text}; nothing here is called so", asked.yes_and_no().0));
        }
    }
    if let Some(unknown) = [user, used].into_iter().find(|one| one.targets.is_empty()) {
        let last = used.text.rsplit('.').next().unwrap_or(&used.text);
        let said = if user.targets.is_empty() { String::new() } else { mentioned(reading, last, user, answer)? };
        let said = match said.as_str() {
            "" if !user.targets.is_empty() => format!(", and {} does not have the word", user.worded()),
            _ => said.replace("stands there", &format!("stands in {}", user.worded())),
        };
        return Ok(format!("nothing here is called `{}`{said}", unknown.text));
    }
    for target in used.targets.iter().chain(&user.targets) {
        answer.want(target.main(), "asked about", false);
    }
    let inside = insides(reading.store, user)?;
    let (name, done, verb) = (user.worded(), asked.done, asked.verb);
    let (yes, no) = asked.yes_and_no();
    let mut open = Vec::new();
    let mut others = Vec::new();
    // A name that means several things is used where one of them is.
    for targets in [&used.targets, &used.others] {
        let (mut rows, mut names) = (Vec::new(), Vec::new());
        for target in targets {
            let report = refs(reading.store, reading.sources, target, true)?;
            let is_inside = |holder: EntityId| inside.contains_key(&holder);
            let sites = report.references.into_iter().filter(|site| is_inside(site.holder));
            let found: Vec<ListRow> = sites.filter(|site| !site.kind.is_of_members()).map(reference_row).collect();
            let counts = |row: &ListRow| match verb {
                Some(verb) => is_of(row, verb),
                // An import alone is no use.
                None => row.kind != RelationshipKind::Imports.as_str(),
            };
            let (own, rest): (Vec<ListRow>, Vec<ListRow>) = found.into_iter().partition(counts);
            if !own.is_empty() {
                names.push(format!("`{}`", target.main().full_name()));
            }
            rows.extend(own);
            others.extend(rest);
            open.extend(report.possible.into_iter().filter(|site| is_inside(site.holder) && can_be(site.kind, verb)));
        }
        if rows.is_empty() {
            continue;
        }
        let rows = merged(rows);
        let first = format!(" ({}:{})", rows[0].path, rows[0].line);
        let (all, names) = (rows.len(), in_words(&names));
        let places = at_least(all, open.len());
        answer.list(format!("where {names} is {done} in {name} ({all})"), rows);
        return Ok(format!("{yes}{names} is {done} {places} in {name}{first}{}", perhaps(all, open.len())));
    }
    let subject = used.worded();
    let members = if verb.is_none_or(|verb| verb == RelationshipKind::Calls) {
        uses_of_members(reading, used, &inside)?
    } else {
        Vec::new()
    };
    if !members.is_empty() {
        let (all, first) = (members.len(), format!("{}:{}", members[0].path, members[0].line));
        answer.list(format!("where members of {subject} are {done} in {name} ({all})"), members);
        let places = count(all, "place");
        return Ok(format!("{yes}members of {subject} are {done} at {places} in {name}, the first {first}"));
    }
    open.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    open.dedup_by(|a, b| (&a.path, a.line, a.column) == (&b.path, b.line, b.column));
    let others = merged(others);
    let referred = match others.first() {
        None => String::new(),
        Some(first) => {
            let kinds: BTreeSet<&str> = others.iter().map(|row| row.kind).collect();
            let kinds: Vec<String> = kinds.into_iter().map(|kind| kind.replace('_', " ")).collect();
            format!(
                ", but {name} has it at {} ({}; {}:{})",
                count(others.len(), "place"),
                in_words(&kinds),
                first.path,
                first.line
            )
        }
    };
    answer.beside(format!("other relationships ({})", others.len()), others);
    if !open.is_empty() {
        let all = open.len();
        let message = format!("{} in {name} could be a use", count(all, "unresolved occurrence"));
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", all, message)]);
        let rows: Vec<ListRow> = open.into_iter().take(MAX_LISTED).map(reference_row).collect();
        answer.beside(format!("unresolved occurrences in {name} that could be uses ({all})"), rows);
        let maybe = if asked.is_whether { "perhaps: " } else { "" };
        let could = count(all, "unresolved occurrence");
        return Ok(format!(
            "{maybe}no place is known where {subject} is {done} in {name}, but {could} could be one{referred}"
        ));
    }
    if may_be_written && referred.is_empty() {
        let written = written()?;
        if !written.is_empty() {
            let text = as_written(used, user, written, answer);
            return Ok(format!("{yes}{text}, but not of {subject}"));
        }
    }
    let last = used.text.rsplit('.').next().unwrap_or(&used.text);
    let mentioned = if referred.is_empty() { mentioned(reading, last, user, answer)? } else { String::new() };
    let has_way = verb != Some(RelationshipKind::Imports) && referred.is_empty();
    let way = if has_way { way(reading, understood, (used, user), answer)? } else { None };
    Ok(match way {
        Some(way) if done == "tested" => format!("{yes}{way}"),
        Some(way) => format!("{no}{subject} is {done} nowhere in {name} itself{mentioned}; over others, {way}"),
        None if done == "tested" => format!("{no}no way from {name} to {subject} is known"),
        None => format!("{no}{subject} is {done} nowhere in {name}{referred}{mentioned}"),
    })
}

/// The sentence that says which definitions of one name are used inside of something, and where; `None` where no use is
/// known.
fn which_is_used(
    reading: AnswerInputs,
    asked: &AskedUse,
    (used, user): (&NamedHere, &NamedHere),
    answer: &mut Answer,
) -> Result<Option<String>, StoreError> {
    let inside = insides(reading.store, user)?;
    let (name, done) = (user.worded(), asked.done);
    let (mut said, mut overrides, mut open) = (Vec::new(), Vec::new(), BTreeSet::new());
    for target in used.targets.iter().chain(&used.others) {
        let report = refs(reading.store, reading.sources, target, true)?;
        let possible = report.possible.into_iter().filter(|site| inside.contains_key(&site.holder));
        open.extend(possible.filter(|site| can_be(site.kind, asked.verb)).map(|site| (site.path, site.line)));
        let mut sites = report.references;
        sites.retain(|site| inside.contains_key(&site.holder) && !site.kind.is_of_members());
        let is_override = sites.iter().all(|site| site.basis == Basis::Dispatched.as_str());
        let rows: Vec<ListRow> = sites.into_iter().map(reference_row).collect();
        let counts = |row: &ListRow| match asked.verb {
            Some(verb) => is_of(row, verb),
            None => row.kind != RelationshipKind::Imports.as_str(),
        };
        let rows = merged(rows.into_iter().filter(counts).collect());
        let Some(first) = rows.first() else { continue };
        let more = match rows.len() {
            1 => String::new(),
            all => format!(" and {} more", count(all - 1, "place")),
        };
        let full = target.main().full_name();
        let found = format!("`{full}` ({}:{}{more})", first.path, first.line);
        let into = if is_override { &mut overrides } else { &mut said };
        if into.contains(&found) {
            continue;
        }
        into.push(found);
        answer.want(target.main(), "asked about", false);
        answer.list(format!("where `{full}` is {done} in {name} ({})", rows.len()), rows);
    }
    // A call on an object of the base may run any of them.
    let or = match overrides.len() {
        all if said.is_empty() => {
            said.append(&mut overrides);
            said.truncate(MAX_LISTED);
            if all > said.len() { format!(", and {} more", all - said.len()) } else { String::new() }
        }
        0 => String::new(),
        1 => ", or the override of it".to_owned(),
        all => format!(", or one of {all} overrides of it"),
    };
    if said.is_empty() {
        return Ok(None);
    }
    let is = if said.len() == 1 { "is" } else { "are" };
    Ok(Some(format!("{} {is} {done} in {name}{or}{}", in_words(&said), perhaps(said.len(), open.len()))))
}

/// The places inside that use a member of a class or a module.
fn uses_of_members(
    reading: AnswerInputs,
    used: &NamedHere,
    inside: &BTreeMap<EntityId, Entity>,
) -> Result<Vec<ListRow>, StoreError> {
    let is_owner = |entity: &&Entity| matches!(entity.record.kind, EntityKind::Class | EntityKind::Module);
    let mut members = BTreeSet::new();
    for owner in used.targets.iter().flat_map(|target| &target.entities).filter(is_owner) {
        members.extend(reading.store.children(owner.id)?.into_iter().map(|member| member.id));
    }
    let files: BTreeSet<FileId> = inside.values().map(|entity| entity.file).collect();
    let mut rows = Vec::new();
    for file in if members.is_empty() { BTreeSet::new() } else { files } {
        for one in reading.store.relationships_of(file)? {
            let is_use = one.kind.is_use() && one.kind != RelationshipKind::Imports;
            let Some(around) = inside.get(&one.source).filter(|_| is_use && members.contains(&one.target)) else {
                continue;
            };
            // What a class does with its own members is no use of it by another.
            if members.contains(&one.source) {
                continue;
            }
            rows.push(ListRow {
                name: around.full_name(),
                kind: one.kind.as_str(),
                path: around.path.clone(),
                line: one.line,
                note: format!("{} ({})", one.kind.as_str(), one.basis.as_str()),
                text: reading.sources.line(&around.path, one.line).unwrap_or_default(),
                ..ListRow::default()
            });
        }
    }
    rows.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    Ok(merged(rows))
}

/// The way from the user over other definitions, where there is one.
fn way(
    reading: AnswerInputs,
    understood: &Understood,
    (used, user): (&NamedHere, &NamedHere),
    answer: &mut Answer,
) -> Result<Option<String>, StoreError> {
    let mut asked = understood.clone();
    (asked.targets, asked.plan.subjects) = (Vec::new(), Vec::new());
    for one in [user, used] {
        for target in &one.targets {
            asked.plan.subjects.push(subject(&one.text, target, NameMatch::Exact, None));
            asked.targets.push(target.clone());
        }
    }
    asked.words.clear();
    let found = path(reading, &asked)?;
    if found.is_guess || found.headline.starts_with("no ") {
        return Ok(None);
    }
    answer.blocks.extend(found.blocks);
    answer.bound(found.completeness, found.boundaries);
    for wanted in found.wanted {
        answer.want(&wanted.entity, wanted.why, wanted.is_background);
    }
    Ok(Some(found.headline))
}

/// Whether calls answer a question with this verb.
fn verb_of_calls(verb: Option<RelationshipKind>) -> bool {
    verb.is_none_or(|verb| verb == RelationshipKind::Calls)
}

/// The calls inside of something, as they are written: `append` where `names.append(name)` stands.
fn written_calls(
    reading: AnswerInputs,
    understood: &Understood,
    name: &str,
    users: &[NamedHere],
) -> Result<Vec<ListRow>, StoreError> {
    let mut rows = Vec::new();
    for user in users {
        let inside = insides(reading.store, user)?;
        let mut anywhere = understood.clone();
        anywhere.plan.files.clear();
        anywhere.plan.outside.clear();
        for found in places(reading, &anywhere, name)? {
            let is_inside = found.within.as_ref().is_some_and(|entity| inside.contains_key(&entity.id));
            rows.extend((is_inside && found.role == PlaceRole::Calls).then(|| row(&found)));
        }
    }
    Ok(rows)
}

/// The sentence about such calls.
fn as_written(used: &NamedHere, user: &NamedHere, rows: Vec<ListRow>, answer: &mut Answer) -> String {
    let (all, name) = (rows.len(), user.worded());
    let place = rows.first().map_or_else(String::new, |row| format!(" ({}:{})", row.path, row.line));
    answer.list(format!("calls of `{}` in {name}, as they are written ({all})", used.text), rows);
    let places = count(all, "place");
    format!("a call of some `{}` is written at {places} in {name}{place}", used.text)
}

/// Where the source of the user has a name that it does not use as the definition asked about.
fn mentioned(reading: AnswerInputs, last: &str, user: &NamedHere, answer: &mut Answer) -> Result<String, StoreError> {
    let mut rows = Vec::new();
    let mut outer = Vec::new();
    for target in &user.targets {
        outer.extend(whole_package(reading.store, &user.text, target.clone())?.entities);
    }
    for entity in &outer {
        for line in entity.record.start_line..=entity.record.end_line {
            let text = reading.sources.line(&entity.path, line).unwrap_or_default();
            if has_whole_name(&text, last) {
                rows.push(ListRow::line(&entity.path, line, text));
            }
        }
    }
    rows.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    let Some(first) = rows.first() else { return Ok(String::new()) };
    let (all, place) = (rows.len(), format!("{}:{}", first.path, first.line));
    rows.truncate(MAX_LISTED);
    answer.list(format!("lines of {} that have the word `{last}` ({all})", user.worded()), rows);
    Ok(format!("; the word `{last}` stands there in {}, first at {place}", count(all, "line")))
}
