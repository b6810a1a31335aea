//! The definitions beside one: `which method comes after X`, `what is defined before X`, `what is the parent of X`.
//!
//! The order is that of the file, as `repoidx show` tells it. It says nothing of which one runs first.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, short_name},
        reading::{forms::QuestionIntent, names::meanings, plan::Understood, words::is_in},
    },
    model::EntityKind,
    query::{
        navigate::show::siblings,
        target::{
            Target,
            likeliest::{is_aside, likeliest},
        },
    },
    store::{error::StoreError, read::Entity},
};

const AFTER: &str = "after behind follow following follows next";
const BEFORE: &str = "before precede precedes preceding previous prior";
const AROUND: &str = "neighbor neighborhood neighboring neighbors neighbour neighbourhood neighbouring neighbours";
/// Words of such a question that say nothing more. The code that is called or runs before something is not in this
/// order.
const PLAIN: &str = "a an and are by comes declared defined definition definitions directly does file for found give goes have \
     immediately is its just lie lies list located me name of one ones order please right same show sits source stand \
     stands tell that the there to us what which who written come code print get parent or";
/// Words before the file, module or class.
const IN: &str = "from in inside within";
const KINDS: [(&str, &[EntityKind]); 4] = [
    ("class classes", &[EntityKind::Class]),
    ("function functions method methods", &[EntityKind::Function, EntityKind::Method, EntityKind::Property]),
    ("property properties", &[EntityKind::Property]),
    ("attribute attributes constant constants field fields variable variables", &[EntityKind::Variable]),
];

/// The side that a question asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AskedSide {
    Before,
    After,
    Both,
    Parent,
}

/// A question for neighbors.
#[derive(Debug, PartialEq, Eq)]
struct AskedNeighbor {
    side: AskedSide,
    /// The kind that is looked for, as it is said and as it is stored; any where it is empty.
    kind: String,
    /// The numbers of the words for the definition and for its place.
    subject: usize,
    place: Option<usize>,
}

/// Answers what stands beside a definition; `None` for other questions.
pub(in crate::ask::answer) fn neighbors(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let lower = understood.question.lower_words();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let Some(asked) = asked_neighbor(&lower) else { return Ok(None) };
    let targets = subjects(reading, understood, &asked)?;
    // The parent of a class is its base, and that of one method is told with what it overrides.
    let has_bases = |target: &Target| matches!(target.main().record.kind, EntityKind::Class | EntityKind::Module);
    let is_hierarchy = targets.len() < 2 || targets.iter().any(has_bases);
    if targets.is_empty() || asked.side == AskedSide::Parent && is_hierarchy {
        return Ok(None);
    }
    let kinds: &[EntityKind] =
        KINDS.iter().find(|(names, _)| is_in(names, &asked.kind)).map_or(&[], |(_, kinds)| kinds);
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    answer.plan.unknown.clear();
    let names: Vec<String> = targets.iter().map(|target| target.main().full_name()).collect();
    answer.command = format!("repoidx show {}", names[0]);
    let mut headlines = Vec::new();
    for (target, name) in targets.iter().zip(&names) {
        let main = target.main();
        answer.want(main, "asked about", false);
        let all = siblings(reading.store, main)?;
        let own = |entity: &Entity| target.entities.iter().any(|one| one.id == entity.id);
        let is_meant = |entity: &&Entity| kinds.is_empty() || kinds.contains(&entity.record.kind);
        let first = all.iter().position(&own).unwrap_or_default();
        let last = all.iter().rposition(&own).unwrap_or_default();
        let previous = all[..first].iter().rev().find(is_meant);
        let next = all.get(last + 1..).unwrap_or_default().iter().find(is_meant);
        let parent = reading.store.entity(main.parent)?;
        headlines.push(headline(name, &asked, (parent.as_ref(), previous, next)));
        let sides = [("parent", parent.as_ref()), ("previous", previous), ("next", next)];
        let rows: Vec<ListRow> =
            sides.iter().filter_map(|(side, entity)| Some(ListRow::of((*entity)?).with(*side))).collect();
        answer.list(format!("around `{name}` ({})", rows.len()), rows);
    }
    answer.headline = headlines.join("; ");
    Ok(Some(answer))
}

/// The sentence for one definition with its parent, the one before it and the one behind it.
fn headline(
    name: &str,
    asked: &AskedNeighbor,
    (parent, previous, next): (Option<&Entity>, Option<&Entity>, Option<&Entity>),
) -> String {
    let place = |entity: &Entity| format!("{}:{}", entity.path, entity.record.start_line);
    let said =
        |entity: &Entity| format!("the {} `{}` ({})", entity.record.kind.as_str(), short_name(entity), place(entity));
    let of_parent = parent.map(|parent| format!("`{}`", short_name(parent))).unwrap_or_default();
    let no = match asked.kind.as_str() {
        "" => "nothing".to_owned(),
        "classes" => "no class".to_owned(),
        kind => format!("no {}", kind.strip_suffix('s').filter(|_| kind != "class").unwrap_or(kind)),
    };
    let before = || {
        previous.map_or_else(
            || format!("{no} stands before it in {of_parent}"),
            |one| format!("before it stands {}", said(one)),
        )
    };
    let after = || {
        next.map_or_else(
            || format!("{no} stands after it in {of_parent}"),
            |one| format!("after it stands {}", said(one)),
        )
    };
    match (asked.side, parent) {
        (AskedSide::Parent, Some(parent)) => format!("the parent of `{name}` is {}", said(parent)),
        (AskedSide::Parent, None) => format!("`{name}` has no parent"),
        (AskedSide::Before, _) => match previous {
            Some(one) => format!("before `{name}` stands {}", said(one)),
            None => format!("{no} stands before `{name}` in {of_parent}"),
        },
        (AskedSide::After, _) => match next {
            Some(one) => format!("after `{name}` stands {}", said(one)),
            None => format!("{no} stands after `{name}` in {of_parent}"),
        },
        (AskedSide::Both, _) => {
            let parent = parent.map_or_else(
                || "it has no parent".to_owned(),
                |one| format!("the parent of `{name}` is {}", said(one)),
            );
            format!("{parent}; {}; {}", before(), after())
        }
    }
}

