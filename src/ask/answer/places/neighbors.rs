//! The definitions beside one: `which method comes after X`, `what is defined before X`, `what is the parent of X`.
//!
//! The first and the last one of a class are told too, and those between two.
//!
//! The order is that of the file, as `repoidx show` tells it. It says nothing of which one runs first.

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, first_in_words, short_name, survey::modules},
        reading::{
            forms::{QuestionIntent, patterns::captured},
            names::meanings,
            plan::Understood,
            words::is_in,
        },
    },
    model::EntityKind,
    query::{
        navigate::show::siblings,
        target::{
            Target,
            likeliest::{is_aside, likeliest},
        },
        words::count,
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

/// Names that a headline has.
const MAX_NAMED: usize = 8;

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

/// Wordings for the first or last definition of a class or module, `A`.
const OF_ORDER: [&str; 2] = [
    "(what/which/show/list/give/tell/name/what's) (is/me) (is) (the) first/last (public) \
     method/function/class/property/attribute/constant/variable/definition (that) (is) (defined/declared) of/in/inside (the) \
     (class/module/file) A",
    "which/what method/function/class/property/attribute/constant/variable/definition is/comes/stands (defined) (the) \
     first/last of/in/inside (the) (class/module/file) A",
];
/// Wordings for the definitions that stand between `A` and `B`.
const OF_MIDDLE: [&str; 5] = [
    "what/what's (is/stands/comes/lies/sits) (defined/there) between A and B",
    "what/what's (is/stands/comes/lies/sits) (defined/there) between A and B in/of/inside (the) (class/file/module) C",
    "(show/list) (me) (what/which) (the) methods/functions/classes/definitions/members/properties/attributes/variables (that) \
     (is/are/stand/come/lie/sit) (defined) between A and B in/of/inside (the) (class/file/module) C",
    "(show/list) (me) (what/which) (the) methods/functions/classes/definitions/members/properties/attributes/variables (that) \
     (is/are/stand/come/lie/sit) (defined) between A and B",
    "show/list (me) (everything/all/what) (is) (defined) between A and B",
];

/// Answers what stands beside a definition; `None` for other questions.
pub(in crate::ask::answer) fn neighbors(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    if let Some(answer) = first_or_last(reading, understood)? {
        return Ok(Some(answer));
    }
    if let Some(answer) = in_the_middle(reading, understood)? {
        return Ok(Some(answer));
    }
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
    let kinds = kinds_of(&asked.kind);
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
        let is_meant = |entity: &&Entity| is_meant(kinds, entity);
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
    if asked.side == AskedSide::Parent {
        let mut parents = Vec::new();
        for target in &targets {
            let parent = reading.store.entity(target.main().parent)?;
            parents.extend(parent.map(|parent| format!("`{}` ({})", short_name(&parent), place_of(target.main()))));
        }
        let name = &targets[0].main().record.name;
        let parents = first_in_words(parents.into_iter(), MAX_NAMED);
        answer.headline = format!("{} of `{name}`: in {parents}", count(targets.len(), "definition"));
    }
    Ok(Some(answer))
}

/// Answers which definition is the first or last one of a class or module.
fn first_or_last(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.as_str()).collect();
    let Some(captured) = OF_ORDER.iter().find_map(|form| captured(form, &words)) else { return Ok(None) };
    let lower = understood.question.lower_words();
    let said = |word: &&String| is_in("class function method property attribute constant variable definition", word);
    let (Some(kind), Some(order)) = (lower.iter().find(said), lower.iter().find(|word| is_in("first last", word)))
    else {
        return Ok(None);
    };
    let kinds = kinds_of(kind);
    let mut plan = understood.plan.clone();
    plan.files.retain(|file| file.mention == captured["A"][0]);
    let mut owners = modules(reading.store, &plan)?;
    owners.extend(named_so(understood, captured["A"][0]));
    owners.retain(|owner| matches!(owner.main().record.kind, EntityKind::Class | EntityKind::Module));
    if owners.is_empty() {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    answer.command = understood.plan.ask_command();
    let (mut headlines, mut rows) = (Vec::new(), Vec::new());
    for owner in &owners {
        let mut members = reading.store.children(owner.main().id)?;
        members.retain(|one| is_meant(kinds, one));
        members.sort_by_key(|one| one.record.start_line);
        let found = if order == "first" { members.first() } else { members.last() };
        let name = owner.main().full_name();
        headlines.push(match found {
            Some(one) => format!("the {order} {kind} of `{name}` is `{}` ({})", short_name(one), place_of(one)),
            None => format!("`{name}` has no {kind}"),
        });
        if let Some(one) = found {
            answer.want(one, "is asked for", false);
            rows.push(ListRow::of(one));
        }
    }
    answer.headline = headlines.join("; ");
    answer.list(format!("the {order} {kind} ({})", rows.len()), rows);
    Ok(Some(answer))
}

/// Answers what stands between two definitions of one class or module.
fn in_the_middle(reading: AnswerInputs, understood: &Understood) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.question.words.iter().map(|word| word.text.as_str()).collect();
    let Some(captured) = OF_MIDDLE.iter().find_map(|form| captured(form, &words)) else { return Ok(None) };
    let (first, second) = (named_so(understood, captured["A"][0]), named_so(understood, captured["B"][0]));
    let is_beside = |a: &Target, b: &Target| {
        let (a, b) = (a.main(), b.main());
        a.parent == b.parent && a.id != b.id && a.record.kind != EntityKind::Module
    };
    let mut pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
    let Some((a, b)) = pairs.find(|(a, b)| is_beside(a, b)) else { return Ok(None) };
    let lower = understood.question.lower_words();
    let kind = lower.iter().find(|word| KINDS.iter().any(|(names, _)| is_in(names, word)));
    let kinds = kind.map_or(&[][..], |kind| kinds_of(kind));
    let mut ends = [a.main(), b.main()];
    ends.sort_by_key(|one| one.record.start_line);
    let between = ends[0].record.start_line..ends[1].record.start_line;
    let mut found = reading.store.children(a.main().parent)?;
    found.retain(|one| {
        let is_end = a.entities.iter().chain(&b.entities).any(|end| end.id == one.id);
        between.contains(&one.record.start_line) && !is_end && is_meant(kinds, one)
    });
    found.sort_by_key(|one| one.record.start_line);
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    answer.command = understood.plan.ask_command();
    let noun = match kind.map(String::as_str) {
        Some("class" | "classes") => "class",
        Some("function" | "functions") => "function",
        Some("method" | "methods") => "method",
        _ => "definition",
    };
    let (a, b) = (short_name(ends[0]), short_name(ends[1]));
    let named = first_in_words(found.iter().map(|one| format!("`{}`", short_name(one))), MAX_NAMED);
    let stand = if found.len() == 1 { "stands" } else { "stand" };
    answer.headline = match found.len() {
        0 => format!("no {noun} stands between `{a}` and `{b}` ({})", place_of(ends[0])),
        all => format!("{} {stand} between `{a}` and `{b}`: {named}", count(all, noun)),
    };
    for one in &found {
        answer.want(one, "is asked for", false);
    }
    answer.count(found.len(), noun);
    answer.list(format!("between `{a}` and `{b}` ({})", found.len()), found.iter().map(ListRow::of).collect());
    Ok(Some(answer))
}

