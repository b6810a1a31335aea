//! What frameworks promise to do with what is handed to them, read from one file for each in `rules/`.
//!
//! Goes in: the hash of a name outside the repository. Comes out: whether it registers what it decorates, and with
//! what; what object it makes of a function; which keyword names a class that it makes an instance of; which arguments it calls,
//! and which methods of a class that inherits it. The core knows no framework: a new one is a new file and its line in [`FILES`].

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::externals;

const FILES: &[&str] = &[
    include_str!("rules/celery.toml"),
    include_str!("rules/click.toml"),
    include_str!("rules/django.toml"),
    include_str!("rules/fastapi.toml"),
    include_str!("rules/flask.toml"),
    include_str!("rules/pytest.toml"),
    include_str!("rules/sqlalchemy.toml"),
    include_str!("rules/stdlib.toml"),
    include_str!("rules/typer.toml"),
];

/// All rules, by the hash of a dotted path.
#[derive(Default)]
pub(super) struct Rules {
    registers: FxHashSet<u64>,
    registers_with: FxHashMap<u64, (Argument, Option<u64>)>,
    makes: FxHashMap<u64, u64>,
    instantiates: FxHashMap<u64, u64>,
    callbacks: FxHashMap<u64, Vec<Callback>>,
    enters: FxHashSet<u64>,
    runs: FxHashMap<(u64, u64), Vec<String>>,
    running: FxHashSet<u64>,
    refers: FxHashMap<u64, Reference>,
    collections: FxHashMap<u64, Vec<u64>>,
    managers: FxHashSet<u64>,
    same: FxHashSet<u64>,
    one: FxHashSet<u64>,
    pairs: FxHashSet<u64>,
    makers: FxHashSet<u64>,
    joiners: FxHashSet<u64>,
}

/// What a call gives that is given a class, or a text that names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) position: Option<usize>,
    /// By its hash.
    pub(super) keyword: Option<u64>,
    pub(super) holds: Holds,
    /// The keyword, by its hash, that names the collection on the other class.
    pub(super) reverse: Option<u64>,
    /// The attribute, by its hash, of what comes back that holds it.
    pub(super) member: Option<u64>,
}

/// What an attribute or a call holds of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Holds {
    Instance,
    Collection,
    /// One or the other.
    Either,
    /// Just what was given.
    Same,
}

/// A function among the arguments of a call that is called with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Callback {
    pub(super) position: Option<usize>,
    /// By its hash.
    pub(super) keyword: Option<u64>,
    pub(super) passes: Passes,
    pub(super) gives: Gives,
}

/// What a call gives of what its callback gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Gives {
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
pub(super) enum Passes {
    /// Nothing that is followed.
    Nothing,
    /// The arguments that stand behind it.
    Rest,
    /// Each element of the argument behind it.
    Elements,
    /// The elements of the keyword `args`, or of the argument behind it.
    Arguments,
}

/// Which argument of a decorator is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Position(usize),
    /// By the hash of the keyword.
    Keyword(u64),
}

/// One file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    registers: Vec<Registers>,
    #[serde(default)]
    registers_with: Vec<RegistersWith>,
    #[serde(default)]
    makes: Vec<Makes>,
    #[serde(default)]
    instantiates: Vec<Instantiates>,
    #[serde(default)]
    callbacks: Vec<Callbacks>,
    #[serde(default)]
    enters: Vec<Enters>,
    #[serde(default)]
    runs: Vec<Runs>,
    #[serde(default)]
    refers: Vec<Refers>,
    #[serde(default)]
    collections: Vec<Collections>,
}

/// `ForeignKey("Author")`: what is given names a class, and what comes back holds instances of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refers {
    calls: Vec<String>,
    position: Option<usize>,
    keyword: Option<String>,
    holds: Holds,
    reverse: Option<String>,
    member: Option<String>,
}

/// `Author.objects.filter(…).first()`: attributes of classes that derive from these are collections of their instances; so
/// is what derives from a manager and is kept in such a class. Methods give the same collection, or one of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Collections {
    #[serde(default)]
    classes: Vec<String>,
    #[serde(default)]
    attributes: Vec<String>,
    #[serde(default)]
    managers: Vec<String>,
    same: Vec<String>,
    one: Vec<String>,
    /// Methods that give one and whether it was made.
    #[serde(default)]
    pairs: Vec<String>,
    /// Methods of a manager class that give an instance of it.
    #[serde(default)]
    makers: Vec<String>,
    /// Methods of a manager class that join it with the class that is given.
    #[serde(default)]
    joiners: Vec<String>,
}

