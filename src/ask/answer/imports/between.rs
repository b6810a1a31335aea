//! Answers what one module of the repository uses of another one, and whether: `what does a.py import from b.py`, `does
//! a.py depend on b.py`.

use std::collections::{BTreeMap, BTreeSet, VecDeque, btree_map::Entry};

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, first_in_words, imports::both::both, short_name, survey::modules},
        reading::{
            forms::{QuestionIntent, patterns::captured},
            plan::Understood,
            words::is_in,
        },
    },
    model::{EntityId, EntityKind, FileId, Relationship, RelationshipKind},
    query::{
        target::{Target, TargetMatch, is_suffix, known, likeliest::is_aside, packages::whole_package},
        words::{count, plural},
    },
    store::{error::StoreError, read::Entity},
};

/// Wordings that ask for the used definitions: `A` is the module that uses, `B` the one that is used.
const OF_USED: [&str; 7] = [
    "what/which (else) does/do (the) (module/file) A import/use/need/take/get/call from/of/in (the) (module/file) B",
    "(show/list) (me) what/which (of) (the) names/definitions/things/functions/classes/constants/exceptions/parts/code \
     does/do (the) (module/file) A import/use/need/take/get/call from/of/in (the) (module/file) B",
    "(show/list) (me) what/which (of) (the) (names/definitions/things/functions/classes/constants/exceptions/parts/code) \
     of/from/in/inside/within (the) (module/file) B does/do (the) (module/file) A import/use/need/call",
    "(show/list) (me) what/which (of) (the) (names/definitions/things/functions/classes/constants/exceptions/parts/code) \
     of/from/in/inside/within (the) (module/file) B (that) is/are used/imported/needed/called by/in/inside/from (the) \
     (module/file) A",
    "why does/do (the) (module/file) A import/use/need (the) (module/file) B",
    "what does/do (the) (module/file) A use/need (the) (module/file) B for",
    "(show/list) (me) (what) (are) (the/all) (the) imports/uses of/from (the) (module/file) B in/by (the) (module/file) A",
];
/// Wordings that ask for the users in `A`.
const OF_USERS: [&str; 1] = ["(show/list) (me) what/which (of) (the) functions/methods/classes/definitions/code \
     of/from/in/inside/within (the) (module/file) A (that) use/uses/call/calls/need/needs (the) (module/file) B"];
/// Wordings that ask for yes or no.
const OF_WHETHER: [&str; 4] = [
    "does/do (the) (module/file) A (still/directly/actually/really) depend/rely (directly) on/upon (the) (module/file) B",
    "is (the) (module/file) A (directly) dependent on/upon (the) (module/file) B",
    "is there a/any (direct) dependency from/of (the) (module/file) A to/on (the) (module/file) B",
    "has/does (the) (module/file) A (have) a/any dependency on/to (the) (module/file) B",
];
/// Names that a headline has.
const MAX_NAMED: usize = 6;

