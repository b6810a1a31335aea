//! The frame of a page: its style, its script, and the links of places.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    cli::session::{Session, templates},
    config::Config,
    error::Failure,
    git::{Repository, environment::find_program},
    render::{
        escape::visible,
        page::{Frame, Links, Page},
        to_stdout,
    },
};

/// Schemes that run the text behind them, or lead nowhere.
const NO_LINKS: [&str; 5] = ["javascript", "data", "vbscript", "blob", "about"];

/// The frame. `is_worktree` says that the lines of the report are those of the files on disk.
pub(crate) fn frame(session: &Session, is_worktree: bool) -> Result<Frame, Failure> {
    let links = editor_links(&session.config, &session.repo, is_worktree)?;
    Ok(Frame { style: templates().source("page.css")?, script: templates().source("page.js")?, links })
}

/// The links of places to the user's editor.
pub(crate) fn editor_links(config: &Config, repo: &Repository, is_worktree: bool) -> Result<Links, Failure> {
    let pattern = Some(config.text("editor_link")).filter(|pattern| *pattern != "none").unwrap_or_default();
    let scheme = pattern.split(':').next().unwrap_or_default();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let is_link = pattern.contains(':') && is_scheme && !NO_LINKS.contains(&scheme.to_ascii_lowercase().as_str());
    if !pattern.is_empty() && !is_link {
        let message = format!("`editor_link` is no address of an editor or a code host: {}", visible(pattern));
        return Err(Failure::usage(message, "such as vscode://file{path}:{line}; `none` for no links"));
    }
    let root = repo.root().and_then(Path::to_str).unwrap_or_default().replace('\\', "/");
    let is_known = !root.is_empty() || !pattern.contains("{path}");
    // Line numbers of another commit would lead to wrong places.
    let is_linked = is_known && (is_worktree || !pattern.contains("{path}"));
    Ok(Links {
        pattern: if is_linked { pattern.to_owned() } else { String::new() },
        // A page for others does not reveal the folders of this machine.
        root: if is_linked && pattern.contains("{path}") { root } else { String::new() },
    })
}

/// The page as HTML.
pub(crate) fn worded(page: &Page) -> Result<String, Failure> {
    Ok(templates().render("page.html.j2", page)?)
}

/// Writes the page beside the index and opens it in the browser. Without a browser the path is the answer.
pub(crate) fn open(session: &Session, name: &str, page: &str) -> Result<(), Failure> {
    let folder = session.repo.data_dir().join("pages");
    let file = folder.join(format!("{name}.html"));
    let unwritable =
        |error| Failure::unusable(format!("writing {}: {error}", visible(&file.display().to_string())), "");
    fs::create_dir_all(&folder).map_err(unwritable)?;
    // A link that somebody left there is not followed.
    fs::remove_file(&file).ok();
    fs::write(&file, page).map_err(unwritable)?;
    open_address(&file);
    Ok(to_stdout(|out| writeln!(out, "{}", visible(&file.display().to_string())))?)
}

/// Opens a file or an address in the browser, if there is one.
pub(crate) fn open_address(address: impl AsRef<OsStr>) {
    let Some(program) = browser() else { return };
    #[expect(clippy::disallowed_methods, reason = "the user asked for the browser")]
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The browser outlives this process, and the address is printed in any case.
    command.spawn().ok();
}

/// The program that opens a page: the user's `BROWSER`, else the system's.
fn browser() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "`BROWSER` is how a user names a browser")]
    let named = env::var("BROWSER").unwrap_or_default();
    if let Some(name) = named.split(':').find(|name| !name.trim().is_empty()) {
        let found = if Path::new(name).is_absolute() { Some(PathBuf::from(name)) } else { find_program(name) };
        return found;
    }
    if cfg!(windows) {
        return find_program("explorer");
    }
    let name = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    find_program(name)
}
