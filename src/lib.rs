//! repoidx answers "what breaks if I change this?" for Python repositories.
//!
//! Data goes two ways, and a stage never calls one before it:
//!
//! - **Update**: `git` names the changed files, `lang` turns their bytes into facts, `resolve` turns facts into
//!   relationships, `texts` and `embed` make words and vectors, `store` keeps all of it. `index` drives this way.
//! - **Answer**: `query` reads the store from a target to a report of plain structs, and `render` prints it.
//!
//! CONTRIBUTING.md has a recipe for each kind of change. Modules, in the order in which to read them:
//!
//! - [`model`]: entities, relationships, their kinds and probabilities; names that Python's conventions give a meaning.
//! - [`facts`]: the interface and the lowered code of one file, as plain data.
//! - [`lang`]: from bytes to facts, one folder a language. The only user of tree-sitter.
//! - [`resolve`]: from facts to relationships, one file at a time; `frameworks/rules` has what it knows of libraries.
//! - [`store`]: the index, one SQLite file. The only user of SQL.
//! - [`git`]: commits, differences and the files of the worktree, by libgit2 or the git command.
//! - [`index`]: builds the index, updates it, and explains an occurrence by resolving its file once more.
//! - [`query`]: impact and the boundaries of its answers, references, candidates, search, context, map.
//! - [`review`]: compares two states of a repository and judges each place that refers to a change.
//! - [`texts`], [`embed`]: chunks of source with their words, and their vectors; secrets that a text must not show.
//! - [`ask`]: from a question in words to a plan, an answer, and a context for a language model.
//! - [`llm`], [`prompt`]: clients of language models, and the templates of prompts and pages.
//! - [`render`]: reports as text, JSON, Markdown, pages, SARIF, SCIP. The only writer of standard output.
//! - [`tools`]: seven questions for programs that talk to language models, each a text within a budget.
//! - [`agents`]: what the hooks of coding agents call, and the entries that set agents up.
//! - [`mcp`]: these tools for coding agents, by the Model Context Protocol.
//! - [`serve`]: the same answers as pages in a browser on this machine.
//! - [`cli`]: options and commands, a file for each of them in `commands`.
//! - [`hooks`], [`doctor`], [`config`], [`error`]: the rest of the edge of the process.
//!
//! Invariants, held by tests:
//!
//! - A module uses only modules below it, and an outside crate has one owner (`tests/it/tidy`).
//! - An update gives the same bytes as a build from nothing, and the same tree gives the same bytes.
//! - Facts depend on bytes alone. Resolution depends on facts and recorded questions alone.
//! - Bad source is data and no error. An unresolved occurrence is stored with its reason.
//! - A query changes nothing, and a hook never fails or delays a git command.
//!
//! Glossary:
//!
//! - *entity*: a module, class, function, method, property or variable with a name; a *definition* is its source.
//! - *scope*: a part of the source in which a name is bound: module, class, function, lambda, comprehension.
//! - *occurrence*: a place that names something; a *reference* is an occurrence that resolution gave a target.
//! - *relationship*: source entity → target entity, with a kind, a place and a *basis*, the step by which it was found.
//! - *candidate*: an unresolved occurrence that could mean a definition by its name; looked up on demand, never stored.
//! - *MRO*: the order in which Python looks for a member in a class and its bases.
//! - *points-to set*: the abstract values that an expression, a variable or an attribute can have; bounded in size.
//! - *cell*: the points-to set of one variable or answer of a file; the *engine* runs steps until no cell grows.
//! - *question*: a fact that resolution asked of another file, kept as a key; a new answer names the files to resolve.
//! - *round*: one pass over all files; a file imports the *deltas*, the answers that are new since the round before.
//! - *summary*: a function's answer to its callers, with parameters and *marks* as placeholders.
//! - *substitution*: the placeholders of a summary, replaced by the arguments of a call or the type of a receiver.
//! - *access path*: a variable with attributes or keys, `x.a` or `x["k"]`, about which a point of the code knows more.
//! - *narrowing*: the values that a test leaves in each branch.
//! - *dispatch*: the choice of the method that runs, by the class of the receiver; an override behind `self` is one.
//! - *chain*: relationships from an affected entity back to the target; the *walk* keeps the most probable one.
//! - *boundary*: a reason why an answer is a lower bound, such as unresolved occurrences or callers outside.

pub mod agents;
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
pub mod mcp;
pub mod model;
pub mod prompt;
pub mod query;
pub mod render;
pub mod resolve;
pub mod review;
pub mod serve;
pub mod store;
pub mod texts;
pub mod tools;
