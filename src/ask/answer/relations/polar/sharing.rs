//! Yes or no to what two definitions have in common: `used in the same file`, `share a base`, `have a common caller`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            relations::{
                can_be,
                polar::{definition_of, first_of},
            },
        },
        reading::{
            forms::QuestionIntent,
            plan::Understood,
            words::{QuestionWord, is_stop_word},
        },
    },
    model::{EntityId, EntityKind, RelationshipKind},
    query::{
        impact::completeness::{Boundary, Completeness},
        navigate::{
            outside::outside_bases,
            refs::{ReferenceSite, refs},
            tree::{TreeKind, tree},
        },
        target::{Target, lineage},
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// The thing that two definitions may have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SharedThing {
    Base,
    Heir,
    /// The file in which both are defined.
    Home,
    /// A definition of this kind, or a file, around a use of each.
    User(Around, Option<RelationshipKind>),
}

/// The surroundings of a use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    File,
    Function,
    Class,
}

impl Around {
    fn noun(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Function => "function",
            Self::Class => "class",
        }
    }
}

/// Answers whether two definitions have something in common; `None` for other questions.
pub(in crate::ask::answer) fn sharing(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let Some((names, common)) = asked(words) else { return Ok(None) };
    let mut targets = Vec::new();
    for name in names {
        let Some(target) = definition_of(reading.store, understood, &name.text)? else { return Ok(None) };
        targets.push(target);
    }
    let [first, second] = targets.as_slice() else { return Ok(None) };
    let mut asked = understood.clone();
    asked.plan.subjects.retain(|subject| targets.iter().any(|target| target.main().full_name() == subject.name));
    let plan = asked.read_as(QuestionIntent::Compare).plan;
    let mut answer = Answer::new(plan, String::new());
    answer.command = understood.plan.ask_command();
    for target in [first, second] {
        answer.want(target.main(), "asked about", false);
    }
    answer.headline = match common {
        SharedThing::Base => bases_of_both(reading.store, first, second, &mut answer)?,
        SharedThing::Heir => heirs_of_both(reading.store, first, second, &mut answer)?,
        SharedThing::Home => homes(first, second),
        SharedThing::User(around, verb) => users_of_both(reading, (first, second), around, verb, &mut answer)?,
    };
    Ok(Some(answer))
}

/// The two names of a question, and the thing that they may have in common.
fn asked(words: &[QuestionWord]) -> Option<([&QuestionWord; 2], SharedThing)> {
    let lower: Vec<String> = words.iter().map(QuestionWord::lower).collect();
    let is_whether = matches!(lower.first().map(String::as_str), Some("are" | "do" | "does" | "is" | "were"));
    let joint = lower.iter().position(|word| word == "and").filter(|at| is_whether && *at > 1)?;
    let is_around = |word: &str| matches!(word, "the" | "both" | "class" | "classes" | "function" | "functions");
    let first = joint - 1;
    let second = (joint + 1..words.len()).find(|at| !is_around(&lower[*at]))?;
    // Between `are` and the first name stands nothing that names something else.
    if !lower[1..first].iter().all(|word| is_around(word)) || is_stop_word(&lower[second]) {
        return None;
    }
    let rest: Vec<&str> = lower[second + 1..].iter().map(String::as_str).collect();
    let names = [&words[first], &words[second]];
    let (verb, place) = rest.split_first()?;
    let thing = |word: &str| match word {
        "base" | "bases" | "parent" | "superclass" | "ancestor" | "ancestors" => Some(SharedThing::Base),
        "subclass" | "subclasses" | "heir" | "child" | "descendant" => Some(SharedThing::Heir),
        "caller" | "callers" => Some(SharedThing::User(Around::Function, Some(RelationshipKind::Calls))),
        "user" | "users" => Some(SharedThing::User(Around::Function, None)),
        "file" | "module" => Some(SharedThing::Home),
        _ => None,
    };
    match (*verb, place) {
        ("share" | "have", rest) => {
            let is_common = *verb == "share" || rest.iter().any(|word| matches!(*word, "common" | "same"));
            let plain = |word: &&&str| {
                !matches!(**word, "a" | "an" | "any" | "the" | "common" | "same" | "in" | "some" | "base" | "parent")
            };
            let noun = rest.iter().find(|word| thing(word).is_some())?;
            // `a base class` is a base.
            let further =
                rest.iter().filter(plain).filter(|word| *word != noun && !matches!(**word, "class" | "classes"));
            // `the same callers` are all of them, not one.
            let is_all = rest.contains(&"same") && noun.ends_with('s');
            (is_common && !is_all && further.count() == 0).then_some((names, thing(noun)?))
        }
        (done, ["in" | "by" | "from" | "inside" | "within", "the", "same", noun]) => {
            let around = match *noun {
                "file" | "module" => Around::File,
                "function" | "method" | "place" => Around::Function,
                "class" => Around::Class,
                _ => return None,
            };
            let verb = match done {
                "called" | "invoked" => Some(RelationshipKind::Calls),
                "imported" => Some(RelationshipKind::Imports),
                "raised" => Some(RelationshipKind::Raises),
                "used" | "referenced" | "needed" => None,
                "defined" | "declared" | "live" | "located" | "stand" if around == Around::File => {
                    return Some((names, SharedThing::Home));
                }
                _ => return None,
            };
            Some((names, SharedThing::User(around, verb)))
        }
        _ => None,
    }
}

