//! How a question is read: words, names, intent, subjects, plan.

pub mod intent;
pub mod names;
pub mod plan;
pub mod refine;
pub mod subjects;
pub mod words;