/// Answers such a question; `None` for others.
pub(in crate::ask::answer) fn between(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.as_str()).collect();
    let asked = [(&OF_USED[..], false, false), (&OF_USERS, true, false), (&OF_WHETHER, false, true)];
    let asked = asked.into_iter().find_map(|(forms, of_users, whether)| {
        let captured = forms.iter().find_map(|form| captured(form, &words))?;
        Some((captured, of_users, whether))
    });
    let Some((captured, is_of_users, is_whether)) = asked else { return both(reading, understood, &words) };
    let module = |name: &str| module(reading, understood, captured[name][0]);
    let (Some(user), Some(used)) = (module("A")?, module("B")?) else { return Ok(None) };
    let is_import = words.iter().any(|word| is_in("import imports imported", &word.to_lowercase()));
    let (noun, kinds) = asked_for(&words, is_import && !is_of_users);
    let mut places: BTreeMap<EntityId, Vec<(Entity, Relationship)>> = BTreeMap::new();
    for (inside, relationship) in relationships(reading, &user, &used)? {
        if !is_import || relationship.kind == RelationshipKind::Imports {
            let counted = if is_of_users { relationship.source } else { relationship.target };
            places.entry(counted).or_default().push((inside, relationship));
        }
    }
    let mut found: Vec<(Entity, ListRow)> = Vec::new();
    for (id, mut places) in places {
        let Some(entity) = reading.store.entity(id)? else { continue };
        places
            .sort_by(|(a, one), (b, other)| (&a.path, one.line, one.column).cmp(&(&b.path, other.line, other.column)));
        let (inside, first) = &places[0];
        if kinds.is_empty() || kinds.contains(&entity.record.kind) {
            let text = reading.sources.line(&inside.path, first.line).unwrap_or_default();
            let note = format!("{} at {}:{}", first.kind.as_str(), inside.path, first.line);
            let row = ListRow { text, text_path: inside.path.clone(), ..ListRow::of(&entity).with(note) };
            found.push((entity, row));
        }
    }
    // `from b import name` names the module too.
    if found.iter().any(|(entity, _)| entity.record.kind != EntityKind::Module) {
        found.retain(|(entity, _)| entity.record.kind != EntityKind::Module);
    }
    found.sort_by(|(a, _), (b, _)| (&a.path, a.record.start_line).cmp(&(&b.path, b.record.start_line)));
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Usage).plan, String::new());
    answer.plan.unknown.clear();
    answer.command = understood.plan.ask_command();
    let (user_target, used_target) = (user, used);
    let (user, used) = (user_target.main().full_name(), used_target.main().full_name());
    let named = first_in_words(found.iter().map(|(entity, _)| format!("`{}`", short_name(entity))), MAX_NAMED);
    let number = count(found.len(), noun);
    answer.headline = match (found.is_empty(), is_of_users, is_import) {
        (true, true, _) => format!("none: no {noun} of `{user}` uses `{used}`"),
        (true, _, true) => format!("none: `{user}` imports no {noun} from `{used}`"),
        (true, ..) => format!("none: `{user}` uses no {noun} of `{used}`"),
        (_, true, _) if found.len() == 1 => format!("1 {noun} of `{user}` uses `{used}`: {named}"),
        (_, true, _) => format!("{number} of `{user}` use `{used}`: {named}"),
        (.., true) => format!("`{user}` imports {number} from `{used}`: {named}"),
        _ => format!("`{user}` uses {number} of `{used}`: {named}"),
    };
    if is_whether {
        answer.headline = match found.first() {
            Some((_, first)) => format!("yes: {}; first at {}", answer.headline, place_of(first)),
            None => match way(reading, &user_target, &used_target)? {
                Some(way) => format!("not directly: `{user}` uses nothing of `{used}`, but {way}"),
                None => format!("no: `{user}` uses nothing of `{used}`, and imports no module that does"),
            },
        };
    }
    answer.count(found.len(), noun);
    for (entity, _) in &found {
        answer.want(entity, "is asked for", false);
    }
    answer.list(format!("{} ({})", plural(noun), found.len()), found.into_iter().map(|(_, row)| row).collect());
    Ok(Some(answer))
}

/// The place of a row, which its line of source stands at.
fn place_of(row: &ListRow) -> &str {
    row.note.rsplit_once(" at ").map_or(row.note.as_str(), |(_, place)| place)
}

