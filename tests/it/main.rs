//! The integration tests: one binary, one module per subject.

#![expect(clippy::disallowed_methods, reason = "tests start programs and choose their environment")]

mod action;
mod agents;
mod answers;
mod as_typed;
mod as_written;
mod ask;
mod asked;
mod asked_lists;
mod bases;
mod browser;
mod budgets;
mod collected;
mod commands;
mod conditions;
mod directions;
mod documents;
mod editions;
mod embedders;
mod evidence;
mod exact_names;
mod expected;
mod explanations;
mod filters;
mod first_minute;
mod fixtures;
mod follow_ups;
mod from_outside;
mod frozen;
mod groups;
mod harness;
mod histories;
mod hooks;
mod impacts;
mod kinds_of_classes;
mod leaves;
mod library_names;
mod lines_and_parameters;
mod lookups;
#[cfg(feature = "mcp")]
mod mcp;
mod meant;
mod members;
mod model_server;
mod models;
mod names_and_places;
mod navigation;
mod numbered_lines;
mod own_changes;
mod own_pushes;
mod page;
mod parts_and_likeness;
mod parts_of_code;
mod passives;
mod pre_commit;
mod properties;
mod protocols;
mod pushes;
mod python_package;
mod questions;
mod readme;
mod registries;
mod removals;
mod requests_and_topics;
mod retrieval;
mod review_command;
mod reviews;
mod same_answers;
mod schemas;
mod screens;
mod secrets;
#[cfg(feature = "serve")]
mod serve;
mod several;
mod shape;
mod snapshot;
mod strictly;
mod suites;
mod tested;
mod tidy;
#[cfg(feature = "candle")]
mod token_counts;
mod twins;
mod verdicts;
mod withheld;
mod wordings;

/// A file that is not listed above would silently never run.
#[test]
fn every_test_file_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it");
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).expect("the tests' folder is there") {
        let name = entry.expect("the folder is readable").file_name().into_string().expect("names are UTF-8");
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") {
            assert!(main.contains(&format!("\nmod {module};")), "tests/it/main.rs does not list {module}");
        }
    }
}
