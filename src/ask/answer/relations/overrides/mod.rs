//! Answers about methods that override others: those below a method, and those above it.

pub(in crate::ask::answer) mod libraries;

use std::collections::BTreeSet;

use crate::{
    ask::{
        answer::{
            Answer, AnswerInputs, ListRow, first_in_words, in_words,
            relations::{
                Within,
                overrides::libraries::{libraries_above, quoted},
            },
        },
        reading::{forms::UsageDirection, plan::Understood},
    },
    model::{EntityFlags, EntityKind, RelationshipKind},
    query::{
        target::{Target, TargetMatch, known, likeliest::is_aside, lineage},
        words::count,
    },
    store::{Store, error::StoreError, read::Entity},
};

/// Classes and definitions that a headline names.
const MAX_NAMED: usize = 4;

/// Says which methods override a method. Where the likeliest of several has none, another of them may.
pub(super) fn overridden(
    reading: AnswerInputs,
    understood: &Understood,
    target: &Target,
    answer: &mut Answer,
) -> Result<String, StoreError> {
    let main = target.main();
    answer.want(main, "asked about", false);
    let is_namesake = |(_, passed): &&(String, Vec<Target>)| passed[0].main().record.name == main.record.name;
    let passed = understood.passed.iter().find(is_namesake).map_or(&[][..], |(_, passed)| passed.as_slice());
    let asks_above = understood.direction == UsageDirection::Outgoing;
    if !main.record.kind.is_callable() && !asks_above {
        return Ok(format!("`{}` is a {}: it has no subclasses", main.full_name(), main.record.kind));
    }
    let mut found = Overrides::of(reading.store, target)?;
    if let Some(headline) = own_override(reading.store, understood, target, &found.above)?
        .or_else(|| parent(understood, main, &found.above))
    {
        found.list(answer, "");
        return Ok(headline);
    }
    if asks_above {
        return overriding(reading.store, target, passed, answer);
    }
    let mut name = main.full_name();
    for other in passed {
        let others = if found.below.is_empty() { Overrides::of(reading.store, other)? } else { break };
        if !others.below.is_empty() {
            (found, name) = (others, other.main().full_name());
        }
    }
    let within = Within::of(reading, understood)?;
    let place = within.worded();
    let everywhere = found.below.len();
    found.below.retain(|entity| within.has(&entity.path));
    let elsewhere = match everywhere - found.below.len() {
        0 => String::new(),
        all => format!(" ({} {})", count(all, "place"), within.rest()),
    };
    let words = &understood.words;
    // Yes or no to `is it true that nobody overrides m` and to `does anything override m`.
    let is_whether = matches!(words.first().map(String::as_str), Some("is" | "does" | "do"));
    let denies = words.iter().any(|word| matches!(word.as_str(), "nobody" | "noone" | "nothing" | "none"));
    let yes = match (is_whether && words.iter().any(|word| is_anyone(word)), denies == found.below.is_empty()) {
        (false, _) => "",
        (true, true) => "yes: ",
        (true, false) => "no: ",
    };
    let headline = match (found.below.len(), passed.len()) {
        (0, _) if everywhere > 0 => format!("{yes}nothing overrides `{name}`{place}{elsewhere}"),
        (0, 0) => format!("{yes}nothing overrides `{name}`"),
        (0, others) => {
            let definitions = count(others + 1, "definition");
            format!("{definitions} of `{}`, and none overrides another: `{name}` is one", main.record.name)
        }
        (all, _) => {
            format!("{yes}`{name}` is overridden {}{place}{elsewhere}: {}", count(all, "time"), found.named())
        }
    };
    found.list(answer, "");
    Ok(headline)
}

