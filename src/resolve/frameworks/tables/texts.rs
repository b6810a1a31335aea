//! Rules about calls that look up an object by a text, classes that have such a name, settings, and objects that keep
//! attributes.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;

use super::{
    DottedPath, HashedName, RuleKind, Rules, members,
    routes::{Requests, RouteGroup},
};

/// The effect of a call beside its result.
pub(crate) enum Effect {
    Names(Arc<NamesObjects>),
    LooksUp(Arc<LooksUp>),
    /// Its keywords name attributes of this object.
    Overrides(u64),
    /// It gives this attribute of this object.
    Reads(u64, String),
    /// Its keywords are attributes of an object that keeps them.
    Keeps(u64),
    /// It gives the attribute that its text names, of an object that keeps them.
    Kept(u64),
    /// It gives the definition that its text names.
    Imports,
    /// It gives an object that no source names.
    Loads,
    /// It sets a variable of the environment.
    SetsEnvironment,
    /// The class at one position gets the class at another as this attribute.
    Assigns {
        class: usize,
        value: usize,
        attribute: u64,
    },
    /// It makes a request with this method, which runs a view.
    Requests(Arc<Requests>, String),
    /// It puts a group of views below a prefix.
    Mounts(Arc<RouteGroup>),
}

/// `path("cart/", cart, name="cart")`: an object gets a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamesObjects {
    calls: Vec<DottedPath>,
    pub(crate) kind: HashedName,
    /// The position of the object.
    pub(crate) position: usize,
    pub(crate) keyword: Option<HashedName>,
    /// The keyword with the name.
    pub(crate) name: HashedName,
    /// The position of a pattern of paths; the parts at its end are a name too.
    pub(crate) route: Option<usize>,
}

impl RuleKind for NamesObjects {
    fn add(self, rules: &mut Rules) {
        let rule = Arc::new(self);
        rules.add_effect(Effect::Names(Arc::clone(&rule)), &rule.calls);
    }
}

/// `reverse("cart")`, `get_model("shop", "Item")`: a call looks up such a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LooksUp {
    calls: Vec<DottedPath>,
    pub(crate) kind: HashedName,
    pub(crate) position: usize,
    pub(crate) keyword: Option<HashedName>,
    /// The name may be two texts, joined by a dot.
    #[serde(default)]
    pub(crate) joins: bool,
    /// The call gives the object.
    #[serde(default)]
    pub(crate) gives: bool,
    /// The call makes an instance and calls these methods of it.
    #[serde(default)]
    pub(crate) runs: Vec<String>,
}

impl RuleKind for LooksUp {
    fn add(self, rules: &mut Rules) {
        let rule = Arc::new(self);
        rules.add_effect(Effect::LooksUp(Arc::clone(&rule)), &rule.calls);
    }
}

/// `import_string("shop.carts.Cart")`: calls that give the definition that a text names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Imports {
    calls: Vec<DottedPath>,
    /// No text of the source tells the name, as in `entry_point.load()`: it may be any object of the repository.
    #[serde(default)]
    unnamed: bool,
}

impl RuleKind for Imports {
    fn add(self, rules: &mut Rules) {
        rules.add_effect(if self.unnamed { Effect::Loads } else { Effect::Imports }, &self.calls);
    }
}

/// `class Command(BaseCommand)` in `commands/sync.py` is known as `sync`: classes that derive from these have a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClassName {
    classes: Vec<DottedPath>,
    pub(crate) kind: HashedName,
    /// `{class}`, `{module}`: the file without `.py`, `{package}`: the folder, or the one above it for those in
    /// `inside`.
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) inside: Vec<String>,
}

impl RuleKind for ClassName {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.classes);
        let rule = Arc::new(self);
        rules.class_names.insert(&rule, &rule.classes);
    }
}

/// `settings.DEBUG`: the attributes of an object are the variables of a module; an environment variable names the
/// module.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    objects: Vec<DottedPath>,
    environment: HashedName,
    /// Calls whose keywords name attributes of the object.
    #[serde(default)]
    overrides: Vec<DottedPath>,
    /// Variables of modules that list modules by their names.
    #[serde(default)]
    modules: Vec<HashedName>,
    /// Variables of modules that hold a name, with its kind: they stand for the object of that name.
    #[serde(default)]
    names: BTreeMap<HashedName, HashedName>,
    /// Calls that give the value of a variable of the module.
    #[serde(default)]
    read_by: BTreeMap<DottedPath, String>,
    /// Fixtures of a plugin of pytest that is present where the environment variable is set: an object, or an instance
    /// of a class.
    #[serde(default)]
    fixtures: BTreeMap<HashedName, DottedPath>,
}

impl RuleKind for Settings {
    fn add(self, rules: &mut Rules) {
        let (environment, object) = (self.environment.0, self.objects.first().map_or(0, |object| object.0));
        rules.settings.extend(self.objects.iter().map(|object| (object.0, environment)));
        rules.setting_lists.extend(self.modules.iter().map(|variable| variable.0));
        rules.setting_names.extend(self.names.iter().map(|(variable, kind)| (variable.0, kind.0)));
        rules.fixtures.extend(self.fixtures.iter().map(|(name, path)| (name.0, (environment, path.0))));
        rules.add_effect(Effect::Overrides(object), &self.overrides);
        for (call, variable) in self.read_by {
            rules.add_effect(Effect::Reads(object, variable), &[call]);
        }
        // One effect is enough for all frameworks with settings.
        if rules.environment.is_empty() {
            rules.add_effect(Effect::SetsEnvironment, &["os.environ.setdefault", "os.putenv"].map(DottedPath::of));
        }
        rules.environment.insert(environment);
    }
}

/// `g.db = Db()`, `ctx.obj = Db()`: objects that keep the values of their attributes, all of them in the same place.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keeps {
    objects: Vec<DottedPath>,
    /// Calls whose keywords are attributes of it.
    #[serde(default)]
    setters: Vec<DottedPath>,
    /// Methods that give the attribute in their first argument.
    #[serde(default)]
    getters: Vec<String>,
}

impl RuleKind for Keeps {
    fn add(self, rules: &mut Rules) {
        // Other names of the object share the number of the first one.
        let shared = self.objects.first().map_or(0, |object| object.0);
        rules.keeps.extend(self.objects.iter().map(|object| (object.0, shared)));
        rules.add_effect(Effect::Keeps(shared), &self.setters);
        rules.add_effect(Effect::Kept(shared), &members(&self.objects, &self.getters));
    }
}

impl Rules {
    pub(super) fn add_effect(&mut self, effect: Effect, calls: &[DottedPath]) {
        self.describe(calls);
        self.effects.insert(&Arc::new(effect), calls);
    }

    /// Whether a module variable of this name lists modules.
    pub(crate) fn lists_modules(&self, variable: u64) -> bool {
        self.setting_lists.contains(&variable)
    }

    /// The kind of name in a module variable of this name.
    pub(crate) fn holds_name(&self, variable: u64) -> Option<u64> {
        self.setting_names.get(&variable).copied()
    }

    /// Whether an environment variable, by its hash, names a module of settings.
    pub(crate) fn is_environment(&self, variable: u64) -> bool {
        self.environment.contains(&variable)
    }

    /// The value of a plugin's fixture of this name: the environment variable that says whether it is present, and a
    /// path.
    pub(crate) fn fixture(&self, name: u64) -> Option<(u64, u64)> {
        self.fixtures.get(&name).copied()
    }
}
