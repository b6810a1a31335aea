//! What frameworks promise to do with what is handed to them, read from one file for each in `rules/`.
//!
//! Goes in: the hash of a name outside the repository. Comes out: whether it registers what it decorates, and with
//! what; what object it makes of a function; which keyword names a class that it makes an instance of; which arguments it calls,
//! and which methods of a class that inherits it. The core knows no framework: a new one is a new file and its line in [`FILES`].

pub(crate) mod decorators;
pub(crate) mod names;
pub(crate) mod orm;
pub(crate) mod orm_fields;
pub(crate) mod pytest;
pub(crate) mod registered_names;
pub(crate) mod registration;
pub(crate) mod registry;
pub(crate) mod routes;
pub(crate) mod schema;
pub(crate) mod settings;

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use crate::resolve::{
    frameworks::names::{Request, Route, RouteGroup},
    library::{Applies, Flow},
};

const FILES: &[&str] = &[
    include_str!("rules/celery.toml"),
    include_str!("rules/click.toml"),
    include_str!("rules/django.toml"),
    include_str!("rules/fastapi.toml"),
    include_str!("rules/flask.toml"),
    include_str!("rules/loaders.toml"),
    include_str!("rules/pydantic.toml"),
    include_str!("rules/pytest.toml"),
    include_str!("rules/sqlalchemy.toml"),
    include_str!("rules/stdlib.toml"),
    include_str!("rules/typer.toml"),
];

/// All rules, by the hash of a dotted path.
#[derive(Default)]
pub(crate) struct Rules {
    pub(crate) registers: FxHashSet<u64>,
    pub(crate) routes: FxHashMap<u64, Route>,
    pub(crate) groups: FxHashMap<u64, RouteGroup>,
    pub(crate) registers_with: FxHashMap<u64, RegistersWith>,
    pub(crate) makes: FxHashMap<u64, u64>,
    pub(crate) instantiates: FxHashMap<u64, u64>,
    pub(crate) callbacks: FxHashMap<u64, Vec<Callback>>,
    pub(crate) enters: FxHashSet<u64>,
    pub(crate) runs: FxHashMap<(u64, u64), Vec<String>>,
    pub(crate) running: FxHashSet<u64>,
    pub(crate) refers: FxHashMap<u64, Reference>,
    pub(crate) collections: FxHashMap<u64, Vec<u64>>,
    pub(crate) managers: FxHashSet<u64>,
    pub(crate) same: FxHashSet<u64>,
    pub(crate) one: FxHashSet<u64>,
    pub(crate) pairs: FxHashSet<u64>,
    pub(crate) makers: FxHashSet<u64>,
    pub(crate) joiners: FxHashSet<u64>,
    pub(crate) starter: Option<String>,
    pub(crate) settings: FxHashMap<u64, u64>,
    pub(crate) setting_lists: FxHashSet<u64>,
    pub(crate) setting_names: FxHashMap<u64, u64>,
    pub(crate) environment: FxHashMap<u64, u64>,
    pub(crate) named_classes: FxHashMap<u64, Vec<ClassName>>,
    pub(crate) by_text: FxHashMap<u64, Vec<ByText>>,
    pub(crate) signals: FxHashMap<u64, Signal>,
    pub(crate) fixtures: FxHashMap<u64, (u64, u64)>,
    pub(crate) mentions: FxHashMap<u64, Vec<u64>>,
    pub(crate) member_texts: FxHashMap<u64, Vec<u64>>,
    pub(crate) gives: FxHashMap<u64, u64>,
    pub(crate) by_keyword: FxHashSet<u64>,
    pub(crate) by_attribute_text: FxHashSet<u64>,
    pub(crate) keeps: FxHashMap<u64, u64>,
    pub(crate) own_methods: FxHashSet<u64>,
    pub(crate) gives_own: FxHashMap<(u64, u64), Own>,
    pub(crate) mixins: FxHashMap<(u64, u64), Mixin>,
    pub(crate) mixin_methods: FxHashSet<u64>,
    pub(crate) passes_first: FxHashMap<u64, First>,
    pub(crate) shows: FxHashMap<u64, Vec<Shown>>,
    pub(crate) shown_names: FxHashSet<u64>,
    pub(crate) shown_texts: FxHashSet<u64>,
    pub(crate) flows: FxHashMap<u64, Flow>,
    pub(crate) applies: FxHashMap<u64, Applies>,
}

