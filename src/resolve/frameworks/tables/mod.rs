//! The rules of frameworks and libraries as tables. Each file of `rules/` holds those of one framework.
//!
//! Each file beside this one has a family of kinds of rules: the struct that a rule is read into, its table and the
//! look-ups. Names are hashed while they are read, so a look-up compares numbers. Tables know no expression and no
//! value.
//!
//! A new framework is a new file in `rules/` and its line in [`FILES`]. A new kind of rule is a struct with
//! [`RuleKind`], its line in `kinds!` and its table in [`Rules`].

pub(crate) mod calls;
pub(crate) mod flows;
pub(crate) mod members;
pub(crate) mod registered;
pub(crate) mod routes;
pub(crate) mod texts;

use std::sync::{Arc, LazyLock};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, de::DeserializeOwned};

use self::{
    calls::{Behavior, Callback, Enters, GivesObject, Instantiates, Reference, WritesConstructor},
    flows::{Applies, Flow},
    members::{Collections, GivesOwn, Mixin, Own, Query, ShownTemplates},
    registered::{PassesFirst, Registers, RegistersWith, Runs, RunsFunction, Signal, Signals},
    routes::{Requests, Route, RouteGroup},
    texts::{ClassName, Effect, Imports, Keeps, LooksUp, NamesObjects, Settings},
};
use crate::{
    facts::hash_name,
    resolve::library::known::{self, Known},
};

/// The files of rules.
const FILES: &[&str] = &[
    include_str!("../rules/attrs.toml"),
    include_str!("../rules/celery.toml"),
    include_str!("../rules/click.toml"),
    include_str!("../rules/django.toml"),
    include_str!("../rules/fastapi.toml"),
    include_str!("../rules/flask.toml"),
    include_str!("../rules/loaders.toml"),
    include_str!("../rules/pydantic.toml"),
    include_str!("../rules/pytest.toml"),
    include_str!("../rules/sqlalchemy.toml"),
    include_str!("../rules/stdlib.toml"),
    include_str!("../rules/tasks.toml"),
    include_str!("../rules/typer.toml"),
];

/// A kind of rule.
trait RuleKind: DeserializeOwned {
    /// Puts the rule into its table.
    fn add(self, rules: &mut Rules);
}

macro_rules! kinds {
    ($($name:ident: $kind:ty,)*) => {
        /// A file of rules: a list for each kind.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            $(#[serde(default)] $name: Vec<$kind>,)*
        }

        impl File {
            fn add(self, rules: &mut Rules) {
                $(self.$name.into_iter().for_each(|rule| rule.add(rules));)*
            }
        }
    };
}

// The kinds that share a table stand in the order in which their effects on one call are applied.
kinds! {
    applies: Applies,
    behaves: Behavior,
    callbacks: Callback,
    collections: Collections,
    enters: Enters,
    flows: Flow,
    gives: GivesObject,
    gives_own: GivesOwn,
    instantiates: Instantiates,
    mixins: Mixin,
    named_classes: ClassName,
    passes_first: PassesFirst,
    refers: Reference,
    registers: Registers,
    routes: Route,
    runs: Runs,
    runs_function: RunsFunction,
    shows: ShownTemplates,
    signals: Signals,
    writes_constructor: WritesConstructor,
    settings: Settings,
    names: NamesObjects,
    looks_up: LooksUp,
    registers_with: RegistersWith,
    keeps: Keeps,
    imports: Imports,
    requests: Requests,
    groups: RouteGroup,
}

/// All rules. A key is the hash of a dotted path where nothing else is said.
#[derive(Default)]
pub(crate) struct Rules {
    // calls.rs
    behaviors: FxHashMap<u64, Known>,
    pub(crate) callbacks: Table<Callback>,
    constructors: FxHashSet<u64>,
    /// Calls that some rule describes.
    described: FxHashSet<u64>,
    enters: FxHashSet<u64>,
    gives: FxHashMap<u64, u64>,
    pub(crate) makes: FxHashMap<u64, u64>,
    pub(crate) instantiates: FxHashMap<u64, u64>,
    pub(crate) refers: Table<Reference>,

    // flows.rs
    applies: Table<Applies>,
    flows: Table<Flow>,

    // members.rs
    collections: FxHashMap<u64, Vec<u64>>,
    managers: FxHashSet<u64>,
    mixins: Table<Mixin>,
    mixin_methods: FxHashSet<u64>,
    own_given: FxHashMap<u64, Own>,
    own_members: FxHashSet<u64>,
    queries: FxHashSet<(u64, Query)>,
    pub(crate) shows: Table<ShownTemplates>,
    shown_names: FxHashSet<u64>,
    shown_texts: FxHashSet<u64>,
    starter: Option<String>,

    // registered.rs
    decorators: FxHashSet<u64>,
    pub(crate) passes_first: Table<PassesFirst>,
    pub(crate) registers: FxHashSet<u64>,
    pub(crate) registers_with: Table<RegistersWith>,
    runs: Table<Runs>,
    /// For a method of a class of Python's library, the methods of the same object that it uses, with blanks between.
    runs_in_python: FxHashMap<u64, &'static str>,
    pub(crate) runs_function: Table<RunsFunction>,
    running: FxHashSet<u64>,
    pub(crate) signals: FxHashMap<u64, Signal>,

