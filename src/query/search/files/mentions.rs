//! Files that a text names outright: by their path, in a traceback, by a message that they have.

use rustc_hash::FxHashMap;

use super::FileRun;
use crate::{
    facts::literals::LiteralKind,
    model::FileId,
    query::search::fields::literals,
    store::{Store, error::StoreError},
    texts::long::LongText,
};

/// More files than this with one name, or with one message, are told apart by nothing.
const FEW: usize = 3;
const FEW_WITH_MESSAGE: usize = 5;
/// Messages that are looked up.
const MESSAGES: usize = 2;

/// By file: named by its path, in a traceback, with a message.
pub(super) struct Mentions {
    pub(super) of: Vec<[f64; 3]>,
}

impl Mentions {
    pub(super) fn of(store: &Store, runs: &[FileRun], text: &LongText) -> Result<Self, StoreError> {
        let mut of = vec![[0.0_f64; 3]; runs.len()];
        let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, run) in runs.iter().enumerate() {
            by_name.entry(run.path.rsplit('/').next().unwrap_or_default()).or_default().push(at);
        }
        for (column, paths) in [&text.paths, &text.frames].into_iter().enumerate() {
            for path in paths {
                let meant = meant(path, runs, &by_name);
                for at in &meant {
                    of[*at][column] = of[*at][column].max(share(meant.len()));
                }
            }
        }
        if text.messages.is_empty() {
            return Ok(Mentions { of });
        }
        let code = runs.iter().enumerate().filter(|(_, run)| !run.is_document);
        let by_file: FxHashMap<FileId, usize> = code.map(|(at, run)| (run.file, at)).collect();
        let messages: Vec<&str> = text.messages.iter().take(MESSAGES).map(String::as_str).collect();
        for found in literals::fitting(store, &messages, LiteralKind::Text)? {
            let mut having: Vec<usize> =
                found.iter().filter_map(|literal| by_file.get(&literal.file)).copied().collect();
            having.retain(|at| !runs[*at].is_aside);
            having.sort_unstable();
            having.dedup();
            if having.len() <= FEW_WITH_MESSAGE {
                for at in &having {
                    of[*at][2] = of[*at][2].max(share(having.len()));
                }
            }
        }
        Ok(Mentions { of })
    }
}

/// The files with the longest common end of their path: at least a folder, or a name that few have.
fn meant(path: &str, runs: &[FileRun], by_name: &FxHashMap<&str, Vec<usize>>) -> Vec<usize> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some(files) = by_name.get(name) else { return Vec::new() };
    let common = |at: &usize| path.rsplit('/').zip(runs[*at].path.rsplit('/')).take_while(|(a, b)| a == b).count();
    let most = files.iter().map(common).max().unwrap_or(0);
    let meant: Vec<usize> = files.iter().copied().filter(|at| common(at) == most).collect();
    if most > 1 || meant.len() <= FEW { meant } else { Vec::new() }
}

#[expect(clippy::cast_precision_loss, reason = "few files")]
fn share(files: usize) -> f64 {
    1.0 / files.max(1) as f64
}
