//! Classes that stand for tables: fields that refer to other classes, and collections of a class's instances.
//!
//! Instances and collections come from calls and attributes as the rules describe them. A collection is a container
//! with a declared element, as an annotated list is.

use crate::{
    facts::{
        NameId,
        bodies::{ExprKind, NONE},
    },
    model::{Basis, EntityId, Position, RelationshipKind},
    resolve::{
        containers::declared_of,
        frameworks::{
            orm_fields::Classes,
            tables::{calls::Holds, members::Query, rules},
        },
        interpret::{
            Interpreter,
            attributes::member_values::FoundMember,
            calls::arguments::{Arguments, MethodCall},
        },
        library::stdlib_names,
        values::{self, Kinds, SetId, Value, site::SitePart, slot::Slot},
    },
};

/// `Books.as_manager()`: an instance of the class. `Manager.from_queryset(Books)`: a class that is both. A method of
/// the repository's own manager gives the same collection if its result is not followed.
pub(crate) fn managers_given(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>, given: SetId) -> SetId {
    let &MethodCall { receivers, method, arguments, place, .. } = call;
    let hash = interpreter.solver.bodies.names.hash(method);
    let given = if rules().is_shown(hash) {
        let shown = interpreter.objects_of_models(receivers, hash);
        interpreter.solver.sets.union(given, shown)
    } else {
        given
    };
    let given = if rules().may_give_own(hash) {
        let own = interpreter.own_given(receivers, method);
        interpreter.solver.sets.union(given, own)
    } else {
        given
    };
    interpreter.attributes_in_query(receivers, hash, arguments);
    if rules().has_role(hash, Query::Maker) {
        let managers = interpreter.solver.sets.only(receivers, |value| matches!(value, Value::Class(_)));
        let made = interpreter.instances(managers, Basis::Constructed);
        return interpreter.solver.sets.union(given, made);
    }
    if rules().has_role(hash, Query::Joiner) {
        let joined = interpreter.solver.sets.union(receivers, arguments.first());
        let classes =
            interpreter.solver.sets.only(joined, |value| matches!(value, Value::Class(_) | Value::External(_)));
        return interpreter.solver.sets.union(given, classes);
    }
    let given = if rules().has_role(hash, Query::Same) && interpreter.solver.sets.holds(receivers, Kinds::INSTANCES) {
        let queried = interpreter.queried_by_own(receivers, method, place);
        interpreter.solver.sets.union(given, queried)
    } else {
        given
    };
    if interpreter.solver.sets.holds(receivers, Kinds::CONTAINERS)
        && interpreter.solver.is_nothing_but_managers(given)
        && interpreter.is_managed(receivers, interpreter.solver.bodies.names.text(method), place)
    {
        let same = interpreter.solver.sets.only(receivers, |value| matches!(value, Value::Container(..)));
        return interpreter.solver.sets.union(given, same);
    }
    given
}

