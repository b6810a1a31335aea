//! Stubs beside their modules: `m.pyi` declares types for the definitions of `m.py`.
//!
//! The declarations of a stub act as if they were annotations in the module. Each declaration and its definition also
//! depend on each other.

use smallvec::SmallVec;

use crate::{
    facts::bodies::{ScopeKind, VarId},
    model::{Basis, EntityId, EntityKind, FileId, Position, RelationshipKind},
    resolve::{
        names::{Lookup, Target, Targets, imports::parent},
        solver::Solver,
        values::{self, SetId, Sets, Value, questions},
    },
};

/// Mostly one; more where definitions are conditional.
type StubTargets = SmallVec<[EntityId; 1]>;

impl Lookup<'_> {
    /// The module that this file is the stub of.
    pub(crate) fn stubbed(&mut self) -> Option<FileId> {
        let path = self.own.path.clone();
        let stem = path.strip_suffix(".pyi")?;
        self.sibling(stem, |child| child.module)
    }

    /// The stub of this file.
    pub(crate) fn stub(&mut self) -> Option<FileId> {
        let path = self.own.path.clone();
        let stem = path.strip_suffix(".py")?;
        self.sibling(stem, |child| child.stub)
    }

    pub(crate) fn sibling(
        &mut self,
        stem: &str,
        chosen: fn(crate::resolve::Child) -> Option<FileId>,
    ) -> Option<FileId> {
        let name = stem.rsplit('/').next().unwrap_or(stem);
        let own = self.own.file;
        chosen(self.child(parent(stem), name)).filter(|&file| file != own)
    }

    /// An entity if it is a class, else the class of its name beside it: `Item = register(Item)`.
    pub(crate) fn class_named_as(&mut self, entity: EntityId) -> Option<EntityId> {
        self.with_entity(entity, |info, index| {
            let entities = &info.interface.entities;
            let own = entities.get(index as usize)?;
            let is_class = |head: &crate::facts::interface::EntityHead| {
                head.kind == EntityKind::Class && head.name == own.name && head.parent == own.parent
            };
            if is_class(own) {
                return Some(entity);
            }
            let index = entities.iter().position(is_class)?;
            Some(info.id(u32::try_from(index).ok()?))
        })
    }

    /// The targets of an entity's name in another module.
    pub(crate) fn same_in(&mut self, other: FileId, index: u32) -> StubTargets {
        let own = std::rc::Rc::clone(&self.own);
        let Some(head) = own.interface.entities.get(index as usize).filter(|_| index > 0) else {
            return StubTargets::new();
        };
        let name = own.interface.names.text(head.name);
        let targets = match head.parent {
            0 => self.member(other, name),
            parent => {
                let holders = self.same_in(other, parent);
                holders.into_iter().flat_map(|holder| self.own_member(holder, name)).collect()
            }
        };
        let entities = targets.into_iter().filter_map(|target| match target {
            Target::Entity(entity) => Some(entity),
            _ => None,
        });
        entities.collect()
    }
}

impl Solver<'_> {
    /// The definitions in the module that an entity of this stub declares.
    pub(crate) fn declared_by_stub(&mut self, entity: EntityId) -> StubTargets {
        let Some(module) = self.stubbed else { return StubTargets::new() };
        match self.look.place(entity) {
            Some((file, index)) if file == self.look.own.file => self.look.same_in(module, index),
            _ => StubTargets::new(),
        }
    }

    /// The class that a class statement of this file stands for: in a stub that of the module, if it has it.
    pub(crate) fn class_defined(&mut self, class: EntityId) -> EntityId {
        if self.stubbed.is_none() {
            return class;
        }
        let defined = self.declared_by_stub(class);
        defined.into_iter().find_map(|entity| self.look.class_named_as(entity)).unwrap_or(class)
    }

    /// The targets in the module of the stub's own names.
    pub(crate) fn defined_by(&mut self, targets: &Targets) -> Targets {
        let mut defined = Targets::new();
        for &target in targets {
            if let Target::Entity(entity) = target {
                defined.extend(self.declared_by_stub(entity).into_iter().map(Target::Entity));
            }
        }
        defined
    }

    /// A variable or attribute of a stub declares the values of the module's.
    pub(crate) fn declare(&mut self, variable: VarId, declared: SetId) {
        let info = &self.bodies.variables[variable as usize];
        let scope = &self.bodies.scopes[info.scope as usize];
        if scope.kind == ScopeKind::Class {
            let class = self.look.own.id(scope.entity);
            let class = self.class_defined(class);
            self.add(questions::attribute(class, self.bodies.names.hash(info.name)), declared);
        }
        if info.entity == crate::facts::bodies::NONE {
            return;
        }
        for defined in self.declared_by_stub(self.look.own.id(info.entity)) {
            match self.look.kind(defined) {
                Some(EntityKind::Variable) => self.declare_variable(defined, declared),
                Some(EntityKind::Property) => self.add(questions::returns(defined, 0), declared),
                _ => {}
            }
        }
    }

    pub(crate) fn declare_variable(&mut self, defined: EntityId, declared: SetId) {
        match self.look.enclosing_class(defined) {
            Some(class) => {
                let name = self.look.with_head(defined, |info, head| info.interface.names.hash(head.name));
                self.add(questions::attribute(class, name.unwrap_or_default()), declared);
            }
            None => self.add(questions::variable(defined), declared),
        }
    }

    /// A declaration in a stub and its definition in the module are one thing: each depends on the other.
    pub(crate) fn declarations(&mut self) {
        let Some(other) = self.stubbed.or_else(|| self.look.stub()) else { return };
        let own = std::rc::Rc::clone(&self.look.own);
        for (index, &source) in (0..).zip(&own.entities).skip(1) {
            let record = &self.bodies.records[index as usize];
            let place: Position = (record.line, record.column);
            for target in self.look.same_in(other, index) {
                if target != source {
                    self.emit_from(source, target, RelationshipKind::Declares, Basis::Import, place);
                }
            }
        }
    }
}

impl Sets {
    /// Renames the parameters in a set from the stub's function to the module's.
    pub(crate) fn renamed_for(&mut self, set: SetId, stub: EntityId, defined: EntityId) -> SetId {
        let entries = self.entries(set).iter().map(|&entry| match values::parts(entry) {
            (Value::Parameter(owner, 0, 0), basis) if owner == stub => {
                values::entry(Value::Parameter(defined, 0, 0), basis)
            }
            (Value::InstanceOfParameter(owner, 0, 0), basis) if owner == stub => {
                values::entry(Value::InstanceOfParameter(defined, 0, 0), basis)
            }
            _ => entry,
        });
        let entries: values::Entries = entries.collect();
        self.of(entries)
    }
}