/// Says what a method overrides; of its namesakes, what those override that override something.
fn overriding(store: &Store, target: &Target, passed: &[Target], answer: &mut Answer) -> Result<String, StoreError> {
    let mut parts = Vec::new();
    for one in std::iter::once(target).chain(passed) {
        let main = one.main();
        let found = Overrides::of(store, one)?;
        let class = store.entity(main.parent)?.filter(|owner| owner.record.kind == EntityKind::Class);
        if main.id != target.main().id && (found.above.is_empty() || is_aside(&main.path)) {
            continue;
        }
        let name = main.full_name();
        let libraries = class.as_ref().map(|class| libraries_above(store, class)).transpose()?.unwrap_or_default();
        let above = found.above.iter().map(|one| format!("`{}` ({}:{})", one.full_name(), one.path, one.record.line));
        let above: Vec<String> = above.collect();
        parts.push(match (&one.inherited_by, class) {
            (Some(heir), _) => format!("`{heir}` inherits `{name}` as it is"),
            _ if !above.is_empty() => format!("`{name}` overrides {}", in_words(&above)),
            (None, None) => format!("`{name}` is no member of a class: it overrides nothing"),
            (None, Some(_)) if libraries.is_empty() => format!("`{name}` overrides nothing of the repository"),
            (None, Some(_)) => format!(
                "`{name}` overrides nothing of the repository; its class derives from {} of a library, whose members the index does not hold",
                quoted(&libraries)
            ),
        });
        found.list(
            answer,
            if passed.is_empty() { String::new() } else { format!(" of `{}`", main.record.qualified) }.as_str(),
        );
    }
    Ok(parts.join("; "))
}

/// Says who overrides whom among several definitions of one name; `None` where the question names one, or a class.
pub(super) fn overridden_namesakes(
    reading: AnswerInputs,
    understood: &Understood,
    answer: &mut Answer,
) -> Result<Option<String>, StoreError> {
    let Some(name) = understood.targets.first().map(|target| target.main().record.name.clone()) else {
        return Ok(None);
    };
    let passed = understood.passed.iter().flat_map(|(_, passed)| passed);
    let all: Vec<&Target> = understood.targets.iter().chain(passed).collect();
    let is_question = matches!(understood.words.first().map(String::as_str), Some("does" | "do" | "is"))
        || understood.direction == UsageDirection::Outgoing;
    // A module may have the name, too.
    let is_one_name = understood.targets.iter().all(|target| target.main().record.name == name);
    let is_method = |target: &&Target| target.main().record.kind.is_callable() && target.main().record.name == name;
    let methods: Vec<&Target> = all.into_iter().filter(is_method).collect();
    if is_question || !is_one_name || methods.len() < 2 {
        return Ok(None);
    }
    let within = Within::of(reading, understood)?;
    let mut roots = Vec::new();
    for method in &methods {
        let mut found = Overrides::of(reading.store, method)?;
        found.below.retain(|entity| within.has(&entity.path));
        // One that overrides another is listed below that one.
        if found.above.is_empty() {
            roots.push((method.main(), found));
        }
    }
    roots.sort_by_key(|(method, found)| {
        (found.below.is_empty(), is_aside(&method.path), method.path.clone(), method.record.start_line)
    });
    let mut parts = Vec::new();
    for (method, found) in roots.iter().filter(|(_, found)| !found.below.is_empty()) {
        answer.want(method, "asked about", false);
        let times = count(found.below.len(), "time");
        let place = within.worded();
        parts.push(format!("`{}` is overridden {times}{place}: {}", method.full_name(), found.named()));
        found.list(answer, &format!(" of `{}`", method.record.qualified));
    }
    let alone: Vec<String> = roots
        .iter()
        .filter(|(method, found)| found.below.is_empty() && !is_aside(&method.path))
        .map(|(method, _)| format!("`{}`", method.full_name()))
        .collect();
    if parts.is_empty() {
        return Ok(None);
    }
    match alone.len() {
        0 => {}
        1..=MAX_NAMED => parts.push(format!("nothing overrides {}", in_words(&alone))),
        all => parts.push(format!("nothing overrides {all} other definitions of `{name}`")),
    }
    Ok(Some(parts.join("; ")))
}

