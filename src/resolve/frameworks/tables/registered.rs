//! Rules about definitions that library code runs: decorators that register them, signals, methods of a base class, and
//! methods of the object that a decorator makes of a function.

use std::sync::Arc;

use serde::Deserialize;

use super::{DottedPath, HashedName, RuleKind, Rules, calls::Passes, members, texts::Effect};
use crate::{facts::hash_name, model::Basis, resolve::library::known};

/// `@app.route("/")`: the decorated definition runs when users of the object run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Registers {
    objects: Vec<DottedPath>,
    decorators: Vec<String>,
}

impl RuleKind for Registers {
    fn add(self, rules: &mut Rules) {
        let decorators = members(&self.objects, &self.decorators);
        rules.describe_decorators(&decorators);
        rules.registers.extend(decorators.iter().map(|decorator| decorator.0));
    }
}

/// `@receiver(post_save, sender=Order)`: the decorated definition runs when users of the argument run.
/// `site.register(Item, ItemAdmin)`: a call does the same for one of its arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegistersWith {
    #[serde(default)]
    decorators: Vec<DottedPath>,
    #[serde(default)]
    calls: Vec<DottedPath>,
    /// The position of the class that a call registers.
    #[serde(default)]
    registered: usize,
    pub(crate) position: Option<usize>,
    pub(crate) keyword: Option<HashedName>,
    /// The parameter of the definition that receives an instance of the argument.
    pub(crate) passes: Option<HashedName>,
    /// The same parameter by its position.
    pub(crate) passes_at: Option<usize>,
    /// The attribute of the definition that holds the argument.
    pub(crate) attribute: Option<HashedName>,
    /// The kind of name that a text is as the argument.
    pub(crate) kind: Option<HashedName>,
}

impl RuleKind for RegistersWith {
    fn add(self, rules: &mut Rules) {
        rules.describe_decorators(&self.decorators);
        if let Some(attribute) = self.attribute {
            let effect =
                Effect::Assigns { class: self.registered, value: self.position.unwrap_or(0), attribute: attribute.0 };
            rules.add_effect(effect, &self.calls);
        }
        let rule = Arc::new(self);
        rules.registers_with.insert(&rule, &rule.decorators);
    }
}

/// `@pass_context def show(ctx)`: the value of the first parameter of a decorated function.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PassesFirst {
    decorators: Vec<DottedPath>,
    /// An object, or an attribute of one; without it, the instances with which the decorator was made.
    pub(crate) object: Option<DottedPath>,
    pub(crate) attribute: Option<HashedName>,
}

impl RuleKind for PassesFirst {
    fn add(self, rules: &mut Rules) {
        let rule = Arc::new(self);
        rules.decorators.extend(rule.decorators.iter().map(|decorator| decorator.0));
        rules.passes_first.insert(&rule, &rule.decorators);
    }
}

/// `thread.start()`: an inherited method runs other methods of the class; `do_*` stands for all with this prefix.
/// Methods that `as_view` runs are registered with the class.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Runs {
    objects: Vec<DottedPath>,
    methods: Vec<String>,
    members: Vec<String>,
}

impl RuleKind for Runs {
    fn add(self, rules: &mut Rules) {
        rules.running.extend(self.methods.iter().map(|method| hash_name(method)));
        let paths = members(&self.objects, &self.methods);
        rules.runs.insert(&Arc::new(self), &paths);
    }
}

/// `task.delay(order)`: a method of the object that a decorator made of a function runs the function.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunsFunction {
    objects: Vec<DottedPath>,
    methods: Vec<String>,
    pub(crate) passes: Passes,
}

impl RuleKind for RunsFunction {
    fn add(self, rules: &mut Rules) {
        let paths = members(&self.objects, &self.methods);
        rules.describe(&paths);
        rules.runs_function.insert(&Arc::new(self), &paths);
    }
}

/// `paid.connect(f)`, `@receiver(paid)`, `paid.send(sender)`: functions connected to an object run when its method
/// does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Signals {
    objects: Vec<DottedPath>,
    connects: Vec<String>,
    /// Decorators whose argument is the object, or a list of such.
    #[serde(default)]
    decorators: Vec<DottedPath>,
    #[serde(default)]
    sends: Vec<String>,
    /// The keyword that narrows the senders to one class.
    pub(crate) sender: Option<HashedName>,
    /// The parameter that receives an instance of that class.
    pub(crate) passes: Option<HashedName>,
    /// The kind of name that a text is as the sender.
    pub(crate) kind: Option<HashedName>,
}

/// The effect of a method or a decorator on a signal.
#[derive(Clone)]
pub(crate) enum Signal {
    /// It connects its first argument.
    Connects(Arc<Signals>),
    /// It connects the decorated definition with its argument.
    Receives,
    /// It calls the functions that are connected.
    Sends,
}

impl RuleKind for Signals {
    fn add(self, rules: &mut Rules) {
        let (connects, sends) = (members(&self.objects, &self.connects), members(&self.objects, &self.sends));
        let rule = Arc::new(self);
        let effects = [
            (connects.as_slice(), Signal::Connects(Arc::clone(&rule))),
            (sends.as_slice(), Signal::Sends),
            (rule.decorators.as_slice(), Signal::Receives),
        ];
        for (paths, signal) in effects {
            rules.decorators.extend(paths.iter().map(|path| path.0));
            rules.signals.extend(paths.iter().map(|path| (path.0, signal.clone())));
        }
    }
}

impl Rules {
    /// Whether some rule describes a decorator.
    pub(crate) fn is_decorator(&self, decorator: u64) -> bool {
        self.decorators.contains(&decorator)
    }

    /// Whether methods of this name run other methods of classes that inherit them.
    pub(crate) fn runs_members(&self, method: u64) -> bool {
        self.running.contains(&method)
    }

    /// The methods that a method runs which a class inherits from `base`; of each, whether on every call, on some, or
    /// on errors.
    pub(crate) fn members_run(&self, base: u64, method: u64) -> impl Iterator<Item = (&str, Basis)> {
        let path = known::member(base, method);
        let of_python = self.runs_in_python.get(&path).into_iter().flat_map(|members| members.split(' '));
        let members = self.runs.all(path).iter().flat_map(|rule| &rule.members).map(String::as_str).chain(of_python);
        members.map(|member| match member.as_bytes().last() {
            Some(b'?') => (&member[..member.len() - 1], Basis::Conditional),
            Some(b'!') => (&member[..member.len() - 1], Basis::Failure),
            _ => (member, Basis::Inherited),
        })
    }

    /// Reads `rules/stdlib_members.txt`: a class, its methods, and the methods of the same object that these use.
    pub(super) fn add_members_of_python(&mut self, text: &'static str) {
        for line in text.lines() {
            let (methods, members) = line.split_once(" > ").expect("a test reads every line");
            let mut words = methods.split(' ');
            let class = words.next().map_or(0, known::dotted);
            for method in words.map(hash_name) {
                self.running.insert(method);
                self.runs_in_python.insert(known::member(class, method), members);
            }
        }
    }
}
