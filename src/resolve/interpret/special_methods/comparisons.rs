//! Comparisons of two values: of the objects themselves, and of those in containers.

use crate::{
    facts::bodies::{ExprId, ExprKind},
    model::{Basis, Position},
    resolve::{
        interpret::Interpreter,
        library::known,
        values::{self, Kinds, SetId, Value},
    },
};

impl Interpreter<'_> {
    /// `left == right`: `__eq__` of the left side, else of the right side. A literal list, tuple or dict is compared
    /// object by object: no one else holds the objects that are made in it. Those of other containers are often the
    /// same on both sides, and Python does not compare an object in a container with itself.
    pub(crate) fn compare_equal(
        &mut self,
        left: (ExprId, SetId),
        right: (ExprId, SetId),
        names: &[&str],
        place: Position,
    ) {
        match names {
            [only] => {
                self.special(left.1, only, &[right.1], place);
            }
            _ => self.special_first(left.1, names, place),
        }
        let is_plain = |entry: &u64| {
            let plain = values::parts(*entry).0;
            matches!(plain, Value::ExternalInstance(class) if class != known::NONE_TYPE)
        };
        if self.expand_parameters(left.1) == SetId::EMPTY {
            // An unknown left side may leave the comparison to the right one.
            let asked = self.solver.sets.weaken(right.1, Basis::Element);
            self.special_first(asked, names, place);
        } else if self.solver.sets.entries(left.1).iter().all(is_plain) {
            self.special_first(right.1, names, place);
        }
        for written in [left.0, right.0] {
            self.compare_parts(written, place);
        }
    }

    /// `x in items`, `items.index(x)`: each element of a list is compared with the value sought. Where no element is
    /// known, the value's own method runs.
    pub(crate) fn compare_elements(&mut self, containers: SetId, wanted: SetId, place: Position) {
        if !self.solver.sets.holds(containers, Kinds::CONTAINERS.or(Kinds::PARAMETERS)) {
            return;
        }
        let containers = self.expand_parameters(containers);
        let is_list = |value| matches!(value, Value::Container(_, site) if !site.is_dict());
        let lists = self.solver.sets.only(containers, is_list);
        if lists == SetId::EMPTY {
            return;
        }
        let elements = self.elements(lists);
        if self.solver.sets.holds(elements, Kinds::INSTANCES) {
            self.special(elements, "__eq__", &[wanted], place);
        } else {
            let wanted = self.solver.sets.weaken(wanted, Basis::Element);
            self.special(wanted, "__eq__", &[], place);
        }
    }

    /// Compares the objects that are made in a literal, or in the arguments of a dataclass or named tuple.
    fn compare_parts(&mut self, written: ExprId, place: Position) {
        let bodies = self.solver.bodies;
        match bodies.kind(written) {
            Some(&(ExprKind::Sequence { items, .. } | ExprKind::Dict { items, .. })) => {
                for &item in bodies.list(items) {
                    self.compare_part(item, place);
                }
            }
            Some(&ExprKind::Call { arguments, keywords, .. }) => {
                let made = self.quiet(|this| this.eval(written));
                if self.is_compared_by_fields(made) {
                    let named = bodies.keywords(keywords).iter().map(|&(_, value)| value);
                    for argument in bodies.list(arguments).iter().copied().chain(named) {
                        self.compare_part(argument, place);
                    }
                }
            }
            _ => {}
        }
    }

    fn compare_part(&mut self, item: ExprId, place: Position) {
        if let Some(ExprKind::Call { .. }) = self.solver.bodies.kind(item) {
            let made = self.quiet(|this| this.eval(item));
            self.special(made, "__eq__", &[], place);
        }
        self.compare_parts(item, place);
    }
}
