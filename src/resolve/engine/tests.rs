//! Tests of the engine with a toy language: units of copies between variables and named cells.

use super::{
    driver::{Parts, Program},
    *,
};
use crate::{
    facts::names::mix,
    model::{Basis, EntityId, RelationshipKind},
    resolve::values::Value,
};

/// One statement of the toy language. Variables are slots of the unit's environment, cells are named by a character.
#[derive(Clone, Copy)]
enum Statement {
    /// `slot = value`
    Make(u32, u32),
    /// `slot = cell`
    Load(u32, char),
    /// `cell += slot`
    Store(char, u32),
    /// Emits a relationship to each value of the slot.
    Emit(u32),
    /// Control ends here.
    Stop,
}
use Statement::{Emit, Load, Make, Stop, Store};

/// A file of the toy language.
struct Toy {
    units: Vec<Vec<Statement>>,
    engine: Engine,
    state: State,
    output: Output,
    sets: Sets,
    /// The answers of other files: the cell and its value.
    others: Vec<(char, u32)>,
    /// Units and steps that ran, in order; replayed ones are not among them.
    ran: Vec<(u32, usize)>,
}

/// Slots of each unit's environment.
const SLOTS: usize = 4;

fn key(cell: char) -> Key {
    mix(u64::from(u32::from(cell)))
}

impl Toy {
    fn new(units: &[&[Statement]]) -> Toy {
        let mut toy = Toy {
            units: units.iter().map(|unit| unit.to_vec()).collect(),
            engine: Engine::default(),
            state: State::default(),
            output: Output::default(),
            sets: Sets::default(),
            others: Vec::new(),
            ran: Vec::new(),
        };
        toy.engine.begin_round(toy.steps());
        toy.engine.prepare(0);
        toy
    }

    fn steps(&self) -> Steps {
        Steps::of_units(self.units.iter().map(Vec::len))
    }

    fn run(&mut self) -> Vec<(u32, usize)> {
        driver::run(self);
        std::mem::take(&mut self.ran)
    }

    /// The numbers of the values that a cell holds.
    fn values(&mut self, cell: char) -> Vec<u32> {
        let set = self.engine.peek(key(cell), &mut self.sets);
        numbers(&self.sets, set)
    }

    /// The targets of all relationships, sorted.
    fn emitted(&mut self) -> Vec<u32> {
        let mut targets: Vec<u32> =
            self.engine.take_output().0.iter().flatten().map(|relationship| relationship.target.0).collect();
        targets.sort_unstable();
        targets
    }
}

fn numbers(sets: &Sets, set: SetId) -> Vec<u32> {
    let values = sets.entries(set).iter().map(|&entry| crate::resolve::values::parts(entry).0);
    values.filter_map(|value| if let Value::Class(entity) = value { Some(entity.0) } else { None }).collect()
}

impl Program for Toy {
    fn parts(&mut self) -> Parts<'_> {
        Parts { engine: &mut self.engine, state: &mut self.state, output: &mut self.output }
    }

    fn begin_unit(&mut self, _: u32) {
        self.state.variables = SLOTS;
        self.state.environment.clear();
        self.state.environment.resize(SLOTS, SetId::EMPTY);
    }

    fn run_step(&mut self, unit: u32, step: usize) {
        self.ran.push((unit, step));
        if !self.state.is_alive {
            return;
        }
        match self.units[unit as usize][step] {
            Make(slot, value) => {
                self.engine.touch(slot, &self.state);
                self.state.environment[slot as usize] = self.sets.single(Value::Class(EntityId(value)), Basis::Scope);
            }
            Load(slot, cell) => {
                let others = &self.others;
                let set = self.engine.read(key(cell), &mut self.sets, |sets| answer_of(others, cell, sets));
                self.engine.touch(slot, &self.state);
                self.state.environment[slot as usize] = set;
            }
            Store(cell, slot) => {
                self.engine.touch(slot, &self.state);
                let set = self.state.environment[slot as usize];
                self.engine.add(key(cell), set, &mut self.sets);
            }
            Emit(slot) => {
                self.engine.touch(slot, &self.state);
                for target in numbers(&self.sets, self.state.environment[slot as usize]) {
                    self.output.relationships.push(Relationship {
                        source: EntityId(0),
                        target: EntityId(target),
                        kind: RelationshipKind::Calls,
                        basis: Basis::Scope,
                        line: 1,
                        column: 0,
                    });
                }
            }
            Stop => self.state.is_alive = false,
        }
    }

    fn end_unit(&mut self, _: u32) {}
}