fn both(first: &Target, second: &Target) -> String {
    format!("`{}` and `{}`", first.main().full_name(), second.main().full_name())
}

/// The first things in common, as a headline has them.
fn listed(names: &[String]) -> String {
    first_of(names.iter().map(|name| format!("`{name}`")))
}

fn bases_of_both(store: &Store, first: &Target, second: &Target, answer: &mut Answer) -> Result<String, StoreError> {
    let pair = both(first, second);
    let classes = [first.main(), second.main()];
    if let Some(other) = classes.iter().find(|one| one.record.kind != EntityKind::Class) {
        return Ok(format!("`{}` is no class, so it has no base to share", other.full_name()));
    }
    let mut sides: Vec<(BTreeSet<EntityId>, BTreeSet<String>)> = Vec::new();
    for class in classes {
        let above = lineage(store, class.id)?;
        let mut outside: BTreeSet<String> = outside_bases(store, class)?.into_iter().collect();
        for id in &above {
            if let Some(base) = store.entity(*id)? {
                outside.extend(outside_bases(store, &base)?);
            }
        }
        outside.remove("object");
        sides.push((above.into_iter().collect(), outside));
    }
    let mut names = Vec::new();
    for id in sides[0].0.intersection(&sides[1].0) {
        names.extend(store.entity(*id)?.map(|base| (base.path.clone(), base)));
    }
    names.sort_by(|a, b| (&a.0, a.1.record.line).cmp(&(&b.0, b.1.record.line)));
    let rows: Vec<ListRow> = names.iter().map(|(_, base)| ListRow::of(base)).collect();
    let mut names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    names.extend(sides[0].1.intersection(&sides[1].1).cloned());
    answer.list(format!("bases of both ({})", rows.len()), rows);
    let is_above = |base: &Entity, heir: usize| sides[heir].0.contains(&base.id);
    let own = match (is_above(classes[0], 1), is_above(classes[1], 0)) {
        (true, _) => format!("; `{}` is itself a base of `{}`", classes[0].record.name, classes[1].record.name),
        (_, true) => format!("; `{}` is itself a base of `{}`", classes[1].record.name, classes[0].record.name),
        _ => String::new(),
    };
    Ok(match names.len() {
        0 => format!("no: no class is a base of both {pair}{own}"),
        all => format!("yes: {pair} share {}: {}{own}", count(all, "base"), listed(&names)),
    })
}

fn heirs_of_both(store: &Store, first: &Target, second: &Target, answer: &mut Answer) -> Result<String, StoreError> {
    let below: BTreeSet<EntityId> = tree(store, first, TreeKind::Subclasses)?.entities().into_iter().collect();
    let mut rows = Vec::new();
    for id in tree(store, second, TreeKind::Subclasses)?.entities() {
        if below.contains(&id) {
            rows.extend(store.entity(id)?.as_ref().map(ListRow::of));
        }
    }
    let names: Vec<String> = rows.iter().map(|row: &ListRow| row.name.clone()).collect();
    answer.list(format!("subclasses of both ({})", rows.len()), rows);
    let pair = both(first, second);
    Ok(match names.len() {
        0 => format!("no: no class derives from both {pair}"),
        all => format!(
            "yes: {} from both {pair}: {}",
            if all == 1 { "1 class derives".to_owned() } else { format!("{all} classes derive") },
            listed(&names)
        ),
    })
}

