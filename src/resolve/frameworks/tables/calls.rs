//! Rules about calls: the objects that they give, the arguments that library code calls, the classes that they name.

use std::sync::Arc;

use serde::Deserialize;

use super::{DottedPath, HashedName, RuleKind, Rules};
use crate::resolve::library::known::Known;

/// `attrs.evolve(point, x=1)`: a name of a library behaves as some name of the standard library does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Behavior {
    names: Vec<DottedPath>,
    like: Known,
}

impl RuleKind for Behavior {
    fn add(self, rules: &mut Rules) {
        rules.behaviors.extend(self.names.iter().map(|name| (name.0, self.like)));
    }
}

/// `Thread(target=f)`: library code calls one of its arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Callback {
    functions: Vec<DottedPath>,
    pub(crate) position: Option<usize>,
    pub(crate) keyword: Option<HashedName>,
    pub(crate) passes: Passes,
    #[serde(default)]
    pub(crate) gives: CallbackResult,
    /// Methods of the argument that are called in its place: `closing(file)` calls `file.close`.
    #[serde(default)]
    pub(crate) members: Vec<String>,
    /// Without the argument, the class in the annotation beside the call is called.
    #[serde(default)]
    pub(crate) is_declared: bool,
}

impl RuleKind for Callback {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.functions);
        let rule = Arc::new(self);
        rules.callbacks.insert(&rule, &rule.functions);
    }
}

/// The arguments of a callback.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Passes {
    /// None whose value is known.
    Nothing,
    /// The arguments behind the callback.
    Rest,
    /// Each element of the argument behind the callback.
    Elements,
    /// Each element of the first argument.
    First,
    /// Two elements of the first argument.
    FirstTwice,
    /// Each element of the second argument.
    Second,
    /// The elements of the keyword `args`, or of the argument behind the callback.
    Arguments,
}

/// The relation of a call's result to the result of its callback.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallbackResult {
    /// None.
    #[default]
    Nothing,
    /// The same.
    Result,
    /// A list, a future or another object that holds it.
    Held,
    /// The same, or the values that it yields.
    Provided,
}

/// `with ThreadPoolExecutor() as pool`: an object whose `__enter__` gives the object itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Enters {
    objects: Vec<DottedPath>,
}

impl RuleKind for Enters {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.objects);
        rules.enters.extend(self.objects.iter().map(|object| object.0));
    }
}

/// `Session = sessionmaker(engine)`, `Session()`, `@click.group()`: a call of an object, or of its method, gives
/// another object. A decorator turns a function into one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GivesObject {
    #[serde(default)]
    calls: Vec<DottedPath>,
    #[serde(default)]
    decorators: Vec<DottedPath>,
    object: DottedPath,
}

impl RuleKind for GivesObject {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.calls);
        rules.describe_decorators(&self.decorators);
        rules.gives.extend(self.calls.iter().map(|call| (call.0, self.object.0)));
        rules.makes.extend(self.decorators.iter().map(|decorator| (decorator.0, self.object.0)));
    }
}

/// `@click.command(cls=Loud)`: a call makes an instance of the class in a keyword.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Instantiates {
    calls: Vec<DottedPath>,
    keyword: HashedName,
}

impl RuleKind for Instantiates {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.calls);
        rules.instantiates.extend(self.calls.iter().map(|call| (call.0, self.keyword.0)));
    }
}

/// `ForeignKey("Author")`: an argument is a class, or the name of one, and the result holds instances of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reference {
    calls: Vec<DottedPath>,
    pub(crate) position: Option<usize>,
    pub(crate) keyword: Option<HashedName>,
    pub(crate) holds: Holds,
    /// The keyword with the name of the collection on the other class.
    pub(crate) reverse: Option<HashedName>,
    /// The other class has one of this class, not a collection.
    #[serde(default)]
    pub(crate) is_one: bool,
    /// The keyword with the name of an attribute of the other class.
    pub(crate) opposite: Option<HashedName>,
    /// Further keywords that name a class.
    #[serde(default)]
    pub(crate) mentions: Vec<HashedName>,
    /// Further keywords whose texts name attributes of classes.
    #[serde(default)]
    pub(crate) member_texts: Vec<HashedName>,
    /// The attribute of the result that holds the instances.
    pub(crate) member: Option<HashedName>,
    /// The kind of name that a text is if the module has no such class.
    pub(crate) kind: Option<HashedName>,
    /// The argument with which the text of the instance is compared.
    pub(crate) text: Option<ComparedText>,
}

/// `raises(Missing, match="gone")`: an argument that makes a library ask an object for its text.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparedText {
    pub(crate) position: Option<usize>,
    pub(crate) keyword: Option<HashedName>,
}

impl RuleKind for Reference {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.calls);
        let rule = Arc::new(self);
        rules.refers.insert(&rule, &rule.calls);
    }
}

/// The values that an attribute or the result of a call holds.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Holds {
    /// An instance of the class.
    Instance,
    /// A collection of instances.
    Collection,
    /// One or the other.
    Either,
    /// The argument itself.
    Same,
    /// An element of the argument.
    One,
}

/// `@attrs.define`: a decorator writes the constructor of a class.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WritesConstructor {
    decorators: Vec<DottedPath>,
}

impl RuleKind for WritesConstructor {
    fn add(self, rules: &mut Rules) {
        rules.constructors.extend(self.decorators.iter().map(|decorator| decorator.0));
    }
}

impl Rules {
    /// Whether some rule describes a call.
    pub(crate) fn is_described(&self, call: u64) -> bool {
        self.described.contains(&call)
    }

    /// Whether an object gives itself in a `with` statement.
    pub(crate) fn enters(&self, object: u64) -> bool {
        self.enters.contains(&object)
    }

    /// The object that a call gives.
    pub(crate) fn gives(&self, call: u64) -> Option<u64> {
        self.gives.get(&call).copied()
    }

    /// Whether a decorator writes the constructor of a class.
    pub(crate) fn writes_constructor(&self, decorator: u64) -> bool {
        self.constructors.contains(&decorator)
    }
}