/// How a member of a class in a library gives objects of the class that derives from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// A method or operator gives one.
    One,
    /// A method gives what can be gone through for them.
    Many,
    Attribute,
    Attributes,
}

/// What a method does that a class in a library writes with methods of those that derive from it.
#[derive(Clone, Debug)]
pub(crate) struct Mixin {
    pub(crate) runs: Vec<String>,
    pub(crate) gives: MixinGives,
}

/// What such a method gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MixinGives {
    #[default]
    Nothing,
    /// What `__getitem__` gives, or the second argument.
    Item,
    /// Something to go through for such.
    Items,
    /// What `__iter__` goes through.
    Key,
    /// A tuple of both.
    Pair,
    /// Something to go through for such tuples.
    Pairs,
}

/// What objects of a class hold of another class; names by their hashes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    pub(crate) models: Vec<String>,
    pub(crate) one: Vec<u64>,
    pub(crate) many: Vec<u64>,
    pub(crate) texts: Vec<u64>,
}

/// What the first parameter of a decorated function is: an object, or what an attribute of it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct First {
    pub(crate) object: Option<u64>,
    pub(crate) attribute: Option<u64>,
}

/// How classes that derive from another are called.
#[derive(Clone, Debug)]
pub(crate) struct ClassName {
    pub(crate) kind: u64,
    pub(crate) template: String,
    /// Folders that count as part of the one above.
    pub(crate) inside: Vec<String>,
}

/// What a call does with a text among its arguments. Kinds of names and keywords stand by their hashes.
#[derive(Clone, Debug)]
pub(crate) enum ByText {
    Names {
        kind: u64,
        position: usize,
        keyword: Option<u64>,
        name: u64,
        route: Option<usize>,
    },
    LooksUp {
        kind: u64,
        position: usize,
        keyword: Option<u64>,
        joins: bool,
        gives: bool,
        runs: Vec<String>,
    },
    /// Its keywords name attributes of this object.
    Overrides(u64),
    /// It gives this attribute of this object.
    Reads(u64, String),
    /// Its keywords are attributes of an object that keeps them.
    Keeps(u64),
    /// It gives what the text names.
    Imports,
    /// It gives the attribute that it names of an object that keeps them.
    Kept(u64),
    /// It sets a variable of the environment.
    SetsEnvironment,
    /// The class at this position has its first argument as this attribute.
    Assigns(usize, u64),
    /// It makes a request, which runs a view.
    Requests(Request),
    /// It puts a group of views below a prefix.
    Mounts(RouteGroup),
}

/// The senders whose signals are received, by hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Senders {
    /// The keyword that narrows them to one class.
    pub(crate) keyword: Option<u64>,
    /// The parameter that is given an instance of it.
    pub(crate) passes: Option<u64>,
    /// What kind of name a text is that stands there.
    pub(crate) kind: Option<u64>,
}

/// What a method or a decorator does with an object that others are connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Connects its first argument.
    Connects(Senders),
    /// Connects what it decorates with its argument.
    Receives,
    Sends,
}

/// With what a decorator registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegistersWith {
    pub(crate) argument: Argument,
    /// The parameter that is given an instance of the argument: by its hash, or by its position.
    pub(crate) passes: Option<u64>,
    pub(crate) passes_at: Option<usize>,
    /// The attribute, by its hash, of what is decorated that holds the argument.
    pub(crate) attribute: Option<u64>,
    /// What kind of name a text is that stands there.
    pub(crate) kind: Option<u64>,
}

