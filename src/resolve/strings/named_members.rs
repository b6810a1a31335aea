//! Definitions and members that a string names, once the points-to sets say which string.

use crate::{
    model::{Basis, EntityFlags, EntityId, EntityKind, Position, UnresolvedReason},
    resolve::{
        interpret::{Interpreter, calls::arguments::MethodCall},
        names::Target,
        strings::dotted_names::{MAX_OBJECTS, PARTS},
        values::{self, Kinds, PartOfName, SetId, TextRole, Value, questions},
    },
};

/// `path.rsplit(".", 1)`, `".".join(parts[:-1])`: parts stand for the definition that the whole text names.
pub(crate) fn parts_of_texts(interpreter: &mut Interpreter<'_>, call: &MethodCall<'_>) -> SetId {
    let &MethodCall { receivers, method, arguments, .. } = call;
    match interpreter.solver.bodies.names.text(method) {
        "join" => interpreter.solver.sets.named_texts(arguments.first()),
        method if PARTS.contains(&method) => interpreter.texts_given(receivers),
        _ => SetId::EMPTY,
    }
}

impl Interpreter<'_> {
    /// The same, and parameters to which such a text is passed.
    pub(crate) fn texts_given(&mut self, set: SetId) -> SetId {
        let mut texts = self.solver.sets.named_texts(set);
        if !self.solver.sets.holds(set, Kinds::PARAMETERS) {
            return texts;
        }
        for at in self.solver.sets.range(set) {
            let entry = self.solver.sets.at(at);
            let (Value::Parameter(function, 0, index), basis) = values::parts(entry) else { continue };
            let one = self.solver.sets.of([entry]);
            let passed = self.expand_parameters(one);
            if self.solver.sets.named_texts(passed) != SetId::EMPTY {
                let text = self.solver.sets.single(Value::OfPassedText(function, TextRole::Itself, index), basis);
                texts = self.solver.sets.union(texts, text);
            }
        }
        texts
    }

    /// The paths of modules in a set, and parameters for which each call may pass one.
    pub(crate) fn paths_given(&mut self, set: SetId) -> SetId {
        let mut paths = values::Entries::new();
        for &entry in self.solver.sets.entries(set) {
            match values::parts(entry) {
                (Value::DottedName(_) | Value::OfPassedText(_, TextRole::Itself, _), _) => paths.push(entry),
                (Value::Parameter(function, 0, index), basis) => {
                    paths.push(values::entry(Value::OfPassedText(function, TextRole::Itself, index), basis));
                }
                _ => {}
            }
        }
        self.solver.sets.of(paths)
    }

    /// The definitions that texts name.
    pub(crate) fn objects_named_by(&mut self, set: SetId) -> SetId {
        let texts = self.texts_given(set);
        let mut objects = SetId::EMPTY;
        if self.solver.sets.entries(texts).len() > MAX_OBJECTS {
            return objects;
        }
        let is_one = self.solver.sets.entries(texts).len() == 1;
        let weakest = if is_one { Basis::Text } else { Basis::Choice };
        for at in self.solver.sets.range(texts) {
            let (text, basis) = values::parts(self.solver.sets.at(at));
            let object = match text {
                Value::DottedName(entity) => self.solver.object_named(entity, basis.max(weakest)),
                Value::OfPassedText(function, TextRole::Itself, index) => {
                    self.solver.sets.single(Value::OfPassedText(function, TextRole::Referent, index), basis)
                }
                _ => SetId::EMPTY,
            };
            objects = self.solver.sets.union(objects, object);
        }
        objects
    }

    /// `import_module(path)`: the modules of the definitions that texts name.
    pub(crate) fn modules_named_by(&mut self, set: SetId) -> SetId {
        let texts = self.expand_parameters(set);
        let texts = self.solver.sets.named_texts(texts);
        let mut modules = SetId::EMPTY;
        for at in self.solver.sets.range(texts) {
            let (Value::DottedName(entity), basis) = values::parts(self.solver.sets.at(at)) else { continue };
            if let Some((file, _)) = self.solver.look.place(entity) {
                let module = self.solver.sets.single(Value::Module(file), basis.max(Basis::Text));
                modules = self.solver.sets.union(modules, module);
            }
        }
        modules
    }

    /// `getattr(module, name)`: the definitions in these modules that texts name.
    pub(crate) fn members_named_by(&mut self, modules: SetId, names: SetId) -> SetId {
        let modules = self.solver.sets.only(modules, |value| matches!(value, Value::Module(_)));
        let texts = if modules == SetId::EMPTY { SetId::EMPTY } else { self.texts_given(names) };
        let mut inside = values::Entries::new();
        for at in self.solver.sets.range(texts) {
            let entry = self.solver.sets.at(at);
            let is_inside = match values::parts(entry).0 {
                Value::DottedName(entity) => self.solver.look.place(entity).is_some_and(|(file, _)| {
                    self.solver.sets.entries(modules).iter().any(|&entry| values::parts(entry).0 == Value::Module(file))
                }),
                _ => true,
            };
            if is_inside {
                inside.push(entry);
            }
        }
        let inside = self.solver.sets.of(inside);
        self.objects_named_by(inside)
    }

    /// The result of an import by a text; classes and functions stay as they are.
    pub(crate) fn loaded(&mut self, given: SetId) -> SetId {
        let named = self.objects_named_by(given);
        let is_text = named != SetId::EMPTY;
        let objects = self.solver.sets.only(given, |value| match value {
            Value::Class(_) | Value::Function(..) => true,
            // A parameter with a text stands for its referent, see `of_text_passed`.
            Value::Parameter(..) => !is_text,
            _ => false,
        });
        self.solver.sets.union(named, objects)
    }

    /// A text, or its referent, for these values of the parameter.
    pub(crate) fn of_text_passed(&mut self, passed: SetId, role: TextRole) -> SetId {
        match role {
            TextRole::Itself => self.texts_given(passed),
            TextRole::Referent => self.loaded(passed),
        }
    }

    /// The members of objects whose name has one of these beginnings. Too many derived classes make the call
    /// unresolved.
    pub(crate) fn read_members_with_prefix(
        &mut self,
        objects: SetId,
        beginnings: &[PartOfName],
        place: Position,
    ) -> SetId {
        let objects = self.expand_parameters(objects);
        let (mut entries, mut is_known) = (values::Entries::new(), true);
        let mut read = SetId::EMPTY;
        for at in self.solver.sets.range(objects) {
            let (object, _) = values::parts(self.solver.sets.at(at));
            let (Value::Instance(class) | Value::Class(class)) = object else { continue };
            is_known &= self.solver.read(questions::subclasses(class)) != SetId::TOP;
            for &beginning in beginnings {
                let members = self.solver.methods_with_prefix(class, beginning);
                for &(method, _) in &members {
                    self.solver.emit_reference(Target::Entity(method), Basis::Text, place, None);
                }
                if !members.is_empty() {
                    entries.push(values::entry(Value::MethodsByPrefix(class, beginning), Basis::Text));
                }
                if matches!(object, Value::Instance(_)) {
                    let values = self.read_attributes_with_prefix(class, beginning, place);
                    read = self.solver.sets.union(read, values);
                }
            }
        }
        if !is_known {
            self.solver.emit_unresolved("getattr", place, UnresolvedReason::DynamicName, "", None);
        }
        let methods = self.solver.sets.of(entries);
        self.solver.sets.union(methods, read)
    }

    /// Reads the properties and attributes of an object that fit a beginning.
    fn read_attributes_with_prefix(&mut self, class: EntityId, beginning: PartOfName, place: Position) -> SetId {
        let mut values = SetId::EMPTY;
        for (member, receiver, name) in self.solver.members_with_prefix(class, beginning) {
            let is_read = match self.solver.look.kind(member) {
                Some(EntityKind::Property) => {
                    let flags = self.solver.look.flags(member);
                    !flags.has(EntityFlags::SETTER) && !flags.has(EntityFlags::DELETER)
                }
                kind => kind == Some(EntityKind::Variable),
            };
            if is_read {
                self.solver.emit_reference(Target::Entity(member), Basis::Text, place, None);
                let found = self.attribute_of(Value::Instance(receiver), Basis::Text, &name, place);
                values = self.solver.sets.union(values, found.set);
            }
        }
        self.solver.sets.weaken(values, Basis::Text)
    }
}
