//! repoidx answers "what breaks if I change this?" for Python repositories.

pub mod ask;
pub mod cli;
pub mod config;
pub mod doctor;
pub mod embed;
pub mod error;
pub mod facts;
pub mod git;
pub mod hooks;
pub mod index;
pub mod lang;
pub mod llm;
pub mod model;
pub mod prompt;
pub mod query;
pub mod render;
pub mod resolve;
pub mod review;
pub mod store;
pub mod texts;
