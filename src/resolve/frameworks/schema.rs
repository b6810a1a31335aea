//! What a file of rules says, as it is written there: one struct for each kind of rule; the rules that are made of it.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{
    facts::hash_name,
    resolve::{
        frameworks::{self, Argument, Callback, Gives, Holds, MixinGives, Passes, Reference, Rules},
        library::{Applies, Flow, known},
    },
};

/// One file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    #[serde(default)]
    pub(crate) registers: Vec<Registers>,
    #[serde(default)]
    pub(crate) registers_with: Vec<RegistersWithRule>,
    #[serde(default)]
    pub(crate) makes: Vec<Makes>,
    #[serde(default)]
    pub(crate) gives: Vec<GivesObject>,
    #[serde(default)]
    pub(crate) instantiates: Vec<Instantiates>,
    #[serde(default)]
    pub(crate) callbacks: Vec<Callbacks>,
    #[serde(default)]
    pub(crate) enters: Vec<Enters>,
    #[serde(default)]
    pub(crate) runs: Vec<Runs>,
    #[serde(default)]
    pub(crate) refers: Vec<Refers>,
    #[serde(default)]
    pub(crate) collections: Vec<Collections>,
    #[serde(default)]
    pub(crate) settings: Vec<Settings>,
    #[serde(default)]
    pub(crate) named_classes: Vec<NamedClasses>,
    #[serde(default)]
    pub(crate) names: Vec<NamesObjects>,
    #[serde(default)]
    pub(crate) looks_up: Vec<LooksUp>,
    #[serde(default)]
    pub(crate) signals: Vec<Signals>,
    #[serde(default)]
    pub(crate) requests: Vec<Requests>,
    #[serde(default)]
    pub(crate) routes: Vec<Routes>,
    #[serde(default)]
    pub(crate) groups: Vec<Groups>,
    #[serde(default)]
    pub(crate) shows: Vec<Shows>,
    #[serde(default)]
    pub(crate) keeps: Vec<Keeps>,
    #[serde(default)]
    pub(crate) gives_own: Vec<GivesOwn>,
    #[serde(default)]
    pub(crate) mixins: Vec<Mixins>,
    #[serde(default)]
    pub(crate) imports: Vec<Imports>,
    #[serde(default)]
    pub(crate) passes_first: Vec<PassesFirst>,
    #[serde(default)]
    pub(crate) assigns: Vec<Assigns>,
    #[serde(default)]
    pub(crate) fixtures: Vec<Fixtures>,
    #[serde(default)]
    pub(crate) flows: Vec<Flow>,
    #[serde(default)]
    pub(crate) applies: Vec<Applies>,
}

/// `ForeignKey("Author")`: what is given names a class, and what comes back holds instances of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refers {
    pub(crate) calls: Vec<String>,
    pub(crate) position: Option<usize>,
    pub(crate) keyword: Option<String>,
    pub(crate) holds: Holds,
    pub(crate) reverse: Option<String>,
    /// The other class has one of this, not a collection.
    #[serde(default)]
    pub(crate) is_one: bool,
    /// The keyword that names an attribute of the other class.
    pub(crate) opposite: Option<String>,
    /// Further keywords that name a class.
    #[serde(default)]
    pub(crate) mentions: Vec<String>,
    /// Further keywords whose texts name attributes of classes.
    #[serde(default)]
    pub(crate) member_texts: Vec<String>,
    pub(crate) member: Option<String>,
    /// What kind of name a text is that stands there.
    pub(crate) kind: Option<String>,
}

/// `Author.objects.filter(…).first()`: attributes of classes that derive from these are collections of their instances; so
/// is what derives from a manager and is kept in such a class. Methods give the same collection, or one of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Collections {
    #[serde(default)]
    pub(crate) classes: Vec<String>,
    #[serde(default)]
    pub(crate) attributes: Vec<String>,
    #[serde(default)]
    pub(crate) managers: Vec<String>,
    pub(crate) same: Vec<String>,
    pub(crate) one: Vec<String>,
    /// Methods that give one and whether it was made.
    #[serde(default)]
    pub(crate) pairs: Vec<String>,
    /// Methods of a manager class that give an instance of it.
    #[serde(default)]
    pub(crate) makers: Vec<String>,
    /// Methods of a manager class that join it with the class that is given.
    #[serde(default)]
    pub(crate) joiners: Vec<String>,
    /// The method of a manager that makes its collection.
    pub(crate) starter: Option<String>,
    /// Methods whose keywords name attributes of the class, those behind `__` of what that holds.
    #[serde(default)]
    pub(crate) by_keyword: Vec<String>,
    /// Methods whose texts do.
    #[serde(default)]
    pub(crate) by_text: Vec<String>,
}

