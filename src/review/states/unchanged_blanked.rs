//! Blanks the definitions that both texts of a file share.
//!
//! The shared lines become empty, so that everything else keeps its place. A large file with one changed function is
//! then parsed and compared at the cost of that function.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    facts::{FileFacts, hash_name, interface::ClassHead},
    model::{EntityKind, conventions::is_name_part},
    store::read::outline::Span,
};

/// Both texts without their common definitions, and the names of these.
pub(crate) struct Blanked {
    pub(crate) old: String,
    pub(crate) new: String,
    /// Functions and classes of the module.
    names: Vec<String>,
    /// Blanked members, by the name of the class.
    members: BTreeMap<String, Members>,
}

/// The blanked members of one class.
#[derive(Default)]
struct Members {
    names: Vec<String>,
    text: String,
}

impl Blanked {
    /// Bytes of both texts without line ends.
    pub(crate) fn length(&self) -> usize {
        let length = |text: &str| text.split('\n').map(str::len).sum::<usize>();
        length(&self.old) + length(&self.new)
    }

    /// Whether facts from the blanked texts show the same differences as facts from the whole ones. Both must parse, no
    /// blanked name may be bound a second time, and blanked members may not set an attribute that differs.
    pub(crate) fn is_sound(&self, old: &FileFacts, new: &FileFacts) -> bool {
        let is_bound = |facts: &FileFacts, name: &str| !facts.interface.member(hash_name(name)).is_empty();
        let is_plain =
            |facts: &FileFacts| !facts.bodies.is_partial && !self.names.iter().any(|name| is_bound(facts, name));
        is_plain(old)
            && is_plain(new)
            && self.members.iter().all(|(class, members)| {
                let (Some(was), Some(is)) = (class_named(old, class), class_named(new, class)) else { return false };
                let is_free = |facts: &FileFacts, class: &ClassHead| {
                    members.names.iter().all(|name| facts.interface.class_member(class, hash_name(name)).is_empty())
                };
                let (before, after) = (attributes(old, was), attributes(new, is));
                is_free(old, was)
                    && is_free(new, is)
                    && before.symmetric_difference(&after).all(|name| !members.mention(name))
            })
    }
}

impl Members {
    /// Whether the text contains `.name`.
    fn mention(&self, name: &str) -> bool {
        has_name(&self.text, name, |before| before.trim_end().ends_with('.'))
    }
}

/// Whether a text contains a name that ends there, behind a text that `fits`.
pub(crate) fn has_name(text: &str, name: &str, fits: impl Fn(&str) -> bool) -> bool {
    text.match_indices(name).any(|(at, _)| fits(&text[..at]) && !text[at + name.len()..].starts_with(is_name_part))
}

/// For [`has_name`]: whether the name begins there too.
pub(crate) fn is_whole(before: &str) -> bool {
    !before.ends_with(is_name_part)
}

/// The one class of this name in a module.
fn class_named<'f>(facts: &'f FileFacts, name: &str) -> Option<&'f ClassHead> {
    let records = (0..).zip(&facts.bodies.records);
    let mut found = records.filter(|(_, record)| record.kind == EntityKind::Class && record.qualified == name);
    match (found.next(), found.next()) {
        (Some((index, _)), None) => facts.interface.class(index),
        _ => None,
    }
}

/// The names of a class's attributes.
fn attributes<'f>(facts: &'f FileFacts, class: &'f ClassHead) -> BTreeSet<&'f str> {
    class.members.iter().map(|member| facts.interface.names.text(member.name)).collect()
}

/// Blanks the definitions of `new` that `old` contains in the same order; `None` if there are none.
pub(crate) fn without_unchanged(old: &str, new: &str, definitions: &[Span]) -> Option<Blanked> {
    let mut texts = BothTexts::of(old, new);
    let mut members: BTreeMap<String, Members> = BTreeMap::new();
    let mut names = Vec::new();
    // Each search begins where the last one ended: definitions that changed their order stay.
    let mut from = (0, 0);
    for span in plain(definitions) {
        let whole = (texts.old.len(), span.end_line as usize);
        if let Some(common) = texts.common(span, from, whole)? {
            from = (common.in_old + common.length, span.end_line as usize);
            texts.blanks.push(common);
            names.push(span.name.clone());
        } else if let Some(((start, end), first)) = texts.class(span, from)? {
            let mut inner = (start, first);
            let mut left_out = Members::default();
            // The first member stays: a class needs a body.
            for (member, span) in plain(&span.members).enumerate() {
                let Some(common) = texts.common(span, inner, (end, span.end_line as usize))? else { continue };
                inner = (common.in_old + common.length, span.end_line as usize);
                if member > 0 {
                    left_out.names.push(span.name.clone());
                    left_out.text.extend(texts.new[common.in_new..common.in_new + common.length].iter().copied());
                    texts.blanks.push(common);
                }
            }
            if !left_out.names.is_empty() {
                members.insert(span.name.clone(), left_out);
            }
            from = (end, span.end_line as usize);
        }
    }
    if texts.blanks.is_empty() {
        return None;
    }
    let BothTexts { mut old, mut new, blanks, .. } = texts;
    for Common { in_old, in_new, length } in blanks {
        old[in_old..in_old + length].fill("\n");
        new[in_new..in_new + length].fill("\n");
    }
    Some(Blanked { old: old.concat(), new: new.concat(), names, members })
}

