//! The session of a command: the repository, its up-to-date index, the settings and the screen.
//!
//! An index that cannot be updated is still read, and the user is told how old it is.

use std::{
    cell::RefCell,
    env,
    path::{Path, PathBuf},
};

use crate::{
    cli::{Global, notes::Notes, progress::Bar},
    config::{Config, ConfigError, ConfigTexts, user_folder},
    error::Failure,
    git::{Repository, worktree::exclusions::Exclusions},
    hooks::seed::has_index,
    index::{self, Freshness, Progress, UpdateOptions, UpdateReport, UpdateScope},
    prompt::Templates,
    query::{impact::completeness::Boundary, source::Sources, words::count},
    render::{
        escape::{MAX_LINE, visible, visible_path},
        screen::{Screen, When},
    },
    review::sources_of,
    store::{Store, read::Entity},
    tools::{self, exclusions_of},
};

/// Seconds of the longest wait that a setting can ask for.
pub(crate) const DAY: u64 = 24 * 60 * 60;
/// Largest file that is read for an answer, in bytes.
const MAX_SOURCE: u64 = 8 << 20;
/// Largest configuration file that is read, in bytes.
const MAX_CONFIG: u64 = 1 << 20;

/// Tokens of a prompt where the setting `tokens` is empty.
const USUAL_BUDGET: usize = 6000;
/// Changed files that a boundary names.
const MAX_PENDING: usize = 10;
/// Changed files that a note names.
const MAX_NAMED: usize = 4;

/// An open index with its repository.
pub(crate) struct Session {
    pub(crate) repo: Repository,
    pub(crate) store: Store,
    pub(crate) config: Config,
    pub(crate) screen: Screen,
    /// How far the index lags behind, if it does.
    pub(crate) staleness: Option<Boundary>,
    /// Files that have changed since, if the index lags behind; sorted.
    pub(crate) pending: Vec<String>,
    /// The user's folder, relative to the root.
    pub(crate) folder: String,
    /// The names of the command line that several definitions have, with those that the answer is not about.
    pub(crate) passed_over: RefCell<Vec<(String, Vec<Entity>)>>,
    pub(crate) notes: Notes,
    /// The files whose source the answers do not show; none unless they go to a language model.
    withheld: Option<Exclusions>,
}

