//! Answers about the tests of definitions: those that use them, and those to run after a change.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow,
            coverage::{asked_tests::AskedTests, runs_unseen},
            first_in_words, in_words, names_of,
            relations::{self, users, uses},
            snippet,
        },
        reading::{
            forms::{Polarity, QuestionIntent, Task},
            plan::Understood,
            words::is_in,
        },
    },
    model::{EntityFlags, EntityId, EntityKind, Evidence, FileId, RelationshipKind, signature::Signature},
    query::{
        impact::{ImpactOptions, Impacted, completeness::no_limit_known, impact},
        target::{Target, TargetMatch, known},
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Uses that are listed beside the source that tests are to be written for.
const MAX_USERS: usize = 8;
/// Files of tests that are listed, and those that a headline names.
const MAX_FILES: usize = 8;
const MAX_FILES_NAMED: usize = 3;
/// Tested definitions that a language model gets to see.
const MAX_USED: usize = 20;

/// The remark on a test that uses a definition itself.
const DIRECTLY: &str = "directly";

/// Answers with the tests that use the subjects directly, and with those that a change would concern.
pub(in crate::ask::answer) fn tests(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    if understood.verb == Some(RelationshipKind::Imports) {
        return importing(reading, understood);
    }
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let targets = &with_overriding_fixtures(reading.store, &understood.targets)?;
    let files = reading.store.files()?;
    let is_of_tests = |target: &Target| files.iter().any(|(id, file)| *id == target.main().file && file.is_test);
    if asks_what_they_test(understood) && targets.iter().all(is_of_tests) {
        return tested_by(reading, understood);
    }
    let tests = AskedTests::of(understood, &files);
    for target in targets {
        answer.want(target.main(), "asked about", false);
        let mut direct = existing_tests(reading, target)?;
        direct.retain(|test| tests.counts(&test.path));
        let used = uses(reading, target)?;
        if understood.plan.task == Task::Test {
            let mut users = users(reading, target)?.rows;
            users.truncate(MAX_USERS);
            answer.list(format!("uses of `{}`, the first", target.main().full_name()), users);
            answer.blocks.push(AnswerBlock::Source(snippet(reading.sources, target.main())));
            for entity in &used.entities {
                answer.want(entity, "used by it", true);
            }
        }
        for test in &direct {
            // A model that writes tests needs existing ones in full, as examples of their style.
            answer.want(test, "tests it", understood.plan.task != Task::Test);
        }
        let name = target.main().full_name();
        answer.beside(
            format!("tests that use `{name}` themselves ({})", direct.len()),
            direct.iter().map(ListRow::of).collect(),
        );
    }
    let options = ImpactOptions { limits: reading.limits.clone(), ..ImpactOptions::default() };
    let report = impact(reading.store, reading.sources, targets, &options)?;
    answer.bound(report.completeness, report.boundaries);
    let (mut rows, mut others) = (Vec::new(), Vec::new());
    let mut found = Vec::new();
    for id in &report.tests {
        found.extend(tests_behind(reading.store, id)?);
    }
    let impacted = by_name(&report.impacted);
    for (id, target) in found {
        let chain = impacted.get(target.main().full_name().as_str());
        let note = chain.map_or_else(String::new, |impacted| match impacted.distance {
            1 => DIRECTLY.to_owned(),
            steps => format!("over {steps} steps"),
        });
        let row = ListRow { name: id, ..ListRow::of(target.main()).with(note) };
        if tests.counts(&row.path) { &mut rows } else { &mut others }.push(row);
    }
    let is_tested = !rows.is_empty();
    if !is_tested && tests.is_limited() {
        answer.blocks.retain(|block| !is_of_direct_tests(block));
    }
    let counted_others = tests.counted_others(others.len(), others.iter().map(|row| row.path.as_str()));
    let elsewhere = match others.as_slice() {
        [] => String::new(),
        [one] if !is_tested => format!("; {counted_others} does: {}", one.name),
        _ if !is_tested => format!("; {counted_others} do"),
        _ => format!("; {counted_others}"),
    } + &tests.untold().map_or_else(String::new, |untold| format!("; {untold}"));
    let mut by_file: Vec<(String, usize)> = Vec::new();
    for row in &rows {
        match by_file.iter_mut().find(|(path, _)| *path == row.path) {
            Some((_, tests)) => *tests += 1,
            None => by_file.push((row.path.clone(), 1)),
        }
    }
    // `test_cart.py` is where the tests of `cart.py` are looked for first.
    by_file.sort_by_key(|(path, _)| !targets.iter().any(|target| is_test_file_of(path, &target.main().path)));
    let nearest = by_file.iter().take(MAX_FILES).map(|(path, tests)| ListRow {
        name: format!("pytest {path}"),
        kind: "file",
        path: path.clone(),
        line: 1,
        note: count(*tests, "test"),
        ..ListRow::default()
    });
    let names = names_of(&understood.targets);
    // `how many tests call X` asks for those that name it, not for all that run it.
    if understood.verb == Some(RelationshipKind::Calls) && is_tested {
        let mut callers = calling_tests(reading, targets)?;
        callers.retain(|caller| tests.counts(&caller.path));
        let verb = if callers.len() == 1 { "calls" } else { "call" };
        let yes = match (understood.plan.polarity == Polarity::Used, callers.is_empty()) {
            (false, _) => "",
            (true, false) => "yes: ",
            (true, true) => "no: ",
        };
        let all = callers.len();
        let (calling, reaching) = (tests.counted(all), tests.counted(rows.len()));
        let reach = if rows.len() == 1 { "reaches" } else { "reach" };
        let own = if all == 1 { "itself" } else { "themselves" };
        answer.headline = format!("{yes}{calling} {verb} {names} {own}; {reaching} {reach} it in all{elsewhere}");
        let called = callers.iter().map(ListRow::of).collect();
        answer.blocks.retain(|block| !is_of_direct_tests(block));
        answer.count(all, "test");
        answer.list(format!("tests that call it ({all})"), called);
        answer.beside(format!("tests that reach it ({})", rows.len()), rows);
        return Ok(answer);
    }
    // `which tests reach f indirectly`
    if is_tested && understood.words.iter().any(|word| is_in("indirect indirectly transitively", word)) {
        let (direct, over): (Vec<ListRow>, Vec<ListRow>) = rows.into_iter().partition(|row| row.note == DIRECTLY);
        let (all, reach) = (tests.counted(over.len()), if over.len() == 1 { "reaches" } else { "reach" });
        answer.headline =
            format!("{all} {reach} {names} only over other definitions; {} more directly{elsewhere}", direct.len());
        answer.blocks.retain(|block| !is_of_direct_tests(block));
        answer.count(over.len(), "test");
        answer.list(format!("tests that reach it over others ({})", over.len()), over);
        answer.beside(format!("tests that reach it directly ({})", direct.len()), direct);
        return Ok(answer);
    }
    let has_tests = files.iter().any(|(_, file)| file.is_test);
    let is_covering = |word: &String| matches!(word.as_str(), "covered" | "tested" | "exercised" | "checked");
    let asks_whether = understood.plan.polarity == Polarity::Used
        || understood.asks_whether_any()
        || understood.words.first().is_some_and(|word| matches!(word.as_str(), "is" | "are"))
            && understood.words.iter().any(is_covering);
    let no = if asks_whether { "no: " } else { "" };
    let noun = tests.noun();
    let no_limit = no_limit_known(&answer.boundaries);
    let unseen = match targets.as_slice() {
        [target] if !is_tested && has_tests && others.is_empty() => runs_unseen(reading, target.main())?,
        _ => None,
    };
    answer.headline = match (is_tested, has_tests) {
        (false, true) if unseen.is_some() => {
            let perhaps = if asks_whether { "perhaps: " } else { "" };
            format!("{perhaps}no {noun} was found that concerns {names}, but {}", unseen.unwrap_or_default())
        }
        (true, _) => {
            let yes = if asks_whether { "yes: " } else { "" };
            let verb = if rows.len() == 1 { "concerns" } else { "concern" };
            let counted = tests.counted(rows.len());
            if asks_for_files(understood) {
                let named = by_file.iter().map(|(path, tests)| format!("{path} ({tests})"));
                let (all, named) = (count(by_file.len(), "file"), first_in_words(named, MAX_FILES_NAMED));
                let have = if by_file.len() == 1 { "has" } else { "have" };
                format!("{yes}{all} {have} {} that concern {names}: {named}{elsewhere}", tests.plural())
            } else {
                let direct = rows.iter().filter(|row| row.note == DIRECTLY).count();
                let directly = match direct {
                    0 => ", all over other definitions".to_owned(),
                    direct if direct < rows.len() => format!(", {direct} of them directly"),
                    _ => String::new(),
                };
                format!("{yes}{counted} {verb} {names}{directly}{elsewhere}")
            }
        }
        (false, false) => format!("no tests are indexed at all, so none concerns {names}"),
        (false, true) if no_limit => {
            format!("{no}no {noun} was found that concerns {names}, and no limit of this is known{elsewhere}")
        }
        (false, true) => {
            format!("{no}no {noun} was found that concerns {names}, but the index cannot tell everything{elsewhere}")
        }
    };
    if understood.plan.task != Task::Test && rows.len() > 1 {
        answer.beside(format!("files of tests, the nearest first ({})", by_file.len()), nearest.collect());
        // The files and the command to run them matter more than who tests it directly.
        answer.blocks.rotate_right(1);
        let ids: Vec<String> = targets.iter().map(|target| target.main().full_name()).collect();
        // The command runs all tests, whatever their kind.
        if others.is_empty() {
            answer.plan.notes.push(format!("repoidx impact {} --tests | xargs -r pytest", ids.join(" ")));
        }
    }
    answer.count(rows.len(), "test");
    answer.list(format!("tests to run after a change ({})", rows.len()), rows);
    if !others.is_empty() {
        answer.beside(format!("tests that are not asked for ({})", others.len()), others);
    }
    Ok(answer)
}

/// `which test files cover f`
fn asks_for_files(understood: &Understood) -> bool {
    let words = &understood.words;
    words.first().is_some_and(|word| is_in("which what list show name", word))
        && words.windows(2).any(|pair| is_in("test tests", &pair[0]) && is_in("file files module modules", &pair[1]))
}

/// Answers with the files of tests that import the subjects: an import stands in a file, not in a test.
fn importing(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut importing = understood.clone().read_as(QuestionIntent::Usage);
    importing.plan.filters.is.push("in_tests");
    for word in importing.words.iter_mut().filter(|word| matches!(word.as_str(), "test" | "tests")) {
        "files".clone_into(word);
    }
    let mut answer = relations::usage(reading, &importing)?;
    if answer.command.is_empty() {
        answer.command = importing.command();
    }
    Ok(answer)
}

/// `what does tests/test_cart.py test`
fn asks_what_they_test(understood: &Understood) -> bool {
    const TESTING: [&str; 8] = ["check", "checks", "cover", "covers", "exercise", "exercises", "test", "tests"];
    let words = &understood.words;
    let is_last = words.last().is_some_and(|word| TESTING.contains(&word.as_str()));
    words.first().is_some_and(|word| word == "what") && is_last && !understood.targets.is_empty()
}

/// Answers with the definitions outside of tests that these tests use.
pub(super) fn tested_by(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let store = reading.store;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut inside: Vec<Entity> = Vec::new();
    for entity in understood.targets.iter().flat_map(|target| &target.entities) {
        answer.want(entity, "asked about", false);
        let name = &entity.record.qualified;
        let is_inside = |one: &Entity| {
            name.is_empty() || one.id == entity.id || one.record.qualified.starts_with(&format!("{name}."))
        };
        inside.extend(store.entities_of(entity.file)?.into_iter().filter(is_inside));
    }
    let own: BTreeSet<EntityId> = inside.iter().map(|entity| entity.id).collect();
    let files: BTreeSet<FileId> = inside.iter().map(|entity| entity.file).collect();
    let mut uses: BTreeMap<EntityId, usize> = BTreeMap::new();
    for file in files {
        for one in store.relationships_of(file)? {
            // An override runs where the base is called: the tests do not name it.
            let is_use = one.kind.is_use() && one.kind != RelationshipKind::Imports;
            if is_use && own.contains(&one.source) && !own.contains(&one.target) {
                *uses.entry(one.target).or_default() += 1;
            }
        }
    }
    let mut used: Vec<(usize, Entity)> = Vec::new();
    for (id, number) in uses {
        let Some(entity) = store.entity(id)? else { continue };
        let is_test = store.file(entity.file)?.is_some_and(|file| file.is_test);
        if !is_test && entity.record.kind != EntityKind::Module {
            used.push((number, entity));
        }
    }
    used.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.full_name().cmp(&b.1.full_name())));
    for (_, entity) in used.iter().take(MAX_USED) {
        answer.want(entity, "tested by it", true);
    }
    let tests = inside.iter().filter(|entity| entity.record.flags.has(EntityFlags::TEST)).count();
    let first: Vec<String> = used.iter().take(3).map(|(_, entity)| format!("`{}`", entity.full_name())).collect();
    let most = if first.is_empty() { String::new() } else { format!(", most often {}", in_words(&first)) };
    let use_them = if tests == 1 { "uses" } else { "use" };
    let (names, tests, used_here) =
        (names_of(&understood.targets), count(tests, "test"), count(used.len(), "definition"));
    answer.headline = format!("{names}: {tests}, which {use_them} {used_here} of the program{most}");
    let rows = used.iter().map(|(number, entity)| ListRow::of(entity).with(count(*number, "use")));
    answer.list(format!("definitions of the program that they use ({})", used.len()), rows.collect());
    Ok(answer)
}

