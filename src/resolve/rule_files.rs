//! What a file of rules says, as it is written there: one struct for each kind of rule.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::rules::{Gives, Holds, Passes};

/// One file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) registers: Vec<Registers>,
    #[serde(default)]
    pub(super) registers_with: Vec<RegistersWith>,
    #[serde(default)]
    pub(super) makes: Vec<Makes>,
    #[serde(default)]
    pub(super) instantiates: Vec<Instantiates>,
    #[serde(default)]
    pub(super) callbacks: Vec<Callbacks>,
    #[serde(default)]
    pub(super) enters: Vec<Enters>,
    #[serde(default)]
    pub(super) runs: Vec<Runs>,
    #[serde(default)]
    pub(super) refers: Vec<Refers>,
    #[serde(default)]
    pub(super) collections: Vec<Collections>,
    #[serde(default)]
    pub(super) settings: Vec<Settings>,
    #[serde(default)]
    pub(super) named_classes: Vec<NamedClasses>,
    #[serde(default)]
    pub(super) names: Vec<Names>,
    #[serde(default)]
    pub(super) looks_up: Vec<LooksUp>,
    #[serde(default)]
    pub(super) signals: Vec<Signals>,
    #[serde(default)]
    pub(super) requests: Vec<Requests>,
    #[serde(default)]
    pub(super) fixtures: Vec<Fixtures>,
}

/// `ForeignKey("Author")`: what is given names a class, and what comes back holds instances of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Refers {
    pub(super) calls: Vec<String>,
    pub(super) position: Option<usize>,
    pub(super) keyword: Option<String>,
    pub(super) holds: Holds,
    pub(super) reverse: Option<String>,
    pub(super) member: Option<String>,
    /// What kind of name a text is that stands there.
    pub(super) kind: Option<String>,
}

/// `Author.objects.filter(…).first()`: attributes of classes that derive from these are collections of their instances; so
/// is what derives from a manager and is kept in such a class. Methods give the same collection, or one of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Collections {
    #[serde(default)]
    pub(super) classes: Vec<String>,
    #[serde(default)]
    pub(super) attributes: Vec<String>,
    #[serde(default)]
    pub(super) managers: Vec<String>,
    pub(super) same: Vec<String>,
    pub(super) one: Vec<String>,
    /// Methods that give one and whether it was made.
    #[serde(default)]
    pub(super) pairs: Vec<String>,
    /// Methods of a manager class that give an instance of it.
    #[serde(default)]
    pub(super) makers: Vec<String>,
    /// Methods of a manager class that join it with the class that is given.
    #[serde(default)]
    pub(super) joiners: Vec<String>,
    /// The method of a manager that makes its collection.
    pub(super) starter: Option<String>,
}

/// `@app.route("/")`: what is decorated runs when those run that use the object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Registers {
    pub(super) objects: Vec<String>,
    pub(super) decorators: Vec<String>,
}

/// `@receiver(post_save, sender=Order)`: what is decorated runs when those run that use the argument.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RegistersWith {
    pub(super) decorators: Vec<String>,
    pub(super) position: Option<usize>,
    pub(super) keyword: Option<String>,
    /// The parameter of what is decorated that is given an instance of the argument.
    pub(super) passes: Option<String>,
    /// The same by its position.
    pub(super) passes_at: Option<usize>,
    /// What kind of name a text is that stands there.
    pub(super) kind: Option<String>,
}

/// `@click.group()`: a function becomes an object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Makes {
    pub(super) decorators: Vec<String>,
    pub(super) object: String,
}

/// `@click.command(cls=Loud)`: a class is made an instance of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Instantiates {
    pub(super) calls: Vec<String>,
    pub(super) keyword: String,
}

/// `Thread(target=f)`: library code calls what it is given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Callbacks {
    pub(super) functions: Vec<String>,
    pub(super) position: Option<usize>,
    pub(super) keyword: Option<String>,
    pub(super) passes: Passes,
    #[serde(default)]
    pub(super) gives: Gives,
}

