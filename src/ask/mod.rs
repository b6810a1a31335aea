//! Answers questions in words, from the index first.
//!
//! A question becomes a plan (its subjects and its intent). The plan becomes an answer that needs no language model.
//! The context of the answer is chosen for a model within a budget. Nothing here sends or prints, and nothing knows a
//! provider.
//!
//! Reading order: `reading` understands the question (words, names, subjects, intent, plan). `answer` answers it.
//! `context` chooses the source for a prompt and removes secrets. `citations` checks a model's reply.

pub mod answer;
pub mod citations;
pub mod context;
mod hidden;
mod limited_secrets;
pub mod privacy;
pub mod reading;
