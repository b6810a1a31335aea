//! From what a model wrote to a definition, or to a message that names the nearest ones.

use crate::{
    error::Failure,
    model::conventions::pytest::is_test_path,
    query::{
        target::{
            Target, TargetMatch,
            likeliest::{likeliest, pick},
            look_up, owner, place, respelled,
            spelling::nearest,
        },
        words::count,
    },
    render::escape::{visible, visible_path},
    store::read::Entity,
    tools::Workspace,
};

/// Candidates that a message lists.
const MAX_CANDIDATES: usize = 8;
/// Characters of a name that a message repeats.
const MAX_ECHO: usize = 80;

/// The only definition that `text` can mean.
pub(crate) fn resolve(workspace: &Workspace, text: &str) -> Result<Target, Failure> {
    let echo: String = visible(text).chars().take(MAX_ECHO).collect();
    let name = workspace.without_root(text).trim_end_matches("()");
    match look_up(workspace.store, name, "")? {
        TargetMatch::Found(target) => Ok(target),
        TargetMatch::Ambiguous(candidates) => {
            let message = format!("`{echo}` names {} definitions", candidates.len());
            Err(Failure::usage(format!("{message}{}", listed(candidates)), "call again with the full name of one"))
        }
        TargetMatch::Unknown(proposals) => Err(unknown(workspace, name, &echo, proposals)?),
    }
}

/// The definition that a name means most probably, and the other ones of that name.
pub(crate) fn resolve_likeliest(workspace: &Workspace, text: &str) -> Result<(Target, Vec<Entity>), Failure> {
    let store = workspace.store;
    let name = workspace.without_root(text).trim_end_matches("()");
    let TargetMatch::Ambiguous(candidates) = look_up(store, name, "")? else {
        return Ok((resolve(workspace, text)?, Vec::new()));
    };
    if let Some(picked) = pick(store, name, &candidates)? {
        return Ok(picked);
    }
    let targets = candidates.iter().map(|entity| Target::of(vec![entity.clone()])).collect();
    let Some(first) = likeliest(store, name, targets)?.0.into_iter().next() else {
        return Ok((resolve(workspace, text)?, Vec::new()));
    };
    let others = candidates.into_iter().filter(|entity| entity.id != first.main().id).collect();
    Ok((first, others))
}

/// The name of the one definition that a text means by another spelling, `make_response` for `makeresponse`; `None`
/// where it needs none.
pub(crate) fn respelling(workspace: &Workspace, text: &str) -> Result<Option<String>, Failure> {
    let name = workspace.without_root(text).trim_end_matches("()");
    if !matches!(look_up(workspace.store, name, "")?, TargetMatch::Unknown(_)) {
        return Ok(None);
    }
    Ok(match respelled(workspace.store, name)? {
        Some((name, TargetMatch::Found(_))) => Some(name),
        _ => None,
    })
}

/// The message for a name or place that means nothing.
fn unknown(workspace: &Workspace, text: &str, echo: &str, proposals: Vec<Entity>) -> Result<Failure, Failure> {
    let store = workspace.store;
    if let Some((path, line)) = place(text) {
        let ending = format!("/{path}");
        let files = store.files()?;
        let alike = files.iter().map(|(_, file)| file).find(|file| file.path == path || file.path.ends_with(&ending));
        return Ok(match (alike, line) {
            (Some(file), Some(_)) if file.path == path => {
                let lines = count(file.line_count as usize, "line");
                Failure::usage(format!("`{}` has {lines}", visible_path(path)), "show with the file alone lists it")
            }
            (Some(file), _) => {
                let message = format!("`{echo}` is not in the index; it has {}", visible_path(&file.path));
                Failure::usage(message, "call again with that path")
            }
            _ => Failure::usage(
                format!("`{echo}` is not in the index: no Python file here, or one that git ignores"),
                "check the root in the last line, or pass root=<absolute path>",
            ),
        });
    }
    if let Some(owner) = owner(store, text, "")? {
        let (owner, wanted) = (owner.main(), text.rsplit('.').next().unwrap_or_default());
        let members = store.children(owner.id)?;
        let names: Vec<String> = members.iter().map(|member| member.record.name.clone()).collect();
        let near = nearest(&names, wanted);
        let near: Vec<Entity> = members.iter().filter(|member| near.contains(&&member.record.name)).cloned().collect();
        let name = owner.full_name();
        let message =
            format!("the {} `{}` has no member `{}`", owner.record.kind.as_str(), visible(&name), visible(wanted));
        return Ok(if near.is_empty() {
            Failure::usage(message, format!("show {} lists its members", visible(&name)))
        } else {
            Failure::usage(format!("{message}; the nearest:{}", listed(near)), "call again with one of these names")
        });
    }
    if proposals.is_empty() {
        return Ok(Failure::usage(format!("nothing here is called `{echo}`"), "search finds definitions by words"));
    }
    let message = format!("nothing here is called `{echo}`; the nearest:{}", listed(proposals));
    Ok(Failure::usage(message, "call again with one of these names"))
}

/// A line for each definition; those in tests last, since they are seldom meant.
fn listed(mut entities: Vec<Entity>) -> String {
    entities.sort_by_cached_key(|entity| is_test_path(&entity.path));
    let line = |entity: &Entity| {
        let place = format!("{}:{}", visible_path(&entity.path), entity.record.line);
        format!("\n  {}  {}  {place}", visible(&entity.full_name()), entity.record.kind.as_str())
    };
    let mut lines: String = entities.iter().take(MAX_CANDIDATES).map(line).collect();
    if entities.len() > MAX_CANDIDATES {
        lines += &format!("\n  … {} more", entities.len() - MAX_CANDIDATES);
    }
    lines
}
