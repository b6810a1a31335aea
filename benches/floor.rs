//! The floor of a full build: reads and parses every tracked Python file of a repository with tree-sitter, nothing
//! else.
//!
//! `cargo bench --bench floor -- REPO [THREADS]` prints one line.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program of its own: takes arguments, asks git, prints"
)]

use std::{env, fs, hint::black_box, process::Command, time::Instant};

use rayon::prelude::*;
use tree_sitter::Parser;

fn main() {
    // cargo itself adds options.
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let Some(repo) = arguments.first() else { return };
    let threads = arguments.get(1).map_or(2, |threads| threads.parse().expect("a number of threads"));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("the pool is not in use yet");
    let listed = Command::new("git").args(["-C", repo, "ls-files", "-z", "*.py", "*.pyi"]).output();
    let listed = String::from_utf8(listed.expect("git is installed").stdout).expect("paths are UTF-8");
    let paths: Vec<String> =
        listed.split('\0').filter(|path| !path.is_empty()).map(|path| format!("{repo}/{path}")).collect();
    let start = Instant::now();
    let parser = || {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_python::LANGUAGE.into()).expect("the grammar fits the linked tree-sitter");
        parser
    };
    let parse = |parser: &mut Parser, path: &String| {
        let Ok(source) = fs::read(path) else { return 0 };
        let tree = parser.parse(&source, None).expect("no time limit is set");
        black_box(tree.root_node().end_byte())
    };
    let bytes: usize = paths.par_iter().map_init(parser, parse).sum();
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = f64::from(u32::try_from(bytes >> 10).unwrap_or(u32::MAX)) / 1024.0;
    println!("{} files, {megabytes:.1} MiB, {seconds:.3} s, {:.1} MiB/s", paths.len(), megabytes / seconds);
}
