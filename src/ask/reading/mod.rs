//! Understands a question: its words and names, the ways to read it, and the plan of the answer.
//!
//! `understand` is the way through. `forms.txt` has the words of each reading, with fitted weights.

pub mod commands;
pub mod filters;
pub mod forms;
pub mod languages;
pub mod likeliest;
pub mod literals;
pub mod names;
pub mod patterns;
pub mod plan;
pub mod subjects;
pub mod understand;
pub mod words;
