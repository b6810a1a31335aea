//! Relationships of a module that stand in no function: of its variables, its exported names, its texts.

use crate::{
    facts::bodies::Stmt,
    model::{Basis, EntityId, EntityKind, Relationship, RelationshipKind, UnresolvedReason},
    resolve::interpret::Interpreter,
};

impl Interpreter<'_> {
    /// What the module said since then is said by its variable: who uses it depends on what it was made of, and on what
    /// its methods were given.
    pub(crate) fn say_for(&mut self, variable: EntityId, by: &Stmt, (relationships, unresolved): (usize, usize)) {
        let module = self.solver.look.own.id(0);
        let is_made = !matches!(by, Stmt::Expr(_));
        for relationship in &mut self.solver.output.relationships[relationships..] {
            let is_its = is_made || relationship.kind != RelationshipKind::Calls;
            if relationship.source == module && relationship.target != variable && is_its {
                relationship.source = variable;
            }
        }
        for occurrence in &mut self.solver.output.unresolved[unresolved..] {
            if occurrence.source == module && is_made {
                occurrence.source = variable;
            }
        }
        self.say_registered(variable, is_made, relationships);
    }

    /// `app = Starlette(routes=[Route("/", f)])`, `cli.add_command(f)`: what is handed to an object runs when somebody uses the
    /// object.
    fn say_registered(&mut self, object: EntityId, is_made: bool, relationships: usize) {
        let handed = |this: &Self, edge: &Relationship| {
            edge.kind == RelationshipKind::References
                && edge.source == object
                && edge.basis != Basis::Text
                && this.solver.look.is_own(edge.target)
        };
        let edges = &self.solver.output.relationships[relationships..];
        let edges: Vec<Relationship> = edges.iter().copied().filter(|edge| handed(self, edge)).collect();
        // What is given to its methods afterwards it is given to keep, whoever wrote its class.
        if edges.is_empty() || !(self.solver.is_made_outside(object) || !is_made && self.keeps_an_instance(object)) {
            return;
        }
        for edge in edges {
            let place = (edge.line, edge.column);
            self.by_rule("an object runs what the module hands to it", None, |this| {
                this.solver.emit_from(edge.target, object, RelationshipKind::Registers, edge.basis, place);
            });
        }
    }

    /// Strings that name code of the repository by its whole dotted name.
    pub(crate) fn text_references(&mut self) {
        let bodies = self.solver.bodies;
        for reference in &bodies.texts {
            let parts: Vec<&str> = reference.text.split(['.', ':']).collect();
            self.solver.entity = self.solver.look.own.id(reference.entity);
            for target in self.solver.look.named_in_text(&parts) {
                if let Some(entity) = self.solver.look.entity_of(target) {
                    let place = (reference.line, reference.column);
                    self.by_rule("a text that is the dotted name of a definition refers to it", None, |this| {
                        this.solver.emit(entity, RelationshipKind::References, Basis::Text, place);
                    });
                    // Above the class it stands in: in one of its decorators.
                    let record = &bodies.records[reference.entity as usize];
                    if record.kind == EntityKind::Class
                        && reference.line < record.line
                        && let Some(&edge) = self.solver.output.relationships.last()
                    {
                        self.solver.edges_of_tests(edge.source, edge);
                    }
                }
            }
        }
    }

    /// The strings of `__all__`.
    pub(crate) fn exported_names(&mut self) {
        let bodies = self.solver.bodies;
        self.solver.entity = self.solver.look.own.id(0);
        for reference in &bodies.exports {
            let place = (reference.line, reference.column);
            let targets = self.solver.look.member(self.solver.look.own.file, &reference.text);
            if targets.is_empty() {
                self.solver.emit_unresolved(&reference.text, place, UnresolvedReason::MissingMember, "", None);
            }
            for target in targets {
                if let Some(entity) = self.solver.look.entity_of(target) {
                    self.by_rule("`__all__` hands on the definition of this name", None, |this| {
                        this.solver.emit(entity, RelationshipKind::References, Basis::Text, place);
                    });
                }
            }
        }
    }
}
