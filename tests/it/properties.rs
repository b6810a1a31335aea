//! Random edit histories over generated modules: whatever was edited in whatever order, the index that was updated
//! after every edit equals the one that is built from scratch.
//!
//! `RUN_SLOW_TESTS=1` runs many more, longer and other ones. A failure prints the shortest history that still fails.

use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use repoidx::git::Repository;
use repoidx::index::{self, UpdateOptions, UpdateScope};

use crate::harness::TestRepo;
use crate::snapshot::{differences, snapshot};

/// Small enough that edits meet: most names are defined, imported and missing at some time.
const MODULES: [&str; 9] = [
    "__init__.py",
    "a.py",
    "b.py",
    "pkg/__init__.py",
    "pkg/c.py",
    "pkg/d.py",
    "src/e.py",
    "tests/conftest.py",
    "tests/test_f.py",
];
const DOTTED: [&str; 6] = ["a", "b", "pkg", "pkg.c", "pkg.d", "e"];
const NAMES: [&str; 5] = ["f", "g", "K", "L", "v"];

#[derive(Clone, Debug)]
enum Edit {
    /// The module has these lines from now on.
    Write {
        module: usize,
        lines: Vec<Line>,
    },
    Delete {
        module: usize,
    },
    /// The project says of its tests what they are called and which fixture they all use.
    Settings {
        function: usize,
        fixture: usize,
    },
    /// Commits what was edited and updates as a hook does.
    Commit,
    /// Goes back to the first commit, as a branch switch does.
    CheckOutFirst,
}

/// A part of a module. Numbers choose from the tables above.
#[derive(Clone, Debug)]
enum Line {
    Import {
        module: usize,
    },
    From {
        module: usize,
        name: usize,
    },
    Star {
        module: usize,
    },
    Function {
        name: usize,
        calls: usize,
    },
    Returns {
        name: usize,
        makes: usize,
    },
    Class {
        name: usize,
        base: Option<usize>,
        method: usize,
        calls: usize,
    },
    /// Asks for one method, or for two.
    Protocol {
        name: usize,
        asks: usize,
        other: usize,
    },
    Declared {
        name: usize,
        module: usize,
        class: usize,
        method: usize,
    },
    Variable {
        name: usize,
        value: usize,
    },
    Receiver {
        name: usize,
        module: usize,
        class: usize,
        method: usize,
    },
    Fixture {
        name: usize,
        makes: usize,
    },
    All {
        name: usize,
    },
    Broken,
}

