//! The stages of an update, each by itself, on one made-up file and on packages of them.
//!
//! `cargo bench --bench stages`; a word behind `--` picks stages by name. Whole commands are timed by `commands.py`.

#![expect(clippy::disallowed_methods, reason = "a bench makes its own repository")]

use std::{fmt::Write as _, path::Path, process::Command};

use divan::{Bencher, black_box, counter::ItemsCount};
use repoidx::{
    embed::{Embedder, WordVectors},
    facts::{Bodies, FileFacts, Interface},
    git::Repository,
    index::{self, UpdateOptions, UpdateScope},
    lang::language_of,
    texts,
};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// About 1,000 lines: classes that derive from each other, methods that call, functions that pass values on.
fn source(number: usize) -> String {
    let mut text = format!("import os\nfrom part{} import Node0 as Other\n\n", (number + 1) % 20);
    for class in 0..50 {
        let base = if class == 0 { "Other".to_owned() } else { format!("Node{}", class - 1) };
        write!(
            text,
            "class Node{class}({base}):\n    \"\"\"Keeps a value.\"\"\"\n\n    def __init__(self, value=None):\n        \
             self.value = value\n        self.items = [value, {class}]\n\n    def total(self, limit=3):\n        \
             result = 0\n        for item in self.items:\n            if item:\n                result += step{class}(item, limit)\n        \
             return result\n\n\ndef step{class}(value, factor=2):\n    node = Node{class}(value)\n    \
             if factor > 1:\n        return node.total(factor - 1)\n    return os.path.join('a', str(node.value))\n\n\n"
        )
        .expect("a string takes everything");
    }
    text
}

fn facts() -> FileFacts {
    (language_of("part0.py").expect("Python is known").extract)(source(0).as_bytes())
}

#[divan::bench]
fn parse_and_lower(bencher: Bencher) {
    let (source, extract) = (source(0), language_of("part0.py").expect("Python is known").extract);
    bencher.bench(|| extract(black_box(source.as_bytes())));
}

#[divan::bench]
fn encode_facts(bencher: Bencher) {
    bencher.with_inputs(facts).bench_refs(FileFacts::encode);
}

#[divan::bench]
fn decode_bodies(bencher: Bencher) {
    let encoded = facts().encode();
    bencher.bench(|| Bodies::decode(black_box(&encoded.bodies)));
}

#[divan::bench]
fn decode_interface(bencher: Bencher) {
    let encoded = facts().encode();
    bencher.bench(|| Interface::decode(black_box(&encoded.interface)));
}

#[divan::bench]
fn split_words(bencher: Bencher) {
    let (source, facts) = (source(0), facts());
    bencher.bench(|| {
        let fields = texts::fields("part0.py", black_box(source.as_bytes()), &facts.bodies.records);
        fields.iter().map(texts::Chunk::of).collect::<Vec<_>>()
    });
}

/// Texts in, vectors of the word table out, with the splitting into words. Of the Python files below the folder that
/// `REPOIDX_BENCH_SOURCE` names, or of the made-up file.
#[divan::bench]
fn embed_chunks(bencher: Bencher) {
    let mut sources = Vec::new();
    match std::env::var_os("REPOIDX_BENCH_SOURCE") {
        Some(folder) => collect(folder.as_ref(), &mut sources),
        None => sources.push(source(0)),
    }
    let extract = language_of("part0.py").expect("Python is known").extract;
    let fields: Vec<texts::TextFields> = sources
        .iter()
        .flat_map(|text| texts::fields("part0.py", text.as_bytes(), &extract(text.as_bytes()).bodies.records))
        .collect();
    bencher
        .counter(ItemsCount::new(fields.len()))
        .bench_local(|| WordVectors::get().passages(black_box(&fields)).expect("the table is in the binary"));
}

/// The Python files below a folder.
fn collect(folder: &Path, sources: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|suffix| suffix == "py") {
            sources.extend(std::fs::read_to_string(&path));
        }
    }
}

/// Facts in, relationships out, on all cores; extraction included.
#[divan::bench(args = [1, 5, 20])]
fn analyze_files(bencher: Bencher, files: usize) {
    let files: Vec<(String, String)> = (0..files).map(|number| (format!("part{number}.py"), source(number))).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    bencher.bench(|| index::analyze(black_box(&files)));
}

/// One function of one file edited, the rest as it was.
#[divan::bench(args = [5, 20])]
fn update_one_file(bencher: Bencher, files: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let git = Command::new("git").args(["init", "--quiet"]).current_dir(&folder).status();
    assert!(git.expect("git is installed").success());
    for number in 0..files {
        std::fs::write(folder.path().join(format!("part{number}.py")), source(number)).expect("the folder is ours");
    }
    let repo = Repository::open(folder.path()).expect("it was just made");
    let update = || index::update(&repo, UpdateScope::Worktree, &UpdateOptions::default(), &()).expect("an index");
    update();
    let mut edit = 0;
    bencher
        .with_inputs(|| {
            edit += 1;
            let text = source(0) + &format!("def last():\n    return {edit}\n");
            std::fs::write(folder.path().join("part0.py"), text).expect("the folder is ours");
        })
        .bench_local_values(|()| update().resolved);
}
