//! The embedder that the user chose, and its vectors.
//!
//! The user's settings decide, never a repository's. A few new texts are embedded while the user waits, many in a
//! process of their own. The static table answers until all vectors are there.

use std::{env, path::PathBuf};

use crate::{
    cli::{
        commands::ask::provider::{key, timeout, variable},
        notes::Notes,
        progress::Bar,
        session::{Session, configuration},
    },
    config::Config,
    embed::{EmbedError, Embedder, Hub, Remote, open_local, table},
    error::Failure,
    git::{Repository, worktree::exclusions::Exclusions},
    hooks,
    index::{self, IndexError, PassageFilter, Progress},
    llm::{Provider, Wire, is_loopback, requests::RequestLog},
    query::{search::Searcher, words::count},
    render::escape::{visible, visible_source},
    store::{
        Store,
        error::StoreError,
        search::vectors::{Coverage, Model},
    },
    texts::{TextFields, secrets::without_secrets},
};

/// Texts that are embedded before an answer: one or two seconds of a small model.
const AT_ONCE: u64 = 24;

/// An embedder other than the table in the binary.
pub(crate) struct ChosenEmbedder {
    embedder: Box<dyn Embedder>,
    is_remote: bool,
}

/// The embedder of a search, and the reasons why it cannot be used.
#[derive(Default)]
pub(crate) struct Meaning {
    /// The embedder and its number in the index.
    space: Option<(Box<dyn Embedder>, Model)>,
    missing: Vec<String>,
}

impl Meaning {
    /// A searcher with the user's embedder, if it is usable.
    pub(crate) fn searcher<'s>(&'s self, store: &'s Store) -> Result<Searcher<'s>, StoreError> {
        let searcher = Searcher::new(store)?.with_missing(self.missing.clone());
        Ok(match &self.space {
            Some((embedder, model)) => searcher.with_embedder(embedder.as_ref(), *model),
            None => searcher,
        })
    }

    /// The embedder in the settings, unless it is the table. A failure to open it is recorded as missing.
    fn embedder(&mut self, repo: &Repository, config: &Config) -> Option<ChosenEmbedder> {
        chosen(repo, config).unwrap_or_else(|failure| {
            self.missing.push(format!("{}; {}", failure.message, instead()));
            None
        })
    }

    /// Takes the embedder if every text has a vector; otherwise records the gap and the work in progress.
    fn settle(
        &mut self,
        store: &Store,
        chosen: ChosenEmbedder,
        coverage: Coverage,
        work: &str,
    ) -> Result<(), StoreError> {
        let name = chosen.embedder.name();
        if coverage.missing() > 0 {
            let Coverage { texts, embedded, .. } = coverage;
            self.missing.push(format!("{name} has vectors of {embedded} of {texts} texts{work}; {}", instead()));
            return Ok(());
        }
        let model = store.model(name)?;
        self.space = model.map(|model| (chosen.embedder, model));
        Ok(())
    }
}

/// Tells which lists of a search are missing.
pub(crate) fn say_missing(missing: &[String], notes: Notes) {
    for missing in missing {
        notes.note(&visible(missing));
    }
}

fn instead() -> String {
    format!("the word table {} answers instead", table::NAME)
}