/// `@app.route("/")`: what is decorated runs when those run that use the object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registers {
    objects: Vec<String>,
    decorators: Vec<String>,
}

/// `@receiver(post_save, sender=Order)`: what is decorated runs when those run that use the argument.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistersWith {
    decorators: Vec<String>,
    position: Option<usize>,
    keyword: Option<String>,
    /// The parameter of what is decorated that is given an instance of the argument.
    passes: Option<String>,
}

/// `@click.group()`: a function becomes an object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Makes {
    decorators: Vec<String>,
    object: String,
}

/// `@click.command(cls=Loud)`: a class is made an instance of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Instantiates {
    calls: Vec<String>,
    keyword: String,
}

/// `Thread(target=f)`: library code calls what it is given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Callbacks {
    functions: Vec<String>,
    position: Option<usize>,
    keyword: Option<String>,
    passes: Passes,
    #[serde(default)]
    gives: Gives,
}

/// `with ThreadPoolExecutor() as pool`: an object that gives itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enters {
    objects: Vec<String>,
}

/// `thread.start()`: a method that a class inherits runs other methods of the class; `do_*` is all that begin so.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Runs {
    objects: Vec<String>,
    methods: Vec<String>,
    members: Vec<String>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let mut rules = Rules::default();
    for text in FILES {
        rules.add(&toml::from_str(text).expect("a test reads every file"));
    }
    rules
});

/// The rules of all frameworks.
pub(super) fn rules() -> &'static Rules {
    &RULES
}

impl Rules {
    /// Whether a method registers what it decorates with its object.
    pub(super) fn registers(&self, decorator: u64) -> bool {
        self.registers.contains(&decorator)
    }

    /// The argument that a decorator registers with, and the parameter, by its hash, that is given an instance of it.
    pub(super) fn registers_with(&self, decorator: u64) -> Option<(Argument, Option<u64>)> {
        self.registers_with.get(&decorator).copied()
    }

    /// The class of the object that a decorator makes.
    pub(super) fn makes(&self, decorator: u64) -> Option<u64> {
        self.makes.get(&decorator).copied()
    }

    /// The keyword of a call that names a class to make an instance of, as a hash.
    pub(super) fn instantiates(&self, call: u64) -> Option<u64> {
        self.instantiates.get(&call).copied()
    }

