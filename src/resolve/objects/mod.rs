//! Python's object model: properties, bound methods, instances, modules and fields.
//!
//! The functions of this file handle the builtins that make such objects; the other files handle loads and stores of
//! attributes.

pub(crate) mod attribute_hooks;
pub(crate) mod attributes;
pub(crate) mod dynamic_attributes;
pub(crate) mod metaclasses;
pub(crate) mod overrides;
pub(crate) mod passed_bases;
pub(crate) mod receiver_dependent;
pub(crate) mod receivers;
pub(crate) mod single_dispatch;

use crate::{
    facts::{
        Bodies, NameId,
        bodies::{ExprId, ExprKind, NONE},
        hash_name,
    },
    model::{Basis, EntityId, EntityKind, Position, RelationshipKind},
    resolve::{
        frameworks::tables::behavior_of,
        interpret::calls::arguments::Arguments,
        library::known::{self, Known},
        names::{Lookup, Target, imports::parent},
        solver::Solver,
        values::{self, SetId, Sets, Value, mark::Mark, questions},
    },
};

/// When a call of a class gives an object of another one.
pub(crate) enum Instead {
    Never,
    Sometimes,
    Always,
}

impl Solver<'_> {
    /// `property(get, set)`; as a decorator it gives the function itself.
    pub(crate) fn property_of(&mut self, arguments: &Arguments) -> SetId {
        let getter = arguments.first();
        if self.bodies.list(arguments.written()).is_empty() {
            return getter;
        }
        let keyword = const { hash_name("fset") };
        let by_keyword = arguments.keywords.iter().find(|(name, _)| *name == keyword).map(|&(_, set)| set);
        let setter = arguments.positional.get(1).copied().or(by_keyword).unwrap_or_default();
        let mut entries = values::Entries::new();
        for at in self.sets.range(getter) {
            if let (Value::Function(function, lambda), basis) = values::parts(self.sets.at(at)) {
                self.add(questions::setter(function, lambda), setter);
                entries.push(values::entry(Value::DependsOnCall(function, Mark::Property { lambda }), basis));
            }
        }
        self.sets.of(entries)
    }

    /// A lambda or function outside the class does not know `self` by where it stands.
    pub(crate) fn pass_receiver(&mut self, function: EntityId, lambda: u32, receiver: SetId) {
        if lambda != 0 || self.look.enclosing_class(function).is_none() {
            self.add(questions::parameter(function, lambda, 0), receiver);
        }
    }

    /// `Color.RED.value`: the values of the members of an enumeration.
    pub(crate) fn values_of_members(&mut self, class: EntityId) -> SetId {
        let mut values = SetId::EMPTY;
        for name in self.look.member_names(class) {
            let held = self.read(questions::attribute(class, name));
            values = self.sets.union(values, held);
        }
        let values = self.sets.only(values, |value| matches!(value, Value::Instance(other) if other != class));
        self.sets.weaken(values, Basis::Element)
    }

    /// `object.__new__(cls)`.
    pub(crate) fn new_of(&mut self, classes: SetId, arguments: &Arguments) -> SetId {
        if let Some(class) = self.look.enclosing_class(self.entity) {
            self.fill_in_order(class, arguments.positional.get(1..).unwrap_or_default());
        }
        let entries = self.sets.entries(classes).iter().filter_map(|&entry| match values::parts(entry) {
            (Value::Class(class), basis) => Some(values::entry(Value::Instance(class), basis.max(Basis::Constructed))),
            (Value::Parameter(function, lambda, index), basis) => {
                Some(values::entry(Value::InstanceOfParameter(function, lambda, index), basis))
            }
            _ => None,
        });
        let entries: values::Entries = entries.collect();
        self.sets.of(entries)
    }

    /// Whether `__new__` gives objects of other classes.
    pub(crate) fn constructed_instead(&mut self, class: EntityId, given: SetId) -> Instead {
        let (mut has_others, mut has_own) = (false, given == SetId::TOP);
        for at in self.sets.range(given) {
            match values::parts(self.sets.at(at)).0 {
                Value::Instance(other) if !self.look.mro(other).classes.contains(&class) => has_others = true,
                // `return partial(cls, name=name)`
                Value::Class(_) | Value::Function(..) | Value::Bound(..) => has_others = true,
                _ => has_own = true,
            }
        }
        match (has_others, has_own) {
            (false, _) => Instead::Never,
            (true, true) => Instead::Sometimes,
            (true, false) => Instead::Always,
        }
    }

    /// An object that `__new__` returns in place of an instance may make one later: it has the class, whose `__init__`
    /// then runs.
    pub(crate) fn instantiate_later(&mut self, class: EntityId, place: Position) {
        let Some((_, targets)) = self.look.inherited(class, "__init__", None) else { return };
        for target in targets {
            self.emit_reference(target, Basis::Choice, place, Some(RelationshipKind::References));
        }
    }

    /// A class without `__init__` of its own code (dataclass, attrs, NamedTuple, pydantic): keywords are fields.
    pub(crate) fn fill_fields(&mut self, class: EntityId, basis: Basis, arguments: &Arguments) {
        let bodies = self.bodies;
        for &(name, value) in bodies.keywords(arguments.named()).iter().filter(|(name, _)| *name != NONE) {
            let place = self.bodies.place_of(value);
            let Some((_, targets)) = self.look.inherited(class, bodies.names.text(NameId(name)), None) else {
                continue;
            };
            for target in targets {
                if let Target::Entity(field) = target
                    && self.look.kind(field) == Some(EntityKind::Variable)
                {
                    self.emit(field, RelationshipKind::Writes, basis.max(Basis::SelfMember), place);
                }
            }
        }
        self.fill_in_order(class, &arguments.positional);
        for &(keyword, set) in &arguments.keywords {
            let followed =
                self.sets.only(set, |value| !matches!(value, Value::External(_) | Value::ExternalInstance(_)));
            self.add(questions::attribute(class, keyword), followed);
        }
    }

    pub(crate) fn module_of_text(&mut self, text: &str, package: Option<&str>) -> SetId {
        let name = text.trim_start_matches('.');
        let own = self.look.own.path.clone();
        let level = text.len() - name.len();
        let mut parts: Vec<&str> = Vec::new();
        let mut written_level = u32::try_from(level).unwrap_or(u32::MAX);
        if let Some(package) = package.filter(|_| level > 0) {
            let outer: Vec<&str> = package.split('.').collect();
            let kept = (outer.len() + 1).saturating_sub(level);
            parts.extend(&outer[..kept.min(outer.len())]);
            written_level = 0;
        }
        parts.extend(name.split('.').filter(|part| !part.is_empty()));
        if parts.is_empty() || parent(&own) == own {
            return SetId::EMPTY;
        }
        let targets = self.look.import_targets(&own, written_level, &parts, None, 0);
        self.target_values(&targets, Basis::Text)
    }
}