    // routes.rs
    pub(crate) groups: Table<RouteGroup>,
    pub(crate) routes: Table<Route>,

    // texts.rs
    pub(crate) class_names: Table<ClassName>,
    pub(crate) effects: Table<Effect>,
    /// The hashes of the environment variables that name modules of settings.
    environment: FxHashSet<u64>,
    fixtures: FxHashMap<u64, (u64, u64)>,
    pub(crate) keeps: FxHashMap<u64, u64>,
    pub(crate) settings: FxHashMap<u64, u64>,
    setting_lists: FxHashSet<u64>,
    setting_names: FxHashMap<u64, u64>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let mut rules = Rules::default();
    for text in FILES {
        toml::from_str::<File>(text).expect("a test reads every file").add(&mut rules);
    }
    rules.add_members_of_python(include_str!("../rules/stdlib_members.txt"));
    rules
});

/// The rules of all frameworks.
pub(crate) fn rules() -> &'static Rules {
    &RULES
}

/// The effect of an external name: of Python's library, or of another one that a rule says behaves like it.
pub(crate) fn behavior_of(name: u64) -> Option<Known> {
    let is_of_others = !known::is_of_python(name);
    known::listed(name).or_else(|| is_of_others.then(|| rules().behaviors.get(&name).copied())?)
}

impl Rules {
    fn describe(&mut self, calls: &[DottedPath]) {
        self.described.extend(calls.iter().map(|call| call.0));
    }

    fn describe_decorators(&mut self, decorators: &[DottedPath]) {
        self.describe(decorators);
        self.decorators.extend(decorators.iter().map(|decorator| decorator.0));
    }
}

/// Rules by the hashes of the paths to which they apply.
pub(crate) struct Table<R>(FxHashMap<u64, Vec<Arc<R>>>);

impl<R> Default for Table<R> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<R> Table<R> {
    /// All rules for a path.
    pub(crate) fn all(&self, path: u64) -> &[Arc<R>] {
        self.0.get(&path).map_or(&[], Vec::as_slice)
    }

    /// The rule for a path that can have only one: that of the last file.
    pub(crate) fn get(&self, path: u64) -> Option<&R> {
        self.all(path).last().map(Arc::as_ref)
    }

    fn insert(&mut self, rule: &Arc<R>, paths: &[DottedPath]) {
        for path in paths {
            self.0.entry(path.0).or_default().push(Arc::clone(rule));
        }
    }
}

/// A name in a file of rules, read as its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(from = "String")]
pub(crate) struct HashedName(pub(crate) u64);

impl From<String> for HashedName {
    fn from(text: String) -> Self {
        Self(hash_name(&text))
    }
}

impl From<HashedName> for u64 {
    fn from(name: HashedName) -> Self {
        name.0
    }
}

/// A dotted path in a file of rules, read as its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(from = "String")]
pub(crate) struct DottedPath(pub(crate) u64);

impl From<String> for DottedPath {
    fn from(text: String) -> Self {
        Self::of(&text)
    }
}

impl DottedPath {
    fn of(text: &str) -> Self {
        Self(known::dotted(text))
    }
}

/// Each member of each object; a member may have dots.
fn members(objects: &[DottedPath], members: &[String]) -> Vec<DottedPath> {
    let below = |object: &DottedPath, member: &str| {
        DottedPath(member.split('.').fold(object.0, |path, name| known::member(path, hash_name(name))))
    };
    objects.iter().flat_map(|object| members.iter().map(move |member| below(object, member))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/resolve/frameworks/rules");
        let files = std::fs::read_dir(folder).expect("the folder is there").count();
        assert_eq!(files, FILES.len() + 1, "a file is not in FILES, and not the members of Python's classes");
        let formatter = known::dotted("logging.Formatter");
        assert!(rules().members_run(formatter, hash_name("format")).any(|(member, _)| member == "formatTime"));
        assert!(rules().registers.contains(&known::dotted("flask.Flask.route")));
        assert!(rules().registers.contains(&known::dotted("flask.Flask.cli.command")));
        assert!(!rules().registers.contains(&known::dotted("flask.Flask.run")));
        assert_eq!(rules().makes.get(&known::dotted("click.group")), Some(&known::dotted("click.Group")));
        let listens = rules().registers_with.get(known::dotted("sqlalchemy.event.listens_for"));
        assert_eq!(listens.map(|rule| (rule.position, rule.passes_at)), Some((Some(0), Some(2))));
    }

    #[test]
    fn libraries_behave_as_the_standard_library_does() {
        assert_eq!(behavior_of(known::dotted("attr.evolve")), behavior_of(known::dotted("dataclasses.replace")));
        assert_eq!(behavior_of(known::dotted("werkzeug.local.LocalProxy")), Some(Known::Proxy));
        assert!(rules().writes_constructor(known::dotted("attrs.define")));
    }
}
