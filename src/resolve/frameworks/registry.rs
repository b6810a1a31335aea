//! Objects found by a text, views found by a path, signals and settings: the lookups that frameworks do at run time.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE, Operator, Stmt},
        hash_name,
    },
    model::{Basis, EntityId, EntityKind, Position, RelationshipKind, Unresolved, UnresolvedReason},
    resolve::{
        frameworks::{
            registered_names::{MAX_WRAPPINGS, name_key},
            routes::{self, MAX_VIEWS, WITHOUT_PREFIX, ending, group_key, named, parts, unplaced},
            settings::SOME_OBJECT,
            tables::{
                registered::Signal,
                routes::{Requests, Route, RouteGroup},
                rules,
                texts::Effect,
            },
        },
        interpret::{
            Interpreter,
            calls::arguments::{Arguments, MethodCall},
        },
        library::known::NONE_TYPE,
        names::{Target, imports},
        values::{self, Kinds, SetId, Value, questions},
    },
};

/// `paid.connect(f)`, `paid.send(sender)`.
pub(crate) fn signal_call(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) {
    let &MethodCall { callees, callee, arguments, place, .. } = call;
    let mut paths = interpreter.solver.sets.entries(callees).iter().filter_map(|&entry| match values::parts(entry).0 {
        Value::External(path) | Value::ExternalInstance(path) => rules().signals.get(&path),
        _ => None,
    });
    let (Some(signal), Some(&ExprKind::Attribute { base, .. })) =
        (paths.next(), interpreter.solver.bodies.kind(callee))
    else {
        return;
    };
    match signal {
        Signal::Connects(senders) => {
            let given = arguments.first();
            let functions =
                interpreter.solver.sets.only(given, |value| matches!(value, Value::Function(_, 0) | Value::Bound(..)));
            let narrowed = interpreter.solver.bodies.argument(arguments, None, senders.sender.map(u64::from));
            let basis = if narrowed.is_some() { Basis::Element } else { Basis::Stored };
            interpreter.connect(base, functions, basis);
            let (Some((classes, written)), Some(passes)) = (narrowed, senders.passes) else { return };
            let classes = match (interpreter.solver.bodies.text(written), senders.kind) {
                (Some(text), Some(kind)) => {
                    let classes = interpreter.solver.named(kind.0, text);
                    interpreter.refer_by_text(
                        classes,
                        RelationshipKind::References,
                        interpreter.solver.bodies.place_of(written),
                    );
                    classes
                }
                _ => classes,
            };
            for at in interpreter.solver.sets.range(functions) {
                let (Value::Function(function, _) | Value::Bound(function, _)) =
                    values::parts(interpreter.solver.sets.at(at)).0
                else {
                    continue;
                };
                if let Some(parameter) = interpreter.solver.look.parameter_named(function, passes.0) {
                    interpreter.pass_instances(function, parameter, classes);
                }
            }
        }
        Signal::Sends => {
            for entity in interpreter.signals_named(base) {
                let connected = interpreter.solver.read(questions::connected(entity));
                let mut given = Arguments::of(&arguments.positional);
                given.keywords.clone_from(&arguments.keywords);
                let joined = Some((questions::connected(entity), entity));
                interpreter.by_rule("sending a signal calls what is connected to it", joined, |this| {
                    this.call_all(connected, &given, place)
                });
            }
        }
        Signal::Receives => {}
    }
}