/// Definitions whose name is unique and not special.
fn plain(definitions: &[Span]) -> impl Iterator<Item = &Span> {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for span in definitions {
        *numbers.entry(&span.name).or_default() += 1;
    }
    definitions.iter().filter(move |span| numbers[span.name.as_str()] == 1 && !span.name.starts_with("__"))
}

/// Lines that both texts contain.
struct Common {
    in_old: usize,
    in_new: usize,
    length: usize,
}

/// Both texts as lines.
struct BothTexts<'s> {
    old: Vec<&'s str>,
    new: Vec<&'s str>,
    /// Where each line stands in the older text.
    starts: BTreeMap<&'s str, Vec<usize>>,
    /// The lines to blank.
    blanks: Vec<Common>,
}

impl<'s> BothTexts<'s> {
    fn of(old: &'s str, new: &'s str) -> Self {
        let (old, new) = (lines(old), lines(new));
        let mut starts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, line) in old.iter().enumerate() {
            starts.entry(line).or_default().push(at);
        }
        Self { old, new, starts, blanks: Vec::new() }
    }

    /// The place of a definition in both texts, between two lines of each. The outer `None` means that it cannot be
    /// known.
    #[expect(clippy::option_option, reason = "nothing found is not the same as nothing known")]
    fn common(&self, span: &Span, from: (usize, usize), to: (usize, usize)) -> Option<Option<Common>> {
        let (start, end) = (span.start_line as usize - 1, span.end_line as usize);
        let Some(body) = self.new.get(start..end).filter(|_| start >= from.1 && end <= to.1) else { return Some(None) };
        let Some(first) = body.first().filter(|_| !body.iter().any(|line| line.contains("global "))) else {
            return Some(None);
        };
        let old = &self.old;
        let is_same = |at: &usize| {
            *at >= from.0
                && at + body.len() <= to.0
                && old.get(*at..at + body.len()) == Some(body)
                && !is_decorated(first, &old[..*at])
                && ends(first, &old[at + body.len()..])
        };
        let found = self.starts.get(first).into_iter().flatten().copied();
        let Some(at) = found.into_iter().find(is_same) else { return Some(None) };
        // After the beginning of a long string, the lines may belong to that string.
        is_closed(&old[from.0..at]).then_some(Some(Common { in_old: at, in_new: start, length: body.len() }))
    }

    /// The lines of a class's body in the older text, and its first line in the newer one. Both must have the same
    /// header line, and no other line may equal it.
    #[expect(clippy::option_option, reason = "nothing found is not the same as nothing known")]
    fn class(&self, span: &Span, from: (usize, usize)) -> Option<Option<((usize, usize), usize)>> {
        let (start, end) = (span.start_line as usize - 1, span.end_line as usize);
        let Some(lines) = self.new.get(start..end).filter(|_| start >= from.1) else { return Some(None) };
        let is_header = |line: &&str| line.trim_start().starts_with("class ");
        let Some(header) = lines.iter().position(is_header).map(|at| start + at) else {
            return Some(None);
        };
        let line = self.new[header];
        let is_alone = line.trim_end().ends_with(':') && self.new.iter().filter(|other| **other == line).count() == 1;
        let at = match self.starts.get(line).map(Vec::as_slice) {
            Some(&[at]) if is_alone && at >= from.0 => at,
            _ => return Some(None),
        };
        if !is_closed(&self.old[from.0..at]) {
            return None;
        }
        let is_over = |next: &&str| is_code(&next) && indent(next) <= indent(line);
        let length = self.old[at + 1..].iter().position(is_over);
        let old_end = length.map_or(self.old.len(), |length| at + 1 + length);
        Some(Some(((at + 1, old_end), header + 1)))
    }
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Whether the block that begins with `first` has ended where `rest` begins.
fn ends(first: &str, rest: &[&str]) -> bool {
    rest.iter().find(is_code).is_none_or(|next| indent(next) <= indent(first))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_code(line: &&&str) -> bool {
    !line.trim_start().is_empty() && !line.trim_start().starts_with('#')
}

/// Whether a decorator may stand above the definition that begins with `first`, behind `lines`.
fn is_decorated(first: &str, lines: &[&str]) -> bool {
    let above = lines.iter().rev().find(|line| is_code(line) && indent(line) <= indent(first));
    above.is_some_and(|line| line.trim_start().starts_with(['@', ')', ']', '}', '"', '\'']))
}

/// Whether every string of several lines that begins here ends here.
fn is_closed(lines: &[&str]) -> bool {
    ["\"\"\"", "'''"].iter().all(|quotes| lines.iter().map(|line| line.matches(quotes).count()).sum::<usize>() % 2 == 0)
}

#[cfg(test)]
mod tests {
    use super::{Span, without_unchanged};
    use crate::lang;

    fn spans(list: &[(&str, u32, u32)]) -> Vec<Span> {
        let span = |&(name, start_line, end_line): &(&str, u32, u32)| Span {
            name: name.to_owned(),
            start_line,
            end_line,
            members: Vec::new(),
        };
        list.iter().map(span).collect()
    }

    #[test]
    fn what_both_have_is_left_out_and_the_rest_keeps_its_place() {
        let old = "import a\ndef f():\n    return 1\n\n@a.b\ndef g():\n    return 2\n";
        let new = "import b\nimport a\ndef f():\n    return 1\n\n@a.b\ndef g():\n    return 3\n";
        let definitions = spans(&[("f", 3, 4), ("g", 6, 8)]);
        let found = without_unchanged(old, new, &definitions).expect("f is in both");
        assert_eq!(found.old, "import a\n\n\n\n@a.b\ndef g():\n    return 2\n");
        assert_eq!(found.new, "import b\nimport a\n\n\n\n@a.b\ndef g():\n    return 3\n");
    }

    #[test]
    fn what_may_mean_something_else_stays() {
        let old = "text = \"\"\"\ndef f():\n    return 1\n\"\"\"\n";
        let new = "def f():\n    return 1\n";
        assert!(without_unchanged(old, new, &spans(&[("f", 1, 2)])).is_none(), "a part of a string");
        let twice = "def f(): return 1\ndef f(): return 2\n";
        assert!(without_unchanged(twice, twice, &spans(&[("f", 1, 1), ("f", 2, 2)])).is_none(), "one of two");
        let global = "def f():\n    global x\n    x = 1\n";
        assert!(without_unchanged(global, global, &spans(&[("f", 1, 3)])).is_none(), "binds a name of the module");
        assert!(without_unchanged(old, old, &spans(&[("f", 9, 12)])).is_none(), "lines that are not there");
        let longer = "def f():\n    return 1\n\n    # and\n    return 2\n";
        assert!(without_unchanged(longer, new, &spans(&[("f", 1, 2)])).is_none(), "the beginning of a longer one");
        let decorated = "@a\ndef f():\n    return 1\n";
        assert!(without_unchanged(decorated, new, &spans(&[("f", 1, 2)])).is_none(), "a decorated one");
    }

    #[test]
    fn members_that_a_class_has_on_both_sides_are_left_out_but_for_the_first() {
        let class = |value: &str, rest: &str| {
            let one = "    def one(self):\n        return 1\n";
            format!("class C(B):\n{one}    def f(self):\n        self.a = {value}\n    def g(self):\n{rest}")
        };
        let (old, new) = (class("1", "        self.b = 2\n"), class("3", "        self.b = 2\n"));
        let mut definitions = spans(&[("C", 1, 7)]);
        definitions[0].members = spans(&[("one", 2, 3), ("f", 4, 5), ("g", 6, 7)]);
        let found = without_unchanged(&old, &new, &definitions).expect("g is in both");
        assert_eq!(
            found.old,
            "class C(B):\n    def one(self):\n        return 1\n    def f(self):\n        self.a = 1\n\n\n"
        );
        assert!(found.is_sound(&facts(&found.old), &facts(&found.new)));
        let twice = format!("{}    g = 1\n", found.new);
        assert!(!found.is_sound(&facts(&found.old), &facts(&twice)), "the name is bound again");
        let less = found.new.replace("self.a", "a");
        assert!(found.is_sound(&facts(&found.old), &facts(&less)), "nothing that was left out sets `a`");
        let other = found.new.replace("self.a", "self.b");
        assert!(!found.is_sound(&facts(&found.old), &facts(&other)), "what was left out sets `b`");
    }

    fn facts(text: &str) -> crate::facts::FileFacts {
        (lang::language_of("a.py").expect("Python is indexed").extract)(text.as_bytes())
    }
}