/// `@app.route("/")`: what is decorated runs when those run that use the object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Registers {
    pub(crate) objects: Vec<String>,
    pub(crate) decorators: Vec<String>,
}

/// `@receiver(post_save, sender=Order)`: what is decorated runs when those run that use the argument.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegistersWithRule {
    pub(crate) decorators: Vec<String>,
    pub(crate) position: Option<usize>,
    pub(crate) keyword: Option<String>,
    /// The parameter of what is decorated that is given an instance of the argument.
    pub(crate) passes: Option<String>,
    /// The same by its position.
    pub(crate) passes_at: Option<usize>,
    /// The attribute of what is decorated that holds the argument.
    pub(crate) attribute: Option<String>,
    /// What kind of name a text is that stands there.
    pub(crate) kind: Option<String>,
}

/// `@click.group()`: a function becomes an object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Makes {
    pub(crate) decorators: Vec<String>,
    pub(crate) object: String,
}

/// `Session = sessionmaker(engine)`, `Session()`: a call of an object, or of its method, gives another object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivesObject {
    pub(crate) calls: Vec<String>,
    pub(crate) object: String,
}

/// `@click.command(cls=Loud)`: a class is made an instance of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Instantiates {
    pub(crate) calls: Vec<String>,
    pub(crate) keyword: String,
}

/// `Thread(target=f)`: library code calls what it is given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Callbacks {
    pub(crate) functions: Vec<String>,
    pub(crate) position: Option<usize>,
    pub(crate) keyword: Option<String>,
    pub(crate) passes: Passes,
    #[serde(default)]
    pub(crate) gives: Gives,
    /// Methods of it that are called: `closing(file)` calls `file.close`.
    #[serde(default)]
    pub(crate) members: Vec<String>,
    /// Where it is left out beside an annotation, the class that is declared there is called.
    #[serde(default)]
    pub(crate) is_declared: bool,
}

/// `with ThreadPoolExecutor() as pool`: an object that gives itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Enters {
    pub(crate) objects: Vec<String>,
}

/// `thread.start()`: a method that a class inherits runs other methods of the class; `do_*` is all that begin so. What `as_view`
/// runs is registered with the class.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Runs {
    pub(crate) objects: Vec<String>,
    pub(crate) methods: Vec<String>,
    pub(crate) members: Vec<String>,
}

/// `settings.DEBUG`: the attributes of an object are the variables of the module that an environment variable names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) objects: Vec<String>,
    pub(crate) environment: String,
    /// Calls whose keywords name attributes of the object.
    #[serde(default)]
    pub(crate) overrides: Vec<String>,
    /// Variables of modules that list modules by their names.
    #[serde(default)]
    pub(crate) modules: Vec<String>,
    /// Variables of modules that hold a name, with its kind: they stand for what is called so.
    #[serde(default)]
    pub(crate) names: BTreeMap<String, String>,
    /// Calls that give what a variable of the module holds.
    #[serde(default)]
    pub(crate) read_by: BTreeMap<String, String>,
}

/// `class Command(BaseCommand)` in `commands/sync.py` is known as `sync`: classes that derive from these have a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedClasses {
    pub(crate) classes: Vec<String>,
    /// What kind of name it is.
    pub(crate) kind: String,
    /// `{class}`, `{module}`: the file without `.py`, `{package}`: the folder, or the one above it for those in `inside`.
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) inside: Vec<String>,
}

/// `path("cart/", cart, name="cart")`: an object gets a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamesObjects {
    pub(crate) calls: Vec<String>,
    pub(crate) kind: String,
    /// Where the object stands.
    pub(crate) position: usize,
    pub(crate) keyword: Option<String>,
    /// The keyword that gives the name.
    pub(crate) name: String,
    /// Where a pattern of paths stands; the parts at its end are a name too.
    pub(crate) route: Option<usize>,
}

/// `reverse("cart")`, `get_model("shop", "Item")`: a call is given such a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LooksUp {
    pub(crate) calls: Vec<String>,
    pub(crate) kind: String,
    pub(crate) position: usize,
    pub(crate) keyword: Option<String>,
    /// The name may be given in two texts, joined by a dot.
    #[serde(default)]
    pub(crate) joins: bool,
    /// The call gives the object.
    #[serde(default)]
    pub(crate) gives: bool,
    /// An instance is made and these methods are called.
    #[serde(default)]
    pub(crate) runs: Vec<String>,
}

/// `paid.connect(f)`, `@receiver(paid)`, `paid.send(sender)`: what is connected to an object runs when one of its methods does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Signals {
    pub(crate) objects: Vec<String>,
    pub(crate) connects: Vec<String>,
    /// Decorators that are given the object, or a list of such.
    #[serde(default)]
    pub(crate) decorators: Vec<String>,
    #[serde(default)]
    pub(crate) sends: Vec<String>,
    /// The keyword that narrows what is received to one class.
    pub(crate) sender: Option<String>,
    /// The parameter that is given an instance of that class.
    pub(crate) passes: Option<String>,
    /// What kind of name a text is that stands there.
    pub(crate) kind: Option<String>,
}