impl Interpreter<'_> {
    /// Applies the effect of a call. The value belongs to the result of the call.
    pub(crate) fn apply_effect(&mut self, effect: &Effect, arguments: &Arguments, place: Position) -> SetId {
        match effect {
            Effect::Names(rule) => {
                let bodies = self.solver.bodies;
                let written = |at: usize| bodies.list(arguments.written()).get(at).copied();
                let Some((_, object)) =
                    self.solver.bodies.argument(arguments, Some(rule.position), rule.keyword.map(u64::from))
                else {
                    return SetId::EMPTY;
                };
                let name = self.solver.bodies.argument(arguments, None, Some(rule.name.0)).map(|(_, written)| written);
                let name: Option<&str> = name.and_then(|written| bodies.text(written));
                let pattern = rule.route.and_then(written).and_then(|route| bodies.text(route));
                if name.is_some() || pattern.is_some() {
                    let objects = self.objects_given(object, MAX_WRAPPINGS);
                    if let Some(name) = name {
                        self.solver.add(name_key(rule.kind.0, name), objects);
                    }
                    if let Some(ending) = pattern.and_then(|pattern| ending(pattern, 0)) {
                        self.solver.add_route(rule.kind.0, routes::ANY, &ending, objects);
                    }
                }
                SetId::EMPTY
            }
            Effect::Assigns { class, value, attribute } => {
                let [holders, held] =
                    [class, value].map(|&at| arguments.positional.get(at).copied().unwrap_or_default());
                let held = self.solver.sets.only(held, |value| matches!(value, Value::Class(_)));
                for at in self.solver.sets.range(holders) {
                    if let Value::Class(holder) = values::parts(self.solver.sets.at(at)).0 {
                        self.solver.add(questions::attribute(holder, *attribute), held);
                    }
                }
                SetId::EMPTY
            }
            Effect::Requests(rule, method) => {
                self.request(rule, method, arguments, place);
                SetId::EMPTY
            }
            Effect::Mounts(group) => {
                self.mount(group, arguments);
                SetId::EMPTY
            }
            Effect::LooksUp(rule) => {
                let Some((_, written)) =
                    self.solver.bodies.argument(arguments, Some(rule.position), rule.keyword.map(u64::from))
                else {
                    return SetId::EMPTY;
                };
                let second =
                    self.solver.bodies.list(arguments.written()).get(rule.position + 1).copied().filter(|_| rule.joins);
                let second = second.and_then(|second| self.solver.bodies.text(second));
                let mut found = SetId::EMPTY;
                for text in self.solver.texts_computed(written) {
                    let objects = match second {
                        Some(second) => self.solver.named(rule.kind.0, &format!("{text}.{second}")),
                        None => self.solver.view_named(rule.kind.0, &text),
                    };
                    found = self.solver.sets.union(found, objects);
                }
                // The reference stands where the text does, not at the call.
                let at = self.solver.bodies.place_of(written);
                self.refer_by_text(found, RelationshipKind::References, at);
                for at in self.solver.sets.range(found).filter(|_| !rule.runs.is_empty()) {
                    let Value::Class(class) = values::parts(self.solver.sets.at(at)).0 else { continue };
                    let itself = self.solver.sets.single(Value::Class(class), Basis::Text);
                    self.call_sets(itself, &[], place);
                    for method in &rule.runs {
                        self.special_on(class, method, Basis::Text, &[], place);
                    }
                }
                if rule.gives { found } else { SetId::EMPTY }
            }
            Effect::Overrides(object) => {
                for &(name, value) in self.solver.bodies.keywords(arguments.named()) {
                    if name != NONE {
                        let at = self.solver.bodies.place_of(value);
                        self.write_setting(*object, self.solver.bodies.names.text(NameId(name)), at);
                    }
                }
                SetId::EMPTY
            }
            Effect::Reads(object, variable) => self.solver.setting_read(*object, variable, place),
            Effect::Keeps(object) => {
                for &(name, set) in &arguments.keywords {
                    let functions =
                        self.solver.sets.only(set, |value| matches!(value, Value::Function(..) | Value::Bound(..)));
                    let functions = self.solver.sets.weaken(functions, Basis::Element);
                    self.solver.add(questions::named(*object, name), functions);
                }
                SetId::EMPTY
            }
            Effect::Imports => {
                let mut values = SetId::EMPTY;
                let Some(&written) = self.solver.bodies.list(arguments.written()).first() else { return values };
                let texts = self.solver.texts_computed(written);
                if texts.is_empty() {
                    let (loaded, mark) = (self.loaded(arguments.first()), self.solver.sets.anything());
                    return self.solver.sets.union(loaded, mark);
                }
                for text in texts {
                    let parts: Vec<&str> = text.split(['.', ':']).collect();
                    let targets = self.solver.look.named_in_text(&parts);
                    let given = self.solver.target_values(&targets, Basis::Text);
                    values = self.solver.sets.union(values, given);
                }
                if values == SetId::EMPTY { self.loaded(arguments.first()) } else { values }
            }
            Effect::Loads => self.solver.sets.anything(),
            Effect::Kept(object) => {
                let written = self.solver.bodies.list(arguments.written()).first();
                let name = written.and_then(|&written| self.solver.bodies.text(written)).map(hash_name);
                name.map_or(SetId::EMPTY, |name| self.solver.kept_at(*object, name))
            }
            Effect::SetsEnvironment => {
                if let &[variable, value, ..] = self.solver.bodies.list(arguments.written()) {
                    self.solver.set_environment(variable, value);
                }
                SetId::EMPTY
            }
        }
    }

    /// Says that the present entity refers to objects by a text.
    pub(crate) fn refer_by_text(&mut self, objects: SetId, kind: RelationshipKind, place: Position) {
        for at in self.solver.sets.range(objects) {
            if let Value::Class(entity) | Value::Function(entity, 0) = values::parts(self.solver.sets.at(at)).0 {
                self.by_rule("a framework finds the definition by this text", None, |this| {
                    this.solver.emit(entity, kind, Basis::Text, place);
                });
            }
        }
    }

    /// The functions and classes that an argument is made of: `view`, `View.as_view("cart")`, `login_required(view)`.
    fn objects_given(&mut self, written: ExprId, calls: u32) -> SetId {
        let bodies = self.solver.bodies;
        let set = self.quiet(|this| this.eval(written));
        let objects = self.solver.sets.only(set, |value| matches!(value, Value::Function(_, 0) | Value::Class(_)));
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

    /// `@receiver(paid)`, `@receiver([paid, sent])`, `@paid.connect`.
    pub(crate) fn connect_decorated(&mut self, signal: &Signal, decorator: ExprId) {
        let bodies = self.solver.bodies;
        let (callee, arguments, keywords) = match bodies.expressions[decorator as usize].kind {
            ExprKind::Call { callee, arguments, keywords } => (callee, bodies.list(arguments), keywords.1),
            _ => (decorator, &[][..], 0),
        };
        let basis = if keywords == 0 { Basis::Stored } else { Basis::Element };
        let function = self.solver.sets.single(Value::Function(self.solver.entity, 0), basis);
        match (signal, bodies.kind(callee)) {
            (Signal::Connects(..), Some(&ExprKind::Attribute { base, .. })) => self.connect(base, function, basis),
            (Signal::Receives, _) => {
                let Some(&given) = arguments.first() else { return };
                let signals = self.solver.written_items(given).unwrap_or(arguments.get(..1).unwrap_or_default());
                for &signal in signals {
                    self.connect(signal, function, basis);
                }
            }
            _ => {}
        }
    }

    fn connect(&mut self, signal: ExprId, functions: SetId, basis: Basis) {
        let functions = self.solver.sets.weaken(functions, basis);
        for entity in self.signals_named(signal) {
            self.solver.add(questions::connected(entity), functions);
        }
    }

    /// The variables that an expression names.
    fn signals_named(&mut self, expression: ExprId) -> Vec<EntityId> {
        let (_, referents) = self.quiet(|this| this.head(expression));
        let mut entities = Vec::new();
        for (target, _) in referents {
            if let Target::Entity(entity) = target
                && self.solver.look.kind(entity) == Some(EntityKind::Variable)
            {
                entities.push(entity);
            }
        }
        entities
    }

    /// `def init_app(self, app): app.manager = self`, `app.extensions["manager"] = self`: an unknown object keeps one
    /// of the repository.
    pub(crate) fn keep_on_some_object(&mut self, keeper: SetId, name: u64, set: SetId) {
        if !self.solver.sets.holds(keeper, Kinds::PARAMETERS) || !self.solver.sets.can_be_kept(set) {
            return;
        }
        let keeper = self.expand_parameters(keeper);
        let is_known = |&entry: &u64| {
            !matches!(
                values::parts(entry).0,
                Value::Unknown | Value::Parameter(..) | Value::ExternalInstance(NONE_TYPE)
            )
        };
        if !self.solver.sets.entries(keeper).iter().any(is_known) {
            let objects = self.expand_parameters(set);
            let objects = self.solver.sets.only(objects, |value| matches!(value, Value::Instance(_)));
            self.solver.add(questions::named(SOME_OBJECT, name), objects);
        }
    }

    /// `settings.NAME = …`, `override_settings(NAME=…)`.
    pub(crate) fn write_setting(&mut self, object: u64, name: &str, place: Position) {
        let Some(found) = self.solver.setting(object, name) else { return };
        for (target, _) in found.referents {
            if let Target::Entity(entity) = target {
                self.by_rule("an attribute of a framework's settings is the variable of its name", None, |this| {
                    this.solver.emit(entity, RelationshipKind::Writes, Basis::Text, place);
                });
            }
        }
    }

    /// The value of a module's variable beside its text: `AUTH_USER_MODEL = "shop.User"`. Mentions the modules that the
    /// variable lists: `INSTALLED_APPS = ["shop"]`.
    pub(crate) fn setting_assigned(&mut self, target: ExprId, value: ExprId, set: SetId) -> SetId {
        let bodies = self.solver.bodies;
        let Some(&ExprKind::Name { name, .. }) = bodies.kind(target) else { return set };
        let variable = bodies.names.hash(name);
        if let (Some(kind), Some(text)) = (rules().holds_name(variable), bodies.text(value)) {
            let named = self.solver.named(kind, text);
            self.refer_by_text(named, RelationshipKind::References, self.solver.bodies.place_of(value));
            return self.solver.sets.union(set, named);
        }
        if rules().lists_modules(variable) {
            self.mention_modules(value);
        }
        set
    }

    fn mention_modules(&mut self, list: ExprId) {
        let bodies = self.solver.bodies;
        match bodies.kind(list) {
            Some(&ExprKind::Sequence { items, .. }) => {
                for &item in bodies.list(items) {
                    self.mention_modules(item);
                }
            }
            Some(&ExprKind::Binary { operator: Operator::Add, left, right }) => {
                self.mention_modules(left);
                self.mention_modules(right);
            }
            // A text with dots is a reference wherever it stands.
            Some(&ExprKind::Text(name)) if !bodies.names.text(name).contains('.') => {
                let path = self.solver.look.own.path.clone();
                let found = self.solver.look.import(&path, 0, &[bodies.names.text(name)]);
                let imports::Found::Module(file) = found else { return };
                if let Some(module) = self.solver.look.entity_of(Target::Module(file)) {
                    self.by_rule("a framework's setting lists modules by their names", None, |this| {
                        this.solver.emit(
                            module,
                            RelationshipKind::References,
                            Basis::Text,
                            this.solver.bodies.place_of(list),
                        );
                    });
                }
            }
            _ => {}
        }
    }
}