/// Answers `does C override m` where the class and the method are named apart; `None` for other questions.
pub(super) fn class_overrides(
    reading: AnswerInputs,
    understood: &Understood,
    answer: &mut Answer,
) -> Result<Option<String>, StoreError> {
    let words = &understood.words;
    let Some(at) = words.iter().position(|word| word.starts_with("overrid")) else { return Ok(None) };
    let range = match words.first().map(String::as_str) {
        Some("does" | "do") => 0..at,
        Some("is") => at..words.len(),
        _ => return Ok(None),
    };
    let is_heir = |target: &&Target| {
        let record = &target.main().record;
        record.kind == EntityKind::Class && words[range.clone()].contains(&record.name.to_lowercase())
    };
    let is_method = |target: &&Target| target.main().record.kind.is_callable();
    let is_by = words[at..].iter().any(|word| word == "by");
    if let ([base, heir], true) = (understood.targets.as_slice(), words[0] == "is" && is_by)
        && [base, heir].iter().all(is_method)
    {
        return one_by_another(reading.store, base, heir, answer).map(Some);
    }
    let method = understood.targets.iter().find(is_method);
    let Some(class) = understood.targets.iter().find(is_heir).map(Target::main) else { return Ok(None) };
    let base = understood.targets.iter().map(Target::main).find(|other| other.id != class.id);
    if let Some(base) = base.filter(|base| base.record.kind == EntityKind::Class && method.is_none()) {
        return overrides_of_base(reading.store, class, base, answer).map(Some);
    }
    // An everyday word is a name behind the verb where the class has such a member, or else another class.
    let behind = words[at + 1..].iter().find(|word| !matches!(word.as_str(), "the" | "a" | "method" | "its"));
    let member = match behind.filter(|_| method.is_none()) {
        Some(name) => match known(reading.store, &format!("{}.{name}", class.full_name()), "")? {
            Some(TargetMatch::Found(member)) => Some(member),
            _ => {
                let mut others = reading.store.entities_named(name, false)?.into_iter();
                others.find(|other| other.record.kind == EntityKind::Method).map(|other| Target::of(vec![other]))
            }
        },
        None => None,
    };
    let Some(method) = method.or(member.as_ref()) else { return Ok(None) };
    let name = &method.main().record.name;
    let mut own = reading.store.children(class.id)?;
    own.retain(|child| child.record.name == *name);
    if own.is_empty() {
        answer.beside(format!("other definitions called `{name}`"), vec![ListRow::of(method.main())]);
        return Ok(Some(format!("no: `{}` does not define `{name}` itself", class.record.name)));
    }
    let own = Target::of(own);
    let found = Overrides::of(reading.store, &own)?;
    let headline = overrides_these(own.main(), &found.above, &libraries_above(reading.store, class)?);
    found.list(answer, "");
    Ok(Some(headline))
}

/// Answers `is A.m overridden by B.m`.
fn one_by_another(store: &Store, base: &Target, heir: &Target, answer: &mut Answer) -> Result<String, StoreError> {
    let found = Overrides::of(store, base)?;
    let (name, other) = (base.main().full_name(), heir.main().full_name());
    let is_below = found.below.iter().any(|one| one.id == heir.main().id);
    for target in [base, heir] {
        answer.want(target.main(), "asked about", false);
    }
    found.list(answer, "");
    Ok(if is_below {
        format!("yes: `{other}` overrides `{name}`")
    } else {
        format!("no: `{other}` does not override `{name}`")
    })
}

/// Says which members of a base a class, or a class between the two, defines anew.
fn overrides_of_base(store: &Store, class: &Entity, base: &Entity, answer: &mut Answer) -> Result<String, StoreError> {
    let above = lineage(store, class.id)?;
    let (heir, name) = (class.full_name(), base.full_name());
    if !above.contains(&base.id) {
        return Ok(format!("no: `{heir}` does not derive from `{name}`"));
    }
    let is_own = |member: &Entity| member.record.kind.is_callable();
    let given: BTreeSet<String> =
        store.children(base.id)?.into_iter().filter(is_own).map(|member| member.record.name).collect();
    let mut rows = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for owner in std::iter::once(class.id).chain(above) {
        // A base of the base is overridden by it.
        let is_between = owner == class.id || lineage(store, owner)?.contains(&base.id);
        for member in store.children(owner)?.into_iter().filter(|_| is_between).filter(is_own) {
            let label = format!("`{}`", member.record.name);
            if given.contains(&member.record.name) && !names.contains(&label) {
                answer.want(&member, "overrides a member of the base", true);
                rows.push(ListRow::of(&member));
                names.push(label);
            }
        }
    }
    let headline = match names.as_slice() {
        [] => format!("no: `{heir}` overrides nothing of `{name}`"),
        names => format!("yes: `{heir}` overrides {} of `{name}`, itself or by a class between them", in_words(names)),
    };
    answer.list(format!("members of `{name}` that are overridden ({})", rows.len()), rows);
    Ok(headline)
}