    /// The functions among the arguments of a call that are called.
    pub(super) fn callbacks(&self, call: u64) -> &[Callback] {
        self.callbacks.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Whether an object gives itself in a `with` statement.
    pub(super) fn enters(&self, object: u64) -> bool {
        self.enters.contains(&object)
    }

    /// Whether methods of this name run other methods of classes that inherit them.
    pub(super) fn runs_members(&self, method: u64) -> bool {
        self.running.contains(&method)
    }

    /// The methods that are run by a method that a class inherits from `base`.
    pub(super) fn members_run(&self, base: u64, method: u64) -> &[String] {
        self.runs.get(&(base, method)).map_or(&[], Vec::as_slice)
    }

    /// What a call gives that names a class.
    pub(super) fn refers(&self, call: u64) -> Option<Reference> {
        self.refers.get(&call).copied()
    }

    /// Whether a class that derives from `base` has a collection of its instances under a name.
    pub(super) fn is_collection(&self, base: u64, name: u64) -> bool {
        self.collections_of(base).contains(&name)
    }

    /// The names under which classes that derive from `base` have collections of their instances.
    pub(super) fn collections_of(&self, base: u64) -> &[u64] {
        self.collections.get(&base).map_or(&[], Vec::as_slice)
    }

    /// Whether objects of classes that derive from `base` are collections of the class that keeps them.
    pub(super) fn is_manager(&self, base: u64) -> bool {
        self.managers.contains(&base)
    }

    /// Whether a method of a collection gives the same one.
    pub(super) fn gives_same(&self, method: u64) -> bool {
        self.same.contains(&method)
    }

    /// Whether a method of a collection gives one of it.
    pub(super) fn gives_one(&self, method: u64) -> bool {
        self.one.contains(&method)
    }

    /// Whether a method of a collection gives one of it and something else.
    pub(super) fn gives_pair(&self, method: u64) -> bool {
        self.pairs.contains(&method)
    }

    /// Whether a collection has such a method.
    pub(super) fn is_query(&self, method: u64) -> bool {
        self.gives_same(method) || self.gives_one(method) || self.gives_pair(method)
    }

    /// Whether a method of a manager class gives an instance of it.
    pub(super) fn gives_manager(&self, method: u64) -> bool {
        self.makers.contains(&method)
    }

    /// Whether a method of a manager class joins it with another.
    pub(super) fn joins_managers(&self, method: u64) -> bool {
        self.joiners.contains(&method)
    }

    fn add(&mut self, file: &File) {
        for rule in &file.refers {
            let hashed = |name: &Option<String>| name.as_deref().map(crate::facts::hash_name);
            let (keyword, reverse, member) = (hashed(&rule.keyword), hashed(&rule.reverse), hashed(&rule.member));
            let reference = Reference { position: rule.position, keyword, holds: rule.holds, reverse, member };
            self.refers.extend(rule.calls.iter().map(|call| (externals::dotted(call), reference)));
        }
        for rule in &file.collections {
            for class in &rule.classes {
                let names = rule.attributes.iter().map(|name| crate::facts::hash_name(name));
                self.collections.entry(externals::dotted(class)).or_default().extend(names);
            }
            self.managers.extend(rule.managers.iter().map(|path| externals::dotted(path)));
            self.same.extend(rule.same.iter().map(|name| crate::facts::hash_name(name)));
            self.one.extend(rule.one.iter().map(|name| crate::facts::hash_name(name)));
            self.pairs.extend(rule.pairs.iter().map(|name| crate::facts::hash_name(name)));
            self.makers.extend(rule.makers.iter().map(|name| crate::facts::hash_name(name)));
            self.joiners.extend(rule.joiners.iter().map(|name| crate::facts::hash_name(name)));
        }
        for rule in &file.callbacks {
            let keyword = rule.keyword.as_deref().map(crate::facts::hash_name);
            let callback = Callback { position: rule.position, keyword, passes: rule.passes, gives: rule.gives };
            for function in &rule.functions {
                self.callbacks.entry(externals::dotted(function)).or_default().push(callback);
            }
        }
        self.enters.extend(file.enters.iter().flat_map(|rule| &rule.objects).map(|object| externals::dotted(object)));
        for rule in &file.runs {
            for method in rule.methods.iter().map(|method| crate::facts::hash_name(method)) {
                self.running.insert(method);
                for object in &rule.objects {
                    let members = self.runs.entry((externals::dotted(object), method)).or_default();
                    members.extend(rule.members.iter().cloned());
                }
            }
        }
        for rule in &file.registers {
            for object in &rule.objects {
                self.registers
                    .extend(rule.decorators.iter().map(|name| externals::dotted(&format!("{object}.{name}"))));
            }
        }
        for rule in &file.registers_with {
            let argument = match (&rule.keyword, rule.position) {
                (Some(keyword), _) => Argument::Keyword(crate::facts::hash_name(keyword)),
                (None, position) => Argument::Position(position.unwrap_or(0)),
            };
            let passed = rule.passes.as_deref().map(crate::facts::hash_name);
            self.registers_with
                .extend(rule.decorators.iter().map(|path| (externals::dotted(path), (argument, passed))));
        }
        for rule in &file.makes {
            let object = externals::dotted(&rule.object);
            self.makes.extend(rule.decorators.iter().map(|path| (externals::dotted(path), object)));
        }
        for rule in &file.instantiates {
            let keyword = crate::facts::hash_name(&rule.keyword);
            self.instantiates.extend(rule.calls.iter().map(|path| (externals::dotted(path), keyword)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/resolve/rules");
        let files = std::fs::read_dir(folder).expect("the folder is there").count();
        assert_eq!(files, FILES.len(), "a file is not in FILES");
        assert!(rules().registers(externals::dotted("flask.Flask.route")));
        assert!(rules().registers(externals::dotted("flask.Flask.cli.command")));
        assert!(!rules().registers(externals::dotted("flask.Flask.run")));
        assert_eq!(rules().makes(externals::dotted("click.group")), Some(externals::dotted("click.Group")));
        assert_eq!(
            rules().registers_with(externals::dotted("sqlalchemy.event.listens_for")),
            Some((Argument::Position(0), None))
        );
    }
}
