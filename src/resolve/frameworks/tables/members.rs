//! Rules about classes that derive from a library's: their collections, and the values of inherited members.

use std::sync::Arc;

use serde::Deserialize;

use super::{DottedPath, HashedName, RuleKind, Rules, members};
use crate::{facts::hash_name, resolve::library::known};

/// `Author.objects.filter(…).first()`: attributes of classes that derive from these are collections of their instances.
/// So is a manager that such a class keeps. Methods give the same collection, or one of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Collections {
    #[serde(default)]
    classes: Vec<DottedPath>,
    #[serde(default)]
    attributes: Vec<HashedName>,
    #[serde(default)]
    managers: Vec<DottedPath>,
    same: Vec<HashedName>,
    one: Vec<HashedName>,
    #[serde(default)]
    pairs: Vec<HashedName>,
    #[serde(default)]
    makers: Vec<HashedName>,
    #[serde(default)]
    joiners: Vec<HashedName>,
    /// The method of a manager that makes its collection.
    starter: Option<String>,
    #[serde(default)]
    by_keyword: Vec<HashedName>,
    #[serde(default)]
    by_text: Vec<HashedName>,
}

/// The role of a method of a collection or of its manager; the names are those of the lists above.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Query {
    /// It gives the same collection.
    Same,
    /// It gives one of the collection.
    One,
    /// It gives one of the collection, and whether that was made.
    Pair,
    /// A method of a manager class that gives an instance of the class.
    Maker,
    /// A method of a manager class that joins it with another class.
    Joiner,
    /// Its keywords name attributes of the class; those behind `__` are attributes of the value.
    ByKeyword,
    /// Its texts name attributes of the class.
    ByText,
}

impl RuleKind for Collections {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.classes);
        for class in self.classes {
            rules.collections.entry(class.0).or_default().extend(self.attributes.iter().map(|name| name.0));
        }
        rules.managers.extend(self.managers.iter().map(|manager| manager.0));
        let methods = [
            (self.same, Query::Same),
            (self.one, Query::One),
            (self.pairs, Query::Pair),
            (self.makers, Query::Maker),
            (self.joiners, Query::Joiner),
            (self.by_keyword, Query::ByKeyword),
            (self.by_text, Query::ByText),
        ];
        for (names, role) in methods {
            rules.queries.extend(names.iter().map(|name| (name.0, role)));
        }
        rules.starter = rules.starter.take().or(self.starter);
    }
}

/// `Item.model_validate(data)`, `point._replace(x=1)`: members of classes that derive from these give instances of the
/// class.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GivesOwn {
    classes: Vec<DottedPath>,
    #[serde(default)]
    methods: Vec<HashedName>,
    #[serde(default)]
    iterated: Vec<HashedName>,
    #[serde(default)]
    attributes: Vec<HashedName>,
    #[serde(default)]
    collections: Vec<HashedName>,
}

/// A member that gives instances of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// A method or operator gives one.
    One,
    /// A method gives an iterable of them.
    Many,
    /// An attribute is one.
    Attribute,
    /// An attribute holds several.
    Attributes,
}

impl RuleKind for GivesOwn {
    fn add(self, rules: &mut Rules) {
        let members = [
            (self.methods, Own::One),
            (self.iterated, Own::Many),
            (self.attributes, Own::Attribute),
            (self.collections, Own::Attributes),
        ];
        for (names, own) in members {
            for name in names {
                rules.own_members.insert(name.0);
                rules.own_given.extend(self.classes.iter().map(|class| (known::member(class.0, name.0), own)));
            }
        }
    }
}

/// `mapping.get(key)`: methods of abstract classes that run methods of the class that derives from them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mixin {
    classes: Vec<DottedPath>,
    methods: Vec<String>,
    pub(crate) runs: Vec<String>,
    #[serde(default)]
    pub(crate) gives: MixinGives,
}

/// The result of such a method.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MixinGives {
    /// No value that is followed.
    #[default]
    Nothing,
    /// The result of `__getitem__`, or the second argument.
    Item,
    /// An iterable of items.
    Items,
    /// An element of `__iter__`.
    Key,
    /// A tuple of both.
    Pair,
    /// An iterable of such tuples.
    Pairs,
}

impl RuleKind for Mixin {
    fn add(self, rules: &mut Rules) {
        rules.mixin_methods.extend(self.methods.iter().map(|method| hash_name(method)));
        let paths = members(&self.classes, &self.methods);
        rules.mixins.insert(&Arc::new(self), &paths);
    }
}

/// `class ItemView(DetailView): model = Item`: members of classes that derive from these give objects of another class.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShownTemplates {
    classes: Vec<DottedPath>,
    /// The attributes that hold the other class; `Meta.model` is that of an inner class.
    pub(crate) models: Vec<String>,
    /// Attributes and methods that give one of it.
    #[serde(default)]
    pub(crate) one: Vec<HashedName>,
    /// Attributes and methods that give a collection.
    #[serde(default)]
    pub(crate) many: Vec<HashedName>,
    /// Attributes, of the class or of that inner class, whose texts name members of it or of the other class.
    #[serde(default)]
    pub(crate) texts: Vec<HashedName>,
}

impl RuleKind for ShownTemplates {
    fn add(self, rules: &mut Rules) {
        rules.describe(&self.classes);
        rules.shown_names.extend(self.one.iter().chain(&self.many).map(|name| name.0));
        rules.shown_texts.extend(self.texts.iter().map(|name| name.0));
        let rule = Arc::new(self);
        rules.shows.insert(&rule, &rule.classes);
    }
}

impl Rules {
    /// The names under which classes that derive from `base` have collections of their instances.
    pub(crate) fn collections_of(&self, base: u64) -> &[u64] {
        self.collections.get(&base).map_or(&[], Vec::as_slice)
    }

    /// Whether objects of classes that derive from `base` are collections of the class that keeps them.
    pub(crate) fn is_manager(&self, base: u64) -> bool {
        self.managers.contains(&base)
    }

    /// Whether a method of a collection or of its manager has a role.
    pub(crate) fn has_role(&self, method: u64, role: Query) -> bool {
        self.queries.contains(&(method, role))
    }

    /// Whether a collection has such a method.
    pub(crate) fn is_query(&self, method: u64) -> bool {
        [Query::Same, Query::One, Query::Pair].into_iter().any(|role| self.has_role(method, role))
    }

    /// The method of a manager that makes its collection.
    pub(crate) fn starter(&self) -> Option<&str> {
        self.starter.as_deref()
    }

    /// Whether members of this name may give instances of their class.
    pub(crate) fn may_give_own(&self, member: u64) -> bool {
        self.own_members.contains(&member)
    }

    /// The instances that such a member gives in classes that derive from `base`.
    pub(crate) fn gives_own(&self, base: u64, member: u64) -> Option<Own> {
        self.own_given.get(&known::member(base, member)).copied()
    }

    /// Whether methods of this name may run methods of the class that inherits them.
    pub(crate) fn may_be_mixed_in(&self, method: u64) -> bool {
        self.mixin_methods.contains(&method)
    }

    /// The rule of such a method that a class inherits from `base`.
    pub(crate) fn mixed_in(&self, base: u64, method: u64) -> Option<&Mixin> {
        self.mixins.get(known::member(base, method))
    }

    /// Whether members of this name may give objects of another class.
    pub(crate) fn is_shown(&self, name: u64) -> bool {
        self.shown_names.contains(&name)
    }

    /// Whether texts in a class's variable of this name may name members.
    pub(crate) fn has_member_texts(&self, variable: u64) -> bool {
        self.shown_texts.contains(&variable)
    }
}