/// Says what a method overrides.
fn overrides_these(member: &Entity, above: &[Entity], libraries: &[String]) -> String {
    let method = &member.record.qualified;
    // Two classes may share a name.
    let name = |entity: &Entity| {
        let is_alike = entity.record.qualified == *method;
        format!("`{}`", if is_alike { entity.full_name() } else { entity.record.qualified.clone() })
    };
    let mut overridden: Vec<String> = above.iter().map(name).collect();
    overridden.dedup();
    match (overridden.as_slice(), libraries) {
        ([], []) => format!("no: `{method}` overrides nothing of the repository"),
        ([], libraries) => {
            format!(
                "perhaps: `{method}` overrides nothing of the repository, but its class derives from {} of a library, whose members the index does not hold",
                quoted(libraries)
            )
        }
        (overridden, _) => format!("yes: `{method}` overrides {}", in_words(overridden)),
    }
}

/// Whether a word stands for whoever does something.
fn is_anyone(word: &str) -> bool {
    matches!(
        word,
        "nobody" | "noone" | "nothing" | "none" | "anybody" | "anyone" | "anything" | "somebody" | "something"
    )
}

/// Answers `does C override m` by the methods above it; `None` for other questions.
fn own_override(
    store: &Store,
    understood: &Understood,
    target: &Target,
    above: &[Entity],
) -> Result<Option<String>, StoreError> {
    let main = target.main();
    let (owner, inherited) = match (&target.inherited_by, main.record.qualified.rsplit_once('.')) {
        (Some(class), _) => (class.as_str(), true),
        (None, Some((class, _))) => (class, false),
        (None, None) => return Ok(None),
    };
    let owner = owner.rsplit('.').next().unwrap_or(owner);
    let (class, method) = (owner.to_lowercase(), format!(".{}", main.record.name.to_lowercase()));
    let words = &understood.words;
    let Some(at) = words.iter().position(|word| word.starts_with("overrid")) else { return Ok(None) };
    let is_owner = |word: &String| word.rsplit('.').next() == Some(&class) || word.ends_with(&method);
    let is_asked = match words.first().map(String::as_str) {
        Some("does" | "do") => words[..at].iter().any(is_owner),
        // `is it true that nobody overrides it` is about the methods below.
        Some("is") => !words[..at].iter().any(|word| is_anyone(word)) && words[at..].iter().any(is_owner),
        _ => false,
    };
    if !is_asked {
        return Ok(None);
    }
    if inherited {
        return Ok(Some(format!("no: `{owner}` inherits `{}` as it is", main.record.qualified)));
    }
    let class = store.entity(main.parent)?;
    let libraries = class.map(|class| libraries_above(store, &class)).transpose()?.unwrap_or_default();
    Ok(Some(overrides_these(main, above, &libraries)))
}

/// The class of a method and the methods that it overrides, where its parent is asked for; `None` for other questions.
fn parent(understood: &Understood, main: &Entity, above: &[Entity]) -> Option<String> {
    let is_parent = |word: &String| matches!(word.as_str(), "parent" | "parents");
    let is_asked = understood.words.iter().any(is_parent) && !understood.words.iter().any(|word| word == "class");
    let (class, _) = main.record.qualified.rsplit_once('.').filter(|_| is_asked)?;
    let overrides = match above {
        [] => "overrides nothing".to_owned(),
        above => {
            let names: Vec<String> = above
                .iter()
                .map(|one| format!("`{}` ({}:{})", one.full_name(), one.path, one.record.start_line))
                .collect();
            format!("overrides {}", in_words(&names))
        }
    };
    Some(format!(
        "`{}` is defined in `{class}` ({}:{}), and {overrides}",
        main.full_name(),
        main.path,
        main.record.start_line
    ))
}

