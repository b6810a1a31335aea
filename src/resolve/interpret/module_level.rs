//! Relationships of a module that stand in no function: of its variables, its exported names, its texts.

use crate::{
    facts::bodies::Stmt,
    model::{Basis, EntityId, EntityKind, Relationship, RelationshipKind, UnresolvedReason},
    resolve::{engine::Output, solver::Solver},
};

/// A rule for the end of a file: it emits relationships that follow from structure and texts alone.
type EndRule = fn(&mut Solver<'_>);

/// The rules are independent of each other: finishing the file sorts their relationships.
const AT_END: &[EndRule] = &[
    |solver| solver.overrides(),
    |solver| solver.text_references(),
    |solver| solver.exported_names(),
    |solver| solver.declarations(),
];

impl Solver<'_> {
    /// The relationships that follow from structure and texts alone, in place of the output so far.
    pub(crate) fn structural_relationships(&mut self) {
        self.engine.stand_before_all();
        self.output = Output::default();
        for rule in AT_END {
            rule(self);
        }
    }

    /// Makes `variable` the source of the module's output since `relationships` and `unresolved`: who uses the variable
    /// depends on the definitions that it was made of. Returns the references to definitions of this file that the
    /// statement passes on.
    pub(crate) fn attribute_to_variable(
        &mut self,
        variable: EntityId,
        by: &Stmt,
        (relationships, unresolved): (usize, usize),
    ) -> Vec<Relationship> {
        let module = self.look.own.id(0);
        let is_made = !matches!(by, Stmt::Expr(_));
        for relationship in &mut self.output.relationships[relationships..] {
            // A call on an existing object is the module's; only an assignment hands its calls to the variable.
            let is_its = is_made || relationship.kind != RelationshipKind::Calls;
            if relationship.source == module && relationship.target != variable && is_its {
                relationship.source = variable;
            }
        }
        for occurrence in &mut self.output.unresolved[unresolved..] {
            if occurrence.source == module && is_made {
                occurrence.source = variable;
            }
        }
        let is_passed_on = |edge: &&Relationship| {
            edge.kind == RelationshipKind::References
                && edge.source == variable
                && edge.basis != Basis::Text
                && self.look.is_own(edge.target)
        };
        self.output.relationships[relationships..].iter().filter(is_passed_on).copied().collect()
    }

    /// `app = Starlette(routes=[Route("/", f)])`, `cli.add_command(f)`: the definitions that a module passes to an
    /// object run when somebody uses the object.
    pub(crate) fn register_passed_on(&mut self, object: EntityId, references: &[Relationship]) {
        for edge in references {
            let place = (edge.line, edge.column);
            self.by_rule("an object runs what the module hands to it", None, |this| {
                this.emit_from(edge.target, object, RelationshipKind::Registers, edge.basis, place);
            });
        }
    }

    /// Strings that name code of the repository by its whole dotted name.
    fn text_references(&mut self) {
        let bodies = self.bodies;
        for reference in &bodies.texts {
            let parts: Vec<&str> = reference.text.split(['.', ':']).collect();
            self.entity = self.look.own.id(reference.entity);
            for target in self.look.named_in_text(&parts) {
                let Some(entity) = self.look.entity_of(target) else { continue };
                let place = (reference.line, reference.column);
                self.by_rule("a text that is the dotted name of a definition refers to it", None, |this| {
                    this.emit(entity, RelationshipKind::References, Basis::Text, place);
                });
                // A text above the line of its class stands in a decorator of the class.
                let record = &bodies.records[reference.entity as usize];
                if record.kind == EntityKind::Class
                    && reference.line < record.line
                    && let Some(&edge) = self.output.relationships.last()
                {
                    self.edges_of_tests(edge.source, edge);
                }
            }
        }
    }

    /// The strings of `__all__`.
    fn exported_names(&mut self) {
        let bodies = self.bodies;
        self.entity = self.look.own.id(0);
        for reference in &bodies.exports {
            let place = (reference.line, reference.column);
            let targets = self.look.member(self.look.own.file, &reference.text);
            if targets.is_empty() {
                self.emit_unresolved(&reference.text, place, UnresolvedReason::MissingMember, "", None);
            }
            for target in targets {
                if let Some(entity) = self.look.entity_of(target) {
                    self.by_rule("`__all__` hands on the definition of this name", None, |this| {
                        this.emit(entity, RelationshipKind::References, Basis::Text, place);
                    });
                }
            }
        }
    }
}