/// The shortest way of imports from a module to another one, in words; `None` where there is none.
fn way(reading: AnswerInputs, user: &Target, used: &Target) -> Result<Option<String>, StoreError> {
    let store = reading.store;
    let ends: BTreeSet<FileId> = used.entities.iter().map(|module| module.file).collect();
    let mut open: VecDeque<FileId> = user.entities.iter().map(|module| module.file).collect();
    let mut came_from: BTreeMap<FileId, Option<FileId>> = open.iter().map(|file| (*file, None)).collect();
    while let Some(file) = open.pop_front() {
        if ends.contains(&file) {
            let mut names = Vec::new();
            let mut at = Some(file);
            while let Some(file) = at {
                names.extend(store.entities_of(file)?.first().map(|module| format!("`{}`", module.full_name())));
                at = came_from.get(&file).copied().flatten();
            }
            names.reverse();
            let Some((first, rest)) = names.split_first() else { return Ok(None) };
            return Ok(Some(format!("{first} imports {}", rest.join(", which imports "))));
        }
        for relationship in store.relationships_of(file)? {
            if relationship.kind != RelationshipKind::Imports {
                continue;
            }
            let Some(target) = store.entity(relationship.target)? else { continue };
            if let Entry::Vacant(vacant) = came_from.entry(target.file) {
                vacant.insert(Some(file));
                open.push_back(target.file);
            }
        }
    }
    Ok(None)
}

/// The module that a word of the question names, with those of its package; `None` where it names something else.
pub(super) fn module(reading: AnswerInputs, understood: &Understood, word: &str) -> Result<Option<Target>, StoreError> {
    let word = word.trim_matches('`');
    let mut plan = understood.plan.clone();
    plan.files.retain(|file| file.mention == word);
    let mut targets = modules(reading.store, &plan)?;
    let subjects = understood.plan.subjects.iter().zip(&understood.targets);
    targets.extend(subjects.filter(|(subject, _)| subject.mention == word).map(|(_, target)| target.clone()));
    if targets.is_empty() && plan.files.is_empty() {
        // An everyday word that a module is called by: `does utils depend on structures`.
        for (_, name) in reading.store.modules()? {
            if is_suffix(&name, word)
                && let Some(TargetMatch::Found(target)) = known(reading.store, &name, "")?
                && !is_aside(&target.main().path)
            {
                targets.push(target);
            }
        }
    }
    match targets.into_iter().next().filter(|target| target.main().record.kind == EntityKind::Module) {
        Some(target) => Ok(Some(whole_package(reading.store, word, target)?)),
        None => Ok(None),
    }
}

/// The noun of the definitions that are asked for, and their kinds; none for all.
fn asked_for(words: &[&str], is_import: bool) -> (&'static str, &'static [EntityKind]) {
    let is_said = |list: &str| words.iter().any(|word| is_in(list, &word.to_lowercase()));
    match () {
        () if is_said("functions") => ("function", &[EntityKind::Function, EntityKind::Method]),
        () if is_said("methods") => ("method", &[EntityKind::Method, EntityKind::Property]),
        () if is_said("classes exceptions") => ("class", &[EntityKind::Class]),
        () if is_said("constants") => ("constant", &[EntityKind::Variable]),
        () if is_import => ("name", &[]),
        () => ("definition", &[]),
    }
}

/// The relationships that lead from definitions of the first target to those of the second, each with its source.
pub(super) fn relationships(
    reading: AnswerInputs,
    user: &Target,
    used: &Target,
) -> Result<Vec<(Entity, Relationship)>, StoreError> {
    let store = reading.store;
    let files = |target: &Target| target.entities.iter().map(|module| module.file).collect::<BTreeSet<FileId>>();
    let (mut users, mut used) = (files(user), files(used));
    // A module of a package uses the others of it, and a package uses one of its modules.
    if users.is_subset(&used) {
        used.retain(|file| !users.contains(file));
    } else {
        users.retain(|file| !used.contains(file));
    }
    let mut inside: BTreeSet<EntityId> = BTreeSet::new();
    for file in used {
        inside.extend(store.entity_ids(file)?);
    }
    let mut found = Vec::new();
    for file in users {
        for relationship in store.relationships_of(file)? {
            if relationship.kind.is_of_members() || !inside.contains(&relationship.target) {
                continue;
            }
            if let Some(source) = store.entity(relationship.source)? {
                found.push((source, relationship));
            }
        }
    }
    Ok(found)
}
