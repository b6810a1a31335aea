//! The tree of calls from a definition, step by step, with the branches in which they stand.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Calls, DEEPEST, LIKELY, MAX_FIRST, MAX_TREE, MAX_WHOLE_TREE, branches::Branches, readers_of_filled, with_members,
};
use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, changes::transitive::within, short_name},
        reading::{plan::Understood, words::is_in},
    },
    model::{EntityId, EntityKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        target::implementation,
        words::count,
    },
    store::{error::StoreError, read::Entity},
};

/// Tells what a definition calls, over several steps: a tree, nearest calls first.
pub fn flow(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut calls = Calls::default();
    let mut files = BranchesOfFiles::default();
    let mut headlines = Vec::new();
    let tests = reading.store.test_files()?;
    let words = understood.question.lower_words();
    let steps = within(&words);
    let deepest = steps.map_or(DEEPEST, |steps| steps as usize);
    let asks_for_all = steps.is_some() || words.iter().any(|word| is_in("tree transitive transitively callees", word));
    let most = if asks_for_all { MAX_WHOLE_TREE } else { MAX_TREE };
    for target in &understood.targets {
        let main = target.main();
        answer.want(main, "asked about", false);
        // Level by level, so that a long first branch does not take the room of the others.
        let begin = target.implementation();
        let mut nodes: Vec<(Entity, u32, usize, usize)> = vec![(begin.clone(), begin.record.line, 0, 0)];
        let mut seen: BTreeSet<EntityId> = target.entities.iter().map(|entity| entity.id).collect();
        // The program calls nothing of a test, though its value may be an object of one.
        let is_program = !tests.contains(&main.file);
        let mut at = 0;
        while at < nodes.len() {
            let (entity, _, _, depth) = nodes[at].clone();
            let inside = if entity.record.kind == EntityKind::Class && depth == 0 {
                with_members(reading, target)?
            } else {
                vec![entity]
            };
            for caller in inside.iter().filter(|_| depth < deepest) {
                for step in calls.from(reading, caller)? {
                    let Some(called) = reading.store.entity(step.target)? else { continue };
                    let called = implementation(reading.store, called)?;
                    let is_part = called.record.kind.is_callable()
                        && step.basis.probability() >= LIKELY
                        && !(is_program && tests.contains(&called.file));
                    if is_part && nodes.len() <= most && seen.insert(called.id) {
                        nodes.push((called, step.line, at, depth + 1));
                    }
                }
            }
            at += 1;
        }
        let mut order = vec![0];
        let mut rows = Vec::new();
        while let Some(at) = order.pop() {
            order.extend((1..nodes.len()).rev().filter(|child| nodes[*child].2 == at));
            let (entity, line, parent, depth) = &nodes[at];
            let Some(caller) = nodes.get(*parent).filter(|_| at > 0) else { continue };
            let text = reading.sources.line(&caller.0.path, *line).unwrap_or_default();
            answer.want(entity, "called on the way", true);
            let condition = files.of(reading, &caller.0.path).condition(*line);
            let note = if condition.is_empty() { text } else { format!("{condition}: {text}") };
            rows.push(ListRow {
                name: format!("{}{}", "  ".repeat(depth - 1), short_name(entity)),
                kind: "calls",
                path: caller.0.path.clone(),
                line: *line,
                note,
                ..ListRow::default()
            });
        }
        let steps = nodes[1..].iter().filter(|node| node.3 == 1).map(|node| (node.1, &node.0));
        // The methods of a class have no order among them.
        let is_class = begin.record.kind == EntityKind::Class;
        let none = Branches::default();
        let first = sentence(if is_class { &none } else { files.of(reading, &begin.path) }, steps);
        if first.is_empty()
            && let Some(headline) = readers_of_filled(reading, main, &mut answer)?
        {
            headlines.push(headline);
            continue;
        }
        headlines.push(match first.len() {
            0 => format!("`{}` calls nothing of the repository", main.full_name()),
            all if all > MAX_FIRST => {
                let more = count(all - MAX_FIRST, "definition");
                format!("`{}` calls {}, and {more} more", short_name(main), first[..MAX_FIRST].concat())
            }
            _ => format!("`{}` calls {}", short_name(main), first.concat()),
        });
        if asks_for_all && !rows.is_empty() {
            let least = if nodes.len() > most { "at least " } else { "" };
            let all = count(rows.len(), "definition");
            let said = format!("; over at most {} it reaches {least}{all}", count(deepest, "step"));
            headlines.iter_mut().last().into_iter().for_each(|headline| headline.push_str(&said));
        }
        answer.list(format!("calls from `{}`, step by step ({})", short_name(main), rows.len()), rows);
    }
    answer.headline = headlines.join("; ");
    let message = "calls that are more certain than not; conditions are read off the lines".to_owned();
    answer.bound(Completeness::LowerBound, [Boundary::new("flow", 1, message)]);
    Ok(answer)
}

/// The calls of one function as the parts of a sentence: `a`, then `b` (if `x`), or `c` (otherwise).
fn sentence<'e>(branches: &Branches, steps: impl Iterator<Item = (u32, &'e Entity)>) -> Vec<String> {
    let steps: Vec<(u32, &Entity)> = steps.collect();
    let is_other = |at: usize| at > 0 && branches.exclude_each_other(steps[at - 1].0, steps[at].0);
    let part = |(at, (line, entity)): (usize, &(u32, &Entity))| {
        let joint = match at {
            0 => "",
            _ if is_other(at) => " or ",
            _ => ", then ",
        };
        // The first of several that exclude each other.
        let either = if !is_other(at) && at + 1 < steps.len() && is_other(at + 1) { "either " } else { "" };
        let condition = branches.condition(*line);
        let condition = if condition.is_empty() { condition } else { format!(" ({condition})") };
        format!("{joint}{either}`{}`{condition}", short_name(entity))
    };
    steps.iter().enumerate().map(part).collect()
}

/// The branches of files, each file read once.
#[derive(Default)]
struct BranchesOfFiles {
    read: BTreeMap<String, Branches>,
}

impl BranchesOfFiles {
    fn of(&mut self, reading: AnswerInputs, path: &str) -> &Branches {
        self.read
            .entry(path.to_owned())
            .or_insert_with(|| Branches::of(&reading.sources.text(path).unwrap_or_default()))
    }
}