/// The tests that a change of these definitions would concern, and those of which the index cannot tell.
pub(in crate::ask::answer) fn tests_of(
    reading: AnswerInputs,
    targets: &[Target],
) -> Result<(BTreeSet<EntityId>, BTreeSet<EntityId>), StoreError> {
    let options = ImpactOptions { limits: reading.limits.clone(), ..ImpactOptions::default() };
    let report = impact(reading.store, reading.sources, targets, &options)?;
    let (mut sure, mut open) = (BTreeSet::new(), BTreeSet::new());
    let impacted = by_name(&report.impacted);
    for id in &report.tests {
        let Some(TargetMatch::Found(test)) = known(reading.store, id, "")? else { continue };
        let reached = impacted.get(test.main().full_name().as_str());
        let is_open = reached.is_some_and(|impacted| impacted.evidence == Evidence::Possible);
        if is_open { &mut open } else { &mut sure }.extend(test.entities.iter().map(|entity| entity.id));
    }
    Ok((sure, open))
}

/// The affected definitions by full name; of two of one name the nearer.
fn by_name(impacted: &[Impacted]) -> BTreeMap<&str, &Impacted> {
    impacted.iter().rev().map(|impacted| (impacted.name.as_str(), impacted)).collect()
}

/// Whether a file of tests has the name of a module: `tests/test_cart.py` or `cart_test.py` of `shop/cart.py`.
fn is_test_file_of(tests: &str, module: &str) -> bool {
    let stem = |path: &str| path.rsplit('/').next().and_then(|name| name.strip_suffix(".py")).map(str::to_owned);
    let (Some(tests), Some(module)) = (stem(tests), stem(module)) else { return false };
    tests.strip_prefix("test_").or_else(|| tests.strip_suffix("_test")) == Some(module.trim_start_matches('_'))
}

