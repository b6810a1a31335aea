//! repoidx answers "what breaks if I change this?" for Python repositories.

pub mod model;