/// The methods that a method overrides, and those that override it.
struct Overrides {
    above: Vec<Entity>,
    below: Vec<Entity>,
}

impl Overrides {
    /// The classes whose methods override it, in words.
    fn named(&self) -> String {
        let class = |entity: &Entity| {
            let qualified = &entity.record.qualified;
            qualified.rsplit_once('.').map_or(qualified.as_str(), |(class, _)| class).to_owned()
        };
        let mut classes: Vec<String> = Vec::new();
        let (own, aside): (Vec<&Entity>, Vec<&Entity>) = self.below.iter().partition(|entity| !is_aside(&entity.path));
        for entity in own.into_iter().chain(aside) {
            let class = format!("`{}`", class(entity));
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        format!("by {}", first_in_words(classes.into_iter(), MAX_NAMED))
    }

    fn list(&self, answer: &mut Answer, of: &str) {
        for entity in self.above.iter().chain(&self.below) {
            answer.want(entity, "overrides it or is overridden", true);
        }
        answer.beside(format!("overrides{of} ({})", self.above.len()), self.above.iter().map(ListRow::of).collect());
        answer.list(
            format!(
                "{} ({})",
                if of.is_empty() { "overridden by".to_owned() } else { format!("overriders{of}") },
                self.below.len()
            ),
            self.below.iter().map(ListRow::of).collect(),
        );
    }

    fn of(store: &Store, target: &Target) -> Result<Self, StoreError> {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for entity in &target.entities {
            for relationship in store.incoming(entity.id)? {
                match relationship.kind {
                    RelationshipKind::Overrides => below.extend(store.entity(relationship.source)?),
                    RelationshipKind::ImplementedBy => above.extend(store.entity(relationship.source)?),
                    _ => {}
                }
            }
            for relationship in store.outgoing(entity.id)? {
                match relationship.kind {
                    RelationshipKind::Overrides => above.extend(store.entity(relationship.target)?),
                    RelationshipKind::ImplementedBy => below.extend(store.entity(relationship.target)?),
                    _ => {}
                }
            }
        }
        // An override of an override replaces the method too.
        let mut at = 0;
        while at < below.len() {
            for relationship in store.incoming_of(below[at].id, RelationshipKind::Overrides)? {
                if let Some(entity) = store.entity(relationship.source)?
                    && below.iter().all(|known: &Entity| known.id != entity.id)
                {
                    below.push(entity);
                }
            }
            at += 1;
        }
        // Overloads only declare what one definition does.
        let implemented: BTreeSet<(String, String)> =
            below.iter().filter(|entity| !is_overload(entity)).map(place_of).collect();
        below.retain(|entity| !is_overload(entity) || !implemented.contains(&place_of(entity)));
        if above.is_empty() {
            above = attributes_above(store, target)?;
        }
        below.sort_by(|a, b| (&a.path, a.record.start_line, a.id).cmp(&(&b.path, b.record.start_line, b.id)));
        below.dedup_by_key(|entity| entity.id);
        Ok(Self { above, below })
    }
}

fn is_overload(entity: &Entity) -> bool {
    entity.record.flags.has(EntityFlags::OVERLOAD)
}

fn place_of(entity: &Entity) -> (String, String) {
    (entity.path.clone(), entity.record.qualified.clone())
}

/// The member of the nearest base that has the name of an attribute or property: such a pair has no relationship.
fn attributes_above(store: &Store, target: &Target) -> Result<Vec<Entity>, StoreError> {
    let main = target.main();
    let is_attribute = matches!(main.record.kind, EntityKind::Property | EntityKind::Variable);
    if !is_attribute || store.entity(main.parent)?.is_none_or(|owner| owner.record.kind != EntityKind::Class) {
        return Ok(Vec::new());
    }
    for base in lineage(store, main.parent)? {
        let found = store.children(base)?.into_iter().find(|member| member.record.name == main.record.name);
        if let Some(found) = found {
            return Ok(vec![found]);
        }
    }
    Ok(Vec::new())
}
