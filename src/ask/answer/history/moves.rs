//! The names that files had before, and where files that are gone went.
//!
//! git follows the renames of one file, and those of no folder. So each commit that adds files below a path is looked
//! at for renames, and their sources are followed in the same way. Rounds and commits are bounded, and an answer says
//! where the bound ended it.

use crate::ask::answer::{
    AnswerInputs,
    history::{CommitLine, FORMAT, parsed},
};

/// Renames of renamed files that are followed.
const MAX_ROUNDS: usize = 12;
/// Commits of one round that are looked at: git compares all files that each of them adds and removes.
const MAX_ADDING: usize = 60;
/// Former names that are looked for in the history.
const MAX_NAMES: usize = 300;

/// The paths under which files stood before.
#[derive(Debug, Default)]
pub(super) struct FormerNames {
    pub paths: Vec<String>,
    /// Whether there may be more.
    pub is_cut_off: bool,
}

/// A file that is not here, with the commit that took it away.
#[derive(Debug)]
pub(super) struct LostFile {
    pub path: String,
    /// The commit that removed or renamed it.
    pub commit: CommitLine,
    /// The path that the commit gave it, and its path today, if it is here.
    pub renamed: Option<(String, Option<String>)>,
}

/// The former names of the files at or below these paths, without those under which another file stands now.
pub(super) fn former_names(reading: AnswerInputs, paths: &[String]) -> FormerNames {
    let mut former = FormerNames::default();
    let mut asked = paths.to_vec();
    for _ in 0..MAX_ROUNDS {
        if asked.is_empty() || former.paths.len() >= MAX_NAMES {
            break;
        }
        let most = (MAX_ADDING + 1).to_string();
        let adding = ["log", "--no-renames", "--diff-filter=A", "--format=%h", "-n", &most, "--"].into_iter();
        let adding: Vec<&str> = adding.chain(asked.iter().map(String::as_str)).collect();
        let adding = (reading.git)(&adding).unwrap_or_default();
        let ids: Vec<&str> = adding.lines().take(MAX_ADDING).collect();
        former.is_cut_off |= adding.lines().count() > ids.len();
        let is_known = |path: &String| paths.iter().chain(&former.paths).any(|known| is_within(path, known));
        let came = renames(reading, &ids).into_iter().filter(|(_, to)| asked.iter().any(|path| is_within(to, path)));
        let mut sources: Vec<String> = came.map(|(from, _)| from).filter(|from| !is_known(from)).collect();
        sources.sort_unstable();
        sources.dedup();
        let now = existing(reading, &sources);
        sources.retain(|path| !now.contains(path));
        former.paths.extend(sources.iter().cloned());
        asked = sources;
    }
    former.is_cut_off |= !asked.is_empty();
    former.paths.truncate(MAX_NAMES);
    former
}

/// The file of this path, or path end, that was here last.
pub(super) fn lost_file(reading: AnswerInputs, mention: &str) -> Option<LostFile> {
    let exact = removal(reading, &format!(":(literal){mention}"));
    let (path, commit) = exact.or_else(|| removal(reading, &format!(":(glob)**/{mention}")))?;
    let mut renamed = None;
    let (mut at, mut id) = (path.clone(), commit[0].clone());
    for _ in 0..MAX_ROUNDS {
        let Some((_, to)) = renames(reading, &[&id]).into_iter().find(|(from, _)| *from == at) else { break };
        let (first, _) = renamed.take().unwrap_or((to.clone(), None));
        if !existing(reading, std::slice::from_ref(&to)).is_empty() {
            renamed = Some((first, Some(to)));
            break;
        }
        renamed = Some((first, None));
        let Some((_, next)) = removal(reading, &format!(":(literal){to}")) else { break };
        (at, id) = (to, next[0].clone());
    }
    Some(LostFile { path, commit, renamed })
}

/// The last removal of a file that a pathspec names: its path, and the commit.
fn removal(reading: AnswerInputs, pathspec: &str) -> Option<(String, CommitLine)> {
    let log =
        ["log", "-n", "1", "--no-renames", "--diff-filter=D", "--name-only", FORMAT, "--date=short", "--", pathspec];
    let found = (reading.git)(&log)?;
    let commit = parsed(&found).into_iter().next()?;
    let path = found.lines().skip(1).find(|line| !line.is_empty())?;
    Some((path.to_owned(), commit))
}

/// The renames of commits, from a path to another.
fn renames(reading: AnswerInputs, ids: &[&str]) -> Vec<(String, String)> {
    if ids.is_empty() {
        return Vec::new();
    }
    let log = ["log", "--no-walk", "-M", "--diff-filter=R", "--name-status", "--format="].into_iter();
    let told = (reading.git)(&log.chain(ids.iter().copied()).collect::<Vec<_>>()).unwrap_or_default();
    let rename = |line: &str| {
        let (_, paths) = line.split_once('\t')?;
        let (from, to) = paths.split_once('\t')?;
        Some((from.to_owned(), to.to_owned()))
    };
    told.lines().filter_map(rename).collect()
}

/// Those of the paths at which the newest commit has a file.
fn existing(reading: AnswerInputs, paths: &[String]) -> Vec<String> {
    if paths.is_empty() {
        return Vec::new();
    }
    let listing = ["ls-tree", "-r", "--name-only", "--full-tree", "HEAD", "--"].into_iter();
    let listing: Vec<&str> = listing.chain(paths.iter().map(String::as_str)).collect();
    (reading.git)(&listing).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Whether a path is another one or lies below it.
fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
