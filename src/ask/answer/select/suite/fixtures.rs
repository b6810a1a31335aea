//! The options of fixtures: their scope, whether every test gets them, and how they give their value.

use super::conditions::{OfFixture, SuiteWord};
use crate::{
    ask::{
        answer::{Answer, ListRow},
        reading::{forms::QuestionIntent, plan::Understood, words::is_in},
    },
    model::{EntityFlags, brackets::matching_close},
    query::target::Target,
    store::read::Entity,
};

/// The scopes that pytest knows.
pub(super) const SCOPES: &str = "session package module class function";
/// The scope of a fixture that states none.
const USUAL_SCOPE: &str = "function";

/// Whether a fixture has an option, with what says so; empty where nothing has to.
pub(super) fn option(fixture: &Entity, wanted: &OfFixture) -> Option<String> {
    let flags = fixture.record.flags;
    let said = |holds: bool| holds.then(String::new);
    match wanted {
        OfFixture::Autouse => {
            let is_it = flags.has(EntityFlags::AUTOUSE) || argument(fixture, "autouse").as_deref() == Some("True");
            is_it.then(|| "autouse=True".to_owned())
        }
        OfFixture::Scope(scope) => match argument(fixture, "scope") {
            Some(own) => (own.trim_matches(['"', '\'']) == scope).then(|| format!("scope={own}")),
            None => said(scope == USUAL_SCOPE),
        },
        OfFixture::Parametrized => argument(fixture, "params").map(|params| format!("params={params}")),
        OfFixture::Yields => said(flags.has(EntityFlags::GENERATOR)),
    }
}

/// The argument of a fixture's decorator, as it is written.
fn argument(fixture: &Entity, name: &str) -> Option<String> {
    let call = fixture.record.decorators.iter().find(|decorator| {
        let head = decorator.split('(').next().unwrap_or_default();
        head.ends_with("fixture")
    })?;
    let open = call.find('(')?;
    let inside = &call[open + 1..matching_close(call, open)?];
    let mut depth = 0_usize;
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    let value = |part: &str| {
        let (key, value) = part.split_once('=')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    };
    parts.into_iter().find_map(value)
}

/// Answers about the options of the fixtures that a question names: `is the fixture f autouse`, `what is the scope of
/// f`; `None` for other questions.
pub(super) fn of_one_fixture(understood: &Understood, tokens: &[SuiteWord]) -> Option<Answer> {
    let is_fixture = |target: &Target| target.main().record.flags.has(EntityFlags::FIXTURE);
    let mut named: Vec<&Entity> = understood.targets.iter().map(Target::main).collect();
    if named.is_empty() || !understood.targets.iter().all(is_fixture) {
        return None;
    }
    let passed = understood.passed.iter().flat_map(|(_, others)| others);
    named.extend(passed.filter(|target| is_fixture(target)).map(Target::main));
    let words: Vec<&str> = tokens.iter().filter(|token| !token.is_subject).map(|token| token.text.as_str()).collect();
    let (first, has) =
        (words.first().copied().unwrap_or_default(), |list: &str| words.iter().any(|word| is_in(list, word)));
    let is_whether = is_in("is are does do has have", first);
    let is_said = |word: &&str| {
        is_in(
            "a an the of is are does do has have what which fixture fixtures scope scoped autouse used automatically \
             parametrized parameterized params yield yields yielding generator in it its level",
            word,
        ) || is_in(SCOPES, word)
    };
    if !words.iter().all(is_said) {
        return None;
    }
    let scope = SCOPES.split(' ').find(|scope| has(scope));
    let wanted = match scope {
        _ if has("autouse automatically") => OfFixture::Autouse,
        _ if has("parametrized parameterized params") => OfFixture::Parametrized,
        _ if has("yield yields yielding generator") => OfFixture::Yields,
        Some(scope) if has("scope scoped level") => OfFixture::Scope(scope.to_owned()),
        _ if has("scope") && !is_whether => OfFixture::Scope(String::new()),
        _ => return None,
    };
    let mut answer = Answer::new(understood.clone().read_as(QuestionIntent::Show).plan, String::new());
    answer.command = format!("repoidx show {}", named[0].full_name());
    let mut said = Vec::new();
    for fixture in &named {
        let (name, place) = (fixture.full_name(), format!("{}:{}", fixture.path, fixture.record.start_line));
        answer.want(fixture, "asked about", false);
        let scope = argument(fixture, "scope");
        let scope = scope.as_deref().map_or(USUAL_SCOPE, |scope| scope.trim_matches(['"', '\'']));
        let states = if argument(fixture, "scope").is_some() { "" } else { ", as it states none" };
        said.push(match &wanted {
            OfFixture::Scope(asked) if asked.is_empty() => {
                format!("the scope of `{name}` is `{scope}`{states} ({place})")
            }
            wanted => {
                let holds = option(fixture, wanted);
                let not = if holds.is_some() { "" } else { " not" };
                let yes = match (is_whether, holds.is_some()) {
                    (false, _) => "",
                    (true, true) => "yes: ",
                    (true, false) => "no: ",
                };
                let is = match wanted {
                    OfFixture::Autouse => format!("is{not} autouse"),
                    OfFixture::Parametrized => format!("is{not} parametrized"),
                    OfFixture::Yields if not.is_empty() => "yields its value".to_owned(),
                    OfFixture::Yields => "does not yield its value".to_owned(),
                    OfFixture::Scope(_) => format!("has the scope `{scope}`{states}"),
                };
                format!("{yes}`{name}` {is} ({place})")
            }
        });
    }
    let rows = named.iter().map(|fixture| ListRow::of(fixture).with(fixture.record.decorators.join(", ")));
    answer.list(format!("fixtures of this name ({})", named.len()), rows.collect());
    answer.headline = said.join("; ");
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EntityKind, query::fixture::Fixture};

    #[test]
    fn options_are_read_off_the_decorator() {
        let mut fixture = Fixture::default();
        fixture.file("tests/conftest.py", "tests.conftest").entity(EntityKind::Function, "app", 1, 5);
        fixture.last().decorators = vec!["pytest.fixture(scope='session', params=[f(1, 2), 3])".to_owned()];
        let store = fixture.store();
        let app = store.entities_named("app", false).expect("a store in memory").remove(0);
        let has = |wanted: &OfFixture| option(&app, wanted);
        assert_eq!(has(&OfFixture::Scope("session".to_owned())).as_deref(), Some("scope='session'"));
        assert_eq!(has(&OfFixture::Scope("function".to_owned())), None);
        assert_eq!(has(&OfFixture::Parametrized).as_deref(), Some("params=[f(1, 2), 3]"));
        assert_eq!((has(&OfFixture::Autouse), has(&OfFixture::Yields)), (None, None));
    }
}