/// `with ThreadPoolExecutor() as pool`: an object that gives itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Enters {
    pub(super) objects: Vec<String>,
}

/// `thread.start()`: a method that a class inherits runs other methods of the class; `do_*` is all that begin so.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Runs {
    pub(super) objects: Vec<String>,
    pub(super) methods: Vec<String>,
    pub(super) members: Vec<String>,
}

/// `settings.DEBUG`: the attributes of an object are the variables of the module that an environment variable names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    pub(super) objects: Vec<String>,
    pub(super) environment: String,
    /// Calls whose keywords name attributes of the object.
    #[serde(default)]
    pub(super) overrides: Vec<String>,
    /// Variables of modules that list modules by their names.
    #[serde(default)]
    pub(super) modules: Vec<String>,
    /// Variables of modules that hold a name, with its kind: they stand for what is called so.
    #[serde(default)]
    pub(super) names: BTreeMap<String, String>,
    /// Calls that give what a variable of the module holds.
    #[serde(default)]
    pub(super) read_by: BTreeMap<String, String>,
}

/// `class Command(BaseCommand)` in `commands/sync.py` is known as `sync`: classes that derive from these have a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedClasses {
    pub(super) classes: Vec<String>,
    /// What kind of name it is.
    pub(super) kind: String,
    /// `{class}`, `{module}`: the file without `.py`, `{package}`: the folder, or the one above it for those in `inside`.
    pub(super) name: String,
    #[serde(default)]
    pub(super) inside: Vec<String>,
}

/// `path("cart/", cart, name="cart")`: an object gets a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    pub(super) calls: Vec<String>,
    pub(super) kind: String,
    pub(super) position: usize,
    /// The keyword that gives the name.
    pub(super) name: String,
    /// Where a pattern of paths stands; the parts at its end are a name too.
    pub(super) route: Option<usize>,
}

/// `reverse("cart")`, `get_model("shop", "Item")`: a call is given such a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LooksUp {
    pub(super) calls: Vec<String>,
    pub(super) kind: String,
    pub(super) position: usize,
    pub(super) keyword: Option<String>,
    /// The name may be given in two texts, joined by a dot.
    #[serde(default)]
    pub(super) joins: bool,
    /// The call gives the object.
    #[serde(default)]
    pub(super) gives: bool,
    /// An instance is made and these methods are called.
    #[serde(default)]
    pub(super) runs: Vec<String>,
}

/// `paid.connect(f)`, `@receiver(paid)`, `paid.send(sender)`: what is connected to an object runs when one of its methods does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Signals {
    pub(super) objects: Vec<String>,
    pub(super) connects: Vec<String>,
    /// Decorators that are given the object, or a list of such.
    #[serde(default)]
    pub(super) decorators: Vec<String>,
    #[serde(default)]
    pub(super) sends: Vec<String>,
    /// The keyword that narrows what is received to one class.
    pub(super) sender: Option<String>,
    /// The parameter that is given an instance of that class.
    pub(super) passes: Option<String>,
    /// What kind of name a text is that stands there.
    pub(super) kind: Option<String>,
}

/// `client.get("/cart/3/")`: the views run whose route ends with the same literal parts, and those that the value stands for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Requests {
    /// What makes requests.
    pub(super) objects: Vec<String>,
    /// Its methods; a view that is a class runs its own of the same name.
    pub(super) methods: Vec<String>,
    /// Other methods of such a class that run.
    pub(super) runs: Vec<String>,
    /// What kind of name routes are.
    pub(super) kind: String,
}

/// `def test(client)`: fixtures of a plugin outside the repository, where an environment variable is set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fixtures {
    pub(super) environment: String,
    /// What they are: an object, or an instance of a class.
    pub(super) names: BTreeMap<String, String>,
}