impl Session {
    /// A path as typed, without the root: editors and shells give absolute paths.
    pub(crate) fn without_root<'p>(&self, path: &'p str) -> &'p str {
        let inside = self.repo.root().and_then(|root| Path::new(path).strip_prefix(root).ok());
        inside.and_then(Path::to_str).unwrap_or(path).trim_start_matches("./")
    }

    /// The path of an indexed file, given from the user's folder or from the root.
    pub(crate) fn file_path(&self, path: &str) -> Result<Option<String>, Failure> {
        let path = self.without_root(path);
        for path in [format!("{}/{path}", self.folder), path.to_owned()] {
            if self.store.file_id(&path)?.is_some() {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Whether a file has changed since it was indexed.
    pub(crate) fn has_changed(&self, path: &str) -> bool {
        self.pending.binary_search_by(|pending| pending.as_str().cmp(path)).is_ok()
    }

    /// Opens the repository and brings its index up to date.
    pub(crate) fn open(global: &Global, notes: Notes) -> Result<Session, Failure> {
        let repo = repository(global)?;
        let config = configuration(Some(&repo), notes)?;
        let staleness =
            if global.no_update || !config.flag("update") { None } else { catch_up(&repo, &config, notes)? };
        let store = index::open(&repo)?;
        let is_unchecked = global.no_update || !config.flag("update") || staleness.is_some();
        let pending = match is_unchecked {
            // An update that failed may not be the last thing that does.
            true if staleness.is_some() => index::freshness(&repo, &store).unwrap_or_default(),
            true => index::freshness(&repo, &store)?,
            false => Freshness::current(),
        };
        let staleness = match staleness {
            Some(reason) => Some(Boundary::new("stale", 1, reason)),
            None => lag(&pending, notes),
        };
        let pending = pending.pending;
        let screen = screen(global, &config, &repo);
        let folder = folder(&repo);
        Ok(Session {
            repo,
            store,
            config,
            screen,
            staleness,
            pending,
            folder,
            passed_over: RefCell::default(),
            notes,
            withheld: None,
        })
    }

    /// Withholds the source of the files that `.aiignore` names: the answers go to a language model.
    pub(crate) fn withhold(&mut self) -> Result<(), Failure> {
        let exclusions = exclusions_of(&self.repo);
        self.store.withhold(&|path| exclusions.has(path))?;
        let number = self.store.withheld_paths().count();
        if number > 0 {
            self.notes.note(&format!("an ignore file withholds the source of {}", count(number, "file")));
        }
        self.withheld = Some(exclusions);
        Ok(())
    }

    fn is_withheld(&self, path: &str) -> bool {
        self.withheld.as_ref().is_some_and(|exclusions| exclusions.has(path))
    }

    /// The current files; in a bare repository, those of the indexed commit. A file that has changed since it was
    /// indexed cannot be read: its lines would stand under the wrong names.
    pub(crate) fn sources(&self) -> Sources<'_> {
        if self.repo.root().is_none() {
            let indexed = self.store.meta("indexed").ok().flatten().unwrap_or_default();
            return sources_of(&self.repo, &indexed).without(|path| self.is_withheld(path));
        }
        Sources::new(|path| {
            if self.has_changed(path) || self.is_withheld(path) {
                return None;
            }
            let is_small = self.repo.stat(path).is_some_and(|stat| stat.size <= MAX_SOURCE);
            if is_small { self.repo.read(path).ok() } else { None }
        })
    }

    /// The same, with the files that have changed since the index was made as they were then, where the indexed commit
    /// has that content.
    pub(crate) fn indexed_sources(&self) -> Sources<'_> {
        let indexed = self.store.meta("indexed").ok().flatten().unwrap_or_default();
        let (now, then) = (self.sources(), sources_of(&self.repo, &indexed));
        Sources::new(move |path| {
            if !self.has_changed(path) || self.is_withheld(path) {
                return now.text(path).map(|text| text.as_bytes().to_vec());
            }
            let file = self.store.file(self.store.file_id(path).ok()??).ok()??;
            let text = then.text(path)?;
            (blake3::hash(text.as_bytes()) == file.content_hash).then(|| text.as_bytes().to_vec())
        })
    }
}

/// The templates, with the user's own ones.
pub(crate) fn templates() -> Templates {
    Templates::new(user_folder(variable).map(|folder| folder.join("templates")))
}

/// Characters of a line of source in a prompt or a context.
pub(crate) fn longest_line(config: &Config) -> usize {
    config.number("max_line").unwrap_or(MAX_LINE)
}

/// The budget of a prompt in tokens: from the command line, else from the settings.
pub(crate) fn budget(asked: Option<u32>, config: &Config) -> usize {
    asked.map(|tokens| tokens as usize).or(config.number("tokens")).unwrap_or(USUAL_BUDGET)
}

/// The repository that the options name.
pub(crate) fn repository(global: &Global) -> Result<Repository, Failure> {
    Ok(Repository::open(global.repo.first().map_or(Path::new("."), PathBuf::as_path))?)
}

/// Loads the settings and tells the warnings about them.
pub(crate) fn configuration(repo: Option<&Repository>, notes: Notes) -> Result<Config, Failure> {
    match configuration_that_is_right(repo, notes) {
        (config, None) => Ok(config),
        (_, Some(failure)) => Err(failure),
    }
}

/// Loads the settings that are right, and tells the first that is wrong.
pub(crate) fn configuration_that_is_right(repo: Option<&Repository>, notes: Notes) -> (Config, Option<Failure>) {
    let user = user_folder(variable).map(|folder| folder.join("config.toml"));
    let of_repository = |name: &str| {
        let is_small = repo?.stat(name).is_some_and(|stat| stat.size <= MAX_CONFIG);
        let bytes = if is_small { repo?.read(name).ok()? } else { return None };
        String::from_utf8(bytes).ok()
    };
    let sources = ConfigTexts {
        user: user.as_ref().and_then(|path| std::fs::read_to_string(path).ok()),
        repository: of_repository("repoidx.toml"),
        pyproject: of_repository("pyproject.toml"),
    };
    let (config, error) = Config::load_what_is_right(&sources, variable);
    let failure = error.map(|error: ConfigError| {
        let file = user.map_or_else(String::new, |path| format!("; the user's file is {}", path.display()));
        Failure::usage(visible(&error.to_string()), format!("`repoidx config` lists the settings{file}"))
    });
    for warning in &config.warnings {
        notes.warning(&visible(warning));
    }
    (config, failure)
}