impl Interpreter<'_> {
    /// The result of a call that names a class: `ForeignKey("Author")`, `relationship(User)`, `session.query(User)`.
    pub(crate) fn referred(&mut self, call: u64, arguments: &Arguments, place: Position) -> SetId {
        let Some(rule) = rules().refers.get(call) else { return SetId::EMPTY };
        let kind = rule.kind.map(u64::from);
        for keyword in &rule.mentions {
            let written = self.solver.bodies.argument(arguments, None, Some(keyword.0)).map(|(_, written)| written);
            let Some(written) = written else { continue };
            let Some(text) = self.solver.bodies.text(written) else { continue };
            for target in self.solver.class_in_text(text, kind) {
                self.solver.emit_reference(
                    target,
                    Basis::Text,
                    self.solver.bodies.place_of(written),
                    Some(RelationshipKind::References),
                );
            }
        }
        for keyword in &rule.member_texts {
            if let Some((_, written)) = self.solver.bodies.argument(arguments, None, Some(keyword.0)) {
                self.solver.mention_members_in_text(written, kind);
            }
        }
        let Some((set, written)) = self.solver.bodies.argument(arguments, rule.position, rule.keyword.map(u64::from))
        else {
            return SetId::EMPTY;
        };
        match rule.holds {
            Holds::Same => return set,
            Holds::One => return self.elements(set),
            Holds::Instance | Holds::Collection | Holds::Either => {}
        }
        let classes = match self.solver.bodies.text(written) {
            Some(text) => {
                let targets = self.solver.class_in_text(text, kind);
                for &target in &targets {
                    let at = self.solver.bodies.place_of(written);
                    self.solver.emit_reference(target, Basis::Text, at, Some(RelationshipKind::References));
                }
                self.solver.target_values(&targets, Basis::Annotated)
            }
            // One of several: `raises((Missing, Refused))`.
            None => {
                let several = self.iterate_literal(written);
                // Asked for later: `relationship(lambda: Post)`.
                let given = if matches!(self.solver.bodies.kind(written), Some(ExprKind::Lambda { .. })) {
                    self.quiet(|this| this.call_sets(set, &[], place))
                } else {
                    SetId::EMPTY
                };
                let set = self.solver.sets.union(set, several);
                self.solver.sets.union(set, given)
            }
        };
        if rule.holds == Holds::Collection
            && let Some(rows) = self.rows_of_several(arguments, place)
        {
            return rows;
        }
        let instances = self.instances(classes, Basis::Annotated);
        let instances = self.solver.sets.only(instances, |value| matches!(value, Value::Instance(_)));
        // A query stands for its class.
        let queried = if instances == SetId::EMPTY { self.elements(classes) } else { SetId::EMPTY };
        let queried = self.solver.sets.only(queried, |value| matches!(value, Value::Instance(_)));
        let instances = self.solver.sets.union(instances, queried);
        if let Some(reverse) = rule.reverse {
            self.solver.refer_back(reverse.0, rule, instances, arguments);
        }
        if let Some(opposite) = rule.opposite {
            self.solver.mention_opposite(opposite.0, instances, arguments);
        }
        if let Some(text) = rule.text
            && self.solver.bodies.argument(arguments, text.position, text.keyword.map(u64::from)).is_some()
        {
            self.special_first(instances, &["__str__", "__repr__"], place);
        }
        if let Some(member) = rule.member {
            let holder = self.solver.made(place, SitePart::Whole, true);
            self.solver.add_element(holder, Slot::Known(member.0), instances);
            return self.solver.sets.single(holder, Basis::Constructed);
        }
        match rule.holds {
            Holds::Instance | Holds::Same | Holds::One => instances,
            Holds::Collection => self.solver.container_of(instances, false),
            Holds::Either => {
                let collection = self.solver.container_of(instances, false);
                self.solver.sets.union(instances, collection)
            }
        }
    }

    /// `session.query(User, Post)`: rows of as many instances.
    fn rows_of_several(&mut self, arguments: &Arguments, place: Position) -> Option<SetId> {
        if arguments.positional.len() < 2 {
            return None;
        }
        let row = self.solver.made(place, SitePart::Declared, false);
        for (index, &given) in (0..).zip(&arguments.positional) {
            let classes = self.solver.sets.only(given, |value| matches!(value, Value::Class(_)));
            let instances = self.instances(classes, Basis::Annotated);
            self.solver.add_element(row, Slot::index(index), instances);
        }
        let row = self.solver.sets.single(row, Basis::Annotated);
        Some(self.solver.container_made(row, place, false))
    }

    /// Whether a manager of the repository's own is in a set, or a collection that has this method by one.
    fn is_managed(&mut self, receivers: SetId, method: &str, place: Position) -> bool {
        self.solver.has_own_manager(receivers)
            || !stdlib_names::is_container_member(method)
                && self.solver.sets.range(receivers).any(|at| {
                    let receiver = values::parts(self.solver.sets.at(at)).0;
                    self.manager_member(receiver, method, place).is_some()
                })
    }

    /// `Item.objects.filter(…)`: the collection of the manager's own `get_queryset`, else one of the same class.
    fn queried_by_own(&mut self, receivers: SetId, method: NameId, place: Position) -> SetId {
        let receivers = self.expand_parameters(receivers);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(receivers) {
            let entry = self.solver.sets.at(at);
            let (Value::Instance(class), basis) = values::parts(entry) else { continue };
            if !self.solver.look.is_manager_class(class)
                || self.solver.look.inherited(class, self.solver.bodies.names.text(method), None).is_some()
            {
                continue;
            }
            let Some(starter) = rules().starter() else { continue };
            let given = match self.solver.look.inherited(class, starter, None) {
                Some(_) => self.special_on(class, starter, basis, &[], place),
                None => self.solver.sets.of([entry]),
            };
            result = self.solver.sets.union(result, given);
        }
        result
    }

    /// `author.books.late()`: a member of the manager that the class of a collection's instances keeps.
    pub(crate) fn manager_member(&mut self, collection: Value, name: &str, place: Position) -> Option<FoundMember> {
        let class = declared_of(collection)?;
        for base in self.solver.look.mro(class).externals.clone() {
            for &attribute in rules().collections_of(base) {
                let kept = self.solver.held_over_mro(class, attribute);
                for at in self.solver.sets.range(kept) {
                    let Value::Instance(manager) = values::parts(self.solver.sets.at(at)).0 else { continue };
                    if !self.solver.look.is_manager_class(manager) {
                        continue;
                    }
                    if self.solver.look.inherited(manager, name, None).is_some() {
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

    /// A member of the result of a manager's own `get_queryset`.
    fn member_of_query(&mut self, manager: EntityId, name: &str, place: Position) -> Option<FoundMember> {
        let starter = rules().starter()?;
        self.solver.look.inherited(manager, starter, None)?;
        let query = self.quiet(|this| this.special_on(manager, starter, Basis::Stored, &[], place));
        for at in self.solver.sets.range(query) {
            let Value::Instance(class) = values::parts(self.solver.sets.at(at)).0 else { continue };
            if self.solver.look.inherited(class, name, None).is_some() {
                return Some(self.attribute_of(Value::Instance(class), Basis::Stored, name, place));
            }
        }
        None
    }

    /// The result of a collection's method.
    pub(crate) fn queried(&mut self, containers: SetId, method: NameId, place: Position) -> SetId {
        let method = self.solver.bodies.names.hash(method);
        match () {
            () if rules().has_role(method, Query::Same) => containers,
            () if rules().has_role(method, Query::One) => self.elements(containers),
            () if rules().has_role(method, Query::Pair) => {
                let (pair, one) = (self.solver.made(place, SitePart::Pair, false), self.elements(containers));
                self.solver.add_element(pair, Slot::index(0), one);
                self.solver.sets.single(pair, Basis::Constructed)
            }
            () => SetId::EMPTY,
        }
    }

    /// `Item.objects.filter(author__name="A").order_by("-date")` mentions `Item.author`, `Author.name` and `Item.date`.
    pub(crate) fn attributes_in_query(&mut self, receivers: SetId, method: u64, arguments: &Arguments) {
        let [by_keyword, by_text] = [Query::ByKeyword, Query::ByText].map(|role| rules().has_role(method, role));
        if !by_keyword && !by_text {
            return;
        }
        let concrete = self.expand_parameters(receivers);
        let models = self.solver.sets.entries(concrete).iter().filter_map(|&entry| declared_of(values::parts(entry).0));
        let models: Classes = models.collect();
        let bodies = self.solver.bodies;
        if by_keyword {
            for &(name, value) in bodies.keywords(arguments.named()).iter().filter(|&&(name, _)| name != NONE) {
                self.solver.mention_attributes(
                    &models,
                    bodies.names.text(NameId(name)),
                    self.solver.bodies.place_of(value),
                );
            }
        }
        if by_text {
            for &argument in bodies.list(arguments.written()) {
                if let Some(text) = bodies.text(argument) {
                    self.solver.mention_attributes(&models, text, self.solver.bodies.place_of(argument));
                }
            }
        }
    }

    /// The objects that methods give of the models in their classes.
    pub(crate) fn objects_of_models(&mut self, receivers: SetId, name: u64) -> SetId {
        let receivers = self.expand_parameters(receivers);
        let mut result = SetId::EMPTY;
        for at in self.solver.sets.range(receivers) {
            let (Value::Instance(class) | Value::Super(_, Some(class)) | Value::Super(class, None)) =
                values::parts(self.solver.sets.at(at)).0
            else {
                continue;
            };
            let shown = self.solver.held_of_models(class, name);
            result = self.solver.sets.union(result, shown);
        }
        result
    }
}
