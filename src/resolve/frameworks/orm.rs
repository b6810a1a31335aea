//! Classes that stand for tables: fields that refer to other classes, and collections of a class's instances.
//!
//! Goes in: a call or an attribute that a framework's rules speak of. Comes out: instances, and collections that are known as
//! a declared list is. Which framework calls what so stands in `rules`.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind},
        hash_name,
    },
    model::{Basis, EntityId, EntityKind, RelationshipKind},
    resolve::{
        containers::declared_of,
        engine::{Solver, output::Place},
        frameworks::{Holds, Reference, rules},
        interpret::{attributes::Found, calls::Arguments},
        library::stdlib_names,
        names::{Target, Targets},
        questions,
        values::{self, Kinds, SetId, Value, site::Part, slot::Slot},
    },
};

impl Solver<'_> {
    /// What a call gives that names a class: `ForeignKey("Author")`, `relationship(User)`, `session.query(User)`.
    pub(crate) fn referred(&mut self, call: u64, arguments: &Arguments, place: Place) -> SetId {
        let Some(rule) = rules().refers(call) else { return SetId::EMPTY };
        for &keyword in rules().mentions(call) {
            let written = self.argument(arguments, None, Some(keyword)).map(|(_, written)| written);
            let Some(written) = written else { continue };
            let Some(text) = self.bodies.text(written) else { continue };
            for target in self.class_in_text(text, rule.kind) {
                self.mention(target, Basis::Text, self.place_of(written), Some(RelationshipKind::References));
            }
        }
        for &keyword in rules().member_texts(call) {
            if let Some((_, written)) = self.argument(arguments, None, Some(keyword)) {
                self.mention_members_in_text(written, rule.kind);
            }
        }
        let Some((set, written)) = self.argument(arguments, rule.position, rule.keyword) else { return SetId::EMPTY };
        match rule.holds {
            Holds::Same => return set,
            Holds::One => return self.elements(set),
            Holds::Instance | Holds::Collection | Holds::Either => {}
        }
        let classes = match self.bodies.text(written) {
            Some(text) => {
                let targets = self.class_in_text(text, rule.kind);
                for &target in &targets {
                    let at = self.place_of(written);
                    self.mention(target, Basis::Text, at, Some(RelationshipKind::References));
                }
                self.target_values(&targets, Basis::Annotated)
            }
            // One of several: `raises((Missing, Refused))`.
            None => {
                let several = self.iterate_literal(written);
                // Asked for later: `relationship(lambda: Post)`.
                let given = if matches!(self.bodies.kind(written), Some(ExprKind::Lambda { .. })) {
                    self.quiet(|this| this.call_sets(set, &[], place))
                } else {
                    SetId::EMPTY
                };
                let set = self.sets.union(set, several);
                self.sets.union(set, given)
            }
        };
        if rule.holds == Holds::Collection
            && let Some(rows) = self.rows_of_several(arguments, place)
        {
            return rows;
        }
        let instances = self.instances(classes, Basis::Annotated);
        let instances = self.only(instances, |value| matches!(value, Value::Instance(_)));
        // A query stands for its class.
        let queried = if instances == SetId::EMPTY { self.elements(classes) } else { SetId::EMPTY };
        let queried = self.only(queried, |value| matches!(value, Value::Instance(_)));
        let instances = self.sets.union(instances, queried);
        if let Some(reverse) = rule.reverse {
            self.refer_back(reverse, rule, instances, arguments);
        }
        if let Some(opposite) = rule.opposite {
            self.mention_opposite(opposite, instances, arguments);
        }
        if let Some(member) = rule.member {
            let holder = self.made(place, Part::Whole, true);
            self.add_element(holder, Slot::Known(member), instances);
            return self.sets.single(holder, Basis::Constructed);
        }
        match rule.holds {
            Holds::Instance | Holds::Same | Holds::One => instances,
            Holds::Collection => self.container_of(instances, false),
            Holds::Either => {
                let collection = self.container_of(instances, false);
                self.sets.union(instances, collection)
            }
        }
    }

    /// `session.query(User, Post)`: rows of as many instances.
    fn rows_of_several(&mut self, arguments: &Arguments, place: Place) -> Option<SetId> {
        if arguments.positional.len() < 2 {
            return None;
        }
        let row = self.made(place, Part::Declared, false);
        for (index, &given) in (0..).zip(&arguments.positional) {
            let classes = self.only(given, |value| matches!(value, Value::Class(_)));
            let instances = self.instances(classes, Basis::Annotated);
            self.add_element(row, Slot::index(index), instances);
        }
        let row = self.sets.single(row, Basis::Annotated);
        Some(self.container_made(row, place, false))
    }

    /// `order_by="Post.id"` names attributes of classes.
    fn mention_members_in_text(&mut self, written: ExprId, kind: Option<u64>) {
        let Some(text) = self.bodies.text(written) else { return };
        let is_name = |character: char| character == '_' || character == '.' || character.is_alphanumeric();
        for path in text.split(|character| !is_name(character)) {
            let Some((class, member)) = path.rsplit_once('.') else { continue };
            for target in self.class_in_text(class, kind) {
                let Target::Entity(class) = target else { continue };
                let Some((_, members)) = self.look.inherited(class, member, None) else { continue };
                for target in members {
                    self.mention(target, Basis::Text, self.place_of(written), None);
                }
            }
        }
    }

    /// `back_populates="posts"` names an attribute of the other class.
    fn mention_opposite(&mut self, keyword: u64, others: SetId, arguments: &Arguments) {
        let Some((_, written)) = self.argument(arguments, None, Some(keyword)) else { return };
        let Some(name) = self.bodies.text(written) else { return };
        for at in self.sets.range(others) {
            let Value::Instance(class) = values::parts(self.sets.at(at)).0 else { continue };
            let Some((_, targets)) = self.look.inherited(class, name, None) else { continue };
            for target in targets {
                self.mention(target, Basis::Text, self.place_of(written), None);
            }
        }
    }

    /// The other class has one or a collection of this one, under a name that is given or made of this one's.
    fn refer_back(&mut self, keyword: u64, rule: Reference, others: SetId, arguments: &Arguments) {
        if self.kind(self.entity) != Some(EntityKind::Class) {
            return;
        }
        let own = self.sets.single(Value::Instance(self.entity), Basis::Annotated);
        let collection = self.container_of(own, false);
        let held = match (rule.is_one, rule.holds) {
            (true, _) => own,
            (_, Holds::Either) => self.sets.union(own, collection),
            _ => collection,
        };
        let written =
            self.argument(arguments, None, Some(keyword)).and_then(|(_, written)| self.text_or_first(written));
        let name = match written {
            Some(name) => Some(hash_name(name)),
            None if rule.holds == Holds::Either => None,
            None => self.look.with_head(self.entity, |info, head| {
                let name = info.interface.names.text(head.name).to_lowercase();
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

    /// `"posts"`, and the first argument of `backref("posts", lazy=True)`.
    fn text_or_first(&self, written: ExprId) -> Option<&str> {
        let bodies = self.bodies;
        match *bodies.kind(written)? {
            ExprKind::Call { arguments, .. } => bodies.text(*bodies.list(arguments).first()?),
            _ => bodies.text(written),
        }
    }

    /// `"Author"` in this module, `"self"`, `"shop.Author"` in the models of the package `shop`, else what is called so.
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
        if !self.look.mro(class).externals.iter().any(|&base| rules().is_collection(base, hash)) {
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

    /// What a class keeps and what descriptors give of it; a manager is a collection of its instances too.
    pub(crate) fn managed(&mut self, class: EntityId, kept: SetId, given: SetId) -> SetId {
        let kept = self.sets.union(kept, given);
        for at in self.sets.range(kept) {
            let is_manager = match values::parts(self.sets.at(at)).0 {
                Value::Instance(manager) => self.is_manager_class(manager),
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

    fn is_manager_class(&mut self, class: EntityId) -> bool {
        self.look.mro(class).externals.iter().any(|&base| rules().is_manager(base))
    }

    /// Whether an instance of a manager class of the repository is in a set.
    fn has_own_manager(&mut self, set: SetId) -> bool {
        let mut entries = self.sets.range(set);
        entries.any(|at| match values::parts(self.sets.at(at)).0 {
            Value::Instance(class) => self.is_manager_class(class),
            _ => false,
        })
    }

    /// `Books.as_manager()`: an instance of the class. `Manager.from_queryset(Books)`: a class that is both, as the classes that
    /// it is made of. A method of a manager of the repository's own of which the result is not followed gives the same
    /// collection.
    pub(crate) fn managers_given(
        &mut self,
        receivers: SetId,
        method: NameId,
        arguments: &Arguments,
        given: SetId,
        place: Place,
    ) -> SetId {
        let hash = self.bodies.names.hash(method);
        let given = if rules().is_shown(hash) {
            let shown = self.given_of_models(receivers, hash);
            self.sets.union(given, shown)
        } else {
            given
        };
        let given = if rules().may_give_own(hash) {
            let own = self.own_given(receivers, method);
            self.sets.union(given, own)
        } else {
            given
        };
        self.attributes_in_query(receivers, hash, arguments);
        if rules().gives_manager(hash) {
            let managers = self.only(receivers, |value| matches!(value, Value::Class(_)));
            let made = self.instances(managers, Basis::Constructed);
            return self.sets.union(given, made);
        }
        if rules().joins_managers(hash) {
            let joined = self.sets.union(receivers, arguments.first());
            let classes = self.only(joined, |value| matches!(value, Value::Class(_) | Value::External(_)));
            return self.sets.union(given, classes);
        }
        let given = if rules().gives_same(hash) && self.sets.holds(receivers, Kinds::INSTANCES) {
            let queried = self.queried_by_own(receivers, method, place);
            self.sets.union(given, queried)
        } else {
            given
        };
        if self.sets.holds(receivers, Kinds::CONTAINERS)
            && self.is_nothing_but_managers(given)
            && self.is_managed(receivers, self.bodies.names.text(method), place)
        {
            let same = self.only(receivers, |value| matches!(value, Value::Container(..)));
            return self.sets.union(given, same);
        }
        given
    }

    /// Whether a manager of the repository's own is in a set, or a collection that has this method by one.
    fn is_managed(&mut self, receivers: SetId, method: &str, place: Place) -> bool {
        self.has_own_manager(receivers)
            || !stdlib_names::is_container_member(method)
                && self.sets.range(receivers).any(|at| {
                    let receiver = values::parts(self.sets.at(at)).0;
                    self.manager_member(receiver, method, place).is_some()
                })
    }

    /// Whether what a method gives is not followed, or managers of the repository's own.
    fn is_nothing_but_managers(&mut self, given: SetId) -> bool {
        let others = self.only(given, |value| !matches!(value, Value::Instance(_)));
        self.is_nothing_followed(given) || self.is_nothing_followed(others) && self.has_own_manager(given)
    }

    /// `Item.objects.filter(…)`: the collection that a manager's own `get_queryset` gives, else a collection of the same class.
    fn queried_by_own(&mut self, receivers: SetId, method: NameId, place: Place) -> SetId {
        let receivers = self.concrete(receivers);
        let mut result = SetId::EMPTY;
        for at in self.sets.range(receivers) {
            let entry = self.sets.at(at);
            let (Value::Instance(class), basis) = values::parts(entry) else { continue };
            if !self.is_manager_class(class)
                || self.look.inherited(class, self.bodies.names.text(method), None).is_some()
            {
                continue;
            }
            let Some(starter) = rules().starter() else { continue };
            let given = match self.look.inherited(class, starter, None) {
                Some(_) => self.special_on(class, starter, basis, &[], place),
                None => self.sets.of([entry]),
            };
            result = self.sets.union(result, given);
        }
        result
    }

    /// `author.books.late()`: a member of the manager that the class of a collection's instances keeps.
    pub(crate) fn manager_member(&mut self, collection: Value, name: &str, place: Place) -> Option<Found> {
        let class = declared_of(collection)?;
        for base in self.look.mro(class).externals.clone() {
            for &attribute in rules().collections_of(base) {
                let kept = self.held_over_mro(class, attribute);
                for at in self.sets.range(kept) {
                    let Value::Instance(manager) = values::parts(self.sets.at(at)).0 else { continue };
                    if !self.is_manager_class(manager) {
                        continue;
                    }
                    if self.look.inherited(manager, name, None).is_some() {
                        return Some(self.attribute_of(Value::Instance(manager), Basis::Stored, name, place));
                    }
                    if let Some(found) = self.member_of_query(manager, name, place) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    /// A member of what a manager's own `get_queryset` gives.
    fn member_of_query(&mut self, manager: EntityId, name: &str, place: Place) -> Option<Found> {
        let starter = rules().starter()?;
        self.look.inherited(manager, starter, None)?;
        let query = self.quiet(|this| this.special_on(manager, starter, Basis::Stored, &[], place));
        for at in self.sets.range(query) {
            let Value::Instance(class) = values::parts(self.sets.at(at)).0 else { continue };
            if self.look.inherited(class, name, None).is_some() {
                return Some(self.attribute_of(Value::Instance(class), Basis::Stored, name, place));
            }
        }
        None
    }

    fn own_collection(&mut self, class: EntityId) -> SetId {
        let instance = self.sets.single(Value::Instance(class), Basis::Annotated);
        self.container_of(instance, false)
    }

    /// What a method of a collection gives.
    pub(crate) fn queried(&mut self, containers: SetId, method: NameId, place: Place) -> SetId {
        let method = self.bodies.names.hash(method);
        match () {
            () if rules().gives_same(method) => containers,
            () if rules().gives_one(method) => self.elements(containers),
            () if rules().gives_pair(method) => {
                let (pair, one) = (self.made(place, Part::Pair, false), self.elements(containers));
                self.add_element(pair, Slot::index(0), one);
                self.sets.single(pair, Basis::Constructed)
            }
            () => SetId::EMPTY,
        }
    }
}