/// The definitions that a word of the question names.
fn named_so(understood: &Understood, word: &str) -> Vec<Target> {
    let word = word.trim_matches('`');
    let subjects = understood.plan.subjects.iter().zip(&understood.targets);
    subjects.filter(|(one, _)| one.mention == word).map(|(_, target)| target.clone()).collect()
}

/// The kinds that a word asks for; none for all.
fn kinds_of(word: &str) -> &'static [EntityKind] {
    KINDS.iter().find(|(names, _)| is_in(names, word)).map_or(&[], |(_, kinds)| kinds)
}

/// Whether a definition is of one of the kinds.
fn is_meant(kinds: &[EntityKind], entity: &Entity) -> bool {
    kinds.is_empty() || kinds.contains(&entity.record.kind)
}

fn place_of(entity: &Entity) -> String {
    format!("{}:{}", entity.path, entity.record.start_line)
}

/// The sentence for one definition with its parent, the one before it and the one behind it.
fn headline(
    name: &str,
    asked: &AskedNeighbor,
    (parent, previous, next): (Option<&Entity>, Option<&Entity>, Option<&Entity>),
) -> String {
    let said = |entity: &Entity| {
        format!("the {} `{}` ({})", entity.record.kind.as_str(), short_name(entity), place_of(entity))
    };
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
    // `which class is send in` asks for every one of them.
    let asks_for_all = asked.side == AskedSide::Parent && !word.text.contains('.') && asked.place.is_none();
    let is_open = targets.is_empty() || asks_for_all;
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
        if asks_for_all {
            return Ok(targets);
        }
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
