//! Answers about changes and tests: the impact of a change, the calls that pass a parameter, the tests to run.
//!
//! The impact report is the one of `impact`; the question adds the quoted line, the call sites of a parameter and the
//! tests.

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{Answer, AnswerBlock, AnswerInputs, ListRow, names_of, relations::uses, snippet},
        context::lines::LinePlace,
        reading::{intent::Task, names::at_path, plan::Understood, subjects::takes},
    },
    model::{EntityFlags, EntityId, EntityKind},
    query::{
        impact::{ImpactOptions, ImpactReport, completeness::Completeness, impact, walk::factors::Change},
        target::{Target, TargetMatch, look_up},
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Affected definitions that a language model gets to see.
const MAX_SHOWN: usize = 40;

/// Answers with the impact of a change of the subjects.
pub fn impacts(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let plan = &understood.plan;
    let mut answer = Answer::new(plan.clone(), String::new());
    let change = plan.change.unwrap_or_default();
    lines(reading, understood, &mut answer);
    let mut headlines = Vec::new();
    let groups: Vec<&[Target]> =
        // Targets may take different parameters, so with parameters each needs an impact of its own.
        if plan.parameters.is_empty() { vec![&understood.targets] } else { understood.targets.chunks(1).collect() };
    for targets in groups {
        let mut parameter = None;
        for name in &plan.parameters {
            if takes(reading.store, &targets[0], name)? {
                parameter = Some(name.clone());
            }
        }
        for target in targets {
            for entity in &target.entities {
                answer.want(entity, "asked about", false);
            }
        }
        let options =
            ImpactOptions { change, param: parameter.clone(), judged: Vec::new(), limits: reading.limits.clone() };
        let report = impact(reading.store, reading.sources, targets, &options)?;
        headlines.push(headline(targets, change, parameter.as_deref(), &report));
        for impacted in report.impacted.iter().take(MAX_SHOWN) {
            if let Some(entity) = at_path(reading.store, &impacted.name, &impacted.path)? {
                answer.want(&entity, "affected", true);
            }
        }
        answer.bound(report.completeness, report.boundaries.clone());
        answer.blocks.push(AnswerBlock::Impact(Box::new(report)));
    }
    answer.headline = headlines.join("; ");
    Ok(answer)
}

/// Answers with the tests that use the subjects directly, and with those that a change would concern.
pub fn tests(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let targets = &understood.targets;
    let mut is_tested = false;
    for target in targets {
        answer.want(target.main(), "asked about", false);
        let direct = existing_tests(reading, target)?;
        let used = uses(reading, target)?;
        if understood.plan.task == Task::Test {
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
        answer.list(
            format!("tests that use `{name}` themselves ({})", direct.len()),
            direct.iter().map(ListRow::of).collect(),
        );
    }
    let options = ImpactOptions { limits: reading.limits.clone(), ..ImpactOptions::default() };
    let report = impact(reading.store, reading.sources, targets, &options)?;
    answer.bound(report.completeness, report.boundaries);
    let mut rows = Vec::new();
    for id in &report.tests {
        let TargetMatch::Found(target) = look_up(reading.store, id, "")? else { continue };
        let chain = report.impacted.iter().find(|impacted| impacted.name == target.main().full_name());
        let note = chain.map_or_else(String::new, |impacted| match impacted.distance {
            1 => "directly".to_owned(),
            steps => format!("over {steps} steps"),
        });
        rows.push(ListRow { name: id.clone(), ..ListRow::of(target.main()).with(note) });
        is_tested = true;
    }
    let names = names_of(targets);
    let has_tests = reading.store.files()?.iter().any(|(_, file)| file.is_test);
    answer.headline = match (is_tested, has_tests, answer.completeness) {
        (true, ..) => format!("{} concern {names}", count(rows.len(), "test")),
        (false, false, _) => format!("no tests are indexed at all, so none concerns {names}"),
        (false, true, Completeness::Exact) => format!("no test concerns {names}"),
        (false, true, _) => format!("no test was found that concerns {names}, but the index cannot tell everything"),
    };
    answer.list(format!("tests to run after a change ({})", rows.len()), rows);
    Ok(answer)
}

/// The tests that refer directly to a target or its members, by place.
pub fn existing_tests(reading: AnswerInputs, target: &Target) -> Result<Vec<Entity>, StoreError> {
    let store = reading.store;
    let mut ids: Vec<EntityId> = target.entities.iter().map(|entity| entity.id).collect();
    if target.main().record.kind == EntityKind::Class {
        ids.extend(store.children(target.main().id)?.iter().map(|child| child.id));
    }
    let mut seen = BTreeSet::new();
    let mut tests = Vec::new();
    for id in ids {
        for relationship in store.incoming(id)? {
            // A test may refer to several members of the class.
            if !seen.insert(relationship.source) {
                continue;
            }
            let source = store.entity(relationship.source)?;
            tests.extend(source.filter(|entity| entity.record.flags.has(EntityFlags::TEST)));
        }
    }
    tests.sort_by(|a, b| (&a.path, a.record.start_line, a.id).cmp(&(&b.path, b.record.start_line, b.id)));
    Ok(tests)
}

/// Lists the places of the quoted lines before everything else.
fn lines(reading: AnswerInputs, understood: &Understood, answer: &mut Answer) {
    for line in &understood.plan.lines {
        let row = |place: &LinePlace| ListRow {
            name: place.within.clone(),
            kind: "line",
            path: place.path.clone(),
            line: place.line,
            text: place.text.clone(),
            ..ListRow::default()
        };
        answer.list(format!("the line `{}`", line.text), line.places.iter().map(row).collect());
    }
    // A line without its surroundings would explain little.
    if understood.plan.lines.iter().any(|line| !line.places.is_empty()) {
        for target in &understood.targets {
            answer.blocks.push(AnswerBlock::Source(snippet(reading.sources, target.main())));
        }
    }
}

fn headline(targets: &[Target], change: Change, parameter: Option<&str>, report: &ImpactReport) -> String {
    let names = names_of(targets);
    let what = match (parameter, change) {
        (Some(parameter), _) => format!("changing `{parameter}` of {names}"),
        (None, Change::Body) => format!("changing {names}"),
        (None, Change::Signature | Change::Require | Change::KeywordOnly) => {
            format!("changing the signature of {names}")
        }
        (None, Change::Remove) => format!("removing {names}"),
        (None, Change::Rename) => format!("renaming {names}"),
    };
    let direct = report.impacted.iter().filter(|impacted| impacted.distance == 1).count();
    match (report.impacted.len(), report.completeness) {
        (0, Completeness::Exact) => format!("no: nothing depends on {names}, so {what} breaks nothing"),
        (0, _) => format!("no dependent of {names} was found, but the index cannot tell everything"),
        (all, _) => format!(
            "yes, possibly: {what} reaches {}, {direct} of them directly, and {} to run",
            count(all, "entity"),
            if report.tests.is_empty() { "there is no test".to_owned() } else { count(report.tests.len(), "test") }
        ),
    }
}
