//! Direct references, definitions and trees: the answers that take one step.

pub mod cycles;
pub mod imports;
pub mod instance_hash;
pub mod leaves;
pub mod lines;
pub mod naming;
pub mod occurrences;
pub mod outside;
pub mod refs;
pub mod resolution_order;
pub mod sections;
pub mod show;
pub mod tree;
