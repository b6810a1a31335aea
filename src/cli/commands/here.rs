//! `repoidx` without a command: where one stands, and what to do next.
//!
//! Looks and changes nothing: an index is neither built nor updated.

use crate::{
    cli::{
        Global,
        notes::Notes,
        session::{configuration, repository, screen},
    },
    error::Failure,
    hooks::{
        seed::has_index,
        state::{Installed, missing_program, states},
    },
    index,
    query::map::most_used::most_used,
    render::{
        status::start::{Example, IndexState, Start, text},
        to_stdout,
    },
};

pub(crate) fn run(global: &Global, notes: Notes) -> Result<(), Failure> {
    let Ok(repo) = repository(global) else {
        return to_stdout(|out| text(out, None, &crate::render::screen::Screen::default())).map_err(Failure::from);
    };
    let config = configuration(Some(&repo), notes)?;
    let mut start = Start { root: repo.root().unwrap_or(repo.git_dir()).display().to_string(), ..Start::default() };
    // Hooks that cannot be read are a matter for `doctor`.
    let hooks = states(&repo).unwrap_or_default();
    start.has_hooks = hooks.iter().any(|hook| matches!(hook.installed, Installed::Yes | Installed::InConfiguration));
    start.missing_hook_program = missing_program(&hooks).map(|program| program.display().to_string());
    if has_index(&repo) {
        start.index = match index::open(&repo).map(|store| (index::freshness(&repo, &store), store)) {
            Ok((Ok(freshness), store)) => {
                let has_commit = repo.head().ok().flatten().is_some();
                start.example = most_used(&store)?.map(|example| Example { name: example.name, has_commit });
                let counts = store.counts()?;
                IndexState::There { files: counts.files, entities: counts.entities, pending: freshness.pending.len() }
            }
            _ => IndexState::Unreadable,
        };
    }
    let screen = screen(global, &config, &repo);
    Ok(to_stdout(|out| text(out, Some(&start), &screen))?)
}
