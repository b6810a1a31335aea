//! Answers who depends on a definition under conditions: `which public methods in a.py are affected by changing f`,
//! `does anything outside of tests depend on f`, `which class uses f most`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerBlock, AnswerInputs, ListRow, by_intent, changes::transitive::PublicApi, first_in_words,
            names_of, relations::reference_row,
        },
        reading::{
            forms::QuestionIntent,
            names::at_path,
            plan::Understood,
            relations::{DependentKind, DependentPlace, Distance, ReverseQuestion, ReverseWish},
        },
    },
    model::{EntityFlags, EntityId, EntityKind, Evidence, RelationshipKind},
    query::{
        impact::{ImpactReport, Impacted, walk::Limits},
        navigate::refs::{ReferenceSite, refs},
        target::{filter::is_exception_name, is_below, likeliest::is_aside},
        words::{count, plural},
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Dependents that a headline names.
const MAX_NAMED: usize = 4;

/// Answers such a question from the impact of the definition; `None` for other questions.
pub(super) fn dependents(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let Some(asked) = &understood.reverse else { return Ok(None) };
    if understood.targets.is_empty() {
        return Ok(None);
    }
    if asked.wanted == ReverseWish::Most {
        return most(reading, understood, asked);
    }
    let depth = asked.distance.map(|distance| match distance {
        Distance::AtMost(steps) | Distance::Exactly(steps) => steps,
    });
    let limits = Limits { depth: depth.or(reading.limits.depth), ..reading.limits.clone() };
    let impact = understood.clone().read_as(QuestionIntent::Impact);
    let mut answer = by_intent(AnswerInputs { limits: &limits, ..reading }, &impact)?;
    let Some(report) = answer.blocks.iter().find_map(|block| match block {
        AnswerBlock::Impact(report) => Some(report.clone()),
        _ => None,
    }) else {
        return Ok(None);
    };
    let found = FoundDependents::among((reading, understood), asked, &report)?;
    answer.headline = match asked.wanted {
        ReverseWish::Farthest => farthest(understood, &report),
        _ => {
            let untold =
                asked.untold.as_ref().map_or(String::new(), |word| format!("which are `{word}` cannot be told: "));
            format!("{untold}{}; {}", found.sentence(understood, asked), in_all(understood, &report))
        }
    };
    if asked.wanted != ReverseWish::Farthest && !found.rows.is_empty() {
        let behind = std::mem::take(&mut answer.blocks);
        answer.list(format!("{} that reach it ({})", plural_of(&found.noun), found.rows.len()), found.rows);
        answer.blocks.extend(behind);
    }
    if answer.command.is_empty() {
        answer.command = impact.command();
    }
    if let Some(depth) = depth {
        answer.command += &format!(" --depth {depth}");
    }
    Ok(Some(answer))
}

/// The whole of what reaches the subjects, in a clause.
fn in_all(understood: &Understood, report: &ImpactReport) -> String {
    let are = if understood.targets.len() == 1 { "is" } else { "are" };
    let tests = report.number_of_tests();
    let (reach, it) =
        (if report.tests.len() > 1 { "reach" } else { "reaches" }, if are == "is" { "it" } else { "them" });
    format!(
        "in all, {} {are} reached from {}; {tests} {reach} {it}",
        names_of(&understood.targets),
        report.dependents()
    )
}

/// The sentence about the dependent that is farthest away.
fn farthest(understood: &Understood, report: &ImpactReport) -> String {
    let sure = report.impacted.iter().filter(|row| row.evidence != Evidence::Possible);
    let last = sure.max_by_key(|row| (!row.is_test, row.distance));
    match last {
        Some(row) => format!(
            "the farthest one known outside of tests is {} away, `{}`; {}",
            count(row.distance as usize, "step"),
            row.name,
            in_all(understood, report)
        ),
        None => format!("nothing is known to reach {}", names_of(&understood.targets)),
    }
}

/// The dependents that fulfil the conditions.
struct FoundDependents {
    noun: String,
    rows: Vec<ListRow>,
    /// Only guesses lead to the definition from there.
    is_guess: bool,
    /// Tests and examples among the modules or classes, which are not listed.
    aside: usize,
    /// The number of tests that reach it in all.
    tests: Option<String>,
}

impl FoundDependents {
    fn among(
        reading: (AnswerInputs, &Understood),
        asked: &ReverseQuestion,
        report: &ImpactReport,
    ) -> Result<Self, StoreError> {
        let (sure, guessed): (Vec<&Impacted>, Vec<&Impacted>) = report
            .impacted
            .iter()
            .filter(|row| is_at_place(asked.place.as_ref(), row) && is_at_distance(asked.distance, row))
            .partition(|row| row.evidence != Evidence::Possible);
        let mut found = Self::of(reading, asked, &sure)?;
        if found.rows.is_empty() {
            found = Self { is_guess: true, ..Self::of(reading, asked, &guessed)? };
            found.is_guess = !found.rows.is_empty();
        }
        found.tests = (!report.tests.is_empty()).then(|| report.number_of_tests());
        Ok(found)
    }

    fn of(
        (reading, understood): (AnswerInputs, &Understood),
        asked: &ReverseQuestion,
        rows: &[&Impacted],
    ) -> Result<Self, StoreError> {
        let api = if asked.is_public { Some(PublicApi::of(reading.store)?) } else { None };
        let heirs = asked.family.as_ref().map_or(Ok(BTreeSet::new()), |family| heirs(reading.store, family))?;
        let is_inside = asked.place.as_ref().is_some_and(|place| !place.is_outside);
        let mut chosen = BTreeMap::<String, (usize, ListRow)>::new();
        let mut aside = BTreeSet::<String>::new();
        for (at, row) in rows.iter().enumerate() {
            let Some((name, entity)) = holder(reading.store, asked.kind, row)? else { continue };
            let is_aside = row.is_test || is_aside(&row.path);
            let is_asked = match (asked.kind, asked.in_tests) {
                (DependentKind::Test, _) => {
                    let last = row.name.rsplit('.').next().unwrap_or_default();
                    row.is_test && row.kind.is_callable() && last.to_lowercase().starts_with("test")
                }
                (_, Some(true)) => row.is_test,
                (_, Some(false)) => !is_aside,
                (_, None) => is_inside || !is_aside,
            };
            if !is_asked {
                aside.insert(name);
                continue;
            }
            let is_async = || entity.as_ref().is_some_and(|one| one.record.flags.has(EntityFlags::ASYNC));
            let is_heir = || entity.as_ref().is_some_and(|one| heirs.contains(&one.id));
            if is_declaration(understood, row) || asked.is_async && !is_async() || asked.family.is_some() && !is_heir()
            {
                continue;
            }
            if let (Some(api), Some(entity)) = (&api, &entity)
                && (entity.record.name.starts_with('_') || !api.has(reading.store, entity)?)
            {
                continue;
            }
            let of_row = || ListRow {
                name: name.clone(),
                kind: kind_word(asked.kind, row),
                path: row.path.clone(),
                line: row.line,
                ..ListRow::default()
            };
            let listed = || match &entity {
                Some(class) if matches!(asked.kind, DependentKind::Class | DependentKind::Exception) => {
                    ListRow::of(class)
                }
                _ => of_row(),
            };
            let key = if asked.kind == DependentKind::Any
                || asked.kind == DependentKind::Function
                || asked.kind == DependentKind::Method
            {
                format!("{name} {} {}", row.path, row.line)
            } else {
                name.clone()
            };
            chosen.entry(key).or_insert_with(|| (at, listed()));
        }
        let mut chosen: Vec<(usize, ListRow)> = chosen.into_values().collect();
        chosen.sort_by_key(|(at, _)| *at);
        let aside = aside.iter().filter(|name| chosen.iter().all(|(_, row)| row.name != **name)).count();
        let noun = format!("{}{}", if asked.is_public { "public " } else { "" }, noun(asked.kind));
        let noun = if asked.is_async { format!("async {noun}") } else { noun };
        let noun = match &asked.family {
            Some(family) => format!("heir of `{family}`"),
            None => noun,
        };
        Ok(Self { noun, rows: chosen.into_iter().map(|(_, row)| row).collect(), is_guess: false, aside, tests: None })
    }

    /// The sentence that answers the question.
    fn sentence(&self, understood: &Understood, asked: &ReverseQuestion) -> String {
        let names = names_of(&understood.targets);
        let mut place = match &asked.place {
            Some(place) if place.is_outside => format!(" outside of {}", place.name),
            Some(place) => format!(" in {}", place.name),
            None => String::new(),
        };
        let is_inside = asked.place.as_ref().is_some_and(|place| !place.is_outside);
        place += match asked.in_tests {
            _ if asked.kind == DependentKind::Test => "",
            Some(true) => " in tests",
            None if is_inside => "",
            _ if asked.place.is_some() => " and of tests",
            _ => " outside of tests",
        };
        let is_counted = asked.kind == DependentKind::Test && asked.place.is_none() && asked.distance.is_none();
        if asked.in_tests == Some(false) && is_inside {
            place = place.replace(" and of tests", " outside of tests");
        }
        let steps = match asked.distance {
            Some(Distance::AtMost(1)) => " directly".to_owned(),
            Some(Distance::AtMost(steps)) => format!(" in at most {}", count(steps as usize, "step")),
            Some(Distance::Exactly(steps)) => format!(" in exactly {}", count(steps as usize, "step")),
            None => String::new(),
        };
        let aside = match (asked.kind, self.aside) {
            (DependentKind::Module | DependentKind::File | DependentKind::Class | DependentKind::Exception, 1..)
                if asked.in_tests.is_none() && !is_inside =>
            {
                format!(", and {} of tests or examples", self.aside)
            }
            _ => String::new(),
        };
        let first = first_in_words(self.rows.iter().map(|row| format!("`{}`", row.name)), MAX_NAMED);
        let reach = match (self.rows.len(), self.is_guess) {
            (1, false) => "reaches",
            (_, false) => "reach",
            (_, true) => "may reach",
        };
        let is_whether = asked.wanted == ReverseWish::Whether;
        // Tests are counted as pytest collects them.
        if is_counted && let Some(tests) = &self.tests {
            let reach = if tests == "1 test" { "reaches" } else { "reach" };
            let yes = if is_whether { "yes: " } else { "" };
            return format!("{yes}{tests} {reach} {names}");
        }
        match self.rows.len() {
            0 => {
                let no = if is_whether { "no" } else { "none" };
                format!("{no}: no {}{place} is known to reach {names}{steps}{aside}", self.noun)
            }
            all => {
                let word = match (is_whether, self.is_guess) {
                    (true, false) => "yes: ",
                    (true, true) => "perhaps: ",
                    _ => "",
                };
                let number =
                    if all == 1 { format!("1 {}", self.noun) } else { format!("{all} {}", plural_of(&self.noun)) };
                format!("{word}{number}{place} {reach} {names}{steps}: {first}{aside}")
            }
        }
    }
}

/// All classes that derive from those of this name outside of tests.
pub(super) fn heirs(store: &Store, family: &str) -> Result<BTreeSet<EntityId>, StoreError> {
    let named = store.entities_named(family, false)?.into_iter();
    let mut open: Vec<EntityId> =
        named.filter(|one| one.record.kind == EntityKind::Class && !is_aside(&one.path)).map(|one| one.id).collect();
    let mut found = BTreeSet::new();
    while let Some(class) = open.pop() {
        let heirs = store.incoming(class)?.into_iter().filter(|one| one.kind == RelationshipKind::Inherits);
        open.extend(heirs.map(|one| one.source).filter(|heir| found.insert(*heir)));
    }
    Ok(found)
}

/// Whether a class is an exception, by its name or by those of its bases.
fn is_exception(store: &Store, class: &Entity) -> Result<bool, StoreError> {
    let (mut open, mut seen) = (vec![class.clone()], BTreeSet::new());
    while let Some(class) = open.pop() {
        if is_exception_name(&class.record.name) {
            return Ok(true);
        }
        for one in store.outgoing(class.id)?.into_iter().filter(|one| one.kind == RelationshipKind::Inherits) {
            if seen.insert(one.target) {
                open.extend(store.entity(one.target)?);
            }
        }
    }
    Ok(false)
}

/// Whether a row is what a stub says of the definition itself.
fn is_declaration(understood: &Understood, row: &Impacted) -> bool {
    let last = row.name.rsplit('.').next();
    row.path.ends_with(".pyi") && understood.targets.iter().any(|target| Some(&*target.main().record.name) == last)
}

/// The thing that counts for a row of the impact: the definition itself, its class, its module, its file.
fn holder(store: &Store, kind: DependentKind, row: &Impacted) -> Result<Option<(String, Option<Entity>)>, StoreError> {
    let itself = || at_path(store, &row.name, &row.path);
    Ok(match kind {
        DependentKind::Module => row.path.contains(".py").then(|| (row.module.clone(), None)),
        DependentKind::File => Some((row.path.clone(), None)),
        DependentKind::Any | DependentKind::Test => Some((row.name.clone(), itself()?)),
        DependentKind::Function => row.kind.is_callable().then(itself).transpose()?.map(|one| (row.name.clone(), one)),
        DependentKind::Method => matches!(row.kind, EntityKind::Method | EntityKind::Property)
            .then(itself)
            .transpose()?
            .map(|one| (row.name.clone(), one)),
        DependentKind::Class | DependentKind::Exception => {
            let is_of_class = matches!(row.kind, EntityKind::Class | EntityKind::Method | EntityKind::Property);
            let Some(one) = is_of_class.then(itself).transpose()?.flatten() else { return Ok(None) };
            // Who changes a method changes its class.
            let class = if one.record.kind == EntityKind::Class {
                Some(one)
            } else {
                store.entity(one.parent)?.filter(|outer| outer.record.kind == EntityKind::Class)
            };
            match class {
                Some(class) if kind == DependentKind::Class || is_exception(store, &class)? => {
                    Some((class.full_name(), Some(class)))
                }
                _ => None,
            }
        }
    })
}

fn is_at_place(place: Option<&DependentPlace>, row: &Impacted) -> bool {
    place.is_none_or(|place| is_in_place(place, &row.name, &row.path) != place.is_outside)
}

fn is_in_place(place: &DependentPlace, name: &str, path: &str) -> bool {
    let in_path = |one: &String| path == one || one.ends_with('/') && path.starts_with(one.as_str());
    place.paths.iter().any(in_path) || place.owners.iter().any(|owner| name == owner || is_below(name, owner))
}

fn is_at_distance(distance: Option<Distance>, row: &Impacted) -> bool {
    match distance {
        None => true,
        Some(Distance::AtMost(steps)) => row.distance <= steps,
        Some(Distance::Exactly(steps)) => row.distance == steps,
    }
}

fn noun(kind: DependentKind) -> &'static str {
    match kind {
        DependentKind::Any => "definition",
        DependentKind::Function => "function",
        DependentKind::Method => "method",
        DependentKind::Class => "class",
        DependentKind::Exception => "exception",
        DependentKind::Module => "module",
        DependentKind::File => "file",
        DependentKind::Test => "test",
    }
}