/// `client.get("/cart/3/")`: the views run whose route ends with the same literal parts, and those that the value stands for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Requests {
    /// What makes requests.
    pub(crate) objects: Vec<String>,
    /// Its methods; a view that is a class runs its own of the same name.
    pub(crate) methods: Vec<String>,
    /// Other methods of such a class that run.
    #[serde(default)]
    pub(crate) runs: Vec<String>,
    /// What kind of name routes are.
    pub(crate) kind: String,
}

/// `@app.get("/users/<int:id>")`: what is decorated is the view of the paths that fit the pattern, and has a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Routes {
    pub(crate) objects: Vec<String>,
    /// Those that are called as a method of requests are for such requests alone, as are those that list some in `methods`.
    pub(crate) decorators: Vec<String>,
    /// The keyword that gives the pattern, if it is not the first argument.
    pub(crate) keyword: String,
    pub(crate) kind: String,
    /// The keyword that gives the name, if it is not that of what is decorated.
    pub(crate) name: Option<String>,
    /// No prefix stands before the pattern.
    #[serde(default)]
    pub(crate) is_root: bool,
}

/// `Blueprint("pages", __name__, url_prefix="/pages")`, `app.register_blueprint(pages, url_prefix="/pages")`: a group of views
/// has a prefix and a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Groups {
    /// What makes one.
    pub(crate) calls: Vec<String>,
    /// What is given one as its first argument, and puts it below a prefix.
    pub(crate) mounts: Vec<String>,
    /// The keyword that gives the prefix, to either.
    pub(crate) prefix: String,
    pub(crate) kind: String,
    /// Where the name stands: `pages.index` is the view `index` of the group `pages`.
    pub(crate) name: Option<usize>,
}

/// `def test(client)`: fixtures of a plugin outside the repository, where an environment variable is set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fixtures {
    pub(crate) environment: String,
    /// What they are: an object, or an instance of a class.
    pub(crate) names: BTreeMap<String, String>,
}

/// `class ItemView(DetailView): model = Item`: what objects of classes that derive from these hold of another class.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shows {
    pub(crate) classes: Vec<String>,
    /// Where the other class stands: attributes, or attributes of an inner class.
    pub(crate) models: Vec<String>,
    /// Attributes and methods that give one of it.
    #[serde(default)]
    pub(crate) one: Vec<String>,
    /// Attributes and methods that give a collection.
    #[serde(default)]
    pub(crate) many: Vec<String>,
    /// Attributes, of the class or of that inner class, whose texts name members of it or of the other class.
    #[serde(default)]
    pub(crate) texts: Vec<String>,
}

/// `site.register(Item, ItemAdmin)`: a class has another as its attribute.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Assigns {
    pub(crate) calls: Vec<String>,
    /// Where the class stands; the other is the first argument.
    pub(crate) position: usize,
    pub(crate) attribute: String,
}

/// `g.db = Db()`, `ctx.obj = Db()`: objects that keep what is assigned to their attributes, all of them in the same place.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keeps {
    pub(crate) objects: Vec<String>,
    /// Calls whose keywords are attributes of it.
    #[serde(default)]
    pub(crate) setters: Vec<String>,
    /// Methods that give the attribute that their first argument names.
    #[serde(default)]
    pub(crate) getters: Vec<String>,
}

/// `Item.model_validate(data)`, `point._replace(x=1)`: methods of classes that derive from these give an instance of the class.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivesOwn {
    pub(crate) classes: Vec<String>,
    /// Methods and operators that give one object.
    #[serde(default)]
    pub(crate) methods: Vec<String>,
    /// Methods that give many.
    #[serde(default)]
    pub(crate) iterated: Vec<String>,
    #[serde(default)]
    pub(crate) attributes: Vec<String>,
    /// Attributes that hold many.
    #[serde(default)]
    pub(crate) collections: Vec<String>,
}

/// `mapping.get(key)`: methods of abstract classes that run methods of the class that derives from them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mixins {
    pub(crate) classes: Vec<String>,
    pub(crate) methods: Vec<String>,
    pub(crate) runs: Vec<String>,
    #[serde(default)]
    pub(crate) gives: MixinGives,
}

/// `import_string("shop.carts.Cart")`: calls that give what a text names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Imports {
    pub(crate) calls: Vec<String>,
}

/// `@pass_context def show(ctx)`: what the first parameter of a decorated function is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PassesFirst {
    pub(crate) decorators: Vec<String>,
    /// An object, or an attribute of one that keeps them; without it, the instances that the decorator was made with.
    pub(crate) object: Option<String>,
    pub(crate) attribute: Option<String>,
}

