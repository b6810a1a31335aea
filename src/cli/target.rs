//! Resolves the TARGET argument to a definition, or to an error that lists the candidates.

use crate::{
    cli::session::Session,
    error::Failure,
    model::conventions::pytest::is_test_path,
    query::{
        navigate::leaves::FreeCode,
        target::{Target, TargetMatch, likeliest::pick, look_up, nearby, owner, place, respelled, spelling::nearest},
        words::count,
    },
    render::{
        escape::{visible, visible_path},
        words::argument,
    },
    store::{error::StoreError, read::Entity},
};

/// Candidates that an error lists.
const MAX_CANDIDATES: usize = 20;
/// Characters of a name that an error repeats.
const MAX_ECHO: usize = 80;

/// The definition that `text` means. Of several with this name it is the likeliest, and the session notes the others;
/// where nothing tells them apart, it is an error. `command` begins the command that a hint proposes.
pub(crate) fn resolve(session: &Session, text: &str, command: &str) -> Result<Target, Failure> {
    let echo: String = visible(text).chars().take(MAX_ECHO).collect();
    match look_up(&session.store, session.without_root(text), &session.folder)? {
        TargetMatch::Found(target) => Ok(target),
        TargetMatch::Ambiguous(candidates) => chosen(session, text, echo, command, candidates),
        TargetMatch::Unknown(proposals) => {
            let Some((name, meant)) = respelled(&session.store, text)? else {
                return Err(unknown(session, text, &echo, command, proposals)?);
            };
            session.notes.note(&format!("`{echo}` is read as `{}`", visible(&name)));
            match meant {
                TargetMatch::Found(target) => Ok(target),
                TargetMatch::Ambiguous(candidates) => {
                    chosen(session, &name, visible(&name).into_owned(), command, candidates)
                }
                TargetMatch::Unknown(proposals) => Err(unknown(session, text, &echo, command, proposals)?),
            }
        }
    }
}

/// The likeliest of several definitions with one name; an error that lists them where nothing tells them apart.
fn chosen(
    session: &Session,
    text: &str,
    echo: String,
    command: &str,
    candidates: Vec<Entity>,
) -> Result<Target, Failure> {
    if let Some((target, others)) = pick(&session.store, text, &candidates)? {
        session.passed_over.borrow_mut().push((echo, tests_last(others)));
        return Ok(target);
    }
    let candidates = tests_last(candidates);
    let message = format!("`{echo}` names {} definitions", candidates.len());
    Err(Failure::usage(format!("{message}{}", listed(&candidates)), paste(command, &candidates)))
}

/// The failure for a name or place that means nothing.
fn unknown(
    session: &Session,
    text: &str,
    echo: &str,
    command: &str,
    proposals: Vec<Entity>,
) -> Result<Failure, Failure> {
    let text = session.without_root(text);
    if FreeCode::split(text).is_some() {
        let message = format!("`{echo}` is code at module level, to which nothing refers by a name");
        return Ok(Failure::usage(message, format!("repoidx show {}", argument(text))));
    }
    if let Some((path, line)) = place(text) {
        let path_echo = visible_path(path);
        let ending = format!("/{path}");
        let files = session.store.files()?;
        // People copy the end of a path.
        let by_ending =
            || files.iter().find(|(_, file)| file.path.ends_with(&ending)).map(|(_, file)| file.path.clone());
        let Some(file) = session.file_path(path)?.or_else(by_ending) else {
            return Ok(Failure::usage(format!("`{path_echo}` is not in the index"), "repoidx status"));
        };
        if line.is_some() {
            return Ok(beyond_the_end(session, &file)?);
        }
    }
    if let Some(owner) = owner(&session.store, text, &session.folder)? {
        let (owner, wanted) = (owner.main(), text.rsplit('.').next().unwrap_or_default());
        let mut members = session.store.children(owner.id)?;
        let names: Vec<String> = members.iter().map(|member| member.record.name.clone()).collect();
        let near: Vec<&String> = nearest(&names, wanted);
        members.retain(|member| near.contains(&&member.record.name));
        let name = owner.full_name();
        let name = visible(&name);
        let message = format!("the {} `{name}` has no member `{}`", owner.record.kind.as_str(), visible(wanted));
        return Ok(if members.is_empty() {
            Failure::usage(message, format!("repoidx tree {name}"))
        } else {
            Failure::usage(format!("{message}; did you mean{}", listed(&members)), paste(command, &members))
        });
    }
    if proposals.is_empty() {
        let message = format!("nothing here is called `{echo}`");
        if session.store.files()?.is_empty() {
            return Ok(Failure::usage(
                message,
                "there is no Python file here; `repoidx status` lists what was left out",
            ));
        }
        let near = nearby(&session.store, text)?;
        let search = format!("`repoidx search {}` looks by words", argument(echo));
        let hint = match near.as_slice() {
            [] => search,
            [near] => format!("the nearest name is {}; {search}", visible(near)),
            near => format!("the nearest names are {}; {search}", visible(&near.join(", "))),
        };
        return Ok(Failure::usage(message, hint));
    }
    let proposals = tests_last(proposals);
    let message = format!("nothing here is called `{echo}`; did you mean");
    Ok(Failure::usage(format!("{message}{}", listed(&proposals)), paste(command, &proposals)))
}

/// Number of lines of a file in the index.
pub(crate) fn line_count(session: &Session, path: &str) -> Result<u32, StoreError> {
    let Some(file) = session.store.file_id(path)? else { return Ok(0) };
    Ok(session.store.file(file)?.map_or(0, |file| file.line_count))
}

/// The failure for a line behind the end of a file.
pub(crate) fn beyond_the_end(session: &Session, path: &str) -> Result<Failure, StoreError> {
    let lines = line_count(session, path)?;
    let path = visible_path(path);
    Ok(Failure::usage(format!("`{path}` has {}", count(lines as usize, "line")), format!("repoidx tree {path}")))
}

/// Sorts definitions in tests behind the others, since they are seldom meant.
fn tests_last(mut entities: Vec<Entity>) -> Vec<Entity> {
    entities.sort_by_cached_key(|entity| is_test_path(&entity.path));
    entities
}

fn listed(entities: &[Entity]) -> String {
    let mut lines = String::new();
    for entity in entities.iter().take(MAX_CANDIDATES) {
        let place = format!("{}:{}", visible_path(&entity.path), entity.record.line);
        lines.extend(["\n  ", &visible(&entity.full_name()), "  ", entity.record.kind.as_str(), "  ", &place]);
    }
    if entities.len() > MAX_CANDIDATES {
        lines.extend(["\n  … ", &(entities.len() - MAX_CANDIDATES).to_string(), " more"]);
    }
    lines
}

/// A command for the first candidate.
fn paste(command: &str, entities: &[Entity]) -> String {
    entities.first().map_or_else(String::new, |entity| format!("repoidx {command} {}", visible(&entity.full_name())))
}
