//! Objects under names: what a text refers to because something was registered so, and what is connected to a signal.
//!
//! Goes in: a call, a class or a decorator that a framework's rules speak of. Comes out: the objects that are called so, wherever
//! they are, as an answer of all files to one question for each name. Which call does what stands in `rules`.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE},
        hash_name,
    },
    model::{Basis, EntityId, EntityKind, RelationshipKind},
    resolve::{
        engine::{Solver, output::Place},
        frameworks::{ByText, Signal, routes, rules},
        interpret::calls::Arguments,
        names::{Target, imports::parent},
        questions,
        values::{self, SetId, Value},
    },
};

/// How many calls are gone through to the view that a route is given: `login_required(View.as_view())`.
const MAX_WRAPPINGS: u32 = 3;

impl Solver<'_> {
    // --- names -------------------------------------------------------------------------------------------------

    /// What is called so, whatever the case; a namespace before a colon does not count.
    pub(crate) fn named(&mut self, kind: u64, name: &str) -> SetId {
        let set = self.read(name_key(kind, name));
        self.sets.weaken(set, Basis::Annotated)
    }

    /// Classes that derive from some bases are known by a name that is made of their own and of where they stand.
    pub(crate) fn name_class(&mut self, class: EntityId) {
        for base in self.look.mro(class).externals.clone() {
            self.name_class_by(class, base);
        }
    }

    /// The same for one of those bases.
    pub(crate) fn name_class_by(&mut self, class: EntityId, base: u64) {
        for rule in rules().class_names(base) {
            let path = self.look.own.path.clone();
            let file = path.rsplit('/').next().unwrap_or_default();
            let module = file.strip_suffix(".py").unwrap_or(file);
            let mut folder = parent(&path);
            while rule.inside.iter().any(|inside| folder.rsplit('/').next() == Some(inside)) {
                folder = parent(folder);
            }
            let package = folder.rsplit('/').next().unwrap_or_default();
            let name = self.look.with_head(class, |info, head| info.interface.names.text(head.name).to_owned());
            let Some(name) = name else { continue };
            let full =
                rule.template.replace("{class}", &name).replace("{module}", module).replace("{package}", package);
            let itself = self.sets.single(Value::Class(class), Basis::Annotated);
            self.add(name_key(rule.kind, &full), itself);
        }
    }

    /// What a call does with a text that it is given.
    pub(crate) fn done_by_text(&mut self, rule: &ByText, arguments: &Arguments, place: Place) -> SetId {
        match rule {
            ByText::Names { kind, position, keyword, name, route } => {
                let bodies = self.bodies;
                let written = |at: usize| bodies.list(arguments.written()).get(at).copied();
                let Some((_, object)) = self.argument(arguments, Some(*position), *keyword) else {
                    return SetId::EMPTY;
                };
                let name = self.argument(arguments, None, Some(*name)).map(|(_, written)| written);
                let name: Option<&str> = name.and_then(|written| bodies.text(written));
                let pattern = route.and_then(written).and_then(|route| bodies.text(route));
                if name.is_some() || pattern.is_some() {
                    let objects = self.objects_given(object, MAX_WRAPPINGS);
                    if let Some(name) = name {
                        self.add(name_key(*kind, name), objects);
                    }
                    if let Some(ending) = pattern.and_then(|pattern| routes::ending(pattern, 0)) {
                        self.add_route(*kind, routes::ANY, &ending, objects);
                    }
                }
                SetId::EMPTY
            }
            ByText::Assigns(position, attribute) => {
                let holders = arguments.positional.get(*position).copied().unwrap_or_default();
                let held = self.only(arguments.first(), |value| matches!(value, Value::Class(_)));
                for at in self.sets.range(holders) {
                    if let Value::Class(holder) = values::parts(self.sets.at(at)).0 {
                        self.add(questions::attribute(holder, *attribute), held);
                    }
                }
                SetId::EMPTY
            }
            ByText::Requests(rule) => {
                self.request(rule, arguments, place);
                SetId::EMPTY
            }
            ByText::Mounts(group) => {
                self.mount(group, arguments);
                SetId::EMPTY
            }
            ByText::LooksUp { kind, position, keyword, joins, gives, runs } => {
                let Some((_, written)) = self.argument(arguments, Some(*position), *keyword) else {
                    return SetId::EMPTY;
                };
                let second = self.bodies.list(arguments.written()).get(position + 1).copied().filter(|_| *joins);
                let second = second.and_then(|second| self.bodies.text(second));
                let mut found = SetId::EMPTY;
                for text in self.texts_computed(written) {
                    let objects = match second {
                        Some(second) => self.named(*kind, &format!("{text}.{second}")),
                        None => self.view_named(*kind, &text),
                    };
                    found = self.sets.union(found, objects);
                }
                let at = self.place_of(written);
                self.refer_by_text(found, RelationshipKind::References, at);
                for at in self.sets.range(found).filter(|_| !runs.is_empty()) {
                    let Value::Class(class) = values::parts(self.sets.at(at)).0 else { continue };
                    let itself = self.sets.single(Value::Class(class), Basis::Text);
                    self.call_sets(itself, &[], place);
                    for method in runs {
                        self.special_on(class, method, Basis::Text, &[], place);
                    }
                }
                if *gives { found } else { SetId::EMPTY }
            }
            ByText::Overrides(object) => {
                for &(name, value) in self.bodies.keywords(arguments.named()) {
                    if name != NONE {
                        let at = self.place_of(value);
                        self.write_setting(*object, self.bodies.names.text(NameId(name)), at);
                    }
                }
                SetId::EMPTY
            }
            ByText::Reads(object, variable) => self.setting_read(*object, variable, place),
            ByText::Keeps(object) => {
                for &(name, set) in &arguments.keywords {
                    let functions = self.only(set, |value| matches!(value, Value::Function(..) | Value::Bound(..)));
                    let functions = self.sets.weaken(functions, Basis::Element);
                    self.add(questions::named(*object, name), functions);
                }
                SetId::EMPTY
            }
            ByText::Imports => {
                let mut values = SetId::EMPTY;
                let Some(&written) = self.bodies.list(arguments.written()).first() else { return values };
                for text in self.texts_computed(written) {
                    let parts: Vec<&str> = text.split(['.', ':']).collect();
                    let targets = self.named_in_text(&parts);
                    let given = self.target_values(&targets, Basis::Text);
                    values = self.sets.union(values, given);
                }
                if values == SetId::EMPTY { self.loaded(arguments.first()) } else { values }
            }
            ByText::Kept(object) => {
                let written = self.bodies.list(arguments.written()).first();
                let name = written.and_then(|&written| self.bodies.text(written)).map(hash_name);
                name.map_or(SetId::EMPTY, |name| self.kept_at(*object, name))
            }
            ByText::SetsEnvironment => {
                if let &[variable, value, ..] = self.bodies.list(arguments.written()) {
                    self.set_environment(variable, value);
                }
                SetId::EMPTY
            }
        }
    }

    /// Says that the present entity refers to objects by a text.
    pub(crate) fn refer_by_text(&mut self, objects: SetId, kind: RelationshipKind, place: Place) {
        for at in self.sets.range(objects) {
            if let Value::Class(entity) | Value::Function(entity, 0) = values::parts(self.sets.at(at)).0 {
                self.by_rule("a framework finds the definition by this text", None, |this| {
                    this.edge(entity, kind, Basis::Text, place);
                });
            }
        }
    }

    /// The functions and classes that an argument is made of: `view`, `View.as_view("cart")`, `login_required(view)`.
    fn objects_given(&mut self, written: ExprId, calls: u32) -> SetId {
        let bodies = self.bodies;
        let set = self.quiet(|this| this.eval(written));
        let objects = self.only(set, |value| matches!(value, Value::Function(_, 0) | Value::Class(_)));
        if objects != SetId::EMPTY || calls == 0 {
            return objects;
        }
        let Some(&ExprKind::Call { callee, arguments, .. }) = bodies.kind(written) else { return SetId::EMPTY };
        let first = bodies.list(arguments).first();
        match first.map_or(SetId::EMPTY, |&inner| self.objects_given(inner, calls - 1)) {
            SetId::EMPTY => match bodies.kind(callee) {
                Some(&ExprKind::Attribute { base, .. }) => self.objects_given(base, calls - 1),
                _ => SetId::EMPTY,
            },
            objects => objects,
        }
    }

    // --- signals -----------------------------------------------------------------------------------------------

    /// `paid.connect(f)`, `paid.send(sender)`.
    pub(crate) fn signalled(&mut self, callees: SetId, callee: ExprId, arguments: &Arguments, place: Place) {
        let mut paths = self.sets.entries(callees).iter().filter_map(|&entry| match values::parts(entry).0 {
            Value::External(path) | Value::ExternalInstance(path) => rules().signal(path),
            _ => None,
        });
        let (Some(signal), Some(&ExprKind::Attribute { base, .. })) = (paths.next(), self.bodies.kind(callee)) else {
            return;
        };
        match signal {
            Signal::Connects(senders) => {
                let given = arguments.first();
                let functions = self.only(given, |value| matches!(value, Value::Function(_, 0) | Value::Bound(..)));
                let narrowed = self.argument(arguments, None, senders.keyword);
                let basis = if narrowed.is_some() { Basis::Element } else { Basis::Stored };
                self.connect(base, functions, basis);
                let (Some((classes, written)), Some(passes)) = (narrowed, senders.passes) else { return };
                let classes = match (self.bodies.text(written), senders.kind) {
                    (Some(text), Some(kind)) => {
                        let classes = self.named(kind, text);
                        self.refer_by_text(classes, RelationshipKind::References, self.place_of(written));
                        classes
                    }
                    _ => classes,
                };
                for at in self.sets.range(functions) {
                    let (Value::Function(function, _) | Value::Bound(function, _)) = values::parts(self.sets.at(at)).0
                    else {
                        continue;
                    };
                    if let Some(parameter) = self.parameter_named(function, passes) {
                        self.pass_instances(function, parameter, classes);
                    }
                }
            }
            Signal::Sends => {
                for entity in self.signals_named(base) {
                    let connected = self.read(questions::connected(entity));
                    let mut given = Arguments::of(&arguments.positional);
                    given.keywords.clone_from(&arguments.keywords);
                    let joined = Some((questions::connected(entity), entity));
                    self.by_rule("sending a signal calls what is connected to it", joined, |this| {
                        this.call_all(connected, &given, place)
                    });
                }
            }
            Signal::Receives => {}
        }
    }

    /// `@receiver(paid)`, `@receiver([paid, sent])`, `@paid.connect`.
    pub(crate) fn connect_decorated(&mut self, signal: Signal, decorator: ExprId) {
        let bodies = self.bodies;
        let (callee, arguments, keywords) = match bodies.expressions[decorator as usize].kind {
            ExprKind::Call { callee, arguments, keywords } => (callee, bodies.list(arguments), keywords.1),
            _ => (decorator, &[][..], 0),
        };
        let basis = if keywords == 0 { Basis::Stored } else { Basis::Element };
        let function = self.sets.single(Value::Function(self.entity, 0), basis);
        match (signal, bodies.kind(callee)) {
            (Signal::Connects(..), Some(&ExprKind::Attribute { base, .. })) => self.connect(base, function, basis),
            (Signal::Receives, _) => {
                let Some(&given) = arguments.first() else { return };
                let signals = self.written_items(given).unwrap_or(arguments.get(..1).unwrap_or_default());
                for &signal in signals {
                    self.connect(signal, function, basis);
                }
            }
            _ => {}
        }
    }

    fn connect(&mut self, signal: ExprId, functions: SetId, basis: Basis) {
        let functions = self.sets.weaken(functions, basis);
        for entity in self.signals_named(signal) {
            self.add(questions::connected(entity), functions);
        }
    }

    /// The variables that an expression names.
    fn signals_named(&mut self, expression: ExprId) -> Vec<EntityId> {
        let (_, heads) = self.quiet(|this| this.head(expression));
        let mut entities = Vec::new();
        for (target, _) in heads {
            if let Target::Entity(entity) = target
                && self.kind(entity) == Some(EntityKind::Variable)
            {
                entities.push(entity);
            }
        }
        entities
    }
}

/// The question what is called so, whatever the case.
pub(crate) fn name_key(kind: u64, name: &str) -> questions::Key {
    let name = name.rsplit(':').next().unwrap_or(name);
    questions::named(kind, hash_name(&name.to_lowercase()))
}