#[test]
fn updates_in_any_order_equal_a_full_build() {
    let is_slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    let (cases, length) = if is_slow { (300, 25) } else { (24, 10) };
    // No file of failures: a history that failed becomes a fixture in fixtures/history.
    // The few are the same for everybody; the many are other ones each time.
    let rng_seed = if is_slow { RngSeed::Random } else { RngSeed::Fixed(1) };
    let config = Config { cases, rng_seed, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let histories = proptest::collection::vec(edit(), 1..length);
    let outcome = TestRunner::new(config).run(&histories, |edits| match replay(&edits) {
        problems if problems.is_empty() => Ok(()),
        problems => Err(TestCaseError::fail(problems.join("\n"))),
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

fn replay(edits: &[Edit]) -> Vec<String> {
    let repo = TestRepo::new().file("a.py", "def f(): ...\n").commit("first");
    repo.git(["tag", "first"]);
    let opened = Repository::open(&repo.root()).expect("the test's repository opens");
    let options = UpdateOptions { threads: Some(1), ..UpdateOptions::default() };
    let update = |scope| index::update(&opened, scope, &options, &()).expect("the update succeeds");
    for edit in edits {
        match edit {
            Edit::Write { module, lines } => repo.write(MODULES[*module], text_of(lines)),
            Edit::Delete { module } if repo.root().join(MODULES[*module]).exists() => repo.delete(MODULES[*module]),
            Edit::Delete { .. } => {}
            Edit::Settings { function, fixture } => repo.write("tox.ini", settings(*function, *fixture)),
            Edit::Commit => {
                repo.save("next");
                update(UpdateScope::Commits);
            }
            Edit::CheckOutFirst => {
                repo.save("before");
                repo.git(["checkout", "--quiet", "first"]);
            }
        }
        update(UpdateScope::Worktree);
    }
    let updated = snapshot(&opened);
    let options = UpdateOptions { full: true, ..options };
    index::update(&opened, UpdateScope::Worktree, &options, &()).expect("the full build succeeds");
    let mut problems = differences(&updated, &snapshot(&opened));
    if !problems.is_empty() {
        problems.extend(edits.iter().map(|edit| match edit {
            Edit::Write { module, lines } => format!("write {}:\n{}", MODULES[*module], text_of(lines)),
            Edit::Delete { module } => format!("delete {}", MODULES[*module]),
            Edit::Settings { function, fixture } => format!("write tox.ini:\n{}", settings(*function, *fixture)),
            Edit::Commit => "commit".to_owned(),
            Edit::CheckOutFirst => "check out the first commit".to_owned(),
        }));
    }
    problems
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        6 => (0..MODULES.len(), proptest::collection::vec(line(), 0..6))
            .prop_map(|(module, lines)| Edit::Write { module, lines }),
        1 => (0..MODULES.len()).prop_map(|module| Edit::Delete { module }),
        1 => (0..NAMES.len(), 0..NAMES.len()).prop_map(|(function, fixture)| Edit::Settings { function, fixture }),
        2 => Just(Edit::Commit),
        1 => Just(Edit::CheckOutFirst),
    ]
}

fn line() -> impl Strategy<Value = Line> {
    let (module, name) = (0..DOTTED.len(), 0..NAMES.len());
    let base = any::<bool>().prop_flat_map(|has_base| (0..NAMES.len()).prop_map(move |base| has_base.then_some(base)));
    prop_oneof![
        2 => module.clone().prop_map(|module| Line::Import { module }),
        4 => (module.clone(), name.clone()).prop_map(|(module, name)| Line::From { module, name }),
        2 => module.clone().prop_map(|module| Line::Star { module }),
        4 => (name.clone(), name.clone()).prop_map(|(name, calls)| Line::Function { name, calls }),
        3 => (name.clone(), name.clone()).prop_map(|(name, makes)| Line::Returns { name, makes }),
        4 => (name.clone(), base, name.clone(), name.clone())
            .prop_map(|(name, base, method, calls)| Line::Class { name, base, method, calls }),
        3 => (name.clone(), name.clone(), name.clone())
            .prop_map(|(name, asks, other)| Line::Protocol { name, asks, other }),
        3 => (name.clone(), module.clone(), name.clone(), name.clone())
            .prop_map(|(name, module, class, method)| Line::Declared { name, module, class, method }),
        2 => (name.clone(), name.clone()).prop_map(|(name, value)| Line::Variable { name, value }),
        3 => (name.clone(), module, name.clone(), name.clone())
            .prop_map(|(name, module, class, method)| Line::Receiver { name, module, class, method }),
        1 => (name.clone(), name.clone()).prop_map(|(name, makes)| Line::Fixture { name, makes }),
        1 => name.prop_map(|name| Line::All { name }),
        1 => Just(Line::Broken),
    ]
}

fn settings(function: usize, fixture: usize) -> String {
    format!("[pytest]\npython_functions = {}\nusefixtures = {}\n", NAMES[function], NAMES[fixture])
}

fn text_of(lines: &[Line]) -> String {
    lines.iter().map(|line| text_of_line(line) + "\n").collect()
}

fn text_of_line(line: &Line) -> String {
    let name = |index: &usize| NAMES[*index];
    let module = |index: &usize| DOTTED[*index];
    match line {
        Line::Import { module: m } => format!("import {}", module(m)),
        Line::From { module: m, name: n } => format!("from {} import {}", module(m), name(n)),
        Line::Star { module: m } => format!("from {} import *", module(m)),
        Line::Function { name: n, calls } => format!("def {}(x):\n    return {}(x)", name(n), name(calls)),
        Line::Returns { name: n, makes } => format!("def {}():\n    return {}()", name(n), name(makes)),
        Line::Class { name: n, base, method, calls } => {
            let base = base.as_ref().map_or("object", |base| name(base));
            let (method, calls) = (name(method), name(calls));
            format!("class {}({base}):\n    def {method}(self):\n        self.{calls}()\n        return self", name(n))
        }
        Line::Protocol { name: n, asks, other } => {
            let (n, asks, other) = (name(n), name(asks), name(other));
            format!(
                "from typing import Protocol\nclass {n}(Protocol):\n    def {asks}(self): ...\n    def {other}(self): ..."
            )
        }
        Line::Declared { name: n, module: m, class, method } => {
            let (n, class, method) = (name(n), name(class), name(method));
            format!("from {} import {class} as Asked\ndef {n}(x: Asked):\n    return x.{method}()", module(m))
        }
        Line::Variable { name: n, value } => format!("{} = {}()", name(n), name(value)),
        Line::Receiver { name: n, module: m, class, method } => {
            let (class, method) = (name(class), name(method));
            format!("def {}(x):\n    from {} import {class} as made\n    made().{method}()", name(n), module(m))
        }
        Line::Fixture { name: n, makes } => {
            format!("import pytest\n@pytest.fixture\ndef {}():\n    return {}()", name(n), name(makes))
        }
        Line::All { name: n } => format!("__all__ = [\"{}\"]", name(n)),
        Line::Broken => "def broken(:".to_owned(),
    }
}
