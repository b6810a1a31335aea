//! What library code calls: functions that it is given, and methods of the classes that inherit from it.
//!
//! Goes in: a call of something outside the repository, or of a method on an instance. Comes out: calls of what it runs.
//! Which library does what stands in `rules`.

use crate::{
    facts::{
        NameId,
        bodies::{ExprId, ExprKind, NONE},
    },
    model::Basis,
    resolve::{
        engine::{Solver, output::Place},
        frameworks::{Gives, Passes, rules},
        interpret::calls::Arguments,
        names::Target,
        values::{self, PartOfName, SetId, Value},
    },
};

impl Solver<'_> {
    /// Calls what a call hands to library code, and makes instances of the classes that it names.
    ///
    /// Comes back: what the call gives of what those give.
    pub(crate) fn hand_over(&mut self, call: u64, arguments: &Arguments, place: Place) -> SetId {
        let sentence = "code outside the repository runs what it is handed here";
        self.by_rule(sentence, None, |this| this.run_handed(call, arguments, place))
    }

    fn run_handed(&mut self, call: u64, arguments: &Arguments, place: Place) -> SetId {
        let mut given_back = self.referred(call, arguments, place);
        self.instantiate_named(call, arguments, place);
        for rule in rules().by_text(call) {
            let given = self.done_by_text(rule, arguments, place);
            given_back = self.sets.union(given_back, given);
        }
        for callback in rules().callbacks(call) {
            let Some((set, written)) = self.argument(arguments, callback.position, callback.keyword) else { continue };
            let given = match callback.passes {
                Passes::Nothing => Arguments::default(),
                Passes::Rest => arguments.after(callback.position.map_or(0, |position| position + 1)),
                Passes::First | Passes::FirstTwice => {
                    let element = self.iterate(arguments.first(), place, 0);
                    let count = if callback.passes == Passes::First { 1 } else { 2 };
                    Arguments::of(&[element; 2][..count])
                }
                Passes::Elements | Passes::Second => {
                    let items = arguments.positional.get(1).copied().unwrap_or_default();
                    Arguments::of(&[self.iterate(items, place, 0)])
                }
                Passes::Arguments => {
                    let keyword = const { crate::facts::hash_name("args") };
                    let position = callback.position.map(|position| position + 1);
                    let given = self.argument(arguments, position, Some(keyword)).map_or(SetId::EMPTY, |(set, _)| set);
                    Arguments::of_elements(self.elements(given))
                }
            };
            let at = if written == NONE { place } else { self.place_of(written) };
            if !callback.members.is_empty() {
                self.call_members_of(set, &callback.members, at);
                continue;
            }
            let result = self.call_all(set, &given, at);
            let result = match callback.gives {
                Gives::Nothing => SetId::EMPTY,
                Gives::Result => result,
                Gives::Provided => {
                    let yielded = self.enter(result, at);
                    self.sets.union(result, yielded)
                }
                Gives::Held if result == SetId::EMPTY => result,
                Gives::Held => self.container_made(result, place, false),
            };
            given_back = self.sets.union(given_back, result);
        }
        given_back
    }

    /// Calls methods of objects, and of instances of classes, that library code calls.
    fn call_members_of(&mut self, objects: SetId, members: &[String], place: Place) {
        let objects = self.concrete(objects);
        for at in self.sets.range(objects) {
            let (Value::Instance(class) | Value::Class(class), basis) = values::parts(self.sets.at(at)) else {
                continue;
            };
            for member in members {
                self.special_on(class, member, basis, &[], place);
            }
        }
    }

    /// An argument by its keyword, else by its position, and where it is written.
    pub(crate) fn argument(
        &self,
        arguments: &Arguments,
        position: Option<usize>,
        keyword: Option<u64>,
    ) -> Option<(SetId, ExprId)> {
        let bodies = self.bodies;
        if let Some(&(hash, set)) = arguments.keywords.iter().find(|&&(name, _)| Some(name) == keyword) {
            let mut named = bodies.keywords(arguments.named()).iter();
            let written = named.find(|&&(name, _)| name != NONE && bodies.names.hash(NameId(name)) == hash);
            return Some((set, written.map_or(NONE, |&(_, value)| value)));
        }
        let set = *arguments.positional.get(position?)?;
        Some((set, bodies.list(arguments.written()).get(position?).copied().unwrap_or(NONE)))
    }

    /// An argument of a call by its keyword, else by its position, as it is written.
    pub(crate) fn written_argument(
        &self,
        call: ExprId,
        position: Option<usize>,
        keyword: Option<u64>,
    ) -> Option<ExprId> {
        let bodies = self.bodies;
        let &ExprKind::Call { arguments, keywords, .. } = bodies.kind(call)? else { return None };
        let mut named = bodies.keywords(keywords).iter();
        let named = named.find(|&&(name, _)| name != NONE && Some(bodies.names.hash(NameId(name))) == keyword);
        named.map(|&(_, value)| value).or_else(|| bodies.list(arguments).get(position?).copied())
    }

    /// `thread.start()`: library code that a class inherits runs methods of the class.
    pub(crate) fn run_members(&mut self, receivers: SetId, method: NameId, place: Place) {
        let method = self.bodies.names.hash(method);
        if !rules().runs_members(method) {
            return;
        }
        let receivers = self.concrete(receivers);
        for at in self.sets.range(receivers) {
            let (Value::Instance(class), basis) = values::parts(self.sets.at(at)) else { continue };
            for base in self.look.mro(class).externals.clone() {
                for member in rules().members_run(base, method) {
                    match member.strip_suffix('*').and_then(PartOfName::of) {
                        Some(beginning) => {
                            for (method, class) in self.family(class, beginning) {
                                let receiver = self.sets.single(Value::Instance(class), basis);
                                let targets = smallvec::smallvec![Target::Entity(method)];
                                self.call_members(&targets, receiver, &[], basis.max(Basis::Text), place);
                            }
                        }
                        None => {
                            self.special_on(class, member, basis.max(Basis::Text), &[], place);
                        }
                    }
                }
            }
        }
    }
}
