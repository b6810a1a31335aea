//! The words for somebody who typed `repoidx` alone, or who has just set it up.

use std::io::{self, Write};

use crate::{
    query::words::count,
    render::{
        escape::{visible, visible_path},
        screen::{Ink, Screen},
        words::argument,
    },
};

/// Where a user stands in a repository.
#[derive(Clone, Debug, Default)]
pub struct Start {
    pub root: String,
    pub index: IndexState,
    pub has_hooks: bool,
    /// The program of the hooks, if it is gone.
    pub missing_hook_program: Option<String>,
    /// A function of this repository that much depends on.
    pub example: Option<Example>,
}

/// The subject of the commands to try.
#[derive(Clone, Debug, Default)]
pub struct Example {
    pub name: String,
    /// Whether there is a commit that edits can be compared with.
    pub has_commit: bool,
}

/// The index of a repository.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexState {
    #[default]
    None,
    There {
        files: u64,
        entities: u64,
        /// Files that differ from it now.
        pending: usize,
    },
    Unreadable,
}

/// Writes where one stands; `None` outside of repositories.
pub fn text(out: &mut dyn Write, start: Option<&Start>, screen: &Screen) -> io::Result<()> {
    let Some(start) = start else {
        writeln!(out, "repoidx answers \"what breaks if I change this?\" for Python repositories")?;
        writeln!(out, "this folder is in no git repository: go to one, and run `repoidx init` there")?;
        return writeln!(out, "\n`repoidx help` lists the commands");
    };
    writeln!(out, "{}", screen.paint(Ink::Heading, &visible_path(&start.root)))?;
    let index = match start.index {
        IndexState::None => "no index yet: `repoidx init` makes one, any query too".to_owned(),
        IndexState::Unreadable => "the index cannot be read; the next query builds it anew".to_owned(),
        IndexState::There { files: 0, .. } => "no Python file is indexed here: `repoidx status` says more".to_owned(),
        IndexState::There { files, entities, pending: 0 } => {
            format!("{} and {} indexed, up to date", files_of(files), count_of(entities))
        }
        IndexState::There { files, entities, pending } => {
            let changed = count(pending, "changed file");
            format!("{} and {} indexed; the next query looks at {changed}", files_of(files), count_of(entities))
        }
    };
    writeln!(out, "  index  {index}")?;
    let hooks = match (&start.missing_hook_program, start.has_hooks) {
        (Some(program), _) => {
            let said = format!("{} is gone: `repoidx install-hooks` renews them", visible_path(program));
            screen.paint(Ink::Bad, &said)
        }
        (None, true) => "installed: they keep the index fresh".to_owned(),
        (None, false) => "none; `repoidx install-hooks` keeps the index fresh after each git command".to_owned(),
    };
    writeln!(out, "  hooks  {hooks}")?;
    examples(out, start.example.as_ref(), screen)?;
    writeln!(out, "\n`repoidx help` lists the commands, `repoidx help COMMAND` explains one")
}

/// Writes the commands to try on this repository.
pub fn examples(out: &mut dyn Write, example: Option<&Example>, screen: &Screen) -> io::Result<()> {
    let Some(Example { name, has_commit }) = example else { return Ok(()) };
    let question = format!("\"who uses {}?\"", visible(name));
    let mut commands = vec![(format!("repoidx impact {}", argument(name)), "what breaks if it changes")];
    if *has_commit {
        let review = "repoidx review --worktree".to_owned();
        commands.push((review, "what your uncommitted edits break, and the tests to run"));
    }
    commands.push((format!("repoidx ask {question}"), "an answer with its sources"));
    let width = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or_default();
    writeln!(out, "\ntry")?;
    for (command, purpose) in commands {
        let gap = " ".repeat(width - command.chars().count());
        writeln!(out, "  {}{gap}  {}", screen.paint(Ink::Name, &command), screen.paint(Ink::Faint, purpose))?;
    }
    Ok(())
}

fn files_of(files: u64) -> String {
    count(usize::try_from(files).unwrap_or(usize::MAX), "file")
}

fn count_of(entities: u64) -> String {
    count(usize::try_from(entities).unwrap_or(usize::MAX), "definition")
}
