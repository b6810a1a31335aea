//! The rules that are made of what a file says about names: texts that name definitions, classes by their names, settings, and
//! what members of library classes give.

use crate::{
    facts::hash_name,
    resolve::{
        frameworks::{ByText, ClassName, First, Mixin, Own, Rules, Senders, Shown, Signal, schema::File},
        library::known,
    },
};

/// How a decorator makes a view of what it decorates: kinds of names and keywords by their hashes.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) kind: u64,
    /// The pattern, where it is not the first argument.
    pub(crate) keyword: u64,
    /// The name, where it is not that of what is decorated.
    pub(crate) name: Option<u64>,
    /// No prefix stands before the pattern.
    pub(crate) is_root: bool,
}

/// What is made to be put below a prefix, with its views.
#[derive(Clone, Debug)]
pub(crate) struct RouteGroup {
    pub(crate) kind: u64,
    pub(crate) prefix: u64,
    /// Where its name stands.
    pub(crate) name: Option<usize>,
}

/// A request by a path.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) kind: u64,
    pub(crate) method: String,
    /// What else is run of a view that is a class.
    pub(crate) runs: Vec<String>,
}

impl Rules {
    /// Takes in what a file says about names.
    pub(crate) fn add_names(&mut self, file: &File) {
        let hash = hash_name;
        for rule in &file.settings {
            let environment = hash(&rule.environment);
            let object = rule.objects.first().map_or(0, |object| known::dotted(object));
            self.settings.extend(rule.objects.iter().map(|object| (known::dotted(object), environment)));
            self.environment.insert(environment, object);
            self.setting_lists.extend(rule.modules.iter().map(|variable| hash(variable)));
            self.setting_names.extend(rule.names.iter().map(|(variable, kind)| (hash(variable), hash(kind))));
            for call in &rule.overrides {
                self.by_text.entry(known::dotted(call)).or_default().push(ByText::Overrides(object));
            }
            for (call, variable) in &rule.read_by {
                let reads = ByText::Reads(object, variable.clone());
                self.by_text.entry(known::dotted(call)).or_default().push(reads);
            }
            for call in ["os.environ.setdefault", "os.putenv"] {
                self.by_text.insert(known::dotted(call), vec![ByText::SetsEnvironment]);
            }
        }
        for rule in &file.named_classes {
            let name = ClassName { kind: hash(&rule.kind), template: rule.name.clone(), inside: rule.inside.clone() };
            for class in &rule.classes {
                self.named_classes.entry(known::dotted(class)).or_default().push(name.clone());
            }
        }
        for rule in &file.names {
            let (kind, name) = (hash(&rule.kind), hash(&rule.name));
            let keyword = rule.keyword.as_deref().map(hash);
            let names = ByText::Names { kind, position: rule.position, keyword, name, route: rule.route };
            for call in &rule.calls {
                self.by_text.entry(known::dotted(call)).or_default().push(names.clone());
            }
        }
        for rule in &file.looks_up {
            let looks_up = ByText::LooksUp {
                kind: hash(&rule.kind),
                position: rule.position,
                keyword: rule.keyword.as_deref().map(hash),
                joins: rule.joins,
                gives: rule.gives,
                runs: rule.runs.clone(),
            };
            for call in &rule.calls {
                self.by_text.entry(known::dotted(call)).or_default().push(looks_up.clone());
            }
        }
        for rule in &file.assigns {
            for call in &rule.calls {
                let assigns = ByText::Assigns(rule.position, hash(&rule.attribute));
                self.by_text.entry(known::dotted(call)).or_default().push(assigns);
            }
        }
        for rule in &file.keeps {
            let place = rule.objects.first().map_or(0, |object| known::dotted(object));
            for setter in &rule.setters {
                self.by_text.entry(known::dotted(setter)).or_default().push(ByText::Keeps(place));
            }
            for object in &rule.objects {
                self.keeps.insert(known::dotted(object), place);
                for getter in &rule.getters {
                    let path = known::dotted(&format!("{object}.{getter}"));
                    self.by_text.entry(path).or_default().push(ByText::Kept(place));
                }
            }
        }
        for rule in &file.gives_own {
            let given = [
                (&rule.methods, Own::One),
                (&rule.iterated, Own::Many),
                (&rule.attributes, Own::Attribute),
                (&rule.collections, Own::Attributes),
            ];
            for (name, own) in given.into_iter().flat_map(|(names, own)| names.iter().map(move |name| (name, own))) {
                self.own_methods.insert(hash(name));
                self.gives_own.extend(rule.classes.iter().map(|class| ((known::dotted(class), hash(name)), own)));
            }
        }
        for rule in &file.mixins {
            let mixin = Mixin { runs: rule.runs.clone(), gives: rule.gives };
            for method in rule.methods.iter().map(|method| hash(method)) {
                self.mixin_methods.insert(method);
                let classes = rule.classes.iter().map(|class| ((known::dotted(class), method), mixin.clone()));
                self.mixins.extend(classes);
            }
        }
        for call in file.imports.iter().flat_map(|rule| &rule.calls) {
            self.by_text.entry(known::dotted(call)).or_default().push(ByText::Imports);
        }
        for rule in &file.passes_first {
            let object = rule.object.as_deref().map(known::dotted);
            let first = First { object, attribute: rule.attribute.as_deref().map(hash) };
            self.passes_first.extend(rule.decorators.iter().map(|path| (known::dotted(path), first)));
        }
        for rule in &file.shows {
            let hashes = |names: &[String]| names.iter().map(|name| hash(name)).collect::<Vec<u64>>();
            let (one, many, texts) = (hashes(&rule.one), hashes(&rule.many), hashes(&rule.texts));
            self.shown_names.extend(one.iter().chain(&many));
            self.shown_texts.extend(&texts);
            let shown = Shown { models: rule.models.clone(), one, many, texts };
            for class in &rule.classes {
                self.shows.entry(known::dotted(class)).or_default().push(shown.clone());
            }
        }
        for rule in &file.requests {
            for method in &rule.methods {
                let request = Request { kind: hash(&rule.kind), method: method.clone(), runs: rule.runs.clone() };
                for object in &rule.objects {
                    let path = known::dotted(&format!("{object}.{method}"));
                    self.by_text.insert(path, vec![ByText::Requests(request.clone())]);
                }
            }
        }
        for rule in &file.routes {
            let (kind, keyword, name) = (hash(&rule.kind), hash(&rule.keyword), rule.name.as_deref().map(hash));
            let route = Route { kind, keyword, name, is_root: rule.is_root };
            for object in &rule.objects {
                let paths = rule.decorators.iter().map(|name| known::dotted(&format!("{object}.{name}")));
                self.routes.extend(paths.map(|path| (path, route.clone())));
            }
        }
        for rule in &file.groups {
            let group = RouteGroup { kind: hash(&rule.kind), prefix: hash(&rule.prefix), name: rule.name };
            self.groups.extend(rule.calls.iter().map(|call| (known::dotted(call), group.clone())));
            for call in &rule.mounts {
                self.by_text.entry(known::dotted(call)).or_default().push(ByText::Mounts(group.clone()));
            }
        }
        for rule in &file.fixtures {
            let environment = hash(&rule.environment);
            let fixtures = rule.names.iter().map(|(name, path)| (hash(name), (environment, known::dotted(path))));
            self.fixtures.extend(fixtures);
        }
        for rule in &file.signals {
            let hashed = |name: &Option<String>| name.as_deref().map(hash);
            let (keyword, passes, kind) = (hashed(&rule.sender), hashed(&rule.passes), hashed(&rule.kind));
            let connects = Signal::Connects(Senders { keyword, passes, kind });
            for object in &rule.objects {
                let method = |name: &String| known::dotted(&format!("{object}.{name}"));
                self.signals.extend(rule.connects.iter().map(|name| (method(name), connects)));
                self.signals.extend(rule.sends.iter().map(|name| (method(name), Signal::Sends)));
            }
            self.signals.extend(rule.decorators.iter().map(|path| (known::dotted(path), Signal::Receives)));
        }
    }
}
