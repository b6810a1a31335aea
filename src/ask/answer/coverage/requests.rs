//! The tests and fixtures that request fixtures: `which fixtures use tmp_path`, `which tests use client and runner`.
//!
//! A fixture is requested by the name of a parameter or by `usefixtures`. So those of pytest and of its plugins, which
//! no index has, are found too.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ask::{
        answer::{Answer, AnswerInputs, ListRow, first_in_words, in_words},
        reading::{plan::Understood, words::is_in},
    },
    model::{
        EntityFlags, EntityId, RelationshipKind, conventions::has_whole_name, conventions::pytest::BUILT_IN_FIXTURES,
        signature::Signature,
    },
    query::words::count,
    store::{Store, error::StoreError, read::Entity},
};

/// Tests or fixtures that a headline names.
const MAX_NAMED: usize = 4;
const VERBS: &str = "consume consumes depend depends depending get gets have need needing needs rely relies relying request requesting requests \
     require requires requiring take takes taking use uses using with";

/// A question for those that request fixtures.
struct AskedRequests {
    /// Whether tests count, and whether fixtures do.
    of_tests: bool,
    of_fixtures: bool,
    is_polar: bool,
    /// The question says `fixture` of the names.
    says_fixture: bool,
    names: Vec<String>,
}

impl AskedRequests {
    fn of(understood: &Understood) -> Option<Self> {
        const HEADS: &str = "all any are count do does find give how is list many me name of our show test tell the there unit what which";
        const AROUND: &str = "a an and as at both directly either fixture fixtures from itself of on pytest pytest's repository's \
             the themselves together too upon well with";
        let words = understood.question.lower_words();
        let word = |at: usize| words.get(at).map_or("", String::as_str);
        let says_fixture = words.iter().any(|word| word == "fixture");
        let is_polar = is_in("are do does is", word(0));
        let noun = words.iter().position(|word| is_in("fixtures tests testcases", word));
        let noun = noun.filter(|noun| words[..*noun].iter().all(|word| is_in(HEADS, word)));
        // `who uses the request fixture`, `where is the request fixture used`, `usages of the request fixture`
        let is_use = matches!((word(0), word(1)), ("who" | "what", verb) if is_in(VERBS, verb))
            || is_in("usages users uses", word(0)) && word(1) == "of"
            || is_in("list show", word(0)) && words.iter().take(4).any(|word| is_in("usages users uses", word));
        let is_passive = is_in("where is", word(0)) && words.iter().any(|word| is_in("used requested needed", word));
        let start = match noun {
            Some(noun) => {
                let verb = noun + 1 + usize::from(is_in("that which who", word(noun + 1)));
                is_in(VERBS, word(verb)).then_some(verb + 1)?
            }
            None if is_use && says_fixture => 0,
            None if is_passive && says_fixture => 0,
            None => return None,
        };
        // Before the name stand only such words; a fixture may be called `request`.
        let is_around = |at: &usize| {
            const BESIDE: &str =
                "all any anywhere by here is list me show test tests usages users uses what where which who";
            const PASSIVE: &str = "needed requested used";
            let is_verb = *at < 2 && is_in(VERBS, word(*at)) || is_passive && is_in(PASSIVE, word(*at));
            is_in(AROUND, word(*at)) || start == 0 && (is_in(BESIDE, word(*at)) || is_verb)
        };
        let names: Vec<String> = (start..words.len())
            .filter(|at| !is_around(at))
            .map(|at| understood.question.words[at].text.clone())
            .collect();
        let of_fixtures = noun.is_none_or(|noun| words[noun] == "fixtures");
        let of_tests = noun.is_none() || !of_fixtures;
        (!names.is_empty()).then_some(Self { of_tests, of_fixtures, is_polar, says_fixture, names })
    }
}