impl Rules {
    /// Takes in what a file says.
    pub(crate) fn add(&mut self, file: &File) {
        self.add_names(file);
        for rule in &file.refers {
            let hashed = |name: &Option<String>| name.as_deref().map(hash_name);
            let (keyword, reverse, member) = (hashed(&rule.keyword), hashed(&rule.reverse), hashed(&rule.member));
            let kind = hashed(&rule.kind);
            let reference = Reference {
                position: rule.position,
                keyword,
                holds: rule.holds,
                reverse,
                member,
                kind,
                is_one: rule.is_one,
                opposite: hashed(&rule.opposite),
            };
            let texts: Vec<u64> = rule.member_texts.iter().map(|name| hash_name(name)).collect();
            self.member_texts.extend(rule.calls.iter().map(|call| (known::dotted(call), texts.clone())));
            let mentions: Vec<u64> = rule.mentions.iter().map(|name| hash_name(name)).collect();
            self.mentions.extend(rule.calls.iter().map(|call| (known::dotted(call), mentions.clone())));
            self.refers.extend(rule.calls.iter().map(|call| (known::dotted(call), reference)));
        }
        for rule in &file.collections {
            for class in &rule.classes {
                let names = rule.attributes.iter().map(|name| hash_name(name));
                self.collections.entry(known::dotted(class)).or_default().extend(names);
            }
            self.managers.extend(rule.managers.iter().map(|path| known::dotted(path)));
            self.same.extend(rule.same.iter().map(|name| hash_name(name)));
            self.one.extend(rule.one.iter().map(|name| hash_name(name)));
            self.pairs.extend(rule.pairs.iter().map(|name| hash_name(name)));
            self.makers.extend(rule.makers.iter().map(|name| hash_name(name)));
            self.joiners.extend(rule.joiners.iter().map(|name| hash_name(name)));
            self.by_keyword.extend(rule.by_keyword.iter().map(|name| hash_name(name)));
            self.by_attribute_text.extend(rule.by_text.iter().map(|name| hash_name(name)));
            self.starter = self.starter.take().or_else(|| rule.starter.clone());
        }
        for rule in &file.flows {
            for function in &rule.calls {
                self.flows.insert(known::dotted(function), rule.clone());
            }
        }
        for rule in &file.applies {
            for function in &rule.calls {
                self.applies.insert(known::dotted(function), rule.clone());
            }
        }
        for rule in &file.callbacks {
            let keyword = rule.keyword.as_deref().map(hash_name);
            let (position, members) = (rule.position, rule.members.clone());
            let is_declared = rule.is_declared;
            let callback = Callback { position, keyword, passes: rule.passes, gives: rule.gives, members, is_declared };
            for function in &rule.functions {
                self.callbacks.entry(known::dotted(function)).or_default().push(callback.clone());
            }
        }
        self.enters.extend(file.enters.iter().flat_map(|rule| &rule.objects).map(|object| known::dotted(object)));
        for rule in &file.runs {
            for method in rule.methods.iter().map(|method| hash_name(method)) {
                self.running.insert(method);
                for object in &rule.objects {
                    let members = self.runs.entry((known::dotted(object), method)).or_default();
                    members.extend(rule.members.iter().cloned());
                }
            }
        }
        for rule in &file.registers {
            for object in &rule.objects {
                self.registers.extend(rule.decorators.iter().map(|name| known::dotted(&format!("{object}.{name}"))));
            }
        }
        for rule in &file.registers_with {
            let argument = match (&rule.keyword, rule.position) {
                (Some(keyword), _) => Argument::Keyword(hash_name(keyword)),
                (None, position) => Argument::Position(position.unwrap_or(0)),
            };
            let passes = rule.passes.as_deref().map(hash_name);
            let kind = rule.kind.as_deref().map(hash_name);
            let attribute = rule.attribute.as_deref().map(hash_name);
            let with = frameworks::RegistersWith { argument, passes, passes_at: rule.passes_at, attribute, kind };
            self.registers_with.extend(rule.decorators.iter().map(|path| (known::dotted(path), with)));
        }
        for rule in &file.makes {
            let object = known::dotted(&rule.object);
            self.makes.extend(rule.decorators.iter().map(|path| (known::dotted(path), object)));
        }
        for rule in &file.gives {
            let object = known::dotted(&rule.object);
            self.gives.extend(rule.calls.iter().map(|path| (known::dotted(path), object)));
        }
        for rule in &file.instantiates {
            let keyword = hash_name(&rule.keyword);
            self.instantiates.extend(rule.calls.iter().map(|path| (known::dotted(path), keyword)));
        }
    }
}
