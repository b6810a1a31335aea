//! Understands a question: its words, names, subjects, intent and plan.

pub mod forms;
pub mod intent;
pub mod languages;
pub mod likeliest;
pub mod literals;
pub mod names;
pub mod patterns;
pub mod plan;
pub mod subjects;
pub mod words;
