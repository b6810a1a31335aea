//! The driver of rounds: a group of files is resolved together, one round after the other.
//!
//! Values pass from file to file in the answers that files publish. In round `n` a file reads the answers that were
//! published in rounds before `n` and runs the statements that depend on new ones. Then it publishes its delta: the
//! answers that grew. No file sees an answer of the round under way, so neither the order of files nor threads change a
//! result. After [`ROUNDS`] rounds each file is finished: nobody reads the answers of the last round.
//!
//! A full build, an update and an explanation differ in the files of the group and in the place of the answers.

pub(crate) mod file;

use std::{borrow::Borrow, ops::RangeInclusive};

use crate::{
    facts::Bodies,
    model::Answer,
    resolve::{Definitions, FileSolver, ROUNDS},
};

/// Files that are resolved together, and the place where their answers are published.
pub trait Group {
    /// The answers of all files in one round.
    type Answers;
    /// The result of the whole group.
    type Resolutions;
    type Error;

    /// Takes the files through `round` and returns the answers that grew; publishes none of them.
    ///
    /// # Errors
    /// When the stored facts or answers cannot be read.
    fn run(&mut self, round: u8) -> Result<Self::Answers, Self::Error>;

    /// Makes the answers of `round` visible to the rounds after it.
    ///
    /// # Errors
    /// When the stored answers cannot be read.
    fn publish(&mut self, round: u8, answers: Self::Answers) -> Result<(), Self::Error>;

    /// Takes the files through the last round and finishes them. This is one step so that a group can release the state
    /// of a file before it goes on to the next.
    ///
    /// # Errors
    /// When the stored facts or answers cannot be read.
    fn finish(self) -> Result<Self::Resolutions, Self::Error>;
}

/// Resolves a group of files through all rounds.
///
/// # Errors
/// The first error of the group.
pub fn rounds<G: Group>(mut group: G) -> Result<G::Resolutions, G::Error> {
    for round in 1..ROUNDS {
        let answers = group.run(round)?;
        group.publish(round, answers)?;
    }
    group.finish()
}

/// Takes one file through `rounds` and returns the answers that grew. Rounds without a delta for the file are left out,
/// and `bodies` is called for the others alone, because decoding costs time.
pub fn go_through<B: Borrow<Bodies>>(
    solver: &mut FileSolver,
    definitions: &dyn Definitions,
    rounds: RangeInclusive<u8>,
    mut bodies: impl FnMut() -> B,
) -> Vec<Answer> {
    let mut answers = Vec::new();
    for round in rounds {
        if let Some(delta) = solver.delta(definitions, round) {
            answers.extend(solver.round(definitions, bodies().borrow(), round, delta));
        }
    }
    answers
}
