//! The classes above and below a class, and those that define a member or lack it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow,
            definitions::{metaclass::classes_made_by, resolution_order::resolution_order},
            in_words,
            relations::{
                MAX_NAMED, Within,
                namesakes::below_namesakes,
                overrides::{class_overrides, overridden, overridden_namesakes},
            },
        },
        reading::{
            filters::Noun,
            forms::QuestionIntent,
            names::at_path,
            plan::Understood,
            words::{ParsedQuestion, is_in},
        },
    },
    model::{EntityFlags, EntityId, EntityKind, RelationshipKind, conventions::last_part},
    query::{
        navigate::{
            outside::outside_bases,
            tree::{TreeKind, TreeNode, tree},
        },
        target::{
            Target, bases,
            filter::{Filter, FilterReader, drop_stubs},
            likeliest::is_aside,
            lineage,
        },
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Lists bases and subclasses, direct and indirect ones apart.
pub(crate) fn hierarchy(reading: AnswerInputs, understood: &Understood) -> Result<Answer, StoreError> {
    let store = reading.store;
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    let mut headlines = Vec::new();
    // `who derives from C but lacks m`: the member divides the classes.
    let is_class = |target: &&Target| target.main().record.kind == EntityKind::Class;
    let has_class = understood.targets.iter().any(|target| is_class(&target));
    if !has_class && let Some(headline) = defined(understood, &mut answer) {
        answer.headline = headline;
        return Ok(answer);
    }
    let is_class_name = |target: &Target| {
        let classes = understood.targets.iter().filter(is_class);
        classes.into_iter().any(|class| class.main().record.name == target.main().record.name)
    };
    let mut callables = understood.targets.iter().filter(|target| target.main().record.kind.is_callable());
    // `every retry strategy below Base` has a member's name in it, and divides nothing.
    let member = callables.find(|target| has_class && !is_class_name(target)).filter(|_| divides(understood));
    // `m of C, overridden in which subclasses` asks for the methods; who lacks one is a question about classes.
    if let Some(member) = member.filter(|_| !wants_lack(understood))
        && understood.targets.iter().any(|target| target.main().id == member.main().parent)
    {
        answer.headline = overridden(reading, understood, member, &mut answer)?;
        return Ok(answer);
    }
    if let Some(headline) = resolution_order(reading, understood, &mut answer)? {
        answer.headline = headline;
        return Ok(answer);
    }
    if let Some(headline) = class_overrides(reading, understood, &mut answer)? {
        answer.headline = headline;
        return Ok(answer);
    }
    if let Some(headline) = derives(reading, understood, &mut answer)? {
        answer.headline = headline;
        return Ok(answer);
    }
    if !has_class && let Some(headline) = overridden_namesakes(reading, understood, &mut answer)? {
        answer.headline = headline;
        return Ok(answer);
    }
    let within = Within::of(reading, understood)?;
    let place = within.worded();
    if understood.words.iter().any(|word| matches!(word.as_str(), "deep" | "depth" | "levels")) {
        for target in understood.targets.iter().filter(is_class) {
            headlines.push(depth(store, target.main())?);
        }
    }
    if member.is_none() && !understood.asks_for_bases() {
        headlines.extend(below_namesakes(reading, understood, &mut answer)?);
    }
    for target in &understood.targets {
        let main = target.main();
        if main.record.kind != EntityKind::Class && has_class {
            continue;
        }
        if main.record.kind != EntityKind::Class {
            headlines.push(overridden(reading, understood, target, &mut answer)?);
            continue;
        }
        answer.want(main, "asked about", false);
        let below = tree(store, target, TreeKind::Subclasses)?;
        let is_within = |branch: &&TreeNode| within.has(&branch.path);
        let mut all: BTreeMap<(String, u32), &TreeNode> = BTreeMap::new();
        flatten(&below.branches, &mut all);
        let mut counted: Vec<&TreeNode> = all.into_values().collect();
        // A stub may have another name for its module.
        drop_stubs(&mut counted, |branch| (&branch.path, last_part(&branch.name)));
        let mut all: BTreeMap<(String, u32), &TreeNode> =
            counted.into_iter().map(|branch| ((branch.name.clone(), branch.line), branch)).collect();
        let is_counted = |branch: &&TreeNode| all.contains_key(&(branch.name.clone(), branch.line));
        let direct: BTreeSet<(&str, u32)> = below
            .branches
            .iter()
            .filter(is_within)
            .filter(is_counted)
            .map(|branch| (branch.name.as_str(), branch.line))
            .collect();
        let everywhere = all.len();
        all.retain(|_, branch| is_within(&&**branch));
        let elsewhere = match everywhere - all.len() {
            0 => String::new(),
            others => format!(" ({others} more {})", within.rest()),
        };
        let above = tree(store, target, TreeKind::Bases)?;
        let mut ancestors: BTreeMap<(String, u32), &TreeNode> = BTreeMap::new();
        flatten(&above.branches, &mut ancestors);
        let name = main.full_name();
        let above: Vec<String> = ancestors.values().map(|branch| format!("`{}`", branch.name)).collect();
        let above = above.join(", ");
        headlines.push(match (understood.asks_for_bases(), all.len()) {
            (true, _) if above.is_empty() => format!("`{name}` has no bases in the repository"),
            (true, _) => format!("`{name}` derives from {above}"),
            (false, 0) if above.is_empty() => format!("no class{place} is derived from `{name}`{elsewhere}"),
            (false, 0) => format!("no class{place} is derived from `{name}`{elsewhere}; it derives from {above}"),
            (false, all) => {
                let classes = if direct.len() == 1 {
                    format!("1 class{place} is")
                } else {
                    format!("{} classes{place} are", direct.len())
                };
                let last = |(name, _): &(&str, u32)| format!("`{}`", name.rsplit('.').next().unwrap_or(name));
                let named = match direct.len() {
                    1..=MAX_NAMED => format!(": {}", direct.iter().map(last).collect::<Vec<_>>().join(", ")),
                    _ => String::new(),
                };
                format!("{classes} derived from `{name}` directly, {all} in all{elsewhere}{named}")
            }
        });
        if all.is_empty() && !understood.asks_for_bases() {
            let made = classes_made_by(reading, main)?;
            if !made.is_empty() {
                headlines.push(format!("it is the metaclass of {}", count(made.len(), "class")));
                answer.list(format!("classes that it makes ({})", made.len()), made.iter().map(ListRow::of).collect());
            }
        }
        if let Some(member) = member {
            headlines.push(divided(reading, understood, &member.main().record.name, &all, &direct, &mut answer)?);
            continue;
        }
        let own: BTreeSet<String> = store.children(main.id)?.into_iter().map(|child| child.record.name).collect();
        let (mut direct_rows, mut other_rows) = (Vec::new(), Vec::new());
        for (key, branch) in &all {
            let is_direct = direct.contains(&(key.0.as_str(), key.1));
            let row = branch_row(branch);
            if is_direct {
                direct_rows.push(row.with(overridden_in(store, branch, &own)?));
            } else {
                other_rows.push(row);
            }
        }
        let mut overriding = Vec::new();
        for child in store
            .children(main.id)?
            .into_iter()
            .filter(|_| understood.words.iter().any(|word| word.starts_with("overrid")))
        {
            let above = store.outgoing(child.id)?.into_iter();
            let mut overridden = above.filter(|r| r.kind == RelationshipKind::Overrides && r.source == child.id);
            overriding.extend(overridden.next().map(|_| ListRow::of(&child)));
        }
        let own = main.record.name.to_lowercase();
        let own_overrides = understood.words.windows(2).any(|pair| pair[0] == own && pair[1].starts_with("override"));
        if (understood.asks_for_bases() || own_overrides) && !overriding.is_empty() {
            let names: Vec<String> = overriding
                .iter()
                .map(|row: &ListRow| format!("`{}`", row.name.rsplit('.').next().unwrap_or_default()))
                .collect();
            let mut subject = "it".to_owned();
            if own_overrides {
                // `which methods does X override` asks for these alone.
                headlines.pop();
                subject = format!("`{name}`");
            }
            headlines.push(format!("{subject} overrides {}", in_words(&names)));
        }
        answer.list(format!("methods by which it overrides others ({})", overriding.len()), overriding);
        let rows = ancestors.values().map(|branch| branch_row(branch)).collect();
        // Where classes below it are asked for, its bases only tell where it stands.
        if understood.asks_for_bases() {
            answer.list(format!("bases ({})", ancestors.len()), rows);
        } else {
            answer.beside(format!("context: its bases ({})", ancestors.len()), rows);
        }
        for base in bases(store, main.id)? {
            if let Some(base) = store.entity(base)? {
                answer.want(&base, "a base of it", true);
            }
        }
        let is_of = |words: &[&str]| understood.words.iter().any(|word| words.contains(&word.as_str()));
        let may_be_members = is_of(&["children"]) && !is_of(&["class", "classes", "subclass", "subclasses"]);
        let mut inside = if may_be_members { store.children(main.id)? } else { Vec::new() };
        // A setter or an overload is no further member.
        inside.retain(|one| one.record.duplicate == 0);
        if !inside.is_empty() {
            headlines.push(format!("it has {} of its own", count(inside.len(), "member")));
        }
        answer.list(format!("direct subclasses ({})", direct_rows.len()), direct_rows);
        answer.list(format!("indirect subclasses ({})", other_rows.len()), other_rows);
        answer.beside(format!("members of `{name}` ({})", inside.len()), inside.iter().map(ListRow::of).collect());
    }
    answer.headline = headlines.join("; ");
    Ok(answer)
}

/// Ways to the bases of one class that are followed; no program has as many.
const MAX_WAYS: usize = 1_000;

/// The levels of a tree.
fn height(branches: &[TreeNode]) -> usize {
    branches.iter().map(|branch| 1 + height(&branch.branches)).max().unwrap_or_default()
}

/// How many classes stand above a class on the longest way, and how many below.
fn depth(store: &Store, class: &Entity) -> Result<String, StoreError> {
    let mut above: Vec<String> = Vec::new();
    let mut ways: Vec<Vec<Entity>> = vec![vec![class.clone()]];
    let mut at = 0;
    while let Some(way) = ways.get(at).cloned().filter(|_| at < MAX_WAYS) {
        at += 1;
        let last = &way[way.len() - 1];
        let named = |classes: &[Entity]| -> Vec<String> {
            classes.iter().map(|class| format!("`{}`", class.record.name)).collect()
        };
        let mut longest = named(&way[1..]);
        if let Some(outside) = outside_bases(store, last)?.first() {
            longest.push(format!("`{outside}`"));
        }
        if longest.len() > above.len() {
            above = longest;
        }
        for base in bases(store, last.id)? {
            let next = store.entity(base)?.filter(|base| way.iter().all(|known| known.id != base.id));
            ways.extend(next.map(|base| [way.as_slice(), &[base]].concat()));
        }
    }
    let below = height(&tree(store, &Target::of(vec![class.clone()]), TreeKind::Subclasses)?.branches);
    let name = &class.record.name;
    let below = match below {
        0 => "none below".to_owned(),
        below => format!("{} below", count(below, "level")),
    };
    Ok(match above.len() {
        0 => format!("`{name}` has no level above it, and {below}"),
        all => format!("`{name}` has {} above it ({}), and {below}", count(all, "level"), above.join(", then ")),
    })
}

/// Answers `does A derive from B`; `None` for other questions.
fn derives(reading: AnswerInputs, understood: &Understood, answer: &mut Answer) -> Result<Option<String>, StoreError> {
    let has = |heads: &[&str]| understood.words.iter().any(|word| heads.iter().any(|head| word.starts_with(head)));
    let is_whether = matches!(understood.words.first().map(String::as_str), Some("does" | "do" | "is" | "are"));
    if is_whether && has(&DERIVING) { between_classes(reading, understood, answer) } else { Ok(None) }
}

/// Whether the first of two classes derives from the second; `None` where the question does not name two.
fn between_classes(
    reading: AnswerInputs,
    understood: &Understood,
    answer: &mut Answer,
) -> Result<Option<String>, StoreError> {
    let [heir, base] = understood.targets.as_slice() else { return Ok(None) };
    if [heir, base].iter().any(|target| target.main().record.kind != EntityKind::Class) {
        return Ok(None);
    }
    // `is A a base of B` names the base first.
    let (heir, base) = if names_base_first(&understood.words) { (base, heir) } else { (heir, base) };
    let (heir, base) = (heir.main(), base.main());
    let above = lineage(reading.store, heir.id)?;
    let mut rows = Vec::new();
    for id in &above {
        rows.extend(reading.store.entity(*id)?.as_ref().map(ListRow::of));
    }
    for class in [heir, base] {
        answer.want(class, "asked about", false);
    }
    answer.list(format!("bases of `{}` ({})", heir.record.name, rows.len()), rows);
    let is_direct = bases(reading.store, heir.id)?.contains(&base.id);
    let chain = between(reading.store, heir.id, base.id)?;
    let (heir, name) = (heir.full_name(), base.full_name());
    Ok(Some(match (above.contains(&base.id), is_direct) {
        (true, true) => format!("yes: `{heir}` derives from `{name}` directly"),
        (true, false) => {
            let over: Vec<String> = chain.iter().map(|class| format!("`{}`", class.record.name)).collect();
            format!("yes: `{heir}` derives from `{name}` over {}", in_words(&over))
        }
        (false, _) => format!("no: `{heir}` does not derive from `{name}`"),
    }))
}

/// Beginnings of words by which a question asks whether a class derives from another.
const DERIVING: [&str; 11] = [
    "deriv",
    "inherit",
    "subclass",
    "extend",
    "descend",
    "base",
    "superclass",
    "parent",
    "ancestor",
    "child",
    "subtype",
];

/// Whether the base stands before its heir: `is A a base class of B`, `is A inherited by B`.
fn names_base_first(words: &[String]) -> bool {
    let is_passive = |pair: &[String]| {
        pair[1] == "by" && ["deriv", "inherit", "subclass", "extend"].iter().any(|head| pair[0].starts_with(head))
    };
    // `is A derived from by B`
    let words: Vec<String> = words.iter().filter(|word| *word != "directly").cloned().collect();
    let is_from_by = |three: &[String]| three[1] == "from" && three[2] == "by";
    if words.windows(2).any(is_passive) || words.windows(3).any(is_from_by) {
        return true;
    }
    let is_base = |word: &str| ["base", "superclass", "parent", "ancestor"].contains(&word);
    let is_of = |word: Option<&String>| word.is_some_and(|word| matches!(word.as_str(), "of" | "for"));
    (0..words.len()).filter(|at| is_base(&words[*at])).any(|at| {
        let is_class = words.get(at + 1).is_some_and(|word| word == "class");
        is_of(words.get(at + 1 + usize::from(is_class)))
    })
}

/// The classes between a class and one above it, the nearest to the heir first; the shortest way.
fn between(store: &Store, heir: EntityId, base: EntityId) -> Result<Vec<Entity>, StoreError> {
    let mut ways: Vec<Vec<EntityId>> = vec![vec![heir]];
    let mut seen = BTreeSet::from([heir]);
    let mut at = 0;
    while let Some(way) = ways.get(at).cloned() {
        at += 1;
        for above in bases(store, way[way.len() - 1])? {
            if above == base {
                let entities = way[1..].iter().map(|id| store.entity(*id));
                return Ok(entities.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
            }
            if seen.insert(above) {
                ways.push(way.iter().copied().chain([above]).collect());
            }
        }
    }
    Ok(Vec::new())
}

/// The base from outside in `is A a dict subclass` and `is dict a base of A`, as it is written.
fn outside_base(question: &ParsedQuestion) -> Option<String> {
    let words = &question.words;
    let lower = question.lower_words();
    let heads: Vec<&str> = lower.iter().map(String::as_str).collect();
    let at = match heads.as_slice() {
        ["is", _, "a" | "an", _, "subclass" | "subtype" | "child" | "descendant" | "derivative", ..] => 3,
        ["is", _, "a" | "an" | "the", ..] if names_base_first(&lower) => 1,
        ["is", _, "a" | "an", _] if is_class_word(&words[3].text) => 3,
        _ => return None,
    };
    Some(words[at].text.clone())
}

/// Whether a word names a class by itself: with a capital letter, or one that Python has.
fn is_class_word(text: &str) -> bool {
    const BUILTIN: &str = "bool bytes dict float frozenset int list set str tuple";
    text.starts_with(char::is_uppercase) || is_in(BUILTIN, text)
}

/// Answers `is A a B` of two classes of the repository; `None` for other questions.
pub(in crate::ask::answer) fn is_a(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words = &understood.question.words;
    let [is, _, article, base] = words.as_slice() else { return Ok(None) };
    if is.lower() != "is" || !is_in("a an", &article.lower()) || !is_class_word(&base.text) {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Hierarchy).plan, String::new());
    let Some(headline) = between_classes(reading, understood, &mut answer)? else { return Ok(None) };
    answer.headline = headline;
    Ok(Some(answer))
}

/// Answers `does A derive from dict`: of one class and a base from outside; `None` for other questions.
pub(in crate::ask::answer) fn derives_from_outside(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let words: Vec<&str> = understood.words.iter().map(String::as_str).collect();
    let filters = &understood.plan.filters;
    let of_exceptions = (filters.noun == Some(Noun::Exception))
        .then(|| words.iter().find(|word| matches!(**word, "exception" | "baseexception")))
        .flatten();
    let base = match (&filters.base, of_exceptions) {
        (Some(base), _) => base.clone(),
        (None, Some(word)) => if *word == "exception" { "Exception" } else { "BaseException" }.to_owned(),
        (None, None) => match outside_base(&understood.question) {
            // A class of the repository is one of the targets.
            Some(base) if !understood.targets.iter().any(|target| target.main().record.name == base) => base,
            _ => return Ok(None),
        },
    };
    let is_whether = matches!(words.first(), Some(&("does" | "do" | "is" | "are")));
    let is_class = |target: &Target| target.main().record.kind == EntityKind::Class;
    let are_classes = !understood.targets.is_empty() && understood.targets.iter().all(is_class);
    if !is_whether || !are_classes || base.contains('|') || words.get(1) == Some(&"there") {
        return Ok(None);
    }
    let plan = understood.clone().read_as(QuestionIntent::Hierarchy).plan;
    let mut answer = Answer::new(plan, String::new());
    let reader = FilterReader::new(reading.store)?;
    let filter = Filter { derives_from: vec![vec![base.clone()]], ..Filter::default() };
    let mut headlines = Vec::new();
    for target in &understood.targets {
        let main = target.main();
        answer.want(main, "asked about", false);
        let is_derived = reader.accepts(&filter, main)? || of_exceptions.is_some() && reader.is_exception(main)?;
        let last = |name: &String| name.rsplit('.').next().unwrap_or(name).to_owned();
        let mut unknown: Vec<String> = Vec::new();
        let mut outside_of = |class: &Entity| -> Result<Vec<String>, StoreError> {
            let written = outside_bases(reading.store, class)?;
            for base in &written {
                // A class of the repository has a base of the repository where the index is sure of it.
                if reader.above_base(class, base)?.is_none() {
                    unknown.push(last(base));
                }
            }
            Ok(written.iter().map(last).collect())
        };
        let own = outside_of(main)?;
        let mut rows = vec![ListRow::of(main).with(in_words(&own))];
        let mut all = own.clone();
        let mut holder = None;
        for id in lineage(reading.store, main.id)? {
            let Some(above) = reading.store.entity(id)? else { continue };
            let outside = outside_of(&above)?;
            rows.push(ListRow::of(&above).with(in_words(&outside)));
            if holder.is_none() && outside.contains(&base) {
                holder = Some(above.record.name.clone());
            }
            all.push(above.record.name);
            all.extend(outside);
        }
        let name = main.full_name();
        let at = format!("{}:{}", main.path, main.record.start_line);
        headlines.push(match (is_derived, own.contains(&base)) {
            (true, true) => format!("yes: `{name}` derives from `{base}` directly ({at})"),
            (true, false) => {
                let own: Vec<String> = own.iter().map(|name| format!("`{name}`")).collect();
                let over = if own.is_empty() { "other classes".to_owned() } else { in_words(&own) };
                let over = holder.map_or(over, |holder| format!("`{holder}`"));
                format!("yes: `{name}` derives from `{base}` over {over} ({at})")
            }
            (false, _) if base == "object" => format!("yes: `{name}` derives from `object`, as every class does ({at})"),
            (false, _) if all.is_empty() => format!("no: `{name}` has no base ({at})"),
            (false, _) if !unknown.is_empty() => {
                let unknown: Vec<String> = unknown.iter().map(|name| format!("`{name}`")).collect();
                format!(
                    "this cannot be told: `{name}` derives from {}, and the index does not know the bases of that library ({at})",
                    in_words(&unknown)
                )
            }
            (false, _) => {
                let all: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
                format!("no: `{name}` does not derive from `{base}`; its bases are {} ({at})", in_words(&all))
            }
        });
        answer.list(format!("`{name}` and its bases, with those from outside"), rows);
    }
    answer.headline = headlines.join("; ");
    Ok(Some(answer))
}

/// Answers `which classes define m` and `which class does m belong to` with the definitions themselves; `None` for
/// other questions.
fn defined(understood: &Understood, answer: &mut Answer) -> Option<String> {
    let has = |heads: &[&str]| understood.words.iter().any(|word| heads.iter().any(|head| word.starts_with(head)));
    let asks_for_owners =
        understood.words.iter().any(|word| word == "have" || word == "has") || has(&["belong", "contain"]);
    let is_asked = asks_for_owners || has(&["defin", "implement"]);
    let all = understood.targets.iter().chain(understood.passed.iter().flat_map(|(_, passed)| passed));
    // Of several definitions of one name the overloads only declare.
    let is_body = |entity: &&Entity| !entity.record.flags.has(EntityFlags::OVERLOAD);
    let mut found: Vec<&Entity> = all.map(|one| one.entities.iter().find(is_body).unwrap_or(one.main())).collect();
    let name = &understood.targets.first()?.main().record.name;
    let is_one_name = understood.targets.iter().all(|target| target.main().record.name == *name);
    if !is_asked || !is_one_name || found.len() < 2 && !asks_for_owners {
        return None;
    }
    found.sort_by_key(|one| (is_aside(&one.path), &one.path, one.record.start_line));
    let all = format!("{} of `{name}`", count(found.len(), "definition"));
    answer.list(all.clone(), found.iter().map(|one| ListRow::of(one)).collect());
    let owners = found.iter().take(MAX_NAMED).filter_map(|one| {
        let (owner, _) = one.record.qualified.rsplit_once('.')?;
        Some(format!("`{owner}` ({}:{})", one.path, one.record.start_line))
    });
    let owners: Vec<String> = owners.collect();
    let more = if found.len() > MAX_NAMED { " first " } else { " " };
    Some(if owners.is_empty() { all } else { format!("{all}:{more}in {}", in_words(&owners)) })
}

/// Lists the subclasses without a member, or those with it, as the question asks; the others behind them.
fn divided(
    reading: AnswerInputs,
    understood: &Understood,
    name: &str,
    all: &BTreeMap<(String, u32), &TreeNode>,
    direct: &BTreeSet<(&str, u32)>,
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let wants_lack = wants_lack(understood);
    let (mut asked, mut rest) = (Vec::new(), Vec::new());
    let mut asked_directly = 0;
    for (key, branch) in all {
        let Some(entity) = at_path(reading.store, &branch.name, &branch.path)? else { continue };
        let has = reading.store.children(entity.id)?.iter().any(|child| child.record.name == name);
        let is_direct = direct.contains(&(key.0.as_str(), key.1));
        let row = branch_row(branch).with(if is_direct { "direct" } else { "" });
        asked_directly += usize::from(has != wants_lack && is_direct);
        if has == wants_lack { &mut rest } else { &mut asked }.push(row);
    }
    let word = if wants_lack { "do not define" } else { "define" };
    let (number, all) = (asked.len(), all.len());
    let headline = format!(
        "{asked_directly} of the {} direct ones and {number} of all {all} {word} `{name}` themselves",
        direct.len()
    );
    // Direct subclasses are meant first.
    asked.sort_by_key(|row| row.note.is_empty());
    answer.list(format!("subclasses that {word} `{name}` ({})", asked.len()), asked);
    answer.beside(format!("other subclasses ({})", rest.len()), rest);
    Ok(headline)
}

/// Whether the question tells classes with a member from those without.
fn divides(understood: &Understood) -> bool {
    const HEADS: [&str; 8] = ["own", "bring", "defin", "has", "hav", "implement", "overrid", "provide"];
    wants_lack(understood) || understood.words.iter().any(|word| HEADS.iter().any(|head| word.starts_with(head)))
}

/// Whether the question is about classes that do not define the member.
pub(super) fn wants_lack(understood: &Understood) -> bool {
    let is_negated =
        |word: &String| matches!(word.as_str(), "not" | "without" | "but" | "don't" | "doesn't" | "lack" | "lacks");
    understood.words.iter().any(is_negated)
}

/// The members of a direct subclass that it defines anew. Its head would say no more than its row does.
fn overridden_in(store: &Store, branch: &TreeNode, own: &BTreeSet<String>) -> Result<String, StoreError> {
    let Some(class) = at_path(store, &branch.name, &branch.path)? else { return Ok(String::new()) };
    let mut names: Vec<String> = store.children(class.id)?.into_iter().map(|child| child.record.name).collect();
    names.retain(|name| own.contains(name));
    // Overloads and conditional definitions share a name.
    names.dedup();
    Ok(if names.is_empty() { String::new() } else { format!("overrides {}", names.join(", ")) })
}

pub(super) fn flatten<'b>(branches: &'b [TreeNode], all: &mut BTreeMap<(String, u32), &'b TreeNode>) {
    for branch in branches {
        all.entry((branch.name.clone(), branch.line)).or_insert(branch);
        flatten(&branch.branches, all);
    }
}

pub(super) fn branch_row(branch: &TreeNode) -> ListRow {
    ListRow {
        name: branch.name.clone(),
        kind: branch.kind.as_str(),
        path: branch.path.clone(),
        line: branch.line,
        end_line: branch.end_line,
        ..ListRow::default()
    }
}