fn answer_of(others: &[(char, u32)], cell: char, sets: &mut Sets) -> SetId {
    let mut all = SetId::EMPTY;
    for &(_, value) in others.iter().filter(|(other, _)| *other == cell) {
        let one = sets.single(Value::Class(EntityId(value)), Basis::Scope);
        all = sets.union(all, one);
    }
    all
}

#[test]
fn a_value_flows_through_cells_whatever_the_order_of_units() {
    let read: &[Statement] = &[Load(0, 'b'), Emit(0)];
    let copy: &[Statement] = &[Load(0, 'a'), Store('b', 0)];
    let write: &[Statement] = &[Make(0, 7), Store('a', 0)];
    for units in [[read, copy, write], [write, copy, read], [copy, read, write]] {
        let mut toy = Toy::new(&units);
        toy.run();
        assert_eq!(toy.values('b'), [7]);
        assert_eq!(toy.emitted(), [7]);
    }
}

#[test]
fn a_circle_of_cells_reaches_its_end() {
    let mut toy =
        Toy::new(&[&[Load(0, 'a'), Store('b', 0)], &[Load(0, 'b'), Store('a', 0), Make(1, 3), Store('a', 1)]]);
    toy.run();
    assert_eq!((toy.values('a'), toy.values('b')), (vec![3], vec![3]));
}

#[test]
fn only_steps_that_find_something_new_run_again() {
    let mut toy = Toy::new(&[&[Make(1, 1), Load(0, 'a'), Emit(0), Emit(1)], &[Make(0, 2), Store('a', 0)]]);
    let ran = toy.run();
    // The first unit runs as a whole. Then its load and the step behind it run, since the slot has another set now.
    assert_eq!(ran, [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (0, 1), (0, 2)]);
    // A replayed step emits its relationships again.
    assert_eq!(toy.emitted(), [1, 2]);
}

#[test]
fn steps_behind_an_end_of_control_do_nothing_and_replay_so() {
    let mut toy = Toy::new(&[&[Load(0, 'a'), Stop, Emit(0)], &[Make(0, 5), Store('a', 0)]]);
    toy.run();
    assert_eq!(toy.emitted(), [] as [u32; 0]);
}

#[test]
fn an_imported_delta_runs_the_readers_alone() {
    let mut toy = Toy::new(&[&[Load(0, 'x'), Store('y', 0)], &[Make(0, 1), Emit(0)]]);
    toy.run();
    assert_eq!(toy.engine.publish(1, &toy.sets), []);
    toy.engine.end_round(false);

    toy.others.push(('x', 9));
    toy.engine.begin_round(toy.steps());
    let imported = answer_of(&toy.others, 'x', &mut toy.sets);
    toy.engine.import(key('x'), imported);
    assert_eq!(toy.run(), [(0, 0), (0, 1)]);
    let published = toy.engine.publish(2, &toy.sets);
    assert_eq!(published.iter().map(|answer| (answer.key, answer.level)).collect::<Vec<_>>(), [(key('y'), 2)]);
    // A delta is published once.
    assert_eq!(toy.engine.publish(3, &toy.sets), []);
}

#[test]
fn a_cell_is_asked_of_other_files_once() {
    let mut toy = Toy::new(&[&[Load(0, 'x'), Emit(0)], &[Load(0, 'x'), Emit(0)]]);
    toy.others.push(('x', 4));
    toy.run();
    toy.others.push(('x', 5));
    assert_eq!(toy.values('x'), [4]);
    assert_eq!(toy.engine.asked().collect::<Vec<_>>(), [key('x')]);
}