/// What a call gives that is given a class, or a text that names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) position: Option<usize>,
    /// By its hash.
    pub(crate) keyword: Option<u64>,
    pub(crate) holds: Holds,
    /// The keyword, by its hash, that names the collection on the other class.
    pub(crate) reverse: Option<u64>,
    /// The attribute, by its hash, of what comes back that holds it.
    pub(crate) member: Option<u64>,
    /// What kind of name a text is that names no class of the module.
    pub(crate) kind: Option<u64>,
    /// The other class has one of this, not a collection.
    pub(crate) is_one: bool,
    /// The keyword, by its hash, that names an attribute of the other class.
    pub(crate) opposite: Option<u64>,
}

/// What an attribute or a call holds of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Holds {
    Instance,
    Collection,
    /// One or the other.
    Either,
    /// Just what was given.
    Same,
    /// One of the collection that was given.
    One,
}

/// A function among the arguments of a call that is called with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Callback {
    pub(crate) position: Option<usize>,
    /// By its hash.
    pub(crate) keyword: Option<u64>,
    pub(crate) passes: Passes,
    pub(crate) gives: Gives,
    /// Its methods that are called, in place of the argument itself.
    pub(crate) members: Vec<String>,
    /// Where it is left out, the class that is declared is called.
    pub(crate) is_declared: bool,
}

/// What a call gives of what its callback gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Gives {
    #[default]
    Nothing,
    /// Just that.
    Result,
    /// A list, a future or another object that holds it.
    Held,
    /// That, or what it yields.
    Provided,
}

/// What a callback is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Passes {
    /// Nothing that is followed.
    Nothing,
    /// The arguments that stand behind it.
    Rest,
    /// Each element of the argument behind it.
    Elements,
    /// Each element of the first argument.
    First,
    /// Two elements of the first argument.
    FirstTwice,
    /// Each element of the second argument.
    Second,
    /// The elements of the keyword `args`, or of the argument behind it.
    Arguments,
}

/// Which argument of a decorator is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    Position(usize),
    /// By the hash of the keyword.
    Keyword(u64),
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let mut rules = Rules::default();
    for text in FILES {
        rules.add(&toml::from_str(text).expect("a test reads every file"));
    }
    rules
});

/// The rules of all frameworks.
pub(crate) fn rules() -> &'static Rules {
    &RULES
}

impl Rules {
    /// Whether a method registers what it decorates with its object.
    pub(crate) fn registers(&self, decorator: u64) -> bool {
        self.registers.contains(&decorator)
    }

    /// Whether it is said here what a decorator does.
    pub(crate) fn is_decorator(&self, decorator: u64) -> bool {
        self.registers.contains(&decorator)
            || self.registers_with.contains_key(&decorator)
            || self.signals.contains_key(&decorator)
            || self.passes_first.contains_key(&decorator)
            || self.makes.contains_key(&decorator)
    }

    /// How a decorator makes a view of what it decorates.
    pub(crate) fn route(&self, decorator: u64) -> Option<&Route> {
        self.routes.get(&decorator)
    }

    /// What group of views a call makes.
    pub(crate) fn group(&self, call: u64) -> Option<&RouteGroup> {
        self.groups.get(&call)
    }

    /// With what a decorator registers.
    pub(crate) fn registers_with(&self, decorator: u64) -> Option<RegistersWith> {
        self.registers_with.get(&decorator).copied()
    }

    /// The class of the object that a decorator makes.
    pub(crate) fn makes(&self, decorator: u64) -> Option<u64> {
        self.makes.get(&decorator).copied()
    }

    /// The keyword of a call that names a class to make an instance of, as a hash.
    pub(crate) fn instantiates(&self, call: u64) -> Option<u64> {
        self.instantiates.get(&call).copied()
    }

