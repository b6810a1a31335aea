//! Which lines of a text are still there in another version of it.
//!
//! Goes in: both texts. Comes out: line numbers. Knows nothing of repositories.

use git2::{DiffOptions, Patch};

/// For every line of `old`, in order, the number (from 1) that it has in `new`; 0 where it was changed or removed.
pub fn kept_lines(old: &str, new: &str) -> Vec<u32> {
    let count = u32::try_from(old.lines().count()).unwrap_or(u32::MAX);
    let mut options = DiffOptions::new();
    options.context_lines(0).ignore_whitespace_eol(true).force_text(true);
    let Ok(patch) = Patch::from_buffers(old.as_bytes(), None, new.as_bytes(), None, Some(&mut options)) else {
        return vec![0; old.lines().count()];
    };
    let mut kept = Vec::with_capacity(old.lines().count());
    // The next line of each side.
    let (mut before, mut after) = (1, 1);
    for index in 0..patch.num_hunks() {
        let Ok((hunk, _)) = patch.hunk(index) else { break };
        // A side without lines begins at the line before them.
        let first = hunk.old_start() + u32::from(hunk.old_lines() == 0);
        while before < first {
            kept.push(after);
            (before, after) = (before + 1, after + 1);
        }
        kept.extend((0..hunk.old_lines()).map(|_| 0));
        (before, after) = (before + hunk.old_lines(), after + hunk.new_lines());
    }
    while before <= count {
        kept.push(after);
        (before, after) = (before + 1, after + 1);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_place_around_what_changed() {
        let check = |old: &str, new: &str, expected: &[u32]| assert_eq!(kept_lines(old, new), expected, "{old:?}");
        check("a\nb\nc\n", "a\nb\nc\n", &[1, 2, 3]);
        check("a\nb\nc\n", "a\nc\n", &[1, 0, 2]);
        check("a\nb\nc\n", "x\na\nb\ny\nc\n", &[2, 3, 5]);
        check("a\nb\nc\n", "a\nB\nc\nd", &[1, 0, 3]);
        check("a\r\nb", "a\nb\n", &[1, 2]);
        check("a\n", "", &[0]);
        check("", "a\n", &[]);
    }
}