impl Interpreter<'_> {
    /// `@app.route("/users/<int:id>")`: the present entity is the view of such paths.
    pub(crate) fn route(&mut self, rule: &Route, decorator: ExprId) {
        let bodies = self.solver.bodies;
        let Some(&ExprKind::Attribute { base, name: called }) =
            bodies.kind(self.solver.bodies.decorator_named(decorator))
        else {
            return;
        };
        let view = match self.solver.look.kind(self.solver.entity) {
            Some(EntityKind::Class) => Value::Class(self.solver.entity),
            _ => Value::Function(self.solver.entity, 0),
        };
        let view = self.solver.sets.single(view, Basis::Annotated);
        let groups: Vec<EntityId> = self.objects_named(base).0.into_iter().map(|(group, _)| group).collect();
        let name = self
            .solver
            .bodies
            .written_argument(decorator, None, rule.name.map(u64::from))
            .and_then(|name| bodies.text(name));
        let own = self
            .solver
            .look
            .with_head(self.solver.entity, |info, head| info.interface.names.text(head.name).to_owned());
        // A view without a name of its own goes by that of its function.
        if let Some(name) = name.map(str::to_owned).or(own) {
            self.solver.add(name_key(rule.kind.0, &name), view);
            for &group in &groups {
                self.solver.add(questions::view(group, hash_name(&name)), view);
            }
        }
        let pattern = self.solver.bodies.written_argument(decorator, Some(0), Some(rule.keyword.0));
        let Some(pattern) = pattern.and_then(|pattern| self.solver.pattern_written(pattern)) else { return };
        let count = parts(pattern).len();
        for method in self.solver.methods_answered(decorator, bodies.names.text(called)) {
            match ending(pattern, 0) {
                Some(ending) => self.solver.add_route(rule.kind.0, &method, &ending, view),
                // A pattern without a literal part cannot be found by its text, only by its group and number of
                // parts.
                None if rule.is_root => self.solver.add_route(rule.kind.0, &method, &named("", count), view),
                None => {
                    for &group in &groups {
                        self.solver.add(unplaced(group, &method, count), view);
                    }
                }
            }
        }
    }

    /// `pages = Blueprint("pages", __name__, url_prefix="/pages")`: the variable stands for a group of views.
    pub(crate) fn note_group(&mut self, variable: EntityId, statement: &Stmt) {
        let &(Stmt::Assign { value, .. } | Stmt::Annotated { value, .. }) = statement else { return };
        let Some(&ExprKind::Call { callee, .. }) = self.solver.bodies.kind(value) else { return };
        let callees = self.quiet(|this| this.head(callee).0);
        let Some(group) = self.solver.sets.outside_paths(callees).into_iter().find_map(|path| rules().groups.get(path))
        else {
            return;
        };
        let itself = self.solver.sets.single(Value::DottedName(variable), Basis::Text);
        let name = group.name.and_then(|position| self.solver.bodies.written_argument(value, Some(position), None));
        if let Some(name) = name.and_then(|name| self.solver.bodies.text(name)) {
            self.solver.add(group_key(group.kind.0, name), itself);
        }
        match self.solver.bodies.written_argument(value, None, Some(group.prefix.0)) {
            Some(prefix) => self.solver.place_views(variable, group.kind.0, Some(prefix)),
            None => self.solver.add(questions::unplaced(variable, WITHOUT_PREFIX), itself),
        }
    }

    /// `app.include_router(users, prefix="/users")`: the views of the group get the prefix, if it has none of its own.
    pub(crate) fn mount(&mut self, group: &RouteGroup, arguments: &Arguments) {
        let Some(&given) = self.solver.bodies.list(arguments.written()).first() else { return };
        let prefix = self.solver.bodies.argument(arguments, None, Some(group.prefix.0)).map(|(_, written)| written);
        for (object, _) in self.objects_named(given).0 {
            if self.solver.read(questions::unplaced(object, WITHOUT_PREFIX)) != SetId::EMPTY {
                self.solver.place_views(object, group.kind.0, prefix);
            }
        }
    }

    /// `client.get("/cart/3/")`, `client.get(reverse("cart"))`: runs the views.
    pub(crate) fn request(&mut self, rule: &Requests, method: &String, arguments: &Arguments, place: Position) {
        let keywords = const { [hash_name("path"), hash_name("url")] };
        let mut paths =
            keywords.into_iter().map(|keyword| self.solver.bodies.argument(arguments, Some(0), Some(keyword)));
        let Some((given, written)) = paths.find_map(|path| path) else { return };
        let is_view = |value: Value| matches!(value, Value::Function(_, 0) | Value::Class(_));
        let mut views = self.solver.sets.only(given, is_view);
        let mut is_known = true;
        for path in self.solver.paths_written(written) {
            let mut asked = self.solver.requested_views(rule, method, &path);
            is_known &= self.solver.sets.entries(asked).len() == 1;
            if self.solver.sets.entries(asked).len() > 1 {
                asked = self.solver.sets.weaken(asked, Basis::Choice);
            }
            if self.solver.sets.entries(asked).len() <= MAX_VIEWS {
                views = self.solver.sets.union(views, asked);
            }
        }
        if views == SetId::EMPTY || !is_known {
            self.solver.emit_unresolved(Unresolved::REQUEST, place, UnresolvedReason::DynamicName, "", None);
        }
        let views = self.solver.sets.weaken(views, Basis::Text);
        let functions = self.solver.sets.only(views, |value| matches!(value, Value::Function(..)));
        self.call_sets(functions, &[], place);
        self.refer_by_text(views, RelationshipKind::References, place);
        for at in self.solver.sets.range(views) {
            let Value::Class(class) = values::parts(self.solver.sets.at(at)).0 else { continue };
            for method in rule.runs.iter().chain([method]) {
                self.special_on(class, method, Basis::Text, &[], place);
            }
        }
    }
}
