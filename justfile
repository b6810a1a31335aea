# The daily commands; `just` lists them. Each is one plain command, which CONTRIBUTING.md names too.

_list:
    @just --list

# The fast loop: resolution fixtures in memory, all or those with NAME in their name
fast NAME="":
    FIXTURE={{NAME}} cargo test --test it fixtures::occurrences

# Layers, file lengths, forbidden words
tidy:
    cargo test --test it tidy

# Run the examples of the documents again and rewrite their output
documents:
    UPDATE_EXPECT=1 cargo test --test it readme

# Rewrite all expected outputs; read the difference before you commit
update:
    UPDATE_EXPECT=1 cargo test

# Format
fmt:
    cargo fmt

# Lint
lint:
    cargo clippy --locked --all-targets -- -D warnings

# Everything that must pass before a change lands
ci:
    .ci/run

# Random histories: an update must equal a full build
slow:
    RUN_SLOW_TESTS=1 cargo test updates_in_any_order

# `impact` on the sample
demo *ARGS:
    sh fixtures/sample/demo.sh {{ARGS}}

# Time and allocations of each stage
bench:
    cargo bench --bench stages