/// The tests that call one of the definitions.
fn calling_tests(reading: AnswerInputs, targets: &[Target]) -> Result<Vec<Entity>, StoreError> {
    let mut ids: Vec<EntityId> = Vec::new();
    for entity in targets.iter().flat_map(|target| &target.entities) {
        ids.push(entity.id);
        let members =
            if entity.record.kind == EntityKind::Class { reading.store.children(entity.id)? } else { Vec::new() };
        // Who calls a class calls its constructor.
        ids.extend(members.iter().filter(|member| member.record.name == "__init__").map(|member| member.id));
    }
    tests_around(reading.store, &ids, |kind| kind == RelationshipKind::Calls)
}

/// Whether a block lists the tests that refer to a definition.
fn is_of_direct_tests(block: &AnswerBlock) -> bool {
    matches!(block, AnswerBlock::List(list) if list.title.starts_with("tests that use `"))
}

/// The fixtures with those that stand for one of them elsewhere: a fixture that takes one of its own name, which no
/// file defines for it, gets one of these.
fn with_overriding_fixtures(store: &Store, targets: &[Target]) -> Result<Vec<Target>, StoreError> {
    let mut all = targets.to_vec();
    let is_fixture = |entity: &Entity| entity.record.flags.has(EntityFlags::FIXTURE);
    for target in targets.iter().filter(|target| is_fixture(target.main())) {
        let name = &target.main().record.name;
        for other in store.entities_named(name, false)? {
            let signature = Signature::parse(&other.record.signature).unwrap_or_default();
            let takes_own = is_fixture(&other) && signature.parameters.iter().any(|one| one.name == *name);
            let taken = store.outgoing(other.id)?;
            let mut is_settled = false;
            for one in taken.iter().filter(|one| one.kind == RelationshipKind::UsesFixture) {
                is_settled |= store.entity(one.target)?.is_some_and(|fixture| fixture.record.name == *name);
            }
            let is_known = all.iter().any(|known| known.entities.iter().any(|entity| entity.id == other.id));
            if takes_own && !is_settled && !is_known {
                all.push(Target::of(vec![other]));
            }
        }
    }
    Ok(all)
}

