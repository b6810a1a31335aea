//! Context managers: what `with manager as x` runs and binds.

use crate::{
    model::Basis,
    resolve::{
        containers::constructors::is_manager,
        engine::{Solver, output::Place},
        frameworks::rules,
        questions,
        values::{self, SetId, Value},
    },
};

impl Solver<'_> {
    /// What `with manager as x` binds; calls `__enter__` and `__exit__`.
    pub(crate) fn enter(&mut self, manager: SetId, place: Place) -> SetId {
        let manager = self.concrete(manager);
        let manager = self.with_fitting(manager, &["__enter__", "__aenter__"]);
        let mut result = SetId::EMPTY;
        for at in self.sets.range(manager) {
            let entry = self.sets.at(at);
            let (value, basis) = values::parts(entry);
            let entered = match value {
                Value::Instance(class) => {
                    let mut entered = SetId::EMPTY;
                    for (enter, exit) in [("__enter__", "__exit__"), ("__aenter__", "__aexit__")] {
                        let given = self.special_among(class, manager, enter, basis, place);
                        entered = self.sets.union(entered, given);
                        self.special_on(class, exit, basis, &[], place);
                    }
                    if entered == SetId::EMPTY && self.look.inherited(class, "__enter__", None).is_none() {
                        // An outside base may do it: most return themselves.
                        let object = self.sets.of([entry]);
                        entered = self.with_arguments(object, manager);
                    }
                    entered
                }
                Value::Generator(function, lambda) => {
                    let yielded = self.read(questions::yields(function, lambda));
                    self.sets.weaken(yielded, Basis::Returned)
                }
                Value::ExternalInstance(hash) if rules().enters(hash) => self.sets.of([entry]),
                Value::Container(_, site) if is_manager(site) => {
                    let manager = self.sets.of([entry]);
                    self.elements(manager)
                }
                Value::Container(..) => self.sets.of([entry]),
                _ => SetId::EMPTY,
            };
            result = self.sets.union(result, entered);
        }
        result
    }
}
