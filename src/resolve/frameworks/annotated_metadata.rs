//! What stands beside a type and is run for what it is the type of: `Annotated[User, Depends(current_user)]`, `user: User = Depends()`.
//!
//! Goes in: the default of a parameter or the metadata of an annotation, and what is declared; a variable that is an alias of such
//! a type. Comes out: calls of the class that is declared, and, where the alias annotates something, the relationships that its
//! metadata would have there.

use crate::{
    facts::bodies::{ExprId, ExprKind, Stmt},
    model::{Basis, EntityId, EntityKind, RelationshipKind},
    resolve::{
        engine::Solver,
        frameworks::rules,
        library::known::{self, Known},
        names::Target,
        questions,
        values::{self, SetId, Value},
    },
};

/// What metadata says of functions and classes.
const SAID: [RelationshipKind; 2] = [RelationshipKind::Calls, RelationshipKind::References];

impl Solver<'_> {
    /// `pager: Pager = Depends()`: a call that a framework gives what is declared, where it is given nothing to call.
    pub(crate) fn call_declared(&mut self, written: ExprId, declared: SetId) {
        let Some(&ExprKind::Call { callee, .. }) = self.bodies.kind(written) else { return };
        let callees = self.quiet(|this| this.head(callee).0);
        let paths = self.outside_paths(callees);
        let mut callbacks = paths.iter().flat_map(|&path| rules().callbacks(path));
        let Some(rule) = callbacks.find(|rule| rule.is_declared) else { return };
        if self.written_argument(written, rule.position, rule.keyword).is_some() {
            return;
        }
        let mut classes = values::Entries::new();
        for &entry in self.sets.entries(declared) {
            if let (Value::Instance(class), basis) = values::parts(entry) {
                classes.push(values::entry(Value::Class(class), basis));
            }
        }
        let classes = self.sets.of(classes);
        let place = self.place_of(written);
        self.by_rule("a framework calls the class that is declared here", None, |this| {
            this.call_sets(classes, &[], place)
        });
    }

    /// `CurrentUser = Annotated[User, Depends(current_user)]`, which said these relationships, from `first` on: what it is to say
    /// where the variable annotates something.
    pub(crate) fn note_metadata(&mut self, alias: EntityId, statement: &Stmt, first: usize) {
        let &(Stmt::Assign { value, .. } | Stmt::Annotated { value, .. }) = statement else { return };
        let Some(&ExprKind::Subscript { base, index }) = self.bodies.kind(value) else { return };
        let (set, _) = self.quiet(|this| this.head(base));
        let is_annotated = |&path: &u64| known::known(path) == Some(Known::Annotated);
        let items = self.items(index);
        let Some((&typed, &[begin, ..])) =
            items.split_first().filter(|_| self.outside_paths(set).iter().any(is_annotated))
        else {
            return;
        };
        let declared = self.quiet(|this| this.annotation(typed));
        for &item in &items[1..] {
            self.call_declared(item, declared);
        }
        let begin = self.place_of(begin);
        for at in first..self.output.relationships.len() {
            let edge = self.output.relationships[at];
            if (edge.line, edge.column) < begin {
                // `Admin = Annotated[CurrentUser, Depends(check)]`
                for kind in SAID.into_iter().filter(|_| edge.kind == RelationshipKind::Reads) {
                    let said = self.read(questions::metadata(edge.target, kind as u8));
                    self.add(questions::metadata(alias, kind as u8), said);
                }
                continue;
            }
            let target = match self.kind(edge.target) {
                Some(EntityKind::Class) => Value::Class(edge.target),
                Some(kind) if kind.is_callable() => Value::Function(edge.target, 0),
                _ => continue,
            };
            if SAID.contains(&edge.kind) {
                let said = self.sets.single(target, edge.basis);
                self.add(questions::metadata(alias, edge.kind as u8), said);
            }
        }
    }

    /// What stands in the metadata of an alias counts as if it stood where the alias annotates something.
    pub(crate) fn say_metadata(&mut self, heads: &[(Target, Basis)], annotation: ExprId) {
        for &(target, basis) in heads {
            let Target::Entity(alias) = target else { continue };
            if self.kind(alias) != Some(EntityKind::Variable) {
                continue;
            }
            for kind in SAID {
                let said = self.read(questions::metadata(alias, kind as u8));
                for at in self.sets.range(said) {
                    let (Value::Class(entity) | Value::Function(entity, _), own) = values::parts(self.sets.at(at))
                    else {
                        continue;
                    };
                    let place = self.place_of(annotation);
                    self.by_rule("the alias has it in its metadata", None, |this| {
                        this.edge(entity, kind, basis.max(own), place);
                    });
                }
            }
        }
    }
}