fn plural_of(noun: &str) -> String {
    match noun.strip_prefix("heir of ") {
        Some(family) => format!("heirs of {family}"),
        None => plural(noun),
    }
}

fn kind_word(kind: DependentKind, row: &Impacted) -> &'static str {
    match kind {
        DependentKind::Module => "module",
        DependentKind::File => "file",
        _ => row.kind.as_str(),
    }
}

/// Answers which class, function or module uses the subjects most, by the number of places.
fn most(reading: AnswerInputs, understood: &Understood, asked: &ReverseQuestion) -> Result<Option<Answer>, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let names = names_of(&understood.targets);
    let mut users = BTreeMap::<String, Vec<ReferenceSite>>::new();
    let (mut all, mut in_tests) = (0, 0);
    for target in &understood.targets {
        let report = refs(reading.store, reading.sources, target, false)?;
        for site in report.references {
            let Some(entity) = reading.store.entity(site.holder)? else { continue };
            let is_test = is_aside(&site.path)
                || reading
                    .store
                    .file_id(&site.path)?
                    .map(|id| reading.store.file(id))
                    .transpose()?
                    .flatten()
                    .is_some_and(|file| file.is_test);
            let is_here =
                asked.place.as_ref().is_none_or(|place| is_in_place(place, &site.name, &site.path) != place.is_outside);
            if is_test != (asked.in_tests == Some(true) || asked.kind == DependentKind::Test) || !is_here {
                in_tests += usize::from(is_test && is_here);
                continue;
            }
            all += 1;
            let Some(user) = user(reading.store, asked.kind, entity, &site.path)? else { continue };
            users.entry(user).or_default().push(site);
        }
    }
    let mut users: Vec<(String, Vec<ReferenceSite>)> = users.into_iter().collect();
    users.sort_by_key(|(_, sites)| std::cmp::Reverse(sites.len()));
    let noun = noun(asked.kind);
    let most = users.first().map_or(0, |(_, sites)| sites.len());
    let leaders: Vec<String> =
        users.iter().take_while(|(_, sites)| sites.len() == most).map(|(name, _)| format!("`{name}`")).collect();
    let others = users.iter().skip(leaders.len()).map(|(name, sites)| format!("`{name}` ({})", sites.len()));
    let others: Vec<String> = others.collect();
    let then = if others.is_empty() {
        String::new()
    } else {
        format!("; then {}", first_in_words(others.into_iter(), MAX_NAMED))
    };
    let outside =
        if in_tests > 0 { format!(" outside of tests ({in_tests} in tests or examples)") } else { String::new() };
    answer.headline = match leaders.len() {
        0 => format!("none: no {noun} outside of tests is known to use {names}"),
        1 => format!("{} uses {names} most, at {most} of {}{outside}{then}", leaders[0], count(all, "place")),
        several => format!(
            "{} use {names} most, at {} each of {}{outside}: {}{then}",
            count(several, noun),
            count(most, "place"),
            count(all, "place"),
            first_in_words(leaders.into_iter(), MAX_NAMED)
        ),
    };
    answer.command = format!("repoidx refs {}", understood.targets[0].main().full_name());
    for (name, sites) in users.into_iter().take(3) {
        answer.list(format!("uses in `{name}` ({})", sites.len()), sites.into_iter().map(reference_row).collect());
    }
    Ok(Some(answer))
}

/// The class, function, module or file around a use.
fn user(store: &Store, kind: DependentKind, entity: Entity, path: &str) -> Result<Option<String>, StoreError> {
    let mut inner = entity;
    Ok(loop {
        let is_user = match kind {
            DependentKind::File => break Some(path.to_owned()),
            DependentKind::Module => break Some(inner.module),
            DependentKind::Class | DependentKind::Exception => inner.record.kind == EntityKind::Class,
            DependentKind::Method => matches!(inner.record.kind, EntityKind::Method | EntityKind::Property),
            DependentKind::Function | DependentKind::Test => inner.record.kind.is_callable(),
            DependentKind::Any => true,
        };
        if is_user {
            break Some(inner.full_name());
        }
        match store.entity(inner.parent)? {
            Some(outer) if outer.id != inner.id => inner = outer,
            _ => break None,
        }
    })
}