impl Lookup<'_> {
    pub(crate) fn is_enum(&mut self, class: EntityId) -> bool {
        self.mro(class).externals.iter().any(|&hash| behavior_of(hash) == Some(Known::Enum))
    }

    /// Whether a decorator can stand before a function, which is then under `__wrapped__`.
    pub(crate) fn is_wrapped(&mut self, function: EntityId) -> bool {
        let found = self.signature(function, 0);
        found.is_some_and(|found| found.signature().is_decorated) && !self.is_closure(function)
    }

    /// Whether a function is defined inside another, as wrappers are.
    pub(crate) fn is_closure(&mut self, function: EntityId) -> bool {
        let parent = self.with_entity(function, |info, index| {
            let parent = info.interface.entities.get(index as usize)?.parent;
            info.interface.entities.get(parent as usize).map(|head| head.kind)
        });
        parent.is_some_and(EntityKind::is_callable)
    }
}

impl Bodies {
    /// The object whose attributes an expression is the dict of: `x` in `x.__dict__` and `vars(x)`.
    pub(crate) fn object_of_dict(&self, expression: ExprId) -> Option<ExprId> {
        let bodies = self;
        match *bodies.kind(expression)? {
            ExprKind::Attribute { base, name } if bodies.names.text(name) == "__dict__" => Some(base),
            ExprKind::Call { callee, arguments, .. } => match (bodies.kind(callee), bodies.list(arguments)) {
                (Some(&ExprKind::Name { name, variable: NONE }), &[object]) if bodies.names.text(name) == "vars" => {
                    Some(object)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `globals()`, `locals()`, `vars()`: the names of the module, or of the running function.
    pub(crate) fn is_namespace(&self, expression: ExprId) -> bool {
        let Some(&ExprKind::Call { callee, arguments, .. }) = self.kind(expression) else { return false };
        match self.kind(callee) {
            Some(&ExprKind::Name { name, variable: NONE }) => {
                let is_one = matches!(self.names.text(name), "globals" | "locals" | "vars");
                is_one && self.list(arguments).is_empty()
            }
            _ => false,
        }
    }
}

impl Sets {
    /// Whether an object of the class is one of several.
    pub(crate) fn is_choice(&self, made: SetId, class: EntityId) -> bool {
        let own = values::entry(Value::Instance(class), Basis::Choice);
        self.entries(made).contains(&own)
    }

    /// Whether a set holds `sys.modules`.
    pub(crate) fn is_modules_loaded(&self, container: SetId) -> bool {
        let loaded = const { known::dotted("sys.modules") };
        let is_loaded = |&entry: &u64| matches!(values::parts(entry).0, Value::External(path) | Value::ExternalInstance(path) if path == loaded);
        self.entries(container).iter().any(is_loaded)
    }
}
