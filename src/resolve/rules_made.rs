//! The rules that are made of what files of rules say.
//!
//! Goes in: one file as it was read. Comes out: its rules among all others, by the hashes of the names that they speak of.

use super::{
    externals,
    rule_files::File,
    rules::{self, Argument, ByText, Callback, ClassName, First, Mixin, Own, Reference, Rules, Senders, Shown, Signal},
};
use crate::facts::hash_name;

impl Rules {
    fn add_names(&mut self, file: &File) {
        let hash = hash_name;
        for rule in &file.settings {
            let environment = hash(&rule.environment);
            let object = rule.objects.first().map_or(0, |object| externals::dotted(object));
            self.settings.extend(rule.objects.iter().map(|object| (externals::dotted(object), environment)));
            self.environment.insert(environment, object);
            self.setting_lists.extend(rule.modules.iter().map(|variable| hash(variable)));
            self.setting_names.extend(rule.names.iter().map(|(variable, kind)| (hash(variable), hash(kind))));
            for call in &rule.overrides {
                self.by_text.entry(externals::dotted(call)).or_default().push(ByText::Overrides(object));
            }
            for (call, variable) in &rule.read_by {
                let reads = ByText::Reads(object, variable.clone());
                self.by_text.entry(externals::dotted(call)).or_default().push(reads);
            }
            for call in ["os.environ.setdefault", "os.putenv"] {
                self.by_text.insert(externals::dotted(call), vec![ByText::SetsEnvironment]);
            }
        }
        for rule in &file.named_classes {
            let name = ClassName { kind: hash(&rule.kind), template: rule.name.clone(), inside: rule.inside.clone() };
            for class in &rule.classes {
                self.named_classes.entry(externals::dotted(class)).or_default().push(name.clone());
            }
        }
        for rule in &file.names {
            let (kind, name) = (hash(&rule.kind), hash(&rule.name));
            let names = ByText::Names { kind, position: rule.position, name, route: rule.route };
            for call in &rule.calls {
                self.by_text.entry(externals::dotted(call)).or_default().push(names.clone());
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
                self.by_text.entry(externals::dotted(call)).or_default().push(looks_up.clone());
            }
        }
        for rule in &file.assigns {
            for call in &rule.calls {
                let assigns = ByText::Assigns(rule.position, hash(&rule.attribute));
                self.by_text.entry(externals::dotted(call)).or_default().push(assigns);
            }
        }
        for rule in &file.keeps {
            let place = rule.objects.first().map_or(0, |object| externals::dotted(object));
            for setter in &rule.setters {
                self.by_text.entry(externals::dotted(setter)).or_default().push(ByText::Keeps(place));
            }
            for object in &rule.objects {
                self.keeps.insert(externals::dotted(object), place);
                for getter in &rule.getters {
                    let path = externals::dotted(&format!("{object}.{getter}"));
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
                self.gives_own.extend(rule.classes.iter().map(|class| ((externals::dotted(class), hash(name)), own)));
            }
        }
        for rule in &file.mixins {
            let mixin = Mixin { runs: rule.runs.clone(), gives: rule.gives };
            for method in rule.methods.iter().map(|method| hash(method)) {
                self.mixin_methods.insert(method);
                let classes = rule.classes.iter().map(|class| ((externals::dotted(class), method), mixin.clone()));
                self.mixins.extend(classes);
            }
        }
        for call in file.imports.iter().flat_map(|rule| &rule.calls) {
            self.by_text.entry(externals::dotted(call)).or_default().push(ByText::Imports);
        }
        for rule in &file.passes_first {
            let object = rule.object.as_deref().map(externals::dotted);
            let first = First { object, attribute: rule.attribute.as_deref().map(hash) };
            self.passes_first.extend(rule.decorators.iter().map(|path| (externals::dotted(path), first)));
        }
        for rule in &file.shows {
            let hashes = |names: &[String]| names.iter().map(|name| hash(name)).collect::<Vec<u64>>();
            let (one, many, texts) = (hashes(&rule.one), hashes(&rule.many), hashes(&rule.texts));
            self.shown_names.extend(one.iter().chain(&many));
            self.shown_texts.extend(&texts);
            let shown = Shown { models: rule.models.clone(), one, many, texts };
            for class in &rule.classes {
                self.shows.entry(externals::dotted(class)).or_default().push(shown.clone());
            }
        }
        for rule in &file.requests {
            for method in &rule.methods {
                let runs = rule.runs.iter().chain([method]).cloned().collect();
                let requests = ByText::Requests { kind: hash(&rule.kind), runs };
                for object in &rule.objects {
                    let path = externals::dotted(&format!("{object}.{method}"));
                    self.by_text.insert(path, vec![requests.clone()]);
                }
            }
        }
        for rule in &file.fixtures {
            let environment = hash(&rule.environment);
            let fixtures = rule.names.iter().map(|(name, path)| (hash(name), (environment, externals::dotted(path))));
            self.fixtures.extend(fixtures);
        }
        for rule in &file.signals {
            let hashed = |name: &Option<String>| name.as_deref().map(hash);
            let (keyword, passes, kind) = (hashed(&rule.sender), hashed(&rule.passes), hashed(&rule.kind));
            let connects = Signal::Connects(Senders { keyword, passes, kind });
            for object in &rule.objects {
                let method = |name: &String| externals::dotted(&format!("{object}.{name}"));
                self.signals.extend(rule.connects.iter().map(|name| (method(name), connects)));
                self.signals.extend(rule.sends.iter().map(|name| (method(name), Signal::Sends)));
            }
            self.signals.extend(rule.decorators.iter().map(|path| (externals::dotted(path), Signal::Receives)));
        }
    }

    /// Takes in what a file says.
    pub(super) fn add(&mut self, file: &File) {
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
            self.member_texts.extend(rule.calls.iter().map(|call| (externals::dotted(call), texts.clone())));
            let mentions: Vec<u64> = rule.mentions.iter().map(|name| hash_name(name)).collect();
            self.mentions.extend(rule.calls.iter().map(|call| (externals::dotted(call), mentions.clone())));
            self.refers.extend(rule.calls.iter().map(|call| (externals::dotted(call), reference)));
        }
        for rule in &file.collections {
            for class in &rule.classes {
                let names = rule.attributes.iter().map(|name| hash_name(name));
                self.collections.entry(externals::dotted(class)).or_default().extend(names);
            }
            self.managers.extend(rule.managers.iter().map(|path| externals::dotted(path)));
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
                self.flows.insert(externals::dotted(function), rule.clone());
            }
        }
        for rule in &file.applies {
            for function in &rule.calls {
                self.applies.insert(externals::dotted(function), rule.clone());
            }
        }
        for rule in &file.callbacks {
            let keyword = rule.keyword.as_deref().map(hash_name);
            let callback = Callback { position: rule.position, keyword, passes: rule.passes, gives: rule.gives };
            for function in &rule.functions {
                self.callbacks.entry(externals::dotted(function)).or_default().push(callback);
            }
        }
        self.enters.extend(file.enters.iter().flat_map(|rule| &rule.objects).map(|object| externals::dotted(object)));
        for rule in &file.runs {
            for method in rule.methods.iter().map(|method| hash_name(method)) {
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
                (Some(keyword), _) => Argument::Keyword(hash_name(keyword)),
                (None, position) => Argument::Position(position.unwrap_or(0)),
            };
            let passes = rule.passes.as_deref().map(hash_name);
            let kind = rule.kind.as_deref().map(hash_name);
            let attribute = rule.attribute.as_deref().map(hash_name);
            let with = rules::RegistersWith { argument, passes, passes_at: rule.passes_at, attribute, kind };
            self.registers_with.extend(rule.decorators.iter().map(|path| (externals::dotted(path), with)));
        }
        for rule in &file.makes {
            let object = externals::dotted(&rule.object);
            self.makes.extend(rule.decorators.iter().map(|path| (externals::dotted(path), object)));
        }
        for rule in &file.gives {
            let object = externals::dotted(&rule.object);
            self.gives.extend(rule.calls.iter().map(|path| (externals::dotted(path), object)));
        }
        for rule in &file.instantiates {
            let keyword = hash_name(&rule.keyword);
            self.instantiates.extend(rule.calls.iter().map(|path| (externals::dotted(path), keyword)));
        }
    }
}