/// The embedder in the settings; `None` for the table in the binary.
pub(crate) fn chosen(repo: &Repository, config: &Config) -> Result<Option<ChosenEmbedder>, Failure> {
    let model = config.text("embedding_model");
    let kind = config.text("embedder");
    if kind == "static" {
        return Ok(None);
    }
    if model.is_empty() {
        let hint = "set embedding_model in your config.toml, or REPOIDX_EMBEDDING_MODEL";
        return Err(Failure::usage(format!("embedder is `{kind}`, and no model is named"), hint));
    }
    if kind == "remote" {
        return remote(repo, config, model)
            .map(|remote| Some(ChosenEmbedder { embedder: Box::new(remote), is_remote: true }));
    }
    let model = match (model.strip_prefix("~/"), variable("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest).display().to_string(),
        _ => model.to_owned(),
    };
    let local = open_local(&hub(), &model, config.number("threads")).map_err(|error| failure(&error))?;
    Ok(Some(ChosenEmbedder { embedder: Box::new(local), is_remote: false }))
}

/// The name of the embedder and the coverage of its vectors, for `status`.
pub(crate) fn state(repo: &Repository, config: &Config, store: Option<&Store>) -> (String, Option<Coverage>) {
    match chosen(repo, config) {
        Ok(None) => (table::NAME.to_owned(), None),
        Ok(Some(chosen)) => {
            let name = chosen.embedder.name().to_owned();
            let coverage = store.and_then(|store| store.coverage(store.model(&name).ok()?).ok());
            (name, coverage)
        }
        Err(failure) => (format!("{} (instead: {})", table::NAME, failure.message), None),
    }
}

/// The user's embedder; makes missing vectors now if they are few, else in the background.
pub(crate) fn meaning(session: &mut Session, may_write: bool) -> Result<Meaning, Failure> {
    let mut meaning = Meaning::default();
    let Some(chosen) = meaning.embedder(&session.repo, &session.config) else { return Ok(meaning) };
    let name = chosen.embedder.name();
    let mut coverage = session.store.coverage(session.store.model(name)?)?;
    if may_write && (1..=AT_ONCE).contains(&coverage.missing()) {
        match chosen.fill(&session.repo, &()) {
            Ok(filled) => coverage = filled,
            Err(error) => meaning.missing.push(error.message),
        }
        // Opened anew, so that it sees the vectors that were just written.
        session.store = index::open(&session.repo)?;
    } else if may_write && coverage.missing() > 0 {
        hooks::run::start(&session.repo, EVENT);
    }
    meaning.settle(&session.store, chosen, coverage, if may_write { "; the rest is being made" } else { "" })?;
    Ok(meaning)
}

/// The user's embedder if all its vectors exist. Without `may_send` a remote service is not asked, because the query
/// may be source that nobody searched for secrets.
pub(crate) fn ready(session: &Session, may_send: bool) -> Result<Meaning, StoreError> {
    let mut meaning = Meaning::default();
    let Some(chosen) = meaning.embedder(&session.repo, &session.config).filter(|chosen| may_send || !chosen.is_remote)
    else {
        return Ok(meaning);
    };
    let coverage = session.store.coverage(session.store.model(chosen.embedder.name())?)?;
    meaning.settle(&session.store, chosen, coverage, "")?;
    Ok(meaning)
}

/// The event name of background embedding, beside the hooks' own.
pub(crate) const EVENT: &str = "embed";

/// Makes missing vectors in a background process; nobody reads its errors.
pub(crate) fn fill_in_background() {
    let Ok(repo) = Repository::open_from_environment() else { return };
    let Ok(config) = configuration(Some(&repo), Notes::new(true)) else { return };
    let Ok(Some(chosen)) = chosen(&repo, &config) else { return };
    // Only one process embeds at a time; a second one has nothing to do.
    let Some(_turn) = hooks::queue::UpdateQueue::of(&repo).turn_to_embed() else { return };
    if hooks::seed::has_index(&repo) {
        chosen.fill(&repo, &()).ok();
    }
}

/// Makes missing vectors while the user waits, and tells the outcome.
pub(crate) fn fill_now(repo: &Repository, config: &Config, notes: Notes) {
    let bar = Bar::new(notes.can_draw());
    let filled = match chosen(repo, config) {
        Ok(None) => return,
        Ok(Some(chosen)) => chosen.fill(repo, &bar).map(|coverage| (chosen, coverage)),
        Err(failure) => Err(failure),
    };
    bar.done();
    match filled {
        Ok((chosen, Coverage { texts, embedded, .. })) => {
            let name = visible(chosen.embedder.name()).into_owned();
            notes.summary(&format!(
                "{embedded} of {} have vectors of {name}",
                count(usize::try_from(texts).unwrap_or(usize::MAX), "text")
            ));
        }
        Err(failure) => notes.warning(&format!("{} ({})", visible(&failure.message), failure.hint)),
    }
}

impl ChosenEmbedder {
    fn fill(&self, repo: &Repository, progress: &dyn Progress) -> Result<Coverage, Failure> {
        let text = |file: &str| repo.read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let exclusions = Exclusions::read(text);
        // A remote service must never see withheld files, nor their docstrings.
        let filter = PassageFilter {
            withholds: &|path| self.is_remote && exclusions.has(path),
            shown: &|fields| if self.is_remote { cleaned(fields) } else { fields },
        };
        index::fill(repo, self.embedder.as_ref(), filter, progress).map_err(|error| match error {
            IndexError::Embed(error) => failure(&error),
            error => error.into(),
        })
    }
}

/// The parts of a text in the form in which they may leave the machine.
fn cleaned(mut fields: TextFields) -> TextFields {
    for text in [&mut fields.signature, &mut fields.doc, &mut fields.body] {
        *text = visible_source(&without_secrets(text)).into_owned();
    }
    fields
}

fn failure(error: &EmbedError) -> Failure {
    let hint = error.hint();
    Failure::usage(visible(&error.to_string()), hint)
}

fn remote(repo: &Repository, config: &Config, model: &str) -> Result<Remote, Failure> {
    let address = config.text("embedding_url").trim().trim_end_matches('/');
    let is_http = address.starts_with("http://") && is_loopback(address);
    if !(address.starts_with("https://") || is_http) || address.contains(char::is_whitespace) {
        let message = format!("`{}` is no address of a service for vectors", visible(address));
        return Err(Failure::usage(message, "set embedding_url: https://…/v1, or http:// on this machine"));
    }
    let (wire, key) = (Wire::OpenAi, key(config, Wire::OpenAi)?);
    let (address, model) = (address.to_owned(), model.to_owned());
    let log = Some(RequestLog::in_folder(&repo.data_dir()));
    Ok(Remote::new(Provider { wire, address, model, key, timeout: timeout(config), answer_tokens: 1, log }))
}

/// The cache in which the hub's own tools keep models.
fn hub() -> Hub {
    let folder = |name: &str| variable(name).map(PathBuf::from);
    let home = || folder("HOME").or_else(|| folder("USERPROFILE")).unwrap_or_else(env::temp_dir);
    let cache = || folder("XDG_CACHE_HOME").unwrap_or_else(|| home().join(".cache"));
    let base = || folder("HF_HOME").unwrap_or_else(|| cache().join("huggingface"));
    Hub(folder("HF_HUB_CACHE").unwrap_or_else(|| base().join("hub")))
}
