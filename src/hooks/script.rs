//! The texts of our hooks, and the search for them in files that others edit too.
//!
//! A region of ours stands between two marks that name its kind. So it can be removed byte for byte, without a record
//! elsewhere. Pure functions; the scripts themselves are in `/hooks`.

use crate::git::path::shell_quote;

use super::HookEvent;

const BLOCK: &str = include_str!("../../hooks/block.sh");
const CHAIN: &str = include_str!("../../hooks/chain.sh");
const PRE_PUSH: &str = include_str!("../../hooks/pre-push.sh");
const CONFIG: &str = include_str!("../../hooks/config.sh");
const CONFIG_PRE_PUSH: &str = include_str!("../../hooks/config-pre-push.sh");
const BY_HAND: &str = include_str!("../../hooks/by-hand.sh");

/// First line of the files that we make.
pub(super) const SHEBANG: &str = "#!/bin/sh\n";

/// How our region came into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptKind {
    /// Put into a script that was there.
    Block,
    /// As `Block`, where the first line lacked its newline.
    BlockAfterNewline,
    /// The file is ours.
    File,
    /// The file is ours, and the hook that was there before is kept beside it.
    Chain,
}

impl ScriptKind {
    const ALL: [ScriptKind; 4] = [Self::Block, Self::BlockAfterNewline, Self::File, Self::Chain];

    fn as_str(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::BlockAfterNewline => "block after newline",
            Self::File => "file",
            Self::Chain => "chain",
        }
    }
}

/// Our region in a hook's text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Region<'a> {
    pub(super) kind: ScriptKind,
    pub(super) before: &'a str,
    pub(super) text: &'a str,
    pub(super) after: &'a str,
}

impl<'a> Region<'a> {
    /// Our region for `event` in `text`, if there is one and it is whole.
    pub(super) fn find(text: &'a str, event: HookEvent) -> Option<Self> {
        let (first, last) = (format!("# >>> repoidx {event}: "), format!("# <<< repoidx {event} <<<\n"));
        let start = if text.starts_with(&first) { 0 } else { text.find(&format!("\n{first}"))? + 1 };
        let end = start + text[start..].find(&last)? + last.len();
        let said = text[start + first.len()..].lines().next()?;
        let kind = ScriptKind::ALL.into_iter().find(|kind| said == format!("{} 1 >>>", kind.as_str()))?;
        Some(Self { kind, before: &text[..start], text: &text[start..end], after: &text[end..] })
    }

    /// Whether the file holds only our own text.
    pub(super) fn is_alone(&self) -> bool {
        self.before == SHEBANG && self.after.is_empty()
    }

    /// The file's text without the region.
    pub(super) fn without(&self) -> String {
        let before = match self.kind {
            ScriptKind::BlockAfterNewline => self.before.strip_suffix('\n').unwrap_or(self.before),
            _ => self.before,
        };
        [before, self.after].concat()
    }

    /// The file's text with the region written anew.
    pub(super) fn renewed(&self, event: HookEvent, binary: &str) -> String {
        [self.before, &region(event, self.kind, binary), self.after].concat()
    }

    /// The binary that the region runs first.
    pub(super) fn binary(&self) -> Option<String> {
        let (_, rest) = self.text.split_once("\n# Runs ")?;
        let (quoted, _) = rest.split_once(", else the repoidx in PATH.")?;
        Some(unquoted(quoted))
    }
}

/// Undoes `shell_quote`.
fn unquoted(text: &str) -> String {
    match text.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')) {
        Some(inner) => inner.replace(r"'\''", "'"),
        None => text.to_owned(),
    }
}

/// The text of a file that is ours, where there was none or beside the one that was there.
pub(super) fn file(event: HookEvent, kind: ScriptKind, binary: &str) -> String {
    [SHEBANG, &region(event, kind, binary)].concat()
}

/// `text`, a shell script, with our region after its first line: at its end an `exit` would skip it.
pub(super) fn with_block(text: &str, event: HookEvent, binary: &str) -> String {
    match text.split_once('\n') {
        Some((first, rest)) => [first, "\n", &region(event, ScriptKind::Block, binary), rest].concat(),
        None => [text, "\n", &region(event, ScriptKind::BlockAfterNewline, binary)].concat(),
    }
}

/// The command of a hook in git's configuration (git 2.54).
pub(super) fn config_command(event: HookEvent, binary: &str) -> String {
    let template = if event == HookEvent::PrePush { CONFIG_PRE_PUSH } else { CONFIG };
    fill(template, event, "", binary).trim_end().to_owned()
}

/// The binary that such a command runs first.
pub(super) fn binary_of_command(command: &str) -> Option<String> {
    let (_, rest) = command.split_once("if [ -x ")?;
    let (quoted, _) = rest.split_once(" ]; then ")?;
    Some(unquoted(quoted))
}