/// Reads a question for neighbors; `None` where it has words that say more.
fn asked_neighbor(words: &[&str]) -> Option<AskedNeighbor> {
    let (mut sides, mut kind, mut rest) = (Vec::new(), String::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        let is_kind = KINDS.iter().any(|(names, _)| is_in(names, word));
        match word {
            word if is_in(AFTER, word) => sides.push(AskedSide::After),
            word if is_in(BEFORE, word) => sides.push(AskedSide::Before),
            word if is_in(AROUND, word) => sides.push(AskedSide::Both),
            // `the function after the class Cart`: the first kind is the one that is looked for.
            word if is_kind && kind.is_empty() && sides.is_empty() => (*word).clone_into(&mut kind),
            word if is_kind
                && kind.is_empty()
                && sides.len() == 1
                && is_in("next previous following preceding neighboring", words[at - 1]) =>
            {
                (*word).clone_into(&mut kind);
            }
            word if is_kind || is_in(PLAIN, word) => {}
            word if is_in(IN, word) => rest.push((at, true)),
            _ => rest.push((at, false)),
        }
    }
    let (subject, place) = match rest.as_slice() {
        [(subject, false)] => (*subject, None),
        [(subject, false), (_, true), (place, false)] => (*subject, Some(*place)),
        _ => return None,
    };
    let has_parent = words.contains(&"parent");
    sides.dedup();
    let side = match (sides.as_slice(), has_parent) {
        ([], true) => AskedSide::Parent,
        ([], false) => return None,
        // `the next method after X`
        ([one], false) => *one,
        _ => AskedSide::Both,
    };
    // `before X` alone is no question.
    let is_asked = is_in("which what who show list give name tell print next previous", words.first()?);
    is_asked.then_some(AskedNeighbor { side, kind, subject, place })
}

/// The definitions that the words name.
fn subjects(reading: AnswerInputs, understood: &Understood, asked: &AskedNeighbor) -> Result<Vec<Target>, StoreError> {
    let word = &understood.question.words[asked.subject];
    let named = understood.plan.subjects.iter().zip(&understood.targets);
    let is_it = |mention: &str| mention == word.text || mention.ends_with(&format!(".{}", word.text));
    let is_definition = |target: &Target| target.main().record.kind != EntityKind::Module;
    let mut targets: Vec<Target> = named
        .filter(|(one, target)| is_it(&one.mention) && is_definition(target))
        .map(|(_, target)| target.clone())
        .collect();
    let is_open = targets.is_empty();
    if is_open {
        targets = meanings(reading.store, &word.text, None, true, "")?.targets;
        targets.retain(is_definition);
    }
    if let Some(place) = asked.place {
        let place = &understood.question.words[place];
        let of_files = |path: &str| understood.plan.files.iter().any(|file| file.paths.iter().any(|one| one == path));
        let owners = meanings(reading.store, &place.text, None, true, "")?.targets;
        targets.retain(|target| {
            let main = target.main();
            of_files(&main.path)
                || owners.iter().any(|owner| main.full_name().starts_with(&format!("{}.", owner.main().full_name())))
        });
        return Ok(targets);
    }
    if is_open {
        targets.retain(|target| !is_aside(&target.main().path));
        targets = likeliest(reading.store, &word.text, targets)?.0;
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_neighbors_has_no_further_words() {
        let check = |question: &str| {
            let words: Vec<&str> = question.split(' ').collect();
            asked_neighbor(&words).map(|asked| (asked.side, asked.kind, words[asked.subject].to_owned()))
        };
        let found = |side, kind: &str, name: &str| Some((side, kind.to_owned(), name.to_owned()));
        assert_eq!(check("which method comes after cart.total"), found(AskedSide::After, "method", "cart.total"));
        assert_eq!(check("what is the next class after cart"), found(AskedSide::After, "class", "cart"));
        assert_eq!(check("what is defined before the function total"), found(AskedSide::Before, "", "total"));
        assert_eq!(check("which function follows total in shop.cart"), found(AskedSide::After, "function", "total"));
        assert_eq!(check("show the neighbors of total"), found(AskedSide::Both, "", "total"));
        assert_eq!(check("what is the parent of total"), found(AskedSide::Parent, "", "total"));
        assert_eq!(check("what is called after total"), None);
        assert_eq!(check("which function runs before total"), None);
        assert_eq!(check("what is total"), None);
    }
}
