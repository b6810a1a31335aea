//! Attributes of models that keywords and texts name: `filter(author__name=…)`, `order_by("-date")`,
//! `fields = ["name"]`.
//!
//! A class that names its model has members with objects of it: `class ItemView(DetailView): model = Item` has an item
//! as `self.object`.

use smallvec::SmallVec;

use crate::{
    facts::{
        Bodies,
        bodies::{ExprId, ExprKind, FunctionBody, NONE, ScopeKind},
        hash_name,
    },
    model::{Basis, EntityId, EntityKind, Position},
    resolve::{
        containers::declared_of,
        frameworks::tables::{
            HashedName,
            calls::{Holds, Reference},
            rules,
        },
        interpret::calls::arguments::Arguments,
        names::{Lookup, Target, Targets},
        solver::Solver,
        values::{self, SetId, Sets, Value, questions},
    },
};

/// How many attributes are followed in one name: `order__customer__city`.
const MAX_PARTS: usize = 4;

/// How deep lists of texts may nest: `fieldsets = [("Dates", {"fields": ["start"]})]`.
const MAX_NESTING: u32 = 4;

pub(crate) type Classes = SmallVec<[EntityId; 2]>;

impl Solver<'_> {
    /// `order_by="Post.id"` names attributes of classes.
    pub(crate) fn mention_members_in_text(&mut self, written: ExprId, kind: Option<u64>) {
        let Some(text) = self.bodies.text(written) else { return };
        let is_name = |character: char| character == '_' || character == '.' || character.is_alphanumeric();
        for path in text.split(|character| !is_name(character)) {
            let Some((class, member)) = path.rsplit_once('.') else { continue };
            for target in self.class_in_text(class, kind) {
                let Target::Entity(class) = target else { continue };
                let Some((_, members)) = self.look.inherited(class, member, None) else { continue };
                for target in members {
                    self.emit_reference(target, Basis::Text, self.bodies.place_of(written), None);
                }
            }
        }
    }

    /// `back_populates="posts"` names an attribute of the other class.
    pub(crate) fn mention_opposite(&mut self, keyword: u64, others: SetId, arguments: &Arguments) {
        let Some((_, written)) = self.bodies.argument(arguments, None, Some(keyword)) else { return };
        let Some(name) = self.bodies.text(written) else { return };
        for at in self.sets.range(others) {
            let Value::Instance(class) = values::parts(self.sets.at(at)).0 else { continue };
            let Some((_, targets)) = self.look.inherited(class, name, None) else { continue };
            for target in targets {
                self.emit_reference(target, Basis::Text, self.bodies.place_of(written), None);
            }
        }
    }

    /// The other class has one or a collection of this one, under a name that is given or made of this one's.
    pub(crate) fn refer_back(&mut self, keyword: u64, rule: &Reference, others: SetId, arguments: &Arguments) {
        if self.look.kind(self.entity) != Some(EntityKind::Class) {
            return;
        }
        let own = self.sets.single(Value::Instance(self.entity), Basis::Annotated);
        let collection = self.container_of(own, false);
        let held = match (rule.is_one, rule.holds) {
            (true, _) => own,
            (_, Holds::Either) => self.sets.union(own, collection),
            _ => collection,
        };
        let written = self
            .bodies
            .argument(arguments, None, Some(keyword))
            .and_then(|(_, written)| self.bodies.text_or_first(written));
        let name = match written {
            Some(name) => Some(hash_name(name)),
            None if rule.holds == Holds::Either => None,
            None => self.look.with_head(self.entity, |info, head| {
                let name = info.interface.names.text(head.name).to_lowercase();
                // The default of Django: `author.book_set`, and `book` for one-to-one fields.
                hash_name(&if rule.is_one { name } else { format!("{name}_set") })
            }),
        };
        let Some(name) = name else { return };
        for at in self.sets.range(others) {
            if let Value::Instance(class) = values::parts(self.sets.at(at)).0 {
                self.add(questions::attribute(class, name), held);
            }
        }
    }

    /// `"Author"` in this module, `"self"`, `"shop.Author"` in the models of the package `shop`, else the class with
    /// this name.
    pub(crate) fn class_in_text(&mut self, text: &str, kind: Option<u64>) -> Targets {
        if text == "self" {
            return smallvec::smallvec![Target::Entity(self.entity)];
        }
        let own = self.look.own.file;
        if let Some((package, name)) = text.rsplit_once('.') {
            let path = self.look.own.path.clone();
            let mut parts: Vec<&str> = package.split('.').collect();
            for module in [None, Some("models")] {
                parts.extend(module);
                let targets = self.look.import_targets(&path, 0, &parts, Some(name), 0);
                if targets.iter().any(|target| matches!(target, Target::Entity(_))) {
                    return targets;
                }
            }
        }
        let name = text.rsplit('.').next().unwrap_or(text);
        let targets = self.look.member(own, name);
        match kind {
            Some(kind) if targets.is_empty() => {
                let named = self.named(kind, text);
                let classes = self.sets.entries(named).iter().filter_map(|&entry| match values::parts(entry).0 {
                    Value::Class(class) => Some(Target::Entity(class)),
                    _ => None,
                });
                classes.collect()
            }
            _ => targets,
        }
    }

    /// The collection of a class's instances that a framework gives it under a name.
    pub(crate) fn collection_of(&mut self, class: EntityId, name: &str) -> SetId {
        let hash = hash_name(name);
        if !self.look.mro(class).externals.iter().any(|&base| rules().collections_of(base).contains(&hash)) {
            return SetId::EMPTY;
        }
        self.own_collection(class)
    }

    /// A class that derives from an attribute of an object (`db.Model`) has the collections that a framework gives it.
    pub(crate) fn derive_from_object(&mut self, class: EntityId, bases: SetId) {
        for at in self.sets.range(bases) {
            let Value::ExternalInstance(base) = values::parts(self.sets.at(at)).0 else { continue };
            self.name_class_by(class, base);
            for &name in rules().collections_of(base) {
                let collection = self.own_collection(class);
                self.add(questions::attribute(class, name), collection);
            }
        }
    }

    /// The values in a class and the results of its descriptors; a manager is a collection of the class's instances
    /// too.
    pub(crate) fn managed(&mut self, class: EntityId, kept: SetId, given: SetId) -> SetId {
        let kept = self.sets.union(kept, given);
        for at in self.sets.range(kept) {
            let is_manager = match values::parts(self.sets.at(at)).0 {
                Value::Instance(manager) => self.look.is_manager_class(manager),
                Value::ExternalInstance(manager) => rules().is_manager(manager),
                _ => false,
            };
            if is_manager {
                let collection = self.own_collection(class);
                return self.sets.union(kept, collection);
            }
        }
        kept
    }

    /// Whether an instance of a manager class of the repository is in a set.
    pub(crate) fn has_own_manager(&mut self, set: SetId) -> bool {
        let mut entries = self.sets.range(set);
        entries.any(|at| match values::parts(self.sets.at(at)).0 {
            Value::Instance(class) => self.look.is_manager_class(class),
            _ => false,
        })
    }

    /// Whether a result is not followed, or holds only managers of the repository.
    pub(crate) fn is_nothing_but_managers(&mut self, given: SetId) -> bool {
        let others = self.sets.only(given, |value| !matches!(value, Value::Instance(_)));
        self.sets.is_nothing_followed(given) || self.sets.is_nothing_followed(others) && self.has_own_manager(given)
    }

    fn own_collection(&mut self, class: EntityId) -> SetId {
        let instance = self.sets.single(Value::Instance(class), Basis::Annotated);
        self.container_of(instance, false)
    }

    /// Mentions the attributes in a path like `author__name`.
    pub(crate) fn mention_attributes(&mut self, models: &[EntityId], path: &str, place: Position) {
        let mut models: Classes = models.iter().copied().collect();
        for part in path.trim_start_matches(['-', '+']).split("__").take(MAX_PARTS) {
            let mut next = Classes::new();
            for &model in &models {
                let Some((_, targets)) = self.look.inherited(model, part, None) else { continue };
                for target in targets {
                    self.emit_reference(target, Basis::Text, place, None);
                }
                let held = self.held_over_mro(model, hash_name(part));
                next.extend(self.sets.models_held(held));
            }
            models = next;
        }
    }

    /// The objects of the class's model under a name.
    pub(crate) fn held_of_models(&mut self, class: EntityId, name: u64) -> SetId {
        let mut result = SetId::EMPTY;
        for base in self.look.mro(class).externals.clone() {
            for shown in rules().shows.all(base) {
                let (is_one, is_many) = (shown.one.contains(&HashedName(name)), shown.many.contains(&HashedName(name)));
                if !is_one && !is_many {
                    continue;
                }
                for model in self.models_of(class, &shown.models) {
                    let one = self.sets.single(Value::Instance(model), Basis::Annotated);
                    let given = if is_one { one } else { self.container_of(one, false) };
                    result = self.sets.union(result, given);
                }
            }
        }
        result
    }

    /// `def shown(self, obj)`: binds parameters whose name stands for an object of the class's model.
    pub(crate) fn bind_shown(&mut self, function: &FunctionBody) {
        let owner = self.look.own.id(function.entity);
        let bodies = self.bodies;
        for (index, parameter) in (0..).zip(&function.parameters).skip(1) {
            let Some(variable) = bodies.variables.get(parameter.variable as usize) else { continue };
            let name = bodies.names.hash(variable.name);
            if !rules().is_shown(name) {
                continue;
            }
            let Some(class) = self.look.enclosing_class(owner) else { return };
            let shown = self.held_of_models(class, name);
            self.add(questions::parameter(owner, function.lambda, index), shown);
        }
    }

    /// The models that a class names: `model`, `Meta.model`, `queryset`.
    fn models_of(&mut self, class: EntityId, paths: &[String]) -> Classes {
        let mut models = Classes::new();
        for path in paths {
            let (inner, attribute) = path.rsplit_once('.').unwrap_or(("", path));
            let holders: Classes = match inner {
                "" => smallvec::smallvec![class],
                inner => {
                    let held = self.held_over_mro(class, hash_name(inner));
                    self.sets.classes_in(held)
                }
            };
            for holder in holders {
                let held = self.held_over_mro(holder, hash_name(attribute));
                let named = self.sets.classes_in(held);
                let kept = self.sets.models_held(held);
                models.extend(named.into_iter().chain(kept));
            }
        }
        models.sort_unstable();
        models.dedup();
        models
    }

    /// `fields = ["name"]` in a class, or in its `Meta`: mentions the members of the class and of its model.
    pub(crate) fn members_in_text(&mut self, target: ExprId, value: ExprId) {
        let bodies = self.bodies;
        let Some(&ExprKind::Name { name, variable }) = bodies.kind(target) else { return };
        let hash = bodies.names.hash(name);
        if variable == NONE || !rules().has_member_texts(hash) {
            return;
        }
        let scope = &bodies.scopes[bodies.variables[variable as usize].scope as usize];
        if scope.kind != ScopeKind::Class {
            return;
        }
        let inner = self.look.own.id(scope.entity);
        let outer = self.look.with_head(inner, |info, head| info.id(head.parent));
        let outer = outer.filter(|&outer| self.look.kind(outer) == Some(EntityKind::Class));
        for class in [Some(inner), outer].into_iter().flatten() {
            for base in self.look.mro(class).externals.clone() {
                for shown in rules().shows.all(base).iter().filter(|shown| shown.texts.contains(&HashedName(hash))) {
                    let mut classes: Classes = smallvec::smallvec![class];
                    classes.extend(self.models_of(class, &shown.models));
                    self.mention_members(&classes, value, MAX_NESTING);
                }
            }
        }
    }

    fn mention_members(&mut self, classes: &[EntityId], value: ExprId, nesting: u32) {
        let bodies = self.bodies;
        match bodies.kind(value) {
            Some(&ExprKind::Text(text)) => {
                for &class in classes {
                    let path = bodies.names.text(text);
                    let first = path.trim_start_matches('-').split("__").next().unwrap_or_default();
                    if self.look.inherited(class, first, None).is_some() {
                        self.mention_attributes(&[class], path, self.bodies.place_of(value));
                        return;
                    }
                }
            }
            Some(&(ExprKind::Sequence { items, .. } | ExprKind::Dict { items, .. })) if nesting > 0 => {
                for &item in bodies.list(items) {
                    self.mention_members(classes, item, nesting - 1);
                }
            }
            Some(&ExprKind::Binary { left, right, .. }) if nesting > 0 => {
                self.mention_members(classes, left, nesting - 1);
                self.mention_members(classes, right, nesting - 1);
            }
            _ => {}
        }
    }
}

impl Lookup<'_> {
    pub(crate) fn is_manager_class(&mut self, class: EntityId) -> bool {
        self.mro(class).externals.iter().any(|&base| rules().is_manager(base))
    }
}

impl Bodies {
    /// `"posts"`, and the first argument of `backref("posts", lazy=True)`.
    fn text_or_first(&self, written: ExprId) -> Option<&str> {
        let bodies = self;
        match *bodies.kind(written)? {
            ExprKind::Call { arguments, .. } => bodies.text(*bodies.list(arguments).first()?),
            _ => bodies.text(written),
        }
    }
}

impl Sets {
    /// The classes of instances, and of the elements of declared lists.
    fn models_held(&self, held: SetId) -> Classes {
        let models = self.entries(held).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Instance(class) => Some(class),
            container => declared_of(container),
        });
        models.collect()
    }

    fn classes_in(&self, set: SetId) -> Classes {
        let classes = self.entries(set).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Class(class) => Some(class),
            _ => None,
        });
        classes.collect()
    }
}