/// The line for a hook that the user keeps.
pub(super) fn by_hand(event: HookEvent) -> String {
    fill(BY_HAND, event, "", "").trim_end().to_owned()
}

/// Whether the first line names a shell that understands our region.
pub(super) fn is_shell_script(text: &str) -> bool {
    let Some(line) = text.lines().next().and_then(|line| line.strip_prefix("#!")) else { return false };
    let name = |word: &str| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        name.strip_suffix(".exe").unwrap_or(name).to_owned()
    };
    let mut words = line.split_ascii_whitespace().map(name);
    let mut interpreter = words.next();
    if interpreter.as_deref() == Some("env") {
        interpreter = words.find(|word| !word.starts_with('-') && !word.contains('='));
    }
    let shells = ["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"];
    interpreter.is_some_and(|name| shells.contains(&name.as_str()))
}

fn region(event: HookEvent, kind: ScriptKind, binary: &str) -> String {
    let template = match (event, kind) {
        (HookEvent::PrePush, _) => PRE_PUSH,
        (_, ScriptKind::Chain) => CHAIN,
        _ => BLOCK,
    };
    fill(template, event, kind.as_str(), binary)
}

fn fill(template: &str, event: HookEvent, kind: &str, binary: &str) -> String {
    // The binary last: its path may hold anything.
    template.replace("@EVENT@", event.as_str()).replace("@KIND@", kind).replace("@BINARY@", &shell_quote(binary))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BINARY: &str = "/opt/a dir/it's/repoidx";

    #[test]
    fn taking_the_block_out_restores_the_text() {
        for text in
            ["#!/bin/sh\necho x\n", "#!/bin/sh\n", "#!/bin/sh", "#!/bin/bash -e\r\nset -u\r\n", "#!/bin/sh\n\nexit 0"]
        {
            let with = with_block(text, HookEvent::PostMerge, BINARY);
            let region = Region::find(&with, HookEvent::PostMerge).unwrap();
            assert_eq!(region.without(), text);
            assert_eq!(region.binary().as_deref(), Some(BINARY));
            assert_eq!(region.renewed(HookEvent::PostMerge, BINARY), with);
            assert_eq!(Region::find(&with, HookEvent::PostCommit), None);
        }
    }

    #[test]
    fn a_command_in_the_configuration_names_its_binary() {
        for event in [HookEvent::PostCommit, HookEvent::PrePush] {
            assert_eq!(binary_of_command(&config_command(event, BINARY)).as_deref(), Some(BINARY));
        }
    }

    #[test]
    fn a_moved_binary_changes_the_region_alone() {
        let with = with_block("#!/bin/sh\nexit 0\n", HookEvent::PostCommit, "/old/repoidx");
        let renewed =
            Region::find(&with, HookEvent::PostCommit).unwrap().renewed(HookEvent::PostCommit, "/new/repoidx");
        assert_eq!(renewed, with.replace("/old/", "/new/"));
    }

    #[test]
    fn our_own_files_are_known() {
        for event in HookEvent::ALL {
            for kind in [ScriptKind::File, ScriptKind::Chain] {
                let text = file(event, kind, BINARY);
                let region = Region::find(&text, event).unwrap();
                assert_eq!(region.kind, kind);
                assert!(region.is_alone());
                assert!(["@EVENT@", "@KIND@", "@BINARY@"].iter().all(|name| !text.contains(name)), "{text}");
            }
        }
        let edited = file(HookEvent::PostCommit, ScriptKind::File, BINARY) + "echo mine\n";
        assert!(!Region::find(&edited, HookEvent::PostCommit).unwrap().is_alone());
    }

    #[test]
    fn damaged_marks_are_not_ours() {
        let text = file(HookEvent::PostCommit, ScriptKind::File, BINARY);
        assert_eq!(Region::find(&text.replace("# <<<", "#"), HookEvent::PostCommit), None);
        assert_eq!(Region::find(&text.replace("file 1", "file 9"), HookEvent::PostCommit), None);
        assert_eq!(Region::find("", HookEvent::PostCommit), None);
    }

    #[test]
    fn shells_are_told_from_other_interpreters() {
        for line in
            ["#!/bin/sh", "#! /bin/bash -e", "#!/usr/bin/env -S VAR=1 zsh -f", "#!C:/Git/bin/sh.exe", "#!/bin/dash\r"]
        {
            assert!(is_shell_script(&format!("{line}\nx\n")), "{line}");
        }
        for line in ["", "echo x", "#!/usr/bin/env python3", "#!/usr/bin/fish", "#!/bin/csh", "#!", "# sh", "\u{7f}ELF"]
        {
            assert!(!is_shell_script(&format!("{line}\nx\n")), "{line}");
        }
    }
}