    /// The functions among the arguments of a call that are called.
    pub(crate) fn callbacks(&self, call: u64) -> &[Callback] {
        self.callbacks.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Whether something is said here of what a call of this does or gives.
    pub(crate) fn is_described(&self, call: u64) -> bool {
        self.callbacks.contains_key(&call)
            || self.makes.contains_key(&call)
            || self.instantiates.contains_key(&call)
            || self.refers.contains_key(&call)
            || self.collections.contains_key(&call)
            || self.by_text.contains_key(&call)
            || self.named_classes.contains_key(&call)
            || self.mentions.contains_key(&call)
            || self.gives.contains_key(&call)
            || self.shows.contains_key(&call)
            || self.flows.contains_key(&call)
            || self.applies.contains_key(&call)
            || self.registers.contains(&call)
            || self.registers_with.contains_key(&call)
            || self.enters.contains(&call)
    }

    /// Whether an object gives itself in a `with` statement.
    pub(crate) fn enters(&self, object: u64) -> bool {
        self.enters.contains(&object)
    }

    /// Whether methods of this name run other methods of classes that inherit them.
    pub(crate) fn runs_members(&self, method: u64) -> bool {
        self.running.contains(&method)
    }

    /// The methods that are run by a method that a class inherits from `base`.
    pub(crate) fn members_run(&self, base: u64, method: u64) -> &[String] {
        self.runs.get(&(base, method)).map_or(&[], Vec::as_slice)
    }

    /// What a call gives that names a class.
    pub(crate) fn refers(&self, call: u64) -> Option<Reference> {
        self.refers.get(&call).copied()
    }

    /// What a library function gives of its arguments.
    pub(crate) fn flow(&self, call: u64) -> Option<&Flow> {
        self.flows.get(&call)
    }

    /// Which special methods of its arguments one runs.
    pub(crate) fn applies(&self, call: u64) -> Option<&Applies> {
        self.applies.get(&call)
    }

    /// Whether a class that derives from `base` has a collection of its instances under a name.
    pub(crate) fn is_collection(&self, base: u64, name: u64) -> bool {
        self.collections_of(base).contains(&name)
    }

    /// The names under which classes that derive from `base` have collections of their instances.
    pub(crate) fn collections_of(&self, base: u64) -> &[u64] {
        self.collections.get(&base).map_or(&[], Vec::as_slice)
    }

    /// Whether objects of classes that derive from `base` are collections of the class that keeps them.
    pub(crate) fn is_manager(&self, base: u64) -> bool {
        self.managers.contains(&base)
    }

    /// Whether a method of a collection gives the same one.
    pub(crate) fn gives_same(&self, method: u64) -> bool {
        self.same.contains(&method)
    }

    /// Whether a method of a collection gives one of it.
    pub(crate) fn gives_one(&self, method: u64) -> bool {
        self.one.contains(&method)
    }

    /// Whether a method of a collection gives one of it and something else.
    pub(crate) fn gives_pair(&self, method: u64) -> bool {
        self.pairs.contains(&method)
    }

    /// Whether a collection has such a method.
    pub(crate) fn is_query(&self, method: u64) -> bool {
        self.gives_same(method) || self.gives_one(method) || self.gives_pair(method)
    }

    /// Whether a method of a manager class gives an instance of it.
    pub(crate) fn gives_manager(&self, method: u64) -> bool {
        self.makers.contains(&method)
    }

    /// Whether a method of a manager class joins it with another.
    pub(crate) fn joins_managers(&self, method: u64) -> bool {
        self.joiners.contains(&method)
    }

    /// The method of a manager that makes its collection.
    pub(crate) fn starter(&self) -> Option<&str> {
        self.starter.as_deref()
    }

    /// The environment variable, by its hash, that names the module which an object stands for.
    pub(crate) fn settings(&self, object: u64) -> Option<u64> {
        self.settings.get(&object).copied()
    }

    /// Whether members of this name may give instances of the class that they are asked of.
    pub(crate) fn may_give_own(&self, member: u64) -> bool {
        self.own_methods.contains(&member)
    }

    /// How such a member of classes that derive from `base` does.
    pub(crate) fn gives_own(&self, base: u64, member: u64) -> Option<Own> {
        self.gives_own.get(&(base, member)).copied()
    }

    /// Whether methods of this name may be written with methods of the class that inherits them.
    pub(crate) fn may_be_mixed_in(&self, method: u64) -> bool {
        self.mixin_methods.contains(&method)
    }

    /// What such a method runs that a class inherits from `base`.
    pub(crate) fn mixed_in(&self, base: u64, method: u64) -> Option<&Mixin> {
        self.mixins.get(&(base, method))
    }

    /// Where an object outside the repository keeps what is assigned to its attributes.
    pub(crate) fn keeps(&self, object: u64) -> Option<u64> {
        self.keeps.get(&object).copied()
    }

    /// What the first parameter of a function is that is decorated so.
    pub(crate) fn passes_first(&self, decorator: u64) -> Option<First> {
        self.passes_first.get(&decorator).copied()
    }

    /// Whether a module variable of this name lists modules.
    pub(crate) fn lists_modules(&self, variable: u64) -> bool {
        self.setting_lists.contains(&variable)
    }

    /// What kind of name a module variable of this name holds.
    pub(crate) fn holds_name(&self, variable: u64) -> Option<u64> {
        self.setting_names.get(&variable).copied()
    }

    /// Whether an environment variable, by its hash, names a module of settings.
    pub(crate) fn is_environment(&self, variable: u64) -> bool {
        self.environment.contains_key(&variable)
    }

    /// How classes that derive from `base` are called.
    pub(crate) fn class_names(&self, base: u64) -> &[ClassName] {
        self.named_classes.get(&base).map_or(&[], Vec::as_slice)
    }

    /// What a call does with a text among its arguments.
    pub(crate) fn by_text(&self, call: u64) -> &[ByText] {
        self.by_text.get(&call).map_or(&[], Vec::as_slice)
    }

    /// What a method or a decorator does with an object that others are connected to.
    pub(crate) fn signal(&self, method: u64) -> Option<Signal> {
        self.signals.get(&method).copied()
    }

    /// What a fixture of this name is that a plugin has: the environment variable that says whether it is there, and a path.
    pub(crate) fn fixture(&self, name: u64) -> Option<(u64, u64)> {
        self.fixtures.get(&name).copied()
    }

    /// Further keywords of a call that name classes.
    pub(crate) fn mentions(&self, call: u64) -> &[u64] {
        self.mentions.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Keywords of a call whose texts name attributes of classes.
    pub(crate) fn member_texts(&self, call: u64) -> &[u64] {
        self.member_texts.get(&call).map_or(&[], Vec::as_slice)
    }

    /// The class of the object that a call of an object gives.
    pub(crate) fn gives(&self, call: u64) -> Option<u64> {
        self.gives.get(&call).copied()
    }

    /// Whether keywords of a collection's method name attributes of its class, and whether its texts do.
    pub(crate) fn names_attributes(&self, method: u64) -> (bool, bool) {
        (self.by_keyword.contains(&method), self.by_attribute_text.contains(&method))
    }

    /// Whether objects may hold another class's under this name.
    pub(crate) fn is_shown(&self, name: u64) -> bool {
        self.shown_names.contains(&name)
    }

    /// Whether texts in a class's variable of this name may name members.
    pub(crate) fn has_member_texts(&self, variable: u64) -> bool {
        self.shown_texts.contains(&variable)
    }

    /// What objects of classes that derive from `base` hold of another class.
    pub(crate) fn shows(&self, base: u64) -> &[Shown] {
        self.shows.get(&base).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::library::known;

    #[test]
    fn every_file_is_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/resolve/frameworks/rules");
        let files = std::fs::read_dir(folder).expect("the folder is there").count();
        assert_eq!(files, FILES.len(), "a file is not in FILES");
        assert!(rules().registers(known::dotted("flask.Flask.route")));
        assert!(rules().registers(known::dotted("flask.Flask.cli.command")));
        assert!(!rules().registers(known::dotted("flask.Flask.run")));
        assert_eq!(rules().makes(known::dotted("click.group")), Some(known::dotted("click.RouteGroup")));
        assert_eq!(
            rules().registers_with(known::dotted("sqlalchemy.event.listens_for")),
            Some(RegistersWith {
                argument: Argument::Position(0),
                passes: None,
                passes_at: Some(2),
                attribute: None,
                kind: None
            })
        );
    }
}