fn homes(first: &Target, second: &Target) -> String {
    let (one, other) = (first.main(), second.main());
    let place = |entity: &Entity| format!("{}:{}", entity.path, entity.record.start_line);
    let pair = both(first, second);
    if one.file == other.file {
        return format!("yes: {pair} are both defined in {}", one.path);
    }
    format!("no: {pair} are defined in two files ({}, {})", place(one), place(other))
}

/// The surroundings of uses, by the text that names them.
type Surroundings = BTreeMap<String, Option<Entity>>;

fn users_of_both(
    reading: AnswerInputs,
    (first, second): (&Target, &Target),
    around: Around,
    verb: Option<RelationshipKind>,
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let counts = |site: &&ReferenceSite| match verb {
        Some(verb) => site.kind == verb,
        // An import alone is no use.
        None => site.kind != RelationshipKind::Imports,
    };
    let (mut sure, mut open): (Vec<Surroundings>, Vec<Surroundings>) = (Vec::new(), Vec::new());
    for target in [first, second] {
        let report = refs(reading.store, reading.sources, target, true)?;
        let known = report.references.iter().filter(counts);
        sure.push(surroundings(reading.store, known, around)?);
        let possible = report.possible.iter().filter(|site| can_be(site.kind, verb));
        open.push(surroundings(reading.store, possible, around)?);
    }
    let shared: Vec<&String> = sure[0].keys().filter(|key| sure[1].contains_key(*key)).collect();
    let has = |side: usize, key: &String| sure[side].contains_key(key) || open[side].contains_key(key);
    let possible = sure[0].keys().chain(open[0].keys()).filter(|key| has(1, key)).collect::<BTreeSet<_>>().len();
    let noun = around.noun();
    let done = match verb {
        Some(RelationshipKind::Calls) => "called",
        Some(RelationshipKind::Imports) => "imported",
        Some(RelationshipKind::Raises) => "raised",
        _ => "used",
    };
    let rows: Vec<ListRow> = shared.iter().map(|key| row(key, &sure[0])).collect();
    let names: Vec<String> = shared.into_iter().cloned().collect();
    let pair = both(first, second);
    answer.list(format!("where both are {done} ({})", rows.len()), rows);
    if possible > names.len() {
        let message = "occurrences that are not resolved could be further uses".to_owned();
        answer.bound(Completeness::LowerBound, [Boundary::new("unresolved", possible, message)]);
    }
    Ok(match (names.len(), possible) {
        (0, 0) => format!("no: there is no {noun} in which both {pair} are {done}"),
        (0, open) => format!(
            "perhaps: no {noun} is known in which both {pair} are {done}, but unresolved occurrences could make it {}",
            count(open, noun)
        ),
        (all, _) => format!("yes: {pair} are both {done} in {}: {}", count(all, noun), listed(&names)),
    })
}

fn row(key: &str, side: &Surroundings) -> ListRow {
    match side.get(key) {
        Some(Some(entity)) => ListRow::of(entity),
        _ => ListRow { name: key.to_owned(), kind: "file", path: key.to_owned(), line: 1, ..ListRow::default() },
    }
}

/// The files, functions or classes around places.
fn surroundings<'s>(
    store: &Store,
    sites: impl Iterator<Item = &'s ReferenceSite>,
    around: Around,
) -> Result<Surroundings, StoreError> {
    let mut found = Surroundings::new();
    for site in sites {
        if around == Around::File {
            found.insert(site.path.clone(), None);
            continue;
        }
        let mut next = store.entity(site.holder)?;
        while let Some(entity) = next {
            let fits = match around {
                Around::Class => entity.record.kind == EntityKind::Class,
                _ => entity.record.kind.is_callable(),
            };
            if fits {
                found.insert(entity.full_name(), Some(entity));
                break;
            }
            next = if entity.record.qualified.is_empty() { None } else { store.entity(entity.parent)? };
        }
    }
    Ok(found)
}
