//! Which lines of a text still exist in another version of it.

use git2::{DiffOptions, Patch};

/// For every line of `old`, in order, the number (from 1) that it has in `new`; 0 where it was changed or removed.
pub fn kept_lines(old: &str, new: &str) -> Vec<u32> {
    let count = old.lines().count();
    let mut options = DiffOptions::new();
    options.context_lines(0).ignore_whitespace_eol(true).force_text(true);
    let Ok(patch) = Patch::from_buffers(old.as_bytes(), None, new.as_bytes(), None, Some(&mut options)) else {
        return vec![0; count];
    };
    let mut kept: Vec<u32> = Vec::with_capacity(count);
    let mut next = 1;
    for index in 0..patch.num_hunks() {
        let Ok((hunk, _)) = patch.hunk(index) else { break };
        // A side without lines begins at the line before them.
        let first = hunk.old_start() as usize + usize::from(hunk.old_lines() == 0);
        keep(&mut kept, first - 1, &mut next);
        kept.extend((0..hunk.old_lines()).map(|_| 0));
        next += hunk.new_lines();
    }
    keep(&mut kept, count, &mut next);
    kept
}

/// Numbers lines until there are `count`.
fn keep(kept: &mut Vec<u32>, count: usize, next: &mut u32) {
    while kept.len() < count {
        kept.push(*next);
        *next += 1;
    }
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
