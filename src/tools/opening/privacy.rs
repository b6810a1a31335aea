//! Tells from the ignore files and the settings how private a repository is. The log of requests is read elsewhere.

use crate::{
    ask::privacy::Privacy,
    config::Config,
    git::{Repository, worktree::exclusions::EXCLUSION_FILES},
    index,
    store::Store,
    tools::{all_sources, exclusions},
};

/// The facts of answers about privacy, but for what was sent. A file that cannot be read counts as not there.
pub(crate) fn privacy(repo: &Repository, store: &Store, config: &Config) -> Privacy {
    let sources = all_sources(repo);
    let is_rule = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let rules = |file: &&str| Some(((*file).to_owned(), sources.text(file)?.lines().filter(is_rule).count()));
    let exclusions = exclusions(&sources);
    let files = store.files().unwrap_or_default().into_iter().map(|(_, file)| file.path);
    let documents = store.documents().unwrap_or_default().into_iter().map(|(_, document)| document.path);
    Privacy {
        rules: EXCLUSION_FILES.iter().filter_map(rules).collect(),
        ignored: index::ignored(repo).unwrap_or_default(),
        withheld: files.chain(documents).filter(|path| exclusions.has(path)).collect(),
        provider: config.text("provider").to_owned(),
        embeds_remotely: config.text("embedder") == "remote",
        sent: None,
    }
}
