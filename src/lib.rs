//! repoidx answers "what breaks if I change this?" for Python repositories.

pub mod doctor;
pub mod facts;
pub mod git;
pub mod hooks;
pub mod index;
pub mod lang;
pub mod model;
pub mod resolve;
pub mod store;
