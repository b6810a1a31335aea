//! Overloads (PEP 484): a call returns the type of the first overload that its arguments fit.
//!
//! The relationship of the call leads to the implementation, because that is the code that runs.

use smallvec::SmallVec;

use crate::{
    facts::{bodies::ExprId, interface::ParameterKind},
    model::{Basis, EntityId},
    resolve::{
        containers::is_plain,
        interpret::{Interpreter, calls::arguments::BoundArguments},
        typing::{literal_arguments::Fit, type_parameters::is_mark},
        values::{self, SetId, Value, questions},
    },
};

impl Interpreter<'_> {
    /// Narrows the result of the implementation to the types that the fitting overloads declare. The whole result stays
    /// if there are no overloads, or if one that may fit declares no type.
    pub(crate) fn narrowed_by_overloads(
        &mut self,
        function: EntityId,
        bound: &BoundArguments,
        returned: SetId,
    ) -> SetId {
        let Some(declared) = self.declared_by_overloads(function, bound) else { return returned };
        let mut fits: SmallVec<[(Fit, values::Entry); 8]> = SmallVec::new();
        for at in self.solver.sets.range(returned) {
            let entry = self.solver.sets.at(at);
            let value = values::parts(entry).0;
            let mut best = Fit::No;
            for at in self.solver.sets.range(declared) {
                let wanted = values::parts(self.solver.sets.at(at)).0;
                best = best.max(self.solver.look.fit_of_values(value, wanted));
            }
            fits.push((best, entry));
        }
        // Where a value surely fits, values that only may fit belong to other calls.
        let best = fits.iter().map(|&(fit, _)| fit).max().unwrap_or(Fit::No);
        let kept = fits.into_iter().filter(|&(fit, _)| fit == best && fit != Fit::No).map(|(_, entry)| entry);
        let kept = self.solver.sets.of(kept);
        self.solver.sets.union(declared, kept)
    }

    fn declared_by_overloads(&mut self, function: EntityId, bound: &BoundArguments) -> Option<SetId> {
        let mut given = None;
        for overload in self.solver.look.overloads(function) {
            let fit = self.fit(function, overload, bound);
            if fit == Fit::No {
                continue;
            }
            let returned = self.solver.read(questions::returns(overload, 0));
            if returned == SetId::EMPTY {
                return None;
            }
            let of_overload = self.solver.look.bound_by_name(function, overload, bound);
            let returned = self.substitute(returned, overload, 0, &of_overload);
            given = Some(self.solver.sets.union(given.unwrap_or_default(), returned));
            if fit == Fit::Yes {
                break;
            }
        }
        given
    }

    /// `Literal["r", "w"]`: in an overload each of the literals, which calls that write one out are compared with.
    pub(crate) fn literals_of(&mut self, index: ExprId) -> SetId {
        let mut result = SetId::EMPTY;
        for item in self.solver.items(index) {
            let set = self.quiet(|this| this.eval(item));
            let set =
                if self.solver.is_in_overload() { set } else { self.solver.sets.only(set, |value| !is_plain(value)) };
            result = self.solver.sets.union(result, set);
            if let Some(literal) = self.solver.bodies.literal_written(item).filter(|_| self.solver.is_in_overload()) {
                let literal = self.solver.sets.single(Value::External(literal), Basis::Annotated);
                result = self.solver.sets.union(result, literal);
            }
        }
        result
    }

    /// Whether the arguments of the implementation fit an overload; parameters are paired by their names.
    fn fit(&mut self, function: EntityId, overload: EntityId, bound: &BoundArguments) -> Fit {
        let (Some(whole), Some(part)) =
            (self.solver.look.signature(function, 0), self.solver.look.signature(overload, 0))
        else {
            return Fit::Maybe;
        };
        let (whole_names, part_names) = (&whole.info.interface.names, &part.info.interface.names);
        let is_open = part
            .signature()
            .parameters
            .iter()
            .any(|parameter| matches!(parameter.kind, ParameterKind::Positionals | ParameterKind::Keywords));
        let mut fit = Fit::Yes;
        let mut paired = 0;
        for (index, parameter) in (0..).zip(&whole.signature().parameters) {
            let name = whole_names.hash(parameter.name);
            let same = (0..).zip(&part.signature().parameters).find(|(_, other)| part_names.hash(other.name) == name);
            let is_left_out = bound.is_left_out(index);
            let Some((position, other)) = same else {
                if !is_left_out && bound.passed(index) != SetId::EMPTY && !is_open {
                    return Fit::No;
                }
                continue;
            };
            paired += 1;
            // The receiver fits each overload of its method.
            if index == 0 && self.solver.look.enclosing_class(function).is_some() {
                continue;
            }
            if is_left_out {
                if !other.has_default {
                    return Fit::No;
                }
                continue;
            }
            let declared = self.solver.read(questions::parameter(overload, 0, position));
            let literal =
                bound.literals.iter().find(|&&(parameter, _)| parameter == index).map(|&(_, literal)| literal);
            let by_literal = self.solver.sets.fit_of_literals(literal, declared);
            // Declared literals stand among the types as names from outside; they are compared above.
            let declared = self.solver.sets.only(declared, |value| !matches!(value, Value::External(_)));
            fit = fit.min(by_literal.unwrap_or_else(|| self.fit_of_sets(bound.passed(index), declared)));
            if fit == Fit::No {
                return fit;
            }
        }
        // The implementation takes the other parameters of the overload by `*args` or `**kwargs`, unseen here.
        if paired < part.signature().parameters.len() { fit.min(Fit::Maybe) } else { fit }
    }

    fn fit_of_sets(&mut self, passed: SetId, declared: SetId) -> Fit {
        if declared == SetId::EMPTY {
            return Fit::Yes;
        }
        let passed = self.expand_parameters(passed);
        let passed = self.solver.sets.only(passed, |value| !is_mark(value));
        let declared = self.solver.sets.only(declared, |value| !is_mark(value));
        if passed == SetId::EMPTY || passed == SetId::TOP || declared == SetId::TOP {
            return Fit::Maybe;
        }
        let (mut weakest, mut strongest) = (Fit::Yes, Fit::No);
        for at in self.solver.sets.range(passed) {
            let value = values::parts(self.solver.sets.at(at)).0;
            let mut best = Fit::No;
            for at in self.solver.sets.range(declared) {
                let wanted = values::parts(self.solver.sets.at(at)).0;
                best = best.max(self.solver.look.fit_of_values(value, wanted));
            }
            weakest = weakest.min(best);
            strongest = strongest.max(best);
        }
        if weakest == strongest { weakest } else { Fit::Maybe }
    }
}
