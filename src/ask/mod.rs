//! Questions in words, answered from the index first.
//!
//! Goes in: a question, the index, the sources. Comes out: a plan (what is asked about what), an answer that needs no
//! language model, and what a language model should be shown within a budget. Sends nothing, prints nothing, and knows no
//! provider.
//!
//! Reading order: `words`, `names`, `subjects`, `intent` and `plan` understand the question; `answer` and the files it
//! calls answer it; `tokens`, `context` and `history` choose what a model sees; `secrets` and `citations` guard both ends.

pub mod answer;
pub mod citations;
pub mod context;
pub mod reading;
