//! Attributes of models that are named in keywords and texts: `filter(author__name=…)`, `order_by("-date")`, `fields = ["name"]`,
//! and what objects show of a model that their class names: `class ItemView(DetailView): model = Item`.
//!
//! Goes in: a call on a collection, an assignment in a class, an attribute that a class does not have itself. Comes out: mentions
//! of the attributes, and instances of the model. Which framework does what stands in `rules`.

use smallvec::SmallVec;

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, FunctionBody, NONE, ScopeKind},
        hash_name,
    },
    model::{Basis, EntityId, EntityKind},
    resolve::{
        containers::declared_of,
        engine::{Solver, output::Place},
        frameworks::rules,
        interpret::calls::Arguments,
        questions,
        values::{self, SetId, Value},
    },
};

/// How many attributes are followed in one name: `order__customer__city`.
const MAX_PARTS: usize = 4;
/// How deep lists of texts are gone into: `fieldsets = [("Dates", {"fields": ["start"]})]`.
const MAX_NESTING: u32 = 4;

type Classes = SmallVec<[EntityId; 2]>;

impl Solver<'_> {
    /// `Item.objects.filter(author__name="A").order_by("-date")` mentions `Item.author`, `Author.name` and `Item.date`.
    pub(crate) fn attributes_in_query(&mut self, receivers: SetId, method: u64, arguments: &Arguments) {
        let (by_keyword, by_text) = rules().names_attributes(method);
        if !by_keyword && !by_text {
            return;
        }
        let concrete = self.concrete(receivers);
        let models = self.sets.entries(concrete).iter().filter_map(|&entry| declared_of(values::parts(entry).0));
        let models: Classes = models.collect();
        let bodies = self.bodies;
        if by_keyword {
            for &(name, value) in bodies.keywords(arguments.named()).iter().filter(|&&(name, _)| name != NONE) {
                self.mention_attributes(&models, bodies.names.text(NameId(name)), self.place_of(value));
            }
        }
        if by_text {
            for &argument in bodies.list(arguments.written()) {
                if let Some(text) = bodies.text(argument) {
                    self.mention_attributes(&models, text, self.place_of(argument));
                }
            }
        }
    }

    /// Mentions the attributes that a path like `author__name` goes through.
    fn mention_attributes(&mut self, models: &[EntityId], path: &str, place: Place) {
        let mut models: Classes = models.iter().copied().collect();
        for part in path.trim_start_matches(['-', '+']).split("__").take(MAX_PARTS) {
            let mut next = Classes::new();
            for &model in &models {
                let Some((_, targets)) = self.look.inherited(model, part, None) else { continue };
                for target in targets {
                    self.mention(target, Basis::Text, place, None);
                }
                let held = self.held_over_mro(model, hash_name(part));
                next.extend(self.models_held(held));
            }
            models = next;
        }
    }

    /// The classes of instances, and of what declared lists hold.
    fn models_held(&self, held: SetId) -> Classes {
        let models = self.sets.entries(held).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Instance(class) => Some(class),
            container => declared_of(container),
        });
        models.collect()
    }

    // --- what classes show -------------------------------------------------------------------------------------

    /// What methods of objects give of the models that their classes name.
    pub(crate) fn given_of_models(&mut self, receivers: SetId, name: u64) -> SetId {
        let receivers = self.concrete(receivers);
        let mut result = SetId::EMPTY;
        for at in self.sets.range(receivers) {
            let (Value::Instance(class) | Value::Super(_, Some(class)) | Value::Super(class, None)) =
                values::parts(self.sets.at(at)).0
            else {
                continue;
            };
            let shown = self.held_of_models(class, name);
            result = self.sets.union(result, shown);
        }
        result
    }

    /// What an object shows under a name of the model that its class names.
    pub(crate) fn held_of_models(&mut self, class: EntityId, name: u64) -> SetId {
        let mut result = SetId::EMPTY;
        for base in self.look.mro(class).externals.clone() {
            for shown in rules().shows(base) {
                let (is_one, is_many) = (shown.one.contains(&name), shown.many.contains(&name));
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

    /// `def shown(self, obj)`: parameters of a class's methods by which it is given what it shows.
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
                    self.classes_in(held)
                }
            };
            for holder in holders {
                let held = self.held_over_mro(holder, hash_name(attribute));
                let named = self.classes_in(held);
                let kept = self.models_held(held);
                models.extend(named.into_iter().chain(kept));
            }
        }
        models.sort_unstable();
        models.dedup();
        models
    }

    fn classes_in(&self, set: SetId) -> Classes {
        let classes = self.sets.entries(set).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::Class(class) => Some(class),
            _ => None,
        });
        classes.collect()
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
        let outer = outer.filter(|&outer| self.kind(outer) == Some(EntityKind::Class));
        for class in [Some(inner), outer].into_iter().flatten() {
            for base in self.look.mro(class).externals.clone() {
                for shown in rules().shows(base).iter().filter(|shown| shown.texts.contains(&hash)) {
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
                        self.mention_attributes(&[class], path, self.place_of(value));
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