/// Lists them; `None` for other questions.
pub(in crate::ask::answer) fn requesting(
    reading: AnswerInputs,
    understood: &Understood,
) -> Result<Option<Answer>, StoreError> {
    let Some(asked) = AskedRequests::of(understood) else { return Ok(None) };
    let requests = FixtureRequests::read(reading.store)?;
    let mut is_here = true;
    for name in &asked.names {
        let own = requests.fixtures.get(name.as_str());
        let is_known = own.is_some() || is_in(BUILT_IN_FIXTURES, name) || requests.is_requested(name);
        // Another definition may have the name of a fixture too: `flask.request`.
        let all = reading.store.entities_named(name, false)?;
        let has_other = all.iter().any(|one| !one.record.flags.has(EntityFlags::FIXTURE));
        let is_doubtful = has_other && !asked.says_fixture && asked.names.len() == 1 && !asked.of_fixtures;
        if !is_known || is_doubtful && own.is_none() {
            return Ok(None);
        }
        is_here &= own.is_some();
    }
    // The tests of one fixture are asked for like those of any definition: many get it from another fixture.
    if asked.of_tests && !asked.of_fixtures && asked.names.len() == 1 && is_here {
        return Ok(None);
    }
    let mut answer = Answer::new(understood.plan.clone(), String::new());
    (answer.plan.unknown, answer.plan.notes) = (Vec::new(), Vec::new());
    answer.command = answer.plan.ask_command();
    for fixture in asked.names.iter().filter_map(|name| requests.fixtures.get(name.as_str())).flatten() {
        answer.want(&requests.all[*fixture].0, "asked about", false);
    }
    let counts = |entity: &Entity| {
        let is_fixture = entity.record.flags.has(EntityFlags::FIXTURE);
        is_fixture && asked.of_fixtures || !is_fixture && asked.of_tests
    };
    let mut found: Vec<&Entity> = Vec::new();
    let mut indirect: Vec<&Entity> = Vec::new();
    for (entity, requested) in requests.all.iter().filter(|(entity, _)| counts(entity)) {
        if asked.names.iter().all(|name| requested.contains(name)) {
            found.push(entity);
        } else if asked.names.iter().all(|name| requests.gets(entity, requested, name)) {
            indirect.push(entity);
        }
    }
    let noun = match (asked.of_tests, asked.of_fixtures) {
        (true, true) => "test or fixture",
        (true, false) => "test",
        _ => "fixture",
    };
    let names: Vec<String> = asked.names.iter().map(|name| format!("`{name}`")).collect();
    let both = if names.len() == 2 { "both " } else { "" };
    let names = format!("{both}{}", in_words(&names));
    let named = first_in_words(found.iter().map(|one| format!("`{}`", one.full_name())), MAX_NAMED);
    let counted = |all: usize| match all {
        1 => format!("1 {noun}"),
        _ if noun == "test or fixture" => {
            let fixtures = found.iter().filter(|one| one.record.flags.has(EntityFlags::FIXTURE)).count();
            let parts = [(fixtures, "fixture"), (all - fixtures, "test")];
            let parts = parts.iter().filter(|(number, _)| *number > 0).map(|(number, noun)| count(*number, noun));
            in_words(&parts.collect::<Vec<_>>())
        }
        _ => count(all, noun),
    };
    let lead = match (asked.is_polar, found.is_empty()) {
        (true, true) => "no: ",
        (true, false) => "yes: ",
        (false, true) => "none: ",
        (false, false) => "",
    };
    answer.headline = match found.len() {
        0 => format!("{lead}no {noun} requests {names} itself"),
        1 => format!("{lead}1 {noun} requests {names}: {named}"),
        all => format!("{lead}{} request {names}: {named}", counted(all)),
    };
    if !indirect.is_empty() {
        answer.headline += &format!(
            "; {} more may get {} over other fixtures",
            indirect.len(),
            if both.is_empty() { "it" } else { "them" }
        );
    }
    answer.list(
        format!(
            "{} that request {names} ({})",
            if noun == "test or fixture" { "tests and fixtures".to_owned() } else { format!("{noun}s") },
            found.len()
        ),
        found.iter().map(|one| ListRow::of(one)).collect(),
    );
    answer.list(
        format!("those that may get {names} over other fixtures ({})", indirect.len()),
        indirect.iter().map(|one| ListRow::of(one)).collect(),
    );
    Ok(Some(answer))
}

/// All tests and fixtures, each with the names of the fixtures that it requests itself.
struct FixtureRequests {
    all: Vec<(Entity, BTreeSet<String>)>,
    /// The fixtures of each name, by their places in the list.
    fixtures: BTreeMap<String, Vec<usize>>,
}

impl FixtureRequests {
    fn read(store: &Store) -> Result<Self, StoreError> {
        let mut requests = Self { all: Vec::new(), fixtures: BTreeMap::new() };
        for (file, _) in store.files()? {
            let entities = store.entities_of(file)?;
            let mut used: BTreeMap<EntityId, BTreeSet<String>> = BTreeMap::new();
            for one in store.relationships_of(file)?.iter().filter(|one| one.kind == RelationshipKind::UsesFixture) {
                let fixture = store.entity(one.target)?;
                used.entry(one.source).or_default().extend(fixture.map(|fixture| fixture.record.name));
            }
            let around: BTreeMap<EntityId, Vec<String>> =
                entities.iter().map(|entity| (entity.id, entity.record.decorators.clone())).collect();
            for entity in entities {
                let flags = entity.record.flags;
                let is_fixture = flags.has(EntityFlags::FIXTURE);
                if !(entity.record.kind.is_callable() && (is_fixture || flags.has(EntityFlags::TEST))) {
                    continue;
                }
                let mut names = used.remove(&entity.id).unwrap_or_default();
                let decorators = &entity.record.decorators;
                let is_given = |name: &str| {
                    decorators.iter().any(|one| {
                        one.contains("parametrize") && !one.contains("indirect") && has_whole_name(one, name)
                    })
                };
                let signature = Signature::parse(&entity.record.signature).unwrap_or_default();
                let parameters = signature.parameters.into_iter().map(|parameter| parameter.name);
                names.extend(parameters.filter(|name| !is_in("self cls", name) && !is_given(name)));
                let marks = decorators.iter().chain(around.get(&entity.parent).into_iter().flatten());
                for mark in marks.filter(|mark| mark.contains("usefixtures")) {
                    names.extend(mark.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned));
                }
                if is_fixture {
                    requests.fixtures.entry(entity.record.name.clone()).or_default().push(requests.all.len());
                }
                requests.all.push((entity, names));
            }
        }
        Ok(requests)
    }

    fn is_requested(&self, name: &str) -> bool {
        self.all.iter().any(|(_, requested)| requested.contains(name))
    }

    /// Whether a test or fixture gets a fixture itself or over others of the names that it requests.
    fn gets(&self, entity: &Entity, requested: &BTreeSet<String>, name: &str) -> bool {
        let mut seen: BTreeSet<&String> = requested.iter().collect();
        let mut queue: Vec<&String> = requested.iter().collect();
        while let Some(one) = queue.pop() {
            if one == name {
                return true;
            }
            let behind = self.fixtures.get(one).into_iter().flatten();
            let behind = behind.filter(|at| self.all[**at].0.id != entity.id).flat_map(|at| &self.all[*at].1);
            queue.extend(behind.filter(|name| seen.insert(name)));
        }
        false
    }
}