/// The tests that refer directly to a target or its members, by place.
pub(in crate::ask::answer) fn existing_tests(
    reading: AnswerInputs,
    target: &Target,
) -> Result<Vec<Entity>, StoreError> {
    let mut ids: Vec<EntityId> = target.entities.iter().map(|entity| entity.id).collect();
    if target.main().record.kind == EntityKind::Class {
        ids.extend(reading.store.children(target.main().id)?.iter().map(|child| child.id));
    }
    let is_fixture = |entity: &Entity| entity.record.flags.has(EntityFlags::FIXTURE);
    if is_fixture(target.main()) {
        // A fixture that takes the one of its own name stands for it.
        let name = &target.main().record.name;
        let mut at = 0;
        while at < ids.len() {
            for user in reading.store.incoming(ids[at])? {
                let around = reading.store.entity(user.source)?;
                let around = around.filter(|user| is_fixture(user) && user.record.name == *name);
                if let Some(user) = around.filter(|user| !ids.contains(&user.id)) {
                    ids.push(user.id);
                }
            }
            at += 1;
        }
    }
    tests_around(reading.store, &ids, |_| true)
}

/// The tests with a relationship of such a kind to one of the definitions, by place. A class, a function or a lambda
/// inside of a test is a part of it; a helper of the tests is no test.
fn tests_around(
    store: &Store,
    ids: &[EntityId],
    is_kind: impl Fn(RelationshipKind) -> bool,
) -> Result<Vec<Entity>, StoreError> {
    let mut sources = BTreeSet::new();
    for id in ids {
        sources.extend(store.incoming(*id)?.iter().filter(|one| is_kind(one.kind)).map(|one| one.source));
    }
    let mut tests: BTreeMap<EntityId, Entity> = BTreeMap::new();
    for source in sources {
        let mut around = store.entity(source)?;
        while let Some(entity) = around.filter(|entity| entity.record.kind != EntityKind::Module) {
            around = store.entity(entity.parent)?;
            if entity.record.flags.has(EntityFlags::TEST) {
                tests.insert(entity.id, entity);
            }
        }
    }
    let mut tests: Vec<Entity> = tests.into_values().collect();
    tests.sort_by(|a, b| (&a.path, a.record.start_line, a.id).cmp(&(&b.path, b.record.start_line, b.id)));
    Ok(tests)
}

/// The tests behind an id of `impact`: a class or a file stands for those inside it.
fn tests_behind(store: &Store, id: &str) -> Result<Vec<(String, Target)>, StoreError> {
    let Some(TargetMatch::Found(target)) = known(store, id, "")? else { return Ok(Vec::new()) };
    if target.main().record.kind.is_callable() {
        return Ok(vec![(id.to_owned(), target)]);
    }
    let mut tests = Vec::new();
    for child in store.children(target.main().id)? {
        let id = format!("{id}::{}", child.record.name);
        if child.record.kind == EntityKind::Class {
            tests.extend(tests_behind(store, &id)?);
        } else if child.record.flags.has(EntityFlags::TEST) {
            tests.push((id, Target::of(vec![child])));
        }
    }
    // Without a test of its own, it runs those of its bases.
    Ok(if tests.is_empty() { vec![(id.to_owned(), target)] } else { tests })
}