/// Brings the index up to date with a progress bar.
pub(crate) fn update(
    repo: &Repository,
    config: &Config,
    full: bool,
    rev: Option<&str>,
    notes: Notes,
) -> Result<UpdateReport, Failure> {
    let options = UpdateOptions { full, rev: rev.map(str::to_owned), ..tools::index_options(config) };
    let bar = Bar::new(notes.can_draw());
    let report = index::update(repo, UpdateScope::Worktree, &options, &bar);
    bar.done();
    Ok(report?)
}

/// The path of the index, for people.
pub(crate) fn index_path(repo: &Repository) -> String {
    visible_path(&index::edition::file(repo).display().to_string()).into_owned()
}

/// Updates the index. Returns the reason if that fails and an old index can answer.
fn catch_up(repo: &Repository, config: &Config, notes: Notes) -> Result<Option<String>, Failure> {
    // The first build is worth a note: it takes seconds, and nobody asked for it.
    let is_first = !has_index(repo);
    match update(repo, config, false, None, notes) {
        Ok(report) => {
            if is_first && report.files > 0 {
                let files = count(report.files, "file");
                let place = index_path(repo);
                notes.note(&format!("indexed {files} in {:.1} s: {place}", report.seconds));
            }
            if is_first && report.files > 0 && repo.root().is_some() {
                notes.note("`repoidx install-hooks` keeps the index fresh after each git command");
            }
            Ok(None)
        }
        // A read-only disk or a locked index need not stop a query.
        Err(failure) => match index::open(repo) {
            Ok(_) => {
                let message = visible(&failure.message).into_owned();
                notes.warning(&format!("answering from the index as it is: {message}"));
                Ok(Some(format!("the index could not be brought up to date: {message}")))
            }
            Err(_) => Err(failure),
        },
    }
}

/// How far the index lags behind; also printed as a note.
fn lag(freshness: &Freshness, notes: Notes) -> Option<Boundary> {
    if freshness.fresh {
        return None;
    }
    let pending = &freshness.pending;
    let message = match pending.len() {
        0 => "the index is older than the last commit".to_owned(),
        1 => "1 file has changed since the index was made".to_owned(),
        many => format!("{many} files have changed since the index was made"),
    };
    let named: Vec<_> = pending.iter().take(MAX_NAMED).map(|path| visible_path(path)).collect();
    let more = match pending.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = if named.is_empty() { String::new() } else { format!(": {}{more}", named.join(", ")) };
    notes.note(&format!("{message}{names}"));
    Some(Boundary {
        paths: pending.iter().take(MAX_PENDING).cloned().collect(),
        ..Boundary::new("stale", pending.len(), message)
    })
}

/// The screen behind standard output, according to the settings.
pub(crate) fn screen(global: &Global, config: &Config, repo: &Repository) -> Screen {
    let when = |word: &str| match word {
        "always" => When::Always,
        "never" => When::Never,
        _ => When::Auto,
    };
    let color = global.color.unwrap_or_else(|| when(config.text("color")));
    let root = repo.root().and_then(Path::to_str);
    let rows = config.number("rows").unwrap_or(usize::MAX);
    Screen::stdout(color, when(config.text("hyperlinks")), config.text("hyperlink_format"), root, rows)
}

/// The current directory relative to the root; empty when it lies outside.
fn folder(repo: &Repository) -> String {
    #[expect(clippy::disallowed_methods, reason = "here the current directory is read")]
    let relative = || {
        let root = repo.root()?.canonicalize().ok()?;
        let here = env::current_dir().ok()?.canonicalize().ok()?;
        Some(here.strip_prefix(root).ok()?.to_str()?.replace('\\', "/"))
    };
    relative().unwrap_or_default()
}

#[expect(clippy::disallowed_methods, reason = "here the environment is read")]
fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}
