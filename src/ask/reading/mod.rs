//! Understands a question: its words, names, subjects, intent and plan.

pub mod intent;
pub mod names;
pub mod plan;
pub mod subjects;
pub mod words;
