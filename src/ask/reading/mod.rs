//! Understands a question: its words and names, the ways to read it, and the plan of the answer.
//!
//! `understand` is the way through. `forms` weighs the readings by lines that people wrote and by a model of the words.

pub mod commands;
pub mod filters;
pub mod follow_up;
pub mod forms;
pub mod languages;
pub mod likeliest;
pub mod literals;
pub mod names;
pub mod plan;
pub mod relations;
pub mod subjects;
pub mod understand;
pub mod words;
