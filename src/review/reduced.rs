//! Two texts of a file without the definitions that are the same in both.
//!
//! Goes in: both texts, and which lines of the newer one are definitions of its module. Comes out: both texts with the lines
//! of common definitions left empty, so that everything else keeps its place. A large file of which one function changed is
//! then parsed and compared at the cost of that function.

use std::collections::BTreeMap;

use crate::{
    facts::{FileFacts, hash_name},
    store::outline::Span,
};

/// Both texts without what they have in common, and the names of what was left out.
pub(super) struct Reduced<'s> {
    pub(super) old: String,
    pub(super) new: String,
    names: Vec<&'s str>,
}

impl Reduced<'_> {
    /// Whether facts read from a reduced text are those of the whole one but for what was left out: it is whole, and no name
    /// that was left out is bound a second time.
    pub(super) fn is_sound(&self, facts: &FileFacts) -> bool {
        let is_bound = |name: &&str| !facts.interface.member(hash_name(name)).is_empty();
        !facts.bodies.is_partial && !self.names.iter().any(is_bound)
    }
}

/// Leaves out the definitions of `new`, in order, that stand in `old` as well; `None` where there are none.
pub(super) fn reduced<'s>(old: &str, new: &str, definitions: &'s [Span]) -> Option<Reduced<'s>> {
    let (mut old, mut new) = (lines(old), lines(new));
    let mut starts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, line) in old.iter().enumerate() {
        starts.entry(line).or_default().push(at);
    }
    let mut common = Vec::new();
    // Definitions that changed places are compared as a whole: a search begins where the last one ended.
    let (mut old_end, mut new_end) = (0, 0);
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for span in definitions {
        *numbers.entry(&span.name).or_default() += 1;
    }
    // Neither one of several definitions of a name nor one that Python itself looks up.
    let is_plain = |span: &&Span| numbers[span.name.as_str()] == 1 && !span.name.starts_with("__");
    for span in definitions.iter().filter(is_plain) {
        let (start, end) = (span.start_line as usize - 1, span.end_line as usize);
        let Some(body) = new.get(start..end).filter(|_| start >= new_end) else { continue };
        if body.iter().any(|line| line.contains("global ")) {
            continue;
        }
        let found = starts.get(body.first()?).into_iter().flatten().copied();
        let is_same = |at: &usize| {
            *at >= old_end
                && old.get(*at..at + body.len()) == Some(body)
                // No decorator stands above one of them.
                && old[..*at].iter().rev().find(is_code) == new[..start].iter().rev().find(is_code)
                && ends(body[0], &old[at + body.len()..])
        };
        let Some(at) = found.into_iter().find(is_same) else { continue };
        // A definition after the beginning of a long string may be a part of it.
        if !is_closed(&old[old_end..at]) {
            return None;
        }
        (old_end, new_end) = (at + body.len(), end);
        common.push((at, start, body.len(), span.name.as_str()));
    }
    for &(in_old, in_new, length, _) in &common {
        old[in_old..in_old + length].fill("\n");
        new[in_new..in_new + length].fill("\n");
    }
    let names: Vec<&str> = common.iter().map(|(.., name)| *name).collect();
    (!names.is_empty()).then(|| Reduced { old: old.concat(), new: new.concat(), names })
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Whether the block that begins with `first` is over where `rest` goes on.
fn ends(first: &str, rest: &[&str]) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    rest.iter().find(is_code).is_none_or(|next| indent(next) <= indent(first))
}

fn is_code(line: &&&str) -> bool {
    !line.trim_start().is_empty() && !line.trim_start().starts_with('#')
}

/// Whether every string of several lines that begins here ends here.
fn is_closed(lines: &[&str]) -> bool {
    ["\"\"\"", "'''"].iter().all(|quotes| lines.iter().map(|line| line.matches(quotes).count()).sum::<usize>() % 2 == 0)
}

#[cfg(test)]
mod tests {
    use super::{Span, reduced};

    fn spans(list: &[(&str, u32, u32)]) -> Vec<Span> {
        list.iter().map(|&(name, start_line, end_line)| Span { name: name.to_owned(), start_line, end_line }).collect()
    }

    #[test]
    fn what_both_have_is_left_out_and_the_rest_keeps_its_place() {
        let old = "import a\ndef f():\n    return 1\n\n@a.b\ndef g():\n    return 2\n";
        let new = "import b\nimport a\ndef f():\n    return 1\n\n@a.b\ndef g():\n    return 3\n";
        let definitions = spans(&[("f", 3, 4), ("g", 6, 8)]);
        let found = reduced(old, new, &definitions).expect("f is in both");
        assert_eq!(found.old, "import a\n\n\n\n@a.b\ndef g():\n    return 2\n");
        assert_eq!(found.new, "import b\nimport a\n\n\n\n@a.b\ndef g():\n    return 3\n");
    }

    #[test]
    fn what_may_mean_something_else_stays() {
        let old = "text = \"\"\"\ndef f():\n    return 1\n\"\"\"\n";
        let new = "def f():\n    return 1\n";
        assert!(reduced(old, new, &spans(&[("f", 1, 2)])).is_none(), "a part of a string");
        let twice = "def f(): return 1\ndef f(): return 2\n";
        assert!(reduced(twice, twice, &spans(&[("f", 1, 1), ("f", 2, 2)])).is_none(), "one of two");
        let global = "def f():\n    global x\n    x = 1\n";
        assert!(reduced(global, global, &spans(&[("f", 1, 3)])).is_none(), "binds a name of the module");
        assert!(reduced(old, old, &spans(&[("f", 9, 12)])).is_none(), "lines that are not there");
        let longer = "def f():\n    return 1\n\n    # and\n    return 2\n";
        assert!(reduced(longer, new, &spans(&[("f", 1, 2)])).is_none(), "the beginning of a longer one");
        let decorated = "@a\ndef f():\n    return 1\n";
        assert!(reduced(decorated, new, &spans(&[("f", 1, 2)])).is_none(), "a decorated one");
    }
}
